"""The screw of a tree joint from whatever the dump holds of it: probe, coupled probe, geometry."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mdh2urdf.inventor.dump import Joint, Probe, Quantity
from mdh2urdf.inventor.graph import ASSEMBLY, Graph
from mdh2urdf.inventor.motion import (
    BESIDE_ANGLE,
    BESIDE_LENGTH,
    RATE_TOLERANCE,
    Kind,
    Screw,
    measured_screw,
    relative_poses,
    value_of,
)
from mdh2urdf.inventor.poses import Array, inverse
from mdh2urdf.inventor.tree import Edge


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Measured:
    """A screw with its origin.

    Parameters
    ----------
    screw : Screw
        Between the edge's two parts, zero at the joint's value 0.
    source : str
        ``probe``, ``coupled probe``, ``geometry`` or ``pose at export``.
    shift : float
        What the CAD's values must be lowered by: not 0 where the dump has no value at export.
    """

    screw: Screw
    source: str
    shift: float = 0.0


Note = Callable[[str, str], None]


def kind_of(quantity: Quantity) -> Kind:
    """Motion that a quantity makes."""
    return "turn" if quantity == "angular" else "travel"


def part_poses(stack: Array, part: int) -> Array:
    """Samples of one part, shape (k, 4, 4); the assembly itself stands still."""
    return np.broadcast_to(np.eye(4), (len(stack), 4, 4)) if part == ASSEMBLY else stack[:, part]


def export_pose(graph: Graph, edge: Edge) -> Array:
    """``T_parent_child`` of an edge's parts at export."""
    return inverse(graph.pose(edge.parent_part)) @ graph.pose(edge.child_part)


def held(graph: Graph, edge: Edge) -> Measured:
    """A joint that does not move: the pose at export."""
    screw = Screw(
        kind="none", axis=np.array((0.0, 0.0, 1.0)), point=np.zeros(3), parent_from_child=export_pose(graph, edge)
    )
    return Measured(screw=screw.settled(), source="pose at export")


def measure(graph: Graph, edge: Edge, quantity: Quantity) -> Measured | str:
    """The screw of one quantity of a joint, or the sentence that says why there is none."""
    joint = edge.joint

    def note(rule: str, message: str) -> None:
        graph.note(rule, f"{joint.name}: {message}", f"joints[{joint.index}]")

    for name, probe in (("probe", joint.probe), ("coupled probe", joint.coupled_probe)):
        if probe is not None and probe.moved and probe.quantity == quantity:
            screw = _from_probe(edge, probe)
            if screw is None:
                return f"its {name} says moved, but the two parts did not move against each other"
            _check(screw, joint, note)
            return _with_zero(graph, edge, screw, quantity, name, note)
    if quantity == "angular" and joint.axis is not None and joint.origin is not None and not _drove(joint):
        note("from-geometry", "was not measured; axis and sign come from its geometry, which often lies")
        return _from_geometry(graph, edge, joint.axis, joint.origin, note)
    return _why_not(joint, quantity)


def _drove(joint: Joint) -> bool:
    return joint.probe is not None and joint.probe.moved


def _from_probe(edge: Edge, probe: Probe) -> Screw | None:
    relative = relative_poses(part_poses(probe.poses, edge.parent_part), part_poses(probe.poses, edge.child_part))
    return measured_screw(kind_of(probe.quantity), probe.values, relative)


def _check(screw: Screw, joint: Joint, note: Note) -> None:
    """Tell what does not fit a turn or travel by the joint's value."""
    turns = screw.kind == "turn"
    if abs(screw.rate - 1.0) > RATE_TOLERANCE:
        what, unit = ("turned", "rad") if turns else ("travelled", "m")
        note("rate", f"{what} by {screw.rate:.6g} {unit} for each {unit} of its value")
    if screw.beside > (BESIDE_LENGTH if turns else BESIDE_ANGLE):
        text = f"travels {screw.pitch:.4g} m for each rad" if turns else f"turns {screw.pitch:.4g} rad for each m"
        note("pitch", text + ": a screw, which URDF cannot hold; that part is left out")
    if joint.locked:
        note("locked", "is locked, but its probe moved: it is movable here")


def _with_zero(graph: Graph, edge: Edge, screw: Screw, quantity: Quantity, source: str, note: Note) -> Measured:
    shift = 0.0
    if edge.joint.coordinate(quantity).value is None:
        shift = value_of(screw, export_pose(graph, edge))
        screw = screw.shifted(shift)
        note("no-value", "has no value at export; its zero is the pose at export, its limits are copied as they are")
    return Measured(screw=screw.settled(), source=source, shift=shift)


def _from_geometry(graph: Graph, edge: Edge, axis: Array, origin: Array, note: Note) -> Measured | str:
    length = float(np.linalg.norm(axis))
    if length == 0.0:
        return "its geometry's axis is zero"
    back = inverse(graph.pose(edge.parent_part))
    screw = Screw(
        kind="turn",
        axis=back[:3, :3] @ axis / length,
        point=back[:3, :3] @ origin + back[:3, 3],
        parent_from_child=export_pose(graph, edge),
    )
    value = edge.joint.coordinate("angular").value
    if value is None:
        note("no-value", "has no value at export; its zero is the pose at export, its limits are copied as they are")
    return Measured(screw=screw.shifted(-(value or 0.0)).settled(), source="geometry")


def _why_not(joint: Joint, quantity: Quantity) -> str:
    """What a joint without a measured motion needs."""
    if _drove(joint):
        return f"its probe drove the other quantity, not the {quantity} one: give its type in the settings"
    status = "there is no probe" if joint.probe is None else f"its probe says {joint.probe.status!r}"
    advice = {
        "locked": "unlock it in Inventor and run the rule again",
        "no_motion": "free it (grounded parts, Mate or Flush constraints) and run the rule again",
    }.get("" if joint.probe is None else joint.probe.status, "run the rule's probe again")
    return f"{status}: {advice}, or set its type to fixed in the settings"
