"""Numbers as text, and text that is safe inside XML."""

from __future__ import annotations

from collections.abc import Iterable


def number(value: float) -> str:
    """Shortest text that reads back equal; ``0`` for ``-0``, no ``.0`` after whole numbers.

    Examples
    --------
    >>> number(0.1), number(-0.0), number(3.0), number(1e-7)
    ('0.1', '0', '3', '1e-07')
    """
    text = repr(float(value) + 0.0)
    return text[:-2] if text.endswith(".0") else text


def numbers(values: Iterable[float]) -> str:
    """Numbers separated by blanks, as URDF attributes want them."""
    return " ".join([number(value) for value in values])


def comment(text: str) -> str:
    """Text that may stand inside an XML comment: no ``--``, no ``-`` at the end, no control character.

    Two hyphens get a blank between them, so that a reader still sees what was meant.
    """
    while "--" in text:
        text = text.replace("--", "- -")
    text = "".join(char for char in text if char in "\n\t" or char.isprintable())
    return text + " " if text.endswith("-") else text
