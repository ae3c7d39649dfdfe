"""Fractions of pi that were rounded or cut to some decimals, as 1.5708."""

from __future__ import annotations

from math import floor, gcd, pi

LARGEST = 2 * pi + 0.01
"""rad; the largest fraction that is looked for. The margin lets 6.29 pass for a turn."""

ROUNDED = (1e-13, 5e-3)
"""rad; how far a written angle is off a fraction of pi that was rounded: more than noise, less than 3.14."""

MOST_DECIMALS = 12
"""Decimals to which an angle can be seen to be rounded, within the noise of a double."""


WRITTEN_NOISE = 1e-14
"""Relative: what a written angle is off its decimals after it went through degrees."""


def cut_fraction(angle: float, noise: float = 0.0) -> tuple[int, int] | None:
    """Twelfths of pi and decimals, if an angle above 0 is that fraction rounded or cut to so many decimals.

    Parameters
    ----------
    angle : float
        rad.
    noise : float
        rad, rounding errors of an angle that was worked out of a rotation.
    """
    twelfths = round(angle * 12 / pi) if angle < LARGEST else 0
    exact = twelfths * pi / 12
    if twelfths == 0 or not ROUNDED[0] + noise < abs(angle - exact) < ROUNDED[1]:
        return None
    for decimals in range(2 if twelfths % 6 == 0 else 3, MOST_DECIMALS + 1):
        cut = floor(exact * 10**decimals)
        if any(abs(angle - whole / 10**decimals) <= WRITTEN_NOISE * angle + noise for whole in (cut, cut + 1)):
            return twelfths, decimals
    return None


def fraction_of_pi(twelfths: int) -> str:
    """Twelfths of pi as a cell of a table has them: ``pi/2``."""
    shared = gcd(twelfths, 12)
    over, under = twelfths // shared, 12 // shared
    return ("pi" if over == 1 else f"{over}*pi") + ("" if under == 1 else f"/{under}")
