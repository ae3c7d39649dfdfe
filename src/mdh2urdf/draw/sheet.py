"""The paper that an arm is drawn on: where its points fall, in pt, and outlines of the symbols on it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

from mdh2urdf.draw.camera import Camera, Point
from mdh2urdf.draw.sketch import Sketch, crowding
from mdh2urdf.se3 import X_AXIS, Y_AXIS, Vector3, add, cross, dot, scale, unit

MAX_WIDTH, MAX_HEIGHT = 468.0, 420.0
"""pt; the text width of a letter page, and about two thirds of its height, for an arm with its labels."""

MARGIN = 58.0
"""pt around the skeleton, for arrows and labels."""

AXIS_BEHIND, AXIS_AHEAD = 22.0, 38.0
"""pt from a joint's symbol to both ends of its axis; the arrow is ahead."""

FRAME_ARROW = 27.0
SYMBOL_RADIUS, SYMBOL_HALF_HEIGHT = 6.5, 8.5
BASE_RADIUS = 24.0
"""pt."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top in pt."""

Outline = list[Sequence[Point]]
"""Closed polygons; the first is filled, the others are edges on it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sheet:
    """The paper; its points are counted from the place of the root's origin.

    Parameters
    ----------
    camera : Camera
    size : float
        Of the arm, m.
    scale : float
        pt per m.
    paper : Box
        What labels have to stay inside, pt.
    """

    camera: Camera
    size: float
    scale: float
    paper: Box

    def place(self, point: Vector3) -> Point:
        """Where a point falls, pt right of and above the root's origin."""
        x, y = self.camera.point(point)
        return (self.scale * x, self.scale * y)

    def ahead(self, point: Vector3, direction: Vector3, length: float) -> Vector3:
        """The point that lies ``length`` pt (unforeshortened) from a point in a direction."""
        return add(point, scale(length / self.scale, direction))


def sheet_for(sketch: Sketch, camera: Camera) -> Sheet:
    """The largest scale at which the skeleton fits on the paper."""
    places = [camera.point(point) for point in (*sketch.points, *(axis.symbol for axis in sketch.axes))]
    left, bottom, right, top = bounds(places)
    # An arm without extent has its symbols in the middle of the paper.
    least = sketch.size / 10
    across, up = max(right - left, least), max(top - bottom, least)
    larger = crowding(len(sketch.frames))
    pt_per_m = min((larger * MAX_WIDTH - 2 * MARGIN) / across, (larger * MAX_HEIGHT - 2 * MARGIN) / up)
    paper = (
        pt_per_m * left - MARGIN,
        pt_per_m * bottom - MARGIN,
        pt_per_m * right + MARGIN,
        pt_per_m * top + MARGIN,
    )
    return Sheet(camera=camera, size=sketch.size, scale=pt_per_m, paper=paper)


def bounds(points: Iterable[Point]) -> Box:
    """The box around points of the paper."""
    xs, ys = zip(*points, strict=True)
    return (min(xs), min(ys), max(xs), max(ys))


def circle(sheet: Sheet, centre: Vector3, normal: Vector3, radius: float, corners: int = 32) -> list[Point]:
    """A circle in space as a polygon on the paper."""
    u, v = _across(normal)
    points = []
    for k in range(corners):
        turn = 2 * pi * k / corners
        rim = add(scale(cos(turn), u), scale(sin(turn), v))
        points.append(sheet.place(sheet.ahead(centre, rim, radius)))
    return points


def cylinder(sheet: Sheet, centre: Vector3, axis: Vector3) -> Outline:
    """The symbol of a revolute joint: silhouette of a cylinder about its axis, and the cap that faces the viewer."""
    caps = [
        circle(sheet, sheet.ahead(centre, axis, side * SYMBOL_HALF_HEIGHT), axis, SYMBOL_RADIUS) for side in (1, -1)
    ]
    facing = caps[0] if dot(axis, sheet.camera.towards_viewer) >= 0 else caps[1]
    return [hull([*caps[0], *caps[1]]), facing]


def box(sheet: Sheet, centre: Vector3, axis: Vector3) -> Outline:
    """The symbol of a prismatic joint: silhouette of a box along its axis, and the faces that the viewer sees."""
    u, v = _across(axis)
    sides = ((axis, SYMBOL_HALF_HEIGHT), (u, SYMBOL_RADIUS), (v, SYMBOL_RADIUS))
    faces = []
    corners: list[Point] = []
    for index, (normal, half) in enumerate(sides):
        (e, e_half), (f, f_half) = sides[index - 2], sides[index - 1]
        towards = 1.0 if dot(normal, sheet.camera.towards_viewer) >= 0 else -1.0
        for side in (towards, -towards):
            middle = sheet.ahead(centre, normal, side * half)
            face = [
                sheet.place(sheet.ahead(sheet.ahead(middle, e, s * e_half), f, t * f_half))
                for s, t in ((-1, -1), (-1, 1), (1, 1), (1, -1))
            ]
            corners += face
            faces += [face] if side == towards else []
    return [hull(corners), *faces]


def _across(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two unit vectors that are perpendicular to an axis and to each other."""
    u = unit(cross(Y_AXIS if abs(axis[1]) < 0.9 else X_AXIS, axis))
    return u, cross(axis, u)


def hull(points: Iterable[Point]) -> list[Point]:
    """Convex hull of points of the paper, counter-clockwise (Andrew's monotone chain)."""
    ordered = sorted(set(points))
    halves = []
    for run in (ordered, ordered[::-1]):
        half: list[Point] = []
        for point in run:
            while len(half) > 1 and _turn(half[-2], half[-1], point) <= 0:
                half.pop()
            half.append(point)
        halves += half[:-1]
    return halves


def _turn(p: Point, q: Point, r: Point) -> float:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def arrow_head(start: Point, end: Point, length: float) -> list[Point]:
    """The triangle at the end of an arrow; flat if the arrow points at the viewer."""
    x, y = end[0] - start[0], end[1] - start[1]
    size = (x * x + y * y) ** 0.5
    length = min(length, 0.6 * size)
    ux, uy = (x / size, y / size) if size > 0 else (0.0, 0.0)
    back = (end[0] - length * ux, end[1] - length * uy)
    half = 0.38 * length
    return [end, (back[0] - half * uy, back[1] + half * ux), (back[0] + half * uy, back[1] - half * ux)]


def edges(polygon: Sequence[Point]) -> list[tuple[Point, Point]]:
    """The sides of a closed polygon."""
    return list(zip(polygon, [*polygon[1:], polygon[0]], strict=True))
