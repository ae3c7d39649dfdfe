"""Each guard of the rule against a trap of Inventor is needed: without it a check fails.

A guard is taken out of the rule's text; then the rule is compiled and run on an assembly that has the trap. The check
holds for the rule as it is and must fail for the rule without the guard. So every test here fails as soon as its trap
is gone from the simulator, or its guard does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from ilogic import parts
from ilogic.assemblies import Assembly
from ilogic.machines import (
    four_bar,
    held_lever,
    japanese_arm,
    lever,
    lever_with_screws,
    other_joints,
    scara,
)
from ilogic.simulated import Run, SimulatedInventor
from ilogic.test_rule_motion import joint_of, statuses
from ilogic.test_rule_parts import occurrence_of, triangles_of
from ilogic.test_rule_restore import is_as_it_was
from ilogic.truth import wrong_samples


@dataclass(frozen=True, kw_only=True, slots=True)
class Guard:
    """A guard (its text and what stands there without it), an assembly with the trap, and what the guard ensures."""

    text: str
    without: str
    assembly: Callable[[], Assembly]
    check: Callable[[Run], bool]


def with_options(make: Callable[[], Assembly], **options: object) -> Callable[[], Assembly]:
    def made() -> Assembly:
        machine = make()
        machine.options |= options
        return machine

    return made


def first_body(run: Run, occurrence: str = "Lever:1") -> dict:
    return occurrence_of(run.dump, occurrence)["bodies"][0]


def all_true(make: Callable[[], Assembly]) -> Callable[[Run], bool]:
    return lambda run: set(statuses(run.dump).values()) == {"moved"} and wrong_samples(run.dump, make()) == []


def is_json(run: Run) -> bool:
    try:
        return bool(run.dump)
    except ValueError:
        return False


def stale_mesh() -> Assembly:
    """Nothing writes the lever's mesh, but one of an earlier run lies there."""
    machine = lever()
    machine.options["faults"] = [
        {"member": member, "name": "Lever.ipt", "calls": 0}
        for member in ("TranslatorAddIn.SaveCopyAs", "Document.SaveAs")
    ]
    machine.options["stale"] = ["urdf/Lever.stl"]
    return machine


def reference_by_its_document() -> Assembly:
    machine = lever()
    machine.occurrences[1]["bom"] = "default"
    machine.documents["Lever.ipt"]["bom"] = "reference"
    return machine


def lever_on_an_edge() -> Assembly:
    machine = lever()
    machine.joints[0]["on_an_edge"] = True
    return machine


def renamed_body_tensor() -> Assembly:
    return parts.body_with("zeros")


def late_lever() -> Assembly:
    machine = lever_with_screws()
    for occurrence in machine.occurrences:
        occurrence["lags"] = occurrence["name"] == "Screw:1"
    return machine


def value_and_expression() -> Assembly:
    return with_options(lambda: lever(angular_expression="10 deg + 0.02546707480056701 rad"), abort="keeps")()


KEEPS = {"abort": "keeps"}

GUARDS: dict[str, Guard] = {
    # Reading
    "body_mass_properties_are_no_mass_properties": Guard(
        text='Dim weight As Object = ReadMember(anything, "MassProperties")',
        without="Dim weight As MassProperties = body.MassProperties",
        assembly=lever,
        check=lambda run: first_body(run)["name"] == "Solid1",
    ),
    "late_bound_tensor_stays_zero": Guard(
        text='weight.GetType().InvokeMember("XYZMomentsOfInertia", System.Reflection.BindingFlags.InvokeMethod, _\n'
        "            Nothing, weight, arguments, modifiers, Nothing, Nothing)",
        without="weight.XYZMomentsOfInertia("
        "arguments(0), arguments(1), arguments(2), arguments(3), arguments(4), arguments(5))",
        assembly=lever,
        check=lambda run: first_body(run)["inertia"] is not None,
    ),
    "tensor_of_six_zeros": Guard(
        text="If largest = 0 AndAlso mass > 0 Then",
        without="If False Then",
        assembly=renamed_body_tensor,
        check=lambda run: first_body(run)["inertia"] is None,
    ),
    "tensor_that_throws": Guard(
        text='        run.Say("the inertia of " & place & " could not be read (" & Reason(problem) '
        '& "): the mesh\'s will be used")\n'
        "        Return Nothing",
        without="        Throw",
        assembly=lambda: parts.body_with("throws"),
        check=lambda run: first_body(run)["name"] == "Solid1",
    ),
    "late_binding_that_fails": Guard(
        text="        Return Reflected(target, member)\n",
        without="        Throw\n",
        assembly=with_options(lever, late_binding=False),
        check=lambda run: first_body(run)["name"] == "Solid1",
    ),
    "hidden_bodies_have_mass": Guard(
        text="If body.IsSolid AndAlso body.Visible Then found",
        without="If body.IsSolid Then found",
        assembly=parts.hidden_bodies,
        check=lambda run: len(occurrence_of(run.dump, "Lever:1")["bodies"]) == 1,
    ),
    "surfaces_have_no_mass": Guard(
        text="If body.IsSolid AndAlso body.Visible Then found",
        without="If body.Visible Then found",
        assembly=parts.hidden_bodies,
        check=lambda run: first_body(run)["name"] == "Solid1",
    ),
    "range_box_is_larger_than_the_part": Guard(
        text='ReadMember(definition, "PreciseRangeBox")',
        without='ReadMember(definition, "RangeBox")',
        assembly=lever,
        check=lambda run: occurrence_of(run.dump, "Base:1")["range_box"]["max"] == [5, 5, 1],
    ),
    "reading_mass_dirties_the_file": Guard(
        text="    whole.CacheResultsOnCompute = False\n    If whole.MassOverridden",
        without="    If whole.MassOverridden",
        assembly=parts.overridden_lever,
        check=lambda run: run.report["dirty_documents"] == [],
    ),
    "override_inside_a_sub_assembly": Guard(
        text="If Not isTop Then ScaleToOverride(run, item, occurrence, found)",
        without="",
        assembly=parts.rigid_gripper,
        check=lambda run: occurrence_of(run.dump, "Gripper:1")["bodies"][1]["override_scale"] != 1,
    ),
    "bodies_of_another_model_state": Guard(
        text='Dim key As String = document.FullFileName & "|" & ActiveState(occurrence)',
        without="Dim key As String = document.FullFileName",
        assembly=parts.two_states,
        check=lambda run: first_body(run, "Lever:2")["volume"] > 40,
    ),
    "mesh_of_another_model_state": Guard(
        text='item.DocumentKey = document.FullFileName & "|" & item.ModelState',
        without="item.DocumentKey = document.FullFileName",
        assembly=parts.two_states,
        check=lambda run: occurrence_of(run.dump, "Lever:2")["mesh"] == "Lever-Long.stl",
    ),
    "file_names_without_case": Guard(
        text="String.Equals(taken, candidate, StringComparison.OrdinalIgnoreCase)",
        without="String.Equals(taken, candidate, StringComparison.Ordinal)",
        assembly=parts.same_file_names,
        check=lambda run: occurrence_of(run.dump, "Other:1")["mesh"] == "LEVER-2.stl",
    ),
    "members_of_suppressed_occurrences_throw": Guard(
        text="If Not item.Suppressed Then\n        If TypeOf",
        without="If True Then\n        If TypeOf",
        assembly=parts.suppressed_things,
        check=lambda run: any(item["name"] == "Stop:1" for item in run.dump["occurrences"]),
    ),
    "poses_of_suppressed_occurrences_throw": Guard(
        text="        If item.Suppressed Then\n            poses.Add(Nothing)\n        Else",
        without="        If False Then\n            poses.Add(Nothing)\n        Else",
        assembly=parts.suppressed_things,
        check=lambda run: statuses(run.dump).get("Rotational:1") == "moved",
    ),
    "virtual_components_have_no_document": Guard(
        text="If TypeOf occurrence.Definition Is VirtualComponentDefinition Then\n            run.Say",
        without="If False Then\n            run.Say",
        assembly=parts.suppressed_things,
        check=lambda run: not any(item["name"] == "Grease:1" for item in run.dump["occurrences"]),
    ),
    "parts_have_no_flexible": Guard(
        text="If item.IsAssembly AndAlso occurrence.Flexible Then",
        without="If item.IsAssembly Or occurrence.Flexible Then",
        assembly=lever,
        check=lambda run: len(run.dump["occurrences"]) == 2,
    ),
    "joint_names_a_part_in_a_sub_assembly": Guard(
        text="        walker = walker.ParentOccurrence\n    End While\n    Dim label",
        without="        walker = Nothing\n    End While\n    Dim label",
        assembly=parts.rigid_gripper,
        check=lambda run: [joint["name"] for joint in run.dump["joints"]] == ["Rotational:1", "Wrist"],
    ),
    "type_of_the_object_is_not_the_joint_type": Guard(
        text="listed.Kind = definition.JointType",
        without="listed.Kind = CType(CInt(joint.Type), AssemblyJointTypeEnum)",
        assembly=lever,
        check=lambda run: run.dump["joints"][0]["type"] == "kRotationalJointType",
    ),
    "angle_of_a_slider_is_zero": Guard(
        text="ReadPosition(run, listed, listed.Linear, definition.LinearPosition)",
        without="ReadPosition(run, listed, listed.Linear, definition.AngularPosition)",
        assembly=scara,
        check=lambda run: joint_of(run.dump, "Slider:1")["linear"]["value"] == 3,
    ),
    "travel_has_a_flag_for_each_end": Guard(
        text="If definition.HasLinearPositionStartLimit Then listed",
        without="If definition.HasLinearPositionStartLimit AndAlso definition.HasLinearPositionEndLimit Then listed",
        assembly=lambda: one_sided(),  # noqa: PLW0108 defined below
        check=lambda run: run.dump["joints"][0]["linear"]["start"] == -1,
    ),
    "matrix_cells_count_from_one": Guard(
        text="placement.Cell(row, column)",
        without="placement.Cell(row - 1, column - 1)",
        assembly=lever,
        check=lambda run: len(run.dump["occurrences"]) == 2,
    ),
    "geometry_is_in_the_part": Guard(
        text="If Not IsProxy(face) Then",
        without="If False Then",
        assembly=lever,
        check=lambda run: abs(run.dump["joints"][0]["geometry"]["axis"][1] - 1) < 1e-9,
    ),
    "geometry_of_a_proxy_is_in_the_assembly": Guard(
        text="If Not IsProxy(face) Then",
        without="If True Then",
        assembly=with_options(lever, proxy_faces=True),
        check=lambda run: abs(run.dump["joints"][0]["geometry"]["axis"][1] - 1) < 1e-9,
    ),
    "bom_structure_that_is_left_to_the_document": Guard(
        text="    If own <> BOMStructureEnum.kDefaultBOMStructure Then Return own\n",
        without="    Return own\n",
        assembly=reference_by_its_document,
        check=lambda run: occurrence_of(run.dump, "Lever:1")["bom"] == "reference",
    ),
    "geometry_of_an_edge_has_other_names": Guard(
        text='"Center", ',
        without="",
        assembly=lever_on_an_edge,
        check=lambda run: run.dump["joints"][0]["geometry"] is not None,
    ),
    "geometry_of_a_ball_has_no_axis": Guard(
        text="        If axis IsNot Nothing Then joint",
        without="        joint",
        assembly=other_joints,
        check=lambda run: joint_of(run.dump, "Ball:1")["geometry"] is not None,
    ),
    "position_that_is_nothing": Guard(
        text="    If target.Parameter Is Nothing Then\n",
        without="    If False Then\n",
        assembly=lambda: lever(no_position=True),
        check=lambda run: len(run.dump["joints"]) == 1,
    ),
    # Moving
    "limits_are_stored_in_reverse": Guard(
        text="Return System.Math.Min(First.Value, Last.Value)",
        without="Return First.Value",
        assembly=lambda: lever(value=1.45, angular_limits=[1.5, -1.5]),
        check=lambda run: statuses(run.dump) == {"Rotational:1": "moved"},
    ),
    "limits_leave_room_on_one_side": Guard(
        text="        direction = -1\n",
        without="        direction = 1\n",
        assembly=lambda: lever(value=1.5),
        check=lambda run: statuses(run.dump) == {"Rotational:1": "moved"},
    ),
    "coupled_joint_does_not_move": Guard(
        text="If attempt > 1 Then SuppressOthers(run, joint)",
        without="",
        assembly=four_bar,
        check=lambda run: set(statuses(run.dump).values()) == {"moved"},
    ),
    "value_without_motion": Guard(
        text="If Not HasMoved(joint, samples(samples.Count - 1), sample) Then Exit For",
        without="",
        assembly=four_bar,
        check=all_true(four_bar),
    ),
    "noise_is_no_motion": Guard(
        text="    Return 0.0001\n",
        without="    Return 0.000001\n",
        assembly=with_options(four_bar, noise=3e-6),
        check=lambda run: all(joint["probe"]["others_suppressed"] for joint in run.dump["joints"]),
    ),
    "locked_joint_does_not_move": Guard(
        text="If joint.Locked Then joint.Joint.Locked = False",
        without="",
        assembly=lambda: lever(locked=True),
        check=lambda run: statuses(run.dump) == {"Rotational:1": "moved"},
    ),
    "protected_joint_does_not_move": Guard(
        text="If joint.IsProtected Then joint.Joint.Protected = False",
        without="",
        assembly=lambda: lever(protected=True),
        check=lambda run: statuses(run.dump) == {"Rotational:1": "moved"},
    ),
    "constrained_joint_does_not_move": Guard(
        text="If attempt > 2 Then SuppressHolding(run, joint)",
        without="",
        assembly=held_lever,
        check=lambda run: statuses(run.dump) == {"Rotational:1": "moved"},
    ),
    "screws_keep_their_constraints": Guard(
        text="        edges = kept\n",
        without="",
        assembly=held_lever,
        check=lambda run: screw_follows(run),  # noqa: PLW0108 defined below
    ),
    "loop_moves_by_its_drive_only": Guard(
        text="If joint.Coupled.Samples.Count < 2 Then ProbeCoupled(run, joint, True)",
        without="",
        assembly=four_bar,
        check=lambda run: joint_of(run.dump, "R1")["coupled_probe"]["status"] == "moved",
    ),
    "part_that_lags": Guard(
        text="If before IsNot Nothing AndAlso SamePoses(before, now, 0.0000000001) Then Return now",
        without="Return now",
        assembly=late_lever,
        check=all_true(late_lever),
    ),
    # Restoring
    "value_replaces_the_expression": Guard(
        text="Then place.Parameter.Expression = place.Expression",
        without="Then place.Parameter.Value = place.Value.Value",
        assembly=value_and_expression,
        check=is_as_it_was,
    ),
    "abort_that_keeps_values": Guard(
        text="        RestorePosition(run, joint, joint.Angular)\n",
        without="",
        assembly=with_options(four_bar, **KEEPS),
        check=is_as_it_was,
    ),
    "abort_that_keeps_suppressions": Guard(
        text="        If joint.Joint.Suppressed <> joint.Suppressed Then joint.Joint.Suppressed = joint.Suppressed\n",
        without="",
        assembly=with_options(four_bar, **KEEPS),
        check=is_as_it_was,
    ),
    "abort_that_keeps_locks": Guard(
        text="        If joint.Joint.Locked <> joint.Locked Then joint.Joint.Locked = joint.Locked\n",
        without="",
        assembly=with_options(lambda: lever(locked=True), **KEEPS),
        check=is_as_it_was,
    ),
    "abort_that_keeps_suppressed_constraints": Guard(
        text="If relation.Constraint.Suppressed <> relation.Suppressed "
        "Then relation.Constraint.Suppressed = relation.Suppressed",
        without="",
        assembly=with_options(held_lever, **KEEPS),
        check=is_as_it_was,
    ),
    "abort_that_keeps_drive_settings": Guard(
        text="        RestoreDrive(run, joint)\n",
        without="",
        assembly=with_options(four_bar, **KEEPS),
        check=is_as_it_was,
    ),
    "loop_does_not_return_by_a_value": Guard(
        text="    For index As Integer = samples.Count - 2 To start Step -1\n",
        without="    For index As Integer = start - 1 To start Step -1\n",
        assembly=with_options(four_bar, **KEEPS),
        check=is_as_it_was,
    ),
    "restored_after_a_member_that_fails": Guard(
        text="    Finally\n        RestoreAll(run)\n    End Try\n    Return samples",
        without="    Finally\n    End Try\n    Return samples",
        assembly=with_options(four_bar, **KEEPS),
        check=all_true(four_bar),
    ),
    "undo_list": Guard(
        text="        AbortChange(run, change)\n",
        without="        change.End()\n",
        assembly=lever,
        check=lambda run: run.report["undo"] == [],
    ),
    "undo_list_without_a_transaction": Guard(
        text='        change = run.App.TransactionManager.StartTransaction(run.Assembly, "URDF export")\n',
        without="",
        assembly=lever,
        check=lambda run: run.report["undo"] == [],
    ),
    "rules_on_events": Guard(
        text='        eventsWere = SwitchRules(run, "RulesOnEventsEnabled", False)\n',
        without="",
        assembly=lever,
        check=lambda run: run.report["event_rules"] == [],
    ),
    "rules_on_parameters": Guard(
        text='        rulesWere = SwitchRules(run, "RulesEnabled", False)\n',
        without="",
        assembly=lever,
        check=lambda run: run.report["event_rules"] == [],
    ),
    "rules_come_back": Guard(
        text='If rulesWere IsNot Nothing Then SwitchRules(run, "RulesEnabled", CBool(rulesWere))',
        without="",
        assembly=lever,
        check=is_as_it_was,
    ),
    "screen_comes_back": Guard(
        text="            run.App.ScreenUpdating = screenWas\n",
        without="",
        assembly=lever,
        check=is_as_it_was,
    ),
    "document_is_not_marked_as_changed": Guard(
        text="            If SameAsStart(run) Then run.Assembly.Dirty = dirtyWas\n",
        without="",
        assembly=lever,
        check=is_as_it_was,
    ),
    # Writing
    "decimal_comma": Guard(
        text="Dim culture As System.Globalization.CultureInfo = System.Globalization.CultureInfo.InvariantCulture",
        without="Dim culture As System.Globalization.CultureInfo = System.Globalization.CultureInfo.CurrentCulture",
        assembly=japanese_arm,
        check=is_json,
    ),
    "decimal_comma_in_a_drive": Guard(
        text="drive.StartValue = JsonWriter.NumberText(value) & unit",
        without="drive.StartValue = value.ToString() & unit",
        assembly=with_options(four_bar, decimal_comma=True),
        check=lambda run: joint_of(run.dump, "R2")["coupled_probe"]["status"] == "moved",
    ),
    "byte_order_mark": Guard(
        text="New System.Text.UTF8Encoding(False)",
        without="New System.Text.UTF8Encoding(True)",
        assembly=lever,
        check=lambda run: not run.dump_file.read_bytes().startswith(b"\xef\xbb\xbf"),
    ),
    "quotation_marks_in_names": Guard(
        text='                    Case """"c\n                        text.Append("\\""")\n',
        without="",
        assembly=japanese_arm,
        check=is_json,
    ),
    "mesh_in_centimetres": Guard(
        text='        SetChoice(run, choices, "ExportUnits", 6)\n',
        without="",
        assembly=lever,
        check=lambda run: triangles_of(run.dump_file.parent / "Base.stl").max() < 0.051,
    ),
    "translator_that_sleeps": Guard(
        text="    If Not translator.Activated Then translator.Activate()\n",
        without="",
        assembly=lever,
        check=lambda run: run.dump["messages"] == [],
    ),
    "context_without_a_type": Guard(
        text="    context.Type = IOMechanismEnum.kFileBrowseIOMechanism\n",
        without="",
        assembly=lever,
        check=lambda run: run.dump["messages"] == [],
    ),
    "mesh_outside_of_the_transaction": Guard(
        text="        ProbeVerify(run)\n    Catch",
        without="        ProbeVerify(run)\n        ExportMeshes(run)\n    Catch",
        assembly=lever,
        check=lambda run: run.report["exports_inside_transaction"] == [],
    ),
    "mesh_of_an_earlier_run": Guard(
        text="        If System.IO.File.Exists(path) Then System.IO.File.Delete(path)\n",
        without="",
        assembly=stale_mesh,
        check=lambda run: occurrence_of(run.dump, "Lever:1")["mesh"] is None,
    ),
    "long_text_in_a_message_box": Guard(
        text='    Dim text As String = "OK: continue. Cancel: stop and mend these first." & vbCrLf\n',
        without='    Dim text As String = New String("-"c, 1000) & "OK: continue. Cancel: stop."\n',
        assembly=parts.troubled,
        check=lambda run: "Cancel: stop" in run.report["messages"][0],
    ),
}


def one_sided() -> Assembly:
    machine = lever()
    machine.joints.clear()
    machine.join("Slider:1", "slide", "Lever:1", "Base:1", machine.start["Base:1"], linear_limits=[-1.0, None])
    return machine


def screw_follows(run: Run) -> bool:
    """The screw is seen from the lever in one place in all samples."""
    samples = run.dump["joints"][0]["probe"]["samples"]
    machine = held_lever()
    return all(
        abs(sample["transforms"]["Screw:1"][i][3] - machine.poses({"Rotational:1": sample["value"]})["Screw:1"][i, 3])
        < 1e-6
        for sample in samples
        for i in range(3)
    )


@pytest.fixture(scope="module")
def without(inventor: SimulatedInventor, rule_text: str) -> Path:
    """The rule without each of its guards, compiled in one go, and the rule as it is."""
    variants = {"Rule": rule_text}
    for name, guard in GUARDS.items():
        assert rule_text.count(guard.text) >= 1, f"{name}: the guard is not in the rule"
        variants[name] = rule_text.replace(guard.text, guard.without)
    return inventor.compile(variants)


@pytest.mark.parametrize("name", GUARDS)
def test_check_holds_with_the_guard_and_fails_without_it(
    inventor: SimulatedInventor, without: Path, tmp_path: Path, name: str
) -> None:
    """Tried by taking the guard out: the check that the rule passes fails without it."""
    guard = GUARDS[name]
    results = []
    for variant in ("Rule", name):
        assembly = guard.assembly()
        folder = tmp_path / variant
        for stale in assembly.options.get("stale", ()):
            (folder / stale).parent.mkdir(parents=True)
            (folder / stale).write_bytes(bytes(134))
        run = inventor.run(without, assembly.as_json(), folder, variant=variant)
        assert run.report["failure"] == ""
        results.append(guard.check(run))
    assert results == [True, False]
