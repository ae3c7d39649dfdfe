"""Our URDFs in urdf-usd-converter: every link where it is, with its mass; every joint of its kind."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from arms import arm
from mdh2urdf.emit import ConvertOptions, emit
from mdh2urdf.urdf.writer import write_urdf
from oracles import urdf_fk
from readers import require_module
from test_urdf_consumers import drawn_arm

GOLDEN = Path(__file__).parent / "golden" / "everything.urdf"

SINGLE = 1e-5
"""m and entries of a rotation: USD keeps turns in single precision."""

KINDS = {
    "revolute": "PhysicsRevoluteJoint",
    "continuous": "PhysicsRevoluteJoint",
    "prismatic": "PhysicsPrismaticJoint",
    "fixed": "PhysicsFixedJoint",
}


def texts() -> dict[str, str]:
    made = {"golden": GOLDEN.read_text(encoding="utf-8")}
    made |= {f"drawn {seed}": write_urdf(drawn_arm(seed, masses=True)) for seed in (0, 3)}
    options = ConvertOptions(placeholder_inertia=1.0)
    return made | {name: emit(arm(name), options).text for name in ("ur5e", "panda", "torso")}


@pytest.mark.parametrize("name", ["golden", "drawn 0", "drawn 3", "ur5e", "panda", "torso"])
def test_the_usd_has_the_links_masses_and_joints_of_the_urdf(name, tmp_path):
    converter = require_module("urdf_usd_converter")
    usd, geometry, physics = (require_module(f"pxr.{each}") for each in ("Usd", "UsdGeom", "UsdPhysics"))
    text = texts()[name]
    path = tmp_path / "robot.urdf"
    path.write_text(text, encoding="utf-8")
    stage = usd.Stage.Open(converter.Converter().convert(str(path), str(tmp_path / "usd")).path)
    urdf = ElementTree.fromstring(text)
    masses = {link.get("name"): link.find("inertial/mass") for link in urdf.findall("link")}
    prims = {prim.GetName(): prim for prim in stage.Traverse()}
    cache = geometry.XformCache()
    # USD's own pose has every joint at 0, those that follow others too.
    for link, pose in urdf_fk(re.sub("<mimic[^>]*>", "", text), {}).items():
        found = np.array(cache.GetLocalToWorldTransform(prims[link])).T
        assert np.abs(found - pose).max() < SINGLE
        if masses[link] is not None:
            mass = physics.MassAPI(prims[link]).GetMassAttr().Get()
            assert mass == pytest.approx(float(masses[link].get("value")), rel=1e-6)
    joints = {joint.get("name"): joint.get("type") for joint in urdf.findall("joint")}
    for joint, kind in joints.items():
        # A frame without mass needs no joint in USD.
        if kind in KINDS and (joint in prims or kind != "fixed"):
            assert prims[joint].GetTypeName() == KINDS[kind]
