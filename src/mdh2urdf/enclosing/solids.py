"""The smallest box, cylinder, sphere and capsule around the points of a convex hull."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from mdh2urdf.enclosing.balls import smallest_ball
from mdh2urdf.enclosing.surface import Array, Surface, extreme_points, spread_directions

SAMPLES = 40
"""Directions over half a sphere that are tried before the best one is refined: about 20 degrees apart."""

STEP = 0.1
"""Tangent of the first turns of the refinement."""

MOST_TRIALS = 90
"""Directions that the refinement may try."""

ENOUGH = 400
"""Points that stick out of a large hull by which directions are compared; sizes are taken from all."""

FACES = 150
"""Faces, the largest first, on which a box is tried."""

WORTH = 1e-3
"""Relative: a turned solid must be smaller by this, else the one along the mesh's own axes is taken."""

CORNERS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Solid:
    """A solid at a place: ``sizes`` are a box's half edges, or radius and half length along z."""

    kind: str
    sizes: tuple[float, ...]
    rotation: Array
    center: Array

    @property
    def volume(self) -> float:
        """m³ where the points are in m."""
        if self.kind == "box":
            return 8.0 * float(np.prod(self.sizes))
        ball = 4.0 / 3.0 * pi * self.sizes[0] ** 3
        if self.kind == "sphere":
            return ball
        rod = 2.0 * pi * self.sizes[0] ** 2 * self.sizes[1]
        return rod + ball if self.kind == "capsule" else rod


def directions(hull: Surface) -> Array:
    """Unit vectors worth trying as an axis: coordinate and principal axes, then points spread over half a sphere."""
    corners = hull.triangles - hull.vertices.mean(axis=0)
    weights = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    middle = corners.mean(axis=1)
    spread = (middle * weights[:, None]).T @ middle
    return np.concatenate((np.eye(3), np.linalg.eigh(spread)[1].T, spread_directions(2 * SAMPLES)[:SAMPLES]))


def about(axis: Array) -> Array:
    """A rotation with the axis as its z; the coordinate axes where it is one of them."""
    z = axis / np.linalg.norm(axis)
    helper = np.roll(np.eye(3), 1, axis=1)[int(np.abs(z).argmax())]
    x = helper - (helper @ z) * z
    x = x / np.linalg.norm(x)
    return np.stack((x, np.cross(z, x), z), axis=1)


def sphere(points: Array) -> Solid:
    """The smallest sphere."""
    center, radius = smallest_ball(points)
    return Solid(kind="sphere", sizes=(radius,), rotation=np.eye(3), center=center)


def cylinder_along(points: Array, axis: Array) -> Solid:
    """The smallest cylinder with an axis in a direction."""
    rotation = about(axis)
    local = points @ rotation
    center, radius = smallest_ball(local[:, :2])
    low, high = float(local[:, 2].min()), float(local[:, 2].max())
    place = rotation @ np.array((*center, 0.5 * (low + high)))
    return Solid(kind="cylinder", sizes=(radius, 0.5 * (high - low)), rotation=rotation, center=place)


def capsule_along(points: Array, axis: Array) -> Solid:
    """A small capsule with an axis in a direction: as thin as a cylinder there, its caps as deep in as they go."""
    rotation = about(axis)
    local = points @ rotation
    center, radius = smallest_ball(local[:, :2])
    across = np.linalg.norm(local[:, :2] - center, axis=1)
    reach = np.sqrt(np.maximum(radius**2 - across**2, 0.0))
    low, high = float((local[:, 2] + reach).min()), float((local[:, 2] - reach).max())
    # Some point has no reach, so that only rounding can have them cross.
    high = max(low, high)
    place = rotation @ np.array((*center, 0.5 * (low + high)))
    return Solid(kind="capsule", sizes=(radius, 0.5 * (high - low)), rotation=rotation, center=place)


def best_direction(hull: Surface, along: Callable[[Array, Array], Solid]) -> Solid:
    """The smallest solid over all directions of its axis; one of the mesh's own axes if it is as good."""
    from scipy.optimize import minimize

    points = extreme_points(hull.vertices, ENOUGH)
    tried = directions(hull)
    volumes = np.array([along(points, axis).volume for axis in tried])
    rotation = about(tried[int(volumes.argmin())])

    def volume(slopes: Array, /) -> float:
        return along(points, rotation @ np.array((slopes[0], slopes[1], 1.0))).volume

    start = np.array(((0.0, 0.0), (STEP, 0.0), (0.0, STEP)))
    options: Any = {"initial_simplex": start, "xatol": 1e-6, "fatol": 0.0, "maxfev": MOST_TRIALS}
    found = minimize(volume, np.zeros(2), method="Nelder-Mead", options=options)
    own = along(hull.vertices, tried[int(volumes[:3].argmin())])
    refined = rotation @ np.array((found.x[0], found.x[1], 1.0))
    turned = min((along(hull.vertices, axis) for axis in (refined, rotation[:, 2])), key=lambda solid: solid.volume)
    return own if own.volume <= turned.volume * (1.0 + WORTH) else turned


def box_in(points: Array, rotation: Array) -> Solid:
    """The box with edges along the columns of a rotation."""
    local = points @ rotation
    low, high = local.min(axis=0), local.max(axis=0)
    sizes = tuple((0.5 * (high - low)).tolist())
    return Solid(kind="box", sizes=sizes, rotation=rotation, center=rotation @ (0.5 * (low + high)))


def smallest_box(hull: Surface) -> Solid:
    """The smallest box with a side on a face of the hull; along the mesh's own axes if that is as good.

    The smallest box of all has a side on a face or two on edges (O'Rourke 1985); with a side on a face it is
    within a few percent of it.
    """
    few = extreme_points(hull.vertices, ENOUGH)
    own = best = box_in(hull.vertices, np.eye(3))
    for normal in _largest_faces(hull):
        base = about(normal)
        angle = _smallest_rectangle(few @ base[:, :2])
        c, s = np.cos(angle), np.sin(angle)
        found = box_in(hull.vertices, base @ np.array(((c, -s, 0.0), (s, c, 0.0), (0.0, 0.0, 1.0))))
        best = found if found.volume < best.volume else best
    return own if own.volume <= best.volume * (1.0 + WORTH) else best


def _largest_faces(hull: Surface) -> Array:
    """Normals of the hull's largest faces, each direction once."""
    corners = hull.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    normals, areas = normals[areas > 0.0], areas[areas > 0.0]
    units = normals / areas[:, None]
    units *= np.where(units @ np.array((1.0, 1e-3, 1e-6)) < 0.0, -1.0, 1.0)[:, None]
    _, first, group = np.unique(np.round(units, 6) + 0.0, axis=0, return_index=True, return_inverse=True)
    whole = np.bincount(group.reshape(-1), weights=areas)
    return np.asarray(units[first[np.argsort(-whole, kind="stable")[:FACES]]])


def _smallest_rectangle(points: Array) -> float:
    """Angle of a side of the smallest rectangle around points in a plane: it lies on a side of their hull."""
    from scipy.spatial import ConvexHull

    corners = points[ConvexHull(points).vertices]
    ways = np.roll(corners, -1, axis=0) - corners
    angles = np.unique(np.round(np.remainder(np.arctan2(ways[:, 1], ways[:, 0]), 0.5 * pi), 9))
    c, s = np.cos(angles), np.sin(angles)
    along, across = (corners @ np.stack(pair) for pair in ((c, s), (-s, c)))
    return float(angles[int((np.ptp(along, axis=0) * np.ptp(across, axis=0)).argmin())])
