"""How one chain has to be placed, turned and zeroed to move like another: the fit on whole poses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mdh2urdf.compare.chain import Chain, Poses
from mdh2urdf.compare.gauss_newton import UNSEEN, least_squares
from mdh2urdf.compare.twists import Array, adjoint, cross_matrix, displacements

GAIN = 1e-12
"""Share of the squared residual that a step must be able to win for the fit to go on."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """``F_a(q) = base · F_b(signs · q + offsets) · tool``.

    Parameters
    ----------
    signs : tuple of int
        +1 or -1 for every joint, or for the first ones while they are searched.
    offsets : array, shape (n,)
        Scaled while searched: rad, or reaches.
    base, tool : array, shape (4, 4)
        Lengths scaled to reaches while searched.
    """

    signs: tuple[int, ...]
    offsets: Array
    base: Array
    tool: Array

    @property
    def reversed_joints(self) -> int:
        """How many signs are -1."""
        return self.signs.count(-1)

    @property
    def base_angle(self) -> float:
        """Angle of the base rotation in rad."""
        return 2.0 * float(np.arcsin(min(1.0, np.linalg.norm(self.base[:3, :3] - np.eye(3)) / np.sqrt(8.0))))


def refine(a: Chain, b: Chain, start: Alignment, free: Array, q: Array, reach: float) -> Alignment:
    """The alignment (in rad and m) refined on whole poses at q, shape (N, n).

    What is shortest is the mean square over q of rotation (Frobenius) and distance in reaches.
    """
    wanted = a.poses(q)
    movable = np.flatnonzero(free)
    signs = np.array(start.signs)
    slides = np.array([variable.kind == "prismatic" for variable in b.variables])
    units = np.where(slides, reach, 1.0)[movable]

    def evaluate(state: Alignment) -> tuple[Array, Array]:
        poses = b.poses(signs * q + state.offsets)
        rotation, point = placed_poses(state, poses)
        misses = [(rotation - wanted.rotation).reshape(len(q), 9), (point - wanted.point) / reach]
        residual = np.concatenate(misses, axis=1) / np.sqrt(len(q))
        here = np.broadcast_to(np.eye(4), (len(q), 4, 4)).copy()
        here[:, :3, :3], here[:, :3, 3] = rotation, point
        scale = np.repeat([1.0, reach], 3)
        base = np.broadcast_to(np.diag(scale), (len(q), 6, 6))
        tool = np.swapaxes(adjoint(here) * scale, -1, -2)
        joints = np.swapaxes(poses.twists[movable] @ adjoint(state.base).T, 0, 1) * units[:, None]
        twists = np.concatenate([base, tool, joints], axis=1)
        turns = cross_matrix(twists[..., :3])
        rotations = (turns @ rotation[:, None]).reshape(*twists.shape[:2], 9)
        points = (twists[..., 3:] + np.einsum("nkij,nj->nki", turns, point)) / reach
        jacobian = np.swapaxes(np.concatenate([rotations, points], axis=2), 1, 2) / np.sqrt(len(q))
        return residual.ravel(), jacobian.reshape(residual.size, -1)

    def moved(state: Alignment, step: Array) -> Alignment:
        shift = np.tile(np.repeat([1.0, reach], 3), 2) * step[:12]
        offsets = state.offsets.copy()
        offsets[movable] += units * step[12:]
        return replace(
            state,
            base=displacements(shift[:6]) @ state.base,
            tool=state.tool @ displacements(shift[6:]),
            offsets=offsets,
        )

    return least_squares(start, evaluate, moved, GAIN)[0]


def placed_poses(state: Alignment, poses: Poses) -> tuple[Array, Array]:
    """Rotations and points of B's tip, carried by base and tool into A."""
    rotation, point = state.base[:3, :3] @ poses.rotation, poses.point @ state.base[:3, :3].T + state.base[:3, 3]
    return rotation @ state.tool[:3, :3], point + rotation @ state.tool[:3, 3]


def unscaled(a: Chain, b: Chain, found: Alignment, reach: float) -> Alignment:
    """A searched alignment in rad and m, with the tool that makes the tips meet at q = 0."""
    slides = np.array([variable.kind == "prismatic" for variable in b.variables])
    offsets = np.where(slides, reach, 1.0) * found.offsets
    base = found.base.copy()
    base[:3, 3] *= reach
    there, here = np.eye(4), np.eye(4)
    wanted, given = a.poses(np.zeros((1, len(offsets)))), b.poses(offsets[None])
    there[:3, :3], there[:3, 3] = wanted.rotation[0], wanted.point[0]
    here[:3, :3], here[:3, 3] = given.rotation[0], given.point[0]
    return replace(found, offsets=offsets, base=base, tool=np.linalg.inv(base @ here) @ there)


def axes_apart(a: Chain, b: Chain, found: Alignment) -> list[tuple[float, float]]:
    """For every joint the distance (m) and angle (rad) between A's axis and B's at ``q_a = 0``.

    The distance is taken from the point of A's axis nearest to the one before (the base for the first):
    axes that are nearly parallel may meet far outside the arm. It is NaN for what shifts: prismatic joints,
    and mimic joints that keep a link's direction.
    """
    zero = np.zeros((1, len(found.signs)))
    mine = a.poses(zero).twists[:, 0]
    others = b.poses(zero + found.offsets).twists[:, 0] @ adjoint(found.base).T * np.array(found.signs)[:, None]
    apart, point = [], np.zeros(3)
    for one, other in zip(mine, others, strict=True):
        if min(np.linalg.norm(one[:3]), np.linalg.norm(other[:3])) <= UNSEEN:
            apart.append((np.nan, _angle(one[3:], other[3:])))
            continue
        point = _nearest(one, point)
        apart.append((float(np.linalg.norm(_nearest(other, point) - point)), _angle(one[:3], other[:3])))
    return apart


def _nearest(twist: Array, point: Array) -> Array:
    """The point of a revolute screw's axis nearest to a point."""
    turn, square = twist[:3], float(twist[:3] @ twist[:3])
    foot: Array = np.cross(turn, twist[3:]) / square
    return foot + turn * (turn @ (point - foot)) / square


def _angle(one: Array, other: Array) -> float:
    return float(np.arctan2(np.linalg.norm(np.cross(one, other)), one @ other))
