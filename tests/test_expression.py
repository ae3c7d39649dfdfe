from __future__ import annotations

import inspect
import math
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.expression import LENGTH_UNITS, ExpressionError, Quantity, Units, evaluate, parse
from mdh2urdf.se3 import cos_sin

DEG_MM = Units(angle="deg", length="mm")


def value(text, parameters=None, units=None):
    return evaluate(parse(text), parameters or {}, units=units)


def angle(text, units=None, parameters=None):
    return value(text, parameters, units).si("angle", units or Units())


def refusal_of(action):
    with pytest.raises(ExpressionError) as error:
        action()
    return str(error.value)


def refusal(text, parameters=None, units=None, variables=frozenset()):
    return refusal_of(lambda: evaluate(parse(text), parameters or {}, units=units, variables=frozenset(variables)))


ALLOWED = (
    "allowed are numbers, + - * / **, parentheses, pi and acos, asin, atan, atan2, cos, deg, degrees, hypot, "
    "rad, radians, sin, sqrt, tan"
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1", 1.0),
        ("-2.5", -2.5),
        ("+.5", 0.5),
        ("5.", 5.0),
        ("1e-3", 1e-3),
        ("2.E+3", 2000.0),
        ("1 + 2*3", 7.0),
        ("(1 + 2)*3", 9.0),
        ("7 - 2 - 1", 4.0),
        ("1/4", 0.25),
        ("2**3**2", 512.0),
        ("-2**2", -4.0),
        ("2**-1", 0.5),
        ("pi", math.pi),
        ("2*pi/4", math.pi / 2),
        ("sqrt(2)", math.sqrt(2)),
        ("hypot(3, 4)", 5.0),
        ("sin(pi/6)", math.sin(math.pi / 6)),
        ("cos(1)", math.cos(1)),
        ("tan(0.5)", math.tan(0.5)),
        ("sqrt(3)/2 + hypot(1, 1)", math.sqrt(3) / 2 + math.hypot(1, 1)),
        ("  1 +\n 2 ", 3.0),
    ],
)
def test_arithmetic_and_functions_are_evaluated_as_printed(text, expected):
    assert value(text) == Quantity(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("asin(1)", math.pi / 2),
        ("acos(0)", math.pi / 2),
        ("atan(1)", math.pi / 4),
        ("atan2(1, -1)", 3 * math.pi / 4),
        ("deg(180)", math.pi),
        ("degrees(90)", math.pi / 2),
        ("rad(0.3)", 0.3),
        ("radians(pi/4)", math.pi / 4),
        ("-deg(90)", -math.pi / 2),
        ("2*deg(45)", math.pi / 2),
        ("deg(90)/2", math.pi / 4),
        ("deg(90) - deg(30)", math.radians(90) - math.radians(30)),
    ],
)
def test_an_angle_with_its_unit_is_the_same_whatever_the_units_of_the_file(text, expected):
    assert value(text).is_angle
    assert angle(text) == angle(text, DEG_MM) == expected


SPELLINGS = [
    ("{0}", DEG_MM),
    ("deg({0})", Units()),
    ("{1}*pi/2", Units()),
    ("{2}*pi/4", Units()),
    ("{1}*(pi/2)", Units()),
]


@pytest.mark.parametrize("quarters", range(-10, 11))
def test_quarter_turns_are_the_same_double_in_degrees_and_fractions_of_pi(quarters):
    values = {angle(text.format(90 * quarters, quarters, 2 * quarters), units) for text, units in SPELLINGS}
    assert values == {quarters * (math.pi / 2)}


@pytest.mark.parametrize("quarters", range(-1000, 1000, 37))
def test_many_quarter_turns_have_exact_cosines_however_they_are_written(quarters):
    for text, units in SPELLINGS:
        written = angle(text.format(90 * quarters, quarters, 2 * quarters), units)
        assert cos_sin(written) == [(1, 0), (0, 1), (-1, 0), (0, -1)][quarters % 4]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("sin(pi)", 0.0), ("cos(pi/2)", 0.0), ("cos(deg(270))", 0.0), ("sin(deg(90))", 1.0), ("tan(pi)", 0.0)],
)
def test_sine_and_cosine_of_quarter_turns_are_exact(text, expected):
    assert value(text).value == expected


def test_functions_take_radians_whatever_the_units_of_the_file():
    assert value("sin(pi/2)", units=DEG_MM).value == 1.0


def test_bare_numbers_are_in_the_units_of_the_file():
    assert angle("90", DEG_MM) == math.pi / 2
    assert angle("1", Units()) == 1.0
    assert value("pi").si("angle", DEG_MM) == math.radians(math.pi)


@pytest.mark.parametrize(("unit", "metres"), [("m", 12.7), ("cm", 0.127), ("mm", 0.0127), ("in", 12.7 * 0.0254)])
def test_lengths_become_metres(unit, metres):
    units = Units(length=unit)
    assert value("12.7").si("length", units) == metres
    assert units.from_si("length", metres) == pytest.approx(12.7, rel=1e-15)


def test_plain_numbers_have_no_unit():
    assert Quantity(5.0).si("number", DEG_MM) == 5.0
    assert DEG_MM.from_si("number", 5.0) == 5.0


def test_angles_become_degrees_again():
    assert DEG_MM.from_si("angle", math.pi) == 180.0
    assert Units().from_si("angle", 1.5) == Units().to_si("angle", 1.5) == 1.5
    assert Units().from_si("length", 1.5) == 1.5


@given(st.decimals(-10_000, 10_000, places=5), st.sampled_from([("mm", 1000), ("cm", 100)]))
def test_decimals_stay_as_they_are_when_lengths_become_metres_and_back(length, unit):
    units = Units(length=unit[0])
    metres = float(length / unit[1])
    assert units.to_si("length", float(length)) == metres
    assert units.from_si("length", metres) == float(length)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=1e-200), st.sampled_from(LENGTH_UNITS))
def test_lengths_of_any_size_become_metres_and_back(length, unit):
    units = Units(length=unit)
    assert units.from_si("length", units.to_si("length", length)) == pytest.approx(length, rel=1e-15)


def test_an_angle_with_its_unit_and_a_bare_number_meet_in_the_unit_of_the_file():
    assert angle("deg(90) + 90", DEG_MM) == math.pi
    assert angle("90 - rad(pi/2)", DEG_MM) == 0.0
    assert angle("deg(180) - pi", Units()) == 0.0


def test_the_quotient_of_two_angles_is_a_number():
    assert value("deg(90)/deg(45)") == Quantity(2.0)


def test_parameters_bring_their_value_and_unit():
    parameters = {"L2": Quantity(300.0), "phi": Quantity(math.pi / 4, is_angle=True)}
    assert value("L2/2 + 1", parameters) == Quantity(151.0)
    assert angle("phi + 45", DEG_MM, parameters) == math.pi / 2
    assert parse("L2*sin(pi/4) + phi").names == {"L2", "phi"}


@pytest.mark.parametrize(
    ("text", "offset", "coefficient"),
    [("q", 0, 1), ("q - 30", -30, 1), ("-q + 90", 90, -1), ("90 - q", 90, -1), ("+q", 0, 1), ("-(q - 5)*2/2", 5, -1)],
)
def test_the_joint_variable_is_told_apart_from_the_offset(text, offset, coefficient):
    quantity = evaluate(parse(text), {}, variables=frozenset({"q"}))
    assert (quantity.value, quantity.coefficient) == (offset, coefficient)


def test_the_joint_variable_may_stand_beside_an_angle_with_its_unit():
    quantity = evaluate(parse("q - deg(90)"), {}, units=DEG_MM, variables=frozenset({"q"}))
    assert quantity == Quantity(-math.pi / 2, True, 1.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("2*q*q", "the joint variable may not be squared"),
        ("1/q", "the joint variable may only be added, with a factor of 1 or -1"),
        ("q**2", "the joint variable may only be added, with a factor of 1 or -1"),
        ("2**q", "the joint variable may only be added, with a factor of 1 or -1"),
        ("sin(q)", "the joint variable may not stand inside sin()"),
        ("deg(q)", "the joint variable may not stand inside deg()"),
    ],
)
def test_the_joint_variable_enters_linearly_or_not_at_all(text, message):
    assert refusal(text, variables={"q"}) == message


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "1 +",
        "(1",
        "1 2",
        "0x10",
        "1_000",
        "1j",
        "1or 2",
        "1if 2else 3",
        "−90",
        "'text'",
        "__import__('os').system('true')",
        "a.b",
        "a[0]",
        "[1, 2]",
        "{1}",
        "lambda: 1",
        "x := 1",
        "x = 1",
        "f'{1}'",
        "5 % 2",
        "1 < 2",
        "2 @ 3",
        "1 & 2",
        "1 if 2 > 1 else 3",
        "sin(x=1)",
        "`1`",
        "1;2",
        "(" * 250 + "1" + ")" * 249,
        "010 + 1",
        "1.2.3",
    ],
)
def test_a_text_that_is_no_arithmetic_is_refused(text):
    shown = " ".join(text.split())
    assert refusal(text) in (
        f"{shown!r} is not a number or an expression; {ALLOWED}",
        f"{shown!r} is not allowed in a cell; {ALLOWED}",
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("1 + exp(1)", "exp(1)"),
        ("abs(1)", "abs(1)"),
        ("7 // 2", "7 // 2"),
        ("True", "True"),
        ("None", "None"),
        ("(1, 2)", "(1, 2)"),
        ("not 1", "not 1"),
        ("1 and 2", "1 and 2"),
        ("1 in x", "1 in x"),
        ("sin(1)(2)", "sin(1)(2)"),
        ("sin(*x)", "*x"),
        ("atan2(y, *x)", "*x"),
        ("yield", "(yield)"),
    ],
)
def test_grammar_beyond_arithmetic_is_refused_by_name(text, shown):
    assert refusal(text) in (
        f"{shown!r} is not allowed in a cell; {ALLOWED}",
        f"{text!r} is not a number or an expression; {ALLOWED}",
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0,5", "'0,5' has a decimal comma; write 0.5"),
        ("-12,75", "'-12,75' has a decimal comma; write -12.75"),
        ("290 mm", "'290 mm' has a unit; write 290: units stand under units:, or in a heading"),
        ("-0.5in", "'-0.5in' has a unit; write -0.5: units stand under units:, or in a heading"),
        ("90°", "'90°' has a unit; write deg(90): units stand under units:, or in a heading"),
        ("-π/2", "'-π/2' has a sign that no cell has; write -pi/2"),
        ("1/0", "'1/0' divides by zero"),
        ("tan(pi/2)", "'tan(pi/2)' divides by zero"),
        ("sqrt(-1)", "'sqrt(-1)' has no finite real value"),
        ("acos(2)", "'acos(2)' has no finite real value"),
        ("10**400", "'10**400' has no finite real value"),
        ("(-8)**(1/3)", "'(-8)**(1/3)' has no finite real value"),
        ("0**-1", "'0**-1' has no finite real value"),
        ("1e308*10", "'1e308*10' has no finite real value"),
        ("9" * 400 + " + 1", f"'{'9' * 400} + 1' has no finite real value"),
        ("1e999", "a number is too large"),
        ("0*1e999", "a number is too large"),
        ("hypot(3)", "hypot() takes 2 arguments, got 1"),
        ("sin()", "sin() takes 1 argument, got 0"),
        ("L2", "'L2' is not a parameter (known: none)"),
        ("deg(90)*deg(90)", "an angle times an angle is no angle"),
        ("1/deg(90)", "a number divided by an angle is no angle"),
        ("deg(90)**2", "a power of an angle is no angle"),
        ("2**deg(90)", "a power of an angle is no angle"),
        ("sqrt(deg(90))", "sqrt() is given an angle where a number is wanted"),
        ("atan2(deg(90), 1)", "atan2() is given an angle where a number is wanted"),
        ("deg(deg(90))", "deg() is given an angle that has its unit already"),
        ("rad(atan(1))", "rad() is given an angle that has its unit already"),
        ("+1" * 251, "is longer than 500 characters"),
    ],
)
def test_what_has_no_value_is_told(text, message):
    assert refusal(text) == message


def test_an_unknown_name_is_told_with_the_known_ones():
    assert refusal("L3", {"phi": Quantity(1.0), "L2": Quantity(1.0)}) == "'L3' is not a parameter (known: L2, phi)"


@pytest.mark.parametrize(("kind", "wanted"), [("length", "a length"), ("number", "a plain number")])
def test_an_angle_is_no_length_and_no_number(kind, wanted):
    with pytest.raises(ExpressionError, match=f"^is an angle where {wanted} is wanted$"):
        value("deg(90)").si(kind, Units())


def test_a_cell_at_the_limit_of_its_length_is_still_read():
    assert value("-" * 100 + "1").value == 1.0
    assert value("1" + "+1" * 249).value == 250.0


def test_an_expression_too_deep_for_the_stack_is_refused_like_any_other():
    text = "1+" * 200 + "1"
    parsed = parse(text)

    def at_depth(levels):
        return at_depth(levels - 1) if levels else refusal_of(lambda: evaluate(parsed, {}))

    message = at_depth(sys.getrecursionlimit() - len(inspect.stack()) - 100)
    assert message == f"{text!r} is nested too deep"


def outcome(text):
    try:
        return evaluate(parse(text), {"L2": Quantity(2.0)}, variables=frozenset({"q"}))
    except Mdh2UrdfError as error:
        return error


@given(st.text(alphabet="0123456789.eE+-*/() ,piqsnacotdegr_xL", max_size=40) | st.text(max_size=40))
def test_no_text_leads_to_anything_but_a_value_or_an_error_of_the_cell(text):
    result = outcome(text)
    if isinstance(result, Mdh2UrdfError):
        assert len(str(result).splitlines()) == 1
    else:
        assert math.isfinite(result.value)
