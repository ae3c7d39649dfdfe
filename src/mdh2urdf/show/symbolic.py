"""Symbolic transforms and forward kinematics of a table, with sympy.

Cells with parameters stay symbolic, angles that are multiples of 15 degrees are exact, and turns about parallel
axes add up inside one cosine. Lengths are in the file's unit; angles are in rad, and a parameter or joint value
that is an angle stands for the angle.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mdh2urdf.errors import one_line
from mdh2urdf.se3 import IDENTITY, Transform, rpy_from_rotation
from mdh2urdf.show.cells import Expr, Symbols, exact_angle
from mdh2urdf.show.formula import formula_text, name_latex
from mdh2urdf.table import ModifiedRow, Row, Table, TableJoint

Matrix = Any
"""A sympy matrix, shape (4, 4)."""

Step = tuple[str, Expr]
"""A turn (``Rx``, ``Ry``, ``Rz``) or a shift (``Tx``, ``Ty``, ``Tz``) and by how much."""

WIDEST_ENTRY = 40
"""Characters of an entry up to which a matrix is printed as a square."""

KEPT_FRACTIONS = frozenset({2, 3, 4, 6, 12})
"""Denominators that come from the cosines of exact angles; other fractions are printed as decimals."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Motion:
    """The transform of one row, or of base or tool, as steps; ``parent`` and ``child`` are names of frames."""

    parent: str
    child: str
    steps: tuple[Step, ...]
    joint: str = ""


def motions(table: Table) -> list[Motion]:
    """The transforms of a table: base, rows, tool. Frame 0 stands on the base, frame i behind row i."""
    symbols = Symbols(table)
    frames = {table.base.link: "0"}
    found: list[Motion] = []
    if table.base.pose != IDENTITY:
        found.append(Motion(parent=table.base.link, child="0", steps=_pose_steps(symbols, table.base.pose)))
    for place, joint in enumerate(table.joints, start=1):
        steps = _row_steps(joint.row, symbols.row(joint.row, joint.cells, joint))
        found.append(Motion(parent=frames[joint.parent], child=str(place), steps=steps, joint=joint.name))
        frames[joint.link] = str(place)
    if table.tool is not None:
        last, tool = str(len(table.joints)), table.tool
        steps = _pose_steps(symbols, tool.pose or IDENTITY)
        if tool.row is not None:
            steps = _row_steps(tool.row, symbols.row(tool.row, tool.cells))
        found.append(Motion(parent=last, child=tool.link, steps=steps))
    return found


def forward_kinematics(table: Table) -> dict[str, Matrix]:
    """Pose of every last frame (tool, or behind a row that carries no other) in the root link, by the frame's name."""
    found = motions(table)
    above = {motion.child: motion for motion in found}
    parents = {motion.parent for motion in found}
    poses: dict[str, Matrix] = {}
    for motion in found:
        if motion.child in parents:
            continue
        steps: list[Step] = []
        name = motion.child
        while name in above:
            steps[:0] = above[name].steps
            name = above[name].parent
        poses[motion.child] = product(steps)
    return poses


def product(steps: Iterable[Step]) -> Matrix:
    """The matrix of steps one after the other.

    Turns about z and shifts are gathered while their axes stay parallel; what is gathered is multiplied from
    the tip towards the base, so that entries nest as they are written by hand.
    """
    groups: list[Matrix] = []
    group = _Parallel()
    for kind, amount in steps:
        if not group.take(kind, amount):
            groups += [group.matrix(), _turn(kind, amount)]
            group = _Parallel()
    result = group.matrix()
    for matrix in reversed(groups):
        result = matrix * result
    return result


class _Parallel:
    """Turns about z, half turns about x and shifts, gathered to one pose: a point, ``Rz(angle)``, ``Rx(0 or pi)``."""

    def __init__(self) -> None:
        import sympy

        self.angle: Expr = sympy.Integer(0)
        self.sign = 1
        self.point: list[Expr] = [sympy.Integer(0)] * 3

    def take(self, kind: str, amount: Expr) -> bool:
        """Gather one more step; False if it tilts the axis."""
        import sympy

        cos, sin = sympy.cos(self.angle), sympy.sin(self.angle)
        if kind == "Rz":
            self.angle += self.sign * amount
        elif kind == "Tx":
            self._shift(amount * cos, amount * sin, 0)
        elif kind == "Ty":
            self._shift(-self.sign * amount * sin, self.sign * amount * cos, 0)
        elif kind == "Tz":
            self._shift(0, 0, self.sign * amount)
        elif kind == "Rx" and amount in (sympy.pi, -sympy.pi):
            self.sign = -self.sign
        else:
            return bool(amount == 0)
        return True

    def _shift(self, x: Expr, y: Expr, z: Expr) -> None:
        self.point = [own + more for own, more in zip(self.point, (x, y, z), strict=True)]

    def matrix(self) -> Matrix:
        """The pose so far."""
        import sympy

        cos, sin, sign = sympy.cos(self.angle), sympy.sin(self.angle), self.sign
        x, y, z = self.point
        return sympy.Matrix([[cos, -sign * sin, 0, x], [sin, sign * cos, 0, y], [0, 0, sign, z], [0, 0, 0, 1]])


def _turn(kind: str, amount: Expr) -> Matrix:
    """The matrix of a turn about x or y."""
    import sympy

    cos, sin = sympy.cos(amount), sympy.sin(amount)
    if kind == "Rx":
        return sympy.Matrix([[1, 0, 0, 0], [0, cos, -sin, 0], [0, sin, cos, 0], [0, 0, 0, 1]])
    return sympy.Matrix([[cos, 0, sin, 0], [0, 1, 0, 0], [-sin, 0, cos, 0], [0, 0, 0, 1]])


def _row_steps(row: Row, values: Mapping[str, Expr]) -> tuple[Step, ...]:
    """A row factor by factor."""
    order: Sequence[tuple[str, str]]
    if isinstance(row, ModifiedRow):
        order = (
            ("Rz", "gamma"),
            ("Tz", "b"),
            ("Ry", "beta"),
            ("Rx", "alpha"),
            ("Tx", "a"),
            ("Rz", "theta"),
            ("Tz", "d"),
        )
    else:
        order = (("Rz", "theta"), ("Tz", "d"), ("Tx", "a"), ("Rx", "alpha"), ("Ry", "beta"))
    return tuple((kind, values[key]) for kind, key in order)


def _pose_steps(symbols: Symbols, pose: Transform) -> tuple[Step, ...]:
    shifts = [symbols.length(value) for value in pose.translation]
    roll, pitch, yaw = (exact_angle(angle) for angle in rpy_from_rotation(pose.rotation))
    return (*zip(("Tx", "Ty", "Tz"), shifts, strict=True), ("Rz", yaw), ("Ry", pitch), ("Rx", roll))


def show_symbolic(table: Table, *, latex: bool = False) -> str:
    """The transform of every row, and the forward kinematics, as text or as LaTeX."""
    found = motions(table)
    parts = [_legend(table, latex=latex)]
    for motion in found:
        title = f" ({motion.joint})" if motion.joint else ""
        parts.append(_shown(motion.parent, motion.child, title, product(motion.steps), latex=latex))
    root = found[0].parent if found[0].child == "0" else "0"
    for name, pose in forward_kinematics(table).items():
        if (root, name) not in {(motion.parent, motion.child) for motion in found}:
            parts.append(_shown(root, name, "", pose, latex=latex))
    return "\n".join(parts)


def _legend(table: Table, *, latex: bool) -> str:
    """What the symbols mean."""
    mark = "% " if latex else ""
    lines = [f"{table.name}: lengths in {table.units.length}, angles in rad"]
    lines += [f"q{place} = {joint.name}" for place, joint in enumerate(table.joints, start=1) if _has_value(joint)]
    angles = Symbols(table).angles
    for one in table.parameters:
        unit = f" {table.units.angle}" if one.name in angles else ""
        lines.append(f"{one.name} = {formula_text(one.expression)}{unit}")
    return "".join(f"{mark}{one_line(line)}\n" for line in lines)


def _has_value(joint: TableJoint) -> bool:
    return joint.type != "fixed" and joint.mimic is None


def _shown(parent: str, child: str, title: str, matrix: Matrix, *, latex: bool) -> str:
    import sympy

    title = one_line(title)
    entries = [[_decimal(entry) for entry in matrix.row(row)] for row in range(4)]
    if latex:
        rows = " \\\\\n".join(" & ".join(sympy.latex(entry) for entry in row) for row in entries)
        symbol = f"{{}}^{{{_frame(parent)}}}T_{{{_frame(child)}}}"
        head = f"% {one_line(parent)} to {one_line(child)}{title}\n"
        return f"{head}{symbol} = \\begin{{bmatrix}}\n{rows}\n\\end{{bmatrix}}\n"
    texts = [[sympy.sstr(entry, full_prec=False) for entry in row] for row in entries]
    head = f"T({one_line(parent)},{one_line(child)}){title} =\n"
    if max(len(text) for row in texts for text in row) > WIDEST_ENTRY:
        places = ((row, column) for row in range(3) for column in range(4))
        return head + "".join(f"  [{row + 1},{column + 1}] {texts[row][column]}\n" for row, column in places)
    widths = [max(len(row[column]) for row in texts) for column in range(4)]
    return head + "".join(f"  [ {'  '.join(map(str.rjust, row, widths))} ]\n" for row in texts)


def _frame(name: str) -> str:
    return name if name.isdigit() else name_latex(name)


def _decimal(entry: Expr) -> Expr:
    """An expression whose fractions are decimals, but for those of exact angles and exponents."""
    import sympy

    if entry.is_Rational:
        return entry if entry.q == 1 or entry.q in KEPT_FRACTIONS else sympy.Float(entry)
    if entry.is_Pow:
        return entry.func(_decimal(entry.base), entry.exp)
    if not entry.args:
        return entry
    return entry.func(*(_decimal(part) for part in entry.args))
