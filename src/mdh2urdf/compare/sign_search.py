"""Signs and zero offsets of the joints of one chain that make its screws those of another.

Two chains give the same poses for every q exactly if their screws at q = 0 are the same lines in space, up
to sign (the product of exponentials has no other constant but the tool). So signs, offsets and base are
searched on six numbers a joint, by branch and bound over the signs: a pattern of the first signs bounds the
residual of all patterns that begin with it from below.
"""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from mdh2urdf.compare.alignment import Alignment
from mdh2urdf.compare.chain import Chain
from mdh2urdf.compare.gauss_newton import STILL, UNSEEN, least_squares
from mdh2urdf.compare.twists import Array, adjoint, bracket, cross_matrix, displacements

ROUGH_GAIN = 1e-6
"""Share of the squared residual that a step must be able to win; whether a sign is right shows early."""

ABSORBED = 1e-8
"""Share of a zero offset's effect (rad, reaches a rad) that base and tool leave over: below, it is told as 0."""

GRID = 24
"""Angles that are tried for the offset before a new screw, 15 degrees apart."""

NEARLY_PARALLEL = 0.02
"""rad: along axes closer to parallel a shift of the base hardly shows until another axis crosses them."""

SLOWEST_TURN = 0.02
"""rad a reach: a slower turn is the shadow of a shift along nearly parallel axes, and turning it shifts far."""

EQUAL = 2.0
"""Solutions whose residuals differ by less than this factor are equal: rounding or wear decides between them."""

EQUAL_FLOOR = 1e-9
"""rad, reaches: residuals of screws below this are equal, whatever their ratio."""

MOST_NODES = 4000
"""Sign patterns that are opened before the search goes only deeper: all of those of ten joints and more."""


def free_offsets(twists: Array) -> Array:
    """Whether each zero offset can be told from base and tool, shape (n,), for screws (n, 6).

    An offset moves the screws behind it; a base pose moves all of them. Offsets are taken one by one, the
    one with the largest effect beyond the base's and the taken ones' first (of about equal ones the earlier);
    those without such an effect are not free. The last one moves nothing.
    """
    count = len(twists)
    basis = _orthonormal(bracket(twists).reshape(6 * count, 6))
    effects = np.zeros((6 * count, count))
    for joint in range(count):
        moved = twists[joint + 1 :] @ bracket(twists[joint]).T
        effects[6 * (joint + 1) :, joint] = moved.ravel()
    free = np.zeros(count, dtype=bool)
    while True:
        for _ in range(2):  # once more: the first projection leaves rounding errors of the size of what it took
            effects = effects - basis @ (basis.T @ effects)
        sizes = np.linalg.norm(effects, axis=0)
        if sizes.max() <= ABSORBED:
            return free
        joint = int(np.argmax(sizes >= sizes.max() / EQUAL))
        free[joint] = True
        basis = np.column_stack([basis, effects[:, joint] / sizes[joint]])


def _orthonormal(columns: Array) -> Array:
    left, values, _ = np.linalg.svd(columns, full_matrices=False)
    basis: Array = left[:, values > ABSORBED * values[0]]
    return basis


def scaled_twists(chain: Chain, reach: float) -> Array:
    """Screws at q = 0, lengths and prismatic values counted in reaches, shape (n, 6)."""
    twists: Array = chain.poses(np.zeros((1, len(chain.variables)))).twists[:, 0].copy()
    slides = np.array([variable.kind == "prismatic" for variable in chain.variables])
    twists[slides, :3] *= reach
    twists[~slides, 3:] /= reach
    return twists


def search(wanted: Array, given: Array, free: Array) -> Alignment:
    """Of the best alignments of screws the simplest, lengths in reaches: fewest reversed joints, then least base turn.

    Parameters
    ----------
    wanted, given : array, shape (n, 6)
        Screws of A and of B at q = 0.
    free : array of bool, shape (n,)
        Offsets that may differ from 0.
    """
    best, bound = next(_opened(wanted, given, free, key=lambda cost, _: (max(cost, EQUAL_FLOOR), 0)))
    limit = EQUAL * max(bound, EQUAL_FLOOR)
    equal: list[Alignment] = []
    for node, _ in _opened(wanted, given, free, key=lambda _, node: (0.0, node.reversed_joints), limit=limit):
        if equal and node.reversed_joints > equal[0].reversed_joints:
            break
        equal.append(node)
    placed = [_least_base(node, wanted) for node in equal or [best]]
    return min(placed, key=lambda node: round(node.base_angle, 9))


def _opened(
    wanted: Array,
    given: Array,
    free: Array,
    *,
    key: Callable[[float, Alignment], tuple[float, int]],
    limit: float = np.inf,
) -> Iterator[tuple[Alignment, float]]:
    """Complete sign patterns and their residuals (length), the smallest key first.

    A pattern of the first screws bounds what follows from below: more screws never fit better.
    """
    start = Alignment((), np.zeros(len(wanted)), np.eye(4), np.eye(4))
    order = itertools.count()
    heap = [(key(0.0, start), 0, next(order), 0.0, start)]
    opened = 0
    while heap:
        _, _, _, cost, node = heapq.heappop(heap)
        if len(node.signs) == len(wanted):
            yield node, cost
            continue
        opened += 1
        for sign in (1, -1):
            child, cost = _extended(node, sign, wanted, given, free)
            if cost <= limit:
                depth = -len(child.signs)
                place = key(cost, child) if opened < MOST_NODES else (float(depth), 0)
                heapq.heappush(heap, (place, depth, next(order), cost, child))


def _extended(node: Alignment, sign: int, wanted: Array, given: Array, free: Array) -> tuple[Alignment, float]:
    """The node with one more screw of the given sign, fitted, and its residual."""
    signs = (*node.signs, sign)
    count = len(signs)
    target, screws = wanted[:count], given[:count]
    movable = np.flatnonzero(free[: count - 1])

    def evaluate(state: Alignment) -> tuple[Array, Array]:
        placed = _placed(screws, state) * np.array(signs)[:, None]
        brackets = bracket(placed)
        jacobian = np.zeros((count, 6, 6 + len(movable)))
        jacobian[:, :, :6] = brackets
        for column, joint in enumerate(movable):
            turned = placed[joint + 1 :] @ brackets[joint].T
            jacobian[joint + 1 :, :, 6 + column] = -signs[joint] * turned
        return (target - placed).ravel(), jacobian.reshape(6 * count, -1)

    def moved(state: Alignment, step: Array) -> Alignment:
        offsets = state.offsets.copy()
        offsets[movable] += step[6:]
        return replace(state, base=displacements(step[:6]) @ state.base, offsets=offsets)

    best, least = node, np.inf
    for start in _starts(replace(node, signs=signs), target, screws, free):
        state, square = least_squares(start, evaluate, moved, ROUGH_GAIN)
        if square < least:
            best, least = state, square
        if least <= EQUAL_FLOOR**2:
            break
    return best, float(np.sqrt(least))


def _placed(screws: Array, state: Alignment) -> Array:
    """Screws of B carried by base and zero offsets into A's base frame."""
    moved = displacements(state.offsets[: len(screws), None] * screws)
    poses = np.empty((len(screws), 4, 4))
    pose = state.base
    for joint, motion in enumerate(moved):
        poses[joint] = pose
        pose = pose @ motion
    placed: Array = (adjoint(poses) @ screws[..., None])[..., 0]
    return placed


def _starts(node: Alignment, target: Array, screws: Array, free: Array) -> list[Alignment]:
    """Where to start from with a new screw: turned about what may turn it, and as it is.

    That is the last revolute offset that is free; where none is, base turns about the last revolute screw
    (or the first direction): then all screws so far lie on one line or are shifts along it.
    """
    last = len(screws) - 1
    if last == 0:
        return [replace(node, base=_turn_onto(node.signs[0] * screws[0], target[0]) @ node.base)]
    placed = _placed(screws, node)
    revolute = [joint for joint in range(last) if np.any(screws[joint, :3])]
    turning = [joint for joint in revolute if free[joint]]
    pivot = placed[revolute[-1]] if revolute else np.concatenate([placed[0, 3:], np.zeros(3)])
    if turning:
        pivot = placed[turning[-1]]
    angles: Array = np.linspace(0.0, 2 * np.pi, GRID, endpoint=False)
    turned = adjoint(displacements(angles[:, None] * pivot)) @ (node.signs[last] * placed[last])
    misses: Array = np.linalg.norm(_without_shifts(turned - target[last], turned, placed[:last]), axis=1)
    valleys = (misses <= np.roll(misses, 1)) & (misses < np.roll(misses, -1))
    starts = []
    for angle in sorted(angles[valleys], key=lambda angle: misses[round(angle / angles[1])])[:2]:
        offsets, base = node.offsets.copy(), node.base
        if turning:
            offsets[turning[-1]] += angle
        else:
            base = displacements(angle * pivot) @ base
        starts.append(replace(node, offsets=offsets, base=base))
    return [*starts, node]


def _without_shifts(misses: Array, turned: Array, placed: Array) -> Array:
    """What of each miss, shape (N, 6), is left when base shifts along all screws so far (nearly parallel ones)."""
    shifts = _commuting(placed, NEARLY_PARALLEL)
    shifts = shifts[np.linalg.norm(shifts[:, :3], axis=1) <= UNSEEN]
    effects = np.swapaxes(shifts @ np.swapaxes(bracket(turned), -1, -2), -1, -2)
    amounts = np.linalg.pinv(effects, rcond=UNSEEN) @ misses[..., None]
    left: Array = misses - (effects @ amounts)[..., 0]
    return left


def _turn_onto(given: Array, wanted: Array) -> Array:
    """The smallest turn about the origin that takes one direction to another; none if one joint moves nothing."""
    source, target = (twist[:3] if np.any(twist[:3]) else twist[3:] for twist in (given, wanted))
    lengths = float(np.linalg.norm(source)), float(np.linalg.norm(target))
    if 0.0 in lengths:
        return np.eye(4)
    source, target = source / lengths[0], target / lengths[1]
    axis = np.cross(source, target)
    sine = float(np.linalg.norm(axis))
    if sine < STILL:
        axis = np.eye(3)[np.argmin(np.abs(source))]
        axis = axis - source * (source @ axis)
    angle = float(np.arctan2(sine, source @ target))
    return displacements(np.concatenate([angle * axis / np.linalg.norm(axis), np.zeros(3)]))


def _least_base(node: Alignment, wanted: Array) -> Alignment:
    """The alignment with the smallest base rotation and then the smallest base shift that tool can make up for.

    Base may move along every twist that commutes with all screws: about and along one common line, or along
    all slides.
    """
    free = _commuting(wanted)
    turns = free[np.linalg.norm(free[:, :3], axis=1) > SLOWEST_TURN]
    base = node.base
    for turn in turns:  # at most one: two different lines have no common screw
        unit = turn / np.linalg.norm(turn[:3])
        rotation, axis = base[:3, :3], unit[:3]
        across = np.trace(rotation) - axis @ rotation @ axis
        along = np.trace(cross_matrix(axis) @ rotation)
        base = displacements(float(np.arctan2(along, across)) * unit) @ base
    shifts = free[np.linalg.norm(free[:, :3], axis=1) <= UNSEEN][:, 3:]
    base = base.copy()
    base[:3, 3] -= shifts.T @ (shifts @ base[:3, 3])
    return replace(node, base=base)


def _commuting(twists: Array, tolerance: float = UNSEEN) -> Array:
    """An orthonormal basis of the twists that commute with all screws: a turning one at most, then pure shifts."""
    _, values, rows = np.linalg.svd(bracket(twists).reshape(-1, 6))
    null: Array = rows[values <= tolerance * max(1.0, values[0])]
    if not len(null):
        return null
    combinations, _, _ = np.linalg.svd(null[:, :3])
    basis: Array = combinations.T @ null
    return basis
