"""SDF text as a robot tree: one model, poses resolved through its frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from mdh2urdf.errors import Finding
from mdh2urdf.loop import Loop
from mdh2urdf.names import unused
from mdh2urdf.robot import MOVING, Joint, Link, Robot, tree_problems
from mdh2urdf.sdf.joints import SdfJoint, read_joint
from mdh2urdf.sdf.links import read_link
from mdh2urdf.sdf.poses import MODEL, Frames
from mdh2urdf.se3 import IDENTITY, Transform, angle_between_rotations, norm
from mdh2urdf.urdf.xml import Notes, Part, parse_root

WORLD = "world"

SAME_FRAME = 1e-12
"""m and rad: a joint whose frame is its child's, but for the rounding of composed poses."""

_READ = ("link", "joint", "frame", "include", "model")
_SKIPPED = ("allow_auto_disable", "enable_wind", "gripper", "plugin", "pose", "self_collide", "static")
_AROUND = ("light", "physics", "plugin", "gravity", "scene", "gui", "atmosphere", "magnetic_field", "wind", "audio")


def read_sdf(text: str, *, file: str = "") -> tuple[Robot, list[Finding]]:
    """The robot of an SDF text with one model, and what was noticed while reading it.

    Frames become bare links. A joint whose child has a parent already closes a loop. A link without a joint
    floats on the first one. The link ``world`` is there only if a joint names it.

    Raises
    ------
    Mdh2UrdfError
        With all problems of the text, each with its line.
    """
    notes = Notes(file)
    root = parse_root(text, file, "sdf", notes)
    models = list(_models(root))
    if len(models) != 1:
        root.problem(f"holds {len(models)} models; wanted is one")
        notes.raise_problems()
    model = models[0]
    reader = _Reader(notes)
    for part in model.parts((*_READ, *_SKIPPED)):
        reader.take(part)
    robot = reader.robot(model)
    return robot, notes.findings()


def _models(root: Part) -> Iterator[Part]:
    """The models of a file, in its worlds too."""
    for part in root.parts(("model", "world", *_AROUND)):
        if part.tag == "model":
            yield part
        elif part.tag == "world":
            for inner in part.parts(("model", "include", *_AROUND)):
                if inner.tag == "include":
                    _refuse(inner)
                elif inner.tag == "model":
                    yield inner


def _refuse(part: Part) -> None:
    part.problem(f"<{part.tag}> inside a model or world is not read; write it out as one model (gz sdf -p)")


@dataclass(slots=True)
class _Reader:
    """The model on its way."""

    notes: Notes
    frames: Frames = field(init=False)
    links: dict[str, Link] = field(default_factory=dict)
    joints: list[SdfJoint] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.frames = Frames(self.notes)

    def take(self, part: Part) -> None:
        """One element of the model."""
        if part.tag in ("include", "model"):
            _refuse(part)
        elif part.tag == "link":
            link = read_link(part)
            if link is not None and self.frames.add(part, link.name, MODEL):
                self.links[link.name] = link
        elif part.tag == "joint":
            joint = read_joint(part)
            if joint is not None and self.frames.add(part, joint.name, joint.child):
                self.joints.append(joint)
        elif part.tag == "frame":
            name = part.name("name")
            attached = part.get("attached_to") or MODEL
            if name is not None and self.frames.add(part, name, attached):
                self.names[name] = attached

    def robot(self, model: Part) -> Robot:
        """The tree, raised problems and all."""
        name = model.name("name") or ""
        poses = self.frames.resolved()
        carried = self._carriers(model)
        for joint in self.joints:
            for role, end in (("parent", joint.parent), ("child", joint.child)):
                if end not in carried and end != WORLD:
                    joint.part.problem(f"{role} {end!r} is no link or frame of the model")
        self.notes.raise_problems()
        links, joints, loops = self._tree(poses, carried)
        for message, _ in tree_problems(links, joints):
            model.problem(message)
        self.notes.raise_problems()
        robot = Robot(name=name, links=links, joints=joints)
        return replace(robot, loops=tuple(_closed(robot, loop) for loop in loops))

    def _carriers(self, model: Part) -> dict[str, str]:
        """For every link and frame the link that it moves with; a frame of the model moves with the first link."""
        first = model.get("canonical_link") or next(iter(self.links), "")
        if first not in self.links:
            model.problem("the model has no link" if not self.links else f"there is no link {first!r}")
        of_joint = {joint.name: joint.child for joint in self.joints}
        carried = {name: name for name in self.links}
        for frame in self.names:
            end, seen = frame, set[str]()
            while end in self.names and end not in seen:
                seen.add(end)
                end = self.names[end]
            end = of_joint.get(end, end)
            end = first if end == MODEL else end
            if end in self.links:
                carried[frame] = end
            else:
                model.problem(f"frame {frame!r} is attached to {self.names[frame]!r}, which leads to no link")
        return carried

    def _tree(
        self, poses: dict[str, Transform], carried: dict[str, str]
    ) -> tuple[tuple[Link, ...], tuple[Joint, ...], list[Loop]]:
        """Links, joints and loops; poses are of links, joints and frames in the model."""
        links = dict(self.links)
        if any(joint.parent == WORLD for joint in self.joints):
            links = {WORLD: Link(name=WORLD), **links}
        poses[WORLD] = IDENTITY
        joints: list[Joint] = []
        loops: list[Loop] = []
        held: set[str] = set()
        used = set(self.frames.names)
        for read in self.joints:
            parent, child = (carried.get(end, end) for end in (read.parent, read.child))
            in_parent, in_child = (poses[end].inverse() @ poses[read.name] for end in (parent, child))
            if child in held:
                loops.append(read.loop(parent, child, in_parent, in_child))
                continue
            held.add(child)
            joints += _in_child(read, parent, child, in_parent, in_child, links, used)
        roots = [name for name in links if name not in held and (name in self.links or name == WORLD)]
        # What stands alone can go anywhere: SDF has no joint for it.
        joints += [
            Joint(
                name=_free(f"{name}_joint", used),
                type="floating",
                parent=roots[0],
                child=name,
                origin=poses[roots[0]].inverse() @ poses[name],
            )
            for name in roots[1:]
        ]
        base = next((f for f in self.names if poses[f] == IDENTITY and carried[f] == roots[0]), None) if roots else None
        for frame in self.names:
            # A frame of the root link at the model's origin is the base that the writer had there: it stays the root.
            parent, child = (frame, carried[frame]) if frame == base else (carried[frame], frame)
            links[frame] = Link(name=frame)
            name = _free(f"{child}_joint", used)
            origin = poses[parent].inverse() @ poses[child]
            joints.append(Joint(name=name, type="fixed", parent=parent, child=child, origin=origin))
        return tuple(links.values()), tuple(joints), loops


def _in_child(
    read: SdfJoint,
    parent: str,
    child: str,
    in_parent: Transform,
    in_child: Transform,
    links: dict[str, Link],
    used: set[str],
) -> list[Joint]:
    """The joint; with a bare link behind it where its frame is not the child's."""
    angle = angle_between_rotations(in_child.rotation, IDENTITY.rotation)
    if read.type == "fixed":
        return [read.joint(parent, child, in_parent @ in_child.inverse())]
    if norm(in_child.translation) <= SAME_FRAME and angle <= SAME_FRAME:
        return [read.joint(parent, child, in_parent)]
    between = _free(f"{child}_{read.name}", used)
    links[between] = Link(name=between)
    name = _free(f"{between}_joint", used)
    fixed = Joint(name=name, type="fixed", parent=between, child=child, origin=in_child.inverse())
    return [read.joint(parent, between, in_parent), fixed]


def _free(name: str, used: set[str]) -> str:
    """The name, with ``_`` behind it as often as it is used already; then it is used."""
    name = unused(name, used)
    used.add(name)
    return name


def _closed(robot: Robot, loop: Loop) -> Loop:
    """The loop with its closed pose, which in SDF is the zero of every joint around it."""
    above = [robot.chain(robot.root, link) for link in (loop.link_a, loop.link_b)]
    around = [joint for joint in (*above[0], *above[1]) if not (joint in above[0] and joint in above[1])]
    return replace(loop, closed={joint.name: 0.0 for joint in around if joint.type in MOVING})
