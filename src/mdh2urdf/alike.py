"""Names that differ only by case or by how Unicode codes their letters."""

from __future__ import annotations

from collections.abc import Iterable


def look_alikes(names: Iterable[str]) -> list[tuple[str, str]]:
    """Of names that look alike each later one, with the first; names that are equal are none."""
    first: dict[str, str] = {}
    found = []
    for name in names:
        earlier = first.setdefault(_folded(name), name)
        if earlier != name:
            found.append((name, earlier))
    return found


def _folded(name: str) -> str:
    if name.isascii():
        return name.lower()
    from unicodedata import normalize

    return normalize("NFKC", normalize("NFKC", name).casefold())
