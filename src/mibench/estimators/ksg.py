"""Mutual information from nearest neighbours: the two estimators of Kraskov, Stögbauer and Grassberger."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, cast

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import ParameterError
from mibench.estimators.base import Estimate, Points, ThreadedEstimator, checked_points
from mibench.estimators.digamma import digamma
from mibench.estimators.scales import check_scales, unseen, unseen_by_boxes
from mibench.estimators.ties import jittered, ties
from mibench.identity import register
from mibench.neighbours import METRICS
from mibench.types import Array

if TYPE_CHECKING:
    from mibench.neighbours.search import Counts

_MOST_NEIGHBOURS = 1000


@dataclass(frozen=True)
class NeighbourEstimator(ThreadedEstimator):
    """What the estimators share that look at the k nearest neighbours of each point: k, metrics and jitter."""

    k: int | tuple[int, ...] = 10
    metric: str | tuple[str, str] = "chebyshev"
    jitter: float = 0.0
    seed: int = 0
    bias_of_ties: ClassVar[float] = 0.0  # nats for each tied point and each 1/k; 0 where ties do no harm

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.settle(self, k=_neighbours(self.k), metric=_metric(self.metric))
        checks.settle(self, jitter=_jitter(self.jitter), seed=checks.whole("seed", self.seed, least=0))

    @property
    def ks(self) -> tuple[int, ...]:
        """Every k, in the order given."""
        return self.k if isinstance(self.k, tuple) else (self.k,)

    @property
    def metrics(self) -> tuple[str, str]:
        """The metric of x and that of y."""
        return self.metric if isinstance(self.metric, tuple) else (self.metric, self.metric)

    def least_points(self, dim_x: int, dim_y: int) -> int:  # noqa: ARG002
        """How many points it takes: each needs k others."""
        return max(self.ks) + 1

    def local(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        """What each point contributes to the mean: its local MI, of shape (n,), or (n, number of k) for several k.

        >>> import mibench as mi
        >>> draws = mi.task("1v1-normal-0.75").draw(n=1000, seed=0)
        >>> local = mi.KSG(k=10).local(draws.x, draws.y)
        >>> estimate = mi.KSG(k=10).estimate(draws.x, draws.y)
        >>> local.shape, round(float(local.mean()), 12) == round(estimate.mi, 12)
        ((1000,), True)
        """
        points = checked_points(self, x, y)
        if points.is_trivial:
            found = np.zeros((len(points.x), len(self.ks)))
        else:
            found = self._local(*self._told_apart(points.x, points.y))[0]
        return found if isinstance(self.k, tuple) else found[:, 0]

    def _estimate(self, x: Array, y: Array) -> Estimate:
        return self._from_points(Points.plain(x, y))

    def _from_points(self, points: Points) -> Estimate:
        x, y = self._told_apart(points.x, points.y)
        local, counts = self._local(x, y)
        by_k = [float(column.mean()) for column in local.T]
        info = {"mi_by_k": dict(zip(map(str, self.ks), by_k, strict=True))} if isinstance(self.k, tuple) else {}
        told = replace(points, x=x, y=y)
        said = self._unseen(told, counts)
        if self.bias_of_ties:
            said += ties(told, counts.tied, counts.apart, self.ks, self.bias_of_ties)
        return Estimate(float(np.mean(by_k)), warnings=said, info=info)

    def _told_apart(self, x: Array, y: Array) -> tuple[Array, Array]:
        check_scales(x, y, self.metrics)
        return jittered(x, y, self.jitter, self.seed) if self.jitter else (x, y)

    def _unseen(self, points: Points, counts: Counts) -> tuple[str, ...]:
        """What there is to say of scales that let one side decide alone."""
        return unseen(points, counts, self.ks)

    @abstractmethod
    def _local(self, x: Array, y: Array) -> tuple[Array, Counts]:
        """What each point contributes for each k, (n, ks), and the neighbours that were counted for it."""


@register
@dataclass(frozen=True)
class KSG(NeighbourEstimator):
    """psi(k) + psi(n) - mean of psi(n_x + 1) + psi(n_y + 1): the first estimator of Kraskov et al.

    A. Kraskov, H. Stögbauer and P. Grassberger, "Estimating mutual information", Phys. Rev. E 69 (2004), eq. 8; Beyond
    Normal, Appendix C. n_x and n_y count the points that are nearer in x, and in y, than the k-th neighbour in both,
    where the distance in both is the greater of the two. `metric` is "chebyshev" (theirs), "euclidean" or "manhattan",
    or a pair of these, for x and for y. Several k share one search; the estimate is their mean, and `info` has each.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=10_000, seed=0)
    >>> round(KSG(k=10).estimate(draws.x, draws.y).mi, 1)
    0.4
    >>> sorted(KSG(k=(5, 10)).estimate(draws.x, draws.y).info["mi_by_k"])
    ['10', '5']
    """

    bias_of_ties: ClassVar[float] = 2.0

    def _local(self, x: Array, y: Array) -> tuple[Array, Counts]:
        from mibench.neighbours.search import count_neighbours

        found = count_neighbours(x, y, self.ks, self.metrics, n_jobs=self.n_jobs)
        local = digamma(np.array(self.ks)) + digamma(len(x)) - digamma(found.x + 1) - digamma(found.y + 1)
        return local, found


@register
@dataclass(frozen=True)
class KSG2(NeighbourEstimator):
    """psi(k) - 1/k + psi(n) - mean of psi(n_x) + psi(n_y): the second estimator of Kraskov et al.

    A. Kraskov, H. Stögbauer and P. Grassberger, "Estimating mutual information", Phys. Rev. E 69 (2004), eq. 9; Beyond
    Normal, Appendix "Hyperparameter Selection". The k nearest points span a box, as wide in x and in y as they
    reach; n_x and n_y count the points within its width in x, and in y, its border included. Where more than k
    points are as near as the k-th, k is how many they are. Parameters are those of `KSG`.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=10_000, seed=0)
    >>> round(KSG2(k=10).estimate(draws.x, draws.y).mi, 1)
    0.4
    """

    bias_of_ties: ClassVar[float] = -1.0

    def _local(self, x: Array, y: Array) -> tuple[Array, Counts]:
        from mibench.neighbours.search import count_neighbours

        found = count_neighbours(x, y, self.ks, self.metrics, n_jobs=self.n_jobs, inclusive=True, boxes=True)
        local = digamma(found.both) - 1.0 / found.both + digamma(len(x)) - digamma(found.x) - digamma(found.y)
        return local, found

    def _unseen(self, points: Points, counts: Counts) -> tuple[str, ...]:  # noqa: ARG002
        return unseen_by_boxes(counts, self.ks)


def _neighbours(value: object) -> int | tuple[int, ...]:
    if not isinstance(value, tuple | list):
        return checks.whole("k", value, least=1, most=_MOST_NEIGHBOURS)
    several = tuple(checks.whole("k", k, least=1, most=_MOST_NEIGHBOURS) for k in cast("Sequence[object]", value))
    if not several or len(set(several)) < len(several):
        raise ParameterError(f"k must be a whole number, or several that differ, got {several}")
    return several


def _metric(value: object) -> str | tuple[str, str]:
    pair = tuple(cast("Sequence[object]", value)) if isinstance(value, tuple | list) else (value, value)
    if len(pair) != 2 or not all(isinstance(name, str) and name in METRICS for name in pair):
        raise ParameterError(f"metric must be one of {', '.join(METRICS)}, or a pair of these, got {value!r}")
    return value if isinstance(value, str) else (str(pair[0]), str(pair[1]))


def _jitter(value: object) -> float:
    jitter = checks.number("jitter", value, "a number from 0 to 1")
    if not 0.0 <= jitter <= 1.0:
        raise ParameterError(f"jitter must be a number from 0 to 1, got {value!r}")
    return jitter
