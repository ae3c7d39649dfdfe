"""What the command line may ask of the conversion of an Inventor dump."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from mdh2urdf.collisions import Collision

Unsupported = Literal["error", "drop", "revolute", "fixed", "split"]
Loose = Literal["error", "weld", "drop"]
Frames = Literal["axis", "dh"]
Format = Literal["urdf", "mjcf", "sdf"]
Visual = Literal["stl", "glb"]
Up = Literal["z", "y"]

REPLAY_TOLERANCE = 1e-6
"""m and rad: a thousandth of a millimetre; a noise-free dump replays a thousand times better."""


@dataclass(frozen=True, kw_only=True, slots=True)
class JointDefaults:
    """Effort (N m; sliders N) and velocity (rad/s; sliders m/s) of joints that the settings leave open."""

    effort: float | None = None
    velocity: float | None = None
    slider_effort: float | None = None
    slider_velocity: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MimicOrder:
    """``CHILD=JOINT*K+C``: joint names of the CAD or of the URDF; C in rad or m.

    ``text`` is what stood for ``JOINT*K+C``: ``Axis-1`` may be a name.
    """

    child: str
    joint: str
    multiplier: float = 1.0
    offset: float = 0.0
    text: str = field(default="", compare=False)

    def among(self, names: Collection[str]) -> MimicOrder:
        """The order as it is meant where there are joints of these names: a whole name goes before a sum."""
        return replace(self, joint=self.text, multiplier=1.0, offset=0.0) if self.text in names else self


@dataclass(frozen=True, kw_only=True, slots=True)
class InventorOptions:
    """The options of ``mdh2urdf inventor``; None where the settings file or the default decides.

    Parameters
    ----------
    output : Path, optional
        Where the URDF will be written: mesh paths are relative to its folder (without it, to the dump's).
    meshes : Path, optional
        Folder of the STL files; the dump's own folder without it.
    package : str
        Name of the ROS package for ``package://`` mesh paths.
    settings : Path, optional
        Settings file; ``robot.yaml`` beside the dump without it.
    drop, mimic
        Joints to leave out, and couplings ordered by hand.
    tolerance : float
        m and rad, of the replay.
    for_fit : bool
        Only the kinematics: no meshes, no mass checks, no effort or velocity needed, no ``base_link``.
    """

    output: Path | None = None
    meshes: Path | None = None
    package: str = ""
    settings: Path | None = None
    root: str = ""
    weld_grounded: bool = False
    drop: tuple[str, ...] = ()
    mimic: tuple[MimicOrder, ...] = ()
    unsupported: Unsupported = "error"
    joint_defaults: JointDefaults = field(default_factory=JointDefaults)
    loose: Loose = "error"
    name: str = ""
    prefix: str = ""
    frames: Frames = "axis"
    keep_fixed: bool = False
    base_link: bool = True
    up: Up | None = None
    collision: Collision = "mesh"
    max_faces: int | None = None
    visual: Visual = "stl"
    format: Format = "urdf"
    rename: Path | None = None
    merge_fixed: bool = False
    tolerance: float = REPLAY_TOLERANCE
    for_fit: bool = False
