"""What a picture of an arm shows: common normals, ways along axes, joint axes and frames at one pose.

A table is sketched from its own rows, a robot description from the rows that fit finds for it. Lengths in m,
in the root link's frame.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import sqrt
from typing import Literal

from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.kinematics import (
    Frame,
    as_transform,
    dh_frames,
    joint_theta_d,
    joint_values,
    shift_x,
    shift_z,
    tool_frame,
    turn_x,
    turn_y,
    turn_z,
)
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.se3 import IDENTITY, Transform, Vector3, add, column, norm, rotate, scale, subtract
from mdh2urdf.table import Base, Convention, ModifiedRow, Row, Table, TableJoint

SegmentKind = Literal["a", "d", "b", "link"]

SHORT = 1e-6
"""m; what is shorter is not drawn: less than a line's width in any picture of a whole arm."""

SYMBOL_DISTANCE = 0.1
"""Share of a usual arm's size by which the symbols of two joints keep apart, see `crowding`."""

USUAL_FRAMES = 12
"""Frames that find room on a page; the paper's area grows with what is more."""

UNIT_SIZE = 0.5
"""m; the size that symbols are made for when all points of an arm coincide."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Segment:
    """A straight piece of the skeleton.

    Parameters
    ----------
    kind : {'a', 'd', 'b', 'link'}
        Along a common normal, along the row's axis, Khalil's b along the axis before; ``link`` is none of
        the table's lengths: the base, the tool, or the way between two origins.
    row : int
        Row of the table, from 1; one more than the table has for the tool; 0 for the base.
    index : int
        The field's subscript: Craig's ``a_{i-1}`` stands in row i; everything else, and every length of a
        tree (Khalil), has its row's number.
    start, end : Vector3
    value : float
        Signed length as the row has it at this pose, m.
    """

    kind: SegmentKind
    row: int
    index: int
    start: Vector3
    end: Vector3
    value: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Axis:
    """The axis of a moving joint: where its symbol sits, a point of the frame that it turns, positive direction."""

    row: int
    joint: str
    prismatic: bool
    symbol: Vector3
    point: Vector3
    direction: Vector3


@dataclass(frozen=True, kw_only=True, slots=True)
class FrameMark:
    """A frame by its row's number (as text), or by its link's name where it belongs to no row."""

    label: str
    link: str
    pose: Transform


@dataclass(frozen=True, kw_only=True, slots=True)
class Sketch:
    """An arm at one pose."""

    segments: tuple[Segment, ...]
    axes: tuple[Axis, ...]
    frames: tuple[FrameMark, ...]

    @property
    def points(self) -> tuple[Vector3, ...]:
        """Every point that a skeleton goes through, m."""
        ends = (point for segment in self.segments for point in (segment.start, segment.end))
        return (*ends, *(frame.pose.translation for frame in self.frames))

    @property
    def size(self) -> float:
        """Diagonal of the box around all points, m."""
        return _size(self.points)


def drawable(model: Table | Robot) -> Table | Robot:
    """The rows that a model is drawn by, or the description itself if its joints have no rows.

    A table is its own, unless it has a common normal so far away that a joint frame would be moved: then it
    is fitted with Hayati's beta. A robot description is fitted in the modified convention, without what is fixed
    to a link that goes on (cameras, covers); where nothing moves, or a joint is floating or planar, there is no
    table.
    """
    if isinstance(model, Table):
        conversion = robot_from_table(model)
        return _fitted(conversion.robot, model.convention) if conversion.moved else model
    try:
        return _fitted(_without_side_pieces(model), "modified")
    except Mdh2UrdfError:
        return model


def _without_side_pieces(robot: Robot) -> Robot:
    """The robot without links that no moving joint and no end of a chain of moving joints needs."""

    def carrier(link: str) -> str:
        """The link that a link is fixed to, through any number of fixed joints; itself if it moves."""
        joint = robot.parent_joint(link)
        while joint is not None and joint.type == "fixed":
            link = joint.parent
            joint = robot.parent_joint(link)
        return link

    going_on = {carrier(joint.parent) for joint in robot.joints if joint.type != "fixed"}
    needed = {robot.root}
    for leaf in robot.leaves():
        if carrier(leaf) not in going_on:
            needed.update(joint.child for joint in robot.chain(robot.root, leaf))
    links = tuple(link for link in robot.links if link.name in needed)
    return replace(robot, links=links, joints=tuple(joint for joint in robot.joints if joint.child in needed))


def _fitted(robot: Robot, convention: Convention) -> Table:
    from mdh2urdf.fit.fitting import fit_table

    return fit_table(robot, convention=convention)[0]


def sketch(rows: Table | Robot, q: Mapping[str, float]) -> Sketch:
    """The sketch of what `drawable` gave, at joint values q in rad and m; joints that are not named stand at 0."""
    return _of_rows(rows, q) if isinstance(rows, Table) else _of_origins(rows, q)


def _of_rows(table: Table, q: Mapping[str, float]) -> Sketch:
    values = [q.get(joint.name, 0.0) for joint in table.moving_joints]
    frames = dh_frames(table, values)
    by_joint = joint_values(table, values)
    poses = {link: as_transform(frame) for link, frame in frames.items()}
    size = _size([pose.translation for pose in poses.values()])
    apart = SYMBOL_DISTANCE * size / crowding(len(table.joints) + 1)
    segments, marks = _base(table.base)
    before = 1 if is_chain(table) and table.convention == "modified" else 0
    axes: list[Axis] = []
    for number, joint in enumerate(table.joints, 1):
        theta, d = joint_theta_d(joint, by_joint[joint.name])
        pieces = _row_segments(frames[joint.parent], joint.row, theta, d, number, before)
        segments += pieces
        marks.append(FrameMark(label=str(number), link=joint.link, pose=poses[joint.link]))
        if joint.type != "fixed":
            carrier = poses[joint.link if isinstance(joint.row, ModifiedRow) else joint.parent]
            axes.append(_axis(number, joint, carrier, pieces, axes, apart))
    if table.tool is not None:
        last = frames[table.joints[-1].link]
        end = as_transform(tool_frame(table, values))
        marks.append(FrameMark(label=table.tool.link, link=table.tool.link, pose=end))
        row, number = table.tool.row, len(table.joints) + 1
        if row is None:
            segments += _link(number, as_transform(last), end)
        else:
            segments += _row_segments(last, row, row.theta, row.d, number, before)
    return Sketch(segments=tuple(segments), axes=tuple(axes), frames=tuple(marks))


def crowding(frames: int) -> float:
    """How much longer the sides of the paper are than a usual arm's; symbols stay as large as they are."""
    return sqrt(max(1.0, frames / USUAL_FRAMES))


def _base(base: Base) -> tuple[list[Segment], list[FrameMark]]:
    """Frame 0, and the root link's frame if it is another one, with the way between them."""
    marks = [FrameMark(label="0", link=base.link, pose=base.pose)]
    if base.pose != IDENTITY:
        marks.insert(0, FrameMark(label=base.link, link=base.link, pose=IDENTITY))
    return _link(0, IDENTITY, base.pose), marks


def is_chain(table: Table) -> bool:
    """Whether every row starts from the frame of the row before it."""
    parents = [table.base.link, *(joint.link for joint in table.joints[:-1])]
    return [joint.parent for joint in table.joints] == parents


def _row_segments(frame: Frame, row: Row, theta: float, d: float, number: int, before: int) -> list[Segment]:
    """The lengths of a row, factor by factor as docs/conventions.md prints it; a belongs ``before`` rows up."""
    if isinstance(row, ModifiedRow):
        frame = turn_z(frame, row.gamma)
        above = shift_z(frame, row.b)
        turned = turn_x(turn_y(above, row.beta_prev), row.alpha_prev)
        foot = turn_z(shift_x(turned, row.a_prev), theta)
        stations: list[tuple[SegmentKind, float, Frame, Frame]] = [
            ("b", row.b, frame, above),
            ("a", row.a_prev, turned, foot),
            ("d", d, foot, shift_z(foot, d)),
        ]
    else:
        above = shift_z(turn_z(frame, theta), d)
        stations = [("d", d, frame, above), ("a", row.a, above, shift_x(above, row.a))]
    return [
        Segment(
            kind=kind,
            row=number,
            index=number - before if kind == "a" else number,
            start=_point(start),
            end=_point(end),
            value=value,
        )
        for kind, value, start, end in stations
        if abs(value) >= SHORT
    ]


def _point(frame: Frame) -> Vector3:
    return as_transform(frame).translation


def _link(number: int, start: Transform, end: Transform) -> list[Segment]:
    """A straight piece that is no length of a table; none if the points coincide."""
    p, q = start.translation, end.translation
    length = norm(subtract(q, p))
    if length < SHORT:
        return []
    return [Segment(kind="link", row=number, index=number, start=p, end=q, value=length)]


def _axis(
    number: int, joint: TableJoint, carrier: Transform, pieces: list[Segment], placed: list[Axis], apart: float
) -> Axis:
    """The axis with its symbol halfway along d, or else at the frame, out of the way of the symbols before."""
    z = column(carrier.rotation, 2)
    along = [piece for piece in pieces if piece.kind == "d"]
    wanted = scale(0.5, add(along[0].start, along[0].end)) if along else carrier.translation
    return Axis(
        row=number,
        joint=joint.name,
        prismatic=joint.type == "prismatic",
        symbol=_free_place(wanted, z, [axis.symbol for axis in placed], apart),
        point=carrier.translation,
        direction=scale(float(joint.direction), z),
    )


def _free_place(wanted: Vector3, axis: Vector3, taken: list[Vector3], apart: float) -> Vector3:
    """The place nearest to the wanted one, in steps along the axis, that keeps apart from the taken ones.

    A taken place rules out two steps at most, so one of the ``2 n + 1`` is free.
    """
    steps = (step for count in range(len(taken) + 1) for step in (count, -count))
    places = (add(wanted, scale(step * apart, axis)) for step in steps)
    # A step a hair short of the distance must not count as too near.
    free = (place for place in places if all(norm(subtract(place, other)) > 0.99 * apart for other in taken))
    return next(free)


def _of_origins(robot: Robot, q: Mapping[str, float]) -> Sketch:
    """Joint origins with straight pieces between them, for a description without rows."""
    poses = robot.link_poses(q)
    marks = [FrameMark(label=link.name, link=link.name, pose=poses[link.name]) for link in robot.links]
    segments: list[Segment] = []
    axes: list[Axis] = []
    for number, joint in enumerate(robot.joints_from_root(), 1):
        pose = poses[joint.child]
        segments += _link(number, poses[joint.parent], pose)
        if joint.type in MOVING:
            axes.append(
                Axis(
                    row=number,
                    joint=joint.name,
                    prismatic=joint.type == "prismatic",
                    symbol=pose.translation,
                    point=pose.translation,
                    direction=rotate(pose.rotation, joint.axis),
                )
            )
    return Sketch(segments=tuple(segments), axes=tuple(axes), frames=tuple(marks))


def _size(points: Sequence[Vector3]) -> float:
    """Diagonal of the box around points, or `UNIT_SIZE` if they coincide."""
    spans = [max(values) - min(values) for values in zip(*points, strict=True)]
    diagonal = norm((spans[0], spans[1], spans[2]))
    return diagonal if diagonal >= SHORT else UNIT_SIZE
