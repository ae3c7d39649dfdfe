"""The command line: options in, text and findings out. Only this module prints and exits."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mdh2urdf import __version__
from mdh2urdf.errors import CheckError, Finding, Mdh2UrdfError
from mdh2urdf.files import write_text
from mdh2urdf.source import ReadOptions, Source, read_source

GROUP_OPTIONS = frozenset({"--help", "-h", "--version", "--install-completion", "--show-completion"})


class _ConvertByDefault(TyperGroup):
    """A group whose first argument may be a SOURCE: then the command is convert."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if args and args[0] not in self.commands and args[0] not in GROUP_OPTIONS:
            args = ["convert", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(
    cls=_ConvertByDefault,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Denavit-Hartenberg tables, calibration files and CAD assemblies to URDF and xacro, and back. "
    "`mdh2urdf SOURCE` converts a table.",
)


class FormatName(str, Enum):
    """Formats that convert writes."""

    urdf = "urdf"
    xacro = "xacro"
    origins = "origins"


class FramesMode(str, Enum):
    """Whether joint frames may move along their axes."""

    auto = "auto"
    strict = "strict"
    slid = "slid"


class LayoutName(str, Enum):
    """Layouts of a kinematics file."""

    flat = "flat"
    ur = "ur"
    franka = "franka"


class FormName(str, Enum):
    """What a source may be."""

    yaml = "yaml"
    csv = "csv"
    vendor = "vendor"
    screws = "screws"
    urdf = "urdf"
    xacro = "xacro"
    dump = "dump"


class ConventionName(str, Enum):
    """The two conventions."""

    modified = "modified"
    standard = "standard"


class AngleUnit(str, Enum):
    """Units of angles in files."""

    rad = "rad"
    deg = "deg"


class LengthUnit(str, Enum):
    """Units of lengths in files."""

    m = "m"
    cm = "cm"
    mm = "mm"
    inch = "in"


class GeometryName(str, Enum):
    """What is drawn for links without geometry."""

    none = "none"
    sticks = "sticks"


SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A file, a robot of the catalogue, or - (stdin).")
]
OutputOption = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Default: stdout.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="No findings on stderr.")]
ReportOption = Annotated[Path | None, typer.Option("--report", metavar="FILE", help="Write the report as JSON.")]
FromOption = Annotated[FormName | None, typer.Option("--from", help="What SOURCE is; default: by its name and keys.")]
ConventionOption = Annotated[ConventionName | None, typer.Option(help="Convention of a text table.")]
AngleOption = Annotated[AngleUnit | None, typer.Option(help="Angle unit of a text table.")]
LengthOption = Annotated[LengthUnit | None, typer.Option(help="Length unit of a text table.")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=EXPR", help="Give a parameter of the table another value.")
]
NominalOption = Annotated[
    str | None,
    typer.Option("--nominal", metavar="TABLE", help="The arm as designed: for calibration deltas and frames."),
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Findings are errors.")]


def _value(choice: Enum | None) -> Any:
    return None if choice is None else choice.value


def _read(
    source: str,
    *,
    form: FormName | None = None,
    convention: ConventionName | None = None,
    angle: AngleUnit | None = None,
    length: LengthUnit | None = None,
    parameters: list[str] | None = None,
    nominal: str | None = None,
) -> Source:
    assignments: dict[str, str] = {}
    for text in parameters or ():
        name, equals, expression = text.partition("=")
        if not equals or not name.strip():
            raise Mdh2UrdfError(f"--set wants NAME=EXPR, got {text!r}")
        assignments[name.strip()] = expression
    return read_source(
        source,
        ReadOptions(
            form=_value(form),
            convention=_value(convention),
            angle=_value(angle),
            length=_value(length),
            parameters=assignments,
            nominal=None if nominal is None else _table(nominal, "--nominal"),
        ),
    )


def _table(source: str, option: str) -> Any:
    from mdh2urdf.table import Table

    model = read_source(source).model
    if not isinstance(model, Table):
        raise Mdh2UrdfError(Finding(file=source, message=f"{option} wants a table, this is a robot description"))
    return model


def _write(text: str, output: Path | None) -> None:
    """The result to a file, whole or not at all, or to stdout as UTF-8 whatever the locale."""
    if output is not None:
        write_text(output, text)
        return
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def _say(lines: Iterable[object], *, quiet: bool = False) -> None:
    """Findings and reports to stderr, in an encoding that the terminal may lack characters of."""
    if quiet:
        return
    for line in lines:
        sys.stderr.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stderr.buffer.flush()


def _report(path: Path | None, content: Mapping[str, object]) -> None:
    if path is not None:
        write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def _told(findings: Iterable[Finding]) -> list[dict[str, object]]:
    return [asdict(finding) for finding in findings]


def _refuse(findings: Iterable[Finding], *, strict: bool) -> None:
    found = tuple(findings)
    if strict and found:
        raise CheckError(found)


@app.command(help="A table, vendor file or robot description becomes a URDF, a xacro macro or a kinematics file.")
def convert(
    source: SourceArgument,
    output: OutputOption = None,
    format: Annotated[  # noqa: A002 (the option's name)
        FormatName | None, typer.Option("--format", help="Default: by the suffix of -o, else urdf.")
    ] = None,
    frames: Annotated[FramesMode, typer.Option(help="May joint frames move along their axes?")] = FramesMode.auto,
    prefix: Annotated[str, typer.Option(help="Put before the names of links and joints.")] = "",
    name: Annotated[str | None, typer.Option(help="Name of the robot.")] = None,
    set_: SetOption = None,
    reference_rpy: Annotated[
        str | None, typer.Option(metavar="R,P,Y", help="rad; of two rpy triples the one nearer to it is written.")
    ] = None,
    no_expect: Annotated[bool, typer.Option("--no-expect", help="Write even if a published pose is missed.")] = False,
    strict: StrictOption = False,
    from_: FromOption = None,
    layout: Annotated[LayoutName, typer.Option(help="Rows of a kinematics file.")] = LayoutName.flat,
    placeholder_inertia: Annotated[
        float | None, typer.Option(metavar="KG", help="Give links without mass data a marked sphere of this mass.")
    ] = None,
    geometry: Annotated[GeometryName, typer.Option(help="Draw links without visuals.")] = GeometryName.none,
    world: Annotated[bool, typer.Option("--world", help="Add a massless root link `world`.")] = False,
    ros2_control: Annotated[bool, typer.Option("--ros2-control", help="Add a ros2_control block.")] = False,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    macro_path: Annotated[str | None, typer.Option(metavar="PATH", help="Include the macro file from here.")] = None,
    inline_macro: Annotated[
        bool, typer.Option("--inline-macro", help="Copy the macro's definition into the xacro.")
    ] = False,
    nominal: NominalOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Convert a source."""
    from mdh2urdf.convert import check_expected_poses
    from mdh2urdf.emit import ConvertOptions, emit
    from mdh2urdf.table import Table

    read = _read(
        source, form=from_, convention=convention, angle=angle, length=length, parameters=set_, nominal=nominal
    )
    reference = None if nominal is None else _table(nominal, "--nominal")
    if isinstance(read.model, Table) and not no_expect:
        check_expected_poses(read.model, read.name)
    emission = emit(
        read.model,
        ConvertOptions(
            format=_value(format) or _format_of(output),
            frames=frames.value,
            prefix=prefix,
            name=name,
            layout=layout.value,
            reference_rpy=None if reference_rpy is None else _three_numbers("--reference-rpy", reference_rpy),
            placeholder_inertia=placeholder_inertia,
            geometry=geometry.value,
            world=world,
            ros2_control=ros2_control,
            macro_path=macro_path,
            inline_macro=inline_macro,
            nominal=reference,
            metadata=read.metadata,
        ),
    )
    findings = (*read.findings, *emission.findings)
    _refuse(findings, strict=strict)
    _report(
        report,
        {
            "source": source,
            "output": None if output is None else str(output),
            "findings": _told(findings),
            "moved_frames": {
                name: {"along": move.along, "about": move.about, "angle": move.angle}
                for name, move in emission.moved.items()
            },
        },
    )
    _write(emission.text, output)
    _say(findings, quiet=quiet)


def _format_of(output: Path | None) -> Any:
    suffixes = {".xacro": "xacro", ".yaml": "origins", ".yml": "origins"}
    return "urdf" if output is None else suffixes.get(output.suffix.lower(), "urdf")


def _three_numbers(option: str, text: str) -> tuple[float, float, float]:
    try:
        first, second, third = (float(part) for part in text.split(","))
    except ValueError as error:
        raise Mdh2UrdfError(f"{option} wants three numbers with commas between, got {text!r}") from error
    return (first, second, third)


@app.command(help="The xacro macro file.")
def macro(output: OutputOption = None) -> None:
    """Print the macro file."""
    from mdh2urdf.share import macro_text

    _write(macro_text(), output)


@app.command(help="The installed share directory, for `xacro FILE mdh2urdf_share:=$(mdh2urdf share)`.")
def share() -> None:
    """Print the share directory."""
    from mdh2urdf.share import share_directory

    _write(f"{share_directory()}\n", None)


def _version(wanted: bool) -> None:
    if wanted:
        _write(f"mdh2urdf {__version__}\n", None)
        raise typer.Exit


@app.callback()
def _group(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before a command."""


def main() -> None:
    """Run the command line; every mendable error is one line a problem and an exit status."""
    try:
        app()
    except Mdh2UrdfError as error:
        _say(error.problems)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of stdout has gone; what is still buffered has nowhere to go either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
