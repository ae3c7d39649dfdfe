"""Robot trees as URDF text, in the order of elements and attributes that hand-written files have.

The builders of single elements serve the xacro writer too: names get a prefix by plain concatenation,
so ``${prefix}`` works, and a joint takes its origin and limits ready-made.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from math import isfinite

from lxml import etree

from mdh2urdf.capsules import without_capsules
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.robot import Box, Cylinder, Inertial, Joint, Link, Material, Mesh, Robot, Shape
from mdh2urdf.se3 import ORIGIN, Transform, Vector3, rotation_from_rpy, rpy_from_rotation
from mdh2urdf.text import comment, number, numbers

READ_BACK_TOLERANCE = 1e-14
"""Entry of a rotation: what rpy text may miss it by. Recomposing costs 1e-15; the rest is for products of poses."""

NO_SCALE = (1.0, 1.0, 1.0)


def write_urdf(
    robot: Robot, *, prefix: str = "", header: Sequence[str] = (), extra: Sequence[etree._Element] = ()
) -> str:
    """The whole text of a URDF file.

    Parameters
    ----------
    robot : Robot
    prefix : str
        Put before the names of links and joints; materials and the robot keep theirs.
    header : sequence of str
        Lines of the comment at the top.
    extra : sequence of lxml elements
        Written behind the joints (``<mujoco>``, ``<ros2_control>``); they are copied.

    Raises
    ------
    Mdh2UrdfError
        With the problems of `robot_element`.
    """
    root = robot_element(robot, prefix=prefix)
    root.extend(deepcopy(element) for element in extra)
    return document(root, header)


def document(root: etree._Element, header: Sequence[str] = ()) -> str:
    """Text of an XML file: declaration, header comment, the root with two blanks a level (which changes root)."""
    etree.indent(root, space="  ")
    lines = comment("\n".join(header)).split("\n")
    top = '<?xml version="1.0"?>\n'
    if len(lines) > 1:
        top += "\n".join(["<!--", *(f"  {line}".rstrip() for line in lines), "-->\n"])
    elif header:
        top += f"<!-- {lines[0]} -->\n"
    return top + etree.tostring(root, encoding="unicode") + "\n"


def robot_element(robot: Robot, *, prefix: str = "") -> etree._Element:
    """``<robot>`` with materials, links and joints, in the order of the tree.

    Raises
    ------
    Mdh2UrdfError
        For names that are empty or that XML cannot hold, and joints whose limits are not complete; all at once.
    """
    problems = [Finding(message=problem) for problem in (*name_problems(robot, prefix), *limit_problems(robot))]
    if problems:
        raise Mdh2UrdfError(problems)
    root = etree.Element("robot", name=robot.name)
    root.extend([material_element(material) for material in robot.materials])
    root.extend([link_element(link, prefix=prefix) for link in robot.links])
    root.extend([joint_element(joint, prefix=prefix) for joint in robot.joints])
    return root


def link_element(link: Link, *, prefix: str = "") -> etree._Element:
    """``<link>`` with inertial, visual and collision elements."""
    element = etree.Element("link", name=prefix + link.name)
    if link.note:
        element.append(etree.Comment(f" {comment(link.note)} "))
    if link.inertial is not None:
        element.append(inertial_element(link.inertial))
    element.extend([shape_element("visual", shape) for shape in without_capsules(link.visuals)])
    element.extend([shape_element("collision", shape) for shape in without_capsules(link.collisions)])
    return element


def inertial_element(inertial: Inertial) -> etree._Element:
    """``<inertial>`` with origin, mass and tensor."""
    element = etree.Element("inertial")
    element.append(origin_element(inertial.origin))
    _add(element, "mass", value=inertial.mass)
    tensor = inertial.inertia
    _add(
        element,
        "inertia",
        ixx=tensor.ixx,
        ixy=tensor.ixy,
        ixz=tensor.ixz,
        iyy=tensor.iyy,
        iyz=tensor.iyz,
        izz=tensor.izz,
    )
    return element


def shape_element(tag: str, shape: Shape) -> etree._Element:
    """``<visual>`` or ``<collision>`` with origin, geometry and material; capsules are taken apart before."""
    element = etree.Element(tag)
    if shape.name:
        element.set("name", shape.name)
    element.append(origin_element(shape.origin))
    geometry = etree.SubElement(element, "geometry")
    body = shape.geometry
    if isinstance(body, Mesh):
        mesh = etree.SubElement(geometry, "mesh", filename=body.filename)
        if body.scale != NO_SCALE:
            mesh.set("scale", numbers(body.scale))
    elif isinstance(body, Box):
        etree.SubElement(geometry, "box", size=numbers(body.size))
    elif isinstance(body, Cylinder):
        _add(geometry, "cylinder", radius=body.radius, length=body.length)
    else:
        _add(geometry, "sphere", radius=body.radius)
    if shape.material is not None:
        element.append(material_element(shape.material))
    return element


def material_element(material: Material) -> etree._Element:
    """``<material>`` with colour and texture, or with the name alone."""
    element = etree.Element("material", name=material.name)
    if material.rgba is not None:
        etree.SubElement(element, "color", rgba=numbers(material.rgba))
    if material.texture:
        etree.SubElement(element, "texture", filename=material.texture)
    return element


def joint_element(
    joint: Joint,
    *,
    prefix: str = "",
    origin: etree._Element | None = None,
    limit: etree._Element | None = None,
) -> etree._Element:
    """``<joint>`` with all that is known of it; its note is a comment at the top.

    A fixed joint has origin, parent and child only: nothing else could mean anything.

    Parameters
    ----------
    joint : Joint
    prefix : str
        Put before the names of the joint, its links and the joint that it mimics.
    origin, limit : lxml element, optional
        Written instead of the joint's own.
    """
    element = etree.Element("joint", name=prefix + joint.name, type=joint.type)
    if joint.note:
        element.append(etree.Comment(f" {comment(joint.note)} "))
    element.append(origin_element(joint.origin, joint.reference_rpy) if origin is None else origin)
    etree.SubElement(element, "parent", link=prefix + joint.parent)
    etree.SubElement(element, "child", link=prefix + joint.child)
    if joint.type != "fixed":
        _append_motion(element, joint, prefix, limit_element(joint) if limit is None else limit)
    return element


def _append_motion(element: etree._Element, joint: Joint, prefix: str, limit: etree._Element | None) -> None:
    """Append what says how a joint moves."""
    if joint.type != "floating":
        etree.SubElement(element, "axis", xyz=numbers(joint.axis))
    if joint.calibration is not None:
        _add(element, "calibration", rising=joint.calibration.rising, falling=joint.calibration.falling)
    if joint.dynamics is not None:
        _add(element, "dynamics", damping=joint.dynamics.damping, friction=joint.dynamics.friction)
    if limit is not None:
        element.append(limit)
    if joint.mimic is not None:
        mimic = etree.SubElement(element, "mimic", joint=prefix + joint.mimic.joint)
        _set(mimic, multiplier=joint.mimic.multiplier, offset=joint.mimic.offset)
    if joint.safety is not None:
        _add(
            element,
            "safety_controller",
            soft_lower_limit=joint.safety.soft_lower,
            soft_upper_limit=joint.safety.soft_upper,
            k_position=joint.safety.k_position,
            k_velocity=joint.safety.k_velocity,
        )


def limit_element(joint: Joint) -> etree._Element | None:
    """``<limit>`` of a joint; None where URDF wants none or nothing is known.

    A range is written for revolute and prismatic joints only: some readers would hold a continuous joint to it.
    """
    limits = joint.limits
    if limits is None or joint.type in ("fixed", "floating"):
        return None
    element = etree.Element("limit")
    if joint.type in ("revolute", "prismatic"):
        _set(element, lower=limits.lower, upper=limits.upper)
    _set(element, effort=limits.effort, velocity=limits.velocity)
    return element if element.attrib else None


def origin_element(transform: Transform, reference_rpy: Vector3 = ORIGIN) -> etree._Element:
    """``<origin xyz rpy>``, always written, read back from its text and compared.

    Parameters
    ----------
    transform : Transform
    reference_rpy : Vector3
        rad; of the two rpy triples the one nearer to it is written (`se3.rpy_from_rotation`).
    """
    xyz = numbers(transform.translation)
    rpy = numbers(rpy_from_rotation(transform.rotation, reference_rpy))
    back = rotation_from_rpy([float(part) for part in rpy.split()])
    for row, wanted in zip(back, transform.rotation, strict=True):
        for entry, goal in zip(row, wanted, strict=True):
            if not abs(entry - goal) <= READ_BACK_TOLERANCE:
                raise AssertionError(f"rpy {rpy} reads back as {back}, not as {transform.rotation}")
    if tuple(map(float, xyz.split())) != transform.translation:
        raise AssertionError(f"xyz {xyz} does not read back as {transform.translation}")
    return etree.Element("origin", xyz=xyz, rpy=rpy)


def _add(parent: etree._Element, tag: str, **values: float | None) -> None:
    """Append an element with those numbers that are known; none if no number is."""
    known = {name: _finite(value) for name, value in values.items() if value is not None}
    if known:
        etree.SubElement(parent, tag, known)


def _set(element: etree._Element, **values: float | None) -> None:
    """Set those numbers that are known, in the order given."""
    for name, value in values.items():
        if value is not None:
            element.set(name, _finite(value))


def _finite(value: float) -> str:
    if not isfinite(value):
        raise AssertionError(f"{value} must not get into a robot")
    return number(value)


def limit_problems(robot: Robot) -> Iterator[str]:
    """Joints that URDF's parsers refuse, or read with a limit of 0, for want of a number."""
    for joint in robot.joints:
        limits = joint.limits
        missing: list[str] = []
        if joint.type in ("revolute", "prismatic"):
            names = ("lower", "upper", "velocity", "effort")
            missing = [name for name in names if limits is None or getattr(limits, name) is None]
        elif joint.type in ("continuous", "planar") and limits is not None:
            missing = [name for name in ("velocity", "effort") if getattr(limits, name) is None]
            missing = missing if len(missing) == 1 else []
        if missing:
            yield f"joint {joint.name!r}: a {joint.type} joint's <limit> needs {', '.join(missing)}"


def name_problems(robot: Robot, prefix: str) -> Iterator[str]:
    """Names that are empty and texts that hold a character that XML has no way to write."""
    for kind, name in _names(robot):
        if not name:
            yield f"a {kind} name is empty"
    texts = [("prefix", prefix), *((f"{kind} name", name) for kind, name in _names(robot)), *_other_texts(robot)]
    for kind, text in texts:
        found = _not_xml(text)
        if found:
            yield f"{kind} {text!r} holds {found!r}, which XML cannot hold"


def _not_xml(text: str) -> str:
    """The first character that XML cannot hold (XML 1.0, production 2), empty if there is none; all are unprintable."""
    if text.isprintable():
        return ""
    ranges = (("\t", "\n"), ("\r", "\r"), (" ", "\ud7ff"), ("\ue000", "\ufffd"), ("\U00010000", "\U0010ffff"))
    return next((char for char in text if not any(low <= char <= high for low, high in ranges)), "")


def _names(robot: Robot) -> Iterator[tuple[str, str]]:
    yield "robot", robot.name
    for link in robot.links:
        yield "link", link.name
    for joint in robot.joints:
        yield "joint", joint.name


def _other_texts(robot: Robot) -> Iterator[tuple[str, str]]:
    materials = list(robot.materials)
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions):
            yield "shape name", shape.name
            if isinstance(shape.geometry, Mesh):
                yield "mesh file name", shape.geometry.filename
            if shape.material is not None:
                materials.append(shape.material)
    for joint in robot.joints:
        if joint.mimic is not None:
            yield "mimicked joint name", joint.mimic.joint
    for material in materials:
        yield "material name", material.name
        yield "texture file name", material.texture
