"""What fuzzing starts from: sound and broken files of each kind, and the minimal files that once broke something.

Files of `corpus/TARGET` are kept for good. The sound ones are called so; the others tell what is wrong with them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
CORPUS = Path(__file__).with_name("corpus")
ROBOTS = TESTS.parent / "robots"

ARMS = ("puma560", "ur5e", "icub_right_arm", "dvrk_psm", "staubli_tx90")
"""Tables with parameters, either convention, branches, sliders and poses."""


def seeds(target: str) -> list[bytes]:
    """The inputs that fuzzing of a target starts from."""
    files = kept(target)
    if target == "table":
        files += [*(ROBOTS / f"{arm}.yaml" for arm in ARMS), *_data("bad_tables", "*.yaml")]
    elif target == "urdf":
        files += [*_data("bad_urdf", "*.urdf"), TESTS / "golden" / "everything.urdf"]
    elif target == "screws":
        files += _data("bad_screws", "*.yaml")
    return [*(path.read_bytes() for path in files), *(_dumps() if target == "dump" else ())]


def kept(target: str) -> list[Path]:
    """The files of a target's corpus."""
    return sorted((CORPUS / target).glob("*"))


def _data(folder: str, pattern: str) -> list[Path]:
    return sorted((TESTS / "data" / folder).glob(pattern))


def _dumps() -> list[bytes]:
    """Dumps of a joint between two parts, and of arms whose truth is drawn, as the inventor's tests have them."""
    sys.path[:0] = [str(TESTS), str(TESTS / "inventor")]
    import numpy as np
    from assemblies import dump_of, random_assembly
    from running import one_joint

    arm = random_assembly(np.random.default_rng(0), joints=2, screws=1)
    return [
        json.dumps(dump).encode()
        for dump in (one_joint((-1.0, 2.0)), dump_of(arm, arm.random_q(np.random.default_rng(1))))
    ]
