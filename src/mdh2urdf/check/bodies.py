"""What looks odd in the mass data of a robot."""

from __future__ import annotations

from collections.abc import Iterator

from mdh2urdf.check.origins import Remark, Survey
from mdh2urdf.names import first_names
from mdh2urdf.robot import Inertia, Inertial, Robot
from mdh2urdf.se3 import norm
from mdh2urdf.text import number

TRIANGLE_TOLERANCE = 1e-3
"""Relative: flat and long bodies meet the triangle inequality with equality, and people print four digits."""

DEFINITE = 1e-12
"""Smallest principal moment over the largest: what is below is 0 within the digits of a file."""

NOTHING = 1e-15
"""kg m²: a milligram at a thirtieth of a millimetre; what CAD programs print below it are rounding errors."""

SMALLEST = 1.0
"""m: a robot with less reach is taken for one of this size where sizes are judged."""

TOO_WIDE = 3.0
"""Reaches: no link has its mass so far from its centre, or its centre so far from its frame."""

TOO_NARROW = 5e-4
"""m: radius of gyration below which a link of more than ten grams would be a needle."""

LIGHT = 0.01
"""kg: lighter links are placeholders, whose moments say nothing."""

HEAVY = 1000.0
"""kg: no link of a robot that reaches less than 5 m is heavier."""

BIG = 5.0
"""m: reach of a robot whose links may have tons."""


def body_remarks(seen: Survey) -> Iterator[Remark]:
    """What looks odd in masses, centres and tensors, link by link."""
    robot = seen.robot
    if robot.link(robot.root).inertial is not None:
        yield (
            "root-inertia",
            f"link[{robot.root}]",
            "the root link has mass, which KDL leaves out; put a link without mass above it (--world)",
        )
    for link in robot.links:
        if link.inertial is not None:
            path = f"link[{link.name}].inertial"
            for rule, message in (*_mass(link.inertial, seen.reach), *_tensor(link.inertial, seen.reach)):
                yield rule, path, message
    yield from _without_mass(robot)


def _mass(inertial: Inertial, reach: float) -> Iterator[tuple[str, str]]:
    if inertial.mass <= 0.0:
        yield "mass", f"mass {number(inertial.mass)} kg is not above 0"
    if inertial.mass > HEAVY and reach < BIG:
        yield "mass-unit", f"mass {number(inertial.mass)} kg at a reach of {reach:.2g} m; is it in grams?"
    distance = norm(inertial.origin.translation)
    if distance > TOO_WIDE * max(reach, SMALLEST):
        yield "center-unit", f"the centre of mass is {distance:.4g} m from the link's frame; is it in millimetres?"


def _tensor(inertial: Inertial, reach: float) -> Iterator[tuple[str, str]]:
    low, middle, high = principal_moments(inertial.inertia)
    low, middle, high = (0.0 if abs(value) <= max(NOTHING, DEFINITE * high) else value for value in (low, middle, high))
    listed = f"{low:.4g}, {middle:.4g}, {high:.4g} kg m²"
    if low <= 0.0:
        if inertial.mass > 0.0 or high != 0.0 or low != 0.0:
            yield "inertia-definite", f"the tensor is not positive definite: principal moments {listed}"
        return
    if high > (low + middle) * (1.0 + TRIANGLE_TOLERANCE):
        excess = high / (low + middle)
        yield (
            "inertia-triangle",
            f"principal moments {listed}: the largest is {excess:.4g} times the sum of the others; "
            "no body has more than the sum",
        )
    if inertial.mass <= 0.0:
        return
    radius = (high / inertial.mass) ** 0.5
    if radius > TOO_WIDE * max(reach, SMALLEST):
        yield (
            "inertia-unit",
            f"the mass would lie {radius:.3g} m from its centre at a reach of {reach:.2g} m; "
            "is the tensor in other units than kg m², or the mass in other ones than kg?",
        )
    elif radius < TOO_NARROW and inertial.mass > LIGHT:
        yield (
            "inertia-unit",
            f"the mass would lie {radius * 1000:.2g} mm from its centre; is the tensor in other units than kg m²?",
        )


def principal_moments(inertia: Inertia) -> tuple[float, float, float]:
    """Eigenvalues of a tensor in kg m², the smallest first."""
    import numpy as np

    rows = [
        [inertia.ixx, inertia.ixy, inertia.ixz],
        [inertia.ixy, inertia.iyy, inertia.iyz],
        [inertia.ixz, inertia.iyz, inertia.izz],
    ]
    low, middle, high = np.linalg.eigvalsh(np.array(rows)).tolist()
    return low, middle, high


def _without_mass(robot: Robot) -> Iterator[Remark]:
    """Bodies that move and have no mass, told once; nothing where no link has mass."""
    if not any(link.inertial for link in robot.links):
        return
    heads = {robot.root: robot.root}
    heavy: dict[str, bool] = {robot.root: True}
    for joint in robot.joints_from_root():
        head = heads[joint.parent] if joint.type == "fixed" else joint.child
        heads[joint.child] = head
        inertial = robot.link(joint.child).inertial
        heavy[head] = heavy.get(head, False) or (inertial is not None and inertial.mass > 0.0)
    bare = [head for head, has_mass in heavy.items() if not has_mass]
    if bare:
        yield "no-mass", f"link[{bare[0]}]", f"move without any mass: {first_names(bare)}; Gazebo and MuJoCo need one"
