"""Ground, loose parts, pairs, loops in the graph, sub-assemblies, user frames: what hangs on what."""

from __future__ import annotations

import numpy as np
import pytest
from running import (
    IDENTITY,
    bare_dump,
    changed,
    convert,
    joint,
    occurrence,
    one_joint,
    origin,
    probe,
    refused,
    rotational,
    slid,
    told,
    turned,
)

from oracles import rot_x, shift


def arm(*extra: dict, joints: tuple = (), moved: dict | None = None, **fields) -> dict:
    """A base and two arms that turn about z, the second joint 20 cm away; the poses of extra parts are given.

    ``moved`` maps a part to the joint (1 or 2) whose probe moves it, or to its poses in the last samples.
    """
    moved = moved or {}
    start = {item["name"]: item["assembly_from_occurrence"] for item in extra}

    def sample(number: int, value: float) -> dict:
        poses = {"Base:1": IDENTITY, "Arm:1": IDENTITY, "Arm:2": IDENTITY} | start
        for name, which in {"Arm:1": (1,), "Arm:2": (1, 2), **moved}.items():
            if number in which:
                poses[name] = turned(value, (0, 0, 0) if number == 1 else (20, 0, 0), poses[name])
        return poses

    samples = {number: [(value, sample(number, value)) for value in (0.0, 0.1)] for number in (1, 2)}
    return bare_dump(
        [occurrence("Base:1", grounded=True), occurrence("Arm:1"), occurrence("Arm:2"), *extra],
        [
            rotational("Turn:1", "Arm:1", "Base:1", samples[1]),
            rotational("Turn:2", "Arm:1", "Arm:2", samples[2]),
            *joints,
        ],
        **fields,
    )


def members(result) -> dict[str, list[str]]:
    return {row["name"]: [item["occurrence"] for item in row["occurrences"]] for row in result.report["links"]}


def box(*size: float) -> dict:
    return {"min": [-edge / 2 for edge in size], "max": [edge / 2 for edge in size], "precise": True}


def test_parts_without_a_joint_join_the_link_that_they_moved_with(tmp_path):
    dump = arm(
        *(occurrence(name, slid(5 * i)) for i, name in enumerate(("Foot:1", "Cover:1", "Bolt:1"))),
        moved={"Cover:1": (1,), "Bolt:1": (1, 2)},
    )
    result = convert(dump, tmp_path)
    assert members(result) == {
        "Base_1": ["Base:1", "Foot:1"],
        "Arm_1": ["Arm:1", "Cover:1"],
        "Arm_2": ["Arm:2", "Bolt:1"],
    }
    why = {item["occurrence"]: item["why"] for row in result.report["links"] for item in row["occurrences"]}
    assert why == {
        "Base:1": "the root",
        "Arm:1": "held by joints",
        "Arm:2": "held by joints",
        "Foot:1": "moved with Base:1",
        "Cover:1": "moved with Arm:1",
        "Bolt:1": "moved with Arm:2",
    }


def test_keep_fixed_writes_loose_parts_as_links_on_fixed_joints(tmp_path):
    dump = arm(occurrence("Bolt:1", slid(5, 6, 7)), moved={"Bolt:1": (1, 2)})
    result = convert(dump, tmp_path, keep_fixed=True)
    fixed = joint(result, "Bolt_1_fixed")
    assert fixed.get("type") == "fixed"
    assert (fixed.find("parent").get("link"), fixed.find("child").get("link")) == ("Arm_2", "Bolt_1")
    assert np.allclose(origin(fixed), shift(-0.15, 0.06, 0.07))
    assert result.certificate.passed


def test_a_part_that_moved_as_no_link_did_is_unconnected(tmp_path):
    dump = arm(occurrence("Ball:1", slid(5)))
    dump["joints"][0]["probe"]["samples"][1]["transforms"]["Ball:1"] = slid(6)
    assert refused(dump, tmp_path) == [
        "1 occurrence hangs on nothing, having moved with nothing near; "
        "the groups are {Base:1, Arm:1, Arm:2}; {Ball:1}. "
        "Add joints or constraints in Inventor, or use --loose weld or --loose drop"
    ]


def test_a_part_that_lagged_behind_its_link_is_not_put_on_the_base(tmp_path):
    # It stands still as the base does, but it touches the arm, and the base is far away.
    dump = arm(occurrence("Late:1", slid(40), range_box=box(2, 2, 2)))
    for place, size, where in ((0, (5, 5, 5), 0), (1, (10, 5, 5), 10), (2, (10, 5, 5), 40)):
        dump["occurrences"][place]["range_box"] = {
            "min": [where - size[0] / 2, -2, -2],
            "max": [where + size[0] / 2, 2, 2],
        }
    (line,) = refused(dump, tmp_path)
    assert "{Base:1, Arm:1, Arm:2}; {Late:1}" in line
    # A foot of the base that reaches as far takes the part: through a third part that touches both.
    dump["occurrences"].append(occurrence("Foot:1", range_box={"min": [-2, -2, -2], "max": [41, 2, 2]}))
    for row in dump["joints"]:
        for sample in row["probe"]["samples"]:
            sample["transforms"]["Foot:1"] = IDENTITY
    assert members(convert(dump, tmp_path))["Base_1"] == ["Base:1", "Late:1", "Foot:1"]


@pytest.mark.parametrize(("order", "wanted"), [("weld", ["Base:1", "Ball:1"]), ("drop", ["Base:1"])])
def test_loose_parts_are_welded_or_dropped_by_order_and_told(order, wanted, tmp_path):
    dump = arm(occurrence("Ball:1", slid(5)), occurrence("Cage:1"), joints=(rotational("Loose:1", "Ball:1", "Cage:1"),))
    for name in ("Ball:1", "Cage:1"):
        dump["joints"][0]["probe"]["samples"][1]["transforms"][name] = slid(6 if name == "Ball:1" else 9)
    result = convert(dump, tmp_path, loose=order, settings="joints: {'Loose:1': {type: fixed}}\n")
    assert members(result)["Base_1"][: len(wanted)] == wanted
    assert any(line.startswith("loose: Ball:1 hangs on nothing") for line in told(result))


def test_without_any_motion_measured_nothing_is_taken_for_granted(tmp_path):
    dump = bare_dump([occurrence("Base:1", grounded=True), occurrence("Frame:1")], [])
    (line,) = refused(dump, tmp_path)
    assert "the groups are {Base:1}; {Frame:1}." in line
    assert convert(dump, tmp_path, loose="weld").robot.root == "Base_1"
    # Parts that a joint holds together are welded as they hang together.
    dump["occurrences"].append(occurrence("Door:1"))
    dump["joints"] = [
        {"name": "R", "type": "kRigidJointType", "occurrence_one": "Frame:1", "occurrence_two": "Door:1"},
    ]
    assert members(convert(dump, tmp_path, loose="weld")) == {"Base_1": ["Base:1", "Frame:1"], "Door_1": ["Door:1"]}


def test_a_motor_held_by_constraints_carries_its_shaft_to_the_link_that_it_moved_with(tmp_path):
    spin = [
        (v, {**dict.fromkeys(("Base:1", "Arm:1", "Arm:2", "Motor:1"), IDENTITY), "Shaft:1": turned(v)})
        for v in (0.0, 0.1)
    ]
    dump = arm(
        occurrence("Motor:1"),
        occurrence("Shaft:1"),
        joints=(rotational("Spin:1", "Shaft:1", "Motor:1", spin),),
        moved={"Motor:1": (1,), "Shaft:1": (1,)},
    )
    result = convert(dump, tmp_path)
    assert members(result)["Arm_1"] == ["Arm:1", "Motor:1"]
    assert joint(result, "Spin_1").find("parent").get("link") == "Arm_1"
    assert result.certificate.passed


def test_of_links_that_moved_alike_the_nearest_takes_the_part(tmp_path):
    dump = arm(occurrence("Bolt:1", slid(18)), moved={"Bolt:1": (1,)})
    dump["joints"][1] |= {"type": "kRigidJointType", "type_value": 102401, "angular": None, "probe": None}
    dump["occurrences"][2]["assembly_from_occurrence"] = slid(20)
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Arm:2"] = turned(sample["value"], start=slid(20))
    assert members(convert(dump, tmp_path))["Arm_2"] == ["Arm:2", "Bolt:1"]


def test_no_ground_is_an_error_that_lists_the_parts(tmp_path):
    dump = changed(one_joint(), "occurrences.0.grounded", False)
    assert refused(dump, tmp_path) == [
        "no occurrence is grounded: ground the base in Inventor or give --root; there are {Base:1, Arm:1}"
    ]
    assert convert(dump, tmp_path, root="Base:1").robot.root == "Base_1"


def test_two_grounds_are_an_error_unless_welded_or_chosen(tmp_path):
    dump = arm(occurrence("Frame:1", grounded=True))
    assert refused(dump, tmp_path) == [
        "several occurrences are grounded: Base:1, Frame:1; ground one, or weld them with --weld-grounded, "
        "or choose with --root"
    ]
    welded = convert(dump, tmp_path, weld_grounded=True)
    assert members(welded)["Base_1"] == ["Base:1", "Frame:1"]
    assert "welded-ground: is grounded too and welded to Base:1" in told(welded)
    assert convert(dump, tmp_path, root="Frame:1").robot.root == "Frame_1"


def test_an_unknown_root_or_dropped_joint_is_named_with_its_neighbour(tmp_path):
    assert refused(one_joint(), tmp_path, root="base:1") == [
        "--root: there is no occurrence 'base:1'; the nearest is 'Base:1'"
    ]
    assert refused(one_joint(), tmp_path, drop=("Turn:2",)) == [
        "--drop: there is no joint 'Turn:2'; the nearest is 'Turn:1'"
    ]


def test_a_joint_that_holds_the_assembly_makes_its_ground_the_root(tmp_path):
    samples = [(v, {"Arm:1": turned(v)}) for v in (0.0, 0.1)]
    dump = bare_dump([occurrence("Arm:1")], [rotational("Turn:1", "Arm:1", None, samples)])
    result = convert(dump, tmp_path)
    assert (result.robot.root, result.report["root"]) == ("ground", "the assembly")
    assert result.certificate.passed
    assert result.certificate.poses == 3


def test_a_joint_to_the_assembly_hangs_on_the_grounded_part_where_there_is_one(tmp_path):
    dump = changed(one_joint(), "joints.0.occurrence_two", None)
    dump["occurrences"][0]["assembly_from_occurrence"] = slid(3, 4, 5)
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Base:1"] = slid(3, 4, 5)
    result = convert(dump, tmp_path)
    assert joint(result, "Turn_1").find("parent").get("link") == "Base_1"
    assert np.allclose(origin(joint(result, "Turn_1"))[:3, 3], (0.07, 0.01, -0.05))
    assert result.certificate.passed


def test_the_order_of_a_joints_ends_does_not_matter(tmp_path):
    dump = one_joint()
    swapped = changed(changed(dump, "joints.0.occurrence_one", "Base:1"), "joints.0.occurrence_two", "Arm:1")
    assert convert(dump, tmp_path).urdf == convert(swapped, tmp_path).urdf


def test_suppressed_things_are_left_out_and_counted(tmp_path):
    dump = arm(occurrence("Old:1", suppressed=True), joints=(rotational("Old:2", "Old:1", "Arm:1"),))
    dump["joints"].append(rotational("Off:1", "Arm:1", "Base:1", suppressed=True))
    result = convert(dump, tmp_path)
    assert (result.report["read"]["suppressed_occurrences"], result.report["read"]["suppressed_joints"]) == (1, 1)
    assert result.report["left_out"] == [
        {"kind": "occurrence", "name": "Old:1", "reason": "suppressed"},
        {"kind": "joint", "name": "Old:2", "reason": "its occurrence Old:1 takes no part"},
        {"kind": "joint", "name": "Off:1", "reason": "suppressed"},
    ]
    assert "left out: joint Off:1: suppressed" in result.report_text


def test_rigid_joints_become_fixed_and_keep_the_parts_frame(tmp_path):
    dump = one_joint()
    dump["joints"][0] |= {"type": "kRigidJointType", "type_value": 102401, "angular": None, "probe": None}
    dump["occurrences"][1]["assembly_from_occurrence"] = slid(1, 2, 3)
    fixed = joint(convert(dump, tmp_path), "Turn_1")
    assert fixed.get("type") == "fixed"
    assert np.allclose(origin(fixed), shift(0.01, 0.02, 0.03))


def test_a_rigid_joint_loses_against_one_that_moved(tmp_path):
    dump = one_joint()
    dump["joints"].insert(
        0, {"name": "Rigid:1", "type": "kRigidJointType", "occurrence_one": "Base:1", "occurrence_two": "Arm:1"}
    )
    result = convert(dump, tmp_path)
    assert [row["name"] for row in result.report["joints"]] == ["Turn:1"]
    assert "extra-joint: Rigid:1 is left out: Turn:1 holds the same two occurrences" in told(result)
    del dump["joints"][1]["probe"]
    assert [row["name"] for row in convert(dump, tmp_path).report["joints"]] == ["Rigid:1"]


def test_two_movable_joints_on_one_pair_are_an_error(tmp_path):
    dump = one_joint()
    dump["joints"].append(dump["joints"][0] | {"name": "Turn:2"})
    assert refused(dump, tmp_path) == [
        "Turn:1, Turn:2 all move Arm:1 against Base:1: suppress all but one in Inventor, or leave them out with --drop"
    ]
    assert [row["name"] for row in convert(dump, tmp_path, drop=("Turn:1",)).report["joints"]] == ["Turn:2"]


def test_the_assembly_stays_with_the_ground_where_another_root_is_chosen(tmp_path):
    """A joint to the assembly itself and the assembly's own frames do not go along with a root that moves."""
    tool = {"Base:1": IDENTITY, "Arm:1": turned(0.3, (10, 5, 0))}
    samples = [(v, {**tool, "Arm:1": turned(v, (10, 5, 0)), "Tool:1": slid(-20)}) for v in (0.3, 0.4)]
    swung = [(v, {**tool, "Tool:1": turned(v, (-30, 0, 0), slid(-20))}) for v in (0.0, 0.1)]
    dump = bare_dump(
        [occurrence("Base:1", grounded=True), occurrence("Arm:1", tool["Arm:1"]), occurrence("Tool:1", slid(-20))],
        [rotational("R1", "Arm:1", "Base:1", samples, 0.3), rotational("R2", "Tool:1", None, swung)],
        frames=[{"name": "cell", "occurrence": None, "occurrence_from_frame": slid(100)}],
    )
    result = convert(dump, tmp_path, root="Arm:1")
    assert (result.robot.root, result.certificate.passed) == ("Arm_1", True)
    links = result.robot.link_poses({"R1": 0.9})
    # The base moves against its root: its frame stands on the axis, at (10, 5) cm.
    cell = links["Base_1"].inverse() @ links["cell"]
    assert cell.translation == pytest.approx((0.9, -0.05, 0), abs=1e-12)


def test_grounded_parts_are_welded_to_each_other_where_another_root_is_chosen(tmp_path):
    dump = one_joint()
    dump["occurrences"].append(occurrence("Frame:1", grounded=True))
    result = convert(dump, tmp_path, root="Arm:1", weld_grounded=True)
    places = {part["occurrence"]: row["name"] for row in result.report["links"] for part in row["occurrences"]}
    assert places == {"Arm:1": "Arm_1", "Base:1": "Base_1", "Frame:1": "Base_1"}
    assert "welded-ground: is grounded too and welded to Base:1" in told(result)


def test_a_part_that_inventor_excludes_is_kept_with_a_line(tmp_path):
    result = convert(changed(one_joint(), "occurrences.1.excluded", True), tmp_path)
    assert [link.name for link in result.robot.links] == ["Base_1", "Arm_1"]
    assert told(result) == [
        "excluded: Arm:1 is excluded in Inventor and is kept; 'ignore: true' in the settings leaves it out"
    ]


def test_a_joint_from_a_part_to_itself_is_left_out_with_a_line(tmp_path):
    dump = one_joint()
    dump["joints"].append(rotational("Self:1", "Arm:1", "Arm:1"))
    assert "self-joint: holds Arm:1 to itself and is left out" in told(convert(dump, tmp_path))


def test_a_joint_inside_one_link_is_left_out_with_a_line(tmp_path):
    dump = arm(occurrence("Frame:1", grounded=True), joints=(rotational("Inner:1", "Frame:1", "Base:1"),))
    assert "extra-joint: Inner:1 is left out: its two ends are on one link, Base:1" in told(
        convert(dump, tmp_path, weld_grounded=True)
    )


def test_an_unhealthy_joint_is_told(tmp_path):
    assert "joint-health: Turn:1 is not healthy (status 11780)" in told(
        convert(changed(one_joint(), "joints.0.health", 11780), tmp_path)
    )


def flexible() -> dict:
    """A gripper sub-assembly that is opened: its palm is grounded inside it, its finger slides."""
    names = ("Base:1", "Grip:1", "Grip:1/Palm:1", "Grip:1/Finger:1")

    def poses(turn: float, slide: float) -> dict:
        return {
            "Base:1": IDENTITY,
            "Grip:1": turned(turn),
            "Grip:1/Palm:1": turned(turn, start=slid(2)),
            "Grip:1/Finger:1": turned(turn, start=slid(5 + slide)),
        }

    occurrences = [occurrence(name, poses(0, 0)[name], path=name.split("/")) for name in names]
    occurrences[0]["grounded"] = occurrences[2]["grounded"] = True
    occurrences[1] |= {"kind": "assembly", "flexible": True}
    return bare_dump(
        occurrences,
        [
            rotational("Turn:1", "Grip:1", "Base:1", [(v, poses(v, 0)) for v in (0.0, 0.1)]),
            {
                "name": "Grip:1/Slide:1",
                "type": "kSlideJointType",
                "path": ["Grip:1"],
                "occurrence_one": "Grip:1/Finger:1",
                "occurrence_two": "Grip:1/Palm:1",
                "linear": {"value": 0.0, "start": 0.0, "end": 3.0},
                "probe": probe([(v, poses(0, v)) for v in (0.0, 1.0)], "linear"),
            },
        ],
    )


def test_a_flexible_sub_assembly_is_opened(tmp_path):
    result = convert(flexible(), tmp_path)
    assert members(result) == {
        "Base_1": ["Base:1"],
        "Grip_1": ["Grip:1", "Grip:1/Palm:1"],
        "Grip_1_Finger_1": ["Grip:1/Finger:1"],
    }
    assert (joint(result, "Grip_1_Slide_1").get("type"), result.certificate.passed) == ("prismatic", True)
    assert joint(result, "Grip_1_Slide_1").find("limit").attrib == {
        "lower": "0",
        "upper": "0.03",
        "effort": "100",
        "velocity": "0.5",
    }


def test_a_container_that_no_joint_holds_is_only_opened(tmp_path):
    dump = flexible()
    dump["joints"][0]["occurrence_one"] = "Grip:1/Palm:1"
    result = convert(dump, tmp_path)
    assert {
        "kind": "occurrence",
        "name": "Grip:1",
        "reason": "opened: its own occurrences are listed",
    } in result.report["left_out"]
    assert members(result)["Grip_1_Palm_1"] == ["Grip:1/Palm:1"]


def test_user_coordinate_systems_become_massless_links(tmp_path):
    dump = one_joint()
    dump["frames"] = [
        {"name": "tool0", "occurrence": "Arm:1", "occurrence_from_frame": slid(30)},
        {"name": "world", "occurrence": None, "occurrence_from_frame": slid(0, 0, 7)},
        {"name": "gone", "occurrence": "Old:1", "occurrence_from_frame": IDENTITY},
        {"name": "unwanted", "occurrence": "Arm:1", "occurrence_from_frame": IDENTITY},
    ]
    dump["occurrences"].append(occurrence("Old:1", suppressed=True))
    result = convert(dump, tmp_path, settings="frames: {unwanted: {ignore: true}, world: {name: room}}\n")
    assert result.report["frames"] == {"tool0": "tool0", "world": "room"}
    left_out = [row for row in result.report["left_out"] if row["kind"] == "user coordinate system"]
    assert [(row["name"], row["reason"]) for row in left_out] == [
        ("gone", "its occurrence Old:1 takes no part"),
        ("unwanted", "ignored by the settings"),
    ]
    again = convert(dump, tmp_path, settings="frames: {unwanted: {ignore: true}}\n", frames="dh")
    assert len(again.report["left_out"]) == len(result.report["left_out"])
    places = {item.name: item.parent for item in result.robot.joints if item.type == "fixed"}
    assert places == {"tool0_frame": "Arm_1", "world_frame": "Base_1"}
    poses = result.robot.link_poses({})
    assert np.allclose(poses["tool0"].translation, (0.3, 0, 0))
    assert np.allclose(poses["room"].translation, (0, 0, 0.07))
    assert "frame: the user coordinate system gone is left out with its occurrence" in told(result)


def with_mass(dump: dict) -> dict:
    for item in dump["occurrences"]:
        item["bodies"] = [
            {
                "name": "S",
                "mass": 1.0,
                "center_of_mass": [0, 0, 0],
                "inertia": {"ixx": 1, "iyy": 1, "izz": 1, "ixy": 0, "iyz": 0, "ixz": 0},
            }
        ]
    return dump


def test_a_massless_base_stands_above_a_root_with_mass(tmp_path):
    result = convert(with_mass(one_joint()), tmp_path)
    assert (result.robot.root, result.robot.joints[0].name) == ("base_link", "base_joint")
    bare = convert(with_mass(one_joint()), tmp_path, base_link=False)
    assert bare.robot.root == "Base_1"
    assert "root-inertia: the root Base_1 has mass, which KDL ignores; --no-base-link asked for it" in told(bare)


@pytest.mark.parametrize("base_link", [True, False])
def test_up_y_turns_an_assembly_that_stands_on_y(base_link, tmp_path):
    dump = one_joint()
    result = convert(dump, tmp_path, up="y", base_link=base_link)
    arm_pose = np.array(result.robot.link_poses({})["Arm_1"].matrix())
    assert np.allclose(arm_pose[:3, 3], (rot_x(np.pi / 2) @ (0.1, 0.05, 0, 1))[:3])
    assert result.certificate.passed


def test_the_base_frame_of_the_settings_is_a_pose_in_the_root_part(tmp_path):
    result = convert(one_joint(), tmp_path, settings="base_frame: {xyz: [0.1, 0.05, 0.2], rpy: [0, 0, 0]}\n")
    assert np.allclose(result.robot.link_poses({})["Arm_1"].translation, (0, 0, -0.2))


def test_names_get_a_prefix_everywhere(tmp_path):
    dump = arm(occurrence("Bolt:1"), moved={"Bolt:1": (1, 2)})
    result = convert(with_mass(dump), tmp_path, prefix="left_", keep_fixed=True)
    names = [item.name for item in (*result.robot.links, *result.robot.joints)]
    assert all(name.startswith("left_") for name in names)
    assert result.certificate.passed
