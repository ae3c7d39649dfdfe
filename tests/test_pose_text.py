import math

import pytest

from arms import arm
from mdh2urdf.convert import robot_from_table
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.pose_text import read_pose


def message(text, model, **options):
    with pytest.raises(Mdh2UrdfError) as caught:
        read_pose(text, model, **options)
    return str(caught.value)


def test_values_of_a_table_are_in_its_units():
    assert read_pose("90, 0, 50, -180", arm("scara")) == {
        "shoulder": math.pi / 2,
        "elbow": 0.0,
        "quill": 0.05,
        "hand": -math.pi,
    }


def test_values_of_a_description_are_in_rad_and_m():
    robot = robot_from_table(arm("scara")).robot
    assert read_pose("1,0,0.05,0", robot) == {"shoulder": 1.0, "elbow": 0.0, "quill": 0.05, "hand": 0.0}


def test_angles_may_be_given_in_degrees():
    robot = robot_from_table(arm("scara")).robot
    assert read_pose("90,0,0.05,0", robot, degrees=True)["shoulder"] == math.pi / 2
    assert read_pose("90,0,0.05,0", robot, degrees=True)["quill"] == 0.05


def test_joints_may_be_given_by_name():
    assert read_pose("quill = 50, elbow=90", arm("scara")) == {"quill": 0.05, "elbow": math.pi / 2}


def test_too_few_values_name_the_joints():
    assert message("1,2", arm("scara")) == ("--q: wants 4 values, one for each of shoulder, elbow, quill, hand; got 2")


def test_every_wrong_value_is_told():
    assert message("a,1,nan,2", arm("scara")) == "--q: wants numbers, got 'a'\n--q: wants numbers, got 'nan'"


def test_an_unknown_joint_names_the_known_ones():
    assert message("knee=1,hand=x", arm("scara")) == (
        "--q: there is no moving joint 'knee'; there are shoulder, elbow, quill, hand\n--q: wants numbers, got 'x'"
    )


def test_names_and_places_do_not_mix():
    assert message("hand=1,2", arm("scara")) == "--q: gives some joints by name and some by place; choose one"
