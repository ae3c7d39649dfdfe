"""The rule's text compiles in every release; the harness refuses what iLogic refuses."""

from __future__ import annotations

import pytest

from ilogic.simulated import SimulatedInventor
from ilogic.toolchain import ToolchainError

SKELETON = "Sub Main()\n{}\nEnd Sub\n"


@pytest.mark.parametrize("year", [2019, 2022, 2023, 2026])
def test_one_text_compiles_in_every_release(inventor: SimulatedInventor, rule_text: str, year: int) -> None:
    inventor.compile(rule_text, year=year)


def test_older_releases_speak_visual_basic_9(inventor: SimulatedInventor, rule_text: str) -> None:
    inventor.compile(rule_text, language="9")


def test_every_name_is_declared(inventor: SimulatedInventor, rule_text: str) -> None:
    """iLogic declares what is not: a slip of the pen would be a new, empty variable."""
    inventor.compile(rule_text, explicit=True)


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ('Dim text As String = $"{1}"', "BC36716"),
        ("Dim text As Object = ThisDoc?.Document", "BC36716"),
        ("Dim d1 As Double = 3", "BC"),
        ("For D12 = 1 To 3 : Next", "BC"),
        ("Dim bare As Path", "BC30561"),
        ("MessageBox.Show(1)", "BC30451"),
        ("Dim joint As AssemblyJoint : Dim flag = joint.Definition.HasLinearPositionLimits", "BC30456"),
        ("Dim occurrence As ComponentOccurrence : Dim owner = occurrence.ContainingOccurrence", "BC30456"),
        ("Dim definition As ComponentDefinition : Dim weight = definition.MassProperties", "BC30456"),
        ("Dim definition As ComponentDefinition : Dim bodies = definition.SurfaceBodies", "BC30456"),
        ("Dim intent As GeometryIntent : Dim axis = intent.AxisVector", "BC30456"),
    ],
)
def test_what_ilogic_or_the_api_refuse_fails_the_build(inventor: SimulatedInventor, line: str, error: str) -> None:
    header = "Imports System.IO\n" if "Path" in line else ""
    with pytest.raises(ToolchainError, match=error):
        inventor.compile(header + SKELETON.format(line), explicit="MessageBox" in line)


def test_names_in_strings_and_comments_are_no_parameters(inventor: SimulatedInventor) -> None:
    inventor.compile(SKELETON.format('Dim text As String = "d1" \' not d2'))


def test_body_mass_properties_are_unknown_before_2023(inventor: SimulatedInventor) -> None:
    source = SKELETON.format("Dim weight As SurfaceBodyMassProperties = Nothing")
    inventor.compile(source, year=2023)
    with pytest.raises(ToolchainError, match="BC30002"):
        inventor.compile(source, year=2022)
