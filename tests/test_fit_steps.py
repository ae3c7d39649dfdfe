"""From one axis to the next, step by step: what the foot, the side and the constants are, and at which bound."""

from __future__ import annotations

import math

import numpy as np
import pytest

import oracles
from mdh2urdf.fit import common_normal
from mdh2urdf.fit.common_normal import Axis, Rules, Step, Wanted, step
from mdh2urdf.fit.first_axis import frame_on, nearest_frame
from mdh2urdf.se3 import Transform

UP = (0.0, 0.0, 1.0)
X = (1.0, 0.0, 0.0)
HERE = (0.0, 0.0, 0.0)
FLAT = Axis(z=UP, point=HERE, x=X, reached=0.25)

TURN = oracles.rpy_matrix(0.4, -0.7, 1.1)[:3, :3]
PLACE = np.array((0.3, -0.2, 0.5))
AXIS = Axis(z=tuple(TURN[:, 2]), point=tuple(PLACE), x=tuple(TURN[:, 0]), reached=0.25)
"""An axis along none of the frame's, so that no number is hidden by a nought."""

DIRECTIONS = {
    "skew": (0.6, 0.0, 0.8),
    "nearly square": (0.8, -0.48, -0.36),
    "parallel": (0.0, 0.0, 1.0),
    "anti-parallel": (0.0, 0.0, -1.0),
    "nearly parallel": (0.003, 0.004, math.sqrt(1 - 25e-6)),
    "nearly anti-parallel": (0.003, 0.004, -math.sqrt(1 - 25e-6)),
}
POINTS = {"apart": (0.1, 0.2, 0.7), "touching": (0.0, 0.0, 0.7), "without a place": None}
WANTED = (Wanted(), Wanted(theta=2.0, d=0.1, a=-0.2, side=(-1.0, 0.2, 0.1)), Wanted(beta=0.3), Wanted(beta=1.0))


def turned(v):
    return tuple(TURN @ np.array(v))


def frame_after(axis: Axis, found: Step, *, standard: bool) -> np.ndarray:
    """The frame behind a, alpha and beta as docs/conventions.md multiplies them."""
    z, x = np.array(axis.z), np.array(found.x)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack((x, np.cross(z, x), z))
    frame[:3, 3] = np.array(axis.point) + found.t * z
    turn_x, turn_y = oracles.rot_x(found.alpha), oracles.rot_y(found.beta)
    along = oracles.shift(found.a, 0.0, 0.0)
    return frame @ (along @ turn_x @ turn_y if standard else turn_y @ turn_x @ along)


@pytest.mark.parametrize("standard", [False, True])
@pytest.mark.parametrize("wanted", WANTED)
@pytest.mark.parametrize("place", POINTS)
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_the_constants_lead_from_the_foot_on_one_axis_to_the_foot_on_the_other(direction, place, wanted, standard):
    z = turned(DIRECTIONS[direction])
    point = None if POINTS[place] is None else tuple(PLACE + TURN @ np.array(POINTS[place]))
    found = step(AXIS, z, point, Rules(standard=standard), wanted)
    for one in (found, found.reversed(), found.reversed().reversed()):
        frame = frame_after(AXIS, one, standard=standard)
        assert frame[:3, :3].T @ frame[:3, :3] == pytest.approx(np.eye(3), abs=1e-14)
        assert frame[:3, 2] == pytest.approx(np.array(z), abs=1e-14)
        assert frame[:3, 0] == pytest.approx(np.array(one.entry), abs=1e-14)
        assert frame[:3, 3] == pytest.approx(np.array(one.point), abs=1e-14)
        if point is not None:
            assert one.point == pytest.approx(np.array(point) + one.s * np.array(z), abs=1e-13)
    assert found.reversed().reversed() == found
    if point is None:
        assert (found.s, found.gap) == (0.0, 0.0)


def test_a_beta_of_one_radian_is_a_beta_like_others():
    assert step(AXIS, turned((0.9, 0.1, math.sqrt(0.18))), None, Rules(), Wanted(beta=1.0)).beta == 1.0


@pytest.mark.parametrize("beta", [0.5, 0.9])
def test_a_beta_that_needs_more_slope_than_the_axes_have_is_none(beta):
    # tan(beta) times the cosine is 1.05 and 2.4 times the sine of 27.5 degrees
    angle = math.radians(27.5)
    found = step(FLAT, (0.0, -math.sin(angle), math.cos(angle)), HERE, Rules(), Wanted(beta=beta))
    assert found.beta == 0.0


# The side of x


@pytest.mark.parametrize(
    ("z", "point"),
    [
        (UP, (0.5, 0.0, 0.0)),
        ((0.0, 0.6, 0.8), (-0.5, 0.0, 0.0)),
        ((0.0, 1e-3, math.sqrt(1 - 1e-6)), (0.5, 0.0, 0.0)),
    ],
)
def test_x_is_turned_to_the_wanted_side_and_left_at_a_right_angle_to_it(z, point):
    plain = step(FLAT, z, point, Rules())
    assert step(FLAT, z, point, Rules(), Wanted(side=(0.0, 1.0, 0.0))) == plain
    along = step(FLAT, z, point, Rules(), Wanted(side=plain.x))
    against = step(FLAT, z, point, Rules(), Wanted(side=tuple(-value for value in plain.x)))
    assert along == plain
    assert (against.a, against.x) == (-plain.a, tuple(-value for value in plain.x))


def test_x_of_nearly_parallel_axes_that_meet_follows_the_wanted_theta_to_either_side():
    z = (0.0, 1e-3, math.sqrt(1 - 1e-6))
    for theta in (0.5, 2.5):
        found = step(FLAT, z, (0.0, 0.0, 0.25), Rules(), Wanted(theta=theta, side=X))
        assert found.free == ("theta", "d")
        assert math.atan2(found.x[1], found.x[0]) == pytest.approx(theta)


def test_skew_axes_have_a_positive_a_where_no_side_is_wanted():
    for x in (-0.5, 0.5):
        found = step(FLAT, (0.0, 0.6, 0.8), (x, 0.0, 0.0), Rules())
        assert (found.a, found.x) == (0.5, (math.copysign(1.0, x), 0.0, 0.0))


def test_intersecting_axes_have_x_along_the_cross_product():
    found = step(FLAT, (0.0, 0.6, 0.8), (0.0, 0.0, 0.5), Rules())
    assert (found.kind, found.a, found.gap, found.x) == ("intersecting", 0.0, 0.0, (-1.0, 0.0, 0.0))


# Where the row before has come to


@pytest.mark.parametrize("z", [UP, (0.0, 1e-3, math.sqrt(1 - 1e-6)), (0.0, 0.6, 0.8)])
def test_no_prismatic_axis_starts_far_away_but_one_with_a_place_may(z):
    near, far = (Axis(z=UP, point=HERE, x=X, reached=30.0, far=far) for far in (False, True))
    assert step(near, z, None, Rules()).t == 30.0
    assert step(far, z, None, Rules()).t == 0.0
    if z != (0.0, 0.6, 0.8):
        assert step(far, z, (0.5, 0.0, 0.0), Rules(), Wanted(d=0.5)).t == 30.5


# Bounds


def test_at_its_bound_an_angle_is_none():
    z = (0.0, 1e-3, math.sqrt(1 - 1e-6))
    angle = step(FLAT, z, (0.5, 0.0, 0.0), Rules()).angle
    assert step(FLAT, z, (0.5, 0.0, 0.0), Rules(parallel=angle)).kind == "parallel"
    assert step(FLAT, z, (0.5, 0.0, 0.0), Rules(parallel=angle * (1 - 1e-9))).kind == "nearly parallel"


def test_from_the_bound_of_nearly_parallel_axes_on_there_is_no_beta(monkeypatch):
    z = (0.0, 1e-3, math.sqrt(1 - 1e-6))
    angle = step(FLAT, z, (0.5, 0.0, 0.0), Rules()).angle
    assert step(FLAT, z, (0.5, 0.0, 0.0), Rules(beta_below=angle)).kind == "skew"
    monkeypatch.setattr(common_normal, "UNDECIDED", angle)
    assert step(FLAT, z, (0.5, 0.0, 0.0), Rules(beta_below=0.0)).kind == "skew"
    monkeypatch.setattr(common_normal, "UNDECIDED", angle * (1 + 1e-9))
    assert step(FLAT, z, (0.5, 0.0, 0.0), Rules(beta_below=0.0)).kind == "parallel"


@pytest.mark.parametrize(
    ("z", "kind"),
    [(UP, "coincident"), ((0.0, 0.6, 0.8), "intersecting"), ((0.0, 1e-3, math.sqrt(1 - 1e-6)), "nearly parallel")],
)
def test_at_its_bound_a_distance_is_none_and_kept_as_the_gap(z, kind):
    found = step(FLAT, z, (0.5, 0.0, 0.25), Rules(touching=0.5))
    assert (found.kind, found.a, found.gap) == (kind, 0.0, 0.5)
    apart = step(FLAT, z, (0.5, 0.0, 0.25), Rules(touching=0.4999))
    assert (apart.a, apart.gap) == (0.5, 0.0)


# An end


def test_an_end_keeps_the_y_of_a_frame_whose_x_lies_along_the_axis():
    target = Transform.from_xyz_rpy((0.3, 0.2, 0.1), (0.7, -math.pi / 2, 0.0))
    frame = frame_on(FLAT, *nearest_frame(FLAT, target))
    assert np.array(frame.rotation)[:, 1] == pytest.approx(np.array(target.rotation)[:, 1], abs=1e-15)
    assert frame.translation == (0.0, 0.0, 0.1)
