"""Meshes for collision: hulls and simplified surfaces with few faces, and decompositions into convex parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mdh2urdf.enclosing.surface import (
    FLAT,
    Array,
    Surface,
    distance_to,
    hull_of,
    outside,
    planes_of,
    spread_points,
    thickened,
)
from mdh2urdf.errors import Mdh2UrdfError

FEWEST_FACES = 4
"""Faces of a tetrahedron."""

SINGLE = 1e-6
"""Relative: what single precision, in which STL files are written, may take from a length; hulls are larger by this."""

SUPPORTS = 8
"""Points farthest outside a face that are looked at when a hull is stretched."""

SMALLEST = 0.1
"""Reciprocal of the largest factor by which a hull is stretched."""

HALVINGS = 20
"""Steps of the search for the finest grid."""

MEASURED = 10_000
"""Points, about, of either surface at which the deviation of a simplified one is measured."""

THRESHOLD = 0.05
"""Concavity that a part of a decomposition may keep, as a share of the mesh's size: CoACD's own default."""


def checked_faces(max_faces: int | None) -> int | None:
    """The number, if it can be followed.

    Raises
    ------
    Mdh2UrdfError
        If no solid has so few faces.
    """
    if max_faces is not None and max_faces < FEWEST_FACES:
        raise Mdh2UrdfError(f"--max-faces wants {FEWEST_FACES} or more, got {max_faces}: no solid has fewer faces")
    return max_faces


def hull_mesh(points: Array, max_faces: int | None = None, *, thickness: float = 0.0) -> tuple[Surface, float]:
    """Convex hull of points, shape (n, 3), with few faces, and how far it stands off the exact one.

    The vertices that stick out most are kept, and what they span is blown up until it encloses all the others.

    Parameters
    ----------
    points : array
    max_faces : int, optional
    thickness : float
        Of the plate that points in a plane are taken for; 0 for none.
    """
    exact = hull_of(thickened(points, thickness) if thickness else points)
    if max_faces is None or len(exact.faces) <= max_faces:
        return exact, 0.0
    # A closed surface of triangles has twice as many faces as vertices, less four.
    rough = _stretched(hull_of(_farthest(exact.vertices, max_faces // 2 + 2)), exact.vertices)
    center = rough.vertices.mean(axis=0)
    factor = _needed(rough, exact.vertices, center) * (1.0 + SINGLE)
    grown = Surface(vertices=center + factor * (rough.vertices - center), faces=rough.faces)
    return grown, float(distance_to(exact, grown.vertices).max())


def _stretched(hull: Surface, points: Array) -> Surface:
    """A hull stretched along its principal axes, each as little as it can be, until it nearly encloses points.

    With ``t`` the reciprocals of the three factors, the plane ``n p <= d`` of a face becomes ``(n p) t <= d``,
    which is linear in t.
    """
    from scipy.optimize import linprog

    center = hull.vertices.mean(axis=0)
    axes = np.linalg.svd(hull.vertices - center, full_matrices=False)[2]
    normals, distances = planes_of(Surface(vertices=(hull.vertices - center) @ axes.T, faces=hull.faces))
    local = (points - center) @ axes.T
    beyond = np.argsort(-(local @ normals.T - distances), axis=0, kind="stable")[:SUPPORTS]
    rows = (local[beyond] * normals).reshape(-1, 3)
    limits = np.broadcast_to(distances, beyond.shape).reshape(-1)
    found = linprog(-np.ptp(local, axis=0), A_ub=rows, b_ub=limits, bounds=(0.0, 1.0), method="highs")
    factors = np.ones(3) if found.x is None else 1.0 / np.maximum(found.x, SMALLEST)
    return Surface(vertices=center + ((hull.vertices - center) @ axes.T * factors) @ axes, faces=hull.faces)


def _farthest(points: Array, count: int) -> Array:
    """So many of a hull's vertices, each chosen as the one farthest outside those before."""
    middle = points.mean(axis=0)
    chosen = [int(np.linalg.norm(points - middle, axis=1).argmax())]
    for _ in range(3):
        # A tetrahedron to start with: farthest from a point, from a line, from a plane.
        base = points[chosen]
        ways = base[1:] - base[0]
        rest = points - base[0]
        if len(ways):
            basis = np.linalg.qr(ways.T)[0]
            rest = rest - rest @ basis @ basis.T
        chosen.append(int(np.linalg.norm(rest, axis=1).argmax()))
    while len(chosen) < count:
        beyond = outside(hull_of(points[chosen]), points)
        chosen.append(int(beyond.argmax()))
    return points[chosen]


def _needed(hull: Surface, points: Array, center: Array) -> float:
    """The factor about a point inside by which a hull has to grow to enclose points."""
    moved = Surface(vertices=hull.vertices - center, faces=hull.faces)
    corners = moved.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    distances = np.einsum("ij,ij->i", normals, corners[:, 0])
    ratio = ((points - center) @ normals.T / distances).max()
    return max(1.0, float(ratio))


def simplified(surface: Surface, max_faces: int) -> tuple[Surface, float]:
    """The surface with at most so many faces, and its largest deviation; it need not enclose anything.

    Raises
    ------
    Mdh2UrdfError
        If fast-simplification is not installed.
    """
    if len(surface.faces) <= max_faces:
        return surface, 0.0
    try:
        from fast_simplification import simplify
    except ImportError as error:
        message = "--max-faces needs fast-simplification: pip install 'mdh2urdf[mesh]'"
        raise Mdh2UrdfError(message) from error
    whole = merged(surface)
    vertices, faces = simplify(whole.vertices, whole.faces, target_count=max_faces)
    made = Surface(vertices=np.asarray(vertices, dtype=float), faces=np.asarray(faces, dtype=np.int64))
    if len(made.faces) > max_faces:
        # It stops where every step would turn a face over, as on the long thin triangles of a cylinder.
        made = _clustered(made, max_faces)
    step = max(1, len(whole.vertices) // MEASURED)
    there = distance_to(made, whole.vertices[::step]).max()
    # A face may span a hole whose rim it touches: its inside counts as well.
    back = distance_to(whole, spread_points(made, MEASURED)).max()
    return made, float(max(there, back))


def _clustered(surface: Surface, max_faces: int) -> Surface:
    """The surface with vertices that share a cell of a grid made one, the grid as fine as it can be."""
    low = surface.vertices.min(axis=0)
    size = float(np.ptp(surface.vertices, axis=0).max())
    fine, coarse = 1.0, float(2 * max_faces)
    best = hull_mesh(surface.vertices, max_faces, thickness=FLAT * size)[0]
    for _ in range(HALVINGS):
        count = 0.5 * (fine + coarse)
        cells = np.floor((surface.vertices - low) * (count / size))
        _, first, number = np.unique(cells, axis=0, return_index=True, return_inverse=True)
        made = merged(Surface(vertices=surface.vertices[first], faces=number.reshape(-1)[surface.faces]))
        if len(made.faces) > max_faces:
            coarse = count
        else:
            fine = count
            best = made if len(made.faces) >= FEWEST_FACES else best
    return best


def merged(surface: Surface) -> Surface:
    """The surface with equal vertices made one, and triangles without area left out."""
    vertices, numbers = np.unique(surface.vertices, axis=0, return_inverse=True)
    faces = numbers.reshape(-1)[surface.faces]
    sound = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    return Surface(vertices=vertices, faces=faces[sound].astype(np.int64))


def decomposed(surface: Surface, max_faces: int | None = None) -> list[Surface]:
    """Convex parts that follow the surface and together hold every vertex.

    Raises
    ------
    Mdh2UrdfError
        If coacd is not installed.
    """
    try:
        import coacd
    except ImportError as error:
        raise Mdh2UrdfError("--collision coacd needs coacd: pip install 'mdh2urdf[coacd]'") from error
    coacd.set_log_level("error")
    whole = merged(surface)
    parts = coacd.run_coacd(coacd.Mesh(whole.vertices, whole.faces), threshold=THRESHOLD, seed=0)
    hulls = [hull_of(np.asarray(vertices, dtype=float)) for vertices, _ in parts]
    return [hull_mesh(points, max_faces)[0] for points in _completed(hulls, whole.vertices)]


def _completed(hulls: Sequence[Surface], points: Array) -> list[Array]:
    """Vertices of the parts; a point that is in no part joins the nearest."""
    beyond = np.stack([outside(hull, points) for hull in hulls])
    nearest = beyond.argmin(axis=0)
    lost = beyond.min(axis=0) > 0.0
    return [np.concatenate((hull.vertices, points[lost & (nearest == number)])) for number, hull in enumerate(hulls)]


def stand_off(parts: Sequence[Surface], surface: Surface) -> float:
    """How far the vertices of convex parts are from a surface at most."""
    whole = merged(surface)
    return float(max(distance_to(whole, part.vertices).max() for part in parts))
