"""Mass data number by number: merged, turned, read, written and added; and what says that links have any."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from mdh2urdf.additions import with_placeholder_inertia
from mdh2urdf.changes import changes
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.link_data import merged, table_link
from mdh2urdf.loop import Loop
from mdh2urdf.merge import merge_fixed
from mdh2urdf.mjcf.bodies import inertial_element, is_impossible, joint_pieces, joint_range
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.rigid import has_mass, is_bare, with_prefix
from mdh2urdf.robot import Box, Inertia, Inertial, Joint, Limits, Link, Material, Mimic, Robot, Shape
from mdh2urdf.sdf.reader import read_sdf
from mdh2urdf.se3 import IDENTITY, ORIGIN, X_AXIS, Y_AXIS, Z_AXIS, Transform
from mdh2urdf.urdf.reader import read_urdf

NOTHING = Inertia(ixx=0.0, ixy=0.0, ixz=0.0, iyy=0.0, iyz=0.0, izz=0.0)
SIX = Inertia(ixx=1.0, ixy=0.1, ixz=0.2, iyy=2.0, iyz=0.3, izz=3.0)


def at(*xyz: float) -> Transform:
    return Transform(translation=xyz)


def diagonal(moment: float) -> Inertia:
    return replace(NOTHING, ixx=moment, iyy=moment, izz=moment)


# Links


def test_an_inertial_without_mass_is_no_mass():
    assert not has_mass(Link(name="a"))
    assert not has_mass(Link(name="a", inertial=Inertial(mass=0.0, inertia=NOTHING)))
    assert is_bare(Link(name="a", inertial=Inertial(mass=0.0, inertia=NOTHING)))
    assert has_mass(Link(name="a", inertial=Inertial(mass=1e-9, inertia=NOTHING)))


def test_a_prefix_goes_before_every_name_of_links_joints_leaders_and_loops():
    robot = Robot(
        name="arm",
        links=tuple(Link(name=name) for name in "abc"),
        joints=(
            Joint(name="one", type="revolute", parent="a", child="b"),
            Joint(name="two", type="revolute", parent="a", child="c", mimic=Mimic(joint="one", multiplier=2.0)),
        ),
        loops=(Loop(name="shut", type="ball", link_a="b", link_b="c", passive=("two",), closed={"one": 0.5}),),
    )
    named = with_prefix(robot, "left_")
    assert [joint.mimic for joint in named.joints] == [None, Mimic(joint="left_one", multiplier=2.0)]
    assert named.loops == (
        Loop(
            name="left_shut",
            type="ball",
            link_a="left_b",
            link_b="left_c",
            passive=("left_two",),
            closed={"left_one": 0.5},
        ),
    )


# Merged


def test_bodies_without_mass_stay_where_the_first_one_is():
    bodies = [Inertial(mass=0.0, inertia=diagonal(1.0), origin=at(x, 0.0, 0.0)) for x in (1.0, 2.0)]
    assert merged(bodies) == Inertial(mass=0.0, inertia=diagonal(2.0), origin=at(1.0, 0.0, 0.0))


def test_one_body_keeps_its_own_axes():
    turned = Inertial(mass=2.0, inertia=SIX, origin=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)))
    data = table_link([(Link(name="a", inertial=turned), IDENTITY)], {}, dh=True)
    assert data.inertia == SIX
    assert data.inertia_rpy == pytest.approx((0.4, 0.5, 0.6))


def test_a_material_that_is_only_a_name_is_merged_as_it_is():
    named = Shape(geometry=Box(size=(0.1, 0.2, 0.3)), material=Material(name="red"))
    body = Inertial(mass=1.0, inertia=diagonal(0.1))
    links = [Link(name=name, inertial=body, visuals=(named,), collisions=(named,)) for name in "bc"]
    robot = Robot(
        name="arm",
        links=(Link(name="a"), *links),
        joints=(
            Joint(name="one", type="revolute", parent="a", child="b"),
            Joint(name="two", type="fixed", parent="b", child="c", origin=at(0.5, 0.0, 0.0)),
        ),
    )
    merging = merge_fixed(robot)
    (_, head) = merging.robot.links
    assert [shape.material for shape in (*head.visuals, *head.collisions)] == [Material(name="red")] * 4
    assert [(finding.rule, str(finding)) for finding in merging.findings()] == [("merged-links", "b: took in c")]
    assert table_link([(links[0], at(1.0, 0.0, 0.0))], {}, dh=False).collisions[0].material == Material(name="red")


def test_a_change_of_a_small_tensor_is_told():
    def robot(moment: float) -> Robot:
        links = (Link(name="a"), Link(name="b", inertial=Inertial(mass=1.0, inertia=diagonal(moment))))
        return Robot(name="arm", links=links, joints=(Joint(name="j", type="revolute", parent="a", child="b"),))

    assert [line for line in changes(robot(1e-6), robot(1.01e-6)) if "inertia" in str(line)]
    assert not list(changes(robot(1e-6), robot(1e-6 * (1 + 1e-12))))


# Added


def test_a_placeholder_is_a_solid_sphere_of_water():
    robot = Robot(
        name="arm",
        links=(Link(name="a"), Link(name="b")),
        joints=(Joint(name="j", type="revolute", parent="a", child="b"),),
    )
    inertial = with_placeholder_inertia(robot, 1000 * 4 / 3 * math.pi).link("b").inertial
    mass = 1000 * 4 / 3 * math.pi  # a metre of radius
    inertia = inertial.inertia
    assert (inertial.mass, inertial.origin) == (mass, IDENTITY)
    assert (inertia.ixx, inertia.iyy, inertia.izz) == pytest.approx([0.4 * mass] * 3)
    assert (inertia.ixy, inertia.ixz, inertia.iyz) == (0.0, 0.0, 0.0)


def test_the_largest_placeholder_is_the_largest_number_of_a_file():
    robot = Robot(
        name="arm",
        links=(Link(name="a"), Link(name="b")),
        joints=(Joint(name="j", type="revolute", parent="a", child="b"),),
    )
    assert with_placeholder_inertia(robot, 1e12).link("b").inertial.mass == 1e12
    for mass, words in ((1.1e12, "a positive mass in kg of at most 1e+12, got"), (0.0, "a positive mass in kg, got 0")):
        with pytest.raises(Mdh2UrdfError) as error:
            with_placeholder_inertia(robot, mass)
        assert words in str(error.value)


# MuJoCo


def mjcf(inertial: str) -> Inertial | None:
    text = f'<mujoco><worldbody><body name="a">{inertial}<joint name="j"/></body></worldbody></mujoco>'
    return read_mjcf(text)[0].link("a").inertial


def refused(read, text: str) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as error:
        read(text)
    return [str(problem) for problem in error.value.problems]


def test_the_six_numbers_of_an_mjcf_are_the_moments_and_then_the_products():
    assert mjcf('<inertial mass="2" fullinertia="1 2 3 0.1 0.2 0.3"/>').inertia == SIX
    assert mjcf('<inertial mass="2" diaginertia="1 2 3"/>').inertia == replace(SIX, ixy=0.0, ixz=0.0, iyz=0.0)


def test_mass_data_of_an_mjcf_that_are_negative_or_too_few_are_told_once():
    (negative,) = refused(mjcf, '<inertial mass="-1" diaginertia="1 1 1"/>')
    assert "mass '-1'" in negative
    (few,) = refused(mjcf, '<inertial mass="1" fullinertia="1 2"/>')
    assert few.endswith("fullinertia '1 2': wanted 6 numbers, found 2")


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e6])
def test_what_the_triangle_inequality_is_held_to_is_relative(scale):
    for largest, impossible in ((2.001, True), (2.0, False), (1.999, False)):
        inertia = replace(NOTHING, ixx=scale, iyy=scale, izz=largest * scale)
        assert is_impossible(Inertial(mass=1.0, inertia=inertia)) is impossible
    element = inertial_element(Inertial(mass=1.0, inertia=diagonal(scale)))
    assert [float(part) for part in element.get("fullinertia").split()] == [scale, scale, scale, 0.0, 0.0, 0.0]
    flat = inertial_element(Inertial(mass=1.0, inertia=replace(diagonal(scale), izz=2.0 * scale)))
    assert float(flat.get("fullinertia").split()[0]) / scale - 1.0 == pytest.approx(8e-12, rel=1e-3)


def test_only_joints_with_two_limits_have_a_range():
    def joint(kind: str, limits: Limits | None) -> Joint:
        return Joint(name="j", type=kind, parent="a", child="b", limits=limits)

    both = Limits(lower=-1.0, upper=2.0)
    assert joint_range(joint("revolute", both)) == (-1.0, 2.0)
    assert joint_range(joint("prismatic", both)) == (-1.0, 2.0)
    for kind, limits in (("continuous", both), ("revolute", None), ("revolute", Limits(lower=1.0))):
        assert joint_range(joint(kind, limits)) is None
    locked = joint("revolute", Limits(lower=0.5, upper=0.5))
    assert [piece.element().get("range") for piece in joint_pieces(locked, IDENTITY)] == [None]


def test_a_slide_has_a_direction_and_no_place():
    for kind, point in (("prismatic", ORIGIN), ("revolute", (-0.1, -0.2, -0.3))):
        joint = Joint(name="j", type=kind, parent="a", child="b")
        (piece,) = joint_pieces(joint, at(0.1, 0.2, 0.3))
        assert (piece.axis, piece.point) == (Z_AXIS, point)


@pytest.mark.parametrize("axis", [X_AXIS, Y_AXIS, Z_AXIS, (0.6, 0.8, 0.0)])
def test_a_planar_joint_has_three_axes_square_to_each_other(axis):
    pieces = joint_pieces(Joint(name="j", type="planar", parent="a", child="b", axis=axis), IDENTITY)
    rows = np.array([piece.axis for piece in pieces])
    np.testing.assert_allclose(rows @ rows.T, np.eye(3), atol=1e-15)
    assert np.linalg.det(rows) == pytest.approx(1.0)


# SDF and URDF


SDF = '<sdf version="1.9"><model name="m"><link name="a">{}</link></model></sdf>'


def sdf(inertial: str) -> Inertial:
    return read_sdf(SDF.format(inertial))[0].links[0].inertial


def test_what_an_sdf_leaves_out_of_mass_data_is_its_default():
    assert sdf("<inertial/>") == Inertial(mass=1.0, inertia=diagonal(1.0))
    some = "<inertial><mass>2</mass><inertia><ixx>3</ixx><iyz>-0.1</iyz></inertia></inertial>"
    assert sdf(some).inertia == replace(diagonal(1.0), ixx=3.0, iyz=-0.1)
    beside = "<inertial><mass>2</mass><density>3</density><fluid_added_mass><xx>1</xx></fluid_added_mass></inertial>"
    made, found = read_sdf(SDF.format(beside))
    assert made.links[0].inertial.mass == 2.0
    assert found == []


def urdf(inertial: str) -> Inertial:
    return (
        read_urdf(f'<robot name="r"><link name="a"><inertial>{inertial}</inertial></link></robot>')[0].links[0].inertial
    )


TENSOR = '<inertia ixx="1" ixy="0.1" ixz="0.2" iyy="2" iyz="0.3" izz="3"/>'


def test_a_negative_mass_is_refused_in_every_format():
    assert urdf(f'<mass value="2"/>{TENSOR}').inertia == SIX
    (told,) = refused(urdf, f'<mass value="-2"/>{TENSOR}')
    assert "-2" in told
    (told,) = refused(sdf, "<inertial><mass>-2</mass></inertial>")
    assert "-2" in told


@pytest.mark.parametrize(
    ("read", "text", "unit"),
    [
        (mjcf, '<inertial mass="2e13" diaginertia="1 1 1"/>', "kg"),
        (mjcf, '<inertial mass="2" diaginertia="1 1e13 1"/>', "kg m²"),
        (mjcf, '<inertial mass="2" fullinertia="1 1e13 1 0 0 0"/>', "kg m²"),
        (sdf, "<inertial><mass>2e13</mass></inertial>", "kg"),
        (sdf, "<inertial><mass>2</mass><inertia><ixx>1e13</ixx></inertia></inertial>", "kg m²"),
        (urdf, f'<mass value="2e13"/>{TENSOR}', "kg"),
        (urdf, f'<mass value="2"/>{TENSOR.replace("0.3", "1e13")}', "kg m²"),
    ],
)
def test_mass_data_beyond_what_a_file_holds_are_told_with_their_unit(read, text, unit):
    (told,) = refused(read, text)
    assert told.endswith(f"is beyond 1e+12 {unit}")
