"""The files of a conversion, each written whole or not at all."""

from __future__ import annotations

from pathlib import Path

from mdh2urdf.files import write_bytes, write_json, write_text
from mdh2urdf.inventor.convert import IncompleteError, InventorResult


def write_result(result: InventorResult, output: Path | None, report: Path | None = None) -> list[Path]:
    """Write the description (if ``output`` is given), its loops beside it, its meshes, settings and report.

    The description comes last: where it is, everything that it needs is.

    Returns
    -------
    list of Path
        Files written.

    Raises
    ------
    Mdh2UrdfError
        If a folder is missing or a disk is full.
    """
    written: list[Path] = []
    for path, data in result.files.items():
        write_bytes(path, data)
        written.append(path)
    if result.settings_text is not None:
        write_text(result.settings_path, result.settings_text)
        written.append(result.settings_path)
    if report is not None:
        write_json(report, result.report)
        written.append(report)
    if output is not None:
        if result.loops:
            loops = output.with_name(f"{output.stem}.loops.yaml")
            write_text(loops, result.loops)
            written.append(loops)
        write_text(output, result.text)
        written.append(output)
    return written


def write_settings(error: IncompleteError) -> Path:
    """Write the settings file of an assembly that lacks something, for the user to complete.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be written.
    """
    write_text(error.settings_path, error.settings_text)
    return error.settings_path
