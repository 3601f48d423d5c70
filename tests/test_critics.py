"""Critics beside plain NumPy: scores, gradients by finite differences, all pairs and each pair, sizes of every kind."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import ParameterError

ARCHITECTURES = {
    "S": mi.Concatenated("S"),
    "M": mi.Concatenated(),
    "L": mi.Concatenated("L"),
    "D": mi.Concatenated("D"),
    "one layer": mi.Concatenated((7,)),
    "odd widths": mi.Concatenated((9, 1, 6)),
    "separable": mi.Separable(),
    "separable of one layer": mi.Separable(hidden=(5,), features=3),
    "bilinear": mi.Bilinear(),
}
EVERY = pytest.mark.parametrize("architecture", ARCHITECTURES.values(), ids=ARCHITECTURES.keys())


def _points(n: int, m: int, dims: tuple[int, int], seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x, y = (rng.normal(size=(k, d)).astype(np.float32) for k, d in zip((n, m), dims, strict=True))
    return x, y


def _dense(theta: np.ndarray, widths: list[int], inputs: np.ndarray) -> np.ndarray:
    """A network of ReLU layers in double precision, weights (inputs, outputs) and bias, layer by layer."""
    for at, (n_in, n_out) in enumerate(itertools.pairwise(widths)):
        weights, bias, theta = np.split(theta, [n_in * n_out, (n_in + 1) * n_out])
        inputs = (inputs if at == 0 else np.maximum(inputs, 0.0)) @ weights.reshape(n_in, n_out) + bias
    return inputs


def _plain(architecture: mi.Architecture, theta: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The scores of every x with every y, pair by pair, from the definition."""
    theta, x, y = (np.asarray(v, np.float64) for v in (theta, x, y))
    dims = x.shape[1], y.shape[1]
    if isinstance(architecture, mi.Bilinear):
        ones = [np.column_stack([v, np.ones(len(v))]) for v in (x, y)]
        return np.einsum("ia,ab,jb->ij", ones[0], theta.reshape(dims[0] + 1, dims[1] + 1), ones[1])
    if isinstance(architecture, mi.Separable):
        widths = [[d, *architecture_widths(architecture), architecture.features] for d in dims]
        cut = sum((a + 1) * b for a, b in itertools.pairwise(widths[0]))
        return _dense(theta[:cut], widths[0], x) @ _dense(theta[cut:], widths[1], y).T
    # Of x and y: weights (width, dim) each, and the bias; then weights (outputs, inputs) and bias of each layer; widths
    # are rounded up to whole registers.
    widths = [-(-w // 4) * 4 for w in architecture.widths]
    of_x, of_y, bias, theta = np.split(theta, np.cumsum([widths[0] * dims[0], widths[0] * dims[1], widths[0]]))
    left, right = x @ of_x.reshape(widths[0], -1).T, y @ of_y.reshape(widths[0], -1).T + bias
    values = np.maximum(left[:, None] + right[None], 0.0)
    for n_in, n_out in zip(widths, [*widths[1:], 1], strict=True):
        weights, bias, theta = np.split(theta, [n_in * n_out, (n_in + 1) * n_out])
        values = values @ weights.reshape(n_out, n_in).T + bias
        values = values if n_out == 1 else np.maximum(values, 0.0)
    return values[:, :, 0]


def architecture_widths(architecture: mi.Separable) -> tuple[int, ...]:
    return mi.Concatenated(architecture.hidden).widths


@EVERY
@pytest.mark.parametrize(("n", "m", "dims"), [(1, 1, (1, 1)), (7, 5, (3, 2)), (70, 33, (1, 4)), (3, 2500, (2, 1))])
def test_scores_are_those_of_the_definition(
    architecture: mi.Architecture, n: int, m: int, dims: tuple[int, int]
) -> None:
    x, y = _points(n, m, dims)
    critic = architecture.start(*dims, np.random.default_rng(1))
    expected = _plain(architecture, critic.parameters, x, y)
    found = critic.all_pairs(x, y)
    assert found.shape == (n, m)
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, expected, atol=2e-6)
    k = min(n, m)
    np.testing.assert_allclose(critic.each_pair(x[:k], y[:k]), np.diagonal(expected), atol=2e-6)


@EVERY
@pytest.mark.parametrize(("n", "m", "dims"), [(6, 6, (1, 1)), (31, 40, (2, 3)), (2, 1100, (1, 2))])
def test_gradients_are_finite_differences(architecture: mi.Architecture, n: int, m: int, dims: tuple[int, int]) -> None:
    x, y = _points(n, m, dims, seed=2)
    rng = np.random.default_rng(3)
    critic = architecture.start(*dims, rng)
    slopes = (rng.normal(size=(n, m)) / n).astype(np.float32)
    theta = critic.parameters.astype(np.float64)
    gradient = critic.all_pairs_gradient(x, y, slopes)
    assert gradient.shape == theta.shape
    k = min(n, m)
    of_each = critic.each_pair_gradient(x[:k], y[:k], slopes.diagonal().copy())
    own = np.where(np.eye(n, m, dtype=bool), slopes, 0.0)
    size = float(np.abs(gradient).max())
    for at in rng.choice(theta.size, min(60, theta.size), replace=False):
        step = np.zeros_like(theta)
        step[at] = 1e-7
        change = (_plain(architecture, theta + step, x, y) - _plain(architecture, theta - step, x, y)) / 2e-7
        assert gradient[at] == pytest.approx(np.sum(slopes * change), rel=1e-3, abs=1e-4 * size)
        assert of_each[at] == pytest.approx(np.sum(own * change), rel=1e-3, abs=1e-4 * size)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(1, 400), st.integers(1, 3000), st.sampled_from(list(ARCHITECTURES)))
def test_all_pairs_are_each_pair(n: int, m: int, name: str) -> None:
    x, y = _points(n, m, (2, 1), seed=n + m)
    critic = ARCHITECTURES[name].start(2, 1, np.random.default_rng(0))
    found = critic.all_pairs(x, y)
    rows, columns = np.random.default_rng(1).integers(0, (n, m), (50, 2)).T
    np.testing.assert_allclose(critic.each_pair(x[rows], y[columns]), found[rows, columns], atol=2e-6)
    slopes = np.zeros((n, m), np.float32)
    slopes[rows, columns] = 1.0
    once = np.unique(np.column_stack([rows, columns]), axis=0).T
    by_pair = critic.each_pair_gradient(x[once[0]], y[once[1]], np.ones(once.shape[1], np.float32))
    np.testing.assert_allclose(critic.all_pairs_gradient(x, y, slopes), by_pair, atol=1e-4 * np.abs(by_pair).max())


def test_units_that_fill_registers_up_stay_out_of_it() -> None:
    critic = mi.Concatenated((5, 3)).start(1, 1, np.random.default_rng(0))
    x, y = _points(50, 50, (1, 1))
    gradient = critic.all_pairs_gradient(x, y, np.ones((50, 50), np.float32))
    of_x = gradient[:8]
    assert np.all(of_x[5:] == 0.0)
    assert np.any(of_x[:5] != 0.0)
    assert np.all(critic.parameters[:8][5:] == 0.0)


class Plain(mi.Critic):
    """A critic as a user writes it: parameters and two methods."""

    def __init__(self, dim_x: int, dim_y: int) -> None:
        self.parameters = np.linspace(-1.0, 1.0, dim_x * dim_y).astype(np.float32)
        self.largest = 0

    def each_pair(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        self.largest = max(self.largest, len(x))
        return np.einsum("ia,ib,ab->i", x, y, self.parameters.reshape(x.shape[1], -1))

    def each_pair_gradient(self, x: np.ndarray, y: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        return np.einsum("i,ia,ib->ab", slopes, x, y).ravel()


def test_a_critic_of_two_methods_has_all_pairs() -> None:
    critic = Plain(2, 3)
    x, y = _points(40, 7000, (2, 3))
    found = critic.all_pairs(x, y)
    np.testing.assert_allclose(found, x @ critic.parameters.reshape(2, 3) @ y.T, atol=1e-5)
    assert critic.largest <= 2**16
    slopes = np.random.default_rng(0).normal(size=found.shape).astype(np.float32)
    np.testing.assert_allclose(critic.all_pairs_gradient(x, y, slopes), (x.T @ slopes @ y).ravel(), atol=1e-2)


@pytest.mark.parametrize("hidden", ["XL", (), (0,), (16, 2.5), 16, None, ("16",), (5000,)])
@pytest.mark.parametrize("architecture", [mi.Concatenated, mi.Separable])
def test_bad_widths_are_refused(architecture: type, hidden: object) -> None:
    with pytest.raises(ParameterError, match="hidden must be"):
        architecture(hidden)


def test_starts_are_small_and_of_their_seed() -> None:
    for architecture in ARCHITECTURES.values():
        starts = [architecture.start(3, 4, np.random.default_rng(seed)).parameters for seed in (0, 0, 1)]
        assert np.array_equal(starts[0], starts[1])
        assert not np.array_equal(starts[0], starts[2])
        assert starts[0].dtype == np.float32
        assert np.abs(starts[0]).max() <= 1.0
        assert math.isfinite(starts[0].sum())
