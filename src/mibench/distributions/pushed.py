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
        before_x, inside_x = _pull_back(self.f, x)
        before_y, inside_y = _pull_back(self.g, y)
        return np.where(inside_x & inside_y, self.base.pmi(before_x, before_y), np.nan)

    def _log_densities(self, x: Array, y: Array) -> LogDensities:
        before_x, inside_x = _pull_back(self.f, x)
        before_y, inside_y = _pull_back(self.g, y)
        found = self.base.log_densities(before_x, before_y)
        stretch_x, stretch_y = self.f.log_jacobian(before_x), self.g.log_jacobian(before_y)
        return LogDensities(
            joint=np.where(inside_x & inside_y, found.joint - stretch_x - stretch_y, -np.inf),
            x=np.where(inside_x, found.x - stretch_x, -np.inf),
            y=np.where(inside_y, found.y - stretch_y, -np.inf),
        )


def _pull_back(transform: Transform, u: Array) -> tuple[Array, Mask]:
    """Where each point came from, and whether it can have come from anywhere (0 where not)."""
    inside = transform.in_image(u)
    found = transform.inverse(u[inside])
    before = np.zeros((len(u), found.shape[1]))
    before[inside] = found
    return before, inside
