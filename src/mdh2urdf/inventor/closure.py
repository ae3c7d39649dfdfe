"""Loop closure: the equations of cut joints over the joints of the tree, solved by Gauss-Newton steps."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from mdh2urdf.inventor.couplings import value_at_export
from mdh2urdf.inventor.graph import Graph, mount
from mdh2urdf.inventor.measure import part_poses
from mdh2urdf.inventor.motion import motion, value_of
from mdh2urdf.inventor.plan import JointPlan, Step
from mdh2urdf.inventor.poses import Array, inverse, rotation_vectors
from mdh2urdf.inventor.tree import Cut, Edge

RANK_TOLERANCE = 1e-5
"""Relative: singular values below are no equations but noise of the measured axes (1e-6)."""

STEP_TOLERANCE = 1e-13
"""rad or m: a step of the solver that changes nothing any more."""

CLOSED = 1e-5
"""m and rad: a loop whose ends are farther apart is open; the noise of measured axes is smaller."""

MAX_STEPS = 40


@dataclass(frozen=True, slots=True)
class Variable:
    """One moving piece of a joint: the number of its plan and of its step in it."""

    plan: int
    step: int


@dataclass(kw_only=True, slots=True)
class System:
    """Loops that share joints, as one set of equations.

    Parameters
    ----------
    graph : Graph
    cuts : list of Cut
    plans : list of JointPlan
        Of the loops' tree joints, nearest to the ground first, then of the cut joints.
    free : int
        Number of plans that are tree joints.
    """

    graph: Graph
    cuts: list[Cut]
    plans: list[JointPlan]
    free: int
    variables: list[Variable] = field(default_factory=list)
    before: dict[int, list[int]] = field(default_factory=dict)
    length: float = 1.0

    def __post_init__(self) -> None:
        self.variables = [
            Variable(i, j)
            for i, plan in enumerate(self.plans)
            for j, step in enumerate(plan.steps)
            if step.type != "fixed"
        ]
        for i, plan in enumerate(self.plans[: self.free]):
            own = [k for k, variable in enumerate(self.variables) if variable.plan == i]
            self.before[plan.edge.child] = [*self.before.get(plan.edge.parent, []), *own]
        points = [plan.steps[-1].screw.parent_from_child[:3, 3] for plan in self.plans]
        self.length = max(1e-3, float(np.linalg.norm(points, axis=1).max()))

    @property
    def tree_variables(self) -> list[int]:
        """Variables of the tree's joints; the rest are those of the cut joints."""
        return [k for k, variable in enumerate(self.variables) if variable.plan < self.free]

    def name(self, variable: int) -> str:
        """CAD name of a variable's joint, with the suffix of its piece."""
        plan = self.plans[self.variables[variable].plan]
        return plan.name + plan.steps[self.variables[variable].step].suffix

    def step(self, variable: int) -> Step:
        """The piece that a variable moves."""
        return self.plans[self.variables[variable].plan].steps[self.variables[variable].step]

    def measured(self, poses: Array | None) -> Array | None:
        """Values of all variables in a sample, shape (n, 4, 4), or at export; None where a pose is missing.

        Pieces of split joints are not measured; they stand at 0.
        """
        values = np.zeros(len(self.variables))
        for k, variable in enumerate(self.variables):
            plan = self.plans[variable.plan]
            if len(plan.steps) > 1:
                continue
            if poses is None:
                values[k] = value_at_export(self.graph, plan)
                continue
            parts = (plan.edge.parent_part, plan.edge.child_part)
            parent, child = (part_poses(poses[None], part)[0] for part in parts)
            values[k] = value_of(plan.steps[0].screw, inverse(parent) @ child)
        return None if np.isnan(values).any() else values


def _walk(system: System, plan: int, start: Array, values: Array) -> tuple[Array, Array]:
    """Pose behind a joint's motion and the twists of its variables (axis, point; travel: axis, NaN) on the way."""
    pose = start
    twists = []
    for j, step in enumerate(system.plans[plan].steps):
        if step.type != "fixed":
            axis, point = pose[:3, :3] @ step.screw.axis, pose[:3, :3] @ step.screw.point + pose[:3, 3]
            twists.append(np.concatenate((axis, point if step.screw.kind == "turn" else np.full(3, np.nan))))
            value = values[system.variables.index(Variable(plan, j))]
            pose = pose @ motion(step.screw.kind, step.screw.axis, step.screw.point, float(value))
        pose = pose @ step.screw.parent_from_child
    return pose, np.array(twists).reshape(-1, 6)


def _columns(twists: Array, end: Array, length: float) -> Array:
    """Velocity of a point for each twist, shape (6, k): travel over the characteristic length, then turn."""
    axis, point = twists[:, :3], twists[:, 3:]
    turns = ~np.isnan(point[:, :1])
    linear = np.where(turns, np.cross(axis, end - np.nan_to_num(point)), axis) / length
    return np.concatenate((linear, np.where(turns, axis, 0.0)), axis=1).T


def closure(system: System, values: Array) -> tuple[Array, Array]:
    """How far the loops are open, shape (6 cuts,), and its derivative, shape (6 cuts, variables)."""
    graph = system.graph
    top = system.plans[0].edge.parent
    heads: dict[int, Array] = {top: np.eye(4)}
    twists = np.full((len(system.variables), 6), np.nan)
    places = {variable: k for k, variable in enumerate(system.variables)}

    def through(plan: int, edge: Edge) -> Array:
        start = heads[edge.parent] @ mount(graph, edge.parent_part)
        pose, own = _walk(system, plan, start, values)
        moving = [j for j, step in enumerate(system.plans[plan].steps) if step.type != "fixed"]
        twists[[places[Variable(plan, j)] for j in moving]] = own
        return pose

    for i, plan in enumerate(system.plans[: system.free]):
        heads[plan.edge.child] = through(i, plan.edge) @ inverse(mount(graph, plan.edge.child_part))
    errors, rows = [], []
    for i, plan in enumerate(system.plans[system.free :], start=system.free):
        near = through(i, plan.edge)
        far = heads[plan.edge.child] @ mount(graph, plan.edge.child_part)
        turn = rotation_vectors((near[:3, :3] @ far[:3, :3].T)[None])[0]
        errors.append(np.concatenate(((near[:3, 3] - far[:3, 3]) / system.length, turn)))
        row = np.zeros((6, len(system.variables)))
        own = [k for k, variable in enumerate(system.variables) if variable.plan == i]
        for chain, end, sign in (
            (system.before.get(plan.edge.parent, []) + own, near, 1.0),
            (system.before.get(plan.edge.child, []), far, -1.0),
        ):
            row[:, chain] += sign * _columns(twists[chain], end[:3, 3], system.length)
        rows.append(row)
    return np.concatenate(errors), np.concatenate(rows)


def solve(system: System, values: Array, fixed: list[int]) -> Array | None:
    """Values near the given ones that close the loops, with some variables held; None if they do not close."""
    unknown = [k for k in range(len(system.variables)) if k not in fixed]
    values = values.copy()
    for _ in range(MAX_STEPS):
        error, jacobian = closure(system, values)
        step = np.linalg.lstsq(jacobian[:, unknown], -error, rcond=RANK_TOLERANCE)[0]
        values[unknown] += np.clip(step, -0.3, 0.3)
        if float(np.abs(step).max(initial=0.0)) < STEP_TOLERANCE:
            break
    error, _ = closure(system, values)
    return values if float(np.abs(error).max()) <= CLOSED else None


def drivers(system: System, values: Array, last: frozenset[str]) -> list[int]:
    """Tree variables that must be given so that the loops' other joints follow; nearest to the ground first.

    Parameters
    ----------
    last : frozenset of str
        Joints that are ordered to follow, and so drive only if nothing else can.
    """
    _, jacobian = closure(system, values)
    _, singular, right = np.linalg.svd(jacobian)
    rank = int((singular > RANK_TOLERANCE * singular.max(initial=0.0)).sum())
    free = right[rank:]
    chosen: list[int] = []
    order = sorted(system.tree_variables, key=lambda k: system.name(k) in last)
    for k in order:
        rows = free[:, [*chosen, k]]
        if np.linalg.matrix_rank(rows, tol=1e-4) == len(chosen) + 1:
            chosen.append(k)
    return sorted(chosen)
