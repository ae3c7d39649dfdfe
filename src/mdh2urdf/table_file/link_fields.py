"""The ``links`` of a table file: mass data and geometry."""

from __future__ import annotations

from collections.abc import Callable, Collection

from mdh2urdf.cells import CellReader, are_missing, nearest
from mdh2urdf.robot import Box, Cylinder, Geometry, Inertia, Material, Mesh, Shape, Sphere
from mdh2urdf.se3 import Transform, Vector3
from mdh2urdf.table import TableLink
from mdh2urdf.yaml_nodes import Fields, Node, Path, Scalar, plain_data

LINKS: Path = ("links",)
_COMPONENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
_MASS = ("mass", "center_of_mass", "inertia", "inertia_rpy")
_LINK_FIELDS = dict.fromkeys((*_MASS, "frame", "visual", "collision"))
_SHAPE_FIELDS = dict.fromkeys(("geometry", "xyz", "rpy", "material", "name"))
_GEOMETRIES = ("mesh", "box", "cylinder", "sphere")


def read_links(reader: CellReader, node: Node, names: Collection[str]) -> dict[str, TableLink]:
    """Mass data and geometry by link name, in SI.

    Parameters
    ----------
    reader : CellReader
    node : Node
    names : collection of str
        The links that the table has.
    """
    if not isinstance(node, Fields):
        reader.fields(node, LINKS, names)
        return {}
    links: dict[str, TableLink] = {}
    for name, entry in node.items.items():
        path = (*LINKS, name)
        if name not in names:
            reader.problem(node.keys[name], path, f"is no link of the table; {nearest(name, names)}")
        fields = reader.fields(entry, path, _LINK_FIELDS, extras=True)
        if fields is entry:
            links[name] = _link(reader, fields, path)
    reader.kept.clear()  # links are written as numbers
    return links


def _link(reader: CellReader, fields: Fields, path: Path) -> TableLink:
    items = fields.items
    frame = reader.choice(items["frame"], (*path, "frame"), ("joint", "dh")) if "frame" in items else "joint"
    mass = reader.optional(fields, "mass", path, "number", least=0.0)
    inertia = _inertia(reader, items["inertia"], (*path, "inertia")) if "inertia" in items else None
    if any(key in items for key in _MASS):
        missing = [key for key in ("mass", "inertia") if key not in items]
        if missing:
            message = f"{are_missing(missing)}; a body has a mass (kg) and its inertia (kg m²)"
            reader.problem(fields.index, path, message)
    return TableLink(
        frame="dh" if frame == "dh" else "joint",
        mass=mass,
        center_of_mass=reader.vector(fields, "center_of_mass", path, "length"),
        inertia=inertia,
        inertia_rpy=reader.vector(fields, "inertia_rpy", path, "angle"),
        visuals=_shapes(reader, fields, path, "visual"),
        collisions=_shapes(reader, fields, path, "collision"),
        extras={key: plain_data(node) for key, node in items.items() if key.startswith("x-")},
    )


def _inertia(reader: CellReader, node: Node, path: Path) -> Inertia | None:
    fields = reader.fields(node, path, _COMPONENTS)
    if fields is not node:
        return None
    missing = [key for key in _COMPONENTS if key not in fields.items]
    if missing:
        reader.problem(node.index, path, f"{are_missing(missing)}; write 0 where it is 0")
        return None
    values = [reader.cell(fields.items[key], path, key, "number") for key in _COMPONENTS]
    return Inertia(**dict(zip(_COMPONENTS, values, strict=True)))


def _shapes(reader: CellReader, fields: Fields, path: Path, key: str) -> tuple[Shape, ...]:
    node = fields.items.get(key)
    if node is None:
        return ()
    way = (*path, key)
    entries = reader.items(node, way, "shapes {geometry, xyz, rpy, material}")
    shapes = [_shape(reader, entry, (*way, index)) for index, entry in enumerate(entries)]
    return tuple(shape for shape in shapes if shape is not None)


def _shape(reader: CellReader, node: Node, path: Path) -> Shape | None:
    fields = reader.fields(node, path, _SHAPE_FIELDS)
    if fields is not node:
        return None
    items = fields.items
    if "geometry" not in items:
        reader.problem(node.index, path, f"geometry is missing: one of {', '.join(_GEOMETRIES)}")
        return None
    geometry = _geometry(reader, items["geometry"], (*path, "geometry"))
    xyz = reader.vector(fields, "xyz", path, "length")
    rpy = reader.vector(fields, "rpy", path, "angle")
    name = reader.name(items["name"], (*path, "name")) if "name" in items else ""
    material = _material(reader, items["material"], (*path, "material")) if "material" in items else None
    if geometry is None:
        return None
    return Shape(geometry=geometry, origin=Transform.from_xyz_rpy(xyz, rpy), name=name, material=material)


def _geometry(reader: CellReader, node: Node, path: Path) -> Geometry | None:
    fields = reader.fields(node, path, _GEOMETRIES)
    if fields is not node:
        return None
    kinds = [key for key in _GEOMETRIES if key in fields.items]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "nothing"
        reader.problem(node.index, path, f"has {found}; wanted is one of {', '.join(_GEOMETRIES)}")
        return None
    readers: dict[str, Callable[[CellReader, Node, Path], Geometry | None]] = {
        "mesh": _mesh,
        "box": _box,
        "cylinder": _cylinder,
        "sphere": _sphere,
    }
    return readers[kinds[0]](reader, fields.items[kinds[0]], (*path, kinds[0]))


def _box(reader: CellReader, node: Node, path: Path) -> Box | None:
    sides = reader.numbers(node, path, "length", 3)
    if sides is None:
        return None
    for step, side in enumerate(sides):
        _positive(reader, node, (*path, step), side)
    return Box(size=(sides[0], sides[1], sides[2]))


def _cylinder(reader: CellReader, node: Node, path: Path) -> Cylinder | None:
    sizes = _sizes(reader, node, path, ("radius", "length"))
    return None if sizes is None else Cylinder(radius=sizes[0], length=sizes[1])


def _sphere(reader: CellReader, node: Node, path: Path) -> Sphere | None:
    sizes = _sizes(reader, node, path, ("radius",))
    return None if sizes is None else Sphere(radius=sizes[0])


def _sizes(reader: CellReader, node: Node, path: Path, wanted: tuple[str, ...]) -> list[float] | None:
    fields = reader.fields(node, path, wanted)
    if fields is not node:
        return None
    sizes: list[float] = []
    for key in wanted:
        size = reader.optional(fields, key, path, "length")
        if size is None:
            reader.problem(node.index, path, f"{key} is missing")
        else:
            _positive(reader, fields.items[key], (*path, key), size)
            sizes.append(size)
    return sizes if len(sizes) == len(wanted) else None


def _positive(reader: CellReader, node: Node, path: Path, size: float) -> None:
    if size <= 0.0:
        reader.problem(node.index, path, "is not above 0")


def _mesh(reader: CellReader, node: Node, path: Path) -> Mesh | None:
    fields = reader.fields(node, path, ("filename", "scale"))
    if fields is not node:
        return None
    if "filename" not in fields.items:
        reader.problem(node.index, path, "filename is missing")
        return None
    filename = reader.name(fields.items["filename"], (*path, "filename"))
    scale: Vector3 = (1.0, 1.0, 1.0)
    entry = fields.items.get("scale")
    if isinstance(entry, Scalar):
        factor = reader.cell(entry, path, "scale", "number")
        scale = (factor, factor, factor)
    elif entry is not None:
        scale = reader.vector(fields, "scale", path, "number", scale)
    if 0.0 in scale:
        reader.problem(fields.items["scale"].index, (*path, "scale"), "is 0, which leaves no mesh")
    return Mesh(filename=filename, scale=scale)


def _material(reader: CellReader, node: Node, path: Path) -> Material | None:
    """A material: its name alone, or name, rgba and texture."""
    if isinstance(node, Scalar):
        return Material(name=reader.name(node, path))
    fields = reader.fields(node, path, ("name", "rgba", "texture"))
    items = fields.items
    rgba = reader.numbers(items["rgba"], (*path, "rgba"), "number", 4) if "rgba" in items else None
    if rgba is not None and any(part < 0.0 or part > 1.0 for part in rgba):
        reader.problem(items["rgba"].index, (*path, "rgba"), "has a part outside 0 to 1")
    return Material(
        name=reader.name(items["name"], (*path, "name")) if "name" in items else "",
        rgba=None if rgba is None else (rgba[0], rgba[1], rgba[2], rgba[3]),
        texture=reader.name(items["texture"], (*path, "texture")) if "texture" in items else "",
    )
