"""The rule's text: the pitfalls that a compiler does not see, since iLogic reads the text before it does."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from ilogic.simulated import HEADER, MODEL_PARAMETER, RULE_FILE, code_and_comment

KEYWORDS = {"ctype", "type", "name", "step", "date", "error", "loop", "next", "property", "stop", "get", "set", "event"}
"""VB's words, and words that mean something in some places: no names for variables."""

ILOGIC_NAMES = {"component", "parameter", "feature", "measure", "constraint", "iproperties", "thisdoc", "logger"}
"""Objects that iLogic puts into a rule's scope; a parameter or local of that name hides them."""

DECLARATION = re.compile(r"\b(?:Dim|For Each|For|ByVal|ByRef|Const)\s+(\w+)", re.IGNORECASE)
CLASHING = re.compile(
    r"(?<![.\w])(Path|File|TextBox|Environment|Point|Color|Matrix|Directory|Thread)\s*\.", re.IGNORECASE
)


def code_lines(text: str) -> Iterator[tuple[int, str]]:
    """Numbers and code of the lines, without comments and with empty strings."""
    for number, line in enumerate(text.splitlines(), start=1):
        yield number, code_and_comment(line)[0]


def findings(text: str) -> list[str]:
    """What is wrong with a rule's text, a line each."""
    return [*_characters(text), *_order(text), *_names(text), *_numbers(text)]


def _characters(text: str) -> Iterator[str]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.isascii():
            yield f"{number}: not ASCII: an editor or iLogic may read it in another code page"
        if "\t" in line:
            yield f"{number}: a tab"
        _, comment = code_and_comment(line)
        if comment.startswith("''") and "--" in comment:
            yield f"{number}: -- in a comment that becomes XML"


def _order(text: str) -> Iterator[str]:
    depth = 0
    started = False
    for number, code in code_lines(text):
        if not code.strip():
            continue
        if HEADER.match(code):
            if started:
                yield f"{number}: a header line behind the first Sub"
            if not re.match(r"\s*(Imports|AddReference)\b", code):
                yield f"{number}: only Imports and AddReference belong in front of Sub Main"
            continue
        if not started and not re.match(r"\s*Sub Main\(\)\s*$", code):
            yield f"{number}: Sub Main comes first"
        started = True
        if re.match(r"\s*End (Sub|Function|Class)\b", code):
            depth -= 1
        elif depth == 0 and re.match(r"\s*(Dim|Const|Public|Private)\b", code):
            yield f"{number}: a declaration outside of Sub and Function"
        elif re.match(r"\s*Module\b", code):
            yield f"{number}: a Module"
        if re.match(r"\s*((Public|Private|Shared|Overrides)\s+)*(Sub|Function|Class)\s+\w", code):
            depth += 1


def _names(text: str) -> Iterator[str]:
    for number, code in code_lines(text):
        for match in MODEL_PARAMETER.finditer(code):
            yield f"{number}: {match.group()} is a name of a model parameter"
        for name in DECLARATION.findall(code):
            if name.lower() in KEYWORDS:
                yield f"{number}: {name} is a keyword"
            if name.lower() in ILOGIC_NAMES:
                yield f"{number}: {name} is an object of iLogic"
        if CLASHING.search(code):
            yield f"{number}: a class that Inventor and System both have needs its full name"
        if re.search(r"\bMessageBox\b", code):
            yield f"{number}: MsgBox, not MessageBox"
        if re.search(r'\$"|\?\.|\bNameOf\b', code):
            yield f"{number}: syntax that is newer than Visual Basic 11"


def _numbers(text: str) -> Iterator[str]:
    for number, code in code_lines(text):
        if (
            re.search(r"\b(CStr|Str|(?<!String\.)Format|Val|FormatNumber)\(", code)
            and "ReadMember" not in code
            and ".Value)" not in code
        ):
            yield f"{number}: a number that follows the country's decimal sign"
        if "String.Format" in code:
            yield f"{number}: String.Format follows the country's decimal sign"


def test_rule_has_no_pitfall() -> None:
    assert findings(RULE_FILE.read_text(encoding="utf-8")) == []


def messages_of(text: str) -> list[list[str]]:
    """The sentences of each message of the rule: its literals up to the advice behind a colon or in brackets."""
    joined = re.sub(r"\s*_\n\s*", " ", text)
    calls = re.findall(r"(?:run\.Say|Findings\.Add)\((.*)\)", joined)
    literals = [re.findall(r'"([^"]*)"', call) for call in calls]
    cut = [[re.split(r"[:(]", literal)[0].strip(" ,;)") for literal in entry] for entry in literals]
    return [sentences for entry in cut if (sentences := [text for text in entry if " " in text])]


@pytest.mark.parametrize("page", ["README.md", "README.ja.md"])
def test_every_message_of_the_rule_is_explained(page: str) -> None:
    text = (RULE_FILE.parent / page).read_text(encoding="utf-8")
    told = " ".join(row.split("|")[1] for row in text.splitlines() if row.startswith("|"))
    found = messages_of(RULE_FILE.read_text(encoding="ascii"))
    assert len(found) > 40
    assert [entry for entry in found if not any(part in told for part in entry)] == []


def test_rule_has_windows_and_unix_safe_line_ends() -> None:
    raw = RULE_FILE.read_bytes()
    assert b"\r" not in raw
    assert raw.endswith(b"\n")
    assert not raw.startswith(b"\xef\xbb\xbf")


GOOD = 'Imports System\nSub Main()\n    Dim text As String = "d1"\nEnd Sub\n'


@pytest.mark.parametrize(
    ("text", "finding"),
    [
        (GOOD.replace("text", "größe"), "3: not ASCII: an editor or iLogic may read it in another code page"),
        (GOOD.replace("    Dim", "\tDim"), "3: a tab"),
        (GOOD + "''' see --root\n", "5: -- in a comment that becomes XML"),
        (GOOD + "Imports System.IO\n", "5: a header line behind the first Sub"),
        ("Option Explicit On\n" + GOOD, "1: only Imports and AddReference belong in front of Sub Main"),
        (GOOD.replace("Sub Main", "Sub Other"), "2: Sub Main comes first"),
        (GOOD + "Const LIMIT As Integer = 3\n", "5: a declaration outside of Sub and Function"),
        (GOOD + "Module Helpers\nEnd Module\n", "5: a Module"),
        (GOOD.replace("text As", "D12 As"), "3: D12 is a name of a model parameter"),
        (GOOD.replace("text As", "Step As"), "3: Step is a keyword"),
        (GOOD.replace("text As", "Component As"), "3: Component is an object of iLogic"),
        (
            GOOD.replace('"d1"', "Path.GetTempPath()"),
            "3: a class that Inventor and System both have needs its full name",
        ),
        (GOOD.replace("Dim", "MessageBox.Show(1) : Dim"), "3: MsgBox, not MessageBox"),
        (GOOD.replace('"d1"', '$"{1}"'), "3: syntax that is newer than Visual Basic 11"),
        (GOOD.replace('"d1"', "CStr(1.5)"), "3: a number that follows the country's decimal sign"),
        (GOOD.replace('"d1"', 'String.Format("{0}", 1.5)'), "3: String.Format follows the country's decimal sign"),
    ],
)
def test_each_pitfall_is_found(text: str, finding: str) -> None:
    assert findings(GOOD) == []
    assert findings(text) == [finding]
