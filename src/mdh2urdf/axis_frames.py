"""Denavit-Hartenberg frames on the axes of a skeleton, and the rows from frame to frame.

One walk from the base outwards serves both conventions: whatever lies between two axes (beta, alpha, a) is
kept with the later axis, as modified rows have it; `fit` regroups it for standard rows.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from math import atan2, nan

from mdh2urdf.common_normal import (
    EVERY_ANGLE,
    FAR_ANGLE,
    Axis,
    Rules,
    Step,
    Wanted,
    along_x,
    step,
)
from mdh2urdf.first_axis import first_axis_frame, frame_on, nearest_frame
from mdh2urdf.guide import Guide, Guides, fixed_pose
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH, clean_angle, clean_length, clean_pose, same_pose
from mdh2urdf.origins import modified_origin, tail
from mdh2urdf.robot import MOVING, Joint
from mdh2urdf.screws import Skeleton, Tip
from mdh2urdf.se3 import (
    IDENTITY,
    ORIGIN,
    X_AXIS,
    Transform,
    Vector3,
    column,
    dot,
    rotate,
    scale,
    subtract,
    transpose,
)
from mdh2urdf.step_choice import both_ways, misfit, turn, within_quarter_turn
from mdh2urdf.table import ModifiedRow

ZERO_ROW = ModifiedRow(a_prev=0.0, alpha_prev=0.0, theta=0.0, d=0.0)
NO_WISH = ModifiedRow(a_prev=nan, alpha_prev=nan, theta=nan, d=nan, beta_prev=nan, gamma=nan, b=nan)
"""No number is near to it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """The frame of a body or tip, and the row that leads to it.

    Parameters
    ----------
    joint : Joint
    row : ModifiedRow
        Constants before the axis, theta and d.
    direction : int
    frame : Transform
        Pose of the frame behind the row in the link's frame; z is the joint's axis.
    step : Step or None
        From the axis before; None for the first row.
    onward : Step or None
        To the axis that x follows; None at an end.
    free : tuple of str
        Fields of the row that could have been anything.
    """

    joint: Joint
    row: ModifiedRow
    direction: int = 1
    frame: Transform = IDENTITY
    step: Step | None = None
    onward: Step | None = None
    free: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """Frame 0 in the base link, the frames of all bodies but the base, and of the tips of a tree with their bodies."""

    base: Transform
    bodies: tuple[Placed, ...]
    tips: tuple[tuple[int, Tip, Placed], ...]


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
    return _Walk(bones, rules, wishes, exact).run()


class _Walk:
    """Rows under construction, from the base outwards."""

    def __init__(self, bones: Skeleton, rules: Rules, wishes: Guides, exact: AbstractSet[str]) -> None:
        self.bones = bones
        self.rules = rules
        self.wishes = wishes
        self.exact = exact
        self.joints = [body.joint for body in bones.bodies if body.joint is not None]
        self.children: list[list[int]] = [[] for _ in bones.bodies]
        self.moving = [1] * len(bones.bodies)
        for index in range(1, len(bones.bodies)):
            self.children[bones.bodies[index].parent].append(index)
        for index in range(len(bones.bodies) - 1, 0, -1):
            self.moving[bones.bodies[index].parent] += self.moving[index]
        self.axes: dict[int, Axis] = {}
        self.entered: dict[int, Placed] = {}
        self.tips: list[tuple[int, Tip, Placed]] = []

    def run(self) -> Placement:
        base = self._base()
        bodies = [self._body(index) for index in range(1, len(self.bones.bodies))]
        return Placement(base=base, bodies=tuple(bodies), tips=tuple(self.tips))

    def _joint(self, index: int) -> Joint:
        return self.joints[index - 1]

    def _guide(self, index: int) -> Guide | None:
        return self.wishes.rows.get(self._joint(index).name)

    def _body(self, index: int) -> Placed:
        """The frame of a body, after its row's constants are known; and the way on to its children and tips."""
        axis, guide = self.axes[index], self._guide(index)
        main = self._main(index)
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
            theta=clean_angle(turn(axis.x, x, axis.z), near.theta),
            d=clean_length(t - axis.reached, near.d),
        )
        return replace(entered, row=row, frame=frame, onward=found, free=free)

    def _branches(self, index: int, axis: Axis, main: int | None, frame: Transform) -> None:
        """Rows with gamma and b to the children that x does not follow, and to the tips of a tree."""
        for child in self.children[index]:
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
        body, joint, guide = self.bones.bodies[child], self._joint(child), self._guide(child)
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

    def _main(self, index: int) -> int | None:
        """The child that x follows: most moving joints below it; of a table's rows one without gamma and b."""
        straight = []
        for child in self.children[index]:
            guide = self._guide(child)
            if guide is None or guide.row.gamma == guide.row.b == 0.0:
                straight.append(child)
        return max(straight, key=lambda child: self.moving[child], default=None)

    def _step(self, axis: Axis, child: int, wanted: Wanted) -> tuple[Step, int]:
        """The step to a child and its joint's direction: x within 90 degrees, or both as the guide has them."""
        pose, joint, guide = self.bones.bodies[child].pose, self._joint(child), self._guide(child)
        z = rotate(pose.rotation, joint.axis)
        point = None if joint.type == "prismatic" else pose.translation
        rules = self._rules(joint.name, guide)
        if guide is None:
            return within_quarter_turn(axis, step(axis, z, point, rules), rules), 1
        wanted = replace(wanted, a=guide.row.a_prev)
        ahead = self._foot_ahead(child)
        choices: list[tuple[float, Step, int]] = []
        for sign in (guide.direction, -guide.direction):
            found = step(axis, scale(float(sign), z), point, rules, wanted)
            d = None if ahead is None else sign * ahead - found.s
            for one in both_ways(found):
                theta = turn(axis.x, one.x, axis.z) - wanted.theta
                choices.append((misfit(one, theta, guide, d=d, direction=sign), one, sign))
        _, best, direction = min(choices, key=lambda choice: choice[0])
        return best, direction

    def _rules(self, name: str, guide: Guide | None) -> Rules:
        """What holds before a joint."""
        rules = self.rules
        if guide is not None:
            rules = replace(rules, beta_below=EVERY_ANGLE if guide.row.beta_prev and rules.beta_below else 0.0)
        if name in self.exact:
            rules = replace(rules, parallel=NOISE_ANGLE, touching=NOISE_LENGTH)
        return rules

    def _foot_ahead(self, child: int) -> float | None:
        """Where the next common normal meets a child's axis, if there is one: its d tells the direction."""
        main = self._main(child)
        if main is None or "prismatic" in (self._joint(child).type, self._joint(main).type):
            return None
        own = self._joint(child).axis
        pose = self.bones.bodies[main].pose
        x, _ = nearest_frame(Axis(own, ORIGIN, X_AXIS, 0.0), IDENTITY)
        after = step(
            Axis(own, ORIGIN, x, 0.0),
            rotate(pose.rotation, self._joint(main).axis),
            pose.translation,
            replace(self.rules, beta_below=0.0),
        )
        return None if "d" in after.free else after.t

    def _base(self) -> Transform:
        """Frame 0, after which the first row has nothing (or a table's constants) before its axis."""
        main = self._main(0)
        main = self.children[0][0] if main is None else main
        body, joint, guide = self.bones.bodies[main], self._joint(main), self._guide(main)
        constants = replace(guide.row, theta=0.0, d=0.0) if guide else ZERO_ROW
        before = modified_origin(constants)
        wanted = None if self.wishes.base is None else self.wishes.base @ before
        direction, start = first_axis_frame(body, joint, wanted, guide.direction if guide else 1)
        base = clean_pose(start @ before.inverse())
        if self.wishes.base is not None and same_pose(base, self.wishes.base):
            base = self.wishes.base
        back = body.pose.inverse()
        z = scale(float(direction), joint.axis)
        point = back.apply(start.translation)
        slides = joint.type == "prismatic"
        x = rotate(back.rotation, column(start.rotation, 0))
        self.axes[main] = Axis(z, point if slides else ORIGIN, x, 0.0 if slides else dot(point, z))
        self.entered[main] = Placed(joint=joint, row=constants, direction=direction)
        x, z = column(base.rotation, 0), column(base.rotation, 2)
        self._branches(0, Axis(z, base.translation, x, 0.0), main, base)
        return base

    def _end(self, index: int, axis: Axis, guide: Guide | None) -> tuple[Vector3, float]:
        """X and parameter of a frame whose x follows no child."""
        if self.children[index] and guide is not None:
            return along_x(axis, guide.row.theta), axis.reached + guide.row.d
        return nearest_frame(axis, self._end_target(index))

    def _end_target(self, index: int) -> Transform:
        """The pose in the link's frame to which the last frame of a chain or branch is brought close."""
        body = self.bones.bodies[index]
        if len(self.bones.tips) > 1:
            for tip in body.tips:
                guide = self.wishes.rows.get(tip.joint.name)
                if guide is not None:
                    return tip.pose @ fixed_pose(guide.row).inverse()
            return IDENTITY
        pose = body.tips[0].pose if body.tips else IDENTITY
        if self.wishes.base is not None:
            return pose @ self.wishes.end.inverse() @ tail(self.wishes.tail).inverse()
        return pose if self.rules.standard else IDENTITY

    def _tip(self, axis: Axis, tip: Tip) -> Placed:
        """A fixed row with gamma and b that ends in the tip's own frame."""
        guide = self.wishes.rows.get(tip.joint.name) if tip.joint.type not in MOVING else None
        z, point = column(tip.pose.rotation, 2), tip.pose.translation
        rules = self._rules(tip.joint.name, guide)
        if guide is None:
            found = within_quarter_turn(axis, step(axis, z, point, rules), rules)
        else:
            found = step(axis, z, point, rules, Wanted(guide.row.gamma, guide.row.b))
            theta = guide.row.gamma
            found = min(both_ways(found), key=lambda one: misfit(one, turn(axis.x, one.x, axis.z) - theta, guide))
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
        gamma=clean_angle(turn(axis.x, found.x, axis.z), near.gamma),
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
