"""Joint values as a user types them: ``0,30,-90`` or ``elbow=30,wrist=-90``."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite

from mdh2urdf.errors import Finding, Mdh2UrdfError
from mdh2urdf.expression import Units
from mdh2urdf.robot import MOVING, Joint, Robot
from mdh2urdf.table import Table, TableJoint, kind_of


def read_pose(text: str, model: Table | Robot, *, degrees: bool = False, option: str = "--q") -> Mapping[str, float]:
    """Joint values by name, rad and m.

    Parameters
    ----------
    text : str
        Either one number for each moving joint, in the model's order, or some joints by name. In the table's
        units; a robot description has rad and m.
    model : Table or Robot
    degrees : bool
        Angles are in degrees whatever the model's unit is.
    option : str
        What messages call the text.

    Raises
    ------
    Mdh2UrdfError
        If a part is no number, a joint is unknown or given twice, or there are too few or too many.
    """
    units = model.units if isinstance(model, Table) else Units()
    units = Units(angle="deg" if degrees else units.angle, length=units.length)
    joints: dict[str, Joint | TableJoint] = {joint.name: joint for joint in model.joints if joint.type in MOVING}
    parts = [part.strip() for part in text.split(",")]
    named = [part.partition("=") for part in parts if "=" in part]
    if named and len(named) < len(parts):
        raise _error(option, "gives some joints by name and some by place; choose one")
    if named:
        pairs = [(name.strip(), value) for name, _, value in named]
    elif len(parts) == len(joints):
        pairs = list(zip(joints, parts, strict=True))
    else:
        raise _error(option, f"wants {len(joints)} values, one for each of {', '.join(joints)}; got {len(parts)}")
    known = ", ".join(joints)
    problems = [f"there is no moving joint {name!r}; there are {known}" for name, _ in pairs if name not in joints]
    names = [name for name, _ in pairs]
    problems += [f"gives joint {name!r} twice" for name in joints if names.count(name) > 1]
    problems += [f"wants numbers, got {value.strip()!r}" for _, value in pairs if not _is_number(value)]
    if problems:
        raise Mdh2UrdfError(Finding(path=option, message=problem) for problem in problems)
    return {name: units.to_si(kind_of(joints[name].type), float(value)) for name, value in pairs}


def _error(option: str, message: str) -> Mdh2UrdfError:
    return Mdh2UrdfError(Finding(path=option, message=message))


def _is_number(text: str) -> bool:
    try:
        return isfinite(float(text))
    except ValueError:
        return False
