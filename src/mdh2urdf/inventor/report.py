"""What was read, written, cut, dropped, renamed and assumed: as data for JSON, and as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from mdh2urdf.errors import Finding
from mdh2urdf.inventor.build import FRAME, Built, Names
from mdh2urdf.inventor.couplings import Follower, Loop
from mdh2urdf.inventor.dump import Dump
from mdh2urdf.inventor.graph import ASSEMBLY
from mdh2urdf.inventor.inertia import combined
from mdh2urdf.inventor.plan import JointPlan
from mdh2urdf.inventor.poses import as_array
from mdh2urdf.inventor.replay import Certificate
from mdh2urdf.inventor.settings import Settings
from mdh2urdf.inventor.shapes import Meshes
from mdh2urdf.inventor.tree import Tree

EXPECT_MASS = 1e-3
"""Relative: a mass on a data sheet has three digits."""

EXPECT_CENTER = 1e-3
"""m: what a published centre of mass may be off."""


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class Facts:
    """Everything that a report tells of."""

    dump: Dump
    tree: Tree
    plans: list[JointPlan]
    names: Names
    loops: list[Loop]
    built: Built
    meshes: Meshes
    certificate: Certificate
    findings: list[Finding]
    failed: list[str]


def total(built: Built) -> tuple[float, list[float]] | None:
    """Mass in kg and centre of mass in m of the whole robot in its root link, all joints at 0; None without mass."""
    poses = built.robot.link_poses({})
    whole = combined(data.moved(as_array(poses[name])) for name, data in built.masses.items())
    return None if whole is None else (whole.mass, (np.round(whole.center, 9) + 0.0).tolist())


def check_expected(settings: Settings, built: Built) -> list[str]:
    """Sentences about mass and centre that are not what the settings expect."""
    found = total(built)
    wrong = []
    if settings.expect_mass is not None:
        mass = 0.0 if found is None else found[0]
        if abs(mass - settings.expect_mass) > EXPECT_MASS * settings.expect_mass:
            wrong.append(f"the robot's mass is {mass:.6g} kg, expected were {settings.expect_mass:g} kg")
    if settings.expect_center_of_mass is not None:
        if found is None:
            wrong.append("the robot has no mass, but a centre of mass is expected")
        elif np.linalg.norm(np.subtract(found[1], settings.expect_center_of_mass)) > EXPECT_CENTER:
            wrong.append(
                f"the robot's centre of mass is {found[1]} m, expected was {list(settings.expect_center_of_mass)} m"
            )
    return wrong


def report_data(facts: Facts) -> dict[str, object]:
    """The report for JSON."""
    dump, built = facts.dump, facts.built
    whole = total(built)
    return {
        "format": "inventor-report",
        "version": 1,
        "document": dump.document,
        "inventor_version": dump.inventor_version,
        "robot": built.robot.name,
        "root": facts.tree.graph.name(facts.tree.graph.root),
        "read": _read(dump),
        "links": _links(facts),
        "joints": [_joint(facts, plan) for plan in facts.plans],
        "frames": _frames(facts),
        "loops": [_loop(facts, loop) for loop in facts.loops],
        "left_out": [
            {"kind": kind, "name": name, "reason": reason} for kind, name, reason in facts.tree.graph.left_out
        ],
        "renamed": _renamed(facts),
        "mass": None if whole is None else {"total": whole[0], "center_of_mass": whole[1], "budget": _budget(facts)},
        "meshes": {
            name: {"unit": mesh.unit, "triangles": mesh.facts.faces} for name, mesh in facts.meshes.sized.items()
        },
        "collision": facts.meshes.told,
        "replay": {**asdict(facts.certificate), "passed": facts.certificate.passed},
        "findings": [asdict(finding) for finding in facts.findings],
        "failed": facts.failed,
    }


def _read(dump: Dump) -> dict[str, object]:
    probes = Counter("none" if joint.probe is None else joint.probe.status for joint in dump.joints)
    return {
        "occurrences": len(dump.occurrences),
        "suppressed_occurrences": sum(occurrence.suppressed for occurrence in dump.occurrences),
        "joints": len(dump.joints),
        "suppressed_joints": sum(joint.suppressed for joint in dump.joints),
        "joint_types": dict(Counter(joint.type for joint in dump.joints)),
        "probes": dict(probes),
        "motion_constraints": len(dump.motion_constraints),
        "frames": len(dump.frames),
        "verify": len(dump.verify),
    }


def _frames(facts: Facts) -> dict[str, str]:
    """Links of the user coordinate systems that were not left out."""
    gone = {name for kind, name, _ in facts.tree.graph.left_out if kind == FRAME}
    return {name: link for name, link in facts.names.frames.items() if name not in gone}


def _links(facts: Facts) -> list[dict[str, object]]:
    graph = facts.tree.graph
    members: dict[str, list[dict[str, str]]] = {}
    for part, place in facts.built.placed.items():
        if part != ASSEMBLY:
            why = graph.how.get(part, "held by joints" if part != graph.root else "the root")
            members.setdefault(place.link, []).append({"occurrence": graph.name(part), "why": why})
    masses = facts.built.masses
    return [
        {
            "name": link.name,
            "occurrences": members.get(link.name, []),
            "mass": masses[link.name].mass if link.name in masses else None,
        }
        for link in facts.built.robot.links
    ]


def _joint(facts: Facts, plan: JointPlan) -> dict[str, object]:
    joint = plan.edge.joint
    return {
        "name": plan.name,
        "urdf": [facts.names.joints[plan.name + step.suffix] for step in plan.steps],
        "inventor_type": joint.type,
        "urdf_type": [step.type for step in plan.steps],
        "parent": facts.built.link_of[plan.edge.parent],
        "child": facts.built.link_of[plan.edge.child],
        "limits": [[step.lower, step.upper] for step in plan.steps],
        "measured_by": plan.source,
        "rate": [step.screw.rate for step in plan.steps],
        "pitch": [step.screw.pitch for step in plan.steps],
        "flipped": plan.flip,
        "locked": joint.locked,
        "protected": joint.protected,
    }


def _loop(facts: Facts, loop: Loop) -> dict[str, object]:
    return {
        "cut": [
            {
                "joint": cut.edge.joint.name,
                "type": cut.edge.joint.type,
                "links": [facts.built.link_of[cut.edge.parent], facts.built.link_of[cut.edge.child]],
                "by_order": cut.ordered,
            }
            for cut in loop.cuts
        ],
        "joints": list(loop.joints),
        "drivers": list(loop.drivers),
        "followers": [_follower(follower) for follower in loop.followers],
        "unsolved": loop.unsolved,
    }


def _follower(follower: Follower) -> dict[str, object]:
    data = asdict(follower)
    del data["table"]
    return data


def _renamed(facts: Facts) -> dict[str, dict[str, str]]:
    """CAD names that are others in the URDF, by what they name: a part, a joint and a frame may have one name."""
    names = facts.names
    pieces = [plan.name + step.suffix for plan in facts.plans for step in plan.steps]
    kinds: dict[str, Mapping[str, str]] = {
        "links": {occurrence.name: names.links[occurrence.name] for occurrence in facts.dump.occurrences},
        "joints": {piece: names.joints[piece] for piece in pieces},
        "frames": names.frames,
    }
    return {kind: {name: new for name, new in known.items() if name != new} for kind, known in kinds.items()}


def _budget(facts: Facts) -> list[dict[str, object]]:
    masses = facts.built.masses
    whole = sum(data.mass for data in masses.values())
    ordered = sorted(masses.items(), key=lambda item: (-item[1].mass, item[0]))
    return [{"link": name, "mass": data.mass, "share": data.mass / whole} for name, data in ordered]


def report_text(facts: Facts) -> str:
    """The report as lines for people; findings are not in it."""
    dump, robot = facts.dump, facts.built.robot
    lines = [
        f"{dump.document}: {len(dump.occurrences)} occurrences and {len(dump.joints)} joints became "
        f"{len(robot.links)} links and {len(robot.joints)} joints of {robot.name}",
        f"root: {facts.tree.graph.name(facts.tree.graph.root)}",
    ]
    lines += [f"left out: {kind} {name}: {reason}" for kind, name, reason in facts.tree.graph.left_out]
    for loop in facts.loops:
        lines += _loop_lines(facts, loop)
    whole = total(facts.built)
    if whole is not None:
        lines.append(f"mass: {whole[0]:.6g} kg, centre {whole[1]} m in {robot.root}")
        lines += [f"  {row['share']:6.1%} {row['mass']:10.4g} kg  {row['link']}" for row in _budget(facts)]
    lines += [f"collision: {line}" for line in facts.meshes.told]
    return "\n".join([*lines, *certificate_lines(facts.certificate)]) + "\n"


def _loop_lines(facts: Facts, loop: Loop) -> list[str]:
    lines = []
    for cut in loop.cuts:
        one, two = (facts.built.link_of[link] for link in (cut.edge.parent, cut.edge.child))
        lines.append(f"loop: cut at {cut.edge.joint.name} ({cut.edge.joint.type}) between {one} and {two}")
    for follower in loop.followers:
        if follower.mimic:
            text = f"{follower.joint} = {follower.multiplier:.12g} {follower.leader} {follower.offset:+.12g}"
        else:
            text = f"{follower.joint} follows {follower.leader}, but in no straight line"
        coupled = "" if follower.coupled_error is None else f", coupled probe within {follower.coupled_error:.2g}"
        lines.append(f"  {text} ({follower.source}, residual {follower.residual:.2g}{coupled})")
    return lines


def certificate_lines(certificate: Certificate) -> list[str]:
    """The replay certificate as lines."""
    verdict = "agrees" if certificate.passed else "DOES NOT AGREE"
    lines = [
        f"replay: the URDF {verdict} with {certificate.poses} measured poses of {certificate.parts} parts "
        f"within {certificate.tolerance:g} m and rad",
        f"  largest position error {certificate.position:.3g} m: {certificate.position_at}",
        f"  largest angle error {certificate.angle:.3g} rad: {certificate.angle_at}",
    ]
    return lines + [f"  {fault}" for fault in certificate.faults]
