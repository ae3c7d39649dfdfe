"""The ``<ros2_control>`` block of a robot, with mock hardware."""

from __future__ import annotations

from lxml import etree

from mdh2urdf.home import home_values
from mdh2urdf.robot import MOVING, Joint, Robot
from mdh2urdf.text import number

MOCK_HARDWARE = "mock_components/GenericSystem"


def ros2_control_element(robot: Robot, *, prefix: str = "") -> etree._Element:
    """A ros2_control system with a position command for every driven joint, and state for all that move.

    Joints that mimic another, and those that follow in a loop, have no command. The joints start in the home
    pose (`home.home_values`).
    """
    system = etree.Element("ros2_control", name=f"{prefix}{robot.name}", type="system")
    hardware = etree.SubElement(system, "hardware")
    etree.SubElement(hardware, "plugin").text = MOCK_HARDWARE
    start = home_values(robot)
    driven = {joint.name for joint in driven_joints(robot)}
    for joint in robot.joints:
        if joint.type not in MOVING:
            continue
        element = etree.SubElement(system, "joint", name=prefix + joint.name)
        if joint.name in driven:
            etree.SubElement(element, "command_interface", name="position")
        position = etree.SubElement(element, "state_interface", name="position")
        etree.SubElement(position, "param", name="initial_value").text = number(start[joint.name])
        etree.SubElement(element, "state_interface", name="velocity")
    return system


def driven_joints(robot: Robot) -> tuple[Joint, ...]:
    """Joints that a controller moves: not those that mimic another or follow in a loop."""
    passive = {name for loop in robot.loops for name in loop.passive}
    return tuple(
        joint for joint in robot.joints if joint.type in MOVING and joint.mimic is None and joint.name not in passive
    )
