"""Colours of the faces of an STL file, and a GLB file that keeps them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from mdh2urdf.enclosing.files import require_trimesh
from mdh2urdf.enclosing.surface import Surface
from mdh2urdf.inventor.mesh import binary_head
from mdh2urdf.inventor.poses import Array

GREY = (0.7, 0.7, 0.7, 1.0)
"""Of faces without a colour on a part without one."""

FIVE_BITS = 31.0

_COLOUR = b"COLOR="


def face_colours(path: Path) -> Array | None:
    """Red, green, blue, alpha of every triangle, shape (n, 4), NaN where it has none; None if no triangle has one.

    Two conventions exist for the two bytes behind a triangle. With ``COLOR=`` and four bytes in the header
    (Magics) a triangle has a colour of its own, red in the lowest bits, unless bit 15 is set; else it has the
    header's. Without, it has a colour only if bit 15 is set, and blue is in the lowest bits (VisCAM, SolidView).
    """
    head, attributes = binary_head(path)
    if attributes is None:
        return None
    bits = attributes.astype(np.int64)
    channels = np.stack([(bits >> shift) & 31 for shift in (0, 5, 10)], axis=1) / FIVE_BITS
    place = head.find(_COLOUR)
    colours = np.full((len(bits), 4), np.nan)
    if 0 <= place <= len(head) - len(_COLOUR) - 4:
        whole = np.frombuffer(head[place + len(_COLOUR) :][:4], dtype=np.uint8) / 255.0
        colours[:] = whole
        own = (bits >> 15) == 0
        # All zero is what a writer leaves that colours no single face.
        own &= bits.any()
        colours[own, :3], colours[own, 3] = channels[own], 1.0
        return colours
    own = (bits >> 15) == 1
    colours[own, :3], colours[own, 3] = channels[own][:, ::-1], 1.0
    return colours if own.any() else None


def glb_bytes(surface: Surface, colours: Array, rest: tuple[float, float, float, float]) -> bytes:
    """A GLB file of a surface in m, a part a colour; faces without a colour have ``rest``.

    Raises
    ------
    Mdh2UrdfError
        If trimesh is missing.
    """
    trimesh = require_trimesh("writing GLB")
    colours = np.where(np.isnan(colours), np.array(rest), colours)
    found, group = np.unique(np.round(colours, 6), axis=0, return_inverse=True)
    scene = trimesh.Scene()
    for number, colour in enumerate(found):
        faces = surface.faces[group.reshape(-1) == number]
        used, local = np.unique(faces, return_inverse=True)
        look = trimesh.visual.material.PBRMaterial(
            name=f"colour_{number + 1}", baseColorFactor=colour.tolist(), metallicFactor=0.0, roughnessFactor=0.8
        )
        mesh = trimesh.Trimesh(surface.vertices[used], local.reshape(-1, 3), process=False)
        mesh.visual = trimesh.visual.TextureVisuals(material=look)
        scene.add_geometry(mesh, node_name=f"part_{number + 1}", geom_name=f"part_{number + 1}")
    return bytes(scene.export(file_type="glb"))
