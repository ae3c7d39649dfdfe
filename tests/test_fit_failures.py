"""What other tools get wrong with robots that people asked about; the right answers, computed another way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import oracles
from fitted import errors, joint, robot, rows
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Limits, Robot
from mdh2urdf.se3 import Z_AXIS, unit

QUARTER = math.pi / 2


def from_origins(*origins) -> Robot:
    """An arm of joint origins (x, y, z, roll, pitch, yaw), as kinematics files give them."""
    joints = (joint(f"j{i + 1}", f"l{i}", f"l{i + 1}", one[:3], one[3:]) for i, one in enumerate(origins))
    return robot(*joints)


# https://github.com/UniversalRobots/Universal_Robots_ROS2_Description config/ur5e/default_kinematics.yaml
UR5E = (
    (0, 0, 0.1625, 0, 0, 0),
    (0, 0, 0, 1.570796327, 0, 0),
    (-0.425, 0, 0, 0, 0, 0),
    (-0.3922, 0, 0.1333, 0, 0, 0),
    (0, -0.0997, -2.044881182297852e-11, 1.570796327, 0, 0),
    (0, 0.0996, -2.042830148012698e-11, 1.570796326589793, 3.141592653589793, 3.141592653589793),
)


@pytest.mark.parametrize(("snap", "exactly"), [(False, 1e-9), (True, 1e-15)])
def test_a_kinematics_file_with_negative_a_and_an_upside_down_rpy(snap, exactly):
    """A is negative on purpose, roll pi/2 with pitch and yaw pi is roll -pi/2, parallel axes keep d behind them."""
    table, report = fit_table(from_origins(*UR5E), snap=snap)
    want = [
        (0, 0, 0.1625, 0),
        (0, QUARTER, 0, 0),
        (-0.425, 0, 0, 0),
        (-0.3922, 0, 0.1333, 0),
        (0, QUARTER, 0.0997, 0),
        (0, -QUARTER, 0.0996, 0),
    ]
    for have, row in zip(rows(table), want, strict=True):
        assert have == pytest.approx(row, abs=exactly)
    assert table.tool is None
    assert report.angle_error < (1e-9 if snap else 1e-14)


# https://github.com/xArm-Developer/xarm_ros2 (humble) config/kinematics/default/xarm6_default_kinematics.yaml
XARM6 = (
    (0, 0, 0.267, 0, 0, 0),
    (0, 0, 0, -1.5708, 0, 0),
    (0.0535, -0.2845, 0, 0, 0, 0),
    (0.0775, 0.3425, 0, -1.5708, 0, 0),
    (0, 0, 0, 1.5708, 0, 0),
    (0.076, 0.097, 0, -1.5708, 0, 0),
)


def test_a_kinematics_file_with_rounded_right_angles_keeps_its_q():
    """Offsets go into theta, never into the user's q; what the rounding moves is told."""
    table, report = fit_table(from_origins(*XARM6), snap=True)
    want = [
        (0, 0, 0.267, 0),
        (0, -QUARTER, 0, -1.38491787),
        (0.289486615, 0, 0, 1.38491787),
        (0.0775, -QUARTER, 0.3425, 0),
        (0, QUARTER, 0, 0),
        (0.076, -QUARTER, 0.097, 0),
    ]
    for have, row in zip(rows(table), want, strict=True):
        assert have == pytest.approx(row, abs=5e-7)
    zero = oracles.table_poses(table, [0.0] * 6)["tool"]
    source = oracles.robot_poses(from_origins(*XARM6), {})["l6"]
    assert oracles.rotation_error(zero, source) == pytest.approx(7.35e-6, rel=0.02)
    assert 7e-6 < report.angle_error < 3e-5
    shift = sum(1 for snap in report.snaps if snap.field == "alpha" and abs(snap.value) == 1.5708)
    assert shift == 4


@pytest.mark.parametrize("snap", [False, True])
def test_axes_a_hair_off_the_frame_s(snap):
    """https://github.com/gbionics/rod/issues/66: no d of kilometres, q as it is."""
    source = robot(
        joint(
            "shoulder",
            "chest",
            "upper",
            (3.664255553182563e-18, -4.2345248449412954e-07, -0.02249994137312437),
            axis=unit((2.22764683e-08, -4.39378512e-08, -1.0)),
        ),
        joint(
            "elbow",
            "upper",
            "fore",
            (0.009999930234919407, -0.0014996474234288994, -0.12370000000000002),
            axis=unit((-8.81182175e-08, -1.0, 4.40473491e-08)),
        ),
        joint(
            "prosup",
            "fore",
            "hand",
            (-0.014999870654177693, 0.001999643503634852, -0.055300063582479825),
            axis=unit((2.22764683e-08, -4.39378512e-08, -1.0)),
        ),
    )
    table, report = fit_table(source, snap=snap)
    end = "tool"
    assert max(errors(table, source, {"hand": end})) < (1e-6 if snap else 1e-9)
    assert max(abs(value) for row in rows(table) for value in (row[0], row[2])) < 0.2
    if snap:
        assert {snap.place for snap in report.snaps} == {"base", "shoulder", "elbow", "prosup", "tool"}
        assert [row[1] for row in rows(table)] == [0, -QUARTER, QUARTER]
        pitch = next(snap for snap in report.snaps if (snap.place, snap.field) == ("base", "pitch"))
        assert abs(pitch.to - pitch.value) == pytest.approx(2.2e-8, rel=0.02)


def test_a_first_axis_that_points_down_turns_frame_zero_and_no_limit():
    """https://github.com/ros-controls/ros2_control/issues/1539: unsymmetric limits would show a mirrored joint."""
    source = robot(
        joint("J1", "base", "l1", (0, 0, 0.2605), axis=(0.0, 0.0, -1.0), limits=Limits(lower=-3.0543, upper=3.0543)),
        joint("J2", "l1", "l2", (0.03, 0, 0), (-QUARTER, 0, 0), limits=Limits(lower=-1.0, upper=2.2)),
    )
    table, _ = fit_table(source)
    assert table.base.pose.matrix()[2][:3] == (0, 0, -1)
    assert [one.direction for one in table.joints] == [1, 1]
    assert (table.joints[1].limits.lower, table.joints[1].limits.upper) == (-1.0, 2.2)
    assert max(errors(table, source, {"l2": "l2"})) < 1e-14
    pose = oracles.table_poses(table, [0.3, -0.2])["l2"]
    want = [
        [0.936293363584, 0.189796060979, 0.295520206661, 0.028660094674],
        [-0.289629477626, -0.058710801694, 0.955336489126, -0.008865606200],
        [0.198669330795, -0.980066577841, 0, 0.2605],
    ]
    np.testing.assert_allclose(pose[:3], want, atol=2e-12)


def test_fixed_joints_before_between_and_behind_the_moving_ones():
    """https://github.com/gbionics/idyntree/issues/77, https://github.com/mcevoyandy/urdf_to_dh/issues/11."""
    source = robot(
        joint("mount", "world", "base", (0.2, -0.1, 0.5), (0, math.pi / 6, 0), kind="fixed"),
        joint("j1", "base", "l1", (0, 0, 0.1), (0, 0, 0.4)),
        joint("bracket", "l1", "plate", (0.05, 0.02, 0.03), (0.3, -0.2, 0.1), kind="fixed"),
        joint("j2", "plate", "l2", (0.1, 0, 0), (1.2, 0, 0), axis=(0.0, 1.0, 0.0)),
        joint("j3", "l2", "l3", (0, 0.07, 0), axis=(1.0, 0.0, 0.0), kind="prismatic"),
        joint("flange", "l3", "tool0", (0.04, 0, 0), (0, QUARTER, 0), kind="fixed"),
    )
    for convention in ("modified", "standard"):
        table, report = fit_table(source, convention=convention)
        assert len(table.joints) == 3
        assert table.tool.link == "tool0"
        assert [(one.link, one.into) for one in report.merged] == [("base", "world"), ("plate", "l1")]
        pose = oracles.table_poses(table, [0.3, -0.2, 0.5])["tool"]
        want = [
            [-0.495786538164, 0.325290376509, 0.805221633792, 0.813617792281],
            [0.830664575559, -0.092876565390, 0.548972045292, 0.307756945898],
            [0.253361543030, 0.941042036549, -0.224160241705, 0.527795157443],
        ]
        np.testing.assert_allclose(pose[:3], want, atol=2e-12)


def two_arms() -> Robot:
    return robot(
        joint("torso", "base", "torso_l", (0, 0, 0.3)),
        joint("left_1", "torso_l", "left_l", (0, 0.2, 0.1), axis=(0.0, 1.0, 0.0)),
        joint("right_1", "torso_l", "right_l", (0, -0.2, 0.1), axis=(0.0, 1.0, 0.0)),
    )


def test_two_arms_on_a_torso_are_one_modified_tree_and_no_standard_table():
    """https://github.com/uw-biorobotics/IKBT/issues/36."""
    table, _ = fit_table(two_arms())
    assert [one.name for one in table.joints if one.type != "fixed"] == ["torso", "left_1", "right_1"]
    assert max(errors(table, two_arms(), {"left_l": "left_l_tool0", "right_l": "right_l_tool0"})) < 1e-15
    with pytest.raises(Mdh2UrdfError, match="the leaves are left_l, right_l"):
        fit_table(two_arms(), convention="standard")
    table, _ = fit_table(two_arms(), convention="standard", tip="right_l")
    assert [one.name for one in table.joints] == ["torso", "right_1"]


def test_joints_that_a_file_lists_in_another_order_than_the_chain_s():
    """https://github.com/JenniferBuehler/graspit-pkgs/issues/56."""
    second = joint("second", "b", "c", (0.2, 0, 0), (1, 0, 0))
    source = robot(second, joint("first", "a", "b", (0, 0, 0.1)))
    assert [one.name for one in fit_table(source)[0].joints] == ["first", "second"]


def test_coupled_and_mirrored_axes_of_a_gripper():
    """Fingers that mirror each other: anti-parallel axes beside each other keep their zero and their sense."""
    source = robot(
        joint("wrist", "base", "hand", (0, 0, 0.1)),
        joint("left", "hand", "finger_l", (0, 0.03, 0.1), axis=(1.0, 0.0, 0.0)),
        joint("right", "hand", "finger_r", (0, -0.03, 0.1), axis=(-1.0, 0.0, 0.0)),
        joint("slide", "finger_r", "pad", (0, 0, 0.02), kind="prismatic", axis=Z_AXIS),
    )
    table, report = fit_table(source)
    tips = {"finger_l": "finger_l_tool0", "pad": "pad"}
    have = {one.link for one in table.joints}
    tips = {tip: end if end in have else f"{end}_tool0" for tip, end in tips.items()}
    assert max(errors(table, source, tips)) < 1e-14
    assert report.position_error < 1e-14
