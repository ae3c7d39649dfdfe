"""Attributes of MJCF elements: the compiler's settings, inherited defaults, and poses in all their notations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi

from lxml import etree

from mdh2urdf.se3 import (
    NO_ROTATION,
    ORIGIN,
    Matrix3,
    Transform,
    Vector3,
    cross,
    dot,
    multiply,
    norm,
    rotation_about,
    rotation_from_columns,
    rotation_from_quaternion,
    rotation_x,
    rotation_y,
    rotation_z,
    scale,
    subtract,
    unit,
)
from mdh2urdf.urdf.xml import Part

ORIENTATIONS = ("quat", "axisangle", "euler", "xyaxes", "zaxis")
"""Attributes of which one at most may say how an element is turned."""

_SPACE = "xyz"
_TURNS = {"x": rotation_x, "y": rotation_y, "z": rotation_z}
_TRUE = "true"


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """What ``<compiler>`` says of the numbers; the defaults are MuJoCo's.

    Parameters
    ----------
    angle : float
        rad in a unit of the file.
    eulerseq : str
        Axes of euler angles: small letters turn with the body, capitals are fixed.
    autolimits : bool
        Whether a range alone limits a joint.
    masses_from_geoms : bool
        Whether bodies without mass data get them from their shapes.
    meshdir : str
        Folder of mesh files.
    strippath : bool
        Whether mesh names lose their folders.
    """

    angle: float = pi / 180.0
    eulerseq: str = _SPACE
    autolimits: bool = True
    masses_from_geoms: bool = True
    meshdir: str = ""
    strippath: bool = False


def read_settings(parts: list[Part]) -> Settings:
    """The settings of all ``<compiler>`` elements, the later before the earlier."""
    merged: dict[str, str] = {}
    for part in parts:
        merged.update({str(name): str(value) for name, value in part.element.attrib.items()})
    sequence = merged.get("eulerseq", _SPACE)
    if len(sequence) != 3 or not set(sequence.lower()) <= set(_SPACE):
        parts[-1].problem(f"eulerseq {sequence!r}: must be three of x, y, z, X, Y, Z")
        sequence = _SPACE
    folder = merged.get("meshdir", merged.get("assetdir", ""))
    return Settings(
        angle=1.0 if merged.get("angle") == "radian" else pi / 180.0,
        eulerseq=sequence,
        autolimits=merged.get("autolimits", _TRUE) == _TRUE,
        masses_from_geoms=merged.get("inertiafromgeom", "auto") != "false",
        meshdir=folder,
        strippath=merged.get("strippath") == _TRUE,
    )


Defaults = Mapping[str, Mapping[str, Mapping[str, str]]]
"""Attributes by class (``main`` for everything) and element."""


def read_defaults(parts: list[Part]) -> Defaults:
    """The attributes that elements inherit, by class and tag; a class has those of the class around it."""
    found: dict[str, dict[str, dict[str, str]]] = {"main": {}}

    def collect(element: etree._Element, name: str) -> None:
        for child in element:
            if child.tag != "default":
                own = found[name].setdefault(str(child.tag), {})
                own.update({str(key): str(value) for key, value in child.attrib.items()})
        for child in element:
            if child.tag == "default":
                inner = child.get("class", "")
                found[inner] = {tag: dict(values) for tag, values in found[name].items()}
                collect(child, inner)

    for part in parts:
        collect(part.element, "main")
    return found


def inherit(part: Part, defaults: Defaults, childclass: str) -> None:
    """Give an element the attributes of its class that it does not have itself."""
    name = part.get("class") or childclass
    if name not in defaults:
        part.problem(f"there is no default class {name!r}; the classes are {', '.join(defaults)}")
        return
    turned = any(part.has(name) for name in ORIENTATIONS)
    for key, value in defaults[name].get(part.tag, {}).items():
        if not part.has(key) and not (turned and key in ORIENTATIONS):
            part.element.set(key, value)


def read_pose(part: Part, settings: Settings) -> Transform:
    """Pose of an element in the body around it; whatever is missing is 0."""
    position = _vector(part.numbers("pos", 3, unit="m") or ORIGIN)
    return Transform(read_rotation(part, settings), position)


def read_rotation(part: Part, settings: Settings) -> Matrix3:
    """How an element is turned, in whichever notation it says so."""
    given = [name for name in ORIENTATIONS if part.has(name)]
    if len(given) > 1:
        part.problem(f"<{part.tag}> has {' and '.join(given)}; one of them can hold")
    rotation = _rotation(part, given[0], settings) if given else NO_ROTATION
    if rotation is None:
        part.problem(f"{given[0]} {part.get(given[0])!r}: a direction must not be 0")
    return rotation or NO_ROTATION


def _rotation(part: Part, name: str, settings: Settings) -> Matrix3 | None:
    """The rotation of one notation; None if a direction is 0."""
    values = part.numbers(name, {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(name, 3))
    if values is None:
        return NO_ROTATION
    if name == "euler":
        return _from_euler((values[0], values[1], values[2]), settings)
    if name == "quat":
        return rotation_from_quaternion(values) if any(values) else None
    first: Vector3 = (values[0], values[1], values[2])
    if not norm(first):
        return None
    if name == "axisangle":
        return rotation_about(unit(first), values[3] * settings.angle)
    return _from_z(unit(first)) if name == "zaxis" else _from_xy(unit(first), (values[3], values[4], values[5]))


def _from_xy(x: Vector3, y: Vector3) -> Matrix3 | None:
    """The rotation with the axis x, and y as near as it can be; None if y is along x."""
    across = subtract(y, scale(dot(x, y), x))
    return rotation_from_columns(x, unit(across), cross(x, unit(across))) if norm(across) else None


def _from_euler(angles: Vector3, settings: Settings) -> Matrix3:
    rotation = NO_ROTATION
    for axis, angle in zip(settings.eulerseq, angles, strict=True):
        turn = _TURNS[axis.lower()](angle * settings.angle)
        rotation = multiply(rotation, turn) if axis.islower() else multiply(turn, rotation)
    return rotation


def _from_z(z: Vector3) -> Matrix3:
    """The smallest turn that takes z to a direction; about x where they are opposite."""
    axis = cross((0.0, 0.0, 1.0), z)
    sine = norm(axis)
    if sine == 0.0:
        return NO_ROTATION if z[2] > 0.0 else rotation_x(pi)
    x, y, _ = scale(1.0 / sine, axis)
    cosine = z[2]
    versine = 1.0 - cosine
    return (
        (cosine + versine * x * x, versine * x * y, sine * y),
        (versine * x * y, cosine + versine * y * y, -sine * x),
        (-sine * y, sine * x, cosine),
    )


def _vector(values: tuple[float, ...]) -> Vector3:
    return (values[0], values[1], values[2])
