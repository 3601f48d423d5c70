"""Neighbours by looking at all pairs, some queries at a time: the way for many dimensions.

A query's distances to all points are kept until it is known how far its k-th neighbour is; then those within that
radius are counted from them. Memory is proportional to the number of points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel
from mibench.neighbours.metrics import CHEBYSHEV, exact, fill
from mibench.neighbours.rows import CHUNK, chunk_minima, count, joint_high, nearest

QUERIES = 8  # that pass over the points together, in fours


@kernel
def _load(tiles: Any, first: int, n: int, queries: Any) -> None:
    """Points from `first` on, as queries; beyond the last, the last again."""
    width = tiles.shape[2]
    for w in range(QUERIES):
        i = min(first + w, n - 1)
        for c in range(tiles.shape[1]):
            queries[w, c] = tiles[i // width, c, i % width]


@kernel
def _distances(mx: int, my: int, tiles_x: Any, tiles_y: Any, qx: Any, qy: Any, rows_x: Any, rows_y: Any, minima: Any
               ) -> None:  # fmt: skip
    """The distances of queries to all points, (tiles, queries, width), and the smallest of each chunk."""
    bits_x, bits_y, bits = rows_x.view(np.int32), rows_y.view(np.int32), minima.view(np.int32)
    for t in range(tiles_x.shape[0]):
        for w in range(0, QUERIES, 4):
            fill(mx, tiles_x[t], qx[w : w + 4], rows_x[t, w : w + 4])
        for w in range(0, QUERIES, 4):
            fill(my, tiles_y[t], qy[w : w + 4], rows_y[t, w : w + 4])
        for w in range(QUERIES):
            chunk_minima(bits_x, bits_y, t, w, bits)


@kernel
def _largest(points: Any, shift: Any, i: int) -> float:
    found = 0.0
    for c in range(points.shape[1]):
        found = max(found, abs(points[i, c] - shift[c]))
    return found


@kernel
def _extents(mx: int, my: int, x: Any, y: Any, i: int, rows_x: Any, rows_y: Any, minima: Any, w: int, large_x: float,
             large_y: float, radius: Any) -> tuple[float, float, int]:  # fmt: skip
    """How far in x and in y the points reach that are as near to i as the radius, and how many they are."""
    limit = joint_high(mx, my, x, y, large_x, large_y, radius)
    chunks = rows_x.shape[2] // CHUNK
    reach_x = reach_y = 0.0
    inside = 0
    for c in range(minima.shape[1]):
        if minima[w, c] >= limit:
            continue
        for s in range(CHUNK):
            j = c * CHUNK + s
            t, place = c // chunks, (c % chunks) * CHUNK + s
            if j == i or j >= x.shape[0] or max(rows_x[t, w, place], rows_y[t, w, place]) >= limit:
                continue
            in_x, in_y = exact(mx, x, i, j), exact(my, y, i, j)
            if max(in_x, in_y) <= radius:
                reach_x, reach_y, inside = max(reach_x, in_x), max(reach_y, in_y), inside + 1
    return reach_x, reach_y, inside


@kernel
def brute_counts(mx: int, my: int, tiles_x: Any, tiles_y: Any, x: Any, y: Any, shift_x: Any, shift_y: Any, ks: Any,
                 k: int, inclusive: bool, boxes: bool, start: int, stop: int, count_x: Any, count_y: Any, inside: Any,
                 apart: Any, tied: Any) -> None:  # fmt: skip
    """For points start ... stop and each k: how many points lie within the k-th neighbour's distance in x and in y.

    With `inclusive`, those at the distance count as well, and `inside` is how many points are as near as the k-th;
    with `boxes`, the distances in x and in y are how far these points reach in each. k neighbours are found; `tied` is
    whether the k-th is as far as the one before it (the first, as the second), or, with boxes, a reach is nothing.
    """
    n, width = x.shape[0], tiles_x.shape[2]
    qx, qy = np.empty((QUERIES, x.shape[1]), np.float32), np.empty((QUERIES, y.shape[1]), np.float32)
    rows_x = np.empty((tiles_x.shape[0], QUERIES, width), np.float32)
    rows_y = np.empty_like(rows_x)
    minima = np.empty((QUERIES, tiles_x.shape[0] * (width // CHUNK)), np.float32)
    rough, best, index = np.empty(k + 1, np.float32), np.empty(k), np.empty(k, np.int64)
    for first in range(start, stop, QUERIES):
        _load(tiles_x, first, n, qx)
        _load(tiles_y, first, n, qy)
        _distances(mx, my, tiles_x, tiles_y, qx, qy, rows_x, rows_y, minima)
        for w in range(min(QUERIES, stop - first)):
            i = first + w
            large_x, large_y = _largest(x, shift_x, i), _largest(y, shift_y, i)
            nearest(mx, my, x, y, i, rows_x, rows_y, minima, w, large_x, large_y, k, rough, best, index)
            for m in range(ks.shape[0]):
                reach_x = reach_y = best[ks[m] - 1]
                apart[i, m] = reach_x > 0.0
                tied[i, m] = k > 1 and best[max(ks[m] - 2, 0)] == best[max(ks[m] - 1, 1)]
                if inclusive:
                    out = _extents(mx, my, x, y, i, rows_x, rows_y, minima, w, large_x, large_y, reach_x)
                    inside[i, m] = out[2]
                    if boxes:
                        reach_x, reach_y = out[0], out[1]
                        tied[i, m] = tied[i, m] or reach_x == 0.0 or reach_y == 0.0
                count_x[i, m] = count(mx, x, i, rows_x, w, large_x, reach_x, inclusive)
                count_y[i, m] = count(my, y, i, rows_y, w, large_y, reach_y, inclusive)


@kernel
def brute_nearest(metric: int, tiles: Any, none: Any, points: Any, nothing: Any, shift: Any, k: int, start: int,
                  stop: int, distances: Any, indices: Any) -> None:  # fmt: skip
    """For points start ... stop, the k nearest others: distances in order, and which they are; y has no coordinates."""
    n, width = points.shape[0], tiles.shape[2]
    queries, no_queries = np.empty((QUERIES, points.shape[1]), np.float32), np.empty((QUERIES, 0), np.float32)
    rows = np.empty((tiles.shape[0], QUERIES, width), np.float32)
    zeros = np.zeros_like(rows)
    minima = np.empty((QUERIES, tiles.shape[0] * (width // CHUNK)), np.float32)
    rough = np.empty(k + 1, np.float32)
    for first in range(start, stop, QUERIES):
        _load(tiles, first, n, queries)
        _distances(metric, CHEBYSHEV, tiles, none, queries, no_queries, rows, zeros, minima)
        for w in range(min(QUERIES, stop - first)):
            i = first + w
            nearest(metric, CHEBYSHEV, points, nothing, i, rows, zeros, minima, w,
                    _largest(points, shift, i), 0.0, k, rough, distances[i], indices[i])  # fmt: skip


@kernel
def brute_within(metric: int, tiles: Any, points: Any, shift: Any, radii: Any, inclusive: bool, start: int, stop: int,
                 counts: Any) -> None:  # fmt: skip
    """For points start ... stop, how many others are nearer than the radius, or as near."""
    queries = np.empty((QUERIES, points.shape[1]), np.float32)
    rows = np.empty((tiles.shape[0], QUERIES, tiles.shape[2]), np.float32)
    for first in range(start, stop, QUERIES):
        _load(tiles, first, points.shape[0], queries)
        for t in range(tiles.shape[0]):
            for w in range(0, QUERIES, 4):
                fill(metric, tiles[t], queries[w : w + 4], rows[t, w : w + 4])
        for w in range(min(QUERIES, stop - first)):
            i = first + w
            counts[i] = count(metric, points, i, rows, w, _largest(points, shift, i), radii[i], inclusive)
