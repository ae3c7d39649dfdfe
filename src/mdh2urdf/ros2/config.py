"""YAML files of a description package: controllers, joint limits, and what RViz shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mdh2urdf.robot import MOVING, Joint, Robot
from mdh2urdf.ros2_control import driven_joints

CONTROLLER = "joint_trajectory_controller"
BROADCASTER = "joint_state_broadcaster"

UPDATE_RATE = 100
"""Hz, as in ros2_control's own examples; mock hardware has no rate of its own."""


def controllers_yaml(robot: Robot, *, prefix: str = "") -> str:
    """Parameters of the controller manager: a state broadcaster and a trajectory controller of all driven joints."""
    manager = {
        "update_rate": UPDATE_RATE,
        BROADCASTER: {"type": "joint_state_broadcaster/JointStateBroadcaster"},
        CONTROLLER: {"type": "joint_trajectory_controller/JointTrajectoryController"},
    }
    trajectory = {
        "joints": [prefix + joint.name for joint in driven_joints(robot)],
        "command_interfaces": ["position"],
        "state_interfaces": ["position", "velocity"],
    }
    return _dumped(
        {"controller_manager": {"ros__parameters": manager}, CONTROLLER: {"ros__parameters": trajectory}},
        "Controllers for ros2_control. Joints that mimic another or follow in a loop have no command.",
    )


def joint_limits_yaml(robot: Robot, *, prefix: str = "") -> str:
    """Limits of the moving joints as planners read them: rad, m, rad/s, m/s, N m, N; what is unknown stays out."""
    limits = {prefix + joint.name: _limits(joint) for joint in robot.joints if joint.type in MOVING}
    return _dumped(
        {"joint_limits": limits},
        "Joint limits: rad, m, rad/s, m/s, N m, N. Accelerations are not known: add what your robot can do.",
    )


def _limits(joint: Joint) -> dict[str, bool | float]:
    limits = joint.limits
    found: dict[str, bool | float] = {"has_position_limits": False, "has_velocity_limits": False}
    found |= {"has_acceleration_limits": False, "has_effort_limits": False}
    if limits is None:
        return found
    if joint.type != "continuous" and limits.lower is not None and limits.upper is not None:
        found |= {"has_position_limits": True, "min_position": limits.lower, "max_position": limits.upper}
    for name, value in (("velocity", limits.velocity), ("effort", limits.effort)):
        if value is not None:
            found |= {f"has_{name}_limits": True, f"max_{name}": value}
    # A whole number would be read as an integer, which ROS refuses where it wants a float.
    return {name: value if isinstance(value, bool) else float(value) for name, value in found.items()}


def rviz_config(root: str) -> str:
    """An RViz configuration: grid, robot and frames, seen from the link ``root``."""
    robot = {
        "Class": "rviz_default_plugins/RobotModel",
        "Name": "RobotModel",
        "Enabled": True,
        "Description Source": "Topic",
        "Description Topic": {"Value": "/robot_description", "Durability Policy": "Transient Local"},
        "Visual Enabled": True,
        "Collision Enabled": False,
    }
    frames = {"Class": "rviz_default_plugins/TF", "Name": "TF", "Enabled": True, "Marker Scale": 0.3}
    return _dumped(
        {
            "Panels": [{"Class": "rviz_common/Displays", "Name": "Displays"}],
            "Visualization Manager": {
                "Class": "",
                "Displays": [{"Class": "rviz_default_plugins/Grid", "Name": "Grid", "Enabled": True}, robot, frames],
                "Enabled": True,
                "Global Options": {"Fixed Frame": root},
                "Tools": [{"Class": "rviz_default_plugins/MoveCamera"}],
                "Views": {"Current": {"Class": "rviz_default_plugins/Orbit", "Distance": 3.0, "Name": "Current View"}},
            },
        },
        "",
    )


def _dumped(content: Mapping[str, Any], remark: str) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        """Writes text that has line breaks or hidden characters with escapes: some breaks would come back as blanks."""

        def represent_text(self, text: str) -> yaml.ScalarNode:
            return self.represent_scalar("tag:yaml.org,2002:str", text, style=None if text.isprintable() else '"')

    Dumper.add_representer(str, Dumper.represent_text)
    text = yaml.dump(
        dict(content), Dumper=Dumper, sort_keys=False, allow_unicode=True, default_flow_style=False, width=1000
    )
    return (f"# {remark}\n" if remark else "") + str(text)
