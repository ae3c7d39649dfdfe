"""``NAME.loops.yaml``: the joints that a URDF leaves open, with their frames, and who follows whom."""

from __future__ import annotations

import json
from collections.abc import Sequence

from mdh2urdf.inventor.build import Built, Names
from mdh2urdf.inventor.closing import closing_joint
from mdh2urdf.inventor.couplings import Follower, Loop
from mdh2urdf.inventor.tree import Cut
from mdh2urdf.loop import Loop as Closing
from mdh2urdf.se3 import Transform, rpy_from_rotation
from mdh2urdf.text import number


def _list(values: Sequence[float]) -> str:
    return "[" + ", ".join(number(value) for value in values) + "]"


def _frame(pose: Transform) -> str:
    return f"{{xyz: {_list(pose.translation)}, rpy: {_list(rpy_from_rotation(pose.rotation))}}}"


def loop_text(loops: Sequence[Loop], names: Names, built: Built, robot: str) -> str:
    """Text of the loops file; empty if no loop was cut.

    A cut joint holds ``T_a frame_a motion(axis, q) = T_b frame_b``: T_a and T_b are the poses of the two
    links, the axis is in frame_a.
    """
    loops = [loop for loop in loops if loop.cuts]
    if not loops:
        return ""
    lines = [
        "# Loops that the URDF leaves open. A cut joint holds T_a frame_a motion(axis, q) = T_b frame_b,",
        "# where T_a and T_b are the poses of link_a and link_b, and the axis is in frame_a. SI units.",
        "format: mdh2urdf-loops",
        "version: 1",
        f"robot: {robot}",
        "loops:",
    ]
    for loop in loops:
        lines.append("  - cut:")
        closing = {plan.name: closing_joint(plan, loop, names, built) for plan in loop.plans}
        for cut in loop.cuts:
            lines += _cut_lines(cut, closing.get(cut.edge.joint.name), built)
        lines.append(f"    joints: [{', '.join(_joint(names, name) for name in loop.joints)}]")
        lines.append(f"    drivers: [{', '.join(_joint(names, name) for name in loop.drivers)}]")
        if loop.unsolved:
            lines.append(f"    unsolved: {json.dumps(loop.unsolved, ensure_ascii=False)}")
        if loop.followers:
            lines.append("    followers:")
            for follower in loop.followers:
                lines += _follower_lines(follower, names)
    return "\n".join(lines) + "\n"


def _joint(names: Names, name: str) -> str:
    return names.joints.get(name, name)


def _cut_lines(cut: Cut, closing: Closing | None, built: Built) -> list[str]:
    lines = [
        f"      - joint: {json.dumps(cut.edge.joint.name, ensure_ascii=False)}",
        f"        type: {cut.edge.joint.type}",
        f"        link_a: {built.link_of[cut.edge.parent]}",
        f"        link_b: {built.link_of[cut.edge.child]}",
    ]
    if closing is None:
        return lines
    lines += [f"        frame_a: {_frame(closing.frame_a)}", f"        frame_b: {_frame(closing.frame_b)}"]
    if closing.type != "fixed":
        lines.append(f"        axis: {_list(closing.axis)}")
    return lines


def _follower_lines(follower: Follower, names: Names) -> list[str]:
    lines = [f"      {_joint(names, follower.joint)}:", f"        driver: {_joint(names, follower.leader)}"]
    if follower.mimic:
        lines += [f"        multiplier: {number(follower.multiplier)}", f"        offset: {number(follower.offset)}"]
    lines.append(f"        residual: {number(follower.residual)}")
    if follower.table:
        lines.append("        table: # value of the driver, value of this joint")
        lines += [f"          - {_list(pair)}" for pair in follower.table]
    return lines
