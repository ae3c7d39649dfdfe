"""What a fit has found, and how well the table does what the robot does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import remainder, tau
from typing import Literal

from mdh2urdf.cell_text import CellText
from mdh2urdf.expression import Kind, Units
from mdh2urdf.fit.held import Unheld
from mdh2urdf.fit.limits import LimitGap, limit_lines
from mdh2urdf.table_numbers import LENGTH_FIELDS

PairRule = Literal["beta", "four parameters", "parallel", "prismatic"]
"""How a nearly parallel pair is fitted.

``parallel`` below what four parameters can tell; ``prismatic`` if the later axis has no place of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Free:
    """Fields of a row that the axes leave free, and why."""

    joint: str
    fields: tuple[str, ...]
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class NearlyParallel:
    """Neighbouring axes that are parallel but for a small angle.

    Parameters
    ----------
    earlier, later : str
        Joints.
    angle : float
        rad, to parallel or anti-parallel.
    rule : PairRule
    distance : float
        m along the axes to the frame that the row needs.
    error : float
        m at most that four parameters cost; 0 with beta.
    """

    earlier: str
    later: str
    angle: float
    rule: PairRule
    distance: float = 0.0
    error: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Merged:
    """A link that is part of another one now."""

    link: str
    into: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Snap:
    """A number that was, or would be, moved to a rounder one.

    Parameters
    ----------
    place : str
        Joint, ``base`` or ``tool``.
    field : str
    value, to : float
        rad or m, before and after.
    undone : bool
        Whether it was taken back because the table would have missed the robot by too much.
    """

    place: str
    field: str
    value: float
    to: float
    undone: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class FitReport:
    """What was found, chosen and left over.

    Parameters
    ----------
    position_error, angle_error : float
        Largest difference in m and rad between table and robot over all tips and random joint values.
    samples : int
        Sets of joint values compared: q = 0 and random ones.
    free : tuple of Free
    nearly_parallel : tuple of NearlyParallel
    merged : tuple of Merged
    snaps : tuple of Snap
        Done, with ``--snap``.
    would_snap : tuple of Snap
        What ``--snap`` would do.
    left_out : tuple of str
        Joints of the source that are not part of the table.
    unled : tuple of str
        Joints whose mimic leader was left out; they move by themselves.
    limits : tuple of LimitGap
        What the rows lack of the joints' limits, and what they need beside them.
    unheld : tuple of Unheld
        What else of joints and links is not part of the table, because no table holds it.
    units : Units
        Of the table, for numbers in lines.
    """

    position_error: float
    angle_error: float
    samples: int
    free: tuple[Free, ...] = ()
    nearly_parallel: tuple[NearlyParallel, ...] = ()
    merged: tuple[Merged, ...] = ()
    snaps: tuple[Snap, ...] = ()
    would_snap: tuple[Snap, ...] = ()
    left_out: tuple[str, ...] = ()
    unled: tuple[str, ...] = ()
    limits: tuple[LimitGap, ...] = ()
    unheld: tuple[Unheld, ...] = ()
    units: Units = field(default_factory=Units)

    def lines(self) -> list[str]:
        """The report as lines to read."""
        return [
            f"the table misses the source by at most {self.position_error:.2g} m and {self.angle_error:.2g} rad "
            f"at q = 0 and {self.samples - 1} random sets of joint values",
            *(_near_line(pair) for pair in self.nearly_parallel),
            *(f"{free.joint}: {' and '.join(free.fields)} free, {free.reason}" for free in self.free),
            *(_snap_line(snap, "not snapped" if snap.undone else "snapped", self.units) for snap in self.snaps),
            *(_snap_line(snap, "would snap", self.units) for snap in self.would_snap),
            *_merged_lines(self.merged),
            *_list_line("left out: joint", self.left_out),
            *_list_line("moving by itself, because the joint that it mimics is left out: joint", self.unled),
            *(f"{one.place}: {one.what} left out, {one.reason}" for one in self.unheld),
            *limit_lines(self.limits, self.units),
        ]

    def as_json(self) -> dict[str, object]:
        """The report as plain data, rad and m."""
        plain = asdict(self)
        del plain["units"]
        return plain


def _near_line(pair: NearlyParallel) -> str:
    head = f"{pair.earlier}, {pair.later}: axes {pair.angle:.3g} rad off parallel"
    if pair.rule == "beta":
        return f"{head}, kept by beta"
    if pair.rule == "prismatic":
        return f"{head}, a prismatic axis has no place that this could move"
    if pair.rule == "parallel":
        return f"{head}, taken as parallel: this costs up to {pair.angle:.2g} rad and {pair.error:.2g} m"
    return (
        f"{head}, four parameters put the frame {pair.distance:.3g} m away: this costs up to {pair.error:.2g} m; "
        "beta would keep it near"
    )


def _snap_line(snap: Snap, done: str, units: Units) -> str:
    kind: Kind = "length" if snap.field in LENGTH_FIELDS else "angle"
    text = CellText(units=units)
    unit = units.length if kind == "length" else units.angle
    shift = snap.to - snap.value if kind == "length" else remainder(snap.to - snap.value, tau)
    line = f"{done}: {snap.place} {snap.field} {text.number(kind, snap.value)} to {text.number(kind, snap.to)} {unit}"
    line += f" (by {units.from_si(kind, shift):.2g} {unit})"
    return f"{line}, which would miss the source by more than 10 tolerances" if snap.undone else line


def _merged_lines(merged: Iterable[Merged]) -> list[str]:
    into: dict[str, list[str]] = {}
    for one in merged:
        into.setdefault(one.into, []).append(one.link)
    return [f"{link}: {', '.join(links)} merged into it" for link, links in into.items()]


def _list_line(head: str, names: tuple[str, ...]) -> list[str]:
    return [f"{head}{'s' * (len(names) > 1)} {', '.join(names)}"] if names else []
