"""How a written file names the mesh files of a description."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from mdh2urdf.mesh_files import mesh_file

MeshName = Callable[[str], str]
"""The name of a mesh file in the written file, of its name in the source."""

_SHARED = ("package://", "model://")


def source_file(name: str, folder: Path) -> Path | None:
    """The file that a mesh name of a description in ``folder`` means, Gazebo's ``model://`` read as a package."""
    return mesh_file(name.replace("model://", "package://", 1) if name.startswith("model://") else name, folder)


def relative_name(path: Path, start: Path) -> str:
    """A path as seen from a folder, with slashes."""
    return Path(os.path.relpath(path, start)).as_posix()


def as_file(folder: Path, start: Path) -> MeshName:
    """Names by paths from the folder ``start``, for programs that know no packages.

    A file that is not found keeps what stands behind its package.
    """

    def name(filename: str) -> str:
        path = source_file(filename, folder)
        if path is not None:
            return relative_name(path, start)
        for scheme in _SHARED:
            if filename.startswith(scheme):
                return filename.removeprefix(scheme).partition("/")[2]
        return filename.removeprefix("file://")

    return name


def as_model(folder: Path, start: Path) -> MeshName:
    """Names as Gazebo has them: ``model://NAME/...`` for a file of a package, else a path from ``start``."""
    by_path = as_file(folder, start)

    def name(filename: str) -> str:
        if filename.startswith("package://"):
            return filename.replace("package://", "model://", 1)
        return filename if filename.startswith("model://") else by_path(filename)

    return name
