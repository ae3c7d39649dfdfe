"""After a run the document is as it was, also when members fail in the middle; what the user is told and asked."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ilogic import parts
from ilogic.assemblies import Assembly
from ilogic.machines import flexible_cylinder, four_bar, gear_pair, held_lever, lever, scara, six_axis_arm
from ilogic.simulated import Run
from ilogic.truth import difference

Export = Callable[[Assembly], Run]


def is_as_it_was(run: Run) -> bool:
    """Values, expressions, suppressions, switches are equal, and the poses up to rounding."""
    before, after = dict(run.report["before"]), dict(run.report["after"])
    old, new = before.pop("poses"), after.pop("poses")
    return before == after and all(difference(new[name], pose) < 1e-7 for name, pose in old.items())


MACHINES: dict[str, Callable[[], Assembly]] = {
    "six_axis_arm": six_axis_arm,
    "scara": scara,
    "four_bar": four_bar,
    "gear_pair": gear_pair,
    "locked": lambda: lever(locked=True, protected=True, angular_expression="0.1 rad + 0.1 rad"),
    "held_lever": held_lever,
    "flexible_cylinder": flexible_cylinder,
    "suppressed_things": parts.suppressed_things,
}


@pytest.mark.parametrize("abort", ["restores", "keeps", "throws"])
@pytest.mark.parametrize("name", MACHINES)
def test_document_is_as_it_was_whatever_the_abort_does(export: Export, name: str, abort: str) -> None:
    machine = MACHINES[name]()
    machine.options["abort"] = abort
    if abort == "throws":
        machine.options["faults"] = [{"member": "Transaction.Abort", "calls": 0}]
    run = export(machine)
    assert run.report["failure"] == ""
    assert is_as_it_was(run)
    assert run.report["undo"] == []
    assert run.report["event_rules"] == []


@pytest.mark.parametrize(
    "fault",
    [
        {"member": "Document.Update", "call": 4, "calls": 1},
        {"member": "Document.Update", "call": 30, "calls": 3},
        {"member": "ModelParameter.Value=", "call": 2},
        {"member": "ModelParameter.Value=", "call": 1, "calls": 0},
        {"member": "ComponentOccurrence.Transformation", "call": 40},
        {"member": "AssemblyJoint.Suppressed=", "call": 2},
        {"member": "AssemblyJoint.GoToStart", "call": 3},
        {"member": "AssemblyJoint.GoToStart", "calls": 0},
        {"member": "AssemblyJoint.DriveSettings", "calls": 0},
        {"member": "AssemblyJoint.StartValue=", "call": 2},
        {"member": "TransactionManager.StartTransaction"},
        {"member": "iLogicVb.Automation", "call": 1, "calls": 2},
    ],
    ids=lambda fault: f"{fault['member']}-{fault.get('call', 1)}",
)
def test_member_that_fails_in_the_middle_leaves_a_restored_document_and_a_dump_that_says_so(
    export: Export, fault: dict[str, Any]
) -> None:
    machine = four_bar()
    machine.options |= {"faults": [fault], "abort": "keeps"}
    run = export(machine)
    assert run.report["failure"] == ""
    assert is_as_it_was(run)
    assert run.report["transaction_open"] is False
    assert any(fault["member"] in message for message in run.dump["messages"])
    assert [occurrence["mesh"] for occurrence in run.dump["occurrences"]] == [
        f"{name}.stl" for name in ("Ground", "Crank", "Coupler", "Rocker")
    ]


def test_first_reading_that_fails_leaves_a_dump_with_the_message(export: Export) -> None:
    machine = lever()
    machine.options["faults"] = [{"member": "AssemblyComponentDefinition.Joints"}]
    run = export(machine)
    assert run.report["failure"] == ""
    assert run.dump["messages"] == [
        "the list of occurrences and joints stopped early: Unspecified error (AssemblyComponentDefinition.Joints)",
        "check: not connected to the ground (Lever:1): Assemble tab, Joint or Constrain",
        "check: the assembly has no joints: Assemble tab, Joint",
    ]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("ComponentOccurrence.DefinitionDocumentType", "occurrence Lever:1 was left out: "),
        ("AssemblyJoint.OccurrenceOne", "joint Rotational:1 was left out: "),
        ("ComponentDefinition.SurfaceBodies", "the bodies of Lever:1 could not be read: "),
        ("ComponentDefinition.UserCoordinateSystems", "the user coordinate systems of Lever:1 could not be read: "),
        ("SurfaceBodyMassProperties.Mass", "the bodies of Lever.ipt have no mass data of their own ("),
        ("ComponentOccurrence.BOMStructure", "occurrence Lever:1: "),
    ],
)
def test_what_cannot_be_read_is_said_and_the_rest_is_exported(export: Export, fault: str, message: str) -> None:
    machine = lever()
    onto = {"AssemblyJoint": "Rotational:1", "ComponentDefinition": "Lever.ipt", "SurfaceBodyMassProperties": "Solid1"}
    name = onto.get(fault.split(".", maxsplit=1)[0], "Lever:1")
    machine.documents["Base.ipt"]["bodies"][0]["name"] = "BaseSolid"
    machine.options["faults"] = [{"member": fault, "name": name, "calls": 0}]
    run = export(machine)
    assert run.report["failure"] == ""
    assert any(found.startswith(message) for found in run.dump["messages"]), run.dump["messages"]
    assert run.dump["occurrences"][0]["bodies"][0]["mass"] > 0


def test_folder_that_cannot_be_made_is_told(export: Export, tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "urdf").write_text("a file where the folder should be")
    run = export(lever())
    assert run.dump_file is None
    assert run.report["failure"] == ""
    assert is_as_it_was(run)
    (told,) = run.report["messages"]
    assert told.splitlines()[0] == str(folder / "urdf" / "Lever.inventor.json")
    assert told.splitlines()[1].startswith("could not be written: ")


def test_missing_range_box_and_mass_override_are_said(export: Export) -> None:
    machine = lever()
    machine.options["faults"] = [
        {"member": "ComponentDefinition.PreciseRangeBox", "calls": 0},
        {"member": "ComponentDefinition.RangeBox", "calls": 0},
        {"member": "ComponentDefinition.MassProperties", "calls": 0},
    ]
    run = export(machine)
    assert run.dump["occurrences"][1]["range_box"] is None
    assert run.dump["occurrences"][1]["bodies"][0]["mass"] > 0
    assert run.dump["messages"] == [
        f"the {what} of {name} could not be read: Unspecified error (ComponentDefinition.{member})"
        for name in ("Base:1", "Lever:1")
        for what, member in (("range box", "RangeBox"), ("mass override", "MassProperties"))
    ]


def test_clean_assembly_is_exported_without_a_question(export: Export) -> None:
    run = export(lever())
    assert len(run.report["messages"]) == 1
    assert run.report["messages"][0].splitlines()[0] == (
        "2 occurrences, 2 meshes, 1 of 1 joints measured, 0 poses for the check"
    )
    assert run.dump["messages"] == []


CHECKS = [
    "check: several occurrences are grounded (Base:1, Stop:1): right-click all but the base, Grounded off, and join "
    "them to it by a Rigid joint",
    "check: not connected to the ground (Loose:1): Assemble tab, Joint or Constrain",
    "check: locked or protected (Rotational:1): right-click the joint, Lock off",
    "check: in trouble (Rotational:1 (11786)): right-click the joint, Edit, or Recover",
    "check: without limits (Rotational:1, Slider:1): right-click the joint, Edit, Limits tab",
    "check: cylindrical, planar and ball joints have no URDF type (Cylindrical:1): Rotational or Slider",
    "check: names that differ by case only (lever:1): rename in the browser",
    "check: no material set (Base:1): open the part, Tools tab, Material",
]


def test_first_pass_says_what_to_click(export: Export) -> None:
    run = export(parts.troubled())
    question = run.report["messages"][0]
    assert question.splitlines()[0] == "OK: continue. Cancel: stop and mend these first."
    assert run.dump["messages"][: len(CHECKS)] == CHECKS
    assert [line for line in run.report["log"] if line.startswith("info")] == [
        f"info: URDF export: {check.removeprefix('check: ')}" for check in CHECKS
    ]


def test_first_pass_misses_ground_and_joints(export: Export) -> None:
    machine = lever()
    machine.occurrences[0]["grounded"] = False
    machine.joints.clear()
    run = export(machine)
    assert run.dump["messages"] == [
        "check: nothing is grounded: right-click the base in the browser, Grounded",
        "check: not connected to the ground (Base:1, Lever:1): Assemble tab, Joint or Constrain",
        "check: the assembly has no joints: Assemble tab, Joint",
    ]


def test_stop_writes_nothing_and_moves_nothing(export: Export) -> None:
    machine = parts.troubled()
    machine.options["answer"] = "cancel"
    run = export(machine)
    assert run.dump_file is None
    assert not list(run.folder.rglob("*.stl"))
    assert len(run.report["messages"]) == 1
    assert "Document.Update" not in run.report["calls"]
    assert run.report["before"] == run.report["after"]


def test_rule_in_a_part_asks_for_an_assembly(export: Export) -> None:
    machine = lever()
    machine.options["run_in_part"] = True
    run = export(machine)
    assert run.report["messages"] == ["Open an assembly (.iam) and run this rule there."]
    assert run.dump_file is None


def test_unsaved_assembly_is_to_be_saved_first(export: Export) -> None:
    machine = lever()
    machine.documents["Lever.iam"] = {"unsaved": True}
    run = export(machine)
    assert run.report["messages"] == ["Save the assembly first (File, Save): the export goes beside it."]


def test_progress_is_in_the_status_bar(export: Export) -> None:
    status = export(six_axis_arm()).report["status"]
    assert status[0] == "URDF export: part 1 of 13: Base:1"
    assert "URDF export: joint 3 of 7: joint3" in status
    assert "URDF export: pose 1 of 3" in status
    assert "URDF export: mesh 10 of 10: Motor.stl" in status
    assert status[-1] == "URDF export: done"


def test_summary_lists_the_messages_and_fits_the_box(export: Export) -> None:
    machine = six_axis_arm()
    machine.options["faults"] = [{"member": "AssemblyJoint.Definition", "call": 1, "calls": 0}]
    run = export(machine)
    summary = run.report["messages"][-1]
    assert len(summary) < 1024
    assert summary.endswith(" ...")
    assert "9 messages, all of them in that file" in summary
    assert "- joint joint1 was left out: Unspecified error (AssemblyJoint.Definition)" in summary
