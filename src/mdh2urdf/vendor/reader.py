"""Files in which makers of arms hand out kinematics, told apart by their keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.robot import Robot
from mdh2urdf.table import Table
from mdh2urdf.vendor.kinematics import read_kinematics
from mdh2urdf.vendor.opw import read_opw
from mdh2urdf.vendor.ur import read_calibration, read_dh_log

Reading = tuple[Table | Robot, list[Finding], Mapping[str, str]]
"""A model, what was noticed, and the entries that are kept byte for byte, by their path in the file."""

_KEYS: Mapping[str, re.Pattern[str]] = {
    "calibration": re.compile(r"^[ \t]*delta_(theta|a|d|alpha)[ \t]*=", re.MULTILINE),
    "dh log": re.compile(r"^[^#\n]*\bdh_(theta|a|d|alpha)[ \t]*[:=][ \t]*\[", re.MULTILINE),
    "opw": re.compile(r"^opw_kinematics_\w+[ \t]*:", re.MULTILINE),
    "kinematics": re.compile(r"^(['\"]?)kinematics\1[ \t]*:|^[\w-]+[ \t]*:\s*(\{\s*)?kinematic[ \t]*:", re.MULTILINE),
}


def is_vendor_file(text: str) -> bool:
    """Whether a text has the keys of a vendor file."""
    return _form(text) is not None


def _form(text: str) -> str | None:
    return next((form for form, keys in _KEYS.items() if keys.search(text)), None)


def read_vendor(text: str, *, file: str = "", nominal: Table | None = None) -> Reading:
    """The model that a vendor file holds: a table, or the robot of its joint origins.

    Parameters
    ----------
    text : str
    file : str
        Its name, for messages and as the robot's name.
    nominal : Table, optional
        The arm as designed. Calibration deltas are added to its rows; a complete table of a calibration takes
        its names and limits.

    Returns
    -------
    model : Table or Robot
    findings : list of Finding
    metadata : mapping of str to str
        Entries of a kinematics file that are no joints (``hash``), byte for byte, by their path.

    Raises
    ------
    Mdh2UrdfError
        With everything that is wrong in the file, each with its line and column.
    """
    name = PurePath(file).stem if file not in ("", "-") else "robot"
    readers: Mapping[str, Callable[[], Reading]] = {
        "calibration": lambda: (*read_calibration(text, file=file, nominal=nominal), {}),
        "dh log": lambda: (*read_dh_log(text, file=file, name=name, nominal=nominal), {}),
        "opw": lambda: (*read_opw(text, file=file, name=name), {}),
        "kinematics": lambda: read_kinematics(text, file=file, name=name),
    }
    form = _form(text)
    if form is None:
        message = (
            "is no vendor file that is known: delta_theta, delta_a, delta_d, delta_alpha (calibration.conf), "
            "dh_theta, dh_a, dh_d, dh_alpha (calibration log), kinematics: or joint1: {kinematic: ...} "
            "(joint origins), opw_kinematics_geometric_parameters:"
        )
        raise Mdh2UrdfError(Finding(file=file, message=message))
    return readers[form]()
