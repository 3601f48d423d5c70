"""A normal density fitted to the neighbours of a point, and the bias that this has wherever the density is smooth."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from mibench.compiled import kernel
from mibench.estimators.digamma import digamma
from mibench.estimators.lnn_bias import TABLE
from mibench.neighbours.search import nearest
from mibench.threads import share
from mibench.types import Array

_DRAWS = 2**17
_BATCH = 2**11
_LEAST_POINTS = 256
_SINGULAR = 1e-20  # a variance, in units of the squared bandwidth, below which the neighbours lie in a plane


def local_entropies(points: Array, k: int, truncation: int, n_jobs: int) -> Array:
    """For each point -log of the density there, as W. Gao, S. Oh and P. Viswanath (2016) estimate it, less its bias.

    NaN where k others are in its place, or its neighbours lie in a plane.

    >>> points = np.random.default_rng(0).normal(size=(5000, 1))
    >>> entropy = 0.5 * math.log(2 * math.pi * math.e)
    >>> bool(abs(local_entropies(points, k=5, truncation=30, n_jobs=1).mean() - entropy) < 0.05)
    True
    """
    n, dim = points.shape
    distances, indices = nearest(points, truncation, "euclidean", n_jobs)
    fitted = np.empty(n)
    share(n_jobs, n, lambda a, b: _fit_all(points, distances, indices, k, a, b, fitted), _LEAST_POINTS)
    return fitted + dim * np.log(distances[:, k - 1]) + math.log(n - 1.0) - bias(k, truncation, dim)


@lru_cache(maxsize=256)
def bias(k: int, truncation: int, dim: int) -> float:
    """How much too high -log density is, in the limit of many points: the same for every density.

    There the numbers of points in balls about a point are those of a Poisson process, so that k-th distances are
    powers of sums of exponential variates, and directions are uniform on the sphere. The part that is not known in
    closed form is a mean over such draws; for k = 5 and 30 neighbours it is tabled, from many more of them.
    """
    log_ball = 0.5 * dim * math.log(math.pi) - math.lgamma(0.5 * dim + 1.0)
    known = TABLE.get((k, truncation, dim))
    mean = known if known is not None else simulated_bias(k, truncation, dim, _DRAWS, seed=0)[0]
    return float(digamma(k)) - log_ball + mean


def simulated_bias(k: int, truncation: int, dim: int, draws: int, seed: int) -> tuple[float, float]:
    """The mean of what a fit to the neighbours of a uniform density gives, and its standard error."""
    rng = np.random.default_rng(seed)
    found = np.empty(draws)
    for start in range(0, draws, _BATCH):
        count = min(_BATCH, draws - start)
        volumes = np.cumsum(rng.standard_exponential((count, truncation)), axis=1)
        radii = (volumes / volumes[:, k - 1 : k]) ** (1.0 / dim)
        sides = rng.standard_normal((count, truncation, dim))
        sides *= (radii / np.sqrt(np.einsum("ijk,ijk->ij", sides, sides)))[:, :, None]
        _fit_each(sides, found[start : start + count])
    return float(found.mean()), float(found.std() / math.sqrt(draws))


@kernel
def _moments(sides: Any, mean: Any, moments: Any) -> float:
    """The total weight of a point and its neighbours, their weighted mean and second moments about the point."""
    dim = sides.shape[1]
    total = 1.0  # the point itself, at the origin
    mean[:] = 0.0
    moments[:] = 0.0
    for j in range(sides.shape[0]):
        square = 0.0
        for c in range(dim):
            square += sides[j, c] * sides[j, c]
        weight = math.exp(-0.5 * square)
        total += weight
        for c in range(dim):
            part = weight * sides[j, c]
            mean[c] += part
            for e in range(c + 1):
                moments[c, e] += part * sides[j, e]
    return total


@kernel
def _factor(total: float, mean: Any, moments: Any) -> float:
    """Make of moments the Cholesky factor of the covariance; its log-determinant, or NaN where it has none."""
    found = 0.0
    for c in range(mean.shape[0]):
        mean[c] /= total
        for e in range(c + 1):
            value = moments[c, e] / total - mean[c] * mean[e]
            for f in range(e):
                value -= moments[c, f] * moments[e, f]
            if e < c:
                moments[c, e] = value / moments[e, e]
            elif value <= _SINGULAR:
                return math.nan
            else:
                found += math.log(value)
                moments[c, c] = math.sqrt(value)
    return found


@kernel
def _fit(sides: Any, mean: Any, moments: Any) -> float:
    """-log of the normal density that fits a point and its neighbours, at the point.

    `sides` (m, dim) are the neighbours, seen from it, in units of the bandwidth; left out are log(n - 1) and the
    logarithm of the bandwidth. `mean` and `moments` are room.
    """
    dim = mean.shape[0]
    total = _moments(sides, mean, moments)
    log_determinant = _factor(total, mean, moments)
    if math.isnan(log_determinant):
        return math.nan
    distance = 0.0  # of the mean, by the covariance, squared
    for c in range(dim):
        for f in range(c):
            mean[c] -= moments[c, f] * mean[f]
        mean[c] /= moments[c, c]
        distance += mean[c] * mean[c]
    return 0.5 * (dim * math.log(2.0 * math.pi) + log_determinant + distance) - math.log(total)


@kernel
def _fit_each(sides: Any, out: Any) -> None:
    dim = sides.shape[2]
    mean, moments = np.empty(dim), np.empty((dim, dim))
    for i in range(sides.shape[0]):
        out[i] = _fit(sides[i], mean, moments)


@kernel
def _fit_all(points: Any, distances: Any, indices: Any, k: int, start: int, stop: int, out: Any) -> None:
    dim, m = points.shape[1], indices.shape[1]
    sides, mean, moments = np.empty((m, dim)), np.empty(dim), np.empty((dim, dim))
    for i in range(start, stop):
        width = distances[i, k - 1]
        if width == 0.0:
            out[i] = math.nan
            continue
        for j in range(m):
            for c in range(dim):
                sides[j, c] = (points[indices[i, j], c] - points[i, c]) / width
        out[i] = _fit(sides, mean, moments)
