"""The whole job of convert: a table or a robot becomes the text of a URDF, a xacro, MJCF, SDF or a kinematics file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from mdh2urdf.collisions import Collided, Collision, with_collisions
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.frames import Mode, Move, move_frames, moves
from mdh2urdf.names import first_names
from mdh2urdf.robot import Robot
from mdh2urdf.se3 import ORIGIN, Vector3
from mdh2urdf.table import Table
from mdh2urdf.text import number

Format = Literal["urdf", "xacro", "origins", "mjcf", "sdf"]
Layout = Literal["flat", "ur", "franka"]

_ROWS = {
    "modified": "modified Denavit-Hartenberg (Craig): T = Rx(alpha) Tx(a) Rz(theta) Tz(d)",
    "standard": "standard Denavit-Hartenberg (Spong): T = Rz(theta) Tz(d) Tx(a) Rx(alpha)",
}
_STANDARD_FRAMES = "each link frame sits behind its joint's motion and before the row's a and alpha"


@dataclass(frozen=True, kw_only=True, slots=True)
class ConvertOptions:
    """What convert is asked for; the fields are the command line's options.

    ``folder`` is where relative mesh names of the source start, ``output`` the file that will be written.
    """

    format: Format = "urdf"
    frames: Mode = "auto"
    prefix: str = ""
    name: str | None = None
    layout: Layout = "flat"
    reference_rpy: Vector3 | None = None
    placeholder_inertia: float | None = None
    geometry: Literal["none", "sticks"] = "none"
    world: bool = False
    ros2_control: bool = False
    macro_path: str | None = None
    inline_macro: bool = False
    nominal: Table | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
    merge_fixed: bool = False
    collision: Collision | None = None
    max_faces: int | None = None
    folder: Path = field(default_factory=Path)
    output: Path | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Emission:
    """The text, the robot that it describes, which frames moved, and what was assumed.

    ``table`` is the robot's, None where its origins follow no rows; ``header`` the comment at the top of the text.
    ``files`` are the mesh files that the text needs beside it, ``told`` says how well they fit.
    """

    text: str
    robot: Robot
    moved: Mapping[str, Move]
    findings: tuple[Finding, ...]
    table: Table | None
    header: Sequence[str]
    files: Mapping[Path, bytes] = field(default_factory=dict)
    told: tuple[str, ...] = ()


def emit(model: Table | Robot, options: ConvertOptions) -> Emission:
    """The text that convert writes.

    Raises
    ------
    Mdh2UrdfError
        If an option does not go with the format, or the robot cannot be written in it.
    """
    _refuse_contradictions(options)
    if options.name is not None:
        model = replace(model, name=options.name)
    robot, moved = _robot(model, options)
    if options.reference_rpy is not None:
        robot = _with_reference(robot, options.reference_rpy)
    findings = tuple(_moved_finding(name, move) for name, move in moved.items())
    if options.merge_fixed:
        from mdh2urdf.merge import merge_fixed

        merging = merge_fixed(robot)
        robot, findings = merging.robot, (*findings, *merging.findings())
    if options.format != "origins":
        findings += _massless(robot, options)
        robot = _with_additions(robot, options)
    collided = _collided(robot, options)
    robot = collided.robot
    header = _header(model, findings)
    # Behind a merged link the origins are no rows any more.
    table = model if isinstance(model, Table) and not options.merge_fixed else None
    text, found = _text(table, collided.written(), frozenset(moved), header, options)
    return Emission(
        text=text,
        robot=robot,
        moved=moved,
        findings=(*findings, *found),
        table=table,
        header=tuple(header),
        files=collided.files,
        told=collided.told,
    )


def _collided(robot: Robot, options: ConvertOptions) -> Collided:
    """The robot with the collision shapes that are asked for."""
    if options.collision is None:
        return Collided(robot=robot)
    return with_collisions(
        robot, options.collision, folder=options.folder, output=options.output, max_faces=options.max_faces
    )


def _text(
    table: Table | None, robot: Robot, moved: frozenset[str], header: Sequence[str], options: ConvertOptions
) -> tuple[str, tuple[Finding, ...]]:
    """The text, and what the format has no place for."""
    if options.format in ("mjcf", "sdf"):
        return _simulated(robot, options, header)
    open_loops = tuple(
        Finding(rule="open-loop", path=loop.name, message=f"the loop stays open: {options.format} is a tree")
        for loop in robot.loops
    )
    if options.format == "origins":
        from mdh2urdf.vendor.origins import left_out, write_origins

        text = write_origins(robot, layout=options.layout, metadata=options.metadata)
        return text, (*open_loops, *left_out(robot, layout=options.layout))
    if options.format == "xacro":
        from mdh2urdf.xacro_macro.writer import write_xacro

        text = write_xacro(
            table,
            robot,
            moved=moved,
            header=header,
            macro_path=options.macro_path,
            inline_macro=options.inline_macro,
            ros2_control=options.ros2_control,
        )
        return text, open_loops
    from mdh2urdf.urdf.writer import write_urdf

    extra = []
    if options.ros2_control:
        from mdh2urdf.ros2_control import ros2_control_element

        extra.append(ros2_control_element(robot, prefix=options.prefix))
    return write_urdf(robot, prefix=options.prefix, header=header, extra=extra), open_loops


def _simulated(robot: Robot, options: ConvertOptions, header: Sequence[str]) -> tuple[str, tuple[Finding, ...]]:
    """The text of a simulator's own format, and what the format has no place for."""
    from mdh2urdf.mesh_names import as_file, as_model
    from mdh2urdf.mjcf.writer import write_mjcf
    from mdh2urdf.rigid import with_prefix
    from mdh2urdf.sdf.writer import write_sdf

    start = Path() if options.output is None else options.output.parent
    robot = with_prefix(robot, options.prefix)
    if options.format == "mjcf":
        text, findings = write_mjcf(robot, header=header, mesh_name=as_file(options.folder, start))
    else:
        text, findings = write_sdf(robot, header=header, mesh_name=as_model(options.folder, start))
    return text, tuple(findings)


def _refuse_contradictions(options: ConvertOptions) -> None:
    whole = ("urdf", "mjcf", "sdf")
    origins = "a kinematics file holds origins only"
    bare = options.format == "origins"
    block = origins if bare else "its block belongs into a URDF"
    prefix = origins if bare else "the macro takes a prefix when it is called"
    parent = origins if bare else "the macro takes a parent link when it is called"
    given = {
        "--prefix": (bool(options.prefix), whole, prefix),
        "--world": (options.world, whole, parent),
        "--ros2-control": (options.ros2_control, ("urdf", "xacro"), block),
        "--geometry sticks": (options.geometry != "none", (*whole, "xacro"), origins),
        "--placeholder-inertia": (
            options.placeholder_inertia is not None,
            (*whole, "xacro"),
            origins,
        ),
        "--merge-fixed": (options.merge_fixed, (*whole, "xacro"), "its joints are those of the robot"),
        "--collision": (options.collision is not None, (*whole, "xacro"), origins),
        "--macro-path": (options.macro_path is not None, ("xacro",), "only a xacro file includes the macro"),
        "--inline-macro": (options.inline_macro, ("xacro",), "only a xacro file includes the macro"),
        "--layout": (options.layout != "flat", ("origins",), "it orders the rows of a kinematics file"),
    }
    problems = [
        Finding(message=f"{option} does not go with --format {options.format}: {why}")
        for option, (wanted, formats, why) in given.items()
        if wanted and options.format not in formats
    ]
    if options.max_faces is not None and options.collision not in ("mesh", "hull", "coacd"):
        problems.append(Finding(message="--max-faces goes with --collision mesh, hull or coacd"))
    if options.macro_path is not None and options.inline_macro:
        problems.append(Finding(message="--macro-path and --inline-macro contradict each other"))
    if any(char.isspace() for char in options.prefix):
        problems.append(
            Finding(message=f"--prefix {options.prefix!r} has a blank; names with blanks are no names in ROS")
        )
    if problems:
        raise Mdh2UrdfError(problems)


def _robot(model: Table | Robot, options: ConvertOptions) -> tuple[Robot, Mapping[str, Move]]:
    if isinstance(model, Table):
        conversion = robot_from_table(model, frames=options.frames, nominal=options.nominal)
        return conversion.robot, conversion.moved
    nominal = None if options.nominal is None else robot_from_table(options.nominal, frames="strict").robot
    moved = moves(model, options.frames, nominal)
    return move_frames(model, moved), moved


def _with_reference(robot: Robot, rpy: Vector3) -> Robot:
    """The robot with a reference for every joint that has none of its own."""
    joints = (joint if joint.reference_rpy != ORIGIN else replace(joint, reference_rpy=rpy) for joint in robot.joints)
    return replace(robot, joints=tuple(joints))


def _with_additions(robot: Robot, options: ConvertOptions) -> Robot:
    if options.placeholder_inertia is None and options.geometry == "none" and not options.world:
        return robot
    from mdh2urdf.additions import with_placeholder_inertia, with_sticks, with_world

    if options.placeholder_inertia is not None:
        robot = with_placeholder_inertia(robot, options.placeholder_inertia)
    if options.geometry == "sticks":
        robot = with_sticks(robot)
    return with_world(robot) if options.world else robot


def _massless(robot: Robot, options: ConvertOptions) -> tuple[Finding, ...]:
    """What Gazebo and MuJoCo will say of links without mass, or what was invented for them."""
    bare = [link.name for link in robot.links if link.inertial is None and link.name != robot.root]
    if not bare:
        return ()
    names = first_names(bare)
    if options.placeholder_inertia is not None:
        mass = number(options.placeholder_inertia)
        return (Finding(rule="placeholder-inertia", message=f"placeholder spheres of {mass} kg: {names}"),)
    if options.format in ("mjcf", "sdf"):
        # Their writers know which links that matters for.
        return ()
    return (
        Finding(
            rule="no-mass",
            message=f"no mass data: {names}; Gazebo and MuJoCo need them: "
            "give them under `links:`, or convert with --placeholder-inertia",
        ),
    )


def _moved_finding(name: str, move: Move) -> Finding:
    return Finding(
        rule="frame-moved",
        path=name,
        message=f"frame moved by {move.along:.6g} m along and {move.about:.6g} rad about its axis, "
        f"which is {move.angle:.3g} rad from parallel to the next",
    )


def _header(model: Table | Robot, findings: tuple[Finding, ...]) -> list[str]:
    """Lines of the comment at the top of the written file."""
    if isinstance(model, Table):
        lines = [f"{model.name}, written by mdh2urdf from a table", f"Convention: {_ROWS[model.convention]}"]
        if model.convention == "standard":
            lines.append(f"Link frames: {_STANDARD_FRAMES}")
        lines.append(f"Units: rad, m, kg (the table's: {model.units.angle}, {model.units.length})")
        lines += [f"Source: {' '.join(model.source.split())}"] if model.source else []
    else:
        lines = [f"{model.name}, written by mdh2urdf from joint origins", "Units: rad, m, kg"]
    return [*lines, *(f"Assumed: {finding}" for finding in findings)]
