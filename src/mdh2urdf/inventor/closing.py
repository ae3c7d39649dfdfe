"""The joints that close loops, with their frames in the robot's links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from mdh2urdf.inventor.build import Built, Names
from mdh2urdf.inventor.couplings import Loop as Loops
from mdh2urdf.inventor.dump import BALL, CYLINDRICAL, PLANAR
from mdh2urdf.inventor.graph import mount
from mdh2urdf.inventor.plan import JointPlan
from mdh2urdf.inventor.poses import as_transform, compose, inverse, settled, settled_axis, vector
from mdh2urdf.loop import Loop, LoopType

SPLIT_TYPES: Mapping[str, LoopType] = {BALL: "ball", CYLINDRICAL: "cylindrical", PLANAR: "planar"}
"""What closes a loop as one joint, though in the tree it would be split."""


def loop_name(joint: str) -> str:
    """Key of a closing joint among the names of joints."""
    return f"{joint} (loop)"


def closing_joint(plan: JointPlan, loops: Loops, names: Names, built: Built) -> Loop:
    """A measured cut joint as the joint that closes its loop."""
    step = plan.steps[-1]
    edge, graph = plan.edge, built.graph
    parent, child = (inverse(built.head_from_link[end]) for end in (edge.parent, edge.child))
    frame_a = compose(np.eye(3), step.screw.point)
    frame_b = inverse(step.screw.parent_from_child) @ frame_a
    at_a = settled(parent @ mount(graph, edge.parent_part) @ frame_a)
    axis = settled_axis((parent @ mount(graph, edge.parent_part))[:3, :3] @ step.screw.axis)
    kind: LoopType = SPLIT_TYPES[edge.joint.type] if len(plan.steps) > 1 else _type(step.type)
    return Loop(
        name=names.joints[loop_name(plan.name)],
        type=kind,
        link_a=built.link_of[edge.parent],
        link_b=built.link_of[edge.child],
        frame_a=as_transform(at_a),
        frame_b=as_transform(settled(child @ mount(graph, edge.child_part) @ frame_b)),
        axis=vector((at_a[:3, :3].T @ axis).tolist()),
        passive=tuple(names.joints[name] for name in loops.closed if name not in loops.drivers),
        closed={names.joints[name]: value for name, value in loops.closed.items()},
    )


def _type(step: str) -> LoopType:
    for known in ("revolute", "continuous", "prismatic"):
        if step == known:
            return known
    return "fixed"


def closing_joints(loops: Sequence[Loops], names: Names, built: Built) -> tuple[Loop, ...]:
    """All cut joints that could be measured."""
    return tuple(closing_joint(plan, loop, names, built) for loop in loops for plan in loop.plans)
