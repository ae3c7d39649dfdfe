"""Loops, couplings and locks from MuJoCo's equality constraints; sites that are frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from mdh2urdf.loop import Loop
from mdh2urdf.robot import MOVING, Joint, Limits, Link, Mimic, Robot
from mdh2urdf.se3 import (
    NO_ROTATION,
    ORIGIN,
    X_AXIS,
    Y_AXIS,
    Transform,
    Vector3,
    add,
    cross,
    norm,
    rotate,
    rotation_from_columns,
    rotation_from_quaternion,
    scale,
    subtract,
    transpose,
    unit,
)
from mdh2urdf.urdf.xml import Part

WORLD = "world"

SAME_AXIS = 1e-9
"""Length of the difference of two unit vectors that are one axis, seen from two frames."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Site:
    """A place on a link."""

    link: str
    pose: Transform


@dataclass(frozen=True, slots=True)
class _Hold:
    """A constraint that holds a place of one link to a place of another."""

    part: Part
    one: Site
    two: Site


def with_equalities(
    robot: Robot,
    sections: Mapping[str, Sequence[Part]],
    sites: Mapping[str, Site],
    references: Mapping[str, float],
    order: Sequence[tuple[str, int]],
) -> Robot:
    """The robot with its loops, mimic joints and locked joints; sites that hold no loop become frames.

    Parameters
    ----------
    sections : mapping
        Elements of the file by tag: ``equality``, ``actuator``, ``keyframe`` are looked at.
    sites : mapping of str to Site
    references : mapping of str to float
        Value of every joint in the pose of the file.
    order : sequence of (str, int)
        Joints in the order of qpos, with the numbers that each has there.
    """
    parts = [each for part in sections["equality"] for each in part.parts(("connect", "weld", "joint"))]
    active = []
    for part in parts:
        if part.get("active") == "false":
            part.notes.unread(part.line, "inactive", f"<{part.tag}> that is not active")
        else:
            active.append(part)
    poses = robot.link_poses(references)
    holds = [hold for part in active if part.tag != "joint" if (hold := _hold(part, robot, sites, poses)) is not None]
    robot = _with_frames(robot, sites, _used(active))
    robot = _with_couplings(robot, [part for part in active if part.tag == "joint"], references)
    driven = {each.get("joint") for part in sections["actuator"] for each in part.element}
    home = _home(sections["keyframe"], order)
    loops = [_loop_with_joints(robot, loop, driven, home) for loop in _loops(holds)]
    return replace(robot, loops=tuple(loops))


def _used(parts: Sequence[Part]) -> set[str]:
    """Sites at which loops are held."""
    return {part.get(name) for part in parts for name in ("site1", "site2")}


def _hold(part: Part, robot: Robot, sites: Mapping[str, Site], poses: Mapping[str, Transform]) -> _Hold | None:
    if part.has("site1"):
        ends = [sites.get(part.get(name)) for name in ("site1", "site2")]
        for name, end in zip(("site1", "site2"), ends, strict=True):
            if end is None:
                part.problem(f"there is no site {part.get(name)!r}")
        return _Hold(part, ends[0], ends[1]) if ends[0] is not None and ends[1] is not None else None
    known = {link.name for link in robot.links}
    one, two = part.get("body1"), part.get("body2") or (WORLD if WORLD in known else robot.root)
    for name in (one, two):
        if name not in known:
            part.problem(f"there is no body {name!r}")
            return None
    between = poses[two].inverse() @ poses[one]
    if part.tag == "connect":
        x, y, z = part.numbers("anchor", 3, unit="m") or ORIGIN
        place = Transform(NO_ROTATION, (x, y, z))
        return _Hold(part, Site(link=one, pose=place), Site(link=two, pose=between @ place))
    values = part.numbers("relpose", 7, unit="m") or (0.0,) * 7
    relative = between.inverse()
    if any(values[3:]):
        relative = Transform(rotation_from_quaternion(values[3:]), (values[0], values[1], values[2]))
    return _Hold(part, Site(link=one, pose=relative), Site(link=two, pose=Transform()))


def _loops(holds: Sequence[_Hold]) -> list[Loop]:
    """A weld is fixed, one connection a ball, two between the same links a hinge."""
    loops: list[Loop] = []
    points: dict[tuple[str, str], list[_Hold]] = {}
    for hold in holds:
        if hold.part.tag == "weld":
            loops.append(_loop(hold, hold.part.get("name"), len(loops)))
        else:
            points.setdefault((hold.one.link, hold.two.link), []).append(hold)
    for group in points.values():
        for more in group[2:]:
            more.part.notes.unread(more.part.line, "third-connect", "a third <connect> between the same bodies")
        if len(group) == 1:
            loops.append(_loop(group[0], group[0].part.get("name"), len(loops)))
        else:
            loops.append(_hinge(group[0], group[1], len(loops)))
    return loops


def _loop(hold: _Hold, name: str, count: int) -> Loop:
    return Loop(
        name=name or f"loop{count + 1}",
        type="fixed" if hold.part.tag == "weld" else "ball",
        link_a=hold.one.link,
        link_b=hold.two.link,
        frame_a=hold.one.pose,
        frame_b=hold.two.pose,
    )


def _hinge(first: _Hold, second: _Hold, count: int) -> Loop:
    """The hinge through two points that are held together; its frames stand in the middle."""
    name = first.part.get("name")
    name = name.removesuffix("_1") if name.endswith("_1") else name
    loop = _loop(first, name, count)
    frames = []
    axes = []
    for one, two in ((first.one, second.one), (first.two, second.two)):
        way = subtract(two.pose.translation, one.pose.translation)
        if norm(way) == 0.0:
            return loop
        frames.append(Transform(one.pose.rotation, scale(0.5, add(one.pose.translation, two.pose.translation))))
        axes.append(unit(way))
    seen = [rotate(transpose(frame.rotation), axis) for frame, axis in zip(frames, axes, strict=True)]
    if norm(subtract(seen[0], seen[1])) <= SAME_AXIS:
        return replace(loop, type="revolute", frame_a=frames[0], frame_b=frames[1], axis=unit(seen[0]))
    a, b = (Transform(_about(axis), frame.translation) for frame, axis in zip(frames, axes, strict=True))
    return replace(loop, type="revolute", frame_a=a, frame_b=b)


def _about(z: Vector3) -> tuple[Vector3, Vector3, Vector3]:
    """Some rotation that takes z to a unit vector."""
    x = unit(cross(Y_AXIS if abs(z[1]) < 0.9 else X_AXIS, z))
    return rotation_from_columns(x, cross(z, x), z)


def _with_frames(robot: Robot, sites: Mapping[str, Site], used: set[str]) -> Robot:
    """Sites as bare links on fixed joints; a name that a link has already gets ``_site`` behind it."""
    links = {link.name for link in robot.links}
    names = {joint.name for joint in robot.joints}
    frames: list[Joint] = []
    for name, site in sites.items():
        if name not in used:
            child = name
            while child in links:
                child += "_site"
            title = f"{child}_joint"
            while title in names:
                title += "_site"
            links.add(child)
            names.add(title)
            frames.append(Joint(name=title, type="fixed", parent=site.link, child=child, origin=site.pose))
    bare = tuple(Link(name=joint.child) for joint in frames)
    return replace(robot, links=(*robot.links, *bare), joints=(*robot.joints, *frames))


def _with_couplings(robot: Robot, parts: Sequence[Part], references: Mapping[str, float]) -> Robot:
    """Mimic joints and locked joints of ``<joint>`` constraints that are straight lines."""
    joints = {joint.name: joint for joint in robot.joints}
    for part in parts:
        one, two = part.get("joint1"), part.get("joint2")
        unknown = [name for name in (one, two) if name and name not in references]
        values = part.numbers("polycoef", len(part.get("polycoef").split()) or 1, unit="") or (0.0, 1.0)
        constant, factor, *rest = (*values, 0.0, 0.0)
        if unknown or not one:
            part.problem(f"there is no joint {(unknown or [one])[0]!r} that turns or slides")
        elif any(rest):
            part.finding("curved-coupling", f"{one} follows {two} in no straight line; it is read as moving freely")
        elif joints[one].mimic is not None:
            part.finding("second-coupling", f"{one} follows {joints[one].mimic.joint} already")  # type: ignore[union-attr]
        elif two:
            offset = references[one] + constant - factor * references[two]
            joints[one] = replace(joints[one], mimic=Mimic(joint=two, multiplier=factor, offset=offset))
        else:
            joints[one] = _locked(joints[one], references[one] + constant)
    return replace(robot, joints=tuple(joints.values()))


def _locked(joint: Joint, value: float) -> Joint:
    """A joint whose limits leave one value."""
    limits = replace(joint.limits or Limits(), lower=value, upper=value)
    return replace(joint, type="prismatic" if joint.type == "prismatic" else "revolute", limits=limits)


def _home(parts: Sequence[Part], order: Sequence[tuple[str, int]]) -> dict[str, float]:
    """Joint values of the first keyframe, empty if there is none that fits."""
    for part in [each for keyframe in parts for each in keyframe.parts(("key",))]:
        values = part.numbers("qpos", sum(count for _, count in order)) if part.has("qpos") else None
        if values is None:
            continue
        home: dict[str, float] = {}
        place = 0
        for name, count in order:
            home.update({name: values[place]} if count == 1 else {})
            place += count
        return home
    return {}


def _loop_with_joints(robot: Robot, loop: Loop, driven: set[str | None], home: Mapping[str, float]) -> Loop:
    """The loop with its closed pose (the keyframe's) and the joints in it that nothing drives."""
    above = [robot.chain(robot.root, link) for link in (loop.link_a, loop.link_b)]
    around = [joint for joint in (*above[0], *above[1]) if not (joint in above[0] and joint in above[1])]
    moving = [joint for joint in around if joint.type in MOVING]
    passive = tuple(joint.name for joint in moving if driven and joint.name not in driven and joint.mimic is None)
    closed = {joint.name: home[joint.name] for joint in moving if joint.name in home}
    return replace(loop, passive=passive, closed=closed)
