"""The joints of MJCF bodies."""

from __future__ import annotations

from dataclasses import dataclass

from mdh2urdf.mjcf.attributes import Settings
from mdh2urdf.robot import Dynamics, Joint, JointType, Limits
from mdh2urdf.se3 import (
    IDENTITY,
    NO_ROTATION,
    ORIGIN,
    Z_AXIS,
    Transform,
    Vector3,
    norm,
    rotation_about,
    scale,
)
from mdh2urdf.text import number
from mdh2urdf.urdf.joints import UNIT_LENGTH_TOLERANCE
from mdh2urdf.urdf.xml import Part


@dataclass(frozen=True, kw_only=True, slots=True)
class BodyJoint:
    """One joint of a body; axis and point in the body's frame, ``reference`` its value in the pose of the file."""

    name: str
    kind: str
    axis: Vector3 = Z_AXIS
    point: Vector3 = ORIGIN
    reference: float = 0.0
    limits: Limits | None = None
    dynamics: Dynamics | None = None

    def moved(self, value: float) -> Transform:
        """The motion by a value, about the joint's own point."""
        if value == 0.0:
            return IDENTITY
        if self.kind == "slide":
            return Transform(NO_ROTATION, scale(value, self.axis))
        return Transform(rotation_about(self.axis, value))

    def joint(self, parent: str, child: str, origin: Transform) -> Joint:
        """The robot's joint."""
        ranged = self.limits is not None and self.limits.lower is not None
        kind: JointType = "floating"
        if self.kind == "slide":
            kind = "prismatic"
        elif self.kind == "hinge":
            kind = "revolute" if ranged else "continuous"
        return Joint(
            name=self.name,
            type=kind,
            parent=parent,
            child=child,
            origin=origin,
            axis=self.axis,
            limits=self.limits,
            dynamics=self.dynamics,
        )


def axis_of(part: Part) -> Vector3:
    """Unit vector along the axis; z if none is given."""
    values = part.numbers("axis", 3)
    if values is None:
        return Z_AXIS
    axis: Vector3 = (values[0], values[1], values[2])
    length = norm(axis)
    if length == 0.0:
        part.problem(f"axis {part.get('axis')!r}: must not be 0")
        return Z_AXIS
    return axis if abs(length - 1.0) <= UNIT_LENGTH_TOLERANCE else scale(1.0 / length, axis)


def limits_of(part: Part, settings: Settings, unit: float) -> Limits | None:
    """Range and largest force of a joint; None if there is neither."""
    ends = part.numbers("range", 2)
    limited = part.get("limited") or ("auto" if settings.autolimits else "false")
    if limited == "false" or ends == (0.0, 0.0):
        ends = None
    if ends is not None and ends[0] > ends[1]:
        part.problem(f"range {part.get('range')!r}: lower {number(ends[0])} is above upper {number(ends[1])}")
    force = part.numbers("actuatorfrcrange", 2)
    if ends is None and force is None:
        return None
    return Limits(
        lower=None if ends is None else ends[0] * unit,
        upper=None if ends is None else ends[1] * unit,
        effort=None if force is None else max(abs(force[0]), abs(force[1])),
    )


def dynamics_of(part: Part) -> Dynamics | None:
    """Damping and dry friction of a joint, None if there is neither."""
    damping, friction = part.numbers("damping", 1), part.number("frictionloss")
    if damping is None and friction is None:
        return None
    return Dynamics(damping=None if damping is None else damping[0], friction=friction)
