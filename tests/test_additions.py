import math

import numpy as np
import pytest
from lxml import etree

from mdh2urdf.additions import WATER, with_placeholder_inertia, with_sticks, with_world
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Box, Inertia, Inertial, Joint, Limits, Link, Mimic, Robot, Shape
from mdh2urdf.ros2_control import ros2_control_element
from mdh2urdf.se3 import Transform

MASS = Inertial(mass=1.0, inertia=Inertia(ixx=1, ixy=0, ixz=0, iyy=1, iyz=0, izz=1))


def arm(*origins, **links):
    joints = tuple(
        Joint(name=f"joint{i}", type="revolute", parent=f"l{i - 1}", child=f"l{i}", origin=origin)
        for i, origin in enumerate(origins, 1)
    )
    return Robot(
        name="arm",
        links=tuple(Link(name=f"l{i}", **links.get(f"l{i}", {})) for i in range(len(origins) + 1)),
        joints=joints,
    )


OFFSET = Transform.from_xyz_rpy((0.3, 0.0, 0.0), (math.pi / 2, 0.0, 0.0))


def test_a_world_link_carries_the_old_root():
    robot = with_world(arm(OFFSET))
    assert robot.root == "world"
    assert (robot.joints[0].name, robot.joints[0].type, robot.joints[0].child) == ("world_joint", "fixed", "l0")


def test_a_second_world_link_is_refused():
    with pytest.raises(Mdh2UrdfError, match=r"^the robot has a link 'world' already; --world adds it only once$"):
        with_world(with_world(arm(OFFSET)))


def test_placeholder_spheres_go_to_links_without_mass_but_not_to_the_root():
    robot = with_placeholder_inertia(arm(OFFSET, OFFSET, l1={"inertial": MASS}), 2.0)
    assert robot.link("l0").inertial is None
    assert robot.link("l1").inertial is MASS
    sphere = robot.link("l2")
    radius = (3 * 2.0 / WATER / (4 * math.pi)) ** (1 / 3)
    assert sphere.inertial.inertia.ixx == pytest.approx(0.4 * 2.0 * radius**2)
    assert sphere.inertial.inertia.ixx == sphere.inertial.inertia.izz
    assert sphere.note == "placeholder, not measured: a solid sphere of 2 kg at the link's origin"


@pytest.mark.parametrize("mass", [0.0, -1.0, math.nan, math.inf])
def test_a_placeholder_without_mass_is_refused(mass):
    with pytest.raises(Mdh2UrdfError, match="--placeholder-inertia wants a positive mass in kg"):
        with_placeholder_inertia(arm(OFFSET), mass)


def ends(shape):
    """Both ends of a cylinder in its link's frame."""
    half = shape.geometry.length / 2
    return [np.array(shape.origin.apply((0.0, 0.0, sign * half))) for sign in (-1, 1)]


def drawn(robot, link, colour):
    return [shape for shape in robot.link(link).visuals if shape.material.name == colour]


def test_sticks_run_along_the_common_normal_and_the_axis():
    origin = Transform.from_xyz_rpy((0.3, -0.2, 0.0), (math.pi / 2, 0.0, 0.0))  # a = 0.3, alpha = 90 degrees, d = 0.2
    robot = with_sticks(arm(origin))
    (normal,) = drawn(robot, "l0", "common_normal")
    assert np.allclose(sorted(map(tuple, ends(normal))), [(0, 0, 0), (0.3, 0, 0)], atol=1e-15)
    (along,) = drawn(robot, "l1", "along_axis")
    assert np.allclose(sorted(map(tuple, ends(along))), [(0, 0, -0.2), (0, 0, 0)], atol=1e-15)
    (mark,) = drawn(robot, "l1", "joint_axis")
    assert np.allclose(mark.origin.rotation, np.eye(3))
    assert {material.name for material in robot.materials} == {"common_normal", "along_axis", "joint_axis"}


def test_sticks_are_never_without_length_and_leave_drawn_links_alone():
    box = (Shape(geometry=Box(size=(1, 1, 1))),)
    robot = with_sticks(arm(Transform(), Transform(), l1={"visuals": box}))
    assert robot.link("l0").visuals == ()
    assert robot.link("l1").visuals == box
    assert [shape.material.name for shape in robot.link("l2").visuals] == ["joint_axis"]
    assert with_sticks(robot).materials == robot.materials


def test_a_stick_along_y_has_a_proper_frame():
    robot = with_sticks(arm(Transform.from_xyz_rpy((0.0, 0.4, 0.0), (0.0, 0.0, 0.0))))
    (normal,) = drawn(robot, "l0", "common_normal")
    assert np.linalg.det(np.array(normal.origin.rotation)) == pytest.approx(1.0)
    assert np.allclose(sorted(map(tuple, ends(normal))), [(0, 0, 0), (0, 0.4, 0)], atol=1e-15)


def moving(name, parent, child, **fields):
    return Joint(name=name, parent=parent, child=child, **{"type": "revolute", **fields})


def test_ros2_control_commands_driven_joints_and_reads_all_that_move():
    robot = Robot(
        name="arm",
        links=tuple(Link(name=name) for name in "abcdefg"),
        joints=(
            moving("driven", "a", "b", limits=Limits(lower=0.5, upper=1.0)),
            moving("follower", "b", "c", mimic=Mimic(joint="driven", multiplier=-2.0, offset=0.1)),
            moving("below", "c", "d", limits=Limits(lower=-2.0, upper=-0.25)),
            moving("endless", "d", "e", type="continuous", limits=Limits(velocity=1.0, effort=1.0)),
            moving("weld", "e", "f", type="fixed"),
            moving("open", "f", "g"),
        ),
    )
    element = ros2_control_element(robot, prefix="left_")
    assert element.attrib == {"name": "left_arm", "type": "system"}
    assert element.findtext("hardware/plugin") == "mock_components/GenericSystem"
    found = {
        joint.get("name"): (
            len(joint.findall("command_interface")),
            [state.get("name") for state in joint.findall("state_interface")],
            joint.findtext("state_interface/param"),
        )
        for joint in element.findall("joint")
    }
    states = ["position", "velocity"]
    assert found == {
        "left_driven": (1, states, "0.5"),
        "left_follower": (0, states, "-0.9"),
        "left_below": (1, states, "-0.25"),
        "left_endless": (1, states, "0"),
        "left_open": (1, states, "0"),
    }
    assert b"command_interface" in etree.tostring(element)
