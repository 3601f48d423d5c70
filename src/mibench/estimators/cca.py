"""Mutual information of jointly normal variables, from their canonical correlations."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

import numpy as np

from mibench.errors import EstimateFailed
from mibench.estimators.base import Estimate, Estimator
from mibench.identity import register
from mibench.types import Array

_PLAIN = 1e-6  # above this smallest eigenvalue of the correlations, squares of columns are accurate enough
_RANK = 1e-10  # below this part of the largest singular value a direction is rounding
_STRONG = 0.5  # above this, 1 - rho is computed from the points
_DEPENDENT = 1e-12  # below this 1 - rho, variables are one
_NEAR = 10  # points for each coordinate, below which the estimate is mostly bias


@register
@dataclass(frozen=True)
class CCA(Estimator):
    """MI of the normal distribution with the sample's correlations: -sum log(1 - rho_i^2) / 2 over the canonical ones.

    Right if X and Y are jointly normal, whatever linear maps they went through (Beyond Normal, Appendix C,
    "Model-based Estimators"). Columns that others determine count once.

    >>> import mibench as mi
    >>> draws = mi.task("multinormal-dense-5-5-0.5").draw(n=10_000, seed=0)
    >>> round(CCA().estimate(draws.x, draws.y).mi, 1)
    0.6
    """

    def _estimate(self, x: Array, y: Array) -> Estimate:
        (left, white_x), (right, white_y) = _whitened(x), _whitened(y)
        rank_x, rank_y = white_x.shape[1], white_y.shape[1]
        n, dims = len(x), rank_x + rank_y
        if n <= dims + 1:
            raise EstimateFailed(
                f"{n} points of {dims} linearly independent columns are perfectly correlated whatever they are; "
                "draw more points, or drop columns"
            )
        turn_x, rho, turn_y = np.linalg.svd(white_x.T @ (left.T @ right) @ white_y, full_matrices=False)
        strong = int((rho > _STRONG).sum())
        less, more = _apart(left @ (white_x @ turn_x[:, :strong]), right @ (white_y @ turn_y[:strong].T))
        if strong and float(less.min()) < _DEPENDENT:
            raise EstimateFailed(
                "a combination of x's columns is one of y's: for normal variables their MI is infinite; drop a column"
            )
        mi = -0.5 * math.fsum([*np.log(less), *np.log(more), *np.log1p(-(rho[strong:] ** 2))])
        return Estimate(mi, warnings=_warnings(x, y, rank_x, rank_y))


def _apart(a: Array, b: Array) -> tuple[Array, Array]:
    """1 - rho and 1 + rho of the canonical variates a_i and b_i, which is where these are near 1 too.

    For columns of length 1 they are half the squares of a_i - b_i and of a_i + b_i. rho is greatest at the true
    variates, so that what rounding does to these makes next to no difference.
    """
    a, b = (v / np.sqrt(np.einsum("ij,ij->j", v, v)) for v in (a, b))
    less, more = a - b, a + b
    return 0.5 * np.einsum("ij,ij->j", less, less), 0.5 * np.einsum("ij,ij->j", more, more)


def _warnings(x: Array, y: Array, rank_x: int, rank_y: int) -> tuple[str, ...]:
    said: list[str] = []
    for name, points, rank in (("x", x, rank_x), ("y", y, rank_y)):
        if rank < points.shape[1]:
            said.append(
                f"{points.shape[1] - rank} of {name}'s {points.shape[1]} columns are combinations of the others"
            )
    n, dims = len(x), rank_x + rank_y
    if n < _NEAR * dims:
        bias = 0.5 * rank_x * rank_y / n
        said.append(f"{n} points are few for {dims} dimensions; the estimate is too high by about {bias:.2g} or more")
    return tuple(said)


def _whitened(points: Array) -> tuple[Array, Array]:
    """The columns of points, centred and scaled, and a matrix that makes orthonormal columns of them."""
    centred = points / np.abs(points).max(axis=0)  # so that no square over- or underflows
    centred -= centred.mean(axis=0)
    centred /= np.sqrt(np.einsum("ij,ij->j", centred, centred))
    gram: Array = centred.T @ centred
    smallest = float(np.linalg.eigvalsh(gram)[0])
    if smallest > _PLAIN:
        inverse = np.linalg.inv(cast("Array", np.linalg.cholesky(gram)))
        return centred, np.asarray(inverse, dtype=np.float64).T
    _, values, axes = np.linalg.svd(centred, full_matrices=False)
    kept = values > _RANK * values[0]
    return centred, axes[kept].T / values[kept]
