import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import strategies
from arms import KINDS, arm
from mdh2urdf.convert import robot_from_table
from mdh2urdf.draw.sketch import SHORT, UNIT_SIZE, crowding, drawable, is_chain, sketch
from mdh2urdf.robot import Joint, Link, Robot
from mdh2urdf.se3 import IDENTITY, Transform, norm, subtract
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool


def table_of(*rows, **fields):
    joints = []
    for number, row in enumerate(rows, 1):
        parent = f"link{number - 1}" if number > 1 else "base_link"
        joints.append(
            TableJoint(name=f"joint{number}", link=f"link{number}", parent=parent, type="continuous", row=row)
        )
    return Table(name="arm", joints=tuple(joints), **fields)


def modified(a=0.0, alpha=0.0, d=0.0, theta=0.0, **more):
    return ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta, **more)


def names(drawn):
    return [f"{segment.kind}{segment.index}" for segment in drawn.segments]


@given(strategies.tables(), st.data())
def test_segments_lead_from_frame_to_frame_and_are_as_long_as_the_rows_say(table, data):
    q = {joint.name: data.draw(strategies.angles) for joint in table.moving_joints}
    drawn = sketch(table, q)
    poses = oracles.table_poses(table, list(q.values()))
    frames = {mark.link: mark.pose for mark in drawn.frames}
    for number, joint in enumerate(table.joints, 1):
        pieces = [segment for segment in drawn.segments if segment.row == number]
        at = frames[joint.parent].translation
        for piece in pieces:
            assert norm(subtract(piece.start, at)) < 3 * SHORT  # what is shorter than SHORT is not drawn
            assert norm(subtract(piece.end, piece.start)) == pytest.approx(abs(piece.value), abs=1e-9)
            at = piece.end
        assert norm(subtract(frames[joint.link].translation, at)) < 3 * SHORT
        assert oracles.position_error(frames[joint.link].matrix(), poses[joint.link]) < 1e-9
        assert oracles.rotation_error(frames[joint.link].matrix(), poses[joint.link]) < 1e-9
    if table.tool is not None:
        assert oracles.position_error(frames[table.tool.link].matrix(), poses["tool"]) < 1e-9


@given(strategies.tables(), st.data())
def test_what_lies_behind_a_joint_turns_about_its_axis(table, data):
    drawn = sketch(table, {})
    assert len(drawn.axes) == len(table.moving_joints)
    if not drawn.axes:
        return
    axis = data.draw(st.sampled_from(drawn.axes))
    joint = table.joints[axis.row - 1]
    step = data.draw(st.floats(0.1, 1.0))
    moved = {mark.link: mark.pose for mark in sketch(table, {axis.joint: step}).frames}
    before = np.array({mark.link: mark.pose for mark in drawn.frames}[joint.link].matrix())
    about = oracles.shift(*axis.point)
    if axis.prismatic:
        motion = oracles.shift(*(step * np.array(axis.direction)))
    else:
        motion = about @ oracles.turn_about(np.array(axis.direction), step) @ np.linalg.inv(about)
    assert np.allclose(motion @ before, moved[joint.link].matrix(), atol=1e-9)


@given(strategies.tables())
def test_symbols_of_joints_sit_on_their_axes_and_apart_from_each_other(table):
    drawn = sketch(table, {})
    for index, axis in enumerate(drawn.axes):
        off = np.cross(np.subtract(axis.symbol, axis.point), axis.direction)
        assert np.linalg.norm(off) < 1e-9
        for other in drawn.axes[:index]:
            assert norm(subtract(axis.symbol, other.symbol)) > 0


def test_craigs_a_has_the_number_of_the_row_before():
    drawn = sketch(table_of(modified(d=1), modified(a=1, alpha=1, d=2), tool=Tool(row=modified(a=3, d=4))), {})
    assert names(drawn) == ["d1", "a1", "d2", "a2", "d3"]
    assert [segment.row for segment in drawn.segments] == [1, 2, 2, 3, 3]


def test_a_standard_a_has_the_number_of_its_row():
    drawn = sketch(table_of(StandardRow(theta=0, d=1, a=2, alpha=0), StandardRow(theta=0, d=0, a=3, alpha=0)), {})
    assert names(drawn) == ["d1", "a1", "a2"]


def test_lengths_of_a_tree_have_the_number_of_their_row():
    drawn = sketch(arm("torso"), {})
    assert not is_chain(arm("torso"))
    assert names(drawn) == ["link0", "d1", "b2", "a2", "a3", "d3", "b4", "a4", "a5", "d5"]


def test_base_and_tool_poses_are_straight_pieces():
    shift = Transform.from_xyz_rpy((0.0, 3.0, 4.0), (0.0, 0.0, 0.0))
    drawn = sketch(table_of(modified(d=1), base=Base(pose=shift), tool=Tool(pose=shift)), {})
    assert [(segment.kind, segment.row, segment.value) for segment in drawn.segments] == [
        ("link", 0, 5.0),
        ("d", 1, 1.0),
        ("link", 2, 5.0),
    ]
    assert [mark.label for mark in drawn.frames] == ["base_link", "0", "1", "tool0"]


def test_a_tool_that_only_turns_has_a_frame_and_no_piece():
    turn = Transform.from_xyz_rpy((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    drawn = sketch(table_of(modified(d=1), tool=Tool(pose=turn)), {})
    assert names(drawn) == ["d1"]
    assert [mark.label for mark in drawn.frames] == ["0", "1", "tool0"]


def test_a_prismatic_joint_changes_the_length_of_d():
    table = arm("stanford")
    quarter = sketch(table, {"boom": 0.25})
    assert next(segment.value for segment in quarter.segments if segment.kind == "d" and segment.row == 3) == (
        pytest.approx(15 * 0.0254 + 0.25)
    )


def test_an_arm_without_extent_still_has_a_size():
    assert sketch(table_of(modified()), {}).size == UNIT_SIZE
    assert sketch(table_of(modified(d=0.3)), {}).size == pytest.approx(0.3)


@pytest.mark.parametrize("name", KINDS)
def test_a_table_is_drawn_by_its_own_rows(name):
    table = arm(name)
    assert drawable(table) is table


def test_a_table_with_a_far_common_normal_is_drawn_with_beta():
    far = table_of(modified(d=0.2), modified(alpha=1e-3, a=0.4, d=300.0), modified(alpha=-1e-3, a=0.4, d=-300.0))
    rows = drawable(far)
    assert isinstance(rows, Table)
    drawn = sketch(rows, {})
    assert max(abs(segment.value) for segment in drawn.segments) < 1.0
    end = np.array(sketch(far, {"joint1": 0.3}).frames[-1].pose.matrix())
    assert oracles.position_error(end, sketch(rows, {"joint1": 0.3}).frames[-1].pose.matrix()) < 1e-9


def test_a_description_is_drawn_by_the_rows_that_fit_finds():
    robot = robot_from_table(arm("panda")).robot
    rows = drawable(robot)
    assert isinstance(rows, Table)
    assert names(sketch(rows, {})) == ["d1", "d3", "a3", "a4", "d5", "a6", "link8"]


def test_a_description_without_rows_is_drawn_from_origin_to_origin():
    up = Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 0.0, 0.0))
    fixed = Joint(name="weld", type="fixed", parent="a", child="b", origin=up)
    still = Robot(name="post", links=(Link(name="a"), Link(name="b")), joints=(fixed,))
    assert drawable(still) is still
    drawn = sketch(still, {})
    assert [(segment.kind, segment.row, segment.value) for segment in drawn.segments] == [("link", 1, 1.0)]
    assert [mark.label for mark in drawn.frames] == ["a", "b"]
    assert drawn.axes == ()


def test_joints_of_a_description_without_rows_have_their_axes():
    along = Transform.from_xyz_rpy((1.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    joints = (
        Joint(name="slide", type="prismatic", parent="a", child="b", origin=along, axis=(1.0, 0.0, 0.0)),
        Joint(name="turn", type="continuous", parent="b", child="c"),
        Joint(name="fly", type="floating", parent="c", child="d"),
    )
    robot = Robot(name="bird", links=tuple(Link(name=name) for name in "abcd"), joints=joints)
    assert drawable(robot) is robot
    drawn = sketch(robot, {"slide": 0.5, "turn": math.pi / 2})
    assert [(axis.joint, axis.prismatic, axis.direction) for axis in drawn.axes] == [
        ("slide", True, (1.0, 0.0, 0.0)),
        ("turn", False, (0.0, 0.0, 1.0)),
    ]
    assert drawn.frames[1].pose == replace(IDENTITY, translation=(1.5, 0.0, 0.0))


def test_what_is_fixed_to_a_link_that_goes_on_is_left_out():
    out = Transform.from_xyz_rpy((0.3, 0.0, 0.0), (0.3, 0.0, 0.0))
    names_of = ("base", "camera", "lens", "arm", "cover", "hand", "tool")
    joints = (
        Joint(name="camera_joint", type="fixed", parent="base", child="camera", origin=out),
        Joint(name="lens_joint", type="fixed", parent="camera", child="lens", origin=out),
        Joint(name="shoulder", type="continuous", parent="base", child="arm", origin=out),
        Joint(name="cover_joint", type="fixed", parent="arm", child="cover", origin=out),
        Joint(name="elbow", type="continuous", parent="arm", child="hand", origin=out),
        Joint(name="tool_joint", type="fixed", parent="hand", child="tool", origin=out),
    )
    rows = drawable(Robot(name="arm", links=tuple(Link(name=name) for name in names_of), joints=joints))
    assert isinstance(rows, Table)
    assert [joint.name for joint in rows.joints] == ["shoulder", "elbow"]
    assert rows.tool.link == "tool"


def test_four_times_as_many_frames_make_the_paper_twice_as_long():
    assert [crowding(frames) for frames in (2, 12, 48)] == [1.0, 1.0, 2.0]
