"""Numbers, names and data as YAML text."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.cell_text import CellText, columns, data, expression, mapping, name
from mdh2urdf.expression import Units, evaluate, parse
from mdh2urdf.se3 import Transform, angle_between_rotations, rotation_from_rpy

DEG_MM = Units("deg", "mm")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (math.pi / 2, "pi/2"),
        (-math.pi / 2, "-pi/2"),
        (math.pi, "pi"),
        (2 * math.pi, "2*pi"),
        (3 * math.pi / 2, "3*pi/2"),
        (-math.pi / 6, "-pi/6"),
        (math.pi / 2 + 1e-15, "1.5707963267948977"),
        (5 * math.pi / 2, "7.853981633974483"),
        (1.5708, "1.5708"),
    ],
)
def test_angles_in_radians(value, text):
    assert CellText().number("angle", value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (math.pi / 2, "90"),
        (math.radians(79.34995), "79.34995"),
        (1.5708, "rad(1.5708)"),
        (-0.0, "0"),
        (1.2345678901234567, "70.73552962644482"),
    ],
)
def test_angles_in_degrees(value, text):
    assert CellText(units=DEG_MM).number("angle", value) == text


@pytest.mark.parametrize(("value", "text"), [(0.267, "267"), (-0.00014, "-0.14"), (0.1 + 0.2, "300")])
def test_lengths_in_millimetres(value, text):
    assert CellText(units=DEG_MM).number("length", value) == text


def test_what_has_no_unit_is_written_as_it_is():
    assert CellText(units=DEG_MM).number("number", 0.1) == "0.1"
    assert CellText(units=Units("deg", "m")).number("length", 0.1) == "0.1"


@given(st.floats(-10, 10), st.sampled_from(["rad", "deg"]))
def test_angles_read_back_to_the_last_digit_or_one_step_beside_a_round_number(value, unit):
    units = Units(angle=unit)
    quantity = evaluate(parse(CellText(units=units).number("angle", value)), {}, units=units)
    assert abs(quantity.si("angle", units) - value) <= (0 if unit == "rad" else math.ulp(value))


@given(st.floats(-1000, 1000), st.sampled_from(["m", "cm", "mm", "in"]))
def test_lengths_read_back_to_one_step_of_a_double(value, unit):
    units = Units(length=unit)
    back = units.to_si("length", float(CellText(units=units).number("length", value)))
    assert abs(back - value) <= math.ulp(value)


@given(st.tuples(*[st.floats(-3.2, 3.2)] * 3), st.sampled_from(["rad", "deg"]))
def test_poses_are_the_same_rotation_in_fewest_digits(rpy, unit):
    units = Units(angle=unit)
    fields = CellText(units=units).pose(Transform(rotation_from_rpy(rpy)))
    texts = fields.get("rpy", "[0, 0, 0]").strip("[]").split(", ")
    back = [evaluate(parse(text), {}, units=units).si("angle", units) for text in texts]
    assert angle_between_rotations(rotation_from_rpy(back), rotation_from_rpy(rpy)) < 2e-15


def test_poses_leave_out_what_is_nought():
    text = CellText(units=DEG_MM)
    assert text.pose(Transform()) == {}
    assert text.pose(Transform(translation=(0.0, 0.0, 0.107))) == {"xyz": "[0, 0, 107]"}
    assert text.pose(Transform.from_xyz_rpy((0, 0, 0), (0.3, 0, 0.1))) == {
        "rpy": "[17.1887338539247, 0, 5.72957795130823]"
    }


@given(st.text(min_size=1))
def test_names_read_back(text):
    assert yaml.safe_load(name(text)) == text


@pytest.mark.parametrize(
    "word", ["true", "No", "null", "y", "1e3", "1", "~", "-", "a: b", "a #b", "[a]", "Ünï", "a\nb"]
)
def test_names_that_mean_something_else_are_quoted(word):
    assert name(word).startswith('"')
    assert yaml.safe_load(name(word)) == word


def test_plain_names_are_not_quoted():
    assert name("panda_joint1") == "panda_joint1"


def test_expressions_with_commas_are_quoted():
    assert expression(parse("atan2(1, 2)")) == '"atan2(1, 2)"'
    assert expression(parse("-q2 + 2*pi")) == "-q2 + 2*pi"


def test_data_of_any_kind_is_written_on_one_line():
    value = {"a b": [1, 2.5, None, True, "text: x"], "empty": {}, "line": "one\ntwo"}
    assert data(value) == '{"a b": [1, 2.5, null, true, "text: x"], empty: {}, line: "one\\ntwo"}'
    assert yaml.safe_load(data(value)) == value


def test_rows_stand_in_columns_where_all_have_a_field():
    rows = [{"a": "1", "b": "200", "c": "3"}, {"a": "100", "x": "5", "b": "2", "c": "3"}]
    assert columns(rows) == ["{a: 1,   b: 200, c: 3}", "{a: 100, x: 5, b: 2,   c: 3}"]
    assert mapping(rows[0]) == "{a: 1, b: 200, c: 3}"
