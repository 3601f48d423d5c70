"""Objectives: what scores of pairs are worth, and which way to move them; the bounds of the paper's estimators.

An objective turns the score matrix of a batch, where the pairs on the diagonal are drawn together, into a value to be
maximised and its slopes, d(value) / d(scores). On held-out pairs it gives the value that decides when to stop, the
estimate of the MI, and what is to be subtracted from scores to make them pointwise MI.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from mibench.estimators.neural.critics import Critic, Singles
from mibench.estimators.neural.pairs import Pairs
from mibench.types import Array

HIGHEST = 15.0  # the logarithm of the steepest slope: beyond, one batch would overflow Adam's moments, or freeze them
_APART = 2**20  # pairs apart that MINE is tested on, or somewhat more:
_LEAST_BATCH = 16


class Objective(ABC):
    """An objective of the scores of all pairs of a batch."""

    @abstractmethod
    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The value of a square matrix of scores, and its derivatives by each of them."""

    @abstractmethod
    def value(self, pairs: Pairs) -> float:
        """The value on held-out pairs, which training maximises."""

    def mi(self, pairs: Pairs) -> float:
        """The estimate of the MI: the value itself, for a lower bound."""
        return self.value(pairs)

    free_in_x: ClassVar[bool] = False  # whether the best scores are pointwise MI but for a function of x

    def offset(self, pairs: Pairs) -> float:  # noqa: ARG002
        """What is to be subtracted from a score to make it a pointwise MI, unless they differ by a function of x."""
        return 0.0

    def ascent(
        self,
        critic: Critic,
        x: Singles,
        y: Singles,
        rng: np.random.Generator,  # noqa: ARG002
        memory: dict[str, Any],  # noqa: ARG002
    ) -> tuple[float, Singles]:
        """The value of a batch and its gradient by the critic's parameters; `memory` lasts for a training."""
        value, slopes = self.slopes(critic.all_pairs(x, y))
        return value, critic.all_pairs_gradient(x, y, slopes)


@dataclass(frozen=True)
class DonskerVaradhanBound(Objective):
    """mean f(x, y) - log mean exp f(x, y'): M. D. Donsker and S. R. S. Varadhan (1983).

    The second mean is over all pairs of a batch that are not drawn together.
    """

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The bound and its derivatives."""
        n, together, weights, log_mean = _apart(scores)
        weights *= -1.0
        np.fill_diagonal(weights, 1.0 / n)
        return float(together.mean() - log_mean), weights

    def value(self, pairs: Pairs) -> float:
        """The bound."""
        return float(pairs.together.mean()) - pairs.log_mean_exp()

    def offset(self, pairs: Pairs) -> float:
        """The logarithm of the mean of exp f over pairs apart, which is 0 for pointwise MI."""
        return pairs.log_mean_exp()


@dataclass(frozen=True)
class NWJBound(Objective):
    """mean f(x, y) - mean exp(f(x, y') - 1): X. Nguyen, M. J. Wainwright and M. I. Jordan (2010).

    Where it is highest, f - 1 is the pointwise MI.
    """

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The bound and its derivatives."""
        n, together, weights, log_mean = _apart(scores)
        weights *= -math.exp(min(log_mean - 1.0, HIGHEST))
        np.fill_diagonal(weights, 1.0 / n)
        return float(together.mean()) - math.exp(min(log_mean - 1.0, 700.0)), weights

    def value(self, pairs: Pairs) -> float:
        """The bound."""
        return float(pairs.together.mean()) - _exp(pairs.log_mean_exp() - 1.0)

    def offset(self, pairs: Pairs) -> float:  # noqa: ARG002
        """One."""
        return 1.0


@dataclass(frozen=True)
class InfoNCEBound(Objective):
    """mean of f(x_i, y_i) - log mean_j exp f(x_i, y_j): A. van den Oord, Y. Li and O. Vinyals (2018)."""

    free_in_x: ClassVar[bool] = True

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The bound and its derivatives."""
        n = len(scores)
        largest = scores.max(axis=1, keepdims=True)
        weights = np.exp(scores - largest)
        sums = weights.sum(axis=1, keepdims=True)
        value = float((scores.diagonal() - largest[:, 0] - np.log(sums[:, 0])).mean(dtype=np.float64)) + math.log(n)
        weights *= -1.0 / (n * sums)
        weights[np.arange(n), np.arange(n)] += np.float32(1.0 / n)
        return value, weights

    def value(self, pairs: Pairs) -> float:
        """The bound, at most the logarithm of the number of held-out points."""
        together = pairs.together
        return float((together - np.logaddexp(pairs.row_log_sums(), together)).mean()) + math.log(len(pairs))


@dataclass(frozen=True)
class MINEBound(DonskerVaradhanBound):
    """The Donsker-Varadhan bound by its corrected gradient: M. I. Belghazi et al. (2018), eq. 12.

    A batch has as many pairs apart as together. The mean of exp f, by which the second term of the gradient is
    divided, is a moving one, of which each batch makes up a part 1 - `smoothing`.
    """

    smoothing: float = 0.9

    def ascent(
        self, critic: Critic, x: Singles, y: Singles, rng: np.random.Generator, memory: dict[str, Any]
    ) -> tuple[float, Singles]:
        """The value of a batch and its corrected gradient."""
        n = len(x)
        apart = y[np.roll(np.arange(n), 1 + int(rng.integers(n - 1)))]
        both_x, both_y = np.concatenate([x, x]), np.concatenate([y, apart])
        scores = critic.each_pair(both_x, both_y)
        log_mean = float(np.logaddexp.reduce(scores[n:].astype(np.float64))) - math.log(n)
        moving = self._moving(log_mean, memory)
        slopes = np.empty_like(scores)
        slopes[:n] = 1.0 / n
        slopes[n:] = -np.exp(np.minimum(scores[n:] - moving, HIGHEST)) / n
        return float(scores[:n].mean() - log_mean), critic.each_pair_gradient(both_x, both_y, slopes)

    def value(self, pairs: Pairs) -> float:
        """The bound on all pairs together, and a million pairs apart."""
        return float(pairs.together.mean()) - self.offset(pairs)

    def offset(self, pairs: Pairs) -> float:
        """The logarithm of the mean of exp f over the pairs apart of batches that have about a million in all."""
        return _log_mean([_apart(scores)[3] for scores in pairs.batches(max(_LEAST_BATCH, _APART // len(pairs)))])

    def _moving(self, log_mean: float, memory: dict[str, Any]) -> float:
        if "log_mean" not in memory:
            memory["log_mean"] = log_mean
        parts = math.log(self.smoothing) + memory["log_mean"], math.log1p(-self.smoothing) + log_mean
        memory["log_mean"] = float(np.logaddexp(*parts))
        return memory["log_mean"]


def _apart(scores: Singles) -> tuple[int, Array, Singles, float]:
    """The number of points, scores together, each pair's part of the sum of exp over pairs apart, and its log-mean."""
    n = len(scores)
    together = scores.diagonal().astype(np.float64)
    weights = scores.copy()
    np.fill_diagonal(weights, -np.inf)
    largest = weights.max()
    weights -= largest
    np.exp(weights, out=weights)
    total = float(weights.sum(dtype=np.float64))
    weights /= total
    return n, together, weights, float(largest) + math.log(total) - math.log(n * (n - 1.0))


def _log_mean(logs: list[float]) -> float:
    """The logarithm of the mean of exp."""
    largest = max(logs)
    return largest + math.log(math.fsum(math.exp(v - largest) for v in logs) / len(logs))


def _exp(value: float) -> float:
    return math.exp(value) if value < 700.0 else math.inf
