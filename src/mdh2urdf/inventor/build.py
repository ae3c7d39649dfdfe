"""The robot from its tree: link frames, joint origins, mass data, shapes, user frames, the base."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from mdh2urdf.inventor.bodies import Notes, check_occurrence, check_twins, counts, mass_of, without_drawn
from mdh2urdf.inventor.dump import Occurrence
from mdh2urdf.inventor.graph import ASSEMBLY, Graph, head, mount
from mdh2urdf.inventor.inertia import MassData, combined, faults
from mdh2urdf.inventor.part_shapes import shapes
from mdh2urdf.inventor.plan import JointPlan, Step, strength
from mdh2urdf.inventor.poses import Array, as_array, as_transform, compose, inverse, settled, settled_axis, vector
from mdh2urdf.inventor.settings import LinkSettings, Settings
from mdh2urdf.inventor.shapes import Meshes
from mdh2urdf.inventor.tree import Tree
from mdh2urdf.robot import Dynamics, Inertia, Joint, Limits, Link, Mimic, Robot, Shape
from mdh2urdf.se3 import IDENTITY, Transform, rotation_x

FRAME = "user coordinate system"
"""Kind of a frame that is left out."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Names:
    """URDF names by CAD name."""

    links: Mapping[str, str]
    joints: Mapping[str, str]
    frames: Mapping[str, str]


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Placed:
    """Where an occurrence is in the robot: its link and its pose in the link's frame."""

    link: str
    link_from_part: Array


@dataclass(kw_only=True, slots=True)
class Built:
    """The robot with what the report and the replay need to know."""

    graph: Graph
    robot: Robot
    placed: dict[int, Placed]
    link_of: dict[int, str]
    head_from_link: dict[int, Array]
    masses: dict[str, MassData] = field(default_factory=dict)


@dataclass(kw_only=True, slots=True)
class Builder:
    """Everything that the links and joints are made from.

    ``moved`` are link frames that are wanted elsewhere, by link name, in the frame that the link has without.
    """

    tree: Tree
    plans: list[JointPlan]
    settings: Settings
    names: Names
    mimics: Mapping[str, Mimic]
    meshes: Meshes | None
    keep_fixed: bool
    base_link: bool
    up: str | None
    name: str
    moved: Mapping[str, Array] = field(default_factory=dict)
    head_from_link: dict[int, Array] = field(default_factory=dict)
    links: list[Link] = field(default_factory=list)
    joints: list[Joint] = field(default_factory=list)
    placed: dict[int, Placed] = field(default_factory=dict)
    masses: dict[str, MassData] = field(default_factory=dict)
    own_masses: list[tuple[Occurrence, MassData]] = field(default_factory=list)

    @property
    def graph(self) -> Graph:
        """The graph of the tree."""
        return self.tree.graph

    def link_name(self, part: int) -> str:
        """URDF name of a link by its head."""
        return self.names.links["" if part == ASSEMBLY else self.graph.name(part)]


def build(builder: Builder) -> Built:
    """The robot."""
    graph = builder.graph
    members: dict[int, list[int]] = {link: [] for link in builder.tree.links}
    for occurrence in graph.dump.occurrences:
        top = head(graph, occurrence.index)
        if top in members and (occurrence.index in graph.link or occurrence.index == top):
            members[top].append(occurrence.index)
    base = _base_from_root(builder)
    builder.head_from_link[graph.root] = np.eye(4) if builder.base_link else as_array(base.inverse())
    for plan in builder.plans:
        frame = _link_frame(graph, plan)
        moved = builder.moved.get(builder.link_name(plan.edge.child))
        builder.head_from_link[plan.edge.child] = frame if moved is None else settled(frame @ moved)
    for link in builder.tree.links:
        _add_link(builder, link, members[link])
    for plan in builder.plans:
        _add_joint(builder, plan)
    _add_frames(builder)
    _add_base(builder, base)
    for sentence in check_twins(builder.own_masses):
        graph.note("hidden-bodies", sentence)
    robot = Robot(name=builder.name, links=tuple(builder.links), joints=tuple(builder.joints))
    return Built(
        graph=graph,
        robot=robot,
        placed=builder.placed,
        link_of={link: builder.link_name(link) for link in builder.tree.links},
        head_from_link=builder.head_from_link,
        masses=builder.masses,
    )


def _link_frame(graph: Graph, plan: JointPlan) -> Array:
    """``T_head_link``: on a turning axis at the point nearest to the part's origin, else the part's own frame."""
    step = plan.steps[-1]
    if step.screw.kind != "turn":
        return np.eye(4)
    parent_from_head = step.screw.parent_from_child @ inverse(mount(graph, plan.edge.child_part))
    origin = parent_from_head[:3, 3]
    nearest = step.screw.point + step.screw.axis * float(step.screw.axis @ (origin - step.screw.point))
    return settled(compose(np.eye(3), parent_from_head[:3, :3].T @ (nearest - origin)))


def _add_link(builder: Builder, link: int, members: list[int]) -> None:
    name = builder.link_name(link)
    link_from_head = inverse(builder.head_from_link[link])
    if link == head(builder.graph, ASSEMBLY):
        builder.placed[ASSEMBLY] = Placed(link=name, link_from_part=link_from_head @ mount(builder.graph, ASSEMBLY))
    kept = [part for part in members if not (builder.keep_fixed and part != link)]
    builder.links.append(_link(builder, name, kept, link, link_from_head))
    for part in members:
        if part not in kept:
            _add_kept(builder, part, name, link_from_head)


def _add_kept(builder: Builder, part: int, parent: str, link_from_head: Array) -> None:
    """A loose part as a link of its own on a fixed joint."""
    cad = builder.graph.name(part)
    name = builder.names.links[cad]
    builder.links.append(_link(builder, name, [part], part, np.eye(4)))
    origin = as_transform(link_from_head @ mount(builder.graph, part))
    builder.joints.append(
        Joint(name=builder.names.joints[f"{cad} (fixed)"], type="fixed", parent=parent, child=name, origin=origin)
    )


def _link(builder: Builder, name: str, members: list[int], top: int, link_from_head: Array) -> Link:
    graph = builder.graph
    visuals: list[Shape] = []
    collisions: list[Shape] = []
    bodies: list[MassData] = []
    for part in members:
        occurrence = graph.dump.occurrences[part]
        link_from_part = link_from_head @ (np.eye(4) if part == top else mount(graph, part))
        builder.placed[part] = Placed(link=name, link_from_part=link_from_part)
        settings = builder.settings.link(occurrence.name)
        if builder.meshes is not None:
            seen, solid = shapes(
                builder.meshes, occurrence, settings, builder.names.links[occurrence.name], link_from_part
            )
            visuals += seen
            collisions += solid
        data = _mass(builder, occurrence, settings, member=part != top)
        if data is not None:
            bodies.append(data.moved(link_from_part))
    whole = combined(bodies)
    cad = "" if top == ASSEMBLY else graph.name(top)
    whole = _overridden(builder, cad, whole, link_from_head)
    if whole is not None:
        builder.masses[name] = whole
    return Link(
        name=name,
        inertial=None if whole is None else whole.inertial(),
        visuals=tuple(visuals),
        collisions=tuple(collisions),
    )


def _mass(builder: Builder, occurrence: Occurrence, settings: LinkSettings, *, member: bool) -> MassData | None:
    """Mass data of an occurrence; overrides of a loose part, which heads no link, are in it."""
    graph = builder.graph
    note = Notes(graph.dump.file, occurrence, graph.findings)
    if not counts(occurrence):
        if occurrence.bodies:
            why = "is not visible" if not occurrence.visible else f"is {occurrence.bom} in the BOM"
            note("not-counted", f"{why}: its mass is left out")
        return None
    mesh = builder.meshes.of(occurrence) if builder.meshes is not None else None
    if builder.meshes is not None and builder.meshes.is_drawn(occurrence, settings):
        # The mesh holds the drawn bodies too, so that it cannot be compared with the others.
        occurrence, mesh = without_drawn(occurrence), None
    data = mass_of(occurrence, mesh, settings, note)
    if builder.meshes is not None:
        check_occurrence(occurrence, data, mesh, note)
        if data is not None:
            builder.own_masses.append((occurrence, data))
    return _given(data, settings) if member else data


def _overridden(builder: Builder, cad: str, whole: MassData | None, link_from_head: Array) -> MassData | None:
    """A link's mass data with the settings of its head, which hold for the whole link."""
    if not cad:
        return whole
    settings = builder.settings.link(cad)
    if settings.mass is None and settings.center_of_mass is None and settings.inertia is None:
        return whole
    in_part = None if whole is None else whole.moved(inverse(link_from_head))
    given = _given(in_part, settings)
    if given is None:
        builder.graph.note("mass", f"{cad}: mass, center_of_mass and inertia are needed where the bodies give none")
        return None
    moved = given.moved(link_from_head)
    for fault in faults(moved.inertia):
        builder.graph.note("inertia", f"{cad}: with the settings {fault}")
    return moved


def _given(data: MassData | None, settings: LinkSettings) -> MassData | None:
    """Mass data with mass, centre and tensor of the settings, in the part's axes."""
    if data is None:
        if settings.mass is None or settings.center_of_mass is None or settings.inertia is None:
            return None
        data = MassData(mass=settings.mass, center=np.zeros(3), inertia=np.zeros((3, 3)))
    if settings.mass is not None:
        data = data.scaled(settings.mass / data.mass)
    center = data.center if settings.center_of_mass is None else np.array(settings.center_of_mass)
    inertia = data.inertia if settings.inertia is None else _tensor(settings.inertia)
    return MassData(mass=data.mass, center=center, inertia=inertia)


def _tensor(inertia: Inertia) -> Array:
    return np.array(
        (
            (inertia.ixx, inertia.ixy, inertia.ixz),
            (inertia.ixy, inertia.iyy, inertia.iyz),
            (inertia.ixz, inertia.iyz, inertia.izz),
        )
    )


def _add_joint(builder: Builder, plan: JointPlan) -> None:
    """The URDF joints of one plan, with massless links between the pieces of a split one."""
    graph = builder.graph
    edge = plan.edge
    parent = builder.link_name(edge.parent)
    before = inverse(mount(graph, edge.parent_part)) @ builder.head_from_link[edge.parent]
    for i, step in enumerate(plan.steps):
        last = i == len(plan.steps) - 1
        if last:
            to_head = step.screw.parent_from_child @ inverse(mount(graph, edge.child_part))
            frame = to_head @ builder.head_from_link[edge.child]
            child = builder.link_name(edge.child)
        else:
            frame = compose(np.eye(3), step.screw.point)
            child = builder.names.links[f"{plan.name}{step.suffix} (massless)"]
            builder.links.append(Link(name=child))
        builder.joints.append(_joint(builder, plan, step, parent, child, settled(inverse(before) @ frame), frame))
        parent, before = child, frame


def _joint(
    builder: Builder, plan: JointPlan, step: Step, parent: str, child: str, origin: Array, frame: Array
) -> Joint:
    name = builder.names.joints[plan.name + step.suffix]
    mimic = builder.mimics.get(plan.name) if len(plan.steps) == 1 else None
    if step.type == "fixed":
        return Joint(name=name, type="fixed", parent=parent, child=child, origin=as_transform(origin))
    effort, velocity = strength(plan, step, builder.settings.joint_defaults)
    dynamics = Dynamics(damping=plan.settings.damping, friction=plan.settings.friction)
    limits = Limits(lower=step.lower, upper=step.upper, effort=effort, velocity=velocity)
    return Joint(
        name=name,
        type=step.type,
        parent=parent,
        child=child,
        origin=as_transform(origin),
        axis=vector(settled_axis(frame[:3, :3].T @ step.screw.axis).tolist()),
        limits=None if limits == Limits() else limits,
        dynamics=None if dynamics == Dynamics() else dynamics,
        mimic=mimic,
    )


def _add_frames(builder: Builder) -> None:
    """User coordinate systems as massless links on fixed joints."""
    graph = builder.graph
    for frame in graph.dump.frames:
        if frame.name not in builder.names.frames:
            graph.leave_out(FRAME, frame.name, "ignored by the settings")
            continue
        if frame.occurrence is None:
            top, head_from_frame = head(graph, ASSEMBLY), mount(graph, ASSEMBLY) @ frame.pose
        else:
            top, head_from_frame = head(graph, frame.occurrence), mount(graph, frame.occurrence) @ frame.pose
        if top not in builder.head_from_link:
            graph.note("frame", f"the user coordinate system {frame.name} is left out with its occurrence")
            graph.leave_out(FRAME, frame.name, f"its occurrence {graph.name(top)} takes no part")
            continue
        origin = settled(inverse(builder.head_from_link[top]) @ head_from_frame)
        name = builder.names.frames[frame.name]
        builder.links.append(Link(name=name))
        builder.joints.append(
            Joint(
                name=builder.names.joints[f"{frame.name} (frame)"],
                type="fixed",
                parent=builder.link_name(top),
                child=name,
                origin=as_transform(origin),
            )
        )


def _base_from_root(builder: Builder) -> Transform:
    """Pose of the root part in the base frame: the settings' base frame, or turned so that y is up."""
    if builder.settings.base_frame is not None:
        return builder.settings.base_frame.inverse()
    if builder.up == "y":
        standing = Transform(rotation_x(np.pi / 2.0)) @ as_transform(builder.graph.pose(builder.graph.root))
        return Transform(as_transform(settled(as_array(standing))).rotation)
    return IDENTITY


def _add_base(builder: Builder, origin: Transform) -> None:
    """A massless base above the root: where it has mass (KDL ignores a root's), or is turned or moved."""
    graph = builder.graph
    root = builder.link_name(graph.root)
    heavy = root in builder.masses
    if not builder.base_link and heavy and builder.meshes is not None:
        graph.note("root-inertia", f"the root {root} has mass, which KDL ignores; --no-base-link asked for it")
    if builder.base_link and (heavy or origin != IDENTITY):
        name, joint = builder.names.links[" base"], builder.names.joints[" base"]
        builder.links.insert(0, Link(name=name))
        builder.joints.insert(0, Joint(name=joint, type="fixed", parent=name, child=root, origin=origin))
