"""Kinematics files: the origin of every joint as x, y, z, roll, pitch, yaw, all axes along z."""

from __future__ import annotations

import re
from collections.abc import Mapping

from mdh2urdf.cells import CellReader, what
from mdh2urdf.errors import Finding
from mdh2urdf.robot import Joint, JointType, Link, Robot
from mdh2urdf.se3 import ORIGIN, Transform, Vector3
from mdh2urdf.vendor.kept import TOP, kept_entries
from mdh2urdf.yaml_nodes import Fields, Node, Path, SourceText, compose

POSE = ("x", "y", "z", "roll", "pitch", "yaw")

UR_JOINTS: Mapping[str, str] = {
    "shoulder": "shoulder_pan_joint",
    "upper_arm": "shoulder_lift_joint",
    "forearm": "elbow_joint",
    "wrist_1": "wrist_1_joint",
    "wrist_2": "wrist_2_joint",
    "wrist_3": "wrist_3_joint",
}
"""Rows of a Universal Robots file in kinematic order, and the joints that its ROS description makes of them."""

FLANGE_ROW = 8
"""Row of a Franka file that does not move: the arm has seven joints, the eighth row is the flange."""

_NUMBERED = re.compile(r"joint_?(\d{1,4})", re.ASCII)
_NESTED = "kinematic"
_ROW = "NAME: {x, y, z, roll, pitch, yaw}"


def read_kinematics(text: str, *, file: str, name: str) -> tuple[Robot, list[Finding], dict[str, str]]:
    """The robot of a kinematics file, and its other entries byte for byte, by their path.

    Rows named ``jointN`` are taken by their numbers, those of Universal Robots in their order on the arm, others
    as they stand. The file knows no limits: joints are continuous.
    """
    reader = CellReader(source=SourceText(file, text))
    top = compose(reader.source, reader.problems)
    franka = not (isinstance(top, Fields) and TOP in top.items)
    path: Path = () if franka else (TOP,)
    inside = top.items[TOP] if isinstance(top, Fields) and TOP in top.items else top
    if not isinstance(inside, Fields):
        reader.problem(inside.index, path, f"is {what(inside)}; wanted are rows {_ROW}")
        reader.stop_at_problems()
        raise AssertionError(file)
    marks = (_NESTED,) if franka else POSE
    rows = {key: node for key, node in inside.items.items() if _is_row(key, node, marks)}
    origins = {key: _origin(reader, node, (*path, key), nested=franka) for key, node in rows.items()}
    if not rows:
        reader.problem(inside.index, path, f"has no joint; wanted are rows {_ROW}")
    names = _ordered(reader, list(rows), inside, path)
    reader.stop_at_problems()
    kept = kept_entries(reader, rows)
    reader.stop_at_problems()
    flange = franka and len(names) == FLANGE_ROW and names[-1] == f"joint{FLANGE_ROW}"
    robot = _robot(name, {key: origins[key] for key in names}, flange=flange)
    if not flange:
        return robot, [], kept
    message = "is taken as the flange, fixed to link7: the arm has seven joints"
    return robot, [reader.source.finding(inside.keys[names[-1]], (names[-1],), message, "fixed-flange")], kept


def _is_row(key: str, node: Node, marks: tuple[str, ...]) -> bool:
    """Whether an entry is a joint: by its fields, or by its name if the fields are all wrong."""
    if key in UR_JOINTS or _NUMBERED.fullmatch(key):
        return True
    return isinstance(node, Fields) and any(mark in node.items for mark in marks)


def _origin(reader: CellReader, node: Node, path: Path, *, nested: bool) -> tuple[Vector3, Vector3]:
    """Point (m) and rpy (rad) of a row."""
    if nested:
        outer = reader.fields(node, path, (_NESTED,))
        path = (*path, _NESTED)
        if _NESTED not in outer.items:
            reader.problem(outer.index, path, "is missing")
            return ORIGIN, ORIGIN
        node = outer.items[_NESTED]
    fields = reader.fields(node, path, POSE)
    missing = [key for key in POSE if key not in fields.items]
    if missing and isinstance(node, Fields):
        reader.problem(fields.index, path, f"has no {', '.join(missing)}; wanted are {', '.join(POSE)}")
    x, y, z = (reader.optional(fields, key, path, "length") or 0.0 for key in POSE[:3])
    roll, pitch, yaw = (reader.optional(fields, key, path, "angle") or 0.0 for key in POSE[3:])
    return (x, y, z), (roll, pitch, yaw)


def _ordered(reader: CellReader, names: list[str], inside: Fields, path: Path) -> list[str]:
    """Names of the rows from base to tip."""
    numbers = {name: int(found[1]) for name in names if (found := _NUMBERED.fullmatch(name))}
    if names and len(numbers) == len(names):
        names = sorted(names, key=lambda name: numbers[name])
        if [numbers[name] for name in names] != list(range(1, len(names) + 1)):
            listed = ", ".join(str(numbers[name]) for name in names)
            reader.problem(inside.index, path, f"has joints {listed}; wanted are all from 1 up, each once")
        return names
    if set(names) <= set(UR_JOINTS):
        missing = [name for name in UR_JOINTS if name not in names]
        if names and missing:
            reader.problem(inside.index, path, f"has no {', '.join(missing)}; wanted are {', '.join(UR_JOINTS)}")
        return [name for name in UR_JOINTS if name in names]
    return names


def _robot(name: str, origins: Mapping[str, tuple[Vector3, Vector3]], *, flange: bool) -> Robot:
    of_ur = set(origins) == set(UR_JOINTS)
    joints: list[Joint] = []
    parent = "base_link"
    for key, (xyz, rpy) in origins.items():
        number = _NUMBERED.fullmatch(key)
        child = key.replace("joint", "link") if number else f"{key}_link"
        joint = UR_JOINTS[key] if of_ur else key
        fixed = flange and len(joints) == FLANGE_ROW - 1
        kind: JointType = "fixed" if fixed else "continuous"
        origin = Transform.from_xyz_rpy(xyz, rpy)
        joints.append(Joint(name=joint, type=kind, parent=parent, child=child, origin=origin, reference_rpy=rpy))
        parent = child
    links = ["base_link", *(joint.child for joint in joints)]
    return Robot(name=name, links=tuple(Link(name=link) for link in links), joints=tuple(joints))
