"""Nonlinear least squares by Gauss and Newton, for fits in which some directions hardly show."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import numpy as np

from mdh2urdf.compare.twists import Array

State = TypeVar("State")

ROUNDS = 60
"""Steps of least squares at most; Gauss-Newton with halving needs about ten near a solution."""

HALVINGS = 12
"""How often a step is halved before the search is taken to have ended."""

LONGEST_STEP = 1.0
"""rad and reaches: what one step may turn or shift, so that it stays where its linear model means something."""

STILL = 1e-15
"""rad, reaches: residuals and steps below this are rounding errors."""

UNSEEN = 1e-9
"""Relative singular value below which a direction is taken not to change the residual."""


def least_squares(
    state: State,
    evaluate: Callable[[State], tuple[Array, Array]],
    moved: Callable[[State, Array], State],
    least_gain: float,
) -> tuple[State, float]:
    """The state near the given one where the residual is shortest, and its squared length there.

    Parameters
    ----------
    state : State
        Where to start.
    evaluate : callable
        The residual at a state, shape (m,), and its derivative by the steps, shape (m, k).
    moved : callable
        The state after a step, shape (k,); a step of 1 is a radian or a reach.
    least_gain : float
        Share of the squared residual that a step must be able to win for the fit to go on.
    """
    residual, jacobian = evaluate(state)
    square = float(residual @ residual)
    for _ in range(ROUNDS):
        step, gain = _step(residual, jacobian)
        if gain <= least_gain * square or square <= STILL**2:
            break
        for _ in range(HALVINGS):
            candidate = moved(state, step)
            residual_there, jacobian_there = evaluate(candidate)
            square_there = float(residual_there @ residual_there)
            if square_there < square:
                break
            step = step / 2
        else:
            break
        state, residual, jacobian, square = candidate, residual_there, jacobian_there, square_there
    return state, square


def _step(residual: Array, jacobian: Array) -> tuple[Array, float]:
    """The Gauss-Newton step, and what all of it could gain of the squared residual.

    Directions that hardly change the residual wait until they ask for a short step.
    """
    left, values, rows = np.linalg.svd(jacobian, full_matrices=False)
    seen = values > UNSEEN * values[0]
    along = left[:, seen].T @ residual
    amounts = -along / values[seen]
    short = np.cumsum(amounts**2) <= LONGEST_STEP**2
    gains = along**2
    if 2 * gains[short].sum() >= gains.sum():
        amounts[~short] = 0.0
    step: Array = amounts @ rows[seen]
    return step * min(1.0, LONGEST_STEP / max(STILL, float(np.linalg.norm(step)))), float(gains.sum())
