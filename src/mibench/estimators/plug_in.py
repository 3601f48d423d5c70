"""Mutual information of discrete variables, from how often each pair of values occurs."""

from __future__ import annotations

from dataclasses import dataclass

from mibench import checks
from mibench.estimators.base import Estimate, Estimator
from mibench.estimators.counts import distinct_rows, joint_counts, plug_in
from mibench.identity import register
from mibench.types import Array


@register
@dataclass(frozen=True)
class PlugIn(Estimator):
    """MI of the empirical distribution of discrete variables: each distinct row is a value of its own.

    `miller_madow` corrects each entropy for its number of values: G. A. Miller, "Note on the bias of information
    estimates" (1955). On continuous variables it gives log n, and says so.

    >>> round(PlugIn().estimate([0, 0, 1, 1], [5, 5, 7, 7]).mi, 4)
    0.6931
    """

    miller_madow: bool = False

    def __post_init__(self) -> None:
        """Check the parameter."""
        checks.settle(self, miller_madow=checks.flag("miller_madow", self.miller_madow))

    def _estimate(self, x: Array, y: Array) -> Estimate:
        (place_x, counts_x), (place_y, counts_y) = (distinct_rows(v) for v in (x, y))
        counts_xy = joint_counts(place_x, place_y)
        alone = int((counts_xy == 1).sum())
        said = f"{alone} of {len(x)} pairs of values occur once; for continuous variables use another estimator"
        found = plug_in(counts_x, counts_y, counts_xy, self.miller_madow)
        return Estimate(found, warnings=(said,) if 2 * alone > len(x) else (), info={"values": counts_xy.size})
