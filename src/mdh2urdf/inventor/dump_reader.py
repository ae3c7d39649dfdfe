"""An Inventor dump read strictly: format, units, every field, every matrix; all errors at once."""

from __future__ import annotations

import json
from pathlib import Path, PureWindowsPath
from typing import Any, NoReturn

import numpy as np

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_text
from mdh2urdf.inventor.dump import (
    JOINT_TYPES,
    Body,
    Coordinate,
    Dump,
    Joint,
    MotionConstraint,
    Occurrence,
    RangeBox,
    UserFrame,
    Verification,
)
from mdh2urdf.inventor.fields import CM, MAX_NUMBER, Fields, Problems, is_number, shown, too_large
from mdh2urdf.inventor.poses import Array
from mdh2urdf.inventor.probe_reader import read_probe, read_transforms

MAX_DUMP_BYTES = 1024 * 1024 * 1024
"""Largest dump that is read: 2,000 occurrences and 100 joints of two samples have 100 MB."""

CM2 = -4
CM3 = -6
PER_CM3 = 6
"""Powers of ten from the file's units to SI."""

UNITS = {"length": "cm", "mass": "kg", "angle": "rad"}


def read_dump(path: str | Path) -> tuple[Dump, list[Finding]]:
    """The dump in a file, and findings.

    Raises
    ------
    Mdh2UrdfError
        If the file cannot be read, is no JSON, or breaks the format; every place that does is named.
    """
    return parse_dump(read_text(path, limit=MAX_DUMP_BYTES), str(path))


def parse_dump(text: str, file: str = "") -> tuple[Dump, list[Finding]]:
    """The dump in a JSON text, and findings; see `read_dump`."""
    problems = Problems(file)
    top = Fields(_json(text, file), "", problems)
    for name, wanted in (("format", "inventor-dump"), ("version", 1)):
        value = top.raw(name, required=True)
        if value is not None and (value != wanted or type(value) is not type(wanted)):
            problems.error(name, f"must be {json.dumps(wanted)}, not {shown(value)}")
    problems.stop()
    _units(top)
    document = top.text("document", required=True)
    occurrences = tuple(
        _occurrence(i, *item, problems) for i, item in enumerate(top.items("occurrences", required=True))
    )
    index = _index(occurrences, problems)
    if not occurrences:
        # Whatever names an occurrence would be an error too.
        problems.stop()
    joints = tuple(_joint(i, *item, index, problems) for i, item in enumerate(top.items("joints")))
    _unique("joints", [joint.name for joint in joints], problems)
    names = {joint.name for joint in joints}
    dump = Dump(
        file=file,
        document=document,
        inventor_version=top.text("inventor_version"),
        occurrences=occurrences,
        joints=joints,
        motion_constraints=tuple(_constraint(*item, index, problems) for item in top.items("motion_constraints")),
        frames=tuple(_frame(*item, index, problems) for item in top.items("frames")),
        verify=tuple(_verification(*item, names, index, problems) for item in top.items("verify")),
        messages=tuple(_messages(top)),
        index=index,
    )
    _unique("frames", [frame.name for frame in dump.frames], problems)
    top.end()
    problems.stop()
    return dump, problems.findings()


def _json(text: str, file: str) -> Any:
    def no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        data = dict(pairs)
        if len(data) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            raise Mdh2UrdfError(Finding(file=file, message=f"the key {twice!r} stands twice in one object"))
        return data

    def no_constant(name: str) -> NoReturn:
        raise Mdh2UrdfError(Finding(file=file, message=f"holds {name}, which is no JSON number"))

    try:
        return json.loads(text, object_pairs_hook=no_duplicates, parse_constant=no_constant)
    except json.JSONDecodeError as error:
        message = f"is no JSON: {error.msg}"
        if not text.lstrip().startswith("{"):
            message = "is no JSON; wanted is the NAME.inventor.json that the iLogic rule wrote"
        place = Finding(file=file, line=error.lineno, column=error.colno, message=message)
        raise Mdh2UrdfError(place) from error
    except (ValueError, RecursionError) as error:
        what = "nested too deeply" if isinstance(error, RecursionError) else "a number has too many digits"
        raise Mdh2UrdfError(Finding(file=file, message=f"is no dump: {what}")) from error


def _units(top: Fields) -> None:
    units = top.fields("units")
    if units is None:
        return
    for name, wanted in UNITS.items():
        value = units.text(name, wanted)
        if value != wanted:
            top.problems.error(units.at(name), f"must be {wanted!r} (Inventor's database unit), not {value!r}")
    units.end()


def _messages(top: Fields) -> list[str]:
    messages = []
    for path, item in top.items("messages"):
        if not isinstance(item, str):
            top.problems.error(path, f"must be a text, not {shown(item)}")
        else:
            messages.append(item)
    return messages


def _index(occurrences: tuple[Occurrence, ...], problems: Problems) -> dict[str, int]:
    """Place of every occurrence by name; names that are equal, or differ only by case, are errors."""
    _unique("occurrences", [occurrence.name for occurrence in occurrences], problems)
    folded: dict[str, str] = {}
    for occurrence in occurrences:
        twin = folded.setdefault(occurrence.name.casefold(), occurrence.name)
        if twin != occurrence.name:
            problems.error(
                f"occurrences[{occurrence.index}].name",
                f"{occurrence.name!r} and {twin!r} differ only by case; Inventor and Windows take them for one",
            )
    if not occurrences and not problems.errors:
        problems.error("occurrences", "the assembly has no occurrences")
    return {occurrence.name: occurrence.index for occurrence in occurrences}


def _unique(list_name: str, names: list[str], problems: Problems) -> None:
    first: dict[str, int] = {}
    for i, name in enumerate(names):
        if first.setdefault(name, i) != i and name:
            problems.error(f"{list_name}[{i}].name", f"{name!r} is the name of {list_name}[{first[name]}] too")


def _occurrence(i: int, path: str, data: Any, problems: Problems) -> Occurrence:
    get = Fields(data, path, problems)
    name = get.text("name", required=True)
    suppressed = get.flag("suppressed")
    steps = [str(step) for _, step in get.items("path")] or name.split("/")
    get.raw("part_number")
    occurrence = Occurrence(
        index=i,
        name=name,
        path=tuple(steps),
        document=get.text("document", required=True),
        model_state=get.text("model_state"),
        kind=get.text("kind", "part"),
        flexible=get.flag("flexible"),
        grounded=get.flag("grounded"),
        visible=get.flag("visible", default=True),
        suppressed=suppressed,
        excluded=get.flag("excluded"),
        bom=get.text("bom", "normal"),
        pose=get.pose("assembly_from_occurrence", required=not suppressed),
        box=_range_box(get),
        mesh=_mesh(get),
        bodies_total=get.count("bodies_total"),
        bodies_visible=get.count("bodies_visible"),
        bodies=tuple(_body(*item, problems) for item in get.items("bodies")),
        mass_override=_not_negative(get, "mass_override"),
        color=_color(get),
    )
    get.end()
    return occurrence


def _mesh(get: Fields) -> str | None:
    """Name of a mesh file; it stays in the meshes' folder, so that a dump cannot reach for other files."""
    name = get.text("mesh")
    path = PureWindowsPath(name)  # knows the separators and the absolute names of both systems
    if path.anchor or ".." in path.parts:
        get.problems.error(get.at("mesh"), f"{shown(name)} must name a file in the folder of the meshes")
    return name or None


def _range_box(get: Fields) -> RangeBox | None:
    box = get.fields("range_box")
    if box is None:
        return None
    low, high = box.point("min", required=True), box.point("max", required=True)
    precise = box.flag("precise")
    box.end()
    if low is None or high is None:
        return None
    if (low > high).any():
        get.problems.error(box.path, "min must not be above max")
    return RangeBox(low=low, high=high, precise=precise)


def _color(get: Fields) -> tuple[float, float, float, float] | None:
    color = get.vector("color", 4)
    if color is None:
        return None
    if not all(0.0 <= value <= 1.0 for value in color):
        get.problems.error(get.at("color"), "must be red, green, blue, alpha between 0 and 1")
    red, green, blue, alpha = color
    return (red, green, blue, alpha)


def _not_negative(get: Fields, name: str, power: int = 0) -> float | None:
    value = get.number(name, power=power)
    if value is not None and value < 0.0:
        get.problems.error(get.at(name), f"must not be negative, but is {shown(get.data[name])}")
    return value


def _body(path: str, data: Any, problems: Problems) -> Body:
    get = Fields(data, path, problems)
    material = get.fields("material")
    scale = _not_negative(get, "override_scale")
    body = Body(
        name=get.text("name", required=True),
        mass=_not_negative(get, "mass"),
        volume=_not_negative(get, "volume", CM3),
        center_of_mass=get.point("center_of_mass"),
        inertia=_tensor(get),
        occurrence_from_part=get.pose("occurrence_from_part"),
        material=material.text("name") if material else "",
        density=_not_negative(material, "density", PER_CM3) if material else None,
        override_scale=1.0 if scale is None else scale,
        color=_color(get),
        visible_only=get.flag("visible_only", default=True),
    )
    if material:
        material.end()
    get.end()
    return body


def _tensor(get: Fields) -> Array | None:
    """The 3x3 tensor in kg m²; the file's products are tensor components already."""
    inertia = get.fields("inertia")
    if inertia is None:
        return None
    names = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    values = [inertia.number(name, required=True, power=CM2) for name in names]
    inertia.end()
    ixx, ixy, ixz, iyy, iyz, izz = (value or 0.0 for value in values)
    return np.array(((ixx, ixy, ixz), (ixy, iyy, iyz), (ixz, iyz, izz)))


def _joint(i: int, path: str, data: Any, index: dict[str, int], problems: Problems) -> Joint:
    get = Fields(data, path, problems)
    name = get.text("name", required=True)
    one, two = _end(get, "occurrence_one", index), _end(get, "occurrence_two", index)
    geometry = get.fields("geometry")
    axis = geometry.vector("axis") if geometry else None
    origin = geometry.point("origin") if geometry else None
    if geometry:
        geometry.end()
    get.raw("path")
    joint = Joint(
        index=i,
        name=name,
        type=_joint_type(get),
        one=one,
        two=two,
        suppressed=get.flag("suppressed"),
        locked=get.flag("locked"),
        protected=get.flag("protected"),
        health=get.count("health"),
        angular=_coordinate(get, "angular", 0),
        linear=_coordinate(get, "linear", CM),
        axis=None if axis is None else np.array(axis),
        origin=origin,
        probe=read_probe(get, "probe", (one, two), index),
        coupled_probe=read_probe(get, "coupled_probe", (one, two), index),
    )
    get.end()
    return joint


def _end(get: Fields, name: str, index: dict[str, int]) -> int | None:
    if name not in get.data:
        get.problems.error(get.at(name), "is missing (null where the joint holds the assembly itself)")
    return _reference(get, name, index)


def _reference(get: Fields, name: str, index: dict[str, int], *, required: bool = False) -> int | None:
    target = get.text(name, required=required)
    if not target:
        return None
    if target not in index:
        get.problems.error(get.at(name), f"there is no occurrence {target!r}")
        return None
    return index[target]


def _joint_type(get: Fields) -> str:
    kind = get.text("type", required=True)
    number = get.count("type_value")
    if kind in JOINT_TYPES.values() and number is not None and JOINT_TYPES.get(number, kind) != kind:
        get.problems.error(get.at("type"), f"{kind} contradicts type_value {number}, {JOINT_TYPES[number]}")
    return kind


def _coordinate(get: Fields, name: str, power: int) -> Coordinate | None:
    part = get.fields(name)
    if part is None:
        return None
    value, start, end = (part.number(key, power=power) for key in ("value", "start", "end"))
    part.end()
    return Coordinate(value=value, start=start, end=end)


def _constraint(path: str, data: Any, index: dict[str, int], problems: Problems) -> MotionConstraint:
    get = Fields(data, path, problems)
    one = _reference(get, "occurrence_one", index, required=True)
    two = _reference(get, "occurrence_two", index, required=True)
    ratio = get.number("ratio", required=True)
    if ratio == 0.0:
        problems.error(get.at("ratio"), "must not be 0")
    get.taken.add("forward")
    constraint = MotionConstraint(
        name=get.text("name", required=True),
        kind=get.text("kind", required=True),
        one=-1 if one is None else one,
        two=-1 if two is None else two,
        ratio=ratio or 0.0,
        forward=get.flag("forward") if get.data.get("forward") is not None else None,
    )
    get.end()
    return constraint


def _frame(path: str, data: Any, index: dict[str, int], problems: Problems) -> UserFrame:
    get = Fields(data, path, problems)
    frame = UserFrame(
        name=get.text("name", required=True),
        occurrence=_reference(get, "occurrence", index),
        pose=get.pose("occurrence_from_frame", required=True),
    )
    get.end()
    return frame


def _verification(path: str, data: Any, names: set[str], index: dict[str, int], problems: Problems) -> Verification:
    get = Fields(data, path, problems)
    values: dict[str, float] = {}
    part = get.fields("values")
    for name, value in (part.data if part else {}).items():
        place = f"{path}.values[{json.dumps(name, ensure_ascii=False)}]"
        if name not in names:
            problems.error(place, "is no listed joint")
        elif not is_number(value):
            problems.error(place, f"must be a finite number, not {shown(value)}")
        elif too_large(value, MAX_NUMBER):
            problems.error(place, f"{too_large(value, MAX_NUMBER)}, not {shown(value)}")
        else:
            values[name] = float(value)
    verification = Verification(values=values, poses=read_transforms(get, index, []))
    get.end()
    return verification
