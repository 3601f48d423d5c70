"""KSG beside other people's programs for the same estimator: the same number, up to what each does to the points."""

from __future__ import annotations

import numpy as np
import pytest

import mibench as mi

ABSENT = "it is compared with where it is installed: pip install 'mibench[test]'"


def _points(dims: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Correlated, with tails that are not normal, and columns of standard deviation 1."""
    rng = np.random.default_rng((dims, seed))
    n = int(rng.integers(100, 700))
    points = np.sinh(rng.normal(size=(n, 2 * dims))) @ rng.normal(size=(2 * dims, 2 * dims))
    points /= points.std(axis=0)
    return points[:, :dims], points[:, dims:]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [1, 3, 10])
def test_scikit_learn(k: int, seed: int) -> None:
    peer = pytest.importorskip("sklearn.feature_selection", reason=ABSENT).mutual_info_regression
    x, y = _points(1, seed)
    found = peer(100.0 * x, y[:, 0] - 5.0, n_neighbors=k, random_state=seed)[0]
    # It divides by the standard deviation and adds noise of an old generator, first to x, then to y; below 0 it says 0.
    noise = np.random.RandomState(seed).standard_normal
    near = [100.0 * x / np.std(100.0 * x), (y - 5.0) / np.std(y - 5.0)]
    near = [v + 1e-10 * max(1.0, float(np.abs(v).mean())) * noise(size=v.shape) for v in near]
    assert found == pytest.approx(max(0.0, mi.KSG(k=k).estimate(*near).mi), abs=1e-12)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("k", [10, 20])
def test_ennemi(k: int, seed: int) -> None:
    peer = pytest.importorskip("ennemi", reason=ABSENT).estimate_mi
    x, y = _points(1, seed)
    # Its digamma is a series, accurate to 5e-11 from 10 on; its strict count is of distances that are 1e-12 less.
    found = peer(y[:, 0], x[:, 0], k=k, preprocess=False)[0, 0]
    assert found == pytest.approx(mi.KSG(k=k).estimate(x, y).mi, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_infomeasure(dims: int, k: int, seed: int) -> None:
    peer = pytest.importorskip("infomeasure", reason=ABSENT).mutual_information
    x, y = _points(dims, seed)
    found = peer(x, y, approach="metric", k=k, noise_level=0)
    assert found == pytest.approx(mi.KSG(k=k).estimate(x, y).mi, abs=1e-12)
