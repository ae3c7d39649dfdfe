"""Cells of a table as sympy expressions."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import pi
from typing import Any

from mdh2urdf.cell_text import CellText
from mdh2urdf.expression import Kind
from mdh2urdf.se3 import QUARTER_TURN_TOLERANCE
from mdh2urdf.table import Cell, Row, Table, TableJoint, row_values
from mdh2urdf.text import number

Expr = Any
"""A sympy expression."""


def exact_angle(angle: float) -> Expr:
    """An angle in rad: a multiple of pi/12 exactly, any other as a decimal number."""
    import sympy

    parts = round(angle * 12 / pi)
    if abs(angle - parts * pi / 12) <= QUARTER_TURN_TOLERANCE * max(1.0, abs(angle)):
        return sympy.pi * sympy.Rational(parts, 12)
    return sympy.Float(angle)


@dataclass(slots=True)
class Symbols:
    """Values of a table's cells as expressions.

    A bare number measures in the file's units. A parameter that stands in cells of angles only is the angle
    itself, so that ``q - phi`` does not become ``q - pi phi / 180``.
    """

    table: Table
    degree: Expr = field(init=False)
    angles: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        import sympy

        self.degree = sympy.pi / 180 if self.table.units.angle == "deg" else sympy.Integer(1)
        owned = [joint.cells for joint in self.table.joints]
        if self.table.tool is not None:
            owned.append(self.table.tool.cells)
        used: dict[Kind, set[str]] = {"angle": set(), "length": set(), "number": set()}
        for cells in owned:
            for cell in cells.values():
                used[cell.kind] |= cell.expression.names
        bare = {one.name for one in self.table.parameters if not one.value.is_angle}
        self.angles = frozenset((used["angle"] & bare) - used["length"])

    def row(self, row: Row, cells: Mapping[str, Cell], joint: TableJoint | None = None) -> dict[str, Expr]:
        """The parameters of a row by the file's field names, with the joint's value in them."""
        values: dict[str, Expr] = {}
        for key, value in row_values(row).items():
            kind: Kind = "length" if key in ("a", "b", "d") else "angle"
            moves = (
                joint is not None and joint.type != "fixed" and key == ("d" if joint.type == "prismatic" else "theta")
            )
            variable = self.variable(joint) if joint is not None and moves else None
            values[key] = self._value(cells.get(key), kind, value, variable, joint)
        return values

    def _value(
        self, cell: Cell | None, kind: Kind, value: float, variable: Expr | None, joint: TableJoint | None
    ) -> Expr:
        if cell is None:
            written = self.length(value) if kind == "length" else exact_angle(value)
        else:
            name = "" if joint is None else joint.variable
            written = self._cell(cell, {} if variable is None else {name: variable})
            if name in cell.expression.names:
                return written
        return written if variable is None or joint is None else written + joint.direction * variable

    def length(self, value: float) -> Expr:
        """A length in the file's unit, exactly as it is written there."""
        import sympy

        return sympy.Rational(CellText(units=self.table.units).number("length", value))

    def variable(self, joint: TableJoint) -> Expr:
        """A joint's value: ``q`` with its place in the table, or what it follows."""
        import sympy

        factor, shift, leader = 1.0, 0.0, joint
        by_name = {one.name: one for one in self.table.joints}
        while leader.mimic is not None:
            shift += factor * leader.mimic.offset
            factor *= leader.mimic.multiplier
            leader = by_name[leader.mimic.joint]
        offset = self.length(shift) if joint.type == "prismatic" else exact_angle(shift)
        symbol = sympy.Symbol(f"q{self.table.joints.index(leader) + 1}", real=True)
        return sympy.Rational(number(factor)) * symbol + offset

    def _cell(self, cell: Cell, variables: Mapping[str, Expr]) -> Expr:
        """A cell's expression, in rad or in the file's length unit, multiplied out."""
        import sympy

        known: dict[str, tuple[Expr, bool]] = {name: (value, cell.kind == "angle") for name, value in variables.items()}
        for parameter in self.table.parameters:
            known[parameter.name] = (self.parameter(parameter.name), parameter.value.is_angle)
        expression, is_angle = _Conversion(known, self.degree).of(cell.expression.tree)
        if cell.kind == "angle" and not is_angle:
            expression = expression * self.degree
        return sympy.expand(expression)

    def parameter(self, name: str) -> Expr:
        """A parameter's symbol; the number of degrees that it stands for, if it is the angle itself."""
        import sympy

        symbol = sympy.Symbol(name, real=True)
        return symbol / self.degree if name in self.angles else symbol


@dataclass(frozen=True, slots=True)
class _Conversion:
    """Turns a cell's tree into an expression; with it goes whether it is an angle in rad or a bare number."""

    known: Mapping[str, tuple[Expr, bool]]
    degree: Expr

    def of(self, node: ast.expr) -> tuple[Expr, bool]:
        import sympy

        match node:
            case ast.Constant(value=int() | float() as value):
                return sympy.Rational(number(value)), False
            case ast.Name(id="pi"):
                return sympy.pi, False
            case ast.Name(id=name):
                return self.known[name]
            case ast.UnaryOp(op=op, operand=operand):
                inner, is_angle = self.of(operand)
                return (-inner if isinstance(op, ast.USub) else inner), is_angle
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.of(left), self.of(right))
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self._call(function, [self.of(argument) for argument in arguments])
        raise AssertionError(ast.dump(node))  # parse() lets nothing else through

    def _binary(self, op: ast.operator, left: tuple[Expr, bool], right: tuple[Expr, bool]) -> tuple[Expr, bool]:
        (a, a_is_angle), (b, b_is_angle) = left, right
        if isinstance(op, ast.Add | ast.Sub):
            if a_is_angle != b_is_angle:
                a, b = (value if is_angle else value * self.degree for value, is_angle in (left, right))
            return (a + b if isinstance(op, ast.Add) else a - b), a_is_angle or b_is_angle
        if isinstance(op, ast.Mult):
            return a * b, a_is_angle or b_is_angle
        if isinstance(op, ast.Div):
            return a / b, a_is_angle and not b_is_angle
        return a**b, False

    def _call(self, function: str, arguments: list[tuple[Expr, bool]]) -> tuple[Expr, bool]:
        import sympy

        values = [value for value, _ in arguments]
        if function in ("deg", "degrees"):
            return values[0] * sympy.pi / 180, True
        if function in ("rad", "radians"):
            return values[0], True
        if function == "hypot":
            return sympy.sqrt(values[0] ** 2 + values[1] ** 2), False
        return getattr(sympy, function)(*values), function.startswith("a")
