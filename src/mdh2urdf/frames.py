"""Joint frames moved along and about their own axes, so that no frame sits far from its robot.

Where two neighbouring axes are nearly parallel, a strict table has its frame at the foot of their common
normal, which a calibration puts hundreds of metres away. The frame of joint i may be moved by
``S_i = T(s_i along the axis) R(phi_i about the axis)``, which commutes with the joint's motion:
``origin_i' = S_{i-1}^-1 origin_i S_i`` leaves the forward kinematics and the zero of q as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import atan2
from typing import Literal

from mdh2urdf.noise import clean_pose
from mdh2urdf.robot import MOVING, Joint, Link, Robot, Shape
from mdh2urdf.se3 import (
    IDENTITY,
    ORIGIN,
    X_AXIS,
    Y_AXIS,
    Transform,
    Vector3,
    add,
    cross,
    dot,
    norm,
    rotate,
    rotation_about,
    scale,
    subtract,
)

Mode = Literal["auto", "slid", "strict"]

NEARLY_PARALLEL = 0.02
"""rad; neighbouring axes below this angle have an ill conditioned common normal, fifty links away."""

PARALLEL = 1e-12
"""rad; below this angle axes are parallel in all but rounding, and the table's d is the user's choice."""

SHORT = 1e-6
"""m; a direction taken from a shorter vector would be noise."""

TIE = 1e-9
"""m; two directions at a right angle to within this have neither the same sense nor the opposite: rounding would
choose, and another platform otherwise. What rounding leaves of frames hundreds of metres away is smaller."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Move:
    """How the frame of one joint was moved.

    Parameters
    ----------
    pose : Transform
        ``S``: the new frame in the old one.
    along, about : float
        m along the axis and rad about it.
    angle : float
        rad between this axis and the next, or the next reversed.
    """

    pose: Transform
    along: float
    about: float
    angle: float


def moves(robot: Robot, mode: Mode, nominal: Robot | None = None) -> dict[str, Move]:
    """How each joint's frame is moved, by joint name; joints that stay are left out.

    Parameters
    ----------
    robot : Robot
        With the frames of the strict table.
    mode : {'auto', 'slid', 'strict'}
        ``strict`` moves nothing, ``slid`` every joint whose axis is nearly parallel to the next,
        ``auto`` only those whose point would move by more than half the reach.
    nominal : Robot, optional
        The same arm as designed: frames are placed as near as possible to its frames, joint by joint.
    """
    if mode == "strict":
        return {}
    candidates = _candidates(robot)
    if not candidates:
        return {}
    every = _Placement(robot, candidates, nominal).moves()
    if mode == "slid":
        return every
    half_reach = reach(move_frames(robot, every)) / 2
    far = {name: angle for name, angle in candidates.items() if abs(every[name].along) > half_reach}
    return _Placement(robot, far, nominal).moves() if far else {}


def reach(robot: Robot) -> float:
    """Sum of the lengths of all joint origins, m."""
    return sum(norm(joint.origin.translation) for joint in robot.joints)


def move_frames(robot: Robot, moved: Mapping[str, Move]) -> Robot:
    """The same robot with moved joint frames: every body and every axis stays where it is."""
    if not moved:
        return robot
    shift = {joint.child: moved[joint.name].pose for joint in robot.joints if joint.name in moved}
    joints = tuple(
        replace(
            joint,
            origin=clean_pose(
                shift.get(joint.parent, IDENTITY).inverse() @ joint.origin @ shift.get(joint.child, IDENTITY)
            ),
        )
        if joint.parent in shift or joint.child in shift
        else joint
        for joint in robot.joints
    )
    links = tuple(in_frame(link, shift[link.name].inverse()) if link.name in shift else link for link in robot.links)
    loops = tuple(
        replace(
            loop,
            frame_a=shift.get(loop.link_a, IDENTITY).inverse() @ loop.frame_a,
            frame_b=shift.get(loop.link_b, IDENTITY).inverse() @ loop.frame_b,
        )
        for loop in robot.loops
    )
    return replace(robot, joints=joints, links=links, loops=loops)


def in_frame(link: Link, pose: Transform) -> Link:
    """A link whose data are in a frame that has ``pose`` in the link's new frame, re-expressed in the new frame."""
    if pose == IDENTITY:
        return link

    def placed(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        return tuple(replace(shape, origin=pose @ shape.origin) for shape in shapes)

    inertial = link.inertial and replace(link.inertial, origin=pose @ link.inertial.origin)
    return replace(link, inertial=inertial, visuals=placed(link.visuals), collisions=placed(link.collisions))


def angle_of_axes(u: Vector3, v: Vector3) -> float:
    """Angle in rad, 0 to 90 degrees, between two unit axes taken as lines."""
    return atan2(norm(cross(u, v)), abs(dot(u, v)))


def _next_moving(robot: Robot) -> dict[str, list[Joint]]:
    """The moving joints that follow each moving joint directly or through fixed joints."""
    carrier: dict[str, str] = {}
    following: dict[str, list[Joint]] = {}
    for joint in robot.joints_from_root():
        above = carrier.get(joint.parent, "")
        if joint.type not in MOVING:
            carrier[joint.child] = above
            continue
        carrier[joint.child] = joint.name
        following.setdefault(above, []).append(joint)
    return following


def _candidates(robot: Robot) -> dict[str, float]:
    """Angle in rad to the first nearly parallel next axis, for the joints that have one."""
    found: dict[str, float] = {}
    poses = robot.link_poses({})
    following = _next_moving(robot)
    for joint in robot.joints:
        axis = rotate(poses[joint.child].rotation, joint.axis)
        for after in following.get(joint.name, ()):
            angle = angle_of_axes(axis, rotate(poses[after.child].rotation, after.axis))
            if PARALLEL < angle < NEARLY_PARALLEL:
                found[joint.name] = angle
                break
    return found


@dataclass(slots=True)
class _Placement:
    """Finds the new points and x directions of the chosen joints, from the root outwards."""

    robot: Robot
    chosen: Mapping[str, float]
    nominal: Robot | None

    def moves(self) -> dict[str, Move]:
        old = self.robot.link_poses({})
        following = _next_moving(self.robot)
        before = {after.name: name for name, afters in following.items() for after in afters if name}
        by_name = {joint.name: joint for joint in self.robot.joints}
        wanted = self._nominal_frames()
        points: dict[str, Vector3] = {}
        for joint in self.robot.joints_from_root():
            frame = old[joint.child]
            if joint.name not in self.chosen:
                points[joint.name] = frame.translation
                continue
            axis = rotate(frame.rotation, joint.axis)
            if joint.name in wanted:
                target = wanted[joint.name].translation
            else:
                target = self._target(joint, axis, by_name.get(before.get(joint.name, "")), old, points)
            points[joint.name] = _nearest_on_axis(target, frame.translation, axis)
        return {
            name: self._move(by_name[name], old, points, following[name], wanted.get(name))
            for name in points
            if name in self.chosen
        }

    def _nominal_frames(self) -> dict[str, Transform]:
        """Frames of the nominal arm at q = 0 for this robot's moving joints, paired in order."""
        if self.nominal is None:
            return {}
        poses = self.nominal.link_poses({})
        theirs = [joint.child for joint in self.nominal.joints if joint.type in MOVING]
        ours = [joint.name for joint in self.robot.joints if joint.type in MOVING]
        return {name: poses[child] for name, child in zip(ours, theirs, strict=False)}

    def _target(
        self,
        joint: Joint,
        axis: Vector3,
        previous: Joint | None,
        old: Mapping[str, Transform],
        points: Mapping[str, Vector3],
    ) -> Vector3:
        """The point whose nearest point on the axis becomes the frame's: see spec of ``--frames``."""
        if previous is None:
            return ORIGIN
        previous_axis = rotate(old[previous.child].rotation, previous.axis)
        if angle_of_axes(previous_axis, axis) < NEARLY_PARALLEL:
            return points[previous.name]
        point = old[joint.child].translation
        return _foot(old[previous.child].translation, previous_axis, point, axis)

    def _move(
        self,
        joint: Joint,
        old: Mapping[str, Transform],
        points: Mapping[str, Vector3],
        following: list[Joint],
        nominal: Transform | None,
    ) -> Move:
        frame = old[joint.child]
        axis = rotate(frame.rotation, joint.axis)
        along = dot(subtract(points[joint.name], frame.translation), axis)
        reference = X_AXIS if abs(joint.axis[0]) < 0.9 else Y_AXIS
        x = rotate(frame.rotation, reference)
        new_x = _across(subtract(points[following[0].name], points[joint.name]), axis)
        about = 0.0
        if norm(new_x) >= SHORT:
            like = x if nominal is None else rotate(nominal.rotation, reference)
            new_x = new_x if dot(new_x, like) >= -TIE else scale(-1.0, new_x)
            about = atan2(dot(cross(x, new_x), axis), dot(x, new_x))
        pose = Transform(rotation_about(joint.axis, about), scale(along, joint.axis))
        return Move(pose=pose, along=along, about=about, angle=self.chosen[joint.name])


def _across(v: Vector3, axis: Vector3) -> Vector3:
    """The part of v that is perpendicular to a unit axis."""
    return subtract(v, scale(dot(v, axis), axis))


def _nearest_on_axis(target: Vector3, point: Vector3, axis: Vector3) -> Vector3:
    """The point nearest to ``target`` on the line through ``point`` along a unit axis."""
    return add(point, scale(dot(subtract(target, point), axis), axis))


def _foot(p: Vector3, u: Vector3, q: Vector3, v: Vector3) -> Vector3:
    """Foot on the line (q, v) of its common normal with the line (p, u); the lines are not parallel."""
    normal = cross(u, v)
    along = dot(cross(subtract(q, p), u), normal) / dot(normal, normal)
    return add(q, scale(along, v))
