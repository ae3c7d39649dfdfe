"""URDF names of links, joints and frames: those that the user chose, the others made of the CAD's."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_text
from mdh2urdf.inventor.build import Names
from mdh2urdf.inventor.closing import loop_name
from mdh2urdf.inventor.graph import ASSEMBLY, unknown_name
from mdh2urdf.inventor.names import safe_name, unique_names
from mdh2urdf.inventor.options import InventorOptions
from mdh2urdf.inventor.plan import JointPlan
from mdh2urdf.inventor.settings import SAFE_NAME, Settings
from mdh2urdf.inventor.tree import Tree
from mdh2urdf.yaml_nodes import SourceText, compose, plain_data

PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
"""Names that packages have in ROS; those that older ones have too."""

NOT_SAFE = "is no name of letters, digits and _ that starts with no digit"


def _renamed(options: InventorOptions, known: list[str]) -> dict[str, str]:
    """Names of the ``--rename`` file, a mapping of CAD names to URDF names."""
    if options.rename is None:
        return {}
    file = str(options.rename)
    problems: list[Finding] = []
    data = plain_data(compose(SourceText(file, read_text(options.rename)), problems))
    if problems:
        raise Mdh2UrdfError(problems)
    if not isinstance(data, dict):
        raise Mdh2UrdfError(Finding(file=file, message="must map CAD names to URDF names"))
    messages = []
    for name, new in data.items():
        if name not in known:
            messages.append(unknown_name(str(name), known, "occurrence, joint or frame"))
        elif not isinstance(new, str) or not SAFE_NAME.fullmatch(new):
            messages.append(f"{name!r}: {new!r} {NOT_SAFE}")
    if messages:
        raise Mdh2UrdfError(Finding(file=file, message=message) for message in messages)
    return {str(name): str(new) for name, new in data.items()}


def _chosen(settings: Mapping[str, str | None], renamed: Mapping[str, str]) -> dict[str, str]:
    """URDF names that the user gave, ``--rename`` before the settings."""
    return {name: value for name, value in settings.items() if value is not None} | dict(renamed)


def urdf_names(tree: Tree, plans: list[JointPlan], options: InventorOptions, settings: Settings) -> Names:
    """URDF names of all links, joints and frames.

    Raises
    ------
    Mdh2UrdfError
        If the ``--rename`` file cannot be read or names what does not exist, or a name would stand twice.
    """
    dump = tree.graph.dump
    occurrences = [occurrence.name for occurrence in dump.occurrences]
    joints = [plan.name for plan in plans]
    frames = [frame.name for frame in dump.frames if not settings.frame(frame.name).ignore]
    renamed = _renamed(options, [*occurrences, *(joint.name for joint in dump.joints), *frames])
    chosen_links = _chosen({name: settings.link(name).name for name in occurrences}, renamed)
    chosen_joints = _chosen({name: settings.joint(name).name for name in joints}, renamed)
    chosen_frames = _chosen({name: settings.frame(name).name for name in frames}, renamed)
    gone = {name for kind, name, _ in tree.graph.left_out if kind == "occurrence"}
    of_links = [(name, chosen_links[name]) for name in occurrences if name in chosen_links and name not in gone]
    of_frames = [(name, chosen_frames[name]) for name in frames if name in chosen_frames]
    of_joints = [(name, chosen_joints[name]) for name in joints if name in chosen_joints]
    _refuse_twins([*of_links, *of_frames], of_joints)
    links = unique_names(occurrences, "link", chosen_links, [new for _, new in of_frames])
    named = unique_names(frames, "frame", chosen_frames, list(links.values()))
    used = [*links.values(), *named.values()]
    extra = [" base", *(f"{p.name}{s.suffix} (massless)" for p in plans for s in p.steps[:-1])]
    extra += [""] if tree.graph.root == ASSEMBLY else []
    wanted = {" base": "base_link", "": "ground"}
    for name in extra:
        made = unique_names([wanted.get(name, safe_name(name, "link"))], "link", {}, used)
        (links[name],) = made.values()
        used.append(links[name])
    pieces = [(plan.name, step.suffix) for plan in plans for step in plan.steps]
    chosen_pieces = {name + end: chosen_joints[name] + end for name, end in pieces if name in chosen_joints}
    fixed = [f"{name} (fixed)" for name in occurrences] if options.keep_fixed else []
    fixed += [f"{name} (frame)" for name in frames]
    fixed += [loop_name(cut.edge.joint.name) for cut in tree.cuts]
    together = [*(name + end for name, end in pieces), *fixed]
    twice = [name for name, times in Counter(together).items() if times > 1]
    if twice:
        # A joint of the CAD that is called as a piece of a split one, or as the joint of a frame, would be.
        words = "is the name of two joints, one of them made here: rename the other in Inventor"
        raise Mdh2UrdfError(Finding(file=dump.file, message=f"{name!r} {words}") for name in twice)
    joint_names = unique_names(together, "joint", chosen_pieces)
    (joint_names[" base"],) = unique_names(["base_joint"], "joint", {}, list(joint_names.values())).values()
    prefix = options.prefix
    return Names(
        links={key: prefix + value for key, value in links.items()},
        joints={key: prefix + value for key, value in joint_names.items()},
        frames={key: prefix + value for key, value in named.items()},
    )


def _refuse_twins(*groups: list[tuple[str, str]]) -> None:
    """Refuse a name that is chosen twice; each group has pairs of a CAD name and the URDF name chosen for it.

    Raises
    ------
    Mdh2UrdfError
        One line for each.
    """
    problems = []
    for group in groups:
        given: dict[str, list[str]] = {}
        for name, new in group:
            given.setdefault(new, []).append(name)
        problems += [
            f"{new!r} is chosen as the name of {', '.join(names)}: give each its own"
            for new, names in given.items()
            if len(names) > 1
        ]
    if problems:
        raise Mdh2UrdfError(Finding(message=problem) for problem in problems)


def refuse_unsafe(options: InventorOptions) -> None:
    """Refuse a robot's name, a prefix or a package that would make names which not every reader takes.

    Raises
    ------
    Mdh2UrdfError
        One line for each.
    """
    given = {"--name": options.name, "--prefix": options.prefix}
    wrong = [
        f"{option}: {text!r} {NOT_SAFE}" for option, text in given.items() if text and not SAFE_NAME.fullmatch(text)
    ]
    if options.package and not PACKAGE.fullmatch(options.package):
        wrong.append(
            f"--package: {options.package!r} is no name of a package: letters, digits, _ and -, a letter first"
        )
    if wrong:
        raise Mdh2UrdfError(Finding(message=message) for message in wrong)
