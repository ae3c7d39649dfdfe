"""The words of a picture: symbols with subscripts, lengths in the table's units, title and legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import degrees

from mdh2urdf.draw.sketch import FrameMark, Segment, Sketch, is_chain
from mdh2urdf.expression import Units
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.se3 import Vector3, column, norm, subtract
from mdh2urdf.table import Table
from mdh2urdf.text import number

_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

DECIMALS = {"m": 4, "cm": 2, "mm": 1, "in": 3}
"""Decimals of a length on paper, by unit: a tenth of a millimetre or finer."""

SAME = 1e-6
"""m, and length of the difference of unit vectors, below which two frames' arrows are one on paper."""


def symbol(letter: str, index: int | str) -> str:
    """A letter with a subscript, ``a₃``."""
    return f"{letter}{str(index).translate(_LOWERED)}"


def segment_caption(segment: Segment, units: Units) -> str:
    """``a₃ = 0.0825``; empty for a straight piece, and for a length that rounds to 0."""
    if segment.kind == "link":
        return ""
    value = round(units.from_si("length", segment.value), DECIMALS[units.length])
    return f"{symbol(segment.kind, segment.index)} = {_signed(value)}" if value else ""


def arrow_captions(sketch: Sketch, axis: int) -> Iterator[tuple[str, str, list[FrameMark]]]:
    """Name, text and frames of each label at x (axis 0) or z (2) arrows; frames whose arrows coincide share one.

    Frames that belong to no row are named at their origins, see `name_captions`.
    """
    letter = "xyz"[axis]
    groups: list[list[FrameMark]] = []
    for mark in sketch.frames:
        if not mark.label.isdigit():
            continue
        group = next((group for group in groups if _same_arrow(group[0], mark, axis)), None)
        if group is None:
            groups.append([mark])
        else:
            group.append(mark)
    for group in groups:
        names = [mark.label for mark in group]
        yield f"{letter}-{'-'.join(names)}", " ".join(symbol(letter, name) for name in names), group


def name_captions(sketch: Sketch) -> Iterator[tuple[str, str, Vector3]]:
    """Name, text and point of the labels of frames that have no number."""
    for mark in sketch.frames:
        if not mark.label.isdigit():
            yield f"frame-{mark.label}", mark.label, mark.pose.translation


def _same_arrow(one: FrameMark, other: FrameMark, axis: int) -> bool:
    apart = subtract(one.pose.translation, other.pose.translation)
    turned = subtract(column(one.pose.rotation, axis), column(other.pose.rotation, axis))
    return norm(apart) < SAME and norm(turned) < SAME


def subtitle(rows: Table | Robot, q: Mapping[str, float]) -> str:
    """Convention, unit of lengths and pose."""
    if isinstance(rows, Table):
        parts = [
            f"{rows.convention} Denavit-Hartenberg",
            f"lengths in {'inches' if rows.units.length == 'in' else rows.units.length}",
        ]
    else:
        parts = ["joint origins"]
    return " · ".join([*parts, pose_caption(rows, q)])


def pose_caption(rows: Table | Robot, q: Mapping[str, float]) -> str:
    """``q = 0``, or the values of the moving joints in degrees and the table's lengths."""
    moving = [joint for joint in rows.joints if joint.type in MOVING]
    if not any(q.get(joint.name, 0.0) for joint in moving):
        return "q = 0"
    units = rows.units if isinstance(rows, Table) else Units()
    values = []
    for joint in moving:
        value = q.get(joint.name, 0.0)
        if joint.type == "prismatic":
            length = round(units.from_si("length", value), DECIMALS[units.length])
            values.append(f"{_signed(length)} {units.length}")
        else:
            values.append(f"{_signed(round(degrees(value), 1))}°")
    return f"q = ({', '.join(values)})"


def legend_captions(rows: Table | Robot, sketch: Sketch) -> list[list[tuple[str, str]]]:
    """The legend's columns, key and text of each entry: lengths, frames and joints, what the picture has only."""
    craig = isinstance(rows, Table) and rows.convention == "modified" and is_chain(rows)
    keys: set[str] = {"x", "z", *(segment.kind for segment in sketch.segments)}
    keys |= {"prismatic" if axis.prismatic else "revolute" for axis in sketch.axes}
    columns = [
        [
            ("a", f"{'aᵢ₋₁' if craig else 'aᵢ'}  common normal, row i"),
            ("d", "dᵢ  along the joint axis, row i"),
            ("b", "bᵢ  along the axis before, row i"),
            ("link", "base, tool" if isinstance(rows, Table) else "from origin to origin"),
        ],
        [("x", "xᵢ  of frame i"), ("z", "zᵢ  of frame i")],
        [("revolute", "qᵢ  revolute, arrow positive"), ("prismatic", "qᵢ  prismatic, arrow positive")],
    ]
    return [[(key, text) for key, text in column if key in keys] for column in columns]


def _signed(value: float) -> str:
    return number(value).replace("-", "−")
