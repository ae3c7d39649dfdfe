"""The command line used carelessly or with ill will: one line a problem, the right status, files whole or untouched."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import ROBOTS, run

ARM = ROBOTS / "ur5e.yaml"


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["compare", "-", ARM], "A"),
        (["compare", ARM, "-"], "B"),
        (["inventor", "-"], "DUMP"),
        (["inventor", "arm.json", "--anonymise", "-"], "--anonymise"),
        (["fit", ARM, "--like", "-"], "--like"),
        (["view", ARM, "--against", "-"], "--against"),
        ([ARM, "--nominal", "-"], "--nominal"),
        ([ARM, "--against", "-"], "--against"),
        ([ARM, "--report", "-"], "--report"),
        ([ARM, "--srdf", "-"], "--srdf"),
    ],
    ids=str,
)
def test_a_hyphen_is_refused_where_it_is_no_stream(arguments, name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments, stdin=ARM.read_bytes())
    assert (done.status, done.out) == (2, "")
    assert done.err == f"{name} wants a file; - is for SOURCE (standard input) and -o (standard output)\n"
    assert not Path("-").exists()


def test_a_picture_goes_to_stdout_for_a_hyphen(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert run("draw", ARM, "-o", "-").out.startswith("<?xml")
    assert not Path("-").exists()
