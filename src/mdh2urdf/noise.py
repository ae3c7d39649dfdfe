"""Reader noise: differences that come from reading a source, not from the robot."""

from __future__ import annotations

from math import nan, pi, radians, remainder, tau

from mdh2urdf.se3 import IDENTITY, Transform, angle_between_rotations, rotation_from_rpy, rpy_from_rotation

NOISE_ANGLE = 2e-14
"""rad: a hundred rounding errors; below, a difference of angles comes from reading and is 0."""

NOISE_LENGTH = 1e-13
"""m: rounding errors of a robot of ten metres; below, a difference of lengths comes from reading and is 0."""

ROUNDING = 1e-15
"""Of a length: its own rounding errors, which are above `NOISE_LENGTH` where nearly parallel axes meet."""

FIFTEEN_DEGREES = radians(15)
"""rad: angles are cleaned to multiples of this, the coarsest step that has all those of the snap grids."""

PER_METRE = 1_000_000
"""Lengths are cleaned to whole micrometres."""


def clean_angle(value: float, wanted: float = nan) -> float:
    """The angle in rad without noise: the wanted one, or a multiple of 15 degrees, if it is that; -pi is pi."""
    if abs(remainder(value - wanted, tau)) <= NOISE_ANGLE:
        return wanted
    steps = round(value / FIFTEEN_DEGREES)
    near = radians(15 * steps)
    if abs(value - near) > NOISE_ANGLE:
        return value
    return pi if steps == -12 else near


def clean_length(value: float, wanted: float = nan) -> float:
    """The length in m without noise: the wanted one, or whole micrometres, if it is that."""
    if abs(value - wanted) <= max(NOISE_LENGTH, ROUNDING * abs(wanted)):
        return wanted
    near = round(value * PER_METRE) / PER_METRE
    return near if abs(value - near) <= NOISE_LENGTH else value


def clean_pose(pose: Transform) -> Transform:
    """The pose whose xyz and rpy are without noise."""
    if pose == IDENTITY:
        return IDENTITY
    x, y, z = pose.translation
    rpy = rpy_from_rotation(pose.rotation)
    cleaned = tuple(clean_angle(angle) for angle in rpy)
    rotation = pose.rotation if cleaned == rpy else rotation_from_rpy(cleaned)
    return Transform(rotation, (clean_length(x), clean_length(y), clean_length(z)))


def same_pose(a: Transform, b: Transform) -> bool:
    """Whether two poses differ by noise at most."""
    return (
        max(abs(u - v) for u, v in zip(a.translation, b.translation, strict=True)) <= NOISE_LENGTH
        and angle_between_rotations(a.rotation, b.rotation) <= NOISE_ANGLE
    )
