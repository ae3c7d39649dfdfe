"""The catalogue: every table reads, names its source, and reaches the poses that others publish."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import xacro

import oracles
import robots_index
from mdh2urdf.convert import check_expected_poses
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.table import Table

PATHS = robots_index.paths()
EXACT = 1e-12
"""m and rad: rounding of a chain of a few metres."""


@pytest.fixture(params=PATHS, ids=lambda path: path.stem)
def table(request) -> Table:
    return robots_index.load(request.param)


def random_q(table: Table, generator: np.random.Generator) -> list[float]:
    return [
        generator.uniform(-0.5, 0.5) if joint.type == "prismatic" else generator.uniform(-math.pi, math.pi)
        for joint in table.moving_joints
    ]


def by_name(table: Table, q: list[float]) -> dict[str, float]:
    return {joint.name: value for joint, value in zip(table.moving_joints, q, strict=True)}


def tool_pose(text: str, table: Table, q: list[float]) -> np.ndarray:
    """Pose of the tool link (else the last link) in the root, read from a URDF's text."""
    poses = oracles.urdf_fk(text, by_name(table, q))
    return poses["tool0" if "tool0" in poses else table.joints[-1].link]


def test_there_are_at_least_forty_robots():
    assert len(PATHS) >= 40


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_table_has_the_name_of_its_file(path: Path):
    assert robots_index.load(path).name == path.stem


def test_a_table_names_source_vendor_and_what_it_was_checked_against(table: Table):
    assert len(table.source) > 40
    assert table.extras["x-vendor"]
    checked = table.extras["x-checked-against"]
    assert len(checked["document"]) > 20
    assert checked["residual"].keys() == {"metres", "radians"}


def test_a_table_has_at_least_two_published_poses_one_of_them_off_zero(table: Table):
    assert len(table.expect) >= 2
    assert any(any(pose.q) for pose in table.expect)


def test_published_tolerances_are_not_wider_than_the_residual_needs(table: Table):
    residual = table.extras["x-checked-against"]["residual"]
    for pose in table.expect:
        assert pose.length_tolerance <= max(10 * residual["metres"], 1e-9)
        assert pose.angle_tolerance <= max(20 * residual["radians"], 2e-9)


def test_published_poses_hold_straight_from_the_rows(table: Table):
    check_expected_poses(table)


def test_published_poses_hold_for_the_factors_of_the_rows(table: Table):
    for pose in table.expect:
        reached = oracles.table_poses(table, pose.q)["tool"]
        assert np.linalg.norm(reached[:3, 3] - pose.xyz) <= pose.length_tolerance
        assert oracles.rotation_error(reached, oracles.rpy_matrix(*pose.rpy)) <= pose.angle_tolerance


def test_published_poses_hold_through_the_written_urdf(table: Table):
    text = emit(table, ConvertOptions()).text
    for pose in table.expect:
        reached = tool_pose(text, table, list(pose.q))
        assert np.linalg.norm(reached[:3, 3] - pose.xyz) <= pose.length_tolerance
        assert oracles.rotation_error(reached, oracles.rpy_matrix(*pose.rpy)) <= pose.angle_tolerance


@pytest.mark.parametrize("frames", ["auto", "strict"])
def test_the_written_urdf_equals_the_rows_at_random_joint_values(table: Table, frames):
    text = emit(table, ConvertOptions(frames=frames)).text
    generator = np.random.default_rng(560)
    for _ in range(5):
        q = random_q(table, generator)
        reached, expected = tool_pose(text, table, q), oracles.table_poses(table, q)["tool"]
        assert oracles.position_error(reached, expected) < EXACT
        assert oracles.rotation_error(reached, expected) < EXACT


def test_the_written_xacro_expanded_equals_the_rows(table: Table, tmp_path: Path):
    text = emit(table, ConvertOptions(format="xacro", inline_macro=True)).text
    (tmp_path / "arm.xacro").write_text(text, encoding="utf-8")
    cell = (
        '<robot name="cell" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="arm.xacro"/>'
        f'<xacro:{table.name} parent=""><origin/></xacro:{table.name}></robot>'
    )
    (tmp_path / "cell.xacro").write_text(cell, encoding="utf-8")
    expanded = xacro.process_file(str(tmp_path / "cell.xacro")).toxml()
    q = random_q(table, np.random.default_rng(2005))
    reached, expected = tool_pose(expanded, table, q), oracles.table_poses(table, q)["tool"]
    assert oracles.position_error(reached, expected) < EXACT
    assert oracles.rotation_error(reached, expected) < EXACT


def test_a_limit_is_complete_and_has_no_zeros_that_stand_for_unknown(table: Table):
    for joint in table.joints:
        limits = joint.limits
        given = (limits.velocity, limits.effort)
        assert given == (None, None) or all(value > 0 for value in given)
        assert (limits.lower is None) == (limits.upper is None)
        assert limits.lower is None or limits.lower < limits.upper


def craig_wrist(q: list[float], a2: float, a3: float, d3: float, d4: float) -> np.ndarray:
    """Pose of the PUMA's wrist as Craig multiplies it out, eq. (3.14)."""
    c1, c2, _, c4, c5, c6 = map(math.cos, q)
    s1, s2, _, s4, s5, s6 = map(math.sin, q)
    c23, s23 = math.cos(q[1] + q[2]), math.sin(q[1] + q[2])
    reach = a2 * c2 + a3 * c23 - d4 * s23
    near = c23 * (c4 * c5 * c6 - s4 * s6) - s23 * s5 * c6
    far = c23 * (-c4 * c5 * s6 - s4 * c6) + s23 * s5 * s6
    ahead = c23 * c4 * s5 + s23 * c5
    return np.array(
        [
            [
                c1 * near + s1 * (s4 * c5 * c6 + c4 * s6),
                c1 * far + s1 * (c4 * c6 - s4 * c5 * s6),
                -c1 * ahead - s1 * s4 * s5,
                c1 * reach - d3 * s1,
            ],
            [
                s1 * near - c1 * (s4 * c5 * c6 + c4 * s6),
                s1 * far - c1 * (c4 * c6 - s4 * c5 * s6),
                -s1 * ahead + c1 * s4 * s5,
                s1 * reach + d3 * c1,
            ],
            [
                -s23 * (c4 * c5 * c6 - s4 * s6) - c23 * s5 * c6,
                s23 * (c4 * c5 * s6 + s4 * c6) + c23 * s5 * s6,
                s23 * c4 * s5 - c23 * c5,
                -a3 * s23 - a2 * s2 - d4 * c23,
            ],
            [0, 0, 0, 1],
        ]
    )


def test_puma560_is_craigs_closed_form():
    text = emit(load("puma560"), ConvertOptions()).text
    generator = np.random.default_rng(1986)
    for _ in range(20):
        q = list(generator.uniform(-math.pi, math.pi, 6))
        reached = tool_pose(text, load("puma560"), q)
        expected = craig_wrist(q, a2=0.4318, a3=0.0203, d3=0.1501, d4=0.4331)
        np.testing.assert_allclose(reached, expected, atol=EXACT)


def load(name: str) -> Table:
    return robots_index.load(robots_index.ROBOTS / f"{name}.yaml")


HALF_TURN = math.pi


@pytest.mark.parametrize(
    ("one", "other", "shift"),
    [
        ("puma560", "puma560_akb", (0, 0, HALF_TURN, 0, 0, HALF_TURN)),
        ("xarm6", "xarm6_sdh", (0,) * 6),
        ("xarm7", "xarm7_sdh", (0,) * 7),
        ("uf850", "uf850_sdh", (0,) * 6),
    ],
)
def test_two_tables_of_one_arm_agree(one: str, other: str, shift: tuple[float, ...]):
    first, second = load(one), load(other)
    generator = np.random.default_rng(2)
    for _ in range(10):
        q = random_q(first, generator)
        a = oracles.table_poses(first, q)["tool"]
        b = oracles.table_poses(second, [value + more for value, more in zip(q, shift, strict=True)])["tool"]
        np.testing.assert_allclose(a, b, atol=EXACT)


def test_the_index_is_current():
    assert robots_index.README.read_text(encoding="utf-8") == robots_index.page()
