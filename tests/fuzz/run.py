"""Fuzzes every target for a while: ``python tests/fuzz/run.py [SECONDS_A_TARGET [TARGET ...]]``; needs atheris.

Without arguments each target gets the same inputs at every run of the same code, so that what is found comes from what
was changed; with a time, the seed is drawn. Tells the runs of each target. What breaks one is written to the folder
``fuzz-found`` and makes the exit status 1; what is only slow is written there too. Minimise a file with
``python tests/fuzz/harness.py TARGET -minimize_crash=1 FILE`` and keep it in ``corpus/TARGET``.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from hashlib import sha1
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "src")]

SEED = 1
RUNS = 20_000
"""Inputs of a target, in a few seconds; all of them from the seed."""

SECONDS = 60
"""The most for these; on a slow machine there are fewer."""

SLOWEST = 10
"""s for one input; on a busy machine."""

SLOW = 1
"""s after which an input is kept as slow; tells, and breaks nothing."""

MEMORY = 3000
"""MB."""

LONGEST = 8192
"""Bytes of an input; longer seeds are left to the tests."""


def main() -> int:
    from seeds import seeds
    from targets import TARGETS

    # For 0 libFuzzer draws a seed, and -1 is no bound.
    seconds, runs, seed = (int(sys.argv[1]), -1, 0) if len(sys.argv) > 1 else (SECONDS, RUNS, SEED)
    broken = 0
    found = Path("fuzz-found").resolve()
    for name in sys.argv[2:] or TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            start, new = Path(folder, "seeds"), Path(folder, "new")
            start.mkdir()
            new.mkdir()
            for data in (data for data in seeds(name) if len(data) <= LONGEST):
                (start / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
            command = [sys.executable, str(HERE / "harness.py"), name, str(new), str(start)]
            command += [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY}"]
            command += [f"-report_slow_units={SLOW}", f"-artifact_prefix={found}/{name}-"]
            command += [f"-max_len={LONGEST}", f"-runs={runs}", f"-seed={seed}"]
            found.mkdir(exist_ok=True)
            environment = os.environ | {"PYTHONHASHSEED": str(seed) if seed else "random"}
            done = subprocess.run(
                command,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,  # atheris tells the traceback on the one, libFuzzer the rest on the other
                text=True,
                errors="replace",
                check=False,
            )
        counted = re.search(r"Done (\d+) runs", done.stdout)
        count = f"{int(counted[1]):,} runs" if counted else "stopped"
        slow = len(list(found.glob(f"{name}-slow-unit-*")))
        told = ("" if done.returncode == 0 else ", BROKEN") + (f", {slow} slow" if slow else "")
        print(f"{name}: {count}{told}", flush=True)  # noqa: T201
        if done.returncode != 0:
            broken += 1
            tail = [line for line in done.stdout.splitlines() if not line.startswith(("INFO:", "#"))]
            print("\n".join(tail[-40:]), flush=True)  # noqa: T201
    if not any(found.iterdir()):
        found.rmdir()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
