"""Which occurrences moved together: one label per sample, and the link that a loose part rides on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from mdh2urdf.inventor.dump import Dump, Occurrence
from mdh2urdf.inventor.motion import STILL_ANGLE
from mdh2urdf.inventor.poses import Array, difference, inverse

Labels = NDArray[np.int64]

UNKNOWN = -1
"""Label of an occurrence whose pose a sample does not hold."""

SAME_LENGTH = 1e-4
"""m: parts of one link may differ by this in a sample; ten times the noise that is allowed, a hundredth of a probe."""

SAME_ANGLE = 1e-3
"""rad: the same for rotations; a probe turns by 0.1 rad."""

STEP_SHARE = 0.1
"""Share of a small probe's step to which the two tolerances shrink."""

TOUCHING = 1e-3
"""m: boxes with a smaller gap touch; covers are mounted with a play."""


def motion_labels(dump: Dump, jointed: Sequence[int]) -> Labels:
    """Labels of all occurrences in all samples, shape (samples, n): equal where they moved together.

    0 is a part that stood still. A part that moved as none of the ``jointed`` ones did has a label of its own.
    """
    rows = []
    for joint in dump.joints:
        for probe in (joint.probe, joint.coupled_probe):
            if probe is not None and probe.moved:
                for i in range(1, len(probe.values)):
                    step = abs(float(probe.values[i] - probe.values[0]))
                    rows.append(_labels(probe.poses[0], probe.poses[i], jointed, step))
    start = np.array([occurrence.pose for occurrence in dump.occurrences])
    rows += [_labels(start, verification.poses, jointed, 1.0) for verification in dump.verify]
    return np.array(rows, dtype=np.int64).reshape(-1, len(dump.occurrences))


def _labels(before: Array, after: Array, jointed: Sequence[int], step: float) -> Labels:
    """Labels of one sample, shape (n,)."""
    known = ~(np.isnan(before[:, 0, 0]) | np.isnan(after[:, 0, 0]))
    labels = np.where(known, -2 - np.arange(len(before)), UNKNOWN)
    scale = min(1.0, STEP_SHARE * step / SAME_ANGLE) if step > 0.0 else 1.0
    labels[_alike(before, after, np.eye(4), None, scale) & known] = 0
    for i in jointed:
        if labels[i] < UNKNOWN:
            together = _alike(before, after, after[i] @ inverse(before[i]), before[i, :3, 3], scale)
            labels[together & (labels < UNKNOWN)] = i + 1
    return labels


def _alike(before: Array, after: Array, displacement: Array, center: Array | None, scale: float) -> NDArray[np.bool_]:
    """Which poses went from before to after by a displacement of the assembly frame."""
    distance, angle = difference(np.matmul(displacement, before), after)
    allowed = np.full(len(before), SAME_LENGTH * scale)
    if center is not None:
        allowed += STILL_ANGLE * np.linalg.norm(before[:, :3, 3] - center, axis=-1)
    return np.asarray((distance <= allowed) & (angle <= SAME_ANGLE * scale))


def companions(labels: Labels, part: int, links: NDArray[np.int64]) -> NDArray[np.int64]:
    """Those of the links that moved as the part did in every sample that holds both; at least one must."""
    own, others = labels[:, part : part + 1], labels[:, links]
    both = (own != UNKNOWN) & (others != UNKNOWN)
    return np.asarray(links[(both.any(axis=0)) & ((own == others) | ~both).all(axis=0)])


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """Range boxes in their places at export: half sizes and poses of their centres; NaN where unknown."""

    half: Array
    pose: Array

    @classmethod
    def of(cls, occurrences: Sequence[Occurrence]) -> Boxes:
        """Boxes of all occurrences."""
        half = np.full((len(occurrences), 3), np.nan)
        pose = np.array([occurrence.pose for occurrence in occurrences])
        for i, occurrence in enumerate(occurrences):
            if occurrence.box is not None:
                half[i] = 0.5 * (occurrence.box.high - occurrence.box.low)
                center = 0.5 * (occurrence.box.high + occurrence.box.low)
                pose[i, :3, 3] += pose[i, :3, :3] @ center
        return cls(half, pose)

    def gaps(self, part: int, others: NDArray[np.int64]) -> Array:
        """Gap in m between a part's box and others', shape (k,): 0 where they overlap, NaN where one is unknown.

        The larger of the gaps seen along the axes of either box: never more than the true one.
        """
        relative = np.matmul(inverse(self.pose[part]), self.pose[others])
        spread = np.abs(relative[:, :3, :3])
        here = np.abs(relative[:, :3, 3]) - self.half[part] - np.einsum("kij,kj->ki", spread, self.half[others])
        back = np.einsum("kji,kj->ki", relative[:, :3, :3], relative[:, :3, 3])
        there = np.abs(back) - self.half[others] - np.einsum("kji,j->ki", spread, self.half[part])
        return np.asarray(np.maximum(0.0, np.maximum(here, there).max(axis=1)))


def carrier(dump: Dump, labels: Labels, boxes: Boxes, part: int, links: NDArray[np.int64]) -> int | None:
    """The link (head occurrence) on which a loose part rides, None if there is none that is near.

    Of several links that moved alike the nearest: by the gap between the boxes, then by the distance of
    the origins, then the first. A part that never moved and touches a link that did, but none that
    stood still with it, rides on nothing.

    Parameters
    ----------
    links : array of int
        Occurrences of the links, nearest to the ground first.
    """
    found = companions(labels, part, links)
    if not found.size:
        return None
    gaps = boxes.gaps(part, found)
    if (labels[:, part] <= 0).all():
        others = np.setdiff1d(links, found)
        touching = boxes.gaps(part, others) <= TOUCHING
        if touching.any() and not (np.isnan(gaps) | (gaps <= TOUCHING)).any():
            return None
    origins = np.array([dump.occurrences[i].pose[:3, 3] for i in found])
    distance = np.linalg.norm(origins - dump.occurrences[part].pose[:3, 3], axis=1)
    order = np.lexsort((np.arange(len(found)), np.round(distance, 6), np.round(np.nan_to_num(gaps, nan=np.inf), 6)))
    return int(found[order[0]])
