"""Ten thousand chains whose neighbours are singular on purpose, in both conventions, with beta and without."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import chains
from mdh2urdf.fit.common_normal import UNDECIDED
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.frames import NEARLY_PARALLEL

COUNT = 10_000
PARTS = 4
SAMPLES = 3

WITH_BETA = 1e-12
"""m and rad; the reader's noise, which is taken away, is 1e-13 m and 2e-14 rad over the reach."""

WELL_CONDITIONED = 1e-13
"""m and rad, where no neighbours are below 0.02 rad: common normals up to 20 m away, at 1e-16."""

FOUR_PARAMETERS = 1e-15
"""m rad, over the angle of each pair that is nearly parallel."""


def joint_values(rng: np.random.Generator, chain: chains.Chain) -> np.ndarray:
    reach = np.where(chain.slides, 0.4, math.pi)[:, None]
    return rng.uniform(-reach, reach, (len(chain.slides), SAMPLES))


def cost_of_four_parameters(chain: chains.Chain) -> float:
    """What no-beta may cost: by the angles of all pairs, and of those taken as parallel by the reach."""
    small = [angle for angle in chain.angles if 0 < angle < NEARLY_PARALLEL]
    taken = sum(UNDECIDED for angle in small if angle < UNDECIDED)
    return sum(FOUR_PARAMETERS / angle for angle in small if angle >= UNDECIDED) + taken * max(1.0, chain.reach)


@pytest.mark.parametrize("part", range(PARTS))
def test_tables_of_random_chains_move_as_the_chains_do(part):
    drawing, rng = random.Random(part), np.random.default_rng(part)
    worst = {"near": 0.0, "far": 0.0, "four": 0.0}
    for _ in range(COUNT // PARTS):
        chain = chains.draw(drawing, near=drawing.random() < 0.75)
        q = joint_values(rng, chain)
        want = chains.poses(chain.robot, q)
        near = any(0 < angle < NEARLY_PARALLEL for angle in chain.angles)
        for convention in ("modified", "standard"):
            table, _ = fit_table(chain.robot, convention=convention)
            kind = "near" if near else "far"
            worst[kind] = max(worst[kind], chains.error(chains.table_poses(table, q), want))
        if near:
            table, _ = fit_table(chain.robot, convention=drawing.choice(["modified", "standard"]), beta=False)
            allowed = WELL_CONDITIONED + cost_of_four_parameters(chain)
            worst["four"] = max(worst["four"], chains.error(chains.table_poses(table, q), want) / allowed)
    assert worst["far"] <= WELL_CONDITIONED
    assert worst["near"] <= WITH_BETA
    assert worst["four"] <= 1.0


def test_the_drawn_chains_have_every_kind_of_neighbours_at_every_angle():
    drawing = random.Random(1)
    drawn = [chains.draw(drawing) for _ in range(500)]
    kinds = [kind for chain in drawn for kind in chain.kinds]
    angles = [angle for chain in drawn for angle in chain.angles if angle]
    assert set(kinds) == set(chains.KINDS)
    assert {round(-math.log10(angle)) for angle in angles} == set(range(1, 13))
    assert sorted({len(chain.slides) for chain in drawn}) == list(range(3, 10))
    assert any(any(chain.slides) for chain in drawn)
