"""CCA beside the log-determinant formula, with too many columns, and with too few points."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import EstimateFailed


def _by_determinants(x: np.ndarray, y: np.ndarray) -> float:
    m = x.shape[1]
    correlation = np.corrcoef(np.hstack([x, y]).T)
    parts = (correlation[:m, :m], correlation[m:, m:], correlation)
    logs = [np.linalg.slogdet(p)[1] for p in parts]
    return 0.5 * (logs[0] + logs[1] - logs[2])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(30, 300), st.integers(0, 2**32))
def test_is_the_log_determinant_formula(m: int, k: int, n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n, m + k)) @ rng.normal(size=(m + k, m + k)) + 100.0 * rng.normal(size=m + k)
    x, y = points[:, :m], points[:, m:]
    assert mi.CCA().estimate(x, y).mi == pytest.approx(_by_determinants(x, y), abs=1e-10, rel=1e-10)


def _exactly(x: np.ndarray, y: np.ndarray) -> float:
    """The same in sixty digits."""
    with mpmath.workdps(60):
        points = mpmath.matrix(np.hstack([x, y]).tolist())
        for j in range(points.cols):
            mean = mpmath.fsum(points[:, j]) / points.rows
            for i in range(points.rows):
                points[i, j] -= mean
        both, m = points.T * points, x.shape[1]
        logs = [mpmath.log(mpmath.det(part)) for part in (both[:m, :m], both[m:, m:], both)]
        return float((logs[0] + logs[1] - logs[2]) / 2)


@pytest.mark.parametrize("noise", [1.0, 1e-2, 1e-3, 1e-4, 1e-5])
@pytest.mark.parametrize("dims", [1, 2])
def test_strong_dependence_is_as_exact_as_weak(dims: int, noise: float) -> None:
    rng = np.random.default_rng(dims)
    x = rng.normal(size=(60, dims))
    y = x @ rng.normal(size=(dims, dims)) + noise * rng.normal(size=(60, dims))
    x = x @ np.diag([1.0, 1024.0][:dims]) + 50.0
    expected = _exactly(x, y)
    assert mi.CCA().estimate(x, y).mi == pytest.approx(expected, abs=1e-10)
    assert mi.CCA().estimate(y, x).mi == pytest.approx(expected, abs=1e-10)


def test_linear_maps_make_no_difference() -> None:
    draws = mi.task("multinormal-sparse-5-5-2-2.0").draw(1000, 0)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(2, 5, 5))
    found = mi.CCA().estimate(draws.x, draws.y).mi
    assert mi.CCA().estimate(draws.x @ a + 1e3, 1e-5 * draws.y @ b).mi == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize("dims", [2, 5, 25])
def test_is_near_the_truth_for_normal_variables(dims: int) -> None:
    task = mi.task(f"multinormal-dense-{dims}-{dims}-0.5")
    found = [mi.CCA().estimate(d.x, d.y).mi for d in (task.draw(10_000, seed) for seed in range(3))]
    bias = 0.5 * dims * dims / 10_000
    assert np.mean(found) - bias == pytest.approx(task.mi, abs=0.015)


def test_columns_that_others_determine_count_once() -> None:
    draws = mi.task("multinormal-sparse-3-3-2-2.0").draw(500, 0)
    x = np.column_stack([draws.x, draws.x.sum(axis=1), draws.x[:, 0] * 1e-8])
    found = mi.CCA().estimate(x, draws.y)
    assert found.mi == pytest.approx(mi.CCA().estimate(draws.x, draws.y).mi, abs=1e-9)
    assert found.warnings == ("2 of x's 5 columns are combinations of the others",)
    nearly = np.column_stack([draws.x, draws.x[:, 0] + 1e-6 * draws.y[:, 2]])
    assert mi.CCA().estimate(nearly, draws.y[:, :2]).warnings == ()


def test_few_points_are_named() -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(200, 0)
    (warning,) = mi.CCA().estimate(draws.x, draws.y).warnings
    assert warning == "200 points are few for 50 dimensions; the estimate is too high by about 1.6 or more"
    with pytest.raises(EstimateFailed, match="51 points of 50 linearly independent columns are perfectly correlated"):
        mi.CCA().estimate(draws.x[:51], draws.y[:51])


def test_linear_dependence_has_no_number() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(300, 0)
    with pytest.raises(EstimateFailed, match="their MI is infinite; drop a column"):
        mi.CCA().estimate(draws.x, np.column_stack([draws.y, draws.x.sum(axis=1)]))
