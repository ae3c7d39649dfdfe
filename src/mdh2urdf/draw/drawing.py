"""A picture of an arm for a paper or a README: axes, common normals, lengths and frames on one sheet.

Every element has an id in the SVG: ``a-4``, ``d-4``, ``b-4``, ``link-8`` by the table's row, ``joint-4`` and
``axis-4``, ``frame-4-x`` and ``frame-4-z``, ``base``, ``legend``, and ``label-...`` for the label of each.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from math import atan, hypot, pi
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mdh2urdf.draw.camera import Camera, Point, best_camera
from mdh2urdf.draw.captions import legend_captions, subtitle
from mdh2urdf.draw.label_places import Line, Place, place_labels, without_overlaps
from mdh2urdf.draw.labels import MANY_FRAMES, TEXT_SIZES, arrow_tip, between, labels_of, text_size
from mdh2urdf.draw.sheet import (
    AXIS_AHEAD,
    AXIS_BEHIND,
    BASE_RADIUS,
    Outline,
    Sheet,
    arrow_head,
    bounds,
    box,
    circle,
    cylinder,
    edges,
    sheet_for,
)
from mdh2urdf.draw.sketch import Axis, FrameMark, Segment, Sketch, drawable, sketch
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.files import write_bytes
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import ORIGIN, X_AXIS, Z_AXIS, Vector3
from mdh2urdf.table import Table

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

FORMATS = ("svg", "png", "pdf")

PNG_DPI = 150
PT_PER_INCH = 72.0

CASING_GAP = 6.0
"""pt at both ends of a line without white beside it, where the next line begins."""

EDGE, HEAD = 10.0, 42.0
"""pt of white at the sides, and above for the title."""

INK = {
    "a": "#1f5fa8",
    "d": "#b3541e",
    "b": "#7a5195",
    "link": "#8a8a8a",
    "axis": "#2e2e2e",
    "x": "#c8102e",
    "z": "#0b8a3c",
    "text": "#111111",
}

SYMBOL_FACE = "#f4f1ea"

LINE_WIDTHS = {"a": 2.6, "d": 2.6, "b": 2.6, "link": 1.6, "axis": 0.9, "x": 1.2, "z": 1.2}
"""pt."""

FONTS = ["DejaVu Sans", "Verdana"]
"""The first comes with matplotlib and gives a text's size; an SVG names the others for viewers without it."""

SETTINGS: dict[str, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "mdh2urdf",
    "pdf.fonttype": 42,
    "font.sans-serif": FONTS,
    "text.parse_math": False,
}
"""Text stays text, a ``$`` in a name too, and the same arm gives the same bytes."""

NO_DATES: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "mdh2urdf"},
    "pdf": {"CreationDate": None, "ModDate": None, "Creator": "mdh2urdf", "Producer": None},
    "png": {"Software": "mdh2urdf"},
}

LABELS_FIRST = ("axis", "frame", "a", "d", "b", "z", "x")
"""First parts of the labels' names: what comes first stays where two find no room."""

# Order of painting: what lies flat, then the skeleton with its joints by depth, then what must be read.
FLAT, SKELETON, ARROWS, TEXT = 1.0, 2.0, 5.0, 6.0


def draw(
    model: Table | Robot, q: Mapping[str, float] | None = None, *, camera: Camera | None = None
) -> tuple[Figure, tuple[Finding, ...]]:
    """The picture of an arm as a matplotlib figure, and what of its labels found no room.

    Parameters
    ----------
    model : Table or Robot
        A description without rows of its own is drawn by those that fit finds, see `sketch.drawable`.
    q : mapping of str to float, optional
        Joint values by name, rad and m; joints that are not named stand at 0.
    camera : Camera, optional
        Where to look from; by default the view in which parts hide each other least.

    Raises
    ------
    Mdh2UrdfError
        If matplotlib is not installed.
    """
    rows, q = drawable(model), q or {}
    arm = sketch(rows, q)
    sheet = sheet_for(arm, camera or best_camera(arm))
    with _settings():
        return _figure(rows, arm, sheet, title=model.name, subtitle=subtitle(rows, q))


def render(figure: Figure, form: str) -> bytes:
    """The bytes of a picture in one of `FORMATS`; the same arm gives the same bytes."""
    stream = BytesIO()
    with _settings():
        figure.savefig(stream, format=form, dpi=PNG_DPI, metadata=NO_DATES[form])
    return stream.getvalue()


def save(figure: Figure, path: str | Path) -> None:
    """Write a picture whole or not at all, in the format that the file's name ends with.

    Raises
    ------
    Mdh2UrdfError
        If the name ends with no known format, or the file cannot be written.
    """
    write_bytes(path, render(figure, picture_format(path)))


def picture_format(path: str | Path) -> str:
    """The format of a picture by its file's name.

    Raises
    ------
    Mdh2UrdfError
        Naming the formats there are.
    """
    form = Path(path).suffix.lower().removeprefix(".")
    if form not in FORMATS:
        names = ", ".join(f".{name}" for name in FORMATS)
        raise Mdh2UrdfError(Finding(file=str(path), message=f"a picture's name ends with one of {names}"))
    return form


@contextmanager
def _settings() -> Iterator[None]:
    """Matplotlib as it comes, whatever the user's own settings are."""
    try:
        import matplotlib.style
    except ImportError as error:
        raise Mdh2UrdfError("draw needs matplotlib: pip install 'mdh2urdf[draw]'") from error
    with matplotlib.style.context(["default", SETTINGS]), warnings.catch_warnings():
        # A character that no font has stays text in SVG and shows as a box elsewhere: the reader sees it.
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def _figure(
    rows: Table | Robot, arm: Sketch, sheet: Sheet, *, title: str, subtitle: str
) -> tuple[Figure, tuple[Finding, ...]]:
    from matplotlib.figure import Figure

    figure = Figure(dpi=PT_PER_INCH)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    lines = _paint_base(axes, sheet)
    for segment in arm.segments:
        lines += _paint_segment(axes, sheet, segment)
    for axis in arm.axes:
        lines += _paint_axis(axes, sheet, axis)
    for mark in arm.frames:
        lines += _paint_arrow(axes, sheet, mark, "x") + _paint_arrow(axes, sheet, mark, "z")
    units = rows.units if isinstance(rows, Table) else Units()
    labels = labels_of(arm, sheet, units)
    places = place_labels([label for label, _ in labels], lines, sheet.paper)
    colours = {label.name: INK[key] for label, key in labels}
    first = sorted(places, key=lambda place: LABELS_FIRST.index(place.label.name.partition("-")[0]))
    staying = {place.label.name for place in without_overlaps(first)}
    shown = [place for place in places if place.label.name in staying]
    _paint_labels(axes, shown, colours)
    boxes = [place.box for place in shown]
    ends = [end for line in lines for end in line]
    left, bottom, right, top = bounds([*ends, *(corner for box in boxes for corner in (box[:2], box[2:]))])
    legend_width, legend_height = _paint_legend(figure, legend_captions(rows, arm))
    width = EDGE + max(right - left + EDGE, legend_width, text_size(subtitle, "subtitle")[0] + EDGE)
    low, high = bottom - legend_height - EDGE, top + HEAD
    middle = (left + right) / 2
    # One unit of the axes is one pt: lengths are equal in all directions.
    axes.set(xlim=(middle - width / 2, middle + width / 2), ylim=(low, high))
    figure.set_size_inches(width / PT_PER_INCH, (high - low) / PT_PER_INCH)
    _paint_title(axes, (middle - width / 2, high), title, subtitle)
    return figure, tuple(_left_out(len(arm.frames), len(places), len(shown)))


def _left_out(frames: int, labels: int, shown: int) -> Iterator[Finding]:
    """What a picture of many parts does not say."""
    if frames > MANY_FRAMES:
        yield Finding(rule="labels-left-out", message=f"{frames} frames: their x and z have no labels")
    if shown < labels:
        message = f"{labels - shown} of {labels} labels are left out for want of room; another --view may have more"
        yield Finding(rule="labels-left-out", message=message)


def _paint_base(axes: Axes, sheet: Sheet) -> list[Line]:
    """A disc under the root's origin."""
    rim = circle(sheet, ORIGIN, Z_AXIS, BASE_RADIUS, corners=64)
    axes.add_patch(_patch([rim], "base", FLAT, facecolor="#e6e6e6", edgecolor="#b5b5b5", linewidth=0.6))
    return edges(rim[::8])


def _paint_segment(axes: Axes, sheet: Sheet, segment: Segment) -> list[Line]:
    """A line on a wider white one, so that where two lines cross the nearer one is seen to be nearer."""
    start, end = sheet.place(segment.start), sheet.place(segment.end)
    depth = _by_depth(sheet, between(segment, 0.5))
    width = LINE_WIDTHS[segment.kind]
    cut = min(0.5, CASING_GAP / max(hypot(end[0] - start[0], end[1] - start[1]), CASING_GAP))
    inner = [sheet.place(between(segment, share)) for share in (cut, 1 - cut)]
    axes.plot(*zip(*inner, strict=True), color="white", lw=width + 3, solid_capstyle="butt", zorder=depth - 2e-3)
    axes.plot(
        *zip(start, end, strict=True),
        color=INK[segment.kind],
        linewidth=width,
        linestyle=(0, (3, 1.5)) if segment.kind == "link" else "solid",
        solid_capstyle="round",
        zorder=depth,
        gid=f"{segment.kind}-{segment.row}",
    )
    return [(start, end)]


def _paint_axis(axes: Axes, sheet: Sheet, axis: Axis) -> list[Line]:
    """A joint's symbol and the dash-dotted line of its axis with the arrow of positive motion."""
    tip = sheet.place(sheet.ahead(axis.symbol, axis.direction, AXIS_AHEAD))
    tail = sheet.place(sheet.ahead(axis.symbol, axis.direction, -AXIS_BEHIND))
    origin = sheet.place(axis.point)
    outline = (box if axis.prismatic else cylinder)(sheet, axis.symbol, axis.direction)
    depth = _by_depth(sheet, axis.symbol)
    look = {"facecolor": SYMBOL_FACE, "edgecolor": INK["axis"], "linewidth": 0.8, "joinstyle": "round"}
    axes.add_patch(_patch(outline, f"joint-{axis.row}", depth + 1e-3, **look))
    for end, style in ((origin, ":"), (tail, "-.")):
        axes.plot(
            *zip(sheet.place(axis.symbol), end, strict=True), color=INK["axis"], lw=0.7, ls=style, zorder=depth - 1e-3
        )
    start = sheet.place(sheet.ahead(axis.symbol, axis.direction, 0.5 * AXIS_BEHIND))
    lines = _arrow(axes, start, tip, f"axis-{axis.row}", INK["axis"], width=1.6, head=7.0)
    return [(tail, start), *lines, *edges(outline[0][::4])]


def _paint_arrow(axes: Axes, sheet: Sheet, mark: FrameMark, letter: str) -> list[Line]:
    start, end = sheet.place(mark.pose.translation), sheet.place(arrow_tip(sheet, mark, letter))
    name = f"frame-{mark.label}-{letter}"
    return _arrow(axes, start, end, name, INK[letter], width=LINE_WIDTHS[letter], head=5.0)


def _arrow(axes: Axes, start: Point, end: Point, name: str, colour: str, *, width: float, head: float) -> list[Line]:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    triangle = arrow_head(start, end, head)
    neck = ((triangle[1][0] + triangle[2][0]) / 2, (triangle[1][1] + triangle[2][1]) / 2)
    corners = [start, neck, *triangle, triangle[0]]
    codes = [Curve.MOVETO, Curve.LINETO, Curve.MOVETO, Curve.LINETO, Curve.LINETO, Curve.CLOSEPOLY]
    look = {"facecolor": colour, "edgecolor": colour, "linewidth": width, "joinstyle": "miter", "capstyle": "butt"}
    axes.add_patch(PathPatch(Curve(corners, codes), gid=name, zorder=ARROWS, **look))
    return [(start, end), *edges(triangle)]


def _patch(outline: Outline, name: str, depth: float, **look: Any) -> PathPatch:
    from matplotlib.patches import PathPatch

    return PathPatch(_curve(outline), gid=name, zorder=depth, **look)


def _curve(outline: Outline) -> Curve:
    """Closed polygons as one curve."""
    from matplotlib.path import Path as Curve

    corners: list[Point] = []
    codes: list[Any] = []
    for polygon in outline:
        corners += [*polygon, polygon[0]]
        codes += [Curve.MOVETO, *[Curve.LINETO] * (len(polygon) - 1), Curve.CLOSEPOLY]
    return Curve(corners, codes)


def _by_depth(sheet: Sheet, point: Vector3) -> float:
    """Order of painting inside the skeleton: nearer to the viewer is later."""
    return SKELETON + 1.0 + 2.0 * atan(sheet.camera.depth(point) / sheet.size) / pi


def _paint_labels(axes: Axes, places: Sequence[Place], colours: Mapping[str, str]) -> None:
    """The labels with their leaders."""
    for place in places:
        label, colour = place.label, colours[place.label.name]
        if place.leader is not None:
            axes.plot(*zip(*place.leader, strict=True), color=colour, lw=0.5, zorder=TEXT)
        axes.text(
            *place.centre,
            label.text,
            color=colour,
            fontsize=TEXT_SIZES["label"],
            ha="center",
            va="center",
            zorder=TEXT,
            gid=f"label-{label.name}",
        )


def _paint_legend(figure: Figure, columns: list[list[tuple[str, str]]]) -> tuple[float, float]:
    """The legend at the foot; returns its width and height in pt."""
    rows = max(len(column) for column in columns)
    # The legend fills its columns one after the other: blank entries keep each kind in its own.
    entries = [entry for column in columns if column for entry in [*column, *[("", "")] * (rows - len(column))]]
    legend = figure.legend(
        [_legend_mark(key) for key, _ in entries],
        [text for _, text in entries],
        loc="lower center",
        ncols=sum(bool(column) for column in columns),
        fontsize=TEXT_SIZES["legend"],
        frameon=False,
        handlelength=2.2,
        columnspacing=1.4,
    )
    legend.set_gid("legend")
    extent = legend.get_window_extent()
    return extent.width, extent.height


def _paint_title(axes: Axes, corner: Point, title: str, below: str) -> None:
    """Name, and what the numbers are, in the upper left corner."""
    left, top = corner
    size = TEXT_SIZES["title"]
    axes.text(left + EDGE, top - 14, title, fontsize=size, weight="bold", va="center", gid="title")
    axes.text(left + EDGE, top - 28, below, fontsize=TEXT_SIZES["subtitle"], va="center", gid="subtitle")


def _legend_mark(key: str) -> Line2D:
    from matplotlib.lines import Line2D

    if key in ("revolute", "prismatic"):
        symbol_of_joint = cylinder if key == "revolute" else box
        lying = Sheet(camera=Camera(-70, 20), size=1.0, scale=1.0, paper=(0, 0, 0, 0))
        marker = _curve(symbol_of_joint(lying, ORIGIN, X_AXIS))
        return Line2D([], [], color=INK["axis"], lw=1.4, marker=marker, ms=13, mfc=SYMBOL_FACE, mew=0.8)
    if not key:
        return Line2D([], [], ls="none")
    return Line2D([], [], color=INK[key], lw=LINE_WIDTHS[key], ls="--" if key == "link" else "-")
