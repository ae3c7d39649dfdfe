"""Files by strangers: nothing in them is run, reaches for other files, or takes the machine's time and memory.

docs/security.md says what is promised. `tests/without_guards.py` takes each guard out of the code and shows that a
test here fails for it.
"""

from __future__ import annotations

import json
import math
import os
import signal
import struct
import threading
import tracemalloc
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from lxml import etree

from command_line import Outcome, run
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.mesh import mesh_facts
from mdh2urdf.mesh_files import mesh_file
from readers import expand, require_module
from without_guards import GUARDS, ROOT

SOON = 60
"""s; attacks of this size took minutes to hours before they were met."""

TABLE = """\
name: arm
convention: modified
units: {{angle: rad, length: m}}
parameters: {{L: 0.3}}
joints:
  - {{name: joint1, a: {cell}, alpha: 0, d: 0, theta: 0}}
"""


@contextmanager
def within(seconds: int):
    """Fails if what is inside takes longer."""

    def late(*_):
        raise TimeoutError(f"more than {seconds} s")

    assert threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def attacked(folder: Path, name: str, content: str | bytes, *options, before=()) -> Outcome:
    """A conversion of a file with this content, which may touch no other file."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    there = sorted(os.listdir(folder))
    with within(SOON):
        done = run(*before, path, *options)
    assert sorted(os.listdir(folder)) == there
    return done


def refused(folder: Path, name: str, content: str | bytes, *options, before=()) -> str:
    """The message with which a file is refused."""
    done = attacked(folder, name, content, *options, before=before)
    assert done.status == 2, done
    assert done.out == ""
    assert "Traceback" not in done.err
    return done.err


# -- expressions

EXPRESSIONS = {
    "import": "__import__('os').system('touch owned')",
    "attribute of a tuple": "().__class__",
    "attribute of a number": "(1).real",
    "attribute of a name": "L.__class__",
    "call of an attribute": "sqrt.__call__(4)",
    "open": "open('/etc/passwd')",
    "exec": "exec('1')",
    "huge power": "9**9**9",
    "higher power": "9**9**9**9**9",
    "power that fits no double": "10**309",
    "large power": "2**1000",
    "overflow": "1e308*10",
    "long digits": "9" * 499,
    "longer digits": "9" * 100_000,
    "deep parentheses": "(" * 249 + "1" + ")" * 249,
    "too deep parentheses": "(" * 5000 + "1" + ")" * 5000,
    "many signs": "-" * 498 + "L",
    "a long chain of powers": "**".join(["1.0000001"] * 45),
    "nested calls": "sqrt(" * 80 + "1" + ")" * 80,
    "a word and a wrong sign": "a" * 400 + "%",
    "words and a wrong sign": "ab " * 150 + "%",
    "numbers and a wrong sign": "11.1e1 " * 60 + "%",
    "lambda": "(lambda: 1)()",
    "comprehension": "[x for x in (1,)][0]",
    "formatted text": "f'{L}'",
    "text": "'1'*99",
    "condition": "1 if L else 2",
    "comparison": "1 < 2",
    "walrus": "(x := 1)",
    "starred": "hypot(*[1, 2])",
    "keyword": "sqrt(x=4)",
    "bytes": "b'1'",
    "hexadecimal": "0x10",
    "underscores": "1_000",
    "other digits": "١٢",
    "complex": "1j",
    "statement": "1; 2",
    "ellipsis": "...",
}
HARMLESS = {"a long chain of powers", "nested calls", "many signs"}


@pytest.mark.parametrize("cell", EXPRESSIONS)
def test_a_cell_is_arithmetic_or_an_error(tmp_path, monkeypatch, cell):
    monkeypatch.chdir(tmp_path)
    text = TABLE.format(cell=json.dumps(EXPRESSIONS[cell]))
    done = attacked(tmp_path, "arm.yaml", text)
    assert done.status == (0 if cell in HARMLESS else 2), done.err
    if done.status == 2:
        assert "joints[0].a: " in done.err
        assert done.err.count("\n") == 1
        assert len(done.err) < 1500


@pytest.mark.parametrize("cell", sorted(set(EXPRESSIONS) - HARMLESS))
def test_a_parameter_of_the_command_line_is_arithmetic_or_an_error(tmp_path, monkeypatch, cell):
    monkeypatch.chdir(tmp_path)
    refused(tmp_path, "arm.yaml", TABLE.format(cell="L"), "--set", f"L={EXPRESSIONS[cell]}")


def test_a_cell_of_a_text_table_and_of_vendors_is_no_code_either(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    attack = EXPRESSIONS["import"]
    assert "a: " in refused(
        tmp_path,
        "arm.csv",
        f'a;alpha;d;theta\n"{attack}";0;0;0\n',
        *("--convention", "modified", "--angle", "rad", "--length", "m"),
    )
    opw = "opw_kinematics_geometric_parameters: {a1: 0, a2: 0, b: 0, c1: 1, c2: 1, c3: 1, c4: 1}\n"
    offsets = f'opw_kinematics_joint_offsets: ["deg({attack})", 0, 0, 0, 0, 0]\n'
    signs = "opw_kinematics_joint_sign_corrections: [1, 1, 1, 1, 1, 1]\n"
    assert "opw_kinematics_joint_offsets[0]" in refused(tmp_path, "arm_opw.yaml", opw + offsets + signs)


# -- YAML

BOMB = "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n" + "".join(
    f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join(['*' + chr(97 + i)] * 10)}]\n" for i in range(9)
)
YAML_ATTACKS = {
    "alias bomb": BOMB,
    "alias bomb of merges": "a: &a {x: 1}\n" + "".join(f"b{i}: &b{i} {{<<: [{'*a, ' * 9}*a]}}\n" for i in range(100)),
    "python call": "name: !!python/object/apply:os.system ['touch owned']\n",
    "python name": "name: !!python/name:os.system\n",
    "python object": "name: !!python/object/new:os.system ['touch owned']\n",
    "binary": "name: !!binary aGVsbG8=\n",
    "include": "name: !include /etc/passwd\n",
    "own tag": "%TAG ! tag:yaml.org,2002:python/object/apply:\n---\nname: !os.system ['touch owned']\n",
    "deep lists": "name: " + "[" * 100_000,
    "deep mappings": "name: " + "{a: " * 100_000,
    "closed deep lists": "x-a: " + "[" * 900 + "]" * 900 + "\n",
    "closed deep mappings": "x-a: " + "{a: " * 900 + "1" + "}" * 900 + "\n",
    "deep blocks": "".join(" " * i + "- \n" for i in range(3000)),
    "alias of itself": "a: &a [*a]\n",
    "many blank lines": "\n" * 300_000,
    "many fields": "a:\n" * 100_000,
    "a long key": "? " + "k" * 1_000_000 + "\n: 1\n",
    "zero bytes": "name: a\0b\n",
}
WITH_KEYS = {
    "table": "convention: modified\njoints: []\n",
    "kinematics": "kinematics: {shoulder: {x: 0}}\n",
    "opw": "opw_kinematics_joint_offsets: []\n",
    "screws": "format: screws\n",
}


@pytest.mark.parametrize("kind", WITH_KEYS)
@pytest.mark.parametrize("attack", YAML_ATTACKS)
def test_yaml_is_data_of_bounded_size(tmp_path, monkeypatch, kind, attack):
    monkeypatch.chdir(tmp_path)
    text = YAML_ATTACKS[attack]
    head = "" if text.startswith("%") else WITH_KEYS[kind]
    err = refused(tmp_path, "arm.yaml", head + text)
    assert err.startswith(str(tmp_path))


@pytest.mark.parametrize("option", ["--settings", "--rename"])
@pytest.mark.parametrize("attack", YAML_ATTACKS)
def test_settings_and_names_beside_a_dump_are_data_of_bounded_size(tmp_path, monkeypatch, option, attack):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.json").write_text(json.dumps(DUMP))
    path = tmp_path / "given.yaml"
    path.write_text(YAML_ATTACKS[attack])
    there = sorted(os.listdir(tmp_path))
    with within(SOON):
        done = run("inventor", tmp_path / "robot.json", option, path)
    assert done.status == 2 or attack == "many blank lines"  # which say nothing
    assert "Traceback" not in done.err
    assert sorted(os.listdir(tmp_path)) == there


def identity():
    return [[float(i == j) for j in range(4)] for i in range(4)]


DUMP = {
    "format": "inventor-dump",
    "version": 1,
    "document": "Arm.iam",
    "occurrences": [
        {"name": "Base:1", "document": "Base.ipt", "grounded": True, "assembly_from_occurrence": identity()},
    ],
    "joints": [],
}


@pytest.mark.parametrize(
    "tag", ["!!python/name:os.system", "!!python/object/apply:os.getpid", "!!str", "!own", "!!binary"]
)
def test_a_tag_is_all_that_is_wrong_with_a_table(tmp_path, tag):
    sound = TABLE.format(cell="0")
    assert attacked(tmp_path, "arm.yaml", sound).status == 0
    for wrong in (sound.replace("name: arm", f"name: {tag} arm"), sound.replace("name: joint1", f"name: {tag} joint1")):
        assert f"tag {tag} is not allowed" in refused(tmp_path, "arm.yaml", wrong)


# -- JSON

JSON_ATTACKS = {
    "deep lists": "[" * 1_000_000,
    "deep objects": '{"a":' * 1_000_000,
    "long digits": '{"format": ' + "9" * 100_000 + "}",
    "not a number": '{"format": NaN}',
    "half a character": json.dumps(DUMP).replace("Base:1", "Base\\ud800:1"),
    "equal keys": '{"format": "inventor-dump", "format": 1}',
}


@pytest.mark.parametrize("command", ["inventor", "fit"])
@pytest.mark.parametrize("attack", JSON_ATTACKS)
def test_a_dump_is_data_of_bounded_depth(tmp_path, command, attack):
    refused(tmp_path, "robot.json", JSON_ATTACKS[attack], before=[command])


# -- XML

SECRET = "nobody may read this"
BODY = {
    "urdf": '<robot name="r"><link name="{}"/></robot>',
    "mjcf": '<mujoco model="r"><worldbody><body name="{}"/></worldbody></mujoco>',
    "sdf": '<sdf version="1.9"><model name="r"><link name="{}"/></model></sdf>',
}
SUFFIX = {"urdf": "urdf", "mjcf": "xml", "sdf": "sdf"}


def doctype(kind: str, declaration: str, name: str) -> str:
    root = BODY[kind][1:].split(maxsplit=1)[0]
    return f"<?xml version='1.0'?><!DOCTYPE {root} {declaration}>" + BODY[kind].format(name)


LAUGHS = '<!ENTITY a "ha">' + "".join(f'<!ENTITY {chr(98 + i)} "{f"&{chr(97 + i)};" * 10}">' for i in range(12))


@pytest.mark.parametrize("kind", BODY)
def test_entities_and_document_types_are_refused(tmp_path, kind):
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.dtd").write_text(f'<!ENTITY e "{SECRET}">')
    for declaration, name in (
        (f"[{LAUGHS}]", "&m;"),
        ('[<!ENTITY e SYSTEM "secret.txt">]', "&e;"),
        ('[<!ENTITY e SYSTEM "http://127.0.0.1:9/">]', "&e;"),
        ('[<!ENTITY % e SYSTEM "secret.dtd"> %e;]', "&e;"),
        ('SYSTEM "secret.dtd"', "&e;"),
        ("[]", "a"),
    ):
        err = refused(tmp_path, f"robot.{SUFFIX[kind]}", doctype(kind, declaration, name))
        assert "a document type (<!DOCTYPE ...>) is not read" in err
        assert SECRET not in err


@pytest.mark.parametrize("kind", BODY)
def test_other_files_are_not_included(tmp_path, kind):
    (tmp_path / "secret.urdf").write_text(BODY[kind].format(SECRET))
    name = BODY[kind][1:].split(maxsplit=1)[0]
    includes = (
        '<i:include xmlns:i="http://www.w3.org/2001/XInclude" href="secret.urdf"/>'
        '<include file="secret.urdf"/><include><uri>secret.urdf</uri></include>'
    )
    text = BODY[kind].format("a").replace(f"</{name}>", f"{includes}</{name}>")
    done = attacked(tmp_path, f"robot.{SUFFIX[kind]}", "<?xml-stylesheet href='secret.urdf'?>" + text)
    assert SECRET not in done.out + done.err
    assert done.status in (0, 2)


XML_ATTACKS = {
    "deep elements": '<robot name="r">' + "<link>" * 100_000,
    "many attributes": "<robot " + " ".join(f'a{i}="1"' for i in range(200_000)) + "/>",
    "a long name": f'<robot name="{"n" * 20_000_000}"/>',
    "many comments": "<!---->" * 300_000,
    "unclosed comments": "<!--" * 300_000,
    "unclosed instructions": "<?" * 300_000,
    "many links": '<robot name="r">' + '<link name="a"/>' * 100_000 + "</robot>",
    "many namespaces": "<robot " + " ".join(f'xmlns:a{i}="u{i}"' for i in range(50_000)) + "/>",
    "UTF-16": '<robot name="r"/>'.encode("utf-16"),
    "UTF-7": b'<?xml version="1.0" encoding="utf-7"?>+ADw-robot/+AD4-',
}


@pytest.mark.parametrize("attack", XML_ATTACKS)
def test_xml_is_refused_soon(tmp_path, attack):
    refused(tmp_path, "robot.urdf", XML_ATTACKS[attack])


# -- text tables

TEXT_ATTACKS = {
    "many columns": "," * 300_000,
    "many headings": "a " * 300_000,
    "open brackets": "a [" * 100_000,
    "many blanks": "# name: a" + " " * 300_000 + "b\na alpha d theta\n",
    "blank lines": "\t\n" * 300_000,
    "rules": "|-" * 300_000,
    "a joint of nothing": "joint1:" + "\n" * 300_000,
}


@pytest.mark.parametrize("suffix", ["csv", "conf", "md"])
@pytest.mark.parametrize("attack", TEXT_ATTACKS)
def test_text_tables_are_refused_soon(tmp_path, suffix, attack):
    err = refused(tmp_path, f"arm.{suffix}", TEXT_ATTACKS[attack])
    if attack in ("many columns", "many headings", "open brackets"):
        assert "is longer than 10000 characters" in err


# -- xacro, which is a program

XACRO = '<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{}<link name="a"/></robot>'
ESCAPE = (
    "${(lambda: [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0]"
    ".__init__.__globals__['system']('touch owned'))()}"
)
MATERIAL = {"name": ESCAPE, "rgba": [1, 1, 1, 1]}
RUNS = XACRO.format(f'<xacro:property name="p" value="{ESCAPE}"/><xacro:if value="${{p != 0}}"/>')


def test_xacro_can_run_code_so_it_is_told(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robot.xacro").write_text(RUNS)
    done = run("robot.xacro")
    assert (tmp_path / "owned").exists()  # if a release of xacro ends this, the page on security can be milder
    assert done.err.splitlines()[0] == (
        "robot.xacro: is a program and was run; do so with those of authors you trust (--from xacro says that you do)"
    )
    assert run("robot.xacro", "--from", "xacro").err == ""
    assert run("robot.xacro", "--strict").status == 1


@pytest.mark.parametrize("name", ["robot.urdf", "robot.xml", "robot.yaml", "robot.txt", "robot.sdf", "robot", "xacro"])
def test_xacro_in_a_file_of_another_name_is_not_run(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    for command in ([], ["fit"], ["check"]):
        err = refused(tmp_path, name, RUNS, before=command)
        assert "this is xacro, a program; if you trust its author, have it run" in err
    done = run("-", "--from", "urdf", stdin=RUNS.encode())
    assert (done.status, done.out) == (2, "")
    assert os.listdir(tmp_path) == [name]


def test_a_table_cannot_make_the_written_xacro_run_anything(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table = {
        "name": f"arm {ESCAPE}",
        "convention": "modified",
        "source": f"xacro:eval-comments:on -- {ESCAPE} --> <xacro:include filename='/etc/passwd'/>",
        "notes": ESCAPE,
        "joints": [
            {"name": f"j {ESCAPE}", "link": f"l {ESCAPE}", "a": 0.1, "alpha": 0, "d": 0, "theta": 0},
            {"name": "$(eval 1)", "link": "$(find nothing)", "a": 0.1, "alpha": 0, "d": 0, "theta": 0},
        ],
        "links": {f"l {ESCAPE}": {"visual": [{"geometry": {"mesh": {"filename": ESCAPE}}, "material": MATERIAL}]}},
    }
    (tmp_path / "arm.yaml").write_text(yaml.safe_dump(table, allow_unicode=True))
    assert run("arm.yaml", "-o", "arm.xacro", "--inline-macro", "--ros2-control").status == 0
    macro = next(e.get("name") for e in etree.parse("arm.xacro").getroot().iter("{*}macro") if "arm" in e.get("name"))
    Path("top.xacro").write_text(
        f'<robot name="top" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="arm.xacro"/>'
        f'<link name="w"/><xacro:{macro} parent="w"><origin/></xacro:{macro}></robot>'
    )
    expanded = expand("xacro", Path("top.xacro"))
    joints = [joint.get("name") for joint in etree.fromstring(expanded.encode()).iter("joint")]
    assert {f"j {ESCAPE}", "$(eval 1)"} <= set(joints)
    assert sorted(os.listdir(tmp_path)) == ["arm.xacro", "arm.yaml", "top.xacro"]


# -- meshes

HEADS = {
    "nothing but a count": struct.pack("<I", 2**32 - 1),
    "a thousand million triangles": struct.pack("<I", 10**9) + bytes(50),
    "one triangle too few": struct.pack("<I", 3) + bytes(100),
    "one triangle too many": struct.pack("<I", 1) + bytes(100),
    "no triangles": struct.pack("<I", 0),
}


@pytest.mark.parametrize("attack", HEADS)
def test_the_count_of_an_stl_file_is_not_believed(tmp_path, attack):
    path = tmp_path / "bomb.stl"
    path.write_bytes(bytes(80) + HEADS[attack])
    tracemalloc.start()
    with within(SOON), pytest.raises(Mdh2UrdfError):
        mesh_facts(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 10_000_000


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_coordinates_of_an_stl_file_are_finite(tmp_path, value):
    path = tmp_path / "mesh.stl"
    path.write_bytes(bytes(80) + struct.pack("<I12fH", 1, 0, 0, 1, 0, 0, 0, value, 0, 0, 0, value, value, 0))
    with pytest.raises(Mdh2UrdfError, match=r"mesh\.stl: "):
        mesh_facts(path)


OUTSIDE = [
    "package://../../secret.stl",
    "package://arm/../../secret.stl",
    "package://arm/meshes/../../../secret.stl",
    "package://../secret.stl",
    "package://etc/passwd",
    "package:///etc/passwd",
    "model://../secret.stl",
    "http://127.0.0.1:9/secret.stl",
    "file:///../{root}/no.stl",
]


@pytest.mark.parametrize("name", OUTSIDE)
def test_names_that_lead_out_of_their_package_mean_no_file(tmp_path, name):
    (tmp_path / "secret.stl").write_bytes(b"secret")
    folder = tmp_path / "workspace" / "arm" / "urdf"
    folder.mkdir(parents=True)
    (tmp_path / "workspace" / "arm" / "meshes").mkdir()
    assert mesh_file(name.format(root=str(tmp_path).strip("/")), folder) is None


def test_names_inside_a_package_are_found(tmp_path, monkeypatch):
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    folder = tmp_path / "arm" / "urdf"
    folder.mkdir(parents=True)
    mesh = tmp_path / "arm" / "meshes" / "a.stl"
    mesh.parent.mkdir()
    mesh.touch()
    for name in ("package://arm/meshes/a.stl", "package://arm//meshes/a.stl", "../meshes/a.stl", str(mesh)):
        assert mesh_file(name, folder).samefile(mesh)


def test_a_key_that_a_description_calls_a_mesh_is_not_copied_into_a_package(tmp_path):
    secret = tmp_path / "id_rsa"
    secret.write_text(SECRET)
    text = (
        f'<robot name="r"><link name="a"><visual><geometry><mesh filename="{secret}"/></geometry>'
        f'<material name="m"><texture filename="{secret}"/></material></visual></link></robot>'
    )
    (tmp_path / "robot.urdf").write_text(text)
    done = run(tmp_path / "robot.urdf", "-o", tmp_path / "out.urdf", "--ros2", tmp_path / "arm_description")
    assert done.status == 0
    assert done.err.count("is no mesh or picture by its suffix and not copied; its name stays") == 1
    written = [path for path in (tmp_path / "arm_description").rglob("*") if path.is_file()]
    assert written
    assert not any(SECRET in path.read_text(errors="replace") for path in written)


# -- names

NAMES = [
    '"/><link name="evil',
    'it\'s "both"',
    "<!-- -->",
    "]]>&amp;&#10;",
    "${1 + 1}",
    "$${'$'}$(env HOME)",
    "%s{}{0}",
    ": {a: b}",
    "- a #c",
    "!!python/name:os.system",
    "*alias",
    "&anchor",
    "$(touch owned) `touch owned` ; touch owned | tee owned",
    "../../owned",
    "/etc/passwd",
    "null",
    "~",
    "<<",
    "1e3",
    "2001-01-01",
    "\\n\\",
    "Ω機械",
    "<script>alert(1)</script>",
    "\\input{/etc/passwd} $x_y^z$",
    "a | b",
]
HIDDEN = ["two\nlines", "a\ttab", "a\x85b", "\u202eturned", "\u2028line", "ends with a blank ", " starts with one"]


def named(name: str) -> bytes:
    """A URDF of an arm with mass in which everything is called so."""
    robot = etree.Element("robot", name=name)
    for i in range(3):
        link = etree.SubElement(robot, "link", name=f"{name}{i}{name}")
        inertial = etree.SubElement(link, "inertial")
        etree.SubElement(inertial, "mass", value="1")
        etree.SubElement(inertial, "inertia", ixx="1", ixy="0", ixz="0", iyy="1", iyz="0", izz="1")
        visual = etree.SubElement(link, "visual", name=name)
        etree.SubElement(etree.SubElement(visual, "geometry"), "box", size="1 1 1")
        material = etree.SubElement(visual, "material", name=name)
        etree.SubElement(material, "color", rgba="1 0 0 1")
    for i in range(2):
        joint = etree.SubElement(robot, "joint", name=f"{name}j{i}{name}", type="revolute")
        etree.SubElement(joint, "origin", xyz="0.1 0.2 0.3", rpy="0 0.4 0.5")
        etree.SubElement(joint, "parent", link=f"{name}{i}{name}")
        etree.SubElement(joint, "child", link=f"{name}{i + 1}{name}")
        etree.SubElement(joint, "axis", xyz="0 0 1")
        etree.SubElement(joint, "limit", lower="-1", upper="1", velocity="1", effort="1")
    return etree.tostring(robot, encoding="utf-8")


def joints_of(text: str) -> list[str]:
    return [joint.get("name") for joint in etree.fromstring(text.encode()).iter("joint")]


@pytest.fixture
def robot(tmp_path, monkeypatch, request):
    monkeypatch.chdir(tmp_path)
    Path("robot.urdf").write_bytes(named(request.param))
    return request.param


def joints_called(name: str) -> list[str]:
    return [f"{name}j{i}{name}" for i in range(2)]


@pytest.mark.parametrize("robot", [*NAMES, *HIDDEN], indirect=True)
def test_names_stay_names_in_every_file_that_is_written(robot, tmp_path):
    joints = joints_called(robot)
    for form in ("urdf", "mjcf", "sdf"):
        done = run("robot.urdf", "--format", form, "--quiet", "--ros2-control" if form == "urdf" else "--quiet")
        if form == "sdf" and robot != robot.strip(" "):
            assert (done.status, done.out) == (2, "")
            continue
        assert done.status == 0, done.err
        assert [name for name in joints_of(done.out) if name in joints][:2] == joints
    origins = run("robot.urdf", "--format", "origins", "--quiet")
    assert list(yaml.safe_load(origins.out)["kinematics"]) == joints
    assert run("robot.urdf", "-o", "again.urdf", "--srdf", "robot.srdf", "--ros2", "arm_description").status == 0
    package = tmp_path / "arm_description"
    controllers = yaml.safe_load((package / "config" / "controllers.yaml").read_text())
    assert controllers["joint_trajectory_controller"]["ros__parameters"]["joints"] == joints
    assert list(yaml.safe_load((package / "config" / "joint_limits.yaml").read_text())["joint_limits"]) == joints
    groups = etree.parse("robot.srdf").getroot().findall("group_state/joint")
    assert [joint.get("name") for joint in groups] == joints
    for launch in (package / "launch").iterdir():
        compile(launch.read_text(), str(launch), "exec")
    assert sorted(os.listdir(tmp_path)) == ["again.urdf", "arm_description", "robot.srdf", "robot.urdf"]
    assert {path.parent.parent for path in package.rglob("*.*") if path.parent != package} == {package}


@pytest.mark.parametrize("robot", NAMES, indirect=True)
def test_names_stay_names_when_the_written_xacro_is_expanded(robot, tmp_path):
    joints = joints_called(robot)
    assert run("robot.urdf", "-o", "arm.xacro", "--inline-macro", "--quiet").status == 0
    macro = [e.get("name") for e in etree.parse("arm.xacro").getroot() if str(e.tag).endswith("}macro")][-1]
    Path("top.xacro").write_text(
        f'<robot name="top" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="arm.xacro"/>'
        f'<link name="w"/><xacro:{macro} parent="w"><origin/></xacro:{macro}></robot>'
    )
    assert joints_of(expand("xacro", Path("top.xacro")))[-2:] == joints
    assert sorted(os.listdir(tmp_path)) == ["arm.xacro", "robot.urdf", "top.xacro"]


@pytest.mark.parametrize("robot", NAMES, indirect=True)
def test_a_fitted_table_has_the_names_and_reads_back(robot, tmp_path):
    name, joints = robot, joints_called(robot)
    assert run("fit", "robot.urdf", "-o", "arm.yaml", "--quiet").status == 0
    table = yaml.safe_load(Path("arm.yaml").read_text())
    assert (table["name"], [row["name"] for row in table["joints"]]) == (name, joints)
    assert set(joints) <= set(joints_of(run("arm.yaml", "--quiet").out))
    assert sorted(os.listdir(tmp_path)) == ["arm.yaml", "robot.urdf"]


@pytest.mark.parametrize("robot", HIDDEN, indirect=True)
def test_a_table_is_not_written_with_names_that_it_cannot_hold(robot):
    done = run("fit", "robot.urdf", "-o", "arm.yaml", "--quiet")
    assert done.status == 2
    assert (
        done.err.splitlines()[0]
        == (f"robot {robot!r}: a name in a table is one line without blanks at its ends; rename it")
        .encode("ascii", "backslashreplace")
        .decode()
    )
    assert not Path("arm.yaml").exists()


@pytest.mark.parametrize("robot", NAMES, indirect=True)
def test_pictures_and_printed_tables_hold_names_as_text(robot):
    require_module("matplotlib")
    picture = run("draw", "robot.urdf")
    assert picture.status == 0, picture.err
    root = etree.fromstring(picture.out.encode())
    assert not list(root.iter("{*}script", "script"))
    assert not [key for element in root.iter() for key in element.attrib if key.startswith("on")]


@pytest.mark.parametrize("robot", [*NAMES, *HIDDEN, "line\n\\input{/etc/passwd}"], indirect=True)
def test_tables_for_papers_and_pages_hold_names_as_text(robot):
    latex = run("show", "robot.urdf", "--latex", "--quiet")
    assert latex.status == 0, latex.err
    printed = [line for line in latex.out.splitlines() if not line.startswith("% ")]
    assert "\\input{" not in "\n".join(printed).replace("\\textbackslash{}", "")
    assert all(line.startswith(("\\", "joint & ")) or line.count(" & ") == 6 for line in printed)
    markdown = run("show", "robot.urdf", "--markdown", "--quiet")
    rows = [line for line in markdown.out.splitlines() if line.startswith("|")]
    assert len(rows) >= 4
    assert len({line.replace("\\|", "").count("|") for line in rows}) == 1


def test_messages_do_not_steer_the_terminal(tmp_path):
    path = tmp_path / "robot.urdf"
    path.write_bytes(named("\x9b31m\u202e"))
    for arguments in ([path], ["fit", path], ["check", path], ["compare", path, path]):
        done = run(*arguments)
        for line in (done.err + (done.out if arguments[0] in ("check", "compare") else "")).splitlines():
            assert line.isprintable(), line


@pytest.mark.parametrize("guard", GUARDS, ids=lambda guard: f"{guard.file}-{guard.test}")
def test_every_guard_that_can_be_taken_out_is_in_the_code(guard):
    code = (ROOT / "src" / "mdh2urdf" / guard.file).read_text(encoding="utf-8")
    assert code.count(guard.text) == 1
    assert (ROOT / "tests" / guard.test.partition(" -k ")[0]).is_file()
