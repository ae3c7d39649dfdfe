"""The catalogue against the descriptions of the same arms: poses of their URDFs, and tables fitted to their screws.

``data/vendor_urdfs.json`` names each URDF with its license, and holds what pinocchio computes from it: eight poses of
the tip, the joint screws and the tip at q = 0. It holds the relation of the two models as well:
``table(q) = base_transform · urdf(signs · q + offsets) · tool_transform``, with the residual that is left.
"""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

import oracles
import robots_index
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.screws_file import read_screws
from mdh2urdf.se3 import rpy_from_rotation
from mdh2urdf.table import Table

VENDOR = json.loads((Path(__file__).parent / "data" / "vendor_urdfs.json").read_text(encoding="utf-8"))

SAMPLED = 1.02
"""The residual is the largest at some random joint values; at others it may be a little larger."""

ROUNDING = 1e-12
"""m and rad."""

DIFFERENT = {
    "aubo_i10_calibrated": "One calibrated arm.",
    "fanuc_m16ib20": "its zero is another one (joint 2 by 90 degrees, joints 3 to 5 by 180). The URDF has 525 mm",
    "icub_right_arm": "upper arm 159.06 against 152.28 mm, forearm 142.3 against 141.3 mm",
    "irb1200_7_70": "Frame 0 is base_link of the URDF turned by 180 degrees about z",
    "irb140": "joint 2 is 90 degrees and joint 3 is 180 degrees away",
    "jaco2_6dof": "The URDF has 250.06 and 85.52 mm for d4b and d5b",
    "kr5_arc": "joint 3 is 90 degrees and joint 5 is 180 degrees away",
    "lwr4": "The URDF ends 78 mm beyond frame 7 and starts 0.5 mm lower",
    "lwr4_standard": "frame 0 at the shoulder",
    "mycobot_280": "64.62 mm against d4 = 66.39 mm, and a flange 2 mm further out (45.6 against d6 = 43.6 mm)",
    "piper": "The URDF has 0.088 mm between axes 5 and 6",
    "piper_old": "the zero of joints 2 and 3 is 2 degrees away",
    "puma560_akb": "is another arm: a3 = 0, 129.54 mm at the shoulder and 432.09 mm of forearm",
    "sawyer": "joint 2 is 90 and joints 4 and 6 are 180 degrees away",
    "ur10": "turned by 180 degrees about z",
    "ur10_cb3_manual": "d1 0.118 against 0.1273, a2 -0.6127 against -0.612",
    "ur10e": "turned by 180 degrees about z",
    "ur16e": "turned by 180 degrees about z",
    "ur3": "turned by 180 degrees about z",
    "ur30": "turned by 180 degrees about z",
    "ur3_cb3_manual": "it prints d1 = 0.118, which is the UR10's, where the UR3 has 0.1519",
    "ur5": "turned by 180 degrees about z",
    "ur5_series1": "the two differ by up to 2 mm",
    "ur5e": "turned by 180 degrees about z",
    "zu5": "leaves 3.2e-5 rad at joints 3 and 4",
}
"""Tables whose rows are not those of the vendor's URDF, and what their notes say of it."""


def load(name: str) -> Table:
    return robots_index.load(robots_index.ROBOTS / f"{name}.yaml")


def pose(rows) -> np.ndarray:
    return np.array([*rows, [0, 0, 0, 1]], dtype=float)


@pytest.mark.parametrize("name", VENDOR)
def test_a_table_reaches_the_poses_of_the_vendors_urdf(name: str):
    table, vendor = load(name), VENDOR[name]
    base, tool = pose(vendor["base_transform"]), pose(vendor["tool_transform"])
    length, angle = (SAMPLED * value + ROUNDING for value in vendor["residual"])
    for one in vendor["poses"]:
        q = np.array(vendor["signs"]) * (np.array(one["q"]) - vendor["offsets"])
        reached, wanted = oracles.table_poses(table, list(q))["tool"], base @ pose(one["pose"]) @ tool
        assert oracles.position_error(reached, wanted) <= length
        assert oracles.rotation_error(reached, wanted) <= angle


def screws_text(name: str) -> str:
    """A vendor's screws as a file of screws."""
    vendor = VENDOR[name]
    links = [vendor["base"], *(f"moved{number}" for number, _ in enumerate(vendor["screws"], 1))]
    joints = [
        {
            "name": screw["joint"],
            "type": "prismatic" if screw["type"] == "prismatic" else "continuous",
            "parent": links[number],
            "link": links[number + 1],
            "axis": screw["axis"],
            **({"limits": {"lower": 0, "upper": 1}} if screw["type"] == "prismatic" else {"point": screw["point"]}),
        }
        for number, screw in enumerate(vendor["screws"])
    ]
    tip = pose(vendor["zero"])
    tool = {"link": "tip", "xyz": tip[:3, 3].tolist(), "rpy": list(rpy_from_rotation(tip[:3, :3].tolist()))}
    return yaml.safe_dump(
        {"format": "screws", "name": name, "base": {"link": vendor["base"]}, "joints": joints, "tool": tool}
    )


def rows(table: Table) -> list:
    return [(one.row, one.direction) for one in table.joints]


@pytest.mark.parametrize("name", VENDOR)
def test_rows_fitted_to_the_vendors_screws_are_the_tables_or_the_notes_say_why_not(name: str):
    table = load(name)
    robot = read_screws(screws_text(name), file=f"{name}.yaml")
    fitted, report = fit_table(robot, convention=table.convention, like=table, snap=True)
    assert max(report.position_error, report.angle_error) < 1e-4
    assert (rows(fitted) == rows(table)) == (name not in DIFFERENT)
    assert DIFFERENT.get(name, "") in table.extras.get("notes", "")
