"""The command line: options in, text and findings out. Only this package prints and exits."""

from __future__ import annotations

import gc
import sys

INTERRUPTED = 130
"""Exit status after Ctrl-C, as shells have it: 128 and the number of SIGINT."""

COLLECT_AFTER = 100_000
"""New objects between two searches for unreachable ones. With Python's 700 a start searches sixty times, in vain."""


def main() -> None:
    """Run the command line; every mendable error is one line a problem and an exit status."""
    gc.set_threshold(COLLECT_AFTER)
    try:
        from mdh2urdf.cli.app import run

        sys.exit(run(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
