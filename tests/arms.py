"""One arm of each kind, for tests of pictures."""

from __future__ import annotations

from pathlib import Path

from mdh2urdf.table import Table
from mdh2urdf.table_file.reader import read_table

FOLDERS = (Path(__file__).parent / "data" / "arms", Path(__file__).parent.parent / "robots")

KINDS = ("ur5e", "panda", "scara", "stanford", "torso")
"""Standard with six joints, modified with offsets and a tool row, SCARA, with a prismatic joint, a tree."""


def arm(name: str) -> Table:
    """The table of that name, of the test data or the catalogue."""
    path = next(folder / f"{name}.yaml" for folder in FOLDERS if (folder / f"{name}.yaml").exists())
    return read_table(path.read_text(encoding="utf-8"), file=path.name)[0]
