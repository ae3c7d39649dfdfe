from pathlib import Path

import numpy as np
import pytest

import readers
from arms import arm
from mdh2urdf.convert import robot_from_table
from mdh2urdf.robot import Box, Cylinder, Joint, Limits, Link, Mesh, Mimic, Robot, Shape, Sphere
from mdh2urdf.se3 import Transform
from mdh2urdf.view.arm_shapes import mesh_file, shapes_of

OUT = Transform.from_xyz_rpy((0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
ASIDE = Transform.from_xyz_rpy((0.5, 0.0, 0.0), (0.0, 0.0, 0.0))


@pytest.fixture(autouse=True)
def _yourdfpy(monkeypatch):
    readers.require_module("yourdfpy")
    for name in ("ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"):
        monkeypatch.delenv(name, raising=False)


def robot_with(*visuals, **joint):
    links = (Link(name="base"), Link(name="arm", visuals=visuals))
    fields = {"type": "revolute", "limits": Limits(lower=-1.0, upper=1.0), "origin": OUT, **joint}
    return Robot(name="robot", links=links, joints=(Joint(name="joint", parent="base", child="arm", **fields),))


def write_box(path):
    """A box of 2 m as STL."""
    trimesh = readers.require_module("trimesh")
    path.parent.mkdir(parents=True, exist_ok=True)
    trimesh.primitives.Box(extents=(2.0, 2.0, 2.0)).export(path)
    return path


def extents(part):
    return part.mesh.bounds[1] - part.mesh.bounds[0]


def test_shapes_are_in_the_frame_of_their_link_wherever_the_link_is():
    parts, findings = shapes_of(robot_with(Shape(geometry=Box(size=(1.0, 2.0, 3.0)), origin=ASIDE)), Path())
    assert findings == ()
    (box,) = [part for part in parts if part.link == "arm"]
    assert np.allclose(extents(box), (1.0, 2.0, 3.0))
    assert np.allclose(box.mesh.bounds.mean(axis=0), (0.5, 0.0, 0.0))


def test_every_kind_of_shape_is_shown():
    shapes = [Cylinder(radius=0.5, length=2.0), Sphere(radius=1.0), Box(size=(1.0, 1.0, 1.0))]
    parts, _ = shapes_of(robot_with(*(Shape(geometry=shape) for shape in shapes)), Path())
    assert len([part for part in parts if part.link == "arm"]) == 3


def test_a_mesh_is_scaled_and_placed(tmp_path):
    write_box(tmp_path / "box.stl")
    mesh = Shape(geometry=Mesh(filename="box.stl", scale=(0.1, 0.2, 0.3)), origin=ASIDE)
    parts, findings = shapes_of(robot_with(mesh), tmp_path)
    (box,) = [part for part in parts if part.link == "arm"]
    assert findings == ()
    assert np.allclose(extents(box), (0.2, 0.4, 0.6), atol=1e-6)
    assert np.allclose(box.mesh.bounds.mean(axis=0), (0.5, 0.0, 0.0), atol=1e-6)


def test_a_robot_without_shapes_gets_sticks():
    parts, findings = shapes_of(robot_from_table(arm("panda")).robot, Path())
    assert findings == ()
    assert {part.link for part in parts} >= {f"link{number}" for number in range(1, 8)}


def test_a_link_whose_mesh_is_not_there_gets_sticks_and_is_told(tmp_path):
    write_box(tmp_path / "there.stl")
    names = ("there.stl", "package://robot/a.dae", "package://robot/b.dae")
    parts, findings = shapes_of(robot_with(*(Shape(geometry=Mesh(filename=name)) for name in names)), tmp_path)
    assert [str(finding) for finding in findings] == [
        "mesh files not found, sticks are shown: package://robot/a.dae and 1 more"
    ]
    assert parts
    assert all(extents(part).max() < 1.1 for part in parts)


def test_a_mesh_of_an_unknown_format_is_told(tmp_path):
    (tmp_path / "a.sldprt").write_text("")
    _, findings = shapes_of(robot_with(Shape(geometry=Mesh(filename="a.sldprt"))), tmp_path)
    assert [(finding.rule, finding.message) for finding in findings] == [
        ("mesh-not-shown", "mesh files of a format that cannot be read, sticks are shown: a.sldprt")
    ]


def test_what_belongs_to_no_triangles_is_left_out(tmp_path):
    (tmp_path / "points.ply").write_text(
        "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\nproperty float z\n"
        "end_header\n0 0 0\n1 1 1\n"
    )
    parts, _ = shapes_of(robot_with(Shape(geometry=Mesh(filename="points.ply"))), tmp_path)
    assert [part for part in parts if part.link == "arm"] == []


def test_limits_and_followers_do_not_matter_to_shapes():
    box = Shape(geometry=Box(size=(1.0, 1.0, 1.0)))
    bare = robot_with(box, limits=None, mimic=Mimic(joint="nobody"))
    assert [part.link for part in shapes_of(bare, Path())[0] if part.link == "arm"] == ["arm"]


@pytest.mark.parametrize("place", ["robot/meshes/a.stl", "meshes/a.stl"])
def test_package_names_are_found_beside_and_above_the_file(tmp_path, place):
    path = write_box(tmp_path / place)
    folder = tmp_path / "robot" / "urdf"
    folder.mkdir(parents=True)
    assert mesh_file("package://robot/meshes/a.stl", folder) == path


def test_package_names_are_found_where_ros_says(tmp_path, monkeypatch):
    source = write_box(tmp_path / "src" / "robot" / "a.stl")
    installed = write_box(tmp_path / "opt" / "share" / "robot" / "b.stl")
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{tmp_path}/none:{tmp_path}/src")
    monkeypatch.setenv("AMENT_PREFIX_PATH", f"{tmp_path}/opt")
    assert mesh_file("package://robot/a.stl", tmp_path / "elsewhere") == source
    assert mesh_file("package://robot/b.stl", tmp_path / "elsewhere") == installed


def test_file_names_may_be_absolute_and_nothing_is_fetched(tmp_path):
    path = write_box(tmp_path / "a.stl")
    assert mesh_file(f"file://{path}", Path()) == path
    assert mesh_file(str(path), Path("elsewhere")) == path
    assert mesh_file("https://example.org/a.stl", tmp_path) is None
