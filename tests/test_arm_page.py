import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import oracles
import strategies
from arms import KINDS, arm
from mdh2urdf.convert import robot_from_table
from mdh2urdf.expression import Units
from mdh2urdf.robot import Joint, Limits, Link, Mimic, Robot
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import Table
from mdh2urdf.view.arm_page import (
    arm_of,
    counterpart,
    gap_html,
    pose_for_second,
    pose_html,
    pose_of_sliders,
    sliders,
    table_html,
)


def rows_of(html):
    return [re.findall(r"<t[hd]>(.*?)</t[hd]>", line) for line in re.findall(r"<tr>(.*?)</tr>", html)]


def cells_of(html):
    return dict(re.findall(r'id="([^"]+)">([^<]*)<', html))


def chain(*joints):
    links = ("base", *(joint.child for joint in joints))
    return Robot(name="chain", links=tuple(Link(name=name) for name in links), joints=joints)


def joint(number, kind="revolute", **fields):
    parent = "base" if number == 1 else f"link{number - 1}"
    return Joint(name=f"joint{number}", type=kind, parent=parent, child=f"link{number}", **fields)


def test_sliders_go_from_limit_to_limit_in_the_units_of_the_table():
    found = {slider.joint: slider for slider in sliders(arm_of(arm("scara")))}
    shoulder, quill = found["shoulder"], found["quill"]
    assert (shoulder.lower, shoulder.upper, shoulder.start, shoulder.unit) == (-120.0, 120.0, 0.0, "°")
    assert (quill.lower, quill.upper, quill.start, quill.unit) == (0.0, 200.0, 0.0, "mm")
    assert all(slider.limited for slider in found.values())


def test_a_slider_stops_inside_limits_that_are_no_whole_steps():
    found = {slider.joint: slider for slider in sliders(arm_of(arm("panda")))}
    assert (found["joint4"].lower, found["joint4"].upper, found["joint4"].start) == (-176.0, -4.0, -4.0)
    assert (found["joint6"].lower, found["joint6"].step) == (-1.0, 0.1)


@given(st.floats(-7, 7), st.floats(-7, 7))
@example(0.0, 2.2e-311)
def test_places_of_a_slider_are_inside_the_limits_and_0_is_one_of_them(one, other):
    limits = Limits(lower=min(one, other), upper=max(one, other))
    (slider,) = sliders(arm_of(chain(joint(1, limits=limits))))
    assert slider.lower >= math.degrees(limits.lower) - 1e-4
    assert slider.upper <= math.degrees(limits.upper) + 1e-4
    assert slider.lower <= slider.start <= slider.upper
    if limits.upper - limits.lower > 1e-6:
        assert abs(slider.lower / slider.step - round(slider.lower / slider.step)) < 1e-3


def test_a_joint_that_cannot_move_has_a_slider_of_one_place():
    (slider,) = sliders(arm_of(chain(joint(1, limits=Limits(lower=0.5, upper=0.5)))))
    assert slider.lower == slider.upper == slider.start == pytest.approx(math.degrees(0.5))
    assert slider.step > 0


def test_joints_without_limits_go_half_a_turn_or_the_reach():
    out = Transform.from_xyz_rpy((0.4, 0.0, 0.0), (0.0, 0.0, 0.0))
    robot = chain(joint(1, "continuous", limits=Limits(lower=-1.0, upper=1.0)), joint(2, "prismatic", origin=out))
    turn, slide = sliders(arm_of(robot))
    assert (turn.lower, turn.upper, turn.limited) == (-180.0, 180.0, False)
    assert (slide.lower, slide.upper, slide.unit, slide.limited) == (-0.4, 0.4, "m", False)


def test_a_prismatic_joint_of_an_arm_without_extent_has_a_range():
    (slide,) = sliders(arm_of(chain(joint(1, "prismatic"))))
    assert slide.upper == 0.5


def test_fixed_joints_and_joints_that_follow_have_no_slider():
    robot = chain(joint(1, "continuous"), joint(2, "fixed"), joint(3, "continuous", mimic=Mimic(joint="joint1")))
    assert [slider.joint for slider in sliders(arm_of(robot))] == ["joint1"]


def test_values_of_sliders_become_rad_and_m():
    scara = arm_of(arm("scara"))
    q = pose_of_sliders(scara, sliders(scara), [90.0, 0.0, 50.0, -180.0])
    assert q == {"shoulder": math.pi / 2, "elbow": 0.0, "quill": 0.05, "hand": -math.pi}


def test_a_second_model_moves_by_the_names_of_its_joints():
    first, second = arm_of(arm("scara")), arm_of(robot_from_table(arm("scara")).robot)
    q = {"shoulder": 1.0, "elbow": 2.0, "quill": 0.05, "hand": 3.0}
    assert pose_for_second(first, second, q) == q


def test_a_second_model_with_other_names_moves_in_order():
    first, second = arm_of(arm("scara")), arm_of(chain(joint(1), joint(2)))
    q = {"shoulder": 1.0, "elbow": 2.0, "quill": 0.05, "hand": 3.0}
    assert pose_for_second(first, second, q) == {"joint1": 1.0, "joint2": 2.0}


def test_the_second_models_link_of_the_same_name_is_compared_or_else_its_tip():
    second = arm_of(chain(joint(1), joint(2)))
    assert counterpart("link1", second) == "link1"
    assert counterpart("tool0", second) == "link2"


def test_the_tip_is_the_end_that_most_moving_joints_carry():
    side = Joint(name="camera_joint", type="fixed", parent="base", child="camera")
    robot = chain(joint(1), joint(2))
    robot = Robot(name="chain", links=(*robot.links, Link(name="camera")), joints=(side, *robot.joints))
    assert arm_of(robot).tip == "link2"


def test_of_two_ends_of_a_chain_tool0_is_the_tip():
    ends = [
        Joint(name=f"{name}_joint", type="fixed", parent="link2", child=name) for name in ("ft_frame", "left_tool0")
    ]
    robot = chain(joint(1), joint(2))
    links = (*robot.links, Link(name="ft_frame"), Link(name="left_tool0"))
    assert arm_of(Robot(name="chain", links=links, joints=(*robot.joints, *ends))).tip == "left_tool0"


def test_the_table_shows_live_values_and_marks_what_moves():
    scara = arm_of(arm("scara"))
    rows = rows_of(table_html(scara, {"shoulder": math.pi / 4, "quill": 0.05}))
    assert rows[0] == ["i", "joint", *(f"{sign}<sub>i</sub>" for sign in "θdaα")]
    assert rows[1] == ["1", "shoulder", "<b>45</b>", "410", "325", "0"]
    assert rows[3] == ["3", "quill", "0", "<b>130</b>", "0", "0"]
    assert "standard; lengths in mm, angles in °" in table_html(scara, {})


def test_a_modified_table_shows_craigs_subscripts_and_its_tool_row():
    rows = rows_of(table_html(arm_of(arm("panda")), {}))
    assert rows[0][2:] == ["a<sub>i−1</sub>", "α<sub>i−1</sub>", "d<sub>i</sub>", "θ<sub>i</sub>"]
    assert rows[-1] == ["8", "<i>tool0</i>", "0", "0", "0.107", "0"]


def test_a_tree_shows_gamma_and_b():
    rows = rows_of(table_html(arm_of(arm("torso")), {}))
    assert [re.sub("<.*?>", "", head) for head in rows[0]] == ["i", "joint", "γi", "bi", "ai", "αi", "di", "θi"]
    assert rows[2] == ["2", "left_shoulder", "90", "0.1", "0.25", "-90", "0", "<b>0</b>"]


def test_a_model_without_a_table_says_why():
    still = chain(joint(1, "fixed"))
    assert table_html(arm_of(still), {}) == "<p>No table: nothing moves, or a joint is floating or planar.</p>"


@pytest.mark.parametrize("name", KINDS)
def test_the_pose_of_the_tool_is_that_of_the_rows(name):
    table = arm(name)
    shown = arm_of(table)
    q = [0.1 * (index + 1) for index in range(len(table.moving_joints))]
    names = [joint.name for joint in table.moving_joints]
    cells = cells_of(pose_html(shown, shown.tip, dict(zip(names, q, strict=True)), shown.units))
    wanted = oracles.table_poses(table, q)
    pose = wanted["tool"] if shown.tip == "tool0" else wanted[shown.tip]
    unit = {"m": 1.0, "mm": 1e-3, "in": 0.0254}[table.units.length]
    read = oracles.shift(*(float(cells[f"pose-{axis}"]) * unit for axis in "xyz")) @ oracles.rpy_matrix(
        *(math.radians(float(cells[f"pose-{angle}"])) for angle in ("roll", "pitch", "yaw"))
    )
    assert oracles.position_error(read, pose) < 1e-4
    assert oracles.rotation_error(read, pose) < 3e-4


@given(strategies.tables())
def test_any_table_can_be_shown(table):
    shown = arm_of(table)
    q = pose_of_sliders(shown, sliders(shown), [slider.start for slider in sliders(shown)])
    assert isinstance(shown.rows, Table)
    assert len(rows_of(table_html(shown, q))) >= 1 + len(shown.rows.joints)
    assert len(cells_of(pose_html(shown, shown.tip, q, shown.units))) == 6


def test_names_cannot_bring_markup_into_the_page():
    robot = Robot(
        name="r",
        links=(Link(name="<b>"), Link(name="<script>")),
        joints=(Joint(name="<i>", type="continuous", parent="<b>", child="<script>"),),
    )
    html = table_html(arm_of(robot), {}) + pose_html(arm_of(robot), "<script>", {}, Units())
    assert "<script>" not in html
    assert "&lt;script&gt; in &lt;b&gt;" in html


def test_the_gap_of_two_poses_is_told_in_the_tables_unit():
    other = Transform.from_xyz_rpy((0.003, 0.004, 0.0), (0.0, 0.0, 0.1))
    assert cells_of(gap_html(IDENTITY, other, Units(length="mm"))) == {"gap-length": "5", "gap-angle": "5.73"}
