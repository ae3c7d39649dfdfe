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


def displacements(twists: Array) -> Array:
    """The poses after one unit of twists, shape (..., 4, 4) for twists (..., 6).

    Lynch & Park 3.3: a turn with its pitch, or a shift where a twist does not turn.
    """
    turn, shift = twists[..., :3], twists[..., 3:]
    angle = np.linalg.norm(turn, axis=-1)[..., None, None]
    still = angle == 0.0
    rate = np.where(still, 1.0, angle)
    skew = cross_matrix(turn) / rate
    square = skew @ skew
    sine, versine = np.sin(angle), 2 * np.sin(angle / 2) ** 2
    poses = np.zeros((*twists.shape[:-1], 4, 4))
    poses[..., :3, :3] = np.eye(3) + sine * skew + versine * square
    along = np.where(still, np.eye(3), (angle * np.eye(3) + versine * skew + (angle - sine) * square) / rate)
    poses[..., :3, 3] = (along @ shift[..., None])[..., 0]
    poses[..., 3, 3] = 1.0
    return poses


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
