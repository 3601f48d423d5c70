"""A task: a named distribution and the draws from it that everyone agrees on."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.errors import DimensionError, ParameterError
from mibench.types import Draws, Truth


@dataclass(frozen=True)
class Task:
    """A distribution with an id, a readable name and a group; (id, n, seed) fixes a draw to the last bit.

    >>> from mibench import AdditiveNoise
    >>> task = Task("my-noise", AdditiveNoise(0.1))
    >>> task.draw(n=3, seed=0).x.shape, task.mi
    ((3, 1), 1.709437912434100...)
    """

    id: str
    distribution: Distribution
    name: str = ""
    group: str = "custom"

    def __post_init__(self) -> None:
        """Check the id and the distribution."""
        if not isinstance(self.id, str) or not self.id or not self.id.isprintable():  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ParameterError(f"a task's id must be a printable string, got {self.id!r}")
        checks.member("distribution", self.distribution, Distribution)
        if min(self.dim_x, self.dim_y) < 1:
            raise DimensionError(f"a task needs dims of at least 1, got {self.dim_x} and {self.dim_y}")
        for label in ("name", "group"):
            checks.member(label, getattr(self, label), str)
        checks.settle(self, name=self.name or self.id)

    @property
    def dim_x(self) -> int:
        """The number of coordinates of X."""
        return self.distribution.dim_x

    @property
    def dim_y(self) -> int:
        """The number of coordinates of Y."""
        return self.distribution.dim_y

    @property
    def mi(self) -> Truth:
        """The mutual information in nats, with its standard error."""
        return self.distribution.mi

    def draw(self, n: int, seed: int) -> Draws:
        """N points; the same (task id, n, seed) gives the same x and y on every machine, bit for bit."""
        return self.distribution.draw(self.generator(n, seed), n)

    def generator(self, n: int, seed: int) -> np.random.Generator:
        """The random generator that stands behind `draw(n, seed)`."""
        n, seed = checks.whole("n", n, least=1), checks.whole("seed", seed, least=0, most=2**256)
        digest = hashlib.sha256(f"mibench-draw-1\n{self.id}\n{n}\n{seed}".encode()).digest()
        return np.random.Generator(np.random.PCG64(int.from_bytes(digest, "big")))
