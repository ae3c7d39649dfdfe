"""Joint screws in the base frame, against poses by matrices."""

from __future__ import annotations

import random

import numpy as np
import pytest

import chains
import oracles
from fitted import arm, joint, robot
from mdh2urdf.screws import Skeleton, screws, skeleton


@pytest.mark.parametrize("seed", range(20))
def test_screws_are_the_axes_and_points_of_the_joints_at_zero(seed):
    chain = chains.draw(random.Random(seed))
    poses = oracles.robot_poses(chain.robot, {})
    found = screws(chain.robot)
    assert found.base == "base_link"
    moving = [one for one in chain.robot.joints if one.type != "fixed"]
    assert [screw.joint for screw in found.joints] == moving
    for screw in found.joints:
        pose = poses[screw.joint.child]
        np.testing.assert_allclose(screw.axis, pose[:3, :3] @ screw.joint.axis, atol=1e-14)
        np.testing.assert_allclose(screw.point, pose[:3, 3], atol=1e-14)
    ((tip, pose),) = found.tips.items()
    assert tip == chain.tip
    np.testing.assert_allclose(np.array(pose.matrix()), poses[tip], atol=1e-14)


def test_parents_are_moving_links_or_the_base():
    source = robot(
        joint("mount", "world", "base", kind="fixed"),
        joint("a", "base", "one", (0, 0, 0.1)),
        joint("f", "one", "plate", (0, 0, 0.1), kind="fixed"),
        joint("b", "plate", "two", (0, 0, 0.1)),
        joint("c", "plate", "three", (0, 0, 0.2)),
    )
    found = screws(source)
    assert [(screw.joint.name, screw.parent) for screw in found.joints] == [("a", "world"), ("b", "one"), ("c", "one")]
    assert {name: pose.translation[2] for name, pose in found.tips.items()} == pytest.approx({"two": 0.3, "three": 0.4})


def test_screws_of_a_part_are_in_its_base_frame():
    source = arm(((0, 0, 0.1), (0.3, 0, 0)), ((0.2, 0, 0), (1, 0, 0)), ((0.1, 0.2, 0), (1, 1, 0)))
    found = screws(source, "l1", "l2")
    assert [(screw.joint.name, screw.point) for screw in found.joints] == [("j2", (0.2, 0.0, 0.0))]
    assert list(found.tips) == ["l2"]


def test_the_base_of_a_skeleton_has_no_joint():
    bones = skeleton(arm(((0, 0, 0.1), (0, 0, 0))))
    assert isinstance(bones, Skeleton)
    assert bones.joint(1).name == "j1"
    with pytest.raises(AssertionError):
        bones.joint(0)
