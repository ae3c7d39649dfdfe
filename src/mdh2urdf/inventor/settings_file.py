"""The text of a settings file: complete and commented at the first run, kept and added to later."""

from __future__ import annotations

from typing import Any

from mdh2urdf.cell_text import quoted
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.dump import RIGID, SLIDE, Dump
from mdh2urdf.inventor.settings import is_blank, matches
from mdh2urdf.yaml_nodes import Fields, Node, SourceText, compose, plain_data

HEADER = """\
# Settings of mdh2urdf inventor for {document}. This file is yours: it is read at every run, and only
# new joints and occurrences are added to it. Keys are the names in the CAD; * and ? stand for other signs,
# and an entry of its own goes before one with a star. null leaves the CAD's value or the default.
# Metres, radians, kilograms, newtons; limits in the CAD's zero and sign.

root: null            # occurrence that stands still; default: the grounded one
up: null              # y for assemblies that stand on Y
base_frame: null      # {{xyz: [0, 0, 0], rpy: [0, 0, 0]}}: pose of base_link in the root part
joint_defaults:       # for joints that say nothing themselves
  effort: null        # N m
  velocity: null      # rad/s
  slider_effort: null    # N
  slider_velocity: null  # m/s
expect:               # checked against the whole robot
  mass: null          # kg
  center_of_mass: null   # [x, y, z] in the root link, all joints at 0

# Joints: name, type (revolute, continuous, prismatic, fixed), lower, upper, effort, velocity, damping,
# friction, flip (true turns the axis and mirrors the limits), mimic (JOINT*K+C), ignore (true drops it).
"""

LINKS_HEADER = """
# Links: name, mass, center_of_mass, inertia {ixx, ixy, ixz, iyy, iyz, izz} (of the whole link if the
# occurrence heads one, in the axes of its document), density, collision (mesh, hull, box,
# cylinder, sphere, capsule, best, coacd, drawn, none), color [r, g, b, a], ignore (true leaves it out),
# merge (an occurrence whose link it joins).
"""

FRAMES_HEADER = """
# User coordinate systems: name, ignore.
"""


def merged_settings(dump: Dump, text: str | None) -> str:
    """The settings file of a dump: a new one, or the old text with entries for new names.

    Names that a key or a glob of the old text matches already are not added; nothing is removed.
    """
    sections = _sections(dump)
    if text is None or is_blank(text):
        joints, links, frames = (sections[name] for name in ("joints", "links", "frames"))
        return (
            _comments(text or "")
            + HEADER.format(document=dump.document)
            + _block("joints", joints)
            + LINKS_HEADER
            + _block("links", links)
            + FRAMES_HEADER
            + _block("frames", frames)
        )
    root = compose(SourceText("", text), [])
    for name in ("frames", "links", "joints"):
        text = _added(text, root, name, sections[name])
        root = compose(SourceText("", text), [])
    return text


def _comments(text: str) -> str:
    """The text of a file without settings, to stand above them."""
    return text.rstrip("\n") + "\n\n" if text.strip() else text


def _sections(dump: Dump) -> dict[str, dict[str, list[str]]]:
    """Lines of every entry by section and name."""
    joints: dict[str, list[str]] = {}
    for joint in dump.joints:
        if joint.type == RIGID:
            joints[joint.name] = ["name: null"]
            continue
        unit = ("m", "N", "m/s") if joint.type == SLIDE else ("rad", "N m", "rad/s")
        found = joint.coordinate(joint.quantity)
        cad = "no limits" if found.lower is None and found.upper is None else f"{found.lower} to {found.upper}"
        joints[joint.name] = [
            "name: null",
            f"lower: null     # {unit[0]}; in the CAD {cad}",
            f"upper: null     # {unit[0]}",
            f"effort: null    # {unit[1]}",
            f"velocity: null  # {unit[2]}",
            "flip: null      # true turns the axis",
        ]
    links = {occurrence.name: ["name: null", "mass: null  # kg"] for occurrence in dump.occurrences}
    frames = {frame.name: ["name: null"] for frame in dump.frames}
    return {"joints": joints, "links": links, "frames": frames}


def _entry(name: str, lines: list[str], indent: str = "  ") -> str:
    return f"{indent}{quoted(name)}:\n" + "".join(f"{indent}  {line}\n" for line in lines)


def _block(section: str, entries: dict[str, list[str]]) -> str:
    if not entries:
        return f"{section}: {{}}\n"
    return f"{section}:\n" + "".join(_entry(name, lines) for name, lines in entries.items())


def _added(text: str, root: Node, section: str, entries: dict[str, list[str]]) -> str:
    """The text with entries for the names of a section that no key matches.

    Where the file's style leaves no place for them (braces, text over several lines) a comment names them.
    """
    keys = _keys(root, section)
    new = {name: lines for name, lines in entries.items() if not any(matches(key, name) for key in keys)}
    if not new:
        return text
    if not text.endswith("\n"):
        text += "\n"
    longer = _longer(text, root, section, new)
    if _adds(longer, root, section, new):
        return longer
    known = text.splitlines()
    notes = [f"# add to {section}: {quoted(name)}" for name in new]
    return text + "".join(f"{note}\n" for note in notes if note not in known)


def _keys(root: Node, section: str) -> list[str]:
    node = root.items.get(section) if isinstance(root, Fields) else None
    return list(node.items) if isinstance(node, Fields) else []


def _longer(text: str, root: Node, section: str, new: dict[str, list[str]]) -> str:
    """The text with the entries where most files have their place for them."""
    top = root if isinstance(root, Fields) else Fields(0)
    node = top.items.get(section)
    if node is None:
        return text + "\n" + _block(section, new)
    lines = [f"{line}\n" for line in text[:-1].split("\n")]
    start = text.count("\n", 0, top.keys[section])
    if not isinstance(node, Fields) or not node.items:
        # "joints:", "joints: null" or "joints: {}" becomes a block; what stands behind it on the line is kept.
        head, _, comment = lines[start].rstrip("\n").partition("#")
        first = head.split(":")[0] + ":" + (f"  #{comment}" if comment else "") + "\n"
        lines[start] = first + "".join(_entry(name, own) for name, own in new.items())
        return "".join(lines)
    column = SourceText("", text).place(min(node.keys.values()))[1] - 1
    lines.insert(_end_of_block(lines, start), "".join(_entry(name, own, " " * column) for name, own in new.items()))
    return "".join(lines)


def _adds(longer: str, root: Node, section: str, new: dict[str, list[str]]) -> bool:
    """Whether a text says what the old one said, and the new entries."""
    try:
        found = plain_data(compose(SourceText("", longer), []))
    except Mdh2UrdfError:
        return False
    old: Any = plain_data(root)
    entries: Any = plain_data(compose(SourceText("", _block(section, new)), []))
    return bool(found == {**old, section: {**(old.get(section) or {}), **entries[section]}})


def _end_of_block(lines: list[str], start: int) -> int:
    """Place behind the last line that is indented below a key, blank lines and comments at the end left out."""
    end = start + 1
    for i in range(start + 1, len(lines)):
        line = lines[i]
        if line.strip() and not line.startswith((" ", "\t", "#")):
            break
        if line.strip() and not line.lstrip().startswith("#"):
            end = i + 1
    return end
