import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.inventor.option_text import parse_follow, parse_joint_defaults, parse_mimic
from mdh2urdf.inventor.options import JointDefaults, MimicOrder


@pytest.mark.parametrize(
    ("text", "multiplier", "offset"),
    [
        ("Rocker:1=Crank:1", 1.0, 0.0),
        ("Rocker:1 = Crank:1*-1", -1.0, 0.0),
        ("Rocker:1=Crank:1*2.5+0.25", 2.5, 0.25),
        ("Rocker:1=Crank:1-1e-3", 1.0, -1e-3),
        ("Rocker:1 = Crank:1 * 2 - 0.5", 2.0, -0.5),
    ],
)
def test_a_coupling_is_child_joint_factor_and_offset(text, multiplier, offset):
    assert parse_mimic(text) == MimicOrder(child="Rocker:1", joint="Crank:1", multiplier=multiplier, offset=offset)


@pytest.mark.parametrize(
    "text",
    [*("Rocker", "=Crank", "Rocker=", ""), *("Rocker=Crank*1e13", "Rocker=Crank*1e400", "Rocker=Crank*2-1e400")],
)
def test_a_coupling_of_another_form_or_with_numbers_beyond_reason_is_an_error(text):
    with pytest.raises(Mdh2UrdfError) as caught:
        parse_mimic(text)
    wanted = "CHILD=JOINT[*K][+C], as Rocker:1=Crank:1*-1+0.5, K and C within 1e+12"
    assert str(caught.value) == f"--mimic wants {wanted}; got {text!r}"


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("b", MimicOrder(child="", joint="b")),
        ("Turn:1*-2", MimicOrder(child="", joint="Turn:1", multiplier=-2.0)),
        ("b * 0.5 + 1e-3", MimicOrder(child="", joint="b", multiplier=0.5, offset=1e-3)),
        ("b - 3", MimicOrder(child="", joint="b", offset=-3.0)),
        ("", None),
    ],
)
def test_what_a_joint_follows_is_read(text, order):
    assert parse_follow(text) == order


def test_joint_defaults_may_leave_any_of_the_four_out():
    assert parse_joint_defaults("effort=10, slider_velocity=0.5") == JointDefaults(effort=10.0, slider_velocity=0.5)


@pytest.mark.parametrize("text", ["power=1", "effort", "effort=x", "effort=-1", "effort=nan", "effort=inf", ""])
def test_joint_defaults_of_another_form_are_an_error(text):
    with pytest.raises(Mdh2UrdfError) as caught:
        parse_joint_defaults(text)
    assert str(caught.value) == (
        "--joint-defaults wants effort=NUMBER,velocity=NUMBER,slider_effort=NUMBER,slider_velocity=NUMBER "
        f"(any of them); got {text!r}"
    )


def test_a_joint_default_is_given_once():
    with pytest.raises(Mdh2UrdfError, match=r"got 'effort=2'$"):
        parse_joint_defaults("effort=1,effort=2")
