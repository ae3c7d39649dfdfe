"""From a table to a robot: origins of every row, both ends of the chain, and every body in its link's frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mdh2urdf.errors import CheckError, Finding
from mdh2urdf.frames import Mode, Move, in_frame, move_frames, moves
from mdh2urdf.kinematics import as_transform, tool_frame
from mdh2urdf.origins import modified_origin, standard_origin, tail
from mdh2urdf.robot import Inertial, Joint, Link, Robot
from mdh2urdf.se3 import (
    IDENTITY,
    NO_ROTATION,
    Transform,
    angle_between_rotations,
    norm,
    rotation_from_rpy,
    subtract,
)
from mdh2urdf.table import ExpectedPose, ModifiedRow, Row, StandardRow, Table, TableJoint, TableLink, Tool
from mdh2urdf.text import number


@dataclass(frozen=True, kw_only=True, slots=True)
class Conversion:
    """A table as a robot, and which joint frames were moved on the way."""

    robot: Robot
    moved: Mapping[str, Move]


def robot_from_table(table: Table, *, frames: Mode = "auto", nominal: Table | None = None) -> Conversion:
    """The robot that a table describes; its forward kinematics equal the table's for every q.

    Parameters
    ----------
    table : Table
    frames : {'auto', 'slid', 'strict'}
        Whether joint frames may be moved along and about their axes (see `frames.moves`).
    nominal : Table, optional
        The same arm as designed; moved frames are placed near to its frames.
    """
    strict = strict_robot(table)
    reference = None if nominal is None else strict_robot(nominal)
    automatic = moves(strict, "auto", reference)
    moved = automatic if frames == "auto" else moves(strict, frames, reference)
    robot = move_frames(strict, moved)
    links = tuple(_link(table, link.name, strict, automatic, moved) for link in robot.links)
    return Conversion(robot=replace(robot, links=links), moved=moved)


def strict_robot(table: Table) -> Robot:
    """Links and joints of a table with the table's own frames, without mass data and geometry."""
    joints: list[Joint] = []
    start = table.base.link
    if table.base.pose != IDENTITY:
        start = f"{table.base.link}_frame0"
        joints.append(
            Joint(name=f"{start}_joint", type="fixed", parent=table.base.link, child=start, origin=table.base.pose)
        )
    previous: dict[str, Row] = {}
    for row in table.joints:
        parent = start if row.parent == table.base.link else row.parent
        joints.append(_joint(row, parent, _origin(previous.get(row.parent), row.row)))
        previous[row.link] = row.row
    joints.extend(_tool_joint(table))
    names = [table.base.link, *(joint.child for joint in joints)]
    return Robot(name=table.name, links=tuple(Link(name=name) for name in names), joints=tuple(joints))


def _origin(previous: Row | None, row: Row) -> Transform:
    if isinstance(row, ModifiedRow):
        return modified_origin(row)
    return standard_origin(previous if isinstance(previous, StandardRow) else None, row)


def _joint(row: TableJoint, parent: str, origin: Transform) -> Joint:
    return Joint(
        name=row.name,
        type=row.type,
        parent=parent,
        child=row.link,
        origin=origin,
        axis=(0.0, 0.0, float(row.direction)),
        limits=row.limits,
        dynamics=row.dynamics,
        safety=row.safety,
        mimic=row.mimic,
        calibration=row.calibration,
        reference_rpy=row.reference_rpy,
    )


def _tool_joint(table: Table) -> list[Joint]:
    """The fixed joint to the tool link: what the last row has behind its motion, times the tool."""
    last = table.joints[-1]
    pose = tail(last.row)
    if table.tool is None and pose == IDENTITY:
        return []
    tool = table.tool or Tool()
    if isinstance(tool.row, ModifiedRow):
        pose = modified_origin(tool.row)
    elif isinstance(tool.row, StandardRow):
        pose = _origin(last.row, tool.row) @ tail(tool.row)
    elif tool.pose is not None:
        pose = pose @ tool.pose if pose != IDENTITY else tool.pose
    return [Joint(name=f"{tool.link}_joint", type="fixed", parent=last.link, child=tool.link, origin=pose)]


def _link(table: Table, name: str, strict: Robot, automatic: Mapping[str, Move], moved: Mapping[str, Move]) -> Link:
    """The link with its mass data and geometry in the frame that it is written with."""
    data = table.links.get(name)
    if data is None:
        return Link(name=name)
    joint = strict.parent_joint(name)
    carrier = joint.name if joint is not None else ""
    written = moved[carrier].pose if carrier in moved else IDENTITY
    if data.frame == "joint":
        given = automatic[carrier].pose if carrier in automatic else IDENTITY
    else:
        given = next((tail(row.row) for row in table.joints if row.link == name), IDENTITY)
    pose = IDENTITY if given == written else written.inverse() @ given
    link = Link(name=name, inertial=_inertial(data), visuals=data.visuals, collisions=data.collisions)
    return in_frame(link, pose)


def _inertial(data: TableLink) -> Inertial | None:
    if data.mass is None or data.inertia is None:
        return None
    rotation = rotation_from_rpy(data.inertia_rpy) if any(data.inertia_rpy) else NO_ROTATION
    return Inertial(mass=data.mass, inertia=data.inertia, origin=Transform(rotation, data.center_of_mass))


def check_expected_poses(table: Table, file: str = "") -> None:
    """Compare the poses that a table's source publishes with its rows.

    Raises
    ------
    CheckError
        Naming every pose that is missed and by how much.
    """
    problems = []
    strict = None
    for index, pose in enumerate(table.expect):
        if pose.link is None:
            reached = as_transform(tool_frame(table, pose.q))
        else:
            strict = strict or strict_robot(table)
            names = (joint.name for joint in table.moving_joints)
            reached = strict.link_poses(dict(zip(names, pose.q, strict=True)))[pose.link]
        missed = _missed(pose, reached)
        if missed:
            problems.append(Finding(rule="expect", file=file, path=f"expect[{index}]", message=missed))
    if problems:
        raise CheckError(problems)


def _missed(pose: ExpectedPose, reached: Transform) -> str:
    """By how much a pose misses the published one, empty if it is within the tolerances."""
    parts = []
    if pose.xyz is not None:
        distance = norm(subtract(reached.translation, pose.xyz))
        if not distance <= pose.length_tolerance:
            at = ", ".join(number(round(value, 6)) for value in reached.translation)
            parts.append(f"position is off by {distance:.3g} m (the rows give [{at}] m)")
    if pose.rpy is not None:
        angle = angle_between_rotations(reached.rotation, rotation_from_rpy(pose.rpy))
        if not angle <= pose.angle_tolerance:
            parts.append(f"orientation is off by {angle:.3g} rad")
    return ", ".join(parts)
