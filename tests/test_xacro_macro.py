"""Robots as xacro macros: expanded by xacro they are what the table and the URDF writer say."""

from __future__ import annotations

import math
import os
import random
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import xacro
from hypothesis import given, settings

import strategies
from calibrations import FAR, NOMINAL
from mdh2urdf.additions import with_world
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Joint, Limits, Link, Material, Mesh, Robot, Shape
from mdh2urdf.se3 import Transform
from mdh2urdf.share import catalogue
from mdh2urdf.table import ModifiedRow, Table, TableJoint
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.urdf.writer import write_urdf
from mdh2urdf.xacro_macro.text import macro_name
from mdh2urdf.xacro_macro.writer import write_xacro
from oracles import position_error, rotation_error, rpy_matrix, table_poses, urdf_fk
from readers import expand, require_program, run

CHECKOUT = Path(__file__).parent.parent
SHARE = {"mdh2urdf_share": str(CHECKOUT)}
EXAMPLES = 1000 if os.environ.get("CI") else 60
"""Random tables of each convention; expanding one takes xacro some 20 ms."""

FK_ERROR = 1e-12
"""m and rad, for arms of some metres."""


def call(name: str, prefix: str = "", parent: str = "") -> str:
    origin = '<origin xyz="0.1 0.2 0.3" rpy="0 0 0.5"/>'
    return f'<xacro:{name} prefix="{prefix}" parent="{parent}">{origin}</xacro:{name}>'


def describe(folder: Path, text: str, *content: str) -> Path:
    """A description that includes a written macro file."""
    (folder / "macro.xacro").write_text(text, encoding="utf-8")
    file = folder / "main.xacro"
    include = f'<xacro:include filename="{folder / "macro.xacro"}"/>'
    head = f'<robot name="main" xmlns:xacro="http://www.ros.org/wiki/xacro">{include}'
    file.write_text("\n".join([head, *content, "</robot>"]), encoding="utf-8")
    return file


def expanded(folder: Path, text: str, *content: str) -> str:
    return xacro.process_file(str(describe(folder, text, *content)), mappings=dict(SHARE)).toxml()


def of_table(table: Table, folder: Path, *, frames: str = "strict", prefix: str = "", **options) -> tuple[str, str]:
    """The expanded xacro and the written URDF of a table."""
    conversion = robot_from_table(table, frames=frames)
    text = write_xacro(table, conversion.robot, moved=frozenset(conversion.moved), **options)
    name = macro_name(table.name)
    return expanded(folder, text, call(name, prefix)), write_urdf(conversion.robot, prefix=prefix)


def assert_same(one: ElementTree.Element, other: ElementTree.Element) -> None:
    """Same elements in the same order, numbers equal within rounding, rpy as rotations."""
    assert one.tag == other.tag
    assert set(one.attrib) == set(other.attrib), (one.attrib, other.attrib)
    for key, text in one.attrib.items():
        if key == "rpy":
            rotations = [rpy_matrix(*map(float, part.split())) for part in (text, other.attrib[key])]
            assert np.abs(rotations[0] - rotations[1]).max() < 1e-14
        elif key != "name" and _numbers(text) is not None:
            assert _numbers(text) == pytest.approx(_numbers(other.attrib[key]), rel=1e-14, abs=1e-15)
        else:
            assert text == other.attrib[key]
    assert (one.text or "").strip() == (other.text or "").strip()
    assert len(one) == len(other)
    for child, twin in zip(one, other, strict=True):
        assert_same(child, twin)


def _numbers(text: str) -> list[float] | None:
    try:
        return [float(part) for part in text.split()]
    except ValueError:
        return None


def assert_same_robot(one: str, other: str) -> None:
    first, second = ElementTree.fromstring(one), ElementTree.fromstring(other)
    first.attrib.clear()
    second.attrib.clear()
    assert_same(first, second)


def assert_follows_rows(table: Table, text: str, seed: int = 1) -> None:
    """Forward kinematics of an expanded text and of the table's rows at random q."""
    source = random.Random(seed)
    poses = [urdf_fk(text, {})]
    moving = [joint.name for joint in table.joints if joint.type != "fixed"]
    for _ in range(2):
        q = [source.uniform(-3, 3) for _ in moving]
        poses = urdf_fk(text, dict(zip(moving, q, strict=True)))
        wanted = table_poses(table, q)
        if table.convention == "standard":
            tip = "tool0" if table.tool is None else table.tool.link
            wanted = {tip if tip in poses else table.joints[-1].link: wanted["tool"]}
        else:
            tool = wanted.pop("tool")
            wanted |= {table.tool.link: tool} if table.tool is not None else {}
            root = table.base.link
            wanted[f"{root}_frame0" if f"{root}_frame0" in poses else root] = wanted.pop(root)
        for link, pose in wanted.items():
            assert position_error(poses[link], pose) < FK_ERROR
            assert rotation_error(poses[link], pose) < FK_ERROR


@pytest.mark.parametrize("rows", [strategies.modified_rows, strategies.standard_rows], ids=["modified", "standard"])
def test_random_tables_are_what_their_rows_say(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("random")

    @settings(max_examples=EXAMPLES)
    @given(strategies.tables(rows=rows))
    def check(table):
        text, urdf = of_table(table, folder)
        assert_same_robot(text, urdf)
        assert_follows_rows(table, text)

    check()


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_robots_of_the_catalogue_are_what_their_rows_say(name, tmp_path):
    table, _ = read_table(catalogue()[name].read_text(encoding="utf-8"), file=name)
    text, urdf = of_table(table, tmp_path)
    assert_same_robot(text, urdf)
    assert_follows_rows(table, text)


@settings(max_examples=min(EXAMPLES, 100))
@given(strategies.robots())
def test_robots_without_a_table_are_what_the_urdf_says(tmp_path_factory, robot):
    text = write_xacro(None, robot)
    found = expanded(tmp_path_factory.mktemp("robot"), text, call(macro_name(robot.name)))
    assert_same_robot(found, write_urdf(robot))


MODIFIED = """
name: seven
convention: modified
units: {angle: deg, length: mm}
parameters: {L2: 289.48661, gamma: L2/4, phi: 79.34995, off: deg(15), e: 2*pi/8, lower: -170, prefix: 1.5, list: 20}
base: {link: base, xyz: [0, L2, 10], rpy: [10, phi/10, 0]}
joints:
  - {name: j1, link: l1, a: 0, alpha: 0, d: L2 + 267, theta: 0,
     limits: {lower: lower, upper: 170, velocity: 180, effort: list}}
  - {name: j2, link: l2, r: L2/2, alpha: -90, d: 0, theta: q - phi, type: continuous,
     dynamics: {damping: prefix, friction: 1}}
  - {name: j3, link: l3, a: L2*sqrt(2), alpha: off + 45, d: -(gamma - 2)*2, theta: phi + j3, direction: 1,
     limits: {lower: -100, upper: phi, velocity: off, effort: 5},
     safety: {soft_lower: lower/2, soft_upper: 10, k_position: list, k_velocity: prefix**2}}
  - {name: j4, link: l4, type: prismatic, a: 0, alpha: 90, d: gamma - q, theta: e + 1,
     limits: {lower: 0, upper: L2 + 1, velocity: 100, effort: 200}, calibration: {rising: gamma}}
  - {name: j5, link: l5, parent: l2, a: "hypot(gamma, 3)", alpha: 180, beta: off/20, gamma: phi, b: gamma,
     d: 0, theta: -q5 + 90, mimic: {joint: j1, multiplier: prefix, offset: off}}
  - {name: j6, link: l6, type: fixed, a: 10, alpha: deg(90), d: 0, theta: "atan2(L2, 100) - phi"}
"""

STANDARD = """
name: arm
convention: standard
units: {angle: rad, length: in}
parameters: {L: 12, tilt: 0.1}
joints:
  - {name: j1, link: l1, a: L/4, alpha: tilt, d: L, theta: 0}
  - {name: j2, link: l2, a: 2*L, alpha: 0, beta: tilt/10, d: 0, theta: q - tilt}
  - {name: j3, link: l3, a: %s, alpha: %s, d: 1, theta: q3 + tilt}
%s
"""

TAILS = {"empty": ("0", "0"), "numbers": ("3", "pi/2"), "parameters": ("L", "tilt*2")}
TOOLS = {
    "none": "",
    "d and theta": "tool: {link: tcp, a: 0, alpha: 0, d: L/2, theta: tilt}",
    "row": "tool: {link: tcp, a: 1, alpha: tilt, d: L/2, theta: tilt}",
    "row with beta": "tool: {link: tcp, a: 0, alpha: pi/2, d: 0, theta: 0, beta: tilt}",
    "pose": "tool: {link: tcp, xyz: [1, 2, 3], rpy: [0, 0, pi/2]}",
    "pose with a parameter in its point": "tool: {link: tcp, xyz: [L, 0, 0], rpy: [0, pi/2, 0.3]}",
    "pose of parameters": "tool: {link: tcp, xyz: [1, L, 3], rpy: [0.1, tilt, 0.2]}",
}


def read(text: str, **parameters: str) -> Table:
    return read_table(text, file="t.yaml", parameters=parameters)[0]


def changed(text: str, name: str, value: str) -> str:
    """A written macro file with another value of a property."""
    start = text.index(f'<xacro:property name="{name}" value="') + len(f'<xacro:property name="{name}" value="')
    return text[:start] + value + text[text.index('"', start) :]


def check_parameter(text: str, table: Table, robot: Robot, folder: Path, name: str, value: str, own: str) -> None:
    """The macro of ``table`` with a parameter changed in the xacro is that of the table with it changed."""
    written = write_xacro(table, robot)
    conversion = robot_from_table(read(text, **{name: value}), frames="strict")
    assert_same_robot(
        expanded(folder, changed(written, own, value), call(macro_name(robot.name))), write_urdf(conversion.robot)
    )


@pytest.mark.parametrize(
    ("name", "value", "own"),
    [
        ("L2", "300", "L2"),
        ("gamma", "-7.5", "gamma_"),
        ("phi", "12", "phi"),
        ("off", "0.25", "off"),
        ("e", "3", "e_"),
        ("lower", "-12", "lower"),
        ("prefix", "2", "prefix_"),
        ("list", "77", "list_"),
    ],
)
def test_a_parameter_changed_in_the_xacro_changes_the_robot(name, value, own, tmp_path):
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    if name == "off":  # an angle with its unit: the property is in rad, and so is the table's value
        value_in_table = "rad(0.25)"
        written = changed(write_xacro(table, robot), own, value)
        other = robot_from_table(read(MODIFIED, off=value_in_table), frames="strict").robot
        assert_same_robot(expanded(tmp_path, written, call("seven")), write_urdf(other))
        return
    check_parameter(MODIFIED, table, robot, tmp_path, name, value, own)


def test_a_table_with_everything_is_what_its_rows_say(tmp_path):
    table = read(MODIFIED)
    text, urdf = of_table(table, tmp_path)
    assert_same_robot(text, urdf)
    free = tuple(replace(joint, mimic=None) for joint in table.joints)
    assert_follows_rows(replace(table, joints=free), of_table(replace(table, joints=free), tmp_path)[0])


def test_rows_are_written_as_an_engineer_would(tmp_path):
    table = read(MODIFIED)
    text = write_xacro(table, robot_from_table(table, frames="strict").robot)
    lines = [line.strip() for line in text.splitlines()]
    assert [line for line in lines if "dh_to_origin " in line or "property" in line or "<origin " in line][1:] == [
        '<xacro:property name="L2" value="289.48661"/>',
        '<xacro:property name="gamma_" value="${L2/4}"/>',
        '<xacro:property name="phi" value="79.34995"/>',
        '<xacro:property name="off" value="${radians(15)}"/>',
        '<xacro:property name="e_" value="${2*pi/8}"/>',
        '<xacro:property name="lower" value="-170"/>',
        '<xacro:property name="prefix_" value="1.5"/>',
        '<xacro:property name="list_" value="20"/>',
        '<origin xyz="0 ${L2/1000} 0.01" rpy="0.17453292519943295 ${radians(phi/10)} 0"/>',
        '<xacro:dh_to_origin a="0" d="${(L2 + 267)/1000}" alpha="0" theta="0"/>',
        '<xacro:dh_to_origin a="${L2/2/1000}" d="0" alpha="${-pi/2}" theta="${radians(-phi)}"/>',
        '<xacro:dh_to_origin a="${L2*sqrt(2)/1000}" d="${-(gamma_ - 2)*2/1000}" '
        'alpha="${off + radians(45)}" theta="${radians(phi)}"/>',
        '<xacro:dh_to_origin a="0" d="${gamma_/1000}" alpha="${pi/2}" theta="${radians(e_ + 1)}"/>',
        '<xacro:dh_to_origin a="${hypot((gamma_), (3))/1000}" d="0" alpha="${pi}" theta="${pi/2}" '
        'beta="${off/20}" gamma_="${radians(phi)}" b="${gamma_/1000}"/>',
        '<xacro:dh_to_origin a="0.01" d="0" alpha="${pi/2}" theta="${atan2((L2), (100)) - radians(phi)}"/>',
    ]
    assert (
        '<limit lower="${radians(lower)}" upper="2.9670597283903604" effort="${list_}" velocity="3.141592653589793"/>'
        in lines
    )
    assert '<mimic joint="${prefix}j1" multiplier="${prefix_}" offset="${off}"/>' in lines


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("tool", TOOLS)
def test_every_end_of_a_standard_chain_follows_the_parameters(tail, tool, tmp_path):
    source = STANDARD % (*TAILS[tail], TOOLS[tool])
    table = read(source)
    robot = robot_from_table(table, frames="strict").robot
    written = write_xacro(table, robot)
    assert_same_robot(expanded(tmp_path, written, call("arm")), write_urdf(robot))
    assert_follows_rows(table, expanded(tmp_path, written, call("arm")))
    if tool.startswith("pose") and tail != "empty":
        return  # two transforms in one origin: numbers, with a remark if they hide a parameter
    for name, value in (("L", "10"), ("tilt", "0.3")):
        check_parameter(source, table, robot, tmp_path, name, value, name)


@pytest.mark.parametrize(
    ("tail", "tool", "remark"),
    [
        ("numbers", "pose", []),
        ("parameters", "pose", ["the numbers do not follow L, tilt"]),
        ("numbers", "pose of parameters", ["the numbers do not follow L, tilt"]),
    ],
)
def test_numbers_that_hide_a_parameter_say_so(tail, tool, remark):
    table = read(STANDARD % (*TAILS[tail], TOOLS[tool]))
    text = write_xacro(table, robot_from_table(table, frames="strict").robot)
    assert [line.strip() for line in text.splitlines() if "not follow " in line] == [
        f"<!-- {line} -->" for line in remark
    ]


POSE = """
name: mount
convention: modified
parameters: {tilt: %s, turn: 0.5}
base: {xyz: [0, 0, 1], rpy: [%s]}
joints:
  - {a: 0, alpha: 0, d: 0, theta: 0}
"""


@pytest.mark.parametrize("rpy", ["0.1, tilt, 0.2", "tilt, 0, turn", "tilt, 2, 0", "0, 0, tilt", "0.3, tilt, 0"])
@pytest.mark.parametrize("tilt", ["0.4", "-3"])
def test_an_angle_of_the_base_may_be_a_parameter(rpy, tilt, tmp_path):
    source = POSE % (tilt, rpy)
    table = read(source)
    check_parameter(source, table, robot_from_table(table).robot, tmp_path, "tilt", "0.7", "tilt")


@pytest.mark.parametrize("rpy", ["0.1, tilt, 0.2", "turn, tilt, 0"])
def test_in_gimbal_lock_an_angle_of_the_base_stays_a_number_and_says_so(rpy, tmp_path):
    table = read(POSE % ("pi/2", rpy))
    text, urdf = of_table(table, tmp_path)
    assert_same_robot(text, urdf)
    written = write_xacro(table, robot_from_table(table).robot)
    names = "tilt, turn" if "turn" in rpy else "tilt"
    assert f"<!-- the numbers do not follow {names} -->\n" in written


def test_angles_that_are_not_those_of_the_pose_stay_numbers(tmp_path):
    table = read(POSE % ("0.4", "0, tilt, 0"))
    turned = replace(table.base, pose=Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 0.5, 0.0)))
    text = write_xacro(table, robot_from_table(replace(table, base=turned)).robot)
    assert "<!-- the numbers do not follow tilt -->\n" in text


def test_moved_frames_are_numbers_beside_their_rows(tmp_path):
    conversion = robot_from_table(FAR)
    assert set(conversion.moved) == {"joint2", "joint3"}
    text, urdf = of_table(FAR, tmp_path, frames="auto")
    assert_same_robot(text, urdf)
    written = write_xacro(FAR, conversion.robot, moved=frozenset(conversion.moved))
    notes = [line.strip() for line in written.splitlines() if "moved" in line]
    moved = "its frame was moved along and about its axis"
    assert notes == [
        '<!-- standard_dh_to_origin a_prev="0.000279332356195598" alpha_prev="1.57033858830411" d="574.241384579456" '
        f'theta="-1.43707039992005"; {moved} -->',
        '<!-- standard_dh_to_origin a_prev="-0.0566854832098269" alpha_prev="-0.000733893428160216" '
        f'd="-507.363402098168" theta="2.02543119975016"; {moved} -->',
        '<!-- standard_dh_to_origin a_prev="-0.32646702272051" alpha_prev="0.00325607356326439" '
        'd="-66.7676839353205" theta="-0.588254688694989"; the frame before it was moved along and about its axis -->',
    ]


def test_a_moved_row_with_parameters_says_that_its_numbers_do_not_follow(tmp_path):
    table = read(STANDARD % ("0", "0", ""))
    robot = robot_from_table(table, frames="strict").robot
    text = write_xacro(table, robot, moved=frozenset({"j1"}))
    notes = [line.strip() for line in text.splitlines() if "moved" in line]
    assert notes == [
        '<!-- standard_dh_to_origin a_prev="0" alpha_prev="0" d="${L*0.0254}" theta="0"; '
        "its frame was moved along and about its axis; the numbers do not follow L -->",
        '<!-- standard_dh_to_origin a_prev="${L/4*0.0254}" alpha_prev="${tilt}" d="0" theta="${-tilt}"; '
        "the frame before it was moved along and about its axis; the numbers do not follow L, tilt -->",
    ]


def test_the_reference_pitch_comes_along(tmp_path):
    row = replace(FAR.joints[0], reference_rpy=(0.0, math.pi, 0.0))
    table = replace(NOMINAL, joints=(replace(row, row=NOMINAL.joints[0].row), *NOMINAL.joints[1:]))
    text, urdf = of_table(table, tmp_path)
    assert_same_robot(text, urdf)
    for part in (text, urdf):
        first = ElementTree.fromstring(part).find("joint/origin")
        assert abs(float(first.get("rpy").split()[1])) == math.pi


def test_two_instances_share_one_description(tmp_path):
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    text = expanded(
        tmp_path,
        write_xacro(table, robot),
        '<xacro:property name="L2" value="kept"/>',
        '<link name="world"/>',
        call("seven", "left_", "world"),
        call("seven", "right_", "world"),
        '<note text="${L2}"/>',
    )
    root = ElementTree.fromstring(text)
    assert root.find("note").get("text") == "kept"
    poses = urdf_fk(text, {"left_j1": 0.3})
    alone = urdf_fk(write_urdf(robot), {"j1": 0.3})
    still = urdf_fk(write_urdf(robot), {})
    mount = np.eye(4)
    mount[:3, 3] = 0.1, 0.2, 0.3
    mount = mount @ rpy_matrix(0, 0, 0.5)
    assert set(poses) == {"world"} | {side + link for side in ("left_", "right_") for link in alone}
    for link in alone:
        assert poses[f"left_{link}"] == pytest.approx(mount @ alone[link], abs=1e-12)
        assert poses[f"right_{link}"] == pytest.approx(mount @ still[link], abs=1e-12)


def test_names_of_joints_links_materials_and_leaders_get_the_prefix(tmp_path):
    grey = Material(name="grey", rgba=(0.5, 0.5, 0.5, 1.0))
    shape = Shape(geometry=Mesh(filename="package://arm/link.stl"), material=Material(name="grey"))
    nameless = replace(shape, material=Material(rgba=(1.0, 0.0, 0.0, 1.0)))
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    links = (Link(name="base", visuals=(shape, nameless), collisions=(shape,)), *robot.links[1:])
    robot = replace(robot, links=links, materials=(grey,))
    root = ElementTree.fromstring(expanded(tmp_path, write_xacro(table, robot), call("seven", "p_")))
    named = [element.get("name") for element in root.iter() if element.get("name")]
    ends = [element.get("link") for element in root.iter() if element.tag in ("parent", "child")]
    assert all(name.startswith("p_") for name in [*named[1:], *ends])
    assert [element.get("name") for element in root.iter("material")] == ["p_grey", "p_grey", "", "p_grey"]
    assert root.find("joint/mimic").get("joint") == "p_j1"
    assert root.find("link/visual/geometry/mesh").get("filename") == "package://arm/link.stl"


def test_joints_that_the_table_does_not_know_are_numbers(tmp_path):
    robot = with_world(robot_from_table(NOMINAL, frames="strict").robot)
    text = write_xacro(NOMINAL, robot)
    assert text.count('<origin xyz="0 0 0" rpy="0 0 0"/>') == 2  # one of them in the header
    assert_same_robot(expanded(tmp_path, text, call("ur5")), write_urdf(robot))


def test_the_file_makes_nothing_by_itself(tmp_path):
    text = write_xacro(NOMINAL, robot_from_table(NOMINAL).robot)
    assert list(ElementTree.fromstring(expanded(tmp_path, text))) == []


def test_without_a_parent_nothing_is_attached_and_parent_has_no_default(tmp_path):
    text = write_xacro(NOMINAL, robot_from_table(NOMINAL).robot)
    root = ElementTree.fromstring(expanded(tmp_path, text, call("ur5")))
    assert root.find("joint[@name='base_link_joint']") is None
    with pytest.raises(xacro.XacroException, match="Undefined parameters \\[parent\\]"):
        expanded(tmp_path, text, "<xacro:ur5><origin/></xacro:ur5>")


def test_the_joint_to_the_parent_takes_a_free_name(tmp_path):
    row = ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.0, theta=0.0)
    joints = (
        TableJoint(name="base_link_joint", link="one", parent="base_link", type="continuous", row=row),
        TableJoint(name="base_link_joint_", link="two", parent="one", type="continuous", row=row),
    )
    table = Table(name="crowd", joints=joints)
    text = write_xacro(table, robot_from_table(table).robot)
    root = ElementTree.fromstring(expanded(tmp_path, text, '<link name="world"/>', call("crowd", "", "world")))
    assert [joint.get("name") for joint in root.iter("joint")] == [
        "base_link_joint__",
        "base_link_joint",
        "base_link_joint_",
    ]


def test_names_are_never_evaluated(tmp_path):
    evil = ["${1/0}", "$(find nowhere)", "$${x}", "$", "a$$b", "}${", "$$$(arg q)", "<a b='\"&>", "xacro:if"]
    links = tuple(Link(name=name, note="xacro:eval-comments ${1/0}") for name in evil)
    joints = tuple(
        Joint(name=f"{child}!", type="fixed", parent=parent, child=child, note="xacro:eval-comments")
        for parent, child in pairwise(evil)
    )
    robot = Robot(name="${boom}", links=links, joints=joints)
    text = write_xacro(None, robot, header=["${1/0} $(find nowhere) --"], ros2_control=True)
    root = ElementTree.fromstring(expanded(tmp_path, text, call("boom", "", "$${y}")))
    assert [link.get("name") for link in root.iter("link")] == evil
    assert [joint.get("name") for joint in root.iter("joint")] == ["${1/0}_joint", *(f"{name}!" for name in evil[1:])]
    assert root.find("ros2_control").get("name") == "${boom}"


@pytest.mark.parametrize(
    ("name", "macro"),
    [
        ("ur5", "ur5"),
        ("My Robot-2.0", "My_Robot_2_0"),
        ("7dof", "robot_7dof"),
        ("机器人", "robot"),
        ("arm_é", "arm"),
        ("include", "include_robot"),
        ("Call", "Call_robot"),
        ("dh_to_origin", "dh_to_origin_robot"),
    ],
)
def test_the_macro_has_the_robots_name_as_far_as_xacro_allows(name, macro, tmp_path):
    robot = Robot(name=name, links=(Link(name="base"),), joints=())
    assert macro_name(name) == macro
    text = expanded(tmp_path, write_xacro(None, robot), call(macro))
    assert [link.get("name") for link in ElementTree.fromstring(text)] == ["base"]


NAMES = """
name: names
convention: modified
parameters: {%s: 0.5, total: %s + 1}
joints:
  - {a: %s, alpha: 0, d: total, theta: 0}
"""


@pytest.mark.parametrize(
    "name",
    ["tau", "prefix", "parent", "origin", "min", "len", "xacro", "__x", "_", "a", "d", "dh_ca"],
)
def test_any_parameter_name_works_and_xacro_warns_of_none(name, tmp_path):
    source = NAMES % (name, name, name)
    table = read(source)
    robot = robot_from_table(table).robot
    file = describe(tmp_path, write_xacro(table, robot), call("names"))
    result = run(require_program("xacro"), file, f"mdh2urdf_share:={CHECKOUT}")
    assert (result.returncode, result.stderr) == (0, "")
    assert_same_robot(result.stdout, write_urdf(robot))


def test_renamed_parameters_stay_apart(tmp_path):
    source = NAMES.replace("total: %s + 1", "gamma_: 3, __y: 5, parameter__y: gamma_ + __y, total: %s + gamma_ - __y")
    source = source % ("gamma", "gamma", "parameter__y")
    table = read(source)
    robot = robot_from_table(table).robot
    text = write_xacro(table, robot)
    assert 'name="gamma__" value="0.5"' in text
    assert 'name="gamma_" value="3"' in text
    assert 'name="parameter__y_" value="5"' in text
    assert 'name="parameter__y" value="${gamma_ + parameter__y_}"' in text
    assert_same_robot(expanded(tmp_path, text, call("names")), write_urdf(robot))


@pytest.mark.parametrize(
    ("cell", "text"),
    [
        ("2*(p + 1)*(p*2)", "2*(p + 1)*(p*2)"),
        ("p - (1 - p) - -p", "p - (1 - p) - (-p)"),
        ("1/(p/2)/p", "1/(p/2)/p"),
        ("+p**2 - (-p)**3", "pow((p), (2)) - pow((-p), (3))"),
        ("-(p + 1)*2 - -p/3", "-(p + 1)*2 - (-p/3)"),
        ("p*1e-7 + 1E3", "p*1e-07 + 1000"),
        ("sin(deg(p)) + cos(rad(p)) + tan(radians(p*1)) + sqrt(p)", "sin(radians(p)) + cos(p) + tan(p*1) + sqrt(p)"),
        ("deg(p)/deg(2)", "radians(p)/radians(2)"),
        ("degrees(p)*2/asin(p/9)", "radians(p)*2/asin(p/9)"),
    ],
)
@pytest.mark.parametrize(("length", "factor"), [("m", ""), ("cm", "/100"), ("mm", "/1000"), ("in", "*0.0254")])
def test_expressions_keep_their_value_and_their_look(cell, text, length, factor, tmp_path):
    source = f"""
name: cells
convention: modified
units: {{length: {length}}}
parameters: {{p: 1.7}}
joints:
  - {{a: {cell}, alpha: 0, d: 0, theta: 0}}
"""
    table = read(source)
    robot = robot_from_table(table).robot
    written = write_xacro(table, robot)
    is_sum = any(sign in text.replace("(p + 1)", "") for sign in (" + ", " - "))
    whole = f"({text}){factor}" if factor and is_sum else text + factor
    assert f' a="${{{whole}}}"' in written
    assert_same_robot(expanded(tmp_path, written, call("cells")), write_urdf(robot))


@pytest.mark.parametrize(
    ("theta", "text"),
    [
        ("q - p", "radians(-p)"),
        ("p + q", "radians(p)"),
        ("q + p", "radians(p)"),
        ("-q1 - p - 90", "radians(-p - 90)"),
        ("(q + p)*1", "radians(p*1)"),
        ("q*1 + p", "radians(p)"),
        ("q/1 + p", "radians(p)"),
        ("p - -j", "radians(p)"),
        ("q + deg(p)", "radians(p)"),
        ("q + deg(p) + 5", "radians(p) + radians(5)"),
        ("5 - deg(p) + q", "radians(5) - radians(p)"),
        ("q*(p - p + 1)", None),
        ("q*p", None),
    ],
)
def test_the_joint_variable_is_0_in_an_origin(theta, text, tmp_path):
    source = f"""
name: variable
convention: modified
units: {{angle: deg}}
parameters: {{p: 1}}
joints:
  - {{name: j, a: 0, alpha: 0, d: 0, theta: {theta}}}
"""
    table = read(source)
    robot = robot_from_table(table).robot
    written = write_xacro(table, robot)
    assert ' theta="0"/>' in written if text is None else f' theta="${{{text}}}"/>' in written
    assert_same_robot(expanded(tmp_path, written, call("variable")), write_urdf(robot))


def test_a_limit_that_urdf_does_not_write_is_not_written(tmp_path):
    table = read("""
name: wheel
convention: modified
parameters: {v: 2}
joints:
  - {type: continuous, a: 0, alpha: 0, d: 0, theta: 0, limits: {velocity: v, effort: 3}}
""")
    cell = table.joints[0].cells["limits.velocity"]
    joint = replace(table.joints[0], cells={"limits.velocity": cell, "limits.lower": cell, "dynamics.damping": cell})
    table = replace(table, joints=(joint,))
    text, urdf = of_table(table, tmp_path)
    assert_same_robot(text, urdf)
    assert '<limit effort="3" velocity="2"/>' in text


def test_the_header_says_what_it_is_given_and_how_to_use_the_file():
    text = write_xacro(NOMINAL, robot_from_table(NOMINAL).robot, header=["ur5 -- a test"])
    assert text[: text.index("<robot ")].splitlines() == [
        '<?xml version="1.0"?>',
        "<!--",
        "  ur5 - - a test",
        "",
        "  This file makes nothing by itself. In a description that has a link world:",
        '    <xacro:include filename="this file"/>',
        '    <xacro:ur5 parent="world"><origin xyz="0 0 0" rpy="0 0 0"/></xacro:ur5>',
        '  With parent="" the link base_link is attached to nothing, and the origin is not used.',
        "  prefix is put before the names of all links, joints and materials.",
        "  Without ROS, give xacro mdh2urdf_share:=DIR, the folder that `mdh2urdf share` prints.",
        "-->",
    ]


def test_the_macro_file_may_be_included_by_a_path(tmp_path):
    path = "$(arg where)/dh_to_origin.xacro"
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    text = write_xacro(table, robot, macro_path=path)
    assert "mdh2urdf_share" not in text
    file = describe(tmp_path, text, call("seven"))
    found = xacro.process_file(str(file), mappings={"where": str(CHECKOUT / "macros")}).toxml()
    assert_same_robot(found, write_urdf(robot))


@pytest.mark.parametrize("processor", ["xacro", "xacrodoc"])
def test_a_file_with_the_macros_inside_needs_nothing_else(processor, tmp_path):
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    text = write_xacro(table, robot, inline_macro=True)
    assert "<!-- From mdh2urdf's dh_to_origin.xacro. SPDX-License-Identifier: Apache-2.0 -->" in text
    assert "include filename" not in text[text.index("<robot ") :]
    assert_same_robot(expand(processor, describe(tmp_path, text, call("seven"))), write_urdf(robot))


@pytest.mark.parametrize("processor", ["xacro", "xacrodoc", "xacro-parser"])
def test_every_processor_makes_the_same_robot(processor, tmp_path):
    table = read(MODIFIED)
    # JavaScript's parser knows no hypot and no sqrt
    text = MODIFIED.replace("hypot(gamma, 3)", "gamma").replace("L2*sqrt(2)", "L2")
    table = read(text)
    robot = robot_from_table(table, frames="strict").robot
    file = describe(tmp_path, write_xacro(table, robot), '<link name="world"/>', call("seven", "p_", "world"))
    found = expand(processor, file, f"mdh2urdf_share:={CHECKOUT}")
    poses, alone = urdf_fk(found, {"p_j1": 0.5}), urdf_fk(write_urdf(robot, prefix="p_"), {"p_j1": 0.5})
    mount = poses["p_base"]
    for link, pose in alone.items():
        assert poses[link] == pytest.approx(mount @ pose, abs=1e-12)


def test_mock_hardware_comes_along_on_request(tmp_path):
    table = read(MODIFIED)
    robot = robot_from_table(table, frames="strict").robot
    root = ElementTree.fromstring(expanded(tmp_path, write_xacro(table, robot, ros2_control=True), call("seven", "p_")))
    [system] = root.iter("ros2_control")
    assert system.get("name") == "p_seven"
    assert [joint.get("name") for joint in system.iter("joint")] == ["p_j1", "p_j2", "p_j3", "p_j4", "p_j5"]


def test_what_urdf_cannot_hold_is_an_error():
    joint = Joint(name="j", type="revolute", parent="a", child="b", limits=Limits(lower=0.0))
    robot = Robot(name="bad", links=(Link(name="a"), Link(name="b")), joints=(joint,))
    with pytest.raises(Mdh2UrdfError) as caught:
        write_xacro(None, robot)
    assert str(caught.value) == "joint 'j': a revolute joint's <limit> needs upper, velocity, effort"
