"""What changed between two descriptions of a robot, one line each: links, joints, origins, limits, masses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import asin, degrees, sqrt

from mdh2urdf.capsules import without_capsules
from mdh2urdf.link_data import tensor_in
from mdh2urdf.robot import Dynamics, Inertial, Joint, Limits, Link, Robot
from mdh2urdf.se3 import Transform, Vector3, angle_between_rotations, norm, subtract

SAME_LENGTH = 1e-9
"""m: a nanometre; origins that moved by less are the same, written by another program."""

SAME_ANGLE = 1e-9
"""rad: what `SAME_LENGTH` is at an arm's length."""

SAME_SHARE = 1e-9
"""Relative: masses, tensors and limits that differ by less are the same."""

DIGITS = 6
"""Significant digits of numbers in the lines."""


def changes(old: Robot, new: Robot) -> list[str]:
    """Lines that say what is different in the new robot; none if nothing is.

    Links and joints are the same if their names are. Lengths are told in mm, angles in degrees.
    """
    lines: list[str] = []
    if old.name != new.name:
        lines.append(f"robot: name {old.name!r}, now {new.name!r}")
    for kind, before, after in (("link", old.links, new.links), ("joint", old.joints, new.joints)):
        was, now = _names(before), _names(after)
        lines += [f"{kind} {name!r}: removed" for name in was if name not in now]
        lines += [f"{kind} {name!r}: added" for name in now if name not in was]
    joints = {joint.name: joint for joint in old.joints}
    for joint in new.joints:
        if joint.name in joints:
            lines += [f"joint {joint.name!r}: {text}" for text in _joint(joints[joint.name], joint)]
    links = {link.name: link for link in old.links}
    for link in new.links:
        if link.name in links:
            lines += [f"link {link.name!r}: {text}" for text in _link(links[link.name], link)]
    return lines


def _names(parts: Sequence[Link] | Sequence[Joint]) -> list[str]:
    return [part.name for part in parts]


def _joint(old: Joint, new: Joint) -> Iterator[str]:
    if old.type != new.type:
        yield f"type {old.type}, now {new.type}"
    for what, was, now in (("parent", old.parent, new.parent), ("child", old.child, new.child)):
        if was != now:
            yield f"{what} {was!r}, now {now!r}"
    yield from _moved("origin", old.origin, new.origin)
    if "fixed" in (old.type, new.type):
        return
    turn = _angle(old.axis, new.axis)
    if turn > SAME_ANGLE:
        yield f"axis turned by {_shown(degrees(turn))}°"
    yield from _limits(old, new)
    if old.mimic != new.mimic:
        yield f"mimic {_mimic(old)}, now {_mimic(new)}"
    before, after = old.dynamics or Dynamics(), new.dynamics or Dynamics()
    yield from _number("damping", before.damping, after.damping, 1.0, "")
    yield from _number("friction", before.friction, after.friction, 1.0, "")


def _moved(what: str, old: Transform, new: Transform) -> Iterator[str]:
    """How far a pose moved, with the way in the axes of the frame that it is in."""
    way = subtract(new.translation, old.translation)
    turn = angle_between_rotations(old.rotation, new.rotation)
    told = []
    if norm(way) > SAME_LENGTH:
        told.append(f"moved by {_shown(1000 * norm(way))} mm ({', '.join(_shown(1000 * each) for each in way)})")
    if turn > SAME_ANGLE:
        told.append(f"turned by {_shown(degrees(turn))}°")
    if told:
        yield f"{what} {' and '.join(told)}"


def _limits(old: Joint, new: Joint) -> Iterator[str]:
    was, now = old.limits or Limits(), new.limits or Limits()
    slides = new.type == "prismatic"
    unit, scale = (" mm", 1000.0) if slides else ("°", degrees(1.0))
    yield from _number("lower limit", was.lower, now.lower, scale, unit)
    yield from _number("upper limit", was.upper, now.upper, scale, unit)
    yield from _number("velocity", was.velocity, now.velocity, scale, f"{unit}/s")
    yield from _number("effort", was.effort, now.effort, 1.0, " N" if slides else " N m")


def _mimic(joint: Joint) -> str:
    if joint.mimic is None:
        return "none"
    return f"{joint.mimic.joint!r} * {_shown(joint.mimic.multiplier)} + {_shown(joint.mimic.offset)}"


def _link(old: Link, new: Link) -> Iterator[str]:
    if old.inertial is None or new.inertial is None:
        if old.inertial is not new.inertial:
            yield "mass data removed" if new.inertial is None else f"mass data added, {_shown(new.inertial.mass)} kg"
    else:
        yield from _inertial(old.inertial, new.inertial)
    for what, written in (("visual", (old.visuals, new.visuals)), ("collision", (old.collisions, new.collisions))):
        before, after = map(without_capsules, written)
        if len(before) != len(after):
            yield f"{what}s {len(before)}, now {len(after)}"
            continue
        for place, (was, now) in enumerate(zip(before, after, strict=True), start=1):
            of = f"{what} {place}" if len(after) > 1 else what
            yield from _moved(of, was.origin, now.origin)
            if was.geometry != now.geometry:
                yield f"{of} has another shape"


def _inertial(old: Inertial, new: Inertial) -> Iterator[str]:
    yield from _number("mass", old.mass, new.mass, 1.0, " kg")
    yield from _moved("centre of mass", _point(old), _point(new))
    was = [entry for row in tensor_in(old.inertia, old.origin.rotation) for entry in row]
    now = [entry for row in tensor_in(new.inertia, new.origin.rotation) for entry in row]
    size, change = _size(was), _size(b - a for a, b in zip(was, now, strict=True))
    if change > SAME_SHARE * max(size, _size(now)):
        share = f" by {_shown(100 * change / size)} %" if size else ""
        yield f"inertia changed{share}"


def _point(inertial: Inertial) -> Transform:
    return Transform(translation=inertial.origin.translation)


def _size(entries: Iterable[float]) -> float:
    return sqrt(sum(entry * entry for entry in entries))


def _number(what: str, old: float | None, new: float | None, scale: float, unit: str) -> Iterator[str]:
    if _differ(old, new):
        was, now = ("none" if each is None else f"{_shown(scale * each)}{unit}" for each in (old, new))
        yield f"{what} {was}, now {now}"


def _differ(old: float | None, new: float | None) -> bool:
    if old is None or new is None:
        return old is not new
    return abs(new - old) > SAME_SHARE * max(abs(old), abs(new))


def _angle(a: Vector3, b: Vector3) -> float:
    """Angle between unit vectors."""
    return 2.0 * asin(min(1.0, 0.5 * norm(subtract(a, b))))


def _shown(value: float) -> str:
    """A number with as many digits as a reader wants."""
    return f"{value + 0.0:.{DIGITS}g}"
