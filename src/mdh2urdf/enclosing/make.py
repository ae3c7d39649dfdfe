"""The collision shape of a mesh file, of any kind: a solid, or meshes to be written."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np

from mdh2urdf.enclosing.files import read_surface, stl_bytes
from mdh2urdf.enclosing.fit import SolidKind, enclose
from mdh2urdf.enclosing.meshes import decomposed, hull_mesh, merged, simplified, stand_off
from mdh2urdf.enclosing.surface import THINNEST, Surface
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.robot import Shape
from mdh2urdf.se3 import Vector3
from mdh2urdf.text import number

SOLIDS: tuple[SolidKind, ...] = get_args(SolidKind)


@dataclass(frozen=True, kw_only=True, slots=True)
class Made:
    """A collision shape: a solid in the frame of the mesh, or STL files in its unit; and how well it fits."""

    told: str
    shape: Shape | None = None
    files: tuple[bytes, ...] = ()


def collision_of(path: Path, scale: Vector3, kind: str, max_faces: int | None = None) -> Made:
    """The collision shape of a mesh file.

    Parameters
    ----------
    path : Path
    scale : Vector3
        M in a unit of the file, along its axes.
    kind : str
        ``mesh``, ``hull``, ``coacd``, or a solid.
    max_faces : int, optional
        Of every mesh.

    Raises
    ------
    Mdh2UrdfError
        If the file cannot be read, an extra is missing, or nothing can be made of the mesh.
    """
    return shape_of(read_surface(path), scale, kind, max_faces, file=str(path))


def shape_of(surface: Surface, scale: Vector3, kind: str, max_faces: int | None = None, *, file: str = "") -> Made:
    """The collision shape of a surface, as `collision_of` makes it; ``file`` is named where nothing can be made."""
    try:
        return _made(surface, scale, kind, max_faces)
    except (ValueError, RuntimeError, np.linalg.LinAlgError) as error:
        # Qhull and CoACD give up on meshes that are broken beyond use.
        raise Mdh2UrdfError(Finding(file=file, message=f"no {kind} can be made of it: it is broken")) from error


def _made(surface: Surface, scale: Vector3, kind: str, max_faces: int | None) -> Made:
    factors = np.array(scale)
    solid = next((known for known in SOLIDS if known == kind), None)
    if solid is not None:
        found = enclose(merged(surface).vertices * factors, solid)
        what = type(found.geometry).__name__.lower()
        share = number(float(f"{found.volume / found.hull_volume:.3g}"))
        told = f"{what} of {share} times the hull's volume, stands off {_millimetres(found.overshoot)} at most"
        return Made(told=told, shape=Shape(geometry=found.geometry, origin=found.pose))
    size = float(np.abs(factors).max())
    if kind == "hull":
        made, off = hull_mesh(merged(surface).vertices, max_faces, thickness=THINNEST / size)
        told = f"hull of {len(made.faces)} faces, stands off the exact one {_millimetres(off * size)} at most"
        return Made(told=told, files=(stl_bytes(made),))
    if kind == "coacd":
        parts = decomposed(surface, max_faces)
        off = stand_off(parts, surface) * size
        told = f"{len(parts)} convex parts, whose corners are {_millimetres(off)} from the mesh at most"
        return Made(told=told, files=tuple(stl_bytes(part) for part in parts))
    made, off = simplified(surface, max_faces or len(surface.faces))
    told = f"{len(made.faces)} of {len(surface.faces)} faces, {_millimetres(off * size)} from the mesh at most"
    return Made(told=told, files=(stl_bytes(made),))


def _millimetres(length: float) -> str:
    return f"{number(float(f'{1000.0 * length:.3g}'))} mm"
