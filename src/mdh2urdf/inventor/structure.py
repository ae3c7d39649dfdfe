"""The structure of the robot: its tree with what the joints become, their names, and the loops."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.build import Names
from mdh2urdf.inventor.couplings import Loop
from mdh2urdf.inventor.dump import Dump
from mdh2urdf.inventor.graph import Choices, Graph, build_graph
from mdh2urdf.inventor.loops import follow
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from mdh2urdf.inventor.plan import JointPlan, needs_order, plan_joints
from mdh2urdf.inventor.settings import Settings
from mdh2urdf.inventor.tree import Tree, span
from mdh2urdf.inventor.urdf_names import urdf_names


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Structure:
    """The tree with its plans, names and loops."""

    tree: Tree
    plans: list[JointPlan]
    names: Names
    loops: list[Loop]


def structure_of(dump: Dump, options: InventorOptions, settings: Settings) -> Structure:
    """The tree of a dump, what its joints become and are called, and its loops.

    Raises
    ------
    Mdh2UrdfError
        If the assembly makes no tree, or names or orders to merge are wrong.
    UnsaidError
        For joints that lack what URDF needs.
    """
    choices = _choices(dump, options, settings)
    graph = build_graph(dump, choices)
    _check_merges(graph, choices)
    tree = span(graph)
    unwanted = [e.joint.name for e in tree.edges if needs_order(e.joint, settings.joint(e.joint.name))]
    while options.unsupported == "drop" and unwanted:
        choices = replace(choices, drop=(*choices.drop, *unwanted))
        tree = span(build_graph(dump, choices))
        unwanted = [e.joint.name for e in tree.edges if needs_order(e.joint, settings.joint(e.joint.name))]
    settings = with_defaults(settings, options.joint_defaults)
    planned = plan_joints(tree, settings, options.unsupported, for_fit=options.for_fit)
    names = urdf_names(tree, planned.joints, options, settings)
    loops = follow(tree, planned, options.mimic, dict(names.joints))
    return Structure(tree=tree, plans=planned.joints, names=names, loops=loops)


def _choices(dump: Dump, options: InventorOptions, settings: Settings) -> Choices:
    entries = {occurrence.name: settings.link(occurrence.name) for occurrence in dump.occurrences}
    return Choices(
        root=options.root or settings.root,
        weld_grounded=options.weld_grounded,
        drop=(*options.drop, *(joint.name for joint in dump.joints if settings.joint(joint.name).ignore)),
        ignore=frozenset(name for name, entry in entries.items() if entry.ignore),
        merge={name: entry.merge for name, entry in entries.items() if entry.merge is not None},
        loose=options.loose,
    )


def _check_merges(graph: Graph, choices: Choices) -> None:
    """Refuse orders to merge that leave the robot without its root, go in a circle, or lead to nothing.

    Raises
    ------
    Mdh2UrdfError
        One line for each.
    """
    gone = {name for kind, name, _ in graph.left_out if kind == "occurrence"}
    root = graph.name(graph.root)
    problems = []
    for name, target in choices.merge.items():
        if name == target or name in gone:
            continue
        if target in gone:
            problems.append(f"{name} cannot join {target}, which takes no part")
        elif name == root:
            problems.append(f"{name} is the root and cannot join {target}: merge {target} into it")
        elif name in _joined(target, choices.merge):
            problems.append(f"{name} cannot join {target}, which joins it")
    if problems:
        raise Mdh2UrdfError(Finding(file=graph.dump.file, message=problem) for problem in problems)


def _joined(name: str, merge: Mapping[str, str]) -> list[str]:
    """The occurrences that one joins, one after the other, until it is in none or in a circle."""
    joined: list[str] = []
    while (name := merge.get(name, "")) and name not in joined:
        joined.append(name)
    return joined


def with_defaults(settings: Settings, given: JointDefaults) -> Settings:
    """Joint defaults of the command line before those of the settings."""
    own = {item.name: getattr(given, item.name) for item in fields(JointDefaults)}
    merged = replace(settings.joint_defaults, **{name: value for name, value in own.items() if value is not None})
    return replace(settings, joint_defaults=merged)
