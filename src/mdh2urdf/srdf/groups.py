"""The chains of a robot: runs of moving joints without a branch, as planners group them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mdh2urdf.rigid import children_of, is_bare, rigid_heads
from mdh2urdf.robot import MOVING, Joint, Robot

ONLY_CHAIN = "arm"
"""Name of the group of a robot with one chain; of several each is called after its tip."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Group:
    """A chain: its two end links and its moving joints, from base to tip."""

    name: str
    base: str
    tip: str
    joints: tuple[Joint, ...]


def chain_groups(robot: Robot) -> tuple[Group, ...]:
    """All chains. One ends where its body carries several moving joints, or none, or one that has no axis."""
    heads = rigid_heads(robot)
    below: dict[str, list[Joint]] = {head: [] for head in heads.values()}
    for joint in robot.joints:
        if joint.type != "fixed":
            below[heads[joint.parent]].append(joint)
    runs = [
        _run(joint, below) for body, joints in below.items() for joint in joints if _starts(robot, body, joint, below)
    ]
    found: list[Group] = []
    for run in runs:
        base = robot.root if heads[run[0].parent] == robot.root else run[0].parent
        tip = _tip(robot, run[-1].child, below[run[-1].child])
        found.append(Group(name=tip if len(runs) > 1 else ONLY_CHAIN, base=base, tip=tip, joints=tuple(run)))
    return tuple(found)


def _starts(robot: Robot, body: str, joint: Joint, below: Mapping[str, list[Joint]]) -> bool:
    """Whether a chain starts with a joint: at the root, at a branch, or behind a joint that has no axis."""
    if joint.type not in MOVING:
        return False
    above = robot.parent_joint(body)
    return above is None or above.type not in MOVING or len(below[body]) > 1


def _run(joint: Joint, below: Mapping[str, list[Joint]]) -> list[Joint]:
    run = [joint]
    while len(below[run[-1].child]) == 1 and below[run[-1].child][0].type in MOVING:
        run.append(below[run[-1].child][0])
    return run


def _tip(robot: Robot, head: str, carried: list[Joint]) -> str:
    """The last link of a chain: the one that carries what follows, else the farthest frame, else the farthest link."""
    if carried:
        parents = {joint.parent for joint in carried}
        return parents.pop() if len(parents) == 1 else head
    children = children_of(robot)
    depths = {head: 0}
    for name in (waiting := [head]):
        for joint in children[name]:
            depths[joint.child] = depths[name] + 1
            waiting.append(joint.child)
    return max(depths, key=lambda name: (not children[name] and is_bare(robot.link(name)), depths[name]))
