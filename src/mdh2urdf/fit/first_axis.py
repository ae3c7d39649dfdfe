"""Frames on an axis that nothing but a pose nearby determines: the first axis' and the last one's."""

from __future__ import annotations

from mdh2urdf.fit.common_normal import Axis, across
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH
from mdh2urdf.robot import Joint
from mdh2urdf.screws import Body
from mdh2urdf.se3 import (
    IDENTITY,
    ORIGIN,
    X_AXIS,
    Transform,
    Vector3,
    add,
    column,
    cross,
    dot,
    norm,
    rotate,
    rotation_from_columns,
    scale,
    subtract,
)

STEEP = 1e-6
"""Length of an axis' projection across another below which it does not say where x is."""


def frame_on(axis: Axis, x: Vector3, t: float) -> Transform:
    """Frame with z on an axis, given its x direction and its point's parameter in m."""
    return Transform(rotation_from_columns(x, cross(axis.z, x), axis.z), add(axis.point, scale(t, axis.z)))


def nearest_frame(axis: Axis, target: Transform) -> tuple[Vector3, float]:
    """X direction and parameter of the frame on an axis that is nearest to a pose.

    Its point is the nearest one. Seen from it the pose has no yaw; if the pose's x lies along the axis,
    the y axes agree.
    """
    x = column(target.rotation, 0)
    if norm(cross(x, axis.z)) < STEEP:
        x = cross(column(target.rotation, 1), axis.z)
    return across(x, axis.z), dot(subtract(target.translation, axis.point), axis.z)


def first_axis_frame(body: Body, joint: Joint, direction: int, wanted: Transform | None) -> Transform:
    """A frame on the first axis, in the base link.

    Without a wish: the base link's own frame if its z is the axis; else at the point nearest to it (of a
    prismatic axis, which has no place, its own), turned as rpy without yaw does.

    Parameters
    ----------
    body : Body
        What the first joint moves.
    joint : Joint
    direction : int
        Which way z points.
    wanted : Transform or None
        Pose in the base link that the frame is brought close to.
    """
    z = scale(float(direction), rotate(body.pose.rotation, joint.axis))
    point = body.pose.translation
    if wanted is None:
        return _without_yaw(z, ORIGIN if joint.type == "prismatic" else point)
    axis = Axis(z, wanted.translation if joint.type == "prismatic" else point, X_AXIS, 0.0)
    return frame_on(axis, *nearest_frame(axis, wanted))


def _without_yaw(z: Vector3, point: Vector3) -> Transform:
    """Frame on the axis through a point at its point nearest to the origin; its x has no y component."""
    if z[2] > 0 and norm(cross(z, (0.0, 0.0, 1.0))) <= NOISE_ANGLE and norm((point[0], point[1], 0.0)) <= NOISE_LENGTH:
        return IDENTITY
    axis = Axis(z, point, X_AXIS, 0.0)
    x = (abs(z[2]), 0.0, -z[0] if z[2] >= -NOISE_ANGLE else z[0])
    return frame_on(axis, across(x if norm(x) > STEEP else X_AXIS, z), -dot(point, z))
