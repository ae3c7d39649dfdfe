"""The screws file: axis and point of every joint in the root frame at q = 0, read and written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import isnan

from mdh2urdf.bounds import LARGEST
from mdh2urdf.cell_text import CellText, columns, mapping, name
from mdh2urdf.cells import TAGS, CellReader, is_name, nearest
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import ANGLE_UNITS, LENGTH_UNITS, Kind, Units
from mdh2urdf.names import unused
from mdh2urdf.noise import same_pose
from mdh2urdf.robot import Joint, JointType, Limits, Link, Robot
from mdh2urdf.screws import Screw, Screws, screws
from mdh2urdf.se3 import NO_ROTATION, Transform, Vector3, rotate, subtract, transpose, unit
from mdh2urdf.table import kind_of
from mdh2urdf.text import number
from mdh2urdf.yaml_nodes import Fields, Items, Node, Path, SourceText, compose

_TOP_FIELDS = ("format", "name", "units", "base", "joints", "tool")
_JOINT_FIELDS = ("name", "type", "link", "parent", "axis", "point", "limits")
_LIMITS = ("lower", "upper", "velocity", "effort")
_TYPES: tuple[JointType, ...] = ("revolute", "continuous", "prismatic")


def read_screws(text: str, *, file: str = "") -> Robot:
    """The robot of a screws file: every link's frame stands at its joint's point, turned as the root.

    The frame of a last link before a tool is turned as the tool.

    Raises
    ------
    Mdh2UrdfError
        With everything that is wrong in the file, each with its line and column.
    """
    reader = CellReader(source=SourceText(file, text))
    root = compose(reader.source, reader.problems, TAGS)
    top = reader.fields(root, (), _TOP_FIELDS)
    if "format" not in top.items:
        reader.problem(top.index, ("format",), "is missing; a screws file has format: screws")
    else:
        reader.choice(top.items["format"], ("format",), ("screws",))
    reader = replace(reader, units=_units(reader, top))
    base = "base_link"
    if "base" in top.items:
        fields = reader.fields(top.items["base"], ("base",), ("link",))
        base = reader.name(fields.items["link"], ("base", "link")) if "link" in fields.items else base
    rows = _Rows(reader, base)
    rows.read(top)
    if "tool" in top.items:
        rows.read_tool(top.items["tool"])
    title = reader.name(top.items["name"], ("name",)) if "name" in top.items else "robot"
    reader.stop_at_problems()
    return Robot(
        name=title,
        links=tuple(Link(name=link) for link in rows.points),
        joints=tuple(rows.joints),
    )


def _units(reader: CellReader, top: Fields) -> Units:
    if "units" not in top.items:
        return Units()
    fields = reader.fields(top.items["units"], ("units",), ("angle", "length"))
    found = {}
    for key, allowed in (("angle", ANGLE_UNITS), ("length", LENGTH_UNITS)):
        if key in fields.items:
            found[key] = reader.choice(fields.items[key], ("units", key), allowed)
    return Units(angle=found.get("angle") or "rad", length=found.get("length") or "m")


class _Rows:
    """The joints read so far, and the point of every link's frame in the root frame."""

    def __init__(self, reader: CellReader, base: str) -> None:
        self.reader = reader
        self.points: dict[str, Vector3] = {base: (0.0, 0.0, 0.0)}
        self.joints: list[Joint] = []
        self.names: set[str] = set()
        self.last = base

    def read(self, top: Fields) -> None:
        """All joints; at least one is wanted."""
        if "joints" not in top.items:
            message = "is missing; a screws file has a list of joints {name, type, link, axis, point}"
            self.reader.problem(top.index, ("joints",), message)
            return
        node = top.items["joints"]
        for index, entry in enumerate(self.reader.items(node, ("joints",), "joints")):
            path: Path = ("joints", index)
            fields = self.reader.fields(entry, path, _JOINT_FIELDS)
            if fields is entry:
                self._joint(fields, path, index + 1)
        if isinstance(node, Items) and not node.items:
            self.reader.problem(node.index, ("joints",), "is empty; at least one joint moves")

    def _joint(self, fields: Fields, path: Path, number: int) -> None:
        reader, items = self.reader, fields.items
        joint = self._name(fields, path, "name", f"joint{number}", self.names)
        self.names.add(joint)
        parent = self.last
        if "parent" in items:
            parent = reader.name(items["parent"], (*path, "parent"))
            if parent and parent not in self.points:
                message = f"{parent!r} is neither the base nor the link of an earlier joint"
                reader.problem(items["parent"].index, (*path, "parent"), f"{message}; {nearest(parent, self.points)}")
        link = self._name(fields, path, "link", f"link{number}", self.points)
        said = reader.choice(items["type"], (*path, "type"), _TYPES) if "type" in items else "revolute"
        slides = said == "prismatic"
        before = self.points.get(parent, (0.0, 0.0, 0.0))
        point = before
        if "point" in items:
            point = reader.vector(fields, "point", path, "length", before)
        elif not slides:
            reader.problem(fields.index, (*path, "point"), "is missing; only a prismatic axis has no place")
        limits = self._limits(fields, path, "length" if slides else "angle")
        turns = said if limits.lower is not None or said != "revolute" else "continuous"
        self.joints.append(
            Joint(
                name=joint,
                type=next((known for known in _TYPES if known == turns), "revolute"),
                parent=parent,
                child=link,
                origin=Transform(NO_ROTATION, subtract(point, before)),
                axis=self._axis(fields, path),
                limits=limits,
            )
        )
        self.points[link] = point
        self.last = link

    def _name(self, fields: Fields, path: Path, key: str, default: str, taken: Mapping[str, object] | set[str]) -> str:
        """Name of a joint or link, which no other may have."""
        node = fields.items.get(key)
        given = default if node is None else self.reader.name(node, (*path, key)) or default
        if given in taken:
            what = "joint" if key == "name" else "link"
            place = fields.index if node is None else node.index
            self.reader.problem(place, (*path, key), f"{what} name {given!r} is used twice")
        return given

    def _axis(self, fields: Fields, path: Path) -> Vector3:
        """Unit vector of an axis."""
        way = (*path, "axis")
        node = fields.items.get("axis")
        if node is None:
            self.reader.problem(fields.index, way, "is missing; wanted is a direction [x, y, z]")
            return (0.0, 0.0, 1.0)
        values = self.reader.numbers(node, way, "number", 3)
        if values is None or any(isnan(value) for value in values):
            return (0.0, 0.0, 1.0)
        largest = max(abs(value) for value in values)
        if largest == 0.0:
            self.reader.problem(node.index, way, "is 0, which is no direction")
            return (0.0, 0.0, 1.0)
        x, y, z = (value / largest for value in values)  # neither 1e-200 nor 1e200 loses its square
        return unit((x, y, z))

    def _limits(self, fields: Fields, path: Path, kind: Kind) -> Limits:
        node = fields.items.get("limits")
        if node is None:
            return Limits()
        way = (*path, "limits")
        given = self.reader.fields(node, way, _LIMITS)
        lower = self.reader.optional(given, "lower", way, kind)
        upper = self.reader.optional(given, "upper", way, kind)
        if (lower is None) != (upper is None):
            self.reader.problem(node.index, way, "has one of lower and upper; wanted are both or neither")
        elif lower is not None and upper is not None and lower > upper:
            self.reader.problem(node.index, way, "has a lower that is above upper")
        return Limits(
            lower=lower,
            upper=upper,
            velocity=self.reader.optional(given, "velocity", way, kind, least=0.0),
            effort=self.reader.optional(given, "effort", way, "number", least=0.0),
        )

    def read_tool(self, node: Node) -> None:
        """The tip of a chain, by its pose in the root frame at q = 0."""
        reader = self.reader
        fields = reader.fields(node, ("tool",), ("link", "xyz", "rpy"))
        if fields is not node:
            return
        parents = {joint.parent for joint in self.joints}
        leaves = [joint.child for joint in self.joints if joint.child not in parents]
        if len(leaves) > 1:
            reader.problem(
                node.index, ("tool",), f"stands at the end of a chain; these joints end in {', '.join(leaves)}"
            )
        link = reader.name(fields.items["link"], ("tool", "link")) if "link" in fields.items else "tool0"
        if link in self.points or f"{link}_joint" in self.names:
            message = f"needs the names {link} and {link}_joint, and a joint or link has one of them"
            reader.problem(node.index, ("tool", "link"), message)
            return
        pose = Transform.from_xyz_rpy(
            reader.vector(fields, "xyz", ("tool",), "length"), reader.vector(fields, "rpy", ("tool",), "angle")
        )
        if self.joints:
            # Nobody has said how the last link's frame is turned; as the tool it leaves least between the two.
            last = self.joints[-1]
            turned = Transform(pose.rotation, last.origin.translation)
            self.joints[-1] = replace(last, origin=turned, axis=rotate(transpose(pose.rotation), last.axis))
        way = subtract(pose.translation, self.points[self.last])
        origin = Transform(NO_ROTATION, rotate(transpose(pose.rotation), way))
        self.joints.append(Joint(name=f"{link}_joint", type="fixed", parent=self.last, child=link, origin=origin))
        self.points[link] = pose.translation


def write_screws(robot: Robot, *, base: str | None = None, tip: str | None = None, units: Units | None = None) -> str:
    """The screws file of a robot, of a chain with its tip's pose, of a tree without.

    Parameters
    ----------
    robot : Robot
    base, tip : str, optional
        As in `screws.screws`.
    units : Units, optional
        Of the file, default rad and m.

    Raises
    ------
    Mdh2UrdfError
        As `screws.screws`, and if a file cannot hold one of the names or numbers.
    """
    found = screws(robot, base, tip)
    _refuse_what_does_not_read_back(robot.name, found)
    text = CellText(units=units or Units())
    led = [screw.joint.name for screw in found.joints if screw.joint.mimic is not None]
    lines = [f"# joints that follow another one move by themselves here: {', '.join(led)}"] if led else []
    lines += ["format: screws", f"name: {name(robot.name)}"]
    if text.units != Units():
        lines.append(f"units: {mapping({'angle': text.units.angle, 'length': text.units.length})}")
    lines.append(f"base: {mapping({'link': name(found.base)})}")
    lines.append("joints:")
    above = [found.base, *(screw.joint.child for screw in found.joints[:-1])]
    rows = [_row(screw, before, text) for screw, before in zip(found.joints, above, strict=True)]
    lines.extend(f"  - {row}" for row in columns(rows))
    if len(found.tips) == 1:
        (end, pose), last = next(iter(found.tips.items())), found.joints[-1]
        own = _ends_in_a_joint(found)
        if not (own and same_pose(pose, Transform(NO_ROTATION, last.point))):
            link = unused(f"{end}_tool0", _taken(found)) if own else end
            lines.append(f"tool: {mapping({'link': name(link), **text.pose(pose)})}")
    return "\n".join(lines) + "\n"


def _refuse_what_does_not_read_back(robot: str, found: Screws) -> None:
    named = [("robot", robot), ("link", found.base), *(("link", tip) for tip in found.tips)]
    named += [pair for one in found.joints for pair in (("joint", one.joint.name), ("link", one.joint.child))]
    problems = [
        f"{kind} {text!r}: a name in a screws file is one line without blanks at its ends; rename it"
        for kind, text in dict.fromkeys(named)
        if not is_name(text)
    ]
    for one in found.joints:
        limits = one.joint.limits or Limits()
        numbers = (*one.point, limits.lower, limits.upper, limits.velocity, limits.effort)
        worst = max((value for value in numbers if value is not None), key=abs)
        if not abs(worst) <= LARGEST:
            problems.append(f"joint {one.joint.name!r}: has the number {number(worst)}; the largest is {LARGEST:.0e}")
    if len(found.tips) == 1:
        needed = f"{next(iter(found.tips))}_joint"
        if any(one.joint.name == needed for one in found.joints) and not _ends_in_a_joint(found):
            problems.append(f"joint {needed!r}: a screws file has this name for its tool; rename it")
    if problems:
        raise Mdh2UrdfError(Finding(message=message) for message in problems)


def _ends_in_a_joint(found: Screws) -> bool:
    """Whether the one tip of a chain is the link of its last joint."""
    return next(iter(found.tips)) == found.joints[-1].joint.child


def _taken(found: Screws) -> set[str]:
    """Names of links, and those whose joints would have the name of one."""
    names = {one.joint.child for one in found.joints} | {found.base}
    return names | {one.joint.name.removesuffix("_joint") for one in found.joints if one.joint.name.endswith("_joint")}


def _row(screw: Screw, above: str, text: CellText) -> dict[str, str]:
    """One joint; its parent where it is not the joint before."""
    joint = screw.joint
    kind = kind_of(joint.type)
    fields = {"name": name(joint.name), "type": joint.type, "link": name(joint.child)}
    if screw.parent != above:
        fields["parent"] = name(screw.parent)
    fields["axis"] = text.numbers("number", screw.axis)
    fields["point"] = text.numbers("length", screw.point)
    limits = joint.limits or Limits()
    kinds: dict[str, Kind] = {"lower": kind, "upper": kind, "velocity": kind, "effort": "number"}
    values = {key: getattr(limits, key) for key in kinds}
    given = {key: text.number(kinds[key], value) for key, value in values.items() if value is not None}
    return {**fields, "limits": mapping(given)} if given else fields
