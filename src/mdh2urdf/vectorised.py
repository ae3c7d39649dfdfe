"""Many rows or many joint values at once, as numpy arrays.

For studies, calibration and learning, where a million rows or poses are wanted: the numbers are those of
`origins` and `kinematics`, and the formulas those of docs/conventions.md, with the same exact quarter
turns and the same choice in gimbal lock. Work goes in blocks that stay in the processor's cache.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.kinematics import tool_frame
from mdh2urdf.se3 import GIMBAL_LOCK, HALF_PI, QUARTER_TURN_TOLERANCE
from mdh2urdf.table import Table

Array = NDArray[np.float64]

COLUMNS = ("a", "alpha", "d", "theta")
"""The columns of rows, in the order in which the table file lists them, for both conventions."""

BLOCK = 8192
"""Rows that are worked on at once: their twenty columns take 1.3 MB."""


def modified_origins(rows: ArrayLike) -> tuple[Array, Array]:
    """Origins of modified rows: ``Rx(alpha) Tx(a) Rz(theta) Tz(d)`` (Craig 3.6), each row by itself.

    Parameters
    ----------
    rows : array_like, shape (N, 4)
        ``a_{i-1}, alpha_{i-1}, d_i, theta_i`` in m and rad.

    Returns
    -------
    xyz : ndarray, shape (N, 3)
        m.
    rpy : ndarray, shape (N, 3)
        rad, URDF's ``Rz(yaw) Ry(pitch) Rx(roll)`` with ``|pitch| <= 90°``. In gimbal lock yaw is 0. Multiples of
        90 degrees give exact numbers, and there is no ``-0.0``.

    Raises
    ------
    Mdh2UrdfError
        If the shape is another one or a number is not finite.
    """
    return _in_blocks(_shaped(rows, len(COLUMNS), "rows"), _modified_block)


def standard_origins(rows: ArrayLike) -> tuple[Array, Array]:
    """Joint origins of one standard chain: ``Tx(a_{i-1}) Rx(alpha_{i-1}) Rz(theta_i) Tz(d_i)``.

    The joint's motion sits inside its row (Spong 3.10), so origin i takes a and alpha of row i-1, the first one
    0. What is left of the last row, ``Tx(a) Rx(alpha)``, is the tool's fixed joint: xyz ``(a, 0, 0)``, rpy
    ``(alpha, 0, 0)``.

    Parameters
    ----------
    rows : array_like, shape (N, 4)
        ``a_i, alpha_i, d_i, theta_i`` in m and rad, from the base to the tip.

    Returns
    -------
    xyz, rpy : ndarray, shape (N, 3)
        As `modified_origins` gives them.

    Raises
    ------
    Mdh2UrdfError
        If the shape is another one or a number is not finite.
    """
    return _in_blocks(_shaped(rows, len(COLUMNS), "rows"), _modified_block, previous=2)


def standard_row_origins(rows: ArrayLike) -> tuple[Array, Array]:
    """Poses of whole standard rows ``Rz(theta) Tz(d) Tx(a) Rx(alpha)``, for FIXED joints only.

    In a moving joint the whole row is wrong: the motion sits inside it. Use `standard_origins` there.

    Parameters
    ----------
    rows : array_like, shape (N, 4)
        ``a_i, alpha_i, d_i, theta_i`` in m and rad.

    Returns
    -------
    xyz, rpy : ndarray, shape (N, 3)
        As `modified_origins` gives them; the pitch is 0.

    Raises
    ------
    Mdh2UrdfError
        If the shape is another one or a number is not finite.
    """
    return _in_blocks(_shaped(rows, len(COLUMNS), "rows"), _standard_row_block)


def tool_poses(table: Table, q: ArrayLike) -> Array:
    """Frame n times the tool in the root link, for many joint values, straight from the rows.

    Parameters
    ----------
    table : Table
        Of either convention.
    q : array_like, shape (N, n)
        Values of the n moving joints in order, rad and m. Mimic joints follow their leader.

    Returns
    -------
    ndarray, shape (N, 4, 4)

    Raises
    ------
    Mdh2UrdfError
        If the shape is another one or a number is not finite.
    """
    values = _shaped(q, len(table.moving_joints), "q")
    poses = np.zeros((len(values), 4, 4))
    poses[:, 3, 3] = 1.0
    for start in range(0, len(values), BLOCK):
        block = slice(start, start + BLOCK)
        columns = np.ascontiguousarray(values[block].T)
        _refuse_infinite(columns, start, "q")
        frame = tool_frame(table, [*columns])
        for column in range(4):
            for row in range(3):
                poses[block, row, column] = frame[3 * column + row]
    return poses


def _shaped(values: ArrayLike, columns: int, name: str) -> Array:
    array: Array = np.asarray(values, dtype=np.float64)
    if array.ndim != 2 or array.shape[1] != columns:
        raise Mdh2UrdfError(f"{name} wants the shape (N, {columns}), got {array.shape}")
    return array


def _refuse_infinite(columns: Array, start: int, name: str) -> None:
    """Raise if a column of a block that starts at row ``start`` holds a number that is not finite."""
    if not np.isfinite(columns).all():
        wrong = start + int(np.argmin(np.isfinite(columns).all(axis=0)))
        raise Mdh2UrdfError(f"{name}[{wrong}] has a number that is not finite")


def _in_blocks(rows: Array, block: Callable[..., None], *, previous: int = 0) -> tuple[Array, Array]:
    """Origins of all rows; the first ``previous`` columns are those of the row before, 0 before the first.

    Everything is looked at, moved and turned while its block is in the cache: a pass over all rows costs as much as
    a sine.
    """
    xyz, rpy = np.empty((len(rows), 3)), np.empty((len(rows), 3))
    before = np.zeros(previous)
    for start in range(0, len(rows), BLOCK):
        part = slice(start, start + BLOCK)
        columns = np.array(rows[part].T, order="C")  # a copy always: of one row the view would be the caller's memory
        _refuse_infinite(columns, start, "rows")
        if previous:
            last = columns[:previous, -1].copy()
            columns[:previous, 1:] = columns[:previous, :-1].copy()
            columns[:previous, 0] = before
            before = last
        block(*columns, xyz[part], rpy[part])
    return xyz, rpy


def _modified_block(a: Array, alpha: Array, d: Array, theta: Array, xyz: Array, rpy: Array) -> None:
    """The last row of the rotation is ``sa s, sa c, ca``, its first column ``c, ca s, sa s``."""
    ca, sa = _cos_sin(alpha)
    c, s = _cos_sin(theta)
    xyz[:, 0] = a + 0.0  # -0.0 becomes 0
    xyz[:, 1] = 0.0 - sa * d
    xyz[:, 2] = ca * d + 0.0
    r10 = ca * s
    cos_pitch = np.sqrt(c * c + r10 * r10)
    rpy[:, 0] = np.arctan2(sa * c + 0.0, ca)
    rpy[:, 1] = np.arctan2(-sa * s + 0.0, cos_pitch)
    rpy[:, 2] = np.arctan2(r10 + 0.0, c)
    locked = cos_pitch <= GIMBAL_LOCK
    if locked.any():
        # atan2(sa, ca c) with |sa| = 1 and a product below GIMBAL_LOCK squared
        np.copyto(rpy[:, 0], np.copysign(HALF_PI, sa), where=locked)
        np.copyto(rpy[:, 2], 0.0, where=locked)


def _standard_row_block(a: Array, alpha: Array, d: Array, theta: Array, xyz: Array, rpy: Array) -> None:
    ca, sa = _cos_sin(alpha)
    c, s = _cos_sin(theta)
    xyz[:, 0] = a * c + 0.0
    xyz[:, 1] = a * s + 0.0
    xyz[:, 2] = d + 0.0
    rpy[:, 0] = np.arctan2(sa, ca)
    rpy[:, 1] = 0.0
    rpy[:, 2] = np.arctan2(s, c)


def _cos_sin(angles: Array) -> tuple[Array, Array]:
    """Cosines and sines, exactly 0 or ±1 at multiples of 90 degrees, by the rule of `se3.cos_sin`."""
    cosines, sines = np.cos(angles), np.sin(angles)
    size = np.abs(angles)
    off = np.rint(size / HALF_PI)
    off *= HALF_PI
    off -= size
    exact = np.abs(off) <= QUARTER_TURN_TOLERANCE * np.maximum(size, 1.0)
    if exact.any():
        for values in (cosines, sines):
            np.copyto(values, np.rint(values) + 0.0, where=exact)
    return cosines, sines
