"""The inverse of an increasing function, found for each point on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from mibench.types import Array, Indices

# Takes values and the positions, among all points, of the points they belong to; gives the function and its slope.
Increasing: TypeAlias = Callable[[Array, Indices], tuple[Array, Array]]

_STEPS = 200
_CLOSE = 2.0 * float(np.finfo(np.float64).eps)
_NEAR = 1e-8


def solve_increasing(function: Increasing, target: Array, low: Array, high: Array) -> Array:
    """Where an increasing function takes given values, known to lie between `low` and `high`.

    Newton's method inside a bracket that shrinks, halved where Newton leaves it. A point stops when its own step is
    below rounding, or small and no longer shrinking because the function's rounding makes it, so that its result does
    not depend on which other points it is solved with.

    >>> cube = lambda t, _: (t**3, 3 * t**2)
    >>> solve_increasing(cube, np.array([8.0, 27.0]), np.zeros(2), np.full(2, 10.0))
    array([2., 3.])
    """
    goal, left, right = target.ravel(), low.ravel().copy(), high.ravel().copy()
    t = 0.5 * (left + right)
    last = np.full(t.size, np.inf)
    waiting: Indices = np.arange(t.size)
    for _ in range(_STEPS):
        here = t[waiting]
        value, slope = function(here, waiting)
        miss = value - goal[waiting]
        left[waiting] = a = np.where(miss <= 0.0, here, left[waiting])
        right[waiting] = b = np.where(miss >= 0.0, here, right[waiting])
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            newton = here - miss / slope
        after = np.where((newton >= a) & (newton <= b), newton, 0.5 * (a + b))
        t[waiting] = after
        step = np.abs(after - here)
        settled = (step <= _CLOSE * np.abs(after)) | (miss == 0.0)
        settled |= (step <= _NEAR * (1.0 + np.abs(after))) & (step >= 0.25 * last[waiting])
        last[waiting] = step
        waiting = waiting[~settled]
        if not waiting.size:
            break
    return t.reshape(target.shape)
