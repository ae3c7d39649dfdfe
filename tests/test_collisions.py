"""Collision shapes made of visuals: in every format, from mesh files of any kind, with what is told of them."""

from __future__ import annotations

import functools
import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from command_line import run
from mdh2urdf.collisions import COLLISIONS, with_collisions
from mdh2urdf.enclosing.files import read_surface, stl_bytes
from mdh2urdf.enclosing.make import collision_of
from mdh2urdf.enclosing.meshes import hull_mesh
from mdh2urdf.enclosing.surface import Surface, hull_of, outside
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Box, Cylinder, Link, Material, Mesh, Robot, Shape, Sphere
from mdh2urdf.se3 import Transform
from readers import require_module
from test_enclosing import BLOCK, ROD, frame_mesh, globe

NAMES = ("mesh", "hull", "box", "cylinder", "sphere", "capsule", "best", "coacd", "drawn", "none")


@pytest.fixture
def folder(tmp_path):
    """Two STL files in millimetres and metres, and a URDF that shows them."""
    require_module("trimesh")
    (tmp_path / "rod.stl").write_bytes(stl_bytes(hull_of(1000 * ROD)))
    (tmp_path / "ball.stl").write_bytes(stl_bytes(hull_of(globe(0.1))))
    (tmp_path / "arm.urdf").write_text(
        """<robot name="arm"><link name="base">
        <visual name="rod"><origin xyz="1 0 0"/>
        <geometry><mesh filename="rod.stl" scale="0.001 0.001 0.001"/></geometry>
        <material name="red"><color rgba="1 0 0 1"/></material></visual>
        <visual><geometry><box size="1 2 3"/></geometry><material name="red"/></visual>
        <collision><geometry><sphere radius="9"/></geometry></collision></link>
        <link name="tip"><visual name="collision_tip"><geometry><mesh filename="ball.stl"/></geometry></visual>
        <visual name="skin"><geometry><mesh filename="ball.stl"/></geometry></visual></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="tip"/></joint></robot>"""
    )
    return tmp_path


def made(folder: Path, kind: str, *options: str) -> tuple[ElementTree.Element, list[str]]:
    """The URDF's root and the lines about fits."""
    done = run(folder / "arm.urdf", "-o", folder / "out.urdf", "--collision", kind, *options)
    assert done.status == 0, done.err
    lines = [line for line in done.err.splitlines() if line.startswith(("rod.stl", "ball.stl"))]
    return ElementTree.parse(folder / "out.urdf").getroot(), lines


def shapes(root: ElementTree.Element) -> list[str]:
    return [each.find("geometry")[0].tag for each in root.iter("collision")]


def test_the_kinds_are_those_of_the_command_line():
    assert COLLISIONS == NAMES


@pytest.mark.parametrize(
    ("kind", "lack"),
    [("box", "no link has a visual"), ("drawn", "no visual's name starts with 'collision'")],
)
def test_that_there_is_nothing_to_make_a_shape_of_is_told(kind, lack):
    robot = Robot(name="bare", links=(Link(name="base", collisions=(Shape(geometry=Sphere(radius=1.0)),)),), joints=())
    collided = with_collisions(robot, kind, folder=Path(), output=None)
    assert collided.told == (f"no collision shape was made: {lack}",)
    assert with_collisions(robot, "none", folder=Path(), output=None).told == ()


def test_solids_stand_where_the_visuals_are(folder):
    root, lines = made(folder, "best")
    assert shapes(root) == ["cylinder", "box", "sphere", "sphere"]
    first = next(root.iter("collision"))
    assert first.get("name") == "rod"
    assert first.find("material") is None
    assert first.find("origin").get("xyz") == "1 0 0"
    assert [float(first.find("geometry/cylinder").get(key)) for key in ("radius", "length")] == pytest.approx(
        [0.05, 0.4]
    )
    assert lines[0].startswith("rod.stl: cylinder of 1 times the hull's volume, stands off 0.1")
    assert lines[0].endswith(" mm at most")
    assert len(lines) == 2


@pytest.mark.parametrize(("kind", "tag"), [("box", "box"), ("cylinder", "cylinder"), ("sphere", "sphere")])
def test_every_mesh_gets_the_solid_that_is_asked_for(kind, tag, folder):
    root, lines = made(folder, kind)
    assert shapes(root) == [tag, "box", tag, tag]
    assert [line.split(" of ")[0] for line in lines] == [f"rod.stl: {tag}", f"ball.stl: {tag}"]


def test_a_capsule_is_three_shapes_in_a_urdf(folder):
    root, lines = made(folder, "capsule")
    # The capsule around a ball has no cylinder.
    assert shapes(root)[:3] == ["cylinder", "sphere", "sphere"]
    assert lines[0].startswith("rod.stl: capsule of 1.17 ")


def test_meshes_none_and_drawn(folder):
    root, lines = made(folder, "mesh")
    assert shapes(root) == ["mesh", "box", "mesh", "mesh"]
    assert (shapes(made(folder, "none")[0]), lines) == ([], [])
    root, _ = made(folder, "drawn")
    assert [each.get("name") for each in root.iter("collision")] == ["collision_tip"]
    assert [each.get("name") for each in root.findall("link[@name='tip']/visual")] == ["skin"]


def test_hulls_are_files_beside_the_output(folder):
    root, lines = made(folder, "hull")
    names = [each.get("filename") for each in root.findall("link/collision/geometry/mesh")]
    assert names == ["out_collision/rod_hull.stl", "out_collision/ball_hull.stl", "out_collision/ball_hull.stl"]
    assert root.find("link/collision/geometry/mesh").get("scale") == "0.001 0.001 0.001"
    hull = read_surface(folder / names[0])
    assert hull.volume * 1e-9 == pytest.approx(hull_of(ROD).volume, rel=1e-5)
    assert lines[0] == "rod.stl: hull of 188 faces, stands off the exact one 0 mm at most"


def test_meshes_may_have_few_faces(folder):
    require_module("fast_simplification")
    root, lines = made(folder, "hull", "--max-faces", "40")
    hull = read_surface(folder / "out_collision" / "rod_hull.stl")
    assert len(hull.faces) <= 40
    assert outside(hull, read_surface(folder / "rod.stl").vertices).max() <= 0.0
    assert lines[0].startswith("rod.stl: hull of 40 faces, stands off the exact one ")
    root, lines = made(folder, "mesh", "--max-faces", "60")
    assert shapes(root) == ["mesh", "box", "mesh", "mesh"]
    assert [len(read_surface(folder / "out_collision" / f"{name}_mesh.stl").faces) for name in ("rod", "ball")] == [
        60,
        60,
    ]
    assert lines[0].endswith(" of 188 faces, 2.55 mm from the mesh at most")


def test_convex_parts_are_files_with_numbers(folder, monkeypatch):
    coacd = require_module("coacd")
    quick = functools.partial(coacd.run_coacd, mcts_iterations=20, mcts_nodes=10, resolution=400)
    monkeypatch.setattr(coacd, "run_coacd", quick)
    (folder / "rod.stl").write_bytes(stl_bytes(frame_mesh()))
    (folder / "arm.urdf").write_text((folder / "arm.urdf").read_text().replace("ball.stl", "rod.stl"))
    root, lines = made(folder, "coacd")
    parts = root.findall("link[@name='tip']/collision")
    assert len(parts) >= 6
    assert [part.get("name") for part in parts][:2] == ["collision_tip_1", "collision_tip_2"]
    files = [each.get("filename") for each in root.findall("link/collision/geometry/mesh")]
    assert files[:2] == ["out_collision/rod_coacd.stl", "out_collision/rod_coacd_2.stl"]
    assert "convex parts, whose corners are " in lines[0]
    first = root.find("link[@name='base']/collision")
    assert first.find("origin").get("xyz") == "1 0 0"


def test_the_other_formats_have_the_same_collision_shapes(folder):
    heavy = (
        (folder / "arm.urdf")
        .read_text()
        .replace(
            "</link>",
            """<inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>""",
        )
    )
    (folder / "arm.urdf").write_text(heavy)
    mjcf = run(folder / "arm.urdf", "-o", folder / "sub.mjcf", "--collision", "hull")
    assert mjcf.status == 0
    files = [mesh.get("file") for mesh in ElementTree.parse(folder / "sub.mjcf").iter("mesh")]
    assert files == ["rod.stl", "sub_collision/rod_hull.stl", "ball.stl", "sub_collision/ball_hull.stl"]
    mujoco = require_module("mujoco")
    model = mujoco.MjModel.from_xml_path(str(folder / "sub.mjcf"))
    assert sum(int(kind) for kind in model.geom_contype) == 4
    assert run(folder / "arm.urdf", "-o", folder / "sub.sdf", "--collision", "capsule").status == 0
    assert [each[0].tag for each in ElementTree.parse(folder / "sub.sdf").iter("geometry")].count("capsule") == 3


def test_the_report_has_the_fits(folder):
    import json

    run(folder / "arm.urdf", "-o", folder / "o.urdf", "--collision", "sphere", "--report", folder / "r.json", "--quiet")
    lines = json.loads((folder / "r.json").read_text())["collision"]
    assert [line.split(":")[0] for line in lines] == ["rod.stl", "ball.stl"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--collision", "hull"), "--collision hull writes mesh files; give -o\n" * 2),
        (("--max-faces", "40"), "--max-faces goes with --collision mesh, hull or coacd\n"),
        (("--collision", "box", "--max-faces", "40"), "--max-faces goes with --collision mesh, hull or coacd\n"),
        (
            ("--collision", "hull", "--max-faces", "3"),
            "--max-faces wants 4 or more, got 3: no solid has fewer faces\n",
        ),
        (
            ("--collision", "box", "--format", "origins"),
            "--collision does not go with --format origins: a kinematics file holds origins only\n",
        ),
    ],
)
def test_what_cannot_be_followed_is_one_line(options, words, folder):
    done = run(folder / "arm.urdf", *options)
    assert (done.status, done.out, done.err) == (2, "", words)


def test_a_mesh_that_is_missing_or_broken_is_named(folder):
    (folder / "ball.stl").write_bytes(b"solid nothing")
    (folder / "rod.stl").unlink()
    done = run(folder / "arm.urdf", "--collision", "box")
    assert (done.status, done.err) == (
        2,
        f"rod.stl: there is no such file, seen from {folder}\n"
        f"{folder}/ball.stl: holds no triangles, or points that are not finite\n",
    )


def test_a_folder_that_cannot_be_made_is_named(folder):
    (folder / "out_collision").write_text("a file")
    done = run(folder / "arm.urdf", "-o", folder / "out.urdf", "--collision", "hull")
    assert (done.status, done.err.splitlines()[-1]) == (2, f"{folder}/out_collision: cannot be made: File exists")
    assert not (folder / "out.urdf").exists()


def test_two_meshes_of_one_name_get_two_files(tmp_path):
    require_module("trimesh")
    for sub in ("a", "b"):
        (tmp_path / sub).mkdir()
        (tmp_path / sub / "part.stl").write_bytes(stl_bytes(hull_of(BLOCK)))
    links = tuple(Link(name=name, visuals=(Shape(geometry=Mesh(filename=f"{name}/part.stl")),)) for name in ("a", "b"))
    from mdh2urdf.robot import Joint

    robot = Robot(name="r", links=links, joints=(Joint(name="j", type="fixed", parent="a", child="b"),))
    found = with_collisions(robot, "hull", folder=tmp_path, output=tmp_path / "sub" / "r.urdf")
    assert [path.name for path in found.files] == ["part_hull.stl", "part_hull_2.stl"]
    assert [link.collisions[0].geometry.filename for link in found.robot.links] == [
        "sub/r_collision/part_hull.stl",
        "sub/r_collision/part_hull_2.stl",
    ]
    assert [link.collisions[0].geometry.filename for link in found.written().links] == [
        "r_collision/part_hull.stl",
        "r_collision/part_hull_2.stl",
    ]


def test_solids_of_a_link_are_kept_as_they_are():
    shapes = (
        Shape(geometry=Box(size=(1, 1, 1)), name="a", material=Material(name="red")),
        Shape(geometry=Sphere(radius=1.0), origin=Transform.from_xyz_rpy((1, 0, 0), (0, 0, 0))),
    )
    robot = Robot(name="r", links=(Link(name="a", visuals=shapes, collisions=shapes[:1]),), joints=())
    found = with_collisions(robot, "best", folder=Path(), output=None)
    assert [shape.geometry for shape in found.robot.links[0].collisions] == [shape.geometry for shape in shapes]
    assert found.robot.links[0].collisions[0].material is None
    assert found.written() is found.robot


def test_a_collada_file_is_taken_in_its_own_unit(tmp_path):
    trimesh = require_module("trimesh")
    text = trimesh.creation.box((1, 2, 3)).export(file_type="dae").decode()
    for unit, size in (("", 1.0), ('<unit name="centimeter" meter="0.01"/>', 0.01)):
        (tmp_path / "a.dae").write_text(text.replace("<up_axis>", f"{unit}<up_axis>"))
        assert np.ptp(read_surface(tmp_path / "a.dae").vertices, axis=0) == pytest.approx([size, 2 * size, 3 * size])


def test_other_meshes_are_taken_as_they_are(tmp_path):
    trimesh = require_module("trimesh")
    trimesh.creation.cylinder(0.05, 0.4).export(tmp_path / "a.obj")
    found = collision_of(tmp_path / "a.obj", (1.0, 1.0, 2.0), "best")
    assert isinstance(found.shape.geometry, Cylinder)
    assert found.shape.geometry.length == pytest.approx(0.8)


UNREADABLE = {
    "a.dae": b"<COLLADA",
    "b.dae": b"<a/>",
    "a.glb": b"glTFxxxx",
    "b.glb": b"",
    "b.obj": b"v a b c\nf 1 2 3\n",
    "c.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n",
    "a.ply": b"ply\n",
    "a.xyz": b"1 2 3\n",
    "a.foo": b"x",
    "a.3mf": b"PK",
}
EMPTY = {"a.obj": b"v 0 0 0\n", "a.stl": b"\0" * 90, "b.stl": b"", "a.gltf": b"{}"}


@pytest.mark.parametrize("name", [*UNREADABLE, *EMPTY])
def test_a_file_that_is_broken_or_empty_is_refused(name, tmp_path):
    require_module("trimesh")
    path = tmp_path / name
    path.write_bytes((UNREADABLE | EMPTY)[name])
    words = "is no mesh that can be read" if name in UNREADABLE else "holds no triangles, or points that are not finite"
    with pytest.raises(Mdh2UrdfError) as caught:
        collision_of(path, (1.0, 1.0, 1.0), "box")
    assert str(caught.value) == f"{path}: {words}"


def test_a_format_whose_reader_is_missing_names_it(tmp_path, monkeypatch):
    trimesh = require_module("trimesh")

    def missing(*_: object):
        raise ModuleNotFoundError("No module named 'cascadio'", name="cascadio")

    monkeypatch.setattr(trimesh, "load_mesh", missing)
    with pytest.raises(Mdh2UrdfError) as caught:
        read_surface(tmp_path / "a.step")
    assert str(caught.value) == f"{tmp_path}/a.step: reading it needs the package cascadio"


def test_a_mesh_that_nothing_can_be_made_of_is_refused(tmp_path, monkeypatch):
    require_module("trimesh")
    path = tmp_path / "a.stl"
    path.write_bytes(stl_bytes(hull_of(BLOCK)))

    def broken(*_: object, **__: object):
        raise ValueError("no")

    monkeypatch.setattr("mdh2urdf.enclosing.make.hull_mesh", broken)
    with pytest.raises(Mdh2UrdfError) as caught:
        collision_of(path, (1.0, 1.0, 1.0), "hull")
    assert str(caught.value) == f"{path}: no hull can be made of it: it is broken"
    assert hull_mesh(BLOCK)[1] == 0.0


def test_trimesh_that_is_missing_is_one_line(folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "trimesh", None)
    done = run(folder / "arm.urdf", "--collision", "box", "-o", folder / "o.urdf")
    need = "needs trimesh: pip install 'mdh2urdf[mesh]'\n"
    assert (done.status, done.err) == (2, f"reading rod.stl {need}reading ball.stl {need}")


def test_an_stl_file_has_normals_and_its_triangles(tmp_path):
    require_module("trimesh")
    surface = Surface(vertices=np.array([[0.0, 0, 0], [2, 0, 0], [0, 2, 0]]), faces=np.array([[0, 1, 2], [0, 0, 0]]))
    data = np.frombuffer(stl_bytes(surface)[84:], dtype="<f4", count=3)
    assert data.tolist() == [0.0, 0.0, 1.0]
    assert len(stl_bytes(surface)) == 84 + 2 * 50
    assert math.isclose(read_surface_area(tmp_path, surface), 2.0)


def read_surface_area(folder: Path, surface: Surface) -> float:
    (folder / "t.stl").write_bytes(stl_bytes(surface))
    a, b, c = (read_surface(folder / "t.stl").triangles[:, i] for i in range(3))
    return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2)
