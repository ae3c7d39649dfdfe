"""Mass data and geometry of bodies in the frames of a table: fixed links merged, everything re-expressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mdh2urdf.capsules import without_capsules
from mdh2urdf.noise import clean_angle, clean_length, clean_pose
from mdh2urdf.robot import Inertia, Inertial, Link, Material, Shape
from mdh2urdf.se3 import (
    IDENTITY,
    NO_ROTATION,
    ORIGIN,
    Matrix3,
    Transform,
    Vector3,
    add,
    multiply,
    rpy_from_rotation,
    scale,
    subtract,
    transpose,
)
from mdh2urdf.table import TableLink

Placed = tuple[Link, Transform]
"""A link and its pose in the frame that its data are wanted in."""


def table_link(parts: Sequence[Placed], materials: Mapping[str, Material], *, dh: bool) -> TableLink | None:
    """Mass data and geometry of links that move as one; None if they have neither.

    Parameters
    ----------
    parts : sequence of (Link, Transform)
        The links and their poses in the frame of the result.
    materials : mapping of str to Material
        Named at the robot's top level; shapes that only name them get their colours.
    dh : bool
        Whether the frame of the result is a row's DH frame.
    """
    inertials = [placed_inertial(link.inertial, pose) for link, pose in parts if link.inertial is not None]
    visuals = tuple(
        placed_shape(shape, pose, materials) for link, pose in parts for shape in without_capsules(link.visuals)
    )
    collisions = tuple(
        placed_shape(shape, pose, materials) for link, pose in parts for shape in without_capsules(link.collisions)
    )
    if not (inertials or visuals or collisions):
        return None
    data = TableLink(frame="dh" if dh else "joint", visuals=visuals, collisions=collisions)
    if not inertials:
        return data
    inertial = inertials[0] if len(inertials) == 1 else merged(inertials)
    r, p, y = rpy_from_rotation(inertial.origin.rotation)
    return replace(
        data,
        mass=inertial.mass,
        center_of_mass=_clean(inertial.origin.translation),
        inertia=inertial.inertia,
        inertia_rpy=(clean_angle(r), clean_angle(p), clean_angle(y)),
    )


def merged(inertials: Iterable[Inertial]) -> Inertial:
    """Mass, centre and tensor of several bodies as one, in the axes of the common frame (parallel axis theorem)."""
    bodies = list(inertials)
    mass = sum(body.mass for body in bodies)
    center = bodies[0].origin.translation
    if mass != 0.0:
        center = ORIGIN
        for body in bodies:
            center = add(center, scale(body.mass / mass, body.origin.translation))
    sums = [[0.0, 0.0, 0.0] for _ in range(3)]
    for body in bodies:
        turned = tensor_in(body.inertia, body.origin.rotation)
        x, y, z = subtract(body.origin.translation, center)
        shifted = ((y * y + z * z, -x * y, -x * z), (-x * y, x * x + z * z, -y * z), (-x * z, -y * z, x * x + y * y))
        for row in range(3):
            for column in range(3):
                sums[row][column] += turned[row][column] + body.mass * shifted[row][column]
    tensor = Inertia(ixx=sums[0][0], ixy=sums[0][1], ixz=sums[0][2], iyy=sums[1][1], iyz=sums[1][2], izz=sums[2][2])
    return Inertial(mass=mass, inertia=tensor, origin=Transform(NO_ROTATION, center))


def tensor_in(inertia: Inertia, rotation: Matrix3) -> Matrix3:
    """The tensor ``R I R^T`` in the axes that the rotation leads to, exactly the same where it is none."""
    tensor = (
        (inertia.ixx, inertia.ixy, inertia.ixz),
        (inertia.ixy, inertia.iyy, inertia.iyz),
        (inertia.ixz, inertia.iyz, inertia.izz),
    )
    if rotation == NO_ROTATION:
        return tensor
    return multiply(multiply(rotation, tensor), transpose(rotation))


def placed_inertial(inertial: Inertial, pose: Transform) -> Inertial:
    """Mass data of a body that stands at a pose, in the frame that the pose is in."""
    return inertial if pose == IDENTITY else replace(inertial, origin=pose @ inertial.origin)


def placed_shape(shape: Shape, pose: Transform, materials: Mapping[str, Material]) -> Shape:
    """A shape of a body that stands at a pose; a material that is only a name is looked up."""
    material = shape.material
    if material is not None and material.rgba is None and not material.texture:
        material = materials.get(material.name, material)
    origin = shape.origin if pose == IDENTITY else clean_pose(pose @ shape.origin)
    return replace(shape, origin=origin, material=material)


def _clean(point: Vector3) -> Vector3:
    return (clean_length(point[0]), clean_length(point[1]), clean_length(point[2]))
