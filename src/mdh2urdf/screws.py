"""Joint screws of a robot, and the bodies between its moving joints.

A joint screw is what kinematics knows of a joint: type, axis and a point of it. `screws` gives them in the
base frame at q = 0. `skeleton` gives the same body by body, each in the frame of the body before: digits
that a pose in a far base frame would lose are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.robot import MOVING, Joint, Link, Robot
from mdh2urdf.se3 import IDENTITY, Transform, Vector3, rotate


@dataclass(frozen=True, kw_only=True, slots=True)
class Screw:
    """A moving joint at q = 0 in the base frame.

    Parameters
    ----------
    joint : Joint
    parent : str
        The base, or the child link of the moving joint that carries this one.
    axis : Vector3
        Unit vector of positive motion.
    point : Vector3
        A point of the axis, m: the origin of the child link.
    """

    joint: Joint
    parent: str
    axis: Vector3
    point: Vector3


@dataclass(frozen=True, kw_only=True, slots=True)
class Screws:
    """All joint screws below a base link, parents first, and the pose of every tip in the base frame at q = 0."""

    base: str
    joints: tuple[Screw, ...]
    tips: Mapping[str, Transform]


@dataclass(frozen=True, kw_only=True, slots=True)
class Tip:
    """A leaf that is fixed to a body: its joint, its link and its pose in the body's link frame."""

    joint: Joint
    link: Link
    pose: Transform


@dataclass(frozen=True, kw_only=True, slots=True)
class Body:
    """Links that move as one.

    Parameters
    ----------
    link : Link
        The base, or the child link of the joint that moves the body; its frame is the body's frame.
    joint : Joint or None
        None for the base.
    parent : int
        Index of the body that carries the joint, -1 for the base.
    pose : Transform
        Of this body's frame in its parent's at q = 0.
    fixed : tuple of (Link, Transform)
        Links fixed to it that are no tips, with their poses in the body's frame.
    tips : tuple of Tip
    """

    link: Link
    joint: Joint | None = None
    parent: int = -1
    pose: Transform = IDENTITY
    fixed: tuple[tuple[Link, Transform], ...] = ()
    tips: tuple[Tip, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Skeleton:
    """The part of a robot that has joint screws.

    Parameters
    ----------
    robot : Robot
        The part: base is its root, only tips are leaves (with what is fixed to the links between).
    bodies : tuple of Body
        The base first, parents before children, otherwise in the source's order.
    tips : tuple of str
        One link if the part is a chain.
    left_out : tuple of str
        Joints of the source below base that are not part of it: side branches, and what closes loops.
    unled : tuple of str
        Joints that mimicked one that is not part of it, and move by themselves now.
    """

    robot: Robot
    bodies: tuple[Body, ...]
    tips: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    unled: tuple[str, ...] = ()

    def joint(self, index: int) -> Joint:
        """The joint that moves a body; the base has none."""
        joint = self.bodies[index].joint
        if joint is None:
            raise AssertionError(index)
        return joint


def skeleton(robot: Robot, base: str | None = None, tip: str | None = None) -> Skeleton:
    """Bodies and tips of what hangs below base, or of the chain from base to tip.

    Side branches of a chain that move are left out; what is fixed to a link of the chain belongs to it.

    Raises
    ------
    Mdh2UrdfError
        If a link is unknown, tip does not hang below base, a joint is floating or planar, or nothing moves.
    """
    part, tips, left_out = _part(robot, base or robot.root, tip)
    _check_types(part)
    part, unled = _without_leaders_outside(part)
    bodies = _bodies(part, frozenset(tips))
    if len(bodies) == 1:
        reached = f"from {part.root!r} to {tip!r}" if tip else f"below {part.root!r}"
        raise Mdh2UrdfError(
            f"no joint {reached} is revolute, continuous or prismatic; a table needs at least one that moves"
        )
    return Skeleton(robot=part, bodies=bodies, tips=tips, left_out=left_out, unled=unled)


def screws(robot: Robot, base: str | None = None, tip: str | None = None) -> Screws:
    """Axis and point of every moving joint, and the poses of the tips, in the base frame at q = 0.

    The joint's own variable is meant by q: a mimic joint's screw stands at its value 0.

    Parameters
    ----------
    robot : Robot
    base : str, optional
        Link whose frame the screws are given in, default the root.
    tip : str, optional
        End of the chain; by default the whole tree below base.
    """
    bones = skeleton(robot, base, tip)
    poses: list[Transform] = []
    found: list[Screw] = []
    tips: dict[str, Transform] = {}
    for body in bones.bodies:
        pose = poses[body.parent] @ body.pose if poses else IDENTITY
        poses.append(pose)
        if body.joint is not None:
            axis = rotate(pose.rotation, body.joint.axis)
            parent = bones.bodies[body.parent].link.name
            found.append(Screw(joint=body.joint, parent=parent, axis=axis, point=pose.translation))
        if body.link.name in bones.tips:
            tips[body.link.name] = pose
        tips.update((end.link.name, pose @ end.pose) for end in body.tips)
    return Screws(base=bones.robot.root, joints=tuple(found), tips={name: tips[name] for name in bones.tips})


def _part(robot: Robot, base: str, tip: str | None) -> tuple[Robot, tuple[str, ...], tuple[str, ...]]:
    """The robot below base, or along the chain to tip; its tips; and the joints below base that were cut off."""
    chain = robot.chain(base, base if tip is None else tip)
    if tip is None and base == robot.root:
        return replace(robot, loops=()) if robot.loops else robot, robot.leaves(), _names(robot.loops)
    wanted = frozenset(joint.name for joint in chain)
    inside, below = {base}, {base}
    kept: list[Joint] = []
    left_out: list[str] = []
    for joint in robot.joints_from_root():
        if joint.parent not in below:
            continue
        below.add(joint.child)
        if joint.parent in inside and (tip is None or joint.type == "fixed" or joint.name in wanted):
            inside.add(joint.child)
            kept.append(joint)
        else:
            left_out.append(joint.name)
    links = tuple(link for link in robot.links if link.name in inside)
    part = replace(robot, links=links, joints=tuple(kept), loops=())
    loops = _names(loop for loop in robot.loops if loop.link_a in inside and loop.link_b in inside)
    return part, part.leaves() if tip is None else (tip,), (*left_out, *loops)


def _names(loops: Iterable[Loop]) -> tuple[str, ...]:
    return tuple(loop.name for loop in loops)


def _check_types(robot: Robot) -> None:
    """Floating and planar joints have no screw."""
    allowed = "a table has revolute, continuous, prismatic and fixed joints; choose --base and --tip so that it"
    problems = [
        Finding(message=f"joint {joint.name!r} is {joint.type}; {allowed} is left out")
        for joint in robot.joints
        if joint.type not in MOVING and joint.type != "fixed"
    ]
    if problems:
        raise Mdh2UrdfError(problems)


def _without_leaders_outside(robot: Robot) -> tuple[Robot, tuple[str, ...]]:
    """The robot whose mimic joints all follow, at the end, a moving joint of it; and those that did not."""
    by_name = {joint.name: joint for joint in robot.joints if joint.type in MOVING}
    unled: list[str] = []
    for name, joint in by_name.items():
        followed: list[str] = []
        leader: Joint | None = joint
        while leader is not None and leader.mimic is not None and leader.name not in followed:
            followed.append(leader.name)
            leader = by_name.get(leader.mimic.joint)
        if leader is None or leader.mimic is not None:
            unled.append(name)
    if not unled:
        return robot, ()
    joints = tuple(replace(joint, mimic=None) if joint.name in unled else joint for joint in robot.joints)
    return replace(robot, joints=joints), tuple(unled)


@dataclass(slots=True)
class _Growing:
    """A body to which links are still added."""

    link: Link
    joint: Joint | None
    parent: int
    pose: Transform
    fixed: list[tuple[Link, Transform]]
    tips: list[Tip]


def _bodies(robot: Robot, tips: Iterable[str]) -> tuple[Body, ...]:
    bodies = [_Growing(robot.link(robot.root), None, -1, IDENTITY, [], [])]
    places: dict[str, tuple[int, Transform]] = {robot.root: (0, IDENTITY)}
    for joint in robot.joints_from_root():
        index, within = places[joint.parent]
        pose = joint.origin if within is IDENTITY else within @ joint.origin
        link = robot.link(joint.child)
        if joint.type in MOVING:
            places[joint.child] = (len(bodies), IDENTITY)
            bodies.append(_Growing(link, joint, index, pose, [], []))
            continue
        places[joint.child] = (index, pose)
        if joint.child in tips:
            bodies[index].tips.append(Tip(joint=joint, link=link, pose=pose))
        else:
            bodies[index].fixed.append((link, pose))
    return tuple(
        Body(
            link=body.link,
            joint=body.joint,
            parent=body.parent,
            pose=body.pose,
            fixed=tuple(body.fixed),
            tips=tuple(body.tips),
        )
        for body in bodies
    )
