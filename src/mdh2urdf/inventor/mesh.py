"""STL files: size, volume, centre and tensor of what they enclose, and the unit they are written in.

Volume integrals are sums over the tetrahedra that the triangles span with a point; triangles are
taken in chunks, so that a large file needs little more memory than itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from mdh2urdf.enclosing.files import require_trimesh
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.dump import RangeBox
from mdh2urdf.inventor.poses import Array

MAX_FACES = 100_000
MAX_BYTES = 10 * 1024 * 1024
"""Sizes above which viewers and simulators become slow."""

CHUNK = 65_536
"""Triangles that are integrated at a time."""

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048, "micron": 1e-6}
"""m in a unit that Inventor's STL translator can write."""

UNIT_TOLERANCE = 0.005
"""Relative: what tessellation may take from a length."""

FLAT = 1e-12
"""Share of the box below which a volume is the rounding of an open or flat mesh."""

LOOSE_FACTOR = 1.5
"""What a box that is not precise may be too large by: the closest two units, inch and centimetre, are 2.54 apart."""

_TRIANGLE = np.dtype([("normal", "<f4", (3,)), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
_HEADER = 84
_TAIL = 4096


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class MeshFacts:
    """What an STL file encloses, in its own unit; the tensor is about the centre, for density 1.

    Parameters
    ----------
    volume : float
        Negative where the triangles face inwards.
    """

    faces: int
    size: int
    ascii: bool
    volume: float
    center: Array
    inertia: Array
    low: Array
    high: Array

    @property
    def diagonal(self) -> float:
        """Diagonal of the box."""
        return float(np.linalg.norm(self.high - self.low))


def mesh_facts(path: Path) -> MeshFacts:
    """Facts of an STL file, binary or ASCII.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be read, is truncated or empty, or holds NaN; or if it is ASCII and trimesh is missing.
    """
    chunks, faces, size, ascii_text = _opened(path)
    return _facts(path, chunks, faces, size, ascii_text=ascii_text)


def _opened(path: Path) -> tuple[Iterator[Array], int, int, bool]:
    """Corners of the triangles in chunks of shape (k, 3, 3), their number, the file's bytes, whether it is ASCII."""
    try:
        size = path.stat().st_size
        with open(path, "rb") as stream:
            head = stream.read(_HEADER)
        count = int.from_bytes(head[80:84], "little") if len(head) == _HEADER else -1
        if count >= 0 and size == _HEADER + 50 * count:
            if count == 0:
                raise _error(path, "holds no triangles")
            return _binary(np.memmap(path, dtype=_TRIANGLE, mode="r", offset=_HEADER)), count, size, False
    except OSError as error:
        raise _error(path, f"cannot be read: {error.strerror}") from error
    if head.lstrip().startswith(b"solid"):
        corners = _read_ascii(path)
        return iter([corners]), len(corners), size, True
    if count < 0 or size < _HEADER + 50 * count:
        raise _error(path, f"is truncated: {size} bytes, {_HEADER + 50 * max(count, 0)} are needed")
    raise _error(path, f"is no STL: {count} triangles have {_HEADER + 50 * count} bytes, the file has {size}")


def _error(path: Path, message: str) -> Mdh2UrdfError:
    return Mdh2UrdfError(Finding(file=str(path), message=message))


def _binary(triangles: Any) -> Iterator[Array]:
    for start in range(0, len(triangles), CHUNK):
        yield np.asarray(triangles["corners"][start : start + CHUNK], dtype=np.float64)


def _read_ascii(path: Path) -> Array:
    """Corners of an ASCII STL, shape (n, 3, 3), by trimesh."""
    trimesh = require_trimesh(f"reading the ASCII STL {path}")
    try:
        text = path.read_bytes()
        if b"endsolid" not in text[-_TAIL:]:
            raise _error(path, "is truncated: its text has no endsolid")
        # names of solids come in any encoding, which trimesh would need another package to guess
        data = trimesh.exchange.stl.load_stl(BytesIO(text.decode("ascii", "replace").encode("ascii", "replace")))
        vertices, faces = (np.asarray(data[key]) for key in ("vertices", "faces"))
        return np.asarray(vertices[faces], dtype=float).reshape(-1, 3, 3)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise _error(path, "is no STL that can be read: its text is broken") from error


def _facts(path: Path, chunks: Iterator[Array], faces: int, size: int, *, ascii_text: bool) -> MeshFacts:
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    sums, reference = np.zeros(10), np.zeros(3)
    for i, corners in enumerate(chunks):
        if not np.isfinite(corners).all():
            raise _error(path, "holds a coordinate that is no finite number")
        flat = corners.reshape(-1, 3)
        low, high = np.minimum(low, flat.min(axis=0)), np.maximum(high, flat.max(axis=0))
        if i == 0:
            # A point inside the mesh: integrals about a far origin would lose digits.
            reference = 0.5 * (low + high)
        sums += _integrals(corners - reference)
    volume, center, inertia = _moments(sums, float(np.prod(high - low)))
    return MeshFacts(
        faces=faces,
        size=size,
        ascii=ascii_text,
        volume=volume,
        center=center + reference,
        inertia=inertia,
        low=low,
        high=high,
    )


def _moments(sums: Array, box: float) -> tuple[float, Array, Array]:
    """Volume, centre and tensor about the centre of the sums of `_integrals`; volume 0 where it is noise."""
    volume, first, second = float(sums[0]) / 6.0, sums[1:4] / 24.0, sums[4:] / 120.0
    if abs(volume) <= FLAT * box:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    center = first / volume
    xx, yy, zz, xy, yz, xz = second
    moments = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))) - volume * np.outer(center, center)
    return volume, center, np.trace(moments) * np.eye(3) - moments


def _integrals(corners: Array) -> Array:
    """Sums over tetrahedra with the origin: 6 V, 24 ∫x, 120 ∫xx yy zz xy yz xz; shape (10,).

    With corners a, b, c: ``det = a · (b x c)``, ``∫x = det (a + b + c) / 24`` and
    ``∫x x = det (a a + b b + c c + s s) / 120`` where s = a + b + c (Tonon 2004).
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    det = np.einsum("ij,ij->i", a, np.cross(b, c))
    total = a + b + c
    products = np.zeros(6)
    for part in (a, b, c, total):
        weighted = part * det[:, None]
        products += np.concatenate(
            (np.einsum("ij,ij->j", weighted, part), np.einsum("ij,ij->j", weighted, np.roll(part, -1, axis=1)))
        )
    # Products of the rolled columns are xy, yz, zx.
    return np.concatenate(((det.sum(),), det @ total, products))


def unit_of(facts: MeshFacts, volume: float | None, box: RangeBox | None) -> str | None:
    """The unit in which a mesh is written, by the bodies' volume in m³, then by the range box; None if none fits."""
    lengths = []
    if volume and facts.volume:
        lengths.append(((volume / abs(facts.volume)) ** (1.0 / 3.0), 1.0 + UNIT_TOLERANCE))
    if box is not None and facts.diagonal > 0.0:
        diagonal = float(np.linalg.norm(box.high - box.low))
        lengths.append((diagonal / facts.diagonal, 1.0 + UNIT_TOLERANCE if box.precise else LOOSE_FACTOR))
    for length, factor in lengths:
        for name, unit in UNITS.items():
            if 1.0 / factor <= length / unit <= factor:
                return name
    return None


def corners_of(path: Path) -> Array:
    """Corners of all triangles of an STL file in its own unit, shape (n, 3, 3).

    Raises
    ------
    Mdh2UrdfError
        As `mesh_facts`.
    """
    chunks, _, _, _ = _opened(path)
    return np.concatenate(list(chunks))


def binary_head(path: Path) -> tuple[bytes, Any]:
    """Header of a binary STL file and the two bytes behind each of its triangles, shape (n,); None for an ASCII one.

    Raises
    ------
    Mdh2UrdfError
        As `mesh_facts`.
    """
    _, _, _, ascii_text = _opened(path)
    if ascii_text:
        return b"", None
    with open(path, "rb") as stream:
        head = stream.read(_HEADER - 4)
    return head, np.array(np.memmap(path, dtype=_TRIANGLE, mode="r", offset=_HEADER)["attribute"])
