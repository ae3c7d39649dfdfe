"""Files beside a dump that cannot be looked at."""

from __future__ import annotations

import json

import pytest
from assemblies import write_dump
from running import changed, one_joint, refused

from command_line import run

LONG = "x" * 300
"""A name that no file system takes; asking whether such a file is there is an error of the system."""


def test_a_mesh_whose_name_is_too_long_is_missing_like_any_other(tmp_path):
    dump = one_joint()
    dump["occurrences"][1]["mesh"] = f"{LONG}.stl"
    (line,) = refused(dump, tmp_path)
    assert line == f"occurrences[1].mesh: there is no file {LONG}.stl; --meshes says where"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        (LONG, "cannot be read: File name too long"),
        ("robot.inventor.json/robot.yaml", "cannot be written: there is no such folder"),
    ],
    ids=["long", "in a file"],
)
def test_settings_that_cannot_be_read_are_an_error_and_not_as_if_there_were_none(name, reason, tmp_path):
    dump = write_dump(one_joint(), tmp_path)
    done = run("inventor", dump, "--settings", tmp_path / name, "--joint-defaults", "effort=1,velocity=1")
    assert (done.status, done.out) == (2, "")
    assert done.err == f"{tmp_path / name}: {reason}\n"


def test_a_dump_whose_name_is_too_long_is_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run("inventor", LONG)
    assert (done.status, done.err) == (2, f"{LONG}: cannot be read: File name too long\n")
    done = run("inventor", write_dump(one_joint(), tmp_path), "--anonymise", LONG)
    assert (done.status, done.err) == (2, f"{LONG}: cannot be written: File name too long\n")


def test_a_dump_whose_name_is_no_text_is_named_in_the_report_with_escapes(tmp_path):
    dump = write_dump(changed(one_joint(), "joints.0.locked", True), tmp_path)
    named, report = dump.with_name("half \udcff.json"), tmp_path / "report.json"
    dump.rename(named)
    done = run("inventor", named, "--joint-defaults", "effort=1,velocity=1", "--report", report)
    assert done.status == 0
    (finding,) = json.loads(report.read_text(encoding="utf-8"))["findings"]
    assert finding["file"] == str(named)


@pytest.mark.parametrize("value", [-3.15, 2.0, -0.1])
def test_a_probe_whose_values_do_not_fit_its_poses_is_told_and_fails_the_replay(value, tmp_path):
    dump = changed(one_joint(), "joints.0.probe.samples.0.value", value)
    done = run("inventor", write_dump(dump, tmp_path), "--joint-defaults", "effort=1,velocity=1")
    assert done.status == 1
    assert "rad for each rad of its value" in done.err
    assert done.err.endswith("the replay of the URDF does not agree with the poses measured in Inventor\n")


def test_a_mass_that_no_urdf_may_have_is_told_of_the_link(tmp_path):
    dump = one_joint()
    tensor = dict.fromkeys(("ixx", "iyy", "izz"), 1.0) | dict.fromkeys(("ixy", "iyz", "ixz"), 0.0)
    body = {"name": "Solid1", "mass": 1e13, "volume": 1.0, "center_of_mass": [0, 0, 0], "inertia": tensor}
    dump["occurrences"][1]["bodies"] = [body]
    (line,) = refused(dump, tmp_path)
    assert line.startswith("the URDF of this dump:")
    assert line.endswith(": link[Arm_1].inertial.mass: value '10000000000000': is beyond 1e+12 kg")
