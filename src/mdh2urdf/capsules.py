"""Capsules as a cylinder and two spheres, for formats that have no capsule."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from mdh2urdf.robot import Capsule, Cylinder, Shape, Sphere
from mdh2urdf.se3 import IDENTITY, NO_ROTATION, Transform


def without_capsules(shapes: Iterable[Shape]) -> tuple[Shape, ...]:
    """The shapes, each capsule as its cylinder and the spheres at its ends; one without length as a sphere."""
    plain: list[Shape] = []
    for shape in shapes:
        if not isinstance(shape.geometry, Capsule):
            plain.append(shape)
            continue
        radius, length = shape.geometry.radius, shape.geometry.length
        pieces = [(Sphere(radius=radius), 0.0, "")]
        if length > 0.0:
            half = 0.5 * length
            plain.append(_piece(shape, Cylinder(radius=radius, length=length), 0.0, ""))
            pieces = [(Sphere(radius=radius), half, "_top"), (Sphere(radius=radius), -half, "_bottom")]
        plain += [_piece(shape, *piece) for piece in pieces]
    return tuple(plain)


def _piece(shape: Shape, geometry: Cylinder | Sphere, along: float, suffix: str) -> Shape:
    """A part of a capsule at a place along its axis."""
    place = Transform(NO_ROTATION, (0.0, 0.0, along)) if along else IDENTITY
    return replace(
        shape,
        geometry=geometry,
        origin=shape.origin @ place,
        name=shape.name + suffix if shape.name else "",
    )
