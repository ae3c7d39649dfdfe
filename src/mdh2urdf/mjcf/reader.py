"""MJCF text as a robot tree: bodies with hinges and slides; loops and couplings from equality constraints."""

from __future__ import annotations

from dataclasses import dataclass, field

from mdh2urdf.errors import Finding
from mdh2urdf.mjcf.attributes import Defaults, Settings, inherit, read_defaults, read_pose, read_settings
from mdh2urdf.mjcf.joints import BodyJoint, axis_of, dynamics_of, limits_of
from mdh2urdf.mjcf.loops import Site, with_equalities
from mdh2urdf.mjcf.shapes import AssetTable, is_visual, read_assets, read_geom, read_inertial
from mdh2urdf.rigid import is_bare
from mdh2urdf.robot import Inertial, Joint, Link, Robot, Shape, tree_problems
from mdh2urdf.se3 import IDENTITY, NO_ROTATION, ORIGIN, Transform, scale
from mdh2urdf.urdf.xml import Notes, Part, parse_root

WORLD = "world"

READ = frozenset({"compiler", "default", "asset", "worldbody", "equality", "actuator", "keyframe"})

SKIPPED = frozenset({"contact", "custom", "extension", "option", "sensor", "size", "statistic", "visual"})
"""Sections that say nothing about the tree."""

NOT_READ = frozenset({"include", "attach", "replicate", "composite", "flexcomp"})
"""Elements that stand for others: without them the tree is not the model's."""

_JOINTS = ("joint", "freejoint")

_SEEN_ONLY = frozenset({"camera", "light", "plugin"})


def read_mjcf(text: str, *, file: str = "") -> tuple[Robot, list[Finding]]:
    """The robot of an MJCF text, and what was noticed while reading it.

    The root is MuJoCo's world; it is left out where a single fixed body stands at its origin.

    Raises
    ------
    Mdh2UrdfError
        With all problems of the text, each with its line.
    """
    notes = Notes(file)
    root = parse_root(text, file, "mujoco", notes)
    sections: dict[str, list[Part]] = {name: [] for name in READ}
    for part in root.parts(READ | SKIPPED | NOT_READ):
        if part.tag in READ:
            sections[part.tag].append(part)
        elif part.tag in NOT_READ:
            _refuse(part)
    settings = read_settings(sections["compiler"]) if sections["compiler"] else Settings()
    defaults = read_defaults(sections["default"])
    for asset in sections["asset"]:
        for part in asset.parts(("mesh", "material", "texture", "hfield", "skin")):
            inherit(part, defaults, "main")
    reader = _Reader(notes, settings, defaults, read_assets(sections["asset"], settings))
    for part in sections["worldbody"]:
        reader.contents(part, WORLD, IDENTITY, "main")
    links, joints = reader.tree()
    for message, _ in tree_problems(links, joints):
        notes.problem(root.line, message)
    notes.raise_problems()
    robot = Robot(name=root.get("model") or "robot", links=links, joints=joints)
    robot = with_equalities(robot, sections, reader.sites, reader.references, reader.order)
    notes.raise_problems()
    return robot, notes.findings()


def _refuse(part: Part) -> None:
    part.problem(f"<{part.tag}> is not read; save the model as one file with MuJoCo (mj_saveLastXML) and read that")


@dataclass(slots=True)
class _Body:
    """A link on its way."""

    name: str
    visuals: list[Shape] = field(default_factory=list)
    collisions: list[Shape] = field(default_factory=list)
    inertial: Inertial | None = None

    def link(self) -> Link:
        return Link(
            name=self.name,
            inertial=self.inertial,
            visuals=tuple(self.visuals),
            collisions=tuple(self.collisions),
        )


@dataclass(slots=True)
class _Reader:
    """The tree on its way.

    Parameters
    ----------
    sites : dict
        Link and pose of every named site.
    references : dict
        Value of every joint in the pose of the file (``ref``), by name.
    order : list
        Names of the joints in the order of MuJoCo's qpos.
    """

    notes: Notes
    settings: Settings
    defaults: Defaults
    assets: AssetTable
    bodies: dict[str, _Body] = field(default_factory=lambda: {WORLD: _Body(WORLD)})
    joints: list[Joint] = field(default_factory=list)
    sites: dict[str, Site] = field(default_factory=dict)
    references: dict[str, float] = field(default_factory=dict)
    order: list[tuple[str, int]] = field(default_factory=list)

    def contents(self, part: Part, link: str, before: Transform, childclass: str) -> None:
        """What stands in a body or in a frame, whose pose in the body is ``before``."""
        body = self.bodies[link]
        known = {"body", "frame", "geom", "inertial", *_JOINTS, "site", *_SEEN_ONLY, *NOT_READ}
        for child in part.parts(known):
            if child.tag == "body":
                self._body(child, link, before, childclass)
            elif child.tag == "frame":
                pose = before @ read_pose(child, self.settings)
                self.contents(child, link, pose, child.get("childclass") or childclass)
            elif child.tag == "geom":
                self._geom(child, body, before, childclass)
            elif child.tag == "site":
                inherit(child, self.defaults, childclass)
                pose = before @ read_pose(child, self.settings)
                self.sites[child.get("name") or f"{link}_site{len(self.sites) + 1}"] = Site(link=link, pose=pose)
            elif child.tag == "inertial":
                body.inertial = read_inertial(child, self.settings)
            elif child.tag in NOT_READ:
                _refuse(child)

    def _geom(self, part: Part, body: _Body, before: Transform, childclass: str) -> None:
        inherit(part, self.defaults, childclass)
        shape = read_geom(part, self.settings, self.assets)
        if shape is not None:
            placed = Shape(
                geometry=shape.geometry, origin=before @ shape.origin, name=shape.name, material=shape.material
            )
            (body.visuals if is_visual(part) else body.collisions).append(placed)

    def _body(self, part: Part, parent: str, before: Transform, childclass: str) -> None:
        name = part.get("name") or f"body{len(self.bodies)}"
        part = part.called(name)
        if name in self.bodies:
            part.problem(f"body name {name!r} is used twice")
            return
        self.bodies[name] = _Body(name)
        childclass = part.get("childclass") or childclass
        pose = before @ read_pose(part, self.settings)
        self._add_joints(part, parent, name, pose, childclass)
        self.contents(part, name, IDENTITY, childclass)
        massless = self.bodies[name].inertial is None and self.bodies[name].collisions
        if massless and self.settings.masses_from_geoms:
            self.notes.unread(part.line, "mass-of-geoms", "mass that MuJoCo takes from the shapes of a body")

    def _add_joints(self, part: Part, parent: str, child: str, pose: Transform, childclass: str) -> None:
        """The joints of a body; several, or one off the body's origin, get bare links in between."""
        parts = [Part(each, f"{part.path}.{each.tag}", self.notes) for each in part.element if each.tag in _JOINTS]
        pieces = [self._joint(each, child, childclass) for each in parts]
        found = [piece for piece in pieces if piece is not None]
        here = ORIGIN
        for index, piece in enumerate(found):
            step = Transform(
                NO_ROTATION, (piece.point[0] - here[0], piece.point[1] - here[1], piece.point[2] - here[2])
            )
            origin = pose @ step @ piece.moved(-piece.reference)
            pose, here = IDENTITY, piece.point
            last = index == len(found) - 1 and piece.point == ORIGIN
            link = child if last else f"{child}_{piece.name}"
            if not last:
                self.bodies[link] = _Body(link)
            self.joints.append(piece.joint(parent, link, origin))
            parent = link
            if last:
                return
        origin = pose @ Transform(NO_ROTATION, scale(-1.0, here))
        self.joints.append(Joint(name=self._free_name(child), type="fixed", parent=parent, child=child, origin=origin))

    def _joint(self, part: Part, body: str, childclass: str) -> BodyJoint | None:
        if part.tag == "joint":
            inherit(part, self.defaults, childclass)
        kind = "free" if part.tag == "freejoint" else part.get("type") or "hinge"
        name = part.get("name") or self._free_name(body)
        if kind not in ("hinge", "slide", "free"):
            part.problem(f"a joint of type {kind!r} is not read; hinge, slide and free are")
            return None
        self.order.append((name, 7 if kind == "free" else 1))
        if kind == "free":
            return BodyJoint(name=name, kind=kind)
        unit = self.settings.angle if kind == "hinge" else 1.0
        reference = (part.number("ref", unit="") or 0.0) * unit
        self.references[name] = reference
        x, y, z = part.numbers("pos", 3, unit="m") or ORIGIN
        return BodyJoint(
            name=name,
            kind=kind,
            axis=axis_of(part),
            point=(x, y, z) if kind == "hinge" else ORIGIN,
            reference=reference,
            limits=limits_of(part, self.settings, unit),
            dynamics=dynamics_of(part),
        )

    def _free_name(self, body: str) -> str:
        """A name for a joint that has none."""
        used = {joint.name for joint in self.joints} | {name for name, _ in self.order}
        names = (f"{body}_joint{count or ''}" for count in range(len(used) + 1))
        return next(name for name in names if name not in used)

    def tree(self) -> tuple[tuple[Link, ...], tuple[Joint, ...]]:
        """Links and joints; without the world where it only carries one fixed body at its origin."""
        links = [body.link() for body in self.bodies.values()]
        below = [joint for joint in self.joints if joint.parent == WORLD]
        lone = len(below) == 1 and below[0].type == "fixed" and below[0].origin == IDENTITY
        on_world = any(site.link == WORLD for site in self.sites.values())
        if lone and is_bare(links[0]) and not on_world:
            links = links[1:]
            self.joints.remove(below[0])
        return tuple(links), tuple(self.joints)
