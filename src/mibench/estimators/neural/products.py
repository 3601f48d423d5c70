"""Critics that are products of something of x and something of y: all pairs cost one product of matrices."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.estimators.neural.critics import Architecture, Critic, Singles
from mibench.estimators.neural.widths import Hidden, hidden_widths, widths_of
from mibench.identity import register


@register
@dataclass(frozen=True)
class Separable(Architecture):
    """g(x) . h(y), with a network of ReLU layers for each of g and h, and `features` outputs.

    B. Poole et al., "On variational bounds of mutual information" (2019), Section 3. Its networks see each point once,
    and not each pair, so it is the fastest, and may be wide; but what a small concatenated network can say of a pair
    may take many features. `hidden` is as for `Concatenated`.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> estimator = mi.InfoNCE(critic=Separable(hidden=(64,), features=16), learning_rate=0.01)
    >>> abs(estimator.estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    hidden: Hidden = "M"
    features: int = 8

    def __post_init__(self) -> None:
        """Check the parameters."""
        features = checks.whole("features", self.features, least=1, most=1024)
        checks.settle(self, hidden=hidden_widths(self.hidden), features=features)

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> Critic:
        """Networks with weights and biases uniform within one over the root of the number of inputs."""
        widths = (*widths_of(self.hidden), self.features)
        return _Product(_Tower((dim_x, *widths), rng), _Tower((dim_y, *widths), rng))


@register
@dataclass(frozen=True)
class Bilinear(Architecture):
    """(x, 1) W (y, 1), with one matrix W: products of coordinates, and nothing else.

    A. van den Oord, Y. Li and O. Vinyals, "Representation learning with contrastive predictive coding" (2018), eq. 3.
    It is quick, and too simple: the pointwise MI of normal variables has squares as well, and the bound is too low.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=5000, seed=0)
    >>> round(mi.InfoNCE(critic=Bilinear()).estimate(draws.x, draws.y).mi, 1)
    0.3
    """

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> Critic:
        """A matrix uniform within one over the root of the number of coordinates."""
        return _Bilinear(dim_x, dim_y, rng)


class _Tower:
    """A network of ReLU layers, of which the last has none: `size` parameters, weights and bias layer by layer."""

    def __init__(self, widths: Sequence[int], rng: np.random.Generator) -> None:
        self.widths = tuple(widths)
        bounds = [1.0 / math.sqrt(n_in) for n_in in self.widths[:-1]]
        shapes = zip(bounds, self.widths[:-1], self.widths[1:], strict=True)
        parts = [rng.uniform(-bound, bound, (n_in + 1) * n_out) for bound, n_in, n_out in shapes]
        self.start = np.concatenate(parts).astype(np.float32)
        self.size = self.start.size

    def layers(self, theta: Singles) -> list[tuple[Singles, Singles]]:
        """Weights and bias of each layer, as views of the parameters."""
        found, at = list[tuple[Singles, Singles]](), 0
        for n_in, n_out in zip(self.widths[:-1], self.widths[1:], strict=True):
            middle, end = at + n_in * n_out, at + (n_in + 1) * n_out
            found.append((theta[at:middle].reshape(n_in, n_out), theta[middle:end]))
            at = end
        return found

    def upward(self, theta: Singles, points: Singles) -> list[Singles]:
        """What goes into each layer, and what comes out of the last."""
        values = [points]
        for weights, bias in self.layers(theta):
            inputs = values[-1] if len(values) == 1 else np.maximum(values[-1], np.float32(0.0))
            values.append(inputs @ weights + bias)
        return values

    def downward(self, theta: Singles, values: list[Singles], deltas: Singles) -> Singles:
        """The gradient by the parameters, from that by the outputs."""
        gradient = np.empty(self.size, np.float32)
        kept = list(zip(self.layers(theta), self.layers(gradient), strict=True))
        for at in range(len(kept) - 1, -1, -1):
            (weights, _), (d_weights, d_bias) = kept[at]
            inputs = values[at] if at == 0 else np.maximum(values[at], np.float32(0.0))
            d_weights[:] = inputs.T @ deltas
            d_bias[:] = deltas.sum(axis=0)
            deltas = (deltas @ weights.T) * (values[at] > 0.0)
        return gradient


class _Product(Critic):
    """The parameters are those of g, then those of h."""

    def __init__(self, of_x: _Tower, of_y: _Tower) -> None:
        self.of_x, self.of_y = of_x, of_y
        self.parameters = np.concatenate([of_x.start, of_y.start])

    def _upward(self, x: Singles, y: Singles) -> tuple[list[Singles], list[Singles]]:
        cut = self.of_x.size
        return self.of_x.upward(self.parameters[:cut], x), self.of_y.upward(self.parameters[cut:], y)

    def _downward(self, up: tuple[list[Singles], list[Singles]], d_g: Singles, d_h: Singles) -> Singles:
        cut = self.of_x.size
        by_x = self.of_x.downward(self.parameters[:cut], up[0], d_g)
        return np.concatenate([by_x, self.of_y.downward(self.parameters[cut:], up[1], d_h)])

    def each_pair(self, x: Singles, y: Singles) -> Singles:
        g, h = self._upward(x, y)
        return np.einsum("ij,ij->i", g[-1], h[-1])

    def each_pair_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        up = self._upward(x, y)
        return self._downward(up, slopes[:, None] * up[1][-1], slopes[:, None] * up[0][-1])

    def all_pairs(self, x: Singles, y: Singles) -> Singles:
        g, h = self._upward(x, y)
        return g[-1] @ h[-1].T

    def all_pairs_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        up = self._upward(x, y)
        return self._downward(up, slopes @ up[1][-1], slopes.T @ up[0][-1])


class _Bilinear(Critic):
    """The parameters are W (dim_x + 1, dim_y + 1), row by row."""

    def __init__(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> None:
        self.shape = dim_x + 1, dim_y + 1
        bound = 1.0 / math.sqrt(dim_x + dim_y)
        self.parameters: Singles = rng.uniform(-bound, bound, self.shape).astype(np.float32).ravel()

    @property
    def _matrix(self) -> Singles:
        return self.parameters.reshape(self.shape)

    def each_pair(self, x: Singles, y: Singles) -> Singles:
        return np.einsum("ij,ij->i", _with_one(x) @ self._matrix, _with_one(y)).astype(np.float32, copy=False)

    def each_pair_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        return ((slopes[:, None] * _with_one(x)).T @ _with_one(y)).astype(np.float32, copy=False).ravel()

    def all_pairs(self, x: Singles, y: Singles) -> Singles:
        return (_with_one(x) @ self._matrix @ _with_one(y).T).astype(np.float32, copy=False)

    def all_pairs_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        return (_with_one(x).T @ slopes @ _with_one(y)).astype(np.float32, copy=False).ravel()


def _with_one(points: Singles) -> Singles:
    return np.hstack([points, np.ones((len(points), 1), np.float32)]).astype(np.float32, copy=False)
