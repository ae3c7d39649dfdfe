"""The files that mesh names of a robot description mean."""

from __future__ import annotations

import os
from pathlib import Path

PACKAGE_PATHS = ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH")
"""Environment variables that list folders where ROS packages are."""


def mesh_file(name: str, folder: Path) -> Path | None:
    """The file that a mesh name of a robot description means; None if there is none.

    ``package://`` names are looked for in the folder and those above it, with and without the package's
    name, and where ROS' environment variables say that packages are.
    """
    scheme, separator, rest = name.partition("://")
    if not separator:
        places = [folder / name]
    elif scheme == "package":
        inside = rest.partition("/")[2]
        above = [folder.absolute(), *folder.absolute().parents]
        places = [place for base in above for place in (base / rest, base / inside)]
        places += [place for base in _package_folders() for place in (base / rest, base / "share" / rest)]
    else:
        places = [Path(rest)] if scheme == "file" else []
    return next((place for place in places if place.is_file()), None)


def _package_folders() -> list[Path]:
    listed = (os.environ.get(name, "").split(os.pathsep) for name in PACKAGE_PATHS)
    return [Path(folder) for folders in listed for folder in folders if folder]
