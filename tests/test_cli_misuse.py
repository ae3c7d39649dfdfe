"""The command line misused: one line a problem, the right status, outputs whole or untouched."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import typer

from command_line import ROBOTS, run
from mdh2urdf.cli.app import COMMANDS, FILES, app
from readers import require_module

ARM = ROBOTS / "ur5e.yaml"

READ_OR_WRITTEN = ("FILE", "OUT", "OLD", "SOURCE", "TABLE")
"""What help shows for the value of an option that names a file which is opened."""

PLACES = (*READ_OR_WRITTEN, "DIR", "PATH")
"""The same of all that name a file or a folder; PATH only stands in what is written."""


def all_options() -> list[tuple[str, Any]]:
    """Options of all commands, with the names of their commands."""
    for module in COMMANDS.values():
        import_module(f"mdh2urdf.cli.{module}")
    commands: Any = typer.main.get_command(app)
    return [
        (name, option)
        for name, command in commands.commands.items()
        for option in command.params
        if option.param_type_name == "option"
    ]


OPTIONS = all_options()
NAMED = [(name, option) for name, option in OPTIONS if option.metavar in PLACES or option.type.name == "path"]


def test_every_option_that_names_a_file_is_known_for_one():
    assert {name for _, option in NAMED for name in option.opts} == FILES


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["compare", "-", ARM], "A"),
        (["compare", ARM, "-"], "B"),
        (["inventor", "-"], "DUMP"),
        *(
            ([command, option.opts[0], "-"], option.opts[0])
            for command, option in NAMED
            if option.metavar in READ_OR_WRITTEN and "-o" not in option.opts
        ),
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
    require_module("matplotlib")
    monkeypatch.chdir(tmp_path)
    assert run("draw", ARM, "-o", "-").out.startswith("<?xml")
    assert not Path("-").exists()


LONG = "x" * 300
"""A name that no file system takes; asking whether such a file is there is an error of the system."""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([LONG], f"{LONG}: no such file, and no robot of the catalogue; `mdh2urdf list` names all"),
        ([f"{LONG}.yaml"], f"{LONG}.yaml: cannot be read: File name too long"),
        (
            [LONG, ARM],
            f"Error: one SOURCE is converted, and here are two: '{LONG}' and '{ARM}'. The output goes to -o FILE",
        ),
        ([ARM, "-o", LONG], f"{LONG}: cannot be written: File name too long"),
        ([ARM, "--report", LONG], f"{LONG}: cannot be written: File name too long"),
        ([ARM, "--ros2", LONG], f"{LONG}/.mdh2urdf.json: cannot be read: File name too long"),
        (["fit", ARM, "--like", f"{LONG}.yaml"], f"{LONG}.yaml: cannot be read: File name too long"),
        (["inventor", LONG], f"{LONG}: cannot be read: File name too long"),
    ],
    ids=lambda value: None if isinstance(value, str) else "-".join(str(word)[:12] for word in value),
)
def test_a_name_that_is_too_long_for_a_file_is_one_line(arguments, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert done.status == 2
    assert done.err.splitlines()[-1] == line


def test_a_mesh_whose_name_is_too_long_is_missing_like_any_other(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{LONG}"/></geometry></visual></link></robot>'
    )
    assert run("check", path).out.endswith(f"mesh files are not there: {LONG} [mesh-missing]\n")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([""], "an argument is ''; a file is named there"),
        (["compare", ARM, ""], "an argument is ''; a file is named there"),
        ([ARM, "-o", ""], "-o wants the name of a file, got ''"),
        ([ARM, "--report="], "--report wants the name of a file, got ''"),
        ([ARM, "--ros2", ""], "--ros2 wants the name of a file, got ''"),
        ([ARM, "--macro-path", ""], "--macro-path wants the name of a file, got ''"),
        (["inventor", "arm.json", "--settings", ""], "--settings wants the name of a file, got ''"),
    ],
    ids=str,
)
def test_an_empty_name_is_not_the_folder_that_the_program_runs_in(arguments, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert (done.status, done.out, done.err) == (2, "", f"{line}\n")
    assert list(tmp_path.iterdir()) == []


def test_an_empty_prefix_is_none_and_one_with_a_blank_is_refused():
    assert run(ARM, "--prefix", "").out == run(ARM).out
    for prefix in (" ", "left ", "a\tb", "a\u3000b"):
        done = run(ARM, "--prefix", prefix)
        assert (done.status, done.out) == (2, "")
        assert done.err == f"--prefix {prefix!r} has a blank; names with blanks are no names in ROS\n"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([ARM, "--placeholder-inertia", "1e308"], "--placeholder-inertia wants {} of at most 1e+12, got 1e+308"),
        ([ARM, "--placeholder-inertia", "nan"], "--placeholder-inertia wants {}, got nan"),
        ([ARM, "--set", "a=1", "--set", " a =2"], "--set gives a twice"),
        (["show", ARM, "--units", "deg,mm"], "--units goes with --screws --format yaml"),
        (
            ["show", ARM, "--screws", "--format", "yaml", "--latex"],
            "--format yaml and --latex contradict each other",
        ),
        (["draw", ARM, "--q", "elbow_joint=1,elbow_joint=2"], "--q: gives joint 'elbow_joint' twice"),
        (["inventor", "arm.json", "--boxes"], "--boxes goes with --anonymise"),
        (
            ["inventor", "arm.json", "--anonymise", "other.json", "-o", "arm.urdf", "--ros2", "arm"],
            "--anonymise writes a dump and nothing else; it does not go with -o, --ros2",
        ),
        (["inventor", "arm.json", "--package", "../a"], "--package: '../a' is no name of a package: {}"),
        (["inventor", "arm.json", "--package", "a b"], "--package: 'a b' is no name of a package: {}"),
    ],
    ids=str,
)
def test_options_that_contradict_or_mean_nothing_are_refused(arguments, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("arm.json").write_text("{}")
    wanted = "letters, digits, _ and -, a letter first" if "--package" in line else "a positive mass in kg"
    done = run(*arguments)
    assert (done.status, done.out, done.err) == (2, "", f"{line.format(wanted)}\n")
    assert [path.name for path in tmp_path.iterdir()] == ["arm.json"]


OWN_WORDS = {"-o", "--format", "--frames", "--name", "--units", "--base", "--tip", "--convention", "--collision"}
OWN_WORDS |= {"--tolerance", "--against"}
"""Options that mean another thing in one of the commands: their help says which."""


def test_an_option_of_several_commands_has_the_same_words_in_all():
    words: dict[str, set[tuple[str, str]]] = {}
    for _, option in OPTIONS:
        words.setdefault(option.opts[0], set()).add((option.metavar, option.help))
    assert {name for name, found in words.items() if len(found) > 1} <= OWN_WORDS


def test_help_is_sentences_that_tell_defaults_in_one_way():
    for command, option in OPTIONS:
        assert option.help.endswith("."), (command, option.opts)
        assert not re.search(r"\bdefault\b(?!:| is)|may be repeated", option.help), (command, option.opts)
