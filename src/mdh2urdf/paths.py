"""What stands at a path that a user or a stranger named; nothing where the system refuses to look.

`Path.exists` and its like raise an error for a name that is too long and in a folder that may not be read.
Whoever then reads or writes there gets the system's reason.
"""

from __future__ import annotations

from pathlib import Path


def exists(path: Path) -> bool:
    """Whether anything is there."""
    try:
        return path.exists()
    except OSError:
        return False


def is_file(path: Path) -> bool:
    """Whether a file is there."""
    try:
        return path.is_file()
    except OSError:
        return False


def is_char_device(path: Path) -> bool:
    """Whether a device such as ``/dev/null`` is there."""
    try:
        return path.is_char_device()
    except OSError:
        return False
