"""Mutual information where variables are discrete, continuous, or now the one and now the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from mibench import checks
from mibench.errors import EstimateFailed, ParameterError
from mibench.estimators.base import Estimate, ThreadedEstimator
from mibench.estimators.counts import distinct_rows
from mibench.estimators.digamma import digamma
from mibench.estimators.ksg import NeighbourEstimator
from mibench.identity import register
from mibench.neighbours import METRICS
from mibench.types import Array, Indices

if TYPE_CHECKING:
    from mibench.neighbours.search import Counts

_SIDES = ("auto", "x", "y")
_MOST_NEIGHBOURS = 1000


@register
@dataclass(frozen=True)
class MixedKSG(NeighbourEstimator):
    """log n + mean of psi(k_i) - psi(n_x) - psi(n_y), for any mixture of discrete and continuous parts.

    W. Gao, S. Kannan, S. Oh and P. Viswanath, "Estimating mutual information for discrete-continuous mixtures" (2017),
    as their program has it: with digamma functions of the counts, where Algorithm 1 has logarithms, with which the
    estimate between a label and a continuous variable is too low by more than 1/k however many points there are.
    Where the k-th neighbour is in the same place, k_i, n_x and n_y are how many points are there in both, in x and in
    y, the point itself among them. Elsewhere k_i is how many are as near as the k-th, which is k but for ties (so
    O. P. Mesner and C. R. Shalizi, 2019), and n_x and n_y are one more than are nearer in x, and in y, or as many as
    are as near, if that is more. So it is `KSG` of continuous variables, and `Ross` of a label and a continuous one,
    but for log n - psi(n), about 1/(2n). Parameters are those of `KSG`.

    >>> import mibench as mi
    >>> two = mi.Labelled((mi.Noise(1, 1), mi.Pushed(mi.Noise(1, 1), g=mi.Scale(shift=2.0))), weights=(0.5, 0.5))
    >>> draws = mi.Task("two", two).draw(n=5000, seed=0)
    >>> abs(MixedKSG(k=5).estimate(draws.x, draws.y).mi - two.mi) < 0.05
    True
    """

    def _local(self, x: Array, y: Array) -> tuple[Array, Counts]:
        from mibench.neighbours.search import count_neighbours

        nearer = count_neighbours(x, y, self.ks, self.metrics, n_jobs=self.n_jobs)
        as_near = count_neighbours(x, y, self.ks, self.metrics, n_jobs=self.n_jobs, inclusive=True)
        alike = ~as_near.apart
        n_x, n_y = (
            np.where(alike, close + 1, np.maximum(strictly + 1, close))
            for strictly, close in ((nearer.x, as_near.x), (nearer.y, as_near.y))
        )
        return digamma(as_near.both + alike) + np.log(len(x)) - digamma(n_x) - digamma(n_y), nearer


@register
@dataclass(frozen=True)
class Ross(ThreadedEstimator):
    """psi(n) + mean of psi(k_i) - psi(n_i) - psi(m_i), for a discrete and a continuous variable.

    B. C. Ross, "Mutual information between discrete and continuous data sets", PLoS ONE 9 (2014), eq. 2. n_i points
    have the label of point i; m_i others are as near to it as the k-th of these, of which k_i have its label: k but for
    ties, with which both are counted, so that equal values do no harm. A label with no more than k points makes do with
    k_i = n_i - 1 neighbours, and one of a single point is left out. Which of x and y has the labels is `discrete`: "x",
    "y", or "auto", the one with fewer distinct rows.

    >>> import mibench as mi
    >>> two = mi.Labelled((mi.Noise(1, 1), mi.Pushed(mi.Noise(1, 1), g=mi.Scale(shift=2.0))), weights=(0.5, 0.5))
    >>> draws = mi.Task("two", two).draw(n=5000, seed=0)
    >>> abs(Ross().estimate(draws.x, draws.y).mi - two.mi) < 0.05
    True
    """

    k: int = 3
    metric: str = "chebyshev"
    discrete: Literal["auto", "x", "y"] = "auto"

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        if self.metric not in METRICS:
            raise ParameterError(f"metric must be one of {', '.join(METRICS)}, got {self.metric!r}")
        if self.discrete not in _SIDES:
            raise ParameterError(f"discrete must be one of {', '.join(_SIDES)}, got {self.discrete!r}")
        checks.settle(self, k=checks.whole("k", self.k, least=1, most=_MOST_NEIGHBOURS))

    def _estimate(self, x: Array, y: Array) -> Estimate:
        from mibench.neighbours.search import count_within_groups

        groups, points = self._sides(x, y)
        sizes = np.bincount(groups)[groups]
        kept = sizes > 1
        if not kept.any():
            raise EstimateFailed("no label occurs twice; if both variables are continuous, use KSG()")
        sizes = sizes[kept]
        _, codes = np.unique(groups[kept], return_inverse=True)
        of_all, of_label = count_within_groups(points[kept], codes, self.k, self.metric, self.n_jobs)
        found = digamma(len(sizes)) + np.mean(digamma(of_label) - digamma(sizes) - digamma(of_all))
        lost = len(x) - len(sizes)
        said = (f"{lost} of {len(x)} points have a label of their own, and are left out",) if lost else ()
        return Estimate(float(found), warnings=said, info={"labels": int(codes.max()) + 1})

    def _sides(self, x: Array, y: Array) -> tuple[Indices, Array]:
        """The label of each point, and the continuous side."""
        rows = {"x": distinct_rows(x)[0], "y": distinct_rows(y)[0]}
        count_x, count_y = int(rows["x"].max()) + 1, int(rows["y"].max()) + 1
        if self.discrete == "auto" and count_x == count_y:
            raise EstimateFailed(
                f"x and y both have {count_x} distinct rows; say which is discrete with discrete='x' or 'y', or use "
                "KSG() if none is, PlugIn() if both are"
            )
        discrete = self.discrete if self.discrete != "auto" else "x" if count_x < count_y else "y"
        return rows[discrete], y if discrete == "x" else x
