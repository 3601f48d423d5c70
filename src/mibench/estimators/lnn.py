"""Mutual information from normal densities fitted about each point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.errors import EstimateFailed, ParameterError
from mibench.estimators.base import Estimate, Points, ThreadedEstimator
from mibench.estimators.ties import equal_values
from mibench.identity import register
from mibench.types import Array

_FEW = 0.5
_ADVICE = "use MixedKSG()"
_LEAST_K = 3  # with fewer, others can be so far off that they weigh nothing, and there is no fit to draw the bias from
_ENOUGH = 7.0  # points for each dimension, to its power: then it is .1 nat too low on independent normal variables
_SETTLED = 0.4  # nats; from 1000 points on, chance and bias made less than .3 on smooth densities
_LEAST_TO_COMPARE = 1000


@register
@dataclass(frozen=True)
class LNN(ThreadedEstimator):
    """H(X) + H(Y) - H(X, Y), each the mean of -log f, where f is a normal density fitted about each point.

    W. Gao, S. Oh and P. Viswanath, "Breaking the bandwidth barrier: geometrical adaptive entropy estimation" (2016);
    Beyond Normal, Appendix C, "Kernel Estimators". The fit is to the point and the `truncation` nearest others,
    weighted by a normal kernel as wide as the k-th is far (Euclidean). The bias that this leaves in the limit of many
    points depends on k, truncation and dimension alone, and is subtracted. X and Y together may have as many
    dimensions as `truncation`; beyond, neighbours do not span the space. Neighbourhoods are round: standardise first.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=10_000, seed=0)
    >>> round(LNN().estimate(draws.x, draws.y).mi, 1)
    0.4
    """

    k: int = 5
    truncation: int = 30

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        k = checks.whole("k", self.k, least=_LEAST_K, most=1000)
        truncation = checks.whole("truncation", self.truncation, least=3, most=1000)
        if k > truncation:
            raise ParameterError(f"k must be at most truncation, {truncation}, got {k}")
        checks.settle(self, k=k, truncation=truncation)

    def least_points(self, dim_x: int, dim_y: int) -> int:  # noqa: ARG002
        """How many points it takes: each needs as many others as are looked at."""
        return self.truncation + 1

    def _estimate(self, x: Array, y: Array) -> Estimate:
        return self._from_points(Points.plain(x, y))

    def _from_points(self, points: Points) -> Estimate:
        x, y = points.x, points.y
        dim = x.shape[1] + y.shape[1]
        if dim > self.truncation:
            raise EstimateFailed(
                f"{self.truncation} neighbours do not span {dim} dimensions; it needs truncation >= {dim}, which "
                "makes sense only while so many neighbours are near, or fewer columns"
            )
        local = self._local(x, y)
        fitted = np.isfinite(local)
        lost = len(x) - int(fitted.sum())
        if lost > _FEW * len(x):
            raise EstimateFailed(
                f"{lost} of {len(x)} points have neighbours that lie in a plane or in one place, where there is no "
                "density; standardise columns of different scales, and drop repeated rows and columns that others "
                "determine"
            )
        said = (
            (f"{lost} of {len(x)} points have neighbours in a plane or in one place, and are left out",) if lost else ()
        )
        mi = float(np.mean(local, where=fitted))
        return Estimate(mi, warnings=equal_values(points, _ADVICE) + said + self._doubts(x, y, mi))

    def _local(self, x: Array, y: Array) -> Array:
        from mibench.estimators.local_gaussian import local_entropies

        return sum(
            (
                sign * local_entropies(points, self.k, self.truncation, self.n_jobs)
                for sign, points in ((1.0, x), (1.0, y), (-1.0, np.hstack([x, y])))
            ),
            start=np.zeros(len(x)),
        )

    def _doubts(self, x: Array, y: Array, mi: float) -> tuple[str, ...]:
        """A warning where points are too few for their dimension, or where the estimate moves with their number."""
        n, dim = len(x), x.shape[1] + y.shape[1]
        if dim > 2 and n < _ENOUGH**dim:
            said = (
                f"{n} points are few for the {dim} dimensions of x and y together; normal variables take about "
                f"7^{dim} = {_ENOUGH**dim:.2g} for an error of .1 nat; use fewer columns"
            )
            return (said,)
        if n < _LEAST_TO_COMPARE or n // 4 <= self.truncation:
            return ()
        some = np.random.default_rng(0).permutation(n)[: n // 4]
        fewer = self._local(x[some], y[some])
        fewer = fewer[np.isfinite(fewer)]
        of_fewer = float(fewer.mean()) if fewer.size else mi
        said = (
            f"a quarter of the points gives {of_fewer:.2f} in place of {mi:.2f}, as where the points of x, of y or of "
            "both lie near a surface of fewer dimensions, which has no density; drop columns that others determine"
        )
        return (said,) if abs(mi - of_fewer) > _SETTLED else ()
