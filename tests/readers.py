"""Other people's programs and libraries that tests need; a test that misses one is skipped with its name.

With MDH2URDF_NO_SKIP=1 (as continuous integration has it) a missing one fails the test.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import NoReturn

import pytest

JS = Path(__file__).parent / "js"


def missing(what: str) -> NoReturn:
    """Skip the test for want of a program or library, or fail it where nothing may be skipped."""
    if os.environ.get("MDH2URDF_NO_SKIP") == "1":
        pytest.fail(f"{what} is missing, and MDH2URDF_NO_SKIP=1 allows no skip")
    pytest.skip(f"{what} is missing")


def require_module(module: str) -> ModuleType:
    """The module, imported."""
    try:
        return importlib.import_module(module)
    except ImportError:
        missing(f"the Python package {module}")


def require_program(name: str) -> str:
    """The path of a program; those of the running Python's environment come first."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    return found or missing(f"the program {name}")


def run(*command: str | Path, **options) -> subprocess.CompletedProcess[str]:
    """A program run to its end, its output captured as text."""
    return subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False, **options)


def node_program(program: str, package: str) -> list[str]:
    """The command that runs one of the programs in tests/js, which needs an npm package."""
    node = require_program("node")
    if not (JS / "node_modules" / package).is_dir():
        missing(f"the npm package {package} (npm install in tests/js)")
    return [node, str(JS / program)]


def xacro_js(file: Path, *arguments: str) -> list[str]:
    """The command that expands a file with xacro-parser."""
    return [*node_program("expand.mjs", "xacro-parser"), str(file), *arguments]


def expand(processor: str, file: Path, *arguments: str) -> str:
    """A xacro file expanded by a processor (``xacro``, ``xacrodoc`` or ``xacro-parser``) in its own process."""
    if processor == "xacro-parser":
        result = run(*xacro_js(file, *arguments))
    else:
        result = run(require_program(processor), file, *arguments)
    assert (result.returncode, result.stderr) == (0, ""), result.stderr[-2000:]
    return result.stdout
