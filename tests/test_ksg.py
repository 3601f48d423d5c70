"""KSG and KSG-2 beside their formulas in plain loops, known truths, and another implementation's estimates."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import psi

import mibench as mi
from mibench.errors import DataError, ParameterError
from mibench.estimators.digamma import digamma
from mibench.neighbours import METRICS
from mibench.preprocessing import standardise

ORDER = {"chebyshev": np.inf, "manhattan": 1, "euclidean": 2}
BOTH = pytest.mark.parametrize("kind", [mi.KSG, mi.KSG2])
Names = tuple[str, str]


def _formula(kind: type, x: np.ndarray, y: np.ndarray, k: int, metrics: Names) -> np.ndarray:
    """What each point contributes to eq. 8 or 9 of Kraskov et al. (2004)."""
    found = []
    for i in range(len(x)):
        in_x, in_y = (
            np.linalg.norm(np.delete(p, i, axis=0) - p[i], ord=ORDER[m], axis=1)
            for p, m in zip((x, y), metrics, strict=True)
        )
        joint = np.maximum(in_x, in_y)
        radius = np.sort(joint)[k - 1]
        if kind is mi.KSG:
            found.append(psi(k) - psi((in_x < radius).sum() + 1) - psi((in_y < radius).sum() + 1))
        else:
            inside = joint <= radius
            n_x, n_y = ((d <= d[inside].max()).sum() for d in (in_x, in_y))
            found.append(psi(inside.sum()) - 1 / inside.sum() - psi(n_x) - psi(n_y))
    return psi(len(x)) + np.array(found)


@BOTH
@settings(max_examples=50, deadline=None, derandomize=True)
@given(
    st.integers(1, 12),
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.integers(2, 120),
    st.tuples(st.sampled_from(METRICS), st.sampled_from(METRICS)),
    st.booleans(),
    st.integers(0, 2**32),
)
def test_is_the_formula(kind: type, k: int, dims: tuple[int, int], more: int, metrics: Names, ties: bool, seed: int
                        ) -> None:  # fmt: skip
    rng = np.random.default_rng(seed)
    x, y = (rng.normal(size=(k + more, d)) for d in dims)
    y[:, 0] += x[:, 0]
    if ties:
        x, y = np.round(x), np.round(y)
        x[:2], y[:2] = ((0.0,), (1.0,)), ((0.0,), (1.0,))  # so that no column is constant
    estimator = kind(k=k, metric=metrics)
    expected = _formula(kind, x, y, k, metrics)
    assert estimator.estimate(x, y).mi == pytest.approx(expected.mean(), abs=1e-10)
    np.testing.assert_allclose(estimator.local(x, y), expected, rtol=0.0, atol=1e-10)


@BOTH
def test_local_contributions_have_the_estimate_for_mean(kind: type) -> None:
    draws = mi.task("student-identity-2-2-1").draw(500, 0)
    local = kind(k=4).local(draws.x, draws.y)
    assert local.shape == (500,)
    assert local.mean() == pytest.approx(kind(k=4).estimate(draws.x, draws.y).mi, abs=1e-12)
    several = kind(k=(7, 4)).local(draws.x, draws.y)
    assert several.shape == (500, 2)
    np.testing.assert_array_equal(several[:, 1], local)
    assert kind(k=(4,)).local(draws.x, draws.y).shape == (500, 1)


@BOTH
def test_local_contributions_leave_constant_columns_out(kind: type) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 100))
    with_constant = np.column_stack([np.full(100, 7.0), x])
    np.testing.assert_array_equal(kind(k=3).local(with_constant, y), kind(k=3).local(x, y))
    np.testing.assert_array_equal(kind(k=3).local(with_constant[:, 0], y), np.zeros(100))
    np.testing.assert_array_equal(kind(k=(3, 5)).local(y, with_constant[:, 0]), np.zeros((100, 2)))


@BOTH
@pytest.mark.parametrize("metric", ["chebyshev", ("euclidean", "manhattan")])
@pytest.mark.parametrize("dims", [1, 3, 25])
def test_several_k_are_each_one_and_the_estimate_their_mean(kind: type, metric: str | Names, dims: int) -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(300, 1)
    x, y = draws.x[:, :dims], draws.y[:, :dims]
    alone = {str(k): kind(k=k, metric=metric).estimate(x, y).mi for k in (20, 3, 5)}
    found = kind(k=(20, 3, 5), metric=metric).estimate(x, y)
    assert dict(found.info["mi_by_k"]) == alone
    assert found.mi == pytest.approx(np.mean(list(alone.values())), abs=1e-12)
    assert kind(k=5).estimate(x, y).info == {}


@BOTH
def test_metrics_differ_but_not_where_there_is_one_coordinate(kind: type) -> None:
    draws = mi.task("multinormal-sparse-3-3-2-2.0").draw(400, 0)
    pairs = [(a, b) for a in METRICS for b in METRICS]
    assert len({kind(metric=pair).estimate(draws.x[:, 0], draws.y[:, 0]).mi for pair in pairs}) == 1
    assert len({kind(metric=pair).estimate(draws.x, draws.y).mi for pair in pairs}) == 9
    for name in METRICS:
        assert kind(metric=(name, name)).estimate(draws.x, draws.y) == kind(metric=name).estimate(draws.x, draws.y)
    swapped = kind(metric=("manhattan", "euclidean")).estimate(draws.y, draws.x)
    assert swapped == kind(metric=("euclidean", "manhattan")).estimate(draws.x, draws.y)


@BOTH
@pytest.mark.parametrize("dims", [1, 3, 25])
def test_threads_make_no_difference(kind: type, dims: int) -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(1200, 0)
    x, y = draws.x[:, :dims], draws.y[:, :dims]
    one, two, all_cores = (kind(k=(3, 10), n_jobs=n_jobs).estimate(x, y) for n_jobs in (1, 2, -1))
    assert one == two == all_cores


def _steps(n: int, seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """X one of 0, ..., 4 and Y uniform on (X, X + 2), with their MI (Gao et al., NeurIPS 2017, experiment I)."""
    rng = np.random.default_rng(seed)
    x = rng.integers(0, 5, n).astype(float)
    return x, rng.uniform(x, x + 2.0), math.log(5) - 0.8 * math.log(2)


@BOTH
def test_jitter_tells_ties_apart(kind: type) -> None:
    samples = [_steps(4000, seed) for seed in range(4)]
    found = [kind(k=5, jitter=1e-6).estimate(x, y) for x, y, _ in samples]
    assert np.mean([f.mi for f in found]) == pytest.approx(samples[0][2], abs=0.02)
    assert {f.warnings for f in found} == {()}


def test_what_ties_do_without_jitter() -> None:
    x, y, truth = _steps(20_000, 0)
    assert mi.KSG(k=5).estimate(x, y).mi == pytest.approx(truth, abs=0.03)
    assert mi.KSG2(k=5).estimate(x, y).mi == pytest.approx(truth - 1 / 5, abs=0.03)
    x, y = np.round(x), np.round(y)
    assert mi.KSG(k=5).estimate(x, y).mi > math.log(20_000)
    assert mi.KSG2(k=5).estimate(x, y).mi == pytest.approx(mi.PlugIn().estimate(x, y).mi, abs=0.02)


@pytest.mark.parametrize(("kind", "most"), [(mi.KSG, 0.0), (mi.KSG2, -1 / 4)])
def test_points_that_are_the_same_have_the_greatest_estimate(kind: type, most: float) -> None:
    x = np.random.default_rng(0).normal(size=500)
    assert kind(k=4).estimate(x, -x).mi == pytest.approx(psi(500) - psi(4) + most, abs=1e-10)


@BOTH
def test_jitter_is_seeded(kind: type) -> None:
    x, y, _ = _steps(1000, 0)
    found, again, other = (kind(k=5, jitter=1e-2, seed=seed).estimate(x, y).mi for seed in (1, 1, 2))
    assert found == again
    assert found != other
    assert kind(k=5, seed=1).estimate(x, y) == kind(k=5, seed=2).estimate(x, y)
    local = kind(k=5, jitter=1e-2, seed=1).local(x, y)
    assert local.mean() == pytest.approx(found, abs=1e-12)


@pytest.mark.parametrize("scale", [1e-300, 1e-3, 1e300])
def test_jitter_has_the_scale_of_its_column(scale: float) -> None:
    x, y, _ = _steps(1000, 0)
    estimator = mi.KSG(k=5, jitter=1e-6)
    found = estimator.estimate(x, y).mi
    assert estimator.estimate(scale * x, scale * y).mi == pytest.approx(found, abs=0.01)
    assert estimator.local(scale * x, scale * y).mean() == pytest.approx(found, abs=0.01)


@BOTH
def test_repeated_rows_are_told(kind: type) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 500, 2))
    x[:4], y[:4] = x[0], y[0]
    assert kind(k=4).estimate(x, y).warnings == ()
    said = "4 of 500 points have their neighbours in the same place; look for repeated rows"
    assert kind(k=3).estimate(x, y).warnings == kind(k=(10, 3)).estimate(x, y).warnings == (said,)
    assert kind(k=3, jitter=1e-9).estimate(x, y).warnings == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": 0}, "k must be a whole number >= 1, got 0"),
        ({"k": True}, "k must be a whole number >= 1, got True"),
        ({"k": 2.0}, "k must be a whole number >= 1, got 2.0"),
        ({"k": "10"}, "k must be a whole number >= 1, got '10'"),
        ({"k": (3, 0)}, "k must be a whole number >= 1, got 0"),
        ({"k": 10**6}, "k must be a whole number between 1 and"),
        ({"k": ()}, r"k must be a whole number, or several that differ, got \(\)"),
        ({"k": (3, 3)}, r"k must be a whole number, or several that differ, got \(3, 3\)"),
        ({"metric": "l7"}, "metric must be one of chebyshev, manhattan, euclidean, or a pair of these, got 'l7'"),
        ({"metric": ("chebyshev",) * 3}, "metric must be one of .*, or a pair of these, got"),
        ({"metric": ("chebyshev", None)}, "metric must be one of .*, or a pair of these, got"),
        ({"jitter": -1}, "jitter must be a number from 0 to 1, got -1"),
        ({"jitter": math.nan}, "jitter must be a number from 0 to 1, got nan"),
        ({"jitter": "a little"}, "jitter must be a number from 0 to 1, got 'a little'"),
        ({"seed": -1}, "seed must be a whole number >= 0, got -1"),
        ({"n_jobs": 0}, "n_jobs must be a whole number >= 1, or -1 for all cores, got 0"),
    ],
)
@BOTH
def test_bad_parameters_are_refused(kind: type, fields: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        kind(**fields)


@BOTH
def test_each_point_needs_k_others(kind: type) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 11))
    assert math.isfinite(kind(k=10).estimate(x, y).mi)
    with pytest.raises(DataError, match="needs at least 12 points for these dims, got 11"):
        kind(k=(2, 11)).estimate(x, y)


@BOTH
def test_tuples_are_spelled(kind: type) -> None:
    several = kind(k=[3, 5], metric=["euclidean", "chebyshev"], n_jobs=2)
    name = kind.__name__
    assert mi.spell(several) == f"{name}(k=(3, 5), metric=('euclidean', 'chebyshev'))"
    assert mi.parse(mi.spell(several)) == several == mi.parse(f"{name}(k=[3, 5], metric=['euclidean', 'chebyshev'])")
    assert mi.parse(mi.spell(kind(k=(3,)))) == kind(k=(3,)) != kind(k=3)
    with pytest.raises(ParameterError, match="or several that differ"):
        mi.parse(f"{name}(k=())")


@BOTH
@pytest.mark.parametrize("name", ["1v1-normal-0.75", "1v1-bimodal-0.75", "swissroll_x-normal_cdf-1v1-normal-0.75"])
def test_is_near_the_truth(kind: type, name: str) -> None:
    for seed in range(3):
        draws = mi.task(name).draw(10_000, seed)
        # The mean of the points' own MI bears most of the chance that is in the estimate.
        found = kind(k=10).estimate(standardise(draws.x), standardise(draws.y)).mi
        assert found == pytest.approx(draws.pmi.mean(), abs=0.02)
        assert found == pytest.approx(mi.task(name).mi, abs=0.035)


# Of KSG-1 in R, k = 10 and maximum norm, on one sample of 10 000 standardised points; and 3.5 times the standard
# deviation from sample to sample (measured over 12) of the difference of one estimate and the mean of three.
ELSEWHERE = {
    "multinormal-dense-25-25-0.5": (0.949, 0.045),
    "student-identity-2-2-1": (0.236, 0.08),
    "student-identity-5-5-2": (0.211, 0.017),
    "spiral-multinormal-sparse-3-3-2-2.0": (0.691, 0.036),
    "half_cube-multinormal-sparse-25-25-2-2.0": (0.105, 0.04),
}


@pytest.mark.parametrize(("name", "elsewhere", "near"), [(k, *v) for k, v in ELSEWHERE.items()], ids=ELSEWHERE.keys())
def test_errs_as_another_implementation_does(name: str, elsewhere: float, near: float) -> None:
    draws = [mi.task(name).draw(10_000, seed) for seed in range(3)]
    found = [mi.KSG(k=10, n_jobs=2).estimate(standardise(d.x), standardise(d.y)).mi for d in draws]
    assert np.mean(found) == pytest.approx(elsewhere, abs=near)


def test_digamma_is_that_of_mpmath() -> None:
    counts = [*range(1, 5001), 10**4 + 1, 123_456, 10**6, 2**31 - 1, 10**12, 2**53]
    with mpmath.workdps(30):
        exact = np.array([float(mpmath.digamma(m)) for m in counts])
    np.testing.assert_allclose(digamma(np.array(counts)), exact, rtol=1e-14, atol=0.0)
    assert digamma(7) == digamma(np.array([7]))[0]
