"""Mesh files read as surfaces, and surfaces written as STL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from mdh2urdf.enclosing.surface import Surface
from mdh2urdf.errors import Finding, Mdh2UrdfError

_HEADER = b"mdh2urdf".ljust(80)


def require_trimesh(purpose: str) -> Any:
    """The trimesh module.

    Raises
    ------
    Mdh2UrdfError
        If it is not installed; one line that says what to install.
    """
    try:
        import trimesh
    except ImportError as error:
        raise Mdh2UrdfError(f"{purpose} needs trimesh: pip install 'mdh2urdf[mesh]'") from error
    return trimesh


_LEAKED = (OSError, ValueError, LookupError, TypeError, AttributeError, RuntimeError, BadZipFile)
"""What trimesh's readers let out of broken files."""


def _collada_error() -> type[Exception]:
    """What pycollada raises, if it is the one that read the file."""
    error: type[Exception] = getattr(sys.modules.get("collada.common"), "DaeError", ValueError)
    return error


def read_surface(path: Path) -> Surface:
    """The triangles of a mesh file of any format that trimesh reads, in the unit that robot descriptions take it in.

    That is the file's own, but m for Collada, whose files say what their unit is.

    Raises
    ------
    Mdh2UrdfError
        If trimesh is missing, or the file cannot be read or holds no triangles.
    """
    trimesh = require_trimesh(f"reading {path.name}")
    try:
        mesh = trimesh.load_mesh(path)
    except ImportError as error:
        raise Mdh2UrdfError(Finding(file=str(path), message=f"reading it needs the package {error.name}")) from error
    except (*_LEAKED, _collada_error()) as error:
        raise Mdh2UrdfError(Finding(file=str(path), message="is no mesh that can be read")) from error
    vertices, faces = np.asarray(mesh.vertices, dtype=float), np.asarray(mesh.faces, dtype=np.int64)
    if not len(faces) or not np.isfinite(vertices).all():
        raise Mdh2UrdfError(Finding(file=str(path), message="holds no triangles, or points that are not finite"))
    if path.suffix.lower() == ".dae":
        vertices = vertices * _metres(str(mesh.units))
    return Surface(vertices=vertices, faces=faces)


def _metres(units: str) -> float:
    """M in a unit as trimesh names it: ``meters`` or ``0.01 * meters``."""
    factor, times, _ = units.partition("*")
    return float(factor) if times else 1.0


def stl_bytes(surface: Surface) -> bytes:
    """A surface as a binary STL file."""
    corners = surface.triangles
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    lengths = np.linalg.norm(normals, axis=1)
    normals = normals / np.where(lengths > 0.0, lengths, 1.0)[:, None]
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["normal"], rows["corners"] = normals, corners
    return _HEADER + len(corners).to_bytes(4, "little") + rows.tobytes()
