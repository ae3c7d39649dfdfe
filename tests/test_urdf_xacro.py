"""Xacro expanded to URDF text in process; its errors in one line, with the files and macros that led there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.urdf.reader import MAX_XACRO_BYTES, expand_xacro, read_urdf
from oracles import urdf_fk
from readers import require_program, run

ARM = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="name" default="a"/>
  <xacro:property name="length" value="0.25"/>
  <xacro:include filename="macros.xacro"/>
  <link name="$(arg name)"/>
  <xacro:member x="${2 * length}"/>
</robot>
"""
MACROS = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:macro name="member" params="x">
    <link name="b"/>
    <joint name="j" type="fixed">
      <origin xyz="${x} 0 0"/><parent link="$(arg name)"/><child link="b"/>
    </joint>
  </xacro:macro>
</robot>
"""


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An empty working folder, so that messages have short names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MDH2URDF_ABSENT", raising=False)
    return tmp_path


def xacro_file(name: str, body: str) -> str:
    Path(name).write_text(f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">\n{body}\n</robot>\n')
    return name


def error_of(path: str) -> str:
    with pytest.raises(Mdh2UrdfError) as error:
        expand_xacro(path)
    return str(error.value)


def test_includes_macros_and_properties_are_expanded(folder):
    Path("arm.xacro").write_text(ARM)
    Path("macros.xacro").write_text(MACROS)
    text = expand_xacro(Path("arm.xacro"))
    robot, findings = read_urdf(text)
    assert (robot.name, findings) == ("arm", [])
    assert urdf_fk(text, {})["b"][:3, 3].tolist() == [0.5, 0, 0]
    assert robot.link_poses({})["b"].translation == (0.5, 0, 0)


def test_mappings_are_the_arguments_and_stay_as_they_are(folder):
    Path("arm.xacro").write_text(ARM)
    Path("macros.xacro").write_text(MACROS)
    mappings: dict[str, str] = {}
    assert read_urdf(expand_xacro("arm.xacro", {"name": "left"}))[0].root == "left"
    assert read_urdf(expand_xacro("arm.xacro", mappings))[0].root == "a"
    assert mappings == {}


def test_the_text_is_that_of_the_program_xacro(folder):
    Path("arm.xacro").write_text(ARM)
    Path("macros.xacro").write_text(MACROS)
    assert run(require_program("xacro"), "arm.xacro").stdout == expand_xacro("arm.xacro")


BAD = {
    "undefined": (
        '<link name="${nobody}"/>',
        "bad.xacro: xacro: name 'nobody' is not defined when evaluating expression 'nobody'",
    ),
    "division": ('<link name="$(eval 1/0)"/>', "bad.xacro: xacro: division by zero"),
    "name": (
        '<link name="${a.__class__}"/>',
        "bad.xacro: xacro: Use of invalid name(s): __class__ when evaluating expression 'a.__class__'",
    ),
    "argument": ('<link name="$(arg nobody)"/>', "bad.xacro: xacro: Undefined substitution argument nobody"),
    "environment": (
        '<link name="$(env MDH2URDF_ABSENT)"/>',
        "bad.xacro: xacro: environment variable 'MDH2URDF_ABSENT' is not set",
    ),
    "macro": ("<xacro:nobody/>", "bad.xacro: xacro: unknown macro name: xacro:nobody"),
    "nameless macro": ("<xacro:macro/>", "bad.xacro: xacro: xacro:macro: missing attribute 'name'"),
    "parameters": (
        '<xacro:macro name="m" params="a"/><xacro:macro name="n"><xacro:m/></xacro:macro><xacro:n/>',
        "bad.xacro: xacro: Undefined parameters [a]; in macro m; in macro n",
    ),
    "blank parameters": ('<xacro:macro name="m" params=" "/>', "bad.xacro: xacro: list index out of range"),
    "endless macro": (
        '<xacro:macro name="m"><xacro:m/></xacro:macro><xacro:m/>',
        "bad.xacro: xacro: macros, properties or files that use each other without end; in macro m",
    ),
    "endless file": (
        '<xacro:include filename="bad.xacro"/>',
        "bad.xacro: xacro: macros, properties or files that use each other without end",
    ),
    "no such file": (
        '<xacro:include filename="nobody.xacro"/>',
        "bad.xacro: xacro: No such file or directory: ./nobody.xacro",
    ),
    "no such data": (
        "<link name=\"${xacro.load_yaml('nobody.yaml')}\"/>",
        "bad.xacro: xacro: No such file or directory: nobody.yaml "
        "when evaluating expression 'xacro.load_yaml('nobody.yaml')'",
    ),
    "not well-formed": ("<link>", "bad.xacro:3:3: is not well-formed XML: mismatched tag"),
    "fatal": (
        "${xacro.fatal('no such arm')}",
        "bad.xacro: xacro: no such arm when evaluating expression 'xacro.fatal('no such arm')'",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_every_error_of_xacro_is_one_line(name, folder):
    body, message = BAD[name]
    assert error_of(xacro_file("bad.xacro", body)) == message


def test_an_error_names_the_files_that_include_its_place(folder):
    xacro_file("inner.xacro", '<link name="${nobody}"/>')
    xacro_file("middle.xacro", '<xacro:include filename="inner.xacro"/>')
    xacro_file("broken.xacro", "<link>")
    outer = xacro_file("outer.xacro", '<xacro:include filename="middle.xacro"/>')
    assert error_of(outer) == (
        "inner.xacro: xacro: name 'nobody' is not defined when evaluating expression 'nobody'"
        "; included from middle.xacro; included from outer.xacro"
    )
    outer = xacro_file("outer.xacro", '<xacro:include filename="broken.xacro"/>')
    assert error_of(outer) == ("broken.xacro:3:3: is not well-formed XML: mismatched tag; included from outer.xacro")


@pytest.mark.parametrize("body", ['<link name="$(find my_robot)"/>', "<link name=\"${'$(find my_robot)'}\"/>"])
def test_find_without_ros_says_what_it_needs(body, folder, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ament_index_python.packages", None)
    message = error_of(xacro_file("bad.xacro", body))
    assert message.startswith(
        "bad.xacro: xacro: $(find ...) needs a sourced ROS setup: its Python package ament_index_python is not there"
    )


def test_an_unknown_file_a_folder_and_a_file_that_is_no_text_are_told(folder):
    Path("latin.xacro").write_bytes('<robot name="\N{DEGREE SIGN}"/>'.encode("latin-1"))
    assert error_of("nobody.xacro") == "nobody.xacro: cannot be read: No such file or directory"
    assert error_of(".") == ".: cannot be read: Is a directory"
    assert error_of("latin.xacro") == "latin.xacro:1: is not UTF-8 text"


def test_a_file_of_50_mb_is_refused(folder):
    with open("big.xacro", "wb") as stream:
        os.truncate(stream.fileno(), 50_000_000)
    assert error_of("big.xacro") == f"big.xacro: is larger than {MAX_XACRO_BYTES // 1024 // 1024} MB"


def test_entities_that_grow_are_refused(folder):
    entities = '<!ENTITY a0 "haha">' + "".join(f'<!ENTITY a{index + 1} "{f"&a{index};" * 10}">' for index in range(9))
    Path("bad.xacro").write_text(f'<!DOCTYPE robot [{entities}]>\n<robot name="&a9;"/>\n')
    assert "limit on input amplification factor" in error_of("bad.xacro")


def test_a_document_type_is_refused_after_expansion(folder):
    Path("bad.xacro").write_text('<!DOCTYPE robot [<!ENTITY n "r">]>\n<robot name="&n;"/>\n')
    with pytest.raises(Mdh2UrdfError, match="a document type"):
        read_urdf(expand_xacro("bad.xacro"))
