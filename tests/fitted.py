"""Robots to fit, and how far a fitted table is from its robot by the oracles."""

from __future__ import annotations

import math
import random

import oracles
from mdh2urdf.robot import Joint, Limits, Link, Robot
from mdh2urdf.se3 import Z_AXIS, Transform
from mdh2urdf.table import ModifiedRow, Table

LIMITS = Limits(lower=-1.5, upper=2.5, velocity=2.0, effort=30.0)


def joint(name, parent, child, xyz=(0, 0, 0), rpy=(0, 0, 0), axis=Z_AXIS, kind="revolute", **fields) -> Joint:
    """A joint as a URDF has it."""
    limits = None if kind == "fixed" else fields.pop("limits", LIMITS)
    return Joint(
        name=name,
        type=kind,
        parent=parent,
        child=child,
        origin=Transform.from_xyz_rpy(xyz, rpy),
        axis=axis,
        limits=limits,
        **fields,
    )


def robot(*joints: Joint, links: tuple[Link, ...] = ()) -> Robot:
    """A robot of joints; links that are not given are bare."""
    given = {link.name: link for link in links}
    names = dict.fromkeys([joints[0].parent, *(name for one in joints for name in (one.parent, one.child))])
    return Robot(name="arm", links=tuple(given.get(name, Link(name=name)) for name in names), joints=joints)


def arm(*origins, tip: Joint | None = None) -> Robot:
    """A chain of revolute joints about z: each origin is (xyz, rpy)."""
    joints = [joint(f"j{i + 1}", f"l{i}", f"l{i + 1}", *origin) for i, origin in enumerate(origins)]
    return robot(*joints, *([tip] if tip else []))


def rows(table: Table) -> list[tuple[float, ...]]:
    """Rows as (a, alpha, d, theta), then beta (and gamma, b) where they are not 0."""
    found = []
    for one in table.joints:
        row = one.row
        if isinstance(row, ModifiedRow):
            extra = (row.beta_prev, row.gamma, row.b)
            four = (row.a_prev, row.alpha_prev, row.d, row.theta)
        else:
            four, extra = (row.a, row.alpha, row.d, row.theta), (row.beta,)
        found.append((*four, *(extra if any(extra) else ())))
    return found


def errors(table: Table, source: Robot, tips: dict[str, str], samples: int = 5, seed: int = 3) -> tuple[float, float]:
    """Largest distance and angle between tips of the robot and what stands for them in the table.

    Parameters
    ----------
    tips : dict
        The robot's tip links, and the table's links (or ``tool``) for them.
    """
    rng = random.Random(seed)
    position = angle = 0.0
    for _ in range(samples):
        q = [
            0.4 * rng.uniform(-1, 1) if one.type == "prismatic" else rng.uniform(-math.pi, math.pi)
            for one in table.moving_joints
        ]
        have = oracles.table_poses(table, q)
        want = oracles.robot_poses(source, dict(zip([one.name for one in table.moving_joints], q, strict=True)))
        root = want[table.base.link]
        for link, end in tips.items():
            pose = oracles.inverse(root) @ want[link]
            position = max(position, oracles.position_error(have[end], pose))
            angle = max(angle, oracles.rotation_error(have[end], pose))
    return position, angle
