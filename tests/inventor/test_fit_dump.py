"""A dump of an arm gives back its table: for every table of robots/, with its joint names and limits."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from assemblies import Assembly, Body, Part, dump_of, random_pose
from mechanisms import FourBar
from running import one_joint

from mdh2urdf.convert import strict_robot
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.inventor.convert import robot_of_dump
from mdh2urdf.table_file.reader import read_table
from oracles import position_error, rotation_error, table_poses

ROBOTS = sorted((Path(__file__).parents[2] / "robots").glob("*.yaml"))


def assembly_of(table, rng) -> Assembly:
    """An assembly with the table's kinematics: link frames of the truth are the strict ones, part frames any."""
    robot = strict_robot(table)
    index = {robot.root: 0}
    bodies = [Body([Part(f"{robot.root}:1", np.eye(4))], home=random_pose(rng))]
    for joint in robot.joints_from_root():
        # The dump knows no joint by URDF's axis: motion about it is given in the parent's frame.
        home = np.array(joint.origin.matrix())
        kind = {"revolute": "turn", "continuous": "turn", "prismatic": "slide", "fixed": "rigid"}[joint.type]
        limits = joint.limits and joint.limits.lower is not None and (joint.limits.lower, joint.limits.upper)
        last = joint.child in robot.leaves()
        index[joint.child] = len(bodies)
        bodies.append(
            Body(
                [Part(f"{joint.child}:1", np.eye(4) if last else random_pose(rng))],
                parent=index[joint.parent],
                kind=kind,
                axis=home[:3, :3] @ joint.axis,
                point=home[:3, 3],
                home=home,
                limits=limits or ((-0.5, 0.5) if kind == "slide" else None),
                joint=joint.name,
                swapped=bool(rng.random() < 0.5),
            )
        )
    return Assembly(bodies)


def read(path: Path):
    table, _ = read_table(path.read_text(encoding="utf-8"), file=str(path))
    return table


def assert_same_poses(assembly: Assembly, found, base: str, tip: str, rng):
    """The fitted table against the truth of the assembly, at random values."""
    for _ in range(3):
        q = assembly.random_q(rng)
        truth = assembly.part_poses(q)
        wanted = np.linalg.inv(truth[f"{base}:1"]) @ truth[f"{tip}:1"]
        values = [q[joint.name] for joint in found.moving_joints]
        poses = table_poses(found, values)
        got = poses.get("tool", poses[found.joints[-1].link])
        assert position_error(got, wanted) < 1e-9
        assert rotation_error(got, wanted) < 1e-9


@pytest.mark.parametrize("path", ROBOTS, ids=[path.stem for path in ROBOTS])
def test_the_dump_of_every_robot_is_fitted_by_a_table_of_the_same_kinematics(path):
    rng = np.random.default_rng(len(path.stem))
    table = read(path)
    assembly = assembly_of(table, rng)
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng, verify=0, pairs_only=True)
    robot, findings = robot_of_dump(json.dumps(dump), "robot.json")
    assert findings == []
    moving = {joint.name: joint for joint in robot.joints if joint.type != "fixed"}
    assert list(moving) == [body.joint for body in assembly.moving]
    for body in assembly.moving:
        if body.limits is not None and body.kind == "turn":
            assert (moving[body.joint].limits.lower, moving[body.joint].limits.upper) == body.limits
    leaf = assembly.bodies[-1].parts[0].name.removesuffix(":1")
    found, _ = fit_table(robot, convention=table.convention, tip=f"{leaf}_1")
    assert_same_poses(assembly, found, strict_robot(table).root, leaf, rng)


@pytest.mark.parametrize("path", ROBOTS, ids=[path.stem for path in ROBOTS])
def test_like_its_own_table_a_dump_gives_back_the_rows(path):
    rng = np.random.default_rng(3)
    table = read(path)
    assembly = assembly_of(table, rng)
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng, verify=0, pairs_only=True)
    robot, _ = robot_of_dump(json.dumps(dump), "robot.json")
    leaf = assembly.bodies[-1].parts[0].name.removesuffix(":1")
    found, _ = fit_table(robot, convention=table.convention, tip=f"{leaf}_1", like=table, snap=True)
    for got, wanted in zip(found.joints, table.joints, strict=True):
        assert (got.row, got.direction) == (wanted.row, wanted.direction)


def test_a_fit_needs_no_limits_effort_or_velocity_and_stands_on_the_grounded_part():
    dump = one_joint((None, 2.0))
    tensor = {"ixx": 1, "iyy": 1, "izz": 1, "ixy": 0, "iyz": 0, "ixz": 0}
    dump["occurrences"][0]["bodies"] = [{"name": "S", "mass": 2, "center_of_mass": [1, 0, 0], "inertia": tensor}]
    robot, findings = robot_of_dump(json.dumps(dump))
    assert robot.link("Base_1").inertial.mass == 2.0
    assert (robot.root, findings) == ("Base_1", [])
    (joint,) = robot.joints
    assert (joint.name, joint.limits.lower, joint.limits.upper) == ("Turn_1", None, 2.0)


def test_a_fit_needs_no_measure_of_the_joint_that_closes_a_loop():
    dump = FourBar().dump(0.7)
    dump["joints"][2]["probe"] = None
    robot, findings = robot_of_dump(json.dumps(dump))
    assert [joint.name for joint in robot.joints] == ["R1", "R4", "R2"]
    assert [finding.rule for finding in findings] == ["loop"]
