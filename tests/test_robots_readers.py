"""Every table of the catalogue as a URDF that other people's readers load, with the same poses."""

import numpy as np
import pytest
from lxml import etree

import oracles
from command_line import ROBOTS
from mdh2urdf.convert import robot_from_table
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.kinematics import as_transform, tool_frame
from mdh2urdf.table_file.reader import read_table
from readers import require_module, require_program, run

TABLES = sorted(ROBOTS.glob("*.yaml"))


def written(path, **options):
    table, _ = read_table(path.read_text(encoding="utf-8"), file=path.name)
    return table, emit(table, ConvertOptions(**options)).text


def random_q(table):
    return [float(value) for value in np.random.default_rng(3).uniform(-1, 1, len(table.moving_joints))]


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_check_urdf_accepts_it(path, tmp_path):
    program = require_program("check_urdf")
    target = tmp_path / "robot.urdf"
    target.write_text(written(path)[1], encoding="utf-8")
    result = run(program, target)
    assert (result.returncode, result.stderr) == (0, "")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_pinocchio_reaches_the_poses_of_the_rows(path):
    pin = require_module("pinocchio")
    table, text = written(path)
    model = pin.buildModelFromXML(text)
    data, q = model.createData(), random_q(table)
    values = pin.neutral(model)
    for joint, value in zip(table.moving_joints, q, strict=True):
        place = model.joints[model.getJointId(joint.name)]
        endless = place.nq == 2
        values[place.idx_q : place.idx_q + place.nq] = [np.cos(value), np.sin(value)] if endless else [value]
    pin.framesForwardKinematics(model, data, values)
    tip = robot_from_table(table).robot.leaves()[0]
    reached = data.oMf[model.getFrameId(tip)].homogeneous
    wanted = as_transform(tool_frame(table, q)).matrix()
    assert oracles.position_error(reached, wanted) < 1e-12
    assert oracles.rotation_error(reached, wanted) < 1e-12


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_yourdfpy_loads_it(path, tmp_path):
    yourdfpy = require_module("yourdfpy")
    target = tmp_path / "robot.urdf"
    table, text = written(path)
    target.write_text(text, encoding="utf-8")
    robot = yourdfpy.URDF.load(str(target))
    assert robot.num_actuated_joints == len(table.moving_joints)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
@pytest.mark.parametrize("massless", [True, False], ids=["without mass", "with placeholders"])
def test_mujoco_loads_it(path, massless):
    mujoco = require_module("mujoco")
    table, text = written(path, placeholder_inertia=None if massless else 1.0)
    if massless:
        # MuJoCo refuses moving bodies without mass unless it is told to give them some.
        root = etree.fromstring(text.encode())
        settings = {"boundmass": "1e-6", "boundinertia": "1e-9", "fusestatic": "false"}
        etree.SubElement(etree.SubElement(root, "mujoco"), "compiler", settings)
        text = etree.tostring(root, encoding="unicode")
    model = mujoco.MjModel.from_xml_string(text)
    assert model.njnt == len(table.moving_joints)
