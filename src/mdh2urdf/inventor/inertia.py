"""Mass, centre and tensor of links: bodies put together, overrides, and what looks wrong."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from mdh2urdf.inventor.poses import Array, as_transform, compose
from mdh2urdf.robot import Inertia, Inertial
from mdh2urdf.se3 import Transform

DIGITS = 1e-12
"""Relative to the largest entry: what a tensor is rounded to, a thousandth of the promised 1e-9."""

TRIANGLE_TOLERANCE = 1e-6
"""Relative: flat and long bodies meet the triangle inequality with equality, and CAD prints ten digits."""

MESH_TOLERANCE = 0.02
"""Relative to the largest principal moment: what tessellation may change a tensor by."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MassData:
    """Mass in kg, centre in m, tensor about the centre in kg m², all in one frame."""

    mass: float
    center: Array
    inertia: Array

    def moved(self, pose: Array) -> MassData:
        """The same body seen from the frame in which this one stands at a pose."""
        rotation = pose[:3, :3]
        return MassData(
            mass=self.mass,
            center=rotation @ self.center + pose[:3, 3],
            inertia=rotation @ self.inertia @ rotation.T,
        )

    def scaled(self, factor: float) -> MassData:
        """Mass and tensor times a factor."""
        return MassData(mass=factor * self.mass, center=self.center, inertia=factor * self.inertia)

    def inertial(self) -> Inertial:
        """As the robot holds it, rounded to what a measurement is worth."""
        largest = float(np.abs(self.inertia).max())
        decimals = int(np.ceil(-np.log10(largest * DIGITS))) if largest > 0.0 else 0
        (ixx, ixy, ixz), (_, iyy, iyz), (_, _, izz) = (np.round(self.inertia, decimals) + 0.0).tolist()
        center = as_transform(compose(np.eye(3), np.round(self.center, 12)))
        return Inertial(
            mass=self.mass,
            inertia=Inertia(ixx=ixx, ixy=ixy, ixz=ixz, iyy=iyy, iyz=iyz, izz=izz),
            origin=Transform(translation=center.translation),
        )


def about_point(mass: float, offset: Array) -> Array:
    """What the tensor about a point exceeds that about the centre by: ``m (|d|² I - d d^T)``."""
    return mass * (float(offset @ offset) * np.eye(3) - np.outer(offset, offset))


def combined(bodies: Iterable[MassData]) -> MassData | None:
    """Bodies of one frame as one, by the parallel-axis theorem; None without mass."""
    parts = [body for body in bodies if body.mass > 0.0]
    if not parts:
        return None
    mass = sum(body.mass for body in parts)
    center = np.sum([body.mass * body.center for body in parts], axis=0) / mass
    inertia = np.sum([body.inertia + about_point(body.mass, body.center - center) for body in parts], axis=0)
    return MassData(mass=mass, center=center, inertia=0.5 * (inertia + inertia.T))


def faults(inertia: Array) -> list[str]:
    """Rules of rigid bodies that a tensor breaks."""
    moments = np.asarray(np.linalg.eigvalsh(inertia), dtype=float)
    if moments[0] <= 0.0:
        return [f"its tensor is not positive definite (principal moments {_listed(moments)} kg m²)"]
    if moments[2] > (moments[0] + moments[1]) * (1.0 + TRIANGLE_TOLERANCE):
        return [f"its principal moments {_listed(moments)} kg m² break the triangle inequality"]
    return []


def _listed(values: Sequence[float] | Array) -> str:
    return ", ".join(f"{value:.4g}" for value in values)


def slip(data: MassData, expected: Array) -> str | None:
    """What is wrong with a tensor that should equal the mesh's for the same mass; None if it fits."""
    scale = float(np.linalg.eigvalsh(expected).max())

    def fits(tensor: Array) -> bool:
        return bool(np.abs(tensor - expected).max() <= MESH_TOLERANCE * scale)

    given = data.inertia
    if fits(given):
        return None
    signs = np.array(((1, -1, -1), (-1, 1, -1), (-1, -1, 1)))
    swapped = given.copy()
    swapped[0, 2] = swapped[2, 0] = given[1, 2]
    swapped[1, 2] = swapped[2, 1] = given[0, 2]
    known = (
        ("its products of inertia have the other sign", given * signs),
        (
            "it is about the origin of the part, not about the centre of mass",
            given - about_point(data.mass, data.center),
        ),
        ("ixz and iyz are swapped", swapped),
        ("it is in kg mm², not in kg cm²", given * 0.01),
        ("it is in kg m² or kg dm², not in kg cm²", given * 100.0),
        ("it is in kg m², not in kg cm²", given * 1e4),
        ("it is in g cm², not in kg cm²", given * 1e-3),
        ("it is in kg cm² where the mass is in g", given * 1e3),
    )
    return next((text for text, tensor in known if fits(tensor)), "no known slip explains it")
