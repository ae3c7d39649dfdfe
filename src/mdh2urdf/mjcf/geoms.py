"""Shapes as MJCF geoms, and the meshes and materials that they share."""

from __future__ import annotations

from pathlib import PurePosixPath

from lxml import etree

from mdh2urdf.errors import Finding
from mdh2urdf.mesh_names import MeshName
from mdh2urdf.mjcf.bodies import pose_attributes
from mdh2urdf.rigid import material_colours
from mdh2urdf.robot import Box, Capsule, Cylinder, Link, Material, Mesh, Robot, Shape
from mdh2urdf.se3 import scale
from mdh2urdf.text import number, numbers

READABLE = (".stl", ".obj", ".msh")
"""Mesh files that MuJoCo reads."""

_NO_SCALE = (1.0, 1.0, 1.0)


class Assets:
    """Meshes and materials of a model, each written once, with names that are unique.

    Parameters
    ----------
    robot : Robot
    mesh_name : callable
        The name of a mesh file as seen from the written file.
    """

    def __init__(self, robot: Robot, mesh_name: MeshName) -> None:
        self.findings: list[Finding] = []
        self._mesh_name = mesh_name
        self._materials = material_colours(robot)
        self._meshes: dict[Mesh, str] = {}
        self._geoms: set[str] = set()

    def element(self) -> etree._Element:
        """``<asset>`` with everything that was used."""
        asset = etree.Element("asset")
        for material in self._materials.values():
            if material.rgba is not None:
                etree.SubElement(asset, "material", name=material.name, rgba=numbers(material.rgba))
            if material.texture:
                message = f"material {material.name!r}: its texture is left out, MuJoCo lays textures by its own rules"
                self.findings.append(Finding(rule="left-out", message=message))
        for mesh, name in self._meshes.items():
            # Masses are the description's; as a shell a mesh may be flat or open.
            element = etree.SubElement(asset, "mesh", name=name, file=self._mesh_name(mesh.filename), inertia="shell")
            if mesh.scale != _NO_SCALE:
                element.set("scale", numbers(mesh.scale))
        return asset

    def geoms(self, link: Link) -> list[etree._Element]:
        """The visual and collision geoms of a link."""
        geoms = [self._geom(link, shape, "visual") for shape in link.visuals]
        geoms += [self._geom(link, shape, "collision") for shape in link.collisions]
        return [geom for geom in geoms if geom is not None]

    def _geom(self, link: Link, shape: Shape, role: str) -> etree._Element | None:
        body = shape.geometry
        attributes = {"class": role}
        if shape.name:
            attributes = {"name": _free(shape.name, self._geoms, f"_{role}"), **attributes}
        if isinstance(body, Mesh):
            suffix = PurePosixPath(body.filename).suffix.lower()
            if suffix not in READABLE:
                message = f"a {role} mesh is left out: MuJoCo reads {', '.join(READABLE)}, not {body.filename}"
                self.findings.append(Finding(rule="mesh-format", path=link.name, message=message))
                return None
            attributes |= {"type": "mesh", "mesh": self._mesh(body)}
        elif isinstance(body, Box):
            attributes |= {"type": "box", "size": numbers(scale(0.5, body.size))}
        elif isinstance(body, Cylinder | Capsule):
            kind = "capsule" if isinstance(body, Capsule) else "cylinder"
            attributes |= {"type": kind, "size": numbers((body.radius, 0.5 * body.length))}
        else:
            attributes |= {"type": "sphere", "size": number(body.radius)}
        return etree.Element("geom", {**attributes, **pose_attributes(shape.origin), **self._look(shape.material)})

    def _mesh(self, mesh: Mesh) -> str:
        """Name of a mesh: its file's, with a number where two files or scales share it."""
        if mesh not in self._meshes:
            stem = PurePosixPath(mesh.filename).stem
            self._meshes[mesh] = _free(stem, set(self._meshes.values()), "")
        return self._meshes[mesh]

    def _look(self, material: Material | None) -> dict[str, str]:
        """The material by name where it is the one of that name, else its colour."""
        if material is None:
            return {}
        known = self._materials.get(material.name)
        if known is not None and known.rgba is not None and material.rgba in (None, known.rgba):
            return {"material": material.name}
        return {} if material.rgba is None else {"rgba": numbers(material.rgba)}


def _free(name: str, used: set[str], suffix: str) -> str:
    """A name that is not used yet, which is then used: as it is, with the suffix, or with a number."""
    free = name if name not in used else name + suffix
    count = 1
    while free in used:
        count += 1
        free = f"{name}{suffix}_{count}"
    used.add(free)
    return free
