"""URDF text read as robots: strictly, with all problems at once, and with the quirks of the files that exist."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Calibration, Dynamics, Inertia, Inertial, Limits, Link, Material, Mesh, Robot
from mdh2urdf.se3 import IDENTITY, ORIGIN, X_AXIS, Z_AXIS, Transform, angle_between_rotations
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.urdf.writer import write_urdf
from mdh2urdf.urdf.xml import MAX_URDF_CHARACTERS
from oracles import position_error, rotation_error, urdf_fk
from strategies import robots
from test_urdf import LIMITS, everything, one_joint

BAD = Path(__file__).parent / "data" / "bad_urdf"
MESSAGES = (BAD / "messages.txt").read_text().splitlines()
ROUND_TRIP = 2e-15
"""rad: an rpy triple and back, each with its rounding errors."""

LIMIT = '<limit lower="-1" upper="1" effort="1" velocity="1"/>'


def arm(body: str = LIMIT, *, kind: str = "revolute", more: str = "") -> str:
    """Two links and a joint, whose inner elements stand in line 4."""
    return (
        f'<robot name="r">\n<link name="a"/><link name="b"/>\n<joint name="j" type="{kind}">\n{body}\n'
        f'<parent link="a"/><child link="b"/></joint>\n{more}</robot>'
    )


def joint_of(body: str = LIMIT, *, kind: str = "revolute"):
    """The joint of `arm`, which must read without findings."""
    robot, findings = read_urdf(arm(body, kind=kind))
    assert findings == []
    return robot.joints[0]


def notes_of(text: str) -> list[str]:
    """Findings with their rules."""
    return [f"{finding.rule}: {finding}" for finding in read_urdf(text, file="f")[1]]


def without_poses(robot: Robot) -> tuple[Robot, list[Transform]]:
    """A robot for comparison by equality: its poses apart, notes and references away."""
    poses: list[Transform] = []

    def plain(owner, **fields):
        poses.append(owner.origin)
        return replace(owner, origin=IDENTITY, **fields)

    links = tuple(
        replace(
            link,
            inertial=link.inertial and plain(link.inertial),
            visuals=tuple(plain(shape) for shape in link.visuals),
            collisions=tuple(plain(shape) for shape in link.collisions),
            note="",
        )
        for link in robot.links
    )
    joints = tuple(plain(joint, reference_rpy=ORIGIN, note="") for joint in robot.joints)
    return replace(robot, links=links, joints=joints, _joint_of_child={}, _link={}), poses


def assert_same(read: Robot, written: Robot) -> None:
    (read, read_poses), (written, written_poses) = without_poses(read), without_poses(written)
    assert read == written
    for one, other in zip(read_poses, written_poses, strict=True):
        assert one.translation == other.translation
        assert angle_between_rotations(one.rotation, other.rotation) <= ROUND_TRIP


# what we write


@given(robots())
def test_what_is_written_is_read_back(robot):
    read, findings = read_urdf(write_urdf(robot))
    assert_same(read, robot)
    assert [finding for finding in findings if finding.rule != "undefined-material"] == []


def test_every_element_is_read_back():
    robot = everything()
    joints = [replace(joint, limits=None, axis=Z_AXIS) for joint in robot.joints[3:]]
    wheel = replace(robot.joints[2], limits=Limits(velocity=3.0, effort=4.0))
    read, findings = read_urdf(write_urdf(robot))
    assert_same(read, replace(robot, joints=(*robot.joints[:2], wheel, *joints), _joint_of_child={}, _link={}))
    assert findings == []


@settings(max_examples=50)
@given(robots())
def test_a_read_robot_moves_as_the_text_does(robot):
    text = write_urdf(robot)
    q = {joint.name: 0.2 + 0.4 * index for index, joint in enumerate(robot.joints)}
    oracle = urdf_fk(text, q)
    for link, pose in read_urdf(text)[0].link_poses(q).items():
        scale = max(1.0, *map(abs, pose.translation))
        assert position_error(pose.matrix(), oracle[link]) <= 1e-12 * scale
        assert rotation_error(pose.matrix(), oracle[link]) <= 1e-12


@pytest.mark.parametrize("rpy", [(0.1, math.pi / 2, 0.3), (-math.pi / 2, -math.pi / 2, 1.0), (0.1, 2.0, 0.3)])
def test_the_rpy_of_a_joint_in_gimbal_lock_or_beyond_is_kept_for_writing(rpy):
    robot = one_joint(origin=Transform.from_xyz_rpy((0, 0, 0), rpy), reference_rpy=rpy)
    joint = read_urdf(write_urdf(robot))[0].joints[0]
    assert joint.reference_rpy == pytest.approx(rpy, abs=ROUND_TRIP)


def test_other_joints_keep_the_reference_of_zero():
    robot = one_joint(origin=Transform.from_xyz_rpy((0, 0, 0), (0.1, 1.5, 0.3)))
    assert read_urdf(write_urdf(robot))[0].joints[0].reference_rpy == ORIGIN


def test_a_rounded_quarter_turn_is_read_as_an_exact_one():
    origin = joint_of(f'<origin rpy="1.5707963267948966 0 0"/>{LIMIT}').origin
    assert origin.rotation == ((1, 0, 0), (0, 0, -1), (0, 1, 0))


def test_five_digits_of_pi_stay_what_they_are():
    origin = joint_of(f'<origin rpy="0 0 3.1416"/>{LIMIT}').origin
    assert origin.rotation[0] == (math.cos(3.1416), -math.sin(3.1416), 0)


# the quirks of files that exist


def test_the_default_axis_is_x():
    assert joint_of().axis == X_AXIS


def test_an_axis_is_read_with_length_1():
    assert joint_of(f'<axis xyz="0 0.6 -0.8"/>{LIMIT}').axis == (0.0, 0.6, -0.8)
    assert joint_of(f'<axis xyz="0.57735 0.57735 0.57735"/>{LIMIT}').axis == pytest.approx([1 / math.sqrt(3)] * 3)
    text = arm(f'<axis xyz="0 0 -2"/>{LIMIT}')
    assert read_urdf(text)[0].joints[0].axis == (0.0, 0.0, -1.0)
    assert notes_of(text) == ["axis-length: f:4: joint[j].axis: xyz '0 0 -2': has length 2, is read with length 1"]


@pytest.mark.parametrize("length", ["1e-200", "1e200"])
def test_the_length_of_an_axis_neither_underflows_nor_overflows(length):
    assert read_urdf(arm(f'<axis xyz="{length} 0 0"/>{LIMIT}'))[0].joints[0].axis == X_AXIS


def test_an_origin_that_is_missing_or_lacks_a_part_is_zero_there():
    assert joint_of().origin == IDENTITY
    assert joint_of(f"<origin/>{LIMIT}").origin == IDENTITY
    assert joint_of(f'<origin xyz="1 2 3"/>{LIMIT}').origin.translation == (1, 2, 3)
    assert joint_of(f'<origin rpy="0 0 0.5"/>{LIMIT}').origin == Transform.from_xyz_rpy((0, 0, 0), (0, 0, 0.5))


def test_numbers_may_have_any_blanks_between():
    assert joint_of(f'<origin xyz="\n 1.\t+.5\r\n  -1E-3 "/>{LIMIT}').origin.translation == (1, 0.5, -0.001)


def test_a_quaternion_of_urdf_1_1_is_read():
    origin = joint_of(f'<origin xyz="1 0 0" quat_xyzw="0 0 2 2"/>{LIMIT}').origin
    assert origin.translation == (1, 0, 0)
    assert angle_between_rotations(origin.rotation, ((0, -1, 0), (1, 0, 0), (0, 0, 1))) < ROUND_TRIP


def test_joints_and_links_may_stand_in_any_order():
    text = (
        '<robot name="r"><joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint><link name="c"/>'
        '<joint name="j" type="fixed"><child link="b"/><parent link="a"/></joint><link name="b"/>'
        '<link name="a"/></robot>'
    )
    robot, findings = read_urdf(text)
    assert (robot.root, [joint.name for joint in robot.joints], findings) == ("a", ["k", "j"], [])


def test_what_a_fixed_joint_says_of_motion_is_skipped():
    joint = joint_of('<axis xyz="0 0 0"/><limit lower="x"/><mimic joint="?"/><dynamics damping=""/>', kind="fixed")
    assert (joint.axis, joint.limits, joint.mimic, joint.dynamics) == (Z_AXIS, None, None, None)


def test_revolute_and_prismatic_joints_without_limit_are_read_with_a_finding():
    assert read_urdf(arm(""))[0].joints[0].limits is None
    assert notes_of(arm("")) == [
        "missing-limits: f:3: joint[j]: a revolute joint without <limit>; ROS refuses the file"
    ]
    assert joint_of("", kind="continuous").limits is None


def test_a_limit_that_lacks_effort_velocity_or_an_end_is_read_with_a_finding():
    text = arm("<limit lower='-1'/>", kind="prismatic")
    assert read_urdf(text)[0].joints[0].limits == Limits(lower=-1.0, upper=0.0)
    assert notes_of(text) == [
        "limit-incomplete: f:4: joint[j].limit: <limit> has no effort and no velocity; ROS refuses the file",
        "limit-default: f:4: joint[j].limit: <limit> has no upper; URDF takes 0",
    ]


@pytest.mark.parametrize("kind", ["continuous", "floating", "planar"])
def test_the_range_of_a_joint_that_has_none_is_left_out(kind):
    text = arm('<limit lower="-6.28" upper="6.28" effort="7" velocity="8"/>', kind=kind)
    assert read_urdf(text)[0].joints[0].limits == Limits(effort=7.0, velocity=8.0)
    message = f"joint[j].limit: a {kind} joint has no range; lower and upper are left out"
    assert notes_of(text) == [f"range-left-out: f:4: {message}"]


def test_dynamics_calibration_and_mimic_may_be_partial():
    joint = joint_of(f'{LIMIT}<dynamics friction="2"/><calibration falling="3"/>')
    assert (joint.dynamics, joint.calibration) == (Dynamics(friction=2.0), Calibration(falling=3.0))
    joint = joint_of(f"{LIMIT}<dynamics/><calibration/>")
    assert (joint.dynamics, joint.calibration) == (None, None)


def test_a_mimic_of_a_fixed_joint_is_left_out():
    text = (
        '<robot name="r"><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="f" type="fixed"><parent link="a"/><child link="b"/></joint>\n'
        '<joint name="j" type="continuous"><parent link="b"/><child link="c"/><mimic joint="f"/></joint></robot>'
    )
    robot, findings = read_urdf(text, file="f")
    assert [joint.mimic for joint in robot.joints] == [None, None]
    assert [str(finding) for finding in findings] == [
        "f:2: joint[j].mimic: joint 'f' is fixed; this one is read as moving freely"
    ]


def test_a_mimic_of_a_joint_that_does_not_exist_is_left_out():
    text = arm(f'{LIMIT}<mimic joint="index_q1" multiplier="1.05"/>')
    assert read_urdf(text)[0].joints[0].mimic is None
    assert notes_of(text) == [
        "unknown-mimic: f:3: joint[j].mimic: there is no joint 'index_q1'; this one is read as moving freely"
    ]


def test_a_mass_without_tensor_is_left_out():
    text = '<robot name="r">\n<link name="a">\n<inertial>\n<mass value="1"/></inertial></link></robot>'
    assert read_urdf(text)[0].links[0].inertial is None
    assert notes_of(text) == [
        "no-inertia: f:3: link[a].inertial: <inertial> has no <inertia>; the link is read without mass data"
    ]


def test_a_root_link_keeps_its_mass_data():
    inertia = '<inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/>'
    text = f'<robot name="r"><link name="base"><inertial><mass value="1"/>{inertia}</inertial></link></robot>'
    tensor = Inertia(ixx=0.01, ixy=0.0, ixz=0.0, iyy=0.01, iyz=0.0, izz=0.01)
    assert read_urdf(text)[0].links == (Link(name="base", inertial=Inertial(mass=1.0, inertia=tensor)),)
    assert notes_of(text) == []


def test_of_two_elements_where_one_belongs_the_first_is_read():
    text = arm(f'<origin xyz="1 0 0"/>\n<origin xyz="2 0 0"/>{LIMIT}')
    assert read_urdf(text)[0].joints[0].origin.translation == (1, 0, 0)
    assert notes_of(text) == [
        "second-element: f:5: joint[j].origin: a second <origin> is not read; the first is in line 4"
    ]
    mass = '<inertial><mass value="{}"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'
    text = f'<robot name="r"><link name="a">\n{mass.format(1)}\n{mass.format(2)}</link></robot>'
    assert read_urdf(text)[0].links[0].inertial.mass == 1.0
    assert notes_of(text) == [
        "second-element: f:3: link[a].inertial: a second <inertial> is not read; the first is in line 2"
    ]


def test_elements_of_known_programs_are_skipped_without_a_word():
    more = (
        '<transmission name="t"><joint name="j"/></transmission><gazebo reference="a"/><ros2_control name="c"/>'
        '<mujoco/><sensor name="s"/><x:drake xmlns:x="http://drake.mit.edu" x:a="1"/>'
    )
    assert notes_of(arm(more=more)) == []


def test_unknown_elements_and_attributes_are_counted_once_a_kind():
    body = '<limit lower="-1" upper="1" effort="1" velocity="1" start_stop="3"/><property ratio="121"/>'
    more = '<dh_type type="modified"/>\n<link name="c"><contact/><contact/></link>\n' + (
        '<joint name="k" type="fixed"><parent link="b"/><child link="c"/><property/></joint>'
    )
    assert notes_of(arm(body, more=more)) == [
        "unknown-element: f:4: <property> in <joint> is not read (2 times)",
        "unknown-attribute: f:4: attribute 'start_stop' of <limit> is not read",
        "unknown-element: f:6: <dh_type> in <robot> is not read",
        "unknown-element: f:7: <contact> in <link> is not read (2 times)",
    ]


def test_attributes_of_other_namespaces_are_skipped():
    assert notes_of('<robot name="r" xmlns:x="x"><link name="a" x:note="1"/></robot>') == []


def test_text_between_elements_is_noted():
    text = '<robot name="r">/>\n<link name="a">fine</link>\n<link name="b"/>/>' + (
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
    )
    assert notes_of(text) == [
        "stray-text: f:1: text in <robot> is not read (2 times)",
        "stray-text: f:2: text in <link> is not read",
    ]


def test_an_unknown_shape_is_left_out():
    shape = '<collision><geometry><capsule radius="1" length="2"/></geometry></collision>'
    text = f'<robot name="r"><link name="a">{shape}</link></robot>'
    assert read_urdf(text)[0].links == (Link(name="a"),)
    assert notes_of(text) == ["unknown-element: f:1: <capsule> in <geometry> is not read"]


def test_materials_are_read_with_findings_where_ros_refuses_them():
    text = """<robot name="r">
        <material name="red"><color rgba="255 0 0 1"/></material>
        <link name="a">
        <visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>
        <visual><geometry><sphere radius="1"/></geometry><material name="nobody"/></visual>
        <visual><geometry><sphere radius="1"/></geometry><material name="nobody"/></visual>
        <visual><geometry><sphere radius="1"/></geometry><material><texture/></material></visual>
        <visual><geometry><sphere radius="1"/></geometry><material name=""/></visual></link></robot>"""
    robot, _ = read_urdf(text)
    assert robot.materials == (Material(name="red", rgba=(255.0, 0.0, 0.0, 1.0)),)
    assert [shape.material.name for shape in robot.links[0].visuals] == ["red", "nobody", "nobody", "", ""]
    assert notes_of(text) == [
        "colour-range: f:2: robot.material.color: rgba '255 0 0 1': colours go from 0 to 1",
        "undefined-material: f:3: link[a]: material 'nobody' is defined nowhere; ROS refuses the file",
        "unnamed-material: f:7: link[a].visual.material: <material> has no attribute 'name'; ROS refuses the file",
    ]


def test_a_mesh_keeps_its_name_and_scale():
    mesh = '<mesh filename="package://x/a.stl" scale="0.001 0.001 0.001"/>'
    text = f'<robot name="r"><link name="a"><visual><geometry>{mesh}</geometry></visual></link></robot>'
    geometry = read_urdf(text)[0].links[0].visuals[0].geometry
    assert geometry == Mesh(filename="package://x/a.stl", scale=(0.001, 0.001, 0.001))


def test_a_default_namespace_is_no_obstacle():
    text = arm().replace('name="r"', 'name="r" xmlns="http://www.ros.org"')
    assert read_urdf(text) == read_urdf(arm())


def test_a_declared_encoding_a_byte_order_mark_and_comments_are_no_obstacle():
    text = '\ufeff<?xml version="1.0" encoding="latin-1"?>\n<!-- <!DOCTYPE x> -->\n<?pi?>\n' + (
        '<robot name="\N{DEGREE SIGN}"><!-- c --><?pi?><link name="a"/></robot>'
    )
    assert read_urdf(text)[0].name == "\N{DEGREE SIGN}"


def test_leftovers_of_xacro_that_change_nothing_are_skipped():
    leftovers = '<xacro:property name="w" value=".2"/><xacro:arg name="n" default=""/>'
    text = f'<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">{leftovers}<link name="a"/></robot>'
    assert notes_of(text) == []


def test_xinclude_is_not_followed():
    include = '<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="messages.txt" parse="text"/>'
    assert notes_of(f'<robot name="r">\n{include}<link name="a"/></robot>') == [
        "unknown-element: f:2: XInclude in <robot> is not read"
    ]


def test_lines_beyond_65535_are_told_to_within_one():
    text = '<robot name="r">' + "\n" * 70_000 + '<link/>\n<link name=""/></robot>'
    with pytest.raises(Mdh2UrdfError) as error:
        read_urdf(text)
    assert [problem.line for problem in error.value.problems] == pytest.approx([70_001, 70_002], abs=1)


# bad files


@pytest.mark.parametrize("path", sorted(BAD.glob("*.urdf")), ids=lambda path: path.stem)
def test_every_problem_of_a_bad_file_is_told_in_one_line(path):
    with pytest.raises(Mdh2UrdfError) as error:
        read_urdf(path.read_text(), file=path.name)
    assert str(error.value).splitlines() == [line for line in MESSAGES if line.startswith(f"{path.name}:")]


def test_every_message_belongs_to_a_bad_file():
    assert {line.partition(":")[0] for line in MESSAGES} == {path.name for path in BAD.glob("*.urdf")}


def test_nesting_without_end_is_refused():
    with pytest.raises(Mdh2UrdfError, match=r"^f:1:[0-9]+: is not well-formed XML: Excessive depth in document"):
        read_urdf('<robot name="r">' + "<a>" * 10_000, file="f")


@pytest.mark.parametrize(
    "text",
    [
        '<robot name="r">' + '<link name="x"/>' * (50_000_000 // 16),
        "<!--x-->" * 2_000_000,
        "<!DOCTYPE r [" + " " * (MAX_URDF_CHARACTERS - 100),
        '<robot name="r">' + "x" * (MAX_URDF_CHARACTERS - 100),
        (BAD / "billion_laughs.urdf").read_text(),
    ],
    ids=["50 MB", "comments", "doctype", "text", "billion laughs"],
)
def test_hostile_texts_are_refused_quickly_in_one_line(text):
    start = time.process_time()
    with pytest.raises(Mdh2UrdfError) as error:
        read_urdf(text, file="f")
    assert time.process_time() - start < 3.0
    assert len(str(error.value).splitlines()) == 1
    assert len(str(error.value)) < 200


def test_a_surrogate_is_an_error_of_the_text():
    with pytest.raises(Mdh2UrdfError, match=r"^f:1:[0-9]+: is not well-formed XML: "):
        read_urdf('<robot name="\ud800"/>', file="f")


def test_limits_are_read_to_the_last_digit():
    assert read_urdf(write_urdf(one_joint(limits=replace(LIMITS, upper=math.pi))))[0].joints[0].limits == replace(
        LIMITS, upper=math.pi
    )
