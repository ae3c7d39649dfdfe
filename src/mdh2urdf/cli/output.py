"""Results to stdout or a file, everything else to stderr."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TextIO

from mdh2urdf.errors import CheckError, Finding, Mdh2UrdfError, one_line
from mdh2urdf.files import encode, write_bytes, write_json, write_text
from mdh2urdf.paths import exists, is_char_device

AS_ASKED = frozenset({"placeholder-inertia", "merged-links"})
"""Rules that tell what an option was given for; ``--strict`` lets them pass."""

READER_GONE = 141
"""Exit status when the reader of standard output has gone, as shells have it: 128 and the number of SIGPIPE."""


def write(text: str, output: Path | None = None) -> None:
    """The result to a file, whole or not at all, or to stdout as UTF-8 whatever the locale.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be written.
    SystemExit
        Without a word, if the reader of stdout has gone.
    """
    if output is not None:
        write_text(output, text)
        return
    if sys.stdout is None:
        raise Mdh2UrdfError("standard output is closed; -o FILE writes a file")
    data = encode(text, "standard output")
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except OSError as error:
        discard(sys.stdout)
        if error.errno == errno.EPIPE:
            raise SystemExit(READER_GONE) from error
        raise Mdh2UrdfError(f"standard output: cannot be written: {error.strerror}") from error


def write_files(files: Mapping[Path, bytes]) -> None:
    """The files that a result needs beside it; their folders are made.

    Raises
    ------
    Mdh2UrdfError
        If a folder cannot be made, or a file not be written.
    """
    for path, data in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Mdh2UrdfError(Finding(file=str(path.parent), message=f"cannot be made: {error.strerror}")) from error
        write_bytes(path, data)


def say(lines: Iterable[object], *, quiet: bool = False) -> None:
    """Findings and reports to stderr, each on one line of harmless characters; lost if stderr cannot be written."""
    if quiet or sys.stderr is None:
        return
    text = "".join([f"{one_line(str(line))}\n" for line in lines])
    try:
        sys.stderr.buffer.write(text.encode("utf-8"))
        sys.stderr.buffer.flush()
    except OSError:
        discard(sys.stderr)


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[str | Path | None]) -> None:
    """Let no output take the place of an input or of another output, or want a folder that is not there.

    Of several outputs the first ones would be written before the last one fails.

    Parameters
    ----------
    outputs : mapping of str to Path
        What is about to be written, by the option that names it.
    inputs : iterable of str or Path
        What was read.

    Raises
    ------
    Mdh2UrdfError
        For each output that cannot be written so.
    """
    taken = {os.path.realpath(name): "an input" for name in inputs if name is not None}
    problems = []
    for option, path in outputs.items():
        if path is None or is_char_device(path):
            continue
        place = os.path.realpath(path)
        if place in taken:
            problems.append(Finding(file=str(path), message=f"{option} would overwrite {taken[place]}"))
        elif not exists(Path(place).parent):
            problems.append(Finding(file=str(path), message=f"cannot be written: {os.strerror(errno.ENOENT)}"))
        taken.setdefault(place, f"what {option} writes")
    if problems:
        raise Mdh2UrdfError(problems)


def discard(*streams: TextIO | None) -> None:
    """Let what streams still hold go nowhere: at exit Python would try again to write it, and complain."""
    for stream in streams:
        if stream is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_report(path: Path | None, content: Mapping[str, object]) -> None:
    """The report as JSON, if one is asked for."""
    if path is not None:
        write_json(path, content)


def told(findings: Iterable[Finding]) -> list[dict[str, object]]:
    """Findings as plain data."""
    return [asdict(finding) for finding in findings]


def refuse(findings: Iterable[Finding], *, strict: bool) -> None:
    """Make errors of the findings.

    Raises
    ------
    CheckError
        If ``strict`` and there are findings beyond what an option was given for.
    """
    found = tuple(finding for finding in findings if finding.rule not in AS_ASKED)
    if strict and found:
        raise CheckError(found)
