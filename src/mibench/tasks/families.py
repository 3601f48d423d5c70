"""The one-parameter families of tasks of Beyond Normal, Section 4: sparsity, tails, spirals, and high MI."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np

from mibench import checks
from mibench.distributions.covariance import FactorCovariance, sparse
from mibench.distributions.normal import Normal
from mibench.distributions.pushed import Pushed
from mibench.distributions.student import Student
from mibench.elementary import exp, sinh
from mibench.errors import MiBenchError, ParameterError, unknown
from mibench.tasks.task import Task
from mibench.transforms.axiswise import HalfCube, SignedPower
from mibench.transforms.base import Transform
from mibench.transforms.compose import Identity
from mibench.transforms.spiral import Spiral

_SPARSITY_DIM = 10
_SPARSITY_MI = 1.0
_MOST_MI = 14.0


def sparsity_alpha(alpha: float) -> Task:
    """First stage of the sparsity study, 10 x 10 and 1 nat: all ten pairs, and less and less of what is common to all.

    `alpha` runs from `largest_alpha()`, where nothing but the common factor is left, down to 0.

    >>> task = sparsity_alpha(0.2)
    >>> round(task.mi, 12), task.dim_x
    (1.0, 10)
    """
    alpha = checks.number("alpha", alpha, "a number in [0, largest_alpha()]")
    if not 0.0 <= alpha <= largest_alpha() * (1.0 + 1e-12):
        raise ParameterError(
            f"alpha must be in [0, {largest_alpha():.6g}], beyond which MI exceeds 1 nat, got {alpha!r}"
        )
    strength = _solve(lambda s: _sparsity(alpha, s).mi, _SPARSITY_MI)
    name = f"Sparsity, first stage (alpha={alpha:.3g})"
    return Task(f"sparsity-alpha-{alpha!r}", _sparsity(alpha, strength), name, "sparsity")


def sparsity_pairs(K: int) -> Task:
    """Second stage of the sparsity study, 10 x 10 and 1 nat: nothing common, and fewer and stronger pairs.

    >>> round(sparsity_pairs(3).mi, 12)
    1.0
    """
    pairs = checks.whole("K", K, least=1)
    if pairs > _SPARSITY_DIM:
        raise ParameterError(f"K must be at most {_SPARSITY_DIM}, got {pairs}")
    correlation = _pair_correlation(_SPARSITY_MI / pairs)
    distribution = Normal(sparse(_SPARSITY_DIM, _SPARSITY_DIM, K=pairs, correlation=correlation))
    return Task(f"sparsity-pairs-{pairs}", distribution, f"Sparsity, second stage (K={pairs})", "sparsity")


def largest_alpha() -> float:
    """The `alpha` at which the common factor alone carries the sparsity study's 1 nat.

    >>> round(largest_alpha(), 3)
    1.152
    """
    return _solve(lambda a: _sparsity(a, 0.0).mi, _SPARSITY_MI)


def sparsity_path(steps: int = 10) -> tuple[Task, ...]:
    """Both stages, from dense to sparse: `steps` values of alpha, the last of them 0, and then K = 9, ..., 1.

    >>> len(sparsity_path(4))
    13
    """
    steps = checks.whole("steps", steps, least=2)
    top = largest_alpha()
    alphas = [top * (steps - 1 - i) / (steps - 1) for i in range(steps)]
    return (*map(sparsity_alpha, alphas), *map(sparsity_pairs, range(_SPARSITY_DIM - 1, 0, -1)))


def tails_power(k: float) -> Task:
    """Tails made longer by x -> sign(x) |x|^k on each axis of the 3 x 3 two-pair normal.

    >>> tails_power(2.5).mi == tails_power(1.0).mi
    True
    """
    power = SignedPower(k)
    base = Normal(sparse(3, 3, K=2, correlation=0.8))
    return Task(f"tails-power-{power.k!r}", Pushed(base, power, power), f"Power {power.k:.3g}", "tails")


def tails_student(dof: float) -> Task:
    """Tails of a 3 x 3 two-pair Student distribution, shorter with more degrees of freedom.

    >>> tails_student(1.0).mi > tails_student(20.0).mi
    True
    """
    distribution = Student(sparse(3, 3, K=2, correlation=0.8), dof=dof)
    return Task(f"tails-student-{distribution.dof!r}", distribution, f"Student (dof={distribution.dof:.3g})", "tails")


def spiral_speed(speed: float, correlation: float = 0.8) -> Task:
    """Ever faster spirals of a 2-dimensional X, whose first coordinate correlates with Y.

    >>> round(spiral_speed(1.5).mi, 6)
    0.510826
    """
    correlation = checks.number("correlation", correlation, "a number in [0, 1)")
    distribution = Normal(sparse(2, 1, K=1, correlation=correlation))
    spiral = Spiral(speed, plane=(1, 0))
    pushed = Pushed(distribution, f=spiral)
    identifier = f"spiral-speed-{spiral.speed!r}-{correlation!r}"
    return Task(identifier, pushed, f"Spiral (speed={spiral.speed:.3g})", "spiral")


_HIGH_MI: dict[str, tuple[str, Callable[[], tuple[Transform, Transform]]]] = {
    "normal": ("Multinormal", lambda: (Identity(), Identity())),
    "half_cube": ("Half-cube", lambda: (HalfCube(), HalfCube())),
    "spiral": ("Spiral", lambda: (Spiral(1.0 / 3.0, plane=(0, 1)), Spiral(1.0 / 3.0, plane=(1, 2)))),
}


def high_mi(kind: str, mi: float) -> Task:
    """A 3 x 3 two-pair normal with a wanted MI, as it is or sent through the half-cube or spiral map.

    The MI may be from 0 to 14 nats and is right to 1e-9: correlations nearer to 1 are too far apart as doubles.

    >>> round(high_mi("spiral", mi=5.0).mi, 12)
    5.0
    """
    if not isinstance(kind, str) or kind not in _HIGH_MI:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise unknown("kind", str(kind), _HIGH_MI, f"one of {', '.join(_HIGH_MI)}")
    wanted = checks.number("mi", mi, f"a number in [0, {_MOST_MI:g}]")
    if not 0.0 <= wanted <= _MOST_MI:
        raise ParameterError(
            f"mi must be a number in [0, {_MOST_MI:g}], beyond which no correlation in double precision gives it to "
            f"1e-9, got {mi!r}"
        )
    label, maps = _HIGH_MI[kind]
    base = Normal(sparse(3, 3, K=2, correlation=_pair_correlation(wanted / 2.0)))
    distribution = base if kind == "normal" else Pushed(base, *maps())
    return Task(f"high-mi-{kind}-{wanted!r}", distribution, f"{label} ({wanted:.3g} nats)", "high-mi")


def by_id(name: str) -> Task | None:
    """The member of a family that has this id, if there is one.

    >>> task = by_id("spiral-speed-0.5-0.8")
    >>> task.id, by_id("spiral-speed-fast")
    ('spiral-speed-0.5-0.8', None)
    """
    found = _read(name)
    return found if isinstance(found, Task) else None


def why_none(name: str) -> str:
    """What follows "unknown task NAME" where a name is nearly that of a member of a family, "" where it is not.

    >>> why_none("tails-power-2")
    "; did you mean 'tails-power-2.0'?"
    >>> why_none("sparsity-pairs-11")
    ': K must be at most 10, got 11'
    """
    found = _read(name)
    return found if isinstance(found, str) else ""


def _read(name: str) -> Task | str:
    """The member of a family that has this id, or why none has."""
    for start, rest, make, kinds, example in _FAMILIES:
        match = re.fullmatch(start + rest, name)
        if match:
            try:
                found = make(*(kind(text) for kind, text in zip(kinds, match.groups(), strict=True)))
            except MiBenchError as error:
                return f": {error}"
            return found if found.id == name else f"; did you mean {found.id!r}?"
        if name.startswith(start):
            return f"; write it like {start + example!r}"
    return ""


# A member's id: how it starts, what follows, what makes the task of it, of which parameters, and what may follow.
_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_FAMILIES: tuple[tuple[str, str, Callable[..., Task], tuple[type[str | float | int], ...], str], ...] = (
    ("sparsity-alpha-", _NUMBER, sparsity_alpha, (float,), "0.2"),
    ("sparsity-pairs-", r"([-+]?\d{1,9})", sparsity_pairs, (int,), "3"),
    ("tails-power-", _NUMBER, tails_power, (float,), "1.5"),
    ("tails-student-", _NUMBER, tails_student, (float,), "3.0"),
    ("spiral-speed-", f"{_NUMBER}-{_NUMBER}", spiral_speed, (float, float), "0.5-0.8"),
    ("high-mi-", rf"(\w+)-{_NUMBER}", high_mi, (str, float), "spiral-5.0"),
)


def _sparsity(alpha: float, strength: float) -> Normal:
    dim = _SPARSITY_DIM
    return Normal(FactorCovariance(dim, dim, K=dim, alpha=alpha, lambda_=strength, unit_variance=True))


def _pair_correlation(mi: float) -> float:
    """The correlation at which one pair of normals has a given MI."""
    half = np.array(mi)
    return math.sqrt(2.0 * exp(-half) * sinh(half))  # 1 - exp(-2 mi), with the same bits everywhere


def _solve(increasing: Callable[[float], float], wanted: float) -> float:
    """The argument >= 0 at which an increasing function takes a value it does not exceed at 0, by bisection."""
    low, high = 0.0, 1.0
    while increasing(high) < wanted:
        low, high = high, 2.0 * high
    while True:
        middle = 0.5 * (low + high)
        if not low < middle < high:
            return low
        low, high = (middle, high) if increasing(middle) <= wanted else (low, middle)
