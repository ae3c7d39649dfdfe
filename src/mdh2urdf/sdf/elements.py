"""Single elements of SDF: poses, mass data, shapes, axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lxml import etree

from mdh2urdf.mesh_names import MeshName
from mdh2urdf.robot import Box, Capsule, Cylinder, Geometry, Inertial, Joint, Material, Mesh, Shape
from mdh2urdf.se3 import IDENTITY, ORIGIN, Transform, Vector3
from mdh2urdf.text import number, numbers
from mdh2urdf.urdf.writer import origin_element

_NO_SCALE = (1.0, 1.0, 1.0)


def pose_element(pose: Transform, relative_to: str = "", reference_rpy: Vector3 = ORIGIN) -> etree._Element:
    """``<pose>``, with the numbers that URDF's origin has, and so read back before they are written."""
    origin = origin_element(pose, reference_rpy)
    element = etree.Element("pose", {"relative_to": relative_to} if relative_to else {})
    element.text = f"{origin.get('xyz')} {origin.get('rpy')}"
    return element


def inertial_element(inertial: Inertial) -> etree._Element:
    """``<inertial>`` with pose, mass and tensor."""
    element = etree.Element("inertial")
    if inertial.origin != IDENTITY:
        element.append(pose_element(inertial.origin))
    _add(element, "mass", inertial.mass)
    tensor = etree.SubElement(element, "inertia")
    for name in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"):
        _add(tensor, name, getattr(inertial.inertia, name))
    return element


def shape_elements(
    tag: str, shapes: Sequence[Shape], mesh_name: MeshName, materials: Mapping[str, Material]
) -> Iterator[etree._Element]:
    """``<visual>`` or ``<collision>`` elements of a link, with names that are unique in it."""
    used: set[str] = set()
    for count, shape in enumerate(shapes, start=1):
        name = shape.name or (tag if count == 1 else f"{tag}_{count}")
        while name in used:
            name += f"_{count}"
        used.add(name)
        element = etree.Element(tag, name=name)
        if shape.origin != IDENTITY:
            element.append(pose_element(shape.origin))
        etree.SubElement(element, "geometry").append(_geometry(shape.geometry, mesh_name))
        material = shape.material and materials.get(shape.material.name, shape.material)
        rgba = shape.material.rgba if shape.material is not None and shape.material.rgba else material and material.rgba
        if rgba and tag == "visual":
            look = etree.SubElement(element, "material")
            for part in ("ambient", "diffuse"):
                etree.SubElement(look, part).text = numbers(rgba)
        yield element


def _geometry(body: Geometry, mesh_name: MeshName) -> etree._Element:
    if isinstance(body, Mesh):
        element = etree.Element("mesh")
        etree.SubElement(element, "uri").text = mesh_name(body.filename)
        if body.scale != _NO_SCALE:
            etree.SubElement(element, "scale").text = numbers(body.scale)
        return element
    if isinstance(body, Box):
        element = etree.Element("box")
        etree.SubElement(element, "size").text = numbers(body.size)
        return element
    element = etree.Element(type(body).__name__.lower())
    _add(element, "radius", body.radius)
    if isinstance(body, Cylinder | Capsule):
        _add(element, "length", body.length)
    return element


def axis_element(joint: Joint) -> etree._Element:
    """``<axis>`` with limits and dynamics, as far as they are known."""
    axis = etree.Element("axis")
    etree.SubElement(axis, "xyz").text = numbers(joint.axis)
    limits, dynamics = joint.limits, joint.dynamics
    if limits is not None:
        limit = etree.Element("limit")
        if joint.type in ("revolute", "prismatic"):
            _add(limit, "lower", limits.lower)
            _add(limit, "upper", limits.upper)
        _add(limit, "effort", limits.effort)
        _add(limit, "velocity", limits.velocity)
        if len(limit):
            axis.append(limit)
    if dynamics is not None:
        element = etree.SubElement(axis, "dynamics")
        _add(element, "damping", dynamics.damping)
        _add(element, "friction", dynamics.friction)
    return axis


def _add(parent: etree._Element, tag: str, value: float | None) -> None:
    """Append an element with a number, if it is known."""
    if value is not None:
        etree.SubElement(parent, tag).text = number(value)
