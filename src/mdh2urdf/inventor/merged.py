"""The built robot with its fixed joints merged: parts, masses and frames follow their links."""

from __future__ import annotations

from mdh2urdf.errors import Finding
from mdh2urdf.inventor.build import Built, Placed
from mdh2urdf.inventor.inertia import MassData, combined
from mdh2urdf.inventor.poses import as_array, inverse
from mdh2urdf.merge import merge_fixed


def merge_built(built: Built) -> tuple[Finding, ...]:
    """Merge links on fixed joints, in place; findings that say which."""
    merging = merge_fixed(built.robot)
    poses = {name: as_array(pose) for name, (_, pose) in merging.places.items()}
    heads = {name: head for name, (head, _) in merging.places.items()}
    built.robot = merging.robot
    built.placed = {
        part: Placed(link=heads[place.link], link_from_part=poses[place.link] @ place.link_from_part)
        for part, place in built.placed.items()
    }
    masses: dict[str, list[MassData]] = {}
    for name, data in built.masses.items():
        masses.setdefault(heads[name], []).append(data.moved(poses[name]))
    built.masses = {name: whole for name, parts in masses.items() if (whole := combined(parts)) is not None}
    built.head_from_link = {
        link: head_from_link @ inverse(poses[built.link_of[link]])
        for link, head_from_link in built.head_from_link.items()
    }
    built.link_of = {link: heads[name] for link, name in built.link_of.items()}
    return merging.findings()
