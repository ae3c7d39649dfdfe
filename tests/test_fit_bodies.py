"""What a fit makes of links: fixed ones merged, tips and trees, mass data and geometry in the rows' frames."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest

import oracles
from fitted import arm, errors, joint, robot, rows
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.fit.report import FitReport, Free, Snap
from mdh2urdf.loop import Loop
from mdh2urdf.robot import (
    Box,
    Calibration,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Limits,
    Link,
    Material,
    Mimic,
    Robot,
    Safety,
    Shape,
)
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import ModifiedRow, Tool

ORIGIN = (0, 0, 0)


def body(name: str, rng: random.Random) -> Link:
    """A link with mass data and geometry turned at will."""

    def pose() -> Transform:
        return Transform.from_xyz_rpy(
            [rng.uniform(-0.2, 0.2) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)]
        )

    root = np.array([[rng.uniform(-1, 1) for _ in range(3)] for _ in range(3)])
    tensor = root @ root.T + np.eye(3)
    inertia = Inertia(
        ixx=tensor[0, 0], ixy=tensor[0, 1], ixz=tensor[0, 2], iyy=tensor[1, 1], iyz=tensor[1, 2], izz=tensor[2, 2]
    )
    return Link(
        name=name,
        inertial=Inertial(mass=rng.uniform(0.5, 3), inertia=inertia, origin=pose()),
        visuals=(Shape(geometry=Box(size=(0.1, 0.2, 0.3)), origin=pose(), name=f"{name}_seen"),),
        collisions=(Shape(geometry=Cylinder(radius=0.1, length=0.2), origin=pose()),),
    )


def spatial_inertia(pose: np.ndarray, mass: float, center, tensor: np.ndarray) -> np.ndarray:
    """Six by six inertia about the root's origin: what a body is, wherever its frame."""
    point = pose[:3, 3] + pose[:3, :3] @ np.array(center)
    turned = pose[:3, :3] @ tensor @ pose[:3, :3].T
    x, y, z = point
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[turned - mass * cross @ cross, mass * cross], [-mass * cross, mass * np.eye(3)]])


def matrix(inertia: Inertia) -> np.ndarray:
    return np.array(
        [
            [inertia.ixx, inertia.ixy, inertia.ixz],
            [inertia.ixy, inertia.iyy, inertia.iyz],
            [inertia.ixz, inertia.iyz, inertia.izz],
        ]
    )


def of_robot(source: Robot, q: dict[str, float], names) -> np.ndarray:
    """Summed spatial inertia of links."""
    total = np.zeros((6, 6))
    poses = oracles.robot_poses(source, q)
    for name in names:
        inertial = source.link(name).inertial
        if inertial is not None:
            origin = poses[name] @ np.array(inertial.origin.matrix())
            total += spatial_inertia(origin, inertial.mass, (0, 0, 0), matrix(inertial.inertia))
    return total


def of_table(table, q, link: str) -> np.ndarray:
    """Spatial inertia of a link of a table, by the frames of its rows."""
    data = table.links[link]
    pose = oracles.table_poses(table, q)["tool" if table.tool and link == table.tool.link else link]
    if link == table.base.link:
        pose = np.eye(4)
    turned = pose @ oracles.rpy_matrix(*data.inertia_rpy)
    center = (oracles.inverse(turned) @ pose @ np.array([*data.center_of_mass, 1]))[:3]
    return spatial_inertia(turned, data.mass, center, matrix(data.inertia))


@pytest.mark.parametrize("convention", ["modified", "standard"])
@pytest.mark.parametrize("seed", range(5))
def test_mass_data_and_geometry_stay_where_they_are(convention, seed):
    rng = random.Random(seed)

    def pose():
        return [rng.uniform(-0.4, 0.4) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)]

    links = tuple(body(name, rng) for name in ("base", "plate", "one", "bracket", "bolt", "two", "tcp"))
    source = robot(
        joint("bolted", "base", "plate", *pose(), kind="fixed"),
        joint("a", "plate", "one", *pose()),
        joint("f1", "one", "bracket", *pose(), kind="fixed"),
        joint("f2", "bracket", "bolt", *pose(), kind="fixed"),
        joint("b", "bracket", "two", *pose(), axis=(0.6, 0.0, 0.8)),
        joint("f3", "two", "tcp", *pose(), kind="fixed"),
        links=links,
    )
    table, report = fit_table(source, convention=convention, tip="tcp")
    assert [(one.link, one.into) for one in report.merged] == [("plate", "base"), ("bracket", "one"), ("bolt", "one")]
    assert report.lines()[-2:] == ["base: plate merged into it", "one: bracket, bolt merged into it"]
    members = {"base": ["base", "plate"], "one": ["one", "bracket", "bolt"], "two": ["two"], "tcp": ["tcp"]}
    q = [0.3, -0.7]
    values = {"a": 0.3, "b": -0.7}
    for name, parts in members.items():
        np.testing.assert_allclose(of_table(table, q, name), of_robot(source, values, parts), atol=1e-12)
        assert table.links[name].frame == ("dh" if name in ("one", "two") else "joint")
    poses, frames = oracles.robot_poses(source, values), oracles.table_poses(table, q)
    for name, parts in members.items():
        frame = {"base": np.eye(4), "tcp": frames["tool"]}.get(name, frames.get(name))
        want = [
            (shape, poses[part] @ np.array(shape.origin.matrix()))
            for part in parts
            for shape in source.link(part).visuals
        ]
        for have, (shape, place) in zip(table.links[name].visuals, want, strict=True):
            assert (have.name, have.geometry) == (shape.name, shape.geometry)
            np.testing.assert_allclose(frame @ np.array(have.origin.matrix()), place, atol=1e-12)
        assert len(table.links[name].collisions) == len(parts)


NEAR = 0.004
"""rad: neighbours that get a beta."""


@pytest.mark.parametrize("convention", ["modified", "standard"])
@pytest.mark.parametrize("what", ["inertial", "visuals", "collisions"])
def test_mass_data_or_geometry_alone_stay_where_they_are_in_every_row(convention, what):
    rng = random.Random(3)
    whole = [body(name, rng) for name in ("base", "one", "two", "three", "four")]
    links = tuple(Link(name=link.name, **{what: getattr(link, what)}) for link in whole)
    source = robot(
        joint("a", "base", "one", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
        joint("b", "one", "two", (0.3, 0.1, 0.2), (NEAR, NEAR, 0.2)),
        joint("c", "two", "three", (0.2, 0.3, 0.1), (1.0, 0.3, -0.5)),
        joint("d", "three", "four", (0.2, 0.1, 0.1), (0, 0, 0.5)),
        links=links,
    )
    table, report = fit_table(source, convention=convention)
    assert [pair.rule for pair in report.nearly_parallel] == ["beta"]
    written = robot_from_table(table).robot
    values = {"a": 0.4, "b": -1.1, "c": 0.7, "d": 0.2}
    have, want = oracles.robot_poses(written, values), oracles.robot_poses(source, values)
    for link in source.links:
        ours = written.link(link.name)
        np.testing.assert_allclose(
            of_robot(written, values, [link.name]), of_robot(source, values, [link.name]), atol=1e-12
        )
        for one, other in zip((*ours.visuals, *ours.collisions), (*link.visuals, *link.collisions), strict=True):
            places = (
                poses[link.name] @ np.array(shape.origin.matrix()) for poses, shape in ((have, one), (want, other))
            )
            np.testing.assert_allclose(*places, atol=1e-12)


def test_data_of_the_tips_of_a_tree_are_in_their_rows_frames():
    rng = random.Random(4)
    source = robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "arm_l", (0, 0.2, 0.1), (1, 0, 0)),
        joint("hold", "arm_l", "hand_l", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6), kind="fixed"),
        joint("right", "trunk", "arm_r", (0.1, -0.2, 0.1), (-1, 0.3, 0)),
        joint("carry", "arm_r", "hand_r", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6), kind="fixed"),
        links=(body("hand_l", rng), body("hand_r", rng)),
    )
    table, _ = fit_table(source)
    q, values = [0.3, 0.5, -0.7], {"torso": 0.3, "left": 0.5, "right": -0.7}
    for name in ("hand_l", "hand_r"):
        assert table.links[name].frame == "dh"
        np.testing.assert_allclose(of_table(table, q, name), of_robot(source, values, [name]), atol=1e-12)


def test_the_fitted_table_s_urdf_has_every_body_where_it_was():
    rng = random.Random(7)
    source = robot(
        joint("a", "base", "one", (0.1, 0, 0.3), (0.2, 0.3, 0.4)),
        joint("b", "one", "two", (0.3, 0.1, 0), (1, 0.2, 0)),
        links=tuple(body(name, rng) for name in ("base", "one", "two")),
    )
    for convention in ("modified", "standard"):
        table, _ = fit_table(source, convention=convention)
        written = robot_from_table(table).robot
        values = {"a": 0.4, "b": -1.1}
        for name in ("base", "one", "two"):
            np.testing.assert_allclose(of_robot(written, values, [name]), of_robot(source, values, [name]), atol=1e-12)


def test_two_points_and_a_rod_merge_by_the_parallel_axis_theorem():
    point = Inertia(ixx=0, ixy=0, ixz=0, iyy=0, iyz=0, izz=0)
    links = (
        Link(name="l1", inertial=Inertial(mass=1.0, inertia=point)),
        Link(name="hook", inertial=Inertial(mass=3.0, inertia=replace(point, iyy=0.5, izz=0.5))),
        Link(name="l0"),
    )
    source = robot(
        joint("j1", "l0", "l1"),
        joint("f", "l1", "hook", (0.4, 0, 0), kind="fixed"),
        joint("j2", "l1", "l2", (0, 0, 1), (1, 0, 0)),
        links=links,
    )
    data = fit_table(source, tip="l2")[0].links["l1"]
    assert (data.mass, data.center_of_mass) == (4.0, pytest.approx((0.3, 0, -1)))
    assert matrix(data.inertia) == pytest.approx(np.diag([0, 0.5 + 0.12, 0.5 + 0.12]))
    assert data.inertia_rpy == (0, 0, 0)


def test_massless_inertials_merge_without_a_centre():
    nothing = Inertial(mass=0.0, inertia=Inertia(ixx=0, ixy=0, ixz=0, iyy=0, iyz=0, izz=0))
    links = (Link(name="l1", inertial=nothing), Link(name="sensor", inertial=nothing))
    source = robot(
        joint("j1", "l0", "l1"),
        joint("f", "l1", "sensor", (0.4, 0, 0), kind="fixed"),
        joint("j2", "l1", "l2", (0, 0.2, 1), (1, 0, 0)),
        links=links,
    )
    assert fit_table(source, tip="l2")[0].links["l1"].mass == 0.0


def test_shapes_that_name_a_material_of_the_robot_get_its_colour():
    red = Material(name="red", rgba=(1.0, 0.0, 0.0, 1.0))
    shapes = tuple(Shape(geometry=Box(size=(1, 1, 1)), material=Material(name=name)) for name in ("red", "unknown"))
    one = Link(name="l1", visuals=(*shapes, Shape(geometry=Box(size=(1, 1, 1)))))
    source = replace(robot(joint("j1", "l0", "l1"), links=(one,)), materials=(red,))
    visuals = fit_table(source)[0].links["l1"].visuals
    assert [shape.material for shape in visuals] == [red, Material(name="unknown"), None]


def test_links_without_data_have_none_in_the_table():
    assert fit_table(arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0))))[0].links == {}


# Chains


def branched() -> Robot:
    return robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "left_hand", (0.1, 0.2, 0.1), (1, 0.2, 0)),
        joint("right", "trunk", "right_arm", (0, -0.2, 0.1), (-1, 0, 0)),
        joint("right_2", "right_arm", "right_hand", (0.3, 0.1, 0), (0, 1, 0)),
        joint("lamp_mount", "right_arm", "lamp", (0, 0, 0.1), kind="fixed"),
        joint("grip", "right_hand", "right_grip", (0, 0, 0.1), (0.2, 0.3, 0), kind="fixed"),
    )


def test_a_standard_table_of_several_leaves_is_refused_with_their_names():
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(branched(), convention="standard")
    assert str(error.value) == (
        "a standard table is one chain; choose its end by --tip, the leaves are left_hand, lamp, right_grip"
    )


@pytest.mark.parametrize("convention", ["modified", "standard"])
def test_a_tip_makes_a_chain_and_names_what_is_left_out(convention):
    source = branched()
    table, report = fit_table(source, tip="right_grip", convention=convention)
    assert [one.name for one in table.joints] == ["torso", "right", "right_2"]
    assert report.left_out == ("left",)
    assert report.lines()[-1] == "left out: joint left"
    assert [(one.link, one.into) for one in report.merged] == [("lamp", "right_arm")]
    assert max(errors(table, source, {"right_grip": "tool"})) < 1e-14


def test_a_tip_in_the_middle_of_a_chain():
    source = branched()
    table, report = fit_table(source, tip="right_arm")
    assert report.left_out == ("left", "right_2", "grip")
    assert report.lines()[-1] == "left out: joints left, right_2, grip"
    assert max(errors(table, source, {"right_arm": "right_arm"})) < 1e-14


def test_a_base_below_the_root_starts_the_table_there():
    source = branched()
    table, report = fit_table(source, base="right_arm", tip="right_grip")
    assert (table.base.link, [one.name for one in table.joints]) == ("right_arm", ["right_2"])
    assert report.left_out == ()
    assert max(errors(table, source, {"right_grip": "tool"})) < 1e-14


def test_a_base_alone_takes_the_tree_below_it():
    table, _ = fit_table(branched(), base="right_arm")
    assert [(one.name, one.type) for one in table.joints] == [
        ("right_2", "revolute"),
        ("lamp_mount", "fixed"),
        ("grip", "fixed"),
    ]


def test_joints_that_close_loops_are_left_out_by_name():
    """A table is a tree; the values of passive joints are for whoever drives it."""
    source = replace(
        branched(),
        loops=(
            Loop(name="belt", type="revolute", link_a="left_hand", link_b="right_hand"),
            Loop(name="rod", type="fixed", link_a="right_arm", link_b="right_hand", passive=("right_2",)),
        ),
    )
    assert fit_table(source)[1].left_out == ("belt", "rod")
    assert fit_table(source, tip="right_grip")[1].left_out == ("left", "rod")
    assert rows(fit_table(source)[0]) == rows(fit_table(branched())[0])


# Trees


def test_a_tree_is_one_table_whose_fixed_rows_hold_the_tips():
    source = branched()
    table, report = fit_table(source)
    assert [(one.name, one.link, one.parent, one.type) for one in table.joints] == [
        ("torso", "trunk", "base", "revolute"),
        ("left", "left_hand", "trunk", "revolute"),
        ("right", "right_arm", "trunk", "revolute"),
        ("right_2", "right_hand", "right_arm", "revolute"),
        ("lamp_mount", "lamp", "right_arm", "fixed"),
        ("grip", "right_grip", "right_hand", "fixed"),
    ]
    assert table.tool is None
    tips = {name: name for name in ("left_hand", "lamp", "right_grip")}
    assert max(errors(table, source, tips)) < 1e-14
    assert max(report.position_error, report.angle_error) < 1e-14


def test_x_of_a_branched_link_follows_the_child_with_most_joints():
    table, _ = fit_table(branched())
    with_branch = {one.name for one in table.joints if (one.row.gamma, one.row.b) != (0, 0)}
    assert "left" in with_branch
    assert "right" not in with_branch


def test_of_equal_children_x_follows_the_first():
    source = robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "left_hand", (0, 0.2, 0.1), (1, 0, 0)),
        joint("right", "trunk", "right_hand", (0.1, -0.2, 0.1), (-1, 0.3, 0)),
    )
    table, _ = fit_table(source)
    assert [(one.row.gamma, one.row.b) != (0, 0) for one in table.joints[:3]] == [False, False, True]


def test_a_moving_leaf_whose_frame_is_not_its_row_s_gets_a_fixed_row():
    source = robot(
        joint("torso", "base", "trunk", (0, 0, 0.3)),
        joint("left", "trunk", "left_tool0", (0, 0.2, 0.1), axis=(0.0, 1.0, 0.0)),
        joint("right", "trunk", "left", (0, -0.2, 0.1), axis=(0.0, 1.0, 0.0)),
    )
    table, _ = fit_table(source)
    extra = [(one.name, one.link, one.parent) for one in table.joints if one.type == "fixed"]
    assert extra == [
        ("left_tool0_tool0_joint", "left_tool0_tool0", "left_tool0"),
        ("left_tool0__joint", "left_tool0_", "left"),
    ]
    assert max(errors(table, source, {"left_tool0": "left_tool0_tool0", "left": "left_tool0_"})) < 1e-14


def test_a_leaf_on_the_base_is_a_fixed_row_of_it():
    source = robot(
        joint("camera_mount", "base", "camera", (0.1, 0.2, 0.3), (0.4, 0.5, 0.6), kind="fixed"),
        joint("a", "base", "one", (0.3, 0, 0), (0.3, 0, 0)),
        joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0)),
    )
    table, _ = fit_table(source)
    assert (table.joints[0].parent, table.joints[0].link, table.joints[0].type) == ("base", "camera", "fixed")
    assert max(errors(table, source, {"camera": "camera", "two": "two"})) < 1e-14


def test_arms_side_by_side_on_the_base_start_from_one_frame_zero():
    source = robot(
        joint("left", "base", "l", (0, 0.2, 0), (0.5, 0, 0)),
        joint("right", "base", "r", (0, -0.2, 0), (-0.5, 0, 0)),
        joint("slide", "base", "s", (0.3, 0, 0), (0.7, 0.1, 0), kind="prismatic"),
    )
    table, _ = fit_table(source)
    assert max(errors(table, source, {"l": "l", "r": "r", "s": "s_tool0"})) < 1e-14


def test_branches_that_are_parallel_or_nearly_so_keep_b_nought():
    source = robot(
        joint("a", "base", "one", (0, 0, 0.2)),
        joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0)),
        joint("c", "two", "three", (0.3, 0, 0), (1, 0, 0)),
        joint("parallel", "one", "p", (0, 0.3, 0.1)),
        joint("near", "one", "n", (0, -0.3, 0.1), (0.001, 0.002, 0)),
        joint("same", "one", "s", (0, 0, 0.1)),
    )
    table, report = fit_table(source)
    found = {one.name: one.row for one in table.joints}
    assert [found[name].b for name in ("parallel", "near", "same")] == [0, 0, 0]
    assert found["near"].beta_prev != 0
    assert [(pair.earlier, pair.later) for pair in report.nearly_parallel] == [("a", "near")]
    assert max(errors(table, source, {name: name for name in "pns"} | {"three": "three"})) < 1e-14


def test_axes_nearly_parallel_to_frame_zero_are_told_by_the_base_link():
    source = robot(joint("a", "base", "one", (0, 0, 0.2)), joint("b", "base", "two", (0.3, 0, 0), (1e-3, 0, 0)))
    _, report = fit_table(source)
    assert [(pair.earlier, pair.later) for pair in report.nearly_parallel] == [("base", "b")]


def test_tips_nearly_along_their_axis_cost_four_parameters_without_beta():
    source = robot(
        joint("a", "base", "one", (0, 0, 0.2)),
        joint("f", "one", "tip", (0.1, 0, 0), (1e-4, 0, 0), kind="fixed"),
        joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0)),
    )
    assert [one.rule for one in fit_table(source)[1].nearly_parallel] == ["beta"]
    table, report = fit_table(source, beta=False)
    assert [one.rule for one in report.nearly_parallel] == ["four parameters"]
    assert max(errors(table, source, {"tip": "tip", "two": "two"})) < 1e-11


# Joints


def test_dynamics_safety_and_calibration_come_along_wherever_q_is():
    everything = {
        "dynamics": Dynamics(damping=0.1, friction=0.2),
        "safety": Safety(k_velocity=1.0, k_position=2.0, soft_lower=-1.0, soft_upper=1.0),
        "calibration": Calibration(rising=0.3),
    }
    source = robot(
        joint("a", "base", "one", (0, 0, 0.2), **everything), joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0))
    )
    one = fit_table(source)[0].joints[0]
    assert {name: getattr(one, name) for name in everything} == everything


def test_a_joint_whose_leader_is_left_out_moves_by_itself():
    source = robot(
        joint("a", "base", "one", (0, 0, 0.2)),
        joint("lead", "one", "side", (0.3, 0, 0), (1, 0, 0)),
        joint("b", "one", "two", (0.3, 0, 0), (1, 0, 0), mimic=Mimic(joint="lead", offset=0.3)),
        joint("c", "two", "three", (0.3, 0, 0), (1, 0, 0), mimic=Mimic(joint="b")),
        joint("d", "three", "four", (0.3, 0, 0), (1, 0, 0), mimic=Mimic(joint="a")),
        joint("e", "four", "five", (0.3, 0, 0), (1, 0, 0), mimic=Mimic(joint="e")),
    )
    table, report = fit_table(source, tip="five")
    assert report.unled == ("b", "c", "e")
    assert report.lines()[-1] == ("moving by itself, because the joint that it mimics is left out: joints b, c, e")
    assert [one.mimic for one in table.joints] == [None, None, None, Mimic(joint="a"), None]
    assert max(report.position_error, report.angle_error) < 1e-14


@pytest.mark.parametrize("kind", ["floating", "planar"])
def test_joints_without_a_screw_are_refused(kind):
    source = robot(
        joint("a", "base", "one"), joint("free", "one", "two", kind=kind, limits=None), joint("b", "two", "three")
    )
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(source)
    assert str(error.value) == (
        f"joint 'free' is {kind}; a table has revolute, continuous, prismatic and fixed joints; "
        "choose --base and --tip so that it is left out"
    )
    assert [one.name for one in fit_table(source, base="two")[0].joints] == ["b"]
    assert [one.name for one in fit_table(source, tip="one")[0].joints] == ["a"]


def test_a_robot_that_does_not_move_is_refused():
    still = robot(joint("f", "base", "one", kind="fixed"))
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(still)
    assert str(error.value) == (
        "no joint below 'base' is revolute, continuous or prismatic; a table needs at least one that moves"
    )
    with pytest.raises(Mdh2UrdfError) as error:
        fit_table(branched(), tip="base")
    assert str(error.value) == (
        "no joint from 'base' to 'base' is revolute, continuous or prismatic; a table needs at least one that moves"
    )


def test_unknown_ends_are_refused_with_the_known_links():
    for options in ({"base": "nowhere"}, {"tip": "nowhere"}):
        with pytest.raises(Mdh2UrdfError) as error:
            fit_table(arm((ORIGIN, ORIGIN)), **options)
        assert str(error.value) == "there is no link 'nowhere'; the links are l0, l1"


def test_joints_in_any_order_are_put_in_chain_order():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)), ((0.3, 0, 0), (1, 0, 0)))
    shuffled = replace(source, joints=tuple(source.joints[i] for i in (2, 0, 1)))
    assert rows(fit_table(shuffled)[0]) == rows(fit_table(source)[0])


def test_the_report_is_plain_data_too():
    _, report = fit_table(branched(), tip="right_grip")
    plain = json.loads(json.dumps(report.as_json()))
    assert plain["left_out"] == ["left"]
    assert plain["merged"] == [{"link": "lamp", "into": "right_arm"}]
    assert plain["position_error"] < 1e-14
    assert "units" not in plain


def test_the_report_says_all_in_words():
    report = FitReport(
        position_error=1.5e-10,
        angle_error=2e-12,
        samples=4,
        free=(Free(joint="j1", fields=("theta", "d"), reason="no axis follows"),),
        snaps=(
            Snap(place="j2", field="d", value=4.0000001, to=4.0),
            Snap(place="j2", field="alpha", value=-3.1415926, to=math.pi, undone=True),
        ),
        would_snap=(Snap(place="base", field="yaw", value=0.1, to=0.2),),
        left_out=("left", "right"),
        unled=("grip",),
    )
    assert report.lines() == [
        "the table misses the source by at most 1.5e-10 m and 2e-12 rad at q = 0 and 3 random sets of joint values",
        "j1: theta and d free, no axis follows",
        "snapped: j2 d 4.0000001 to 4 m (by -1e-07 m)",
        "not snapped: j2 alpha -3.1415926 to pi rad (by -5.4e-08 rad), which would miss the source by more than 10 "
        "tolerances",
        "would snap: base yaw 0.1 to 0.2 rad (by 0.1 rad)",
        "left out: joints left, right",
        "moving by itself, because the joint that it mimics is left out: joint grip",
    ]


def test_a_tool_row_stands_for_its_link():
    source = arm((ORIGIN, ORIGIN), ((0.3, 0, 0), (1, 0, 0)))
    like, _ = fit_table(source)
    row = ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.0, theta=0.0)
    table, report = fit_table(source, like=replace(like, tool=Tool(link="end", row=row)))
    assert table.tool == Tool(link="tool0", row=row)
    assert report.position_error < 1e-14


def test_limits_of_a_continuous_joint_without_any_are_empty():
    source = robot(joint("a", "base", "one", kind="continuous", limits=None))
    assert fit_table(source)[0].joints[0].limits == Limits()
    assert fit_table(source)[0].base.pose == IDENTITY
    assert math.isfinite(fit_table(source)[1].position_error)
