"""A Monte Carlo check of a task's truth: the mean pointwise MI of draws beside the stated MI."""

from __future__ import annotations

import math
from dataclasses import dataclass

from mibench import checks
from mibench.distributions.integrate import mean_and_error
from mibench.tasks.task import Task

_LIMIT = 5.0


@dataclass(frozen=True)
class MonteCarlo:
    """The mean pointwise MI of n draws, its standard error, and how many errors the stated MI is away."""

    n: int
    mean: float
    error: float
    deviation: float

    @property
    def agrees(self) -> bool:
        """Whether the stated MI is within five standard errors."""
        return abs(self.deviation) <= _LIMIT


def check_task(task: Task, n: int, seed: int) -> MonteCarlo:
    """Draw from a task and compare its mean pointwise MI with what the task states.

    >>> import mibench as mi
    >>> check_task(mi.task("1v1-normal-0.75"), n=10_000, seed=0).agrees
    True
    """
    checks.member("task", task, Task)
    found = mean_and_error(task.draw(checks.whole("n", n, least=2), seed).pmi)
    gap, error = found - task.mi, math.hypot(found.error, task.mi.error)
    deviation = gap / error if error > 0.0 else math.copysign(math.inf, gap) if abs(gap) > 1e-12 else 0.0
    return MonteCarlo(n, float(found), found.error, deviation)
