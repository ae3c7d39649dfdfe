"""The settings file beside a dump: limits, names, masses and choices that the CAD does not hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from mdh2urdf.bounds import LARGEST
from mdh2urdf.collisions import COLLISIONS
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.graph import unknown_name
from mdh2urdf.inventor.option_text import parse_follow
from mdh2urdf.inventor.options import JointDefaults
from mdh2urdf.robot import Inertia
from mdh2urdf.se3 import Transform, Vector3
from mdh2urdf.text import number
from mdh2urdf.yaml_nodes import Fields as Mapped
from mdh2urdf.yaml_nodes import Node, Path, SourceText, compose, find, plain_data, unreadable

JOINT_TYPES = ("revolute", "continuous", "prismatic", "fixed")
SAFE_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, kw_only=True, slots=True)
class JointSettings:
    """What the settings say of a joint; None where they say nothing. SI, in the CAD's zero and sign."""

    name: str | None = None
    type: str | None = None
    lower: float | None = None
    upper: float | None = None
    effort: float | None = None
    velocity: float | None = None
    damping: float | None = None
    friction: float | None = None
    flip: bool | None = None
    mimic: str | None = None
    ignore: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkSettings:
    """What the settings say of an occurrence; SI, in the axes of its document."""

    name: str | None = None
    mass: float | None = None
    center_of_mass: Vector3 | None = None
    inertia: Inertia | None = None
    density: float | None = None
    collision: str | None = None
    color: tuple[float, float, float, float] | None = None
    ignore: bool | None = None
    merge: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class FrameSettings:
    """What the settings say of a user coordinate system."""

    name: str | None = None
    ignore: bool | None = None


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Places:
    """The text of a settings file with its nodes, which know where they stand."""

    source: SourceText
    root: Node

    def finding(self, path: Path, message: str) -> Finding:
        """What is said of a value, at the place of its key."""
        parent = find(self.root, path[:-1])
        index = find(self.root, path).index
        if path and isinstance(parent, Mapped):
            index = parent.keys.get(str(path[-1]), index)
        return self.source.finding(index, path, message)


NOWHERE = Places(source=SourceText("", ""), root=Mapped(-1))
"""Places of settings that no file holds."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Settings:
    """A settings file; joints, links and frames by CAD name or glob (``*``, ``?``)."""

    root: str = ""
    up: str | None = None
    base_frame: Transform | None = None
    joint_defaults: JointDefaults = field(default_factory=JointDefaults)
    expect_mass: float | None = None
    expect_center_of_mass: Vector3 | None = None
    joints: Mapping[str, JointSettings] = field(default_factory=dict)
    links: Mapping[str, LinkSettings] = field(default_factory=dict)
    frames: Mapping[str, FrameSettings] = field(default_factory=dict)
    places: Places = field(default=NOWHERE, compare=False, repr=False)

    def joint(self, name: str) -> JointSettings:
        """What holds for a joint: globs in the order of the file, then the joint's own entry."""
        return _merged(JointSettings(), self.joints, name)

    def link(self, name: str) -> LinkSettings:
        """What holds for an occurrence."""
        return _merged(LinkSettings(), self.links, name)

    def frame(self, name: str) -> FrameSettings:
        """What holds for a user coordinate system."""
        return _merged(FrameSettings(), self.frames, name)

    def turned_limits(self, name: str, lower: float, upper: float) -> Finding:
        """The error about limits of a joint that are the wrong way round by the settings."""
        keys = {
            "lower": [key for key, entry in _that_fit(self.joints, name).items() if entry.lower is not None],
            "upper": [key for key, entry in _that_fit(self.joints, name).items() if entry.upper is not None],
        }
        end = "lower" if keys["lower"] else "upper"
        sentence = f"lower {number(lower)} is above upper {number(upper)}"
        if not keys["upper"]:
            sentence = f"lower {number(lower)} is above the CAD's upper {number(upper)}"
        elif not keys["lower"]:
            sentence = f"upper {number(upper)} is below the CAD's lower {number(lower)}"
        key = keys[end][-1]
        return self.places.finding(("joints", key, end), sentence if key == name else f"{name}: {sentence}")


Entry = TypeVar("Entry", JointSettings, LinkSettings, FrameSettings)


def matches(key: str, name: str) -> bool:
    """Whether a key is a name, or a glob of ``*`` and ``?`` that fits it; other signs stand for themselves."""
    pattern = "".join({"*": ".*", "?": "."}.get(char, re.escape(char)) for char in key)
    return key == name or re.fullmatch(pattern, name, re.DOTALL) is not None


def _that_fit(entries: Mapping[str, Entry], name: str) -> dict[str, Entry]:
    """Entries that hold for a name, the one that counts most last."""
    found = {key: entry for key, entry in entries.items() if key != name and matches(key, name)}
    return found | ({name: entries[name]} if name in entries else {})


def _merged(start: Entry, entries: Mapping[str, Entry], name: str) -> Entry:
    for entry in _that_fit(entries, name).values():
        given = {item.name: getattr(entry, item.name) for item in fields(entry)}
        start = replace(start, **{key: value for key, value in given.items() if value is not None})
    return start


def is_blank(text: str) -> bool:
    """Whether a file's text holds no settings at all: nothing, or comments, and nothing that YAML does not allow."""
    lines = text.splitlines()
    return all(not line.strip(" ") or line.lstrip(" ").startswith("#") for line in lines) and not unreadable(text)


def parse_settings(text: str, file: str = "") -> Settings:
    """Settings of a file's text; one that is blank says nothing.

    Raises
    ------
    Mdh2UrdfError
        If it is no YAML, or has unknown fields or wrong values; all at once, with their lines.
    """
    if is_blank(text):
        return Settings()
    problems: list[Finding] = []
    source = SourceText(file, text)
    reader = _Reader(Places(source=source, root=compose(source, problems)), problems)
    settings = _settings(reader)
    if problems:
        raise Mdh2UrdfError(problems)
    return settings


def check_names(
    settings: Settings, file: str, *, joints: Iterable[str], links: Iterable[str], frames: Iterable[str]
) -> None:
    """Refuse keys that match nothing.

    Raises
    ------
    Mdh2UrdfError
        One line a key, with the nearest name.
    """
    problems: list[Finding] = []
    groups: tuple[tuple[str, str, Mapping[str, object], list[str]], ...] = (
        ("joints", "joint", settings.joints, list(joints)),
        ("links", "occurrence", settings.links, list(links)),
        ("frames", "user coordinate system", settings.frames, list(frames)),
    )
    for section, what, entries, names in groups:
        unknown = [key for key in entries if not any(matches(key, name) for name in names)]
        problems += [
            Finding(file=file, path=f'{section}["{key}"]', message=unknown_name(key, names, what)) for key in unknown
        ]
    known = groups[1][3]
    targets = [(f'links["{key}"].merge', entry.merge) for key, entry in settings.links.items()]
    for path, target in [("root", settings.root or None), *targets]:
        if target is not None and target not in known:
            problems.append(Finding(file=file, path=path, message=unknown_name(target, known, "occurrence")))
    if problems:
        raise Mdh2UrdfError(problems)


Known = Mapping[str, Callable[[Any], object]]


class _Reader:
    """Checked values of the nodes of a settings file, with problems collected."""

    def __init__(self, places: Places, problems: list[Finding]) -> None:
        self.places = places
        self.problems = problems

    def problem(self, path: Path, message: str) -> None:
        self.problems.append(self.places.finding(path, message))

    def section(self, path: Path, known: Mapping[str, Callable[[Any], object]] | None) -> dict[str, Any]:
        """Values of a mapping that are given; each is checked by a function that raises ValueError."""
        data = plain_data(find(self.places.root, path))
        if data is None:
            return {}
        if not isinstance(data, dict):
            self.problem(path, "must be a mapping")
            return {}
        values: dict[str, Any] = {}
        for key, value in data.items():
            if known is None:
                values[key] = value
            elif key not in known:
                self.problem((*path, key), f"is unknown; known are {', '.join(known)}")
            elif value is not None:
                try:
                    values[key] = known[key](value)
                except ValueError as error:
                    self.problem((*path, key), str(error))
        return values


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError("must be a text")
    return value


def _safe(value: Any) -> str:
    if not isinstance(value, str) or not SAFE_NAME.fullmatch(value):
        raise ValueError("must be a name of letters, digits and _ that starts with no digit")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= LARGEST:
        raise ValueError(f"must be a number within {LARGEST:.0e}")
    return float(value)


def _not_negative(value: Any) -> float:
    if _number(value) < 0.0:
        raise ValueError("must not be negative")
    return float(value)


def _positive(value: Any) -> float:
    if _number(value) <= 0.0:
        raise ValueError("must be above 0")
    return float(value)


def _vector(value: Any) -> Vector3:
    if not isinstance(value, list) or len(value) != 3:
        raise ValueError("must be a list of three numbers")
    x, y, z = (_number(item) for item in value)
    return (x, y, z)


def _color(value: Any) -> tuple[float, float, float, float]:
    if not isinstance(value, list) or len(value) != 4 or not all(0.0 <= _number(item) <= 1.0 for item in value):
        raise ValueError("must be a list of red, green, blue, alpha between 0 and 1")
    red, green, blue, alpha = (float(item) for item in value)
    return (red, green, blue, alpha)


def _choice(*allowed: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return str(value)

    return check


def _inertia(value: Any) -> Inertia:
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    if not isinstance(value, dict) or set(value) != set(names):
        raise ValueError(f"must hold {', '.join(names)} in kg m2")
    return Inertia(**{name: _number(value[name]) for name in names})


def _pose(value: Any) -> Transform:
    if not isinstance(value, dict) or not set(value) <= {"xyz", "rpy"}:
        raise ValueError("must hold xyz in m and rpy in rad")
    return Transform.from_xyz_rpy(_vector(value.get("xyz", [0, 0, 0])), _vector(value.get("rpy", [0, 0, 0])))


def _follow(value: Any) -> str:
    if parse_follow(_text(value)) is None:
        raise ValueError(f"must be JOINT, JOINT*K or JOINT*K+C, K and C within {LARGEST:.0e}")
    return str(value)


def _anything(value: Any) -> Any:
    return value


_JOINT = {
    "name": _safe,
    "type": _choice(*JOINT_TYPES),
    "lower": _number,
    "upper": _number,
    "effort": _not_negative,
    "velocity": _not_negative,
    "damping": _not_negative,
    "friction": _not_negative,
    "flip": _flag,
    "mimic": _follow,
    "ignore": _flag,
}
_LINK = {
    "name": _safe,
    "mass": _positive,
    "center_of_mass": _vector,
    "inertia": _inertia,
    "density": _positive,
    "collision": _choice(*COLLISIONS),
    "color": _color,
    "ignore": _flag,
    "merge": _text,
}
_FRAME = {"name": _safe, "ignore": _flag}
_DEFAULTS = dict.fromkeys(("effort", "velocity", "slider_effort", "slider_velocity"), _not_negative)
_EXPECT = {"mass": _positive, "center_of_mass": _vector}
_TOP = {
    "root": _text,
    "up": _choice("z", "y"),
    "base_frame": _pose,
    **dict.fromkeys(("joint_defaults", "expect", "joints", "links", "frames"), _anything),
}


def _settings(reader: _Reader) -> Settings:
    top = reader.section((), _TOP)
    expect = reader.section(("expect",), _EXPECT) if "expect" in top else {}
    defaults = reader.section(("joint_defaults",), _DEFAULTS) if "joint_defaults" in top else {}

    def entries(
        name: str, known: Mapping[str, Callable[[Any], object]], make: Callable[..., Entry]
    ) -> dict[str, Entry]:
        keys = reader.section((name,), None) if name in top else {}
        return {key: make(**reader.section((name, key), known)) for key in keys}

    return Settings(
        root=top.get("root", ""),
        up=top.get("up"),
        base_frame=top.get("base_frame"),
        joint_defaults=JointDefaults(**defaults),
        expect_mass=expect.get("mass"),
        expect_center_of_mass=expect.get("center_of_mass"),
        joints=entries("joints", _JOINT, JointSettings),
        links=entries("links", _LINK, LinkSettings),
        frames=entries("frames", _FRAME, FrameSettings),
        places=reader.places,
    )
