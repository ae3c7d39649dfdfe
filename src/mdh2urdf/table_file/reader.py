"""The table file: one YAML mapping, or a text table, read into a `Table` with every problem at its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import PurePath
from typing import Literal

from mdh2urdf.cells import TAGS, UNREADABLE, CellReader, counted, nearest
from mdh2urdf.errors import Finding
from mdh2urdf.se3 import IDENTITY, Transform, Vector3
from mdh2urdf.table import Base, Convention, ExpectedPose, StandardRow, Table, TableJoint, TableLink, Tool, kind_of
from mdh2urdf.table_file.findings import table_findings
from mdh2urdf.table_file.header import read_convention, read_parameters, read_units
from mdh2urdf.table_file.joint_fields import DefaultLimits
from mdh2urdf.table_file.link_fields import read_links
from mdh2urdf.table_file.rows import JOINTS, PARAMETER_FIELDS, read_row, read_rows, report_missing_parameters
from mdh2urdf.yaml_nodes import Fields, Items, Node, Path, SourceText, compose, find, plain_data

_KEPT = ("license", "notes")
_ABOVE = ("name", "convention", "units", "source", *_KEPT, "parameters", "base")
_TOP_FIELDS = dict.fromkeys((*_ABOVE, "joints", "tool", "links", "defaults", "expect"))
_POSE = ("xyz", "rpy")
_TOOL_FIELDS = dict.fromkeys(("link", *_POSE, *PARAMETER_FIELDS))
_EXPECT_FIELDS = dict.fromkeys(("q", *_POSE, "link", "tolerance"))

DEFAULT_TOLERANCE = 1e-6
"""m and rad by which a published pose may be missed if it does not say."""

BASE: Path = ("base",)
TOOL: Path = ("tool",)


def read_table(
    text: str,
    *,
    file: str = "",
    form: Literal["yaml", "text"] = "yaml",
    convention: str | None = None,
    angle: str | None = None,
    length: str | None = None,
    name: str | None = None,
    parameters: Mapping[str, str] | None = None,
    has_options: bool = True,
) -> tuple[Table, list[Finding]]:
    """The table that a file holds, in SI, and what looks odd in it.

    Parameters
    ----------
    text : str
    file : str
        Its name, for messages.
    form : {'yaml', 'text'}
        A table file, or a text table (CSV, TSV, Markdown, blank-separated).
    convention, angle, length : str, optional
        For a file that does not say; an error if it says something else.
    name : str, optional
        Of the robot, instead of the file's.
    parameters : mapping of str to str, optional
        Expressions that take the place of the file's.
    has_options : bool
        Whether whoever reads a message can give the convention as an option.

    Raises
    ------
    Mdh2UrdfError
        With everything that is wrong in the file, each with its line and column.
    """
    reader = CellReader(source=SourceText(file, text), columns=form == "text")
    root = _text_table(reader) if form == "text" else compose(reader.source, reader.problems, TAGS)
    top = reader.fields(root, (), _TOP_FIELDS, extras=True)
    if top is not root:
        reader.stop_at_problems()
    said = read_convention(reader, top, convention, has_option=has_options)
    reader = replace(reader, units=read_units(reader, top, angle, length))
    reader, constants = read_parameters(reader, top, parameters or {})
    base = _base(reader, top)
    joints = _joints(reader, top, said, base.link)
    tool = _tool(reader, top, said, joints)
    names = _links_of(reader, top, base, joints, tool)
    table = Table(
        name=_title(reader, top, file) if name is None else name,
        joints=joints,
        units=reader.units,
        base=base,
        tool=tool,
        links=_links(reader, top, base, names),
        parameters=constants,
        expect=_expect(reader, top, joints, names),
        source=reader.text(top.items["source"], ("source",)) if "source" in top.items else "",
        extras={key: plain_data(node) for key, node in top.items.items() if key in _KEPT or key.startswith("x-")},
    )
    reader.stop_at_problems()
    findings = table_findings(table, file=file, place=lambda path: reader.source.place(find(root, path).index))
    return table, [*reader.lacking, *_pi_in_degrees(reader.pi_in_degrees), *findings]


def _pi_in_degrees(cells: list[Finding]) -> list[Finding]:
    """The first cell that takes pi for degrees, told for all of them."""
    if not cells:
        return []
    more = f" (and {counted(len(cells) - 1, 'cell', 'cells')} more)" if len(cells) > 1 else ""
    return [replace(cells[0], message=f"{cells[0].message}{more}; write rad(pi/2) or 90 where pi/2 rad is meant")]


def _text_table(reader: CellReader) -> Node:
    from mdh2urdf.table_file.text_table import text_table  # its patterns would slow the start of every other reading

    return text_table(reader)


def _title(reader: CellReader, top: Fields, file: str) -> str:
    """The robot's name; of a file that gives none, the file's own."""
    if "name" in top.items:
        return reader.name(top.items["name"], ("name",))
    stem = PurePath(file).stem.strip("- ")
    return stem if stem and stem.isprintable() else "robot"


def _pose(reader: CellReader, fields: Fields, path: Path) -> Transform:
    if not (fields.items.keys() & set(_POSE)):
        return IDENTITY
    return Transform.from_xyz_rpy(
        reader.vector(fields, "xyz", path, "length"), reader.vector(fields, "rpy", path, "angle")
    )


def _base(reader: CellReader, top: Fields) -> Base:
    node = top.items.get("base")
    if node is None:
        return Base()
    fields = reader.fields(node, BASE, ("link", *_POSE))
    link = reader.name(fields.items["link"], (*BASE, "link")) if "link" in fields.items else ""
    return Base(link=link or "base_link", pose=_pose(reader, fields, BASE), cells=reader.take_cells(BASE))


def _joints(reader: CellReader, top: Fields, convention: Convention, base_link: str) -> tuple[TableJoint, ...]:
    defaults = DefaultLimits.read(reader, top)
    if "joints" not in top.items:
        reader.problem(top.index, JOINTS, "is missing; a table has a list of rows {name, a, alpha, d, theta}")
        return ()
    joints = read_rows(reader, top.items["joints"], convention=convention, base_link=base_link, defaults=defaults)
    for joint in joints:
        if joint.name in reader.parameters:
            node = find(top, ("parameters", joint.name))
            message = "has the name of a joint, which is that joint's variable in a cell"
            reader.problem(node.index, ("parameters", joint.name), message)
    return joints


def _tool(reader: CellReader, top: Fields, convention: Convention, joints: tuple[TableJoint, ...]) -> Tool | None:
    """The tool link at the end of a chain: a fixed row or a pose."""
    node = top.items.get("tool")
    if node is None:
        return None
    fields = reader.fields(node, TOOL, _TOOL_FIELDS)
    items = fields.items
    parents = {joint.parent for joint in joints}
    leaves = [joint.link for joint in joints if joint.link not in parents]
    if len(leaves) > 1:
        message = f"the table has the ends {', '.join(leaves)}; give each its own row of type fixed"
        reader.problem(node.index, TOOL, message)
    link = reader.name(items["link"], (*TOOL, "link")) if "link" in items else ""
    row = pose = None
    if items.keys() & PARAMETER_FIELDS.keys():
        if items.keys() & set(_POSE):
            reader.problem(node.index, TOOL, "is a row (a, alpha, d, theta) or a pose (xyz, rpy), not both")
        report_missing_parameters(reader, fields, TOOL)
        theta = reader.cell(items["theta"], TOOL, "theta", "angle") if "theta" in items else UNREADABLE
        d = reader.cell(items["d"], TOOL, "d", "length") if "d" in items else UNREADABLE
        row = read_row(reader, fields, TOOL, convention, theta, d)
    else:
        pose = _pose(reader, fields, TOOL)
    return Tool(link=link or "tool0", row=row, pose=pose, cells=reader.take_cells(TOOL))


def _links_of(
    reader: CellReader, top: Fields, base: Base, joints: tuple[TableJoint, ...], tool: Tool | None
) -> list[str]:
    """Names of all links that a table has; those that are written beside its rows must be free."""
    links = [base.link, *(joint.link for joint in joints)]
    names = {joint.name for joint in joints}
    if base.pose != IDENTITY:
        frame = f"{base.link}_frame0"
        if frame in links or f"{frame}_joint" in names:
            message = f"needs the names {frame} and {frame}_joint for its pose, and a row has one of them"
            reader.problem(find(top, BASE).index, BASE, message)
    last = joints[-1].row if joints else None
    if tool is None and not (isinstance(last, StandardRow) and (last.a, last.alpha, last.beta) != (0.0, 0.0, 0.0)):
        return links
    link = "tool0" if tool is None else tool.link
    if link in links or f"{link}_joint" in names:
        index = top.items["tool"].index if tool is not None else find(top, (*JOINTS, len(joints) - 1)).index
        message = f"needs the names {link} and {link}_joint, and a row or the base has one of them"
        if tool is None:
            message = "is needed behind the last row's a and alpha; name it with tool: {link: ...}. It " + message
        reader.problem(index, TOOL, message)
    return [*links, link]


def _links(reader: CellReader, top: Fields, base: Base, names: list[str]) -> dict[str, TableLink]:
    if "links" not in top.items:
        return {}
    links = read_links(reader, top.items["links"], names)
    root = links.get(base.link)
    if root is not None and root.frame == "dh" and base.pose != IDENTITY:
        path: Path = ("links", base.link, "frame")
        reader.problem(find(top, path).index, path, "the root link has no row; give its data in frame: joint")
    return links


def _expect(
    reader: CellReader, top: Fields, joints: tuple[TableJoint, ...], links: list[str]
) -> tuple[ExpectedPose, ...]:
    if "expect" not in top.items:
        return ()
    entries = reader.items(top.items["expect"], ("expect",), "poses {q, xyz, rpy}")
    poses = [_expected(reader, node, ("expect", index), joints, links) for index, node in enumerate(entries)]
    reader.kept.clear()  # published poses are numbers
    return tuple(pose for pose in poses if pose is not None)


def _expected(
    reader: CellReader, node: Node, path: Path, joints: tuple[TableJoint, ...], links: list[str]
) -> ExpectedPose | None:
    """A published pose; its q has one entry for each moving joint, in the joint's unit."""
    fields = reader.fields(node, path, _EXPECT_FIELDS)
    if fields is not node:
        return None
    items = fields.items
    if "q" not in items or not items.keys() & set(_POSE):
        reader.problem(node.index, path, "is incomplete; a pose has q and one of xyz and rpy, or both")
    link = reader.name(items["link"], (*path, "link")) if "link" in items else None
    if link and link not in links:
        reader.problem(items["link"].index, (*path, "link"), f"is no link of the table; {nearest(link, links)}")
    tolerance = Fields(node.index)
    if "tolerance" in items:
        tolerance = reader.fields(items["tolerance"], (*path, "tolerance"), ("length", "angle"))
    return ExpectedPose(
        q=_joint_values(reader, items["q"], (*path, "q"), joints) if "q" in items else (),
        xyz=_vector(reader, fields, "xyz", path),
        rpy=_vector(reader, fields, "rpy", path),
        link=link,
        length_tolerance=_tolerance(reader, tolerance, "length", (*path, "tolerance")),
        angle_tolerance=_tolerance(reader, tolerance, "angle", (*path, "tolerance")),
    )


def _vector(reader: CellReader, fields: Fields, key: str, path: Path) -> Vector3 | None:
    if key not in fields.items:
        return None
    return reader.vector(fields, key, path, "length" if key == "xyz" else "angle")


def _joint_values(reader: CellReader, node: Node, path: Path, joints: tuple[TableJoint, ...]) -> tuple[float, ...]:
    moving = [joint for joint in joints if joint.type != "fixed"]
    entries = reader.items(node, path, "joint values")
    wrong_rows = any(problem.path.startswith("joints") for problem in reader.problems)
    if len(entries) != len(moving):
        if isinstance(node, Items) and not wrong_rows:
            values = counted(len(entries), "value", "values")
            joints_text = counted(len(moving), "moving joint", "moving joints")
            names = f": {', '.join(joint.name for joint in moving)}" if moving else ""
            reader.problem(node.index, path, f"has {values} for {joints_text}{names}")
        return ()
    pairs = zip(entries, moving, strict=True)
    return tuple(reader.cell(entry, path, step, kind_of(joint.type)) for step, (entry, joint) in enumerate(pairs))


def _tolerance(reader: CellReader, fields: Fields, key: Literal["length", "angle"], path: Path) -> float:
    value = reader.optional(fields, key, path, key)
    if value is None:
        return DEFAULT_TOLERANCE
    if value <= 0.0:
        reader.problem(fields.items[key].index, (*path, key), "is not above 0")
    return value
