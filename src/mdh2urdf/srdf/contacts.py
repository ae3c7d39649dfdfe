"""Do two surfaces of triangles touch? Edges of one against triangles of the other, found by halving both."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from mdh2urdf.robot import Box, Capsule, Cylinder, Sphere

Array = NDArray[np.float64]

TOUCH = 1e-9
"""m: a nanometre; surfaces that are as near touch, so that faces which the CAD laid on each other count."""

FEW = 64
"""Triangles of a part that is compared whole, not halved further."""

FLAT = 1e-12
"""Relative: the sine of the angle below which an edge lies along a triangle and does not pass through it."""

AROUND = 48
"""Edges of a circle."""

INSIDE = 2 * pi
"""Solid angle of a surface as seen from a point: 4 pi inside, 0 outside; half way is on neither side."""


def touching(a: Array, b: Array) -> bool:
    """Whether two closed surfaces meet, or one lies within the other.

    Crossing edges of two faces that lie in one plane are not looked for, only corners in the other's face.

    Parameters
    ----------
    a, b : array
        Corners of triangles, m, shape (n, 3, 3), in one frame.
    """
    return _boxes_meet(a, b) and (_meet(a, b) or _holds(a, b[0, 0]) or _holds(b, a[0, 0]))


def triangles_of(solid: Box | Cylinder | Sphere | Capsule) -> Array:
    """Corners of the triangles of a solid's surface in its own frame, m, shape (n, 3, 3)."""
    if isinstance(solid, Box):
        corners = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        faces = [face for q in quads for face in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]
        return np.asarray((corners * np.array(solid.size))[np.array(faces)])
    radius = solid.radius
    if isinstance(solid, Cylinder):
        half = 0.5 * solid.length
        return _revolved([(0.0, -half), (radius, -half), (radius, half), (0.0, half)])
    half = 0.5 * solid.length if isinstance(solid, Capsule) else 0.0
    steps = AROUND // 4
    arc = [0.5 * pi * step / steps for step in range(steps + 1)]
    top = [(radius * cos(t), radius * sin(t) + half) for t in arc]
    return _revolved([*((r, -z) for r, z in reversed(top)), *top])


def _revolved(profile: Sequence[tuple[float, float]]) -> Array:
    """The surface that pairs of radius and height make about z, from the lowest point of the axis to the highest."""
    turns = np.arange(AROUND + 1) * (2 * pi / AROUND)
    circle = np.stack((np.cos(turns), np.sin(turns)), axis=1)
    rings = [np.column_stack((radius * circle, np.full(AROUND + 1, height))) for radius, height in profile]
    bands = []
    for low, high in pairwise(rings):
        bands.append(np.stack((low[:-1], low[1:], high[1:]), axis=1))
        bands.append(np.stack((low[:-1], high[1:], high[:-1]), axis=1))
    triangles = np.concatenate(bands)
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.asarray(triangles[np.linalg.norm(sides, axis=1) > 1e-12 * float(np.abs(triangles).max()) ** 2])


def _boxes_meet(a: Array, b: Array) -> bool:
    low_a, high_a = a.min(axis=(0, 1)), a.max(axis=(0, 1))
    low_b, high_b = b.min(axis=(0, 1)), b.max(axis=(0, 1))
    return bool((low_a <= high_b + TOUCH).all() and (low_b <= high_a + TOUCH).all())


def _meet(a: Array, b: Array) -> bool:
    """Whether an edge of one passes through a triangle of the other."""
    pairs = [(a, b)]
    while pairs:
        one, two = pairs.pop()
        if not _boxes_meet(one, two):
            continue
        if max(len(one), len(two)) <= FEW:
            first, second = _near(one, two)
            if _pierce(one[first], two[second]) or _pierce(two[second], one[first]):
                return True
        elif len(one) >= len(two):
            pairs += [(half, two) for half in _halves(one)]
        else:
            pairs += [(one, half) for half in _halves(two)]
    return False


def _halves(triangles: Array) -> tuple[Array, Array]:
    """Both halves along the longest side of the box around the centres."""
    centers = triangles.mean(axis=1)
    order = np.argsort(centers[:, int(np.ptp(centers, axis=0).argmax())], kind="stable")
    middle = len(order) // 2
    return triangles[order[:middle]], triangles[order[middle:]]


def _near(a: Array, b: Array) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Numbers of triangles of a and b whose boxes meet, pair by pair."""
    low_a, high_a = a.min(axis=1)[:, None], a.max(axis=1)[:, None]
    low_b, high_b = b.min(axis=1)[None] - TOUCH, b.max(axis=1)[None] + TOUCH
    first, second = np.nonzero(((low_a <= high_b) & (low_b <= high_a)).all(axis=2))
    return first, second


def _pierce(a: Array, b: Array) -> bool:
    """Whether an edge of a triangle of a meets the triangle of b with the same number (Möller and Trumbore 1997)."""
    corner, e1, e2 = b[:, None, 0], b[:, None, 1] - b[:, None, 0], b[:, None, 2] - b[:, None, 0]
    ways = np.roll(a, -1, axis=1) - a
    across = np.cross(ways, e2)
    det = (e1 * across).sum(axis=-1)
    length, l1, l2 = (np.linalg.norm(each, axis=-1) for each in (ways, e1, e2))
    passes = np.abs(det) > FLAT * length * l1 * l2
    inverse = 1.0 / np.where(passes, det, 1.0)
    offset = a - corner
    turned = np.cross(offset, e1)
    u = (offset * across).sum(axis=-1) * inverse
    v = (ways * turned).sum(axis=-1) * inverse
    t = (e2 * turned).sum(axis=-1) * inverse
    slack = TOUCH / np.maximum(length, TOUCH)
    edge = TOUCH / np.maximum(np.minimum(l1, l2), TOUCH)
    hit = passes & (u >= -edge) & (v >= -edge) & (u + v <= 1.0 + edge) & (t >= -slack) & (t <= 1.0 + slack)
    return bool(hit.any())


def _holds(triangles: Array, point: Array) -> bool:
    """Whether a point is inside a closed surface: the solid angle of all triangles (Van Oosterom and Strackee 1983)."""
    a, b, c = (triangles[:, corner] - point for corner in range(3))
    la, lb, lc = (np.linalg.norm(side, axis=1) for side in (a, b, c))
    top = np.einsum("ij,ij->i", a, np.cross(b, c))
    bottom = la * lb * lc + np.einsum("ij,ij->i", a, b) * lc
    bottom += np.einsum("ij,ij->i", b, c) * la + np.einsum("ij,ij->i", c, a) * lb
    return abs(float((2.0 * np.arctan2(top, bottom)).sum())) > INSIDE
