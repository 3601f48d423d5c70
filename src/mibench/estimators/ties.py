"""Values that are equal or on a grid, where an estimator is for continuous ones: noticing them, telling them apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mibench.estimators.base import Points, some_columns
from mibench.neighbours.scale import exponent
from mibench.types import Array, Indices, Mask

ADVICE = "use MixedKSG(), or jitter=1e-6"
_FEW = 0.5  # below this share of distinct values, a column has many equal ones
_SOME = 0.9
_TOLD = 0.01  # nats of bias from which on ties are spoken of


def equal_values(points: Points, advice: str) -> tuple[str, ...]:
    """What there is to say of columns with many equal values."""
    return tuple(
        f"{where}, and the estimator is for continuous variables; {advice}" for where in _equal(points, _FEW, "many ")
    )


def ties(points: Points, tied: Mask, apart: Mask, ks: Sequence[int], factor: float) -> tuple[str, ...]:
    """What there is to say of points whose k-th neighbour is `tied`, as far away as another, for each k.

    On a grid, the share of these points over k is in proportion to how wide the grid is beside the distance of the
    neighbours, and so to the bias, which is about `factor` times that share over k: measured on normal variables of two
    to six dimensions, rounded to grids of many widths. Where the grid is coarse the bias is greater.
    """
    n, together = len(points.x), int((~apart).any(axis=1).sum())
    biases = factor * tied.mean(axis=0) / np.array(ks)
    worst = int(np.abs(biases).argmax())
    if abs(biases[worst]) > _TOLD:
        where = " and ".join(_equal(points, _SOME, "")) or "values lie on a grid, as ranks do, or rows are repeated"
        off = f"too {'high' if factor > 0 else 'low'} by about {abs(biases[worst]):.2g} nats or more"
        which = (
            f"{int(tied[:, worst].sum())} of {n} points have tied neighbours, at exactly one distance (k = {ks[worst]})"
        )
        return (f"{which}, so that the estimate is {off}: {where}; {ADVICE}",)
    said = f"{together} of {n} points have their neighbours in the same place; look for repeated rows"
    return (said,) if together else ()


def _equal(points: Points, share: float, amount: str) -> list[str]:
    """For each side, which of its columns have less than this share of distinct values."""
    found: list[str] = []
    for name, values, labels in (("x", points.x, points.labels_x), ("y", points.y, points.labels_y)):
        ordered = np.sort(values, axis=0)
        distinct = 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
        which: Indices = np.flatnonzero(distinct < share * len(values))
        if which.size:
            found.append(f"{name} has {amount}equal values {some_columns(labels, which)}")
    return found


def jittered(x: Array, y: Array, jitter: float, seed: int) -> tuple[Array, Array]:
    """Both times one power of two, centred, with normal noise of `jitter` times each column's standard deviation.

    Each column has noise of its own, so that X and X are told apart as well. It is the same whichever of the two is
    called x. Scaled and centred first, no value can overflow, and none is so great that the noise is lost in rounding.
    """
    power, left, right = exponent(x, y), _standard(x), _standard(y)
    x_first = _is_first((left.columns, x), (right.columns, y))
    offset_x, offset_y = (0, x.shape[1]) if x_first else (y.shape[1], 0)
    return left.noisy(jitter, seed, offset_x, power), right.noisy(jitter, seed, offset_y, power)


class _Standard(NamedTuple):
    """Columns with a middle value of 0 and a standard deviation of 1, and what they were: times 2^exponents."""

    columns: Array
    deviations: Array
    exponents: Indices

    def noisy(self, jitter: float, seed: int, stream: int, power: int) -> Array:
        """The columns as they were but centred and over 2^power, with noise, each from a stream of its own."""
        n, dim = self.columns.shape
        noise: list[Array] = [np.random.default_rng((seed, stream + j)).standard_normal(n) for j in range(dim)]
        return np.ldexp(self.deviations * (self.columns + jitter * np.stack(noise, axis=1)), self.exponents - power)


def _standard(points: Array) -> _Standard:
    """In steps that lose nothing of a whole number on an offset: an offset makes no difference to what comes out."""
    exponents = np.array([exponent(column) for column in points.T])
    near = np.ldexp(points, -exponents)
    middle = len(near) // 2
    near -= np.partition(near, middle, axis=0)[middle]
    deviations = near.std(axis=0)
    return _Standard(near / deviations, deviations, exponents)


def _is_first(left: tuple[Array, Array], right: tuple[Array, Array]) -> bool:
    """Whether a side comes first, in an order that does not depend on which is called x: fewer columns, lesser values.

    Sides that do not differ in their first form are compared in their second.
    """
    for a, b in zip(left, right, strict=True):
        if a.shape != b.shape:
            return a.shape[1] < b.shape[1]
        differ = np.flatnonzero((a != b).ravel())
        if differ.size:
            return bool(a.ravel()[differ[0]] < b.ravel()[differ[0]])
    return True
