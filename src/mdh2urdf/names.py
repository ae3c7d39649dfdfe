"""Names of joints and links: those that only look alike, one that nobody has yet, and many on one line."""

from __future__ import annotations

from collections.abc import Container, Iterable

MOST_NAMES = 6
"""Names that a message lists."""


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Of names that differ only by case or by how Unicode codes their letters each later one, and what to say of it.

    Names that are equal are none.
    """
    first: dict[str, str] = {}
    found = []
    for name in names:
        earlier = first.setdefault(_folded(name), name)
        if earlier != name:
            what = "differ only by case or by the coding of a letter; some tools mix them up"
            found.append((name, f"{name!r} and {earlier!r} {what}"))
    return found


def unused(name: str, used: Container[str]) -> str:
    """The name, with underscores behind it until it is none of those that are used."""
    while name in used:
        name += "_"
    return name


def first_names(names: Iterable[str], most: int = MOST_NAMES) -> str:
    """Names with commas, each once; of many the first, and how many more there are."""
    every = list(dict.fromkeys(names))
    more = f" and {len(every) - most} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFKC", normalize("NFKC", name).casefold())
