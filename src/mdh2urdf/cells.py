"""Nodes of a file read as fields, names, numbers and expressions; what is wrong is collected with its place."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from mdh2urdf.bounds import LARGEST
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import Expression, ExpressionError, Kind, Quantity, Units, evaluate, parse
from mdh2urdf.se3 import ORIGIN, Vector3
from mdh2urdf.table import Cell
from mdh2urdf.yaml_nodes import REPORTED, Fields, Items, Node, Path, Scalar, SourceText, is_empty, path_text

TAGS: Mapping[str, str] = {"!degrees": "deg", "!radians": "rad"}
"""Tags of a cell and the functions that do the same."""

VARIABLE = re.compile(r"q\d*", re.ASCII)
"""Names that every row, or one row, has for its joint variable."""

UNREADABLE = math.nan
"""Stands for a number that was reported as wrong; no comparison with it is true, so nothing is said twice."""

MAX_HINTS = 30
"""Names that a hint lists or compares; a table of 5,000 wrong names must not take minutes."""

NOT_FINITE = frozenset({"nan", "inf", "infinity"})
"""Words that Python reads as a number and a table does not."""

_BOOLEANS = frozenset({"true", "false", "yes", "no", "on", "off"})
_NO_VARIABLES: frozenset[str] = frozenset()


def is_name(text: str) -> bool:
    """Whether a table can hold a text as a name: one line without blanks at its ends, all of it visible."""
    return text.isprintable() and text == text.strip() != ""


@dataclass(frozen=True, kw_only=True, slots=True)
class CellReader:
    """Reads nodes of one file.

    Parameters
    ----------
    source : SourceText
    problems : list of Finding
        What is wrong is added to it; the reader goes on.
    units : Units
        Of bare numbers.
    parameters : mapping of str to Quantity
        What expressions may use.
    kept : dict of Path to Cell
        Cells that use parameters are added to it.
    pi_in_degrees : list of Finding
        What cells in degrees make of pi is added to it, the first to be told for all.
    lacking : list of Finding
        What a file of this kind may leave out, but some of its uses need, is added to it.
    columns : bool
        Whether the file has its fields in columns, as text tables do; messages ask for them so.
    """

    source: SourceText
    problems: list[Finding] = field(default_factory=list)
    units: Units = field(default_factory=Units)
    parameters: Mapping[str, Quantity] = field(default_factory=dict)
    kept: dict[Path, Cell] = field(default_factory=dict)
    pi_in_degrees: list[Finding] = field(default_factory=list)
    lacking: list[Finding] = field(default_factory=list)
    columns: bool = False

    def problem(self, index: int, path: Path, message: str) -> None:
        """Report what is wrong at a node."""
        self.problems.append(self.source.finding(index, path, message))

    def stop_at_problems(self) -> None:
        """Raise everything reported so far and what is lacking, each thing once, in the order of the file."""
        if self.problems:
            once = dict.fromkeys([*self.problems, *self.lacking])
            raise Mdh2UrdfError(sorted(once, key=lambda problem: (problem.line, problem.column)))

    def take_cells(self, path: Path) -> dict[str, Cell]:
        """The cells kept so far, by their way from a path; they are all below it, and are kept no longer."""
        taken = {path_text(way[len(path) :]): cell for way, cell in self.kept.items()}
        self.kept.clear()
        return taken

    def fields(self, node: Node, path: Path, known: Collection[str], *, extras: bool = False) -> Fields:
        """A mapping with known fields (and ``x-...`` if ``extras``); empty if the node is something else."""
        if not isinstance(node, Fields):
            wanted = f"are fields: {', '.join(known)}" if known else "is a mapping of names"
            if node is not REPORTED:
                self.problem(node.index, path, f"is {what(node)}; wanted {wanted}")
            return Fields(node.index)
        for key in [key for key in node.items if key not in known]:
            if not (extras and key.startswith("x-")):
                self.problem(node.keys[key], (*path, key), f"is no known field; {_nearest_field(key, known)}")
        return node

    def items(self, node: Node, path: Path, of: str) -> list[Node]:
        """The nodes of a list; none if the node is something else."""
        if not isinstance(node, Items):
            self.problem(node.index, path, f"is {what(node)}; wanted is a list of {of}")
            return []
        return node.items

    def text(self, node: Node, path: Path) -> str:
        """Text that is not empty; an empty one if it is reported."""
        if not isinstance(node, Scalar) or is_empty(node) or not node.text.strip():
            self.problem(node.index, path, f"is {what(node)}; wanted is text")
            return ""
        if node.tag:
            self.problem(node.index, path, f"is text; {node.tag} stands before a number")
        return node.text

    def name(self, node: Node, path: Path) -> str:
        """A name: text of one line without blanks at its ends."""
        text = self.text(node, path)
        if text and not is_name(text):
            self.problem(node.index, path, f"is {shown(node)}; a name is one line without blanks at its ends")
        return text

    def choice(self, node: Node, path: Path, allowed: Collection[str]) -> str:
        """One of several words; an empty text if it is reported."""
        text = self.text(node, path)
        if text and text not in allowed:
            self.problem(node.index, path, f"is {shown(node)}; allowed are {', '.join(allowed)}")
            return ""
        return text

    def number(self, node: Node, kind: Kind) -> float | None:
        """A cell that is a plain number in rad or m, None if it is anything else: most cells end here."""
        if type(node) is not Scalar or node.tag or not node.text.isascii() or "_" in node.text:
            return None  # Python's float would take 1_000 and the digits of other scripts
        try:
            number = float(node.text)
        except ValueError:
            return None
        return self.units.to_si(kind, number) + 0.0 if -LARGEST <= number <= LARGEST else None

    def cell(self, node: Node, path: Path, step: str | int, kind: Kind) -> float:
        """A number or expression in rad or m, `UNREADABLE` if it is reported."""
        number = self.number(node, kind)
        if number is not None:
            return number
        way = (*path, step)
        expression = self.expression(node, way)
        if expression is None:
            return UNREADABLE
        return self.si(node, way, expression, self.quantity(node, way, expression), kind)

    def optional(self, fields: Fields, key: str, path: Path, kind: Kind, *, least: float = -math.inf) -> float | None:
        """The cell of a field, None if it is not given."""
        node = fields.items.get(key)
        if node is None:
            return None
        value = self.cell(node, path, key, kind)
        if value < least:
            self.problem(node.index, (*path, key), f"is {shown(node)}; less than {least:g} makes no sense")
        return value

    def expression(self, node: Node, path: Path) -> Expression | None:
        """The expression in a cell, None if it is reported."""
        wanted = "wanted is a number or an expression"
        if not isinstance(node, Scalar) or is_empty(node):
            self.problem(node.index, path, f"is {what(node)}; {wanted}")
            return None
        word = node.text.strip().lower()
        if word.lstrip("+-").lstrip(".") in NOT_FINITE:
            self.problem(node.index, path, f"is {shown(node)}; wanted is a finite number")
            return None
        if word in _BOOLEANS and node.plain and node.text not in self.parameters:
            self.problem(node.index, path, f"is {shown(node)}, true or false; {wanted}")
            return None
        try:
            expression = parse(node.text)
            return parse(f"{TAGS[node.tag]}({node.text})") if node.tag else expression
        except ExpressionError as error:
            cut = node.text.count("(") > node.text.count(")")
            hint = "; between braces, a cell with a comma needs quotes" if cut else ""
            self.problem(node.index, path, f"{error}{hint}")
            return None

    def quantity(
        self, node: Node, path: Path, expression: Expression, variables: frozenset[str] = _NO_VARIABLES
    ) -> Quantity | None:
        """Value of a cell's expression, None if it is reported."""
        try:
            return evaluate(expression, self.parameters, units=self.units, variables=variables)
        except ExpressionError as error:
            loose = any(VARIABLE.fullmatch(name) for name in expression.names - variables)
            hint = "; the joint variable stands in theta or d only" if loose else ""
            self.problem(node.index, path, f"{error}{hint}")
            return None

    def si(self, node: Node, path: Path, expression: Expression, quantity: Quantity | None, kind: Kind) -> float:
        """An expression's value in rad or m; the cell is kept if it uses parameters."""
        if quantity is None:
            return UNREADABLE
        try:
            value = quantity.si(kind, self.units) + 0.0
        except ExpressionError as error:
            self.problem(node.index, path, str(error))
            return UNREADABLE
        if not -LARGEST <= value <= LARGEST:
            self.problem(node.index, path, f"is {shown(node)}; the largest number is {LARGEST:.0e}")
            return UNREADABLE
        if kind == "angle" and self.units.angle == "deg" and quantity.pi > 0.0:
            message = f"{shown(node)} is {math.degrees(value):.4g} degrees, for the cell is measured in degrees"
            self.pi_in_degrees.append(self.source.finding(node.index, path, message, "pi-in-degrees"))
        if not expression.names.isdisjoint(self.parameters):
            self.kept[path] = Cell(expression=expression, kind=kind)
        return value

    def numbers(self, node: Node, path: Path, kind: Kind, count: int) -> tuple[float, ...] | None:
        """A list of so many cells, None if it is reported."""
        nodes = self.items(node, path, f"{count} numbers")
        if isinstance(node, Items) and len(nodes) != count:
            self.problem(node.index, path, f"has {counted(len(nodes), 'entry', 'entries')}; wanted are {count}")
        if len(nodes) != count:
            return None
        return tuple(self.cell(entry, path, step, kind) for step, entry in enumerate(nodes))

    def vector(self, fields: Fields, key: str, path: Path, kind: Kind, default: Vector3 = ORIGIN) -> Vector3:
        """Three cells of a field, or the default if it is not given or reported."""
        node = fields.items.get(key)
        if node is None:
            return default
        values = self.numbers(node, (*path, key), kind, 3)
        if values is None or any(math.isnan(value) for value in values):
            return default
        return (values[0], values[1], values[2])


def shown(node: Node) -> str:
    """A node's text as a message quotes it, cut if long."""
    text = node.text if isinstance(node, Scalar) else ""
    return repr(text if len(text) <= 60 else text[:57] + "...")


def what(node: Node) -> str:
    """What a node is, as a message says it."""
    if isinstance(node, Fields):
        return "a mapping"
    if isinstance(node, Items):
        return "a list"
    return "empty" if is_empty(node) or not node.text.strip() else shown(node)


@lru_cache(maxsize=256)
def _near(name: str, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    near = get_close_matches(name, known, 1) if len(name) < 100 else []
    return f"did you mean {near[0]!r}?" if near else ""


def listed(words: Collection[str]) -> str:
    """Words as a sentence has them: ``a, d and theta``."""
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def are_missing(words: Collection[str]) -> str:
    """That something is missing: ``a and d are missing``."""
    return f"{listed(words)} {'is' if len(words) == 1 else 'are'} missing"


def counted(count: int, one: str, many: str) -> str:
    """A number with its noun."""
    return f"{count} {one if count == 1 else many}"


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint at the known name that is nearest, or at all of them (of a long list, at its beginning)."""
    names = tuple(known)
    if len(names) > MAX_HINTS:
        return f"known are {', '.join(names[:MAX_HINTS])} and {len(names) - MAX_HINTS} more"
    return _near(name, names) or f"known are {', '.join(names) or 'none'}"


def _nearest_field(key: str, known: Collection[str]) -> str:
    if key.strip().isdigit():
        return "is there a decimal comma? Numbers take a point"
    return nearest(key, known)
