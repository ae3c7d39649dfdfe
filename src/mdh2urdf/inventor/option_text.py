"""Options of the command line that hold more than a word: couplings and joint defaults."""

from __future__ import annotations

import re
from dataclasses import fields
from math import isfinite

from mdh2urdf.bounds import LARGEST
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.options import JointDefaults, MimicOrder

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_MIMIC = re.compile(rf"(?P<child>[^=]+)=(?P<joint>.+?)(?:\*(?P<factor>{_NUMBER}))?(?P<offset>[-+]{_NUMBER[5:]})?")


def parse_mimic(text: str) -> MimicOrder:
    """The coupling of ``CHILD=JOINT[*K][+C]``; C in rad or m.

    Raises
    ------
    Mdh2UrdfError
        If the text has another form, or its numbers are beyond reason.
    """
    match = _MIMIC.fullmatch(text.strip())
    if match is None:
        raise Mdh2UrdfError(f"--mimic wants CHILD=JOINT[*K][+C], as Rocker:1=Crank:1*-1+0.5; got {text!r}")
    multiplier, offset = float(match["factor"] or 1), float(match["offset"] or 0)
    if max(abs(multiplier), abs(offset)) > LARGEST:
        raise Mdh2UrdfError(f"--mimic wants K and C within {LARGEST:.0e}; got {text!r}")
    return MimicOrder(
        child=match["child"].strip(),
        joint=match["joint"].strip(),
        multiplier=multiplier,
        offset=offset,
        text=text.partition("=")[2].strip(),
    )


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
