"""Hypothesis strategies that draw the singular cases on purpose."""

from __future__ import annotations

import math

from hypothesis import strategies as st

from mdh2urdf.robot import Limits
from mdh2urdf.se3 import Transform
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
transforms = st.builds(
    Transform.from_xyz_rpy, st.tuples(lengths, lengths, lengths), st.tuples(angles, angles, angles)
)
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
