"""Vendor files are told apart by their keys, read with every problem at its place, and written back."""

from __future__ import annotations

import math
import textwrap
from dataclasses import replace

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from mdh2urdf.convert import robot_from_table, strict_robot
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.kinematics import as_transform, tool_frame
from mdh2urdf.robot import Joint, Limits, Link, Mimic, Robot
from mdh2urdf.se3 import Transform, norm
from mdh2urdf.table import ModifiedRow, StandardRow, Table, Tool
from mdh2urdf.table_file.reader import read_table
from mdh2urdf.vendor.origins import left_out, write_origins
from mdh2urdf.vendor.reader import is_vendor_file, read_vendor
from strategies import standard_rows, tables, transforms

HALF = math.pi / 2
DROPPED = "neither velocity nor effort is given; written as continuous, without <limit>"

UR5 = """
name: ur5
convention: standard
source: maker's page
parameters: {a2: -0.425}
joints:
  - {name: pan, link: shoulder, a: 0, alpha: pi/2, d: 0.089159, theta: 0, limits: {lower: -6, upper: 6, velocity: 3, effort: 150}}
  - {name: lift, a: a2, alpha: 0, d: 0, theta: 0}
  - {name: elbow, a: -0.39225, alpha: 0, d: 0, theta: 0}
  - {name: w1, a: 0, alpha: pi/2, d: 0.10915, theta: 0}
  - {name: w2, a: 0, alpha: -pi/2, d: 0.09465, theta: 0}
  - {name: w3, a: 0, alpha: 0, d: 0.0823, theta: 0}
expect:
  - {q: [0, 0, 0, 0, 0, 0], xyz: [-0.81725, -0.19145, -0.005491]}
"""  # noqa: E501

# A real UR5's deltas to its nominal table, as its owner printed them (ur_modern_driver issue 179)
CONF = """
[mounting]
delta_theta = [ 2.0775097865350593e-05, 0.9682157155556584, -1.8568538501487766, 0.8886479014503766, 5.661068148877675e-05, -7.463107640964551e-05]
delta_a = [ 0.00039362104998438304, 0.18409330039745184, 0.14493953300732923, -6.432974036423044e-05, 7.767090400840773e-06, 0]
delta_d = [ 4.002630977602284e-05, 278.2441449256236, -183.69551391491373, -94.54715136697513, 0.0003047826817755561, 0.00012373794138746674]
delta_alpha = [ -0.0002716249442165086, 0.0012585650545612426, -0.003220520706971465, 0.0006515301653038374, -0.0005870046572111765, 0]
joint_checksum = [ 0x00000000, 0x0000ABCD]   # of the joints

calibration_status = 2  # 0 == notInitialized / 1 == notLinearised / 2 == Linearised
; another comment
[other]
count = 1
"""  # noqa: E501

# Poses of strict DH with these numbers, worked out apart from this project
CONF_POSES = {
    (0, 0, 0, 0, 0, 0): [
        [0.999993870090, 0.000060820195, 0.003500868966, -0.816304610681],
        [0.003500772188, 0.001524443356, -0.999992710307, -0.194275535427],
        [-0.000066156628, 0.999998836186, 0.001524221094, -0.005464585709],
    ],
    (0.3, -1.2, 1.4, -0.5, 0.7, 2.0): [
        [-0.113390186614, -0.925872227600, -0.360420981269, -0.537569330408],
        [0.246806832960, 0.325141496826, -0.912890680337, -0.348732687899],
        [0.962407945096, -0.192467205520, 0.191643737218, 0.332688750536],
    ],
}

# A real UR5's complete rows as the calibration tool printed them (Universal_Robots_ROS_Driver issue 457)
LOG = """
dh_theta: [-9.62699668632896e-06 -1.43707039992005 2.02543119975016 -0.588254688694989 4.13647390228702e-05 8.1737464953645e-06 ]
dh_a: [0.000279332356195598 -0.0566854832098269 -0.32646702272051 1.49388687216263e-05 2.23692592990586e-07 0 ]
dh_d: [0.0888794492754001 574.241384579456 -507.363402098168 -66.7676839353205 0.0949734691141216 0.0825625014554953 ]
dh_alpha: [1.57033858830411 -0.000733893428160216 0.00325607356326439 1.57040005185553 -1.57101000328584 0 ]
"""  # noqa: E501
LOG_POSES = {
    (0, 0, 0, 0, 0, 0): [
        [0.999996910160, -0.000111454593, 0.002483394612, -0.816867105328],
        [0.002483219660, -0.001543317166, -0.999995725887, -0.193479936118],
        [0.000115286783, 0.999998802874, -0.001543035631, -0.006512734375],
    ],
    (0.3, -1.2, 1.4, -0.5, 0.7, 2.0): [
        [-0.113110815717, -0.926350703320, -0.359277494183, -0.537842843329],
        [0.243585731886, 0.324709400346, -0.913909074552, -0.348454792445],
        [0.963261093676, -0.190887872285, 0.188917668907, 0.331781654879],
    ],
}

# motoman_gp110_support, ROS-Industrial
OPW = """
opw_kinematics_geometric_parameters: {a1: 0.320, a2: -0.235, b: 0.000, c1: 0.540, c2: 0.870, c3: 1.020, c4: 0.200}
opw_kinematics_joint_offsets: [0.0, 0.0, deg(-90.0), 0.0, 0.0, deg(180.0)]
opw_kinematics_joint_sign_corrections: [1, 1, -1, -1, -1, -1]
"""
OPW_POSES = {
    (0, 0, 0, 0, 0, 0): [[0, 0, 1, 1.54], [0, -1, 0, 0], [1, 0, 0, 1.645]],
    (0.1, 0.2, 0.3, 0.4, 0.5, 0.6): [
        [-0.516248926560, -0.288641543196, 0.806333123075, 1.638137091974],
        [0.754355660985, -0.599028432126, 0.268537658896, 0.201888845834],
        [0.405505342217, 0.746894234177, 0.526986167169, 1.833711219976],
    ],
}

# Universal_Robots_ROS2_Description, config/ur5e/default_kinematics.yaml
UR_KINEMATICS = """
kinematics:
  shoulder: {x: 0, y: 0, z: 0.1625, roll: 0, pitch: 0, yaw: 0}
  upper_arm: {x: 0, y: 0, z: 0, roll: 1.570796327, pitch: 0, yaw: 0}
  forearm: {x: -0.425, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0}
  wrist_1: {x: -0.3922, y: 0, z: 0.1333, roll: 0, pitch: 0, yaw: 0}
  wrist_2: {x: 0, y: -0.0997, z: -2.044881182297852e-11, roll: 1.570796327, pitch: 0, yaw: 0}
  wrist_3:
    x: 0
    y: 0.09959999999999999
    z: -2.042830148012698e-11
    roll: 1.570796326589793
    pitch: 3.141592653589793
    yaw: 3.141592653589793
  hash: calib_12788084448423163542
"""

# xarm_ros2, xarm6_default_kinematics.yaml
XARM = """
kinematics:
  joint1: {x: 0, y: 0, z: 0.267, roll: 0, pitch: 0, yaw: 0}
  joint2: {x: 0, y: 0, z: 0, roll: -1.5708, pitch: 0, yaw: 0}
  joint3: {x: 0.0535, y: -0.2845, z: 0, roll: 0, pitch: 0, yaw: 0}
  joint4: {x: 0.0775, y: 0.3425, z: 0, roll: -1.5708, pitch: 0, yaw: 0}
  joint5: {x: 0, y: 0, z: 0, roll: 1.5708, pitch: 0, yaw: 0}
  joint6: {x: 0.076, y: 0.097, z: 0, roll: -1.5708, pitch: 0, yaw: 0}
"""

# franka_description, panda
FRANKA = "".join(
    f"joint{i}: {{kinematic: {{x: {x}, y: {y}, z: {z}, roll: {roll}, pitch: 0, yaw: 0}}}}\n"
    for i, (x, y, z, roll) in enumerate(
        [
            (0, 0, 0.333, 0),
            (0, 0, 0, -1.570796326794897),
            (0, -0.316, 0, 1.570796326794897),
            (0.0825, 0, 0, 1.570796326794897),
            (-0.0825, 0.384, 0, -1.570796326794897),
            (0, 0, 0, 1.570796326794897),
            (0.088, 0, 0, 1.570796326794897),
            (0, 0, 0.107, 0),
        ],
        start=1,
    )
)


def nominal(text=UR5):
    return read_table(text)[0]


def problems_of(text, file="file", **options):
    with pytest.raises(Mdh2UrdfError) as error:
        read_vendor(textwrap.dedent(text), file=file, **options)
    assert error.value.exit_status == 2
    return str(error.value).splitlines()


def pose_at(model, q):
    if isinstance(model, Table):
        return np.array(as_transform(tool_frame(model, [float(value) for value in q])).matrix())
    moving = [joint.name for joint in model.joints if joint.type != "fixed"]
    poses = model.link_poses(dict(zip(moving, q, strict=True)))
    return np.array(poses[model.leaves()[0]].matrix())


def assert_reaches(model, poses, tolerance=1e-9):
    for q, matrix in poses.items():
        reached = pose_at(model, q)
        assert oracles.position_error(reached, np.array(matrix)) < tolerance
        assert oracles.rotation_error(reached, np.array(matrix)) < tolerance


@pytest.mark.parametrize("text", [CONF, LOG, OPW, UR_KINEMATICS, XARM, FRANKA], ids=str.split)
def test_vendor_files_are_known_by_their_keys(text):
    assert is_vendor_file(text)


@pytest.mark.parametrize(
    "text", ["", UR5, "joint,a,alpha,d,theta\n1,0,0,0,0\n", "# dh_a: [1 2]\n", "x: {kinematics: 1}"]
)
def test_other_files_are_none(text):
    assert not is_vendor_file(text)


def test_an_unknown_file_is_told_what_is_known():
    assert problems_of("joints: []") == [
        "file: is no vendor file that is known: delta_theta, delta_a, delta_d, delta_alpha (calibration.conf), "
        "dh_theta, dh_a, dh_d, dh_alpha (calibration log), kinematics: or joint1: {kinematic: ...} (joint origins), "
        "opw_kinematics_geometric_parameters:"
    ]


# calibration.conf


def test_deltas_are_added_to_the_standard_rows_of_the_arm_as_designed():
    table, findings, metadata = read_vendor(CONF, file="here/calibration.conf", nominal=nominal())
    assert table.convention == "standard"
    assert table.joints[1].row.theta == 0.9682157155556584
    assert table.joints[1].row.a == -0.425 + 0.18409330039745184
    assert_reaches(table, CONF_POSES)
    assert metadata == {}
    assert {finding.rule for finding in findings} == {"nearly-parallel", "no-limit"}
    assert "278.2 m" in str(findings[0])


def test_a_calibrated_table_keeps_names_and_limits_of_the_arm_as_designed():
    table, _, _ = read_vendor(CONF, file="here/calibration.conf", nominal=nominal())
    assert table.name == "ur5"
    assert [joint.name for joint in table.joints] == ["pan", "lift", "elbow", "w1", "w2", "w3"]
    assert table.joints[0].link == "shoulder"
    assert table.joints[0].limits == Limits(lower=-6.0, upper=6.0, velocity=3.0, effort=150.0)
    assert table.source == "maker's page; deltas of calibration.conf added"
    assert table.joints[1].cells == {}
    assert table.expect == ()


def test_other_entries_of_a_calibration_become_x_fields():
    table, _, _ = read_vendor(CONF, nominal=nominal())
    assert dict(table.extras) == {
        "x-joint_checksum": "[ 0x00000000, 0x0000ABCD]",
        "x-calibration_status": "2",
        "x-other-count": "1",
    }


def test_a_calibration_that_is_not_complete_is_told():
    _, findings, _ = read_vendor(CONF.replace("status = 2", "status = 1"), file="c.conf", nominal=nominal())
    assert str(findings[0]) == (
        "c.conf:9:1: calibration_status: is 1; only 2 says that the deltas were worked out to the end"
    )
    assert findings[0].rule == "calibration-status"


def test_deltas_without_a_nominal_table_are_an_error():
    assert problems_of(CONF) == [
        "file: holds only what is added to the rows of the arm as designed; give its table with --nominal TABLE"
    ]


def test_the_nominal_table_has_to_be_standard_and_to_turn():
    modified = nominal(UR5.replace("standard", "modified"))
    assert problems_of(CONF, nominal=modified) == [
        "file: the nominal table ur5 is modified; a UR calibration is standard DH"
    ]
    fixed = nominal(UR5.replace("{name: w3,", "{name: w3, type: fixed,").replace("0, 0]", "0]"))
    assert problems_of(LOG, nominal=fixed) == [
        "file: the nominal table ur5 has rows that do not turn; a UR calibration has none"
    ]


def test_everything_wrong_in_a_calibration_is_told_at_once():
    text = """\
        [mounting]
        delta_theta = [0, nan, 0, x, 0, 0]
        delta_a = [0, 0, 0]
          delta_a = [0, 0, 0]
        delta_d = 0, 0, 0
        delta_alhpa = [0]
        count = 1
        count = 2
        nothing
        """
    assert problems_of(text, nominal=nominal()) == [
        "file: delta_alpha: is missing",
        "file:2:19: delta_theta[1]: is 'nan'; wanted is a finite number",
        "file:2:27: delta_theta[3]: 'x' is not a parameter (known: none)",
        "file:3:11: delta_a: has 3 entries; the nominal table ur5 has 6 rows",
        "file:4:13: delta_a: is given twice",
        "file:5:11: delta_d: is '0, 0, 0'; wanted is a list [a b c] or [a, b, c]",
        "file:6:15: delta_alhpa: is no known list; did you mean 'delta_alpha'?",
        "file:8:1: count: is given twice",
        "file:9:1: 'nothing' is no [section] and no KEY = VALUE",
    ]


# DH logs


def test_a_complete_table_is_read_from_a_log():
    table, findings, _ = read_vendor(LOG, file="ur5.log")
    assert table.name == "ur5"
    assert [joint.name for joint in table.joints] == [f"joint{i}" for i in range(1, 7)]
    assert table.joints[0].row == StandardRow(
        theta=-9.62699668632896e-06, d=0.0888794492754001, a=0.000279332356195598, alpha=1.57033858830411
    )
    assert table.source == "rows of ur5.log"
    assert_reaches(table, LOG_POSES)
    assert {finding.rule for finding in findings} == {"nearly-parallel", "no-limit"}


def test_commas_log_prefixes_and_comments_do_no_harm():
    text = "---\n# dh_a: [9 9]\nconvention: standard\n" + "".join(
        f"[INFO] [1612796034.1]: {line.replace(' ', ', ', 20).replace(':,', ':').replace(', ]', ']')}\n"
        for line in LOG.strip().splitlines()
    )
    assert "[-9.62699668632896e-06, -1.43707039992005," in text
    text += "[INFO] [1612796034.2]: calibration done\n"
    assert read_vendor(text)[0].joints == read_vendor(LOG)[0].joints


def test_a_list_may_go_on_on_the_next_line():
    assert read_vendor(LOG.replace(" 2.0254", "\n  2.0254"))[0].joints == read_vendor(LOG)[0].joints


def test_a_log_takes_names_and_limits_of_a_nominal_table():
    table, _, _ = read_vendor(LOG, file="ur5.log", nominal=nominal())
    assert table.joints[0].name == "pan"
    assert table.joints[0].limits.effort == 150.0
    assert table.source == "maker's page; rows of ur5.log"
    assert_reaches(table, LOG_POSES)
    unnamed = replace(nominal(), source="")
    assert read_vendor(LOG, file="ur5.log", nominal=unnamed)[0].source == "rows of ur5.log"


def test_a_file_without_a_name_gives_the_name_robot():
    assert read_vendor(LOG, file="-")[0].name == "robot"


def test_everything_wrong_in_a_log_is_told_at_once():
    text = """\
        convention: modified
        dh_theta: [0 0 0 x]
        dh_theta: [0 0]
        dh_a: [0 0]
        dh_d: [0 0 0 0
        dh_alpa: [0 0]
        speed: 3
        what is this
        """
    assert problems_of(text) == [
        "file: dh_d: is missing",
        "file: dh_alpha: is missing",
        "file:1:13: convention: is 'modified'; the lists are standard DH",
        "file:2:18: dh_theta[3]: 'x' is not a parameter (known: none)",
        "file:3:11: dh_theta: is given twice",
        "file:4:7: dh_a: has 2 entries; the longest list has 4",
        "file:5:1: dh_d: is '[0 0 0 0'; wanted is a list [a b c] or [a, b, c]",
        "file:6:10: dh_alpa: is no known list; did you mean 'dh_alpha'?",
        "file:7:1: speed: is no known field; known are convention, dh_theta, dh_a, dh_d, dh_alpha",
        "file:8:1: 'what is this' is no known field; known are convention, dh_theta, dh_a, dh_d, dh_alpha",
    ]


def test_empty_lists_are_no_robot():
    text = "dh_theta: []\ndh_a: []\ndh_d: []\ndh_alpha: []\n"
    assert problems_of(text)[0] == "file:1:11: dh_theta: has 0 entries; a robot has one or more"


def test_a_log_has_as_many_rows_as_its_nominal_table():
    text = "dh_theta: [0]\ndh_a: [0]\ndh_d: [0]\ndh_alpha: [0]\n"
    assert problems_of(text, nominal=nominal())[0] == (
        "file:1:11: dh_theta: has 1 entry; the nominal table ur5 has 6 rows"
    )


@pytest.mark.parametrize(("text", "poses"), [(CONF, CONF_POSES), (LOG, LOG_POSES)])
def test_a_calibration_becomes_a_robot_whose_frames_stay_within_a_metre(text, poses):
    designed = nominal()
    table, _, _ = read_vendor(text, nominal=designed)
    robot = robot_from_table(table, nominal=designed).robot
    assert_reaches(robot, poses)
    assert max(norm(joint.origin.translation) for joint in robot.joints) < 1.0
    written, _, _ = read_vendor(write_origins(robot, layout="ur"))
    assert_reaches(written, poses)


# OPW


def test_opw_parameters_become_a_modified_table():
    table, findings, _ = read_vendor(OPW, file="gp110.yaml")
    assert table.name == "gp110"
    assert table.convention == "modified"
    assert [joint.direction for joint in table.joints] == [1, 1, -1, -1, -1, -1]
    assert table.joints[2].row == ModifiedRow(a_prev=0.87, alpha_prev=0.0, d=0.0, theta=math.pi)
    assert table.joints[5].row.theta == -math.pi
    assert table.source == "OPW parameters of gp110.yaml"
    assert_reaches(table, OPW_POSES)
    assert [finding.rule for finding in findings] == ["no-limit"]


def test_a_lateral_offset_lies_along_the_second_axis():
    text = OPW.replace("b: 0.000", "b: 0.05").replace("deg(-90.0)", "0").replace("deg(180.0)", "0")
    table, _, _ = read_vendor(text)
    upright = [[1, 0, 0, 0.32 - 0.235], [0, 1, 0, 0.05], [0, 0, 1, 0.54 + 0.87 + 1.02 + 0.2]]
    assert_reaches(table, {(0, 0, 0, 0, 0, 0): upright})


def test_everything_wrong_in_opw_parameters_is_told_at_once():
    text = """\
        opw_kinematics_geometric_parameters: {a1: 0.320, a3: -0.235, b: .nan, c1: 0.540, c2: deg(5), c3: 1, c4: 1}
        opw_kinematics_joint_offsets: [0.0, 0.0, deg(-90.0), 0.0]
        opw_kinematics_joint_sign_corrections: [1, 0, 2, -1, 1, 1]
        """
    assert problems_of(text) == [
        "file:1:38: opw_kinematics_geometric_parameters.a2: is missing",
        "file:1:50: opw_kinematics_geometric_parameters.a3: is no known field; known are a1, a2, b, c1, c2, c3, c4",
        "file:1:65: opw_kinematics_geometric_parameters.b: is '.nan'; wanted is a finite number",
        "file:1:86: opw_kinematics_geometric_parameters.c2: is an angle where a length is wanted",
        "file:2:31: opw_kinematics_joint_offsets: has 4 entries; wanted are 6",
        "file:3:40: opw_kinematics_joint_sign_corrections[1]: is no sign; allowed are 1 and -1",
        "file:3:40: opw_kinematics_joint_sign_corrections[2]: is no sign; allowed are 1 and -1",
    ]


def test_missing_opw_parameters_are_told():
    assert problems_of("opw_kinematics_joint_offsets: [0, 0, 0, 0, 0, 0]\nopw_kinematics_signs: 1") == [
        "file: opw_kinematics_geometric_parameters: is missing",
        "file: opw_kinematics_joint_sign_corrections: is missing",
        "file:2:1: opw_kinematics_signs: is no known field; did you mean 'opw_kinematics_joint_offsets'?",
    ]


def test_a_list_of_signs_of_the_wrong_length_is_told():
    text = OPW.replace("[1, 1, -1, -1, -1, -1]", "[1]")
    assert problems_of(text) == ["file:4:40: opw_kinematics_joint_sign_corrections: has 1 entry; wanted are 6"]


# Kinematics files


def test_a_universal_robots_file_becomes_its_six_joints():
    robot, findings, metadata = read_vendor(UR_KINEMATICS, file="my/ur5e.yaml")
    assert robot.name == "ur5e"
    assert [joint.name for joint in robot.joints] == [
        "shoulder_pan_joint",
        "shoulder_lift_joint",
        "elbow_joint",
        "wrist_1_joint",
        "wrist_2_joint",
        "wrist_3_joint",
    ]
    assert [link.name for link in robot.links][:3] == ["base_link", "shoulder_link", "upper_arm_link"]
    assert {joint.type for joint in robot.joints} == {"continuous"}
    assert findings == []
    assert metadata == {"kinematics.hash": "hash: calib_12788084448423163542"}
    # base to wrist_3 at q = 0, worked out apart from this project
    reached = [[1, 0, 0, -0.8172], [0, -2.05e-10, -1, -0.232899999959], [0, 1, -2.05e-10, 0.062799999952]]
    assert_reaches(robot, {(0, 0, 0, 0, 0, 0): reached})


def test_rows_are_taken_in_the_arms_order_not_in_the_files():
    lines = UR_KINEMATICS.strip().splitlines()
    shuffled = "\n".join([lines[0], *lines[3:6], *lines[1:3], *lines[6:]])
    assert read_vendor(shuffled)[0].joints == read_vendor(UR_KINEMATICS)[0].joints
    numbered = XARM.strip().splitlines()
    assert read_vendor("\n".join([numbered[0], *numbered[:0:-1]]))[0].joints == read_vendor(XARM)[0].joints


def test_rows_of_other_names_are_taken_as_they_stand():
    # Elite CS writes upperarm without an underscore
    robot, _, _ = read_vendor(UR_KINEMATICS.replace("upper_arm", "upperarm"))
    assert [joint.name for joint in robot.joints][:3] == ["shoulder", "upperarm", "forearm"]
    assert [joint.child for joint in robot.joints][:3] == ["shoulder_link", "upperarm_link", "forearm_link"]


def test_an_xarm_file_becomes_its_six_joints():
    robot, _, metadata = read_vendor(XARM)
    assert [joint.name for joint in robot.joints] == [f"joint{i}" for i in range(1, 7)]
    assert robot.joints[0].child == "link1"
    assert metadata == {}
    reached = [
        [1, 0, 0, 0.207],
        [0, -0.999999999973, -0.000007346410, -0.000000569347],
        [0, 0.000007346410, -0.999999999973, 0.112000000001],
    ]
    assert_reaches(robot, {(0, 0, 0, 0, 0, 0): reached})


def test_the_eighth_row_of_a_franka_file_is_the_flange():
    robot, findings, _ = read_vendor(FRANKA, file="fr3.yaml")
    assert [joint.type for joint in robot.joints] == ["continuous"] * 7 + ["fixed"]
    assert [str(finding) for finding in findings] == [
        "fr3.yaml:8:1: joint8: is taken as the flange, fixed to link7: the arm has seven joints"
    ]
    assert findings[0].rule == "fixed-flange"
    reached = [[1, 0, 0, 0.088], [0, -1, 0, 0], [0, 0, -1, 0.333 + 0.316 + 0.384 - 0.107]]
    assert_reaches(robot, {(0,) * 7: reached})


def test_a_franka_file_without_a_flange_moves_in_all_rows():
    robot, findings, _ = read_vendor(FRANKA[: FRANKA.index("joint8")])
    assert [joint.type for joint in robot.joints] == ["continuous"] * 7
    assert findings == []


def test_metadata_is_kept_byte_for_byte():
    text = textwrap.dedent(
        """\
        calibration_metadata:
            date:   2021-01-01
            notes: |
              two
                lines

        kinematics:
            joint1: {x: 0, y: 0, z: 1, roll: 0, pitch: 0, yaw: 0}
            hash:  'calib_007'   # kept without this
            tags: [a,
             b]
        """
    )
    robot, _, metadata = read_vendor(text)
    assert metadata == {
        "calibration_metadata": "calibration_metadata:\n    date:   2021-01-01\n    notes: |\n      two\n        lines",
        "kinematics.hash": "hash:  'calib_007'",
        "kinematics.tags": "tags: [a,\n b]",
    }
    written = write_origins(robot, metadata=metadata)
    assert written == textwrap.dedent(
        """\
        kinematics:
          joint1: {x: 0, y: 0, z: 1, roll: 0, pitch: 0, yaw: 0}
          hash:  'calib_007'
          tags: [a,
           b]
        calibration_metadata:
            date:   2021-01-01
            notes: |
              two
                lines
        """
    )
    assert read_vendor(written)[2] == metadata
    assert yaml.safe_load(written)["calibration_metadata"] == yaml.safe_load(text)["calibration_metadata"]


ROW = "j: {x: 0, y: 0, z: 1, roll: 0, pitch: 0, yaw: 0}"


@pytest.mark.parametrize(
    ("text", "metadata"),
    [
        (f"kinematics:\n  {ROW}\nnotes: |\n  end", {"notes": 'notes: "end"'}),
        (f"kinematics:\n  {ROW}\nnotes: >+\n  end\n\n", {"notes": 'notes: "end\\n\\n"'}),
        (f"kinematics: {{{ROW}, a}}", {"kinematics.a": "a:"}),
        (
            f"kinematics:\n  {ROW}\nat: &a [1]\nof: {{a: *a, b: {{}}}}",
            {"at": "at: &a [1]", "of": "of:\n  a:\n  - 1\n  b: {}"},
        ),
        (f'kinematics:\n  {ROW}\nnotes: "a\u2028b"', {"notes": 'notes: "a\\Lb"'}),
        (f"kinematics:\n  {ROW}\nkinematics.hash: 4", {'["kinematics.hash"]': "kinematics.hash: 4"}),
    ],
)
def test_metadata_that_would_be_read_in_another_way_elsewhere_are_kept_by_their_values(text, metadata):
    robot, _, kept = read_vendor(text)
    assert kept == metadata
    written = write_origins(robot, metadata=metadata)
    assert read_vendor(written)[2] == metadata
    assert yaml.safe_load(text) == yaml.safe_load(written)


def test_a_section_given_twice_is_told_before_its_entries_are_looked_at():
    assert problems_of(f"kinematics: a\nkinematics: {{{ROW}}}") == ["file:2:1: kinematics: is given twice"]


def test_an_anchor_given_twice_is_told():
    text = f"a: &x 1\nb: &x 2\nkinematics: {{{ROW}}}\n"
    assert problems_of(text) == [
        "file:2:4: an anchor is given twice; where metadata is kept, each has a name of its own"
    ]


def test_an_alias_is_no_metadata():
    text = """\
        anchor: &a 5
        kinematics:
          joint1: {x: 0, y: 0, z: 1, roll: 0, pitch: 0, yaw: 0}
          hash: *a
        """
    assert problems_of(text) == ["file:4:3: hash: is an alias; metadata is kept as it is written here"]


def test_everything_wrong_in_a_kinematics_file_is_told_at_once():
    text = """\
        kinematics:
          joint1: {x: 0, y: 0, z: 0.267, roll: 0, pitch: 0}
          joint2: {x: 0, y: nope, z: .inf, roll: 0, pitsch: 0, yaw: 0}
          joint4: 5
          joint4: {x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0}
        """
    assert problems_of(text) == [
        "file:2:3: kinematics: has joints 1, 2, 4; wanted are all from 1 up, each once",
        "file:2:11: kinematics.joint1: has no yaw; wanted are x, y, z, roll, pitch, yaw",
        "file:3:11: kinematics.joint2: has no pitch; wanted are x, y, z, roll, pitch, yaw",
        "file:3:21: kinematics.joint2.y: 'nope' is not a parameter (known: none)",
        "file:3:30: kinematics.joint2.z: is '.inf'; wanted is a finite number",
        "file:3:45: kinematics.joint2.pitsch: is no known field; did you mean 'pitch'?",
        "file:5:3: kinematics.joint4: is given twice",
    ]


def test_rows_of_a_franka_file_are_checked_too():
    row = "{kinematic: {x: 0, y: 0, z: 0, roll: 0, pitch: 0, yaw: 0}}"
    text = f"joint1: {row}\njoint2: {{kinematics: 4}}\njoint3: {{kinematic: 3}}\n"
    assert problems_of(text) == [
        "file:2:9: joint2.kinematic: is missing",
        "file:2:10: joint2.kinematics: is no known field; did you mean 'kinematic'?",
        "file:3:21: joint3.kinematic: is '3'; wanted are fields: x, y, z, roll, pitch, yaw",
    ]


def test_a_universal_robots_file_has_six_rows():
    text = "\n".join(line for line in UR_KINEMATICS.splitlines() if "forearm" not in line)
    assert problems_of(text) == [
        "file:3:3: kinematics: has no forearm; wanted are shoulder, upper_arm, forearm, wrist_1, wrist_2, wrist_3"
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kinematics: 5", "file:1:13: kinematics: is '5'; wanted are rows NAME: {x, y, z, roll, pitch, yaw}"),
        (
            "kinematics: {hash: 3}",
            "file:1:13: kinematics: has no joint; wanted are rows NAME: {x, y, z, roll, pitch, yaw}",
        ),
    ],
)
def test_a_kinematics_file_without_rows_is_an_error(text, message):
    assert problems_of(text) == [message]


# Written kinematics files


def same_poses(robot, other, rng):
    q = rng.uniform(-3, 3, sum(joint.type != "fixed" for joint in robot.joints))
    assert np.abs(pose_at(robot, q) - pose_at(other, q)).max() < 1e-12


@pytest.mark.parametrize(("text", "layout"), [(UR_KINEMATICS, "ur"), (XARM, "flat"), (FRANKA, "franka")])
def test_reading_and_writing_gives_the_same_numbers(text, layout):
    robot, _, metadata = read_vendor(text)
    written = write_origins(robot, layout=layout, metadata=metadata)
    before, after = yaml.safe_load(text), yaml.safe_load(written)
    rows = [(content.get("kinematics", content)) for content in (before, after)]
    assert list(rows[0]) == list(rows[1])
    for name, row in rows[0].items():
        if name == "hash":
            assert rows[1][name] == row
            continue
        mine, others = (entry.get("kinematic", entry) for entry in (rows[1][name], row))
        assert list(mine) == list(others)
        assert list(mine.values()) == pytest.approx(list(others.values()), rel=1e-15, abs=1e-25)


def test_a_universal_robots_file_is_written_with_its_row_names():
    robot, _, metadata = read_vendor(UR_KINEMATICS)
    lines = write_origins(robot, layout="ur", metadata=metadata).splitlines()
    assert lines[0] == "kinematics:"
    assert lines[1] == "  shoulder: {x: 0, y: 0, z: 0.1625, roll: 0, pitch: 0, yaw: 0}"
    assert lines[5].startswith("  wrist_2: {x: 0, y: -0.0997, z: -2.044881182297852e-11, roll: 1.570796327,")
    assert lines[7] == "  hash: calib_12788084448423163542"


def test_numbers_with_exponents_stay_numbers_in_yaml():
    robot = Robot(
        name="r",
        links=(Link(name="base"), Link(name="tip")),
        joints=(
            Joint(
                name="yes",
                type="revolute",
                parent="base",
                child="tip",
                origin=Transform.from_xyz_rpy((1e-7, -2.5e-9, 0), (0, 0, 0)),
            ),
        ),
    )
    text = write_origins(robot)
    assert text == 'kinematics:\n  "yes": {x: 1.0e-07, y: -2.5e-09, z: 0, roll: 0, pitch: 0, yaw: 0}\n'
    assert yaml.safe_load(text)["kinematics"]["yes"]["x"] == 1e-7


def test_a_base_pose_is_multiplied_into_the_first_origin():
    table = read_table(UR5.replace("parameters:", "base: {xyz: [0, 0, 1], rpy: [0, 0, pi]}\nparameters:"))[0]
    rows = yaml.safe_load(write_origins(strict_robot(table)))["kinematics"]
    assert list(rows) == ["pan", "lift", "elbow", "w1", "w2", "w3"]
    assert rows["pan"] == {"x": 0, "y": 0, "z": 1.089159, "roll": 0, "pitch": 0, "yaw": math.pi}


def test_a_reversed_joint_gets_a_frame_that_points_the_other_way():
    table = read_table(
        "name: r\nconvention: modified\njoints:\n"
        "  - {a: 0, alpha: 0, d: 0.3, theta: 0.1, direction: -1}\n  - {a: 0.2, alpha: pi/2, d: 0, theta: 0}\n"
        "tool: {xyz: [0.1, 0, 0], rpy: [0, 0, 0]}\n"
    )[0]
    robot = strict_robot(table)
    written, _, _ = read_vendor(write_origins(robot))
    q = [0.3, -0.4]
    ends = [pose_at(robot, q), pose_at(written, q) @ np.array(Transform.from_xyz_rpy((0.1, 0, 0), (0, 0, 0)).matrix())]
    assert np.abs(ends[0] - ends[1]).max() < 1e-15
    assert [str(finding) for finding in left_out(robot)] == [
        "what is fixed behind joint2 is left out: a kinematics file ends with the last joint",
        "joint1: frames are turned until z is the axis; a kinematics file has no axes",
    ]
    assert [finding.rule for finding in left_out(robot)] == ["no-tool", "turned-frame"]


def test_nothing_is_left_out_of_a_plain_arm():
    robot, _, _ = read_vendor(XARM)
    assert left_out(robot) == []


axes = st.one_of(
    st.sampled_from([(0.0, 0.0, 1.0), (0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (1e-9, 0.0, -1.0)]),
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: math.hypot(*axis) > 0.1),
)


@settings(max_examples=60)
@given(origins=st.lists(st.tuples(transforms, axes), min_size=7, max_size=7), flange=transforms)
def test_any_axis_moves_as_before(origins, flange):
    joints = [
        Joint(
            name=f"j{i}",
            type="continuous",
            parent=f"l{i}",
            child=f"l{i + 1}",
            origin=origin,
            axis=tuple(value / math.hypot(*axis) for value in axis),
        )
        for i, (origin, axis) in enumerate(origins)
    ]
    joints.append(Joint(name="end", type="fixed", parent="l7", child="l8", origin=flange))
    robot = Robot(name="r", links=tuple(Link(name=f"l{i}") for i in range(9)), joints=tuple(joints))
    written, _, _ = read_vendor(write_origins(robot, layout="franka"))
    same_poses(robot, written, np.random.default_rng(1))


@settings(max_examples=30)
@given(table=tables(rows=standard_rows))
def test_any_table_whose_joints_turn_is_written(table):
    turning = [replace(joint, type="revolute") for joint in table.joints]
    table = replace(table, joints=tuple(turning), tool=Tool(pose=Transform()))
    robot = strict_robot(table)
    written, _, _ = read_vendor(write_origins(robot))
    q = np.random.default_rng(1).uniform(-3, 3, len(turning))
    end = np.diag([1.0, -1, -1, 1]) if turning[-1].direction < 0 else np.eye(4)
    poses = robot.link_poses({joint.name: value for joint, value in zip(turning, q, strict=True)})
    reached = np.array(poses[turning[-1].link].matrix())
    assert np.abs(reached @ end - pose_at(written, q)).max() < 1e-12


def _forked(**changes):
    joints = (
        Joint(name="a", type="revolute", parent="l0", child="l1"),
        replace(Joint(name="b", type="revolute", parent="l1", child="l2"), **changes),
        Joint(name="c", type="revolute", parent="l1", child="l3"),
    )
    return Robot(name="fork", links=tuple(Link(name=f"l{i}") for i in range(4)), joints=joints)


def test_a_robot_with_several_arms_has_no_kinematics_file():
    with pytest.raises(Mdh2UrdfError) as error:
        write_origins(_forked())
    assert str(error.value) == "fork has several arms (c); a kinematics file has one"


def test_joints_that_do_not_move_by_themselves_along_or_about_one_axis_are_told():
    with pytest.raises(Mdh2UrdfError) as error:
        write_origins(_forked(type="planar", mimic=Mimic(joint="a"), parent="l3"))
    assert str(error.value) == (
        "joint 'b' is planar; a kinematics file has joints that turn or slide\n"
        "joint 'b' follows 'a'; a kinematics file has joints that move by themselves"
    )


SCARA = """\
name: scara
convention: modified
joints:
  - {name: j1, a: 0, alpha: 0, d: 0.3, theta: 0, limits: {velocity: 1, effort: 1}}
  - {name: j2, a: 0.4, alpha: 0, d: 0.1, theta: 0.2, direction: -1, limits: {velocity: 1, effort: 1}}
  - {name: z, type: prismatic, a: 0.3, alpha: pi, d: 0.05, theta: 0, direction: -1,
     limits: {lower: 0, upper: 0.2, velocity: 1, effort: 1}}
"""


def test_joints_that_slide_have_an_origin_like_others_and_are_told():
    robot = strict_robot(read_table(SCARA)[0])
    assert [str(finding) for finding in left_out(robot) if finding.rule == "sliding-joint"] == [
        "z: slides along z; a kinematics file has no types, and the description that reads it must know"
    ]
    read, _, _ = read_vendor(write_origins(robot))
    types = {"z": "prismatic"}
    again = replace(read, joints=tuple(replace(one, type=types.get(one.name, one.type)) for one in read.joints))
    q = [0.3, -0.7, 0.15]
    end = np.diag([1.0, -1, -1, 1])  # z slides along -z: its frame is turned until it slides along z
    assert np.abs(pose_at(robot, q) @ end - pose_at(again, q)).max() < 1e-15


def test_a_robot_that_does_not_move_has_no_kinematics_file():
    with pytest.raises(Mdh2UrdfError) as error:
        write_origins(Robot(name="table", links=(Link(name="top"),), joints=()))
    assert str(error.value) == "table has no joint that moves"


def test_layout_ur_has_six_joints():
    robot, _, _ = read_vendor(FRANKA)
    with pytest.raises(Mdh2UrdfError) as error:
        write_origins(robot, layout="ur")
    assert str(error.value) == "layout ur has 6 joints, the robot has 7"


def test_layout_franka_has_a_place_for_the_flange_of_seven_joints():
    robot, _, _ = read_vendor(FRANKA)
    assert write_origins(robot, layout="franka").splitlines()[7] == (
        "joint8: {kinematic: {x: 0, y: 0, z: 0.107, roll: 0, pitch: 0, yaw: 0}}"
    )
    assert left_out(robot, layout="franka") == []
    bare, _, _ = read_vendor(FRANKA[: FRANKA.index("joint8")])
    assert write_origins(bare, layout="franka").splitlines()[-1].startswith("joint7: {kinematic: {x: 0.088,")
    assert [finding.rule for finding in left_out(robot)] == ["no-tool"]
