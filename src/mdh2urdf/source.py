"""What a SOURCE on the command line is, and the model that it holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import MAX_TEXT_BYTES, decode, read_text
from mdh2urdf.paths import exists
from mdh2urdf.robot import Robot
from mdh2urdf.table import Table

Form = Literal["yaml", "csv", "vendor", "screws", "urdf", "xacro", "mjcf", "sdf", "dump"]
FORMS: tuple[Form, ...] = ("yaml", "csv", "vendor", "screws", "urdf", "xacro", "mjcf", "sdf", "dump")

STDIN = "-"

XACRO_RUN = "xacro-run"
"""Rule of the finding that a xacro was run: it warns the user and says nothing of the robot."""

_XACRO_RUN = "is a program and was run; do so with those of authors you trust (--from xacro says that you do)"

MAX_ROBOT_NAME, MAX_NEAR = 100, 4
"""Letters of an unknown name that are looked at, and robots of similar names that are told."""

_NO_LINKS = "makes no link by itself: it only defines macros; name a file that calls one, or the table"
_LINK = re.compile(r"<link\b")

_YAML = (".yaml", ".yml")
_JOINTS = re.compile(r"^joints\s*:", re.MULTILINE)
_VENDOR = re.compile(
    r"""^[ \t]*(\[mounting\]|delta_theta\b|dh_theta\b|opw_kinematics_|['"]?kinematics['"]?[ \t]*:"""
    r"""|joint\w*[ \t]*:\s*(?:\{\s*)?kinematic[ \t]*:)""",
    re.MULTILINE,
)
"""Keys that only vendors' files have (docs: vendor files)."""
_SCREWS = re.compile(r"^format:\s*['\"]?screws\b", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadOptions:
    """What the command line says about a source beyond its own text.

    With ``where_wanted`` convention and units are for text tables and the nominal table for vendor files, and
    sources of other forms go without instead of refusing them: one command line for several sources. Without
    ``has_options`` the command line has none for convention and units of this source, and no message asks for one.
    """

    form: Form | None = None
    convention: str | None = None
    angle: str | None = None
    length: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    nominal: Table | None = None
    where_wanted: bool = False
    has_options: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Source:
    """A model that was read.

    Parameters
    ----------
    name : str
        As the user named the source.
    form : Form
    model : Table or Robot
    findings : tuple of Finding
        What was noticed while reading.
    metadata : mapping of str to str
        A kinematics file's hash and metadata, kept byte for byte.
    folder : Path
        Relative mesh names start here.
    """

    name: str
    form: Form
    model: Table | Robot
    findings: tuple[Finding, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    folder: Path = field(default_factory=Path)


def read_source(name: str, options: ReadOptions | None = None) -> Source:
    """The model that a SOURCE holds: a file, ``-`` for standard input, or a robot of the catalogue.

    Raises
    ------
    Mdh2UrdfError
        With everything that is wrong in the source.
    """
    options = options or ReadOptions()
    if name == STDIN:
        if options.form is None:
            raise Mdh2UrdfError("reading from standard input needs --from: " + ", ".join(FORMS))
        if options.form == "xacro":
            raise Mdh2UrdfError("--from xacro needs a file: what it includes lies beside it")
        return _read(name, Path(), _read_stdin(), options.form, options)
    path = _existing(name)
    if options.form == "xacro":
        return _read(name, path, "", "xacro", options)
    if path.suffix.lower() == ".xacro" and options.form is None:
        source = _read(name, path, "", "xacro", options)
        return replace(source, findings=(Finding(rule=XACRO_RUN, file=name, message=_XACRO_RUN), *source.findings))
    text = read_text(path)
    return _read(name, path, text, options.form or recognise(path.suffix, text), options)


def _read_stdin() -> str:
    if sys.stdin is None:
        raise Mdh2UrdfError("standard input is closed")
    try:
        data = sys.stdin.buffer.read(MAX_TEXT_BYTES + 1)
    except OSError as error:
        raise Mdh2UrdfError(f"standard input: cannot be read: {error.strerror}") from error
    return decode(data, "standard input")


def _existing(name: str) -> Path:
    """The file of that name, or the catalogue's table; a file wins."""
    path = Path(name)
    if not exists(path) and not path.suffix and path.name == name:
        from mdh2urdf.share import catalogue

        known = catalogue()
        if name in known:
            return known[name]
        message = f"no such file, and no robot of the catalogue; {_near_robots(name, known)}"
        raise Mdh2UrdfError(Finding(file=name, message=message))
    return path


def _near_robots(name: str, known: Mapping[str, Path]) -> str:
    """A hint at the robots that a name may mean, and at where all are listed."""
    from difflib import get_close_matches

    asked = name.lower()[:MAX_ROBOT_NAME]
    near = [robot for robot in known if asked in robot] or get_close_matches(asked, known)
    hint = "`mdh2urdf list` names all"
    return f"did you mean {', '.join(near[:MAX_NEAR])}? {hint}" if near else hint


def recognise(suffix: str, text: str) -> Form:
    """What a file is, by its name's end and its keys."""
    form: Form = "yaml"
    suffix = suffix.lower()
    head = text.lstrip()[:1]
    if head == "<" or suffix in (".urdf", ".xml", ".mjcf", ".sdf"):
        form = _recognise_xml(text)
    elif suffix == ".json" or (head == "{" and suffix not in _YAML):
        form = "dump"
    elif _VENDOR.search(text):
        form = "vendor"
    elif _SCREWS.search(text):
        form = "screws"
    elif suffix not in _YAML and not _JOINTS.search(text):
        form = "csv"
    return form


def _recognise_xml(text: str) -> Form:
    """Which XML format a text has, by its root element; never xacro, which is a program and runs when it is told to."""
    from mdh2urdf.urdf.xml import end_of_prolog

    start = end_of_prolog(text)
    known: dict[str, Form] = {"<mujoco": "mjcf", "<sdf": "sdf"}
    for tag, form in known.items():
        if text.startswith(tag, start) and text[start + len(tag) :][:1] in ("", " ", "\t", "\n", "\r", ">", "/"):
            return form
    return "urdf"


def _read(name: str, path: Path, text: str, form: Form, options: ReadOptions) -> Source:
    if options.where_wanted and form != "csv":
        options = replace(options, convention=None, angle=None, length=None)
    if options.where_wanted and form != "vendor":
        options = replace(options, nominal=None)
    if form not in ("yaml", "csv"):
        _refuse_table_options(name, form, options)
    if options.nominal is not None and form not in ("vendor", "yaml", "csv"):
        raise Mdh2UrdfError(Finding(file=name, message="--nominal goes with a table or a vendor file"))
    metadata: Mapping[str, str] = {}
    model: Table | Robot
    findings: list[Finding] = []
    if form in ("yaml", "csv"):
        from mdh2urdf.table_file.reader import read_table

        model, findings = read_table(
            text,
            file=name,
            form="text" if form == "csv" else "yaml",
            convention=options.convention,
            angle=options.angle,
            length=options.length,
            parameters=options.parameters,
            has_options=options.has_options,
        )
    elif form == "vendor":
        from mdh2urdf.vendor.reader import read_vendor

        model, findings, metadata = read_vendor(text, file=name, nominal=options.nominal)
    elif form == "screws":
        from mdh2urdf.screws_file import read_screws

        model = read_screws(text, file=name)
    elif form == "mjcf":
        from mdh2urdf.mjcf.reader import read_mjcf

        model, findings = read_mjcf(text, file=name)
    elif form == "sdf":
        from mdh2urdf.sdf.reader import read_sdf

        model, findings = read_sdf(text, file=name)
    elif form == "dump":
        from mdh2urdf.inventor.convert import robot_of_dump

        model, findings = robot_of_dump(text, file=name)
    else:
        from mdh2urdf.urdf.reader import read_urdf

        model, findings = read_urdf(_expanded(path) if form == "xacro" else text, file=name)
    return Source(name=name, form=form, model=model, findings=tuple(findings), metadata=metadata, folder=path.parent)


def _expanded(path: Path) -> str:
    """The text of a xacro file; our own find the macro file without ROS.

    Raises
    ------
    Mdh2UrdfError
        If it cannot be expanded, or only defines macros.
    """
    from mdh2urdf.share import share_directory
    from mdh2urdf.urdf.reader import expand_xacro

    text = expand_xacro(path, {"mdh2urdf_share": str(share_directory())})
    if not _LINK.search(text):
        raise Mdh2UrdfError(Finding(file=str(path), message=_NO_LINKS))
    return text


def _refuse_table_options(name: str, form: Form, options: ReadOptions) -> None:
    """Options that only a table can take, given with something else."""
    given = {
        "--convention": options.convention,
        "--angle": options.angle,
        "--length": options.length,
        "--set": options.parameters,
    }
    problems = [
        Finding(file=name, message=f"{option} goes with a table, this is read as {form}")
        for option, value in given.items()
        if value
    ]
    if problems:
        raise Mdh2UrdfError(problems)
