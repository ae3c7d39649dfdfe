"""CAD names made safe for URDF: letters, digits and _, starting with a letter, unique."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence

_SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LATIN = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "Ae",
    "ø": "o",
    "Ø": "O",
    "œ": "oe",
    "Œ": "Oe",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
}
"""Letters that have no accent to drop."""

_SPELLED = ("LATIN", "GREEK", "CYRILLIC", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "HEBREW", "THAI", "DEVANAGARI")


def safe_name(name: str, kind: str) -> str:
    """A CAD name as a URDF name, the same whatever other names there are.

    Accents are dropped, letters of other alphabets spelled out by their Unicode name, signs without a
    spelling (as Chinese ones) written ``u`` and their code; everything else becomes ``_``. A name
    that then starts with no letter gets ``kind`` in front.
    """
    text = "".join(_spelled(char) for char in unicodedata.normalize("NFKC", name))
    text = re.sub(r"_+", "_", re.sub(r"[^A-Za-z0-9]", "_", text)).strip("_") if not _SAFE.fullmatch(name) else name
    if not _SAFE.fullmatch(text):
        text = f"{kind}_{text}".rstrip("_")
    return text


def _spelled(char: str) -> str:
    """ASCII for one sign."""
    if char.isascii():
        return char
    if char in _LATIN:
        return _LATIN[char]
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if part.isascii())
    if plain:
        return plain
    words = unicodedata.name(char, "").split()
    if words and words[0] in _SPELLED and ("LETTER" in words or "SYLLABLE" in words):
        return words[-1].lower() if "CAPITAL" not in words else words[-1].capitalize()
    if unicodedata.category(char) == "Lm":
        # A sign that only modifies a letter, as the long vowel of Japanese.
        return ""
    return f"u{ord(char):x}" if char.isalnum() else "_"


def unique_names(
    names: Sequence[str], kind: str, chosen: Mapping[str, str], taken: Sequence[str] = ()
) -> dict[str, str]:
    """URDF name of every CAD name.

    Chosen names are kept; then those that need no change; the others follow in order, a name that is
    taken gets ``_2``, ``_3``, ... behind it.

    Parameters
    ----------
    names : sequence of str
        CAD names, each once.
    kind : str
        ``link``, ``joint`` or ``frame``.
    chosen : mapping of str
        URDF names from the settings or ``--rename``, by CAD name.
    taken : sequence of str
        Names that are used already.
    """
    used = set(taken) | {chosen[name] for name in names if name in chosen}
    result = {name: chosen[name] for name in names if name in chosen}
    waiting = [name for name in names if name not in chosen]
    for name in sorted(waiting, key=lambda item: safe_name(item, kind) != item):
        safe = safe_name(name, kind)
        number, text = 1, safe
        while text in used:
            number += 1
            text = f"{safe}_{number}"
        used.add(text)
        result[name] = text
    return {name: result[name] for name in names}
