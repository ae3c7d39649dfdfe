"""The same robot in pinocchio, MuJoCo and libsdformat: joint values in, link poses and dynamics out."""

from __future__ import annotations

import functools
import math
import tempfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from readers import missing, require_module, require_program, run

SOURCE = Path(__file__).parent / "sdf" / "resolve.cpp"

SDF_TYPES = ("invalid", "ball", "continuous", "fixed", "gearbox", "prismatic", "revolute")
"""libsdformat's numbers of joint types."""


class Pinocchio:
    """A URDF in pinocchio; joints are named, each with one velocity."""

    def __init__(self, text: str) -> None:
        self.pin = require_module("pinocchio")
        self.model = self.pin.buildModelFromXML(text)
        self.data = self.model.createData()
        self.joints = list(self.model.names)[1:]

    def at(self, values: Mapping[str, float]) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray]:
        """Link poses, mass matrix and gravity torques, joints in the order of ``self.joints``."""
        q = self.pin.neutral(self.model)
        for name in self.joints:
            joint, value = self.model.joints[self.model.getJointId(name)], values[name]
            q[joint.idx_q : joint.idx_q + joint.nq] = [math.cos(value), math.sin(value)] if joint.nq == 2 else [value]
        self.pin.framesForwardKinematics(self.model, self.data, q)
        bodies = [frame for frame in self.model.frames if frame.type == self.pin.FrameType.BODY]
        poses = {frame.name: self.data.oMf[self.model.getFrameId(frame.name)].homogeneous for frame in bodies}
        mass = np.triu(self.pin.crba(self.model, self.data, q))
        order = [self.model.joints[self.model.getJointId(name)].idx_v for name in self.joints]
        mass = (mass + np.triu(mass, 1).T)[np.ix_(order, order)]
        return poses, mass, self.pin.computeGeneralizedGravity(self.model, self.data, q)[order].copy()


class MuJoCo:
    """An MJCF in MuJoCo; hinges and slides are named."""

    def __init__(self, text: str, files: Mapping[str, bytes] | None = None) -> None:
        self.mujoco = require_module("mujoco")
        self.model = self.mujoco.MjModel.from_xml_string(text, dict(files or {}))
        self.data = self.mujoco.MjData(self.model)

    def set(self, values: Mapping[str, float]) -> None:
        """Give every joint its value, at rest, and work out all that follows."""
        for index in range(self.model.njnt):
            self.data.qpos[self.model.jnt_qposadr[index]] = values[self.model.joint(index).name]
        self.data.qvel[:] = 0.0
        self.mujoco.mj_forward(self.model, self.data)

    def poses(self) -> dict[str, np.ndarray]:
        """Poses of bodies and sites; the world is there under its name."""
        found = {}
        for kind, count in (("body", self.model.nbody), ("site", self.model.nsite)):
            for index in range(count):
                each = getattr(self.data, kind)(index)
                pose = np.eye(4)
                pose[:3, :3] = each.xmat.reshape(3, 3)
                pose[:3, 3] = each.xpos
                found[getattr(self.model, kind)(index).name] = pose
        return found

    def dynamics(self, joints: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Mass matrix and gravity torques of the joints, in their order."""
        mass = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, self.data, mass)
        order = [self.model.joint(name).dofadr[0] for name in joints]
        return mass[np.ix_(order, order)], self.data.qfrc_bias[order].copy()


@functools.cache
def sdf_resolver() -> Path:
    """The program that says what libsdformat makes of a file, built once."""
    compiler, pkg_config = require_program("g++"), require_program("pkg-config")
    listed = [line.split()[0] for line in run(pkg_config, "--list-all").stdout.splitlines()]
    packages = [name for name in listed if name.startswith("sdformat") and name[8:].isdigit()]
    if not packages:
        missing("libsdformat (Debian: libsdformat-dev)")
    flags = run(pkg_config, "--cflags", "--libs", packages[-1]).stdout.split()
    program = Path(tempfile.mkdtemp(prefix="mdh2urdf-sdf-")) / "resolve"
    built = run(compiler, "-std=c++17", SOURCE, "-o", program, *flags)
    assert built.returncode == 0, built.stderr[-2000:]
    return program


def libsdformat_model(text: str, folder: Path) -> dict:
    """What `oracles.sdf_model` says, by libsdformat."""
    path = folder / "model.sdf"
    path.write_text(text, encoding="utf-8")
    done = run(sdf_resolver(), path)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    model: dict = {"links": {}, "frames": {}, "joints": [], "masses": {}, "limits": {}}
    for line in done.stdout.splitlines():
        kind, name, *rest = line.split()
        if kind == "link":
            model["masses"][name] = float(rest[0])
            model["links"][name] = _pose(rest[1:])
        elif kind == "frame":
            model["frames"][name] = (rest[0], _pose(rest[1:]))
        else:
            number, parent, child, x, y, z, lower, upper, *pose = rest
            model["limits"][name] = (float(lower), float(upper))
            model["joints"].append(
                {
                    "name": name,
                    "type": SDF_TYPES[int(number)],
                    "parent": parent,
                    "child": child,
                    "axis": [float(x), float(y), float(z)],
                    "pose": _pose(pose),
                }
            )
    return model


def _pose(numbers: list[str]) -> np.ndarray:
    """A pose of point and quaternion w, x, y, z."""
    *point, w, x, y, z = (float(number) for number in numbers)
    pose = np.eye(4)
    pose[:3, 3] = point
    vector, skew = np.array([x, y, z]), np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    pose[:3, :3] = (w * w - vector @ vector) * np.eye(3) + 2 * np.outer(vector, vector) + 2 * w * skew
    return pose
