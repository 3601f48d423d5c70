"""Mutual information from kernel estimates of the densities."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.errors import EstimateFailed, ParameterError
from mibench.estimators.base import Estimate, ThreadedEstimator
from mibench.identity import register
from mibench.types import Array

_RULES = ("silverman", "scott")
_WANTED = f"one of {', '.join(_RULES)}, or a number between 1e-100 and 1e100"
_RANK = 1e-10  # below this part of the largest singular value a direction is rounding
_OUTLYING = 2.0  # beyond so many log n from the median, log-ratios are not what n points of a density have
_MOVED = 0.2  # nats of the estimate from which on what those points make of it is spoken of
_DEPENDENT = 1e-12  # below this variance of a difference, of variables of variance 1, they are one


@register
@dataclass(frozen=True)
class KDE(ThreadedEstimator):
    """The mean over the points of log f(x, y) / (f(x) f(y)), with kernel estimates of the three densities f.

    Y. Moon, B. Rajagopalan and U. Lall, "Estimation of mutual information using kernel density estimators" (1995),
    with their Gaussian kernel, whose covariance is bandwidth^2 times that of the points: affine maps of X or of Y make
    no difference. At each point f leaves that point out. `bandwidth` is (4 / (d + 2))^(1 / (d + 4)) n^(-1 / (d + 4))
    ("silverman", as in the paper), n^(-1 / (d + 4)) ("scott"), for d the dimension of X, of Y or of both; or a number
    for all three. Time grows as n^2, memory as n.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=1000, seed=0)
    >>> round(KDE().estimate(draws.x, draws.y).mi, 1)
    0.4
    """

    bandwidth: str | float = "silverman"

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.settle(self, bandwidth=_bandwidth(self.bandwidth))

    def _estimate(self, x: Array, y: Array) -> Estimate:
        from mibench.estimators.kernel_sums import log_sums

        white_x, white_y = _white(x), _white(y)
        n, dim_x, dim_y = len(x), white_x.shape[1], white_y.shape[1]
        if n <= dim_x + dim_y:
            raise EstimateFailed(
                f"{n} points of {dim_x + dim_y} linearly independent columns lie in a plane, where there is no "
                "density; draw more points, or drop columns"
            )
        white_xy, log_volume = _white_together(white_x, white_y)
        logs: list[Array] = []
        parts: list[Array] = []
        for white in (white_x, white_y, white_xy):
            width = self._width(n, white.shape[1])
            log_sum, part = log_sums(white.T / (math.sqrt(2.0) * width), self.n_jobs)
            logs.append(log_sum - white.shape[1] * math.log(width))
            parts.append(part)
        ratios = logs[2] - logs[0] - logs[1]
        found = float(ratios.mean()) - log_volume + math.log(n - 1)
        said = _columns("x", x, dim_x) + _columns("y", y, dim_y) + _outliers(ratios)
        said += _points(n, dim_x + dim_y, parts[2])
        return Estimate(found, warnings=said, info={"bandwidth": self._width(n, dim_x + dim_y)})

    def _width(self, n: int, dim: int) -> float:
        if not isinstance(self.bandwidth, str):
            return self.bandwidth
        factor = 4.0 / (dim + 2.0) if self.bandwidth == "silverman" else 1.0
        return (factor / n) ** (1.0 / (dim + 4.0))


def _bandwidth(value: object) -> str | float:
    if isinstance(value, str) and value in _RULES:
        return value
    number = checks.positive("bandwidth", value, _WANTED)
    if not 1e-100 <= number <= 1e100:  # beyond these, squares of distances leave the range of doubles
        raise ParameterError(f"bandwidth must be {_WANTED}, got {number!r}")
    return number


def _white(points: Array) -> Array:
    """Points with the identity for covariance, in as many dimensions as they have linearly independent columns."""
    centred = points / np.abs(points).max(axis=0)  # so that no square over- or underflows
    centred -= centred.mean(axis=0)
    centred /= np.sqrt(np.einsum("ij,ij->j", centred, centred))
    left, values, _ = np.linalg.svd(centred, full_matrices=False)
    return left[:, values > _RANK * values[0]] * math.sqrt(len(points) - 1.0)


def _white_together(white_x: Array, white_y: Array) -> tuple[Array, float]:
    """The white pairs (x, y), and half the log-determinant of the covariance that they had.

    Rotated to canonical variates a and b, of which only a_i and b_i are correlated, those are a_i + b_i and a_i - b_i,
    each divided by its deviation.
    """
    n, pairs = len(white_x), min(white_x.shape[1], white_y.shape[1])
    turn_x, _, turn_y = np.linalg.svd(white_x.T @ white_y / (n - 1.0))
    a, b = white_x @ turn_x, white_y @ turn_y.T
    mixed = np.hstack([a[:, :pairs] + b[:, :pairs], a[:, :pairs] - b[:, :pairs]]) / math.sqrt(2.0)
    variance = np.einsum("ij,ij->j", mixed, mixed) / (n - 1.0)
    if float(variance.min()) < _DEPENDENT:
        raise EstimateFailed(
            "a combination of x's columns is one of y's: for continuous variables their MI is infinite; drop a column"
        )
    white = np.hstack([mixed / np.sqrt(variance), a[:, pairs:], b[:, pairs:]])
    return white, 0.5 * math.fsum(np.log(variance))


def _columns(name: str, points: Array, rank: int) -> tuple[str, ...]:
    few = points.shape[1] - rank
    return (f"{few} of {name}'s {points.shape[1]} columns are combinations of the others",) if few else ()


def _outliers(ratios: Array) -> tuple[str, ...]:
    """What there is to say of points so far out that one kernel's tail takes the place of a density.

    With two normal columns a point is that far from the median about once in n^2, whatever their correlation.
    """
    n, apart = len(ratios), np.abs(ratios - np.median(ratios))
    far = apart > _OUTLYING * math.log(n)
    moved = float(apart[far].sum()) / n
    said = f"{int(far.sum())} of {n} points are so far out that no density is seen there, and move the estimate by"
    return (f"{said} up to {moved:.2g} nats; gaussianise the columns first",) if moved > _MOVED else ()


def _points(n: int, dim: int, parts: Array) -> tuple[str, ...]:
    """What there is to say of too few points, and of kernels that are too narrow."""
    said: list[str] = []
    if n < 4.0**dim:  # near Table 4.2 in B. W. Silverman, "Density Estimation" (1986), for a relative error of .1
        said.append(f"{n} points are few for a density in {dim} dimensions, which takes 4^{dim}; use fewer columns")
    alone = int((parts > 0.5).sum())
    if 2 * alone > n:
        said.append(f"for {alone} of {n} points the density rests on one other point; use a greater bandwidth")
    return tuple(said)
