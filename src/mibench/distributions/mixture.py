"""Finite mixtures, and a class label seen through what it emits: exact pointwise MI, MI by integration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.distributions.discrete import codes
from mibench.distributions.integrate import Integrated
from mibench.elementary import exp, log
from mibench.errors import DataError, DimensionError
from mibench.identity import register
from mibench.types import Array, Indices, LogDensities, Mask


@register
@dataclass(frozen=True)
class Mixture(Integrated):
    """A finite mixture of distributions that have densities; its MI is integrated over a million draws.

    >>> from mibench import Normal
    >>> near, far = (Normal([[1, 0.5], [0.5, 1]], dim_x=1, mean=(m, m)) for m in (-2.0, 2.0))
    >>> truth = Mixture((near, far), weights=(0.5, 0.5)).mi
    >>> 0.60 < truth < 0.75, truth.error < 0.001
    (True, True)
    """

    parts: Sequence[Distribution]
    weights: checks.VectorLike

    def __post_init__(self) -> None:
        """Check the parts and weights."""
        parts = checks.members("parts", self.parts, Distribution)
        dims = {(p.dim_x, p.dim_y) for p in parts}
        if len(dims) > 1:
            raise DimensionError(f"parts must have the same dims, got {sorted(dims)}")
        for part in parts:
            part.log_densities(np.zeros((1, part.dim_x)), np.zeros((1, part.dim_y)))
        weights = checks.weights("weights", self.weights, len(parts))
        checks.settle(self, parts=parts, weights=weights, dim_x=parts[0].dim_x, dim_y=parts[0].dim_y)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        x, y = np.empty((n, self.dim_x)), np.empty((n, self.dim_y))
        for part, members in zip(self.parts, draw_labels(rng, self.weights, n), strict=True):
            if members.size:
                draws = part.draw(rng, members.size)
                x[members], y[members] = draws.x, draws.y
        return x, y, self._pmi(x, y)

    def _pmi(self, x: Array, y: Array) -> Array:
        found = self._log_densities(x, y)
        _need_density(self, found.x, x, y)
        _need_density(self, found.y, x, y)
        return found.joint - found.x - found.y

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        found = [p.log_densities(x, y) for p in self.parts]
        return LogDensities(
            joint=log_mean(self.weights, [f.joint for f in found]),
            x=log_mean(self.weights, [f.x for f in found]),
            y=log_mean(self.weights, [f.y for f in found]),
        )

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        found = [p.support(x, y) for p in self.parts]
        return np.logical_or.reduce([f[0] for f in found]), np.logical_or.reduce([f[1] for f in found])


@register
@dataclass(frozen=True)
class Labelled(Integrated):
    """A discrete X, the number 0, 1, ... of a part drawn by its weight, and a continuous Y drawn as that part's Y.

    Its MI, integrated over a million draws, is at most the entropy of the weights.

    >>> from mibench import Noise, Pushed, Scale
    >>> far = Pushed(Noise(1, 1), g=Scale(shift=100.0))
    >>> truth = Labelled((Noise(1, 1), far), weights=(0.5, 0.5)).mi
    >>> abs(truth - math.log(2)) < 1e-9
    True
    """

    parts: Sequence[Distribution]
    weights: checks.VectorLike

    def __post_init__(self) -> None:
        """Check the parts and weights."""
        parts = checks.members("parts", self.parts, Distribution)
        if len({p.dim_y for p in parts}) > 1:
            raise DimensionError(f"parts must have the same dim_y, got {sorted({p.dim_y for p in parts})}")
        for part in parts:
            part.log_densities(np.zeros((1, part.dim_x)), np.zeros((1, part.dim_y)))
        weights = checks.weights("weights", self.weights, len(parts))
        checks.settle(self, parts=parts, weights=weights, dim_x=1, dim_y=parts[0].dim_y)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        x, y = np.empty((n, 1)), np.empty((n, self.dim_y))
        for k, members in enumerate(draw_labels(rng, self.weights, n)):
            if members.size:
                x[members], y[members] = k, self.parts[k].draw(rng, members.size).y
        return x, y, self._pmi(x, y)

    def _pmi(self, x: Array, y: Array) -> Array:
        logs = [p.log_densities(np.zeros((len(y), p.dim_x)), y).y for p in self.parts]
        marginal = log_mean(self.weights, logs)
        _need_density(self, marginal, x, y)
        given = np.array(logs)[codes(x[:, 0], len(self.parts))[0], np.arange(len(y))]
        return given - marginal

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        found = [p.support(np.zeros((len(y), p.dim_x)), y)[1] for p in self.parts]
        return codes(x[:, 0], len(self.parts))[1], np.logical_or.reduce(found)


def _need_density(distribution: Distribution, log_density: Array, x: Array, y: Array) -> None:
    """An error where a point can occur, but so far out that its log-density is below all doubles."""
    none = np.isneginf(log_density)
    if none.any():
        can_x, can_y = distribution.support(x, y)
        lost = np.flatnonzero(none & can_x & can_y)
        if lost.size:
            raise DataError(
                f"row {lost[0]}, x = {x[lost[0]].tolist()} and y = {y[lost[0]].tolist()}, is so far out of this "
                f"{type(distribution).__name__} that its log-density is beyond double precision; give nearer points"
            )


def draw_labels(rng: np.random.Generator, weights: checks.VectorLike, n: int) -> list[Indices]:
    """For each weight, the positions of those of n points that fall to it."""
    edges = [math.fsum(weights[: k + 1]) for k in range(len(weights) - 1)]
    label = np.searchsorted(np.array(edges), rng.random(n), side="right")
    return [np.flatnonzero(label == k) for k in range(len(weights))]


def log_mean(weights: checks.VectorLike, logs: list[Array]) -> Array:
    """The logarithm of a weighted mean of exponentials, without overflow."""
    largest = np.maximum.reduce(logs)
    base = np.where(largest > -np.inf, largest, 0.0)
    total = np.zeros_like(base)
    for weight, value in zip(weights, logs, strict=True):
        total += weight * exp(value - base)
    return base + log(total)
