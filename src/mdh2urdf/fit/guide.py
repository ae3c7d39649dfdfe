"""What a table given by ``--like`` says about free choices and signs, joint by joint of another robot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.origins import modified_origin, standard_origin, tail
from mdh2urdf.robot import MOVING
from mdh2urdf.screws import Skeleton
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import Convention, ModifiedRow, Row, StandardRow, Table, TableJoint, Tool

NO_TAIL = StandardRow(theta=0.0, d=0.0, a=0.0, alpha=0.0)
"""What a standard table has before its first row and, unless it says so, behind its last axis."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Guide:
    """What one row wants: constants before its axis, theta and d on it, as a modified row has them; direction."""

    row: ModifiedRow
    direction: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Guides:
    """What a table wants, by joint name of the robot that is fitted.

    Parameters
    ----------
    rows : mapping of str to Guide
    base : Transform or None
        Pose of frame 0, None without a table.
    tail : StandardRow
        a, alpha and beta behind the last axis of a standard table.
    tool : Tool or None
    end : Transform
        Pose of the tool link in the last moving row's frame.
    """

    rows: Mapping[str, Guide] = field(default_factory=dict)
    base: Transform | None = None
    tail: StandardRow = NO_TAIL
    tool: Tool | None = None
    end: Transform = IDENTITY


def guides(like: Table | None, bones: Skeleton, convention: Convention) -> Guides:
    """The wishes of a table for the joints of a skeleton: paired by name if the names agree, else in order.

    Raises
    ------
    Mdh2UrdfError
        If the table is of the other convention or has another number of moving joints.
    """
    if like is None:
        return Guides()
    if like.convention != convention:
        raise Mdh2UrdfError(
            f"the table given by --like is {like.convention}, the fit is {convention}: "
            f"give --convention {like.convention} or another table"
        )
    ours = [body.joint.name for body in bones.bodies if body.joint is not None]
    theirs = [joint.name for joint in like.moving_joints]
    if len(ours) != len(theirs):
        raise Mdh2UrdfError(
            f"the table given by --like has {len(theirs)} moving joints ({', '.join(theirs)}), "
            f"the robot {len(ours)} ({', '.join(ours)})"
        )
    named = set(ours) == set(theirs)
    name_of = {their: their if named else our for their, our in zip(theirs, ours, strict=True)}
    name_of.update(_fixed_names(like, bones))
    last = like.moving_joints[-1].row
    return Guides(
        rows=_rows(like, name_of),
        base=like.base.pose,
        tail=last if isinstance(last, StandardRow) else NO_TAIL,
        tool=like.tool,
        end=_end(like),
    )


def _fixed_names(like: Table, bones: Skeleton) -> dict[str, str]:
    """The table's fixed rows whose link is a tip of the robot, and the joint of that tip."""
    tips = {tip.link.name: tip.joint.name for body in bones.bodies for tip in body.tips}
    return {joint.name: tips[joint.link] for joint in like.joints if joint.type == "fixed" and joint.link in tips}


def _end(like: Table) -> Transform:
    """What a chain has behind its last moving row: fixed rows and the tool."""
    pose = IDENTITY
    for joint in like.joints:
        pose = pose @ fixed_pose(joint.row) if joint.type == "fixed" else IDENTITY
    return pose if like.tool is None else pose @ tool_pose(like.tool)


def tool_pose(tool: Tool) -> Transform:
    """Pose of a tool link in the last frame, whatever it is written as."""
    return fixed_pose(tool.row) if tool.row else tool.pose or IDENTITY


def fixed_pose(row: Row) -> Transform:
    """The whole transform of a row that does not move."""
    return modified_origin(row) if isinstance(row, ModifiedRow) else standard_origin(None, row) @ tail(row)


def _rows(like: Table, name_of: Mapping[str, str]) -> dict[str, Guide]:
    """Guides of the rows that start from a moving joint's frame, as those of a fit do."""
    carrier = {joint.link: joint for joint in like.joints}
    found: dict[str, Guide] = {}
    for joint in like.joints:
        above = carrier.get(joint.parent)
        if joint.name in name_of and (above is None or above.type in MOVING):
            row = joint.row if isinstance(joint.row, ModifiedRow) else _regrouped(joint, above)
            found[name_of[joint.name]] = Guide(row=row, direction=joint.direction)
    return found


def _regrouped(joint: TableJoint, above: TableJoint | None) -> ModifiedRow:
    """A standard row's theta and d behind the constants that the row above ends with."""
    before = NO_TAIL if above is None else cast("StandardRow", above.row)
    own = cast("StandardRow", joint.row)
    return ModifiedRow(a_prev=before.a, alpha_prev=before.alpha, beta_prev=before.beta, theta=own.theta, d=own.d)
