"""Links of a URDF: mass data, shapes, materials, and the poses that joints have too."""

from __future__ import annotations

from collections.abc import Sequence

from mdh2urdf.robot import Box, Cylinder, Geometry, Inertia, Inertial, Link, Material, Mesh, Shape, Sphere
from mdh2urdf.se3 import IDENTITY, ORIGIN, Transform, Vector3, rotation_from_quaternion, rotation_from_rpy
from mdh2urdf.urdf.xml import Part

_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def read_link(part: Part) -> Link | None:
    """The link; None, with a problem noted, if it has no name."""
    name = part.name("name")
    part = part.called(name)
    part.only("name")
    inertials: list[Part] = []
    visuals: list[Shape | None] = []
    collisions: list[Shape | None] = []
    for child in part.parts(("inertial", "visual", "collision")):
        if child.tag == "visual":
            visuals.append(_shape(child))
        elif child.tag == "collision":
            collisions.append(_shape(child))
        else:
            inertials.append(child)
    for second in inertials[1:]:
        second.second(inertials[0])
    inertial = _inertial(inertials[0]) if inertials else None
    if name is None:
        return None
    return Link(
        name=name,
        inertial=inertial,
        visuals=tuple([shape for shape in visuals if shape is not None]),
        collisions=tuple([shape for shape in collisions if shape is not None]),
    )


def read_material(part: Part) -> Material:
    """The material; colours out of range and a missing name are findings."""
    part.only("name")
    if not part.has("name"):
        part.finding("unnamed-material", "<material> has no attribute 'name'; ROS refuses the file")
    parts = part.single("color", "texture")
    rgba: tuple[float, float, float, float] | None = None
    texture = ""
    if "color" in parts:
        color = parts["color"]
        color.only("rgba")
        values = color.numbers("rgba", 4, required=True)
        if values is not None:
            rgba = (values[0], values[1], values[2], values[3])
            if min(values) < 0.0 or max(values) > 1.0:
                color.finding("colour-range", f"rgba {color.get('rgba')!r}: colours go from 0 to 1")
    if "texture" in parts:
        parts["texture"].only("filename")
        texture = parts["texture"].get("filename")
    return Material(name=part.get("name"), rgba=rgba, texture=texture)


def read_pose(part: Part | None) -> tuple[Transform, Vector3]:
    """Pose of an origin, and its rpy in rad; whatever is missing is 0."""
    if part is None:
        return IDENTITY, ORIGIN
    part.only("xyz", "rpy", "quat_xyzw")
    xyz = _vector(part.numbers("xyz", 3, unit="m") or ORIGIN)
    rpy = _vector(part.numbers("rpy", 3) or ORIGIN)
    quaternion = part.numbers("quat_xyzw", 4)
    if quaternion is None:
        return Transform(rotation_from_rpy(rpy), xyz), rpy
    if part.has("rpy"):
        part.problem("<origin> has both rpy and quat_xyzw")
    if not any(quaternion):
        part.problem(f"quat_xyzw {part.get('quat_xyzw')!r}: must not be 0")
        return IDENTITY, ORIGIN
    return Transform(rotation_from_quaternion((quaternion[3], *quaternion[:3])), xyz), ORIGIN


def _inertial(part: Part) -> Inertial | None:
    """Mass data; None, with a finding, if there is a mass but no tensor, as in some files that ROS refuses."""
    part.only()
    parts = part.single("origin", "mass", "inertia")
    origin, _ = read_pose(parts.get("origin"))
    if "mass" not in parts:
        part.problem("<inertial> has no <mass>")
        return None
    parts["mass"].only("value")
    mass = parts["mass"].number("value", required=True, negative=False, unit="kg")
    if "inertia" not in parts:
        part.finding("no-inertia", "<inertial> has no <inertia>; the link is read without mass data")
        return None
    parts["inertia"].only(*_TENSOR)
    tensor = [parts["inertia"].number(name, required=True, unit="kg m²") for name in _TENSOR]
    known = [value for value in tensor if value is not None]
    if mass is None or len(known) < len(tensor):
        return None
    return Inertial(mass=mass, inertia=Inertia(**dict(zip(_TENSOR, known, strict=True))), origin=origin)


def _shape(part: Part) -> Shape | None:
    part.only("name")
    parts = part.single("origin", "geometry", "material")
    origin, _ = read_pose(parts.get("origin"))
    material = read_material(parts["material"]) if "material" in parts else None
    if "geometry" not in parts:
        part.problem(f"<{part.tag}> has no <geometry>")
        return None
    geometry = _geometry(parts["geometry"])
    if geometry is None:
        return None
    return Shape(geometry=geometry, origin=origin, name=part.get("name"), material=material)


def _geometry(part: Part) -> Geometry | None:
    """The one shape in a geometry; None for one that is not known, which is noted as not read."""
    part.only()
    shapes = list(part.single("box", "cylinder", "mesh", "sphere").values())
    if len(part.element) == 0:
        part.problem("<geometry> is empty")
    if len(shapes) > 1:
        part.problem("<geometry> has more than one shape")
    return _body(shapes[0]) if shapes else None


def _body(part: Part) -> Geometry | None:
    if part.tag == "mesh":
        part.only("filename", "scale")
        filename = part.name("filename")
        factors = part.numbers("scale", 3, unit="") or (1.0, 1.0, 1.0)
        return None if filename is None else Mesh(filename=filename, scale=_vector(factors))
    if part.tag == "box":
        part.only("size")
        size = part.numbers("size", 3, required=True, negative=False, unit="m")
        return None if size is None else Box(size=_vector(size))
    radius = part.number("radius", required=True, negative=False, unit="m")
    if part.tag == "sphere":
        part.only("radius")
        return None if radius is None else Sphere(radius=radius)
    part.only("radius", "length")
    length = part.number("length", required=True, negative=False, unit="m")
    return None if radius is None or length is None else Cylinder(radius=radius, length=length)


def _vector(values: Sequence[float]) -> Vector3:
    x, y, z = values
    return (x, y, z)
