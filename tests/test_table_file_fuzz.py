"""Whatever a file holds, only a table comes out, or an error with one line for each problem."""

from __future__ import annotations

import yaml
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.table import Table
from mdh2urdf.table_file.reader import read_table

WORDS = [
    *("name", "link", "parent", "type", "a", "r", "alpha", "d", "theta", "beta", "gamma", "b", "direction"),
    *("limits", "lower", "upper", "velocity", "effort", "reference_rpy", "dynamics", "damping", "friction"),
    *("safety", "soft_lower", "soft_upper", "k_position", "k_velocity", "mimic", "joint", "multiplier", "offset"),
    *("calibration", "rising", "falling", "mass", "center_of_mass", "inertia", "inertia_rpy", "frame", "visual"),
    *("collision", "geometry", "box", "sphere", "mesh", "cylinder", "radius", "length", "filename", "scale"),
    *("material", "rgba", "xyz", "rpy", "q", "tolerance", "angle", "x-note", "<<", "ixx"),
]
CELLS = [
    *("q", "q1", "-q2 + 90", "L2", "pi/2", "joint1", "deg(90)", "1/0", "2*q", "modified", "standard", "revolute"),
    *("prismatic", "fixed", "continuous", "base_link", "link1", "tool0", "mm", "deg", ".nan", "yes", "dh", ""),
]
scalars = st.one_of(
    st.sampled_from(CELLS),
    st.sampled_from([0, 1, -1, 90, 0.5, None, True]),
    st.floats(),
    st.integers(),
    st.text(max_size=6),
)
anything = st.recursive(
    scalars,
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.sampled_from(WORDS), below, max_size=5),
    max_leaves=8,
)
cells = st.sampled_from([0, 0.1, 90, "q", "q - L2", "L2", "pi/2", "joint2", "-q1"]) | scalars
rows = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("a", "alpha", "d", "theta", "beta", "gamma", "b"), cells),
        "name": st.sampled_from(["joint1", "joint2", "elbow"]) | scalars,
        "parent": st.sampled_from(["base_link", "link1", "link2"]) | scalars,
        "type": st.sampled_from(["revolute", "prismatic", "fixed", "continuous"]) | scalars,
        "direction": st.sampled_from([1, -1]) | scalars,
        "limits": st.dictionaries(st.sampled_from(["lower", "upper", "velocity", "effort"]), cells) | anything,
        "mimic": st.dictionaries(st.sampled_from(["joint", "multiplier", "offset"]), cells) | anything,
        **dict.fromkeys(("safety", "dynamics", "calibration", "reference_rpy", "x-note"), anything),
    },
)
sound_row = st.just({"a": 0.1, "alpha": "pi/2", "d": 0, "theta": 0})
files = st.fixed_dictionaries(
    {
        "convention": st.sampled_from(["modified", "standard"]),
        "joints": st.lists(rows | sound_row, max_size=4) | anything,
    },
    optional={
        "units": st.sampled_from([{"angle": "deg", "length": "mm"}, {"length": "in"}]) | anything,
        "parameters": st.dictionaries(st.sampled_from(["L2", "joint1", "q", "phi"]), cells) | anything,
        "base": st.dictionaries(st.sampled_from(["link", "xyz", "rpy"]), st.lists(cells, max_size=3)) | anything,
        "tool": rows | anything,
        "links": st.dictionaries(st.sampled_from(["base_link", "link1", "link2", "tool0"]), anything) | anything,
        "defaults": st.dictionaries(st.sampled_from(["velocity", "effort", "revolute"]), cells) | anything,
        "expect": st.lists(st.dictionaries(st.sampled_from(["q", "xyz", "rpy", "link"]), anything)) | anything,
        **dict.fromkeys(("name", "source", "notes", "license", "x-note", "unknown"), anything),
    },
)


def outcome(text):
    try:
        table, findings = read_table(text, file="arm.yaml", parameters={"L2": "300"} if "L2" in text else None)
    except Mdh2UrdfError as error:
        return error
    assert all(finding.rule for finding in findings)
    return table


def is_told(result):
    """Whether every problem is one line that begins with the file's name, and no two are the same."""
    lines = str(result).split("\n")
    return len(lines) == len(result.problems) == len(set(lines)) and all(line.startswith("arm.yaml:") for line in lines)


@given(files)
def test_files_of_known_fields_with_any_content(content):
    result = outcome(yaml.safe_dump(content, sort_keys=False))
    assert isinstance(result, Table) or is_told(result)


@given(anything)
def test_files_of_any_structure(content):
    result = outcome(yaml.safe_dump(content))
    assert isinstance(result, Table) or is_told(result)


@given(st.text(max_size=80))
def test_files_of_any_text(text):
    result = outcome(text)
    assert isinstance(result, Table) or is_told(result)


GOOD = """\
convention: modified
parameters: {L2: 300, phi: deg(30)}
base: {xyz: [0, 0, L2]}
joints:
  - {name: j, a: L2, alpha: -90, d: 0, theta: q - phi, limits: {lower: -1, upper: 1, velocity: 1, effort: 1}}
  - {a: 0, alpha: !degrees 90, d: q + 0.1, theta: 0, limits: &l {lower: 0, upper: 1, velocity: 1, effort: 1}}
  - {a: 0, alpha: 0, d: 0, theta: 0, limits: *l, mimic: {joint: j, multiplier: 2}}
tool: {xyz: [0, 0, 0.1]}
expect: [{q: [0, 0, 0], xyz: [1, 2, 3]}]
"""


@given(
    st.integers(0, len(GOOD) - 1),
    st.integers(0, 6),
    st.sampled_from(["", "{", "}", "[", "]", ":", ",", "\n", " ", "*", "&", "!", "'", "- ", "q", "0", ".", "\t", "~"]),
)
def test_a_good_file_with_one_place_spoilt(start, length, inserted):
    result = outcome(GOOD[:start] + inserted + GOOD[start + length :])
    assert isinstance(result, Table) or is_told(result)


def test_the_good_file_is_good():
    assert isinstance(outcome(GOOD), Table)
