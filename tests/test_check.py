"""check tells what looks wrong in a robot, with rule and place, and nothing of a sound one."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mdh2urdf.check.bodies import principal_moments
from mdh2urdf.check.robots import check_robot
from mdh2urdf.convert import robot_from_table, strict_robot
from mdh2urdf.errors import Finding
from mdh2urdf.mesh_files import mesh_file
from mdh2urdf.robot import Box, Inertia, Inertial, Joint, Limits, Link, Mesh, Robot, Shape
from mdh2urdf.rounded_pi import cut_fraction
from mdh2urdf.se3 import Transform
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.vendor.reader import read_vendor

HALF = math.pi / 2
LIMITS = Limits(lower=-3.0, upper=3.0, velocity=2.0, effort=50.0)
BOX = Inertia(ixx=0.01, ixy=0.0, ixz=0.0, iyy=0.02, iyz=0.0, izz=0.02)
BODY = Inertial(mass=2.0, inertia=BOX, origin=Transform.from_xyz_rpy((0.1, 0, 0), (0, 0, 0)))


def arm(**changes):
    """Three links on two joints; ``changes`` by name of a link or joint."""
    links = [
        Link(name="base"),
        Link(name="upper", inertial=BODY),
        Link(name="lower", inertial=BODY),
    ]
    joints = [
        Joint(name="shoulder", type="revolute", parent="base", child="upper", limits=LIMITS),
        Joint(
            name="elbow",
            type="revolute",
            parent="upper",
            child="lower",
            origin=Transform.from_xyz_rpy((0.5, 0, 0), (HALF, 0, 0)),
            limits=LIMITS,
        ),
    ]
    links = [replace(link, **changes.get(link.name, {})) for link in links]
    joints = [replace(joint, **changes.get(joint.name, {})) for joint in joints]
    return Robot(name="arm", links=tuple(links), joints=tuple(joints))


def found(robot, **options):
    return [f"{finding.rule}: {finding}" for finding in check_robot(robot, **options)]


def origin(xyz=(0.5, 0, 0), rpy=(0.0, 0, 0)):
    return {"origin": Transform.from_xyz_rpy(xyz, rpy)}


def limits(lower=-3.0, upper=3.0, velocity=2.0, effort=50.0):
    return {"limits": Limits(lower=lower, upper=upper, velocity=velocity, effort=effort)}


def inertial(mass=2.0, moments=(0.01, 0.02, 0.02), com=(0.1, 0.0, 0.0), ixy=0.0):
    xx, yy, zz = moments
    tensor = Inertia(ixx=xx, ixy=ixy, ixz=0.0, iyy=yy, iyz=0.0, izz=zz)
    return {"inertial": Inertial(mass=mass, inertia=tensor, origin=Transform.from_xyz_rpy(com, (0, 0, 0)))}


def test_a_sound_robot_has_no_findings():
    assert found(arm()) == []


def test_a_robot_of_kinematics_alone_has_no_findings():
    bare = {"inertial": None}
    assert found(arm(upper=bare, lower=bare)) == []


def test_findings_name_file_rule_and_place():
    (finding,) = check_robot(arm(base={"inertial": BODY}), file="arm.urdf")
    assert finding == Finding(
        rule="root-inertia",
        file="arm.urdf",
        path="link[base]",
        message="the root link has mass, which KDL leaves out; put a link without mass above it (--world)",
    )


def test_one_link_with_mass_is_a_root_with_mass_too():
    assert found(Robot(name="block", links=(Link(name="block", inertial=BODY),), joints=())) == [
        "root-inertia: link[block]: the root link has mass, which KDL leaves out; "
        "put a link without mass above it (--world)"
    ]


def test_what_was_said_of_a_tables_rows_is_not_said_of_its_robot():
    table, told = read_table(
        "name: t\nconvention: modified\njoints:\n  - {a: 0, alpha: 0, d: 0.5, theta: 0}\n"
        "  - {a: 0.5, alpha: 1.5708, d: 0, theta: 0}\n  - {a: 0.5, alpha: 0, d: 0, theta: 0}\n"
    )
    assert "rounded-pi" in [finding.rule for finding in told]
    robot = strict_robot(table)
    assert [finding.rule for finding in check_robot(robot)] == ["rounded-pi"]
    assert check_robot(robot, told=told) == []


# Limits


def test_missing_limits_are_told_unless_the_reader_did():
    robot = arm(shoulder={"limits": None}, elbow={"limits": Limits(lower=1.0)})
    message = "a revolute joint without lower and upper limit; ROS refuses the file"
    assert found(robot) == [f"missing-limits: joint[shoulder]: {message} (as in elbow)"]
    told = [Finding(rule="missing-limits", path="joint[shoulder]", message="said")]
    assert found(robot, told=told) == [f"missing-limits: joint[elbow]: {message}"]


def test_the_reader_and_the_check_do_not_say_the_same_thing_twice():
    text = (
        '<robot name="r"><link name="a"/><link name="b"/><joint name="j" type="revolute">'
        '<parent link="a"/><child link="b"/></joint></robot>'
    )
    robot, told = read_urdf(text)
    assert [finding.rule for finding in told] == ["missing-limits"]
    assert check_robot(robot, told=told) == []


def test_limits_in_the_wrong_order_or_without_room_are_told():
    assert found(arm(shoulder=limits(1.0, -1.0), elbow=limits(0.5, 0.5))) == [
        "limit-order: joint[shoulder].limit: lower 1 is above upper -1",
        "limit-empty: joint[elbow].limit: lower and upper are both 0.5; the joint cannot move",
    ]


def test_zero_effort_and_velocity_are_told_once():
    still = limits(velocity=0.0, effort=0.0)
    assert found(arm(shoulder=still, elbow=still)) == [
        "zero-effort: joint[shoulder].limit: effort is 0, a simulator cannot move these joints: shoulder, elbow",
        "zero-velocity: joint[shoulder].limit: velocity is 0, a planner cannot: shoulder, elbow",
    ]


def test_limits_in_other_units_are_suspected():
    slide = {"type": "prismatic", **limits(-100.0, 250.0)}
    assert found(arm(shoulder=limits(-170.0, 170.0), elbow=slide)) == [
        "angle-unit: joint[shoulder].limit: a limit of 170 rad; is it in degrees?",
        "length-unit: joint[elbow].limit: a limit of 250 m; is it in millimetres?",
    ]


def test_limits_that_mean_none_are_no_degrees():
    assert found(arm(shoulder=limits(-1e16, 1e16))) == []


def test_limits_rounded_beyond_half_a_turn_are_told():
    assert found(arm(shoulder=limits(-3.1416, 3.1416), elbow=limits(-6.2832, 1.0))) == [
        "rounded-limit: joint[shoulder].limit: 3.1416 rad is pi rounded up by 7.3e-06 rad: shoulder",
        "rounded-limit: joint[elbow].limit: 6.2832 rad is 2*pi rounded up by 1.5e-05 rad: elbow",
    ]


@pytest.mark.parametrize("upper", [3.14, 3.1415, math.pi, 3.1415926536, 1.5708, 2.5, 3.2])
def test_limits_within_half_a_turn_or_of_other_angles_are_not(upper):
    assert found(arm(shoulder=limits(0.0, upper))) == []


# Mass data


@pytest.mark.parametrize(
    ("fields", "rules"),
    [
        ({"mass": 0.0, "moments": (0.0, 0.0, 0.01)}, ["mass", "inertia-definite", "no-mass"]),
        ({"mass": 0.5, "moments": (0.0, 0.0, 0.0)}, ["inertia-definite"]),
        ({"mass": 0.5, "moments": (0.01, 0.01, 0.03)}, ["inertia-triangle"]),
        ({"mass": 0.5, "moments": (10.0, 10.0, 10.0)}, ["inertia-unit"]),
        ({"mass": 0.011, "moments": (1e-10, 1e-10, 1e-10)}, ["inertia-unit"]),
        ({"mass": 0.009, "moments": (1e-10, 1e-10, 1e-10)}, []),
    ],
)
def test_light_bodies_are_judged_by_every_rule(fields, rules):
    assert [finding.rule for finding in check_robot(arm(upper=inertial(**fields)))] == rules


def test_a_narrow_body_is_told_with_its_radius_in_millimetres():
    moment = 2.0 * 4.3488e-4**2
    (finding,) = check_robot(arm(upper=inertial(moments=(moment, moment, moment))))
    assert "the mass would lie 0.43 mm from its centre" in str(finding)


def test_six_links_without_mass_are_all_named():
    names = [f"link{i}" for i in range(8)]
    links = tuple(Link(name=name, inertial=BODY if name == "link1" else None) for name in names)
    joints = tuple(
        Joint(name=f"j{i}", type="revolute", parent=f"link{i - 1}", child=f"link{i}", limits=LIMITS, **origin())
        for i in range(1, 8)
    )
    (finding,) = [one for one in check_robot(Robot(name="arm", links=links, joints=joints)) if one.rule == "no-mass"]
    assert "link2, link3, link4, link5, link6, link7; Gazebo" in str(finding)


def test_links_with_an_inertial_and_no_mass_are_told_together():
    nothing = inertial(mass=0.0, moments=(0.0, 0.0, 0.0))
    names = [f"frame{i}" for i in range(8)]
    robot = arm()
    robot = replace(
        robot,
        links=(*robot.links, *(Link(name=name, **nothing) for name in names)),
        joints=(*robot.joints, *(Joint(name=f"to_{name}", type="fixed", parent="lower", child=name) for name in names)),
    )
    assert found(robot) == [
        "mass: link[frame0].inertial: mass 0 kg is not above 0 "
        "(as in frame1, frame2, frame3, frame4, frame5, frame6 and 1 more)"
    ]


def test_negative_mass_is_told():
    assert found(arm(upper=inertial(mass=-1.0))) == [
        "mass: link[upper].inertial: mass -1 kg is not above 0",
        "no-mass: link[upper]: move without any mass: upper; Gazebo and MuJoCo need one",
    ]


def test_bodies_that_move_without_mass_are_told_where_others_have_some():
    assert found(arm(lower={"inertial": None})) == [
        "no-mass: link[lower]: move without any mass: lower; Gazebo and MuJoCo need one"
    ]


def test_mass_on_a_fixed_part_of_a_moving_body_counts():
    robot = arm(lower={"inertial": None})
    hand = Joint(name="hand_joint", type="fixed", parent="lower", child="hand")
    robot = replace(robot, links=(*robot.links, Link(name="hand", inertial=BODY)), joints=(*robot.joints, hand))
    assert found(robot) == []


def test_many_bodies_without_mass_are_counted():
    names = [f"link{i}" for i in range(9)]
    joints = [
        Joint(name=f"joint{i}", type="continuous", parent=names[i - 1], child=names[i]) for i in range(1, len(names))
    ]
    links = tuple(Link(name=name, inertial=BODY if name == "link1" else None) for name in names)
    assert found(Robot(name="snake", links=links, joints=tuple(joints))) == [
        "no-mass: link[link2]: move without any mass: link2, link3, link4, link5, link6, link7 and 1 more; "
        "Gazebo and MuJoCo need one"
    ]


def test_a_tensor_that_is_not_positive_definite_is_told():
    assert found(arm(upper=inertial(moments=(0.01, 0.01, 0.02), ixy=0.03))) == [
        "inertia-definite: link[upper].inertial: the tensor is not positive definite: "
        "principal moments -0.02, 0.02, 0.04 kg m²"
    ]
    assert found(arm(upper=inertial(moments=(0.0, 1e-21, 0.0)))) == [
        "inertia-definite: link[upper].inertial: the tensor is not positive definite: principal moments 0, 0, 0 kg m²"
    ]


def test_a_tensor_that_no_body_has_is_told():
    assert found(arm(lower=inertial(moments=(0.001, 0.001, 0.01)))) == [
        "inertia-triangle: link[lower].inertial: principal moments 0.001, 0.001, 0.01 kg m²: "
        "the largest is 5 times the sum of the others; no body has more than the sum"
    ]


@pytest.mark.parametrize("moments", [(0.01, 0.02, 0.03), (0.001235, 0.001235, 0.002471), (1e-4, 0.02, 0.0201)])
def test_flat_bodies_and_rounded_digits_are_no_fault(moments):
    assert found(arm(upper=inertial(moments=moments))) == []


@pytest.mark.parametrize(("order"), [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_moments_are_sorted_whatever_the_axes(order):
    moments = [0.01, 0.02, 0.03]
    xx, yy, zz = (moments[i] for i in order)
    tensor = Inertia(ixx=xx, ixy=0.0, ixz=0.0, iyy=yy, iyz=0.0, izz=zz)
    assert principal_moments(tensor) == pytest.approx((0.01, 0.02, 0.03))


def test_a_tensor_in_kg_cm2_is_suspected():
    # 2 kg at 0.1 m in kg cm²: ten thousand times too large
    assert found(arm(upper=inertial(moments=(100.0, 200.0, 200.0)))) == [
        "inertia-unit: link[upper].inertial: the mass would lie 10 m from its centre at a reach of 0.5 m; "
        "is the tensor in other units than kg m², or the mass in other ones than kg?"
    ]


def test_a_tensor_in_larger_units_than_kg_m2_is_suspected():
    assert found(arm(upper=inertial(moments=(1e-8, 2e-8, 2e-8)))) == [
        "inertia-unit: link[upper].inertial: the mass would lie 0.1 mm from its centre; "
        "is the tensor in other units than kg m²?"
    ]


def test_a_placeholder_of_a_milligram_is_no_fault():
    assert found(arm(upper=inertial(mass=1e-6, moments=(1e-14, 1e-14, 1e-14)))) == []


def test_a_mass_in_grams_is_suspected():
    assert found(arm(upper=inertial(mass=2000.0, moments=(10.0, 20.0, 20.0)))) == [
        "mass-unit: link[upper].inertial: mass 2000 kg at a reach of 0.5 m; is it in grams?"
    ]
    long = arm(upper=inertial(mass=2000.0, moments=(10.0, 20.0, 20.0)), elbow=origin((6, 0, 0)))
    assert found(long) == []


def test_a_centre_of_mass_in_millimetres_is_suspected():
    assert found(arm(lower=inertial(com=(100.0, 0.0, 0.0)))) == [
        "center-unit: link[lower].inertial: the centre of mass is 100 m from the link's frame; is it in millimetres?"
    ]


# Origins


def test_rounded_angles_are_told_once_with_what_they_cost():
    robot = arm(shoulder=origin((0, 0, 0.5), (0, 0, 1.5708)), elbow=origin((0.5, 0, 0), (-1.5708, 0, 0.3)))
    assert found(robot) == [
        "rounded-pi: joint[shoulder].origin: 1.5708 rad (in 2 joints) is pi/2 cut to 4 decimals, "
        "which is 0.0037 mm at the reach of 1 m"
    ]
    assert found(arm(elbow=origin((1, 0, 0), (0, 0, 3.141)))) == [
        "rounded-pi: joint[elbow].origin: 3.141 rad is pi cut to 3 decimals, which is 0.59 mm at the reach of 1 m"
    ]


def test_a_pitch_rounded_above_ninety_degrees_is_told():
    # The rotation says pitch 1.57079 with roll and yaw half a turn away; what was written is found all the same.
    assert found(arm(elbow=origin((1, 0, 0), (0, 1.5708, 0)))) == [
        "rounded-pi: joint[elbow].origin: 1.5708 rad is pi/2 cut to 4 decimals, which is 0.0037 mm at the reach of 1 m"
    ]


@pytest.mark.parametrize("angle", [HALF, 1.570796326794897, 1.57079632679, 1.570796327, 1.2345, math.pi / 12, 1.58])
def test_exact_angles_others_and_those_that_cost_nothing_are_not(angle):
    assert found(arm(elbow=origin((1, 0, 0), (angle, 0, 0)))) == []


def test_degrees_and_millimetres_in_origins_are_suspected():
    assert found(arm(shoulder=origin((0, 0, 1), (0, 0, 90)), elbow=origin((425.0, 0, 0), (0, -45, 180)))) == [
        "angle-unit: joint[shoulder].origin: turns by 90 rad; is it in degrees?",
        "length-unit: joint[elbow].origin: is 425 m long; is it in millimetres?",
        "angle-unit: joint[elbow].origin: turns by 45 rad; is it in degrees?",
        "angle-unit: joint[elbow].origin: turns by 180 rad; is it in degrees?",
    ]


CALIBRATED = """
dh_theta: [0 -1.43707039992005 2.02543119975016 -0.588254688694989 0 0]
dh_a: [0.000279332356195598 -0.0566854832098269 -0.32646702272051 1.49388687216263e-05 0 0]
dh_d: [0.0888794492754001 574.241384579456 -507.363402098168 -66.7676839353205 0.0949734691141216 0.0825]
dh_alpha: [1.57033858830411 -0.000733893428160216 0.00325607356326439 1.57040005185553 -1.57101000328584 0]
"""


def test_frames_far_along_nearly_parallel_axes_are_told():
    table, _, _ = read_vendor(CALIBRATED)
    lines = found(strict_robot(table))
    assert [line.split(" along")[0] for line in lines] == [
        "nearly-parallel: joint[joint2].origin: the frame lies 574.2 m",
        "nearly-parallel: joint[joint3].origin: the frame lies 507.4 m",
        "nearly-parallel: joint[joint4].origin: the frame lies 66.77 m",
    ]
    assert lines[0].endswith(
        " along an axis that is 0.00073 rad from parallel to that of joint3, far beyond the reach of 1 m; "
        "of a table, --frames auto, the default, moves it near the arm"
    )
    assert found(robot_from_table(table, frames="auto").robot) == []


def test_nearly_parallel_axes_with_near_frames_are_no_fault():
    assert found(arm(elbow=origin((0.5, 0, 0.1), (0.001, 0, 0)))) == []
    planar = arm(shoulder={"type": "planar", "limits": None}, elbow=origin((0.5, 0, 0.1), (0.001, 0, 0)))
    assert found(planar) == []


# Names and meshes


def test_a_joint_and_a_link_of_one_name_are_told():
    robot = arm()
    robot = replace(robot, joints=tuple(replace(joint, name=joint.child) for joint in robot.joints))
    assert found(robot) == [
        "same-name: joint[upper]: names of a joint and of a link, which some tools mix up: upper, lower"
    ]


def shapes(*names):
    return {"visuals": tuple(Shape(geometry=Mesh(filename=name)) for name in names)}


def test_mesh_files_are_looked_for_beside_the_robot(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "there.stl").write_text("solid")
    robot = arm(
        upper=shapes("meshes/there.stl", "meshes/gone.stl"),
        lower={**shapes("file:///nowhere/a.dae"), "collisions": (Shape(geometry=Box(size=(1.0, 1.0, 1.0))),)},
    )
    assert found(robot) == []
    assert found(robot, folder=tmp_path) == [
        "mesh-missing: link[upper]: mesh files are not there: meshes/gone.stl, file:///nowhere/a.dae"
    ]


def test_packages_that_are_not_known_here_are_told_once(tmp_path):
    names = [f"package://arm_description/meshes/{i}.stl" for i in range(3)]
    robot = arm(upper=shapes(*names), lower=shapes("https://host/a.stl", names[0]))
    assert found(robot, folder=tmp_path) == [
        "mesh-unknown: link[upper]: 4 mesh files cannot be looked for here: package://arm_description, https://host"
    ]
    assert found(arm(lower=shapes(names[0])), folder=tmp_path) == [
        "mesh-unknown: link[lower]: 1 mesh file cannot be looked for here: package://arm_description"
    ]


def test_packages_are_found_above_the_robot_and_where_ros_says(tmp_path, monkeypatch):
    inside = tmp_path / "ws" / "arm" / "meshes"
    inside.mkdir(parents=True)
    (inside / "a.stl").write_text("solid")
    name = "package://arm/meshes/a.stl"
    assert mesh_file(name, tmp_path / "ws" / "arm" / "urdf") == inside / "a.stl"
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(tmp_path / "ws"))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert mesh_file(name, elsewhere) == inside / "a.stl"
    share = tmp_path / "prefix" / "share" / "hand"
    share.mkdir(parents=True)
    (share / "b.stl").write_text("solid")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(tmp_path / "prefix"))
    assert mesh_file("package://hand/b.stl", elsewhere) == share / "b.stl"
    assert mesh_file(f"file://{inside}/a.stl", elsewhere) == inside / "a.stl"
    assert mesh_file("http://host/a.stl", elsewhere) is None


# Fractions of pi


@pytest.mark.parametrize(
    ("angle", "cut"),
    [(1.5708, (6, 4)), (1.57, (6, 2)), (3.1415, (12, 4)), (0.7854, (3, 4)), (0.26, None), (1.5, None), (7.0, None)],
)
def test_fractions_of_pi_are_seen_through_their_decimals(angle, cut):
    assert cut_fraction(angle) == cut
    assert cut_fraction(angle + 2e-15, noise=5e-15) == cut


def test_names_that_only_look_alike_are_told():
    robot = read_urdf(
        '<robot name="r"><link name="a"/><link name="A"/><link name="b"/>'
        '<joint name="J" type="fixed"><parent link="a"/><child link="A"/></joint>'
        '<joint name="j" type="fixed"><parent link="A"/><child link="b"/></joint></robot>'
    )[0]
    mixed = "differ only by case or by the coding of a letter; some tools mix them up"
    found = [str(finding) for finding in check_robot(robot) if finding.rule == "near-name"]
    assert found == [f"joint[j]: 'j' and 'J' {mixed}", f"link[A]: 'A' and 'a' {mixed}"]
