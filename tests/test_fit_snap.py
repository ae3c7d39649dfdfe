"""Numbers moved to round ones or to a given table's, the rest refitted, and moves taken back."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest

from fitted import arm, errors, joint, robot, rows
from mdh2urdf.convert import robot_from_table
from mdh2urdf.expression import Units
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.fit.grids import Tolerances, paired_names, snapped_angle, snapped_length, would_snap
from mdh2urdf.fit.refit import Residual
from mdh2urdf.fit.snap import missed_after_refit
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import IDENTITY, Transform, rotation_about, unit
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool
from mdh2urdf.table_numbers import table_numbers, with_numbers

ORIGIN = (0, 0, 0)
QUARTER = math.pi / 2
ANGLE, LENGTH = 1e-5, 5e-6


@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [(90.0003, 90), (-90.0003, -90), (45.0001, 45), (30.0001, 30), (-14.9999, -15), (-179.9999, 180), (0.0004, 0)],
)
def test_angles_snap_to_the_coarsest_of_90_45_30_and_15_degrees(degrees, wanted):
    assert snapped_angle(math.radians(degrees), ANGLE) == math.radians(wanted)


def test_angles_farther_than_the_tolerance_stay():
    assert snapped_angle(math.radians(90.001), ANGLE) is None


@pytest.mark.parametrize(
    ("metres", "wanted"),
    [(0.300004, 0.3), (0.3004, 0.3004), (0.30041, 0.30041), (0.300412, 0.300412), (0.30000410001, 0.3), (-4e-6, 0.0)],
)
def test_lengths_snap_to_the_coarsest_of_1_mm_to_1_um(metres, wanted):
    assert snapped_length(metres, LENGTH) == wanted


def test_a_wide_tolerance_snaps_no_angle_that_is_not_within_a_fiftieth_of_the_grid():
    assert snapped_angle(math.radians(15.25), 1.0) == math.radians(15)
    assert snapped_angle(math.radians(15.5), 1.0) is None


@pytest.mark.parametrize("metres", [0.30041203, 0.2894866145437471])
def test_lengths_snap_within_a_fiftieth_of_the_grid_only(metres):
    assert snapped_length(metres, LENGTH) is None


def test_a_given_table_s_number_comes_first():
    assert snapped_length(0.300004, LENGTH, 0.3000047) == 0.3000047
    assert snapped_angle(QUARTER + 1e-6, ANGLE, QUARTER - 2e-6 + 2 * math.pi) == QUARTER - 2e-6 + 2 * math.pi
    assert snapped_length(0.300004, LENGTH, 0.4) == 0.3
    assert snapped_angle(QUARTER, ANGLE, 1.0) == QUARTER


def test_rounded_right_angles_become_right_angles_and_the_report_says_by_how_much():
    tilted = (0.3, 0, 0), (-1.5708, 0, 0)
    source = arm(((0, 0, 0.267), ORIGIN), ((0, 0, 0), (-1.5708, 0, 0)), tilted, ((0.1, 0, 0), (1.5708, 0, 0)))
    table, report = fit_table(source, snap=True)
    assert [row[1] for row in rows(table)] == [0, -QUARTER, -QUARTER, QUARTER]
    assert ("j2", "alpha", -1.5708, -QUARTER, False) in [
        (snap.place, snap.field, snap.value, snap.to, snap.undone) for snap in report.snaps
    ]
    assert "snapped: j2 alpha -1.5708 to -pi/2 rad (by 3.7e-06 rad)" in report.lines()
    assert 1e-7 < report.angle_error < 4e-5
    assert max(errors(table, source, {"l4": "tool"})) < 4e-5


def test_the_report_tells_in_the_table_s_units():
    source = arm((ORIGIN, ORIGIN), ((0.3000001, 0, 0), (-1.5708, 0, 0)))
    _, report = fit_table(source, snap=True, units=Units("deg", "mm"))
    assert [line for line in report.lines() if line.startswith("snapped")] == [
        "snapped: j2 a 300.0001 to 300 mm (by -0.0001 mm)",
        "snapped: j2 alpha rad(-1.5708) to -90 deg (by 0.00021 deg)",
    ]


def test_without_snap_the_report_names_what_would_snap():
    source = arm((ORIGIN, ORIGIN), ((0.3000001, 0, 0), (-1.5708, 0, 0)))
    table, report = fit_table(source)
    assert rows(table)[1][:2] == (0.3000001, -1.5708)
    assert report.snaps == ()
    assert report.lines()[-2:] == [
        "would snap: j2 a 0.3000001 to 0.3 m (by -1e-07 m)",
        "would snap: j2 alpha -1.5708 to -pi/2 rad (by 3.7e-06 rad)",
    ]


def test_joints_are_told_by_their_whole_names():
    source = robot(joint("X", "l0", "l1"), joint("axisX", "l1", "l2", (0.3000001, 0, 0), (1, 0, 0)))
    assert [snap.place for snap in fit_table(source)[1].would_snap] == ["axisX"]


def test_shifts_of_angles_are_told_the_short_way_round():
    table, _ = fit_table(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (-math.pi + 1e-6, 0, 0)), ((0.3, 0, 0), (1, 0, 0))))
    beta_table = replace(
        table, joints=(table.joints[0], _with_alpha(table.joints[1], -math.pi + 1e-6), table.joints[2])
    )
    (snap,) = [one for one in would_snap(beta_table, Tolerances(angle=ANGLE, length=LENGTH)) if one.field == "alpha"]
    assert snap.to == math.pi


def _with_alpha(one: TableJoint, alpha: float) -> TableJoint:
    return replace(one, row=replace(one.row, alpha_prev=alpha, beta_prev=0.0))


def test_what_is_left_is_refitted():
    """Theta and d that are no round numbers make up for the snapped ones."""
    third = ((0.3, 0, 0.1), (0, 0, 0.789)), ((0.1, 0.2, 0), (1.2, 0, 0))
    source = arm(((0, 0, 0.2671234), (0, 0, 0.123)), ((0, 0.000004, 0), (-QUARTER, 0, 0.456)), *third)
    exact, _ = fit_table(source)
    table, report = fit_table(source, snap=True)
    moved = {(snap.place, snap.field) for snap in report.snaps}
    assert ("j2", "a") in moved
    fixed = with_numbers(exact, {**table_numbers(exact), ("j2", "a"): 0.0}, [("j2", "a")])
    tolerances = {"angle_tolerance": ANGLE, "length_tolerance": LENGTH}
    residual = Residual(exact, source, {"l4": "l4"}, **tolerances)
    assert residual.largest(table_numbers(table)) <= residual.largest(table_numbers(fixed))


def test_the_tool_takes_up_what_the_last_row_was_moved_by():
    flange = joint("flange", "l3", "tcp", (0.0123456789, 0, 0.1234567891), (0.3, 0.4, 0.5), kind="fixed")
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (QUARTER, 0, 0)), ((0.2, 0, 0.3000003), ORIGIN), tip=flange)
    table, report = fit_table(source, snap=True)
    assert table.joints[2].row.d == 0.3
    assert table.tool.pose.translation[2] == pytest.approx(0.1234567891 + 3e-7, abs=1e-15)
    assert report.position_error < 1e-15


def test_what_pairs_taken_for_parallel_cost_is_counted_after_a_refit():
    source = arm((ORIGIN, ORIGIN), ((0.3123456789, 0, 0), (0.8, 0, 0.3)), ((0.2, 0.3, 0.1), (1.2, 0.3, 0.4)))
    table, _ = fit_table(source)
    tolerances = Tolerances(angle=ANGLE, length=LENGTH)
    numbers = table_numbers(table)
    off = with_numbers(table, {**numbers, ("j2", "a"): numbers["j2", "a"] + 1e-3}, [("j2", "a")])
    residual = Residual(off, source, {"l3": "l3"}, angle_tolerance=ANGLE, length_tolerance=LENGTH)
    assert residual.largest(table_numbers(off)) > 100
    assert missed_after_refit(off, source, {"l3": "l3"}, tolerances) < 1


ROUND = (
    [0.0, 0.1, 0.25],
    [0.0, QUARTER, -QUARTER, math.pi],
    [0.0, 0.1234, -0.3],
    [0.0, QUARTER, math.pi / 4],
)


def test_perturbed_round_tables_come_back():
    rng = random.Random(4)
    for _ in range(20):
        round_rows = [[rng.choice(choices) for choices in ROUND] for _ in range(5)]
        noisy = [tuple(value + rng.uniform(-1e-6, 1e-6) for value in row) for row in round_rows]
        like, source = _table(round_rows), robot_from_table(_table(noisy), frames="strict").robot
        table, report = fit_table(source, like=like, snap=True)
        assert rows(table) == rows(like)
        assert table.base.pose == IDENTITY
        assert max(report.position_error, report.angle_error) < 5e-5


def _table(numbers) -> Table:
    joints = tuple(
        TableJoint(
            name=f"j{i + 1}",
            link=f"l{i + 1}",
            parent=f"l{i}" if i else "base_link",
            type="revolute",
            row=ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta),
        )
        for i, (a, alpha, d, theta) in enumerate(numbers)
    )
    return Table(name="round", joints=joints)


def test_axes_that_are_parallel_and_touch_within_the_tolerances_count_as_such():
    near = (0.3, 0, 0), (1e-6, 2e-6, 0)
    source = arm((ORIGIN, ORIGIN), near, ((1e-6, 2e-6, 0.2), (1e-6, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, snap=True)
    assert rows(table)[:3] == [(0, 0, 0, 0), (0.3, 0, 0, 0), (0, 0, 0.2, 0)]
    pairs = [(snap.place, snap.field, snap.to) for snap in report.snaps[:3]]
    assert pairs == [("j2", "alpha", 0.0), ("j3", "alpha", 0.0), ("j3", "a", 0.0)]
    assert report.snaps[2].value == pytest.approx(math.hypot(1e-6, 2e-6), rel=1e-3)


def test_where_nothing_is_off_nothing_is_told():
    source = robot(
        joint("j1", "l0", "l1", (0, 0, 0.4)),
        joint("j2", "l1", "l2", (0.3, 0, 0.1)),
        joint("j3", "l2", "l3", (0, 0, 0.2), (math.pi, 0, 0)),
        joint("j4", "l3", "l4", (0.2, 0, 0), kind="prismatic"),
        joint("j5", "l4", "l5", (0, 0, 0.3), (QUARTER, 0, 0)),
        joint("j6", "l5", "l6", (0, 0, 0.1), (0, QUARTER, 0)),
        joint("j7", "l6", "l7", (0.3, 0, 0), (0.3, 0, 0)),
    )
    assert fit_table(source, snap=True)[1].snaps == ()
    assert fit_table(source)[1].would_snap == ()


@pytest.mark.parametrize(("flip", "alpha"), [(0.0, 0.0), (math.pi, math.pi)])
@pytest.mark.parametrize("kind", ["revolute", "prismatic"])
def test_axes_that_are_parallel_within_the_tolerance_are_told_with_their_angle(flip, alpha, kind):
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.3, 0, 0), (flip + 1e-6, 0, 0), kind=kind),
        joint("j3", "l2", "l3", (0.2, 0, 0), (1, 0, 0)),
    )
    _, report = fit_table(source, snap=True)
    assert [(snap.place, snap.field, snap.to) for snap in report.snaps] == [("j2", "alpha", alpha)]
    assert report.snaps[0].value - alpha == pytest.approx(1e-6, rel=1e-6)


def test_a_beta_without_alpha_is_no_pair_taken_for_parallel():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (0, 0.0023, 0)), ((0.2, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, snap=True)
    assert (table.joints[1].row.alpha_prev, table.joints[1].row.beta_prev) == (0.0, pytest.approx(0.0023))
    assert "alpha" not in [snap.field for snap in report.snaps]


def test_touching_axes_that_cross_count_as_intersecting():
    source = arm((ORIGIN, ORIGIN), ((2e-6, 0, 0), (1, 0, 0)), ((0.2, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, snap=True)
    assert table.joints[1].row.a_prev == 0
    assert ("j2", "a", 0.0) in [(snap.place, snap.field, snap.to) for snap in report.snaps]


def test_a_snap_that_costs_too_much_is_taken_back_with_a_line():
    """On a robot of 100 m, 8e-6 rad are 0.8 mm, far beyond ten times 5 um."""
    source = arm(
        (ORIGIN, ORIGIN), ((0.3, 0, 0), (QUARTER + 8e-6, 0, 0)), ((0, -100, 0), ORIGIN), ((0.3, 0, 0), (1, 0, 0))
    )
    table, report = fit_table(source, snap=True)
    (undone,) = [snap for snap in report.snaps if snap.undone]
    assert (undone.place, undone.field) == ("j2", "alpha")
    assert table.joints[1].row.alpha_prev == pytest.approx(QUARTER + 8e-6, abs=1e-9)
    assert [line for line in report.lines() if line.startswith("not")] == [
        f"not snapped: j2 alpha {undone.value!r} to pi/2 rad (by -8e-06 rad), "
        "which would miss the source by more than 10 tolerances"
    ]
    assert max(errors(table, source, {"l4": "l4"})) < 10 * LENGTH


def test_only_the_snap_that_costs_too_much_is_taken_back():
    source = arm(
        ((0, 0, 0.2000001), ORIGIN),
        ((0.3000002, 0, 0), (QUARTER + 8e-6, 0, 0)),
        ((0.1000002, -100, 0), ORIGIN),
        ((0.3000003, 0, 0), (1, 0, 0)),
    )
    _, report = fit_table(source, snap=True)
    assert [(snap.place, snap.field) for snap in report.snaps if snap.undone] == [("j2", "alpha")]
    assert {("j2", "a"), ("j4", "a")} <= {(snap.place, snap.field) for snap in report.snaps if not snap.undone}


def test_axes_taken_for_parallel_at_too_high_a_cost_are_not():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (8e-6, 4e-6, 0)), ((0, 0, 100), (1, 0, 0)), ((0.3, 0.1, 0), (1, 0, 0)))
    table, report = fit_table(source, snap=True)
    undone = {(snap.place, snap.field) for snap in report.snaps if snap.undone}
    assert ("j2", "alpha") in undone
    assert max(errors(table, source, {"l4": "l4"})) < 10 * LENGTH


@pytest.mark.parametrize("flip", [0.0, math.pi])
@pytest.mark.parametrize("worst", ["j2", "j3"])
def test_of_axes_taken_for_parallel_the_worst_are_taken_back_first_and_told_once(worst, flip):
    """On a robot of 40 m, 9e-6 rad are beyond ten times 5 um, 1e-6 rad are not."""
    leaning = {name: ((0.3, 0, 0), (9e-6 if name == worst else flip + 1e-6, 0, 0)) for name in ("j2", "j3")}
    source = arm((ORIGIN, ORIGIN), leaning["j2"], leaning["j3"], ((20, 0, 0), (1, 0, 0)), ((20, 0, 0), (1, 0, 0)))
    table, report = fit_table(source, snap=True)
    other = {"j2": "j3", "j3": "j2"}[worst]
    assert [(snap.place, snap.field, snap.to, snap.undone) for snap in report.snaps] == [
        (other, "alpha", flip, False),
        (worst, "alpha", 0.0, True),
    ]
    alphas = {one.name: one.row.alpha_prev for one in table.joints}
    assert (alphas[other], alphas[worst]) == (flip, pytest.approx(9e-6, abs=1e-6))
    assert max(errors(table, source, {"l5": "l5"})) < 10 * LENGTH


def test_what_would_snap_counts_the_numbers_of_a_given_table():
    like = _table([(0.1, 1, 0.2, 0.3), (0.2345678, -1, 0.3, 0.4)])
    source = robot_from_table(_table([(0.1, 1, 0.2, 0.3), (0.2345681, -1, 0.3, 0.4)])).robot
    _, report = fit_table(source, like=like)
    assert [(snap.place, snap.field, snap.to) for snap in report.would_snap] == [("j2", "a", 0.2345678)]


def _renamed(table: Table, names: dict[str, str]) -> Table:
    return replace(table, joints=tuple(replace(one, name=names[one.name]) for one in table.joints))


def test_numbers_of_a_given_table_count_for_joints_of_the_same_name_or_else_in_order():
    table = _table([(0.1, 1, 0.2, 0.3), (0.2, -1, 0.3, 0.4)])
    assert paired_names(table, _renamed(table, {"j1": "j2", "j2": "j1"})) == {"j1": "j1", "j2": "j2"}
    assert paired_names(table, _renamed(table, {"j1": "b", "j2": "j1"})) == {"b": "j1", "j1": "j2"}
    like = _renamed(_table([(0.1, 1, 0.2, 0.3), (0.2345678, -1, 0.3, 0.4)]), {"j1": "one", "j2": "two"})
    source = robot_from_table(_table([(0.1, 1, 0.2, 0.3), (0.2345681, -1, 0.3, 0.4)])).robot
    table, report = fit_table(source, like=like, snap=True)
    assert table.joints[1].row.a_prev == 0.2345678
    assert [(snap.place, snap.field, snap.to) for snap in report.snaps] == [("j2", "a", 0.2345678)]


def test_a_tool_near_to_the_row_of_a_given_table_becomes_that_row():
    row = ModifiedRow(a_prev=0.1234567, alpha_prev=0.123, d=0.3, theta=0.4)
    like = replace(_table([(0.1, 1, 0.2, 0.3), (0.2, -1, 0.3, 0.4)]), tool=Tool(row=row))
    near = replace(row, a_prev=0.1234577, alpha_prev=0.123001)
    table, _ = fit_table(robot_from_table(replace(like, tool=Tool(row=near))).robot, like=like, snap=True)
    assert table.tool.row == row


def test_zero_tolerances_move_nothing():
    source = arm((ORIGIN, ORIGIN), ((0.3000001, 0, 0), (1e-6, 0, 0)), ((0.2, 0, 0), (-1.5708, 0, 0)))
    table, report = fit_table(source, snap=True, angle_tolerance=0.0, length_tolerance=0.0)
    assert report.snaps == ()
    assert max(errors(table, source, {"l3": "l3"})) < 1e-14


# Base and tool


def turned(*rpy: float) -> Transform:
    return Transform.from_xyz_rpy((0.1000001, 0.2, 0.3), rpy)


def with_ends(base: Transform, tool: Transform) -> Robot:
    table = Table(
        name="ends",
        joints=_table([(0.1, 1, 0.2, 0.3), (0.2, -1, 0.3, 0.4)]).joints,
        base=Base(pose=base),
        tool=Tool(link="tcp", pose=tool),
    )
    return robot_from_table(table).robot


@pytest.mark.parametrize(
    ("rpy", "wanted"),
    [
        ((1.570797, 0.000001, -0.7), (QUARTER, 0, -0.7)),
        ((0.000001, 0.000002, 3.141592), (0, 0, math.pi)),
        ((0.3, QUARTER - 1e-6, 0.3 + 1e-6), (0, QUARTER, 0)),
        ((-0.2, -QUARTER + 1e-6, 0.2 + QUARTER), (QUARTER, -QUARTER, 0)),
    ],
)
def test_the_tool_s_rotation_snaps_as_a_whole(rpy, wanted):
    source = with_ends(IDENTITY, turned(*rpy))
    table, _ = fit_table(source, snap=True)
    assert table.tool.pose.translation[0] == pytest.approx(0.1, abs=1e-12)
    have = np.array(table.tool.pose.rotation)
    want = np.array(Transform.from_xyz_rpy(ORIGIN, wanted).rotation)
    assert np.abs(have - want).max() < (1e-15 if wanted[2] != -0.7 else 1e-6)


def test_a_rotation_near_gimbal_lock_whose_roll_is_no_round_number_stays():
    source = with_ends(IDENTITY, turned(0.3, QUARTER - 1e-6, 0.1))
    _, report = fit_table(source, snap=True)
    assert not [snap for snap in report.snaps if snap.field in ("roll", "pitch", "yaw")]


def test_angles_that_each_are_near_do_not_snap_if_together_they_are_not():
    source = with_ends(IDENTITY, turned(9e-6, 9e-6, 9e-6))
    _, report = fit_table(source, snap=True)
    assert not [snap for snap in report.snaps if snap.field in ("roll", "pitch", "yaw")]


def test_base_and_tool_of_a_given_table_are_taken_over_as_they_are_written():
    like = Table(
        name="ends",
        joints=_table([(0.1, 1, 0.2, 0.3), (0.2, -1, 0.3, 0.4)]).joints,
        base=Base(pose=Transform.from_xyz_rpy((0.1234567, 0, 0.3), (0.123, 0, 0.4))),
        tool=Tool(row=ModifiedRow(a_prev=0.1234567, alpha_prev=0.123, d=0.3, theta=0.4)),
    )
    hair = Transform(rotation_about(unit((1.0, 2.0, 3.0)), 1e-6), (1e-6, 0.0, 0.0))
    moved = replace(like, base=Base(pose=like.base.pose @ hair), tool=replace(like.tool, link="flange"))
    table, _ = fit_table(robot_from_table(moved).robot, like=like, snap=True)
    assert table.base.pose == like.base.pose
    assert table.tool.row == like.tool.row
    assert table.tool.link == "flange"


@pytest.mark.parametrize("seed", range(5))
def test_a_base_and_a_tool_within_the_tolerances_become_the_given_ones_to_the_last_digit(seed):
    rng = random.Random(seed)

    def pose():
        return Transform.from_xyz_rpy(
            [rng.uniform(-1, 1) for _ in range(3)], [rng.uniform(-1.5, 1.5) for _ in range(3)]
        )

    like = replace(
        _table([(0.1, 1, 0.2, 0.3), (0.2, -1, 0.3, 0.4)]), base=Base(pose=pose()), tool=Tool(pose=pose(), link="end")
    )
    hair = Transform(rotation_about(unit((1.0, 2.0, 3.0)), 1e-6), (1e-6, 0.0, 0.0))
    moved = replace(like, base=Base(pose=like.base.pose @ hair), tool=Tool(pose=like.tool.pose @ hair, link="end"))
    table, _ = fit_table(robot_from_table(moved).robot, like=like, snap=True)
    assert (table.base.pose, table.tool) == (like.base.pose, like.tool)


def test_a_base_that_is_too_far_from_the_given_one_snaps_to_round_numbers():
    like = _table([(0.0, 0.0, 0.2, 0.3), (0.2, -1, 0.3, 0.4)])
    moved = replace(like, base=Base(pose=Transform(translation=(0.100001, 0.0, 0.0))))
    table, _ = fit_table(robot_from_table(moved).robot, like=like, snap=True)
    assert table.base.pose.translation == (0.1, 0.0, 0.0)


def test_a_tool_that_snaps_to_nothing_is_left_out_if_it_stands_for_a_moving_link():
    source = robot(
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", (0.1, 0, 0.2), (1, 0, 0)),
        joint("j3", "l2", "l3", (0.1, 0, 0.2), (1, 0, 0), axis=unit((1e-7, 0.0, 1.0))),
    )
    assert fit_table(source)[0].tool is not None
    table, report = fit_table(source, snap=True)
    assert table.tool is None
    assert report.position_error < 1e-6


def test_standard_tables_and_their_tool_rows_are_refitted_too():
    table = Table(
        name="standard",
        joints=tuple(
            TableJoint(
                name=f"j{i}",
                link=f"l{i}",
                parent=f"l{i - 1}" if i > 1 else "base_link",
                type=("revolute", "prismatic")[i == 2],
                row=StandardRow(theta=0.3 + i, d=0.2, a=0.123 * i, alpha=QUARTER + 1e-6),
            )
            for i in (1, 2, 3)
        ),
        tool=Tool(row=StandardRow(theta=0.3, d=0.2, a=0.1, alpha=QUARTER)),
    )
    source = robot_from_table(table).robot
    back, report = fit_table(source, convention="standard", like=table, snap=True)
    assert [one.row for one in back.joints] == [one.row for one in table.joints]
    rounded, report = fit_table(source, convention="standard", snap=True)
    assert abs(rounded.joints[1].row.alpha) == QUARTER
    assert max(report.position_error, report.angle_error) < 10 * ANGLE


def test_trees_are_snapped_by_all_their_tips():
    source = robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "hand_l", (0, 0.2000001, 0), (QUARTER + 1e-6, 0, 0)),
        joint("right", "trunk", "hand_r", (0, -0.2, 0), (QUARTER, 0.123456, 0)),
        joint("grip", "hand_r", "grip_r", (0.1, 0.05, 0.02), (0.3, 0.4, 0), kind="fixed"),
    )
    table, report = fit_table(source, snap=True)
    assert len(report.snaps) >= 2
    assert max(errors(table, source, {"hand_l": "hand_l", "grip_r": "grip_r"})) < 10 * ANGLE
