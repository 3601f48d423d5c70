"""Powers of two by which points are scaled before their neighbours are sought, which keeps their bits."""

from __future__ import annotations

import math

import numpy as np

from mibench.errors import DataError
from mibench.types import Array

_SAFE = 400  # so many powers of two between two sides lose nothing that matters, even of squares
_LEAST = 2.0**-1070  # below this a difference of scaled points may be lost


def exponent(*points: Array) -> int:
    """The least whole number such that no coordinate is above two to its power.

    >>> exponent(np.array([[3.0], [-5.0]]))
    3
    """
    largest = [float(np.abs(p).max(initial=0.0)) for p in points]
    if not all(map(math.isfinite, largest)):  # compiled code relies on distances being numbers
        raise DataError("points whose neighbours are sought must be finite; drop or impute other values first")
    return math.frexp(max(largest))[1]


def scaled(*points: Array) -> list[Array]:
    """All times one power of two, so that no coordinate is above 1."""
    power = exponent(*points)
    return [np.ldexp(p, -power) for p in points]


def merges(column: Array, power: int, squared: bool) -> bool:
    """Whether values are so small beside two to this power that distances between distinct ones become 0.

    >>> merges(np.array([1e-300, 2e-300]), 0, squared=True)
    True
    """
    own = exponent(column)
    if power - own < _SAFE:
        return False
    steps = np.diff(np.sort(np.ldexp(column, -own)))
    least = math.ldexp(float(np.min(steps, where=steps > 0.0, initial=1.0)), own - power)
    return (least * least if squared else least) < _LEAST
