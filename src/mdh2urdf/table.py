"""A Denavit-Hartenberg table: rows of either convention and what belongs to them. All numbers in SI."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from mdh2urdf.expression import Expression, Kind, Quantity, Units
from mdh2urdf.robot import Calibration, Dynamics, Inertia, Limits, Mimic, Safety, Shape
from mdh2urdf.se3 import IDENTITY, ORIGIN, Transform, Vector3

RowType = Literal["revolute", "continuous", "prismatic", "fixed"]
Convention = Literal["modified", "standard"]


@dataclass(frozen=True, kw_only=True, slots=True)
class ModifiedRow:
    """Row i of a modified table: Craig's ``a_{i-1}, alpha_{i-1}, d_i, theta_i`` (m, rad).

    ``T(i-1,i) = Rz(gamma) Tz(b) Ry(beta_prev) Rx(alpha_prev) Tx(a_prev) Rz(theta) Tz(d)``
    (Craig 3.6; Hayati's beta; gamma and b of Khalil & Kleinfinger for branches).
    """

    a_prev: float
    alpha_prev: float
    d: float
    theta: float
    beta_prev: float = 0.0
    gamma: float = 0.0
    b: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class StandardRow:
    """Row i of a standard table (m, rad): ``T(i-1,i) = Rz(theta) Tz(d) Tx(a) Rx(alpha) Ry(beta)`` (Spong 3.10)."""

    theta: float
    d: float
    a: float
    alpha: float
    beta: float = 0.0


Row = ModifiedRow | StandardRow


def row_values(row: Row) -> dict[str, float]:
    """The parameters of a row by the file's field names, rad and m, in the order of the row's product."""
    if isinstance(row, StandardRow):
        return {"theta": row.theta, "d": row.d, "a": row.a, "alpha": row.alpha, "beta": row.beta}
    return {
        "gamma": row.gamma,
        "b": row.b,
        "beta": row.beta_prev,
        "alpha": row.alpha_prev,
        "a": row.a_prev,
        "theta": row.theta,
        "d": row.d,
    }


@dataclass(frozen=True, kw_only=True, slots=True)
class Cell:
    """A cell that uses parameters: its expression as written and what it measures."""

    expression: Expression
    kind: Kind


@dataclass(frozen=True, kw_only=True, slots=True)
class TableJoint:
    """One row with its joint.

    ``theta_i = row.theta + direction * q`` (revolute, continuous), ``d_i = row.d + direction * q`` (prismatic).

    Parameters
    ----------
    name, link, parent : str
        Joint, its child link, and the link whose frame the row starts from.
    type : RowType
    row : ModifiedRow or StandardRow
        The parameters at q = 0.
    direction : int
        +1 or -1.
    limits : Limits
        In the user's q, rad or m, defaults filled in.
    cells : mapping of str to Cell
        The fields that were written with parameters, by the file's field names (``a``, ``alpha``, ``d``,
        ``theta``, ``beta``, ``gamma``, ``b``, ``limits.lower``, ...). An expression may hold the joint
        variable (``variable``), which is 0 in the value.
    variable : str
        Name of the joint variable if the cell used one.
    extras : mapping
        The row's ``x-...`` fields, as read.
    """

    name: str
    link: str
    parent: str
    type: RowType
    row: Row
    direction: int = 1
    limits: Limits = field(default_factory=Limits)
    reference_rpy: Vector3 = ORIGIN
    dynamics: Dynamics | None = None
    safety: Safety | None = None
    mimic: Mimic | None = None
    calibration: Calibration | None = None
    cells: Mapping[str, Cell] = field(default_factory=dict)
    variable: str = ""
    extras: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Parameter:
    """A named constant: as written, and its value in the file's units (or an angle in rad)."""

    name: str
    expression: Expression
    value: Quantity


@dataclass(frozen=True, kw_only=True, slots=True)
class Base:
    """Pose of frame 0 in the root link; ``cells`` as in `TableJoint`, by ``xyz[0]`` to ``rpy[2]``."""

    link: str = "base_link"
    pose: Transform = IDENTITY
    cells: Mapping[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Tool:
    """The link behind the last frame: a fixed row of the table's convention, or a pose; ``cells`` of either."""

    link: str = "tool0"
    row: Row | None = None
    pose: Transform | None = None
    cells: Mapping[str, Cell] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class TableLink:
    """Mass data and geometry of a link, in the URDF link frame (``joint``) or the row's DH frame (``dh``).

    ``inertia`` is about the centre of mass, in the axes of the frame turned by ``inertia_rpy``.
    """

    frame: Literal["joint", "dh"] = "joint"
    mass: float | None = None
    center_of_mass: Vector3 = ORIGIN
    inertia: Inertia | None = None
    inertia_rpy: Vector3 = ORIGIN
    visuals: tuple[Shape, ...] = ()
    collisions: tuple[Shape, ...] = ()
    extras: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpectedPose:
    """A published pose of ``link`` (None: frame n times tool) in the root link at q; None where not published."""

    q: tuple[float, ...]
    xyz: Vector3 | None = None
    rpy: Vector3 | None = None
    link: str | None = None
    length_tolerance: float = 1e-6
    angle_tolerance: float = 1e-6


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A Denavit-Hartenberg table.

    Parameters
    ----------
    name : str
    joints : tuple of TableJoint
        At least one; all rows of one convention. Parents come before their children.
    units : Units
        Of the file; the numbers here are SI already.
    links : mapping of str to TableLink
        By link name, for links that have mass data or geometry.
    extras : mapping
        The ``x-...`` fields, ``license`` and ``notes``, as read.
    """

    name: str
    joints: tuple[TableJoint, ...]
    units: Units = field(default_factory=Units)
    base: Base = field(default_factory=Base)
    tool: Tool | None = None
    links: Mapping[str, TableLink] = field(default_factory=dict)
    parameters: tuple[Parameter, ...] = ()
    expect: tuple[ExpectedPose, ...] = ()
    source: str = ""
    extras: Mapping[str, object] = field(default_factory=dict)

    @property
    def convention(self) -> Convention:
        """``modified`` or ``standard``, as the rows are."""
        return "modified" if isinstance(self.joints[0].row, ModifiedRow) else "standard"

    @property
    def moving_joints(self) -> tuple[TableJoint, ...]:
        """The joints with a variable, in order: what an ``expect`` pose's q lists."""
        return tuple(joint for joint in self.joints if joint.type != "fixed")


def kind_of(joint_type: str) -> Kind:
    """What the q of a joint of this type measures."""
    return "length" if joint_type == "prismatic" else "angle"


def with_remarks(table: Table, given: Table) -> Table:
    """The table with the source and the ``extras`` of another table of the same arm, by joint and link names."""
    rows = {joint.name: joint.extras for joint in given.joints}
    joints = tuple(replace(joint, extras=rows.get(joint.name, {})) for joint in table.joints)
    links = dict(table.links)
    for name in (table.base.link, *(joint.link for joint in joints)):
        if name in given.links and given.links[name].extras:
            links[name] = replace(links.get(name, TableLink()), extras=given.links[name].extras)
    return replace(table, joints=joints, links=links, source=given.source, extras=given.extras)
