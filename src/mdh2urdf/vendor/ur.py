"""Calibrations of Universal Robots: deltas to the nominal table, or the whole table as the tools print it.

Both are standard Denavit-Hartenberg rows in rad and m, one list a column.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath

from mdh2urdf.cells import CellReader, counted, nearest
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import Kind
from mdh2urdf.table import StandardRow, Table, TableJoint
from mdh2urdf.table_file.findings import table_findings
from mdh2urdf.yaml_nodes import Items, Scalar, SourceText

_COLUMNS: Mapping[str, Kind] = {"theta": "angle", "a": "length", "d": "length", "alpha": "angle"}
_STATUS = "calibration_status"
_LINEARISED = "2"

_SECTION = re.compile(r"\[[^\]=\[]*\]")
_ENTRY = re.compile(r"(?P<key>[^=\s]+)[ \t]*=[ \t]*(?P<value>.*?)[ \t]*(?:#.*)?")
_LIST = re.compile(r"\bdh_(?P<key>\w+)[ \t]*[:=][ \t]*(?P<value>\[[^\[\]]*\])")
_PAIR = re.compile(r"(?P<key>[\w.-]+)[ \t]*[:=][ \t]*(?P<value>.*?)[ \t]*(?:#.*)?")
_LOGGED = re.compile(r"\[[^\[\]]*\]")
_NUMBER = re.compile(r"[^\s,]+")


@dataclass(slots=True)
class _Lists:
    """The columns found so far."""

    reader: CellReader
    prefix: str
    columns: dict[str, Items] = field(default_factory=dict)

    def put(self, key: str, value: str, index: int) -> None:
        """A column as text with its brackets; ``index`` is where the text begins."""
        path = (f"{self.prefix}{key}",)
        if key not in _COLUMNS:
            hint = nearest(path[0], [f"{self.prefix}{name}" for name in _COLUMNS])
            self.reader.problem(index, path, f"is no known list; {hint}")
        elif key in self.columns:
            self.reader.problem(index, path, "is given twice")
        elif not (value.startswith("[") and value.endswith("]")):
            self.reader.problem(index, path, f"is {value!r}; wanted is a list [a b c] or [a, b, c]")
            self.columns[key] = Items(-1)
        else:
            found = _NUMBER.finditer(value[1:-1])
            entries = [Scalar(entry.group(), index + 1 + entry.start()) for entry in found]
            self.columns[key] = Items(index, list(entries))

    def rows(self, nominal: Table | None) -> list[StandardRow]:
        """The rows, as many as the nominal table has if there is one; all problems of the file are raised."""
        values: dict[str, list[float]] = {}
        wanted = max((len(items.items) for items in self.columns.values()), default=0)
        of = f"the longest list has {wanted}" if wanted else "a robot has one or more"
        if nominal is not None:
            wanted = len(nominal.joints)
            of = f"the nominal table {nominal.name} has {counted(wanted, 'row', 'rows')}"
        for key, kind in _COLUMNS.items():
            path = (f"{self.prefix}{key}",)
            items = self.columns.get(key)
            if items is None:
                self.reader.problem(-1, path, "is missing")
            elif items.index >= 0:
                if len(items.items) != wanted or not wanted:
                    self.reader.problem(items.index, path, f"has {counted(len(items.items), 'entry', 'entries')}; {of}")
                values[key] = [self.reader.cell(node, path, step, kind) for step, node in enumerate(items.items)]
        self.reader.stop_at_problems()
        return [
            StandardRow(theta=theta, d=d, a=a, alpha=alpha)
            for theta, d, a, alpha in zip(*(values[key] for key in ("theta", "d", "a", "alpha")), strict=True)
        ]


def read_calibration(text: str, *, file: str, nominal: Table | None) -> tuple[Table, list[Finding]]:
    """The nominal table with the deltas of a ``calibration.conf`` added; its other entries become x- fields.

    Raises
    ------
    Mdh2UrdfError
        If there is no nominal table, its rows are not the arm's, or the file is wrong.
    """
    if nominal is None:
        message = "holds only what is added to the rows of the arm as designed; give its table with --nominal TABLE"
        raise Mdh2UrdfError(Finding(file=file, message=message))
    designed = _nominal_rows(nominal, file)
    reader = CellReader(source=SourceText(file, text))
    lists = _Lists(reader, "delta_")
    others = _entries(lists)
    deltas = lists.rows(nominal)
    rows = [_sum(row, delta) for row, delta in zip(designed, deltas, strict=True)]
    table = _with_rows(nominal, rows, f"deltas of {PurePath(file).name} added")
    # The nominal table's own x- fields say things of the arm as designed, such as what it was compared with.
    kept = {key: value for key, value in nominal.extras.items() if not key.startswith("x-")}
    table = replace(table, extras={**kept, **others})
    return table, [*_status(others, reader), *table_findings(table, file=file, calibration=True)]


def _sum(row: StandardRow, delta: StandardRow) -> StandardRow:
    return replace(
        row, theta=row.theta + delta.theta, d=row.d + delta.d, a=row.a + delta.a, alpha=row.alpha + delta.alpha
    )


def _nominal_rows(nominal: Table, file: str) -> list[StandardRow]:
    """The rows of the arm as designed; an error if a calibration cannot belong to them."""
    rows = [joint.row for joint in nominal.joints if isinstance(joint.row, StandardRow)]
    problems = []
    if not rows:
        problems.append(f"the nominal table {nominal.name} is modified; a UR calibration is standard DH")
    if any(joint.type in ("prismatic", "fixed") for joint in nominal.joints):
        problems.append(f"the nominal table {nominal.name} has rows that do not turn; a UR calibration has none")
    if problems:
        raise Mdh2UrdfError(Finding(file=file, message=message) for message in problems)
    return rows


def _entries(lists: _Lists) -> dict[str, str]:
    """Puts the delta lists aside; all other entries as text, by ``x-KEY`` (``x-SECTION-KEY`` outside [mounting])."""
    others: dict[str, str] = {}
    section, start = "mounting", 0
    for whole in lists.reader.source.text.splitlines(keepends=True):
        line, index = whole.strip(), start + len(whole) - len(whole.lstrip())
        start += len(whole)
        entry = _ENTRY.fullmatch(line)
        if not line or line.startswith(("#", ";")):
            continue
        if _SECTION.fullmatch(line):
            section = line[1:-1].strip()
        elif entry is None:
            lists.reader.problem(index, (), f"{line[:60]!r} is no [section] and no KEY = VALUE")
        elif entry["key"].startswith("delta_"):
            lists.put(entry["key"].removeprefix("delta_"), entry["value"], index + entry.start("value"))
        else:
            key = f"x-{entry['key']}" if section == "mounting" else f"x-{section}-{entry['key']}"
            if key in others:
                lists.reader.problem(index, (entry["key"],), "is given twice")
            others[key] = entry["value"]
    return others


def _status(others: Mapping[str, str], reader: CellReader) -> list[Finding]:
    """What the controller says of its own calibration."""
    status = others.get(f"x-{_STATUS}", _LINEARISED)
    if status == _LINEARISED:
        return []
    message = f"is {status}; only {_LINEARISED} says that the deltas were worked out to the end"
    index = reader.source.text.index(_STATUS)
    return [reader.source.finding(index, (_STATUS,), message, "calibration-status")]


def read_dh_log(text: str, *, file: str, name: str, nominal: Table | None) -> tuple[Table, list[Finding]]:
    """The table of the four lists ``dh_theta, dh_a, dh_d, dh_alpha``; with a nominal table its names and limits."""
    reader = CellReader(source=SourceText(file, text))
    lists = _Lists(reader, "dh_")
    rest = list(text)
    for found in _LIST.finditer(text):
        start = text.rfind("\n", 0, found.start()) + 1
        if "#" not in text[start : found.start()]:
            lists.put(found["key"], found["value"], found.start("value"))
            rest[start : found.end()] = [" " if char != "\n" else char for char in text[start : found.end()]]
    _refuse_rest("".join(rest), reader)
    if nominal is not None:
        _nominal_rows(nominal, file)
        rows = lists.rows(nominal)
        table = _with_rows(nominal, rows, f"rows of {PurePath(file).name}")
    else:
        rows = lists.rows(None)
        table = Table(name=name, joints=_joints(rows), source=f"rows of {PurePath(file).name}")
    return table, table_findings(table, file=file, calibration=True)


def _refuse_rest(text: str, reader: CellReader) -> None:
    """What stands beside the lists: comments, log lines (they begin with a bracket), ``convention: standard``."""
    start = 0
    for whole in text.splitlines(keepends=True):
        line, index = whole.strip(), start + len(whole) - len(whole.lstrip())
        start += len(whole)
        if not line or line.startswith("#") or line == "---" or _LOGGED.match(line):
            continue
        pair = _PAIR.fullmatch(line)
        key, value = (pair["key"], pair["value"]) if pair else ("", line)
        if key == "convention":
            if value.strip("'\"") != "standard":
                reader.problem(index + len(line) - len(value), (key,), f"is {value!r}; the lists are standard DH")
        elif key.startswith("dh_"):
            reader.problem(index, (key,), f"is {value[:60]!r}; wanted is a list [a b c] or [a, b, c]")
        else:
            hint = nearest(key, ["convention", *(f"dh_{name}" for name in _COLUMNS)])
            reader.problem(
                index, (key,) if key else (), f"{'' if key else repr(line[:60]) + ' '}is no known field; {hint}"
            )


def _joints(rows: Sequence[StandardRow]) -> tuple[TableJoint, ...]:
    return tuple(
        TableJoint(
            name=f"joint{place}",
            link=f"link{place}",
            parent=f"link{place - 1}" if place > 1 else "base_link",
            type="continuous",
            row=row,
        )
        for place, row in enumerate(rows, start=1)
    )


def _with_rows(nominal: Table, rows: Sequence[StandardRow], how: str) -> Table:
    """The nominal table with other rows; poses that were published for the old ones are dropped."""
    joints = []
    for joint, row in zip(nominal.joints, rows, strict=True):
        cells = {path: cell for path, cell in joint.cells.items() if path not in _COLUMNS}
        joints.append(replace(joint, row=row, cells=cells, variable=""))
    source = f"{nominal.source}; {how}" if nominal.source else how
    return replace(nominal, joints=tuple(joints), expect=(), source=source)
