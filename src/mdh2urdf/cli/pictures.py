"""``mdh2urdf draw`` and ``mdh2urdf view``: an arm on paper and in the browser."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated

import typer

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import (
    AngleOption,
    ConventionOption,
    FromOption,
    LengthOption,
    NominalOption,
    QuietOption,
    SetOption,
    SourceArgument,
    a_file,
    not_stdout,
    read,
    refuse_idle_nominal,
    table_of,
)
from mdh2urdf.cli.output import check_outputs, say, write
from mdh2urdf.errors import Finding, Mdh2UrdfError


@app.command(
    help="Picture of the arm with its axes, common normals, lengths and frames (svg, png, pdf).",
    short_help="Picture of the arm with its axes, lengths and frames.",
)
def draw(
    source: SourceArgument,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            callback=not_stdout,
            help="*.svg, *.png or *.pdf; default: SVG to stdout.",
        ),
    ] = None,
    q: Annotated[
        str | None,
        typer.Option(
            "--q",
            metavar="Q,Q,...",
            help="Joint values, or NAME=Q,...; in the table's units, else rad and m. Default: 0.",
        ),
    ] = None,
    deg: Annotated[bool, typer.Option("--deg", help="Angles of --q are in degrees.")] = False,
    view_from: Annotated[
        str | None,
        typer.Option(
            "--view", metavar="AZ,EL", help="Look from this azimuth and elevation (degrees); default: the best."
        ),
    ] = None,
    from_: FromOption = None,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    set_: SetOption = None,
    nominal: NominalOption = None,
    quiet: QuietOption = False,
) -> None:
    """Draw a model."""
    from mdh2urdf.draw.camera import Camera
    from mdh2urdf.draw.drawing import draw as draw_model
    from mdh2urdf.draw.drawing import picture_format, render, save
    from mdh2urdf.pose_text import read_pose

    if output is not None:
        picture_format(output)
        check_outputs({"-o": output}, [source, nominal])
    camera = None if view_from is None else Camera(*_two_numbers("--view", view_from))
    designed = table_of(nominal, "--nominal")
    found = read(
        source, form=from_, convention=convention, angle=angle, length=length, parameters=set_, nominal=designed
    )
    pose = {} if q is None else read_pose(q, found.model, degrees=deg)
    figure, left_out = draw_model(found.model, pose, camera=camera)
    if output is None:
        write(render(figure, "svg").decode())
    else:
        save(figure, output)
    say([*found.findings, *left_out], quiet=quiet)


def _two_numbers(option: str, text: str) -> tuple[float, float]:
    try:
        first, second = (float(part) for part in text.split(","))
    except ValueError as error:
        raise Mdh2UrdfError(f"{option} wants two numbers with a comma between, got {text!r}") from error
    if not (isfinite(first) and isfinite(second)):
        raise Mdh2UrdfError(f"{option} wants two finite numbers, got {text!r}")
    return first, second


@app.command(help="3-D page with a slider per joint; Ctrl-C stops it.")
def view(
    source: SourceArgument,
    against: Annotated[
        str | None,
        typer.Option(
            "--against", metavar="SOURCE", callback=a_file, help="A second model, drawn as a ghost at the same q."
        ),
    ] = None,
    host: Annotated[
        str,
        typer.Option(
            "--host", metavar="ADDRESS", help="Address to listen on; the default is reached from this computer only."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="Default: 8080 or the next free.")
    ] = None,
    from_: FromOption = None,
    convention: ConventionOption = None,
    angle: AngleOption = None,
    length: LengthOption = None,
    set_: SetOption = None,
    nominal: NominalOption = None,
    quiet: QuietOption = False,
) -> None:
    """Serve a page."""
    from mdh2urdf.view.server import serve, shown

    designed = table_of(nominal, "--nominal")
    first = read(
        source,
        form=from_,
        convention=convention,
        angle=angle,
        length=length,
        parameters=set_,
        nominal=designed,
        where_wanted=against is not None,
    )
    second = None
    if against is not None:
        second = read(against, convention=convention, angle=angle, length=length, nominal=designed, where_wanted=True)
        refuse_idle_nominal(designed, (first, second), "neither SOURCE nor --against")
    models = [shown(found.model, found.folder) for found in (first, second) if found is not None]
    findings = [*first.findings, *(second.findings if second is not None else ())]
    findings += [finding for model in models for finding in model.findings]
    if not _is_loopback(host):
        message = f"listens on {host}: everybody who can reach this computer there can open the page"
        findings.append(Finding(rule="open-host", message=message))
    say(findings, quiet=quiet)
    serve(*models, host=host, port=port, ready=lambda address: write(f"{address}\n"))


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
