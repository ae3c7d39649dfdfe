"""Robot trees as SDF 1.9, Gazebo's own format. What becomes what is told in docs/formats.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.mesh_names import MeshName
from mdh2urdf.names import first_names
from mdh2urdf.rigid import material_colours
from mdh2urdf.robot import Joint, Link, Material, Robot
from mdh2urdf.sdf.bodies import Bodies, bodies_of
from mdh2urdf.sdf.elements import axis_element, inertial_element, pose_element, shape_elements
from mdh2urdf.sdf.loops import closed_at_zero, open_at_zero
from mdh2urdf.se3 import IDENTITY
from mdh2urdf.text import comment, number
from mdh2urdf.urdf.writer import document
from mdh2urdf.urdf.xml import BLANKS
from mdh2urdf.written import left_out, refuse_names

VERSION = "1.9"

WORLD = "world"
"""The parent of joints that hold a model to the world; a root link of this name is not written."""

MODEL = "__model__"
"""SDF's name of the model's own frame, in which the root stands."""

LOOP_TYPES = ("revolute", "continuous", "prismatic", "fixed", "ball")


def write_sdf(robot: Robot, *, header: Sequence[str] = (), mesh_name: MeshName = str) -> tuple[str, list[Finding]]:
    """The whole text of an SDF file with one model, and what SDF has no place for.

    Parameters
    ----------
    robot : Robot
    header : sequence of str
        Lines of the comment at the top.
    mesh_name : callable
        The name of a mesh file in the written file.

    Raises
    ------
    Mdh2UrdfError
        For names that XML or SDF refuses, and for planar joints, which SDF lacks; all at once.
    """
    problems = [*refuse_names(robot), *_problems(robot)]
    if problems:
        raise Mdh2UrdfError(Finding(message=message) for message in problems)
    robot, findings = closed_at_zero(robot)
    root = etree.Element("sdf", version=VERSION)
    model = etree.SubElement(root, "model", name=robot.name)
    writer = _Writer(robot=robot, bodies=bodies_of(robot), mesh_name=mesh_name, findings=findings)
    writer.fill(model)
    return document(root, header), [*writer.findings, *left_out(robot, "sdf")]


def _problems(robot: Robot) -> list[str]:
    """What SDF refuses in this robot, one sentence each."""
    names = [("link", link.name) for link in robot.links] + [("joint", joint.name) for joint in robot.joints]
    problems = [
        f"{kind} name {name!r}: SDF keeps '::' and names between double underscores for itself"
        for kind, name in [("robot", robot.name), *names]
        if "::" in name or (name.startswith("__") and name.endswith("__"))
    ]
    problems += [
        f"{kind} name {name!r}: SDF has this name for what does not move; use --prefix"
        for kind, name in names
        if name == WORLD and not (kind == "link" and name == robot.root)
    ]
    problems += [
        f"{kind} name {name!r}: SDF's readers drop blanks at the ends of a name"
        for kind, name in names
        if name != name.strip(BLANKS)
    ]
    if all(link.name == WORLD for link in robot.links):
        problems.append("the robot is the link 'world' alone, and SDF has no such link; a model has one or more")
    problems += [f"joint {joint.name!r}: SDF has no planar joint" for joint in robot.joints if joint.type == "planar"]
    return problems


@dataclass(kw_only=True, slots=True)
class _Writer:
    """The model on its way into the file."""

    robot: Robot
    bodies: Bodies
    mesh_name: MeshName
    findings: list[Finding]
    materials: dict[str, Material] = field(init=False)
    names: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        self.materials = dict(material_colours(self.robot))
        self.names = _joint_names(self.robot, self.findings)

    def fill(self, model: etree._Element) -> None:
        """Write links and frames in the order of the robot, then its joints."""
        bare = []
        for link in self.robot.links:
            if link.name == WORLD:
                continue
            if link.name in self.bodies.links:
                model.append(self._link(link))
                bare += [] if link.inertial is not None else [link.name]
            else:
                model.append(self._frame(link))
        for joint in self.robot.joints:
            if self._is_written(joint):
                model.append(self._joint(joint))
        for loop in self.robot.loops:
            if loop.type not in LOOP_TYPES:
                message = f"the loop stays open: SDF has no {loop.type} joint; cut the loop at another joint"
                self.findings.append(Finding(rule="open-loop", path=loop.name, message=message))
            elif not open_at_zero(self.robot, loop):
                model.append(self._loop(loop))
        if bare:
            message = f"no mass data: {first_names(bare)}; Gazebo takes 1 kg and 1 kg m² for each"
            self.findings.append(Finding(rule="no-mass", message=message))
        for material in self.materials.values():
            if material.texture:
                message = f"material {material.name!r}: its texture is left out, SDF names textures by other rules"
                self.findings.append(Finding(rule="left-out", message=message))

    def _is_written(self, joint: Joint) -> bool:
        """Whether a joint is one in SDF: a free body has none, a frame and the body that carries it need none."""
        if joint.type == "floating":
            return False
        return joint.type != "fixed" or joint.child in self.bodies.held

    def _place(self, link: Link) -> etree._Element:
        """``<pose>`` of a link or frame: on its joint, on the link above, or at the model's origin."""
        joint = self.robot.parent_joint(link.name)
        if joint is None:
            return pose_element(IDENTITY, MODEL)
        if self._is_written(joint):
            return pose_element(IDENTITY, self.names[joint.name])
        return pose_element(joint.origin, self._frame_name(joint.parent), joint.reference_rpy)

    def _frame_name(self, link: str) -> str:
        return MODEL if link == WORLD else link

    def _frame(self, link: Link) -> etree._Element:
        element = etree.Element("frame", name=link.name, attached_to=self.bodies.carrier[link.name])
        element.append(self._place(link))
        return element

    def _link(self, link: Link) -> etree._Element:
        element = etree.Element("link", name=link.name)
        if link.note:
            element.append(etree.Comment(f" {comment(link.note)} "))
        element.append(self._place(link))
        if link.inertial is not None:
            element.append(inertial_element(link.inertial))
        for tag, shapes in (("visual", link.visuals), ("collision", link.collisions)):
            element.extend(shape_elements(tag, shapes, self.mesh_name, self.materials))
        return element

    def _joint(self, joint: Joint) -> etree._Element:
        element = etree.Element("joint", name=self.names[joint.name], type=joint.type)
        if joint.note:
            element.append(etree.Comment(f" {comment(joint.note)} "))
        if joint.mimic is not None:
            line = f"{number(joint.mimic.multiplier)} * {joint.mimic.joint} + {number(joint.mimic.offset)}"
            element.append(etree.Comment(f" {comment(f'{joint.name} = {line}')} "))
        element.append(pose_element(joint.origin, self._frame_name(joint.parent), joint.reference_rpy))
        parent = self.bodies.held.get(joint.child) or self.bodies.carrier.get(joint.parent, WORLD)
        etree.SubElement(element, "parent").text = parent
        etree.SubElement(element, "child").text = self.bodies.carrier[joint.child]
        if joint.type != "fixed":
            element.append(axis_element(joint))
        return element

    def _loop(self, loop: Loop) -> etree._Element:
        element = etree.Element("joint", name=self.names[loop.name], type=loop.type)
        element.append(etree.Comment(" closes a loop "))
        element.append(pose_element(loop.frame_b, loop.link_b))
        etree.SubElement(element, "parent").text = self.bodies.carrier.get(loop.link_a, WORLD)
        etree.SubElement(element, "child").text = self.bodies.carrier[loop.link_b]
        if loop.type not in ("fixed", "ball"):
            axis = etree.SubElement(element, "axis")
            etree.SubElement(axis, "xyz").text = " ".join(number(value) for value in loop.axis)
        return element


def _joint_names(robot: Robot, findings: list[Finding]) -> dict[str, str]:
    """Names of joints in SDF, where links and joints must not share one."""
    names: dict[str, str] = {}
    joints = [joint.name for joint in robot.joints] + [loop.name for loop in robot.loops]
    used = {link.name for link in robot.links}
    kept = {name for name in joints if name not in used}
    for name in joints:
        new = name
        while new in used or (new != name and new in kept):
            new += "_joint"
        used.add(new)
        names[name] = new
    changed = [f"{name} is {new}" for name, new in names.items() if name != new]
    if changed:
        message = f"SDF lets no joint have the name of a link: {first_names(changed)}"
        findings.append(Finding(rule="renamed", message=message))
    return names
