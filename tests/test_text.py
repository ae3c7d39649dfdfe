from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdh2urdf.text import comment, number, numbers


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_equal(value):
    assert float(number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"), [(-0.0, "0"), (3.0, "3"), (0.1, "0.1"), (1e-7, "1e-07"), (1, "1"), (1e22, "1e+22")]
)
def test_numbers_are_short_and_have_no_negative_zero(value, text):
    assert number(value) == text


def test_numbers_are_separated_by_blanks():
    assert numbers([1.0, -0.5, 0.0]) == "1 -0.5 0"


@given(st.text())
def test_any_text_may_stand_in_an_xml_comment(text):
    ElementTree.fromstring(f"<a><!--{comment(text)}--></a>")
    assert "--" not in comment(text)


def test_hyphens_in_a_comment_stay_readable():
    assert comment("a---b -") == "a- - -b - "
