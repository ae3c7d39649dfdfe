"""What convert and inventor write or tell beside the description: a ROS 2 package, an SRDF, what changed."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mdh2urdf.cli.options import a_file
from mdh2urdf.errors import Finding

if TYPE_CHECKING:
    from mdh2urdf.robot import Robot
    from mdh2urdf.table import Table

Ros2Option = Annotated[
    Path | None,
    typer.Option("--ros2", metavar="DIR", help="Write a ROS 2 description package; what you changed in it stays."),
]
SrdfOption = Annotated[
    Path | None,
    typer.Option(
        "--srdf", metavar="FILE", callback=a_file, help="Write an SRDF: groups, pairs not to check for collision, home."
    ),
]
MergeFixedOption = Annotated[
    bool, typer.Option("--merge-fixed", help="Merge links on fixed joints; frames without mass and shape stay.")
]
AgainstOption = Annotated[
    str | None,
    typer.Option("--against", metavar="OLD", callback=a_file, help="Tell what changed since this description."),
]


def old_robot(source: str | None) -> Robot | None:
    """The robot of an earlier description, None if none is given; read before anything is written over it.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be read.
    """
    if source is None:
        return None
    from mdh2urdf.convert import robot_from_table
    from mdh2urdf.source import read_source
    from mdh2urdf.table import Table

    model = read_source(source).model
    return robot_from_table(model).robot if isinstance(model, Table) else model


def changed(old: Robot | None, new: Robot) -> list[str]:
    """Lines that say what changed; that nothing did is a line too."""
    if old is None:
        return []
    from mdh2urdf.changes import changes

    return changes(old, new) or ["nothing changed"]


def write_srdf_file(path: Path | None, robot: Robot, *, source: Path, strict: bool) -> tuple[Finding, ...]:
    """Write an SRDF if one is asked for; what it leaves out.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be written.
    CheckError
        If ``strict`` and there are findings.
    """
    if path is None:
        return ()
    from mdh2urdf.cli.output import refuse, write
    from mdh2urdf.srdf.writer import write_srdf

    text, findings = write_srdf(robot, folder=source)
    refuse(findings, strict=strict)
    write(text, path)
    return findings


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
    from mdh2urdf.ros2.generated_files import write_generated
    from mdh2urdf.ros2.package import Described, package_files, package_name

    described = Described(robot=robot, table=table, moved=frozenset(moved), header=header, prefix=prefix, folder=source)
    files, findings = package_files(described, package_name(folder))
    refuse(findings, strict=strict)
    done = write_generated(folder, files)
    lines = [f"{folder}: {len(done.written)} files written, {len(done.unchanged)} unchanged"]
    lines += [f"{folder / name}: removed, it is not needed any more" for name in done.removed]
    return lines, (*findings, *done.findings(folder))
