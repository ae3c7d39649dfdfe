"""Expressions of a table as people print them: plain text with Greek letters, and LaTeX."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from mdh2urdf.expression import Expression
from mdh2urdf.text import number

_ORDER = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi rho sigma tau upsilon phi chi psi omega"
)
GREEK = frozenset(_ORDER.split())
"""Names of letters that formulas show as such."""

_NUMBERED = re.compile(r"([A-Za-z]+)_?(\d+)")
_DEGREES = frozenset({"deg", "degrees"})
_RADIANS = frozenset({"rad", "radians"})

_LETTERS = dict(zip((*_ORDER.split(), "pi"), "αβγδεζηθικλμνξρστυφχψωπ", strict=True))
_SPECIAL = {char: f"\\{char}" for char in "_&%#${}"} | {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}"}

_SUM, _PRODUCT, _POWER, _ATOM = range(4)
"""How tightly parts of a formula hold together."""


def formula_text(expression: Expression) -> str:
    """A formula in plain text: ``q2 - φ`` for ``q2 - phi``, ``3π/4`` for ``3*pi/4``."""
    return _Printer(latex=False).of(expression.tree)[0]


def formula_latex(expression: Expression) -> str:
    r"""A formula for LaTeX's mathematics mode: ``q_{2} - \phi``, ``\frac{3 \pi}{4}``."""
    return _Printer(latex=True).of(expression.tree)[0]


def name_latex(name: str) -> str:
    """A symbol for a name: Greek letters as such, digits at the end as index, longer names upright."""
    numbered = _NUMBERED.fullmatch(name)
    stem, index = (numbered[1], f"_{{{numbered[2]}}}") if numbered else (name, "")
    if stem == "pi" or stem in GREEK:
        return f"\\{stem}{index}"
    return f"{stem}{index}" if len(stem) == 1 else f"\\mathrm{{{escaped(stem)}}}{index}"


def escaped(text: str) -> str:
    """Text as LaTeX prints it outside mathematics."""
    return "".join(_SPECIAL.get(char, char) for char in text)


@dataclass(frozen=True, slots=True)
class _Printer:
    """Prints a tree; every part comes with how tightly it holds together."""

    latex: bool

    def of(self, node: ast.expr) -> tuple[str, int]:
        match node:
            case ast.Constant(value=int() | float() as value):
                return self._number(value)
            case ast.Name(id=name):
                return name_latex(name) if self.latex else _LETTERS.get(name, name), _ATOM
            case ast.UnaryOp(op=op, operand=operand):
                sign = "-" if isinstance(op, ast.USub) else ""
                return f"{sign}{self._inside(operand, _PRODUCT)}", _SUM
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(left, op, right)
            case ast.Call(func=ast.Name(id=function), args=arguments):
                return self._call(function, arguments)
        raise AssertionError(ast.dump(node))  # parse() lets nothing else through

    def _inside(self, node: ast.expr, level: int) -> str:
        """A part of something that holds together at least as tightly as ``level``."""
        text, own = self.of(node)
        return text if own >= level else self._round(text)

    def _round(self, text: str) -> str:
        return f"\\left({text}\\right)" if self.latex else f"({text})"

    def _number(self, value: float) -> tuple[str, int]:
        digits, _, exponent = number(value).partition("e")
        if self.latex and exponent:
            return f"{digits} \\cdot 10^{{{int(exponent)}}}", _PRODUCT
        return number(value), _ATOM

    def _binary(self, left: ast.expr, op: ast.operator, right: ast.expr) -> tuple[str, int]:
        if isinstance(op, ast.Add | ast.Sub):
            sign = "+" if isinstance(op, ast.Add) else "-"
            return f"{self._inside(left, _SUM)} {sign} {self._inside(right, _PRODUCT)}", _SUM
        if isinstance(op, ast.Pow):
            power = f"{{{self.of(right)[0]}}}" if self.latex else self._inside(right, _ATOM)
            return f"{self._inside(left, _ATOM)}^{power}", _POWER
        if isinstance(left, ast.UnaryOp) and isinstance(left.op, ast.USub):
            return f"-{self._binary(left.operand, op, right)[0]}", _SUM
        if isinstance(op, ast.Mult):
            return f"{self._inside(left, _PRODUCT)}{self._times(left, right)}{self._inside(right, _PRODUCT)}", _PRODUCT
        if self.latex:
            return f"\\frac{{{self.of(left)[0]}}}{{{self.of(right)[0]}}}", _PRODUCT
        return f"{self._inside(left, _PRODUCT)}/{self._inside(right, _ATOM)}", _PRODUCT

    def _times(self, left: ast.expr, right: ast.expr) -> str:
        """Nothing between a number and pi, a dot elsewhere."""
        if isinstance(left, ast.Constant) and isinstance(right, ast.Name) and right.id == "pi":
            return " " if self.latex else ""
        return " \\cdot " if self.latex else "·"

    def _call(self, function: str, arguments: list[ast.expr]) -> tuple[str, int]:
        if function in _DEGREES:
            inside = self._inside(arguments[0], _ATOM)
            return (f"{inside}^\\circ" if self.latex else f"{inside}°"), _ATOM
        if function in _RADIANS:
            inside = self._inside(arguments[0], _PRODUCT)
            return (f"{inside}\\,\\mathrm{{rad}}" if self.latex else f"{inside} rad"), _PRODUCT
        listed = ", ".join(self.of(argument)[0] for argument in arguments)
        if not self.latex:
            return f"{function}({listed})", _ATOM
        if function == "sqrt":
            return f"\\sqrt{{{listed}}}", _ATOM
        return f"\\operatorname{{{function}}}{self._round(listed)}", _ATOM
