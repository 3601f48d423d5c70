"""What is done with the distances of a query to all points of some tiles: find the nearest, count those within.

Distances come in single precision, as rows of shape (tiles, queries, width) of which one query's are `rows[:, w]`;
whatever they leave open is decided by exact distances. Rows are indexed, not sliced: a slice in an inner loop costs
more than what is done with it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel, loose_kernel
from mibench.neighbours.metrics import band, exact

CHUNK = 64  # points whose smallest distance is kept
FAR = 1e300
_FAR_BITS = np.float32(1e30).view(np.int32)


@kernel
def chunk_minima(bits_x: Any, bits_y: Any, t: int, w: int, minima: Any) -> None:
    """The smallest joint distance of each chunk of a tile, all as integers of the same bits.

    Distances are not negative, so their bits are in the same order; the smallest of integers, unlike that of floats,
    is found in vector registers.
    """
    chunks = bits_x.shape[2] // CHUNK
    for c in range(chunks):
        least = _FAR_BITS
        for j in range(c * CHUNK, (c + 1) * CHUNK):
            least = min(least, max(bits_x[t, w, j], bits_y[t, w, j]))
        minima[w, t * chunks + c] = least


@kernel
def smallest(values: Any, w: int, k: int, best: Any) -> Any:
    """The k-th smallest of values[w], or a number above all if there are fewer; `best` is room for k."""
    best[:k] = np.float32(1e30)
    for i in range(values.shape[1]):
        value = values[w, i]
        if value < best[k - 1]:
            p = k - 1
            while p > 0 and best[p - 1] > value:
                best[p] = best[p - 1]
                p -= 1
            best[p] = value
    return best[k - 1]


@kernel
def insert(best: Any, index: Any, k: int, value: float, j: int) -> None:
    """Put a distance and its point where they belong among the k nearest."""
    p = k - 1
    while p > 0 and best[p - 1] > value:
        best[p] = best[p - 1]
        index[p] = index[p - 1]
        p -= 1
    best[p] = value
    index[p] = j


@kernel
def joint_high(mx: int, my: int, x: Any, y: Any, large_x: float, large_y: float, distance: float) -> Any:
    """A joint single-precision distance from which on a point is farther than `distance` for sure."""
    in_x, in_y = band(mx, x.shape[1], large_x, distance)[1], band(my, y.shape[1], large_y, distance)[1]
    return max(in_x, in_y)


@kernel
def nearest(mx: int, my: int, x: Any, y: Any, i: int, rows_x: Any, rows_y: Any, minima: Any, w: int, large_x: float,
            large_y: float, k: int, rough: Any, best: Any, index: Any) -> None:  # fmt: skip
    """The k nearest points of point i, exact joint distances in order, from its rows and the minima of chunks.

    As many chunks as k + 1 have a point, one of which may be i itself, within the (k + 1)-th smallest of the minima.
    """
    best[:k] = FAR
    index[:k] = 0  # so that whatever happens it is one of the points
    bound = smallest(minima, w, k + 1, rough)
    limit = bound
    if bound < np.float32(1e29):
        limit = joint_high(mx, my, x, y, large_x, large_y, float(bound))
        limit = joint_high(mx, my, x, y, large_x, large_y, float(limit))
    chunks = rows_x.shape[2] // CHUNK
    for c in range(minima.shape[1]):
        if minima[w, c] >= limit:
            continue
        t, place = c // chunks, (c % chunks) * CHUNK
        for s in range(CHUNK):
            if max(rows_x[t, w, place + s], rows_y[t, w, place + s]) < limit:
                j = c * CHUNK + s
                if j == i or j >= x.shape[0]:
                    continue
                distance = max(exact(mx, x, i, j), exact(my, y, i, j))
                if distance < best[k - 1]:
                    insert(best, index, k, distance, j)
                    if best[k - 1] < FAR:
                        limit = min(limit, joint_high(mx, my, x, y, large_x, large_y, best[k - 1]))


@loose_kernel
def _tally(rows: Any, t: int, w: int, low: Any, high: Any) -> Any:
    surely, perhaps = np.float32(0.0), np.float32(0.0)  # floats, to stand in registers beside the distances
    for j in range(rows.shape[2]):
        surely += np.float32(1.0) if rows[t, w, j] < low else np.float32(0.0)
        perhaps += np.float32(1.0) if rows[t, w, j] < high else np.float32(0.0)
    return int(surely), int(perhaps)


@kernel
def count(metric: int, points: Any, i: int, rows: Any, w: int, large: float, radius: Any, inclusive: bool) -> int:
    """How many points other than i are nearer to it than the radius, or as near, from its rows."""
    low, high = band(metric, points.shape[1], large, radius)
    found = -1 if inclusive or radius > 0.0 else 0  # i itself
    for t in range(rows.shape[0]):
        surely, perhaps = _tally(rows, t, w, low, high)
        found += surely
        if perhaps == surely:
            continue
        for s in range(rows.shape[2]):
            if low <= rows[t, w, s] < high:
                j = t * rows.shape[2] + s
                if j < points.shape[0]:
                    distance = exact(metric, points, i, j)
                    found += int(distance < radius or (inclusive and distance == radius))
    return found
