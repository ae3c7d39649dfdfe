"""Loops and couplings as MuJoCo's equality constraints."""

from __future__ import annotations

from lxml import etree

from mdh2urdf.errors import Finding
from mdh2urdf.frames import reach
from mdh2urdf.loop import Loop
from mdh2urdf.mjcf.bodies import joint_range, polynomial, pose_attributes
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.se3 import NO_ROTATION, Transform, scale

ARM = 0.1
"""Share of the robot's reach between the two points that hold an axis: far enough to hold its direction."""

SHORTEST_ARM = 0.01
"""m; for robots without a reach."""


STIFF = "0.005 1"
"""s and damping ratio of a closed loop: MuJoCo's own 0.02 s lets a four-bar open by millimetres; 0.004 s is the
least at its time step."""


def loop_sites(robot: Robot, link: str) -> list[etree._Element]:
    """The sites of a link at which its loops are held together."""
    sites = []
    for loop in robot.loops:
        for end, owner, frame in (("a", loop.link_a, loop.frame_a), ("b", loop.link_b, loop.frame_b)):
            if owner == link:
                for number, point in enumerate(_points(robot, loop), start=1):
                    attributes = {"name": _site(loop, end, number), "class": "frame", **pose_attributes(frame @ point)}
                    sites.append(etree.Element("site", attributes))
    return sites


def _site(loop: Loop, end: str, number: int) -> str:
    return f"{loop.name}_{end}{number}"


def _points(robot: Robot, loop: Loop) -> list[Transform]:
    """Where a loop is held together, in either frame: one place, or two on its axis; none if MuJoCo cannot."""
    if loop.type in ("fixed", "ball"):
        return [Transform()]
    if loop.type in ("revolute", "continuous"):
        half = 0.5 * max(ARM * reach(robot), SHORTEST_ARM)
        return [Transform(NO_ROTATION, scale(sign * half, loop.axis)) for sign in (-1.0, 1.0)]
    return []


def equality_elements(robot: Robot) -> tuple[list[etree._Element], list[Finding]]:
    """Loops, mimic joints and joints whose limits leave one value; and what stays open."""
    elements: list[etree._Element] = []
    findings: list[Finding] = []
    for loop in robot.loops:
        points = _points(robot, loop)
        if not points:
            message = (
                f"the loop stays open: MuJoCo has no {loop.type} joint that closes a loop; "
                "cut the loop at a turning joint"
            )
            findings.append(Finding(rule="open-loop", path=loop.name, message=message))
        tag = "weld" if loop.type == "fixed" else "connect"
        for number, _ in enumerate(points, start=1):
            name = loop.name if len(points) == 1 else f"{loop.name}_{number}"
            sites = {f"site{i}": _site(loop, end, number) for i, end in ((1, "a"), (2, "b"))}
            elements.append(etree.Element(tag, {"name": name, **sites, "solref": STIFF}))
    moving = {joint.name for joint in robot.joints if joint.type in MOVING}
    for joint in [joint for joint in robot.joints if joint.name in moving]:
        ends = joint_range(joint)
        if joint.mimic is not None and joint.mimic.joint in moving:
            values = polynomial((joint.mimic.offset, joint.mimic.multiplier))
            leader = {"joint2": joint.mimic.joint, "polycoef": values}
            elements.append(etree.Element("joint", {"name": f"{joint.name}_mimic", "joint1": joint.name, **leader}))
        elif joint.mimic is not None or (ends is not None and ends[0] == ends[1]):
            value = joint.mimic.offset if joint.mimic is not None else ends[0] if ends is not None else 0.0
            held = {"name": f"{joint.name}_lock", "joint1": joint.name, "polycoef": polynomial((value,))}
            elements.append(etree.Element("joint", held))
    return elements, findings
