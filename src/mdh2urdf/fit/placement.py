"""What frames are placed by, and what placing them has given."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from mdh2urdf.fit.common_normal import Rules, Step
from mdh2urdf.fit.guide import Guides
from mdh2urdf.noise import NOISE_ANGLE, NOISE_LENGTH
from mdh2urdf.robot import Joint
from mdh2urdf.screws import Skeleton, Tip
from mdh2urdf.se3 import IDENTITY, Transform
from mdh2urdf.table import ModifiedRow


@dataclass(frozen=True, kw_only=True, slots=True)
class Placed:
    """The frame of a body or tip, and the row that leads to it.

    Parameters
    ----------
    joint : Joint
    row : ModifiedRow
        Constants before the axis, theta and d.
    direction : int
    frame : Transform
        Pose of the frame behind the row in the link's frame; z is the joint's axis.
    step : Step or None
        From the axis before; None for the first row.
    onward : Step or None
        To the axis that x follows; None at an end.
    free : tuple of str
        Fields of the row that could have been anything.
    """

    joint: Joint
    row: ModifiedRow
    direction: int = 1
    frame: Transform = IDENTITY
    step: Step | None = None
    onward: Step | None = None
    free: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """Frame 0 in the base link, the frames of all bodies but the base, and of the tips of a tree with their bodies."""

    base: Transform
    bodies: tuple[Placed, ...]
    tips: tuple[tuple[int, Tip, Placed], ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What is decided before frames are placed.

    Parameters
    ----------
    bones : Skeleton
    rules : Rules
        Of all steps but those to joints that have their own.
    own_rules : mapping of str to Rules
        By joint.
    children : tuple of tuple of int
        Bodies that hang on each body.
    mains : tuple of int or None
        The child that x of each body follows.
    wishes : Guides
        Of the table given by ``--like``, if any.
    directions : mapping of str to int
        By joint; without a given table z is the joint's positive axis.
    """

    bones: Skeleton
    rules: Rules
    own_rules: Mapping[str, Rules]
    children: tuple[tuple[int, ...], ...]
    mains: tuple[int | None, ...]
    wishes: Guides
    directions: Mapping[str, int] = field(default_factory=dict)

    @property
    def first(self) -> int:
        """The body whose axis frame 0 serves."""
        main = self.mains[0]
        return self.children[0][0] if main is None else main


def plan(bones: Skeleton, rules: Rules, wishes: Guides, exact: AbstractSet[str] = frozenset()) -> Plan:
    """The plan for a skeleton, its directions open.

    Parameters
    ----------
    bones : Skeleton
    rules : Rules
        Of all steps; but none has beta where a given table's row has none.
    wishes : Guides
    exact : set of str
        Joints before which nothing above the reader's noise counts as parallel or touching.
    """
    children: list[list[int]] = [[] for _ in bones.bodies]
    moving = [1] * len(bones.bodies)
    for index in range(len(bones.bodies) - 1, 0, -1):
        parent = bones.bodies[index].parent
        children[parent].append(index)
        moving[parent] += moving[index]
    own_rules: dict[str, Rules] = {}
    for name, guide in wishes.rows.items():
        own_rules[name] = rules if guide.row.beta_prev else replace(rules, beta_below=0.0)
    for name in exact:
        own_rules[name] = replace(own_rules.get(name, rules), parallel=NOISE_ANGLE, touching=NOISE_LENGTH)
    in_order = tuple(tuple(reversed(below)) for below in children)
    return Plan(
        bones=bones,
        rules=rules,
        own_rules=own_rules,
        children=in_order,
        mains=tuple(_main(bones, below, moving, wishes) for below in in_order),
        wishes=wishes,
    )


def _main(bones: Skeleton, children: tuple[int, ...], moving: list[int], wishes: Guides) -> int | None:
    """The child with most moving joints below it; where a table has rows, one without gamma and b."""
    straight = []
    for child in children:
        guide = wishes.rows.get(bones.joint(child).name)
        if guide is None or guide.row.gamma == guide.row.b == 0.0:
            straight.append(child)
    return max(straight, key=lambda child: moving[child], default=None)
