"""Joints that close loops: what a tree of links cannot say, carried beside it for the formats that can."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mdh2urdf.se3 import IDENTITY, Z_AXIS, Transform, Vector3

LoopType = Literal["revolute", "continuous", "prismatic", "fixed", "ball", "cylindrical", "planar"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Loop:
    """A joint between two links of the tree that closes a loop: ``T_a frame_a motion(axis, q) = T_b frame_b``.

    T_a and T_b are the poses of the two links.

    Parameters
    ----------
    name : str
    type : str
        ``ball`` holds the points of the two frames together, ``cylindrical`` their axes, ``planar`` their
        planes across the axes; the others are as in URDF.
    link_a, link_b : str
    frame_a, frame_b : Transform
        The joint's frame in either link.
    axis : Vector3
        Unit vector in frame_a.
    passive : tuple of str
        Joints of the tree that follow when the other joints of the loop are driven.
    closed : mapping of str to float
        Values (rad, m) of the loop's tree joints in one pose in which it is closed; empty if none is known.
    """

    name: str
    type: LoopType
    link_a: str
    link_b: str
    frame_a: Transform = IDENTITY
    frame_b: Transform = IDENTITY
    axis: Vector3 = Z_AXIS
    passive: tuple[str, ...] = ()
    closed: Mapping[str, float] = field(default_factory=dict)


def loop_problems(loops: Iterable[Loop], links: Collection[str], joints: Collection[str]) -> list[str]:
    """What keeps loops from belonging to a tree with these names, one sentence each."""
    problems: list[str] = []
    names = set(joints)
    for loop in loops:
        if loop.name in names:
            problems.append(f"joint name {loop.name!r} is used twice")
        names.add(loop.name)
        problems += [
            f"joint {loop.name!r}: link {link!r} does not exist"
            for link in (loop.link_a, loop.link_b)
            if link not in links
        ]
        problems += [
            f"joint {loop.name!r}: joint {joint!r} of its loop does not exist"
            for joint in (*loop.passive, *loop.closed)
            if joint not in joints
        ]
    return problems
