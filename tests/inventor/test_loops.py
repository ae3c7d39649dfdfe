"""Closed mechanisms: where they are cut, who drives, who follows, and when a follower is a mimic joint."""

from __future__ import annotations

import math

import numpy as np
import pytest
import yaml
from mechanisms import FourBar, four_bar_on_a_ball, gear_pair
from running import (
    IDENTITY,
    bare_dump,
    convert,
    joint,
    occurrence,
    probe,
    refused,
    rotational,
    slid,
    told,
    turned,
)

from mdh2urdf.inventor.option_text import parse_mimic
from mdh2urdf.inventor.options import MimicOrder
from oracles import rpy_matrix, shift, turn_about, urdf_fk

PARALLELOGRAM = (0.4, 0.2, 0.4, 0.2)


def mimic(result, name: str) -> dict[str, str] | None:
    found = joint(result, name).find("mimic")
    return None if found is None else dict(found.attrib)


def test_a_four_bar_is_cut_at_the_farthest_joint_that_is_last_in_the_dump(tmp_path):
    result = convert(FourBar().dump(0.7), tmp_path)
    assert [row["name"] for row in result.report["joints"]] == ["R1", "R4", "R2"]
    (loop,) = result.report["loops"]
    assert loop["cut"] == [
        {"joint": "R3", "type": "kRotationalJointType", "links": ["Rocker_1", "Coupler_1"], "by_order": False}
    ]
    assert (loop["joints"], loop["drivers"]) == (["R1", "R4", "R2"], ["R1"])
    assert "loop: cut at R3 (kRotationalJointType) between Rocker_1 and Coupler_1" in result.report_text


def test_a_four_bars_followers_are_no_mimic_but_solved_over_the_drivers_range(tmp_path):
    bar = FourBar(offsets=(0.3, -0.2, 0.1, 0.05), seed=4)
    result = convert(bar.dump(0.7), tmp_path)
    assert [mimic(result, name) for name in ("R1", "R2", "R4")] == [None] * 3
    for row in result.report["loops"][0]["followers"]:
        assert not row["mimic"]
        assert row["residual"] > 0.1
        assert row["coupled_error"] < 1e-9
    loops = yaml.safe_load(result.loops)["loops"][0]
    assert result.certificate.passed
    for name in ("R2", "R4"):
        table = loops["followers"][name]["table"]
        assert len(table) == 49
        for driver, value in table:
            assert math.remainder(value - bar.values(driver - 0.3)[name], 2 * math.pi) == pytest.approx(0, abs=2e-9)


def test_the_frames_of_the_cut_joint_close_the_loop(tmp_path):
    bar = FourBar(seed=2)
    result = convert(bar.dump(0.7), tmp_path)
    cut = yaml.safe_load(result.loops)["loops"][0]["cut"][0]
    assert cut["joint"] == "R3"
    frames = [shift(*cut[f]["xyz"]) @ rpy_matrix(*cut[f]["rpy"]) for f in ("frame_a", "frame_b")]
    for phi in (0.7, 1.9):
        links = urdf_fk(result.urdf, {k: v for k, v in bar.values(phi).items() if k != "R3"})
        ends = [links[cut[f"link_{letter}"]] @ frame for letter, frame in zip("ab", frames, strict=True)]
        motion = turn_about(cut["axis"], bar.values(phi)["R3"])
        assert np.abs(ends[0] @ motion - ends[1]).max() < 1e-9


@pytest.mark.parametrize("phi", [0.7, 2.0, 0.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_parallelogram_gets_exact_mimic_joints_at_any_pose(seed, phi, tmp_path):
    bar = FourBar(bars=PARALLELOGRAM, offsets=(0.3, -0.2, 0.1, 0.05), seed=seed)
    result = convert(bar.dump(phi, limits=(-0.5, 2.5)), tmp_path)
    # R2 = -(R1 - 0.3) - 0.2, R4 = (R1 - 0.3) + 0.05; lying flat (phi = 0) the coupled probe tells the branch.
    assert mimic(result, "R2") == {"joint": "R1", "multiplier": "-1", "offset": "0.1"}
    assert mimic(result, "R4") == {"joint": "R1", "multiplier": "1", "offset": "-0.25"}
    assert result.certificate.passed
    # Whatever the frames of the links, the motion of each against the ground is the truth's.
    for name, cad in (("Crank_1", "Crank:1"), ("Coupler_1", "Coupler:1"), ("Rocker_1", "Rocker:1")):
        moves = []
        for angle in (0.2, 1.0, 2.4):
            links = urdf_fk(result.urdf, {"R1": bar.values(angle)["R1"]})
            ground = np.linalg.inv(bar.poses(angle)["Ground:1"])
            moves.append(np.linalg.inv(ground @ bar.poses(angle)[cad]) @ np.linalg.inv(links["Ground_1"]) @ links[name])
        assert np.abs(moves[0] - moves[1]).max() < 1e-9
        assert np.abs(moves[0] - moves[2]).max() < 1e-9


def test_a_parallelogram_lying_flat_without_a_coupled_probe_keeps_its_joints_and_says_so(tmp_path):
    result = convert(FourBar(bars=PARALLELOGRAM).dump(0.0, coupled=False, verify=0), tmp_path)
    (loop,) = result.report["loops"]
    assert len(loop["drivers"]) >= 1


def test_a_dropped_joint_of_a_loop_is_its_cut(tmp_path):
    result = convert(FourBar().dump(0.7), tmp_path, drop=("R2",))
    (loop,) = result.report["loops"]
    assert [(row["joint"], row["by_order"]) for row in loop["cut"]] == [("R2", True)]
    assert [row["name"] for row in result.report["joints"]] == ["R1", "R4", "R3"]
    assert result.certificate.passed


def test_a_joint_that_urdf_lacks_is_cut_first(tmp_path):
    result = convert(four_bar_on_a_ball(0.7), tmp_path)
    (loop,) = result.report["loops"]
    assert [row["joint"] for row in loop["cut"]] == ["R1"]
    assert loop["drivers"] == ["R4"]
    assert not loop["unsolved"]


def test_a_dropped_joint_of_a_loop_need_not_be_measured_and_its_loop_stays_open(tmp_path):
    dump = FourBar().dump(0.7)
    dump["joints"][2]["probe"] = {"status": "failed"}
    assert len(refused(dump, tmp_path)) == 1
    result = convert(dump, tmp_path, drop=("R3",))
    (loop,) = result.report["loops"]
    assert loop["followers"] == []
    advice = "run the rule's probe again, or set its type to fixed in the settings"
    words = f"R3 was not measured: its probe says 'failed': {advice}"
    assert loop["unsolved"] == words
    assert f"loop: the loop of R3 is not solved, its joints stay independent: {words}" in told(result)
    assert yaml.safe_load(result.loops)["loops"][0]["unsolved"] == words


def test_a_loop_that_does_not_close_at_export_is_told(tmp_path):
    dump = FourBar().dump(0.7, coupled=False, verify=0)
    for sample in dump["joints"][2]["probe"]["samples"]:
        sample["transforms"]["Coupler:1"] = (shift(40, 70, 90) @ np.array(sample["transforms"]["Coupler:1"])).tolist()
    result = convert(dump, tmp_path)
    (loop,) = result.report["loops"]
    assert loop["unsolved"] == "its measured axes do not close at export"


def test_a_coupled_probe_that_disagrees_is_told(tmp_path):
    dump = FourBar().dump(0.7)
    samples = dump["joints"][0]["coupled_probe"]["samples"]
    # The poses of a mechanism with another crank: they close no loop of this one.
    other = FourBar(bars=(0.4, 0.101, 0.35, 0.3)).poses(1.1)
    samples[2]["transforms"] = {
        name: np.vstack([np.hstack([pose[:3, :3], pose[:3, 3:] * 100]), [0, 0, 0, 1]]).tolist()
        for name, pose in other.items()
    }
    result = convert(dump, tmp_path)
    assert any(line.startswith("coupled-probe: R") for line in told(result))


def test_a_coupled_sample_out_of_reach_tells_nothing(tmp_path):
    bar = FourBar(bars=(0.4, 0.35, 0.2, 0.3))
    dump = bar.dump(0.6, coupled=False, verify=0)
    here = {row["name"]: row["assembly_from_occurrence"] for row in dump["occurrences"]}
    pin = bar.pins(0.6)[0] * 100
    turn = shift(*pin) @ turn_about(bar.plane[:3, 2], 2.5) @ shift(*-pin)
    away = here | {"Crank:1": (turn @ np.array(here["Crank:1"])).tolist()}
    value = dump["joints"][0]["angular"]["value"]
    dump["joints"][0]["coupled_probe"] = probe([(value, here), (value + 2.5, away)])
    (loop,) = convert(dump, tmp_path).report["loops"]
    assert [row["coupled_error"] < 1e-9 for row in loop["followers"]] == [True, True]


def test_a_five_bar_needs_two_drivers(tmp_path):
    result = convert(chain_of_pins(*FIVE, BARS), tmp_path)
    (loop,) = result.report["loops"]
    assert loop["drivers"] == ["A1", "A5"]
    assert [row["joint"] for row in loop["cut"]] == ["A3"]
    assert all(not row["mimic"] for row in loop["followers"])


def slider_crank() -> dict:
    """A crank of 10 cm, a rod of 30 cm and a piston on the x axis, left with the crank at 90 degrees."""
    reach = math.sqrt(800.0)
    names = ["Block:1", "Crank:1", "Rod:1", "Piston:1"]
    still = dict.fromkeys(names, IDENTITY)
    rows = []
    for name, child, parent, pin in (("J1", 1, 0, (0, 0, 0)), ("J2", 2, 1, (0, 10, 0)), ("J3", 3, 2, (reach, 0, 0))):
        samples = [(v, still | {names[child]: turned(v, pin)}) for v in (0.0, 0.1)]
        rows.append(rotational(name, names[child], names[parent], samples))
        rows[-1]["probe"]["others_suppressed"] = True
    rows.append(
        {
            "name": "J4",
            "type": "kSlideJointType",
            "occurrence_one": names[3],
            "occurrence_two": names[0],
            "linear": {"value": 0.0, "start": -15.0, "end": 15.0},
            "probe": probe([(v, still | {names[3]: slid(v)}) for v in (0.0, 1.0)], "linear", others_suppressed=True),
        }
    )
    return bare_dump([occurrence(name, grounded=i == 0) for i, name in enumerate(names)], rows)


def test_a_slider_crank_is_solved_with_its_slider_as_follower_or_driver(tmp_path):
    result = convert(slider_crank(), tmp_path)
    (loop,) = result.report["loops"]
    assert [row["joint"] for row in loop["cut"]] == ["J3"]
    assert loop["drivers"] == ["J1"]
    table = dict(map(tuple, yaml.safe_load(result.loops)["loops"][0]["followers"]["J4"]["table"]))
    for driver, value in table.items():
        angle = math.pi / 2 + driver
        wanted = 0.1 * math.cos(angle) + math.sqrt(0.09 - (0.1 * math.sin(angle)) ** 2) - math.sqrt(0.08)
        assert value == pytest.approx(wanted, abs=2e-9)


def test_a_slider_without_limits_that_drives_is_moved_a_little(tmp_path):
    dump = slider_crank()
    dump["joints"].reverse()
    dump["joints"][0]["linear"] = {"value": 0.0}
    settings = "joints: {J4: {lower: -0.02, upper: 0.02}}\n"
    (loop,) = convert(dump, tmp_path, settings=settings).report["loops"]
    assert loop["drivers"] == ["J4"]
    assert all(row["reach"] == pytest.approx([-0.02, 0.02]) for row in loop["followers"])


@pytest.mark.parametrize("ratio", [2.5, -0.4])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_gear_pair_follows_with_the_exact_ratio_and_the_measured_sign(seed, ratio, tmp_path):
    pair = gear_pair(ratio, seed)
    result = convert(pair, tmp_path)
    assert mimic(result, "G2") == {"joint": "G1", "multiplier": str(ratio)} | offset_of(pair, ratio)
    assert result.certificate.passed
    assert told(result) == []


def offset_of(pair: dict, ratio: float) -> dict[str, str]:
    one, two = (row["angular"]["value"] for row in pair["joints"])
    value = round(two - ratio * one, 11)
    return {} if value == 0 else {"offset": repr(value)}


def test_a_gear_whose_ratio_disagrees_with_the_probe_is_told(tmp_path):
    dump = gear_pair(2.5, 0)
    dump["motion_constraints"][0]["ratio"] = 3.0
    result = convert(dump, tmp_path)
    assert "motion-constraint: Motion:1: its ratio is 3, but 2.5 was measured" in told(result)
    assert mimic(result, "G2")["multiplier"] == "3"
    assert not result.certificate.passed


def test_a_ratio_that_is_the_other_way_round_is_told_and_mended(tmp_path):
    dump = gear_pair(2.5, 0)
    dump["motion_constraints"][0]["ratio"] = 0.4
    result = convert(dump, tmp_path)
    assert "motion-constraint: Motion:1: its ratio is the other way round" in told(result)
    assert (float(mimic(result, "G2")["multiplier"]), result.certificate.passed) == (2.5, True)


@pytest.mark.parametrize(("forward", "sign"), [(True, 1), (False, -1), (None, 1)])
def test_without_a_measured_motion_the_constraint_gives_the_sign(forward, sign, tmp_path):
    dump = gear_pair(2.5, 0, coupled=False)
    dump["motion_constraints"][0]["forward"] = forward
    result = convert(dump, tmp_path)
    assert "motion-constraint: Motion:1: its sign was not measured and is taken from 'forward'" in told(result)
    assert abs(float(mimic(result, "G2")["multiplier"])) == 2.5
    axes = [np.array(j.origin.rotation) @ j.axis for j in result.robot.joints]
    assert np.sign(float(mimic(result, "G2")["multiplier"])) == sign * np.sign(axes[0] @ axes[1])


@pytest.mark.parametrize(
    ("first", "ratio", "multiplier"), [("wheel", 5.0, 0.05 / (2 * math.pi)), ("rack", 5.0, 2 * math.pi / 0.05)]
)
def test_a_rack_moves_by_the_constraints_length_for_a_turn(first, ratio, multiplier, tmp_path):
    names = ["Base:1", "Wheel:1", "Rack:1"]

    def poses(turn: float) -> dict:
        return {"Base:1": IDENTITY, "Wheel:1": turned(turn), "Rack:1": slid(5.0 / (2 * math.pi) * turn)}

    wheel = rotational("W", "Wheel:1", "Base:1", [(v, poses(v)) for v in (0.0, 0.1)])
    rack = {
        "name": "S",
        "type": "kSlideJointType",
        "occurrence_one": "Rack:1",
        "occurrence_two": "Base:1",
        "linear": {"value": 0.0, "start": -5, "end": 5},
        "probe": probe([(0.0, poses(0.0)), (1.0, poses(2 * math.pi / 5))], "linear"),
    }
    ends = ("Wheel:1", "Rack:1") if first == "wheel" else ("Rack:1", "Wheel:1")
    constraint = {
        "name": "M",
        "kind": "rotate_translate",
        "occurrence_one": ends[0],
        "occurrence_two": ends[1],
        "ratio": ratio,
    }
    dump = bare_dump(
        [occurrence(n, grounded=n == "Base:1") for n in names], [wheel, rack], motion_constraints=[constraint]
    )
    result = convert(dump, tmp_path)
    follower = "S" if first == "wheel" else "W"
    assert float(mimic(result, follower)["multiplier"]) == pytest.approx(multiplier, rel=1e-12)
    assert result.certificate.passed


def test_a_constraint_that_couples_no_two_joints_is_left_out_with_a_line(tmp_path):
    dump = gear_pair(2.5, 0)
    dump["motion_constraints"].append(dump["motion_constraints"][0] | {"name": "Twice:1"})
    dump["motion_constraints"].append(dump["motion_constraints"][0] | {"name": "Odd:1", "occurrence_two": "Base:1"})
    lines = told(convert(dump, tmp_path))
    assert "motion-constraint: Twice:1: G2 follows another joint already" in lines
    assert "motion-constraint: Odd:1 does not couple two joints of the tree: left out" in lines


def test_a_joint_follows_by_order_of_the_command_line_or_the_settings(tmp_path):
    dump = gear_pair(2.5, 0)
    del dump["motion_constraints"]
    by_option = convert(dump, tmp_path, mimic=(MimicOrder(child="G2", joint="G1", multiplier=-2.0, offset=0.5),))
    assert mimic(by_option, "G2") == {"joint": "G1", "multiplier": "-2", "offset": "0.5"}
    by_settings = convert(dump, tmp_path, settings="joints: {G2: {mimic: 'G1*-2+0.5'}, G1: {name: first}}\n")
    assert mimic(by_settings, "G2") == {"joint": "first", "multiplier": "-2", "offset": "0.5"}
    # An order goes before the constraint.
    overruled = convert(gear_pair(2.5, 0), tmp_path, mimic=(MimicOrder(child="G2", joint="first", multiplier=7.0),))
    assert mimic(overruled, "G2") == {"joint": "first", "multiplier": "7", "offset": "0"}


@pytest.mark.parametrize(
    ("text", "multiplier", "offset"),
    [("Axis-1", "1", "0"), ("Axis-1*-2", "-2", "0"), ("Axis-1+0.5", "1", "0.5"), ("Axis_1-1", "1", "-1")],
)
def test_a_name_that_ends_like_a_sum_is_a_name(text, multiplier, offset, tmp_path):
    dump = gear_pair(2.5, 0)
    dump["motion_constraints"], dump["verify"] = [], []
    for i, name in enumerate(("Axis-1", "Axis-2")):
        dump["joints"][i]["name"] = name
    by_option = convert(dump, tmp_path, mimic=(parse_mimic(f"Axis-2={text}"),))
    found = mimic(by_option, "Axis_2")
    assert found == {"joint": "Axis_1", "multiplier": multiplier, "offset": offset}
    by_settings = convert(dump, tmp_path, settings=f"joints: {{Axis-2: {{mimic: '{text}'}}}}\n")
    assert mimic(by_settings, "Axis_2") == found


def test_orders_that_name_no_moving_joint_are_errors(tmp_path):
    orders = (MimicOrder(child="G3", joint="G1"), MimicOrder(child="G1", joint="G1"))
    assert refused(gear_pair(2.5, 0), tmp_path, mimic=orders) == [
        "mimic: there is no moving joint 'G3'; the nearest is 'G2'",
        "mimic: 'G1' cannot follow itself",
    ]


def test_chains_of_followers_name_the_first_leader_and_circles_are_told(tmp_path):
    dump = gear_pair(2.5, 0)
    dump["occurrences"].append(occurrence("Gear3:1"))
    poses = {row["name"]: row["assembly_from_occurrence"] for row in dump["occurrences"]}
    samples = [(v, {**poses, "Gear3:1": turned(v, (50, 0, 0))}) for v in (0.0, 0.1)]
    dump["joints"].append(rotational("G3", "Gear3:1", "Base:1", samples))
    dump["joints"][-1]["probe"]["others_suppressed"] = True
    for row in (dump["joints"][0]["coupled_probe"], *dump["verify"]):
        for sample in row.get("samples", [row]):
            sample["transforms"]["Gear3:1"] = IDENTITY
    chain = convert(dump, tmp_path, mimic=(MimicOrder(child="G3", joint="G2", multiplier=2.0, offset=1.0),))
    offset = float(mimic(chain, "G2").get("offset", "0"))
    assert mimic(chain, "G3")["joint"] == "G1"
    assert float(mimic(chain, "G3")["multiplier"]) == pytest.approx(5.0)
    assert float(mimic(chain, "G3")["offset"]) == pytest.approx(2 * offset + 1.0)
    circle = (MimicOrder(child="G2", joint="G1"), MimicOrder(child="G1", joint="G2"))
    independent = convert(dump, tmp_path, mimic=circle)
    assert "mimic: G2 follows itself in a circle and stays independent" in told(independent)
    assert ([mimic(independent, name) for name in ("G1", "G2")], independent.report["loops"]) == ([None] * 2, [])


def test_a_gear_counts_its_turns_from_the_values_of_the_cad(tmp_path):
    dump = gear_pair(2.5, 0, start=9.0)
    assert convert(dump, tmp_path).certificate.passed


def chain_of_pins(pins, ends, names, rigid=()) -> dict:
    """Bars joined by pins (cm) whose axes are z, every pin probed alone; ``rigid`` pins hold."""
    joints = []
    for i, (child, parent) in enumerate(ends):
        if i in rigid:
            row = {
                "name": f"A{i + 1}",
                "type": "kRigidJointType",
                "occurrence_one": names[child],
                "occurrence_two": names[parent],
            }
        else:
            samples = [
                (v, {**dict.fromkeys(names, IDENTITY), names[child]: turned(v, (*pins[i], 0))}) for v in (0.0, 0.1)
            ]
            row = rotational(f"A{i + 1}", names[child], names[parent], samples)
            row["probe"]["others_suppressed"] = True
        joints.append(row)
    return bare_dump([occurrence(name, grounded=i == 0) for i, name in enumerate(names)], joints)


FIVE = ([(0, 0), (0, 20), (15, 40), (30, 20), (30, 0)], [(1, 0), (2, 1), (3, 2), (3, 4), (4, 0)])
BARS = ["Ground:1", "Left:1", "Upper:1", "Over:1", "Right:1"]


def test_a_bar_of_two_parts_in_a_loop_is_one_bar(tmp_path):
    result = convert(chain_of_pins(*FIVE, BARS, rigid=(1,)), tmp_path)
    (loop,) = result.report["loops"]
    assert (loop["cut"][0]["joint"], loop["drivers"]) == ("A3", ["A1"])
    assert [row["joint"] for row in loop["followers"]] == ["A5", "A4"]


def test_a_rigid_joint_that_closes_a_loop_has_frames_and_no_axis(tmp_path):
    result = convert(chain_of_pins(*FIVE, BARS, rigid=(2,)), tmp_path)
    (cut,) = yaml.safe_load(result.loops)["loops"][0]["cut"]
    assert (cut["joint"], "axis" in cut, "frame_b" in cut) == ("A3", False, True)


def test_a_truss_cannot_move_and_says_so(tmp_path):
    truss = chain_of_pins([(0, 0), (20, 30), (40, 0)], [(1, 0), (2, 1), (2, 0)], ["Ground:1", "Left:1", "Right:1"])
    result = convert(truss, tmp_path)
    (loop,) = result.report["loops"]
    assert loop["unsolved"] == "its joints hold each other, so that none can move"


def test_a_loop_on_a_moving_link_stays_on_it(tmp_path):
    # Base, a turntable, and on it a parallelogram.
    names = ["Base:1", "Table:1", "Left:1", "Top:1", "Right:1"]
    pins = [(5, 5), (0, 0), (0, 20), (30, 20), (30, 0)]
    ends = [(1, 0), (2, 1), (3, 2), (4, 3), (4, 1)]
    result = convert(chain_of_pins(pins, ends, names), tmp_path)
    (loop,) = result.report["loops"]
    assert (loop["cut"][0]["joint"], loop["joints"], loop["drivers"]) == ("A4", ["A2", "A5", "A3"], ["A2"])
    assert mimic(result, "A5") == {"joint": "A2", "multiplier": "1", "offset": "0"}
    assert mimic(result, "A3") == {"joint": "A2", "multiplier": "-1", "offset": "0"}
    assert mimic(result, "A1") is None


def test_two_loops_with_a_joint_in_common_are_solved_together(tmp_path):
    # Two parallelograms in a row that share the bar in the middle.
    names = ["Ground:1", "One:1", "Top:1", "Two:1", "Over:1", "Three:1"]
    pins = [(0, 0), (0, 20), (30, 20), (30, 0), (30, 10), (60, 10), (60, 0)]
    ends = [(1, 0), (2, 1), (3, 2), (3, 0), (4, 3), (5, 4), (5, 0)]
    result = convert(chain_of_pins(pins, ends, names), tmp_path)
    (loop,) = result.report["loops"]
    assert [row["joint"] for row in loop["cut"]] == ["A3", "A6"]
    assert loop["drivers"] == ["A1"]
    factors = {name: mimic(result, name)["multiplier"] for name in ("A2", "A4", "A5", "A7")}
    assert factors == {"A2": "-1", "A4": "1", "A5": "-1", "A7": "1"}


def test_limits_of_nothing_leave_a_follower_where_it_is(tmp_path):
    dump = FourBar().dump(0.7, coupled=False, verify=0)
    value = dump["joints"][0]["angular"]["value"]
    settings = f"joints: {{R1: {{lower: {value!r}, upper: {value!r}}}}}\n"
    (loop,) = convert(dump, tmp_path, settings=settings).report["loops"]
    assert [row["mimic"] for row in loop["followers"]] == [False, False]


def test_a_dropped_joint_between_parts_that_take_no_part_is_no_cut(tmp_path):
    dump = FourBar().dump(0.7)
    dump["occurrences"].append(occurrence("Old:1", suppressed=True))
    dump["joints"].append(rotational("Old", "Old:1", "Ground:1"))
    result = convert(dump, tmp_path, drop=("Old",))
    assert [row["joint"] for row in result.report["loops"][0]["cut"]] == ["R3"]
