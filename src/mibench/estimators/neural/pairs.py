"""The scores of all pairs of a sample, a few rows at a time: what objectives are evaluated on, in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mibench.estimators.neural.critics import Critic, Singles
from mibench.threads import share
from mibench.types import Array, Indices

_BLOCK = 2**18  # scores that exist at a time

Map = Callable[[Any], Any]  # of scores, one by one
Own = tuple[Indices, Indices]  # where in a block of rows the scores of points drawn together are


class Pairs:
    """The scores that a critic gives the pairs (x_i, y_j) of a sample; those with i = j are drawn together."""

    def __init__(self, critic: Critic, x: Singles, y: Singles, n_jobs: int = 1) -> None:
        """Score those drawn together; others are scored when they are asked for."""
        self.critic, self.x, self.y, self.n_jobs = critic, x, y, n_jobs
        self.together: Array = critic.each_pair(x, y).astype(np.float64)

    def __len__(self) -> int:
        """The number of points."""
        return len(self.x)

    def batches(self, size: int) -> Iterator[Singles]:
        """The score matrices of the sample's points, so many at a time, or all; what is left over is left out."""
        size = min(size, len(self))
        for start in range(0, len(self) - size + 1, size):
            part = slice(start, start + size)
            yield self.critic.all_pairs(self.x[part], self.y[part])

    def row_log_sums(self, through: Map | None = None) -> Array:
        """For each i the logarithm of the sum over j other than i of exp(score), or of exp(through(score))."""
        return self._by_rows(lambda scores, own: _log_sums(scores if through is None else through(scores), own))

    def log_mean_exp(self, through: Map | None = None) -> float:
        """The logarithm of the mean of exp(score) over all pairs not drawn together."""
        rows = self.row_log_sums(through)
        largest = float(rows.max())
        if not math.isfinite(largest):
            return largest
        return largest + math.log(float(np.exp(rows - largest).sum())) - math.log(len(self) * (len(self) - 1.0))

    def mean(self, of: Map) -> float:
        """The mean of a function of the score over all pairs not drawn together."""
        return float(self._by_rows(lambda scores, own: _sums(of(scores), own)).sum()) / (len(self) * (len(self) - 1.0))

    def _by_rows(self, reduced: Callable[[Singles, Own], Array]) -> Array:
        """What each row of scores is reduced to, from some rows at a time; the same for any number of threads."""
        found = np.empty(len(self))
        tall = max(1, _BLOCK // len(self))

        def some(first: int, last: int) -> None:
            for block in range(first, last):
                rows = np.arange(block * tall, min(len(self), (block + 1) * tall))
                scores = self.critic.all_pairs(self.x[rows], self.y)
                found[rows] = reduced(scores, (rows - rows[0], rows))

        share(self.n_jobs, -(-len(self) // tall), some)
        return found


def row_log_means(critic: Critic, x: Singles, y: Singles) -> Array:
    """For each x the logarithm of the mean over all y of exp(score)."""
    tall = max(1, _BLOCK // len(y))
    none = np.zeros(0, np.int64), np.zeros(0, np.int64)
    blocks = [_log_sums(critic.all_pairs(x[at : at + tall], y), none) for at in range(0, len(x), tall)]
    return np.concatenate(blocks) - math.log(len(y))


def _sums(values: Singles, own: Own) -> Array:
    """The sums of the rows without the values of points drawn together; the values are used up."""
    values[own] = 0.0
    return values.sum(axis=1, dtype=np.float64)


def _log_sums(scores: Singles, own: Own) -> Array:
    """The log-sum-exp of the rows without the scores of points drawn together; the scores are used up."""
    scores[own] = -np.inf
    largest = scores.max(axis=1, keepdims=True)
    scores -= largest
    np.exp(scores, out=scores)
    return largest[:, 0].astype(np.float64) + np.log(scores.sum(axis=1, dtype=np.float64))
