"""Stacks of rigid poses as numpy arrays, shape (..., 4, 4): inverse, differences, repair."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mdh2urdf.se3 import Transform

Array = NDArray[np.float64]

MEASURED_DECIMALS = 11
"""Decimals of a measured length in m or rotation entry: 1e-11 is a hundredth of the promised 1e-9, and far
above the rounding of doubles in a dump, so that two dumps of one assembly give the same numbers."""


NEARLY_RIGID = 1e-3
"""Error of a rotation up to which `orthonormal` mends it to the last digit."""


def inverse(poses: Array) -> Array:
    """Inverse of rigid poses, shape (..., 4, 4)."""
    result = np.zeros_like(poses)
    back = np.swapaxes(poses[..., :3, :3], -1, -2)
    result[..., :3, :3] = back
    result[..., :3, 3] = -np.einsum("...ij,...j->...i", back, poses[..., :3, 3])
    result[..., 3, 3] = 1.0
    return result


def compose(rotation: Array, translation: Array) -> Array:
    """Pose of a rotation, shape (3, 3), and a translation in m, shape (3,)."""
    pose = np.eye(4)
    pose[:3, :3] = rotation
    pose[:3, 3] = translation
    return pose


def rigidity_error(poses: Array) -> Array:
    """Largest entry of ``|R R^T - I|`` and of the last row's error; 2 where the axes are left-handed."""
    rotation = poses[..., :3, :3]
    gram = np.matmul(rotation, np.swapaxes(rotation, -1, -2)) - np.eye(3)
    error = np.abs(gram).max(axis=(-1, -2))
    error = np.maximum(error, np.abs(poses[..., 3, :] - (0.0, 0.0, 0.0, 1.0)).max(axis=-1))
    a, b, c = rotation[..., 0, :], rotation[..., 1, :], rotation[..., 2, :]
    left_handed = np.einsum("...i,...i->...", np.cross(a, b), c) < 0.0
    return np.where(left_handed, 2.0, error)


def orthonormal(rotation: Array) -> Array:
    """The rotation nearest to a nearly orthonormal matrix, shape (..., 3, 3).

    Newton's iteration for the polar factor, ``R (3 I - R^T R) / 2``: an error e becomes e², so three
    steps are enough below 1e-3, and an exact rotation stays as it is.
    """
    for _ in range(3):
        gram = np.matmul(np.swapaxes(rotation, -1, -2), rotation)
        rotation = np.matmul(rotation, 1.5 * np.eye(3) - 0.5 * gram)
    return rotation


def difference(a: Array, b: Array) -> tuple[Array, Array]:
    """Distance of the points in m and angle between the rotations in rad of two stacks of poses."""
    distance = np.linalg.norm(a[..., :3, 3] - b[..., :3, 3], axis=-1)
    square = np.square(a[..., :3, :3] - b[..., :3, :3]).sum(axis=(-1, -2))
    return distance, 2.0 * np.arcsin(np.minimum(1.0, np.sqrt(square / 8.0)))


def rotation_vectors(rotation: Array) -> Array:
    """Axis times angle of rotations in rad, shape (..., 3), the angle at most pi."""
    from scipy.spatial.transform import Rotation

    flat = rotation.reshape(-1, 3, 3)
    return np.asarray(Rotation.from_matrix(flat).as_rotvec()).reshape((*rotation.shape[:-2], 3))


def turn(axis: Array, angles: Array | float) -> Array:
    """Rotations about a unit axis, shape (3,), by angles in rad, shape (...): (..., 3, 3)."""
    angles = np.asarray(angles, dtype=float)[..., None, None]
    x, y, z = axis
    skew = np.array(((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0)))
    return np.asarray(np.eye(3) + np.sin(angles) * skew + 2.0 * np.sin(angles / 2.0) ** 2 * (skew @ skew))


def mean_pose(poses: Array) -> Array:
    """Mean of poses, shape (k, 4, 4) to (4, 4); of poses that differ by much some rigid pose between them."""
    mean = poses.mean(axis=0)
    rotation = mean[:3, :3]
    if float(np.abs(rotation @ rotation.T - np.eye(3)).max()) > NEARLY_RIGID:
        left, _, right = np.linalg.svd(rotation)
        left[:, 2] *= np.sign(np.linalg.det(left) * np.linalg.det(right))
        rotation = left @ right
    return compose(orthonormal(rotation), mean[:3, 3])


def settled(pose: Array) -> Array:
    """A measured pose rounded to `MEASURED_DECIMALS`, the rotation made rigid again."""
    rounded = np.round(pose, MEASURED_DECIMALS) + 0.0
    return compose(orthonormal(rounded[:3, :3]), rounded[:3, 3])


def settled_axis(axis: Array) -> Array:
    """A measured unit vector rounded to `MEASURED_DECIMALS` and made a unit vector again."""
    rounded = np.round(axis, MEASURED_DECIMALS) + 0.0
    return np.asarray(rounded / np.linalg.norm(rounded))


def as_transform(pose: Array) -> Transform:
    """A pose array as the project's tuple pose."""
    return Transform.from_matrix((pose + 0.0).tolist())


def as_array(pose: Transform) -> Array:
    """The project's tuple pose as an array, shape (4, 4)."""
    return np.array(pose.matrix())


def vector(values: Sequence[float]) -> tuple[float, float, float]:
    """Three numbers as a tuple of floats."""
    x, y, z = (float(value) + 0.0 for value in values)
    return (x, y, z)
