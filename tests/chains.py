"""Random chains whose neighbouring axes are singular on purpose, and the exact-as-doubles truth about them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, field

import numpy as np

import oracles
from mdh2urdf.robot import Joint, Limits, Link, Robot
from mdh2urdf.se3 import Transform
from mdh2urdf.table import ModifiedRow, Table

KINDS = [
    "skew",
    "intersecting",
    "perpendicular",
    "parallel",
    "anti-parallel",
    "coincident",
    "anti-coincident",
    "nearly parallel",
    "nearly anti-parallel",
    "nearly coincident",
]


@dataclass
class Chain:
    """A drawn robot, the kind of every pair of neighbours, the angle of the nearly parallel ones, and its reach."""

    robot: Robot
    kinds: list[str] = field(default_factory=list)
    angles: list[float] = field(default_factory=list)
    slides: list[bool] = field(default_factory=list)
    reach: float = 0.0

    @property
    def tip(self) -> str:
        return self.robot.joints[-1].child


def random_rotation(rng: random.Random) -> np.ndarray:
    axis = np.array([rng.gauss(0, 1) for _ in range(3)])
    return oracles.turn_about(axis, rng.uniform(-math.pi, math.pi))[:3, :3]


def _across(rng: random.Random, z: np.ndarray) -> np.ndarray:
    v = np.array([rng.gauss(0, 1) for _ in range(3)])
    v -= (v @ z) * z
    return v / np.linalg.norm(v)


def _next_axis(rng: random.Random, z: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Direction and a point of the next axis, and the angle to parallel where it is small."""
    length = rng.uniform(0.05, 0.4)
    along = rng.uniform(-0.4, 0.4) * z
    side = _across(rng, z)
    angle = 10.0 ** -rng.uniform(1, 12)
    if kind in ("parallel", "coincident"):
        return z, along + (kind == "parallel") * length * side, 0.0
    if kind in ("anti-parallel", "anti-coincident"):
        return -z, along + (kind == "anti-parallel") * length * side, 0.0
    if kind == "perpendicular":
        return np.cross(z, side), along + length * side, 0.0
    if kind.startswith("nearly"):
        sign = -1 if "anti" in kind else 1
        direction = sign * (math.cos(angle) * z + math.sin(angle) * _across(rng, z))
        return direction, along + (kind != "nearly coincident") * length * side, angle
    turn = rng.uniform(0.1, math.pi - 0.1)
    direction = math.cos(turn) * z + math.sin(turn) * _across(rng, z)
    return direction, along + (kind == "skew") * length * side, 0.0


def _rpy(rotation: np.ndarray) -> Transform:
    return Transform.from_matrix([[*row, 0.0] for row in rotation.tolist()])


def draw(rng: random.Random, *, near: bool = True, prismatic: float = 0.2) -> Chain:
    """A chain of 3 to 9 moving joints with link frames turned at will, fixed joints between, a base and a tool."""
    count = rng.randint(3, 9)
    kinds = KINDS if near else [kind for kind in KINDS if not kind.startswith("nearly")]
    links, joints = [Link(name="base_link")], []
    chain = Chain(robot=Robot(name="none", links=(Link(name="none"),), joints=()))
    z, point = np.array([rng.gauss(0, 1) for _ in range(3)]), np.array([rng.uniform(-0.5, 0.5) for _ in range(3)])
    z /= np.linalg.norm(z)
    if rng.random() < 0.3:
        z, point = np.array([0, 0, 1.0]), np.array([0, 0, rng.uniform(0, 0.5)])
    for index in range(count):
        child = random_rotation(rng) if rng.random() < 0.8 else np.eye(3)
        origin = Transform(_rpy(child).rotation, tuple(point.tolist()))
        parent = links[-1].name
        if rng.random() < 0.2:  # a fixed joint on the way
            middle = Transform(_rpy(random_rotation(rng)).rotation, tuple(rng.uniform(-0.3, 0.3) for _ in range(3)))
            links.append(Link(name=f"bracket{index + 1}"))
            joints.append(
                Joint(name=f"fixed{index + 1}", type="fixed", parent=parent, child=links[-1].name, origin=middle)
            )
            parent, origin = links[-1].name, middle.inverse() @ origin
        slides = rng.random() < prismatic
        axis = child.T @ z
        axis /= np.linalg.norm(axis)
        links.append(Link(name=f"link{index + 1}"))
        joints.append(
            Joint(
                name=f"joint{index + 1}",
                type="prismatic" if slides else "revolute",
                parent=parent,
                child=links[-1].name,
                origin=origin,
                axis=tuple(axis.tolist()),
                limits=Limits(lower=-3.0, upper=2.0, velocity=1.0, effort=1.0),
            )
        )
        chain.slides.append(slides)
        chain.reach += float(np.linalg.norm(point))
        if index + 1 < count:
            kind = rng.choice(kinds)
            z, point, angle = _next_axis(rng, axis, kind)
            chain.kinds.append(kind)
            chain.angles.append(angle)
    if rng.random() < 0.5:
        links.append(Link(name="flange"))
        tool = Transform(_rpy(random_rotation(rng)).rotation, tuple(rng.uniform(-0.3, 0.3) for _ in range(3)))
        chain.reach += float(np.linalg.norm(tool.translation))
        joints.append(Joint(name="tool", type="fixed", parent=links[-2].name, child="flange", origin=tool))
    chain.robot = Robot(name="drawn", links=tuple(links), joints=tuple(joints))
    return chain


def poses(robot: Robot, q: np.ndarray) -> np.ndarray:
    """Pose of the last link of a chain for many joint values, shape (samples, 4, 4); q has shape (n, samples)."""
    pose = np.tile(np.eye(4), (q.shape[1], 1, 1))
    moving = 0
    for joint in robot.joints:
        pose = pose @ np.array(joint.origin.matrix())
        if joint.type == "fixed":
            continue
        motion = np.tile(np.eye(4), (q.shape[1], 1, 1))
        axis = np.array(joint.axis)
        if joint.type == "prismatic":
            motion[:, :3, 3] = q[moving][:, None] * axis
        else:
            x, y, z = axis
            skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
            sine, versine = np.sin(q[moving])[:, None, None], 2 * np.sin(q[moving] / 2)[:, None, None] ** 2
            motion[:, :3, :3] += sine * skew + versine * (skew @ skew)
        pose = pose @ motion
        moving += 1
    return pose


def table_poses(table: Table, q: np.ndarray) -> np.ndarray:
    """Pose of the tool of a chain's table, from the factors of each row; shapes as in `poses`."""
    pose = np.tile(np.array(table.base.pose.matrix()), (q.shape[1], 1, 1))
    for index, joint in enumerate(table.joints):
        row, slides = joint.row, joint.type == "prismatic"
        theta = row.theta + (0.0 if slides else joint.direction * q[index])
        d = row.d + (joint.direction * q[index] if slides else 0.0)
        if isinstance(row, ModifiedRow):
            before = oracles.rot_y(row.beta_prev) @ oracles.rot_x(row.alpha_prev) @ oracles.shift(row.a_prev, 0, 0)
            pose = pose @ before @ _screw(theta, d, q.shape[1])
        else:
            after = oracles.shift(row.a, 0, 0) @ oracles.rot_x(row.alpha) @ oracles.rot_y(row.beta)
            pose = pose @ _screw(theta, d, q.shape[1]) @ after
    return pose if table.tool is None else pose @ np.array(table.tool.pose.matrix())


def _screw(theta: np.ndarray | float, d: np.ndarray | float, count: int) -> np.ndarray:
    """A turn about z and a shift along it, shape (count, 4, 4)."""
    motion = np.tile(np.eye(4), (count, 1, 1))
    motion[:, 0, 0] = motion[:, 1, 1] = np.cos(theta)
    motion[:, 1, 0] = np.sin(theta)
    motion[:, 0, 1] = -motion[:, 1, 0]
    motion[:, 2, 3] = d
    return motion


def error(have: np.ndarray, want: np.ndarray) -> float:
    """Largest distance in m, or angle in rad, between poses."""
    distance = np.linalg.norm(have[:, :3, 3] - want[:, :3, 3], axis=1).max()
    chord = np.linalg.norm(have[:, :3, :3] - want[:, :3, :3], axis=(1, 2)).max()
    return float(max(distance, 2 * np.arcsin(min(1.0, chord / math.sqrt(8)))))
