"""A network of ReLU layers on (x, y), scored on all pairs of two samples by compiled kernels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mibench import checks
from mibench.estimators.neural.critics import Architecture, Critic, Singles
from mibench.estimators.neural.widths import hidden_widths, widths_of
from mibench.identity import register

_FOUR = 4


@register
@dataclass(frozen=True)
class Concatenated(Architecture):
    """A network of ReLU layers on (x, y) (Beyond Normal, Appendix "Hyperparameter Selection").

    `hidden` are the widths of its hidden layers, or the name of one of the paper's: "S", "M", "L", "D".

    >>> Concatenated("M").widths
    (16, 8)
    """

    hidden: str | tuple[int, ...] = "M"

    def __post_init__(self) -> None:
        """Check the parameter."""
        checks.settle(self, hidden=hidden_widths(self.hidden))

    @property
    def widths(self) -> tuple[int, ...]:
        """The widths of the hidden layers."""
        return widths_of(self.hidden)

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> Critic:
        """A network with weights and biases uniform within one over the root of the number of inputs."""
        return _Network(dim_x, dim_y, self.widths, rng)


class _Network(Critic):
    """The parameters: weights of x (width, dim_x), of y, bias; then weights and bias of each further layer."""

    def __init__(self, dim_x: int, dim_y: int, hidden: Sequence[int], rng: np.random.Generator) -> None:
        self.dims = dim_x, dim_y
        self.widths = np.array([-(-h // _FOUR) * _FOUR for h in hidden], dtype=np.int64)
        first = int(self.widths[0])
        self.first = first * (dim_x + dim_y + 1)
        inputs = [dim_x + dim_y, *hidden]
        parts: list[Singles] = []
        for n_in, n_out, wide_in, wide_out in zip(
            inputs, [*hidden, 1], [dim_x + dim_y, *self.widths], [*self.widths, 1], strict=True
        ):
            bound = 1.0 / math.sqrt(n_in)
            weights = np.zeros((wide_out, wide_in), np.float32)
            bias = np.zeros(wide_out, np.float32)
            weights[:n_out, :n_in] = rng.uniform(-bound, bound, (n_out, n_in))
            bias[:n_out] = rng.uniform(-bound, bound, n_out)
            split = (weights[:, :dim_x], weights[:, dim_x:]) if not parts else (weights,)
            parts += [*(w.ravel() for w in split), bias]
        self.parameters = np.concatenate(parts)

    def _sides(self, x: Singles, y: Singles) -> tuple[Singles, Singles]:
        """What the first layer makes of x and of y, before they are added: (width, points) each."""
        (dim_x, dim_y), width = self.dims, int(self.widths[0])
        theta = self.parameters
        of_x, of_y = theta[: width * dim_x], theta[width * dim_x : width * (dim_x + dim_y)]
        bias = theta[self.first - width : self.first]
        # Of one column `@` has a slow way of its own.
        return np.dot(of_x.reshape(width, dim_x), x.T), np.dot(of_y.reshape(width, dim_y), y.T) + bias[:, None]

    def all_pairs(self, x: Singles, y: Singles) -> Singles:
        from mibench.estimators.neural.passes import scores_of_all

        out = np.empty((len(x), len(y)), np.float32)
        scores_of_all(self.parameters[self.first :], self.widths, *self._sides(x, y), out)
        return out

    def each_pair(self, x: Singles, y: Singles) -> Singles:
        from mibench.estimators.neural.passes import scores_of_each

        out = np.empty(len(x), np.float32)
        scores_of_each(self.parameters[self.first :], self.widths, *self._sides(x, y), out)
        return out

    def all_pairs_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        from mibench.estimators.neural.passes import slopes_of_all

        return self._gradient(slopes_of_all, x, y, slopes)

    def each_pair_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        from mibench.estimators.neural.passes import slopes_of_each

        return self._gradient(slopes_of_each, x, y, slopes)

    def _gradient(self, passes: Any, x: Singles, y: Singles, slopes: Singles) -> Singles:
        hx, hy = self._sides(x, y)
        d_hx, d_hy, grad = np.zeros_like(hx), np.zeros_like(hy), np.zeros_like(self.parameters)
        passes(self.parameters[self.first :], self.widths, hx, hy, slopes, grad[self.first :], d_hx, d_hy)
        (dim_x, dim_y), width = self.dims, int(self.widths[0])
        grad[: width * dim_x] = (d_hx @ x).ravel()
        grad[width * dim_x : width * (dim_x + dim_y)] = (d_hy @ y).ravel()
        grad[self.first - width : self.first] = d_hy.sum(axis=1)
        return grad
