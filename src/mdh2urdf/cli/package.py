"""What ships with the package: the macro file, its folder, the catalogue of robots."""

from __future__ import annotations

from mdh2urdf.cli.app import app
from mdh2urdf.cli.options import OutputOption
from mdh2urdf.cli.output import write


@app.command(help="The macro file dh_to_origin.xacro, for your own xacro.")
def macro(output: OutputOption = None) -> None:
    """Print the macro file."""
    from mdh2urdf.share import macro_text

    write(macro_text(), output)


@app.command(
    help="The folder that has the macro file, for `xacro FILE mdh2urdf_share:=$(mdh2urdf share)`.",
    short_help="The folder that has the macro file.",
)
def share() -> None:
    """Print the share directory."""
    from mdh2urdf.share import share_directory

    write(f"{share_directory()}\n")


@app.command(
    "list",
    help="The robots that ship with the package; `mdh2urdf NAME` converts one.",
    short_help="The robots that ship with the package.",
)
def list_() -> None:
    """Print the catalogue."""
    from mdh2urdf.share import catalogue
    from mdh2urdf.source import read_source
    from mdh2urdf.table import Table

    rows = []
    for name, path in catalogue().items():
        table = read_source(str(path)).model
        assert isinstance(table, Table)  # noqa: S101 (the catalogue holds tables only; its tests say so)
        vendor = str(table.extras.get("x-vendor", ""))
        rows.append((name, vendor, f"{len(table.moving_joints)} joints", table.convention))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    write("".join("  ".join(map(str.ljust, row, widths)).rstrip() + "\n" for row in rows))
