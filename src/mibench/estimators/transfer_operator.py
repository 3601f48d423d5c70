"""Mutual information from how points, taken for a time series, move between the boxes of a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.estimators.base import Estimate, Estimator
from mibench.estimators.counts import cells, crowded, entropy, equal_widths, whole_bins
from mibench.identity import register
from mibench.types import Array, Indices

_STEPS = 200  # as many as TransferEntropy.jl takes
_SETTLED = 1e-12  # a measure that changes by less than this part of itself in a step is invariant
_MOVED = 0.05  # from this share of a measure on, that it has moved from the visiting frequency is spoken of


@register
@dataclass(frozen=True)
class TransferOperator(Estimator):
    """H(X) + H(Y) - H(X, Y) of the measures that the transfer operators of X, of Y and of (X, Y) leave invariant.

    D. Diego, K. A. Haaga and B. Hannisdal, "Transfer entropy computation using the Perron-Frobenius operator" (2019),
    in the way of TransferEntropy.jl 1.10 (Beyond Normal, Appendix E, "Hyperparameter Selection"). Each axis has `bins`
    of equal width between its smallest and largest value. The points are taken for a time series whose last point is
    followed by the first. The operator of a series moves p(i) to box j in proportion to how many points in box i are
    followed by one in box j; the departure of the last point that is in the first one's box is left out, as it is
    there, unless that box has no other. The measure is the visiting frequency after 200 steps of the operator, or when
    it no longer changes (there, a random measure after about as many). With every departure it would be the visiting
    frequency itself, and the estimate that of `Histogram`; on independent points it is near that, in any order.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=10_000, seed=0)
    >>> round(TransferOperator(bins=10).estimate(draws.x, draws.y).mi, 2)
    0.37
    """

    bins: int = 10

    def __post_init__(self) -> None:
        """Check the parameter."""
        checks.settle(self, bins=whole_bins(self.bins))

    def _estimate(self, x: Array, y: Array) -> Estimate:
        codes_x, codes_y, n = equal_widths(x, self.bins), equal_widths(y, self.bins), len(x)
        found, moved, alone, said = 0.0, 0.0, 0, list[str]()
        for sign, name, points, codes in (
            (1.0, "x", x, codes_x), (1.0, "y", y, codes_y), (-1.0, "", None, np.hstack([codes_x, codes_y]))
        ):  # fmt: skip
            place, visits = cells(codes, self.bins)
            said += crowded(name, points, place, visits) if points is not None else ()
            measure = _invariant(place, visits)
            found += sign * entropy(measure)
            moved = max(moved, 0.5 * float(np.abs(measure - visits / n).sum()))
            alone = int((visits == 1).sum())
        if 2 * alone > n:
            said.append(f"{alone} of {n} points are alone in their box, so the estimate says little; use fewer bins")
        if moved > _MOVED:
            said.append(f"leaving out one departure moves {moved:.0%} of a measure; use fewer bins")
        return Estimate(found, warnings=tuple(said), info={"moved": moved})


def _invariant(place: Indices, visits: Indices) -> Array:
    """The invariant measure of a series of boxes, each of which is visited so often."""
    following, departures = np.roll(place, -1), visits.astype(np.float64)
    last = int(np.flatnonzero(place == place[0])[-1])
    if last:  # the first point's box has another departure
        departures[place[0]] -= 1.0
        place, following = np.delete(place, last), np.delete(following, last)
    measure: Array = visits / visits.sum()
    for _ in range(_STEPS):
        before = measure
        moving = np.bincount(following, (before / departures)[place], minlength=visits.size)
        measure = np.asarray(moving, dtype=np.float64)
        if np.linalg.norm(measure - before) <= _SETTLED * np.linalg.norm(before):
            break
    return measure
