"""Two real UR5 calibrations from public driver issues, and the arm as designed; standard DH, rad and m."""

from __future__ import annotations

import math

import numpy as np

from mdh2urdf.table import StandardRow, Table, TableJoint


def standard_table(name, theta, d, a, alpha):
    """A table of continuous joints from the four columns."""
    links = ["base_link", *(f"link{i}" for i in range(1, len(a) + 1))]
    return Table(
        name=name,
        joints=tuple(
            TableJoint(
                name=f"joint{i + 1}",
                link=links[i + 1],
                parent=links[i],
                type="continuous",
                row=StandardRow(theta=theta[i], d=d[i], a=a[i], alpha=alpha[i]),
            )
            for i in range(len(a))
        ),
    )


NOMINAL_COLUMNS = {
    "theta": [0.0] * 6,
    "d": [0.089159, 0.0, 0.0, 0.10915, 0.09465, 0.0823],
    "a": [0.0, -0.425, -0.39225, 0.0, 0.0, 0.0],
    "alpha": [math.pi / 2, 0.0, 0.0, math.pi / 2, -math.pi / 2, 0.0],
}
NOMINAL = standard_table("ur5", **NOMINAL_COLUMNS)

# Driver issue 457: a full log; the user thought that 574 m was broken.
FAR = standard_table(
    "ur5_574_metres",
    theta=[
        -9.62699668632896e-06,
        -1.43707039992005,
        2.02543119975016,
        -0.588254688694989,
        4.13647390228702e-05,
        8.1737464953645e-06,
    ],
    d=[
        0.0888794492754001,
        574.241384579456,
        -507.363402098168,
        -66.7676839353205,
        0.0949734691141216,
        0.0825625014554953,
    ],
    a=[0.000279332356195598, -0.0566854832098269, -0.32646702272051, 1.49388687216263e-05, 2.23692592990586e-07, 0.0],
    alpha=[1.57033858830411, -0.000733893428160216, 0.00325607356326439, 1.57040005185553, -1.57101000328584, 0.0],
)

# Driver issue 179: deltas that are added to the nominal rows.
DELTAS = {
    "theta": [
        2.0775097865350593e-05,
        0.9682157155556584,
        -1.8568538501487766,
        0.8886479014503766,
        5.661068148877675e-05,
        -7.463107640964551e-05,
    ],
    "a": [
        0.00039362104998438304,
        0.18409330039745184,
        0.14493953300732923,
        -6.432974036423044e-05,
        7.767090400840773e-06,
        0.0,
    ],
    "d": [
        4.002630977602284e-05,
        278.2441449256236,
        -183.69551391491373,
        -94.54715136697513,
        0.0003047826817755561,
        0.00012373794138746674,
    ],
    "alpha": [
        -0.0002716249442165086,
        0.0012585650545612426,
        -0.003220520706971465,
        0.0006515301653038374,
        -0.0005870046572111765,
        0.0,
    ],
}
DELTA = standard_table(
    "ur5_278_metres",
    **{
        key: [n + x for n, x in zip(NOMINAL_COLUMNS[key], DELTAS[key], strict=True)]
        for key in ("theta", "d", "a", "alpha")
    },
)

BENT = [0.3, -1.2, 1.4, -0.5, 0.7, 2.0]

# Strict DH, worked out apart from this project, 12 decimals.
POSES = {
    "ur5_278_metres": [
        (
            [0.0] * 6,
            [
                [0.999993870090, 0.000060820195, 0.003500868966, -0.816304610681],
                [0.003500772188, 0.001524443356, -0.999992710307, -0.194275535427],
                [-0.000066156628, 0.999998836186, 0.001524221094, -0.005464585709],
            ],
        ),
        (
            BENT,
            [
                [-0.113390186614, -0.925872227600, -0.360420981269, -0.537569330408],
                [0.246806832960, 0.325141496826, -0.912890680337, -0.348732687899],
                [0.962407945096, -0.192467205520, 0.191643737218, 0.332688750536],
            ],
        ),
    ],
    "ur5_574_metres": [
        (
            [0.0] * 6,
            [
                [0.999996910160, -0.000111454593, 0.002483394612, -0.816867105328],
                [0.002483219660, -0.001543317166, -0.999995725887, -0.193479936118],
                [0.000115286783, 0.999998802874, -0.001543035631, -0.006512734375],
            ],
        ),
        (
            BENT,
            [
                [-0.113110815717, -0.926350703320, -0.359277494183, -0.537842843329],
                [0.243585731886, 0.324709400346, -0.913909074552, -0.348454792445],
                [0.963261093676, -0.190887872285, 0.188917668907, 0.331781654879],
            ],
        ),
    ],
}


def pose_error(pose, wanted) -> float:
    """Largest difference of an entry of two 3x4 matrices."""
    return float(np.abs(np.array(pose)[:3] - np.array(wanted)).max())
