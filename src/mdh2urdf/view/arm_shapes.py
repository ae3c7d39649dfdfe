"""The shapes of a robot's links as triangle meshes, each with its link; files that are missing are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from mdh2urdf.additions import with_sticks
from mdh2urdf.errors import Finding
from mdh2urdf.mesh_files import mesh_file
from mdh2urdf.robot import Joint, Link, Mesh, Robot, Shape
from mdh2urdf.urdf.writer import write_urdf

if TYPE_CHECKING:
    import trimesh


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkMesh:
    """A triangle mesh in the frame of its link, m."""

    link: str
    mesh: trimesh.Trimesh


def shapes_of(robot: Robot, folder: Path) -> tuple[list[LinkMesh], tuple[Finding, ...]]:
    """The visuals of every link; sticks for links without any, and for those whose mesh files cannot be shown.

    Parameters
    ----------
    robot : Robot
    folder : Path
        Where the robot's file is: mesh names start here.
    """
    import trimesh
    from yourdfpy import URDF

    readable = trimesh.available_formats()
    names = [shape.geometry.filename for shape in _visuals(robot) if isinstance(shape.geometry, Mesh)]
    found = {name: mesh_file(name, folder) for name in dict.fromkeys(names)}
    shown = {name: path for name, path in found.items() if path and path.suffix[1:].lower() in readable}
    links = tuple(_with_files(link, shown) for link in robot.links)
    robot = with_sticks(replace(robot, links=links))
    # Every link stands at the root: what the library says of poses is then the pose in the link's frame.
    standing = tuple(
        Joint(name=joint.name, type="fixed", parent=joint.parent, child=joint.child) for joint in robot.joints
    )
    text = write_urdf(replace(robot, joints=standing))
    urdf = URDF.load(BytesIO(text.encode()), filename_handler=_as_it_is)
    return list(_link_meshes(urdf.scene, robot)), tuple(_told(found, shown))


def _as_it_is(fname: str) -> str:
    return fname


def _visuals(robot: Robot) -> Iterator[Shape]:
    for link in robot.links:
        yield from link.visuals


def _with_files(link: Link, files: Mapping[str, Path]) -> Link:
    """The link with its visuals only, meshes by the names of their files; without visuals if one is not shown."""
    visuals: list[Shape] = []
    for shape in link.visuals:
        geometry = shape.geometry
        if isinstance(geometry, Mesh):
            if geometry.filename not in files:
                return Link(name=link.name)
            geometry = replace(geometry, filename=str(files[geometry.filename]))
        visuals.append(replace(shape, geometry=geometry))
    return Link(name=link.name, visuals=tuple(visuals))


def _told(found: Mapping[str, Path | None], shown: Mapping[str, Path]) -> Iterator[Finding]:
    for reason, names in (
        ("not found", [name for name, path in found.items() if path is None]),
        ("of a format that cannot be read", [name for name, path in found.items() if path and name not in shown]),
    ):
        if names:
            more = f" and {len(names) - 1} more" if len(names) > 1 else ""
            message = f"mesh files {reason}, sticks are shown: {names[0]}{more}"
            yield Finding(rule="mesh-not-shown", message=message)


def _link_meshes(scene: trimesh.Scene, robot: Robot) -> Iterator[LinkMesh]:
    import trimesh

    links = {link.name for link in robot.links}
    parents = scene.graph.transforms.parents
    for node in scene.graph.nodes_geometry:
        pose, geometry = scene.graph[node]
        mesh = scene.geometry[geometry]
        if not isinstance(mesh, trimesh.Trimesh):
            continue
        link = node
        while link not in links:
            link = parents[link]
        yield LinkMesh(link=link, mesh=mesh.copy().apply_transform(pose))
