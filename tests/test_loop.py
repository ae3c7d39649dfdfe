"""Joints that close loops, kept beside the tree."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.frames import Move, move_frames
from mdh2urdf.home import home_values, with_zero_at
from mdh2urdf.loop import Loop
from mdh2urdf.rigid import leaf_frames, rigid_heads
from mdh2urdf.robot import Limits, Link, Mimic, Robot
from mdh2urdf.se3 import IDENTITY, Transform, quaternion_from_rotation, rotation_from_quaternion, rotation_from_rpy
from test_mjcf import BARE, heavy, joint, robot


def test_a_loop_names_links_and_joints_that_exist():
    loop = Loop(name="j", type="ball", link_a="a", link_b="x", passive=("y",), closed={"z": 0.0})
    with pytest.raises(Mdh2UrdfError) as caught:
        robot([BARE, *heavy("a")], [joint("j", "base", "a")], loops=(loop,))
    assert [str(problem) for problem in caught.value.problems] == [
        "joint name 'j' is used twice",
        "joint 'j': link 'x' does not exist",
        "joint 'j': joint 'y' of its loop does not exist",
        "joint 'j': joint 'z' of its loop does not exist",
    ]


def pair(**fields) -> Robot:
    frame = Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    loop = Loop(name="cut", type="fixed", link_a="a", link_b="b", frame_a=frame, frame_b=frame, **fields)
    return robot([BARE, *heavy("a", "b")], [joint("j", "base", "a"), joint("k", "base", "b")], loops=(loop,))


def test_moved_link_frames_leave_the_ends_of_a_loop_where_they_are():
    made = pair()
    move = Move(pose=Transform.from_xyz_rpy((0, 0, 0.7), (0, 0, 0.2)), along=0.7, about=0.2, angle=0.01)
    moved = move_frames(made, {"j": move})
    for q in (0.0, 0.5):
        before, after = (each.link_poses({"j": q})["a"] @ each.loops[0].frame_a for each in (made, moved))
        assert np.abs(np.array(before.matrix()) - np.array(after.matrix())).max() < 1e-15
    assert moved.loops[0].frame_b == made.loops[0].frame_b
    assert moved.loops[0].frame_a != made.loops[0].frame_a


def test_the_home_pose_closes_the_loops():
    assert home_values(pair(closed={"j": 0.5})) == {"j": 0.5, "k": 0.0}


def test_moved_zeros_leave_every_pose_reachable():
    base = pair(closed={"j": 0.5, "k": 0.25})
    slide = joint("s", "a", "c", "prismatic", limits=Limits(lower=None, upper=1.0))
    follower = joint("f", "b", "d", limits=None, mimic=Mimic(joint="j", multiplier=3.0, offset=0.5))
    rim = joint("w", "d", "e", "fixed")
    made = replace(
        base, links=(*base.links, *(Link(name=name) for name in "cde")), joints=(*base.joints, slide, follower, rim)
    )
    moved = with_zero_at(made, {"j": 0.5, "s": 0.125, "f": 1.0})
    before = made.link_poses({"j": 0.7, "k": 0.1, "s": 0.2})
    after = moved.link_poses({"j": 0.2, "k": 0.1, "s": 0.075})
    for name, pose in before.items():
        assert np.abs(np.array(pose.matrix()) - np.array(after[name].matrix())).max() < 1e-15
    limits = {each.name: each.limits for each in moved.joints}
    assert (limits["j"].lower, limits["j"].upper, limits["j"].effort) == (-1.5, 1.5, 4.0)
    assert (limits["s"].lower, limits["s"].upper) == (None, 0.875)
    assert limits["f"] is None
    assert moved.joints[3].mimic == Mimic(joint="j", multiplier=3.0, offset=1.0)
    assert moved.loops[0].closed == {"j": 0.0, "k": 0.25}


def test_leaf_frames_carry_nothing_that_has_mass_or_moves():
    made = robot(
        [BARE, Link(name="stand"), *heavy("arm"), Link(name="flange"), Link(name="tool"), Link(name="wheel")],
        [
            joint("s", "base", "stand", "fixed"),
            joint("j", "stand", "arm"),
            joint("f", "arm", "flange", "fixed"),
            joint("t", "flange", "tool", "fixed"),
            joint("w", "arm", "wheel"),
        ],
    )
    assert leaf_frames(made) == {"flange", "tool"}
    heads = {"base": "base", "stand": "base", "arm": "arm", "flange": "arm", "tool": "arm", "wheel": "wheel"}
    assert rigid_heads(made) == heads


@pytest.mark.parametrize("rpy", [(0, 0, 0), (math.pi, 0, 0), (0, math.pi, 0), (0, 0, math.pi), (3, -1, 2), (-3, 1, 3)])
def test_a_quaternion_has_its_rotation_and_no_negative_first_component(rpy):
    rotation = rotation_from_rpy(rpy)
    quaternion = quaternion_from_rotation(rotation)
    assert quaternion[0] >= 0.0
    assert np.abs(np.array(rotation_from_quaternion(quaternion)) - np.array(rotation)).max() < 1e-15
    assert IDENTITY.rotation == rotation_from_quaternion((2.0, 0.0, 0.0, 0.0))
