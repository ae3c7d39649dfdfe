"""Types of the command line's options, shared by its commands."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import ANGLE_UNITS, LENGTH_UNITS, Units
from mdh2urdf.source import STDIN, ReadOptions, Source, read_source
from mdh2urdf.table import Table


class FormatName(str, Enum):
    """Formats that convert writes."""

    urdf = "urdf"
    xacro = "xacro"
    origins = "origins"
    mjcf = "mjcf"
    sdf = "sdf"


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
    mjcf = "mjcf"
    sdf = "sdf"
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


class CollisionName(str, Enum):
    """What collision shapes are made of the visuals."""

    mesh = "mesh"
    hull = "hull"
    box = "box"
    cylinder = "cylinder"
    sphere = "sphere"
    capsule = "capsule"
    best = "best"
    coacd = "coacd"
    drawn = "drawn"
    none = "none"


SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A file, a robot of the catalogue, or - (stdin).")
]


def not_stdout(output: Path | None) -> Path | None:
    """The file to write; None, which means standard output, for ``-``."""
    return None if output == Path(STDIN) else output


def a_file(parameter: typer.CallbackParam, given: Any) -> Any:
    """What an option or argument names, which is a file.

    Raises
    ------
    Mdh2UrdfError
        If it is ``-``.
    """
    if given is not None and str(given) == STDIN:
        name = next((name for name in parameter.opts if name.startswith("-")), parameter.metavar)
        raise Mdh2UrdfError(f"{name} wants a file; - is for SOURCE (standard input) and -o (standard output)")
    return given


OutputOption = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="FILE", callback=not_stdout, help="Default: stdout.")
]
QuietOption = Annotated[bool, typer.Option("--quiet", help="No findings on stderr.")]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", callback=a_file, help="Write the report as JSON.")
]
FromOption = Annotated[FormName | None, typer.Option("--from", help="What SOURCE is; default: by its name and keys.")]
ConventionOption = Annotated[ConventionName | None, typer.Option(help="Convention of a text table.")]
AngleOption = Annotated[AngleUnit | None, typer.Option(help="Angle unit of a text table.")]
LengthOption = Annotated[LengthUnit | None, typer.Option(help="Length unit of a text table.")]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME=EXPR", help="Another value for a parameter of the table. May be repeated."),
]
NominalOption = Annotated[
    str | None,
    typer.Option(
        "--nominal",
        metavar="TABLE",
        callback=a_file,
        help="The arm as designed: what a calibration is added to, and where frames stay.",
    ),
]
MaxFacesOption = Annotated[
    int | None, typer.Option("--max-faces", metavar="N", help="At most N faces in every collision mesh.")
]
StrictOption = Annotated[bool, typer.Option("--strict", help="Findings are errors.")]
PrefixOption = Annotated[str, typer.Option(metavar="P", help="Put before the names of links and joints.")]
BaseOption = Annotated[str | None, typer.Option(metavar="LINK", help="Where the chain starts; default: the root.")]
TipOption = Annotated[str | None, typer.Option(metavar="LINK", help="Where the chain ends; default: at every leaf.")]

SUFFIXES = {".xacro": "xacro", ".yaml": "origins", ".yml": "origins", ".mjcf": "mjcf", ".sdf": "sdf"}
"""Formats by the end of an output's name."""


def value(choice: Enum | None) -> Any:
    """The text of a choice, None if none was made."""
    return None if choice is None else choice.value


def format_of(output: Path | None, formats: type[Enum]) -> Any:
    """The format that the end of an output's name says, if it is one of those that the command writes; else urdf."""
    form = "" if output is None else SUFFIXES.get(output.suffix.lower(), "")
    return form if form in formats.__members__ else "urdf"


def read(
    source: str,
    *,
    form: FormName | None = None,
    convention: ConventionName | None = None,
    angle: AngleUnit | None = None,
    length: LengthUnit | None = None,
    parameters: list[str] | None = None,
    nominal: Table | None = None,
    where_wanted: bool = False,
    has_options: bool = True,
) -> Source:
    """The source with what the command line says about it.

    Raises
    ------
    Mdh2UrdfError
        If an assignment has no name or no ``=``, a name is given twice, or the source cannot be read.
    """
    assignments: dict[str, str] = {}
    for text in parameters or ():
        name, equals, expression = text.partition("=")
        if not equals or not name.strip():
            raise Mdh2UrdfError(f"--set wants NAME=EXPR, got {text!r}")
        if name.strip() in assignments:
            raise Mdh2UrdfError(f"--set gives {name.strip()} twice")
        assignments[name.strip()] = expression
    return read_source(
        source,
        ReadOptions(
            form=value(form),
            convention=value(convention),
            angle=value(angle),
            length=value(length),
            parameters=assignments,
            nominal=nominal,
            where_wanted=where_wanted,
            has_options=has_options,
        ),
    )


def refuse_idle_nominal(nominal: Table | None, sources: Iterable[Source], none_of: str) -> None:
    """Raise for a nominal table of which two sources have no use.

    Parameters
    ----------
    nominal : Table, optional
    sources : iterable of Source
    none_of : str
        The sources as the message names them, ``neither A nor B``.

    Raises
    ------
    Mdh2UrdfError
        If none of them is a vendor file.
    """
    if nominal is not None and all(source.form != "vendor" for source in sources):
        raise Mdh2UrdfError(f"--nominal goes with a vendor file; {none_of} is one")


def table_of(source: str | None, option: str) -> Table | None:
    """The table that an option names, None if the option was not given.

    Raises
    ------
    Mdh2UrdfError
        If the file cannot be read or holds no table.
    """
    if source is None:
        return None
    model = read_source(source, ReadOptions(has_options=False)).model
    if not isinstance(model, Table):
        raise Mdh2UrdfError(Finding(file=source, message=f"{option} wants a table, this is a robot description"))
    return model


def no_less_than_0(option: str, number: float) -> float:
    """The number as it is.

    Raises
    ------
    Mdh2UrdfError
        If it is negative or not finite: nothing would be within such a tolerance, or everything.
    """
    if not (isfinite(number) and number >= 0):
        raise Mdh2UrdfError(f"{option} wants a number of 0 or more, got {number}")
    return number


def three_numbers(option: str, text: str) -> tuple[float, float, float]:
    """Three finite numbers with commas between.

    Raises
    ------
    Mdh2UrdfError
        If the text is anything else.
    """
    try:
        first, second, third = (float(part) for part in text.split(","))
    except ValueError as error:
        raise Mdh2UrdfError(f"{option} wants three numbers with commas between, got {text!r}") from error
    if not all(map(isfinite, (first, second, third))):
        raise Mdh2UrdfError(f"{option} wants three finite numbers, got {text!r}")
    return (first, second, third)


def parse_units(text: str) -> Units:
    """The units of ``deg,mm``: an angle, a length, or both in any order.

    Raises
    ------
    Mdh2UrdfError
        If the text is anything else.
    """
    parts = [part.strip() for part in text.split(",")]
    angles = [part for part in parts if part in ANGLE_UNITS]
    lengths = [part for part in parts if part in LENGTH_UNITS]
    if len(parts) != len(angles) + len(lengths) or len(angles) > 1 or len(lengths) > 1:
        wanted = f"one of {', '.join(ANGLE_UNITS)} and one of {', '.join(LENGTH_UNITS)}"
        raise Mdh2UrdfError(f"--units wants {wanted}, as deg,mm; got {text!r}")
    return Units(angle=angles[0] if angles else "rad", length=lengths[0] if lengths else "m")
