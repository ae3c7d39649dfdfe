"""Links on fixed joints merged into the links that carry them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mdh2urdf.errors import Finding
from mdh2urdf.link_data import merged, placed_inertial, placed_shape
from mdh2urdf.loop import Loop
from mdh2urdf.noise import clean_pose
from mdh2urdf.rigid import is_bare, leaf_frames
from mdh2urdf.robot import Joint, Link, Robot
from mdh2urdf.se3 import IDENTITY, Transform


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """A robot with fewer links.

    Parameters
    ----------
    robot : Robot
    places : mapping of str to (str, Transform)
        For every link of the source the link that it is part of now, and its pose in it.
    """

    robot: Robot
    places: Mapping[str, tuple[str, Transform]]

    def findings(self) -> tuple[Finding, ...]:
        """One finding for every link that took others in."""
        taken: dict[str, list[str]] = {}
        for name, (head, _) in self.places.items():
            if name != head:
                taken.setdefault(head, []).append(name)
        return tuple(
            Finding(rule="merged-links", path=head, message=f"took in {', '.join(names)}")
            for head, names in taken.items()
        )


def merge_fixed(robot: Robot) -> Merged:
    """The robot without fixed joints between bodies: mass data combined, everything re-expressed.

    Links that are nothing but frames, as a tool's, stay, and so does a root that has neither mass nor shape:
    the first link on it takes in the others. A fixed joint that another joint mimics stays too. A loop that
    is closed within one link after this says nothing, and is left out.
    """
    places, kept = _places(robot)
    heads: dict[str, list[tuple[Link, Transform]]] = {}
    for link in robot.links:
        head, pose = places[link.name]
        heads.setdefault(head, []).append((link, pose))
    links = tuple(_combined(link, heads[link.name]) for link in robot.links if link.name in heads)
    joints = tuple(kept[joint.name] for joint in robot.joints if joint.name in kept)
    loops = (_moved_loop(loop, places, kept) for loop in robot.loops)
    still = tuple(loop for loop in loops if loop.link_a != loop.link_b)
    return Merged(robot=replace(robot, links=links, joints=joints, loops=still), places=places)


def _places(robot: Robot) -> tuple[dict[str, tuple[str, Transform]], dict[str, Joint]]:
    """Where every link goes, and the joints that stay, between what is left."""
    frames = leaf_frames(robot)
    followed = {joint.mimic.joint for joint in robot.joints if joint.mimic is not None}
    bare_root = is_bare(robot.link(robot.root))
    first: Joint | None = None
    places = {robot.root: (robot.root, IDENTITY)}
    kept: dict[str, Joint] = {}
    for joint in robot.joints_from_root():
        head, pose = places[joint.parent]
        origin = joint.origin if pose == IDENTITY else clean_pose(pose @ joint.origin)
        stays = joint.type != "fixed" or joint.child in frames or joint.name in followed
        if not stays and bare_root and head == robot.root:
            if first is None:
                first, stays = joint, True
            else:
                head, origin = first.child, clean_pose(first.origin.inverse() @ origin)
        places[joint.child] = (joint.child, IDENTITY) if stays else (head, origin)
        if stays:
            kept[joint.name] = replace(joint, parent=head, origin=origin)
    return places, kept


def _combined(head: Link, parts: list[tuple[Link, Transform]]) -> Link:
    """A link with what it took in."""
    if len(parts) == 1:
        return head
    inertials = [placed_inertial(link.inertial, pose) for link, pose in parts if link.inertial is not None]
    return replace(
        head,
        inertial=merged(inertials) if len(inertials) > 1 else next(iter(inertials), None),
        visuals=tuple(placed_shape(shape, pose, {}) for link, pose in parts for shape in link.visuals),
        collisions=tuple(placed_shape(shape, pose, {}) for link, pose in parts for shape in link.collisions),
        note="; ".join(link.note for link, _ in parts if link.note),
    )


def _moved_loop(loop: Loop, places: Mapping[str, tuple[str, Transform]], kept: Mapping[str, Joint]) -> Loop:
    (link_a, pose_a), (link_b, pose_b) = places[loop.link_a], places[loop.link_b]
    return replace(
        loop,
        link_a=link_a,
        link_b=link_b,
        frame_a=pose_a @ loop.frame_a,
        frame_b=pose_b @ loop.frame_b,
        passive=tuple(name for name in loop.passive if name in kept),
        closed={name: value for name, value in loop.closed.items() if name in kept},
    )
