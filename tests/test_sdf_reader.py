"""SDF read as a robot: poses through frames, joints off their links, loops; and bad files."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.robot import Box, Capsule, Cylinder, Dynamics, Limits, Mesh, Mimic, Sphere
from mdh2urdf.sdf.reader import read_sdf
from mdh2urdf.sdf.writer import write_sdf
from oracles import sdf_poses
from simulators import libsdformat_model
from test_sdf import parallelogram

AXIS = "<axis><xyz>0 0 1</xyz></axis>"


def sdf(inner: str, version: str = "1.9") -> str:
    return f'<sdf version="{version}">\n<model name="m">\n{inner}</model>\n</sdf>'


def read(text: str, findings: tuple[str, ...] = ()):
    made, found = read_sdf(text, file="m.sdf")
    assert tuple(str(finding) for finding in found) == findings
    return made


def refused(text: str) -> list[str]:
    with pytest.raises(Mdh2UrdfError) as caught:
        read_sdf(text, file="m.sdf")
    return [str(problem) for problem in caught.value.problems]


OFF_AXIS = """
<link name="base"><pose>1 2 3 0.1 0.2 0.3</pose></link>
<link name="arm"><pose relative_to="mount">0 0 0.5 0 0 0</pose></link>
<link name="slide"><pose degrees="true">0 0 2 90 0 45</pose></link>
<link name="tip"><pose relative_to="slide" rotation_format="quat_xyzw">0 1 0 0.6 0 0 0.8</pose></link>
<frame name="mount" attached_to="base"><pose>0.5 0 0 0 0.3 0</pose></frame>
<frame name="flange" attached_to="tool"/>
<frame name="tool" attached_to="wrist"><pose relative_to="tip">0.1 0.2 0 0 0 0</pose></frame>
<frame name="origin"><pose></pose></frame>
<joint name="shoulder" type="revolute"><pose>0 0 -0.5 0 0 0</pose><parent>base</parent><child>arm</child>
  <axis><xyz>0 2 0</xyz><limit><lower>-1</lower><upper>2</upper><effort>-1</effort><velocity>3</velocity></limit>
  <dynamics><damping>0.5</damping></dynamics></axis></joint>
<joint name="lift" type="prismatic"><pose relative_to="mount">0 0 1 0.4 0 0</pose><parent>mount</parent>
  <child>slide</child><axis><xyz>0 0 1</xyz><limit><lower>-inf</lower><upper>1e16</upper></limit></axis></joint>
<joint name="wrist" type="fixed"><parent>slide</parent><child>tip</child></joint>
"""


def test_poses_are_found_through_frames_and_joints_off_their_links_as_libsdformat_finds_them(tmp_path):
    made = read(sdf(OFF_AXIS))
    model = libsdformat_model(sdf(OFF_AXIS), tmp_path)
    values = {"shoulder": 0.4, "lift": -0.3}
    wanted = sdf_poses(model, values)
    # A frame of the first link at the model's origin is the root.
    assert made.root == "origin"
    ours = {name: np.array(pose.matrix()) for name, pose in made.link_poses(values).items()}
    for name, pose in wanted.items():
        assert np.abs(ours[name] - pose).max() < 1e-14
    found = {joint.name: joint for joint in made.joints}
    assert found["shoulder"].limits == Limits(lower=-1.0, upper=2.0, velocity=3.0)
    assert found["shoulder"].dynamics == Dynamics(damping=0.5)
    assert found["shoulder"].axis == (0.0, 1.0, 0.0)
    assert (found["lift"].type, found["lift"].limits) == ("prismatic", None)
    assert found["shoulder"].child == "arm_shoulder"
    assert found["arm_shoulder_joint"].child == "arm"


def test_a_revolute_joint_without_limits_is_continuous():
    text = sdf(
        f'<link name="a"/><link name="b"/><link name="c"/>'
        f'<joint name="j" type="revolute"><parent>a</parent><child>b</child>{AXIS}</joint>'
        '<joint name="k" type="continuous"><parent>a</parent><child>c</child><axis>'
        "<dynamics/><limit><effort>5</effort></limit><xyz>0 0 1</xyz></axis></joint>"
    )
    made = read(text)
    assert [joint.type for joint in made.joints] == ["continuous", "continuous"]
    assert made.joints[1].limits == Limits(effort=5.0)
    assert made.joints[1].dynamics is None


def test_mass_and_shapes_are_read():
    text = sdf(
        """<link name="a"><inertial><pose>0 0 1 0 0 0</pose><mass>2</mass><inertia><ixx>3</ixx><ixy>0.1</ixy></inertia>
        </inertial><gravity>1</gravity>
        <visual name="v"><pose>0 1 0 0 0 0</pose><geometry><box><size>1 2 3</size></box></geometry>
          <material><ambient>0 1 0 1</ambient></material><cast_shadows>1</cast_shadows></visual>
        <visual name="w"><geometry><mesh><uri> model://m/a.dae </uri><scale>1 2 3</scale></mesh></geometry>
          <material><diffuse>1 0 0 1</diffuse><ambient>0 1 0 1</ambient></material></visual>
        <visual name="x"><geometry><plane/></geometry></visual>
        <visual name="y"><geometry><box/></geometry><material/></visual>
        <collision name="c"><geometry><cylinder><radius>0.1</radius><length>0.2</length></cylinder></geometry>
        </collision>
        <collision name="d"><geometry><capsule><radius>0.1</radius><length>0.2</length></capsule></geometry></collision>
        <collision name="e"><geometry><sphere/></geometry></collision></link><link name="b"><inertial/></link>"""
    )
    words = "m.sdf:9: <plane> in <geometry> is not read"
    made, findings = read_sdf(text, file="m.sdf")
    assert [str(finding) for finding in findings] == [words]
    arm = made.link("a")
    assert (arm.inertial.mass, arm.inertial.inertia.ixx, arm.inertial.inertia.iyy) == (2.0, 3.0, 1.0)
    assert arm.inertial.origin.translation == (0.0, 0.0, 1.0)
    assert [shape.geometry for shape in arm.visuals] == [
        Box(size=(1.0, 2.0, 3.0)),
        Mesh(filename="model://m/a.dae", scale=(1.0, 2.0, 3.0)),
        Box(size=(1.0, 1.0, 1.0)),
    ]
    assert [shape.material and shape.material.rgba for shape in arm.visuals] == [(0, 1, 0, 1), (1, 0, 0, 1), None]
    assert [shape.geometry for shape in arm.collisions] == [
        Cylinder(radius=0.1, length=0.2),
        Capsule(radius=0.1, length=0.2),
        Sphere(radius=1.0),
    ]
    assert made.link("b").inertial.mass == 1.0


def test_a_link_that_no_joint_holds_floats():
    text = sdf('<link name="a"><pose>1 0 0 0 0 0</pose></link><link name="b"><pose>3 0 0 0 0 0</pose></link>')
    made = read(text)
    (joint,) = made.joints
    assert (joint.name, joint.type, joint.parent, joint.origin.translation) == (
        *("b_joint", "floating", "a"),
        (2.0, 0.0, 0.0),
    )


def test_the_world_is_a_link_where_a_joint_names_it():
    fixed = '<joint name="j" type="fixed"><parent>world</parent><child>a</child></joint>'
    text = sdf(f'<link name="a"><pose>1 0 0 0 0 0</pose></link>{fixed}')
    made = read(text)
    assert (made.root, made.joints[0].origin.translation) == ("world", (1.0, 0.0, 0.0))


def test_the_model_may_stand_in_a_world():
    world = (
        '<sdf version="1.9"><world name="w"><light/><physics/><model name="m"><static>1</static><link name="a"/>'
        "</model></world></sdf>"
    )
    assert read(world).root == "a"
    assert read(world.replace("<world", "<light/><world")).root == "a"


def test_mimic_of_later_versions_is_read():
    text = sdf(
        f"""<link name="a"/><link name="b"/><link name="c"/>
        <joint name="j" type="continuous"><parent>a</parent><child>b</child>{AXIS}</joint>
        <joint name="k" type="continuous"><parent>a</parent><child>c</child><axis><xyz>0 0 1</xyz>
        <mimic joint="j"><multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference></mimic></axis></joint>
        """,
        "1.11",
    )
    assert read(text).joints[1].mimic == Mimic(joint="j", multiplier=2.0, offset=0.3)
    plain = text.replace("<multiplier>2</multiplier><offset>0.5</offset><reference>0.1</reference>", "")
    assert read(plain).joints[1].mimic == Mimic(joint="j")


def test_a_second_joint_of_a_link_closes_a_loop():
    for kind in ("revolute", "continuous", "prismatic", "fixed", "ball"):
        made = parallelogram(kind)
        again, findings = read_sdf(write_sdf(made)[0], file="m.sdf")
        assert findings == []
        (loop,) = again.loops
        assert (loop.name, loop.type, loop.link_a, loop.link_b) == ("cut", kind, "left", "coupler")
        assert loop.closed == {"two": 0.0, "one": 0.0, "three": 0.0}
        for mine, theirs in ((loop.frame_a, made.loops[0].frame_a), (loop.frame_b, made.loops[0].frame_b)):
            assert np.abs(np.array(mine.matrix()) - np.array(theirs.matrix())).max() < 1e-15


def test_names_that_are_taken_get_another():
    text = sdf(
        f"""<link name="a"/><link name="b"><pose>0 0 1 0 0 0</pose></link><link name="b_j"/><link name="f_joint"/>
        <frame name="f" attached_to="a"><pose>1 0 0 0 0 0</pose></frame>
        <joint name="j" type="continuous"><pose>0 0 1 0 0 0</pose><parent>a</parent><child>b</child>{AXIS}</joint>"""
    )
    made = read(text)
    assert made.joints[0].child == "b_j_"
    assert [joint.name for joint in made.joints][-1] == "f_joint_"


def test_a_joint_off_its_links_frame_is_read_again_as_it_was_written():
    made = read(
        sdf(
            f"""<link name="a"/>
            <link name="b"><visual name="v"><geometry><sphere><radius>1</radius></sphere></geometry></visual></link>
            <joint name="j" type="continuous">
            <pose>0 0 1 0 0 0</pose><parent>a</parent><child>b</child>{AXIS}</joint>"""
        )
    )
    again, _ = read_sdf(write_sdf(made)[0])
    assert [joint.name for joint in again.joints] == ["j", "b_j__joint", "b_j_joint"]
    assert [link.name for link in again.links] == ["a", "b", "b_j_", "b_j"]
    poses = again.link_poses({"j": 0.5})
    for link, pose in made.link_poses({"j": 0.5}).items():
        assert np.abs(np.array(pose.matrix()) - np.array(poses[link].matrix())).max() < 1e-15


TWO = '<link name="a"/><link name="b"/>'


def held(kind: str, inner: str = AXIS) -> str:
    return sdf(f'{TWO}<joint name="j" type="{kind}"><parent>a</parent><child>b</child>{inner}</joint>')


BAD = {
    "<urdf/>": ["m.sdf:1: the root element is <urdf>, not <sdf>"],
    '<sdf version="1.9"/>': ["m.sdf:1: sdf: holds 0 models; wanted is one"],
    '<sdf><model name="a"/><model name="b"/></sdf>': ["m.sdf:1: sdf: holds 2 models; wanted is one"],
    '<sdf><world name="w"><include/></world></sdf>': [
        "m.sdf:1: sdf.world.include: <include> inside a model or world is not read; "
        "write it out as one model (gz sdf -p)",
        "m.sdf:1: sdf: holds 0 models; wanted is one",
    ],
    sdf('<model name="n"/><link name="a"/>'): [
        "m.sdf:3: sdf.model.model: <model> inside a model or world is not read; write it out as one model (gz sdf -p)"
    ],
    sdf(""): ["m.sdf:2: sdf.model: the model has no link"],
    sdf("<link/><frame/>"): [
        "m.sdf:2: sdf.model: the model has no link",
        "m.sdf:3: sdf.model.link: <link> has no attribute 'name'",
        "m.sdf:3: sdf.model.frame: <frame> has no attribute 'name'",
    ],
    sdf('<link name="a"/>').replace('"m"', '"m" canonical_link="b"'): ["m.sdf:2: sdf.model: there is no link 'b'"],
    sdf('<link name="a"/><frame name="a"/>'): [
        "m.sdf:3: sdf.model.frame: the name 'a' is used twice; links, joints and frames share their names"
    ],
    sdf('<link name="a"><pose relative_to="b"/></link>'): [
        "m.sdf:3: sdf.model.link: its pose is relative to 'b', which is no frame of the model"
    ],
    sdf('<link name="a"><pose relative_to="f"/></link><frame name="f"><pose relative_to="a"/></frame>'): [
        "m.sdf:3: sdf.model.frame: its pose is relative to 'a', which leads back to itself"
    ],
    sdf('<link name="a"/><frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>'): [
        "m.sdf:2: sdf.model: frame 'f' is attached to 'g', which leads to no link",
        "m.sdf:2: sdf.model: frame 'g' is attached to 'f', which leads to no link",
        "m.sdf:3: sdf.model.frame: its pose is relative to 'f', which leads back to itself",
    ],
    sdf('<link name="a"><pose>1 2 3</pose></link>'): [
        "m.sdf:3: sdf.model.link.pose: <pose> '1 2 3': wanted 6 numbers, found 3"
    ],
    sdf('<link name="a"><pose rotation_format="quat_xyzw">1 2 3 0 0 0 0</pose></link>'): [
        "m.sdf:3: sdf.model.link.pose: a quaternion must not be 0"
    ],
    sdf('<link name="a"><pose rotation_format="quat_xyzw">1 2 3</pose></link>'): [
        "m.sdf:3: sdf.model.link.pose: <pose> '1 2 3': wanted 7 numbers, found 3"
    ],
    sdf('<link name="a"><pose rotation_format="turns">1 2 3</pose></link>'): [
        "m.sdf:3: sdf.model.link.pose: rotation_format 'turns' is unknown; euler_rpy and quat_xyzw are known"
    ],
    sdf(f'{TWO}<joint name="j" type="fixed"><parent>x</parent><child>world</child></joint>'): [
        "m.sdf:3: sdf.model.joint: its pose is relative to 'world', which is no frame of the model",
        "m.sdf:3: joint[j]: parent 'x' is no link or frame of the model",
    ],
    sdf(f'{TWO}<joint type="fixed"><parent>a</parent></joint>'): [
        "m.sdf:3: sdf.model.joint: <joint> has no attribute 'name'",
        "m.sdf:3: sdf.model.joint: <joint> has no <child>",
    ],
    held("ball"): [
        "m.sdf:3: joint[j]: a ball joint that closes no loop is not read; revolute, continuous, prismatic, fixed are"
    ],
    held("revolute", ""): ["m.sdf:3: joint[j]: a revolute joint without <axis>"],
    held("revolute", "<axis><xyz>0 0 1</xyz><limit><lower>5</lower><upper>1</upper></limit></axis>"): [
        "m.sdf:3: joint[j].axis.limit: lower 5 is above upper 1"
    ],
    held("revolute", "<axis><xyz>0 0 0</xyz></axis>"): ["m.sdf:3: joint[j].axis.xyz: the axis must not be 0"],
    held("revolute", "<axis><xyz>0 0</xyz></axis>"): [
        "m.sdf:3: joint[j].axis.xyz: <xyz> '0 0': wanted 3 numbers, found 2"
    ],
    held("revolute", '<axis><xyz expressed_in="a">0 0 1</xyz></axis>'): [
        "m.sdf:3: joint[j].axis.xyz: an axis that is expressed in another frame is not read"
    ],
    held("revolute", "<axis><use_parent_model_frame>1</use_parent_model_frame></axis>"): [
        "m.sdf:3: joint[j].axis.use_parent_model_frame: an axis in the model's frame is not read; "
        "SDF has it in the joint's frame since 1.7"
    ],
    held("revolute", "<axis><mimic/></axis>"): ["m.sdf:3: joint[j].axis.mimic: <mimic> has no attribute 'joint'"],
    held("revolute", "<axis><limit><lower>x</lower></limit></axis>"): [
        "m.sdf:3: joint[j].axis.limit.lower: <lower> 'x': 'x' is not a finite number"
    ],
    sdf(f"""{TWO}<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
    <joint name="k" type="screw"><parent>a</parent><child>b</child></joint>"""): [
        "m.sdf:4: joint[k]: a screw joint is not read; revolute, continuous, prismatic, fixed, ball are"
    ],
    sdf(f"""{TWO}<joint name="j" type="fixed"><parent>a</parent><child>b</child></joint>
    <joint name="k" type="fixed"><parent>b</parent><child>a</child></joint>"""): [
        "m.sdf:2: sdf.model: the joints k, j form a loop; a URDF is a tree"
    ],
    sdf('<link name="a"><visual name="v"/></link>'): ["m.sdf:3: link[a].visual: <visual> has no <geometry>"],
    sdf('<link name="a"><visual name="v"><geometry><mesh/></geometry></visual></link>'): [
        "m.sdf:3: link[a].visual.geometry.mesh: <mesh> has no <uri>"
    ],
    sdf('<link name="a"><inertial><pose relative_to="b">0 0 0 0 0 0</pose></inertial></link>'): [
        "m.sdf:3: link[a].inertial.pose: a pose of a shape or mass that is relative to another frame is not read"
    ],
    sdf('<link name="a"><visual name="v"><geometry><box><size>-1 0 0</size></box></geometry></visual></link>'): [
        "m.sdf:3: link[a].visual.geometry.box.size: <size> '-1 0 0': must not be negative"
    ],
}


@pytest.mark.parametrize(("text", "problems"), BAD.items(), ids=range(len(BAD)))
def test_a_bad_file_is_refused_with_its_lines(text, problems):
    assert refused(text) == problems


def test_angles_may_be_degrees():
    pose = read(sdf('<link name="a"/><frame name="f" attached_to="a"><pose degrees="1">0 0 0 0 0 90</pose></frame>'))
    assert pose.parent_joint("f").origin.rotation[1][0] == pytest.approx(math.sin(math.pi / 2))
