"""The whole job: an Inventor dump in, the URDF, its report and the files beside it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path

from mdh2urdf.convert import strict_robot
from mdh2urdf.enclosing.meshes import checked_faces
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.files import read_text
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.inventor.build import Builder, Built, Names, build
from mdh2urdf.inventor.closing import closing_joints, loop_name
from mdh2urdf.inventor.couplings import Loop
from mdh2urdf.inventor.dump import Dump
from mdh2urdf.inventor.dump_reader import parse_dump, read_dump
from mdh2urdf.inventor.graph import ASSEMBLY, Choices, build_graph, head, unknown_name
from mdh2urdf.inventor.loops import follow
from mdh2urdf.inventor.loops_file import loop_text
from mdh2urdf.inventor.merged import merge_built
from mdh2urdf.inventor.names import safe_name, unique_names
from mdh2urdf.inventor.options import InventorOptions, JointDefaults
from mdh2urdf.inventor.plan import JointError, JointPlan, needs_order, plan_joints
from mdh2urdf.inventor.poses import Array, as_array
from mdh2urdf.inventor.replay import Certificate, Drive, replay
from mdh2urdf.inventor.report import Facts, check_expected, report_data, report_text
from mdh2urdf.inventor.settings import SAFE_NAME, Settings, check_names, is_blank, parse_settings
from mdh2urdf.inventor.settings_file import merged_settings
from mdh2urdf.inventor.shapes import Meshes, Track, no_progress, read_meshes
from mdh2urdf.inventor.tree import Tree, span
from mdh2urdf.mesh_names import as_file, as_model
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.sdf.writer import write_sdf
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.urdf.writer import write_urdf
from mdh2urdf.yaml_nodes import SourceText, plain_data
from mdh2urdf.yaml_nodes import compose as compose_yaml

SETTINGS_NAME = "robot.yaml"


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
        If joints lack what the settings file can say, and there is none yet: with the text of one.
    """
    options = options or InventorOptions()
    _refuse_contradictions(options)
    dump, found = read_dump(path)
    settings_path = options.settings or Path(path).parent / SETTINGS_NAME
    text = read_text(settings_path) if settings_path.exists() else None
    settings = Settings() if text is None else parse_settings(text, str(settings_path))
    if options.settings is not None and text is None and not settings_path.parent.is_dir():
        raise Mdh2UrdfError(Finding(file=str(settings_path), message="cannot be written: there is no such folder"))
    _check_keys(dump, settings, str(settings_path))
    try:
        return _convert(dump, found, options, settings, settings_path, text, track)
    except JointError as error:
        if text is None or is_blank(text):
            raise IncompleteError(error, settings_path, merged_settings(dump, text)) from error
        raise


def _refuse_contradictions(options: InventorOptions) -> None:
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
    structure = _structure(dump, options, settings)
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


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class _Structure:
    """The tree with its plans, names and loops."""

    tree: Tree
    plans: list[JointPlan]
    names: Names
    loops: list[Loop]


def _structure(dump: Dump, options: InventorOptions, settings: Settings) -> _Structure:
    choices = _choices(dump, options, settings)
    tree = span(build_graph(dump, choices))
    unwanted = [e.joint.name for e in tree.edges if needs_order(e.joint, settings.joint(e.joint.name))]
    while options.unsupported == "drop" and unwanted:
        choices = replace(choices, drop=(*choices.drop, *unwanted))
        tree = span(build_graph(dump, choices))
        unwanted = [e.joint.name for e in tree.edges if needs_order(e.joint, settings.joint(e.joint.name))]
    settings = _with_defaults(settings, options.joint_defaults)
    planned = plan_joints(tree, settings, options.unsupported, for_fit=options.for_fit)
    names = _names(tree, planned.joints, options, settings)
    loops = follow(tree, planned, options.mimic, dict(names.joints))
    return _Structure(tree=tree, plans=planned.joints, names=names, loops=loops)


def _choices(dump: Dump, options: InventorOptions, settings: Settings) -> Choices:
    entries = {occurrence.name: settings.link(occurrence.name) for occurrence in dump.occurrences}
    return Choices(
        root=options.root or settings.root,
        weld_grounded=options.weld_grounded,
        drop=(*options.drop, *(joint.name for joint in dump.joints if settings.joint(joint.name).ignore)),
        ignore=frozenset(name for name, entry in entries.items() if entry.ignore),
        merge={name: entry.merge for name, entry in entries.items() if entry.merge is not None},
        loose=options.loose,
    )


def _with_defaults(settings: Settings, given: JointDefaults) -> Settings:
    """Joint defaults of the command line before those of the settings."""
    own = {item.name: getattr(given, item.name) for item in fields(JointDefaults)}
    merged = replace(settings.joint_defaults, **{name: value for name, value in own.items() if value is not None})
    return replace(settings, joint_defaults=merged)


def _renamed(options: InventorOptions, known: list[str]) -> dict[str, str]:
    """Names of the ``--rename`` file, a mapping of CAD names to URDF names."""
    if options.rename is None:
        return {}
    file = str(options.rename)
    problems: list[Finding] = []
    data = plain_data(compose_yaml(SourceText(file, read_text(options.rename)), problems))
    if problems:
        raise Mdh2UrdfError(problems)
    if not isinstance(data, dict):
        raise Mdh2UrdfError(Finding(file=file, message="must map CAD names to URDF names"))
    messages = []
    for name, new in data.items():
        if name not in known:
            messages.append(unknown_name(str(name), known, "occurrence, joint or frame"))
        elif not isinstance(new, str) or not SAFE_NAME.fullmatch(new):
            messages.append(f"{name!r}: {new!r} is no name of letters, digits and _ that starts with no digit")
    if messages:
        raise Mdh2UrdfError(Finding(file=file, message=message) for message in messages)
    return {str(name): str(new) for name, new in data.items()}


def _chosen(settings: Mapping[str, str | None], renamed: Mapping[str, str]) -> dict[str, str]:
    """URDF names that the user gave, ``--rename`` before the settings."""
    return {name: value for name, value in settings.items() if value is not None} | dict(renamed)


def _names(tree: Tree, plans: list[JointPlan], options: InventorOptions, settings: Settings) -> Names:
    dump = tree.graph.dump
    occurrences = [occurrence.name for occurrence in dump.occurrences]
    joints = [plan.name for plan in plans]
    frames = [frame.name for frame in dump.frames if not settings.frame(frame.name).ignore]
    renamed = _renamed(options, [*occurrences, *(joint.name for joint in dump.joints), *frames])
    chosen_links = _chosen({name: settings.link(name).name for name in occurrences}, renamed)
    chosen_joints = _chosen({name: settings.joint(name).name for name in joints}, renamed)
    chosen_frames = _chosen({name: settings.frame(name).name for name in frames}, renamed)
    links = unique_names(occurrences, "link", chosen_links)
    named = unique_names(frames, "frame", chosen_frames, list(links.values()))
    used = [*links.values(), *named.values()]
    extra = [" base", *(f"{p.name}{s.suffix} (massless)" for p in plans for s in p.steps[:-1])]
    extra += [""] if tree.graph.root == ASSEMBLY else []
    wanted = {" base": "base_link", "": "ground"}
    for name in extra:
        made = unique_names([wanted.get(name, safe_name(name, "link"))], "link", {}, used)
        (links[name],) = made.values()
        used.append(links[name])
    pieces = [plan.name + step.suffix for plan in plans for step in plan.steps]
    fixed = [f"{name} (fixed)" for name in occurrences] if options.keep_fixed else []
    fixed += [f"{name} (frame)" for name in frames]
    fixed += [loop_name(cut.edge.joint.name) for cut in tree.cuts]
    joint_names = unique_names([*pieces, *fixed], "joint", chosen_joints)
    (joint_names[" base"],) = unique_names(["base_joint"], "joint", {}, list(joint_names.values())).values()
    prefix = options.prefix
    return Names(
        links={key: prefix + value for key, value in links.items()},
        joints={key: prefix + value for key, value in joint_names.items()},
        frames={key: prefix + value for key, value in named.items()},
    )


def _table_frames(structure: _Structure, options: InventorOptions, settings: Settings) -> Mapping[str, Array]:
    """With ``--frames dh`` the fitted table's frame of every link, in the frame that the link has without it."""
    if options.frames != "dh":
        return {}
    findings = structure.tree.graph.findings
    told = len(findings)
    robot = build(_builder(structure, options, settings, None)).robot
    # What this first robot says of its parts is said again by the second.
    del findings[told:]
    table, _ = fit_table(robot)
    poses, wanted = robot.link_poses({}), strict_robot(table).link_poses({})
    moving = {joint.child for joint in robot.joints if joint.type in MOVING}
    return {name: as_array(poses[name].inverse() @ wanted[name]) for name in poses if name in moving and name in wanted}


def _builder(
    structure: _Structure,
    options: InventorOptions,
    settings: Settings,
    meshes: Meshes | None,
    moved: Mapping[str, Array] | None = None,
) -> Builder:
    dump = structure.tree.graph.dump
    return Builder(
        tree=structure.tree,
        plans=structure.plans,
        settings=_with_defaults(settings, options.joint_defaults),
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
    structure = _structure(dump, options, settings)
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
        return write_mjcf(robot, header=header, mesh_name=as_file(start, start))
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
    text: str, dump: Dump, structure: _Structure, built: Built, meshes: Meshes, tolerance: float
) -> Certificate:
    """The certificate of the text, read back."""
    robot, _ = read_urdf(text)
    moving = {joint.name for joint in built.robot.joints if joint.type in MOVING}
    drives = [
        Drive(plan=plan, urdf=structure.names.joints[plan.name])
        for plan in structure.plans
        if len(plan.steps) == 1 and structure.names.joints[plan.name] in moving
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
