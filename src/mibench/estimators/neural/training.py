"""Training a critic: batches, Adam, early stopping on held-out pairs, and what the run looked like."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mibench import progress
from mibench.errors import EstimateFailed
from mibench.estimators.neural.critics import Critic, Singles
from mibench.estimators.neural.objectives import Objective
from mibench.estimators.neural.pairs import Pairs

_BETA_1, _BETA_2, _EPSILON = 0.9, 0.999, 1e-8
_LONGEST = 10.0  # times the usual length of a gradient
_TOLD = 50  # steps between two tellings of how far it has come


@dataclass(frozen=True)
class Schedule:
    """How long to train: steps at most, points a batch, step size, how often to test, how often in vain.

    And how slowly the mean of the parameters moves that is tested.
    """

    steps: int
    batch: int
    learning_rate: float
    test_every: int
    patience: int
    averaging: float


@dataclass
class History:
    """What happened: the value of each batch, and that of the held-out pairs at each test."""

    train: list[float] = field(default_factory=list[float])
    test: list[tuple[int, float]] = field(default_factory=list[tuple[int, float]])
    stopped_early: bool = False

    def curve(self) -> list[dict[str, float]]:
        """For each test its step, its value, and the mean value of the batches since the test before."""
        found, start = list[dict[str, float]](), 0
        for step, value in self.test:
            found.append({"step": step, "train": float(np.mean(self.train[start:step])), "test": value})
            start = step
        return found


class Adam:
    """Steps along a gradient, each parameter's scaled by how large its gradients have been: Kingma and Ba (2015)."""

    def __init__(self, learning_rate: float, size: int) -> None:
        """Begin at rest."""
        self.learning_rate = np.float32(learning_rate)
        self.mean, self.square = np.zeros(size, np.float32), np.zeros(size, np.float32)
        self.steps = 0

    def step(self, parameters: Singles, gradient: Singles) -> Singles:
        """The parameters after a step uphill."""
        gradient = self._shortened(gradient)
        self.steps += 1
        self.mean += np.float32(1.0 - _BETA_1) * (gradient - self.mean)
        self.square += np.float32(1.0 - _BETA_2) * (gradient * gradient - self.square)
        mean = self.mean / np.float32(1.0 - _BETA_1**self.steps)
        square = self.square / np.float32(1.0 - _BETA_2**self.steps)
        moved = parameters + self.learning_rate * mean / (np.sqrt(square) + np.float32(_EPSILON))
        return moved.astype(np.float32, copy=False)

    def _shortened(self, gradient: Singles) -> Singles:
        """A gradient, but not one that is so much longer than those before that it would hold up thousands of steps."""
        if not self.steps:
            return gradient
        usual = math.sqrt(float(self.square.sum(dtype=np.float64)) / (1.0 - _BETA_2**self.steps))
        length = math.sqrt(float(np.square(gradient, dtype=np.float64).sum()))
        return gradient if length <= _LONGEST * usual else gradient * np.float32(_LONGEST * usual / length)


def train(
    critic: Critic,
    objective: Objective,
    points: tuple[Singles, Singles],
    held_out: tuple[Singles, Singles],
    schedule: Schedule,
    rng: np.random.Generator,
    n_jobs: int = 1,
    name: str = "training",
) -> History:
    """Move the critic's parameters to those that were best on the held-out pairs."""
    history, memory = History(), dict[str, Any]()
    adam = Adam(schedule.learning_rate, critic.parameters.size)
    batches = _Batches(*points, schedule.batch, rng)
    mean, best = _MovingMean(schedule.averaging), _Best(critic.parameters)
    for step in range(1, schedule.steps + 1):
        value, gradient = objective.ascent(critic, *batches.next(), rng, memory)
        if not (math.isfinite(value) and np.isfinite(gradient).all()):
            raise EstimateFailed(f"training diverged at step {step}; lower learning_rate, or gaussianise the columns")
        critic.parameters = adam.step(critic.parameters, gradient)
        mean.add(critic.parameters)
        history.train.append(value)
        if step % _TOLD == 0 and step < schedule.steps:
            progress.tell(_told(name, history), step, schedule.steps)
        if step % schedule.test_every and step < schedule.steps:
            continue
        moving, critic.parameters = critic.parameters, mean.value
        history.test.append((step, objective.value(Pairs(critic, *held_out, n_jobs))))
        best.see(history.test[-1][1], critic.parameters)
        critic.parameters = moving
        if best.in_vain >= schedule.patience:
            history.stopped_early = True
            break
    progress.tell(_told(name, history), schedule.steps, schedule.steps)
    if not math.isfinite(best.value):
        raise EstimateFailed("training diverged: no test had a finite value; lower learning_rate")
    critic.parameters = best.parameters
    return history


class _Best:
    """The parameters of the highest test value so far, and how many tests have been lower since."""

    def __init__(self, parameters: Singles) -> None:
        self.value, self.parameters, self.in_vain = -math.inf, parameters.copy(), 0

    def see(self, value: float, parameters: Singles) -> None:
        """Keep them if they are better."""
        if value > self.value:
            self.value, self.parameters, self.in_vain = value, parameters.copy(), 0
        else:
            self.in_vain += 1


def _told(name: str, history: History) -> str:
    return name + (f", {history.test[-1][1]:.4f} nats" if history.test else "")


class _MovingMean:
    """The mean of vectors, of which each counts `decay` times as much as the next."""

    def __init__(self, decay: float) -> None:
        self.decay, self.sum, self.weight = decay, np.zeros(1), 0.0

    def add(self, vector: Singles) -> None:
        """One more."""
        self.sum = self.decay * self.sum + (1.0 - self.decay) * vector
        self.weight = self.decay * self.weight + 1.0 - self.decay

    @property
    def value(self) -> Singles:
        """The mean so far."""
        return (self.sum / self.weight).astype(np.float32)


class _Batches:
    """Batches of pairs: all of them in a random order, then again in another."""

    def __init__(self, x: Singles, y: Singles, size: int, rng: np.random.Generator) -> None:
        self.x, self.y, self.size, self.rng = x, y, size, rng
        self.order, self.at = rng.permutation(len(x)), 0

    def next(self) -> tuple[Singles, Singles]:
        """The next batch."""
        if self.at + self.size > len(self.order):
            self.order, self.at = self.rng.permutation(len(self.x)), 0
        chosen = self.order[self.at : self.at + self.size]
        self.at += self.size
        return self.x[chosen], self.y[chosen]
