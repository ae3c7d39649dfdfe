"""Column headings of text tables: which field a column holds, in which unit, and what the notation says."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mdh2urdf.cells import nearest

FIELDS: dict[str, tuple[str, ...]] = {
    "name": ("joint", "name", "i", "#", "no", "no.", "nr", "index", "j", ""),
    "link": ("link", "child"),
    "parent": ("parent",),
    "type": ("type", "joint type"),
    "a": ("a", "r", "link length"),
    "alpha": ("alpha", "twist", "link twist"),
    "d": ("d", "link offset"),
    "theta": ("theta", "joint angle"),
    "theta_offset": ("theta_offset", "theta offset", "theta0"),
    "offset": ("offset", "joint offset", "q offset", "q_offset"),
    "beta": ("beta",),
    "gamma": ("gamma",),
    "b": ("b",),
    "direction": ("direction", "sign"),
    "lower": ("lower", "lower limit", "min", "q-"),
    "upper": ("upper", "upper limit", "max", "q+"),
    "velocity": ("velocity", "max velocity", "speed"),
    "effort": ("effort", "max effort", "torque"),
}
"""Headings of each field; without a heading a column holds the joint."""

_FIELD_OF = {heading: field for field, headings in FIELDS.items() for heading in headings}
ANGLE_UNITS = ("deg", "rad")
_ALWAYS_ANGLES = ("theta", "theta_offset", "alpha", "beta", "gamma")
_ALWAYS_LENGTHS = ("a", "d", "b")

_UNITS = {
    **dict.fromkeys(("deg", "degs", "degree", "degrees", "°"), "deg"),
    **dict.fromkeys(("rad", "rads", "radian", "radians"), "rad"),
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), "m"),
    **dict.fromkeys(("mm", "millimetre", "millimetres", "millimeter", "millimeters"), "mm"),
    **dict.fromkeys(("cm", "centimetre", "centimetres", "centimeter", "centimeters"), "cm"),
    **dict.fromkeys(("in", "inch", "inches"), "in"),
    **dict.fromkeys(("n", "nm", "n m", "n*m"), ""),
}
_GREEK = str.maketrans({"α": "alpha", "⍺": "alpha", "θ": "theta", "ϑ": "theta", "β": "beta", "γ": "gamma"})
_MARKUP = str.maketrans("", "", "$\\{}`*")
_UNIT = re.compile(r"(.*?)\s*(?:\[([^\[\]]*)\]|\(([^()]*)\))")
_PREVIOUS = re.compile(r"(a|r|alpha|beta)\s*(?:_?\s*\(?\s*i\s*-\s*1\s*\)?|_prev)")
_OWN = re.compile(r"(.*?)\s*_?\s*\(?i\)?")


@dataclass(frozen=True, slots=True)
class Column:
    """A column's field, its unit (empty if it says none), and whether its heading is Craig's ``x_{i-1}``."""

    field: str
    unit: str
    previous: bool
    index: int


def column(heading: str, index: int) -> Column | str:
    """The column that a heading names, or what is wrong with the heading.

    Parameters
    ----------
    heading : str
        As in the table: ``alpha_{i-1} [deg]``, ``d (mm)``, ``θᵢ``.
    index : int
        Its offset in the file.
    """
    text = " ".join(heading.translate(_GREEK).translate(_MARKUP).lower().split())
    unit = ""
    match = _UNIT.fullmatch(text)
    if match is not None and not _is_subscript(match[3]):
        text = match[1]
        said = (match[2] if match[3] is None else match[3]).strip()
        measure = said.removesuffix("/s")
        if measure not in _UNITS:
            return f"has the unit {said!r}; known are rad, deg, m, cm, mm and in"
        unit = _UNITS[measure]
    previous = _PREVIOUS.fullmatch(text)
    name = text if previous is None else previous[1]
    own = _OWN.fullmatch(text)
    if name not in _FIELD_OF and own is not None and own[1] in _FIELD_OF:
        name = own[1]
    if name not in _FIELD_OF:
        return f"is no known column; {nearest(name, FIELDS)}"
    field = _FIELD_OF[name]
    if unit and field in _ALWAYS_ANGLES and unit not in ANGLE_UNITS:
        return f"is an angle, measured in rad or deg, not in {unit}"
    if field in _ALWAYS_LENGTHS and unit in ANGLE_UNITS:
        return f"is a length, measured in m, cm, mm or in, not in {unit}"
    return Column(field, unit, previous is not None, index)


def _is_subscript(text: str | None) -> bool:
    return text is not None and text.replace(" ", "") in ("i", "i-1")
