"""Numbers, names and lists as the text of a YAML file that reads back to the same values."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf, nextafter, pi, ulp

from mdh2urdf.expression import Expression, Kind, Units
from mdh2urdf.se3 import Transform, Vector3, angle_between_rotations, rotation_from_rpy, rpy_from_rotation
from mdh2urdf.table import Cell
from mdh2urdf.text import number

PI_PARTS = (1, 2, 3, 4, 6)
"""Divisors of pi that people write."""

ROUND_DIGITS = 12
"""Digits of a number that somebody has written, not computed."""

SAME_ROTATION = 1e-15
"""rad: rounding errors of a rotation that went through a matrix; angles within it may be written shorter."""

_PLAIN_NAME = re.compile(r"[A-Za-z_][\w./+-]*", re.ASCII)
_PLAIN_CELL = re.compile(r"[\w.(][\w.+*/() -]*|[-+][\w.(][\w.+*/() -]*", re.ASCII)
_WORDS = frozenset({"true", "false", "yes", "no", "on", "off", "null", "y", "n"})


@dataclass(frozen=True, kw_only=True, slots=True)
class CellText:
    """Writes values in the units of a file; cells that used parameters as they were written.

    Parameters
    ----------
    units : Units
    cells : mapping of str to Cell
        By path below the thing that is written (``a``, ``limits.lower``, ``xyz[0]``).
    """

    units: Units = field(default_factory=Units)
    cells: Mapping[str, Cell] = field(default_factory=dict)

    def cell(self, path: str, kind: Kind, value: float) -> str:
        """A value in rad or m, or the expression that it was written as."""
        if path in self.cells:
            return expression(self.cells[path].expression)
        return self.number(kind, value)

    def number(self, kind: Kind, value: float) -> str:
        """Shortest text that reads back to the same value in rad or m; in degrees it may be ``rad(...)``.

        In other units a number that is round there may read back one step of a double beside it, as may a
        length that no number of that unit stands for.
        """
        if kind == "angle" and self.units.angle == "rad":
            return _of_pi(value) or number(value)
        there = self.units.from_si(kind, value)
        if kind == "number" or (kind == "length" and self.units.length == "m"):
            return number(there)
        rounded = float(f"{there:.{ROUND_DIGITS}g}")
        if abs(self.units.to_si(kind, rounded) - value) <= ulp(value):
            return number(rounded)
        near = (float(f"{there:.15g}"), there, nextafter(there, -inf), nextafter(there, inf))
        same = [number(candidate) for candidate in near if self.units.to_si(kind, candidate) == value]
        if kind == "angle":
            same.append(f"rad({number(value)})")
        return min(same, key=len, default=number(there))

    def numbers(self, kind: Kind, values: Iterable[float], path: str = "") -> str:
        """Values as a list."""
        return f"[{', '.join(self.cell(f'{path}[{i}]', kind, value) for i, value in enumerate(values))}]"

    def pose(self, pose: Transform) -> dict[str, str]:
        """The fields xyz and rpy of a pose, those that are not 0."""
        rpy = self._rpy(pose)
        found = {}
        if any(pose.translation) or self._has("xyz"):
            found["xyz"] = self.numbers("length", pose.translation, "xyz")
        if any(rpy) or self._has("rpy"):
            found["rpy"] = self.numbers("angle", rpy, "rpy")
        return found

    def _has(self, name: str) -> bool:
        return any(path.startswith(f"{name}[") for path in self.cells)

    def _rpy(self, pose: Transform) -> Vector3:
        """Roll, pitch and yaw with as few digits as give the rotation but for rounding errors."""
        rpy = rpy_from_rotation(pose.rotation)
        for digits in (12, 13, 14, 15):
            r, p, y = (self._rounded(angle, digits) for angle in rpy)
            if angle_between_rotations(rotation_from_rpy((r, p, y)), pose.rotation) <= SAME_ROTATION:
                return (r, p, y)
        return rpy

    def _rounded(self, angle: float, digits: int) -> float:
        """An angle in rad whose value in the file's unit has so many digits."""
        there = self.units.from_si("angle", angle)
        return self.units.to_si("angle", float(f"{there:.{digits}g}"))


def _of_pi(value: float) -> str:
    """A multiple of pi over a small number as people write it, empty if the value is none."""
    for part in PI_PARTS:
        count = round(value * part / pi)
        if count and abs(count) <= 2 * part and value == count * pi / part:
            sign = "-" if count < 0 else ""
            head = "pi" if abs(count) == 1 else f"{abs(count)}*pi"
            return f"{sign}{head}" + (f"/{part}" if part > 1 else "")
    return ""


def name(text: str) -> str:
    """A name or sentence as YAML has it: plain if it can be nothing else, else between double quotes."""
    if _PLAIN_NAME.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return quoted(text)


def quoted(text: str) -> str:
    """Text between double quotes; what does not print is escaped, but for halves of characters: YAML has no escape."""
    return "".join(
        char if char.isprintable() or "\ud800" <= char <= "\udfff" else f"\\U{ord(char):08x}"
        for char in json.dumps(text, ensure_ascii=False)
    )


def expression(cell: Expression) -> str:
    """A cell's expression, between quotes where YAML would take its commas for its own."""
    return cell.text if _PLAIN_CELL.fullmatch(cell.text) else quoted(cell.text)


def mapping(fields: Mapping[str, str]) -> str:
    """Fields between braces, on one line."""
    return "{" + ", ".join(f"{key}: {value}" for key, value in fields.items()) + "}"


def sequence(items: Iterable[str]) -> str:
    """Items between brackets, on one line."""
    return f"[{', '.join(items)}]"


def data(value: object) -> str:
    """Plain data (what a file's ``x-...`` fields hold) on one line."""
    if isinstance(value, Mapping):
        return mapping({name(str(key)): data(entry) for key, entry in value.items()})
    if isinstance(value, list | tuple):
        return sequence(data(entry) for entry in value)
    if isinstance(value, str):
        return quoted(value)
    return json.dumps(value)


def columns(rows: Iterable[Mapping[str, str]]) -> list[str]:
    """Mappings one below the other; the fields that all of them have are padded to stand in columns."""
    rows = list(rows)
    widths = {key: max(len(row[key]) for row in rows) for key in rows[0] if all(key in row for row in rows)}
    return ["{" + _padded(row, widths) + "}" for row in rows]


def _padded(row: Mapping[str, str], widths: Mapping[str, int]) -> str:
    *firsts, last = row
    parts = [f"{key}: {row[key]},".ljust(len(key) + 3 + widths.get(key, 0)) for key in firsts]
    return " ".join([*parts, f"{last}: {row[last]}"])
