"""The documents: their tables convert, their commands run, their matrices are the rows, their figures are current."""

from __future__ import annotations

import importlib.util
import math
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import oracles
from mdh2urdf import __version__
from mdh2urdf.convert import check_expected_poses
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.share import share_directory
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.table_file.text_columns import FIELDS, Column, column
from readers import require_module

ROOT = Path(__file__).parents[1]
PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
OTHER_PAGES = (ROOT / "robots" / "README.md", *sorted((ROOT / "ilogic").glob("*.md")), ROOT / "CHANGELOG.md")
PROGRAMS = {"mdh2urdf": "from mdh2urdf.cli import main; main()", "xacro": "from xacro import main; main()"}
"""What the commands of a page call."""


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def named(cases: list[tuple[Path, str]]) -> dict:
    counted: dict[str, int] = {}
    ids = []
    for page, _ in cases:
        counted[page.name] = counted.get(page.name, 0) + 1
        ids.append(f"{page.name}-{counted[page.name]}")
    return {"argvalues": cases, "ids": ids}


TABLES = [(page, block) for page in PAGES for block in blocks(page, "yaml") if "joints:" in block]
COMMANDS = {
    page: [line for block in blocks(page, "bash") for line in block.splitlines() if line.startswith((*PROGRAMS,))]
    for page in PAGES
}


@pytest.mark.parametrize(("page", "block"), **named(TABLES))
def test_a_table_in_a_document_reads_holds_its_poses_and_converts(page: Path, block: str):
    table, _ = read_table(block, file=page.name)
    check_expected_poses(table, page.name)
    text = emit(table, ConvertOptions()).text
    q = [0.1 * (index + 1) for index in range(len(table.moving_joints))]
    poses = oracles.urdf_fk(text, dict(zip((joint.name for joint in table.moving_joints), q, strict=True)))
    last = poses[table.joints[-1].link] if table.tool is None else poses[table.tool.link]
    if "tool0" in poses:
        last = poses["tool0"]
    np.testing.assert_allclose(last, oracles.table_poses(table, q)["tool"], atol=1e-12)


def test_the_text_tables_in_the_documents_convert():
    texts = [block for page in PAGES for block in blocks(page, "csv")]
    assert texts
    for text in texts:
        table, findings = read_table(text, file="table.csv", form="text")
        assert findings == []
        assert emit(table, ConvertOptions()).text.count("<limit ") == len(table.moving_joints)


def test_the_page_of_the_table_file_lists_every_column_of_a_text_table():
    page = (ROOT / "docs" / "table-format.md").read_text(encoding="utf-8")
    listed = re.findall(r"`([^`]+)`", page.partition("| column | headings |")[2].partition("\n\n")[0])
    known = {heading for headings in FIELDS.values() for heading in headings} - {"", "no.", "q_offset"}
    assert known <= set(listed)
    assert all(isinstance(column(heading, 0), Column) for heading in set(listed) - {"R", "P", "F", "2", "joint2"})


def save_files(page: Path, folder: Path) -> None:
    """The blocks of a page whose first line, or the one after the XML header, is a comment with a file's name."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```(?:ini|text|xml|yml)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        name = re.match(r"(?:<\?xml.*\n<!-- |# )([\w.]+\.\w+)(?: -->)?\n", block)
        if name:
            (folder / name[1]).write_text(block, encoding="utf-8")


@pytest.mark.parametrize("page", [page for page in PAGES if COMMANDS[page]], ids=lambda page: page.name)
def test_the_commands_in_a_document_run_one_after_the_other(page: Path, tmp_path: Path):
    shutil.copytree(ROOT / "robots", tmp_path / "robots")
    shutil.copytree(ROOT / "docs" / "sample", tmp_path / "docs" / "sample")
    save_files(page, tmp_path)
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, code in PROGRAMS.items():
        script = programs / name
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -c "{code}" "$@"\n')
        script.chmod(0o755)
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PATH": f"{programs}:{os.environ['PATH']}"}
    drawings = [line for line in COMMANDS[page] if line.startswith("mdh2urdf draw ")]
    can_draw = importlib.util.find_spec("matplotlib") is not None
    for line in COMMANDS[page]:
        if line in drawings and not can_draw:
            continue
        done = subprocess.run(["/bin/sh", "-c", line], cwd=tmp_path, env=environment, capture_output=True, check=False)
        assert (done.returncode, b"Traceback" in done.stderr) == (0, False), f"{line}\n{done.stderr.decode()}"
        arguments = shlex.split(line)
        if "-o" in arguments:
            assert (tmp_path / arguments[arguments.index("-o") + 1]).stat().st_size > 100
        else:
            assert done.stdout or done.stderr
    if drawings:
        require_module("matplotlib")


def test_the_python_of_the_readme_runs(monkeypatch):
    (code,) = blocks(ROOT / "README.md", "python")
    monkeypatch.chdir(ROOT)
    names: dict = {}
    exec(code, names)
    assert names["poses"].shape == (100_000, 4, 4)
    assert names["xyz"].shape == names["rpy"].shape == (1, 3)


def test_every_document_has_examples_that_run():
    assert len(TABLES) >= 8
    assert {page.name for page in PAGES if COMMANDS[page]} >= {
        *("README.md", "formats.md", "inventor.md", "ros.md", "sources.md", "table-format.md")
    }


def expand(text: str, folder: Path) -> str:
    import xacro

    path = folder / "arm.xacro"
    path.write_text(text, encoding="utf-8")
    mappings = {"mdh2urdf_share": str(share_directory())}
    return xacro.process_file(str(path), mappings=mappings).toxml()


def test_the_generated_macro_of_the_ros_page_expands(tmp_path: Path):
    text = next(block for block in blocks(ROOT / "docs" / "ros.md", "xml") if "xacro:puma560" in block)
    table, _ = read_table((ROOT / "robots" / "puma560.yaml").read_text(encoding="utf-8"))
    macro = emit(table, ConvertOptions(format="xacro")).text
    (tmp_path / "puma560.xacro").write_text(macro, encoding="utf-8")
    poses = oracles.urdf_fk(expand(text, tmp_path), {})
    wrist = oracles.table_poses(table, [0.0] * 6)["tool"]
    np.testing.assert_allclose(poses["left_link6"], oracles.shift(0, 0.4, 0.8) @ wrist, atol=1e-12)
    np.testing.assert_allclose(poses["right_link6"], oracles.shift(0, -0.4, 0.8) @ wrist, atol=1e-12)


def test_the_hand_written_joints_of_the_ros_page_expand(tmp_path: Path):
    text = next(block for block in blocks(ROOT / "docs" / "ros.md", "xml") if "two_joints" in block)
    poses = oracles.urdf_fk(expand(text, tmp_path), {"joint1": 0.4, "joint2": -0.3})
    expected = oracles.modified_row(0, 0, 0.267, 0.4)
    expected = expected @ oracles.modified_row(0, -math.pi / 2, 0, math.radians(-79.35) - 0.3)
    np.testing.assert_allclose(poses["link2"], expected, atol=1e-12)


def printed_matrix(first_entry: str, values: dict[str, float]) -> np.ndarray:
    """The matrix of conventions.md whose first entry is this, with values put in."""
    page = (ROOT / "docs" / "conventions.md").read_text(encoding="utf-8")
    matrices = re.findall(r"^```\n(\|.*?)^```", page, re.DOTALL | re.MULTILINE)
    text = next(block for block in matrices if block.strip("| \n").startswith(first_entry))
    rows = []
    for line in text.splitlines():
        joined = re.sub(r"\s+([-+])\s+", r"\1", line.strip("| "))
        names = {"_": "", "{": "", "}": ""}
        cells = ["".join(names.get(letter, letter) for letter in cell) for cell in joined.split()]
        cells = [cell.replace("ai-1", "a_prev").replace("ai", "a_own").replace("di", "d_own") for cell in cells]
        rows.append([eval(cell, {"__builtins__": {}}, values) for cell in cells])
    return np.array(rows, dtype=float)


ROW = {"a_prev": 0.3, "a_own": 0.3, "d_own": 0.7}
ROW |= {"ca": math.cos(0.4), "sa": math.sin(0.4), "ct": math.cos(-1.1), "st": math.sin(-1.1)}


def test_the_modified_matrix_on_the_conventions_page_is_the_product():
    np.testing.assert_allclose(
        printed_matrix("ct      -st", ROW), oracles.modified_row(0.3, 0.4, 0.7, -1.1), atol=1e-15
    )


def test_the_standard_matrix_on_the_conventions_page_is_the_product():
    np.testing.assert_allclose(
        printed_matrix("ct   -st*ca", ROW), oracles.standard_row(0.3, 0.4, 0.7, -1.1), atol=1e-15
    )


def test_the_rpy_matrix_on_the_conventions_page_is_the_product():
    turns = {"r": 0.3, "p": -0.8, "y": 2.1}
    values = {f"c{name}": math.cos(angle) for name, angle in turns.items()}
    values |= {f"s{name}": math.sin(angle) for name, angle in turns.items()}
    expected = oracles.rpy_matrix(turns["r"], turns["p"], turns["y"])[:3, :3]
    np.testing.assert_allclose(printed_matrix("cy*cp", values), expected, atol=1e-15)


def figures():
    path = ROOT / "docs" / "figures" / "draw_rows.py"
    specification = importlib.util.spec_from_file_location("draw_rows", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module.FIGURES


@pytest.mark.parametrize("name", ["rows.svg", "branches.svg"])
def test_a_figure_is_what_its_script_draws(name: str):
    assert (ROOT / "docs" / "figures" / name).read_text(encoding="utf-8") == figures()[name]()


@pytest.mark.parametrize("page", [*PAGES, *OTHER_PAGES], ids=lambda page: f"{page.parent.name}-{page.name}")
def test_links_between_documents_lead_somewhere(page: Path):
    for target in re.findall(r"\]\((?!https?://)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_links_to_sections_lead_to_a_heading():
    for page in (*PAGES, *OTHER_PAGES):
        for target, anchor in re.findall(r"\]\((?!https?://)([^)#]*)#([^)]+)\)", page.read_text(encoding="utf-8")):
            text = (page.parent / target if target else page).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings]


def test_the_ros_manifest_parses_and_has_the_version_of_the_package():
    parser = require_module("catkin_pkg.package")
    package = parser.parse_package(str(ROOT / "package.xml"))
    package.validate()
    assert (package.name, package.version) == ("mdh2urdf", __version__)
    assert package.get_build_type() == "ament_cmake"


def test_cmake_installs_what_find_has_to_find():
    text = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    assert "install(DIRECTORY macros robots DESTINATION share/${PROJECT_NAME})" in text
    assert "ament_package()" in text
    assert (ROOT / "resource" / "mdh2urdf").read_bytes() == b""


def test_the_changelog_has_an_entry_for_what_is_not_released():
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
