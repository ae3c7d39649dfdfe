"""What looks odd in the origins of a robot: rounded angles, other units, frames far beyond the arm."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import asin, pi, remainder

from mdh2urdf.bounds import FAR, LONGEST
from mdh2urdf.frames import NEARLY_PARALLEL, PARALLEL
from mdh2urdf.robot import MOVING, Joint, Robot
from mdh2urdf.rounded_pi import cut_fraction, fraction_of_pi
from mdh2urdf.se3 import IDENTITY, Transform, Vector3, cross, dot, norm, rotate, rpy_from_rotation, scale, subtract
from mdh2urdf.text import number

LEAST_COST = 1e-4
"""mm; what a rounded angle costs below it no arm shows."""

NOISE = 5e-15
"""rad: rounding errors of roll, pitch and yaw that went through a rotation."""

SAME_ANGLE = 1e-9
"""rad: on the circle, so near to an angle as only the same number comes."""

DEGREES = (30, 45, 60, 90, 120, 135, 150, 180, 270)
"""Angles that people write in degrees; in rad they are odd places on the circle."""

Remark = tuple[str, str, str]
"""Rule, path, message."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FarFrame:
    """A frame's way in m along an axis that is ``angle`` rad from parallel to the axis of ``neighbour``."""

    joint: str
    neighbour: str
    angle: float
    along: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Survey:
    """A robot, the frames along nearly parallel axes, and its reach in m.

    The reach is the longest way over the joints from the root to a link, without what lies along nearly
    parallel axes: that may be any length.
    """

    robot: Robot
    frames: tuple[FarFrame, ...]
    reach: float


@dataclass(frozen=True, slots=True)
class _Step:
    """A joint with the nearest joint above it that is not fixed, and its frame in that one's link at q = 0."""

    joint: Joint
    carrier: Joint | None
    pose: Transform

    @property
    def axis(self) -> Vector3:
        """The joint's axis in the carrier's link."""
        return rotate(self.pose.rotation, self.joint.axis)

    def tilt(self) -> float:
        """Angle in rad that the two axes are from parallel, 0 if they are not nearly parallel."""
        if self.carrier is None or not {self.carrier.type, self.joint.type} <= MOVING:
            return 0.0
        angle = asin(min(1.0, norm(cross(self.carrier.axis, self.axis))))
        return angle if PARALLEL < angle < NEARLY_PARALLEL else 0.0


def survey(robot: Robot) -> Survey:
    """What the rules look at."""
    steps = _steps(robot)
    above = {step.joint.name: step for step in steps if step.tilt()}
    below = {step.carrier.name: step for step in above.values() if step.carrier is not None}
    frames: list[FarFrame] = []
    ways: dict[str, float] = {}
    reach = 0.0
    for step in steps:
        name, rest = step.joint.name, step.pose.translation
        carrier = step.carrier
        if carrier is not None and name in above:
            along = dot(rest, carrier.axis)
            rest = subtract(rest, scale(along, carrier.axis))
            frames.append(FarFrame(joint=name, neighbour=carrier.name, angle=step.tilt(), along=abs(along)))
        if name in below:
            along = dot(rest, step.axis)
            rest = subtract(rest, scale(along, step.axis))
            next_step = below[name]
            frames.append(
                FarFrame(joint=name, neighbour=next_step.joint.name, angle=next_step.tilt(), along=abs(along))
            )
        ways[name] = norm(rest) + (ways[carrier.name] if carrier is not None else 0.0)
        reach = max(reach, ways[name])
    return Survey(robot=robot, frames=tuple(frames), reach=reach)


def _steps(robot: Robot) -> list[_Step]:
    """All joints, parents first."""
    steps: list[_Step] = []
    carried: dict[str, tuple[Joint | None, Transform]] = {robot.root: (None, IDENTITY)}
    for joint in robot.joints_from_root():
        carrier, pose = carried[joint.parent]
        step = _Step(joint, carrier, pose @ joint.origin)
        steps.append(step)
        carried[joint.child] = (carrier, step.pose) if joint.type == "fixed" else (joint, IDENTITY)
    return steps


def origin_remarks(seen: Survey) -> Iterator[Remark]:
    """What looks odd in the origins of joints."""
    yield from _rounded_pi(seen)
    loose = {frame.joint for frame in seen.frames}
    for joint in seen.robot.joints:
        path = f"joint[{joint.name}].origin"
        length = norm(joint.origin.translation)
        if length > LONGEST and joint.name not in loose:
            yield "length-unit", path, f"is {length:.4g} m long; is it in millimetres?"
        for written in _degrees(joint):
            yield "angle-unit", path, f"turns by {written} rad; is it in degrees?"
    for frame in seen.frames:
        if frame.along > FAR * seen.reach:
            yield (
                "nearly-parallel",
                f"joint[{frame.joint}].origin",
                f"the frame lies {frame.along:.4g} m along an axis that is {frame.angle:.2g} rad from parallel to that "
                f"of {frame.neighbour}, far beyond the reach of {seen.reach:.2g} m; "
                "of a table, --frames auto, the default, moves it near the arm",
            )


def _rounded_pi(seen: Survey) -> Iterator[Remark]:
    """Angles that are a fraction of pi cut to some decimals, told once for each value."""
    places: dict[tuple[int, int, float], list[str]] = {}
    for joint in seen.robot.joints:
        cuts = {cut for angle in _angles(joint) if (cut := _cut(abs(angle))) is not None}
        for cut in cuts:
            places.setdefault(cut, []).append(joint.name)
    for (twelfths, decimals, angle), names in places.items():
        cost = abs(angle - twelfths * pi / 12) * seen.reach * 1000
        if cost < LEAST_COST:
            continue
        where = "" if len(names) == 1 else f" (in {len(names)} joints)"
        yield (
            "rounded-pi",
            f"joint[{names[0]}].origin",
            f"{number(angle)} rad{where} is {fraction_of_pi(twelfths)} cut to {decimals} decimals, which is "
            f"{cost:.2g} mm at the reach of {seen.reach:.3g} m",
        )


def _cut(angle: float) -> tuple[int, int, float] | None:
    """Twelfths of pi, decimals, and the angle as it was written."""
    found = cut_fraction(angle, NOISE)
    return None if found is None else (*found, round(angle, found[1]))


def _angles(joint: Joint) -> Iterator[float]:
    """Roll, pitch and yaw of an origin, of both triples that give its rotation: nobody knows which was written."""
    roll, pitch, yaw = rpy_from_rotation(joint.origin.rotation)
    yield from (roll, pitch, yaw)
    yield from (remainder(roll + pi, 2 * pi), pi - pitch, remainder(yaw + pi, 2 * pi))


def _degrees(joint: Joint) -> list[int]:
    """Degrees that were written for rad: as rad they are a place on the circle that nobody chooses."""
    places = [remainder(sign * angle, 2 * pi) for angle in _angles(joint) for sign in (1, -1)]
    return [
        degrees for degrees in DEGREES if any(abs(remainder(place - degrees, 2 * pi)) < SAME_ANGLE for place in places)
    ]
