"""The compiler and the compiled rule, once for all tests of the rule."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ilogic import toolchain
from ilogic.assemblies import Assembly
from ilogic.simulated import RULE_FILE, Run, SimulatedInventor
from readers import missing


@pytest.fixture(scope="session")
def rule_text() -> str:
    return RULE_FILE.read_text(encoding="ascii")


@pytest.fixture(scope="session")
def inventor(tmp_path_factory: pytest.TempPathFactory) -> SimulatedInventor:
    found = toolchain.find()
    if found is None:
        missing("the Visual Basic compiler (python tests/ilogic/toolchain.py fetches it)")
    return SimulatedInventor(toolchain=found, folder=tmp_path_factory.mktemp("ilogic"))


@pytest.fixture(scope="session")
def program(inventor: SimulatedInventor, rule_text: str) -> Path:
    return inventor.compile(rule_text)


@pytest.fixture
def export(inventor: SimulatedInventor, program: Path, tmp_path: Path) -> Callable[[Assembly], Run]:
    """Runs the rule on an assembly."""
    return lambda assembly: inventor.run(program, assembly.as_json(), tmp_path / "project")
