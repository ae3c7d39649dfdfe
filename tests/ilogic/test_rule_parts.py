"""What the rule reads of parts: bodies, masses, model states, sub-assemblies, frames, meshes."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ilogic import parts
from ilogic.assemblies import Assembly, at, rotation
from ilogic.machines import flexible_cylinder, japanese_arm, lever, six_axis_arm
from ilogic.simulated import Run, SimulatedInventor
from ilogic.truth import difference

Export = Callable[[Assembly], Run]


def occurrence_of(dump: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(occurrence for occurrence in dump["occurrences"] if occurrence["name"] == name)


def triangles_of(path: Path) -> np.ndarray:
    """Corners in a binary STL, shape (n, 3, 3)."""
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    rows = np.frombuffer(data, dtype=np.dtype([("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")]), offset=84)
    return rows["v"].astype(float)


def tensor_by_points(body: Mapping[str, Any], density: float) -> np.ndarray:
    """Tensor of a box about its centre, by eight Gauss points: exact for a quadratic."""
    size = np.array(body["size"])
    pose = np.array(body["pose"])[:3, :3]
    tensor = np.zeros((3, 3))
    for signs in np.ndindex(2, 2, 2):
        point = pose @ (size / 2 * (2 * np.array(signs) - 1) / np.sqrt(3))
        tensor += density * np.prod(size) / 8 * (point @ point * np.eye(3) - np.outer(point, point))
    return tensor


def test_only_visible_solid_bodies_are_listed_and_all_are_counted(export: Export) -> None:
    machine = parts.hidden_bodies()
    item = occurrence_of(export(machine).dump, "Lever:1")
    assert (item["bodies_total"], item["bodies_visible"]) == (3, 1)
    (body,) = item["bodies"]
    mass, center = parts.mass_of(machine, "Lever.ipt")
    assert body["name"] == "Solid1"
    assert body["visible_only"] is True
    assert body["mass"] == pytest.approx(mass, rel=1e-12)
    assert body["volume"] == pytest.approx(24, rel=1e-12)
    assert body["center_of_mass"] == pytest.approx(center, abs=1e-12)
    assert body["occurrence_from_part"] == np.eye(4).tolist()
    assert body["material"] == {"name": "Steel", "density": pytest.approx(0.00785, rel=1e-12)}
    assert body["override_scale"] == 1
    assert body["color"] == pytest.approx([1, 0, 0.2, 0.5], abs=0.003)


def test_tensor_of_a_turned_box_has_its_products(export: Export) -> None:
    machine = lever()
    source = machine.documents["Lever.ipt"]["bodies"][0]
    source["pose"] = (at(3, 1, 0.5) @ rotation((1, 2, 3), 0.7)).tolist()
    (body,) = occurrence_of(export(machine).dump, "Lever:1")["bodies"]
    tensor = tensor_by_points(source, 0.00785)
    found = body["inertia"]
    assert (found["ixx"], found["iyy"], found["izz"]) == pytest.approx(np.diag(tensor), rel=1e-12)
    assert (found["ixy"], found["iyz"], found["ixz"]) == pytest.approx(
        (tensor[0, 1], tensor[1, 2], tensor[0, 2]), rel=1e-12
    )


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        ("zeros", "the inertia of Lever.ipt Solid1 came as six zeros: the mesh's will be used"),
        ("throws", "the inertia of Lever.ipt Solid1 could not be read (DISP_E_UNKNOWNNAME): the mesh's will be used"),
    ],
)
def test_tensor_that_cannot_be_read_is_null_with_a_message(export: Export, tensor: str, message: str) -> None:
    dump = export(parts.body_with(tensor)).dump
    (body,) = occurrence_of(dump, "Lever:1")["bodies"]
    assert body["inertia"] is None
    assert body["mass"] > 0
    assert message in dump["messages"]


def test_bodies_are_read_where_late_binding_fails(export: Export) -> None:
    machine = lever()
    machine.options["late_binding"] = False
    (body,) = occurrence_of(export(machine).dump, "Lever:1")["bodies"]
    assert body["name"] == "Solid1"
    assert body["inertia"]["ixx"] > 0


@pytest.mark.parametrize("year", [2019, 2022])
def test_before_2023_the_whole_part_stands_for_its_bodies(
    inventor: SimulatedInventor, rule_text: str, tmp_path: Path, year: int
) -> None:
    machine = parts.hidden_bodies()
    machine.options["inventor_version"] = f"{year}.1"
    dump = inventor.run(inventor.compile(rule_text, year=year), machine.as_json(), tmp_path).dump
    item = occurrence_of(dump, "Lever:1")
    (body,) = item["bodies"]
    mass, center = parts.mass_of(machine, "Lever.ipt", visible_only=False)
    assert dump["inventor_version"] == f"{year}.1"
    assert (body["name"], body["visible_only"]) == ("*", False)
    assert body["mass"] == pytest.approx(mass, rel=1e-12)
    assert body["center_of_mass"] == pytest.approx(center, rel=1e-12)
    assert body["inertia"]["ixx"] > 0
    assert item["range_box"]["precise"] is False
    assert item["model_state"] == ("[Primary]" if year == 2022 else "")
    assert any("have no mass data of their own" in message for message in dump["messages"])


def test_precise_range_box_is_the_part_itself(export: Export) -> None:
    machine = lever()
    machine.documents["Lever.ipt"]["bodies"] = [
        {"name": "B", "shape": "box", "size": [10, 4, 2], "pose": at(5).tolist()}
    ]
    assert occurrence_of(export(machine).dump, "Lever:1")["range_box"] == {
        "min": [0, -2, -1],
        "max": [10, 2, 1],
        "precise": True,
    }


def test_mass_override_of_a_part_is_the_occurrences(export: Export) -> None:
    item = occurrence_of(export(parts.overridden_lever()).dump, "Lever:1")
    assert item["mass_override"] == 2.5
    assert item["bodies"][0]["override_scale"] == 1
    assert item["bodies"][0]["mass"] == pytest.approx(24 * 0.00785, rel=1e-12)


def test_rigid_sub_assembly_is_one_occurrence_with_the_bodies_of_its_parts(export: Export) -> None:
    machine = parts.rigid_gripper()
    dump = export(machine).dump
    assert [occurrence["name"] for occurrence in dump["occurrences"]] == ["Base:1", "Lever:1", "Gripper:1"]
    item = occurrence_of(dump, "Gripper:1")
    assert (item["kind"], item["document"], item["mesh"]) == ("assembly", "Gripper.iam", "Gripper.stl")
    assert item["mass_override"] is None
    assert (item["bodies_total"], item["bodies_visible"]) == (8, 6)
    palm, finger, pad, _, _, dummy = item["bodies"]
    jaw = at(2, 0, 4) @ rotation((0, 1, 0), 0.1)
    assert difference(finger["occurrence_from_part"], jaw) < 1e-12
    assert difference(pad["occurrence_from_part"], jaw @ at(0, 0.7, 2)) < 1e-12
    # The finger weighs 0.3 kg by its own override, and the jaw 0.5 kg with its pad.
    pad_mass = 0.5 * 0.0027
    factor = 0.5 / (0.3 + pad_mass)
    assert finger["mass"] * finger["override_scale"] == pytest.approx(0.3 * factor, rel=1e-12)
    assert pad["mass"] * pad["override_scale"] == pytest.approx(pad_mass * factor, rel=1e-12)
    assert palm["override_scale"] == 1
    assert dummy["override_scale"] == 0
    assert dump["messages"] == [
        "in Gripper:1, Dummy:1 is a reference component: its mass does not count",
        "in Gripper:1, Pin:1 is invisible: neither its mass nor its mesh is exported",
    ]


def test_override_of_a_sub_assembly_is_the_occurrences(export: Export) -> None:
    item = occurrence_of(export(parts.overridden_gripper()).dump, "Gripper:1")
    assert item["mass_override"] == 3
    assert item["bodies"][0]["override_scale"] == 1


def test_joint_on_a_part_deep_in_a_rigid_sub_assembly_is_the_sub_assemblys(export: Export) -> None:
    joint = export(parts.rigid_gripper()).dump["joints"][1]
    assert (joint["name"], joint["occurrence_one"], joint["occurrence_two"]) == ("Wrist", "Gripper:1", "Lever:1")
    assert joint["probe"]["status"] == "moved"


def test_mesh_is_written_once_a_document_in_metres_and_in_its_own_frame(export: Export) -> None:
    run = export(six_axis_arm())
    folder = run.dump_file.parent
    meshes = {occurrence["mesh"] for occurrence in run.dump["occurrences"]}
    assert {path.name for path in folder.glob("*.stl")} == meshes
    assert run.report["calls"]["TranslatorAddIn.SaveCopyAs"] == len(meshes) == 10
    assert {o["mesh"] for o in run.dump["occurrences"] if o["document"] == "Screw.ipt"} == {"Screw.stl"}
    corners = triangles_of(folder / "Cover.stl").reshape(-1, 3)
    assert corners.max(axis=0) == pytest.approx([0.02, 0.015, 0.001])
    assert corners.min(axis=0) == pytest.approx([-0.02, -0.015, -0.001])
    assert run.report["exports_inside_transaction"] == []


def test_hidden_bodies_are_not_in_the_mesh(export: Export) -> None:
    run = export(parts.hidden_bodies())
    assert len(triangles_of(run.dump_file.parent / "Lever.stl")) == 16


def test_each_model_state_has_its_mesh_and_its_bodies(export: Export) -> None:
    run = export(parts.two_states())
    first, second, third = (occurrence_of(run.dump, f"Lever:{number}") for number in (1, 2, 3))
    assert (first["model_state"], second["model_state"]) == ("[Primary]", "Long")
    assert (first["mesh"], second["mesh"], third["mesh"]) == ("Lever.stl", "Lever-Long.stl", "Lever.stl")
    assert second["bodies"][0]["volume"] == pytest.approx(2 * first["bodies"][0]["volume"])
    long = triangles_of(run.dump_file.parent / "Lever-Long.stl")
    assert np.ptp(long.reshape(-1, 3)[:, 0]) == pytest.approx(0.24)


def test_meshes_of_files_called_alike_do_not_overwrite_each_other(export: Export) -> None:
    dump = export(parts.same_file_names()).dump
    assert [occurrence["mesh"] for occurrence in dump["occurrences"]] == ["Base.stl", "Lever.stl", "LEVER-2.stl"]


def test_user_coordinate_systems_of_the_assembly_and_its_parts_are_listed(export: Export) -> None:
    frames = export(parts.coordinate_systems()).dump["frames"]
    assert [(frame["name"], frame["occurrence"]) for frame in frames] == [
        ("tool0", "Lever:1"),
        ("Lever:2/tool0", "Lever:2"),
        ("world", None),
    ]
    assert difference(frames[0]["occurrence_from_frame"], at(9) @ rotation((0, 1, 0), 0.7)) < 1e-12
    assert difference(frames[2]["occurrence_from_frame"], at(1, 2, 3) @ rotation((1, 0, 0), 0.3)) < 1e-12


def test_descriptions_are_copied(export: Export) -> None:
    dump = export(parts.descriptions()).dump
    base = dump["occurrences"][0]
    assert base["part_number"] == "B-001"
    assert base["grounded"] is True
    assert base["color"] == pytest.approx([0.2, 0.4, 0.6, 1.0], abs=0.003)
    others = dump["occurrences"][2:]
    assert [item["bom"] for item in others] == ["normal", "phantom", "reference", "purchased", "inseparable", "normal"]
    assert [item["visible"] for item in others] == [True, False, True, True, True, True]
    assert [item["excluded"] for item in others] == [False, False, True, False, False, False]
    assert dump["occurrences"][1]["color"] is None


def test_a_document_that_is_a_reference_is_one_wherever_the_occurrence_leaves_it_to_the_document(
    export: Export,
) -> None:
    machine = parts.descriptions()
    machine.documents["Lever.ipt"]["bom"] = "reference"
    others = export(machine).dump["occurrences"][2:]
    assert [item["bom"] for item in others][-2:] == ["inseparable", "reference"]


@pytest.mark.parametrize(("field", "value"), [("bom", "reference"), ("visible", False)])
def test_what_holds_for_a_flexible_sub_assembly_holds_for_all_in_it(export: Export, field: str, value: object) -> None:
    machine = flexible_cylinder()
    machine.occurrences[1][field] = value
    base, *inner = export(machine).dump["occurrences"]
    assert base[field] != value
    assert [item[field] for item in inner] == [value] * 3


def test_user_coordinate_systems_of_a_flexible_sub_assembly_are_said_to_be_left_out(export: Export) -> None:
    machine = flexible_cylinder()
    machine.documents["Cylinder.iam"]["frames"] = [{"name": "inner", "pose": at(9).tolist()}]
    dump = export(machine).dump
    assert dump["frames"] == []
    assert dump["messages"] == [
        "the user coordinate systems of Cylinder:1 were left out: it is flexible, put them into a part of it"
    ]


def test_suppressed_things_are_listed_and_left_alone(export: Export) -> None:
    run = export(parts.suppressed_things())
    stop = occurrence_of(run.dump, "Stop:1")
    assert stop["suppressed"] is True
    assert stop["document"] == "Stop.ipt"
    assert stop["assembly_from_occurrence"] is None
    assert stop["bodies"] == []
    joints = {joint["name"]: joint for joint in run.dump["joints"]}
    assert joints["Rotational:2"]["probe"]["status"] == "skipped"
    assert (joints["Old"]["suppressed"], joints["Old"]["probe"]["status"]) == (True, "skipped")
    assert joints["Rotational:1"]["probe"]["status"] == "moved"
    assert run.dump["messages"] == [
        "occurrence Grease:1 is a virtual component without geometry and was left out",
        "check: without limits (Rotational:2): right-click the joint, Edit, Limits tab",
        "occurrence Stop:1 is suppressed: nothing of it was read",
        "joint Rotational:2 is on a suppressed occurrence and was not measured",
        "joint Old is suppressed and was not measured",
    ]


def test_japanese_names_and_a_decimal_comma(export: Export) -> None:
    run = export(japanese_arm())
    raw = run.dump_file.read_bytes()
    assert not raw.startswith(b"\xef\xbb\xbf")
    assert run.dump_file.name == "ロボット.inventor.json"
    assert [occurrence["name"] for occurrence in run.dump["occurrences"]] == ["台座:1", '腕 "右":1']
    assert {path.name for path in run.dump_file.parent.glob("*.stl")} == {"台座.stl", "腕.stl"}
    assert run.dump["joints"][0]["name"] == "回転:1"


def test_stl_without_options_is_written_and_said(export: Export) -> None:
    machine = lever()
    machine.options["no_stl_options"] = True
    run = export(machine)
    assert run.dump["messages"] == ["the STL translator has no options here: unit and resolution are Inventor's own"]
    assert np.ptp(triangles_of(run.dump_file.parent / "Base.stl")[..., 0]) == pytest.approx(10)


def test_option_that_cannot_be_set_is_said(export: Export) -> None:
    machine = lever()
    machine.options["faults"] = [{"member": "NameValueMap.Value=", "name": "ExportUnits", "calls": 0}]
    run = export(machine)
    assert run.dump["messages"] == [
        "the STL option ExportUnits could not be set: Unspecified error (NameValueMap.Value=)",
    ]
    assert np.ptp(triangles_of(run.dump_file.parent / "Base.stl")[..., 0]) == pytest.approx(10)


def test_translator_that_fails_is_replaced_by_save_a_copy(export: Export) -> None:
    machine = lever()
    machine.options["faults"] = [{"member": "TranslatorAddIn.SaveCopyAs", "name": "Lever.ipt", "calls": 0}]
    run = export(machine)
    assert occurrence_of(run.dump, "Lever:1")["mesh"] == "Lever.stl"
    assert run.report["calls"]["Document.SaveAs"] == 1
    assert run.dump["messages"] == [
        "the STL translator refused Lever.ipt: Unspecified error (TranslatorAddIn.SaveCopyAs)",
    ]


def test_part_without_a_mesh_has_none_and_a_message(export: Export) -> None:
    machine = lever()
    machine.options["faults"] = [
        {"member": member, "name": "Lever.ipt", "calls": 0}
        for member in ("TranslatorAddIn.SaveCopyAs", "Document.SaveAs")
    ]
    run = export(machine)
    assert occurrence_of(run.dump, "Lever:1")["mesh"] is None
    assert run.dump["messages"] == [
        "the STL translator refused Lever.ipt: Unspecified error (TranslatorAddIn.SaveCopyAs)",
        "no mesh of Lever.ipt: Unspecified error (Document.SaveAs)",
        "no mesh of Lever.ipt: nothing visible in it, or Inventor wrote no file",
    ]
