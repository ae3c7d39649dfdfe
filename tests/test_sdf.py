"""Robots written as SDF: what libsdformat makes of them, and what is told where SDF has no place for something."""

from __future__ import annotations

import math
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.robot import (
    Box,
    Capsule,
    Cylinder,
    Dynamics,
    Limits,
    Link,
    Material,
    Mesh,
    Mimic,
    Robot,
    Shape,
    Sphere,
)
from mdh2urdf.sdf.loops import open_at_zero
from mdh2urdf.sdf.writer import write_sdf
from mdh2urdf.se3 import IDENTITY, Transform
from oracles import sdf_model, sdf_poses
from simulators import libsdformat_model
from test_mjcf import BARE, MASS, heavy, joint, robot


def tree(made: Robot) -> ElementTree.Element:
    return ElementTree.fromstring(write_sdf(made)[0]).find("model")


def told(made: Robot) -> list[str]:
    return [str(finding) for finding in write_sdf(made)[1]]


def refused(made: Robot) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as caught:
        write_sdf(made)
    return [str(problem) for problem in caught.value.problems]


def test_bare_links_are_frames_of_the_body_that_they_move_with(tmp_path):
    made = robot(
        [BARE, *heavy("foot", "leg"), Link(name="flange"), Link(name="tool"), Link(name="pad")],
        [
            joint("b", "base", "foot", "fixed"),
            joint("j", "foot", "leg"),
            joint("f", "leg", "flange", "fixed"),
            joint("t", "flange", "tool", "fixed"),
            joint("p", "base", "pad", "fixed"),
        ],
    )
    model = libsdformat_model(write_sdf(made)[0], tmp_path)
    assert list(model["links"]) == ["foot", "leg"]
    assert {name: body for name, (body, _) in model["frames"].items()} == {
        "base": "foot",
        "flange": "leg",
        "tool": "leg",
        "pad": "foot",
    }
    assert [each["name"] for each in model["joints"]] == ["j"]
    assert told(made) == []


def test_bodies_fixed_to_one_another_keep_their_joint(tmp_path):
    made = robot(
        [BARE, *heavy("foot", "table"), Link(name="stand"), *heavy("lamp")],
        [
            joint("b", "base", "foot", "fixed"),
            joint("t", "base", "table", "fixed"),
            joint("s", "table", "stand", "fixed"),
            joint("l", "stand", "lamp", "fixed"),
        ],
    )
    model = libsdformat_model(write_sdf(made)[0], tmp_path)
    joints = [(each["name"], each["type"], each["parent"], each["child"]) for each in model["joints"]]
    assert joints == [("t", "fixed", "foot", "table"), ("l", "fixed", "table", "lamp")]
    assert model["frames"]["stand"][0] == "table"
    assert model["links"]["lamp"][2, 3] == 1.5


def test_a_root_called_world_holds_the_robot_and_is_not_written(tmp_path):
    made = robot(
        [Link(name="world"), Link(name="stand"), *heavy("foot", "arm"), Link(name="mark")],
        [
            joint("s", "world", "stand", "fixed"),
            joint("b", "stand", "foot", "fixed"),
            joint("j", "foot", "arm"),
            joint("m", "world", "mark", "fixed"),
        ],
    )
    model = libsdformat_model(write_sdf(made)[0], tmp_path)
    assert [(each["name"], each["parent"], each["child"]) for each in model["joints"]] == [
        ("b", "world", "foot"),
        ("j", "foot", "arm"),
    ]
    assert model["links"]["foot"][2, 3] == 1.0
    assert {name: body for name, (body, _) in model["frames"].items()} == {"stand": "foot", "mark": "foot"}
    alone = robot([Link(name="world"), *heavy("arm")], [joint("j", "world", "arm")])
    model = libsdformat_model(write_sdf(alone)[0], tmp_path)
    assert (model["joints"][0]["parent"], list(model["links"])) == ("world", ["arm"])
    marks = robot(
        [Link(name="world"), Link(name="a"), Link(name="b"), *heavy("arm")],
        [joint("x", "world", "a", "fixed"), joint("y", "a", "b", "fixed"), joint("j", "b", "arm")],
    )
    model = libsdformat_model(write_sdf(marks)[0], tmp_path)
    assert {each["name"]: each["parent"] for each in model["joints"]} == {"x": "world", "j": "a"}


def test_limits_dynamics_and_axis_stand_at_the_joint(tmp_path):
    made = robot(
        [BARE, *heavy("arm", "slide", "wheel", "still")],
        [
            joint("j", "base", "arm", dynamics=Dynamics(damping=0.5, friction=0.25)),
            joint("s", "arm", "slide", "prismatic", axis=(0.0, 0.6, 0.8)),
            joint("w", "slide", "wheel", "continuous", limits=Limits(velocity=1.0, effort=0.0)),
            joint("n", "wheel", "still", limits=Limits()),
        ],
    )
    axis = tree(made).find("joint[@name='j']/axis")
    assert {each.tag: each.text for each in axis.iter() if each.text and each.text.strip()} == {
        "xyz": "0 0 1",
        "lower": "-1",
        "upper": "2",
        "effort": "4",
        "velocity": "3",
        "damping": "0.5",
        "friction": "0.25",
    }
    model = libsdformat_model(write_sdf(made)[0], tmp_path)
    assert {each["name"]: each["type"] for each in model["joints"]} == {
        "j": "revolute",
        "s": "prismatic",
        "w": "continuous",
        "n": "revolute",
    }
    assert model["limits"]["s"] == (-1.0, 2.0)
    assert tree(made).find("joint[@name='n']/axis/limit") is None
    assert [each.tag for each in tree(made).find("joint[@name='w']/axis/limit")] == ["effort", "velocity"]


def test_mass_and_shapes_are_the_links():
    turned = Transform.from_xyz_rpy((0.1, 0, 0), (math.pi / 2, 0, 0))
    arm = Link(
        name="arm",
        inertial=MASS,
        visuals=(
            Shape(geometry=Mesh(filename="package://arm/a.stl", scale=(0.001, 0.001, 0.001)), name="skin"),
            Shape(geometry=Box(size=(1, 2, 3)), origin=turned, name="skin", material=Material(name="grey")),
            Shape(geometry=Mesh(filename="b.stl"), material=Material(name="grey", rgba=(1, 0, 0, 1))),
            Shape(geometry=Sphere(radius=1.0), material=Material(name="unknown")),
        ),
        collisions=(
            Shape(geometry=Capsule(radius=0.1, length=0.4), material=Material(name="grey")),
            Shape(geometry=Cylinder(radius=0.1, length=0.4)),
        ),
        note="weighed",
    )
    made = robot([arm], [], materials=(Material(name="grey", rgba=(0.5, 0.5, 0.5, 1)),))
    text = write_sdf(made, mesh_name=lambda name: name.replace("package", "model"))[0]
    link = ElementTree.fromstring(text).find("model/link")
    assert "<!-- weighed -->" in text
    assert link.find("inertial/mass").text == "2"
    assert link.find("inertial/inertia/iyz").text == "0.003"
    pose = [float(part) for part in link.find("inertial/pose").text.split()]
    assert pose == pytest.approx([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    assert [each.get("name") for each in link.findall("visual")] == ["skin", "skin_2", "visual_3", "visual_4"]
    assert [each.get("name") for each in link.findall("collision")] == ["collision", "collision_2"]
    assert [each.text for each in link.iter("uri")] == ["model://arm/a.stl", "b.stl"]
    assert [each.text for each in link.iter("scale")] == ["0.001 0.001 0.001"]
    assert [each.text for each in link.iter("diffuse")] == ["0.5 0.5 0.5 1", "1 0 0 1"]
    assert [each[0].tag for each in link.iter("geometry")] == ["mesh", "box", "mesh", "sphere", "capsule", "cylinder"]


def test_what_gazebo_makes_of_a_link_without_mass_is_told():
    made = robot([BARE, Link(name="arm")], [joint("j", "base", "arm", note="by hand")])
    assert told(made) == ["no mass data: base, arm; Gazebo takes 1 kg and 1 kg m² for each"]
    assert "<!-- by hand -->" in write_sdf(made)[0]


def test_a_mimic_joint_is_told_and_stands_as_a_comment():
    follower = joint("k", "a", "b", mimic=Mimic(joint="j", multiplier=-0.5, offset=0.1))
    made = robot([BARE, *heavy("a", "b")], [joint("j", "base", "a"), follower])
    assert told(made) == [
        "no mass data: base; Gazebo takes 1 kg and 1 kg m² for each",
        "SDF 1.9 has no mimic: left out of k",
    ]
    assert "<!-- k = -0.5 * j + 0.1 -->" in write_sdf(made)[0]


def test_a_texture_is_told():
    made = robot(heavy("arm"), [], materials=(Material(name="wood", texture="oak.png"),))
    assert told(made) == ["material 'wood': its texture is left out, SDF names textures by other rules"]


def test_a_joint_with_a_links_name_gets_another():
    made = robot(
        heavy("base", "arm", "hand"),
        [joint("arm", "base", "arm"), joint("arm_joint", "arm", "hand")],
        loops=(Loop(name="hand", type="ball", link_a="base", link_b="base"),),
    )
    assert told(made) == ["SDF lets no joint have the name of a link: arm is arm_joint_joint, hand is hand_joint"]
    assert [each.get("name") for each in tree(made).findall("joint")] == ["arm_joint_joint", "arm_joint", "hand_joint"]
    assert tree(made).find("link[@name='arm']/pose").get("relative_to") == "arm_joint_joint"


def test_a_floating_body_has_no_joint():
    made = robot(heavy("base", "free"), [joint("f", "base", "free", "floating")])
    assert tree(made).find("joint") is None
    assert tree(made).find("link[@name='free']/pose").attrib == {"relative_to": "base"}


def test_names_with_blanks_at_their_ends_are_refused():
    made = robot(heavy("base", "  "), [joint("turn ", "base", "  ")])
    assert refused(made) == [
        "link name '  ': SDF's readers drop blanks at the ends of a name",
        "joint name 'turn ': SDF's readers drop blanks at the ends of a name",
    ]


def test_what_sdf_refuses_is_refused_at_once():
    made = robot(
        [Link(name="__base__"), *heavy("a::b", "world")],
        [joint("p", "__base__", "a::b", "planar"), joint("world", "__base__", "world")],
    )
    assert refused(made) == [
        "link name '__base__': SDF keeps '::' and names between double underscores for itself",
        "link name 'a::b': SDF keeps '::' and names between double underscores for itself",
        "link name 'world': SDF has this name for what does not move; use --prefix",
        "joint name 'world': SDF has this name for what does not move; use --prefix",
        "joint 'p': SDF has no planar joint",
    ]


def test_the_world_alone_is_no_model():
    assert refused(robot([Link(name="world")], [])) == [
        "the robot is the link 'world' alone, and SDF has no such link; a model has one or more"
    ]


X = Transform.from_xyz_rpy((1, 0, 0), (0, 0, 0))
TURNED = Transform.from_xyz_rpy((0, 0, 0), (0, 0, 0.3))


def parallelogram(kind: str = "revolute", back: Transform = IDENTITY, **fields) -> Robot:
    """Two cranks on a base, one metre apart, with a coupler on the first whose other end is held to the second."""
    loop = Loop(name="cut", type=kind, link_a="left", link_b="coupler", frame_a=X, frame_b=X @ back, **fields)
    joints = [
        joint("one", "base", "right", "continuous", origin=IDENTITY),
        joint("two", "base", "left", "continuous", origin=X),
        joint("three", "right", "coupler", "continuous", origin=X),
    ]
    return robot(heavy("base", "right", "left", "coupler"), joints, loops=(loop,))


def test_a_loop_that_is_closed_at_zero_is_a_joint_between_its_links(tmp_path):
    for kind in ("revolute", "continuous", "fixed", "ball", "prismatic"):
        made = parallelogram(kind)
        model = libsdformat_model(write_sdf(made)[0], tmp_path)
        cut = model["joints"][-1]
        assert (cut["name"], cut["type"], cut["parent"], cut["child"]) == ("cut", kind, "left", "coupler")
        assert np.abs(cut["pose"] - np.array(X.matrix())).max() < 1e-15
        assert told(made) == []
        assert "<!-- closes a loop -->" in write_sdf(made)[0]


@pytest.mark.parametrize(
    ("kind", "gap", "is_open"),
    [
        ("revolute", TURNED, False),
        ("revolute", Transform.from_xyz_rpy((0, 0, 0), (0.3, 0, 0)), True),
        ("revolute", Transform.from_xyz_rpy((0, 0, 0), (math.pi, 0, 0)), True),
        ("revolute", Transform.from_xyz_rpy((0, 0, 0.1), (0, 0, 0)), True),
        ("ball", Transform.from_xyz_rpy((0, 0, 0), (0.1, 0.2, 0.3)), False),
        ("ball", X, True),
        ("prismatic", Transform.from_xyz_rpy((0, 0, 0.1), (0, 0, 0)), False),
        ("prismatic", TURNED, True),
        ("prismatic", X, True),
        ("fixed", IDENTITY, False),
        ("fixed", TURNED, True),
    ],
)
def test_whether_a_loop_is_open_at_zero_depends_on_what_its_joint_lets_move(kind, gap, is_open):
    made = parallelogram(kind, gap)
    assert open_at_zero(made, made.loops[0]) is is_open


def test_zeros_are_moved_to_where_a_loop_is_closed(tmp_path):
    straight = parallelogram(closed={"one": 0.0, "two": 0.4, "three": 0.0})
    # The second crank's zero is 0.4 rad back, with limits, and a fourth joint follows it.
    joints = list(straight.joints)
    joints[1] = replace(
        joints[1],
        type="revolute",
        origin=X @ Transform.from_xyz_rpy((0, 0, 0), (0, 0, -0.4)),
        limits=Limits(lower=-1.0, upper=1.0, velocity=1.0, effort=1.0),
    )
    follower = joint("four", "base", "last", mimic=Mimic(joint="two", multiplier=2.0, offset=0.1), limits=None)
    made = replace(straight, links=(*straight.links, *heavy("last")), joints=(*joints, follower))
    assert told(made) == [
        "SDF wants loops closed where its joints are 0: its zeros are at two 0.4 (rad, m)",
        "SDF 1.9 has no mimic: left out of four",
    ]
    text = write_sdf(made)[0]
    model = libsdformat_model(text, tmp_path)
    assert model["limits"]["two"] == pytest.approx((-1.4, 0.6))
    assert model["joints"][-1]["name"] == "cut"
    assert "<!-- four = 2 * two + 0.9 -->" in text
    wanted = made.link_poses({"one": 0.2, "two": 0.7, "three": -0.1})
    found = sdf_poses(sdf_model(text), {"one": 0.2, "two": 0.3, "three": -0.1})
    for name in ("right", "left", "coupler"):
        assert np.abs(found[name] - np.array(wanted[name].matrix())).max() < 1e-15


def test_a_loop_that_stays_open_is_told():
    assert told(parallelogram(back=X)) == ["cut: the loop stays open: no pose is known in which it is closed"]
    assert tree(parallelogram(back=X)).find("joint[@name='cut']") is None
    assert told(parallelogram("planar"))[-1] == (
        "cut: the loop stays open: SDF has no planar joint; cut the loop at another joint"
    )
