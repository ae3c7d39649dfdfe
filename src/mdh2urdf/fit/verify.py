"""How far a table's poses are from those of the robot that it was fitted to."""

from __future__ import annotations

import random
from collections.abc import Mapping
from math import pi

from mdh2urdf.kinematics import Frame, as_transform, dh_frames, tool_frame
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import angle_between_rotations, norm, subtract
from mdh2urdf.table import Table

SEED = 20
"""Same source, same report."""

SAMPLES = 3
"""Sets of joint values besides q = 0: two rows that err the same way for four random q do not exist."""

STROKE = 0.5
"""m that prismatic joints are moved by at most."""


def random_values(table: Table, count: int) -> list[tuple[float, ...]]:
    """Joint values: all 0, and ``count`` random sets with any angle and strokes of half a metre."""
    generator = random.Random(SEED)  # noqa: S311 - no secret
    reach = [STROKE if joint.type == "prismatic" else pi for joint in table.moving_joints]
    drawn = [tuple([generator.uniform(-limit, limit) for limit in reach]) for _ in range(count)]
    return [(0.0,) * len(reach), *drawn]


def tip_frames(table: Table, q: tuple[float, ...], tips: Mapping[str, str]) -> dict[str, Frame]:
    """Frames of a table's ends at q, by the link of the source that each stands for; a tool is the only end."""
    if table.tool is not None:
        return dict.fromkeys(tips, tool_frame(table, q))
    frames = dh_frames(table, q)
    return {source: frames[link] for source, link in tips.items()}


def errors(table: Table, robot: Robot, tips: Mapping[str, str], samples: int = SAMPLES) -> tuple[float, float]:
    """Largest distance in m and angle in rad between the tips of a table and of a robot.

    Parameters
    ----------
    table : Table
    robot : Robot
        Its root is the table's base link.
    tips : mapping of str to str
        The robot's tips, and the links of the table (or its tool) that have their frames.
    samples : int
        Random sets of joint values, besides q = 0.
    """
    names = [joint.name for joint in table.moving_joints]
    position, angle = 0.0, 0.0
    for q in random_values(table, samples):
        poses = robot.link_poses(dict(zip(names, q, strict=True)))
        for link, frame in tip_frames(table, q, tips).items():
            reached, wanted = as_transform(frame), poses[link]
            position = max(position, norm(subtract(reached.translation, wanted.translation)))
            angle = max(angle, angle_between_rotations(reached.rotation, wanted.rotation))
    return position, angle
