"""A progress bar on stderr for long work; nothing where stderr is no terminal or the work is short."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from mdh2urdf.inventor.dump import Occurrence

FEW = 3
"""Files that are read too quickly for a bar."""


def track_on_stderr(items: list[Occurrence], what: str) -> Iterable[Occurrence]:
    """The occurrences, with a bar that is gone when they are done."""
    if len(items) <= FEW or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, description=what, console=Console(stderr=True), transient=True)
