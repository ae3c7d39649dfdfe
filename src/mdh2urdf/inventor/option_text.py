"""Texts of options and settings that hold more than a word: couplings and joint defaults."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from math import isfinite

from mdh2urdf.bounds import LARGEST
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.options import JointDefaults, MimicOrder

_NUMBER = r"(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_FOLLOW = re.compile(rf"(?P<joint>.+?)(?:\s*\*\s*(?P<factor>[-+]?{_NUMBER}))?(?:\s*(?P<offset>[-+]\s*{_NUMBER}))?")


def parse_follow(text: str) -> MimicOrder | None:
    """``JOINT*K+C`` as an order without its child, None if it is none or its numbers are beyond reason."""
    match = _FOLLOW.fullmatch(text.strip())
    if match is None:
        return None
    factor, offset = float(match["factor"] or 1), float("".join((match["offset"] or "0").split()))
    if max(abs(factor), abs(offset)) > LARGEST:
        return None
    joint = match["joint"].strip()
    return MimicOrder(child="", joint=joint, multiplier=factor, offset=offset, text=text.strip())


def parse_mimic(text: str) -> MimicOrder:
    """The coupling of ``CHILD=JOINT[*K][+C]``; C in rad or m.

    Raises
    ------
    Mdh2UrdfError
        If the text has another form, or its numbers are beyond reason.
    """
    child, _, leader = text.partition("=")
    order = parse_follow(leader)
    if order is None or not child.strip():
        wanted = f"CHILD=JOINT[*K][+C], as Rocker:1=Crank:1*-1+0.5, K and C within {LARGEST:.0e}"
        raise Mdh2UrdfError(f"--mimic wants {wanted}; got {text!r}")
    return replace(order, child=child.strip())


def parse_joint_defaults(text: str) -> JointDefaults:
    """The defaults of ``effort=E,velocity=V,slider_effort=E,slider_velocity=V``, any of them left out.

    Raises
    ------
    Mdh2UrdfError
        If a name is unknown or a number is none, or negative.
    """
    names = [field.name for field in fields(JointDefaults)]
    values: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = (piece.strip() for piece in part.partition("="))
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if name not in names or name in values or not value >= 0 or not isfinite(value):
            wanted = ",".join(f"{name}=NUMBER" for name in names)
            raise Mdh2UrdfError(f"--joint-defaults wants {wanted} (any of them); got {part.strip()!r}")
        values[name] = value
    return JointDefaults(**values)
