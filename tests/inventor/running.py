"""Conversions of dumps that tests make, and what the written URDF says, read with the standard library."""

from __future__ import annotations

import copy
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from assemblies import Assembly, write_dump

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.convert import InventorResult, convert_dump
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from oracles import position_error, rotation_error, rpy_matrix, shift, urdf_fk

DEFAULTS = JointDefaults(effort=10.0, velocity=1.0, slider_effort=100.0, slider_velocity=0.5)
IDENTITY = np.eye(4).tolist()


def convert(dump: dict, folder: Path, *, settings: str | None = None, **options) -> InventorResult:
    """The conversion of a dump that is written into a folder first."""
    path = write_dump(dump, folder)
    if settings is not None:
        (folder / "robot.yaml").write_text(settings, encoding="utf-8")
    options.setdefault("joint_defaults", DEFAULTS)
    return convert_dump(path, InventorOptions(**options))


def refused(dump: dict, folder: Path, **options) -> list[str]:
    """The lines with which a dump is refused, without the file's name."""
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(dump, folder, **options)
    prefix = f"{folder}/"
    return [str(problem).replace(prefix, "").removeprefix("robot.inventor.json: ") for problem in caught.value.problems]


def told(result: InventorResult) -> list[str]:
    """Findings as ``rule: message``."""
    return [f"{finding.rule}: {finding.message}" for finding in result.findings]


def numbers(text: str) -> np.ndarray:
    return np.array([float(item) for item in text.split()])


def origin(element) -> np.ndarray:
    found = None if element is None else element.find("origin")
    if found is None:
        return np.eye(4)
    return shift(*numbers(found.get("xyz", "0 0 0"))) @ rpy_matrix(*numbers(found.get("rpy", "0 0 0")))


def joint(result: InventorResult, name: str):
    return next(j for j in ElementTree.fromstring(result.urdf).findall("joint") if j.get("name") == name)


def link(result: InventorResult, name: str):
    return next(item for item in ElementTree.fromstring(result.urdf).findall("link") if item.get("name") == name)


def visual_places(text: str) -> dict[str, tuple[str, np.ndarray]]:
    """Link and pose in it of every visual by name."""
    return {
        visual.get("name"): (item.get("name"), origin(visual))
        for item in ElementTree.fromstring(text).findall("link")
        for visual in item.findall("visual")
    }


def urdf_values(result: InventorResult, q: dict[str, float]) -> dict[str, float]:
    """Joint values by the URDF's joint names."""
    names = {row["name"]: row["urdf"][0] for row in result.report["joints"]}
    return {names[name]: value for name, value in q.items()}


def truth_error(assembly: Assembly, result: InventorResult, rng, count: int = 5) -> tuple[float, float]:
    """Largest error in m and rad of the visuals of all parts at random values, seen from the grounded part."""
    places = visual_places(result.urdf)
    renamed = result.report["renamed"]["links"]
    base = assembly.bodies[0].parts[0].name
    worst = np.zeros(2)
    for _ in range(count):
        q = assembly.random_q(rng)
        links = urdf_fk(result.urdf, urdf_values(result, q))
        truth = assembly.part_poses(q)
        found = {name: links[places[renamed.get(name, name)][0]] @ places[renamed.get(name, name)][1] for name in truth}
        for name in truth:
            got = np.linalg.inv(found[base]) @ found[name]
            wanted = np.linalg.inv(truth[base]) @ truth[name]
            worst = np.maximum(worst, (position_error(got, wanted), rotation_error(got, wanted)))
    return float(worst[0]), float(worst[1])


def occurrence(name: str, pose=None, **fields) -> dict:
    """A bare occurrence."""
    data = {
        "name": name,
        "document": name.split(":", maxsplit=1)[0] + ".ipt",
        "assembly_from_occurrence": pose or IDENTITY,
    }
    return data | fields


def rotational(
    name: str, one: str | None, two: str | None, samples=None, value=0.0, limits=(None, None), **fields
) -> dict:
    """A rotational joint; ``samples`` are pairs of value and poses."""
    data = {
        "name": name,
        "type": "kRotationalJointType",
        "type_value": 102402,
        "occurrence_one": one,
        "occurrence_two": two,
        "angular": {"value": value, "start": limits[0], "end": limits[1]},
    }
    if samples is not None:
        data["probe"] = probe(samples)
    return data | fields


def probe(samples, quantity: str = "angular", **fields) -> dict:
    rows = [{"value": value, "transforms": transforms} for value, transforms in samples]
    return {"status": "moved", "quantity": quantity, "samples": rows} | fields


def bare_dump(occurrences: list[dict], joints: list[dict], **fields) -> dict:
    data = {"format": "inventor-dump", "version": 1, "document": "Arm.iam"}
    return data | {"occurrences": occurrences, "joints": joints} | fields


def turned(angle: float, point=(0.0, 0.0, 0.0), start=None) -> list[list[float]]:
    """A pose turned about a z axis through a point (cm), as rows."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
    matrix = shift(*point) @ turn @ shift(*(-np.asarray(point, dtype=float)))
    return (matrix @ (np.eye(4) if start is None else np.asarray(start, dtype=float))).tolist()


def slid(x: float, y: float = 0.0, z: float = 0.0) -> list[list[float]]:
    return shift(x, y, z).tolist()


def one_joint(limits=(None, None), **fields) -> dict:
    """A base and an arm on one turning joint about z through (10, 5) cm."""
    samples = [(v, {"Base:1": IDENTITY, "Arm:1": turned(v, (10, 5, 0))}) for v in (0.0, 0.1)]
    return bare_dump(
        [occurrence("Base:1", grounded=True), occurrence("Arm:1")],
        [rotational("Turn:1", "Arm:1", "Base:1", samples, limits=limits) | fields],
    )


def changed(dump: dict, path: str, value) -> dict:
    """A copy of a dump with one value replaced; the path is written ``joints.0.probe.status``."""
    data = copy.deepcopy(dump)
    *steps, last = path.split(".")
    place = data
    for step in steps:
        place = place[int(step)] if step.isdigit() and isinstance(place, list) else place[step]
    if isinstance(place, list):
        place[int(last)] = value
    else:
        place[last] = value
    return data
