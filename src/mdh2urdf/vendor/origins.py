"""Kinematics files written: the origin of every joint as x, y, z, roll, pitch, yaw in URDF's meaning.

A kinematics file has no axes: every joint turns about z of its frame, or slides along it; which one, the
description that reads the file knows. A joint that turns about another axis (a reversed one about -z) gets a
frame turned so that its axis is z; the next origin makes up for it, so the links move as before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import pi
from typing import Literal

from mdh2urdf.cell_text import name as yaml_name
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.robot import Joint, Robot
from mdh2urdf.se3 import (
    IDENTITY,
    ORIGIN,
    Z_AXIS,
    Transform,
    Vector3,
    angle_between_rotations,
    rotation_from_rpy,
    rotation_x,
    rpy_from_rotation,
)
from mdh2urdf.text import number
from mdh2urdf.vendor.kept import TOP
from mdh2urdf.vendor.kinematics import FLANGE_ROW, POSE, UR_JOINTS

Layout = Literal["flat", "ur", "franka"]

SAME_AXIS = 1e-15
"""rad: an axis this near to z is z; turning the frame would only add noise."""

READ_BACK_TOLERANCE = 1e-12
"""rad: what the written rpy may turn away from the origin's rotation."""


@dataclass(frozen=True, slots=True)
class _Arm:
    """Joints with axis z, from base to tip; what is fixed behind the last one; whose frames were turned."""

    joints: tuple[Joint, ...]
    flange: Transform | None
    turned: tuple[str, ...]


def write_origins(robot: Robot, *, layout: Layout = "flat", metadata: Mapping[str, str] | None = None) -> str:
    """The text of a kinematics file: the origins of a serial robot's joints, from base to tip.

    Fixed joints are multiplied into the next origin. What is fixed behind the last joint is the eighth row of
    layout ``franka``; other files have no place for it (`left_out` tells).

    Parameters
    ----------
    robot : Robot
    layout : {'flat', 'ur', 'franka'}
        ``kinematics: {JOINT: {x, ...}}``; the same with the six row names of Universal Robots; or
        ``jointN: {kinematic: {x, ...}}``.
    metadata : mapping of str to str, optional
        Entries of the file that was read, by their path, written as they were.

    Raises
    ------
    Mdh2UrdfError
        If the robot has several arms, a joint that does not turn or slide by itself, or not the joints of the layout.
    """
    arm = _arm(robot)
    names = _names(arm, layout)
    lines = [
        f"{name}: {_pose(joint.origin, joint.reference_rpy)}" for name, joint in zip(names, arm.joints, strict=True)
    ]
    entries = dict(metadata or {})
    if layout == "franka":
        if arm.flange is not None and _has_flange(arm, layout):
            lines.append(f"joint{FLANGE_ROW}: {_pose(arm.flange)}")
        rows = [f"{line.replace(': ', ': {kinematic: ', 1)}}}" for line in lines]
        return "".join(f"{line}\n" for line in (*rows, *entries.values()))
    inside = [text for path, text in entries.items() if path.startswith(f"{TOP}.")]
    beside = [text for path, text in entries.items() if not path.startswith(f"{TOP}.")]
    indented = [f"  {line}" if line else line for text in (*lines, *inside) for line in text.split("\n")]
    return "".join(f"{line}\n" for line in (f"{TOP}:", *indented, *beside))


def left_out(robot: Robot, *, layout: Layout = "flat") -> list[Finding]:
    """What a kinematics file of this layout does not say of a robot that can be written in it."""
    arm = _arm(robot)
    findings = []
    if arm.flange is not None and not _has_flange(arm, layout):
        message = f"what is fixed behind {arm.joints[-1].name} is left out: a kinematics file ends with the last joint"
        findings.append(Finding(rule="no-tool", message=message))
    if arm.turned:
        message = f"{', '.join(arm.turned)}: frames are turned until z is the axis; a kinematics file has no axes"
        findings.append(Finding(rule="turned-frame", message=message))
    sliding = [joint.name for joint in arm.joints if joint.type == "prismatic"]
    if sliding:
        does = "slides" if len(sliding) == 1 else "slide"
        what = "a kinematics file has no types, and the description that reads it must know"
        findings.append(Finding(rule="sliding-joint", message=f"{', '.join(sliding)}: {does} along z; {what}"))
    return findings


def _has_flange(arm: _Arm, layout: Layout) -> bool:
    """Whether the layout has a row for what is fixed behind the last joint: only an eighth one is known to be fixed."""
    return layout == "franka" and len(arm.joints) == FLANGE_ROW - 1


def _arm(robot: Robot) -> _Arm:
    """The one arm of a robot, its frames turned until z is the axis."""
    path = _path(robot)
    problems = [
        f"joint {joint.name!r} is {joint.type}; a kinematics file has joints that turn or slide"
        for joint in path
        if joint.type not in ("revolute", "continuous", "prismatic", "fixed")
    ]
    problems += [
        f"joint {joint.name!r} follows {joint.mimic.joint!r}; a kinematics file has joints that move by themselves"
        for joint in path
        if joint.mimic is not None
    ]
    if problems:
        raise Mdh2UrdfError(Finding(message=message) for message in problems)
    joints: list[Joint] = []
    turned: list[str] = []
    pending = IDENTITY
    for joint in path:
        pending = pending @ joint.origin if pending != IDENTITY else joint.origin
        if joint.type == "fixed":
            continue
        turn = _turn_to(joint.axis)
        joints.append(replace(joint, origin=pending @ turn if turn != IDENTITY else pending, axis=Z_AXIS))
        pending = turn.inverse()
        if turn != IDENTITY:
            turned.append(joint.name)
    behind = path[-1].type == "fixed" or pending != IDENTITY
    return _Arm(tuple(joints), pending if behind else None, tuple(turned))


def _path(robot: Robot) -> tuple[Joint, ...]:
    """Joints from the root to the leaf behind all moving joints."""
    chains = [robot.chain(robot.root, leaf) for leaf in robot.leaves()]
    moving = [[joint.name for joint in chain if joint.type != "fixed"] for chain in chains]
    longest = max(moving, key=len)
    if not longest:
        raise Mdh2UrdfError(f"{robot.name} has no joint that moves")
    others = sorted({name for names in moving for name in names} - set(longest))
    if others:
        raise Mdh2UrdfError(f"{robot.name} has several arms ({', '.join(others)}); a kinematics file has one")
    return chains[moving.index(longest)]


def _turn_to(axis: Vector3) -> Transform:
    """The smallest turn that takes z to an axis; half a turn about x for -z."""
    x, y, z = axis
    if x * x + y * y <= SAME_AXIS**2:
        return IDENTITY if z > 0 else Transform(rotation_x(pi))
    if z < 0:
        return Transform(rotation_x(pi)) @ _turn_to((x, -y, -z))
    share = 1.0 / (1.0 + z)
    rotation = (
        (1.0 - x * x * share, -x * y * share, x),
        (-x * y * share, 1.0 - y * y * share, y),
        (-x, -y, z),
    )
    return Transform(rotation)


def _names(arm: _Arm, layout: Layout) -> list[str]:
    """Keys of the rows, quoted where YAML needs it."""
    count = len(arm.joints)
    if layout == "flat":
        return [yaml_name(joint.name) for joint in arm.joints]
    if layout == "ur":
        if count != len(UR_JOINTS):
            raise Mdh2UrdfError(f"layout ur has {len(UR_JOINTS)} joints, the robot has {count}")
        return list(UR_JOINTS)
    return [f"joint{place}" for place in range(1, count + 1)]


def _pose(origin: Transform, reference: Vector3 = ORIGIN) -> str:
    rpy = rpy_from_rotation(origin.rotation, reference)
    if angle_between_rotations(rotation_from_rpy(rpy), origin.rotation) > READ_BACK_TOLERANCE:
        raise AssertionError(f"rpy {rpy} does not read back as {origin.rotation}")
    values = zip(POSE, (*origin.translation, *rpy), strict=True)
    return f"{{{', '.join(f'{key}: {_float(value)}' for key, value in values)}}}"


def _float(value: float) -> str:
    """A number that YAML 1.1 takes for one: it reads ``1e-07`` as text, and ``1.0e-07`` as a number."""
    text = number(value)
    return text.replace("e", ".0e") if "e" in text and "." not in text else text
