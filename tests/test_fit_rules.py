"""Every rule of docs/conventions.md on neighbouring axes and free choices, one test each."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fitted import arm, errors, joint, robot, rows
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Limits, Mimic, Robot
from mdh2urdf.se3 import IDENTITY, X_AXIS, Y_AXIS, Transform, column
from mdh2urdf.table import ModifiedRow, Tool

QUARTER = math.pi / 2
DOWN = (0.0, 0.0, -1.0)
EXACT = 1e-14
"""m and rad: a few rounding errors of arms of one metre."""

ORIGIN = (0, 0, 0)


def fitted(source: Robot, **options):
    """The table of a chain, checked against the robot by the oracles."""
    table, report = fit_table(source, **options)
    assert max(errors(table, source, {options.get("tip") or source.leaves()[0]: "tool"})) < EXACT
    assert max(report.position_error, report.angle_error) < EXACT
    return table, report


def reasons(report) -> dict[str, tuple[tuple[str, ...], str]]:
    return {free.joint: (free.fields, free.reason) for free in report.free}


# Neighbours


def test_skew_axes_meet_the_common_normal_with_their_two_feet():
    table, report = fitted(arm(((0, 0, 0.1), ORIGIN), ((0.3, 0, 0.2), (-1.0, 0, 0)), ((0.2, 0, 0), ORIGIN)))
    assert rows(table)[1] == (0.3, -1.0, 0.0, 0.0)
    assert rows(table)[0] == (0.0, 0.0, pytest.approx(0.3, abs=EXACT), 0.0)
    assert reasons(report)["j2"] == (("d",), "the next axis is parallel")
    assert "j1" not in reasons(report)


def test_intersecting_axes_have_no_a_and_x_across_both():
    table, _ = fitted(arm(((0, 0, 0.4), ORIGIN), (ORIGIN, (QUARTER, 0, 0)), ((0, 0, 0.3), (-QUARTER, 0, 0))))
    assert rows(table) == [(0, 0, 0.4, 0), (0, QUARTER, 0.3, 0), (0, -QUARTER, 0, 0)]


def test_parallel_axes_have_no_alpha_and_the_earlier_row_no_d():
    table, report = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0.1), ORIGIN), ((0.2, 0, 0.05), ORIGIN)))
    assert rows(table) == [(0, 0, 0, 0), (0.3, 0, 0.1 - 0.1, 0), (0.2, 0, pytest.approx(0.15), 0)]
    assert reasons(report)["j1"] == (("d",), "the next axis is parallel")


def test_anti_parallel_axes_have_half_a_turn_of_alpha():
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0.1), (math.pi, 0, 0)), ((0.2, 0, 0), ORIGIN)))
    assert rows(table) == [(0, 0, 0, 0), (0.3, math.pi, 0, 0), (0.2, 0, -0.1, 0)]


def test_axes_on_one_line_leave_the_earlier_row_nothing():
    table, report = fitted(arm(((0, 0, 0.1), (0, 0, 0.7)), ((0, 0, 0.2), ORIGIN), ((0.3, 0, 0), (QUARTER, 0, 0))))
    assert rows(table)[0] == (0, 0, 0, 0)
    assert rows(table)[1] == (0, 0, pytest.approx(0.3), pytest.approx(0.7))
    assert reasons(report)["j1"] == (("theta", "d"), "the next axis is on the same line")


def test_axes_on_one_line_against_each_other():
    table, _ = fitted(arm(((0, 0, 0.1), ORIGIN), ((0, 0, 0.2), (math.pi, 0, 0)), ((0.3, 0, 0), (QUARTER, 0, 0))))
    assert rows(table)[:2] == [(0, 0, 0, 0), (0, math.pi, pytest.approx(-0.3), 0)]


def test_a_prismatic_axis_goes_through_the_frame_before():
    source = robot(
        joint("j1", "l0", "l1", (0, 0, 0.4)),
        joint("j2", "l1", "l2", (0.1, 0.2, 0.3), (0.5, 0.6, 0.7), axis=X_AXIS, kind="prismatic"),
        joint("j3", "l2", "l3", (0.2, 0, 0), (0, 1.0, 0)),
    )
    table, report = fitted(source)
    assert rows(table)[1][0] == 0
    assert rows(table)[0][2] == 0
    assert reasons(report)["j1"] == (("d",), "the next axis is prismatic")


def test_a_prismatic_axis_along_the_one_before_takes_its_line():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.1, 0.2, 0.3), axis=DOWN, kind="prismatic"),
        joint("j3", "l2", "l3", (0.2, 0, 0), (0, 1.0, 0)),
    )
    table, report = fitted(source)
    assert rows(table)[:2] == [(0, 0, 0, 0), (0, math.pi, *rows(table)[1][2:])]
    assert reasons(report)["j1"] == (("theta", "d"), "the next axis is prismatic")


def test_a_prismatic_axis_parallel_to_the_next_one_keeps_its_zero():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.1, 0, 0.3), (QUARTER, 0, 0), kind="prismatic"),
        joint("j3", "l2", "l3", (0.2, 0, 0)),
    )
    table, _ = fitted(source)
    assert rows(table)[1][2] == 0.0


@pytest.mark.parametrize("convention", ["modified", "standard"])
@pytest.mark.parametrize("rpy", [(0.001, 0.002, 0.3), (math.pi + 0.001, 0.002, 0.3)])
def test_nearly_parallel_axes_get_beta_and_the_row_before_no_d(convention, rpy):
    source = arm(
        ((0, 0, 0.4), (0, 0, 0.2)), ((0.3, 0.1, 0.2), rpy), ((0, 0.2, 0.1), (1.2, 0.3, 0)), ((0.1, 0, 0), (1, 0, 0))
    )
    table, report = fitted(source, convention=convention)
    angle = math.acos(math.cos(0.001) * math.cos(0.002))
    (near,) = report.nearly_parallel
    assert (near.earlier, near.later, near.rule, near.error) == ("j1", "j2", "beta", 0.0)
    assert report.lines()[1] == "j1, j2: axes 0.00224 rad off parallel, kept by beta"
    assert near.angle == pytest.approx(angle, rel=1e-9)
    assert max(abs(row.row.d) for row in table.joints) < 1.0
    assert reasons(report)["j1"] == (("d",), "the next axis is nearly parallel")
    betas = [row.row.beta_prev if convention == "modified" else row.row.beta for row in table.joints]
    assert [beta != 0.0 for beta in betas] == (
        [False, True, False, False] if convention == "modified" else [True] + [False] * 3
    )


def test_a_tool_nearly_along_the_last_axis_is_no_pair_of_axes():
    flange = joint("flange", "l2", "tcp", (0.1, 0.02, 0.1), (0.001, 0, 0.3), kind="fixed")
    _, report = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), tip=flange))
    assert report.nearly_parallel == ()


def test_from_a_fiftieth_of_a_radian_on_there_is_no_beta():
    near = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (0.0199, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    far = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (0.0201, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    assert [len(fitted(source)[1].nearly_parallel) for source in (near, far)] == [1, 0]


@pytest.mark.parametrize("convention", ["modified", "standard"])
def test_nearly_parallel_axes_that_meet_in_the_frame_keep_its_x(convention):
    source = arm((ORIGIN, ORIGIN), (ORIGIN, (0.001, 0.002, 0)), ((0.2, 0.1, 0), (1.2, 0.3, 0)))
    table, report = fitted(source, convention=convention)
    assert (table.joints[0].row.theta, table.joints[0].row.d) == (0, 0)
    assert reasons(report)["j1"] == (("theta", "d"), "the next axis is nearly parallel")


def test_a_prismatic_axis_nearly_parallel_to_the_one_before_gets_beta_too():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.1, 0, 0.3), (0.001, 0.002, 0), kind="prismatic"),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1, 0, 0)),
    )
    table, report = fitted(source)
    assert rows(table)[0] == (0, 0, 0, 0)
    assert table.joints[1].row.beta_prev == pytest.approx(0.002)
    assert report.nearly_parallel[0].rule == "beta"


def test_without_beta_the_frame_lies_where_the_axes_meet_and_the_report_says_what_that_costs():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0.1, 0), (1e-4, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, beta=False)
    (near,) = report.nearly_parallel
    assert near.rule == "four parameters"
    assert near.distance == pytest.approx(1000, rel=0.01)
    assert near.error == pytest.approx(1e-11)
    assert max(errors(table, source, {"l3": "tool"})) < near.error
    assert not any(row.row.beta_prev for row in table.joints)
    assert report.lines()[1] == (
        "j1, j2: axes 0.0001 rad off parallel, four parameters put the frame 1e+03 m away: "
        "this costs up to 1e-11 m; beta would keep it near"
    )


def test_without_beta_axes_below_ten_billionths_of_a_radian_are_parallel():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (5e-9, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, beta=False)
    assert table.joints[1].row.alpha_prev == 0
    position, angle = errors(table, source, {"l3": "tool"})
    assert 4e-9 < angle < 6e-9
    assert position < 5e-9 * 0.5
    assert report.nearly_parallel[0].rule == "parallel"
    assert (
        report.lines()[1]
        == "j1, j2: axes 5e-09 rad off parallel, taken as parallel: this costs up to 5e-09 rad and 2.5e-09 m"
    )


def test_what_parallel_costs_grows_with_the_way_to_the_tip():
    flange = joint("flange", "l3", "tcp", (0, 0, 1.5), kind="fixed")
    source = arm((ORIGIN, ORIGIN), ((0, 0, 0.3), (5e-9, 0, 0)), ((0.2, 0, 0), (1, 0, 0)), tip=flange)
    table, report = fit_table(source, beta=False)
    (near,) = report.nearly_parallel
    assert (near.rule, near.error) == ("parallel", pytest.approx(5e-9 * (0.3 + 0.2 + 1.5)))
    assert errors(table, source, {"tcp": "tool"})[0] < near.error
    assert report.samples == 4


def test_without_beta_a_prismatic_axis_is_held_exactly_at_any_angle():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.1, 0, 0.3), (1e-10, 0, 0), kind="prismatic"),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1, 0, 0)),
    )
    _, report = fitted(source, beta=False)
    (near,) = report.nearly_parallel
    assert (near.rule, near.error, near.distance) == ("prismatic", 0.0, 0.0)
    assert (
        report.lines()[1] == "j1, j2: axes 1e-10 rad off parallel, a prismatic axis has no place that this could move"
    )


def test_without_beta_no_prismatic_axis_starts_where_nearly_parallel_axes_meet():
    """Else the next common normal would be told from points that are far away, and digits lost."""
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.3, 0.1, 0), (1e-7, 0, 0)),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1.2, 0, 0), kind="prismatic"),
        joint("j4", "l3", "l4", (0.1, 0.1, 0), (1e-7, 0, 0)),
        joint("j5", "l4", "l5", (0.1, 0.1, 0), (1, 1, 0)),
    )
    table, _ = fit_table(source, beta=False)
    assert max(errors(table, source, {"l5": "tool"})) < 2 * 1e-15 / 1e-7


FAR_MEETING = ((0, 0.3, 0), (1e-3, 0, 0))
"""An axis that meets the one before 300 m above."""


def test_without_beta_a_prismatic_axis_leaves_the_far_point_where_axes_meet():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", *FAR_MEETING),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1.2, 0, 0), kind="prismatic"),
        joint("j4", "l3", "l4", (0.1, 0.1, 0), (1, 1, 0)),
    )
    table, _ = fit_table(source, beta=False)
    assert [rows(table)[index][2] for index in (0, 1)] == pytest.approx([300, -300], rel=1e-6)


def test_without_beta_a_parallel_axis_stays_far_away_until_a_prismatic_one_comes():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", *FAR_MEETING),
        joint("j3", "l2", "l3", (0.2, 0, 0)),
        joint("j4", "l3", "l4", (0.2, 0, 0), (1.2, 0, 0), kind="prismatic"),
        joint("j5", "l4", "l5", (0.1, 0.1, 0), (1, 1, 0)),
    )
    table, _ = fit_table(source, beta=False)
    assert [rows(table)[index][2] for index in (0, 1, 2)] == pytest.approx([300, 0, -300], rel=1e-6)


def test_a_prismatic_axis_behind_parallel_ones_goes_through_the_frame_before():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.3, 0, 0.1)),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1.2, 0, 0), kind="prismatic"),
        joint("j4", "l3", "l4", (0.1, 0.1, 0), (1, 1, 0)),
    )
    table, _ = fitted(source)
    assert [rows(table)[index][2] for index in (0, 1)] == [0, 0]


# Free choices


def test_x_is_the_common_normal_within_a_quarter_turn():
    for yaw in np.linspace(-3.1, 3.1, 14):
        table, _ = fitted(arm((ORIGIN, (0, 0, yaw)), ((0.3, 0, 0), (0.4, 0, 0)), ((0.2, 0, 0), (1, 0, 0))))
        theta = table.joints[0].row.theta
        assert abs(theta) <= math.pi / 2
        assert math.remainder(theta - yaw, math.pi) == pytest.approx(0, abs=1e-12)
        assert table.joints[1].row.a_prev == pytest.approx(0.3 if abs(yaw) <= math.pi / 2 else -0.3)


@pytest.mark.parametrize("yaw", [QUARTER, -QUARTER])
def test_x_that_is_a_quarter_turn_off_runs_from_axis_to_axis(yaw):
    table, _ = fitted(arm((ORIGIN, (0, 0, yaw)), ((0.3, 0, 0), (0.4, 0, 0)), ((0.2, 0, 0), (1, 0, 0))))
    assert table.joints[0].row.theta == yaw
    assert table.joints[1].row.a_prev == 0.3


def test_frame_zero_is_the_root_if_the_first_axis_is_its_z():
    table, _ = fitted(arm(((0, 0, 0.4), (0, 0, 0.3)), ((0.3, 0, 0), ORIGIN)))
    assert table.base.pose is IDENTITY
    assert (table.joints[0].row.a_prev, table.joints[0].row.alpha_prev) == (0, 0)


@pytest.mark.parametrize(
    ("axis", "rpy"),
    [
        (DOWN, (math.pi, 0, 0)),
        (X_AXIS, (0, QUARTER, 0)),
        ((-1.0, 0.0, 0.0), (0, -QUARTER, 0)),
        (Y_AXIS, (-QUARTER, 0, 0)),
        ((0.0, -1.0, 0.0), (QUARTER, 0, 0)),
    ],
)
def test_frame_zero_turns_its_z_onto_the_first_axis_without_yaw(axis, rpy):
    table, _ = fitted(robot(joint("j1", "l0", "l1", axis=axis), joint("j2", "l1", "l2", (0.1, 0.2, 0.3), (1, 0, 0))))
    assert table.base.pose == Transform.from_xyz_rpy(ORIGIN, rpy)


@pytest.mark.parametrize("axis", [(0.36, 0.48, 0.8), (0.36, 0.48, -0.8), (-0.8, 0.48, -0.36)])
def test_frame_zero_has_no_yaw_on_a_slanting_first_axis_that_points_up_or_down(axis):
    table, _ = fitted(robot(joint("j1", "l0", "l1", axis=axis), joint("j2", "l1", "l2", (0.1, 0.2, 0.3), (1, 0, 0))))
    x, _, z = (column(table.base.pose.rotation, index) for index in range(3))
    assert z == pytest.approx(axis, abs=EXACT)
    assert x[0] > 0
    assert x[1] == pytest.approx(0, abs=EXACT)


def test_frame_zero_stands_where_the_first_axis_is_nearest_to_the_root():
    table, _ = fitted(arm(((0.3, -0.2, 0.7), ORIGIN), ((0.3, 0, 0), (1, 0, 0))))
    assert table.base.pose == Transform(translation=(0.3, -0.2, 0.0))
    assert rows(table)[0] == (0, 0, 0.7, 0)


def test_a_first_prismatic_axis_goes_through_the_root():
    source = robot(
        joint("j1", "l0", "l1", (0.3, 0.2, 0.1), axis=X_AXIS, kind="prismatic"),
        joint("j2", "l1", "l2", (0.1, 0.2, 0.3), (1, 0, 0)),
    )
    table, _ = fitted(source)
    assert table.base.pose.translation == (0, 0, 0)
    assert rows(table)[0][:2] == (0, 0)


def test_the_last_modified_frame_is_the_last_link_s_own_as_far_as_it_can_be():
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), ((0.2, 0, 0.1), (0.5, 0, 0.3))))
    assert table.tool is None


def test_what_follows_the_last_axis_is_the_tool():
    flange = joint("flange", "l2", "tcp", (0.01, 0.02, 0.1), (0.1, 0.2, 0.3), kind="fixed")
    table, report = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), tip=flange))
    assert table.tool.link == "tcp"
    assert table.tool.pose.translation == pytest.approx((0.01, 0.02, 0.1), abs=EXACT)
    assert reasons(report)["j2"] == (("theta", "d"), "no axis follows")


def test_the_last_standard_row_takes_of_the_tool_what_d_and_theta_can():
    flange = joint("flange", "l2", "tcp", (0, 0, 0.1), (0, 0, 0.3), kind="fixed")
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), tip=flange), convention="standard")
    assert rows(table)[-1] == (0, 0, 0.1, pytest.approx(0.3))
    assert table.tool == Tool(link="tcp", pose=IDENTITY)


@pytest.mark.parametrize("axis", [Y_AXIS, X_AXIS, DOWN])
def test_a_last_link_turned_from_its_axis_gets_a_tool_for_its_frame(axis):
    table, _ = fitted(robot(joint("j1", "l0", "l1"), joint("j2", "l1", "l2", (0.1, 0.2, 0.3), axis=axis)))
    assert table.tool.link == "tool0"
    assert table.tool.pose.translation == (0, 0, 0)


def test_a_tip_of_the_tool_s_usual_name_stays_a_link():
    flange = joint("flange", "l2", "tool0", kind="fixed")
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), tip=flange))
    assert table.tool == Tool(link="tool0", pose=IDENTITY)


def test_the_tool_s_name_is_not_taken_from_a_link():
    source = robot(joint("j1", "tool0", "tool0_"), joint("j2", "tool0_", "l2", (0.1, 0.2, 0.3), axis=X_AXIS))
    assert fitted(source)[0].tool.link == "tool0__"


def test_the_tool_s_joint_has_no_name_of_another_joint():
    source = robot(joint("j1", "l0", "l1"), joint("tool0_joint", "l1", "l2", (0.1, 0.2, 0.3), axis=X_AXIS))
    assert fitted(source)[0].tool.link == "tool0_"


def test_z_is_the_positive_axis_and_every_direction_plus_one():
    table, _ = fitted(
        robot(joint("j1", "l0", "l1", axis=DOWN), joint("j2", "l1", "l2", (0.1, 0, 0), axis=(0.0, -1.0, 0.0)))
    )
    assert [one.direction for one in table.joints] == [1, 1]


# Reader noise


def test_noise_of_a_reader_is_nought():
    first = ((1e-14, -1e-14, 0.4), ORIGIN)
    third = ((0, 0.2, 1e-14), (QUARTER + 1e-14, 0, 0))
    table, report = fit_table(arm(first, ((0.3, 1e-15, 0), (1e-15, -1e-15, 0)), third))
    assert rows(table) == [(0, 0, 0, 0), (0.3, 0, 0.4, 0), (0, QUARTER, -0.2, 0)]
    assert table.base.pose is IDENTITY
    assert report.nearly_parallel == ()


def test_what_is_above_noise_is_kept():
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1e-12, 0, 0)), ((0, 0.2, 0), (1, 0, 0))))
    assert table.joints[1].row.alpha_prev == pytest.approx(1e-12, rel=1e-3)


def test_half_a_turn_is_plus_pi():
    table, _ = fitted(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (-math.pi, 0, 0)), ((0, 0.2, 0), (1, 0, 0))))
    assert table.joints[1].row.alpha_prev == math.pi


# What comes along


def test_names_limits_and_all_that_belongs_to_a_joint_come_along():
    source = robot(
        joint("a", "base", "one", limits=Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)),
        joint("b", "one", "two", (0.1, 0, 0), (1, 0, 0), kind="continuous", limits=None),
        joint("c", "two", "three", (0.1, 0, 0), (1, 0, 0), mimic=Mimic(joint="a", multiplier=-0.5, offset=0.1)),
    )
    table, _ = fit_table(source)
    for ours, theirs in zip(table.joints, source.joints, strict=True):
        assert (ours.name, ours.link, ours.parent, ours.type) == (theirs.name, theirs.child, theirs.parent, theirs.type)
        assert ours.limits == (theirs.limits or Limits())
        assert (ours.mimic, ours.dynamics, ours.safety, ours.calibration) == (theirs.mimic, None, None, None)


def test_a_mimic_joint_keeps_the_zero_of_its_own_q():
    source = robot(
        joint("a", "base", "one", (0, 0, 0.2)),
        joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0), mimic=Mimic(joint="a", multiplier=2.0, offset=0.4)),
        joint("c", "two", "three", (0.3, 0, 0), (1, 0, 0)),
    )
    table, report = fit_table(source)
    assert max(report.position_error, report.angle_error) < EXACT
    independent = replace(source, joints=tuple(replace(one, mimic=None) for one in source.joints))
    assert rows(fit_table(independent)[0]) == rows(table)


def test_modified_and_standard_rows_hold_the_same_numbers():
    source = arm(((0, 0, 0.1), (0, 0, 0.2)), ((0.3, 0.1, 0.2), (-1.0, 0.3, 0)), ((0.2, 0, 0.3), (0.4, 0.5, 0.6)))
    modified, standard = fitted(source)[0], fitted(source, convention="standard")[0]
    for one, other in zip(modified.joints[1:], standard.joints, strict=False):
        assert isinstance(one.row, ModifiedRow)
        assert (one.row.a_prev, one.row.alpha_prev) == (other.row.a, other.row.alpha)
    assert [(one.row.theta, one.row.d) for one in modified.joints] == [
        (one.row.theta, one.row.d) for one in standard.joints
    ]
