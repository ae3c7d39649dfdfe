"""The Inventor dump as data, in SI: occurrences, joints with their samples, motion constraints, frames.

Poses are ``T_assembly_occurrence``, shape (4, 4). A stack of samples has shape (k, n, 4, 4), n in the order
of `Dump.occurrences`; a pose that a sample does not hold is NaN.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mdh2urdf.inventor.poses import Array

Quantity = Literal["angular", "linear"]

RIGID = "kRigidJointType"
ROTATIONAL = "kRotationalJointType"
SLIDE = "kSlideJointType"
CYLINDRICAL = "kCylindricalJointType"
PLANAR = "kPlanarJointType"
BALL = "kBallJointType"

JOINT_TYPES: Mapping[int, str] = {
    102401: RIGID,
    102402: ROTATIONAL,
    102403: SLIDE,
    102404: CYLINDRICAL,
    102405: PLANAR,
    102406: BALL,
}
"""AssemblyJointTypeEnum of the Inventor API."""

HEALTHY = frozenset({11778, 11784, 11787, 11788, 11790})
"""HealthStatusEnum of joints that need no word: up to date, suppressed, redundant, newly added, DOF locked."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Body:
    """A visible solid body: mass in kg, centre in m and tensor in kg m² about it, in the axes of its part."""

    name: str
    mass: float | None
    volume: float | None
    center_of_mass: Array | None
    inertia: Array | None
    occurrence_from_part: Array
    material: str
    density: float | None
    override_scale: float
    color: tuple[float, float, float, float] | None
    visible_only: bool


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class RangeBox:
    """Corners in m in the axes of the occurrence's document; one that is not precise may be too large."""

    low: Array
    high: Array
    precise: bool


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Occurrence:
    """A component of the assembly."""

    index: int
    name: str
    path: tuple[str, ...]
    document: str
    model_state: str
    kind: str
    flexible: bool
    grounded: bool
    visible: bool
    suppressed: bool
    excluded: bool
    bom: str
    pose: Array
    box: RangeBox | None
    mesh: str | None
    bodies_total: int | None
    bodies_visible: int | None
    bodies: tuple[Body, ...]
    mass_override: float | None
    color: tuple[float, float, float, float] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Coordinate:
    """A joint's value at export and its limits, rad or m; None where there is none."""

    value: float | None
    start: float | None
    end: float | None

    @property
    def lower(self) -> float | None:
        """The smaller limit; the CAD may store them in reverse. A single limit keeps its end."""
        return self.start if self.start is None or self.end is None else min(self.start, self.end)

    @property
    def upper(self) -> float | None:
        """The larger limit."""
        return self.end if self.start is None or self.end is None else max(self.start, self.end)

    @property
    def locked(self) -> bool:
        """Whether equal limits hold the coordinate."""
        return self.start is not None and self.start == self.end


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Probe:
    """Poses of the occurrences while a joint was driven; ``values`` shape (k,) in rad or m."""

    status: str
    quantity: Quantity
    others_suppressed: bool
    values: Array
    poses: Array

    @property
    def moved(self) -> bool:
        """Whether the probe holds samples of a motion."""
        return self.status == "moved"


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Joint:
    """A joint of the assembly; an end is None where the joint holds the assembly itself."""

    index: int
    name: str
    type: str
    one: int | None
    two: int | None
    suppressed: bool
    locked: bool
    protected: bool
    health: int | None
    angular: Coordinate | None
    linear: Coordinate | None
    axis: Array | None
    origin: Array | None
    probe: Probe | None
    coupled_probe: Probe | None

    def coordinate(self, quantity: Quantity) -> Coordinate:
        """Value and limits of one quantity; all None where the joint has none."""
        found = self.angular if quantity == "angular" else self.linear
        return found or Coordinate(value=None, start=None, end=None)

    @property
    def quantity(self) -> Quantity:
        """The quantity that drives the joint: the probe's, else the type's."""
        if self.probe is not None and self.probe.moved:
            return self.probe.quantity
        return "linear" if self.type == SLIDE else "angular"


@dataclass(frozen=True, kw_only=True, slots=True)
class MotionConstraint:
    """A gear or rack: the second occurrence moves ``ratio`` for each unit of the first."""

    name: str
    kind: str
    one: int
    two: int
    ratio: float
    forward: bool | None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class UserFrame:
    """A user coordinate system, in an occurrence or (None) in the assembly."""

    name: str
    occurrence: int | None
    pose: Array


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Verification:
    """Poses with several joints moved at once; values by joint name in database units (cm, rad)."""

    values: Mapping[str, float]
    poses: Array


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Dump:
    """Everything that the dump says."""

    file: str
    document: str
    inventor_version: str
    occurrences: tuple[Occurrence, ...]
    joints: tuple[Joint, ...]
    motion_constraints: tuple[MotionConstraint, ...] = ()
    frames: tuple[UserFrame, ...] = ()
    verify: tuple[Verification, ...] = ()
    messages: tuple[str, ...] = ()
    index: Mapping[str, int] = field(default_factory=dict)
