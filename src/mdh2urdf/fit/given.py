"""Numbers of a given table as its file has them: in mm a double may have neighbours that are one number in m."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from mdh2urdf.cell_text import CellText
from mdh2urdf.expression import evaluate, parse
from mdh2urdf.table import Cell, Table, TableJoint
from mdh2urdf.table_numbers import row_numbers
from mdh2urdf.text import number


def as_given(table: Table, like: Table, names: Mapping[str, str]) -> Table:
    """The table with numbers that are those of a given one written to the last digit of the given file's unit.

    Parameters
    ----------
    table, like : Table
    names : mapping of str to str
        Joints of the given table, and those of the table that they stand for.
    """
    if table.units.length != like.units.length:
        return table
    wanted = {names[joint.name]: joint for joint in like.joints if joint.name in names}
    joints = tuple(
        replace(joint, cells={**joint.cells, **_cells(table, joint, like, wanted[joint.name])})
        if joint.name in wanted
        else joint
        for joint in table.joints
    )
    return replace(table, joints=joints)


def _cells(table: Table, joint: TableJoint, like: Table, given: TableJoint) -> dict[str, Cell]:
    """Cells of a row whose numbers are equal and would be written with another last digit than the given one's."""
    ours, theirs = row_numbers("", joint.row), row_numbers("", given.row)
    text = CellText(units=table.units)
    values = {one.name: one.value for one in like.parameters}
    found: dict[str, Cell] = {}
    for field, cell in given.cells.items():
        key = ("", field)
        if cell.kind != "length" or key not in ours or ours[key] != theirs[key]:
            continue  # an angle that no number of degrees is the same as is written in rad
        value = evaluate(cell.expression, values, units=like.units, variables=frozenset({given.variable})).value
        if number(value) != text.number("length", ours[key]):
            found[field] = Cell(expression=parse(number(value)), kind="length")
    return found
