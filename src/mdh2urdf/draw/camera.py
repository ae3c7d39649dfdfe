"""A parallel projection of an arm onto paper, and the direction from which its parts hide each other least."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mdh2urdf.draw.sketch import SHORT, Sketch
from mdh2urdf.se3 import X_AXIS, Y_AXIS, Z_AXIS, Vector3, dot

Array = NDArray[Any]

Point = tuple[float, float]
"""A point on the paper, in m of the arm."""

AZIMUTHS = range(-175, 181, 10)
ELEVATIONS = (15, 25, 35)
"""Degrees; the views that are tried. No azimuth of them looks along an axis of the root frame."""

USUAL = (-55, 25)
"""Azimuth and elevation in degrees that books and plotting programs like."""

USUAL_MERIT = 0.05
"""What looking from there counts for: it decides between views that are equally readable."""

LONG_ENOUGH = 0.6
"""Share of its true length at which a foreshortened line is as readable as a full one."""

CLEAR = 0.08
"""Share of the arm's size beyond which the distance of two parts on paper does not matter."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A direction to look from: azimuth from x towards y and elevation above the xy plane, degrees."""

    azimuth: float
    elevation: float

    @property
    def towards_viewer(self) -> Vector3:
        """Unit vector out of the paper."""
        a, e = radians(self.azimuth), radians(self.elevation)
        return (cos(e) * cos(a), cos(e) * sin(a), sin(e))

    def point(self, p: Vector3) -> Point:
        """Place of a point on the paper: right and up, m."""
        a, e = radians(self.azimuth), radians(self.elevation)
        return (cos(a) * p[1] - sin(a) * p[0], cos(e) * p[2] - sin(e) * (cos(a) * p[0] + sin(a) * p[1]))

    def depth(self, p: Vector3) -> float:
        """Distance of a point towards the viewer, m."""
        return dot(self.towards_viewer, p)


def best_camera(sketch: Sketch) -> Camera:
    """The view in which lines are long and parts that do not touch lie apart."""
    cameras = [Camera(azimuth, elevation) for elevation in ELEVATIONS for azimuth in AZIMUTHS]
    parts = _parts(sketch)
    return max(cameras, key=lambda camera: _merit(parts, camera))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Parts:
    """What of a sketch is looked at.

    Parameters
    ----------
    directions : ndarray, shape (n, 3)
        Unit vectors along segments and axes.
    segments : ndarray, shape (pairs, 4, 3)
        Ends of two segments that have no end in common.
    points : ndarray, shape (pairs, 2, 3)
        Two points that are not the same.
    clear : float
        Distance on paper beyond which more does not matter, m.
    """

    directions: Array
    segments: Array
    points: Array
    clear: float


def _parts(sketch: Sketch) -> _Parts:
    ends = np.array([(segment.start, segment.end) for segment in sketch.segments]).reshape(-1, 2, 3)
    ways = (ends[:, 1] - ends[:, 0]) / np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1, keepdims=True)
    axes = np.array([axis.direction for axis in sketch.axes]).reshape(-1, 3)
    i, j = np.triu_indices(len(ends), 1)
    touching = np.linalg.norm(ends[i, :, None] - ends[j, None, :], axis=3) < SHORT
    apart = ~touching.any(axis=(1, 2))
    points = np.array([*sketch.points, *(axis.symbol for axis in sketch.axes)])
    k, m = np.triu_indices(len(points), 1)
    different = np.linalg.norm(points[k] - points[m], axis=1) >= SHORT
    return _Parts(
        directions=np.concatenate([ways, axes]),
        segments=np.concatenate([ends[i[apart]], ends[j[apart]]], axis=1),
        points=np.stack([points[k[different]], points[m[different]]], axis=1),
        clear=CLEAR * sketch.size,
    )


def _merit(parts: _Parts, camera: Camera) -> float:
    """How readable a view is: mean and worst of lengths, and of the gaps between segments and between points."""
    paper = np.array([camera.point(axis) for axis in (X_AXIS, Y_AXIS, Z_AXIS)])
    lengths = np.linalg.norm(parts.directions @ paper, axis=1) / LONG_ENOUGH
    points = parts.points @ paper
    gaps = np.concatenate(
        [distances_of_segments(parts.segments @ paper), np.linalg.norm(points[:, 1] - points[:, 0], axis=1)]
    )
    usual = cos(radians(camera.azimuth - USUAL[0])) - abs(camera.elevation - USUAL[1]) / 90
    return _mean_and_worst(lengths) + _mean_and_worst(gaps / parts.clear) + USUAL_MERIT * usual


def _mean_and_worst(shares: Array) -> float:
    shares = np.minimum(shares, 1.0)
    return float(shares.mean() + shares.min()) if len(shares) else 0.0


def distances_of_segments(ends: Array) -> Array:
    """Smallest distance of two segments pq and rs of the paper for each (p, q, r, s), shape (n,) of (n, 4, 2)."""
    p, q, r, s = (ends[:, index] for index in range(4))
    crossing = (side(p, q, r) * side(p, q, s) < 0) & (side(r, s, p) * side(r, s, q) < 0)
    nearest = np.minimum.reduce(
        [_to_segment(p, r, s), _to_segment(q, r, s), _to_segment(r, p, q), _to_segment(s, p, q)]
    )
    return np.where(crossing, 0.0, nearest)


def side(p: Array, q: Array, r: Array) -> Array:
    """On which side of the line pq the point r is, as a signed area; shape (..., 2) each."""
    area: Array = (q[..., 0] - p[..., 0]) * (r[..., 1] - p[..., 1]) - (q[..., 1] - p[..., 1]) * (r[..., 0] - p[..., 0])
    return area


def _to_segment(p: Array, r: Array, s: Array) -> Array:
    """Distance of points from segments, which may be points themselves."""
    way = s - r
    square = (way * way).sum(axis=1)
    share = ((p - r) * way).sum(axis=1) / np.where(square == 0.0, 1.0, square)
    distance: Array = np.linalg.norm(p - r - np.clip(share, 0.0, 1.0)[:, None] * way, axis=1)
    return distance
