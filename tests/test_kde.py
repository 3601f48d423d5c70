"""KDE: beside the sums in plain NumPy, known truths, what must make no difference, and what it says of itself."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import EstimateFailed, ParameterError
from mibench.estimators.kernel_sums import decay, log_sums


def _log_densities(points: np.ndarray, bandwidth: float) -> np.ndarray:
    """The log of the kernel estimate at each point that leaves it out, as its formula has it."""
    n, dim = points.shape
    covariance = np.atleast_2d(np.cov(points, rowvar=False))
    apart = points[:, None, :] - points[None, :, :]
    exponents = -0.5 * np.einsum("ijk,kl,ijl->ij", apart, np.linalg.inv(covariance), apart) / bandwidth**2
    np.fill_diagonal(exponents, -np.inf)
    largest = exponents.max(axis=1)
    sums = largest + np.log(np.exp(exponents - largest[:, None]).sum(axis=1))
    log_norm = 0.5 * dim * math.log(2.0 * math.pi * bandwidth**2) + 0.5 * np.linalg.slogdet(covariance)[1]
    return sums - math.log(n - 1) - log_norm


def _bandwidth(rule: str | float, n: int, dim: int) -> float:
    if not isinstance(rule, str):
        return rule
    return {"silverman": 4.0 / (dim + 2.0), "scott": 1.0}[rule] ** (1.0 / (dim + 4.0)) * n ** (-1.0 / (dim + 4.0))


def _reference(x: np.ndarray, y: np.ndarray, rule: str | float) -> float:
    n, both = len(x), np.hstack([x, y])
    logs = {name: _log_densities(v, _bandwidth(rule, n, v.shape[1])) for name, v in (("x", x), ("y", y), ("xy", both))}
    return float(np.mean(logs["xy"] - logs["x"] - logs["y"]))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(12, 120),
    st.integers(1, 4),
    st.integers(1, 3),
    st.sampled_from(["silverman", "scott", 0.05, 0.3, 1, 7.5]),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_it_is_the_formula(n: int, m: int, k: int, rule: str | float, heavy: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.standard_t(2, size=(n, m)) if heavy else rng.normal(size=(n, m))
    y = 0.7 * x[:, :1] + rng.normal(size=(n, k))
    expected = _reference(x, y, rule)
    assert mi.KDE(bandwidth=rule).estimate(x, y).mi == pytest.approx(expected, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("n", [511, 512, 513, 1500])
def test_it_is_the_formula_across_tiles(n: int) -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(n, 0)
    assert mi.KDE().estimate(draws.x, draws.y).mi == pytest.approx(_reference(draws.x, draws.y, "silverman"), abs=1e-9)


def test_decay_is_the_exponential() -> None:
    u = np.concatenate([np.linspace(0.0, 700.0, 20_001), np.geomspace(1e-300, 700.0, 2000)])
    found = np.array([decay(v) for v in u])
    assert np.abs(found / np.exp(-u) - 1.0).max() < 1e-12
    assert decay(1e300) == decay(700.0) > 0.0


@pytest.mark.parametrize("scale", [1e-60, 1e-3, 1.0, 20.0, 1e60])
def test_sums_are_sums_at_any_distance(scale: float) -> None:
    points = scale * np.random.default_rng(0).normal(size=(2, 600))
    logs, parts = log_sums(points, n_jobs=1)
    terms = -((points[:, :, None] - points[:, None, :]) ** 2).sum(axis=0)
    np.fill_diagonal(terms, -np.inf)
    largest = terms.max(axis=1)
    sums = np.exp(terms - largest[:, None]).sum(axis=1)
    np.testing.assert_allclose(logs, largest + np.log(sums), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(parts, 1.0 / sums, rtol=1e-9)


def test_threads_give_the_same_bits() -> None:
    draws = mi.task("student-identity-2-2-1").draw(2500, 0)
    found = {mi.KDE(n_jobs=jobs).estimate(draws.x, draws.y).mi for jobs in (1, 2, 3, -1)}
    assert len(found) == 1


def test_affine_maps_and_the_order_of_points_make_no_difference() -> None:
    rng = np.random.default_rng(0)
    draws = mi.task("multinormal-sparse-3-3-2-2.0").draw(800, 0)
    found = mi.KDE().estimate(draws.x, draws.y).mi
    x = draws.x @ rng.normal(size=(3, 3)) * 1e6 - 1e7
    y = draws.y @ rng.normal(size=(3, 3)) * 1e-9
    order = rng.permutation(800)
    assert mi.KDE().estimate(x[order], y[order]).mi == pytest.approx(found, abs=1e-7)
    assert mi.KDE().estimate(draws.y, draws.x).mi == pytest.approx(found, abs=1e-9)


def _normal(correlation: float) -> mi.Task:
    return mi.Task("normal", mi.Normal(mi.bivariate(correlation), dim_x=1))


UNIFORM = mi.Task("uniform", mi.Pushed(mi.Normal(mi.bivariate(0.9), dim_x=1), mi.NormalCDF(), mi.NormalCDF()))
TRUTHS = {  # the largest distance of the mean of five estimates from 3000 points from the truth, in nats
    "independent": (_normal(0.0), 0.01),
    "normal 0.75": (_normal(0.75), 0.02),
    "normal 0.99": (_normal(0.99), 0.02),
    "normal 0.99999": (_normal(0.99999), 0.02),
    "uniform": (UNIFORM, 0.06),  # kernels reach beyond its edges
    "bimodal": (mi.task("1v1-bimodal-0.75"), 0.04),
    "normal 2 × 2": (mi.task("multinormal-sparse-2-2-2-2.0"), 0.06),
    "normal dense 2 × 2": (mi.task("multinormal-dense-2-2-0.5"), 0.08),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_it_is_near_the_truth_and_has_nothing_to_say(name: str) -> None:
    task, near = TRUTHS[name]
    found = [mi.KDE().estimate(d.x, d.y) for d in (task.draw(3000, seed) for seed in range(5))]
    assert np.mean([e.mi for e in found]) == pytest.approx(task.mi, abs=near)
    assert all(e.warnings == () for e in found)


@pytest.mark.parametrize("n", [50, 300])
@pytest.mark.parametrize("name", ["normal 0.75", "normal 0.99999", "uniform", "bimodal"])
def test_few_points_of_light_tails_are_not_spoken_of(name: str, n: int) -> None:
    task = TRUTHS[name][0]
    said = [mi.KDE().estimate(d.x, d.y).warnings for d in (task.draw(n, seed) for seed in range(40))]
    assert sum(map(bool, said)) <= (2 if n == 50 else 0)


@pytest.mark.parametrize(
    "name", ["student-identity-1-1-1", "student-identity-2-2-1", "student-identity-2-2-2", "student-identity-3-3-2"]
)
@pytest.mark.parametrize("n", [300, 3000])
def test_heavy_tails_are_spoken_of(name: str, n: int) -> None:
    many = 20 if n == 300 else 5
    spoken = 0
    for draws in (mi.task(name).draw(n, seed) for seed in range(many)):
        said = " ".join(mi.KDE().estimate(draws.x, draws.y).warnings)
        spoken += f"of {n} points are so far out that no density is seen there" in said
        assert ("far out" in said) == ("gaussianise the columns first" in said)
        plain = " ".join(mi.Preprocessed(mi.KDE(), "gaussianise").estimate(draws.x, draws.y).warnings)
        assert "far out" not in plain
    assert spoken >= (17 if n == 300 else many)


def test_one_mistyped_value_is_spoken_of() -> None:
    draws = mi.task("1v1-normal-0.75").draw(1000, 0)
    x = draws.x.copy()
    x[17] = 1e6
    assert mi.KDE().estimate(x, draws.y).warnings[0].startswith("1 of 1000 points are so far out")


def test_columns_that_others_make_up_count_for_nothing() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(500, 0)
    found = mi.KDE().estimate(draws.x, draws.y)
    more = np.column_stack([draws.x, draws.x[:, 0] - 3.0 * draws.x[:, 1] + 5.0, 2.0 * draws.x[:, 1]])
    twice = mi.KDE().estimate(more, draws.y)
    assert twice.mi == pytest.approx(found.mi, abs=1e-9)
    assert twice.warnings == ("2 of x's 4 columns are combinations of the others", *found.warnings)


def test_points_in_a_plane_have_no_density() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(EstimateFailed, match="4 points of 4 linearly independent columns lie in a plane"):
        mi.KDE().estimate(rng.normal(size=(4, 2)), rng.normal(size=(4, 2)))
    assert math.isfinite(mi.KDE().estimate(rng.normal(size=(6, 2)), rng.normal(size=(6, 2))).mi)


def test_a_common_combination_makes_the_mi_infinite() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    for y in (x[:, :1], x[:, :1] - 2.0 * x[:, 1:], np.column_stack([rng.normal(size=200), 1e5 * x[:, 1] + 7.0])):
        with pytest.raises(EstimateFailed, match="their MI is infinite; drop a column"):
            mi.KDE().estimate(x, y)


@pytest.mark.parametrize("bandwidth", [1e-100, 1e-8, 1e-3, 1e3, 1e100])
def test_no_bandwidth_breaks_it(bandwidth: float) -> None:
    draws = mi.task("1v1-normal-0.75").draw(300, 0)
    found = mi.KDE(bandwidth=bandwidth).estimate(draws.x, draws.y)
    assert math.isfinite(found.mi)
    assert found.info == {"bandwidth": bandwidth}
    assert any("use a greater bandwidth" in said for said in found.warnings) == (bandwidth < 0.01)
    if bandwidth > 1.0:  # every density is that of one kernel, so what remains is the part of the covariances
        assert found.mi == pytest.approx(mi.CCA().estimate(draws.x, draws.y).mi, abs=1e-3) or bandwidth < 1e3


def test_too_few_points_for_the_dimension_are_spoken_of() -> None:
    draws = mi.task("multinormal-dense-5-5-0.5").draw(1000, 0)
    assert "1000 points are few for a density in 10 dimensions, which takes 4^10; use fewer columns" in (
        mi.KDE().estimate(draws.x, draws.y).warnings
    )


def test_its_bandwidth_is_stated() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(500, 0)
    for rule in ("silverman", "scott", 0.25):
        expected = _bandwidth(rule, 500, 4)
        assert mi.KDE(bandwidth=rule).estimate(draws.x, draws.y).info["bandwidth"] == pytest.approx(expected)


def test_threads_are_no_part_of_its_spelling() -> None:
    assert mi.spell(mi.KDE(bandwidth=1, n_jobs=2)) == "KDE(bandwidth=1.0)"
    assert mi.KDE() == replace(mi.KDE(), n_jobs=2)


@pytest.mark.parametrize("bandwidth", ["Scott", "", 0, -1.0, math.nan, math.inf, 1e-101, 1e101, True, None, (1.0,)])
def test_bad_parameters_are_refused(bandwidth: object) -> None:
    with pytest.raises(ParameterError, match="bandwidth must be one of silverman, scott, or a number between"):
        mi.KDE(bandwidth=bandwidth)
