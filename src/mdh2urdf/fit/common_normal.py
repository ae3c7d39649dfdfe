"""From one joint axis to the next: the neighbour rules of docs/conventions.md, each with its formula.

Everything is measured from the earlier axis' own reference point and in its body's frame: feet come from
differences of points, never from moments about a far origin, and parameters along an axis are compared
only with parameters along the same axis. So the error stays near 1e-16 over the angle of the axes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import atan2, cos, hypot, pi, sin, sqrt, tan
from typing import Literal

from mdh2urdf.frames import NEARLY_PARALLEL
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH
from mdh2urdf.se3 import Vector3, add, cross, dot, norm, scale, subtract, unit

FAR_ANGLE = 0.1
"""rad: below, a common normal may lie ten links away; no prismatic axis is made to start there."""

UNDECIDED = 1e-8
"""rad: below, a common normal is worse known than what taking the axes as parallel costs."""

Kind = Literal["skew", "intersecting", "parallel", "coincident", "nearly parallel", "prismatic"]


@dataclass(frozen=True, slots=True)
class Rules:
    """What holds for every pair of axes.

    Parameters
    ----------
    standard : bool
        Which of the two rows beta stands in.
    beta_below : float
        rad: below, a pair gets beta; 0 for four parameters only.
    parallel : float
        rad: below, axes are parallel.
    touching : float
        m: below, a distance is none.
    """

    standard: bool = False
    beta_below: float = NEARLY_PARALLEL
    parallel: float = NOISE_ANGLE
    touching: float = NOISE_LENGTH


@dataclass(frozen=True, slots=True)
class Axis:
    """A joint axis on which a frame is to be placed, and where the row before has come to.

    Parameters
    ----------
    z : Vector3
        Unit vector.
    point : Vector3
        Where parameters along the axis are counted from, m.
    x : Vector3
        x axis after the row before, perpendicular to z.
    reached : float
        Parameter of the point that the row before has come to, m.
    far : bool
        Whether that point lies where nearly parallel axes meet, away from the robot.
    """

    z: Vector3
    point: Vector3
    x: Vector3
    reached: float
    far: bool = False


@dataclass(frozen=True, slots=True)
class Wanted:
    """Values (rad, m) that are taken where the axes leave them free, and the side that x is on."""

    theta: float = 0.0
    d: float = 0.0
    a: float = 0.0
    beta: float = 0.0
    side: Vector3 | None = None


NOTHING = Wanted()


@dataclass(frozen=True, slots=True)
class Step:
    """What leads from an axis to the next: a foot on each, and the constants between them.

    Parameters
    ----------
    kind : Kind
    angle : float
        rad, of the axes to parallel or anti-parallel.
    x : Vector3
        x axis of the earlier frame, along the common normal where there is one.
    t : float
        Parameter of the earlier frame's point on its axis, m.
    s : float
        Parameter of the foot on the later axis, counted from its reference point, m.
    a, alpha, beta : float
        m, rad.
    entry : Vector3
        x axis after a, alpha and beta, perpendicular to the later axis.
    point : Vector3
        The foot on the later axis, m.
    free : tuple of str
        Fields of the earlier row that the axes leave free (``theta``, ``d``); with ``theta``, x is free.
    gap : float
        Distance of the axes that was taken for none, m.
    """

    kind: Kind
    angle: float
    x: Vector3
    t: float
    s: float
    a: float
    alpha: float
    beta: float
    entry: Vector3
    point: Vector3
    free: tuple[str, ...] = ()
    gap: float = 0.0

    def reversed(self) -> Step:
        """The same with x the other way round."""
        return replace(
            self,
            x=scale(-1.0, self.x),
            a=-self.a,
            alpha=-self.alpha,
            beta=-self.beta,
            entry=scale(-1.0, self.entry),
        )


def step(axis: Axis, z: Vector3, point: Vector3 | None, rules: Rules, wanted: Wanted = NOTHING) -> Step:
    """The step from an axis to the next one.

    Parameters
    ----------
    axis : Axis
        The earlier axis.
    z : Vector3
        Direction of the later axis, in the earlier one's body.
    point : Vector3 or None
        Reference point of the later axis; None if the joint is prismatic, whose axis has no place of its own.
    rules : Rules
    wanted : Wanted, optional
        A beta counts only where the axes are not nearly parallel: there it is free, else d is.
    """
    cosine = dot(axis.z, z)
    normal = cross(axis.z, z)
    angle = atan2(norm(normal), abs(cosine))
    if angle <= rules.parallel:
        return _parallel(axis, z, point, cosine, angle, rules, wanted)
    if angle < rules.beta_below:
        return _tilted(axis, z, point, angle, rules, wanted)
    if angle < UNDECIDED and point is not None:
        return _parallel(axis, z, point, cosine, angle, rules, wanted)
    return _skew(axis, z, point, normal, angle, rules, wanted)


def along_x(axis: Axis, theta: float) -> Vector3:
    """The axis' own x, made perpendicular to z again, turned about z by theta."""
    x = across(axis.x, axis.z)
    if theta == 0.0:
        return x
    y = cross(axis.z, x)
    return add(scale(cos(theta), x), scale(sin(theta), y))


def across(v: Vector3, axis: Vector3) -> Vector3:
    """Unit vector along the part of v that is perpendicular to a unit axis."""
    return unit(subtract(v, scale(dot(v, axis), axis)))


def _free_foot(axis: Axis, point: Vector3 | None, wanted: Wanted) -> float:
    """Parameter of a frame that may be anywhere: where the row before has come to.

    But no prismatic axis starts where nearly parallel axes meet: whatever is far from the robot there would
    be told from points at that distance.
    """
    return 0.0 if axis.far and point is None else axis.reached + wanted.d


def _sided(found: Step, wanted: Wanted) -> Step:
    """The step with x on the wanted side."""
    return found.reversed() if wanted.side is not None and dot(found.x, wanted.side) < 0.0 else found


def _parallel(
    axis: Axis, z: Vector3, point: Vector3 | None, cosine: float, angle: float, rules: Rules, wanted: Wanted
) -> Step:
    """Parallel or anti-parallel: x across from axis to axis; on one line (or prismatic): x as it comes."""
    t = _free_foot(axis, point, wanted)
    alpha = 0.0 if cosine > 0 else pi
    kind: Kind = "prismatic"
    s, a, x, gap = 0.0, wanted.a, None, 0.0
    if point is not None:
        between = subtract(point, axis.point)
        s = t * cosine - dot(between, z)
        normal = subtract(between, scale(dot(between, axis.z), axis.z))
        a = norm(normal)
        if a > rules.touching:
            kind, x = "parallel", scale(1.0 / a, normal)
        else:
            kind, a, gap = "coincident", 0.0, a
    start = add(axis.point, scale(t, axis.z))
    if x is None:
        x = along_x(axis, wanted.theta)
        return Step(kind, angle, x, t, s, a, alpha, 0.0, x, add(start, scale(a, x)), ("theta", "d"), gap)
    return _sided(Step(kind, angle, x, t, s, a, alpha, 0.0, x, add(start, scale(a, x)), ("d",)), wanted)


def _tilted(axis: Axis, z: Vector3, point: Vector3 | None, angle: float, rules: Rules, wanted: Wanted) -> Step:
    """Hayati's five parameters: the earlier frame stays where the row before has come to.

    Modified rows reach the point of the later axis nearest to it, standard rows the one in its xy plane.
    """
    t = _free_foot(axis, point, wanted)
    start = add(axis.point, scale(t, axis.z))
    along = dot(z, axis.z)
    s, a, x, gap = 0.0, wanted.a, None, 0.0
    if point is not None:
        between = subtract(point, start)
        s = -dot(between, axis.z) / along if rules.standard else -dot(between, z)
        between = add(between, scale(s, z))
        a = norm(between)
        if a > rules.touching:
            x = across(between, axis.z)
        else:
            a, gap = 0.0, a
    free = ("d",) if x else ("theta", "d")
    x = x or along_x(axis, wanted.theta)
    on_x, on_y = dot(z, x), dot(z, cross(axis.z, x))
    if rules.standard:
        alpha, beta = atan2(-on_y, along), atan2(on_x, hypot(on_y, along))
    else:
        sign = 1.0 if along > 0 else -1.0
        alpha, beta = atan2(-on_y, sign * hypot(on_x, along)), atan2(sign * on_x, sign * along)
    entry, towards = _after(axis, x, alpha, beta, rules)
    foot = add(start, scale(a, towards))
    found = Step("nearly parallel", angle, x, t, s, a, alpha, beta, entry, foot, free, gap)
    return found if "theta" in free else _sided(found, wanted)


def _skew(
    axis: Axis, z: Vector3, point: Vector3 | None, normal: Vector3, angle: float, rules: Rules, wanted: Wanted
) -> Step:
    """Skew or intersecting: x along the cross product; both feet from the later axis' slope across x.

    With a wanted beta, x leans from the cross product by as much as that needs.
    """
    x = across(normal, axis.z)
    if wanted.side is not None and dot(x, wanted.side) < 0.0:
        x = scale(-1.0, x)
    along, beta = dot(z, axis.z), 0.0
    lean = (sin(wanted.beta) if rules.standard else tan(wanted.beta) * along) / norm(normal)
    if wanted.beta != 0.0 and abs(lean) < 1.0:
        beta = wanted.beta
        x = add(scale(sqrt(1.0 - lean * lean), x), scale(lean, across(z, axis.z)))
    y = cross(axis.z, x)
    slope = dot(z, y)
    alpha = atan2(-slope, along if rules.standard else along / cos(beta))
    entry, towards = _after(axis, x, alpha, beta, rules)
    if point is None:
        t, a = _free_foot(axis, point, wanted), wanted.a
        foot = add(add(axis.point, scale(t, axis.z)), scale(a, towards))
        return Step("prismatic", angle, x, t, 0.0, a, alpha, beta, entry, foot, ("d",))
    between = subtract(point, axis.point)
    s = -dot(between, y) / slope
    a = dot(between, x)
    if beta != 0.0:
        a = (a + s * dot(z, x)) / dot(towards, x)
    t = dot(between, axis.z) + s * along - a * dot(towards, axis.z)
    kind: Kind = "skew"
    gap = 0.0
    if abs(a) <= rules.touching:
        kind, a, gap = "intersecting", 0.0, abs(a)
    foot = add(add(axis.point, scale(t, axis.z)), scale(a, towards))
    found = Step(kind, angle, x, t, s, a, alpha, beta, entry, foot, (), gap)
    return found.reversed() if a < 0.0 and wanted.side is None else found


def _after(axis: Axis, x: Vector3, alpha: float, beta: float, rules: Rules) -> tuple[Vector3, Vector3]:
    """X axis after alpha and beta, and the direction that a is along."""
    if beta == 0.0:
        return x, x
    if rules.standard:
        lifted = add(scale(sin(alpha), cross(axis.z, x)), scale(-cos(alpha), axis.z))
        return add(scale(cos(beta), x), scale(sin(beta), lifted)), x
    entry = add(scale(cos(beta), x), scale(-sin(beta), axis.z))
    return entry, entry
