"""``mdh2urdf show``: a table as engineers draw it, its screws, its symbolic transforms."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    AngleOption,
    BaseOption,
    ConventionOption,
    FromOption,
    LengthOption,
    NominalOption,
    OutputOption,
    QuietOption,
    SetOption,
    SourceArgument,
    TipOption,
    parse_units,
    read,
    table_of,
)
from mdh2urdf.cli.output import check_outputs, say, write
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Robot
from mdh2urdf.table import Table


@app.command(
    help="The table as engineers draw it; a description without rows is fitted first.",
    short_help="The table as engineers draw it; its screws, its symbolic form.",
)
def show(
    source: SourceArgument,
    output: OutputOption = None,
    screws: Annotated[bool, typer.Option("--screws", help="The joint screws at q = 0.")] = False,
    symbolic: Annotated[bool, typer.Option("--symbolic", help="Symbolic transforms and forward kinematics.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="As Markdown.")] = False,
    latex: Annotated[bool, typer.Option("--latex", help="As LaTeX.")] = False,
    format: Annotated[  # noqa: A002 (the option's name)
        str | None, typer.Option("--format", metavar="yaml", help="With --screws: a screws file, which fit reads.")
    ] = None,
    units: Annotated[
        str | None, typer.Option(metavar="ANGLE,LENGTH", help="Of the screws file; default: rad,m.")
    ] = None,
    base: BaseOption = None,
    tip: TipOption = None,
    from_: FromOption = None,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    set_: SetOption = None,
    nominal: NominalOption = None,
    quiet: QuietOption = False,
) -> None:
    """Show a source."""
    if symbolic and screws:
        raise Mdh2UrdfError("--symbolic and --screws are two pages; ask for one")
    if markdown and latex:
        raise Mdh2UrdfError("--markdown and --latex contradict each other")
    if format not in (None, "yaml") or (format and not screws):
        raise Mdh2UrdfError(f"--format yaml goes with --screws; got --format {format}")
    if units is not None and not format:
        raise Mdh2UrdfError("--units goes with --screws --format yaml")
    if format and (markdown or latex):
        raise Mdh2UrdfError(f"--format yaml and {'--markdown' if markdown else '--latex'} contradict each other")
    check_outputs({"-o": output}, [source, nominal])
    form: Literal["text", "markdown", "latex"] = "latex" if latex else "markdown" if markdown else "text"
    designed = table_of(nominal, "--nominal")
    given = read(
        source, form=from_, convention=convention, angle=angle, length=length, parameters=set_, nominal=designed
    )
    if format:
        from mdh2urdf.screws_file import write_screws

        text = write_screws(_robot(given.model), base=base, tip=tip, units=parse_units(units or "rad,m"))
    elif screws:
        from mdh2urdf.show.tables import show_screws

        text = show_screws(_robot(given.model), form, base=base, tip=tip)
    elif symbolic:
        from mdh2urdf.show.symbolic import show_symbolic

        text = show_symbolic(_table(given.model, base, tip), latex=latex)
    else:
        from mdh2urdf.show.tables import show_table

        text = show_table(_table(given.model, base, tip), form)
    write(text, output)
    say(given.findings, quiet=quiet)


def _robot(model: Table | Robot) -> Robot:
    from mdh2urdf.convert import robot_from_table

    return robot_from_table(model).robot if isinstance(model, Table) else model


def _table(model: Table | Robot, base: str | None, tip: str | None) -> Table:
    """The rows of a table, or those fitted to a robot or to a part of a table."""
    if isinstance(model, Table) and base is None and tip is None:
        return model
    from mdh2urdf.fit.fitting import fit_table

    convention = model.convention if isinstance(model, Table) else "modified"
    return fit_table(_robot(model), convention=convention, base=base, tip=tip)[0]
