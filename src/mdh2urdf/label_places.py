"""Places for the labels of a picture: near to what they name, clear of each other and of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, inf, pi, sin
from operator import itemgetter

from mdh2urdf.camera import Point, crossing
from mdh2urdf.sheet import Box

Line = tuple[Point, Point]

DISTANCES = (3.0, 7.0, 13.0, 20.0, 28.0, 38.0)
"""pt between a label's edge and its anchor; a label farther than `NEAR` gets a leader."""

NEAR = 10.0
DIRECTIONS = tuple((cos(2 * pi * k / 16), sin(2 * pi * k / 16)) for k in range(16))

PADDING = 2.0
"""pt of white around a label."""

SWEEPS = 3
"""How often every label is placed anew among the others; more changes nothing in practice."""

OUTSIDE, ON_A_LABEL, ON_A_LINE, LEADER_ACROSS, FAR = 1000.0, 60.0, 3.0, 15.0, 0.5
"""Costs: of leaving the paper, of a label on a label, per pt of line under a label, of each line that a leader
crosses, per pt of distance."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Label:
    """A text of known size in pt that may stand near any of its anchors."""

    name: str
    text: str
    anchors: tuple[Point, ...]
    width: float
    height: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """The centre of a label, its distance from what it names, and the line to that if it is far; pt."""

    label: Label
    centre: Point
    gap: float
    leader: Line | None
    box: Box


def place_labels(labels: Sequence[Label], lines: Sequence[Line], paper: Box) -> list[Place]:
    """A place for each label, in their order.

    Every label takes its cheapest place among those already placed; then each is placed again among all others.

    Parameters
    ----------
    labels : sequence of Label
    lines : sequence of Line
        Drawn lines to keep clear of, pt.
    paper : Box
        What the labels must stay inside.
    """
    choices = [_choices(label, lines, paper) for label in labels]
    placed: dict[int, Place] = {}
    for _ in range(SWEEPS):
        for index, places in enumerate(choices):
            others = [place for key, place in placed.items() if key != index]
            placed[index] = _cheapest(places, others)
    return [placed[index] for index in range(len(labels))]


def _cheapest(places: Sequence[tuple[float, Place]], others: Sequence[Place]) -> Place:
    """The place that costs least with the others, of places sorted by what each costs by itself."""
    best, least = places[0][1], inf
    for cost, place in places:
        if cost >= least:
            break
        total = cost + _shared_cost(place, others)
        if total < least:
            best, least = place, total
    return best


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes have in common, pt²."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)


def _choices(label: Label, lines: Sequence[Line], paper: Box) -> list[tuple[float, Place]]:
    """Every place that a label may take, with what it costs by itself, the cheapest first."""
    places = [
        _at(label, anchor, direction, distance)
        for distance in DISTANCES
        for anchor in label.anchors
        for direction in DIRECTIONS
    ]
    left, bottom = min(place.box[0] for place in places), min(place.box[1] for place in places)
    right, top = max(place.box[2] for place in places), max(place.box[3] for place in places)
    near = [line for line in lines if not _apart(line, (left, bottom, right, top))]
    return sorted(((_own_cost(place, near, paper), place) for place in places), key=itemgetter(0))


def _at(label: Label, anchor: Point, direction: Point, distance: float) -> Place:
    """The label so far from its anchor in a direction that its edge has the distance."""
    half_width, half_height = label.width / 2 + PADDING, label.height / 2 + PADDING
    x = anchor[0] + direction[0] * (distance + half_width)
    y = anchor[1] + direction[1] * (distance + half_height)
    box = (x - half_width, y - half_height, x + half_width, y + half_height)
    nearest = (min(max(anchor[0], box[0]), box[2]), min(max(anchor[1], box[1]), box[3]))
    gap = hypot(nearest[0] - anchor[0], nearest[1] - anchor[1])
    return Place(label=label, centre=(x, y), gap=gap, leader=(anchor, nearest) if gap > NEAR else None, box=box)


def _own_cost(place: Place, lines: Sequence[Line], paper: Box) -> float:
    left, bottom, right, top = place.box
    outside = left < paper[0] or bottom < paper[1] or right > paper[2] or top > paper[3]
    cost = OUTSIDE * outside + FAR * place.gap
    cost += ON_A_LINE * sum(_length_inside(line, place.box) for line in lines)
    if place.leader is not None:
        start, end = place.leader
        # The leader starts on the line that it leads to: only what it meets farther on is crossed.
        free = (start[0] + 0.2 * (end[0] - start[0]), start[1] + 0.2 * (end[1] - start[1]))
        cost += LEADER_ACROSS * sum(crossing(free, end, *line) for line in lines)
    return cost


def _shared_cost(place: Place, others: Sequence[Place]) -> float:
    cost = 0.0
    for other in others:
        area = overlap(place.box, other.box)
        cost += ON_A_LABEL + area if area > 0 else 0.0
        for one, two in ((place, other), (other, place)):
            if one.leader is not None and _length_inside(one.leader, two.box) > 0:
                cost += ON_A_LABEL
    return cost


def _length_inside(line: Line, box: Box) -> float:
    """Length of the part of a line that lies in a box, pt (Liang and Barsky's clipping)."""
    (x, y), (u, v) = line
    if _apart(line, box):
        return 0.0
    enter, leave = 0.0, 1.0
    for start, step, low, high in ((x, u - x, box[0], box[2]), (y, v - y, box[1], box[3])):
        if step == 0.0:
            continue
        first, last = sorted(((low - start) / step, (high - start) / step))
        enter, leave = max(enter, first), min(leave, last)
    return max(0.0, leave - enter) * hypot(u - x, v - y)


def _apart(line: Line, box: Box) -> bool:
    """Whether a line lies wholly to one side of a box."""
    (x, y), (u, v) = line
    return max(x, u) <= box[0] or min(x, u) >= box[2] or max(y, v) <= box[1] or min(y, v) >= box[3]
