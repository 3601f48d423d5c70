"""What every distribution shares: input checked once at the border, small private mathematics within."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import DrawFailed, NotAvailable
from mibench.types import Array, Draws, LogDensities, Mask, Truth

_MOST_GIGABYTES = 1e4


class Distribution(ABC):
    """A joint distribution P(X, Y) whose mutual information is known.

    A subclass sets `dim_x` and `dim_y` when it is made, and gives `mi`, `_draw`, and what it can of `_pmi`,
    `_log_densities` and, if not every point can occur, `_support`. These take arrays that have been checked.
    """

    dim_x: int
    dim_y: int

    @property
    @abstractmethod
    def mi(self) -> Truth:
        """The mutual information in nats, with its standard error (0 for a closed form)."""

    def draw(self, rng: np.random.Generator, n: int) -> Draws:
        """Draw n points with the pointwise MI of each."""
        rng, n = checks.generator(rng), checks.whole("n", n, least=1)
        size = 8e-9 * float(n) * (self.dim_x + self.dim_y)
        too_large = DrawFailed(f"{n} points of {type(self).__name__} take {size:.3g} gigabytes and more; draw fewer")
        if size > _MOST_GIGABYTES:
            raise too_large
        try:
            with np.errstate(all="ignore"):  # what overflows is refused below
                x, y, pmi = self._draw(rng, n)
        except MemoryError:
            raise too_large from None
        for name, values in (("x", x), ("y", y), ("the pointwise MI", pmi)):
            if not np.isfinite(values).all():
                raise DrawFailed(
                    f"{name} of a draw from {type(self).__name__} left the range of double precision; "
                    "choose parameters with lighter tails, or scale the variables down"
                )
        return Draws(np.ascontiguousarray(x), np.ascontiguousarray(y), pmi)

    def pmi(self, x: npt.ArrayLike, y: npt.ArrayLike) -> Array:
        """The pointwise MI, log p(x, y) - log p(x) - log p(y), at given points, in nats.

        It is -inf where x and y can each occur but never together, and NaN where one of them cannot occur (or, in a
        mixture, where a density is infinite). Far out, a value beyond double precision is an infinity of its sign; in
        a mixture, whose parts cannot be told apart there, it is an error.
        """
        left, right = checks.paired_points(x, y, self.dim_x, self.dim_y)
        with np.errstate(all="ignore"):
            possible_x, possible_y = self._support(left, right)
            return np.where(possible_x & possible_y, self._pmi(left, right), np.nan)

    def log_densities(self, x: npt.ArrayLike, y: npt.ArrayLike) -> LogDensities:
        """The log-densities of (X, Y), of X and of Y at given points, where they exist; -inf below all doubles."""
        left, right = checks.paired_points(x, y, self.dim_x, self.dim_y)
        with np.errstate(all="ignore"):
            return self._log_densities(left, right)

    def support(self, x: npt.ArrayLike, y: npt.ArrayLike) -> tuple[Mask, Mask]:
        """Whether each x, and each y, can occur."""
        with np.errstate(all="ignore"):
            return self._support(*checks.paired_points(x, y, self.dim_x, self.dim_y))

    @abstractmethod
    def _draw(self, rng: np.random.Generator, n: int) -> tuple[Array, Array, Array]:
        """X (n, dim_x), y (n, dim_y) and the pointwise MI (n,) of n draws."""

    def _pmi(self, x: Array, y: Array) -> Array:
        found = self._log_densities(x, y)
        return found.joint - found.x - found.y

    def _support(self, x: Array, y: Array) -> tuple[Mask, Mask]:
        """Whether each x, and each y, can occur; `_pmi` need not care for those that cannot."""
        return np.ones(len(x), dtype=np.bool_), np.ones(len(y), dtype=np.bool_)

    def _log_densities(self, x: Array, y: Array) -> LogDensities:  # noqa: ARG002
        raise NotAvailable(f"{type(self).__name__} has no density with respect to volume")
