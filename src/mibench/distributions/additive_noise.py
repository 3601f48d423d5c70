"""A uniform variable seen through uniform additive noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.elementary import log
from mibench.errors import ParameterError
from mibench.identity import register
from mibench.normal_law import open_uniforms
from mibench.types import Array, LogDensities, Mask, Truth

_ROUNDING = 1e-9
_LEAST = 1e-6


@register
@dataclass(frozen=True)
class AdditiveNoise(Distribution):
    """X ~ Uniform(0, 1) and Y = X + N with N ~ Uniform(-epsilon, epsilon) (Beyond Normal, Appendix D).

    >>> AdditiveNoise(epsilon=0.1).mi, AdditiveNoise(epsilon=0.75).mi
    (1.709437912434100..., 0.3333333333333333)
    """

    epsilon: float

    def __post_init__(self) -> None:
        """Check the parameter."""
        epsilon = checks.positive("epsilon", self.epsilon)
        if epsilon < _LEAST:
            raise ParameterError(f"epsilon must be at least {_LEAST}, or rounding hides the noise, got {epsilon!r}")
        checks.settle(self, epsilon=epsilon, dim_x=1, dim_y=1)

    @property
    def mi(self) -> Truth:
        """The mutual information in nats."""
        e = self.epsilon
        return Truth(e - math.log(2.0 * e) if e <= 0.5 else 0.25 / e)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        x, u = open_uniforms(rng, (2, n))
        width = 2.0 * self.epsilon
        y = x + self.epsilon * (2.0 * u - 1.0)
        # The length of the X that could have given this y, in terms that never round below 0.
        overlap = np.minimum(min(1.0, width), np.minimum(x + width * u, (1.0 - x) + width * (1.0 - u)))
        return x[:, None], y[:, None], -log(overlap)

    def _pmi(self, x: Array, y: Array) -> Array:
        return np.where(self._near(x[:, 0], y[:, 0]), -log(np.maximum(self._overlap(y[:, 0]), 0.0)), -np.inf)

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        return _inside(x[:, 0]), self._overlap(y[:, 0]) > 0.0

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        inside, near = _inside(x[:, 0]), self._near(x[:, 0], y[:, 0])
        log_width = math.log(2.0 * self.epsilon)
        return LogDensities(
            joint=np.where(inside & near, -log_width, -np.inf),
            x=np.where(inside, 0.0, -np.inf),
            y=log(np.maximum(self._overlap(y[:, 0]), 0.0)) - log_width,
        )

    def _near(self, x: Array, y: Array) -> Mask:
        """Whether the noise can lead from each x to its y, to the rounding of a map and its inverse."""
        return np.abs(y - x) <= self.epsilon + _ROUNDING * (1.0 + self.epsilon)

    def _overlap(self, y: Array) -> Array:
        """The length of the X that could give each y."""
        return np.minimum(min(1.0, 2.0 * self.epsilon), np.minimum(y, 1.0 - y) + self.epsilon)


def _inside(x: Array) -> Mask:
    return np.abs(x - 0.5) <= 0.5 + _ROUNDING
