"""Which links of a robot are links in SDF, which are frames, and what carries them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from mdh2urdf.rigid import is_bare, rigid_heads
from mdh2urdf.robot import Robot

WORLD = "world"


@dataclass(frozen=True, kw_only=True, slots=True)
class Bodies:
    """The roles of links. A link without mass data would weigh 1 kg in Gazebo, so bare ones are frames.

    Parameters
    ----------
    links : frozenset of str
        Written as links.
    carrier : mapping of str to str
        For every link and frame the link that it moves with; a root link ``world`` has none.
    held : mapping of str to str
        Links that a fixed joint of SDF holds, and the link that holds them: those that are not the first of
        their rigid group, and all that are fixed to the world.
    """

    links: frozenset[str]
    carrier: Mapping[str, str]
    held: Mapping[str, str]


def bodies_of(robot: Robot) -> Bodies:
    """The roles of a robot's links."""
    groups: dict[str, list[str]] = {}
    for name, head in rigid_heads(robot).items():
        if name != WORLD:
            groups.setdefault(head, []).append(name)
    links: set[str] = set()
    held: dict[str, str] = {}
    carrier: dict[str, str] = {}
    for head, members in groups.items():
        solid = [name for name in members if not is_bare(robot.link(name))] or members[:1]
        links.update(solid)
        first = WORLD if head == WORLD else solid[0]
        held.update({name: _holder(robot, name, links, first) for name in solid if name != first})
        for name in members:
            joint = robot.parent_joint(name)
            above = carrier.get(joint.parent, solid[0]) if joint is not None and joint.type == "fixed" else solid[0]
            carrier[name] = name if name in links else above
    return Bodies(links=frozenset(links), carrier=carrier, held=held)


def _holder(robot: Robot, name: str, links: Collection[str], first: str) -> str:
    """The nearest link above in the same rigid group; if there is none, the group's first or the world."""
    joint = robot.parent_joint(name)
    while joint is not None and joint.type == "fixed":
        if joint.parent in links:
            return joint.parent
        joint = robot.parent_joint(joint.parent)
    return first
