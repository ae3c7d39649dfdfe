"""Symbolic transforms and forward kinematics: exact entries, symbols for parameters, equal to the numbers."""

from __future__ import annotations

import math
import textwrap
from dataclasses import replace

import numpy as np
import pytest
import sympy
from hypothesis import given, settings

import oracles
from mdh2urdf.robot import Mimic
from mdh2urdf.show.cells import exact_angle
from mdh2urdf.show.symbolic import forward_kinematics, motions, product, show_symbolic
from mdh2urdf.table import Base
from mdh2urdf.table_file.reader import read_table
from strategies import tables

q1, q2, q3, q4 = sympy.symbols("q1 q2 q3 q4", real=True)


def table(text):
    return read_table(text)[0]


def transform(source, place):
    return product(motions(source)[place].steps)


ARM = """
name: arm
convention: modified
units: {angle: deg, length: mm}
parameters: {L2: 289.5, phi: 79.35, tilt: deg(30), n: 2}
joints:
  - {name: turn, a: 0, alpha: 0, d: 267, theta: 0}
  - {name: lift, a: 0, alpha: -90, d: 0, theta: q - phi}
  - {name: bend, a: L2, alpha: 180, d: n*L2, theta: phi + 30, direction: -1}
  - {name: slide, type: prismatic, a: 0, alpha: tilt, d: 120, theta: 0, limits: {lower: 0, upper: 9, velocity: 1, effort: 1}}
tool: {link: tool0, a: L2/2, alpha: 0, d: 0, theta: 0}
"""  # noqa: E501


def test_rows_are_exact_and_keep_their_parameters():
    arm = table(ARM)
    phi, length, tilt, n = sympy.symbols("phi L2 tilt n", real=True)
    assert transform(arm, 0) == sympy.Matrix(
        [
            [sympy.cos(q1), -sympy.sin(q1), 0, 0],
            [sympy.sin(q1), sympy.cos(q1), 0, 0],
            [0, 0, 1, 267],
            [0, 0, 0, 1],
        ]
    )
    lift = transform(arm, 1)
    assert lift[0, 0] == sympy.cos(q2 - phi)
    assert lift[1, 2] == 1
    assert lift[2, 0] == -sympy.sin(q2 - phi)
    bend = transform(arm, 2)
    assert bend[0, 3] == length
    assert bend[2, 3] == -n * length
    assert bend[0, 0] == sympy.cos(phi + sympy.pi / 6 - q3)
    slide = transform(arm, 3)
    assert sympy.expand(slide[1, 3] + (q4 + 120) * sympy.sin(tilt)) == 0
    assert transform(arm, 4)[0, 3] == length / 2


def test_turns_about_parallel_axes_add_up():
    ur = table(
        "name: ur\nconvention: standard\njoints:\n"
        "  - {a: 0, alpha: pi/2, d: 0.0892, theta: 0}\n  - {a: -0.425, alpha: 0, d: 0, theta: 0}\n"
        "  - {a: -0.392, alpha: 0, d: 0.1, theta: 0}\n"
    )
    pose = forward_kinematics(ur)["3"]
    assert pose[2, 0] == sympy.sin(q2 + q3)
    assert pose[2, 3] == sympy.Rational("0.0892") - sympy.Rational("0.425") * sympy.sin(q2) - sympy.Rational(
        "0.392"
    ) * sympy.sin(q2 + q3)


def test_turns_about_antiparallel_axes_subtract():
    planar = table(
        "name: p\nconvention: modified\njoints:\n"
        "  - {a: 0, alpha: 0, d: 0, theta: 0}\n  - {a: 0.5, alpha: pi, d: 0.1, theta: 0}\n"
    )
    pose = forward_kinematics(planar)["2"]
    assert pose[:3, 0] == sympy.Matrix([sympy.cos(q1 - q2), sympy.sin(q1 - q2), 0])
    assert pose[:3, 1] == sympy.Matrix([sympy.sin(q1 - q2), -sympy.cos(q1 - q2), 0])
    assert pose[2, 3] == -sympy.Rational(1, 10)


def test_angles_are_exact_at_multiples_of_fifteen_degrees():
    assert exact_angle(math.pi / 12) == sympy.pi / 12
    assert exact_angle(math.radians(-270)) == -3 * sympy.pi / 2
    assert exact_angle(0.0) == 0
    assert exact_angle(1.5708) == sympy.Float(1.5708)


def test_mimic_joints_are_written_with_the_value_that_they_follow():
    arm = table(ARM)
    bend = replace(arm.joints[2], mimic=Mimic(joint="lift", multiplier=-0.5, offset=math.pi / 2))
    arm = replace(arm, joints=(*arm.joints[:2], bend, arm.joints[3]))
    assert transform(arm, 2)[0, 0] == sympy.cos(sympy.Symbol("phi", real=True) + sympy.pi / 6 - (sympy.pi / 2 - q2 / 2))
    assert "q3" not in show_symbolic(arm)


def lambdified(pose, values):
    symbols = sorted(pose.free_symbols, key=str)
    return np.array(sympy.lambdify(symbols, pose)(*(values[str(symbol)] for symbol in symbols)), dtype=float)


@settings(max_examples=10)
@given(drawn=tables())
def test_forward_kinematics_equals_the_numbers(drawn):
    q = np.random.default_rng(1).uniform(-2, 2, len(drawn.moving_joints))
    places = [place for place, joint in enumerate(drawn.joints, start=1) if joint.type != "fixed"]
    values = {f"q{place}": value for place, value in zip(places, q, strict=True)}
    oracle = oracles.table_poses(drawn, q)
    links = {str(place): joint.link for place, joint in enumerate(drawn.joints, start=1)}
    poses = forward_kinematics(drawn)
    assert poses
    for name, pose in poses.items():
        wanted = oracle[links[name]] if name in links else oracle["tool"]
        assert np.abs(lambdified(pose, values) - wanted).max() < 1e-12


CELLS = """
name: cells
convention: modified
units: {{angle: {angle}, length: mm}}
parameters: {{L: 120, w: 35, t: 0.25, s: deg(20)}}
joints:
  - {{a: "L*sin(t) + sqrt(L)", alpha: "{alpha}", d: "hypot(L, 50)/2 - L**2/1000", theta: "q + 2*w - s"}}
  - {{a: +L, alpha: "-(atan2(t, 2))", d: "L*cos(s) - tan(t)*-L", theta: "rad(t) + acos(t)*2 + deg(w)/2 + pi"}}
  - {{a: w, alpha: "w - deg(w)", d: 0, theta: "s/s*w + asin(t)"}}
"""


@pytest.mark.parametrize(("angle", "alpha"), [("deg", "w + 10 - s"), ("rad", "t + 1")])
def test_every_operation_of_a_cell_means_the_same(angle, alpha):
    cells = table(CELLS.format(angle=angle, alpha=alpha))
    q = [0.3, -0.4, 0.5]
    values = dict(zip(["q1", "q2", "q3"], q, strict=True)) | {"L": 120, "w": 35, "t": 0.25, "s": math.radians(20)}
    wanted = oracles.table_poses(cells, q)["tool"]
    wanted[:3, 3] *= 1000
    assert np.abs(lambdified(forward_kinematics(cells)["3"], values) - wanted).max() < 1e-10


def test_a_parameter_for_angles_alone_is_the_angle():
    arm = table(ARM)
    q, length = [0.1, 0.2, 0.3, 0.004], 289.5
    values = dict(zip(["q1", "q2", "q3"], q, strict=False)) | {"q4": 4.0, "L2": length, "n": 2}
    values |= {"phi": math.radians(79.35), "tilt": math.radians(30)}
    wanted = oracles.table_poses(arm, q)["tool"]
    wanted[:3, 3] *= 1000
    assert np.abs(lambdified(forward_kinematics(arm)["tool0"], values) - wanted).max() < 1e-10


def test_the_text_has_a_legend_every_row_and_the_whole_chain():
    short = table(
        "name: short\nconvention: modified\nunits: {angle: deg, length: mm}\nparameters: {phi: 79.35, L: 289.5}\n"
        "base: {link: root, xyz: [0, 0, 10], rpy: [0, 0, 90]}\njoints:\n"
        "  - {name: turn, a: 0, alpha: 0, d: 0, theta: q - phi}\n  - {type: fixed, a: L, alpha: 30, d: 0.7, theta: 0}\n"
    )
    assert show_symbolic(short) == textwrap.dedent(
        """\
        short: lengths in mm, angles in rad
        q1 = turn
        phi = 79.35 deg
        L = 289.5

        T(root,0) =
          [ 0  -1  0   0 ]
          [ 1   0  0   0 ]
          [ 0   0  1  10 ]
          [ 0   0  0   1 ]

        T(0,1) (turn) =
          [  cos(phi - q1)  sin(phi - q1)  0  0 ]
          [ -sin(phi - q1)  cos(phi - q1)  0  0 ]
          [              0              0  1  0 ]
          [              0              0  0  1 ]

        T(1,2) (joint2) =
          [ 1          0          0             L ]
          [ 0  sqrt(3)/2       -1/2         -0.35 ]
          [ 0        1/2  sqrt(3)/2  0.35*sqrt(3) ]
          [ 0          0          0             1 ]

        T(root,2) =
          [ sin(phi - q1)  -sqrt(3)*cos(phi - q1)/2   cos(phi - q1)/2  L*sin(phi - q1) + 0.35*cos(phi - q1) ]
          [ cos(phi - q1)   sqrt(3)*sin(phi - q1)/2  -sin(phi - q1)/2  L*cos(phi - q1) - 0.35*sin(phi - q1) ]
          [             0                       1/2         sqrt(3)/2                     0.35*sqrt(3) + 10 ]
          [             0                         0                 0                                     1 ]
        """
    )


def test_long_entries_are_listed_one_by_one():
    arm = table(ARM)
    text = show_symbolic(arm)
    assert "T(0,tool0) =\n  [1,1] " in text
    assert "\n  [3,4] " in text
    assert "[4,1]" not in text


def test_latex_has_a_matrix_for_every_transform():
    arm = replace(table(ARM), base=Base(link="base_link"))
    text = show_symbolic(arm, latex=True)
    assert text.startswith("% arm: lengths in mm, angles in rad\n% q1 = turn\n")
    assert (
        "% 0 to 1 (turn)\n{}^{0}T_{1} = \\begin{bmatrix}\n"
        "\\cos{\\left(q_{1} \\right)} & - \\sin{\\left(q_{1} \\right)} & 0 & 0 \\\\\n"
    ) in text
    assert "{}^{4}T_{\\mathrm{tool}_{0}} = \\begin{bmatrix}\n1 & 0 & 0 & \\frac{L_{2}}{2} \\\\\n" in text
    assert text.count("\\end{bmatrix}") == 6


def test_a_chain_of_one_transform_is_shown_once():
    one = table("name: one\nconvention: modified\njoints:\n  - {a: 0, alpha: 0, d: 0, theta: 0}\n")
    assert show_symbolic(one).count("T(") == 1


# The closed forms of both conventions


def recomposed(rotation):
    """Rz(yaw) Ry(pitch) Rx(roll) of the closed-form roll, pitch and yaw of a rotation, outside gimbal lock."""
    cos_pitch = sympy.sqrt(rotation[0, 0] ** 2 + rotation[1, 0] ** 2)
    cos_yaw, sin_yaw = rotation[0, 0] / cos_pitch, rotation[1, 0] / cos_pitch
    sin_pitch = -rotation[2, 0]
    cos_roll, sin_roll = rotation[2, 2] / cos_pitch, rotation[2, 1] / cos_pitch
    yaw = sympy.Matrix([[cos_yaw, -sin_yaw, 0], [sin_yaw, cos_yaw, 0], [0, 0, 1]])
    pitch = sympy.Matrix([[cos_pitch, 0, sin_pitch], [0, 1, 0], [-sin_pitch, 0, cos_pitch]])
    roll = sympy.Matrix([[1, 0, 0], [0, cos_roll, -sin_roll], [0, sin_roll, cos_roll]])
    return yaw * pitch * roll


def rotation_of(order, **values):
    return product([(kind, values[key]) for kind, key in order])[:3, :3]


@pytest.mark.parametrize("order", [(("Rx", "alpha"), ("Rz", "theta")), (("Rz", "theta"), ("Rx", "alpha"))])
def test_closed_form_rpy_recomposes_the_rotation_of_a_row(order):
    alpha, theta = sympy.symbols("alpha theta", real=True)
    rotation = rotation_of(order, alpha=alpha, theta=theta)
    tangent = sympy.symbols("t u", real=True)
    half = {
        sympy.cos(alpha): (1 - tangent[0] ** 2) / (1 + tangent[0] ** 2),
        sympy.sin(alpha): 2 * tangent[0] / (1 + tangent[0] ** 2),
        sympy.cos(theta): (1 - tangent[1] ** 2) / (1 + tangent[1] ** 2),
        sympy.sin(theta): 2 * tangent[1] / (1 + tangent[1] ** 2),
    }
    # Sines and cosines become rational functions of the half angles' tangents: zero is then decided exactly.
    exact = (recomposed(rotation) - rotation).applyfunc(lambda entry: sympy.simplify(entry.subs(half)))
    assert exact == sympy.zeros(3, 3)
