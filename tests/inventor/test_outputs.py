"""The files of a conversion are written whole, the URDF last; long work shows a bar on a terminal only."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from assemblies import Part, Solid, box_triangles, occurrence_of, stl_bytes, write_dump
from mechanisms import FourBar
from running import DEFAULTS, convert, one_joint

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.convert import IncompleteError, convert_dump
from mdh2urdf.inventor.dump_reader import parse_dump
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from mdh2urdf.inventor.progress import track_on_stderr
from mdh2urdf.inventor.write import write_result, write_settings


def test_urdf_loops_settings_report_and_hulls_are_written(tmp_path):
    solid = Solid(np.array((0.1, 0.04, 0.02)), 7850.0, np.eye(4))
    (tmp_path / "Crank.stl").write_bytes(stl_bytes(box_triangles([solid])))
    dump = FourBar().dump(0.7)
    dump["occurrences"][1] |= {
        key: value
        for key, value in occurrence_of(Part("Crank:1", np.eye(4), [solid], mesh_unit="m"), np.eye(4), False).items()
        if key in ("mesh", "bodies")
    }
    output = tmp_path / "out" / "arm.urdf"
    output.parent.mkdir()
    result = convert(dump, tmp_path, output=output, collision="hull")
    written = write_result(result, output, tmp_path / "report.json")
    assert written == [
        tmp_path / "Crank_hull.stl",
        tmp_path / "robot.yaml",
        tmp_path / "report.json",
        output.with_name("arm.loops.yaml"),
        output,
    ]
    assert output.read_text() == result.urdf
    assert json.loads((tmp_path / "report.json").read_text())["robot"] == "FourBar"
    # The second run finds its settings and has nothing to add.
    again = convert_dump(tmp_path / "robot.inventor.json", InventorOptions(output=output, joint_defaults=DEFAULTS))
    assert write_result(again, output) == [output.with_name("arm.loops.yaml"), output]
    assert write_result(again, None) == []


def test_a_folder_that_is_missing_is_one_line_and_nothing_is_half_written(tmp_path):
    output = tmp_path / "none" / "arm.urdf"
    result = convert(one_joint(), tmp_path, output=output)
    with pytest.raises(Mdh2UrdfError) as caught:
        write_result(result, output)
    assert str(caught.value) == f"{output}: cannot be written: No such file or directory"


def test_a_hull_that_cannot_be_written_is_one_line(tmp_path):
    from dataclasses import replace

    target = tmp_path / "none" / "hull.stl"
    result = replace(convert(one_joint(), tmp_path), files={target: b"x"})
    with pytest.raises(Mdh2UrdfError) as caught:
        write_result(result, None)
    assert str(caught.value) == f"{target}: cannot be written: No such file or directory"


def test_the_settings_of_an_assembly_that_lacks_something_may_be_written(tmp_path):
    path = write_dump(one_joint((-1.0, 1.0)), tmp_path)
    with pytest.raises(IncompleteError) as caught:
        convert_dump(path, InventorOptions(joint_defaults=JointDefaults()))
    assert write_settings(caught.value) == tmp_path / "robot.yaml"
    assert Path(tmp_path / "robot.yaml").read_text().startswith("# Settings of mdh2urdf inventor for Arm.iam.")


def test_a_bar_is_shown_on_a_terminal_for_many_files_only(monkeypatch, capsys):
    dump, _ = parse_dump(json.dumps(one_joint()))
    items = list(dump.occurrences) * 3
    assert track_on_stderr(items[:2], "reading meshes") == items[:2]
    assert track_on_stderr(items, "reading meshes") is items
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert list(track_on_stderr(items, "reading meshes")) == items
    assert capsys.readouterr().out == ""


def test_the_tracker_sees_every_mesh(tmp_path):
    solid = Solid(np.array((0.1, 0.04, 0.02)), 7850.0, np.eye(4))
    (tmp_path / "Arm.stl").write_bytes(stl_bytes(box_triangles([solid])))
    dump = one_joint()
    dump["occurrences"][1] = occurrence_of(Part("Arm:1", np.eye(4), [solid], mesh_unit="m"), np.eye(4), False)
    seen = []

    def track(items, what):
        seen.append((what, [item.name for item in items]))
        return items

    convert_dump(write_dump(dump, tmp_path), InventorOptions(joint_defaults=DEFAULTS), track=track)
    assert seen == [("reading meshes", ["Arm:1"])]


@pytest.mark.parametrize(("form", "top"), [("mjcf", "mujoco"), ("sdf", "sdf"), ("urdf", "robot")])
def test_the_robot_is_written_in_the_format_that_is_asked_for(form, top, tmp_path):
    inertia = "{ixx: 1, iyy: 1, izz: 1, ixy: 0, ixz: 0, iyz: 0}"
    settings = f"links: {{'Arm:1': {{mass: 1, center_of_mass: [0, 0, 0], inertia: {inertia}}}}}\n"
    result = convert(one_joint(), tmp_path, format=form, settings=settings)
    assert ElementTree.fromstring(result.text).tag == top
    # What is replayed against the CAD is the URDF in any case.
    assert (result.text == result.urdf, result.certificate.passed) == (form == "urdf", True)


def test_coloured_meshes_do_not_go_with_a_format_whose_readers_do_not_know_them(tmp_path):
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(one_joint(), tmp_path, format="mjcf", visual="glb")
    assert str(caught.value) == "--visual glb does not go with --format mjcf: MuJoCo reads no GLB"
