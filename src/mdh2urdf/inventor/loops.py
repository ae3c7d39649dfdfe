"""Loops of the assembly: who drives, who follows, and whether a follower is a mimic joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from mdh2urdf.inventor.closure import System, drivers, solve
from mdh2urdf.inventor.couplings import Follower, Loop, constrained, flattened, ordered
from mdh2urdf.inventor.option_text import parse_follow
from mdh2urdf.inventor.options import MimicOrder
from mdh2urdf.inventor.plan import JointPlan, Plans
from mdh2urdf.inventor.poses import Array
from mdh2urdf.inventor.tree import Cut, Tree

LINEAR = 1e-6
"""rad or m: a follower that keeps to a straight line of its driver within this is a mimic joint."""

OFFSET_DECIMALS = 9
"""Decimals of an offset in rad or m: it comes of solved loops, whose axes have eleven."""

SAMPLES = 24
"""Samples of a driver's range on each side of the pose at export."""

COUPLED_TOLERANCE = 1e-4
"""rad or m: what a solved follower may differ from the coupled probe before it is told."""


def follow(tree: Tree, planned: Plans, orders: Sequence[MimicOrder], urdf: dict[str, str]) -> list[Loop]:
    """All couplings of a tree's joints: by order, by motion constraints, by closed loops, in this precedence.

    Parameters
    ----------
    urdf : dict
        URDF name of every joint by CAD name; orders may use either.
    """
    graph, plans = tree.graph, planned.joints
    given = [replace(found, child=plan.name) for plan in plans if (found := parse_follow(plan.settings.mimic or ""))]
    by_order = ordered(graph, plans, [*given, *orders], urdf)
    by_constraint = constrained(graph, plans)
    told = {follower.joint for follower in by_order}
    by_constraint = [follower for follower in by_constraint if follower.joint not in told]
    told |= {follower.joint for follower in by_constraint}
    loops = [_solved(tree, planned, cuts, frozenset(told)) for cuts in _sharing(tree.cuts)]
    loops = [replace(loop, followers=tuple(f for f in loop.followers if f.joint not in told)) for loop in loops]
    others = [Loop(followers=(follower,)) for follower in (*by_order, *by_constraint)]
    return flattened(graph, [*loops, *others])


def _sharing(cuts: Sequence[Cut]) -> list[list[Cut]]:
    """Cuts grouped so that loops with a joint in common are together."""
    groups: list[list[Cut]] = []
    for cut in cuts:
        joints = {edge.joint.name for edge in cut.loop}
        touching = [group for group in groups if any(e.joint.name in joints for other in group for e in other.loop)]
        groups = [group for group in groups if group not in touching]
        groups.append([*(other for group in touching for other in group), cut])
    return groups


def _solved(tree: Tree, planned: Plans, cuts: list[Cut], told: frozenset[str]) -> Loop:
    """One group of loops with its drivers and followers."""
    names = {edge.joint.name for cut in cuts for edge in cut.loop}
    own = [plan for plan in planned.joints if plan.name in names]
    loop = Loop(cuts=tuple(cuts), joints=tuple(plan.name for plan in own))
    closing: list[JointPlan] = []
    for cut in cuts:
        plan = planned.closing[cut.edge.joint.name]
        if isinstance(plan, str):
            return _unsolved(tree, replace(loop, unsolved=f"{cut.edge.joint.name} was not measured: {plan}"))
        closing.append(plan)
    loop = replace(loop, plans=tuple(closing))
    system = System(graph=tree.graph, cuts=cuts, plans=[*own, *closing], free=len(own))
    start = _best_start(system, told)
    if start is None:
        return _unsolved(tree, replace(loop, unsolved="its measured axes do not close at export"))
    values, driving = start
    if not driving:
        return _unsolved(tree, replace(loop, unsolved="its joints hold each other, so that none can move"))
    followers = _followers(system, values, driving)
    closed = {system.name(k): float(np.round(values[k], OFFSET_DECIMALS)) + 0.0 for k in system.tree_variables}
    drivers_of = tuple(system.name(k) for k in driving)
    loop = replace(loop, drivers=drivers_of, closed=closed, followers=tuple(followers))
    return _compared(tree, system, loop, driving)


def _unsolved(tree: Tree, loop: Loop) -> Loop:
    cut = ", ".join(cut.edge.joint.name for cut in loop.cuts)
    tree.graph.note("loop", f"the loop of {cut} is not solved, its joints stay independent: {loop.unsolved}")
    return loop


def _samples(system: System) -> list[Array]:
    """Values of all variables wherever every loop was closed: at export, then in the coupled probes."""
    found = [system.measured(None)]
    names = {plan.name for plan in system.plans}
    for joint in system.graph.dump.joints:
        if joint.name in names and joint.coupled_probe is not None and joint.coupled_probe.moved:
            found += [system.measured(poses) for poses in joint.coupled_probe.poses]
    return [values for values in found if values is not None]


def _best_start(system: System, told: frozenset[str]) -> tuple[Array, list[int]] | None:
    """A closed pose and the drivers there; the one with fewest drivers, for at dead points there seem to be more."""
    best: tuple[Array, list[int]] | None = None
    for values in _samples(system):
        closed = solve(system, values, system.tree_variables[:0])
        if closed is not None:
            chosen = drivers(system, closed, told)
            if best is None or len(chosen) < len(best[1]):
                best = (closed, chosen)
    return best


def _range(system: System, driver: int, start: float) -> tuple[float, float]:
    """Range over which a driver is moved: its limits, a whole turn, or a slider's lack of both: 0.1 m each way."""
    step = system.step(driver)
    if step.lower is not None and step.upper is not None:
        return step.lower, step.upper
    reach = np.pi if step.quantity == "angular" else 0.1
    return start - reach, start + reach


def _swept(system: System, values: Array, driver: int, held: list[int]) -> Array:
    """Solutions over a driver's range, shape (k, variables), as far as the loops close on each side."""
    low, high = _range(system, driver, float(values[driver]))
    rows = [values]
    for end in (low, high):
        before: Array | None = None
        last = values
        for target in np.linspace(values[driver], end, SAMPLES + 1)[1:]:
            # Going straight on keeps to one branch where two meet, as a parallelogram's when it lies flat.
            guess = last.copy() if before is None else 2.0 * last - before
            guess[driver] = target
            found = solve(system, guess, held)
            if found is None:
                break
            before, last = last, found
            rows.append(found)
    return np.array(sorted(rows, key=lambda row: float(row[driver])))


def _followers(system: System, values: Array, driving: list[int]) -> list[Follower]:
    """The other tree joints of the loops: mimic where one driver alone moves them in a straight line."""
    sweeps = {driver: _swept(system, values, driver, driving) for driver in driving}
    return [_follower(system, k, sweeps, driving[0]) for k in system.tree_variables if k not in driving]


def _follower(system: System, k: int, sweeps: dict[int, Array], first: int) -> Follower:
    """What a joint does while each driver is moved; ``first`` is told for one that nothing moves."""
    moved_by = [driver for driver, rows in sweeps.items() if float(np.ptp(rows[:, k])) > LINEAR]
    leader = moved_by[0] if moved_by else first
    rows = sweeps[leader]
    multiplier, offset, residual = straight(rows[:, leader], rows[:, k])
    split = any(len(system.plans[system.variables[item].plan].steps) > 1 for item in (k, leader))
    mimic = len(moved_by) <= 1 and residual <= LINEAR and float(np.ptp(rows[:, leader])) > LINEAR and not split
    return Follower(
        joint=system.name(k),
        leader=system.name(leader),
        multiplier=multiplier,
        offset=offset,
        residual=residual,
        mimic=mimic,
        source="loop closure",
        table=() if mimic else _table(rows[:, [leader, k]]),
        reach=(float(rows[0, leader]), float(rows[-1, leader])),
    )


def _table(pairs: Array) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in np.round(pairs, OFFSET_DECIMALS) + 0.0)


def straight(x: Array, y: Array) -> tuple[float, float, float]:
    """``y = k x + c`` by least squares and its largest error; k whole and c 0 where that fits as well."""
    spread = float((x - x.mean()) @ (x - x.mean()))
    k = float((x - x.mean()) @ (y - y.mean())) / spread if spread > 0.0 else 0.0
    whole = float(round(k))
    if abs(k - whole) * float(np.ptp(x)) <= LINEAR:
        k = whole
    c = float((y - k * x).mean())
    c = float(np.round(c, OFFSET_DECIMALS)) + 0.0
    return k, c, float(np.abs(y - k * x - c).max())


def _compared(tree: Tree, system: System, loop: Loop, driving: list[int]) -> Loop:
    """Followers with the largest difference between the coupled probes and the solved loops."""
    worst: dict[str, float] = {}
    for values in _samples(system)[1:]:
        closed = solve(system, values, driving)
        if closed is not None:
            for k in system.tree_variables:
                name = system.name(k)
                worst[name] = max(worst.get(name, 0.0), abs(float(closed[k] - values[k])))
    for follower in loop.followers:
        if worst.get(follower.joint, 0.0) > COUPLED_TOLERANCE:
            tree.graph.note(
                "coupled-probe",
                f"{follower.joint}: the solved loop and the coupled probe differ by {worst[follower.joint]:.3g}",
            )
    return replace(loop, followers=tuple(replace(f, coupled_error=worst.get(f.joint)) for f in loop.followers))
