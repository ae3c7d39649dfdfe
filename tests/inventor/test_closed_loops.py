"""Dumps in MJCF and SDF: the same robot as the URDF, with its loops closed, also while it moves."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_dump, write_meshes
from mechanisms import FourBar, four_bar_on_a_ball
from running import convert, one_joint, told

from command_line import run
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.sdf.reader import read_sdf
from oracles import position_error, rotation_error, sdf_model, sdf_poses, urdf_fk
from simulators import MuJoCo, Pinocchio, libsdformat_model

CLOSE = 1e-9
"""m, rad, kg m² and N m."""

OPENED = 1e-3
"""m: MuJoCo's constraints are springs; bars of 0.1 to 0.4 m swing fast."""

MASSES = """links:
  "*": {mass: 1, center_of_mass: [0.02, 0.01, 0.03], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.01, iyz: 0, izz: 0.01}}
joints:
  "*": {damping: 0.2}
"""
OFFSETS = (0.3, -0.2, 0.1, 0.05)


def test_a_dump_is_one_robot_in_every_format(tmp_path):
    rng = np.random.default_rng(12)
    assembly = random_assembly(rng, 6, branches=True, meshes=True)
    write_meshes(assembly, tmp_path)
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng)
    urdf, mjcf, sdf = (convert(dump, tmp_path, format=form) for form in ("urdf", "mjcf", "sdf"))
    assert urdf.text == urdf.urdf == mjcf.urdf == sdf.urdf
    mujoco = MuJoCo(mjcf.text, {path.name: path.read_bytes() for path in tmp_path.glob("*.stl")})
    pinocchio = Pinocchio(urdf.text)
    for _ in range(3):
        values = urdf.robot.joint_values({joint.name: float(rng.uniform(-1, 1)) for joint in urdf.robot.joints})
        poses, mass, gravity = pinocchio.at(values)
        mujoco.set(values)
        found = mujoco.poses()
        assert max(position_error(found[name], pose) for name, pose in poses.items()) <= CLOSE
        assert max(rotation_error(found[name], pose) for name, pose in poses.items()) <= CLOSE
        dynamics = mujoco.dynamics(pinocchio.joints)
        assert np.abs(dynamics[0] - mass).max() <= CLOSE
        assert np.abs(dynamics[1] - gravity).max() <= CLOSE
        wanted = urdf_fk(urdf.text, values)
        for model in (sdf_model(sdf.text), libsdformat_model(sdf.text, tmp_path)):
            links = sdf_poses(model, values)
            root = np.linalg.inv(links[urdf.robot.root])
            for name, pose in wanted.items():
                assert np.abs(root @ links[name] - pose).max() <= CLOSE
    assert mujoco.model.nmesh == len(list(tmp_path.glob("*.stl")))
    for form, read in ((mjcf, read_mjcf), (sdf, read_sdf)):
        assert read(form.text, file="x")[1] == []


def four_bar(folder, form: str, seed: int = 0, **options):
    bar = FourBar(offsets=OFFSETS, seed=seed, **options)
    return bar, convert(bar.dump(0.7), folder, settings=MASSES, format=form)


def gap(mujoco: MuJoCo) -> float:
    """How far the two ends of the cut joint are apart, m."""
    sites = [mujoco.data.site(f"R3_loop_{end}{number}").xpos for number in (1, 2) for end in "ab"]
    return max(float(np.linalg.norm(one - two)) for one, two in zip(sites[::2], sites[1::2], strict=True))


@pytest.mark.parametrize("seed", range(3))
def test_a_four_bar_starts_closed_and_stays_closed_under_simulation(seed, tmp_path):
    _, result = four_bar(tmp_path, "mjcf", seed)
    mujoco = MuJoCo(result.text)
    simulator, model, data = mujoco.mujoco, mujoco.model, mujoco.data
    simulator.mj_resetDataKeyframe(model, data, model.key("home").id)
    simulator.mj_forward(model, data)
    assert gap(mujoco) <= CLOSE
    start = data.qpos.copy()
    moved = widest = 0.0
    for step in range(1500):
        data.ctrl[:] = 1.5 * np.sin(0.01 * step)
        simulator.mj_step(model, data)
        widest, moved = max(widest, gap(mujoco)), max(moved, float(np.abs(data.qpos - start).max()))
    assert moved > 0.5
    assert widest <= OPENED


def test_only_the_crank_has_a_motor(tmp_path):
    _, result = four_bar(tmp_path, "mjcf")
    root = ElementTree.fromstring(result.text)
    assert [motor.get("joint") for motor in root.iter("motor")] == ["R1"]
    assert [each.get("name") for each in root.find("equality")] == ["R3_loop_1", "R3_loop_2"]
    assert told(result)[-1] == "left-out: MJCF has no velocity limits: left out of R1, R4, R2"


def test_a_parallelograms_followers_are_mimic_too(tmp_path):
    _, result = four_bar(tmp_path, "mjcf", bars=(0.4, 0.2, 0.4, 0.2))
    names = [each.get("name") for each in ElementTree.fromstring(result.text).find("equality")]
    assert names == ["R3_loop_1", "R3_loop_2", "R4_mimic", "R2_mimic"]


def test_an_sdf_has_the_cut_joint_and_stands_where_the_loop_is_closed(tmp_path):
    bar, result = four_bar(tmp_path, "sdf")
    (loop,) = result.robot.loops
    shifts = ", ".join(f"{name} {value:.12g}" for name, value in loop.closed.items())
    assert f"zero-moved: SDF wants loops closed where its joints are 0: its zeros are at {shifts} (rad, m)" in told(
        result
    )
    model = libsdformat_model(result.text, tmp_path)
    cut = model["joints"][-1]
    assert (cut["name"], cut["type"], {cut["parent"], cut["child"]}) == (
        *("R3_loop", "continuous"),
        {"Rocker_1", "Coupler_1"},
    )
    # Moved by what the mechanism moves, the tree closes the cut joint again.
    before, after = bar.values(0.7), bar.values(1.2)
    poses = sdf_poses(model, {name: after[name] - before[name] for name in before})
    ends = [poses[cut[end]] @ np.linalg.inv(model["links"][cut[end]]) for end in ("parent", "child")]
    frame = model["links"][cut["child"]] @ cut["pose"]
    turn = np.linalg.inv(ends[0] @ frame) @ ends[1] @ frame
    assert np.abs(turn[:3, 3]).max() < 1e-8
    assert np.abs(turn[:3, :3] @ cut["axis"] - cut["axis"]).max() < 1e-8


def test_the_loop_carries_its_frames_and_a_closed_pose(tmp_path):
    bar, result = four_bar(tmp_path, "urdf")
    (loop,) = result.robot.loops
    assert (loop.name, loop.type, loop.passive) == ("R3_loop", "continuous", ("R4", "R2"))
    assert loop.closed == pytest.approx({name: bar.values(0.7)[name] for name in ("R1", "R4", "R2")})
    poses = result.robot.link_poses(loop.closed)
    ends = [
        np.array((poses[link] @ frame).matrix())
        for link, frame in ((loop.link_a, loop.frame_a), (loop.link_b, loop.frame_b))
    ]
    assert position_error(*ends) < CLOSE
    assert "loop" not in result.urdf


def test_a_ball_that_closes_a_loop_is_held_at_its_point(tmp_path):
    result = convert(four_bar_on_a_ball(0.7), tmp_path, settings=MASSES, format="mjcf")
    assert [loop.type for loop in result.robot.loops] == ["ball"]
    mujoco = MuJoCo(result.text)
    mujoco.mujoco.mj_resetDataKeyframe(mujoco.model, mujoco.data, 0)
    mujoco.mujoco.mj_forward(mujoco.model, mujoco.data)
    ends = [mujoco.data.site(f"R1_loop_{end}1").xpos for end in "ab"]
    assert np.linalg.norm(ends[0] - ends[1]) < CLOSE


def test_a_rigid_joint_that_closes_a_loop_is_a_weld(tmp_path):
    settings = MASSES + "  R3: {type: fixed}\n"
    result = convert(FourBar().dump(0.7), tmp_path, settings=settings, format="mjcf")
    assert [loop.type for loop in result.robot.loops] == ["fixed"]
    assert [each.tag for each in ElementTree.fromstring(result.text).find("equality")] == ["weld"]


def test_the_command_writes_the_format_of_the_suffix_or_the_option(tmp_path):
    dump = write_dump(FourBar().dump(0.7), tmp_path)
    (tmp_path / "robot.yaml").write_text(MASSES)
    defaults = ("--joint-defaults", "effort=10,velocity=1")
    for name, options, tag in (
        ("a.mjcf", (), "mujoco"),
        ("a.sdf", (), "sdf"),
        ("a.xml", ("--format", "mjcf"), "mujoco"),
        ("a.xml", (), "robot"),
    ):
        assert run("inventor", dump, "-o", tmp_path / name, *defaults, *options).status == 0
        assert ElementTree.parse(tmp_path / name).getroot().tag == tag
    assert (tmp_path / "a.loops.yaml").exists()
    done = run("inventor", dump, "--format", "sdf", *defaults)
    assert "<sdf" in done.out
    assert "<robot" in run("inventor", dump, *defaults).out


def test_bodies_without_mass_are_refused_with_the_advice_to_fill_in_the_settings_file(tmp_path):
    path = write_dump(one_joint(), tmp_path)
    options = ("--format", "mjcf", "--joint-defaults", "effort=1,velocity=1")
    done = run("inventor", path, *options)
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"{tmp_path}/robot.yaml: written, to be completed\n"
        "MuJoCo refuses bodies that move without mass: Arm_1; "
        "give mass, center_of_mass and inertia of their parts under links in the settings file\n"
    )
    settings = (tmp_path / "robot.yaml").read_text(encoding="utf-8")
    told = "mass: 2, center_of_mass: [0, 0, 0], inertia: {ixx: 1, ixy: 0, ixz: 0, iyy: 1, iyz: 0, izz: 1}"
    head, _, _ = settings.partition('  "Arm:1":\n')
    (tmp_path / "robot.yaml").write_text(f'{head}  "Arm:1": {{{told}}}\n', encoding="utf-8")
    done = run("inventor", path, *options)
    assert done.status == 0
    assert 'mass="2"' in done.out
