"""URDF text as a robot tree: read strictly, all problems of a file at once; and xacro expanded to URDF text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_text
from mdh2urdf.robot import Joint, Link, Material, Robot, tree_problems
from mdh2urdf.urdf.joints import read_joint
from mdh2urdf.urdf.links import read_link, read_material
from mdh2urdf.urdf.xml import Notes, Part, parse_xml

EXTENSIONS = frozenset({"gazebo", "mujoco", "ros2_control", "sensor", "transmission"})
"""Elements of other programs in ``<robot>``, skipped without a word."""

MAX_XACRO_BYTES = 8 * 1024 * 1024
"""Largest xacro file: people write these; xacro needs half a minute and a gigabyte for 50 MB of it."""


def read_urdf(text: str, *, file: str = "") -> tuple[Robot, list[Finding]]:
    """The robot of a URDF text, and what was noticed while reading it.

    Parameters
    ----------
    text : str
    file : str
        Name of the input for findings and errors.

    Raises
    ------
    Mdh2UrdfError
        With all problems of the text, each with its line.
    """
    notes = Notes(file)
    root = Part(parse_xml(text, file), "robot", notes)
    if root.tag != "robot":
        message = f"the root element is <{root.tag}>; a URDF has <robot>"
        raise Mdh2UrdfError(Finding(file=file, line=root.line, message=message))
    name = root.name("name")
    root.only("name", "version")
    links: list[tuple[int, Link | None]] = []
    joints: list[tuple[int, Joint | None]] = []
    materials: list[tuple[int, Material]] = []
    for part in root.parts(EXTENSIONS | {"link", "joint", "material"}):
        if part.tag == "link":
            links.append((part.line, read_link(part)))
        elif part.tag == "joint":
            joints.append((part.line, read_joint(part)))
        elif part.tag == "material":
            materials.append((part.line, read_material(part)))
    named_links = [(line, link) for line, link in links if link is not None]
    named_joints = [(line, joint) for line, joint in joints if joint is not None]
    if len(named_links) == len(links) and len(named_joints) == len(joints):
        _check_tree(root, named_links, named_joints)
    _check_materials(named_links, materials, notes)
    read_joints = _check_mimics(named_joints, notes)
    notes.raise_problems()
    robot = Robot(
        name=name or "",
        links=tuple([link for _, link in named_links]),
        joints=tuple(read_joints),
        materials=tuple([material for _, material in materials]),
    )
    return robot, notes.findings()


def _check_tree(root: Part, links: Sequence[tuple[int, Link]], joints: Sequence[tuple[int, Joint]]) -> None:
    """Note what keeps links and joints from being one tree, at the line of the one at fault."""
    lines = {id(owner): line for pairs in (links, joints) for line, owner in pairs}
    for message, owner in tree_problems(tuple([link for _, link in links]), tuple([joint for _, joint in joints])):
        root.notes.problem(lines.get(id(owner), root.line), message)


def _check_mimics(joints: Sequence[tuple[int, Joint]], notes: Notes) -> list[Joint]:
    """The joints, without mimic where it names none that moves; those and joints that mimic themselves are noted."""
    fixed = {joint.name for _, joint in joints if joint.type == "fixed"}
    leaders = {joint.name: joint.mimic.joint if joint.mimic else "" for _, joint in joints}
    checked: list[Joint] = []
    for line, joint in joints:
        path = f"joint[{joint.name}].mimic"
        leader = leaders[joint.name]
        if leader in fixed or (leader and leader not in leaders):
            what = f"joint {leader!r} is fixed" if leader in fixed else f"there is no joint {leader!r}"
            notes.finding(line, "unknown-mimic", f"{what}; this one is read as moving freely", path)
            checked.append(replace(joint, mimic=None))
            continue
        followed = [joint.name]
        while leaders.get(leader) and leader not in followed:
            followed.append(leader)
            leader = leaders[leader]
        if leader == joint.name:
            notes.problem(line, f"the joint follows itself: {', '.join([*followed, leader])}", path)
        checked.append(joint)
    return checked


def _check_materials(
    links: Iterable[tuple[int, Link]], materials: Iterable[tuple[int, Material]], notes: Notes
) -> None:
    """Note material names that are defined twice at the top, and those that visuals name but nobody defines."""
    defined: set[str] = set()
    for line, material in materials:
        if material.name in defined:
            notes.problem(line, f"material name {material.name!r} is used twice")
        defined.add(material.name)
    used = [
        (line, f"link[{link.name}]", shape.material)
        for line, link in links
        for shape in link.visuals
        if shape.material is not None
    ]
    defined.update(material.name for _, _, material in used if material.rgba is not None or material.texture)
    for line, path, material in used:
        if material.name and material.name not in defined:
            defined.add(material.name)
            message = f"material {material.name!r} is defined nowhere; ROS refuses the file"
            notes.finding(line, "undefined-material", message, path)


def expand_xacro(path: str | Path, mappings: Mapping[str, str] | None = None) -> str:
    """URDF text of a xacro file, with the line breaks that the program ``xacro`` gives it.

    A xacro file is a program: its expressions are run by xacro in this process, and it reads other
    files and environment variables. Expand only files whose author you trust. Warnings of xacro go
    where xacro writes them, to standard error.

    Parameters
    ----------
    path : str or Path
    mappings : mapping of str to str, optional
        Values of the file's ``xacro:arg`` (``name:=value`` on xacro's command line).

    Raises
    ------
    Mdh2UrdfError
        With xacro's error, the file in which it arose, and the files and macros that led there.
    """
    from xml.parsers.expat import ExpatError

    import xacro

    read_text(path, limit=MAX_XACRO_BYTES)  # for its plain errors; the file is xacro's to read
    # what xacro leaves to its caller: a file that includes itself, an empty list of parameters, no UTF-8
    leaked = (AttributeError, LookupError, OSError, RuntimeError, TypeError, ValueError)
    try:
        document = xacro.process_file(str(path), mappings=dict(mappings or {}))
    except ExpatError as error:
        message = f"is not well-formed XML: {str(error).partition(':')[0]}{_trail()}"
        place = Finding(file=_innermost(path), line=error.lineno, column=error.offset + 1, message=message)
        raise Mdh2UrdfError(place) from error
    except (xacro.XacroException, *leaked) as error:
        message = f"xacro: {_in_one_line(error)}{_trail()}"
        raise Mdh2UrdfError(Finding(file=_innermost(path), message=message)) from error
    return str(document.toprettyxml(indent="  "))


def _innermost(path: str | Path) -> str:
    """The file that xacro was reading."""
    import xacro

    return str(xacro.filestack[-1]) if xacro.filestack else str(path)


def _trail() -> str:
    """How xacro came to where it failed: macros and including files, the innermost first, each once."""
    import xacro

    macros = dict.fromkeys(macro.body.getAttribute("name") for macro in reversed(xacro.macrostack))
    files = dict.fromkeys(reversed(xacro.filestack))
    return "".join([f"; in macro {name}" for name in macros] + [f"; included from {file}" for file in [*files][1:]])


def _in_one_line(error: BaseException | None) -> str:
    """What an error of xacro says, with the errors that it wraps, in one line."""
    import xacro

    if isinstance(error, ImportError):
        return "$(find ...) needs a sourced ROS setup: its Python package ament_index_python is not there"
    if isinstance(error, RecursionError):
        return "macros, properties or files that use each other without end"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.strerror}: {error.filename}"
    if not isinstance(error, xacro.XacroException):
        return " ".join(str(error or "").split())
    own = str(error.args[0] or "")
    if own.startswith("<class "):  # the wrapped error's type and text, which follow anyway
        own = ""
    elif own and isinstance(error.exc, OSError):
        return own
    elif isinstance(error.exc, ImportError):
        own = ""
    return " ".join(f"{own} {_in_one_line(error.exc)} {error.suffix or ''}".split())
