"""Failures that users of CAD exporters reported, as small inputs with the right value."""

from __future__ import annotations

import json

import numpy as np
import pytest
from running import (
    IDENTITY,
    bare_dump,
    changed,
    convert,
    joint,
    numbers,
    occurrence,
    one_joint,
    origin,
    probe,
    refused,
    rotational,
    told,
    turned,
)

from mdh2urdf.inventor.convert import convert_dump
from oracles import rpy_matrix, shift, turn_about


def test_limits_of_an_arm_whose_face_axis_lies_are_not_mirrored(tmp_path):
    """Exporters that trust the face's axis wrote [-3.0, -1.4] for [1.4, 3.0]."""

    def part(value: float) -> np.ndarray:
        # The arm turns about -z through (10, 5) cm; at 0 its frame stands at (12, 5) cm, turned by 0.2 rad.
        at_zero = shift(12, 5, 2) @ turn_about((0, 0, 1), 0.2)
        return shift(10, 5, 0) @ turn_about((0, 0, -1), value) @ shift(-10, -5, 0) @ at_zero

    samples = [(v, {"Base:1": IDENTITY, "Arm:1": part(v).tolist()}) for v in (2.0, 2.1)]
    row = rotational(
        "Rotational:1", "Arm:1", "Base:1", samples, 2.0, (1.4, 3.0), geometry={"axis": [0, 0, 1], "origin": None}
    )
    dump = bare_dump([occurrence("Base:1", grounded=True), occurrence("Arm:1", part(2.0).tolist())], [row])
    result = convert(dump, tmp_path)
    written = joint(result, "Rotational_1")
    assert (written.get("type"), written.find("axis").get("xyz")) == ("revolute", "0 0 -1")
    assert (written.find("limit").get("lower"), written.find("limit").get("upper")) == ("1.4", "3")
    assert numbers(written.find("origin").get("xyz")).tolist() == [0.1, 0.05, 0.02]
    assert numbers(written.find("origin").get("rpy")) == pytest.approx([0, 0, 0.2], abs=1e-10)
    # The part's frame in the link's, and where it is at 2 rad.
    place = (
        np.linalg.inv(shift(0.1, 0.05, 0.02) @ rpy_matrix(0, 0, 0.2)) @ shift(0.12, 0.05, 0.02) @ rpy_matrix(0, 0, 0.2)
    )
    pose = np.array(result.robot.link_poses({"Rotational_1": 2.0})["Arm_1"].matrix()) @ place
    wanted = part(2.0)
    wanted[:3, 3] /= 100
    assert np.abs(pose - wanted).max() < 1e-10


def test_a_part_whose_origin_is_55_mm_off_its_pin_turns_about_the_pin(tmp_path):
    def lever(value: float) -> list:
        return (turn_about((0, 1, 0), value) @ shift(5.5, 0, 0)).tolist()

    samples = [(v, {"Base:1": IDENTITY, "Lever:1": lever(v)}) for v in (0.0, 0.1)]
    dump = bare_dump(
        [
            occurrence("Base:1", grounded=True),
            occurrence(
                "Lever:1",
                lever(0.0),
                bodies=[
                    {
                        "name": "S",
                        "mass": 1,
                        "center_of_mass": [1, 2, 3],
                        "inertia": {"ixx": 1, "iyy": 1, "izz": 1, "ixy": 0, "iyz": 0, "ixz": 0},
                    }
                ],
            ),
        ],
        [rotational("Rotational:1", "Lever:1", "Base:1", samples)],
    )
    result = convert(dump, tmp_path)
    written = joint(result, "Rotational_1")
    assert origin(written).tolist() == np.eye(4).tolist()
    assert written.find("axis").get("xyz") == "0 1 0"
    assert (written.get("type"), dict(written.find("limit").attrib)) == (
        "continuous",
        {"effort": "10", "velocity": "1"},
    )
    (link,) = (item for item in result.robot.links if item.name == "Lever_1")
    assert link.inertial.origin.translation == pytest.approx((0.065, 0.02, 0.03), abs=1e-12)


def test_a_four_bar_without_probes_lists_every_joint_that_was_not_measured(tmp_path):
    names = ("Ground:1", "Crank:1", "Coupler:1", "Rocker:1")
    ends = (("Crank:1", "Ground:1"), ("Coupler:1", "Crank:1"), ("Rocker:1", "Coupler:1"), ("Rocker:1", "Ground:1"))
    joints = [rotational(f"R{i + 1}", *pair) for i, pair in enumerate(ends)]
    dump = bare_dump([occurrence(name, grounded=name == "Ground:1") for name in names], joints)
    kind = "kRotationalJointType"
    words = "there is no probe: run the rule's probe again, or set its type to fixed in the settings"
    assert refused(dump, tmp_path) == [
        *(f"joints[{i}]: R{i + 1} ({kind}): {words}" for i in (0, 3, 1)),
        f"joints[2]: R3 ({kind}): it closes a loop; {words}, or leave the loop open with --drop",
    ]


def test_the_same_four_bar_with_probes_is_a_tree_with_one_named_cut(tmp_path):
    pins = ((0, 0, 0), (0, 20, 0), (35, 30, 0), (30, 0, 0))
    names = ("Ground:1", "Crank:1", "Coupler:1", "Rocker:1")
    ends = (("Crank:1", "Ground:1"), ("Coupler:1", "Crank:1"), ("Rocker:1", "Coupler:1"), ("Rocker:1", "Ground:1"))
    joints = []
    for i, (child, parent) in enumerate(ends):
        samples = [(v, dict.fromkeys(names, IDENTITY) | {child: turned(v, pins[i])}) for v in (0.0, 0.1)]
        joints.append(rotational(f"R{i + 1}", child, parent, probe=probe(samples, others_suppressed=True)))
    result = convert(bare_dump([occurrence(n, grounded=n == "Ground:1") for n in names], joints), tmp_path)
    children = [item.child for item in result.robot.joints]
    assert sorted(children) == ["Coupler_1", "Crank_1", "Rocker_1"]
    (loop,) = result.report["loops"]
    assert (loop["cut"][0]["joint"], loop["drivers"]) == ("R3", ["R1"])
    assert "frame_a: {xyz: [0.05, 0.3, 0], rpy: [0, 0, 0]}" in result.loops


def test_loose_parts_and_two_grounds_are_listed_by_group(tmp_path):
    dump = bare_dump(
        [
            occurrence("Base:1", grounded=True),
            occurrence("Frame:1", grounded=True),
            occurrence("Arm:1"),
            occurrence("Screw:1"),
        ],
        [rotational("R1", "Arm:1", "Base:1")],
    )
    lines = refused(dump, tmp_path)
    assert lines[0].startswith("several occurrences are grounded: Base:1, Frame:1; ")
    assert "the groups are {Base:1, Arm:1}; {Frame:1}; {Screw:1}." in lines[1]


def test_cylindrical_planar_and_ball_joints_without_measures_are_listed(tmp_path):
    kinds = {"Cyl:1": "kCylindricalJointType", "Planar:1": "kPlanarJointType", "Ball:1": "kBallJointType"}
    rows = [
        {"name": name, "type": kind, "occurrence_one": f"P{i}:1", "occurrence_two": "Base:1"}
        for i, (name, kind) in enumerate(kinds.items())
    ]
    rows[0] |= {"angular": {"value": 0}, "linear": {"value": 3, "start": 3, "end": 3}}
    dump = bare_dump([occurrence("Base:1", grounded=True), *(occurrence(f"P{i}:1") for i in range(3))], rows)
    lines = refused(dump, tmp_path)
    assert [line.split(":")[0] for line in lines] == ["joints[0]", "joints[1]", "joints[2]"]
    assert [kind in line for kind, line in zip(kinds.values(), lines, strict=True)] == [True] * 3
    samples = [(v, {"Base:1": IDENTITY, "P0:1": turned(v)}) for v in (0.0, 0.1)]
    rows[0]["probe"] = probe(samples)
    result = convert(dump, tmp_path, unsupported="fixed")
    assert [item.type for item in result.robot.joints] == ["revolute", "fixed", "fixed"] or [
        item.type for item in result.robot.joints
    ] == ["continuous", "fixed", "fixed"]
    assert [row["inventor_type"] for row in result.report["joints"]] == list(kinds.values())


# Bad input: one clear line each, and nothing written.


def test_a_truncated_dump_is_one_line(tmp_path):
    path = tmp_path / "robot.inventor.json"
    path.write_text(json.dumps(one_joint())[:400])
    with pytest.raises(Exception, match=r"robot\.inventor\.json:1:\d+: is no JSON: ") as caught:
        convert_dump(path)
    assert str(caught.value).count("\n") == 0
    assert [item.name for item in tmp_path.iterdir()] == [path.name]


def test_ten_thousand_occurrences_are_read_and_grouped(tmp_path):
    dump = one_joint()
    dump["occurrences"] += [occurrence(f"Bolt:{i}") for i in range(9_998)]
    for sample in dump["joints"][0]["probe"]["samples"]:
        arm = sample["transforms"]["Arm:1"]
        sample["transforms"] |= {f"Bolt:{i}": arm for i in range(9_998)}
    result = convert(dump, tmp_path)
    assert [len(row["occurrences"]) for row in result.report["links"]] == [1, 9_999]


def test_ten_thousand_loose_occurrences_are_one_short_line(tmp_path):
    dump = one_joint()
    dump["occurrences"] += [occurrence(f"Bolt:{i}") for i in range(9_998)]
    (line,) = refused(dump, tmp_path)
    assert line.startswith("9998 occurrences hang on nothing, ")
    assert "; and 9991 more groups." in line
    assert len(line) < 400


def test_a_probe_whose_value_did_not_change_is_one_line(tmp_path):
    dump = changed(one_joint(), "joints.0.probe.samples.1.value", 0.0)
    assert refused(dump, tmp_path) == ["joints[0].probe.samples: the value is 0 in every sample: nothing was driven"]


def test_an_arm_without_anything_to_say_says_nothing(tmp_path):
    assert told(convert(one_joint(), tmp_path)) == []
