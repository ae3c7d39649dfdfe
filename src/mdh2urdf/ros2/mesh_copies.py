"""Mesh and texture files of a robot gathered in a folder of a package, and the robot that names them there."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.mesh_names import source_file
from mdh2urdf.robot import Material, Mesh, Robot, Shape

FOLDER = "meshes"

NAMES_OTHERS = {".dae": b"<init_from", ".gltf": b'"uri"', ".obj": b"mtllib"}
"""Suffixes of meshes that may name further files, such as textures, and what stands in those that do."""

COPIED = {
    *NAMES_OTHERS,
    *(".3ds", ".fbx", ".glb", ".msh", ".off", ".ply", ".stl"),
    *(".bmp", ".dds", ".hdr", ".jpeg", ".jpg", ".mtl", ".png", ".tga", ".tif", ".tiff"),
}
"""Suffixes of meshes and pictures. A description that names another file, such as a key, does not get it copied."""

_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
"""What URIs and launch files would want escaped."""

_PACKAGE = re.compile(r"package://([a-z][a-z0-9_]*)/")


@dataclass(kw_only=True, slots=True)
class Copies:
    """Files that are copied, and what was noticed.

    Parameters
    ----------
    package : str
        Name of the package that the copies belong to.
    folder : Path
        Relative names of the source start here.
    files : dict of str to bytes
        Content by path in the package.
    needs : set of str
        Other packages that keep files of their own.
    """

    package: str
    folder: Path
    files: dict[str, bytes] = field(default_factory=dict)
    needs: set[str] = field(default_factory=set)
    findings: list[Finding] = field(default_factory=list)
    _names: dict[str, str] = field(default_factory=dict)

    def name(self, filename: str) -> str:
        """How the package names a file of the source: its copy, or unchanged if it is not found."""
        if filename not in self._names:
            self._names[filename] = self._copied(filename)
        return self._names[filename]

    def _copied(self, filename: str) -> str:
        path = source_file(filename, self.folder)
        if path is None:
            elsewhere = _PACKAGE.match(filename)
            if elsewhere is not None and elsewhere[1] != self.package:
                self.needs.add(elsewhere[1])
            message = "the file is not found and not copied; its name stays"
            self.findings.append(Finding(rule="mesh-not-copied", path=filename, message=message))
            return filename
        if path.suffix.lower() not in COPIED:
            message = "is no mesh or picture by its suffix and not copied; its name stays"
            self.findings.append(Finding(rule="mesh-not-copied", path=filename, message=message))
            return filename
        try:
            data = path.read_bytes()
        except OSError as error:
            raise Mdh2UrdfError(Finding(file=str(path), message=f"cannot be read: {error.strerror}")) from error
        names_others = NAMES_OTHERS.get(path.suffix.lower())
        if names_others is not None and names_others in data:
            message = "is copied, but not the texture or material files that it names"
            self.findings.append(Finding(rule="mesh-parts", path=filename, message=message))
        return f"package://{self.package}/{self._place(path, data)}"

    def _place(self, path: Path, data: bytes) -> str:
        """A path in the package for the file; equal files that are called the same share one."""
        stem, suffix = _UNSAFE.sub("_", path.stem), _UNSAFE.sub("_", path.suffix)
        place, number = f"{FOLDER}/{stem}{suffix}", 1
        taken = {name.lower(): name for name in self.files}
        while place.lower() in taken and self.files[taken[place.lower()]] != data:
            number += 1
            place = f"{FOLDER}/{stem}_{number}{suffix}"
        place = taken.get(place.lower(), place)
        self.files[place] = data
        return place


def with_copies(robot: Robot, copies: Copies) -> Robot:
    """The robot with the names that its mesh and texture files have in the package."""
    links = tuple(
        replace(
            link,
            visuals=tuple(_shape(shape, copies) for shape in link.visuals),
            collisions=tuple(_shape(shape, copies) for shape in link.collisions),
        )
        for link in robot.links
    )
    return replace(robot, links=links, materials=tuple(_material(material, copies) for material in robot.materials))


def _shape(shape: Shape, copies: Copies) -> Shape:
    geometry = shape.geometry
    if isinstance(geometry, Mesh):
        geometry = replace(geometry, filename=copies.name(geometry.filename))
    return replace(shape, geometry=geometry, material=shape.material and _material(shape.material, copies))


def _material(material: Material, copies: Copies) -> Material:
    return replace(material, texture=copies.name(material.texture)) if material.texture else material
