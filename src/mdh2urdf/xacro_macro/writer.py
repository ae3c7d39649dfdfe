"""A robot as a xacro macro that keeps the table's rows and parameters.

The elements are those of the URDF writer. What a row of the table says is then put in its place: the
origin as a call of the row's macro, limits and the like as expressions of the parameters.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lxml import etree

from mdh2urdf.names import unused
from mdh2urdf.robot import Joint, Robot
from mdh2urdf.ros2_control import ros2_control_element
from mdh2urdf.share import MACRO, macro_text
from mdh2urdf.table import Table, TableJoint
from mdh2urdf.text import comment
from mdh2urdf.urdf.writer import document, robot_element
from mdh2urdf.xacro_macro.rows import ORIGIN, RowOrigins
from mdh2urdf.xacro_macro.text import CellWriter, literal, macro_name

XACRO = "http://www.ros.org/wiki/xacro"
PREFIX = "${prefix}"
SHARE = "mdh2urdf_share"
"""The xacro argument that says where the macro file is; ROS finds it by itself."""

_INLINE = "the macros"

_CELLS: Mapping[str, tuple[str, str]] = {
    "limits.lower": ("limit", "lower"),
    "limits.upper": ("limit", "upper"),
    "limits.effort": ("limit", "effort"),
    "limits.velocity": ("limit", "velocity"),
    "dynamics.damping": ("dynamics", "damping"),
    "dynamics.friction": ("dynamics", "friction"),
    "calibration.rising": ("calibration", "rising"),
    "calibration.falling": ("calibration", "falling"),
    "mimic.multiplier": ("mimic", "multiplier"),
    "mimic.offset": ("mimic", "offset"),
    "safety.soft_lower": ("safety_controller", "soft_lower_limit"),
    "safety.soft_upper": ("safety_controller", "soft_upper_limit"),
    "safety.k_position": ("safety_controller", "k_position"),
    "safety.k_velocity": ("safety_controller", "k_velocity"),
}
"""Where a row's cells that say how its joint moves are written: element and attribute."""


def write_xacro(
    table: Table | None,
    robot: Robot,
    *,
    moved: frozenset[str] = frozenset(),
    header: Sequence[str] = (),
    macro_path: str | None = None,
    inline_macro: bool = False,
    ros2_control: bool = False,
) -> str:
    """The text of a xacro file with one macro, named after the robot; the file by itself makes nothing.

    The macro takes ``prefix`` (put before all names), ``parent`` (a link that a fixed joint attaches the
    root to; empty for none) and a block, the origin of that joint.

    Parameters
    ----------
    table : Table, optional
        Whose rows and parameters are kept; without it every origin is numbers.
    robot : Robot
        The table's robot: names, bodies and the order of all elements are taken from it.
    moved : frozenset of str
        Joints whose frame is not the row's. Their origins, and those of the joints behind them, are numbers.
    header : sequence of str
        Lines of the comment at the top.
    macro_path : str, optional
        Include the macro file by this path, which may hold xacro's own substitutions.
    inline_macro : bool
        Copy the content of the macro file instead of including it.
    ros2_control : bool
        Write a ``<ros2_control>`` block.

    Raises
    ------
    Mdh2UrdfError
        If the robot cannot be written as a URDF (see `urdf.robot_element`), or the macro file is missing.
    """
    name = macro_name(robot.name)
    macro = etree.Element(_xacro("macro"), name=name, params="prefix:='' parent *origin", nsmap={"xacro": XACRO})
    macro.extend([*_properties(table), _joint_to_parent(robot), *_elements(table, robot, moved)])
    if ros2_control:
        macro.append(_ros2_control(robot))
    root = etree.Element("robot", nsmap={"xacro": XACRO})
    root.extend([etree.Comment(_INLINE)] if inline_macro else _include(macro_path))
    root.append(macro)
    usage = _usage(name, robot.root, needs_share=macro_path is None and not inline_macro)
    text = document(root, [*header, "", *usage] if header else usage)
    return text.replace(f"  <!--{_INLINE}-->\n", _macros()) if inline_macro else text


def _xacro(tag: str) -> str:
    return f"{{{XACRO}}}{tag}"


def _xacro_element(tag: str, **attributes: str) -> etree._Element:
    return etree.Element(_xacro(tag), attributes, nsmap={"xacro": XACRO})


def _include(path: str | None) -> list[etree._Element]:
    if path is not None:
        return [_xacro_element("include", filename=path)]
    return [
        _xacro_element("arg", name=SHARE, default="$(find mdh2urdf)"),
        _xacro_element("include", filename=f"$(arg {SHARE})/{MACRO.as_posix()}"),
    ]


def _macros() -> str:
    """What the macro file defines, with its comments, and where it is from."""
    text = macro_text()
    start = text.index(">", text.index("<robot")) + 1
    source = f"<!-- From mdh2urdf's {MACRO.name}. SPDX-License-Identifier: Apache-2.0 -->"
    return f"  {source}\n\n{text[start : text.rindex('</robot>')].strip()}\n\n"


def _usage(name: str, root: str, *, needs_share: bool) -> list[str]:
    lines = [
        "This file makes nothing by itself. In a description that has a link world:",
        '  <xacro:include filename="this file"/>',
        f'  <xacro:{name} parent="world"><origin xyz="0 0 0" rpy="0 0 0"/></xacro:{name}>',
        f'With parent="" the link {root} is attached to nothing, and the origin is not used.',
        "prefix is put before the names of all links, joints and materials.",
    ]
    if needs_share:
        lines.append(f"Without ROS, give xacro {SHARE}:=DIR, the folder that `mdh2urdf share` prints.")
    return lines


def _properties(table: Table | None) -> list[etree._Element]:
    """The parameters as properties of the macro, in the units of the table."""
    if table is None or not table.parameters:
        return []
    writer = CellWriter.of(table.parameters, table.units)
    units = f"angles in {table.units.angle}, lengths in {table.units.length}"
    note = f" The table's parameters, {units}. Origins and limits follow them, mass data and geometry do not. "
    properties = [
        _xacro_element("property", name=writer.names[parameter.name], value=writer.parameter(parameter))
        for parameter in table.parameters
    ]
    return [etree.Comment(note), *properties]


def _joint_to_parent(robot: Robot) -> etree._Element:
    """The fixed joint with the macro's origin block, for the case that there is a parent."""
    name = unused(f"{robot.root}_joint", {joint.name for joint in robot.joints})
    unless = _xacro_element("unless", value="${parent == ''}")
    joint = etree.SubElement(unless, "joint", name=PREFIX + literal(name), type="fixed")
    joint.append(_xacro_element("insert_block", name="origin"))
    etree.SubElement(joint, "parent", link="${parent}")
    etree.SubElement(joint, "child", link=PREFIX + literal(robot.root))
    return unless


def _ros2_control(robot: Robot) -> etree._Element:
    system = ros2_control_element(robot)
    _make_literal(system)
    for element in (system, *system.iterfind("joint")):
        element.set("name", PREFIX + element.get("name", ""))
    return system


def _elements(table: Table | None, robot: Robot, moved: frozenset[str]) -> list[etree._Element]:
    """Materials, links and joints of the robot, with the prefix and with what the rows say."""
    root = robot_element(robot)
    _make_literal(root)
    _prefix_names(root)
    if table is not None:
        origins = RowOrigins.of_table(table, robot, moved)
        rows = {row.name: row for row in table.joints}
        for element, joint in zip(root.iterfind("joint"), robot.joints, strict=True):
            row = rows.get(joint.name)
            _put_origin(element, joint, row, origins)
            if row is not None:
                _put_cells(element, row, origins.writer)
    return list(root)


def _make_literal(root: etree._Element) -> None:
    """Keep names and texts from being read as xacro's expressions, commands or switches."""
    for element in root.iter():
        if isinstance(element, etree._Comment):
            element.text = (element.text or "").replace("xacro:", "xacro: ")
            continue
        element.text = literal(element.text) if element.text else None
        for key in map(str, element.attrib):
            element.set(key, literal(element.get(key, "")))


def _prefix_names(root: etree._Element) -> None:
    named = ("link", "joint", "material", "link/visual/material", "link/collision/material")
    places = [(path, "name") for path in named]
    places += [("joint/parent", "link"), ("joint/child", "link"), ("joint/mimic", "joint")]
    for path, key in places:
        for element in root.iterfind(path):
            name = element.get(key)
            if name:
                element.set(key, PREFIX + name)


def _put_origin(element: etree._Element, joint: Joint, row: TableJoint | None, origins: RowOrigins) -> None:
    """Write the origin of a joint as its row, or say beside the numbers why not."""
    numbers = element.findall("origin")[0]
    found = origins.of(joint, row)
    if found.call == ORIGIN:
        for name, text in found.attributes.items():
            numbers.set(name, text)
    elif found.call:
        element.replace(numbers, _xacro_element(found.call, **found.attributes))
    elif found.note:
        numbers.addprevious(etree.Comment(f" {comment(found.note)} "))


def _put_cells(element: etree._Element, row: TableJoint, writer: CellWriter) -> None:
    """Write limits, dynamics and so on of a joint as the cells of its row, where URDF has a place for them."""
    for name, (tag, key) in _CELLS.items():
        cell, place = row.cells.get(name), element.find(tag)
        if cell is not None and place is not None and key in place.attrib:
            place.set(key, writer.cell(cell))
