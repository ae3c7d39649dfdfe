"""How far a table with other numbers is from a robot, and the best values of some of them (least squares)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mdh2urdf.fit.verify import random_values
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH
from mdh2urdf.robot import Robot
from mdh2urdf.table import ModifiedRow, Row, Table, TableJoint
from mdh2urdf.table_numbers import BASE, TOOL, Key

Array = np.ndarray[Any, np.dtype[np.float64]]

SAMPLES = 24
"""Sets of joint values: six numbers a set determine the 46 numbers of a seven-axis arm several times over."""

CONVERGED = 1e-15
"""Relative change below which least squares end; the least that scipy takes is 2.2e-16."""

Motion = Literal["turn", "shift"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One elementary turn (rad) or shift (m) about or along x, y or z (0, 1, 2), with what the joint adds."""

    key: Key
    motion: Motion
    axis: int
    moved: Array | None = None


class Residual:
    """Differences of a table's tips from a robot's over random joint values, counted in tolerances.

    Parameters
    ----------
    table : Table
    robot : Robot
    tips : mapping of str to str
        The robot's tips and the table's links (or its tool) that stand for them.
    angle_tolerance, length_tolerance : float
        rad, m; 0 stands for the reader's noise.
    """

    def __init__(
        self, table: Table, robot: Robot, tips: Mapping[str, str], *, angle_tolerance: float, length_tolerance: float
    ) -> None:
        length, angle = max(length_tolerance, NOISE_LENGTH), max(angle_tolerance, NOISE_ANGLE)
        self.scale = np.array([length] * 3 + [angle] * 3)
        values = random_values(table, SAMPLES)
        names = [joint.name for joint in table.moving_joints]
        poses = [robot.link_poses(dict(zip(names, q, strict=True))) for q in values]
        moved = [robot.joint_values(dict(zip(names, q, strict=True))) for q in values]
        own = {name: np.array([one[name] for one in moved]) for name in names}
        self.paths = [_path(table, link, own) for link in tips.values()]
        self.wanted = [np.array([pose[tip].matrix() for pose in poses]) for tip in tips]

    def largest(self, numbers: Mapping[Key, float]) -> float:
        """Largest distance or angle of any tip, in tolerances."""
        found = 0.0
        for path, wanted in zip(self.paths, self.wanted, strict=True):
            difference = _difference(_poses(path, numbers, len(wanted)), wanted) / self.scale
            lengths = np.linalg.norm(difference.reshape(-1, 2, 3), axis=2)
            found = max(found, float(lengths.max()))
        return found

    def refitted(self, numbers: Mapping[Key, float], free: Sequence[Key]) -> dict[Key, float]:
        """The numbers with the free ones moved to where the squares of all differences are least."""
        if not free:
            return dict(numbers)
        from scipy.optimize import least_squares

        start = np.array([numbers[key] for key in free])
        place = {key: index for index, key in enumerate(free)}

        def current(values: Array) -> dict[Key, float]:
            return {**numbers, **dict(zip(free, values.tolist(), strict=True))}

        def residual(values: Array) -> Array:
            now = current(values)
            parts = [
                _difference(_poses(path, now, len(wanted)), wanted) / self.scale
                for path, wanted in zip(self.paths, self.wanted, strict=True)
            ]
            return np.concatenate([part.ravel() for part in parts])

        def jacobian(values: Array) -> Array:
            now = current(values)
            parts = [
                _slopes(path, now, place, len(wanted)) for path, wanted in zip(self.paths, self.wanted, strict=True)
            ]
            return np.concatenate([(part / self.scale[:, None]).reshape(-1, len(free)) for part in parts])

        found = least_squares(residual, start, jacobian, x_scale="jac", xtol=CONVERGED, ftol=CONVERGED, gtol=CONVERGED)
        return current(found.x)


def _path(table: Table, link: str, moved: Mapping[str, Array]) -> list[Factor]:
    """The elementary transforms from the base link to a link of the table, or to its tool."""
    above = {joint.link: joint for joint in table.joints}
    tool = table.tool if table.tool is not None and link == table.tool.link else None
    rows: list[TableJoint] = []
    at = link if tool is None else table.joints[-1].link
    while at in above:
        rows.append(above[at])
        at = above[at].parent
    factors = list(_pose_factors(BASE))
    for joint in reversed(rows):
        q = joint.direction * moved[joint.name] if joint.name in moved else None
        factors.extend(_row_factors(joint.name, joint.row, joint.type, q))
    if tool is not None:
        factors.extend(_pose_factors(TOOL) if tool.row is None else _row_factors(TOOL, tool.row, "fixed", None))
    return factors


def _pose_factors(place: str) -> Iterator[Factor]:
    """A pose as URDF has it: xyz, then yaw, pitch and roll about the axes as they have become."""
    for axis, field in enumerate("xyz"):
        yield Factor((place, field), "shift", axis)
    for axis, field in ((2, "yaw"), (1, "pitch"), (0, "roll")):
        yield Factor((place, field), "turn", axis)


_MODIFIED: tuple[tuple[str, Motion, int], ...] = (
    ("gamma", "turn", 2),
    ("b", "shift", 2),
    ("beta", "turn", 1),
    ("alpha", "turn", 0),
    ("a", "shift", 0),
    ("theta", "turn", 2),
    ("d", "shift", 2),
)
_STANDARD: tuple[tuple[str, Motion, int], ...] = (
    ("theta", "turn", 2),
    ("d", "shift", 2),
    ("a", "shift", 0),
    ("alpha", "turn", 0),
    ("beta", "turn", 1),
)


def _row_factors(place: str, row: Row, kind: str, q: Array | None) -> Iterator[Factor]:
    """A row as docs/conventions.md prints it, with the joint's motion in theta or d."""
    variable = "d" if kind == "prismatic" else "theta"
    for field, motion, axis in _MODIFIED if isinstance(row, ModifiedRow) else _STANDARD:
        yield Factor((place, field), motion, axis, q if field == variable else None)


def _poses(path: Sequence[Factor], numbers: Mapping[Key, float], count: int) -> Array:
    """Poses at the end of a path, shape (count, 4, 4)."""
    pose = np.tile(np.eye(4), (count, 1, 1))
    for factor in path:
        _apply(pose, factor, numbers)
    return pose


def _apply(pose: Array, factor: Factor, numbers: Mapping[Key, float]) -> None:
    value = numbers[factor.key] if factor.moved is None else numbers[factor.key] + factor.moved
    if factor.motion == "shift":
        pose[:, :, 3] += np.reshape(value, (-1, 1)) * pose[:, :, factor.axis]
        return
    c, s = np.reshape(np.cos(value), (-1, 1)), np.reshape(np.sin(value), (-1, 1))
    i, j = (factor.axis + 1) % 3, (factor.axis + 2) % 3
    u, v = pose[:, :, i].copy(), pose[:, :, j].copy()
    pose[:, :, i], pose[:, :, j] = c * u + s * v, c * v - s * u


def _difference(poses: Array, wanted: Array) -> Array:
    """Shift and small turn from wanted poses to poses, shape (count, 6)."""
    turn = 0.5 * np.cross(wanted[:, :3, :3], poses[:, :3, :3], axis=1).sum(axis=2)
    return np.concatenate([poses[:, :3, 3] - wanted[:, :3, 3], turn], axis=1)


def _slopes(path: Sequence[Factor], numbers: Mapping[Key, float], place: Mapping[Key, int], count: int) -> Array:
    """Derivatives of `_difference` by the numbers in ``place``, shape (count, 6, free)."""
    pose = np.tile(np.eye(4), (count, 1, 1))
    found: list[tuple[int, Motion, Array, Array]] = []
    for factor in path:
        if factor.key in place:
            axis, point = pose[:, :3, factor.axis].copy(), pose[:, :3, 3].copy()
            found.append((place[factor.key], factor.motion, axis, point))
        _apply(pose, factor, numbers)
    slopes = np.zeros((count, 6, len(place)))
    for index, motion, axis, point in found:
        if motion == "shift":
            slopes[:, :3, index] = axis
        else:
            slopes[:, :3, index] = np.cross(axis, pose[:, :3, 3] - point)
            slopes[:, 3:, index] = axis
    return slopes
