"""What convert and inventor write beside the description: a ROS 2 package."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mdh2urdf.errors import Finding

if TYPE_CHECKING:
    from mdh2urdf.robot import Robot
    from mdh2urdf.table import Table

Ros2Option = Annotated[
    Path | None,
    typer.Option("--ros2", metavar="DIR", help="Write a ROS 2 description package; what you changed in it stays."),
]


def write_package(
    folder: Path,
    robot: Robot,
    *,
    source: Path,
    header: Sequence[str],
    prefix: str = "",
    table: Table | None = None,
    moved: Collection[str] = (),
    strict: bool = False,
) -> tuple[list[str], tuple[Finding, ...]]:
    """Write a package; the lines that say what was done, and findings.

    Parameters
    ----------
    folder : Path
        The package.
    robot : Robot
    source : Path
        Folder where relative mesh names start.
    header, prefix, table, moved
        As `ros2_package.Described` has them.
    strict : bool

    Raises
    ------
    Mdh2UrdfError
        If the folder's name is none for a package, or something cannot be read or written.
    CheckError
        If ``strict`` and there are findings before anything is written.
    """
    from mdh2urdf.cli.output import refuse
    from mdh2urdf.generated_files import write_generated
    from mdh2urdf.ros2_package import Described, package_files, package_name

    described = Described(robot=robot, table=table, moved=frozenset(moved), header=header, prefix=prefix, folder=source)
    files, findings = package_files(described, package_name(folder))
    refuse(findings, strict=strict)
    done = write_generated(folder, files)
    lines = [f"{folder}: {len(done.written)} files written, {len(done.unchanged)} unchanged"]
    lines += [f"{folder / name}: removed, it is not needed any more" for name in done.removed]
    return lines, (*findings, *done.findings(folder))
