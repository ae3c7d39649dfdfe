"""A dump without what its owner may not show: names replaced, meshes left out or boxed, every number kept.

The JSON data are walked, not the dump that the reader makes of them: what is to be reported may be that it
cannot be read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_text
from mdh2urdf.inventor.dump_reader import MAX_DUMP_BYTES

_WORDS = re.compile(
    "angular|assembly|cm|default|failed|inseparable|inventor-dump|kg|linear|locked|moved|no_motion|normal|part|phantom"
    "|purchased|rad|reference|rotate_rotate|rotate_translate|skipped|k(Rigid|Rotational|Slide|Cylindrical|Planar|Ball)"
    "JointType|[0-9]{1,4}([.][0-9]{1,6})*"
)
"""Texts that are words of the format: its name, types, states, units, versions."""

_TEXTS = frozenset(
    {
        *("angle", "bom", "document", "format", "inventor_version", "kind", "length", "mass", "mesh", "messages"),
        *("model_state", "name", "occurrence", "occurrence_one", "occurrence_two", "part_number", "path"),
        *("quantity", "status", "type"),
    }
)
"""Fields that hold texts, or a list of them."""

_NUMBERS = frozenset(
    {
        *("angular", "assembly_from_occurrence", "axis", "bodies", "bodies_total", "bodies_visible"),
        *("center_of_mass", "color", "coupled_probe", "density", "end", "excluded", "flexible", "forward", "frames"),
        *("geometry", "grounded", "health", "inertia", "ixx", "ixy", "ixz", "iyy", "iyz", "izz", "joints", "linear"),
        *("locked", "mass_override", "material", "max", "min", "motion_constraints", "occurrence_from_frame"),
        *("occurrence_from_part", "occurrences", "origin", "others_suppressed", "override_scale", "precise", "probe"),
        *("protected", "range_box", "ratio", "samples", "start", "suppressed", "transforms", "type_value", "units"),
        *("value", "values", "verify", "version", "visible", "visible_only", "volume"),
    }
)
"""Fields that hold numbers, flags, or objects of such fields."""

_BOX_FACES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""Corners of every side of a box, numbered ``4 x + 2 y + z``, anticlockwise as seen from outside."""


@dataclass(kw_only=True, slots=True)
class Aliases:
    """What names became, by kind; the same name always becomes the same alias."""

    known: dict[str, dict[str, str]] = field(default_factory=dict)

    def of(self, kind: str, name: str, suffix: str = "") -> str:
        """The alias of a name."""
        names = self.known.setdefault(kind, {})
        return names.setdefault(name, f"{kind}{len(names) + 1}{suffix}")

    def occurrence(self, name: str) -> str:
        """The alias of an occurrence's name, step by step of its path."""
        return "/".join(self.of("Part", step, ":1") for step in name.split("/"))

    def document(self, name: str) -> str:
        """The alias of a document, with the ending that says what it is."""
        end = Path(name.replace("\\", "/")).suffix.lower()
        return self.of("Document", name, end if end in (".iam", ".ipt") else "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Anonymous:
    """A dump that names nothing.

    Parameters
    ----------
    text : str
        JSON.
    meshes : mapping of str to bytes
        Boxes instead of the meshes, by file name.
    left_out : tuple of str
        Unknown fields that are not in it.
    """

    text: str
    meshes: Mapping[str, bytes]
    left_out: tuple[str, ...]


def anonymised(path: str | Path, *, boxes: bool = False) -> Anonymous:
    """A dump with its names replaced.

    Kept are numbers, flags, the format's own words, and which things have the same name. Part numbers, model
    states and messages are left out.

    Parameters
    ----------
    path : str or Path
    boxes : bool
        Whether a mesh becomes a box of the size of its occurrence's range box; without one it is left out.

    Raises
    ------
    Mdh2UrdfError
        If the file cannot be read, or holds no JSON object.
    """
    try:
        data = json.loads(read_text(path, limit=MAX_DUMP_BYTES))
    except (ValueError, RecursionError) as error:
        raise Mdh2UrdfError(Finding(file=str(path), message="is no JSON: nothing of it is known to be safe")) from error
    if not isinstance(data, dict):
        raise Mdh2UrdfError(Finding(file=str(path), message="must hold a JSON object"))
    walk = _Walk(boxes=boxes)
    content = walk.fields(data, "")
    text = json.dumps(content) + "\n"
    return Anonymous(text=text, meshes=walk.meshes, left_out=tuple(walk.left_out))


@dataclass(kw_only=True, slots=True)
class _Walk:
    """Copies JSON data and keeps only what is known to be harmless."""

    boxes: bool
    aliases: Aliases = field(default_factory=Aliases)
    meshes: dict[str, bytes] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)

    def fields(self, data: Mapping[str, Any], place: str) -> dict[str, Any]:
        """An object of the format; ``place`` is the list or object that it is in."""
        if place in ("transforms", "values"):
            return {self._key(name, place): self.plain(value, place) for name, value in data.items()}
        kept: dict[str, Any] = {}
        for key, value in data.items():
            if key in ("model_state", "part_number"):
                continue
            if key == "mesh":
                kept[key] = self._mesh(value, data)
            elif key in _TEXTS and isinstance(value, str):
                kept[key] = self._text(key, value, place)
            elif key in ("path", "messages") and isinstance(value, list):
                kept[key] = self._texts(key, value)
            elif key in _TEXTS or key in _NUMBERS:
                kept[key] = self.plain(value, key)
            else:
                self.left_out[f"{place}.{key}" if place else key] = None
        return kept

    def plain(self, value: Any, place: str) -> Any:
        """Numbers and flags as they are, and lists and objects of them; a text where none belongs as ``text``."""
        if isinstance(value, dict):
            return self.fields(value, place)
        if isinstance(value, list):
            return [self.plain(item, place) for item in value]
        return "text" if isinstance(value, str) else value

    def _key(self, name: str, place: str) -> str:
        return self.aliases.occurrence(name) if place == "transforms" else self.aliases.of("Joint", name)

    def _text(self, key: str, value: str, place: str) -> str:
        """A text by the field that holds it."""
        if key == "document":
            return self.aliases.document(value)
        if key in ("occurrence", "occurrence_one", "occurrence_two"):
            return self.aliases.occurrence(value)
        if key == "name":
            return self._name(value, place)
        return value if _WORDS.fullmatch(value) else "text"

    def _texts(self, key: str, values: list[Any]) -> list[str]:
        if key == "path":
            return [self.aliases.of("Part", str(step), ":1") for step in values]
        return [f"message {number} is left out" for number in range(1, len(values) + 1)]

    def _name(self, value: str, place: str) -> str:
        if place == "occurrences":
            return self.aliases.occurrence(value)
        kinds = {"joints": "Joint", "bodies": "Body", "material": "Material", "frames": "Frame"}
        return self.aliases.of(kinds.get(place, "Name"), value) if value not in ("", "*") else value

    def _mesh(self, value: Any, occurrence: Mapping[str, Any]) -> str | None:
        """File name of a box instead of a mesh; None where there is none, or no range box."""
        corners = _corners(occurrence.get("range_box"))
        if not self.boxes or not isinstance(value, str) or not value or corners is None:
            return None
        # Occurrences that share a mesh have one document; a box of another size would be another file.
        name = f"{self.aliases.of('Mesh', json.dumps([value, *corners]))}.stl"
        self.meshes[name] = _box_stl(*corners)
        return name


def _corners(box: Any) -> tuple[list[float], list[float]] | None:
    """Both corners of a range box in cm, None if they are not six numbers, or the box is flat."""
    low, high = (_point(box.get(name)) if isinstance(box, dict) else None for name in ("min", "max"))
    if low is None or high is None or not all(a < b for a, b in zip(low, high, strict=True)):
        return None
    return low, high


def _point(value: Any) -> list[float] | None:
    if not isinstance(value, list) or len(value) != 3 or not all(type(each) in (int, float) for each in value):
        return None
    return [float(each) for each in value]


def _box_stl(low: list[float], high: list[float]) -> bytes:
    """Binary STL of a box, in the unit of its corners."""
    import numpy as np

    points = np.array([(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    quads = points[np.array(_BOX_FACES)]
    triangles = np.concatenate((quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]))
    rows = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = triangles
    return b"box".ljust(80) + len(rows).to_bytes(4, "little") + rows.tobytes()
