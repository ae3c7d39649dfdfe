"""What looks odd in a table that is well formed: the other convention, other units, rounded angles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import asin, cos, degrees, hypot, pi, sin

from mdh2urdf.bounds import FAR, FOUR_TURNS, LONGEST
from mdh2urdf.errors import Finding
from mdh2urdf.frames import NEARLY_PARALLEL, PARALLEL
from mdh2urdf.names import first_names, look_alikes
from mdh2urdf.rounded_pi import cut_fraction, fraction_of_pi
from mdh2urdf.se3 import norm
from mdh2urdf.table import ModifiedRow, Row, Table, TableJoint
from mdh2urdf.text import number
from mdh2urdf.yaml_nodes import Path, path_text

WHOLE_TURN = 2 * pi + 0.01
"""rad; above it an angle of a row is read as degrees by mistake. The margin lets 6.29 pass for a turn."""

SHORTEST = 0.003
"""m; a table in millimetres whose longest row is below 3 mm was written in metres."""

Place = Callable[[Path], tuple[int, int]]
"""Line and column of a path in the file."""

Remarks = Iterator[tuple[Path, str]]
"""Where, and what is said."""


@dataclass(frozen=True, slots=True)
class _Pair:
    """Rows (by index) of two neighbouring axes that are nearly parallel, and the angle between them."""

    first: int
    second: int
    tilt: float


@dataclass(frozen=True, slots=True)
class _Survey:
    """What the rules look at: a table, its angles and lengths that are not 0 (rad, m), and its size.

    ``lengths`` leaves out the d beside nearly parallel axes, which may be any; ``arm`` is the length of
    the arm stretched out, m.
    """

    table: Table
    angles: list[tuple[Path, float]]
    limits: list[tuple[Path, float]]
    lengths: list[tuple[Path, float]]
    pairs: list[_Pair]
    arm: float


def table_findings(
    table: Table, *, file: str = "", place: Place | None = None, calibration: bool = False
) -> list[Finding]:
    """What looks odd in a table, each with the rule that says so; none for a sound table.

    Parameters
    ----------
    table : Table
    file : str
        Its name, for messages.
    place : callable, optional
        Gives line and column of a path into the file.
    calibration : bool
        A robot's own calibration, whose angles may be any number of turns. Frames far beyond the arm
        give one away too.
    """
    rules: dict[str, Callable[[_Survey], Remarks]] = {
        "other-convention": _other_convention,
        "angle-unit": _angle_unit,
        "length-unit": _length_unit,
        "rounded-pi": _rounded_pi,
        "nearly-parallel": _nearly_parallel,
        "no-limit": _no_limits,
        "same-name": _same_names,
        "near-name": _near_names,
        "undefined-material": _undefined_materials,
    }
    survey = _survey(table)
    if calibration or any(_nearly_parallel(survey)):
        del rules["angle-unit"]
    findings = []
    for rule, remarks in rules.items():
        for path, message in remarks(survey):
            line, column = (0, 0) if place is None else place(path)
            findings.append(
                Finding(message=message, rule=rule, file=file, line=line, column=column, path=path_text(path))
            )
    return findings


def _survey(table: Table) -> _Survey:
    pairs = _nearly_parallel_pairs(table)
    loose = {index for pair in pairs for index in (pair.first, pair.second)}
    angles: list[tuple[Path, float]] = []
    lengths: list[tuple[Path, float]] = []
    rows: list[tuple[Path, Row]] = [(("joints", index), joint.row) for index, joint in enumerate(table.joints)]
    if table.tool is not None and table.tool.row is not None:
        rows.append((("tool",), table.tool.row))
    for index, (path, row) in enumerate(rows):
        if isinstance(row, ModifiedRow):
            turns = [("alpha", row.alpha_prev), ("theta", row.theta), ("beta", row.beta_prev), ("gamma", row.gamma)]
            shifts = [("a", row.a_prev), ("d", row.d), ("b", row.b)]
        else:
            turns = [("alpha", row.alpha), ("theta", row.theta), ("beta", row.beta)]
            shifts = [("a", row.a), ("d", row.d)]
        angles += [((*path, key), turn) for key, turn in turns if turn]
        lengths += [((*path, key), shift) for key, shift in shifts if shift and not (key == "d" and index in loose)]
    return _Survey(table, angles, _turning_limits(table), lengths, pairs, _arm(table, lengths))


def _turning_limits(table: Table) -> list[tuple[Path, float]]:
    limits: list[tuple[Path, float]] = []
    for index, joint in enumerate(table.joints):
        if joint.type == "revolute":
            for key, limit in (("lower", joint.limits.lower), ("upper", joint.limits.upper)):
                if limit:
                    limits.append((("joints", index, "limits", key), limit))
    return limits


def _arm(table: Table, lengths: list[tuple[Path, float]]) -> float:
    """Length of the arm stretched out, m: all rows, the tool, and the way of sliding joints."""
    travel = (
        max(abs(joint.limits.lower or 0.0), abs(joint.limits.upper or 0.0))
        for joint in table.joints
        if joint.type == "prismatic"
    )
    tool = 0.0 if table.tool is None or table.tool.pose is None else norm(table.tool.pose.translation)
    return sum(abs(length) for _, length in lengths) + sum(travel) + tool


def _nearly_parallel_pairs(table: Table) -> list[_Pair]:
    index_of = {joint.link: index for index, joint in enumerate(table.joints)}
    pairs = []
    for index, joint in enumerate(table.joints):
        before = index_of.get(joint.parent)
        if before is not None:
            row = joint.row if isinstance(joint.row, ModifiedRow) else table.joints[before].row
            tilt = _tilt(row)
            if PARALLEL < tilt < NEARLY_PARALLEL:
                pairs.append(_Pair(before, index, tilt))
    return pairs


def _tilt(row: Row) -> float:
    """Angle in rad that a row turns the z axis by, to parallel or anti-parallel."""
    alpha, beta = (row.alpha_prev, row.beta_prev) if isinstance(row, ModifiedRow) else (row.alpha, row.beta)
    return asin(min(1.0, hypot(sin(alpha), cos(alpha) * sin(beta))))


def _other_convention(survey: _Survey) -> Remarks:
    """A first row without a and alpha is how modified tables begin; a last one is how standard tables end."""
    table = survey.table
    moving = [index for index, joint in enumerate(table.joints) if joint.type != "fixed"]
    parents = {joint.parent for joint in table.joints}
    if len(moving) < 2 or len([joint for joint in table.joints if joint.link not in parents]) > 1:
        return
    first, last = (_is_aligned(table.joints[index].row) for index in (moving[0], moving[-1]))
    looks = "that is how {} tables look; is convention: {} right?"
    if table.convention == "standard" and first and not last:
        hint = looks.format("modified", "standard")
        yield ("joints", moving[0]), f"the first row has a = alpha = 0 and the last has not: {hint}"
    if table.convention == "modified" and last and not first:
        hint = looks.format("standard", "modified")
        yield ("joints", moving[-1]), f"the last row has a = alpha = 0 and the first has not: {hint}"


def _is_aligned(row: Row) -> bool:
    """Whether a row keeps the z axis: no a, alpha and beta."""
    if isinstance(row, ModifiedRow):
        return row.a_prev == row.alpha_prev == row.beta_prev == 0.0
    return row.a == row.alpha == row.beta == 0.0


def _angle_unit(survey: _Survey) -> Remarks:
    if survey.table.units.angle == "rad":
        big = [(path, angle) for path, angle in survey.angles if abs(angle) > WHOLE_TURN]
        big += [(path, limit) for path, limit in survey.limits if abs(limit) > FOUR_TURNS]
        if big:
            path, angle = big[0]
            more = f" (and {len(big) - 1} more)" if len(big) > 1 else ""
            yield path, f"is {number(angle)} rad, {abs(angle) / (2 * pi):.1f} turns{more}; is it in degrees?"
        return
    angles = survey.angles + survey.limits
    if angles and all(abs(degrees(angle)) <= WHOLE_TURN for _, angle in angles):
        yield angles[0][0], "no angle of the table is above 2 pi degrees; are they in radians?"


def _length_unit(survey: _Survey) -> Remarks:
    unit = survey.table.units.length
    path, longest = max(survey.lengths, key=lambda entry: abs(entry[1]), default=((), 0.0))
    if unit == "m" and abs(longest) > LONGEST:
        yield path, f"is {number(longest)} m; is it in millimetres?"
    if unit == "mm" and 0.0 < abs(longest) < SHORTEST:
        yield path, f"is the longest of the table with {number(longest * 1000)} mm; is it in metres?"


def _rounded_pi(survey: _Survey) -> Remarks:
    """Angles that are a fraction of pi cut to some decimals, told once for each value."""
    seen: dict[float, list[Path]] = {}
    for path, angle in survey.angles:
        seen.setdefault(abs(angle), []).append(path)
    for angle, paths in seen.items():
        found = cut_fraction(angle)
        if found is None:
            continue
        twelfths, decimals = found
        cost = abs(angle - twelfths * pi / 12) * survey.arm * 1000
        fraction = fraction_of_pi(twelfths)
        exact = str(15 * twelfths) if survey.table.units.angle == "deg" else fraction
        cells = "" if len(paths) == 1 else f" (in {len(paths)} cells)"
        yield (
            paths[0],
            f"{number(angle)} rad{cells} is {fraction} cut to {decimals} decimals, which is {cost:.2g} mm "
            f"at the reach of {survey.arm:.3g} m; write {exact}",
        )


def _nearly_parallel(survey: _Survey) -> Remarks:
    for pair in survey.pairs:
        first, second = survey.table.joints[pair.first], survey.table.joints[pair.second]
        longest = max(first.row.d, second.row.d, key=abs)
        if abs(longest) > FAR * survey.arm:
            yield (
                ("joints", pair.second),
                f"the axes of {first.name} and {second.name} are {pair.tilt:.2g} rad from parallel, and d = "
                f"{longest:.4g} m puts a frame far beyond the arm of {survey.arm:.2g} m; "
                "--frames auto, the default, moves it near the arm",
            )


def _no_limits(survey: _Survey) -> Remarks:
    """Turning joints without velocity and effort, told once."""
    bare = [(index, joint.name) for index, joint in enumerate(survey.table.joints) if _is_bare(joint)]
    if bare:
        names = first_names((name for _, name in bare), 10)
        message = f"{names}: neither velocity nor effort is given; written as continuous, without <limit>"
        yield ("joints", bare[0][0]), message


def _is_bare(joint: TableJoint) -> bool:
    return joint.type == "continuous" and joint.limits.velocity is None and joint.limits.effort is None


def _same_names(survey: _Survey) -> Remarks:
    table = survey.table
    links = {table.base.link, *(joint.link for joint in table.joints)}
    for index, joint in enumerate(table.joints):
        if joint.name in links:
            message = f"{joint.name!r} is the name of a joint and of a link; some tools mix them up"
            yield ("joints", index, "name"), message


def _near_names(survey: _Survey) -> Remarks:
    table = survey.table
    joints = {joint.name: index for index, joint in enumerate(table.joints)}
    links = {joint.link: index for index, joint in enumerate(table.joints)}
    for key, places, first in (("name", joints, ()), ("link", links, (table.base.link,))):
        for name, message in look_alikes([*first, *places]):
            yield ("joints", places[name], key), message


def _undefined_materials(survey: _Survey) -> Remarks:
    """Materials that visuals name and none gives a colour or a texture, each told once."""
    used = [
        (("links", link, "visual", index, "material"), shape.material)
        for link, data in survey.table.links.items()
        for index, shape in enumerate(data.visuals)
        if shape.material is not None and shape.material.name
    ]
    told = {material.name for _, material in used if material.rgba is not None or material.texture}
    for path, material in used:
        if material.name not in told:
            told.add(material.name)
            yield (
                path,
                f"{material.name!r} is defined nowhere, and some readers refuse the file; "
                f"give its colour once: {{name: {material.name}, rgba: [r, g, b, 1]}}",
            )
