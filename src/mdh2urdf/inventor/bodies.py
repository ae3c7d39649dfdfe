"""Mass data of occurrences from their visible bodies, with overrides and the checks against the mesh."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mdh2urdf.collisions import DRAWN
from mdh2urdf.errors import Finding
from mdh2urdf.inventor.dump import Body, Occurrence
from mdh2urdf.inventor.inertia import MassData, combined, faults, slip
from mdh2urdf.inventor.mesh import UNITS, MeshFacts
from mdh2urdf.inventor.poses import Array
from mdh2urdf.inventor.settings import LinkSettings

GENERIC_DENSITY = 1000.0
"""kg/m³ of Inventor's material Generic, which every new part has."""

DENSITY_TOLERANCE = 0.005
"""Relative: how near to `GENERIC_DENSITY` a density is suspicious."""

VOLUME_TOLERANCE = 0.02
"""Relative: what tessellation may take from a volume."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class SizedMesh:
    """Facts of a mesh with its unit."""

    facts: MeshFacts
    unit: str

    @property
    def scale(self) -> float:
        """M in a unit of the file."""
        return UNITS[self.unit]

    @property
    def volume(self) -> float:
        """m³."""
        return abs(self.facts.volume) * self.scale**3

    def inertia(self, mass: float) -> Array:
        """Tensor about the centre for a uniform body of a mass, kg m²."""
        return self.facts.inertia * (mass * self.scale**2 / self.facts.volume)

    @property
    def center(self) -> Array:
        """m, in the axes of the document."""
        return self.facts.center * self.scale


def volume_of(occurrence: Occurrence) -> float | None:
    """Volume in m³ of the visible bodies, None where one is not known."""
    volumes = [body.volume for body in occurrence.bodies]
    known = [volume for volume in volumes if volume is not None]
    return sum(known) if known and len(known) == len(volumes) else None


def counts(occurrence: Occurrence) -> bool:
    """Whether an occurrence's mass belongs to the robot: visible, and no reference of the BOM.

    Of the BOM structures Inventor leaves only reference out of masses; a phantom is not listed, but weighs (Inventor
    help, "BOM structure property").
    """
    return occurrence.visible and occurrence.bom != "reference"


def drawn_bodies(occurrence: Occurrence) -> tuple[Body, ...]:
    """The bodies of an occurrence that were drawn for collision."""
    return tuple(body for body in occurrence.bodies if body.name.lower().startswith(DRAWN))


def without_drawn(occurrence: Occurrence) -> Occurrence:
    """The occurrence without the bodies that were drawn for collision: they weigh nothing and are not seen."""
    drawn = drawn_bodies(occurrence)
    return replace(occurrence, bodies=tuple(body for body in occurrence.bodies if body not in drawn))


def mass_of(occurrence: Occurrence, mesh: SizedMesh | None, settings: LinkSettings, note: Notes) -> MassData | None:
    """Mass data of an occurrence in its own document's frame, None without bodies that have a mass."""
    parts = []
    for body in occurrence.bodies:
        part = _body_mass(body, mesh, settings, note, alone=len(occurrence.bodies) == 1)
        if part is not None:
            parts.append(part)
    whole = combined(parts)
    if whole is None or occurrence.mass_override is None:
        return whole
    if occurrence.mass_override == 0.0:
        note("mass-override", "its mass is overridden with 0 kg")
        return None
    return whole.scaled(occurrence.mass_override / whole.mass)


class Notes:
    """Findings about one occurrence."""

    def __init__(self, file: str, occurrence: Occurrence, findings: list[Finding]) -> None:
        self.file = file
        self.occurrence = occurrence
        self.findings = findings

    def __call__(self, rule: str, message: str) -> None:
        """Add a finding."""
        self.findings.append(
            Finding(
                rule=rule,
                file=self.file,
                path=f"occurrences[{self.occurrence.index}]",
                message=f"{self.occurrence.name}: {message}",
            )
        )


def _body_mass(
    body: Body, mesh: SizedMesh | None, settings: LinkSettings, note: Notes, *, alone: bool
) -> MassData | None:
    mass = (body.mass or 0.0) * body.override_scale
    scale = body.override_scale
    if settings.density is not None:
        volume = body.volume or (mesh.volume if mesh is not None and alone else 0.0)
        if volume > 0.0:
            mass = settings.density * volume
            scale = mass / body.mass if body.mass else 0.0
        else:
            note("density", f"the density of the settings does nothing: body {body.name} has no volume")
    if mass <= 0.0:
        note("no-mass", f"body {body.name} has no mass and is left out")
        return None
    center, inertia = body.center_of_mass, body.inertia
    if inertia is not None and center is not None and scale > 0.0:
        return MassData(mass=mass, center=center, inertia=inertia * scale).moved(body.occurrence_from_part)
    if mesh is None or mesh.facts.volume == 0.0 or not alone:
        note(
            "no-tensor",
            f"body {body.name} has no tensor or centre, and no mesh of its own to take them from: it is left out",
        )
        return None
    note("mesh-tensor", f"body {body.name} has no tensor or centre; the mesh's is taken, with uniform density")
    own = (
        mesh.center if center is None else body.occurrence_from_part[:3, :3] @ center + body.occurrence_from_part[:3, 3]
    )
    return MassData(mass=mass, center=own, inertia=mesh.inertia(mass))


def check_occurrence(occurrence: Occurrence, data: MassData | None, mesh: SizedMesh | None, note: Notes) -> None:
    """Tell what looks wrong with an occurrence's mass data, by itself and against its mesh."""
    total, visible = occurrence.bodies_total, occurrence.bodies_visible
    none_hidden = total is not None and total == visible
    if any(not body.visible_only for body in occurrence.bodies) and not none_hidden:
        note("hidden-bodies", "its mass data are the whole document's; hidden bodies are counted")
    if data is None:
        return
    for fault in faults(data.inertia):
        note("inertia", fault)
    bodies = volume_of(occurrence)
    volume = mesh.volume if mesh is not None and mesh.volume > 0.0 else bodies
    natural = [body.mass for body in occurrence.bodies if body.mass is not None]
    if volume and abs(sum(natural) / volume / GENERIC_DENSITY - 1.0) <= DENSITY_TOLERANCE:
        note("material", "its density is 1000 kg/m³: is the material not set?")
    if mesh is None or mesh.volume == 0.0:
        return
    if bodies and abs(mesh.volume / bodies - 1.0) > VOLUME_TOLERANCE:
        note("volume", f"its mesh encloses {mesh.volume / bodies:.4g} times the volume of its bodies: hidden bodies?")
        return
    densities = [body.mass / body.volume for body in occurrence.bodies if body.mass and body.volume]
    if len(densities) < len(occurrence.bodies) or max(densities) > min(densities) * (1.0 + VOLUME_TOLERANCE):
        # The mesh's own tensor holds for one density only.
        return
    found = slip(data, mesh.inertia(data.mass))
    if found is not None:
        note("tensor", f"its tensor differs from the mesh's by more than 2 %: {found}")
    elif float(np.linalg.norm(data.center - mesh.center)) > VOLUME_TOLERANCE * mesh.facts.diagonal * mesh.scale:
        note("center", "its centre of mass is not where the mesh's is: another frame?")


def check_twins(masses: list[tuple[Occurrence, MassData]]) -> list[str]:
    """Sentences about different documents with one mass and one centre, as hidden bodies make them."""
    groups: dict[tuple[float, ...], dict[str, str]] = {}
    for occurrence, data in masses:
        key = (float(f"{data.mass:.6g}"), *(float(value) for value in np.round(data.center, 6) + 0.0))
        groups.setdefault(key, {}).setdefault(occurrence.document, occurrence.name)
    return [
        f"{', '.join(names.values())} have one mass ({key[0]:g} kg) and one centre: are hidden bodies counted?"
        for key, names in groups.items()
        if len(names) > 1
    ]
