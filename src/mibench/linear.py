"""Linear algebra whose results have the same bits on every machine: sums are taken column by column, in order.

BLAS and LAPACK choose their order of summation by processor and thread count. The matrices here are small (a
distribution's dimensions), the points many, so one pass over all points for each non-zero entry of a matrix costs
little and fixes the order. Points are rows of `(dimension, n)` arrays here: coordinates first.
"""

from __future__ import annotations

import numpy as np

from mibench.types import Array

_BLOCK = 8192


def cholesky(matrix: Array) -> Array | None:
    """The lower Cholesky factor, or None where the matrix is not positive definite in double precision."""
    rest = matrix.copy()
    size = len(rest)
    floor = size * np.finfo(np.float64).eps * np.diag(matrix)
    factor = np.zeros_like(rest)
    for k in range(size):
        if not rest[k, k] > floor[k]:
            return None
        factor[k, k] = np.sqrt(rest[k, k])
        factor[k + 1 :, k] = rest[k + 1 :, k] / factor[k, k]
        rest[k + 1 :, k + 1 :] -= factor[k + 1 :, k, None] * factor[None, k + 1 :, k]
    return factor


def apply(matrix: Array, points: Array) -> Array:
    """`matrix @ points` for points of shape (columns, n)."""
    out = np.zeros((matrix.shape[0], points.shape[1]))
    terms = [(i, k, float(matrix[i, k])) for i, k in zip(*np.nonzero(matrix), strict=True)]
    for block in _blocks(points.shape[1]):
        part, target = points[:, block], out[:, block]
        product = np.empty(part.shape[1])
        for i, k, value in terms:
            np.multiply(part[k], value, out=product)
            target[i] += product
    return out


def solve_lower(factor: Array, points: Array) -> Array:
    """`inv(factor) @ points` for a lower triangular factor and points of shape (columns, n)."""
    out = np.array(points, dtype=np.float64)
    columns = [[(i, float(factor[i, k])) for i in np.flatnonzero(factor[:, k]) if i > k] for k in range(len(factor))]
    for block in _blocks(points.shape[1]):
        rows = out[:, block]
        product = np.empty(rows.shape[1])
        for k, below in enumerate(columns):
            rows[k] /= factor[k, k]
            for i, value in below:
                np.multiply(rows[k], value, out=product)
                rows[i] -= product
    return out


def _blocks(n: int) -> list[slice]:
    return [slice(start, start + _BLOCK) for start in range(0, n, _BLOCK)]
