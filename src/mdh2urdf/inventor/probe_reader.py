"""Probes and poses of the dump: samples with the poses of the occurrences, in their order."""

from __future__ import annotations

import json

import numpy as np

from mdh2urdf.inventor.dump import Probe, Quantity
from mdh2urdf.inventor.fields import CM, Fields, poses_of, shown
from mdh2urdf.inventor.poses import Array

PROBE_STATUS = ("moved", "no_motion", "locked", "failed", "skipped")


def read_probe(get: Fields, name: str, ends: tuple[int | None, int | None], index: dict[str, int]) -> Probe | None:
    """A probe of a joint, None where there is none; a moved one needs two samples and values that differ."""
    part = get.fields(name)
    if part is None:
        return None
    status = part.choice("status", PROBE_STATUS, required=True)
    moved = status == "moved"
    kind = part.choice("quantity", ("angular", "linear"), "angular", required=moved)
    quantity: Quantity = "linear" if kind == "linear" else "angular"
    suppressed = part.flag("others_suppressed")
    values: list[float] = []
    poses: list[Array] = []
    for path, item in part.items("samples"):
        sample = Fields(item, path, get.problems)
        value = sample.number("value", required=True, power=CM if quantity == "linear" else 0)
        values.append(0.0 if value is None else value)
        poses.append(read_transforms(sample, index, [end for end in ends if end is not None]))
        sample.end()
    part.end()
    if moved and len(values) < 2 and not get.problems.errors:
        get.problems.error(part.at("samples"), f"a probe that moved has at least two samples, not {len(values)}")
    elif moved and len(set(values)) == 1 and not get.problems.errors:
        get.problems.error(part.at("samples"), f"the value is {values[0]:g} in every sample: nothing was driven")
    stack = np.array(poses).reshape(len(poses), _count(index), 4, 4)
    return Probe(status=status, quantity=quantity, others_suppressed=suppressed, values=np.array(values), poses=stack)


def _count(index: dict[str, int]) -> int:
    """Number of occurrences; names that stand twice have one place."""
    return max(index.values(), default=-1) + 1


def read_transforms(sample: Fields, index: dict[str, int], needed: list[int]) -> Array:
    """Poses of one sample in the order of the occurrences, shape (n, 4, 4); NaN where the sample has none."""
    data = sample.raw("transforms", required=True)
    path = sample.at("transforms")
    stack = np.full((_count(index), 4, 4), np.nan)
    if data is None:
        return stack
    if not isinstance(data, dict):
        sample.problems.error(path, f"must be an object, not {shown(data)}")
        return stack
    names = list(data)
    for name in names:
        if name not in index:
            sample.problems.error(f"{path}[{json.dumps(name, ensure_ascii=False)}]", "is no listed occurrence")
    if sample.problems.errors:
        names = [name for name in names if name in index]
    places = [index[name] for name in names]
    for i in set(needed).difference(places):
        name = next(key for key, value in index.items() if value == i)
        sample.problems.error(path, f"has no pose of {name!r}, which the joint moves")
    if names:
        stack[places] = poses_of(
            [data[name] for name in names],
            lambda: [f"{path}[{json.dumps(name, ensure_ascii=False)}]" for name in names],
            sample.problems,
        )
    return stack
