"""The multivariate Student distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mibench import checks
from mibench.distributions import gamma
from mibench.distributions.base import Distribution
from mibench.distributions.scatter import EAGER_DIMS, MatrixOrFactors, Scatter, scatter, split_matrix
from mibench.elementary import log, log1p, sum_of_squares
from mibench.errors import ParameterError
from mibench.identity import register
from mibench.normal_law import standard_normals
from mibench.types import Array, LogDensities, Truth


@register
@dataclass(frozen=True)
class Student(Distribution):
    """Multivariate Student (X, Y) with `dof` degrees of freedom, whole or not.

    Its MI is that of the normal distribution with its dispersion, and c(nu, m, n) for the common scale of all
    coordinates (Beyond Normal, Appendix D, "Multivariate Student"); it is not 0 for an identity dispersion.

    >>> Student([[1.0, 0.0], [0.0, 1.0]], dof=1.0, dim_x=1).mi
    0.22417142752923...
    """

    dispersion: MatrixOrFactors
    dof: float
    dim_x: int = 0
    location: checks.VectorLike = ()

    def __post_init__(self) -> None:
        """Check the parameters."""
        dispersion, dim_x, dim_y = split_matrix("dispersion", self.dispersion, self.dim_x)
        location = checks.optional_vector("location", self.location, dim_x + dim_y)
        dof = checks.positive("dof", self.dof, "a finite number > 0 (for infinitely many, use Normal)")
        if dof < gamma.LEAST_DOF:
            raise ParameterError(f"dof must be at least {gamma.LEAST_DOF}, or draws overflow, got {dof!r}")
        checks.settle(self, dispersion=dispersion, dof=dof, dim_x=dim_x, dim_y=dim_y, location=location)
        if dim_x + dim_y <= EAGER_DIMS:
            _ = self._scatter

    @cached_property
    def _scatter(self) -> Scatter:
        return scatter("dispersion", self.dispersion, self.dim_x, self.location)

    @property
    def mi(self) -> Truth:
        """The mutual information in nats."""
        return Truth(self._scatter.normal_mi + gamma.student_information(self.dof, self.dim_x, self.dim_y))

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        white = standard_normals(rng, (self.dim_x + self.dim_y, n))
        scale = gamma.student_scales(rng, self.dof, n)
        points = self._scatter.colour(white)
        y_alone = self._scatter.whiten_y(points[self.dim_x :]) * scale
        white *= scale
        points *= scale
        pmi = self._pmi_of_white(white[: self.dim_x], white[self.dim_x :], y_alone)
        return *self._scatter.place(points), pmi

    def _pmi(self, x: Array, y: Array) -> Array:
        return self._pmi_of_white(*self._scatter.whiten(x, y))

    def _pmi_of_white(self, x: Array, y_given_x: Array, y_alone: Array) -> Array:
        nu, m, n = self.dof, self.dim_x, self.dim_y
        constant = self._scatter.normal_mi + gamma.student_log_gammas(nu, m, n)
        joint = self._log1p_square(np.concatenate([x, y_given_x]))
        own = 0.5 * (nu + m) * self._log1p_square(x) + 0.5 * (nu + n) * self._log1p_square(y_alone)
        return constant + own - 0.5 * (nu + m + n) * joint

    def _log1p_square(self, white: Array) -> Array:
        """log(1 + |w|^2 / nu) of each point, also where the square overflows."""
        with np.errstate(over="ignore"):
            out = log1p(sum_of_squares(white) / self.dof)
        far = np.flatnonzero(~(out < 600.0))
        if far.size:
            largest = np.abs(white[:, far]).max(axis=0)
            out[far] = 2.0 * log(largest) + log(sum_of_squares(white[:, far] / largest) / self.dof)
        return out

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        x_white, y_given_x, y_alone = self._scatter.whiten(x, y)
        volumes = self._scatter.log_volume
        return LogDensities(
            joint=self._log_density(np.concatenate([x_white, y_given_x]), volumes[0]),
            x=self._log_density(x_white, volumes[1]),
            y=self._log_density(y_alone, volumes[2]),
        )

    def _log_density(self, white: Array, log_volume: float) -> Array:
        nu, dim = self.dof, len(white)
        constant = gamma.log_gamma_ratio(0.5 * nu, 0.5 * dim) - 0.5 * dim * math.log(nu * math.pi)
        return constant - log_volume - 0.5 * (nu + dim) * self._log1p_square(white)
