"""libFuzzer on one target: ``python tests/fuzz/harness.py TARGET [libFuzzer's options and folders]``; needs atheris."""

from __future__ import annotations

import sys
from pathlib import Path

import atheris

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2] / "src")]

with atheris.instrument_imports(include=["mdh2urdf"], enable_loader_override=False):
    from seeds import seeds
    from targets import TARGETS

    NAME = sys.argv[1]
    SEEDS = seeds(NAME)
    for seed in SEEDS:  # the modules that a target needs are imported here, where they are instrumented
        TARGETS[NAME](seed)


def main() -> None:
    target = TARGETS[NAME]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], target)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
