"""Objectives at whose best scores are pointwise MI themselves, so that the estimate is the mean score: no bounds.

Exponentials of scores are taken as they are up to e^15, so that no batch is too much for single precision.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from mibench.errors import ParameterError
from mibench.estimators.neural.critics import Singles
from mibench.estimators.neural.objectives import HIGHEST, Objective
from mibench.estimators.neural.pairs import Map, Pairs

_TINY = 1e-300


@dataclass(frozen=True)
class SMILEBound(Objective):
    """Trained as Jensen-Shannon, valued as Donsker-Varadhan with scores apart clipped: J. Song and S. Ermon (2020)."""

    clip: float = 5.0

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The Jensen-Shannon objective and its derivatives."""
        return FDivergence("jensen-shannon").slopes(scores)

    def value(self, pairs: Pairs) -> float:
        """The clipped bound."""
        return float(pairs.together.mean()) - pairs.log_mean_exp(lambda s: np.clip(s, -self.clip, self.clip))


@dataclass(frozen=True)
class FDivergence(Objective):
    """The variational form of an f-divergence at whose best f is the pointwise MI; the estimate is the mean of f.

    N. A. Letizia, N. Novello and A. M. Tonello, "Mutual information estimation via f-divergence and data derangements"
    (2024), with their names GAN-, KL- and HD-DIME for "jensen-shannon", "kl" and "hellinger".
    """

    divergence: Literal["jensen-shannon", "kl", "hellinger"] = "jensen-shannon"

    def __post_init__(self) -> None:
        """Check the parameter."""
        if self.divergence not in _FORMS:
            raise ParameterError(f"divergence must be one of {', '.join(_FORMS)}, got {self.divergence!r}")

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The objective and its derivatives."""
        n = len(scores)
        gain, gain_slope, cost, cost_slope = _FORMS[self.divergence]
        together = scores.diagonal().copy()
        costs, slopes = cost(scores), cost_slope(scores)
        np.fill_diagonal(costs, 0.0)
        slopes *= -1.0 / (n * (n - 1.0))
        np.fill_diagonal(slopes, gain_slope(together) / n)
        value = float(gain(together).mean(dtype=np.float64)) - float(costs.sum(dtype=np.float64)) / (n * (n - 1.0))
        return value, slopes

    def value(self, pairs: Pairs) -> float:
        """The objective."""
        gain, _, cost, _ = _FORMS[self.divergence]
        return float(gain(pairs.together).mean()) - pairs.mean(cost)

    def mi(self, pairs: Pairs) -> float:
        """The mean score of pairs drawn together."""
        return float(pairs.together.mean())


@dataclass(frozen=True)
class AnchoredInfoNCE(Objective):
    """InfoNCE with one more class, for "none of them is drawn together with x": J. J. Ryu et al. (2025).

    The class weighs `anchor` times as much as all y of the batch together, so that the best f is the pointwise MI
    itself and not only up to a function of x; the estimate is its mean over pairs together.
    """

    anchor: float = 1.0
    batch: int = 256

    def slopes(self, scores: Singles) -> tuple[float, Singles]:
        """The log score of both kinds of questions and its derivatives."""
        n = len(scores)
        rows = np.arange(n)
        skipped = (rows + 1) % n  # one y apart makes room for the one together, so that both kinds have as many
        own, weight = scores.diagonal().astype(np.float64), self.anchor * (n - 1.0)
        terms = scores.copy()
        terms[rows, rows] = -np.inf
        largest = np.maximum(terms.max(axis=1), np.float32(0.0))
        terms = np.exp(terms - largest[:, None])
        dropped = terms[rows, skipped]
        terms[rows, skipped] = 0.0
        rest = weight * np.exp(-largest.astype(np.float64)) + terms.sum(axis=1, dtype=np.float64)
        with_one = np.logaddexp(own, largest + np.log(np.maximum(rest, _TINY)))
        with_none = largest + np.log(rest + dropped)
        share = 1.0 / (1.0 + self.anchor)
        value = float((share * (own - with_one) + (1.0 - share) * (math.log(weight) - with_none)).mean())
        of_one = share / n * np.exp(np.minimum(largest - with_one, HIGHEST))
        of_none = (1.0 - share) / n * np.exp(largest - with_none)
        slopes = terms * -(of_one + of_none)[:, None].astype(np.float32)
        slopes[rows, skipped] = -of_none * dropped
        slopes[rows, rows] = share / n * (1.0 - np.exp(own - with_one))
        return value, slopes

    def value(self, pairs: Pairs) -> float:
        """The log score, in batches as training sees them."""
        return float(np.mean([self.slopes(scores)[0] for scores in pairs.batches(self.batch)]))

    def mi(self, pairs: Pairs) -> float:
        """The mean score of pairs drawn together."""
        return float(pairs.together.mean())


def _exp(s: Any) -> Any:
    return np.exp(np.minimum(s, HIGHEST))


def _softplus(s: Any) -> Any:
    return np.maximum(s, 0.0) + np.log1p(np.exp(-np.abs(s)))


def _sigmoid(s: Any) -> Any:
    half = np.exp(-np.abs(s))
    return np.where(s >= 0.0, 1.0, half) / (1.0 + half)


def _same(s: Any) -> Any:
    return s


def _minus_softplus_of_minus(s: Any) -> Any:
    return -_softplus(-s)


def _sigmoid_of_minus(s: Any) -> Any:
    return _sigmoid(-s)


def _ones(s: Any) -> Any:
    return np.ones_like(s)


def _minus_root_below(s: Any) -> Any:
    return -_exp(-0.5 * s)


def _half_root_below(s: Any) -> Any:
    return 0.5 * _exp(-0.5 * s)


def _root(s: Any) -> Any:
    return _exp(0.5 * s)


def _half_root(s: Any) -> Any:
    return 0.5 * _exp(0.5 * s)


# Of each divergence: what a score together gains, its slope, what a score apart costs, its slope.
_Form = tuple[Map, Map, Map, Map]
_FORMS: dict[str, _Form] = {
    "jensen-shannon": (_minus_softplus_of_minus, _sigmoid_of_minus, _softplus, _sigmoid),
    "kl": (_same, _ones, _exp, _exp),
    "hellinger": (_minus_root_below, _half_root_below, _root, _half_root),
}
