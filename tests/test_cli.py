import importlib
import json
import math
import os
import pkgutil
import re
import runpy
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import numpy as np
import pytest
import xacro
import yaml

import calibrations
import mdh2urdf
import oracles
from command_line import ROBOTS, Outcome, run
from mdh2urdf.cli import main
from mdh2urdf.cli.app import COMMANDS, app

PUMA = ROBOTS / "puma560.yaml"
BARE = """\
name: two
convention: modified
units: {angle: deg, length: mm}
parameters: {L2: 300}
joints:
  - {name: j1, a: 0, alpha: 0, d: 100, theta: 0, limits: {lower: -90, upper: 90, velocity: 90, effort: 5}}
  - {name: j2, a: L2, alpha: 90, d: 0, theta: q - 90, limits: {lower: 10, upper: 90, velocity: 90, effort: 5}}
"""


@pytest.fixture
def table(tmp_path):
    path = tmp_path / "two.yaml"
    path.write_text(BARE)
    return path


def test_a_source_alone_is_converted(table):
    done = run(table)
    assert done.status == 0
    assert oracles.urdf_fk(done.out, {})["link2"][:3, 3].tolist() == pytest.approx([0.3, 0.0, 0.1])
    assert done.err == (
        "no mass data: link1, link2; Gazebo and MuJoCo need them: give them under `links:`, "
        "or convert with --placeholder-inertia\n"
    )


def test_convert_may_be_said(table):
    assert run("convert", table).out == run(table).out
    assert run("--quiet", table).out == run(table).out


def test_quiet_silences_findings_but_not_errors(table, tmp_path):
    assert run(table, "--quiet").err == ""
    assert (
        run(tmp_path / "no.yaml", "--quiet").err == f"{tmp_path}/no.yaml: cannot be read: No such file or directory\n"
    )


def test_the_same_input_gives_the_same_bytes_without_the_path_of_the_file(table):
    assert run(table).out == run(table).out
    assert str(table.parent) not in run(table).out


def test_a_robot_of_the_catalogue_is_converted_by_name_unless_a_file_has_the_name(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("puma560", "--quiet").out == run(PUMA, "--quiet").out
    Path("puma560").write_text(BARE)
    assert '<robot name="two">' in run("puma560").out


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("puma561", "did you mean puma560, puma560_akb, puma560_corke? `mdh2urdf list` names all"),
        ("KR6", "did you mean kr6_r700_sixx? `mdh2urdf list` names all"),
        ("nothing_of_this_kind", "`mdh2urdf list` names all"),
    ],
)
def test_a_name_that_is_neither_file_nor_robot_is_told_with_the_nearest(name, hint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    told = f"{name}: no such file, and no robot of the catalogue; {hint}\n"
    assert run(name) == Outcome(2, "", told)


def test_a_mistyped_command_is_told_with_the_nearest_one(table):
    done = run("chek", table)
    assert (done.status, done.out) == (2, "")
    assert done.err.endswith("Error: there is no command 'chek'; did you mean 'check'?\n")


@pytest.mark.parametrize("first", ["TABLE", "check.yaml"])
def test_a_second_file_is_told_to_go_to_the_output(first, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = table.name if first == "TABLE" else first
    Path("check.yaml").write_text(BARE)
    done = run(first, "arm.urdf")
    told = f"one SOURCE is converted, and here are two: {first!r} and 'arm.urdf'. The output goes to -o FILE"
    assert (done.status, done.err.splitlines()[-1]) == (2, f"Error: {told}")


def test_a_xacro_that_only_defines_macros_is_told_so(table, tmp_path):
    macro = tmp_path / "macro.xacro"
    assert run(table, "-o", macro, "--quiet").status == 0
    told = f"{macro}: makes no link by itself: it only defines macros; name a file that calls one, or the table\n"
    for command in ("convert", "check", "fit"):
        assert run(command, macro) == Outcome(2, "", told)


@pytest.mark.parametrize(
    ("suffix", "root"), [("urdf", "<robot name="), ("xacro", "<robot xmlns:xacro="), ("yaml", "kinematics:")]
)
def test_the_suffix_of_the_output_chooses_the_format(table, tmp_path, suffix, root):
    target = tmp_path / f"out.{suffix}"
    assert run(table, "-o", target).status == 0
    assert root in target.read_text()


def test_format_wins_over_the_suffix(table, tmp_path):
    target = tmp_path / "out.txt"
    assert run(table, "-o", target, "--format", "xacro").status == 0
    assert "xacro:macro" in target.read_text()


def test_name_and_prefix_go_into_the_urdf(table):
    out = run(table, "--name", "left", "--prefix", "l_").out
    assert '<robot name="left">' in out
    assert '<joint name="l_j1"' in out


def test_a_parameter_can_be_set(table):
    out = run(table, "--set", "L2=100 * 2").out
    assert oracles.urdf_fk(out, {})["link2"][0, 3] == pytest.approx(0.2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--set", "L2"], "--set wants NAME=EXPR, got 'L2'"),
        (["--set", "=3"], "--set wants NAME=EXPR, got '=3'"),
        (["--reference-rpy", "1,2"], "--reference-rpy wants three numbers with commas between, got '1,2'"),
        (["--reference-rpy", "1,2,nan"], "--reference-rpy wants three finite numbers, got '1,2,nan'"),
        (["--placeholder-inertia", "0"], "--placeholder-inertia wants a positive mass in kg, got 0"),
        (
            ["--format", "xacro", "--prefix", "p"],
            "--prefix does not go with --format xacro: the macro takes a prefix when it is called",
        ),
        (
            ["--format", "xacro", "--world"],
            "--world does not go with --format xacro: the macro takes a parent link when it is called",
        ),
        (
            ["--format", "origins", "--world"],
            "--world does not go with --format origins: a kinematics file holds origins only",
        ),
        (["--inline-macro"], "--inline-macro does not go with --format urdf: only a xacro file includes the macro"),
        (["--macro-path", "x"], "--macro-path does not go with --format urdf: only a xacro file includes the macro"),
        (["--layout", "ur"], "--layout does not go with --format urdf: it orders the rows of a kinematics file"),
        (
            ["--format", "xacro", "--inline-macro", "--macro-path", "x"],
            "--macro-path and --inline-macro contradict each other",
        ),
        (
            ["--format", "origins", "--ros2-control", "--geometry", "sticks", "--placeholder-inertia", "1"],
            "--ros2-control does not go with --format origins: a kinematics file holds origins only\n"
            "--geometry sticks does not go with --format origins: a kinematics file holds origins only\n"
            "--placeholder-inertia does not go with --format origins: a kinematics file holds origins only",
        ),
        (["--nominal", str(ROBOTS.parent / "macros" / "dh_to_origin.xacro")], None),
    ],
)
def test_options_that_cannot_be_followed_are_one_line_each(table, tmp_path, options, message):
    target = tmp_path / "out.txt"
    done = run(table, "-o", target, *options)
    assert (done.status, done.out) == (2, "")
    assert message is None or done.err == message + "\n"
    assert not target.exists()


def test_unknown_options_and_choices_are_usage_errors(table):
    assert run(table, "--fromat", "urdf").status == 2
    assert run(table, "--format", "usd").status == 2
    assert run("fit").status == 2


def test_the_macro_file_its_folder_and_the_catalogue_are_printed():
    share = run("share")
    macro = Path(share.out.strip()) / "macros" / "dh_to_origin.xacro"
    assert run("macro").out == macro.read_text()
    names = [line.split()[0] for line in run("list").out.splitlines()]
    assert names == sorted(path.stem for path in ROBOTS.glob("*.yaml"))


def test_version_and_help_are_answered_before_anything_else():
    assert run("--version").out == f"mdh2urdf {mdh2urdf.__version__}\n"
    assert "Commands:" in run("--help").out
    assert "Commands:" in run().out + run().err


def test_stdin_is_read_where_its_form_is_said(table):
    assert run("-", "--from", "yaml", stdin=BARE.encode()).out == run(table).out
    forms = "yaml, csv, vendor, screws, urdf, xacro, mjcf, sdf, dump"
    assert run("-").err == f"reading from standard input needs --from: {forms}\n"
    assert run("-", "--from", "yaml", stdin=b"\xff").err == "standard input:1: is not UTF-8 text\n"
    assert run("-", "--from", "xacro").err == "--from xacro needs a file: what it includes lies beside it\n"


def test_a_text_table_takes_convention_and_units_from_options(tmp_path):
    path = tmp_path / "arm.csv"
    path.write_text("joint,a,alpha,d,theta\nj1,0,0,100,0\nj2,300,90,0,-90\n")
    done = run(path, "--convention", "modified", "--angle", "deg", "--length", "mm")
    assert done.status == 0
    assert oracles.urdf_fk(done.out, {})["link2"][:3, 3].tolist() == pytest.approx([0.3, 0.0, 0.1])


def test_options_of_tables_are_refused_for_other_sources(table, tmp_path):
    urdf = tmp_path / "two.urdf"
    urdf.write_text(run(table).out)
    done = run(urdf, "--convention", "modified", "--set", "L2=1")
    assert done.err == (
        f"{urdf}: --convention goes with a table, this is read as urdf\n"
        f"{urdf}: --set goes with a table, this is read as urdf\n"
    )
    assert run(urdf, "--nominal", PUMA).err == f"{urdf}: --nominal goes with a table or a vendor file\n"
    assert run(table, "--nominal", urdf).err == f"{urdf}: --nominal wants a table, this is a robot description\n"


def test_a_urdf_is_written_again_with_the_same_poses(table, tmp_path):
    urdf = tmp_path / "two.urdf"
    urdf.write_text(run(table).out)
    again = run(urdf, "--format", "xacro", "--inline-macro", "-o", tmp_path / "two.xacro")
    assert again.status == 0
    top = tmp_path / "top.xacro"
    top.write_text(
        '<robot name="top" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="two.xacro"/>'
        '<link name="w"/><xacro:two parent="w"><origin/></xacro:two></robot>'
    )
    expanded = xacro.process_file(str(top)).toxml()
    q = {"j1": 0.3, "j2": -0.4}
    assert (
        oracles.position_error(oracles.urdf_fk(expanded, q)["link2"], oracles.urdf_fk(run(table).out, q)["link2"])
        < 1e-15
    )


def test_a_missed_published_pose_writes_nothing_unless_told(table, tmp_path):
    table.write_text(BARE + "expect:\n  - {q: [0, 0], xyz: [300, 0, 99]}\n")
    target = tmp_path / "out.urdf"
    done = run(table, "-o", target)
    assert done.status == 1
    assert done.err == f"{table}: expect[0]: position is off by 0.001 m (the rows give [0.3, 0, 0.1] m)\n"
    assert not target.exists()
    assert run(table, "-o", target, "--no-expect").status == 0
    assert target.exists()


def test_strict_makes_findings_errors(table, tmp_path):
    target = tmp_path / "out.urdf"
    done = run(table, "--strict", "-o", target)
    assert done.status == 1
    assert "no mass data" in done.err
    assert not target.exists()


def test_strict_lets_pass_what_was_asked_for(table):
    done = run(table, "--strict", "--placeholder-inertia", "1")
    assert done.status == 0
    assert done.err == "placeholder spheres of 1 kg: link1, link2\n"
    ball = "links: {tool0: {visual: [{geometry: {sphere: {radius: 9}}}]}}\n"
    table.write_text(BARE + "tool: {a: 0, alpha: 0, d: 50, theta: 0}\n" + ball)
    merged = run(table, "--strict", "--placeholder-inertia", "1", "--merge-fixed")
    assert merged.status == 0
    assert merged.err == "link2: took in tool0\nplaceholder spheres of 1 kg: link1, link2\n"


def test_the_report_is_json(table, tmp_path):
    report = tmp_path / "report.json"
    run(table, "-o", tmp_path / "out.urdf", "--report", report)
    content = json.loads(report.read_text())
    assert content["source"] == str(table)
    assert content["findings"][0]["rule"] == "no-mass"
    assert content["moved_frames"] == {}


def test_additions_go_into_the_urdf(table):
    out = run(table, "--world", "--ros2-control", "--placeholder-inertia", "2", "--geometry", "sticks").out
    assert '<link name="world"/>' in out
    assert '<ros2_control name="two" type="system">' in out
    assert "placeholder, not measured: a solid sphere of 2 kg" in out
    assert "<cylinder" in out


def test_a_reference_chooses_between_the_two_triples(table):
    out = run(table, "--reference-rpy", "0,3,0").out
    pitches = [float(pitch) for pitch in re.findall(r'rpy="\S+ (\S+) ', out)]
    assert len(pitches) == 2
    assert all(abs(pitch) > 1.57 for pitch in pitches)
    q = {"j1": 0.3}
    assert oracles.rotation_error(oracles.urdf_fk(out, q)["link2"], oracles.urdf_fk(run(table).out, q)["link2"]) < 1e-15


def test_fit_writes_a_table_that_converts_back(table, tmp_path):
    fitted = tmp_path / "fitted.yaml"
    urdf = tmp_path / "two.urdf"
    run(table, "-o", urdf)
    done = run("fit", urdf, "--units", "mm,deg", "-o", fitted, "--like", table)
    assert done.status == 0
    assert "the table misses the source by at most" in done.err
    q = {"j1": 0.3, "j2": -0.4}
    back, first = oracles.urdf_fk(run(fitted).out, q), oracles.urdf_fk(urdf.read_text(), q)
    assert oracles.position_error(back["link2"], first["link2"]) < 1e-12


def test_fit_reports_as_json(table, tmp_path):
    report = tmp_path / "report.json"
    assert run("fit", table, "--report", report, "--quiet").status == 0
    assert json.loads(report.read_text())["fit"]["position_error"] < 1e-12


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--units", "deg,deg"], "--units wants one of rad, deg and one of m, cm, mm, in, as deg,mm; got 'deg,deg'\n"),
        (["--units", "ft"], "--units wants one of rad, deg and one of m, cm, mm, in, as deg,mm; got 'ft'\n"),
        (["--angle-tolerance", "-1"], "--angle-tolerance wants a number of 0 or more, got -1.0\n"),
        (["--length-tolerance", "nan"], "--length-tolerance wants a number of 0 or more, got nan\n"),
    ],
)
def test_fit_refuses_options_that_make_no_sense(table, options, message):
    done = run("fit", table, *options)
    assert (done.status, done.err) == (2, message)


def test_fit_takes_one_unit_and_keeps_the_other(table):
    assert "units: {angle: deg, length: m}" in run("fit", table, "--units", "deg").out


def test_fit_to_a_table_keeps_source_license_notes_and_fields_of_ones_own(tmp_path):
    source = tmp_path / "two.yaml"
    remarks = "source: manual, 2024\nlicense: CC0\nnotes: [from the drawing]\nx-serial: 7\n"
    links = "links:\n  link2: {x-colour: red}\n"
    source.write_text(remarks + BARE.replace("name: j1,", "name: j1, x-cable: A1,") + links)
    fitted = yaml.safe_load(run("fit", source, "--convention", "standard").out)
    assert {key: fitted.get(key) for key in ("source", "license", "notes", "x-serial")} == {
        "source": "manual, 2024",
        "license": "CC0",
        "notes": ["from the drawing"],
        "x-serial": 7,
    }
    assert [row.get("x-cable") for row in fitted["joints"]] == ["A1", None]
    assert fitted["links"]["link2"]["x-colour"] == "red"
    cut = yaml.safe_load(run("fit", source, "--tip", "link1").out)
    assert (cut["x-serial"], "links" in cut) == (7, False)


def test_fit_to_a_calibration_keeps_the_files_other_keys(tmp_path):
    nominal, deltas = tmp_path / "nominal.yaml", tmp_path / "calibration.conf"
    nominal.write_text("license: CC0\nx-residual: 0\n" + BARE.replace("modified", "standard"))
    deltas.write_text(DELTAS + "calibration_status = 2\n")
    fitted = yaml.safe_load(run("fit", deltas, "--nominal", nominal).out)
    assert fitted["x-calibration_status"] == "2"
    assert fitted["license"] == "CC0"
    assert "x-residual" not in fitted
    assert fitted["source"] == "deltas of calibration.conf added"


def test_compare_exits_1_when_two_models_differ(table, tmp_path):
    same = run("compare", table, table)
    assert same.status == 0
    assert "A and B agree within 1e-06 (m and rad)" in same.out
    other = tmp_path / "other.yaml"
    other.write_text(BARE.replace("d: 0, theta: q", "d: 20, theta: q").replace("alpha: 90", "alpha: 80"))
    assert run("compare", table, other).status == 1
    assert json.loads(run("compare", table, other, "--json").out)["agree"] is False


@pytest.mark.parametrize("tolerance", ["nan", "inf", "-1"])
def test_a_tolerance_that_decides_a_check_is_a_finite_number_of_0_or_more(tolerance, table, tmp_path):
    dump = tmp_path / "arm.json"
    dump.write_text("{}")
    wrong = f"--tolerance wants a number of 0 or more, got {float(tolerance)}\n"
    for command in (["compare", table, table], ["inventor", dump]):
        outcome = run(*command, f"--tolerance={tolerance}")
        assert (outcome.status, outcome.out, outcome.err) == (2, "", wrong)


def program(*arguments, **options):
    command = [sys.executable, "-c", "from mdh2urdf.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, check=False, **options)


def test_a_reader_of_stdout_that_has_gone_is_no_traceback():
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-c", "from mdh2urdf.cli import main; main()", str(PUMA), "--quiet"]
    with os.fdopen(write, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert done.stderr == b""
    assert done.returncode == 141


def test_an_ascii_locale_gets_utf8_all_the_same(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(BARE.replace("name: two", 'name: two\nsource: "Müller, 機械"'), encoding="utf-8")
    done = program(path, env={**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "Müller, 機械" in done.stdout.decode()


def test_a_plain_conversion_imports_neither_numpy_nor_sympy():
    code = (
        "import sys; sys.argv = ['mdh2urdf', sys.argv[1], '--quiet']\n"
        "from mdh2urdf.cli import main\n"
        "heavy = {'json', 'numpy', 'rich', 'scipy', 'sympy', 'tempfile', 'trimesh', 'xacro'}\n"
        "try: main()\n"
        "finally: sys.stderr.write(' '.join(sorted(heavy & set(sys.modules))))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(PUMA)], capture_output=True, check=False)
    assert done.returncode == 0
    assert done.stderr == b""


def test_every_command_is_imported_from_the_module_that_has_it():
    for module in pkgutil.iter_modules(mdh2urdf.cli.__path__):
        importlib.import_module(f"mdh2urdf.cli.{module.name}")
    commands = {
        command.name or command.callback.__name__: command.callback.__module__.rpartition(".")[2]
        for command in app.registered_commands
    }
    assert commands == COMMANDS


def test_a_conversion_imports_no_other_command():
    code = (
        "import sys; sys.argv = ['mdh2urdf', sys.argv[1], '--quiet']\n"
        "from mdh2urdf.cli import main\n"
        "try: main()\n"
        "finally: sys.stderr.write(' '.join(sorted(name for name in sys.modules if name.startswith('mdh2urdf.cli.'))))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(PUMA)], capture_output=True, check=False, text=True)
    names = ("app", "convert", "options", "output", "products")
    assert done.stderr == " ".join(f"mdh2urdf.cli.{name}" for name in names)


def test_main_is_the_programs_entry():
    (entry,) = entry_points(group="console_scripts", name="mdh2urdf")
    assert entry.load() is main


def test_check_lists_findings_on_stdout_and_exits_1_if_there_are_any(table, tmp_path):
    assert run("check", PUMA).out == f"{PUMA}: no findings\n"
    rounded = tmp_path / "rounded.yaml"
    rounded.write_text(BARE.replace("units: {angle: deg, length: mm}", "").replace("alpha: 90", "alpha: 1.5708"))
    done = run("check", rounded)
    assert done.status == 1
    assert "[rounded-pi]" in done.out
    assert done.err == ""


def test_check_reads_urdf_and_misses_a_published_pose(table, tmp_path):
    urdf = tmp_path / "two.urdf"
    run(table, "-o", urdf)
    assert run("check", urdf).out == f"{urdf}: no findings\n"
    table.write_text(BARE + "expect:\n  - {q: [0, 0], xyz: [300, 0, 99]}\n")
    done = run("check", table)
    assert done.status == 1
    assert "expect[0]: position is off by 0.001 m (the rows give [0.3, 0, 0.1] m) [expect]\n" in done.out


def assembly(tmp_path):
    """A dump of one arm on a base, with a probe that turned it by 0.1 rad about z."""
    turned = [[math.cos(0.1), -math.sin(0.1), 0, 0], [math.sin(0.1), math.cos(0.1), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
    still = np.eye(4).tolist()
    parts = [
        {"name": name, "path": [name], "document": f"{name[:-2]}.ipt", "kind": "part", "grounded": name == "Base:1"}
        | {"assembly_from_occurrence": still, "visible": True, "suppressed": False}
        for name in ("Base:1", "Arm:1")
    ]
    samples = [
        {"value": 0.0, "transforms": {"Base:1": still, "Arm:1": still}},
        {"value": 0.1, "transforms": {"Base:1": still, "Arm:1": turned}},
    ]
    joint = {
        "name": "Rotational:1",
        "type": "kRotationalJointType",
        "type_value": 102402,
        "occurrence_one": "Arm:1",
        "occurrence_two": "Base:1",
        "suppressed": False,
        "locked": False,
        "angular": {"value": 0.0, "start": -1.0, "end": 2.0},
        "probe": {"status": "moved", "quantity": "angular", "others_suppressed": True, "samples": samples},
    }
    dump = tmp_path / "arm.inventor.json"
    units = {"length": "cm", "mass": "kg", "angle": "rad"}
    content = {"format": "inventor-dump", "version": 1, "document": "Arm.iam", "units": units}
    dump.write_text(json.dumps({**content, "occurrences": parts, "joints": [joint]}))
    return dump


def test_a_dump_becomes_a_urdf_and_asks_for_what_it_lacks(tmp_path):
    dump, target = assembly(tmp_path), tmp_path / "arm.urdf"
    asked = run("inventor", dump, "-o", target)
    assert asked.status == 2
    assert "effort" in asked.err
    assert not target.exists()
    assert (tmp_path / "robot.yaml").exists()
    done = run("inventor", dump, "-o", target, "--joint-defaults", "effort=10,velocity=2", "--mimic", "A")
    assert done.err.startswith("--mimic wants CHILD=JOINT")
    done = run("inventor", dump, "-o", target, "--joint-defaults", "effort=10,velocity=2")
    assert done.status == 0
    turned = oracles.urdf_fk(target.read_text(), {"Rotational_1": 0.5})["Arm_1"]
    assert oracles.rotation_error(turned, oracles.rot_z(0.5)) < 1e-9
    again = run("inventor", dump, "--joint-defaults", "effort=10,velocity=2", "--quiet")
    assert again.out == target.read_text()
    assert again.err == ""


def test_a_replay_beyond_the_tolerance_exits_1(tmp_path):
    dump = assembly(tmp_path)
    content = json.loads(dump.read_text())
    content["verify"] = [
        {"values": {"Rotational:1": 0.5}, "transforms": {"Base:1": np.eye(4).tolist(), "Arm:1": np.eye(4).tolist()}}
    ]
    dump.write_text(json.dumps(content))
    assert run("inventor", dump, "--joint-defaults", "effort=10,velocity=2").status == 1


def test_what_a_dump_lets_assume_is_told_on_stderr_and_in_the_report(tmp_path):
    dump, report = assembly(tmp_path), tmp_path / "report.json"
    content = json.loads(dump.read_text())
    content["joints"][0]["locked"] = True
    content["messages"] = ["no mesh of Arm"]
    dump.write_text(json.dumps(content))
    command = ("inventor", dump, "--joint-defaults", "effort=10,velocity=2")
    sentences = [
        f"{dump}: joints[0]: Rotational:1: is locked, but its probe moved: it is movable here",
        f"{dump}: no mesh of Arm",
    ]
    assert run(*command, "--report", report).err.splitlines()[-2:] == sentences
    assert [item["message"] for item in json.loads(report.read_text())["findings"]] == [
        "Rotational:1: is locked, but its probe moved: it is movable here",
        "no mesh of Arm",
    ]
    assert run(*command, "--quiet").err == ""


def test_a_dump_that_convert_reads_is_told_to_inventor(tmp_path):
    dump = assembly(tmp_path)
    hint = f"{dump}: is read for its joints alone; `mdh2urdf inventor` takes masses, meshes and settings along\n"
    lacks = f"{dump}: joint 'Rotational_1': a revolute joint's <limit> needs velocity, effort\n"
    lacks += f"{dump}: add to the source what it does not give, or to the table that `mdh2urdf fit` makes of it\n"
    assert run(dump) == Outcome(2, "", hint + lacks)
    assert run(dump, "--quiet") == Outcome(2, "", lacks)


def test_a_dump_can_be_fitted(tmp_path):
    done = run("fit", assembly(tmp_path))
    assert done.status == 0
    assert "name: Rotational_1" in done.out


def test_show_prints_the_rows_the_screws_and_the_symbols(table):
    assert "α_{i-1} [deg]" in run("show", table).out
    assert "| j2 | L2 |" in run("show", table, "--markdown").out
    assert r"\begin{tabular}" in run("show", table, "--latex").out
    assert "joint screws at q = 0 in base_link" in run("show", table, "--screws").out
    assert "L2" in run("show", table, "--symbolic").out
    assert r"\begin" in run("show", table, "--symbolic", "--latex").out


def test_show_fits_what_has_no_rows_and_parts_of_what_has(table, tmp_path):
    urdf = tmp_path / "two.urdf"
    run(table, "-o", urdf)
    assert run("show", urdf).out.startswith("two: modified")
    assert "j2" not in run("show", table, "--tip", "link1").out


def test_a_shown_screws_file_can_be_fitted(table, tmp_path):
    screws = tmp_path / "screws.yaml"
    assert run("show", table, "--screws", "--format", "yaml", "--units", "deg,mm", "-o", screws).status == 0
    assert run("compare", table, screws).status == 0
    assert run("fit", screws).status == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--symbolic", "--screws"], "--symbolic and --screws are two pages; ask for one\n"),
        (["--markdown", "--latex"], "--markdown and --latex contradict each other\n"),
        (["--format", "yaml"], "--format yaml goes with --screws; got --format yaml\n"),
        (["--screws", "--format", "json"], "--format yaml goes with --screws; got --format json\n"),
    ],
)
def test_show_refuses_options_that_contradict_each_other(table, options, message):
    done = run("show", table, *options)
    assert (done.status, done.err) == (2, message)


def test_a_kinematics_file_says_what_it_cannot_hold(tmp_path):
    done = run("panda", "--format", "origins", "--layout", "flat")
    assert "what is fixed behind" in done.err
    assert "what is fixed behind" not in run("panda", "--format", "origins", "--layout", "franka").err


def test_of_two_outputs_none_is_written_if_one_cannot_be(table, tmp_path):
    target, lost = tmp_path / "arm.urdf", tmp_path / "no" / "arm.srdf"
    told = f"{lost}: cannot be written: No such file or directory\n"
    assert run(table, "-o", target, "--srdf", lost) == Outcome(2, "", told)
    assert run(table, "-o", target, "--report", lost) == Outcome(2, "", told)
    assert not target.exists()


def test_no_output_takes_the_place_of_an_input_or_of_another_output(table, tmp_path):
    before = table.read_bytes()
    assert run(table, "-o", table).err == f"{table}: -o would overwrite an input\n"
    report = run(table, "-o", tmp_path / "x.urdf", "--report", tmp_path / "x.urdf")
    assert report.err == f"{tmp_path / 'x.urdf'}: --report would overwrite what -o writes\n"
    urdf = tmp_path / "two.urdf"
    run(table, "-o", urdf)
    assert run("fit", urdf, "-o", urdf).status == 2
    assert run("fit", urdf, "--like", table, "-o", table).status == 2
    assert run("show", table, "-o", table).status == 2
    assert run("draw", table, "-o", tmp_path / "two.svg").status in (0, 2)
    dump = assembly(tmp_path)
    assert run("inventor", dump, "-o", dump).err == f"{dump}: -o would overwrite an input\n"
    assert run("inventor", dump, "-o", tmp_path / "robot.yaml").status == 2
    assert table.read_bytes() == before
    assert run(table, "-o", "/dev/null", "--report", "/dev/null").status == 0


def test_a_hyphen_as_output_is_stdout(table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(table, "-o", "-").out == run(table).out
    assert not Path("-").exists()


def test_a_xacro_of_ours_is_read_without_ros(table, tmp_path):
    target = tmp_path / "two.xacro"
    run(table, "-o", target)
    top = tmp_path / "cell.xacro"
    top.write_text(
        '<robot name="cell" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="two.xacro"/>'
        '<xacro:two parent=""><origin/></xacro:two></robot>'
    )
    done = run("compare", table, top)
    assert done.status == 0
    assert "was run" in done.err


def test_compare_takes_convention_and_units_for_text_tables(table, tmp_path):
    text = tmp_path / "arm.csv"
    text.write_text("joint,a,alpha,d,theta\nj1,0,0,100,0\nj2,300,90,0,-90\n")
    same = ["--convention", "modified", "--angle", "deg", "--length", "mm"]
    assert run("compare", text, table, *same).status == 0
    assert run("compare", text, table).status == 2


def test_a_convention_that_a_text_table_lacks_is_asked_for_as_an_option_only_where_there_is_one(table, tmp_path):
    text = tmp_path / "two.csv"
    text.write_text("a,alpha,d,theta\n0,0,0.1,0\n0.3,0,0,0\n")
    told = f"{text}:1:1: convention: is missing; write a line # convention: modified (Craig) or standard (Denavit-"
    assert run("show", text).err == f"{told}Hartenberg), or give --convention\n"
    for command in (
        ("fit", text, "--convention", "modified"),
        ("fit", table, "--like", text),
        (table, "--nominal", text),
    ):
        assert run(*command).err == f"{told}Hartenberg)\n"


DELTAS = """\
[mounting]
delta_theta = [0, 0.001]
delta_a = [0.002, 0]
delta_d = [0, 0]
delta_alpha = [0, 0]
"""


def test_compare_takes_the_arm_as_designed_for_a_calibration(tmp_path):
    nominal, deltas, urdf = tmp_path / "nominal.yaml", tmp_path / "calibration.conf", tmp_path / "arm.urdf"
    nominal.write_text(BARE.replace("modified", "standard"))
    deltas.write_text(DELTAS)
    assert run(deltas, "--nominal", nominal, "-o", urdf).status == 0
    assert run("compare", deltas, urdf, "--nominal", nominal).status == 0
    assert run("compare", nominal, deltas, "--nominal", nominal).status == 1
    unused = run("compare", nominal, urdf, "--nominal", nominal)
    assert (unused.status, unused.err) == (2, "--nominal goes with a vendor file; neither A nor B is one\n")


def test_compare_and_check_write_their_reports_as_json(table, tmp_path):
    report = tmp_path / "report.json"
    compared = run("compare", table, table, "--report", report)
    assert compared.status == 0
    assert compared.out.startswith("A: two")
    content = json.loads(report.read_text())
    assert (content["a"], content["b"], content["comparison"]["agree"]) == (str(table), str(table), True)
    assert content["findings"] == []
    table.write_text(BARE.replace("alpha: 90", "alpha: pi/2"))
    assert run("check", table, "--report", report, "--quiet").status == 1
    content = json.loads(report.read_text())
    assert content["source"] == str(table)
    assert [finding["rule"] for finding in content["findings"]] == ["pi-in-degrees"]
    assert run("check", table, "--report", table).err == f"{table}: --report would overwrite an input\n"
    assert run("compare", PUMA, table, "--report", table).err == f"{table}: --report would overwrite an input\n"


def test_an_error_of_fit_names_the_file(tmp_path):
    urdf = tmp_path / "still.urdf"
    urdf.write_text('<robot name="still"><link name="a"/></robot>')
    assert run("fit", urdf).err.startswith(f"{urdf}: ")


def test_the_package_runs_as_a_module(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["mdh2urdf", "--version"])
    with pytest.raises(SystemExit) as done:
        runpy.run_module("mdh2urdf", run_name="__main__")
    assert done.value.code in (0, None)


KINEMATICS = """\
kinematics:
  joint1: {x: 0, y: 0, z: 0.3, roll: 0, pitch: 0, yaw: 0}
  joint2: {x: 0.1, y: 0, z: 0, roll: 1.5707963267948966, pitch: 0, yaw: 0}
"""


def test_a_vendor_file_is_known_by_its_keys(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(KINEMATICS)
    done = run(path)
    assert done.status == 0
    assert oracles.urdf_fk(done.out, {})["link2"][:3, 3].tolist() == [0.1, 0.0, 0.3]
    assert run(path, "--format", "origins").out == KINEMATICS


def test_a_calibrated_arm_says_which_frames_moved(tmp_path):
    log = tmp_path / "calibration.txt"
    columns = {"theta": "theta", "d": "d", "a": "a", "alpha": "alpha"}
    lines = []
    for key in columns:
        values = [getattr(joint.row, key) for joint in calibrations.FAR.joints]
        lines.append(f"dh_{key}: [{' '.join(map(repr, values))}]\n")
    log.write_text("".join(lines))
    done = run(log)
    assert done.status == 0
    assert done.err.count("frame moved by") == 2
    tip = oracles.urdf_fk(done.out, {})["link6"]
    assert calibrations.pose_error(tip, calibrations.POSES["ur5_574_metres"][0][1]) < 1e-9
    assert run(log, "--frames", "strict").err.count("frame moved by") == 0


def test_simulators_formats_are_written_and_read(table, tmp_path):
    for suffix in ("mjcf", "sdf"):
        target = tmp_path / f"two.{suffix}"
        assert run(table, "--placeholder-inertia", "1", "-o", target).status == 0
        assert run("compare", table, target).status == 0


def test_a_xacro_that_is_asked_for_is_run_without_a_word(table, tmp_path):
    source = tmp_path / "one.xacro"
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    source.write_text(f'<robot name="one"><link name="a"/><link name="b"/>{joint}</robot>')
    assert run(source, "--from", "xacro", "--quiet").status == 0
    assert "was run" not in run("check", source, "--from", "xacro").out


def test_that_a_xacro_was_run_is_no_fault_of_the_robot(table, tmp_path):
    source = tmp_path / "one.xacro"
    joint = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'
    source.write_text(f'<robot name="one"><link name="a"/><link name="b"/>{joint}</robot>')
    done = run("check", source)
    assert (done.status, done.out) == (0, f"{source}: no findings\n")
    assert "was run" in done.err
    assert run("check", source, "--quiet").err == ""


def test_faces_are_limited_for_meshes_only(table):
    done = run(table, "--max-faces", "10")
    assert (done.status, done.err) == (2, "--max-faces goes with --collision mesh, hull or coacd\n")


def test_the_list_of_commands_cuts_no_line_off(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    text = run("--help").out
    assert all(f"\n  {command} " in text for command in COMMANDS)
    assert "..." not in text.partition("Commands:")[2]
