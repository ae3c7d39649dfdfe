"""The whole job: an Inventor dump in, the URDF, its report and the files beside it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from mdh2urdf.convert import strict_robot
from mdh2urdf.enclosing.meshes import checked_faces
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_if_there
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.inventor.build import Builder, Built, build
from mdh2urdf.inventor.closing import closing_joints
from mdh2urdf.inventor.dump import CYLINDRICAL, Dump
from mdh2urdf.inventor.dump_reader import parse_dump, read_dump
from mdh2urdf.inventor.graph import head
from mdh2urdf.inventor.loops_file import loop_text
from mdh2urdf.inventor.merged import merge_built
from mdh2urdf.inventor.names import safe_name
from mdh2urdf.inventor.options import InventorOptions
from mdh2urdf.inventor.plan import UnsaidError
from mdh2urdf.inventor.poses import Array, as_array
from mdh2urdf.inventor.replay import Certificate, Drive, replay
from mdh2urdf.inventor.report import Facts, check_expected, report_data, report_text
from mdh2urdf.inventor.settings import Settings, check_names, is_blank, parse_settings
from mdh2urdf.inventor.settings_file import merged_settings
from mdh2urdf.inventor.shapes import Meshes, Track, no_progress, read_meshes
from mdh2urdf.inventor.structure import Structure, structure_of, with_defaults
from mdh2urdf.inventor.urdf_names import refuse_unsafe
from mdh2urdf.mesh_names import as_file, as_model
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.sdf.writer import write_sdf
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.urdf.writer import write_urdf

SETTINGS_NAME = "robot.yaml"

MASS_ADVICE = "give mass, center_of_mass and inertia of their parts under links in the settings file"
"""What to do about bodies that move without mass; the settings file is where the CAD's gaps are filled."""


class IncompleteError(Mdh2UrdfError):
    """The dump lacks what URDF needs; ``settings`` is the file that may be written for the user to complete."""

    def __init__(self, error: Mdh2UrdfError, path: Path, text: str) -> None:
        super().__init__(error.problems)
        self.settings_path = path
        self.settings_text = text


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class InventorResult:
    """Everything that comes of a dump; nothing of it is written yet.

    Parameters
    ----------
    urdf : str
        Text of the URDF.
    text : str
        Text in the format that is asked for.
    robot : Robot
    findings : tuple of Finding
    report : dict
        For JSON.
    report_text : str
        For people.
    loops : str
        Text of ``NAME.loops.yaml``; empty without loops.
    settings_path, settings_text
        The settings file, new or with the new names added; text None where it stays as it is.
    files : mapping
        Other files to write, as collision hulls.
    certificate : Certificate
        What the replay of the URDF text found.
    failed : tuple of str
        Checks that failed: the replay, ``expect``.
    """

    urdf: str
    text: str
    robot: Robot
    findings: tuple[Finding, ...]
    report: Mapping[str, object]
    report_text: str
    loops: str
    settings_path: Path
    settings_text: str | None
    files: Mapping[Path, bytes]
    certificate: Certificate
    failed: tuple[str, ...]

    @property
    def exit_status(self) -> int:
        """0, or 1 if a check failed."""
        return 1 if self.failed else 0


def convert_dump(
    path: str | Path, options: InventorOptions | None = None, *, track: Track = no_progress
) -> InventorResult:
    """The URDF of a dump, with its report, replayed against the poses measured in the CAD.

    Parameters
    ----------
    path : str or Path
        The dump.
    options : InventorOptions, optional
    track : callable, optional
        Shows progress over a list.

    Raises
    ------
    Mdh2UrdfError
        If the dump, the settings or a mesh cannot be read, or the assembly makes no robot.
    IncompleteError
        If joints or masses lack what the settings file can say, and it says nothing yet: with the text of a
        complete one.
    """
    options = options or InventorOptions()
    _refuse_contradictions(options)
    dump, found = read_dump(path)
    settings_path = options.settings or Path(path).parent / SETTINGS_NAME
    text = read_if_there(settings_path)
    settings = Settings() if text is None else parse_settings(text, str(settings_path))
    if options.settings is not None and text is None and not settings_path.parent.is_dir():
        raise Mdh2UrdfError(Finding(file=str(settings_path), message="cannot be written: there is no such folder"))
    _check_keys(dump, settings, str(settings_path))
    try:
        return _convert(dump, found, options, settings, settings_path, text, track)
    except UnsaidError as error:
        if text is None or is_blank(text):
            raise IncompleteError(error, settings_path, merged_settings(dump, text)) from error
        raise


def _refuse_contradictions(options: InventorOptions) -> None:
    refuse_unsafe(options)
    checked_faces(options.max_faces)
    if options.visual == "glb" and options.format == "mjcf":
        raise Mdh2UrdfError("--visual glb does not go with --format mjcf: MuJoCo reads no GLB")


def robot_of_dump(text: str, file: str = "", options: InventorOptions | None = None) -> tuple[Robot, list[Finding]]:
    """The kinematics of a dump for ``fit``: joints and limits, the root the grounded part, no masses or meshes.

    Raises
    ------
    Mdh2UrdfError
        As `convert_dump`; effort and velocity are not needed.
    """
    dump, found = parse_dump(text, file)
    options = replace(options or InventorOptions(), for_fit=True, base_link=False)
    settings = Settings()
    structure = structure_of(dump, options, settings)
    built = build(_builder(structure, options, settings, None))
    return built.robot, [*found, *structure.tree.graph.findings]


def _check_keys(dump: Dump, settings: Settings, file: str) -> None:
    check_names(
        settings,
        file,
        joints=[joint.name for joint in dump.joints],
        links=[occurrence.name for occurrence in dump.occurrences],
        frames=[frame.name for frame in dump.frames],
    )


def _table_frames(structure: Structure, options: InventorOptions, settings: Settings) -> Mapping[str, Array]:
    """With ``--frames dh`` the fitted table's frame of every link, in the frame that the link has without it."""
    if options.frames != "dh":
        return {}
    findings, left_out = structure.tree.graph.findings, structure.tree.graph.left_out
    told, gone = len(findings), len(left_out)
    robot = build(_builder(structure, options, settings, None)).robot
    # What this first robot says of its parts is said again by the second.
    del findings[told:], left_out[gone:]
    table, _ = fit_table(robot)
    poses, wanted = robot.link_poses({}), strict_robot(table).link_poses({})
    moving = {joint.child for joint in robot.joints if joint.type in MOVING}
    return {name: as_array(poses[name].inverse() @ wanted[name]) for name in poses if name in moving and name in wanted}


def _builder(
    structure: Structure,
    options: InventorOptions,
    settings: Settings,
    meshes: Meshes | None,
    moved: Mapping[str, Array] | None = None,
) -> Builder:
    dump = structure.tree.graph.dump
    return Builder(
        tree=structure.tree,
        plans=structure.plans,
        settings=with_defaults(settings, options.joint_defaults),
        names=structure.names,
        mimics={
            child: replace(mimic, joint=structure.names.joints[mimic.joint])
            for loop in structure.loops
            for child, mimic in loop.mimics.items()
        },
        meshes=meshes,
        keep_fixed=options.keep_fixed,
        base_link=options.base_link,
        moved=moved or {},
        up=options.up or settings.up,
        name=options.name or safe_name(Path(dump.document.replace("\\", "/")).stem, "robot"),
    )


def _convert(
    dump: Dump,
    found: list[Finding],
    options: InventorOptions,
    settings: Settings,
    settings_path: Path,
    settings_text: str | None,
    track: Track,
) -> InventorResult:
    structure = structure_of(dump, options, settings)
    graph = structure.tree.graph
    parts = {o.index for o in dump.occurrences if head(graph, o.index) in structure.tree.depth}
    meshes = read_meshes(dump, options, parts, track)
    built = build(_builder(structure, options, settings, meshes, _table_frames(structure, options, settings)))
    if options.merge_fixed:
        graph.findings += merge_built(built)
    built.robot = replace(built.robot, loops=closing_joints(structure.loops, structure.names, built))
    header = [
        f"{built.robot.name}, from the Autodesk Inventor assembly {dump.document}",
        "written by mdh2urdf; metres, radians, kilograms; the zero of every joint is the CAD's",
    ]
    text = write_urdf(built.robot, header=header)
    certificate = _replayed(text, dump, structure, built, meshes, options.tolerance)
    written, lost = _in_format(built.robot, text, options, header, Path(dump.file or ".").parent)
    findings = [*found, *graph.findings, *meshes.findings, *lost]
    findings += [Finding(rule="rule-message", file=dump.file, message=message) for message in dump.messages]
    facts = Facts(
        dump=dump,
        tree=structure.tree,
        plans=structure.plans,
        names=structure.names,
        loops=structure.loops,
        built=built,
        meshes=meshes,
        certificate=certificate,
        findings=findings,
        failed=_failed(settings, built, certificate),
    )
    return _result(facts, text, written, settings_path, _new_settings(dump, settings_text))


def _in_format(
    robot: Robot, urdf: str, options: InventorOptions, header: list[str], folder: Path
) -> tuple[str, list[Finding]]:
    """The text in the format that is asked for, and what the format has no place for."""
    start = folder if options.output is None else options.output.parent
    if options.format == "mjcf":
        try:
            return write_mjcf(robot, header=header, mesh_name=as_file(start, start), mass_advice=MASS_ADVICE)
        except Mdh2UrdfError as error:
            raise UnsaidError(error.problems) from error
    if options.format == "sdf":
        return write_sdf(robot, header=header, mesh_name=as_model(start, start))
    return urdf, []


def _failed(settings: Settings, built: Built, certificate: Certificate) -> list[str]:
    """Sentences about the checks that failed."""
    replayed = "the replay of the URDF does not agree with the poses measured in Inventor"
    return [*([] if certificate.passed else [replayed]), *check_expected(settings, built)]


def _result(facts: Facts, urdf: str, text: str, settings_path: Path, settings_text: str | None) -> InventorResult:
    robot = facts.built.robot
    return InventorResult(
        urdf=urdf,
        text=text,
        robot=robot,
        findings=tuple(facts.findings),
        report=report_data(facts),
        report_text=report_text(facts),
        loops=loop_text(facts.loops, facts.names, facts.built, robot.name),
        settings_path=settings_path,
        settings_text=settings_text,
        files=facts.meshes.files,
        certificate=facts.certificate,
        failed=tuple(facts.failed),
    )


def _new_settings(dump: Dump, text: str | None) -> str | None:
    merged = merged_settings(dump, text)
    return None if merged == text else merged


def _replayed(
    text: str, dump: Dump, structure: Structure, built: Built, meshes: Meshes, tolerance: float
) -> Certificate:
    """The certificate of the text, read back."""
    robot, _ = read_urdf(text, file="the URDF of this dump")
    moving = {joint.name for joint in built.robot.joints if joint.type in MOVING}
    drives = [
        Drive(plan=plan, step=step, urdf=structure.names.joints[plan.name + step.suffix])
        for plan in structure.plans
        # Only of cylindrical joints do the pieces follow values of the CAD.
        if len(plan.steps) == 1 or plan.edge.joint.type == CYLINDRICAL
        for step in plan.steps
        if structure.names.joints[plan.name + step.suffix] in moving
    ]
    names = {occurrence.index: structure.names.links[occurrence.name] for occurrence in dump.occurrences}
    return replay(
        robot,
        dump,
        drives,
        built.placed,
        names,
        root=structure.tree.graph.root,
        loop_joints=frozenset(name for loop in structure.loops for name in loop.joints),
        scales=meshes.scales,
        tolerance=tolerance,
    )
