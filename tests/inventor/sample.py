"""The assembly of docs/sample, for readers without Inventor: ``python tests/inventor/sample.py`` writes it anew.

A pillar on the ground, a turret that turns on it, an arm that swings, a ram that slides out of the arm; a cover that
is screwed to the turret has no joint. Boxes all of them, modelled in millimetres.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
FOLDER = TESTS.parent / "docs" / "sample"
sys.path[:0] = [str(TESTS), str(TESTS / "inventor")]

from assemblies import Assembly, Body, Part, Solid, dump_of, write_dump, write_meshes  # noqa: E402

from oracles import shift  # noqa: E402

STEEL, ALUMINIUM = 7850.0, 2700.0
X_AXIS, Y_AXIS, Z_AXIS = np.eye(3)


def box(name: str, size: tuple[float, float, float], centre: tuple[float, float, float], density: float) -> Part:
    """A part with one box: edges and centre in m, in its own frame, which stands where its body does."""
    return Part(f"{name}:1", np.eye(4), [Solid(np.array(size), density, shift(*centre))], mesh_unit="mm")


def sample() -> Assembly:
    """The assembly."""
    pillar = Body([box("Pillar", (0.16, 0.16, 0.4), (0, 0, 0.2), STEEL)])
    turret = Body(
        [
            box("Turret", (0.12, 0.1, 0.14), (0, 0, 0.07), ALUMINIUM),
            box("Cover", (0.01, 0.08, 0.08), (0.065, 0, 0.07), ALUMINIUM),
        ],
        parent=0,
        kind="turn",
        axis=Z_AXIS,
        point=np.array([0, 0, 0.4]),
        home=shift(0, 0, 0.4),
        limits=(-2.5, 2.5),
        joint="Rotational:1",
    )
    arm = Body(
        [box("Arm", (0.46, 0.06, 0.08), (0.2, 0, 0), ALUMINIUM)],
        parent=1,
        kind="turn",
        axis=-Y_AXIS,
        point=np.array([0, 0.09, 0.1]),
        home=shift(0, 0.09, 0.1),
        limits=(-0.5, 1.5),
        joint="Rotational:2",
    )
    ram = Body(
        [box("Ram", (0.3, 0.03, 0.03), (0.15, 0, 0), STEEL)],
        parent=2,
        kind="slide",
        axis=X_AXIS,
        point=np.zeros(3),
        home=shift(0.2, 0, 0),
        limits=(0.0, 0.2),
        joint="Slider:1",
    )
    return Assembly([pillar, turret, arm, ram], name="Arm.iam")


def write(folder: Path) -> None:
    """The dump, left in a pose that is not the zero pose, and the meshes."""
    folder.mkdir(exist_ok=True)
    left_at = {"Rotational:1": 0.4, "Rotational:2": 0.3, "Slider:1": 0.05}
    write_meshes(sample(), folder)
    write_dump(dump_of(sample(), left_at, rng=np.random.default_rng(0)), folder, "Arm.inventor.json")


if __name__ == "__main__":
    write(FOLDER)
