"""Inputs of the measurements: arms of any length as a table and as a xacro file that calls a macro in each joint."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

ROBOTS = Path(__file__).resolve().parents[2] / "robots"

PUMA = ROBOTS / "puma560.yaml"
"""The six-axis arm of the whole-process measurements (modified rows)."""

LINKS_PER_ARM = 7

PARENT_SCOPE_MACRO = """\
  <xacro:macro name="row" params="a d alpha theta">
    <xacro:property name="m00" value="${cos(theta)}" scope="parent"/>
    <xacro:property name="m10" value="${sin(theta) * cos(alpha)}" scope="parent"/>
    <xacro:property name="m11" value="${cos(theta) * cos(alpha)}" scope="parent"/>
    <xacro:property name="m12" value="${-sin(alpha)}" scope="parent"/>
    <xacro:property name="m20" value="${sin(theta) * sin(alpha)}" scope="parent"/>
    <xacro:property name="m21" value="${cos(theta) * sin(alpha)}" scope="parent"/>
    <xacro:property name="m22" value="${cos(alpha)}" scope="parent"/>
    <xacro:property name="level" value="${sqrt(m00 * m00 + m10 * m10)}" scope="parent"/>
    <xacro:property name="near" value="${atan2(-m20, level)}" scope="parent"/>
    <xacro:property name="far" value="${atan2(-m20, -level)}" scope="parent"/>
    <xacro:if value="${fabs(far) &lt; fabs(near)}">
      <xacro:property name="tilt" value="${far}" scope="parent"/>
    </xacro:if>
    <xacro:unless value="${fabs(far) &lt; fabs(near)}">
      <xacro:property name="tilt" value="${near}" scope="parent"/>
    </xacro:unless>
    <xacro:if value="${level > 1e-15}">
      <origin xyz="${a} ${-sin(alpha) * d} ${cos(alpha) * d}"
        rpy="${atan2(m21 / cos(tilt), m22 / cos(tilt))} ${tilt} ${atan2(m10 / cos(tilt), m00 / cos(tilt))}"/>
    </xacro:if>
    <xacro:unless value="${level > 1e-15}">
      <origin xyz="${a} ${-sin(alpha) * d} ${cos(alpha) * d}" rpy="${atan2(-m12, m11)} ${tilt} 0"/>
    </xacro:unless>
  </xacro:macro>
"""
"""What people copy from page to page, in our own words: twelve properties that it writes into its caller's scope, and a
branch for gimbal lock below 1e-15."""


def rows(count: int) -> list[tuple[float, float, float, float]]:
    """Rows ``a, alpha, d, theta`` in m and degrees, as of arms set on each other: half of the angles are right ones."""
    rng = np.random.default_rng(count)
    alphas = rng.choice([0.0, 90.0, -90.0, 45.5], count)
    thetas = rng.choice([0.0, 90.0, -30.0, 12.345], count)
    lengths = rng.integers(0, 500, (2, count)) / 1000
    return list(zip(lengths[0].tolist(), alphas.tolist(), lengths[1].tolist(), thetas.tolist(), strict=True))


def table_text(count: int) -> str:
    """A table file of that many revolute joints."""
    lines = [
        f"  - {{name: joint{i}, link: link{i}, a: {a}, alpha: {alpha}, d: {d}, theta: {theta}, "
        "limits: {lower: -170, upper: 170, velocity: 180, effort: 50}}"
        for i, (a, alpha, d, theta) in enumerate(rows(count), 1)
    ]
    return "\n".join(
        ["name: long_arm", "convention: modified", "units: {angle: deg, length: m}", "joints:", *lines, ""]
    )


def xacro_text(count: int) -> str:
    """The same arm as a xacro file: the macro is called inside each joint."""
    return xacro_of(rows(count))


def xacro_of(table: list[tuple[float, float, float, float]]) -> str:
    """A xacro file of rows in m and degrees."""
    lines = ['<robot name="long_arm" xmlns:xacro="http://www.ros.org/wiki/xacro">', PARENT_SCOPE_MACRO]
    lines.append('  <link name="base_link"/>')
    parent = "base_link"
    for i, (a, alpha, d, theta) in enumerate(table, 1):
        lines.append(
            f'  <joint name="joint{i}" type="revolute">\n'
            f'    <xacro:row a="{a}" d="{d}" alpha="{math.radians(alpha)!r}" theta="{math.radians(theta)!r}"/>\n'
            f'    <parent link="{parent}"/>\n    <child link="link{i}"/>\n    <axis xyz="0 0 1"/>\n'
            '    <limit lower="-2.9" upper="2.9" velocity="3.1" effort="50"/>\n  </joint>\n'
            f'  <link name="link{i}"/>'
        )
        parent = f"link{i}"
    return "\n".join([*lines, "</robot>", ""])


def dump_of_turning_arm(joints: int) -> dict:
    """An Inventor dump of an arm whose joints turn about z, y, z, ... and stand 0.2 m apart, each probed at 0.1 rad."""
    names = ["Base:1", *(f"Link{i}:1" for i in range(1, joints + 1))]
    poses = {name: _shift(0.0, 0.0, 20.0 * i) for i, name in enumerate(names)}
    rows = []
    for i in range(1, joints + 1):
        turn = _shift(0.0, 0.0, 20.0 * i) @ _turn(i % 2 == 0, 0.1) @ _shift(0.0, 0.0, -20.0 * i)
        moved = {name: (turn @ pose if k >= i else pose).tolist() for k, (name, pose) in enumerate(poses.items())}
        still = {name: pose.tolist() for name, pose in poses.items()}
        samples = [{"value": 0.0, "transforms": still}, {"value": 0.1, "transforms": moved}]
        rows.append(
            {
                "name": f"Turn:{i}",
                "type": "kRotationalJointType",
                "type_value": 102402,
                "occurrence_one": names[i],
                "occurrence_two": names[i - 1],
                "angular": {"value": 0.0, "start": -1.0, "end": 1.0},
                "probe": {"status": "moved", "quantity": "angular", "samples": samples},
            }
        )
    occurrences = [
        {
            "name": name,
            "document": f"{name[:-2]}.ipt",
            "grounded": name == "Base:1",
            "assembly_from_occurrence": pose.tolist(),
        }
        for name, pose in poses.items()
    ]
    return {
        "format": "inventor-dump",
        "version": 1,
        "document": "Arm.iam",
        "occurrences": occurrences,
        "joints": rows,
    }


def _shift(x: float, y: float, z: float) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def _turn(about_y: bool, angle: float) -> np.ndarray:
    c, s = math.cos(angle), math.sin(angle)
    if about_y:
        return np.array([[c, 0, s, 0], [0, 1, 0, 0], [-s, 0, c, 0], [0, 0, 0, 1.0]])
    return np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1.0]])
