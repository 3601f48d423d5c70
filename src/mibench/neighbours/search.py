"""Neighbours of every point of a sample, in the way that is fastest for its dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mibench.errors import DataError
from mibench.neighbours import METRICS
from mibench.neighbours.brute import brute_counts, brute_nearest, brute_within
from mibench.neighbours.metrics import (
    CHEBYSHEV,
    CHEBYSHEV_SQUARED,
    EUCLIDEAN,
    MANHATTAN,
    MANHATTAN_SQUARED,
)
from mibench.neighbours.rows import CHUNK
from mibench.neighbours.scale import exponent, scaled
from mibench.neighbours.tree import Tree, build
from mibench.neighbours.tree_search import count_in_tree, count_sorted, extents_in_tree, nearest_in_tree
from mibench.threads import share
from mibench.types import Array, Indices, Mask

_SQUARED = {CHEBYSHEV: CHEBYSHEV_SQUARED, MANHATTAN: MANHATTAN_SQUARED, EUCLIDEAN: EUCLIDEAN}
_TILE = 1024
_PAD = np.float32(1e15)  # where the last tile has no point: beyond all others, and its square is still finite
_LEAST_LEAVES = 1
_LEAST_QUERIES = 64


@dataclass(frozen=True, eq=False)
class Counts:
    """For each point and each k: how many others lie within its k-th neighbour's reach in x, in y, and in both.

    `apart` says whether that neighbour is elsewhere at all, and `tied` whether another of the k nearest (for k = 1: the
    second) is exactly as far; with boxes, also whether all of them have one place in x, or in y. Each is of shape (n,
    number of k).
    """

    x: Indices
    y: Indices
    both: Indices
    apart: Mask
    tied: Mask


def count_neighbours(
    x: Array,
    y: Array,
    ks: Sequence[int],
    metrics: tuple[str, str],
    *,
    n_jobs: int = 1,
    inclusive: bool = False,
    boxes: bool = False,
) -> Counts:
    """For each point and each k, how many others are nearer in x, and in y, than its k-th neighbour in both.

    The distance of two points in both is the greater of their distances in x and in y. With `inclusive`, those just as
    near count, and `both` is how many are as near as the k-th in both, which is more than k where there are ties. With
    `boxes`, the reach in x is how far those points extend in x, and the same in y (Kraskov et al., 2004, Fig. 1b).

    >>> x, y = np.array([[0.0], [1.0], [2.0], [5.0]]), np.array([[0.0], [3.0], [2.5], [4.0]])
    >>> count_neighbours(x, y, (1,), ("chebyshev", "chebyshev")).x.ravel().tolist()
    [2, 0, 0, 0]
    """
    mx, my = _codes(metrics, x.shape[1], y.shape[1])
    n, kinds = len(x), len(ks)
    _check_neighbours(min(ks), max(ks), n)
    x, y = scaled(x, y)
    order: Indices = np.argsort(np.asarray(ks))
    sorted_ks = np.asarray(ks, dtype=np.int64)[order]
    count_x, count_y, inside = (np.empty((n, kinds), np.int64) for _ in range(3))
    found = Counts(count_x, count_y, inside, *(np.empty((n, kinds), np.bool_) for _ in range(2)))
    if _tree_pays(n, x.shape[1] + y.shape[1]):
        _by_trees(mx, my, x, y, sorted_ks, n_jobs, inclusive, boxes, found)
    else:
        _by_brute_force(mx, my, x, y, sorted_ks, n_jobs, inclusive, boxes, found)
    if kinds == 1:
        return found
    back = np.argsort(order)
    count_x, count_y, inside = (v[:, back] for v in (found.x, found.y, found.both))
    return Counts(count_x, count_y, inside, found.apart[:, back], found.tied[:, back])


def nearest(points: Array, k: int, metric: str = "euclidean", n_jobs: int = 1) -> tuple[Array, Indices]:
    """For each point its k nearest others: their distances in order, and which they are, (n, k) each.

    >>> distances, indices = nearest(np.array([[0.0], [1.0], [3.0]]), k=1)
    >>> distances.ravel().tolist(), indices.ravel().tolist()
    ([1.0, 1.0, 2.0], [1, 0, 1])
    """
    code = METRICS.index(metric) if points.shape[1] > 1 else CHEBYSHEV
    distances, indices = _nearest(code, scaled(points)[0], k, n_jobs)
    plain = np.sqrt(distances) if code == EUCLIDEAN else distances
    return np.ldexp(plain, exponent(points)), indices


def _nearest(code: int, unit: Array, k: int, n_jobs: int) -> tuple[Array, Indices]:
    """The same for points whose coordinates are at most 1, with distances as kernels have them."""
    _check_neighbours(k, k, len(unit))
    distances, indices = np.empty((len(unit), k)), np.empty((len(unit), k), np.int64)
    if _tree_pays(*unit.shape):
        _tree_nearest(code, CHEBYSHEV, unit.shape[1], build(unit, n_jobs), k, n_jobs, distances, indices)
        return distances, indices
    nothing = np.empty((len(unit), 0))
    tiles, none = _tiles(unit), _tiles(nothing)

    def some(start: int, stop: int) -> None:
        brute_nearest(code, tiles, none, unit, nothing, unit.mean(axis=0), k, start, stop, distances, indices)

    share(n_jobs, len(unit), some, _LEAST_QUERIES)
    return distances, indices


def count_within_groups(
    points: Array, groups: Indices, k: int, metric: str, n_jobs: int = 1
) -> tuple[Indices, Indices]:
    """For each point, how many others are as near as its k-th neighbour among those of its group: of all, of the group.

    Each group has 2 or more points; where it has no more than k, its farthest stands for the k-th. Groups are numbered
    from 0.

    >>> points = np.array([[0.0], [1.0], [3.0], [9.0]])
    >>> of_all, of_group = count_within_groups(points, np.array([0, 1, 0, 1]), k=1, metric="euclidean")
    >>> of_all.tolist(), of_group.tolist()
    ([2, 3, 2, 2], [1, 1, 1, 1])
    """
    code = METRICS.index(metric) if points.shape[1] > 1 else CHEBYSHEV
    unit = scaled(points)[0]
    radii, of_group = np.empty(len(points)), np.empty(len(points), np.int64)
    for members in np.split(np.argsort(groups, kind="stable"), np.cumsum(np.bincount(groups))[:-1]):
        own, least = np.ascontiguousarray(unit[members]), min(k, len(members) - 1)
        reach = np.ascontiguousarray(_nearest(code, own, least, n_jobs)[0][:, least - 1])
        radii[members], of_group[members] = reach, _Side(own, n_jobs).count(code, reach, inclusive=True, n_jobs=n_jobs)
    return _Side(unit, n_jobs).count(code, radii, inclusive=True, n_jobs=n_jobs), of_group


def _by_trees(
    mx: int, my: int, x: Array, y: Array, ks: Indices, n_jobs: int, inclusive: bool, boxes: bool, found: Counts
) -> None:
    n, dim_x = x.shape
    joint = build(np.hstack([x, y]), n_jobs)
    most = _most(ks, n)
    distances = np.empty((n, most))
    _tree_nearest(mx, my, dim_x, joint, most, n_jobs, distances, np.empty((0, most), np.int64))
    side_x, side_y = _Side(x, n_jobs), _Side(y, n_jobs)
    for m, k in enumerate(ks):
        radii = np.ascontiguousarray(distances[:, k - 1])
        found.apart[:, m] = radii > 0.0
        found.tied[:, m] = radii == distances[:, k - 2 if k > 1 else 1] if most > 1 else False
        reach_x = reach_y = radii
        if inclusive:
            *extents, found.both[:, m] = _tree_extents(mx, my, dim_x, joint, radii, n_jobs)
            if boxes:
                reach_x, reach_y = extents
                found.tied[:, m] |= (reach_x == 0.0) | (reach_y == 0.0)
        found.x[:, m] = side_x.count(mx, reach_x, inclusive, n_jobs)
        found.y[:, m] = side_y.count(my, reach_y, inclusive, n_jobs)


class _Side:
    """One of x and y, ready for counting: values in order if they are of one coordinate, a tree, or all pairs."""

    def __init__(self, points: Array, n_jobs: int) -> None:
        self.n, dim = points.shape
        self.points = points
        self.sorted: tuple[Indices, Array] | None = None
        self.tree: Tree | None = None
        if dim == 1:
            order = np.argsort(points[:, 0])
            self.sorted = order, points[order, 0]
        elif _tree_pays(self.n, dim):
            self.tree = build(points, n_jobs)

    def count(self, metric: int, radii: Array, inclusive: bool, n_jobs: int) -> Indices:
        """For each point, how many others are nearer than its radius, or as near."""
        counts = np.empty(self.n, np.int64)
        if self.sorted is not None:
            order, values = self.sorted

            def some_sorted(start: int, stop: int) -> None:
                count_sorted(values, metric >= EUCLIDEAN, radii, inclusive, start, stop, order, counts)

            share(n_jobs, self.n, some_sorted, 1024)
            return counts
        if self.tree is None:
            tiles, shift = _tiles(self.points), self.points.mean(axis=0)

            def some_pairs(start: int, stop: int) -> None:
                brute_within(metric, tiles, self.points, shift, radii, inclusive, start, stop, counts)

            share(n_jobs, self.n, some_pairs, _LEAST_QUERIES)
            return counts
        t = self.tree

        def some(start: int, stop: int) -> None:
            count_in_tree(
                metric, self.n, t.low, t.high, t.leaves, t.nodes, radii, inclusive, start, stop, t.order, counts
            )

        share(n_jobs, len(t.leaves), some, _LEAST_LEAVES)
        return counts


def _tree_nearest(
    mx: int, my: int, dim_x: int, t: Tree, k: int, n_jobs: int, distances: Array, indices: Indices
) -> None:
    n = len(distances)
    if mx == my == CHEBYSHEV:  # in both together the same again
        dim_x = t.leaves.shape[1]

    def some(start: int, stop: int) -> None:
        nearest_in_tree(mx, my, dim_x, n, t.low, t.high, t.leaves, t.nodes, k, start, stop, t.order, distances, indices)

    share(n_jobs, len(t.leaves), some, _LEAST_LEAVES)


def _tree_extents(mx: int, my: int, dim_x: int, t: Tree, radii: Array, n_jobs: int) -> tuple[Array, Array, Indices]:
    """For each point, how far the others within its radius reach in x and in y, and how many they are."""
    n = len(radii)
    reach_x, reach_y, inside = np.empty(n), np.empty(n), np.empty(n, np.int64)

    def some(start: int, stop: int) -> None:
        extents_in_tree(
            mx, my, dim_x, n, t.low, t.high, t.leaves, t.nodes, radii, start, stop, t.order, reach_x, reach_y, inside
        )

    share(n_jobs, len(t.leaves), some, _LEAST_LEAVES)
    return reach_x, reach_y, inside


def _by_brute_force(
    mx: int, my: int, x: Array, y: Array, ks: Indices, n_jobs: int, inclusive: bool, boxes: bool, found: Counts
) -> None:
    tiles_x, tiles_y = _tiles(x), _tiles(y)
    shift_x, shift_y, most = x.mean(axis=0), y.mean(axis=0), _most(ks, len(x))

    def some(start: int, stop: int) -> None:
        brute_counts(
            mx, my, tiles_x, tiles_y, x, y, shift_x, shift_y, ks, most, inclusive, boxes, start, stop,
            found.x, found.y, found.both, found.apart, found.tied,
        )  # fmt: skip

    share(n_jobs, len(x), some, _LEAST_QUERIES)


def _tree_pays(n: int, dim: int) -> bool:
    """Whether a tree is faster than looking at all pairs: up to 8 dimensions, for few points, and for very many.

    Measured on normal points, for 2 to 16 dimensions and 300 to 30 000 points.
    """
    return n < 1000 or n > 4000.0 * (dim - 7.5)


def _codes(metrics: tuple[str, str], dim_x: int, dim_y: int) -> tuple[int, int]:
    """The metrics as kernels have them: of one coordinate all are the same, and beside squares stand squares."""
    mx, my = (METRICS.index(name) if dim > 1 else CHEBYSHEV for name, dim in zip(metrics, (dim_x, dim_y), strict=True))
    return (_SQUARED[mx], _SQUARED[my]) if EUCLIDEAN in (mx, my) else (mx, my)


def _most(ks: Indices, n: int) -> int:
    """How many neighbours to find: one more where a single one could not be seen to be tied."""
    return max(int(ks[-1]), min(2, n - 1))


def _check_neighbours(fewest: int, most: int, n: int) -> None:
    """Compiled code relies on each point having so many others."""
    if not 1 <= fewest <= most < n:
        raise DataError(f"k must be from 1 to {n - 1}, as each of {n} points has so many others, got {fewest}, {most}")


def _tiles(points: Array) -> Any:
    """Centred points in single precision, (tiles, dim, width)."""
    n, dim = points.shape
    width = min(_TILE, -(-n // CHUNK) * CHUNK)
    count = -(-n // width)
    padded = np.full((count * width, dim), _PAD, np.float32)
    padded[:n] = points - points.mean(axis=0)
    return np.ascontiguousarray(padded.reshape(count, width, dim).transpose(0, 2, 1))
