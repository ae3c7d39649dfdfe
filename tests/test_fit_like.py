"""Fits that follow a given table: free choices, signs, directions, base and tool."""

from __future__ import annotations

import math
import random
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import strategies
from fitted import arm, errors, joint, robot, rows
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units, evaluate
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import IDENTITY, Transform, rotate, transpose
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.writer import write_table

ROBOTS = sorted((Path(__file__).parents[1] / "robots").glob("*.yaml"))
ORIGIN = (0, 0, 0)
QUARTER = math.pi / 2


def modified(*given, kinds="", directions=None, **fields) -> Table:
    """A chain of rows (a, alpha, d, theta[, beta, gamma, b])."""
    joints = []
    for index, (a, alpha, d, theta, *more) in enumerate(given):
        beta, gamma, b = (*more, 0.0, 0.0, 0.0)[:3]
        joints.append(
            TableJoint(
                name=f"j{index + 1}",
                link=f"l{index + 1}",
                parent=f"l{index}" if index else "base_link",
                type="prismatic" if kinds[index : index + 1] == "P" else "revolute",
                row=ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta, beta_prev=beta, gamma=gamma, b=b),
                direction=directions[index] if directions else 1,
            )
        )
    return Table(name="like", joints=tuple(joints), **fields)


def standard(*given, **fields) -> Table:
    """A chain of rows (a, alpha, d, theta[, beta])."""
    joints = tuple(
        TableJoint(
            name=f"j{index + 1}",
            link=f"l{index + 1}",
            parent=f"l{index}" if index else "base_link",
            type="revolute",
            row=StandardRow(theta=theta, d=d, a=a, alpha=alpha, beta=beta[0] if beta else 0.0),
        )
        for index, (a, alpha, d, theta, *beta) in enumerate(given)
    )
    return Table(name="like", joints=joints, **fields)


def essence(table: Table) -> tuple:
    """What has to come back: rows and directions, base and tool."""
    tool = table.tool and (table.tool.row, table.tool.pose)
    return [(one.row, one.direction) for one in table.joints], table.base.pose, tool


def refitted(table: Table, frames="auto", **options) -> Table:
    """The table of the robot of a table, fitted like itself."""
    source = robot_from_table(table, frames=frames).robot
    back, report = fit_table(source, like=table, convention=table.convention, **options)
    assert max(report.position_error, report.angle_error) < 1e-10
    return back


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_every_table_of_the_catalogue_comes_back_to_the_last_digit(path):
    table, _ = read_table(path.read_text(), file=path.name)
    for frames in ("strict", "auto"):
        assert essence(refitted(table, frames, snap=True)) == essence(table)


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_parameters_of_a_given_table_are_written_to_the_last_digit_of_its_own_length_unit(path):
    table, _ = read_table(path.read_text(), file=path.name)
    values = {one.name: one.value for one in table.parameters}
    text = write_table(refitted(table, snap=True, units=Units("deg", table.units.length)))
    joints = yaml.safe_load(text)["joints"]
    for asked, written in zip(table.joints, joints, strict=True):
        for field in asked.cells.keys() & {"a", "d", "b"}:
            expression = asked.cells[field].expression
            quantity = evaluate(expression, values, units=table.units, variables=frozenset({asked.variable}))
            assert written[field] == quantity.value


def test_in_another_length_unit_a_parameter_is_written_as_its_value_in_metres_is():
    table, _ = read_table((ROBOTS[0].parent / "xarm6.yaml").read_text())
    assert "a: 0.2894866145437471," in write_table(refitted(table, snap=True, units=Units("deg", "m")))
    assert "a: 289.48661454374707," in write_table(refitted(table, snap=True, units=Units("deg", "mm")))


MEASURED = """
name: measured
convention: modified
units: {angle: deg, length: mm}
parameters: {upper: 289.48661454374707, slant: 30 + 1/3}
joints:
  - {a: 0, alpha: 0, d: 123.45678901234567, theta: q1}
  - {a: upper, alpha: slant, d: 50 + 1/7, theta: q2}
  - {a: 10, alpha: 90, d: q3 + upper / 311, theta: 12.3, limits: {lower: 0, upper: 90, velocity: 1, effort: 1}}
  - {a: upper / 3 * sin(rad(0.2) + 30), alpha: 90, d: 10, theta: q4 + slant}
"""


def test_only_lengths_that_are_the_table_s_are_written_with_its_last_digit():
    like, _ = read_table(MEASURED)
    back = refitted(like, units=like.units)
    assert all(cell.kind == "length" for joint in back.joints for cell in joint.cells.values())
    text = write_table(back)
    assert {field for joint in back.joints for field in joint.cells} <= {"a", "d"}
    third, sloping = 289.48661454374707 / 311, 289.48661454374707 / 3 * math.sin(0.2 + math.radians(30))
    for value in (123.45678901234567, 289.48661454374707, third, sloping):
        assert repr(value) in text
    assert rows(read_table(text)[0]) == rows(back)


def test_a_length_that_is_another_one_than_the_table_s_is_written_as_it_is():
    like, _ = read_table(MEASURED)
    longer, _ = read_table(MEASURED.replace("289.48661454374707", "291.23"))
    table, report = fit_table(robot_from_table(longer).robot, like=like, units=like.units)
    assert [row[0] for row in rows(table)] == pytest.approx([row[0] for row in rows(longer)])
    assert report.position_error < 1e-14
    assert rows(read_table(write_table(table))[0]) == rows(table)


def test_a_table_whose_first_row_is_fixed_is_followed_from_the_next_one_on():
    like = modified(*SKEWED)
    like = replace(like, joints=(replace(like.joints[0], type="fixed"), *like.joints[1:]))
    assert [one.name for one in refitted(like).joints] == ["j2", "j3"]


@pytest.mark.parametrize("snap", [False, True])
def test_a_tool_row_comes_back_without_the_parameters_that_its_table_was_written_with(snap):
    text = MEASURED + "tool: {a: upper, alpha: slant, d: 0, theta: 0}\n"
    like, _ = read_table(text)
    assert like.tool.cells
    back = refitted(like, units=like.units, snap=snap)
    assert back.tool.row == like.tool.row
    assert read_table(write_table(back))[0].tool.row == back.tool.row


SKEWED = ((0.1, 0.3, 0.2, 0.4), (0.2, -1.0, 0.3, 2.0), (-0.1, 2.0, -0.2, -2.5))


@pytest.mark.parametrize(
    "table",
    [
        modified(*SKEWED),
        modified(*SKEWED, directions=[-1, 1, -1]),
        modified((0, 0, 0.1, 0), (0.3, 0, 0.2, 1.0), (-0.2, math.pi, 0.1, 2.0), (0.1, 1, 0, 0)),
        modified((0, 0, 0.1, 0.3), (0, 0, 0.2, 1.0), (0, math.pi, 0.1, 2.0), (0.1, 1, 0, 0)),
        modified((0.1, 1, 0.2, 3), (0.3, 2, 0.3, -2), (0.1, 1, 0.4, 0.5), (0.2, 1, 0.1, 1), kinds="RPRP"),
        modified((0.1, 1, 0.2, 3), (0.3, 0, 0.3, -2), (0.1, 0, 0.4, 0.5), (0.2, 1, 0.1, 1), kinds="PPRP"),
        modified((0, 0, 0.2, 0), (0.3, 0.001, 0.1, 1.0, 0.002), (0.2, 1, 0.1, 0)),
        modified((0, 0, 0.2, 0), (0.3, 1.2, 0.1, 1.0, 0.002), (0.2, math.pi / 2, 0.1, 0, -0.01)),
        modified((0, 0, 0.2, 0), (0.3, 1.2, 0.1, 1.0, 0.0, 0.5, 0.3), (0.2, 1, 0.1, 0)),
        modified((0, 0, 0.2, 0, 0.1, 0.2, 0.3), (0.3, 1.2, 0.1, 1.0), (0.2, 1, 0.1, 0)),
        modified(*SKEWED, base=Base(pose=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)))),
        modified(*SKEWED, tool=Tool(row=ModifiedRow(a_prev=0.1, alpha_prev=-1.0, d=0.1, theta=0.2))),
        modified(*SKEWED, tool=Tool(link="tcp", pose=Transform.from_xyz_rpy((0.1, 0, 0.3), (0.4, 0, 0.6)))),
        standard(*SKEWED),
        standard(*SKEWED, tool=Tool(row=StandardRow(a=0.1, alpha=-1.0, d=0.1, theta=0.2))),
        standard((0.3, 0.001, 0.2, 0, 0.002), (0.1, 1.2, 0.1, 1.0, 0.003), (0, 0, 0.1, 0.2)),
        standard((0.3, math.pi / 2, 0.2, 0, 0.002), (0.1, 1.2, 0.1, 1.0, 0.003), (0.1, 0, 0.1, 0.2, 0.01)),
    ],
)
@pytest.mark.parametrize("snap", [False, True])
def test_rows_of_every_kind_come_back(table, snap):
    back = refitted(table, snap=snap)
    for ours, theirs in zip(back.joints, table.joints, strict=True):
        assert ours.direction == theirs.direction
        for have, want in zip(values(ours.row), values(theirs.row), strict=True):
            assert have == pytest.approx(want, abs=1e-12)
    assert (back.base, back.tool and back.tool.row) == (table.base, table.tool and table.tool.row)


def values(row) -> list[float]:
    return [getattr(row, name) for name in row.__dataclass_fields__]


def well_conditioned(table: Table) -> bool:
    """Whether every row can be told from its robot: no axes that are nearly parallel without beta."""
    for one in table.joints:
        row = one.row
        alpha, beta = (row.alpha_prev, row.beta_prev) if isinstance(row, ModifiedRow) else (row.alpha, row.beta)
        if 0 < abs(math.sin(alpha)) < 1e-3 or 0 < abs(beta) < 1e-6:
            return False
        tilt = math.hypot(math.sin(alpha), math.sin(beta))
        if beta and (abs(math.cos(alpha)) < 0.02 or 0.0199 < tilt < 0.0201):
            return False
    return True


@settings(max_examples=150)
@given(table=strategies.tables(), frames=st.sampled_from(["strict", "auto"]))
def test_drawn_tables_come_back_and_move_as_before(table, frames):
    assume(table.moving_joints)
    carriers = {one.parent for one in table.joints}
    assume(not any(one.type == "fixed" and one.link in carriers for one in table.joints))
    assume(table.joints[-1].type != "fixed" or len({one.parent for one in table.joints}) < len(table.joints))
    source = robot_from_table(table, frames=frames).robot
    back, report = fit_table(source, like=table, convention=table.convention)
    assume(well_conditioned(table))
    assert max(report.position_error, report.angle_error) < 1e-11
    found = {one.name: one for one in back.joints}
    for one in table.joints:
        assert found[one.name].direction == one.direction or one.type == "fixed"
        for name in one.row.__dataclass_fields__:
            have, want = getattr(found[one.name].row, name), getattr(one.row, name)
            off = have - want if name in ("a", "a_prev", "b", "d") else math.remainder(have - want, 2 * math.pi)
            assert abs(off) < 1e-9, (one.name, name, have, want)


def test_a_table_with_other_joint_names_is_paired_in_order():
    table = modified(*SKEWED)
    source = robot_from_table(table).robot
    renamed = replace(source, joints=tuple(replace(one, name=f"other_{one.name}") for one in source.joints))
    back, _ = fit_table(renamed, like=table)
    assert [one.name for one in back.joints] == ["other_j1", "other_j2", "other_j3"]
    assert rows(back) == [pytest.approx(row) for row in rows(table)]


def test_joints_of_the_same_names_are_paired_by_name():
    source = robot(
        joint("torso", "base", "trunk"),
        joint("left", "trunk", "hand_l", (0, 0.2, 0), (1, 0, 0)),
        joint("right", "trunk", "hand_r", (0, -0.2, 0), (-1, 0, 0)),
    )
    plain, _ = fit_table(source)
    swapped = replace(plain, joints=(plain.joints[0], *reversed(plain.joints[1:])))
    assert rows(fit_table(source, like=swapped)[0]) == rows(plain)


def test_a_reversed_joint_gets_direction_minus_one_and_the_table_s_rows():
    """The given table runs joint 2 the other way round: its numbers stay, q keeps its sign."""
    table = modified((0, 0, 0.3, 0), (0, -math.pi / 2, 0, 0), (0.4, 0, 0.1, 0), (0.1, math.pi / 2, 0.3, 0))
    source = robot_from_table(
        replace(table, joints=(table.joints[0], replace(table.joints[1], direction=-1), *table.joints[2:]))
    ).robot
    back, _ = fit_table(source, like=table)
    assert rows(back) == rows(table)
    assert [one.direction for one in back.joints] == [1, -1, 1, 1]


def test_a_table_without_beta_holds_nearly_parallel_axes_by_four_parameters():
    nominal = modified((0, 0, 0.3, 0), (0, -math.pi / 2, 0, 0), (0.4, 0, 0.1, 0), (0.1, math.pi / 2, 0.3, 0))
    real = modified((0, 0, 0.3, 0), (0, -math.pi / 2, 0, 0), (0.4, 0.001, 0.1, 0, 0.001), (0.1, math.pi / 2, 0.3, 0))
    source = robot_from_table(real).robot
    table, report = fit_table(source, like=nominal)
    assert not any(one.row.beta_prev for one in table.joints)
    assert [pair.rule for pair in report.nearly_parallel] == ["four parameters"]
    assert max(errors(table, source, {"l4": "l4"})) < 1e-15 / 0.001


def test_a_snap_that_is_taken_back_brings_no_beta_that_the_table_does_not_have():
    nominal = modified((0, 0, 0.3, 0), (0, -QUARTER, 0, 0), (0.4, 0, 0.1, 0), (0.1, QUARTER, 0.3, 0))
    leaning = modified((0, 0, 0.3, 0), (0, -QUARTER, 0, 0), (0.4, 8e-6, 0.1, 0, 4e-6), (0.1, QUARTER, 100, 0))
    table, report = fit_table(robot_from_table(leaning).robot, like=nominal, snap=True)
    assert ("j3", "alpha") in [(snap.place, snap.field) for snap in report.snaps if snap.undone]
    assert not any(one.row.beta_prev for one in table.joints)


def test_no_beta_holds_against_a_table_that_has_beta():
    real = modified((0, 0, 0.3, 0), (0.4, 0.001, 0.1, 0, 0.001), (0.1, math.pi / 2, 0.3, 0, 0.2))
    table, _ = fit_table(robot_from_table(real).robot, like=real, beta=False)
    assert not any(one.row.beta_prev for one in table.joints)


def test_a_beta_that_no_x_can_give_is_left_out():
    like = modified((0, 0, 0.3, 0), (0.4, 0.03, 0.1, 0, 1.0), (0.1, 1, 0.3, 0))
    source = arm(((0, 0, 0.3), ORIGIN), ((0.4, 0, 0.1), (0.03, 0, 0)), ((0.1, 0, 0), (1, 0, 0)))
    table, _ = fit_table(source, like=like)
    assert table.joints[1].row.beta_prev == 0
    assert max(errors(table, source, {"l3": "l3"})) < 1e-13


def test_base_follows_the_table_and_takes_up_what_the_first_axis_is_off():
    like = modified(*SKEWED, base=Base(pose=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))))
    moved = replace(like, base=Base(pose=Transform.from_xyz_rpy((0.11, 0.2, 0.3), (0.4, 0.51, 0.6))))
    table, _ = fit_table(robot_from_table(moved).robot, like=like)
    row = table.joints[0].row
    assert (row.a_prev, row.alpha_prev) == (0.1, 0.3)
    assert table.base.pose.translation == pytest.approx((0.11, 0.2, 0.3), abs=0.02)
    assert rows(table)[1:] == [pytest.approx(one) for one in rows(like)[1:]]


def test_the_first_axis_upside_down_is_a_reversed_joint_and_no_base_upside_down():
    like = modified((0, 0, 0.3, 0), (0.1, 1, 0.2, 0), (0.1, 2, 0.3, 0))
    reverse = replace(like, joints=(replace(like.joints[0], direction=-1), *like.joints[1:]))
    table, _ = fit_table(robot_from_table(reverse).robot, like=like)
    assert table.base.pose == IDENTITY
    assert [one.direction for one in table.joints] == [-1, 1, 1]


@pytest.mark.parametrize(("degrees", "direction"), [(0, 1), (119, 1), (121, -1), (180, -1)])
def test_a_lone_axis_is_reversed_if_it_points_away_from_the_table_s_by_more_than_120_degrees(degrees, direction):
    like = modified((0, 0, 0.3, 0))
    leaning = replace(like, base=Base(pose=Transform.from_xyz_rpy(ORIGIN, (math.radians(degrees), 0, 0))))
    table, _ = fit_table(robot_from_table(leaning).robot, like=like)
    assert table.joints[0].direction == direction


def test_an_axis_is_not_reversed_for_an_alpha_that_is_hardly_better():
    like = modified((0, 0, 0.3, 0), (0.1, 0.5, 0.2, 0), (0.2, 0, 0.1, 0))
    real = modified((0, 0, 0.3, 0), (0.1, 0.5, 0.2, 0), (0.2, 1.6, 0.1, 0))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert [one.direction for one in table.joints] == [1, 1, 1]
    assert rows(table) == [pytest.approx(row) for row in rows(real)]


@pytest.mark.parametrize("second", [1, -1])
@pytest.mark.parametrize(("theta", "third"), [(1.4, 1), (1.4 + math.pi, -1)])
def test_half_a_turn_of_theta_decides_where_alpha_nearly_does_not(theta, third, second):
    # 108 degrees are 36 off the table's 72, or with a reversed joint and x the other way round none.
    near, far = math.radians(72), math.radians(108)
    like = modified((0, 0, 0.3, 0.2), (0.1, 1, 0.2, 1.4), (0, near, 0.1, 0), directions=[1, second, 1])
    real = modified((0, 0, 0.3, 0.2), (0.1, 1, 0.2, theta), (0, far, 0.1, 0), directions=[1, second, 1])
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert [one.direction for one in table.joints] == [1, second, third]
    assert rows(table)[2][1] == pytest.approx(far if third == 1 else near)
    assert table.joints[1].row.theta == pytest.approx(1.4)


@pytest.mark.parametrize(("theta", "third"), [(0.4, 1), (0.4 + math.pi, -1)])
def test_on_one_line_x_stays_as_it_comes_when_theta_decides(theta, third):
    near, far = math.radians(72), math.radians(108)
    like = modified((0, 0, 0.3, 0.2), (0, 0, 0.2, 0.4), (0, near, 0.1, 0))
    real = modified((0, 0, 0.3, 0.2), (0, 0, 0.2, theta), (0, far, 0.1, 0))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert [one.direction for one in table.joints] == [1, 1, third]


def test_d_reverses_a_joint_between_right_angles_where_the_axes_fix_it():
    like = modified((0, 0, 0.3, 0.1), (0, QUARTER, 0.2, 0.3), (0, QUARTER, 0.3, 0.2), (0.1, 1, 0.1, 0))
    real = replace(like, joints=tuple(replace(one, direction=-1 if one.name == "j2" else 1) for one in like.joints))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert [one.direction for one in table.joints] == [1, -1, 1, 1]
    assert rows(table) == [pytest.approx(row) for row in rows(like)]


def test_d_that_parallel_axes_leave_free_reverses_none():
    like = modified(
        (0, 0, 0.3, 0.1), (0, QUARTER, 0.2, 0.3), (0.4, 0, -0.1, 0.2), (0, QUARTER, 0.1, 0.3), (0.1, 1, 0.1, 0)
    )
    back = refitted(like)
    assert [one.direction for one in back.joints] == [1, 1, 1, 1, 1]
    assert rows(back) == [pytest.approx(row) for row in rows(like)]


def test_alpha_tells_which_way_another_axis_on_the_base_points():
    like = replace(
        TWO_ARMS,
        joints=(*TWO_ARMS.joints, branch("beside", "base_link", (0.2, 0.5, 0.3, 0.4, 0.5, 0.6))),
    )
    real = replace(like, joints=(*like.joints[:-1], replace(like.joints[-1], direction=-1)))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert rows(table) == [pytest.approx(row) for row in rows(like)]
    assert [one.direction for one in table.joints] == [1, 1, 1, 1, -1]


@pytest.mark.parametrize(("d", "wanted", "real"), [(0.3, 1, -1), (-0.3, 1, -1), (0, -1, -1), (0, 1, 1)])
def test_d_or_the_table_s_direction_tells_where_another_axis_on_the_base_is_square(d, wanted, real):
    beside = branch("beside", "base_link", (0.2, QUARTER, d, 0.4, 0.5, 0.6), direction=wanted)
    behind = branch("behind", "beside_link", (0.2, QUARTER, 0.1, 0.2))
    like = replace(TWO_ARMS, joints=(*TWO_ARMS.joints, beside, behind))
    source = robot_from_table(replace(like, joints=(*TWO_ARMS.joints, replace(beside, direction=real), behind))).robot
    table, _ = fit_table(source, like=like)
    assert [one.direction for one in table.joints] == [1, 1, 1, 1, real, 1]
    assert rows(table) == [pytest.approx(row) for row in rows(like)]


@pytest.mark.parametrize("seed", range(12))
def test_axes_along_that_of_frame_zero_are_followed_however_it_is_turned(seed):
    """Rounding makes the product of two such unit vectors larger than 1."""
    rng = random.Random(seed)
    pose = Transform.from_xyz_rpy(ORIGIN, [rng.uniform(-3, 3) for _ in range(3)])
    along = (
        branch("up", "base_link", (0.2, 0, 0, 0.4, 0.5, 0.6)),
        branch("down", "base_link", (0.3, math.pi, 0, 0, 1, 0)),
    )
    like = replace(TWO_ARMS, base=Base(pose=pose), joints=(*TWO_ARMS.joints, *along))
    assert rows(refitted(like)) == [pytest.approx(row) for row in rows(like)]


def test_theta_reverses_no_other_axis_on_the_base():
    beside = branch("beside", "base_link", (0.2, QUARTER, 0, 0.4, 0.5, 0.6))
    behind = branch("behind", "beside_link", (0, QUARTER, 0.1, 0.2))
    like = replace(TWO_ARMS, joints=(*TWO_ARMS.joints, beside, behind))
    turned = replace(beside, row=replace(beside.row, theta=2.0))
    source = robot_from_table(replace(like, joints=(*TWO_ARMS.joints, turned, behind))).robot
    table, _ = fit_table(source, like=like)
    assert [one.direction for one in table.joints[-2:]] == [1, 1]


def test_a_distance_from_a_prismatic_axis_reverses_no_joint():
    like = modified((0, 0, 0.3, 0), (0.3, QUARTER, 0.1, 0), (-0.2, QUARTER, 0.1, 0), (0.1, 1, 0.2, 0.3), kinds="RPRR")
    back = refitted(like)
    assert rows(back) == [pytest.approx(row) for row in rows(like)]
    assert [one.direction for one in back.joints] == [1, 1, 1, 1]


def test_theta_on_the_first_axis_reverses_no_joint():
    like = modified((0, 0, 0.3, 0.4), (0, math.radians(72), 0.1, 0))
    real = modified((0, 0, 0.3, 0.4 + math.pi), (0, math.radians(108), 0.1, 0))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert [one.direction for one in table.joints] == [1, 1]
    assert rows(table)[1] == pytest.approx(rows(real)[1])


def test_a_first_prismatic_axis_goes_through_the_table_s_frame():
    like = modified((0.1, 1, 0.2, 0.3), (0.1, 2, 0.3, 0), kinds="PR")
    assert rows(refitted(like)) == [pytest.approx(row) for row in rows(like)]


def test_where_a_file_draws_a_first_prismatic_axis_does_not_matter():
    like = modified((0.1, 1, 0.2, 0.3), (0.1, 2, 0.3, 0), kinds="PR")
    source = robot_from_table(like).robot
    first, second = source.joints
    aside = Transform(translation=(0.5, -0.3, 0.0))
    moved = replace(
        source,
        joints=(
            replace(first, origin=first.origin @ aside),
            replace(second, origin=aside.inverse() @ second.origin),
        ),
    )
    table, _ = fit_table(moved, like=like)
    assert table.base.pose == IDENTITY
    assert rows(table) == [pytest.approx(row) for row in rows(like)]


@pytest.mark.parametrize("snap", [False, True])
def test_another_tool_than_the_table_s_is_a_pose(snap):
    like = modified(*SKEWED, tool=Tool(row=ModifiedRow(a_prev=0.1, alpha_prev=-1.0, d=0.1, theta=0.2)))
    longer = replace(like, tool=Tool(row=ModifiedRow(a_prev=0.1, alpha_prev=-1.0, d=0.2, theta=0.2)))
    table, _ = fit_table(robot_from_table(longer).robot, like=like, snap=snap)
    assert rows(table)[:-1] == [pytest.approx(row) for row in rows(like)[:-1]]
    assert table.tool.row is None
    assert table.tool.pose != IDENTITY


def test_the_link_that_a_standard_table_ends_in_needs_no_tool():
    table = standard(*SKEWED)
    back = refitted(table)
    assert back.tool is None


def test_fixed_rows_at_the_end_of_a_table_become_the_tool():
    table = modified(*SKEWED)
    fixed = TableJoint(
        name="f", link="tcp", parent="l3", type="fixed", row=ModifiedRow(a_prev=0.1, alpha_prev=0.2, d=0.3, theta=0.4)
    )
    back = refitted(replace(table, joints=(*table.joints, fixed)))
    assert rows(back) == [pytest.approx(row) for row in rows(table)]
    assert back.tool.link == "tcp"


def test_rows_behind_fixed_ones_are_fitted_without_a_wish():
    table = modified(*SKEWED, (0.2, 0.5, 0.1, 0.3))
    joints = list(table.joints)
    joints[1] = replace(joints[1], type="fixed")
    with_fixed = replace(table, joints=tuple(joints))
    back = refitted(with_fixed)
    assert [one.name for one in back.joints] == ["j1", "j3", "j4"]


def branch(name, parent, numbers, **fields) -> TableJoint:
    """A row (a, alpha, d, theta[, gamma, b[, beta]]) of a tree."""
    names = ("a_prev", "alpha_prev", "d", "theta", "gamma", "b", "beta_prev")
    given = ModifiedRow(**dict(zip(names, numbers, strict=False)))
    return TableJoint(name=name, link=f"{name}_link", parent=parent, row=given, **{"type": "revolute", **fields})


def test_trees_come_back_with_gamma_and_b():
    tree = Table(
        name="tree",
        joints=(
            branch("torso", "base_link", (0, 0, 0.3, 0.1)),
            branch("left", "torso_link", (0.2, 1.0, 0.3, 0.4, 0.0, 0.0)),
            branch("left_hand", "left_link", (0.1, 0.5, 0.1, 0.2, 0.0, 0.0), type="fixed"),
            branch("right", "torso_link", (0.2, -1.0, 0.3, 0.4, 2.0, 0.3), direction=-1),
            branch("right_elbow", "right_link", (0.2, -1.0, 0.3, 0.4, 2.0, 0.3)),
            branch("camera", "base_link", (0.2, -1.0, 0.3, 0.4, 2.0, 0.3), type="fixed"),
        ),
    )
    back = refitted(tree)
    assert [one.name for one in back.joints] == [one.name for one in tree.joints]
    assert rows(back) == [pytest.approx(one) for one in rows(tree)]
    assert [one.direction for one in back.joints] == [one.direction for one in tree.joints]


def test_what_the_axes_leave_free_at_a_branch_comes_back_to_the_last_digit():
    odd = 0.1234567890123456
    tree = Table(
        name="tree",
        base=Base(pose=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))),
        joints=(
            branch("torso", "base_link", (0, 0, 0.3, odd)),
            branch("main", "torso_link", (odd, 1 + odd, 2 * odd, 3 * odd)),
            branch("parallel", "torso_link", (-0.2, 0, 0.3, 0.4, 2 + odd, 3 * odd)),
            branch("same_line", "torso_link", (0, math.pi, 0.3, 0.4, 2.5, 0.2), direction=-1),
            branch("leaning", "torso_link", (odd, 0.001, 0.3, 0.4, 2.2, 0.1, odd / 100)),
            branch("slide", "torso_link", (0.1, 1.2, 0.1, 0.5, 0.7, -0.2), type="prismatic"),
            branch("slide_along", "torso_link", (0.1, math.pi, 0.1, 0.5, -2.7, -0.2), type="prismatic"),
            branch("beside", "base_link", (0.2, 2.5, 0.3, 0.4, 0.5, 0.6), direction=-1),
            branch("beside_slide", "base_link", (0.2, 0.5, 0.3, 0.4, -2.5, 0.6), type="prismatic"),
            branch("beside_back", "base_link", (0.2, -2.5, 0.3, 0.4, -0.5, 0.6)),
            branch("beside_round", "base_link", (0.2, 4.0, 0.3, 0.4, 2.6, 0.1), direction=-1),
            branch("beside_down", "base_link", (0.2, math.pi, 0.3, 0.4, 1.5, 0.6)),
            branch("end", "main_link", (0.2, -1.0, 0.3, 0.4, 2.0, 0.3)),
            branch("end_slide", "main_link", (0.2, 0.6, 0.3, 0.4, 2.2, 0.4), type="prismatic"),
            branch("camera", "beside_link", (odd, 1.0, odd, 2 + odd, 3 * odd, 0.6), type="fixed"),
            branch("lamp", "beside_link", (-0.2, 0, odd, 2 + odd, 2.4, 4 * odd), type="fixed"),
            branch("plug", "beside_link", (0, math.pi, 0.3, 0.4, -2.4, 0.6), type="fixed"),
            *(
                branch(f"skew{i}", "main_link", (odd / i, i + odd, odd * i, odd / 3 + i, i / odd, odd / i + i))
                for i in range(1, 5)
            ),
            *(
                branch(
                    f"fixed{i}", "slide_link", (odd / i, i + odd, odd * i, odd + i / 3, i + odd, odd / i), type="fixed"
                )
                for i in range(1, 4)
            ),
        ),
    )
    back = refitted(tree)
    assert [one.name for one in back.joints] == [one.name for one in tree.joints]
    assert rows(back) == rows(tree)
    assert [one.direction for one in back.joints] == [one.direction for one in tree.joints]
    assert back.base.pose == tree.base.pose


def test_numbers_that_skew_axes_fix_come_back_to_the_last_digit():
    odd = 0.1234567890123456
    like = modified(*((odd / i + 0.01, odd + i, odd * i - 0.3, odd * i * i) for i in range(1, 8)))
    assert rows(refitted(like)) == rows(like)


TWO_ARMS = Table(
    name="tree",
    joints=(
        branch("torso", "base_link", (0, 0, 0.3, 0.1)),
        branch("left", "torso_link", (0.2, 1.0, 0.3, 0.4)),
        branch("left_hand", "left_link", (0.1, 0.5, 0.1, 0.2), type="fixed"),
        branch("right", "torso_link", (0.2, -1.0, 0.3, 0.4, 2.0, 0.3)),
    ),
)


def with_frame_moved(source: Robot, link: str, shift: Transform) -> Robot:
    """The robot with the frame of a link put elsewhere in it."""
    joints = tuple(
        replace(one, origin=one.origin @ shift, axis=rotate(transpose(shift.rotation), one.axis))
        if one.child == link
        else replace(one, origin=shift.inverse() @ one.origin)
        if one.parent == link
        else one
        for one in source.joints
    )
    return replace(source, joints=joints)


def test_a_fixed_row_at_the_end_of_a_branch_places_the_frame_before():
    source = robot_from_table(TWO_ARMS).robot
    moved = with_frame_moved(source, "left_link", Transform.from_xyz_rpy((0, 0, 0.2), (0, 0, 0.7)))
    table, _ = fit_table(moved, like=TWO_ARMS)
    assert rows(table) == [pytest.approx(row) for row in rows(TWO_ARMS)]


def test_a_frame_whose_x_follows_no_branch_stands_where_the_table_has_it():
    tree = replace(
        TWO_ARMS,
        joints=(
            *TWO_ARMS.joints,
            branch("finger", "right_link", (0.1, 1.0, 0.1, 0.2, 0.5, 0.1)),
            branch("thumb", "right_link", (0.1, -1.0, 0.1, 0.2, -0.5, 0.2), type="prismatic"),
        ),
    )
    source = robot_from_table(tree).robot
    moved = with_frame_moved(source, "right_link", Transform.from_xyz_rpy((0, 0, 0.2), (0, 0, 0.7)))
    table, _ = fit_table(moved, like=tree)
    assert rows(table) == [pytest.approx(row) for row in rows(tree)]


def test_a_fixed_row_for_the_frame_of_a_moving_leaf_has_no_wishes_of_the_leaf_s_own_row():
    source = robot_from_table(TWO_ARMS).robot
    table, _ = fit_table(
        with_frame_moved(source, "right_link", Transform.from_xyz_rpy(ORIGIN, (0.5, 0, 0))), like=TWO_ARMS
    )
    assert rows(table)[:-1] == [pytest.approx(row) for row in rows(TWO_ARMS)]
    assert rows(table)[-1] == pytest.approx((0, 0.5, 0, 0))


def test_nearly_parallel_axes_of_a_given_table_keep_their_side():
    for negative in (-1, 1):
        like = modified((0, 0, 0.2, 0.5), (negative * 0.3, 0.001, 0.1, 1.0, 0.002), (0.2, 1, 0.1, 0))
        assert rows(refitted(like)) == [pytest.approx(row) for row in rows(like)]
    meeting = modified((0, 0, 0.2, 2.5), (0, 0.001, 0.1, 1.0, 0.002), (0.2, 1, 0.1, 0))
    assert rows(refitted(meeting)) == [pytest.approx(row) for row in rows(meeting)]


def test_where_a_table_has_no_distance_theta_tells_the_side():
    like = modified((0, 0, 0.3, 2.0), (0, 0, 0.2, 0.5), (0.1, 1, 0.1, 0))
    real = modified((0, 0, 0.3, 1.9), (0.001, 0, 0.2, 0.5), (0.1, 1, 0.1, 0))
    table, _ = fit_table(robot_from_table(real).robot, like=like)
    assert rows(table) == [pytest.approx(row) for row in rows(real)]


def test_a_table_of_the_other_convention_is_refused():
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(robot_from_table(standard(*SKEWED)).robot, like=standard(*SKEWED))
    assert str(error.value) == (
        "the table given by --like is standard, the fit is modified: give --convention standard or another table"
    )


def test_a_table_with_another_number_of_joints_is_refused():
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(robot_from_table(modified(*SKEWED)).robot, like=modified(*SKEWED[:2]))
    assert str(error.value) == ("the table given by --like has 2 moving joints (j1, j2), the robot 3 (j1, j2, j3)")
