"""What convert and inventor write or tell beside the description: a ROS 2 package, an SRDF, what changed."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mdh2urdf.cli.options import a_file
from mdh2urdf.errors import Finding, Mdh2UrdfError

if TYPE_CHECKING:
    from mdh2urdf.robot import Robot
    from mdh2urdf.table import Table

POSE_NAME = re.compile(r"[\w.-]+")

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
MaintainerOption = Annotated[
    str | None, typer.Option("--maintainer", metavar="'NAME <ADDRESS>'", help="With --ros2: who stands in package.xml.")
]
LicenseOption = Annotated[
    str | None, typer.Option("--license", metavar="NAME", help="With --ros2: the license in package.xml.")
]
PoseOption = Annotated[
    list[str] | None,
    typer.Option(
        "--pose",
        metavar="NAME:Q,Q,...",
        help="With --srdf: a named pose, joint values as in draw's --q. May be repeated.",
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
    from mdh2urdf.source import ReadOptions, read_source
    from mdh2urdf.table import Table

    model = read_source(source, ReadOptions(has_options=False)).model
    return robot_from_table(model).robot if isinstance(model, Table) else model


def changed(old: Robot | None, new: Robot) -> list[str]:
    """Lines that say what changed; that nothing did is a line too."""
    if old is None:
        return []
    from mdh2urdf.changes import changes

    return changes(old, new) or ["nothing changed"]


def only_with(other: str, wanted: object, options: Mapping[str, object]) -> None:
    """Refuse options that say nothing without another one.

    Raises
    ------
    Mdh2UrdfError
        Naming the first of them that is given.
    """
    for option, given in options.items():
        if given and wanted is None:
            raise Mdh2UrdfError(f"{option} goes with {other}")


def author(text: str | None) -> tuple[str, str] | None:
    """Name and address of ``NAME <ADDRESS>``, None if nothing is given.

    Raises
    ------
    Mdh2UrdfError
        If it is written otherwise.
    """
    if text is None:
        return None
    from mdh2urdf.ros2.package import read_maintainer

    return read_maintainer(text)


def named_poses(texts: Sequence[str] | None, model: Table | Robot, prefix: str = "") -> dict[str, Mapping[str, float]]:
    """Joint values of ``NAME:Q,Q,...``, by the pose's name and the joint's with its prefix.

    Raises
    ------
    Mdh2UrdfError
        If a text has no name or no values for the model.
    """
    from mdh2urdf.pose_text import read_pose

    poses: dict[str, Mapping[str, float]] = {}
    for text in texts or ():
        name, colon, values = text.partition(":")
        if not (colon and POSE_NAME.fullmatch(name)):
            raise Mdh2UrdfError(f"--pose wants NAME:Q,Q,..., the name of letters, digits, _ . and -, got {text!r}")
        if name in poses:
            raise Mdh2UrdfError(f"--pose {name} is given twice")
        pose = read_pose(values, model, option=f"--pose {name}")
        poses[name] = {prefix + joint: value for joint, value in pose.items()}
    return poses


def write_srdf_file(
    path: Path | None,
    robot: Robot,
    *,
    source: Path,
    strict: bool,
    poses: Mapping[str, Mapping[str, float]] | None = None,
) -> tuple[Finding, ...]:
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

    text, findings = write_srdf(robot, folder=source, poses=poses)
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
    maintainer: tuple[str, str] | None = None,
    license_: str | None = None,
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
        As `ros2.package.Described` has them.
    maintainer : tuple of str, optional
        Name and address.
    license_ : str, optional
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

    described = Described(
        robot=robot,
        table=table,
        moved=frozenset(moved),
        header=header,
        prefix=prefix,
        folder=source,
        maintainer=maintainer,
        license=license_,
    )
    files, findings = package_files(described, package_name(folder))
    refuse(findings, strict=strict)
    done = write_generated(folder, files)
    lines = [f"{folder}: {len(done.written)} files written, {len(done.unchanged)} unchanged"]
    lines += [f"{folder / name}: removed, it is not needed any more" for name in done.removed]
    if "package.xml" in done.written and (maintainer is None or license_ is None):
        lines.append(f"{folder / 'package.xml'}: --maintainer 'NAME <ADDRESS>' and --license NAME put in yours")
    return lines, (*findings, *done.findings(folder))
