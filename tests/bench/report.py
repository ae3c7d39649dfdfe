"""Runs all measurements and writes docs/performance.md: ``python tests/bench/report.py``.

It needs the extras ``test``, ``readers`` and ``bench``. A figure that misses its bound is written as missed, and the
exit status is then that of pytest.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "performance.md"
PACKAGES = ("numpy", "scipy", "lxml", "PyYAML", "typer", "xacro", "xacrodoc", "pin", "trimesh", "pytransform3d")
PACKAGES += ("spatialmath-python", "roboticstoolbox-python")

HEAD = """\
# Performance

Written by `python tests/bench/report.py` from one run of `tests/bench`; do not edit the tables.

Only ratios are told. Each round runs the two sides one after the other; the ratio is the median over the rounds, and
the middle half of the rounds shows the noise. **Ratio** compares processor times, so that other work on the machine
does not count; **clock** compares the times on the clock. Below 1 this project is the faster one.
Programs run as users have them: a wheel, installed and compiled, in an environment of its own.
"""

SECTIONS = {
    "bench_process.py": (
        "Whole processes",
        "The six-axis Puma 560 of `robots/`, against xacro and xacrodoc expanding the same arm through a macro of the "
        "kind that people copy (twelve properties in its caller's scope, a branch for gimbal lock).",
    ),
    "bench_scaling.py": (
        "Long arms",
        "6 to 5,000 joints in one chain; xacro calls its macro inside each joint, where it is linear.",
    ),
    "bench_library.py": (
        "Functions",
        "Rows are `a, alpha, d, theta`. Rows of arms have multiples of 90 degrees, as manuals do: there gimbal lock "
        "is frequent. The floor is two sines, two cosines and three arctangents of numpy, and nothing else.",
    ),
    "bench_inventor.py": (
        "Inventor assemblies",
        "A mesh of a million triangles, and a dump of 2,000 occurrences and 100 joints.",
    ),
}

READING = """\
## What the profiles said

- A short conversion is start-up. Three fifths of it are Python, typer, PyYAML and lxml, before a line of ours runs. So
  only the command that is called is imported, and neither numpy nor sympy nor rich nor json. Typer is pinned below
  0.29, which builds a schema for each option.
- Python's search for unreachable objects ran sixty times in a start that leaves none. It now waits for 100,000 new
  objects, which saves 3 % of a short conversion and 9 % of one of 5,000 joints.
- One regular expression over all characters that XML allows took 3 % of a conversion to compile. Printable names, which
  is all of them, need none.
- Of reading and writing 5,000 joints 29 % go into the nodes of YAML, built straight from the events of libyaml's C
  parser. PyYAML's own composer on the same parser takes 1.4 times that, and plain data from it 2.4 times; neither keeps
  what the messages need. The rest is spread evenly over cells, origins and elements; nothing is checked twice.
- Rows as arrays go in blocks of 8,192, which stay in the cache: all at once takes a tenth more. Exact quarter turns
  cost a third to a half of one sine. Origins of standard chains shift inside the blocks: to shift the
  whole array first doubles their time on a busy machine.
"""


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        results = Path(folder, "results.json")
        files = ["bench_process.py", "bench_scaling.py", "bench_library.py", "bench_inventor.py"]
        command = [sys.executable, "-m", "pytest", *(str(Path(__file__).with_name(file)) for file in files)]
        command += ["-o", "python_files=bench_*.py test_*.py", "-q", f"--benchmark-json={results}"]
        command += ["-p", "no:cacheprovider", *sys.argv[1:]]
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        status = subprocess.run(command, check=False, cwd=ROOT, env=environment).returncode
        benchmarks = json.loads(results.read_text())["benchmarks"]
    PAGE.write_text(page(benchmarks), encoding="utf-8")
    return status


def page(benchmarks: list[dict]) -> str:
    parts = [HEAD, f"Measured with {surroundings()}.\n"]
    for file, (title, text) in SECTIONS.items():
        rows = [row for mark in benchmarks if file in mark["fullname"] for row in table_rows(mark)]
        if rows:
            head = "| what | against | ratio | middle half | clock | wanted |\n|---|---|---:|---|---:|---|\n"
            parts.append(f"## {title}\n\n{text}\n\n{head}{''.join(rows)}")
    return "\n".join([*parts, READING])


def table_rows(mark: dict) -> list[str]:
    """Rows of one measurement; those that note plain figures show them as they are."""
    extra = mark["extra_info"]
    if "rows" not in extra:
        name = mark["name"].removeprefix("test_").replace("_", " ")
        return [f"| {name} | {what} | {figure} | | | |\n" for what, figure in extra.items()]
    rows = []
    for row in extra["rows"]:
        middle = "" if row["middle"] is None else f"{figure(row['middle'][0])} to {figure(row['middle'][1])}"
        clock = "" if row["clock"] is None else figure(row["clock"])
        wanted = ""
        if row["most"] is not None:
            wanted = f"at most {figure(row['most'])}" + ("" if row["ratio"] <= row["most"] else ", **missed**")
        rows.append(
            f"| {extra['what']} | {row['against']} | {figure(row['ratio'])} | {middle} | {clock} | {wanted} |\n"
        )
    return rows


def figure(value: float) -> str:
    """Two digits of small ratios, one decimal of large ones."""
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.2g}"


def surroundings() -> str:
    """Python, packages and processors."""
    installed = {distribution.metadata["Name"]: distribution.version for distribution in distributions()}
    found = [f"Python {platform.python_version()}"]
    found += [f"{package} {installed[package]}" for package in PACKAGES if package in installed]
    return f"{', '.join(found)}, on {os.cpu_count()} processors ({platform.machine()}, {platform.system()})"


if __name__ == "__main__":
    sys.exit(main())
