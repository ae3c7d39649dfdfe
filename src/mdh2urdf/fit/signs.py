"""Which way z and x point so that rows come nearest to those of a given table.

Turning z of a frame round (half a turn about x) or x (half a turn about z) changes signs of the numbers
beside it and turns alpha or theta by half a turn; nothing else. So the rows of a placement without wishes
tell those of all others with the same common normals, and the best signs are found by dynamic programming
from the tips to the base.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, cos, pi, remainder, tau

from mdh2urdf.fit.common_normal import Step
from mdh2urdf.fit.placement import Placed, Placement, Plan
from mdh2urdf.se3 import Transform, Vector3, column, dot, rotate, scale
from mdh2urdf.table import ModifiedRow

SMALL = 1e-6
"""m: lengths below this have no sign that a row could be told by."""

DIRECTION_WEIGHT = 0.25
"""Which way q counts is a choice, a constant of the other sign is none."""

THETA_WEIGHT = 0.05
"""A zero offset of half a turn is less than a reversed joint."""

BASE_WEIGHT = 0.3
"""Frame 0 upside down is more than a reversed joint, and less than a wrong constant."""

SAME_SIDE = 0.5
"""Cosine of 60 degrees: the first axis points to the side of the given frame 0 if it is that close to its z."""

Signs = tuple[int, int]
"""Of z of a joint's frame, and of x of the step to the joint; 1 as placed without wishes."""

AS_PLACED: Signs = (1, 1)
ALL_SIGNS: tuple[Signs, ...] = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def directions_like(plan: Plan, plain: Placement, base: Transform, first: Transform) -> dict[str, int]:
    """Directions of all joints by name.

    Parameters
    ----------
    plan : Plan
    plain : Placement
        Made by the plan without directions and wishes.
    base : Transform
        Frame 0 of the given table in the base link.
    first : Transform
        Frame on the first axis that its first row starts from.
    """
    return _Search(plan, plain, base, first).directions()


def side_misfit(step: Step, theta: float, wanted: ModifiedRow) -> float:
    """How far the constants of a step with x on one side are from a row's.

    Parameters
    ----------
    step : Step
    theta : float
        rad, on the axis before (or gamma), counted from what the table has.
    wanted : ModifiedRow
    """
    constants = _sign_misfit(step.a, wanted.a_prev) + (1.0 - cos(step.alpha - wanted.alpha_prev))
    return constants + THETA_WEIGHT * (1.0 - cos(theta))


@dataclass(frozen=True, slots=True)
class _Search:
    """The rows as placed without wishes, and the frames of the given table that they are compared with."""

    plan: Plan
    plain: Placement
    base: Transform
    first: Transform

    def directions(self) -> dict[str, int]:
        """By joint: from the tips to the base the best signs for all those above, then back."""
        best: dict[tuple[int, Signs], tuple[float, Signs]] = {}
        for index in range(len(self.plan.bones.bodies) - 1, 0, -1):
            below = self.plan.children[index]
            for above in ALL_SIGNS:
                costs = {
                    own: self._misfit(index, above, own) + sum(best[child, own][0] for child in below)
                    for own in ALL_SIGNS
                    if _possible(self.plain.bodies[index - 1], above, own)
                }
                own = min(costs, key=lambda signs: costs[signs])
                best[index, above] = (costs[own], own)
        found: dict[str, int] = {}
        waiting: list[tuple[int, Signs]] = [(child, AS_PLACED) for child in self.plan.children[0]]
        while waiting:
            index, above = waiting.pop()
            _, own = best[index, above]
            found[self.plain.bodies[index - 1].joint.name] = own[0]
            waiting.extend((child, own) for child in self.plan.children[index])
        return found

    def _misfit(self, index: int, above: Signs, own: Signs) -> float:
        """How far the numbers of the step to a body, and those on its axis, are from a given row's."""
        placed = self.plain.bodies[index - 1]
        guide = self.plan.wishes.rows.get(placed.joint.name)
        if guide is None:
            return 0.0
        cost = DIRECTION_WEIGHT * (own[0] != guide.direction)
        parent = self.plan.bones.bodies[index].parent
        if parent == 0:
            axis = rotate(self.plan.bones.bodies[index].pose.rotation, placed.joint.axis)
            cost += _axis_misfit(placed, guide.row, own)
            return cost + self._base_misfit(placed, guide.row, scale(float(own[0]), axis))
        alpha = own[1] * placed.row.alpha_prev + pi * (above[0] != own[0])
        cost += 1.0 - cos(alpha - guide.row.alpha_prev)
        # where an axis is prismatic, the table may have put it elsewhere
        if "prismatic" not in (placed.joint.type, self.plan.bones.joint(parent).type):
            cost += _sign_misfit(own[1] * placed.row.a_prev, guide.row.a_prev)
            cost += _axis_misfit(placed, guide.row, own)
        return cost + self._theta_misfit(index, parent, above, own)

    def _base_misfit(self, placed: Placed, wanted: ModifiedRow, axis: Vector3) -> float:
        """Misfit of an axis to frame 0: of the first one's side, of another one's alpha."""
        if placed.step is None:
            same = dot(axis, column(self.first.rotation, 2))
            return BASE_WEIGHT * (1.0 - same) if abs(same) > SAME_SIDE else 0.0
        along = dot(axis, column(self.base.rotation, 2))
        return 1.0 - cos(acos(max(-1.0, min(1.0, along))) - abs(remainder(wanted.alpha_prev, tau)))

    def _theta_misfit(self, index: int, parent: int, above: Signs, own: Signs) -> float:
        """Misfit of theta on the axis before, if x there follows this step; the first theta is for base to take."""
        before = self.plain.bodies[parent - 1]
        guide = self.plan.wishes.rows.get(before.joint.name)
        if guide is None or self.plan.mains[parent] != index or before.step is None:
            return 0.0
        theta = above[0] * (before.row.theta + pi * (above[1] != own[1]))
        return THETA_WEIGHT * (1.0 - cos(theta - guide.row.theta))


def _possible(placed: Placed, above: Signs, own: Signs) -> bool:
    """Whether a step has a choice of x: the first row has no step, and on one line x stays as it comes."""
    if placed.step is None:
        return own[1] == 1
    return "theta" not in placed.step.free or own[1] == above[1]


def _axis_misfit(placed: Placed, wanted: ModifiedRow, own: Signs) -> float:
    """Misfit of d, where common normals on both sides fix it; a prismatic axis is free to be elsewhere."""
    if any(step is None or "d" in step.free for step in (placed.step, placed.onward)):
        return 0.0
    return _sign_misfit(own[0] * placed.row.d, wanted.d)


def _sign_misfit(length: float, wanted: float) -> float:
    larger = max(abs(length), abs(wanted))
    return abs(length - wanted) / larger if larger > SMALL else 0.0
