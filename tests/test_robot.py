import math

import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Joint, Link, Mimic, Robot, tree_problems
from mdh2urdf.se3 import Transform


def links(*names):
    return tuple(Link(name=name) for name in names)


def joint(name, parent, child, type="revolute", **fields):
    return Joint(
        name=name, type=type, parent=parent, child=child, origin=Transform(translation=(1.0, 0.0, 0.0)), **fields
    )


def arm():
    return Robot(
        name="arm",
        links=links("tip", "base", "middle", "side"),
        joints=(
            joint("b", "middle", "tip", "prismatic"),
            joint("a", "base", "middle"),
            joint("c", "middle", "side", "fixed"),
        ),
    )


def test_the_root_and_the_leaves_are_found_whatever_the_order_of_the_file():
    assert arm().root == "base"
    assert arm().leaves() == ("tip", "side")


def test_poses_do_not_depend_on_the_order_of_the_joints():
    poses = arm().link_poses({"a": math.pi / 2, "b": 0.5})
    assert poses["tip"].translation == (1.0, 1.0, 0.5)
    assert poses["side"].translation == (1.0, 1.0, 0.0)


def test_joints_in_order_stay_in_order():
    robot = Robot(name="arm", links=links("x", "y", "z"), joints=(joint("a", "x", "y"), joint("b", "y", "z")))
    assert [each.name for each in robot.joints_from_root()] == ["a", "b"]
    assert [each.name for each in arm().joints_from_root()] == ["a", "b", "c"]


def test_a_chain_runs_from_base_to_tip():
    assert [each.name for each in arm().chain("base", "tip")] == ["a", "b"]
    assert arm().chain("tip", "tip") == ()
    assert arm().parent_joint("base") is None
    assert arm().link("tip").name == "tip"


@pytest.mark.parametrize(
    ("base", "tip", "message"),
    [
        ("base", "hand", "there is no link 'hand'; the links are tip, base, middle, side"),
        ("foot", "tip", "there is no link 'foot'; the links are tip, base, middle, side"),
        ("side", "tip", "link 'tip' does not hang below link 'side'"),
    ],
)
def test_a_chain_that_is_none_is_an_error(base, tip, message):
    with pytest.raises(Mdh2UrdfError) as caught:
        arm().chain(base, tip)
    assert str(caught.value) == message


def test_mimic_joints_follow_and_a_circle_of_them_ends():
    followers = (
        joint("a", "x", "y"),
        joint("b", "y", "z", mimic=Mimic(joint="c", multiplier=2.0, offset=1.0)),
        joint("c", "z", "w", mimic=Mimic(joint="a", multiplier=-1.0)),
        joint("d", "w", "v", mimic=Mimic(joint="elsewhere")),
    )
    robot = Robot(name="arm", links=links("x", "y", "z", "w", "v"), joints=followers)
    assert robot.joint_values({"a": 0.5, "d": 0.1}) == {"a": 0.5, "b": 0.0, "c": -0.5, "d": 0.1}
    circle = (joint("a", "x", "y", mimic=Mimic(joint="b")), joint("b", "y", "z", mimic=Mimic(joint="a")))
    assert Robot(name="arm", links=links("x", "y", "z"), joints=circle).joint_values({}) == {"a": 0.0, "b": 0.0}


@pytest.mark.parametrize(
    ("names", "joints", "problems"),
    [
        ("", [], ["the robot has no links"]),
        ("xyx", [joint("a", "x", "y")], ["link name 'x' is used twice"]),
        ("xyz", [joint("a", "x", "y"), joint("a", "y", "z")], ["joint name 'a' is used twice"]),
        ("xy", [joint("a", "x", "q")], ["joint 'a': child link 'q' does not exist"]),
        ("xy", [joint("a", "q", "y")], ["joint 'a': parent link 'q' does not exist"]),
        ("xyz", [joint("a", "x", "z"), joint("b", "y", "z")], ["link 'z' is the child of two joints, 'a' and 'b'"]),
        ("xyz", [joint("a", "x", "y")], ["the robot has 2 roots: x, z; a URDF has one"]),
        ("xy", [joint("a", "x", "y"), joint("b", "y", "x")], ["the joints a, b form a loop; a URDF is a tree"]),
        ("rxy", [joint("a", "x", "y"), joint("b", "y", "x")], ["the joints a, b form a loop; a URDF is a tree"]),
    ],
)
def test_what_is_no_tree_is_said(names, joints, problems):
    found = tree_problems(links(*names), tuple(joints))
    assert [problem.replace("the joints b, a form", "the joints a, b form") for problem, _ in found] == problems
    with pytest.raises(Mdh2UrdfError):
        Robot(name="arm", links=links(*names), joints=tuple(joints))


def test_a_long_chain_in_reverse_order_is_read_in_linear_time():
    count = 5000
    names = [f"l{i}" for i in range(count + 1)]
    joints = tuple(joint(f"j{i}", names[i], names[i + 1]) for i in reversed(range(count)))
    robot = Robot(name="long", links=links(*reversed(names)), joints=joints)
    assert robot.link_poses({})[names[-1]].translation[0] == count
