"""Counting points in cells, sparsely: what every estimator that bins its points rests on."""

from __future__ import annotations

import math

import numpy as np

from mibench import checks
from mibench.preprocessing import mean_ranks
from mibench.types import Array, Indices

_MOST_BINS = 2**16
_NEARLY_ALL = 0.9  # of the points in one cell are spoken of


def whole_bins(value: object) -> int:
    """How many bins an axis has."""
    return checks.whole("bins", value, least=2, most=_MOST_BINS)


def cells(codes: Indices, kinds: int) -> tuple[Indices, Indices]:
    """For each row of codes in 0 ... kinds - 1, the number of its cell, and how many points each cell holds.

    Only cells that hold points are numbered, so that fifty dimensions cost as little as they hold.

    >>> place, counts = cells(np.array([[0, 9], [3, 3], [0, 9]]), kinds=10)
    >>> place.tolist(), counts.tolist()
    ([0, 1, 0], [2, 1])
    """
    bits = max(1, (kinds - 1).bit_length())
    width = 62 // bits
    place = np.zeros(len(codes), dtype=np.int64)
    counts: Indices = np.array([len(codes)], dtype=np.int64)
    for start in range(0, codes.shape[1], width):
        word = np.zeros(len(codes), dtype=np.int64)
        for column in codes[:, start : start + width].T:
            word = (word << bits) | column
        _, here = np.unique(word, return_inverse=True)
        _, place, counts = np.unique(place * len(codes) + here, return_inverse=True, return_counts=True)
    return place, counts


def ranks(points: Array) -> Indices:
    """Each column's values by their order, from 0, equal ones alike.

    >>> ranks(np.array([[2.5], [-1.0], [2.5]])).ravel().tolist()
    [1, 0, 1]
    """
    return np.stack([np.unique(column, return_inverse=True)[1] for column in points.T], axis=1)


def distinct_rows(points: Array) -> tuple[Indices, Indices]:
    """For each row which of the distinct ones it is, and how often each of those occurs."""
    return cells(ranks(points), len(points))


def equal_widths(points: Array, bins: int) -> Indices:
    """Which of so many bins of equal width each value is in, from its column's smallest to its largest.

    As in np.histogram, a bin has its lower edge, and the last one both. Where a value is, is computed from differences
    alone, so that a shift makes no difference if no bit is lost in it.

    >>> equal_widths(np.array([[1e6], [1e6 + 1], [1e6 + 9], [1e6 + 10]]), bins=10).ravel().tolist()
    [0, 1, 9, 9]
    """
    _, exponents = np.frexp(np.abs(points).max(axis=0))
    near = np.ldexp(points, -exponents)  # so that no difference overflows
    low, high = near.min(axis=0), near.max(axis=0)
    return np.minimum(((near - low) * bins / (high - low)).astype(np.int64), bins - 1)


def equal_masses(points: Array, bins: int) -> Indices:
    """Which of so many bins of equally many points each value is in, by its mean rank.

    >>> equal_masses(np.array([[0.5], [10.0], [-7.0], [0.75]]), bins=2).ravel().tolist()
    [0, 1, 0, 1]
    """
    n = len(points)
    return np.stack([mean_ranks(column) * bins // (2 * n) for column in points.T], axis=1)


def crowded(name: str, points: Array, place: Indices, counts: Indices) -> tuple[str, ...]:
    """What there is to say of a side of which one cell holds nearly all points, and not for being equal."""
    fullest = int(counts.argmax())
    if counts[fullest] <= _NEARLY_ALL * len(points):
        return ()
    inside = points[place == fullest]
    said = f"{counts[fullest]} of {len(points)} points are in one cell of {name}, so that little of it is seen"
    advice = "gaussianise the columns first, or use more bins"
    return () if (inside == inside[:1]).all() else (f"{said}; {advice}",)


def joint_counts(place_x: Indices, place_y: Indices) -> Indices:
    """How many points each pair of cells holds, of the pairs that hold any."""
    return np.unique(place_x * (int(place_y.max()) + 1) + place_y, return_counts=True)[1]


def plug_in(counts_x: Indices, counts_y: Indices, counts_xy: Indices, miller_madow: bool) -> float:
    """The MI of the empirical distribution over cells, in nats, with the correction of Miller and Madow if wanted.

    >>> half = np.array([5, 5])
    >>> round(plug_in(half, half, half, miller_madow=False), 6) == round(math.log(2), 6)
    True
    """
    found = entropy(counts_x) + entropy(counts_y) - entropy(counts_xy)
    if miller_madow:  # each entropy is too low by about (cells - 1) / (2 n)
        found += (counts_x.size + counts_y.size - counts_xy.size - 1) / (2.0 * int(counts_xy.sum()))
    return found


def entropy(weights: Array | Indices) -> float:
    """The entropy of a distribution in proportion to weights, in nats."""
    p: Array = weights[weights > 0] / weights.sum()
    return -math.fsum(p * np.log(p))
