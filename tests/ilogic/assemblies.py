"""A simulated assembly and the truth of its motion: parts, placements, joints, constraints. cm, kg, rad."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

Matrix = npt.NDArray[np.float64]
Values = Mapping[str, float]

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
    return {
        "name": name,
        "shape": "box",
        "size": list(size),
        "pose": (np.eye(4) if pose is None else pose).tolist(),
        **more,
    }


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

    def step(self, values: Values) -> Matrix:
        """How far the joint alone has moved the child, in assembly coordinates at export."""
        if not self.joint:
            return np.eye(4)
        amount = values.get(self.joint, self.value) - self.value
        turn = rotation(Z, amount) if self.kind == "angular" else at(z=amount)
        return self.frame @ turn @ np.linalg.inv(self.frame)


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
    alone: dict[str, tuple[str, Motion]] = field(default_factory=dict)
    """Every joint with its child, those that close a loop as well."""
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
        motion = Motion(parent=parent, joint=name, kind=quantity, frame=frame, value=value)
        self.alone[name] = (child, motion)
        if carries:
            self.motions[child] = motion

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
        return self.displacement(motion.parent, values) @ motion.step(values)

    def poses(self, values: Values) -> dict[str, Matrix]:
        """Poses of all occurrences with the joints at the values, the others as at export."""
        return {name: self.displacement(name, values) @ pose for name, pose in self.start.items()}

    def relative(self, joint: str, value: float) -> tuple[str, str | None, Matrix]:
        """A joint's child and parent, and the child's pose in the parent when the joint alone stands at the value."""
        child, motion = self.alone[joint]
        parent = np.eye(4) if motion.parent is None else self.start[motion.parent]
        return child, motion.parent, np.linalg.inv(parent) @ motion.step({joint: value}) @ self.start[child]

    def as_json(self) -> dict[str, Any]:
        top = {
            "occurrences": self.occurrences,
            "joints": self.joints,
            "constraints": self.constraints,
            "frames": self.frames,
        }
        documents = {**self.documents, self.name: {**top, **self.documents.get(self.name, {})}}
        return {"document": self.name, "documents": documents, "options": self.options}
