"""What is done with the distances of a query to all points of some tiles: find the nearest, count those within.

Distances come in single precision, as rows of shape (tiles, 4, width) of which one query's are `rows[:, w]`; whatever
they leave open is decided by exact distances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel
from mibench.neighbours.metrics import band, exact

CHUNK = 64  # points whose smallest distance is kept
_TALLY = 256  # points that are counted before it is asked whether one of them needs an exact look
FAR = 1e300


@kernel
def chunk_minima(row_x: Any, row_y: Any, out: Any) -> None:
    """The smallest joint distance of each chunk."""
    for c in range(out.shape[0]):
        a, b = row_x[c * CHUNK : (c + 1) * CHUNK], row_y[c * CHUNK : (c + 1) * CHUNK]
        least = np.float32(1e30)
        for j in range(a.shape[0]):
            least = min(least, max(a[j], b[j]))
        out[c] = least


@kernel
def smallest(values: Any, k: int, best: Any) -> Any:
    """The k-th smallest of values, or a number above all if there are fewer; `best` is room for k."""
    best[:k] = np.float32(1e30)
    for i in range(values.shape[0]):
        value = values[i]
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
def nearest(mx: int, my: int, x: Any, y: Any, i: int, row_x: Any, row_y: Any, minima: Any, large_x: float,
            large_y: float, k: int, rough: Any, best: Any, index: Any) -> None:  # fmt: skip
    """The k nearest points of point i, exact joint distances in order, from rows (tiles, width) and chunk minima.

    As many chunks as k + 1 have a point, one of which may be i itself, within the (k + 1)-th smallest of the minima.
    """
    best[:k] = FAR
    index[:k] = -1
    bound = smallest(minima, k + 1, rough)
    limit = bound
    if bound < np.float32(1e29):
        limit = joint_high(mx, my, x, y, large_x, large_y, float(bound))
        limit = joint_high(mx, my, x, y, large_x, large_y, float(limit))
    chunks = row_x.shape[1] // CHUNK
    for c in range(minima.shape[0]):
        if minima[c] >= limit:
            continue
        first = (c % chunks) * CHUNK
        a, b = row_x[c // chunks, first : first + CHUNK], row_y[c // chunks, first : first + CHUNK]
        for s in range(CHUNK):
            if max(a[s], b[s]) < limit:
                j = c * CHUNK + s
                if j == i or j >= x.shape[0]:
                    continue
                distance = max(exact(mx, x, i, j), exact(my, y, i, j))
                if distance < best[k - 1]:
                    insert(best, index, k, distance, j)
                    if best[k - 1] < FAR:
                        limit = min(limit, joint_high(mx, my, x, y, large_x, large_y, best[k - 1]))


@kernel
def _tally(part: Any, low: Any, high: Any) -> Any:
    surely = perhaps = np.int32(0)
    for j in range(part.shape[0]):
        surely += np.int32(part[j] < low)
        perhaps += np.int32(part[j] < high)
    return surely, perhaps


@kernel
def count(metric: int, points: Any, i: int, rows: Any, large: float, radius: Any, inclusive: bool) -> int:
    """How many points other than i are nearer to it than the radius, or as near, from its distances (tiles, width)."""
    low, high = band(metric, points.shape[1], large, radius)
    found = -1 if inclusive or radius > 0.0 else 0  # i itself
    for t in range(rows.shape[0]):
        for first in range(0, rows.shape[1], _TALLY):
            part = rows[t, first : first + _TALLY]
            surely, perhaps = _tally(part, low, high)
            found += surely
            if perhaps == surely:
                continue
            for s in range(part.shape[0]):
                if low <= part[s] < high:
                    j = t * rows.shape[1] + first + s
                    if j < points.shape[0]:
                        distance = exact(metric, points, i, j)
                        found += int(distance < radius or (inclusive and distance == radius))
    return found
