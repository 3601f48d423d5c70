"""What the variational estimators share: a critic trained on half of the points, judged on the other half."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import DataError, DimensionError, EstimateFailed, ParameterError
from mibench.estimators.base import Estimate, ThreadedEstimator, checked_points
from mibench.estimators.neural.concatenated import Concatenated
from mibench.estimators.neural.critics import Architecture, Critic, Singles
from mibench.estimators.neural.diagnostics import diagnose
from mibench.estimators.neural.objectives import Objective
from mibench.estimators.neural.pairs import Pairs, row_log_means
from mibench.estimators.neural.training import History, Schedule, train
from mibench.identity import spell
from mibench.types import Array

_NONSENSE = 1.0  # nats below 0, which no training that was of use can end at
_KEPT = 4096  # held-out y to normalise scores by
_LEAST = 16  # points; with fewer there is next to nothing in either half


@dataclass(frozen=True, eq=False)
class Trained:
    """A trained critic with its estimate, to look at what it has learned.

    `history` is the course of its training; `critic` takes standard columns, in single precision; `offset` is what is
    to be subtracted from a score to make it a pointwise MI (for InfoNCE a function of x, and so None).
    """

    estimate: Estimate
    history: History
    critic: Critic
    offset: float | None
    _sides: tuple[_Standard, _Standard]
    _held_out: Singles

    def pmi(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        """The pointwise MI in nats that it has learned, of any points, row by row a pair.

        It is the score less the offset: 1 for NWJ. For Donsker and Varadhan's bound and MINE, whose best critics are
        pointwise MI but for a constant, the offset makes the mean of its exponential 1 over held-out pairs apart, as
        that of pointwise MI is. For InfoNCE, whose best critic is pointwise MI but for a function of x, it does so for
        each x with up to 4096 held-out y. For the others it is 0.

        >>> import mibench as mi
        >>> draws = mi.task("1v1-normal-0.75").draw(n=5000, seed=0)
        >>> trained = mi.NWJ().train(draws.x, draws.y)
        >>> bool(np.abs(trained.pmi(draws.x, draws.y) - draws.pmi).mean() < 0.1)
        True
        """
        points = [checks.points(name, v) for name, v in (("x", x), ("y", y))]
        if len(points[0]) != len(points[1]):
            raise DataError(f"x and y must have as many rows, got {len(points[0])} and {len(points[1])}")
        for name, side, standard in zip("xy", points, self._sides, strict=True):
            if side.shape[1] != standard.dim:
                raise DimensionError(f"{name} must have {standard.dim} columns, as in training, got {side.shape[1]}")
        left, right = (standard(side) for side, standard in zip(points, self._sides, strict=True))
        scores = self.critic.each_pair(left, right).astype(np.float64)
        return scores - (row_log_means(self.critic, left, self._held_out) if self.offset is None else self.offset)


@dataclass(frozen=True)
class NeuralEstimator(ThreadedEstimator):
    """What the variational estimators share: a critic, and how it is trained.

    Columns are standardised, points shuffled and split, `train_share` of them to train on. Adam takes `steps` steps at
    most, each on a batch of `batch` pairs; every `test_every` steps the rest of the points tests the critic, and after
    `patience` tests in a row that did not improve training ends. The best test value is the estimate. So far the
    defaults are the paper's (Beyond Normal, Appendix E, "Hyperparameter Selection"). What is tested is a moving mean of
    the parameters, in which each step counts `averaging` times as much as the next; 0 leaves that out, as the paper
    does. Threads are for the tests.
    """

    critic: Architecture = Concatenated()  # noqa: RUF009
    steps: int = 10_000
    batch: int = 256
    learning_rate: float = 0.1
    test_every: int = 250
    patience: int = 2
    train_share: float = 0.5
    averaging: float = 0.99
    seed: int = 0

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.member("critic", self.critic, Architecture)
        for name, least in (("steps", 1), ("batch", 2), ("test_every", 1), ("patience", 1), ("seed", 0)):
            checks.settle(self, **{name: checks.whole(name, getattr(self, name), least)})
        checks.settle(self, learning_rate=checks.positive("learning_rate", self.learning_rate))
        checks.settle(self, train_share=part("train_share", self.train_share))
        checks.settle(self, averaging=part("averaging", self.averaging, zero=True))

    def __str__(self) -> str:
        """Its spelling, which leaves out what is at its default."""
        return spell(self)

    @property
    @abstractmethod
    def objective(self) -> Objective:
        """What is maximised."""

    def least_points(self, dim_x: int, dim_y: int) -> int:  # noqa: ARG002
        """How many points it takes for either half to have some."""
        return _LEAST

    def train(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Trained:
        """Train a critic and keep it, beside the estimate, to look at what it has learned."""
        points = checked_points(self, x, y)
        if points.is_trivial:
            raise EstimateFailed("x or y is constant, so that their MI is 0: there is nothing to train a critic on")
        if points.warnings:
            raise EstimateFailed(f"{points.warnings[0].removesuffix(', left out')}; drop it before training")
        with np.errstate(all="ignore"):
            return self._train(points.x, points.y)

    def _estimate(self, x: Array, y: Array) -> Estimate:
        return self._train(x, y).estimate

    def _train(self, x: Array, y: Array) -> Trained:
        rng = np.random.default_rng(self.seed)
        order = rng.permutation(len(x))
        cut = min(max(2, round(self.train_share * len(x))), len(x) - 2)
        sides = _Standard(x), _Standard(y)
        left, right = sides[0](x), sides[1](y)
        halves = [(left[part], right[part]) for part in (order[:cut], order[cut:])]
        critic = self.critic.start(x.shape[1], y.shape[1], rng)
        schedule = Schedule(
            self.steps, min(self.batch, cut), self.learning_rate, self.test_every, self.patience, self.averaging
        )
        objective = self.objective
        history = train(critic, objective, halves[0], halves[1], schedule, rng, self.n_jobs, str(self))
        pairs = Pairs(critic, *halves[1], self.n_jobs)
        found = objective.mi(pairs)
        if found < -_NONSENSE:
            raise EstimateFailed(
                f"the best test value is {found:.3g} nats, and a constant critic would have 0: training diverged or "
                "over-fitted; lower learning_rate, or take more points or fewer columns"
            )
        flags, words = diagnose(history, self.batch, cut, found, dead=bool(np.ptp(pairs.together) == 0.0))
        info: dict[str, Any] = {"steps": len(history.train), "training_curve": history.curve(), **flags}
        offset = None if objective.free_in_x else objective.offset(pairs)
        estimate = Estimate(found, warnings=words, info=info)
        return Trained(estimate, history, critic, offset, sides, halves[1][1][:_KEPT])


class _Standard:
    """Makes columns standard, as those that it was made from: mean 0, standard deviation 1, single precision."""

    def __init__(self, points: Array) -> None:
        self.dim = points.shape[1]
        self._largest = np.abs(points).max(axis=0)  # so that no square over- or underflows
        scaled = points / self._largest
        self._mean = scaled.mean(axis=0)
        scaled -= self._mean
        deviation = np.sqrt((scaled * scaled).mean(axis=0))
        self._deviation = np.where(deviation > 0.0, deviation, 1.0)

    def __call__(self, points: Array) -> Singles:
        return ((points / self._largest - self._mean) / self._deviation).astype(np.float32)


def part(name: str, value: object, *, zero: bool = False) -> float:
    """A number between 0 and 1, or 0 where that makes sense."""
    wanted = "a number from 0 to below 1" if zero else "a number between 0 and 1"
    number = checks.number(name, value, wanted)
    if not 0.0 <= number < 1.0 or (number == 0.0 and not zero):
        raise ParameterError(f"{name} must be {wanted}, got {number}")
    return number
