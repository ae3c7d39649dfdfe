import math

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
import strategies
from mdh2urdf import se3

triples = st.tuples(strategies.angles, strategies.angles, strategies.angles)


@pytest.mark.parametrize("quarters", range(-9, 10))
@pytest.mark.parametrize(
    "spelling", [lambda k: k * math.pi / 2, lambda k: math.radians(90 * k), lambda k: 2 * k * math.pi / 4]
)
def test_multiples_of_90_degrees_have_exact_cosine_and_sine(quarters, spelling):
    assert se3.cos_sin(spelling(quarters)) == [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4]


@pytest.mark.parametrize("angle", [1e-15, -1e-15, 1.5707963, math.pi / 2 + 2e-15, 0.3, -2.5, 100.1])
def test_other_angles_are_not_rounded(angle):
    assert se3.cos_sin(angle) == (math.cos(angle), math.sin(angle))


def test_the_tolerance_of_quarter_turns_grows_with_the_angle():
    for quarters in range(-4000, 4000, 7):
        for angle in (math.radians(90 * quarters), quarters * math.pi / 2):
            assert se3.cos_sin(angle) == [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4]


@pytest.mark.parametrize("steps", [-4, -3, -2, -1, 0, 1, 2, 3, 4])
def test_three_steps_of_a_double_from_a_right_angle_are_one_and_four_are_not(steps):
    angle = math.pi / 2 + steps * math.ulp(math.pi / 2)
    assert (se3.cos_sin(angle)[0] == 0.0) == (abs(steps) <= 3)


@given(triples)
def test_rotation_from_rpy_turns_about_fixed_axes_x_y_z(rpy):
    assert np.allclose(se3.rotation_from_rpy(rpy), oracles.rpy_matrix(*rpy)[:3, :3], atol=1e-15)


@given(triples, triples)
def test_rpy_recomposes_its_rotation_at_any_reference(rpy, reference):
    rotation = se3.rotation_from_rpy(rpy)
    back = oracles.rpy_matrix(*se3.rpy_from_rotation(rotation, reference))
    assert np.allclose(back[:3, :3], rotation, atol=2e-15)


@given(triples, st.floats(-7, 7))
def test_pitch_is_the_one_nearer_to_the_reference(rpy, reference):
    rotation = se3.rotation_from_rpy(rpy)
    pitch = se3.rpy_from_rotation(rotation, (0.0, reference, 0.0))[1]
    other = math.pi - pitch
    assert math.cos(pitch - reference) >= math.cos(other - reference) - 1e-15


@pytest.mark.parametrize("reference", [math.pi / 2, -math.pi / 2])
def test_at_a_tie_the_pitch_within_90_degrees_is_taken(reference):
    rotation = se3.rotation_from_rpy((0.1, 0.0, 0.2))
    assert se3.rpy_from_rotation(rotation, (0.0, reference, 0.0)) == pytest.approx((0.1, 0.0, 0.2))


@pytest.mark.parametrize("pitch", [math.pi / 2, -math.pi / 2])
@pytest.mark.parametrize("yaw", [0.0, 0.7, -2.0])
def test_in_gimbal_lock_yaw_is_the_references(pitch, yaw):
    rotation = se3.rotation_from_rpy((0.4, pitch, 1.1))
    rpy = se3.rpy_from_rotation(rotation, (0.0, 0.0, yaw))
    assert rpy[2] == yaw
    assert np.allclose(oracles.rpy_matrix(*rpy)[:3, :3], rotation, atol=1e-15)


@pytest.mark.parametrize("pitch", [-1.5, -0.9, -0.5, 0.0, 0.5, 0.9, 1.5])
@pytest.mark.parametrize("reference", np.linspace(-3.1, 3.1, 13))
def test_of_the_two_triples_the_one_whose_pitch_is_nearest_on_the_circle_is_taken(pitch, reference):
    rotation = se3.rotation_from_rpy((0.3, pitch, -0.7))
    other = math.remainder(math.pi - pitch, 2 * math.pi)
    nearest = max((pitch, other), key=lambda one: math.cos(one - reference))
    assert se3.rpy_from_rotation(rotation, (0.0, reference, 0.0))[1] == pytest.approx(nearest, abs=1e-15)


AXES = [
    se3.unit(axis) for axis in ((1, 0.1, -0.2), (-0.1, 1, 0.3), (0.2, -0.3, 1), (-1, 2, 3), (3, -1, -2), (-2, -3, 1))
]


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("angle", [0.0, 0.3, 1.5, 2.5, 3.0, 3.14, -0.3, -1.5, -2.5, -3.14])
def test_a_quaternion_is_the_half_turn_about_the_axis(axis, angle):
    want = np.array((math.cos(angle / 2), *(math.sin(angle / 2) * value for value in axis)))
    have = se3.quaternion_from_rotation(se3.rotation_about(axis, angle))
    assert have == pytest.approx(want, abs=1e-15)


def test_a_half_turn_has_a_quaternion_without_w_and_without_negative_noughts():
    for axis in (se3.X_AXIS, se3.Y_AXIS, se3.Z_AXIS):
        quaternion = se3.quaternion_from_rotation(se3.rotation_about(axis, math.pi))
        assert str(quaternion) == str((0.0, *axis))
        assert "-0.0" not in str(se3.quaternion_from_rotation(se3.rotation_about(axis, -3.0)))


def test_gimbal_lock_of_a_quaternion_keeps_its_yaw_in_the_roll():
    # Seen where a gimbal branch reads yaw from an entry that is zero: pitch +90, yaw 30 degrees.
    half, wide = 0.5, math.sqrt(3) / 2
    rotation = ((0.0, -half, wide), (0.0, wide, half), (-1.0, 0.0, 0.0))
    assert se3.rpy_from_rotation(rotation) == pytest.approx((-math.pi / 6, math.pi / 2, 0.0), abs=1e-15)
    assert se3.rpy_from_rotation(rotation, (0.0, 0.0, math.pi / 6)) == pytest.approx(
        (0.0, math.pi / 2, math.pi / 6), abs=1e-15
    )


@pytest.mark.parametrize("exponent", range(3, 17))
def test_near_gimbal_lock_the_rotation_is_kept(exponent):
    pitch = math.pi / 2 - 10.0**-exponent
    rotation = se3.rotation_from_rpy((0.3, pitch, -1.2))
    back = oracles.rpy_matrix(*se3.rpy_from_rotation(rotation))
    assert np.linalg.norm(back[:3, :3] - np.array(rotation)) < 2e-15


def test_two_triples_of_one_rotation_are_told_to_be_equal():
    a = se3.rotation_from_rpy((-math.pi / 2, math.pi / 2, 0.0))
    b = se3.rotation_from_rpy((0.0, math.pi / 2, math.pi / 2))
    assert se3.angle_between_rotations(a, b) == 0.0


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 0.5, 3.0, math.pi])
def test_angle_between_rotations_is_exact_for_small_angles(angle):
    turned = se3.multiply(se3.rotation_from_rpy((0.1, 0.2, 0.3)), se3.rotation_x(angle))
    found = se3.angle_between_rotations(se3.rotation_from_rpy((0.1, 0.2, 0.3)), turned)
    assert found == pytest.approx(angle, abs=1e-7 if angle == math.pi else 3e-16, rel=1e-12)


@pytest.mark.parametrize(("text", "millimetres"), [("3.141", 0.5927), ("3.1416", 0.0073)])
def test_a_rounded_pi_costs_what_was_measured(text, millimetres):
    rounded = se3.rotation_from_rpy((0.0, 0.0, float(text)))
    exact = se3.rotation_from_rpy((0.0, 0.0, math.pi))
    assert 1e3 * se3.angle_between_rotations(rounded, exact) == pytest.approx(millimetres, abs=5e-5)


@given(triples, st.tuples(strategies.lengths, strategies.lengths, strategies.lengths), strategies.transforms)
def test_transforms_multiply_and_invert_like_matrices(rpy, xyz, other):
    pose = se3.Transform.from_xyz_rpy(xyz, rpy)
    assert np.allclose((pose @ other).matrix(), np.array(pose.matrix()) @ np.array(other.matrix()), atol=4e-15)
    assert np.allclose((pose @ pose.inverse()).matrix(), np.eye(4), atol=4e-15)
    assert se3.Transform.from_matrix(pose.matrix()) == pose
    assert np.allclose(pose.apply((1.0, 2.0, 3.0)), (np.array(pose.matrix()) @ [1, 2, 3, 1])[:3], atol=4e-15)


@given(triples, strategies.angles)
def test_a_turn_about_an_axis_is_rodrigues(rpy, angle):
    axis = se3.column(se3.rotation_from_rpy(rpy), 2)
    assert np.allclose(se3.rotation_about(axis, angle), oracles.turn_about(np.array(axis), angle)[:3, :3], atol=4e-15)


@pytest.mark.parametrize(
    "turn", [(se3.rotation_x, oracles.rot_x), (se3.rotation_y, oracles.rot_y), (se3.rotation_z, oracles.rot_z)]
)
@pytest.mark.parametrize("angle", [0.3, -2.0, math.pi / 2])
def test_elementary_turns_have_the_signs_of_the_right_hand(turn, angle):
    ours, theirs = turn
    assert np.allclose(ours(angle), theirs(angle)[:3, :3], atol=1e-16)


def test_vector_algebra_is_that_of_the_textbook():
    u, v = (1.0, 2.0, 3.0), (-2.0, 0.5, 4.0)
    assert se3.cross(u, v) == tuple(np.cross(u, v))
    assert se3.dot(u, v) == np.dot(u, v)
    assert se3.add(u, v) == (-1.0, 2.5, 7.0)
    assert se3.subtract(u, v) == (3.0, 1.5, -1.0)
    assert se3.scale(2.0, u) == (2.0, 4.0, 6.0)
    assert se3.norm(se3.unit(v)) == pytest.approx(1.0)
    assert se3.unit((0.0, 0.0, 2.0)) == (0.0, 0.0, 1.0)
    with pytest.raises(ZeroDivisionError):
        se3.unit((0.0, 0.0, 0.0))


def test_columns_make_the_rotation_whose_columns_they_are():
    rotation = se3.rotation_from_rpy((0.1, 0.2, 0.3))
    columns = [se3.column(rotation, index) for index in range(3)]
    assert se3.rotation_from_columns(*columns) == rotation


@given(strategies.angles, strategies.angles)
def test_rpy_of_a_modified_row_agrees_with_exact_arithmetic(alpha, theta):
    with mpmath.workdps(40):
        exact = mpmath.matrix(
            [[1, 0, 0], [0, mpmath.cos(alpha), -mpmath.sin(alpha)], [0, mpmath.sin(alpha), mpmath.cos(alpha)]]
        ) * mpmath.matrix(
            [[mpmath.cos(theta), -mpmath.sin(theta), 0], [mpmath.sin(theta), mpmath.cos(theta), 0], [0, 0, 1]]
        )
        rotation = se3.multiply(se3.rotation_x(alpha), se3.rotation_z(theta))
        back = se3.rotation_from_rpy(se3.rpy_from_rotation(rotation))
        error = max(abs(mpmath.mpf(back[i][j]) - exact[i, j]) for i in range(3) for j in range(3))
    assert error < 2e-15


# What mutation testing had left alive (docs/testing.md)


def test_the_length_of_a_vector_has_all_three_squares():
    assert se3.norm((2.0, 3.0, 6.0)) == 7.0
    assert se3.norm((-2.0, 0.0, 0.0)) == se3.norm((0.0, -2.0, 0.0)) == se3.norm((0.0, 0.0, -2.0)) == 2.0


def test_elementary_turns_at_quarters_hold_no_negative_zero():
    for turn in (se3.rotation_x, se3.rotation_y, se3.rotation_z):
        for quarters in range(-4, 5):
            entries = [entry for row in turn(quarters * math.pi / 2) for entry in row]
            assert not [entry for entry in entries if entry == 0.0 and math.copysign(1.0, entry) < 0.0]


def test_a_negative_zero_in_a_rotation_does_not_turn_180_degrees_around():
    half_turn_z = ((-1.0, 0.0, 0.0), (-0.0, -1.0, 0.0), (0.0, 0.0, 1.0))
    assert se3.rpy_from_rotation(half_turn_z) == (0.0, 0.0, math.pi)
    half_turn_x = ((1.0, 0.0, -0.0), (0.0, -1.0, 0.0), (0.0, -0.0, -1.0))
    assert se3.rpy_from_rotation(half_turn_x) == (math.pi, 0.0, 0.0)
    far_pitch = (0.0, math.pi, 0.0)
    assert se3.rpy_from_rotation(se3.NO_ROTATION, far_pitch) == (math.pi, math.pi, math.pi)


def test_gimbal_lock_begins_at_its_bound():
    at_bound = ((se3.GIMBAL_LOCK, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    assert se3.rpy_from_rotation(at_bound, (0.0, 0.0, 0.5))[2] == 0.5
    beyond = ((2 * se3.GIMBAL_LOCK, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    assert se3.rpy_from_rotation(beyond, (0.0, 0.0, 0.5))[2] == 0.0


def test_a_half_turn_that_rounding_made_longer_is_still_a_half_turn():
    more = 1.0 + 1e-15
    turned = ((-more, 0.0, 0.0), (0.0, -more, 0.0), (0.0, 0.0, 1.0))
    assert se3.angle_between_rotations(se3.NO_ROTATION, turned) == math.pi
