"""The page docs/check-my-table.md: its commands print what it shows."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "check-my-table.md").read_text(encoding="utf-8")
MAIN = "from mdh2urdf.cli import main; main()"
BLOCKS = re.findall(r"^```(yaml|console)\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_the_commands_of_the_page_print_what_it_shows(tmp_path):
    (tmp_path / "robots").symlink_to(ROOT / "robots")
    mine = tmp_path / "mine.yaml"
    commands = 0
    for language, block in BLOCKS:
        if language == "yaml":
            edit(mine, block)
        for command, shown in re.findall(r"^\$ mdh2urdf (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            assert_shown(run(command, tmp_path), shown, command)
            commands += 1
    assert commands == 5


def edit(file: Path, block: str) -> None:
    """What the page says to do with a block: its first line says where it goes."""
    place, _, lines = block.partition("\n")
    if place == "# mine.yaml":
        file.write_text(block, encoding="utf-8")
    elif place == "# mine.yaml, at the end":
        file.write_text(file.read_text(encoding="utf-8") + lines, encoding="utf-8")
    else:
        number = int(re.fullmatch(r"# mine\.yaml, line (\d+)", place)[1])
        text = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join([*text[: number - 1], lines, *text[number:]]), encoding="utf-8")


def run(command: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", MAIN, *shlex.split(command)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.stdout


def assert_shown(printed: str, shown: str, command: str) -> None:
    """Whether the output is what the page shows; ``...`` stands for any lines."""
    pattern = re.escape(shown).replace(re.escape("...\n"), r"(?:.*\n)*")
    assert re.fullmatch(pattern, printed), f"{command}\n{printed}"
