"""Closed mechanisms with a known truth: four-bars and gears, in any orientation, with any zero of their joints."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from assemblies import Part, occurrence_of, random_pose, rows_in_cm

from oracles import rot_z, shift, turn_about


@dataclass
class FourBar:
    """Ground, crank, coupler and rocker in a plane, by the lengths of their bars in m (ground first).

    The joints are R1 ground-crank, R2 crank-coupler, R3 coupler-rocker, R4 ground-rocker; their zeros are
    ``offsets`` away from the pose in which the crank stands at ``phi = 0``.
    """

    bars: tuple[float, float, float, float] = (0.4, 0.1, 0.35, 0.3)
    offsets: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    seed: int = 0
    elbow: float = 1.0
    plane: np.ndarray = field(init=False)
    mounts: list[np.ndarray] = field(init=False)

    NAMES = ("Ground:1", "Crank:1", "Coupler:1", "Rocker:1")

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        self.plane = random_pose(rng)
        self.mounts = [random_pose(rng, 0.1) for _ in self.NAMES]

    def angles(self, phi: float) -> tuple[float, float, float]:
        """Directions of crank, coupler and rocker in the plane, by the intersection of two circles."""
        ground, crank, coupler, rocker = self.bars
        b = np.array((crank * math.cos(phi), crank * math.sin(phi)))
        d = np.array((ground, 0.0))
        span = d - b
        length = float(np.hypot(*span))
        along = (coupler**2 - rocker**2 + length**2) / (2 * length)
        height = math.sqrt(max(0.0, coupler**2 - along**2))
        c = b + along * span / length + self.elbow * height * np.array((-span[1], span[0])) / length
        return phi, math.atan2(*(c - b)[::-1]), math.atan2(*(c - d)[::-1])

    def values(self, phi: float) -> dict[str, float]:
        """Joint values of the closed mechanism."""
        crank, coupler, rocker = self.angles(phi)
        crank0, coupler0, rocker0 = self.angles(0.0)
        raw = (
            crank - crank0,
            (coupler - coupler0) - (crank - crank0),
            (rocker - rocker0) - (coupler - coupler0),
            rocker - rocker0,
        )
        return {
            f"R{i + 1}": math.remainder(v, 2 * math.pi) + o
            for i, (v, o) in enumerate(zip(raw, self.offsets, strict=True))
        }

    def poses(self, phi: float) -> dict[str, np.ndarray]:
        """Poses of the four parts of the closed mechanism."""
        crank, coupler, rocker = self.angles(phi)
        b = shift(self.bars[1] * math.cos(phi), self.bars[1] * math.sin(phi), 0.0)
        places = (np.eye(4), rot_z(crank), b @ rot_z(coupler), shift(self.bars[0], 0, 0) @ rot_z(rocker))
        return {
            name: self.plane @ place @ mount for name, place, mount in zip(self.NAMES, places, self.mounts, strict=True)
        }

    def pins(self, phi: float) -> list[np.ndarray]:
        """Places of the four joints in the assembly."""
        crank, _, rocker = self.angles(phi)
        b = (self.bars[1] * math.cos(crank), self.bars[1] * math.sin(crank), 0, 1)
        c = (self.bars[0] + self.bars[3] * math.cos(rocker), self.bars[3] * math.sin(rocker), 0, 1)
        points = ((0, 0, 0, 1), b, c, (self.bars[0], 0, 0, 1))
        return [(self.plane @ np.array(point))[:3] for point in points]

    def dump(self, phi: float, *, coupled: bool = True, limits=None, noise: float = 0.0, verify: int = 2) -> dict:
        """The dump of the mechanism left at phi; every joint probed with the others suppressed."""
        rng = np.random.default_rng(self.seed + 1)
        here, values, pins = self.poses(phi), self.values(phi), self.pins(phi)
        axis = self.plane[:3, 2]
        pairs = ((1, 0), (2, 1), (3, 2), (3, 0))

        def table(poses):
            return {name: rows_in_cm(pose, rng, noise) for name, pose in poses.items()}

        joints = []
        for i, (child, parent) in enumerate(pairs):
            name = f"R{i + 1}"
            samples = []
            for step in (0.0, 0.1):
                turn = shift(*pins[i]) @ turn_about(axis, step) @ shift(*-pins[i])
                moved = {**here, self.NAMES[child]: turn @ here[self.NAMES[child]]}
                samples.append({"value": values[name] + step, "transforms": table(moved)})
            low, high = limits if limits is not None and i == 0 else (None, None)
            joint = {
                "name": name,
                "type": "kRotationalJointType",
                "type_value": 102402,
                "occurrence_one": self.NAMES[child],
                "occurrence_two": self.NAMES[parent],
                "angular": {"value": values[name], "start": low, "end": high},
                "probe": {"status": "moved", "quantity": "angular", "others_suppressed": True, "samples": samples},
            }
            if coupled and i == 0:
                steps = [phi + step for step in (0.0, 0.2, 0.4, 0.6)]
                joint["coupled_probe"] = {
                    "status": "moved",
                    "quantity": "angular",
                    "others_suppressed": False,
                    "samples": [{"value": self.values(s)["R1"], "transforms": table(self.poses(s))} for s in steps],
                }
            joints.append(joint)
        return {
            "format": "inventor-dump",
            "version": 1,
            "document": "FourBar.iam",
            "occurrences": [
                occurrence_of(Part(name, mount), here[name], i == 0)
                for i, (name, mount) in enumerate(zip(self.NAMES, self.mounts, strict=True))
            ],
            "joints": joints,
            "verify": [
                {"values": self.values(phi + 0.1 * k), "transforms": table(self.poses(phi + 0.1 * k))}
                for k in range(1, verify + 1)
            ],
        }


def gear_pair(ratio: float, seed: int, *, coupled: bool = True, start: float = 0.4) -> dict:
    """Two gears on one base, the second turning ``ratio`` times the first, on any axes."""
    rng = np.random.default_rng(seed)
    mounts = [random_pose(rng, 0.1) for _ in range(3)]
    axes = [rng.normal(size=3) for _ in range(2)]
    points = [rng.uniform(-0.2, 0.2, 3) for _ in range(2)]
    zero = 0.25

    def poses(one: float, two: float) -> dict:
        turns = [shift(*p) @ turn_about(a, v) @ shift(*-p) for p, a, v in zip(points, axes, (one, two), strict=True)]
        return {
            "Base:1": rows_in_cm(mounts[0]),
            "Gear1:1": rows_in_cm(turns[0] @ mounts[1]),
            "Gear2:1": rows_in_cm(turns[1] @ mounts[2]),
        }

    values = (start, ratio * start + zero)
    joints = []
    for i, name in enumerate(("G1", "G2")):
        samples = []
        for step in (0.0, 0.1):
            pair = [values[0], values[1]]
            pair[i] += step
            samples.append({"value": pair[i], "transforms": poses(*pair)})
        joints.append(
            {
                "name": name,
                "type": "kRotationalJointType",
                "type_value": 102402,
                "occurrence_one": f"Gear{i + 1}:1",
                "occurrence_two": "Base:1",
                "angular": {"value": values[i], "start": None, "end": None},
                "probe": {"status": "moved", "quantity": "angular", "others_suppressed": True, "samples": samples},
            }
        )
    verify = []
    if coupled:
        together = [start + step for step in (0.0, 0.1, 0.2)]
        joints[0]["coupled_probe"] = {
            "status": "moved",
            "quantity": "angular",
            "samples": [{"value": v, "transforms": poses(v, ratio * v + zero)} for v in together],
        }
        verify = [
            {"values": {"G1": v, "G2": ratio * v + zero}, "transforms": poses(v, ratio * v + zero)} for v in (0.9,)
        ]
    here = poses(*values)
    return {
        "format": "inventor-dump",
        "version": 1,
        "document": "Gears.iam",
        "occurrences": [
            {
                "name": name,
                "document": name.split(":")[0] + ".ipt",
                "assembly_from_occurrence": pose,
                "grounded": name == "Base:1",
            }
            for name, pose in here.items()
        ],
        "joints": joints,
        "motion_constraints": [
            {
                "name": "Motion:1",
                "kind": "rotate_rotate",
                "occurrence_one": "Gear1:1",
                "occurrence_two": "Gear2:1",
                "ratio": abs(ratio),
                "forward": False,
            }
        ],
        "verify": verify,
    }


def four_bar_on_a_ball(crank: float) -> dict:
    """The dump of a four-bar whose crank is held by a ball joint; its centre is known from its geometry only."""
    dump = FourBar().dump(crank)
    pin = (FourBar().pins(crank)[0] * 100).tolist()
    dump["joints"][0] |= {
        "type": "kBallJointType",
        "type_value": 102406,
        "angular": None,
        "probe": None,
        "coupled_probe": None,
        "geometry": {"axis": [0, 0, 1], "origin": pin},
    }
    for row in dump["verify"]:
        del row["values"]["R1"]
    return dump
