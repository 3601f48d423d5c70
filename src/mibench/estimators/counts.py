"""Counting points in cells, sparsely: what every estimator that bins its points rests on."""

from __future__ import annotations

import math

import numpy as np

from mibench import checks
from mibench.types import Array, Indices

_MOST_BINS = 2**16


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


def equal_widths(points: Array) -> Array:
    """Each column's values as parts of the way from its smallest to its largest.

    >>> equal_widths(np.array([[-1e308], [0.0], [1e308]])).ravel().tolist()
    [0.0, 0.5, 1.0]
    """
    scaled = points / np.abs(points).max(axis=0)  # so that no difference overflows
    low, high = scaled.min(axis=0), scaled.max(axis=0)
    return (scaled - low) / (high - low)


def binned(unit: Array, bins: int) -> Indices:
    """The bin of each number from 0 to 1, of so many of equal width."""
    return np.minimum((unit * bins).astype(np.int64), bins - 1)


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
