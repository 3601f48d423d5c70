"""Drawn samples beside the exact laws of their margins and the formulas of their covariances."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats
from zoo import COVARIANCE

import mibench as mi
from mibench.distributions.gamma import log_gammas
from mibench.normal_law import open_uniforms, standard_normals

N = 50_000
# The chance that a right sampler fails one such test, over all that stand here: about 1e-4.
P_VALUE = 1e-6


def _draws(distribution: mi.Distribution) -> mi.Draws:
    return distribution.draw(np.random.default_rng(11), N)


def _trapezoid_cdf(epsilon: float) -> Callable[[np.ndarray], np.ndarray]:
    def ramp(t: np.ndarray) -> np.ndarray:
        return np.where(t > 0, 0.5 * t * t, 0.0)

    def cdf(y: np.ndarray) -> np.ndarray:
        ends = (y + epsilon, y - epsilon, y + epsilon - 1, y - epsilon - 1)
        return (ramp(ends[0]) - ramp(ends[1]) - ramp(ends[2]) + ramp(ends[3])) / (2 * epsilon)

    return cdf


def _mixture_cdf(weights: tuple[float, float], means: tuple[float, float]) -> Callable[[np.ndarray], np.ndarray]:
    return lambda t: weights[0] * stats.norm.cdf(t - means[0]) + weights[1] * stats.norm.cdf(t - means[1])


def _wiggly_cdf(wiggle: Callable[[np.ndarray], np.ndarray]) -> Callable[[np.ndarray], np.ndarray]:
    grid = np.linspace(-9.0, 9.0, 200_001)
    return lambda t: _NORMAL(np.interp(t, wiggle(grid), grid))


def _wiggle_x(x: np.ndarray) -> np.ndarray:
    return x + 0.4 * np.sin(x) + 0.2 * np.sin(1.7 * x + 1) + 0.03 * np.sin(3.3 * x - 2.5)


def _wiggle_y(y: np.ndarray) -> np.ndarray:
    return y - 0.4 * np.sin(0.4 * y) + 0.17 * np.sin(1.3 * y + 3.5) + 0.02 * np.sin(4.3 * y - 2.5)


_task = {t.id: t.distribution for t in mi.TASKS}
_NORMAL, _UNIFORM = stats.norm.cdf, stats.uniform.cdf

# A distribution, and the laws of each coordinate of X and of Y.
MARGINS = {
    "normal": (_task["multinormal-sparse-3-3-2-2.0"], [_NORMAL] * 3, [_NORMAL] * 3),
    "dense": (_task["multinormal-dense-5-5-0.5"], [_NORMAL] * 5, [_NORMAL] * 5),
    "uniform": (_task["normal_cdf-multinormal-sparse-3-3-2-2.0"], [_UNIFORM] * 3, [_UNIFORM] * 3),
    "bimodal": (
        _task["1v1-bimodal-0.75"],
        [_mixture_cdf((0.3, 0.7), (0.0, 5.0))],
        [_mixture_cdf((0.5, 0.5), (-1.0, 3.0))],
    ),
    "half-cube": (
        _task["half_cube-1v1-normal-0.75"],
        [lambda t: _NORMAL(np.cbrt(t) ** 2 * np.sign(t))] * 1,
        [lambda t: _NORMAL(np.cbrt(t) ** 2 * np.sign(t))],
    ),
    "wiggly": (_task["wiggly-1v1-normal-0.75"], [_wiggly_cdf(_wiggle_x)], [_wiggly_cdf(_wiggle_y)]),
    "student 1": (_task["student-identity-2-2-1"], [stats.t(1).cdf] * 2, [stats.t(1).cdf] * 2),
    "student 3": (_task["student-identity-5-5-3"], [stats.t(3).cdf] * 5, [stats.t(3).cdf] * 5),
    "student 0.4": (mi.Student(np.eye(2), dof=0.4, dim_x=1), [stats.t(0.4).cdf], [stats.t(0.4).cdf]),
    "student 1e6": (mi.Student(np.eye(2), dof=1e6, dim_x=1), [_NORMAL], [_NORMAL]),
    "asinh": (
        _task["asinh-student-identity-2-2-1"],
        [lambda t: stats.t(1).cdf(np.sinh(t))] * 2,
        [lambda t: stats.t(1).cdf(np.sinh(t))] * 2,
    ),
    "additive 0.1": (mi.AdditiveNoise(0.1), [_UNIFORM], [_trapezoid_cdf(0.1)]),
    "additive 0.75": (mi.AdditiveNoise(0.75), [_UNIFORM], [_trapezoid_cdf(0.75)]),
    "noise": (mi.Noise(2, 2, dof=1.5), [stats.t(1.5).cdf] * 2, [stats.t(1.5).cdf] * 2),
    "spiral": (_task["spiral-multinormal-sparse-5-5-2-2.0"], [_NORMAL] * 5, [_NORMAL] * 5),
    "mixture": (
        mi.Mixture(tuple(mi.Normal(np.eye(2), dim_x=1, mean=(m, -m)) for m in (0.0, 5.0)), weights=(0.3, 0.7)),
        [_mixture_cdf((0.3, 0.7), (0.0, 5.0))],
        [_mixture_cdf((0.3, 0.7), (0.0, -5.0))],
    ),
}


@pytest.mark.parametrize(("distribution", "laws_x", "laws_y"), MARGINS.values(), ids=MARGINS.keys())
def test_margins_follow_their_laws(distribution: mi.Distribution, laws_x: list, laws_y: list) -> None:
    draws = _draws(distribution)
    for points, laws in ((draws.x, laws_x), (draws.y, laws_y)):
        for column, law in zip(points.T, laws, strict=True):
            assert stats.kstest(column, law).pvalue > P_VALUE


def test_swiss_roll_has_a_uniform_margin_along_the_roll() -> None:
    draws = _draws(_task["swissroll_x-normal_cdf-1v1-normal-0.75"])
    assert stats.kstest(mi.SwissRoll().inverse(draws.x)[:, 0], _UNIFORM).pvalue > P_VALUE


@pytest.mark.parametrize("name", ["multinormal-dense-25-25-0.5", "multinormal-sparse-25-25-2-2.0"])
def test_correlations_of_the_tasks(name: str) -> None:
    draws = _draws(_task[name])
    found = np.corrcoef(np.hstack([draws.x, draws.y]).T)
    expected = _task[name].covariance.matrix()
    np.testing.assert_allclose(found, expected, atol=6.0 / math.sqrt(N))


def test_covariance_and_mean_of_a_general_normal() -> None:
    mean = np.array([1.0, -2.0, 3.0, 0.0, 5.0])
    draws = _draws(mi.Normal(COVARIANCE, dim_x=2, mean=mean))
    points = np.hstack([draws.x, draws.y])
    scale = np.sqrt(np.diag(COVARIANCE))
    np.testing.assert_allclose((points.mean(axis=0) - mean) / scale, 0.0, atol=6.0 / math.sqrt(N))
    gap = (np.cov(points.T) - COVARIANCE) / np.outer(scale, scale)
    np.testing.assert_allclose(gap, 0.0, atol=6.0 * math.sqrt(2.0 / N))


def test_student_points_have_their_radius_and_covariance() -> None:
    dof, location = 9.0, np.arange(5.0)
    draws = _draws(mi.Student(COVARIANCE, dof=dof, dim_x=3, location=location))
    points = np.hstack([draws.x, draws.y]) - location
    radius = (points @ np.linalg.inv(COVARIANCE) * points).sum(axis=1) / 5
    assert stats.kstest(radius, stats.f(5, dof).cdf).pvalue > P_VALUE
    scale = np.sqrt(np.diag(COVARIANCE))
    gap = (np.cov(points.T) * (dof - 2) / dof - COVARIANCE) / np.outer(scale, scale)
    np.testing.assert_allclose(gap, 0.0, atol=0.06)


@pytest.mark.parametrize("shape", [0.05, 0.2, 0.5, 1.0, 1.5, 20.0, 1e4])
def test_gamma_variates(shape: float) -> None:
    logs = log_gammas(np.random.default_rng(2), shape, N)
    assert stats.kstest(logs, stats.loggamma(shape).cdf).pvalue > P_VALUE


def test_normal_and_uniform_variates() -> None:
    rng = np.random.default_rng(4)
    normals = standard_normals(rng, (10, N))
    assert stats.kstest(normals.ravel(), _NORMAL).pvalue > P_VALUE
    assert np.abs(np.corrcoef(normals) - np.eye(10)).max() < 6.0 / math.sqrt(N)
    uniforms = open_uniforms(rng, (N,))
    assert stats.kstest(uniforms, _UNIFORM).pvalue > P_VALUE
    assert 0.0 < uniforms.min() < uniforms.max() < 1.0


def test_labels_follow_their_weights() -> None:
    weights = (0.05, 0.15, 0.8)
    labelled = mi.Labelled((mi.Noise(1, 1),) * 3, weights=weights)
    counts = np.bincount(_draws(labelled).x[:, 0].astype(int))
    assert stats.chisquare(counts, N * np.array(weights)).pvalue > P_VALUE
