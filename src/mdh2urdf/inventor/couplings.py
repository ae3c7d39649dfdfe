"""Joints that follow others by a motion constraint of the CAD or by order, and chains of followers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.dump import MotionConstraint
from mdh2urdf.inventor.graph import Graph, head, unknown_name
from mdh2urdf.inventor.measure import part_poses
from mdh2urdf.inventor.motion import value_of
from mdh2urdf.inventor.options import MimicOrder
from mdh2urdf.inventor.plan import JointPlan
from mdh2urdf.inventor.poses import MEASURED_DECIMALS, Array, inverse
from mdh2urdf.inventor.tree import Cut
from mdh2urdf.robot import Mimic

RATIO_TOLERANCE = 1e-3
"""Relative: how far the measured ratio may be from the constraint's."""

MOVED = 1e-4
"""rad or m: a change of value that tells a ratio."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Follower:
    """A joint whose value follows another's; URDF values, names of the CAD.

    Parameters
    ----------
    residual : float
        Largest distance from ``multiplier * leader + offset``, rad or m.
    mimic : bool
        Whether it becomes a mimic joint.
    table : tuple
        Pairs of leader's and own value where it is no straight line.
    reach : tuple
        The leader's values over which it was solved.
    coupled_error : float or None
        Largest difference from the coupled probe.
    """

    joint: str
    leader: str
    multiplier: float
    offset: float
    source: str
    residual: float = 0.0
    mimic: bool = True
    table: tuple[tuple[float, float], ...] = ()
    reach: tuple[float, float] | None = None
    coupled_error: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Loop:
    """Loops that share joints, or (without cuts) joints that a motion constraint or an order couples.

    Parameters
    ----------
    cuts : tuple of Cut
    plans : tuple of JointPlan
        Of the cut joints that could be measured.
    joints : tuple of str
        CAD names of the tree joints in the loops.
    drivers : tuple of str
    closed : mapping of str to float
        Values of the moving tree joints in one pose in which every loop is closed, by CAD name and suffix.
    followers : tuple of Follower
    unsolved : str
        Why the followers are not known; empty if they are.
    """

    cuts: tuple[Cut, ...] = ()
    plans: tuple[JointPlan, ...] = ()
    joints: tuple[str, ...] = ()
    drivers: tuple[str, ...] = ()
    closed: Mapping[str, float] = field(default_factory=dict)
    followers: tuple[Follower, ...] = ()
    unsolved: str = ""

    @property
    def mimics(self) -> dict[str, Mimic]:
        """Mimic of every follower that is one, by CAD name; the leader by CAD name too."""
        return {
            follower.joint: Mimic(joint=follower.leader, multiplier=follower.multiplier, offset=follower.offset)
            for follower in self.followers
            if follower.mimic
        }


def ordered(graph: Graph, plans: list[JointPlan], orders: Sequence[MimicOrder], urdf: dict[str, str]) -> list[Follower]:
    """Followers by ``--mimic`` and the settings.

    Raises
    ------
    Mdh2UrdfError
        For joints that do not exist or do not move.
    """
    moving = [plan.name for plan in plans if len(plan.steps) == 1 and plan.steps[0].type != "fixed"]
    cad = {urdf[name]: name for name in moving} | {name: name for name in moving}
    orders = [order.among(cad) for order in orders]
    problems = [
        f"mimic: {unknown_name(name, moving, 'moving joint')}"
        for order in orders
        for name in (order.child, order.joint)
        if name not in cad
    ]
    problems += [f"mimic: {order.child!r} cannot follow itself" for order in orders if order.child == order.joint]
    if problems:
        raise Mdh2UrdfError(Finding(file=graph.dump.file, message=problem) for problem in problems)
    followers = {
        cad[order.child]: Follower(
            joint=cad[order.child],
            leader=cad[order.joint],
            multiplier=order.multiplier,
            offset=order.offset,
            source="order",
        )
        for order in orders
    }
    return list(followers.values())


def constrained(graph: Graph, plans: list[JointPlan]) -> list[Follower]:
    """Followers by the motion constraints of the assembly, sign and zero from the poses."""
    of_child = {plan.edge.child: plan for plan in plans if len(plan.steps) == 1 and plan.steps[0].type != "fixed"}
    followers: list[Follower] = []
    for i, constraint in enumerate(graph.dump.motion_constraints):
        path = f"motion_constraints[{i}]"
        one, two = (of_child.get(head(graph, part)) for part in (constraint.one, constraint.two))
        if one is None or two is None or one is two:
            graph.note("motion-constraint", f"{constraint.name} does not couple two joints of the tree: left out", path)
            continue
        ratio = _ratio(graph, constraint, one, two, path)
        value_one, value_two = (value_at_export(graph, plan) for plan in (one, two))
        offset = value_two - ratio * value_one
        offset = float(np.round(offset, MEASURED_DECIMALS)) + 0.0
        if any(follower.joint == two.name for follower in followers):
            graph.note("motion-constraint", f"{constraint.name}: {two.name} follows another joint already", path)
            continue
        followers.append(
            Follower(joint=two.name, leader=one.name, multiplier=ratio, offset=offset, source=constraint.name)
        )
    return followers


def value_at_export(graph: Graph, plan: JointPlan) -> float:
    """URDF value of a joint at export: the CAD's, which may count several turns, else measured."""
    value = plan.edge.joint.coordinate(plan.steps[0].quantity).value
    return _measured(plan, None, graph) if value is None else plan.urdf_value(value)


def _change(graph: Graph, plan: JointPlan, before: Array | None, after: Array) -> float:
    """Change of a joint's value between two samples; of a turn the smaller way round."""
    change = _measured(plan, after, graph) - _measured(plan, before, graph)
    if plan.steps[0].quantity == "linear":
        return change
    return float(np.remainder(change + np.pi, 2.0 * np.pi) - np.pi)


def _measured(plan: JointPlan, poses: Array | None, graph: Graph) -> float:
    """URDF value of a joint in a sample, or at export; NaN where a pose is missing."""
    parts = (plan.edge.parent_part, plan.edge.child_part)
    parent, child = (graph.pose(part) if poses is None else part_poses(poses[None], part)[0] for part in parts)
    return value_of(plan.steps[0].screw, inverse(parent) @ child)


def _ratio(graph: Graph, constraint: MotionConstraint, one: JointPlan, two: JointPlan, path: str) -> float:
    """Exact ratio with the measured sign; without a measured motion the sign of ``forward``, with a finding."""
    exact = _exact(constraint, one, two)
    seen = _seen(graph, one, two)
    if seen is None:
        forward = 1.0 if constraint.forward in (True, None) else -1.0
        axes = float(np.sign(_axis(graph, one) @ _axis(graph, two))) or 1.0
        graph.note(
            "motion-constraint", f"{constraint.name}: its sign was not measured and is taken from 'forward'", path
        )
        return forward * axes * exact[0]
    for size in exact:
        if abs(abs(seen) / size - 1.0) <= RATIO_TOLERANCE:
            if size != exact[0]:
                graph.note("motion-constraint", f"{constraint.name}: its ratio is the other way round", path)
            return float(np.copysign(size, seen))
    graph.note(
        "motion-constraint", f"{constraint.name}: its ratio is {exact[0]:.6g}, but {seen:.6g} was measured", path
    )
    return float(np.copysign(exact[0], seen))


def _exact(constraint: MotionConstraint, one: JointPlan, two: JointPlan) -> list[float]:
    """Sizes that the constraint's number may stand for, the documented one first, in rad and m.

    Rotation to rotation: turns of the second for a turn of the first. Rotation to translation: cm of the
    second for a turn of the first.
    """
    size = abs(constraint.ratio)
    slides = [plan.steps[0].quantity == "linear" for plan in (one, two)]
    if slides == [False, True]:
        return [0.01 * size / (2.0 * np.pi), 0.01 * size]
    if slides == [True, False]:
        return [2.0 * np.pi / (0.01 * size), 1.0 / (0.01 * size)]
    return [size, 1.0 / size]


def _seen(graph: Graph, one: JointPlan, two: JointPlan) -> float | None:
    """Change of the second value for each change of the first, from the samples in which both moved."""
    changes = []
    for joint in graph.dump.joints:
        for probe in (joint.coupled_probe, joint.probe):
            if probe is not None and probe.moved and joint.name in (one.name, two.name):
                changes += [
                    [_change(graph, plan, probe.poses[0], pose) for plan in (one, two)] for pose in probe.poses[1:]
                ]
    for verification in graph.dump.verify:
        changes.append([_change(graph, plan, None, verification.poses) for plan in (one, two)])
    both = [pair for pair in changes if all(abs(change) > MOVED for change in pair)]
    if not both:
        return None
    first, second = np.array(both).T
    return float(first @ second / (first @ first))


def _axis(graph: Graph, plan: JointPlan) -> Array:
    """Axis of a joint in the assembly at export."""
    return np.asarray(graph.pose(plan.edge.parent_part)[:3, :3] @ plan.steps[0].screw.axis)


def flattened(graph: Graph, loops: Sequence[Loop]) -> list[Loop]:
    """Loops whose mimic followers name a joint that follows no other: few programs resolve chains."""
    mimics = {follower.joint: follower for loop in loops for follower in loop.followers if follower.mimic}

    def resolved(follower: Follower) -> Follower | None:
        seen = {follower.joint}
        while follower.mimic and follower.leader in mimics:
            if follower.leader in seen:
                graph.note("mimic", f"{follower.joint} follows itself in a circle and stays independent")
                return None
            seen.add(follower.leader)
            above = mimics[follower.leader]
            follower = replace(
                follower,
                leader=above.leader,
                multiplier=follower.multiplier * above.multiplier,
                offset=follower.multiplier * above.offset + follower.offset,
            )
        return follower

    followers = [tuple(found for follower in loop.followers if (found := resolved(follower))) for loop in loops]
    kept = [replace(loop, followers=own) for loop, own in zip(loops, followers, strict=True)]
    return [loop for loop in kept if loop.cuts or loop.followers]
