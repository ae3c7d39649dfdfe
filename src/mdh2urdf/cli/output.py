"""Results to stdout or a file, everything else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path

from mdh2urdf.errors import CheckError, Finding
from mdh2urdf.files import write_text


def write(text: str, output: Path | None = None) -> None:
    """The result to a file, whole or not at all, or to stdout as UTF-8 whatever the locale."""
    if output is not None:
        write_text(output, text)
        return
    sys.stdout.buffer.write(text.encode("utf-8"))
    sys.stdout.buffer.flush()


def say(lines: Iterable[object], *, quiet: bool = False) -> None:
    """Findings and reports to stderr; characters that UTF-8 has no way to write are escaped."""
    if quiet:
        return
    for line in lines:
        sys.stderr.buffer.write(f"{line}\n".encode("utf-8", "backslashreplace"))
    sys.stderr.buffer.flush()


def write_report(path: Path | None, content: Mapping[str, object]) -> None:
    """The report as JSON, if one is asked for."""
    if path is not None:
        import json

        write_text(path, json.dumps(content, indent=2, ensure_ascii=False) + "\n")


def told(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as plain data."""
    return [asdict(finding) for finding in findings]


def refuse(findings: Iterable[Finding], *, strict: bool) -> None:
    """Make errors of the findings.

    Raises
    ------
    CheckError
        If ``strict`` and there are findings.
    """
    found = tuple(findings)
    if strict and found:
        raise CheckError(found)
