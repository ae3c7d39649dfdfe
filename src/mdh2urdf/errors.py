"""What is said of an input: findings, and the errors that carry them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


def one_line(text: str) -> str:
    """Text with everything escaped that would break a line, steer a terminal, or not be seen.

    Names of files, links and joints come from others: they may hold line breaks, escape sequences, marks that
    turn the direction of writing, or halves of characters.
    """
    if text.isprintable():
        return text
    from unicodedata import category

    shown = (char if char.isprintable() or category(char) == "Zs" else _escaped(char) for char in text)
    return "".join(shown)


def _escaped(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One sentence about one place of an input.

    Parameters
    ----------
    message : str
        What is wrong or was assumed, and what is allowed.
    rule : str
        Short name of the rule that speaks (``rounded-pi``); empty for errors of reading.
    file : str
        Name of the input as the user gave it; empty if it has none.
    line, column : int
        Place in the file, counted from 1; 0 if unknown.
    path : str
        Path into the data, as ``joints[2].alpha``; empty if the whole file is meant.
    """

    message: str
    rule: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    path: str = ""

    def __str__(self) -> str:
        place = ":".join(str(part) for part in (self.file, self.line, self.column) if part)
        return one_line(": ".join(part for part in (place, self.path, self.message) if part))


class Mdh2UrdfError(Exception):
    """An error that the user can mend; one line a problem, all problems at once.

    Parameters
    ----------
    problems : str, Finding, or iterable of Finding
        What is wrong and where.
    """

    exit_status = 2

    def __init__(self, problems: str | Finding | Iterable[Finding]) -> None:
        if isinstance(problems, str):
            problems = Finding(message=problems)
        self.problems = (problems,) if isinstance(problems, Finding) else tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


class CheckError(Mdh2UrdfError):
    """The inputs were read, but a check on them failed (`check`, `compare`, ``expect:``)."""

    exit_status = 1
