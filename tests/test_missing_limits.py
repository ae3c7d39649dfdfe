"""Limits that lack what a ``<limit>`` needs stop the writing of one, with the line to add, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import Outcome, run

TABLES = sorted((Path(__file__).parent / "data" / "missing_limits").glob("*.yaml"))


@pytest.fixture(params=TABLES, ids=[path.stem for path in TABLES])
def table(request, tmp_path, monkeypatch):
    """A table in the folder of the test, and what is said of it."""
    (tmp_path / request.param.name).write_bytes(request.param.read_bytes())
    monkeypatch.chdir(tmp_path)
    return request.param.name, request.param.with_suffix(".txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("options", [(), ("--format", "xacro"), ("--quiet", "--ros2", "arm_description")])
def test_no_limit_is_written(table, options):
    assert run(table[0], *options) == Outcome(2, "", table[1])


@pytest.mark.parametrize("form", ["origins", "mjcf", "sdf"])
def test_formats_that_need_no_rates_are_written_and_it_is_told(table, form):
    name, told = table
    more = () if form == "origins" else ("--placeholder-inertia", "1")
    done = run(name, "--format", form, *more)
    assert done.status == 0
    assert told in done.err
    assert done.out


def test_strict_makes_an_error_of_it(table):
    name, told = table
    done = run(name, "--format", "mjcf", "--placeholder-inertia", "1", "--strict")
    assert (done.status, done.out) == (1, "")
    assert told in done.err


def test_the_table_is_checked_shown_compared_and_fitted(table):
    name, told = table
    done = run("check", name)
    assert done.status == 1
    assert [line.split(" [")[0] for line in done.out.splitlines() if "missing-limits" in line] == [told.rstrip()]
    assert run("show", name).status == 0
    assert run("compare", name, name).status == 0
    assert run("fit", name).status == 0


def test_what_is_wrong_beside_it_is_told_at_once(table):
    name, told = table
    with Path(name).open("a", encoding="utf-8") as file:
        file.write("expect: 1\n")
    done = run(name)
    assert done.status == 2
    assert done.err.startswith(told)
    assert "expect: is '1'" in done.err
