"""Fits of every description in the package example-robot-data: chains in both conventions, trees as trees."""

from __future__ import annotations

import importlib.metadata
from dataclasses import replace
from pathlib import Path

import pytest

import readers
from fitted import errors
from mdh2urdf.errors import Mdh2UrdfError
from mdh2urdf.fit.fitting import fit_table
from mdh2urdf.robot import MOVING, Robot
from mdh2urdf.urdf.reader import read_urdf

PACKAGE = "example-robot-data"
ENOUGH = 1e-10
"""m and rad: what is asked of real descriptions, whose numbers have ten digits."""

UNREADABLE = {"ur3.urdf"}
"""Descriptions that are none: without links."""

STILL = {"iris_simple.urdf", "quadrotor_base.urdf"}
"""Descriptions in which nothing moves."""


def descriptions() -> list[Path]:
    try:
        files = importlib.metadata.files(PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return []
    return sorted(Path(str(file.locate())) for file in files if file.suffix == ".urdf" and file.name not in UNREADABLE)


def load(path: Path) -> Robot:
    source, _ = read_urdf(path.read_text(), file=path.name)
    return source


def ends(table, tips) -> dict[str, str]:
    """The link of a tree's table that stands for each tip."""
    links = {one.link: one for one in table.joints}
    return {tip: f"{tip}_tool0" if f"{tip}_tool0" in links else tip for tip in tips}


@pytest.mark.parametrize("path", descriptions() or [None], ids=lambda path: "none" if path is None else path.stem)
def test_chains_and_trees_of_real_robots_move_as_before(path):
    if path is None:
        readers.missing(f"the Python package {PACKAGE}")
    source = load(path)
    if path.name in STILL:
        with pytest.raises(Mdh2UrdfError, match="needs at least one that moves"):
            fit_table(source)
        return
    plain = without_mimics(source)
    table, report = fit_table(plain)
    leaves = source.leaves()
    if len(leaves) > 1:
        assert max(errors(table, plain, ends(table, leaves), samples=1)) < ENOUGH
    for leaf in leaves:
        if not any(one.type in MOVING for one in source.chain(source.root, leaf)):
            continue
        for convention in ("modified", "standard"):
            table, report = fit_table(source, tip=leaf, convention=convention)
            assert max(report.position_error, report.angle_error) < ENOUGH, leaf
        assert max(errors(table, plain, {leaf: "tool"}, samples=1)) < ENOUGH, leaf


def without_mimics(source: Robot) -> Robot:
    """The robot with every joint free, as the oracles take it."""
    return replace(source, joints=tuple(replace(one, mimic=None) for one in source.joints))
