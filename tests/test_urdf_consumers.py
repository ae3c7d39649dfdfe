"""Written URDFs in the programs that people load them with; each must move the links as our tree does."""

from __future__ import annotations

import math
import random
import subprocess

import numpy as np
import pytest
from lxml import etree

from mdh2urdf.robot import Box, Cylinder, Inertia, Inertial, Joint, Limits, Link, Material, Mimic, Robot, Shape, Sphere
from mdh2urdf.se3 import X_AXIS, Y_AXIS, Z_AXIS, Transform, unit
from mdh2urdf.urdf.writer import write_urdf
from oracles import position_error, rotation_error, urdf_fk
from readers import require_module, require_program
from test_urdf import everything

FINE = 1e-12
"""m and rad, over chains of up to eight joints with lengths of up to 1 m."""

SEEDS = range(12)
QUARTERS = [0.0, math.pi / 2, -math.pi / 2, math.pi]


def drawn_arm(seed: int, *, masses: bool) -> Robot:
    """A tree of eight joints with angles that are often quarter turns, axes often the coordinate axes."""
    rng = random.Random(seed)
    links = [Link(name="base")]
    joints: list[Joint] = []
    for index in range(8):
        kind = ("revolute", "continuous", "prismatic", "fixed")[rng.choice((0, 0, 0, 1, 2, 3))]
        limits = Limits(lower=-2.0, upper=2.0, velocity=1.0, effort=10.0) if kind != "fixed" else None
        rpy = [rng.choice([*QUARTERS, rng.uniform(-3, 3)]) for _ in range(3)]
        leader = next((joint.name for joint in joints if joint.type == kind and joint.mimic is None), None)
        joints.append(
            Joint(
                name=f"joint{index}",
                type=kind,
                parent=links[rng.choice((-1, -1, 0))].name,
                child=f"link{index}",
                origin=Transform.from_xyz_rpy([rng.uniform(-1, 1) for _ in range(3)], rpy),
                axis=rng.choice([X_AXIS, Y_AXIS, Z_AXIS, unit((rng.random(), 1.0, rng.random()))]),
                limits=limits,
                mimic=Mimic(joint=leader, multiplier=-0.5, offset=0.1) if leader and rng.random() < 0.3 else None,
                note=f"seed {seed} -- joint {index}",
            )
        )
        links.append(_drawn_link(f"link{index}", rng, masses=masses))
    return Robot(name="drawn", links=tuple(links), joints=tuple(joints))


def _drawn_link(name: str, rng: random.Random, *, masses: bool) -> Link:
    geometry = rng.choice([Box(size=(0.1, 0.2, 0.3)), Cylinder(radius=0.1, length=0.5), Sphere(radius=0.2)])
    pose = Transform.from_xyz_rpy([rng.uniform(-1, 1) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)])
    shape = Shape(geometry=geometry, origin=pose, material=Material(name="blue", rgba=(0.0, 0.0, 1.0, 1.0)))
    tensor = Inertia(ixx=0.02, ixy=0.001, ixz=-0.002, iyy=0.03, iyz=0.003, izz=0.04)
    return Link(
        name=name,
        inertial=Inertial(mass=rng.uniform(0.1, 5.0), inertia=tensor, origin=pose) if masses else None,
        visuals=(shape,),
        collisions=(shape,),
    )


def joint_values(robot: Robot, seed: int) -> dict[str, float]:
    rng = random.Random(seed + 1000)
    return robot.joint_values({joint.name: rng.uniform(-1.5, 1.5) for joint in robot.joints})


def check_poses(robot: Robot, text: str, q: dict[str, float], found: dict[str, np.ndarray], tolerance: float) -> None:
    ours, oracle = robot.link_poses(q), urdf_fk(text, q)
    assert found.keys() == ours.keys() == oracle.keys()
    for name, pose in found.items():
        for other in (np.array(ours[name].matrix()), oracle[name]):
            assert position_error(pose, other) <= tolerance
            assert rotation_error(pose, other) <= tolerance


@pytest.mark.parametrize("seed", SEEDS)
def test_pinocchio_moves_the_written_robot_as_we_do(seed):
    pin = require_module("pinocchio")
    robot = drawn_arm(seed, masses=seed % 2 == 0)
    text = write_urdf(robot)
    model = pin.buildModelFromXML(text)
    data = model.createData()
    values = joint_values(robot, seed)
    q = pin.neutral(model)
    for name in model.names[1:]:
        joint = model.joints[model.getJointId(name)]
        value = values[name]
        q[joint.idx_q : joint.idx_q + joint.nq] = [math.cos(value), math.sin(value)] if joint.nq == 2 else [value]
    pin.framesForwardKinematics(model, data, q)
    frames = {link.name: data.oMf[model.getFrameId(link.name)].homogeneous for link in robot.links}
    check_poses(robot, text, values, frames, FINE)
    masses = [link.inertial.mass for link in robot.links if link.inertial is not None]
    assert pin.computeTotalMass(model) == pytest.approx(sum(masses), abs=FINE)


@pytest.mark.parametrize("seed", SEEDS)
def test_yourdfpy_moves_the_written_robot_as_we_do(seed, tmp_path):
    yourdfpy = require_module("yourdfpy")
    robot = drawn_arm(seed, masses=seed % 2 == 0)
    text = write_urdf(robot)
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    model = yourdfpy.URDF.load(str(path), load_meshes=False)
    assert model.validate()
    values = joint_values(robot, seed)
    model.update_cfg({name: values[name] for name in model.actuated_joint_names})
    frames = {link.name: model.get_transform(link.name, robot.root) for link in robot.links}
    check_poses(robot, text, values, frames, FINE)


@pytest.mark.parametrize("seed", SEEDS)
def test_mujoco_moves_the_written_robot_as_we_do(seed):
    mujoco = require_module("mujoco")
    masses = seed % 2 == 0
    robot = drawn_arm(seed, masses=masses)
    compiler = {"fusestatic": "false"} if masses else {"fusestatic": "false", "boundmass": "1", "boundinertia": "1"}
    extra = etree.Element("mujoco")
    etree.SubElement(extra, "compiler", compiler)
    text = write_urdf(robot, extra=[extra])
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    values = joint_values(robot, seed)
    for index in range(model.njnt):
        data.qpos[model.jnt_qposadr[index]] = values[model.joint(index).name]
    mujoco.mj_kinematics(model, data)
    frames = {}
    for link in robot.links:
        body = "world" if link.name == robot.root else link.name
        frames[link.name] = np.eye(4)
        frames[link.name][:3, :3] = data.body(body).xmat.reshape(3, 3)
        frames[link.name][:3, 3] = data.body(body).xpos
    check_poses(robot, text, values, frames, FINE)


def test_mujoco_takes_a_robot_with_mass_data_as_it_is():
    robot = drawn_arm(0, masses=True)
    model = require_module("mujoco").MjModel.from_xml_string(write_urdf(robot))
    assert {model.joint(index).name for index in range(model.njnt)} == {
        joint.name for joint in robot.joints if joint.type != "fixed"
    }


def test_pinocchio_takes_every_element():
    model = require_module("pinocchio").buildModelFromXML(write_urdf(everything(), header=["by a test -- quickly"]))
    assert {"shoulder", "slide", "wheel", "loose", "table"} < set(model.names)


def test_check_urdf_takes_every_written_robot(tmp_path):
    program = require_program("check_urdf")
    for robot in [everything(), *(drawn_arm(seed, masses=seed % 2 == 0) for seed in SEEDS)]:
        path = tmp_path / "robot.urdf"
        path.write_text(write_urdf(robot, header=["by a test -- quickly"]))
        result = subprocess.run([program, path], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stdout + result.stderr
        assert "Successfully Parsed XML" in result.stdout
        assert result.stderr == ""
        assert f"root Link: {robot.root}" in result.stdout
