"""The index of robots/. Run ``python tests/robots_index.py`` after a change there; a test compares."""

from __future__ import annotations

import math
import re
import textwrap
from pathlib import Path

from mdh2urdf.table import ModifiedRow, Table, TableJoint
from mdh2urdf.table_file.reader import read_table

ROBOTS = Path(__file__).parents[1] / "robots"
README = ROBOTS / "README.md"
HEAD = """# Robots

One table file a robot. `mdh2urdf robots/ur5e.yaml` converts one. Every table names its source, and its `expect:` poses
come from elsewhere than this project's code: from the vendor's own URDF, a textbook's closed form, or a printed pose.
They are checked at every run.

- **reach** is the sum of the lengths of all joint origins and the tool: no point of the arm gets farther from frame 0.
- **residual** is the largest difference between the table and the independent description named in the file
  (`x-checked-against`), over random joint values. 0 stands for less than 1e-12. A larger one means that the two
  documents differ, or that one rounds; the notes in the file say which.
- Limits are the published ones. Where no effort is published, no `<limit>` is written, and the published ranges are
  kept as `x-published-limits`. Efforts that look like placeholders of a URDF are called so.
- Where documents of one arm disagree, each has its table.

This page is written by `python tests/robots_index.py`.

| name | vendor | joints | convention | reach, m | source | residual, m and rad | remark |
|---|---|---|---|---|---|---|---|
"""
SOURCE_WIDTH = 200
"""Characters; the file has the whole source."""


def paths() -> list[Path]:
    """The table files, by name."""
    return sorted(ROBOTS.glob("*.yaml"))


def load(path: Path) -> Table:
    """The table of a file."""
    return read_table(path.read_text(encoding="utf-8"), file=path.name)[0]


def reach(table: Table) -> float:
    """Sum of the lengths of all rows and the tool, m; a prismatic row counts with its longest d."""
    rows = math.fsum(math.hypot(_a(joint.row), _longest_d(joint)) for joint in table.joints)
    if table.tool is None:
        return rows
    if table.tool.row is not None:
        return rows + math.hypot(_a(table.tool.row), table.tool.row.d)
    return rows + math.hypot(*table.tool.pose.translation)


def _a(row) -> float:
    return row.a_prev if isinstance(row, ModifiedRow) else row.a


def _longest_d(joint: TableJoint) -> float:
    d, ends = joint.row.d, (joint.limits.lower, joint.limits.upper)
    if joint.type != "prismatic":
        return d
    return max((d + joint.direction * q for q in ends if q is not None), key=abs)


def first_sentence(text: str) -> str:
    """What stands before the first full stop that ends a sentence; nothing, if it only names the frames."""
    if text.startswith("Zero, signs and base frame"):
        return ""
    return re.split(r"(?<=\.)\s+(?=[A-Z])", text.strip())[0]


def line(table: Table) -> str:
    """The row of one robot in the index."""
    extras = table.extras
    residual = extras["x-checked-against"]["residual"]
    source = textwrap.shorten(
        re.split(r"(?:\.|;) (?=Limits|limits|Lengths|Ranges)", table.source)[0], SOURCE_WIDTH, placeholder=" ..."
    )
    cells = (
        f"[{table.name}]({table.name}.yaml)",
        extras["x-vendor"],
        str(len(table.moving_joints)),
        table.convention,
        f"{reach(table):.3f}",
        source,
        f"{residual['metres']:.2g}, {residual['radians']:.2g}",
        first_sentence(extras.get("notes", "")),
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def page() -> str:
    """The whole index."""
    return HEAD + "".join(line(load(path)) for path in paths())


if __name__ == "__main__":
    README.write_text(page(), encoding="utf-8")
