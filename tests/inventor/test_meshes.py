"""STL files: what they enclose, their unit, how the URDF names them, and what is wrong with them."""

from __future__ import annotations

import struct
import sys

import numpy as np
import pytest
from assemblies import (
    CORNERS,
    FACES,
    STL_UNITS,
    Part,
    Solid,
    ascii_stl,
    box_triangles,
    mesh_name,
    occurrence_of,
    stl_bytes,
)
from running import convert, link, numbers, occurrence, one_joint, refused, told

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.mesh import mesh_facts
from oracles import shift, turn_about
from readers import require_module

BLOCK = Solid(np.array((0.1, 0.04, 0.02)), 7850.0, shift(0.05, 0.02, 0.01))
TILTED = [
    Solid(np.array((0.1, 0.04, 0.02)), 7850.0, shift(1.0, 2.0, 3.0) @ turn_about((1, 2, 3), 0.5)),
    Solid(np.array((0.03, 0.05, 0.07)), 7850.0, shift(1.2, 2.0, 3.0) @ turn_about((3, 2, 1), 1.5)),
]


def written(folder, data: bytes, name: str = "Arm.stl"):
    path = folder / name
    path.write_bytes(data)
    return path


def with_mesh(folder, unit: str = "mm", *, data: bytes | None = None, volume=True, box="precise", name="Arm:1") -> dict:
    """A dump whose arm is a block of 10 x 4 x 2 cm with a mesh."""
    part = Part(name, np.eye(4), [BLOCK], mesh_unit=unit)
    written(folder, stl_bytes(box_triangles([BLOCK]) / STL_UNITS[unit]) if data is None else data)
    dump = one_joint()
    row = occurrence_of(part, np.eye(4), False) | {"mesh": "Arm.stl"}
    if not volume:
        row["bodies"][0]["volume"] = None
    row["range_box"] = None if box is None else row["range_box"] | {"precise": box == "precise"}
    dump["occurrences"][1] = row
    return dump


def scale_of(result) -> list[float]:
    mesh = link(result, "Arm_1").find("visual/geometry/mesh")
    return numbers(mesh.get("scale", "1 1 1")).tolist()


@pytest.mark.parametrize("form", [stl_bytes, ascii_stl])
def test_a_mesh_encloses_what_its_solids_do(form, tmp_path):
    if form is ascii_stl:
        require_module("trimesh")
    facts = mesh_facts(written(tmp_path, form(box_triangles(TILTED))))
    masses = np.array([solid.volume for solid in TILTED])
    centers = np.array([solid.place[:3, 3] for solid in TILTED])
    center = masses @ centers / masses.sum()
    arms = centers - center
    tensor = sum(
        s.tensor() / 7850 + v * (a @ a * np.eye(3) - np.outer(a, a))
        for s, v, a in zip(TILTED, masses, arms, strict=True)
    )
    assert facts.faces == 24
    assert facts.ascii == (form is ascii_stl)
    # Single precision of a file that stands 4 m off its origin is 2e-7 m, of edges of 0.02 m.
    assert facts.volume == pytest.approx(masses.sum(), rel=1e-4)
    assert np.abs(facts.center - center).max() < 1e-6
    assert np.abs(facts.inertia - tensor).max() < 1e-4 * np.abs(tensor).max()
    corners = box_triangles(TILTED).reshape(-1, 3)
    assert np.abs(facts.low - corners.min(axis=0)).max() < 1e-6
    assert np.abs(facts.high - corners.max(axis=0)).max() < 1e-6


def test_colours_in_the_attribute_bytes_are_ignored(tmp_path):
    data = bytearray(stl_bytes(box_triangles([BLOCK])))
    for i in range(12):
        struct.pack_into("<H", data, 84 + 50 * i + 48, 0x7FFF)
    assert mesh_facts(written(tmp_path, bytes(data))).volume == pytest.approx(8e-5, rel=1e-6)


def test_a_small_solid_far_from_the_origin_is_measured_as_one_at_the_origin(tmp_path):
    cube = Solid(np.ones(3), 1.0, shift(20000.0, 20000.0, 20000.0))
    facts = mesh_facts(written(tmp_path, stl_bytes(box_triangles([cube]))))
    assert facts.volume == pytest.approx(1.0, abs=1e-12)
    assert facts.center == pytest.approx(np.full(3, 20000.0), abs=1e-9)
    assert facts.inertia == pytest.approx(np.eye(3) / 6, abs=1e-12)


def test_an_open_or_flat_mesh_has_no_volume(tmp_path):
    facts = mesh_facts(written(tmp_path, stl_bytes(box_triangles([BLOCK])[:2])))
    assert facts.volume == 0.0


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "is truncated: 0 bytes, 84 are needed"),
        (stl_bytes(box_triangles([BLOCK]))[:-7], "is truncated: 677 bytes, 684 are needed"),
        (stl_bytes(box_triangles([BLOCK])) + b"more", "is no STL: 12 triangles have 684 bytes, the file has 688"),
        (stl_bytes(np.zeros((0, 3, 3))), "holds no triangles"),
        (stl_bytes(np.full((1, 3, 3), np.nan)), "holds a coordinate that is no finite number"),
        (stl_bytes(np.full((1, 3, 3), np.inf)), "holds a coordinate that is no finite number"),
        (
            b"solid x\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0",
            "is truncated: its text has no endsolid",
        ),
        (b"solid x\nendsolid x\n" + b" " * 80, "is no STL that can be read: its text is broken"),
        (ascii_stl(box_triangles([BLOCK])).replace(b"0.1 ", b"nan ", 1), "holds a coordinate that is no finite number"),
    ],
)
def test_a_broken_file_is_one_line(data, words, tmp_path):
    if data.startswith(b"solid"):
        require_module("trimesh")
    path = written(tmp_path, data)
    with pytest.raises(Mdh2UrdfError) as caught:
        mesh_facts(path)
    assert str(caught.value) == f"{path}: {words}"


def test_a_file_that_cannot_be_read_is_one_line(tmp_path):
    with pytest.raises(Mdh2UrdfError) as caught:
        mesh_facts(tmp_path)
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_missing_extra_is_one_line_that_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "trimesh", None)
    path = written(tmp_path, ascii_stl(box_triangles([BLOCK])))
    with pytest.raises(Mdh2UrdfError) as caught:
        mesh_facts(path)
    assert str(caught.value) == f"reading the ASCII STL {path} needs trimesh: pip install 'mdh2urdf[mesh]'"


@pytest.mark.parametrize("unit", sorted(STL_UNITS))
@pytest.mark.parametrize("measure", ["volume", "precise box", "rough box"])
def test_the_unit_is_measured(measure, unit, tmp_path):
    box = {"volume": None, "precise box": "precise", "rough box": "rough"}[measure]
    dump = with_mesh(tmp_path, unit, volume=measure == "volume", box=box)
    if measure == "rough box":
        # RangeBox only promises to enclose the part.
        dump["occurrences"][1]["range_box"]["max"] = [13, 5, 3]
    assert scale_of(convert(dump, tmp_path)) == [STL_UNITS[unit]] * 3


def test_a_mesh_in_no_known_unit_is_an_error(tmp_path):
    dump = with_mesh(tmp_path, data=stl_bytes(box_triangles([BLOCK]) / 0.0011))
    assert refused(dump, tmp_path) == [
        "occurrences[1].mesh: the unit of Arm.stl cannot be measured: its diagonal is 99.5859, and neither the bodies' "
        "volume nor the range box fits any of m, cm, mm, in, ft, micron within 0.5 %"
    ]
    bare = with_mesh(tmp_path, volume=False, box=None)
    assert refused(bare, tmp_path) == [
        "occurrences[1].mesh: the unit of Arm.stl cannot be measured: the dump has neither volume nor range box"
    ]


def test_half_a_percent_of_tessellation_is_allowed(tmp_path):
    good = with_mesh(tmp_path, data=stl_bytes(box_triangles([BLOCK]) / 0.001 * 0.996))
    assert scale_of(convert(good, tmp_path)) == [0.001] * 3


def test_missing_and_broken_files_are_told_at_once(tmp_path):
    dump = with_mesh(tmp_path)
    dump["occurrences"][0]["mesh"] = "Base.stl"
    dump["occurrences"].append(occurrence("Bolt:1", mesh="Bolt.stl"))
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Bolt:1"] = sample["transforms"]["Arm:1"]
    written(tmp_path, b"x", "Bolt.stl")
    assert refused(dump, tmp_path) == [
        "occurrences[0].mesh: there is no file Base.stl; --meshes says where",
        "Bolt.stl: is truncated: 1 bytes, 84 are needed",
    ]


def test_the_path_in_the_urdf_leads_to_the_file(tmp_path):
    meshes = tmp_path / "export" / "stl"
    meshes.mkdir(parents=True)
    dump = with_mesh(meshes)

    def name(**options) -> str:
        return (
            link(convert(dump, tmp_path, meshes=meshes, **options), "Arm_1")
            .find("visual/geometry/mesh")
            .get("filename")
        )

    assert name() == "export/stl/Arm.stl"
    assert name(output=tmp_path / "urdf" / "arm.urdf") == "../export/stl/Arm.stl"
    assert name(package="arm_description") == "package://arm_description/stl/Arm.stl"
    (tmp_path / "export" / "package.xml").write_text("<package/>")
    assert name(package="arm_description") == "package://arm_description/stl/Arm.stl"
    (tmp_path / "export" / "package.xml").rename(tmp_path / "package.xml")
    assert name(package="arm_description") == "package://arm_description/export/stl/Arm.stl"


def test_the_dump_may_use_the_other_systems_separators(tmp_path):
    (tmp_path / "stl").mkdir()
    dump = with_mesh(tmp_path / "stl")
    dump["occurrences"][1]["mesh"] = "stl\\Arm.stl"
    found = link(convert(dump, tmp_path), "Arm_1").find("visual/geometry/mesh").get("filename")
    assert found == "stl/Arm.stl"


def test_two_occurrences_of_one_part_share_their_mesh(tmp_path):
    dump = with_mesh(tmp_path)
    dump["occurrences"].append(dump["occurrences"][1] | {"name": "Arm:2", "grounded": False})
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Arm:2"] = sample["transforms"]["Arm:1"]
    result = convert(dump, tmp_path)
    files = [mesh.get("filename") for mesh in link(result, "Arm_1").findall("visual/geometry/mesh")]
    assert files == ["Arm.stl", "Arm.stl"]
    assert [visual.get("name") for visual in link(result, "Arm_1").findall("visual")] == ["Arm_1", "Arm_2"]
    assert result.report["meshes"] == {"Arm.stl": {"unit": "mm", "triangles": 12}}


def test_colours_become_materials(tmp_path):
    dump = with_mesh(tmp_path)
    material = link(convert(dump, tmp_path), "Arm_1").find("visual/material")
    assert (material.get("name"), material.find("color").get("rgba")) == ("rgba_80_40_bf_ff", "0.5 0.25 0.75 1")
    dump["occurrences"][1]["color"] = None
    of_bodies = link(convert(dump, tmp_path), "Arm_1").find("visual/material")
    assert of_bodies.find("color").get("rgba") == "0.5 0.5 0.5 1"
    dump["occurrences"][1]["bodies"][0]["color"] = None
    assert link(convert(dump, tmp_path), "Arm_1").find("visual/material") is None
    chosen = convert(dump, tmp_path, settings="links: {'Arm*': {color: [1, 0, 0, 0.5]}}\n")
    assert link(chosen, "Arm_1").find("visual/material").get("name") == "rgba_ff_00_00_80"


def test_an_invisible_occurrence_has_no_shape(tmp_path):
    dump = with_mesh(tmp_path)
    dump["occurrences"][1]["visible"] = False
    assert link(convert(dump, tmp_path), "Arm_1").find("visual") is None


def test_collision_is_the_mesh_a_box_a_hull_or_nothing(tmp_path):
    dump = with_mesh(tmp_path)

    def collision(**options):
        result = convert(dump, tmp_path, **options)
        return result, link(result, "Arm_1").find("collision")

    assert collision()[1].find("geometry/mesh").get("filename") == "Arm.stl"
    assert collision(collision="none")[1] is None
    box = collision(collision="box")[1]
    assert np.allclose(numbers(box.find("geometry/box").get("size")), (0.1, 0.04, 0.02))
    # The part's origin is 10 and 5 cm behind the link's frame, the block's middle 5, 2 and 1 cm from it.
    assert np.allclose(numbers(box.find("origin").get("xyz")), (-0.05, -0.03, 0.01))
    result, shape = collision(collision="hull")
    assert shape.find("geometry/mesh").attrib == {"filename": "Arm_hull.stl", "scale": "0.001 0.001 0.001"}
    (path,) = result.files
    written(tmp_path, result.files[path], path.name)
    assert mesh_facts(path).volume == pytest.approx(8e4, rel=1e-5)
    # The settings choose for one link.
    assert collision(settings="links: {'Arm:1': {collision: none}}\n")[1] is None


def test_large_and_ascii_and_inside_out_meshes_are_told(tmp_path, monkeypatch):
    require_module("trimesh")
    monkeypatch.setattr("mdh2urdf.inventor.shapes.MAX_FACES", 11)
    result = convert(with_mesh(tmp_path, data=ascii_stl(box_triangles([BLOCK])[:, ::-1] / 0.001)), tmp_path)
    assert told(result) == [
        "mesh-size: Arm.stl has 12 triangles and 0 MB; export it coarser",
        "ascii-mesh: Arm.stl is an ASCII STL, which MuJoCo does not read",
        "inside-out: the triangles of Arm.stl face inwards",
    ]
    assert (CORNERS.shape, len(FACES)) == ((8, 3), 12)
    assert mesh_name(Part("Arm:1", np.eye(4))) == "Arm.stl"


def test_a_mesh_is_integrated_in_pieces(tmp_path, monkeypatch):
    path = written(tmp_path, stl_bytes(box_triangles(TILTED)))
    whole = mesh_facts(path)
    monkeypatch.setattr("mdh2urdf.inventor.mesh.CHUNK", 5)
    pieces = mesh_facts(path)
    assert pieces.volume == pytest.approx(whole.volume, rel=1e-5)
    assert np.abs(pieces.center - whole.center).max() < 1e-6
    assert np.abs(pieces.inertia - whole.inertia).max() < 1e-5 * np.abs(whole.inertia).max()


def test_two_occurrences_share_their_hull(tmp_path):
    dump = with_mesh(tmp_path)
    dump["occurrences"].append(dump["occurrences"][1] | {"name": "Arm:2"})
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Arm:2"] = sample["transforms"]["Arm:1"]
    result = convert(dump, tmp_path, collision="hull")
    assert len(result.files) == 1
    assert len(link(result, "Arm_1").findall("collision")) == 2
