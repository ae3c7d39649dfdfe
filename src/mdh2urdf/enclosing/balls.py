"""The smallest ball around points, in any dimension."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from mdh2urdf.enclosing.surface import Array

TOLERANCE = 1e-12
"""Relative: a point that is outside by less lies on the ball."""

INDEPENDENT = 1e-14
"""Square of the sine of an angle below which two ways are one."""

MOST_STEPS = 200
"""Steps of the search; it needs about ten."""


def smallest_ball(points: Array) -> tuple[Array, float]:
    """Centre and radius of the smallest ball around points, shape (n, d).

    The farthest point joins the few that hold the ball, and of these the smallest ball is found by trying all
    subsets (Gärtner 1999): the radius grows with every step.
    """
    support = points[:1]
    center, radius = support[0], 0.0
    scale = float(np.ptp(points, axis=0).max())
    for _ in range(MOST_STEPS):
        distances = np.linalg.norm(points - center, axis=1)
        farthest = int(distances.argmax())
        if distances[farthest] <= radius + TOLERANCE * scale:
            break
        center, radius, support = _held(np.concatenate((support, points[farthest : farthest + 1])), scale)
    return center, float(np.linalg.norm(points - center, axis=1).max())


def _held(points: Array, scale: float) -> tuple[Array, float, Array]:
    """The smallest ball around few points, with those that it touches; the last point is one of them."""
    dimension = points.shape[1]
    last = len(points) - 1
    middle = points.mean(axis=0)
    best = (middle, float(np.linalg.norm(points - middle, axis=1).max()), points[-dimension - 1 :])
    found = False
    for count in range(2, min(dimension + 1, len(points)) + 1):
        for others in combinations(range(last), count - 1):
            chosen = points[[*others, last]]
            center = _equidistant(chosen)
            if center is None:
                continue
            squares = ((points - center) ** 2).sum(axis=1)
            radius = float(squares[last]) ** 0.5
            inside = float(squares.max()) ** 0.5 <= radius + 1e3 * TOLERANCE * scale
            if inside and (not found or radius < best[1]):
                best, found = (center, radius, chosen), True
        if count == 2 and found:
            # No ball around two of the points is smaller.
            break
    return best


def _equidistant(points: Array) -> Array | None:
    """The point in the span of affinely independent points that is equally far from them; None if they are not."""
    if len(points) == 2:
        return np.asarray(0.5 * (points[0] + points[1]))
    ways = points[1:] - points[0]
    gram = ways @ ways.T
    squares = gram.diagonal()
    if len(points) == 3:
        (aa, ab), (_, bb) = gram.tolist()
        determinant = aa * bb - ab * ab
        if determinant <= INDEPENDENT * aa * bb:
            return None
        first = 0.5 * bb * (aa - ab) / determinant
        second = 0.5 * aa * (bb - ab) / determinant
        return np.asarray(points[0] + first * ways[0] + second * ways[1])
    if np.linalg.det(gram) <= INDEPENDENT * float(np.prod(squares)):
        return None
    return np.asarray(points[0] + np.linalg.solve(2.0 * gram, squares) @ ways)
