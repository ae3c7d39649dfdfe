"""The spanning tree: breadth first from the ground in the order of the dump, loops cut deterministically."""

from __future__ import annotations

from dataclasses import dataclass, field

from mdh2urdf.inventor.dump import BALL, CYLINDRICAL, PLANAR, Joint
from mdh2urdf.inventor.graph import Graph, ends, head

WITHOUT_COUNTERPART = (PLANAR, BALL, CYLINDRICAL)
"""Joint types that URDF lacks: of a loop's joints one of these is cut first."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Edge:
    """A joint of the tree: links by their head occurrence, and the two parts that the joint holds."""

    joint: Joint
    parent: int
    child: int
    parent_part: int
    child_part: int


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Cut:
    """A joint that closes a loop and is not in the tree.

    Parameters
    ----------
    edge : Edge
        The joint; parent is its end nearer to the ground.
    loop : tuple of Edge
        The tree joints of the loop, nearest to the ground first.
    ordered : bool
        Whether the user chose the joint with ``--drop``.
    """

    edge: Edge
    loop: tuple[Edge, ...]
    ordered: bool = False


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Tree:
    """Links (head occurrences) from the root, the joints between them, and the loops that were cut."""

    graph: Graph
    links: tuple[int, ...]
    edges: tuple[Edge, ...]
    cuts: tuple[Cut, ...]
    depth: dict[int, int] = field(default_factory=dict)


def span(graph: Graph) -> Tree:
    """The tree of a graph: cut joints are taken out one by one until no loop is left."""
    removed: list[Joint] = []
    while True:
        edges, depth, closing = _breadth_first(graph, removed)
        if closing is None:
            break
        parent_of = {edge.child: edge for edge in edges}
        one, two = (head(graph, end) for end in ends(closing))
        loop = [edge.joint for edge in _path(parent_of, one, two)]
        removed.append(max([*loop, closing], key=lambda joint: _cut_order(graph, joint, depth)))
    cuts = [_cut(graph, edges, depth, joint) for joint in removed]
    ordered = [joint for joint in graph.dropped if _closes(graph, joint, depth)]
    cuts += [_cut(graph, edges, depth, joint, ordered=True) for joint in ordered]
    return Tree(graph=graph, links=tuple(depth), edges=tuple(edges), cuts=tuple(cuts), depth=depth)


def _closes(graph: Graph, joint: Joint, depth: dict[int, int]) -> bool:
    """Whether a joint that was left out lies between two links of the tree."""
    one, two = (head(graph, end) for end in ends(joint))
    return one in depth and two in depth and one != two


def _breadth_first(graph: Graph, removed: list[Joint]) -> tuple[list[Edge], dict[int, int], Joint | None]:
    """Edges, depth of every link, and the first joint that reaches a known link."""
    at: dict[int, list[Joint]] = {}
    for joint in graph.joints:
        if joint not in removed:
            for end in ends(joint):
                at.setdefault(head(graph, end), []).append(joint)
    depth = {graph.root: 0}
    edges: list[Edge] = []
    used: set[int] = set()
    closing: Joint | None = None
    queue = [graph.root]
    for link in queue:
        for joint in at.get(link, ()):
            if joint.index in used:
                continue
            used.add(joint.index)
            edge = _edge(graph, joint, link)
            if edge.child in depth:
                closing = closing or joint
                continue
            depth[edge.child] = depth[link] + 1
            edges.append(edge)
            queue.append(edge.child)
    return edges, depth, closing


def _edge(graph: Graph, joint: Joint, parent: int) -> Edge:
    one, two = ends(joint)
    if head(graph, one) != parent:
        one, two = two, one
    return Edge(joint=joint, parent=parent, child=head(graph, two), parent_part=one, child_part=two)


def _path(parent_of: dict[int, Edge], one: int, two: int) -> list[Edge]:
    """Tree joints between two links, from the first up and down to the second."""
    up: list[Edge] = []
    while one in parent_of:
        up.append(parent_of[one])
        one = parent_of[one].parent
    down: list[Edge] = []
    while two in parent_of:
        down.append(parent_of[two])
        two = parent_of[two].parent
    while up and down and up[-1] is down[-1]:
        up.pop()
        down.pop()
    return [*up, *reversed(down)]


def _cut_order(graph: Graph, joint: Joint, depth: dict[int, int]) -> tuple[bool, int, int]:
    """The largest is cut: no counterpart in URDF, then the farthest from the ground, then the last in the dump."""
    return (joint.type in WITHOUT_COUNTERPART, sum(depth[head(graph, end)] for end in ends(joint)), joint.index)


def _cut(graph: Graph, edges: list[Edge], depth: dict[int, int], joint: Joint, *, ordered: bool = False) -> Cut:
    near = min((head(graph, end) for end in ends(joint)), key=lambda link: depth[link])
    edge = _edge(graph, joint, near)
    loop = _path({edge.child: edge for edge in edges}, edge.parent, edge.child)
    loop.sort(key=lambda item: depth[item.parent])
    return Cut(edge=edge, loop=tuple(loop), ordered=ordered)
