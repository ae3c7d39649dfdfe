"""CAD names become names that every reader of URDF takes, the same whatever other names there are."""

from __future__ import annotations

import itertools
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from running import bare_dump, changed, convert, occurrence, one_joint, refused, rotational, turned

from mdh2urdf.inventor.names import safe_name, unique_names

SAFE = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Base:1", "Base_1"),
        ("Joint_1", "Joint_1"),
        ("Joint 1", "Joint_1"),
        ("Arm (2):1", "Arm_2_1"),
        ("a--b", "a_b"),
        ("DM-J4310:1", "DM_J4310_1"),
        ("Führung:1", "Fuhrung_1"),
        ("Größe", "Grosse"),
        ("1st link", "link_1st_link"),
        ("_hidden", "hidden"),
        ("Рука:1", "Erukaa_1"),
        ("ベース部品:1", "besuu90e8u54c1_1"),
        ("整体装配体:1", "u6574u4f53u88c5u914du4f53_1"),
        ("Ａｒｍ", "Arm"),
        ("::", "link"),
        ("", "link"),
        ("Sub:1/Arm:1", "Sub_1_Arm_1"),
    ],
)
def test_a_name_is_spelled_in_ascii(name, safe):
    assert safe_name(name, "link") == safe


@given(st.text())
def test_every_name_becomes_safe(name):
    assert SAFE.fullmatch(safe_name(name, "link"))


@given(st.lists(st.text(max_size=4), unique=True, max_size=8))
def test_names_stay_apart(names):
    found = unique_names(names, "link", {})
    assert list(found) == names
    assert len(set(found.values())) == len(names)


def test_a_name_that_is_safe_keeps_itself_and_the_others_are_numbered():
    assert unique_names(["Joint 1", "Joint:1", "Joint_1"], "joint", {}) == {
        "Joint 1": "Joint_1_2",
        "Joint:1": "Joint_1_3",
        "Joint_1": "Joint_1",
    }


def test_chosen_and_taken_names_go_first():
    assert unique_names(["A", "B"], "link", {"B": "A"}, ["A_2"]) == {"A": "A_3", "B": "A"}


def named(*links: str) -> dict:
    """A chain of parts of these names, with joints called alike."""
    poses = dict.fromkeys(links, turned(0.0))
    joints = []
    for i, (parent, child) in enumerate(itertools.pairwise(links)):
        samples = [(v, poses | {name: turned(v) for name in links[i + 1 :]}) for v in (0.0, 0.1)]
        joints.append(rotational(f"関節--{i}", child, parent, samples))
    return bare_dump([occurrence(name, grounded=i == 0) for i, name in enumerate(links)], joints)


def test_joints_follow_their_links_and_the_report_maps_the_names(tmp_path):
    result = convert(named("整体:1", "Arm--1", "Arm 1"), tmp_path)
    names = {"整体:1": "u6574u4f53_1", "Arm--1": "Arm_1", "Arm 1": "Arm_1_2"}
    assert result.report["renamed"]["links"] == names
    joints = [(item.name, item.parent, item.child) for item in result.robot.joints]
    assert joints == [("u95a2u7bc0_0", "u6574u4f53_1", "Arm_1"), ("u95a2u7bc0_1", "Arm_1", "Arm_1_2")]
    ElementTree.fromstring(result.urdf)
    assert result.certificate.passed


def test_a_part_called_base_link_and_one_called_like_a_frame_stay_apart(tmp_path):
    dump = named("base_link", "tool0")
    dump["frames"] = [{"name": "tool0", "occurrence": "tool0", "occurrence_from_frame": turned(0.0)}]
    dump["occurrences"][0]["bodies"] = [
        {
            "name": "S",
            "mass": 1,
            "center_of_mass": [0, 0, 0],
            "inertia": {"ixx": 1, "iyy": 1, "izz": 1, "ixy": 0, "iyz": 0, "ixz": 0},
        }
    ]
    result = convert(dump, tmp_path)
    assert [link.name for link in result.robot.links] == ["base_link_2", "base_link", "tool0", "tool0_2"]


def test_a_rename_file_goes_before_the_settings(tmp_path):
    rename = tmp_path / "names.yaml"
    rename.write_text("'Arm:1': forearm\n'Turn:1': elbow\n")
    result = convert(
        one_joint(), tmp_path, rename=rename, settings="links: {'Arm:1': {name: lower}, 'Base:1': {name: foot}}\n"
    )
    (joint,) = result.robot.joints
    assert (joint.name, joint.parent, joint.child) == ("elbow", "foot", "forearm")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("'Arm:2': forearm\n", ["there is no occurrence, joint or frame 'Arm:2'; the nearest is 'Arm:1'"]),
        ("'Arm:1': 1st\n'Base:1': 5\n", [
            "'Arm:1': '1st' is no name of letters, digits and _ that starts with no digit",
            "'Base:1': 5 is no name of letters, digits and _ that starts with no digit",
        ]),
        ("- a\n", ["must map CAD names to URDF names"]),
    ],
)  # fmt: skip
def test_a_rename_file_that_is_wrong_is_told(text, lines, tmp_path):
    rename = tmp_path / "names.yaml"
    rename.write_text(text)
    assert refused(one_joint(), tmp_path, rename=rename) == [f"names.yaml: {line}" for line in lines]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "a: [\n",
            "names.yaml:2:1: a[0]: is not valid YAML: while parsing a flow node, did not find expected node content",
        ),
        ("'Arm:1': a\n'Arm:1': b\n", 'names.yaml:2:1: ["Arm:1"]: is given twice'),
        (
            "'Arm:1': !!python/name:os.system\n",
            'names.yaml:1:10: ["Arm:1"]: tag !!python/name:os.system is not allowed',
        ),
    ],
)
def test_a_rename_file_that_is_no_plain_yaml_is_told_with_its_place(text, line, tmp_path):
    rename = tmp_path / "names.yaml"
    rename.write_text(text)
    assert refused(one_joint(), tmp_path, rename=rename) == [line]


OUTSIDE = ["../Arm.stl", "a/../../Arm.stl", "/etc/Arm.stl", "C:\\Arm.stl", "\\\\host\\Arm.stl", "..\\Arm.stl"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_mesh_outside_the_folder_of_the_meshes_is_refused(name, tmp_path):
    dump = changed(one_joint(), "occurrences.1.mesh", name)
    assert refused(dump, tmp_path) == [f"occurrences[1].mesh: {name!r} must name a file in the folder of the meshes"]


def with_tool() -> dict:
    return one_joint() | {"frames": [{"name": "tool", "occurrence": "Arm:1", "occurrence_from_frame": turned(0.0)}]}


@pytest.mark.parametrize(
    ("settings", "lines"),
    [
        ("links: {'*': {name: part}}\n", ["'part' is chosen as the name of Base:1, Arm:1: give each its own"]),
        (
            "links: {'Arm:1': {name: x}}\nframes: {tool: {name: x}}\n",
            ["'x' is chosen as the name of Arm:1, tool: give each its own"],
        ),
        ("links: {'Arm:1': {name: x}}\njoints: {'Turn:1': {name: x}}\n", []),
    ],
)
def test_links_and_frames_of_one_chosen_name_are_refused(settings, lines, tmp_path):
    if lines:
        assert refused(with_tool(), tmp_path, settings=settings) == lines
    else:
        assert convert(with_tool(), tmp_path, settings=settings).certificate.passed


def test_joints_of_one_chosen_name_are_refused(tmp_path):
    settings = "joints: {'*': {name: turn}}\n"
    assert refused(named("a", "b", "c"), tmp_path, settings=settings) == [
        "'turn' is chosen as the name of 関節--0, 関節--1: give each its own"
    ]


def test_a_frame_whose_chosen_name_a_link_has_takes_it(tmp_path):
    result = convert(with_tool(), tmp_path, settings="frames: {tool: {name: Arm_1}}\n")
    assert result.report["frames"] == {"tool": "Arm_1"}
    assert result.report["renamed"]["links"] == {"Base:1": "Base_1", "Arm:1": "Arm_1_2"}


def test_a_joint_called_like_one_that_is_made_is_refused(tmp_path):
    dump = changed(with_tool(), "joints.0.name", "tool (frame)")
    words = "is the name of two joints, one of them made here: rename the other in Inventor"
    assert refused(dump, tmp_path) == [f"'tool (frame)' {words}"]


def test_a_part_that_takes_no_part_shares_a_chosen_name(tmp_path):
    dump = one_joint()
    dump["occurrences"].append(occurrence("Arm:2", suppressed=True))
    result = convert(dump, tmp_path, settings="links: {'Arm:*': {name: arm}}\n")
    assert [link.name for link in result.robot.links] == ["Base_1", "arm"]


def test_a_part_a_joint_and_a_frame_of_one_name_are_all_in_the_report(tmp_path):
    dump = changed(changed(with_tool(), "joints.0.name", "Arm:1"), "frames.0.name", "Arm:1")
    assert convert(dump, tmp_path).report["renamed"] == {
        "links": {"Base:1": "Base_1", "Arm:1": "Arm_1"},
        "joints": {"Arm:1": "Arm_1"},
        "frames": {"Arm:1": "Arm_1_2"},
    }


def test_the_robot_is_named_after_its_document(tmp_path):
    dump = one_joint() | {"document": "C:\\CAD\\Mein Arm-2.iam"}
    assert convert(dump, tmp_path).robot.name == "Mein_Arm_2"
    assert convert(dump, tmp_path, name="arm").robot.name == "arm"


def test_names_and_prefixes_of_the_command_line_that_are_not_safe_are_refused(tmp_path):
    words = "is no name of letters, digits and _ that starts with no digit"
    assert refused(one_joint(), tmp_path, name="a b<>", prefix="x y") == [
        f"--name: 'a b<>' {words}",
        f"--prefix: 'x y' {words}",
    ]
    assert refused(one_joint(), tmp_path, prefix="1_") == [f"--prefix: '1_' {words}"]
