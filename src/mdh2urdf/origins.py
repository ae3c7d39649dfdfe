"""Joint origins of a table in closed form, exact at quarter turns.

Each product of a row is written out entry by entry (docs/conventions.md), with cosines and sines that
are exactly 0 or ±1 at multiples of 90 degrees; nothing is multiplied numerically, so no noise arises.
"""

from __future__ import annotations

from mdh2urdf.se3 import IDENTITY, Transform, cos_sin
from mdh2urdf.table import ModifiedRow, Row, StandardRow


def modified_origin(row: ModifiedRow) -> Transform:
    """Origin of joint i of a modified table: the whole row at q = 0 (Craig 3.6; Khalil & Dombre 7.3 for gamma, b)."""
    origin = _tilted_then_turned(row.a_prev, row.alpha_prev, row.beta_prev, row.theta, row.d)
    if row.gamma == 0.0 and row.b == 0.0:
        return origin
    c, s = cos_sin(row.gamma)
    (x0, x1, x2), (y0, y1, y2), z = origin.rotation
    px, py, pz = origin.translation
    return Transform(
        (
            (c * x0 - s * y0 + 0.0, c * x1 - s * y1 + 0.0, c * x2 - s * y2 + 0.0),
            (s * x0 + c * y0 + 0.0, s * x1 + c * y1 + 0.0, s * x2 + c * y2 + 0.0),
            z,
        ),
        (c * px - s * py + 0.0, s * px + c * py + 0.0, row.b + pz),
    )


def standard_origin(previous: StandardRow | None, row: StandardRow) -> Transform:
    """Origin of joint i of a standard table: row i-1 behind its motion, then theta and d of row i.

    ``Tx(a) Rx(alpha) Ry(beta)`` of row i-1, ``Rz(theta) Tz(d)`` of row i; the joint's motion about its z
    axis commutes with the latter, so the URDF frame of link i is carried by joint i.
    """
    previous = previous or StandardRow(theta=0.0, d=0.0, a=0.0, alpha=0.0)
    ca, sa = cos_sin(previous.alpha)
    cb, sb = cos_sin(previous.beta)
    c, s = cos_sin(row.theta)
    d = row.d
    return Transform(
        (
            (cb * c + 0.0, -cb * s + 0.0, sb),
            (sa * sb * c + ca * s + 0.0, ca * c - sa * sb * s + 0.0, -sa * cb + 0.0),
            (sa * s - ca * sb * c + 0.0, sa * c + ca * sb * s + 0.0, ca * cb + 0.0),
        ),
        (previous.a + sb * d + 0.0, -sa * cb * d + 0.0, ca * cb * d + 0.0),
    )


def tail(row: Row) -> Transform:
    """What a row adds behind its joint's motion: ``Tx(a) Rx(alpha) Ry(beta)`` if standard, nothing if modified."""
    if isinstance(row, ModifiedRow):
        return IDENTITY
    if row.a == 0.0 and row.alpha == 0.0 and row.beta == 0.0:
        return IDENTITY
    ca, sa = cos_sin(row.alpha)
    cb, sb = cos_sin(row.beta)
    return Transform(
        ((cb, 0.0, sb), (sa * sb + 0.0, ca, -sa * cb + 0.0), (-ca * sb + 0.0, sa, ca * cb + 0.0)),
        (row.a + 0.0, 0.0, 0.0),
    )


def _tilted_then_turned(a: float, alpha: float, beta: float, theta: float, d: float) -> Transform:
    """``Ry(beta) Rx(alpha) Tx(a) Rz(theta) Tz(d)`` entry by entry."""
    c, s = cos_sin(theta)
    ca, sa = cos_sin(alpha)
    cb, sb = cos_sin(beta)
    return Transform(
        (
            (cb * c + sb * sa * s + 0.0, sb * sa * c - cb * s + 0.0, sb * ca + 0.0),
            (ca * s + 0.0, ca * c + 0.0, -sa + 0.0),
            (cb * sa * s - sb * c + 0.0, sb * s + cb * sa * c + 0.0, cb * ca + 0.0),
        ),
        (cb * a + sb * ca * d + 0.0, -sa * d + 0.0, cb * ca * d - sb * a + 0.0),
    )
