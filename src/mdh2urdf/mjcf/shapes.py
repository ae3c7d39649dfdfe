"""Mass data and shapes of MJCF bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mdh2urdf.mjcf.attributes import Settings, read_pose
from mdh2urdf.robot import (
    Box,
    Capsule,
    Cylinder,
    Geometry,
    Inertia,
    Inertial,
    Material,
    Mesh,
    Shape,
    Sphere,
)
from mdh2urdf.se3 import (
    X_AXIS,
    Y_AXIS,
    Transform,
    Vector3,
    add,
    cross,
    norm,
    rotation_from_columns,
    scale,
    subtract,
    unit,
)
from mdh2urdf.urdf.xml import Part

_SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3}
"""Shapes with a counterpart, and how many sizes they have."""

_FROMTO = ("capsule", "cylinder")


@dataclass(frozen=True, kw_only=True, slots=True)
class AssetTable:
    """Meshes and materials by name."""

    meshes: Mapping[str, Mesh] = field(default_factory=dict)
    materials: Mapping[str, Material] = field(default_factory=dict)


def read_assets(parts: list[Part], settings: Settings) -> AssetTable:
    """The meshes and materials of all ``<asset>`` elements; textures and the like are skipped."""
    meshes: dict[str, Mesh] = {}
    materials: dict[str, Material] = {}
    for part in [each for asset in parts for each in asset.parts(("mesh", "material", "texture", "hfield", "skin"))]:
        if part.tag == "mesh":
            filename = _mesh_name(part, settings)
            x, y, z = part.numbers("scale", 3, unit="") or (1.0, 1.0, 1.0)
            meshes[part.get("name") or PurePosixPath(filename).stem] = Mesh(filename=filename, scale=(x, y, z))
        elif part.tag == "material":
            materials[part.get("name")] = Material(name=part.get("name"), rgba=_colour(part))
    return AssetTable(meshes=meshes, materials=materials)


def _mesh_name(part: Part, settings: Settings) -> str:
    path = PurePosixPath(part.get("file"))
    return str(PurePosixPath(settings.meshdir) / (path.name if settings.strippath else path))


def _colour(part: Part) -> tuple[float, float, float, float] | None:
    values = part.numbers("rgba", 4)
    return None if values is None else (values[0], values[1], values[2], values[3])


def read_inertial(part: Part, settings: Settings) -> Inertial | None:
    """Mass data; None with a problem noted if mass or tensor is missing."""
    mass = part.number("mass", required=True, negative=False, unit="kg")
    origin = read_pose(part, settings)
    full, diagonal = (
        part.numbers(name, count, unit="kg m²") for name, count in (("fullinertia", 6), ("diaginertia", 3))
    )
    if full is None and diagonal is None:
        if not (part.has("fullinertia") or part.has("diaginertia")):
            part.problem("<inertial> has neither fullinertia nor diaginertia")
        return None
    if mass is None:
        return None
    xx, yy, zz, xy, xz, yz = full if full is not None else (*(diagonal or ()), 0.0, 0.0, 0.0)
    return Inertial(mass=mass, inertia=Inertia(ixx=xx, ixy=xy, ixz=xz, iyy=yy, iyz=yz, izz=zz), origin=origin)


def is_visual(part: Part) -> bool:
    """Whether a geom touches nothing, and so is only to be looked at."""
    return part.get("contype") == "0" and part.get("conaffinity") == "0"


def read_geom(part: Part, settings: Settings, assets: AssetTable) -> Shape | None:
    """The shape of a geom; None, noted as not read, for those that a robot has no counterpart for."""
    kind = part.get("type") or "sphere"
    origin = read_pose(part, settings)
    geometry: Geometry | None
    if kind == "mesh":
        geometry = assets.meshes.get(part.get("mesh"))
        if geometry is None:
            part.problem(f"there is no mesh {part.get('mesh')!r}")
    elif kind in _SIZES:
        found = _solid(part, kind, origin)
        if found is None:
            return None
        geometry, origin = found
    else:
        part.notes.unread(part.line, "unknown-element", f"a geom of type {kind!r}")
        return None
    if geometry is None:
        return None
    return Shape(geometry=geometry, origin=origin, name=part.get("name"), material=_material(part, assets))


def _material(part: Part, assets: AssetTable) -> Material | None:
    rgba = _colour(part)
    if rgba is not None:
        return Material(name="", rgba=rgba)
    return assets.materials.get(part.get("material"))


def _solid(part: Part, kind: str, origin: Transform) -> tuple[Geometry, Transform] | None:
    """A shape that is given by its sizes, or by a radius and the two ends of its axis."""
    ends = part.numbers("fromto", 6, unit="m") if kind in _FROMTO else None
    given = part.get("size").split()
    if ends is not None and given:
        part.element.set("size", given[0])
    elif given:
        # MuJoCo lets a shape have more sizes than it needs.
        part.element.set("size", " ".join(given[: _SIZES[kind]]))
    size = part.numbers("size", 1 if ends is not None else _SIZES[kind], required=True, negative=False, unit="m")
    if size is None:
        return None
    if ends is not None:
        return _between((ends[0], ends[1], ends[2]), (ends[3], ends[4], ends[5]), size[0], kind)
    if kind == "sphere":
        return Sphere(radius=size[0]), origin
    if kind == "box":
        return Box(size=scale(2.0, (size[0], size[1], size[2]))), origin
    made = Capsule if kind == "capsule" else Cylinder
    return made(radius=size[0], length=2.0 * size[1]), origin


def _between(start: Vector3, end: Vector3, radius: float, kind: str) -> tuple[Geometry, Transform]:
    """A cylinder or capsule from start to end."""
    way = subtract(end, start)
    z = unit(way) if norm(way) else (0.0, 0.0, 1.0)
    x = unit(cross(Y_AXIS if abs(z[1]) < 0.9 else X_AXIS, z))
    pose = Transform(rotation_from_columns(x, cross(z, x), z), scale(0.5, add(start, end)))
    made = Capsule if kind == "capsule" else Cylinder
    return made(radius=radius, length=norm(way)), pose
