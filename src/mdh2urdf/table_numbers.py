"""The numbers of a table one by one, by place and field, and the table with other numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace

from mdh2urdf.se3 import Transform, rotation_from_rpy, rpy_from_rotation
from mdh2urdf.table import Row, Table

Key = tuple[str, str]
"""Place (a joint's name, `BASE` or `TOOL`) and field (as in a table file; of a pose ``x`` to ``yaw``)."""

BASE = "base:"
TOOL = "tool:"
POSE_FIELDS = ("x", "y", "z", "roll", "pitch", "yaw")
LENGTH_FIELDS = frozenset({"a", "b", "d", "x", "y", "z"})

_FILE_NAMES = {"a_prev": "a", "alpha_prev": "alpha", "beta_prev": "beta"}


def table_numbers(table: Table) -> dict[Key, float]:
    """All numbers of base, rows and tool, rad and m."""
    found = _pose_numbers(BASE, table.base.pose)
    for joint in table.joints:
        found.update(row_numbers(joint.name, joint.row))
    if table.tool is not None and table.tool.row is not None:
        found.update(row_numbers(TOOL, table.tool.row))
    elif table.tool is not None and table.tool.pose is not None:
        found.update(_pose_numbers(TOOL, table.tool.pose))
    return found


def row_numbers(place: str, row: Row) -> dict[Key, float]:
    """The numbers of one row by the field names of a table file."""
    return {(place, _FILE_NAMES.get(field.name, field.name)): getattr(row, field.name) for field in fields(row)}


def _pose_numbers(place: str, pose: Transform) -> dict[Key, float]:
    values = (*pose.translation, *rpy_from_rotation(pose.rotation))
    return {(place, field): value for field, value in zip(POSE_FIELDS, values, strict=True)}


def with_numbers(table: Table, numbers: Mapping[Key, float], changed: Iterable[Key]) -> Table:
    """The table with other numbers; only what has a changed one is made anew."""
    places = {place for place, _ in changed}
    joints = tuple(
        replace(joint, row=_row(joint.name, joint.row, numbers)) if joint.name in places else joint
        for joint in table.joints
    )
    base, tool = table.base, table.tool
    if BASE in places:
        base = replace(base, pose=_pose(BASE, numbers))
    if tool is not None and TOOL in places:
        if tool.row is not None:
            tool = replace(tool, row=_row(TOOL, tool.row, numbers))
        else:
            tool = replace(tool, pose=_pose(TOOL, numbers))
    return replace(table, joints=joints, base=base, tool=tool)


def _row(place: str, row: Row, numbers: Mapping[Key, float]) -> Row:
    values = {field.name: numbers[place, _FILE_NAMES.get(field.name, field.name)] for field in fields(row)}
    return type(row)(**values)


def _pose(place: str, numbers: Mapping[Key, float]) -> Transform:
    x, y, z, roll, pitch, yaw = (numbers[place, field] for field in POSE_FIELDS)
    return Transform(rotation_from_rpy((roll, pitch, yaw)), (x, y, z))
