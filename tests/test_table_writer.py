"""Written tables, by their text and read back."""

from __future__ import annotations

import math
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from fitted import joint, robot
from mdh2urdf.expression import Expression, Units
from mdh2urdf.fit.fitting import fit_table
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
from mdh2urdf.se3 import Transform, angle_between_rotations, rotation_from_rpy
from mdh2urdf.table import Base, ExpectedPose, ModifiedRow, StandardRow, Table, TableJoint, TableLink, Tool
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.writer import write_table
from mdh2urdf.table_numbers import BASE, TOOL, table_numbers, with_numbers

ROBOTS = sorted((Path(__file__).parents[1] / "robots").glob("*.yaml"))
QUARTER = math.pi / 2


def plain(value):
    """A value whose expressions are their texts: trees of equal expressions are not equal."""
    match value:
        case Expression():
            return value.text
        case dict():
            return {key: plain(entry) for key, entry in value.items()}
        case tuple() | list():
            return [plain(entry) for entry in value]
        case _ if hasattr(value, "__dataclass_fields__"):
            return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    return value


@pytest.mark.parametrize("path", ROBOTS, ids=lambda path: path.stem)
def test_every_table_of_the_catalogue_reads_back_the_same(path):
    table, _ = read_table(path.read_text(), file=path.name)
    back, _ = read_table(write_table(table))
    assert plain(back) == plain(table)


WRITTEN = """# fitted to arm
# two
# lines
name: arm
convention: modified
units: {angle: deg, length: mm}
source: "a test"
joints:
  - {name: turn,  link: column,   a: 0,   alpha: 0,   d: 0,   theta: 0, limits: {lower: rad(-1.5), upper: rad(2)}}
  - {name: lift,  link: arm,      a: 0,   alpha: -90, d: 300, theta: 0, type: prismatic, limits: {lower: 0, upper: 200}}
  - {name: elbow, link: fore-arm, a: 250, alpha: 90,  d: 267, theta: 0}
tool: {link: tcp, xyz: [0, 100, 0], rpy: [0, 0, 45]}
"""


def test_a_written_table_looks_as_one_would_write_it():
    limits, stroke = Limits(lower=-1.5, upper=2.0), Limits(lower=0.0, upper=0.2)
    source = robot(
        joint("turn", "base_link", "column", (0, 0, 0.267), limits=limits),
        joint("lift", "column", "arm", (0, 0, 0), (-QUARTER, 0, 0), kind="prismatic", limits=stroke),
        joint("elbow", "arm", "fore-arm", (0.25, 0, 0.3), (QUARTER, 0, 0), limits=Limits()),
        joint("flange", "fore-arm", "tcp", (0, 0.1, 0), (0, 0, math.pi / 4), kind="fixed"),
    )
    table, _ = fit_table(source, units=Units("deg", "mm"))
    assert write_table(replace(table, source="a test"), comments=["fitted to arm", "two\nlines \x07"]) == WRITTEN


EVERYTHING = Table(
    name="every thing",
    joints=(
        TableJoint(
            name="a",
            link="one",
            parent="root",
            type="revolute",
            row=ModifiedRow(a_prev=0.1, alpha_prev=QUARTER, d=0.2, theta=-0.3, beta_prev=0.01, gamma=0.2, b=0.3),
            direction=-1,
            limits=Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0),
            reference_rpy=(0.1, 0.2, 0.3),
            dynamics=Dynamics(damping=0.1),
            safety=Safety(k_velocity=1.0, k_position=2.0, soft_lower=-0.5, soft_upper=0.5),
            calibration=Calibration(rising=0.1, falling=0.2),
            extras={"x-note": {"deep": [1, "two"]}},
        ),
        TableJoint(
            name="b",
            link="two",
            parent="one",
            type="prismatic",
            row=ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.1, theta=0.0),
            limits=Limits(lower=0.0, upper=0.5, velocity=0.1, effort=100.0),
            mimic=Mimic(joint="a", multiplier=0.2, offset=0.01),
        ),
        TableJoint(
            name="c",
            link="three",
            parent="one",
            type="continuous",
            row=ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.1, theta=0.0),
            mimic=Mimic(joint="a"),
            dynamics=Dynamics(damping=1.0, friction=2.0),
            safety=Safety(k_velocity=1.0),
            calibration=Calibration(falling=0.2),
        ),
        TableJoint(
            name="end",
            link="tip",
            parent="three",
            type="fixed",
            row=ModifiedRow(a_prev=0.0, alpha_prev=0.0, d=0.1, theta=0.0),
        ),
    ),
    base=Base(link="root", pose=Transform.from_xyz_rpy((0.1, 0.0, 0.2), (0.0, QUARTER, 0.0))),
    links={
        "root": TableLink(mass=1.5, inertia=Inertia(ixx=1, ixy=0.1, ixz=0, iyy=2, iyz=0, izz=3)),
        "one": TableLink(
            frame="dh",
            mass=2.0,
            center_of_mass=(0.1, 0.2, 0.3),
            inertia=Inertia(ixx=1e-7, ixy=0, ixz=0, iyy=2, iyz=0, izz=3),
            inertia_rpy=(0.1, 0.0, 0.0),
            visuals=(
                Shape(geometry=Mesh(filename="package://a/b.stl", scale=(0.001, 0.001, 0.001)), name="seen"),
                Shape(geometry=Mesh(filename="c.dae"), material=Material(name="red")),
                Shape(
                    geometry=Box(size=(0.1, 0.2, 0.3)),
                    origin=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.0, 0.0, 0.5)),
                    material=Material(name="blue", rgba=(0.0, 0.0, 1.0, 1.0), texture="t.png"),
                ),
                Shape(geometry=Sphere(radius=0.1), material=Material(texture="t.png")),
                Shape(geometry=Sphere(radius=0.1), material=Material(rgba=(0.1, 0.2, 0.3, 0.4))),
            ),
            collisions=(Shape(geometry=Cylinder(radius=0.1, length=0.2)),),
            extras={"x-part": 7},
        ),
        "tip": TableLink(visuals=(Shape(geometry=Sphere(radius=0.1)),)),
    },
    expect=(
        ExpectedPose(q=(0.1, 0.2, 0.3), xyz=(0.1, 0.2, 0.3), link="two", length_tolerance=1e-4),
        ExpectedPose(q=(0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3), link="three", angle_tolerance=1e-4),
        ExpectedPose(q=(0.1, 0.2, 0.3), rpy=(0.1, 0.2, 0.3), link="tip"),
    ),
    source='a "source": with, signs',
    extras={"license": "MIT", "notes": "two\nlines", "x-mine": {"1": [True, None]}},
)


def close(have, want) -> bool:
    """Equality of plain values but for one step of a double in numbers, and rounding of rotations."""
    if isinstance(want, float):
        return abs(have - want) <= 2 * math.ulp(want)
    if isinstance(want, dict):
        return have.keys() == want.keys() and all(close(have[key], want[key]) for key in want)
    if isinstance(want, list | tuple):
        rotation = len(want) == 3 and all(isinstance(row, list | tuple) and len(row) == 3 for row in want)
        if rotation and all(isinstance(entry, float) for row in want for entry in row):
            return angle_between_rotations(have, want) < 3e-15
        return len(have) == len(want) and all(close(a, b) for a, b in zip(have, want, strict=True))
    return have == want


@pytest.mark.parametrize("units", [Units(), Units("deg", "mm"), Units("deg", "in"), Units("rad", "cm")])
def test_everything_that_a_table_can_hold_reads_back(units):
    table = replace(EVERYTHING, units=units)
    text = write_table(table)
    back, _ = read_table(text)
    assert close(plain(back), plain(table)), text


def test_in_rad_and_m_every_row_reads_back_to_the_last_digit():
    back, _ = read_table(write_table(EVERYTHING))
    assert back.joints == EVERYTHING.joints


@settings(max_examples=100)
@given(strategies.tables(), st.sampled_from([Units(), Units("deg", "mm")]))
def test_drawn_tables_read_back(table, units):
    joints = tuple(replace(one, direction=1) if one.type == "fixed" else one for one in table.joints)
    table = replace(table, units=units, joints=joints)  # a fixed row has no direction
    back, _ = read_table(write_table(table))
    assert close(plain(back.joints), plain(table.joints))
    assert close(plain(back.base), plain(table.base))
    assert close(plain(back.tool), plain(table.tool))


PARAMETERS = """name: with_parameters
convention: standard
units: {angle: deg, length: mm}
parameters: {L: 300, phi: deg(12.5), far: "hypot(L, 40)"}
base: {link: base_link, xyz: [0, L, 0], rpy: [0, 0, phi]}
joints:
  - {name: a, link: one, a: L, alpha: 90, d: 0, theta: -q1 + phi, reference_rpy: [0, 0, phi],
     limits: {lower: -phi, upper: phi, velocity: 1, effort: 2}}
  - {name: b, link: two, a: "hypot(L, 40)", alpha: 0, d: q + L, theta: 0,
     limits: {lower: 0, upper: L, velocity: 1, effort: 2}}
  - {name: c, link: c1,  a: far, alpha: phi, d: L, theta: 0, mimic: {joint: a, multiplier: 2, offset: phi}}
tool: {link: tcp, a: L, alpha: 0, d: 0, theta: phi}
"""


def test_parameters_stay_as_they_were_written():
    table, _ = read_table(PARAMETERS)
    text = write_table(table)
    back, _ = read_table(text)
    assert plain(back) == plain(table)
    assert "theta: -q1 + phi" in text
    assert "direction" not in text
    assert "type: prismatic" not in text
    assert 'a: "hypot(L, 40)"' in text


def test_a_pose_of_parameters_that_are_nought_stays_too():
    text = PARAMETERS.replace("L: 300", "L: 0").replace("phi: deg(12.5)", "phi: 0")
    table, _ = read_table(text)
    assert "xyz: [0, L, 0]" in write_table(table)
    assert "rpy: [0, 0, phi]" in write_table(table)


def test_numbers_of_a_table_can_be_exchanged_wherever_they_stand():
    rows = standard_row(theta=0.1), standard_row(theta=0.2)
    one = TableJoint(name="a", link="l", parent="base_link", type="revolute", row=rows[0])
    table = Table(name="x", joints=(one,), tool=Tool(row=rows[1]))
    numbers = table_numbers(table)
    assert numbers["a", "theta"] == 0.1
    changed = {**numbers, (TOOL, "alpha"): 0.5, (BASE, "z"): 0.7}
    other = with_numbers(table, changed, [(TOOL, "alpha"), (BASE, "z")])
    assert other.joints[0] is one
    assert other.tool.row == replace(rows[1], alpha=0.5)
    assert other.base.pose.translation == (0, 0, 0.7)
    assert table_numbers(other) == changed


def standard_row(theta: float) -> StandardRow:
    return StandardRow(theta=theta, d=0.2, a=0.3, alpha=0.4)


def test_a_tool_without_row_or_pose_is_its_name():
    table = replace(EVERYTHING, joints=EVERYTHING.joints[:1], tool=Tool(link="tcp"), expect=(), links={})
    assert "tool: {link: tcp}\n" in write_table(table)


def test_standard_rows_write_beta_only_where_there_is_one():
    one = TableJoint(
        name="a", link="l", parent="base_link", type="revolute", row=StandardRow(theta=0.1, d=0.2, a=0.3, alpha=0.4)
    )
    two = replace(one, name="b", link="m", parent="l", row=replace(one.row, beta=0.01))
    lines = write_table(Table(name="x", joints=(one, two))).splitlines()
    assert lines[-2:] == [
        "  - {name: a, link: l, a: 0.3, alpha: 0.4, d: 0.2, theta: 0.1}",
        "  - {name: b, link: m, a: 0.3, alpha: 0.4, d: 0.2, theta: 0.1, beta: 0.01}",
    ]


def test_rpy_of_the_written_base_gives_its_rotation():
    table = replace(EVERYTHING, base=Base(pose=Transform(rotation_from_rpy((0.3, 0.2, 0.1)))))
    assert "base: {link: base_link, rpy: [0.3, 0.2, 0.1]}" in write_table(
        replace(table, joints=(replace(table.joints[0], parent="base_link"), *table.joints[1:]))
    )
