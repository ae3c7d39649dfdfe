"""A serial chain cut out of a table or a robot: its variables, and its poses over arrays of joint values.

Whatever the model is, a chain answers one question: at the joint values q, where is the tip in the base
frame, and about which screws do the variables move it there?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.kinematics import Frame, dh_frames, times_row, times_transform
from mdh2urdf.robot import MOVING, Joint, Limits, Robot
from mdh2urdf.table import ModifiedRow, Table, TableJoint

Array = NDArray[np.float64]

SHORTEST_REACH = 1e-3
"""m: the reach that is taken for a chain without lengths, so that lengths can be divided by it."""

SLOWEST_TURN = 1e-9
"""rad per unit of a variable, below which it only shifts: mimic joints may cancel each other's turns."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Variable:
    """One independent joint value.

    ``kind`` is ``revolute`` or ``prismatic``; ``joint`` is the joint that the value belongs to (the leader of
    the mimic joints that follow it). ``farthest`` is the limit farther from 0 (rad or m), 0 without limits.
    """

    joint: str
    kind: str
    farthest: float


@dataclass(frozen=True, slots=True)
class Poses:
    """A chain at N joint values.

    Parameters
    ----------
    twists : array, shape (n, N, 6)
        For every variable the velocity that it gives to the tip: turn about the base axes, then the velocity
        of the point at the base origin (m/rad, or a unit vector for a prismatic joint).
    rotation : array, shape (N, 3, 3)
    point : array, shape (N, 3)
        Pose of the tip in the base, m.
    """

    twists: Array
    rotation: Array
    point: Array


@dataclass(frozen=True, kw_only=True, slots=True)
class Chain:
    """A serial chain from a base link to a tip link.

    Parameters
    ----------
    name, base, tip : str
    variables : tuple of Variable
        In chain order.
    reach : float
        m, about how far the tip gets from the base.
    poses : callable
        Of q, shape (N, n), in rad and m.
    """

    name: str
    base: str
    tip: str
    variables: tuple[Variable, ...]
    reach: float
    poses: Callable[[Array], Poses]


def chain_of(model: Table | Robot, base: str | None = None, tip: str | None = None) -> Chain:
    """The chain from base (default: the root) to tip (default: the tool, the only leaf, or the longest arm).

    Several leaves are no question where all of them hang on one arm: then the moving joints above the tip
    contain those above every other leaf, and the choice changes only the constant tool transform.

    Raises
    ------
    Mdh2UrdfError
        If a link is unknown, the tip does not hang below the base, the tip is not clear, or nothing moves.
    """
    chain = _table_chain(model, base, tip) if isinstance(model, Table) else _robot_chain(model, base, tip)
    if not chain.variables:
        raise Mdh2UrdfError(f"{model.name}: no joint moves between {chain.base!r} and {chain.tip!r}")
    return chain


def _robot_chain(robot: Robot, base: str | None, tip: str | None) -> Chain:
    base = base or robot.root
    if tip is None:
        above = {leaf: _moving_above(robot, leaf) for leaf in robot.leaves()}
        tip = _clear_tip(robot.name, above)
    joints = robot.chain(base, tip)
    variables, followers = _variables([joint for joint in joints if joint.type in MOVING], robot.joints)

    def poses(q: Array) -> Poses:
        rotation = np.broadcast_to(np.eye(3), (len(q), 3, 3))
        point = np.zeros((len(q), 3))
        twists = np.zeros((len(variables), len(q), 6))
        for joint in joints:
            point = point + rotation @ np.array(joint.origin.translation)
            rotation = rotation @ np.array(joint.origin.rotation)
            if joint.type in MOVING:
                index, factor, shift = followers[joint.name]
                axis = rotation @ np.array(joint.axis)
                twists[index] += factor * _twist(joint.type, axis, point)
                rotation, point = _moved(joint, axis, rotation, point, factor * q[:, index] + shift)
        return Poses(twists, rotation, point)

    return Chain(
        name=robot.name, base=base, tip=tip, variables=variables, poses=poses, reach=_reach(poses, len(variables))
    )


def _moving_above(robot: Robot, leaf: str) -> tuple[str, ...]:
    return tuple(joint.name for joint in robot.chain(robot.root, leaf) if joint.type in MOVING)


def _moved(joint: Joint, axis: Array, rotation: Array, point: Array, value: Array) -> tuple[Array, Array]:
    """Rotation and point behind a joint's motion; ``axis`` is in the base frame."""
    if joint.type == "prismatic":
        return rotation, point + value[:, None] * axis
    x, y, z = joint.axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, versine = np.sin(value)[:, None, None], (2 * np.sin(value / 2) ** 2)[:, None, None]
    return rotation @ (np.eye(3) + sine * skew + versine * (skew @ skew)), point


def _twist(kind: str, axis: Array, point: Array) -> Array:
    if kind == "prismatic":
        return np.concatenate([np.zeros_like(axis), axis], axis=-1)
    return np.concatenate([axis, np.cross(point, axis)], axis=-1)


def _table_chain(table: Table, base: str | None, tip: str | None) -> Chain:
    base = base or table.base.link
    joint_of = {joint.link: joint for joint in table.joints}
    tool = table.tool.link if table.tool is not None else None
    tip = tip or tool or _clear_tip(table.name, _table_leaves(table, joint_of))
    known = [table.base.link, *joint_of, *([tool] if tool else [])]
    for name in (base, tip):
        if name not in known:
            raise Mdh2UrdfError(f"there is no link {name!r}; the links are {', '.join(known)}")
    path = _path(table, joint_of, base, tip)
    variables, followers = _variables([joint for joint in path if joint.type != "fixed"], table.joints)
    own = [joint.name for joint in table.moving_joints]
    places = [own.index(variable.joint) for variable in variables]

    def poses(q: Array) -> Poses:
        values: Array = np.zeros((len(own), len(q)))
        values[places] = q.T
        frames = dh_frames(table, list(values))
        if tip == tool:
            frames[tip] = _behind_last(table, frames)
        back, origin = _stacked(frames[base], len(q))
        back = np.swapaxes(back, -1, -2)
        twists = np.zeros((len(variables), len(q), 6))
        for joint in path:
            if joint.type != "fixed":
                index, factor, _ = followers[joint.name]
                own_frame = frames[joint.link if isinstance(joint.row, ModifiedRow) else joint.parent]
                rotation, point = _stacked(own_frame, len(q))
                axis = joint.direction * np.einsum("nij,nj->ni", back, rotation[:, :, 2])
                twists[index] += factor * _twist(joint.type, axis, np.einsum("nij,nj->ni", back, point - origin))
        rotation, point = _stacked(frames[tip], len(q))
        return Poses(twists, back @ rotation, np.einsum("nij,nj->ni", back, point - origin))

    return Chain(
        name=table.name, base=base, tip=tip, variables=variables, poses=poses, reach=_reach(poses, len(variables))
    )


def _behind_last(table: Table, frames: Mapping[str, Frame]) -> Frame:
    """The tool frame, from the frames of one evaluation of all rows."""
    frame, tool = frames[table.joints[-1].link], table.tool
    if tool is not None and tool.row is not None:
        return times_row(frame, tool.row, tool.row.theta, tool.row.d)
    return frame if tool is None or tool.pose is None else times_transform(frame, tool.pose)


def _table_leaves(table: Table, joint_of: Mapping[str, TableJoint]) -> dict[str, tuple[str, ...]]:
    parents = {joint.parent for joint in table.joints}
    return {
        link: tuple(joint.name for joint in _path(table, joint_of, table.base.link, link) if joint.type != "fixed")
        for link in joint_of
        if link not in parents
    }


def _path(table: Table, joint_of: Mapping[str, TableJoint], base: str, tip: str) -> list[TableJoint]:
    """Rows from base down to tip."""
    rows: list[TableJoint] = []
    link = table.joints[-1].link if table.tool is not None and tip == table.tool.link else tip
    while link != base:
        if link not in joint_of:
            raise Mdh2UrdfError(f"link {tip!r} does not hang below link {base!r}")
        rows.append(joint_of[link])
        link = joint_of[link].parent
    return rows[::-1]


def _stacked(frame: Frame, count: int) -> tuple[Array, Array]:
    """A frame of numbers and arrays as rotations (N, 3, 3) and points (N, 3)."""
    columns = np.stack([np.broadcast_to(np.asarray(entry, dtype=np.float64), (count,)) for entry in frame], axis=-1)
    axes = columns.reshape(count, 4, 3)
    return np.swapaxes(axes[:, :3], -1, -2), axes[:, 3]


def _clear_tip(name: str, moving_above: Mapping[str, tuple[str, ...]]) -> str:
    """The leaf whose moving joints begin with those of every other leaf."""
    tip = max(moving_above, key=lambda leaf: len(moving_above[leaf]))
    longest = moving_above[tip]
    if any(joints != longest[: len(joints)] for joints in moving_above.values()):
        raise Mdh2UrdfError(f"{name} has several arms; name the tip of one: {', '.join(moving_above)}")
    return tip


def _variables(
    moving: Sequence[Joint | TableJoint], joints: Iterable[Joint | TableJoint]
) -> tuple[tuple[Variable, ...], dict[str, tuple[int, float, float]]]:
    """The independent values in chain order, and for every moving joint its value's index, factor and shift."""
    by_name = {joint.name: joint for joint in joints}
    places: dict[str, int] = {}
    variables: list[Variable] = []
    followers: dict[str, tuple[int, float, float]] = {}
    for joint in moving:
        leader, factor, shift, seen = joint, 1.0, 0.0, {joint.name}
        while leader.mimic is not None and leader.mimic.joint in by_name and leader.mimic.joint not in seen:
            shift += factor * leader.mimic.offset
            factor *= leader.mimic.multiplier
            leader = by_name[leader.mimic.joint]
            seen.add(leader.name)
        if leader.name not in places:
            places[leader.name] = len(variables)
            kind = "prismatic" if leader.type == "prismatic" else "revolute"
            variables.append(Variable(joint=leader.name, kind=kind, farthest=_farthest(leader.limits)))
        followers[joint.name] = (places[leader.name], factor, shift)
    return tuple(variables), followers


def _farthest(limits: Limits | None) -> float:
    ends = (limits.lower, limits.upper) if limits is not None else ()
    return max((abs(end) for end in ends if end is not None), default=0.0)


def _reach(poses: Callable[[Array], Poses], count: int) -> float:
    """Largest distance, at q = 0, of the tip and of the points of the axes nearest to it from one another.

    Frames may lie hundreds of metres along nearly parallel axes; the axes themselves do not.
    """
    zero = poses(np.zeros((1, count)))
    tip = zero.point[0]
    points = [tip, np.zeros(3)]
    for turn, velocity in zero.twists[:, 0].reshape(-1, 2, 3):
        square = float(turn @ turn)
        if square > SLOWEST_TURN**2:
            foot = np.cross(turn, velocity) / square
            points.append(foot + turn * (turn @ (tip - foot)) / square)
    spread = np.array(points)
    return max(SHORTEST_REACH, float(np.linalg.norm(spread[:, None] - spread[None], axis=-1).max()))
