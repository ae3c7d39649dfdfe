"""Fuzzes every target for a while: ``python tests/fuzz/run.py [SECONDS_A_TARGET [TARGET ...]]``; needs atheris.

Without arguments the run is bounded and starts from one seed, so that what it finds comes from what was changed; with
a time, the seed is drawn. Tells the runs of each target. What breaks one is written to the folder ``fuzz-found`` and
makes the exit status 1; minimise it with ``python tests/fuzz/harness.py TARGET -minimize_crash=1 FILE`` and keep it in
``corpus/TARGET``.
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

SECONDS = 6
SEED = 1
SLOWEST = 10
"""s for one input; on a busy machine."""

MEMORY = 3000
"""MB."""

LONGEST = 4096
"""Bytes of an input."""


def main() -> int:
    from seeds import seeds
    from targets import TARGETS

    seconds, seed = (int(sys.argv[1]), 0) if len(sys.argv) > 1 else (SECONDS, SEED)  # libFuzzer draws one for 0
    broken = 0
    found = Path("fuzz-found").resolve()
    for name in sys.argv[2:] or TARGETS:
        with tempfile.TemporaryDirectory() as folder:
            start, new = Path(folder, "seeds"), Path(folder, "new")
            start.mkdir()
            new.mkdir()
            for data in seeds(name):
                (start / sha1(data, usedforsecurity=False).hexdigest()).write_bytes(data)
            command = [sys.executable, str(HERE / "harness.py"), name, str(new), str(start)]
            command += [f"-max_total_time={seconds}", f"-timeout={SLOWEST}", f"-rss_limit_mb={MEMORY}"]
            command += [f"-max_len={LONGEST}", f"-artifact_prefix={found}/{name}-", f"-seed={seed}"]
            found.mkdir(exist_ok=True)
            environment = os.environ | {"PYTHONHASHSEED": str(seed) if seed else "random"}
            done = subprocess.run(
                command, env=environment, capture_output=True, text=True, errors="replace", check=False
            )
        runs = re.search(r"Done (\d+) runs", done.stderr)
        count = f"{int(runs[1]):,} runs" if runs else "stopped"
        print(f"{name}: {count}{'' if done.returncode == 0 else ', BROKEN'}", flush=True)  # noqa: T201
        if done.returncode != 0:
            broken += 1
            tail = [line for line in done.stderr.splitlines() if not line.startswith(("INFO:", "#"))]
            print("\n".join(tail[-40:]), flush=True)  # noqa: T201
    if not any(found.iterdir()):
        found.rmdir()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
