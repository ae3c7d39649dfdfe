"""The rows of a table file: names, parents, the four parameters and what belongs to a joint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import isnan

from mdh2urdf.cells import UNREADABLE, VARIABLE, CellReader, are_missing, listed, nearest
from mdh2urdf.expression import RESERVED, Kind
from mdh2urdf.robot import Limits
from mdh2urdf.table import Convention, ModifiedRow, Row, RowType, StandardRow, TableJoint
from mdh2urdf.table_file.joint_fields import (
    DefaultLimits,
    mimic_loops,
    read_calibration,
    read_dynamics,
    read_limits,
    read_mimic,
    read_safety,
)
from mdh2urdf.yaml_nodes import Fields, Items, Node, Path, plain_data

JOINTS: Path = ("joints",)
ROW_TYPES: tuple[RowType, ...] = ("revolute", "continuous", "prismatic", "fixed")
_BRANCH = ("gamma", "b")
_MOTION = ("direction", "limits", "dynamics", "safety", "mimic", "calibration")
_PARAMETERS = ("a", "r", "alpha", "d", "theta", "beta", *_BRANCH)
ROW_FIELDS = dict.fromkeys(("name", "link", "parent", "type", *_PARAMETERS, *_MOTION, "reference_rpy"))
PARAMETER_FIELDS = dict.fromkeys(_PARAMETERS)


@dataclass(frozen=True, slots=True)
class _Head:
    """What a row is called, and the names that its joint variable has."""

    path: Path
    fields: Fields
    name: str
    link: str
    parent: str
    number: int


def read_rows(
    reader: CellReader, node: Node, *, convention: Convention, base_link: str, defaults: DefaultLimits
) -> tuple[TableJoint, ...]:
    """The rows of a table, in SI; what is wrong in them is reported to the reader."""
    heads = _heads(reader, node, convention, base_link)
    rows = _RowReader(reader, convention, defaults, frozenset(head.name for head in heads))
    joints = {head.name: rows.read(head) for head in heads}
    followers = [head for head in heads if "mimic" in head.fields.items and joints[head.name].type != "fixed"]
    for head in followers:
        joint = joints[head.name]
        mimic = read_mimic(reader, head.fields, head.path, joint, joints)
        joints[head.name] = replace(joint, mimic=mimic, cells={**joint.cells, **reader.take_cells(head.path)})
    for first, circle in mimic_loops(joints):
        head = next(head for head in followers if head.name == first)
        message = f"joints follow one another in a circle: {', '.join([*circle, first])}"
        reader.problem(head.fields.items["mimic"].index, (*head.path, "mimic"), message)
    return tuple(joints.values())


def _heads(reader: CellReader, node: Node, convention: Convention, base_link: str) -> list[_Head]:
    """Names and parents of all rows; a row that is no mapping is reported and left out."""
    heads: list[_Head] = []
    links: dict[str, str] = {base_link: "base"}
    names: dict[str, str] = {}
    parents: set[str] = set()
    link = base_link
    for index, entry in enumerate(reader.items(node, JOINTS, "rows")):
        path = (*JOINTS, index)
        fields = reader.fields(entry, path, ROW_FIELDS, extras=True)
        if fields is not entry:
            continue
        name = _new_name(reader, fields, path, "name", f"joint{index + 1}", names)
        parent = _parent(reader, fields, path, link, links)
        link = _new_name(reader, fields, path, "link", f"link{index + 1}", links)
        if convention == "standard" and parent in parents:
            place = fields.items.get("parent", fields).index
            message = f"link {parent!r} carries a row already; standard rows form a chain, a tree needs modified rows"
            reader.problem(place, (*path, "parent"), message)
        parents.add(parent)
        heads.append(_Head(path, fields, name, link, parent, index + 1))
    if isinstance(node, Items) and not node.items:
        reader.problem(node.index, JOINTS, "is empty; a table has at least one row")
    return heads


def _new_name(reader: CellReader, fields: Fields, path: Path, key: str, default: str, taken: dict[str, str]) -> str:
    """Name of a joint or link, which no other may have."""
    node = fields.items.get(key)
    name = default if node is None else reader.name(node, (*path, key)) or default
    if name in taken:
        what = "joint" if key == "name" else "link"
        origin = "" if node is not None else f" ({key} is not given, and {default} is the default)"
        place = fields if node is None else node
        first = taken[name]
        reader.problem(place.index, (*path, key), f"{what} name {name!r} is taken by {first}{origin}")
    else:
        taken[name] = f"{path[0]}[{path[1]}]"
    return name


def _parent(reader: CellReader, fields: Fields, path: Path, previous: str, links: Mapping[str, str]) -> str:
    """Link that a row hangs on: the base or an earlier row's."""
    node = fields.items.get("parent")
    if node is None:
        return previous
    parent = reader.name(node, (*path, "parent"))
    if parent and parent not in links:
        message = f"{parent!r} is neither the base nor the link of an earlier row; {nearest(parent, links)}"
        reader.problem(node.index, (*path, "parent"), message)
    return parent or previous


def read_row(reader: CellReader, fields: Fields, path: Path, convention: Convention, theta: float, d: float) -> Row:
    """A row of the convention around its theta and d: the other parameters in m and rad."""
    items = fields.items
    if "a" in items and "r" in items:
        reader.problem(fields.keys["r"], (*path, "r"), "is another name of a; give one of them")
    length = "r" if "a" not in items and "r" in items else "a"
    a = reader.cell(items[length], path, length, "length") if length in items else UNREADABLE
    alpha = reader.cell(items["alpha"], path, "alpha", "angle") if "alpha" in items else UNREADABLE
    beta = reader.optional(fields, "beta", path, "angle") or 0.0
    if convention == "modified":
        gamma = reader.optional(fields, "gamma", path, "angle") or 0.0
        b = reader.optional(fields, "b", path, "length") or 0.0
        return ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=theta, beta_prev=beta, gamma=gamma, b=b)
    for key in _BRANCH:
        if key in items:
            reader.problem(fields.keys[key], (*path, key), "is a field of modified rows; a standard row has none")
    return StandardRow(theta=theta, d=d, a=a, alpha=alpha, beta=beta)


def report_missing_parameters(reader: CellReader, fields: Fields, path: Path) -> None:
    """Report which of the four parameters a row lacks."""
    items = fields.items
    missing = [key for key in ("a", "alpha", "d", "theta") if key not in items and not (key == "a" and "r" in items)]
    if missing:
        message = f"{are_missing(missing)}; a row has a, alpha, d and theta (0 where there is none)"
        reader.problem(fields.index, path, message)


@dataclass(frozen=True, slots=True)
class _RowReader:
    """Reads rows once the ``names`` of all joints are known, which are variables of which a row may use its own."""

    reader: CellReader
    convention: Convention
    defaults: DefaultLimits
    names: frozenset[str]

    def read(self, head: _Head) -> TableJoint:
        reader, fields, path = self.reader, head.fields, head.path
        report_missing_parameters(reader, fields, path)
        theta, turn, turned = self._offset(head, "theta", "angle")
        d, shift, shifted = self._offset(head, "d", "length")
        row = read_row(reader, fields, path, self.convention, theta, d)
        row_type = self._type(head, turn, shift)
        limits = Limits()
        if row_type == "fixed":
            for key in _MOTION:
                if key in fields.items:
                    reader.problem(fields.keys[key], (*path, key), "has no meaning in a fixed row, which has no q")
        else:
            row_type, limits = read_limits(reader, fields, path, row_type, self.defaults)
        moving = row_type != "fixed"
        return TableJoint(
            name=head.name,
            link=head.link,
            parent=head.parent,
            type=row_type,
            row=row,
            direction=self._direction(head, turn or shift),
            limits=limits,
            reference_rpy=reader.vector(fields, "reference_rpy", path, "angle"),
            dynamics=read_dynamics(reader, fields, path) if moving else None,
            safety=read_safety(reader, fields, path, row_type) if moving else None,
            calibration=read_calibration(reader, fields, path, row_type) if moving else None,
            cells=reader.take_cells(path),
            variable=turned or shifted,
            extras={key: plain_data(node) for key, node in fields.items.items() if key.startswith("x-")},
        )

    def _offset(self, head: _Head, key: str, kind: Kind) -> tuple[float, int, str]:
        """Theta or d at q = 0, the sign of the joint variable in it (0: not there), and the variable's name."""
        reader = self.reader
        node = head.fields.items.get(key)
        if node is None:
            return UNREADABLE, 0, ""
        number = reader.number(node, kind)
        if number is not None:
            return number, 0, ""
        way = (*head.path, key)
        expression = reader.expression(node, way)
        if expression is None:
            return UNREADABLE, 0, ""
        own = self._own_variables(head)
        foreign = sorted(name for name in expression.names - own - reader.parameters.keys() if self._is_variable(name))
        used = sorted(expression.names & own)
        if foreign:
            names = " or ".join(name for name in ("q", f"q{head.number}", head.name) if name in own)
            reader.problem(node.index, way, f"{foreign[0]!r} is not this row's variable, which is {names}")
            return UNREADABLE, 0, ""
        if len(used) > 1:
            reader.problem(node.index, way, f"{listed(used)} are one and the same variable; write one of them")
        quantity = reader.quantity(node, way, expression, own)
        value = reader.si(node, way, expression, quantity, kind)
        if quantity is None or not used:
            return value, 0, ""
        if quantity.coefficient not in (1.0, -1.0):
            message = f"the joint variable has the factor {quantity.coefficient:g}; allowed are 1 and -1"
            reader.problem(node.index, way, message)
        return value, -1 if quantity.coefficient < 0.0 else 1, used[0]

    def _own_variables(self, head: _Head) -> frozenset[str]:
        """Names of a row's variable: q, q<number of the row>, the joint's name; none that names another joint."""
        own = {"q", f"q{head.number}"} - self.names
        return frozenset(own | {head.name} - RESERVED if head.name.isidentifier() else own)

    def _is_variable(self, name: str) -> bool:
        return name in self.names or VARIABLE.fullmatch(name) is not None

    def _type(self, head: _Head, turn: int, shift: int) -> RowType:
        """The row's type, which the place of the joint variable says too."""
        node = head.fields.items.get("type")
        way = (*head.path, "type")
        implied: RowType = "prismatic" if shift and not turn else "revolute"
        if turn and shift:
            self.reader.problem(
                head.fields.index, head.path, "the joint variable stands in theta and in d; a row has one"
            )
        if node is None:
            return implied
        given = self.reader.choice(node, way, ROW_TYPES)
        row_type = next((known for known in ROW_TYPES if known == given), implied)
        fits = row_type in ("revolute", "continuous") if turn else row_type == "prismatic"
        if (turn or shift) and not fits and not (turn and shift):
            place = "theta" if turn else "d"
            self.reader.problem(node.index, way, f"is {row_type}, but {place} has the joint variable: {implied}")
        return row_type

    def _direction(self, head: _Head, sign: int) -> int:
        node = head.fields.items.get("direction")
        if node is None:
            return sign or 1
        value = self.reader.cell(node, head.path, "direction", "number")
        if value not in (1.0, -1.0):
            if not isnan(value):  # UNREADABLE is reported already
                self.reader.problem(node.index, (*head.path, "direction"), "is neither 1 nor -1")
            return sign or 1
        if sign and value != sign:
            message = f"is {value:g}, but the joint variable has the sign of {sign}"
            self.reader.problem(node.index, (*head.path, "direction"), message)
        return int(value)
