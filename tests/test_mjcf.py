"""Robots written as MJCF: what MuJoCo makes of them, and what is told where it has no place for something."""

from __future__ import annotations

import itertools
import math
from xml.etree import ElementTree

import numpy as np
import pytest

from mdh2urdf.enclosing.files import stl_bytes
from mdh2urdf.enclosing.surface import Surface
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.robot import (
    Box,
    Calibration,
    Capsule,
    Cylinder,
    Dynamics,
    Inertia,
    Inertial,
    Joint,
    Limits,
    Link,
    Material,
    Mesh,
    Mimic,
    Robot,
    Safety,
    Shape,
    Sphere,
)
from mdh2urdf.se3 import NO_ROTATION, X_AXIS, Transform
from oracles import rpy_matrix, shift, turn_about
from simulators import MuJoCo

MASS = Inertial(
    mass=2.0,
    inertia=Inertia(ixx=0.02, ixy=0.001, ixz=-0.002, iyy=0.03, iyz=0.003, izz=0.04),
    origin=Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6)),
)
LIMITS = Limits(lower=-1.0, upper=2.0, velocity=3.0, effort=4.0)
UP = Transform(NO_ROTATION, (0.0, 0.0, 0.5))


def joint(name: str, parent: str, child: str, type: str = "revolute", **fields) -> Joint:
    fields.setdefault("limits", LIMITS if type in ("revolute", "prismatic") else None)
    return Joint(name=name, type=type, parent=parent, child=child, origin=fields.pop("origin", UP), **fields)


def heavy(*names: str, **fields) -> list[Link]:
    return [Link(name=name, inertial=MASS, **fields) for name in names]


def robot(links, joints, **fields) -> Robot:
    return Robot(name="arm", links=tuple(links), joints=tuple(joints), **fields)


def tree(made: Robot) -> ElementTree.Element:
    return ElementTree.fromstring(write_mjcf(made)[0])


def told(made: Robot, **options) -> list[str]:
    return [str(finding) for finding in write_mjcf(made, **options)[1] if "velocity limits" not in finding.message]


def refused(made: Robot) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as caught:
        write_mjcf(made)
    return [str(problem) for problem in caught.value.problems]


BARE = Link(name="base")


def test_links_that_are_only_frames_are_sites_of_the_body_above():
    flange = joint("f", "arm", "flange", "fixed", origin=Transform.from_xyz_rpy((0.1, 0, 0), (0, math.pi / 2, 0)))
    tool = joint("t", "flange", "tool", "fixed")
    made = robot(
        [BARE, *heavy("arm"), Link(name="flange"), Link(name="tool")], [joint("j", "base", "arm"), flange, tool]
    )
    model = MuJoCo(write_mjcf(made)[0])
    model.set({"j": 0.3})
    poses = model.poses()
    assert model.model.nbody == 3
    wanted = shift(0, 0, 0.5) @ turn_about([0, 0, 1], 0.3) @ shift(0.1, 0, 0) @ rpy_matrix(0, math.pi / 2, 0)
    assert np.abs(poses["flange"] - wanted).max() < 1e-15
    assert np.abs(poses["tool"] - wanted @ shift(0, 0, 0.5)).max() < 1e-15


def test_a_frame_that_carries_a_body_is_a_body():
    made = robot(
        [BARE, Link(name="stand"), *heavy("arm")], [joint("s", "base", "stand", "fixed"), joint("j", "stand", "arm")]
    )
    assert [body.get("name") for body in tree(made).iter("body")] == ["base", "stand", "arm"]


def test_a_root_called_world_is_mujocos_world():
    drawn = Link(name="world", collisions=(Shape(geometry=Box(size=(1, 1, 1))),), note="the floor")
    made = robot([drawn, *heavy("arm")], [joint("j", "world", "arm")])
    world = tree(made).find("worldbody")
    assert [child.tag for child in world] == ["geom", "body"]
    assert "the floor" in write_mjcf(made)[0]
    contact = tree(made).find("contact")
    assert contact is None
    with_shape = robot([drawn, *heavy("arm", collisions=drawn.collisions)], made.joints)
    assert tree(with_shape).find("contact/exclude").attrib == {"body1": "world", "body2": "arm"}
    assert MuJoCo(write_mjcf(with_shape)[0]).model.nexclude == 1


def test_the_joints_of_links_without_mass_are_in_the_body_below():
    # A ball joint in three, turned against each other, as a split joint of an assembly.
    turned = Transform.from_xyz_rpy((0.1, 0.2, 0.3), (0.4, 0.5, 0.6))
    made = robot(
        [BARE, Link(name="a"), Link(name="b"), *heavy("arm")],
        [
            joint("x", "base", "a", axis=X_AXIS, origin=turned),
            joint("y", "a", "b", "prismatic", axis=(0, 0.6, 0.8), origin=turned),
            joint("z", "b", "arm", "continuous", origin=turned, note="the last"),
        ],
    )
    text, findings = write_mjcf(made)
    model = MuJoCo(text)
    values = {"x": 0.3, "y": -0.2, "z": 1.1}
    model.set(values)
    place = np.array(turned.matrix())
    wanted = place @ turn_about([1, 0, 0], 0.3) @ place @ shift(0, -0.12, -0.16) @ place @ turn_about([0, 0, 1], 1.1)
    assert np.abs(model.poses()["arm"] - wanted).max() < 1e-14
    assert model.model.nbody == 3
    assert "<!-- the last -->" in text
    message = "arm: no mass data: a, b; their joints are in this body, for MuJoCo moves nothing without mass"
    assert [str(finding) for finding in findings if finding.rule == "folded"] == [message]


def test_bodies_that_move_without_mass_are_refused_by_name():
    links = [BARE, Link(name="a"), Link(name="b"), *[Link(name=f"c{i}") for i in range(7)]]
    joints = [joint("j", "base", "a"), joint("k", "a", "b"), *[joint(f"l{i}", "b", f"c{i}") for i in range(7)]]
    assert refused(robot(links, joints)) == [
        "MuJoCo refuses bodies that move without mass: a, b, c0, c1, c2, c3 and 3 more; give their mass data, "
        "or convert with --placeholder-inertia"
    ]


def test_a_massless_body_with_a_mass_fixed_to_it_moves():
    shape = (Shape(geometry=Sphere(radius=0.1)),)
    made = robot(
        [BARE, Link(name="arm", visuals=shape), *heavy("weight")],
        [joint("j", "base", "arm"), joint("w", "arm", "weight", "fixed")],
    )
    assert MuJoCo(write_mjcf(made)[0]).model.nv == 1


def test_limits_damping_friction_and_effort_stand_at_the_joint():
    made = robot(
        [BARE, *heavy("arm", "slide", "wheel", "still")],
        [
            joint("j", "base", "arm", dynamics=Dynamics(damping=0.5, friction=0.25)),
            joint("s", "arm", "slide", "prismatic", dynamics=Dynamics()),
            joint("w", "slide", "wheel", "continuous", limits=Limits(velocity=1.0, effort=0.0)),
            joint("n", "wheel", "still", limits=Limits(lower=0.0)),
        ],
    )
    found = {each.get("name"): each.attrib for each in tree(made).iter("joint")}
    axis = {"axis": "0 0 1"}
    assert found == {
        "j": {
            "name": "j",
            "type": "hinge",
            **axis,
            "range": "-1 2",
            "damping": "0.5",
            "frictionloss": "0.25",
            "actuatorfrcrange": "-4 4",
        },
        "s": {"name": "s", "type": "slide", **axis, "range": "-1 2", "actuatorfrcrange": "-4 4"},
        "w": {"name": "w", "type": "hinge", **axis},
        "n": {"name": "n", "type": "hinge", **axis},
    }


def test_driven_joints_with_an_effort_get_a_motor():
    made = robot(
        [BARE, *heavy("a", "b", "c", "d")],
        [
            joint("driven", "base", "a"),
            joint("follower", "a", "b", mimic=Mimic(joint="driven")),
            joint("passive", "b", "c"),
            joint("free", "c", "d", "continuous"),
        ],
        loops=(Loop(name="cut", type="ball", link_a="a", link_b="c", passive=("passive",)),),
    )
    assert [motor.attrib for motor in tree(made).iter("motor")] == [
        {"name": "driven", "joint": "driven", "ctrlrange": "-4 4"}
    ]


def test_the_home_pose_is_within_the_limits_and_mimic_joints_follow():
    made = robot(
        [BARE, *heavy("a", "b", "c")],
        [
            joint("j", "base", "a", limits=Limits(lower=0.5, upper=1.0, velocity=1.0, effort=1.0)),
            joint("k", "a", "b", mimic=Mimic(joint="j", multiplier=-2.0, offset=0.25)),
            joint("l", "b", "c", limits=Limits(lower=-2.0, upper=-1.0, velocity=1.0, effort=1.0)),
        ],
    )
    key = tree(made).find("keyframe/key")
    assert key.attrib == {"name": "home", "qpos": "0.5 -0.75 -1"}


def test_mimic_is_an_equality_and_so_is_a_joint_that_cannot_move():
    made = robot(
        [BARE, *heavy("a", "b", "c", "d", "e")],
        [
            joint("j", "base", "a"),
            joint("k", "a", "b", mimic=Mimic(joint="j", multiplier=-0.5, offset=0.1)),
            joint("l", "b", "c", limits=Limits(lower=0.7, upper=0.7, velocity=1.0, effort=1.0)),
            joint("m", "c", "d", mimic=Mimic(joint="weld", offset=0.2)),
            joint("weld", "d", "e", "fixed"),
        ],
    )
    assert [each.attrib for each in tree(made).find("equality")] == [
        {"name": "k_mimic", "joint1": "k", "joint2": "j", "polycoef": "0.1 -0.5 0 0 0"},
        {"name": "l_lock", "joint1": "l", "polycoef": "0.7 0 0 0 0"},
        {"name": "m_lock", "joint1": "m", "polycoef": "0.2 0 0 0 0"},
    ]
    assert MuJoCo(write_mjcf(made)[0]).model.neq == 3


def test_bodies_that_touch_at_a_joint_do_not_collide():
    shape = (Shape(geometry=Sphere(radius=0.1)),)
    made = robot(
        [BARE, *heavy("a", "cover", "mid", "b", collisions=shape), Link(name="thin"), *heavy("c", collisions=shape)],
        [
            joint("j", "base", "a"),
            joint("s", "a", "cover", "fixed"),
            joint("k", "cover", "mid"),
            joint("l", "mid", "b"),
            joint("x", "b", "thin"),
            joint("y", "thin", "c"),
        ],
        loops=(Loop(name="cut", type="ball", link_a="a", link_b="b"),),
    )
    pairs = [(each.get("body1"), each.get("body2")) for each in tree(made).find("contact")]
    assert pairs == [("a", "mid"), ("cover", "mid"), ("mid", "b"), ("b", "c"), ("a", "b"), ("cover", "b")]
    model = MuJoCo(write_mjcf(made)[0])
    model.set({joint.name: 0.0 for joint in made.joints})
    assert model.data.ncon == 0


def test_shapes_become_geoms_that_are_seen_or_collide():
    turned = Transform.from_xyz_rpy((0.1, 0, 0), (math.pi / 2, 0, 0))
    grey, red = Material(name="grey", rgba=(0.5, 0.5, 0.5, 1)), Material(name="", rgba=(1, 0, 0, 1))
    arm = Link(
        name="arm",
        inertial=MASS,
        visuals=(
            Shape(geometry=Box(size=(0.2, 0.4, 0.6)), name="skin", material=Material(name="grey")),
            Shape(geometry=Cylinder(radius=0.1, length=0.4), origin=turned, material=red),
            Shape(geometry=Sphere(radius=0.1), material=Material(name="grey", rgba=(0, 0, 1, 1))),
            Shape(geometry=Sphere(radius=0.1), material=Material(name="unknown")),
        ),
        collisions=(Shape(geometry=Capsule(radius=0.1, length=0.4), name="skin"), Shape(geometry=Sphere(radius=0.2))),
    )
    more = Link(name="tip", inertial=MASS, collisions=(Shape(geometry=Sphere(radius=0.1), name="skin"),))
    made = robot([BARE, arm, more], [joint("j", "base", "arm"), joint("k", "arm", "tip")], materials=(grey,))
    quarter = "0.7071067811865475 0.7071067811865475 0 0"
    assert [geom.attrib for body in tree(made).iter("body") for geom in body.findall("geom")] == [
        {"name": "skin", "class": "visual", "type": "box", "size": "0.1 0.2 0.3", "material": "grey"},
        {
            "class": "visual",
            "type": "cylinder",
            "size": "0.1 0.2",
            "pos": "0.1 0 0",
            "quat": quarter,
            "rgba": "1 0 0 1",
        },
        {"class": "visual", "type": "sphere", "size": "0.1", "rgba": "0 0 1 1"},
        {"class": "visual", "type": "sphere", "size": "0.1"},
        {"name": "skin_collision", "class": "collision", "type": "capsule", "size": "0.1 0.2"},
        {"class": "collision", "type": "sphere", "size": "0.2"},
        {"name": "skin_collision_2", "class": "collision", "type": "sphere", "size": "0.1"},
    ]
    model = MuJoCo(write_mjcf(made)[0]).model
    assert [int(group) for group in model.geom_group] == [2, 2, 2, 2, 3, 3, 3]
    assert [int(kind) for kind in model.geom_contype] == [0, 0, 0, 0, 1, 1, 1]


def mesh_link(*shapes: Mesh) -> Robot:
    arm = Link(name="arm", inertial=MASS, visuals=tuple(Shape(geometry=mesh) for mesh in shapes))
    return robot([BARE, arm], [joint("j", "base", "arm")])


def test_meshes_are_assets_with_a_name_and_a_scale():
    same, other = Mesh(filename="package://arm/meshes/a.stl"), Mesh(filename="b/a.STL", scale=(0.001, 0.001, 0.001))
    made = mesh_link(same, other, same)
    text, _ = write_mjcf(made, mesh_name=lambda name: f"seen/{name.rpartition('/')[2]}")
    root = ElementTree.fromstring(text)
    assert [mesh.attrib for mesh in root.find("asset")] == [
        {"name": "a", "file": "seen/a.stl", "inertia": "shell"},
        {"name": "a_2", "file": "seen/a.STL", "inertia": "shell", "scale": "0.001 0.001 0.001"},
    ]
    assert [geom.get("mesh") for geom in root.iter("geom") if geom.get("mesh")] == ["a", "a_2", "a"]


def test_a_flat_mesh_can_be_seen():
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    flat = Surface(vertices=corners, faces=np.array([[0, 1, 2], [0, 2, 3]]))
    model = MuJoCo(write_mjcf(mesh_link(Mesh(filename="a.stl")))[0], {"a.stl": stl_bytes(flat)}).model
    assert model.nmesh == 1


def test_what_mujoco_cannot_read_is_left_out_and_told():
    made = mesh_link(Mesh(filename="arm.dae"))
    assert told(made) == ["arm: a visual mesh is left out: MuJoCo reads .stl, .obj, .msh, not arm.dae"]
    painted = Link(name="base", visuals=(Shape(geometry=Sphere(radius=1.0), material=Material(name="wood")),))
    made = robot([painted], [], materials=(Material(name="wood", texture="oak.png"),))
    assert told(made) == ["material 'wood': its texture is left out, MuJoCo lays textures by its own rules"]
    assert tree(made).find("asset") is None


def test_what_mjcf_has_no_place_for_is_told_once_for_each_kind():
    made = robot(
        [BARE, *heavy("a", "b")],
        [
            joint("j", "base", "a", safety=Safety(k_velocity=1.0), calibration=Calibration(rising=0.1)),
            joint("k", "a", "b", safety=Safety(k_velocity=1.0)),
        ],
    )
    assert [str(finding) for finding in write_mjcf(made)[1]] == [
        "MJCF has no velocity limits: left out of j, k",
        "MJCF has no safety controllers: left out of j, k",
        "MJCF has no calibrations: left out of j",
    ]


def test_a_floating_body_is_free_in_the_world():
    placed = Transform.from_xyz_rpy((1, 2, 3), (0, 0, math.pi / 2))
    for root in ("world", "ground"):
        made = robot(
            [Link(name=root), *heavy("body", "arm")],
            [joint("f", root, "body", "floating", origin=placed), joint("j", "body", "arm")],
        )
        model = MuJoCo(write_mjcf(made)[0])
        assert model.model.nq == 8
        half = "0.7071067811865475"
        assert tree(made).find("keyframe/key").get("qpos") == f"1 2 3 {half} 0 0 {half} 0"
    made = robot([*heavy("a", "b")], [joint("f", "a", "b", "floating")])
    assert refused(made) == ["joint 'f' floats on link 'a', but MuJoCo lets bodies float in the world only"]


def test_a_planar_joint_is_two_slides_and_a_turn():
    placed = Transform.from_xyz_rpy((0, 0, 1), (0.3, 0.4, 0.5))
    for axis in ((0.0, 0.6, 0.8), X_AXIS):
        made = robot([BARE, *heavy("body")], [joint("p", "base", "body", "planar", axis=axis, origin=placed)])
        model = MuJoCo(write_mjcf(made)[0])
        assert [model.model.joint(i).name for i in range(3)] == ["p_x", "p_y", "p_turn"]
        x, y, turn = (np.array([float(part) for part in each.get("axis").split()]) for each in tree(made).iter("joint"))
        assert np.abs(np.cross(x, y) - axis).max() < 1e-15
        assert np.abs(turn - axis).max() == 0.0


def tensor(xx: float, yy: float, zz: float, rpy=(0.0, 0.0, 0.0)) -> Robot:
    """A body on a hinge with these moments, turned."""
    turn = rpy_matrix(*rpy)[:3, :3]
    (a, b, c), (_, d, e), (_, _, f) = turn @ np.diag((xx, yy, zz)) @ turn.T
    inertial = Inertial(mass=1.0, inertia=Inertia(ixx=a, ixy=b, ixz=c, iyy=d, iyz=e, izz=f))
    return robot([BARE, Link(name="arm", inertial=inertial)], [joint("j", "base", "arm")])


@pytest.mark.parametrize("seed", range(12))
def test_the_tensor_of_a_thin_plate_is_one_for_mujoco_however_it_is_turned(seed):
    rpy = np.random.default_rng(seed).uniform(-3, 3, 3)
    made = tensor(1.0, 1.5, 2.5, rpy)
    assert told(made) == []
    model = MuJoCo(write_mjcf(made)[0]).model
    assert sorted(model.body_inertia[-1]) == pytest.approx([1.0, 1.5, 2.5], rel=1e-10)


def test_a_tensor_that_no_body_has_is_told_and_balanced():
    made = tensor(1.0, 1.0, 2.5)
    assert told(made) == [
        "a moment is larger than the sum of the others: arm; no body has such a tensor, "
        "and MuJoCo is told to take the mean of the three"
    ]
    assert MuJoCo(write_mjcf(made)[0]).model.body_inertia[-1] == pytest.approx([1.5, 1.5, 1.5])


def test_a_mass_without_a_tensor_is_refused():
    assert refused(tensor(0.0, 1.0, 1.0)) == ["MuJoCo refuses tensors whose moments are not all above 0: arm"]


def test_a_tree_that_is_too_deep_for_xml_is_refused():
    names = [f"l{number}" for number in range(241)]
    joints = [joint(f"j{a}", a, b) for a, b in itertools.pairwise(names)]
    words = "the tree is 241 links deep; MuJoCo's bodies stand in one another, at most 240"
    assert refused(robot(heavy(*names), joints)) == [words]
    text = write_mjcf(robot(heavy(*names[:-1]), joints[:-1]))[0]
    assert MuJoCo(text).model.nv == 239
    assert len(read_mjcf(text)[0].joints) == 239


def test_a_link_called_world_that_is_not_the_root_is_refused():
    made = robot([BARE, *heavy("world")], [joint("j", "base", "world")])
    assert refused(made) == [
        "link 'world' is not the root, but MuJoCo has this name for its own fixed body; use --prefix"
    ]


def test_names_that_xml_cannot_hold_are_refused():
    made = robot([Link(name="a\x01")], [])
    assert refused(made) == ["link name 'a\\x01' holds '\\x01', which XML cannot hold"]


A, B = Transform.from_xyz_rpy((0.1, 0, 0), (0.1, 0.2, 0.3)), Transform.from_xyz_rpy((0, 0.1, 0), (0, 0, 1.0))


def closed(type: str, **fields) -> Robot:
    loop = Loop(name="cut", type=type, link_a="a", link_b="b", frame_a=A, frame_b=B, **fields)
    return robot([BARE, *heavy("a", "b")], [joint("j", "base", "a"), joint("k", "base", "b")], loops=(loop,))


def test_a_ball_holds_a_point_and_a_weld_a_frame():
    for kind, tag in (("ball", "connect"), ("fixed", "weld")):
        made = closed(kind)
        (found,) = tree(made).find("equality")
        assert (found.tag, found.attrib) == (
            tag,
            {"name": "cut", "site1": "cut_a1", "site2": "cut_b1", "solref": "0.005 1"},
        )
        model = MuJoCo(write_mjcf(made)[0])
        model.set({"j": 0.0, "k": 0.0})
        poses = model.poses()
        assert np.abs(poses["cut_a1"] - poses["a"] @ np.array(A.matrix())).max() < 1e-15
        assert np.abs(poses["cut_b1"] - poses["b"] @ np.array(B.matrix())).max() < 1e-15


def test_a_hinge_holds_two_points_of_its_axis_a_tenth_of_the_reach_apart():
    made = closed("revolute", axis=(0.0, 0.6, 0.8))
    assert [each.get("name") for each in tree(made).find("equality")] == ["cut_1", "cut_2"]
    model = MuJoCo(write_mjcf(made)[0])
    model.set({"j": 0.0, "k": 0.0})
    poses = model.poses()
    for end, link, frame in (("a", "a", A), ("b", "b", B)):
        axis = poses[link][:3, :3] @ np.array(frame.rotation) @ (0.0, 0.6, 0.8)
        way = poses[f"cut_{end}2"][:3, 3] - poses[f"cut_{end}1"][:3, 3]
        assert np.abs(way - 0.1 * axis).max() < 1e-15


@pytest.mark.parametrize("type", ["prismatic", "cylindrical", "planar"])
def test_a_loop_that_mujoco_cannot_close_is_told(type):
    assert told(closed(type)) == [
        f"cut: the loop stays open: MuJoCo has no {type} joint that closes a loop; cut the loop at a turning joint"
    ]
    assert tree(closed(type)).find("equality") is None
