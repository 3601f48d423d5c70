"""An estimator whose columns are preprocessed first."""

from __future__ import annotations

from dataclasses import dataclass

from mibench import checks
from mibench.estimators.base import Estimate, Estimator, Points
from mibench.identity import register
from mibench.preprocessing import named, preprocess
from mibench.types import Array


@register
@dataclass(frozen=True)
class Preprocessed(Estimator):
    """An estimator that sees each column standardised, uniformised or gaussianised (Beyond Normal, "Preprocessing").

    The benchmark standardises; the estimators themselves take points as they are.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=1000, seed=0)
    >>> estimator = Preprocessed(mi.KDE(), "gaussianise")
    >>> round(estimator.estimate(draws.x**3, draws.y).mi - estimator.estimate(draws.x, draws.y).mi, 9)
    0.0
    """

    estimator: Estimator
    how: str = "standardise"

    def __post_init__(self) -> None:
        """Check the parameters."""
        checks.member("estimator", self.estimator, Estimator)
        checks.settle(self, how=named(self.how))

    def _estimate(self, x: Array, y: Array) -> Estimate:
        return self._from_points(Points.plain(x, y))

    def _from_points(self, points: Points) -> Estimate:
        sides = ((points.x, points.labels_x), (points.y, points.labels_y))
        return self.estimator.estimate(*(checks.NamedColumns(preprocess(v, self.how), names) for v, names in sides))

    def least_points(self, dim_x: int, dim_y: int) -> int:
        """How many points it takes."""
        return self.estimator.least_points(dim_x, dim_y)
