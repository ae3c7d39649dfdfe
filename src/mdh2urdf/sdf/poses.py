"""Poses of an SDF model, resolved through the frames that they are relative to."""

from __future__ import annotations

from math import pi

from mdh2urdf.se3 import IDENTITY, Transform, rotation_from_quaternion, rotation_from_rpy
from mdh2urdf.urdf.xml import Notes, Part

MODEL = "__model__"
"""Name of the model's own frame."""

_TRUE = ("true", "1")


def read_pose(part: Part) -> Transform:
    """The pose of ``<pose>``: rpy in rad or degrees, or a quaternion x, y, z, w."""
    form = part.get("rotation_format") or "euler_rpy"
    if form == "quat_xyzw":
        values = part.content(7, unit="m")
        if values is None:
            return IDENTITY
        if not any(values[3:]):
            part.problem("a quaternion must not be 0")
            return IDENTITY
        rotation = rotation_from_quaternion((values[6], *values[3:6]))
        return Transform(rotation, (values[0], values[1], values[2]))
    if form != "euler_rpy":
        part.problem(f"rotation_format {form!r} is unknown; euler_rpy and quat_xyzw are known")
        return IDENTITY
    # An empty pose is SDF's default.
    values = part.content(6, unit="m") if (part.element.text or "").strip() else (0.0,) * 6
    if values is None:
        return IDENTITY
    unit = pi / 180.0 if part.get("degrees") in _TRUE else 1.0
    return Transform(rotation_from_rpy([value * unit for value in values[3:]]), (values[0], values[1], values[2]))


class Frames:
    """Links, joints and frames of a model, each with a pose in another one.

    Parameters
    ----------
    notes : Notes
        Takes what is wrong with them.
    """

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.names: set[str] = {MODEL}
        self._poses: dict[str, tuple[Part, str, Transform]] = {}

    def add(self, part: Part, name: str, relative_to: str) -> bool:
        """Take an element with its ``<pose>``, by default in ``relative_to``; False if its name is taken."""
        if name in self.names:
            part.problem(f"the name {name!r} is used twice; links, joints and frames share their names")
            return False
        self.names.add(name)
        pose = IDENTITY
        for child in part.element:
            if child.tag == "pose":
                found = Part(child, f"{part.path}.pose", self.notes)
                relative_to = found.get("relative_to") or relative_to
                pose = read_pose(found)
        self._poses[name] = (part, relative_to, pose)
        return True

    def resolved(self) -> dict[str, Transform]:
        """Pose of every element in the model; what leads nowhere is noted and stands at its origin."""
        found: dict[str, Transform] = {MODEL: IDENTITY}
        for name in self._poses:
            chain = [name]
            while chain[-1] not in found:
                part, relative_to, _ = self._poses[chain[-1]]
                if relative_to not in found and (relative_to not in self._poses or relative_to in chain):
                    why = "is no frame of the model" if relative_to not in self._poses else "leads back to itself"
                    part.problem(f"its pose is relative to {relative_to!r}, which {why}")
                    found[chain[-1]] = IDENTITY
                    break
                chain.append(relative_to)
            for each in reversed(chain):
                if each not in found:
                    _, relative_to, pose = self._poses[each]
                    found[each] = found[relative_to] @ pose
        return found
