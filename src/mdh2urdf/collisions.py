"""Collision shapes made of a robot's visuals on request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.mesh_names import relative_name, source_file
from mdh2urdf.robot import Link, Mesh, Robot, Shape

Collision = Literal["mesh", "hull", "box", "cylinder", "sphere", "capsule", "best", "coacd", "drawn", "none"]
COLLISIONS: tuple[Collision, ...] = get_args(Collision)

DRAWN = "collision"
"""How the name of a body starts that was drawn to be the collision shape."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Collided:
    """A robot with collision shapes, the mesh files that they need, and how well they fit, a line a mesh.

    ``names`` are the new files' names as seen from the written file, by their names in the robot, which are seen
    from the source like those of all its meshes.
    """

    robot: Robot
    files: Mapping[Path, bytes] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()

    def written(self) -> Robot:
        """The robot with the new files named as the written file has to."""
        if not self.names:
            return self.robot
        links = (
            replace(link, collisions=tuple(_renamed(shape, self.names) for shape in link.collisions))
            for link in self.robot.links
        )
        return replace(self.robot, links=tuple(links))


def _renamed(shape: Shape, names: Mapping[str, str]) -> Shape:
    body = shape.geometry
    if not isinstance(body, Mesh) or body.filename not in names:
        return shape
    return replace(shape, geometry=replace(body, filename=names[body.filename]))


def with_collisions(
    robot: Robot, kind: Collision, *, folder: Path, output: Path | None, max_faces: int | None = None
) -> Collided:
    """The robot with collision shapes of one kind made of its visuals, in the place of those that it has.

    Visuals that are no meshes are taken as they are.

    Parameters
    ----------
    robot : Robot
    kind : str
    folder : Path
        Where relative mesh names start.
    output : Path, optional
        The file that will be written; its mesh files go into a folder beside it.
    max_faces : int, optional
        Of every collision mesh.

    Raises
    ------
    Mdh2UrdfError
        If a mesh is missing or cannot be read, an extra is not installed, or files are needed without an output.
    """
    if max_faces is not None:
        from mdh2urdf.enclosing.meshes import checked_faces

        checked_faces(max_faces)
    maker = _Maker(kind=kind, folder=folder, output=output, max_faces=max_faces)
    links = tuple(maker.link(link) for link in robot.links)
    if maker.problems:
        raise Mdh2UrdfError(maker.problems)
    if kind != "none" and not any(link.collisions for link in links):
        lack = f"no visual's name starts with {DRAWN!r}" if kind == "drawn" else "no link has a visual"
        maker.told.append(f"no collision shape was made: {lack}")
    return Collided(robot=replace(robot, links=links), files=maker.files, names=maker.names, told=tuple(maker.told))


@dataclass(kw_only=True, slots=True)
class _Maker:
    """Collision shapes on their way; every mesh is looked at once."""

    kind: Collision
    folder: Path
    output: Path | None
    max_faces: int | None
    known: dict[Mesh, tuple[Shape, ...]] = field(default_factory=dict)
    files: dict[Path, bytes] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    problems: list[Finding] = field(default_factory=list)

    def link(self, link: Link) -> Link:
        """The link with collision shapes of the kind."""
        if self.kind == "none":
            return replace(link, collisions=())
        if self.kind == "drawn":
            drawn = tuple(shape for shape in link.visuals if shape.name.startswith(DRAWN))
            rest = tuple(shape for shape in link.visuals if shape not in drawn)
            return replace(link, visuals=rest, collisions=tuple(replace(shape, material=None) for shape in drawn))
        shapes = [placed for shape in link.visuals for placed in self._around(shape)]
        return replace(link, collisions=tuple(shapes))

    def _around(self, shape: Shape) -> list[Shape]:
        """The collision shapes of one visual, in its link."""
        body = shape.geometry
        if not isinstance(body, Mesh):
            return [replace(shape, material=None)]
        if body not in self.known:
            try:
                self.known[body] = self._of_mesh(body)
            except Mdh2UrdfError as error:
                self.known[body] = ()
                self.problems += error.problems
        made = self.known[body]
        names = [shape.name if len(made) == 1 or not shape.name else f"{shape.name}_{i + 1}" for i in range(len(made))]
        return [
            replace(each, origin=shape.origin @ each.origin, name=name) for each, name in zip(made, names, strict=True)
        ]

    def _of_mesh(self, mesh: Mesh) -> tuple[Shape, ...]:
        """The collision shapes of a mesh, in its own frame."""
        if self.kind == "mesh" and self.max_faces is None:
            return (Shape(geometry=mesh),)
        path = source_file(mesh.filename, self.folder)
        if path is None:
            raise Mdh2UrdfError(Finding(file=mesh.filename, message=f"there is no such file, seen from {self.folder}"))
        from mdh2urdf.enclosing.make import collision_of

        made = collision_of(path, mesh.scale, self.kind, self.max_faces)
        self.told.append(f"{PurePosixPath(mesh.filename).name}: {made.told}")
        if made.shape is not None:
            return (made.shape,)
        names = [self._write(path.stem, data) for data in made.files]
        return tuple(Shape(geometry=Mesh(filename=name, scale=mesh.scale)) for name in names)

    def _write(self, stem: str, data: bytes) -> str:
        """Put a mesh among the files to be written; its name as the written description has it."""
        if self.output is None:
            raise Mdh2UrdfError(f"--collision {self.kind} writes mesh files; give -o")
        folder = self.output.parent / f"{self.output.stem}_collision"
        path, count = folder / f"{stem}_{self.kind}.stl", 1
        while path in self.files:
            count += 1
            path = folder / f"{stem}_{self.kind}_{count}.stl"
        self.files[path] = data
        name = relative_name(path, self.folder)
        self.names[name] = relative_name(path, self.output.parent)
        return name
