"""The inverse of an increasing function, found for each point on its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from mibench.errors import NotAvailable
from mibench.types import Array, Indices, Mask

# Takes values and the positions, among all points, of the points they belong to.
Increasing: TypeAlias = Callable[[Array, Indices], Array]

_STEPS = 500
_CLOSE = 2.0 * float(np.finfo(np.float64).eps)
_TINY = 1e-300


def solve_increasing(function: Increasing, target: Array, low: Array, high: Array) -> Array:
    """Where an increasing function takes given values, known to lie between `low` and `high`.

    By the bracketing method of T. R. Chandrupatla, "A new hybrid quadratic/bisection algorithm for finding the zero of
    a nonlinear function without using derivatives", Advances in Engineering Software 28 (1997): inverse quadratic
    interpolation where it is safe, bisection where it is not. A point is done when its own bracket is, so that its
    result does not depend on which other points it is solved with.

    >>> cube = lambda t, _: t**3
    >>> solve_increasing(cube, np.array([8.0, 27.0]), np.zeros(2), np.full(2, 10.0)).round(12)
    array([2., 3.])
    """
    goal = target.ravel()
    waiting: Indices = np.arange(goal.size)
    a: Array = low.ravel()
    b: Array = high.ravel()
    fa: Array = function(a, waiting) - goal
    fb: Array = function(b, waiting) - goal
    t: Array = np.full(goal.size, 0.5)
    out = np.where(fa >= 0.0, a, b)  # right where rounding puts the value at an end of the bracket
    inside = (fa < 0.0) & (fb > 0.0)
    waiting = waiting[inside]
    a, b, fa, fb, t = _kept(inside, a, b, fa, fb, t)
    for _ in range(_STEPS):
        x: Array = a + t * (b - a)
        fx: Array = function(x, waiting) - goal[waiting]
        same = _same_side(fx, fa)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best: Array = np.where(np.abs(fa) < np.abs(fb), a, b)
        least: Array = (_CLOSE * np.abs(best) + _TINY) / np.abs(b - a)
        done: Mask = (least > 0.5) | (fa == 0.0)
        out[waiting[done]] = best[done]
        if done.all():
            return out.reshape(target.shape)
        waiting = waiting[~done]
        a, b, c, fa, fb, fc, least = _kept(~done, a, b, c, fa, fb, fc, least)
        t = np.clip(_next(a, b, c, fa, fb, fc), least, 1.0 - least)
    raise NotAvailable(f"an inverse was not found in {_STEPS} steps; choose less extreme parameters")


def _same_side(f: Array, g: Array) -> Mask:
    return np.equal(f < 0.0, g < 0.0)


def _kept(keep: Mask, *values: Array) -> tuple[Array, ...]:
    return tuple(v[keep] for v in values)


def _next(a: Array, b: Array, c: Array, fa: Array, fb: Array, fc: Array) -> Array:
    """How far from a to b to look next."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        safe = (phi * phi < xi) & ((1.0 - phi) * (1.0 - phi) < 1.0 - xi) & np.isfinite(t)
    return np.where(safe, t, 0.5)
