"""``mdh2urdf fit``: joint axes become a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    BaseOption,
    ConventionName,
    FromOption,
    NominalOption,
    OutputOption,
    QuietOption,
    ReportOption,
    SourceArgument,
    TipOption,
    a_file,
    no_less_than_0,
    parse_units,
    read,
    table_of,
)
from mdh2urdf.cli.output import check_outputs, say, told, write, write_report
from mdh2urdf.errors import Mdh2UrdfError


@app.command(
    help="Joint axes become a table: of a URDF, xacro, kinematics yaml, Inventor dump or screws file.",
    short_help="The joint axes of a URDF, vendor file or dump become a table.",
)
def fit(
    source: SourceArgument,
    output: OutputOption = None,
    convention: Annotated[ConventionName, typer.Option(help="Of the table.")] = ConventionName.modified,
    base: BaseOption = None,
    tip: TipOption = None,
    like: Annotated[
        str | None, typer.Option(metavar="TABLE", callback=a_file, help="Free choices and signs follow this table.")
    ] = None,
    snap: Annotated[bool, typer.Option("--snap", help="Round numbers that are nearly round.")] = False,
    angle_tolerance: Annotated[float, typer.Option(help="rad, of --snap.")] = 1e-5,
    length_tolerance: Annotated[float, typer.Option(help="m, of --snap.")] = 5e-6,
    units: Annotated[str, typer.Option(metavar="ANGLE,LENGTH", help="Of the written table.")] = "rad,m",
    no_beta: Annotated[bool, typer.Option("--no-beta", help="Four parameters a row, even if nearly parallel.")] = False,
    from_: FromOption = None,
    nominal: NominalOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Fit a table."""
    from mdh2urdf.convert import robot_from_table
    from mdh2urdf.fit.fitting import fit_table
    from mdh2urdf.table import Table, with_remarks
    from mdh2urdf.table_file.writer import write_table

    check_outputs({"-o": output, "--report": report}, [source, like, nominal])
    given = read(source, form=from_, nominal=table_of(nominal, "--nominal"), has_options=False)
    pattern, written_in = table_of(like, "--like"), parse_units(units)
    no_less_than_0("--angle-tolerance", angle_tolerance)
    no_less_than_0("--length-tolerance", length_tolerance)
    robot = robot_from_table(given.model).robot if isinstance(given.model, Table) else given.model
    try:
        table, found = fit_table(
            robot,
            convention=convention.value,
            base=base,
            tip=tip,
            like=pattern,
            snap=snap,
            angle_tolerance=angle_tolerance,
            length_tolerance=length_tolerance,
            units=written_in,
            beta=not no_beta,
        )
    except Mdh2UrdfError as error:
        raise Mdh2UrdfError(replace(problem, file=problem.file or given.name) for problem in error.problems) from error
    if isinstance(given.model, Table):
        table = with_remarks(table, given.model)
    lines = found.lines()
    write_report(report, {"source": source, "findings": told(given.findings), "fit": found.as_json()})
    write(write_table(table, comments=[f"fitted by mdh2urdf to {given.model.name}", *lines]), output)
    say([*given.findings, *lines], quiet=quiet)
