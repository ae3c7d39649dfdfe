"""What a SOURCE on the command line is, and the model that it holds."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import MAX_TEXT_BYTES, decode, read_text
from mdh2urdf.robot import Robot
from mdh2urdf.table import Table

Form = Literal["yaml", "csv", "vendor", "screws", "urdf", "xacro", "dump"]
FORMS: tuple[Form, ...] = ("yaml", "csv", "vendor", "screws", "urdf", "xacro", "dump")

STDIN = "-"

_YAML = (".yaml", ".yml")
_XACRO = "http://www.ros.org/wiki/xacro"
_JOINTS = re.compile(r"^joints\s*:", re.MULTILINE)
_SCREWS = re.compile(r"^format:\s*['\"]?screws\b", re.MULTILINE)


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadOptions:
    """What the command line says about a source beyond its own text."""

    form: Form | None = None
    convention: str | None = None
    angle: str | None = None
    length: str | None = None
    parameters: Mapping[str, str] = field(default_factory=dict)
    nominal: Table | None = None


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
        if options.form in ("xacro", "dump"):
            raise Mdh2UrdfError(f"--from {options.form} needs a file: it names other files beside itself")
        text = decode(sys.stdin.buffer.read(MAX_TEXT_BYTES + 1), "standard input")
        return _read(name, Path(), text, options.form, options)
    path = _existing(name)
    if path.suffix.lower() == ".xacro" and options.form in (None, "xacro"):
        return _read(name, path, "", "xacro", options)
    text = read_text(path)
    return _read(name, path, text, options.form or recognise(path.suffix, text), options)


def _existing(name: str) -> Path:
    """The file of that name, or the catalogue's table; a file wins."""
    from mdh2urdf.share import catalogue

    path = Path(name)
    if not path.exists() and not path.suffix and path.name == name:
        known = catalogue()
        if name in known:
            return known[name]
        hint = f"the catalogue has {', '.join(known)}"
        raise Mdh2UrdfError(Finding(file=name, message=f"no such file, and no robot of the catalogue; {hint}"))
    return path


def recognise(suffix: str, text: str) -> Form:
    """What a file is, by its name's end and its keys."""
    from mdh2urdf.vendor import is_vendor_file

    form: Form = "yaml"
    suffix = suffix.lower()
    head = text.lstrip()[:1]
    if head == "<" or suffix in (".urdf", ".xml"):
        form = "xacro" if _XACRO in text[:4096] else "urdf"
    elif suffix == ".json" or (head == "{" and suffix not in _YAML):
        form = "dump"
    elif is_vendor_file(text):
        form = "vendor"
    elif _SCREWS.search(text):
        form = "screws"
    elif suffix not in _YAML and not _JOINTS.search(text):
        form = "csv"
    return form


def _read(name: str, path: Path, text: str, form: Form, options: ReadOptions) -> Source:
    model, findings, metadata = _READERS[form](name, path, text, options)
    return Source(name=name, form=form, model=model, findings=tuple(findings), metadata=metadata, folder=path.parent)
