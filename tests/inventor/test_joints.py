"""Axis, sign, zero, type and limits of joints, from samples or without."""

from __future__ import annotations

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
    slid,
    told,
    turned,
)

from oracles import shift, turn_about


def slider(limits=(0.0, 10.0), value=0.0, samples=None, **fields) -> dict:
    samples = samples or [(v, {"Base:1": IDENTITY, "Arm:1": slid(v)}) for v in (0.0, 1.0)]
    row = {
        "name": "Slide:1",
        "type": "kSlideJointType",
        "occurrence_one": "Arm:1",
        "occurrence_two": "Base:1",
        "linear": {"value": value, "start": limits[0], "end": limits[1]},
        "probe": probe(samples, "linear"),
    }
    return bare_dump([occurrence("Base:1", grounded=True), occurrence("Arm:1")], [row | fields])


def special(kind: str, **fields) -> dict:
    row = {"name": "Odd:1", "type": kind, "occurrence_one": "Arm:1", "occurrence_two": "Base:1"}
    return bare_dump([occurrence("Base:1", grounded=True), occurrence("Arm:1")], [row | fields])


@pytest.mark.parametrize("angle", [0.1, -0.1, 1e-3, 1.0, 3.0, 3.2, -5.0])
def test_the_axis_points_so_that_a_growing_value_is_positive(angle, tmp_path):
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": turned(-v, (10, 5, 0))}) for v in (0.0, angle)]
    dump = one_joint()
    dump["joints"][0]["probe"] = probe(samples)
    result = convert(dump, tmp_path)
    row = joint(result, "Turn_1")
    assert np.abs(numbers(row.find("axis").get("xyz")) - (0, 0, -1)).max() < 1e-9
    assert np.abs(origin(row) - shift(0.1, 0.05, 0)).max() < 1e-9
    assert result.certificate.passed


def test_parent_and_child_may_both_move(tmp_path):
    dump = one_joint()
    away = shift(7, 8, 9) @ turn_about((1, 2, 3), 0.5)
    poses = dump["joints"][0]["probe"]["samples"][1]["transforms"]
    dump["joints"][0]["probe"]["samples"][1]["transforms"] = {
        name: (away @ pose).tolist() for name, pose in poses.items()
    }
    result = convert(dump, tmp_path)
    assert np.abs(origin(joint(result, "Turn_1")) - shift(0.1, 0.05, 0)).max() < 1e-9


def test_many_samples_are_fitted_together(tmp_path):
    rng = np.random.default_rng(1)
    dump = one_joint()
    samples = []
    for value in np.linspace(0, 1, 20):
        pose = np.array(turned(value, (10, 5, 0))) + np.vstack([rng.normal(size=(3, 4)) * 1e-6, np.zeros(4)])
        samples.append((value, {"Base:1": IDENTITY, "Arm:1": pose.tolist()}))
    dump["joints"][0]["probe"] = probe(samples)
    assert np.abs(origin(joint(convert(dump, tmp_path), "Turn_1")) - shift(0.1, 0.05, 0)).max() < 2e-6


def test_a_rotation_that_differs_from_the_change_of_value_is_told(tmp_path):
    dump = one_joint()
    dump["joints"][0]["probe"]["samples"][1]["value"] = 0.2
    result = convert(dump, tmp_path)
    assert "rate: Turn:1: turned by 0.5 rad for each rad of its value" in told(result)
    assert not result.certificate.passed


def test_a_screw_is_told(tmp_path):
    dump = one_joint()
    dump["joints"][0]["probe"]["samples"][1]["transforms"]["Arm:1"][2][3] = 0.5
    assert "pitch: Turn:1: travels 0.05 m for each rad: a screw, which URDF cannot hold; that part is left out" in told(
        convert(dump, tmp_path)
    )


def test_a_slider_that_turns_is_told(tmp_path):
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": (np.array(slid(v)) @ turned(v / 10)).tolist()}) for v in (0.0, 1.0)]
    assert "pitch: Slide:1: turns 10 rad for each m: a screw, which URDF cannot hold; that part is left out" in told(
        convert(slider(samples=samples), tmp_path)
    )


def test_a_slider_that_goes_another_way_than_its_value_is_told(tmp_path):
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": slid(2 * v)}) for v in (0.0, 1.0)]
    assert "rate: Slide:1: travelled by 2 m for each m of its value" in told(convert(slider(samples=samples), tmp_path))


@pytest.mark.parametrize("dump", [one_joint(), slider()], ids=["turn", "slide"])
def test_a_probe_that_moved_nothing_is_an_error(dump, tmp_path):
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Arm:1"] = IDENTITY
    (line,) = refused(dump, tmp_path)
    assert line.endswith("): its probe says moved, but the two parts did not move against each other")


def test_without_a_value_the_pose_at_export_is_zero(tmp_path):
    dump = changed(one_joint(limits=(-1.0, 2.0)), "joints.0.angular.value", None)
    dump["occurrences"][1]["assembly_from_occurrence"] = turned(0.1, (10, 5, 0))
    result = convert(dump, tmp_path)
    row = joint(result, "Turn_1")
    assert np.abs(origin(row)[:3, :3] - turn_about((0, 0, 1), 0.1)[:3, :3]).max() < 1e-9
    assert (row.find("limit").get("lower"), row.find("limit").get("upper")) == ("-1", "2")
    assert (
        "no-value: Turn:1: has no value at export; its zero is the pose at export, its limits are copied as they are"
        in told(result)
    )
    assert result.certificate.passed


@pytest.mark.parametrize("status", ["locked", "no_motion", "failed", "skipped", None])
def test_without_a_motion_a_turning_joint_takes_its_geometry(status, tmp_path):
    dump = one_joint(geometry={"axis": [0, 0, -2], "origin": [10, 5, 0]}, probe=status and {"status": status})
    dump["joints"][0]["angular"]["value"] = 0.3
    dump["occurrences"][1]["assembly_from_occurrence"] = turned(-0.3, (10, 5, 0))
    result = convert(dump, tmp_path)
    row = joint(result, "Turn_1")
    assert numbers(row.find("axis").get("xyz")).tolist() == [0, 0, -1]
    assert np.abs(origin(row) - shift(0.1, 0.05, 0)).max() < 1e-9
    assert "from-geometry: Turn:1: was not measured; axis and sign come from its geometry, which often lies" in told(
        result
    )
    del dump["joints"][0]["angular"]["value"]
    assert any(line.startswith("no-value: Turn:1") for line in told(convert(dump, tmp_path)))


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("locked", "its probe says 'locked': unlock it in Inventor and run the rule again"),
        (
            "no_motion",
            "its probe says 'no_motion': free it (grounded parts, Mate or Flush constraints) and run the rule again",
        ),
        ("failed", "its probe says 'failed': run the rule's probe again"),
        (None, "there is no probe: run the rule's probe again"),
    ],
)
def test_without_motion_and_geometry_a_joint_is_an_error_that_says_what_to_do(status, words, tmp_path):
    dump = one_joint(probe=status and {"status": status})
    assert refused(dump, tmp_path) == [
        f"joints[0]: Turn:1 (kRotationalJointType): {words}, or set its type to fixed in the settings"
    ]
    fixed = convert(dump, tmp_path, settings="joints: {'Turn:1': {type: fixed}}\n")
    assert joint(fixed, "Turn_1").get("type") == "fixed"


def test_a_geometry_without_direction_is_an_error(tmp_path):
    dump = one_joint(geometry={"axis": [0, 0, 0], "origin": [0, 0, 0]}, probe=None)
    assert refused(dump, tmp_path) == ["joints[0]: Turn:1 (kRotationalJointType): its geometry's axis is zero"]


def test_a_locked_joint_that_moved_is_movable_and_told(tmp_path):
    result = convert(one_joint(locked=True), tmp_path)
    assert "locked: Turn:1: is locked, but its probe moved: it is movable here" in told(result)
    assert joint(result, "Turn_1").get("type") == "continuous"


def test_the_coupled_probe_serves_where_the_probe_did_not_move(tmp_path):
    dump = one_joint()
    row = dump["joints"][0]
    row["coupled_probe"], row["probe"] = row["probe"], {"status": "no_motion"}
    assert convert(dump, tmp_path).report["joints"][0]["measured_by"] == "coupled probe"


@pytest.mark.parametrize(
    ("limits", "kind"), [((-1.0, 2.0), "revolute"), ((2.0, -1.0), "revolute"), ((None, None), "continuous")]
)
def test_limits_make_a_turning_joint_revolute_or_continuous(limits, kind, tmp_path):
    row = joint(convert(one_joint(limits), tmp_path), "Turn_1")
    wanted = {"effort": "10", "velocity": "1"} | ({"lower": "-1", "upper": "2"} if kind == "revolute" else {})
    assert (row.get("type"), dict(row.find("limit").attrib)) == (kind, wanted)


def test_a_continuous_joint_needs_no_effort_and_velocity_but_both_or_none(tmp_path):
    from mdh2urdf.inventor.options import JointDefaults

    assert joint(convert(one_joint(), tmp_path, joint_defaults=JointDefaults()), "Turn_1").find("limit") is None
    lines = refused(one_joint(), tmp_path, joint_defaults=JointDefaults(effort=1.0))
    assert lines[1:] == ["joints:", '  "Turn:1":', "    velocity:   # rad/s"]


def test_missing_limits_are_an_error_with_the_lines_to_add(tmp_path):
    from mdh2urdf.inventor.options import JointDefaults

    dump = one_joint((None, 2.0))
    dump["occurrences"].append(occurrence("Tip:1"))
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": IDENTITY, "Tip:1": slid(v)}) for v in (0.0, 1.0)]
    dump["joints"].append(
        slider((None, None), samples=samples)["joints"][0] | {"occurrence_one": "Tip:1", "occurrence_two": "Arm:1"}
    )
    assert refused(dump, tmp_path, joint_defaults=JointDefaults()) == [
        "the CAD does not say all that URDF needs; add to the settings file or give --joint-defaults:",
        "joints:",
        *('  "Turn:1":', "    lower:   # rad", "    effort:   # N m", "    velocity:   # rad/s"),
        *('  "Slide:1":', "    lower:   # m", "    upper:   # m", "    effort:   # N", "    velocity:   # m/s"),
    ]


def test_settings_give_limits_strength_dynamics_and_type(tmp_path):
    settings = """
joints:
  "Turn:*": {lower: -0.5, upper: 1.5, effort: 3, velocity: 4, damping: 0.1, friction: 0.2}
  "Turn:1": {effort: 5, name: shoulder}
"""
    row = joint(convert(one_joint((None, 2.0)), tmp_path, settings=settings), "shoulder")
    assert row.find("limit").attrib == {"lower": "-0.5", "upper": "1.5", "effort": "5", "velocity": "4"}
    assert row.find("dynamics").attrib == {"damping": "0.1", "friction": "0.2"}
    free = convert(one_joint((-1.0, 2.0)), tmp_path, settings="joints: {'Turn:1': {type: continuous}}\n")
    assert joint(free, "Turn_1").get("type") == "continuous"


def test_flip_turns_the_axis_and_mirrors_the_limits(tmp_path):
    result = convert(one_joint((-1.0, 2.0)), tmp_path, settings="joints: {'Turn:1': {flip: true}}\n")
    row = joint(result, "Turn_1")
    assert row.find("axis").get("xyz") == "0 0 -1"
    assert (row.find("limit").get("lower"), row.find("limit").get("upper")) == ("-2", "1")
    assert result.certificate.passed
    assert refused(one_joint((None, 2.0)), tmp_path)[-1] == "    lower:   # rad"


def test_a_slider_through_the_parts_origin_keeps_the_parts_frame_at_zero(tmp_path):
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": slid(5 - v, 1, 2)}) for v in (3.0, 4.0)]
    dump = slider((8.0, -2.0), 3.0, samples)
    dump["occurrences"][1]["assembly_from_occurrence"] = slid(2, 1, 2)
    result = convert(dump, tmp_path)
    row = joint(result, "Slide_1")
    assert (row.get("type"), row.find("axis").get("xyz")) == ("prismatic", "-1 0 0")
    assert np.allclose(origin(row), shift(0.05, 0.01, 0.02))
    assert row.find("limit").attrib == {"lower": "-0.02", "upper": "0.08", "effort": "100", "velocity": "0.5"}
    assert result.certificate.passed


def cylinder(quantity: str, angular: dict, linear: dict, **fields) -> dict:
    """A cylindrical joint about z through (10, 5); it stands at a turn of 0.2 rad and 3 cm."""

    def pose(turn: float, slide: float) -> list:
        return (np.array(turned(turn, (10, 5, 0))) @ slid(0, 0, slide)).tolist()

    steps = (0.0, 0.1) if quantity == "angular" else (0.0, 1.0)
    samples = [
        (
            (0.2 if quantity == "angular" else 3.0) + s,
            {"Base:1": IDENTITY, "Arm:1": pose(0.2 + s, 3.0) if quantity == "angular" else pose(0.2, 3.0 + s)},
        )
        for s in steps
    ]
    dump = special(
        "kCylindricalJointType",
        angular={"value": 0.2} | angular,
        linear={"value": 3.0} | linear,
        probe=probe(samples, quantity),
        **fields,
    )
    dump["occurrences"][1]["assembly_from_occurrence"] = pose(0.2, 3.0)
    return dump


def test_a_cylindrical_joint_with_equal_linear_limits_turns(tmp_path):
    result = convert(cylinder("angular", {"start": -1, "end": 1}, {"start": 3, "end": 3}), tmp_path)
    row = joint(result, "Odd_1")
    assert row.get("type") == "revolute"
    # The linear value at export goes into the origin.
    assert np.allclose(origin(row)[:3, 3], (0.1, 0.05, 0.03))
    assert result.certificate.passed


def test_a_cylindrical_joint_with_equal_angular_limits_slides(tmp_path):
    result = convert(cylinder("linear", {"start": 0.2, "end": 0.2}, {"start": 0, "end": 5}), tmp_path)
    row = joint(result, "Odd_1")
    assert (row.get("type"), result.certificate.passed) == ("prismatic", True)
    assert np.allclose(origin(row)[:3, :3], turn_about((0, 0, 1), 0.2)[:3, :3])


def test_a_cylindrical_joint_that_both_limits_hold_is_fixed(tmp_path):
    dump = cylinder("linear", {"start": 0.2, "end": 0.2}, {"start": 3, "end": 3})
    assert joint(convert(dump, tmp_path), "Odd_1").get("type") == "fixed"


def test_a_cylindrical_joint_whose_other_quantity_was_driven_is_an_error(tmp_path):
    assert refused(cylinder("linear", {}, {"start": 3, "end": 3}), tmp_path) == [
        "joints[0]: Odd:1 (kCylindricalJointType): its probe drove the other quantity, not the angular one: "
        "give its type in the settings"
    ]


@pytest.mark.parametrize("kind", ["kCylindricalJointType", "kPlanarJointType", "kBallJointType", "kHelixJointType"])
def test_a_joint_that_urdf_lacks_is_an_error_with_its_raw_type(kind, tmp_path):
    assert refused(special(kind), tmp_path) == [
        f"joints[0]: Odd:1 ({kind}): URDF has no such joint: "
        "use --unsupported drop, revolute, fixed or split, or set its type"
    ]
    fixed = convert(special(kind), tmp_path, unsupported="fixed")
    assert joint(fixed, "Odd_1").get("type") == "fixed"
    assert fixed.report["joints"][0]["inventor_type"] == kind


def test_a_joint_that_urdf_lacks_may_be_dropped(tmp_path):
    dump = special("kBallJointType")
    (line,) = refused(dump, tmp_path, unsupported="drop")
    assert "the groups are {Base:1}; {Arm:1}." in line
    result = convert(dump, tmp_path, unsupported="drop", loose="weld")
    assert [row["name"] for row in result.report["left_out"]] == ["Odd:1"]
    assert result.report["joints"] == []
    # Both its ends are on one link now: it closes no loop.
    assert (result.report["loops"], result.loops) == ([], "")


def test_a_joint_that_urdf_lacks_may_turn_by_order(tmp_path):
    dump = cylinder("angular", {"start": -1, "end": 1}, {})
    assert joint(convert(dump, tmp_path, unsupported="revolute"), "Odd_1").get("type") == "revolute"


@pytest.mark.parametrize("quantity", ["angular", "linear"])
def test_a_cylindrical_joint_is_split_into_a_slider_and_a_turn(quantity, tmp_path):
    geometry = {"axis": [0, 0, 1], "origin": [10, 5, 0]}
    dump = cylinder(quantity, {"start": -1, "end": 1}, {"start": 0, "end": 5}, geometry=geometry)
    result = convert(dump, tmp_path, unsupported="split")
    kinds = [(item.name, item.type) for item in result.robot.joints]
    assert kinds == [("Odd_1_slide", "prismatic"), ("Odd_1_turn", "revolute")]
    pose = np.array(result.robot.link_poses({"Odd_1_slide": 0.03, "Odd_1_turn": 0.2})["Arm_1"].matrix())
    wanted = turn_about((0, 0, 1), 0.2)[:3, :3]
    assert np.abs(pose[:3, :3] - wanted).max() < 1e-9
    assert np.abs(pose[:3, 3] - (0.1, 0.05, 0.03)).max() < 1e-9
    assert "split: Odd:1 becomes 2 joints with massless links" in told(result)
    assert result.certificate.passed


@pytest.mark.parametrize("value", [0.2, None])
def test_a_split_joint_is_replayed_in_its_samples_and_in_verify_poses(value, tmp_path):
    dump = cylinder("angular", {"start": -1, "end": 1, "value": value}, {"start": 0, "end": 5})

    def poses(turn: float) -> dict:
        return {"Base:1": IDENTITY, "Arm:1": (np.array(turned(turn, (10, 5, 0))) @ slid(0, 0, 3)).tolist()}

    dump["verify"] = [{"values": {"Odd:1": 0.7}, "transforms": poses(0.7)}]
    result = convert(dump, tmp_path, unsupported="split")
    assert (result.certificate.poses, result.certificate.passed) == (4, True)
    dump["verify"][0]["transforms"] = poses(0.6)
    wrong = convert(dump, tmp_path, unsupported="split").certificate
    assert (wrong.passed, wrong.angle) == (False, pytest.approx(0.1))


@pytest.mark.parametrize("end", ["start", "end"])
def test_a_split_joint_with_one_limit_of_its_turn_asks_for_the_other(end, tmp_path):
    dump = cylinder("angular", {end: 1}, {"start": 0, "end": 5}, geometry={"axis": [0, 0, 1], "origin": [10, 5, 0]})
    other = "upper" if end == "start" else "lower"
    assert refused(dump, tmp_path, unsupported="split")[-1] == f"    {other}:   # rad"


def test_a_planar_joint_is_split_into_two_sliders_and_a_turn(tmp_path):
    dump = special("kPlanarJointType", geometry={"axis": [0, 0, 2], "origin": [10, 5, 0]})
    settings = "joints: {'Odd:1': {lower: -0.1, upper: 0.2}}\n"
    result = convert(dump, tmp_path, unsupported="split", settings=settings)
    assert [(item.name, item.type) for item in result.robot.joints] == [
        ("Odd_1_x", "prismatic"),
        ("Odd_1_y", "prismatic"),
        ("Odd_1_turn", "continuous"),
    ]
    pose = np.array(result.robot.link_poses({"Odd_1_x": 0.1, "Odd_1_y": 0.2, "Odd_1_turn": 0.3})["Arm_1"].matrix())
    assert pose[2, 3] == pytest.approx(0, abs=1e-12)
    # The frame stands on the turning axis, which goes through (0.1, 0.05) at zero.
    assert np.hypot(*(pose[:2, 3] - (0.1, 0.05))) == pytest.approx(np.hypot(0.1, 0.2))
    assert "from-geometry: Odd:1: is split by its geometry, which often lies" in told(result)


def test_the_pieces_of_a_split_joint_have_the_name_that_is_chosen_for_it(tmp_path):
    dump = special("kBallJointType", geometry={"axis": None, "origin": [10, 5, 0]})
    result = convert(dump, tmp_path, unsupported="split", settings="joints: {'Odd:1': {name: wrist, flip: true}}\n")
    assert [item.name for item in result.robot.joints] == ["wrist_x", "wrist_y", "wrist_z"]
    assert "split: Odd:1: flip does nothing to a joint that is split" in told(result)


def test_a_ball_is_split_into_three_turns_about_its_centre(tmp_path):
    result = convert(
        special("kBallJointType", geometry={"axis": None, "origin": [10, 5, 0]}), tmp_path, unsupported="split"
    )
    assert [item.name for item in result.robot.joints] == ["Odd_1_x", "Odd_1_y", "Odd_1_z"]
    for q in ({"Odd_1_x": 1.0}, {"Odd_1_y": 1.0, "Odd_1_z": -0.5}):
        assert np.allclose(result.robot.link_poses(q)["Arm_1"].translation, (0.1, 0.05, 0))


@pytest.mark.parametrize(
    ("dump", "words"),
    [
        (special("kPlanarJointType"), "it was not probed and has no geometry to split it by"),
        (special("kPlanarJointType", geometry={"axis": [0, 0, 0], "origin": [0, 0, 0]}), "its geometry's axis is zero"),
        (
            special("kHelixJointType", geometry={"axis": [0, 0, 1], "origin": [0, 0, 0]}),
            "its type is not known, so it cannot be split",
        ),
        (
            special(
                "kCylindricalJointType", probe=probe([(v, {"Base:1": IDENTITY, "Arm:1": IDENTITY}) for v in (0.0, 1.0)])
            ),
            "its probe says moved, but the two parts did not move against each other",
        ),
    ],
)
def test_a_joint_that_cannot_be_split_says_why(dump, words, tmp_path):
    (line,) = refused(dump, tmp_path, unsupported="split")
    assert line.endswith(f"): {words}")
