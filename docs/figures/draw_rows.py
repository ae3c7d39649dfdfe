"""Draw rows.svg and branches.svg: the parameters of a row, projected from real frames.

Run ``python docs/figures/draw_rows.py`` after a change; a test compares the files with this script.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FONT = "DejaVu Sans, Arial, sans-serif"
INK, GREY, RED, BLUE, GREEN, VIOLET = "#222222", "#8a8a8a", "#c0392b", "#1f5fa8", "#2e7d32", "#6a3d9a"
SCALE = 100.0
"""px per drawing unit."""


def turn(axis: str, degrees: float) -> np.ndarray:
    """Rotation about a coordinate axis, shape (3, 3)."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    rows = {
        "x": [[1, 0, 0], [0, c, -s], [0, s, c]],
        "y": [[c, 0, s], [0, 1, 0], [-s, 0, c]],
        "z": [[c, -s, 0], [s, c, 0], [0, 0, 1]],
    }
    return np.array(rows[axis])


X, Y, Z = np.eye(3)
SUBSCRIPTS = str.maketrans("i−+1", "ᵢ₋₊₁")


class Panel:
    """A picture of points in space, seen from the front, the right and a little above."""

    def __init__(self, left: float, top: float, *, azimuth: float = 24.0, elevation: float = 20.0) -> None:
        self.origin = np.array([left, top])
        c, s = np.cos(np.radians(azimuth)), np.sin(np.radians(azimuth))
        self.right = np.array([c, s, 0.0])
        rise = np.sin(np.radians(elevation))
        self.up = np.array([-s * rise, c * rise, np.cos(np.radians(elevation))])
        self.parts: list[str] = []

    def at(self, point: np.ndarray) -> tuple[float, float]:
        """Screen position of a point, px."""
        x, y = self.origin + SCALE * np.array([self.right @ point, -(self.up @ point)])
        return round(float(x), 1), round(float(y), 1)

    def line(self, start: np.ndarray, end: np.ndarray, color: str = INK, width: float = 1.4, dash: str = "") -> None:
        """A straight line between two points."""
        (x1, y1), (x2, y2) = self.at(start), self.at(end)
        dashes = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-width="{width}"{dashes}/>'
        )

    def arrow(self, start: np.ndarray, end: np.ndarray, color: str, width: float = 2.2, *, both: bool = False) -> None:
        """A line with a head at its end, or at both ends."""
        (x1, y1), (x2, y2) = self.at(start), self.at(end)
        marker = f'marker-end="url(#head-{color[1:]})"'
        if both:
            marker += f' marker-start="url(#head-{color[1:]})"'
        self.parts.append(
            f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="{color}" stroke-width="{width}" {marker}/>'
        )

    def arc(self, center: np.ndarray, start: np.ndarray, axis: np.ndarray, degrees: float, color: str) -> None:
        """An arrow along the circle through center + start about an axis."""
        steps = np.linspace(0, np.radians(degrees), 25)
        points = [
            center + start * np.cos(t) + np.cross(axis, start) * np.sin(t) + axis * (axis @ start) * (1 - np.cos(t))
            for t in steps
        ]
        path = " L".join(f"{x},{y}" for x, y in map(self.at, points))
        head = f'marker-end="url(#head-{color[1:]})"'
        self.parts.append(f'<path d="M{path}" fill="none" stroke="{color}" stroke-width="1.8" {head}/>')

    def text(self, point: np.ndarray, words: str, dx: float = 0, dy: float = 0, color: str = INK, **style: str) -> None:
        """Words beside a point; ``a_b`` sets b as an index."""
        x, y = self.at(point)
        self.parts.append(label(x + dx, y + dy, words, color, **style))

    def dot(self, point: np.ndarray) -> None:
        """A frame's origin."""
        x, y = self.at(point)
        self.parts.append(f'<circle cx="{x}" cy="{y}" r="3.6" fill="{INK}"/>')

    def link(self, *points: np.ndarray) -> None:
        """The body between two axes, as a broad pale band."""
        path = " L".join(f"{x},{y}" for x, y in map(self.at, points))
        self.parts.append(
            f'<path d="M{path}" fill="none" stroke="#e3e0d6" stroke-width="26" '
            'stroke-linecap="round" stroke-linejoin="round"/>'
        )

    def right_angle(self, corner: np.ndarray, one: np.ndarray, other: np.ndarray, size: float = 0.16) -> None:
        """The sign of a right angle."""
        points = (corner + size * one, corner + size * (one + other), corner + size * other)
        path = " L".join(f"{x},{y}" for x, y in map(self.at, points))
        self.parts.append(f'<path d="M{path}" fill="none" stroke="{GREY}" stroke-width="1.1"/>')


def label(
    x: float, y: float, words: str, color: str = INK, size: str = "20", weight: str = "normal", anchor: str = "middle"
) -> str:
    """An SVG text; ``a_b`` sets b as an index."""
    name, _, index = words.partition("_")
    words = name + index.translate(SUBSCRIPTS)
    return (
        f'<text x="{round(x, 1)}" y="{round(y, 1)}" fill="{color}" font-size="{size}" font-weight="{weight}" '
        f'text-anchor="{anchor}">{words}</text>'
    )


def picture(width: int, height: int, *parts: str) -> str:
    """A whole SVG file on white."""
    heads = "".join(
        f'<marker id="head-{color[1:]}" viewBox="0 0 10 10" refX="8.5" refY="5" markerWidth="6.5" markerHeight="6.5" '
        f'orient="auto-start-reverse"><path d="M0,0.8 L9.5,5 L0,9.2 z" fill="{color}"/></marker>'
        for color in (INK, RED, BLUE, GREEN, VIOLET)
    )
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'font-family="{FONT}">\n<defs>{heads}</defs>\n<rect width="{width}" height="{height}" fill="white"/>\n'
        f"{body}\n</svg>\n"
    )


def axis_line(panel: Panel, point: np.ndarray, direction: np.ndarray, back: float, ahead: float) -> None:
    """A joint axis, dash-dotted."""
    panel.line(point - back * direction, point + ahead * direction, GREY, 1.3, "14 4 3 4")


def modified_panel(left: float, top: float) -> list[str]:
    """Craig's row: frame i-1 on axis i-1, frame i on axis i."""
    panel = Panel(left, top)
    a, alpha, d, theta = 3.3, 40.0, 1.5, 52.0
    origin = np.zeros(3)
    foot = a * X
    z = turn("x", alpha) @ Z
    here = foot + d * z
    x = turn("x", alpha) @ turn("z", theta) @ X
    panel.link(origin, foot)
    axis_line(panel, origin, Z, 1.0, 2.3)
    axis_line(panel, foot, z, 0.8, 3.5)
    panel.line(origin, foot, INK, 1.2)
    panel.right_angle(origin, Z, X)
    panel.right_angle(foot, z, -X)
    panel.line(foot, foot + 1.55 * Z, BLUE, 1.3, "5 4")
    panel.line(here, here + 1.2 * X, RED, 1.3, "5 4")
    panel.arc(foot, 1.1 * Z, X, alpha, VIOLET)
    panel.text(foot + 1.25 * (turn("x", alpha * 0.35) @ Z), "α_i−1", -13, -3, VIOLET)
    panel.arc(here, 0.85 * X, z, theta, VIOLET)
    panel.text(here + 1.12 * (turn("x", alpha) @ turn("z", theta * 0.5) @ X), "θ_i", 4, 4, VIOLET)
    panel.arrow(origin + 0.0 * X, origin + 1.55 * X, RED)
    panel.arrow(origin, origin + 1.7 * Z, BLUE)
    panel.arrow(here, here + 1.5 * x, RED)
    panel.arrow(here, here + 1.45 * z, BLUE)
    low = -0.75 * Z
    panel.line(origin, origin + 1.15 * low, GREEN, 1.0)
    panel.line(foot, foot + 1.15 * low, GREEN, 1.0)
    panel.arrow(origin + low, foot + low, GREEN, 1.6)
    panel.text(0.5 * foot + low, "a_i−1", 0, 22, GREEN)
    aside = 0.42 * (turn("x", alpha) @ X)
    panel.line(foot, foot + 1.15 * aside, GREEN, 1.0)
    panel.line(here, here + 1.15 * aside, GREEN, 1.0)
    panel.arrow(foot + aside, here + aside, GREEN, 1.6)
    panel.text(foot + aside + 0.5 * d * z, "d_i", 17, 12, GREEN)
    panel.dot(origin)
    panel.dot(here)
    panel.text(origin, "{i−1}", -36, 8, weight="bold")
    panel.text(here, "{i}", -24, 10, weight="bold")
    panel.text(origin + 1.55 * X, "x_i−1", -2, -16, RED)
    panel.text(origin + 1.7 * Z, "z_i−1", -28, 6, BLUE)
    panel.text(here + 1.5 * x, "x_i", 18, 2, RED)
    panel.text(here + 1.45 * z, "z_i", -20, 8, BLUE)
    panel.text(origin + 2.3 * Z, "axis of joint i−1", 0, -8, GREY, size="15")
    panel.text(foot + 3.5 * z, "axis of joint i", 0, -10, GREY, size="15")
    panel.text(0.68 * foot, "link i−1", 8, 34, GREY, size="15")
    return panel.parts


def standard_panel(left: float, top: float) -> list[str]:
    """Spong's row: frame i-1 on the axis of joint i, frame i on the axis of joint i+1."""
    panel = Panel(left, top)
    a, alpha, d, theta = 3.1, 40.0, 1.6, -50.0
    origin = np.zeros(3)
    foot = d * Z
    here = foot + a * X
    z = turn("x", alpha) @ Z
    before = turn("z", theta) @ X
    panel.link(foot, here)
    axis_line(panel, origin, Z, 0.6, 3.0)
    axis_line(panel, here, z, 0.8, 2.7)
    panel.line(foot, here, INK, 1.2)
    panel.right_angle(foot, -Z, X)
    panel.right_angle(here, z, -X)
    panel.line(foot, foot + 1.25 * before, RED, 1.3, "5 4")
    panel.line(here, here + 1.65 * Z, BLUE, 1.3, "5 4")
    panel.arc(foot, 0.9 * before, Z, -theta, VIOLET)
    panel.text(foot + 1.1 * (turn("z", theta * 0.55) @ X), "θ_i", 6, 14, VIOLET)
    panel.arc(here, 1.2 * Z, X, alpha, VIOLET)
    panel.text(here + 1.35 * (turn("x", alpha * 0.4) @ Z), "α_i", 0, -4, VIOLET)
    panel.arrow(origin, origin + 1.5 * before, RED)
    panel.arrow(origin, origin + 0.95 * Z, BLUE)
    panel.arrow(here, here + 1.2 * X, RED)
    panel.arrow(here, here + 1.55 * z, BLUE)
    high = 0.5 * Z
    panel.line(foot, foot + 1.15 * high, GREEN, 1.0)
    panel.line(here, here + 0.0 * high, GREEN, 1.0)
    panel.arrow(foot + high, here + high, GREEN, 1.6)
    panel.text(foot + high + 0.42 * a * X, "a_i", 0, -9, GREEN)
    aside = -0.42 * X
    panel.line(origin, origin + 1.15 * aside, GREEN, 1.0)
    panel.line(foot, foot + 1.15 * aside, GREEN, 1.0)
    panel.arrow(origin + aside, foot + aside, GREEN, 1.6)
    panel.text(origin + aside + 0.5 * d * Z, "d_i", -16, 5, GREEN)
    panel.dot(origin)
    panel.dot(here)
    panel.text(origin, "{i−1}", -36, 14, weight="bold")
    panel.text(here, "{i}", 22, 28, weight="bold")
    panel.text(origin + 1.5 * before, "x_i−1", 30, 4, RED)
    panel.text(origin + 0.95 * Z, "z_i−1", 32, 22, BLUE)
    panel.text(here + 1.2 * X, "x_i", 16, 8, RED)
    panel.text(here + 1.55 * z, "z_i", -20, 8, BLUE)
    panel.text(origin + 3.0 * Z, "axis of joint i", 0, -8, GREY, size="15")
    panel.text(here + 2.7 * z, "axis of joint i+1", 0, -10, GREY, size="15")
    panel.text(foot + 0.62 * a * X, "link i", 4, 34, GREY, size="15")
    return panel.parts


def beta_panel(left: float, top: float) -> list[str]:
    """Hayati's beta: nearly parallel axes, d = 0, a turn about y instead."""
    panel = Panel(left, top)
    beta, a = 12.0, 3.0
    origin = np.zeros(3)
    z = turn("y", beta) @ Z
    x = turn("y", beta) @ X
    here = a * x
    panel.link(origin, here)
    axis_line(panel, origin, Z, 0.7, 2.4)
    axis_line(panel, here, z, 0.5, 2.6)
    panel.line(origin, origin + 2.6 * X, RED, 1.3, "5 4")
    panel.line(here, here + 2.0 * Z, BLUE, 1.3, "5 4")
    panel.arrow(origin, origin + 1.5 * Y, INK, 1.6)
    panel.arc(origin, 2.3 * X, Y, beta, VIOLET)
    panel.text(origin + 2.3 * X, "β_i−1", 34, 26, VIOLET)
    panel.arc(here, 1.75 * Z, Y, beta, VIOLET)
    panel.text(here + 1.9 * (turn("y", beta / 2) @ Z), "β_i−1", 4, -8, VIOLET)
    panel.arrow(origin, origin + 1.5 * Z, BLUE)
    panel.arrow(origin, here, RED, 1.8)
    panel.arrow(here, here + 1.3 * z, BLUE)
    panel.dot(origin)
    panel.dot(here)
    panel.text(origin, "{i−1}", -38, 8, weight="bold")
    panel.text(here, "{i}", 30, 8, weight="bold")
    panel.text(origin + 1.5 * Z, "z_i−1", -26, 6, BLUE)
    panel.text(origin + 1.5 * Y, "y_i−1", 24, 0)
    panel.text(here + 1.3 * z, "z_i", 20, 8, BLUE)
    panel.text(0.5 * here, "a_i−1", -6, 36, GREEN)
    panel.text(origin + 2.4 * Z, "axis of joint i−1", 0, -8, GREY, size="15")
    panel.text(here + 2.6 * z, "axis of joint i", 0, -8, GREY, size="15")
    return panel.parts


def branch_panel(left: float, top: float) -> list[str]:
    """Khalil's gamma and b: a second child of a link whose x already follows the first."""
    panel = Panel(left, top)
    gamma, b, a, alpha = 62.0, 1.3, 2.5, 26.0
    origin = np.zeros(3)
    foot = b * Z
    u = turn("z", gamma) @ X
    here = foot + a * u
    tilt = turn("z", gamma) @ turn("x", alpha)
    z = tilt @ Z
    panel.link(origin, foot, here)
    panel.link(origin, origin + 2.6 * X)
    axis_line(panel, origin, Z, 0.7, 2.6)
    axis_line(panel, here, z, 0.7, 1.75)
    axis_line(panel, origin + 2.6 * X, turn("x", -24) @ Z, 0.5, 1.3)
    panel.line(foot, here, INK, 1.2)
    panel.right_angle(foot, Z, u)
    panel.line(foot, foot + 1.6 * X, RED, 1.3, "5 4")
    panel.arc(foot, 1.1 * X, Z, gamma, VIOLET)
    panel.text(foot + 1.3 * (turn("z", gamma * 0.35) @ X), "γ_i", 12, 6, VIOLET)
    panel.arrow(origin, origin + 1.5 * X, RED)
    panel.arrow(origin, origin + 1.05 * Z, BLUE)
    panel.arrow(foot, foot + 1.2 * u, RED, 1.8)
    panel.arrow(here, here + 1.4 * z, BLUE)
    aside = -0.42 * X
    panel.line(origin, origin + 1.15 * aside, GREEN, 1.0)
    panel.line(foot, foot + 1.15 * aside, GREEN, 1.0)
    panel.arrow(origin + aside, foot + aside, GREEN, 1.6)
    panel.text(origin + aside + 0.5 * b * Z, "b_i", -16, 5, GREEN)
    panel.dot(origin)
    panel.dot(here)
    panel.text(origin, "{i−1}", -38, 22, weight="bold")
    panel.text(here, "{i}", 32, 10, weight="bold")
    panel.text(origin + 1.5 * X, "x_i−1", -8, 34, RED)
    panel.text(origin + 1.05 * Z, "z_i−1", 32, 18, BLUE)
    panel.text(foot + 0.75 * u, "u", -8, -12, RED)
    panel.text(here + 1.4 * z, "z_i", -20, 6, BLUE)
    panel.text(here - 0.3 * (here - foot), "a_i−1", 0, -16, GREEN)
    panel.text(origin + 2.6 * Z, "axis of joint i−1", 0, -8, GREY, size="15")
    panel.text(here + 1.75 * z, "axis of the second child", 0, -8, GREY, size="15")
    panel.text(origin + 2.6 * X + 1.3 * (turn("x", -24) @ Z), "axis of the first child", 22, -8, GREY, size="15")
    return panel.parts


def rows_svg() -> str:
    """Craig's and Spong's rows side by side."""
    return picture(
        1120,
        500,
        label(275, 34, "modified (Craig)", size="20", weight="bold"),
        label(835, 34, "standard (Denavit-Hartenberg, as in Spong)", size="20", weight="bold"),
        *modified_panel(110, 335),
        *standard_panel(680, 400),
        f'<line x1="548" y1="16" x2="548" y2="484" stroke="{GREY}" stroke-width="0.8"/>',
    )


def branches_svg() -> str:
    """Hayati's beta and Khalil's gamma and b side by side."""
    return picture(
        1120,
        460,
        label(275, 34, "beta, for nearly parallel axes", size="20", weight="bold"),
        label(835, 34, "gamma and b, for branches", size="20", weight="bold"),
        *beta_panel(120, 300),
        *branch_panel(690, 385),
        f'<line x1="548" y1="16" x2="548" y2="444" stroke="{GREY}" stroke-width="0.8"/>',
    )


FIGURES = {"rows.svg": rows_svg, "branches.svg": branches_svg}

if __name__ == "__main__":
    for name, draw in FIGURES.items():
        (HERE / name).write_text(draw(), encoding="utf-8")
