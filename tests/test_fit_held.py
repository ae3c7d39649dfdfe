"""What a URDF may say and no table holds: it is left out with a line, or the fit refuses it with one."""

from __future__ import annotations

from dataclasses import replace
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import run
from fitted import joint, robot
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import (
    Box,
    Calibration,
    Capsule,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Link,
    Material,
    Mesh,
    Mimic,
    Safety,
    Shape,
    Sphere,
)
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.writer import write_table
from mdh2urdf.urdf.reader import read_urdf

SIZE = (0.1, 0.2, 0.3)


def fitted(*joints, links=(), **options):
    """The table that is read back from a fitted one, and the lines of the report on what was left out."""
    table, report = fit_table(robot(*joints, links=links), **options)
    text = write_table(table, comments=report.lines())
    return read_table(text)[0], [line for line in report.lines() if "left out" in line]


def refused(*joints, links=(), **options):
    with pytest.raises(Mdh2UrdfError) as error:
        fitted(*joints, links=links, **options)
    return str(error.value).splitlines()


def test_negative_and_huge_values_of_a_joint_are_left_out_and_told():
    table, lines = fitted(
        joint("j1", "a", "b", dynamics=Dynamics(damping=-0.5, friction=0.1)),
        joint("j2", "b", "c", dynamics=Dynamics(damping=-1.0), safety=Safety(k_velocity=1e300, k_position=5.0)),
        joint("j3", "c", "d", safety=Safety(k_velocity=1.0, soft_upper=1e16), calibration=Calibration(rising=-1e13)),
        joint("j4", "d", "e", dynamics=Dynamics(friction=1e13), calibration=Calibration(rising=-1.0, falling=1e13)),
    )
    assert lines == [
        "j1: dynamics damping left out, it is negative",
        "j2: dynamics damping left out, it is negative",
        "j2: safety k_velocity left out, beyond 1e+12",
        "j3: safety soft_upper left out, beyond 1e+12",
        "j3: calibration rising left out, beyond 1e+12",
        "j4: dynamics friction left out, beyond 1e+12",
        "j4: calibration falling left out, beyond 1e+12",
    ]
    assert [one.dynamics for one in table.joints] == [Dynamics(friction=0.1), None, None, None]
    assert [one.safety for one in table.joints] == [None, None, Safety(k_velocity=1.0), None]
    assert [one.calibration for one in table.joints] == [None, None, None, Calibration(rising=-1.0)]


def test_shapes_that_no_table_holds_are_left_out_and_told():
    red = Material(name="red", rgba=(1.0, 0.0, 0.0, 1.0))
    shapes = (
        Shape(geometry=Box(size=(0.1, 0.0, 0.1))),
        Shape(geometry=Cylinder(radius=0.1, length=0.0)),
        Shape(geometry=Sphere(radius=0.0)),
        Shape(geometry=Mesh(filename="m.stl", scale=(1.0, 0.0, 1.0))),
        Shape(geometry=Mesh(filename="m.stl ")),
        Shape(geometry=Capsule(radius=0.1, length=0.0), name="ball "),
        Shape(geometry=Box(size=SIZE), material=Material(name="loud", rgba=(255.0, 0.0, 0.0, 1.0))),
        Shape(geometry=Box(size=SIZE), material=Material(texture="t\n", name="odd\t", rgba=red.rgba)),
        Shape(geometry=Box(size=SIZE), material=Material(texture="\n")),
        Shape(geometry=Box(size=SIZE), material=Material(name=" ")),
        Shape(geometry=Box(size=SIZE), material=Material()),
        Shape(geometry=Box(size=SIZE), material=red),
        Shape(geometry=Box(size=SIZE), material=Material(name="red"), name="kept"),
    )
    table, lines = fitted(joint("j", "a", "b"), links=(Link(name="b", visuals=shapes),))
    unfit = "it is not one line without blanks at its ends"
    assert lines == [
        "b: a box left out, one of its sizes is not above 0",
        "b: a cylinder left out, one of its sizes is not above 0",
        "b: a sphere left out, one of its sizes is not above 0",
        "b: a mesh left out, its scale is 0",
        "b: a mesh left out, its file name 'm.stl ' is not one line without blanks at its ends",
        f"b: name 'ball ' of a capsule left out, {unfit}",
        "b: colour 255 0 0 1 left out, colours go from 0 to 1",
        f"b: texture 't\\n' left out, {unfit}",
        f"b: name 'odd\\t' of a material left out, {unfit}",
        f"b: texture '\\n' left out, {unfit}",
        f"b: name ' ' of a material left out, {unfit}",
    ]
    kept = table.links["b"].visuals
    assert [shape.name for shape in kept] == ["", *[""] * 6, "kept"]
    assert [shape.material for shape in kept] == [
        *(None, None),
        Material(rgba=red.rgba),
        *(None, None, None),
        red,
        Material(name="red"),
    ]


def test_what_is_left_out_is_told_of_the_fitted_part_only():
    whole = [joint("j1", "a", "b"), joint("j2", "b", "c", dynamics=Dynamics(damping=-1.0))]
    assert fitted(*whole, tip="b")[1] == ["left out: joint j2"]


def test_what_is_left_out_is_part_of_the_report_as_data():
    report = fit_table(robot(joint("j", "a", "b", dynamics=Dynamics(damping=-1.0))))[1]
    assert report.as_json()["unheld"] == ({"place": "j", "what": "dynamics damping", "reason": "it is negative"},)


def test_numbers_that_the_kinematics_or_the_masses_need_are_refused():
    far = (1e12, 1e12, 0.0)
    assert refused(joint("j", "a", "b"), joint("k", "b", "c", mimic=Mimic(joint="j", multiplier=-1e13))) == [
        "joint 'k': has the number -10000000000000; the largest number of a table is 1e+12"
    ]
    slide = joint("k", "b", "c", kind="prismatic", mimic=Mimic(joint="j", multiplier=1e12))
    assert fitted(joint("j", "a", "b"), slide)[1] == []
    assert refused(joint("j", "a", "b"), slide, units=Units("deg", "mm"))[0].startswith(
        "joint 'k': has the number 17453"
    )
    lines = refused(joint("j", "a", "b", far, (0.4, 0, 0)), joint("k", "b", "c", far, (0, 0.4, 0)))
    assert [line.partition(" has the number ")[0] for line in lines] == ["joint 'j':", "joint 'k':"]
    heavy = Inertial(mass=1e300, inertia=Inertia(ixx=1.0, ixy=0.0, ixz=0.0, iyy=1.0, iyz=0.0, izz=1.0))
    held = joint("weld", "b", "c", (1.0, 0.0, 0.0), kind="fixed")
    on = joint("k", "c", "d")
    for mass in (heavy, replace(heavy, mass=1.7e308)):
        links = (Link(name="b", inertial=mass), Link(name="c", inertial=mass))
        assert [
            line.partition(" has the number ")[0] for line in refused(joint("j", "a", "b"), held, on, links=links)
        ] == ["link 'b':"]


def test_names_that_a_table_has_for_its_ends_are_refused_and_free_ones_are_found_for_a_tool():
    moved = (0.1, 0.0, 0.2)
    tip = joint("flange", "b", "hand", moved, (0, 0.3, 0), kind="fixed")
    assert refused(joint("hand_joint", "a", "b"), tip) == [
        "joint 'hand_joint': a table has this name for its tool; rename it"
    ]
    assert refused(joint("a_frame0_joint", "a", "a_frame0", moved, (0.3, 0, 0)), joint("k", "a_frame0", "b")) == [
        "joint 'a_frame0_joint': a table has this name for its base; rename it",
        "link 'a_frame0': a table has this name for its base; rename it",
    ]
    table, _ = fitted(joint("tool0_joint", "a", "b"), joint("k", "b", "tool0_", moved, (0.3, 0.2, 0)))
    assert {one.name for one in table.joints} >= {"tool0_joint", "k"}


def test_a_link_may_be_called_as_the_merge_key_of_yaml():
    table, _ = fitted(joint("j", "a", "<<"), links=(Link(name="<<", visuals=(Shape(geometry=Sphere(radius=0.1)),)),))
    assert table.links["<<"].visuals


def test_the_command_says_what_is_left_out(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text(
        '<robot name="arm"><link name="a"/><link name="b"/><joint name="j" type="continuous"><parent link="a"/>'
        '<child link="b"/><dynamics damping="-0.1"/></joint></robot>'
    )
    outcome = run("fit", path)
    assert outcome.status == 0
    assert "j: dynamics damping left out, it is negative" in outcome.err
    assert "damping:" not in outcome.out
    assert run("check", "-", "--from", "yaml", stdin=outcome.out.encode()).err == ""


NUMBERS = ("0", "1", "-1", "0.5", "-0.3", "1e12", "-1e12", "1e13", "-1e300", "5e-324", "1.7e308")
NAMES = ("a", "tool0", "tool0_joint", "base_link", "base_link_frame0", "base_link_frame0_joint", "true", "~", "<<")
NAMES += ("x-a", "q", "pi", " a", "a\u00a0", "é", "e\u0301", "a:b", "#", "-", "[x]", "*a", "0x10", "=", '"', "a\u200b")

tame = st.sampled_from(NUMBERS[:5])
wild = st.sampled_from(NUMBERS)
numbers = st.integers(0, 7).flatmap(lambda draw: tame if draw else wild)
positive = numbers.map(lambda text: text.removeprefix("-"))
names = st.sampled_from(NAMES)


def attributes(**values):
    """Some of these attributes."""
    present = [st.just("") | value.map(f' {key}="{{}}"'.format) for key, value in values.items()]
    return st.tuples(*present).map("".join)


def element(tag, given_attributes, content=None):
    content = st.just("") if content is None else content
    return st.tuples(given_attributes, content).map(lambda pair: f"<{tag}{pair[0]}>{pair[1]}</{tag}>")


def maybe(text):
    return st.just("") | text


def all_of(*texts):
    return st.tuples(*texts).map("".join)


def vector(key, numbers_, count=3):
    return st.tuples(*[numbers_] * count).map(lambda values: f' {key}="{" ".join(values)}"')


named = names.map(lambda name: f" name={quoteattr(name)}")
filed = names.map(lambda name: f" filename={quoteattr(name)}")
origin = element("origin", all_of(vector("xyz", numbers), vector("rpy", numbers)))
geometry = element(
    "geometry",
    st.just(""),
    st.one_of(
        element("box", vector("size", positive)),
        element("sphere", positive.map(' radius="{}"'.format)),
        element("cylinder", st.tuples(positive, positive).map(lambda two: ' radius="{}" length="{}"'.format(*two))),
        element("mesh", all_of(filed, maybe(vector("scale", numbers)))),
    ),
)
material = element(
    "material",
    maybe(named),
    all_of(maybe(element("color", vector("rgba", numbers, 4))), maybe(element("texture", filed))),
)
shape = st.sampled_from(["visual", "collision"]).flatmap(
    lambda tag: element(tag, maybe(named), all_of(maybe(origin), geometry, maybe(material)))
)
tensor = all_of(*(numbers.map(f' {key}="{{}}"'.format) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")))
inertial = element(
    "inertial",
    st.just(""),
    all_of(maybe(origin), element("mass", positive.map(' value="{}"'.format)), element("inertia", tensor)),
)
body = all_of(maybe(inertial), maybe(shape), maybe(shape))
follows = st.integers(0, 2).map(' joint="joint{}"'.format)
motion = all_of(
    maybe(origin),
    st.sampled_from(["", '<axis xyz="0 0 1"/>', '<axis xyz="1e308 -1e308 0"/>', '<axis xyz="0 5e-324 0"/>']),
    maybe(element("limit", attributes(lower=numbers, upper=numbers, effort=positive, velocity=positive))),
    maybe(element("dynamics", attributes(damping=numbers, friction=numbers))),
    maybe(
        element(
            "safety_controller",
            all_of(
                numbers.map(' k_velocity="{}"'.format),
                attributes(k_position=numbers, soft_lower_limit=numbers, soft_upper_limit=numbers),
            ),
        )
    ),
    maybe(element("calibration", attributes(rising=numbers, falling=numbers))),
    maybe(element("mimic", all_of(follows, attributes(multiplier=numbers, offset=numbers)))),
)


@st.composite
def urdfs(draw):
    """A URDF of one to three joints; one name of a joint and one of a link may be odd."""
    count = draw(st.integers(1, 3))
    links = [f"link{i}" for i in range(count + 1)]
    joints = [f"joint{i}" for i in range(count)]
    odd = draw(st.tuples(st.integers(0, 9), st.integers(0, 9), names, names))
    if odd[0] <= count:
        links[odd[0]] = odd[2]
    if odd[1] < count:
        joints[odd[1]] = odd[3]
    text = '<robot name="r">'
    text += "".join(f"<link name={quoteattr(name)}>{draw(body)}</link>" for name in links)
    for i, name in enumerate(joints):
        kind = draw(st.sampled_from(["revolute", "revolute", "continuous", "prismatic", "fixed"]))
        parent = links[draw(st.integers(max(0, i - 1), i))]
        text += f'<joint name={quoteattr(name)} type="{kind}"><parent link={quoteattr(parent)}/>'
        text += f"<child link={quoteattr(links[i + 1])}/>{draw(motion)}</joint>"
    return f"{text}</robot>"


def written(text, convention, units):
    """The table of a URDF and the report's lines; no table, and the problems, where it is refused."""
    try:
        table, report = fit_table(read_urdf(text)[0], convention=convention, units=units)
        return write_table(table, comments=report.lines()), report.lines()
    except Mdh2UrdfError as error:
        return "", [str(problem) for problem in error.problems]


def places_of_problems(text):
    try:
        read_table(text)
    except Mdh2UrdfError as error:
        return [problem.path for problem in error.problems]
    return []


@given(urdfs(), st.sampled_from(["modified", "standard"]), st.sampled_from([Units(), Units("deg", "mm")]))
def test_what_a_urdf_says_is_in_a_table_that_reads_back_or_is_told(text, convention, units):
    table, lines = written(text, convention, units)
    if not table:
        assert lines
        assert all("\n" not in line for line in lines)
        return
    wanted = places_of_problems(table)
    assert all(path.endswith(".limits") for path in wanted)
    assert not wanted or any(line.startswith("before the table converts") for line in lines)
