"""The command line: options in, text and findings out. Only this package prints and exits."""

from __future__ import annotations

import os
import sys

from mdh2urdf.cli import compare, convert, fit, package, pictures
from mdh2urdf.cli.app import app
from mdh2urdf.cli.output import say
from mdh2urdf.errors import Mdh2UrdfError

__all__ = ["compare", "convert", "fit", "main", "package", "pictures"]


def main() -> None:
    """Run the command line; every mendable error is one line a problem and an exit status."""
    try:
        app(prog_name="mdh2urdf")
    except Mdh2UrdfError as error:
        say(error.problems)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of stdout has gone; what is still buffered has nowhere to go either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
