"""Maps onto the unit interval and from it: margins made uniform, and uniform margins made anything."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mibench import checks
from mibench.elementary import exp, log
from mibench.errors import DataError, ParameterError
from mibench.identity import register
from mibench.normal_law import normal_cdf, normal_quantile
from mibench.transforms.base import AxisWise
from mibench.transforms.increasing import solve_increasing
from mibench.types import Array, Mask

_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)
_COARSE = 4.0  # where neighbouring doubles near 1 stand for values that differ by 1e-12


@register
@dataclass(frozen=True)
class NormalCDF(AxisWise):
    """The standard normal distribution function, onto (0, 1) (Beyond Normal, Section 3, "Uniform Margins").

    Doubles near 1 are 1.1e-16 apart, so far out on the upper side, and below -38 on the lower, different values may
    have the same image. Where that happens to the points that are given, it refuses them.

    >>> NormalCDF().forward([[-10.0, 0.0]])
    array([[7.61985302e-24, 5.00000000e-01]])
    """

    def _forward(self, x: Array) -> Array:
        return normal_cdf(x)[0]

    def _need_apart(self, x: Array, u: Array) -> None:
        _need_open(u, x, self)
        _need_apart(u, x, self)
        self._need_unmerged(x, u)

    def _inverse(self, u: Array) -> Array:
        return normal_quantile(u)

    def _in_image(self, u: Array) -> Mask:
        return _inside_unit(u)

    def _log_slope(self, x: Array) -> Array:
        return -0.5 * x * x - _HALF_LOG_2PI


@register
@dataclass(frozen=True)
class NormalQuantile(AxisWise):
    """The inverse of the standard normal distribution function, from (0, 1).

    >>> NormalQuantile().forward([[0.5, 1e-300]])
    array([[  0.        , -37.0470963]])
    """

    def _forward(self, x: Array) -> Array:
        _need_unit(x, self)
        return normal_quantile(x)

    def _inverse(self, u: Array) -> Array:
        return normal_cdf(u)[0]

    def _in_image(self, u: Array) -> Mask:
        return _inside_unit(normal_cdf(u)[0])

    def _log_slope(self, x: Array) -> Array:
        q = normal_quantile(x)
        return 0.5 * q * q + _HALF_LOG_2PI


@register
@dataclass(frozen=True)
class MixtureQuantile(AxisWise):
    """The quantile function of a mixture of normals, from (0, 1) (Beyond Normal, Appendix D, "Bimodal Variables").

    >>> MixtureQuantile(weights=(0.5, 0.5), means=(-1.0, 3.0), deviations=(1.0, 1.0)).forward([[0.5]])
    array([[1.]])
    """

    weights: checks.VectorLike
    means: checks.VectorLike
    deviations: checks.VectorLike = ()

    def __post_init__(self) -> None:
        """Check the mixture; deviations that are left out are 1."""
        means = checks.vector("means", self.means)
        weights = checks.weights("weights", self.weights, len(means))
        deviations = checks.optional_vector("deviations", self.deviations, len(means)) or (1.0,) * len(means)
        if min(deviations) <= 0.0:
            raise ParameterError(f"deviations must be numbers > 0, got {deviations}")
        checks.settle(self, weights=weights, means=means, deviations=deviations)

    def _forward(self, x: Array) -> Array:
        _need_unit(x, self)
        low, high = self._bracket(x)
        upper = (x > 0.5).ravel()
        target = np.where(x > 0.5, -log(1.0 - x), log(x))
        return solve_increasing(lambda t, rows: self._log_tail(t, upper[rows]), target, low, high)

    def _inverse(self, u: Array) -> Array:
        return self._tails(u)[0]

    def _in_image(self, u: Array) -> Mask:
        return _inside_unit(self._tails(u)[0])

    def _log_slope(self, x: Array) -> Array:
        return -log(self._density(self._forward(x)))

    def _tails(self, t: Array) -> tuple[Array, Array]:
        below, above = np.zeros_like(t), np.zeros_like(t)
        for w, m, d in zip(self.weights, self.means, self.deviations, strict=True):
            under, over = normal_cdf((t - m) / d)
            below += w * under
            above += w * over
        return below, above

    @cached_property
    def _knots(self) -> tuple[Array, Array, Array]:
        """A grid over the mixture, with F and 1 - F on it, from which the search starts."""
        spans = list(zip(self.means, self.deviations, strict=True))
        start, stop = min(m - 9.0 * d for m, d in spans), max(m + 9.0 * d for m, d in spans)
        grid = start + (stop - start) / 511.0 * np.arange(512.0)
        return grid, *self._tails(grid)

    def _bracket(self, x: Array) -> tuple[Array, Array]:
        """Between which values each quantile lies: those of the mixture's parts, or closer ones of the grid."""
        bend = normal_quantile(x)
        ends = [m + d * bend for m, d in zip(self.means, self.deviations, strict=True)]
        grid, below, above = self._knots
        place = np.where(x > 0.5, grid.size - np.searchsorted(above[::-1], 1.0 - x), np.searchsorted(below, x))
        left = np.concatenate([[-np.inf], grid])[place]
        right = np.concatenate([grid, [np.inf]])[place]
        return np.maximum(np.minimum.reduce(ends), left), np.minimum(np.maximum.reduce(ends), right)

    def _log_tail(self, t: Array, upper: Mask) -> Array:
        """Log F where the lower tail is the smaller, -log(1 - F) elsewhere: increasing, and accurate in both tails."""
        below, above = self._tails(t)
        tail = np.where(upper, above, below)
        return np.where(upper, -log(tail), log(tail))

    def _density(self, t: Array) -> Array:
        total = np.zeros_like(t)
        for w, m, d in zip(self.weights, self.means, self.deviations, strict=True):
            z = (t - m) / d
            total += (w / d) * exp(-0.5 * z * z - _HALF_LOG_2PI)
        return total


def _inside_unit(u: Array) -> Mask:
    return np.all((u > 0.0) & (u < 1.0), axis=1)


def _need_unit(x: Array, transform: AxisWise) -> None:
    outside = np.flatnonzero(~_inside_unit(x))
    if outside.size:
        raise DataError(
            f"{type(transform).__name__} takes values in (0, 1), but row {outside[0]} is {x[outside[0]].tolist()}; "
            "send the points through NormalCDF() first"
        )


def _need_open(u: Array, x: Array, transform: AxisWise) -> None:
    outside = np.flatnonzero(~_inside_unit(u))
    if outside.size:
        raise DataError(
            f"{type(transform).__name__} of row {outside[0]}, {x[outside[0]].tolist()}, is 0 or 1 in double precision, "
            "so points would fall together; scale them down first, with Scale(factor=...) or Asinh()"
        )


def _need_apart(u: Array, x: Array, transform: AxisWise) -> None:
    """An error if different values far out have the same image near 1."""
    for before, after in zip(x.T, u.T, strict=True):
        far = before > _COARSE
        if far.any() and np.unique(before[far]).size > np.unique(after[far]).size:
            raise DataError(
                f"{type(transform).__name__} of values around {float(before[far].max()):.3g} is too near 1 for double "
                "precision to keep them apart; scale them down first, with Scale(factor=...) or Asinh()"
            )
