"""Closed forms of MI beside values derived another way: determinants, integrals, limits, high-precision sums."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mpmath
import numpy as np
import pytest
from integrals import integral_1x1
from zoo import COVARIANCE, TWO_NORMALS, TWO_STUDENTS

import mibench as mi
from mibench.distributions import gamma
from mibench.errors import DataError
from mibench.types import Array


def _stretched(reach: float, n: int) -> tuple[Array, Array]:
    """A grid that is even near 0 and exponential far out, and the weight of each of its points."""
    t = np.linspace(-reach, reach, n)
    return np.sinh(t), np.cosh(t) * (t[1] - t[0])


def test_normal_mi_is_the_ratio_of_determinants() -> None:
    for m in range(1, 5):
        blocks = (COVARIANCE[:m, :m], COVARIANCE[m:, m:], COVARIANCE)
        x, y, both = (np.linalg.slogdet(b)[1] for b in blocks)
        assert mi.Normal(COVARIANCE, dim_x=m).mi == pytest.approx(0.5 * (x + y - both), abs=1e-12)


def test_normal_mi_is_the_sum_over_canonical_correlations() -> None:
    family = mi.FactorCovariance(3, 5, K=2, alpha=0.5, beta_x=1.0, beta_y=0.2, lambda_=1.2, eta_x=0.3, eta_y=0.7)
    cov = family.matrix()
    lx, ly = np.linalg.cholesky(cov[:3, :3]), np.linalg.cholesky(cov[3:, 3:])
    correlations = np.linalg.svd(np.linalg.solve(lx, cov[:3, 3:]) @ np.linalg.inv(ly).T, compute_uv=False)
    assert mi.Normal(family).mi == pytest.approx(-0.5 * np.log1p(-(correlations**2)).sum(), abs=1e-12)


def test_normal_1x1_by_integration() -> None:
    normal = mi.Normal([[2.0, -1.3], [-1.3, 1.5]], dim_x=1)
    grid = np.linspace(-15.0, 15.0, 1501)
    step = np.full_like(grid, grid[1] - grid[0])
    assert normal.mi == pytest.approx(integral_1x1(normal, grid, grid, step, step), abs=1e-10)


def test_factor_covariance_is_that_of_its_factors() -> None:
    m, n, k = 4, 3, 2
    a, bx, by, lam, ex, ey, hx, hy = 0.3, -0.8, 0.5, 1.7, 0.9, 1.1, 0.6, 0.4
    rows: list[list[float]] = []
    # Columns: U_all, U_X, U_Y, Z_1..Z_K, then each coordinate's own E or F and, beyond K, E' or F'.
    for side, dim, b, e, h in ((0, m, bx, ex, hx), (1, n, by, ey, hy)):
        for i in range(dim):
            own = [0.0] * (2 * (m + n))
            place = 2 * (side * m + i)
            own[place], own[place + 1] = e, (h if i >= k else 0.0)
            rows.append([a, b * (1 - side), b * side, *(lam * (i == j) for j in range(k)), *own])
    loadings = np.array(rows)
    family = mi.FactorCovariance(
        m, n, K=k, alpha=a, beta_x=bx, beta_y=by, lambda_=lam, epsilon_x=ex, epsilon_y=ey, eta_x=hx, eta_y=hy
    )
    np.testing.assert_allclose(family.matrix(), loadings @ loadings.T, rtol=1e-14, atol=1e-15)


def test_corners_of_the_family() -> None:
    assert mi.Normal(mi.sparse(5, 4, K=0)).mi == 0.0
    assert mi.Normal(mi.sparse(6, 4, K=3, correlation=0.8)).mi == pytest.approx(-1.5 * math.log(0.36), abs=1e-12)
    np.testing.assert_allclose(mi.dense(3, 2, 0.3).matrix(), 0.3 + 0.7 * np.eye(5), atol=1e-15)
    assert mi.Normal(mi.dense(1, 1, 0.0)).mi == 0.0
    one_pair = mi.FactorCovariance(2, 2, K=1, lambda_=2.0, unit_variance=True)
    assert mi.Normal(one_pair).mi == pytest.approx(mi.Normal(mi.sparse(2, 2, K=1, correlation=0.8)).mi, abs=1e-14)


def test_dense_mi_by_its_eigenvalues() -> None:
    rho, d = 0.5, 25
    # The determinant of an equicorrelated matrix of size d: (1 - rho)^(d-1) (1 + (d-1) rho).
    logs = [(k - 1) * math.log(1 - rho) + math.log1p((k - 1) * rho) for k in (d, d, 2 * d)]
    assert mi.Normal(mi.dense(d, d, rho)).mi == pytest.approx(0.5 * (logs[0] + logs[1] - logs[2]), abs=1e-12)


@pytest.mark.parametrize("dof", [0.3, 1.0, 2.0, 2.5, 7.0, 19.9, 20.1, 1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 5), (25, 25)])
def test_student_terms_agree_with_high_precision(dof: float, m: int, n: int) -> None:
    with mpmath.workdps(60):

        def f(x: float) -> Any:
            a = mpmath.mpf(x) / 2
            return mpmath.loggamma(a) - a * mpmath.digamma(a)

        def g(x: float) -> Any:
            return mpmath.loggamma(mpmath.mpf(x) / 2)

        nu = mpmath.mpf(dof)
        exact = f(nu) + f(nu + m + n) - f(nu + m) - f(nu + n)
        constant = g(nu) + g(nu + m + n) - g(nu + m) - g(nu + n)
    assert gamma.student_information(dof, m, n) == pytest.approx(
        float(exact), rel=1e-9, abs=2e-14 if dof < 20.0 else 1e-18
    )
    assert gamma.student_log_gammas(dof, m, n) == pytest.approx(float(constant), rel=1e-10, abs=2e-13)


@pytest.mark.parametrize("dof", [0.7, 1.0, 3.0, 11.5])
def test_student_1x1_by_integration(dof: float) -> None:
    student = mi.Student([[1.0, 0.4], [0.4, 2.0]], dof=dof, dim_x=1)
    grid, weight = _stretched(60.0 / dof if dof < 2 else 20.0, 1801)
    assert student.mi == pytest.approx(integral_1x1(student, grid, grid, weight, weight), abs=1e-5)


def test_student_tends_to_normal() -> None:
    normal = mi.Normal(COVARIANCE, dim_x=2)
    gaps = [float(mi.Student(COVARIANCE, dof=dof, dim_x=2).mi) - normal.mi for dof in (1.0, 10.0, 1e3, 1e5)]
    assert all(a > b > 0.0 for a, b in itertools.pairwise(gaps))
    assert gaps[-1] < 1e-9
    points = normal.draw(np.random.default_rng(0), 100)
    far = mi.Student(COVARIANCE, dof=1e12, dim_x=2)
    np.testing.assert_allclose(far.pmi(points.x, points.y), points.pmi, atol=1e-8)


def test_student_pmi_far_out_neither_overflows_nor_drifts() -> None:
    student = mi.Student(np.eye(2), dof=1.0, dim_x=1)
    near, far = student.pmi([[1e10], [1e150], [1e300]], [[1e10], [1e150], [1e300]])[[0, 2]]
    # Along the diagonal the density ratio grows like r: log p(x, y) - log p(x) - log p(y) = log r + constant.
    assert far - near == pytest.approx(290 * math.log(10), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 0.4999, 0.5, 0.5001, 0.75, 3.0])
def test_additive_noise_by_integration(epsilon: float) -> None:
    from scipy.integrate import quad

    def marginal(y: float) -> float:
        return (min(1.0, y + epsilon) - max(0.0, y - epsilon)) / (2 * epsilon)

    def entropy_term(y: float) -> float:
        p = marginal(y)
        return -p * math.log(p) if p > 0 else 0.0

    corners = sorted({-epsilon, epsilon, 1.0 - epsilon, 1.0 + epsilon})
    h_y = sum(quad(entropy_term, a, b, epsabs=1e-13)[0] for a, b in itertools.pairwise(corners))
    assert mi.AdditiveNoise(epsilon).mi == pytest.approx(h_y - math.log(2 * epsilon), abs=1e-9)


@pytest.mark.parametrize(("mixture", "reach"), [(TWO_NORMALS, 4.0), (TWO_STUDENTS, 9.0)], ids=["normals", "students"])
def test_mixtures_by_integration(mixture: mi.Mixture, reach: float) -> None:
    grid, weight = _stretched(reach, 1601)
    assert abs(integral_1x1(mixture, grid, grid, weight, weight) - mixture.mi) < 5 * mixture.mi.error


def test_a_mixture_of_one_is_its_part() -> None:
    part = TWO_NORMALS.parts[0]
    mixture = mi.Mixture((part,), weights=(1.0,))
    assert abs(mixture.mi - part.mi) < 5 * mixture.mi.error
    points = part.draw(np.random.default_rng(0), 100)
    np.testing.assert_allclose(mixture.pmi(points.x, points.y), points.pmi, atol=1e-12)


def test_mixture_densities_where_a_part_has_none() -> None:
    boxes = mi.Mixture((mi.AdditiveNoise(0.1), mi.AdditiveNoise(0.5)), weights=(0.5, 0.5))
    found = boxes.log_densities([[0.5], [0.5], [2.0]], [[0.5], [0.8], [0.5]])
    np.testing.assert_allclose(found.joint[:2], np.log([0.5 * 5.0 + 0.5 * 1.0, 0.5 * 1.0]), atol=1e-12)
    assert found.joint[2] == -np.inf
    assert found.x[2] == -np.inf
    pmi = boxes.pmi([[0.5], [0.5], [2.0]], [[1.2], [0.8], [0.5]])
    assert pmi[0] == -np.inf
    assert np.isnan(pmi[2])


def test_labelled_by_integration() -> None:
    from scipy.integrate import quad
    from scipy.stats import norm

    far, weight = 1.7, 0.3
    parts = (mi.Noise(1, 1), mi.Pushed(mi.Noise(1, 1), g=mi.Scale(shift=far)))
    labelled = mi.Labelled(parts, weights=(weight, 1.0 - weight))

    def term(y: float) -> float:
        p = (weight * norm.pdf(y), (1.0 - weight) * norm.pdf(y - far))
        return math.fsum(q * math.log(q / w / sum(p)) for q, w in zip(p, (weight, 1.0 - weight), strict=True))

    exact = quad(term, -12.0, 14.0, epsabs=1e-12)[0]
    assert abs(labelled.mi - exact) < 5 * labelled.mi.error
    assert labelled.mi < -weight * math.log(weight) - (1 - weight) * math.log(1 - weight)


def test_discrete_by_entropies() -> None:
    table = np.array([[0.2, 0.1, 0.0], [0.05, 0.15, 0.5]])

    def entropy(p: Array) -> float:
        return float(-(p[p > 0] * np.log(p[p > 0])).sum())

    expected = entropy(table.sum(axis=0)) + entropy(table.sum(axis=1)) - entropy(table)
    discrete = mi.Discrete(table)
    assert discrete.mi == pytest.approx(expected, abs=1e-14)
    pmi = discrete.pmi([0.0, 0.0, 1.0, 2.0, 0.5], [0.0, 2.0, 1.0, 0.0, 0.0])
    np.testing.assert_allclose(pmi, [math.log(0.2 / 0.3 / 0.25), -np.inf, math.log(0.15 / 0.7 / 0.25), np.nan, np.nan])


def test_discrete_frequencies_are_the_table() -> None:
    table = np.array([[0.2, 0.1, 0.0], [0.05, 0.15, 0.5]])
    draws = mi.Discrete(table).draw(np.random.default_rng(5), 200_000)
    counts = np.zeros_like(table)
    np.add.at(counts, (draws.x[:, 0].astype(int), draws.y[:, 0].astype(int)), 1)
    assert counts[0, 2] == 0
    np.testing.assert_allclose(counts / 200_000, table, atol=5 * 0.5 / math.sqrt(200_000))


def test_mi_by_draws_is_the_closed_form() -> None:
    truth = mi.mi_by_draws(mi.AdditiveNoise(0.1), n=100_000, seed=3)
    assert abs(truth - mi.AdditiveNoise(0.1).mi) < 5 * truth.error
    assert truth.error < 0.01


def test_pairs_unless_told_otherwise() -> None:
    assert mi.sparse(1, 1) == mi.sparse(1, 1, K=1)
    assert mi.sparse(1, 4) == mi.sparse(1, 4, K=1)
    assert mi.sparse(3, 2) == mi.sparse(3, 2, K=2)
    assert mi.Normal(mi.sparse(1, 1)).mi == pytest.approx(-0.5 * math.log(0.36), abs=1e-14)


def test_normal_pmi_far_out_is_its_limit() -> None:
    normal = mi.Normal(mi.bivariate(0.5), dim_x=1, mean=(0.0, 1.0))
    # i(x, y) = I + (y^2 - (y - x / 2)^2 / .75) / 2, which is y^2 / 3 for x = y and -x^2 / 6 for y = 0.
    near = normal.pmi([[1e100], [1e154], [1e153]], [[1e100], [1e154], [0.0]])
    np.testing.assert_allclose(near / [1e200, 1e308, -1e306], [1 / 3, 1 / 3, 1 / 6], rtol=1e-12)
    far = normal.pmi([[1e155], [1e160], [1e308], [-1e308]], [[1e155], [0.0], [-1e308], [-1e308]])
    assert far.tolist() == [math.inf, -math.inf, -math.inf, math.inf]
    # The squares overflow here, and their difference does not.
    weak = mi.Normal(mi.bivariate(1e-10), dim_x=1)
    at = mpmath.mpf(1e155), mpmath.mpf(1e154)
    rho = mpmath.mpf(1e-10)
    exact = (at[1] ** 2 - (at[1] - rho * at[0]) ** 2 / (1 - rho**2)) / 2
    assert weak.pmi([[1e155]], [[1e154]])[0] == pytest.approx(float(exact), rel=1e-6)


def test_mixtures_say_where_they_cannot_see() -> None:
    assert np.isfinite(TWO_NORMALS.pmi([[1e100]], [[0.0]])).all()
    with pytest.raises(DataError, match=r"row 1, x = \[1e\+160\] and y = \[0.0\], is so far out .* give nearer points"):
        TWO_NORMALS.pmi([[0.0], [1e160]], [[0.0], [0.0]])
    labelled = mi.Labelled((mi.Noise(1, 1), mi.Noise(1, 1)), weights=(0.5, 0.5))
    with pytest.raises(DataError, match="so far out of this Labelled"):
        labelled.pmi([[1.0]], [[1e160]])
