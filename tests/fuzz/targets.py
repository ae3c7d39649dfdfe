"""What is fuzzed: each target takes bytes, reads them as one kind of input, and goes on with what was read.

Only the project's own error may come out, with one line a problem; and what was read must be written, or refused with
that error.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from contextlib import redirect_stderr
from dataclasses import replace
from functools import cache
from io import StringIO
from pathlib import Path
from zlib import crc32

from again import (
    FARTHEST,
    fitted,
    reach_of,
    same_kinematics,
    same_origins,
    same_table,
    same_urdf,
    same_xacro,
    taken,
    without_mimics,
)

from mdh2urdf.convert import robot_from_table
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.files import decode
from mdh2urdf.inventor.dump import Dump, UserFrame
from mdh2urdf.inventor.settings import parse_settings
from mdh2urdf.inventor.settings_file import merged_settings
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.robot import Robot
from mdh2urdf.sdf.reader import read_sdf
from mdh2urdf.sdf.writer import write_sdf
from mdh2urdf.table import Table

Target = Callable[[bytes], None]

NAME = "fuzzed"

LONGEST = 3000
"""Characters of a message; those that list every known name are the longest."""
EXPANDED = 8
"""Of so many macros one is expanded: it takes as long as all the rest."""

ARITHMETIC = frozenset("0123456789.+-*/()<>= ,_abcdefghijklmnopqrstuvwxyz")
"""Characters of which an expression in a fuzzed xacro may consist: xacro would run anything."""

FOLDER = tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


def checked(target: Target) -> Target:
    """The target, with its error looked at: lines that begin with the file's name and hide nothing."""

    def run(data: bytes) -> None:
        try:
            target(data)
        except Mdh2UrdfError as error:
            look_at(error)

    return run


def look_at(error: Mdh2UrdfError) -> None:
    assert error.problems, "an error says what is wrong"
    for problem in error.problems:
        line = str(problem)
        assert line, "a problem is not empty"
        assert "\n" not in line, line
        assert len(line) < LONGEST, line[:LONGEST]


def written(model: Table | Robot, metadata: Mapping[str, str] | None = None) -> None:
    """Write what was read in the project's formats, and read that again."""
    for form in ("urdf", "xacro", "origins"):
        options = ConvertOptions(format=form, inline_macro=form == "xacro", metadata=metadata or {})
        try:
            emission = emit(model, options)
        except Mdh2UrdfError as error:
            look_at(error)
            continue
        if form == "urdf":
            same_urdf(emission)
        elif form == "xacro":
            if crc32(emission.text.encode("utf-8", "replace")) % EXPANDED == 0:
                same_xacro(emission, Path(FOLDER))
        elif form == "origins":
            same_origins(emission.text, emission.robot, metadata or {})
    if isinstance(model, Table):
        same_table(model)
        simulated(robot_from_table(model).robot)
    else:
        fitted(model)
        simulated(model)


def simulated(robot: Robot) -> None:
    """Write a robot for the simulators, and read that again."""
    if reach_of(robot) > FARTHEST:
        return
    try:
        text, _ = write_mjcf(robot)
    except Mdh2UrdfError as error:
        look_at(error)
    else:
        same_kinematics(robot, taken(lambda: read_mjcf(text)[0], text))
    try:
        text, _ = write_sdf(robot)
    except Mdh2UrdfError as error:
        look_at(error)
    else:
        again = taken(lambda: read_sdf(text)[0], text)
        if not {joint.name for joint in robot.joints} & {link.name for link in robot.links}:  # SDF renames such joints
            same_kinematics(without_mimics(robot), again)


def table(data: bytes) -> None:
    from mdh2urdf.table_file.reader import read_table

    model, _ = read_table(decode(data, NAME), file=NAME, form="yaml")
    written(model)


def text_table(data: bytes) -> None:
    from mdh2urdf.table_file.reader import read_table

    model, _ = read_table(decode(data, NAME), file=NAME, form="text", convention="standard", angle="deg", length="mm")
    written(model)


def expression(data: bytes) -> None:
    from mdh2urdf.expression import Quantity, evaluate, parse

    parsed = parse(decode(data, NAME))
    parameters = {"a": Quantity(0.3), "phi": Quantity(0.5, True)}
    found = evaluate(parsed, parameters, variables=frozenset({"q"}))
    assert abs(found.value) < float("inf")


def urdf(data: bytes) -> None:
    from mdh2urdf.urdf.reader import read_urdf

    model, _ = read_urdf(decode(data, NAME), file=NAME)
    written(model)


def mjcf(data: bytes) -> None:
    model, _ = read_mjcf(decode(data, NAME), file=NAME)
    written(model)


def sdf(data: bytes) -> None:
    model, _ = read_sdf(decode(data, NAME), file=NAME)
    written(model)


def xacro(data: bytes) -> None:
    from mdh2urdf.urdf.reader import expand_xacro, read_urdf

    text = decode(data, NAME)
    if "$(eval" in text:
        return
    for part in text.split("${")[1:]:
        if not set(part.partition("}")[0]) <= ARITHMETIC or "**" in part or "__" in part:
            return
    path = Path(FOLDER, "fuzzed.xacro")
    path.write_bytes(data)
    with redirect_stderr(StringIO()):
        model, _ = read_urdf(expand_xacro(path), file=NAME)
    written(model)


def dump(data: bytes) -> None:
    from mdh2urdf.inventor.convert import IncompleteError, convert_dump, robot_of_dump
    from mdh2urdf.inventor.options import InventorOptions, JointDefaults

    path = Path(FOLDER, "fuzzed.json")
    path.write_bytes(data)
    defaults = JointDefaults(effort=1.0, velocity=1.0, slider_effort=1.0, slider_velocity=1.0)
    try:
        result = convert_dump(path, InventorOptions(joint_defaults=defaults))
    except IncompleteError as error:
        look_at(error)
        settings_text = error.settings_text
    except Mdh2UrdfError as error:
        look_at(error)
        settings_text = None
    else:
        settings_text = result.settings_text
        simulated(result.robot)
    if settings_text is not None:
        taken(lambda: parse_settings(settings_text, NAME), settings_text)
    fitted(robot_of_dump(decode(data, NAME), NAME)[0])


def settings(data: bytes) -> None:
    """Settings are read, and what the next export adds to them leaves them as they are."""
    text = decode(data, NAME)
    before = parse_settings(text, NAME)
    merged = merged_settings(exported(), text)
    after = taken(lambda: parse_settings(merged, NAME), merged)
    for section, names in exported_names().items():
        old, new = getattr(before, section), getattr(after, section)
        assert old.items() <= new.items(), (section, merged)
        assert new.keys() - old.keys() <= names, (section, merged)
    assert merged_settings(exported(), merged) == merged, merged


@cache
def exported() -> Dump:
    """A dump with names that YAML has to quote."""
    from seeds import seeds

    from mdh2urdf.inventor.dump_reader import parse_dump

    found, _ = parse_dump(seeds("dump")[0].decode(), NAME)
    return replace(
        found,
        joints=tuple(replace(found.joints[0], name=name) for name in ("Turn:1", 'a "b"', "-", "null")),
        occurrences=tuple(replace(found.occurrences[0], name=name) for name in ("Arm:1", "# x", "é\\")),
        frames=(UserFrame(name="tool: tip", occurrence=None, pose=found.occurrences[0].pose),),
    )


def exported_names() -> dict[str, set[str]]:
    found = exported()
    return {
        "joints": {joint.name for joint in found.joints},
        "links": {occurrence.name for occurrence in found.occurrences},
        "frames": {frame.name for frame in found.frames},
    }


def stl(data: bytes) -> None:
    from mdh2urdf.inventor.mesh import mesh_facts

    path = Path(FOLDER, "fuzzed.stl")
    path.write_bytes(data)
    mesh_facts(path)


def vendor(data: bytes) -> None:
    from mdh2urdf.vendor.reader import read_vendor

    model, _, metadata = read_vendor(decode(data, NAME), file=NAME, nominal=nominal())
    written(model, metadata)


@cache
def nominal() -> Table:
    """The arm as designed to which the calibrations of a UR are deltas."""
    from mdh2urdf.table_file.reader import read_table

    path = Path(__file__).resolve().parents[2] / "robots" / "ur5.yaml"
    return read_table(path.read_text(encoding="utf-8"))[0]


def screws(data: bytes) -> None:
    from mdh2urdf.screws_file import read_screws

    written(read_screws(decode(data, NAME), file=NAME))


TARGETS: dict[str, Target] = {
    name: checked(target)
    for name, target in {
        "dump": dump,
        "expression": expression,
        "mjcf": mjcf,
        "screws": screws,
        "sdf": sdf,
        "settings": settings,
        "stl": stl,
        "table": table,
        "text_table": text_table,
        "urdf": urdf,
        "vendor": vendor,
        "xacro": xacro,
    }.items()
}
