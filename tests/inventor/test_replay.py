"""The certificate finds every fault that is put into the written text, and the report tells it."""

# ruff: noqa: E501 (one line a case reads best)

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from assemblies import dump_of, random_assembly, write_meshes
from mechanisms import FourBar
from running import IDENTITY, convert, one_joint, turned

from mdh2urdf.inventor import convert as job
from mdh2urdf.inventor.replay import Certificate


def test_a_certificate_of_nothing_is_none():
    assert not Certificate(tolerance=1.0).passed
    assert Certificate(tolerance=1.0, poses=1).passed


@pytest.fixture
def arm(tmp_path):
    rng = np.random.default_rng(8)
    assembly = random_assembly(rng, 5, meshes=True)
    write_meshes(assembly, tmp_path)
    return dump_of(assembly, assembly.random_q(rng), rng=rng), tmp_path


def replayed(dump, folder, monkeypatch, fault):
    """The certificate of a text into which a fault was put on purpose."""
    write = job.write_urdf
    touched = []

    def faulty(*args, **options):
        text = write(*args, **options)
        changed_text = fault(text)
        touched.append(changed_text != text)
        return changed_text

    monkeypatch.setattr(job, "write_urdf", faulty)
    result = convert(dump, folder)
    assert touched == [True]
    return result


def first(pattern: str, change):
    """A change of the first match's groups as numbers."""

    def fault(text: str) -> str:
        return re.sub(pattern, lambda match: match[1] + change(match[2]) + match[3], text, count=1)

    return fault


def moved(text: str) -> str:
    x, rest = text.split(" ", 1)
    return f"{float(x) + 0.005!r} {rest}"


def mirrored(text: str) -> str:
    return re.sub(
        r'lower="([^"]+)" upper="([^"]+)"', lambda m: f'lower="{-float(m[2])!r}" upper="{-float(m[1])!r}"', text
    )


FAULTS = {
    "mirrored limit": mirrored,
    "axis flipped": first(r'(<axis xyz=")([^"]+)(")', lambda t: " ".join(repr(-float(x)) for x in t.split())),
    "joint moved": first(r'(type="revolute">\s*<origin xyz=")([^"]+)(")', moved),
    "centimetres": first(r'(type="revolute">\s*<origin xyz=")([^"]+)(")', lambda t: " ".join(repr(100 * float(x)) for x in t.split())),
    "visual moved": first(r'(<visual name="[^"]+">\s*<origin xyz=")([^"]+)(")', moved),
    "mesh scale": first(r'(<visual[\s\S]*?scale=")([^"]+)(")', lambda t: " ".join(repr(10 * float(x)) for x in t.split())),
    "visual gone": lambda text: re.sub(r"<visual[\s\S]*?</visual>", "", text, count=1),
    "no limit": lambda text: text.replace('type="revolute"', 'type="continuous"', 1),
    "joint renamed": lambda text: re.sub(r'(<joint name=")(Turn_\d)"', r'\1Other"', text, count=1),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_in_the_text_is_found(fault, arm, monkeypatch):
    result = replayed(*arm, monkeypatch, fault)
    assert not result.certificate.passed
    assert result.exit_status == 1
    assert result.failed[0] == "the replay of the URDF does not agree with the poses measured in Inventor"
    assert "replay: the URDF DOES NOT AGREE with" in result.report_text


def test_a_frame_off_its_axis_is_found_although_the_zero_pose_agrees(arm, monkeypatch):
    def off_axis(text: str) -> str:
        """The joint's origin and, back again, everything in its link, moved across the axis."""
        pattern = r'(<joint name="(Turn_\d)" type="revolute">\s*<origin xyz=")([^"]+)(" rpy=")([^"]+)("[\s\S]*?<child link="([^"]+)")'
        match = re.search(pattern, text)
        assert match
        from mdh2urdf.se3 import add, rotate, rotation_from_rpy

        shift = (0.005, 0.003, 0.0)
        rpy = [float(x) for x in match[5].split()]
        xyz = tuple(float(x) for x in match[3].split())
        new = add(xyz, rotate(rotation_from_rpy(rpy), shift))
        text = text.replace(match[0], match[0].replace(match[3], " ".join(map(repr, new)), 1))
        child = match[7]

        def back(found: re.Match) -> str:
            x, y, z = (float(v) for v in found[2].split())
            return f"{found[1]}{x - shift[0]!r} {y - shift[1]!r} {z - shift[2]!r}{found[3]}"

        block = re.search(rf'<link name="{child}">[\s\S]*?</link>', text)[0]
        text = text.replace(block, re.sub(r'(<origin xyz=")([^"]+)(")', back, block))
        below = rf'(<joint name="[^"]+" type="[a-z]+">\s*<origin xyz=")([^"]+)("[^>]*/>\s*<parent link="{child}")'
        return re.sub(below, back, text)

    result = replayed(*arm, monkeypatch, off_axis)
    assert 1e-4 < result.certificate.position < 1e-2
    assert ".samples[" in result.certificate.position_at or "verify[" in result.certificate.position_at


def test_a_missing_link_is_a_fault(tmp_path, monkeypatch):
    result = replayed(one_joint(), tmp_path, monkeypatch, lambda text: text.replace("Arm_1", "Leg_1"))
    assert "  link Arm_1 is missing" in result.report_text.splitlines()


def test_the_certificate_counts_what_it_compared(arm):
    dump, folder = arm
    result = convert(dump, folder)
    probes = sum(len(row["probe"]["samples"]) for row in dump["joints"] if row["probe"])
    assert result.certificate.poses == 1 + probes + 2
    assert result.certificate.parts == len(dump["occurrences"])
    lines = result.report_text.splitlines()[-3:]
    assert lines[0] == (
        f"replay: the URDF agrees with {1 + probes + 2} measured poses of {len(dump['occurrences'])} parts within 1e-06 m and rad"
    )
    assert lines[1].startswith("  largest position error ")
    assert json.loads(json.dumps(result.report))["replay"]["passed"] is True


def test_the_tolerance_is_the_users(arm):
    dump, folder = arm
    assert not convert(dump, folder, tolerance=1e-14).certificate.passed


def test_a_verify_pose_with_few_parts_is_compared_as_far_as_it_goes(tmp_path):
    dump = one_joint()
    dump["verify"] = [
        {"values": {"Turn:1": 0.5}, "transforms": {"Base:1": IDENTITY}},
        {"values": {"Turn:1": 0.5}, "transforms": {"Arm:1": turned(0.5, (10, 5, 0))}},
        {"values": {"Turn:1": 0.5}, "transforms": {}},
    ]
    assert convert(dump, tmp_path).certificate.poses == 4


def test_a_wrong_verify_pose_is_found(tmp_path):
    dump = one_joint()
    dump["verify"] = [{"values": {"Turn:1": 0.5}, "transforms": {"Base:1": IDENTITY, "Arm:1": turned(0.6, (10, 5, 0))}}]
    result = convert(dump, tmp_path)
    assert result.certificate.angle == pytest.approx(0.1)
    assert result.certificate.angle_at == "Arm:1 in verify[0]"


def test_what_a_loop_does_without_being_told_is_measured(tmp_path):
    dump = FourBar(seed=3).dump(0.7)
    for row in dump["verify"]:
        row["values"] = {"R1": row["values"]["R1"]}
    assert convert(dump, tmp_path).certificate.passed
    # A sample that lacks the rocker leaves its joint where it was at export.
    del dump["verify"][0]["transforms"]["Rocker:1"]
    assert convert(dump, tmp_path).certificate.passed


def test_messages_of_the_rule_come_through(tmp_path):
    dump = one_joint() | {"messages": ["Arm:1: no material"]}
    assert [(f.rule, f.message) for f in convert(dump, tmp_path).findings] == [("rule-message", "Arm:1: no material")]
