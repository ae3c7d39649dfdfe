"""What of a robot a table holds: values that its reader would refuse are left out, and each is told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from mdh2urdf.bounds import LARGEST
from mdh2urdf.cells import is_name
from mdh2urdf.robot import (
    Box,
    Calibration,
    Cylinder,
    Dynamics,
    Geometry,
    Joint,
    Link,
    Material,
    Mesh,
    Robot,
    Safety,
    Shape,
)
from mdh2urdf.text import numbers

_Values = TypeVar("_Values", Dynamics, Safety, Calibration)

_NO_NAME = "it is not one line without blanks at its ends"


@dataclass(frozen=True, kw_only=True, slots=True)
class Unheld:
    """A value of a joint or link that its table does not have.

    Parameters
    ----------
    place : str
        Joint or link.
    what : str
    reason : str
    """

    place: str
    what: str
    reason: str


def held(robot: Robot) -> tuple[Robot, tuple[Unheld, ...]]:
    """The robot without what no table holds beside its kinematics, and what that was.

    Limits are not looked at; `held_limits` does that, for a row needs some of them.
    """
    materials = {material.name: material for material in robot.materials}
    told: dict[Unheld, None] = {}
    joints = tuple([_joint(joint, told) for joint in robot.joints])
    links = tuple([_link(link, materials, told) for link in robot.links])
    return (replace(robot, joints=joints, links=links), tuple(told)) if told else (robot, ())


def _joint(joint: Joint, told: dict[Unheld, None]) -> Joint:
    if joint.dynamics is None and joint.safety is None and joint.calibration is None:
        return joint
    dynamics = _values(joint.dynamics, joint.name, "dynamics", told, least=0.0)
    safety = _values(joint.safety, joint.name, "safety", told)
    return replace(
        joint,
        dynamics=dynamics,
        safety=None if safety is None or safety.k_velocity is None else safety,
        calibration=_values(joint.calibration, joint.name, "calibration", told),
    )


def _values(
    part: _Values | None, joint: str, name: str, told: dict[Unheld, None], *, least: float = -LARGEST
) -> _Values | None:
    """The values that a cell can hold; None if that is none."""
    if part is None:
        return None
    values = {field.name: getattr(part, field.name) for field in fields(part)}
    for key, value in values.items():
        if value is None or least <= value <= LARGEST:
            continue
        reason = f"beyond {LARGEST:.0e}" if abs(value) > LARGEST else "it is negative"
        told[Unheld(place=joint, what=f"{name} {key}", reason=reason)] = None
        values[key] = None
    return None if set(values.values()) == {None} else replace(part, **values)


def _link(link: Link, materials: Mapping[str, Material], told: dict[Unheld, None]) -> Link:
    if not (link.visuals or link.collisions):
        return link
    return replace(
        link,
        visuals=tuple(_shapes(link.name, link.visuals, materials, told)),
        collisions=tuple(_shapes(link.name, link.collisions, materials, told)),
    )


def _shapes(
    link: str, shapes: tuple[Shape, ...], materials: Mapping[str, Material], told: dict[Unheld, None]
) -> Iterator[Shape]:
    for shape in shapes:
        kind = type(shape.geometry).__name__.lower()
        reason = _no_geometry(shape.geometry)
        if reason:
            told[Unheld(place=link, what=f"a {kind}", reason=reason)] = None
            continue
        name = shape.name
        if name and not is_name(name):
            told[Unheld(place=link, what=f"name {name!r} of a {kind}", reason=_NO_NAME)] = None
            name = ""
        yield replace(shape, name=name, material=_material(link, shape.material, materials, told))


def _no_geometry(geometry: Geometry) -> str:
    """Why a table has no such geometry; empty if it has."""
    if isinstance(geometry, Mesh):
        if not is_name(geometry.filename):
            return f"its file name {geometry.filename!r} is not one line without blanks at its ends"
        return "its scale is 0" if 0.0 in geometry.scale else ""
    sizes = geometry.size if isinstance(geometry, Box) else (geometry.radius,)
    if isinstance(geometry, Cylinder):
        sizes = (*sizes, geometry.length)
    return "" if min(sizes) > 0.0 else "one of its sizes is not above 0"


def _material(
    link: str, material: Material | None, materials: Mapping[str, Material], told: dict[Unheld, None]
) -> Material | None:
    """A material as a table has it; None if that is nothing, or only the name of a colour that was left out."""
    if material is None:
        return None
    if material.rgba is None and not material.texture:
        material = materials.get(material.name, material)
    name, rgba, texture = material.name, material.rgba, material.texture
    if rgba is not None and not (min(rgba) >= 0.0 and max(rgba) <= 1.0):
        told[Unheld(place=link, what=f"colour {numbers(rgba)}", reason="colours go from 0 to 1")] = None
        rgba = None
    if texture and not is_name(texture):
        told[Unheld(place=link, what=f"texture {texture!r}", reason=_NO_NAME)] = None
        texture = ""
    if name and not is_name(name):
        told[Unheld(place=link, what=f"name {name!r} of a material", reason=_NO_NAME)] = None
        name = ""
    if (rgba is None and not texture) and (not name or material.rgba is not None or material.texture):
        return None
    return Material(name=name, rgba=rgba, texture=texture)
