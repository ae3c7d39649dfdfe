"""``mdh2urdf inventor``: a dump of an Autodesk Inventor assembly becomes a URDF."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    CollisionName,
    MaxFacesOption,
    OutputOption,
    PrefixOption,
    QuietOption,
    ReportOption,
    StrictOption,
    a_file,
    format_of,
    no_less_than_0,
    value,
)
from mdh2urdf.cli.output import check_outputs, refuse, say, write
from mdh2urdf.cli.products import (
    AgainstOption,
    LicenseOption,
    MaintainerOption,
    MergeFixedOption,
    PoseOption,
    Ros2Option,
    SrdfOption,
    author,
    changed,
    named_poses,
    old_robot,
    only_with,
    write_package,
    write_srdf_file,
)
from mdh2urdf.errors import Mdh2UrdfError


class UnsupportedName(Enum):
    """What becomes of joints that URDF does not have."""

    error = "error"
    drop = "drop"
    revolute = "revolute"
    fixed = "fixed"
    split = "split"


class LooseName(str, Enum):
    """What becomes of parts that move with no link."""

    error = "error"
    weld = "weld"
    drop = "drop"


class LinkFrames(str, Enum):
    """Where moving links have their frames."""

    axis = "axis"
    dh = "dh"


class UpAxis(str, Enum):
    """The axis that points up in the CAD."""

    z = "z"
    y = "y"


class VisualName(str, Enum):
    """What visuals are made of."""

    stl = "stl"
    glb = "glb"


class DescriptionName(str, Enum):
    """Formats that inventor writes."""

    urdf = "urdf"
    mjcf = "mjcf"
    sdf = "sdf"


@app.command(help="An Inventor dump and its STL files become a URDF.")
def inventor(
    dump: Annotated[
        Path, typer.Argument(metavar="DUMP", callback=a_file, help="The JSON file that the iLogic rule wrote.")
    ],
    output: OutputOption = None,
    meshes: Annotated[Path | None, typer.Option(metavar="DIR", help="STL files; default: beside the dump.")] = None,
    package: Annotated[str, typer.Option(metavar="NAME", help="Write package:// mesh names of this package.")] = "",
    settings: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", callback=a_file, help="Default: robot.yaml beside the dump; written at the first run."
        ),
    ] = None,
    root: Annotated[str, typer.Option(metavar="LINK", help="Root link; default: the grounded occurrence.")] = "",
    weld_grounded: Annotated[
        bool, typer.Option("--weld-grounded", help="Weld further grounded occurrences to the root.")
    ] = False,
    drop: Annotated[
        list[str] | None,
        typer.Option(metavar="JOINT", help="Leave this joint out; in a loop: cut it here. May be repeated."),
    ] = None,
    mimic: Annotated[
        list[str] | None,
        typer.Option(metavar="CHILD=JOINT[*K][+C]", help="CHILD follows JOINT (rad, m). May be repeated."),
    ] = None,
    unsupported: Annotated[
        UnsupportedName, typer.Option(help="What becomes of planar, ball and free cylindrical joints.")
    ] = UnsupportedName.error,
    joint_defaults: Annotated[
        str | None,
        typer.Option(
            metavar="effort=E,velocity=V,slider_effort=E,slider_velocity=V",
            help="For joints that the settings leave open; N m, rad/s, N, m/s.",
        ),
    ] = None,
    loose: Annotated[LooseName, typer.Option(help="What becomes of parts that move with no link.")] = LooseName.error,
    name: Annotated[str, typer.Option(metavar="NAME", help="Name of the robot; default: the assembly's.")] = "",
    prefix: PrefixOption = "",
    frames: Annotated[
        LinkFrames, typer.Option(help="Link frames on the axes or on the fitted table.")
    ] = LinkFrames.axis,
    keep_fixed: Annotated[bool, typer.Option("--keep-fixed", help="A link for every part.")] = False,
    no_base_link: Annotated[bool, typer.Option("--no-base-link", help="No massless link above the root.")] = False,
    up: Annotated[
        UpAxis | None, typer.Option(help="y: turn a CAD that stands on Y; default: the settings', else z.")
    ] = None,
    format: Annotated[  # noqa: A002 (the option's name)
        DescriptionName | None, typer.Option("--format", help="Default: by the suffix of -o, else urdf.")
    ] = None,
    visual: Annotated[
        VisualName, typer.Option(help="glb keeps the colours of single faces of an STL.")
    ] = VisualName.stl,
    collision: Annotated[
        CollisionName, typer.Option(help="Collision shapes made of the visuals.")
    ] = CollisionName.mesh,
    max_faces: MaxFacesOption = None,
    rename: Annotated[
        Path | None,
        typer.Option(metavar="FILE", callback=a_file, help="YAML that maps CAD names to URDF names."),
    ] = None,
    tolerance: Annotated[float, typer.Option(help="Largest error of the replay; m and rad.")] = 1e-6,
    merge_fixed: MergeFixedOption = False,
    anonymise: Annotated[
        Path | None,
        typer.Option(
            "--anonymise",
            metavar="OUT",
            callback=a_file,
            help="Only write the dump without names and meshes, to report it.",
        ),
    ] = None,
    boxes: Annotated[bool, typer.Option("--boxes", help="With --anonymise: range boxes instead of meshes.")] = False,
    ros2: Ros2Option = None,
    maintainer: MaintainerOption = None,
    license_: LicenseOption = None,
    srdf: SrdfOption = None,
    pose: PoseOption = None,
    against: AgainstOption = None,
    strict: StrictOption = False,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a dump."""
    only_with("--ros2", ros2, {"--maintainer": maintainer, "--license": license_})
    only_with("--srdf", srdf, {"--pose": pose})
    only_with("--anonymise", anonymise, {"--boxes": boxes})
    person = author(maintainer)
    check_outputs(
        {"-o": output, "--report": report, "--srdf": srdf, "--anonymise": anonymise},
        [dump, settings or dump.parent / "robot.yaml", rename],
    )
    if anonymise is not None:
        others = {"-o": output, "--report": report, "--srdf": srdf, "--ros2": ros2, "--against": against}
        if any(path is not None for path in others.values()):
            given = [option for option, path in others.items() if path is not None]
            raise Mdh2UrdfError(f"--anonymise writes a dump and nothing else; it does not go with {', '.join(given)}")
        _anonymise(dump, anonymise, boxes=boxes, quiet=quiet)
        return
    from mdh2urdf.inventor.convert import IncompleteError, convert_dump
    from mdh2urdf.inventor.option_text import parse_joint_defaults, parse_mimic
    from mdh2urdf.inventor.options import InventorOptions, JointDefaults
    from mdh2urdf.inventor.progress import track_on_stderr
    from mdh2urdf.inventor.shapes import no_progress
    from mdh2urdf.inventor.write import write_result, write_settings

    options = InventorOptions(
        output=output,
        meshes=meshes,
        package=package,
        settings=settings,
        root=root,
        weld_grounded=weld_grounded,
        drop=tuple(drop or ()),
        mimic=tuple(parse_mimic(text) for text in mimic or ()),
        unsupported=unsupported.value,
        joint_defaults=JointDefaults() if joint_defaults is None else parse_joint_defaults(joint_defaults),
        loose=loose.value,
        name=name,
        prefix=prefix,
        frames=frames.value,
        keep_fixed=keep_fixed,
        base_link=not no_base_link,
        up=value(up),
        collision=collision.value,
        max_faces=max_faces,
        visual=visual.value,
        format=value(format) or format_of(output, DescriptionName),
        rename=rename,
        merge_fixed=merge_fixed,
        tolerance=no_less_than_0("--tolerance", tolerance),
    )
    old = old_robot(against)
    try:
        result = convert_dump(dump, options, track=no_progress if quiet else track_on_stderr)
    except IncompleteError as error:
        # The settings file is where the user answers; it must be there even though the robot is not.
        say([f"{write_settings(error)}: written, to be completed"], quiet=quiet)
        raise
    refuse(result.findings, strict=strict)
    changes = changed(old, result.robot)
    if changes:
        result = replace(result, report={**result.report, "changes": changes})
    poses = named_poses(pose, result.robot)
    written = [f"written: {path}" for path in write_result(result, output, report)]
    folder = dump.parent if output is None else output.parent
    findings = write_srdf_file(srdf, result.robot, source=folder, strict=strict, poses=poses)
    if ros2 is not None:
        header = [f"{result.robot.name}, written by mdh2urdf from an Autodesk Inventor assembly", "Units: rad, m, kg"]
        lines, more = write_package(
            ros2,
            result.robot,
            source=folder,
            header=header,
            maintainer=person,
            license_=license_,
            strict=strict,
        )
        written, findings = [*written, *lines], (*findings, *more)
    elif output is None:
        write(result.text)
    say([*result.report_text.splitlines(), *written, *result.findings, *findings, *changes], quiet=quiet)
    if result.exit_status:
        say(result.failed)
        raise typer.Exit(result.exit_status)


def _anonymise(dump: Path, output: Path, *, boxes: bool, quiet: bool) -> None:
    """Write a dump that can be shown, with its boxes beside it."""
    from mdh2urdf.files import write_bytes
    from mdh2urdf.inventor.anonymise import anonymised

    result = anonymised(dump, boxes=boxes)
    for name, data in result.meshes.items():
        write_bytes(output.parent / name, data)
    write(result.text, output)
    lines = [f"written: {output}, with {len(result.meshes)} boxes; look at it before you send it"]
    say([*lines, *(f"left out: {place}" for place in result.left_out)], quiet=quiet)
