"""Cells of a table: numbers and arithmetic on parameters, never code.

A cell's text is parsed by Python's own grammar (`ast`) and then walked by hand; whatever is not a
number, an operator, a known function or a known name is an error. Angles that carry their unit
(``deg(90)``, ``!degrees 90``, ``atan2(1, 2)``) and bare numbers (in the unit of the file) are told apart.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.se3 import cos_sin

Kind = Literal["angle", "length", "number"]

MAX_CELL = 500
"""Characters of a cell; keeps the parser's depth and time bounded."""

ANGLE_UNITS = ("rad", "deg")
LENGTH_UNITS = ("m", "cm", "mm", "in")
METRES_PER_INCH = 0.0254

_PLAIN: dict[str, Callable[..., float]] = {"sqrt": math.sqrt, "hypot": math.hypot}
_OF_ANGLE: dict[str, Callable[[float], float]] = {
    "sin": lambda angle: cos_sin(angle)[1],
    "cos": lambda angle: cos_sin(angle)[0],
    "tan": lambda angle: cos_sin(angle)[1] / cos_sin(angle)[0],
}
_TO_ANGLE: dict[str, Callable[..., float]] = {
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
}
_UNIT = {"deg": "deg", "degrees": "deg", "rad": "rad", "radians": "rad"}
_ARGUMENTS = {"atan2": 2, "hypot": 2}
FUNCTIONS = frozenset(_PLAIN) | frozenset(_OF_ANGLE) | frozenset(_TO_ANGLE) | frozenset(_UNIT)
CONSTANTS: Mapping[str, float] = {"pi": math.pi}
RESERVED = FUNCTIONS | frozenset(CONSTANTS)


class ExpressionError(Mdh2UrdfError):
    """A cell that is no number and no allowed expression."""


@dataclass(frozen=True, slots=True)
class Units:
    """Units of a file: angle ``rad`` or ``deg``; length ``m``, ``cm``, ``mm`` or ``in``."""

    angle: str = "rad"
    length: str = "m"

    def to_si(self, kind: Kind, value: float) -> float:
        """A bare number of the file in rad or m; decimals stay as they are: 109.15 mm are 0.10915 m."""
        if kind == "angle" and self.angle == "deg":
            return math.radians(value)
        if kind == "length" and value:
            return value * METRES_PER_INCH if self.length == "in" else _shifted(value, -_DECIMALS[self.length])
        return value

    def from_si(self, kind: Kind, value: float) -> float:
        """Rad or m in the file's units."""
        if kind == "angle" and self.angle == "deg":
            return math.degrees(value)
        if kind == "length" and value:
            return value / METRES_PER_INCH if self.length == "in" else _shifted(value, _DECIMALS[self.length])
        return value


_DECIMALS = {"m": 0, "cm": 2, "mm": 3}


def _shifted(value: float, places: int) -> float:
    """A number times a power of ten, taken as the decimal that it prints as.

    ``109.15 / 1000`` is 0.10915000000000001, because 109.15 is no double; its decimal point moved is 0.10915.
    """
    if places == 0:
        return value
    digits, _, exponent = repr(float(value)).partition("e")
    return float(f"{digits}e{int(exponent or 0) + places}")


@dataclass(frozen=True, slots=True)
class Quantity:
    """Value of an expression: a bare number, or an angle in rad; plus ``coefficient`` times the joint variable.

    ``pi`` is the power of pi in what counts in the unit of the file: in degrees, one above 0 is a mistake.
    """

    value: float
    is_angle: bool = False
    coefficient: float = 0.0
    pi: float = field(default=0.0, compare=False)

    def si(self, kind: Kind, units: Units) -> float:
        """The value in rad or m.

        Raises
        ------
        ExpressionError
            If an angle stands where a length or a plain number is wanted.
        """
        if not self.is_angle:
            return units.to_si(kind, self.value)
        if kind != "angle":
            wanted = "a length" if kind == "length" else "a plain number"
            raise ExpressionError(f"is an angle where {wanted} is wanted")
        return self.value


@dataclass(frozen=True, slots=True)
class Expression:
    """A parsed cell: its text and its tree; ``names`` are the parameters and variables that it uses."""

    text: str
    tree: ast.expr
    names: frozenset[str]


def parse(text: str) -> Expression:
    """The expression that a text holds; its form is checked, its names are not looked up yet.

    Raises
    ------
    ExpressionError
        If the text is empty, too long, no arithmetic, or uses anything that is not allowed.
    """
    if len(text) > MAX_CELL:
        raise ExpressionError(f"is longer than {MAX_CELL} characters")
    text = " ".join(text.split())
    if _DECIMAL_COMMA.fullmatch(text):
        raise ExpressionError(f"{text!r} has a decimal comma; write {text.replace(',', '.')}")
    try:
        if not _TOKENS.fullmatch(text):
            raise SyntaxError("characters that no cell has")
        tree = ast.parse(text, mode="eval").body
        names = frozenset(_names(tree))
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise ExpressionError(f"{text!r} {_misprint(text)}") from error
    return Expression(text, tree, names)


def _misprint(text: str) -> str:
    """What is wrong with a text that is no expression, and how it is written."""
    unit = _WITH_UNIT.fullmatch(text)
    if unit:
        number = f"deg({unit[1]})" if unit[2] == "°" else unit[1]
        return f"has a unit; write {number}: units stand under units:, or in a heading"
    if "π" in text:
        return f"has a sign that no cell has; write {text.replace('π', 'pi')}"
    return f"is not a number or an expression; {_OPERATIONS}"


_WITH_UNIT = re.compile(rf"([-+]?[\d.]+) ?({'|'.join(LENGTH_UNITS)}|°)", re.ASCII)

_TOKENS = re.compile(r"(?: |(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])|[A-Za-z_]\w*(?!\w)|[-+*/(),])+", re.ASCII)
"""What a cell is made of. Python's own parser is not shown anything else: it warns of texts such as ``1or 2``.

There is one way only to part a text into tokens: with two for each word, a wrong sign behind twenty words takes hours.
"""

_DECIMAL_COMMA = re.compile(r"[-+]?\d+,\d+", re.ASCII)
_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
_OPERATIONS = "allowed are numbers, + - * / **, parentheses, pi and " + ", ".join(sorted(FUNCTIONS))


def _names(node: ast.expr) -> list[str]:
    """Names used below a node; raises on every construct that is not arithmetic."""
    match node:
        case ast.Constant(value=float() as value) if math.isinf(value):
            raise ExpressionError("a number is too large")
        case ast.Constant(value=int() | float()) if not isinstance(node.value, bool):
            return []
        case ast.Name(id=name):
            return [] if name in CONSTANTS else [name]
        case ast.UnaryOp(op=ast.UAdd() | ast.USub(), operand=operand):
            return _names(operand)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _OPERATORS):
            return _names(left) + _names(right)
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=[]) if function in FUNCTIONS:
            wanted = _ARGUMENTS.get(function, 1)
            if len(arguments) != wanted:
                raise ExpressionError(f"{function}() takes {wanted} argument{'s' * (wanted > 1)}, got {len(arguments)}")
            return [name for argument in arguments for name in _names(argument)]
    raise ExpressionError(f"{ast.unparse(node)!r} is not allowed in a cell; {_OPERATIONS}")


def evaluate(
    expression: Expression,
    parameters: Mapping[str, Quantity],
    *,
    units: Units | None = None,
    variables: frozenset[str] = frozenset(),
) -> Quantity:
    """Value of an expression.

    Parameters
    ----------
    expression : Expression
    parameters : mapping of str to Quantity
        Values of the names that may be used.
    units : Units, optional
        Units of bare numbers, default rad and m.
    variables : frozenset of str
        Names of the joint variable; its coefficient is given apart.

    Raises
    ------
    ExpressionError
        On unknown names, division by zero, overflow, a variable that does not enter linearly.
    """
    try:
        quantity = _Evaluation(parameters, units or Units(), variables).of(expression.tree)
    except ZeroDivisionError as error:
        raise ExpressionError(f"{expression.text!r} divides by zero") from error
    except (OverflowError, ValueError) as error:
        raise ExpressionError(f"{expression.text!r} has no finite real value") from error
    except RecursionError as error:
        raise ExpressionError(f"{expression.text!r} is nested too deep") from error
    if not math.isfinite(quantity.value):
        raise ExpressionError(f"{expression.text!r} has no finite real value")
    return quantity


@dataclass(frozen=True, slots=True)
class _Evaluation:
    parameters: Mapping[str, Quantity]
    units: Units
    variables: frozenset[str]

    def of(self, node: ast.expr) -> Quantity:
        match node:
            case ast.Constant(value=int() | float() as value):
                return Quantity(float(value))
            case ast.Name(id=name):
                return self._name(name)
            case ast.UnaryOp(op=op, operand=operand):
                sign = -1.0 if isinstance(op, ast.USub) else 1.0
                inner = self.of(operand)
                return Quantity(sign * inner.value, inner.is_angle, sign * inner.coefficient, inner.pi)
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(op, self.of(left), self.of(right))
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self._call(function, [self.of(argument) for argument in arguments])
        raise AssertionError(ast.dump(node))  # parse() lets nothing else through

    def _name(self, name: str) -> Quantity:
        if name in CONSTANTS:
            return Quantity(CONSTANTS[name], pi=1.0)
        if name in self.variables:
            return Quantity(0.0, False, 1.0)
        if name in self.parameters:
            return self.parameters[name]
        known = ", ".join(sorted(self.parameters)) or "none"
        raise ExpressionError(f"{name!r} is not a parameter (known: {known})")

    def _binary(self, op: ast.operator, left: Quantity, right: Quantity) -> Quantity:
        if isinstance(op, ast.Add | ast.Sub):
            sign = 1.0 if isinstance(op, ast.Add) else -1.0
            if left.is_angle != right.is_angle:
                left, right = self._as_angle(left), self._as_angle(right)
            coefficient = left.coefficient + sign * right.coefficient
            return Quantity(left.value + sign * right.value, left.is_angle, coefficient, max(left.pi, right.pi))
        if isinstance(op, ast.Mult):
            if left.is_angle and right.is_angle:
                raise ExpressionError("an angle times an angle is no angle")
            if left.coefficient and right.coefficient:
                raise ExpressionError("the joint variable may not be squared")
            coefficient = left.coefficient * right.value + left.value * right.coefficient
            power = left.pi + right.pi if left.is_angle == right.is_angle else (left if left.is_angle else right).pi
            return Quantity(left.value * right.value, left.is_angle or right.is_angle, coefficient, power)
        if right.coefficient or (isinstance(op, ast.Pow) and left.coefficient):
            raise ExpressionError("the joint variable may only be added, with a factor of 1 or -1")
        if isinstance(op, ast.Div):
            if right.is_angle and not left.is_angle:
                raise ExpressionError("a number divided by an angle is no angle")
            both = left.is_angle and right.is_angle
            power = left.pi if left.is_angle and not both else left.pi - right.pi
            return Quantity(left.value / right.value, left.is_angle and not both, left.coefficient / right.value, power)
        if left.is_angle or right.is_angle:
            raise ExpressionError("a power of an angle is no angle")
        return Quantity(math.pow(left.value, right.value), pi=left.pi * right.value)

    def _call(self, function: str, arguments: list[Quantity]) -> Quantity:
        if any(argument.coefficient for argument in arguments):
            raise ExpressionError(f"the joint variable may not stand inside {function}()")
        values = [argument.value for argument in arguments]
        if function in _UNIT:
            if arguments[0].is_angle:
                raise ExpressionError(f"{function}() is given an angle that has its unit already")
            return Quantity(Units(angle=_UNIT[function]).to_si("angle", values[0]), True)
        if function in _OF_ANGLE:
            return Quantity(_OF_ANGLE[function](values[0]))
        if any(argument.is_angle for argument in arguments):
            raise ExpressionError(f"{function}() is given an angle where a number is wanted")
        if function in _TO_ANGLE:
            return Quantity(_TO_ANGLE[function](*values), True)
        return Quantity(_PLAIN[function](*values))

    def _as_angle(self, quantity: Quantity) -> Quantity:
        """A bare number in the file's angle unit as an angle; its factor of the variable stays the same."""
        return Quantity(quantity.si("angle", self.units), True, quantity.coefficient, quantity.pi)
