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
    """The lower Cholesky factor of a symmetric matrix, or None where a pivot is not above 0."""
    size = len(matrix)
    factor = np.zeros_like(matrix)
    # Scaled by powers of two to a diagonal about 1, which changes no bit but where products would under- or overflow.
    powers = np.frexp(np.diag(matrix))[1] // 2
    with np.errstate(all="ignore"):  # what overflows is far from positive definite, and its pivots show it
        rest = np.ldexp(matrix, -(powers[:, None] + powers))
        for k in range(size):
            if not rest[k, k] > 0.0:
                return None
            factor[k, k] = np.sqrt(rest[k, k])
            factor[k + 1 :, k] = rest[k + 1 :, k] / factor[k, k]
            rest[k + 1 :, k + 1 :] -= factor[k + 1 :, k, None] * factor[None, k + 1 :, k]
        return np.ldexp(factor, powers[:, None])


def dependence(factor: Array) -> Array:
    """How closely each coordinate follows from the others: 1 / (1 - R^2), for a covariance by its Cholesky factor.

    Also known as the variance inflation factor: the diagonal of the inverse of the correlation matrix.
    """
    size = len(factor)
    with np.errstate(all="ignore"):  # infinite or NaN where the factor is singular
        rows = factor / np.abs(factor).max(axis=1, keepdims=True)
        inverse = np.eye(size)
        for k in range(size):
            inverse[k, : k + 1] /= rows[k, k]
            inverse[k + 1 :, : k + 1] -= rows[k + 1 :, k, None] * inverse[None, k, : k + 1]
        return (rows * rows).sum(axis=1) * (inverse * inverse).sum(axis=0)


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
