"""What the rule measures when it moves joints, against the truth of the machine."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from ilogic.assemblies import Assembly
from ilogic.machines import (
    all_loops,
    all_trees,
    flexible_cylinder,
    four_bar,
    gear_pair,
    held_lever,
    lever,
    other_joints,
    parallelogram_arm,
    rack_and_pinion,
    scara,
    six_axis_arm,
)
from ilogic.simulated import Run
from ilogic.truth import POSE_TOLERANCE, difference, wrong_samples, wrong_verify

Export = Callable[[Assembly], Run]
TREES = all_trees()
LOOPS = all_loops()


def joint_of(dump: Mapping[str, Any], name: str) -> dict[str, Any]:
    return next(joint for joint in dump["joints"] if joint["name"] == name)


def statuses(dump: Mapping[str, Any]) -> dict[str, str]:
    return {joint["name"]: joint["probe"]["status"] for joint in dump["joints"] if joint["probe"]}


@pytest.mark.parametrize("name", TREES)
def test_every_sample_and_verify_pose_is_the_truth_and_the_document_is_as_it_was(export: Export, name: str) -> None:
    assembly = TREES[name]
    run = export(assembly)
    assert run.report["failure"] == ""
    assert wrong_samples(run.dump, assembly) == []
    assert wrong_verify(run.dump, assembly) == []
    assert {occurrence["name"] for occurrence in run.dump["occurrences"]} == set(assembly.start)
    for occurrence in run.dump["occurrences"]:
        assert difference(occurrence["assembly_from_occurrence"], assembly.start[occurrence["name"]]) < POSE_TOLERANCE
    assert run.report["before"] == run.report["after"]
    assert run.report["undo"] == []


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_measured_joint_by_joint_and_as_a_whole(export: Export, name: str) -> None:
    assembly = LOOPS[name]
    run = export(assembly)
    assert run.report["failure"] == ""
    if assembly.options.get("loops") != "free":
        assert wrong_samples(run.dump, assembly) == []
    assert wrong_verify(run.dump, assembly) == []
    driver = run.dump["joints"][0]
    assert driver["coupled_probe"]["status"] == "moved"
    assert len(driver["coupled_probe"]["samples"]) >= 8
    for sample in driver["coupled_probe"]["samples"]:
        truth = assembly.loop_truth(driver["name"], sample["value"])
        assert set(truth) == set(assembly.start)
        for occurrence, pose in truth.items():
            assert difference(sample["transforms"][occurrence], pose) < POSE_TOLERANCE
    assert run.report["before"] == run.report["after"]
    assert run.report["undo"] == []


def test_six_axis_arm_has_limits_values_and_followers(export: Export) -> None:
    assembly = six_axis_arm()
    dump = export(assembly).dump
    assert statuses(dump) == {f"joint{number}": "moved" for number in range(1, 7)}
    assert not any(joint["probe"]["others_suppressed"] for joint in dump["joints"] if joint["probe"])
    for joint, source in zip(dump["joints"], assembly.joints, strict=True):
        if source["type"] == "rotational":
            assert joint["type"] == "kRotationalJointType"
            assert joint["type_value"] == 102402
            assert joint["linear"] is None
            start, end = source["angular_limits"]
            assert joint["angular"] == {"value": source["angular"], "start": start, "end": end}
    assert joint_of(dump, "Rigid:1")["probe"] is None
    assert len(dump["verify"]) == 3
    assert all(set(pose["values"]) == {f"joint{number}" for number in range(1, 7)} for pose in dump["verify"])
    assert dump["messages"] == []


def test_verify_values_stay_inside_the_limits_and_differ(export: Export) -> None:
    dump = export(six_axis_arm()).dump
    for pose in dump["verify"]:
        for name, value in pose["values"].items():
            angular = joint_of(dump, name)["angular"]
            assert min(angular["start"], angular["end"]) <= value <= max(angular["start"], angular["end"])
    assert len({tuple(pose["values"].values()) for pose in dump["verify"]}) == 3


def test_slider_has_its_travel_and_not_an_angle(export: Export) -> None:
    slider = joint_of(export(scara()).dump, "Slider:1")
    assert slider["type"] == "kSlideJointType"
    assert slider["angular"] is None
    assert slider["linear"] == {"value": 3, "start": 18, "end": 0}
    assert slider["probe"]["quantity"] == "linear"
    assert [sample["value"] for sample in slider["probe"]["samples"]] == [3, 4, 5]


@pytest.mark.parametrize(
    ("limits", "wanted"), [([None, 4.0], (None, 4)), ([-1.0, None], (-1, None)), (None, (None, None))]
)
def test_one_sided_limits_of_a_travel_are_kept(export: Export, limits: object, wanted: tuple[object, object]) -> None:
    machine = lever()
    machine.joints.clear()
    machine.join("Slider:1", "slide", "Lever:1", "Base:1", np.eye(4), value=1.0, linear_limits=limits)
    slider = export(machine).dump["joints"][0]
    assert (slider["linear"]["start"], slider["linear"]["end"]) == wanted
    assert slider["probe"]["status"] == "moved"


def test_probe_turns_back_at_a_limit(export: Export) -> None:
    dump = export(lever(value=1.45, angular_limits=[1.5, -1.5])).dump
    values = [sample["value"] for sample in dump["joints"][0]["probe"]["samples"]]
    assert values == pytest.approx([1.45, 1.35, 1.25])


def test_probe_fits_into_a_narrow_range(export: Export) -> None:
    dump = export(lever(value=0.01, angular_limits=[0.0, 0.05])).dump
    values = [sample["value"] for sample in dump["joints"][0]["probe"]["samples"]]
    assert values == pytest.approx([0.01, 0.03, 0.05])


def test_joint_of_a_loop_is_measured_with_the_others_suppressed(export: Export) -> None:
    dump = export(four_bar()).dump
    assert all(joint["probe"]["others_suppressed"] for joint in dump["joints"])
    assert set(statuses(dump).values()) == {"moved"}
    coupled = joint_of(dump, "R1")["coupled_probe"]
    assert coupled["others_suppressed"] is False
    values = [sample["value"] for sample in coupled["samples"]]
    assert values == sorted(values)


def test_coupled_probe_goes_as_far_as_the_loop_does(export: Export) -> None:
    """The rocker of a crank-rocker swings less than the rule would drive it: it comes near both ends."""
    dump = export(four_bar()).dump
    lengths = four_bar().loop_truth
    crank = np.linspace(0, 2 * np.pi, 2000)
    angles = [float(np.arctan2(*lengths("R1", q)["Rocker:1"][[1, 0], 0])) for q in crank]
    start = float(np.arctan2(*lengths("R1", 1.1)["Rocker:1"][[1, 0], 0])) - 0.1
    samples = joint_of(dump, "R3")["coupled_probe"]["samples"]
    low, high = samples[0]["value"] + start, samples[-1]["value"] + start
    assert min(angles) < low < min(angles) + 0.05
    assert max(angles) - 0.05 < high < max(angles)


def test_open_joints_behind_a_loop_are_verified_together(export: Export) -> None:
    dump = export(parallelogram_arm()).dump
    assert joint_of(dump, "Wrist")["coupled_probe"] is None
    assert [set(pose["values"]) for pose in dump["verify"]] == [{"Wrist", "Grip"}] * 3


def test_gears_and_racks_are_listed(export: Export) -> None:
    assert export(gear_pair()).dump["motion_constraints"] == [
        {
            "name": "Motion:1",
            "kind": "rotate_rotate",
            "occurrence_one": "Gear1:1",
            "occurrence_two": "Gear2:1",
            "ratio": 2.5,
            "forward": False,
        }
    ]


def test_rack_has_its_travel_in_one_turn(export: Export) -> None:
    (constraint,) = export(rack_and_pinion()).dump["motion_constraints"]
    assert (constraint["kind"], constraint["ratio"], constraint["forward"]) == ("rotate_translate", 6, True)


@pytest.mark.parametrize("field", ["locked", "protected"])
def test_locked_joint_is_freed_measured_and_locked_again(export: Export, field: str) -> None:
    run = export(lever(**{field: True}))
    (joint,) = run.dump["joints"]
    assert joint[field] is True
    assert joint["probe"]["status"] == "moved"
    assert run.report["before"] == run.report["after"]


def test_held_joint_is_measured_with_its_constraints_suppressed_and_its_screws_on(export: Export) -> None:
    assembly = held_lever()
    run = export(assembly)
    (joint,) = run.dump["joints"]
    assert joint["probe"]["status"] == "moved"
    assert joint["probe"]["others_suppressed"] is True
    for sample in joint["probe"]["samples"]:
        truth = assembly.poses({"Rotational:1": sample["value"]})
        for name in ("Lever:1", "Screw:1", "Nut:1", "Base:1"):
            assert difference(sample["transforms"][name], truth[name]) < POSE_TOLERANCE
    assert run.dump["messages"] == [
        "joint Rotational:1 is held by constraints, which were suppressed to measure it",
    ]


def test_flexible_sub_assembly_is_opened(export: Export) -> None:
    dump = export(flexible_cylinder()).dump
    assert [occurrence["name"] for occurrence in dump["occurrences"]] == [
        "Base:1",
        "Cylinder:1/Tube:1",
        "Cylinder:1/Rod:1",
        "Cylinder:1/Clip:1",
    ]
    assert dump["occurrences"][2]["path"] == ["Cylinder:1", "Rod:1"]
    slider = joint_of(dump, "Cylinder:1/Slider:1")
    assert slider["path"] == ["Cylinder:1"]
    assert (slider["occurrence_one"], slider["occurrence_two"]) == ("Cylinder:1/Rod:1", "Cylinder:1/Tube:1")
    assert statuses(dump) == {"Cylinder:1/Slider:1": "moved", "Bearing": "moved"}


def test_other_joint_types_are_named_and_measured_where_they_have_one_motion(export: Export) -> None:
    dump = export(other_joints()).dump
    assert statuses(dump) == {
        "Turning": "moved",
        "Sliding": "moved",
        "Free": "moved",
        "Planar:1": "skipped",
        "Ball:1": "skipped",
    }
    assert joint_of(dump, "Sliding")["probe"]["quantity"] == "linear"
    assert joint_of(dump, "Free")["probe"]["quantity"] == "angular"
    assert joint_of(dump, "Turning")["linear"] == {"value": 0, "start": 0, "end": 0}
    assert [joint["type"] for joint in dump["joints"]] == [
        *["kCylindricalJointType"] * 3,
        "kPlanarJointType",
        "kBallJointType",
    ]


def test_joint_to_the_assembly_itself_has_one_end(export: Export) -> None:
    (joint,) = export(TREES["lever_on_the_ground"]).dump["joints"]
    assert (joint["occurrence_one"], joint["occurrence_two"]) == ("Lever:1", None)


def test_joint_without_a_position_fails_with_a_message(export: Export) -> None:
    dump = export(lever(no_position=True)).dump
    assert dump["joints"][0]["probe"]["status"] == "failed"
    assert dump["joints"][0]["angular"]["value"] is None
    assert dump["messages"] == [
        "joint Rotational:1 has no position parameter: edit the joint, give its position a value",
    ]


def test_joint_between_grounded_parts_does_not_move(export: Export) -> None:
    machine = lever()
    machine.occurrences[1]["grounded"] = True
    dump = export(machine).dump
    assert dump["joints"][0]["probe"] == {
        "status": "no_motion",
        "quantity": "angular",
        "others_suppressed": False,
        "samples": [],
    }
    assert dump["messages"][-1] == (
        "joint Rotational:1 did not move, also with the other joints suppressed: "
        "is it grounded, or held by a constraint?"
    )


def test_joint_with_equal_limits_cannot_move(export: Export) -> None:
    dump = export(lever(value=0.0, angular_limits=[0.0, 0.0])).dump
    assert dump["joints"][0]["probe"]["status"] == "no_motion"
    assert dump["messages"] == ["joint Rotational:1 has equal limits and cannot move"]


def test_joints_that_are_not_measured_have_a_geometry_to_be_split_by(export: Export) -> None:
    """A ball has a centre and no axis."""
    dump = export(other_joints()).dump
    assert joint_of(dump, "Planar:1")["geometry"] == {"axis": [0, 0, 1], "origin": [20, 0, 0]}
    assert joint_of(dump, "Ball:1")["geometry"] == {"axis": None, "origin": [25, 0, 0]}


def test_the_edge_of_a_hole_is_a_geometry_too(export: Export) -> None:
    machine = lever()
    machine.joints[0]["on_an_edge"] = True
    (joint,) = export(machine).dump["joints"]
    assert joint["geometry"]["axis"] == pytest.approx([0, 1, 0], abs=1e-12)
    assert joint["geometry"]["origin"] == pytest.approx([0, 0, 1], abs=1e-12)


def test_geometry_hint_is_in_assembly_coordinates(export: Export) -> None:
    (joint,) = export(lever()).dump["joints"]
    assert joint["geometry"]["axis"] == pytest.approx([0, 1, 0], abs=1e-12)
    assert joint["geometry"]["origin"] == pytest.approx([0, 0, 1], abs=1e-12)
