"""``mdh2urdf SOURCE``: a table becomes a description."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    AngleOption,
    CollisionName,
    ConventionOption,
    FormatName,
    FramesMode,
    FromOption,
    GeometryName,
    LayoutName,
    LengthOption,
    MaxFacesOption,
    NominalOption,
    OutputOption,
    PrefixOption,
    QuietOption,
    ReportOption,
    SetOption,
    SourceArgument,
    StrictOption,
    format_of,
    read,
    table_of,
    three_numbers,
    value,
)
from mdh2urdf.cli.output import check_outputs, refuse, say, told, write, write_files, write_report
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
from mdh2urdf.errors import Finding, Mdh2UrdfError

if TYPE_CHECKING:
    from mdh2urdf.source import Source


@app.command(
    help="A table, vendor file or robot description becomes a URDF, a xacro macro, a kinematics file, MJCF or SDF.",
    short_help="A table, vendor file or description becomes a URDF (or other).",
)
def convert(
    source: SourceArgument,
    output: OutputOption = None,
    format: Annotated[  # noqa: A002 (the option's name)
        FormatName | None, typer.Option("--format", help="Default: by the suffix of -o, else urdf.")
    ] = None,
    frames: Annotated[
        FramesMode,
        typer.Option(help="Which frames on nearly parallel axes move near the arm: those far off, none, all."),
    ] = FramesMode.auto,
    prefix: PrefixOption = "",
    name: Annotated[str | None, typer.Option(metavar="NAME", help="Name of the robot; default: the source's.")] = None,
    set_: SetOption = None,
    reference_rpy: Annotated[
        str | None, typer.Option(metavar="R,P,Y", help="rad; of two rpy triples the one nearer to it is written.")
    ] = None,
    no_expect: Annotated[bool, typer.Option("--no-expect", help="Write even if a published pose is missed.")] = False,
    strict: StrictOption = False,
    from_: FromOption = None,
    layout: Annotated[
        LayoutName, typer.Option(help="Whose kinematics file --format origins writes.")
    ] = LayoutName.flat,
    placeholder_inertia: Annotated[
        float | None, typer.Option(metavar="KG", help="Give links without mass data a marked sphere of this mass.")
    ] = None,
    geometry: Annotated[
        GeometryName, typer.Option(help="sticks: cylinders for links without visuals.")
    ] = GeometryName.none,
    collision: Annotated[
        CollisionName | None, typer.Option(help="Collision shapes made of the visuals; default: those of the source.")
    ] = None,
    max_faces: MaxFacesOption = None,
    world: Annotated[bool, typer.Option("--world", help="Add a massless root link `world`.")] = False,
    ros2_control: Annotated[bool, typer.Option("--ros2-control", help="Add a ros2_control block.")] = False,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    macro_path: Annotated[
        str | None, typer.Option(metavar="PATH", help="From where the xacro includes the macro file.")
    ] = None,
    inline_macro: Annotated[
        bool, typer.Option("--inline-macro", help="Copy the macro's definition into the xacro.")
    ] = False,
    nominal: NominalOption = None,
    merge_fixed: MergeFixedOption = False,
    ros2: Ros2Option = None,
    maintainer: MaintainerOption = None,
    license_: LicenseOption = None,
    srdf: SrdfOption = None,
    pose: PoseOption = None,
    against: AgainstOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a source."""
    from mdh2urdf.convert import check_expected_poses
    from mdh2urdf.emit import ConvertOptions, emit
    from mdh2urdf.rigid import with_prefix
    from mdh2urdf.table import Table

    if ros2 is not None and world:
        raise Mdh2UrdfError("--world does not go with --ros2: the macro takes a parent link when it is called")
    only_with("--ros2", ros2, {"--maintainer": maintainer, "--license": license_})
    only_with("--srdf", srdf, {"--pose": pose})
    person = author(maintainer)
    check_outputs({"-o": output, "--report": report, "--srdf": srdf}, [source, nominal])
    old = old_robot(against)
    designed = table_of(nominal, "--nominal")
    model = read(
        source, form=from_, convention=convention, angle=angle, length=length, parameters=set_, nominal=designed
    )
    if model.form == "dump":
        message = "is read for its joints alone; `mdh2urdf inventor` takes masses, meshes and settings along"
        say([Finding(rule="dump-joints", file=source, message=message)], quiet=quiet)
    form = value(format) or format_of(output, FormatName)
    poses = named_poses(pose, model.model, prefix)
    if form in ("urdf", "xacro"):
        _refuse_missing_limits(model)
    if isinstance(model.model, Table) and not no_expect:
        check_expected_poses(model.model, model.name)
    emission = emit(
        model.model,
        ConvertOptions(
            format=form,
            frames=frames.value,
            prefix=prefix,
            name=name,
            layout=layout.value,
            reference_rpy=None if reference_rpy is None else three_numbers("--reference-rpy", reference_rpy),
            placeholder_inertia=placeholder_inertia,
            geometry=geometry.value,
            world=world,
            ros2_control=ros2_control,
            macro_path=macro_path,
            inline_macro=inline_macro,
            nominal=designed,
            metadata=model.metadata,
            merge_fixed=merge_fixed,
            collision=value(collision),
            max_faces=max_faces,
            folder=model.folder,
            output=output,
        ),
    )
    findings = (*model.findings, *emission.findings)
    refuse(findings, strict=strict)
    robot = with_prefix(emission.robot, prefix)
    lines = changed(old, robot)
    findings += write_srdf_file(srdf, robot, source=model.folder, strict=strict, poses=poses)
    write_files(emission.files)
    written: list[str] = []
    if ros2 is not None:
        written, more = write_package(
            ros2,
            emission.robot,
            source=model.folder,
            header=emission.header,
            prefix=prefix,
            table=emission.table,
            moved=emission.moved,
            maintainer=person,
            license_=license_,
            strict=strict,
        )
        findings = (*findings, *more)
    write_report(
        report,
        {
            "source": source,
            "output": None if output is None else str(output),
            "findings": told(findings),
            "collision": list(emission.told),
            "moved_frames": {
                name: {"along": move.along, "about": move.about, "angle": move.angle}
                for name, move in emission.moved.items()
            },
            "changes": lines,
        },
    )
    if output is not None or ros2 is None:
        write(emission.text, output)
    say([*written, *findings, *emission.told, *lines], quiet=quiet)


def _refuse_missing_limits(source: Source) -> None:
    """Raise for rows and joints that lack what a ``<limit>`` needs."""
    from mdh2urdf.robot import Robot

    if isinstance(source.model, Robot):
        from mdh2urdf.urdf.writer import limit_problems

        lacking = [Finding(file=source.name, message=problem) for problem in limit_problems(source.model)]
        if lacking:
            message = "add to the source what it does not give, or to the table that `mdh2urdf fit` makes of it"
            lacking.append(Finding(file=source.name, message=message))
    else:
        from mdh2urdf.table_file.joint_fields import MISSING_LIMITS

        lacking = [finding for finding in source.findings if finding.rule == MISSING_LIMITS]
    if lacking:
        raise Mdh2UrdfError(lacking)
