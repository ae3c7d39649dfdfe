"""Text tables (CSV, TSV, Markdown, blank-separated) as the nodes of a table file.

The rows become what the same table would be in YAML, each cell at its own place, so that one reader
serves both. A heading may say units and, with Craig's ``a_{i-1}``, the convention; so may comment lines
such as ``# convention: modified``.
"""

from __future__ import annotations

import re

from mdh2urdf.cells import CellReader
from mdh2urdf.table_file.text_columns import ANGLE_UNITS, Column, column
from mdh2urdf.yaml_nodes import REPORTED, Fields, Items, Node, Scalar

Entry = tuple[str, int]
"""Text of a cell and its offset in the file."""

_SAME_WIDTH = str.maketrans(
    {
        **dict.fromkeys("│┃", "|"),
        **dict.fromkeys("−–—─━┌┬┐├┼┤└┴┘⁻₋", "-"),
        **dict.fromkeys("×·", "*"),
        **dict(zip("₀₁₂₃₄₅₆₇₈₉⁺ᵢⱼ", "0123456789+ii", strict=True)),
    }
)
"""Signs of printed tables and what they mean, one character each, so that offsets stay."""

MAX_LINE = 10_000
"""Characters of a line; 20 columns have 1,000, and the time of a heading with open brackets grows with its square."""

_RULE = re.compile(r"[\s|+:=-]+")
_SAID = re.compile(r"\s*#\s*(name|convention|angle|length|source)\s*:\s*(\S.*)")
_WORD = re.compile(r"\S+")
_HEADING = re.compile(r"[^\s\[(]+(?:\s*(?:\[[^\]]*\]|\([^)]*\)))*|\S+")
_FRACTION = re.compile(r"\\[dt]?frac\{([^{}]*)\}\{([^{}]*)\}")
_DEGREES = re.compile(r"(\d+\.?\d*|\.\d+)\s*(?:°|\^\{?\\circ\}?)")
_VARIABLE = re.compile(r"(?:\\?theta|θ|ϑ|\bq)_?\{?(\d*)\}?(?![A-Za-z_])(?:\*(?=\s*(?:[-+)]|$)))?")
_IN_D = re.compile(r"\bq\d*\b", re.ASCII)
_PI = re.compile(r"π|\\pi\b")
_MARKUP = str.maketrans("", "", "$`")

_NUMBERED = {"name": "joint", "link": "link", "parent": "link"}
_TYPES = {"r": "revolute", "p": "prismatic", "f": "fixed"}
_LIMITS = ("lower", "upper", "velocity", "effort")
_TURNING = ("theta", "theta_offset", "offset")
"""Columns whose angle unit is the file's before any other's: their cells hold the joint variable."""

_NOTHING = frozenset({"", "-", "--"})


def text_table(reader: CellReader) -> Fields:
    """The table of a text as YAML nodes; what is wrong with its form is reported to the reader.

    Raises
    ------
    Mdh2UrdfError
        If the headings make no table.
    """
    top = Fields(0)
    lines = _lines(reader, top)
    header, start = lines[0]
    separator = next((sign for sign in "|\t;," if sign in header), " ")
    headings = _split(header, start, separator, _HEADING)
    body = [_split(line, index, separator, _WORD) for line, index in lines[1:]]
    blank = _blank_columns([headings, *body])
    columns = _columns(reader, headings[: len(headings) - blank])
    angle = _say_notation(reader, top, columns)
    reader.stop_at_problems()
    rows: list[Node] = []
    for cells, (_, index) in zip(body, lines[1:], strict=True):
        if len(cells) == len(headings):
            rows.append(_row(columns, cells[: len(columns)], angle, index))
        else:
            hint = {",": " (numbers take a decimal point)", " ": " (write expressions without blanks)"}.get(
                separator, ""
            )
            message = f"has {len(cells)} cells, the headings are {len(headings)}{hint}"
            reader.problem(index, ("joints", len(rows)), message)
            rows.append(REPORTED)
    _put(top, "joints", Items(start, rows))
    return top


def _lines(reader: CellReader, top: Fields) -> list[Entry]:
    """Headings and rows; what comment lines say of the table is put into its top fields."""
    text = reader.source.text
    lines: list[Entry] = []
    ruled: list[int] = []
    index = 0
    for line in text.translate(_SAME_WIDTH).split("\n"):
        if len(line) > MAX_LINE:
            reader.problem(index, (), f"is longer than {MAX_LINE} characters; no line of a table is")
            reader.stop_at_problems()
        said = _SAID.fullmatch(line)
        if said is not None:
            value = text[index + said.start(2) : index + said.end(2)].rstrip()
            if said[1] in top.items:
                reader.problem(index + said.start(1), (said[1],), "is given twice")
            _put(top, said[1], Scalar(value, index + said.start(2)))
        elif _RULE.fullmatch(line) and line.strip():
            ruled.append(len(lines) - 1)
        elif line.strip() and not line.lstrip().startswith("#"):
            lines.append((line, index))
        index += len(line) + 1
    if not lines:
        reader.problem(-1, (), "is empty; a text table has a line of headings and rows below it")
        reader.stop_at_problems()
    return lines[_prose(lines, ruled) :]


def _prose(lines: list[Entry], ruled: list[int]) -> int:
    """How many lines are prose above a table: those above its headings, which have ``|`` and a ruled line below.

    None if one of them may be a part of a table: mostly numbers, or nothing but names of columns.
    """
    header = next((number for number, (line, _) in enumerate(lines) if "|" in line), 0)
    if header not in ruled:
        return 0
    for line, start in lines[:header]:
        separator = next((sign for sign in "\t;," if sign in line), " ")
        words = [text for text, _ in _split(line, start, separator, _WORD)]
        numbers = [word for word in words if any(char.isdigit() for char in word)]
        if 2 * len(numbers) > len(words) or all(isinstance(column(word, 0), Column) for word in words):
            return 0
    return header


def _blank_columns(lines: list[list[Entry]]) -> int:
    """How many columns at the end have neither a heading nor a cell: spreadsheets write such."""
    width = len(lines[0])
    if any(len(cells) != width for cells in lines):
        return 0
    blank = 0
    while blank < width - 1 and not any(cells[width - 1 - blank][0] for cells in lines):
        blank += 1
    return blank


def _put(fields: Fields, key: str, node: Node) -> None:
    fields.items[key] = node
    fields.keys[key] = node.index


def _split(line: str, start: int, separator: str, word: re.Pattern[str]) -> list[Entry]:
    """Cells of a line with their offsets."""
    if separator == " ":
        return [(match[0], start + match.start()) for match in word.finditer(line)]
    first, last = 0, len(line)
    if separator == "|":
        first = len(line) - len(line.lstrip())
        last = len(line.rstrip())
        first += line.startswith("|", first)
        last -= line.endswith("|", first, last)
    cells: list[Entry] = []
    begin = first
    quoted = False
    for index in range(first, last + 1):
        if index == last or (line[index] == separator and not quoted):
            cells.append(_cell(line[begin:index], start + begin))
            begin = index + 1
        elif line[index] == '"' and separator != "|":
            quoted = not quoted
    return cells


def _cell(text: str, index: int) -> Entry:
    """Text without blanks and quotes around it."""
    index += len(text) - len(text.lstrip())
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return text[1:-1].replace('""', '"').strip(), index + 1
    return text, index


def _columns(reader: CellReader, headings: list[Entry]) -> list[Column]:
    """The columns of a table; unknown, doubled and missing ones are reported."""
    columns: dict[str, Column] = {}
    for text, index in headings:
        found = column(text, index)
        if isinstance(found, str):
            reader.problem(index, (), f"column {text!r} {found}")
        elif found.field in columns:
            reader.problem(index, (), f"column {text!r} holds {found.field}, which an earlier column holds already")
        else:
            columns[found.field] = found
    missing = [field for field in ("a", "alpha", "d") if field not in columns]
    if not columns.keys() & {"theta", "theta_offset", "offset"}:
        missing.append("theta")
    if missing:
        place = headings[0][1]
        reader.problem(place, (), f"no column holds {', '.join(missing)}; the first line has the headings")
    return list(columns.values())


def _say_notation(reader: CellReader, top: Fields, columns: list[Column]) -> str:
    """Put what the headings say of convention and units beside what comment lines say; the file's angle unit."""
    craig = next((found for found in columns if found.previous), None)
    said = top.items.get("convention")
    if craig is not None and said is None:
        _put(top, "convention", Scalar("modified", craig.index))
    elif craig is not None and isinstance(said, Scalar) and said.text != "modified":
        message = f"is {said.text}, but a heading with i-1 is of modified rows"
        reader.problem(said.index, ("convention",), message)
    units = Fields(0)
    for key in ("angle", "length"):
        if key in top.items:
            _put(units, key, top.items.pop(key))
            top.keys.pop(key)
    for found in sorted(columns, key=lambda found: found.field not in _TURNING):
        key = "angle" if found.unit in ANGLE_UNITS else "length"
        if found.unit and key not in units.items:
            _put(units, key, Scalar(found.unit, found.index))
        elif found.unit and key == "length" and found.unit != _text(units, key):
            message = (
                f"is {_text(units, key)}, but another column is measured in {found.unit}; a file has one length unit"
            )
            reader.problem(found.index, ("units", key), message)
    if units.items:
        _put(top, "units", units)
    return _text(units, "angle")


def _text(fields: Fields, key: str) -> str:
    node = fields.items.get(key)
    return node.text if isinstance(node, Scalar) else ""


def _row(columns: list[Column], cells: list[Entry], angle: str, index: int) -> Fields:
    """A row of a table file; empty cells are left out."""
    row, limits = Fields(index), Fields(index)
    for found, (text, place) in zip(columns, cells, strict=True):
        if text in _NOTHING:
            continue
        if found.field in ("name", "link", "parent"):
            given = f"{_NUMBERED[found.field]}{text}" if text.isdigit() else text.strip("`*")
            _put(row, found.field, Scalar(given, place))
        elif found.field == "type":
            word = text.lower()
            _put(row, "type", Scalar(_TYPES.get(word, word), place))
        else:
            formula = _formula(text)
            if found.unit in ANGLE_UNITS and angle != found.unit:
                formula = f"{found.unit}({formula})"
            _put(limits if found.field in _LIMITS else row, found.field, Scalar(formula, place))
    if limits.items:
        _put(row, "limits", limits)
    _add_offsets(row)
    return row


def _formula(text: str) -> str:
    r"""A printed expression as a cell has it: ``-90°``, ``\frac{\pi}{2}``, ``θ₁*``."""
    text = _FRACTION.sub(r"(\1)/(\2)", text.translate(_MARKUP))
    text = _DEGREES.sub(r"deg(\1)", text)
    return _VARIABLE.sub(r"q\1", _PI.sub("pi", text)).strip()


def _add_offsets(row: Fields) -> None:
    """Add a joint's offset to the theta of a row, or to the d of a prismatic one."""
    linear = _text(row, "type") == "prismatic" or _IN_D.search(_text(row, "d")) is not None
    for key, target in (("theta_offset", "theta"), ("offset", "d" if linear else "theta")):
        offset = row.items.pop(key, None)
        if not isinstance(offset, Scalar):
            continue
        row.keys.pop(key)
        if target not in row.items:
            _put(row, target, offset)
        else:
            _put(row, target, Scalar(f"({_text(row, target)}) + ({offset.text})", offset.index))
