"""What stands above the rows of a table file: convention, units and named constants."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection, Mapping
from dataclasses import replace

from mdh2urdf.cells import NOT_FINITE, VARIABLE, CellReader, listed
from mdh2urdf.expression import ANGLE_UNITS, LENGTH_UNITS, RESERVED, Quantity, Units
from mdh2urdf.table import Convention, Parameter
from mdh2urdf.yaml_nodes import Fields, Node, Path, Scalar

CONVENTIONS: tuple[Convention, ...] = ("modified", "standard")

STAND_IN = Quantity(1.0)
"""Value of a constant that was reported as wrong, so that its uses are not reported too."""

_NAME = re.compile(r"[A-Za-z_]\w*", re.ASCII)


def read_convention(reader: CellReader, top: Fields, option: str | None, *, has_option: bool = True) -> Convention:
    """The convention that the file or the option says, if the command has one; never guessed."""
    node = top.items.get("convention")
    allowed = "modified (Craig) or standard (Denavit-Hartenberg)"
    if node is None:
        if option is None:
            line = "a line # convention:" if reader.columns else "convention:"
            message = f"is missing; write {line} {allowed}" + (", or give --convention" if has_option else "")
            reader.problem(top.index, ("convention",), message)
        said = option
    else:
        said = reader.choice(node, ("convention",), CONVENTIONS)
        if said and option is not None and said != option:
            reader.problem(node.index, ("convention",), f"is {said}, but --convention says {option}")
    return "standard" if said == "standard" else "modified"


def read_units(reader: CellReader, top: Fields, angle: str | None, length: str | None) -> Units:
    """Units of the file, else of the options, else rad and m."""
    node = top.items.get("units")
    fields = Fields(top.index) if node is None else reader.fields(node, ("units",), ("angle", "length"))
    return Units(
        angle=_unit(reader, fields, "angle", ANGLE_UNITS, angle) or "rad",
        length=_unit(reader, fields, "length", LENGTH_UNITS, length) or "m",
    )


def _unit(reader: CellReader, fields: Fields, key: str, allowed: tuple[str, ...], option: str | None) -> str:
    node = fields.items.get(key)
    if node is None:
        return option or ""
    path = ("units", key)
    said = reader.choice(node, path, allowed)
    if said and option is not None and said != option:
        reader.problem(node.index, path, f"is {said}, but --{key} says {option}")
    return said


def read_parameters(
    reader: CellReader, top: Fields, overrides: Mapping[str, str]
) -> tuple[CellReader, tuple[Parameter, ...]]:
    """The named constants in order, and a reader that knows them.

    Parameters
    ----------
    reader : CellReader
    top : Fields
    overrides : mapping of str to str
        Expressions of the command line that take the place of the file's.
    """
    node = top.items.get("parameters")
    nodes = node.items if isinstance(node, Fields) else {}
    if node is not None:
        reader.fields(node, ("parameters",), nodes)
    for name in overrides:
        if name not in nodes:
            known_names = ", ".join(nodes) or "none"
            reader.problem(-1, ("--set", name), f"is no parameter of the table; known are {known_names}")
    known: dict[str, Quantity] = {}
    reader = replace(reader, parameters=known)
    parameters: list[Parameter] = []
    for name, entry in nodes.items():
        path: Path = ("parameters", name)
        _check_name(reader, entry, path, name)
        later = nodes.keys() - known.keys()
        if name in overrides:
            parameter = _parameter(reader, Scalar(overrides[name], -1), ("--set", name), name, later)
        else:
            parameter = _parameter(reader, entry, path, name, later)
        if parameter is not None:
            parameters.append(parameter)
        known[name] = STAND_IN if parameter is None else parameter.value
    return reader, tuple(parameters)


def _check_name(reader: CellReader, node: Node, path: Path, name: str) -> None:
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        message = "is no name for a parameter; allowed are letters, digits and _, no digit first, no word of Python"
        reader.problem(node.index, path, message)
    elif name in RESERVED or VARIABLE.fullmatch(name) or name.lower() in NOT_FINITE:
        reader.problem(node.index, path, "has a name that means something else in a cell")


def _parameter(reader: CellReader, node: Node, path: Path, name: str, later: Collection[str]) -> Parameter | None:
    """A constant, None if it is reported; it may use those before it."""
    expression = reader.expression(node, path)
    if expression is None:
        return None
    early = sorted(expression.names.intersection(later))
    if early:
        reader.problem(node.index, path, f"uses {listed(early)} before it is given")
        return None
    value = reader.quantity(node, path, expression)
    return None if value is None else Parameter(name=name, expression=expression, value=value)
