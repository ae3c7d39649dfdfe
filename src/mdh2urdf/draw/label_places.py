"""Places for the labels of a picture: near to what they name, clear of each other and of the lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np

from mdh2urdf.draw.camera import Array, Point, side
from mdh2urdf.draw.sheet import Box

Line = tuple[Point, Point]

DISTANCES = (3.0, 7.0, 13.0, 20.0, 28.0, 38.0)
"""pt between a label's edge and its anchor; a label farther than `NEAR` gets a leader."""

NEAR = 10.0
DIRECTIONS = 16

PADDING = 2.0
"""pt of white around a label."""

SWEEPS = 3
"""How often every label is placed anew among the others; more changes nothing in practice."""

OUTSIDE, ON_A_LABEL, ON_A_LINE, LEADER_ACROSS, FAR = 1000.0, 60.0, 3.0, 15.0, 0.5
"""Costs: of leaving the paper, of a label on a label, per pt of line under a label, of each line that a leader
crosses, per pt of distance."""

LEADER_START = 0.2
"""Share of a leader at its anchor that may lie on lines: it starts on the one that it leads to."""


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


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Choices:
    """All n places that a label may take, and what each costs by itself.

    Parameters
    ----------
    anchors, centres, ends : ndarray, shape (n, 2)
        A leader goes from anchor to end, the point of the box that is nearest to the anchor.
    boxes : ndarray, shape (n, 4)
    gaps, far, costs : ndarray, shape (n,)
    """

    anchors: Array
    centres: Array
    ends: Array
    boxes: Array
    gaps: Array
    far: Array
    costs: Array


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
    drawn = np.array(lines, dtype=float).reshape(-1, 2, 2)
    choices = [_choices(label, drawn, paper) for label in labels]
    chosen: dict[int, int] = {}
    for _ in range(SWEEPS):
        for index, places in enumerate(choices):
            others = [(choices[key], place) for key, place in chosen.items() if key != index]
            costs = places.costs + (_shared_costs(places, others) if others else 0.0)
            chosen[index] = int(np.argmin(costs))
    return [_place(label, choices[index], chosen[index]) for index, label in enumerate(labels)]


def without_overlaps(places: Sequence[Place]) -> list[Place]:
    """The places, without those that would stand on one before it."""
    shown: list[Place] = []
    for place in places:
        if all(overlap(place.box, other.box) == 0.0 for other in shown):
            shown.append(place)
    return shown


def overlap(one: Box, other: Box) -> float:
    """Area that two boxes have in common, pt²."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0.0, width) * max(0.0, height)


def _choices(label: Label, lines: Array, paper: Box) -> _Choices:
    turns = 2 * pi * np.arange(DIRECTIONS) / DIRECTIONS
    directions = np.column_stack([np.cos(turns), np.sin(turns)])
    half = np.array([label.width, label.height]) / 2 + PADDING
    anchors = np.array(label.anchors, dtype=float)
    # Distances first, then anchors, then directions: of places that cost the same the nearest is taken.
    away = np.array(DISTANCES)[:, None, None, None] + half
    centres = (anchors[None, :, None, :] + directions[None, None] * away).reshape(-1, 2)
    starts = np.broadcast_to(anchors[None, :, None, :], (len(DISTANCES), len(anchors), DIRECTIONS, 2)).reshape(-1, 2)
    boxes = np.column_stack([centres - half, centres + half])
    ends = np.clip(starts, boxes[:, :2], boxes[:, 2:])
    gaps = np.linalg.norm(ends - starts, axis=1)
    far = gaps > NEAR
    outside = (boxes[:, :2] < paper[:2]).any(axis=1) | (boxes[:, 2:] > paper[2:]).any(axis=1)
    near = lines[_may_meet(lines, _around(boxes))]
    under = _lengths_inside(near, boxes).sum(axis=0)
    across = (_crossings(starts + LEADER_START * (ends - starts), ends, near).sum(axis=1)) * far
    costs = OUTSIDE * outside + FAR * gaps + ON_A_LINE * under + LEADER_ACROSS * across
    return _Choices(anchors=starts, centres=centres, ends=ends, boxes=boxes, gaps=gaps, far=far, costs=costs)


def _place(label: Label, choices: _Choices, index: int) -> Place:
    (x, y), (u, v) = choices.anchors[index].tolist(), choices.ends[index].tolist()
    left, bottom, right, top = choices.boxes[index].tolist()
    cx, cy = choices.centres[index].tolist()
    return Place(
        label=label,
        centre=(cx, cy),
        gap=float(choices.gaps[index]),
        leader=((x, y), (u, v)) if choices.far[index] else None,
        box=(left, bottom, right, top),
    )


def _shared_costs(places: _Choices, others: Sequence[tuple[_Choices, int]]) -> Array:
    """What each place of a label costs beside the places that other labels have, shape (n,)."""
    around = _around(np.concatenate([places.boxes, np.hstack([places.anchors, places.anchors])]))
    boxes = np.array([choices.boxes[index] for choices, index in others])
    boxes = boxes[_may_meet(boxes.reshape(-1, 2, 2), around)]
    low = np.maximum(places.boxes[:, None, :2], boxes[None, :, :2])
    high = np.minimum(places.boxes[:, None, 2:], boxes[None, :, 2:])
    areas = np.clip(high - low, 0.0, None).prod(axis=2)
    costs: Array = (ON_A_LABEL * (areas > 0) + areas).sum(axis=1)
    leaders = np.array([(choices.anchors[i], choices.ends[i]) for choices, i in others if choices.far[i]])
    leaders = leaders.reshape(-1, 2, 2)
    leaders = leaders[_may_meet(leaders, around)]
    if len(leaders):
        costs += ON_A_LABEL * (_lengths_inside(leaders, places.boxes) > 0).sum(axis=0)
    own = np.stack([places.anchors, places.ends], axis=1)[places.far]
    costs[places.far] += ON_A_LABEL * (_lengths_inside(own, boxes) > 0).sum(axis=1)
    return costs


def _around(boxes: Array) -> Array:
    """The box around boxes, shape (1, 4)."""
    return np.concatenate([boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)])[None]


def _may_meet(lines: Array, box: Array) -> Array:
    """Whether each line is not wholly to one side of a box, shape (lines,)."""
    met: Array = (lines.max(axis=1) > box[0, :2]).all(axis=1) & (lines.min(axis=1) < box[0, 2:]).all(axis=1)
    return met


def _lengths_inside(lines: Array, boxes: Array) -> Array:
    """Length of the part of each line that lies in each box, shape (lines, boxes) (Liang and Barsky's clipping)."""
    start, step = lines[:, None, 0], lines[:, None, 1] - lines[:, None, 0]
    low, high = boxes[None, :, :2] - start, boxes[None, :, 2:] - start
    with np.errstate(divide="ignore", invalid="ignore"):
        first, last = low / step, high / step
    # Along an axis that a line does not move in, it is inside for its whole length or not at all.
    still = np.broadcast_to(step == 0.0, first.shape)
    inside = (low < 0) & (high > 0)
    enter = np.where(still, np.where(inside, 0.0, 1.0), np.minimum(first, last)).max(axis=2)
    leave = np.where(still, np.where(inside, 1.0, 0.0), np.maximum(first, last)).min(axis=2)
    share = np.minimum(leave, 1.0) - np.maximum(enter, 0.0)
    lengths: Array = np.clip(share, 0.0, None) * np.linalg.norm(step, axis=2)
    return lengths


def _crossings(starts: Array, ends: Array, lines: Array) -> Array:
    """Whether each segment from start to end crosses each line, shape (segments, lines)."""
    p, q = starts[:, None], ends[:, None]
    r, s = lines[None, :, 0], lines[None, :, 1]
    crossed: Array = (side(p, q, r) * side(p, q, s) < 0) & (side(r, s, p) * side(r, s, q) < 0)
    return crossed
