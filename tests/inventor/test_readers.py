"""Other people's readers load what was written, with its meshes and masses."""

from __future__ import annotations

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_meshes
from running import convert, urdf_values

from oracles import urdf_fk
from readers import require_module, require_program, run


@pytest.fixture
def robot(tmp_path):
    rng = np.random.default_rng(11)
    assembly = random_assembly(rng, 6, branches=True, meshes=True)
    write_meshes(assembly, tmp_path)
    output = tmp_path / "robot.urdf"
    result = convert(dump_of(assembly, assembly.random_q(rng), rng=rng), tmp_path, output=output)
    output.write_text(result.urdf)
    solids = [(body, part, solid) for body in assembly.bodies for part in body.parts for solid in part.solids]
    return assembly, result, output, solids, rng


def test_check_urdf_finds_one_tree(robot):
    _, result, output, _, _ = robot
    checked = run(require_program("check_urdf"), output)
    assert checked.returncode == 0
    assert f"root Link: {result.robot.root}" in checked.stdout


def test_pinocchio_has_our_poses_and_masses(robot):
    pin = require_module("pinocchio")
    assembly, result, output, solids, rng = robot
    model = pin.buildModelFromUrdf(str(output))
    data = model.createData()
    q = urdf_values(result, assembly.random_q(rng))
    vector = pin.neutral(model)
    for name, value in q.items():
        joint = model.joints[model.getJointId(name)]
        vector[joint.idx_q : joint.idx_q + joint.nq] = (np.cos(value), np.sin(value)) if joint.nq == 2 else value
    pin.framesForwardKinematics(model, data, vector)
    for name, pose in urdf_fk(result.urdf, q).items():
        assert np.abs(data.oMf[model.getFrameId(name)].homogeneous - pose).max() < 1e-9
    moving = sum(solid.mass for body, _, solid in solids if carried(assembly, body))
    assert pin.computeTotalMass(model) == pytest.approx(moving, rel=1e-9)


def carried(assembly, body) -> bool:
    """Whether a moving joint carries a body; pinocchio has no mass for what is fixed to the ground."""
    while body.parent is not None:
        if body.kind != "rigid":
            return True
        body = assembly.bodies[body.parent]
    return False


def test_mujoco_has_the_meshes_and_the_mass_and_centre_of_the_assembly(robot):
    mujoco = require_module("mujoco")
    assembly, result, output, solids, rng = robot
    # MuJoCo drops the mass of what is welded to its world unless it is told to keep bodies apart.
    text = result.urdf.replace(
        "</robot>", '<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco></robot>'
    )
    model = mujoco.MjModel.from_xml_string(text, {path.name: path.read_bytes() for path in output.parent.glob("*.stl")})
    data = mujoco.MjData(model)
    q = assembly.random_q(rng)
    for name, value in urdf_values(result, q).items():
        data.qpos[model.joint(name).qposadr[0]] = value
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    assert model.nmesh == sum(len(body.parts) for body in assembly.bodies)
    truth = assembly.part_poses(q)
    root = np.linalg.inv(truth[assembly.bodies[0].parts[0].name])
    masses = np.array([solid.mass for _, _, solid in solids])
    centers = np.array([(root @ truth[part.name] @ solid.part @ solid.place)[:3, 3] for _, part, solid in solids])
    assert float(model.body_mass.sum()) == pytest.approx(masses.sum(), rel=1e-9)
    found = model.body_mass @ data.xipos / model.body_mass.sum()
    assert np.abs(found - masses @ centers / masses.sum()).max() < 1e-8


@pytest.mark.filterwarnings("ignore:`Scene.dump:DeprecationWarning")  # what yourdfpy calls in trimesh
def test_yourdfpy_finds_every_mesh(robot):
    yourdfpy = require_module("yourdfpy")
    _, result, output, _, _ = robot
    model = yourdfpy.URDF.load(str(output), build_collision_scene_graph=True, load_collision_meshes=True)
    assert model.base_link == result.robot.root
    assert len(model.scene.geometry) == sum(len(link.visuals) for link in result.robot.links)
