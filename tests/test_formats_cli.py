"""MJCF and SDF on the command line: written by format or suffix, recognised, compared."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from command_line import run
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.loop import Loop
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.sdf.writer import write_sdf
from mdh2urdf.source import recognise
from mdh2urdf.urdf.writer import write_urdf
from test_mjcf import BARE, closed, heavy, joint, robot
from test_urdf_consumers import drawn_arm

MOVES = "--placeholder-inertia", "1"


def test_the_suffix_or_the_option_says_the_format(tmp_path):
    for name, options, root in (
        ("arm.mjcf", (), "mujoco"),
        ("arm.sdf", (), "sdf"),
        ("arm.xml", ("--format", "mjcf"), "mujoco"),
        ("arm.urdf", ("--format", "sdf"), "sdf"),
        ("arm.xml", (), "robot"),
    ):
        done = run("ur5e", "-o", tmp_path / name, *MOVES, *options)
        assert done.status == 0
        assert ElementTree.parse(tmp_path / name).getroot().tag == root


def test_what_was_written_compares_equal_to_the_table(tmp_path):
    for name in ("arm.mjcf", "arm.sdf"):
        run("panda", "-o", tmp_path / name, *MOVES)
        done = run("compare", "panda", tmp_path / name)
        assert (done.status, "A and B agree within 1e-06 (m and rad)" in done.out) == (0, True)


def test_prefix_and_world_hold_in_every_format(tmp_path):
    for form, root in (("mjcf", "worldbody/body"), ("sdf", "model/link")):
        done = run("ur5e", "--format", form, "--prefix", "left_", "--world", *MOVES)
        assert done.status == 0
        document = ElementTree.fromstring(done.out)
        names = [each.get("name") for each in document.iter() if each.get("name")]
        assert "left_shoulder_pan_joint" in names
        assert document.find(root).get("name") in ("left_world", "left_base_link")
    plain = ElementTree.fromstring(run("ur5e", "--format", "sdf", "--world", *MOVES).out)
    assert plain.findtext("model/joint[@name='world_joint']/parent") in (None, "world")


def test_a_table_without_masses_makes_no_mjcf_and_an_sdf_that_says_so():
    links = "link1, link2, link3, link4, link5, link6"
    done = run("ur5e", "--format", "mjcf")
    assert (done.status, done.out) == (2, "")
    assert done.err == (
        f"MuJoCo refuses bodies that move without mass: {links}; give their mass data, "
        "or convert with --placeholder-inertia\n"
    )
    done = run("ur5e", "--format", "sdf")
    bare = "base_link, link1, link2, link3, link4, link5 and 1 more"
    assert done.err == f"no mass data: {bare}; Gazebo takes 1 kg and 1 kg m² for each\n"
    drawn = run("ur5e", "--format", "sdf", "--geometry", "sticks", "--world")
    assert (drawn.status, drawn.out.count("<cylinder>") > 6) == (0, True)


def test_a_ros2_control_block_goes_into_no_simulators_file():
    done = run("ur5e", "--format", "sdf", "--ros2-control")
    assert (done.status, done.err) == (
        2,
        "--ros2-control does not go with --format sdf: its block belongs into a URDF\n",
    )


def test_both_are_recognised_by_their_root_whatever_stands_before_it():
    for text, form in (
        ("<mujoco model='a'/>", "mjcf"),
        ('<?xml version="1.0"?>\n<!-- <sdf> -->\n<mujoco/>', "mjcf"),
        ('\ufeff<!-- a --><!-- b -->\n<sdf version="1.9"/>', "sdf"),
        ("<sdf", "sdf"),
        ("<sdfield/>", "urdf"),
        ("<robot/>", "urdf"),
    ):
        for suffix in (".xml", ".sdf", ".mjcf", ".urdf"):
            assert recognise(suffix, text) == form


def test_both_are_read_from_standard_input():
    arm = drawn_arm(0, masses=True)
    for form, text in (("mjcf", write_mjcf(arm)[0]), ("sdf", write_sdf(arm)[0])):
        done = run("-", "--from", form, "--format", "sdf", "--quiet", stdin=text.encode())
        assert (done.status, done.err) == (0, "")
        assert "<sdf" in done.out


@pytest.mark.parametrize("form", ["urdf", "xacro", "origins"])
def test_a_format_that_is_a_tree_says_that_a_loop_stays_open(form):
    joints = [joint("j", "base", "a"), joint("k", "a", "b")]
    loop = Loop(name="cut", type="ball", link_a="base", link_b="b")
    made = robot([BARE, *heavy("a", "b")], joints, loops=(loop,))
    emission = emit(made, ConvertOptions(format=form, frames="strict"))
    words = f"cut: the loop stays open: {form} is a tree"
    assert words in [str(finding) for finding in emission.findings]


def test_a_loop_that_was_written_is_written_again(tmp_path):
    path = tmp_path / "loop.mjcf"
    path.write_text(write_mjcf(closed("ball"))[0])
    again = run(path, "--format", "mjcf")
    assert again.status == 0
    assert ElementTree.fromstring(again.out).find("equality/connect").get("name") == "cut"


def test_meshes_are_found_from_where_the_file_is_written(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "in" / "a.stl").write_bytes(b"x")
    arm = drawn_arm(1, masses=True)
    text = write_urdf(arm).replace('<box size="0.1 0.2 0.3"/>', '<mesh filename="a.stl"/>')
    (tmp_path / "in" / "arm.urdf").write_text(text)
    for name, tag, attribute in (("arm.mjcf", "mesh", "file"), ("arm.sdf", "uri", None)):
        assert run(tmp_path / "in" / "arm.urdf", "-o", tmp_path / "out" / name).status == 0
        element = next(ElementTree.parse(tmp_path / "out" / name).iter(tag))
        assert (element.get(attribute) if attribute else element.text) == "../in/a.stl"
