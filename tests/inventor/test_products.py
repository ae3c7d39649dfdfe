"""What an Inventor dump becomes besides a URDF: a ROS 2 package, an SRDF, changes, fewer links."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_dump, write_meshes
from mechanisms import FourBar
from running import convert, link, truth_error

from command_line import run
from oracles import urdf_fk

DEFAULTS = "effort=10,velocity=1,slider_effort=100,slider_velocity=0.5"


@pytest.fixture
def dump(tmp_path):
    """The path of a dump with meshes, rigid joints and screws, and its assembly."""
    rng = np.random.default_rng(8)
    assembly = random_assembly(rng, 5, meshes=True)
    folder = tmp_path / "cad"
    folder.mkdir()
    write_meshes(assembly, folder)
    return write_dump(dump_of(assembly, assembly.random_q(rng), rng=rng), folder)


def test_a_package_of_a_dump_has_its_meshes_and_hulls_and_works_alone(dump, tmp_path):
    package = tmp_path / "arm_description"
    done = run("inventor", dump, "--ros2", package, "--joint-defaults", DEFAULTS, "--collision", "hull")
    assert (done.status, done.out) == (0, "")
    assert f"{package}: " in done.err
    (urdf,) = (package / "urdf").glob("*.urdf")
    text = urdf.read_text()
    names = {mesh.get("filename") for mesh in ElementTree.fromstring(text).iter("mesh")}
    assert len(names) > 4
    originals = [path.read_bytes() for path in dump.parent.glob("*.stl")]
    for name in names:
        copy = package / name.removeprefix("package://arm_description/")
        assert copy.read_bytes() in originals
    plain = run("inventor", dump, "--joint-defaults", DEFAULTS, "--quiet").out
    before, after = urdf_fk(plain, {}), urdf_fk(text, {})
    assert list(before) == list(after)
    for name, pose in before.items():
        np.testing.assert_allclose(after[name], pose, atol=1e-12)


def test_a_package_and_a_urdf_can_be_written_at_once(dump, tmp_path):
    output = tmp_path / "out" / "arm.urdf"
    output.parent.mkdir()
    package = tmp_path / "arm_description"
    given = ("--maintainer", "Ada Lovelace <ada@example.org>", "--license", "MIT")
    done = run("inventor", dump, "--ros2", package, "-o", output, "--joint-defaults", DEFAULTS, *given)
    assert done.status == 0
    assert f"written: {output}" in done.err
    assert len(list((package / "meshes").iterdir())) == len(list(dump.parent.glob("*.stl")))
    manifest = ElementTree.parse(package / "package.xml").getroot()
    assert (manifest.findtext("maintainer"), manifest.findtext("license")) == ("Ada Lovelace", "MIT")


def test_an_srdf_of_a_dump_has_its_loops_passive_joints(tmp_path):
    dump = write_dump(FourBar().dump(0.7), tmp_path)
    given = ("--joint-defaults", DEFAULTS, "--pose", "turned:R1=0.125")
    done = run("inventor", dump, "--srdf", tmp_path / "arm.srdf", *given)
    assert done.status == 0
    assert done.err.splitlines()[-1] == "no link has collision geometry: only neighbours are disabled"
    root = ElementTree.parse(tmp_path / "arm.srdf").getroot()
    assert [each.get("name") for each in root.findall("passive_joint")] == ["R2", "R4"]
    assert root.find("group_state[@name='turned']/joint[@name='R1']").get("value") == "0.125"
    pairs = {frozenset((each.get("link1"), each.get("link2"))) for each in root.findall("disable_collisions")}
    assert frozenset(("Rocker_1", "Coupler_1")) in pairs


def test_what_changed_since_the_last_dump_is_told_and_reported(dump, tmp_path):
    output, report = tmp_path / "arm.urdf", tmp_path / "report.json"
    first = run("inventor", dump, "-o", output, "--joint-defaults", DEFAULTS)
    assert "link 'Base_1': " not in first.err
    data = json.loads(dump.read_text())
    data["occurrences"][0]["bodies"][0]["mass"] *= 2.0
    dump.write_text(json.dumps(data))
    done = run("inventor", dump, "-o", output, "--joint-defaults", DEFAULTS, "--against", output, "--report", report)
    lines = json.loads(report.read_text())["changes"]
    assert done.err.splitlines()[-len(lines) :] == lines
    assert lines[0].startswith("link 'Base_1': mass ")
    assert all(line.startswith("link 'Base_1': ") for line in lines)


@pytest.mark.parametrize("seed", range(6))
def test_merged_links_of_a_dump_are_replayed_and_have_every_part_and_mass(seed, tmp_path):
    rng = np.random.default_rng(seed)
    assembly = random_assembly(rng, 6, branches=seed % 2 == 1, meshes=True)
    write_meshes(assembly, tmp_path)
    dump = dump_of(assembly, assembly.random_q(rng), rng=rng)
    plain = convert(dump, tmp_path, keep_fixed=seed % 3 == 0)
    merged = convert(dump, tmp_path, keep_fixed=seed % 3 == 0, merge_fixed=True)
    assert merged.certificate.passed
    assert max(truth_error(assembly, merged, rng)) < 1e-9
    fixed = [joint for joint in merged.robot.joints if joint.type == "fixed"]
    assert [joint.parent for joint in fixed] == ["base_link"]
    masses = [sum(row["mass"] or 0.0 for row in result.report["links"]) for result in (plain, merged)]
    assert masses[1] == pytest.approx(masses[0], rel=1e-12)
    assert merged.report_text.split("mass: ")[1].split("\n")[0] == plain.report_text.split("mass: ")[1].split("\n")[0]
    for row in merged.report["links"]:
        written = link(merged, row["name"]).find("inertial/mass")
        assert (0.0 if written is None else float(written.get("value"))) == pytest.approx(row["mass"] or 0.0, rel=1e-12)
    rules = {finding.rule for finding in merged.findings}
    assert rules == ({"merged-links"} if len(merged.robot.links) < len(plain.robot.links) else set())


def test_loops_are_closed_between_merged_links(tmp_path):
    bar = FourBar()
    dump = bar.dump(0.7)
    plain, merged = (convert(dump, tmp_path, merge_fixed=each) for each in (False, True))
    (before,), (after,) = plain.robot.loops, merged.robot.loops
    one, two = (result.robot.link_poses(loop.closed) for result, loop in ((plain, before), (merged, after)))
    for poses, loop in ((one, before), (two, after)):
        gap = np.array((poses[loop.link_a] @ loop.frame_a).translation) - np.array(
            (poses[loop.link_b] @ loop.frame_b).translation
        )
        assert np.linalg.norm(gap) < 1e-9


def test_a_joint_that_the_settings_ignore_is_dropped(tmp_path):
    dump = FourBar().dump(0.7)
    result = convert(dump, tmp_path, settings='joints:\n  "R3": {ignore: true}\n')
    assert "left out: joint R3: dropped by order" in result.report_text
    assert [row["name"] for row in result.report["joints"]] == ["R1", "R4", "R2"]
