"""The machines of the tests: arms, linkages, gears, and what holds a joint."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ilogic.assemblies import (
    ALUMINIUM,
    STEEL,
    Assembly,
    Matrix,
    Motion,
    X,
    Y,
    Z,
    at,
    box,
    cylinder,
    frame_on,
    random_pose,
    rotation,
)
from mdh2urdf.table_file.reader import read_table

ROOT = Path(__file__).parents[2]


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
        "Motion:1",
        "rotate_rotate",
        "Gear1:1",
        "Gear2:1",
        ratio=2.5,
        forward=False,
        joint_one="Rotational:1",
        joint_two="Rotational:2",
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
        "Motion:1",
        "rotate_translate",
        "Pinion:1",
        "Rack:1",
        ratio=6.0,
        forward=True,
        joint_one="Rotational:1",
        joint_two="Slider:1",
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


def lever_with_screws(**more: Any) -> Assembly:
    """The lever with a screw on it, and a nut on the screw that touches the lever too."""
    machine = lever(**more)
    machine.part("Screw.ipt", [cylinder("Solid1", 0.3, 2)])
    machine.part("Nut.ipt", [cylinder("Solid1", 0.5, 0.5)])
    machine.place("Screw:1", "Screw.ipt", machine.start["Lever:1"] @ at(4))
    machine.place("Nut:1", "Nut.ipt", machine.start["Lever:1"] @ at(4, 0, -1))
    machine.constrain("Insert:1", "insert", "Screw:1", "Lever:1")
    machine.constrain("Insert:2", "insert", "Nut:1", "Screw:1")
    machine.constrain("Mate:9", "mate", "Nut:1", "Lever:1")
    return machine


def held_lever() -> Assembly:
    """The lever held to its base by a mate and a flush over a bracket, and by an angle to the base itself."""
    machine = lever_with_screws()
    machine.part("Bracket.ipt", [box("Solid1", (2, 2, 2))])
    machine.place("Bracket:1", "Bracket.ipt", at(2, 0, 2))
    machine.constrain("Mate:1", "mate", "Bracket:1", "Base:1")
    machine.constrain("Flush:1", "flush", "Lever:1", "Bracket:1")
    machine.constrain("Angle:1", "angle", "Lever:1", "Base:1")
    return machine


def flexible_cylinder() -> Assembly:
    """A cylinder on a bearing, as a flexible sub-assembly: its slider is the sub-assembly's own joint."""
    machine = Assembly(name="Press.iam")
    machine.part("Base.ipt", [box("Solid1", (10, 10, 2))])
    machine.part("Tube.ipt", [cylinder("Solid1", 2, 20)])
    machine.part("Rod.ipt", [cylinder("Solid1", 1, 20)])
    machine.part("Clip.ipt", [cylinder("Solid1", 0.4, 1)])
    rod = at(z=12)
    clip = at(1, 0, 20)
    inner = Assembly(name="Cylinder.iam")
    inner.place("Tube:1", "Tube.ipt")
    inner.place("Rod:1", "Rod.ipt", rod)
    inner.place("Clip:1", "Clip.ipt", clip)
    inner.join("Slider:1", "slide", "Rod:1", "Tube:1", rod, value=2.0, linear_limits=[0.0, 9.0])
    inner.constrain("Insert:1", "insert", "Clip:1", "Rod:1")
    machine.documents["Cylinder.iam"] = inner.as_json()["documents"]["Cylinder.iam"]
    place = at(0, 0, 1) @ rotation(Y, 0.5)
    machine.place("Base:1", "Base.ipt")
    machine.place("Cylinder:1", "Cylinder.iam", place, flexible=True)
    del machine.start["Cylinder:1"], machine.motions["Cylinder:1"]
    for name, pose in (("Tube:1", at()), ("Rod:1", rod), ("Clip:1", clip)):
        machine.start[f"Cylinder:1/{name}"] = place @ pose
    machine.join(
        "Bearing",
        "rotational",
        "Cylinder:1/Tube:1",
        "Base:1",
        frame_on(Y, (0, 0, 1)),
        value=0.5,
        angular_limits=[-1, 1],
    )
    machine.motions["Cylinder:1/Rod:1"] = Motion(
        parent="Cylinder:1/Tube:1", joint="Cylinder:1/Slider:1", kind="linear", frame=place @ rod, value=2.0
    )
    machine.motions["Cylinder:1/Clip:1"] = Motion(parent="Cylinder:1/Rod:1")
    return machine


def other_joints() -> Assembly:
    """A cylindrical joint with equal linear limits, one with equal angular limits, a free one, planar and ball."""
    machine = Assembly(name="Others.iam")
    machine.part("Base.ipt", [box("Solid1", (10, 10, 2))])
    machine.part("Pin.ipt", [box("Solid1", (1, 2, 6))])
    machine.place("Base:1", "Base.ipt")
    for number, (name, kind, limits) in enumerate(
        [
            ("Turning", "cylindrical", {"angular_limits": [-1, 1], "linear_limits": [0, 0]}),
            ("Sliding", "cylindrical", {"angular_limits": [0, 0], "linear_limits": [-2, 2]}),
            ("Free", "cylindrical", {}),
            ("Planar:1", "planar", {}),
            ("Ball:1", "ball", {}),
        ],
        start=1,
    ):
        machine.place(f"Pin:{number}", "Pin.ipt", at(5 * number))
        machine.join(name, kind, f"Pin:{number}", "Base:1", at(5 * number), **limits)
    machine.motions["Pin:2"] = Motion(parent="Base:1", joint="Sliding", kind="linear", frame=at(10), value=0.0)
    return machine


def japanese_arm() -> Assembly:
    """Names in Japanese, one with a quotation mark, on a computer that writes a decimal comma."""
    arm = Assembly(name="\u30ed\u30dc\u30c3\u30c8.iam", options={"decimal_comma": True})
    arm.part("\u53f0\u5ea7.ipt", [box("\u30bd\u30ea\u30c3\u30c91", (10.5, 10.25, 2.125))])
    arm.part("\u8155.ipt", [box("\u30bd\u30ea\u30c3\u30c91", (20.75, 3, 2))])
    arm.place("\u53f0\u5ea7:1", "\u53f0\u5ea7.ipt")
    arm.place('\u8155 "\u53f3":1', "\u8155.ipt", at(0.125, 0, 2.5))
    arm.join(
        "\u56de\u8ee2:1",
        "rotational",
        '\u8155 "\u53f3":1',
        "\u53f0\u5ea7:1",
        at(0.125, 0, 2.5),
        value=0.25,
        angular_limits=[-1.5, 1.5],
    )
    return arm


def all_trees() -> dict[str, Assembly]:
    """The machines without closed loops."""
    return {
        "six_axis_arm": six_axis_arm(),
        "scara": scara(),
        "lever": lever(),
        "lever_swapped": lever(swap=True),
        "lever_at_its_limit": lever(value=1.45, angular_limits=[1.5, -1.5]),
        "lever_without_limits": lever(angular_limits=None),
        "lever_on_the_ground": lever_on_the_ground(),
        "locked": lever(locked=True),
        "protected": lever(protected=True),
        "held_lever": held_lever(),
        "flexible_cylinder": flexible_cylinder(),
        "other_joints": other_joints(),
        "japanese_arm": japanese_arm(),
    }


def all_loops() -> dict[str, Assembly]:
    """The machines with closed loops or gears, with the joint that drives each."""
    return {
        "four_bar": four_bar(),
        "four_bar_free": four_bar(loops="free"),
        "double_rocker": four_bar(FourBar(a=18, b=12, c=16, g=24), crank=1.2),
        "parallelogram_arm": parallelogram_arm(),
        "gear_pair": gear_pair(),
        "rack_and_pinion": rack_and_pinion(),
        "cylindrical_loop": cylindrical_loop(),
    }


def lever_on_the_ground() -> Assembly:
    """A lever whose joint holds the assembly itself: it has no second occurrence."""
    machine = lever()
    machine.joints.clear()
    machine.join(
        "Rotational:1", "rotational", "Lever:1", None, frame_on(Y, (0, 0, 1)), value=0.2, angular_limits=[-1.5, 1.5]
    )
    return machine


def cylindrical_loop() -> Assembly:
    """A piston that turns and slides in its bush, geared to a wheel: the drive has to be told which of the two."""
    machine = Assembly(name="Piston.iam")
    machine.part("Frame.ipt", [box("Solid1", (30, 10, 1))])
    machine.part("Piston.ipt", [box("Solid1", (1, 2, 6))])
    machine.part("Wheel.ipt", [cylinder("Solid1", 2, 2)])
    machine.place("Frame:1", "Frame.ipt")
    machine.place("Piston:1", "Piston.ipt")
    machine.place("Wheel:1", "Wheel.ipt", at(7))
    machine.join("Bush", "cylindrical", "Piston:1", "Frame:1", at(), angular_limits=[0.0, 0.0], linear_limits=[-4, 4])
    machine.motions["Piston:1"] = Motion(parent="Frame:1", joint="Bush", kind="linear", frame=at())
    machine.alone["Bush"] = ("Piston:1", machine.motions["Piston:1"])
    machine.join("Axle", "rotational", "Wheel:1", "Frame:1", at(7))
    machine.constrain(
        "Motion:1",
        "rotate_translate",
        "Wheel:1",
        "Piston:1",
        ratio=5.0,
        forward=True,
        joint_one="Axle",
        joint_two="Bush",
    )
    machine.loop_truth = lambda joint, value: {
        "Frame:1": np.eye(4),
        "Piston:1": at(z=value),
        "Wheel:1": at(7) @ rotation(Z, value / 5 * 2 * np.pi),
    }
    return machine
