"""Launch files of a description package; the only texts in them are names of letters, digits and underscores."""

from __future__ import annotations

from string import Template

_DISPLAY = Template('''\
"""Show the robot in RViz, with a slider per joint (gui:=false: without a window for them)."""

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument
from launch.conditions import IfCondition, UnlessCondition
from launch.substitutions import Command, FindExecutable, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare("$package")
    model = PathJoinSubstitution([share, "urdf", "$stem.urdf.xacro"])
    description = Command([FindExecutable(name="xacro"), " ", model])
    gui = LaunchConfiguration("gui")
    return LaunchDescription(
        [
            DeclareLaunchArgument("gui", default_value="true", description="Sliders for the joints"),
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                parameters=[{"robot_description": ParameterValue(description, value_type=str)}],
            ),
            Node(
                package="joint_state_publisher_gui",
                executable="joint_state_publisher_gui",
                condition=IfCondition(gui),
            ),
            Node(
                package="joint_state_publisher",
                executable="joint_state_publisher",
                condition=UnlessCondition(gui),
            ),
            Node(
                package="rviz2",
                executable="rviz2",
                arguments=["-d", PathJoinSubstitution([share, "rviz", "display.rviz"])],
            ),
        ]
    )
''')

_CONTROL = Template('''\
"""Run the robot's controllers on mock hardware, which follows every command."""

from launch import LaunchDescription
from launch.substitutions import Command, FindExecutable, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.parameter_descriptions import ParameterValue
from launch_ros.substitutions import FindPackageShare


def generate_launch_description():
    share = FindPackageShare("$package")
    model = PathJoinSubstitution([share, "urdf", "$stem.urdf.xacro"])
    description = Command([FindExecutable(name="xacro"), " ", model])
    return LaunchDescription(
        [
            Node(
                package="robot_state_publisher",
                executable="robot_state_publisher",
                parameters=[{"robot_description": ParameterValue(description, value_type=str)}],
            ),
            Node(
                package="controller_manager",
                executable="ros2_control_node",
                parameters=[PathJoinSubstitution([share, "config", "controllers.yaml"])],
                remappings=[("~/robot_description", "/robot_description")],
            ),
            Node(
                package="controller_manager",
                executable="spawner",
                arguments=["joint_state_broadcaster", "$controller"],
            ),
        ]
    )
''')


def display_launch(*, package: str, stem: str) -> str:
    """Text of ``display.launch.py``: the xacro of a package in RViz."""
    return _DISPLAY.substitute(package=package, stem=stem)


def control_launch(*, package: str, stem: str, controller: str) -> str:
    """Text of ``control.launch.py``: ros2_control with mock hardware, its broadcaster and a controller."""
    return _CONTROL.substitute(package=package, stem=stem, controller=controller)
