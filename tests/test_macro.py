"""The macro file in three xacro processors, against exact arithmetic."""

from __future__ import annotations

import math
import os
import random
import re
import subprocess
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from xml.etree import ElementTree

import pytest

from oracles import exact, exact_error
from readers import expand, require_program, run

MACROS = Path(__file__).parent.parent / "macros" / "dh_to_origin.xacro"
PROCESSORS = ("xacro", "xacrodoc", "xacro-parser")
PI = math.pi
RIGHT = PI / 2

ROTATION_ERROR = 1e-15
"""Frobenius norm; a few roundings of the cosines' products."""

WITH_BRANCH = 2e-15
"""Frobenius norm with gamma, which is added to yaw and may be rounded at up to two turns."""

LENGTH_ERROR = 1e-15
"""m, for lengths below 1 m."""


@dataclass(frozen=True)
class Call:
    """One call of a macro, and the elementary transforms that it stands for."""

    family: str
    macro: str
    values: dict[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        return f"<xacro:{self.macro} " + " ".join(f'{name}="{value!r}"' for name, value in self.values.items()) + "/>"

    @property
    def exact(self):
        v = {"beta": 0.0, "gamma_": 0.0, "b": 0.0, "beta_prev": 0.0, **self.values}
        if self.macro == "dh_to_origin":
            return exact(
                *(("rz", v["gamma_"]), ("tz", v["b"]), ("ry", v["beta"])),
                *(("rx", v["alpha"]), ("tx", v["a"]), ("rz", v["theta"]), ("tz", v["d"])),
            )
        tail = (("tx", v.get("a")), ("rx", v.get("alpha")), ("ry", v["beta"]))
        if self.macro == "standard_dh_row_to_origin":
            return exact(("rz", v["theta"]), ("tz", v["d"]), *tail)
        start = (("tx", v["a_prev"]), ("rx", v["alpha_prev"]), ("ry", v["beta_prev"]))
        tail = tail if self.macro == "mdh2urdf_standard_tool_origin" else ()
        return exact(*start, ("rz", v["theta"]), ("tz", v["d"]), *tail)


def modified(family: str, alpha: float, theta: float, a: float = 0.3, d: float = 0.7, **more: float) -> Call:
    return Call(family, "dh_to_origin", {"a": a, "d": d, "alpha": alpha, "theta": theta, **more})


def plain_calls() -> list[Call]:
    """1,832 rows of four parameters: a grid, gimbal lock, near it, any angles, the edge of what counts as lock."""
    grid = [math.radians(15 * step) for step in range(-12, 13)]
    calls = [modified("grid", alpha, theta) for alpha in grid for theta in grid]
    turns = [math.radians(90 * odd) for odd in (-5, -3, -1, 1, 3, 5)]
    locks = [(alpha, theta) for alpha in turns[:-1] for theta in turns] + [(turns[-1], theta) for theta in turns[:-1]]
    calls += [modified("lock", alpha, theta) for alpha, theta in locks]
    for alpha in (-RIGHT, RIGHT):
        for theta in (-RIGHT, RIGHT):
            for power in range(3, 17):
                for step in (10.0**-power, 3 * 10.0**-power):
                    for off in (step, -step):
                        calls.append(modified("near lock", alpha + off, theta))
                        calls.append(modified("near lock", alpha, theta + off))
                        calls.append(modified("near lock", alpha + off, theta - 0.7 * off))
    draw = random.Random(1).uniform
    calls += [modified("any", draw(-PI, PI), draw(-PI, PI), draw(-1, 1), draw(-1, 1)) for _ in range(300)]
    edge = partial(draw, -3e-15, 3e-15)
    sign = random.Random(2).choice
    calls += [modified("edge", sign((-1, 1)) * RIGHT + edge(), sign((-1, 1)) * RIGHT + edge()) for _ in range(200)]
    return calls


def other_calls() -> list[Call]:
    """Rows with beta, gamma and b, and of the standard macros; a third each at or near gimbal lock."""
    source = random.Random(3)
    calls = []
    for index in range(90):
        alpha, theta, beta = _angles(source, index)
        calls.append(modified("beta", alpha, theta, beta=beta))
        alpha, theta, beta = _angles(source, index)
        more = {"beta": beta, "gamma_": source.uniform(-2 * PI, 2 * PI), "b": 0.2}
        calls.append(modified("gamma", alpha, theta, reference_pitch=source.uniform(-6, 6), **more))
        alpha, theta, beta = _angles(source, index)
        values = {"a_prev": 0.3, "alpha_prev": theta, "d": 0.7, "theta": alpha, "beta_prev": beta}
        calls.append(Call("standard", "standard_dh_to_origin", values))
        alpha, theta, beta = _angles(source, index)
        beta = source.choice((0.0, beta))
        values = {"a": 0.3, "d": 0.7, "alpha": alpha, "theta": 2 * theta, "beta": beta}
        calls.append(Call("standard row", "standard_dh_row_to_origin", values))
        values = dict(zip(("alpha", "theta", "beta"), _angles(source, index), strict=True))
        more = {"a_prev": 0.2, "alpha_prev": source.choice((0, RIGHT, beta)), "beta_prev": source.uniform(-0.02, 0.02)}
        values = {**values, **more, "a": 0.3, "d": 0.7, "reference_pitch": 0.0}
        calls.append(Call("tool", "mdh2urdf_standard_tool_origin", values))
    return calls


def _angles(source: random.Random, index: int) -> tuple[float, float, float]:
    if index % 3 == 0:
        return source.uniform(-PI, PI), source.uniform(-PI, PI), source.uniform(-PI, PI)
    off = source.choice((-1, 1)) * 10 ** source.uniform(-16.5, -3) if index % 3 == 1 else 0.0
    alpha = source.choice((-RIGHT, RIGHT)) + source.choice((0.0, off))
    beta = source.uniform(-PI, PI)
    return alpha, math.copysign(beta, beta * alpha) + source.choice((-RIGHT, RIGHT)) + off, beta


def quarter_calls() -> list[Call]:
    """Multiples of 90 degrees in every macro."""
    two_turns = [90 * step for step in range(-4, 5)]
    one_turn = [90 * step for step in range(-2, 3)]
    calls = [
        modified("quarters", math.radians(alpha), math.radians(theta), d=0.7 if alpha else -0.0)
        for alpha in two_turns
        for theta in two_turns
    ]
    for alpha in one_turn:
        for theta in one_turn:
            for beta in one_turn[1:4]:
                al, th, be = math.radians(alpha), math.radians(theta), math.radians(beta)
                gamma = math.radians(90 * ((alpha + theta) // 90 % 9 - 4))
                calls.append(modified("quarters", al, th, beta=be, gamma_=gamma, b=0.2))
                calls.append(modified("quarters", al, th, beta=be, gamma_=gamma, reference_pitch=th))
                values = {"a_prev": 0.3, "alpha_prev": al, "d": -0.7, "theta": th, "beta_prev": be}
                calls.append(Call("quarters", "standard_dh_to_origin", values))
                values = {"a": 0.3, "d": 0.7, "alpha": al, "theta": 2 * th, "beta": be}
                calls.append(Call("quarters", "standard_dh_row_to_origin", values))
                values = {"alpha_prev": be, "beta_prev": 0.0, "alpha": al, "theta": th, "beta": 0.0}
                values = {"a_prev": 0.2, "a": 0.3, "d": 0.7, "reference_pitch": 0.0, **values}
                calls.append(Call("quarters", "mdh2urdf_standard_tool_origin", values))
    return calls


CALLS = [*plain_calls(), *other_calls(), *quarter_calls()]


def description(*lines: str, include: str = f'<xacro:include filename="{MACROS}"/>') -> str:
    head = f'<robot name="test" xmlns:xacro="http://www.ros.org/wiki/xacro">{include}'
    return "\n".join([head, *lines, "</robot>"])


def write(folder: Path, *lines: str, **options: str) -> Path:
    file = folder / "test.xacro"
    file.write_text(description(*lines, **options))
    return file


def origins(text: str) -> list[tuple[str, str]]:
    """xyz and rpy of every origin, as text, in order."""
    return [(element.get("xyz"), element.get("rpy")) for element in ElementTree.fromstring(text).iter("origin")]


def numbers(text: str) -> list[float]:
    return [float(part) for part in text.split()]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("macro"), *(f"<joint>{call.text}</joint>" for call in CALLS))


@pytest.fixture(scope="module")
def expanded(file: Path):
    """The origins of all calls by processor, each expanded once."""
    cache: dict[str, list[tuple[str, str]]] = {}

    def of(processor: str) -> list[tuple[str, str]]:
        if processor not in cache:
            cache[processor] = origins(expand(processor, file))
            assert len(cache[processor]) == len(CALLS)
        return cache[processor]

    return of


@pytest.fixture(scope="module")
def worst(expanded):
    """The largest rotation and length errors by family, by processor, each measured once."""
    known: dict[tuple[int, str, str], tuple[float, float]] = {}
    cache: dict[str, dict[str, tuple[float, float]]] = {}

    def of(processor: str) -> dict[str, tuple[float, float]]:
        if processor in cache:
            return cache[processor]
        errors: dict[str, tuple[float, float]] = {}
        for index, (call, (xyz, rpy)) in enumerate(zip(CALLS, expanded(processor), strict=True)):
            key = (index, xyz, rpy)
            if key not in known:
                known[key] = exact_error(call.exact, numbers(xyz), numbers(rpy))
            errors[call.family] = tuple(map(max, errors.get(call.family, (0.0, 0.0)), known[key]))
        return cache.setdefault(processor, errors)

    return of


def test_the_rows_are_those_that_processors_were_measured_with():
    families = [call.family for call in plain_calls()]
    counts = {family: families.count(family) for family in dict.fromkeys(families)}
    assert counts == {"grid": 625, "lock": 35, "near lock": 672, "any": 300, "edge": 200}


@pytest.mark.parametrize("processor", PROCESSORS)
def test_rotations_are_exact_to_1e_15_at_and_near_gimbal_lock(processor, worst):
    errors = worst(processor)
    for family in ("grid", "lock", "near lock", "any", "edge", "beta", "standard", "tool", "quarters"):
        assert errors[family][0] <= ROTATION_ERROR, family
    for family in ("gamma", "standard row"):
        assert errors[family][0] <= WITH_BRANCH, family


@pytest.mark.parametrize("processor", PROCESSORS)
def test_points_are_exact_to_1e_15(processor, worst):
    assert all(length <= LENGTH_ERROR for _, length in worst(processor).values())


def test_xacrodoc_prints_what_xacro_prints(expanded):
    assert expanded("xacrodoc") == expanded("xacro")


def test_xacro_parser_prints_the_same_points_as_xacro(expanded):
    for (xyz, _), (other, _) in zip(expanded("xacro-parser"), expanded("xacro"), strict=True):
        assert numbers(xyz) == pytest.approx(numbers(other), abs=3e-16)


@pytest.mark.parametrize("processor", PROCESSORS)
def test_multiples_of_90_degrees_leave_no_residue_and_no_negative_zero(processor, expanded):
    for call, (xyz, rpy) in zip(CALLS, expanded(processor), strict=True):
        if call.family != "quarters":
            continue
        assert not re.search(r"-0(\.0)?( |$)", f"{xyz} {rpy}"), call
        assert all(value == 0.0 or abs(value) > 0.09 for value in numbers(xyz)), call
        for value in numbers(rpy):
            assert value == 0.0 or abs(value - round(value / RIGHT) * RIGHT) <= 1e-15 < abs(value), call
            assert abs(value) <= 3.1416, call


@pytest.mark.parametrize("processor", PROCESSORS)
def test_yaw_is_0_and_pitch_a_right_angle_in_gimbal_lock(processor, expanded):
    for call, (_, rpy) in zip(CALLS, expanded(processor), strict=True):
        if call.family == "lock":
            assert numbers(rpy)[2] == 0.0
            assert abs(numbers(rpy)[1]) == RIGHT


LOCKED = [
    # alpha and theta, then roll and pitch in units of 90 degrees, and the sign of y in xyz
    (1, 1, 1, -1, -1),
    (1, -1, 1, 1, -1),
    (-1, 1, -1, 1, 1),
    (-1, -1, -1, -1, 1),
]


@pytest.mark.parametrize(("alpha", "theta", "roll", "pitch", "y"), LOCKED)
def test_all_four_right_angle_pairs_keep_the_rotation(alpha, theta, roll, pitch, y, tmp_path):
    call = modified("lock", alpha * RIGHT, theta * RIGHT, 0.1, 0.2)
    [(xyz, rpy)] = origins(expand("xacro", write(tmp_path, f"<joint>{call.text}</joint>")))
    assert numbers(xyz) == [0.1, 0.2 * y, 0.0]
    assert numbers(rpy) == [roll * RIGHT, pitch * RIGHT, 0.0]


def test_usual_rows_read_well(tmp_path):
    rows = [(0, RIGHT, 0.1, 0), (0, PI, 0.1, 0), (0.05, 0, -0.0, PI), (0.1, 1.5707963, 0.2, 0)]
    calls = [modified("", alpha, theta, a, d).text for a, alpha, d, theta in rows]
    assert origins(expand("xacro", write(tmp_path, *(f"<joint>{call}</joint>" for call in calls)))) == [
        ("0.0 -0.1 0.0", "1.5707963267948966 0.0 0.0"),
        ("0.0 0.0 -0.1", "3.141592653589793 0.0 0.0"),
        ("0.05 0.0 0.0", "0.0 0.0 3.141592653589793"),
        ("0.1 -0.19999999999999996 5.358979317005727e-09", "1.5707963 0.0 0.0"),
    ]


@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_pitch_nearest_to_the_reference_is_taken(processor, tmp_path):
    source = random.Random(5)
    references = [0.0, 1.0, RIGHT, -RIGHT, 1.6, 2.0, PI, -PI, 4.0, math.radians(270), math.radians(-270), 5.0, 10.0]
    calls = [
        modified("", source.uniform(-PI, PI), source.uniform(-PI, PI), reference_pitch=reference)
        for reference in references
        for _ in range(5)
    ]
    text = expand(processor, write(tmp_path, *(f"<joint>{call.text}</joint>" for call in calls)))
    for call, (_, rpy) in zip(calls, origins(text), strict=True):
        pitch, reference = numbers(rpy)[1], call.values["reference_pitch"]
        gain = math.cos(pitch - reference) - math.cos(PI - pitch - reference)
        if abs(gain) < 1e-14:  # a tie, up to the rounding of multiples of 90 degrees
            assert abs(pitch) <= RIGHT
        else:
            assert gain > 0


@pytest.mark.parametrize("processor", PROCESSORS)
def test_what_is_left_out_is_0(processor, tmp_path):
    short = modified("", 0.4, 0.5)
    zeros = {"reference_pitch": 0, "beta": 0, "gamma_": 0, "b": 0}
    standard = Call("", "standard_dh_to_origin", {"a_prev": 0.3, "alpha_prev": 0.4, "d": 0.7, "theta": 0.5})
    row = Call("", "standard_dh_row_to_origin", {"a": 0.3, "d": 0.7, "alpha": 0.4, "theta": 0.5})
    calls = [
        short,
        Call("", short.macro, {**short.values, **zeros}),
        standard,
        Call("", standard.macro, {**standard.values, "reference_pitch": 0, "beta_prev": 0}),
        row,
        Call("", row.macro, {**row.values, "beta": 0}),
    ]
    found = origins(expand(processor, write(tmp_path, *(f"<joint>{call.text}</joint>" for call in calls))))
    assert found[0] == found[1] == found[2] == found[3]
    assert found[4] == found[5] != found[0]


def names_inside() -> list[str]:
    """Every parameter and property name that the macro file uses."""
    text = MACROS.read_text()
    parameters = " ".join(re.findall(r'params="([^"]*)"', text)).replace(":=0", "").split()
    return sorted({*parameters, *re.findall(r'<xacro:property name="(\w+)"', text)})


CALLERS = ("sum", "ry", "pitch0", "pitch1", "r21", "r22", "x2", "pitch", "roll", "yaw", "c", "s", "L2", "beta0")


@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_callers_properties_are_neither_read_nor_changed(processor, tmp_path):
    names = sorted({*names_inside(), *CALLERS})
    assert {"a", "d", "alpha", "theta", "r00", "dh_ca", "x", "turn"} <= set(names)
    shown = " ".join(f"{name}=${{{name}}}" for name in names)
    calls = [modified("", 0.4, 0.5), *other_calls()[:20]]
    file = write(
        tmp_path,
        *(f'<xacro:property name="{name}" value="kept_{name}"/>' for name in names),
        f'<link name="before" note="{shown}"/>',
        *(f"<joint>{call.text}</joint>" for call in calls),
        f'<link name="after" note="{shown}"/>',
    )
    text = expand(processor, file)
    notes = [link.get("note") for link in ElementTree.fromstring(text).iter("link")]
    assert notes == [" ".join(f"{name}=kept_{name}" for name in names)] * 2
    for call, (xyz, rpy) in zip(calls, origins(text), strict=True):
        assert max(exact_error(call.exact, numbers(xyz), numbers(rpy))) <= WITH_BRANCH


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("name", ["a", "dh_ca", "r00", "turn", "dh_never_used"])
def test_no_property_is_made(processor, name, tmp_path):
    call = modified("", 0.4, 0.5, gamma_=0.1).text
    file = write(tmp_path, f"<joint>{call}</joint>", f'<link name="${{{name}}}"/>')
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        expand(processor, file)


@pytest.mark.parametrize("processor", ["xacro", "xacrodoc"])
def test_the_macros_work_in_a_namespace(processor, tmp_path):
    calls = [modified("", 0.4, 0.5), *other_calls()[:10]]
    include = f'<xacro:include filename="{MACROS}" ns="dh"/>'
    properties = [f'<xacro:property name="{name}" value="0.125"/>' for name in names_inside()]
    joints = [f"<joint>{call.text.replace('xacro:', 'xacro:dh.')}</joint>" for call in calls]
    notes = [f'<link note="${{{name}}}"/>' for name in names_inside()]
    text = expand(processor, write(tmp_path, *properties, *joints, *notes, include=include))
    for call, (xyz, rpy) in zip(calls, origins(text), strict=True):
        assert max(exact_error(call.exact, numbers(xyz), numbers(rpy))) <= WITH_BRANCH
    assert {link.get("note") for link in ElementTree.fromstring(text).iter("link")} == {"0.125"}


@pytest.mark.parametrize("processor", PROCESSORS)
def test_the_macros_work_inside_macros_and_loops(processor, tmp_path):
    file = write(
        tmp_path,
        '<xacro:macro name="arm" params="a d count">',
        '<xacro:if value="${1*(count > 0)}">',
        '<joint name="joint${count}">',
        '<xacro:dh_to_origin a="${a + 0.1*count}" d="${d}" alpha="${0.2*count}" theta="${0.1*count}"/></joint>',
        '<xacro:arm a="${a}" d="${d}" count="${count - 1}"/>',
        "</xacro:if>",
        "</xacro:macro>",
        '<xacro:arm a="0.5" d="0.25" count="9"/>',
    )
    found = origins(expand(processor, file))
    calls = [modified("", 0.2 * count, 0.1 * count, 0.5 + 0.1 * count, 0.25) for count in range(9, 0, -1)]
    for call, (xyz, rpy) in zip(calls, found, strict=True):
        assert max(exact_error(call.exact, numbers(xyz), numbers(rpy))) <= ROTATION_ERROR


def _parameters(macro: str) -> list[str]:
    found = re.search(rf'<xacro:macro name="{macro}"\s+params="([^"]*)"', MACROS.read_text())
    return found[1].replace(":=0", "").split()


PUBLIC = {
    "dh_to_origin": "a d alpha theta reference_pitch beta gamma_ b",
    "standard_dh_to_origin": "a_prev alpha_prev d theta reference_pitch beta_prev",
    "standard_dh_row_to_origin": "a d alpha theta beta",
}


@pytest.mark.parametrize("macro", PUBLIC)
def test_the_parameters_are_the_interface(macro):
    assert " ".join(_parameters(macro)) == PUBLIC[macro]


EVERY_PARAMETER = [(macro, name) for macro in (*PUBLIC, "mdh2urdf_standard_tool_origin") for name in _parameters(macro)]


@pytest.mark.parametrize(("macro", "name"), EVERY_PARAMETER)
def test_bad_numbers_stop_xacro_with_the_name_of_the_parameter(macro, name, tmp_path):
    import xacro

    for bad in ("text", "pi/2", "nan", "inf", ""):
        values = {**dict.fromkeys(_parameters(macro), "0.5"), name: bad}
        call = f"<xacro:{macro} " + " ".join(f'{key}="{value}"' for key, value in values.items()) + "/>"
        with pytest.raises(xacro.XacroException) as caught:
            xacro.process_file(str(write(tmp_path, f"<joint>{call}</joint>")))
        first = re.search(r"when evaluating expression '([^']*)'", str(caught.value))[1]
        assert set(re.findall(r"[a-z]\w*", first)) - {"cos", "sin"} == {name}


def test_a_missing_parameter_is_named(tmp_path):
    file = write(tmp_path, '<joint><xacro:dh_to_origin a="0" d="0" alpha="0"/></joint>')
    result = run(require_program("xacro"), file)
    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == "error: Undefined parameters [theta]"


def test_an_unknown_parameter_is_named(tmp_path):
    file = write(tmp_path, '<joint><xacro:dh_to_origin a="0" d="0" alpha="0" theta="0" gama_="0"/></joint>')
    result = run(require_program("xacro"), file)
    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == 'error: Invalid parameter "gama_"'


def test_the_example_in_the_file_works(tmp_path):
    text = MACROS.read_text()
    [example] = re.findall(r"<joint .*?</joint>", text, re.DOTALL)
    assert origins(expand("xacro", write(tmp_path, example))) == [("0.0 0.1491 0.0", "-1.5707963267948966 0.0 0.0")]


def test_nothing_but_the_origin_is_written(tmp_path):
    call = modified("", 0.0, 0.0).text
    text = expand("xacro", write(tmp_path, f"<joint>{call}</joint>"))
    robot = '<robot name="test"> <joint> <origin rpy="0.0 0.0 0.0" xyz="0.3 0.0 0.7"/> </joint> </robot>'
    assert " ".join(text[text.index("<robot") :].split()) == robot


AMENT = """
import os


class PackageNotFoundError(KeyError):
    pass


def get_package_share_directory(name):
    for prefix in os.environ["AMENT_PREFIX_PATH"].split(os.pathsep):
        if os.path.exists(os.path.join(prefix, "share/ament_index/resource_index/packages", name)):
            return os.path.join(prefix, "share", name)
    raise PackageNotFoundError(name)
"""
"""What xacro asks ROS for; the real package is on no index."""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A prefix with the files that the wheel and the ROS package install."""
    share = tmp_path / "prefix" / "share"
    (share / "mdh2urdf" / "macros").mkdir(parents=True)
    (share / "mdh2urdf" / "macros" / MACROS.name).write_text(MACROS.read_text())
    (share / "mdh2urdf" / "package.xml").write_text('<package format="3"><name>mdh2urdf</name></package>')
    index = share / "ament_index" / "resource_index" / "packages"
    index.mkdir(parents=True)
    (index / "mdh2urdf").write_text("")
    return tmp_path / "prefix"


FIND = '<xacro:include filename="$(find mdh2urdf)/macros/dh_to_origin.xacro"/>'


def test_ros_finds_the_macro_file_by_package(installed, tmp_path):
    package = tmp_path / "python" / "ament_index_python"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "packages.py").write_text(AMENT)
    file = write(tmp_path, f"<joint>{modified('', 0.0, 0.5).text}</joint>", include=FIND)
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "AMENT_PREFIX_PATH": str(installed)}
    result = subprocess.run(
        [require_program("xacro"), str(file)], capture_output=True, text=True, check=False, env=environment
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert origins(result.stdout) == [("0.3 0.0 0.7", "0.0 0.0 0.5")]


def test_xacrodoc_finds_the_macro_file_in_a_share_directory(installed, tmp_path):
    file = write(tmp_path, f"<joint>{modified('', 0.0, 0.5).text}</joint>", include=FIND)
    text = expand("xacrodoc", file, "-d", str(installed / "share"))
    assert origins(text) == [("0.3 0.0 0.7", "0.0 0.0 0.5")]
