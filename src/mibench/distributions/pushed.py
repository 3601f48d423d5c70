"""A distribution whose X and Y have each gone through an injective map."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.identity import register
from mibench.transforms.base import Transform
from mibench.transforms.compose import Identity
from mibench.types import Array, LogDensities, Mask, Truth


@register
@dataclass(frozen=True)
class Pushed(Distribution):
    """(f(X), g(Y)) for injective f and g: the MI, and each draw's pointwise MI, stay (Beyond Normal, Theorem 2.1).

    >>> from mibench import HalfCube, Normal
    >>> base = Normal([[1.0, 0.75], [0.75, 1.0]], dim_x=1)
    >>> Pushed(base, f=HalfCube(), g=HalfCube()).mi == base.mi
    True
    """

    base: Distribution
    f: Transform = Identity()  # noqa: RUF009  (immutable)
    g: Transform = Identity()  # noqa: RUF009

    def __post_init__(self) -> None:
        """Check that the maps fit the distribution."""
        checks.member("base", self.base, Distribution)
        checks.member("f", self.f, Transform)
        checks.member("g", self.g, Transform)
        checks.settle(self, dim_x=self.f.dim_out(self.base.dim_x), dim_y=self.g.dim_out(self.base.dim_y))

    @property
    def mi(self) -> Truth:
        """The mutual information in nats: that of the base."""
        return self.base.mi

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        draws = self.base.draw(rng, n)
        return self.f.forward(draws.x), self.g.forward(draws.y), draws.pmi

    def _pmi(self, x: Array, y: Array) -> Array:
        return self.base.pmi(_pull_back(self.f, x)[0], _pull_back(self.g, y)[0])

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        (before_x, image_x), (before_y, image_y) = _pull_back(self.f, x), _pull_back(self.g, y)
        base_x, base_y = self.base.support(before_x, before_y)
        return image_x & base_x, image_y & base_y

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        (before_x, image_x), (before_y, image_y) = _pull_back(self.f, x), _pull_back(self.g, y)
        found = self.base.log_densities(before_x, before_y)
        stretch_x, stretch_y = _log_stretch(self.f, before_x, image_x), _log_stretch(self.g, before_y, image_y)
        return LogDensities(
            joint=_stretched(found.joint, stretch_x + stretch_y),
            x=_stretched(found.x, stretch_x),
            y=_stretched(found.y, stretch_y),
        )


def _stretched(log_density: Array, stretch: Array) -> Array:
    """A log-density after a map; what cannot occur still cannot where the map squeezes a point to nothing."""
    return np.where(np.isneginf(log_density), -np.inf, log_density - stretch)


def _pull_back(transform: Transform, u: Array) -> tuple[Array, Mask]:
    """Where each point came from, and whether it can have come from anywhere (0 where not)."""
    image, found = transform.preimages(u)
    before = np.zeros((len(u), found.shape[1]))
    before[image] = found
    return before, image


def _log_stretch(transform: Transform, before: Array, image: Mask) -> Array:
    """By what a density is divided, as a logarithm: by infinity where no point is mapped to."""
    out = np.full(len(before), np.inf)
    out[image] = transform.log_jacobian(before[image])
    return out
