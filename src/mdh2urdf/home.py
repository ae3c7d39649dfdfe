"""A pose to start in, and robots whose zero is moved there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mdh2urdf.robot import MOVING, Joint, Limits, Mimic, Robot


def home_values(robot: Robot) -> dict[str, float]:
    """Value of every joint in the home pose, rad or m: 0, or the limit nearest to 0 where that is outside.

    Joints of a loop stand where the loop is closed, as far as that is known; mimic joints follow.
    """
    start = {joint.name: nearest_to_zero(joint) for joint in robot.joints}
    for loop in robot.loops:
        start.update(loop.closed)
    return robot.joint_values(start)


def nearest_to_zero(joint: Joint) -> float:
    """The value within a joint's limits that is nearest to 0."""
    if joint.type == "continuous" or joint.limits is None:
        return 0.0
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is not None and lower > 0.0:
        return lower
    return upper if upper is not None and upper < 0.0 else 0.0


def with_zero_at(robot: Robot, values: Mapping[str, float]) -> Robot:
    """The same robot with every joint's zero moved to the given value: ``q_new = q - value``.

    Origins, limits, mimic offsets and the closed poses of loops follow; a joint that is not named stays.
    """
    joints = tuple(_moved_zero(joint, values) if joint.type in MOVING else joint for joint in robot.joints)
    loops = tuple(
        replace(loop, closed={name: value - values.get(name, 0.0) for name, value in loop.closed.items()})
        for loop in robot.loops
    )
    return replace(robot, joints=joints, loops=loops)


def _moved_zero(joint: Joint, values: Mapping[str, float]) -> Joint:
    value = values.get(joint.name, 0.0)
    mimic = joint.mimic
    if mimic is not None:
        offset = mimic.offset + mimic.multiplier * values.get(mimic.joint, 0.0) - value
        mimic = Mimic(joint=mimic.joint, multiplier=mimic.multiplier, offset=offset)
    if value == 0.0:
        return replace(joint, mimic=mimic)
    limits = joint.limits
    if limits is not None:
        limits = Limits(
            lower=None if limits.lower is None else limits.lower - value,
            upper=None if limits.upper is None else limits.upper - value,
            velocity=limits.velocity,
            effort=limits.effort,
        )
    return replace(joint, origin=joint.origin @ joint.motion(value), limits=limits, mimic=mimic)
