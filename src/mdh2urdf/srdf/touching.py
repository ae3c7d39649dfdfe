"""Links whose collision geometry touches in a pose."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.mesh_names import source_file
from mdh2urdf.robot import Link, Mesh, Robot, Shape
from mdh2urdf.se3 import Transform

if TYPE_CHECKING:
    from mdh2urdf.srdf.contacts import Array


def touching_links(
    robot: Robot, q: Mapping[str, float], skip: Collection[tuple[str, str]], folder: Path
) -> tuple[list[tuple[str, str]], list[Finding]]:
    """Pairs of links that touch, in the order of the links, and findings about what could not be looked at.

    Parameters
    ----------
    robot : Robot
    q : mapping of str to float
        Joint values, rad and m.
    skip : collection of pairs
        Pairs that are not asked for.
    folder : Path
        Relative mesh names start here.
    """
    if not any(link.collisions for link in robot.links):
        message = "no link has collision geometry: only neighbours are disabled"
        return [], [Finding(rule="no-contacts", message=message)]
    from mdh2urdf.srdf.contacts import touching

    poses = robot.link_poses(q)
    findings: list[Finding] = []
    surfaces: dict[str, list[Array]] = {}
    for link in robot.links:
        surfaces[link.name] = _surfaces(link, poses[link.name], folder, findings)
    pairs = [
        (one, two)
        for one, two in combinations(surfaces, 2)
        if (one, two) not in skip and any(touching(a, b) for a in surfaces[one] for b in surfaces[two])
    ]
    return pairs, findings


def _surfaces(link: Link, pose: Transform, folder: Path, findings: list[Finding]) -> list[Array]:
    """Triangles of a link's collision shapes in the root's frame; none, and a finding, if a mesh cannot be read."""
    try:
        found = [_placed(shape, pose @ shape.origin, folder) for shape in link.collisions]
    except Mdh2UrdfError as error:
        message = f"not compared with other links: {error.problems[0].message}"
        findings.append(Finding(rule="no-contacts", path=link.name, message=message))
        return []
    return [surface for surface in found if len(surface)]  # of a shape without size nothing is left


def _placed(shape: Shape, pose: Transform, folder: Path) -> Array:
    import numpy as np

    from mdh2urdf.enclosing.files import read_surface
    from mdh2urdf.srdf.contacts import triangles_of

    if isinstance(shape.geometry, Mesh):
        path = source_file(shape.geometry.filename, folder)
        if path is None:
            raise Mdh2UrdfError(f"the mesh {shape.geometry.filename} is not found")
        surface = read_surface(path)
        corners = surface.vertices[surface.faces] * np.array(shape.geometry.scale)
    else:
        corners = triangles_of(shape.geometry)
    return np.asarray(corners @ np.array(pose.rotation).T + np.array(pose.translation))
