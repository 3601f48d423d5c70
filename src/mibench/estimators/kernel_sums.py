"""Sums of Gaussian kernels over all pairs of points, fast and without a matrix of them."""

from __future__ import annotations

import math

import numpy as np

from mibench.compiled import loose_kernel
from mibench.threads import share
from mibench.types import Array

_TILE = 512  # points that stay in cache while the rows pass over them
_FAR = 1e300  # beyond every distance
_LEAST_ROWS = 64
_FARTHEST = 64.0  # e^-64 of a sum counts for nothing in it
_MIDDLE = math.exp(-0.5 * _FARTHEST)


def log_sums(columns: Array, n_jobs: int) -> tuple[Array, Array]:
    """For each point i of columns (dim, n), log sum_{j != i} exp(-|z_i - z_j|^2) and the largest term's part of it.

    >>> logs, parts = log_sums(np.array([[0.0, 1.0, 3.0]]), n_jobs=1)
    >>> bool(abs(logs[0] - math.log(math.exp(-1) + math.exp(-9))) < 1e-12), parts.round(3).tolist()
    (True, [1.0, 0.953, 0.993])
    """
    columns = np.ascontiguousarray(columns)
    n = columns.shape[1]
    nearest, total = np.full(n, _FAR), np.zeros(n)
    share(n_jobs, n, lambda start, stop: _add_rows(columns, start, stop, nearest, total), _LEAST_ROWS)
    return np.log(total) - nearest, 1.0 / total


@loose_kernel
def decay(u: float) -> float:
    """exp(-u) for u >= 0, with a relative error below 1e-12 up to u = 64, and e^-64 beyond.

    The 256th power of a Taylor polynomial about the middle: multiplications only, which fill vector registers where
    a call of the library's function would not.
    """
    w = 0.125 - min(u, _FARTHEST) * (1.0 / 256.0)  # from -1/8 to 1/8, where ten terms reach 1e-16
    p = 1.0 / 40320.0 + w * (1.0 / 362880.0)
    p = 1.0 / 120.0 + w * (1.0 / 720.0 + w * (1.0 / 5040.0 + w * p))
    p = 1.0 + w * (1.0 + w * (0.5 + w * (1.0 / 6.0 + w * (1.0 / 24.0 + w * p))))
    p *= p
    p *= p
    p *= p
    p *= p
    p *= p
    p *= p
    p *= p
    return p * p * _MIDDLE


@loose_kernel
def _add_rows(columns: Array, start: int, stop: int, nearest: Array, total: Array) -> None:
    """For points start ... stop, the least squared distance and the sum of exp(least - squared distance)."""
    dim, n = columns.shape
    squares = np.empty(_TILE)
    for first in range(0, n, _TILE):
        width = min(_TILE, n - first)
        for i in range(start, stop):
            for j in range(width):
                squares[j] = (columns[0, first + j] - columns[0, i]) ** 2
            for axis in range(1, dim):
                for j in range(width):
                    squares[j] += (columns[axis, first + j] - columns[axis, i]) ** 2
            if first <= i < first + width:
                squares[i - first] = _FAR
            least = nearest[i]
            for j in range(width):
                least = min(least, squares[j])
            added = 0.0
            for j in range(width):
                added += decay(squares[j] - least)
            total[i] = total[i] * decay(nearest[i] - least) + added
            nearest[i] = least
