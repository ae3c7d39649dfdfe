"""libFuzzer on one target: ``python tests/fuzz/harness.py TARGET [libFuzzer's options and folders]``; needs atheris."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "src")]

with atheris.instrument_imports(include=["mdh2urdf"], enable_loader_override=False):
    from seeds import WORDS, seeds
    from targets import TARGETS

    NAME = sys.argv[1]
    SEEDS = seeds(NAME)
    for seed in SEEDS:  # the modules that a target needs are imported here, where they are instrumented
        TARGETS[NAME](seed)


TOKEN = re.compile(rb"[\w.:+-]+|\s+|.", re.DOTALL)
NUMBERS = [b"0", b"1", b"-1", b"0.5", b"1e-9", b"1e12", b"-1e300", b"1e999", b"nan", b"pi", b"1.5707963", b"90"]
FOUND = [token for seed in SEEDS for token in TOKEN.findall(seed)]
KNOWN = [*(word.encode() for word in WORDS.get(NAME, "").split()), *dict.fromkeys(FOUND), *NUMBERS]

CHANGES = (1, 1, 1, 2, 4)


def mutated(data: bytes, size: int, seed: int) -> bytes:
    """Tokens taken away, doubled, moved or exchanged for known ones; every other time libFuzzer changes bytes."""
    draw = Random(seed)
    tokens = TOKEN.findall(data)
    if NAME == "stl" or not tokens or draw.random() < 0.5:
        return atheris.Mutate(data, size)
    for _ in range(draw.choice(CHANGES)):
        start = draw.randrange(len(tokens))
        end = start + draw.choice((1, 1, 1, 2, 5, 20))
        part = tokens[start:end]
        match draw.randrange(5):
            case 0:
                del tokens[start : end - draw.randrange(2)]
            case 1:
                tokens[start:start] = part
            case 2:
                place = draw.randrange(len(tokens) + 1)
                tokens[place:place] = part
            case 3:
                tokens[start] = draw.choice(KNOWN)
            case _:
                tokens.insert(start, draw.choice(KNOWN))
        tokens = tokens or [b" "]
    return b"".join(tokens)[:size]


def main() -> None:
    target = TARGETS[NAME]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target, custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
