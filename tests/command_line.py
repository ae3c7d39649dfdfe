"""The command line called in process, as its script calls it."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from mdh2urdf.cli import main


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str


class _Stream(io.TextIOWrapper):
    """A text stream on bytes in memory, as stdout and stderr are."""

    def __init__(self) -> None:
        super().__init__(io.BytesIO(), encoding="utf-8", write_through=True)

    def text(self) -> str:
        return self.buffer.getvalue().decode()


def run(*arguments: object, stdin: bytes = b"") -> Outcome:
    """Exit status and both outputs of ``mdh2urdf arguments``."""
    out, err, given = _Stream(), _Stream(), io.TextIOWrapper(io.BytesIO(stdin))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["mdh2urdf", *map(str, arguments)])
        patch.setattr(sys, "stdin", given)
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        with pytest.raises(SystemExit) as exit_:
            main()
    return Outcome(int(exit_.value.code or 0), out.text(), err.text())


ROBOTS = Path(__file__).resolve().parent.parent / "robots"
