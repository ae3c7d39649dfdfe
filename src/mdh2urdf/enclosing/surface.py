"""Triangle surfaces as arrays, their convex hulls, and distances from them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Integers = NDArray[np.int64]

THINNEST = 1e-4
"""m: flat meshes are taken as plates of this thickness, for simulators refuse shapes without volume."""

FLAT = 1e-9
"""Share of the longest extent below which an extent is the rounding of a flat mesh."""

PAIRS = 200_000
"""Pairs of points and triangles that are looked at in one go."""

MANY = 600
"""Triangles above which not every one is looked at for every point."""

NEAR = 64
"""Corners and middles near a point whose triangles are looked at."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Surface:
    """Vertices, shape (n, 3), and triangles as rows of their numbers, shape (m, 3), seen from outside anticlockwise."""

    vertices: Array
    faces: Integers

    @property
    def triangles(self) -> Array:
        """Corners of the triangles, shape (m, 3, 3)."""
        return np.asarray(self.vertices[self.faces])

    @property
    def volume(self) -> float:
        """Volume of a closed surface."""
        corners = self.triangles - self.vertices.mean(axis=0)
        return float(np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0)


def thickened(points: Array, thickness: float) -> Array:
    """The points; where they lie in a plane, on a line or at one place, moved apart by the thickness."""
    center = points.mean(axis=0)
    _, _, axes = np.linalg.svd(points - center, full_matrices=True) if len(points) > 2 else (0, 0, np.eye(3))
    extents = np.ptp((points - center) @ axes.T, axis=0)
    for axis, extent in zip(axes, extents, strict=True):
        if extent <= max(FLAT * float(extents.max()), 1e-3 * thickness):
            points = np.concatenate((points - 0.5 * thickness * axis, points + 0.5 * thickness * axis))
    return points


def hull_of(points: Array) -> Surface:
    """Convex hull of points that have a volume, its triangles facing outwards."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(points)
    used, faces = np.unique(hull.simplices, return_inverse=True)
    vertices, faces = np.asarray(points[used]), faces.reshape(-1, 3)
    corners = vertices[faces]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    inward = np.einsum("ij,ij->i", normals, hull.equations[:, :3]) < 0.0
    faces[inward] = faces[inward][:, ::-1]
    return Surface(vertices=vertices, faces=faces.astype(np.int64))


def planes_of(hull: Surface) -> tuple[Array, Array]:
    """Outward unit normals, shape (k, 3), and distances from the origin, shape (k,), of a hull's faces."""
    corners = hull.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    kept = lengths > 0.0
    normals = normals[kept] / lengths[kept, None]
    return normals, np.einsum("ij,ij->i", normals, corners[kept, 0])


def outside(hull: Surface, points: Array) -> Array:
    """How far points are outside the faces of a convex hull, shape (n,); at most 0 inside."""
    normals, distances = planes_of(hull)
    return np.asarray((points @ normals.T - distances).max(axis=1))


def distance_to(surface: Surface, points: Array) -> Array:
    """Distance of points to a surface, shape (n,).

    Of a surface with more than `MANY` triangles only those are looked at that have a corner, the middle of an
    edge or their own middle near a point, so that a distance may come out a little too large.
    """
    triangles = surface.triangles
    near: Integers | None = None
    if len(triangles) > MANY:
        from scipy.spatial import cKDTree

        edges = 0.5 * (triangles + np.roll(triangles, -1, axis=1))
        marks = np.concatenate((triangles, edges, triangles.mean(axis=1, keepdims=True)), axis=1)
        near = np.asarray(cKDTree(marks.reshape(-1, 3)).query(points, k=NEAR)[1]) // marks.shape[1]
    rows = max(1, PAIRS // (len(triangles) if near is None else NEAR))
    found = np.empty(len(points))
    for start in range(0, len(points), rows):
        part = slice(start, start + rows)
        looked_at = triangles[None] if near is None else triangles[near[part]]
        found[part] = _distances(looked_at, points[part, None]).min(axis=1)
    return found


def _distances(triangles: Array, points: Array) -> Array:
    """Distances of points, shape (..., 3), from triangles, shape (..., 3, 3); the leading shapes broadcast."""
    corners = [triangles[..., i, :] for i in range(3)]
    ways = [corners[(i + 1) % 3] - corners[i] for i in range(3)]
    normals = np.cross(ways[0], -ways[2])
    lengths = np.linalg.norm(normals, axis=-1)
    units = normals / np.where(lengths > 0.0, lengths, 1.0)[..., None]
    apart = [points - corner for corner in corners]
    # The foot on the plane counts where it lies on the inner side of all three edges.
    inside = np.broadcast_to(lengths > 0.0, apart[0].shape[:-1])
    for way, gap in zip(ways, apart, strict=True):
        inside = inside & (np.einsum("...i,...i->...", gap, np.cross(units, way)) >= 0.0)
    best = np.where(inside, np.abs(np.einsum("...i,...i->...", apart[0], units)), np.inf)
    for way, gap in zip(ways, apart, strict=True):
        square = np.einsum("...i,...i->...", way, way)
        along = np.einsum("...i,...i->...", gap, way) / np.where(square > 0.0, square, 1.0)
        rest = gap - np.clip(along, 0.0, 1.0)[..., None] * way
        best = np.minimum(best, np.linalg.norm(rest, axis=-1))
    return np.asarray(best)


def spread_points(surface: Surface, count: int) -> Array:
    """About so many points of a surface, each triangle's corners among them, equally many in each triangle."""
    # A triangle whose edges have n parts has (n + 1) (n + 2) / 2 points.
    parts = max(1, int((2 * count / len(surface.faces)) ** 0.5) - 1)
    shares = [(i, j, parts - i - j) for i in range(parts + 1) for j in range(parts + 1 - i)]
    points: Array = np.einsum("ki,nij->nkj", np.array(shares) / parts, surface.triangles).reshape(-1, 3)
    return points


def extreme_points(points: Array, count: int) -> Array:
    """Of many points those that stick out farthest in so many directions; of few all."""
    if len(points) <= count:
        return points
    return np.asarray(points[np.unique((points @ spread_directions(count).T).argmax(axis=0))])


def spread_directions(count: int) -> Array:
    """Unit vectors spread evenly over a sphere, shape (count, 3), by the golden angle."""
    steps = np.arange(count) + 0.5
    height, turn = 1.0 - 2.0 * steps / count, np.pi * (1.0 + 5.0**0.5) * steps
    flat = np.sqrt(1.0 - height**2)
    return np.stack((flat * np.cos(turn), flat * np.sin(turn), height), axis=1)
