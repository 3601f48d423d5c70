"""What every estimator shares: points checked once at the border, an estimate that says what it rests on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mibench import checks, identity, threads
from mibench.errors import DataError, EstimateFailed, MiBenchError
from mibench.types import Array

_MOST_SHOWN = 10  # columns that a warning names


@dataclass(frozen=True)
class Estimate:
    """An estimate of mutual information in nats, with what there is to say about it.

    `interval` is a confidence interval or None, `warnings` are sentences for a person, `info` is data for a program.

    >>> estimate = Estimate(0.5, warnings=("x has 1 constant column (column 2)",))
    >>> float(estimate), estimate.interval
    (0.5, None)
    """

    mi: float
    interval: tuple[float, float] | None = None
    warnings: tuple[str, ...] = ()
    info: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def __float__(self) -> float:
        """The estimate as a number."""
        return float(self.mi)


@dataclass(frozen=True, eq=False)
class Points:
    """What an estimator works on: x (n, dim_x) and y (n, dim_y), finite doubles, each constant column left out.

    The labels are what a person calls the columns that are left.
    """

    x: Array
    y: Array
    warnings: tuple[str, ...]
    labels_x: tuple[str, ...]
    labels_y: tuple[str, ...]

    @staticmethod
    def plain(x: Array, y: Array) -> Points:
        """Points that have been checked, their columns called by their positions."""
        return Points(x, y, (), checks.column_labels(x, x.shape[1]), checks.column_labels(y, y.shape[1]))

    @property
    def is_trivial(self) -> bool:
        """Whether x or y has no column but constant ones, so that the MI is 0."""
        return not self.x.shape[1] or not self.y.shape[1]


class Estimator(ABC):
    """An estimator of the mutual information of X and Y from points (x, y).

    A subclass is a frozen dataclass whose fields are its parameters; it gives `_estimate`, or `_from_points` if it
    speaks of columns, and `least_points` if it needs more than two.
    """

    def estimate(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Estimate:
        """Estimate the MI from points: x and y as (n, dim) arrays, or of one coordinate as (n,), row by row a pair.

        NumPy arrays, lists, pandas and Polars frames will do; what is given is never changed. Columns that are
        constant say nothing of anything; they are left out, with a warning. Whole numbers too large for double
        precision are counted from the least of their column, which makes no difference to the MI.
        """
        points = checked_points(self, x, y)
        if points.is_trivial:
            return Estimate(0.0, warnings=points.warnings)
        with np.errstate(all="ignore"):
            found = self._from_points(points)
        if not math.isfinite(found.mi):
            raise EstimateFailed(f"{called(self)} gave {found.mi} instead of a number; standardise the columns first")
        return Estimate(float(found.mi), found.interval, points.warnings + found.warnings, found.info)

    @abstractmethod
    def _estimate(self, x: Array, y: Array) -> Estimate:
        """The estimate from points that have been checked."""

    def _from_points(self, points: Points) -> Estimate:
        """The same, with what the columns are called."""
        return self._estimate(points.x, points.y)

    def least_points(self, dim_x: int, dim_y: int) -> int:  # noqa: ARG002
        """How many points it takes."""
        return 2


@dataclass(frozen=True)
class ThreadedEstimator(Estimator):
    """An estimator that can use several threads: `n_jobs` of them, or -1 for all cores.

    Their number makes no difference to the estimate, and so is no part of the estimator's spelling.
    """

    n_jobs: int = field(default=1, compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        """Check the parameters."""
        checks.settle(self, n_jobs=threads.jobs("n_jobs", self.n_jobs))


def checked_points(estimator: Estimator, x: npt.ArrayLike, y: npt.ArrayLike) -> Points:
    """What a user gave as what an estimator works on, or an error that says what is wrong with it."""
    # In one layout, so that sums have one order whatever container the points came in.
    left, right = (np.ascontiguousarray(checks.points(name, v, movable=True)) for name, v in (("x", x), ("y", y)))
    if len(left) != len(right):
        raise DataError(f"x and y must have as many rows, got {len(left)} and {len(right)}; each row is a pair")
    if not left.shape[1] or not right.shape[1]:
        raise DataError(f"x and y need at least 1 column each, got {left.shape[1]} and {right.shape[1]}")
    labels = checks.column_labels(x, left.shape[1]), checks.column_labels(y, right.shape[1])
    (left, labels_x, said_x), (right, labels_y, said_y) = (
        _without_constants(name, v, own) for name, v, own in (("x", left, labels[0]), ("y", right, labels[1]))
    )
    n, least = len(left), estimator.least_points(left.shape[1], right.shape[1])
    if n < least:
        raise DataError(f"{called(estimator)} needs at least {least} points for these dims, got {n}")
    return Points(left, right, said_x + said_y, labels_x, labels_y)


def called(estimator: Estimator) -> str:
    """What an estimator is called in a message: its spelling, or its class if it has none."""
    try:
        return identity.spell(estimator)
    except MiBenchError:
        return type(estimator).__name__


def some_columns(labels: Sequence[str], which: Iterable[int]) -> str:
    """Columns by what they are called, in brackets, however many they are.

    >>> some_columns(("1", "2", "3"), (0, 2))
    '(column 1, 3)'
    """
    chosen = [labels[j] for j in which]
    return f"(column {', '.join(chosen[:_MOST_SHOWN])}{', ...' if len(chosen) > _MOST_SHOWN else ''})"


def _without_constants(
    name: str, points: Array, labels: tuple[str, ...]
) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """The points without columns of one value, the labels of those that are left, and what there is to say of it."""
    constant = np.flatnonzero((points == points[:1]).all(axis=0))
    if not constant.size or len(points) < 2:
        return points, labels, ()
    left = tuple(label for j, label in enumerate(labels) if j not in set(constant.tolist()))
    which = f"{constant.size} constant column{'s' * (constant.size > 1)} {some_columns(labels, constant)}"
    return np.delete(points, constant, axis=1), left, (f"{name} has {which}, left out",)
