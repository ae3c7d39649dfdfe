"""Where the package's own files are: the xacro macros and the catalogue of robots."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.files import read_text

MACRO = Path("macros", "dh_to_origin.xacro")
"""The macro file in the share directory."""

_PACKAGE = Path(__file__).resolve().parent


def share_directory() -> Path:
    """The folder that ``$(find mdh2urdf)`` means: it has ``macros/dh_to_origin.xacro``.

    A checkout (and so an editable install) is its own share directory. An installed package has
    ``share/mdh2urdf`` under the prefix that it was installed to; where no such folder came along, the
    copy of the macros inside the package serves.

    Raises
    ------
    Mdh2UrdfError
        If the macro file is in none of these places.
    """
    for folder in (_checkout(), _installed(), _PACKAGE):
        if folder is not None and (folder / MACRO).is_file():
            return folder
    raise Mdh2UrdfError(f"{MACRO.as_posix()} is missing beside {_PACKAGE}; install mdh2urdf again")


def macro_text() -> str:
    """The text of the macro file.

    Raises
    ------
    Mdh2UrdfError
        If it is missing or cannot be read.
    """
    return read_text(share_directory() / MACRO)


def catalogue() -> dict[str, Path]:
    """The tables of robots that ship with the package, by name in alphabetical order."""
    folder = (_checkout() or _PACKAGE) / "robots"
    return {file.stem: file for file in sorted(folder.glob("*.yaml"))}


def _checkout() -> Path | None:
    """The working copy that the package is imported from, None if it is an installed one."""
    folder = _PACKAGE.parent
    is_checkout = folder.name == "src" and (folder.parent / "pyproject.toml").is_file()
    return folder.parent if is_checkout else None


def _installed() -> Path | None:
    """``share/mdh2urdf`` as the installer recorded it, None for a package that no installer knows."""
    try:
        files = distribution("mdh2urdf").files or []
    except PackageNotFoundError:
        return None
    for file in files:
        if file.parts[-4:] == ("share", "mdh2urdf", *MACRO.parts):
            return Path(str(file.locate())).resolve().parent.parent
    return None
