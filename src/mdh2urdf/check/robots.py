"""Findings on a robot that was read or built: limits, mass data, origins, names, mesh files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import pi
from pathlib import Path

from mdh2urdf.bounds import FOUR_TURNS
from mdh2urdf.check.bodies import body_remarks
from mdh2urdf.check.origins import Remark, origin_remarks, survey
from mdh2urdf.errors import Finding
from mdh2urdf.mesh_files import mesh_file
from mdh2urdf.names import first_names, look_alikes
from mdh2urdf.robot import Joint, Limits, Mesh, Robot
from mdh2urdf.rounded_pi import cut_fraction, fraction_of_pi
from mdh2urdf.text import number

THREE_TURNS_IN_DEGREES = 1080.0
"""Degrees; larger limits are written by people who mean none."""

LEAST_EXCESS = 1e-9
"""rad; limits beyond a half turn by less are what ten digits can say."""

FARTHEST = 20.0
"""m; no robot slides farther, and one in millimetres does."""

_ROW_PATHS = ("joints[", "tool")
"""How the paths of a table's rows begin."""


def check_robot(
    robot: Robot, *, file: str = "", folder: Path | None = None, told: Iterable[Finding] = ()
) -> list[Finding]:
    """What looks wrong in a robot, each finding with the rule that says so; none for a sound robot.

    That links and joints are one tree has been checked when they were put together.

    Parameters
    ----------
    robot : Robot
    file : str
        Name of the input for the findings.
    folder : Path, optional
        Where the robot's file is; without it mesh files are not looked for.
    told : iterable of Finding
        What the reader has told already; the same rule at the same place is not told again, nor is a rule on
        origins that spoke of a table's rows.
    """
    seen = survey(robot)
    remarks = [*_limits(robot), *origin_remarks(seen), *body_remarks(seen), *_names(robot)]
    if folder is not None:
        remarks += _meshes(robot, folder)
    said = list(told)
    known = {(finding.rule, finding.path) for finding in said}
    of_rows = {finding.rule for finding in said if finding.path.startswith(_ROW_PATHS)}
    fresh = [remark for remark in remarks if remark[:2] not in known and remark[0] not in of_rows]
    return [Finding(rule=rule, path=path, message=message, file=file) for rule, path, message in _together(fresh)]


def _together(remarks: Iterable[Remark]) -> Iterator[Remark]:
    """Links or joints of which the same is said told once: the copies of a finger, the frames of sensors."""
    places: dict[tuple[str, str], list[str]] = {}
    for rule, path, message in remarks:
        places.setdefault((rule, message), []).append(path)
    for (rule, message), paths in places.items():
        others = first_names(path[path.index("[") + 1 : path.rindex("]")] for path in paths[1:])
        yield rule, paths[0], f"{message} (as in {others})" if others else message


def _limits(robot: Robot) -> Iterator[Remark]:
    ranged = [joint for joint in robot.joints if joint.type in ("revolute", "prismatic")]
    for joint in ranged:
        for rule, message in _range(joint):
            yield rule, f"joint[{joint.name}]" if rule == "missing-limits" else f"joint[{joint.name}].limit", message
    limited = [(joint, joint.limits) for joint in robot.joints if joint.limits is not None]
    for field, cost in (("effort", "a simulator cannot move these joints"), ("velocity", "a planner cannot")):
        still = [joint.name for joint, limits in limited if getattr(limits, field) == 0.0]
        if still:
            yield f"zero-{field}", f"joint[{still[0]}].limit", f"{field} is 0, {cost}: {first_names(still)}"
    yield from _rounded_limits([joint for joint in ranged if joint.type == "revolute"])


def _range(joint: Joint) -> Iterator[tuple[str, str]]:
    limits = joint.limits or Limits()
    lower, upper = limits.lower, limits.upper
    if lower is None or upper is None:
        yield "missing-limits", f"a {joint.type} joint without lower and upper limit; ROS refuses the file"
        return
    if lower > upper:
        yield "limit-order", f"lower {number(lower)} is above upper {number(upper)}"
    elif lower == upper:
        yield "limit-empty", f"lower and upper are both {number(lower)}; the joint cannot move"
    largest = max(abs(lower), abs(upper))
    if joint.type == "revolute" and FOUR_TURNS < largest <= THREE_TURNS_IN_DEGREES:
        yield "angle-unit", f"a limit of {number(largest)} rad; is it in degrees?"
    if joint.type == "prismatic" and largest > FARTHEST:
        yield "length-unit", f"a limit of {number(largest)} m; is it in millimetres?"


def _rounded_limits(joints: Iterable[Joint]) -> Iterator[Remark]:
    """Limits of half and whole turns that are rounded outwards: planners refuse angles beyond half a turn."""
    places: dict[float, list[str]] = {}
    for joint in joints:
        limits = joint.limits or Limits()
        for sign, limit in ((-1.0, limits.lower), (1.0, limits.upper)):
            if limit is not None and sign * limit > 0.0:
                places.setdefault(abs(limit), []).append(joint.name)
    for limit, names in places.items():
        found = cut_fraction(limit)
        if found is None or found[0] % 12 or limit < found[0] * pi / 12 + LEAST_EXCESS:
            continue
        turn, excess = fraction_of_pi(found[0]), limit - found[0] * pi / 12
        yield (
            "rounded-limit",
            f"joint[{names[0]}].limit",
            f"{number(limit)} rad is {turn} rounded up by {excess:.2g} rad: {first_names(names)}",
        )


def _names(robot: Robot) -> Iterator[Remark]:
    links = {link.name for link in robot.links}
    same = [joint.name for joint in robot.joints if joint.name in links]
    if same:
        message = f"names of a joint and of a link, which some tools mix up: {first_names(same)}"
        yield "same-name", f"joint[{same[0]}]", message
    for kind, names in (
        ("joint", [joint.name for joint in robot.joints]),
        ("link", [link.name for link in robot.links]),
    ):
        for name, message in look_alikes(names):
            yield "near-name", f"{kind}[{name}]", message


def _meshes(robot: Robot, folder: Path) -> Iterator[Remark]:
    """Mesh files that are not there; packages that are not known here are told once."""
    used = {
        shape.geometry.filename: link.name
        for link in reversed(robot.links)
        for shape in (*link.visuals, *link.collisions)
        if isinstance(shape.geometry, Mesh)
    }
    missing = [name for name in reversed(used) if mesh_file(name, folder) is None]
    unknown = [name for name in missing if "://" in name and not name.startswith("file://")]
    absent = [name for name in missing if name not in unknown]
    if absent:
        yield "mesh-missing", f"link[{used[absent[0]]}]", f"mesh files are not there: {first_names(absent)}"
    if unknown:
        packages = first_names("/".join(name.split("/", 3)[:3]) for name in unknown)
        count = f"{len(unknown)} mesh file" + ("s" if len(unknown) > 1 else "")
        yield "mesh-unknown", f"link[{used[unknown[0]]}]", f"{count} cannot be looked for here: {packages}"
