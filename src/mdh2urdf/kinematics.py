"""Forward kinematics straight from the rows, by elementary turns and shifts.

This module knows nothing of origins or rpy: it is the second, independent way to a pose.
Each row is multiplied out as it is printed in docs/conventions.md, one elementary transform after
the other. The joint values may be numbers or numpy arrays of one shape; poses then hold arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import cos, sin
from typing import Any

from mdh2urdf.se3 import Transform
from mdh2urdf.table import ModifiedRow, Row, Table, TableJoint

Number = Any
"""A float, or a numpy array of floats."""

Frame = tuple[Number, ...]
"""The twelve entries of a pose by columns: x axis, y axis, z axis, point."""

START: Frame = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0)


def _cos_sin(angle: Number) -> tuple[Number, Number]:
    if isinstance(angle, float | int):
        return cos(angle), sin(angle)
    import numpy as np

    return np.cos(angle), np.sin(angle)


def turn_x(frame: Frame, angle: Number) -> Frame:
    """Frame times Rx(angle)."""
    c, s = _cos_sin(angle)
    xx, xy, xz, yx, yy, yz, zx, zy, zz, px, py, pz = frame
    return (
        *(xx, xy, xz),
        *(c * yx + s * zx, c * yy + s * zy, c * yz + s * zz),
        *(c * zx - s * yx, c * zy - s * yy, c * zz - s * yz),
        *(px, py, pz),
    )


def turn_y(frame: Frame, angle: Number) -> Frame:
    """Frame times Ry(angle)."""
    c, s = _cos_sin(angle)
    xx, xy, xz, yx, yy, yz, zx, zy, zz, px, py, pz = frame
    return (
        *(c * xx - s * zx, c * xy - s * zy, c * xz - s * zz),
        *(yx, yy, yz),
        *(c * zx + s * xx, c * zy + s * xy, c * zz + s * xz),
        *(px, py, pz),
    )


def turn_z(frame: Frame, angle: Number) -> Frame:
    """Frame times Rz(angle)."""
    c, s = _cos_sin(angle)
    xx, xy, xz, yx, yy, yz, zx, zy, zz, px, py, pz = frame
    return (
        *(c * xx + s * yx, c * xy + s * yy, c * xz + s * yz),
        *(c * yx - s * xx, c * yy - s * xy, c * yz - s * xz),
        *(zx, zy, zz),
        *(px, py, pz),
    )


def shift_x(frame: Frame, length: Number) -> Frame:
    """Frame times Tx(length)."""
    xx, xy, xz, *_, px, py, pz = frame
    return (*frame[:9], px + length * xx, py + length * xy, pz + length * xz)


def shift_z(frame: Frame, length: Number) -> Frame:
    """Frame times Tz(length)."""
    *_, zx, zy, zz, px, py, pz = frame
    return (*frame[:9], px + length * zx, py + length * zy, pz + length * zz)


def times_row(frame: Frame, row: Row, theta: Number, d: Number) -> Frame:
    """Frame times one row whose theta and d have the joint's motion in them."""
    if isinstance(row, ModifiedRow):
        frame = shift_z(turn_z(frame, row.gamma), row.b)
        frame = turn_x(turn_y(frame, row.beta_prev), row.alpha_prev)
        return shift_z(turn_z(shift_x(frame, row.a_prev), theta), d)
    frame = shift_x(shift_z(turn_z(frame, theta), d), row.a)
    return turn_y(turn_x(frame, row.alpha), row.beta)


def times_transform(frame: Frame, pose: Transform) -> Frame:
    """Frame times a constant pose."""
    entries: list[Number] = []
    for x, y, z in zip(*pose.rotation, strict=True):
        entries += [frame[i] * x + frame[3 + i] * y + frame[6 + i] * z for i in range(3)]
    x, y, z = pose.translation
    return (*entries, *(frame[9 + i] + frame[i] * x + frame[3 + i] * y + frame[6 + i] * z for i in range(3)))


def joint_theta_d(joint: TableJoint, q: Number) -> tuple[Number, Number]:
    """Theta and d of a row at the joint value q."""
    row = joint.row
    if joint.type == "prismatic":
        return row.theta, row.d + joint.direction * q
    if joint.type == "fixed":
        return row.theta, row.d
    return row.theta + joint.direction * q, row.d


def dh_frames(table: Table, q: Sequence[Number]) -> dict[str, Frame]:
    """The DH frame of every row (after the whole row), by link name, in the root link.

    Parameters
    ----------
    table : Table
    q : sequence, shape (n,)
        Values of the moving joints in order, rad and m: numbers, or numpy arrays of one shape.
        Mimic joints follow their leader; their own entries are not used.
    """
    values = joint_values(table, q)
    frames = {table.base.link: times_transform(START, table.base.pose)}
    for joint in table.joints:
        theta, d = joint_theta_d(joint, values[joint.name])
        frames[joint.link] = times_row(frames[joint.parent], joint.row, theta, d)
    return frames


def tool_frame(table: Table, q: Sequence[Number]) -> Frame:
    """Frame n times the tool, in the root link."""
    frame = dh_frames(table, q)[table.joints[-1].link]
    if table.tool is None:
        return frame
    if table.tool.row is not None:
        return times_row(frame, table.tool.row, table.tool.row.theta, table.tool.row.d)
    return frame if table.tool.pose is None else times_transform(frame, table.tool.pose)


def joint_values(table: Table, q: Sequence[Number]) -> Mapping[str, Number]:
    """Value of every joint by name; fixed rows stand at 0, mimic joints follow."""
    own = dict(zip((joint.name for joint in table.moving_joints), q, strict=True))
    by_name = {joint.name: joint for joint in table.joints}
    values: dict[str, Number] = {}
    for joint in table.joints:
        factor, shift, leader = 1.0, 0.0, joint
        while leader.mimic is not None:
            shift += factor * leader.mimic.offset
            factor *= leader.mimic.multiplier
            leader = by_name[leader.mimic.joint]
        values[joint.name] = own.get(leader.name, 0.0) * factor + shift
    return values


def as_transform(frame: Frame) -> Transform:
    """A frame of numbers as a pose."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz, px, py, pz = frame
    return Transform(((xx, yx, zx), (xy, yy, zy), (xz, yz, zz)), (px, py, pz))
