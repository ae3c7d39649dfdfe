"""The robot tree as URDF has it: links, joints with origins, and its forward kinematics."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeVar

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.loop import Loop, loop_problems
from mdh2urdf.se3 import (
    IDENTITY,
    NO_ROTATION,
    ORIGIN,
    Z_AXIS,
    Transform,
    Vector3,
    rotation_about,
    scale,
)

JointType = Literal["revolute", "continuous", "prismatic", "fixed", "floating", "planar"]

MOVING: frozenset[str] = frozenset({"revolute", "continuous", "prismatic"})
"""Joint types with one variable."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Limits:
    """Limits of a joint: rad and rad/s, N m; or m, m/s, N. None where nothing is known."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Dynamics:
    """Viscous damping (N m s/rad or N s/m) and dry friction (N m or N)."""

    damping: float | None = None
    friction: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Safety:
    """URDF's safety_controller: soft limits in rad or m and the two gains."""

    k_velocity: float
    k_position: float | None = None
    soft_lower: float | None = None
    soft_upper: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Mimic:
    """``q = multiplier * q_joint + offset``, in rad and m."""

    joint: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Calibration:
    """URDF's calibration: reference positions of rising and falling edge, rad or m."""

    rising: float | None = None
    falling: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Inertia:
    """Tensor components about the centre of mass, kg m² (``ixy = -∫ x y dm``)."""

    ixx: float
    ixy: float
    ixz: float
    iyy: float
    iyz: float
    izz: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Inertial:
    """Mass in kg, tensor in the axes of ``origin``, whose point is the centre of mass."""

    mass: float
    inertia: Inertia
    origin: Transform = IDENTITY


@dataclass(frozen=True, kw_only=True, slots=True)
class Mesh:
    """A mesh file as URDF names it, with its scale."""

    filename: str
    scale: Vector3 = (1.0, 1.0, 1.0)


@dataclass(frozen=True, kw_only=True, slots=True)
class Box:
    """Full edge lengths in m."""

    size: Vector3


@dataclass(frozen=True, kw_only=True, slots=True)
class Cylinder:
    """Radius and full length along z in m, centred."""

    radius: float
    length: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Sphere:
    """Radius in m."""

    radius: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Capsule:
    """A cylinder along z, centred, with a half sphere on each end; ``length`` is the cylinder's, in m like the radius.

    URDF has no such shape: it is written there as its cylinder and two spheres (`capsules`).
    """

    radius: float
    length: float


Geometry = Mesh | Box | Cylinder | Sphere | Capsule


@dataclass(frozen=True, kw_only=True, slots=True)
class Material:
    """A named material; colour as red, green, blue, alpha between 0 and 1."""

    name: str = ""
    rgba: tuple[float, float, float, float] | None = None
    texture: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Shape:
    """One visual or collision element: a geometry at a pose in its link's frame."""

    geometry: Geometry
    origin: Transform = IDENTITY
    name: str = ""
    material: Material | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Link:
    """A rigid body: mass data and geometry in the link's frame; ``note`` is a remark in the written file."""

    name: str
    inertial: Inertial | None = None
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Joint:
    """A joint: ``T_parent_child(q) = origin @ motion(axis, q)``; the axis is a unit vector in the child frame.

    ``note`` is a remark for the reader of the written file; ``reference_rpy`` in rad chooses
    between the two rpy triples of the origin.
    """

    name: str
    type: JointType
    parent: str
    child: str
    origin: Transform = IDENTITY
    axis: Vector3 = Z_AXIS
    limits: Limits | None = None
    dynamics: Dynamics | None = None
    safety: Safety | None = None
    mimic: Mimic | None = None
    calibration: Calibration | None = None
    reference_rpy: Vector3 = ORIGIN
    note: str = ""

    def motion(self, q: float) -> Transform:
        """Pose of the child after the joint has moved by q (rad or m), in the joint's zero frame."""
        if self.type == "prismatic":
            return Transform(NO_ROTATION, scale(q, self.axis))
        if self.type in MOVING:
            return Transform(rotation_about(self.axis, q))
        return IDENTITY


@dataclass(frozen=True, kw_only=True, slots=True)
class Robot:
    """A tree of links and joints.

    Parameters
    ----------
    name : str
    links : tuple of Link
        In the order in which they are written.
    joints : tuple of Joint
        In the order in which they are written; any order is a valid one.
    materials : tuple of Material
        Named at the top level.
    loops : tuple of Loop
        Joints that close loops; a URDF is written without them.
    """

    name: str
    links: tuple[Link, ...]
    joints: tuple[Joint, ...]
    materials: tuple[Material, ...] = ()
    loops: tuple[Loop, ...] = ()
    _joint_of_child: Mapping[str, Joint] = field(default_factory=dict, repr=False, compare=False)
    _link: Mapping[str, Link] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_joint_of_child", {joint.child: joint for joint in self.joints})
        object.__setattr__(self, "_link", {link.name: link for link in self.links})
        messages = [message for message, _ in tree_problems(self.links, self.joints)]
        messages += loop_problems(self.loops, self._link, {joint.name for joint in self.joints})
        if messages:
            raise Mdh2UrdfError(Finding(message=message) for message in messages)

    @property
    def root(self) -> str:
        """The one link that is no joint's child."""
        return next(link.name for link in self.links if link.name not in self._joint_of_child)

    def link(self, name: str) -> Link:
        """The link of that name."""
        return self._link[name]

    def parent_joint(self, link: str) -> Joint | None:
        """The joint that carries a link, None for the root."""
        return self._joint_of_child.get(link)

    def leaves(self) -> tuple[str, ...]:
        """Links without children, in the order of the file."""
        parents = {joint.parent for joint in self.joints}
        return tuple(link.name for link in self.links if link.name not in parents)

    def chain(self, base: str, tip: str) -> tuple[Joint, ...]:
        """Joints from base down to tip.

        Raises
        ------
        Mdh2UrdfError
            If a link is unknown or tip does not hang below base.
        """
        for name in (base, tip):
            if name not in self._link:
                known = ", ".join(link.name for link in self.links)
                raise Mdh2UrdfError(f"there is no link {name!r}; the links are {known}")
        joints: list[Joint] = []
        link = tip
        while link != base:
            joint = self._joint_of_child.get(link)
            if joint is None:
                raise Mdh2UrdfError(f"link {tip!r} does not hang below link {base!r}")
            joints.append(joint)
            link = joint.parent
        return tuple(reversed(joints))

    def link_poses(self, q: Mapping[str, float]) -> dict[str, Transform]:
        """Pose of every link in the root frame; joints not named in q (rad, m) stand at 0, mimic joints follow."""
        values = self.joint_values(q)
        poses = {self.root: IDENTITY}
        for joint in self.joints_from_root():
            poses[joint.child] = poses[joint.parent] @ joint.origin @ joint.motion(values[joint.name])
        return poses

    def joint_values(self, q: Mapping[str, float]) -> dict[str, float]:
        """Value of every joint, mimic joints worked out from the joints that they follow."""
        by_name = {joint.name: joint for joint in self.joints}
        values: dict[str, float] = {}
        for joint in self.joints:
            multiplier, offset, leader = 1.0, 0.0, joint
            seen = {joint.name}
            while leader.mimic is not None and leader.mimic.joint in by_name and leader.mimic.joint not in seen:
                offset += multiplier * leader.mimic.offset
                multiplier *= leader.mimic.multiplier
                leader = by_name[leader.mimic.joint]
                seen.add(leader.name)
            values[joint.name] = multiplier * q.get(leader.name, 0.0) + offset
        return values

    def joints_from_root(self) -> list[Joint]:
        """Joints sorted so that a parent's joint comes before its children's; otherwise file order."""
        waiting: dict[str, list[Joint]] = {}
        for joint in self.joints:
            waiting.setdefault(joint.parent, []).append(joint)
        if _in_order(self.joints, self.root):
            return list(self.joints)
        ordered: list[Joint] = []
        stack = [iter(waiting.get(self.root, ()))]
        while stack:
            for joint in stack[-1]:
                ordered.append(joint)
                stack.append(iter(waiting.get(joint.child, ())))
                break
            else:
                stack.pop()
        return ordered


_Named = TypeVar("_Named", Link, Joint)


def _in_order(joints: tuple[Joint, ...], root: str) -> bool:
    """Whether every joint comes after the one that carries its parent."""
    placed = {root}
    for joint in joints:
        if joint.parent not in placed:
            return False
        placed.add(joint.child)
    return True


def tree_problems(links: tuple[Link, ...], joints: tuple[Joint, ...]) -> list[tuple[str, Link | Joint | None]]:
    """What keeps links and joints from being one tree, one sentence each; empty if they are one.

    With each sentence comes the link or joint at fault (of a name used twice the second), so that a reader
    can tell its line; None where nothing is there.
    """
    problems: list[tuple[str, Link | Joint | None]] = []
    problems += [(f"link name {link.name!r} is used twice", link) for link in _repeated(links)]
    problems += [(f"joint name {joint.name!r} is used twice", joint) for joint in _repeated(joints)]
    known = {link.name for link in links}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in known:
                problems.append((f"joint {joint.name!r}: {role} link {name!r} does not exist", joint))
    carried: dict[str, str] = {}
    for joint in joints:
        if joint.child in carried:
            both = f"{carried[joint.child]!r} and {joint.name!r}"
            problems.append((f"link {joint.child!r} is the child of two joints, {both}", joint))
        carried.setdefault(joint.child, joint.name)
    if problems:
        return problems
    if not links:
        return [("the robot has no links", None)]
    roots = [link for link in links if link.name not in carried]
    if len(roots) > 1:
        names = ", ".join(link.name for link in roots)
        return [(f"the robot has {len(roots)} roots: {names}; a URDF has one", roots[1])]
    loop = _loop(links, joints)
    if loop:
        names = ", ".join(joint.name for joint in loop)
        return [(f"the joints {names} form a loop; a URDF is a tree", loop[0])]
    return []


def _loop(links: tuple[Link, ...], joints: tuple[Joint, ...]) -> list[Joint]:
    """The joints on a cycle of a graph in which every link has at most one parent."""
    joint_of = {joint.child: joint for joint in joints}
    safe: set[str] = {link.name for link in links if link.name not in joint_of}
    for link in links:
        path: dict[str, None] = {}
        name = link.name
        while name not in safe and name not in path:
            path[name] = None
            name = joint_of[name].parent
        if name in path:
            children = list(path)
            return [joint_of[child] for child in children[children.index(name) :]]
        safe.update(path)
    return []


def _repeated(parts: Iterable[_Named]) -> list[_Named]:
    """Of every name that is used more than once the second user."""
    seen: set[str] = set()
    repeated: dict[str, _Named] = {}
    for part in parts:
        if part.name in seen:
            repeated.setdefault(part.name, part)
        seen.add(part.name)
    return list(repeated.values())
