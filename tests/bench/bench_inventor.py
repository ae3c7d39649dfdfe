"""How long Inventor dumps and their meshes take, against what anybody would use to read them; ratios of one run."""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time

import numpy as np
import pytest

from mdh2urdf.inventor.convert import convert_dump
from mdh2urdf.inventor.mesh import mesh_facts, unit_of
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from readers import require_module

TRIANGLES = 1_000_000
OCCURRENCES = 2_000
JOINTS = 100


def quickest(function, times: int = 3) -> float:
    """The best time of a few, s."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        function()
        found.append(time.perf_counter() - start)
    return min(found)


@pytest.fixture(scope="module")
def sphere(tmp_path_factory):
    """A binary STL of a sphere of 100 mm radius with a million triangles."""
    rings = 500
    polar, around = np.meshgrid(np.linspace(0, np.pi, rings + 1), np.linspace(0, 2 * np.pi, 2 * 500 + 1), indexing="ij")
    points = 100 * np.stack([np.sin(polar) * np.cos(around), np.sin(polar) * np.sin(around), np.cos(polar)], axis=-1)
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:]
    corners = np.concatenate(
        [np.stack([a, b, c], axis=2).reshape(-1, 3, 3), np.stack([a, c, d], axis=2).reshape(-1, 3, 3)]
    )
    rows = np.zeros(len(corners), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    rows["corners"] = corners
    path = tmp_path_factory.mktemp("mesh") / "sphere.stl"
    path.write_bytes(bytes(80) + len(rows).to_bytes(4, "little") + rows.tobytes())
    assert len(rows) == TRIANGLES
    return path


def test_mass_data_and_unit_of_a_million_triangles_against_trimesh(sphere, benchmark):
    trimesh = require_module("trimesh")
    volume = 4 / 3 * math.pi * 0.1**3

    def ours():
        facts = mesh_facts(sphere)
        assert unit_of(facts, volume, None) == "mm"
        return facts

    def theirs():
        return trimesh.load_mesh(sphere).mass_properties

    facts = benchmark.pedantic(ours, rounds=3, iterations=1)
    peer = quickest(theirs, 1)
    ratio = benchmark.stats.stats.min / peer
    benchmark.extra_info["share of trimesh's time"] = round(ratio, 3)
    assert facts.volume * 1e-9 == pytest.approx(volume, rel=1e-4)


MEMORY = """
import sys
from pathlib import Path
from mdh2urdf.inventor.mesh import mesh_facts


def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM")).split()[1])


before = peak()
mesh_facts(Path(sys.argv[1]))
print(peak() - before)
"""


def test_a_mesh_takes_at_most_four_times_its_file_in_memory(sphere):
    if sys.platform != "linux":
        pytest.skip("the peak of a process is read from /proc")
    run = subprocess.run([sys.executable, "-c", MEMORY, str(sphere)], capture_output=True, text=True, check=True)
    ratio = int(run.stdout) / sphere.stat().st_size
    assert 0.1 < ratio <= 4.0


def large_dump() -> str:
    """A base and 100 links that turn, each with 19 screws, probed twice: written as text, not to wait for it."""
    names = ["Base:1"] + [f"Link{i}:1" for i in range(1, JOINTS + 1)]
    names += [f"Screw{i}:{k}" for i in range(JOINTS + 1) for k in range(1, 20)][: OCCURRENCES - len(names)]
    rng = np.random.default_rng(0)
    start = {}
    for name in names:
        owner = 0 if name == "Base:1" else int(name[4 if name.startswith("Link") else 5 :].split(":")[0])
        angle = float(rng.uniform(-3, 3))
        c, s = math.cos(angle), math.sin(angle)
        place = [[c, -s, 0.0, 10.0 * owner + float(rng.uniform(0, 5))], [s, c, 0.0, float(rng.uniform(0, 5))]]
        start[name] = (owner, np.array([*place, [0.0, 0.0, 1.0, float(rng.uniform(0, 5))], [0.0, 0.0, 0.0, 1.0]]))
    still = {name: f"{json.dumps(name)}: {json.dumps(pose.tolist())}" for name, (_, pose) in start.items()}
    c, s = math.cos(0.1), math.sin(0.1)
    turn = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])
    moved = {name: f"{json.dumps(name)}: {json.dumps((turn @ pose).tolist())}" for name, (_, pose) in start.items()}
    joints = []
    for i in range(1, JOINTS + 1):
        samples = []
        for value in (0.0, 0.1):
            rows = [moved[name] if value and start[name][0] == i else still[name] for name in names]
            samples.append(f'{{"value": {value}, "transforms": {{{", ".join(rows)}}}}}')
        joints.append(
            f'{{"name": "Turn:{i}", "type": "kRotationalJointType", "occurrence_one": "Link{i}:1",'
            f' "occurrence_two": "Base:1", "angular": {{"value": 0.0, "start": -1.0, "end": 1.0}},'
            f' "probe": {{"status": "moved", "quantity": "angular", "samples": [{", ".join(samples)}]}}}}'
        )
    occurrences = [
        f'{{"name": {json.dumps(name)}, "document": "P.ipt", "grounded": {json.dumps(name == "Base:1")},'
        f' "assembly_from_occurrence": {json.dumps(pose.tolist())}}}'
        for name, (_, pose) in start.items()
    ]
    return (
        '{"format": "inventor-dump", "version": 1, "document": "Large.iam", '
        f'"occurrences": [{", ".join(occurrences)}], "joints": [{", ".join(joints)}]}}'
    )


def test_two_thousand_occurrences_against_json(tmp_path, benchmark):
    text = large_dump()
    path = tmp_path / "large.json"
    path.write_text(text, encoding="utf-8")
    peer = quickest(lambda: json.loads(text), 2)
    options = InventorOptions(joint_defaults=JointDefaults(effort=1.0, velocity=1.0))
    result = benchmark.pedantic(convert_dump, args=(path, options), rounds=1, iterations=1)
    ratio = benchmark.stats.stats.min / peer
    benchmark.extra_info["times json.loads"] = round(ratio, 2)
    assert len(result.robot.links) == JOINTS + 1
    assert result.certificate.passed
    assert result.certificate.parts == OCCURRENCES
