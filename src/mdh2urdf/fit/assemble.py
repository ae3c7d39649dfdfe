"""Frames and rows of a fit as a table: both ends, names, limits, mass data and geometry."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import cast

from mdh2urdf.expression import Units
from mdh2urdf.fit.guide import Guides, tool_pose
from mdh2urdf.fit.limits import held_limits
from mdh2urdf.fit.placement import Placed, Placement
from mdh2urdf.link_data import table_link
from mdh2urdf.names import unused
from mdh2urdf.noise import clean_pose, same_pose
from mdh2urdf.origins import tail
from mdh2urdf.robot import MOVING
from mdh2urdf.screws import Body, Skeleton
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import Base, ModifiedRow, Row, RowType, StandardRow, Table, TableJoint, TableLink, Tool

DEFAULT_TOOL = Tool().link


@dataclass(frozen=True, kw_only=True, slots=True)
class Assembled:
    """A table, and the link of it (or its tool) that has the frame of each tip of the robot."""

    table: Table
    tips: Mapping[str, str]


def assemble(bones: Skeleton, placement: Placement, wishes: Guides, units: Units, *, standard: bool) -> Assembled:
    """The table of a placement."""
    names = {link.name for link in bones.robot.links}
    names |= {joint.name.removesuffix("_joint") for joint in bones.robot.joints if joint.name.endswith("_joint")}
    last_tail = wishes.tail if standard else None
    rows: list[Row] = [one.row for one in placement.bodies]
    if standard:
        rows = _standard_rows(placement.bodies, wishes.tail)
    joints = [
        _joint(body, bones.bodies[body.parent], placed, row)
        for body, placed, row in zip(bones.bodies[1:], placement.bodies, rows, strict=True)
    ]
    tool: Tool | None = None
    tips = {body.link.name: body.link.name for body in bones.bodies if body.link.name in bones.tips}
    if len(bones.tips) == 1:
        tool = _tool(bones, placement, wishes, names)
        tips = {bones.tips[0]: bones.bodies[-1].link.name if tool is None else tool.link}
    else:
        ends, stand_for = _tip_joints(bones, placement, names)
        tips.update(stand_for)
        joints = _in_source_order(bones, [*joints, *ends])
    table = Table(
        name=bones.robot.name,
        joints=tuple(joints),
        units=units,
        base=Base(link=bones.robot.root, pose=placement.base),
        tool=tool,
        links=_links(bones, placement, last_tail),
    )
    return Assembled(table=table, tips=tips)


def _joint(body: Body, parent: Body, placed: Placed, row: Row) -> TableJoint:
    joint = placed.joint
    return TableJoint(
        name=joint.name,
        link=body.link.name,
        parent=parent.link.name,
        type=cast("RowType", joint.type),  # a skeleton has no floating and planar ones
        row=row,
        direction=placed.direction,
        limits=held_limits(joint)[0],
        dynamics=joint.dynamics,
        safety=joint.safety,
        mimic=joint.mimic,
        calibration=joint.calibration,
    )


def _standard_rows(bodies: Iterable[Placed], last: StandardRow) -> list[Row]:
    """Each row's theta and d with the constants before the next axis; behind the last axis those of a table."""
    rows: list[Row] = []
    own = [placed.row for placed in bodies]
    for row, after in itertools.pairwise(own):
        rows.append(StandardRow(theta=row.theta, d=row.d, a=after.a_prev, alpha=after.alpha_prev, beta=after.beta_prev))
    return [*rows, replace(last, theta=own[-1].theta, d=own[-1].d)]


def _tool(bones: Skeleton, placement: Placement, wishes: Guides, names: set[str]) -> Tool | None:
    """What lies between the last frame of a chain and its tip; None if nothing does and the table needs no tool.

    It needs none if the tip is a moving link, or the link that a standard table has behind its last row anyway.
    """
    body, placed = bones.bodies[-1], placement.bodies[-1]
    tip = body.tips[0] if body.tips else None
    pose = (placed.frame @ tail(wishes.tail)).inverse() @ (IDENTITY if tip is None else tip.pose)
    link = unused(DEFAULT_TOOL, names) if tip is None else tip.link.name
    wanted = wishes.tool
    if wanted is not None and same_pose(pose, tool_pose(wanted)):
        return replace(wanted, link=link, cells={})
    pose = IDENTITY if same_pose(pose, IDENTITY) else clean_pose(pose)
    by_itself = tip is None or (link == DEFAULT_TOOL and tail(wishes.tail) != IDENTITY)
    return None if by_itself and pose == IDENTITY else Tool(link=link, pose=pose)


def _tip_joints(bones: Skeleton, placement: Placement, names: set[str]) -> tuple[list[TableJoint], dict[str, str]]:
    """Fixed rows of a tree's tips, and the link of the table that stands for each tip."""
    joints: list[TableJoint] = []
    stand_for: dict[str, str] = {}
    for index, tip, placed in placement.tips:
        moves = tip.joint.type in MOVING
        link = unused(f"{tip.link.name}_tool0", names) if moves else tip.link.name
        joints.append(
            TableJoint(
                name=f"{link}_joint" if moves else tip.joint.name,
                link=link,
                parent=bones.bodies[index].link.name,
                type="fixed",
                row=placed.row,
            )
        )
        stand_for[tip.link.name] = link
    return joints, stand_for


def _in_source_order(bones: Skeleton, joints: list[TableJoint]) -> list[TableJoint]:
    """Rows in the order of the source's joints; rows that the source has no joint for follow their parents."""
    order = {joint.child: place for place, joint in enumerate(bones.robot.joints_from_root())}
    return sorted(joints, key=lambda joint: order.get(joint.link, order.get(joint.parent, 0)))


def _links(bones: Skeleton, placement: Placement, last: StandardRow | None) -> dict[str, TableLink]:
    """Mass data and geometry of every body in its row's DH frame, of the base and a tool link in their own."""
    materials = {material.name: material for material in bones.robot.materials}
    found: dict[str, TableLink] = {}
    for index, body in enumerate(bones.bodies):
        to_frame = IDENTITY
        if index and _has_data(body):
            to_frame = _dh_frame(placement.bodies, index - 1, last).inverse()
        parts = [(body.link, to_frame), *((link, to_frame @ pose) for link, pose in body.fixed)]
        data = table_link(parts, materials, dh=index > 0)
        if data is not None:
            found[body.link.name] = data
        for tip in body.tips:
            data = table_link([(tip.link, IDENTITY)], materials, dh=len(bones.tips) > 1)
            if data is not None:
                found[tip.link.name] = data
    return found


def _has_data(body: Body) -> bool:
    links = [body.link, *(link for link, _ in body.fixed)]
    return any(link.inertial or link.visuals or link.collisions for link in links)


def _dh_frame(bodies: tuple[Placed, ...], place: int, last: StandardRow | None) -> Transform:
    """Frame of a row in its link: on its own axis; of a standard table (``last`` is given) on the next one."""
    frame = bodies[place].frame
    if last is None:
        return frame
    if place + 1 == len(bodies):
        return frame @ tail(last)
    after: ModifiedRow = bodies[place + 1].row
    return frame @ tail(StandardRow(theta=0.0, d=0.0, a=after.a_prev, alpha=after.alpha_prev, beta=after.beta_prev))
