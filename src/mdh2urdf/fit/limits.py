"""What of a joint's limits a row of a table can hold, and what a row needs that the joint does not have."""

from __future__ import annotations

from dataclasses import dataclass

from mdh2urdf.bounds import LARGEST
from mdh2urdf.cells import listed
from mdh2urdf.expression import Units
from mdh2urdf.robot import Joint, Limits

_FIELDS = ("lower", "upper", "velocity", "effort")


@dataclass(frozen=True, kw_only=True, slots=True)
class LimitGap:
    """Limits of a joint that its row does not have.

    Parameters
    ----------
    joint : str
    linear : bool
        Whether they are in m and N, not in rad and N m.
    too_large : tuple of str
        Left out because no number of a table is so large.
    lone : str
        The one of velocity and effort that was left out because a joint without a range has both or neither.
    missing : tuple of str
        What has to be added before the table converts: no number of a robot is invented.
    """

    joint: str
    linear: bool
    too_large: tuple[str, ...] = ()
    lone: str = ""
    missing: tuple[str, ...] = ()


def held_limits(joint: Joint) -> tuple[Limits, LimitGap | None]:
    """The limits that a row holds, and what it lacks of the joint's or of what a row needs; None if nothing."""
    given = joint.limits or Limits()
    if _is_whole(given):  # as nearly all are: a fit is quick
        return given, None
    values = {name: getattr(given, name) for name in _FIELDS}
    too_large = tuple(name for name, value in values.items() if value is not None and abs(value) > LARGEST)
    values |= dict.fromkeys(too_large)
    missing = tuple(name for name, value in values.items() if value is None)
    lone = ""
    if joint.type != "prismatic" and values["lower"] is None and values["upper"] is None:
        rates = [name for name in ("velocity", "effort") if values[name] is not None]
        missing = ()
        if len(rates) == 1:
            lone = rates[0]
            values[lone] = None
    gap = LimitGap(joint=joint.name, linear=joint.type == "prismatic", too_large=too_large, lone=lone, missing=missing)
    return Limits(**values), gap if too_large or lone or missing else None


def _is_whole(limits: Limits) -> bool:
    """Whether all four are there and none is too large."""
    if limits.lower is None or limits.upper is None or limits.velocity is None or limits.effort is None:
        return False
    return -LARGEST <= limits.lower <= limits.upper <= LARGEST and max(limits.velocity, limits.effort) <= LARGEST


def limit_lines(gaps: tuple[LimitGap, ...], units: Units) -> list[str]:
    """The gaps as lines to read; joints that lack the same are told together."""
    lines = []
    for gap in gaps:
        if gap.too_large:
            lines.append(f"{gap.joint}: {listed(gap.too_large)} left out, beyond {LARGEST:.0e}")
        if gap.lone:
            lines.append(
                f"{gap.joint}: {gap.lone} left out; a joint without a range has velocity and effort or neither"
            )
    joints: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for gap in gaps:
        if gap.missing:
            joints.setdefault((gap.linear, gap.missing), []).append(gap.joint)
    for (linear, missing), names in joints.items():
        unit = units.length if linear else units.angle
        measures = {"lower": unit, "upper": unit, "velocity": f"{unit}/s", "effort": "N" if linear else "N m"}
        wanted = ", ".join(f"{name}: <{measures[name]}>" for name in missing)
        lines.append(f"before the table converts, add to the limits of {listed(names)} what the source lacks: {wanted}")
    return lines
