"""The digamma function of whole numbers, for whatever counts neighbours, without the start-up of SciPy."""

from __future__ import annotations

import numpy as np

from mibench.types import Array, Indices

_EULER = 0.57721566490153286061
_SMALL = 32


def digamma(counts: Indices | int) -> Array:
    """psi(m) for whole m >= 1: exact sums of 1/j up to 32, and Stirling's series, exact to rounding, beyond.

    >>> digamma(np.array([1, 2])).round(12).tolist()
    [-0.577215664902, 0.422784335098]
    """
    m = np.asarray(counts, dtype=np.int64)
    big = np.maximum(m, _SMALL).astype(np.float64)
    square = 1.0 / (big * big)
    tail = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132)))))
    return np.where(m < _SMALL, _TABLE[np.minimum(m, _SMALL)], np.log(big) - 0.5 / big - tail)


def _table() -> Array:
    steps = [0.0, -_EULER, *(1.0 / j for j in range(1, _SMALL))]
    return np.cumsum(steps)


_TABLE = _table()
