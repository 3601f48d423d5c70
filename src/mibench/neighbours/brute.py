"""Neighbours by looking at all pairs, four queries at a time: the way for many dimensions.

A query's distances to all points are kept until it is known how far its k-th neighbour is; then those within that
radius are counted from them. Memory is proportional to the number of points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel
from mibench.neighbours.metrics import exact, fill
from mibench.neighbours.rows import CHUNK, chunk_minima, count, joint_high, nearest


@kernel
def _load(tiles: Any, first: int, n: int, queries: Any) -> None:
    """Four points, from `first` on, as queries; beyond the last, the last again."""
    width = tiles.shape[2]
    for w in range(4):
        i = min(first + w, n - 1)
        for c in range(tiles.shape[1]):
            queries[w, c] = tiles[i // width, c, i % width]


@kernel
def _distances(mx: int, my: int, tiles_x: Any, tiles_y: Any, qx: Any, qy: Any, rows_x: Any, rows_y: Any, minima: Any
               ) -> None:  # fmt: skip
    """The distances of four queries to all points, (tiles, 4, width), and the smallest of each chunk, (4, chunks)."""
    chunks = tiles_x.shape[2] // CHUNK
    for t in range(tiles_x.shape[0]):
        fill(mx, tiles_x[t], qx, rows_x[t])
        fill(my, tiles_y[t], qy, rows_y[t])
        for w in range(4):
            chunk_minima(rows_x[t, w], rows_y[t, w], minima[w, t * chunks : (t + 1) * chunks])


@kernel
def _largest(points: Any, shift: Any, i: int) -> float:
    found = 0.0
    for c in range(points.shape[1]):
        found = max(found, abs(points[i, c] - shift[c]))
    return found


@kernel
def _extents(mx: int, my: int, x: Any, y: Any, i: int, rows_x: Any, rows_y: Any, minima: Any, large_x: float,
             large_y: float, radius: Any) -> tuple[float, float, int]:  # fmt: skip
    """How far in x and in y the points reach that are as near to i as the radius, and how many they are."""
    limit = joint_high(mx, my, x, y, large_x, large_y, radius)
    chunks = rows_x.shape[1] // CHUNK
    reach_x = reach_y = 0.0
    inside = 0
    for c in range(minima.shape[0]):
        if minima[c] >= limit:
            continue
        for s in range(CHUNK):
            j = c * CHUNK + s
            t, place = c // chunks, (c % chunks) * CHUNK + s
            if j == i or j >= x.shape[0] or max(rows_x[t, place], rows_y[t, place]) >= limit:
                continue
            in_x, in_y = exact(mx, x, i, j), exact(my, y, i, j)
            if max(in_x, in_y) <= radius:
                reach_x, reach_y, inside = max(reach_x, in_x), max(reach_y, in_y), inside + 1
    return reach_x, reach_y, inside


@kernel
def brute_counts(mx: int, my: int, tiles_x: Any, tiles_y: Any, x: Any, y: Any, shift_x: Any, shift_y: Any, ks: Any,
                 inclusive: bool, boxes: bool, start: int, stop: int, count_x: Any, count_y: Any, inside: Any
                 ) -> None:  # fmt: skip
    """For points start ... stop and each k: how many points lie within the k-th neighbour's distance in x and in y.

    With `inclusive`, those at the distance count as well, and `inside` is how many points are as near as the k-th;
    with `boxes`, the distances in x and in y are how far these points reach in each.
    """
    n, k, width = x.shape[0], ks[-1], tiles_x.shape[2]
    qx, qy = np.empty((4, x.shape[1]), np.float32), np.empty((4, y.shape[1]), np.float32)
    rows_x = np.empty((tiles_x.shape[0], 4, width), np.float32)
    rows_y = np.empty_like(rows_x)
    minima = np.empty((4, tiles_x.shape[0] * (width // CHUNK)), np.float32)
    rough, best, index = np.empty(k + 1, np.float32), np.empty(k), np.empty(k, np.int64)
    for first in range(start, stop, 4):
        _load(tiles_x, first, n, qx)
        _load(tiles_y, first, n, qy)
        _distances(mx, my, tiles_x, tiles_y, qx, qy, rows_x, rows_y, minima)
        for w in range(min(4, stop - first)):
            i = first + w
            large_x, large_y = _largest(x, shift_x, i), _largest(y, shift_y, i)
            row_x, row_y = rows_x[:, w], rows_y[:, w]
            nearest(mx, my, x, y, i, row_x, row_y, minima[w], large_x, large_y, k, rough, best, index)
            for m in range(ks.shape[0]):
                reach_x = reach_y = best[ks[m] - 1]
                if inclusive:
                    out = _extents(mx, my, x, y, i, row_x, row_y, minima[w], large_x, large_y, reach_x)
                    inside[i, m] = out[2]
                    if boxes:
                        reach_x, reach_y = out[0], out[1]
                count_x[i, m] = count(mx, x, i, row_x, large_x, reach_x, inclusive)
                count_y[i, m] = count(my, y, i, row_y, large_y, reach_y, inclusive)
