"""Poses, mass data and joints of MJCF bodies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lxml import etree

from mdh2urdf.link_data import tensor_in
from mdh2urdf.robot import MOVING, Inertial, Joint
from mdh2urdf.se3 import (
    NO_ROTATION,
    ORIGIN,
    X_AXIS,
    Y_AXIS,
    Transform,
    Vector3,
    cross,
    quaternion_from_rotation,
    rotate,
    unit,
)
from mdh2urdf.text import number, numbers

SMALLEST_MOMENT = 1e-14
"""kg m²: MuJoCo takes smaller moments for none."""

ROUNDING = 1e-12
"""Relative to the sum of the moments: what turning a tensor may change of them, with room."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Piece:
    """One hinge or slide of a body, its axis and point in the body's frame."""

    name: str
    kind: str
    axis: Vector3
    point: Vector3
    joint: Joint

    def element(self) -> etree._Element:
        """``<joint>``."""
        element = etree.Element("joint", name=self.name, type=self.kind)
        if self.point != ORIGIN:
            element.set("pos", numbers(self.point))
        element.set("axis", numbers(self.axis))
        if self.joint.type not in MOVING:
            return element
        ends = joint_range(self.joint)
        if ends is not None and ends[0] < ends[1]:
            element.set("range", numbers(ends))
        dynamics, limits = self.joint.dynamics, self.joint.limits
        if dynamics is not None and dynamics.damping:
            element.set("damping", number(dynamics.damping))
        if dynamics is not None and dynamics.friction:
            element.set("frictionloss", number(dynamics.friction))
        if limits is not None and limits.effort:
            element.set("actuatorfrcrange", numbers((-limits.effort, limits.effort)))
        return element


def joint_range(joint: Joint) -> tuple[float, float] | None:
    """Both limits of a revolute or prismatic joint; None where one is missing or the joint has none."""
    limits = joint.limits
    if joint.type not in ("revolute", "prismatic") or limits is None or limits.lower is None or limits.upper is None:
        return None
    return limits.lower, limits.upper


def joint_pieces(joint: Joint, behind: Transform) -> list[Piece]:
    """The hinges and slides of a joint; ``behind`` is the pose of the body in the joint's own frame."""
    back = behind.inverse()

    def piece(suffix: str, kind: str, axis: Vector3) -> Piece:
        axis = axis if behind.rotation == NO_ROTATION else rotate(back.rotation, axis)
        point = back.translation if kind == "hinge" else ORIGIN
        return Piece(name=joint.name + suffix, kind=kind, axis=axis, point=point, joint=joint)

    if joint.type in MOVING:
        return [piece("", "slide" if joint.type == "prismatic" else "hinge", joint.axis)]
    if joint.type == "planar":
        across = unit(cross(joint.axis, X_AXIS if abs(joint.axis[0]) < 0.9 else Y_AXIS))
        return [
            piece("_x", "slide", cross(across, joint.axis)),
            piece("_y", "slide", across),
            piece("_turn", "hinge", joint.axis),
        ]
    return []


def moments(inertial: Inertial) -> tuple[float, float, float]:
    """Principal moments, kg m², the smallest first."""
    import numpy as np

    low, middle, high = np.linalg.eigvalsh(tensor_in(inertial.inertia, NO_ROTATION)).tolist()
    return low, middle, high


def is_impossible(inertial: Inertial) -> bool:
    """Whether the largest moment is larger than the sum of the others, by more than rounding."""
    low, middle, high = moments(inertial)
    return high - low - middle > ROUNDING * (low + middle + high)


def inertial_element(inertial: Inertial) -> etree._Element:
    """``<inertial>`` with the whole tensor, in the axes of the body.

    MuJoCo refuses the tensor of a thin plate, whose moments obey the triangle inequality only just, where
    rounding breaks it: such moments are raised by as much as rounding is.
    """
    tensor = tensor_in(inertial.inertia, inertial.origin.rotation)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = tensor
    low, middle, high = moments(inertial)
    lift = 2.0 * ROUNDING * (low + middle + high)
    if abs(high - low - middle) <= lift:
        xx, yy, zz = xx + lift, yy + lift, zz + lift
    return etree.Element(
        "inertial",
        pos=numbers(inertial.origin.translation),
        mass=number(inertial.mass),
        fullinertia=numbers((xx, yy, zz, xy, xz, yz)),
    )


def pose_attributes(pose: Transform) -> dict[str, str]:
    """``pos`` and ``quat`` of a pose, each only if it is not the default."""
    attributes: dict[str, str] = {}
    if pose.translation != ORIGIN:
        attributes["pos"] = numbers(pose.translation)
    if pose.rotation != NO_ROTATION:
        attributes["quat"] = numbers(quaternion_from_rotation(pose.rotation))
    return attributes


def polynomial(values: Sequence[float]) -> str:
    """Coefficients of MuJoCo's quartic, the missing ones 0."""
    return numbers([*values, *([0.0] * (5 - len(values)))])
