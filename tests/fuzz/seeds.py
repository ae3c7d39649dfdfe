"""What fuzzing starts from: sound and broken files of each kind, and the minimal files that once broke something.

Files of `corpus/TARGET` are kept for good. The sound ones are called so; the others tell what is wrong with them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
CORPUS = Path(__file__).with_name("corpus")
ROBOTS = TESTS.parent / "robots"

ARMS = ("puma560", "ur5e", "icub_right_arm", "dvrk_psm", "staubli_tx90")
"""Tables with parameters, either convention, branches, sliders and poses."""

WORDS = {
    "table": "name convention modified standard units angle length deg mm parameters L2 base link joints a alpha d "
    "theta q limits lower upper velocity effort type prismatic fixed tool links mass inertia frame dh expect xyz rpy",
    "screws": "format screws name units base link joints type revolute prismatic fixed axis point limits tool xyz rpy",
    "vendor": "kinematics x y z roll pitch yaw hash joint1 kinematic opw_kinematics_geometric_parameters a1 a2 b c1 "
    "opw_kinematics_joint_offsets opw_kinematics_joint_sign_corrections deg(-90.0)",
    "settings": "joints links frames root up z y * Turn:1 effort velocity flip mimic mass ignore collision hull expect",
    "urdf": "robot link joint name type revolute parent child origin xyz rpy axis limit lower upper mimic visual "
    "geometry mesh filename box size inertial mass value inertia ixx material color rgba",
    "mjcf": "mujoco model worldbody body name pos quat euler joint type hinge slide axis range geom size inertial mass "
    "default class compiler angle equality site freejoint",
    "sdf": "sdf version model name link pose relative_to joint type revolute parent child axis xyz limit lower upper "
    "inertial mass inertia frame include uri",
    "dump": "format inventor-dump version document occurrences name grounded assembly_from_occurrence joints type "
    "occurrence_one occurrence_two angular linear value start end probe samples transforms",
    "xacro": "robot xacro:macro xacro:property xacro:if name value params link joint ${p} $(arg n) ${1/0} ${",
}
"""Words that mean something in a file of each kind."""


def seeds(target: str) -> list[bytes]:
    """The inputs that fuzzing of a target starts from."""
    files = kept(target)
    if target == "table":
        files += [*(ROBOTS / f"{arm}.yaml" for arm in ARMS), *_data("bad_tables", "*.yaml")]
    elif target == "urdf":
        files += [*_data("bad_urdf", "*.urdf"), TESTS / "golden" / "everything.urdf"]
    elif target == "screws":
        files += _data("bad_screws", "*.yaml")
    return [*(path.read_bytes() for path in files), *_made(target)]


def _made(target: str) -> list[bytes]:
    """Files that are written here: dumps, and what the project's own writers make of robots that have everything."""
    if target == "dump":
        return _dumps()
    if target == "vendor":
        return [_written(ROBOTS / "puma560.yaml", "origins")]
    if target == "mjcf":
        return [_written(TESTS / "golden" / "everything.urdf", target), _written(ROBOTS / "puma560.yaml", target)]
    if target == "sdf":
        return [_written(ROBOTS / f"{arm}.yaml", target) for arm in ("puma560", "dvrk_psm")]
    return []


def _written(path: Path, form: str) -> bytes:
    from mdh2urdf.emit import ConvertOptions, emit
    from mdh2urdf.source import read_source

    model = read_source(str(path)).model
    inertia = None if form == "origins" else 0.1
    return emit(model, ConvertOptions(format=form, placeholder_inertia=inertia)).text.encode()


def kept(target: str) -> list[Path]:
    """The files of a target's corpus."""
    return sorted((CORPUS / target).glob("*"))


def _data(folder: str, pattern: str) -> list[Path]:
    return sorted((TESTS / "data" / folder).glob(pattern))


def _dumps() -> list[bytes]:
    """Dumps of a joint between two parts, and of arms whose truth is drawn, as the inventor's tests have them."""
    sys.path[:0] = [str(TESTS), str(TESTS / "inventor")]
    import numpy as np
    from assemblies import dump_of, random_assembly
    from running import one_joint

    arms = [random_assembly(np.random.default_rng(0), joints=joints, screws=joints - 1) for joints in (1, 2)]
    dumps = [one_joint((-1.0, 2.0)), *(dump_of(arm, arm.random_q(np.random.default_rng(1))) for arm in arms)]
    return [json.dumps(dump, separators=(",", ":")).encode() for dump in dumps]
