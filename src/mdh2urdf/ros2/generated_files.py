"""A folder of generated files that people may edit: what they changed is left, told by hashes in a manifest."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path, PurePosixPath

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_if_there, write_bytes, write_text

MANIFEST = ".mdh2urdf.json"
"""The manifest's name in the folder."""

_FORMAT = "mdh2urdf-generated"
_HASH = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, kw_only=True, slots=True)
class Generated:
    """What became of every file, by its path in the folder.

    Parameters
    ----------
    written : tuple of str
        New, or replaced because nobody had changed it.
    unchanged : tuple of str
        There already, with the same content.
    kept : tuple of str
        Changed by its user, or not of this program: left as it is.
    stale : tuple of str
        Changed by its user, and not wanted any more: left as it is.
    removed : tuple of str
        Of an earlier run, not changed since, and not wanted any more.
    """

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    kept: tuple[str, ...]
    stale: tuple[str, ...]
    removed: tuple[str, ...]

    def findings(self, folder: Path) -> tuple[Finding, ...]:
        """One finding for every file that was left as it is."""
        kept = "was changed by hand and is left as it is; delete it to have it written anew"
        stale = "was changed by hand and is left as it is; it is not needed any more"
        told = (*((name, kept) for name in self.kept), *((name, stale) for name in self.stale))
        return tuple(Finding(rule="kept-file", file=str(folder / name), message=message) for name, message in told)


def write_generated(folder: Path, files: Mapping[str, bytes]) -> Generated:
    """Write files into a folder, each whole or not at all; what a user changed stays.

    A file that the user deleted is written again.

    Parameters
    ----------
    folder : Path
        Made if it is not there.
    files : mapping of str to bytes
        Content by path in the folder, with slashes.

    Raises
    ------
    Mdh2UrdfError
        If the manifest is broken, or something cannot be read or written.
    """
    old = _read_manifest(folder / MANIFEST)
    new = {name: _hash(data) for name, data in files.items()}
    found = {name: _hash_of(folder / name) for name in {*old, *new}}
    unchanged = tuple(name for name in new if found[name] == new[name])
    written = tuple(name for name in new if found[name] is None or found[name] in old.get(name, ()))
    written = tuple(name for name in written if name not in unchanged)
    unwanted = [name for name in old if name not in new]
    removed = tuple(name for name in unwanted if found[name] in old[name])
    stale = tuple(name for name in unwanted if found[name] is not None and name not in removed)
    kept = tuple(name for name in new if name not in unchanged and name not in written)
    _make(folder)
    # Both hashes are ours until all is written: a full disk in between makes no file look changed by hand.
    both = {name: sorted({*old.get(name, ()), new[name]}) for name in (*unchanged, *written)}
    rest = {name: list(old[name]) for name in (*kept, *stale) if name in old}
    _write_manifest(folder, both | rest | {name: list(old[name]) for name in removed})
    for name in written:
        _make((folder / name).parent)
        write_bytes(folder / name, files[name])
    for name in removed:
        _remove(folder, name)
    _write_manifest(folder, {name: [new[name]] for name in (*unchanged, *written)} | rest)
    return Generated(written=written, unchanged=unchanged, kept=kept, stale=stale, removed=removed)


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()


def _hash_of(path: Path) -> str | None:
    """Hash of a file, None if it is not there."""
    try:
        return _hash(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise Mdh2UrdfError(Finding(file=str(path), message=f"cannot be read: {error.strerror}")) from error


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"cannot be made: {error.strerror}"
        raise Mdh2UrdfError(Finding(file=str(folder), message=message)) from error


def _remove(folder: Path, name: str) -> None:
    """Remove a file, and the folder that it was in if that is empty now."""
    path = folder / name
    try:
        path.unlink()
        if path.parent != folder and not any(path.parent.iterdir()):
            path.parent.rmdir()
    except OSError as error:
        raise Mdh2UrdfError(Finding(file=str(path), message=f"cannot be removed: {error.strerror}")) from error


def _read_manifest(path: Path) -> dict[str, list[str]]:
    """Hashes of what was written by path; nothing if there is no manifest."""
    text = read_if_there(path)
    if text is None:
        return {}
    try:
        data = json.loads(text)
        files = data["files"]
        if data["format"] == _FORMAT and all(_is_inside(name) and _are_hashes(files[name]) for name in files):
            return {name: list(files[name]) for name in files}
    except (ValueError, KeyError, TypeError, RecursionError):
        # All of them mean the same to the user; the message says what to do.
        pass
    message = "is no manifest of generated files; without it every file that differs counts as changed by hand"
    raise Mdh2UrdfError(Finding(file=str(path), message=message))


def _is_inside(name: str) -> bool:
    """Whether a name is a plain path that stays in the folder."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\\" not in name


def _are_hashes(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) and _HASH.fullmatch(one) for one in value)


def _write_manifest(folder: Path, files: Mapping[str, list[str]]) -> None:
    content = {"format": _FORMAT, "files": {name: files[name] for name in sorted(files)}}
    write_text(folder / MANIFEST, json.dumps(content, indent=2) + "\n")
