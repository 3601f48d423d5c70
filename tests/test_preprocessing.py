"""Preprocessing beside scikit-learn's definitions by hand, and on odd columns."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from mibench.errors import DataError, UnknownName
from mibench.preprocessing import PREPROCESSING, gaussianise, preprocess, standardise, uniformise

_RNG = np.random.default_rng(3)
POINTS = np.column_stack(
    [_RNG.normal(size=500), _RNG.standard_cauchy(500), _RNG.integers(0, 4, 500), np.full(500, 7.0)]
)


def test_standardise() -> None:
    found = standardise(POINTS)
    np.testing.assert_allclose(found[:, :3], stats.zscore(POINTS[:, :3]), rtol=1e-10, atol=1e-12)
    np.testing.assert_array_equal(found[:, 3], 0.0)
    for scale in (1e-300, 1e300):
        np.testing.assert_allclose(standardise(scale * POINTS[:, :1]), found[:, :1], rtol=1e-9, atol=1e-12)


def test_uniformise_is_by_mean_ranks() -> None:
    found = uniformise(POINTS)
    np.testing.assert_allclose(found, (stats.rankdata(POINTS, axis=0) - 0.5) / 500, rtol=1e-14)
    assert found.min() > 0.0
    assert found.max() < 1.0


@pytest.mark.parametrize("n", [1, 2, 3, 7, 1000, 99_999, 2**20 - 1])
def test_the_grid_of_ranks_is_exact(n: int) -> None:
    found = uniformise(np.random.default_rng(n).permutation(n)).ravel()
    ordered = np.sort(found)
    step = 2.0 * ordered[0]
    np.testing.assert_array_equal(ordered, step * (np.arange(n) + 0.5))
    for apart in {1, n // 2, n - 1} - {0, n}:
        np.testing.assert_array_equal(ordered[apart:] - ordered[:-apart], apart * step)
    np.testing.assert_allclose(ordered, (np.arange(n) + 0.5) / n, rtol=n * 2.0**-53 + 2.0**-52)
    assert ordered[-1] < 1.0


def test_whole_numbers_beyond_doubles_are_told_apart() -> None:
    whole = np.random.default_rng(0).integers(0, 9, (300, 2))
    for how in ("standardise", "uniformise", "gaussianise"):
        np.testing.assert_allclose(preprocess(2**60 + whole, how), preprocess(whole, how), rtol=0.0, atol=1e-12)


def test_gaussianise_is_normal() -> None:
    found = gaussianise(POINTS[:, :2])
    np.testing.assert_allclose(found, stats.norm.ppf(uniformise(POINTS[:, :2])), rtol=1e-12, atol=1e-13)
    np.testing.assert_array_equal(np.argsort(found, axis=0), np.argsort(POINTS[:, :2], axis=0))


@pytest.mark.parametrize("how", PREPROCESSING)
def test_input_is_left_alone(how: str) -> None:
    frozen = POINTS.copy()
    frozen.flags.writeable = False
    found = preprocess(frozen, how)
    assert found is not frozen
    assert found.shape == POINTS.shape
    np.testing.assert_array_equal(preprocess(np.asfortranarray(POINTS), how), found)
    assert preprocess([3.0], how).shape == (1, 1)


def test_what_is_refused() -> None:
    with pytest.raises(UnknownName, match="did you mean 'standardise'"):
        preprocess(POINTS, "standardize")
    with pytest.raises(DataError, match="NaN"):
        uniformise([[np.nan]])
