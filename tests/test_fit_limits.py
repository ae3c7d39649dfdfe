"""Limits of a source that a table cannot hold, or that lack what a row needs; what is written reads back."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fitted import joint, robot
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Limits
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.writer import write_table

RANGE = {"lower": -1.0, "upper": 2.0}


def fitted(*limits, kinds=(), units=None):
    """A fitted chain of joints with these limits, its report's lines on limits, and the text of the table."""
    kinds = kinds or ["revolute"] * len(limits)
    joints = [
        joint(f"j{i + 1}", f"l{i}", f"l{i + 1}", (0.3, 0, 0.1), (0.4, 0, 0.2 * i), kind=kind, limits=given)
        for i, (given, kind) in enumerate(zip(limits, kinds, strict=True))
    ]
    table, report = fit_table(robot(*joints), units=units)
    lines = [line for line in report.lines() if re.search(r"left out|limits", line)]
    return table, lines, write_table(table, comments=report.lines())


def test_limits_that_are_whole_are_written_and_nothing_is_said():
    whole = Limits(**RANGE, velocity=2.0, effort=30.0)
    table, lines, text = fitted(whole, None, kinds=["prismatic", "continuous"])
    assert lines == []
    assert table.joints[0].limits == whole
    assert [one.limits for one in read_table(text)[0].joints] == [whole, Limits()]


def test_what_a_range_needs_and_the_source_lacks_is_told_once_for_all_joints_that_lack_it():
    bare, weak = Limits(**RANGE), Limits(**RANGE, velocity=1.0)
    _, lines, text = fitted(
        bare, weak, bare, Limits(velocity=1.0), kinds=[*["revolute"] * 3, "prismatic"], units=Units("deg", "mm")
    )
    assert lines == [
        "before the table converts, add to the limits of j1 and j3 what the source lacks: "
        "velocity: <deg/s>, effort: <N m>",
        "before the table converts, add to the limits of j2 what the source lacks: effort: <N m>",
        "before the table converts, add to the limits of j4 what the source lacks: "
        "lower: <mm>, upper: <mm>, effort: <N>",
    ]
    assert all(f"# {line}" in text for line in lines)
    assert lacking(text) == {1, 2, 3, 4}


def test_a_rate_alone_is_left_out_where_there_is_no_range():
    table, lines, text = fitted(Limits(velocity=1.0), Limits(effort=5.0), kinds=["revolute", "continuous"])
    assert lines == [
        "j1: velocity left out; a joint without a range has velocity and effort or neither",
        "j2: effort left out; a joint without a range has velocity and effort or neither",
    ]
    assert [one.limits for one in table.joints] == [Limits(), Limits()]
    assert [one.type for one in read_table(text)[0].joints] == ["continuous", "continuous"]


def test_numbers_beyond_those_of_a_table_are_left_out():
    table, lines, text = fitted(Limits(lower=-1e16, upper=1e16, velocity=2.0, effort=30.0))
    assert lines == ["j1: lower and upper left out, beyond 1e+12"]
    assert table.joints[0].limits == read_table(text)[0].joints[0].limits == Limits(velocity=2.0, effort=30.0)


@pytest.mark.parametrize("field", ["lower", "upper", "velocity", "effort"])
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_any_limit_alone_may_be_missing(field, kind):
    given = Limits(**{**RANGE, "velocity": 3.0, "effort": 4.0, field: None})
    table, lines, _ = fitted(given, kinds=[kind])
    assert table.joints[0].limits == given
    assert [line.partition(": ")[2].partition(":")[0] for line in lines] == [field]


def test_the_largest_number_of_a_table_is_kept_and_the_next_one_is_not():
    table, lines, _ = fitted(Limits(lower=-1e12, velocity=1e12, effort=1.0001e12))
    assert lines[0] == "j1: effort left out, beyond 1e+12"
    assert table.joints[0].limits == Limits(lower=-1e12, velocity=1e12)


def test_limits_the_wrong_way_round_are_no_gap():
    given = Limits(lower=2.0, upper=1.0, velocity=1.0, effort=1.0)
    table, report = fit_table(robot(joint("j", "a", "b", limits=given)))
    assert table.joints[0].limits == given
    assert report.limits == ()


def test_a_rate_that_is_left_out_is_data_too():
    report = fit_table(robot(joint("j", "a", "b", limits=Limits(velocity=1.0))))[1]
    assert report.as_json()["limits"] == (
        {"joint": "j", "linear": False, "too_large": (), "lone": "velocity", "missing": ()},
    )


def test_gaps_are_part_of_the_report_as_data():
    report = fit_table(robot(joint("j", "a", "b", limits=Limits(**RANGE, velocity=1.0))))[1]
    assert report.as_json()["limits"] == (
        {"joint": "j", "linear": False, "too_large": (), "lone": "", "missing": ("effort",)},
    )


numbers = st.sampled_from([0.0, 0.5, 1.0, 1e12, 1e16])
maybe = st.none() | numbers
limits = st.none() | st.builds(
    lambda low, high, velocity, effort: Limits(
        lower=None if low is None else -low, upper=high, velocity=velocity, effort=effort
    ),
    maybe,
    maybe,
    maybe,
    maybe,
)


@given(st.lists(st.tuples(st.sampled_from(["revolute", "continuous", "prismatic"]), limits), min_size=1, max_size=3))
def test_a_table_reads_back_as_it_was_fitted_or_its_report_says_what_to_add(given_joints):
    kinds = [kind for kind, _ in given_joints]
    given_limits = [
        one and (Limits(velocity=one.velocity, effort=one.effort) if kind == "continuous" else one)
        for kind, one in given_joints
    ]
    for units in (Units(), Units("deg", "mm")):
        _, lines, text = fitted(*given_limits, kinds=kinds, units=units)
        wanted = [line for line in lines if line.startswith("before the table converts")]
        named = {int(number) for line in wanted for number in re.findall(r"j(\d)", line)}
        assert lacking(text) == named
        for line in wanted:
            added = re.sub("<[^>]*>", "0", line.partition(" lacks: ")[2])
            for name in re.findall(r"j\d", line):
                text = re.sub(rf"(name: {name},.*?)(limits: {{|}}$)", _with(added), text, count=1, flags=re.MULTILINE)
        assert lacking(text) == set()


def lacking(text):
    """Numbers of the joints of which a table says that their limits lack something, as a finding or as an error."""
    try:
        said = [finding for finding in read_table(text)[1] if finding.rule == "missing-limits"]
    except Mdh2UrdfError as error:
        said = error.problems
    return {int(finding.path[len("joints[") :].partition("]")[0]) + 1 for finding in said}


def _with(added):
    def put(match):
        return f"{match[1]}limits: {{{added}, " if match[2] != "}" else f"{match[1]}, limits: {{{added}}}}}"

    return put
