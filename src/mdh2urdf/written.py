"""What writers of simulators' formats have in common: names that are refused, and what has no place."""

from __future__ import annotations

from collections.abc import Mapping

from mdh2urdf.errors import Finding
from mdh2urdf.names import first_names
from mdh2urdf.robot import Joint, Robot
from mdh2urdf.urdf.writer import name_problems

NAMES: Mapping[str, str] = {"mjcf": "MJCF", "sdf": "SDF 1.9"}


def refuse_names(robot: Robot) -> list[str]:
    """What is wrong with the names of a robot, one sentence each."""
    return list(name_problems(robot, ""))


def left_out(robot: Robot, form: str) -> list[Finding]:
    """One finding for each kind of thing that a format has no place for."""
    kinds = {
        "velocity limits": [joint for joint in robot.joints if form == "mjcf" and _has_velocity(joint)],
        "mimic": [joint for joint in robot.joints if form == "sdf" and joint.mimic is not None],
        "safety controllers": [joint for joint in robot.joints if joint.safety is not None],
        "calibrations": [joint for joint in robot.joints if joint.calibration is not None],
    }
    return [
        Finding(
            rule="left-out",
            message=f"{NAMES[form]} has no {kind}: left out of {first_names(joint.name for joint in joints)}",
        )
        for kind, joints in kinds.items()
        if joints
    ]


def _has_velocity(joint: Joint) -> bool:
    return joint.limits is not None and joint.limits.velocity is not None
