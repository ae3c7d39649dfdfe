"""The ``<ros2_control>`` block of a robot, with mock hardware."""

from __future__ import annotations

from lxml import etree

from mdh2urdf.robot import MOVING, Joint, Robot
from mdh2urdf.text import number

MOCK_HARDWARE = "mock_components/GenericSystem"


def ros2_control_element(robot: Robot, *, prefix: str = "") -> etree._Element:
    """A ros2_control system with a position command for every driven joint, and state for all that move.

    Joints that mimic another have no command. A joint starts at 0, or at the limit nearest to 0 if 0 is
    outside its limits.
    """
    system = etree.Element("ros2_control", name=f"{prefix}{robot.name}", type="system")
    hardware = etree.SubElement(system, "hardware")
    etree.SubElement(hardware, "plugin").text = MOCK_HARDWARE
    start = robot.joint_values({joint.name: _start(joint) for joint in robot.joints})
    for joint in robot.joints:
        if joint.type not in MOVING:
            continue
        element = etree.SubElement(system, "joint", name=prefix + joint.name)
        if joint.mimic is None:
            etree.SubElement(element, "command_interface", name="position")
        position = etree.SubElement(element, "state_interface", name="position")
        etree.SubElement(position, "param", name="initial_value").text = number(start[joint.name])
        etree.SubElement(element, "state_interface", name="velocity")
    return system


def _start(joint: Joint) -> float:
    if joint.type == "continuous" or joint.limits is None:
        return 0.0
    lower, upper = joint.limits.lower, joint.limits.upper
    if lower is not None and lower > 0.0:
        return lower
    return upper if upper is not None and upper < 0.0 else 0.0
