"""Distances between queries, leaves and boxes of a tree, in double precision and vector registers.

Each is summed over the coordinates in their order, as `metrics.exact` does, so that one distance has the same bits
wherever it is computed, and the least distance to a box is never greater than that to a point in it.
"""

from __future__ import annotations

from typing import Any

from mibench.compiled import kernel
from mibench.neighbours.metrics import EUCLIDEAN, MANHATTAN, MANHATTAN_SQUARED
from mibench.neighbours.tree import LEAF


@kernel
def to_leaf(metric: int, leaves: Any, own: int, place: int, other: int, first: int, last: int, out: Any) -> None:
    """The distances of the point at a place of one leaf to the points of another, over coordinates first to last."""
    for j in range(LEAF):
        out[j] = 0.0
    c = first
    while c + 2 <= last:  # two coordinates at a time, so that sums are loaded and stored half as often
        p, q = leaves[own, c, place], leaves[own, c + 1, place]
        if metric == EUCLIDEAN:
            for j in range(LEAF):
                s, t = leaves[other, c, j] - p, leaves[other, c + 1, j] - q
                out[j] = (out[j] + s * s) + t * t
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            for j in range(LEAF):
                out[j] = (out[j] + abs(leaves[other, c, j] - p)) + abs(leaves[other, c + 1, j] - q)
        else:
            for j in range(LEAF):
                out[j] = max(out[j], max(abs(leaves[other, c, j] - p), abs(leaves[other, c + 1, j] - q)))
        c += 2
    if c < last:
        p = leaves[own, c, place]
        if metric == EUCLIDEAN:
            for j in range(LEAF):
                s = leaves[other, c, j] - p
                out[j] += s * s
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            for j in range(LEAF):
                out[j] += abs(leaves[other, c, j] - p)
        else:
            for j in range(LEAF):
                out[j] = max(out[j], abs(leaves[other, c, j] - p))
    if metric > EUCLIDEAN:
        for j in range(LEAF):
            out[j] *= out[j]


@kernel
def box_to_box(metric: int, low: Any, high: Any, a: int, b: int, first: int, last: int) -> float:
    """The least distance of points in the boxes of two nodes, over the coordinates from first to last."""
    found = 0.0
    for c in range(first, last):
        gap = max(0.0, max(low[a, c] - high[b, c], low[b, c] - high[a, c]))
        if metric == EUCLIDEAN:
            found += gap * gap
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            found += gap
        else:
            found = max(found, gap)
    return found * found if metric > EUCLIDEAN else found


@kernel
def box_across(metric: int, low: Any, high: Any, a: int, b: int) -> float:
    """The greatest distance of points in the boxes of two nodes."""
    found = 0.0
    for c in range(low.shape[1]):
        gap = max(high[a, c] - low[b, c], high[b, c] - low[a, c])
        if metric == EUCLIDEAN:
            found += gap * gap
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            found += gap
        else:
            found = max(found, gap)
    return found * found if metric > EUCLIDEAN else found


@kernel
def least_to_box(metric: int, low: Any, high: Any, node: int, leaves: Any, own: int, first: int, last: int, out: Any
                 ) -> None:  # fmt: skip
    """The least distance of each point of a leaf to the box of a node, over the coordinates from first to last."""
    for j in range(LEAF):
        out[j] = 0.0
    for c in range(first, last):
        a, b = low[node, c], high[node, c]
        if metric == EUCLIDEAN:
            for j in range(LEAF):
                gap = max(0.0, max(a - leaves[own, c, j], leaves[own, c, j] - b))
                out[j] += gap * gap
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            for j in range(LEAF):
                out[j] += max(0.0, max(a - leaves[own, c, j], leaves[own, c, j] - b))
        else:
            for j in range(LEAF):
                out[j] = max(out[j], max(a - leaves[own, c, j], leaves[own, c, j] - b))
    if metric > EUCLIDEAN:
        for j in range(LEAF):
            out[j] *= out[j]


@kernel
def greatest_to_box(metric: int, low: Any, high: Any, node: int, leaves: Any, own: int, out: Any) -> None:
    """The greatest distance of each point of a leaf to a point in the box of a node."""
    for j in range(LEAF):
        out[j] = 0.0
    for c in range(leaves.shape[1]):
        a, b = low[node, c], high[node, c]
        if metric == EUCLIDEAN:
            for j in range(LEAF):
                gap = max(b - leaves[own, c, j], leaves[own, c, j] - a)
                out[j] += gap * gap
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            for j in range(LEAF):
                out[j] += max(b - leaves[own, c, j], leaves[own, c, j] - a)
        else:
            for j in range(LEAF):
                out[j] = max(out[j], max(b - leaves[own, c, j], leaves[own, c, j] - a))
    if metric > EUCLIDEAN:
        for j in range(LEAF):
            out[j] *= out[j]
