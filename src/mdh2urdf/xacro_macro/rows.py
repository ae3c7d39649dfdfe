"""Rows of a table as calls of the macros that turn them into origins."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import cos, pi, remainder

from mdh2urdf.expression import Kind, evaluate
from mdh2urdf.robot import Joint, Robot
from mdh2urdf.se3 import Transform, Vector3, rpy_from_rotation
from mdh2urdf.table import Cell, ModifiedRow, StandardRow, Table, TableJoint, Tool
from mdh2urdf.xacro_macro.text import CellWriter, constant

SAME_ANGLE = 1e-9
"""rad; below this a cell's value is the angle read from a rotation, and a pitch is in gimbal lock."""

ORIGIN = "origin"


@dataclass(frozen=True, kw_only=True, slots=True)
class RowOrigin:
    """How the origin of one joint is written.

    Parameters
    ----------
    call : str
        The macro to call, ``origin`` for the element itself, empty where only numbers will do.
    attributes : mapping of str to str
        Of the call or the element, in order.
    follows : tuple of str
        The properties in the table's cells, which numbers do not follow.
    note : str
        What the reader of numbers should know; empty if nothing.
    """

    call: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    follows: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class _Texts:
    """The fields of one row as xacro text."""

    writer: CellWriter
    cells: Mapping[str, Cell]
    variable: str = ""

    def of(self, name: str, value: float, kind: Kind) -> str:
        """The cell of a field, or its number."""
        cell = self._cell(name)
        return constant(value, kind) if cell is None else self.writer.cell(cell, self.variable)

    def optional(self, attribute: str, name: str, value: float, kind: Kind) -> dict[str, str]:
        """The attribute of a field, none for a plain 0."""
        return {attribute: self.of(name, value, kind)} if value != 0.0 or self._cell(name) is not None else {}

    def _cell(self, name: str) -> Cell | None:
        return self.cells.get(name) or (self.cells.get("r") if name == "a" else None)


@dataclass(frozen=True, kw_only=True, slots=True)
class RowOrigins:
    """The origins of a robot's joints, as the rows of its table say them.

    Parameters
    ----------
    table : Table
    robot : Robot
        The table's robot.
    moved : frozenset of str
        Joints whose frame is not the row's.
    writer : CellWriter
    before : mapping of str to TableJoint
        The row that ends at a link.
    """

    table: Table
    robot: Robot
    moved: frozenset[str]
    writer: CellWriter
    before: Mapping[str, TableJoint]

    @classmethod
    def of_table(cls, table: Table, robot: Robot, moved: frozenset[str]) -> RowOrigins:
        """The origins of the robot of a table; its parameters are properties."""
        writer = CellWriter.of(table.parameters, table.units)
        before = {row.link: row for row in table.joints}
        return cls(table=table, robot=robot, moved=moved, writer=writer, before=before)

    def of(self, joint: Joint, row: TableJoint | None) -> RowOrigin:
        """How the origin of a joint is written, the joint of a row or one at an end of the chain."""
        found = self._row(joint, row) if row is not None else self._end(joint)
        if found.call and not found.follows:
            text = " ".join(found.attributes.values())
            used = [name for name in self.writer.names.values() if re.search(rf"\b{name}\b", text)]
            found = replace(found, follows=tuple(used))
        reason = self._moved(joint)
        if found.call and not reason:
            return found
        written = " ".join([found.call, *(f'{name}="{text}"' for name, text in found.attributes.items())])
        stale = f"the numbers do not follow {', '.join(found.follows)}" if found.follows else ""
        says = f"{written}; {reason}" if found.call else ""
        return RowOrigin(note="; ".join(part for part in (says, stale) if part))

    def _moved(self, joint: Joint) -> str:
        """Why the origin of a joint is not its row's; empty if it is."""
        if joint.name in self.moved:
            return "its frame was moved along and about its axis"
        carrier = self.robot.parent_joint(joint.parent)
        if carrier is not None and carrier.name in self.moved:
            return "the frame before it was moved along and about its axis"
        return ""

    def _row(self, joint: Joint, row: TableJoint) -> RowOrigin:
        texts = _Texts(writer=self.writer, cells=row.cells, variable=row.variable)
        if isinstance(row.row, ModifiedRow):
            return self._modified(joint, texts, row.row)
        before = self.before.get(row.parent)
        tail = {} if before is None else self._tail(before)
        return self._standard(joint, tail, texts, row.row)

    def _end(self, joint: Joint) -> RowOrigin:
        """The joint in front of frame 0, or the one behind the last frame."""
        base, tool = self.table.base, self.table.tool or Tool()
        if joint.name == f"{base.link}_frame0_joint":
            return self._pose(base.cells, joint.origin)
        if joint.name == f"{tool.link}_joint" and joint.parent == self.table.joints[-1].link:
            return self._tool(joint, tool)
        return RowOrigin()

    def _tool(self, joint: Joint, tool: Tool) -> RowOrigin:
        """What the last row has behind its motion, and the tool behind it."""
        texts = _Texts(writer=self.writer, cells=tool.cells)
        if isinstance(tool.row, ModifiedRow):
            return self._modified(joint, texts, tool.row)
        last = self.table.joints[-1]
        tail = self._tail(last)
        if isinstance(tool.row, StandardRow):
            return self._standard_tool(joint, tail, texts, tool.row)
        if tool.pose is None:
            return self._standard(joint, tail, texts, StandardRow(theta=0.0, d=0.0, a=0.0, alpha=0.0))
        if not tail:
            return self._pose(tool.cells, joint.origin)
        cells = [last.cells[name] for name in ("a", "r", "alpha", "beta") if name in last.cells]
        return RowOrigin(follows=self._names([*cells, *tool.cells.values()]))

    def _modified(self, joint: Joint, texts: _Texts, row: ModifiedRow) -> RowOrigin:
        attributes = {
            "a": texts.of("a", row.a_prev, "length"),
            "d": texts.of("d", row.d, "length"),
            "alpha": texts.of("alpha", row.alpha_prev, "angle"),
            "theta": texts.of("theta", row.theta, "angle"),
            **texts.optional("beta", "beta", row.beta_prev, "angle"),
            **texts.optional("gamma_", "gamma", row.gamma, "angle"),
            **texts.optional("b", "b", row.b, "length"),
            **_reference(joint),
        }
        return RowOrigin(call="dh_to_origin", attributes=attributes)

    def _tail(self, row: TableJoint) -> dict[str, str]:
        """What a standard row has behind its motion, by field; nothing if it is modified or all of it is 0."""
        if isinstance(row.row, ModifiedRow):
            return {}
        texts = _Texts(writer=self.writer, cells=row.cells, variable=row.variable)
        return {
            **texts.optional("a", "a", row.row.a, "length"),
            **texts.optional("alpha", "alpha", row.row.alpha, "angle"),
            **texts.optional("beta", "beta", row.row.beta, "angle"),
        }

    def _standard(self, joint: Joint, tail: Mapping[str, str], texts: _Texts, row: StandardRow) -> RowOrigin:
        attributes = {
            "a_prev": tail.get("a", "0"),
            "alpha_prev": tail.get("alpha", "0"),
            "d": texts.of("d", row.d, "length"),
            "theta": texts.of("theta", row.theta, "angle"),
            **({"beta_prev": tail["beta"]} if "beta" in tail else {}),
            **_reference(joint),
        }
        return RowOrigin(call="standard_dh_to_origin", attributes=attributes)

    def _standard_tool(self, joint: Joint, tail: Mapping[str, str], texts: _Texts, row: StandardRow) -> RowOrigin:
        """The tool row behind the last row: two rows in one origin, unless one of them has no a, alpha and beta."""
        own = self._tail(TableJoint(name="", link="", parent="", type="fixed", row=row, cells=texts.cells))
        if not own:
            return self._standard(joint, tail, texts, row)
        attributes = {
            "a": own.get("a", "0"),
            "d": texts.of("d", row.d, "length"),
            "alpha": own.get("alpha", "0"),
            "theta": texts.of("theta", row.theta, "angle"),
        }
        if not tail:
            beta = {"beta": own["beta"]} if "beta" in own else {}
            return RowOrigin(call="standard_dh_row_to_origin", attributes={**attributes, **beta})
        before = {f"{name}_prev": tail.get(name, "0") for name in ("a", "alpha", "beta")}
        reference = {"reference_pitch": "0", **_reference(joint)}
        attributes = {**before, **attributes, "beta": own.get("beta", "0"), **reference}
        return RowOrigin(call="mdh2urdf_standard_tool_origin", attributes=attributes)

    def _pose(self, cells: Mapping[str, Cell], pose: Transform) -> RowOrigin:
        """An origin with the cells of a pose in it; without cells the numbers are as good."""
        if not cells:
            return RowOrigin()
        rpy = self._angles(cells, pose)
        if rpy is None:
            return RowOrigin(follows=self._names(cells.values()))
        texts = _Texts(writer=self.writer, cells=cells)
        xyz = [texts.of(f"xyz[{index}]", value, "length") for index, value in enumerate(pose.translation)]
        turns = [texts.of(f"rpy[{index}]", value, "angle") for index, value in enumerate(rpy)]
        return RowOrigin(call=ORIGIN, attributes={"xyz": " ".join(xyz), "rpy": " ".join(turns)})

    def _angles(self, cells: Mapping[str, Cell], pose: Transform) -> Vector3 | None:
        """The rpy triple of a pose that the cells were part of; None in gimbal lock, where no one can tell."""
        values = {parameter.name: parameter.value for parameter in self.table.parameters}
        known = {
            index: evaluate(cell.expression, values, units=self.table.units).si("angle", self.table.units)
            for index, cell in ((index, cells.get(f"rpy[{index}]")) for index in range(3))
            if cell is not None
        }
        for pitch in (0.0, pi):
            rpy = rpy_from_rotation(pose.rotation, (0.0, pitch, 0.0))
            if not known:
                return rpy
            if abs(cos(rpy[1])) < SAME_ANGLE:
                return None
            if all(abs(remainder(rpy[index] - angle, 2 * pi)) < SAME_ANGLE for index, angle in known.items()):
                return rpy
        return None

    def _names(self, cells: Iterable[Cell]) -> tuple[str, ...]:
        """The properties that cells use, in the order of the table."""
        used = {name for cell in cells for name in cell.expression.names}
        return tuple(own for name, own in self.writer.names.items() if name in used)


def _reference(joint: Joint) -> dict[str, str]:
    """The pitch to stay close to, where it is not 0."""
    pitch = joint.reference_rpy[1]
    return {"reference_pitch": constant(pitch, "angle")} if pitch != 0.0 else {}
