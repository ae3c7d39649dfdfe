import json
from dataclasses import replace

import pytest

from command_line import run
from mdh2urdf.changes import changes
from mdh2urdf.robot import (
    Box,
    Capsule,
    Dynamics,
    Inertia,
    Inertial,
    Joint,
    Limits,
    Link,
    Mimic,
    Robot,
    Shape,
)
from mdh2urdf.se3 import Transform
from mdh2urdf.urdf.reader import read_urdf
from mdh2urdf.urdf.writer import write_urdf

UNIT = Inertia(ixx=1.0, ixy=0.0, ixz=0.0, iyy=2.0, iyz=0.0, izz=2.0)
QUARTER = 1.5707963267948966


def pose(*xyz, rpy=(0.0, 0.0, 0.0)):
    return Transform.from_xyz_rpy(xyz or (0.0, 0.0, 0.0), rpy)


TURN = Joint(
    name="turn",
    type="revolute",
    parent="base",
    child="arm",
    origin=pose(0.1, 0.2, 0.3),
    limits=Limits(lower=-1.0, upper=QUARTER, velocity=1.0, effort=5.0),
)
SLIDE = Joint(
    name="slide",
    type="prismatic",
    parent="arm",
    child="tool",
    limits=Limits(lower=0.0, upper=0.5, velocity=0.1, effort=50.0),
)
ARM = Link(
    name="arm",
    inertial=Inertial(mass=2.0, inertia=UNIT, origin=pose(0.0, 0.0, 0.1)),
    visuals=(Shape(geometry=Box(size=(1.0, 1.0, 1.0))), Shape(geometry=Box(size=(2.0, 2.0, 2.0)))),
    collisions=(Shape(geometry=Capsule(radius=0.1, length=0.5)),),
)
OLD = Robot(name="robot", links=(Link(name="base"), ARM, Link(name="tool")), joints=(TURN, SLIDE))


def with_turn(**fields):
    return replace(OLD, joints=(replace(TURN, **fields), SLIDE))


def with_arm(**fields):
    return replace(OLD, links=(OLD.links[0], replace(ARM, **fields), OLD.links[2]))


def test_the_same_robot_has_not_changed_nor_has_it_when_written_and_read():
    assert changes(OLD, OLD) == []
    assert changes(read_urdf(write_urdf(OLD))[0], OLD) == []


LIMITS = TURN.limits
CASES = {
    "name": (replace(OLD, name="other"), ["robot: name 'robot', now 'other'"]),
    "origin moved": (
        with_turn(origin=pose(0.1, 0.2, 0.301)),
        ["joint 'turn': origin moved by 1 mm (0, 0, 1)"],
    ),
    "origin turned": (
        with_turn(origin=pose(0.1, 0.2, 0.3, rpy=(0.0, 0.0, QUARTER))),
        ["joint 'turn': origin turned by 90°"],
    ),
    "both": (
        with_turn(origin=pose(0.103, 0.196, 0.3, rpy=(QUARTER / 90, 0.0, 0.0))),
        ["joint 'turn': origin moved by 5 mm (3, -4, 0) and turned by 1°"],
    ),
    "axis": (with_turn(axis=(0.0, 0.0, -1.0)), ["joint 'turn': axis turned by 180°"]),
    "a nanometre": (with_turn(origin=pose(0.1, 0.2, 0.3 + 5e-10)), []),
    "limits": (
        with_turn(limits=replace(LIMITS, lower=-QUARTER, velocity=QUARTER / 3, effort=None)),
        [
            "joint 'turn': lower limit -57.2958°, now -90°",
            "joint 'turn': velocity 57.2958°/s, now 30°/s",
            "joint 'turn': effort 5 N m, now none",
        ],
    ),
    "no limits": (
        with_turn(type="continuous", limits=None),
        [
            "joint 'turn': type revolute, now continuous",
            "joint 'turn': lower limit -57.2958°, now none",
            "joint 'turn': upper limit 90°, now none",
            "joint 'turn': velocity 57.2958°/s, now none",
            "joint 'turn': effort 5 N m, now none",
        ],
    ),
    "slider": (
        replace(OLD, joints=(TURN, replace(SLIDE, limits=replace(SLIDE.limits, upper=0.25, effort=60.0)))),
        ["joint 'slide': upper limit 500 mm, now 250 mm", "joint 'slide': effort 50 N, now 60 N"],
    ),
    "fixed": (with_turn(type="fixed"), ["joint 'turn': type revolute, now fixed"]),
    "mimic": (
        replace(OLD, joints=(TURN, replace(SLIDE, mimic=Mimic(joint="turn", multiplier=-0.5, offset=0.25)))),
        ["joint 'slide': mimic none, now 'turn' * -0.5 + 0.25"],
    ),
    "dynamics": (
        with_turn(dynamics=Dynamics(damping=0.5, friction=0.0)),
        ["joint 'turn': damping none, now 0.5", "joint 'turn': friction none, now 0"],
    ),
    "mass": (
        with_arm(inertial=replace(ARM.inertial, mass=2.5, origin=pose(0.0, 0.01, 0.1))),
        ["link 'arm': mass 2 kg, now 2.5 kg", "link 'arm': centre of mass moved by 10 mm (0, 10, 0)"],
    ),
    "tensor": (
        with_arm(inertial=replace(ARM.inertial, inertia=replace(UNIT, iyy=2.3))),
        ["link 'arm': inertia changed by 10 %"],
    ),
    "the same tensor in other axes": (
        with_arm(
            inertial=Inertial(
                mass=2.0,
                inertia=Inertia(ixx=2.0, ixy=0.0, ixz=0.0, iyy=1.0, iyz=0.0, izz=2.0),
                origin=pose(0.0, 0.0, 0.1, rpy=(0.0, 0.0, QUARTER)),
            )
        ),
        [],
    ),
    "no mass": (with_arm(inertial=None), ["link 'arm': mass data removed"]),
    "shapes": (
        with_arm(
            visuals=(Shape(geometry=Box(size=(1.0, 1.0, 1.0)), origin=pose(0.0, 0.0, 0.02)), ARM.collisions[0]),
            collisions=(),
        ),
        ["link 'arm': visuals 2, now 4", "link 'arm': collisions 3, now 0"],
    ),
    "another shape": (
        with_arm(visuals=(replace(ARM.visuals[0], origin=pose(0.0, 0.0, 0.02)), ARM.visuals[0])),
        ["link 'arm': visual 1 moved by 20 mm (0, 0, 20)", "link 'arm': visual 2 has another shape"],
    ),
}


@pytest.mark.parametrize(("new", "lines"), CASES.values(), ids=CASES)
def test_what_changed_is_one_line_each(new, lines):
    assert changes(OLD, new) == lines


def test_parts_that_came_and_went_are_told_by_name_and_the_others_compared():
    tool = replace(SLIDE, name="slide", parent="base", child="hand")
    new = replace(OLD, links=(OLD.links[0], ARM, Link(name="hand")), joints=(TURN, tool))
    assert changes(OLD, new) == [
        "link 'tool': removed",
        "link 'hand': added",
        "joint 'slide': parent 'arm', now 'base'",
        "joint 'slide': child 'tool', now 'hand'",
    ]
    short = Robot(name="robot", links=OLD.links[:2], joints=(TURN,))
    assert changes(OLD, short) == ["link 'tool': removed", "joint 'slide': removed"]
    assert changes(short, OLD) == ["link 'tool': added", "joint 'slide': added"]


def test_mass_data_that_are_new_are_told_and_a_tensor_that_was_zero_has_no_share():
    none = with_arm(inertial=None)
    assert changes(none, OLD) == ["link 'arm': mass data added, 2 kg"]
    zero = replace(UNIT, ixx=0.0, iyy=0.0, izz=0.0)
    old = with_arm(inertial=replace(ARM.inertial, inertia=zero))
    assert changes(old, OLD) == ["link 'arm': inertia changed"]


def test_a_single_shape_needs_no_number():
    old, new = (with_arm(visuals=(Shape(geometry=Box(size=(size,) * 3)),), collisions=()) for size in (1.0, 2.0))
    assert changes(old, new) == ["link 'arm': visual has another shape"]


TABLE = """\
name: two
convention: modified
units: {angle: deg, length: mm}
joints:
  - {name: j1, a: 0, alpha: 0, d: 100, theta: 0, limits: {lower: -90, upper: 90, velocity: 90, effort: 5}}
"""


def test_the_command_line_tells_what_changed_even_over_the_old_file(tmp_path):
    table, urdf, report = tmp_path / "two.yaml", tmp_path / "two.urdf", tmp_path / "report.json"
    table.write_text(TABLE)
    assert run(table, "-o", urdf, "--prefix", "a_", "--quiet").status == 0
    again = run(table, "-o", urdf, "--prefix", "a_", "--against", urdf)
    assert again.err.splitlines()[-1] == "nothing changed"
    table.write_text(TABLE.replace("d: 100", "d: 102.5").replace("lower: -90", "lower: -80"))
    done = run(table, "-o", urdf, "--prefix", "a_", "--against", urdf, "--report", report)
    lines = ["joint 'a_j1': origin moved by 2.5 mm (0, 0, 2.5)", "joint 'a_j1': lower limit -90°, now -80°"]
    assert done.err.splitlines()[1:] == lines
    assert json.loads(report.read_text())["changes"] == lines
    assert "-1.39" in urdf.read_text()


def test_the_old_description_may_be_a_table(tmp_path):
    table = tmp_path / "two.yaml"
    table.write_text(TABLE)
    assert run(table, "--against", table, "--name", "new").err.splitlines()[-1] == "robot: name 'two', now 'new'"
