"""How far a table with other numbers is from a robot, its slopes by these numbers, and least squares."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import oracles
from fitted import joint, robot
from mdh2urdf.convert import robot_from_table
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.fit.refit import Residual, _difference, _path, _poses, _slopes
from mdh2urdf.fit.verify import random_values
from mdh2urdf.se3 import Transform
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool
from mdh2urdf.table_numbers import BASE, TOOL, table_numbers

QUARTER = math.pi / 2
POSE = Transform.from_xyz_rpy((0.1, -0.2, 0.3), (0.4, 0.5, -0.6))


def modified_row(rng: random.Random) -> ModifiedRow:
    fields = ("a_prev", "alpha_prev", "d", "theta", "beta_prev", "gamma", "b")
    return ModifiedRow(**{field: rng.uniform(-1, 1) for field in fields})


def standard_row(rng: random.Random) -> StandardRow:
    return StandardRow(**{field: rng.uniform(-1, 1) for field in ("a", "alpha", "d", "theta", "beta")})


def table_of(row, **fields) -> Table:
    """Two moving joints, one of them reversed, a fixed one and a third that slides."""
    rng = random.Random(5)
    kinds = ("revolute", "revolute", "fixed", "prismatic")
    joints = tuple(
        TableJoint(
            name=f"j{i + 1}",
            link=f"l{i + 1}",
            parent=f"l{i}" if i else "base_link",
            type=kind,
            row=row(rng),
            direction=-1 if i in (1, 3) else 1,
        )
        for i, kind in enumerate(kinds)
    )
    return Table(name="refit", joints=joints, base=Base(pose=POSE), **fields)


TABLES = {
    "modified": table_of(modified_row, tool=Tool(pose=POSE)),
    "modified without a tool": table_of(modified_row),
    "standard": table_of(standard_row, tool=Tool(row=standard_row(random.Random(6)))),
}


def own_values(table: Table, q: np.ndarray) -> dict[str, np.ndarray]:
    return {joint.name: values for joint, values in zip(table.moving_joints, q.T, strict=True)}


def test_values_to_compare_at_are_nought_and_random_ones_within_reach_the_same_each_time():
    table = TABLES["modified"]
    values = random_values(table, 200)
    assert values == random_values(table, 200)
    assert values[0] == (0.0, 0.0, 0.0)
    largest = np.abs(np.array(values)).max(axis=0)
    assert (largest <= (math.pi, math.pi, 0.5)).all()
    assert (largest > (0.9 * math.pi, 0.9 * math.pi, 0.45)).all()


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_poses_of_the_factors_are_those_of_the_rows(table):
    q = np.random.default_rng(1).uniform(-2, 2, (5, len(table.moving_joints)))
    ends = [(joint.link, joint.link) for joint in table.joints]
    ends += [("tool", table.tool.link)] if table.tool else []
    for name, link in ends:
        found = _poses(_path(table, link, own_values(table, q)), table_numbers(table), len(q))
        want = np.array([oracles.table_poses(table, values)[name] for values in q])
        np.testing.assert_allclose(found, want, atol=1e-14)


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_slopes_are_the_differences_that_small_moves_make(table):
    q = np.random.default_rng(2).uniform(-2, 2, (3, len(table.moving_joints)))
    path = _path(table, table.tool.link if table.tool else "l4", own_values(table, q))
    numbers = table_numbers(table)
    place = {key: index for index, key in enumerate(numbers)}
    wanted = _poses(path, numbers, len(q))
    slopes = _slopes(path, numbers, place, len(q))
    for key, index in place.items():
        step = 1e-6
        ahead, behind = (_poses(path, {**numbers, key: numbers[key] + way * step}, len(q)) for way in (1, -1))
        measured = (_difference(ahead, wanted) - _difference(behind, wanted)) / (2 * step)
        np.testing.assert_allclose(slopes[:, :, index], measured, atol=1e-9, err_msg=str(key))


def test_a_difference_is_the_shift_and_the_small_turn_in_the_axes_of_the_root():
    wanted = np.array([np.array(POSE.matrix())])
    turn = oracles.turn_about((1.0, 2.0, 2.0), 3e-6)
    pose = wanted.copy()
    pose[0, :3, :3] = turn[:3, :3] @ wanted[0, :3, :3]
    pose[0, :3, 3] += (1e-3, -2e-3, 3e-3)
    (found,) = _difference(pose, wanted)
    assert found == pytest.approx([1e-3, -2e-3, 3e-3, 1e-6, 2e-6, 2e-6], rel=1e-9)


def sliding() -> Table:
    """One joint that slides along z, with its tool 1 m aside."""
    row = ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.0, theta=0.0)
    return Table(
        name="sliding",
        joints=(TableJoint(name="j1", link="l1", parent="base_link", type="prismatic", row=row),),
        tool=Tool(pose=Transform(translation=(1.0, 0.0, 0.0))),
    )


def residual_of(table: Table, *, angle: float, length: float) -> Residual:
    tool = table.tool.link
    return Residual(table, robot_from_table(table).robot, {tool: tool}, angle_tolerance=angle, length_tolerance=length)


def test_the_largest_difference_is_a_distance_or_an_angle_counted_in_tolerances():
    table = sliding()
    residual = residual_of(table, angle=1e-3, length=1e-2)
    numbers = table_numbers(table)
    assert residual.largest(numbers) == pytest.approx(0, abs=1e-9)
    aside = {**numbers, (BASE, "x"): 0.03, (BASE, "y"): 0.04}
    assert residual.largest(aside) == pytest.approx(5)
    turned = {**numbers, (TOOL, "roll"): 0.002}
    assert residual.largest(turned) == pytest.approx(2, rel=1e-5)
    assert residual.largest({**turned, (TOOL, "z"): 0.01}) == pytest.approx(2, rel=1e-5)


def test_of_several_tips_the_largest_difference_counts():
    source = robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "hand_l", (0, 0.2, 0), (QUARTER, 0, 0)),
        joint("right", "trunk", "hand_r", (0, -0.2, 0), (QUARTER, 0.3, 0)),
    )
    table, _ = fit_table(source)
    tips = {"hand_l": "hand_l", "hand_r": "hand_r"}
    residual = Residual(table, source, tips, angle_tolerance=1e-3, length_tolerance=1e-2)
    numbers = table_numbers(table)
    for name in ("left", "right"):
        assert residual.largest({**numbers, (name, "d"): numbers[name, "d"] + 0.03}) == pytest.approx(3)


def test_squares_are_weighed_by_the_tolerances():
    """A shift e of a tool, L aside, is undone by a turn of e L / (L² + t²); t: tolerances, length over angle."""
    table = sliding()
    residual = residual_of(table, angle=1e-2, length=1e-3)
    start = {**table_numbers(table), (BASE, "y"): 1e-4}
    found = residual.refitted(start, [(BASE, "yaw")])
    assert found[BASE, "yaw"] == pytest.approx(-1e-4 / (1 + 0.1**2), rel=1e-6)
    assert {key: value for key, value in found.items() if key != (BASE, "yaw")} == {
        key: value for key, value in start.items() if key != (BASE, "yaw")
    }


def test_numbers_of_a_table_are_found_again_to_the_last_few_digits():
    table = TABLES["modified"]
    residual = Residual(
        table, robot_from_table(table).robot, {"tool0": "tool0"}, angle_tolerance=1e-5, length_tolerance=5e-6
    )
    numbers = table_numbers(table)
    free = [("j1", "theta"), ("j2", "a"), ("j2", "alpha"), ("j4", "theta"), (TOOL, "x")]
    moved = {key: value + (1e-4 if key in free else 0.0) for key, value in numbers.items()}
    found = residual.refitted(moved, free)
    assert [found[key] for key in free] == pytest.approx([numbers[key] for key in free], abs=1e-13)
    assert residual.refitted(moved, []) == moved
