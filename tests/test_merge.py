"""Links on fixed joints merged: the same motion, masses and shapes with fewer links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from command_line import run
from mdh2urdf.loop import Loop
from mdh2urdf.merge import merge_fixed
from mdh2urdf.robot import Box, Inertia, Inertial, Joint, Limits, Link, Mimic, Robot, Shape
from mdh2urdf.se3 import Transform
from mdh2urdf.urdf.writer import write_urdf
from oracles import urdf_fk
from readers import require_module

LIMITS = Limits(lower=-3.0, upper=3.0, velocity=1.0, effort=1.0)


def random_pose(rng) -> Transform:
    return Transform.from_xyz_rpy(rng.uniform(-0.5, 0.5, 3).tolist(), rng.uniform(-3, 3, 3).tolist())


def body(rng, name: str) -> Link:
    solid = np.diag(rng.uniform(0.1, 0.5, 3))
    mass = float(rng.uniform(0.5, 2.0))
    moments = mass * (np.trace(solid) * np.eye(3) - solid)
    inertia = Inertia(ixx=moments[0, 0], ixy=0.0, ixz=0.0, iyy=moments[1, 1], iyz=0.0, izz=moments[2, 2])
    return Link(
        name=name,
        inertial=Inertial(mass=mass, inertia=inertia, origin=random_pose(rng)),
        visuals=(Shape(geometry=Box(size=(0.1, 0.2, 0.3)), origin=random_pose(rng), name=name),),
        collisions=(Shape(geometry=Box(size=(0.1, 0.2, 0.3)), origin=random_pose(rng), name=name),),
        note=f"note of {name}",
    )


def joint(rng, name, parent, child, kind="revolute", **fields) -> Joint:
    fields = {"limits": None if kind == "fixed" else LIMITS} | fields
    return Joint(name=name, type=kind, parent=parent, child=child, origin=random_pose(rng), **fields)


def robot_of(rng) -> Robot:
    """A tree with fixed joints at its root, within, behind one another, and frames."""
    names = ("plate", "foot", "motor", "a", "cover", "screw", "b", "hand")
    links = (Link(name="base"), *(body(rng, name) for name in names), Link(name="frame"), Link(name="tool"))
    joints = (
        joint(rng, "j_plate", "base", "plate", "fixed"),
        joint(rng, "j_foot", "base", "foot", "fixed"),
        joint(rng, "j_motor", "foot", "motor", "fixed"),
        joint(rng, "one", "motor", "a"),
        joint(rng, "j_cover", "a", "cover", "fixed"),
        joint(rng, "j_screw", "cover", "screw", "fixed"),
        joint(rng, "two", "screw", "b", "prismatic"),
        joint(rng, "j_hand", "b", "hand", "fixed"),
        joint(rng, "j_frame", "hand", "frame", "fixed"),
        joint(rng, "j_tool", "frame", "tool", "fixed"),
    )
    return Robot(name="robot", links=links, joints=joints)


def names_of(robot: Robot) -> tuple[list[str], list[str]]:
    return [link.name for link in robot.links], [each.name for each in robot.joints]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_left_moves_as_before(seed):
    rng = np.random.default_rng(seed)
    robot = robot_of(rng)
    merged = merge_fixed(robot)
    assert names_of(merged.robot) == (
        ["base", "plate", "a", "b", "frame", "tool"],
        ["j_plate", "one", "two", "j_frame", "j_tool"],
    )
    for _ in range(5):
        q = {"one": rng.uniform(-3, 3), "two": rng.uniform(-3, 3)}
        before, after = urdf_fk(write_urdf(robot), q), urdf_fk(write_urdf(merged.robot), q)
        for name, (head, pose) in merged.places.items():
            np.testing.assert_allclose(after[head] @ np.array(pose.matrix()), before[name], atol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_mass_matrix_and_gravity_torques_are_the_same(seed):
    pin = require_module("pinocchio")
    rng = np.random.default_rng(seed)
    robot = robot_of(rng)
    models = [pin.buildModelFromXML(write_urdf(each)) for each in (robot, merge_fixed(robot).robot)]
    q = rng.uniform(-2, 2, 2)
    matrices = [np.array(pin.crba(model, model.createData(), q)) for model in models]
    torques = [np.array(pin.computeGeneralizedGravity(model, model.createData(), q)) for model in models]
    np.testing.assert_allclose(np.triu(matrices[1]), np.triu(matrices[0]), atol=1e-10)
    np.testing.assert_allclose(torques[1], torques[0], atol=1e-10)


def test_shapes_stay_where_they_were():
    robot = robot_of(np.random.default_rng(9))
    merged = merge_fixed(robot).robot
    q = {"one": 0.3, "two": -0.2}

    def places(model: Robot) -> dict[str, np.ndarray]:
        poses = model.link_poses(q)
        return {
            kind + shape.name: np.array((poses[link.name] @ shape.origin).matrix())
            for link in model.links
            for kind, shapes in (("v", link.visuals), ("c", link.collisions))
            for shape in shapes
        }

    before, after = places(robot), places(merged)
    assert set(before) == set(after)
    for name, pose in before.items():
        np.testing.assert_allclose(after[name], pose, atol=1e-12)


def test_findings_say_which_links_were_taken_in_and_notes_stay():
    merged = merge_fixed(robot_of(np.random.default_rng(1)))
    assert [str(finding) for finding in merged.findings()] == [
        "plate: took in foot, motor",
        "a: took in cover, screw",
        "b: took in hand",
    ]
    assert merged.robot.link("b").note == "note of b; note of hand"


def test_a_root_with_mass_takes_in_what_is_fixed_to_it():
    rng = np.random.default_rng(2)
    links = (body(rng, "base"), Link(name="bare"), body(rng, "cover"), body(rng, "arm"))
    joints = (
        joint(rng, "x", "base", "bare", "fixed"),
        joint(rng, "y", "bare", "cover", "fixed"),
        joint(rng, "z", "cover", "arm"),
    )
    merged = merge_fixed(Robot(name="r", links=links, joints=joints)).robot
    assert names_of(merged) == (["base", "arm"], ["z"])
    assert merged.link("base").inertial.mass == pytest.approx(links[0].inertial.mass + links[2].inertial.mass)


def test_a_link_without_mass_takes_the_mass_of_the_one_that_it_takes_in_as_it_is():
    rng = np.random.default_rng(3)
    links = (body(rng, "base"), Link(name="arm"), body(rng, "tube"), Link(name="end"), Link(name="plate"))
    links = (*links[:4], replace(links[4], visuals=links[0].visuals))
    joints = (
        joint(rng, "x", "base", "arm"),
        joint(rng, "y", "arm", "tube", "fixed"),
        joint(rng, "z", "tube", "end"),
        joint(rng, "w", "end", "plate", "fixed"),
    )
    merged = merge_fixed(Robot(name="r", links=links, joints=joints)).robot
    assert merged.link("arm").inertial.inertia == links[2].inertial.inertia
    assert merged.link("end").inertial is None


def test_a_robot_without_fixed_joints_stays_as_it_is():
    rng = np.random.default_rng(4)
    robot = Robot(name="r", links=(body(rng, "base"), body(rng, "arm")), joints=(joint(rng, "x", "base", "arm"),))
    merged = merge_fixed(robot)
    assert merged.robot == robot
    assert merged.findings() == ()


def test_a_fixed_joint_that_another_mimics_stays():
    rng = np.random.default_rng(5)
    links = tuple(body(rng, name) for name in ("base", "cover", "arm"))
    joints = (
        joint(rng, "weld", "base", "cover", "fixed"),
        joint(rng, "x", "base", "arm", mimic=Mimic(joint="weld", offset=0.25)),
    )
    assert merge_fixed(Robot(name="r", links=links, joints=joints)).robot.joints == joints


def test_loops_follow_their_links_and_those_within_a_link_are_left_out():
    rng = np.random.default_rng(6)
    robot = robot_of(rng)
    frame = random_pose(rng)
    closing = Loop(
        name="close",
        type="ball",
        link_a="motor",
        link_b="screw",
        frame_a=frame,
        frame_b=frame,
        passive=("one", "j_foot"),
        closed={"one": 0.5, "j_foot": 0.0},
    )
    inside = Loop(name="inside", type="fixed", link_a="cover", link_b="a")
    merged = merge_fixed(replace(robot, loops=(closing, inside)))
    (loop,) = merged.robot.loops
    assert (loop.link_a, loop.link_b, loop.passive, loop.closed) == ("plate", "a", ("one",), {"one": 0.5})
    before, after = robot.link_poses({"one": 0.5}), merged.robot.link_poses({"one": 0.5})
    for link, place, name in (("plate", loop.frame_a, "motor"), ("a", loop.frame_b, "screw")):
        np.testing.assert_allclose(
            np.array((after[link] @ place).matrix()), np.array((before[name] @ frame).matrix()), atol=1e-12
        )


TABLE = """\
name: two
convention: standard
units: {angle: deg, length: mm}
joints:
  - {name: j1, theta: 0, d: 100, a: 30, alpha: 90, limits: {lower: -90, upper: 90, velocity: 90, effort: 5}}
  - {name: mount, type: fixed, theta: 10, d: 20, a: 0, alpha: 0}
  - {name: j2, theta: q - 90, d: 0, a: 200, alpha: 0, limits: {lower: 0, upper: 90, velocity: 90, effort: 5}}
"""


def test_the_command_line_merges_for_urdf_xacro_and_package_but_not_for_origins(tmp_path):
    table = tmp_path / "two.yaml"
    table.write_text(TABLE.replace("convention: standard", "convention: modified"))
    plain = run(table, "--placeholder-inertia", "1", "--quiet")
    merged = run(table, "--merge-fixed", "--placeholder-inertia", "1", "--geometry", "sticks")
    assert merged.err == "link1: took in link2\nplaceholder spheres of 1 kg: link1, link3\n"
    q = {"j1": 0.4, "j2": 1.2}
    before, after = urdf_fk(plain.out, q), urdf_fk(merged.out, q)
    assert len(after) == len(before) - 1
    for name, pose in after.items():
        np.testing.assert_allclose(pose, before[name], atol=1e-12)
    xacro = run(table, "--merge-fixed", "--format", "xacro", "--quiet")
    assert "dh_to_origin a" not in xacro.out
    refused = run(table, "--merge-fixed", "--format", "origins")
    assert (refused.status, refused.err) == (
        2,
        "--merge-fixed does not go with --format origins: its joints are those of the robot\n",
    )
