"""Functions of the library against those of other libraries, on this project's own arms."""

from __future__ import annotations

import numpy as np
import pytest
from inputs import ROBOTS, table_text
from races import Rival

from mdh2urdf.convert import robot_from_table
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.source import read_source
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.urdf.writer import write_urdf
from mdh2urdf.vectorised import modified_origins, standard_origins, tool_poses
from readers import require_module

ROWS = 1_000_000
LOOPED = 1_000
"""Rows of peers that take one at a time; their time is counted a thousandfold."""

POSES = 100_000
ROUNDS = 9


def random_rows() -> np.ndarray:
    return np.random.default_rng(0).uniform(-3, 3, (ROWS, 4))


def rows_of_arms() -> np.ndarray:
    """Rows as tables have them: alpha is a multiple of 90 degrees, and so is every second theta."""
    rng = np.random.default_rng(1)
    rows = random_rows()
    rows[:, 1] = rng.choice([0.0, np.pi / 2, -np.pi / 2, np.pi], ROWS)
    rows[::2, 3] = rng.choice([0.0, np.pi / 2, -np.pi / 2, np.pi], ROWS // 2)
    return rows


def trigonometry(rows):
    """The limit: sines and cosines of both angles and three arctangents, and nothing else."""
    a, alpha, d, theta = np.ascontiguousarray(rows.T)

    def floor():
        for angle in (alpha, theta):
            np.sin(angle)
            np.cos(angle)
        for y, x in ((a, alpha), (d, alpha), (theta, alpha)):
            np.arctan2(y, x)

    return floor


def scipy_route(rows):
    rotation = require_module("scipy.spatial.transform").Rotation

    def route():
        a, alpha, d, theta = rows.T
        turned = rotation.from_euler("x", alpha[:, None]) * rotation.from_euler("z", theta[:, None])
        return np.stack([a, -np.sin(alpha) * d, np.cos(alpha) * d], axis=1), turned.as_euler("xyz")

    return route


def pytransform3d_route(rows):
    rotations = require_module("pytransform3d.rotations")

    def route():
        for a, alpha, d, theta in rows[:LOOPED].tolist():
            turned = rotations.active_matrix_from_angle(0, alpha) @ rotations.active_matrix_from_angle(2, theta)
            rotations.euler_from_matrix(turned, 0, 1, 2, extrinsic=True)
            np.array([a, -np.sin(alpha) * d, np.cos(alpha) * d])

    return route


def spatialmath_route(rows):
    pose = require_module("spatialmath").SE3

    def route():
        for a, alpha, d, theta in rows[:LOOPED].tolist():
            turned = pose.Rx(alpha) * pose.Tx(a) * pose.Rz(theta) * pose.Tz(d)
            _ = turned.t, turned.rpy()

    return route


def roboticstoolbox_route(rows):
    link = require_module("roboticstoolbox").RevoluteMDH

    def route():
        for a, alpha, d, theta in rows[:LOOPED].tolist():
            turned = link(a=a, alpha=alpha, d=d, offset=theta).A(0.0)
            _ = turned.t, turned.rpy()

    return route


LOOPS = {
    "pytransform3d, row by row": pytransform3d_route,
    "spatialmath, row by row": spatialmath_route,
    "roboticstoolbox, row by row": roboticstoolbox_route,
}


@pytest.mark.parametrize("rows", [random_rows, rows_of_arms])
@pytest.mark.parametrize("function", [modified_origins, standard_origins])
def test_a_million_rows(race, rows, function):
    kind = rows.__name__.replace("_", " ")
    rows = rows()
    rivals = {
        "numpy's sin, cos and arctan2 alone": Rival(trigonometry(rows), most=2.5),
        "scipy's Rotation": Rival(scipy_route(rows), most=1 / 5),
    }
    if kind == "random rows" and function is modified_origins:
        rivals |= {name: Rival(route(rows), share=LOOPED / ROWS) for name, route in LOOPS.items()}
    race(lambda: function(rows), rivals, rounds=ROUNDS, what=f"`{function.__name__}`, a million {kind}")


def test_the_peers_find_the_same_poses():
    rows = random_rows()[:LOOPED]
    xyz, rpy = modified_origins(rows)
    other_xyz, other_rpy = scipy_route(rows)()
    assert np.allclose(xyz, other_xyz, atol=1e-12)
    assert np.allclose(rpy, other_rpy, atol=1e-12)


@pytest.fixture(scope="module")
def seven_axes():
    table = read_source(str(ROBOTS / "iiwa14.yaml")).model
    return table, robot_from_table(table).robot


def pinocchio_poses(robot, q):
    """pinocchio's poses of the last frame for each row of q, one after the other from Python."""
    pin = require_module("pinocchio")
    model = pin.buildModelFromXML(write_urdf(robot))
    data = model.createData()

    def poses():
        found = []
        for values in q:
            pin.framesForwardKinematics(model, data, values)
            found.append(data.oMf[-1].homogeneous)
        return found

    return poses


def roboticstoolbox_poses(table, q):
    toolbox = require_module("roboticstoolbox")
    links = [
        toolbox.RevoluteMDH(a=j.row.a_prev, alpha=j.row.alpha_prev, d=j.row.d, offset=j.row.theta) for j in table.joints
    ]
    chain = toolbox.DHRobot(links).ets()
    return lambda: chain.fkine(q)


def test_poses_of_a_seven_axis_arm(race, seven_axes):
    table, robot = seven_axes
    q = np.random.default_rng(0).uniform(-2, 2, (POSES, 7))
    pinocchio = pinocchio_poses(robot, q)
    assert np.allclose(tool_poses(table, q[:100]), pinocchio_poses(robot, q[:100])(), atol=1e-12)
    rivals = {
        "pinocchio, pose by pose": Rival(pinocchio, most=1.0),
        "roboticstoolbox's ets.fkine": Rival(roboticstoolbox_poses(table, q)),
    }
    race(lambda: tool_poses(table, q), rivals, rounds=ROUNDS, what=f"`tool_poses`, {POSES:,} poses of 7 axes")


def test_fit_of_a_seven_axis_arm(race, seven_axes):
    _, robot = seven_axes
    q = np.random.default_rng(0).uniform(-2, 2, (1000, 7))
    rival = {"1,000 poses by pinocchio": Rival(pinocchio_poses(robot, q), most=1.0)}
    race(lambda: fit_table(robot), rival, rounds=51, what="`fit_table` of 7 axes")


def test_fit_is_linear_in_joints(race):
    robots = {size: robot_from_table(read_table(table_text(size))[0]).robot for size in (100, 1000)}
    rival = {"a tenth of the joints, ten times": Rival(lambda: fit_table(robots[100]), most=1.3, share=0.1)}
    race(lambda: fit_table(robots[1000]), rival, rounds=7, what="`fit_table` of 1,000 joints")
