"""Collision shapes of parts of every kind, bodies drawn for collision, and visuals with the colours of faces."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from assemblies import Part, Solid, ascii_stl, box_triangles, random_pose, stl_bytes, write_dump
from mechanisms import FourBar
from running import convert, link, numbers, one_joint, told
from test_meshes import BLOCK, with_mesh, written

from command_line import run
from mdh2urdf.enclosing.files import read_surface
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.colours import face_colours
from oracles import shift
from readers import require_module

DEFAULTS = ("--joint-defaults", "effort=10,velocity=1")


def test_every_solid_encloses_the_part_and_is_told(tmp_path):
    dump = with_mesh(tmp_path)
    for kind, tags in (
        ("box", ["box"]),
        ("cylinder", ["cylinder"]),
        ("sphere", ["sphere"]),
        ("capsule", ["cylinder", "sphere", "sphere"]),
        ("best", ["box"]),
    ):
        result = convert(dump, tmp_path, collision=kind)
        found = link(result, "Arm_1").findall("collision")
        assert [each.find("geometry")[0].tag for each in found] == tags
        (line,) = result.report["collision"]
        assert line.startswith(f"Arm.stl: {'box' if kind == 'best' else kind} of ")
        assert f"collision: {line}" in result.report_text
        assert result.files == {}


def test_the_settings_choose_for_one_link(tmp_path):
    result = convert(with_mesh(tmp_path), tmp_path, settings="links: {'Arm:1': {collision: sphere}}\n")
    assert link(result, "Arm_1").find("collision/geometry/sphere") is not None


def test_hulls_and_meshes_may_have_few_faces(tmp_path):
    require_module("fast_simplification")
    dump = with_mesh(tmp_path)
    result = convert(dump, tmp_path, collision="hull", max_faces=8)
    assert result.report["collision"][0].startswith("Arm.stl: hull of 8 faces, stands off the exact one ")
    (data,) = result.files.values()
    assert int.from_bytes(data[80:84], "little") <= 8
    result = convert(dump, tmp_path, collision="mesh", max_faces=8)
    (path,) = result.files
    assert path.name == "Arm_mesh.stl"
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(dump, tmp_path, max_faces=2)
    assert str(caught.value) == "--max-faces wants 4 or more, got 2: no solid has fewer faces"


def test_convex_parts_are_numbered(tmp_path):
    require_module("coacd")
    result = convert(with_mesh(tmp_path), tmp_path, collision="coacd")
    assert [path.name for path in result.files] == ["Arm_coacd.stl"]
    parts = [Solid(np.array((0.02, 0.1, 0.02)), 2700.0, shift(0.2 * i, 0, 0)) for i in range(2)]
    data = stl_bytes(box_triangles(parts) / 0.001)
    dump = with_mesh(tmp_path, data=data, volume=False, box="precise")
    dump["occurrences"][1]["range_box"] = {"min": [-1, -5, -1], "max": [21, 5, 1], "precise": True}
    result = convert(dump, tmp_path, collision="coacd")
    assert [path.name for path in result.files] == ["Arm_coacd_1.stl", "Arm_coacd_2.stl"]
    assert [each.get("name") for each in link(result, "Arm_1").findall("collision")] == ["Arm_1_1", "Arm_1_2"]


def test_an_invisible_part_and_one_without_a_mesh_have_no_shape(tmp_path):
    result = convert(one_joint(limits=(-1, 1)), tmp_path, collision="best")
    assert link(result, "Arm_1").find("collision") is None


# Bodies drawn for collision: a block that is seen, a box and a wedge around it that are not.
SEEN = Solid(np.array((0.1, 0.04, 0.02)), 2700.0, shift(0.05, 0.02, 0.01))
TILTED = random_pose(np.random.default_rng(1), 0.0)
DRAWN = Solid(np.array((0.12, 0.06, 0.04)), 1000.0, shift(0.05, 0.02, 0.01) @ TILTED)
WEDGE = np.array([(0.3, 0.1, 0), (0.4, 0.1, 0), (0.3, 0.15, 0), (0.3, 0.1, 0.08)])


def wedge_triangles() -> np.ndarray:
    a, b, c, d = WEDGE
    return np.array([(a, c, b), (a, b, d), (a, d, c), (b, c, d)])


def drawn_dump(folder, *, wedge: bool = False, names=("Solid1", "Collision box", "collision_wedge"), **options) -> dict:
    """One arm whose part holds a seen body and drawn ones, in one STL in mm."""
    from assemblies import occurrence_of

    part = Part("Arm:1", np.eye(4), [SEEN, DRAWN], mesh_unit="mm")
    triangles = box_triangles([SEEN, DRAWN])
    row = occurrence_of(part, np.eye(4), False)
    for body, name in zip(row["bodies"], names, strict=False):
        body["name"] = name
    if wedge:
        triangles = np.concatenate((triangles, wedge_triangles()))
        volume = abs(np.linalg.det(WEDGE[1:] - WEDGE[0])) / 6
        row["bodies"].append(
            row["bodies"][0]
            | {"name": names[2], "volume": volume * 1e6, "center_of_mass": (100 * WEDGE.mean(axis=0)).tolist()}
        )
    written(folder, stl_bytes(triangles / 0.001))
    dump = one_joint(limits=(-1.0, 1.0))
    dump["occurrences"][1] = row | {"assembly_from_occurrence": dump["occurrences"][1]["assembly_from_occurrence"]}
    dump["occurrences"][1] |= options
    return dump


def test_drawn_bodies_are_the_collision_weigh_nothing_and_are_not_seen(tmp_path):
    require_module("trimesh")
    result = convert(drawn_dump(tmp_path), tmp_path, collision="drawn")
    arm = link(result, "Arm_1")
    (shape,) = arm.findall("collision")
    assert sorted(numbers(shape.find("geometry/box").get("size"))) == pytest.approx([0.04, 0.06, 0.12], abs=1e-6)
    assert float(arm.find("inertial/mass").get("value")) == pytest.approx(SEEN.mass)
    assert arm.find("visual/geometry/mesh").get("filename") == "Arm_visual.stl"
    (data,) = result.files.values()
    written(tmp_path, data, "seen.stl")
    assert np.ptp(read_surface(tmp_path / "seen.stl").vertices, axis=0) == pytest.approx([100, 40, 20], rel=1e-5)
    assert result.certificate.passed
    # Without the order they are bodies like any other.
    plain = link(convert(drawn_dump(tmp_path), tmp_path), "Arm_1")
    assert float(plain.find("inertial/mass").get("value")) == pytest.approx(SEEN.mass + DRAWN.mass)
    assert plain.find("visual/geometry/mesh").get("filename") == "Arm.stl"


def test_a_drawn_body_that_is_no_solid_is_its_hull(tmp_path):
    result = convert(drawn_dump(tmp_path, wedge=True), tmp_path, collision="drawn")
    arm = link(result, "Arm_1")
    assert [each.find("geometry")[0].tag for each in arm.findall("collision")] == ["box", "mesh"]
    assert [each.get("name") for each in arm.findall("collision")] == ["Arm_1_1", "Arm_1_2"]
    mesh = arm.findall("collision")[1].find("geometry/mesh")
    assert mesh.attrib == {"filename": "Arm_collision_wedge.stl", "scale": "0.001 0.001 0.001"}
    assert sorted(path.name for path in result.files) == ["Arm_collision_wedge.stl", "Arm_visual.stl"]


def test_a_part_of_drawn_bodies_only_is_not_seen(tmp_path):
    dump = drawn_dump(tmp_path, names=("collision 1", "collision 2"))
    result = convert(dump, tmp_path, collision="drawn")
    assert link(result, "Arm_1").find("visual") is None
    assert len(link(result, "Arm_1").findall("collision")) == 2
    assert link(result, "Arm_1").find("inertial") is None


def test_a_part_without_drawn_bodies_has_no_collision(tmp_path):
    result = convert(with_mesh(tmp_path), tmp_path, collision="drawn")
    assert link(result, "Arm_1").find("collision") is None
    assert link(result, "Arm_1").find("visual") is not None


@pytest.mark.parametrize("change", [{"volume": 1000.0}, {"center_of_mass": [50, 0, 0]}, {"volume": None}])
def test_a_drawn_body_that_is_not_in_the_mesh_is_told(change, tmp_path):
    dump = drawn_dump(tmp_path)
    if change.get("volume", 0) is not None:
        dump["occurrences"][1]["bodies"][1] |= change
    else:
        dump["occurrences"][1]["bodies"][1]["center_of_mass"] = None
    if "volume" in change:
        # The unit comes from the range box then.
        dump["occurrences"][1]["bodies"][0]["volume"] = None
    result = convert(dump, tmp_path, collision="drawn")
    words = "drawn: Arm:1: the body Collision box is not found in Arm.stl: no piece has its volume and centre"
    assert words in told(result)
    assert link(result, "Arm_1").find("collision") is None


RED, GREEN = 31 << 10 | 1 << 15, 31 << 5 | 1 << 15
"""As VisCAM writes them: blue in the lowest bits, bit 15 set."""


def coloured_stl(colours, head: bytes = b"made by a test") -> bytes:
    triangles = box_triangles([BLOCK]) / 0.001
    parts = [head.ljust(80), struct.pack("<I", len(triangles))]
    pairs = zip(triangles, [*colours, *([0] * len(triangles))][: len(triangles)], strict=True)
    parts += [struct.pack("<12fH", 0, 0, 0, *corners.ravel(), colour) for corners, colour in pairs]
    return b"".join(parts)


def test_colours_behind_triangles_are_read_in_both_conventions(tmp_path):
    require_module("trimesh")
    path = written(tmp_path, coloured_stl([RED, GREEN, 31]))
    found = face_colours(path)
    assert found[:2].tolist() == [[1, 0, 0, 1], [0, 1, 0, 1]]
    assert np.isnan(found[2:]).all()
    magics = written(tmp_path, coloured_stl([31, 1 << 15], b"by Magics COLOR=\x00\x00\xff\x80,MATERIAL="))
    found = face_colours(magics)
    assert found[0].tolist() == [1, 0, 0, 1]
    assert found[1] == pytest.approx([0, 0, 1, 128 / 255])
    whole = face_colours(written(tmp_path, coloured_stl([], b"COLOR=\xff\x00\x00\xff")))
    assert whole.tolist() == [[1, 0, 0, 1]] * 12
    assert face_colours(written(tmp_path, coloured_stl([], b"x" * 74 + b"COLOR="))) is None
    assert face_colours(written(tmp_path, coloured_stl([31, 5]))) is None
    assert face_colours(written(tmp_path, ascii_stl(box_triangles([BLOCK])))) is None


def test_coloured_faces_become_a_glb_that_is_seen_and_the_stl_collides(tmp_path):
    trimesh = require_module("trimesh")
    dump = with_mesh(tmp_path, data=coloured_stl([RED, RED, GREEN]))
    result = convert(dump, tmp_path, visual="glb")
    arm = link(result, "Arm_1")
    assert arm.find("visual/geometry/mesh").attrib == {"filename": "Arm.glb"}
    assert arm.find("visual/material") is None
    assert arm.find("collision/geometry/mesh").attrib == {"filename": "Arm.stl", "scale": "0.001 0.001 0.001"}
    assert result.certificate.passed
    (data,) = result.files.values()
    scene = trimesh.load_scene(io.BytesIO(data), file_type="glb")
    found = {
        tuple(np.round(np.array(mesh.visual.material.baseColorFactor) / 255, 2)): len(mesh.faces)
        for mesh in scene.geometry.values()
    }
    # What has no colour of its own has the part's, 0.5 0.25 0.75.
    assert found == {(1, 0, 0, 1): 2, (0, 1, 0, 1): 1, (0.5, 0.25, 0.75, 1): 9}
    assert scene.extents == pytest.approx([0.1, 0.04, 0.02], rel=1e-5)
    assert convert(dump, tmp_path, visual="glb").files == result.files


def test_a_part_without_coloured_faces_keeps_its_stl(tmp_path):
    require_module("trimesh")
    result = convert(with_mesh(tmp_path), tmp_path, visual="glb")
    assert link(result, "Arm_1").find("visual/geometry/mesh").get("filename") == "Arm.stl"


def test_faces_without_a_colour_on_a_part_without_one_are_grey(tmp_path):
    trimesh = require_module("trimesh")
    dump = with_mesh(tmp_path, data=coloured_stl([RED]))
    dump["occurrences"][1]["color"] = None
    dump["occurrences"][1]["bodies"][0]["color"] = None
    (data,) = convert(dump, tmp_path, visual="glb").files.values()
    scene = trimesh.load_scene(io.BytesIO(data), file_type="glb")
    colours = {tuple(mesh.visual.material.baseColorFactor) for mesh in scene.geometry.values()}
    assert colours == {(255, 0, 0, 255), (178, 178, 178, 255)}


def test_two_parts_of_one_mesh_in_two_colours_get_two_files(tmp_path):
    require_module("trimesh")
    dump = with_mesh(tmp_path, data=coloured_stl([RED]))
    dump["occurrences"].append(dump["occurrences"][1] | {"name": "Arm:2", "color": [0, 0, 1, 1]})
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Arm:2"] = sample["transforms"]["Arm:1"]
    result = convert(dump, tmp_path, visual="glb")
    assert [path.name for path in result.files] == ["Arm.glb", "Arm_2.glb"]


def test_a_coloured_part_with_drawn_bodies_shows_the_rest(tmp_path):
    trimesh = require_module("trimesh")
    dump = drawn_dump(tmp_path)
    data = bytearray((tmp_path / "Arm.stl").read_bytes())
    data[84 + 48 : 84 + 50] = struct.pack("<H", RED)
    written(tmp_path, bytes(data))
    result = convert(dump, tmp_path, collision="drawn", visual="glb")
    (glb,) = result.files.values()
    scene = trimesh.load_scene(io.BytesIO(glb), file_type="glb")
    assert sum(len(mesh.faces) for mesh in scene.geometry.values()) == 12
    assert scene.extents == pytest.approx([0.1, 0.04, 0.02], rel=1e-5)


def test_mujoco_reads_no_glb(tmp_path):
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(FourBar().dump(0.7), tmp_path, visual="glb", format="mjcf")
    assert str(caught.value) == "--visual glb does not go with --format mjcf: MuJoCo reads no GLB"


def test_packages_are_no_names_for_mujoco(tmp_path):
    dump = with_mesh(tmp_path)
    dump["joints"][0]["angular"] |= {"start": -1.0, "end": 1.0}
    result = convert(dump, tmp_path, package="arm", format="mjcf", output=tmp_path / "arm.mjcf")
    assert 'file="Arm.stl"' in result.text
    assert 'filename="Arm.stl"' in result.urdf
    gazebo = convert(dump, tmp_path, package="arm", format="sdf", output=tmp_path / "arm.sdf")
    assert "<uri>model://arm/" in gazebo.text


def test_the_command_takes_kinds_visuals_and_faces(tmp_path):
    require_module("trimesh")
    dump = with_mesh(tmp_path, data=coloured_stl([RED]))
    dump["joints"][0]["angular"] |= {"start": -1.0, "end": 1.0}
    path = write_dump(dump, tmp_path)
    output = tmp_path / "arm.urdf"
    done = run("inventor", path, "-o", output, "--visual", "glb", "--collision", "hull", "--max-faces", "12", *DEFAULTS)
    assert done.status == 0
    assert {f"written: {tmp_path}/Arm.glb", f"written: {tmp_path}/Arm_hull.stl"} <= set(done.err.splitlines())
    assert "collision: Arm.stl: hull of 12 faces, stands off the exact one 0 mm at most" in done.err
