"""Mutual information by counting points in cells that are split wherever the points in them are uneven."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mibench import checks
from mibench.errors import ParameterError
from mibench.estimators.base import Estimate, Estimator
from mibench.identity import register
from mibench.types import Array, Indices

_STARVED = 0.05  # from this share of points on, cells that are to be split and hold too few are spoken of


@register
@dataclass(frozen=True)
class AdaptivePartition(Estimator):
    """The sum of (n_xy / n) log(n n_xy / (n_x n_y)) over cells that are split until the points in each are even.

    G. A. Darbellay and I. Vajda, "Estimation of the information by an adaptive partitioning of the observation space"
    (1999). A cell is a box of X times a box of Y: n_xy points are in it, n_x of all points in its box of X, n_y in its
    box of Y. To split it is to cut both boxes across each of their axes, at the median of all the points in that box,
    and to pair the parts that hold points. A cell is split if it holds at least as many points as there are pairs, and
    a chi-squared test at the level `significance` rejects that they fall on the pairs in proportion to n_x n_y of each
    (degrees of freedom: pairs - 1). The first split needs no test, as halves are even where Y = X^2. Equal values are
    not cut apart: they go to the side where the middle of their ranks is. The first split, the least number of points
    and boxes of several axes are our choices. Increasing maps of the axes make no difference.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=10_000, seed=0)
    >>> round(AdaptivePartition().estimate(draws.x, draws.y).mi, 2)
    0.41
    """

    significance: float = 0.05

    def __post_init__(self) -> None:
        """Check the parameter."""
        wanted = "a number between 0 and 1, such as 0.05"
        significance = checks.positive("significance", self.significance, wanted)
        if significance >= 1.0:
            raise ParameterError(f"significance must be {wanted}, got {significance!r}")
        checks.settle(self, significance=significance)

    def _estimate(self, x: Array, y: Array) -> Estimate:
        n, boxes_x, boxes_y = len(x), _Boxes(x), _Boxes(y)
        inside = np.arange(n)  # the points in cells that may yet be split
        whole = _cells(boxes_x, boxes_y, inside)
        found, final, starved = 0.0, 0, 0
        while inside.size:
            x_of, y_of = boxes_x.place[whole.member], boxes_y.place[whole.member]
            pairs = boxes_x.halve()[x_of] * boxes_y.halve()[y_of]
            pair, first = _cells(boxes_x, boxes_y, inside), np.empty(n, dtype=np.int64)
            first[inside] = whole.place
            of = first[pair.member]
            uneven = _probability(whole, pair, of, pairs) < self.significance
            wanted = (pairs > 1) & ((whole.held == n) | uneven)
            split = wanted & (whole.held >= pairs)
            found += float((whole.held * np.log(whole.held / whole.product))[~split].sum())
            final += int((~split).sum())
            starved += int(whole.held[wanted & ~split].sum())
            kept, stays = split[of], split[whole.place]
            place = (np.cumsum(kept) - 1)[pair.place[stays]]
            inside, whole = inside[stays], _Cells(place, pair.member[kept], pair.held[kept], pair.product[kept])
        said = f"{starved} of {n} points are in cells with too few points to split, so the estimate may be far off"
        advice = f"{said}; use fewer columns or more points"
        return Estimate(found / n, warnings=(advice,) if starved > _STARVED * n else (), info={"cells": final})


class _Boxes:
    """The boxes that all points of one side are in: `place` is each point's, `size` how many points each holds."""

    def __init__(self, points: Array) -> None:
        n = len(points)
        self.place: Indices = np.zeros(n, dtype=np.int64)
        self.size: Indices = np.array([n], dtype=np.int64)
        self.orders = [np.argsort(column) for column in points.T]  # the points by box, and by value in each
        self.values = [column[order] for column, order in zip(points.T, self.orders, strict=True)]

    def halve(self) -> Indices:
        """Cut each box across all of its axes, at the medians of its points; how many parts each had."""
        part, parent = self.place, np.arange(self.size.size)
        for upper in [self._upper(axis) for axis in range(len(self.orders))]:
            code = 2 * part + upper
            occupied = np.bincount(code) > 0
            part = (np.cumsum(occupied) - 1)[code]
            parent = parent[np.flatnonzero(occupied) // 2]
        self.place, self.size = part, np.bincount(part)
        return np.bincount(parent)

    def _upper(self, axis: int) -> Indices:
        """Whether each point is in the upper half of its box: 1 or 0, equal values alike."""
        box = self.place[self.orders[axis]]
        sort = np.argsort(box, kind="stable")  # of a few runs, which takes nearly no time
        box, order, value = box[sort], self.orders[axis][sort], self.values[axis][sort]
        self.orders[axis], self.values[axis] = order, value
        begin = np.flatnonzero(np.append(True, (box[1:] != box[:-1]) | (value[1:] != value[:-1])))
        count, here = np.diff(begin, append=len(order)), box[begin]
        below = begin - (np.cumsum(self.size) - self.size)[here]
        upper = np.empty(len(order), dtype=np.int64)
        upper[order] = np.repeat(2 * below + count >= self.size[here], count)
        return upper


class _Cells(NamedTuple):
    """Cells that hold points: each point's cell, a point of each cell, how many points, how many if independent."""

    place: Indices
    member: Indices
    held: Indices
    product: Array


def _cells(boxes_x: _Boxes, boxes_y: _Boxes, inside: Indices) -> _Cells:
    """The cells of the points inside, which are numbered from 0."""
    n, here_x, here_y = len(boxes_x.place), boxes_x.place[inside], boxes_y.place[inside]
    _, first, place, held = np.unique(here_x * n + here_y, return_index=True, return_inverse=True, return_counts=True)
    return _Cells(place, inside[first], held, boxes_x.size[here_x[first]] * boxes_y.size[here_y[first]] / n)


def _probability(whole: _Cells, pair: _Cells, of: Indices, pairs: Indices) -> Array:
    """How probable counts as uneven as those of its pairs are by chance, for each cell, where pairs are `of` cells."""
    from scipy.special import chdtrc

    squares = np.bincount(of, pair.held**2 / pair.product) * whole.product / whole.held
    return chdtrc(pairs - 1.0, squares - whole.held)
