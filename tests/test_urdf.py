"""Robots written as URDF."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from lxml import etree

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.origins import modified_origin
from mdh2urdf.robot import (
    Box,
    Calibration,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Joint,
    Limits,
    Link,
    Material,
    Mesh,
    Mimic,
    Robot,
    Safety,
    Shape,
    Sphere,
)
from mdh2urdf.se3 import IDENTITY, NO_ROTATION, X_AXIS, Transform
from mdh2urdf.table import ModifiedRow
from mdh2urdf.urdf.writer import (
    document,
    joint_element,
    limit_element,
    link_element,
    material_element,
    origin_element,
    robot_element,
    shape_element,
    write_urdf,
)
from oracles import position_error, rotation_error, rpy_matrix, urdf_fk
from strategies import angles, robots, transforms

GOLDEN = Path(__file__).parent / "golden"
LIMITS = Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)
GREY = Material(name="grey", rgba=(0.5, 0.5, 0.5, 1.0))
FINE = 1e-12
"""m and rad, over chains of up to six joints with lengths of up to 1 m."""


def everything() -> Robot:
    """A robot that has every element which the writer knows."""
    turned = Transform.from_xyz_rpy((0.1, -0.2, 0.3), (0.0, 0.0, math.pi / 2))
    arm = Link(
        name="arm",
        inertial=Inertial(
            mass=2.5,
            inertia=Inertia(ixx=0.1, ixy=-0.01, ixz=0.002, iyy=0.2, iyz=0.0, izz=0.3),
            origin=Transform(NO_ROTATION, (0.0, 0.0, 0.15)),
        ),
        visuals=(
            Shape(geometry=Mesh(filename="package://demo/meshes/arm.stl"), origin=turned, name="skin", material=GREY),
            Shape(geometry=Mesh(filename="arm & more.dae", scale=(0.001, 0.001, -0.001))),
            Shape(geometry=Box(size=(0.1, 0.2, 0.3)), material=Material(name="wood", texture="oak.png")),
        ),
        collisions=(
            Shape(geometry=Cylinder(radius=0.05, length=0.4), origin=turned),
            Shape(geometry=Sphere(radius=0.06), name="knob"),
        ),
        note="mass data from the data sheet",
    )
    joints = (
        Joint(
            name="shoulder",
            type="revolute",
            parent="base",
            child="arm",
            origin=turned,
            limits=LIMITS,
            dynamics=Dynamics(damping=0.7, friction=0.1),
            safety=Safety(k_velocity=10.0, k_position=100.0, soft_lower=-0.9, soft_upper=1.9),
            calibration=Calibration(rising=0.25, falling=-0.25),
            note="a -- b",
        ),
        Joint(
            name="slide",
            type="prismatic",
            parent="arm",
            child="carriage",
            axis=(0.0, 0.0, -1.0),
            limits=Limits(lower=0.0, upper=0.2, velocity=0.1, effort=200.0),
            mimic=Mimic(joint="shoulder", multiplier=-0.5, offset=0.01),
        ),
        Joint(name="wheel", type="continuous", parent="arm", child="disc", axis=X_AXIS, limits=LIMITS),
        Joint(name="flange", type="fixed", parent="disc", child="tool", limits=LIMITS, axis=X_AXIS),
        Joint(name="loose", type="floating", parent="base", child="ball", limits=LIMITS, axis=X_AXIS),
        Joint(name="table", type="planar", parent="base", child="puck"),
    )
    links = (Link(name="base"), arm, *(Link(name=name) for name in ("carriage", "disc", "tool", "ball", "puck")))
    return Robot(name="everything", links=links, joints=joints, materials=(GREY,))


def one_joint(**fields) -> Robot:
    joint = Joint(**{"name": "j", "type": "revolute", "parent": "a", "child": "b", "limits": LIMITS, **fields})
    return Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(joint,))


def text_of(element) -> str:
    return etree.tostring(element, encoding="unicode")


def test_every_element_is_written_as_in_hand_written_files():
    text = write_urdf(everything(), header=["everything", "", "written -- by a test -"])
    assert text == (GOLDEN / "everything.urdf").read_text()


def test_a_one_line_header_stays_on_its_line():
    text = write_urdf(Robot(name="r", links=(Link(name="a"),), joints=()), header=["by --nobody-"])
    assert text == '<?xml version="1.0"?>\n<!-- by - -nobody-  -->\n<robot name="r">\n  <link name="a"/>\n</robot>\n'


def test_a_file_without_header_has_no_comment():
    assert document(etree.Element("robot")) == '<?xml version="1.0"?>\n<robot/>\n'


def test_an_identity_origin_is_written():
    assert text_of(origin_element(IDENTITY)) == '<origin xyz="0 0 0" rpy="0 0 0"/>'


@pytest.mark.parametrize(
    ("row", "text"),
    [
        (ModifiedRow(a_prev=0, alpha_prev=math.pi / 2, d=0.1, theta=0), 'xyz="0 -0.1 0" rpy="1.5707963267948966 0 0"'),
        (ModifiedRow(a_prev=0, alpha_prev=math.pi, d=0.1, theta=0), 'xyz="0 0 -0.1" rpy="3.141592653589793 0 0"'),
        (ModifiedRow(a_prev=0.05, alpha_prev=0, d=-0.0, theta=math.pi), 'xyz="0.05 0 0" rpy="0 0 3.141592653589793"'),
    ],
)
def test_no_negative_zero_and_no_residue_is_written(row, text):
    assert text_of(origin_element(modified_origin(row))) == f"<origin {text}/>"


def test_of_two_triples_of_one_rotation_the_one_nearer_to_the_reference_is_written():
    first = (-math.pi / 2, math.pi / 2, 0.0)
    second = (0.0, math.pi / 2, math.pi / 2)
    pose = Transform.from_xyz_rpy((0, 0, 0), first)
    assert origin_element(pose, first).get("rpy") == "-1.5707963267948966 1.5707963267948966 0"
    assert origin_element(pose, second).get("rpy") == "0 1.5707963267948966 1.5707963267948966"


@given(transforms, angles, angles)
def test_the_text_of_an_origin_is_its_pose(pose, pitch, yaw):
    origin = origin_element(pose, (0.0, pitch, yaw))
    rpy = [float(part) for part in origin.get("rpy").split()]
    assert tuple(float(part) for part in origin.get("xyz").split()) == pose.translation
    assert rotation_error(rpy_matrix(*rpy), pose.matrix()) < FINE


def test_a_matrix_that_is_no_rotation_is_a_bug_and_not_written():
    stretched = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0 + 1e-13))
    with pytest.raises(AssertionError, match="rpy 0 0 0 reads back as"):
        origin_element(Transform(stretched))


def test_a_point_that_is_no_number_is_a_bug_and_not_written():
    with pytest.raises(AssertionError, match="xyz nan 0 0 does not read back as"):
        origin_element(Transform(NO_ROTATION, (math.nan, 0.0, 0.0)))


def test_an_infinite_limit_is_a_bug_and_not_written():
    with pytest.raises(AssertionError, match="inf must not get into a robot"):
        write_urdf(one_joint(limits=replace(LIMITS, effort=math.inf)))


def test_a_prefix_goes_before_links_and_joints_but_not_before_robot_and_materials():
    root = robot_element(everything(), prefix="left_")
    assert root.get("name") == "everything"
    assert {link.get("name")[:5] for link in root.iter("link", "joint")} == {"left_"}
    assert {end.get("link")[:5] for end in root.iter("parent", "child")} == {"left_"}
    assert root.find("joint/mimic").get("joint") == "left_shoulder"
    assert {material.get("name") for material in root.iter("material")} == {"grey", "wood"}


def test_extra_elements_are_copied_to_the_end():
    parent = etree.XML("<all><gazebo/><mujoco/></all>")
    text = write_urdf(Robot(name="r", links=(Link(name="a"),), joints=()), extra=list(parent))
    assert text.endswith('  <link name="a"/>\n  <gazebo/>\n  <mujoco/>\n</robot>\n')
    assert len(parent) == 2


def test_a_joint_takes_origin_and_limit_ready_made():
    origin, limit = etree.Element("origin", xyz="${x} 0 0"), etree.Element("limit", effort="${e}")
    joint = joint_element(one_joint().joints[0], prefix="${prefix}", origin=origin, limit=limit)
    assert text_of(joint) == (
        '<joint name="${prefix}j" type="revolute"><origin xyz="${x} 0 0"/><parent link="${prefix}a"/>'
        '<child link="${prefix}b"/><axis xyz="0 0 1"/><limit effort="${e}"/></joint>'
    )


def test_a_continuous_joint_has_effort_and_velocity_or_no_limit():
    joint = one_joint(type="continuous").joints[0]
    assert text_of(limit_element(joint)) == '<limit effort="4" velocity="3"/>'
    assert limit_element(replace(joint, limits=Limits(lower=-1.0, upper=1.0))) is None
    assert limit_element(replace(joint, limits=None)) is None


def test_limits_are_written_to_the_last_digit():
    limit = limit_element(one_joint(limits=replace(LIMITS, lower=-math.pi, upper=math.pi)).joints[0])
    assert (limit.get("lower"), limit.get("upper")) == ("-3.141592653589793", "3.141592653589793")


def test_dynamics_and_calibration_without_numbers_are_not_written():
    text = write_urdf(one_joint(dynamics=Dynamics(), calibration=Calibration()))
    assert "dynamics" not in text
    assert "calibration" not in text


def test_notes_are_comments_at_the_top_of_their_element():
    link = link_element(Link(name="a", note="ends in -"))
    joint = joint_element(one_joint(note="two -- hyphens\x00").joints[0])
    assert text_of(link) == '<link name="a"><!-- ends in -  --></link>'
    assert text_of(joint)[:57] == '<joint name="j" type="revolute"><!-- two - - hyphens --><'


def test_materials_and_shapes_have_only_what_is_known():
    assert text_of(material_element(Material(name="m"))) == '<material name="m"/>'
    shape = shape_element("visual", Shape(geometry=Sphere(radius=0.0)))
    assert text_of(shape) == (
        '<visual><origin xyz="0 0 0" rpy="0 0 0"/><geometry><sphere radius="0"/></geometry></visual>'
    )


def test_joints_whose_limits_are_not_complete_are_all_told():
    ends = {"parent": "a"}
    joints = (
        Joint(name="r", type="revolute", child="b", **ends),
        Joint(name="p", type="prismatic", child="c", limits=Limits(lower=0.0, upper=1.0, effort=1.0), **ends),
        Joint(name="c", type="continuous", child="d", limits=Limits(velocity=2.0), **ends),
        Joint(name="t", type="planar", child="e", limits=Limits(effort=2.0), **ends),
        Joint(name="fine", type="continuous", child="f", limits=Limits(), **ends),
    )
    robot = Robot(name="r", links=tuple(Link(name=name) for name in "abcdef"), joints=joints)
    with pytest.raises(Mdh2UrdfError) as error:
        write_urdf(robot)
    assert str(error.value).splitlines() == [
        "joint 'r': a revolute joint's <limit> needs lower, upper, velocity, effort",
        "joint 'p': a prismatic joint's <limit> needs velocity",
        "joint 'c': a continuous joint's <limit> needs effort",
        "joint 't': a planar joint's <limit> needs velocity",
    ]


def test_names_that_xml_cannot_hold_are_all_told():
    bad = Material(name="m\x01", texture="t\x02")
    links = (
        Link(name="a\x00", visuals=(Shape(geometry=Mesh(filename="f\ud800"), name="s\x03", material=bad),)),
        Link(name="b"),
    )
    joint = Joint(name="j\ufffe", type="continuous", parent="a\x00", child="b", mimic=Mimic(joint="k\x1f"))
    with pytest.raises(Mdh2UrdfError) as error:
        write_urdf(Robot(name="r\x07", links=links, joints=(joint,), materials=(Material(name=""),)), prefix="p\x08")
    assert str(error.value).splitlines() == [
        "prefix 'p\\x08' holds '\\x08', which XML cannot hold",
        "robot name 'r\\x07' holds '\\x07', which XML cannot hold",
        "link name 'a\\x00' holds '\\x00', which XML cannot hold",
        "joint name 'j\\ufffe' holds '\\ufffe', which XML cannot hold",
        "shape name 's\\x03' holds '\\x03', which XML cannot hold",
        "mesh file name 'f\\ud800' holds '\\ud800', which XML cannot hold",
        "mimicked joint name 'k\\x1f' holds '\\x1f', which XML cannot hold",
        "material name 'm\\x01' holds '\\x01', which XML cannot hold",
        "texture file name 't\\x02' holds '\\x02', which XML cannot hold",
    ]


def test_empty_names_are_told():
    robot = Robot(
        name="",
        links=(Link(name=""), Link(name="b")),
        joints=(Joint(name="", type="fixed", parent="", child="b"),),
    )
    with pytest.raises(Mdh2UrdfError) as error:
        write_urdf(robot)
    assert str(error.value) == "a robot name is empty\na link name is empty\na joint name is empty"


def test_names_keep_whatever_xml_can_hold():
    robot = Robot(name="<&\">'", links=(Link(name="a\tb\nc\r\N{DEGREE SIGN}\N{ROBOT FACE}"),), joints=())
    assert etree.fromstring(write_urdf(robot))[0].get("name") == robot.links[0].name


@settings(max_examples=50)
@given(robots())
def test_the_text_moves_as_the_robot_does(robot):
    q = {joint.name: 0.3 + 0.7 * index for index, joint in enumerate(robot.joints)}
    read = urdf_fk(write_urdf(robot), q)
    for link, pose in robot.link_poses(q).items():
        scale = max(1.0, *map(abs, pose.translation))
        assert position_error(pose.matrix(), read[link]) <= FINE * scale
        assert rotation_error(pose.matrix(), read[link]) <= FINE


def test_writing_imports_no_numpy():
    code = (
        "import sys, mdh2urdf.urdf.writer, mdh2urdf.urdf.reader; print({'numpy', 'xacro', 'sympy'} & set(sys.modules))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "set()\n"
