"""Visual and collision shapes of occurrences: mesh files found, measured once, and named for the URDF."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from mdh2urdf.enclosing.make import Made
from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.inventor.bodies import SizedMesh, drawn_bodies, volume_of
from mdh2urdf.inventor.dump import Dump, Occurrence
from mdh2urdf.inventor.mesh import MAX_BYTES, MAX_FACES, UNITS, mesh_facts, unit_of
from mdh2urdf.inventor.options import InventorOptions
from mdh2urdf.inventor.settings import LinkSettings
from mdh2urdf.paths import is_file
from mdh2urdf.robot import Material

Track = Callable[[list[Occurrence], str], Iterable[Occurrence]]
"""Shows progress over occurrences, with a word on what is done."""


def no_progress(items: list[Occurrence], what: str) -> Iterable[Occurrence]:
    """The occurrences, silently."""
    del what
    return items


@dataclass(kw_only=True, slots=True)
class Meshes:
    """The mesh files of a dump: folder, facts by file name, and the files that are to be written.

    ``made`` holds the collision shape of a mesh by its name and the kind, ``scales`` the scale of each
    occurrence's visual by its number, ``told`` how well each collision shape fits.
    """

    dump: Dump
    options: InventorOptions
    sized: dict[str, SizedMesh] = field(default_factory=dict)
    files: dict[Path, bytes] = field(default_factory=dict)
    made: dict[tuple[str, str], Made] = field(default_factory=dict)
    scales: dict[int, float] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    @property
    def folder(self) -> Path:
        """Where the STL files are."""
        return self.options.meshes or Path(self.dump.file or ".").parent

    def path(self, mesh: str) -> Path:
        """Path of a mesh file; the dump may use the other system's separators."""
        return self.folder / mesh.replace("\\", "/")

    def of(self, occurrence: Occurrence) -> SizedMesh | None:
        """The measured mesh of an occurrence."""
        return None if occurrence.mesh is None else self.sized.get(occurrence.mesh)

    def is_drawn(self, occurrence: Occurrence, settings: LinkSettings) -> bool:
        """Whether some bodies of an occurrence are its collision shape, and nothing else."""
        kind = settings.collision or self.options.collision
        return kind == "drawn" and bool(drawn_bodies(occurrence))

    def keep(self, path: Path, data: bytes) -> str:
        """Take a file that is to be written, under a free name; its name in the URDF."""
        free, count = path, 1
        while self.files.get(free, data) != data:
            count += 1
            free = path.with_name(f"{path.stem}_{count}{path.suffix}")
        self.files[free] = data
        return self.filename(free)

    def filename(self, path: Path) -> str:
        """How the URDF names a mesh file: relative to itself, or in its package."""
        if self.options.package and self.options.format != "mjcf":
            return f"package://{self.options.package}/{self._inside_package(path)}"
        start = self.options.output.parent if self.options.output else Path(self.dump.file or ".").parent
        return Path(os.path.relpath(path, start)).as_posix()

    def _inside_package(self, path: Path) -> str:
        """Path from the package's folder: the nearest one above that holds package.xml or has its name."""
        folder = path.parent.resolve()
        for above in (folder, *folder.parents):
            if is_file(above / "package.xml") or above.name == self.options.package:
                return (folder / path.name).relative_to(above).as_posix()
        return f"{folder.name}/{path.name}"


def read_meshes(dump: Dump, options: InventorOptions, parts: set[int], track: Track = no_progress) -> Meshes:
    """All mesh files of the parts, each read once, with its unit.

    Raises
    ------
    Mdh2UrdfError
        For files that are missing or broken, or whose unit no measure gives; all at once.
    """
    meshes = Meshes(dump=dump, options=options)
    errors: list[Finding] = []
    users: dict[str, list[Occurrence]] = {}
    for occurrence in dump.occurrences:
        if occurrence.index in parts and occurrence.mesh is not None and occurrence.visible:
            users.setdefault(occurrence.mesh, []).append(occurrence)
    for first in track([group[0] for group in users.values()], "reading meshes"):
        name = str(first.mesh)
        place = f"occurrences[{first.index}].mesh"
        path = meshes.path(name)
        if not is_file(path):
            errors.append(Finding(file=dump.file, path=place, message=f"there is no file {path}; --meshes says where"))
            continue
        try:
            facts = mesh_facts(path)
        except Mdh2UrdfError as error:
            errors += error.problems
            continue
        measures = ((volume_of(user), user.box) for user in users[name])
        unit = next((found for found in (unit_of(facts, *measure) for measure in measures) if found), None)
        if unit is None:
            errors.append(Finding(file=dump.file, path=place, message=_no_unit(first, facts.diagonal)))
            continue
        meshes.sized[name] = SizedMesh(facts=facts, unit=unit)
        meshes.findings += _findings(dump, place, name, meshes.sized[name])
    if errors:
        raise Mdh2UrdfError(errors)
    return meshes


def _no_unit(occurrence: Occurrence, diagonal: float) -> str:
    if volume_of(occurrence) is None and occurrence.box is None:
        return f"the unit of {occurrence.mesh} cannot be measured: the dump has neither volume nor range box"
    return (
        f"the unit of {occurrence.mesh} cannot be measured: its diagonal is {diagonal:.6g}, and neither the bodies' "
        f"volume nor the range box fits any of {', '.join(UNITS)} within 0.5 %"
    )


def _findings(dump: Dump, place: str, name: str, mesh: SizedMesh) -> list[Finding]:
    facts = mesh.facts
    told = []
    if facts.faces > MAX_FACES or facts.size > MAX_BYTES:
        megabytes = facts.size / 1024 / 1024
        told.append(("mesh-size", f"{name} has {facts.faces} triangles and {megabytes:.0f} MB; export it coarser"))
    if facts.ascii:
        told.append(("ascii-mesh", f"{name} is an ASCII STL, which MuJoCo does not read"))
    if facts.volume < 0.0:
        told.append(("inside-out", f"the triangles of {name} face inwards"))
    return [Finding(rule=rule, file=dump.file, path=place, message=message) for rule, message in told]


def material(occurrence: Occurrence, settings: LinkSettings) -> Material | None:
    """The colour of an occurrence: from the settings, its own, or that of its bodies if they have one."""
    colors = {body.color for body in occurrence.bodies}
    color = settings.color or occurrence.color or (next(iter(colors)) if len(colors) == 1 else None)
    if color is None:
        return None
    return Material(name="rgba_" + "_".join(f"{round(255 * value):02x}" for value in color), rgba=color)
