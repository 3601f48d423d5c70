"""The multivariate normal distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.distributions.scatter import EAGER_DIMS, MatrixOrFactors, Scatter, scatter, split_matrix
from mibench.elementary import sum_of_squares
from mibench.identity import register
from mibench.normal_law import standard_normals
from mibench.types import Array, LogDensities, Truth

_LOG_2PI = math.log(2.0 * math.pi)
_FAR_POWER = 600  # of two, by which points are scaled down where their squares overflow


@register
@dataclass(frozen=True)
class Normal(Distribution):
    """Multivariate normal (X, Y): MI is half the log-ratio of determinants (Beyond Normal, Section 3).

    `covariance` is a matrix over (X, Y), whose first `dim_x` coordinates are X, or a `FactorCovariance`.

    >>> Normal([[1.0, 0.75], [0.75, 1.0]], dim_x=1).mi
    0.413339286592233...
    """

    covariance: MatrixOrFactors
    dim_x: int = 0
    mean: checks.VectorLike = ()

    def __post_init__(self) -> None:
        """Check the parameters."""
        covariance, dim_x, dim_y = split_matrix("covariance", self.covariance, self.dim_x)
        mean = checks.optional_vector("mean", self.mean, dim_x + dim_y)
        checks.settle(self, covariance=covariance, dim_x=dim_x, dim_y=dim_y, mean=mean)
        if dim_x + dim_y <= EAGER_DIMS:
            _ = self._scatter

    @cached_property
    def _scatter(self) -> Scatter:
        return scatter("covariance", self.covariance, self.dim_x, self.mean)

    @property
    def mi(self) -> Truth:
        """The mutual information in nats."""
        return Truth(self._scatter.normal_mi)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        white = standard_normals(rng, (self.dim_x + self.dim_y, n))
        points = self._scatter.colour(white)
        pmi = self._pmi_of_white(white[self.dim_x :], self._scatter.whiten_y(points[self.dim_x :]))
        return *self._scatter.place(points), pmi

    def _pmi(self, x: Array, y: Array) -> Array:
        _, y_given_x, y_alone = self._scatter.whiten(x, y)
        out = self._pmi_of_white(y_given_x, y_alone)
        far = np.flatnonzero(~np.isfinite(out))
        if far.size:
            out[far] = self._pmi_far_out(x[far], y[far])
        return out

    def _pmi_far_out(self, x: Array, y: Array) -> Array:
        """Where squares overflow: from points that are scaled down; infinite where the value itself overflows."""
        down, up = 2.0**-_FAR_POWER, 2 * _FAR_POWER
        _, y_given_x, y_alone = self._scatter.scaled(down).whiten(down * x, down * y)
        largest = np.maximum(np.abs(y_given_x).max(axis=0), np.abs(y_alone).max(axis=0))
        gap = sum_of_squares(y_alone / largest) - sum_of_squares(y_given_x / largest)
        return self._scatter.normal_mi + np.ldexp(0.5 * gap * largest * largest, up)

    def _pmi_of_white(self, y_given_x: Array, y_alone: Array) -> Array:
        return self._scatter.normal_mi + 0.5 * (sum_of_squares(y_alone) - sum_of_squares(y_given_x))

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        x_white, y_given_x, y_alone = self._scatter.whiten(x, y)
        volume, volume_x, volume_y = self._scatter.log_volume
        square_x = sum_of_squares(x_white)
        return LogDensities(
            joint=-0.5 * (square_x + sum_of_squares(y_given_x) + (self.dim_x + self.dim_y) * _LOG_2PI) - volume,
            x=-0.5 * (square_x + self.dim_x * _LOG_2PI) - volume_x,
            y=-0.5 * (sum_of_squares(y_alone) + self.dim_y * _LOG_2PI) - volume_y,
        )
