"""Arms of 6 to 5,000 joints, against xacro expanding the macro that people copy."""

from __future__ import annotations

import statistics

import pytest
from inputs import table_text, xacro_text
from races import Rival

SIZES = {6: 9, 100: 7, 1000: 5, 5000: 3}
"""Joints, and how often each size is raced."""

FASTER_THAN_XACRO = 1 / 10
"""Of xacro's time at 5,000 joints."""

LINEAR = 1.25
"""By how much the cost of a joint may grow from 1,000 to 5,000 joints."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("arms")
    for size in SIZES:
        (folder / f"{size}.yaml").write_text(table_text(size))
        (folder / f"{size}.xacro").write_text(xacro_text(size))
    return folder


@pytest.mark.parametrize("form", ["urdf", "xacro"])
@pytest.mark.parametrize("size", SIZES)
def test_arms(race, installed, folder, size, form):
    most = FASTER_THAN_XACRO if (size, form) == (5000, "urdf") else None
    race(
        installed.command("mdh2urdf", folder / f"{size}.yaml", "--format", form),
        {"xacro": Rival(installed.command("xacro", folder / f"{size}.xacro"), most=most)},
        rounds=SIZES[size],
        what=f"{size:,} joints to {form}",
    )


@pytest.mark.parametrize("form", ["urdf", "xacro"])
def test_time_and_memory_are_linear_in_joints(benchmark, installed, folder, form):
    commands = {size: installed.command("mdh2urdf", folder / f"{size}.yaml", "--format", form) for size in SIZES}

    def others():
        for size in (6, 1000):
            commands[size]()

    benchmark.pedantic(commands[5000], setup=others, rounds=5, warmup_rounds=1)
    growth = {}
    for kind in ("seconds", "memory"):
        small, middle, large = (statistics.median(getattr(commands[size], kind)) for size in (6, 1000, 5000))
        growth[kind] = (large - small) / (middle - small) / (4994 / 994)
    benchmark.extra_info.update(
        what=f"cost of a joint at 5,000 against 1,000 joints, to {form}",
        rows=[
            {"against": f"{kind} at 1,000", "ratio": ratio, "middle": None, "clock": None, "most": LINEAR}
            for kind, ratio in growth.items()
        ],
        memory=f"{statistics.median(commands[5000].memory) / statistics.median(commands[6].memory):.1f}",
    )
    assert max(growth.values()) <= LINEAR


def test_memory(benchmark, installed, folder):
    ours = {size: installed.command("mdh2urdf", folder / f"{size}.yaml") for size in SIZES}
    xacro = {size: installed.command("xacro", folder / f"{size}.xacro") for size in SIZES}

    def all_of_them():
        for size in SIZES:
            ours[size]()
            xacro[size]()

    benchmark.pedantic(all_of_them, rounds=1)
    rows = [
        {
            "against": f"xacro at {size:,} joints",
            "ratio": ours[size].memory[0] / xacro[size].memory[0],
            "middle": None,
            "clock": None,
            "most": None,
        }
        for size in SIZES
    ]
    benchmark.extra_info.update(what="peak memory of `mdh2urdf`", rows=rows)
