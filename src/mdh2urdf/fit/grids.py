"""Round numbers, and those of a given table, that numbers of a fitted table are near to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import atan2, copysign, pi, radians, remainder, tau

from mdh2urdf.fit.guide import tool_pose
from mdh2urdf.fit.report import Snap
from mdh2urdf.se3 import HALF_PI, Matrix3, Vector3, angle_between_rotations, rotation_from_rpy
from mdh2urdf.table import Table, Tool
from mdh2urdf.table_numbers import BASE, LENGTH_FIELDS, TOOL, Key, table_numbers

DEGREE_GRIDS = (90, 45, 30, 15)
"""Degrees, the coarsest first."""

GRIDS_PER_METRE = (1_000, 10_000, 100_000, 1_000_000)
"""1 mm, 0.1 mm, 10 µm, 1 µm."""

SHARE = 50
"""A number is near a grid if it is within a fiftieth of it: random numbers are so one time in 25."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Tolerances:
    """How far a number may be moved, rad and m."""

    angle: float
    length: float


def snapped_angle(value: float, tolerance: float, wanted: float | None = None) -> float | None:
    """The number that an angle in rad is near to, None if there is none."""
    if wanted is not None and abs(remainder(value - wanted, tau)) <= tolerance:
        return wanted
    for grid in DEGREE_GRIDS:
        step = radians(grid)
        near = grid * round(value / step)
        if abs(value - radians(near)) <= min(tolerance, step / SHARE):
            return pi if near == -180 else radians(near)
    return None


def snapped_length(value: float, tolerance: float, wanted: float | None = None) -> float | None:
    """The number that a length in m is near to, None if there is none."""
    if wanted is not None and abs(value - wanted) <= tolerance:
        return wanted
    for grid in GRIDS_PER_METRE:
        near = round(value * grid) / grid
        if abs(value - near) <= min(tolerance, 1 / grid / SHARE):
            return near
    return None


def targets(table: Table, tolerances: Tolerances, like: Table | None = None) -> dict[Key, float]:
    """The numbers of a table that are near to wanted or round ones (or are such), and these."""
    numbers = table_numbers(table)
    wanted = _wanted(table, like)
    found: dict[Key, float] = {}
    for key, value in numbers.items():
        place, field = key
        if field in ("roll", "pitch", "yaw"):
            continue
        if field in LENGTH_FIELDS:
            near = snapped_length(value, tolerances.length, wanted.get(key))
        else:
            near = snapped_angle(value, tolerances.angle, wanted.get(key))
        if near is not None:
            found[key] = near
    for place in (BASE, TOOL):
        if (place, "roll") in numbers:
            found.update(_rotation_targets(place, numbers, wanted, tolerances.angle))
    return found


def _wanted(table: Table, like: Table | None) -> dict[Key, float]:
    """The numbers of a given table under this table's names: by name if the moving joints agree, else in order."""
    if like is None:
        return {}
    names = paired_names(table, like)
    if like.tool is not None and table.tool is not None and table.tool.row is None:
        like = replace(like, tool=Tool(pose=tool_pose(like.tool)))
    numbers = table_numbers(like)
    return {(names.get(place, place), field): value for (place, field), value in numbers.items()}


def paired_names(table: Table, like: Table) -> dict[str, str]:
    """The moving joints of a given table, and the joints of a fitted one that they stand for."""
    ours, theirs = [joint.name for joint in table.moving_joints], [joint.name for joint in like.moving_joints]
    return dict(zip(theirs, theirs if set(ours) == set(theirs) else ours, strict=True))


def _rotation_targets(
    place: str, numbers: Mapping[Key, float], wanted: Mapping[Key, float], tolerance: float
) -> dict[Key, float]:
    """Roll, pitch and yaw that are near to something, if the rotation as a whole is."""
    keys = [(place, field) for field in ("roll", "pitch", "yaw")]
    own = tuple(numbers[key] for key in keys)
    rotation = rotation_from_rpy(own)
    if all(key in wanted for key in keys):
        given = tuple(wanted[key] for key in keys)
        if angle_between_rotations(rotation, rotation_from_rpy(given)) <= tolerance:
            return dict(zip(keys, given, strict=True))
    start = own if abs(abs(own[1]) - HALF_PI) > tolerance else _upright(rotation)
    near = [snapped_angle(angle, tolerance) for angle in start]
    moved = tuple(angle if to is None else to for angle, to in zip(start, near, strict=True))
    if angle_between_rotations(rotation, rotation_from_rpy(moved)) > tolerance:
        return {}
    if start is not own:
        return {} if None in near else dict(zip(keys, moved, strict=True))
    return {key: to for key, to in zip(keys, near, strict=True) if to is not None}


def _upright(rotation: Matrix3) -> Vector3:
    """Roll, pitch and yaw of the nearest rotation in gimbal lock, its yaw 0."""
    sign = copysign(1.0, -rotation[2][0])
    return (atan2(sign * rotation[0][1], rotation[1][1]), sign * HALF_PI, 0.0)


def would_snap(table: Table, tolerances: Tolerances, like: Table | None = None) -> tuple[Snap, ...]:
    """What `snap` would move at first, in the order of the table."""
    numbers = table_numbers(table)
    return tuple(
        snap_of(key, numbers[key], to) for key, to in targets(table, tolerances, like).items() if to != numbers[key]
    )


def snap_of(key: Key, value: float, to: float, *, undone: bool = False) -> Snap:
    """A number's move as the report has it."""
    place, field = key
    return Snap(place=place.rstrip(":"), field=field, value=value, to=to, undone=undone)
