"""A parallel projection of an arm onto paper, and the direction from which its parts hide each other least."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import cos, hypot, radians, sin

from mdh2urdf.se3 import Vector3, dot, norm, scale, subtract
from mdh2urdf.sketch import SHORT, Segment, Sketch

Point = tuple[float, float]
"""A point on the paper, in m of the arm."""

AZIMUTHS = range(-175, 181, 10)
ELEVATIONS = (15, 25, 35)
"""Degrees; the views that are tried. No azimuth of them looks along an axis of the root frame."""

USUAL = (-55, 25)
"""Azimuth and elevation in degrees that books and plotting programs like; taken where others are no better."""

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

    def share(self, v: Vector3) -> float:
        """Length of a unit vector on the paper."""
        return hypot(*self.point(v))


def best_camera(sketch: Sketch) -> Camera:
    """The view in which lines are long and parts that do not touch lie apart."""
    cameras = [Camera(azimuth, elevation) for elevation in ELEVATIONS for azimuth in AZIMUTHS]
    return max(cameras, key=lambda camera: _merit(sketch, camera))


def _merit(sketch: Sketch, camera: Camera) -> float:
    """How readable a view is: mean and worst of lengths, gaps between segments, gaps between points."""
    clear = CLEAR * sketch.size
    lengths = [min(1.0, camera.share(line) / LONG_ENOUGH) for line in _directions(sketch)]
    gaps = [min(1.0, gap / clear) for gap in _segment_gaps(sketch.segments, camera)]
    gaps += [min(1.0, gap / clear) for gap in _point_gaps(sketch, camera)]
    usual = cos(radians(camera.azimuth - USUAL[0])) - abs(camera.elevation - USUAL[1]) / 90
    return _mean_and_worst(lengths) + _mean_and_worst(gaps) + 0.05 * usual


def _mean_and_worst(values: list[float]) -> float:
    return sum(values) / len(values) + min(values) if values else 0.0


def _directions(sketch: Sketch) -> Iterable[Vector3]:
    for segment in sketch.segments:
        way = subtract(segment.end, segment.start)
        yield scale(1.0 / norm(way), way)
    for axis in sketch.axes:
        yield axis.direction


def _segment_gaps(segments: tuple[Segment, ...], camera: Camera) -> Iterable[float]:
    """Distances on paper of the pairs of segments that have no end in common."""
    for index, one in enumerate(segments):
        for other in segments[:index]:
            if not _touch(one, other):
                ends = [camera.point(p) for p in (one.start, one.end, other.start, other.end)]
                yield distance_of_segments(*ends)


def _touch(one: Segment, other: Segment) -> bool:
    return any(norm(subtract(p, q)) < SHORT for p in (one.start, one.end) for q in (other.start, other.end))


def _point_gaps(sketch: Sketch, camera: Camera) -> Iterable[float]:
    """Distances on paper of points of the skeleton that are not the same in space."""
    points: list[Vector3] = []
    for point in (*sketch.points, *(axis.symbol for axis in sketch.axes)):
        if all(norm(subtract(point, other)) >= SHORT for other in points):
            x, y = camera.point(point)
            yield from (hypot(x - u, y - v) for u, v in map(camera.point, points))
            points.append(point)


def distance_of_segments(p: Point, q: Point, r: Point, s: Point) -> float:
    """Smallest distance between the segments pq and rs of the paper."""
    if crossing(p, q, r, s):
        return 0.0
    return min(_to_segment(p, r, s), _to_segment(q, r, s), _to_segment(r, p, q), _to_segment(s, p, q))


def crossing(p: Point, q: Point, r: Point, s: Point) -> bool:
    """Whether the segments pq and rs cross, each inside the other."""
    return _side(p, q, r) * _side(p, q, s) < 0 and _side(r, s, p) * _side(r, s, q) < 0


def _side(p: Point, q: Point, r: Point) -> float:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def _to_segment(p: Point, r: Point, s: Point) -> float:
    """Distance of a point from a segment, which may be one point itself."""
    dx, dy = s[0] - r[0], s[1] - r[1]
    square = dx * dx + dy * dy
    share = 0.0 if square == 0.0 else max(0.0, min(1.0, ((p[0] - r[0]) * dx + (p[1] - r[1]) * dy) / square))
    return hypot(p[0] - r[0] - share * dx, p[1] - r[1] - share * dy)
