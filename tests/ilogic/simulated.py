"""The iLogic rule in a simulated Inventor: what iLogic does to its text, the compiler, the report of a run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ilogic.toolchain import Toolchain

ROOT = Path(__file__).parents[2]
RULE_FILE = ROOT / "ilogic" / "ExportUrdfJson.iLogicVb"
SIMULATOR = ROOT / "ilogic" / "simulator"

HEADER = re.compile(r"\s*(Imports|AddReference|AddVbRule|AddVbFile|AddResources|Option)\b", re.IGNORECASE)
"""Lines that iLogic moves in front of the class which it makes of a rule."""

# What iLogic imports by itself.
IMPORTS = (
    "System",
    "System.Collections",
    "System.Math",
    "Microsoft.VisualBasic",
    "Inventor",
)

MODEL_PARAMETER = re.compile(r"\bd\d+\b", re.IGNORECASE)
"""Inventor names its parameters d0, d1, ...; in a rule such a name is the parameter, in the document's units."""


def code_and_comment(line: str) -> tuple[str, str]:
    """The line cut at its comment, with the contents of string literals blanked out of the code."""
    code = ""
    quoted = False
    for index, character in enumerate(line):
        if character == '"':
            quoted = not quoted
        elif character == "'" and not quoted:
            return code, line[index + 1 :]
        code += " " if quoted and character != '"' else character
    return code, ""


def source_of(rule: str, variant: str = "Rule") -> str:
    """The source that iLogic makes of a rule's text: header lines first, the rest as the body of a class."""
    lines = rule.splitlines()
    header = [line for line in lines if HEADER.match(line)]
    body = [("" if HEADER.match(line) else line) for line in lines]
    return "\n".join(
        [
            *header,
            *(f"Imports {name}" for name in IMPORTS),
            f"Namespace {variant}",
            "Public Class ThisRule",
            "    Inherits Simulator.RuleBase",
            "    Public Overrides Sub RunRule()",
            "        Main()",
            "    End Sub",
            *map(_with_parameters, body),
            "End Class",
            "End Namespace",
            "",
        ]
    )


def host_of(variants: Iterable[str]) -> str:
    """The program that runs one of the rules on an assembly file."""
    cases = [f'            Case "{name}" : Return New {name}.ThisRule()' for name in variants]
    return "\n".join(
        [
            "Module Host",
            "    Private chosen As String",
            "    Private Function Create() As Simulator.RuleBase",
            "        Select Case chosen",
            *cases,
            "        End Select",
            "        Return Nothing",
            "    End Function",
            "    Sub Main(ByVal arguments() As String)",
            "        chosen = arguments(0)",
            "        Simulator.Runner.Run(arguments(1), arguments(2), arguments(3), AddressOf Create)",
            "    End Sub",
            "End Module",
            "",
        ]
    )


def _with_parameters(line: str) -> str:
    # An identifier named like a model parameter stands for that parameter: it cannot be declared.
    code, _ = code_and_comment(line)
    match = MODEL_PARAMETER.search(code)
    return line if match is None else f"{line[: match.start()]}#{match.group()}#{line[match.end() :]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """What a rule did: the simulator's report, the folder with its files, and its dump if it wrote one."""

    report: Mapping[str, Any]
    folder: Path
    dump_file: Path | None

    @property
    def dump(self) -> dict[str, Any]:
        assert self.dump_file is not None, self.report["messages"]
        return json.loads(self.dump_file.read_text(encoding="utf-8"))


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedInventor:
    """A compiler, and compiled simulators and rules by their sources."""

    toolchain: Toolchain
    folder: Path

    def simulator(self, year: int) -> Path:
        """The simulated API of a release, as a library."""
        target = self.folder / f"inventor{year}" / "Inventor.dll"
        if not target.exists():
            target.parent.mkdir(parents=True)
            self.toolchain.compile(
                sorted(SIMULATOR.glob("*.vb")),
                target,
                options=[
                    *("-langversion:latest", "-optionstrict+", "-optionexplicit+", f"-define:INVENTOR={year}"),
                    "-imports:System,Microsoft.VisualBasic",
                ],
                library=True,
            )
        return target

    def compile(
        self, rules: str | Mapping[str, str], *, year: int = 2026, language: str = "11", explicit: bool = False
    ) -> Path:
        """A rule, or several by name, as a program for a release; iLogic asks for no declarations by default."""
        texts = {"Rule": rules} if isinstance(rules, str) else dict(rules)
        key = hashlib.sha256(json.dumps([year, language, explicit, texts]).encode()).hexdigest()[:16]
        library = self.simulator(year)
        target = library.parent / f"rule{key}.dll"
        if not target.exists():
            folder = library.parent / key
            folder.mkdir(exist_ok=True)
            sources = {name: source_of(text, name) for name, text in texts.items()} | {"Host": host_of(texts)}
            for name, text in sources.items():
                (folder / f"{name}.vb").write_text(text, encoding="utf-8")
            self.toolchain.compile(
                sorted(folder.glob("*.vb")),
                target,
                options=[f"-langversion:{language}", f"-optionexplicit{'+' if explicit else '-'}", "-optionstrict-"],
                references=[library],
            )
        return target

    def run(self, program: Path, assembly: Mapping[str, Any], folder: Path, *, variant: str = "Rule") -> Run:
        """The run of a rule of the program on an assembly whose documents are in the folder."""
        folder.mkdir(parents=True, exist_ok=True)
        assembly_file = folder / "assembly.json"
        assembly_file.write_text(json.dumps(assembly), encoding="utf-8")
        report_file = folder / "report.json"
        done = self.toolchain.run(program, variant, assembly_file, folder, report_file)
        assert done.returncode == 0, done.stdout + done.stderr
        dumps = sorted(folder.rglob("*.inventor.json"))
        return Run(
            report=json.loads(report_file.read_text(encoding="utf-8")),
            folder=folder,
            dump_file=dumps[0] if dumps else None,
        )
