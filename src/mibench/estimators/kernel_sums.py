"""Sums of Gaussian kernels over all pairs of points, fast and without a matrix of them."""

from __future__ import annotations

import math

import numpy as np

from mibench.compiled import loose_kernel
from mibench.threads import share
from mibench.types import Array, Indices

_TILE = 512  # points that stay in cache while the rows pass over them
_LANES = 32  # sums that are added up in the end, as many for any number of threads, so that they have the same bits
_FARTHEST = 700.0  # near the smallest number that a double has in full
_LEAST = 1e-280  # below this a sum is made anew, relative to its largest term
_BLOCK = 2**18  # distances that are kept at a time there
_WHOLE = 1.5 * 2.0**52  # added to a whole number, puts it into the last bits
_ONE_E = 1.0 / math.log(2.0)
_P1, _P2, _P3, _P4, _P5, _P6, _P7, _P8, _P9, _P10, _P11 = (math.log(2.0) ** k / math.factorial(k) for k in range(1, 12))


def log_sums(columns: Array, n_jobs: int) -> tuple[Array, Array]:
    """For each point i of columns (dim, n), log sum_{j != i} exp(-|z_i - z_j|^2) and the largest term's part of it.

    >>> logs, parts = log_sums(np.array([[0.0, 1.0, 3.0]]), n_jobs=1)
    >>> bool(abs(logs[0] - math.log(math.exp(-1) + math.exp(-9))) < 1e-12), parts.round(3).tolist()
    (True, [1.0, 0.953, 0.993])
    """
    columns = np.ascontiguousarray(columns)
    n = columns.shape[1]
    tiles = -(-n // _TILE)
    totals, largest = np.zeros((2, min(_LANES, tiles), n))

    def lanes(start: int, stop: int) -> None:
        for lane in range(start, stop):
            for tile in range(lane, tiles, _LANES):
                _add_tile(columns, tile * _TILE, totals[lane], largest[lane])

    share(n_jobs, len(totals), lanes)
    total = totals.sum(axis=0)
    logs, parts = np.log(total), largest.max(axis=0) / total
    lonely = np.flatnonzero(total < _LEAST)
    rows = max(1, _BLOCK // n)

    def anew(start: int, stop: int) -> None:
        for first in range(start, stop, rows):
            chosen = lonely[first : min(first + rows, stop)]
            logs[chosen], parts[chosen] = _relative(columns, chosen)

    share(n_jobs, lonely.size, anew, rows)
    return logs, parts


@loose_kernel
def decay(u: float) -> float:
    """exp(-u) for u >= 0, with a relative error below 1e-12 up to u = 700, and e^-700 beyond.

    2^r by a polynomial, for r from -1/2 to 1/2, and the rest put into the exponent's bits: what fills vector registers
    where a call of the library's function would not.
    """
    x = -min(u, _FARTHEST) * _ONE_E
    whole = np.floor(x + 0.5)
    r = x - whole
    p = _P7 + r * (_P8 + r * (_P9 + r * (_P10 + r * _P11)))
    p = 1.0 + r * (_P1 + r * (_P2 + r * (_P3 + r * (_P4 + r * (_P5 + r * (_P6 + r * p))))))
    bits = np.float64(p).view(np.int64) + (np.float64(whole + _WHOLE).view(np.int64) << 52)
    return np.int64(bits).view(np.float64)


@loose_kernel
def _add_tile(columns: Array, start: int, total: Array, largest: Array) -> None:
    """Add the kernels between the points of the tile at `start` and those of it and of all later tiles."""
    n = columns.shape[1]
    terms, added, most = np.empty(_TILE), np.empty(_TILE), np.empty(_TILE)
    # Numbers that are not negative have the order of their bits, whose greatest is found in vector registers.
    term_bits, most_bits, largest_bits = terms.view(np.int64), most.view(np.int64), largest.view(np.int64)
    for first in range(start, n, _TILE):
        width = min(_TILE, n - first)
        added[:] = 0.0
        most[:] = 0.0
        for i in range(start, min(start + _TILE, n)):
            _fill(columns, i, first, width, terms)
            if first == start:
                terms[i - start] = _FARTHEST
            row = 0.0
            for j in range(width):
                term = decay(terms[j])
                terms[j] = term
                row += term
                added[j] += term
            total[i] += row
            greatest = largest_bits[i]
            for j in range(width):
                greatest = max(greatest, term_bits[j])
                most_bits[j] = max(most_bits[j], term_bits[j])
            largest_bits[i] = greatest
        if first > start:
            for j in range(width):
                total[first + j] += added[j]
                largest[first + j] = max(largest[first + j], most[j])


@loose_kernel
def _fill(columns: Array, i: int, first: int, width: int, squares: Array) -> None:
    """The squared distances of point i from those from `first` on, so many."""
    for j in range(width):
        squares[j] = (columns[0, first + j] - columns[0, i]) ** 2
    for axis in range(1, columns.shape[0]):
        for j in range(width):
            squares[j] += (columns[axis, first + j] - columns[axis, i]) ** 2


def _relative(columns: Array, chosen: Indices) -> tuple[Array, Array]:
    """The same for the chosen points, from terms relative to the largest of each."""
    squares = np.zeros((chosen.size, columns.shape[1]))
    for column in columns:
        squares += (column - column[chosen, None]) ** 2
    squares[np.arange(chosen.size), chosen] = np.inf
    least = squares.min(axis=1)
    total = np.exp(least[:, None] - squares).sum(axis=1)
    return np.log(total) - least, 1.0 / total
