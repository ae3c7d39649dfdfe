"""Do two models agree? Base, tool, signs and zero offsets that bring them together, and what is left then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, pi
from typing import TYPE_CHECKING

from mdh2urdf.errors import CheckError, Finding
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import Transform, rpy_from_rotation
from mdh2urdf.table import Table
from mdh2urdf.text import number, numbers

if TYPE_CHECKING:
    from numpy.random import Generator

    from mdh2urdf.compare.alignment import Alignment
    from mdh2urdf.compare.chain import Array, Chain

FITTED_POSES = 64
"""Random poses on which base, tool and offsets are fitted: many times the unknowns of ten joints."""

MEASURED_POSES = 2000
"""Random poses on which the residual is measured; none of them was fitted."""

SEED = 20240229
"""Of the random joint values: the same models give the same report."""

DIGITS = 9
"""Decimals (m, rad) in the lines for people; the JSON form has all."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JointMatch:
    """A joint of A and the one of B in the same place: ``q_b = sign · q_a + offset`` (rad or m).

    ``axis_distance`` (m) and ``axis_angle`` (rad) are what the two axes are apart at ``q_a = 0``; the distance
    is None for prismatic joints, whose axes have no place.
    """

    joint_a: str
    joint_b: str
    kind: str
    sign: int
    offset: float
    offset_free: bool
    axis_distance: float | None
    axis_angle: float


@dataclass(frozen=True, kw_only=True, slots=True)
class Worst:
    """A largest error and A's joint values (rad, m) where it happens."""

    error: float
    q: tuple[float, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Comparison:
    """How two chains match: ``F_a(q) = base · F_b(sign q + offset) · tool`` up to the residual.

    Parameters
    ----------
    name_a, name_b, chain_a, chain_b : str
        Names of the models and of the chains' two ends.
    joints : tuple of JointMatch
        In chain order.
    base, tool : Transform
        Pose of B's base in A's, and of A's tip in B's.
    position, angle : Worst
        Largest distance (m) and angle (rad) between the two tips over random q.
    """

    name_a: str
    name_b: str
    chain_a: str
    chain_b: str
    joints: tuple[JointMatch, ...]
    base: Transform
    tool: Transform
    position: Worst
    angle: Worst

    def agrees(self, tolerance: float) -> bool:
        """Whether both errors are within the tolerance (m and rad)."""
        return self.position.error <= tolerance and self.angle.error <= tolerance

    def lines(self, tolerance: float) -> list[str]:
        """The comparison as a person reads it."""
        verdict = "agree" if self.agrees(tolerance) else "differ by more than"
        within = f"within {number(tolerance)}" if self.agrees(tolerance) else number(tolerance)
        return [
            f"A: {self.name_a}, {self.chain_a}",
            f"B: {self.name_b}, {self.chain_b}",
            "F_A(q) = base F_B(sign q + offset) tool",
            "",
            *_columns(_joint_rows(self.joints)),
            "",
            *_columns([_pose_row("base", self.base), _pose_row("tool", self.tool)]),
            "",
            f"largest position error {self.position.error:.3g} m at q = {_values(self.position.q)}",
            f"largest angle error {self.angle.error:.3g} rad at q = {_values(self.angle.q)}",
            f"A and B {verdict} {within} (m and rad)",
        ]

    def as_json(self, tolerance: float) -> dict[str, object]:
        """The comparison for programs, in rad and m."""
        return {
            "a": {"name": self.name_a, "chain": self.chain_a},
            "b": {"name": self.name_b, "chain": self.chain_b},
            "joints": [
                {
                    "a": match.joint_a,
                    "b": match.joint_b,
                    "type": match.kind,
                    "sign": match.sign,
                    "offset": match.offset,
                    "offset_identifiable": match.offset_free,
                    "axis_distance": match.axis_distance,
                    "axis_angle": match.axis_angle,
                }
                for match in self.joints
            ],
            "base": _pose_json(self.base),
            "tool": _pose_json(self.tool),
            "residual": {
                "position": {"error": self.position.error, "q": list(self.position.q)},
                "angle": {"error": self.angle.error, "q": list(self.angle.q)},
            },
            "tolerance": tolerance,
            "agree": self.agrees(tolerance),
        }


def compare(
    a: Table | Robot,
    b: Table | Robot,
    *,
    base: str | None = None,
    tip: str | None = None,
) -> Comparison:
    """How B has to be placed, turned and zeroed to move like A, and what is left then.

    Parameters
    ----------
    a, b : Table or Robot
    base, tip : str, optional
        Ends of the chain, in the model (or both models) that have a link of this name. ``A:LINK`` and ``B:LINK``
        (or both, with a comma) mean one model only.

    Raises
    ------
    CheckError
        If the two chains have different joints.
    Mdh2UrdfError
        If a chain is not clear, or no model has the link.
    """
    import numpy as np

    from mdh2urdf.compare.chain import chain_of

    bases, tips = _per_model(base, (a, b)), _per_model(tip, (a, b))
    chain_a, chain_b = (chain_of(model, *ends) for model, *ends in zip((a, b), bases, tips, strict=True))
    _refuse_different_joints(chain_a, chain_b)
    random = np.random.default_rng(SEED)
    reach = max(chain_a.reach, chain_b.reach)
    alignment, free = _align(chain_a, chain_b, _random_q(chain_a, reach, FITTED_POSES, random), reach)
    position, angle = _residual(chain_a, chain_b, alignment, _random_q(chain_a, reach, MEASURED_POSES, random))
    return Comparison(
        name_a=chain_a.name,
        name_b=chain_b.name,
        chain_a=f"{chain_a.base} to {chain_a.tip}",
        chain_b=f"{chain_b.base} to {chain_b.tip}",
        joints=_matches(chain_a, chain_b, alignment, free),
        base=_transform(alignment.base),
        tool=_transform(alignment.tool),
        position=position,
        angle=angle,
    )


def _per_model(end: str | None, models: tuple[Table | Robot, Table | Robot]) -> list[str | None]:
    """The end of A's chain and of B's; one that no model has is kept for both, so that its error names the links."""
    if end is None:
        return [None, None]
    parts = end.split(",")
    if all(part.startswith(("A:", "B:")) for part in parts):
        named = dict(part.split(":", 1) for part in parts)
        return [named.get("A"), named.get("B")]
    has = [end in _links(model) for model in models]
    return [end if here or not any(has) else None for here in has]


def _links(model: Table | Robot) -> list[str]:
    if isinstance(model, Robot):
        return [link.name for link in model.links]
    tool = [model.tool.link] if model.tool is not None else []
    return [model.base.link, *(joint.link for joint in model.joints), *tool]


def _refuse_different_joints(a: Chain, b: Chain) -> None:
    joints = [", ".join(f"{variable.joint} ({variable.kind})" for variable in chain.variables) for chain in (a, b)]
    if len(a.variables) != len(b.variables):
        counts = [len(chain.variables) for chain in (a, b)]
        raise CheckError(
            [
                Finding(message=f"A has {counts[0]} moving joints and B has {counts[1]}; name other ends"),
                Finding(message=f"A: {a.name}, {a.base} to {a.tip}: {joints[0]}"),
                Finding(message=f"B: {b.name}, {b.base} to {b.tip}: {joints[1]}"),
            ]
        )
    problems = [
        Finding(message=f"joint {place} is {one.kind} in A ({one.joint}) and {other.kind} in B ({other.joint})")
        for place, (one, other) in enumerate(zip(a.variables, b.variables, strict=True), start=1)
        if one.kind != other.kind
    ]
    if problems:
        raise CheckError(problems)


def _random_q(chain: Chain, reach: float, count: int, random: Generator) -> Array:
    """Joint values over the whole turn, and as far to either side as a slide goes, at least a reach; shape (count, n).

    The arm may be short and the slides long: a gantry has no lengths at all.
    """
    import numpy as np

    spans = np.array([max(reach, slide.farthest) if slide.kind == "prismatic" else pi for slide in chain.variables])
    q: Array = random.uniform(-1.0, 1.0, (count, len(spans))) * spans
    return q


def _align(a: Chain, b: Chain, q: Array, reach: float) -> tuple[Alignment, Array]:
    """The alignment, and which zero offsets it could tell."""
    from mdh2urdf.compare.alignment import refine, unscaled
    from mdh2urdf.compare.sign_search import free_offsets, scaled_twists, search

    wanted, given = scaled_twists(a, reach), scaled_twists(b, reach)
    free = free_offsets(given)
    found = search(wanted, given, free)
    return refine(a, b, unscaled(a, b, found, reach), free, q, reach), free


def _residual(a: Chain, b: Chain, alignment: Alignment, q: Array) -> tuple[Worst, Worst]:
    import numpy as np

    from mdh2urdf.compare.alignment import placed_poses

    wanted = a.poses(q)
    rotation, point = placed_poses(alignment, b.poses(np.array(alignment.signs) * q + alignment.offsets))
    distances = np.linalg.norm(point - wanted.point, axis=1)
    halves = np.linalg.norm((rotation - wanted.rotation).reshape(len(q), 9), axis=1) / np.sqrt(8.0)
    angles = 2.0 * np.arcsin(np.minimum(1.0, halves))
    return _worst(distances, q), _worst(angles, q)


def _worst(errors: Array, q: Array) -> Worst:
    place = int(errors.argmax())
    return Worst(error=float(errors[place]), q=tuple(float(value) for value in q[place]))


def _matches(a: Chain, b: Chain, alignment: Alignment, free: Array) -> tuple[JointMatch, ...]:
    import numpy as np

    from mdh2urdf.compare.alignment import axes_apart

    apart = axes_apart(a, b, alignment)
    return tuple(
        JointMatch(
            joint_a=one.joint,
            joint_b=other.joint,
            kind=one.kind,
            sign=sign,
            offset=_wrapped(float(offset)) if one.kind == "revolute" else float(offset),
            offset_free=bool(can),
            axis_distance=None if np.isnan(distance) else float(distance),
            axis_angle=float(angle),
        )
        for one, other, sign, offset, can, (distance, angle) in zip(
            a.variables, b.variables, alignment.signs, alignment.offsets, free, apart, strict=True
        )
    )


def _wrapped(angle: float) -> float:
    """The same angle within half a turn to either side."""
    return angle - 2 * pi * round(angle / (2 * pi))


def _transform(pose: Array) -> Transform:
    return Transform.from_matrix(pose.tolist())


def _rounded(value: float) -> str:
    return number(round(value, DIGITS))


def _values(q: Sequence[float]) -> str:
    return ", ".join(number(round(value, 4)) for value in q)


def _joint_rows(joints: Sequence[JointMatch]) -> list[list[str]]:
    header = ["joint", "A", "B", "type", "sign", "offset", "", "axes apart", ""]
    rows = [header]
    for place, match in enumerate(joints, start=1):
        turning = match.kind == "revolute"
        offset = f"{_rounded(match.offset)} {'rad' if turning else 'm'}"
        turned = f"({number(round(degrees(match.offset), 6))}°)" if turning and match.offset_free else ""
        distance = "" if match.axis_distance is None else f"{match.axis_distance:.3g} m"
        rows.append(
            [
                *(str(place), match.joint_a, match.joint_b, match.kind, f"{match.sign:+d}"),
                *(offset if match.offset_free else "0 (in base or tool)", turned, distance),
                f"{match.axis_angle:.3g} rad",
            ]
        )
    return rows


def _pose_row(name: str, pose: Transform) -> list[str]:
    rpy = [abs(angle) if angle + pi < 10**-DIGITS else angle for angle in rpy_from_rotation(pose.rotation)]
    xyz = numbers(round(value, DIGITS) for value in pose.translation)
    turned = numbers(round(degrees(angle), 6) for angle in rpy)
    return [name, f"xyz {xyz} m", f"rpy {numbers(round(angle, DIGITS) for angle in rpy)} rad", f"({turned})°"]


def _columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as text with aligned columns."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _pose_json(pose: Transform) -> dict[str, object]:
    return {
        "xyz": list(pose.translation),
        "rpy": list(rpy_from_rotation(pose.rotation)),
        "matrix": [list(row) for row in pose.matrix()],
    }
