"""The SRDF: groups, neighbours, links that touch, home."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from command_line import run
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.robot import Box, Capsule, Cylinder, Joint, Limits, Link, Mesh, Mimic, Robot, Shape, Sphere
from mdh2urdf.se3 import Transform
from mdh2urdf.srdf.contacts import touching, triangles_of
from mdh2urdf.srdf.groups import chain_groups
from mdh2urdf.srdf.writer import neighbour_pairs, write_srdf
from mdh2urdf.urdf.writer import write_urdf
from oracles import rpy_matrix
from readers import require_module


def pose(x=0.0, y=0.0, z=0.0) -> Transform:
    return Transform.from_xyz_rpy((x, y, z), (0.0, 0.0, 0.0))


def joint(name, parent, child, kind="revolute", origin=None, **fields) -> Joint:
    return Joint(name=name, type=kind, parent=parent, child=child, origin=origin or pose(), **fields)


def robot(*joints: Joint, shapes=None, root="base", **fields) -> Robot:
    """A robot of joints; links have the collision shapes that are given."""
    names = [root, *(each.child for each in joints)]
    links = tuple(Link(name=name, collisions=tuple((shapes or {}).get(name, ()))) for name in names)
    return Robot(name="robot", links=links, joints=joints, **fields)


def box(size=0.1, **origin) -> Shape:
    return Shape(geometry=Box(size=(size,) * 3), origin=pose(**origin))


def srdf(model: Robot, **options) -> tuple[ElementTree.Element, list[str]]:
    text, findings = write_srdf(model, **options)
    return ElementTree.fromstring(text), [str(finding) for finding in findings]


def groups(model: Robot) -> dict:
    return {group.name: (group.base, group.tip, [each.name for each in group.joints]) for group in chain_groups(model)}


def disabled(element: ElementTree.Element, reason: str) -> list[tuple[str, str]]:
    return [
        (each.get("link1"), each.get("link2"))
        for each in element.findall("disable_collisions")
        if each.get("reason") == reason
    ]


ARM = (
    joint("weld", "base", "foot", "fixed"),
    joint("one", "foot", "a", limits=Limits(lower=0.5, upper=1.0)),
    joint("two", "a", "b", "prismatic", limits=Limits(lower=-1.0, upper=-0.25)),
)
GRIPPER = (
    joint("mount", "b", "hand", "fixed"),
    joint("left", "hand", "finger_l", "prismatic"),
    joint("right", "hand", "finger_r", "prismatic", mimic=Mimic(joint="left")),
)


def test_one_chain_is_the_arm_from_the_root_to_the_farthest_frame():
    tool = (
        joint("t", "b", "tool0", "fixed"),
        joint("c", "b", "camera", "fixed"),
        joint("l", "camera", "lens", "fixed"),
    )
    assert groups(robot(*ARM, *tool)) == {"arm": ("base", "lens", ["one", "two"])}
    shapes = {"lens": [box()]}
    assert groups(robot(*ARM, *tool, shapes=shapes)) == {"arm": ("base", "tool0", ["one", "two"])}
    assert groups(robot(*ARM)) == {"arm": ("base", "b", ["one", "two"])}


def test_a_branch_ends_a_chain_and_starts_others_that_are_called_after_their_tips():
    assert groups(robot(*ARM, *GRIPPER)) == {
        "hand": ("base", "hand", ["one", "two"]),
        "finger_l": ("hand", "finger_l", ["left"]),
        "finger_r": ("hand", "finger_r", ["right"]),
    }


def test_a_branch_whose_joints_hang_on_several_links_ends_at_its_head():
    model = robot(
        joint("one", "base", "a"),
        joint("x", "a", "plate", "fixed"),
        joint("two", "a", "b"),
        joint("three", "plate", "c"),
    )
    assert groups(model)["a"] == ("base", "a", ["one"])


def test_joints_without_an_axis_end_chains_and_start_none():
    model = robot(joint("one", "base", "a"), joint("float", "a", "b", "floating"), joint("two", "b", "c"))
    assert groups(model) == {"a": ("base", "a", ["one"]), "c": ("b", "c", ["two"])}


def test_two_arms_on_one_root_are_two_chains():
    model = robot(joint("l", "base", "left"), joint("r", "base", "right"))
    assert groups(model) == {"left": ("base", "left", ["l"]), "right": ("base", "right", ["r"])}


def test_a_group_has_a_chain_and_the_home_pose_inside_the_limits():
    element, findings = srdf(robot(*ARM, *GRIPPER))
    assert [(group.get("name"), dict(group[0].attrib)) for group in element.findall("group")] == [
        ("hand", {"base_link": "base", "tip_link": "hand"}),
        ("finger_l", {"base_link": "hand", "tip_link": "finger_l"}),
    ]
    states = {
        state.get("group"): (state.get("name"), {each.get("name"): each.get("value") for each in state})
        for state in element.findall("group_state")
    }
    assert states == {"hand": ("home", {"one": "0.5", "two": "-0.25"}), "finger_l": ("home", {"left": "0"})}
    assert findings == [
        "no group for the chain to finger_r: nothing drives right",
        "no link has collision geometry: only neighbours are disabled",
    ]


def test_a_mimic_joint_within_a_chain_follows_and_has_no_value():
    model = robot(joint("one", "base", "a"), joint("two", "a", "b", mimic=Mimic(joint="one")))
    element, _ = srdf(model)
    assert [each.get("name") for each in element.find("group_state")] == ["one"]


def test_the_root_is_held_in_the_world_unless_it_is_the_world():
    element, _ = srdf(robot(joint("virtual_joint", "base", "a")))
    assert dict(element.find("virtual_joint").attrib) == {
        "name": "virtual_joint_",
        "type": "fixed",
        "parent_frame": "world",
        "child_link": "base",
    }
    assert srdf(robot(joint("j", "world", "a"), root="world"))[0].find("virtual_joint") is None


def test_joints_that_follow_in_a_loop_are_passive_and_the_loop_makes_neighbours():
    loop = Loop(name="close", type="revolute", link_a="b", link_b="c", passive=("two", "three"))
    model = robot(joint("one", "base", "a"), joint("two", "a", "b"), joint("three", "base", "c"), loops=(loop,))
    element, findings = srdf(model)
    assert [each.get("name") for each in element.findall("passive_joint")] == ["three", "two"]
    assert disabled(element, "Adjacent") == [("base", "a"), ("base", "c"), ("a", "b"), ("b", "c")]
    assert findings[0] == "no group for the chain to c: nothing drives three"


def test_neighbours_are_joined_over_links_without_collision_geometry():
    shapes = {name: [box()] for name in ("base", "b", "c", "d", "e")}
    model = robot(
        joint("1", "base", "a"),
        joint("2", "a", "b"),
        joint("3", "a", "c"),
        joint("4", "c", "d", "fixed"),
        joint("5", "d", "e", "fixed"),
        shapes=shapes,
    )
    assert neighbour_pairs(model) == [
        ("base", "b"),
        ("base", "c"),
        ("b", "c"),
        ("c", "d"),
        ("c", "e"),
        ("d", "e"),
    ]


def test_links_that_touch_at_home_are_disabled_and_others_are_not():
    # At home joint one stands at its lower limit of 90 degrees: c, which hangs on a, is then beside the base.
    limits = Limits(lower=math.pi / 2, upper=3.0)
    model = robot(
        joint("one", "base", "a", origin=pose(x=1.0), limits=limits),
        joint("two", "a", "b", origin=pose(x=1.0)),
        joint("three", "b", "c", origin=pose(y=1.0)),
        joint("four", "c", "d", origin=pose(x=5.0)),
        shapes={"base": [box(y=1.0)], "a": [box()], "b": [box()], "c": [box()], "d": [box()]},
    )
    element, findings = srdf(model)
    assert disabled(element, "Adjacent") == [("base", "a"), ("a", "b"), ("b", "c"), ("c", "d")]
    assert disabled(element, "Default") == [("base", "c")]
    assert findings == []


def test_meshes_are_compared_with_their_scale_and_those_that_are_missing_are_told(tmp_path):
    trimesh = require_module("trimesh")
    trimesh.creation.box(extents=(100, 100, 100)).export(tmp_path / "box.stl")
    (tmp_path / "bad.stl").write_bytes(b"solid")
    mesh = Shape(geometry=Mesh(filename="box.stl", scale=(0.001, 0.001, 0.001)))
    model = robot(
        joint("1", "base", "a", origin=pose(x=1.0)),
        joint("2", "a", "b", origin=pose(x=-0.92)),
        joint("3", "b", "c", origin=pose(x=1.0)),
        shapes={"base": [mesh], "a": [Shape(geometry=Mesh(filename="no.stl"))], "b": [mesh], "c": [box(), box()]},
    )
    element, findings = srdf(model, folder=tmp_path)
    assert disabled(element, "Default") == [("base", "b")]
    assert findings == ["a: not compared with other links: the mesh no.stl is not found"]


def test_names_that_xml_cannot_hold_are_refused():
    with pytest.raises(Mdh2UrdfError, match=r"joint name 'a\\x00' holds '\\x00', which XML cannot hold"):
        write_srdf(robot(joint("a\0", "base", "b")))


SOLIDS = {
    "box": Box(size=(0.2, 0.4, 0.6)),
    "cylinder": Cylinder(radius=0.3, length=0.5),
    "sphere": Sphere(radius=0.4),
    "capsule": Capsule(radius=0.2, length=0.7),
}
VOLUMES = {
    "box": 0.048,
    "cylinder": math.pi * 0.09 * 0.5,
    "sphere": 4 / 3 * math.pi * 0.064,
    "capsule": math.pi * 0.04 * 0.7 + 4 / 3 * math.pi * 0.008,
}


@pytest.mark.parametrize("name", SOLIDS)
def test_the_triangles_of_a_solid_enclose_its_volume_and_face_outwards(name):
    a, b, c = np.moveaxis(triangles_of(SOLIDS[name]), 1, 0)
    volume = np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6
    assert volume == pytest.approx(VOLUMES[name], rel=0.01)
    if name == "box":
        assert volume == pytest.approx(0.048, rel=1e-12)


def moved(triangles, xyz=(0.0, 0.0, 0.0), rpy=(0.0, 0.0, 0.0)):
    return triangles @ rpy_matrix(*rpy)[:3, :3].T + np.array(xyz)


def test_balls_touch_where_their_centres_are_nearer_than_their_radii():
    rng = np.random.default_rng(5)
    for _ in range(40):
        one, two = rng.uniform(0.1, 0.5, 2)
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        a = triangles_of(Sphere(radius=one))
        b = moved(triangles_of(Sphere(radius=two)), rpy=rng.uniform(-3, 3, 3))
        # 1 % more than what 48 corners of a circle take from a radius.
        assert touching(a, moved(b, way * (one + two) * 0.98))
        assert not touching(a, moved(b, way * (one + two) * 1.001))


def test_a_solid_within_another_touches_it_and_one_in_its_bore_does_not():
    outer, inner = triangles_of(Box(size=(1, 1, 1))), triangles_of(Box(size=(0.1, 0.1, 0.1)))
    assert touching(outer, inner)
    assert touching(inner, outer)
    ring = np.concatenate([moved(triangles_of(Box(size=(1, 0.1, 1))), (0, y, 0)) for y in (-0.5, 0.5)])
    assert not touching(ring, inner)
    assert touching(ring, moved(inner, (0, 0.4, 0)))


def test_boxes_that_stand_on_each_other_touch_and_a_micrometre_parts_them():
    base, top = triangles_of(Box(size=(1, 1, 1))), triangles_of(Box(size=(0.5, 0.5, 0.5)))
    assert touching(base, moved(top, (0, 0, 0.75)))
    assert not touching(base, moved(top, (0, 0, 0.75 + 1e-6)))


def test_large_surfaces_are_halved_until_few_are_left():
    fine = triangles_of(Sphere(radius=0.5))
    rod = moved(triangles_of(Cylinder(radius=0.01, length=3)), (0.45, 0, 0))
    assert touching(fine, rod)
    assert touching(rod, fine)
    assert not touching(fine, moved(rod, (0.09, 0, 0)))


def solids(rng) -> dict:
    """Random collision shapes of six links."""
    made = {}
    for name in ("base", "a", "b", "c", "d", "e"):
        kind = rng.integers(0, 3)
        size = rng.uniform(0.1, 0.5, 3).tolist()
        geometry = (
            Box(size=tuple(size)),
            Cylinder(radius=size[0] / 2, length=size[1]),
            Sphere(radius=size[0] / 2),
        )[kind]
        made[name] = [
            Shape(
                geometry=geometry,
                origin=Transform.from_xyz_rpy(rng.uniform(-0.2, 0.2, 3).tolist(), rng.uniform(-3, 3, 3).tolist()),
            )
        ]
    return made


@pytest.mark.parametrize("seed", range(8))
def test_pinocchio_reads_home_and_finds_the_same_links_touching(seed):
    """Its SRDF reader and the collision library that it comes with know nothing of our triangles."""
    pin = require_module("pinocchio")
    rng = np.random.default_rng(seed)
    chain = ["base", "a", "b", "c", "d", "e"]
    joints = [
        joint(
            f"j{name}",
            parent,
            name,
            origin=Transform.from_xyz_rpy(rng.uniform(-0.4, 0.4, 3).tolist(), rng.uniform(-3, 3, 3).tolist()),
            limits=Limits(lower=float(low), upper=3.0, velocity=1.0, effort=1.0),
        )
        for parent, name, low in zip(chain, chain[1:], rng.uniform(-1, 1, 5), strict=False)
    ]
    made = robot(*joints, shapes=solids(rng))
    text, _ = write_srdf(made)
    urdf = write_urdf(made)
    model = pin.buildModelFromXML(urdf)
    pin.loadReferenceConfigurationsFromXML(model, text)
    home = model.referenceConfigurations["home"]
    assert home.tolist() == [max(0.0, each.limits.lower) for each in joints]
    shapes = pin.buildGeomFromUrdfString(model, urdf, pin.GeometryType.COLLISION)
    shapes.addAllCollisionPairs()
    data = pin.GeometryData(shapes)
    pin.computeCollisions(model, model.createData(), shapes, data, home, False)

    def names(pair) -> frozenset:
        return frozenset(shapes.geometryObjects[index].name[:-2] for index in (pair.first, pair.second))

    hits = {
        names(pair)
        for pair, result in zip(shapes.collisionPairs, data.collisionResults, strict=True)
        if result.isCollision()
    }
    element = ElementTree.fromstring(text)
    neighbours = {frozenset(pair) for pair in disabled(element, "Adjacent")}
    assert {frozenset(pair) for pair in disabled(element, "Default")} == hits - neighbours
    pin.removeCollisionPairsFromXML(model, shapes, text, False)
    pin.computeCollisions(model, model.createData(), shapes, pin.GeometryData(shapes), home, False)
    assert {names(pair) for pair in shapes.collisionPairs}.isdisjoint(hits | neighbours)


TABLE = """\
name: two
convention: modified
units: {angle: deg, length: mm}
joints:
  - {name: j1, a: 0, alpha: 0, d: 100, theta: 0, limits: {lower: -90, upper: 90, velocity: 90, effort: 5}}
"""


def test_the_command_line_writes_an_srdf_beside_the_urdf(tmp_path: Path):
    table, file = tmp_path / "two.yaml", tmp_path / "two.srdf"
    table.write_text(TABLE)
    done = run(table, "--srdf", file, "--prefix", "a_")
    element = ElementTree.parse(file).getroot()
    assert dict(element.find("group/chain").attrib) == {"base_link": "a_base_link", "tip_link": "a_link1"}
    assert done.out.startswith("<?xml")
    assert done.err.splitlines()[-1] == "no link has collision geometry: only neighbours are disabled"
    file.unlink()
    strict = run(table, "--srdf", file, "--placeholder-inertia", "1", "--strict")
    assert (strict.status, file.exists()) == (1, False)


def states(element: ElementTree.Element) -> dict:
    return {
        (state.get("name"), state.get("group")): {one.get("name"): float(one.get("value")) for one in state}
        for state in element.findall("group_state")
    }


def test_named_poses_are_group_states_and_start_from_home():
    element, findings = srdf(robot(*ARM, *GRIPPER), poses={"ready": {"one": 0.75}, "open": {"left": 0.25}})
    found = states(element)
    arm, *_ = (group for name, group in found if name == "home")
    assert found[("home", arm)]["one"] == 0.5
    assert found[("ready", arm)] == {**found[("home", arm)], "one": 0.75}
    assert {name for name, _ in found} == {"home", "ready", "open"}
    assert not any("range" in finding for finding in findings)


def test_a_pose_called_home_takes_the_place_of_home():
    element, _ = srdf(robot(*ARM), poses={"home": {"one": 1.0, "two": -0.5}})
    assert states(element) == {("home", "arm"): {"one": 1.0, "two": -0.5}}


def test_a_pose_out_of_range_is_told():
    turning = joint("turn", "b", "c", "continuous")
    free = joint("free", "c", "d")
    low = joint("low", "d", "e", limits=Limits(lower=-1.0))
    high = joint("high", "e", "f", limits=Limits(upper=1.0))
    pose = {"one": 1.5, "two": -1.0, "turn": 9.0, "free": 9.0, "low": -9.0, "high": 9.0}
    _, findings = srdf(robot(*ARM, turning, free, low, high), poses={"far": pose})
    assert [finding for finding in findings if "range" in finding] == [
        "far: one = 1.5 is out of its range, 0.5 to 1",
        "far: low = -9 is out of its range, -1 to inf",
        "far: high = 9 is out of its range, -inf to 1",
    ]


def test_poses_are_typed_in_the_units_of_the_table(tmp_path):
    target = tmp_path / "arm.srdf"
    values = "ready:10,-20,30,0,45,0"
    named = "elbow-up:joint3=-90"
    done = run("puma560", "--srdf", target, "--prefix", "l_", "--pose", values, "--pose", named)
    assert done.status == 0
    found = states(ElementTree.parse(target).getroot())
    assert found[("ready", "arm")]["l_joint2"] == pytest.approx(math.radians(-20), abs=1e-15)
    assert found[("elbow-up", "arm")]["l_joint3"] == pytest.approx(math.radians(-90), abs=1e-15)
    assert found[("elbow-up", "arm")]["l_joint1"] == 0


@pytest.mark.parametrize(
    ("poses", "message"),
    [
        (["1,2,3"], "--pose wants NAME:Q,Q,..., the name of letters, digits, _ . and -, got '1,2,3'"),
        (["a b:1"], "--pose wants NAME:Q,Q,..., the name of letters, digits, _ . and -, got 'a b:1'"),
        (["a:joint1=1", "a:joint1=2"], "--pose a is given twice"),
        (["a:1"], "--pose a: wants 6 values, one for each of joint1, joint2, joint3, joint4, joint5, joint6; got 1"),
    ],
)
def test_a_pose_that_is_none_is_refused(tmp_path, poses, message):
    options = [part for pose in poses for part in ("--pose", pose)]
    done = run("puma560", "--srdf", tmp_path / "arm.srdf", *options)
    assert (done.status, done.err) == (2, f"{message}\n")
    assert not (tmp_path / "arm.srdf").exists()


def test_a_pose_goes_with_an_srdf_only():
    done = run("puma560", "--pose", "a:1,2,3,4,5,6")
    assert (done.status, done.out, done.err) == (2, "", "--pose goes with --srdf\n")


def test_a_ball_without_a_radius_touches_nothing():
    nothing = (Shape(geometry=Sphere(radius=0.0)),)
    model = robot(
        joint("j", "base", "a"),
        joint("k", "a", "b"),
        joint("l", "b", "c"),
        shapes={"base": (box(),), "a": nothing, "b": (box(),), "c": nothing},
    )
    pairs = disabled(srdf(model)[0], "Default")
    assert pairs == [("base", "b")]
