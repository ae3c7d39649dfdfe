"""Simulated assemblies with known truth: parts, placements, joints, constraints, loops. cm, kg, rad."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mdh2urdf.table_file import read_table

Matrix = npt.NDArray[np.float64]
Values = Mapping[str, float]

ROOT = Path(__file__).parents[2]
STEEL = {"name": "Steel", "density": 0.00785}
ALUMINIUM = {"name": "Aluminium 6061", "density": 0.0027}
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def rotation(axis: Sequence[float], angle: float) -> Matrix:
    """4x4 rotation about an axis through the origin (Rodrigues)."""
    x, y, z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    pose = np.eye(4)
    pose[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return pose


def at(x: float = 0.0, y: float = 0.0, z: float = 0.0) -> Matrix:
    """4x4 translation."""
    pose = np.eye(4)
    pose[:3, 3] = x, y, z
    return pose


def frame_on(axis: Sequence[float], point: Sequence[float]) -> Matrix:
    """A frame on a line: z along it, at the point."""
    z = np.asarray(axis, dtype=float) / np.linalg.norm(axis)
    x = np.cross(z, [1.0, 0, 0] if abs(z[0]) < 0.9 else [0, 1.0, 0])
    x /= np.linalg.norm(x)
    pose = np.eye(4)
    pose[:3, :3] = np.column_stack([x, np.cross(z, x), z])
    pose[:3, 3] = point
    return pose


def random_pose(generator: np.random.Generator, reach: float) -> Matrix:
    return at(*generator.uniform(-reach, reach, 3)) @ rotation(generator.normal(size=3), generator.uniform(0, 3))


def box(name: str, size: Sequence[float], pose: Matrix | None = None, **more: Any) -> dict[str, Any]:
    """A box-shaped body."""
    return {"name": name, "shape": "box", "size": list(size), "pose": (np.eye(4) if pose is None else pose).tolist(), **more}


def cylinder(name: str, radius: float, length: float, pose: Matrix | None = None, **more: Any) -> dict[str, Any]:
    """A cylindrical body along z."""
    pose = np.eye(4) if pose is None else pose
    return {"name": name, "shape": "cylinder", "size": [radius, length], "pose": pose.tolist(), **more}


@dataclass(frozen=True, kw_only=True, slots=True)
class Motion:
    """How an occurrence is carried: by a joint of the given name and screw, or by its parent alone (no joint)."""

    parent: str | None
    joint: str = ""
    kind: str = ""
    frame: Matrix = field(default_factory=lambda: np.eye(4))
    value: float = 0.0


@dataclass(kw_only=True)
class Assembly:
    """A simulated assembly, and where its parts truly go."""

    name: str = "Arm.iam"
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    occurrences: list[dict[str, Any]] = field(default_factory=list)
    joints: list[dict[str, Any]] = field(default_factory=list)
    constraints: list[dict[str, Any]] = field(default_factory=list)
    frames: list[dict[str, Any]] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    motions: dict[str, Motion] = field(default_factory=dict)
    start: dict[str, Matrix] = field(default_factory=dict)
    loop_truth: Callable[[str, float], Mapping[str, Matrix]] | None = None
    """Poses when a joint of a closed loop is driven to a value."""

    def part(self, document: str, bodies: list[dict[str, Any]], **more: Any) -> None:
        self.documents[document] = {"bodies": bodies, "material": STEEL, **more}

    def place(self, name: str, document: str, pose: Matrix | None = None, **more: Any) -> None:
        """An occurrence; the first one is grounded unless it says otherwise."""
        pose = np.eye(4) if pose is None else pose
        if not self.occurrences:
            more.setdefault("grounded", True)
        self.occurrences.append({"name": name, "document": document, "pose": pose.tolist(), **more})
        self.start[name] = pose
        self.motions[name] = Motion(parent=None)

    def join(
        self,
        name: str,
        kind: str,
        child: str,
        parent: str | None,
        frame: Matrix,
        *,
        value: float = 0.0,
        swap: bool = False,
        carries: bool = True,
        **more: Any,
    ) -> None:
        """A joint whose growing value moves the child forward along (about) the frame's z, seen from the parent.

        ``swap`` makes the parent occurrence one. A joint that closes a loop carries nothing.
        """
        quantity = "linear" if kind == "slide" else "angular"
        # Inventor's value moves occurrence one against occurrence two.
        written = frame @ rotation(X, np.pi) if swap else frame
        one, two = (parent, child) if swap else (child, parent)
        self.joints.append(
            {"name": name, "type": kind, "one": one, "two": two, "frame": written.tolist(), quantity: value, **more}
        )
        if carries:
            self.motions[child] = Motion(parent=parent, joint=name, kind=quantity, frame=frame, value=value)

    def constrain(self, name: str, kind: str, one: str, two: str, **more: Any) -> None:
        """A constraint; the first occurrence follows the second."""
        self.constraints.append({"name": name, "kind": kind, "one": one, "two": two, **more})
        if "ratio" not in more and self.motions[one].parent is None and one != self.occurrences[0]["name"]:
            self.motions[one] = Motion(parent=two)

    def displacement(self, occurrence: str | None, values: Values) -> Matrix:
        """How far an occurrence has gone from its place at export when the joints stand at the values."""
        if occurrence is None:
            return np.eye(4)
        motion = self.motions[occurrence]
        if motion.parent is None and not motion.joint:
            return np.eye(4)
        step = np.eye(4)
        if motion.joint:
            amount = values.get(motion.joint, motion.value) - motion.value
            turn = rotation(Z, amount) if motion.kind == "angular" else at(z=amount)
            step = motion.frame @ turn @ np.linalg.inv(motion.frame)
        return self.displacement(motion.parent, values) @ step

    def poses(self, values: Values) -> dict[str, Matrix]:
        """Poses of all occurrences with the joints at the values, the others as at export."""
        return {name: self.displacement(name, values) @ pose for name, pose in self.start.items()}

    def as_json(self) -> dict[str, Any]:
        top = {
            "occurrences": self.occurrences,
            "joints": self.joints,
            "constraints": self.constraints,
            "frames": self.frames,
        }
        return {
            "document": self.name,
            "documents": {self.name: {**self.documents.get(self.name, {}), **top}, **self.documents}
            if self.name not in self.documents
            else {**self.documents, self.name: {**top, **self.documents[self.name]}},
            "options": self.options,
        }


def link_bodies(generator: np.random.Generator) -> list[dict[str, Any]]:
    """Two bodies, out of line with the part's axes, so that products of inertia and centres show."""
    return [
        box("Solid1", generator.uniform(2, 8, 3), random_pose(generator, 3)),
        cylinder("Solid2", generator.uniform(1, 2), generator.uniform(3, 9), random_pose(generator, 4)),
    ]


def modified_row(a: float, alpha: float, d: float, theta: float) -> Matrix:
    """Craig's transform between two frames of a modified table (Craig 3.6), lengths in cm."""
    return rotation(X, alpha) @ at(a) @ rotation(Z, theta) @ at(z=d)


def six_axis_arm() -> Assembly:
    """UFACTORY xArm 6 as its table in robots/ has it, with screws and covers; left in some pose."""
    file = ROOT / "robots" / "xarm6.yaml"
    table, _ = read_table(file.read_text(encoding="utf-8"), file=file.name)
    generator = np.random.default_rng(6)
    arm = Assembly(name="xArm6.iam")
    arm.part("Base.ipt", link_bodies(generator), part_number="X-000", color=[0.2, 0.3, 0.4, 1.0])
    arm.place("Base:1", "Base.ipt")
    frame = np.eye(4)
    parent = "Base:1"
    export = [0.3, -0.4, -1.2, 0.7, 0.5, -0.2]
    for number, (joint, value) in enumerate(zip(table.joints, export, strict=True), start=1):
        row = joint.row
        zero = modified_row(row.a_prev * 100, row.alpha_prev, row.d * 100, row.theta)
        frame = frame @ zero @ rotation(Z, value)
        name = f"Link{number}:1"
        bodies = link_bodies(generator)
        arm.part(f"Link{number}.ipt", bodies, part_number=f"X-00{number}", material=[STEEL, ALUMINIUM][number % 2])
        arm.place(name, f"Link{number}.ipt", frame @ random_pose(generator, 10))
        limits = [joint.limits.lower, joint.limits.upper]
        arm.join(
            joint.name,
            "rotational",
            name,
            parent,
            frame,
            value=value,
            swap=number % 2 == 0,
            # every third joint has them stored in reverse
            angular_limits=limits[::-1] if number % 3 == 0 else limits,
        )
        parent = name
    arm.documents["Link6.ipt"]["frames"] = [
        {"name": "tool0", "pose": (np.linalg.inv(arm.start["Link6:1"]) @ frame).tolist()}
    ]
    add_fasteners(arm, generator)
    return arm


def add_fasteners(arm: Assembly, generator: np.random.Generator) -> None:
    """Screws held by Insert, a cover by Mate and Flush, a motor by a rigid joint; one of the screws lags."""
    arm.part("Screw.ipt", [cylinder("Solid1", 0.3, 2)])
    arm.part("Cover.ipt", [box("Solid1", (4, 3, 0.2))], material=ALUMINIUM)
    arm.part("Motor.ipt", [cylinder("Solid1", 2, 5)])
    for number, host in enumerate(["Link1:1", "Link2:1", "Link3:1", "Link3:1"], start=1):
        screw = f"Screw:{number}"
        arm.place(screw, "Screw.ipt", arm.start[host] @ random_pose(generator, 5), lags=number == 2)
        arm.constrain(f"Insert:{number}", "insert", screw, host)
    arm.place("Cover:1", "Cover.ipt", arm.start["Link4:1"] @ random_pose(generator, 5))
    arm.constrain("Mate:1", "mate", "Cover:1", "Link4:1")
    arm.constrain("Flush:1", "flush", "Cover:1", "Link4:1")
    arm.place("Motor:1", "Motor.ipt", arm.start["Link5:1"] @ random_pose(generator, 5))
    arm.join("Rigid:1", "rigid", "Motor:1", "Link5:1", arm.start["Motor:1"])


def scara() -> Assembly:
    """Two turning axes, a slider and a wrist; the slider's face normal is across its travel."""
    robot = Assembly(name="Scara.iam")
    robot.part("Base.ipt", [box("Solid1", (12, 12, 30), at(z=15))])
    robot.part("Arm1.ipt", [box("Solid1", (25, 6, 4), at(x=12.5))])
    robot.part("Arm2.ipt", [box("Solid1", (22, 5, 3), at(x=11))])
    robot.part("Quill.ipt", [cylinder("Solid1", 1, 30)])
    robot.part("Flange.ipt", [cylinder("Solid1", 2.5, 1)])
    robot.place("Base:1", "Base.ipt")
    shoulder = at(z=30) @ rotation(Z, 0.2)
    robot.place("Arm1:1", "Arm1.ipt", shoulder)
    elbow = shoulder @ at(x=25, z=4) @ rotation(Z, -0.5)
    robot.place("Arm2:1", "Arm2.ipt", elbow)
    quill = elbow @ at(x=22, z=-3)
    robot.place("Quill:1", "Quill.ipt", quill)
    robot.place("Flange:1", "Flange.ipt", quill @ at(z=-15))
    robot.join("Rotational:1", "rotational", "Arm1:1", "Base:1", shoulder, value=0.2, angular_limits=[-2.2, 2.2])
    robot.join("Rotational:2", "rotational", "Arm2:1", "Arm1:1", elbow, value=-0.5, angular_limits=[2.6, -2.6])
    robot.join(
        "Slider:1",
        "slide",
        "Quill:1",
        "Arm2:1",
        quill @ rotation(X, np.pi),
        value=3.0,
        swap=True,
        linear_limits=[18.0, 0.0],
        linear_expression="20 mm + 1 cm",
    )
    robot.join("Rotational:3", "rotational", "Flange:1", "Quill:1", quill @ at(z=-15))
    return robot


@dataclass(frozen=True, kw_only=True, slots=True)
class FourBar:
    """A planar four-bar in the xy plane: crank a, coupler b, rocker c, ground g along x; closed by two circles."""

    a: float
    b: float
    c: float
    g: float

    def pivots(self, crank: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Ends of crank and rocker, on the branch with the coupler above."""
        end = self.a * np.array([np.cos(crank), np.sin(crank)])
        to_rocker = np.array([self.g, 0.0]) - end
        distance = np.linalg.norm(to_rocker)
        along = (self.b**2 - self.c**2 + distance**2) / (2 * distance)
        height = np.sqrt(self.b**2 - along**2)
        unit = to_rocker / distance
        return end, end + along * unit + height * np.array([-unit[1], unit[0]])

    def poses(self, crank: float) -> dict[str, Matrix]:
        end, tip = self.pivots(crank)
        coupler = np.arctan2(*(tip - end)[::-1])
        rocker = np.arctan2(*(tip - [self.g, 0.0])[::-1])
        return {
            "Ground:1": np.eye(4),
            "Crank:1": rotation(Z, crank),
            "Coupler:1": at(*end) @ rotation(Z, coupler),
            "Rocker:1": at(self.g) @ rotation(Z, rocker),
        }


def four_bar(lengths: FourBar | None = None, crank: float = 1.1, **options: Any) -> Assembly:
    """A crank-rocker whose values hold each other: a value moves nothing, a drive moves the whole loop."""
    lengths = lengths or FourBar(a=8, b=20, c=18, g=24)
    loop = Assembly(name="FourBar.iam", options=options)
    poses = lengths.poses(crank)
    for name, size in (("Ground", 24.0), ("Crank", 8.0), ("Coupler", 20.0), ("Rocker", 18.0)):
        loop.part(f"{name}.ipt", [box("Solid1", (size, 2, 1), at(x=size / 2))])
        loop.place(f"{name}:1", f"{name}.ipt", poses[f"{name}:1"])
    end, tip = lengths.pivots(crank)
    loop.join("R1", "rotational", "Crank:1", "Ground:1", at(), value=crank)
    loop.join("R2", "rotational", "Coupler:1", "Crank:1", at(*end), angular_limits=[-4, 4])
    loop.join("R3", "rotational", "Rocker:1", "Ground:1", at(lengths.g), value=0.1, angular_expression="0.1 rad")
    loop.join("R4", "rotational", "Coupler:1", "Rocker:1", at(*tip), carries=False)
    loop.loop_truth = lambda joint, value: lengths.poses(value) if joint == "R1" else {}
    return loop


def parallelogram_arm() -> Assembly:
    """An arm whose forearm keeps its direction: two equal bars, and a wrist behind the loop."""
    arm = Assembly(name="Parallelogram.iam")
    angle = 1.2
    up = 30 * np.array([np.cos(angle), np.sin(angle)])
    for name in ("Base", "Lower", "Rod", "Forearm", "Hand"):
        arm.part(f"{name}.ipt", [box("Solid1", (30, 3, 2), at(x=10))])
    arm.place("Base:1", "Base.ipt")
    arm.place("Lower:1", "Lower.ipt", rotation(Z, angle))
    arm.place("Rod:1", "Rod.ipt", at(-10) @ rotation(Z, angle))
    arm.place("Forearm:1", "Forearm.ipt", at(*up))
    arm.place("Hand:1", "Hand.ipt", at(up[0] + 25, up[1]))
    arm.join("Shoulder", "rotational", "Lower:1", "Base:1", at(), value=angle, angular_limits=[0.3, 2.6])
    arm.join("RodFoot", "rotational", "Rod:1", "Base:1", at(-10))
    arm.join("Elbow", "rotational", "Forearm:1", "Lower:1", at(*up))
    arm.join("RodHead", "rotational", "Forearm:1", "Rod:1", at(up[0] - 10, up[1]), carries=False)
    wrist = at(up[0] + 25, up[1])
    arm.join("Wrist", "rotational", "Hand:1", "Forearm:1", wrist, angular_limits=[-1, 1])
    spare = at(up[0] + 25, up[1] + 3)
    arm.part("Finger.ipt", [box("Solid1", (1, 1, 5))])
    arm.place("Finger:1", "Finger.ipt", spare)
    arm.join("Grip", "slide", "Finger:1", "Hand:1", spare, linear_limits=[-1, 2])

    def truth(joint: str, value: float) -> Mapping[str, Matrix]:
        if joint != "Shoulder":
            return {}
        moved = 30 * np.array([np.cos(value), np.sin(value)])
        shift = at(*(moved - up))
        return {
            "Base:1": np.eye(4),
            "Lower:1": rotation(Z, value),
            "Rod:1": at(-10) @ rotation(Z, value),
            **{name: shift @ arm.start[name] for name in ("Forearm:1", "Hand:1", "Finger:1")},
        }

    arm.loop_truth = truth
    return arm


def gear_pair() -> Assembly:
    """Two wheels, the second turning 2.5 times as far the other way."""
    pair = Assembly(name="Gears.iam")
    pair.part("Frame.ipt", [box("Solid1", (30, 10, 1))])
    pair.part("Gear1.ipt", [cylinder("Solid1", 5, 2)])
    pair.part("Gear2.ipt", [cylinder("Solid1", 2, 2)])
    pair.place("Frame:1", "Frame.ipt")
    pair.place("Gear1:1", "Gear1.ipt")
    pair.place("Gear2:1", "Gear2.ipt", at(7))
    pair.join("Rotational:1", "rotational", "Gear1:1", "Frame:1", at(), angular_limits=[-1, 1])
    pair.join("Rotational:2", "rotational", "Gear2:1", "Frame:1", at(7))
    pair.constrain(
        "Motion:1", "rotate_rotate", "Gear1:1", "Gear2:1", ratio=2.5, forward=False, joint_one="Rotational:1", joint_two="Rotational:2"
    )
    pair.loop_truth = lambda joint, value: (
        {"Frame:1": np.eye(4), "Gear1:1": rotation(Z, value), "Gear2:1": at(7) @ rotation(Z, -2.5 * value)}
        if joint == "Rotational:1"
        else {}
    )
    return pair


def rack_and_pinion() -> Assembly:
    """A pinion that moves its rack by 6 cm in a turn."""
    pair = Assembly(name="Rack.iam")
    pair.part("Frame.ipt", [box("Solid1", (30, 10, 1))])
    pair.part("Pinion.ipt", [cylinder("Solid1", 1, 2)])
    pair.part("Rack.ipt", [box("Solid1", (20, 1, 1))])
    pair.place("Frame:1", "Frame.ipt")
    pair.place("Pinion:1", "Pinion.ipt", at(0, 3))
    pair.place("Rack:1", "Rack.ipt", at(0, 1.5))
    pair.join("Rotational:1", "rotational", "Pinion:1", "Frame:1", at(0, 3), angular_limits=[-3, 3])
    pair.join("Slider:1", "slide", "Rack:1", "Frame:1", frame_on(X, (0, 1.5, 0)), linear_limits=[-5, 5])
    pair.constrain(
        "Motion:1", "rotate_translate", "Pinion:1", "Rack:1", ratio=6.0, forward=True, joint_one="Rotational:1", joint_two="Slider:1"
    )
    pair.loop_truth = lambda joint, value: (
        {"Frame:1": np.eye(4), "Pinion:1": at(0, 3) @ rotation(Z, value), "Rack:1": at(value * 6 / (2 * np.pi), 1.5)}
        if joint == "Rotational:1"
        else {}
    )
    return pair


def lever(**more: Any) -> Assembly:
    """The smallest machine: a base and a lever on it, off its part's origin; the fields go to the joint."""
    machine = Assembly(name="Lever.iam")
    machine.part("Base.ipt", [box("Solid1", (10, 10, 2))])
    machine.part("Lever.ipt", [box("Solid1", (12, 2, 1), at(3, 1, 0.5) @ rotation(Y, 0.3))])
    machine.place("Base:1", "Base.ipt")
    machine.place("Lever:1", "Lever.ipt", at(5.5) @ rotation(X, 0.4))
    fields: dict[str, Any] = {"value": 0.2, "angular_limits": [-1.5, 1.5], **more}
    machine.join("Rotational:1", "rotational", "Lever:1", "Base:1", frame_on(Y, (0, 0, 1)), **fields)
    return machine
