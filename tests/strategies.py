"""Hypothesis strategies that draw the singular cases on purpose."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from mdh2urdf.robot import (
    Box,
    Calibration,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Joint,
    Limits,
    Link,
    Material,
    Mesh,
    Mimic,
    Robot,
    Safety,
    Shape,
    Sphere,
)
from mdh2urdf.se3 import X_AXIS, Y_AXIS, Z_AXIS, Transform, unit
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool

LIMITS = Limits(lower=-3.0, upper=2.0, velocity=1.5, effort=20.0)
QUARTERS = [0.0, math.pi / 2, -math.pi / 2, math.pi, -math.pi]
NEAR = [1e-3, 1e-7, 1.5707963, 1.5708, math.pi / 2 - 1e-9, 3.1416]

angles = st.one_of(
    st.sampled_from(QUARTERS),
    st.sampled_from(NEAR),
    st.floats(-math.pi, math.pi, allow_nan=False).map(lambda angle: round(angle, 12)),
)
lengths = st.one_of(st.just(0.0), st.floats(-1, 1, allow_nan=False).map(lambda length: round(length, 9)))
small_angles = st.one_of(st.just(0.0), st.floats(-0.02, 0.02, allow_nan=False))

modified_rows = st.builds(
    ModifiedRow,
    a_prev=lengths,
    alpha_prev=angles,
    d=lengths,
    theta=angles,
    beta_prev=small_angles,
    gamma=st.one_of(st.just(0.0), angles),
    b=st.one_of(st.just(0.0), lengths),
)
standard_rows = st.builds(StandardRow, theta=angles, d=lengths, a=lengths, alpha=angles, beta=small_angles)
transforms = st.builds(Transform.from_xyz_rpy, st.tuples(lengths, lengths, lengths), st.tuples(angles, angles, angles))
row_types = st.sampled_from(["revolute", "continuous", "prismatic", "fixed"])


@st.composite
def tables(draw, rows=None):
    """Chains of either convention (or trees, if modified) with base and tool of every kind."""
    rows = rows if rows is not None else draw(st.sampled_from([modified_rows, standard_rows]))
    drawn = draw(st.lists(rows, min_size=1, max_size=7))
    tree = rows is modified_rows and draw(st.booleans())
    joints = []
    for index, row in enumerate(drawn):
        parents = ["base_link", *(f"link{i + 1}" for i in range(index))]
        parent = draw(st.sampled_from(parents)) if tree else parents[-1]
        kind = draw(row_types)
        joints.append(
            TableJoint(
                name=f"joint{index + 1}",
                link=f"link{index + 1}",
                parent=parent,
                type=kind,
                limits=LIMITS if kind in ("revolute", "prismatic") else Limits(),
                row=row,
                direction=draw(st.sampled_from([1, -1])),
            )
        )
    tool = None if tree else draw(st.one_of(st.none(), rows.map(lambda row: Tool(row=row)), transforms.map(_pose_tool)))
    pose = draw(st.one_of(st.just(Transform()), transforms))
    return Table(name="drawn", joints=tuple(joints), base=Base(pose=pose), tool=tool)


def _pose_tool(pose: Transform) -> Tool:
    return Tool(link="flange", pose=pose)


numbers = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.1, 1e-7, 1e22]), st.floats(-1e6, 1e6, allow_nan=False))
not_negative = numbers.map(abs)
measures = numbers.filter(lambda length: abs(length) <= 1e12)
sizes = measures.map(abs)
factors = st.sampled_from([1.0, -1.0, 0.5, -1.05851325, 0.0])
names = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs")), min_size=1, max_size=8)
axes = st.one_of(
    st.sampled_from([X_AXIS, Y_AXIS, Z_AXIS, (0.0, 0.0, -1.0), (0.6, 0.0, 0.8)]),
    st.tuples(*[st.floats(-1, 1, allow_nan=False)] * 3).filter(lambda v: max(map(abs, v)) > 1e-3).map(unit),
)
poses = st.one_of(st.just(Transform()), transforms)
colours = st.tuples(*[st.floats(0, 1)] * 4)
materials = st.builds(Material, name=names, rgba=st.one_of(st.none(), colours), texture=st.one_of(st.just(""), names))
geometries = st.one_of(
    st.builds(Mesh, filename=names, scale=st.one_of(st.just((1.0, 1.0, 1.0)), st.tuples(*[measures] * 3))),
    st.builds(Box, size=st.tuples(*[sizes] * 3)),
    st.builds(Cylinder, radius=sizes, length=sizes),
    st.builds(Sphere, radius=sizes),
)
shapes = st.builds(
    Shape,
    geometry=geometries,
    origin=poses,
    name=st.one_of(st.just(""), names),
    material=st.one_of(st.none(), materials),
)
inertias = st.builds(Inertia, **dict.fromkeys(("ixx", "ixy", "ixz", "iyy", "iyz", "izz"), measures))
inertials = st.builds(Inertial, mass=sizes, inertia=inertias, origin=poses)
dynamics = st.one_of(
    st.builds(Dynamics, damping=numbers, friction=st.one_of(st.none(), numbers)), st.builds(Dynamics, friction=numbers)
)
calibrations = st.one_of(
    st.builds(Calibration, rising=numbers, falling=st.one_of(st.none(), numbers)),
    st.builds(Calibration, falling=numbers),
)
safeties = st.builds(
    Safety,
    k_velocity=numbers,
    k_position=st.one_of(st.none(), numbers),
    soft_lower=st.one_of(st.none(), numbers),
    soft_upper=st.one_of(st.none(), numbers),
)
ranges = st.tuples(numbers, numbers).map(sorted)
slides = st.tuples(measures, measures).map(sorted)


@st.composite
def limits_of(draw, kind):
    """What URDF wants in the limits of a joint of that type."""
    ends = {"velocity": draw(not_negative), "effort": draw(not_negative)}
    if kind in ("revolute", "prismatic"):
        lower, upper = draw(slides if kind == "prismatic" else ranges)
        return Limits(lower=lower, upper=upper, **ends)
    return draw(st.sampled_from([None, Limits(**ends)])) if kind in ("continuous", "planar") else None


@st.composite
def robot_joints(draw, index, parent, leaders):
    """A joint to ``link<index>`` with all that its type may have."""
    kind = draw(st.sampled_from(["revolute", "continuous", "prismatic", "fixed", "floating", "planar"]))
    ends = {"name": f"joint{index}", "type": kind, "parent": parent, "child": f"link{index}", "origin": draw(poses)}
    if kind == "fixed":
        return Joint(**ends)
    mimics = st.builds(Mimic, joint=st.sampled_from(leaders), multiplier=factors, offset=lengths)
    return Joint(
        **ends,
        axis=Z_AXIS if kind == "floating" else draw(axes),
        limits=draw(limits_of(kind)),
        dynamics=draw(st.one_of(st.none(), dynamics)),
        safety=draw(st.one_of(st.none(), safeties)),
        calibration=draw(st.one_of(st.none(), calibrations)),
        mimic=draw(st.one_of(st.none(), mimics)) if leaders else None,
        reference_rpy=draw(st.tuples(angles, angles, angles)),
    )


@st.composite
def robots(draw):
    """Trees of up to six joints of all types, with shapes, masses and materials, joints in any order."""
    count = draw(st.integers(0, 6))
    links = [
        Link(
            name=f"link{index}",
            inertial=draw(st.one_of(st.none(), inertials)),
            visuals=tuple(draw(st.lists(shapes, max_size=2))),
            collisions=tuple(draw(st.lists(shapes, max_size=2))),
        )
        for index in range(count + 1)
    ]
    joints = []
    for index in range(1, count + 1):
        parent = f"link{draw(st.integers(0, index - 1))}"
        joints.append(draw(robot_joints(index, parent, [joint.name for joint in joints if joint.type != "fixed"])))
    return Robot(
        name=draw(names),
        links=tuple(links),
        joints=tuple(draw(st.permutations(joints))),
        materials=tuple(draw(st.lists(materials, max_size=2, unique_by=lambda material: material.name))),
    )
