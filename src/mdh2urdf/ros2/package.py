"""A ROS 2 description package of a robot: everything that ``colcon build`` and RViz want, as a set of files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import encode
from mdh2urdf.robot import Robot
from mdh2urdf.ros2.config import BROADCASTER, CONTROLLER, controllers_yaml, joint_limits_yaml, rviz_config
from mdh2urdf.ros2.launch import control_launch, display_launch
from mdh2urdf.ros2.mesh_copies import Copies, with_copies
from mdh2urdf.ros2_control import driven_joints, ros2_control_element
from mdh2urdf.table import Table
from mdh2urdf.urdf.writer import document, write_urdf
from mdh2urdf.xacro_macro.text import literal, macro_name
from mdh2urdf.xacro_macro.writer import XACRO, write_xacro

PACKAGE_NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
"""What ROS allows (REP 144): lower case letters, digits and single underscores, a letter first."""

MAINTAINER = re.compile(r"\s*([^<>]*[^<>\s])\s*<(([-\w%+]+\.)*[-\w%+]+@([-a-zA-Z0-9]+\.)+[a-zA-Z]{2,})>\s*", re.ASCII)
"""A name, and an address as catkin_pkg wants it: colcon passes over a package with any other without a word."""

UNKNOWN_MAINTAINER = ("maintainer", "maintainer@example.org")
"""Name and address that stand in package.xml, which must have some, until somebody puts in theirs."""

UNKNOWN_LICENSE = "not declared"

_SHOWN_BY = ("joint_state_publisher", "joint_state_publisher_gui", "robot_state_publisher", "rviz2", "xacro")
_LAUNCHED_BY = ("launch", "launch_ros")
_CONTROLLED_BY = ("controller_manager", "hardware_interface", BROADCASTER, CONTROLLER)

_CMAKE = """\
cmake_minimum_required(VERSION 3.8)
project({package})
find_package(ament_cmake REQUIRED)
install(DIRECTORY {folders} DESTINATION share/${{PROJECT_NAME}})
ament_package()
"""


@dataclass(frozen=True, kw_only=True, slots=True)
class Described:
    """What a package is made of.

    Parameters
    ----------
    robot : Robot
        Without prefix.
    table : Table, optional
        Whose rows and parameters the xacro keeps.
    moved : frozenset of str
        Joints whose frame is not the row's.
    header : sequence of str
        Lines of the comment at the top of URDF and xacro.
    prefix : str
        Before the names of links and joints in the URDF and the YAML files, and the xacro's default.
    folder : Path
        Relative mesh names of the robot start here.
    maintainer : tuple of str, optional
        Name and address for package.xml.
    license : str, optional
        Of the package.
    """

    robot: Robot
    table: Table | None = None
    moved: frozenset[str] = frozenset()
    header: Sequence[str] = ()
    prefix: str = ""
    folder: Path = Path()
    maintainer: tuple[str, str] | None = None
    license: str | None = None


def package_name(folder: Path) -> str:
    """The name of the package in a folder, which is the folder's.

    Raises
    ------
    Mdh2UrdfError
        If ROS does not allow it.
    """
    name = folder.resolve().name
    if not PACKAGE_NAME.fullmatch(name):
        message = (
            f"the package is named after its folder, and {name!r} is no name of a ROS package: "
            "lower case letters, digits and single underscores, a letter first"
        )
        raise Mdh2UrdfError(Finding(file=str(folder), message=message))
    return name


def read_maintainer(text: str) -> tuple[str, str]:
    """Name and address of ``NAME <ADDRESS>``.

    Raises
    ------
    Mdh2UrdfError
        If it is written otherwise, or colcon would not take the address.
    """
    found = MAINTAINER.fullmatch(text)
    if found is None:
        raise Mdh2UrdfError(f"--maintainer wants NAME <ADDRESS>, as in 'Ada Lovelace <ada@example.org>', got {text!r}")
    return found[1], found[2]


def package_files(described: Described, package: str) -> tuple[dict[str, bytes], tuple[Finding, ...]]:
    """The files of a package by their paths in it, and findings.

    Parameters
    ----------
    described : Described
    package : str
        A name that ROS allows.

    Raises
    ------
    Mdh2UrdfError
        If the robot cannot be written as a URDF, or a mesh file cannot be read.
    """
    copies = Copies(package=package, folder=described.folder)
    robot, prefix = with_copies(described.robot, copies), described.prefix
    stem = macro_name(robot.name)
    xacro = write_xacro(
        described.table, robot, moved=described.moved, header=described.header, inline_macro=True, ros2_control=True
    )
    control = ros2_control_element(robot, prefix=prefix)
    texts = {
        f"urdf/{stem}.urdf": write_urdf(robot, prefix=prefix, header=described.header, extra=[control]),
        f"urdf/{stem}_macro.xacro": xacro,
        f"urdf/{stem}.urdf.xacro": _top_xacro(robot, stem, prefix),
        "launch/display.launch.py": display_launch(package=package, stem=stem),
        "rviz/display.rviz": rviz_config(prefix + robot.root),
        "config/joint_limits.yaml": joint_limits_yaml(robot, prefix=prefix),
    }
    needs = {*_SHOWN_BY, *_LAUNCHED_BY, *copies.needs}
    if driven_joints(robot):
        texts["config/controllers.yaml"] = controllers_yaml(robot, prefix=prefix)
        texts["launch/control.launch.py"] = control_launch(package=package, stem=stem, controller=CONTROLLER)
        needs |= {*_CONTROLLED_BY}
    folders = sorted({name.partition("/")[0] for name in (*texts, *copies.files)})
    texts["CMakeLists.txt"] = _CMAKE.format(package=package, folders=" ".join(folders))
    texts["package.xml"] = _manifest(described, package, needs)
    files = {name: encode(texts[name], name) for name in sorted(texts)} | copies.files
    return files, (*copies.findings, *_open_loops(robot))


def _open_loops(robot: Robot) -> Iterable[Finding]:
    for loop in robot.loops:
        message = "the loop stays open: urdf is a tree; its passive joints have state interfaces only"
        yield Finding(rule="open-loop", path=loop.name, message=message)


def _top_xacro(robot: Robot, stem: str, prefix: str) -> str:
    """The xacro that makes one robot of the macro beside it."""
    root = etree.Element("robot", nsmap={"xacro": XACRO}, name=literal(robot.name))
    etree.SubElement(root, f"{{{XACRO}}}arg", name="prefix", default=literal(prefix))
    etree.SubElement(root, f"{{{XACRO}}}include", filename=f"{stem}_macro.xacro")
    call = etree.SubElement(root, f"{{{XACRO}}}{stem}", prefix="$(arg prefix)", parent="")
    etree.SubElement(call, "origin", xyz="0 0 0", rpy="0 0 0")
    return document(root, ["One robot, attached to nothing; prefix:=NAME_ is put before all names."])


def _manifest(described: Described, package: str, needs: Iterable[str]) -> str:
    """Text of package.xml."""
    root = etree.Element("package", format="3")
    maintainer, email = described.maintainer or UNKNOWN_MAINTAINER
    etree.SubElement(root, "name").text = package
    etree.SubElement(root, "version").text = "0.1.0"
    etree.SubElement(root, "description").text = f"Description of the robot {described.robot.name}"
    etree.SubElement(root, "maintainer", email=email).text = maintainer
    etree.SubElement(root, "license").text = described.license or UNKNOWN_LICENSE
    etree.SubElement(root, "buildtool_depend").text = "ament_cmake"
    for name in sorted(needs):
        etree.SubElement(root, "exec_depend").text = name
    etree.SubElement(etree.SubElement(root, "export"), "build_type").text = "ament_cmake"
    header = "Written by mdh2urdf."
    if described.maintainer is None or described.license is None:
        header += " Put in your name, address and license: the file is then left alone."
    return document(root, [header])
