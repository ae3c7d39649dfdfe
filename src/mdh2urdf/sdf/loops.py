"""Loops in SDF, which takes the pose in the file as the one in which every joint, the closing ones too, is at 0."""

from __future__ import annotations

from math import asin, hypot

from mdh2urdf.errors import Finding
from mdh2urdf.home import with_zero_at
from mdh2urdf.loop import Loop
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import (
    IDENTITY,
    Transform,
    angle_between_rotations,
    cross,
    dot,
    norm,
    rotate,
    scale,
    subtract,
)
from mdh2urdf.text import number

CLOSED = 1e-6
"""m and rad: a loop whose ends are farther apart is open; closed poses of solved loops are a thousand times better."""


def zero_poses(robot: Robot) -> dict[str, Transform]:
    """Pose of every link in the root with every joint at 0, mimic joints too."""
    poses = {robot.root: IDENTITY}
    for joint in robot.joints_from_root():
        poses[joint.child] = poses[joint.parent] @ joint.origin
    return poses


def open_at_zero(robot: Robot, loop: Loop) -> bool:
    """Whether a loop's joint cannot hold with every joint of the tree at 0."""
    poses = zero_poses(robot)
    gap = (poses[loop.link_a] @ loop.frame_a).inverse() @ poses[loop.link_b] @ loop.frame_b
    axis = loop.axis
    apart = gap.translation
    turned = rotate(gap.rotation, axis)
    tilt = asin(min(1.0, hypot(*cross(axis, turned)))) if dot(axis, turned) > 0.0 else 1.0
    if loop.type == "ball":
        tilt = 0.0
    elif loop.type == "prismatic":
        apart = subtract(apart, scale(dot(apart, axis), axis))
        tilt = angle_between_rotations(gap.rotation, IDENTITY.rotation)
    elif loop.type == "fixed":
        tilt = angle_between_rotations(gap.rotation, IDENTITY.rotation)
    return not (norm(apart) <= CLOSED and tilt <= CLOSED)


def closed_at_zero(robot: Robot) -> tuple[Robot, list[Finding]]:
    """The robot with zeros at which its loops are closed, as far as such a pose is known, and what was done."""
    gaping = [loop for loop in robot.loops if open_at_zero(robot, loop)]
    values: dict[str, float] = {}
    for loop in gaping:
        values.update(loop.closed)
    findings: list[Finding] = []
    moved = {name: value for name, value in values.items() if value != 0.0}
    if moved:
        robot = with_zero_at(robot, moved)
        shifts = ", ".join(f"{name} {number(value)}" for name, value in moved.items())
        message = f"SDF wants loops closed where its joints are 0: its zeros are at {shifts} (rad, m)"
        findings.append(Finding(rule="zero-moved", message=message))
    for loop in gaping:
        if open_at_zero(robot, loop):
            message = "the loop stays open: no pose is known in which it is closed"
            findings.append(Finding(rule="open-loop", path=loop.name, message=message))
    return robot, findings
