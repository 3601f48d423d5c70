"""Scales of x and y that are so different that an estimator which looks at both together sees only one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from mibench.errors import EstimateFailed
from mibench.estimators.base import Points
from mibench.estimators.counts import distinct_rows
from mibench.neighbours.scale import exponent, merges
from mibench.types import Array, Mask

if TYPE_CHECKING:
    from mibench.neighbours.search import Counts

_NEARLY_ALL = 0.9
_MOST_NEIGHBOURS = 0.25  # of all points; with more, most others are nearer in x or in y whatever the scales
_UNSEEN = 0.5  # from this share of the points on, it is spoken of
_UNSEEN_BY_BOXES = 0.7  # which follow the points, so that where the other side decides it takes more to do harm


def check_scales(x: Array, y: Array, metrics: Sequence[str]) -> None:
    """Refuse points of which the distances in a column are lost beside those in the others."""
    power, squared = exponent(x, y), "euclidean" in metrics
    for name, column in [("x", column) for column in x.T] + [("y", column) for column in y.T]:
        if merges(column, power, squared):
            raise EstimateFailed(
                f"a column of {name} is so small beside the others, by a factor of 2^{exponent(column) - power}, that "
                "its distances are lost in double precision; standardise the columns first"
            )


def unseen(points: Points, counts: Counts, ks: Sequence[int]) -> tuple[str, ...]:
    """What there is to say of a side in which nearly all others are nearer than the k neighbours in both.

    `counts` has how many are nearer.
    """
    n, m = len(points.x), int(np.argmax(ks))
    if ks[m] > _MOST_NEIGHBOURS * n:
        return ()
    said: tuple[str, ...] = ()
    for name, values, nearer in (("x", points.x, counts.x[:, m]), ("y", points.y, counts.y[:, m])):
        crowded = nearer >= _NEARLY_ALL * (n - 1)
        if crowded.mean() > _UNSEEN:
            place, held = distinct_rows(values)
            crowded &= nearer >= held[place]  # not a value that nearly all points have
        why = f"nine in ten of the others are nearer in {name} than their neighbours in both"
        said += _told(name, crowded, _UNSEEN, why)
    return said


def unseen_by_boxes(counts: Counts, ks: Sequence[int]) -> tuple[str, ...]:
    """What there is to say of a side that has no part in which points are the k neighbours in both.

    `counts` has how many points are in the boxes that these neighbours span, borders included.
    """
    m = int(np.argmax(ks))
    in_x, in_y, both = counts.x[:, m], counts.y[:, m], counts.both[:, m]
    said: tuple[str, ...] = ()
    for name, other, crowded in (
        ("x", "y", (in_y == both) & (in_x > 2 * both)),
        ("y", "x", (in_x == both) & (in_y > 2 * both)),
    ):
        said += _told(name, crowded, _UNSEEN_BY_BOXES, f"the neighbours are those in {other} alone, whatever {name} is")
    return said


def _told(name: str, crowded: Mask, share: float, why: str) -> tuple[str, ...]:
    advice = "standardise the columns first, or use fewer of the other side"
    said = f"for {int(crowded.sum())} of {len(crowded)} points {why}, so that the estimate hardly sees {name}; {advice}"
    return (said,) if crowded.mean() > share else ()
