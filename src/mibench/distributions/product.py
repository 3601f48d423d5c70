"""Independent parts put side by side, pure noise among them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.distributions import gamma
from mibench.distributions.base import Distribution
from mibench.elementary import log1p
from mibench.errors import DimensionError, ParameterError
from mibench.identity import register
from mibench.normal_law import standard_normals
from mibench.types import Array, LogDensities, Mask, Truth


@register
@dataclass(frozen=True)
class Product(Distribution):
    """Independent pairs side by side: X collects the parts' X, Y their Y, and the MI is the sum of theirs.

    >>> from mibench import AdditiveNoise, Noise
    >>> Product((AdditiveNoise(0.75), Noise(dim_x=2, dim_y=0))).mi
    0.3333333333333333
    """

    parts: Sequence[Distribution]

    def __post_init__(self) -> None:
        """Check the parts."""
        parts = checks.members("parts", self.parts, Distribution)
        dim_x = checks.dimension("the parts' dim_x, together", sum(p.dim_x for p in parts), least=0)
        dim_y = checks.dimension("the parts' dim_y, together", sum(p.dim_y for p in parts), least=0)
        checks.settle(self, parts=parts, dim_x=dim_x, dim_y=dim_y)

    @property
    def mi(self) -> Truth:
        """The mutual information in nats."""
        return Truth.total(p.mi for p in self.parts)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        draws = [p.draw(rng, n) for p in self.parts]
        x, y = np.hstack([d.x for d in draws]), np.hstack([d.y for d in draws])
        return x, y, _total([d.pmi for d in draws])

    def _pmi(self, x: Array, y: Array) -> Array:
        return _total([p.pmi(*sides) for p, sides in self._split(x, y)])

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        found = [p.log_densities(*sides) for p, sides in self._split(x, y)]
        return LogDensities(
            _total([f.joint for f in found]), _total([f.x for f in found]), _total([f.y for f in found])
        )

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        found = [p.support(*sides) for p, sides in self._split(x, y)]
        return np.logical_and.reduce([f[0] for f in found]), np.logical_and.reduce([f[1] for f in found])

    def _split(self, x: Array, y: Array) -> list[tuple[Distribution, tuple[Array, Array]]]:
        ends_x, ends_y = (np.cumsum([getattr(p, side) for p in self.parts])[:-1] for side in ("dim_x", "dim_y"))
        sides = zip(np.split(x, ends_x, axis=1), np.split(y, ends_y, axis=1), strict=True)
        return list(zip(self.parts, sides, strict=True))


@register
@dataclass(frozen=True)
class Independent(Distribution):
    """X as in one distribution and Y as in another, independent of each other: MI 0 with any margins.

    >>> from mibench import AdditiveNoise, Student
    >>> heavy = Student([[1.0, 0.0], [0.0, 1.0]], dof=1.0, dim_x=1)
    >>> Independent(x_of=heavy, y_of=AdditiveNoise(0.1)).mi
    0.0
    """

    x_of: Distribution
    y_of: Distribution

    def __post_init__(self) -> None:
        """Check the two distributions."""
        checks.member("x_of", self.x_of, Distribution)
        checks.member("y_of", self.y_of, Distribution)
        checks.settle(self, dim_x=self.x_of.dim_x, dim_y=self.y_of.dim_y)

    @property
    def mi(self) -> Truth:
        """The mutual information, 0."""
        return Truth(0.0)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        return self.x_of.draw(rng, n).x, self.y_of.draw(rng, n).y, np.zeros(n)

    def _pmi(self, x: Array, y: Array) -> Array:  # noqa: ARG002
        return np.zeros(len(x))

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        return (
            self.x_of.support(x, np.zeros((len(x), self.x_of.dim_y)))[0],
            self.y_of.support(np.zeros((len(y), self.y_of.dim_x)), y)[1],
        )

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        log_x = self.x_of.log_densities(x, np.zeros((len(x), self.x_of.dim_y))).x
        log_y = self.y_of.log_densities(np.zeros((len(y), self.y_of.dim_x)), y).y
        return LogDensities(log_x + log_y, log_x, log_y)


@register
@dataclass(frozen=True)
class Noise(Distribution):
    """Coordinates that are all independent of each other: normal, or Student with `dof` degrees of freedom each.

    One of the dims may be 0, so that a `Product` can add noise to X or to Y alone.

    >>> Noise(dim_x=3, dim_y=1, dof=2.5).mi
    0.0
    """

    dim_x: int
    dim_y: int
    dof: float = math.inf

    def __post_init__(self) -> None:
        """Check the parameters."""
        dim_x, dim_y = (checks.dimension(n, getattr(self, n), least=0) for n in ("dim_x", "dim_y"))
        if dim_x + dim_y == 0:
            raise DimensionError("dim_x and dim_y must not both be 0")
        normal = isinstance(self.dof, float) and self.dof == math.inf
        dof = math.inf if normal else checks.positive("dof", self.dof, "a number > 0, or inf for normal")
        if dof < gamma.LEAST_DOF:
            raise ParameterError(f"dof must be at least {gamma.LEAST_DOF}, or draws overflow, got {dof!r}")
        checks.settle(self, dim_x=dim_x, dim_y=dim_y, dof=dof)

    @property
    def mi(self) -> Truth:
        """The mutual information, 0."""
        return Truth(0.0)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        size = self.dim_x + self.dim_y
        points = standard_normals(rng, (size, n))
        if self.dof < math.inf:
            points *= gamma.student_scales(rng, self.dof, size * n).reshape(size, n)
        return points[: self.dim_x].T, points[self.dim_x :].T, np.zeros(n)

    def _pmi(self, x: Array, y: Array) -> Array:  # noqa: ARG002
        return np.zeros(len(x))

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        log_x, log_y = self._log_density(x), self._log_density(y)
        return LogDensities(log_x + log_y, log_x, log_y)

    def _log_density(self, points: Array) -> Array:
        columns = [*points.T]
        if self.dof == math.inf:
            return _total([-0.5 * c * c - 0.5 * math.log(2.0 * math.pi) for c in columns], len(points))
        constant = gamma.log_gamma_ratio(0.5 * self.dof, 0.5) - 0.5 * math.log(self.dof * math.pi)
        power = 0.5 * (self.dof + 1.0)
        return _total([constant - power * log1p(c * c / self.dof) for c in columns], len(points))


def _total(terms: list[Array], n: int = 0) -> Array:
    """The sum of arrays in their order (zeros of length n where there is none)."""
    total = terms[0].copy() if terms else np.zeros(n)
    for term in terms[1:]:
        total += term
    return total
