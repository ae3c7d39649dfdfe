"""What a dump must say, from the assembly's truth alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ilogic.assemblies import Assembly, Matrix

POSE_TOLERANCE = 1e-8
"""cm and dimensionless: the simulator satisfies a joint within 1e-10, over arms of a metre."""


def difference(pose: object, wanted: Matrix) -> float:
    return float(np.abs(np.array(pose) - wanted).max())


def seen_from(poses: Mapping[str, Any], child: str, parent: str | None) -> Matrix:
    """Pose of an occurrence in another one; None is the assembly itself."""
    return np.linalg.inv(np.eye(4) if parent is None else np.array(poses[parent])) @ np.array(poses[child])


def wrong_samples(dump: Mapping[str, Any], assembly: Assembly) -> list[str]:
    """Samples that differ from the truth: all poses where the joint moved alone, else the joint's own two."""
    wrong = []
    for joint in dump["joints"]:
        probe = joint["probe"]
        for sample in probe["samples"] if probe else ():
            if probe["others_suppressed"]:
                child, parent, truth = assembly.relative(joint["name"], sample["value"])
                errors = {child: difference(seen_from(sample["transforms"], child, parent), truth)}
            else:
                poses = assembly.poses({joint["name"]: sample["value"]})
                errors = {name: difference(pose, poses[name]) for name, pose in sample["transforms"].items()}
            wrong += [
                f"{joint['name']} at {sample['value']}: {name} is off by {error:.3g}"
                for name, error in errors.items()
                if not error <= POSE_TOLERANCE
            ]
    return wrong


def wrong_verify(dump: Mapping[str, Any], assembly: Assembly) -> list[str]:
    """Poses of the final check that differ from the truth."""
    wrong = []
    for number, pose in enumerate(dump["verify"]):
        truth = assembly.poses(pose["values"])
        wrong += [
            f"verify {number}: {name}"
            for name, found in pose["transforms"].items()
            if not difference(found, truth[name]) <= POSE_TOLERANCE
        ]
    return wrong
