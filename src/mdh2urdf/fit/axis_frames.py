"""Denavit-Hartenberg frames on the axes of a skeleton, and the rows from frame to frame.

One walk from the base outwards serves both conventions: whatever lies between two axes (beta, alpha, a) is
kept with the later axis, as modified rows have it; `fit` regroups it for standard rows.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace
from math import atan2, nan

from mdh2urdf.fit.common_normal import (
    FAR_ANGLE,
    Axis,
    Rules,
    Step,
    Wanted,
    along_x,
    step,
)
from mdh2urdf.fit.first_axis import first_axis_frame, frame_on, nearest_frame
from mdh2urdf.fit.guide import Guide, Guides, fixed_pose
from mdh2urdf.fit.placement import Placed, Placement, Plan, plan
from mdh2urdf.fit.signs import directions_like, side_misfit
from mdh2urdf.noise import clean_angle, clean_length, clean_pose, same_pose
from mdh2urdf.origins import modified_origin, tail
from mdh2urdf.robot import MOVING, Joint
from mdh2urdf.screws import Skeleton, Tip
from mdh2urdf.se3 import (
    IDENTITY,
    ORIGIN,
    Transform,
    Vector3,
    column,
    cross,
    dot,
    rotate,
    scale,
    subtract,
    transpose,
)
from mdh2urdf.table import ModifiedRow

ZERO_ROW = ModifiedRow(a_prev=0.0, alpha_prev=0.0, theta=0.0, d=0.0)
NO_WISH = ModifiedRow(a_prev=nan, alpha_prev=nan, theta=nan, d=nan, beta_prev=nan, gamma=nan, b=nan)
"""No number is near to it."""


def place(bones: Skeleton, rules: Rules, wishes: Guides, exact: AbstractSet[str] = frozenset()) -> Placement:
    """Frames and rows of a skeleton.

    Parameters
    ----------
    bones : Skeleton
    rules : Rules
    wishes : Guides
        Of the table given by ``--like``.
    exact : set of str
        Joints before which nothing above the reader's noise counts as parallel or touching.
    """
    planned = plan(bones, rules, wishes, exact)
    if wishes.base is not None:
        plain = _Walk(replace(planned, wishes=Guides())).run()
        first = wishes.base @ _constants_of_first(planned)[1]
        directions = directions_like(planned, plain, wishes.base, first)
        planned = replace(planned, directions=directions)
    return _Walk(planned).run()


def _constants_of_first(planned: Plan) -> tuple[ModifiedRow, Transform]:
    """What the first row has before its axis, as a row and as a pose: nothing, or what a given table has."""
    guide = planned.wishes.rows.get(planned.bones.joint(planned.first).name)
    row = ZERO_ROW if guide is None else replace(guide.row, theta=0.0, d=0.0)
    return row, modified_origin(row)


class _Walk:
    """Rows under construction, from the base outwards."""

    def __init__(self, planned: Plan) -> None:
        self.plan = planned
        self.bones = planned.bones
        self.wishes = planned.wishes.rows
        self.axes: dict[int, Axis] = {}
        self.entered: dict[int, Placed] = {}
        self.tips: list[tuple[int, Tip, Placed]] = []

    def run(self) -> Placement:
        base = self._base()
        bodies = [self._body(index) for index in range(1, len(self.bones.bodies))]
        return Placement(base=base, bodies=tuple(bodies), tips=tuple(self.tips))

    def _guide(self, index: int) -> Guide | None:
        return self.wishes.get(self.bones.joint(index).name)

    def _body(self, index: int) -> Placed:
        """The frame of a body, after its row's constants are known; and the way on to its children and tips."""
        axis, guide = self.axes[index], self._guide(index)
        main = self.plan.mains[index]
        found: Step | None
        free: tuple[str, ...]
        if main is None:
            x, t = self._end(index, axis, guide)
            here, found, free = replace(axis, x=x, reached=t, far=False), None, ("theta", "d")
        else:
            wanted = Wanted(guide.row.theta, guide.row.d) if guide else Wanted()
            found, direction = self._step(axis, main, wanted)
            x, t, free = found.x, found.t, found.free
            here = replace(axis, x=x, reached=t, far=_is_far(axis, found))
            self._enter(main, here, found, direction)
        frame = frame_on(axis, x, t)
        self._branches(index, here, main, frame)
        near = guide.row if guide else NO_WISH
        entered = self.entered[index]
        row = replace(
            entered.row,
            theta=clean_angle(_turn(axis.x, x, axis.z), near.theta),
            d=clean_length(t - axis.reached, near.d),
        )
        return replace(entered, row=row, frame=frame, onward=found, free=free)

    def _branches(self, index: int, axis: Axis, main: int | None, frame: Transform) -> None:
        """Rows with gamma and b to the children that x does not follow, and to the tips of a tree."""
        for child in self.plan.children[index]:
            if child != main:
                guide = self._guide(child)
                wanted = Wanted(guide.row.gamma, guide.row.b) if guide else Wanted()
                found, direction = self._step(axis, child, wanted)
                self._enter(child, axis, found, direction)
        if len(self.bones.tips) > 1:
            self.tips.extend((index, tip, self._tip(axis, tip)) for tip in self._tips_of(index, frame))

    def _tips_of(self, index: int, frame: Transform) -> tuple[Tip, ...]:
        """Fixed leaves; or the link's own frame, if the link is a leaf and its frame another one."""
        body = self.bones.bodies[index]
        if body.joint is None or body.link.name not in self.bones.tips or same_pose(frame, IDENTITY):
            return body.tips
        return (Tip(joint=body.joint, link=body.link, pose=IDENTITY),)

    def _enter(self, child: int, axis: Axis, found: Step, direction: int) -> None:
        """The axis of a child after the step to it, in the child's frame."""
        body, joint, guide = self.bones.bodies[child], self.bones.joint(child), self._guide(child)
        back = transpose(body.pose.rotation)
        slides = joint.type == "prismatic"
        self.axes[child] = Axis(
            z=scale(float(direction), joint.axis),
            point=rotate(back, subtract(found.point, body.pose.translation)) if slides else ORIGIN,
            x=rotate(back, found.entry),
            reached=0.0 if slides else found.s,
            far=axis.far,
        )
        row = _constants(axis, found, guide)
        self.entered[child] = Placed(joint=joint, row=row, direction=direction, step=found)

    def _step(self, axis: Axis, child: int, wanted: Wanted) -> tuple[Step, int]:
        """The step to a child and its joint's direction: x within 90 degrees, or both as the plan has them."""
        pose, joint, guide = self.bones.bodies[child].pose, self.bones.joint(child), self._guide(child)
        direction = self.plan.directions.get(joint.name, 1)
        z = rotate(pose.rotation, joint.axis)
        point = None if joint.type == "prismatic" else pose.translation
        return self._sided_step(axis, z if direction > 0 else scale(-1.0, z), point, joint, guide, wanted), direction

    def _sided_step(
        self, axis: Axis, z: Vector3, point: Vector3 | None, joint: Joint, guide: Guide | None, wanted: Wanted
    ) -> Step:
        """The step whose x is within 90 degrees, or on the side that fits a given row."""
        rules = self.plan.own_rules.get(joint.name, self.plan.rules)
        if guide is None:
            return _within_quarter_turn(axis, step(axis, z, point, rules), rules)
        beta = guide.row.beta_prev if rules.beta_below else 0.0
        wanted = replace(wanted, a=guide.row.a_prev, beta=beta, side=axis.x)
        found = step(axis, z, point, rules, wanted)
        if "theta" in found.free:
            return found
        other = step(axis, z, point, rules, replace(wanted, side=scale(-1.0, found.x)))
        return min(
            (found, other),
            key=lambda one: side_misfit(one, _turn(axis.x, one.x, axis.z) - wanted.theta, guide.row),
        )

    def _base(self) -> Transform:
        """Frame 0, after which the first row has nothing (or a table's constants) before its axis."""
        first, given = self.plan.first, self.plan.wishes.base
        body, joint = self.bones.bodies[first], self.bones.joint(first)
        constants, before = _constants_of_first(self.plan)
        direction = self.plan.directions.get(joint.name, 1)
        start = first_axis_frame(body, joint, direction, None if given is None else given @ before)
        base = clean_pose(start @ before.inverse())
        if given is not None and same_pose(base, given):
            base = given
        back = body.pose.inverse()
        z = scale(float(direction), joint.axis)
        point = back.apply(start.translation)
        slides = joint.type == "prismatic"
        x = rotate(back.rotation, column(start.rotation, 0))
        self.axes[first] = Axis(z, point if slides else ORIGIN, x, 0.0 if slides else dot(point, z))
        self.entered[first] = Placed(joint=joint, row=constants, direction=direction)
        x, z = column(base.rotation, 0), column(base.rotation, 2)
        self._branches(0, Axis(z, base.translation, x, 0.0), first, base)
        return base

    def _end(self, index: int, axis: Axis, guide: Guide | None) -> tuple[Vector3, float]:
        """X and parameter of a frame whose x follows no child."""
        if self.plan.children[index] and guide is not None:
            return along_x(axis, guide.row.theta), axis.reached + guide.row.d
        return nearest_frame(axis, self._end_target(index))

    def _end_target(self, index: int) -> Transform:
        """The pose in the link's frame to which the last frame of a chain or branch is brought close."""
        body = self.bones.bodies[index]
        if len(self.bones.tips) > 1:
            for tip in body.tips:
                guide = self.wishes.get(tip.joint.name)
                if guide is not None:
                    return tip.pose @ fixed_pose(guide.row).inverse()
            return IDENTITY
        pose = body.tips[0].pose if body.tips else IDENTITY
        wishes = self.plan.wishes
        if wishes.base is not None:
            return pose @ wishes.end.inverse() @ tail(wishes.tail).inverse()
        return pose if self.plan.rules.standard else IDENTITY

    def _tip(self, axis: Axis, tip: Tip) -> Placed:
        """A fixed row with gamma and b that ends in the tip's own frame."""
        guide = self.wishes.get(tip.joint.name) if tip.joint.type not in MOVING else None
        z, point = column(tip.pose.rotation, 2), tip.pose.translation
        wanted = Wanted(guide.row.gamma, guide.row.b) if guide else Wanted()
        found = self._sided_step(axis, z, point, tip.joint, guide, wanted)
        near = guide.row if guide else NO_WISH
        x, y, _ = rotate(transpose(tip.pose.rotation), found.entry)
        row = replace(
            _constants(axis, found, guide),
            theta=clean_angle(atan2(-y, x), near.theta),
            d=clean_length(-found.s, near.d),
        )
        return Placed(joint=tip.joint, row=row, step=found)


def _constants(axis: Axis, found: Step, guide: Guide | None) -> ModifiedRow:
    """What a step puts before the later axis; gamma and b from the frame that the axis holds already."""
    near = guide.row if guide else NO_WISH
    return ModifiedRow(
        gamma=clean_angle(_turn(axis.x, found.x, axis.z), near.gamma),
        b=clean_length(found.t - axis.reached, near.b),
        beta_prev=clean_angle(found.beta, near.beta_prev),
        alpha_prev=clean_angle(found.alpha, near.alpha_prev),
        a_prev=clean_length(found.a, near.a_prev),
        theta=0.0,
        d=0.0,
    )


def _is_far(axis: Axis, found: Step) -> bool:
    """Whether a frame lies where nearly parallel axes meet, or where such a frame has left it."""
    if found.kind in ("skew", "intersecting"):
        return found.angle < FAR_ANGLE
    return axis.far and found.t == axis.reached


def _turn(x: Vector3, to: Vector3, z: Vector3) -> float:
    """Angle in rad about z from one direction across it to another."""
    return atan2(dot(cross(x, to), z), dot(x, to))


def _within_quarter_turn(axis: Axis, found: Step, rules: Rules) -> Step:
    """The step whose x is at most 90 degrees from the axis' own; at 90 degrees x runs from axis to axis."""
    if "theta" in found.free or dot(axis.x, found.x) >= -rules.parallel:
        return found
    return found.reversed()
