"""The dump is read strictly: every fault is an error with its path, all at once."""

# ruff: noqa: E501 (one line a case reads best)

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from assemblies import dump_of, random_assembly
from mechanisms import FourBar
from running import IDENTITY, bare_dump, changed, occurrence, one_joint, probe, rotational, turned

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.dump_reader import parse_dump, read_dump
from mdh2urdf.inventor.fields import MAX_LENGTH, MAX_NUMBER
from readers import require_module

SCHEMA = Path(__file__).parents[2] / "docs" / "inventor-dump.schema.json"


def errors(dump: dict | str) -> list[str]:
    text = dump if isinstance(dump, str) else json.dumps(dump)
    with pytest.raises(Mdh2UrdfError) as caught:
        parse_dump(text, "arm.json")
    return [str(problem).removeprefix("arm.json: ") for problem in caught.value.problems]


@pytest.fixture(scope="module")
def schema():
    jsonschema = require_module("jsonschema")
    return jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def full_dump() -> dict:
    """A dump with every field of the format."""
    rng = np.random.default_rng(5)
    assembly = random_assembly(rng, 4, meshes=True)
    assembly.frames = [{"name": "tool0", "occurrence": "Link 1:1", "occurrence_from_frame": IDENTITY}]
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng)
    dump["motion_constraints"] = [
        {
            "name": "Motion:1",
            "kind": "rotate_rotate",
            "occurrence_one": "Link 1:1",
            "occurrence_two": "Link 2:1",
            "ratio": 2.5,
            "forward": False,
        }
    ]
    dump["messages"] = ["nothing to say"]
    return dump


def test_numbers_are_read_in_si():
    dump = changed(
        one_joint(),
        "occurrences.1.assembly_from_occurrence",
        turned(0.0, start=[[1, 0, 0, 3.7], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]),
    )
    dump["occurrences"][1] |= {
        "range_box": {"min": [0, 0, 0], "max": [10, 4, 2], "precise": True},
        "bodies": [
            {
                "name": "Solid1",
                "mass": 1.2,
                "volume": 444.4,
                "center_of_mass": [0, 0, 5],
                "inertia": {"ixx": 11.6, "iyy": 11.6, "izz": 3.2, "ixy": 0.1, "iyz": 0.2, "ixz": 0.3},
                "material": {"name": "Steel", "density": 0.00785},
            }
        ],
    }
    found, findings = parse_dump(json.dumps(dump))
    arm = found.occurrences[1]
    (body,) = arm.bodies
    assert findings == []
    assert arm.pose[0, 3] == pytest.approx(0.037, rel=1e-15)
    assert arm.box.high.tolist() == [0.1, 0.04, 0.02]
    assert (body.mass, body.volume, body.center_of_mass.tolist()) == (1.2, 444.4e-6, [0, 0, 0.05])
    assert body.inertia.tolist() == [[11.6e-4, 1e-5, 3e-5], [1e-5, 11.6e-4, 2e-5], [3e-5, 2e-5, 3.2e-4]]
    assert body.density == pytest.approx(7850, rel=1e-15)
    assert found.joints[0].probe.poses.shape == (2, 2, 4, 4)


def test_limits_in_centimetres_move_their_decimal_point_only():
    dump = changed(one_joint(), "joints.0.linear", {"value": 1e-7, "start": 3.7, "end": 12})
    linear = parse_dump(json.dumps(dump))[0].joints[0].linear
    assert (linear.value, linear.start, linear.end) == (1e-9, 0.037, 0.12)


def test_poses_that_a_sample_lacks_are_not_a_number():
    dump = one_joint()
    dump["occurrences"].append(occurrence("Screw:1"))
    found, _ = parse_dump(json.dumps(dump))
    assert np.isnan(found.joints[0].probe.poses[:, 2]).all()
    assert not np.isnan(found.joints[0].probe.poses[:, :2]).any()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "arm.json:1:1: is no JSON; wanted is the NAME.inventor.json that the iLogic rule wrote"),
        (
            '{"format": "inventor-dump", "version": 1, "occ',
            "arm.json:1:43: is no JSON: Unterminated string starting at",
        ),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice in one object"),
        ('{"a": NaN}', "holds NaN, which is no JSON number"),
        ('{"a": -Infinity}', "holds -Infinity, which is no JSON number"),
        ("[" * 100_000, "is no dump: nested too deeply"),
        ("1" * 5000, "is no dump: a number has too many digits"),
        ("[]", "must be an object, not a list of 0"),
    ],
)
def test_text_that_is_no_json_object_is_one_line(text, line):
    assert errors(text)[0] == line


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("format", "other", "format: must be \"inventor-dump\", not 'other'"),
        ("version", 2, "version: must be 1, not 2"),
        ("version", True, "version: must be 1, not true"),
        ("document", "", "document: must not be empty"),
        ("document", None, "document: is missing"),
        ("document", "a\nb", "document: holds a control character or half a character"),
        ("joints.0.name", "Turn\ud800", "joints[0].name: holds a control character or half a character"),
        ("occurrences", [], "occurrences: the assembly has no occurrences"),
        ("occurrences", None, "occurrences: is missing"),
        ("occurrences", {}, "occurrences: must be a list, not an object"),
        ("occurrences.1.name", "Base:1", "occurrences[1].name: 'Base:1' is the name of occurrences[0] too"),
        ("occurrences.1.grounded", 1, "occurrences[1].grounded: must be true or false, not 1"),
        ("occurrences.1.bodies_total", -1, "occurrences[1].bodies_total: must be a whole number of at least 0, not -1"),
        ("occurrences.1.mass_override", -2, "occurrences[1].mass_override: must not be negative, but is -2"),
        ("occurrences.1.color", [1, 2, 3, 4], "occurrences[1].color: must be red, green, blue, alpha between 0 and 1"),
        ("occurrences.1.color", [1, 2], "occurrences[1].color: must be a list of 4 finite numbers, not a list of 2"),
        ("occurrences.1.range_box", {"min": [0, 0, 0], "max": [1, -1, 1]}, "occurrences[1].range_box: min must not be above max"),
        ("occurrences.1.range_box", {"min": [0, 0, 0]}, "occurrences[1].range_box.max: is missing"),
        ("occurrences.1.assembly_from_occurrence", None, "occurrences[1].assembly_from_occurrence: is missing"),
        ("occurrences.1.assembly_from_occurrence", 5, "occurrences[1].assembly_from_occurrence: must be four rows of four finite numbers, not 5"),
        ("occurrences.1.assembly_from_occurrence", [[1, 0, 0, 0]] * 3 + [[1]], "occurrences[1].assembly_from_occurrence: must be four rows of four finite numbers, not a list of 4"),
        ("occurrences.1.assembly_from_occurrence", [[True, 0, 0, 0], *IDENTITY[1:]], "occurrences[1].assembly_from_occurrence: must be four rows of four finite numbers, not a list of 4"),
        ("occurrences.1.assembly_from_occurrence", [[10**400, 0, 0, 0], *IDENTITY[1:]], "occurrences[1].assembly_from_occurrence: must be four rows of four finite numbers, not a list of 4"),
        ("occurrences.1.assembly_from_occurrence", [[-1, 0, 0, 0], *IDENTITY[1:]], "occurrences[1].assembly_from_occurrence: is not a rigid pose: it mirrors (its determinant is negative); allowed is 0.0001"),
        ("occurrences.1.assembly_from_occurrence", [[1.1, 0, 0, 0], *IDENTITY[1:]], "occurrences[1].assembly_from_occurrence: is not a rigid pose: it is off by 0.21; allowed is 0.0001"),
        ("occurrences.1.assembly_from_occurrence", [*IDENTITY[:3], [0, 0, 0, 2]], "occurrences[1].assembly_from_occurrence: is not a rigid pose: it is off by 1; allowed is 0.0001"),
        ("occurrences.1.bodies", [{"name": "S", "mass": "heavy"}], "occurrences[1].bodies[0].mass: must be a finite number, not 'heavy'"),
        ("occurrences.1.bodies", [{"name": "S", "mass": 10**400}], "occurrences[1].bodies[0].mass: must be a finite number, not " + "1" + "0" * 36 + "..."),
        ("occurrences.1.bodies", [{"mass": 1}], "occurrences[1].bodies[0].name: is missing"),
        ("occurrences.1.bodies", [{"name": "S", "inertia": {"ixx": 1}}], "occurrences[1].bodies[0].inertia.ixy: is missing"),
        ("occurrences.1.bodies", [{"name": "S", "override_scale": -1}], "occurrences[1].bodies[0].override_scale: must not be negative, but is -1"),
        ("joints.0.type", None, "joints[0].type: is missing"),
        ("joints.0.type_value", 102403, "joints[0].type: kRotationalJointType contradicts type_value 102403, kSlideJointType"),
        ("joints.0.occurrence_one", "Leg:1", "joints[0].occurrence_one: there is no occurrence 'Leg:1'"),
        ("joints.0.probe.status", "shaken", "joints[0].probe.status: must be one of moved, no_motion, locked, failed, skipped, not 'shaken'"),
        ("joints.0.probe.quantity", None, "joints[0].probe.quantity: is missing"),
        ("joints.0.probe.samples", [], "joints[0].probe.samples: a probe that moved has at least two samples, not 0"),
        ("joints.0.probe.samples.1.value", 0, "joints[0].probe.samples: the value is 0 in every sample: nothing was driven"),
        ("joints.0.probe.samples.1.value", None, "joints[0].probe.samples[1].value: is missing"),
        ("joints.0.probe.samples.1.transforms", None, "joints[0].probe.samples[1].transforms: is missing"),
        ("joints.0.probe.samples.1.transforms", [], "joints[0].probe.samples[1].transforms: must be an object, not a list of 0"),
        ("joints.0.probe.samples.1.transforms", {"Base:1": IDENTITY}, "joints[0].probe.samples[1].transforms: has no pose of 'Arm:1', which the joint moves"),
        ("joints.0.probe.samples.1.transforms", {}, "joints[0].probe.samples[1].transforms: has no pose of 'Base:1', which the joint moves"),
        ("joints.0.probe.samples.1.transforms.Leg:1", IDENTITY, 'joints[0].probe.samples[1].transforms["Leg:1"]: is no listed occurrence'),
        ("joints.0.probe.samples.1.transforms.Arm:1", [[-1, 0, 0, 0], *IDENTITY[1:]], 'joints[0].probe.samples[1].transforms["Arm:1"]: is not a rigid pose: it mirrors (its determinant is negative); allowed is 0.0001'),
        ("joints.0.probe.samples.1.transforms.Arm:1", 5, 'joints[0].probe.samples[1].transforms["Arm:1"]: must be four rows of four finite numbers, not 5'),
        ("units", {"length": "mm"}, "units.length: must be 'cm' (Inventor's database unit), not 'mm'"),
        ("messages", [5], "messages[0]: must be a text, not 5"),
        ("verify", [{"values": {"Turn:2": 1}, "transforms": {}}], 'verify[0].values["Turn:2"]: is no listed joint'),
        ("verify", [{"values": {"Turn:1": "x"}, "transforms": {}}], "verify[0].values[\"Turn:1\"]: must be a finite number, not 'x'"),
        ("frames", [{"name": "tool0", "occurrence": None}], "frames[0].occurrence_from_frame: is missing"),
        ("motion_constraints", [{"name": "M", "kind": "gear", "occurrence_one": "Base:1", "occurrence_two": "Arm:1", "ratio": 0}], "motion_constraints[0].ratio: must not be 0"),
        ("motion_constraints", [{"name": "M", "kind": "gear", "occurrence_one": "Base:1", "ratio": 1}], "motion_constraints[0].occurrence_two: is missing"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_an_error_with_its_path(path, value, line):
    assert line in errors(changed(one_joint(), path, value))


@pytest.mark.parametrize(
    ("value", "line"),
    [
        (None, "is missing"),
        ({}, "must be a list, not an object"),
        ([], "the assembly has no occurrences"),
    ],
)
def test_without_occurrences_nothing_is_said_of_what_refers_to_them(value, line):
    assert errors(changed(one_joint(), "occurrences", value)) == [f"occurrences: {line}"]


FAR = [*IDENTITY[:2], [0, 0, 1, 1e300], IDENTITY[3]]
AWAY = "must lie within 1e+08 cm (1000 km)"
LARGE = "must lie within 1e+30"
BODIES = "occurrences[1].bodies[0]"


@pytest.mark.parametrize(
    ("path", "value", "line"),
    [
        ("occurrences.1.assembly_from_occurrence", FAR, f"occurrences[1].assembly_from_occurrence: {AWAY}"),
        ("occurrences.1.assembly_from_occurrence", [[1e300, 0, 0, 0], *IDENTITY[1:]], f"occurrences[1].assembly_from_occurrence: {AWAY}"),
        ("joints.0.probe.samples.1.transforms.Arm:1", FAR, f'joints[0].probe.samples[1].transforms["Arm:1"]: {AWAY}'),
        ("frames", [{"name": "tool0", "occurrence": None, "occurrence_from_frame": FAR}], f"frames[0].occurrence_from_frame: {AWAY}"),
        ("occurrences.1.range_box", {"min": [0, 0, 0], "max": [1, 1, 1.1e8]}, f"occurrences[1].range_box.max: {AWAY}"),
        ("occurrences.1.bodies", [{"name": "S", "center_of_mass": [0, -1e300, 0]}], f"{BODIES}.center_of_mass: {AWAY}"),
        ("joints.0.geometry", {"origin": [0, 0, 1e300]}, f"joints[0].geometry.origin: {AWAY}"),
        ("joints.0.linear", {"start": -1e300}, f"joints[0].linear.start: {AWAY}, not -1e+300"),
        ("joints.0.probe", probe([(0.0, {}), (1e300, {})], "linear"), f"joints[0].probe.samples[1].value: {AWAY}, not 1e+300"),
        ("joints.0.geometry", {"axis": [0, 0, 1e300]}, f"joints[0].geometry.axis: {LARGE}"),
        ("joints.0.angular", {"value": 1e300}, f"joints[0].angular.value: {LARGE}, not 1e+300"),
        ("occurrences.1.bodies", [{"name": "S", "mass": 1e300}], f"{BODIES}.mass: {LARGE}, not 1e+300"),
        ("verify", [{"values": {"Turn:1": 1e300}, "transforms": {}}], f'verify[0].values["Turn:1"]: {LARGE}, not 1e+300'),
    ],
)  # fmt: skip
def test_a_number_that_no_assembly_has_is_an_error_with_its_path(path, value, line):
    assert line in errors(changed(one_joint(), path, value))


def test_an_end_that_is_not_written_is_an_error_and_one_that_is_null_is_not():
    dump = one_joint()
    del dump["joints"][0]["occurrence_two"]
    assert errors(dump) == ["joints[0].occurrence_two: is missing (null where the joint holds the assembly itself)"]
    dump["joints"][0]["occurrence_two"] = None
    parse_dump(json.dumps(dump))


def test_two_joints_of_one_name_are_an_error():
    dump = one_joint()
    dump["joints"].append(dump["joints"][0])
    assert errors(dump) == ["joints[1].name: 'Turn:1' is the name of joints[0] too"]


def test_names_that_differ_only_by_case_are_an_error():
    dump = bare_dump([occurrence("Base:1", grounded=True), occurrence("BASE:1")], [])
    assert errors(dump) == [
        "occurrences[1].name: 'BASE:1' and 'Base:1' differ only by case; Inventor and Windows take them for one"
    ]


def test_all_errors_come_at_once():
    dump = one_joint()
    dump["occurrences"][0]["visible"] = "yes"
    dump["joints"][0]["health"] = 1.5
    dump["joints"][0]["probe"]["samples"][1]["value"] = "x"
    assert errors(dump) == [
        "occurrences[0].visible: must be true or false, not 'yes'",
        "joints[0].health: must be a whole number of at least 0, not 1.5",
        "joints[0].probe.samples[1].value: must be a finite number, not 'x'",
    ]


def test_very_many_errors_are_counted():
    dump = bare_dump([occurrence(f"P:{i}", visible=0) for i in range(60)], [])
    lines = errors(dump)
    assert len(lines) == 51
    assert lines[-1] == "and 10 more errors"


def test_matrices_that_are_not_quite_rigid_are_repaired_and_told_once():
    dump = one_joint()
    dump["occurrences"][1]["assembly_from_occurrence"] = [[1 + 1e-6, 0, 0, 0], *IDENTITY[1:]]
    dump["joints"][0]["probe"]["samples"][0]["transforms"]["Arm:1"] = [[1 + 1e-5, 0, 0, 0], *IDENTITY[1:]]
    found, findings = parse_dump(json.dumps(dump), "arm.json")
    assert [str(finding) for finding in findings] == [
        'arm.json: joints[0].probe.samples[0].transforms["Arm:1"]: of 2 matrices that are not quite rigid, '
        "and were made so, this one is worst: 2e-05"
    ]
    assert np.abs(found.occurrences[1].pose - np.eye(4)).max() < 1e-15


def test_unknown_fields_are_ignored_and_told_once_a_kind():
    dump = one_joint()
    for item in dump["occurrences"]:
        item["x_note"] = "ours"
    dump["joints"][0]["comment"] = "theirs"
    _, findings = parse_dump(json.dumps(dump))
    assert [str(finding) for finding in findings] == [
        "occurrences[0].x_note: is no field of the format and is ignored (2 places)",
        "joints[0].comment: is no field of the format and is ignored",
    ]


def test_a_suppressed_occurrence_needs_no_pose():
    dump = one_joint()
    dump["occurrences"].append({"name": "Old:1", "document": "Old.ipt", "suppressed": True})
    assert parse_dump(json.dumps(dump))[0].occurrences[2].suppressed


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(Mdh2UrdfError) as caught:
        read_dump(tmp_path / "none.json")
    assert str(caught.value) == f"{tmp_path}/none.json: cannot be read: No such file or directory"


@pytest.mark.parametrize("dump", [full_dump(), one_joint(), FourBar().dump(0.3)], ids=["full", "bare", "four-bar"])
def test_the_schema_takes_what_the_reader_takes(dump, schema):
    assert [error.message for error in schema.iter_errors(dump)] == []
    parse_dump(json.dumps(dump))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("format", "other"),
        ("version", 2),
        ("document", ""),
        ("occurrences", []),
        ("units", {"length": "mm"}),
        ("occurrences.1.grounded", 1),
        ("occurrences.1.bodies_total", -1),
        ("occurrences.1.mass_override", -2),
        ("occurrences.1.color", [1, 2, 3, 4]),
        ("occurrences.1.range_box", {"min": [0, 0, 0]}),
        ("occurrences.1.assembly_from_occurrence", None),
        ("occurrences.1.assembly_from_occurrence", [[1, 0, 0, 0]] * 3),
        ("occurrences.1.bodies", [{"name": "S", "inertia": {"ixx": 1}}]),
        ("joints.0.type", None),
        ("joints.0.occurrence_one", 5),
        ("joints.0.probe.status", "shaken"),
        ("joints.0.probe.quantity", None),
        ("joints.0.probe.samples", []),
        ("joints.0.probe.samples.1.value", None),
        ("joints.0.probe.samples.1.transforms", []),
        ("messages", [5]),
        ("frames", [{"name": "tool0"}]),
        ("motion_constraints", [{"name": "M", "kind": "g", "occurrence_one": "A", "occurrence_two": "B", "ratio": 0}]),
    ],
)
def test_the_schema_refuses_what_the_reader_refuses(path, value, schema):
    dump = changed(one_joint(), path, value)
    assert list(schema.iter_errors(dump))
    assert errors(dump)


def numbers_of(value, path=""):
    """Ways to the numbers of a dump, one of those that differ in an index or a name only."""
    found = {}
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            way = f"{path}.{key}" if path else str(key)
            found |= {pattern: one for pattern, one in numbers_of(entry, way).items() if pattern not in found}
    elif type(value) in (int, float):
        found[re.sub(r"\d+|(?<=transforms\.)[^.]+|(?<=values\.)[^.]+", "*", path)] = path
    return found


@pytest.mark.parametrize("path", numbers_of(FULL := full_dump()).values())
def test_the_schema_and_the_reader_have_the_same_bounds(path, schema):
    for value in (1e8, 1.01e8, -1e8, -1.01e8, 1e30, 1.01e30, -1e30, -1.01e30):
        dump = changed(FULL, path, value)
        refused = list(schema.iter_errors(dump))
        try:
            parse_dump(json.dumps(dump))
            said = []
        except Mdh2UrdfError as error:
            said = [problem.message for problem in error.problems]
        assert said or not refused, (value, refused)
        if not said or any("must lie within" in message for message in said):
            assert bool(refused) == bool(said), (value, said)


def test_the_page_on_dumps_tells_the_bounds():
    page = " ".join((SCHEMA.parent / "inventor.md").read_text(encoding="utf-8").split())
    assert (MAX_LENGTH, MAX_NUMBER) == (1e8, 1e30)
    assert "Its lengths lie within 1e8 cm (1000 km) and all other numbers within 1e30" in page


def test_probes_that_did_not_move_need_no_samples():
    dump = bare_dump(
        [occurrence("Base:1", grounded=True), occurrence("Arm:1")],
        [rotational("Turn:1", "Arm:1", "Base:1", probe={"status": "locked"})],
    )
    found, _ = parse_dump(json.dumps(dump))
    assert not found.joints[0].probe.moved
    assert found.joints[0].probe.poses.shape == (0, 2, 4, 4)
