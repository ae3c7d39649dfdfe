"""What of a number is noise of reading."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.noise import clean_angle, clean_length, clean_pose, same_pose
from mdh2urdf.se3 import IDENTITY, Transform, rotation_from_rpy


@pytest.mark.parametrize("degrees", range(-180, 181, 15))
@pytest.mark.parametrize("off", [0.0, 1.9e-14, -1.9e-14])
def test_angles_within_noise_of_15_degrees_are_that(degrees, off):
    assert clean_angle(math.radians(degrees) + off) == math.radians(180 if degrees == -180 else degrees)


@pytest.mark.parametrize("off", [2.2e-14, -1e-9])
def test_angles_beyond_noise_stay(off):
    assert clean_angle(math.pi / 2 + off) == math.pi / 2 + off


def test_wanted_angles_may_be_whole_turns_away():
    assert clean_angle(1.0, 1.0 + 2 * math.pi) == 1.0 + 2 * math.pi
    assert clean_angle(1.0, 1.0 + 1e-13) == 1.0


@pytest.mark.parametrize(
    ("value", "cleaned"), [(0.30000000000000004, 0.3), (9.9e-14, 0.0), (-9.9e-14, 0.0), (1.1e-13, 1.1e-13)]
)
def test_lengths_within_noise_of_whole_micrometres_are_that(value, cleaned):
    assert clean_length(value) == cleaned


def test_wanted_lengths_come_first_and_long_ones_may_be_off_by_their_rounding():
    assert clean_length(0.3, 0.3 + 5e-14) == 0.3 + 5e-14
    assert clean_length(303.4691356661583, 303.4691356661582) == 303.4691356661582


@given(st.tuples(*[st.floats(-3, 3)] * 3), st.tuples(*[st.floats(-1, 1)] * 3))
def test_clean_poses_are_the_same_poses(rpy, xyz):
    pose = Transform(rotation_from_rpy(rpy), xyz)
    assert same_pose(clean_pose(pose), pose)


def test_clean_poses_have_round_angles():
    pose = Transform(rotation_from_rpy((1e-15, math.pi / 2 + 1e-15, 0.3)), (1e-15, 0.3, 0.1 + 0.2))
    cleaned = clean_pose(pose)
    assert cleaned.translation == (0.0, 0.3, 0.3)
    assert cleaned.rotation[2] == (-1.0, 0.0, 0.0)
    assert clean_pose(IDENTITY) is IDENTITY


def test_poses_differ_by_more_than_noise():
    assert not same_pose(IDENTITY, Transform(translation=(0.0, 0.0, 2e-13)))
    assert not same_pose(IDENTITY, Transform(rotation_from_rpy((0.0, 0.0, 3e-14))))
