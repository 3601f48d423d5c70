"""LNN beside its definition in plain NumPy, the bias that it subtracts, known truths, and what it warns of."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import psi

import mibench as mi
from mibench.errors import DataError, EstimateFailed, ParameterError
from mibench.estimators.lnn_bias import TABLE
from mibench.estimators.local_gaussian import bias, local_entropies, simulated_bias
from mibench.preprocessing import standardise

ONE_DIMENSIONAL = [task for task in mi.TASKS if task.group == "one-dimensional"]


def _entropies(points: np.ndarray, k: int, truncation: int) -> np.ndarray:
    """-log of the normal density about each point, as the article defines it, less the bias of our table."""
    n, dim = points.shape
    found = []
    for point in points:
        distances = np.linalg.norm(points - point, axis=1)
        nearest = np.argsort(distances)[: truncation + 1]  # the point itself is the first
        width = distances[nearest[k]]
        sides = points[nearest] - point
        weights = np.exp(-((distances[nearest] / width) ** 2) / 2)
        mean = weights @ sides / weights.sum()
        covariance = sides.T @ (weights[:, None] * sides) / weights.sum() - np.outer(mean, mean)
        log_density = math.log(weights.sum() / (n - 1)) - 0.5 * dim * math.log(2 * math.pi)
        log_density -= 0.5 * np.linalg.slogdet(covariance)[1] + 0.5 * mean @ np.linalg.solve(covariance, mean)
        found.append(-log_density)
    return np.array(found) - bias(k, truncation, dim)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(
    st.sampled_from([(5, 30), (3, 12), (12, 12)]),
    st.tuples(st.integers(1, 3), st.integers(1, 3)),
    st.integers(1, 80),
    st.integers(0, 2**32),
)
def test_is_the_definition(size: tuple[int, int], dims: tuple[int, int], others: int, seed: int) -> None:
    k, truncation = size
    rng = np.random.default_rng(seed)
    x, y = (np.sinh(rng.normal(size=(truncation + others, d))) for d in dims)
    y[:, 0] += x[:, 0]
    expected = (
        _entropies(x, k, truncation) + _entropies(y, k, truncation) - _entropies(np.column_stack([x, y]), k, truncation)
    )
    found = mi.LNN(k=k, truncation=truncation).estimate(x, y).mi
    assert found == pytest.approx(expected.mean(), abs=1e-9)


@pytest.mark.parametrize("dim", [1, 2, 3, 6, 15, 30])
def test_the_table_of_the_bias_is_what_draws_give(dim: int) -> None:
    mean, error = simulated_bias(5, 30, dim, 2**14, seed=7)
    assert TABLE[5, 30, dim] == pytest.approx(mean, abs=4.5 * error)


@pytest.mark.parametrize(("k", "truncation"), [(3, 8), (10, 10), (8, 50)])
def test_a_bias_that_is_not_tabled_is_drawn(k: int, truncation: int) -> None:
    assert (k, truncation, 2) not in TABLE
    mean, error = simulated_bias(k, truncation, 2, 2**14, seed=7)
    drawn = bias(k, truncation, 2) - psi(k) + math.log(math.pi)  # a disc of radius 1 has the volume pi
    assert drawn == pytest.approx(mean, abs=4.5 * error)


def test_the_least_k_and_truncation_have_a_bias() -> None:
    for dim in (1, 2, 3):
        assert math.isfinite(bias(3, 3, dim))
    x, y = np.random.default_rng(0).normal(size=(2, 4000))
    assert mi.LNN(k=3, truncation=8).estimate(x, x + y).mi == pytest.approx(0.5 * math.log(2), abs=0.1)


@pytest.mark.parametrize(("k", "truncation"), [(5, 30), (3, 12), (10, 60)])
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_entropies_are_near_the_truth(dim: int, k: int, truncation: int) -> None:
    rng = np.random.default_rng(dim)
    normal = local_entropies(rng.normal(size=(8000, dim)), k, truncation, 2).mean()
    assert normal == pytest.approx(0.5 * dim * math.log(2 * math.pi * math.e), abs=0.06)
    # Edges, where neighbours are to one side, are a part of the volume that grows with the dimension.
    uniform = local_entropies(3.0 * rng.random((8000, dim)), k, truncation, 2).mean()
    assert uniform == pytest.approx(dim * math.log(3.0), abs=(0.04, 0.06, 0.2)[dim - 1])


@pytest.mark.parametrize("task", ONE_DIMENSIONAL, ids=[task.id for task in ONE_DIMENSIONAL])
def test_is_near_the_truth(task: mi.Task) -> None:
    # From sample to sample the standard deviation is .009 to .016; edges make it lower, by .036 where noise is least.
    lower = 0.036 if "additive" in task.id else 0.008 if "normal_cdf" in task.id else 0.0
    found = []
    for seed in range(3):
        draws = task.draw(10_000, seed)
        estimate = mi.LNN(n_jobs=2).estimate(standardise(draws.x), standardise(draws.y))
        found.append(estimate.mi)
        assert estimate.warnings == ()
    assert found == pytest.approx([task.mi - lower / 2] * 3, abs=lower / 2 + 0.045)
    assert np.mean(found) == pytest.approx(task.mi - lower / 2, abs=lower / 2 + 0.027)


@pytest.mark.parametrize(("name", "elsewhere"), [("1v1-normal-0.75", 0.302), ("1v1-bimodal-0.75", 0.301)])
def test_without_its_bias_it_is_what_another_implementation_gives(name: str, elsewhere: float) -> None:
    # In R, on one sample of 10 000 standardised points; three samples here, and 3.5 standard deviations.
    left = 2 * bias(5, 30, 1) - bias(5, 30, 2)
    draws = [mi.task(name).draw(10_000, seed) for seed in range(3)]
    found = [mi.LNN(n_jobs=2).estimate(standardise(d.x), standardise(d.y)).mi + left for d in draws]
    assert np.mean(found) == pytest.approx(elsewhere, abs=3.5 * 0.013 * math.sqrt(1 + 1 / 3))
    assert left == pytest.approx(-0.135, abs=0.002)


def test_a_thin_ridge_is_followed() -> None:
    x, noise = np.random.default_rng(0).normal(size=(2, 5000))
    # Neighbours that are all but on a line have another bias than those all around: the last is .1 too high.
    for width, near in ((0.1, 0.06), (1e-3, 0.06), (1e-5, 0.12)):
        truth = 0.5 * math.log(1 + width**-2)
        estimate = mi.LNN(n_jobs=2).estimate(x, standardise((x + width * noise)[:, None]))
        assert estimate.mi == pytest.approx(truth, abs=near)
        assert estimate.warnings == ()


def _near_a_surface(n: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    rng = np.random.default_rng(0)
    a, b, c = rng.normal(size=(3, n))
    roll = mi.task("swissroll_x-normal_cdf-1v1-normal-0.75").draw(n, 0)
    return {
        "roll": (standardise(roll.x), standardise(roll.y)),
        "circle": (np.column_stack([np.cos(a), np.sin(a)]), b),
        "function": (a, np.sin(3 * a)),
        "paraboloid": (np.column_stack([a, b, (a * a + b * b) / 2]), a + c),
    }


@pytest.mark.parametrize("n", [2500, 10_000])
@pytest.mark.parametrize("shape", ["roll", "circle", "function", "paraboloid"])
def test_a_surface_of_fewer_dimensions_is_told(shape: str, n: int) -> None:
    (said,) = mi.LNN(n_jobs=2).estimate(*_near_a_surface(n)[shape]).warnings
    assert "near a surface of fewer dimensions" in said


@pytest.mark.parametrize("dims", [(1, 2), (2, 2), (2, 3)])
def test_few_points_for_the_dimension_are_told(dims: tuple[int, int]) -> None:
    dim = sum(dims)
    for n, warned in ((7**dim - 1, 1), (7**dim, 0)):
        samples = [np.random.default_rng(seed).normal(size=(n, dim)) for seed in range(max(2, 5000 // n))]
        found = [mi.LNN(n_jobs=2).estimate(z[:, : dims[0]], z[:, dims[0] :]) for z in samples]
        assert {len(f.warnings) for f in found} == {warned}
        assert np.mean([f.mi for f in found]) == pytest.approx(-0.1, abs=0.05)  # the truth is 0
    (said,) = mi.LNN().estimate(*np.random.default_rng(0).normal(size=(2, 100, 2))).warnings
    assert said.startswith("100 points are few for the 4 dimensions of x and y together; normal variables take about")
    assert said.endswith("7^4 = 2.4e+03 for an error of .1 nat; use fewer columns")


def test_too_many_dimensions_are_refused() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 200, 10))
    assert math.isfinite(mi.LNN(truncation=20).estimate(x, y).mi)
    with pytest.raises(EstimateFailed, match=r"19 neighbours do not span 20 dimensions; it needs truncation >= 20"):
        mi.LNN(truncation=19).estimate(x, y)


def test_points_without_a_density_are_left_out_and_told() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 500, 1))
    x[:6], y[:6] = x[0], y[0]
    estimate = mi.LNN(k=5).estimate(x, y)
    assert estimate.warnings == ("6 of 500 points have neighbours in a plane or in one place, and are left out",)
    assert math.isfinite(estimate.mi)
    assert mi.LNN(k=6).estimate(x, y).warnings == ()
    x[:300], y[:300] = x[0], y[0]
    with pytest.raises(EstimateFailed, match=r"300 of 500 points have neighbours .*drop repeated rows and columns"):
        mi.LNN().estimate(x, y)


def test_columns_that_lie_in_a_plane_are_refused() -> None:
    a, b, y = np.random.default_rng(0).normal(size=(3, 500))
    for x in (np.column_stack([a, a]), np.column_stack([a, 3 * a]), np.column_stack([a, b, a + b])):
        with pytest.raises(EstimateFailed, match="standardise columns of different scales, and drop"):
            mi.LNN().estimate(x, y)
    with pytest.raises(EstimateFailed, match="standardise columns of different scales"):
        mi.LNN().estimate(np.column_stack([a, 1e-300 * b]), y)
    with pytest.raises(EstimateFailed, match="drop"):
        mi.LNN().estimate(a, a)


def test_equal_values_are_told() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 500))
    (said,) = mi.LNN(k=30).estimate(np.round(x, 1), y).warnings
    assert said.startswith("x has many equal values (column 1)")


@pytest.mark.parametrize("dims", [1, 2, 6])
def test_threads_make_no_difference(dims: int) -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(1200, 0)
    x, y = draws.x[:, :dims], draws.y[:, :dims]
    one, two, all_cores = (mi.LNN(n_jobs=n_jobs).estimate(x, y) for n_jobs in (1, 2, -1))
    assert one == two == all_cores


def test_scale_and_place_make_no_difference() -> None:
    draws = mi.task("multinormal-sparse-2-2-2-2.0").draw(800, 0)
    found = mi.LNN().estimate(draws.x, draws.y).mi
    assert mi.LNN().estimate(1024.0 * draws.x, 1024.0 * draws.y).mi == pytest.approx(found, abs=1e-9)
    assert mi.LNN().estimate(draws.x + 5.0, draws.y - 3.0).mi == pytest.approx(found, abs=1e-9)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": 2}, "k must be a whole number >= 3, got 2"),
        ({"k": 2.5}, "k must be a whole number >= 3, got 2.5"),
        ({"truncation": 2}, "truncation must be a whole number >= 3, got 2"),
        ({"truncation": "many"}, "truncation must be a whole number >= 3, got 'many'"),
        ({"k": 31}, "k must be at most truncation, 30, got 31"),
        ({"n_jobs": 0}, "n_jobs must be a whole number >= 1, or -1 for all cores, got 0"),
    ],
)
def test_bad_parameters_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        mi.LNN(**fields)


def test_each_point_needs_as_many_others_as_are_looked_at() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 31))
    assert math.isfinite(mi.LNN().estimate(x, y).mi)
    with pytest.raises(DataError, match="needs at least 31 points for these dims, got 30"):
        mi.LNN().estimate(x[1:], y[1:])
