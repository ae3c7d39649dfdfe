import math
from dataclasses import replace

import numpy as np
import pytest

import oracles
from calibrations import BENT, DELTA, FAR, NOMINAL, POSES, pose_error
from mdh2urdf.convert import robot_from_table, strict_robot
from mdh2urdf.frames import move_frames, moves, reach
from mdh2urdf.robot import Box, Inertia, Inertial, Joint, Link, Robot, Shape
from mdh2urdf.se3 import Transform, norm
from mdh2urdf.table import ModifiedRow, Table, TableJoint, TableLink


def names(q):
    return {f"joint{i}": float(value) for i, value in enumerate(q, 1)}


def tip_pose(robot, q):
    return robot.link_poses(names(q))[robot.leaves()[0]].matrix()


@pytest.mark.parametrize("mode", ["auto", "slid", "strict"])
@pytest.mark.parametrize("table", [DELTA, FAR], ids=lambda table: table.name)
@pytest.mark.parametrize("nominal", [None, NOMINAL], ids=["alone", "nominal"])
def test_moved_frames_leave_every_pose_where_it_was(table, mode, nominal):
    robot = robot_from_table(table, frames=mode, nominal=nominal).robot
    for q, wanted in POSES[table.name]:
        assert pose_error(tip_pose(robot, q), wanted) < 1e-9


@pytest.mark.parametrize("table", [DELTA, FAR], ids=lambda table: table.name)
@pytest.mark.parametrize("nominal", [None, NOMINAL], ids=["alone", "nominal"])
def test_calibrated_frames_come_back_near_to_the_designed_ones(table, nominal):
    conversion = robot_from_table(table, nominal=nominal)
    assert set(conversion.moved) == {"joint2", "joint3"}
    assert all(norm(joint.origin.translation) < 1 for joint in conversion.robot.joints)
    designed = strict_robot(NOMINAL).link_poses({})
    ours = conversion.robot.link_poses({})
    for link, pose in designed.items():
        assert oracles.position_error(ours[link].matrix(), pose.matrix()) < 6.3e-3
        assert oracles.rotation_error(ours[link].matrix(), pose.matrix()) < math.radians(1.2)


@pytest.mark.parametrize("table", [DELTA, FAR], ids=lambda table: table.name)
def test_moving_frames_costs_less_than_a_picometre(table):
    rng = np.random.default_rng(1)
    robot, strict = robot_from_table(table).robot, strict_robot(table)
    for q in rng.uniform(-math.pi, math.pi, (50, 6)):
        a, b = tip_pose(robot, q), tip_pose(strict, q)
        assert oracles.position_error(a, b) < 1e-12
        assert oracles.rotation_error(a, b) < 1e-12


def test_strict_moves_nothing_and_a_designed_arm_has_nothing_to_move():
    assert robot_from_table(FAR, frames="strict").moved == {}
    for mode in ("auto", "slid", "strict"):
        assert robot_from_table(NOMINAL, frames=mode).moved == {}


def slightly_tilted(angle, offset=0.3, d=0.02):
    """Three revolute joints; axes 1 and 2 are ``angle`` from parallel and skew, axis 3 is at a right angle."""
    rows = [
        ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.1, theta=0.0),
        ModifiedRow(a_prev=offset, alpha_prev=angle, d=d, theta=0.4),
        ModifiedRow(a_prev=0.2, alpha_prev=math.pi / 2, d=0.1, theta=0.0),
    ]
    joints = [
        TableJoint(
            name=f"joint{i}",
            link=f"link{i}",
            parent=f"link{i - 1}" if i > 1 else "base_link",
            type="continuous",
            row=row,
        )
        for i, row in enumerate(rows, 1)
    ]
    return Table(name="tilted", joints=tuple(joints))


def test_auto_leaves_a_near_frame_that_slid_would_move():
    table = slightly_tilted(0.01)
    assert robot_from_table(table, frames="auto").moved == {}
    assert set(robot_from_table(table, frames="slid").moved) == {"joint1"}


@pytest.mark.parametrize(
    ("angle", "moved"), [(0.019, True), (0.021, False), (1e-11, True), (1e-13, False), (math.pi - 0.01, True)]
)
def test_candidates_are_the_nearly_parallel_and_anti_parallel(angle, moved):
    assert bool(robot_from_table(slightly_tilted(angle), frames="slid").moved) is moved


def test_the_last_joint_and_joints_that_only_follow_keep_their_frames():
    table = slightly_tilted(0.01)
    last_two = replace(table, joints=table.joints[:2])
    assert set(robot_from_table(last_two, frames="slid").moved) == {"joint1"}


def test_the_first_frame_goes_to_the_point_nearest_to_the_root():
    robot = robot_from_table(slightly_tilted(0.01), frames="slid").robot
    assert robot.link_poses({})["link1"].translation == pytest.approx((0.0, 0.0, 0.0), abs=1e-15)


def test_the_new_x_points_at_the_next_origin_or_away_from_it():
    robot = robot_from_table(slightly_tilted(0.01), frames="slid").robot
    poses = robot.link_poses({})
    to_next = np.array(poses["link1"].inverse().apply(poses["link2"].translation))
    assert abs(to_next[1]) < 1e-15
    assert to_next[0] > 0


def test_rounding_does_not_choose_the_sign_of_x_where_the_next_origin_lies_at_a_right_angle_to_it():
    table = slightly_tilted(0.01, offset=0.0, d=0.3)
    for theta in np.linspace(-3, 3, 61).tolist():
        first = replace(table.joints[0], row=replace(table.joints[0].row, theta=theta))
        robot = robot_from_table(replace(table, joints=(first, *table.joints[1:])), frames="slid").robot
        poses = robot.link_poses({})
        to_next = poses["link1"].inverse().apply(poses["link2"].translation)
        assert to_next[0] == pytest.approx(0.3 * math.sin(0.01)), theta


def test_x_stays_where_the_next_origin_lies_on_the_axis():
    robot = robot_from_table(slightly_tilted(0.01, offset=0.0, d=0.0), frames="slid")
    assert robot.moved["joint1"].about == 0.0


def test_a_body_given_in_either_frame_stays_where_it_is_whatever_frames_says():
    inertia = Inertia(ixx=0.02, ixy=0.001, ixz=0.0, iyy=0.03, iyz=0.0, izz=0.04)
    box = (Shape(geometry=Box(size=(0.1, 0.1, 0.1)), origin=Transform.from_xyz_rpy((0.0, 0.1, 0.0), (0.3, 0.0, 0.0))),)
    for frame in ("joint", "dh"):
        data = TableLink(
            frame=frame, mass=2.0, center_of_mass=(0.1, 0.2, 0.3), inertia=inertia, visuals=box, collisions=box
        )
        table = replace(FAR, links={"link2": data})
        bodies = []
        for mode in ("auto", "slid", "strict"):
            robot = robot_from_table(table, frames=mode).robot
            pose = robot.link_poses(names(BENT))["link2"]
            link = robot.link("link2")
            for origin in (link.inertial.origin, link.visuals[0].origin, link.collisions[0].origin):
                bodies.append(np.array((pose @ origin).matrix()))
        for index, body in enumerate(bodies[3:]):
            assert np.allclose(body, bodies[index % 3], atol=1e-9)
        if frame == "dh":
            strict = oracles.table_poses(table, BENT)["link2"] @ oracles.shift(0.1, 0.2, 0.3)
            assert np.allclose(bodies[0][:3, 3], strict[:3, 3], atol=1e-9)
        else:
            assert robot_from_table(table).robot.link("link2").inertial.origin.translation == (0.1, 0.2, 0.3)


def urdf_like(axis, gap=300.0):
    """Two nearly parallel axes along ``axis``; the first frame is far away, a fixed joint between."""
    a = np.array(axis, dtype=float)
    across = (0.0, 1.0, 0.0) if abs(a[1]) < 0.5 else (1.0, 0.0, 0.0)
    tilt = (0.005, 0.0, 0.0) if abs(a[0]) < 0.5 else (0.0, 0.005, 0.0)
    joints = (
        Joint(
            name="joint1",
            type="revolute",
            parent="base",
            child="l1",
            axis=axis,
            origin=Transform.from_xyz_rpy(gap * a, (0, 0, 0)),
        ),
        Joint(name="bracket", type="fixed", parent="l1", child="b", origin=Transform.from_xyz_rpy(-gap * a, (0, 0, 0))),
        Joint(
            name="joint2",
            type="revolute",
            parent="b",
            child="l2",
            axis=axis,
            origin=Transform.from_xyz_rpy((0.3, 0.2, 0.1), tilt),
        ),
        Joint(
            name="joint3",
            type="revolute",
            parent="l2",
            child="l3",
            axis=across,
            origin=Transform.from_xyz_rpy((0.1, 0, 0.2), (0, 0, 0)),
        ),
    )
    mass = Inertial(mass=1.0, inertia=Inertia(ixx=1, ixy=0, ixz=0, iyy=1, iyz=0, izz=1))
    links = tuple(Link(name=name, inertial=mass) for name in ("base", "l1", "b", "l2", "l3"))
    return Robot(name="far", links=links, joints=joints)


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.6, 0.0, -0.8)])
def test_frames_with_any_axis_move_and_fixed_joints_between_are_seen_through(axis):
    robot = urdf_like(axis)
    moved = moves(robot, "auto")
    assert set(moved) == {"joint1"}
    near = move_frames(robot, moved)
    assert reach(near) < 2 < reach(robot)
    for q in ([0.0, 0.0, 0.0], [0.5, -1.0, 2.0]):
        values = names(q)
        old, new = robot.link_poses(values), near.link_poses(values)
        assert np.allclose(old["l3"].matrix(), new["l3"].matrix(), atol=1e-12)
        for link in robot.links:
            a = old[link.name] @ link.inertial.origin
            b = new[link.name] @ near.link(link.name).inertial.origin
            assert np.allclose(a.matrix(), b.matrix(), atol=2e-12)
