"""Two discrete variables by the table of their joint probabilities."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.errors import ParameterError
from mibench.identity import register
from mibench.types import Array, Indices, Mask, Truth


@register
@dataclass(frozen=True)
class Discrete(Distribution):
    """X and Y in {0, 1, ...}: `table[i][j]` is the probability of X = i and Y = j.

    >>> Discrete(((0.5, 0.0), (0.0, 0.5))).mi == math.log(2)
    True
    """

    table: checks.MatrixLike

    def __post_init__(self) -> None:
        """Check the table."""
        array = checks.matrix("table", self.table)
        total = math.fsum(array.ravel())
        for i, j in np.argwhere(array < 0.0)[:1]:
            raise ParameterError(
                f"table must hold probabilities >= 0 that sum to 1, but entry [{i}][{j}] is {float(array[i, j])!r}"
            )
        if abs(total - 1.0) > 1e-9:
            raise ParameterError(f"table must hold probabilities >= 0 that sum to 1, got a sum of {total:.12g}")
        checks.settle(self, table=checks.as_tuples(array), dim_x=1, dim_y=1)

    @cached_property
    def _log_ratio(self) -> Array:
        """The pointwise MI of each cell: -inf where it is empty, NaN where its row or column is."""
        p = np.array(self.table)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.log(p / p.sum(axis=1, keepdims=True) / p.sum(axis=0))

    @property
    def mi(self) -> Truth:
        """The mutual information in nats."""
        p = np.array(self.table)
        return Truth(max(0.0, math.fsum(p[p > 0.0] * self._log_ratio[p > 0.0])))

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        flat = [p for row in self.table for p in row]
        last = max(k for k, p in enumerate(flat) if p > 0.0)
        edges = np.array([math.fsum(flat[: k + 1]) for k in range(last)])
        cell = np.searchsorted(edges, rng.random(n), side="right")
        x, y = (v.astype(np.float64)[:, None] for v in np.divmod(cell, len(self.table[0])))
        return x, y, self._pmi(x, y)

    def _pmi(self, x: Array, y: Array) -> Array:
        rows, columns = self._log_ratio.shape
        return self._log_ratio[codes(x[:, 0], rows)[0], codes(y[:, 0], columns)[0]]

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        p = np.array(self.table)
        (i, is_row), (j, is_column) = (codes(v[:, 0], n) for v, n in zip((x, y), p.shape, strict=True))
        return is_row & (p.sum(axis=1) > 0.0)[i], is_column & (p.sum(axis=0) > 0.0)[j]


def codes(values: Array, count: int) -> tuple[Indices, Mask]:
    """Which of 0, ..., count - 1 each value is, to the rounding of a map and its inverse, and whether it is any."""
    nearest = np.clip(np.rint(values), 0, count - 1)
    return nearest.astype(np.int64), np.abs(values - nearest) < 1e-6
