"""Objectives beside their formulas in plain NumPy: values, slopes, held-out values, what is safe from overflow."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import expit, logsumexp

import mibench as mi
from mibench.estimators.neural.objectives import (
    DonskerVaradhanBound,
    InfoNCEBound,
    MINEBound,
    NWJBound,
)
from mibench.estimators.neural.pairs import Pairs, row_log_means
from mibench.estimators.neural.ratios import AnchoredInfoNCE, FDivergence, SMILEBound

N = 24


def _split(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Scores of pairs together, and of pairs apart."""
    return np.diag(scores), scores[~np.eye(len(scores), dtype=bool)]


def _dv(scores: np.ndarray) -> float:
    together, apart = _split(scores)
    return float(together.mean() - np.log(np.exp(apart).mean()))


def _nwj(scores: np.ndarray) -> float:
    together, apart = _split(scores)
    return float(together.mean() - np.exp(apart - 1.0).mean())


def _infonce(scores: np.ndarray) -> float:
    return float(np.mean(np.diag(scores) - np.log(np.exp(scores).mean(axis=1))))


def _jensen_shannon(scores: np.ndarray) -> float:
    together, apart = _split(scores)
    return float(np.log(expit(together)).mean() + np.log(1.0 - expit(apart)).mean())


def _kl(scores: np.ndarray) -> float:
    together, apart = _split(scores)
    return float(together.mean() - np.exp(apart).mean())


def _hellinger(scores: np.ndarray) -> float:
    together, apart = _split(scores)
    return float(-np.exp(-together / 2.0).mean() - np.exp(apart / 2.0).mean())


def _anchored(anchor: float) -> object:
    def value(scores: np.ndarray) -> float:
        """Of each x: which of the n - 1 y it is drawn with, its own among them; and that it is drawn with none."""
        n, found = len(scores), 0.0
        for i in range(n):
            apart = np.delete(scores[i], i)
            none = anchor * (n - 1)
            others = np.delete(scores[i], [i, (i + 1) % n])
            own = scores[i, i] - np.log(none + np.exp(others).sum() + np.exp(scores[i, i]))
            rejected = np.log(none / (none + np.exp(apart).sum()))
            found += (own + anchor * rejected) / (1.0 + anchor) / n
        return found

    return value


FORMULAS = {
    "Donsker-Varadhan": (DonskerVaradhanBound(), _dv),
    "NWJ": (NWJBound(), _nwj),
    "InfoNCE": (InfoNCEBound(), _infonce),
    "SMILE": (SMILEBound(), _jensen_shannon),
    "Jensen-Shannon": (FDivergence("jensen-shannon"), _jensen_shannon),
    "KL": (FDivergence("kl"), _kl),
    "Hellinger": (FDivergence("hellinger"), _hellinger),
    "anchor": (AnchoredInfoNCE(1.0, N), _anchored(1.0)),
    "light anchor": (AnchoredInfoNCE(0.2, N), _anchored(0.2)),
}
EVERY = pytest.mark.parametrize(("objective", "formula"), FORMULAS.values(), ids=FORMULAS.keys())


class Table(mi.Critic):
    """A critic that looks scores up: x and y are the row and the column of a matrix."""

    def __init__(self, scores: np.ndarray) -> None:
        self.parameters = scores.astype(np.float32).ravel()
        self.side = len(scores)

    def _places(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return x[:, 0].astype(int) * self.side + y[:, 0].astype(int)

    def each_pair(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return self.parameters[self._places(x, y)]

    def each_pair_gradient(self, x: np.ndarray, y: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        gradient = np.zeros_like(self.parameters)
        np.add.at(gradient, self._places(x, y), slopes)
        return gradient


def _pairs(scores: np.ndarray, n_jobs: int = 1) -> Pairs:
    places = np.arange(len(scores), dtype=np.float32)[:, None]
    return Pairs(Table(scores), places, places, n_jobs)


def _scores(n: int = N, seed: int = 0, scale: float = 1.5) -> np.ndarray:
    scores = scale * np.random.default_rng(seed).normal(size=(n, n)) + scale * np.eye(n)
    return scores.astype(np.float32).astype(np.float64)  # what single precision has


@EVERY
@pytest.mark.parametrize("seed", range(3))
def test_values_are_those_of_the_formula(objective: mi.Objective, formula: object, seed: int) -> None:
    scores = _scores(seed=seed)
    assert objective.slopes(scores.astype(np.float32))[0] == pytest.approx(formula(scores), abs=1e-6)


@EVERY
def test_slopes_are_finite_differences(objective: mi.Objective, formula: object) -> None:
    scores = _scores(seed=3)
    _, slopes = objective.slopes(scores.astype(np.float32))
    for i, j in [(0, 0), (5, 5), (0, 1), (1, 0), (23, 0), (0, 23), (7, 12), (20, 3)]:
        step = np.zeros_like(scores)
        step[i, j] = 1e-5
        change = (formula(scores + step) - formula(scores - step)) / 2e-5
        assert slopes[i, j] == pytest.approx(change, rel=1e-4, abs=1e-7)


HELD_OUT = {
    "Donsker-Varadhan": (DonskerVaradhanBound(), _dv, _dv),
    "NWJ": (NWJBound(), _nwj, _nwj),
    "InfoNCE": (InfoNCEBound(), _infonce, _infonce),
    "Jensen-Shannon": (FDivergence("jensen-shannon"), _jensen_shannon, lambda s: float(np.diag(s).mean())),
    "KL": (FDivergence("kl"), _kl, lambda s: float(np.diag(s).mean())),
    "Hellinger": (FDivergence("hellinger"), _hellinger, lambda s: float(np.diag(s).mean())),
    "anchor": (AnchoredInfoNCE(1.0, 700), _anchored(1.0), lambda s: float(np.diag(s).mean())),
}


@pytest.mark.parametrize("n", [24, 700])  # of 700 points not all pairs are scored at a time
@pytest.mark.parametrize(("objective", "value", "estimate"), HELD_OUT.values(), ids=HELD_OUT.keys())
def test_held_out_values_are_those_of_the_formula(
    objective: mi.Objective, value: object, estimate: object, n: int
) -> None:
    scores = _scores(n)
    for jobs in (1, 2):
        pairs = _pairs(scores, jobs)
        assert objective.value(pairs) == pytest.approx(value(scores), abs=1e-6)
        assert objective.mi(pairs) == pytest.approx(estimate(scores), abs=1e-6)


def test_smile_is_donsker_varadhan_with_scores_apart_clipped() -> None:
    scores = _scores(scale=4.0)
    together, apart = _split(scores)
    expected = together.mean() - np.log(np.exp(np.clip(apart, -2.0, 2.0)).mean())
    assert SMILEBound(2.0).value(_pairs(scores)) == pytest.approx(expected, abs=1e-6)
    assert SMILEBound(50.0).value(_pairs(scores)) == pytest.approx(_dv(scores), abs=1e-6)


@pytest.mark.parametrize("n", [2, 3, 40, 1000])
def test_mine_is_donsker_varadhan_on_few_points(n: int) -> None:
    scores = _scores(n)
    assert MINEBound().value(_pairs(scores)) == pytest.approx(_dv(scores), abs=1e-6)


def test_mine_takes_a_million_pairs_apart_of_more_points() -> None:
    scores = _scores(1500)
    batch = 2**20 // 1500
    apart = [_split(scores[at : at + batch, at : at + batch])[1] for at in range(0, 1500 - batch + 1, batch)]
    assert sum(a.size for a in apart) == pytest.approx(2**20, rel=0.1)
    expected = float(np.diag(scores).mean() - np.log(np.exp(np.concatenate(apart)).mean()))
    assert MINEBound().value(_pairs(scores)) == pytest.approx(expected, abs=1e-6)
    assert expected == pytest.approx(_dv(scores), abs=0.05)


def test_the_gradient_of_mine_is_that_of_its_article() -> None:
    # Belghazi et al. (2018), eq. 12: E[grad T] - E[exp(T') grad T'] / the moving mean of E[exp T'].
    places = np.arange(N, dtype=np.float32)[:, None]
    objective, memory = MINEBound(0.7), {}
    moving = None
    for step in range(4):
        scores = _scores(seed=step, scale=3.0)
        shift = 1 + int(np.random.default_rng(step).integers(N - 1))
        apart = np.arange(N), (np.arange(N) + N - shift) % N
        value, gradient = objective.ascent(Table(scores), places, places, np.random.default_rng(step), memory)
        exps = np.exp(scores[apart])
        moving = exps.mean() if moving is None else 0.7 * moving + 0.3 * exps.mean()
        expected = np.eye(N) / N
        expected[apart] -= exps / N / moving
        np.testing.assert_allclose(gradient.reshape(N, N), expected, rtol=1e-5, atol=1e-8)
        assert value == pytest.approx(np.diag(scores).mean() - np.log(exps.mean()), abs=1e-6)


@pytest.mark.parametrize("size", [2, 50, 3000])
def test_infonce_is_at_most_the_logarithm_of_its_batch(size: int) -> None:
    perfect = np.where(np.eye(min(size, 200)), 1e4, -1e4)
    value, slopes = InfoNCEBound().slopes(perfect.astype(np.float32))
    assert value == pytest.approx(math.log(len(perfect)), abs=1e-6)
    assert value <= math.log(len(perfect))
    assert np.isfinite(slopes).all()
    places = np.arange(size, dtype=np.float32)[:, None]
    bound = InfoNCEBound().value(Pairs(mi.Bilinear().start(1, 1, np.random.default_rng(0)), places, places))
    assert bound <= math.log(size)


@EVERY
@pytest.mark.parametrize("high", [100.0, 1e4])
def test_no_score_is_too_high(objective: mi.Objective, formula: object, high: float) -> None:
    for scores in (_scores() * high, _scores() - high, _scores() + high, np.full((N, N), high)):
        value, slopes = objective.slopes(scores.astype(np.float32))
        assert math.isfinite(value)
        assert np.isfinite(slopes).all()
        assert not math.isnan(objective.value(_pairs(scores)))


def test_log_sums_of_high_scores_are_right() -> None:
    scores = 1e4 * _scores(600)
    apart = np.where(np.eye(600), -np.inf, scores)
    np.testing.assert_allclose(_pairs(scores).row_log_sums(), logsumexp(apart, axis=1), rtol=1e-7)
    expected = float(np.asarray(logsumexp(apart))) - math.log(600 * 599)
    assert _pairs(scores).log_mean_exp() == pytest.approx(expected, rel=1e-7)
    assert MINEBound().offset(_pairs(scores)) < expected + 1e-3


def test_offsets_make_the_mean_of_exp_one() -> None:
    scores = _scores()
    apart = _split(scores)[1]
    for objective in (DonskerVaradhanBound(), MINEBound()):
        assert np.mean(np.exp(apart - objective.offset(_pairs(scores)))) == pytest.approx(1.0, abs=1e-6)
    rows = row_log_means(Table(scores), *2 * [np.arange(N, dtype=np.float32)[:, None]])
    np.testing.assert_allclose(rows + math.log(N), logsumexp(scores, axis=1), atol=1e-6)
    assert InfoNCEBound().free_in_x
    assert NWJBound().offset(_pairs(scores)) == 1.0
    assert FDivergence().offset(_pairs(scores)) == AnchoredInfoNCE().offset(_pairs(scores)) == 0.0
