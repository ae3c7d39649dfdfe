"""The labels of a picture: what each says, how large it is, and what it may stand beside."""

from __future__ import annotations

from collections.abc import Iterable

from mdh2urdf.draw.captions import arrow_captions, name_captions, segment_caption, symbol
from mdh2urdf.draw.label_places import Label
from mdh2urdf.draw.sheet import AXIS_AHEAD, FRAME_ARROW, Sheet
from mdh2urdf.draw.sketch import FrameMark, Segment, Sketch
from mdh2urdf.expression import Units
from mdh2urdf.se3 import Vector3, add, column, scale

TEXT_SIZES = {"label": 8.0, "title": 11.0, "subtitle": 8.0, "legend": 8.0}
"""pt."""

LINE_HEIGHT = 1.15
"""Of the font's size, subscripts included."""

MANY_FRAMES = 30
"""Frames beyond which the labels of their x and z would hide the picture."""


def labels_of(arm: Sketch, sheet: Sheet, units: Units) -> list[tuple[Label, str]]:
    """All labels of the picture with the keys of their colours, those with the least choice first.

    The arrows of more than `MANY_FRAMES` frames have none: where they would find room at all, nobody reads them.
    """
    found: list[tuple[Label, str]] = []

    def add_label(name: str, text: str, anchors: Iterable[Vector3], colour: str) -> None:
        width, height = text_size(text)
        places = tuple(sheet.place(anchor) for anchor in anchors)
        found.append((Label(name=name, text=text, anchors=places, width=width, height=height), colour))

    for letter in ("x", "z") if len(arm.frames) <= MANY_FRAMES else ():
        for name, text, marks in arrow_captions(arm, "xyz".index(letter)):
            add_label(name, text, [arrow_tip(sheet, marks[0], letter)], letter)
    for axis in arm.axes:
        tip = sheet.ahead(axis.symbol, axis.direction, AXIS_AHEAD)
        add_label(f"axis-{axis.row}", symbol("q", axis.row), [tip], "axis")
    for name, text, point in name_captions(arm):
        add_label(name, text, [point], "text")
    for segment in arm.segments:
        text = segment_caption(segment, units)
        if text:
            anchors = [between(segment, share) for share in (0.5, 0.3, 0.7)]
            add_label(f"{segment.kind}-{segment.row}", text, anchors, segment.kind)
    return found


def between(segment: Segment, share: float) -> Vector3:
    """The point at a share of a segment's length."""
    return add(scale(1 - share, segment.start), scale(share, segment.end))


def arrow_tip(sheet: Sheet, mark: FrameMark, letter: str) -> Vector3:
    """Where the arrow of a frame's x or z ends."""
    axis = column(mark.pose.rotation, "xyz".index(letter))
    return sheet.ahead(mark.pose.translation, axis, FRAME_ARROW)


def text_size(text: str, kind: str = "label") -> tuple[float, float]:
    """Width and height of a text in pt; the height is that of any text of its font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    size = TEXT_SIZES[kind]
    extents = TextPath((0, 0), text, size=size, prop=FontProperties(family="DejaVu Sans")).get_extents()
    return extents.width, LINE_HEIGHT * size
