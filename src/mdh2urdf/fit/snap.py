"""Numbers of a fitted table moved to those of a given table, or to round ones; the others refitted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mdh2urdf.fit.grids import Tolerances, snap_of, targets
from mdh2urdf.fit.guide import tool_pose
from mdh2urdf.fit.refit import Residual
from mdh2urdf.fit.report import Snap
from mdh2urdf.noise import same_pose
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import IDENTITY
from mdh2urdf.table import Table
from mdh2urdf.table_numbers import Key, table_numbers, with_numbers

TOO_FAR = 10.0
"""Tolerances by which a table may miss its robot before a snap is undone."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Snapped:
    """A table with moved numbers, and what was moved or taken back."""

    table: Table
    tips: Mapping[str, str]
    snaps: tuple[Snap, ...]


def snap(table: Table, robot: Robot, tips: Mapping[str, str], tolerances: Tolerances, like: Table | None) -> Snapped:
    """The table with numbers moved to wanted or round ones, and the others refitted.

    A move is taken back as long as the table misses the robot by more than `TOO_FAR` tolerances: first the
    one that gains most. Base and tool that have become the given table's are written as it writes them; a tool
    that only stood for a moving link's own frame and is none now is left out.
    """
    numbers = table_numbers(table)
    near = targets(table, tolerances, like)
    moved = {key: to for key, to in near.items() if to != numbers[key]}
    free = [key for key in numbers if key not in near]
    residual = Residual(table, robot, tips, angle_tolerance=tolerances.angle, length_tolerance=tolerances.length)
    undone: dict[Key, float] = {}
    fitted = dict(numbers)
    while moved:
        fitted = residual.refitted({**numbers, **moved}, [*free, *undone])
        if residual.largest(fitted) <= TOO_FAR:
            break
        worst = min(moved, key=lambda key: residual.largest({**fitted, key: numbers[key]}))
        undone[worst] = moved.pop(worst)
        fitted = dict(numbers)
    changed = [key for key in numbers if fitted[key] != numbers[key]]
    snaps = [snap_of(key, numbers[key], to) for key, to in moved.items()]
    snaps += [snap_of(key, numbers[key], to, undone=True) for key, to in undone.items()]
    table = _ends_as_given(with_numbers(table, fitted, changed), like)
    if table.tool is not None and table.tool.pose == IDENTITY and table.tool.link not in tips:
        table = replace(table, tool=None)
        tips = dict.fromkeys(tips, table.joints[-1].link)
    return Snapped(table=table, tips=tips, snaps=tuple(snaps))


def _ends_as_given(table: Table, like: Table | None) -> Table:
    """The table with the given base and tool where its own are the same."""
    if like is None:
        return table
    if same_pose(table.base.pose, like.base.pose):
        table = replace(table, base=replace(table.base, pose=like.base.pose))
    if like.tool is not None and table.tool is not None and same_pose(tool_pose(table.tool), tool_pose(like.tool)):
        table = replace(table, tool=replace(like.tool, link=table.tool.link, cells={}))
    return table


def missed_after_refit(table: Table, robot: Robot, tips: Mapping[str, str], tolerances: Tolerances) -> float:
    """By how many tolerances a table misses its robot when all numbers that are not round are refitted."""
    numbers = table_numbers(table)
    near = targets(table, tolerances)
    residual = Residual(table, robot, tips, angle_tolerance=tolerances.angle, length_tolerance=tolerances.length)
    return residual.largest(residual.refitted(numbers, [key for key in numbers if near.get(key) != numbers[key]]))
