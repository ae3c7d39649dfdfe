"""What a page about an arm shows at a pose: sliders, the table with live values, the pose of a link.

All of it is plain data and text; `view` puts it into a browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil, degrees, floor, log10, pi

from mdh2urdf.convert import robot_from_table
from mdh2urdf.draw.captions import DECIMALS
from mdh2urdf.draw.sketch import UNIT_SIZE, drawable, is_chain
from mdh2urdf.expression import Units
from mdh2urdf.frames import reach
from mdh2urdf.kinematics import joint_theta_d, joint_values
from mdh2urdf.robot import MOVING, Joint, Limits, Robot
from mdh2urdf.se3 import Transform, angle_between_rotations, norm, rpy_from_rotation, subtract
from mdh2urdf.table import Row, Table
from mdh2urdf.text import number

ANGLE_DECIMALS = 2
"""Of an angle in degrees."""

STEPS = 500
"""The least number of steps from end to end of a slider."""

LEAST_RANGE = 1e-6
"""Of the page's unit; a joint with less between its limits stands still."""

ROUNDING = 1e-6
"""Steps by which a limit may miss a whole number of steps and still be taken for it."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Arm:
    """A model with what is shown of it.

    Parameters
    ----------
    model : Table or Robot
    rows : Table or Robot
        What its lines and numbers come from, see `sketch.drawable`.
    robot : Robot
        Its links.
    tip : str
        The link whose pose is shown first.
    units : Units
        Lengths are shown in the table's unit, angles in degrees.
    """

    model: Table | Robot
    rows: Table | Robot
    robot: Robot
    tip: str
    units: Units


@dataclass(frozen=True, kw_only=True, slots=True)
class Slider:
    """A joint that the user moves: ends, step and first value in ``unit``; ``limited`` if the ends are the model's."""

    joint: str
    prismatic: bool
    unit: str
    lower: float
    upper: float
    start: float
    step: float
    limited: bool


def arm_of(model: Table | Robot) -> Arm:
    """A table or a robot description with its links and the rows that it is drawn by."""
    robot = robot_from_table(model).robot if isinstance(model, Table) else model
    units = Units(angle="deg", length=model.units.length if isinstance(model, Table) else "m")
    return Arm(model=model, rows=drawable(model), robot=robot, tip=_tip(robot), units=units)


def _tip(robot: Robot) -> str:
    """Of all ends that most moving joints carry, the one that is called tool0, as ROS has it, else the first."""
    return max(
        robot.leaves(),
        key=lambda leaf: (
            sum(joint.type in MOVING for joint in robot.chain(robot.root, leaf)),
            leaf.endswith("tool0"),
        ),
    )


def sliders(arm: Arm) -> tuple[Slider, ...]:
    """One slider for each joint with a variable of its own, from limit to limit.

    Where a limit is not known, a revolute joint goes half a turn and a prismatic one the arm's reach.
    The first value is 0, or the limit next to it.
    """
    return tuple(
        _slider(joint, arm) for joint in arm.robot.joints_from_root() if joint.type in MOVING and joint.mimic is None
    )


def _slider(joint: Joint, arm: Arm) -> Slider:
    prismatic = joint.type == "prismatic"
    limits = Limits() if joint.limits is None or joint.type == "continuous" else joint.limits
    far = (reach(arm.robot) or UNIT_SIZE) if prismatic else pi
    lower = _shown(arm.units, prismatic, -far if limits.lower is None else limits.lower)
    upper = _shown(arm.units, prismatic, far if limits.upper is None else limits.upper)
    moves = upper - lower > LEAST_RANGE
    step = 10.0 ** -(ceil(log10(STEPS / (upper - lower))) if moves else ANGLE_DECIMALS)
    if moves:
        # Ends on multiples of the step, inside the limits: then 0 is one of the slider's places.
        lower, upper = ceil(lower / step - ROUNDING) * step, floor(upper / step + ROUNDING) * step
    return Slider(
        joint=joint.name,
        prismatic=prismatic,
        unit=arm.units.length if prismatic else "°",
        lower=round(lower, 9),
        upper=round(upper, 9),
        start=round(min(max(0.0, lower), upper), 9),
        step=step,
        limited=limits.lower is not None and limits.upper is not None,
    )


def _shown(units: Units, prismatic: bool, value: float) -> float:
    """A joint value in the page's units."""
    return units.from_si("length" if prismatic else "angle", value)


def pose_of_sliders(arm: Arm, handles: Sequence[Slider], values: Sequence[float]) -> dict[str, float]:
    """Joint values by name, rad and m, of what the sliders show."""
    return {
        slider.joint: arm.units.to_si("length" if slider.prismatic else "angle", value)
        for slider, value in zip(handles, values, strict=True)
    }


def pose_for_second(first: Arm, second: Arm, q: Mapping[str, float]) -> dict[str, float]:
    """The same pose for a second model: by the joints' names if all are known, else by their order.

    Joints that have no partner stand at 0.
    """
    names = [joint.name for joint in second.robot.joints_from_root() if joint.type in MOVING and joint.mimic is None]
    if all(name in q for name in names):
        return {name: q[name] for name in names}
    return dict(zip(names, (q[slider.joint] for slider in sliders(first)), strict=False))


def counterpart(link: str, second: Arm) -> str:
    """The second model's link of that name, or its tip."""
    return link if any(other.name == link for other in second.robot.links) else second.tip


def table_html(arm: Arm, q: Mapping[str, float]) -> str:
    """The table with its values at a pose, the number that the joint moves in bold."""
    table = arm.rows
    if isinstance(table, Robot):
        return "<p>No table: nothing moves, or a joint is floating or planar.</p>"
    optional = [column for column in _OPTIONAL if any(getattr(joint.row, column, 0.0) for joint in table.joints)]
    columns = [column for column in _COLUMNS[table.convention] if column in optional or column not in _OPTIONAL]
    link = "<sub>i−1</sub>" if table.convention == "modified" and is_chain(table) else "<sub>i</sub>"
    heads = [f"{_SIGNS[column]}{link if column in _OF_THE_LINK else '<sub>i</sub>'}" for column in columns]
    values = joint_values(table, [q.get(joint.name, 0.0) for joint in table.moving_joints])
    lines = [_line(["i", "joint", *heads], "th")]
    for index, joint in enumerate(table.joints, 1):
        theta, d = joint_theta_d(joint, values[joint.name])
        row = replace(joint.row, theta=theta, d=d)
        moved = {"fixed": "", "prismatic": "d"}.get(joint.type, "theta")
        lines.append(_line([str(index), escape(joint.name), *_cells(arm.units, row, columns, moved)]))
    if table.tool is not None and table.tool.row is not None:
        name = f"<i>{escape(table.tool.link)}</i>"
        lines.append(_line([str(len(table.joints) + 1), name, *_cells(arm.units, table.tool.row, columns, "")]))
    note = f"{table.convention}; lengths in {arm.units.length}, angles in °; bold: moved by the joint"
    return f'<table class="dh">{"".join(lines)}</table><p>{note}</p>'


_COLUMNS = {
    "modified": ("gamma", "b", "beta_prev", "a_prev", "alpha_prev", "d", "theta"),
    "standard": ("theta", "d", "a", "alpha", "beta"),
}
_OPTIONAL = ("gamma", "b", "beta_prev", "beta")
_OF_THE_LINK = ("a_prev", "alpha_prev", "beta_prev")
_SIGNS = {
    "gamma": "γ",
    "b": "b",
    "beta_prev": "β",
    "a_prev": "a",
    "alpha_prev": "α",
    "theta": "θ",
    "d": "d",
    "a": "a",
    "alpha": "α",
    "beta": "β",
}
_LENGTHS = ("a", "a_prev", "b", "d")


def _cells(units: Units, row: Row, columns: Sequence[str], moved: str) -> list[str]:
    cells = []
    for column in columns:
        value = getattr(row, column)
        text = _length(units, value) if column in _LENGTHS else _angle(value)
        cells.append(f"<b>{text}</b>" if column == moved else text)
    return cells


def _line(cells: Sequence[str], tag: str = "td") -> str:
    return f"<tr>{''.join(f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def pose_html(arm: Arm, link: str, q: Mapping[str, float], units: Units, name: str = "pose") -> str:
    """Pose of a link in the root link: xyz in the given unit, rpy in degrees; cells have ids ``pose-x`` and so on."""
    pose = arm.robot.link_poses(q)[link]
    xyz = [_length(units, value) for value in pose.translation]
    rpy = [_angle(value) for value in rpy_from_rotation(pose.rotation)]
    lines = [
        _named_line(name, ("x", "y", "z"), xyz, units.length),
        _named_line(name, ("roll", "pitch", "yaw"), rpy, "°"),
    ]
    where = f"{escape(link)} in {escape(arm.robot.root)}"
    return f"<p><b>{where}</b></p><table>{''.join(lines)}</table>"


def _named_line(name: str, fields: Sequence[str], values: Sequence[str], unit: str) -> str:
    cells = "".join(
        f'<th>{field}</th><td id="{name}-{field}">{value}</td>' for field, value in zip(fields, values, strict=True)
    )
    return f"<tr>{cells}<td>{unit}</td></tr>"


def gap_html(first: Transform, second: Transform, units: Units) -> str:
    """How far two poses are apart."""
    distance = norm(subtract(second.translation, first.translation))
    angle = angle_between_rotations(first.rotation, second.rotation)
    return (
        f'<p>apart: <span id="gap-length">{_length(units, distance)}</span> {units.length}, '
        f'<span id="gap-angle">{_angle(angle)}</span>°</p>'
    )


def _length(units: Units, value: float) -> str:
    return number(round(units.from_si("length", value), DECIMALS[units.length]))


def _angle(value: float) -> str:
    return number(round(degrees(value), ANGLE_DECIMALS))
