"""Whole processes, from the shell's call to their end, against xacro and xacrodoc expanding the same arm."""

from __future__ import annotations

import json

import numpy as np
import pytest
from inputs import PUMA, dump_of_turning_arm, xacro_of
from races import Rival

from command_line import run
from mdh2urdf.share import share_directory
from mdh2urdf.source import read_source

ROUNDS = 25
FEW_ROUNDS = 9


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The arm as a xacro file with the macro that people copy, as ours, as a URDF, and as a CAD assembly's dump."""
    folder = tmp_path_factory.mktemp("arm")
    table = read_source(str(PUMA)).model
    rows = [(j.row.a_prev, np.degrees(j.row.alpha_prev), j.row.d, np.degrees(j.row.theta)) for j in table.joints]
    (folder / "copied.xacro").write_text(xacro_of([tuple(map(float, row)) for row in rows]))
    assert run(PUMA, "--quiet", "-o", folder / "arm.urdf").status == 0
    assert run(PUMA, "--quiet", "-o", folder / "arm.xacro").status == 0
    (folder / "ours.xacro").write_text(
        '<robot name="cell" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="arm.xacro"/>'
        '<link name="world"/><xacro:puma560 parent="world"><origin/></xacro:puma560></robot>'
    )
    (folder / "arm.json").write_text(json.dumps(dump_of_turning_arm(6)))
    return folder


@pytest.fixture
def rivals(installed, folder):
    """xacro and xacrodoc on the copied macro."""
    return {
        "xacro": Rival(installed.command("xacro", folder / "copied.xacro")),
        "xacrodoc": Rival(installed.command("xacrodoc", folder / "copied.xacro")),
    }


def test_import_of_the_package(race, installed):
    bare = Rival(installed.command("python", "-c", "pass"), most=2.5)
    race(
        installed.command("python", "-c", "import mdh2urdf"),
        {"a bare interpreter": bare},
        rounds=ROUNDS,
        what="`import mdh2urdf`",
    )


def test_convert_to_urdf(race, installed, rivals):
    bare = {"a bare interpreter": Rival(installed.command("python", "-c", "pass"))}
    xacro = {"xacro": Rival(rivals["xacro"].run, most=3.2)}
    race(
        installed.command("mdh2urdf", PUMA), {**rivals, **xacro, **bare}, rounds=ROUNDS, what="`mdh2urdf puma560.yaml`"
    )


def test_convert_to_xacro(race, installed, rivals):
    race(
        installed.command("mdh2urdf", PUMA, "--format", "xacro"),
        rivals,
        rounds=FEW_ROUNDS,
        what="`mdh2urdf puma560.yaml --format xacro`",
    )


def test_xacro_on_what_we_write(race, installed, folder, rivals):
    share = f"mdh2urdf_share:={share_directory()}"
    race(
        installed.command("xacro", folder / "ours.xacro", share),
        rivals,
        rounds=FEW_ROUNDS,
        what="`xacro` on the written macro",
    )


def test_fit(race, installed, folder, rivals):
    race(installed.command("mdh2urdf", "fit", folder / "arm.urdf"), rivals, rounds=FEW_ROUNDS, what="`mdh2urdf fit`")


def test_inventor(race, installed, folder, rivals):
    arguments = ["inventor", folder / "arm.json", "-o", folder / "cad.urdf"]
    defaults = "effort=1,velocity=1"
    race(
        installed.command("mdh2urdf", *arguments, "--joint-defaults", defaults),
        rivals,
        rounds=FEW_ROUNDS,
        what="`mdh2urdf inventor`",
    )


STEPS = {
    "Python": "pass",
    "+ typer": "import typer",
    "+ PyYAML": "import typer, yaml",
    "+ lxml": "import typer, yaml, lxml.etree",
    "+ our tables and robots": "import typer, yaml, lxml.etree, mdh2urdf.table",
    "+ our other modules": "import typer, yaml, lxml.etree, mdh2urdf.cli.convert, mdh2urdf.emit, "
    "mdh2urdf.table_file.reader, mdh2urdf.urdf.writer",
}
"""What a conversion has to load, one after the other; the rest of its time is the conversion."""


@pytest.mark.parametrize("step", STEPS)
def test_where_a_conversion_spends_its_time(race, installed, step):
    code = f"import gc; gc.set_threshold(100_000); {STEPS[step]}"
    whole = {"the whole conversion": Rival(installed.command("mdh2urdf", PUMA))}
    race(installed.command("python", "-c", code), whole, rounds=FEW_ROUNDS, what=f"start, {step}")
