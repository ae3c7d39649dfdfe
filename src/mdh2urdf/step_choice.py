"""Which way x and z point: within a quarter turn, or as the row of a given table has them."""

from __future__ import annotations

from collections.abc import Iterable
from math import atan2, cos

from mdh2urdf.common_normal import Axis, Rules, Step
from mdh2urdf.guide import Guide
from mdh2urdf.se3 import Vector3, cross, dot

SMALL = 1e-6
"""m: lengths below this have no sign that a row could be told by."""

THETA_WEIGHT = 0.25
"""A zero offset of half a turn is a matter of taste, a constant of the other sign is not."""

DIRECTION_WEIGHT = 0.1
"""Which way q counts decides only where nothing else does."""


def turn(x: Vector3, to: Vector3, z: Vector3) -> float:
    """Angle in rad about z from one direction across it to another."""
    return atan2(dot(cross(x, to), z), dot(x, to))


def within_quarter_turn(axis: Axis, step: Step, rules: Rules) -> Step:
    """The step whose x is at most 90 degrees from the axis' own; at 90 degrees x runs from axis to axis."""
    if "theta" in step.free or dot(axis.x, step.x) >= -rules.parallel:
        return step
    return step.reversed()


def both_ways(step: Step) -> Iterable[Step]:
    """The step and the one with x reversed, if the axes say where x is."""
    return (step,) if "theta" in step.free else (step, step.reversed())


def misfit(step: Step, theta: float, guide: Guide, *, d: float | None = None, direction: int = 1) -> float:
    """How far the signs of a step are from those of a row.

    Parameters
    ----------
    step : Step
    theta : float
        rad, of the row before (or gamma), counted from what the table has.
    guide : Guide
    d : float or None
        m, of the row after the step, where the axes fix it.
    direction : int
        Of the joint after the step.
    """
    wanted = guide.row
    constants = _sign_misfit(step.a, wanted.a_prev) + (1.0 - cos(step.alpha - wanted.alpha_prev))
    if d is not None:
        constants += _sign_misfit(d, wanted.d)
    return constants + THETA_WEIGHT * (1.0 - cos(theta)) + DIRECTION_WEIGHT * (direction != guide.direction)


def _sign_misfit(length: float, wanted: float) -> float:
    larger = max(abs(length), abs(wanted))
    return abs(length - wanted) / larger if larger > SMALL else 0.0
