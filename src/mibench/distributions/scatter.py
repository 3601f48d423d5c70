"""A positive definite matrix split into the blocks of X and of Y: what normal and Student distributions share."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from mibench import checks, linear
from mibench.distributions.covariance import FactorCovariance
from mibench.elementary import log
from mibench.errors import DimensionError, ParameterError
from mibench.types import Array

# Up to this size a matrix is factored when the distribution is made, so that a singular one is refused at once.
EAGER_DIMS = 500

# The most that `linear.dependence` may sum to. Rounding moves the MI by up to twice 2**-53 of that sum: measured over
# thousands of ill-conditioned matrices of 2 to 110 coordinates beside values of 40 digits. So the MI is right to 5e-7.
_MOST_DEPENDENCE = 2e9

_ADVICE = "drop coordinates that others determine, or add variance to the diagonal"

MatrixOrFactors: TypeAlias = checks.MatrixLike | FactorCovariance


@dataclass(frozen=True, eq=False)
class Scatter:
    """A matrix by its Cholesky factors: of all coordinates (X first), and of Y's own block."""

    joint: Array
    own_y: Array
    dim_x: int
    location: Array

    @property
    def normal_mi(self) -> float:
        """The MI of a normal distribution with this covariance, from the determinants."""
        own, given_x = np.diag(self.own_y), np.diag(self.joint)[self.dim_x :]
        return max(0.0, math.fsum(log(own)) - math.fsum(log(given_x)))

    @property
    def log_volume(self) -> tuple[float, float, float]:
        """Half the log-determinants of the whole, X's and Y's matrix."""
        diagonal = log(np.diag(self.joint))
        return math.fsum(diagonal), math.fsum(diagonal[: self.dim_x]), math.fsum(log(np.diag(self.own_y)))

    def scaled(self, factor: float) -> Scatter:
        """The same about a location that is multiplied by a factor, for points that are."""
        return replace(self, location=factor * self.location)

    def colour(self, white: Array) -> Array:
        """Points (dim, n) of this scatter about 0, from white ones."""
        return linear.apply(self.joint, white)

    def whiten_y(self, points: Array) -> Array:
        """White coordinates of Y alone, from its coordinates about 0, (dim_y, n)."""
        return linear.solve_lower(self.own_y, points)

    def whiten(self, x: Array, y: Array) -> tuple[Array, Array, Array]:
        """White coordinates (dim, n) of X, of Y given X, and of Y alone, at points (n, dim_x) and (n, dim_y)."""
        m = self.dim_x
        centred = np.concatenate([x.T, y.T]) - self.location[:, None]
        white = linear.solve_lower(self.joint, centred)
        return white[:m], white[m:], self.whiten_y(centred[m:])

    def place(self, points: Array) -> tuple[Array, Array]:
        """X (n, dim_x) and Y (n, dim_y) from coordinates about 0, (dim, n)."""
        points = points + self.location[:, None] if self.location.any() else points
        return points[: self.dim_x].T, points[self.dim_x :].T


def split_matrix(name: str, value: object, dim_x: object) -> tuple[MatrixOrFactors, int, int]:
    """A matrix or factor family in its one form, with the dims that it and `dim_x` (0: not said) imply."""
    m = checks.whole("dim_x", dim_x, least=0)
    if isinstance(value, FactorCovariance):
        if m not in (0, value.dim_x):
            raise DimensionError(f"dim_x must be that of the {name}, {value.dim_x}, or left out; got {m}")
        return value, value.dim_x, value.dim_y
    rows = checks.as_tuples(checks.symmetric_matrix(name, value))
    if m == 0:
        raise DimensionError(f"say how many of the {len(rows)} coordinates of the {name} are X's: dim_x=1, for example")
    if m >= len(rows):
        raise DimensionError(f"dim_x must be below {len(rows)}, the size of the {name}, so that Y has a part; got {m}")
    return rows, m, len(rows) - m


def scatter(name: str, matrix: MatrixOrFactors, dim_x: int, location: checks.VectorLike) -> Scatter:
    """The factors of a matrix, or an error that says why it has none."""
    array = matrix.matrix() if isinstance(matrix, FactorCovariance) else np.array(matrix)
    if not np.isfinite(array).all():
        raise ParameterError(f"{name} has entries beyond double precision; scale it down")
    joint, own_y = linear.cholesky(array), linear.cholesky(array[dim_x:, dim_x:])
    if joint is None or own_y is None:
        smallest = float(np.linalg.eigvalsh(array)[0])
        raise ParameterError(
            f"{name} must be positive definite, but its smallest eigenvalue is {smallest:.3g} (singular to double "
            f"precision, or negative); {_ADVICE}"
        )
    _need_margin(name, linear.dependence(joint))
    return Scatter(joint, own_y, dim_x, np.array(location if len(location) else (0.0,) * len(array)))


def _need_margin(name: str, dependence: Array) -> None:
    """An error where a matrix is so near to singular that its MI would not be right to 1e-6."""
    dependence = np.where(np.isnan(dependence), np.inf, dependence)
    if dependence.sum() > _MOST_DEPENDENCE:
        closest = int(np.argmax(dependence))
        raise ParameterError(
            f"{name} must be positive definite by a margin, but all of the variance of coordinate {closest} (counted "
            f"from 0) except {1.0 / dependence[closest]:.2g} of it follows from the others, so that in double "
            f"precision the MI may be wrong by more than 1e-6; {_ADVICE}"
        )
