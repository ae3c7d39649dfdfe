"""Assemblies about what parts are made of: bodies, masses, model states, sub-assemblies, what is suppressed."""

from __future__ import annotations

from typing import Any

import numpy as np

from ilogic.assemblies import ALUMINIUM, Assembly, X, Y, at, box, cylinder, frame_on, rotation
from ilogic.machines import lever


def hidden_bodies() -> Assembly:
    """A lever derived from a multi-body part: one body visible, two hidden ones, and a visible surface."""
    machine = lever()
    machine.documents["Lever.ipt"]["bodies"] += [
        box("Hidden1", (30, 30, 30), at(20), visible=False),
        cylinder("Hidden2", 5, 5, at(-20), visible=False),
        box("Surface1", (1, 1, 1), solid=False),
    ]
    machine.documents["Lever.ipt"]["bodies"][0]["color"] = [1.0, 0.0, 0.2, 0.5]
    return machine


def body_with(tensor: str) -> Assembly:
    """A lever whose body's tensor comes as "zeros", or "throws"."""
    machine = lever()
    machine.documents["Lever.ipt"]["bodies"][0]["tensor"] = tensor
    return machine


def overridden_lever() -> Assembly:
    """A lever whose mass the user has overridden, with a hidden body in it."""
    machine = hidden_bodies()
    machine.documents["Lever.ipt"]["mass_override"] = 2.5
    return machine


def two_states() -> Assembly:
    """One part in two model states, one of them longer, and a part of the same file name in another folder."""
    machine = lever()
    machine.documents["Lever.ipt"]["states"] = {"Long": {"bodies": [box("Solid1", (24, 2, 1))]}}
    machine.place("Lever:2", "Lever.ipt", at(0, 8), state="Long")
    machine.join("Rotational:2", "rotational", "Lever:2", "Base:1", frame_on(Y, (0, 8, 0)), angular_limits=[-1, 1])
    machine.place("Lever:3", "Lever.ipt", at(0, 16))
    machine.join("Rigid:1", "rigid", "Lever:3", "Base:1", at(0, 16))
    return machine


def same_file_names() -> Assembly:
    """Two documents that are called alike but for their capitals."""
    machine = lever()
    machine.part("LEVER.IPT", [box("Solid1", (3, 3, 3))], subfolder="other")
    machine.place("Other:1", "LEVER.IPT", at(0, 8))
    machine.join("Rigid:1", "rigid", "Other:1", "Base:1", at(0, 8))
    return machine


def rigid_gripper() -> Assembly:
    """A gripper as one rigid sub-assembly, joined by a face of a part deep in it.

    A jaw's mass is overridden in its part and once more in the jaw's own assembly; a dummy is a reference, a pin is
    invisible, a spring is suppressed, a grease is a virtual component.
    """
    machine = lever()
    machine.part("Palm.ipt", [box("Solid1", (6, 4, 2), rotation(X, 0.2))])
    machine.part("Finger.ipt", [box("Solid1", (1, 1, 6), rotation(Y, 0.3)), box("Core", (9, 9, 9), visible=False)])
    machine.part("Pad.ipt", [box("Solid1", (1, 0.5, 1))], material=ALUMINIUM)
    machine.part("Dummy.ipt", [box("Solid1", (2, 2, 2))])
    machine.documents["Finger.ipt"]["mass_override"] = 0.3
    jaw = Assembly(name="Jaw.iam")
    jaw.place("Finger:1", "Finger.ipt")
    jaw.place("Pad:1", "Pad.ipt", at(0, 0.7, 2))
    machine.documents["Jaw.iam"] = {**jaw.as_json()["documents"]["Jaw.iam"], "mass_override": 0.5}
    gripper = Assembly(name="Gripper.iam")
    gripper.place("Palm:1", "Palm.ipt")
    gripper.place("Jaw:1", "Jaw.iam", at(2, 0, 4) @ rotation(Y, 0.1))
    gripper.place("Jaw:2", "Jaw.iam", at(-2, 0, 4) @ rotation(Y, -0.1))
    gripper.place("Dummy:1", "Dummy.ipt", at(0, 0, 9), bom="reference")
    gripper.place("Pin:1", "Dummy.ipt", at(9, 0, 9), visible=False)
    gripper.place("Spring:1", "Dummy.ipt", at(5, 0, 9), suppressed=True)
    gripper.place("Grease:1", "", at(), virtual=True)
    inner = gripper.as_json()["documents"]["Gripper.iam"]
    machine.documents["Gripper.iam"] = {**inner, "frames": [{"name": "tcp", "pose": at(0, 0, 8).tolist()}]}
    machine.place("Gripper:1", "Gripper.iam", at(12, 0, 3) @ rotation(X, 0.5))
    machine.join(
        "Wrist", "rotational", "Gripper:1", "Lever:1", frame_on(X, (12, 0, 3)), value=0.1, angular_limits=[-0.5, 0.5]
    )
    machine.joints[-1]["one"] = "Gripper:1/Jaw:1/Finger:1"
    return machine


def overridden_gripper() -> Assembly:
    """The gripper with an override of its own."""
    machine = rigid_gripper()
    machine.documents["Gripper.iam"]["mass_override"] = 3.0
    return machine


def suppressed_things() -> Assembly:
    """A suppressed occurrence and its joint, a suppressed joint, a suppressed constraint, a virtual component."""
    machine = lever()
    machine.part("Stop.ipt", [box("Solid1", (1, 1, 1))])
    machine.place("Stop:1", "Stop.ipt", at(0, 9), suppressed=True)
    machine.join("Rotational:2", "rotational", "Stop:1", "Base:1", at(0, 9))
    machine.place("Stop:2", "Stop.ipt", at(0, 12))
    machine.join("Rigid:1", "rigid", "Stop:2", "Base:1", at(0, 12))
    machine.join("Old", "slide", "Stop:2", "Base:1", at(0, 12), suppressed=True, carries=False)
    machine.constrain("Mate:1", "mate", "Stop:2", "Lever:1", suppressed=True)
    machine.motions["Stop:2"] = machine.motions["Base:1"]
    machine.place("Grease:1", "", at(), virtual=True)
    return machine


def coordinate_systems() -> Assembly:
    """User coordinate systems in the assembly and in a part that occurs twice."""
    machine = lever()
    machine.frames = [{"name": "world", "pose": (at(1, 2, 3) @ rotation(X, 0.3)).tolist()}]
    machine.documents["Lever.ipt"]["frames"] = [{"name": "tool0", "pose": (at(9) @ rotation(Y, 0.7)).tolist()}]
    machine.place("Lever:2", "Lever.ipt", at(0, 8))
    machine.join("Rigid:1", "rigid", "Lever:2", "Base:1", at(0, 8))
    return machine


def descriptions() -> Assembly:
    """Bill-of-materials structures, visibility, exclusion, colours, part numbers."""
    machine = lever()
    machine.documents["Base.ipt"] |= {"part_number": "B-001", "color": [0.2, 0.4, 0.6, 1.0]}
    for number, bom in enumerate(["normal", "phantom", "reference", "purchased", "inseparable", "default"], start=2):
        more: dict[str, Any] = {"visible": number != 3, "excluded": number == 4}
        machine.place(f"Lever:{number}", "Lever.ipt", at(0, 5 * number), bom=bom, **more)
        machine.join(f"Rigid:{number}", "rigid", f"Lever:{number}", "Base:1", at(0, 5 * number))
    return machine


def troubled() -> Assembly:
    """Nothing right: two grounds, a loose part, a locked and a sick joint, no limits, no material, a twin name."""
    machine = lever(locked=True, angular_limits=None, health=11786)
    machine.documents["Base.ipt"]["material"] = None
    machine.part("Stop.ipt", [box("Solid1", (1, 1, 1))])
    machine.place("Stop:1", "Stop.ipt", at(0, 9), grounded=True)
    machine.place("lever:1", "Stop.ipt", at(0, 12))
    machine.place("Loose:1", "Stop.ipt", at(0, 15))
    machine.join("Cylindrical:1", "cylindrical", "lever:1", "Base:1", at(0, 12))
    machine.join("Slider:1", "slide", "lever:1", "Base:1", at(0, 12), linear_limits=[None, 4.0], carries=False)
    return machine


def mass_of(machine: Assembly, document: str, *, visible_only: bool = True) -> tuple[float, np.ndarray]:
    """Mass and centre of a part's solid bodies, by hand."""
    density = machine.documents[document]["material"]["density"]
    total, moment = 0.0, np.zeros(3)
    for body in machine.documents[document]["bodies"]:
        if not body.get("solid", True) or (visible_only and not body.get("visible", True)):
            continue
        size = body["size"]
        volume = np.prod(size) if body["shape"] == "box" else np.pi * size[0] ** 2 * size[1]
        total += density * volume
        moment += density * volume * np.array(body["pose"])[:3, 3]
    return total, moment / total
