"""The installed package, and peers' warnings kept quiet."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import races

ROOT = Path(__file__).resolve().parents[2]
PREFIX = "MDH2URDF_BENCH_PREFIX"
"""Environment variable: a virtual environment that has the wheel and xacrodoc already."""


def pytest_collection_modifyitems(items):
    """Peers warn of this and that; here only their speed counts."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings("ignore"))


@pytest.fixture
def race(benchmark):
    """`races.race` with this test's benchmark."""
    return functools.partial(races.race, benchmark)


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Iterator[races.Installed]:
    """The wheel, compiled, in an environment of its own, with xacro and xacrodoc."""
    given = os.environ.get(PREFIX)
    prefix = Path(given) if given else tmp_path_factory.mktemp("wheel") / "environment"
    if not given:
        environment = {name: text for name, text in os.environ.items() if not name.startswith("PYTHON")}
        subprocess.run([sys.executable, "-m", "venv", str(prefix)], check=True, env=environment)
        pip = [str(prefix / "bin" / "pip"), "install", "--quiet", "--disable-pip-version-check", str(ROOT), "xacrodoc"]
        subprocess.run(pip, check=True, env=environment)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, str(Path(__file__).with_name("spawner.py"))], **pipes) as spawner:
        yield races.Installed(prefix, spawner)
        spawner.stdin.close()
