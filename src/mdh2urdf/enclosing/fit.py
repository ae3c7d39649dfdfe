"""The solid around a mesh that is asked for, checked against every vertex, with how far it stands off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from mdh2urdf.enclosing.solids import (
    CORNERS,
    Solid,
    best_direction,
    capsule_along,
    cylinder_along,
    smallest_box,
    sphere,
)
from mdh2urdf.enclosing.surface import THINNEST, Array, Surface, distance_to, hull_of, spread_directions, thickened
from mdh2urdf.robot import Box, Capsule, Cylinder, Geometry, Sphere
from mdh2urdf.se3 import Transform

SolidKind = Literal["box", "cylinder", "sphere", "capsule", "best"]

DECIMALS = 9
"""Decimals of a size or place in m: a nanometre, to which sizes are rounded up."""

MARGIN = 1e-12
"""m: what rounding may take from a distance; sizes are larger by this."""

RIM = 96
"""Points of a circle at which the overshoot is measured."""

BALL = 400
"""Points of a sphere at which the overshoot is measured."""

PREFERRED = 1.001
"""Of solids that are as small within a tenth of a percent the simplest is taken."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Enclosure:
    """A solid around a mesh.

    Parameters
    ----------
    geometry : Geometry
    pose : Transform
        In the frame of the mesh, m.
    volume, hull_volume : float
        Of the solid and of the mesh's convex hull, m³.
    overshoot : float
        How far the solid's surface is from the hull at most, m.
    """

    geometry: Geometry
    pose: Transform
    volume: float
    hull_volume: float
    overshoot: float


def enclose(points: Array, kind: SolidKind) -> Enclosure:
    """The smallest solid of a kind around points in m, shape (n, 3); ``best`` is the smallest of all kinds.

    Points in a plane or on a line are taken as a plate or rod of `THINNEST`.
    """
    hull = hull_of(thickened(points, THINNEST))
    solids = [_mended(solid, points) for solid in _candidates(hull, kind)]
    smallest = min(solid.volume for solid in solids)
    chosen = next(solid for solid in solids if solid.volume <= PREFERRED * smallest)
    overshoot = float(distance_to(hull, _surface_points(chosen)).max())
    return Enclosure(
        geometry=_geometry(chosen),
        pose=_pose(chosen),
        volume=chosen.volume,
        hull_volume=hull.volume,
        overshoot=overshoot,
    )


def _candidates(hull: Surface, kind: SolidKind) -> list[Solid]:
    """Solids of the kind, the simplest first."""
    makers: dict[str, Callable[[Surface], Solid]] = {
        "box": smallest_box,
        "cylinder": lambda hull: best_direction(hull, cylinder_along),
        "sphere": lambda hull: sphere(hull.vertices),
        "capsule": lambda hull: best_direction(hull, capsule_along),
    }
    return [make(hull) for name, make in makers.items() if kind in (name, "best")]


def excess(solid: Solid, points: Array) -> Array:
    """How far points stick out of a solid, shape (n, k): for every size by how much it is too small."""
    local = (points - solid.center) @ solid.rotation
    if solid.kind == "box":
        return np.asarray(np.abs(local) - solid.sizes)
    if solid.kind == "sphere":
        return np.asarray(np.linalg.norm(local, axis=1) - solid.sizes[0])[:, None]
    radius, half = solid.sizes
    if solid.kind == "cylinder":
        return np.stack((np.linalg.norm(local[:, :2], axis=1) - radius, np.abs(local[:, 2]) - half), axis=1)
    along = np.maximum(np.abs(local[:, 2]) - half, 0.0)
    return np.asarray(np.hypot(np.linalg.norm(local[:, :2], axis=1), along) - radius)[:, None]


def _mended(solid: Solid, points: Array) -> Solid:
    """The solid with round numbers, as large as every point needs."""
    center = np.round(solid.center, DECIMALS) + 0.0
    sizes = tuple(_up(size) for size in solid.sizes)
    solid = replace(solid, center=center, sizes=sizes)
    missing = np.maximum(excess(solid, points).max(axis=0), 0.0)
    grown = (_up(size + lack) if lack > 0.0 else size for size, lack in zip(sizes, missing, strict=False))
    return replace(solid, sizes=(*grown, *sizes[len(missing) :]))


def _up(size: float) -> float:
    step = 10.0**-DECIMALS
    return round(float(np.ceil((size + MARGIN) / step)) * step, DECIMALS)


def _surface_points(solid: Solid) -> Array:
    """Points of a solid among which is, nearly, the one that is farthest from what it encloses."""
    if solid.kind == "box":
        local = CORNERS * solid.sizes
    elif solid.kind == "cylinder":
        turn = np.linspace(0.0, 2.0 * np.pi, RIM, endpoint=False)
        ring = np.stack((solid.sizes[0] * np.cos(turn), solid.sizes[0] * np.sin(turn), np.zeros(RIM)), axis=1)
        up = np.array((0.0, 0.0, solid.sizes[1]))
        local = np.concatenate((ring + up, ring - up))
    else:
        local = solid.sizes[0] * spread_directions(BALL)
        if solid.kind == "capsule":
            local[:, 2] += np.sign(local[:, 2]) * solid.sizes[1]
    return np.asarray(solid.center + local @ solid.rotation.T)


def _geometry(solid: Solid) -> Geometry:
    if solid.kind == "box":
        x, y, z = (round(2.0 * size, DECIMALS) for size in solid.sizes)
        return Box(size=(x, y, z))
    radius, half = solid.sizes[0], solid.sizes[-1]
    if solid.kind == "sphere":
        return Sphere(radius=radius)
    length = round(2.0 * half, DECIMALS)
    return Capsule(radius=radius, length=length) if solid.kind == "capsule" else Cylinder(radius=radius, length=length)


def _pose(solid: Solid) -> Transform:
    rows = np.concatenate((solid.rotation, solid.center[:, None]), axis=1) + 0.0
    return Transform.from_matrix(rows.tolist())
