"""Assemblies with a known truth, and their dumps; the kinematics here share nothing with the product.

A `Body` is a rigid unit of the truth with its own frame. Its parts are placed in that frame; the first
is the one that the joints hold, the others are screws and covers. Lengths are metres, the dump has cm.
"""

from __future__ import annotations

import copy
import itertools
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from oracles import shift, turn_about

TYPES = {
    "rigid": ("kRigidJointType", 102401),
    "turn": ("kRotationalJointType", 102402),
    "slide": ("kSlideJointType", 102403),
    "cylindrical": ("kCylindricalJointType", 102404),
    "planar": ("kPlanarJointType", 102405),
    "ball": ("kBallJointType", 102406),
}
STL_UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048, "micron": 1e-6}
CORNERS = np.array(list(itertools.product((-0.5, 0.5), repeat=3)))
FACES = (
    *((0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1)),
    *((2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3)),
)


def random_pose(rng, size: float = 0.3) -> np.ndarray:
    """A pose with any rotation and a point within a cube."""
    axis = rng.normal(size=3)
    return shift(*rng.uniform(-size, size, 3)) @ turn_about(axis, rng.uniform(-np.pi, np.pi))


def about(axis, point, angle: float) -> np.ndarray:
    """A turn about a line."""
    return shift(*point) @ turn_about(axis, angle) @ shift(*(-np.asarray(point)))


@dataclass
class Solid:
    """A box: edge lengths, density in kg/m³, pose in its part, and the part's pose in the occurrence."""

    size: np.ndarray
    density: float
    place: np.ndarray
    part: np.ndarray = field(default_factory=lambda: np.eye(4))
    visible: bool = True

    @property
    def volume(self) -> float:
        return float(np.prod(self.size))

    @property
    def mass(self) -> float:
        return self.volume * self.density

    def tensor(self) -> np.ndarray:
        """About the centre, in part axes."""
        x, y, z = self.size**2
        turned = self.place[:3, :3]
        return turned @ np.diag([y + z, x + z, x + y]) @ turned.T * self.mass / 12


@dataclass
class Part:
    """An occurrence and where it sits on its body."""

    name: str
    body_from_part: np.ndarray
    solids: list[Solid] = field(default_factory=list)
    document: str = ""
    mesh_unit: str | None = None
    extra: dict = field(default_factory=dict)


@dataclass
class Body:
    """A rigid unit: ``T_parent_body(q) = motion(axis, point, q) @ home``, axis and point in the parent's frame."""

    parts: list[Part]
    parent: int | None = None
    kind: str = "rigid"
    axis: np.ndarray | None = None
    point: np.ndarray | None = None
    home: np.ndarray = field(default_factory=lambda: np.eye(4))
    limits: tuple[float, float] | None = None
    joint: str = ""
    swapped: bool = False
    reversed_limits: bool = False
    extra: dict = field(default_factory=dict)


@dataclass
class Assembly:
    """Bodies, the first of which is grounded; parents come before their children."""

    bodies: list[Body]
    frames: list[dict] = field(default_factory=list)
    name: str = "Robot.iam"

    @property
    def joints(self) -> list[Body]:
        return [body for body in self.bodies if body.parent is not None]

    @property
    def moving(self) -> list[Body]:
        return [body for body in self.joints if body.kind != "rigid"]

    def body_poses(self, q: dict[str, float]) -> list[np.ndarray]:
        poses = []
        for body in self.bodies:
            if body.parent is None:
                poses.append(body.home)
                continue
            value = q.get(body.joint, 0.0)
            move = np.eye(4)
            if body.kind in ("turn", "cylindrical"):
                move = about(body.axis, body.point, value)
            elif body.kind == "slide":
                move = shift(*(np.asarray(body.axis) / np.linalg.norm(body.axis) * value))
            poses.append(poses[body.parent] @ move @ body.home)
        return poses

    def part_poses(self, q: dict[str, float]) -> dict[str, np.ndarray]:
        """Truth: the pose of every occurrence in the assembly, m."""
        poses = self.body_poses(q)
        return {
            part.name: pose @ part.body_from_part
            for pose, body in zip(poses, self.bodies, strict=True)
            for part in body.parts
        }

    def body_of(self, name: str) -> int:
        return next(i for i, body in enumerate(self.bodies) if any(part.name == name for part in body.parts))

    def random_q(self, rng) -> dict[str, float]:
        q = {}
        for body in self.moving:
            low, high = body.limits or (-np.pi, np.pi)
            q[body.joint] = float(rng.uniform(low, high))
        return q


def rows_in_cm(pose: np.ndarray, rng=None, noise: float = 0.0) -> list[list[float]]:
    matrix = pose.copy()
    matrix[:3, 3] *= 100.0
    if noise:
        matrix[:3] += rng.uniform(-noise, noise, (3, 4))
    return matrix.tolist()


def dump_of(
    assembly: Assembly,
    q: dict[str, float],
    *,
    rng=None,
    noise: float = 0.0,
    alone: bool = False,
    steps: int = 2,
    verify: int = 2,
    pairs_only: bool = False,
    poses_at=None,
) -> dict:
    """The dump of an assembly left at q.

    Parameters
    ----------
    noise : float
        On every entry of every matrix.
    alone : bool
        The probes suppress the other joints: only the two bodies and what is fixed to them are where they
        belong; everything else stays where it was.
    steps : int
        Samples of a probe.
    pairs_only : bool
        Samples hold the joint's two occurrences only.
    poses_at : callable
        Replaces `Assembly.part_poses`, for assemblies with loops.
    """
    rng = rng or np.random.default_rng(0)
    poses_at = poses_at or assembly.part_poses

    def table(poses: dict[str, np.ndarray], names=None) -> dict:
        return {name: rows_in_cm(pose, rng, noise) for name, pose in poses.items() if names is None or name in names}

    here = poses_at(q)
    joints = []
    for body in assembly.joints:
        parent, child = assembly.bodies[body.parent].parts[0].name, body.parts[0].name
        one, two = (parent, child) if body.swapped else (child, parent)
        kind, number = TYPES[body.kind]
        joint = {
            "name": body.joint,
            "path": [],
            "type": kind,
            "type_value": number,
            "occurrence_one": one,
            "occurrence_two": two,
            "suppressed": False,
            "locked": False,
            "health": 11778,
            "angular": None,
            "linear": None,
            "geometry": None,
            "probe": None,
            "coupled_probe": None,
        }
        if body.kind != "rigid":
            angular = body.kind != "slide"
            scale = 1.0 if angular else 100.0
            low, high = body.limits or (None, None)
            ends = [None if end is None else end * scale for end in (low, high)]
            if body.reversed_limits:
                ends.reverse()
            quantity = "angular" if angular else "linear"
            joint[quantity] = {"value": q[body.joint] * scale, "start": ends[0], "end": ends[1]}
            lie = rng.normal(size=3)
            joint["geometry"] = {"axis": (lie / np.linalg.norm(lie)).tolist(), "origin": rng.normal(size=3).tolist()}
            step = 0.1 if angular else 0.01
            if high is not None and q[body.joint] + step * (steps - 1) > high:
                step = -step
            samples = []
            for i in range(steps):
                value = q[body.joint] + i * step
                poses = poses_at({**q, body.joint: value})
                if alone:
                    kept = {body.parent, assembly.bodies.index(body)}
                    fixed = {p.name for k, b in enumerate(assembly.bodies) for p in b.parts if k in kept}
                    poses = {name: poses[name] if name in fixed else here[name] for name in poses}
                names = {parent, child} if pairs_only else None
                samples.append({"value": value * scale, "transforms": table(poses, names)})
            joint["probe"] = {"status": "moved", "quantity": quantity, "others_suppressed": alone, "samples": samples}
        joint.update(copy.deepcopy(body.extra))
        joints.append(joint)
    tests = []
    for _ in range(verify):
        values = assembly.random_q(rng)
        units = {body.joint: 100.0 if body.kind == "slide" else 1.0 for body in assembly.moving}
        tests.append(
            {
                "values": {name: value * units[name] for name, value in values.items()},
                "transforms": table(poses_at(values)),
            }
        )
    return {
        "format": "inventor-dump",
        "version": 1,
        "document": assembly.name,
        "inventor_version": "2026.1",
        "units": {"length": "cm", "mass": "kg", "angle": "rad"},
        "occurrences": [
            occurrence_of(part, here[part.name], i == 0 and j == 0, rng, noise)
            for i, body in enumerate(assembly.bodies)
            for j, part in enumerate(body.parts)
        ],
        "joints": joints,
        "motion_constraints": [],
        "frames": assembly.frames,
        "verify": tests,
        "messages": [],
    }


def occurrence_of(part: Part, pose: np.ndarray, grounded: bool, rng=None, noise: float = 0.0) -> dict:
    corners = [
        (solid.part @ solid.place @ np.append(corner * solid.size, 1.0))[:3]
        for solid in part.solids
        if solid.visible
        for corner in CORNERS
    ]
    box = None
    if corners:
        low, high = np.min(corners, axis=0) * 100, np.max(corners, axis=0) * 100
        box = {"min": low.tolist(), "max": high.tolist(), "precise": True}
    document = part.document or part.name.split(":")[0] + ".ipt"
    data = {
        "name": part.name,
        "path": [part.name],
        "document": document,
        "model_state": "[Primary]",
        "kind": "part",
        "flexible": False,
        "grounded": grounded,
        "visible": True,
        "suppressed": False,
        "excluded": False,
        "bom": "normal",
        "part_number": "",
        "range_box": box,
        "assembly_from_occurrence": rows_in_cm(pose, rng, noise),
        "mesh": mesh_name(part) if part.mesh_unit else None,
        "bodies_total": len(part.solids),
        "bodies_visible": sum(solid.visible for solid in part.solids),
        "bodies": [body_of(solid, f"Solid{i + 1}") for i, solid in enumerate(part.solids) if solid.visible],
        "mass_override": None,
        "color": [0.5, 0.25, 0.75, 1.0],
    }
    data.update(copy.deepcopy(part.extra))
    return data


def body_of(solid: Solid, name: str) -> dict:
    tensor = solid.tensor() * 1e4
    return {
        "name": name,
        "mass": solid.mass,
        "volume": solid.volume * 1e6,
        "center_of_mass": (solid.place[:3, 3] * 100).tolist(),
        "inertia": {
            "ixx": tensor[0, 0],
            "iyy": tensor[1, 1],
            "izz": tensor[2, 2],
            "ixy": tensor[0, 1],
            "iyz": tensor[1, 2],
            "ixz": tensor[0, 2],
        },
        "occurrence_from_part": rows_in_cm(solid.part),
        "material": {"name": "Steel", "density": solid.density * 1e-6},
        "override_scale": 1,
        "color": [0.5, 0.5, 0.5, 1.0],
    }


def mesh_name(part: Part) -> str:
    return (part.document or part.name.split(":")[0]).removesuffix(".ipt") + ".stl"


def box_triangles(solids: list[Solid]) -> np.ndarray:
    """Corners of the outward triangles of boxes in the occurrence's frame, shape (n, 3, 3), m."""
    triangles = []
    for solid in solids:
        pose = solid.part @ solid.place
        points = CORNERS * solid.size @ pose[:3, :3].T + pose[:3, 3]
        for face in FACES:
            a, b, c = points[list(face)]
            outward = np.cross(b - a, c - a) @ ((a + b + c) / 3 - pose[:3, 3]) > 0
            triangles.append((a, b, c) if outward else (a, c, b))
    return np.array(triangles)


def stl_bytes(triangles: np.ndarray) -> bytes:
    """A binary STL."""
    parts = [b"made by a test".ljust(80), struct.pack("<I", len(triangles))]
    parts += [struct.pack("<12fH", 0, 0, 0, *corners.ravel(), 0) for corners in triangles]
    return b"".join(parts)


def ascii_stl(triangles: np.ndarray) -> bytes:
    lines = ["solid test"]
    for corners in triangles:
        lines += ["facet normal 0 0 0", "outer loop"]
        lines += [f"vertex {x!r} {y!r} {z!r}" for x, y, z in corners.tolist()]
        lines += ["endloop", "endfacet"]
    return "\n".join([*lines, "endsolid test", ""]).encode()


def write_meshes(assembly: Assembly, folder: Path) -> None:
    """One STL for every part with a mesh unit."""
    for body in assembly.bodies:
        for part in body.parts:
            if part.mesh_unit:
                solids = [solid for solid in part.solids if solid.visible]
                triangles = box_triangles(solids) / STL_UNITS[part.mesh_unit]
                (folder / mesh_name(part)).write_bytes(stl_bytes(triangles))


def write_dump(dump: dict, folder: Path, name: str = "robot.inventor.json") -> Path:
    path = folder / name
    path.write_text(json.dumps(dump, ensure_ascii=False), encoding="utf-8")
    return path


def random_solids(rng, *, nested: bool = False) -> list[Solid]:
    solids = []
    for _ in range(rng.integers(1, 4)):
        part = random_pose(rng, 0.1) if nested else np.eye(4)
        solids.append(
            Solid(rng.uniform(0.02, 0.15, 3), float(rng.choice([2700.0, 7850.0])), random_pose(rng, 0.1), part)
        )
    return solids


def random_assembly(rng, joints: int = 6, *, screws: int = 2, branches: bool = False, meshes: bool = False) -> Assembly:
    """An arm or a tree with everything that is unpleasant: any frames, any order, sliders, rigid joints, screws."""
    bodies = [Body([Part("Base:1", random_pose(rng), random_solids(rng))], home=random_pose(rng))]
    for i in range(joints):
        kind = str(rng.choice(["turn", "turn", "turn", "slide", "rigid"]))
        limits = None
        if kind == "slide" or (kind == "turn" and rng.random() < 0.7):
            low, high = sorted(rng.uniform(-0.3, 0.3, 2) if kind == "slide" else rng.uniform(-3, 3, 2))
            limits = (float(low), float(high + (0.05 if kind == "slide" else 0.4)))
        axis = rng.normal(size=3)
        bodies.append(
            Body(
                [Part(f"Link {i + 1}:1", random_pose(rng), random_solids(rng, nested=rng.random() < 0.3))],
                parent=int(rng.integers(0, i + 1)) if branches else i,
                kind=kind,
                axis=axis / np.linalg.norm(axis),
                point=rng.uniform(-0.3, 0.3, 3),
                home=random_pose(rng),
                limits=limits,
                joint=f"{kind.capitalize()}:{i + 1}",
                swapped=bool(rng.random() < 0.5),
                reversed_limits=bool(rng.random() < 0.5),
            )
        )
    for i, body in enumerate(bodies):
        for k in range(screws if body.kind != "rigid" or body.parent is None else 0):
            main = body.parts[0]
            near = main.body_from_part @ main.solids[0].part @ main.solids[0].place
            place = near @ shift(*rng.uniform(-0.01, 0.01, 3)) @ random_pose(rng, 0.0)
            bolt = Solid(rng.uniform(0.005, 0.02, 3), 7850.0, random_pose(rng, 0.005))
            body.parts.append(Part(f"Screw:{i * screws + k + 1}", place, [bolt], document=f"Screw{i}_{k}.ipt"))
    if meshes:
        for k, part in enumerate(part for body in bodies for part in body.parts):
            part.mesh_unit = ("mm", "cm", "m")[k % 3]
    return Assembly(bodies)
