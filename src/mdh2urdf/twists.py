"""Twists (turn about the axes, then velocity of the point at the origin) and what moves them, in numpy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def cross_matrix(vectors: Array) -> Array:
    """The matrix of the vector product, shape (..., 3, 3) for vectors (..., 3)."""
    matrix = np.zeros((*vectors.shape[:-1], 3, 3))
    matrix[..., 2, 1], matrix[..., 0, 2], matrix[..., 1, 0] = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    matrix -= np.swapaxes(matrix, -1, -2)
    return matrix


def exponential(twist: Array, values: Array) -> Array:
    """Poses after moving by ``values``, shape (N,), along one twist, shape (6,): (N, 4, 4).

    Lynch & Park 3.3: a turn with its pitch, or a shift where the twist does not turn.
    """
    rate = float(np.linalg.norm(twist[:3]))
    poses = np.broadcast_to(np.eye(4), (len(values), 4, 4)).copy()
    if rate == 0.0:
        poses[:, :3, 3] = values[:, None] * twist[3:]
        return poses
    skew = cross_matrix(twist[:3] / rate)
    square = skew @ skew
    angle = (rate * values)[:, None, None]
    sine, versine = np.sin(angle), 2 * np.sin(angle / 2) ** 2
    poses[:, :3, :3] += sine * skew + versine * square
    poses[:, :3, 3] = (angle * np.eye(3) + versine * skew + (angle - sine) * square) @ (twist[3:] / rate)
    return poses


def displacement(twist: Array) -> Array:
    """The pose after one unit of a twist, shape (4, 4)."""
    pose: Array = exponential(twist, np.ones(1))[0]
    return pose


def adjoint(poses: Array) -> Array:
    """What a pose does to twists, shape (..., 6, 6) for poses (..., 4, 4)."""
    rotation, point = poses[..., :3, :3], poses[..., :3, 3]
    matrix = np.zeros((*poses.shape[:-2], 6, 6))
    matrix[..., :3, :3] = matrix[..., 3:, 3:] = rotation
    matrix[..., 3:, :3] = cross_matrix(point) @ rotation
    return matrix


def bracket(twists: Array) -> Array:
    """What an infinitesimal motion along a twist does to twists, shape (..., 6, 6)."""
    matrix = np.zeros((*twists.shape[:-1], 6, 6))
    matrix[..., :3, :3] = matrix[..., 3:, 3:] = cross_matrix(twists[..., :3])
    matrix[..., 3:, :3] = cross_matrix(twists[..., 3:])
    return matrix
