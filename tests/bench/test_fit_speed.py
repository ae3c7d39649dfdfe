"""How long a fit takes, against what anybody would use to evaluate the arm; ratios of one run."""

from __future__ import annotations

import random
import time

import numpy as np
from inputs import ROBOTS

from fitted import LIMITS
from mdh2urdf.convert import robot_from_table
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import Joint, Link, Robot
from mdh2urdf.se3 import Transform
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.urdf.writer import write_urdf
from readers import require_module

EVALUATIONS = 1000


def quickest(function, times: int) -> float:
    """The best time of a few, s."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        found.append(time.perf_counter() - start)
    return min(found)


def test_a_seven_axis_arm_is_fitted_before_pinocchio_has_evaluated_it_a_thousand_times(benchmark):
    pin = require_module("pinocchio")
    table, _ = read_table((ROBOTS / "panda.yaml").read_text())
    source = robot_from_table(table).robot
    model = pin.buildModelFromXML(write_urdf(source))
    data, tip = model.createData(), model.nframes - 1
    values = np.random.default_rng(1).uniform(-1, 1, (EVALUATIONS, model.nq))

    def evaluate():
        poses = np.empty((EVALUATIONS, 4, 4))
        for index in range(EVALUATIONS):
            pin.framesForwardKinematics(model, data, values[index])
            poses[index] = data.oMf[tip].homogeneous
        return poses

    assert model.nq == 7
    ratio = min(quickest(lambda: fit_table(source), 20) / quickest(evaluate, 5) for _ in range(3))
    benchmark.extra_info["fit / 1000 FKs"] = ratio
    benchmark(fit_table, source)
    assert ratio < 1.0


def long_chain(count: int) -> Robot:
    rng = random.Random(count)
    joints = []
    for i in range(count):
        xyz, rpy = ([rng.uniform(-size, size) for _ in range(3)] for size in (0.1, 3))
        origin = Transform.from_xyz_rpy(xyz, rpy)
        joints.append(
            Joint(name=f"j{i}", type="revolute", parent=f"l{i}", child=f"l{i + 1}", origin=origin, limits=LIMITS)
        )
    return Robot(name="long", links=tuple(Link(name=f"l{i}") for i in range(count + 1)), joints=tuple(joints))


def test_the_time_of_a_fit_grows_with_the_joints_and_no_faster(benchmark):
    short, long = long_chain(500), long_chain(2000)
    growth = min(quickest(lambda: fit_table(long), 3) / quickest(lambda: fit_table(short), 3) for _ in range(2))
    benchmark.extra_info["2000 joints / 500 joints"] = growth
    benchmark.pedantic(fit_table, args=(long_chain(1000),), rounds=3)
    assert growth < 4 * 1.75
