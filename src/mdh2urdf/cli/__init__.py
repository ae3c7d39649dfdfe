"""The command line: options in, text and findings out. Only this package prints and exits."""

from __future__ import annotations

import os
import sys
from importlib import import_module

from mdh2urdf.cli.app import COMMANDS, GROUP_OPTIONS, app
from mdh2urdf.cli.output import say
from mdh2urdf.errors import Mdh2UrdfError

__all__ = ["main"]


def main() -> None:
    """Run the command line; every mendable error is one line a problem and an exit status."""
    try:
        _import_commands(sys.argv[1:2])
        app(prog_name="mdh2urdf")
    except Mdh2UrdfError as error:
        say(error.problems)
        sys.exit(error.exit_status)
    except BrokenPipeError:
        # The reader of stdout has gone; what is still buffered has nowhere to go either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


def _import_commands(first: list[str]) -> None:
    """Import the module of the command that the first argument calls, or all of them where help may list them."""
    listed = not first or first[0] in GROUP_OPTIONS
    modules = COMMANDS.values() if listed else [COMMANDS.get(first[0], COMMANDS["convert"])]
    for module in dict.fromkeys(modules):
        import_module(f"mdh2urdf.cli.{module}")
