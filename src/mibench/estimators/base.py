"""What every estimator shares: points checked once at the border, an estimate that says what it rests on."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from mibench import checks, threads
from mibench.errors import DataError, EstimateFailed
from mibench.types import Array


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
    """What an estimator works on: x (n, dim_x) and y (n, dim_y), finite doubles, each constant column left out."""

    x: Array
    y: Array
    warnings: tuple[str, ...]

    @property
    def is_trivial(self) -> bool:
        """Whether x or y has no column but constant ones, so that the MI is 0."""
        return not self.x.shape[1] or not self.y.shape[1]


class Estimator(ABC):
    """An estimator of the mutual information of X and Y from points (x, y).

    A subclass is a frozen dataclass whose fields are its parameters; it gives `_estimate`, and `least_points` if it
    needs more than two.
    """

    def estimate(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Estimate:
        """Estimate the MI from points: x and y as (n, dim) arrays, or of one coordinate as (n,), row by row a pair.

        NumPy arrays, lists, pandas and Polars frames will do; what is given is never changed. Columns that are
        constant say nothing of anything; they are left out, with a warning.
        """
        points = checked_points(self, x, y)
        if points.is_trivial:
            return Estimate(0.0, warnings=points.warnings)
        with np.errstate(all="ignore"):
            found = self._estimate(points.x, points.y)
        if not math.isfinite(found.mi):
            raise EstimateFailed(f"{self} gave {found.mi} instead of a number; standardise the columns first")
        return Estimate(float(found.mi), found.interval, points.warnings + found.warnings, found.info)

    @abstractmethod
    def _estimate(self, x: Array, y: Array) -> Estimate:
        """The estimate from points that have been checked."""

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
    left, right = (np.ascontiguousarray(checks.points(name, v)) for name, v in (("x", x), ("y", y)))
    if len(left) != len(right):
        raise DataError(f"x and y must have as many rows, got {len(left)} and {len(right)}; each row is a pair")
    if not left.shape[1] or not right.shape[1]:
        raise DataError(f"x and y need at least 1 column each, got {left.shape[1]} and {right.shape[1]}")
    (left, said_x), (right, said_y) = (_without_constants(name, v) for name, v in (("x", left), ("y", right)))
    n, least = len(left), estimator.least_points(left.shape[1], right.shape[1])
    if n < least:
        raise DataError(f"{estimator} needs at least {least} points for these dims, got {n}")
    return Points(left, right, said_x + said_y)


def _without_constants(name: str, points: Array) -> tuple[Array, tuple[str, ...]]:
    constant = np.flatnonzero((points == points[:1]).all(axis=0))
    if not constant.size or len(points) < 2:
        return points, ()
    which = ", ".join(str(j + 1) for j in constant[:10]) + (", ..." if constant.size > 10 else "")
    said = f"{name} has {constant.size} constant column{'s' * (constant.size > 1)} (column {which}), left out"
    return np.delete(points, constant, axis=1), (said,)
