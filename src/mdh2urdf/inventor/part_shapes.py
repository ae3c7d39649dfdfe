"""Visual and collision shapes of one occurrence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from mdh2urdf.enclosing.files import stl_bytes
from mdh2urdf.enclosing.fit import enclose
from mdh2urdf.enclosing.make import Made, shape_of
from mdh2urdf.enclosing.meshes import hull_mesh
from mdh2urdf.enclosing.surface import THINNEST, Surface
from mdh2urdf.errors import Finding
from mdh2urdf.inventor.bodies import SizedMesh, drawn_bodies, without_drawn
from mdh2urdf.inventor.colours import GREY, face_colours, glb_bytes
from mdh2urdf.inventor.dump import Occurrence
from mdh2urdf.inventor.names import safe_name
from mdh2urdf.inventor.poses import Array, as_transform
from mdh2urdf.inventor.settings import LinkSettings
from mdh2urdf.inventor.shapes import Meshes, material
from mdh2urdf.inventor.solids import Parted, parted, read_solids, some_faces
from mdh2urdf.robot import Mesh, Shape
from mdh2urdf.se3 import Transform

EXACT = 0.005
"""Share of a drawn body's size that a solid may stand off it and still be what was drawn: tessellation takes it."""


def shapes(
    meshes: Meshes, occurrence: Occurrence, settings: LinkSettings, name: str, link_from_part: Array
) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    """Visuals and collisions of an occurrence at its pose in the link."""
    sized = meshes.of(occurrence)
    if sized is None or not occurrence.visible:
        return (), ()
    path = meshes.path(str(occurrence.mesh))
    kind = settings.collision or meshes.options.collision
    split: Parted | None = None
    if meshes.is_drawn(occurrence, settings):
        split = parted(read_solids(path), drawn_bodies(occurrence), sized.scale)
        _tell_missing(meshes, occurrence, split)
        occurrence = without_drawn(occurrence)
    visual = _visual(meshes, occurrence, settings, path, sized, split)
    collisions = _collisions(meshes, str(occurrence.mesh), path, sized, kind, split)
    origin = as_transform(link_from_part)
    placed = [replace(shape, origin=origin @ shape.origin, name=name) for shape in collisions]
    if len(placed) > 1:
        placed = [replace(shape, name=f"{name}_{number}") for number, shape in enumerate(placed, start=1)]
    if visual is None or not isinstance(visual.geometry, Mesh):
        return (), tuple(placed)
    meshes.scales[occurrence.index] = visual.geometry.scale[0]
    return (replace(visual, origin=origin, name=name),), tuple(placed)


def _tell_missing(meshes: Meshes, occurrence: Occurrence, split: Parted) -> None:
    for body in split.missing:
        message = (
            f"{occurrence.name}: the body {body} is not found in {occurrence.mesh}: no piece has its volume and centre"
        )
        place = f"occurrences[{occurrence.index}]"
        meshes.findings.append(Finding(rule="drawn", file=meshes.dump.file, path=place, message=message))


def _visual(
    meshes: Meshes,
    occurrence: Occurrence,
    settings: LinkSettings,
    path: Path,
    sized: SizedMesh,
    split: Parted | None,
) -> Shape | None:
    """The visual in the frame of the part: its own file, one without what was drawn for collision, or a GLB."""
    scale = (sized.scale,) * 3
    look = material(occurrence, settings)
    if split is not None and not len(split.rest):
        return None
    colours = face_colours(path) if meshes.options.visual == "glb" else None
    if colours is not None:
        surface = read_solids(path)
        if split is not None:
            surface, colours = some_faces(surface, split.rest), colours[split.rest]
        in_metres = Surface(vertices=surface.vertices * sized.scale, faces=surface.faces)
        rest = look.rgba if look is not None and look.rgba is not None else GREY
        name = meshes.keep(path.with_suffix(".glb"), glb_bytes(in_metres, colours, rest))
        return Shape(geometry=Mesh(filename=name))
    if split is not None:
        data = stl_bytes(some_faces(read_solids(path), split.rest))
        return Shape(
            geometry=Mesh(filename=meshes.keep(path.with_name(f"{path.stem}_visual.stl"), data), scale=scale),
            material=look,
        )
    return Shape(geometry=Mesh(filename=meshes.filename(path), scale=scale), material=look)


def _collisions(
    meshes: Meshes, mesh: str, path: Path, sized: SizedMesh, kind: str, split: Parted | None
) -> list[Shape]:
    """The collision shapes in the frame of the part."""
    scale = (sized.scale,) * 3
    if kind == "none":
        return []
    if kind == "drawn":
        pieces = {} if split is None else split.drawn
        return [_drawn(meshes, path, sized, name, piece) for name, piece in pieces.items()]
    if kind == "mesh" and meshes.options.max_faces is None:
        return [Shape(geometry=Mesh(filename=meshes.filename(path), scale=scale))]
    if (mesh, kind) not in meshes.made:
        made = shape_of(read_solids(path), scale, kind, meshes.options.max_faces, file=str(path))
        meshes.made[mesh, kind] = made
        meshes.told.append(f"{mesh}: {made.told}")
    return _of_made(meshes, path, kind, meshes.made[mesh, kind], scale)


def _of_made(meshes: Meshes, path: Path, kind: str, made: Made, scale: tuple[float, float, float]) -> list[Shape]:
    if made.shape is not None:
        return [made.shape]
    names = [f"{path.stem}_{kind}.stl"]
    if len(made.files) > 1:
        names = [f"{path.stem}_{kind}_{number}.stl" for number in range(1, len(made.files) + 1)]
    return [
        Shape(geometry=Mesh(filename=meshes.keep(path.with_name(name), data), scale=scale))
        for name, data in zip(names, made.files, strict=True)
    ]


def _drawn(meshes: Meshes, path: Path, sized: SizedMesh, body: str, piece: Surface) -> Shape:
    """A drawn body as the solid that it is, or its hull."""
    points = np.unique(piece.vertices[piece.faces.reshape(-1)], axis=0)
    found = enclose(points * sized.scale, "best")
    size = float(np.linalg.norm(np.ptp(points, axis=0))) * sized.scale
    if found.overshoot <= EXACT * size:
        return Shape(geometry=found.geometry, origin=found.pose)
    hull, _ = hull_mesh(points, meshes.options.max_faces, thickness=THINNEST / sized.scale)
    name = meshes.keep(path.with_name(f"{path.stem}_{safe_name(body, 'body')}.stl"), stl_bytes(hull))
    return Shape(geometry=Mesh(filename=name, scale=(sized.scale,) * 3), origin=Transform())
