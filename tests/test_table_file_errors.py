"""Every file in data/bad_tables is refused with the whole message beside it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.table_file.reader import read_table

BAD = Path(__file__).parent / "data" / "bad_tables"
ROW = "joints:\n  - {a: 0, alpha: 0, d: 0.1, theta: 0}\n"


@pytest.mark.parametrize("name", sorted(path.stem for path in BAD.glob("*.yaml")))
def test_bad_table_is_refused_with_everything_that_is_wrong(name):
    text = (BAD / f"{name}.yaml").read_text(encoding="utf-8")
    with pytest.raises(Mdh2UrdfError) as error:
        read_table(text, file=f"{name}.yaml")
    assert str(error.value) == (BAD / f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def test_every_bad_table_has_its_message_and_no_message_is_left_over():
    assert {path.stem for path in BAD.glob("*.yaml")} == {path.stem for path in BAD.glob("*.txt")}


def message(text: str, **options: object) -> str:
    with pytest.raises(Mdh2UrdfError) as error:
        read_table(text, file="arm.yaml", **options)
    return str(error.value)


def test_options_that_contradict_the_file_are_errors():
    text = "convention: modified\nunits: {angle: deg, length: mm}\n" + ROW
    assert message(text, convention="standard", angle="rad", length="m") == (
        "arm.yaml:1:13: convention: is modified, but --convention says standard\n"
        "arm.yaml:2:16: units.angle: is deg, but --angle says rad\n"
        "arm.yaml:2:29: units.length: is mm, but --length says m"
    )


def test_an_unknown_parameter_of_the_command_line_is_an_error_that_lists_the_known():
    text = "convention: modified\nparameters: {L2: 0.3, tilt: 0.1}\n" + ROW
    assert message(text, parameters={"L3": "1"}) == (
        "arm.yaml: --set.L3: is no parameter of the table; known are L2, tilt"
    )
    assert message("convention: modified\n" + ROW, parameters={"L3": "1"}) == (
        "arm.yaml: --set.L3: is no parameter of the table; known are none"
    )


def test_a_wrong_expression_of_the_command_line_is_told_with_its_parameter():
    text = "convention: modified\nparameters: {L2: 0.3}\n" + ROW
    assert message(text, parameters={"L2": "0.3 + L1"}) == "arm.yaml: --set.L2: 'L1' is not a parameter (known: none)"


def test_a_text_that_is_no_unicode_is_refused():
    assert message("name: \ud800") == "arm.yaml:1:7: is not UTF-8 text"


def test_a_thousand_wrong_rows_are_all_told_in_a_few_seconds():
    rows = "".join(f"  - {{a: 0, alhpa: 0, d: x, theta: 0, parent: ghost{i}}}\n" for i in range(1000))
    start = time.process_time()
    lines = message("convention: modified\njoints:\n" + rows).splitlines()
    assert len(lines) == 4 * 1000
    assert time.process_time() - start < 5  # a quadratic search for near names took minutes


@pytest.mark.parametrize(
    "bomb",
    [
        "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(f"b{i}: &a [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n" for i in range(30)),
        "[" * 200_000,
        "{a: " * 50_000,
        "- " * 50_000,
        "? " * 5_000,
        "x-a: " + "&a " * 3 + "1",
    ],
)
def test_yaml_made_to_exhaust_a_reader_ends_in_one_line_at_once(bomb):
    start = time.process_time()
    assert len(message(bomb).splitlines()) == 1
    assert time.process_time() - start < 2
