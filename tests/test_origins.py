import math

import numpy as np
import pytest
from hypothesis import given

import oracles
import strategies
from mdh2urdf.origins import modified_origin, standard_origin, tail
from mdh2urdf.se3 import IDENTITY, rotation_from_rpy, rpy_from_rotation
from mdh2urdf.table import ModifiedRow, StandardRow
from mdh2urdf.text import numbers

RIGHT = math.pi / 2


@given(strategies.modified_rows)
def test_a_modified_origin_is_the_product_of_its_row(row):
    wanted = oracles.modified_row(row.a_prev, row.alpha_prev, row.d, row.theta, row.beta_prev, row.gamma, row.b)
    assert np.allclose(modified_origin(row).matrix(), wanted, atol=1e-15)


@given(strategies.standard_rows, strategies.standard_rows)
def test_a_standard_origin_is_the_end_of_one_row_and_the_start_of_the_next(previous, row):
    wanted = oracles.standard_row(previous.a, previous.alpha, 0, 0, previous.beta) @ oracles.standard_row(
        0, 0, row.d, row.theta
    )
    assert np.allclose(standard_origin(previous, row).matrix(), wanted, atol=1e-15)


@given(strategies.standard_rows)
def test_the_first_standard_origin_has_theta_and_d_alone(row):
    assert np.allclose(standard_origin(None, row).matrix(), oracles.standard_row(0, 0, row.d, row.theta), atol=1e-15)


@given(strategies.standard_rows)
def test_the_tail_of_a_standard_row_is_what_follows_its_motion(row):
    assert np.allclose(tail(row).matrix(), oracles.standard_row(row.a, row.alpha, 0, 0, row.beta), atol=1e-15)


def test_a_modified_row_and_a_bare_standard_row_have_no_tail():
    assert tail(ModifiedRow(a_prev=1.0, alpha_prev=1.0, d=1.0, theta=1.0)) == IDENTITY
    assert tail(StandardRow(theta=1.0, d=1.0, a=0.0, alpha=0.0)) == IDENTITY


@pytest.mark.parametrize("alpha", [RIGHT, -RIGHT])
@pytest.mark.parametrize("theta", [RIGHT, -RIGHT])
def test_gimbal_lock_of_all_sign_pairs_gives_clean_angles(alpha, theta):
    origin = modified_origin(ModifiedRow(a_prev=0.1, alpha_prev=alpha, d=0.2, theta=theta))
    rpy = rpy_from_rotation(origin.rotation)
    assert rpy == (alpha, -math.copysign(RIGHT, alpha) if theta > 0 else math.copysign(RIGHT, alpha), 0.0)
    assert numbers(origin.translation) == f"0.1 {'-' if alpha > 0 else ''}0.2 0"
    assert rotation_from_rpy(rpy) == origin.rotation


@pytest.mark.parametrize(
    ("row", "xyz", "rpy"),
    [
        ({"a_prev": 0.0, "alpha_prev": RIGHT, "d": 0.1, "theta": 0.0}, "0 -0.1 0", "1.5707963267948966 0 0"),
        ({"a_prev": 0.0, "alpha_prev": math.pi, "d": 0.1, "theta": 0.0}, "0 0 -0.1", "3.141592653589793 0 0"),
        ({"a_prev": 0.05, "alpha_prev": 0.0, "d": -0.0, "theta": math.pi}, "0.05 0 0", "0 0 3.141592653589793"),
        (
            {"a_prev": -0.0, "alpha_prev": -RIGHT, "d": 0.0, "theta": -math.pi},
            "0 0 0",
            "1.5707963267948966 0 3.141592653589793",
        ),
    ],
)
def test_right_angles_leave_no_negative_zero_and_no_residue(row, xyz, rpy):
    origin = modified_origin(ModifiedRow(**row))
    assert numbers(origin.translation) == xyz
    assert numbers(rpy_from_rotation(origin.rotation)) == rpy


def test_alpha_and_theta_both_turned_are_not_roll_and_yaw():
    # rpy="alpha 0 theta" would be Rz(theta) Rx(alpha): the mistake that many generators make.
    origin = modified_origin(ModifiedRow(a_prev=0.1, alpha_prev=RIGHT, d=0.2, theta=math.pi / 3))
    wanted = [[0.5, -math.sqrt(3) / 2, 0], [0, 0, -1], [math.sqrt(3) / 2, 0.5, 0]]
    assert np.allclose(origin.rotation, wanted, atol=1e-16)
    assert rpy_from_rotation(origin.rotation) == pytest.approx((RIGHT, -math.pi / 3, 0.0), abs=1e-15)


def test_eight_digits_of_a_right_angle_are_kept_to_machine_precision():
    origin = modified_origin(ModifiedRow(a_prev=0.1, alpha_prev=1.5707963, d=0.2, theta=1.5707963))
    back = oracles.rpy_matrix(*rpy_from_rotation(origin.rotation))
    assert np.allclose(back[:3, :3], origin.rotation, atol=5e-16)


# What mutation testing had left alive (docs/testing.md)


@pytest.mark.parametrize("field", ["gamma", "b"])
def test_one_branch_parameter_of_exactly_1_is_not_taken_for_none(field):
    row = ModifiedRow(a_prev=0.1, alpha_prev=0.2, d=0.3, theta=0.4, **{field: 1.0})
    wanted = oracles.modified_row(0.1, 0.2, 0.3, 0.4, 0.0, row.gamma, row.b)
    assert np.allclose(modified_origin(row).matrix(), wanted, atol=1e-15)


@pytest.mark.parametrize("field", ["a", "alpha", "beta"])
def test_a_tail_of_one_number_that_is_exactly_1_is_not_taken_for_none(field):
    numbers_ = {"a": 0.0, "alpha": 0.0, "beta": 0.0, field: 1.0}
    row = StandardRow(theta=0.5, d=0.5, **numbers_)
    wanted = oracles.standard_row(numbers_["a"], numbers_["alpha"], 0, 0, numbers_["beta"])
    assert np.allclose(tail(row).matrix(), wanted, atol=1e-15)


QUARTERS = [k * RIGHT for k in range(-2, 3)]


def no_negative_zero(pose):
    entries = np.array(pose.matrix())
    return not np.signbit(entries[entries == 0.0]).any()


@pytest.mark.parametrize("length", [0.0, -0.0, 1.0, -1.0])
@pytest.mark.parametrize("alpha", QUARTERS)
@pytest.mark.parametrize("theta", QUARTERS)
def test_no_origin_at_right_angles_holds_a_negative_zero(length, alpha, theta):
    for beta in (-RIGHT, 0.0, RIGHT):
        for gamma in (-RIGHT, 0.0, RIGHT, 2 * RIGHT):
            row = ModifiedRow(
                a_prev=length, alpha_prev=alpha, d=length, theta=theta, beta_prev=beta, gamma=gamma, b=length + 0.0
            )
            assert no_negative_zero(modified_origin(row))
        standard = StandardRow(theta=theta, d=length, a=length, alpha=alpha, beta=beta)
        assert no_negative_zero(standard_origin(standard, standard))
        assert no_negative_zero(standard_origin(None, standard))
        assert no_negative_zero(tail(standard))
