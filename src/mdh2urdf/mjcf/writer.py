"""Robot trees as MJCF, MuJoCo's own format. What becomes what is told in docs/formats.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lxml import etree

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.home import home_values
from mdh2urdf.mesh_names import MeshName
from mdh2urdf.mjcf.bodies import (
    SMALLEST_MOMENT,
    Piece,
    inertial_element,
    is_impossible,
    joint_pieces,
    moments,
    pose_attributes,
)
from mdh2urdf.mjcf.equality import equality_elements, loop_sites
from mdh2urdf.mjcf.geoms import Assets
from mdh2urdf.names import first_names
from mdh2urdf.rigid import children_of, has_mass, is_bare, leaf_frames, rigid_heads
from mdh2urdf.robot import MOVING, Inertial, Joint, Link, Robot
from mdh2urdf.se3 import IDENTITY, Transform, quaternion_from_rotation
from mdh2urdf.text import comment, numbers
from mdh2urdf.urdf.writer import document
from mdh2urdf.written import left_out, refuse_names

WORLD = "world"
"""MuJoCo's name of its own fixed body."""


MOST_DEPTH = 240
"""Links: readers of XML refuse elements that stand deeper in one another, lxml from 256 on."""


MASS_ADVICE = "give their mass data, or convert with --placeholder-inertia"
"""What to do about bodies without mass, where a table or a description is converted."""


def write_mjcf(
    robot: Robot, *, header: Sequence[str] = (), mesh_name: MeshName = str, mass_advice: str = MASS_ADVICE
) -> tuple[str, list[Finding]]:
    """The whole text of an MJCF file, and what MJCF has no place for.

    Parameters
    ----------
    robot : Robot
    header : sequence of str
        Lines of the comment at the top.
    mesh_name : callable
        The name of a mesh file as seen from the written file.
    mass_advice : str
        What the user can do about bodies that move without mass.

    Raises
    ------
    Mdh2UrdfError
        For names that XML or MuJoCo refuse, and for what MuJoCo cannot simulate: bodies that move without mass,
        a joint that floats on another body; all at once.
    """
    writer = _Writer(robot=robot, assets=Assets(robot, mesh_name))
    problems = [*refuse_names(robot), *_problems(writer, mass_advice)]
    if problems:
        raise Mdh2UrdfError(Finding(message=message) for message in problems)
    root = etree.Element("mujoco", model=robot.name)
    # Without inertiafromgeom=false MuJoCo invents masses for links that have none.
    compiler = etree.SubElement(root, "compiler", angle="radian", inertiafromgeom="false")
    impossible = [name for name, inertial in _masses(robot) if is_impossible(inertial)]
    if impossible:
        compiler.set("balanceinertia", "true")
        message = (
            f"a moment is larger than the sum of the others: {first_names(impossible)}; "
            "no body has such a tensor, and MuJoCo is told to take the mean of the three"
        )
        writer.findings.append(Finding(rule="inertia", message=message))
    root.append(_defaults())
    world = etree.Element("worldbody")
    writer.fill(world)
    for element in (writer.assets.element(), world, _excludes(writer), *_equality(writer), _actuators(robot)):
        if len(element):
            root.append(element)
    if writer.joints:
        root.append(_home(writer))
    return document(root, header), [*writer.findings, *writer.assets.findings, *left_out(robot, "mjcf")]


@dataclass(kw_only=True, slots=True)
class _Writer:
    """The bodies on their way into the file.

    Parameters
    ----------
    joints : list
        Names of the written joints in the order of MuJoCo's qpos, with the pose of a free body.
    """

    robot: Robot
    assets: Assets
    joints: list[tuple[str, Transform | None]] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    children: dict[str, list[Joint]] = field(init=False)
    frames: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.children = children_of(self.robot)
        self.frames = leaf_frames(self.robot)

    @property
    def floats_on_world(self) -> bool:
        """Whether the root is the world itself, so that its children may float."""
        return is_bare(self.robot.link(self.robot.root))

    def folded(self, link: Link) -> Joint | None:
        """The one joint below a bare link that only stands between two joints of one body, as split joints have it.

        MuJoCo refuses a moving body without mass, but gives a body several joints.
        """
        below = self.children[link.name]
        if len(below) == 1 and is_bare(link) and below[0].type in (*MOVING, "planar"):
            return below[0]
        return None

    def body_of(self, link: str) -> str:
        """The body that a moving link's joint is in: its own, or the one that it is folded into."""
        joint = self.robot.parent_joint(link)
        while joint is not None and joint.type in (*MOVING, "planar"):
            below = self.folded(self.robot.link(link))
            if below is None:
                break
            joint, link = below, below.child
        return link

    def fill(self, world: etree._Element) -> None:
        """Write the tree, root first."""
        root = self.robot.link(self.robot.root)
        if root.name == WORLD:
            self._contents(world, root)
            return
        body = etree.SubElement(world, "body", name=root.name)
        self._contents(body, root)
        for joint in [each for each in self.children[root.name] if each.type == "floating"]:
            self._add_body(world, joint)

    def _contents(self, body: etree._Element, link: Link) -> None:
        """What stands in a body: mass, shapes, frames, bodies."""
        if link.note:
            body.append(etree.Comment(f" {comment(link.note)} "))
        if link.inertial is not None and has_mass(link) and body.tag == "body":
            body.append(inertial_element(link.inertial))
        body.extend(self.assets.geoms(link))
        body.extend(loop_sites(self.robot, link.name))
        for joint in self.children[link.name]:
            if joint.child in self.frames:
                self._add_sites(body, joint, IDENTITY)
            elif joint.type != "floating" or link.name == WORLD:
                self._add_body(body, joint)

    def _add_sites(self, body: etree._Element, joint: Joint, before: Transform) -> None:
        """A link that is only a frame, and the frames on it, as sites of the body above."""
        pose = before @ joint.origin
        site = {"name": joint.child, "class": "frame", **pose_attributes(pose)}
        etree.SubElement(body, "site", site)
        for below in self.children[joint.child]:
            self._add_sites(body, below, pose)

    def _add_body(self, above: etree._Element, joint: Joint) -> None:
        chain = [joint]
        while joint.type in (*MOVING, "planar") and (below := self.folded(self.robot.link(joint.child))) is not None:
            joint = below
            chain.append(joint)
        if len(chain) > 1:
            names = first_names(each.child for each in chain[:-1])
            message = f"no mass data: {names}; their joints are in this body, for MuJoCo moves nothing without mass"
            self.findings.append(Finding(rule="folded", path=joint.child, message=message))
        pose = IDENTITY
        for each in chain:
            pose = pose @ each.origin
        body = etree.SubElement(above, "body", {"name": joint.child, **pose_attributes(pose)})
        body.extend([etree.Comment(f" {comment(each.note)} ") for each in chain if each.note])
        if joint.type == "floating":
            etree.SubElement(body, "freejoint", name=joint.name)
            self.joints.append((joint.name, pose))
        for piece in _pieces(chain):
            body.append(piece.element())
            self.joints.append((piece.name, None))
        self._contents(body, self.robot.link(joint.child))


def _pieces(chain: Sequence[Joint]) -> list[Piece]:
    """The joints of one body, each in the body's frame."""
    pieces: list[Piece] = []
    behind = IDENTITY
    for joint in reversed(chain):
        pieces[:0] = joint_pieces(joint, behind)
        behind = joint.origin @ behind
    return pieces


def _defaults() -> etree._Element:
    default = etree.Element("default")
    visual = etree.SubElement(default, "default", {"class": "visual"})
    etree.SubElement(visual, "geom", contype="0", conaffinity="0", group="2")
    collision = etree.SubElement(default, "default", {"class": "collision"})
    etree.SubElement(collision, "geom", group="3")
    frame = etree.SubElement(default, "default", {"class": "frame"})
    etree.SubElement(frame, "site", group="4")
    return default


def _problems(writer: _Writer, mass_advice: str) -> list[str]:
    """What MuJoCo refuses in this robot, one sentence each."""
    robot = writer.robot
    problems = [
        f"link {WORLD!r} is not the root, but MuJoCo has this name for its own fixed body; use --prefix"
        for link in robot.links
        if link.name == WORLD and link.name != robot.root
    ]
    problems += [
        f"joint {joint.name!r} floats on link {joint.parent!r}, but MuJoCo lets bodies float in the world only"
        for joint in robot.joints
        if joint.type == "floating" and not (joint.parent == robot.root and writer.floats_on_world)
    ]
    heads = rigid_heads(robot)
    heavy = {heads[link.name] for link in robot.links if has_mass(link)}
    moving = [joint.child for joint in robot.joints if joint.type != "fixed"]
    light = [child for child in moving if heads[writer.body_of(child)] not in heavy]
    if light:
        problems.append(f"MuJoCo refuses bodies that move without mass: {first_names(light)}; {mass_advice}")
    tiny = [name for name, inertial in _masses(robot) if moments(inertial)[0] < SMALLEST_MOMENT]
    if tiny:
        problems.append(f"MuJoCo refuses tensors whose moments are not all above 0: {first_names(tiny)}")
    if _depth(robot) > MOST_DEPTH:
        problems.append(
            f"the tree is {_depth(robot)} links deep; MuJoCo's bodies stand in one another, at most {MOST_DEPTH}"
        )
    return problems


def _masses(robot: Robot) -> list[tuple[str, Inertial]]:
    """Mass data of the links that weigh anything, by name."""
    return [(link.name, link.inertial) for link in robot.links if link.inertial is not None and has_mass(link)]


def _depth(robot: Robot) -> int:
    """Links on the longest way down from the root."""
    depth = {robot.root: 1}
    for joint in robot.joints_from_root():
        depth[joint.child] = depth[joint.parent] + 1
    return max(depth.values())


def _excludes(writer: _Writer) -> etree._Element:
    """Pairs of bodies with collision shapes whose rigid groups are joined: they touch where the joint is."""
    robot = writer.robot
    heads = rigid_heads(robot)
    solid: dict[str, list[str]] = {}
    for link in robot.links:
        if link.collisions:
            solid.setdefault(heads[link.name], []).append(link.name)
    contact = etree.Element("contact")
    joined = [(_above(writer, joint), joint.child) for joint in robot.joints if joint.type != "fixed"]
    joined += [(loop.link_a, loop.link_b) for loop in robot.loops]
    for one, two in dict.fromkeys((heads[one], heads[two]) for one, two in joined):
        for first in solid.get(one, ()):
            for second in solid.get(two, ()):
                etree.SubElement(contact, "exclude", body1=first, body2=second)
    return contact


def _above(writer: _Writer, joint: Joint) -> str:
    """The link that a joint's body hangs on, past the bare links that are folded into the body."""
    parent = joint.parent
    carrier = writer.robot.parent_joint(parent)
    while carrier is not None and carrier.type != "fixed" and writer.folded(writer.robot.link(parent)) is not None:
        parent = carrier.parent
        carrier = writer.robot.parent_joint(parent)
    return parent


def _equality(writer: _Writer) -> list[etree._Element]:
    elements, findings = equality_elements(writer.robot)
    writer.findings += findings
    equality = etree.Element("equality")
    equality.extend(elements)
    return [equality]


def _actuators(robot: Robot) -> etree._Element:
    """A motor for every driven joint with an effort: the one actuator whose numbers the description holds."""
    passive = {name for loop in robot.loops for name in loop.passive}
    actuator = etree.Element("actuator")
    for joint in robot.joints:
        effort = joint.limits.effort if joint.limits is not None and joint.type in MOVING else None
        if effort and joint.mimic is None and joint.name not in passive:
            etree.SubElement(actuator, "motor", name=joint.name, joint=joint.name, ctrlrange=numbers((-effort, effort)))
    return actuator


def _home(writer: _Writer) -> etree._Element:
    """The keyframe ``home``."""
    start = home_values(writer.robot)
    qpos: list[float] = []
    for name, free in writer.joints:
        if free is None:
            qpos.append(start.get(name, 0.0))
        else:
            qpos += [*free.translation, *quaternion_from_rotation(free.rotation)]
    keyframe = etree.Element("keyframe")
    etree.SubElement(keyframe, "key", name="home", qpos=numbers(qpos))
    return keyframe
