"""What can be added to a robot on request: a world link, placeholder masses, sticks to look at."""

from __future__ import annotations

from dataclasses import replace
from math import pi

from mdh2urdf.bounds import LARGEST
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.frames import reach
from mdh2urdf.robot import MOVING, Cylinder, Inertia, Inertial, Joint, Link, Material, Robot, Shape
from mdh2urdf.se3 import (
    ORIGIN,
    X_AXIS,
    Y_AXIS,
    Z_AXIS,
    Transform,
    Vector3,
    add,
    column,
    cross,
    dot,
    norm,
    rotation_from_columns,
    scale,
    subtract,
    unit,
)
from mdh2urdf.text import number

WORLD = "world"

WATER = 1000.0
"""kg/m³; density of a placeholder sphere, so that its radius fits its mass."""

STICK = 0.012
"""Radius of a stick as a share of the reach: thin, but to be seen from a distance of three reaches."""

AXIS_MARK = (0.02, 0.08)
"""Radius and length of the mark of a joint axis as shares of the reach."""

SHORT_STICK = 1e-6
"""m; shorter sticks are left out, simulators refuse cylinders without length."""

UNIT_REACH = 0.5
"""m; the size that marks are made for when all origins of a robot coincide."""

COLOURS = {
    "common_normal": (0.2, 0.45, 0.8, 1.0),
    "along_axis": (0.55, 0.55, 0.6, 1.0),
    "joint_axis": (0.9, 0.5, 0.1, 1.0),
}
"""Red, green, blue, alpha of the sticks."""


def with_world(robot: Robot) -> Robot:
    """The robot hung on a massless link ``world`` by a fixed joint.

    Raises
    ------
    Mdh2UrdfError
        If the robot has a link of that name already.
    """
    if any(link.name == WORLD for link in robot.links):
        raise Mdh2UrdfError(f"the robot has a link {WORLD!r} already; --world adds it only once")
    joint = Joint(name=f"{WORLD}_joint", type="fixed", parent=WORLD, child=robot.root)
    return replace(robot, links=(Link(name=WORLD), *robot.links), joints=(joint, *robot.joints))


def with_placeholder_inertia(robot: Robot, mass: float) -> Robot:
    """Every link below the root that has no mass data as a solid sphere of ``mass`` kg at its frame's origin.

    The radius is that of water of this mass; a note in the link says that nothing was measured. The root
    stays without: it does not move, and KDL ignores the inertia of a root.

    Raises
    ------
    Mdh2UrdfError
        If the mass is not positive, or more than any number of a file.
    """
    if not 0 < mass <= LARGEST:
        wanted = "a positive mass in kg" + (f" of at most {LARGEST:.0e}" if mass > LARGEST else "")
        raise Mdh2UrdfError(f"--placeholder-inertia wants {wanted}, got {number(mass)}")
    radius = (3 * mass / (4 * pi * WATER)) ** (1 / 3)
    moment = 0.4 * mass * radius**2
    inertia = Inertia(ixx=moment, ixy=0.0, ixz=0.0, iyy=moment, iyz=0.0, izz=moment)
    note = f"placeholder, not measured: a solid sphere of {number(mass)} kg at the link's origin"
    links = tuple(
        replace(link, inertial=Inertial(mass=mass, inertia=inertia), note=note)
        if link.inertial is None and link.name != robot.root
        else link
        for link in robot.links
    )
    return replace(robot, links=links)


def with_sticks(robot: Robot) -> Robot:
    """The robot drawn as cylinders: common normals, the way along each axis, and a mark on each moving axis.

    Links that have visuals of their own keep them and get none.
    """
    size = reach(robot) or UNIT_REACH
    shapes: dict[str, list[Shape]] = {link.name: [] for link in robot.links}
    for joint in robot.joints:
        p = joint.origin.translation
        axis = column(joint.origin.rotation, 2)
        foot = subtract(p, scale(dot(p, axis), axis))
        shapes[joint.parent] += _stick(ORIGIN, foot, STICK * size, "common_normal")
        back = scale(-dot(p, axis), Z_AXIS)
        shapes[joint.child] += _stick(back, ORIGIN, STICK * size, "along_axis")
        if joint.type in MOVING:
            half = scale(AXIS_MARK[1] * size / 2, joint.axis)
            shapes[joint.child] += _stick(scale(-1.0, half), half, AXIS_MARK[0] * size, "joint_axis")
    links = tuple(link if link.visuals else replace(link, visuals=tuple(shapes[link.name])) for link in robot.links)
    known = {material.name for material in robot.materials}
    colours = tuple(Material(name=name, rgba=rgba) for name, rgba in COLOURS.items() if name not in known)
    return replace(robot, links=links, materials=(*robot.materials, *colours))


def _stick(start: Vector3, end: Vector3, radius: float, colour: str) -> list[Shape]:
    """A cylinder from start to end; none if they coincide."""
    way = subtract(end, start)
    length = norm(way)
    if length < SHORT_STICK:
        return []
    z = unit(way)
    x = unit(cross(Y_AXIS if abs(z[1]) < 0.9 else X_AXIS, z))
    pose = Transform(rotation_from_columns(x, cross(z, x), z), scale(0.5, add(start, end)))
    return [Shape(geometry=Cylinder(radius=radius, length=length), origin=pose, material=Material(name=colour))]
