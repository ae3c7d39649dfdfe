"""show prints a table as engineers draw it, and the joint screws, as text, Markdown and LaTeX."""

from __future__ import annotations

import textwrap
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from mdh2urdf.convert import strict_robot
from mdh2urdf.expression import Units, parse
from mdh2urdf.robot import Joint, Limits, Link, Robot
from mdh2urdf.se3 import Transform
from mdh2urdf.show.formula import formula_latex, formula_text, name_latex
from mdh2urdf.show.tables import show_screws, show_table
from mdh2urdf.table import Base, Tool
from mdh2urdf.table_file.reader import read_table
from strategies import tables

DEMO = """
name: demo
convention: modified
units: {angle: deg, length: mm}
source: "a page,
  2024"
parameters: {L2: 289.48661, phi: 79.34995}
base: {link: base_link, xyz: [0, 0, 10], rpy: [0, 0, 90]}
joints:
  - {name: joint1, link: link1, a: 0, alpha: 0, d: 267, theta: 0, limits: {lower: -360, upper: 2*phi, velocity: 9, effort: 5}}
  - {name: joint_2, link: link2, a: 0, alpha: -90, d: 0, theta: q - phi}
  - {name: joint3, link: link3, a: L2, alpha: 0, d: 0, theta: phi, direction: -1}
  - {name: slide,  type: prismatic, a: 0, alpha: 90, d: 120, theta: 0, direction: -1, limits: {lower: 0, upper: 200, velocity: 1, effort: 1}}
  - {name: j5, a: 0, alpha: 0.5, d: 0, theta: -90}
tool: {link: tool0, a: L2/2, alpha: -90, d: 97, theta: 0}
"""  # noqa: E501


def table(text=DEMO):
    return read_table(text)[0]


def rows_of(text):
    return textwrap.dedent(text).lstrip("\n")


def test_a_table_is_drawn_with_its_units_formulas_and_parameters():
    assert show_table(table()) == rows_of(
        """
        demo: modified, T(i-1,i) = Rx(α) Tx(a) Rz(θ) Tz(d)

         joint     type         a_{i-1} [mm]   α_{i-1} [deg]      d [mm]   θ [deg]   lower   upper
         ─────────────────────────────────────────────────────────────────────────────────────────
         joint1    revolute                0               0         267        q1    -360     2·φ
         joint_2   continuous              0             -90           0    q2 - φ
         joint3    continuous             L2               0           0   -q3 + φ
         slide     prismatic               0              90   -q4 + 120         0       0     200
         j5        continuous              0             0.5           0   q5 - 90
         tool0     fixed                L2/2             -90          97         0

        L2 = 289.48661
        φ = 79.34995
        base_link to frame 0: xyz 0, 0, 10 mm; rpy 0, 0, 90 deg
        source: a page, 2024
        """
    )


def test_markdown_has_a_rule_below_the_headings():
    lines = show_table(table(), "markdown").splitlines()
    assert lines[0] == "**demo: modified, T(i-1,i) = Rx(α) Tx(a) Rz(θ) Tz(d)**"
    assert lines[2] == "| joint | type | a_{i-1} [mm] | α_{i-1} [deg] | d [mm] | θ [deg] | lower | upper |"
    assert lines[3] == "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |"
    assert lines[5] == "| joint_2 | continuous | 0 | -90 | 0 | q2 - φ |  |  |"
    assert lines[10:12] == ["", "L2 = 289.48661"]


def test_signs_that_markdown_takes_for_its_own_are_escaped():
    named = replace(table(), name="a|b*", source="<none>")
    lines = show_table(named, "markdown").splitlines()
    assert lines[0].startswith(r"**a\|b\*: modified")
    assert lines[-1] == r"source: \<none>"


def test_latex_is_a_tabular():
    lines = show_table(table(), "latex").splitlines()
    assert lines[:5] == [
        "% demo: modified, T(i-1,i) = Rx(α) Tx(a) Rz(θ) Tz(d)",
        r"\begin{tabular}{llrrrrrr}",
        r"\hline",
        r"joint & type & $a_{i-1}$ [mm] & $\alpha_{i-1}$ [deg] & $d_{i}$ [mm] & $\theta_{i}$ [deg] & lower & upper \\",
        r"\hline",
    ]
    assert lines[6] == r"joint\_2 & continuous & $0$ & $-90$ & $0$ & $q_{2} - \phi$ &  &  \\"
    assert lines[10] == r"tool0 & fixed & $\frac{L_{2}}{2}$ & $-90$ & $97$ & $0$ &  &  \\"
    assert lines[11:13] == [r"\hline", r"\end{tabular}"]
    assert lines[-1] == "% source: a page, 2024"


UR = """
name: ur
convention: standard
joints:
  - {a: 0, alpha: pi/2, d: 0.0892, theta: 0, limits: {lower: -pi, upper: pi, velocity: 3, effort: 150}}
  - {a: -0.425, alpha: 0, d: 0, theta: -3*pi/4}
tool: {link: tcp, xyz: [0, 0, 0.1], rpy: [pi, 0, 0]}
"""


def test_a_standard_table_has_its_own_product_and_fractions_of_pi():
    assert show_table(table(UR)) == rows_of(
        """
        ur: standard, T(i-1,i) = Rz(θ) Tz(d) Tx(a) Rx(α)

         joint     a [m]   α [rad]    d [m]     θ [rad]   lower [rad]   upper [rad]
         ──────────────────────────────────────────────────────────────────────────
         joint1        0       π/2   0.0892          q1            -π             π
         joint2   -0.425         0        0   q2 - 3π/4

        link2 to tcp: xyz 0, 0, 0.1 m; rpy pi, 0, 0 rad
        """
    )
    assert r"$q_{2} - \frac{3 \pi}{4}$" in show_table(table(UR), "latex")


def test_columns_of_other_parameters_appear_where_a_row_uses_them():
    tree = """
    name: fork
    convention: modified
    joints:
      - {a: 0, alpha: 0, d: 1, theta: 0}
      - {a: 0, alpha: 0, d: 0, theta: 0, parent: link1, gamma: 0.3, b: 0.2}
      - {a: 0, alpha: 0, d: 0, theta: 0, parent: link1, beta: 0.01, type: fixed}
    """
    lines = show_table(table(textwrap.dedent(tree))).splitlines()
    assert lines[0] == "fork: modified, T(i-1,i) = Rz(γ) Tz(b) Ry(β) Rx(α) Tx(a) Rz(θ) Tz(d)"
    assert " ".join(lines[2].split()) == (
        "joint parent link type γ [rad] b [m] β_{i-1} [rad] a_{i-1} [m] α_{i-1} [rad] d [m] θ [rad]"
    )
    assert lines[5].split() == ["joint2", "link1", "link2", "continuous", "0.3", "0.2", "0", "0", "0", "0", "q2"]
    assert lines[6].split() == ["joint3", "link1", "link3", "fixed", "0", "0", "0.01", "0", "0", "0", "0"]
    standard = UR.replace("theta: -3*pi/4}", "theta: 0, beta: 0.001}")
    assert show_table(table(standard)).startswith("ur: standard, T(i-1,i) = Rz(θ) Tz(d) Tx(a) Rx(α) Ry(β)\n")


def test_limits_of_slides_alone_are_lengths():
    slide = (
        "name: s\nconvention: modified\njoints:\n  - {type: prismatic, a: 0, alpha: 0, d: 0, theta: 0, limits: LIMITS}"
    )
    text = show_table(table(slide.replace("LIMITS", "{lower: -0.1, upper: 0.2, velocity: 1, effort: 1}")))
    assert text.splitlines()[2].split("θ [rad]")[1].split("  ") == ["", " lower [m]", " upper [m]"]


@pytest.mark.parametrize(
    ("theta", "shown"),
    [
        ("0", "q2"),
        ("-q + 1", "-q2 + 1"),
        ("lift - 2*c", "q2 - 2·c"),
        ("1e-7", "q2 + 1e-07"),
        ("-c", "q2 - c"),
        ("c - 1", "q2 + (c - 1)"),
        ("-1", "q2 - 1"),
        ("-c + 1", "q2 + (-c + 1)"),
        ("2*c", "q2 + 2·c"),
        ("atan2(c, 2)", "q2 + atan2(c, 2)"),
        ("c*0", "q2 + c·0"),
        ("1*sin(c - 1)", "q2 + 1·sin(c - 1)"),
    ],
)
def test_theta_is_shown_with_the_joints_variable(theta, shown):
    text = f"""
name: r
convention: modified
parameters: {{c: 0.5}}
joints:
  - {{a: 0, alpha: 0, d: 1, theta: 0}}
  - {{name: lift, a: 0, alpha: 0, d: 0, theta: "{theta}"}}
"""
    line = show_table(table(text), "markdown").splitlines()[5]
    assert line.split(" | ")[-1] == f"{shown} |"


@settings(max_examples=40)
@given(drawn=tables(), units=st.sampled_from([("deg", "mm"), ("rad", "m"), ("deg", "m")]))
def test_markdown_reads_back_as_the_same_rows(drawn, units):
    angle, length = units
    joints = tuple(replace(joint, limits=Limits(), type=_loose(joint.type)) for joint in drawn.joints)
    drawn = replace(drawn, joints=joints, units=Units(angle=angle, length=length), base=Base(), tool=None)
    text = "\n".join(line for line in show_table(drawn, "markdown").splitlines() if line.startswith("|"))
    back, _ = read_table(text, form="text", convention=drawn.convention, angle=angle, length=length)
    q = np.random.default_rng(1).uniform(-2, 2, len(drawn.moving_joints))
    assert np.abs(oracles.table_poses(drawn, q)["tool"] - oracles.table_poses(back, q)["tool"]).max() < 1e-10


def _loose(kind):
    """Prismatic joints need limits, whose units a heading of both kinds cannot say."""
    return "revolute" if kind == "prismatic" else kind


# Screws


def test_screws_are_listed_in_the_root_frame():
    robot = strict_robot(table(UR))
    assert show_screws(robot) == rows_of(
        """
        ur: joint screws at q = 0 in base_link

         joint    type         axis x   axis y   axis z   point x [m]   point y [m]   point z [m]
         ────────────────────────────────────────────────────────────────────────────────────────
         joint1   revolute          0        0        1             0             0        0.0892
         joint2   continuous        0       -1        0             0             0        0.0892

        tcp at q = 0: xyz 0.300520382004, -0.1, 0.389720382004 m; rpy 1.570796326795, 0.785398163397, 3.14159265359 rad
        """
    )


def test_a_slide_has_an_axis_and_no_point():
    lines = show_screws(strict_robot(table()), "markdown").splitlines()
    assert lines[2] == ("| joint | type | axis x | axis y | axis z | point x [m] | point y [m] | point z [m] |")
    assert lines[7] == "| slide | prismatic | 0 | 0 | -1 |  |  |  |"


def test_screws_of_a_tree_name_their_parents():
    links = tuple(Link(name=name) for name in ("root", "a", "b"))
    joints = (
        Joint(name="ja", type="revolute", parent="root", child="a"),
        Joint(
            name="jb",
            type="revolute",
            parent="root",
            child="b",
            axis=(0.0, 1.0, 0.0),
            origin=Transform.from_xyz_rpy((0.5, 0, 0), (0, 0, 0)),
        ),
    )
    robot = Robot(name="fork", links=links, joints=joints)
    lines = show_screws(robot, "latex").splitlines()
    assert lines[3] == (
        r"joint & type & parent & $\omega_x$ & $\omega_y$ & $\omega_z$ & $p_x$ [m] & $p_y$ [m] & $p_z$ [m] \\"
    )
    assert lines[6] == r"jb & revolute & root & $0$ & $1$ & $0$ & $0.5$ & $0$ & $0$ \\"
    assert "parent" not in show_screws(robot, tip="b")


# Formulas


@pytest.mark.parametrize(
    ("cell", "text", "latex"),
    [
        ("-pi/2", "-π/2", r"-\frac{\pi}{2}"),
        ("3*pi/4", "3π/4", r"\frac{3 \pi}{4}"),
        ("q2 - phi", "q2 - φ", r"q_{2} - \phi"),
        ("-(a - b)*2", "-(a - b)·2", r"-\left(a - b\right) \cdot 2"),
        ("a - (b - c)", "a - (b - c)", r"a - \left(b - c\right)"),
        ("(a - b) - c", "a - b - c", "a - b - c"),
        ("a/(b*c)", "a/(b·c)", r"\frac{a}{b \cdot c}"),
        ("(a + b)**2", "(a + b)^2", r"\left(a + b\right)^{2}"),
        ("2**a**2", "2^(a^2)", "2^{a^{2}}"),
        ("+a", "a", "a"),
        ("deg(90) - q", "90° - q", r"90^\circ - q"),
        ("degrees(a + b)", "(a + b)°", r"\left(a + b\right)^\circ"),
        ("rad(0.5)", "0.5 rad", r"0.5\,\mathrm{rad}"),
        ("sqrt(a)", "sqrt(a)", r"\sqrt{a}"),
        ("atan2(L1, L_2)", "atan2(L1, L_2)", r"\operatorname{atan2}\left(L_{1}, L_{2}\right)"),
        ("1e-7", "1e-07", r"1 \cdot 10^{-7}"),
        ("upper_arm*0.5", "upper_arm·0.5", r"\mathrm{upper\_arm} \cdot 0.5"),
    ],
)
def test_formulas_are_printed_as_people_write_them(cell, text, latex):
    assert formula_text(parse(cell)) == text
    assert formula_latex(parse(cell)) == latex


def test_names_become_symbols():
    assert [name_latex(name) for name in ("phi", "phi2", "d4", "link_1", "tool0", "a_b")] == [
        r"\phi",
        r"\phi_{2}",
        "d_{4}",
        r"\mathrm{link}_{1}",
        r"\mathrm{tool}_{0}",
        r"\mathrm{a\_b}",
    ]


def test_a_tool_that_is_identity_is_no_row():
    plain = replace(table(UR), tool=Tool(link="tip"))
    assert "tip" not in show_table(plain)
