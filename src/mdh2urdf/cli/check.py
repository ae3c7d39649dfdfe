"""``mdh2urdf check``: what looks wrong in a table or a robot description."""

from __future__ import annotations

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    AngleOption,
    ConventionOption,
    FromOption,
    LengthOption,
    NominalOption,
    QuietOption,
    ReportOption,
    SetOption,
    SourceArgument,
    read,
    table_of,
)
from mdh2urdf.cli.output import check_outputs, say, told, write, write_report
from mdh2urdf.errors import CheckError, Finding, one_line
from mdh2urdf.source import XACRO_RUN


@app.command(
    help="What looks wrong in a table or a robot description: convention, units, limits, inertia, tree.",
    short_help="What looks wrong in a table or a robot description.",
)
def check(
    source: SourceArgument,
    from_: FromOption = None,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    set_: SetOption = None,
    nominal: NominalOption = None,
    report: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Check a source."""
    from mdh2urdf.check.robots import check_robot
    from mdh2urdf.convert import check_expected_poses, robot_from_table
    from mdh2urdf.table import Table

    check_outputs({"--report": report}, [source, nominal])
    designed = table_of(nominal, "--nominal")
    given = read(
        source, form=from_, convention=convention, angle=angle, length=length, parameters=set_, nominal=designed
    )
    robot = given.model
    missed: tuple[Finding, ...] = ()
    if isinstance(robot, Table):
        try:
            check_expected_poses(robot, given.name)
        except CheckError as error:
            missed = error.problems
        robot = robot_from_table(robot, nominal=designed).robot
    findings = [
        *missed,
        *(finding for finding in given.findings if finding.rule != XACRO_RUN),
        *check_robot(robot, file=given.name, folder=given.folder, told=given.findings),
    ]
    write_report(report, {"source": source, "findings": told(findings)})
    write("".join(f"{finding} [{finding.rule}]\n" for finding in findings) or f"{one_line(given.name)}: no findings\n")
    say([finding for finding in given.findings if finding.rule == XACRO_RUN], quiet=quiet)
    if findings:
        raise typer.Exit(1)
