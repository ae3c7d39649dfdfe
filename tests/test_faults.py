"""What happens around the program goes wrong: disks, folders, pipes, signals, locales, names.

A file that is written is whole or as it was before, the exit status says what happened, and nobody sees a traceback.
`tests/without_guards.py` takes each guard out of the code and shows that a test here fails for it.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
from pathlib import Path

import pytest

from command_line import ROBOTS, run
from mdh2urdf import cli
from mdh2urdf.cli import app, output
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.files import write_text
from mdh2urdf.source import ReadOptions, read_source
from readers import require_program

PUMA = ROBOTS / "puma560.yaml"
MAIN = "from mdh2urdf.cli import main; main()"
OLD = "what was there\n"

BUFFERED = {name: text for name, text in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""The environment, with buffers as users have them: what is left in one at the end has to go somewhere."""

INTERRUPTED, READER_GONE = 130, 141

needs_posix = pytest.mark.skipif(os.name != "posix", reason="POSIX signals, limits and permissions")
pytestmark = needs_posix


def program(*arguments, code=MAIN, shell="", **options):
    """The program in its own process; ``shell`` is a redirection such as ``<&-``."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    if shell:
        command = ["/bin/sh", "-c", f'exec "$0" "$@" {shell}', *command]
    options.setdefault("env", BUFFERED)
    return subprocess.run(command, capture_output=True, check=False, timeout=120, **options)


def wanted(*arguments):
    """What the program prints where nothing goes wrong."""
    done = run(*arguments)
    assert done.status == 0
    return done.out


@pytest.fixture
def target(tmp_path):
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "arm.urdf").write_text(OLD)
    return folder / "arm.urdf"


def untouched(target):
    return target.read_text() == OLD and os.listdir(target.parent) == [target.name]


# -- disks and folders


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (256, 256))


WRITERS = {
    "arm.urdf": [PUMA],
    "arm.xacro": [PUMA],
    "origins.yaml": [PUMA],
    "table.yaml": ["fit", PUMA],
    "macro.xacro": ["macro"],
}


@pytest.mark.parametrize("name", WRITERS)
def test_a_file_that_gets_no_room_stays_as_it_was(target, name):
    target = target.rename(target.with_name(name))
    done = program(*WRITERS[name], "-o", target, preexec_fn=small_files)
    assert done.returncode == 2
    assert done.stderr.decode().splitlines()[-1] == f"{target}: cannot be written: File too large"
    assert untouched(target)


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 16 kB, or None where this user may not mount one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = shutil.which("mount")
    command = [str(mount), "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        yield None
        return
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk_leaves_the_old_file(small_disk, target):
    if small_disk is None:
        done = program(PUMA, "--quiet", "-o", "/dev/full")  # what any user may fill
        assert (done.returncode, done.stderr) == (2, b"/dev/full: cannot be written: No space left on device\n")
        return
    target = small_disk / "arm.urdf"
    target.write_text(OLD)
    (small_disk / "filler").write_bytes(b"x" * 11 * 1024)
    done = program(PUMA, "--quiet", "-o", target)
    assert done.stderr.decode() == f"{target}: cannot be written: No space left on device\n"
    assert done.returncode == 2
    assert target.read_text() == OLD
    assert sorted(os.listdir(small_disk)) == ["arm.urdf", "filler"]


def test_a_report_that_gets_no_room_leaves_both_files(target, tmp_path):
    done = program(PUMA, "--quiet", "-o", target, "--report", tmp_path / "no" / "report.json")
    assert done.returncode == 2
    assert untouched(target)


AS_NOBODY = """\
import os, sys
from mdh2urdf.cli import main
asked, sys.argv = sys.argv, ["mdh2urdf", sys.argv[1], "--quiet", "-o", sys.argv[-1] + ".first"]
try: main()
except SystemExit as exit_: assert exit_.code == 0
os.remove(sys.argv[-1])
os.chmod(os.path.dirname(sys.argv[-1]), 0o555)
if os.geteuid() == 0: os.seteuid(65534)  # root may write everywhere; all modules are loaded by now
sys.argv = asked
main()
"""


def test_a_read_only_folder_is_told_and_its_file_stays():
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        target = Path(name, "out", "arm.urdf")
        target.parent.mkdir()
        target.write_text(OLD)
        target.chmod(0o444)
        table = Path(name, "arm.yaml")
        table.write_bytes(PUMA.read_bytes())
        done = program(table, "--quiet", "-o", target, code=AS_NOBODY)
        target.parent.chmod(0o755)
        assert done.stderr.decode() == f"{target}: cannot be written: Permission denied\n"
        assert done.returncode == 2
        assert untouched(target)


# -- ends that come early


AT_THE_WORST_MOMENT = """\
import os, pathlib, signal, sys
from mdh2urdf.cli import main
moment, number = sys.argv.pop(1), int(sys.argv.pop(1))
def strike(*_): os.kill(os.getpid(), number)
if moment == "writing": os.fsync = strike
else: pathlib.Path.replace = strike
main()
"""


@pytest.mark.parametrize("moment", ["writing", "renaming"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_process_that_is_killed_while_it_writes_leaves_the_old_file(target, moment, number):
    done = program(moment, int(number), PUMA, "-o", target, code=AT_THE_WORST_MOMENT)
    assert done.returncode == -number
    assert target.read_text() == OLD


@pytest.mark.parametrize("moment", ["writing", "renaming"])
def test_an_interrupt_while_it_writes_leaves_the_old_file_and_no_other(target, moment):
    done = program(moment, int(signal.SIGINT), PUMA, "-o", target, code=AT_THE_WORST_MOMENT)
    assert (done.returncode, done.stderr) == (INTERRUPTED, b"")
    assert untouched(target)


TELLS_WHEN_IT_CONVERTS = """\
import sys
from mdh2urdf import emit
from mdh2urdf.cli import main
real = emit.robot_from_table
def told(*args, **options):
    print("converting", flush=True)
    return [real(*args, **options) for _ in range(1000)][0]
emit.robot_from_table = told
main()
"""


def long_table(folder):
    rows = "\n".join("  - {a: 0.1, alpha: 1.5, d: 0.2, theta: 0.3}" for _ in range(300))
    path = folder / "long.yaml"
    path.write_text(f"convention: modified\nunits: {{angle: rad, length: m}}\njoints:\n{rows}\n")
    return path


def test_an_interrupt_in_a_long_conversion_ends_it_without_a_word(tmp_path, target):
    command = [sys.executable, "-c", TELLS_WHEN_IT_CONVERTS, str(long_table(tmp_path)), "-o", str(target)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"converting\n"
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        started = time.monotonic()
        out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (INTERRUPTED, b"", b"")
    assert time.monotonic() - started < 10
    assert untouched(target)


def test_an_interrupt_before_the_command_is_known_is_no_traceback(monkeypatch):
    monkeypatch.setitem(sys.modules, "mdh2urdf.cli.app", InterruptedModule())
    with pytest.raises(SystemExit) as caught:
        cli.main()
    assert caught.value.code == INTERRUPTED


class InterruptedModule:
    __spec__ = None

    def __getattr__(self, name):
        raise KeyboardInterrupt


WRITES_OFTEN = """\
import sys
from mdh2urdf.files import write_text
for _ in range(60): write_text(sys.argv[1], sys.argv[2] * 300_000)
"""


def test_two_processes_that_write_one_file_leave_one_of_their_texts_whole(target):
    texts = {letter * 300_000 for letter in "ab"}
    write_text(target, "a" * 300_000)
    processes = [subprocess.Popen([sys.executable, "-c", WRITES_OFTEN, str(target), letter]) for letter in "ab"]
    seen = set()
    while any(process.poll() is None for process in processes):
        seen.add(target.read_text())
    assert [process.wait() for process in processes] == [0, 0]
    assert seen <= texts
    assert target.read_text() in texts
    assert os.listdir(target.parent) == [target.name]


# -- streams


def test_a_closed_standard_input_is_told():
    done = program("-", "--from", "yaml", shell="<&-")
    assert (done.returncode, done.stderr) == (2, b"standard input is closed\n")


def test_a_standard_input_that_cannot_be_read_is_told(tmp_path):
    done = program("-", "--from", "yaml", shell=f"0>{tmp_path / 'written'}")
    assert (done.returncode, done.stderr) == (2, b"standard input: cannot be read: Bad file descriptor\n")


def test_a_closed_standard_input_does_not_matter_to_a_file():
    assert program(PUMA, "--quiet", shell="<&-").stdout.decode() == wanted(PUMA)


def test_a_closed_standard_output_is_told_and_a_file_is_written(target):
    done = program(PUMA, "--quiet", shell=">&-")
    assert (done.returncode, done.stderr) == (2, b"standard output is closed; -o FILE writes a file\n")
    assert program(PUMA, "--quiet", "-o", target, shell=">&-").returncode == 0
    assert target.read_text() == wanted(PUMA)


@pytest.mark.parametrize("arguments", [[PUMA], ["fit", PUMA], ["compare", PUMA, PUMA], ["list"], ["--version"]])
def test_a_standard_output_without_room_is_told(arguments):
    done = program(*arguments, shell=">/dev/full")
    assert done.stderr.decode().splitlines()[-1] == "standard output: cannot be written: No space left on device"
    assert done.returncode == 2


@pytest.mark.parametrize("arguments", [[PUMA], ["fit", PUMA], ["list"], ["--version"]])
def test_a_reader_that_has_gone_ends_the_program_without_a_word(arguments):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", MAIN, *map(str, arguments)]
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False, timeout=60, env=BUFFERED)
    assert (done.returncode, done.stderr) == (READER_GONE, b"")


@pytest.mark.parametrize(("argument", "shell"), [("--help", ">/dev/full"), ("--nonsense", "2>/dev/full")])
def test_help_and_usage_that_nobody_can_read_exit_2(argument, shell):
    done = program(argument, shell=shell)
    assert (done.returncode, done.stderr) == (2, b"")


@pytest.mark.parametrize("shell", ["2>&-", "2>/dev/full"])
def test_findings_that_nobody_can_read_do_not_stop_the_result(shell):
    done = program(PUMA, shell=shell)
    assert (done.returncode, done.stdout.decode()) == (0, wanted(PUMA))
    assert program("no.yaml", shell=shell).returncode == 2


# -- surroundings


def test_no_home_and_no_environment_are_needed():
    environment = {"PYTHONPATH": os.pathsep.join(sys.path)}
    for arguments in ([PUMA], ["fit", PUMA], ["compare", PUMA, PUMA]):
        done = program(*arguments, env=environment)
        assert (done.returncode, done.stdout.decode()) == (0, wanted(*arguments))


ASCII = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


def test_a_c_locale_changes_neither_result_nor_messages(tmp_path):
    table = tmp_path / "Müller 機械.yaml"
    table.write_text(PUMA.read_text().replace("name: puma560", "name: Müller 機械"), encoding="utf-8")
    environment = {**BUFFERED, **ASCII}
    done = program(table, "-o", tmp_path / "ü.urdf", "--report", tmp_path / "ü.json", env=environment)
    assert done.returncode == 0
    assert (tmp_path / "ü.urdf").read_text(encoding="utf-8") == wanted(table)
    report = json.loads((tmp_path / "ü.json").read_text(encoding="utf-8"))
    assert os.fsencode(report["source"].encode("utf-8", "surrogateescape")) == os.fsencode(table)
    assert program(table, "--quiet", env=environment).stdout.decode() == wanted(table)
    missing = program(tmp_path / "ü.yaml", env=environment)
    assert missing.returncode == 2
    assert missing.stderr.startswith(str(tmp_path).encode())


COMMA = """\
import locale
locale.setlocale(locale.LC_ALL, "")
assert locale.localeconv()["decimal_point"] == ","
from mdh2urdf.cli import main
main()
"""


@pytest.fixture(scope="module")
def comma_locale(tmp_path_factory):
    """Environment of a locale whose decimals have a comma."""
    folder = tmp_path_factory.mktemp("locale")
    command = [require_program("localedef"), "--no-archive", "-i", "de_DE", "-f", "UTF-8", str(folder / "de_DE.UTF-8")]
    made = subprocess.run(command, capture_output=True, check=False, text=True)
    assert made.returncode == 0, made.stderr
    return {**BUFFERED, "LOCPATH": str(folder), "LC_ALL": "de_DE.UTF-8"}


@pytest.mark.parametrize(
    "arguments",
    [
        [PUMA],
        [PUMA, "--format", "xacro"],
        [PUMA, "--format", "origins"],
        ["fit", PUMA],
        ["compare", PUMA, PUMA, "--json"],
    ],
)
def test_a_locale_with_a_decimal_comma_changes_no_number(comma_locale, arguments):
    done = program(*arguments, code=COMMA, env=comma_locale)
    assert (done.returncode, done.stdout.decode()) == (0, wanted(*arguments))


def test_a_urdf_is_read_alike_with_a_decimal_comma(comma_locale, tmp_path):
    urdf = tmp_path / "arm.urdf"
    urdf.write_text(wanted(PUMA))
    assert program("fit", urdf, code=COMMA, env=comma_locale).stdout.decode() == wanted("fit", urdf)


# -- names


NAMES = {
    "blanks": "my  arm",
    "quotes": 'it\'s "mine"',
    "Unicode": "機械 é \u202e 𝄞",
    "newline": "two\nlines",
    "shell": "$(touch owned); `touch owned` & * ? \\ %s {}",
    "option": "-o",
    "no text": os.fsdecode(b"half \xff"),
}


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_files_of_any_name_are_read_and_written(tmp_path, name):
    folder = tmp_path / f"in {name}"
    folder.mkdir()
    table, urdf, report = (folder / f"{name}{end}" for end in (".yaml", ".urdf", ".json"))
    table.write_bytes(PUMA.read_bytes())
    done = run(table, "-o", urdf, "--report", report)
    assert done.status == 0
    assert urdf.read_text() == wanted(PUMA)
    assert json.loads(report.read_text())["source"] == str(table)
    assert run("fit", urdf, "-o", folder / f"{name} again.yaml", "--like", table).status == 0
    assert run(urdf, "-o", folder / f"{name}.xacro", "--inline-macro").status == 0
    assert sorted(os.listdir(folder)) == sorted(
        [*(f"{name}{end}" for end in (".yaml", ".urdf", ".json", ".xacro")), f"{name} again.yaml"]
    )
    assert os.listdir(tmp_path) == [folder.name]


@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_messages_stay_on_one_line_whatever_the_file_is_called(tmp_path, name):
    for path in (tmp_path / name / "out.urdf", tmp_path / f"{name}.yaml"):
        done = run(PUMA, "--quiet", "-o", path) if path.suffix == ".urdf" else run(path)
        assert done.status == 2
        assert done.err.count("\n") == 1
        assert done.err.endswith(": No such file or directory\n")
        assert done.err[:-1].isprintable()


def test_characters_that_messages_escape(tmp_path):
    done = run("a\tb\x1b[31m\u202e\u3000\udcff.yaml")
    assert done.err == "a\\tb\\x1b[31m\\u202e\u3000\\udcff.yaml: cannot be read: No such file or directory\n"


def test_a_name_that_is_no_text_goes_into_no_file(target):
    for options in (["--name", "half \udcff"], ["--prefix", "half\udcff"]):
        done = run(PUMA, "--quiet", "-o", target, *options)
        assert done.status == 2
        assert "'\\udcff'" in done.err
        assert untouched(target)
    done = run(PUMA, "--quiet", "--format", "xacro", "--name", "half \udcff")
    assert (done.status, done.out) == (2, "")


def test_a_pipe_is_written_as_it_is(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_text()), daemon=True)
    reader.start()
    assert run(PUMA, "-o", pipe).status == 0
    reader.join(timeout=30)
    assert read == [wanted(PUMA)]
    assert pipe.is_fifo()


# -- the same in process, where single streams can be taken away


@pytest.fixture
def streams(monkeypatch):
    """Replace ``stdout`` or ``stderr`` by a full device, a pipe without reader, or nothing."""
    with contextlib.ExitStack() as stack:

        def replace(name, kind):
            read, write = os.pipe()
            os.close(read)
            pipe = stack.enter_context(open(write, "w"))
            full = stack.enter_context(open("/dev/full", "w"))
            monkeypatch.setattr(sys, name, {"pipe": pipe, "full": full, "none": None}[kind])

        yield replace
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("full", "standard output: cannot be written: No space left on device"),
        ("none", "standard output is closed; -o FILE writes a file"),
    ],
)
def test_a_result_without_room_is_an_error_and_the_stream_is_given_up(streams, kind, message):
    streams("stdout", kind)
    with pytest.raises(Mdh2UrdfError) as caught:
        output.write("x" * 10)
    assert str(caught.value) == message
    if sys.stdout is not None:
        sys.stdout.flush()  # what is left goes nowhere


def test_a_result_without_reader_exits(streams):
    streams("stdout", "pipe")
    with pytest.raises(SystemExit) as caught:
        output.write("x" * 10)
    assert caught.value.code == READER_GONE


@pytest.mark.parametrize("kind", ["full", "pipe", "none"])
def test_findings_without_room_are_lost(streams, kind):
    streams("stderr", kind)
    output.say(["lost"])
    if sys.stderr is not None:
        sys.stderr.flush()


@pytest.mark.parametrize("error", ["full", "none"])
def test_help_without_room_exits_2(streams, error):
    streams("stdout", "full")
    streams("stderr", error)
    assert app.run(["--help"]) == 2


def test_an_error_of_the_system_that_nobody_expected_keeps_its_traceback(monkeypatch):
    def broken(*_):
        raise FileNotFoundError(2, "No such file or directory", "/part/of/the/package")

    monkeypatch.setattr("mdh2urdf.cli.convert.read", broken)
    monkeypatch.setattr("mdh2urdf.cli.convert.table_of", broken)
    with pytest.raises(FileNotFoundError):
        app.run([str(PUMA)])


def test_standard_input_in_process(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(Mdh2UrdfError) as caught:
        read_source("-", ReadOptions(form="yaml"))
    assert str(caught.value) == "standard input is closed"
    with open("/dev/null", "w") as only_written, open(os.dup(only_written.fileno()), "rb", buffering=0) as stream:
        monkeypatch.setattr(sys, "stdin", types.SimpleNamespace(buffer=stream))
        with pytest.raises(Mdh2UrdfError) as caught:
            read_source("-", ReadOptions(form="yaml"))
    assert str(caught.value) == "standard input: cannot be read: Bad file descriptor"
