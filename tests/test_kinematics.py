import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import strategies
from mdh2urdf.kinematics import as_transform, dh_frames, joint_values, tool_frame
from mdh2urdf.robot import Mimic
from mdh2urdf.table import ModifiedRow, StandardRow, Table, TableJoint, Tool

RIGHT = math.pi / 2


def chain(*rows, **fields):
    joints = [
        TableJoint(
            name=f"joint{i}", link=f"link{i}", parent=f"link{i - 1}" if i > 1 else "base_link", type="revolute", row=row
        )
        for i, row in enumerate(rows, 1)
    ]
    return Table(name="arm", joints=tuple(joints), **fields)


@given(strategies.tables(), st.data())
def test_frames_are_the_product_of_the_rows(table, data):
    q = [data.draw(strategies.angles) for _ in table.moving_joints]
    wanted = oracles.table_poses(table, q)
    frames = dh_frames(table, q)
    for link, frame in frames.items():
        assert np.allclose(as_transform(frame).matrix(), wanted[link], atol=1e-14)
    assert np.allclose(as_transform(tool_frame(table, q)).matrix(), wanted["tool"], atol=1e-14)


@given(strategies.tables())
def test_arrays_of_joint_values_give_arrays_of_frames(table):
    q = np.linspace(-2, 2, 5 * len(table.moving_joints)).reshape(len(table.moving_joints), 5)
    many = tool_frame(table, list(q))
    for column in range(5):
        one = tool_frame(table, [float(value) for value in q[:, column]])
        entries = [np.broadcast_to(entry, 5)[column] for entry in many]
        assert np.allclose(entries, one, atol=1e-14)


UR5 = chain(
    StandardRow(a=0.0, alpha=RIGHT, d=0.089159, theta=0.0),
    StandardRow(a=-0.425, alpha=0.0, d=0.0, theta=0.0),
    StandardRow(a=-0.39225, alpha=0.0, d=0.0, theta=0.0),
    StandardRow(a=0.0, alpha=RIGHT, d=0.10915, theta=0.0),
    StandardRow(a=0.0, alpha=-RIGHT, d=0.09465, theta=0.0),
    StandardRow(a=0.0, alpha=0.0, d=0.0823, theta=0.0),
)


def test_ur5_at_zero_stands_where_its_maker_says():
    pose = as_transform(tool_frame(UR5, [0.0] * 6))
    assert np.allclose(pose.translation, [-0.81725, -0.19145, -0.005491], atol=1e-12)
    assert np.allclose(pose.rotation, [[1, 0, 0], [0, 0, -1], [0, 1, 0]], atol=1e-12)


def test_ur5_read_with_the_other_convention_stands_elsewhere():
    rows = [ModifiedRow(a_prev=j.row.a, alpha_prev=j.row.alpha, d=j.row.d, theta=j.row.theta) for j in UR5.joints]
    pose = as_transform(tool_frame(chain(*rows), [0.0] * 6))
    assert np.allclose(pose.translation, [-0.81725, -0.266109, -0.10915], atol=1e-12)


def test_mimic_joints_follow_their_leader_through_others():
    row = ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.0, theta=0.0)
    joints = list(chain(row, row, row).joints)
    joints[1] = replace(joints[1], mimic=Mimic(joint="joint3", multiplier=2.0, offset=0.1))
    joints[2] = replace(joints[2], mimic=Mimic(joint="joint1", multiplier=-1.0, offset=0.5))
    values = joint_values(Table(name="arm", joints=tuple(joints)), [0.3, 9.0, 9.0])
    assert values == pytest.approx({"joint1": 0.3, "joint2": 2 * 0.2 + 0.1, "joint3": 0.2})


def test_a_wrong_number_of_joint_values_is_an_error():
    with pytest.raises(ValueError, match="zip"):
        tool_frame(UR5, [0.0] * 5)


def test_fixed_rows_stand_at_nought_and_so_does_what_follows_them():
    row = ModifiedRow(a_prev=0.1, alpha_prev=0.2, d=0.3, theta=0.4)
    joints = (
        TableJoint(name="a", link="l1", parent="base_link", type="fixed", row=row),
        TableJoint(name="b", link="l2", parent="l1", type="revolute", row=row),
        TableJoint(name="c", link="l3", parent="l2", type="revolute", row=row, mimic=Mimic(joint="a", offset=0.5)),
    )
    table = Table(name="t", joints=joints)
    q = [0.7, 0.9][: len(table.moving_joints)]
    assert joint_values(table, q) == {"a": 0.0, "b": 0.7, "c": 0.5}


def test_a_tool_without_a_pose_is_the_last_frame():
    row = ModifiedRow(a_prev=0.1, alpha_prev=0.2, d=0.3, theta=0.4)
    joints = (TableJoint(name="a", link="l1", parent="base_link", type="revolute", row=row),)
    table = Table(name="t", joints=joints, tool=Tool(link="end", pose=None))
    assert tool_frame(table, [0.5]) == dh_frames(table, [0.5])["l1"]
