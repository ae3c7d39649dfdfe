"""What every joint of the tree becomes in URDF: type, screw, limits."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.dump import BALL, CYLINDRICAL, PLANAR, RIGID, ROTATIONAL, SLIDE, Joint, Quantity
from mdh2urdf.inventor.graph import Graph
from mdh2urdf.inventor.measure import Measured, export_pose, held, measure
from mdh2urdf.inventor.motion import Screw
from mdh2urdf.inventor.options import JointDefaults, Unsupported
from mdh2urdf.inventor.poses import Array, inverse
from mdh2urdf.inventor.settings import JointSettings, Settings
from mdh2urdf.inventor.tree import Edge, Tree
from mdh2urdf.robot import JointType


class UnsaidError(Mdh2UrdfError):
    """What the dump does not say enough about, joints or masses; the settings file can."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Step:
    """One URDF joint between the edge's parts, or a piece of one that is split.

    Parameters
    ----------
    type : str
        URDF's type.
    quantity : str
        The CAD quantity that it follows.
    screw : Screw
        In the frame of the piece before it (the parent part for the first).
    lower, upper : float or None
        rad or m, in the CAD's zero; sign turned if flipped.
    suffix : str
        Behind the joint's name where there are several pieces.
    """

    type: JointType
    quantity: Quantity
    screw: Screw
    lower: float | None = None
    upper: float | None = None
    suffix: str = ""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class JointPlan:
    """A joint of the tree, ready to be written."""

    edge: Edge
    steps: tuple[Step, ...]
    settings: JointSettings
    source: str
    flip: bool = False
    shift: float = 0.0

    @property
    def name(self) -> str:
        """CAD name."""
        return self.edge.joint.name

    @property
    def sign(self) -> float:
        """URDF value for each unit of the CAD's."""
        return -1.0 if self.flip else 1.0

    def urdf_value(self, value: float) -> float:
        """URDF value of a CAD value, rad or m."""
        return self.sign * (value - self.shift)


def needs_order(joint: Joint, settings: JointSettings) -> bool:
    """Whether a joint has no counterpart in URDF and neither limits nor settings make it one that has."""
    if settings.type is not None or joint.type in (RIGID, ROTATIONAL, SLIDE):
        return False
    return not (joint.type == CYLINDRICAL and (joint.coordinate("linear").locked or joint.coordinate("angular").locked))


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Plans:
    """What all joints become.

    Parameters
    ----------
    joints : list of JointPlan
        Of the tree, in its order.
    closing : mapping
        Of the joints that close loops, by CAD name; a sentence for one that could not be measured and need not.
    """

    joints: list[JointPlan]
    closing: Mapping[str, JointPlan | str]


def plan_joints(tree: Tree, settings: Settings, unsupported: Unsupported, *, for_fit: bool) -> Plans:
    """Plans of all joints of the tree and of those that close its loops.

    A joint that closes a loop need not be measured where the user left it out, nor for a table, which holds no loop.

    Raises
    ------
    UnsaidError
        For joints that were not measured, that URDF lacks, or whose limits are missing; all at once.
    """
    file = tree.graph.dump.file
    errors: list[Finding] = []
    missing: dict[str, dict[str, str]] = {}
    plans = []
    for edge in tree.edges:
        plan = plan_joint(tree.graph, edge, settings.joint(edge.joint.name), unsupported)
        if isinstance(plan, str):
            errors.append(_not_planned(edge, plan, file))
            continue
        errors += _turned_limits(plan, settings)
        lacking = _lacking(plan, settings.joint_defaults, for_fit=for_fit)
        if lacking:
            missing[plan.name] = lacking
        plans.append(plan)
    closing = _plan_closing(tree, settings, errors, for_fit=for_fit)
    if missing:
        errors += _lines_to_add(missing, file)
    if errors:
        raise UnsaidError(errors)
    return Plans(joints=plans, closing=closing)


def _plan_closing(
    tree: Tree, settings: Settings, errors: list[Finding], *, for_fit: bool
) -> dict[str, JointPlan | str]:
    """Plans of the joints that close loops, by CAD name; those that must be measured and are not become errors."""
    closing: dict[str, JointPlan | str] = {}
    for cut in tree.cuts:
        joint = cut.edge.joint
        plan = plan_joint(tree.graph, cut.edge, settings.joint(joint.name), "split")
        closing[joint.name] = plan
        if not isinstance(plan, str):
            errors += _turned_limits(plan, settings)
        elif not cut.ordered and not for_fit:
            sentence = f"it closes a loop; {plan}, or leave the loop open with --drop"
            errors.append(_not_planned(cut.edge, sentence, tree.graph.dump.file))
    return closing


def _not_planned(edge: Edge, sentence: str, file: str) -> Finding:
    """The error about a joint that cannot be written."""
    joint = edge.joint
    return Finding(file=file, path=f"joints[{joint.index}]", message=f"{joint.name} ({joint.type}): {sentence}")


def _turned_limits(plan: JointPlan, settings: Settings) -> list[Finding]:
    """The error about limits that are the wrong way round; the CAD's alone never are."""
    for step in plan.steps:
        lower, upper = (step.lower, step.upper) if not plan.flip else (step.upper, step.lower)
        if lower is not None and upper is not None and plan.sign * lower > plan.sign * upper:
            return [settings.turned_limits(plan.name, plan.sign * lower, plan.sign * upper)]
    return []


def plan_joint(graph: Graph, edge: Edge, settings: JointSettings, unsupported: Unsupported) -> JointPlan | str:
    """What one joint becomes, or the sentence that says why it cannot."""
    joint = edge.joint
    if needs_order(joint, settings):
        if unsupported == "split":
            return _split(graph, edge, settings)
        if unsupported == "error":
            return "URDF has no such joint: use --unsupported drop, revolute, fixed or split, or set its type"
        settings = replace(settings, type=unsupported)
    quantity = _quantity(joint, settings)
    if quantity is None:
        found: Measured | str = held(graph, edge)
    else:
        found = measure(graph, edge, quantity)
    if isinstance(found, str):
        return found
    flip = bool(settings.flip) and quantity is not None
    step = _step(joint, settings, quantity, found)
    return JointPlan(
        edge=edge,
        steps=(_flipped(step) if flip else step,),
        settings=settings,
        source=found.source,
        flip=flip,
        shift=found.shift,
    )


def _quantity(joint: Joint, settings: JointSettings) -> Quantity | None:
    """The one quantity that moves, None for a joint that is held."""
    if settings.type is not None:
        chosen: dict[str, Quantity | None] = {"fixed": None, "prismatic": "linear"}
        return chosen.get(settings.type, "angular")
    if joint.type == RIGID:
        return None
    if joint.type == CYLINDRICAL:
        angular, linear = joint.coordinate("angular").locked, joint.coordinate("linear").locked
        return None if angular and linear else "linear" if angular else "angular"
    return "linear" if joint.type == SLIDE else "angular"


def _step(joint: Joint, settings: JointSettings, quantity: Quantity | None, found: Measured) -> Step:
    if quantity is None:
        return Step(type="fixed", quantity="angular", screw=found.screw)
    limits = joint.coordinate(quantity)
    lower = limits.lower if settings.lower is None else settings.lower
    upper = limits.upper if settings.upper is None else settings.upper
    kind: JointType = "prismatic"
    if quantity == "angular":
        kind = "continuous" if lower is None and upper is None else "revolute"
        kind = "continuous" if settings.type == "continuous" else "revolute" if settings.type == "revolute" else kind
    if kind == "continuous":
        lower = upper = None
    return Step(type=kind, quantity=quantity, screw=found.screw, lower=lower, upper=upper)


def _flipped(step: Step) -> Step:
    return replace(
        step,
        screw=replace(step.screw, axis=-step.screw.axis + 0.0),
        lower=None if step.upper is None else -step.upper,
        upper=None if step.lower is None else -step.lower,
    )


def _split(graph: Graph, edge: Edge, settings: JointSettings) -> JointPlan | str:
    """A cylindrical joint as slider and turn, a planar one as two sliders and a turn, a ball as three turns."""
    joint = edge.joint
    base = _split_frame(graph, edge)
    if isinstance(base, str):
        return base
    axis, point, source, shift = base
    across = np.linalg.svd(axis[None, :])[2][1:]
    across = np.array((across[0], np.cross(axis, across[0])))
    angular, linear = joint.coordinate("angular"), joint.coordinate("linear")
    x, y, z = np.eye(3)
    known: dict[str, list[tuple[str, Quantity, Array]]] = {
        CYLINDRICAL: [("_slide", "linear", axis), ("_turn", "angular", axis)],
        PLANAR: [("_x", "linear", across[0]), ("_y", "linear", across[1]), ("_turn", "angular", axis)],
        BALL: [("_x", "angular", x), ("_y", "angular", y), ("_z", "angular", z)],
    }
    pieces = known.get(joint.type)
    if pieces is None:
        return "its type is not known, so it cannot be split"
    last = export_pose(graph, edge)
    if joint.type == CYLINDRICAL:
        back = Screw(kind="turn", axis=axis, point=point, parent_from_child=last).pose(-(angular.value or 0.0))
        last = Screw(kind="travel", axis=axis, point=point, parent_from_child=back).pose(-(linear.value or 0.0))
    steps = []
    for i, (suffix, quantity, direction) in enumerate(pieces):
        zero = last if i == len(pieces) - 1 else np.eye(4)
        screw = Screw(
            kind="travel" if quantity == "linear" else "turn", axis=direction, point=point, parent_from_child=zero
        )
        limits = linear if quantity == "linear" else angular
        lower, upper = (limits.lower, limits.upper) if joint.type == CYLINDRICAL else (None, None)
        if settings.lower is not None and settings.upper is not None and quantity == "linear":
            lower, upper = settings.lower, settings.upper
        kind: JointType = "prismatic" if quantity == "linear" else "revolute"
        if quantity == "angular" and lower is None and upper is None:
            kind = "continuous"
        steps.append(Step(type=kind, quantity=quantity, screw=screw.settled(), lower=lower, upper=upper, suffix=suffix))
    graph.note("split", f"{joint.name} becomes {len(steps)} joints with massless links", f"joints[{joint.index}]")
    if settings.flip:
        graph.note("split", f"{joint.name}: flip does nothing to a joint that is split", f"joints[{joint.index}]")
    return JointPlan(edge=edge, steps=tuple(steps), settings=settings, source=source, shift=shift)


def _split_frame(graph: Graph, edge: Edge) -> tuple[Array, Array, str, float] | str:
    """Axis and point of a joint that is split, in the parent part, their source and the zero's shift."""
    joint = edge.joint
    if joint.probe is not None and joint.probe.moved:
        found = measure(graph, edge, joint.probe.quantity)
        if isinstance(found, str):
            return found
        point = found.screw.point
        if joint.probe.quantity == "linear" and joint.origin is not None:
            back = inverse(graph.pose(edge.parent_part))
            point = back[:3, :3] @ joint.origin + back[:3, 3]
        return found.screw.axis, point, found.source, found.shift
    if joint.origin is None or (joint.axis is None and joint.type != BALL):
        return "it was not probed and has no geometry to split it by"
    back = inverse(graph.pose(edge.parent_part))
    axis = np.array((0.0, 0.0, 1.0)) if joint.axis is None else back[:3, :3] @ joint.axis
    if not np.linalg.norm(axis):
        return "its geometry's axis is zero"
    graph.note("from-geometry", f"{joint.name}: is split by its geometry, which often lies", f"joints[{joint.index}]")
    return axis / np.linalg.norm(axis), back[:3, :3] @ joint.origin + back[:3, 3], "geometry", 0.0


def strength(plan: JointPlan, step: Step, defaults: JointDefaults) -> tuple[float | None, float | None]:
    """Effort and velocity of a joint, from its settings or the defaults of its kind."""
    slides = step.type == "prismatic"
    effort = defaults.slider_effort if slides else defaults.effort
    velocity = defaults.slider_velocity if slides else defaults.velocity
    own = plan.settings
    return (effort if own.effort is None else own.effort, velocity if own.velocity is None else own.velocity)


def _lacking(plan: JointPlan, defaults: JointDefaults, *, for_fit: bool) -> dict[str, str]:
    """What URDF needs of a joint and nothing gives: key and unit. A table needs none of it."""
    lacking: dict[str, str] = {}
    for step in () if for_fit else plan.steps:
        unit = "m" if step.type == "prismatic" else "rad"
        effort, velocity = strength(plan, step, defaults)
        bounded = step.type in ("revolute", "prismatic")
        if bounded:
            lower, upper = (step.upper, step.lower) if plan.flip else (step.lower, step.upper)
            lacking.update({key: unit for key, value in (("lower", lower), ("upper", upper)) if value is None})
        if step.type != "fixed" and (bounded or (effort is None) != (velocity is None)):
            force = "N" if step.type == "prismatic" else "N m"
            needed = (("effort", force, effort), ("velocity", f"{unit}/s", velocity))
            lacking.update({key: what for key, what, value in needed if value is None})
    return lacking


def _lines_to_add(missing: dict[str, dict[str, str]], file: str) -> list[Finding]:
    """What to add to the settings file: a heading, then its very lines."""
    words = "the CAD does not say all that URDF needs; add to the settings file or give --joint-defaults:"
    lines = ["joints:"]
    for name, keys in missing.items():
        lines.append(f"  {json.dumps(name, ensure_ascii=False)}:")
        lines += [f"    {key}:   # {unit}" for key, unit in keys.items()]
    return [Finding(file=file, message=words), *(Finding(message=line) for line in lines)]
