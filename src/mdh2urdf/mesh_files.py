"""The files that mesh names of a robot description mean."""

from __future__ import annotations

import os
from pathlib import Path

from mdh2urdf.paths import is_file

PACKAGE_PATHS = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")
"""Environment variables that list folders where ROS packages are."""


def mesh_file(name: str, folder: Path) -> Path | None:
    """The file that a mesh name of a robot description means; None if there is none.

    ``package://`` names are looked for in the folder and those above it but the system's root, with and without
    the package's name, and where ROS' environment variables say that packages are. A name that leads out of its
    package (``package://../``) means no file. Absolute names and ``file://`` mean what they say.
    """
    scheme, separator, rest = name.partition("://")
    if not separator:
        places = [folder / name]
    elif scheme == "package":
        places = _in_packages([part for part in rest.split("/") if part], folder)
    else:
        places = [Path(rest)] if scheme == "file" else []
    return next((place for place in places if is_file(place)), None)


def _in_packages(steps: list[str], folder: Path) -> list[Path]:
    if ".." in steps:
        return []
    above = [base for base in (folder.absolute(), *folder.absolute().parents) if base.parent != base]
    places = [base.joinpath(*path) for base in above for path in (steps, steps[1:])]
    return places + [base.joinpath(*path) for base in _package_folders() for path in (steps, ["share", *steps])]


def _package_folders() -> list[Path]:
    listed = (os.environ.get(name, "").split(os.pathsep) for name in PACKAGE_PATHS)
    return [Path(folder) for folders in listed for folder in folders if folder]
