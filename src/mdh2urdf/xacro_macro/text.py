"""Texts of a xacro file: literal text, numbers, and cells as expressions that xacro evaluates."""

from __future__ import annotations

import ast
import keyword
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mdh2urdf.expression import CONSTANTS, METRES_PER_INCH, Kind, Units
from mdh2urdf.table import Cell, Parameter
from mdh2urdf.text import number

MACRO_PARAMETERS = ("prefix", "parent")
"""What the written macro calls its own parameters."""

_OF_PYTHON = "True False bool dict float int len list map max min range round sorted str"
_OF_XACRO = "abs_filename arg dotify load_yaml math python xacro"
_OF_MATH = """acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp
exp2 expm1 fabs factorial floor fma fmax fmin fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan
isnormal isqrt issubnormal lcm ldexp lgamma log log10 log1p log2 modf nan nextafter perm pi pow prod radians
remainder signbit sin sinh sqrt sumprod tan tanh tau trunc ulp"""
XACRO_NAMES = frozenset(f"{_OF_PYTHON} {_OF_XACRO} {_OF_MATH}".split())
"""Names that xacro has itself: it warns when a property takes one, and ROS 2's launch stops at a warning."""

QUARTER_TURNS = {math.pi / 2: "pi/2", math.pi: "pi", 3 * math.pi / 2: "3*pi/2", 2 * math.pi: "2*pi"}
"""Angles that read better as fractions of pi; xacro gets the same double from the text."""

_PER_METRE = {"mm": "1000", "cm": "100"}
_ELEMENTS = "arg attribute call element if include insert_block macro property unless"
_OWN_MACROS = "dh_to_origin standard_dh_to_origin standard_dh_row_to_origin"
_TAKEN = frozenset(f"{_ELEMENTS} {_OWN_MACROS} mdh2urdf_origin mdh2urdf_standard_tool_origin".split())
"""Macro names that would hide an element of xacro or a macro that the file builds on."""

_NUMBER = re.compile(r"-?[\d.]+(e[-+]\d+)?", re.ASCII)
_SUM, _NEGATIVE, _PRODUCT, _ATOM = 1, 2, 3, 4


def literal(text: str) -> str:
    """Text that xacro leaves as it is: every ``$`` written as an expression."""
    return text.replace("$", "${'$'}")


def macro_name(robot_name: str) -> str:
    """A robot's name as the name of a xacro macro: letters, digits and underscores, and no name that has a meaning."""
    name = re.sub(r"\W+", "_", robot_name, flags=re.ASCII).strip("_")
    if not name or name[0].isdigit():
        name = f"robot_{name}".rstrip("_")
    return f"{name}_robot" if name.lower() in _TAKEN else name


def constant(value: float, kind: Kind) -> str:
    """An attribute's text for a number in SI; whole quarter turns as fractions of pi."""
    if kind == "angle" and abs(value) in QUARTER_TURNS:
        return f"${{{'-' * (value < 0)}{QUARTER_TURNS[abs(value)]}}}"
    return number(value)


def property_names(parameters: Iterable[Parameter]) -> dict[str, str]:
    """The xacro property of every parameter: its name, with underscores behind it where xacro takes it otherwise."""
    names: dict[str, str] = {}
    wanted = [parameter.name for parameter in parameters]
    for name in wanted:
        own = f"parameter{name}" if name.startswith("__") else name
        while (own != name and own in wanted) or own in names.values() or _is_taken(own):
            own += "_"
        names[name] = own
    return names


def _is_taken(name: str) -> bool:
    return name in XACRO_NAMES or name in MACRO_PARAMETERS or keyword.iskeyword(name)


@dataclass(frozen=True, slots=True)
class _Part:
    """Text of a part of an expression, how tightly it binds, and whether it is an angle in rad."""

    text: str
    level: int
    is_angle: bool = False

    def within(self, level: int) -> str:
        """The text as an operand of something that binds as tightly as ``level``."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(frozen=True, kw_only=True, slots=True)
class CellWriter:
    """Writes cells as xacro text, by the rules of `expression.evaluate`.

    Parameters
    ----------
    units : Units
        Of bare numbers in the cells.
    names : mapping of str to str
        The xacro property of every parameter (see `property_names`).
    angles : frozenset of str
        Parameters that are angles in rad, whatever the units.
    """

    units: Units = field(default_factory=Units)
    names: Mapping[str, str] = field(default_factory=dict)
    angles: frozenset[str] = frozenset()

    @classmethod
    def of(cls, parameters: tuple[Parameter, ...], units: Units) -> CellWriter:
        """A writer for the cells of one table."""
        angles = frozenset(parameter.name for parameter in parameters if parameter.value.is_angle)
        return cls(units=units, names=property_names(parameters), angles=angles)

    def cell(self, cell: Cell, variable: str = "") -> str:
        """An attribute's text for a cell, in rad or m at the joint variable's zero."""
        part = self._part(cell.expression.tree, variable)
        return _attribute(part if part is None else self._si(part, cell.kind))

    def parameter(self, parameter: Parameter) -> str:
        """The value of a parameter's property: in the file's units, or in rad if it is an angle."""
        if isinstance(parameter.expression.tree, ast.Constant):
            return number(parameter.value.value)
        return _attribute(self._part(parameter.expression.tree, ""))

    def _si(self, part: _Part, kind: Kind) -> _Part:
        if kind == "angle":
            return self._rad(part)
        if kind == "length" and self.units.length in _PER_METRE:
            return _product(part, "/", _Part(_PER_METRE[self.units.length], _ATOM))
        if kind == "length" and self.units.length == "in":
            return _product(part, "*", _Part(number(METRES_PER_INCH), _ATOM))
        return part

    def _rad(self, part: _Part) -> _Part:
        """A bare number in the file's angle unit as an angle in rad; angles stay."""
        if part.is_angle or self.units.angle == "rad":
            return _Part(part.text, part.level, True)
        return _Part(f"radians({part.text})", _ATOM, True)

    def _part(self, node: ast.expr, variable: str) -> _Part | None:
        """Text of a node; None for what is 0 with the joint variable."""
        match node:
            case ast.Constant(value=int() | float() as value):
                return _Part(number(value), _ATOM)
            case ast.Name(id=name) if name in CONSTANTS:
                return _Part(name, _ATOM)
            case ast.Name(id=name):
                return None if name == variable else _Part(self.names[name], _ATOM, name in self.angles)
            case ast.UnaryOp(op=op, operand=operand):
                part = self._part(operand, variable)
                return part if part is None or isinstance(op, ast.UAdd) else _negative(part)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self._part(left, variable), self._part(right, variable))
            case ast.Call(func=ast.Name(id=function), args=arguments):
                parts = [self._part(argument, variable) for argument in arguments]
                return self._call(function, [part for part in parts if part is not None])
        raise AssertionError(ast.dump(node))  # parse() lets nothing else through

    def _binary(self, op: ast.operator, left: _Part | None, right: _Part | None) -> _Part | None:
        if isinstance(op, ast.Add | ast.Sub):
            return self._sum(op, left, right)
        if left is None or right is None:
            return None
        if isinstance(op, ast.Mult):
            return _product(left, "*", right, is_angle=left.is_angle or right.is_angle)
        if isinstance(op, ast.Div):
            return _product(left, "/", right, is_angle=left.is_angle and not right.is_angle)
        return _Part(f"pow(({left.text}), ({right.text}))", _ATOM)

    def _sum(self, op: ast.operator, left: _Part | None, right: _Part | None) -> _Part | None:
        plus = isinstance(op, ast.Add)
        if right is None:
            return left
        if left is None:
            return right if plus else _negative(right)
        if left.is_angle != right.is_angle:
            left, right = self._rad(left), self._rad(right)
        return _Part(f"{left.text} {'+' if plus else '-'} {right.within(_PRODUCT)}", _SUM, left.is_angle)

    def _call(self, function: str, parts: list[_Part]) -> _Part:
        if function in ("deg", "degrees"):
            return _Part(f"radians({parts[0].text})", _ATOM, True)
        if function in ("rad", "radians"):
            return _Part(parts[0].text, parts[0].level, True)
        # the JavaScript xacro-parser finds no name that touches a comma
        text = parts[0].text if len(parts) == 1 else ", ".join(f"({part.text})" for part in parts)
        return _Part(f"{function}({text})", _ATOM, function.startswith("a"))


def _negative(part: _Part) -> _Part:
    return _Part(f"-{part.within(_PRODUCT)}", _NEGATIVE, part.is_angle)


def _product(left: _Part, sign: str, right: _Part, *, is_angle: bool = False) -> _Part:
    text = f"{left.within(_NEGATIVE)}{sign}{right.within(_ATOM)}"
    return _Part(text, min(left.level, _PRODUCT) if left.level != _SUM else _PRODUCT, is_angle)


def _attribute(part: _Part | None) -> str:
    if part is None:
        return "0"
    return part.text if _NUMBER.fullmatch(part.text) else f"${{{part.text}}}"
