"""What was written is read again, and has to say the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import TypeVar

from mdh2urdf.capsules import without_capsules
from mdh2urdf.convert import strict_robot
from mdh2urdf.emit import Emission
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import MOVING, Limits, Link, Robot, Shape
from mdh2urdf.se3 import Transform, Vector3, norm, rotate, subtract
from mdh2urdf.table import Table, TableJoint, row_values
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.writer import write_table
from mdh2urdf.urdf.reader import expand_xacro, read_urdf
from mdh2urdf.vendor.reader import read_vendor

ROTATION = 1e-12
"""Entry of a rotation: what rpy text and a few products of poses may miss it by."""

LENGTH = 1e-12
"""Of the longest length in the robot: the same for points."""

FARTHEST = 9e11
"""m: sums of what readers take may be a little more than they take."""

MANY_TURNS = 100.0
"""rad."""

MACRO = re.compile(r'<xacro:macro name="([^"]*)" params="prefix')

LIMITS = ("lower", "upper", "velocity", "effort")

FITTED = 1e-9
"""Of the longest length, and rad: what a fitted table may miss its robot by."""

LARGE = 1e6
"""m: beyond, a table is not compared: what rounding leaves of its lengths is larger than the arm."""


T = TypeVar("T")


def taken(read: Callable[[], T], text: str) -> T:
    """What a reader makes of a text that the project has written; it must not be refused."""
    try:
        return read()
    except Mdh2UrdfError as error:
        raise AssertionError(f"{error}\n{text}") from error


def same_urdf(emission: Emission) -> None:
    """The URDF text says what the robot says."""
    if reach_of(emission.robot) > FARTHEST:
        return
    there, _ = taken(lambda: read_urdf(emission.text), emission.text)
    robot = emission.robot
    assert (there.name, there.materials) == (robot.name, robot.materials)
    assert [link.name for link in there.links] == [link.name for link in robot.links]
    for link, again in zip(robot.links, there.links, strict=True):
        same_link(link, again)
    for joint, back in zip(robot.joints, there.joints, strict=True):
        same_pose(joint.origin, back.origin)
        assert norm(subtract(joint.axis, back.axis)) < ROTATION or joint.type in ("fixed", "floating")
        fields = ["name", "type", "parent", "child"]
        fields += [] if joint.type == "fixed" else ["dynamics", "calibration", "safety", "mimic"]
        for field in fields:
            assert plain(getattr(back, field)) == plain(getattr(joint, field)), (field, back, joint)
        if joint.type in ("revolute", "prismatic"):
            assert plain(back.limits) == plain(joint.limits), (back, joint)
        elif joint.type == "continuous" and joint.limits is not None and back.limits is not None:
            for field in ("velocity", "effort"):
                assert getattr(back.limits, field) == getattr(joint.limits, field), (back, joint)


def plain(value: object) -> object:
    """A value; None for one of nothing but None, which has no text of its own."""
    slots = getattr(type(value), "__slots__", ())
    return None if slots and all(getattr(value, slot) is None for slot in slots) else value


def same_xacro(emission: Emission, folder: Path) -> None:
    """The macro, called and expanded, moves as the robot does."""
    if reach_of(emission.robot) > FARTHEST:
        return
    if any("$" in name for name in (*(link.name for link in emission.robot.links), *names_of(emission.robot))):
        return  # xacro would take them for its own
    if emission.table is not None and any(
        abs(value) > MANY_TURNS for joint in emission.table.joints for value in row_values(joint.row).values()
    ):
        return  # xacro's cosines do not know quarter turns, and so lose digits with every turn
    macro = MACRO.findall(emission.text)[-1]
    call = f'<xacro:{macro} parent=""><origin/></xacro:{macro}>'
    path = folder / "again.xacro"
    text = emission.text.removesuffix("</robot>\n").replace("<robot ", '<robot name="again" ', 1)
    path.write_text(f"{text}{call}</robot>\n", encoding="utf-8")
    with redirect_stderr(StringIO()):
        there, _ = taken(lambda: read_urdf(expand_xacro(path)), emission.text)
    assert names_of(there) == names_of(emission.robot)
    same_kinematics(emission.robot, there)


def names_of(robot: Robot) -> list[str]:
    return [joint.name for joint in robot.joints]


def same_link(link: Link, again: Link) -> None:
    for shapes, back in ((link.visuals, again.visuals), (link.collisions, again.collisions)):
        plain_shapes = without_capsules(shapes)
        assert [bare(shape) for shape in plain_shapes] == [bare(shape) for shape in back]
        for shape, other in zip(plain_shapes, back, strict=True):
            same_pose(shape.origin, other.origin)
    assert (link.inertial is None) == (again.inertial is None)
    if link.inertial is not None and again.inertial is not None:
        assert (link.inertial.mass, link.inertial.inertia) == (again.inertial.mass, again.inertial.inertia)
        same_pose(link.inertial.origin, again.inertial.origin)


def bare(shape: Shape) -> Shape:
    return replace(shape, origin=Transform())


def same_pose(pose: Transform, again: Transform, reach: float = 0.0) -> None:
    assert norm(subtract(pose.translation, again.translation)) <= LENGTH * reach, (pose, again)
    same_rotation(pose, again)


def same_rotation(pose: Transform, again: Transform) -> None:
    for row, other in zip(pose.rotation, again.rotation, strict=True):
        for entry, back in zip(row, other, strict=True):
            assert abs(entry - back) <= ROTATION, (pose, again)


def same_origins(text: str, robot: Robot, metadata: Mapping[str, str]) -> None:
    """A kinematics file has the metadata that were read, and the origins of the robot's joints.

    Names of rows mean something to the reader (the order of ``jointN``), so it may refuse those of another robot.
    """
    try:
        there, _, kept = read_vendor(text, file="again")
    except Mdh2UrdfError:
        assert not metadata, text
        return
    assert kept == metadata, text
    axes, back = axes_of(robot), axes_of(there)
    names = [name for name in axes if name in back]
    assert not metadata or len(names) == len(axes), text
    if names != list(back) or reach_of(robot) > LARGE:
        return
    for name, (point, axis) in axes.items():
        assert norm(subtract(point, back[name][0])) <= 100 * LENGTH * reach_of(robot), (name, text)
        assert norm(subtract(axis, back[name][1])) <= 100 * ROTATION, (name, text)


def axes_of(robot: Robot) -> dict[str, tuple[Vector3, Vector3]]:
    """Origin and axis of every joint that turns, in the root with all joints at 0."""
    poses = robot.link_poses({})
    moving = [joint for joint in robot.joints_from_root() if joint.type in MOVING]
    return {
        joint.name: (poses[joint.child].translation, rotate(poses[joint.child].rotation, joint.axis))
        for joint in moving
    }


def reach_of(robot: Robot) -> float:
    return 1.0 + sum(norm(joint.origin.translation) for joint in robot.joints)


def same_kinematics(robot: Robot, again: Robot) -> None:
    """Joints of equal names, and links of equal names at the same places, at 0 and at another pose."""
    reach = reach_of(robot)
    names = {joint.name for joint in robot.joints if joint.type in MOVING}
    assert names <= {joint.name for joint in again.joints}, (names, again.joints)
    if reach > LARGE:
        return
    for step in (0.0, 0.37):
        q = dict.fromkeys(names, step)
        poses, back = robot.link_poses(q), again.link_poses(q)
        start = poses[robot.root] if robot.root in back else Transform()
        offset = back.get(robot.root, Transform()).inverse()
        for name in poses.keys() & back.keys():
            same_pose(start @ poses[name], offset @ back[name], reach * 100)


def without_mimics(robot: Robot) -> Robot:
    """The robot with joints that follow nothing: SDF's physics have no such thing."""
    return replace(robot, joints=tuple(replace(joint, mimic=None) for joint in robot.joints))


def complete(joint: TableJoint) -> Limits:
    """Limits with what a table has to say of a joint that turns or slides between them."""
    if joint.type not in ("revolute", "prismatic"):
        return joint.limits
    given = {field: value for field in LIMITS if (value := getattr(joint.limits, field)) is not None}
    lower = given.get("upper", 1.0) - 1.0
    return Limits(
        **({"lower": lower, "upper": max(lower, given.get("lower", 0.0)), "velocity": 1.0, "effort": 1.0} | given)
    )


def same_table(table: Table) -> None:
    """The text of a table is read again, and gives the same robot."""
    table = replace(table, joints=tuple(replace(joint, limits=complete(joint)) for joint in table.joints))
    try:
        text = write_table(table)
    except Mdh2UrdfError:
        return
    if reach_of(strict_robot(table)) > FARTHEST:
        return
    there, _ = taken(lambda: read_table(text, file="again", form="yaml"), text)
    same_kinematics(strict_robot(table), strict_robot(there))


def fitted(robot: Robot) -> None:
    """A table is fitted to a robot, or that is refused; written, it is read again."""
    try:
        table, report = fit_table(robot)
    except Mdh2UrdfError:
        return
    reach = reach_of(robot)
    if reach < LARGE and not report.nearly_parallel:
        assert report.position_error <= FITTED * reach, report
        assert report.angle_error <= FITTED, report
    same_table(table)
