"""MJCF read as a robot: files that use what the format has, moved as MuJoCo moves them; and bad ones."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.loop import Loop
from mdh2urdf.mjcf.reader import read_mjcf
from mdh2urdf.mjcf.writer import write_mjcf
from mdh2urdf.robot import Box, Capsule, Cylinder, Dynamics, Limits, Mesh, Mimic, Sphere
from mdh2urdf.se3 import Transform
from oracles import turn_about
from simulators import MuJoCo
from test_mjcf import BARE, heavy, joint, robot

MASS = '<inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>'


def model(body: str, before: str = "", after: str = "") -> str:
    return f'<mujoco model="m">\n{before}<worldbody>\n{body}</worldbody>\n{after}</mujoco>'


def read(text: str, findings: tuple[str, ...] = ()):
    made, found = read_mjcf(text, file="m.xml")
    assert tuple(str(finding) for finding in found) == findings
    return made


def refused(text: str) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as caught:
        read_mjcf(text, file="m.xml")
    return [str(problem) for problem in caught.value.problems]


def check_motion(text: str, tolerance: float = 1e-14, **files: bytes):
    """The robot that was read moves its bodies and sites as MuJoCo does, at several values."""
    made = read(text)
    mujoco = MuJoCo(text, files)
    rng = np.random.default_rng(3)
    for _ in range(4):
        values = {joint.name: float(rng.uniform(-2, 2)) for joint in made.joints if joint.type != "fixed"}
        mujoco.set(values)
        ours = made.link_poses(values)
        root = mujoco.poses()[made.root]
        for name, pose in mujoco.poses().items():
            if name in ours:
                assert np.abs(root @ np.array(ours[name].matrix()) - pose).max() < tolerance
    return made


NOTATIONS = f"""
  <body name="a" euler="90 0 30">{MASS}
    <joint name="a" axis="0 1 1"/>
    <body name="b" pos="1 0 0" axisangle="0 3 4 40">{MASS}
      <joint name="b" type="slide" axis="1 0 0"/>
      <body name="c" xyaxes="0 1 0 -1 0.5 0">{MASS}
        <joint name="c"/>
        <body name="d" zaxis="1 1 0">{MASS}
          <joint name="d"/>
          <body name="e" zaxis="0 0 -1">{MASS}<joint name="e"/>
            <body name="f" zaxis="0 0 2" quat="2 0 0 0"/>
            <site name="s" pos="0.1 0 0" quat="1 1 0 0"/>
          </body>
        </body>
      </body>
    </body>
  </body>
"""


@pytest.mark.parametrize("sequence", ["xyz", "XYZ", "zyx", "ZYX", "xYz"])
@pytest.mark.parametrize("angle", ["degree", "radian"])
def test_every_notation_of_a_rotation_is_mujocos(sequence, angle):
    compiler = f'<compiler angle="{angle}" eulerseq="{sequence}"/>'
    text = model(NOTATIONS.replace(' zaxis="0 0 2" quat', " quat"), compiler)
    made = check_motion(text)
    assert made.link("s").inertial is None
    assert made.parent_joint("s").type == "fixed"


def test_a_body_may_have_several_joints_each_at_its_own_point():
    text = model(
        f"""<body name="a" pos="0 0 1">{MASS}
          <joint name="x" axis="1 0 0" pos="0.1 0.2 0.3" range="-90 90"/>
          <joint name="y" axis="0 1 0" pos="0.1 0 0" ref="30"/>
          <joint name="z" type="slide" axis="0 0 2" ref="0.25" range="-1 1"/>
          <body name="b" pos="1 0 0">{MASS}<joint name="w" pos="0 0 0.5"/></body>
        </body>"""
    )
    made = check_motion(text)
    assert [joint.name for joint in made.joints] == ["x", "y", "z", "w", "b_joint"]
    assert [joint.child for joint in made.joints] == ["a_x", "a_y", "a", "b_w", "b"]
    limits = {joint.name: joint.limits for joint in made.joints}
    assert limits["x"] == Limits(lower=-math.pi / 2, upper=math.pi / 2)
    assert limits["z"] == Limits(lower=-1.0, upper=1.0)
    assert limits["y"] is None


def test_classes_give_what_an_element_does_not_say():
    text = model(
        f"""<body name="a" childclass="arm">{MASS}
          <joint name="a"/><joint name="b" class="slow"/><joint name="c" class="main" axis="1 0 0"/>
          <geom/>
          <geom class="seen" euler="0 0 90"/>
          <frame pos="0 0 1" euler="90 0 0" childclass="slow"><geom/><site name="s" pos="1 0 0"/>
            <body name="n" pos="0 1 0"/></frame>
        </body>""",
        """<default>
          <joint axis="0 1 0"/>
          <default class="arm"><joint damping="0.5" range="-90 90"/><geom type="box" size="1 2 3"/>
            <default class="slow"><joint damping="2" frictionloss="0.5" actuatorfrcrange="-3 4"/>
            <geom type="sphere" size="0.5"/></default>
            <default class="seen"><geom contype="0" conaffinity="0" rgba="1 0 0 1" quat="1 0 0 0"/></default>
          </default>
        </default>""",
    )
    made = check_motion(text)
    found = {joint.name: joint for joint in made.joints}
    assert found["a"].dynamics == Dynamics(damping=0.5)
    assert found["b"].dynamics == Dynamics(damping=2.0, friction=0.5)
    assert found["b"].limits == Limits(lower=-math.pi / 2, upper=math.pi / 2, effort=4.0)
    assert (found["c"].dynamics, found["c"].type) == (None, "continuous")
    arm = made.link("a")
    assert [shape.geometry for shape in arm.collisions] == [Box(size=(2, 4, 6)), Sphere(radius=0.5)]
    (seen,) = arm.visuals
    assert seen.material.rgba == (1, 0, 0, 1)
    assert np.abs(np.array(seen.origin.matrix()) - turn_about([0, 0, 1], math.pi / 2)).max() < 1e-15
    assert arm.collisions[1].origin.translation == (0.0, 0.0, 1.0)


def test_shapes_are_given_by_sizes_or_by_their_ends():
    text = model(
        f"""<body name="a">{MASS}
          <geom type="cylinder" size="0.1 0.2"/>
          <geom type="capsule" size="0.1 9" fromto="0 0 0 0 0 2" name="rod"/>
          <geom type="cylinder" size="0.1" fromto="0 1 0 0 3 0"/>
          <geom size="0.3 0 0"/>
          <geom type="mesh" mesh="m" material="red"/><geom type="mesh" mesh="b"/>
        </body>""",
        """<compiler meshdir="meshes" strippath="true"/><compiler inertiafromgeom="false"/>
        <asset><mesh name="m" file="parts/m.stl" scale="1 2 3"/><mesh file="b.stl"/>
        <material name="red" rgba="1 0 0 1"/><texture name="t" type="2d"/></asset>""",
    )
    made = read(text)
    shapes = made.link("a").collisions
    assert [shape.geometry for shape in shapes] == [
        Cylinder(radius=0.1, length=0.4),
        Capsule(radius=0.1, length=2.0),
        Cylinder(radius=0.1, length=2.0),
        Sphere(radius=0.3),
        Mesh(filename="meshes/m.stl", scale=(1.0, 2.0, 3.0)),
        Mesh(filename="meshes/b.stl"),
    ]
    assert shapes[1].name == "rod"
    assert shapes[1].origin.translation == (0.0, 0.0, 1.0)
    assert np.abs(np.array(shapes[2].origin.rotation) @ (0, 0, 1) - (0, 1, 0)).max() < 1e-15
    assert shapes[4].material.rgba == (1, 0, 0, 1)


def test_the_world_is_the_root_where_it_carries_more_than_one_body_at_its_origin():
    one = model(f'<light/><camera name="c"/><body name="a">{MASS}</body>')
    assert read(one).root == "a"
    for body in (
        f'<body name="a" pos="0 0 1">{MASS}</body>',
        f'<body name="a">{MASS}<joint name="j"/></body>',
        f'<body name="a">{MASS}</body><body name="b">{MASS}</body>',
        f'<body name="a">{MASS}</body><geom size="1"/>',
        f'<body name="a">{MASS}</body><site name="s"/>',
    ):
        assert read(model(body)).root == "world"


def test_a_free_body_floats_on_the_world():
    for joint_text in ('<freejoint name="f"/>', '<joint name="f" type="free"/>', "<freejoint/>"):
        made = read(model(f'<body name="a" pos="1 2 3">{joint_text}{MASS}</body>'))
        (found,) = made.joints
        assert (found.type, found.origin.translation) == ("floating", (1.0, 2.0, 3.0))
        assert found.name in ("f", "a_joint")


def test_bodies_joints_and_sites_without_a_name_get_one():
    made = read(model(f"<body>{MASS}<joint/><joint axis='1 0 0'/><site/><body pos='1 0 0'>{MASS}</body></body>"))
    assert [link.name for link in made.links] == ["world", "body1", "body1_body1_joint", "body3", "body1_site1"]
    assert [joint.name for joint in made.joints] == ["body1_joint", "body1_joint1", "body3_joint", "body1_site1_joint"]


def test_a_site_with_a_bodys_name_gets_another():
    below = f'<body name="c" pos="1 0 0"><joint name="b_joint"/>{MASS}</body>'
    text = f'<body name="a">{MASS}<site name="a"/><site name="b"/>{below}</body>'
    made = read(model(text))
    assert [link.name for link in made.links] == ["a", "c", "a_site", "b"]
    assert [joint.name for joint in made.joints] == ["b_joint", "a_site_joint", "b_joint_site"]


def test_ranges_hold_as_the_compiler_says():
    body = f"""<body name="a">{MASS}<joint name="j" range="-1 1"/><joint name="k" range="-1 1" limited="true"/>
      <joint name="l" range="-1 1" limited="false"/><joint name="m" range="0 0"/></body>"""
    types = [joint.type for joint in read(model(body, '<compiler autolimits="false"/>')).joints]
    assert types == ["continuous", "revolute", "continuous", "continuous"]
    assert [joint.type for joint in read(model(body)).joints] == ["revolute", "revolute", "continuous", "continuous"]


def test_mass_data_are_read_in_both_forms():
    full = '<inertial pos="1 2 3" mass="2" fullinertia="1 2 3 0.1 0.2 0.3"/>'
    turned = '<inertial pos="1 2 3" euler="90 0 0" mass="2" diaginertia="1 2 3"/>'
    one, two = (read(model(f'<body name="a">{each}</body>')).link("a").inertial for each in (full, turned))
    assert (one.mass, one.inertia.iyz, one.inertia.ixy, one.origin.translation) == (2.0, 0.3, 0.1, (1.0, 2.0, 3.0))
    assert (two.inertia.izz, two.inertia.ixy) == (3.0, 0.0)
    assert two.origin.rotation[1][2] == -1.0


def test_masses_that_mujoco_would_take_from_shapes_are_told():
    text = model('<body name="a"><geom size="1"/></body>\n<body name="b" pos="1 0 0"><geom size="1"/></body>')
    words = "m.xml:3: mass that MuJoCo takes from the shapes of a body is not read (2 times)"
    assert [str(finding) for finding in read_mjcf(text, file="m.xml")[1]] == [words]


def test_what_is_not_read_is_told():
    text = model(
        f"""<body name="a">{MASS}<geom type="ellipsoid" size="1 1 1"/></body><muscle/>
        """,
        after="<tendon/><keyframe/><option timestep='0.1'/>",
    )
    assert [str(finding) for finding in read_mjcf(text, file="m.xml")[1]] == [
        "m.xml:3: a geom of type 'ellipsoid' is not read",
        "m.xml:3: <muscle> in <worldbody> is not read",
        "m.xml:5: <tendon> in <mujoco> is not read",
    ]


PAIR = f"""<body name="base">{MASS}
  <body name="a" pos="0 0 1">{MASS}<joint name="j" axis="0 1 0"/></body>
  <body name="b" pos="1 0 0" quat="1 1 0 0">{MASS}<joint name="k" axis="0 0 1" ref="30" range="-90 90"/></body>
  <body name="c" pos="2 0 0">{MASS}<joint name="l" type="slide"/></body></body>"""


def equal(inner: str, extra: str = "") -> str:
    return model(PAIR, after=f"<equality>{inner}</equality>{extra}")


def test_couplings_are_mimic_joints_and_locks():
    text = equal(
        """<joint joint1="k" joint2="j" polycoef="0.1 -2 0 0 0"/><joint joint1="l" polycoef="0.25"/>
        <joint joint1="j" joint2="l"/>"""
    )
    made = read(text)
    found = {joint.name: joint for joint in made.joints}
    assert found["k"].mimic == Mimic(joint="j", multiplier=-2.0, offset=math.radians(30) + 0.1)
    assert (found["l"].limits, found["l"].type) == (Limits(lower=0.25, upper=0.25), "prismatic")
    assert found["j"].mimic == Mimic(joint="l", multiplier=1.0, offset=0.0)
    locked = read(equal('<joint joint1="j" polycoef="0.5 0 0 0 0"/>'))
    assert locked.joints[0].limits == Limits(lower=0.5, upper=0.5)
    assert locked.joints[0].type == "revolute"


def test_couplings_that_cannot_be_followed_are_told():
    text = equal(
        '<joint joint1="k" joint2="j" polycoef="0 1 2 0 0"/><joint joint1="k" joint2="j"/>'
        '<joint joint1="k" joint2="l"/><connect body1="a" body2="b" anchor="0 0 0" active="false"/>'
    )
    made, findings = read_mjcf(text, file="m.xml")
    assert made.joints[1].mimic == Mimic(joint="j", offset=math.radians(30))
    assert [str(finding) for finding in findings] == [
        "m.xml:7: mujoco.equality.joint: k follows j in no straight line; it is read as moving freely",
        "m.xml:7: mujoco.equality.joint: k follows j already",
        "m.xml:7: <connect> that is not active is not read",
    ]


def loops(inner: str, extra: str = ""):
    return read(equal(inner, extra)).loops


def test_a_connection_by_an_anchor_is_a_ball_where_the_file_has_the_bodies():
    (loop,) = loops('<connect body1="a" body2="b" anchor="0.1 0.2 0.3"/>')
    assert (loop.name, loop.type, loop.link_a, loop.link_b) == ("loop1", "ball", "a", "b")
    assert loop.frame_a.translation == (0.1, 0.2, 0.3)
    made = read(equal('<connect body1="a" body2="b" anchor="0.1 0.2 0.3"/>'))
    poses = made.link_poses({"k": math.radians(30)})
    ends = [np.array((poses[link] @ frame).matrix()) for link, frame in (("a", loop.frame_a), ("b", loop.frame_b))]
    assert np.abs(ends[0] - ends[1])[:3, 3].max() < 1e-15
    (base,) = loops('<connect name="c" body1="a"/>')
    assert (base.name, base.link_b) == ("c", "base")
    (world,) = read(model(f'{PAIR}<geom size="1"/>', after='<equality><connect body1="a"/></equality>')).loops
    assert world.link_b == "world"


def test_a_weld_is_fixed_at_its_pose_or_where_the_file_has_the_bodies():
    (loop,) = loops('<weld body1="a" body2="b" relpose="1 2 3 1 1 0 0"/>')
    assert (loop.type, loop.frame_a.translation, loop.frame_b) == ("fixed", (1.0, 2.0, 3.0), Transform())
    (here,) = loops('<weld body1="a" body2="b"/>')
    poses = read(equal("")).link_poses({"k": math.radians(30)})
    gap = np.array((poses["a"] @ here.frame_a).matrix()) - np.array(poses["b"].matrix())
    assert np.abs(gap).max() < 1e-15


def test_two_connections_of_two_bodies_are_a_hinge_whatever_their_frames():
    inner = '<connect body1="a" body2="b" anchor="0 0 0"/><connect body1="a" body2="b" anchor="0 0.5 0"/>'
    (loop,) = loops(inner)
    assert loop.type == "revolute"
    poses = read(equal("")).link_poses({"k": math.radians(30)})
    gap = np.array((poses["a"] @ loop.frame_a).inverse().matrix()) @ np.array((poses["b"] @ loop.frame_b).matrix())
    assert np.abs(gap[:3, 3]).max() < 1e-15
    assert np.abs(gap[:3, :3] @ loop.axis - loop.axis).max() < 1e-15
    third = inner + '<connect body1="a" body2="b" anchor="1 0 0"/>'
    assert [str(finding) for finding in read_mjcf(equal(third), file="m.xml")[1]] == [
        "m.xml:7: a third <connect> between the same bodies is not read"
    ]
    (ball,) = loops('<connect body1="a" body2="b" anchor="0 0 0"/><connect body1="a" body2="b" anchor="0 0 0"/>')
    assert ball.type == "ball"


def test_a_hinge_between_sites_that_are_not_turned_alike_gets_frames_on_its_axis():
    sites = (
        ('<body name="a" pos="0 0 1">', '<site name="a1"/><site name="a2" pos="0 0.5 0"/>'),
        ('quat="1 1 0 0">', '<site name="b1"/><site name="b2" pos="0 0 0.5"/>'),
    )
    body = PAIR
    for before, inner in sites:
        body = body.replace(before, before + inner)
    pairs = "".join(f'<connect name="pin_{i}" site1="a{i}" site2="b{i}"/>' for i in (1, 2))
    (loop,) = read(model(body, after=f"<equality>{pairs}</equality>")).loops
    assert (loop.name, loop.type, loop.axis) == ("pin", "revolute", (0.0, 0.0, 1.0))
    for frame, axis in ((loop.frame_a, (0, 1, 0)), (loop.frame_b, (0, 0, 1))):
        assert np.abs(np.array(frame.rotation)[:, 2] - axis).max() < 1e-15
        assert np.abs(np.array(frame.translation) - 0.25 * np.array(axis)).max() < 1e-15


def test_loops_that_were_written_are_read_back():
    a, b = Transform.from_xyz_rpy((0.1, 0, 0), (0.1, 0.2, 0.3)), Transform.from_xyz_rpy((0, 0.1, 0), (0, 0, 1.0))
    ends = {"link_a": "a", "link_b": "b", "frame_a": a, "frame_b": b}
    given = (
        Loop(name="pin", type="revolute", axis=(0.0, 0.6, 0.8), passive=("k",), closed={"j": 0.5, "k": -0.25}, **ends),
    )
    made = robot([BARE, *heavy("a", "b")], [joint("j", "base", "a"), joint("k", "base", "b")], loops=given)
    again, _ = read_mjcf(write_mjcf(made)[0], file="m.xml")
    (loop,) = again.loops
    assert (loop.name, loop.type, loop.passive, loop.closed) == ("pin", "revolute", ("k",), {"j": 0.5, "k": -0.25})
    for mine, theirs in ((loop.frame_a, a), (loop.frame_b, b)):
        assert np.abs(np.array(mine.matrix()) - np.array(theirs.matrix())).max() < 1e-15
    assert np.abs(np.array(loop.axis) - (0.0, 0.6, 0.8)).max() < 1e-15
    assert [link.name for link in again.links] == ["base", "a", "b"]


def test_the_first_keyframe_that_fits_closes_the_loops():
    keys = "<keyframe><key name='none'/><key qpos='1 2 3'/><key qpos='4 5 6'/></keyframe>"
    (loop,) = loops('<connect body1="a" body2="b"/>', keys)
    assert (loop.closed, loop.passive) == ({"j": 1.0, "k": 2.0}, ())
    free = f'<body name="f"><freejoint name="f"/>{MASS}</body>'
    text = model(free + PAIR, after=f"<equality><connect body1='a' body2='b'/></equality>{keys}")
    assert refused(text)[0].endswith("qpos '1 2 3': wanted 10 numbers, found 3")
    (loop,) = read(text.replace("1 2 3", "0 0 0 1 0 0 0 1 2 3").replace("4 5 6", "0 0 0 1 0 0 0 4 5 6")).loops
    assert loop.closed == {"j": 1.0, "k": 2.0}


BAD = {
    "<robot/>": ["m.xml:1: the root element is <robot>, not <mujoco>"],
    model('<include file="a.xml"/>'): [
        "m.xml:3: mujoco.worldbody.include: <include> is not read; save the model as one file with MuJoCo "
        "(mj_saveLastXML) and read that"
    ],
    model("", "<include file='a.xml'/>\n"): [
        "m.xml:2: mujoco.include: <include> is not read; save the model as one file with MuJoCo (mj_saveLastXML) "
        "and read that"
    ],
    model('<body name="a"><joint range="5 1"/></body>'): [
        "m.xml:3: body[a].joint: range '5 1': lower 5 is above upper 1"
    ],
    model('<body name="a"/><body name="a"/>'): ["m.xml:3: body[a]: body name 'a' is used twice"],
    model('<body name="a"><joint type="ball"/></body>'): [
        "m.xml:3: body[a].joint: a joint of type 'ball' is not read; hinge, slide and free are"
    ],
    model('<body name="a"><joint name="j" axis="0 0 0"/></body>'): [
        "m.xml:3: body[a].joint: axis '0 0 0': must not be 0"
    ],
    model('<body name="a" quat="0 0 0 0"/>'): ["m.xml:3: body[a]: quat '0 0 0 0': a direction must not be 0"],
    model('<body name="a" xyaxes="1 0 0 2 0 0"/>'): [
        "m.xml:3: body[a]: xyaxes '1 0 0 2 0 0': a direction must not be 0"
    ],
    model('<body name="a" zaxis="0 0 0"/>'): ["m.xml:3: body[a]: zaxis '0 0 0': a direction must not be 0"],
    model('<body name="a" zaxis="0 0 x"/>'): ["m.xml:3: body[a]: zaxis '0 0 x': 'x' is not a finite number"],
    model('<body name="a" zaxis="0 0 1" euler="0 0 0"/>'): [
        "m.xml:3: body[a]: <body> has euler and zaxis; one of them can hold"
    ],
    model('<body name="a"><geom class="b"/></body>'): [
        "m.xml:3: body[a].geom: there is no default class 'b'; the classes are main",
        "m.xml:3: body[a].geom: <geom> has no attribute 'size'",
    ],
    model('<body name="a"><geom type="mesh" mesh="b"/></body>'): ["m.xml:3: body[a].geom: there is no mesh 'b'"],
    model('<body name="a"><inertial mass="1"/></body>'): [
        "m.xml:3: body[a].inertial: <inertial> has neither fullinertia nor diaginertia"
    ],
    model('<body name="a"><inertial diaginertia="1 1 1"/></body>'): [
        "m.xml:3: body[a].inertial: <inertial> has no attribute 'mass'"
    ],
    model('<body name="a"><inertial mass="1" diaginertia="1 1"/></body>'): [
        "m.xml:3: body[a].inertial: diaginertia '1 1': wanted 3 numbers, found 2"
    ],
    model("", '<compiler eulerseq="xxw"/>\n'): [
        "m.xml:2: mujoco.compiler: eulerseq 'xxw': must be three of x, y, z, X, Y, Z"
    ],
    model('<body name="a"><joint name="j"/></body><body name="b"><joint name="j"/></body>'): [
        "m.xml:1: joint name 'j' is used twice"
    ],
    equal('<connect site1="x" site2="y"/>'): [
        "m.xml:7: mujoco.equality.connect: there is no site 'x'",
        "m.xml:7: mujoco.equality.connect: there is no site 'y'",
    ],
    equal('<weld body1="x"/>'): ["m.xml:7: mujoco.equality.weld: there is no body 'x'"],
    equal('<joint joint1="x"/>'): ["m.xml:7: mujoco.equality.joint: there is no joint 'x' that turns or slides"],
    equal("<joint/>"): ["m.xml:7: mujoco.equality.joint: there is no joint '' that turns or slides"],
}


@pytest.mark.parametrize(("text", "problems"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_file_is_refused_with_its_lines(text, problems):
    assert refused(text) == problems
