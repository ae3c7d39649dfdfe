import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import oracles
from arms import KINDS, arm
from mdh2urdf.draw.camera import Camera, best_camera, distances_of_segments
from mdh2urdf.draw.sketch import sketch

coordinates = st.floats(-2, 2).map(lambda value: round(value, 3))
points = st.tuples(coordinates, coordinates)
degrees = st.floats(-180, 180)


@given(degrees, st.floats(-89, 89), st.tuples(coordinates, coordinates, coordinates))
def test_a_camera_is_a_rotation_whose_depth_is_left_out(azimuth, elevation, point):
    camera = Camera(azimuth, elevation)
    # Looking from azimuth 0: y to the right, z up, x towards the viewer.
    front = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    turned = oracles.rot_y(math.radians(elevation)) @ oracles.rot_z(-math.radians(azimuth))
    wanted = front @ turned[:3, :3] @ np.array(point)
    assert [*camera.point(point), camera.depth(point)] == pytest.approx(wanted.tolist(), abs=1e-12)


@given(points, points, points, points)
def test_the_distance_of_segments_is_that_of_their_nearest_points(p, q, r, s):
    (found,) = distances_of_segments(np.array([[p, q, r, s]]))
    shares = np.linspace(0, 1, 41)[:, None]
    one = np.array(p) + shares * np.subtract(q, p)
    other = np.array(r) + shares * np.subtract(s, r)
    sampled = np.linalg.norm(one[:, None] - other[None], axis=2).min()
    assert found <= sampled + 1e-9
    assert found >= sampled - (math.dist(p, q) + math.dist(r, s)) / 40


def test_segments_that_cross_have_no_distance():
    crossed, parallel = [[0, 0], [2, 2], [0, 2], [2, 0]], [[0, 0], [2, 0], [0, 1], [2, 1]]
    assert distances_of_segments(np.array([crossed, parallel])).tolist() == [0.0, 1.0]


@pytest.mark.parametrize("name", KINDS)
def test_the_chosen_view_foreshortens_no_length_of_an_arm_much(name):
    drawn = sketch(arm(name), {})
    camera = best_camera(drawn)
    for segment in drawn.segments:
        assert math.dist(camera.point(segment.start), camera.point(segment.end)) > 0.4 * abs(segment.value)


@pytest.mark.parametrize("name", KINDS)
def test_in_the_chosen_view_no_frame_hides_another(name):
    drawn = sketch(arm(name), {})
    camera = best_camera(drawn)
    for index, mark in enumerate(drawn.frames):
        for other in drawn.frames[:index]:
            p, q = mark.pose.translation, other.pose.translation
            if math.dist(p, q) > 1e-9:
                assert math.dist(camera.point(p), camera.point(q)) > 0.2 * math.dist(p, q)
