"""Dumps that can be shown: nothing of the names is in them, and the robot moves as before."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_dump, write_meshes
from mechanisms import FourBar, gear_pair
from running import DEFAULTS, convert, one_joint

from command_line import run
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.anonymise import anonymised
from mdh2urdf.inventor.convert import convert_dump
from mdh2urdf.inventor.options import InventorOptions
from oracles import position_error, rotation_error, urdf_fk


def texts(data, keys: bool = True):
    """All texts in JSON data, and the keys of objects."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from [key] if keys else []
            yield from texts(value, keys)
    elif isinstance(data, list):
        for item in data:
            yield from texts(item, keys)
    elif isinstance(data, str):
        yield data


def numbers(data):
    """All numbers in JSON data, in order."""
    if isinstance(data, dict):
        for value in data.values():
            yield from numbers(value)
    elif isinstance(data, list):
        for item in data:
            yield from numbers(item)
    elif type(data) in (int, float):
        yield data


def kinematics_differ(one, two, rng) -> float:
    """Largest difference in m or rad between links in the same place of two URDFs."""
    worst = 0.0
    pairs = list(zip(one.report["joints"], two.report["joints"], strict=True))
    for _ in range(5):
        q = {a["urdf"][0]: (b["urdf"][0], rng.uniform(-1, 1)) for a, b in pairs}
        first = urdf_fk(one.urdf, {name: value for name, (_, value) in q.items()})
        second = urdf_fk(two.urdf, dict(q.values()))
        for a, b in zip(first.values(), second.values(), strict=True):
            worst = max(worst, position_error(a, b), rotation_error(a, b))
    return worst


@pytest.mark.parametrize("seed", range(4))
def test_an_anonymous_dump_converts_to_the_same_kinematics_and_masses(seed, tmp_path):
    rng = np.random.default_rng(seed)
    assembly = random_assembly(rng, 5, branches=seed % 2 == 1, meshes=True)
    write_meshes(assembly, tmp_path)
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng)
    original = convert(dump, tmp_path)
    result = anonymised(tmp_path / "robot.inventor.json")
    assert (result.left_out, result.meshes) == ((), {})
    shown = json.loads(result.text)
    assert list(numbers(shown)) == list(numbers(json.loads(json.dumps(dump))))
    out = tmp_path / "shown"
    out.mkdir()
    again = convert(shown, out)
    assert again.certificate.passed
    assert kinematics_differ(original, again, rng) == 0.0
    assert [link["mass"] for link in again.report["links"]] == [link["mass"] for link in original.report["links"]]


def secret(dump: dict) -> dict:
    """A dump in which every text that its user chose holds SECRET."""
    dump = json.loads(json.dumps(dump).replace("Arm:1", "SECRET arm:1").replace("Base:1", "SECRET/Base:1"))
    arm = dump["occurrences"][1]
    arm |= {
        "document": "C:\\SECRET\\arm.IPT",
        "model_state": "SECRET",
        "part_number": "SECRET-1",
        "mesh": "SECRET.stl",
        "path": ["SECRET arm:1"],
        "range_box": {"min": [0, 0, 0], "max": [1, 2, 3], "precise": True},
        "bodies": [{"name": "SECRET solid", "mass": 1.5, "material": {"name": "SECRET alloy", "density": 0.00785}}],
        "bom": "SECRET",
        "kind": "part",
        "author": "SECRET",
    }
    dump |= {
        "document": "SECRET.iam",
        "frames": [{"name": "SECRET tool", "occurrence": "SECRET arm:1", "occurrence_from_frame": np.eye(4).tolist()}],
        "messages": ["SECRET was not read"],
        "inventor_version": "2026.1",
        "units": {"length": "cm", "mass": "kg", "angle": "SECRET"},
        "SECRET": {"SECRET": 1},
    }
    dump["joints"][0] |= {"name": "SECRET turn", "health": "SECRET", "geometry": {"axis": ["SECRET"], "SECRET": 1}}
    dump["verify"] = [{"values": {"SECRET turn": 0.25}, "transforms": {}}]
    return dump


def test_no_name_of_the_user_is_left(tmp_path):
    result = anonymised(write_dump(secret(one_joint()), tmp_path), boxes=True)
    assert "secret" not in result.text.lower()
    shown = json.loads(result.text)
    base, arm = shown["occurrences"]
    assert [base["name"], arm["name"], arm["path"]] == ["Part1:1/Part2:1", "Part3:1", ["Part3:1"]]
    assert [base["document"], arm["document"], shown["document"]] == ["Document2.ipt", "Document3.ipt", "Document1.iam"]
    assert (arm["bom"], arm["kind"], arm["bodies"][0]["name"]) == ("text", "part", "Body1")
    assert arm["bodies"][0]["material"] == {"name": "Material1", "density": 0.00785}
    assert (shown["frames"][0]["name"], shown["frames"][0]["occurrence"]) == ("Frame1", "Part3:1")
    assert shown["messages"] == ["message 1 is left out"]
    assert (shown["inventor_version"], shown["units"]["angle"]) == ("2026.1", "text")
    joint = shown["joints"][0]
    assert (joint["name"], joint["occurrence_one"], joint["health"]) == ("Joint1", "Part3:1", "text")
    assert joint["geometry"] == {"axis": ["text"]}
    assert set(joint["probe"]["samples"][0]["transforms"]) == {"Part1:1/Part2:1", "Part3:1"}
    assert shown["verify"][0]["values"] == {"Joint1": 0.25}
    assert result.left_out == ("occurrences.author", "geometry.SECRET", "SECRET")


def test_joints_of_the_ground_and_bodies_without_a_name_keep_what_they_say(tmp_path):
    dump = one_joint(occurrence_two=None)
    dump["occurrences"][1]["bodies"] = [{"name": "*", "visible_only": False}]
    dump["motion_constraints"] = [{"name": "Motion:1", "kind": "rotate_rotate", "ratio": 2.5, "forward": None}]
    shown = json.loads(anonymised(write_dump(dump, tmp_path)).text)
    assert shown["joints"][0]["occurrence_two"] is None
    assert shown["occurrences"][1]["bodies"] == [{"name": "*", "visible_only": False}]
    assert shown["motion_constraints"][0] == {"name": "Name1", "kind": "rotate_rotate", "ratio": 2.5, "forward": None}


@pytest.mark.parametrize("dump", [FourBar().dump(0.7), gear_pair(2.5, 3)], ids=["loop", "gear"])
def test_loops_and_gears_stay_what_they_are(dump, tmp_path):
    original = convert(dump, tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    again = convert(json.loads(anonymised(tmp_path / "robot.inventor.json").text), out)
    assert kinematics_differ(original, again, np.random.default_rng(1)) == 0.0
    assert len(again.report["loops"]) == len(original.report["loops"])


def test_meshes_can_be_boxes_of_the_range_box(tmp_path):
    rng = np.random.default_rng(2)
    assembly = random_assembly(rng, 2, screws=1, meshes=True)
    write_meshes(assembly, tmp_path)
    path = write_dump(dump_of(assembly, assembly.random_q(rng), rng=rng), tmp_path)
    out = tmp_path / "out" / "shown.json"
    out.parent.mkdir()
    done = run("inventor", path, "--anonymise", out, "--boxes")
    files = sorted(file.name for file in out.parent.glob("*.stl"))
    assert (done.status, done.out) == (0, "")
    assert done.err == f"written: {out}, with {len(files)} boxes; look at it before you send it\n"
    assert len(files) == sum(len(body.parts) for body in assembly.bodies)
    result = convert_dump(out, InventorOptions(joint_defaults=DEFAULTS))
    shapes = [shape for link in result.robot.links for shape in link.visuals]
    assert {shape.geometry.scale for shape in shapes} == {(0.01, 0.01, 0.01)}
    assert {Path(shape.geometry.filename).name for shape in shapes} == set(files)
    assert "inside-out" not in {finding.rule for finding in result.findings}


@pytest.mark.parametrize(
    "box",
    [
        None,
        {},
        {"min": [0, 0, 0], "max": 5},
        {"min": [0, 0], "max": [1, 1, 1]},
        {"min": [0, 0, "a"], "max": [1, 1, 1]},
        {"min": [0, 0, 0], "max": [1, 0, 1]},
    ],
)
def test_a_mesh_without_a_box_is_left_out(box, tmp_path):
    dump = one_joint()
    dump["occurrences"][0] |= {"mesh": "a.stl", "range_box": box}
    result = anonymised(write_dump(dump, tmp_path), boxes=True)
    assert result.meshes == {}
    assert json.loads(result.text)["occurrences"][0]["mesh"] is None


def test_a_dump_that_breaks_the_format_can_be_shown_and_breaks_it_in_the_same_places(tmp_path):
    dump = one_joint()
    dump["occurrences"][0]["name"] = 5
    dump["occurrences"][1]["assembly_from_occurrence"] = [[1, 0], None]
    dump["joints"][0]["path"] = "SECRET"
    dump["verify"] = {"values": [1, "SECRET"]}
    path = write_dump(dump, tmp_path)
    done = run("inventor", path, "--anonymise", tmp_path / "shown.json", "--quiet")
    assert (done.status, done.err) == (0, "")
    text = (tmp_path / "shown.json").read_text()
    assert "SECRET" not in text

    def errors(file: Path) -> list[str]:
        with pytest.raises(Mdh2UrdfError) as caught:
            convert_dump(file)
        return [
            problem.path.partition("[")[0] + problem.path.partition(".")[2][:20] for problem in caught.value.problems
        ]

    assert errors(tmp_path / "shown.json") == errors(path)


def test_what_is_left_out_is_told(tmp_path):
    dump = one_joint() | {"SECRET": 1}
    path = write_dump(dump, tmp_path)
    done = run("inventor", path, "--anonymise", tmp_path / "shown.json")
    assert done.err.splitlines() == [
        f"written: {tmp_path}/shown.json, with 0 boxes; look at it before you send it",
        "left out: SECRET",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is no JSON: nothing of it is known to be safe"),
        ("[" * 100_000, "is no JSON: nothing of it is known to be safe"),
        ("[]", "must hold a JSON object"),
    ],
)
def test_a_file_that_is_no_dump_is_refused(text, message, tmp_path):
    path = tmp_path / "dump.json"
    path.write_text(text)
    with pytest.raises(Mdh2UrdfError) as caught:
        anonymised(path)
    assert str(caught.value) == f"{path}: {message}"
