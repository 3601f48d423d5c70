"""Distances: three metrics, computed for one pair exactly and for four queries against a tile of points at once.

A distance is kept in the form in which it is cheapest to compare: the Euclidean one as its square. Exact distances
are sums in the order of the coordinates, in double precision. Those against a tile are in single precision and only
tell which pairs need an exact look; `margin` bounds how far they may be off.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel, loose_kernel
from mibench.neighbours import METRICS

CHEBYSHEV, MANHATTAN, EUCLIDEAN = range(len(METRICS))  # from EUCLIDEAN on, a distance is kept squared
CHEBYSHEV_SQUARED, MANHATTAN_SQUARED = 3, 4  # to stand beside a Euclidean one

# Any distance that is smaller, squared, may be lost among the smallest single-precision numbers.
_FLOOR = 1e-36
_UNIT = 2.0**-24  # how far off rounding to single precision is


@kernel
def exact(metric: int, points: Any, i: int, j: int) -> float:
    """The distance of points i and j, in double precision."""
    found = 0.0
    if metric == EUCLIDEAN:
        for c in range(points.shape[1]):
            gap = points[i, c] - points[j, c]
            found += gap * gap
        return found
    if metric in (MANHATTAN, MANHATTAN_SQUARED):
        for c in range(points.shape[1]):
            found += abs(points[i, c] - points[j, c])
    else:
        for c in range(points.shape[1]):
            found = max(found, abs(points[i, c] - points[j, c]))
    return found * found if metric > EUCLIDEAN else found


@kernel
def band(metric: int, dim: int, largest: float, distance: float) -> tuple[Any, Any]:
    """Single-precision distances below the first are below `distance` for sure, from the second on they are above it.

    `largest` is the largest coordinate of the query, in absolute value.
    """
    plain = np.sqrt(distance) if metric >= EUCLIDEAN else distance
    each = 2.0 * (largest + plain)  # two coordinates are rounded, and their difference
    if metric == EUCLIDEAN:
        off = 2.0 * _UNIT * (np.sqrt(dim) * each + (dim + 4) * plain)
    elif metric in (MANHATTAN, MANHATTAN_SQUARED):
        off = 2.0 * _UNIT * dim * (each + plain)
    else:
        off = 2.0 * _UNIT * each
    low, high = max(0.0, plain - off), plain + off
    if metric >= EUCLIDEAN:
        low, high = low * low, high * high
    return np.float32(max(0.0, low * (1.0 - 1e-6) - _FLOOR)), np.float32(high * (1.0 + 1e-6) + _FLOOR)


@loose_kernel
def fill(metric: int, tile: Any, queries: Any, out: Any) -> None:
    """The distances of four queries (4, dim) to a tile of points (dim, width), in single precision, into (4, width)."""
    out[:] = 0.0
    c = 0
    while c + 4 <= tile.shape[0]:
        four, q = tile[c : c + 4], queries[:, c : c + 4]
        if metric == EUCLIDEAN:
            _euclidean_four(four, q, out)
        elif metric in (MANHATTAN, MANHATTAN_SQUARED):
            _manhattan_four(four, q, out)
        else:
            _chebyshev_four(four, q, out)
        c += 4
    while c < tile.shape[0]:
        _one(metric, tile[c : c + 1], queries[:, c], out)
        c += 1
    if metric > EUCLIDEAN:
        out *= out


@loose_kernel
def _one(metric: int, a: Any, q: Any, out: Any) -> None:
    q0, q1, q2, q3 = q[0], q[1], q[2], q[3]
    if metric == EUCLIDEAN:
        for j in range(out.shape[1]):
            out[0, j] += (a[0, j] - q0) * (a[0, j] - q0)
            out[1, j] += (a[0, j] - q1) * (a[0, j] - q1)
            out[2, j] += (a[0, j] - q2) * (a[0, j] - q2)
            out[3, j] += (a[0, j] - q3) * (a[0, j] - q3)
    elif metric in (MANHATTAN, MANHATTAN_SQUARED):
        for j in range(out.shape[1]):
            out[0, j] += abs(a[0, j] - q0)
            out[1, j] += abs(a[0, j] - q1)
            out[2, j] += abs(a[0, j] - q2)
            out[3, j] += abs(a[0, j] - q3)
    else:
        for j in range(out.shape[1]):
            out[0, j] = max(out[0, j], abs(a[0, j] - q0))
            out[1, j] = max(out[1, j], abs(a[0, j] - q1))
            out[2, j] = max(out[2, j], abs(a[0, j] - q2))
            out[3, j] = max(out[3, j], abs(a[0, j] - q3))


# Four queries by four coordinates at a time: each number that is loaded serves four distances. Written out, as loops
# within would not stay in vector registers.


@loose_kernel
def _chebyshev_four(a: Any, q: Any, out: Any) -> None:
    p0, p1, p2, p3 = q[0, 0], q[0, 1], q[0, 2], q[0, 3]
    r0, r1, r2, r3 = q[1, 0], q[1, 1], q[1, 2], q[1, 3]
    s0, s1, s2, s3 = q[2, 0], q[2, 1], q[2, 2], q[2, 3]
    u0, u1, u2, u3 = q[3, 0], q[3, 1], q[3, 2], q[3, 3]
    for j in range(out.shape[1]):
        a0, a1, a2, a3 = a[0, j], a[1, j], a[2, j], a[3, j]
        out[0, j] = max(max(out[0, j], max(abs(a0 - p0), abs(a1 - p1))), max(abs(a2 - p2), abs(a3 - p3)))
        out[1, j] = max(max(out[1, j], max(abs(a0 - r0), abs(a1 - r1))), max(abs(a2 - r2), abs(a3 - r3)))
        out[2, j] = max(max(out[2, j], max(abs(a0 - s0), abs(a1 - s1))), max(abs(a2 - s2), abs(a3 - s3)))
        out[3, j] = max(max(out[3, j], max(abs(a0 - u0), abs(a1 - u1))), max(abs(a2 - u2), abs(a3 - u3)))


@loose_kernel
def _manhattan_four(a: Any, q: Any, out: Any) -> None:
    p0, p1, p2, p3 = q[0, 0], q[0, 1], q[0, 2], q[0, 3]
    r0, r1, r2, r3 = q[1, 0], q[1, 1], q[1, 2], q[1, 3]
    s0, s1, s2, s3 = q[2, 0], q[2, 1], q[2, 2], q[2, 3]
    u0, u1, u2, u3 = q[3, 0], q[3, 1], q[3, 2], q[3, 3]
    for j in range(out.shape[1]):
        a0, a1, a2, a3 = a[0, j], a[1, j], a[2, j], a[3, j]
        out[0, j] += abs(a0 - p0) + abs(a1 - p1) + abs(a2 - p2) + abs(a3 - p3)
        out[1, j] += abs(a0 - r0) + abs(a1 - r1) + abs(a2 - r2) + abs(a3 - r3)
        out[2, j] += abs(a0 - s0) + abs(a1 - s1) + abs(a2 - s2) + abs(a3 - s3)
        out[3, j] += abs(a0 - u0) + abs(a1 - u1) + abs(a2 - u2) + abs(a3 - u3)


@loose_kernel
def _euclidean_four(a: Any, q: Any, out: Any) -> None:
    p0, p1, p2, p3 = q[0, 0], q[0, 1], q[0, 2], q[0, 3]
    r0, r1, r2, r3 = q[1, 0], q[1, 1], q[1, 2], q[1, 3]
    s0, s1, s2, s3 = q[2, 0], q[2, 1], q[2, 2], q[2, 3]
    u0, u1, u2, u3 = q[3, 0], q[3, 1], q[3, 2], q[3, 3]
    for j in range(out.shape[1]):
        a0, a1, a2, a3 = a[0, j], a[1, j], a[2, j], a[3, j]
        t0, t1, t2, t3 = a0 - p0, a1 - p1, a2 - p2, a3 - p3
        out[0, j] += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        t0, t1, t2, t3 = a0 - r0, a1 - r1, a2 - r2, a3 - r3
        out[1, j] += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        t0, t1, t2, t3 = a0 - s0, a1 - s1, a2 - s2, a3 - s3
        out[2, j] += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
        t0, t1, t2, t3 = a0 - u0, a1 - u1, a2 - u2, a3 - u3
        out[3, j] += t0 * t0 + t1 * t1 + t2 * t2 + t3 * t3
