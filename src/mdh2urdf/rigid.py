"""What a tree of links is to a simulator: which links are bodies, which only frames, and which move as one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mdh2urdf.robot import Joint, Link, Material, Robot


def is_bare(link: Link) -> bool:
    """Whether a link has neither mass nor shape."""
    return not (has_mass(link) or link.visuals or link.collisions)


def has_mass(link: Link) -> bool:
    """Whether a link has mass data that weigh anything."""
    return link.inertial is not None and link.inertial.mass > 0.0


def children_of(robot: Robot) -> dict[str, list[Joint]]:
    """The joints that hang on every link, in the order of the file."""
    children: dict[str, list[Joint]] = {link.name: [] for link in robot.links}
    for joint in robot.joints:
        children[joint.parent].append(joint)
    return children


def rigid_heads(robot: Robot) -> dict[str, str]:
    """For every link the topmost one that it is fixed to: links with one head move as one."""
    heads = {robot.root: robot.root}
    for joint in robot.joints_from_root():
        heads[joint.child] = heads[joint.parent] if joint.type == "fixed" else joint.child
    return heads


def leaf_frames(robot: Robot) -> frozenset[str]:
    """Links that are nothing but frames: bare, on a fixed joint, and carrying nothing but such links."""
    children = children_of(robot)
    frames: set[str] = set()
    for joint in reversed(robot.joints_from_root()):
        below = children[joint.child]
        if joint.type == "fixed" and is_bare(robot.link(joint.child)) and all(each.child in frames for each in below):
            frames.add(joint.child)
    return frozenset(frames)


def with_prefix(robot: Robot, prefix: str) -> Robot:
    """The robot with a text before the names of links and joints."""
    if not prefix:
        return robot
    links = tuple(replace(link, name=prefix + link.name) for link in robot.links)
    joints = tuple(
        replace(
            joint,
            name=prefix + joint.name,
            parent=prefix + joint.parent,
            child=prefix + joint.child,
            mimic=joint.mimic and replace(joint.mimic, joint=prefix + joint.mimic.joint),
        )
        for joint in robot.joints
    )
    loops = tuple(
        replace(
            loop,
            name=prefix + loop.name,
            link_a=prefix + loop.link_a,
            link_b=prefix + loop.link_b,
            passive=tuple(prefix + name for name in loop.passive),
            closed={prefix + name: value for name, value in loop.closed.items()},
        )
        for loop in robot.loops
    )
    return replace(robot, links=links, joints=joints, loops=loops)


def material_colours(robot: Robot) -> Mapping[str, Material]:
    """The first definition of every named material, the robot's own before those in shapes."""
    found: dict[str, Material] = {}
    inside = (shape.material for link in robot.links for shape in link.visuals if shape.material is not None)
    for material in (*robot.materials, *inside):
        if material.name and (material.rgba is not None or material.texture):
            found.setdefault(material.name, material)
    return found
