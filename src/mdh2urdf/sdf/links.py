"""Links of SDF models: mass data and shapes."""

from __future__ import annotations

from mdh2urdf.robot import Box, Capsule, Cylinder, Geometry, Inertia, Inertial, Link, Material, Mesh, Shape, Sphere
from mdh2urdf.sdf.poses import read_pose
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.urdf.xml import Part

_TENSOR = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_DEFAULT = {"ixx": 1.0, "iyy": 1.0, "izz": 1.0}
_SOLIDS = ("box", "capsule", "cylinder", "mesh", "sphere")
_SKIPPED = (
    *("audio_sink", "audio_source", "battery", "enable_wind", "gravity", "kinematic", "light", "must_be_base_link"),
    *("particle_emitter", "plugin", "pose", "projector", "self_collide", "sensor", "velocity_decay"),
)
_SHAPE_SKIPPED = (
    *("cast_shadows", "laser_retro", "max_contacts", "meta", "plugin", "surface", "transparency"),
    *("visibility_flags", "density", "auto_inertia_params"),
)


def read_link(part: Part) -> Link | None:
    """The link; None, with a problem noted, if it has no name."""
    name = part.name("name")
    part = part.called(name)
    inertial: Inertial | None = None
    visuals: list[Shape] = []
    collisions: list[Shape] = []
    for child in part.parts(("inertial", "visual", "collision", *_SKIPPED)):
        if child.tag == "inertial":
            inertial = _inertial(child)
        elif child.tag in ("visual", "collision"):
            shape = _shape(child)
            if shape is not None:
                (visuals if child.tag == "visual" else collisions).append(shape)
    if name is None:
        return None
    return Link(name=name, inertial=inertial, visuals=tuple(visuals), collisions=tuple(collisions))


def _number(parts: dict[str, Part], name: str, default: float, unit: str, *, negative: bool = False) -> float:
    values = parts[name].content(1, negative=negative, unit=unit) if name in parts else None
    return default if values is None else values[0]


def _inertial(part: Part) -> Inertial:
    """Mass data; what is missing is SDF's default."""
    parts = part.single("pose", "mass", "inertia", "density", "fluid_added_mass")
    tensor = parts["inertia"].single(*_TENSOR) if "inertia" in parts else {}
    return Inertial(
        mass=_number(parts, "mass", 1.0, "kg"),
        inertia=Inertia(
            **{name: _number(tensor, name, _DEFAULT.get(name, 0.0), "kg m²", negative=True) for name in _TENSOR}
        ),
        origin=_pose(parts),
    )


def _pose(parts: dict[str, Part]) -> Transform:
    """A pose in the link; one in another frame is a problem."""
    if "pose" not in parts:
        return IDENTITY
    if parts["pose"].get("relative_to"):
        parts["pose"].problem("a pose of a shape or mass that is relative to another frame is not read")
    return read_pose(parts["pose"])


def _shape(part: Part) -> Shape | None:
    parts = part.single("pose", "geometry", "material", *_SHAPE_SKIPPED)
    origin = _pose(parts)
    if "geometry" not in parts:
        part.problem(f"<{part.tag}> has no <geometry>")
        return None
    solids = list(parts["geometry"].single(*_SOLIDS).values())
    geometry = _geometry(solids[0]) if solids else None
    if geometry is None:
        return None
    return Shape(geometry=geometry, origin=origin, name=part.get("name"), material=_material(parts.get("material")))


def _material(part: Part | None) -> Material | None:
    if part is None:
        return None
    parts = part.single("ambient", "diffuse", "emissive", "specular", "pbr", "script", "shader", "lighting")
    found = parts.get("diffuse") or parts.get("ambient")
    values = None if found is None else found.content(4)
    return None if values is None else Material(rgba=(values[0], values[1], values[2], values[3]))


def _geometry(part: Part) -> Geometry | None:
    if part.tag == "mesh":
        parts = part.single("uri", "scale", "submesh")
        uri = (parts["uri"].element.text or "").strip() if "uri" in parts else ""
        if not uri:
            part.problem("<mesh> has no <uri>")
            return None
        x, y, z = (parts["scale"].content(3, unit="") if "scale" in parts else None) or (1.0, 1.0, 1.0)
        return Mesh(filename=uri, scale=(x, y, z))
    if part.tag == "box":
        parts = part.single("size")
        x, y, z = (parts["size"].content(3, negative=False, unit="m") if "size" in parts else None) or (1.0, 1.0, 1.0)
        return Box(size=(x, y, z))
    parts = part.single("radius", "length")
    radius, length = _number(parts, "radius", 1.0, "m"), _number(parts, "length", 1.0, "m")
    if part.tag == "sphere":
        return Sphere(radius=radius)
    return Capsule(radius=radius, length=length) if part.tag == "capsule" else Cylinder(radius=radius, length=length)
