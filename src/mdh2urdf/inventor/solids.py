"""Solids in an STL file: its triangles, the bodies that they belong to, and those drawn for collision."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from mdh2urdf.enclosing.surface import Integers, Surface
from mdh2urdf.inventor.dump import Body
from mdh2urdf.inventor.mesh import corners_of

LIKE = 0.02
"""Relative: what tessellation may take from a volume or, of its size, move a centre."""


def read_solids(path: Path) -> Surface:
    """The triangles of an STL file in its own unit, in the order of the file, each with its own corners.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be read.
    """
    corners = corners_of(path)
    faces = np.arange(3 * len(corners)).reshape(-1, 3)
    return Surface(vertices=corners.reshape(-1, 3), faces=faces)


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Parted:
    """A surface taken apart: the triangles of each drawn body that was found, by name, and the numbers of the rest."""

    drawn: dict[str, Surface]
    rest: Integers
    missing: tuple[str, ...]


def parted(surface: Surface, bodies: tuple[Body, ...], scale: float) -> Parted:
    """The triangles of a surface by the bodies that were drawn, found by volume and centre.

    Parameters
    ----------
    surface : Surface
        Of all bodies of an occurrence, in the unit of the file.
    bodies : tuple of Body
    scale : float
        M in a unit of the file.
    """
    labels = _components(surface)
    pieces = {
        int(label): Surface(vertices=surface.vertices, faces=surface.faces[labels == label])
        for label in np.unique(labels)
    }
    drawn: dict[str, Surface] = {}
    taken: set[int] = set()
    for body in bodies:
        found = next((label for label in pieces if label not in taken and _fits(pieces[label], body, scale)), None)
        if found is not None:
            taken.add(found)
            drawn[body.name] = pieces[found]
    return Parted(
        drawn=drawn,
        rest=np.flatnonzero(~np.isin(labels, list(taken))),
        missing=tuple(body.name for body in bodies if body.name not in drawn),
    )


def _components(surface: Surface) -> Integers:
    """For every triangle the number of the connected piece that it belongs to."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    _, numbers = np.unique(surface.vertices, axis=0, return_inverse=True)
    faces = numbers.reshape(-1)[surface.faces]
    ends = np.concatenate((faces[:, :2], faces[:, 1:]))
    count = int(faces.max()) + 1
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(count, count))
    _, labels = connected_components(graph, directed=False)
    return np.asarray(labels[faces[:, 0]], dtype=np.int64)


def _fits(piece: Surface, body: Body, scale: float) -> bool:
    """Whether a piece has the volume and the centre of a body."""
    if body.volume is None or body.center_of_mass is None:
        return False
    corners = piece.triangles * scale
    origin = corners.reshape(-1, 3).mean(axis=0)
    local = corners - origin
    sixth = np.einsum("ij,ij->i", local[:, 0], np.cross(local[:, 1], local[:, 2]))
    volume = float(sixth.sum()) / 6.0
    if abs(abs(volume) - body.volume) > LIKE * body.volume or volume == 0.0:
        return False
    center = origin + sixth @ local.sum(axis=1) / (24.0 * volume)
    wanted = body.occurrence_from_part[:3, :3] @ body.center_of_mass + body.occurrence_from_part[:3, 3]
    size = float(np.linalg.norm(np.ptp(corners.reshape(-1, 3), axis=0)))
    return float(np.linalg.norm(center - wanted)) <= LIKE * size


def some_faces(surface: Surface, numbers: Integers) -> Surface:
    """The part of a surface that has these triangles, by number."""
    return Surface(vertices=surface.vertices, faces=surface.faces[numbers])
