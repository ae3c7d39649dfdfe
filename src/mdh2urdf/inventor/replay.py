"""The written URDF driven to every pose that was measured in the CAD, and what does not agree.

The text is read back by the URDF reader; only names, the dump's values and the place of parts without
a visual come from the conversion. So a mirrored limit, a turned axis, a frame off its axis or a wrong
unit in the text shows up as a difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from mdh2urdf.inventor.build import Placed
from mdh2urdf.inventor.dump import Dump, Probe
from mdh2urdf.inventor.graph import ASSEMBLY
from mdh2urdf.inventor.motion import angle_about
from mdh2urdf.inventor.plan import JointPlan, Step
from mdh2urdf.inventor.poses import Array, as_array, difference, inverse
from mdh2urdf.robot import MOVING, Joint, Mesh, Robot, Shape

LIMIT_TOLERANCE = 1e-12
"""rad and m: limits are copied, not computed."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Drive:
    """A URDF joint by the CAD joint that it follows; of a split joint, by one of the CAD's two values."""

    plan: JointPlan
    step: Step
    urdf: str

    @property
    def probed(self) -> bool:
        """Whether the values in samples and ``verify`` are this one's."""
        return len(self.plan.steps) == 1 or self.step.quantity == self.plan.edge.joint.quantity

    @property
    def at_export(self) -> float:
        """URDF value in the pose at export, which is 0 where the CAD told none."""
        cad = self.plan.edge.joint.coordinate(self.step.quantity).value
        return 0.0 if cad is None else self.value(cad)

    def value(self, cad: float) -> float:
        """URDF value of a CAD value."""
        return self.plan.urdf_value(cad) if self.probed else cad


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Situation:
    """Measured poses and the joint values that made them.

    Parameters
    ----------
    name : str
        Path in the dump.
    poses : Array
        Shape (n, 4, 4), NaN where not measured.
    values : dict
        CAD values by joint name; joints that are not named stand as at export.
    reference : int
        Part against which the others are compared.
    parts : sequence of int or None
        Parts that are compared; all of them if None.
    free : frozenset of str
        Joints whose value is not known: they are measured in the poses.
    """

    name: str
    poses: Array
    values: Mapping[str, float]
    reference: int
    parts: Sequence[int] | None = None
    free: frozenset[str] = frozenset()


@dataclass(kw_only=True, slots=True)
class Certificate:
    """What the replay found: how much was compared, the largest errors and where, and faults of other kinds."""

    tolerance: float
    poses: int = 0
    parts: int = 0
    position: float = 0.0
    position_at: str = ""
    angle: float = 0.0
    angle_at: str = ""
    faults: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Whether something was compared, and everything agrees within the tolerance."""
        return self.poses > 0 and not self.faults and self.position <= self.tolerance and self.angle <= self.tolerance


def replay(
    robot: Robot,
    dump: Dump,
    drives: list[Drive],
    placed: Mapping[int, Placed],
    visual_names: Mapping[int, str],
    *,
    root: int,
    loop_joints: frozenset[str],
    scales: Mapping[int, float],
    tolerance: float,
) -> Certificate:
    """Compare a robot that was read back from its text with the dump.

    Parameters
    ----------
    robot : Robot
    dump : Dump
    drives : list of Drive
        Moving joints that follow a CAD value.
    placed : mapping
        Link of every part, and its place where the link has no visual of it.
    visual_names : mapping
        Name of the visual of every part.
    root : int
        The part that stands still.
    loop_joints : frozenset of str
        CAD names of joints in loops: with all loops closed they move together.
    scales : mapping
        m in a unit of the mesh, by part.
    tolerance : float
        m and rad.
    """
    certificate = Certificate(tolerance=tolerance)
    certificate.faults += _limit_faults(robot, drives)
    where, faults = _places(robot, placed, visual_names, scales)
    certificate.faults += faults
    compared: set[int] = set()
    for situation in _situations(dump, drives, placed, root, loop_joints):
        _compare(robot, situation, drives, dump, where, certificate, compared)
    certificate.parts = len(compared)
    return certificate


def _limit_faults(robot: Robot, drives: list[Drive]) -> list[str]:
    """Limits of the text that are not those of the dump or the settings."""
    joints = {joint.name: joint for joint in robot.joints}
    faults = []
    for drive in drives:
        joint = joints.get(drive.urdf)
        if joint is None:
            faults.append(f"joint {drive.urdf} is missing")
            continue
        step = drive.step
        limits = (None, None) if joint.limits is None else (joint.limits.lower, joint.limits.upper)
        for name, found, wanted in zip(("lower", "upper"), limits, (step.lower, step.upper), strict=True):
            if joint.type != "continuous" and wanted is not None and not _equal(found, wanted):
                faults.append(f"joint {drive.urdf}: its {name} limit is {found}, in the CAD it is {wanted}")
        if joint.type == "continuous" and step.type != "continuous":
            faults.append(f"joint {drive.urdf} is continuous, but the CAD limits it")
    return faults


def _equal(found: float | None, wanted: float) -> bool:
    return found is not None and abs(found - wanted) <= LIMIT_TOLERANCE


def _places(
    robot: Robot, placed: Mapping[int, Placed], visual_names: Mapping[int, str], scales: Mapping[int, float]
) -> tuple[dict[int, tuple[str, Array]], list[str]]:
    """Link and pose in it of every part: its visual's where the text has one."""
    links = {link.name: link for link in robot.links}
    where: dict[int, tuple[str, Array]] = {}
    faults = []
    for part, place in placed.items():
        if place.link not in links:
            faults.append(f"link {place.link} is missing")
            continue
        shape = next((shape for shape in links[place.link].visuals if shape.name == visual_names.get(part)), None)
        where[part] = (place.link, place.link_from_part if shape is None else as_array(shape.origin))
        if part in scales and (shape is None or not _scaled(shape, scales[part])):
            faults.append(f"link {place.link}: the mesh of {visual_names[part]} is missing or has another scale")
    return where, faults


def _scaled(shape: Shape, scale: float) -> bool:
    return isinstance(shape.geometry, Mesh) and all(abs(value / scale - 1.0) < 1e-9 for value in shape.geometry.scale)


def _situations(
    dump: Dump, drives: list[Drive], placed: Mapping[int, Placed], root: int, loop_joints: frozenset[str]
) -> Iterator[Situation]:
    """Everything that was measured: the export, every sample, every verify pose."""
    start = np.array([occurrence.pose for occurrence in dump.occurrences])
    yield Situation(name="the pose at export", poses=start, values={}, reference=root)
    driven = {drive.plan.name: drive for drive in drives if drive.probed}
    for joint in dump.joints:
        drive = driven.get(joint.name)
        free = loop_joints - {joint.name}
        for name, probe in (("probe", joint.probe), ("coupled_probe", joint.coupled_probe)):
            if drive is None or probe is None or not probe.moved or probe.quantity != drive.step.quantity:
                continue
            place = f"joints[{joint.index}].{name}"
            alone = probe.others_suppressed and name == "probe"
            for i in range(len(probe.values)):
                yield _sample(place, probe, i, drive, placed, root, free, alone=alone)
    for i, verification in enumerate(dump.verify):
        values = {name: value / _per_unit(driven, name) for name, value in verification.values.items()}
        free = loop_joints - set(values)
        yield Situation(name=f"verify[{i}]", poses=verification.poses, values=values, reference=root, free=free)


def _per_unit(driven: Mapping[str, Drive], name: str) -> float:
    """Database units of a joint's value in one of SI: 100 cm in 1 m."""
    return 100.0 if name in driven and driven[name].step.quantity == "linear" else 1.0


def _sample(
    place: str,
    probe: Probe,
    i: int,
    drive: Drive,
    placed: Mapping[int, Placed],
    root: int,
    free: frozenset[str],
    *,
    alone: bool,
) -> Situation:
    """A sample of a probe. With the other joints suppressed only the two links of the joint are where they belong."""
    edge = drive.plan.edge
    parts = None
    if alone:
        links = {placed[part].link for part in (edge.parent_part, edge.child_part)}
        parts = [part for part, at in placed.items() if at.link in links]
    return Situation(
        name=f"{place}.samples[{i}]",
        poses=probe.poses[i],
        values={drive.plan.name: float(probe.values[i])},
        reference=edge.parent_part if alone else root,
        parts=parts,
        free=free,
    )


def _compare(
    robot: Robot,
    situation: Situation,
    drives: list[Drive],
    dump: Dump,
    where: Mapping[int, tuple[str, Array]],
    certificate: Certificate,
    compared: set[int],
) -> None:
    values = _values(robot, situation, drives, where)
    links = {name: as_array(pose) for name, pose in robot.link_poses(values).items()}
    known = ~np.isnan(situation.poses[:, 0, 0])
    wanted = where if situation.parts is None else [part for part in situation.parts if part in where]
    parts = [part for part in wanted if part != ASSEMBLY and known[part]]
    measured = _pose(situation.poses, situation.reference)
    if not parts or measured is None:
        return
    link, place = where[situation.reference]
    stack = np.array([links[where[part][0]] for part in parts]) @ np.array([where[part][1] for part in parts])
    position, angle = difference(inverse(links[link] @ place) @ stack, inverse(measured) @ situation.poses[parts])
    certificate.poses += 1
    compared.update(parts)
    worst, turned = int(np.argmax(position)), int(np.argmax(angle))
    names = dump.occurrences
    if float(position[worst]) > certificate.position or not certificate.position_at:
        certificate.position = float(position[worst])
        certificate.position_at = f"{names[parts[worst]].name} in {situation.name}"
    if float(angle[turned]) > certificate.angle or not certificate.angle_at:
        certificate.angle = float(angle[turned])
        certificate.angle_at = f"{names[parts[turned]].name} in {situation.name}"


def _pose(poses: Array, part: int) -> Array | None:
    """Measured pose of a part, None where it was not measured; the assembly stands still."""
    if part == ASSEMBLY:
        return np.eye(4)
    return None if np.isnan(poses[part, 0, 0]) else np.asarray(poses[part])


def _values(
    robot: Robot, situation: Situation, drives: list[Drive], where: Mapping[int, tuple[str, Array]]
) -> dict[str, float]:
    """URDF values of a situation: given, as at export, or (in loops, without mimic) measured.

    A joint that follows another cannot be set: its leader gets the value that brings it there.
    """
    joints = {joint.name: joint for joint in robot.joints}
    values: dict[str, float] = {}
    leaders: dict[str, float] = {}
    for drive in drives:
        joint = joints.get(drive.urdf)
        if joint is None or joint.type not in MOVING:
            continue
        plan, value = drive.plan, drive.at_export
        given = situation.values.get(plan.name) if drive.probed else None
        if given is not None:
            value = drive.value(given)
            if joint.mimic is not None and joint.mimic.multiplier != 0.0:
                leaders[joint.mimic.joint] = (value - joint.mimic.offset) / joint.mimic.multiplier
        elif plan.name in situation.free and joint.mimic is None and len(plan.steps) == 1:
            found = _measured(joint, plan, situation.poses, where)
            value = value if found is None else found
        values[drive.urdf] = value
    given_names = {drive.urdf for drive in drives if drive.probed and drive.plan.name in situation.values}
    return values | {name: value for name, value in leaders.items() if name not in given_names}


def _measured(joint: Joint, plan: JointPlan, poses: Array, where: Mapping[int, tuple[str, Array]]) -> float | None:
    """Value of a joint of the text that brings its two parts nearest to where they were measured."""
    ends = []
    for part in (plan.edge.parent_part, plan.edge.child_part):
        pose = _pose(poses, part)
        if pose is None or part not in where:
            return None
        ends.append(pose @ inverse(where[part][1]))
    moved = inverse(as_array(joint.origin)) @ inverse(ends[0]) @ ends[1]
    axis = np.array(joint.axis)
    if joint.type == "prismatic":
        return float(axis @ moved[:3, 3])
    return angle_about(axis, moved[:3, :3])
