"""Strict reading of JSON data: every value checked, every error with its path, all errors collected."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import Any

import numpy as np

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.poses import Array, orthonormal, rigidity_error

RIGID_ERROR = 1e-4
"""Largest error of a matrix that is taken for a rigid pose at all."""

RIGID_FINDING = 1e-9
"""Error of a matrix that is told: CAD matrices are rigid to about 1e-12."""

MAX_PROBLEMS = 50
"""Errors that are printed one by one; the rest is counted."""

CM = -2
"""Power of ten from the file's centimetres to metres: 3.7 cm are 0.037 m, with no digit behind."""

MAX_LENGTH = 1e8
"""cm: 1000 km; a number beyond it is a fault of the file, and its square may be no number any more."""

MAX_NUMBER = 1e30
"""Of any other quantity, in the file's units: above the volume of anything of 1000 km, and its square is a number."""

_NO_TEXT = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
"""Control characters, and halves of characters that no file can hold."""

_KINDS = {str: "a text", bool: "true or false", dict: "an object", list: "a list"}


class Problems:
    """Errors and findings of one file while it is read."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.errors: list[Finding] = []
        self.unknown: dict[str, list[str]] = {}
        self.worst_matrix = (0.0, "")
        self.skewed = 0

    def error(self, path: str, message: str) -> None:
        """Note an error and read on."""
        self.errors.append(Finding(file=self.file, path=path, message=message))

    def stop(self) -> None:
        """Raise what was noted.

        Raises
        ------
        Mdh2UrdfError
            If there is any error.
        """
        if len(self.errors) > MAX_PROBLEMS:
            more = f"and {len(self.errors) - MAX_PROBLEMS} more errors"
            raise Mdh2UrdfError([*self.errors[:MAX_PROBLEMS], Finding(file=self.file, message=more)])
        if self.errors:
            raise Mdh2UrdfError(self.errors)

    def findings(self) -> list[Finding]:
        """What the reader saw but can live with."""
        found = [
            Finding(
                rule="unknown-field",
                file=self.file,
                path=places[0],
                message="is no field of the format and is ignored"
                + (f" ({len(places)} places)" if len(places) > 1 else ""),
            )
            for places in self.unknown.values()
        ]
        if self.skewed:
            worst, path = self.worst_matrix
            found.append(
                Finding(
                    rule="not-rigid",
                    file=self.file,
                    path=path,
                    message=f"of {self.skewed} matrices that are not quite rigid, and were made so, "
                    f"this one is worst: {worst:.2g}",
                )
            )
        return found

    def rigid(self, poses: Array, paths: Iterable[str]) -> Array:
        """Poses made rigid, shape (n, 4, 4), translations kept; one that is too far off is an error."""
        error = rigidity_error(poses)
        if float(error.max(initial=0.0)) <= 1e-15:
            return poses
        if float(error.max()) > RIGID_FINDING:
            self._tell(error, list(paths))
        fixed = poses.copy()
        fixed[:, :3, :3] = orthonormal(poses[:, :3, :3])
        fixed[:, 3] = (0.0, 0.0, 0.0, 1.0)
        return fixed

    def _tell(self, error: Array, names: list[str]) -> None:
        """Note the matrices that are no rigid poses, and count those that are not quite."""
        for i in np.flatnonzero(error > RIGID_ERROR):
            what = "mirrors (its determinant is negative)" if error[i] == 2.0 else f"is off by {error[i]:.2g}"
            self.error(names[i], f"is not a rigid pose: it {what}; allowed is {RIGID_ERROR:g}")
        told = np.where(error <= RIGID_ERROR, error, 0.0)
        self.skewed += int((told > RIGID_FINDING).sum())
        worst = int(np.argmax(told))
        if float(told[worst]) > self.worst_matrix[0]:
            self.worst_matrix = (float(told[worst]), names[worst])


def is_number(value: object) -> bool:
    """Whether a JSON value is a finite number."""
    try:
        return type(value) in (int, float) and math.isfinite(value)  # type: ignore[arg-type]
    except OverflowError:
        return False


def too_large(value: float, limit: float) -> str:
    """Sentence about a finite number beyond a limit, `MAX_LENGTH` or `MAX_NUMBER`; empty for one within."""
    if abs(value) <= limit:
        return ""
    return f"must lie within {limit:g}" + (f" cm ({limit / 1e5:g} km)" if limit == MAX_LENGTH else "")


class Fields:
    """One object of the file; fields are taken by name, what is left over is unknown.

    Parameters
    ----------
    data : object
        The JSON value; anything but an object is an error.
    path : str
        Path of the object, empty for the whole file.
    problems : Problems
    """

    def __init__(self, data: object, path: str, problems: Problems) -> None:
        if not isinstance(data, dict):
            problems.error(path, f"must be an object, not {shown(data)}")
            data = {}
        self.data: dict[str, Any] = data
        self.path = path
        self.problems = problems
        self.taken: set[str] = set()

    def at(self, name: str) -> str:
        """Path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def raw(self, name: str, *, required: bool = False) -> Any:
        """The JSON value of a field, None where it is null or absent."""
        self.taken.add(name)
        value = self.data.get(name)
        if value is None and required:
            self.problems.error(self.at(name), "is missing")
        return value

    def _typed(self, name: str, kind: type, *, required: bool) -> Any:
        value = self.raw(name, required=required)
        if value is not None and type(value) is not kind:
            self.problems.error(self.at(name), f"must be {_KINDS[kind]}, not {shown(value)}")
            return None
        return value

    def text(self, name: str, default: str = "", *, required: bool = False) -> str:
        """A text."""
        value = self._typed(name, str, required=required)
        if value == "" and required:
            self.problems.error(self.at(name), "must not be empty")
        if value is not None and _NO_TEXT.search(value):
            self.problems.error(self.at(name), "holds a control character or half a character")
        return default if value is None else str(value)

    def flag(self, name: str, *, default: bool = False) -> bool:
        """True or false."""
        value = self._typed(name, bool, required=False)
        return default if value is None else bool(value)

    def number(self, name: str, *, required: bool = False, power: int = 0) -> float | None:
        """A finite number times a power of ten, which moves the decimal point and changes no digit."""
        value = self.raw(name, required=required)
        if value is None:
            return None
        if not is_number(value):
            self.problems.error(self.at(name), f"must be a finite number, not {shown(value)}")
            return None
        outside = too_large(value, MAX_LENGTH if power == CM else MAX_NUMBER)
        if outside:
            self.problems.error(self.at(name), f"{outside}, not {shown(value)}")
            return None
        return float(Decimal(repr(value)).scaleb(power)) if power else float(value)

    def count(self, name: str) -> int | None:
        """A whole number, not negative."""
        value = self.raw(name)
        if value is None:
            return None
        if type(value) is not int or value < 0:
            self.problems.error(self.at(name), f"must be a whole number of at least 0, not {shown(value)}")
            return None
        return value

    def choice(self, name: str, allowed: tuple[str, ...], default: str = "", *, required: bool = False) -> str:
        """One of several texts."""
        value = self.text(name, default, required=required)
        if value and value not in allowed:
            self.problems.error(self.at(name), f"must be one of {', '.join(allowed)}, not {shown(value)}")
            return default
        return value

    def items(self, name: str, *, required: bool = False) -> Iterator[tuple[str, Any]]:
        """Path and value of every entry of a list."""
        value = self._typed(name, list, required=required)
        for i, item in enumerate(value or ()):
            yield f"{self.at(name)}[{i}]", item

    def fields(self, name: str) -> Fields | None:
        """An object, None where it is null or absent."""
        value = self.raw(name)
        return None if value is None else Fields(value, self.at(name), self.problems)

    def vector(
        self, name: str, size: int = 3, *, required: bool = False, limit: float = MAX_NUMBER
    ) -> tuple[float, ...] | None:
        """A list of so many finite numbers within a limit."""
        value = self.raw(name, required=required)
        if value is None:
            return None
        if not isinstance(value, list) or len(value) != size or not all(is_number(entry) for entry in value):
            self.problems.error(self.at(name), f"must be a list of {size} finite numbers, not {shown(value)}")
            return None
        outside = too_large(max(map(abs, value)), limit)
        if outside:
            self.problems.error(self.at(name), outside)
            return None
        return tuple(float(entry) for entry in value)

    def point(self, name: str, *, required: bool = False) -> Array | None:
        """A point in m of three numbers in cm."""
        value = self.vector(name, required=required, limit=MAX_LENGTH)
        return None if value is None else np.array(value) / 100.0

    def pose(self, name: str, *, required: bool = False) -> Array:
        """A rigid pose; the identity where it is absent or wrong."""
        value = self.raw(name, required=required)
        if value is None:
            return np.eye(4)
        return np.asarray(poses_of([value], lambda: [self.at(name)], self.problems)[0])

    def end(self) -> None:
        """Note what was not taken."""
        for name in self.data:
            if name not in self.taken:
                pattern = "".join(char for char in self.at(name) if not char.isdigit())
                self.problems.unknown.setdefault(pattern, []).append(self.at(name))


def shown(value: object) -> str:
    """A value as an error quotes it: short, in JSON's words."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = f"a list of {len(value)}" if isinstance(value, list) else repr(value)
    if isinstance(value, dict):
        text = "an object"
    return text if len(text) <= 40 else text[:37] + "..."


def poses_of(matrices: list[Any], paths: Any, problems: Problems) -> Array:
    """Rigid poses of 4x4 row lists in cm, shape (n, 4, 4) in m; the identity for each that is wrong.

    Parameters
    ----------
    matrices : list
        JSON values.
    paths : callable
        Gives the path of every matrix; called only when there is something to say.
    problems : Problems
    """
    good = all_numbers(matrices)
    if good is None:
        stack = np.empty((len(matrices), 4, 4))
        for i, matrix in enumerate(matrices):
            one = all_numbers([matrix])
            if one is None:
                problems.error(paths()[i], f"must be four rows of four finite numbers, not {shown(matrix)}")
            stack[i] = np.eye(4) if one is None else one[0]
        good = stack
    largest = np.abs(good).max(axis=(1, 2), initial=0.0)
    for far in np.flatnonzero(largest > MAX_LENGTH):
        problems.error(paths()[far], too_large(float(largest[far]), MAX_LENGTH))
        good[far] = np.eye(4)
    good = problems.rigid(good, LazyPaths(paths))
    good[:, :3, 3] /= 100.0
    return good


class LazyPaths:
    """Paths that are only spelled out when an error needs them."""

    def __init__(self, paths: Any) -> None:
        self._paths = paths

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths())


def all_numbers(matrices: list[Any]) -> Array | None:
    """The matrices as an array if every one has four rows of four finite numbers, else None."""
    kinds: set[type] = set()
    for matrix in matrices:
        if not isinstance(matrix, list) or len(matrix) != 4:
            return None
        for row in matrix:
            if not isinstance(row, list) or len(row) != 4:
                return None
            kinds.update(map(type, row))
    if not kinds <= {int, float}:
        return None
    try:
        stack = np.array(matrices, dtype=float).reshape(-1, 4, 4)
    except OverflowError:
        return None
    return stack if np.isfinite(stack).all() else None
