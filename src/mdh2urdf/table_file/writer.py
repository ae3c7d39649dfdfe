"""The table file that a table reads back from: one line a row, in the units that the table is to be written in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import inf, isnan

from mdh2urdf.bounds import LARGEST
from mdh2urdf.cell_text import CellText, columns, data, expression, mapping, name, sequence
from mdh2urdf.cells import is_name
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import Kind, Units
from mdh2urdf.robot import Box, Cylinder, Geometry, Inertia, Limits, Material, Mesh, Shape
from mdh2urdf.se3 import IDENTITY, ORIGIN
from mdh2urdf.table import Base, ExpectedPose, Row, Table, TableJoint, TableLink, Tool, kind_of
from mdh2urdf.table_numbers import LENGTH_FIELDS, row_numbers
from mdh2urdf.text import number

_AFTER_SOURCE = ("license", "notes")


def write_table(table: Table, *, comments: Iterable[str] = ()) -> str:
    """The YAML text of a table.

    Parameters
    ----------
    table : Table
        ``table.units`` are the file's units.
    comments : iterable of str
        Lines for the head of the file: where the table comes from, what it misses.

    Raises
    ------
    Mdh2UrdfError
        If a table cannot hold one of the names: robot descriptions allow more than one line, and blanks at the ends;
        or one of the numbers; or if a joint or link has a name that is needed for the base or the tool.
    """
    problems = [*_name_problems(table), *_number_problems(table)]
    if problems:
        raise Mdh2UrdfError(Finding(message=message) for message in problems)
    text = CellText(units=table.units)
    lines = [f"# {line}".rstrip() for comment in comments for line in _printable(comment).splitlines()]
    lines.append(f"name: {name(table.name)}")
    lines.append(f"convention: {table.convention}")
    if table.units != Units():
        lines.append(f"units: {mapping({'angle': table.units.angle, 'length': table.units.length})}")
    if table.source:
        lines.append(f"source: {data(table.source)}")
    lines.extend(f"{key}: {data(table.extras[key])}" for key in _AFTER_SOURCE if key in table.extras)
    if table.parameters:
        lines.append(f"parameters: {mapping({one.name: expression(one.expression) for one in table.parameters})}")
    lines.extend(_base(table.base, table.units))
    lines.append("joints:")
    lines.extend(f"  - {row}" for row in columns(_joints(table)))
    if table.tool is not None:
        lines.append(f"tool: {mapping(_tool(table.tool, table.units))}")
    if table.links:
        lines.append("links:")
        for link, body in table.links.items():
            lines.append(f"  {name(link)}:")
            lines.extend(f"    {line}" for line in _link(body, text))
    if table.expect:
        kinds = [kind_of(joint.type) for joint in table.moving_joints]
        lines.append("expect:")
        lines.extend(f"  - {mapping(_expected(pose, kinds, text))}" for pose in table.expect)
    lines.extend(f"{name(key)}: {data(value)}" for key, value in table.extras.items() if key not in _AFTER_SOURCE)
    return "\n".join(lines) + "\n"


def _name_problems(table: Table) -> Iterator[str]:
    """Names that no table can hold, and those that its base or tool would need too."""
    names = [("robot", table.name), ("link", table.base.link)]
    names += [pair for joint in table.joints for pair in (("joint", joint.name), ("link", joint.link))]
    names += [("link", table.tool.link)] if table.tool is not None else []
    for kind, text in names:
        if not is_name(text):
            yield f"{kind} {text!r}: a name in a table is one line without blanks at its ends; rename it"
    taken = set(names)
    ends = [("base", f"{table.base.link}_frame0")] if table.base.pose != IDENTITY else []
    ends += [("tool", table.tool.link)] if table.tool is not None else []
    for end, link in ends:
        used = [("joint", f"{link}_joint")] + ([("link", link)] if end == "base" else [])
        for kind, text in used:
            if (kind, text) in taken:
                yield f"{kind} {text!r}: a table has this name for its {end}; rename it"


def _number_problems(table: Table) -> Iterator[str]:
    """Numbers that no table can hold."""
    places: list[tuple[str, object]] = [("base", table.base.pose)]
    by_name = {joint.name: joint for joint in table.joints}
    places += [(f"joint {joint.name!r}", (joint, _multiplier(joint, by_name, table.units))) for joint in table.joints]
    places += [("tool", (table.tool.row, table.tool.pose))] if table.tool is not None else []
    places += [(f"link {link!r}", body) for link, body in table.links.items()]
    for place, part in places:
        worst = max(_numbers(part), key=lambda value: inf if isnan(value) else abs(value))
        if not abs(worst) <= LARGEST:
            yield f"{place}: has the number {number(worst)}; the largest number of a table is {LARGEST:.0e}"


def _multiplier(joint: TableJoint, joints: Mapping[str, TableJoint], units: Units) -> float:
    """Multiplier of a joint's mimic between values in the file's units; 0 if it follows none."""
    if joint.mimic is None:
        return 0.0
    return joint.mimic.multiplier / _mimic_ratio(joint, joints, units)


def _mimic_ratio(joint: TableJoint, joints: Mapping[str, TableJoint], units: Units) -> float:
    """What a multiplier of 1 in the file's units is in rad and m."""
    leader = joints[joint.mimic.joint] if joint.mimic is not None else joint
    return units.to_si(kind_of(joint.type), 1.0) / units.to_si(kind_of(leader.type), 1.0)


def _numbers(part: object) -> Iterator[float]:
    """All numbers in plain data, 0 at least."""
    yield 0.0
    if isinstance(part, float):
        yield part
    elif isinstance(part, tuple):
        for entry in part:
            yield from _numbers(entry)
    elif is_dataclass(part):
        for field in fields(part):
            yield from _numbers(getattr(part, field.name))


def _printable(comment: str) -> str:
    return "".join(char for char in comment if char == "\n" or char.isprintable())


def _base(base: Base, units: Units) -> list[str]:
    if base == Base():
        return []
    text = CellText(units=units, cells=base.cells)
    return [f"base: {mapping({'link': name(base.link), **text.pose(base.pose)})}"]


def _joints(table: Table) -> Iterator[Mapping[str, str]]:
    """The fields of every row as text; first those that stand in columns."""
    chain = [table.base.link, *(joint.link for joint in table.joints)]
    branched = any(joint.parent != above for joint, above in zip(table.joints, chain, strict=False))
    by_name = {joint.name: joint for joint in table.joints}
    for joint in table.joints:
        text = CellText(units=table.units, cells=joint.cells)
        fields = {"name": name(joint.name), "link": name(joint.link)}
        if branched:
            fields["parent"] = name(joint.parent)
        fields.update(_row(joint.row, text))
        said = joint.variable != "" and any(joint.variable in cell.expression.names for cell in joint.cells.values())
        if joint.type != "revolute" and not (said and joint.type == "prismatic"):
            fields["type"] = joint.type
        if joint.direction != 1 and joint.type != "fixed" and not said:
            fields["direction"] = str(joint.direction)
        fields.update(_motion(joint, by_name, text))
        fields.update((name(key), data(value)) for key, value in joint.extras.items())
        yield fields


def _row(row: Row, text: CellText) -> dict[str, str]:
    """The parameters of a row: the four, and what is not 0 of the others."""
    values = {field: value for (_, field), value in row_numbers("", row).items()}
    found = {}
    for key in ("a", "alpha", "d", "theta", "beta", "gamma", "b"):
        if key in ("a", "alpha", "d", "theta") or values.get(key, 0.0) != 0.0 or key in text.cells:
            found[key] = text.cell(key, "length" if key in LENGTH_FIELDS else "angle", values[key])
    return found


def _motion(joint: TableJoint, joints: Mapping[str, TableJoint], text: CellText) -> Iterable[tuple[str, str]]:
    """Limits and the other fields that only a row that moves has."""
    kind = kind_of(joint.type)
    if joint.limits != Limits():
        limits = joint.limits
        values = {"lower": limits.lower, "upper": limits.upper, "velocity": limits.velocity, "effort": limits.effort}
        yield "limits", _optional(text, "limits", values, kind, plain=("effort",))
    if joint.reference_rpy != ORIGIN or any(path.startswith("reference_rpy") for path in text.cells):
        yield "reference_rpy", text.numbers("angle", joint.reference_rpy, "reference_rpy")
    if joint.dynamics is not None:
        values = {"damping": joint.dynamics.damping, "friction": joint.dynamics.friction}
        yield "dynamics", _optional(text, "dynamics", values, "number")
    if joint.safety is not None:
        safety = joint.safety
        values = {
            "soft_lower": safety.soft_lower,
            "soft_upper": safety.soft_upper,
            "k_position": safety.k_position,
            "k_velocity": safety.k_velocity,
        }
        yield "safety", _optional(text, "safety", values, kind, plain=("k_position", "k_velocity"))
    if joint.mimic is not None:
        ratio = _mimic_ratio(joint, joints, text.units)
        fields = {"joint": name(joint.mimic.joint)}
        if joint.mimic.multiplier != ratio or "mimic.multiplier" in text.cells:
            fields["multiplier"] = text.cell("mimic.multiplier", "number", joint.mimic.multiplier / ratio)
        if joint.mimic.offset != 0.0 or "mimic.offset" in text.cells:
            fields["offset"] = text.cell("mimic.offset", kind, joint.mimic.offset)
        yield "mimic", mapping(fields)
    if joint.calibration is not None:
        values = {"rising": joint.calibration.rising, "falling": joint.calibration.falling}
        yield "calibration", _optional(text, "calibration", values, kind)


def _optional(
    text: CellText, path: str, values: Mapping[str, float | None], kind: Kind, plain: tuple[str, ...] = ()
) -> str:
    """The fields that have a value; those in ``plain`` have no unit of the file."""
    return mapping(
        {
            key: text.cell(f"{path}.{key}", "number" if key in plain else kind, value)
            for key, value in values.items()
            if value is not None
        }
    )


def _tool(tool: Tool, units: Units) -> dict[str, str]:
    text = CellText(units=units, cells=tool.cells)
    fields = {"link": name(tool.link)}
    if tool.row is not None:
        fields.update(_row(tool.row, text))
    elif tool.pose is not None:
        fields.update(text.pose(tool.pose))
    return fields


def _link(link: TableLink, text: CellText) -> Iterable[str]:
    if link.mass is not None and link.inertia is not None:  # a table has both or neither
        yield f"mass: {text.number('number', link.mass)}"
        if link.center_of_mass != ORIGIN:
            yield f"center_of_mass: {text.numbers('length', link.center_of_mass)}"
        yield f"inertia: {_inertia(link.inertia, text)}"
        if link.inertia_rpy != ORIGIN:
            yield f"inertia_rpy: {text.numbers('angle', link.inertia_rpy)}"
    if link.frame != "joint":
        yield f"frame: {link.frame}"
    for key, shapes in (("visual", link.visuals), ("collision", link.collisions)):
        if shapes:
            yield f"{key}:"
            yield from (f"  - {mapping(_shape(shape, text))}" for shape in shapes)
    yield from (f"{name(key)}: {data(value)}" for key, value in link.extras.items())


def _inertia(inertia: Inertia, text: CellText) -> str:
    components = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    return mapping({key: text.number("number", getattr(inertia, key)) for key in components})


def _shape(shape: Shape, text: CellText) -> dict[str, str]:
    fields = {"geometry": _geometry(shape.geometry, text), **text.pose(shape.origin)}
    if shape.material not in (None, Material()):
        fields["material"] = _material(shape.material, text)
    if shape.name:
        fields["name"] = name(shape.name)
    return fields


def _geometry(geometry: Geometry, text: CellText) -> str:
    if isinstance(geometry, Mesh):
        fields = {"filename": name(geometry.filename)}
        if geometry.scale != (1.0, 1.0, 1.0):
            fields["scale"] = text.numbers("number", geometry.scale)
        return mapping({"mesh": mapping(fields)})
    if isinstance(geometry, Box):
        return mapping({"box": text.numbers("length", geometry.size)})
    radius = {"radius": text.number("length", geometry.radius)}
    if isinstance(geometry, Cylinder):
        return mapping({"cylinder": mapping({**radius, "length": text.number("length", geometry.length)})})
    return mapping({"sphere": mapping(radius)})


def _material(material: Material, text: CellText) -> str:
    if material.rgba is None and not material.texture:
        return name(material.name)
    fields = {"name": name(material.name)} if material.name else {}
    if material.rgba is not None:
        fields["rgba"] = text.numbers("number", material.rgba)
    if material.texture:
        fields["texture"] = name(material.texture)
    return mapping(fields)


def _expected(pose: ExpectedPose, kinds: Iterable[Kind], text: CellText) -> dict[str, str]:
    """A published pose; its rpy and q are numbers as the table has them."""
    fields = {"q": sequence(text.number(kind, value) for kind, value in zip(kinds, pose.q, strict=True))}
    if pose.xyz is not None:
        fields["xyz"] = text.numbers("length", pose.xyz)
    if pose.rpy is not None:
        fields["rpy"] = text.numbers("angle", pose.rpy)
    if pose.link is not None:
        fields["link"] = name(pose.link)
    tolerance = {
        key: text.number(kind, value)
        for key, kind, value in _tolerances(pose)
        if value != 1e-6  # what a pose without tolerance has
    }
    return {**fields, "tolerance": mapping(tolerance)} if tolerance else fields


def _tolerances(pose: ExpectedPose) -> tuple[tuple[str, Kind, float], ...]:
    return (("length", "length", pose.length_tolerance), ("angle", "angle", pose.angle_tolerance))
