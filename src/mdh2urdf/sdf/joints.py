"""Joints of SDF models."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from mdh2urdf.loop import Loop, LoopType
from mdh2urdf.robot import Dynamics, Joint, JointType, Limits, Mimic
from mdh2urdf.se3 import Z_AXIS, Transform, Vector3, norm, scale
from mdh2urdf.text import number
from mdh2urdf.urdf.joints import UNIT_LENGTH_TOLERANCE
from mdh2urdf.urdf.xml import BLANKS, Part

UNLIMITED = 1e15
"""rad or m: SDF writes 1e16 (or inf) where there is no limit."""

_TREE: dict[str, JointType] = {
    "revolute": "revolute",
    "continuous": "continuous",
    "prismatic": "prismatic",
    "fixed": "fixed",
}
_SKIPPED = ("physics", "plugin", "pose", "sensor")
_INFINITE = {"inf": inf, "+inf": inf, "-inf": -inf}


@dataclass(frozen=True, kw_only=True, slots=True)
class SdfJoint:
    """A joint as SDF has it: in a frame of its own, between two links or frames."""

    part: Part
    name: str
    type: str
    parent: str
    child: str
    axis: Vector3 = Z_AXIS
    limits: Limits | None = None
    dynamics: Dynamics | None = None
    mimic: Mimic | None = None

    def joint(self, parent: str, child: str, origin: Transform) -> Joint:
        """The joint of the tree; a ball cannot be one, which is noted."""
        if self.type not in _TREE:
            self.part.problem(f"a {self.type} joint that closes no loop is not read; {', '.join(_TREE)} are")
        kind = _TREE.get(self.type, "fixed")
        if kind == "revolute" and (self.limits is None or self.limits.lower is None):
            kind = "continuous"
        return Joint(
            name=self.name,
            type=kind,
            parent=parent,
            child=child,
            origin=origin,
            axis=self.axis,
            limits=self.limits,
            dynamics=self.dynamics,
            mimic=self.mimic,
        )

    def loop(self, parent: str, child: str, in_parent: Transform, in_child: Transform) -> Loop:
        """The joint as the one that closes a loop."""
        kinds: tuple[LoopType, ...] = ("revolute", "continuous", "prismatic", "fixed", "ball")
        kind = next((known for known in kinds if known == self.type), None)
        if kind is None:
            self.part.problem(f"a {self.type} joint is not read; {', '.join(kinds)} are")
        return Loop(
            name=self.name,
            type=kind or "fixed",
            link_a=parent,
            link_b=child,
            frame_a=in_parent,
            frame_b=in_child,
            axis=self.axis,
        )


def read_joint(part: Part) -> SdfJoint | None:
    """The joint; None, with problems noted, if its name, type or an end is missing."""
    name = part.name("name")
    part = part.called(name)
    kind = part.name("type")
    parts = part.single("parent", "child", "axis", *_SKIPPED)
    parent, child = (_end(part, parts.get(role), role) for role in ("parent", "child"))
    axis = parts.get("axis")
    if name is None or kind is None or parent is None or child is None:
        return None
    if axis is None or kind in ("fixed", "ball"):
        if kind in ("revolute", "continuous", "prismatic"):
            part.problem(f"a {kind} joint without <axis>")
        return SdfJoint(part=part, name=name, type=kind, parent=parent, child=child)
    inner = axis.single("xyz", "limit", "dynamics", "mimic", "use_parent_model_frame", "initial_position")
    return SdfJoint(
        part=part,
        name=name,
        type=kind,
        parent=parent,
        child=child,
        axis=_axis(inner),
        limits=_limits(inner.get("limit")),
        dynamics=_dynamics(inner.get("dynamics")),
        mimic=_mimic(inner.get("mimic")),
    )


def _end(part: Part, found: Part | None, role: str) -> str | None:
    text = "" if found is None else (found.element.text or "").strip(BLANKS)
    if not text:
        part.problem(f"<joint> has no <{role}>")
        return None
    return text


def _axis(parts: dict[str, Part]) -> Vector3:
    """Unit vector along the axis, in the joint's frame."""
    turned = parts.get("use_parent_model_frame")
    if turned is not None and (turned.element.text or "").strip() in ("1", "true"):
        turned.problem("an axis in the model's frame is not read; SDF has it in the joint's frame since 1.7")
    if "xyz" not in parts:
        return Z_AXIS
    part = parts["xyz"]
    if part.get("expressed_in"):
        part.problem("an axis that is expressed in another frame is not read")
    values = part.content(3) or Z_AXIS
    axis: Vector3 = (values[0], values[1], values[2])
    length = norm(axis)
    if length == 0.0:
        part.problem("the axis must not be 0")
        return Z_AXIS
    return axis if abs(length - 1.0) <= UNIT_LENGTH_TOLERANCE else scale(1.0 / length, axis)


def _value(parts: dict[str, Part], name: str) -> float | None:
    """The number of a child element, None where there is none; infinities stay infinite."""
    if name not in parts:
        return None
    text = (parts[name].element.text or "").strip()
    if text in _INFINITE:
        return _INFINITE[text]
    values = parts[name].content(1)
    return None if values is None else values[0]


def _limits(part: Part | None) -> Limits | None:
    """Limits; a range only where both ends are there, effort and velocity below 0 mean none."""
    if part is None:
        return None
    parts = part.single("lower", "upper", "effort", "velocity", "stiffness", "dissipation")
    lower, upper = _value(parts, "lower"), _value(parts, "upper")
    ranged = lower is not None and upper is not None and max(abs(lower), abs(upper)) < UNLIMITED
    if ranged and lower is not None and upper is not None and lower > upper:
        part.problem(f"lower {number(lower)} is above upper {number(upper)}")
    effort, velocity = (
        None if value is None or not 0.0 <= value < UNLIMITED else value
        for value in (_value(parts, "effort"), _value(parts, "velocity"))
    )
    limits = Limits(
        lower=lower if ranged else None,
        upper=upper if ranged else None,
        velocity=velocity,
        effort=effort,
    )
    return None if limits == Limits() else limits


def _dynamics(part: Part | None) -> Dynamics | None:
    if part is None:
        return None
    parts = part.single("damping", "friction", "spring_reference", "spring_stiffness")
    dynamics = Dynamics(damping=_value(parts, "damping"), friction=_value(parts, "friction"))
    return None if dynamics == Dynamics() else dynamics


def _mimic(part: Part | None) -> Mimic | None:
    """Coupling of SDF 1.11: ``multiplier * (leader - reference) + offset``."""
    if part is None:
        return None
    joint = part.name("joint")
    parts = part.single("multiplier", "offset", "reference")
    multiplier = _value(parts, "multiplier")
    offset, reference = _value(parts, "offset") or 0.0, _value(parts, "reference") or 0.0
    if joint is None:
        return None
    multiplier = 1.0 if multiplier is None else multiplier
    return Mimic(joint=joint, multiplier=multiplier, offset=offset - multiplier * reference)
