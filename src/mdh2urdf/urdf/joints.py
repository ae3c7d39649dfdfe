"""Joints of a URDF, with the quirks of files that exist: axes of any length, ranges that mean nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import cos
from typing import get_args

from mdh2urdf.robot import Calibration, Dynamics, Joint, JointType, Limits, Mimic, Safety
from mdh2urdf.se3 import ORIGIN, X_AXIS, Z_AXIS, Vector3, norm, scale
from mdh2urdf.text import number
from mdh2urdf.urdf.links import read_pose
from mdh2urdf.urdf.xml import Part

UNIT_LENGTH_TOLERANCE = 4e-16
"""Length of an axis: two rounding errors of a unit vector, which is then taken as it stands."""

AXIS_NOISE = 1e-5
"""Length of an axis: what five printed digits leave of a unit vector; more is worth a finding."""

NEAR_GIMBAL_LOCK = 1e-8
"""cos(pitch) below which an origin's rpy is kept as its reference: roll and yaw are then only one angle."""

_PARTS = ("origin", "parent", "child", "axis", "calibration", "dynamics", "limit", "mimic", "safety_controller")
_TYPES: tuple[JointType, ...] = get_args(JointType)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Motion:
    """What a fixed joint does not have."""

    axis: Vector3 = Z_AXIS
    limits: Limits | None = None
    dynamics: Dynamics | None = None
    calibration: Calibration | None = None
    mimic: Mimic | None = None
    safety: Safety | None = None


def read_joint(part: Part) -> Joint | None:
    """The joint; None, with a problem noted, if its name or a link's name is missing.

    What a fixed joint says of an axis, limits and the like is skipped: CAD exporters write zeros there.
    """
    name = part.name("name")
    part = part.called(name)
    part.only("name", "type")
    kind = _type(part)
    parts = part.single(*_PARTS)
    parent, child = (_end(part, parts, role) for role in ("parent", "child"))
    origin, rpy = read_pose(parts.get("origin"))
    motion = _Motion() if kind == "fixed" else _motion(part, parts, kind)
    if name is None or parent is None or child is None:
        return None
    return Joint(
        name=name,
        type=kind,
        parent=parent,
        child=child,
        origin=origin,
        axis=motion.axis,
        limits=motion.limits,
        dynamics=motion.dynamics,
        safety=motion.safety,
        mimic=motion.mimic,
        calibration=motion.calibration,
        reference_rpy=rpy if cos(rpy[1]) < NEAR_GIMBAL_LOCK else ORIGIN,
    )


def _type(part: Part) -> JointType:
    """The joint's type; fixed, with a problem noted, if it is none."""
    text = part.name("type")
    for known in _TYPES:
        if text == known:
            return known
    if text is not None:
        part.problem(f"joint type {text!r} is unknown; the types are {', '.join(_TYPES)}")
    return "fixed"


def _end(part: Part, parts: Mapping[str, Part], role: str) -> str | None:
    """Name of the parent or the child link."""
    if role not in parts:
        part.problem(f"<joint> has no <{role}>")
        return None
    parts[role].only("link")
    return parts[role].name("link")


def _motion(part: Part, parts: Mapping[str, Part], kind: JointType) -> _Motion:
    return _Motion(
        axis=_axis(parts.get("axis")) if kind != "floating" else Z_AXIS,
        limits=_limits(part, parts.get("limit"), kind),
        dynamics=_dynamics(parts.get("dynamics")),
        calibration=_calibration(parts.get("calibration")),
        mimic=_mimic(parts.get("mimic")),
        safety=_safety(parts.get("safety_controller")),
    )


def _axis(part: Part | None) -> Vector3:
    """Unit vector along the axis; x if none is given, as URDF has it."""
    if part is None:
        return X_AXIS
    part.only("xyz")
    values = part.numbers("xyz", 3, required=True)
    if values is None:
        return X_AXIS
    x, y, z = values
    longest = max(abs(x), abs(y), abs(z))
    if longest == 0.0:
        part.problem(f"xyz {part.get('xyz')!r}: the axis of a moving joint must not be 0")
        return X_AXIS
    direction = (x / longest, y / longest, z / longest)
    length = longest * norm(direction)
    if abs(length - 1.0) <= UNIT_LENGTH_TOLERANCE:
        return (x, y, z)
    if abs(length - 1.0) > AXIS_NOISE:
        part.finding("axis-length", f"xyz {part.get('xyz')!r}: has length {length:.6g}, is read with length 1")
    return scale(1.0 / norm(direction), direction)


def _limits(joint: Part, part: Part | None, kind: JointType) -> Limits | None:
    """Limits of a moving joint; a range only where URDF has one, and there 0 is its default."""
    ranged = kind in ("revolute", "prismatic")
    if part is None:
        if ranged:
            joint.finding("missing-limits", f"a {kind} joint without <limit>; ROS refuses the file")
        return None
    part.only("lower", "upper", "effort", "velocity")
    unit = "m" if kind == "prismatic" else None
    lower, upper = part.number("lower", unit=unit), part.number("upper", unit=unit)
    effort, velocity = part.number("effort", negative=False), part.number("velocity", negative=False)
    missing = [name for name in ("effort", "velocity") if not part.has(name)]
    if missing:
        part.finding("limit-incomplete", f"<limit> has no {' and no '.join(missing)}; ROS refuses the file")
    if ranged:
        missing = [name for name in ("lower", "upper") if not part.has(name)]
        if missing:
            part.finding("limit-default", f"<limit> has no {' and no '.join(missing)}; URDF takes 0")
        lower, upper = lower or 0.0, upper or 0.0
        if lower > upper:
            part.problem(f"lower {number(lower)} is above upper {number(upper)}")
    elif lower is not None or upper is not None:
        part.finding("range-left-out", f"a {kind} joint has no range; lower and upper are left out")
        lower = upper = None
    return Limits(lower=lower, upper=upper, effort=effort, velocity=velocity)


def _dynamics(part: Part | None) -> Dynamics | None:
    if part is None:
        return None
    part.only("damping", "friction")
    damping, friction = part.number("damping"), part.number("friction")
    return None if damping is None and friction is None else Dynamics(damping=damping, friction=friction)


def _calibration(part: Part | None) -> Calibration | None:
    if part is None:
        return None
    part.only("rising", "falling")
    rising, falling = part.number("rising"), part.number("falling")
    return None if rising is None and falling is None else Calibration(rising=rising, falling=falling)


def _mimic(part: Part | None) -> Mimic | None:
    if part is None:
        return None
    part.only("joint", "multiplier", "offset")
    joint = part.name("joint")
    multiplier, offset = part.number("multiplier", unit=""), part.number("offset", unit="")
    if joint is None:
        return None
    return Mimic(joint=joint, multiplier=1.0 if multiplier is None else multiplier, offset=offset or 0.0)


def _safety(part: Part | None) -> Safety | None:
    if part is None:
        return None
    part.only("soft_lower_limit", "soft_upper_limit", "k_position", "k_velocity")
    k_velocity = part.number("k_velocity", required=True)
    k_position = part.number("k_position")
    soft_lower, soft_upper = part.number("soft_lower_limit"), part.number("soft_upper_limit")
    if k_velocity is None:
        return None
    return Safety(k_velocity=k_velocity, k_position=k_position, soft_lower=soft_lower, soft_upper=soft_upper)
