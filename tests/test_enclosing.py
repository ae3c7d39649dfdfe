"""Solids around meshes: every vertex is inside, the smallest is found, and how far it stands off is told."""

from __future__ import annotations

import functools
import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mdh2urdf.enclosing.balls import smallest_ball
from mdh2urdf.enclosing.fit import enclose
from mdh2urdf.enclosing.meshes import checked_faces, decomposed, hull_mesh, merged, simplified, stand_off
from mdh2urdf.enclosing.surface import Surface, distance_to, hull_of, outside, spread_points, thickened
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Box, Capsule, Cylinder, Sphere
from oracles import turn_about
from readers import require_module

KINDS = ("box", "cylinder", "sphere", "capsule", "best")

ROUNDING = 1e-15
"""m: what composing the pose again may take from a distance."""


def depth(found, points: np.ndarray) -> np.ndarray:
    """How far points are inside an enclosure, shape (n,); negative outside. By the definition of each solid."""
    pose = np.array(found.pose.matrix())
    local = (points - pose[:3, 3]) @ pose[:3, :3]
    body = found.geometry
    if isinstance(body, Box):
        return (np.array(body.size) / 2 - np.abs(local)).min(axis=1)
    if isinstance(body, Sphere):
        return body.radius - np.linalg.norm(local, axis=1)
    radial = np.linalg.norm(local[:, :2], axis=1)
    if isinstance(body, Cylinder):
        return np.minimum(body.radius - radial, body.length / 2 - np.abs(local[:, 2]))
    beyond = np.maximum(np.abs(local[:, 2]) - body.length / 2, 0.0)
    return body.radius - np.hypot(radial, beyond)


def volume(body) -> float:
    if isinstance(body, Box):
        return float(np.prod(body.size))
    ball = 4 / 3 * math.pi * body.radius**3
    if isinstance(body, Sphere):
        return ball
    rod = math.pi * body.radius**2 * body.length
    return rod + ball if isinstance(body, Capsule) else rod


def ring(radius: float, height: float, count: int = 48) -> np.ndarray:
    turn = np.linspace(0, 2 * math.pi, count, endpoint=False)
    return np.stack((radius * np.cos(turn), radius * np.sin(turn), np.full(count, height)), axis=1)


def globe(radius: float, count: int = 300) -> np.ndarray:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(count, 3))
    return radius * points / np.linalg.norm(points, axis=1)[:, None]


BLOCK = np.array(list(itertools.product((0, 0.1), (0, 0.2), (0, 0.3))))
ROD = np.concatenate((ring(0.05, -0.2), ring(0.05, 0.2)))
CAPS = [(math.cos(a), side * (0.2 + 0.05 * math.sin(a))) for a in np.linspace(0, 1.5, 8) for side in (-1, 1)]
PILL = np.concatenate([ring(0.05 * share, height, 24) for share, height in CAPS])
SHAPES = {
    "block": (BLOCK, Box),
    "rod": (ROD, Cylinder),
    "globe": (globe(0.1), Sphere),
    "pill": (PILL, Capsule),
}
TURNED = turn_about([1, 2, 3], 0.7)[:3, :3]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("name", SHAPES)
def test_the_best_solid_is_the_one_that_a_mesh_is(name, turned):
    points, kind = SHAPES[name]
    points = points @ TURNED.T + (1.0, -2.0, 0.5) if turned else points
    found = enclose(points, "best")
    assert type(found.geometry) is kind
    assert found.volume < 1.05 * found.hull_volume
    assert found.overshoot < 0.006
    assert depth(found, points).min() >= -ROUNDING


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", SHAPES)
def test_every_vertex_is_inside_and_the_volumes_are_told(name, kind):
    points, _ = SHAPES[name]
    points = points @ TURNED.T
    found = enclose(points, kind)
    assert depth(found, points).min() >= -ROUNDING
    assert found.volume == pytest.approx(volume(found.geometry), rel=1e-6)
    assert found.hull_volume == pytest.approx(hull_of(points).volume)
    assert found.volume >= found.hull_volume
    best = enclose(points, "best")
    assert best.volume <= 1.0011 * found.volume


def test_the_overshoot_is_the_distance_of_the_farthest_point_of_the_solid():
    # A corner of the box around a cylinder is sqrt(2) radii from its axis.
    found = enclose(np.concatenate((ring(0.1, 0, 720), ring(0.1, 0.5, 720))), "box")
    assert found.overshoot == pytest.approx(0.1 * (math.sqrt(2) - 1), abs=1e-5)
    assert enclose(BLOCK, "box").overshoot < 1e-8


def test_a_box_along_the_parts_own_axes_is_kept_where_it_is_as_small():
    found = enclose(BLOCK, "box")
    assert found.geometry.size == pytest.approx((0.1, 0.2, 0.3), abs=2e-9)
    assert np.array(found.pose.rotation) == pytest.approx(np.eye(3))
    rod = enclose(ROD, "cylinder")
    assert np.abs(np.array(rod.pose.rotation)[:, 2]) == pytest.approx([0, 0, 1])
    along_x = enclose(ROD[:, [2, 0, 1]], "capsule")
    assert np.abs(np.array(along_x.pose.rotation)[:, 2]) == pytest.approx([1, 0, 0])


def test_the_smallest_box_of_a_turned_block_is_the_block():
    found = enclose(BLOCK @ TURNED.T, "box")
    assert sorted(found.geometry.size) == pytest.approx([0.1, 0.2, 0.3], abs=1e-6)


FLAT = {
    "plane": np.array([[x, y, 0.3] for x in (0, 0.1, 0.2) for y in (0, 0.2)]),
    "tilted plane": np.array([[x, y, 0.0] for x in (0, 0.1, 0.2) for y in (0, 0.2)]) @ TURNED.T,
    "line": np.array([[0, 0, 0], [0.1, 0.1, 0.1], [0.3, 0.3, 0.3]]),
    "two points": np.array([[0, 0, 0], [0, 0, 0.5]]),
    "point": np.array([[1.0, 2.0, 3.0]]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", FLAT)
def test_what_has_no_volume_is_a_thin_plate_or_rod(name, kind):
    found = enclose(FLAT[name], kind)
    assert depth(found, FLAT[name]).min() >= -ROUNDING
    assert found.volume > 0.0


@given(st.integers(0, 10_000), st.integers(4, 40), st.sampled_from(KINDS))
@settings(max_examples=40, deadline=None)
def test_every_vertex_of_any_cloud_is_inside(seed, count, kind):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(count, 3)) * 10.0 ** rng.uniform(-3, 0, 3) + rng.uniform(-2, 2, 3)
    found = enclose(points, kind)
    assert depth(found, points).min() >= -ROUNDING


def test_large_smooth_meshes_are_enclosed_too():
    points = globe(0.1, 3000) * (1.0, 1.0, 1.5)
    for kind in KINDS:
        found = enclose(points, kind)
        assert depth(found, points).min() >= -ROUNDING


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_smallest_ball_touches_what_holds_it(dimension):
    rng = np.random.default_rng(dimension)
    clouds = [rng.normal(size=(int(rng.integers(2, 60)), dimension)) for _ in range(30)]
    # Points of a grid, of which many lie on lines and in planes.
    clouds += [rng.integers(0, 4, (int(rng.integers(3, 12)), dimension)).astype(float) for _ in range(200)]
    if dimension == 3:
        # The last point comes when two others on its line already hold the ball.
        clouds.append(np.array([[2.0, 3, 0], [1, 3, 3], [0, 3, 0], [3, 3, 0]]))
    for points in clouds:
        center, radius = smallest_ball(points)
        distances = np.linalg.norm(points - center, axis=1)
        assert distances.max() == pytest.approx(radius)
        touching = points[distances > radius * (1 - 1e-9)] - center
        # The centre is in the hull of the points that touch: no direction leads away from all of them.
        for _ in range(50):
            way = rng.normal(size=dimension)
            assert (touching @ way).max() > -1e-9


def test_a_search_for_a_ball_that_is_cut_short_still_encloses(monkeypatch):
    monkeypatch.setattr("mdh2urdf.enclosing.balls.MOST_STEPS", 1)
    points = globe(1.0, 30)
    center, radius = smallest_ball(points)
    assert np.linalg.norm(points - center, axis=1).max() == radius > 1.0


def test_a_ball_around_a_polygon_in_space():
    center, radius = smallest_ball(ring(0.5, 0.25, 6) @ TURNED.T)
    assert (center, radius) == (pytest.approx(TURNED @ (0, 0, 0.25)), pytest.approx(0.5))


def test_a_ball_around_points_that_coincide_or_lie_on_a_line():
    assert smallest_ball(np.zeros((3, 2)))[1] == 0.0
    center, radius = smallest_ball(np.array([[0.0, 0, 0], [1, 1, 1], [2, 2, 2], [2, 2, 2]]))
    assert (center, radius) == (pytest.approx([1, 1, 1]), pytest.approx(math.sqrt(3)))


def sphere_mesh(count: int = 300) -> Surface:
    return hull_of(globe(0.1, count))


@pytest.mark.parametrize("faces", [4, 6, 12, 50, 200])
def test_a_hull_with_few_faces_encloses_every_vertex(faces):
    surface = sphere_mesh()
    made, off = hull_mesh(surface.vertices, faces)
    assert len(made.faces) <= faces
    assert outside(made, surface.vertices).max() <= 0.0
    assert off == pytest.approx(distance_to(surface, made.vertices).max())
    assert made.volume >= surface.volume
    finer = hull_mesh(surface.vertices, 2 * faces)[1]
    assert finer < off


def test_a_hull_that_is_simple_enough_is_exact():
    made, off = hull_mesh(BLOCK, 12)
    assert (len(made.faces), off) == (12, 0.0)
    assert made.volume == pytest.approx(0.006)
    assert len(hull_mesh(FLAT["plane"], thickness=1e-3)[0].faces) == 12


def test_fewer_faces_than_a_tetrahedron_are_refused():
    assert checked_faces(None) is None
    assert checked_faces(4) == 4
    with pytest.raises(Mdh2UrdfError) as caught:
        checked_faces(3)
    assert str(caught.value) == "--max-faces wants 4 or more, got 3: no solid has fewer faces"


def test_points_are_spread_over_every_triangle_with_its_corners():
    corners = np.array([(0.0, 0, 0), (3, 0, 0), (0, 3, 0), (9, 9, 9)])
    surface = Surface(vertices=corners, faces=np.array([(0, 1, 2), (1, 3, 2)]))
    points = spread_points(surface, 20)
    # Three parts of each edge: ten points in each triangle.
    assert len(points) == 20
    assert {tuple(point) for point in corners} <= {tuple(point) for point in points}
    assert (1.0, 1.0, 0.0) in {tuple(point) for point in points.round(12)}
    assert len(spread_points(surface, 1)) == 6


def test_the_insides_of_faces_count_in_the_deviation():
    trimesh = require_module("trimesh")
    require_module("fast_simplification")
    ring = trimesh.creation.torus(0.2, 0.05, major_sections=80, minor_sections=40)
    made, off = simplified(Surface(vertices=np.array(ring.vertices), faces=np.array(ring.faces)), 60)
    shares = np.random.default_rng(1).dirichlet((1, 1, 1), (len(made.faces), 20))
    inside = np.einsum("nki,nij->nkj", shares, made.triangles).reshape(-1, 3)
    farthest = trimesh.proximity.closest_point(ring, inside)[1].max()
    assert off >= 0.99 * farthest
    # Its corners alone would not tell.
    assert farthest > 1.2 * trimesh.proximity.closest_point(ring, made.vertices)[1].max()


def test_a_simplified_mesh_tells_how_far_it_deviates():
    require_module("fast_simplification")
    surface = sphere_mesh(600)
    made, off = simplified(surface, 100)
    assert len(made.faces) <= 100
    assert 0.0005 < off < 0.02
    assert simplified(surface, len(surface.faces)) == (surface, 0.0)


def test_a_mesh_of_long_thin_triangles_gets_few_faces_too():
    require_module("fast_simplification")
    rod = hull_of(ROD)
    for faces, largest in ((60, 0.01), (20, 0.05), (4, 1.0)):
        made, off = simplified(rod, faces)
        assert 4 <= len(made.faces) <= faces
        assert off < largest


def frame_mesh() -> Surface:
    """A frame of four bars, as one would draw it: a hull would fill the middle."""
    bars = [(0, 0, 1, 0.1), (0, 0.9, 1, 1), (0, 0.1, 0.1, 0.9), (0.9, 0.1, 1, 0.9)]
    parts = [hull_of(np.array(list(itertools.product((a, c), (b, d), (0, 0.1))))) for a, b, c, d in bars]
    vertices = np.concatenate([part.vertices for part in parts])
    faces = np.concatenate([part.faces + 8 * i for i, part in enumerate(parts)])
    return Surface(vertices=vertices, faces=faces)


def test_a_decomposition_holds_every_vertex_and_follows_the_mesh(monkeypatch):
    coacd = require_module("coacd")
    # A coarse search is quick, and good enough for four bars.
    quick = functools.partial(coacd.run_coacd, mcts_iterations=20, mcts_nodes=10, resolution=400)
    monkeypatch.setattr(coacd, "run_coacd", quick)
    surface = frame_mesh()
    parts = decomposed(surface)
    inside = np.stack([outside(part, merged(surface).vertices) for part in parts]).min(axis=0)
    assert inside.max() <= 1e-12
    assert len(parts) >= 3
    assert stand_off(parts, surface) < 0.02
    assert sum(part.volume for part in parts) < 0.6 * hull_of(surface.vertices).volume
    assert all(len(part.faces) <= 8 for part in decomposed(surface, 8))


@pytest.mark.parametrize(
    ("module", "call", "words"),
    [
        (
            "fast_simplification",
            lambda: simplified(sphere_mesh(), 10),
            "--max-faces needs fast-simplification: pip install 'mdh2urdf[mesh]'",
        ),
        ("coacd", lambda: decomposed(frame_mesh()), "--collision coacd needs coacd: pip install 'mdh2urdf[coacd]'"),
    ],
)
def test_an_extra_that_is_missing_is_one_line(module, call, words, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(Mdh2UrdfError) as caught:
        call()
    assert str(caught.value) == words


def test_distances_from_a_surface_are_those_from_its_triangles():
    rng = np.random.default_rng(1)
    cube = hull_of(BLOCK)
    points = rng.uniform(-0.5, 0.8, (200, 3))
    low, high = np.zeros(3), np.array([0.1, 0.2, 0.3])
    beyond = np.linalg.norm(np.maximum(np.maximum(low - points, points - high), 0.0), axis=1)
    within = np.minimum(points - low, high - points).min(axis=1)
    wanted = np.where(within > 0, within, beyond)
    assert np.abs(distance_to(cube, points) - wanted).max() < 1e-15
    many = sphere_mesh(2000)
    assert len(many.faces) > 600
    away = 3 * globe(0.1, 50)
    assert np.abs(distance_to(many, away) - 0.2).max() < 1e-3


def test_triangles_without_area_are_points_and_lines():
    surface = Surface(vertices=np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), faces=np.array([[0, 1, 2], [0, 0, 0]]))
    assert distance_to(surface, np.array([[1.0, 2.0, 0.0], [-3.0, 0.0, 0.0]])) == pytest.approx([2.0, 3.0])
    assert len(merged(surface).faces) == 1


def test_points_with_a_volume_are_not_thickened():
    assert thickened(BLOCK, 1e-3) is BLOCK
