"""What a critic is: it turns points into scores of pairs, and slopes by scores into a gradient by its parameters."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

Singles = npt.NDArray[np.float32]

_PAIRS = 2**16  # that a critic is asked for at a time


class Critic(ABC):
    """A function f(x, y) with parameters, which scores pairs of points and can be moved along its gradient.

    `parameters` is one vector, which training sets at each step; what the critic does follows from it alone. A critic
    of your own gives two methods, `each_pair` and its gradient. All pairs of two samples are made of them, unless you
    know a faster way and give it as well.
    """

    parameters: Singles

    @abstractmethod
    def each_pair(self, x: Singles, y: Singles) -> Singles:
        """The scores of each x with its own y: (len(x),)."""

    @abstractmethod
    def each_pair_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        """The gradient, by the parameters, of the sum of slopes times `each_pair(x, y)`."""

    def all_pairs(self, x: Singles, y: Singles) -> Singles:
        """The scores of every x with every y: (len(x), len(y))."""
        parts = [self.each_pair(*_crossed(x[rows], y)).reshape(-1, len(y)) for rows in _parts(len(x), len(y))]
        return np.concatenate(parts).astype(np.float32, copy=False)

    def all_pairs_gradient(self, x: Singles, y: Singles, slopes: Singles) -> Singles:
        """The gradient, by the parameters, of the sum of slopes times `all_pairs(x, y)`."""
        found = np.zeros_like(self.parameters)
        for rows in _parts(len(x), len(y)):
            found = found + self.each_pair_gradient(*_crossed(x[rows], y), slopes[rows].ravel())
        return found


class Architecture(ABC):
    """What a critic is before it is trained: a frozen dataclass whose fields are its hyperparameters."""

    @abstractmethod
    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> Critic:
        """A critic for points of these dimensions, with parameters drawn at random."""


def _parts(rows: int, columns: int) -> list[slice]:
    tall = max(1, _PAIRS // columns)
    return [slice(start, start + tall) for start in range(0, rows, tall)]


def _crossed(x: Singles, y: Singles) -> tuple[Singles, Singles]:
    """Every row of x beside every row of y."""
    return np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))
