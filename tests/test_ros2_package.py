"""The ROS 2 package: read by catkin_pkg, PyYAML, xacro, CMake and Python with small stand-ins for what ROS has."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import types
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import xacro
import yaml

import oracles
from command_line import run
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.robot import Box, Joint, Limits, Link, Material, Mesh, Mimic, Robot, Shape
from mdh2urdf.ros2.config import joint_limits_yaml
from mdh2urdf.ros2.mesh_copies import Copies, with_copies
from mdh2urdf.ros2.package import Described, package_files, package_name
from mdh2urdf.se3 import Transform
from mdh2urdf.table_file.reader import read_table
from readers import require_module, require_program

TABLE = """\
name: two arm
convention: modified
units: {angle: deg, length: mm}
parameters: {L2: 300}
joints:
  - {name: j1, a: 0, alpha: 0, d: 100, theta: 0, limits: {lower: -90, upper: 90, velocity: 90, effort: 5}}
  - {name: j2, a: L2, alpha: 90, d: 0, theta: q - 90, limits: {lower: 10, upper: 90, velocity: 90, effort: 5}}
"""
LIMITS = Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)


def chain(*joints: Joint, **fields) -> Robot:
    names = ["base", *(joint.child for joint in joints)]
    return Robot(name="arm", links=tuple(Link(name=name) for name in names), joints=joints, **fields)


def joint(name, parent, child, **fields) -> Joint:
    fields = {"type": "revolute", "limits": LIMITS, "origin": Transform.from_xyz_rpy((0, 0, 0.1), (0, 0, 0))} | fields
    return Joint(name=name, parent=parent, child=child, **fields)


def files_of(robot: Robot, package="arm_description", **fields) -> dict[str, bytes]:
    return package_files(Described(robot=robot, **fields), package)[0]


FOUR_BAR = chain(
    joint("crank", "base", "a"),
    joint("rod", "a", "b"),
    joint("rocker", "base", "c"),
    joint("finger", "c", "d", type="prismatic", mimic=Mimic(joint="crank", multiplier=0.5)),
    joint("wheel", "d", "e", type="continuous", limits=None),
    joint("spin", "e", "f", type="continuous", limits=Limits(velocity=1.0, effort=2.0)),
    loops=(
        Loop(
            name="close",
            type="revolute",
            link_a="b",
            link_b="c",
            passive=("rod", "rocker"),
            closed={"crank": 0.5, "rod": 0.25, "rocker": 0.75},
        ),
    ),
)


@pytest.fixture
def package(tmp_path) -> Path:
    """The package of the table, written by the command line."""
    table = tmp_path / "two.yaml"
    table.write_text(TABLE)
    folder = tmp_path / "share" / "two_description"
    done = run(table, "--ros2", folder, "--prefix", "left_", "--placeholder-inertia", "1")
    assert (done.status, done.out) == (0, "")
    assert done.err.startswith(f"{folder}: 10 files written, 0 unchanged\n")
    return folder


def test_package_xml_is_a_package_for_catkin_pkg(package):
    parse = require_module("catkin_pkg.package").parse_package
    warnings: list[str] = []
    found = parse(str(package / "package.xml"), warnings=warnings)
    assert (found.name, found.version, found.get_build_type(), warnings) == (
        "two_description",
        "0.1.0",
        "ament_cmake",
        [],
    )
    needed = {depend.name for depend in found.exec_depends}
    assert {"xacro", "rviz2", "robot_state_publisher", "launch_ros", "controller_manager"} <= needed
    assert found.description == "Description of the robot two arm"


def test_maintainer_and_license_can_be_given(tmp_path):
    parse = require_module("catkin_pkg.package").parse_package
    table = tmp_path / "two.yaml"
    table.write_text(TABLE)
    folder = tmp_path / "two_description"
    done = run(table, "--ros2", folder)
    hint = f"{folder}/package.xml: --maintainer 'NAME <ADDRESS>' and --license NAME put in yours\n"
    assert hint in done.err
    assert "Put in your name" in (folder / "package.xml").read_text()
    given = ("--maintainer", "Ada King-Lovelace <ada.l@example.co.uk>", "--license", "Apache-2.0")
    done = run(table, "--ros2", folder, *given)
    assert hint not in done.err
    assert "Put in your name" not in (folder / "package.xml").read_text()
    found = parse(str(folder / "package.xml"), warnings=[])
    assert [(one.name, one.email) for one in found.maintainers] == [("Ada King-Lovelace", "ada.l@example.co.uk")]
    assert found.licenses == ["Apache-2.0"]


@pytest.mark.parametrize(
    "text",
    ["", "Ada", "ada@example.org", "<ada@example.org>", "Ada <ada@example>", "Ada <ada at example.org>", "A <a@b.c>"],
)
def test_a_maintainer_that_colcon_would_not_take_is_refused(tmp_path, text):
    done = run("puma560", "--ros2", tmp_path / "arm", "--maintainer", text)
    wanted = "--maintainer wants NAME <ADDRESS>, as in 'Ada Lovelace <ada@example.org>'"
    assert (done.status, done.err) == (2, f"{wanted}, got {text!r}\n")
    assert not (tmp_path / "arm").exists()


@pytest.mark.parametrize("option", ["--maintainer", "--license"])
def test_what_stands_in_a_package_goes_with_a_package_only(option):
    done = run("puma560", option, "Ada <ada@example.org>")
    assert (done.status, done.out, done.err) == (2, "", f"{option} goes with --ros2\n")


def test_cmake_installs_every_folder_of_the_package(package, tmp_path):
    cmake = require_program("cmake")
    ament = tmp_path / "ament_cmake"
    ament.mkdir()
    (ament / "ament_cmakeConfig.cmake").write_text("macro(ament_package)\nendmacro()\n")
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    for command in (
        [cmake, "-S", package, "-B", build, f"-DCMAKE_PREFIX_PATH={ament}", f"-DCMAKE_INSTALL_PREFIX={prefix}"],
        [cmake, "--install", build],
    ):
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    share = prefix / "share" / "two_description"
    installed = {path.relative_to(share).as_posix() for path in share.rglob("*") if path.is_file()}
    own = {path.relative_to(package).as_posix() for path in package.rglob("*") if path.is_file()}
    assert own - installed == {"CMakeLists.txt", "package.xml", ".mdh2urdf.json"}


def stand_ins() -> dict[str, types.ModuleType]:
    """Modules with what the launch files import: classes that only keep what they are given."""
    wanted = {
        "launch": ["LaunchDescription"],
        "launch.actions": ["DeclareLaunchArgument"],
        "launch.conditions": ["IfCondition", "UnlessCondition"],
        "launch.substitutions": ["Command", "FindExecutable", "LaunchConfiguration", "PathJoinSubstitution"],
        "launch_ros": [],
        "launch_ros.actions": ["Node"],
        "launch_ros.parameter_descriptions": ["ParameterValue"],
        "launch_ros.substitutions": ["FindPackageShare"],
    }

    def keep(self, *args, **fields):
        self.args, self.fields = args, fields

    modules = {}
    for name, classes in wanted.items():
        modules[name] = types.ModuleType(name)
        for each in classes:
            setattr(modules[name], each, type(each, (), {"__init__": keep}))
    return modules


def launched(path: Path, monkeypatch) -> list:
    """What a launch file describes."""
    for name, module in stand_ins().items():
        monkeypatch.setitem(sys.modules, name, module)
    space: dict = {}
    exec(compile(path.read_text(), str(path), "exec"), space)
    return space["generate_launch_description"]().args[0]


def joined(substitution) -> str:
    """A path in the package, the package in brackets."""
    (share,), *rest = substitution.args[0][0].args, *substitution.args[0][1:]
    return "/".join([f"<{share}>", *rest])


def test_the_display_launch_file_starts_what_shows_the_robot(package, monkeypatch):
    actions = launched(package / "launch" / "display.launch.py", monkeypatch)
    nodes = {action.fields["executable"]: action for action in actions if type(action).__name__ == "Node"}
    assert list(nodes) == ["robot_state_publisher", "joint_state_publisher_gui", "joint_state_publisher", "rviz2"]
    parameter = nodes["robot_state_publisher"].fields["parameters"][0]["robot_description"]
    assert parameter.fields == {"value_type": str}
    program, blank, model = parameter.args[0].args[0]
    assert (program.fields["name"], blank) == ("xacro", " ")
    config = nodes["rviz2"].fields["arguments"][1]
    for path in (joined(model), joined(config)):
        assert (package / path.removeprefix("<two_description>/")).is_file()
    assert {name: type(node.fields.get("condition")).__name__ for name, node in nodes.items()} == {
        "robot_state_publisher": "NoneType",
        "joint_state_publisher_gui": "IfCondition",
        "joint_state_publisher": "UnlessCondition",
        "rviz2": "NoneType",
    }


def test_the_control_launch_file_starts_the_controllers_of_the_yaml_file(package, monkeypatch):
    actions = launched(package / "launch" / "control.launch.py", monkeypatch)
    nodes = {action.fields["executable"]: action.fields for action in actions}
    (path,) = nodes["ros2_control_node"]["parameters"]
    config = yaml.safe_load((package / joined(path).removeprefix("<two_description>/")).read_text())
    manager = config["controller_manager"]["ros__parameters"]
    assert nodes["spawner"]["arguments"] == [name for name in manager if name != "update_rate"]


def expanded(path: Path, **mappings: str) -> str:
    return xacro.process_file(str(path), mappings=mappings).toprettyxml()


def test_the_xacro_needs_no_other_package_and_agrees_with_the_urdf(package):
    urdf = (package / "urdf" / "two_arm.urdf").read_text()
    text = expanded(package / "urdf" / "two_arm.urdf.xacro")
    q = {"left_j1": 0.3, "left_j2": -0.4}
    wanted, found = oracles.urdf_fk(urdf, q), oracles.urdf_fk(text, q)
    assert list(wanted) == list(found)
    for name, pose in wanted.items():
        np.testing.assert_allclose(found[name], pose, atol=1e-12)
    for kind in ("link", "joint", "ros2_control/joint"):
        names = [[part.get("name") for part in ElementTree.fromstring(each).findall(kind)] for each in (urdf, text)]
        assert names[0] == names[1]
    assert "300" in (package / "urdf" / "two_arm_macro.xacro").read_text()


def test_the_prefix_of_the_xacro_can_be_chosen(package):
    text = expanded(package / "urdf" / "two_arm.urdf.xacro", prefix="right_")
    assert "left_" not in text
    assert set(oracles.urdf_fk(text, {})) == {"right_base_link", "right_link1", "right_link2"}


AMENT = """
import os


class PackageNotFoundError(KeyError):
    pass


def get_package_share_directory(name):
    for prefix in os.environ["AMENT_PREFIX_PATH"].split(os.pathsep):
        if os.path.exists(os.path.join(prefix, "share", "ament_index", "resource_index", "packages", name)):
            return os.path.join(prefix, "share", name)
    raise PackageNotFoundError(name)
"""


def test_another_description_finds_the_macro_by_the_package(package, tmp_path):
    index = package.parent / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "two_description").write_text("")
    stand_in = tmp_path / "python" / "ament_index_python"
    stand_in.mkdir(parents=True)
    (stand_in / "__init__.py").write_text("")
    (stand_in / "packages.py").write_text(AMENT)
    cell = tmp_path / "cell.xacro"
    cell.write_text(
        '<robot name="cell" xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="world"/>'
        '<xacro:include filename="$(find two_description)/urdf/two_arm_macro.xacro"/>'
        '<xacro:two_arm prefix="a_" parent="world"><origin xyz="1 0 0" rpy="0 0 0"/></xacro:two_arm>'
        '<xacro:two_arm prefix="b_" parent="world"><origin xyz="2 0 0" rpy="0 0 0"/></xacro:two_arm></robot>'
    )
    environment = {**os.environ, "PYTHONPATH": str(stand_in.parent), "AMENT_PREFIX_PATH": str(tmp_path)}
    done = subprocess.run(
        [require_program("xacro"), str(cell)], capture_output=True, text=True, check=False, env=environment
    )
    assert (done.returncode, done.stderr) == (0, "")
    poses = oracles.urdf_fk(done.stdout, {})
    assert poses["b_link2"][0, 3] - poses["a_link2"][0, 3] == pytest.approx(1.0)


def control_problems(urdf: ElementTree.Element) -> list[str]:
    """What breaks the rules that ros2_control publishes for its block (its schema and its parser's checks).

    The one thing that its schema lacks and its documentation has is an ``initial_value`` in a state interface.
    """
    problems: list[str] = []
    moving = {each.get("name"): each for each in urdf.findall("joint")}
    for block in urdf.findall("ros2_control"):
        if set(block.attrib) != {"name", "type"} or block.get("type") not in ("system", "actuator", "sensor"):
            problems.append(f"attributes {block.attrib}")
        tags = [child.tag for child in block]
        if tags[:1] != ["hardware"] or set(tags[1:]) - {"joint", "gpio", "sensor"}:
            problems.append(f"elements {tags}")
        hardware = [child.tag for child in block[0]]
        if hardware[:1] != ["plugin"] or set(hardware[1:]) - {"param"} or not block[0][0].text:
            problems.append(f"hardware {hardware}")
        for each in block.findall("joint"):
            name = each.get("name")
            if name not in moving or moving[name].get("type") == "fixed":
                problems.append(f"joint {name} is not in the URDF or does not move")
            order = [child.tag for child in each]
            if order != sorted(order) or set(order) - {"command_interface", "state_interface"}:
                problems.append(f"joint {name} has {order}")
            commands = [child.get("name") for child in each.findall("command_interface")]
            if commands and moving[name].find("mimic") is not None:
                problems.append(f"joint {name} follows another and has a command")
            params = [p.get("name") for child in each for p in child]
            if set(params) - {"initial_value"}:
                problems.append(f"joint {name} has parameters {params}")
            interfaces = [child.get("name") for child in each]
            if not set(interfaces) <= {"position", "velocity", "effort", "acceleration"}:
                problems.append(f"joint {name} has interfaces {interfaces}")
    return problems


def test_the_ros2_control_block_keeps_the_published_rules():
    text = files_of(FOUR_BAR)["urdf/arm.urdf"].decode()
    urdf = ElementTree.fromstring(text)
    assert control_problems(urdf) == []
    block = urdf.find("ros2_control")
    assert block.findtext("hardware/plugin") == "mock_components/GenericSystem"
    commands = {each.get("name"): each.find("command_interface") is not None for each in block.findall("joint")}
    assert commands == {
        "crank": True,
        "rod": False,
        "rocker": False,
        "finger": False,
        "wheel": True,
        "spin": True,
    }
    start = {each.get("name"): each.findtext("state_interface/param") for each in block.findall("joint")}
    assert start == {"crank": "0.5", "rod": "0.25", "rocker": "0.75", "finger": "0.25", "wheel": "0", "spin": "0"}


def test_the_rules_are_able_to_fail():
    bad = ElementTree.fromstring(
        '<robot><joint name="f" type="revolute"><mimic joint="g"/></joint>'
        '<ros2_control name="x" type="arm" more="1"><joint name="g"/></ros2_control>'
        '<ros2_control name="x" type="system"><hardware><param/></hardware><link/>'
        '<joint name="f"><state_interface name="heat"><param name="p"/></state_interface>'
        '<command_interface name="position"/></joint></ros2_control></robot>'
    )
    assert len(control_problems(bad)) == 10


def test_yaml_files_list_the_joints_and_what_is_known_of_them():
    files = files_of(FOUR_BAR, prefix="x_")
    controllers = yaml.safe_load(files["config/controllers.yaml"])
    parameters = controllers["joint_trajectory_controller"]["ros__parameters"]
    assert parameters["joints"] == ["x_crank", "x_wheel", "x_spin"]
    assert parameters["command_interfaces"] == ["position"]
    limits = yaml.safe_load(files["config/joint_limits.yaml"])["joint_limits"]
    assert list(limits) == ["x_crank", "x_rod", "x_rocker", "x_finger", "x_wheel", "x_spin"]
    assert limits["x_crank"] == {
        "has_position_limits": True,
        "min_position": -1.0,
        "max_position": 2.0,
        "has_velocity_limits": True,
        "max_velocity": 3.0,
        "has_effort_limits": True,
        "max_effort": 4.0,
        "has_acceleration_limits": False,
    }
    assert not any(limits["x_wheel"].values())
    assert limits["x_spin"]["max_velocity"] == 1.0
    assert not limits["x_spin"]["has_position_limits"]
    assert all(isinstance(value, bool | float) for entry in limits.values() for value in entry.values())
    rviz = yaml.safe_load(files["rviz/display.rviz"])
    assert rviz["Visualization Manager"]["Global Options"] == {"Fixed Frame": "x_base"}
    assert rviz["Visualization Manager"]["Displays"][1]["Description Topic"]["Value"] == "/robot_description"


def test_what_is_not_known_of_a_joint_stays_out_of_its_limits():
    robot = chain(joint("one", "base", "a", limits=Limits(lower=-1.0)))
    assert yaml.safe_load(joint_limits_yaml(robot)) == {
        "joint_limits": {
            "one": {
                "has_position_limits": False,
                "has_velocity_limits": False,
                "has_acceleration_limits": False,
                "has_effort_limits": False,
            }
        }
    }


def test_a_file_that_is_no_mesh_or_picture_is_not_copied(tmp_path):
    (tmp_path / "key.pem").write_bytes(b"secret")
    copies = Copies(package="p", folder=tmp_path)
    assert filenames(with_copies(with_meshes("key.pem"), copies)) == ["key.pem"] * 2
    assert copies.files == {}
    assert [str(finding) for finding in copies.findings] == [
        "key.pem: is no mesh or picture by its suffix and not copied; its name stays"
    ]


def test_a_robot_without_driven_joints_gets_no_controllers():
    files = files_of(chain(joint("weld", "base", "tool", type="fixed")))
    assert "config/controllers.yaml" not in files
    assert "launch/control.launch.py" not in files
    assert b"controller_manager" not in files["package.xml"]
    assert yaml.safe_load(files["config/joint_limits.yaml"]) == {"joint_limits": {}}


def test_loops_are_told_to_stay_open():
    _, findings = package_files(Described(robot=FOUR_BAR), "arm_description")
    assert [str(finding) for finding in findings] == [
        "close: the loop stays open: urdf is a tree; its passive joints have state interfaces only"
    ]


@pytest.mark.parametrize("name", ["Arm", "a__b", "a_", "1arm", "arm-x", "arm.x"])
def test_a_folder_that_ros_has_no_package_name_for_is_refused(tmp_path, name):
    with pytest.raises(Mdh2UrdfError) as caught:
        package_name(tmp_path / name)
    assert str(caught.value) == (
        f"{tmp_path}/{name}: the package is named after its folder, and '{name}' is no name of a ROS package: "
        "lower case letters, digits and single underscores, a letter first"
    )


def test_names_that_mean_something_to_xacro_yaml_or_python_stay_names(tmp_path):
    name = "on$(find x) ${1+1} \"q\" 's' # {}"
    robot = replace(chain(joint(name, "base", "tool")), name=name)
    files = files_of(robot, prefix="$ ")
    for path, data in files.items():
        target = tmp_path / path
        target.parent.mkdir(exist_ok=True)
        target.write_bytes(data)
    (stem,) = [path.stem for path in (tmp_path / "urdf").glob("*.urdf")]
    text = ElementTree.fromstring(expanded(tmp_path / "urdf" / f"{stem}.urdf.xacro"))
    assert text.get("name") == name
    assert text.find("joint").get("name") == f"$ {name}"
    controllers = yaml.safe_load(files["config/controllers.yaml"])
    assert controllers["joint_trajectory_controller"]["ros__parameters"]["joints"] == [f"$ {name}"]


def with_meshes(*names: str, texture: str = "") -> Robot:
    shapes = tuple(Shape(geometry=Mesh(filename=name)) for name in names)
    paint = Material(name="paint", texture=texture)
    visuals = (*shapes, Shape(geometry=Box(size=(1, 1, 1)), material=paint))
    return Robot(
        name="arm", links=(Link(name="base", visuals=visuals, collisions=shapes[:1]),), joints=(), materials=(paint,)
    )


def filenames(robot: Robot) -> list[str]:
    shapes = (*robot.links[0].visuals, *robot.links[0].collisions)
    return [shape.geometry.filename for shape in shapes if isinstance(shape.geometry, Mesh)]


def test_meshes_and_textures_are_copied_and_named_by_the_package(tmp_path):
    for name, data in {
        "a/part.stl": b"1",
        "b/part.stl": b"2",
        "c/PART.stl": b"1",
        "d x/é.obj": b"mtllib a",
        "e/f.obj": b"5",
    }.items():
        path = tmp_path / name
        path.parent.mkdir()
        path.write_bytes(data)
    (tmp_path / "wood.png").write_bytes(b"4")
    copies = Copies(package="p", folder=tmp_path)
    robot = with_copies(
        with_meshes(
            "a/part.stl", "b/part.stl", f"file://{tmp_path}/c/PART.stl", "d x/é.obj", "e/f.obj", texture="wood.png"
        ),
        copies,
    )
    assert filenames(robot) == [
        "package://p/meshes/part.stl",
        "package://p/meshes/part_2.stl",
        "package://p/meshes/part.stl",
        "package://p/meshes/_.obj",
        "package://p/meshes/f.obj",
        "package://p/meshes/part.stl",
    ]
    assert robot.materials[0].texture == "package://p/meshes/wood.png"
    assert robot.links[0].visuals[-1].material == robot.materials[0]
    assert copies.files == {
        "meshes/part.stl": b"1",
        "meshes/part_2.stl": b"2",
        "meshes/_.obj": b"mtllib a",
        "meshes/f.obj": b"5",
        "meshes/wood.png": b"4",
    }
    assert [str(finding) for finding in copies.findings] == [
        "d x/é.obj: is copied, but not the texture or material files that it names"
    ]


def test_files_that_are_not_found_keep_their_names_and_their_package_is_needed(tmp_path):
    robot = with_meshes("package://other_arm/a.stl", "no.stl", "package://arm_description/b.stl")
    files, findings = package_files(Described(robot=robot, folder=tmp_path), "arm_description")
    assert [str(finding) for finding in findings] == [
        f"{name}: the file is not found and not copied; its name stays"
        for name in ("package://other_arm/a.stl", "no.stl", "package://arm_description/b.stl")
    ]
    assert b"<exec_depend>other_arm</exec_depend>" in files["package.xml"]
    assert files["package.xml"].count(b"arm_description") == 1
    assert b"package://other_arm/a.stl" in files["urdf/arm.urdf"]
    assert not any(name.startswith("meshes") for name in files)
    assert b"meshes" not in files["CMakeLists.txt"]


def test_a_mesh_that_cannot_be_read_is_told(tmp_path, monkeypatch):
    (tmp_path / "a.stl").write_bytes(b"1")

    def refused(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "read_bytes", refused)
    with pytest.raises(Mdh2UrdfError, match=r"a\.stl: cannot be read: Permission denied"):
        with_copies(with_meshes("a.stl"), Copies(package="p", folder=tmp_path))


def test_what_the_user_changed_in_a_package_stays_and_is_named(package, tmp_path):
    for name in ("package.xml", "launch/display.launch.py"):
        path = package / name
        path.write_text(path.read_text() + "\n")
    (tmp_path / "two.yaml").write_text(TABLE.replace("300", "400"))
    done = run(tmp_path / "two.yaml", "--ros2", package, "--prefix", "left_", "--placeholder-inertia", "1")
    assert done.err.splitlines() == [
        f"{package}: 2 files written, 6 unchanged",
        "placeholder spheres of 1 kg: link1, link2",
        f"{package}/launch/display.launch.py: was changed by hand and is left as it is; "
        "delete it to have it written anew",
        f"{package}/package.xml: was changed by hand and is left as it is; delete it to have it written anew",
    ]
    assert "0.4" in (package / "urdf" / "two_arm.urdf").read_text()


def test_a_file_that_is_not_needed_any_more_is_removed(package, tmp_path):
    (tmp_path / "weld.urdf").write_text('<robot name="two_arm"><link name="base_link"/></robot>')
    done = run(tmp_path / "weld.urdf", "--ros2", package, "-o", tmp_path / "out.urdf")
    assert done.err.splitlines()[1:] == [
        f"{package}/{name}: removed, it is not needed any more"
        for name in ("config/controllers.yaml", "launch/control.launch.py")
    ] + [f"{package}/package.xml: --maintainer 'NAME <ADDRESS>' and --license NAME put in yours"]
    assert (tmp_path / "out.urdf").is_file()


def test_world_does_not_go_with_a_package_and_strict_writes_nothing(tmp_path):
    done = run("puma560", "--ros2", tmp_path / "arm", "--world")
    assert (done.status, done.err) == (
        2,
        "--world does not go with --ros2: the macro takes a parent link when it is called\n",
    )
    (tmp_path / "mesh.urdf").write_text(
        '<robot name="a"><link name="b"><visual><geometry><mesh filename="no.stl"/></geometry></visual></link></robot>'
    )
    done = run(tmp_path / "mesh.urdf", "--ros2", tmp_path / "arm", "--strict")
    assert (done.status, done.err) == (1, "no.stl: the file is not found and not copied; its name stays\n")
    assert not (tmp_path / "arm").exists()


def test_the_same_package_is_written_whatever_its_place(tmp_path):
    table, _ = read_table(TABLE)
    emission = emit(table, ConvertOptions())
    assert files_of(emission.robot, table=table) == files_of(emission.robot, table=table, folder=tmp_path)


def test_a_report_lists_what_was_left(package, tmp_path):
    (package / "package.xml").write_text("<package/>")
    report = tmp_path / "report.json"
    run(tmp_path / "two.yaml", "--ros2", package, "--report", report, "--prefix", "left_", "--quiet")
    rules = [finding["rule"] for finding in json.loads(report.read_text())["findings"]]
    assert rules == ["no-mass", "kept-file"]


def test_colcon_would_find_the_package_again_after_a_copy(package, tmp_path):
    parse = require_module("catkin_pkg.packages").find_packages
    shutil.copytree(package, tmp_path / "src" / "copy")
    assert [found.name for found in parse(str(tmp_path / "src")).values()] == ["two_description"]
