"""The program: one command line whose first word may be left out."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from mdh2urdf import __version__
from mdh2urdf.cli.output import discard, say, write
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.paths import exists

COMMANDS = {
    "convert": "convert",
    "fit": "fit",
    "inventor": "inventor",
    "compare": "compare",
    "check": "check",
    "show": "show",
    "macro": "package",
    "draw": "pictures",
    "view": "pictures",
    "list": "package",
    "share": "package",
}
"""Every command with its module here. Only the one that is called is imported: typer needs a millisecond for each."""

CANNOT_WRITE = 2
"""Exit status where not even help can be written."""

GROUP_OPTIONS = frozenset({"--help", "-h", "--version", "--install-completion", "--show-completion"})

FILES = frozenset({"-o", "--output", "--report", "--srdf", "--ros2", "--against", "--like", "--nominal"})
FILES |= {"--meshes", "--settings", "--rename", "--anonymise", "--macro-path"}
"""Options that name a file or a folder. An empty name would be the folder that the program runs in."""


class ConvertByDefault(TyperGroup):
    """A group whose first argument may be a SOURCE: then the command is convert."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put ``convert`` in front of anything that is no command and no option of the group."""
        if args and args[0] not in COMMANDS and args[0] not in GROUP_OPTIONS:
            if len(args) > 1 and not any(word.startswith("-") for word in args[:2]):
                ctx.fail(_two_words(args[0], args[1]))
            args = ["convert", *args]
        return super().parse_args(ctx, args)


def _two_words(first: str, second: str) -> str:
    """What to say of two words of which the first is no command: convert takes one."""
    from difflib import get_close_matches

    near = get_close_matches(first, COMMANDS, 1)
    if near and not exists(Path(first)):
        return f"there is no command {first!r}; did you mean {near[0]!r}?"
    return f"one SOURCE is converted, and here are two: {first!r} and {second!r}. The output goes to -o FILE"


app = typer.Typer(
    cls=ConvertByDefault,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Denavit-Hartenberg tables, calibration files and CAD assemblies to URDF and xacro, and back. "
    "`mdh2urdf SOURCE` converts a table; `mdh2urdf convert -h` has its options.",
)


def _version(wanted: bool) -> None:
    if wanted:
        write(f"mdh2urdf {__version__}\n")
        raise typer.Exit


@app.callback()
def _group(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Take the options that come before a command."""


def run(arguments: Sequence[str]) -> int:
    """Do what the arguments say; the exit status of an error that the user can mend. Else typer exits."""
    try:
        _refuse_empty_names(arguments)
        _import_commands(arguments)
        app(list(arguments), prog_name="mdh2urdf")
    except Mdh2UrdfError as error:
        say(error.problems)
        return error.exit_status
    except OSError as error:
        if error.filename is not None:
            raise
        # typer's own text, such as help, finds no room; results are told of where they are written
        discard(sys.stdout, sys.stderr)
        return CANNOT_WRITE
    raise AssertionError("typer exits by itself")


def _refuse_empty_names(arguments: Sequence[str]) -> None:
    """Raise for what a shell makes of a variable that is not set, where a file is named."""
    for before, argument in pairwise(["", *arguments]):
        name, equals, given = argument.partition("=")
        if (before in FILES and not argument) or (name in FILES and equals and not given):
            raise Mdh2UrdfError(f"{before if not argument else name} wants the name of a file, got ''")
        if not argument and not before.startswith("-"):
            raise Mdh2UrdfError("an argument is ''; a file is named there")


def _import_commands(arguments: Sequence[str]) -> None:
    """Import the module of the command that the first argument calls, or all of them where help may list them."""
    listed = not arguments or arguments[0] in GROUP_OPTIONS
    modules = COMMANDS.values() if listed else [COMMANDS.get(arguments[0], COMMANDS["convert"])]
    for module in dict.fromkeys(modules):
        import_module(f"mdh2urdf.cli.{module}")
