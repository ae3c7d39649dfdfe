"""``mdh2urdf compare``: whether two models agree."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    AngleOption,
    ConventionOption,
    LengthOption,
    NominalOption,
    QuietOption,
    ReportOption,
    a_file,
    no_less_than_0,
    read,
    refuse_idle_nominal,
    table_of,
)
from mdh2urdf.cli.output import check_outputs, say, told, write, write_report
from mdh2urdf.errors import one_line


@app.command(
    help="Do two models agree? Base, tool, signs and zero offsets are found, then the residual.",
    short_help="Do two models agree? If not, where do they differ?",
)
def compare(
    a: Annotated[
        str,
        typer.Argument(metavar="A", callback=a_file, help="A table, URDF, xacro, vendor file, screws file or dump."),
    ],
    b: Annotated[str, typer.Argument(metavar="B", callback=a_file, help="The other one.")],
    base: Annotated[str | None, typer.Option(metavar="LINK", help="Where the chain starts, in either model.")] = None,
    tip: Annotated[str | None, typer.Option(metavar="LINK", help="Where the chain ends, in either model.")] = None,
    tolerance: Annotated[float, typer.Option(help="Largest residual of models that agree; m and rad.")] = 1e-6,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    nominal: NominalOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="The comparison as JSON.")] = False,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Compare two models."""
    from mdh2urdf.compare.comparison import compare as compare_models

    no_less_than_0("--tolerance", tolerance)
    check_outputs({"--report": report}, [a, b, nominal])
    designed = table_of(nominal, "--nominal")
    models = [
        read(name, convention=convention, angle=angle, length=length, nominal=designed, where_wanted=True)
        for name in (a, b)
    ]
    refuse_idle_nominal(designed, models, "neither A nor B")
    found = compare_models(models[0].model, models[1].model, base=base, tip=tip)
    findings = [finding for model in models for finding in model.findings]
    write_report(report, {"a": a, "b": b, "findings": told(findings), "comparison": found.as_json(tolerance)})
    if as_json:
        write(json.dumps(found.as_json(tolerance), indent=2, ensure_ascii=False) + "\n")
    else:
        write("".join(f"{one_line(line)}\n" for line in found.lines(tolerance)))
    say(findings, quiet=quiet)
    if not found.agrees(tolerance):
        raise typer.Exit(1)
