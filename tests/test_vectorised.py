import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.origins import modified_origin, standard_origin, tail
from mdh2urdf.robot import Limits, Mimic
from mdh2urdf.se3 import Transform, rpy_from_rotation
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool
from mdh2urdf.vectorised import BLOCK, modified_origins, standard_origins, standard_row_origins, tool_poses
from strategies import angles, lengths

ROTATION_ERROR = 1e-15 if np.lib.NumpyVersion(np.__version__) >= "2.0.0" else 2e-15
"""Frobenius; the bar of the xacro macro, of which these are the formulas. The arctan2 of numpy 1.26 is off by up to
1.9 steps of a double (numpy 2.4: 0.7), which are 8e-16 rad at 180 degrees."""

QUARTERS = [k * math.pi / 2 for k in range(-4, 5)]
NEAR = [10.0**-k for k in range(3, 17)]
GRID = np.radians(np.arange(-180, 181, 15.0))

rows_of_table = st.lists(st.tuples(lengths, angles, lengths, angles), min_size=1, max_size=8).map(np.array)


def singular_angles():
    """Every pair of a quarter turn and a neighbour of one, where the pitch is at or near ±90 degrees."""
    near = [quarter + sign * step for quarter in (math.pi / 2, -math.pi / 2) for step in NEAR for sign in (1, -1)]
    return [(x, y) for x in [math.pi / 2, -math.pi / 2] for y in near] + [(x, x) for x in near]


def worst_error(function, factors, pairs):
    rows = np.array([(0.3, alpha, 0.7, theta) for alpha, theta in pairs])
    xyz, rpy = function(rows)
    errors = [
        oracles.exact_error(oracles.exact(*factors(*row)), *written)
        for *written, row in zip(xyz, rpy, rows, strict=True)
    ]
    return np.max(errors, axis=0)


def modified_factors(a, alpha, d, theta):
    return ("rx", alpha), ("tx", a), ("rz", theta), ("tz", d)


def standard_factors(a, alpha, d, theta):
    return ("rz", theta), ("tz", d), ("tx", a), ("rx", alpha)


@pytest.mark.parametrize(
    ("function", "factors"), [(modified_origins, modified_factors), (standard_row_origins, standard_factors)]
)
@pytest.mark.parametrize(
    "pairs", [[(x, y) for x in GRID for y in GRID], singular_angles(), [(x, y) for x in QUARTERS for y in QUARTERS]]
)
def test_rows_are_exact_on_a_grid_and_at_and_near_gimbal_lock(function, factors, pairs):
    turn, shift = worst_error(function, factors, pairs)
    assert turn <= ROTATION_ERROR
    assert shift <= 5e-16  # two rounding errors of a product of 0.7


def test_quarter_turns_give_clean_numbers_and_lock_has_no_yaw():
    rows = np.array([(0.3, alpha, 0.7, theta) for alpha in QUARTERS for theta in QUARTERS])
    for function in (modified_origins, standard_origins, standard_row_origins):
        xyz, rpy = function(rows)
        assert set(np.abs(rpy).ravel()) <= {0.0, math.pi / 2, math.pi}
        assert set(np.abs(xyz).ravel()) <= {0.0, 0.3, 0.7}
        for numbers in (xyz, rpy):
            assert not np.signbit(numbers[numbers == 0.0]).any()
    _, rpy = modified_origins(rows)
    assert np.all(rpy[np.abs(rpy[:, 1]) == math.pi / 2, 2] == 0.0)


@given(rows_of_table)
def test_modified_origins_are_those_of_single_rows(rows):
    for row, xyz, rpy in zip(rows.tolist(), *modified_origins(rows), strict=True):
        a, alpha, d, theta = row
        assert_same(modified_origin(ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta)), xyz, rpy)


@given(rows_of_table)
def test_standard_origins_take_a_and_alpha_of_the_row_before(rows):
    previous = None
    for row, xyz, rpy in zip(rows.tolist(), *standard_origins(rows), strict=True):
        a, alpha, d, theta = row
        own = StandardRow(a=a, alpha=alpha, d=d, theta=theta)
        assert_same(standard_origin(previous, own), xyz, rpy)
        previous = own
    a, alpha = rows[-1, :2]
    assert_same(tail(previous), (a, 0.0, 0.0), (alpha, 0.0, 0.0))


def assert_same(origin: Transform, xyz, rpy):
    written = Transform.from_xyz_rpy(tuple(xyz), tuple(rpy))
    assert oracles.rotation_error(written.matrix(), origin.matrix()) <= ROTATION_ERROR
    assert xyz == pytest.approx(origin.translation, abs=5e-16)
    single = rpy_from_rotation(origin.rotation)
    # the same one of the two triples
    assert math.cos(rpy[1] - single[1]) > 0.999 or abs(single[1]) > 1.57


@given(rows_of_table)
def test_the_pitch_is_never_beyond_a_right_angle(rows):
    for function in (modified_origins, standard_origins, standard_row_origins):
        assert np.abs(function(rows)[1][:, 1]).max() <= math.pi / 2


def test_blocks_join_without_a_seam():
    rows = np.random.default_rng(0).uniform(-3, 3, (2 * BLOCK + 5, 4))
    a, alpha = rows[:-1, 0], rows[:-1, 1]
    shifted = np.column_stack([np.append(0.0, a), np.append(0.0, alpha), rows[:, 2:]])
    for one, other in zip(standard_origins(rows), modified_origins(shifted), strict=True):
        assert np.array_equal(one, other)
    for function in (modified_origins, standard_row_origins):
        xyz, rpy = function(rows)
        assert xyz.shape == rpy.shape == (2 * BLOCK + 5, 3)
        for start in (BLOCK - 3, 2 * BLOCK - 3):
            part = slice(start, start + 8)
            again = function(rows[part])
            np.testing.assert_allclose(xyz[part], again[0], rtol=0, atol=1e-15)
            np.testing.assert_allclose(rpy[part], again[1], rtol=0, atol=1e-15)


@pytest.mark.parametrize("count", [1, 5])
@pytest.mark.parametrize("order", ["C", "F"])
def test_the_given_rows_stay_as_they_are(count, order):
    rows = np.array(np.random.default_rng(1).uniform(-3, 3, (count, 4)), order=order)
    before = rows.copy()
    for function in (modified_origins, standard_origins, standard_row_origins):
        function(rows)
        assert np.array_equal(rows, before)


def test_no_rows_give_no_origins():
    for function in (modified_origins, standard_origins, standard_row_origins):
        xyz, rpy = function(np.empty((0, 4)))
        assert xyz.shape == rpy.shape == (0, 3)


@pytest.mark.parametrize("function", [modified_origins, standard_origins, standard_row_origins])
def test_a_number_that_is_not_finite_is_told_with_its_row_in_any_block(function):
    rows = np.zeros((2 * BLOCK, 4))
    rows[BLOCK + 3, 2] = math.nan
    with pytest.raises(Mdh2UrdfError, match=rf"^rows\[{BLOCK + 3}\] has a number that is not finite$"):
        function(rows)


@pytest.mark.parametrize("function", [modified_origins, standard_origins, standard_row_origins])
def test_wrong_shapes_and_numbers_that_are_not_finite_are_told(function):
    with pytest.raises(Mdh2UrdfError, match=r"^rows wants the shape \(N, 4\), got \(4,\)$"):
        function([0, 0, 0, 0])
    with pytest.raises(Mdh2UrdfError, match=r"^rows wants the shape \(N, 4\), got \(1, 3\)$"):
        function([[0, 0, 0]])
    with pytest.raises(Mdh2UrdfError, match=r"^rows\[1\] has a number that is not finite$"):
        function([[0, 0, 0, 0], [0, math.inf, 0, 0], [math.nan, 0, 0, 0]])


def arm(rows, **extras):
    kinds = ["revolute", "prismatic", "continuous", "fixed", "revolute"]
    joints = [
        TableJoint(
            name=f"joint{i}",
            link=f"link{i}",
            parent="base_link" if i == 0 else f"link{i - 1}",
            type=kind,
            limits=Limits(),
            row=row,
            direction=-1 if i == 2 else 1,
            mimic=Mimic(joint="joint0", multiplier=-2.0, offset=0.25) if i == 4 else None,
        )
        for i, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    ]
    return Table(name="arm", joints=tuple(joints), **extras)


@pytest.mark.parametrize("row_type", [ModifiedRow, StandardRow])
def test_tool_poses_follow_the_rows_for_every_joint_value(row_type):
    rng = np.random.default_rng(2)
    if row_type is ModifiedRow:
        rows = [ModifiedRow(a_prev=a, alpha_prev=b, d=c, theta=d) for a, b, c, d in rng.uniform(-2, 2, (6, 4))]
    else:
        rows = [StandardRow(a=a, alpha=b, d=c, theta=d) for a, b, c, d in rng.uniform(-2, 2, (6, 4))]
    base = Base(pose=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)))
    table = arm(rows[:5], base=base, tool=Tool(row=rows[5]))
    q = rng.uniform(-2, 2, (BLOCK + 3, 4))
    poses = tool_poses(table, q)
    assert poses.shape == (BLOCK + 3, 4, 4)
    for i in (0, 1, BLOCK - 1, BLOCK, BLOCK + 2):
        wanted = oracles.table_poses(table, [*q[i, :3], -2.0 * q[i, 0] + 0.25])["tool"]
        np.testing.assert_allclose(poses[i], wanted, rtol=0, atol=5e-15)


def test_tool_poses_of_an_arm_without_tool_and_joint_values_are_frames():
    row = ModifiedRow(a_prev=0.1, alpha_prev=0.0, d=0.2, theta=0.0)
    joint = TableJoint(name="j", link="l", parent="base_link", type="fixed", row=row)
    table = Table(name="t", joints=(joint,))
    assert np.array_equal(tool_poses(table, np.empty((2, 0)))[1], oracles.shift(0.1, 0, 0.2))


def test_joint_values_of_another_number_of_joints_are_told():
    row = ModifiedRow(a_prev=0.1, alpha_prev=0.0, d=0.2, theta=0.0)
    table = arm([row] * 5)
    with pytest.raises(Mdh2UrdfError, match=r"^q wants the shape \(N, 4\), got \(2, 5\)$"):
        tool_poses(table, np.zeros((2, 5)))
    with pytest.raises(Mdh2UrdfError, match=r"^q\[1\] has a number that is not finite$"):
        tool_poses(table, [[0, 0, 0, 0], [0, math.inf, 0, 0]])


def test_the_example_of_the_readme_runs(monkeypatch):
    root = Path(__file__).parents[1]
    monkeypatch.chdir(root)
    (block,) = re.findall(r"```python\n(.*?)```", (root / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    found = {}
    exec(block, found)
    assert found["poses"].shape == (100_000, 4, 4)
    assert found["rpy"].shape == (1, 3)
