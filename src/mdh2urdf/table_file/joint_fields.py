"""What a row says of its joint beside the four parameters: limits, dynamics, safety, calibration, mimic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from mdh2urdf.cells import CellReader, are_missing, listed, nearest, shown
from mdh2urdf.expression import Kind
from mdh2urdf.robot import Calibration, Dynamics, Limits, Mimic, Safety
from mdh2urdf.table import Cell, RowType, TableJoint, kind_of
from mdh2urdf.yaml_nodes import Fields, Path, Scalar

_LIMITS = ("lower", "upper", "velocity", "effort")
_MOVING_TYPES = ("revolute", "continuous", "prismatic")

MISSING_LIMITS = "missing-limits"
"""Rule of the findings that say what a ``<limit>`` of URDF needs and a row does not give."""

Defaults = Mapping[str, tuple[float, Cell | None]]
"""Velocity and effort for rows that give none: value in SI, and the cell if it uses parameters."""


@dataclass(slots=True)
class DefaultLimits:
    """The ``defaults`` of a table: ``{velocity, effort}``, or such mappings by joint type, which go first."""

    reader: CellReader
    flat: Fields
    by_type: Mapping[str, Fields]
    known: dict[str, Defaults] = field(default_factory=dict)

    @classmethod
    def read(cls, reader: CellReader, top: Fields) -> DefaultLimits:
        """The defaults of a table; each one is read once, in the units of the joint type that it serves."""
        node = top.items.get("defaults")
        if node is None:
            return cls(reader, Fields(top.index), {})
        path: Path = ("defaults",)
        flat = reader.fields(node, path, (*_MOVING_TYPES, "velocity", "effort"))
        by_type = {
            row_type: reader.fields(flat.items[row_type], (*path, row_type), ("velocity", "effort"))
            for row_type in _MOVING_TYPES
            if row_type in flat.items
        }
        defaults = cls(reader, flat, by_type)
        for row_type in by_type or ("revolute",):
            defaults.of(row_type)
        return defaults

    def of(self, row_type: str) -> Defaults:
        """Default velocity and effort of a joint type; a continuous joint takes those of revolute ones."""
        if row_type not in self.known:
            names = (row_type, "revolute") if row_type == "continuous" else (row_type,)
            places: list[tuple[Fields, Path]] = [
                (self.by_type[name], ("defaults", name)) for name in names if name in self.by_type
            ]
            self.known[row_type] = self._first([*places, (self.flat, ("defaults",))], kind_of(row_type))
        return self.known[row_type]

    def _first(self, places: list[tuple[Fields, Path]], kind: Kind) -> Defaults:
        found: dict[str, tuple[float, Cell | None]] = {}
        for fields, path in places:
            for key in ("velocity", "effort"):
                value = None
                if key not in found:
                    value = self.reader.optional(fields, key, path, kind if key == "velocity" else "number", least=0.0)
                if value is not None:
                    found[key] = (value, self.reader.kept.pop((*path, key), None))
        return found


def read_limits(
    reader: CellReader, row: Fields, path: Path, row_type: RowType, defaults: DefaultLimits
) -> tuple[RowType, Limits]:
    """A row's limits in SI, and its type: a revolute row without lower and upper is continuous.

    Half a range is a problem. What else is missing is lacking: a table is drawn, compared and simulated without.
    """
    node = row.items.get("limits")
    way = (*path, "limits")
    fields = Fields(row.index) if node is None else reader.fields(node, way, _LIMITS)
    kind = kind_of(row_type)
    lower = reader.optional(fields, "lower", way, kind)
    upper = reader.optional(fields, "upper", way, kind)
    if row_type == "continuous" and not (lower is None and upper is None):
        reader.problem(fields.index, way, "a continuous joint has no lower and upper; write type: revolute")
    if row_type == "revolute" and lower is None and upper is None:
        row_type = "continuous"
    if lower is not None and upper is not None and lower > upper:
        given = [shown(fields.items[key]) for key in ("lower", "upper")]
        reader.problem(fields.index, way, f"lower {given[0]} is above upper {given[1]}")
    values = {"lower": lower, "upper": upper} if row_type != "continuous" else {}
    for key in ("velocity", "effort"):
        values[key] = reader.optional(fields, key, way, kind if key == "velocity" else "number", least=0.0)
        if values[key] is None and key in (default := defaults.of(row_type)):
            values[key], cell = default[key]
            if cell is not None:
                reader.kept[(*way, key)] = cell
    missing = [key for key, value in values.items() if value is None]
    if missing and not (row_type == "continuous" and len(missing) == 2):
        message = _missing(reader, fields, row_type, missing)
        if row_type != "continuous" and (lower is None) != (upper is None):
            reader.problem(fields.index, way, message)
        else:
            reader.lacking.append(reader.source.finding(fields.index, way, message, MISSING_LIMITS))
    return row_type, Limits(**values)


def _missing(reader: CellReader, fields: Fields, row_type: str, missing: list[str]) -> str:
    """What limits lack, and the line or the columns to write."""
    linear = row_type == "prismatic"
    unit = reader.units.length if linear else reader.units.angle
    measures = {"lower": unit, "upper": unit, "velocity": f"{unit}/s", "effort": "N" if linear else "N m"}
    text = f"{are_missing(missing)}; "
    if reader.columns:
        them, columns = ("it", "column") if len(missing) == 1 else ("them", "columns")
        text += f"give {them} in the {columns} {listed([f'{key} [{measures[key]}]' for key in missing])}"
    else:
        text += _line(fields, row_type, {key: f"<{measures[key]}>" for key in missing})
    if row_type == "revolute" and ("lower" in missing or "upper" in missing):
        text += "; a revolute joint has both lower and upper, or neither"
    return text


def _line(fields: Fields, row_type: str, missing: Mapping[str, str]) -> str:
    """The limits of a row as they are to be written, and the defaults that serve as well."""
    entries = {key: node.text for key, node in fields.items.items() if isinstance(node, Scalar)}
    entries |= missing
    line = ", ".join(f"{key}: {entries[key]}" for key in _LIMITS if key in entries)
    rates = ", ".join(f"{key}: {missing[key]}" for key in missing if key in ("velocity", "effort"))
    if not rates:
        return f"write limits: {{{line}}}"
    kind = "prismatic" if row_type == "prismatic" else "revolute"
    return f"write limits: {{{line}}}, or once for all rows defaults: {{{kind}: {{{rates}}}}}"


def read_dynamics(reader: CellReader, row: Fields, path: Path) -> Dynamics | None:
    """Damping and friction of a row, in SI as they are given."""
    node = row.items.get("dynamics")
    if node is None:
        return None
    way = (*path, "dynamics")
    fields = reader.fields(node, way, ("damping", "friction"))
    return Dynamics(
        damping=reader.optional(fields, "damping", way, "number", least=0.0),
        friction=reader.optional(fields, "friction", way, "number", least=0.0),
    )


def read_safety(reader: CellReader, row: Fields, path: Path, row_type: str) -> Safety | None:
    """A row's safety controller: soft limits in rad or m, gains as they are given."""
    node = row.items.get("safety")
    if node is None:
        return None
    way = (*path, "safety")
    fields = reader.fields(node, way, ("soft_lower", "soft_upper", "k_position", "k_velocity"))
    k_velocity = reader.optional(fields, "k_velocity", way, "number")
    if k_velocity is None:
        if fields is node:
            reader.problem(node.index, way, "k_velocity is missing; URDF demands it")
        k_velocity = 0.0
    kind = kind_of(row_type)
    return Safety(
        k_velocity=k_velocity,
        k_position=reader.optional(fields, "k_position", way, "number"),
        soft_lower=reader.optional(fields, "soft_lower", way, kind),
        soft_upper=reader.optional(fields, "soft_upper", way, kind),
    )


def read_calibration(reader: CellReader, row: Fields, path: Path, row_type: str) -> Calibration | None:
    """Reference positions of a row's joint in rad or m."""
    node = row.items.get("calibration")
    if node is None:
        return None
    way = (*path, "calibration")
    fields = reader.fields(node, way, ("rising", "falling"))
    kind = kind_of(row_type)
    return Calibration(
        rising=reader.optional(fields, "rising", way, kind), falling=reader.optional(fields, "falling", way, kind)
    )


def read_mimic(
    reader: CellReader, row: Fields, path: Path, joint: TableJoint, joints: Mapping[str, TableJoint]
) -> Mimic | None:
    """The joint that a row follows, with multiplier and offset turned from the file's units into rad and m."""
    node = row.items["mimic"]
    way = (*path, "mimic")
    fields = reader.fields(node, way, ("joint", "multiplier", "offset"))
    if fields is not node:
        return None
    if "joint" not in fields.items:
        reader.problem(node.index, way, "joint is missing: the joint that this one follows")
        return None
    named = fields.items["joint"]
    leader = reader.name(named, (*way, "joint"))
    if leader not in joints or leader == joint.name or joints[leader].type == "fixed":
        if leader:
            reader.problem(named.index, (*way, "joint"), _no_leader(leader, joint, joints))
        return None
    kind = kind_of(joint.type)
    multiplier = reader.optional(fields, "multiplier", way, "number")
    ratio = reader.units.to_si(kind, 1.0) / reader.units.to_si(kind_of(joints[leader].type), 1.0)
    if ratio != 1.0:
        reader.kept.pop((*way, "multiplier"), None)  # its expression is not in the units of the value
    return Mimic(
        joint=leader,
        multiplier=ratio * (1.0 if multiplier is None else multiplier),
        offset=reader.optional(fields, "offset", way, kind) or 0.0,
    )


def _no_leader(leader: str, joint: TableJoint, joints: Mapping[str, TableJoint]) -> str:
    if leader == joint.name:
        return "is the joint itself"
    if leader in joints:
        return f"is {leader!r}, a fixed joint; a joint follows one that moves"
    return f"is {leader!r}, no joint of the table; {nearest(leader, joints)}"


def mimic_loops(joints: Mapping[str, TableJoint]) -> list[tuple[str, list[str]]]:
    """Joints that follow one another in a circle: the first of each circle, and the whole of it."""
    loops: list[tuple[str, list[str]]] = []
    settled: set[str] = set()
    for start in joints:
        chain: dict[str, None] = {}
        name = start
        while name not in chain and name not in settled and (mimic := joints[name].mimic) is not None:
            chain[name] = None
            name = mimic.joint
        if name in chain:
            circle = list(chain)[list(chain).index(name) :]
            loops.append((circle[0], circle))
        settled.update(chain)
    return loops
