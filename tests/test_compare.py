"""compare finds base, tool, signs and zero offsets between two models, and then tells what is left."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fitted
import oracles
from mdh2urdf.compare import sign_search
from mdh2urdf.compare.chain import chain_of
from mdh2urdf.compare.comparison import compare
from mdh2urdf.convert import strict_robot
from mdh2urdf.errors import CheckError, Mdh2UrdfError
from mdh2urdf.robot import Joint, Limits, Link, Mimic, Robot
from mdh2urdf.se3 import IDENTITY, Transform, angle_between_rotations, norm, scale, subtract
from mdh2urdf.table import Base, ModifiedRow, StandardRow, Table, TableJoint, Tool
from strategies import modified_rows, standard_rows, tables

HALF = math.pi / 2

# Universal Robots support, "DH parameters for calculations of kinematics and dynamics" (UR5, UR10)
UR5 = [
    (0.0, HALF, 0.089159),
    (-0.425, 0.0, 0.0),
    (-0.39225, 0.0, 0.0),
    (0.0, HALF, 0.10915),
    (0.0, -HALF, 0.09465),
    (0.0, 0.0, 0.0823),
]
UR10 = [
    (0.0, HALF, 0.1273),
    (-0.612, 0.0, 0.0),
    (-0.5723, 0.0, 0.0),
    (0.0, HALF, 0.163941),
    (0.0, -HALF, 0.1157),
    (0.0, 0.0, 0.0922),
]


def table(rows, *, name="arm", types="", base=IDENTITY, tool=None):
    """A chain of rows with joints named j1, j2, ...; types is a letter a row, r or p."""
    joints = []
    for index, row in enumerate(rows):
        kind = "prismatic" if types[index : index + 1] == "p" else "revolute"
        parent = f"l{index}" if index else "base_link"
        joints.append(TableJoint(name=f"j{index + 1}", link=f"l{index + 1}", parent=parent, type=kind, row=row))
    return Table(name=name, joints=tuple(joints), base=Base(pose=base), tool=tool)


def standard(rows, **options):
    return table([StandardRow(theta=0.0, d=d, a=a, alpha=alpha) for a, alpha, d in rows], **options)


def modified(*rows, **options):
    """Rows of (a, alpha, d)."""
    return table([ModifiedRow(a_prev=a, alpha_prev=alpha, d=d, theta=0.0) for a, alpha, d in rows], **options)


def modified_twin(source):
    """A standard table's chain as a modified table: a and alpha one row later, the last ones in the tool."""
    rows, a, alpha, beta = [], 0.0, 0.0, 0.0
    for joint in source.joints:
        row = joint.row
        rows.append(ModifiedRow(a_prev=a, alpha_prev=alpha, d=row.d, theta=row.theta))
        assert beta == 0.0
        a, alpha, beta = row.a, row.alpha, row.beta
    end = Tool(row=ModifiedRow(a_prev=a, alpha_prev=alpha, d=0.0, theta=0.0))
    joints = zip(source.joints, rows, strict=True)
    return replace(source, joints=tuple(replace(joint, row=row) for joint, row in joints), tool=end)


def disguised(robot, signs, offsets, base=IDENTITY, tool=IDENTITY):
    """The robot placed elsewhere, with another tip, some joints reversed and zeros moved.

    Its joint values are ``sign * q + offset`` where the given robot's are q.
    """
    moving = [joint for joint in robot.joints if joint.type != "fixed"]
    changes = dict(zip([joint.name for joint in moving], zip(signs, offsets, strict=True), strict=True))
    joints = []
    for joint in robot.joints:
        if joint.name in changes:
            sign, offset = changes[joint.name]
            origin = joint.origin @ joint.motion(-sign * offset)
            joint = replace(joint, origin=origin, axis=scale(sign, joint.axis))  # noqa: PLW2901
        joints.append(joint)
    first, rest = joints[0], joints[1:]
    tip = Joint(name="end", type="fixed", parent=joints[-1].child, child="end", origin=tool)
    joints = [replace(first, origin=base @ first.origin), *rest, tip]
    return Robot(name="disguised", links=(*robot.links, Link(name="end")), joints=tuple(joints))


def signs_of(comparison):
    return [match.sign for match in comparison.joints]


def offsets_of(comparison):
    return [match.offset for match in comparison.joints]


def poses_differ(a, b):
    return max(norm(subtract(a.translation, b.translation)), angle_between_rotations(a.rotation, b.rotation))


def test_a_turned_ur5_with_reversed_joints_and_moved_zeros_is_found_out():
    ur5 = standard(UR5)
    turned = Transform.from_xyz_rpy((0, 0, 0), (0, 0, math.pi))
    urdf = disguised(strict_robot(ur5), [1, 1, -1, 1, -1, 1], [0, 0.3, -HALF, 1.1, -0.7, 0], base=turned)
    found = compare(ur5, urdf)
    assert signs_of(found) == [1, 1, -1, 1, -1, 1]
    assert offsets_of(found) == pytest.approx([0, 0.3, -HALF, 1.1, -0.7, 0], abs=1e-12)
    assert offsets_of(found)[0] == offsets_of(found)[5] == 0.0
    assert poses_differ(found.base, turned) < 1e-12
    assert poses_differ(found.tool, IDENTITY) < 1e-12
    assert found.position.error < 1e-12
    assert found.angle.error < 1e-12
    assert found.agrees(1e-12)


@pytest.mark.parametrize("reverse", [(2, 3), (2, 4), (2, 5), (3, 4), (3, 5), (4, 5)])
def test_every_pair_of_reversed_joints_of_a_ur5_is_found(reverse):
    signs = [-1 if place in reverse else 1 for place in range(1, 7)]
    offsets = [0, 0.2, -0.4, 0.6, -0.8, 0]
    found = compare(standard(UR5), disguised(strict_robot(standard(UR5)), signs, offsets))
    assert signs_of(found) == signs
    assert offsets_of(found) == pytest.approx(offsets, abs=1e-12)
    assert found.agrees(1e-12)


def test_of_equal_solutions_the_one_with_fewest_reversed_joints_is_told():
    # Turning a UR5 by 180 degrees about its second axis makes the first one point down: joint 1 may as well
    # run backwards, with joint 2 half a turn away.
    backwards = disguised(strict_robot(standard(UR5)), [-1, 1, 1, 1, 1, -1], [0] * 6)
    found = compare(standard(UR5), backwards)
    assert signs_of(found) == [1] * 6
    assert found.agrees(1e-12)


def test_of_equal_solutions_the_one_with_the_smallest_base_rotation_is_told():
    # One axis alone: a turn of the base about it is a turn of the tool.
    one = modified((0, 0, 0.3))
    turned = Transform.from_xyz_rpy((0, 0, 0.5), (0, 0, 2.0))
    found = compare(one, disguised(strict_robot(one), [1], [0], base=turned))
    assert found.base == IDENTITY
    assert found.tool.translation == pytest.approx((0, 0, -0.5))
    assert found.agrees(1e-12)


def test_a_shift_along_parallel_axes_is_told_as_the_tool():
    scara = modified((0, 0, 0.2), (0.325, 0, 0), (0.275, 0, 0), (0, 0, 0), types="rrrp")
    lifted = disguised(
        strict_robot(scara), [1, -1, 1, 1], [0, 0.5, 0, 0], base=Transform.from_xyz_rpy((0.1, 0.2, 0.7), (0, 0, 0.4))
    )
    found = compare(scara, lifted)
    assert signs_of(found) == [1, -1, 1, 1]
    assert found.base.translation[2] == pytest.approx(0, abs=1e-12)
    assert found.tool.translation[2] == pytest.approx(-0.7)
    assert [match.offset_free for match in found.joints] == [False, True, False, False]
    assert found.agrees(1e-12)


def test_an_offset_that_another_joint_can_take_is_told_as_zero():
    # Joints 2 and 3 turn about one axis: only the sum of their zeros shows.
    coincident = modified((0, 0, 0), (0.4, HALF, 0), (0, 0, 0.2), (0.3, HALF, 0.1), (0, HALF, 0))
    moved = disguised(strict_robot(coincident), [1] * 5, [0, 0.25, 0.5, 0.125, 0])
    found = compare(coincident, moved)
    assert offsets_of(found) == pytest.approx([0, 0.75, 0, 0.125, 0], abs=1e-12)
    assert [match.offset_free for match in found.joints] == [False, True, False, True, False]
    assert found.agrees(1e-12)


def test_slides_have_signs_and_offsets_in_metres():
    gantry = modified((0, 0, 0.1), (0.2, HALF, 0.3), (0.1, 0.7, 0.2), (0.2, -HALF, 0.1), (0.1, 1.0, 0), types="rprpr")
    moved = disguised(strict_robot(gantry), [1, -1, 1, -1, 1], [0, 0.15, -0.4, 0, 0])
    found = compare(gantry, moved)
    assert signs_of(found) == [1, -1, 1, -1, 1]
    assert [match.kind for match in found.joints] == ["revolute", "prismatic", "revolute", "prismatic", "revolute"]
    assert offsets_of(found) == pytest.approx([0, 0.15, -0.4, 0, 0], abs=1e-12)
    assert [match.axis_distance is None for match in found.joints] == [False, True, False, True, False]
    assert found.agrees(1e-12)


def test_three_slides_and_a_wrist():
    gantry = modified((0, 0, 0.1), (0, HALF, 0.3), (0, HALF, 0.2), (0.2, -HALF, 0.1), (0.1, 1.0, 0), types="ppprr")
    moved = disguised(
        strict_robot(gantry), [-1, 1, 1, 1, 1], [0] * 5, base=Transform.from_xyz_rpy((1, 2, 3), (0.3, 0.2, 0.1))
    )
    found = compare(gantry, moved)
    assert found.agrees(1e-12)
    assert signs_of(found).count(-1) <= 1
    assert [match.offset_free for match in found.joints[:3]] == [False, False, False]


def test_slides_are_measured_over_their_whole_range():
    along, aside = (
        replace(rows, joints=tuple(replace(joint, limits=Limits(lower=-0.5, upper=2.0)) for joint in rows.joints))
        for rows in (modified((0, 0, 0), (0, angle, 0), types="pp") for angle in (HALF, HALF + 5e-4))
    )
    found = compare(along, aside)
    # half of the angle is base or tool for each slide; two slides of up to 2 m are 2 sqrt(2) m times a half of it off
    assert found.position.error == pytest.approx(2 * math.sqrt(2) * 2.5e-4, rel=0.1)
    assert not found.agrees(1e-6)


def test_nearly_parallel_axes_with_far_frames_agree_with_near_ones():
    # Full standard DH of a real UR5 calibration: frames up to 574 m along axes 2, 3, 4.
    theta = [-9.62699668632896e-06, -1.43707039992005, 2.02543119975016]
    theta += [-0.588254688694989, 4.13647390228702e-05, 8.1737464953645e-06]
    a = [0.000279332356195598, -0.0566854832098269, -0.32646702272051, 1.49388687216263e-05, 2.23692592990586e-07, 0]
    d = [0.0888794492754001, 574.241384579456, -507.363402098168, -66.7676839353205, 0.0949734691141216]
    d += [0.0825625014554953]
    alpha = [1.57033858830411, -0.000733893428160216, 0.00325607356326439, 1.57040005185553, -1.57101000328584, 0]
    rows = [StandardRow(theta=t, d=z, a=x, alpha=w) for t, z, x, w in zip(theta, d, a, alpha, strict=True)]
    calibrated = table(rows)
    signs, offsets = [1, -1, 1, 1, -1, 1], [0, 0.3, 0.2, -0.4, 0.5, 0]
    found = compare(calibrated, disguised(strict_robot(calibrated), signs, offsets))
    assert signs_of(found) == signs
    assert offsets_of(found) == pytest.approx(offsets, abs=1e-9)
    assert found.position.error < 1e-11
    nominal = compare(standard(UR5), calibrated)
    assert signs_of(nominal) == [1] * 6
    assert 1e-4 < nominal.position.error < 1e-2


def test_two_different_robots_are_told_apart_with_distance_and_place():
    found = compare(standard(UR5, name="ur5"), standard(UR10, name="ur10"))
    assert not found.agrees(1e-6)
    assert 0.3 < found.position.error < 0.5
    assert len(found.position.q) == 6
    q = np.array(found.position.q)
    a = oracles.table_poses(standard(UR5), q)["tool"]
    b = np.array(found.base.matrix()) @ oracles.table_poses(standard(UR10), q + offsets_of(found))["tool"]
    b = b @ np.array(found.tool.matrix())
    assert oracles.position_error(a, b) == pytest.approx(found.position.error)


def test_the_axis_that_is_off_is_told():
    rows = [(0, 0, 0.3), (0, -HALF, 0), (0.4, 0, 0), (0.05, -HALF, 0.4), (0, HALF, 0), (0, -HALF, 0.1)]
    longer = [*rows[:3], (0.06, -HALF, 0.4), *rows[4:]]
    found = compare(modified(*rows), modified(*longer))
    apart = [match.axis_distance for match in found.joints]
    assert max(apart) == pytest.approx(0.01, rel=0.6)
    assert found.position.error == pytest.approx(0.01, rel=0.6)


@settings(max_examples=8)
@given(
    rows=st.lists(standard_rows.map(lambda row: replace(row, beta=0.0)), min_size=1, max_size=5),
    slides=st.text("rp", min_size=5, max_size=5),
)
def test_both_conventions_of_one_chain_agree(rows, slides):
    source = table(rows, types=slides)
    found = compare(source, modified_twin(source))
    assert signs_of(found) == [1] * len(rows)
    assert found.agrees(1e-9)


@settings(max_examples=8)
@given(source=st.one_of(tables(rows=standard_rows), st.lists(modified_rows, min_size=1, max_size=6).map(table)))
def test_a_table_agrees_with_its_robot(source):
    if not source.moving_joints:
        with pytest.raises(Mdh2UrdfError, match="no joint moves"):
            compare(source, strict_robot(source))
        return
    found = compare(source, strict_robot(source))
    assert signs_of(found) == [1] * len(source.moving_joints)
    assert found.agrees(1e-9)


def _random_arm(rng, count):
    rows = []
    for _ in range(count):
        alpha = rng.choice([0.0, 0.0, HALF, -HALF, math.pi, rng.uniform(-3, 3), 1e-3])
        rows.append(
            ModifiedRow(
                a_prev=rng.choice([0.0, rng.uniform(-1, 1)]),
                alpha_prev=alpha,
                d=rng.choice([0.0, rng.uniform(-1, 1)]),
                theta=rng.choice([0.0, HALF, rng.uniform(-3, 3)]),
            )
        )
    return table(rows, types="".join(rng.choice("rrrrrp") for _ in range(count)))


@pytest.mark.parametrize("count", range(1, 11))
def test_random_arms_of_one_to_ten_joints_are_found_out(count):
    rng = random.Random(count)
    for _ in range(2 if count < 6 else 1):
        arm = _random_arm(rng, count)
        signs = [rng.choice([1, 1, -1]) for _ in range(count)]
        offsets = [rng.choice([0.0, rng.uniform(-3, 3)]) for _ in range(count)]
        base, tool = (
            Transform.from_xyz_rpy([rng.uniform(-1, 1) for _ in range(3)], [rng.uniform(-3, 3) for _ in range(3)])
            for _ in range(2)
        )
        found = compare(arm, disguised(strict_robot(arm), signs, offsets, base, tool))
        assert found.agrees(1e-8)
        assert signs_of(found).count(-1) <= signs.count(-1)


def test_a_long_search_goes_only_deeper(monkeypatch):
    monkeypatch.setattr(sign_search, "MOST_NODES", 2)
    found = compare(standard(UR5), disguised(strict_robot(standard(UR5)), [1, 1, -1, 1, -1, 1], [0, 1, 1, 1, 1, 0]))
    assert len(found.joints) == 6


def test_mimic_joints_follow_their_leader():
    # A parallelogram: link 3 keeps its direction, so the chain has two independent values.
    rows = [(0, 0, 0.1), (0.1, HALF, 0), (0.5, 0, 0)]
    arm = modified(*rows, tool=Tool(pose=Transform.from_xyz_rpy((0.2, 0.1, 0), (0.3, 0, 0))))
    follower = replace(arm.joints[2], mimic=Mimic(joint="j2", multiplier=-1.0, offset=0.2))
    arm = replace(arm, joints=(*arm.joints[:2], follower))
    found = compare(arm, strict_robot(arm))
    assert [(match.joint_a, match.joint_b) for match in found.joints] == [("j1", "j1"), ("j2", "j2")]
    assert found.agrees(1e-12)


def test_a_mimic_joint_whose_leader_is_outside_the_chain_stands_for_it():
    arm = strict_robot(modified((0, 0, 0.1), (0.1, HALF, 0), (0.5, 0, 0)))
    outside = Joint(name="crank", type="revolute", parent="base_link", child="crank_link")
    joints = tuple(replace(j, mimic=Mimic(joint="crank", multiplier=2.0)) if j.name == "j3" else j for j in arm.joints)
    cranked = Robot(name="cranked", links=(*arm.links, Link(name="crank_link")), joints=(*joints, outside))
    chain = chain_of(cranked, tip="l3")
    assert [variable.joint for variable in chain.variables] == ["j1", "j2", "crank"]
    assert compare(cranked, cranked, tip="l3").agrees(1e-12)


def test_joints_of_a_circle_of_mimics_move_by_themselves():
    arm = strict_robot(modified((0, 0, 0.1), (0.1, HALF, 0)))
    names = {"j1": "j2", "j2": "j1"}
    circle = replace(arm, joints=tuple(replace(j, mimic=Mimic(joint=names[j.name])) for j in arm.joints))
    assert len(chain_of(circle).variables) == 2


def _two_arms():
    joints = [
        Joint(name="left", type="revolute", parent="torso", child="left_hand"),
        Joint(name="right", type="revolute", parent="torso", child="right_hand", axis=(1.0, 0.0, 0.0)),
    ]
    links = tuple(Link(name=name) for name in ("torso", "left_hand", "right_hand"))
    return Robot(name="torso_robot", links=links, joints=tuple(joints))


def test_a_robot_with_several_arms_needs_a_tip():
    with pytest.raises(Mdh2UrdfError) as error:
        compare(_two_arms(), modified((0, 0, 0)))
    assert str(error.value) == "torso_robot has several arms; name the tip of one: left_hand, right_hand"
    found = compare(_two_arms(), modified((0, 0, 0)), tip="right_hand")
    assert (found.chain_a, found.chain_b) == ("torso to right_hand", "base_link to l1")


def test_a_table_with_several_arms_needs_a_tip():
    rows = modified((0, 0, 0.1), (0.2, HALF, 0.1), (0.3, HALF, 0))
    forked = replace(rows, joints=(*rows.joints[:2], replace(rows.joints[2], parent="l1")))
    with pytest.raises(Mdh2UrdfError) as error:
        compare(forked, forked)
    assert str(error.value) == "arm has several arms; name the tip of one: l2, l3"
    assert compare(forked, strict_robot(forked), tip="l2").agrees(1e-12)
    assert compare(forked, forked, base="l1", tip="l3").chain_a == "l1 to l3"


def test_frames_fixed_to_one_arm_are_no_second_arm():
    arm = strict_robot(standard(UR5))
    camera = Joint(
        name="camera_joint",
        type="fixed",
        parent="l3",
        child="camera",
        origin=Transform.from_xyz_rpy((0, 0, 0.1), (0, 1, 0)),
    )
    with_camera = Robot(name="seeing", links=(*arm.links, Link(name="camera")), joints=(*arm.joints, camera))
    assert chain_of(with_camera).tip == "l6"
    assert compare(standard(UR5), with_camera).agrees(1e-12)


def test_the_chain_may_begin_behind_the_root():
    arm = standard(UR5, tool=Tool(pose=Transform.from_xyz_rpy((0, 0, 0.1), (0, 0, 1))))
    found = compare(arm, strict_robot(arm), base="l2", tip="l5")
    assert [match.joint_a for match in found.joints] == ["j3", "j4", "j5"]
    assert found.agrees(1e-12)


def test_an_end_may_be_meant_for_one_model():
    arm = standard(UR5)
    assert compare(arm, strict_robot(arm), base="A:l2,B:l2", tip="B:l6").agrees(1e-12)
    part = compare(standard(UR5[:4]), arm, tip="B:l4")
    assert (part.chain_a, part.chain_b) == ("base_link to l4", "base_link to l4")
    assert part.agrees(1e-12)


def test_an_unknown_link_is_named_with_the_known_ones():
    one, robot = modified((0, 0, 0.3), tool=Tool()), _two_arms()
    with pytest.raises(Mdh2UrdfError) as error:
        compare(one, robot, tip="hand")
    assert str(error.value) == "there is no link 'hand'; the links are base_link, l1, tool0"
    with pytest.raises(Mdh2UrdfError) as error:
        compare(robot, one, base="l9")
    assert str(error.value) == "torso_robot has several arms; name the tip of one: left_hand, right_hand"
    with pytest.raises(Mdh2UrdfError) as error:
        compare(one, one, base="tool0", tip="l1")
    assert str(error.value) == "link 'l1' does not hang below link 'tool0'"


def test_a_chain_without_a_moving_joint_is_an_error():
    one = strict_robot(modified((0, 0, 0.3)))
    with pytest.raises(Mdh2UrdfError) as error:
        compare(one, one, base="l1", tip="l1")
    assert str(error.value) == "arm: no joint moves between 'l1' and 'l1'"


def test_different_numbers_of_joints_are_told_with_both_chains():
    with pytest.raises(CheckError) as error:
        compare(standard(UR5[:2], name="two"), modified((0, 0, 0.3), name="one"))
    assert str(error.value) == (
        "A has 2 moving joints and B has 1; name other ends\n"
        "A: two, base_link to l2: j1 (revolute), j2 (revolute)\n"
        "B: one, base_link to l1: j1 (revolute)"
    )
    assert error.value.exit_status == 1


def test_different_types_of_joints_are_told_joint_by_joint():
    with pytest.raises(CheckError) as error:
        compare(modified((0, 0, 0), (1, 0, 0), types="rp"), modified((0, 0, 0), (1, 0, 0), types="pr"))
    assert str(error.value) == (
        "joint 1 is revolute in A (j1) and prismatic in B (j1)\njoint 2 is prismatic in A (j2) and revolute in B (j2)"
    )


def test_the_report_for_people_is_one_table():
    moved = disguised(
        strict_robot(standard(UR5)),
        [1, 1, -1, 1, 1, 1],
        [0, HALF, 0.25, 0, 0, 0],
        base=Transform.from_xyz_rpy((0.5, 0, 0), (0, 0, math.pi)),
    )
    lines = compare(standard(UR5), moved).lines(1e-6)
    assert lines[:4] == [
        "A: arm, base_link to l6",
        "B: disguised, base_link to end",
        "F_A(q) = base F_B(sign q + offset) tool",
        "",
    ]
    assert [line[:66].rstrip() for line in lines[4:11]] == [
        "joint  A   B   type      sign  offset",
        "1      j1  j1  revolute  +1    0 (in base or tool)",
        "2      j2  j2  revolute  +1    1.570796327 rad      (90°)",
        "3      j3  j3  revolute  -1    0.25 rad             (14.323945°)",
        "4      j4  j4  revolute  +1    0 rad                (0°)",
        "5      j5  j5  revolute  +1    0 rad                (0°)",
        "6      j6  j6  revolute  +1    0 (in base or tool)",
    ]
    assert all(line.endswith(" rad") for line in lines[5:11])
    assert lines[12] == "base  xyz 0.5 0 0 m  rpy 0 0 3.141592654 rad  (0 0 180)°"
    assert lines[13] == "tool  xyz 0 0 0 m    rpy 0 0 0 rad            (0 0 0)°"
    assert lines[15].startswith("largest position error ")
    assert lines[15].split(" at q = ")[1].count(",") == 5
    assert lines[16].startswith("largest angle error ")
    assert lines[17] == "A and B agree within 1e-06 (m and rad)"


def test_the_report_says_when_models_differ():
    found = compare(standard(UR5), standard(UR10))
    assert found.lines(1e-6)[-1] == "A and B differ by more than 1e-06 (m and rad)"


def test_the_json_form_holds_everything_in_si():
    arm = modified((0, 0, 0.3), (0, HALF, 0.1), (0.5, 0, 0), types="rrr")
    found = compare(arm, disguised(strict_robot(arm), [1, -1, 1], [0, 0.5, 0]))
    content = json.loads(json.dumps(found.as_json(1e-6)))
    assert content["agree"] is True
    assert content["tolerance"] == 1e-6
    assert content["a"] == {"name": "arm", "chain": "base_link to l3"}
    assert content["b"] == {"name": "disguised", "chain": "base_link to end"}
    second = content["joints"][1]
    assert (second["a"], second["b"], second["type"], second["sign"]) == ("j2", "j2", "revolute", -1)
    assert second["offset"] == pytest.approx(0.5)
    assert second["offset_identifiable"] is True
    assert second["axis_distance"] < 1e-12
    assert second["axis_angle"] < 1e-12
    assert np.array(content["base"]["matrix"]) == pytest.approx(np.eye(4), abs=1e-12)
    assert content["tool"]["xyz"] == pytest.approx([0, 0, 0], abs=1e-12)
    assert content["residual"]["position"]["error"] < 1e-12
    assert len(content["residual"]["angle"]["q"]) == 3


def test_the_same_models_give_the_same_report():
    reports = [compare(standard(UR5), standard(UR10)).lines(1e-6) for _ in range(2)]
    assert reports[0] == reports[1]


def test_a_joint_whose_follower_turns_it_back_moves_nothing_and_is_no_error():
    back = Mimic(joint="j", multiplier=-1.0)
    still = fitted.robot(fitted.joint("j", "a", "b", (1, 0, 0), (0.3, 0, 0)), fitted.joint("k", "b", "c", mimic=back))
    moving = fitted.robot(
        fitted.joint("j", "a", "b", (1, 0, 0), (0.3, 0, 0)), fitted.joint("k", "b", "c", kind="fixed")
    )
    assert compare(still, still).agrees(1e-9)
    assert not compare(still, moving).agrees(1e-3)
    assert not compare(moving, still).agrees(1e-3)
