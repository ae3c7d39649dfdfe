"""One robot of each source in every format: the same poses, masses and gravity, whoever reads them."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arms import arm
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.screws_file import read_screws, write_screws
from mdh2urdf.sdf.reader import read_sdf
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.urdf.writer import write_urdf
from mdh2urdf.vendor.reader import read_vendor
from oracles import position_error, rotation_error, sdf_model, sdf_poses, urdf_fk
from simulators import MuJoCo, Pinocchio, libsdformat_model
from test_urdf_consumers import drawn_arm

CLOSE = 1e-9
"""m, rad, kg m² and N m; lengths are below 2 m, masses below 10 kg."""

SEEDS = range(6)


def vendor():
    text = emit(arm("xarm6"), ConvertOptions(format="origins")).text
    return read_vendor(text, file="xarm6_kinematics.yaml")[0]


def screws():
    return read_screws(write_screws(emit(arm("ur5e"), ConvertOptions()).robot), file="ur5e.yaml")


SOURCES = {
    "standard table": lambda: arm("ur5e"),
    "modified table": lambda: arm("panda"),
    "table with sliders": lambda: arm("stanford"),
    "table of a tree": lambda: arm("torso"),
    "vendor file": vendor,
    "screws": screws,
    **{
        f"urdf {seed}": lambda seed=seed: read_urdf(write_urdf(drawn_arm(seed, masses=True)), file="x")[0]
        for seed in SEEDS
    },
}


def text(source: str, form: str, **options) -> str:
    return emit(SOURCES[source](), ConvertOptions(format=form, placeholder_inertia=1.5, **options)).text


def joint_values(urdf: str, seed: int) -> dict[str, float]:
    """Values of all joints of a URDF, those that follow others worked out."""
    rng = random.Random(seed)
    robot, _ = read_urdf(urdf, file="x")
    return robot.joint_values({joint.name: rng.uniform(-1.5, 1.5) for joint in robot.joints})


def apart(found: dict, wanted: dict) -> float:
    """Largest position or angle error of the poses that are wanted."""
    assert wanted.keys() <= found.keys()
    errors = [(position_error(found[k], pose), rotation_error(found[k], pose)) for k, pose in wanted.items()]
    return max(max(error) for error in errors)


@pytest.mark.parametrize("source", SOURCES)
def test_mujoco_has_the_poses_masses_and_gravity_that_pinocchio_has_of_the_urdf(source):
    urdf = text(source, "urdf")
    pinocchio, mujoco = Pinocchio(urdf), MuJoCo(text(source, "mjcf"))
    for seed in range(3):
        values = joint_values(urdf, seed)
        poses, mass, gravity = pinocchio.at(values)
        mujoco.set(values)
        assert apart(mujoco.poses(), poses) <= CLOSE
        found = mujoco.dynamics(pinocchio.joints)
        assert np.abs(found[0] - mass).max() <= CLOSE
        assert np.abs(found[1] - gravity).max() <= CLOSE


@pytest.mark.parametrize("source", SOURCES)
def test_two_readers_of_the_sdf_have_the_poses_of_the_urdf(source, tmp_path):
    urdf, sdf = text(source, "urdf"), text(source, "sdf")
    for model in (sdf_model(sdf), libsdformat_model(sdf, tmp_path)):
        values = joint_values(urdf, 7)
        wanted = urdf_fk(urdf, values)
        found = sdf_poses(model, values)
        root = np.linalg.inv(found[next(iter(wanted))]) if next(iter(wanted)) in model["frames"] else np.eye(4)
        assert apart({name: root @ pose for name, pose in found.items()}, wanted) <= CLOSE


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize(("form", "read"), [("mjcf", read_mjcf), ("sdf", read_sdf)])
def test_what_was_written_is_read_back_as_the_same_robot(form, read, source):
    urdf = text(source, "urdf")
    robot, findings = read(text(source, form), file="x")
    assert findings == []
    for seed in range(3):
        values = joint_values(urdf, seed)
        found = {name: np.array(pose.matrix()) for name, pose in robot.link_poses(values).items()}
        assert apart(found, urdf_fk(urdf, values)) <= CLOSE
    written, _ = read_urdf(urdf, file="x")
    for link in written.links:
        again = robot.link(link.name)
        assert (again.inertial is None) == (link.inertial is None)
        if link.inertial is not None:
            assert again.inertial.mass == link.inertial.mass
        assert [len(again.visuals), len(again.collisions)] == [len(link.visuals), len(link.collisions)]


@pytest.mark.parametrize("form", ["mjcf", "sdf"])
def test_a_robot_that_was_read_back_is_written_as_it_was(form):
    read = {"mjcf": read_mjcf, "sdf": read_sdf}[form]
    first = text("urdf 0", form, frames="strict")
    robot, _ = read(first, file="x")
    second = emit(robot, ConvertOptions(format=form, frames="strict")).text
    again, _ = read(second, file="x")
    assert (
        apart(
            {name: np.array(pose.matrix()) for name, pose in again.link_poses({}).items()},
            {name: np.array(pose.matrix()) for name, pose in robot.link_poses({}).items()},
        )
        <= 1e-14
    )
    assert [joint.name for joint in again.joints] == [joint.name for joint in robot.joints]
    assert [joint.limits for joint in again.joints] == [joint.limits for joint in robot.joints]
