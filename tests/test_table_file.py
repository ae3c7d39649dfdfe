from __future__ import annotations

import math
import subprocess
import sys
import time

import pytest
from hypothesis import given

import strategies
from mdh2urdf.expression import Units
from mdh2urdf.kinematics import as_transform, tool_frame
from mdh2urdf.robot import (
    Box,
    Calibration,
    Cylinder,
    Dynamics,
    Inertia,
    Limits,
    Material,
    Mesh,
    Mimic,
    Safety,
    Shape,
    Sphere,
)
from mdh2urdf.se3 import IDENTITY, Transform, angle_between_rotations
from mdh2urdf.table import Base, ExpectedPose, ModifiedRow, StandardRow, TableLink, Tool
from mdh2urdf.table_file.reader import read_table

MODIFIED = "convention: modified\n"
STANDARD = "convention: standard\n"
DEG_MM = "units: {angle: deg, length: mm}\n"
LIMITS = "limits: {lower: -90, upper: 90, velocity: 180, effort: 50}"
HALF_PI = math.pi / 2


def read(text, **options):
    return read_table(text, **options)[0]


def rows(*entries):
    return "joints:\n" + "".join(f"  - {{{entry}}}\n" for entry in entries)


def joint(entry, head=MODIFIED + DEG_MM):
    return read(head + rows(entry)).joints[0]


def test_the_table_of_the_manual_is_read_as_it_means():
    text = """\
name: demo
convention: modified
units: {angle: deg, length: mm}
source: "the manual, revision 3"
license: BSD
notes: [a, {b: 1}]
x-vendor: {id: 007, since: 2024-01-02}
parameters: {L2: 289.48661, phi: 79.34995}
base: {link: world, xyz: [0, 0, 500], rpy: [0, 0, 90]}
joints:
  - {name: joint1, link: link1, a: 0, alpha: 0, d: 267, theta: 0, limits: {lower: -360, upper: 360}}
  - {name: joint2, link: link2, a: 0, alpha: -90, d: 0, theta: q - phi}
  - {name: joint3, link: link3, a: L2, alpha: 0, d: 0, theta: q + phi, x-tag: A3}
  - {name: slide,  type: prismatic, a: 0, alpha: 90, d: 120, theta: 0, direction: -1, limits: {lower: 0, upper: 200}}
tool: {link: flange, a: 76, alpha: -90, d: 97, theta: 0}
defaults: {revolute: {velocity: 180, effort: 50}, prismatic: {velocity: 100, effort: 200}}
expect:
  - {q: [0, 90, 0, 10], xyz: [129.5, 97, 671.5], rpy: [-90, 0, 0], tolerance: {length: 0.1, angle: 0.01}}
  - {q: [0, 0, 0, 0], xyz: [0, 0, 767], link: link1}
"""
    table = read(text)
    phi = math.radians(79.34995)
    assert (table.name, table.convention, table.units) == ("demo", "modified", Units("deg", "mm"))
    assert table.source == "the manual, revision 3"
    assert table.extras == {
        "license": "BSD",
        "notes": ["a", {"b": 1}],
        "x-vendor": {"id": 7, "since": "2024-01-02"},
    }
    assert table.base == Base(link="world", pose=Transform.from_xyz_rpy((0, 0, 0.5), (0, 0, HALF_PI)))
    assert [joint.name for joint in table.joints] == ["joint1", "joint2", "joint3", "slide"]
    assert [joint.link for joint in table.joints] == ["link1", "link2", "link3", "link4"]
    assert [joint.parent for joint in table.joints] == ["world", "link1", "link2", "link3"]
    assert [joint.type for joint in table.joints] == ["revolute", "continuous", "continuous", "prismatic"]
    assert [joint.direction for joint in table.joints] == [1, 1, 1, -1]
    assert [joint.variable for joint in table.joints] == ["", "q", "q", ""]
    assert [joint.row for joint in table.joints] == [
        ModifiedRow(a_prev=0, alpha_prev=0, d=0.267, theta=0),
        ModifiedRow(a_prev=0, alpha_prev=-HALF_PI, d=0, theta=-phi),
        ModifiedRow(a_prev=0.28948661, alpha_prev=0, d=0, theta=phi),
        ModifiedRow(a_prev=0, alpha_prev=HALF_PI, d=0.12, theta=0),
    ]
    assert [joint.limits for joint in table.joints] == [
        Limits(lower=-2 * math.pi, upper=2 * math.pi, velocity=math.pi, effort=50),
        Limits(velocity=math.pi, effort=50),
        Limits(velocity=math.pi, effort=50),
        Limits(lower=0, upper=0.2, velocity=0.1, effort=200),
    ]
    assert table.joints[2].extras == {"x-tag": "A3"}
    assert table.tool == Tool(link="flange", row=ModifiedRow(a_prev=0.076, alpha_prev=-HALF_PI, d=0.097, theta=0))
    assert table.expect == (
        ExpectedPose(
            q=(0, HALF_PI, 0, 0.01),
            xyz=(0.1295, 0.097, 0.6715),
            rpy=(-HALF_PI, 0, 0),
            length_tolerance=1e-4,
            angle_tolerance=math.radians(0.01),
        ),
        ExpectedPose(q=(0, 0, 0, 0), xyz=(0, 0, 0.767), link="link1"),
    )


def test_names_units_and_base_have_defaults():
    table = read(STANDARD + rows("a: 1, alpha: 1, d: 1, theta: 1", "r: 0, alpha: 0, d: 2, theta: 3"))
    assert table.units == Units("rad", "m")
    assert table.base == Base(link="base_link", pose=IDENTITY)
    assert table.tool is None
    assert table.joints[1].row == StandardRow(theta=3, d=2, a=0, alpha=0)
    assert (table.joints[1].name, table.joints[1].link, table.joints[1].parent) == ("joint2", "link2", "link1")


@pytest.mark.parametrize(
    ("file", "name"), [("robots/my_arm.yaml", "my_arm"), ("", "robot"), ("-", "robot"), ("a\nb.yaml", "robot")]
)
def test_a_table_without_a_name_is_called_as_its_file(file, name):
    assert read(MODIFIED + rows("a: 0, alpha: 0, d: 1, theta: 0"), file=file).name == name


def test_the_option_names_the_robot():
    text = "name: one\n" + MODIFIED + rows("a: 0, alpha: 0, d: 1, theta: 0")
    assert read(text).name == "one"
    assert read(text, name="two").name == "two"


def test_convention_and_units_of_the_options_serve_a_file_that_says_none():
    text = rows("a: 1, alpha: 90, d: 1, theta: 0")
    table = read(text, convention="standard", angle="deg", length="cm")
    assert table.joints[0].row == StandardRow(theta=0, d=0.01, a=0.01, alpha=HALF_PI)
    agreeing = read(STANDARD + "units: {angle: deg}\n" + text, convention="standard", angle="deg", length="cm")
    assert agreeing.joints == table.joints


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("90", HALF_PI),
        ("deg(90)", HALF_PI),
        ("!degrees 90", HALF_PI),
        ("!degrees 180/2", HALF_PI),
        ("rad(pi/2)", HALF_PI),
        ("!radians pi/2", HALF_PI),
        ("!radians 2*pi/4", HALF_PI),
        ("9e1", HALF_PI),
        ("'90'", HALF_PI),
        ("45 + 45", HALF_PI),
        ("1e-3", math.radians(1e-3)),
        ("-0.0", 0.0),
        ('"atan2(1, 1)"', math.pi / 4),
    ],
)
def test_an_angle_may_be_written_in_many_ways(cell, value):
    row = joint(f"a: 0, alpha: {cell}, d: 0, theta: 0").row
    assert row.alpha_prev == value
    assert math.copysign(1, row.alpha_prev) == 1


@pytest.mark.parametrize(("unit", "metres"), [("m", 25.4), ("cm", 0.254), ("mm", 0.0254), ("in", 25.4 * 0.0254)])
def test_lengths_are_in_the_unit_of_the_file(unit, metres):
    head = MODIFIED + f"units: {{length: {unit}}}\n"
    assert joint("a: 25.4, alpha: 0, d: 0, theta: 0", head).row.a_prev == metres


def test_rows_may_share_what_an_anchor_names():
    text = (
        MODIFIED
        + "x-limits: &big {lower: -3, upper: 3, velocity: 1, effort: 9}\n"
        + rows(
            "a: 0, alpha: 0, d: 0, theta: 0, limits: *big",
            "a: 1, alpha: 0, d: 0, theta: 0, limits: {<<: *big, upper: 2}",
        )
    )
    assert [joint.limits.upper for joint in read(text).joints] == [3, 2]


def test_parameters_are_kept_with_their_expressions():
    text = (
        MODIFIED
        + DEG_MM
        + "parameters: {L1: 100, L2: 2*L1, tilt: deg(30), vmax: 90}\n"
        + "base: {xyz: [0, 0, L1/2], rpy: [tilt, 0, 0]}\n"
        + "defaults: {velocity: vmax, effort: 10}\n"
        + rows(
            "a: L2, alpha: -tilt, d: L1 + 20, theta: q - tilt, beta: tilt/2, gamma: tilt, b: L1, "
            "limits: {lower: -vmax, upper: 2*45, effort: 5}",
            "a: 0, alpha: 0, d: q2 + L2, theta: 45 + 45, limits: {lower: 0, upper: L1}",
        )
        + "tool: {a: L1, alpha: tilt, d: 0, theta: 0}\n"
    )
    table = read(text)
    assert [(p.name, p.expression.text, p.value.value, p.value.is_angle) for p in table.parameters] == [
        ("L1", "100", 100, False),
        ("L2", "2*L1", 200, False),
        ("tilt", "deg(30)", math.radians(30), True),
        ("vmax", "90", 90, False),
    ]
    first, second = (
        {key: (cell.expression.text, cell.kind) for key, cell in joint.cells.items()} for joint in table.joints
    )
    assert first == {
        "theta": ("q - tilt", "angle"),
        "d": ("L1 + 20", "length"),
        "a": ("L2", "length"),
        "alpha": ("-tilt", "angle"),
        "beta": ("tilt/2", "angle"),
        "gamma": ("tilt", "angle"),
        "b": ("L1", "length"),
        "limits.lower": ("-vmax", "angle"),
        "limits.velocity": ("vmax", "angle"),
    }
    assert second == {
        "d": ("q2 + L2", "length"),
        "limits.upper": ("L1", "length"),
        "limits.velocity": ("vmax", "length"),
    }
    assert [joint.variable for joint in table.joints] == ["q", "q2"]
    assert [joint.limits.velocity for joint in table.joints] == [HALF_PI, 0.09]
    assert {key: cell.expression.text for key, cell in table.base.cells.items()} == {
        "xyz[2]": "L1/2",
        "rpy[0]": "tilt",
    }
    assert {key: cell.expression.text for key, cell in table.tool.cells.items()} == {"a": "L1", "alpha": "tilt"}
    assert table.tool.row.a_prev == 0.1
    assert table.joints[0].row == ModifiedRow(
        a_prev=0.2,
        alpha_prev=-math.radians(30),
        d=0.12,
        theta=-math.radians(30),
        beta_prev=math.radians(15),
        gamma=math.radians(30),
        b=0.1,
    )


def test_a_parameter_of_the_command_line_takes_the_place_of_the_files():
    text = MODIFIED + "parameters: {L1: 1, L2: 2*L1}\n" + rows("a: L2, alpha: 0, d: L1, theta: 0")
    table = read(text, parameters={"L1": "1 + 0.5"})
    assert table.joints[0].row == ModifiedRow(a_prev=3, alpha_prev=0, d=1.5, theta=0)
    assert table.parameters[0].expression.text == "1 + 0.5"


@pytest.mark.parametrize(
    ("theta", "offset", "direction", "variable"),
    [
        ("q", 0, 1, "q"),
        ("q1", 0, 1, "q1"),
        ("-q", 0, -1, "q"),
        ("elbow", 0, 1, "elbow"),
        ("q - 90", -HALF_PI, 1, "q"),
        ("-q1 + 90", HALF_PI, -1, "q1"),
        ("90 - elbow", HALF_PI, -1, "elbow"),
        ("deg(90) + q", HALF_PI, 1, "q"),
        ("90", HALF_PI, 1, ""),
    ],
)
def test_theta_may_hold_the_joint_variable(theta, offset, direction, variable):
    found = joint(f"name: elbow, a: 0, alpha: 0, d: 0, theta: {theta}, {LIMITS}")
    assert found.type == "revolute"
    assert (found.row.theta, found.direction, found.variable) == (offset, direction, variable)


@pytest.mark.parametrize("given", ["", "type: prismatic, ", "direction: -1, ", "type: prismatic, direction: -1, "])
def test_a_variable_in_d_makes_a_prismatic_row(given):
    found = joint(f"{given}a: 0, alpha: 0, d: 120 - q, theta: 30, {LIMITS}")
    assert (found.type, found.direction) == ("prismatic", -1)
    assert (found.row.d, found.row.theta) == (0.12, math.radians(30))
    assert found.limits == Limits(lower=-0.09, upper=0.09, velocity=0.18, effort=50)


def test_a_row_whose_joint_is_called_as_another_rows_variable_keeps_its_name():
    text = MODIFIED + rows("name: q2, a: 0, alpha: 0, d: 0, theta: -q2", "name: sin, a: 0, alpha: 0, d: 0, theta: q")
    assert [(joint.direction, joint.variable) for joint in read(text).joints] == [(-1, "q2"), (1, "q")]


@pytest.mark.parametrize(
    ("entry", "row_type", "limits"),
    [
        ("", "continuous", Limits()),
        ("limits: {}", "continuous", Limits()),
        ("type: continuous", "continuous", Limits()),
        ("type: continuous, limits: {velocity: 90, effort: 1}", "continuous", Limits(velocity=HALF_PI, effort=1)),
        (LIMITS, "revolute", Limits(lower=-HALF_PI, upper=HALF_PI, velocity=math.pi, effort=50)),
        (f"type: revolute, {LIMITS}", "revolute", Limits(lower=-HALF_PI, upper=HALF_PI, velocity=math.pi, effort=50)),
        (f"type: prismatic, {LIMITS}", "prismatic", Limits(lower=-0.09, upper=0.09, velocity=0.18, effort=50)),
        ("type: fixed", "fixed", Limits()),
    ],
)
def test_types_and_limits_go_together(entry, row_type, limits):
    found = joint(f"a: 0, alpha: 0, d: 0, theta: 0, {entry}")
    assert (found.type, found.limits) == (row_type, limits)


DEFAULT_CASES = [
    ("{velocity: 90, effort: 7}", (HALF_PI, 7), (HALF_PI, 7), (0.09, 7)),
    ("{velocity: 90, effort: 7, prismatic: {effort: 8}}", (HALF_PI, 7), (HALF_PI, 7), (0.09, 8)),
    (
        "{revolute: {velocity: 90, effort: 7}, prismatic: {velocity: 10, effort: 8}}",
        (HALF_PI, 7),
        (HALF_PI, 7),
        (0.01, 8),
    ),
    (
        "{revolute: {velocity: 90, effort: 7}, continuous: {velocity: 180}, prismatic: {velocity: 10, effort: 8}}",
        (HALF_PI, 7),
        (math.pi, 7),
        (0.01, 8),
    ),
]


@pytest.mark.parametrize(("defaults", "revolute", "continuous", "prismatic"), DEFAULT_CASES)
def test_defaults_fill_what_limits_do_not_give(defaults, revolute, continuous, prismatic):
    text = (
        MODIFIED
        + DEG_MM
        + f"defaults: {defaults}\n"
        + rows(
            "a: 0, alpha: 0, d: 0, theta: 0, limits: {lower: 0, upper: 1}",
            "a: 0, alpha: 0, d: 0, theta: 0",
            "type: prismatic, a: 0, alpha: 0, d: 0, theta: 0, limits: {lower: 0, upper: 1}",
            "a: 0, alpha: 0, d: 0, theta: 0, limits: {velocity: 1, effort: 2}",
        )
    )
    found = [(joint.limits.velocity, joint.limits.effort) for joint in read(text).joints]
    assert found == [revolute, continuous, prismatic, (math.radians(1), 2)]


def test_dynamics_safety_and_calibration_are_read_in_the_units_of_the_joint():
    extra = (
        "dynamics: {damping: 0.5, friction: 1}, "
        "safety: {soft_lower: -90, soft_upper: 90, k_position: 100, k_velocity: 10}, "
        "calibration: {rising: 90, falling: 180}, reference_rpy: [180, 90, -90]"
    )
    turning = joint(f"a: 0, alpha: 0, d: 0, theta: 0, {extra}")
    assert turning.dynamics == Dynamics(damping=0.5, friction=1)
    assert turning.safety == Safety(k_velocity=10, k_position=100, soft_lower=-HALF_PI, soft_upper=HALF_PI)
    assert turning.calibration == Calibration(rising=HALF_PI, falling=math.pi)
    assert turning.reference_rpy == (math.pi, HALF_PI, -HALF_PI)
    sliding = joint(f"type: prismatic, a: 0, alpha: 0, d: 0, theta: 0, {LIMITS}, {extra}")
    assert sliding.safety == Safety(k_velocity=10, k_position=100, soft_lower=-0.09, soft_upper=0.09)
    assert sliding.calibration == Calibration(rising=0.09, falling=0.18)
    short = joint("a: 0, alpha: 0, d: 0, theta: 0, safety: {k_velocity: 0}, dynamics: {}, calibration: {}")
    assert (short.safety, short.dynamics, short.calibration) == (Safety(k_velocity=0), Dynamics(), Calibration())


def test_mimic_relates_the_two_q_in_the_units_of_the_file():
    slide = "type: prismatic, limits: {lower: 0, upper: 9, velocity: 1, effort: 1}, a: 0, alpha: 0, d: 0, theta: 0"
    turn = "a: 0, alpha: 0, d: 0, theta: 0"
    text = (
        MODIFIED
        + DEG_MM
        + "parameters: {ratio: 2, shift: 30}\n"
        + rows(
            turn,
            f"{turn}, mimic: {{joint: joint1, multiplier: -ratio, offset: shift}}",
            f"{slide}, mimic: {{joint: joint1, multiplier: ratio, offset: shift}}",
            f"{turn}, mimic: {{joint: joint3, multiplier: 5}}",
            f"{turn}, mimic: {{joint: joint6}}",
            turn,
        )
    )
    joints = read(text).joints
    assert [joint.mimic for joint in joints] == [
        None,
        Mimic(joint="joint1", multiplier=-2, offset=math.radians(30)),
        Mimic(joint="joint1", multiplier=pytest.approx(2 * 0.001 / math.radians(1)), offset=0.03),
        Mimic(joint="joint3", multiplier=pytest.approx(5 * math.radians(1) / 0.001)),
        Mimic(joint="joint6"),
        None,
    ]
    assert {key: cell.expression.text for key, cell in joints[1].cells.items()} == {
        "mimic.multiplier": "-ratio",
        "mimic.offset": "shift",
    }
    assert set(joints[2].cells) == {"mimic.offset"}  # the multiplier was turned into m/rad


def test_modified_rows_may_form_a_tree():
    text = MODIFIED + rows(
        "link: torso, a: 0, alpha: 0, d: 1, theta: 0",
        "link: left, a: 0, alpha: 0, d: 0, theta: 0, gamma: 1, b: 2",
        "link: right, parent: torso, a: 0, alpha: 0, d: 0, theta: 0",
        "link: second, parent: base_link, a: 0, alpha: 0, d: 0, theta: 0",
    )
    table = read(text)
    assert [joint.parent for joint in table.joints] == ["base_link", "torso", "torso", "base_link"]
    assert table.joints[1].row == ModifiedRow(a_prev=0, alpha_prev=0, d=0, theta=0, gamma=1, b=2)


def test_standard_rows_may_name_the_parent_that_they_have_anyway():
    text = STANDARD + rows(
        "parent: base_link, a: 0, alpha: 0, d: 0, theta: 0", "parent: link1, a: 0, alpha: 0, d: 0, theta: 0"
    )
    assert [joint.parent for joint in read(text).joints] == ["base_link", "link1"]


def test_hayatis_beta_is_read_in_both_conventions():
    assert joint("a: 0, alpha: 0, d: 0, theta: 0, beta: 1", MODIFIED).row.beta_prev == 1
    assert joint("a: 0, alpha: 0, d: 0, theta: 0, beta: 1", STANDARD).row.beta == 1


@pytest.mark.parametrize(
    ("entry", "tool"),
    [
        ("{xyz: [0, 0, 100], rpy: [90, 0, 0]}", Tool(pose=Transform.from_xyz_rpy((0, 0, 0.1), (HALF_PI, 0, 0)))),
        ("{link: flange}", Tool(link="flange", pose=IDENTITY)),
        ("{rpy: [0, 0, 180]}", Tool(pose=Transform.from_xyz_rpy((0, 0, 0), (0, 0, math.pi)))),
        ("{r: 76, alpha: -90, d: 97, theta: 0}", Tool(row=StandardRow(theta=0, d=0.097, a=0.076, alpha=-HALF_PI))),
    ],
)
def test_a_tool_is_a_row_or_a_pose(entry, tool):
    head = STANDARD + DEG_MM + rows("a: 0, alpha: 0, d: 0, theta: 0")
    assert read(head + f"tool: {entry}\n").tool == tool


def test_links_have_mass_data_and_geometry_in_the_units_of_the_file():
    text = (
        MODIFIED
        + DEG_MM
        + "parameters: {m: 2, r: 30}\n"
        + rows("a: 0, alpha: 0, d: 0, theta: 0")
        + "tool: {xyz: [0, 0, 1]}\n"
        + """\
links:
  base_link: {frame: dh}
  link1:
    mass: m
    center_of_mass: [10, 0, -20]
    inertia: {ixx: 1, ixy: 0, ixz: -0.5, iyy: 2, iyz: 0, izz: 1e-3}
    inertia_rpy: [90, 0, 0]
    frame: dh
    x-part: 42
    visual:
      - {geometry: {mesh: {filename: "package://arm/link 1.stl", scale: [1, -1, 1]}}, xyz: [1, 2, 3], rpy: [0, 0, 90]}
      - {geometry: {mesh: {filename: arm.stl, scale: 0.001}}, material: grey}
      - {geometry: {mesh: {filename: plain.stl}}}
      - {name: box, geometry: {box: [100, 200, 300]}, material: {name: red, rgba: [1, 0, 0, 0.5], texture: red.png}}
    collision:
      - {geometry: {cylinder: {radius: r, length: 100}}, material: {}}
      - {geometry: {sphere: {radius: 50}}}
  tool0: {}
"""
    )
    links = read(text).links
    assert links["base_link"] == TableLink(frame="dh")
    assert links["tool0"] == TableLink()
    assert links["link1"] == TableLink(
        frame="dh",
        mass=2,
        center_of_mass=(0.01, 0, -0.02),
        inertia=Inertia(ixx=1, ixy=0, ixz=-0.5, iyy=2, iyz=0, izz=1e-3),
        inertia_rpy=(HALF_PI, 0, 0),
        visuals=(
            Shape(
                geometry=Mesh(filename="package://arm/link 1.stl", scale=(1, -1, 1)),
                origin=Transform.from_xyz_rpy((0.001, 0.002, 0.003), (0, 0, HALF_PI)),
            ),
            Shape(geometry=Mesh(filename="arm.stl", scale=(0.001, 0.001, 0.001)), material=Material(name="grey")),
            Shape(geometry=Mesh(filename="plain.stl")),
            Shape(
                geometry=Box(size=(0.1, 0.2, 0.3)),
                name="box",
                material=Material(name="red", rgba=(1, 0, 0, 0.5), texture="red.png"),
            ),
        ),
        collisions=(
            Shape(geometry=Cylinder(radius=0.03, length=0.1), material=Material()),
            Shape(geometry=Sphere(radius=0.05)),
        ),
        extras={"x-part": 42},
    )


def test_the_tool_link_that_a_standard_table_needs_may_have_mass():
    body = "{mass: 1, inertia: {ixx: 1, ixy: 0, ixz: 0, iyy: 1, iyz: 0, izz: 1}}"
    text = STANDARD + rows("a: 1, alpha: 0, d: 0, theta: 0") + f"links: {{tool0: {body}}}\n"
    assert read(text).links["tool0"].mass == 1


def test_expected_poses_may_give_position_or_orientation_only():
    text = MODIFIED + DEG_MM + rows("a: 0, alpha: 0, d: 0, theta: 0", "type: fixed, a: 0, alpha: 0, d: 0, theta: 0")
    text += "expect:\n  - {q: [45 + 45], rpy: [0, 0, 90]}\n  - {q: [0], xyz: [0, 0, 0], tolerance: {length: 1}}\n"
    assert read(text).expect == (
        ExpectedPose(q=(HALF_PI,), rpy=(0, 0, HALF_PI)),
        ExpectedPose(q=(0,), xyz=(0, 0, 0), length_tolerance=0.001),
    )


UR5 = [("shoulder_pan", 0, HALF_PI, 0.089159), ("shoulder_lift", -0.425, 0, 0), ("elbow", -0.39225, 0, 0)]
UR5 += [("wrist_1", 0, HALF_PI, 0.10915), ("wrist_2", 0, -HALF_PI, 0.09465), ("wrist_3", 0, 0, 0.0823)]


def test_degrees_and_millimetres_give_the_same_arm_as_radians_and_metres():
    plain = STANDARD + rows(*(f"name: {n}, a: {a}, alpha: {alpha}, d: {d}, theta: 0" for n, a, alpha, d in UR5))
    scaled = STANDARD + DEG_MM
    scaled += rows(
        *(
            f"name: {n}, a: {a * 1000:.10g}, alpha: {math.degrees(alpha)}, d: {d * 1000:.10g}, theta: 0"
            for n, a, alpha, d in UR5
        )
    )
    assert read(plain).joints == read(scaled).joints
    pose = as_transform(tool_frame(read(scaled), [0] * 6))
    assert pose.translation == pytest.approx((-0.81725, -0.19145, -0.005491), abs=1e-15)
    turned = Transform.from_xyz_rpy((0, 0, 0), (HALF_PI, 0, 0)).rotation
    assert angle_between_rotations(pose.rotation, turned) < 1e-15


@given(strategies.tables())
def test_rows_written_with_seventeen_digits_are_read_back_exactly(table):
    text = f"convention: {table.convention}\ndefaults: {{velocity: 1, effort: 1}}\njoints:\n"
    for joint in table.joints:
        row = {"theta": joint.row.theta, "d": joint.row.d}
        if isinstance(joint.row, ModifiedRow):
            row |= {"a": joint.row.a_prev, "alpha": joint.row.alpha_prev, "beta": joint.row.beta_prev}
            row |= {"gamma": joint.row.gamma, "b": joint.row.b}
        else:
            row |= {"a": joint.row.a, "alpha": joint.row.alpha, "beta": joint.row.beta}
        cells = ", ".join(f"{key}: {value!r}" for key, value in row.items())
        limits = "" if joint.limits.lower is None else f", limits: {{lower: {joint.limits.lower}, upper: 5}}"
        text += f"  - {{parent: {joint.parent}, type: {joint.type}, {cells}{limits}}}\n"
    assert [joint.row for joint in read(text).joints] == [joint.row for joint in table.joints]


def big_table(joints):
    rows = "".join(
        f"  - {{name: joint{i}, link: link{i}, a: {0.1 + i / 7}, alpha: -90, d: {0.2 * i}, theta: {0.1 * i}, "
        "limits: {lower: -175, upper: 175, velocity: 180, effort: 50}}\n"
        for i in range(joints)
    )
    return f"name: long\n{MODIFIED}{DEG_MM}joints:\n{rows}"


def test_a_long_table_is_read_in_time_linear_in_its_rows():
    def seconds(joints):
        text = big_table(joints)
        start = time.process_time()
        assert len(read(text).joints) == joints
        return time.process_time() - start

    seconds(100)
    assert seconds(4000) < 12 * min(seconds(1000) for _ in range(3))  # 4 if linear, 16 if quadratic


def test_reading_a_table_imports_nothing_slow():
    code = (
        "import sys; from mdh2urdf.table_file.reader import read_table; "
        f"read_table({MODIFIED + rows('a: 0, alpha: 0, d: 0, theta: q')!r}); "
        "slow = {'numpy', 'sympy', 'scipy', 'rich', 'lxml', 'xacro', 'difflib', 'mdh2urdf.table_file.text_table'}; "
        "print(sorted(slow & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_reversed_joint_keeps_its_limits_and_turns_the_other_way():
    limits = "limits: {lower: -1, upper: 2, velocity: 3, effort: 4}"
    text = STANDARD + rows(
        f"a: 0, alpha: pi/2, d: 0, direction: -1, theta: pi/2, {limits}",
        "a: 0, alpha: pi/2, d: 0.33, theta: q + pi",
        "a: 0, alpha: -pi/2, d: 0, theta: 0",
        "a: 0, alpha: 0, d: 0.37, theta: 0",
    )
    table = read(text)
    assert table.joints[0].limits == Limits(lower=-1, upper=2, velocity=3, effort=4)
    # recorded from an independent implementation of theta = direction * q + offset
    assert as_transform(tool_frame(table, [0.3, -0.2, 0.4, 0.1])).translation == pytest.approx(
        (0.682563818128, -0.063327128720, -0.028625228142), abs=1e-12
    )


def test_the_rules_of_limits_for_a_table_as_people_write_them():
    row = "a: 0, alpha: 0, d: 0.1, theta: 0"
    table, findings = read_table(
        MODIFIED
        + "defaults: {continuous: {effort: 5}}\n"
        + rows(
            f"name: c2, type: continuous, {row}, limits: {{velocity: 2.0}}",
            f"name: r3, {row}, limits: {{lower: 0, upper: 0, velocity: 0, effort: 0}}",
        )
    )
    assert [joint.limits for joint in table.joints] == [
        Limits(velocity=2, effort=5),
        Limits(lower=0, upper=0, velocity=0, effort=0),
    ]
    assert findings == []
