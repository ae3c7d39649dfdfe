"""The screw of a joint from its samples: axis, point, zero pose, with what does not fit.

For two samples ``D = (Tp^-1 Tc)_B (Tp^-1 Tc)_A^-1`` is the motion in the parent's frame. A turn has
its axis in the rotation vector of D, and a point on it solves ``(I - R) p = t``; a travel has its
axis in t. With more samples both are least squares over all pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np

from mdh2urdf.inventor.poses import (
    Array,
    compose,
    difference,
    inverse,
    mean_pose,
    rotation_vectors,
    settled,
    settled_axis,
    turn,
)

Kind = Literal["turn", "travel", "none"]

STILL_LENGTH = 2e-6
"""m: a part that moves less between two samples stands still; CAD noise is 1e-7, a probe moves by 1e-3 or more."""

STILL_ANGLE = 2e-5
"""rad: the same for the rotation; noise of 1e-5 in the entries of a matrix must not matter."""

RATE_TOLERANCE = 1e-3
"""Relative: how far the measured motion may differ from the change of value before it is told."""

BESIDE_LENGTH = 1e-5
"""m along a turning axis that are told: 0.1 mm for each rad of a probe of 0.1 rad, five times the noise."""

BESIDE_ANGLE = 1e-4
"""rad of a sliding part that are told: five times the noise."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Screw:
    """A measured joint motion.

    Parameters
    ----------
    kind : str
        ``turn`` about, ``travel`` along the axis, or ``none``.
    axis : Array
        Unit vector in the parent part's frame, so that a growing value is positive.
    point : Array
        A point of the axis in the parent part's frame, m.
    parent_from_child : Array
        Pose of the child part in the parent part at value 0.
    rate : float
        Measured change per change of value; 1 where the CAD is right.
    pitch : float
        m along the axis for each rad of a turn; rad for each m of a travel.
    beside : float
        What that came to in the samples, m or rad.
    """

    kind: Kind
    axis: Array
    point: Array
    parent_from_child: Array
    rate: float = 1.0
    pitch: float = 0.0
    beside: float = 0.0

    def pose(self, value: float) -> Array:
        """Pose of the child part in the parent part at a value in rad or m."""
        return motion(self.kind, self.axis, self.point, value) @ self.parent_from_child

    def settled(self) -> Screw:
        """The screw with its numbers rounded to what a measurement is worth."""
        return replace(
            self,
            axis=settled_axis(self.axis),
            point=np.round(self.point, 11) + 0.0,
            parent_from_child=settled(self.parent_from_child),
        )

    def shifted(self, value: float) -> Screw:
        """The screw with its zero moved: what was ``value`` becomes 0."""
        return replace(self, parent_from_child=self.pose(value))


def motion(kind: Kind, axis: Array, point: Array, value: float) -> Array:
    """Motion of a screw by a value in rad or m, shape (4, 4)."""
    if kind == "turn":
        rotation = turn(axis, value)
        return compose(rotation, point - rotation @ point)
    return compose(np.eye(3), value * axis if kind == "travel" else np.zeros(3))


def steady(poses: Array) -> Array:
    """Samples of one part, shape (k, 4, 4), with poses that differ only by noise replaced by their mean."""
    distance, angle = difference(poses, poses[:1])
    if float(distance.max()) > STILL_LENGTH or float(angle.max()) > STILL_ANGLE:
        return poses
    return np.broadcast_to(mean_pose(poses), poses.shape)


def relative_poses(parent: Array, child: Array) -> Array:
    """``T_parent_child`` of every sample, shape (k, 4, 4); a part that stands still is averaged first."""
    return np.asarray(np.matmul(inverse(steady(parent)), steady(child)))


def measured_screw(kind: Kind, values: Array, relative: Array) -> Screw | None:
    """The screw that explains samples, None where nothing moved as the kind wants.

    Parameters
    ----------
    kind : str
        ``turn`` or ``travel``.
    values : Array
        Joint values, rad or m, shape (k,), not all equal.
    relative : Array
        ``T_parent_child`` of every sample, shape (k, 4, 4).
    """
    pairs = _pairs(values)
    if kind == "travel":
        return _travel(values, relative, pairs)
    return _turn(values, relative, pairs)


def _pairs(values: Array) -> Array:
    """Pairs of samples with different values, as two columns of places; of many samples those with the first."""
    count = len(values)
    pairs = np.array(list(combinations(range(count), 2)) if count <= 12 else [(0, i) for i in range(1, count)])
    return np.asarray(pairs[values[pairs[:, 0]] != values[pairs[:, 1]]])


def _turn(values: Array, relative: Array, pairs: Array) -> Screw | None:
    first, second = pairs[:, 0], pairs[:, 1]
    rotation, origin = relative[:, :3, :3], relative[:, :3, 3]
    vectors = rotation_vectors(np.matmul(rotation[second], np.swapaxes(rotation[first], -1, -2)))
    changes = values[second] - values[first]
    turns = np.round(changes / (2.0 * np.pi))
    direction = (changes - 2.0 * np.pi * turns) @ vectors
    if np.linalg.norm(vectors, axis=1).max() < STILL_ANGLE or np.linalg.norm(direction) == 0.0:
        return None
    axis = direction / np.linalg.norm(direction)
    angles = vectors @ axis + 2.0 * np.pi * turns
    # Around the mean of the child's origins, so that noise of the rotations does not work on a long lever.
    center = origin.mean(axis=0)
    steps = (origin[second] - center) - np.einsum("...ij,...j", turn(axis, angles), origin[first] - center)
    pitch = float(angles @ (steps @ axis) / (angles @ angles))
    across = np.linalg.svd(axis[None, :])[2][1:]
    matrix = np.concatenate(np.eye(3) - turn(axis, angles)) @ across.T
    offset = np.linalg.lstsq(matrix, (steps - np.outer(steps @ axis, axis)).ravel(), rcond=None)[0]
    point = center + across.T @ offset
    zero = _zero("turn", axis, point, values, relative)
    rate = float(angles @ changes / (changes @ changes))
    beside = abs(pitch) * float(np.ptp(values))
    return Screw(kind="turn", axis=axis, point=point, parent_from_child=zero, rate=rate, pitch=pitch, beside=beside)


def _zero(kind: Kind, axis: Array, point: Array, values: Array, relative: Array) -> Array:
    """``T_parent_child`` at value 0: every sample moved back, and their mean."""
    back = [motion(kind, axis, point, -value) @ pose for value, pose in zip(values.tolist(), relative, strict=True)]
    return mean_pose(np.array(back))


def _travel(values: Array, relative: Array, pairs: Array) -> Screw | None:
    first, second = pairs[:, 0], pairs[:, 1]
    origin, rotation = relative[:, :3, 3], relative[:, :3, :3]
    changes = values[second] - values[first]
    steps = origin[second] - origin[first]
    direction = changes @ steps
    length = float(np.linalg.norm(direction))
    if float(np.linalg.norm(steps, axis=1).max()) < STILL_LENGTH or length == 0.0:
        return None
    axis = direction / length
    vectors = rotation_vectors(np.matmul(rotation[second], np.swapaxes(rotation[first], -1, -2)))
    zero = _zero("travel", axis, axis, values, relative)
    square = float(changes @ changes)
    pitch = float(np.linalg.norm(changes @ vectors)) / square
    return Screw(
        kind="travel",
        axis=axis,
        point=zero[:3, 3],
        parent_from_child=zero,
        rate=float(changes @ (steps @ axis)) / square,
        pitch=pitch,
        beside=pitch * float(np.ptp(values)),
    )


def value_of(screw: Screw, relative: Array) -> float:
    """Value in rad or m at which a screw comes nearest to a measured ``T_parent_child``, shape (4, 4)."""
    if screw.kind == "travel":
        return float(screw.axis @ (relative[:3, 3] - screw.parent_from_child[:3, 3]))
    return angle_about(screw.axis, relative[:3, :3] @ screw.parent_from_child[:3, :3].T)


def angle_about(axis: Array, rotation: Array) -> float:
    """Angle in rad of the turn about a unit axis that comes nearest to a rotation, shape (3, 3)."""
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = rotation
    sine = float(axis @ (zy - yz, xz - zx, yx - xy))
    return float(np.arctan2(sine, float(np.trace(rotation) - axis @ rotation @ axis)))
