"""Takes each guard against faults and attacks out of the code and shows that its test then fails.

Run by hand: ``python tests/without_guards.py [WORD]``. It works on a copy of the package in a temporary folder. A
guard whose test passes without it is told and makes the exit status 1; so does one that is not in the code any more.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Guard:
    """A text of the code, what stands there instead, and the test that fails for it."""

    file: str
    text: str
    without: str
    test: str


FAILED = 1
"""pytest's exit status when a test fails; an uncaught Ctrl-C in a test counts as that."""

PATIENCE = 180
"""s; what takes longer without its guard has failed."""

FAULTS, SECURITY = "test_faults.py", "test_security.py"
GUARDS = [
    # -- files whole or untouched
    Guard(
        "files.py",
        "        handle, temporary = tempfile.mkstemp(",
        "        target.write_bytes(data)\n        return\n        handle, temporary = tempfile.mkstemp(",
        f"{FAULTS} -k 'no_room or full_disk or two_processes'",
    ),
    Guard("files.py", "Path(temporary).unlink(missing_ok=True)", "pass", f"{FAULTS} -k 'no_room or interrupt_while'"),
    Guard("files.py", "        except BaseException:", "        except OSError:", f"{FAULTS} -k interrupt_while"),
    Guard(
        "files.py",
        "(OSError, ValueError) as error:\n        raise Mdh2UrdfError(Finding(file=str(path)",
        "KeyError as error:\n        raise Mdh2UrdfError(Finding(file=str(path)",
        f"{FAULTS} -k 'read_only or no_room'",
    ),
    Guard("files.py", "if target.exists() and not target.is_file():", "if False:", f"{FAULTS} -k a_pipe_is_written"),
    Guard(
        "files.py",
        "    except UnicodeEncodeError as error:",
        "    except KeyError as error:",
        "test_files.py -k half_a_character",
    ),
    # -- streams, signals, surroundings
    Guard("cli/output.py", "if sys.stdout is None:", "if False:", f"{FAULTS} -k closed_standard_output"),
    Guard("cli/output.py", "        discard(sys.stdout)\n", "", f"{FAULTS} -k 'standard_output_without_room'"),
    Guard(
        "cli/output.py",
        "        if error.errno == errno.EPIPE:",
        "        if False:",
        f"{FAULTS} -k reader_that_has_gone",
    ),
    Guard("cli/output.py", "or sys.stderr is None", "", f"{FAULTS} -k findings_that_nobody"),
    Guard("cli/output.py", "        discard(sys.stderr)", "        pass", f"{FAULTS} -k findings_that_nobody"),
    Guard("cli/output.py", "sys.stdout.buffer.write(data)", "sys.stdout.write(text)", f"{FAULTS} -k c_locale"),
    Guard("files.py", '"utf-8", "backslashreplace"', '"utf-8"', f"{FAULTS} -k files_of_any_name"),
    Guard("cli/app.py", "        discard(sys.stdout, sys.stderr)", "        raise", f"{FAULTS} -k help_and_usage"),
    Guard(
        "cli/__init__.py",
        "    except KeyboardInterrupt:",
        "    except ZeroDivisionError:",
        f"{FAULTS} -k before_the_command",
    ),
    Guard("source.py", "    if sys.stdin is None:", "    if False:", f"{FAULTS} -k closed_standard_input_is_told"),
    Guard(
        "source.py",
        'OSError as error:\n        raise Mdh2UrdfError(f"standard input',
        'KeyError as error:\n        raise Mdh2UrdfError(f"standard input',
        f"{FAULTS} -k cannot_be_read_is_told",
    ),
    Guard("errors.py", "    if text.isprintable():", "    if True:", f"{FAULTS} -k 'one_line or messages_escape'"),
    Guard(
        "text.py", "    text = repr(float(value) + 0.0)", "    text = f'{value + 0.0:n}'", f"{FAULTS} -k decimal_comma"
    ),
    # -- expressions
    Guard(
        "expression.py",
        "    if len(text) > MAX_CELL:",
        "    if False:",
        f"{SECURITY} -k 'too_deep or longer or parentheses or digits'",
    ),
    Guard(
        "expression.py",
        "        if not _TOKENS.fullmatch(text):",
        "        if False:",
        f"{SECURITY} -k 'arithmetic_or_an_error'",
    ),
    Guard(
        "expression.py",
        "math.pow(left.value, right.value)",
        "float(int(left.value) ** int(right.value))",
        f"{SECURITY} -k 'power and set or power'",
    ),
    Guard("cells.py", ' or not node.text.isascii() or "_" in node.text', "", f"{SECURITY} -k 'underscores or other'"),
    Guard("expression.py", r"[A-Za-z_]\w*(?!\w)|", r"[A-Za-z_]\w*|", f"{SECURITY} -k sign"),
    # -- YAML, JSON, XML, text
    Guard("yaml_nodes.py", "        if self.aliased > MAX_ALIASED:", "        if False:", f"{SECURITY} -k 'alias'"),
    Guard(
        "yaml_nodes.py",
        "        if len(self.stack) > MAX_DEPTH:",
        "        if False:",
        f"{SECURITY} -k 'deep and yaml'",
    ),
    Guard(
        "yaml_nodes.py",
        '        self._problem(event.start_mark.index, f"tag {shown} is not allowed{allowed}")\n',
        "",
        f"{SECURITY} -k all_that_is_wrong",
    ),
    Guard(
        "yaml_nodes.py",
        "        starts = _line_starts(self.text)",
        "        starts = _line_starts.__wrapped__(self.text)",
        f"{SECURITY} -k 'many_fields or many and fields'",
    ),
    Guard(
        "inventor/dump_reader.py",
        "    except (ValueError, RecursionError) as error:",
        "    except ZeroDivisionError as error:",
        f"{SECURITY} -k dump_is_data",
    ),
    Guard(
        "urdf/xml.py", '    if text.startswith("<!DOCTYPE", start):', "    if False:", f"{SECURITY} -k document_types"
    ),
    Guard(
        "table_file/text_table.py",
        "        if len(line) > MAX_LINE:",
        "        if False:",
        f"{SECURITY} -k text_tables",
    ),
    Guard("source.py", 'r"""^[ \\t]*(\\[mounting', 'r"""^\\s*(\\[mounting', f"{SECURITY} -k 'blank'"),
    # -- xacro
    Guard(
        "source.py",
        '    return "urdf"\n',
        '    return "xacro" if "xmlns:xacro" in text else "urdf"\n',
        f"{SECURITY} -k another_name",
    ),
    Guard(
        "xacro_macro/text.py",
        """return text.replace("$", "${'$'}")""",
        "return text",
        f"{SECURITY} -k 'cannot_make or expanded'",
    ),
    # -- meshes and names
    Guard(
        "inventor/mesh.py",
        "if count >= 0 and size == _HEADER + 50 * count:",
        "if count >= 0:",
        f"{SECURITY} -k count_of_an_stl",
    ),
    Guard(
        "inventor/mesh.py",
        "        if not np.isfinite(corners).all():",
        "        if False:",
        f"{SECURITY} -k coordinates",
    ),
    Guard(
        "inventor/dump_reader.py",
        '    if path.anchor or ".." in path.parts:',
        "    if False:",
        "inventor/test_names.py -k outside",
    ),
    Guard("mesh_files.py", '    if ".." in steps:', "    if False:", f"{SECURITY} -k lead_out"),
    Guard("mesh_files.py", " if base.parent != base]", "]", f"{SECURITY} -k lead_out"),
    Guard(
        "ros2/mesh_copies.py",
        "        if path.suffix.lower() not in COPIED:",
        "        if False:",
        f"{SECURITY} -k key_that",
    ),
    Guard("table_file/writer.py", "        if not is_name(text):", "        if False:", f"{SECURITY} -k cannot_hold"),
    Guard("draw/drawing.py", '    "text.parse_math": False,\n', "", f"{SECURITY} -k pictures"),
    Guard("ros2/config.py", "style=None if text.isprintable() else '\"'", "style=None", f"{SECURITY} -k every_file"),
    Guard("show/tables.py", "    text = one_line(text)\n", "", f"{SECURITY} -k papers"),
]


def main() -> int:
    word = sys.argv[1] if len(sys.argv) > 1 else ""
    failures = 0
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name, "src", "mdh2urdf")
        for guard in GUARDS:
            if word not in f"{guard.file} {guard.test}":
                continue
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(ROOT / "src" / "mdh2urdf", copy, ignore=shutil.ignore_patterns("__pycache__"))
            for folder in ("macros", "robots", "docs"):
                if not Path(name, folder).exists():
                    Path(name, folder).symlink_to(ROOT / folder)
            shutil.copy(ROOT / "pyproject.toml", name)
            failures += not shows(guard, copy)
    return 1 if failures else 0


def shows(guard: Guard, copy: Path) -> bool:
    """Whether the test fails without the guard; says so."""
    path = copy / guard.file
    code = path.read_text(encoding="utf-8")
    verdict = "is not in the code"
    if code.count(guard.text) == 1:
        path.write_text(code.replace(guard.text, guard.without), encoding="utf-8")
        status = tested(guard, copy)
        verdict = {0: "MISSED: its test passes without it", FAILED: "shown"}.get(status, f"pytest's status {status}")
    print(f"{guard.file}: {guard.text.strip().splitlines()[0]!r}: {verdict}", flush=True)  # noqa: T201 (the result)
    return verdict == "shown"


def tested(guard: Guard, copy: Path) -> int:
    file, _, choice = guard.test.partition(" -k ")
    command = [sys.executable, "-m", "pytest", str(ROOT / "tests" / file), "-q", "-x", "-o", "addopts="]
    command += ["-p", "no:cacheprovider", "-p", "no:xdist", *(["-k", choice.strip("'")] if choice else [])]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(copy.parent), str(ROOT / "tests")])}
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment, cwd=ROOT, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        return FAILED
    return FAILED if "KeyboardInterrupt" in done.stdout else done.returncode


if __name__ == "__main__":
    sys.exit(main())
