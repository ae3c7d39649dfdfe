"""From the simulated assembly over the rule's dump to the URDF and the MDH table: everything equals the truth."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from ilogic import parts
from ilogic.assemblies import Assembly
from ilogic.machines import all_loops, all_trees, six_axis_arm
from ilogic.simulated import ROOT, Run
from ilogic.truth import difference
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.inventor.convert import InventorResult, convert_dump, robot_of_dump
from mdh2urdf.inventor.names import safe_name
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from mdh2urdf.robot import Mesh, Robot
from mdh2urdf.se3 import Transform
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.urdf.reader import read_urdf
from readers import require_module

Export = Callable[[Assembly], Run]
DEFAULTS = InventorOptions(
    joint_defaults=JointDefaults(effort=1.0, velocity=1.0, slider_effort=1.0, slider_velocity=1.0), base_link=False
)
METRES = 1e-8
"""The simulator satisfies joints within 1e-10 cm; over an arm of a metre that stays far below."""

TREES = {name: machine for name, machine in all_trees().items() if name != "other_joints"}
LOOPS = all_loops()
PARTS: dict[str, Callable[[], Assembly]] = {
    "hidden_bodies": parts.hidden_bodies,
    "overridden_lever": parts.overridden_lever,
    "two_states": parts.two_states,
    "rigid_gripper": parts.rigid_gripper,
    "overridden_gripper": parts.overridden_gripper,
    "suppressed_things": parts.suppressed_things,
    "coordinate_systems": parts.coordinate_systems,
    "descriptions": parts.descriptions,
}


def schema_errors(dump: object) -> list[str]:
    schema = json.loads((ROOT / "docs" / "inventor-dump.schema.json").read_text(encoding="utf-8"))
    validator = require_module("jsonschema").Draft202012Validator(schema)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(dump)]


def in_centimetres(pose: Transform) -> np.ndarray:
    matrix = np.array(pose.matrix(), dtype=float)
    matrix[:3, 3] *= 100
    return matrix


def meshes_of(robot: Robot, q: Mapping[str, float]) -> list[tuple[str, np.ndarray]]:
    """Every mesh with its pose in the root, cm."""
    found = []
    for link, pose in robot.link_poses(q).items():
        for visual in next(entry for entry in robot.links if entry.name == link).visuals:
            assert isinstance(visual.geometry, Mesh)
            found.append((Path(visual.geometry.filename).name, in_centimetres(pose @ visual.origin)))
    return found


def misplaced(
    result: InventorResult, dump: Mapping, truth: Mapping[str, np.ndarray], q: Mapping[str, float]
) -> list[str]:
    """Occurrences whose mesh does not stand where it should."""
    robot, _ = read_urdf(result.urdf)
    placed = meshes_of(robot, q)
    return [
        occurrence["name"]
        for occurrence in dump["occurrences"]
        if not occurrence["suppressed"]
        and not any(
            name == occurrence["mesh"] and difference(pose, truth[occurrence["name"]]) < METRES * 100
            for name, pose in placed
        )
    ]


def cad_values(assembly: Assembly, generator: np.random.Generator) -> dict[str, float]:
    """A random value for every joint that carries something, inside its limits where it has some."""
    values = {}
    for motion in assembly.motions.values():
        if motion.joint and motion.kind:
            source = next((j for j in assembly.joints if j["name"] == motion.joint), {})
            if source.get("type") == "rigid" or source.get("suppressed"):
                continue
            values[motion.joint] = motion.value + generator.uniform(-0.4, 0.4)
    return values


def urdf_values(assembly: Assembly, values: Mapping[str, float]) -> dict[str, float]:
    linear = {motion.joint for motion in assembly.motions.values() if motion.kind == "linear"}
    return {safe_name(name, "joint"): value * (0.01 if name in linear else 1.0) for name, value in values.items()}


@pytest.mark.parametrize("name", TREES)
def test_trees_become_urdfs_whose_meshes_follow_the_truth(export: Export, name: str) -> None:
    assembly = TREES[name]
    run = export(assembly)
    assert schema_errors(run.dump) == []
    result = convert_dump(run.dump_file, DEFAULTS)
    assert result.certificate.passed
    assert result.failed == ()
    if name == "japanese_arm":
        return
    generator = np.random.default_rng(5)
    for _ in range(3):
        values = cad_values(assembly, generator)
        assert misplaced(result, run.dump, assembly.poses(values), urdf_values(assembly, values)) == []


@pytest.mark.parametrize("name", LOOPS)
def test_loops_are_cut_and_replayed(export: Export, name: str) -> None:
    run = export(LOOPS[name])
    assert schema_errors(run.dump) == []
    result = convert_dump(run.dump_file, DEFAULTS)
    assert result.certificate.passed
    if name in ("four_bar", "four_bar_free", "double_rocker"):
        assert result.loops


def test_planar_and_ball_joints_of_a_dump_can_be_split(export: Export) -> None:
    run = export(all_trees()["other_joints"])
    settings = run.dump_file.with_name("robot.yaml")
    settings.write_text("joints: {'Planar:1': {lower: -0.1, upper: 0.1}, Free: {lower: -0.1, upper: 0.1}}\n")
    result = convert_dump(run.dump_file, replace(DEFAULTS, unsupported="split"))
    assert result.certificate.passed
    pieces = {row["name"]: len(row["urdf"]) for row in result.report["joints"]}
    assert pieces == {"Turning": 1, "Sliding": 1, "Free": 2, "Planar:1": 3, "Ball:1": 3}
    # The ball turns about its centre, the plane's part stays in its plane.
    links = result.robot.link_poses({"Ball_1_x": 0.5, "Ball_1_y": -0.3, "Planar_1_x": 0.05, "Planar_1_turn": 0.7})
    assert links["Pin_5"].translation == pytest.approx((0.25, 0, 0), abs=1e-12)
    assert links["Pin_4"].translation[2] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("name", ["parallelogram_arm", "gear_pair", "rack_and_pinion"])
def test_linear_followers_become_mimics_and_follow_the_truth(export: Export, name: str) -> None:
    assembly = LOOPS[name]
    run = export(assembly)
    result = convert_dump(run.dump_file, DEFAULTS)
    driver = run.dump["joints"][0]
    for value in (driver["angular"]["value"] + 0.3, driver["angular"]["value"] - 0.5):
        truth = assembly.loop_truth(driver["name"], value)
        assert misplaced(result, run.dump, truth, {safe_name(driver["name"], "joint"): value}) == []


@pytest.mark.parametrize("name", PARTS)
def test_parts_become_links_with_their_masses(export: Export, name: str) -> None:
    assembly = PARTS[name]()
    run = export(assembly)
    assert schema_errors(run.dump) == []
    result = convert_dump(run.dump_file, DEFAULTS)
    assert result.certificate.passed
    wanted = sum(
        occurrence["mass_override"]
        if occurrence["mass_override"] is not None
        else sum(body["mass"] * body["override_scale"] for body in occurrence["bodies"])
        for occurrence in run.dump["occurrences"]
        if not occurrence["suppressed"] and occurrence["visible"] and occurrence["bom"] != "reference"
    )
    total = sum(link.inertial.mass for link in result.robot.links if link.inertial)
    assert total == pytest.approx(wanted, rel=1e-9)


def body_data(body: Mapping, density: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre and tensor about it of a box or a cylinder, in its part's axes: kg, cm."""
    size, pose = body["size"], np.array(body["pose"])
    if body["shape"] == "box":
        mass = density * np.prod(size)
        squares = np.square(size)
        diagonal = mass / 12 * (squares.sum() - squares)
    else:
        radius, length = size
        mass = density * np.pi * radius**2 * length
        across = mass * (3 * radius**2 + length**2) / 12
        diagonal = np.array([across, across, mass * radius**2 / 2])
    return mass, pose[:3, 3], pose[:3, :3] @ np.diag(diagonal) @ pose[:3, :3].T


def combined(pieces: list[tuple[float, np.ndarray, np.ndarray]]) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre and tensor about the origin (parallel axes) of pieces with tensors about their own centres."""
    mass = sum(piece[0] for piece in pieces)
    center = sum(piece[0] * piece[1] for piece in pieces) / mass
    tensor = sum(own + m * (c @ c * np.eye(3) - np.outer(c, c)) for m, c, own in pieces)
    return mass, center, tensor


def moved(piece: tuple[float, np.ndarray, np.ndarray], pose: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    mass, center, tensor = piece
    return mass, pose[:3, :3] @ center + pose[:3, 3], pose[:3, :3] @ tensor @ pose[:3, :3].T


@pytest.mark.parametrize("name", ["six_axis_arm", "scara", "lever_swapped"])
def test_inertia_of_the_whole_robot_is_the_truth_in_every_pose(export: Export, name: str) -> None:
    assembly = TREES[name]
    run = export(assembly)
    robot, _ = read_urdf(convert_dump(run.dump_file, DEFAULTS).urdf)
    documents = {occurrence["name"]: assembly.documents[occurrence["document"]] for occurrence in assembly.occurrences}
    generator = np.random.default_rng(8)
    for _ in range(3):
        values = cad_values(assembly, generator)
        truth = [
            moved(body_data(body, documents[occurrence]["material"]["density"]), pose)
            for occurrence, pose in assembly.poses(values).items()
            for body in documents[occurrence]["bodies"]
        ]
        poses = robot.link_poses(urdf_values(assembly, values))
        found = []
        for link in robot.links:
            inertial = link.inertial
            if inertial is None:  # a frame
                continue
            i = inertial.inertia
            tensor = np.array([[i.ixx, i.ixy, i.ixz], [i.ixy, i.iyy, i.iyz], [i.ixz, i.iyz, i.izz]]) * 1e4
            pose = in_centimetres(poses[link.name] @ inertial.origin)
            found.append(moved((inertial.mass, np.zeros(3), tensor), pose))
        for mine, wanted in zip(combined(found), combined(truth), strict=True):
            assert mine == pytest.approx(wanted, rel=1e-9, abs=1e-9 * np.max(np.abs(wanted)))


def test_limits_are_copied_and_sorted(export: Export) -> None:
    assembly = six_axis_arm()
    result = convert_dump(export(assembly).dump_file, DEFAULTS)
    by_name = {joint.name: joint for joint in result.robot.joints}
    for source in assembly.joints:
        if source["type"] == "rotational":
            limits = by_name[source["name"]].limits
            assert [limits.lower, limits.upper] == sorted(source["angular_limits"])


def test_mdh_rows_of_the_arm_come_back(export: Export) -> None:
    run = export(six_axis_arm())
    robot, _ = robot_of_dump(run.dump_file.read_text(encoding="utf-8"))
    file = ROOT / "robots" / "xarm6.yaml"
    like, _ = read_table(file.read_text(encoding="utf-8"), file=file.name)
    table, _ = fit_table(robot, like=like, tip="tool0")
    for joint, wanted in zip(table.moving_joints, like.moving_joints, strict=True):
        for field in ("a_prev", "alpha_prev", "d", "theta"):
            assert getattr(joint.row, field) == pytest.approx(getattr(wanted.row, field), abs=1e-9), (joint.name, field)
        assert sorted((joint.limits.lower, joint.limits.upper)) == [wanted.limits.lower, wanted.limits.upper]
