"""Screws files: read, written, and every bad one with its whole message."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest

import chains
import oracles
from command_line import ROBOTS
from fitted import errors, joint, robot
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Limits, Mimic
from mdh2urdf.screws_file import read_screws, write_screws
from mdh2urdf.se3 import Transform
from mdh2urdf.table_file.reader import read_table

ROW = ("a_prev", "alpha_prev", "d", "theta")
BAD = Path(__file__).parent / "data" / "bad_screws"
ONE = "format: screws\njoints:\n  - {axis: [0, 0, 1], point: [1, 0, 0]}\n"

WRIST = """\
format: screws
name: wrist
units: {angle: deg, length: mm}
base: {link: stand}
joints:
  - {name: a, link: one, axis: [0, 0, 2], point: [0, 0, 333],
     limits: {lower: -166, upper: 166, velocity: 124, effort: 87}}
  - {type: prismatic, axis: [0, 3, -4]}
  - {name: c, link: three, parent: one, type: continuous, axis: [1, 0, 0], point: [10, 20, 30]}
"""


def test_a_file_becomes_a_robot_with_frames_at_the_points():
    found = read_screws(WRIST)
    assert found.name == "wrist"
    assert [(one.name, one.type, one.parent, one.child) for one in found.joints] == [
        ("a", "revolute", "stand", "one"),
        ("joint2", "prismatic", "one", "link2"),
        ("c", "continuous", "one", "three"),
    ]
    assert [one.axis for one in found.joints] == [(0, 0, 1), (0, 0.6, -0.8), (1, 0, 0)]
    poses = oracles.robot_poses(found, {})
    assert [poses[link][:3, 3].tolist() for link in ("one", "link2")] == [[0, 0, 0.333], [0, 0, 0.333]]
    np.testing.assert_allclose(poses["three"], oracles.shift(0.01, 0.02, 0.03), atol=1e-16)
    assert found.joints[0].limits == Limits(
        lower=math.radians(-166), upper=math.radians(166), velocity=math.radians(124), effort=87.0
    )


def test_a_revolute_joint_without_a_range_is_continuous():
    found = read_screws(ONE.replace("]}", "], limits: {velocity: 2, effort: 3}}"))
    assert (found.name, found.root, found.joints[0].type) == ("robot", "base_link", "continuous")


def test_the_tool_is_the_pose_of_the_tip_at_zero():
    found = read_screws(f"{ONE}tool: {{link: tcp, xyz: [1, 0, 2], rpy: [0, pi/2, 0]}}\n")
    assert found.joints[-1].name == "tcp_joint"
    want = np.array(Transform.from_xyz_rpy((1, 0, 2), (0, math.pi / 2, 0)).matrix())
    np.testing.assert_allclose(oracles.robot_poses(found, {})["tcp"], want, atol=1e-16)


@pytest.mark.parametrize("name", ["cr5", "gen3_lite", "jaco2_6dof", "mycobot_280", "panda"])
def test_a_table_that_goes_through_its_screws_comes_back_with_its_numbers(name):
    table, _ = read_table((ROBOTS / f"{name}.yaml").read_text(encoding="utf-8"))
    robot = robot_from_table(table).robot
    back, _ = fit_table(read_screws(write_screws(robot)))
    wanted, _ = fit_table(robot)
    for have, want in zip(back.joints, wanted.joints, strict=True):
        assert [getattr(have.row, field) for field in ROW] == pytest.approx(
            [getattr(want.row, field) for field in ROW], abs=1e-12
        )


def test_a_tool_without_a_name_is_tool0():
    assert read_screws(f"{ONE}tool: {{xyz: [1, 0, 2]}}\n").joints[-1].child == "tool0"


@pytest.mark.parametrize("units", [Units(), Units("deg", "mm")])
@pytest.mark.parametrize("seed", range(10))
def test_written_chains_read_back_to_the_same_motion(seed, units):
    chain = chains.draw(random.Random(seed))
    back = read_screws(write_screws(chain.robot, units=units))
    rng = random.Random(seed)
    q = {f"joint{i + 1}": rng.uniform(-1, 1) for i in range(len(chain.slides))}
    have, want = oracles.robot_poses(back, q), oracles.robot_poses(chain.robot, q)
    tip = "flange" if "flange" in have else f"{chain.tip}_tool0"
    assert oracles.position_error(have[tip], want[chain.tip]) < 1e-14
    assert oracles.rotation_error(have[tip], want[chain.tip]) < 1e-14


def test_a_table_fitted_to_a_screws_file_moves_as_its_source():
    chain = chains.draw(random.Random(3), near=False)
    back = read_screws(write_screws(chain.robot))
    table, _ = fit_table(back)
    assert max(errors(table, back, {back.leaves()[0]: "tool"})) < 1e-13


def test_the_text_of_a_written_tree():
    source = robot(
        joint("a", "base", "one", (0, 0, 0.1)),
        joint("b", "one", "two", (0.1, 0, 0), limits=Limits(lower=0.0, upper=0.2), kind="prismatic"),
        joint("c", "one", "three", (0, 0.1, 0), axis=(1.0, 0.0, 0.0), kind="continuous", limits=None),
    )
    text = write_screws(source, units=Units("deg", "mm"))
    *head, first, second, third = text.splitlines()
    assert head == ["format: screws", "name: arm", "units: {angle: deg, length: mm}", "base: {link: base}", "joints:"]
    limits = "limits: {lower: rad(-1.5), upper: rad(2.5), velocity: rad(2), effort: 30}"
    columns = "  - {{name: {}, type: {} link: {} {}axis: {} point: {}}}"
    assert first == columns.format("a", "revolute,  ", "one,  ", "", "[0, 0, 1],", f"[0, 0, 100],   {limits}")
    limits = "limits: {lower: 0, upper: 200}"
    assert second == columns.format("b", "prismatic, ", "two,  ", "", "[0, 0, 1],", f"[100, 0, 100], {limits}")
    assert third == columns.format("c", "continuous,", "three,", "parent: one, ", "[1, 0, 0],", "[0, 100, 100]")


def test_a_chain_that_ends_in_its_last_joint_s_point_has_no_tool():
    source = robot(joint("a", "base", "one", (0, 0, 0.1)), joint("b", "one", "two", (0.1, 0, 0)))
    assert "tool" not in write_screws(source)
    assert write_screws(source, base="one", tip="two").splitlines()[2] == "base: {link: one}"


@pytest.mark.parametrize("name", sorted(path.stem for path in BAD.glob("*.yaml")))
def test_bad_screws_are_refused_with_everything_that_is_wrong(name):
    with pytest.raises(Mdh2UrdfError) as error:
        read_screws((BAD / f"{name}.yaml").read_text(), file=f"{name}.yaml")
    assert str(error.value) == (BAD / f"{name}.txt").read_text().rstrip("\n")


def test_every_bad_file_has_its_message_and_no_message_is_left_over():
    assert {path.stem for path in BAD.glob("*.yaml")} == {path.stem for path in BAD.glob("*.txt")}


def test_what_no_screws_file_holds_is_refused():
    far = joint("j", "a", "b", limits=Limits(lower=0.0, upper=1e300, velocity=1.0, effort=1.0))
    named = joint("k", "b", "c ")
    tip = joint("weld", "c ", "l", (0.0, 0.0, 0.1), kind="fixed")
    taken = joint("l_joint", "z", "a")
    with pytest.raises(Mdh2UrdfError) as error:
        write_screws(robot(taken, far, named, tip))
    assert str(error.value).splitlines() == [
        "link 'c ': a name in a screws file is one line without blanks at its ends; rename it",
        "joint 'j': has the number 1e+300; the largest is 1e+12",
        "joint 'l_joint': a screws file has this name for its tool; rename it",
    ]


def test_a_tool_gets_a_name_that_is_free():
    turned = joint("b_tool0_joint", "a", "b", rpy=(0.3, 0.0, 0.0))
    text = write_screws(robot(turned))
    assert "tool: {link: b_tool0_" in text
    assert read_screws(text).leaves() == ("b_tool0_",)


def test_joints_that_follow_another_one_are_named_at_the_head():
    text = write_screws(robot(joint("j", "a", "b"), joint("k", "b", "c", mimic=Mimic(joint="j"))))
    assert text.startswith("# joints that follow another one move by themselves here: k\nformat: screws\n")
