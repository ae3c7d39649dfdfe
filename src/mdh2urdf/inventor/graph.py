"""Joints and occurrences that take part, the ground, loose parts and the groups that hang together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.dump import HEALTHY, RIGID, Dump, Joint
from mdh2urdf.inventor.groups import Boxes, carrier, motion_labels
from mdh2urdf.inventor.poses import Array, inverse, settled

ASSEMBLY = -1
"""The part number of the assembly itself, for a joint whose end is null."""

MAX_NAMES = 8
"""Names of a group that an error lists before it says how many more there are."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """What options and settings say about the structure; names are the CAD's.

    Parameters
    ----------
    root : str
        Occurrence that stands still; empty for the grounded one.
    weld_grounded : bool
        Several grounded occurrences are one body.
    drop : tuple of str
        Joints to leave out.
    ignore : frozenset of str
        Occurrences to leave out.
    merge : dict of str
        Occurrence to the occurrence whose link it joins.
    loose : str
        What to do with parts that hang on nothing: ``error``, ``weld`` or ``drop``.
    """

    root: str = ""
    weld_grounded: bool = False
    drop: tuple[str, ...] = ()
    ignore: frozenset[str] = frozenset()
    merge: dict[str, str] = field(default_factory=dict)
    loose: str = "error"


@dataclass(kw_only=True, slots=True)
class Graph:
    """Occurrences grouped into links and the joints between them, before a tree is chosen.

    Parameters
    ----------
    dump : Dump
    root : int
        The occurrence that stands still, `ASSEMBLY` if only the assembly itself does.
    joints : list of Joint
        That take part, in the order of the dump.
    link : dict
        Link of every part: the number of its head occurrence.
    how : dict
        Why a part that no joint holds is on its link.
    findings : list of Finding
    left_out : list of tuple
        Kind, name and reason of everything that takes no part.
    dropped : list of Joint
        Joints left out by order, for the loops file.
    """

    dump: Dump
    root: int = ASSEMBLY
    joints: list[Joint] = field(default_factory=list)
    link: dict[int, int] = field(default_factory=dict)
    how: dict[int, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    left_out: list[tuple[str, str, str]] = field(default_factory=list)
    dropped: list[Joint] = field(default_factory=list)

    def name(self, part: int) -> str:
        """CAD name of a part."""
        return "the assembly" if part == ASSEMBLY else self.dump.occurrences[part].name

    def pose(self, part: int) -> Array:
        """Pose of a part at export."""
        return np.eye(4) if part == ASSEMBLY else self.dump.occurrences[part].pose

    def note(self, rule: str, message: str, path: str = "") -> None:
        """Add a finding."""
        self.findings.append(Finding(rule=rule, file=self.dump.file, path=path, message=message))

    def leave_out(self, kind: str, name: str, reason: str) -> None:
        """Note what takes no part."""
        self.left_out.append((kind, name, reason))


def ends(joint: Joint) -> tuple[int, int]:
    """The two parts of a joint."""
    return (ASSEMBLY if joint.one is None else joint.one, ASSEMBLY if joint.two is None else joint.two)


def build_graph(dump: Dump, choices: Choices) -> Graph:
    """Links and joints that hang together with the ground.

    Raises
    ------
    Mdh2UrdfError
        If there is no ground, several, two movable joints on one pair, or parts that hang on nothing.
    """
    graph = Graph(dump=dump)
    errors: list[str] = []
    parts = _active_parts(graph, choices)
    graph.joints = _active_joints(graph, choices, set(parts), errors)
    rooted = _find_root(graph, parts, choices, errors)
    _nested_grounds(graph, parts)
    _orders_to_merge(graph, parts, choices)
    loose = _attach(graph, parts)
    # Without a root everything would hang on nothing.
    if rooted and loose and choices.loose == "error":
        errors.append(_unconnected(graph, parts, loose))
    errors += _one_joint_a_pair(graph)
    if errors:
        raise Mdh2UrdfError(Finding(file=dump.file, message=message) for message in errors)
    _settle_loose(graph, loose, choices)
    return graph


def _active_parts(graph: Graph, choices: Choices) -> list[int]:
    """Occurrences that take part: not suppressed, not ignored, and no container that is only opened."""
    ends_used = {end for joint in graph.dump.joints for end in ends(joint)}
    parents = {"/".join(o.path[:i]) for o in graph.dump.occurrences for i in range(1, len(o.path))}
    parts = []
    for occurrence in graph.dump.occurrences:
        if occurrence.suppressed:
            graph.leave_out("occurrence", occurrence.name, "suppressed")
        elif occurrence.name in choices.ignore:
            graph.leave_out("occurrence", occurrence.name, "ignored by the settings")
        elif "/".join(occurrence.path) in parents and not occurrence.bodies and occurrence.index not in ends_used:
            graph.leave_out("occurrence", occurrence.name, "opened: its own occurrences are listed")
        else:
            parts.append(occurrence.index)
            if occurrence.excluded:
                words = "is excluded in Inventor and is kept; 'ignore: true' in the settings leaves it out"
                graph.note("excluded", f"{occurrence.name} {words}", f"occurrences[{occurrence.index}]")
    return parts


def _active_joints(graph: Graph, choices: Choices, parts: set[int], errors: list[str]) -> list[Joint]:
    joints = []
    names = [joint.name for joint in graph.dump.joints]
    errors += [f"--drop: {unknown_name(name, names, 'joint')}" for name in choices.drop if name not in names]
    for joint in graph.dump.joints:
        one, two = ends(joint)
        missing = [graph.name(end) for end in (one, two) if end != ASSEMBLY and end not in parts]
        if joint.suppressed:
            graph.leave_out("joint", joint.name, "suppressed")
        elif joint.name in choices.drop:
            graph.leave_out("joint", joint.name, "dropped by order")
            graph.dropped.append(joint)
        elif missing:
            graph.leave_out("joint", joint.name, f"its occurrence {missing[0]} takes no part")
        elif one == two:
            graph.leave_out("joint", joint.name, "holds one occurrence to itself")
            graph.note("self-joint", f"holds {graph.name(one)} to itself and is left out", f"joints[{joint.index}]")
        else:
            joints.append(joint)
            if joint.health is not None and joint.health not in HEALTHY:
                graph.note("joint-health", f"{joint.name} is not healthy (status {joint.health})", _place(joint))
    return joints


def _place(joint: Joint) -> str:
    return f"joints[{joint.index}]"


def unknown_name(name: str, known: Sequence[str], what: str) -> str:
    """Sentence about a name that does not exist, with the nearest that does."""
    from difflib import get_close_matches

    close = get_close_matches(name, known, n=1, cutoff=0.0)
    return f"there is no {what} {name!r}" + (f"; the nearest is {close[0]!r}" if close else "")


def _find_root(graph: Graph, parts: list[int], choices: Choices, errors: list[str]) -> bool:
    """Choose the root and tell whether there is one; what is wrong with it, or with the grounds, is added."""
    occurrences = graph.dump.occurrences
    top = [i for i in parts if occurrences[i].grounded and len(occurrences[i].path) == 1]
    grounded = top or [i for i in parts if occurrences[i].grounded]
    to_ground = any(ASSEMBLY in ends(joint) for joint in graph.joints)
    if choices.root:
        names = [occurrences[i].name for i in parts]
        if choices.root not in names:
            errors.append(f"--root: {unknown_name(choices.root, names, 'occurrence')}")
            return False
        graph.root = graph.dump.index[choices.root]
    elif grounded:
        graph.root = grounded[0]
    elif not to_ground:
        listed = brace(graph.name(i) for i in parts)
        errors.append(f"no occurrence is grounded: ground the base in Inventor or give --root; there are {listed}")
        return False
    # The assembly stands still with the ground, even where a part that moves is chosen as root.
    ground = graph.root if graph.root in grounded or not grounded else grounded[0]
    graph.link = {ASSEMBLY: ground, graph.root: graph.root}
    others = [i for i in grounded if i != ground]
    if choices.weld_grounded or choices.root:
        for i in others if choices.weld_grounded else ():
            graph.link[i] = ground
            graph.how[i] = "grounded"
            graph.note("welded-ground", f"is grounded too and welded to {graph.name(ground)}", f"occurrences[{i}]")
    elif others:
        errors.append(
            f"several occurrences are grounded: {', '.join(graph.name(i) for i in grounded)}; "
            "ground one, or weld them with --weld-grounded, or choose with --root"
        )
    return True


def _nested_grounds(graph: Graph, parts: list[int]) -> None:
    """A part grounded inside an opened sub-assembly is rigid with the sub-assembly itself."""
    by_path = {"/".join(graph.dump.occurrences[i].path): i for i in parts}
    for i in parts:
        occurrence = graph.dump.occurrences[i]
        container = by_path.get("/".join(occurrence.path[:-1]))
        if occurrence.grounded and container is not None and i not in graph.link:
            graph.link[i] = container
            graph.how[i] = "grounded in its sub-assembly"
            graph.link.setdefault(container, container)


def _orders_to_merge(graph: Graph, parts: list[int], choices: Choices) -> None:
    for i in parts:
        target = graph.dump.index.get(choices.merge.get(graph.name(i), ""))
        if target is not None and target in parts and target != i:
            graph.link[i] = target
            graph.how[i] = "merged by the settings"
            graph.link.setdefault(target, target)


def head(graph: Graph, part: int) -> int:
    """The head of a part's link."""
    seen = {part}
    while graph.link.get(part, part) not in seen:
        part = graph.link[part]
        seen.add(part)
    return part


def mount(graph: Graph, part: int) -> Array:
    """``T_head_part``: place of a part on its link, shape (4, 4)."""
    top = head(graph, part)
    if part == top:
        return np.eye(4)
    return settled(inverse(graph.pose(top)) @ graph.pose(part))


def _neighbours(graph: Graph) -> dict[int, list[int]]:
    """Heads that a joint connects with each head, in the order of the dump."""
    neighbours: dict[int, list[int]] = {}
    for joint in graph.joints:
        one, two = (head(graph, end) for end in ends(joint))
        neighbours.setdefault(one, []).append(two)
        neighbours.setdefault(two, []).append(one)
    return neighbours


def _reached(neighbours: dict[int, list[int]], start: int) -> dict[int, int]:
    """Heads that joints connect with a head, with their distance, breadth first."""
    distance = {start: 0}
    queue = [start]
    for part in queue:
        for other in neighbours.get(part, ()):
            if other not in distance:
                distance[other] = distance[part] + 1
                queue.append(other)
    return distance


def _attach(graph: Graph, parts: list[int]) -> list[int]:
    """Put every part that no chain of joints holds on the link that it moved with; what remains is returned."""
    dump = graph.dump
    jointed = sorted({end for joint in graph.joints for end in ends(joint)} | {graph.root})
    jointed = [i for i in jointed if i != ASSEMBLY]
    reached = _reached(_neighbours(graph), head(graph, graph.root))
    waiting = [i for i in parts if head(graph, i) not in reached]
    labels = motion_labels(dump, jointed) if waiting else None
    boxes = Boxes.of(dump.occurrences)
    count = len(waiting) + 1
    while labels is not None and len(waiting) < count:
        count = len(waiting)
        held = [i for i in parts if head(graph, i) in reached]
        held.sort(key=lambda i: reached[head(graph, i)])
        places = np.array(held, dtype=np.int64)
        for i in waiting:
            found = carrier(dump, labels, boxes, i, places) if head(graph, i) not in reached else None
            if found is not None:
                _join(graph, i, head(graph, found))
                reached = _reached(_neighbours(graph), head(graph, graph.root)) if i in jointed else reached
        waiting = [i for i in waiting if head(graph, i) not in reached]
    return waiting


def _join(graph: Graph, part: int, link: int) -> None:
    graph.how[part] = f"moved with {graph.name(link)}"
    old = head(graph, part)
    graph.link[old] = link
    graph.link[part] = link


def _groups(graph: Graph, parts: list[int]) -> list[list[int]]:
    """Parts that hang together by joints, the ground's group first."""
    neighbours = _neighbours(graph)
    first_of: dict[int, int] = {}
    for part in sorted(parts, key=lambda part: part != graph.root):
        if head(graph, part) not in first_of:
            first_of.update(dict.fromkeys(_reached(neighbours, head(graph, part)), part))
    groups: dict[int, list[int]] = {part: [] for part in first_of.values()}
    for part in parts:
        groups[first_of[head(graph, part)]].append(part)
    return list(groups.values())


def brace(names: Iterable[str]) -> str:
    """A group as an error lists it."""
    listed = list(names)
    more = f", and {len(listed) - MAX_NAMES} more" if len(listed) > MAX_NAMES else ""
    return "{" + ", ".join(listed[:MAX_NAMES]) + more + "}"


def _unconnected(graph: Graph, parts: list[int], loose: list[int]) -> str:
    groups = _groups(graph, parts)
    text = "; ".join(brace(graph.name(i) for i in group) for group in groups[:MAX_NAMES])
    more = f"; and {len(groups) - MAX_NAMES} more groups" if len(groups) > MAX_NAMES else ""
    verb = "occurrence hangs" if len(loose) == 1 else "occurrences hang"
    return (
        f"{len(loose)} {verb} on nothing, having moved with nothing near; the groups are {text}{more}. "
        "Add joints or constraints in Inventor, or use --loose weld or --loose drop"
    )


def _settle_loose(graph: Graph, loose: list[int], choices: Choices) -> None:
    """Weld what hangs on nothing to the root, one part of each group that joints hold together, or leave it out."""
    if choices.loose == "drop":
        _drop_loose(graph, loose)
        return
    neighbours = _neighbours(graph)
    held: set[int] = set()
    for i in loose:
        if head(graph, i) not in held:
            held.update(_reached(neighbours, head(graph, i)))
            _join(graph, i, graph.root)
            graph.how[i] = "welded by --loose"
            graph.note("loose", f"{graph.name(i)} hangs on nothing and is welded to the root", f"occurrences[{i}]")


def _drop_loose(graph: Graph, loose: list[int]) -> None:
    for i in loose:
        graph.leave_out("occurrence", graph.name(i), "hangs on nothing (--loose drop)")
        graph.note("loose", f"{graph.name(i)} hangs on nothing and is left out", f"occurrences[{i}]")
    gone = set(loose)
    for joint in [joint for joint in graph.joints if gone.intersection(ends(joint))]:
        graph.joints.remove(joint)
        graph.leave_out("joint", joint.name, "its occurrences are left out")


def _one_joint_a_pair(graph: Graph) -> list[str]:
    """Keep one joint between two links: the one that moved before a rigid one; two that moved are an error."""
    pairs: dict[frozenset[int], list[Joint]] = {}
    for joint in graph.joints:
        pairs.setdefault(frozenset(head(graph, end) for end in ends(joint)), []).append(joint)
    errors = []
    for pair, joints in pairs.items():
        if len(pair) == 1:
            for joint in joints:
                _lose(graph, joint, f"its two ends are on one link, {graph.name(next(iter(pair)))}")
            continue
        moved = [joint for joint in joints if joint.probe is not None and joint.probe.moved and joint.type != RIGID]
        rigid = [joint for joint in joints if joint.type == RIGID]
        rivals = moved or rigid[:1] or joints
        if len(rivals) > 1:
            one, two = sorted(pair)
            names = ", ".join(joint.name for joint in rivals)
            errors.append(
                f"{names} all move {graph.name(two)} against {graph.name(one)}: suppress all but one in Inventor, "
                "or leave them out with --drop"
            )
        for joint in joints:
            if joint not in rivals:
                _lose(graph, joint, f"{rivals[0].name} holds the same two occurrences")
    return errors


def _lose(graph: Graph, joint: Joint, reason: str) -> None:
    graph.joints.remove(joint)
    graph.leave_out("joint", joint.name, reason)
    graph.note("extra-joint", f"{joint.name} is left out: {reason}", _place(joint))
