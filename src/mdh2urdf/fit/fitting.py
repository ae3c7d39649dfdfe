"""From a robot to a Denavit-Hartenberg table with the same kinematics, and the proof that they agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import pi

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.fit.assemble import Assembled, assemble
from mdh2urdf.fit.axis_frames import place
from mdh2urdf.fit.common_normal import Rules, Step
from mdh2urdf.fit.given import as_given
from mdh2urdf.fit.grids import Tolerances, paired_names, would_snap
from mdh2urdf.fit.guide import Guides, guides
from mdh2urdf.fit.held import held
from mdh2urdf.fit.limits import held_limits
from mdh2urdf.fit.placement import Placed, Placement
from mdh2urdf.fit.report import FitReport, Free, Merged, NearlyParallel, PairRule, Snap
from mdh2urdf.fit.verify import SAMPLES, errors
from mdh2urdf.frames import NEARLY_PARALLEL
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH
from mdh2urdf.robot import Robot
from mdh2urdf.screws import Skeleton, skeleton
from mdh2urdf.se3 import norm
from mdh2urdf.table import Convention, Table

__all__ = ["FitReport", "fit_table"]

FOUR_PARAMETERS = 1e-15
"""m rad: over the angle of the axes, what a common normal that far away costs in double precision."""


def fit_table(
    robot: Robot,
    *,
    convention: Convention = "modified",
    base: str | None = None,
    tip: str | None = None,
    like: Table | None = None,
    snap: bool = False,
    angle_tolerance: float = 1e-5,
    length_tolerance: float = 5e-6,
    units: Units | None = None,
    beta: bool = True,
) -> tuple[Table, FitReport]:
    """A table whose forward kinematics equal the robot's for every q, and what was found on the way.

    Parameters
    ----------
    robot : Robot
    convention : {'modified', 'standard'}
    base, tip : str, optional
        Ends of the chain; by default the root, and the only leaf or (modified) the whole tree.
    like : Table, optional
        Free choices and signs follow this table.
    snap : bool
        Move numbers to a given table's or to round ones where that is within the tolerances.
    angle_tolerance, length_tolerance : float
        rad, m.
    units : Units, optional
        That the table is to be written in, default rad and m.
    beta : bool
        Whether nearly parallel axes may have Hayati's fifth parameter.

    Raises
    ------
    Mdh2UrdfError
        If a link is unknown, a joint has no screw, nothing moves, a standard table would have several
        ends, or the given table does not match.
    """
    robot, unheld = held(robot)
    bones = skeleton(robot, base, tip)
    if convention == "standard" and len(bones.tips) > 1:
        leaves = ", ".join(bones.tips)
        raise Mdh2UrdfError(f"a standard table is one chain; choose its end by --tip, the leaves are {leaves}")
    wishes = guides(like, bones, convention)
    rules = Rules(standard=convention == "standard", beta_below=NEARLY_PARALLEL if beta else 0.0)
    task = _Task(
        bones, wishes, rules, units or Units(), like, Tolerances(angle=angle_tolerance, length=length_tolerance)
    )
    table, report = task.snapped() if snap else task.exact()
    parts = {joint.name for joint in bones.robot.joints} | {link.name for link in bones.robot.links}
    report = replace(report, unheld=tuple(one for one in unheld if one.place in parts))
    return (table if like is None else as_given(table, like, paired_names(table, like))), report


@dataclass(frozen=True, slots=True)
class _Task:
    """What is fitted and how."""

    bones: Skeleton
    wishes: Guides
    rules: Rules
    units: Units
    like: Table | None
    tolerances: Tolerances

    def assembled(self, placement: Placement) -> Assembled:
        return assemble(self.bones, placement, self.wishes, self.units, standard=self.rules.standard)

    def exact(self) -> tuple[Table, FitReport]:
        """The table as the axes have it."""
        placement = place(self.bones, self.rules, self.wishes)
        whole = self.assembled(placement)
        report = _report(self.bones, placement, whole.table, whole.tips)
        return whole.table, replace(report, would_snap=would_snap(whole.table, self.tolerances, self.like))

    def snapped(self) -> tuple[Table, FitReport]:
        """The table whose numbers, and neighbouring axes, are round within the tolerances."""
        from mdh2urdf.fit.snap import TOO_FAR, missed_after_refit, snap

        loose = replace(
            self.rules,
            parallel=max(NOISE_ANGLE, self.tolerances.angle),
            touching=max(NOISE_LENGTH, self.tolerances.length),
        )
        exact: dict[str, tuple[Snap, ...]] = {}
        while True:
            placement = place(self.bones, loose, self.wishes, frozenset(exact))
            whole = self.assembled(placement)
            taken = {placed.joint.name: tuple(self._taken_for_round(placed)) for placed in placement.bodies}
            taken = {name: snaps for name, snaps in taken.items() if snaps}
            if not taken or missed_after_refit(whole.table, self.bones.robot, whole.tips, self.tolerances) <= TOO_FAR:
                break
            worst = max(taken, key=lambda name: max(abs(one.value - one.to) for one in taken[name]))
            exact[worst] = tuple(replace(one, undone=True) for one in taken[worst])
        result = snap(whole.table, self.bones.robot, whole.tips, self.tolerances, self.like)
        report = _report(self.bones, placement, result.table, result.tips)
        pairs = [one for snaps in (*taken.values(), *exact.values()) for one in snaps]
        told = {(one.place, one.field) for one in pairs}
        numbers = [one for one in result.snaps if (one.place, one.field) not in told]
        return result.table, replace(report, snaps=(*pairs, *numbers))

    def _taken_for_round(self, placed: Placed) -> Iterator[Snap]:
        """What a step has taken for parallel or touching that is so only within the tolerances."""
        step = placed.step
        if step is None:
            return
        if (
            step.kind in ("parallel", "coincident", "prismatic")
            and step.angle > NOISE_ANGLE
            and step.alpha in (0.0, pi)
        ):
            yield Snap(place=placed.joint.name, field="alpha", value=step.alpha + step.angle, to=step.alpha)
        if step.gap > NOISE_LENGTH:
            yield Snap(place=placed.joint.name, field="a", value=step.gap, to=0.0)


def _report(bones: Skeleton, placement: Placement, table: Table, tips: Mapping[str, str]) -> FitReport:
    """What a placement has left free and merged, and how well its table does what the robot does."""
    position, angle = errors(table, bones.robot, tips)
    return FitReport(
        position_error=position,
        angle_error=angle,
        samples=SAMPLES + 1,
        free=tuple(
            Free(joint=one.joint.name, fields=one.free, reason=_reason(one)) for one in placement.bodies if one.free
        ),
        nearly_parallel=tuple(_nearly_parallel(bones, placement)),
        merged=tuple(Merged(link=link.name, into=body.link.name) for body in bones.bodies for link, _ in body.fixed),
        left_out=bones.left_out,
        unled=bones.unled,
        limits=tuple(gap for one in placement.bodies if (gap := held_limits(one.joint)[1])),
        units=table.units,
    )


def _reason(placed: Placed) -> str:
    if placed.onward is None:
        return "no axis follows"
    kind = "on the same line" if placed.onward.kind == "coincident" else placed.onward.kind
    return f"the next axis is {kind}"


def _nearly_parallel(bones: Skeleton, placement: Placement) -> Iterator[NearlyParallel]:
    """Pairs of axes that are nearly parallel, and what their rows make of it."""
    reach = sum(norm(body.pose.translation) for body in bones.bodies)
    reach += sum(norm(tip.pose.translation) for tip in bones.bodies[-1].tips)
    rows = [
        (placed, bones.bodies[body.parent]) for placed, body in zip(placement.bodies, bones.bodies[1:], strict=True)
    ]
    rows += [(placed, bones.bodies[index]) for index, _, placed in placement.tips]
    for placed, before in rows:
        step = placed.step
        if step is None or not NOISE_ANGLE < step.angle < NEARLY_PARALLEL:
            continue
        rule, error = _cost(step, reach)
        yield NearlyParallel(
            earlier=before.link.name if before.joint is None else before.joint.name,
            later=placed.joint.name,
            angle=step.angle,
            rule=rule,
            distance=max(abs(step.t), abs(step.s)),
            error=error,
        )


def _cost(step: Step, reach: float) -> tuple[PairRule, float]:
    """The rule that a nearly parallel pair was fitted by, and the error in m that it may bring."""
    match step.kind:
        case "nearly parallel":
            return "beta", 0.0
        case "prismatic":
            return "prismatic", 0.0
        case "parallel" | "coincident":
            return "parallel", step.angle * reach
    return "four parameters", FOUR_PARAMETERS / step.angle
