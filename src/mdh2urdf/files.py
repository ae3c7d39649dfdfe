"""Files read with a limit and written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from mdh2urdf.errors import Finding, Mdh2UrdfError

MAX_TEXT_BYTES = 64 * 1024 * 1024
"""Largest text file that is read: a table of 100,000 joints has 15 MB."""


def read_text(path: str | Path, *, limit: int = MAX_TEXT_BYTES) -> str:
    """The text of a UTF-8 file (a byte order mark is dropped).

    Raises
    ------
    Mdh2UrdfError
        If the file cannot be read, is larger than ``limit`` bytes, or is no UTF-8 text.
    """
    name = str(path)
    try:
        with open(path, "rb") as stream:
            data = stream.read(limit + 1)
    except (OSError, ValueError) as error:
        raise Mdh2UrdfError(Finding(file=name, message=f"cannot be read: {_reason(error)}")) from error
    return decode(data, name, limit=limit)


def read_if_there(path: Path) -> str | None:
    """The text of a file, as `read_text` has it; None if there is no such file, but not if it is only hidden."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError):
        pass  # reading has the same reason to fail, and tells it
    return read_text(path)


def decode(data: bytes, name: str, *, limit: int = MAX_TEXT_BYTES) -> str:
    """Bytes of an input as text, with the errors of `read_text`."""
    if len(data) > limit:
        raise Mdh2UrdfError(Finding(file=name, message=f"is larger than {limit // 1024 // 1024} MB"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Mdh2UrdfError(Finding(file=name, line=line, message="is not UTF-8 text")) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise Mdh2UrdfError(Finding(file=name, line=line, message="is not text: it holds a zero byte"))
    return text


def write_text(path: str | Path, text: str) -> None:
    """Write a UTF-8 file whole or not at all, as `write_bytes` does."""
    write_bytes(path, encode(text, str(path)))


def write_json(path: str | Path, content: object) -> None:
    """Write a JSON file as `write_bytes` does; a file name in it that is no text is written with JSON's escapes."""
    import json

    text = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def encode(text: str, name: str) -> bytes:
    """Text of an output as UTF-8.

    Raises
    ------
    Mdh2UrdfError
        If it holds half of a character: what a name that is no UTF-8 text becomes on the command line, or what
        the escapes of a JSON file may spell.
    """
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        half = text[error.start]
        message = f"cannot be written: the text would hold {half!r}, which is no character"
        raise Mdh2UrdfError(Finding(file=name, message=message)) from error


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file whole or leave what was there untouched.

    The data go to a temporary file in the same folder, which then takes the name. A target that
    is not a regular file (a pipe, a device) is written directly.

    Raises
    ------
    Mdh2UrdfError
        If the folder does not exist, is read-only, or the disk is full.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file():
            target.write_bytes(data)
            return
        import tempfile

        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
        try:
            with open(handle, "wb") as stream:
                stream.write(data)
                stream.flush()
                os.fsync(stream.fileno())
            Path(temporary).chmod(_mode(target))
            Path(temporary).replace(target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except (OSError, ValueError) as error:
        raise Mdh2UrdfError(Finding(file=str(path), message=f"cannot be written: {_reason(error)}")) from error


def _mode(target: Path) -> int:
    """Permissions of the file that is replaced, or what the umask gives a new one."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
