"""A table as engineers draw it, and the joint screws at q = 0: as text, Markdown or LaTeX."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from mdh2urdf.cell_text import CellText
from mdh2urdf.errors import one_line
from mdh2urdf.expression import Kind, Units, parse
from mdh2urdf.robot import Robot
from mdh2urdf.screws import Screw, screws
from mdh2urdf.se3 import IDENTITY, Transform, rpy_from_rotation
from mdh2urdf.show.formula import escaped, formula_latex, formula_text
from mdh2urdf.table import Cell, Convention, Row, Table, TableJoint, kind_of, row_values
from mdh2urdf.text import number

Form = Literal["text", "markdown", "latex"]

DIGITS = 12
"""Decimals (m) of a screw's axis and point, and digits of an angle in degrees; what is behind them is noise."""

WIDEST = 400
"""Characters of a line before a table in text breaks its cells."""

_PRODUCTS = {
    "modified": "Rx(α) Tx(a) Rz(θ) Tz(d)",
    "standard": "Rz(θ) Tz(d) Tx(a) Rx(α)",
}
_WORDS = frozenset({"joint", "parent", "link", "type"})
_NEGATIVE = re.compile(r"-[\w.]+([*/][\w.]+)*", re.ASCII)
_FOUR: Mapping[str, Kind] = {"a": "length", "alpha": "angle", "d": "length", "theta": "angle"}
_MODIFIED: Mapping[str, Kind] = {"gamma": "angle", "b": "length", "beta": "angle", **_FOUR}
_STANDARD: Mapping[str, Kind] = {**_FOUR, "beta": "angle"}
_GREEK = {"alpha": "α", "beta": "β", "gamma": "γ", "theta": "θ"}


@dataclass(frozen=True, slots=True)
class Shown:
    """A cell or heading: as plain text, and as LaTeX."""

    text: str
    latex: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """A table to be printed: title, headings, rows, and lines below it."""

    title: str
    headings: tuple[Shown, ...]
    rows: tuple[tuple[Shown, ...], ...]
    notes: tuple[str, ...] = ()


def show_table(table: Table, form: Form = "text") -> str:
    """The rows of a table in the units of its file; cells with parameters as they were written."""
    return _printed(table_sheet(table), form)


def show_screws(robot: Robot, form: Form = "text", *, base: str | None = None, tip: str | None = None) -> str:
    """Axis and a point of every joint at q = 0 in the base frame, in m."""
    return _printed(screws_sheet(robot, base=base, tip=tip), form)


def _printed(sheet: Sheet, form: Form) -> str:
    printers: Mapping[Form, Callable[[Sheet], str]] = {"text": as_text, "markdown": as_markdown, "latex": as_latex}
    return printers[form](sheet)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Entry:
    """A row to be shown: of a joint (the ``place``-th, from 1) or of the tool."""

    name: str
    parent: str
    link: str
    type: str
    row: Row
    cells: Mapping[str, Cell]
    joint: TableJoint | None = None
    place: int = 0


_Column = tuple[Shown, Callable[[_Entry], Shown]]
"""A heading, and the cell below it in the line of a row."""


def table_sheet(table: Table) -> Sheet:
    """The rows of a table as a sheet; a tool that is a row is the last one."""
    entries = list(_entries(table))
    fields = _fields(table.convention, entries)
    columns = [*_name_columns(entries), *(_field_column(key, kind, table) for key, kind in fields.items())]
    columns += _limit_columns(table)
    return Sheet(
        title=f"{table.name}: {table.convention}, T(i-1,i) = {_product(table.convention, fields)}",
        headings=tuple(heading for heading, _ in columns),
        rows=tuple(tuple(cell(entry) for _, cell in columns) for entry in entries),
        notes=tuple(_notes(table)),
    )


def _entries(table: Table) -> Iterator[_Entry]:
    for place, joint in enumerate(table.joints, start=1):
        yield _Entry(
            name=joint.name,
            parent=joint.parent,
            link=joint.link,
            type=joint.type,
            row=joint.row,
            cells=joint.cells,
            joint=joint,
            place=place,
        )
    tool = table.tool
    if tool is not None and tool.row is not None:
        above = table.joints[-1].link
        yield _Entry(name=tool.link, parent=above, link=tool.link, type="fixed", row=tool.row, cells=tool.cells)


def _name_columns(entries: Sequence[_Entry]) -> list[_Column]:
    """Joint; parent and link where the rows are no chain; type where a row does not turn."""
    columns: list[_Column] = [(_plain("joint"), lambda entry: _plain(entry.name))]
    if any(entry.parent != above.link for above, entry in pairwise(entries)):
        columns.append((_plain("parent"), lambda entry: _plain(entry.parent)))
        columns.append((_plain("link"), lambda entry: _plain(entry.link)))
    if any(entry.type not in ("revolute", "continuous") for entry in entries):
        columns.append((_plain("type"), lambda entry: _plain(entry.type)))
    return columns


def _fields(convention: Convention, entries: Sequence[_Entry]) -> dict[str, Kind]:
    """The columns of parameters: the four, and those of the others that a row uses."""
    used = {key for entry in entries for key, value in row_values(entry.row).items() if value or key in entry.cells}
    fields = _MODIFIED if convention == "modified" else _STANDARD
    return {key: kind for key, kind in fields.items() if key in used or key in _FOUR}


def _product(convention: Convention, fields: Mapping[str, Kind]) -> str:
    factors = {"gamma": "Rz(γ)", "b": "Tz(b)", "beta": "Ry(β)"}
    others = [factor for key, factor in factors.items() if key in fields]
    product = [_PRODUCTS[convention]]
    return " ".join([*others, *product] if convention == "modified" else [*product, *others])


def _heading(key: str, kind: Kind, table: Table) -> Shown:
    letter = _GREEK.get(key, key)
    index = "i-1" if table.convention == "modified" and key in ("a", "alpha", "beta") else ""
    unit = table.units.angle if kind == "angle" else table.units.length
    symbol = f"\\{key}" if key in _GREEK else key
    text = f"{letter}_{{{index}}}" if index else letter
    return Shown(f"{text} [{unit}]", f"${symbol}_{{{index or 'i'}}}$ [{unit}]")


def _number(units: Units, kind: Kind, value: float) -> str:
    """A value in rad or m in the file's units; what no few digits of a degree give is rounded to twelve."""
    if kind == "angle" and units.angle == "deg":
        return number(float(f"{units.from_si(kind, value):.{DIGITS}g}"))
    return CellText(units=units).number(kind, value)


def _plain(text: str) -> Shown:
    text = one_line(text)
    return Shown(text, escaped(text))


def _formula(text: str) -> Shown:
    expression = parse(text)
    return Shown(formula_text(expression), f"${formula_latex(expression)}$")


def _field_column(key: str, kind: Kind, table: Table) -> _Column:
    def cell(entry: _Entry) -> Shown:
        given, value = entry.cells.get(key), row_values(entry.row)[key]
        text = given.expression.text if given else _number(table.units, kind, value)
        moved = {"prismatic": "d", "fixed": ""}.get(entry.type, "theta")
        if entry.joint is not None and key == moved:
            text = _with_variable(entry.joint, text, f"q{entry.place}", value)
        return _formula(text)

    return _heading(key, kind, table), cell


def _with_variable(joint: TableJoint, cell: str, variable: str, value: float) -> str:
    """The cell of theta or d with the joint's variable in it, as ``q2 + pi/2``."""
    names = parse(cell).names
    if joint.variable in names:
        return re.sub(rf"\b{re.escape(joint.variable)}\b", variable, cell)
    signed = variable if joint.direction > 0 else f"-{variable}"
    if value == 0.0 and not names:
        return signed
    if _NEGATIVE.fullmatch(cell):
        return f"{signed} - {cell[1:]}"
    return f"{signed} + ({cell})"


def _limit_columns(table: Table) -> list[_Column]:
    """Lower and upper limits if any are known; with their unit where all are of one kind."""
    kinds = {kind_of(joint.type) for joint in table.joints if joint.limits.lower is not None}
    if not kinds:
        return []
    unit = ""
    if len(kinds) == 1:
        unit = f" [{table.units.length if 'length' in kinds else table.units.angle}]"
    return [(_plain(f"{side}{unit}"), _limit_cells(table, side)) for side in ("lower", "upper")]


def _limit_cells(table: Table, side: str) -> Callable[[_Entry], Shown]:
    def cell(entry: _Entry) -> Shown:
        limit = None if entry.joint is None else getattr(entry.joint.limits, side)
        if entry.joint is None or limit is None:
            return _plain("")
        given = entry.cells.get(f"limits.{side}")
        return _formula(given.expression.text if given else _number(table.units, kind_of(entry.joint.type), limit))

    return cell


def _notes(table: Table) -> Iterator[str]:
    for parameter in table.parameters:
        yield f"{formula_text(parse(parameter.name))} = {formula_text(parameter.expression)}"
    if table.base.pose != IDENTITY:
        yield f"{table.base.link} to frame 0: {_pose(table, table.base.pose)}"
    if table.tool is not None and table.tool.pose is not None:
        yield f"{table.joints[-1].link} to {table.tool.link}: {_pose(table, table.tool.pose)}"
    if table.source:
        yield f"source: {' '.join(table.source.split())}"


def _pose(table: Table, pose: Transform) -> str:
    xyz = ", ".join(_number(table.units, "length", value) for value in pose.translation)
    rpy = ", ".join(_number(table.units, "angle", value) for value in rpy_from_rotation(pose.rotation))
    return f"xyz {xyz} {table.units.length}; rpy {rpy} {table.units.angle}"


def screws_sheet(robot: Robot, *, base: str | None = None, tip: str | None = None) -> Sheet:
    """The joint screws at q = 0 as a sheet; a prismatic joint has no point."""
    found = screws(robot, base, tip)
    columns: list[tuple[Shown, Callable[[Screw], Shown]]] = [
        (_plain("joint"), lambda screw: _plain(screw.joint.name)),
        (_plain("type"), lambda screw: _plain(screw.joint.type)),
    ]
    if any(screw.parent != above.joint.child for above, screw in pairwise(found.joints)):
        columns.append((_plain("parent"), lambda screw: _plain(screw.parent)))
    for place, letter in enumerate("xyz"):
        columns.append((Shown(f"axis {letter}", f"$\\omega_{letter}$"), _axis_cell(place)))
    for place, letter in enumerate("xyz"):
        columns.append((Shown(f"point {letter} [m]", f"$p_{letter}$ [m]"), _point_cell(place)))
    return Sheet(
        title=f"{robot.name}: joint screws at q = 0 in {found.base}",
        headings=tuple(heading for heading, _ in columns),
        rows=tuple(tuple(cell(screw) for _, cell in columns) for screw in found.joints),
        notes=tuple(_tip(link, pose) for link, pose in found.tips.items()),
    )


def _axis_cell(place: int) -> Callable[[Screw], Shown]:
    return lambda screw: _rounded(screw.axis[place])


def _point_cell(place: int) -> Callable[[Screw], Shown]:
    return lambda screw: _plain("") if screw.joint.type == "prismatic" else _rounded(screw.point[place])


def _rounded(value: float) -> Shown:
    return _formula(number(round(value, DIGITS)))


def _tip(link: str, pose: Transform) -> str:
    xyz, rpy = (
        ", ".join(number(round(value, DIGITS)) for value in values)
        for values in (pose.translation, rpy_from_rotation(pose.rotation))
    )
    return f"{link} at q = 0: xyz {xyz} m; rpy {rpy} rad"


def as_text(sheet: Sheet) -> str:
    """A sheet with lines around its cells, for a terminal; numbers stand at the right."""
    from io import StringIO

    from rich import box
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in sheet.headings:
        words = heading.text in _WORDS
        drawn.add_column(Text(heading.text), justify="left" if words else "right", no_wrap=True)
    for row in sheet.rows:
        drawn.add_row(*(Text(cell.text) for cell in row))
    out = StringIO()
    Console(file=out, width=WIDEST, color_system=None, legacy_windows=False).print(drawn)
    lines = [one_line(sheet.title), *(line.rstrip() for line in out.getvalue().splitlines())]
    lines += [one_line(note) for note in sheet.notes]
    return "".join(f"{line}\n" for line in lines)


def as_markdown(sheet: Sheet) -> str:
    """A sheet as a table of Markdown; the rows of one convention can be read back as a text table."""
    headings = [heading.text for heading in sheet.headings]
    rules = ["---" if heading in _WORDS else "---:" for heading in headings]
    rows = [headings, rules, *([cell.text for cell in row] for row in sheet.rows)]
    lines = [f"**{_marked(one_line(sheet.title))}**", "", *(f"| {' | '.join(map(_marked, row))} |" for row in rows)]
    lines += [line for note in sheet.notes for line in ("", _marked(one_line(note)))]
    return "".join(f"{line}\n" for line in lines)


def _marked(text: str) -> str:
    """Text whose characters Markdown does not take for its own."""
    return re.sub(r"([|*<])", r"\\\1", text)


def as_latex(sheet: Sheet) -> str:
    """A sheet as a ``tabular`` of LaTeX; title and notes as comments."""
    places = "".join("l" if heading.text in _WORDS else "r" for heading in sheet.headings)
    rows = [" & ".join(cell.latex for cell in row) + r" \\" for row in sheet.rows]
    lines = [
        f"% {one_line(sheet.title)}",
        f"\\begin{{tabular}}{{{places}}}",
        r"\hline",
        " & ".join(heading.latex for heading in sheet.headings) + r" \\",
        r"\hline",
        *rows,
        r"\hline",
        r"\end{tabular}",
        *(f"% {one_line(note)}" for note in sheet.notes),
    ]
    return "".join(f"{line}\n" for line in lines)
