"""The shapes of what flows through mibench: arrays, draws, log-densities and a known truth."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from mibench.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Iterable

Array: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Indices: TypeAlias = npt.NDArray[np.int64]


class Truth(float):
    """A known mutual information in nats: a float that also carries its standard error.

    The error is 0 for a closed form, and what integration over draws leaves otherwise.

    >>> Truth(0.25)
    0.25
    >>> Truth.total([Truth(1.0, 0.25), Truth(0.5, 0.5)]).error
    0.75
    """

    __slots__ = ("error",)
    error: float

    def __new__(cls, value: float, error: float = 0.0) -> Truth:
        """A truth of this value and standard error."""
        self = super().__new__(cls, value)
        self.error = float(error)
        return self

    def __getnewargs__(self) -> tuple[float, float]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What pickling needs to make an equal truth."""
        return (float(self), self.error)

    @staticmethod
    def total(parts: Iterable[Truth]) -> Truth:
        """The sum of truths, with the sum of their errors: they may have been integrated over the same draws."""
        parts = list(parts)
        return Truth(math.fsum(parts), math.fsum(p.error for p in parts))


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """Points drawn from P(X, Y): `x` (n, dim_x), `y` (n, dim_y) and the pointwise MI `pmi` (n,) of each, in nats."""

    x: Array
    y: Array
    pmi: Array

    def __len__(self) -> int:
        """The number of points."""
        return self.x.shape[0]

    @property
    def fingerprint(self) -> str:
        """SHA-256 of the points (see `fingerprint`)."""
        return fingerprint(self.x, self.y)


def fingerprint(x: Array, y: Array) -> str:
    """SHA-256, in hexadecimal, of a sample's points, by which any program can tell that it has the same sample.

    What is hashed: the ASCII line `mibench-sample-1 N DIM_X DIM_Y` with its newline, then the values of x and then
    those of y, row by row, as little-endian IEEE doubles.

    >>> fingerprint(np.zeros((2, 1)), np.ones((2, 1)))[:16]
    'cbf1a4394f6f3e7d'
    """
    try:
        x, y = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"x and y must be arrays of numbers: {error}") from None
    if x.ndim != 2 or y.ndim != 2 or len(x) != len(y):
        raise DataError(f"x and y must be arrays of as many rows, got shapes {x.shape} and {y.shape}")
    hasher = hashlib.sha256(f"mibench-sample-1 {x.shape[0]} {x.shape[1]} {y.shape[1]}\n".encode("ascii"))
    for points in (x, y):
        hasher.update(np.ascontiguousarray(points, dtype="<f8").tobytes())
    return hasher.hexdigest()


@dataclass(frozen=True, slots=True, eq=False)
class LogDensities:
    """Log-densities at given points: of the pair, of X alone and of Y alone; each of shape (n,)."""

    joint: Array
    x: Array
    y: Array
