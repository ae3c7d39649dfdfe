import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import strategies
from mdh2urdf.convert import check_expected_poses, robot_from_table, strict_robot
from mdh2urdf.errors import CheckError
from mdh2urdf.robot import Inertia, Limits
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import Base, ExpectedPose, ModifiedRow, StandardRow, Table, TableJoint, TableLink, Tool

RIGHT = math.pi / 2
MODIFIED = ModifiedRow(a_prev=0.1, alpha_prev=RIGHT, d=0.2, theta=0.3)
STANDARD = StandardRow(theta=0.3, d=0.2, a=0.1, alpha=RIGHT)


def one_joint(row, **fields):
    joint = {"name": "joint1", "link": "link1", "parent": "base_link", "type": "continuous", "row": row}
    table = {key: fields.pop(key) for key in list(fields) if key in ("base", "tool", "links", "expect")}
    return Table(name="arm", joints=(TableJoint(**{**joint, **fields}),), **table)


@given(strategies.tables(), st.data())
def test_the_robot_moves_as_the_rows_do(table, data):
    q = [data.draw(strategies.angles) for _ in table.moving_joints]
    robot = robot_from_table(table).robot
    poses = robot.link_poses(dict(zip((joint.name for joint in table.moving_joints), q, strict=True)))
    wanted = oracles.table_poses(table, q)
    end = table.joints[-1].link if table.tool is None else table.tool.link
    if table.tool is None and table.convention == "standard" and "tool0" in poses:
        end = "tool0"
    assert oracles.position_error(poses[end].matrix(), wanted["tool"]) < 1e-12
    assert oracles.rotation_error(poses[end].matrix(), wanted["tool"]) < 1e-12


def test_a_modified_table_ends_at_its_last_link_unless_a_tool_is_given():
    assert strict_robot(one_joint(MODIFIED)).leaves() == ("link1",)
    robot = strict_robot(one_joint(MODIFIED, tool=Tool(link="flange", row=MODIFIED)))
    assert [(joint.name, joint.type) for joint in robot.joints] == [("joint1", "continuous"), ("flange_joint", "fixed")]


def test_a_standard_table_gets_a_tool_link_where_its_last_row_goes_on():
    assert strict_robot(one_joint(STANDARD)).leaves() == ("tool0",)
    bare = StandardRow(theta=0.3, d=0.2, a=0.0, alpha=0.0)
    assert strict_robot(one_joint(bare)).leaves() == ("link1",)
    tilted = replace(bare, beta=0.01)
    assert strict_robot(one_joint(tilted)).leaves() == ("tool0",)


def test_a_tool_pose_follows_the_last_standard_row():
    pose = Transform.from_xyz_rpy((0.0, 0.0, 0.5), (0.0, 0.0, 0.0))
    origin = strict_robot(one_joint(STANDARD, tool=Tool(pose=pose))).joints[-1].origin
    assert origin.translation == pytest.approx((0.1, -0.5, 0.0))


@pytest.mark.parametrize("row", [MODIFIED, STANDARD], ids=["modified", "standard"])
def test_a_tool_without_row_or_pose_only_names_the_end(row):
    robot = strict_robot(one_joint(row, tool=Tool(link="hand")))
    wanted = oracles.table_poses(one_joint(row), [0.7])["tool"]
    assert np.allclose(robot.link_poses({"joint1": 0.7})["hand"].matrix(), wanted)


def test_a_base_pose_becomes_a_fixed_joint_to_frame_0():
    pose = Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 0.0, RIGHT))
    robot = strict_robot(one_joint(MODIFIED, base=Base(link="pedestal", pose=pose), parent="pedestal"))
    first = robot.joints[0]
    assert (first.name, first.parent, first.child) == ("pedestal_frame0_joint", "pedestal", "pedestal_frame0")
    assert first.origin == pose
    assert robot.joints[1].parent == "pedestal_frame0"


def test_a_reversed_joint_turns_about_minus_z_and_keeps_its_limits():
    limits = Limits(lower=-1.0, upper=2.2, velocity=1.0, effort=5.0)
    joint = strict_robot(one_joint(MODIFIED, type="revolute", direction=-1, limits=limits)).joints[0]
    assert joint.axis == (0.0, 0.0, -1.0)
    assert joint.limits == limits


def test_offsets_and_reversed_joints_reach_the_poses_worked_out_by_hand():
    rows = [(RIGHT, 0.0, -1, RIGHT), (RIGHT, 0.33, 1, math.pi), (-RIGHT, 0.0, 1, 0.0), (0.0, 0.37, 1, 0.0)]
    joints = tuple(
        TableJoint(
            name=f"j{i}",
            link=f"link{i}",
            parent=f"link{i - 1}" if i > 1 else "base_link",
            type="continuous",
            row=StandardRow(a=0.0, alpha=alpha, d=d, theta=theta),
            direction=direction,
        )
        for i, (alpha, d, direction, theta) in enumerate(rows, 1)
    )
    robot = robot_from_table(Table(name="arm", joints=joints)).robot
    zero = [[0, 0, 1, 0.7], [-1, 0, 0, 0], [0, -1, 0, 0]]
    bent = [
        [0.098871980207, -0.068925871551, 0.992710207342, 0.682563818128],
        [-0.991529024356, -0.091264271992, 0.092417674266, -0.063327128720],
        [0.084229005626, -0.993438501815, -0.077365481466, -0.028625228142],
    ]
    for q, wanted in (([0.0] * 4, zero), ([0.3, -0.2, 0.4, 0.1], bent)):
        pose = robot.link_poses(dict(zip(["j1", "j2", "j3", "j4"], q, strict=True)))["link4"]
        assert np.allclose(pose.matrix()[:3], wanted, atol=1e-12)


def test_panda_origins_are_its_makers():
    rows = [
        (0, 0, 0.333),
        (0, -RIGHT, 0),
        (0, RIGHT, 0.316),
        (0.0825, RIGHT, 0),
        (-0.0825, -RIGHT, 0.384),
        (0, RIGHT, 0),
        (0.088, RIGHT, 0),
    ]
    joints = tuple(
        TableJoint(
            name=f"joint{i}",
            link=f"link{i}",
            parent=f"link{i - 1}" if i > 1 else "base_link",
            type="continuous",
            row=ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=0.0),
        )
        for i, (a, alpha, d) in enumerate(rows, 1)
    )
    flange = Tool(link="flange", row=ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.107, theta=0.0))
    robot = robot_from_table(Table(name="panda", joints=joints, tool=flange)).robot
    vendor = [(0, 0, 0.333), (0, 0, 0), (0, -0.316, 0), (0.0825, 0, 0), (-0.0825, 0.384, 0), (0, 0, 0), (0.088, 0, 0)]
    assert [joint.origin.translation for joint in robot.joints[:7]] == vendor
    assert robot.joints[7].type == "fixed"
    pose = robot.link_poses({})["flange"].matrix()
    assert np.allclose(pose[:3], [[1, 0, 0, 0.088], [0, -1, 0, 0], [0, 0, -1, 0.926]], atol=1e-15)


def test_mass_data_of_a_dh_frame_stand_behind_a_standard_rows_tail():
    inertia = Inertia(ixx=1.0, ixy=0.0, ixz=0.0, iyy=2.0, iyz=0.0, izz=3.0)
    data = TableLink(
        frame="dh", mass=1.0, center_of_mass=(0.0, 0.0, 0.5), inertia=inertia, inertia_rpy=(0.0, 0.0, RIGHT)
    )
    robot = robot_from_table(one_joint(STANDARD, links={"link1": data})).robot
    origin = robot.link("link1").inertial.origin
    assert origin.translation == pytest.approx((0.1, -0.5, 0.0))
    assert np.allclose(
        origin.matrix(), oracles.standard_row(0.1, RIGHT, 0, 0) @ oracles.shift(0, 0, 0.5) @ oracles.rot_z(RIGHT)
    )


def test_a_link_without_mass_or_tensor_has_no_inertial():
    robot = robot_from_table(one_joint(MODIFIED, links={"link1": TableLink(mass=1.0), "base_link": TableLink()})).robot
    assert robot.link("link1").inertial is None
    assert robot.link("base_link").inertial is None


def test_published_poses_that_are_reached_say_nothing():
    tool = Tool(pose=IDENTITY)
    reached = (
        ExpectedPose(q=(0.0,), xyz=(0.1, -0.2, 0.0), rpy=(RIGHT, -0.3, 0.0)),
        ExpectedPose(q=(0.0,), link="link1", xyz=(0.1, -0.2, 0.0)),
        ExpectedPose(q=(0.0,), rpy=(RIGHT, -0.3, 0.0)),
    )
    check_expected_poses(one_joint(MODIFIED, tool=tool, expect=reached))


def test_a_published_pose_that_is_missed_is_told_with_its_distance_and_angle():
    poses = (
        ExpectedPose(q=(0.0,), xyz=(0.1, -0.2, 0.01), rpy=(RIGHT, -0.3, 0.02)),
        ExpectedPose(q=(0.0,), link="base_link", xyz=(0.0, 0.0, 0.5)),
    )
    with pytest.raises(CheckError) as caught:
        check_expected_poses(one_joint(MODIFIED, expect=poses), "arm.yaml")
    assert str(caught.value) == (
        "arm.yaml: expect[0]: position is off by 0.01 m (the rows give [0.1, -0.2, 0] m), "
        "orientation is off by 0.02 rad\n"
        "arm.yaml: expect[1]: position is off by 0.5 m (the rows give [0, 0, 0] m)"
    )
    assert caught.value.exit_status == 1


def test_an_expected_link_of_a_standard_table_is_the_urdf_link_not_the_dh_frame():
    pose = ExpectedPose(q=(0.5,), link="link1", xyz=(0.0, 0.0, 0.2), rpy=(0.0, 0.0, 0.8))
    check_expected_poses(one_joint(STANDARD, expect=(pose,)))
