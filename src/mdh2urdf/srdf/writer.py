"""The SRDF of a robot: planning groups, pairs of links that need no collision check, named poses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from math import inf
from pathlib import Path

from lxml import etree

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.home import home_values
from mdh2urdf.names import unused
from mdh2urdf.rigid import rigid_heads
from mdh2urdf.robot import Robot
from mdh2urdf.ros2_control import driven_joints
from mdh2urdf.srdf.groups import chain_groups
from mdh2urdf.srdf.touching import touching_links
from mdh2urdf.text import number
from mdh2urdf.urdf.writer import document, name_problems

HOME = "home"
"""Name of the group state in which every joint is at 0, or at the limit nearest to 0."""

ADJACENT, DEFAULT = "Adjacent", "Default"
"""Reasons as MoveIt's assistant has them: neighbours, and links that touch in the pose that is shown first."""

Pair = tuple[str, str]


def write_srdf(
    robot: Robot, *, folder: Path | None = None, poses: Mapping[str, Mapping[str, float]] | None = None
) -> tuple[str, tuple[Finding, ...]]:
    """The text of an SRDF, and what was left out or not looked at.

    Parameters
    ----------
    robot : Robot
    folder : Path, optional
        Relative mesh names start here.
    poses : mapping of str to mapping, optional
        Joint values by joint, rad and m, by the pose's name; joints that are not named stand as in home, which a pose
        of that name takes the place of.

    Raises
    ------
    Mdh2UrdfError
        For names that XML cannot hold.
    """
    problems = [Finding(message=problem) for problem in name_problems(robot, "")]
    if problems:
        raise Mdh2UrdfError(problems)
    root = etree.Element("robot", name=robot.name)
    home = home_values(robot)
    states = {HOME: home} | {name: robot.joint_values({**home, **pose}) for name, pose in (poses or {}).items()}
    findings = [*_beyond_limits(robot, states), *_add_groups(root, robot, states)]
    _add_virtual_joint(root, robot)
    for name in sorted({name for loop in robot.loops for name in loop.passive}):
        etree.SubElement(root, "passive_joint", name=name)
    neighbours = neighbour_pairs(robot)
    touching, found = touching_links(robot, states[HOME], neighbours, folder or Path())
    for reason, pairs in ((ADJACENT, neighbours), (DEFAULT, touching)):
        for one, two in pairs:
            etree.SubElement(root, "disable_collisions", link1=one, link2=two, reason=reason)
    header = [
        f"{robot.name}, written by mdh2urdf",
        "Disabled are neighbours, and links that touch in the pose home: look at them before you trust them.",
    ]
    return document(root, header), (*findings, *found)


def _beyond_limits(robot: Robot, states: Mapping[str, Mapping[str, float]]) -> Iterator[Finding]:
    """Joints that a pose takes out of their ranges: MoveIt does not plan from there."""
    for name, values in states.items():
        for joint in robot.joints:
            limits = joint.limits
            if joint.type == "continuous" or limits is None or joint.mimic is not None:
                continue
            lower = -inf if limits.lower is None else limits.lower
            upper = inf if limits.upper is None else limits.upper
            value = values.get(joint.name, 0.0)
            if not lower <= value <= upper:
                message = f"{joint.name} = {number(value)} is out of its range, {number(lower)} to {number(upper)}"
                yield Finding(rule="pose-beyond-limits", path=name, message=message)


def _add_groups(root: etree._Element, robot: Robot, poses: Mapping[str, Mapping[str, float]]) -> list[Finding]:
    """Append groups, and the poses of each; a chain that nothing drives is told and left out."""
    driven = {joint.name for joint in driven_joints(robot)}
    findings: list[Finding] = []
    states: list[etree._Element] = []
    for group in chain_groups(robot):
        if not any(joint.name in driven for joint in group.joints):
            names = ", ".join(joint.name for joint in group.joints)
            message = f"no group for the chain to {group.tip}: nothing drives {names}"
            findings.append(Finding(rule="no-group", message=message))
            continue
        element = etree.SubElement(root, "group", name=group.name)
        etree.SubElement(element, "chain", base_link=group.base, tip_link=group.tip)
        for name, values in poses.items():
            state = etree.Element("group_state", name=name, group=group.name)
            for joint in group.joints:
                if joint.mimic is None:
                    etree.SubElement(state, "joint", name=joint.name, value=number(values[joint.name]))
            states.append(state)
    root.extend(states)
    return findings


def _add_virtual_joint(root: etree._Element, robot: Robot) -> None:
    """Hold the root in the frame ``world``, unless it is that already."""
    if robot.root == "world":
        return
    name = unused("virtual_joint", {joint.name for joint in robot.joints})
    etree.SubElement(root, "virtual_joint", name=name, type="fixed", parent_frame="world", child_link=robot.root)


def neighbour_pairs(robot: Robot) -> list[Pair]:
    """Links that a joint joins, or that never move against each other; links without collision geometry are passed.

    If no link has any, every link counts.
    """
    solid = {link.name for link in robot.links if link.collisions} or {link.name for link in robot.links}
    joined: dict[str, list[str]] = {link.name: [] for link in robot.links}
    ends = [(joint.parent, joint.child) for joint in robot.joints]
    for one, two in (*ends, *((loop.link_a, loop.link_b) for loop in robot.loops)):
        joined[one].append(two)
        joined[two].append(one)
    pairs = {frozenset((start, end)) for start in solid for end in _reached(start, joined, solid)}
    heads = rigid_heads(robot)
    bodies: dict[str, list[str]] = {}
    for name in solid:
        bodies.setdefault(heads[name], []).append(name)
    pairs |= {frozenset(pair) for members in bodies.values() for pair in combinations(members, 2)}
    return list(_in_order(robot, pairs))


def _reached(start: str, joined: dict[str, list[str]], solid: set[str]) -> set[str]:
    """Solid links that can be reached over links that are not."""
    seen, reached, waiting = {start}, set(), [start]
    while waiting:
        for name in joined[waiting.pop()]:
            if name in seen:
                continue
            seen.add(name)
            if name in solid:
                reached.add(name)
            else:
                waiting.append(name)
    return reached


def _in_order(robot: Robot, pairs: Iterable[frozenset[str]]) -> Iterator[Pair]:
    """Pairs in the order of the robot's links."""
    places = {link.name: place for place, link in enumerate(robot.links)}
    for one, two in sorted(sorted(places[name] for name in pair) for pair in pairs):
        yield robot.links[one].name, robot.links[two].name
