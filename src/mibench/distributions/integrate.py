"""MI by integration: the mean pointwise MI over many draws, with its standard error."""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from mibench import checks
from mibench.distributions.base import Distribution
from mibench.types import Truth

_DRAWS = 2**20
_CHUNK = 2**16


def mi_by_draws(distribution: Distribution, n: int = _DRAWS, seed: int = 0) -> Truth:
    """The mean pointwise MI of n draws, and its standard error.

    >>> from mibench import AdditiveNoise
    >>> truth = mi_by_draws(AdditiveNoise(0.75), n=10_000)
    >>> abs(truth - 1 / 3) < 5 * truth.error
    True
    """
    checks.member("distribution", distribution, Distribution)
    n, seed = checks.whole("n", n, least=2), checks.whole("seed", seed, least=0)
    rng = np.random.Generator(np.random.PCG64(seed))
    sizes = [min(_CHUNK, n - start) for start in range(0, n, _CHUNK)]
    pmi = np.concatenate([distribution.draw(rng, size).pmi for size in sizes])
    return mean_and_error(pmi)


def mean_and_error(pmi: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Truth:
    """The mean of a sample of pointwise MI with its standard error."""
    n = pmi.size
    mean = math.fsum(pmi) / n
    return Truth(mean, math.sqrt(math.fsum((pmi - mean) ** 2) / max(n - 1, 1) / n))


class Integrated(Distribution):
    """A distribution whose MI has no closed form: it is integrated when first asked for, and kept."""

    @property
    def mi(self) -> Truth:
        """The mutual information in nats, with its standard error."""
        return self._integral

    @cached_property
    def _integral(self) -> Truth:
        found = mi_by_draws(self)
        return Truth(max(0.0, found), found.error)
