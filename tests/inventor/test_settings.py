"""The settings file: written complete, read strictly, kept and merged."""

# ruff: noqa: E501 (one line a case reads best)

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from assemblies import write_dump
from mechanisms import FourBar
from running import bare_dump, changed, convert, occurrence, one_joint, refused

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.convert import IncompleteError, convert_dump
from mdh2urdf.inventor.dump_reader import parse_dump
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from mdh2urdf.inventor.settings import matches, parse_settings
from mdh2urdf.inventor.settings_file import merged_settings


def dump_of_names(joints=("Turn:1",), links=("Base:1", "Arm:1"), frames=()):
    data = one_joint()
    data["occurrences"] = [occurrence(name, grounded=i == 0) for i, name in enumerate(links)]
    row = data["joints"][0] | {"probe": None, "occurrence_one": links[-1], "occurrence_two": None}
    data["joints"] = [row | {"name": name} for name in joints]
    data["frames"] = [{"name": name, "occurrence_from_frame": np.eye(4).tolist()} for name in frames]
    return parse_dump(json.dumps(data))[0]


def errors(text: str) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as caught:
        parse_settings(text, "robot.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_the_first_run_writes_a_complete_file_that_changes_nothing(tmp_path):
    dump = one_joint((-1.0, 2.0))
    dump["frames"] = [{"name": "tool0", "occurrence": "Arm:1", "occurrence_from_frame": np.eye(4).tolist()}]
    dump["joints"].append(
        {"name": "Rigid:1", "type": "kRigidJointType", "occurrence_one": "Tip:1", "occurrence_two": "Arm:1"}
    )
    dump["occurrences"].append(occurrence("Tip:1"))
    first = convert(dump, tmp_path)
    assert first.settings_path == tmp_path / "robot.yaml"
    data = yaml.safe_load(first.settings_text)
    assert list(data) == ["root", "up", "base_frame", "joint_defaults", "expect", "joints", "links", "frames"]
    assert list(data["joints"]) == ["Turn:1", "Rigid:1"]
    assert list(data["links"]) == ["Base:1", "Arm:1", "Tip:1"]
    assert list(data["frames"]) == ["tool0"]
    assert "# rad; in the CAD -1.0 to 2.0" in first.settings_text
    second = convert(dump, tmp_path, settings=first.settings_text)
    assert second.urdf == first.urdf
    assert second.settings_text is None


def test_an_error_of_the_first_run_brings_the_file_to_complete(tmp_path):
    with pytest.raises(IncompleteError) as caught:
        convert(one_joint((-1.0, 2.0)), tmp_path, joint_defaults=JointDefaults())
    assert caught.value.settings_path == tmp_path / "robot.yaml"
    filled = caught.value.settings_text.replace("effort: null    # N m", "effort: 5").replace(
        "velocity: null  # rad/s", "velocity: 2"
    )
    assert convert(one_joint((-1.0, 2.0)), tmp_path, settings=filled, joint_defaults=JointDefaults()).exit_status == 0
    # With a file there is nothing to write.
    assert len(refused(one_joint((-1.0, 2.0)), tmp_path, settings="up: z\n", joint_defaults=JointDefaults())) == 5


def test_another_file_may_be_named(tmp_path):
    (tmp_path / "mine.yaml").write_text("joints: {'Turn:1': {name: waist}}\n")
    path = write_dump(one_joint(), tmp_path)
    named = convert_dump(path, InventorOptions(settings=tmp_path / "mine.yaml"))
    assert named.robot.joints[0].name == "waist"
    with pytest.raises(Mdh2UrdfError) as caught:
        convert_dump(path, InventorOptions(settings=tmp_path / "none" / "mine.yaml"))
    assert str(caught.value) == f"{tmp_path}/none/mine.yaml: cannot be written: there is no such folder"


def test_new_names_are_added_and_everything_else_is_kept():
    old = """# my own words
joints:
  "Turn:1":   # the waist
    effort: 7
  # more may come

links:
  "B*": {mass: 3}
"""
    text = merged_settings(dump_of_names(("Turn:1", "Turn:2"), ("Base:1", "Arm:1"), ("tool0",)), old)
    assert [line for line in old.splitlines() if line not in text.splitlines()] == []
    data = yaml.safe_load(text)
    assert list(data["joints"]) == ["Turn:1", "Turn:2"]
    assert data["joints"]["Turn:1"] == {"effort": 7}
    assert list(data["links"]) == ["B*", "Arm:1"]
    assert list(data["frames"]) == ["tool0"]
    assert text.index('"Turn:2"') < text.index("# more may come")
    assert merged_settings(dump_of_names(("Turn:1", "Turn:2"), ("Base:1", "Arm:1"), ("tool0",)), text) == text


@pytest.mark.parametrize("old", ["joints: {}\n", "joints:\n", "joints: null   # none yet\n", "joints: ~", "up: z"])
def test_an_empty_section_becomes_a_block(old):
    text = merged_settings(dump_of_names(links=("Base:1",)), old)
    data = yaml.safe_load(text)
    assert list(data["joints"]) == ["Turn:1"]
    assert list(data["links"]) == ["Base:1"]
    assert ("# none yet" in text) == ("# none yet" in old)


def test_a_section_in_braces_is_kept_and_the_new_names_are_noted():
    text = merged_settings(
        dump_of_names(("Turn:1", "Turn:2"), ("Base:1",)), 'joints: {"Turn:1": {effort: 7}}\nlinks: {"*": {}}\n'
    )
    assert text.endswith('# add to joints: "Turn:2"\n')
    assert yaml.safe_load(text)["joints"] == {"Turn:1": {"effort": 7}}
    assert merged_settings(dump_of_names(("Turn:1", "Turn:2"), ("Base:1",)), text) == text


@pytest.mark.parametrize(
    "old",
    [
        "{joints: {A: {effort: 7}}, links: {B: {}}}\n",
        "joints:\n  A: {mimic: 'B\nup: z'}\nlinks: {B: {}}\n",
        "links: {B: {}}\n...\n",
    ],
)
def test_where_an_entry_would_not_be_read_as_one_its_name_is_noted(old):
    dump = dump_of_names(("A", 'the "second"'), ("B",))
    text = merged_settings(dump, old)
    assert text.startswith(old)
    assert text.endswith('# add to joints: "the \\"second\\""\n')
    assert parse_settings(text) == parse_settings(old)
    assert merged_settings(dump, text) == text


def test_names_that_yaml_cannot_hold_as_they_are_are_escaped():
    names = ("del\x7f", "line\u2028")
    dump = dump_of_names(("A",), ("B",))
    dump = replace(dump, joints=tuple(replace(dump.joints[0], name=name) for name in names))
    assert tuple(parse_settings(merged_settings(dump, None)).joints) == names


def test_a_star_of_the_user_holds_beside_the_entries_of_the_first_run(tmp_path):
    """An entry of its own goes before one with a star: what the first run writes must say nothing."""
    first = convert(one_joint((-1.0, 2.0)), tmp_path).settings_text
    stars = first.replace("joints:\n", "joints:\n  '*': {flip: true, lower: -0.5, effort: 3, name: waist}\n")
    stars = stars.replace("links:\n", "links:\n  'A*': {name: arm}\n")
    (joint,) = convert(one_joint((-1.0, 2.0)), tmp_path, settings=stars).robot.joints
    assert (joint.name, joint.child, joint.axis, joint.limits.effort) == ("waist", "arm", (0.0, 0.0, -1.0), 3.0)
    assert (joint.limits.lower, joint.limits.upper) == (-2.0, 0.5)


def test_a_section_indented_otherwise_gets_entries_of_its_indentation():
    text = merged_settings(
        dump_of_names(("A", "B"), ("Base:1",)), "joints:\n      A:\n        effort: 1\nlinks:\n  '*': {}\n"
    )
    assert list(yaml.safe_load(text)["joints"]) == ["A", "B"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("roof: Base:1\n", "robot.yaml:1:1: roof: is unknown; known are root, up, base_frame, joint_defaults, expect, joints, links, frames"),
        ("up: x\n", "robot.yaml:1:1: up: must be one of z, y"),
        ("root: 5\n", "robot.yaml:1:1: root: must be a text"),
        ("joints: 5\n", "robot.yaml:1:1: joints: must be a mapping"),
        ("joints:\n  A: 5\n", "robot.yaml:2:3: joints.A: must be a mapping"),
        ("joints:\n  A: {efort: 5}\n", "robot.yaml:2:7: joints.A.efort: is unknown; known are name, type, lower, upper, effort, velocity, damping, friction, flip, mimic, ignore"),
        ("joints:\n  A: {effort: high}\n", "robot.yaml:2:7: joints.A.effort: must be a number within 1e+12"),
        ("joints:\n  A: {effort: true}\n", "robot.yaml:2:7: joints.A.effort: must be a number within 1e+12"),
        ("joints:\n  A: {effort: 1e13}\n", "robot.yaml:2:7: joints.A.effort: must be a number within 1e+12"),
        ("links:\n  A: {mass: -1e300}\n", "robot.yaml:2:7: links.A.mass: must be a number within 1e+12"),
        ("joints:\n  A: {effort: -1}\n", "robot.yaml:2:7: joints.A.effort: must not be negative"),
        ("joints:\n  A: {type: planar}\n", "robot.yaml:2:7: joints.A.type: must be one of revolute, continuous, prismatic, fixed"),
        ("joints:\n  A: {flip: 1}\n", "robot.yaml:2:7: joints.A.flip: must be true or false"),
        ("joints:\n  A: {mimic: ''}\n", "robot.yaml:2:7: joints.A.mimic: must be a text"),
        (
            "joints:\n  A: {mimic: '  '}\n",
            "robot.yaml:2:7: joints.A.mimic: must be JOINT, JOINT*K or JOINT*K+C, K and C within 1e+12",
        ),
        (
            "joints:\n  A: {mimic: B*1e400}\n",
            "robot.yaml:2:7: joints.A.mimic: must be JOINT, JOINT*K or JOINT*K+C, K and C within 1e+12",
        ),
        ("joints:\n  A: {name: 1st}\n", "robot.yaml:2:7: joints.A.name: must be a name of letters, digits and _ that starts with no digit"),
        ("links:\n  A: {mass: 0}\n", "robot.yaml:2:7: links.A.mass: must be above 0"),
        ("links:\n  A: {center_of_mass: 5}\n", "robot.yaml:2:7: links.A.center_of_mass: must be a list of three numbers"),
        ("links:\n  A: {color: [1, 2, 3, 4]}\n", "robot.yaml:2:7: links.A.color: must be a list of red, green, blue, alpha between 0 and 1"),
        ("links:\n  A: {inertia: {ixx: 1}}\n", "robot.yaml:2:7: links.A.inertia: must hold ixx, ixy, ixz, iyy, iyz, izz in kg m2"),
        ("base_frame: {xy: 1}\n", "robot.yaml:1:1: base_frame: must hold xyz in m and rpy in rad"),
        ("- a\n", "robot.yaml:1:1: must be a mapping"),
    ],
)  # fmt: skip
def test_a_wrong_setting_is_an_error_with_its_place(text, line):
    assert errors(text) == [line]


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            "joints:\n  'Turn:1': {lower: 5, upper: 1}\n",
            'robot.yaml:2:14: joints["Turn:1"].lower: lower 5 is above upper 1',
        ),
        (
            "joints:\n  'Turn:1': {lower: 5, flip: true}\n",
            'robot.yaml:2:14: joints["Turn:1"].lower: lower 5 is above the CAD\'s upper 2',
        ),
        (
            "joints:\n  'Turn:1': {effort: 1}\n  'T*': {upper: -1.5}\n",
            'robot.yaml:3:10: joints["T*"].upper: Turn:1: upper -1.5 is below the CAD\'s lower -1',
        ),
        (
            "joints:\n  'Turn:1': {lower: 5}\n  '*': {lower: 0, upper: 1}\n",
            'robot.yaml:2:14: joints["Turn:1"].lower: lower 5 is above upper 1',
        ),
    ],
)
def test_limits_the_wrong_way_round_are_an_error_of_the_settings(settings, line, tmp_path):
    assert refused(one_joint((-1.0, 2.0)), tmp_path, settings=settings) == [line]


def test_limits_the_wrong_way_round_of_a_joint_that_closes_a_loop_are_an_error_too(tmp_path):
    settings = "joints:\n  R1: {lower: 2, upper: -2}\n  R3: {lower: 5, upper: 1}\n"
    assert refused(FourBar().dump(0.7), tmp_path, settings=settings) == [
        "robot.yaml:2:8: joints.R1.lower: lower 2 is above upper -2",
        "robot.yaml:3:8: joints.R3.lower: lower 5 is above upper 1",
    ]


def test_limits_that_a_continuous_joint_does_not_have_are_not_looked_at(tmp_path):
    settings = "joints: {'Turn:1': {type: continuous, lower: 5, upper: 1}}\n"
    assert convert(one_joint(), tmp_path, settings=settings).robot.joints[0].type == "continuous"


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "\ufeff  # nothing\n\n  # at all"])
def test_a_settings_file_without_settings_is_as_good_as_none(text, tmp_path):
    dump = one_joint((-1.0, 2.0))
    fresh = convert(dump, tmp_path)
    result = convert(dump, tmp_path, settings=text)
    assert result.urdf == fresh.urdf
    comments = text.removeprefix("\ufeff")
    assert result.settings_text.startswith(comments)
    assert result.settings_text.endswith(fresh.settings_text)
    assert convert(dump, tmp_path, settings=result.settings_text).settings_text is None
    with pytest.raises(IncompleteError) as caught:
        convert(dump, tmp_path, settings=text, joint_defaults=JointDefaults())
    assert caught.value.settings_text == result.settings_text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("# a\x0b", "robot.yaml:1:4: holds a character that YAML does not allow"),
        (
            " \t",
            "robot.yaml:1:2: is not valid YAML: while scanning for the next token, found character that cannot start "
            "any token (a tab; YAML is indented with blanks)",
        ),
    ],
)
def test_what_yaml_does_not_allow_is_told_even_where_nothing_is_set(text, line):
    assert errors(text) == [line]


def test_all_wrong_settings_come_at_once():
    assert len(errors("up: x\nroot: 5\njoints: {A: {effort: -1}, B: {effort: -1}}\n")) == 4


def test_keys_that_match_nothing_are_errors_with_the_nearest_name(tmp_path):
    settings = """
root: Bse:1
joints: {"Turn:2": {}, "Slide*": {}}
links: {"Arm:2": {}, "Arm:1": {merge: Base}, "*": {}}
frames: {tool: {}}
"""
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(one_joint(), tmp_path, settings=settings)
    assert [str(problem).replace(f"{tmp_path}/", "") for problem in caught.value.problems] == [
        "robot.yaml: joints[\"Turn:2\"]: there is no joint 'Turn:2'; the nearest is 'Turn:1'",
        "robot.yaml: joints[\"Slide*\"]: there is no joint 'Slide*'; the nearest is 'Turn:1'",
        "robot.yaml: links[\"Arm:2\"]: there is no occurrence 'Arm:2'; the nearest is 'Arm:1'",
        "robot.yaml: frames[\"tool\"]: there is no user coordinate system 'tool'",
        "robot.yaml: root: there is no occurrence 'Bse:1'; the nearest is 'Base:1'",
        "robot.yaml: links[\"Arm:1\"].merge: there is no occurrence 'Base'; the nearest is 'Base:1'",
    ]


def test_a_glob_holds_for_all_that_it_fits_and_an_own_entry_goes_before_it(tmp_path):
    settings = "joints: {'Turn:1': {effort: 5}, '*': {effort: 1, velocity: 2}, 'T?rn:*': {velocity: 3}}\n"
    (joint,) = convert(one_joint((-1.0, 1.0)), tmp_path, settings=settings, joint_defaults=JointDefaults()).robot.joints
    assert (joint.limits.effort, joint.limits.velocity) == (5.0, 3.0)


@pytest.mark.parametrize(
    ("key", "name", "found"),
    [
        ("Arm*", "Arm:1", True),
        ("A?m:1", "Arm:1", True),
        ("Arm", "Arm:1", False),
        ("P[1]:1", "P[1]:1", True),
        ("P[1]*", "P1:1", False),
    ],
)
def test_only_stars_and_question_marks_are_signs(key, name, found):
    assert matches(key, name) is found


def test_joint_defaults_of_the_command_line_go_before_those_of_the_file(tmp_path):
    settings = "joint_defaults: {effort: 1, velocity: 2}\n"
    (joint,) = convert(one_joint(), tmp_path, settings=settings, joint_defaults=JointDefaults(effort=9.0)).robot.joints
    assert (joint.limits.effort, joint.limits.velocity) == (9.0, 2.0)


def test_settings_choose_the_root_leave_parts_out_and_merge_them(tmp_path):
    dump = bare_dump([occurrence("Base:1", grounded=True), occurrence("Box:1"), occurrence("Junk:1")], [])
    settings = "links: {'Box:1': {merge: 'Base:1'}, 'Junk:1': {ignore: true}}\n"
    result = convert(dump, tmp_path, settings=settings)
    assert [link.name for link in result.robot.links] == ["Base_1"]
    assert result.report["left_out"] == [{"kind": "occurrence", "name": "Junk:1", "reason": "ignored by the settings"}]
    rooted = convert(changed(dump, "occurrences.0.grounded", False), tmp_path, settings=settings + "root: 'Base:1'\n")
    assert rooted.robot.root == "Base_1"


@pytest.mark.parametrize(
    ("settings", "line"),
    [
        (
            "links: {'Base:1': {merge: 'Arm:1'}}\n",
            "Base:1 is the root and cannot join Arm:1: merge Arm:1 into it",
        ),
        (
            "links: {'Arm:1': {merge: 'Tip:1'}, 'Tip:1': {merge: 'Arm:1'}}\n",
            "Arm:1 cannot join Tip:1, which joins it",
        ),
        (
            "links: {'Tip:1': {merge: 'Old:1'}}\n",
            "Tip:1 cannot join Old:1, which takes no part",
        ),
    ],
)
def test_a_merge_that_cannot_be_is_an_error(settings, line, tmp_path):
    dump = one_joint()
    dump["occurrences"] += [occurrence("Tip:1"), occurrence("Old:1", suppressed=True)]
    for sample in dump["joints"][0]["probe"]["samples"]:
        sample["transforms"]["Tip:1"] = sample["transforms"]["Arm:1"]
    assert refused(dump, tmp_path, settings=settings)[0] == line


def test_a_star_that_fits_its_own_target_merges_the_others(tmp_path):
    dump = one_joint()
    dump["occurrences"].append(occurrence("Arm:2"))
    result = convert(dump, tmp_path, settings="links: {'Arm:*': {merge: 'Arm:1'}}\n")
    assert [link.name for link in result.robot.links] == ["Base_1", "Arm_1"]


def test_an_entry_without_anything_says_nothing():
    assert parse_settings("joints:\n  A:\n").joint("A") == parse_settings("up: z\n").joint("A")


def test_an_error_that_no_setting_mends_brings_no_file(tmp_path):
    with pytest.raises(Mdh2UrdfError) as caught:
        convert(changed(one_joint(), "occurrences.0.grounded", False), tmp_path)
    assert not isinstance(caught.value, IncompleteError)


def test_the_settings_that_the_page_shows_are_valid():
    page = (Path(__file__).parents[2] / "docs" / "inventor.md").read_text(encoding="utf-8")
    shown = parse_settings(page.split("```yml\n")[1].split("```")[0])
    assert (shown.joint("Rotational:2").name, shown.joint("Rotational:2").effort) == ("elbow", 50.0)
    assert (shown.link("Forearm:1").mass, shown.link("Screw:7").collision, shown.expect_mass) == (3.2, "none", 14.3)
