"""OPW parameters (seven lengths of an arm with an orthogonal-parallel base and a spherical wrist) as a table."""

from __future__ import annotations

from math import pi
from pathlib import PurePath

from mdh2urdf.cells import CellReader
from mdh2urdf.errors import Finding
from mdh2urdf.table import ModifiedRow, Table, TableJoint
from mdh2urdf.table_file.findings import table_findings
from mdh2urdf.yaml_nodes import Fields, Node, SourceText, compose

PREFIX = "opw_kinematics_"
_LENGTHS = ("a1", "a2", "b", "c1", "c2", "c3", "c4")
_GEOMETRY, _OFFSETS, _SIGNS = (
    f"{PREFIX}{name}" for name in ("geometric_parameters", "joint_offsets", "joint_sign_corrections")
)
_JOINTS = 6
_QUARTER = pi / 2


def read_opw(text: str, *, file: str, name: str) -> tuple[Table, list[Finding]]:
    """A modified table with the arm's zero, directions and lengths.

    Brandstötter, Angerer, Hofbaur 2014: the arm stretches upwards at ``q_model = 0``, with the tool frame
    turned as the base; ``q_model = q · sign - offset``. Frame 6 is the tool's.
    """
    reader = CellReader(source=SourceText(file, text))
    top = reader.fields(compose(reader.source, reader.problems), (), (_GEOMETRY, _OFFSETS, _SIGNS))
    for key in (_GEOMETRY, _OFFSETS, _SIGNS):
        if key not in top.items:
            reader.problem(-1, (key,), "is missing")
    reader.stop_at_problems()
    lengths = _lengths(reader, top)
    offsets = reader.numbers(top.items[_OFFSETS], (_OFFSETS,), "angle", _JOINTS) or ()
    signs = _signs(reader, top.items[_SIGNS])
    reader.stop_at_problems()
    a1, a2, b, c1, c2, c3, c4 = lengths
    rows = [
        (0.0, 0.0, c1, 0.0),
        (a1, -_QUARTER, b, -_QUARTER),
        (c2, 0.0, 0.0, _QUARTER),
        (a2, _QUARTER, c3, 0.0),
        (0.0, -_QUARTER, 0.0, 0.0),
        (0.0, _QUARTER, c4, 0.0),
    ]
    joints = tuple(
        TableJoint(
            name=f"joint{place}",
            link=f"link{place}",
            parent=f"link{place - 1}" if place > 1 else "base_link",
            type="continuous",
            row=ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta - offset + 0.0),
            direction=sign,
        )
        for place, ((a, alpha, d, theta), offset, sign) in enumerate(zip(rows, offsets, signs, strict=True), start=1)
    )
    table = Table(name=name, joints=joints, source=f"OPW parameters of {PurePath(file).name}")
    return table, table_findings(table, file=file)


def _lengths(reader: CellReader, top: Fields) -> list[float]:
    fields = reader.fields(top.items[_GEOMETRY], (_GEOMETRY,), _LENGTHS)
    lengths = []
    for key in _LENGTHS:
        if key not in fields.items:
            reader.problem(fields.index, (_GEOMETRY, key), "is missing")
        lengths.append(reader.optional(fields, key, (_GEOMETRY,), "length") or 0.0)
    return lengths


def _signs(reader: CellReader, node: Node) -> list[int]:
    values = reader.numbers(node, (_SIGNS,), "number", _JOINTS) or ()
    for place, value in enumerate(values):
        if value not in (1.0, -1.0):
            reader.problem(node.index, (_SIGNS, place), "is no sign; allowed are 1 and -1")
    return [1 if value == 1.0 else -1 for value in values]
