"""MixedKSG and Ross beside their formulas in plain loops, their limits, known truths, and other people's programs."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import psi

import mibench as mi
from mibench.errors import DataError, EstimateFailed, ParameterError
from mibench.neighbours import METRICS
from mibench.neighbours.search import count_within_groups

ORDER = {"chebyshev": np.inf, "manhattan": 1, "euclidean": 2}
Points = tuple[np.ndarray, np.ndarray]


def _distances(points: np.ndarray, metric: str) -> np.ndarray:
    """From each point to each, and to itself infinity, so that it is none of its neighbours."""
    found = np.linalg.norm(points[:, None] - points, ord=ORDER[metric], axis=2)
    np.fill_diagonal(found, np.inf)
    return found


def _mixed(x: np.ndarray, y: np.ndarray, k: int, metrics: tuple[str, str]) -> np.ndarray:
    in_x, in_y = (_distances(p, m) for p, m in zip((x, y), metrics, strict=True))
    joint = np.maximum(in_x, in_y)
    found = []
    for i, radius in enumerate(np.sort(joint, axis=1)[:, k - 1]):
        if radius == 0.0:
            counts = [(d[i] == 0.0).sum() + 1 for d in (joint, in_x, in_y)]
        else:
            sides = [max((d[i] < radius).sum() + 1, (d[i] <= radius).sum()) for d in (in_x, in_y)]
            counts = [(joint[i] <= radius).sum(), *sides]
        found.append(psi(counts[0]) - psi(counts[1]) - psi(counts[2]))
    return math.log(len(x)) + np.array(found)


def _authors(x: np.ndarray, y: np.ndarray, k: int) -> float:
    """As the program of Gao et al. (2017) counts: itself, and what is nearer; in the same place, what is there."""
    in_x, in_y = _distances(x, "chebyshev"), _distances(y, "chebyshev")
    joint = np.maximum(in_x, in_y)
    radius = np.sort(joint, axis=1)[:, [k - 1]]
    reach = np.where(radius == 0.0, 1e-15, radius - 1e-15)
    near, n_x, n_y = ((d <= reach).sum(axis=1) + 1 for d in (joint, in_x, in_y))
    near = np.where(radius[:, 0] == 0.0, near, k)
    return float(np.mean(psi(near) + np.log(len(x)) - psi(n_x) - psi(n_y)))


def _ross(labels: np.ndarray, points: np.ndarray, k: int, metric: str) -> float:
    distances = _distances(points, metric)
    alike = (labels[:, None] == labels).all(axis=2)
    sizes = alike.sum(axis=1)
    kept = np.flatnonzero(sizes > 1)
    total = 0.0
    for i in kept:
        own = min(k, sizes[i] - 1)
        radius = np.sort(distances[i][alike[i]])[own - 1]
        within = distances[i] <= radius  # with ties, more of the label than those
        total += psi((within & alike[i]).sum()) - psi(sizes[i]) - psi((within & (sizes > 1)).sum())
    return psi(len(kept)) + total / len(kept)


def _sample(n: int, dims: tuple[int, int], kind: str, seed: int) -> Points:
    rng = np.random.default_rng(seed)
    x, y = (rng.normal(size=(n, d)) for d in dims)
    y[:, 0] += x[:, 0]
    if kind != "continuous":
        x = np.round(x)
    if kind == "discrete":
        y = np.round(y)
    if kind == "both":
        y[::3] = np.round(y[::3])
    x[:2], y[:2] = ((0.0,), (1.0,)), ((0.0,), (1.0,))  # so that no column is constant
    return x, y


KINDS = st.sampled_from(["continuous", "label", "discrete", "both"])
DIMS = st.tuples(st.integers(1, 7), st.integers(1, 7))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.integers(1, 12), DIMS, st.integers(2, 100), st.tuples(*[st.sampled_from(METRICS)] * 2), KINDS,
       st.integers(0, 2**32))  # fmt: skip
def test_mixed_ksg_is_its_formula(
    k: int, dims: tuple[int, int], more: int, metrics: tuple[str, str], kind: str, seed: int
) -> None:
    x, y = _sample(k + more, dims, kind, seed)
    estimator = mi.MixedKSG(k=k, metric=metrics)
    expected = _mixed(x, y, k, metrics)
    assert estimator.estimate(x, y).mi == pytest.approx(expected.mean(), abs=1e-10)
    np.testing.assert_allclose(estimator.local(x, y), expected, rtol=0.0, atol=1e-10)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(1, 12), DIMS, st.integers(6, 100), st.sampled_from(METRICS), KINDS, st.integers(0, 2**32))
def test_ross_is_its_formula(k: int, dims: tuple[int, int], n: int, metric: str, kind: str, seed: int) -> None:
    x, y = _sample(n, dims, "label" if kind == "continuous" else kind, seed)
    x[2:4] = x[:2]
    expected = _ross(x, y, k, metric)
    assert mi.Ross(k=k, metric=metric, discrete="x").estimate(x, y).mi == pytest.approx(expected, abs=1e-10)
    assert mi.Ross(k=k, metric=metric, discrete="y").estimate(y, x).mi == pytest.approx(expected, abs=1e-10)


def test_mixed_ksg_of_continuous_variables_is_ksg() -> None:
    for name in ("1v1-bimodal-0.75", "student-identity-2-2-1", "multinormal-dense-25-25-0.5"):
        draws = mi.task(name).draw(700, 0)
        expected = mi.KSG(k=(3, 10)).local(draws.x, draws.y) - psi(700) + math.log(700)
        np.testing.assert_allclose(mi.MixedKSG(k=(3, 10)).local(draws.x, draws.y), expected, rtol=0.0, atol=1e-12)


def test_mixed_ksg_of_a_label_is_ross() -> None:
    x, y = _labelled(0.8).draw(900, 0).x, _labelled(0.8).draw(900, 0).y
    expected = mi.Ross(k=5).estimate(x, y).mi - psi(900) + math.log(900)
    assert mi.MixedKSG(k=5).estimate(100.0 * x, y).mi == pytest.approx(expected, abs=1e-12)


def test_mixed_ksg_of_discrete_variables_is_near_the_plug_in() -> None:
    draws = TABLE.draw(5000, 0)
    found = mi.MixedKSG(k=5).estimate(draws.x, draws.y).mi
    counts = np.array([[np.sum((draws.x == i) & (draws.y == j)) for j in range(3)] for i in range(2)])
    own, rows, columns = counts, counts.sum(axis=1, keepdims=True), counts.sum(axis=0, keepdims=True)
    exact = math.log(5000) + np.sum(counts * (psi(np.maximum(own, 1)) - psi(rows) - psi(columns))) / 5000
    assert found == pytest.approx(exact, abs=1e-10)
    assert found == pytest.approx(mi.PlugIn().estimate(draws.x, draws.y).mi, abs=1e-3)


@pytest.mark.parametrize("k", [3, 5, 10])
def test_mixed_ksg_counts_as_the_authors_program_does(k: int) -> None:
    table, labelled = TABLE.draw(600, 0), _labelled(1.0).draw(600, 0)
    for x, y in (
        _sample(600, (1, 1), "continuous", 0),
        _sample(600, (2, 3), "continuous", 1),
        (table.x, table.y),
        (10.0 * labelled.x, labelled.y),
    ):
        assert mi.MixedKSG(k=k).estimate(x, y).mi == pytest.approx(_authors(x, y, k), abs=1e-10)


def test_mixed_ksg_bears_ties_that_are_apart() -> None:
    # Where values are whole and cells hold fewer than k points, the authors' program is too high.
    draws = mi.task("1v1-normal-0.75").draw(1000, 0)
    x, y = np.round(draws.x, 1), np.round(draws.y, 1)
    assert mi.MixedKSG(k=10).estimate(x, y).mi == pytest.approx(draws.pmi.mean(), abs=0.05)
    assert _authors(x, y, 10) > draws.pmi.mean() + 0.3


def _labelled(shift: float, weight: float = 0.5) -> mi.Task:
    far = mi.Pushed(mi.Noise(1, 1), g=mi.Scale(shift=shift))
    return mi.Task("two", mi.Labelled((mi.Noise(1, 1), far), weights=(weight, 1.0 - weight)))


TABLE = mi.Task("table", mi.Discrete(((0.3, 0.1, 0.05), (0.1, 0.2, 0.25))))
SCALES = mi.Task(
    "scales",
    mi.Labelled(
        tuple(mi.Pushed(mi.Noise(1, 1), g=mi.Scale(s, shift)) for s, shift in ((1.0, 0.0), (0.1, 0.5), (3.0, -1.0))),
        weights=(0.2, 0.5, 0.3),
    ),
)
TRUTHS = {
    "a small shift": _labelled(1.0),
    "a shift": _labelled(2.0),
    "a great shift": _labelled(8.0),
    "a rare label": _labelled(3.0, weight=0.05),
    "three scales": SCALES,
    "a table": TABLE,
    "normal": mi.task("1v1-normal-0.75"),
}


@pytest.mark.parametrize("task", TRUTHS.values(), ids=TRUTHS.keys())
@pytest.mark.parametrize(("n", "near"), [(1000, 0.025), (5000, 0.012), (20_000, 0.008)])
def test_mixed_ksg_has_no_bias_in_the_limit(task: mi.Task, n: int, near: float) -> None:
    draws = [task.draw(n, seed) for seed in range(20 if n == 1000 else 5)]
    for k in (3, 10):
        # The mean of the points' own MI bears most of the chance that is in the estimate.
        off = [mi.MixedKSG(k=k, n_jobs=2).estimate(d.x, d.y).mi - d.pmi.mean() for d in draws]
        assert np.mean(off) == pytest.approx(0.0, abs=near), (k, np.mean(off))


@pytest.mark.parametrize("name", ["a small shift", "a shift", "a great shift", "a rare label", "three scales"])
@pytest.mark.parametrize(("n", "near"), [(1000, 0.025), (5000, 0.012), (20_000, 0.008)])
def test_ross_has_no_bias_in_the_limit(name: str, n: int, near: float) -> None:
    draws = [TRUTHS[name].draw(n, seed) for seed in range(20 if n == 1000 else 5)]
    off = [mi.Ross(n_jobs=2).estimate(d.x, d.y).mi - d.pmi.mean() for d in draws]
    assert np.mean(off) == pytest.approx(0.0, abs=near)


def _half_discrete(n: int, seed: int, far: float) -> Points:
    """With probability 1/2 both are -far or far, and alike with probability .8; else normal with correlation .9."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n)
    y = 0.9 * x + math.sqrt(1 - 0.81) * rng.normal(size=n)
    atom = rng.choice([-far, far], n)
    other = np.where(rng.random(n) < 0.8, atom, -atom)
    whole = rng.random(n) < 0.5
    return np.where(whole, atom, x), np.where(whole, other, y)


# Which of the two kinds a point is of can be seen from x alone and from y alone, and is worth log 2.
HALF_DISCRETE = math.log(2) + 0.5 * (0.8 * math.log(1.6) + 0.2 * math.log(0.4)) - 0.25 * math.log(1 - 0.81)


def test_a_part_discrete_and_a_part_continuous() -> None:
    found = [mi.MixedKSG(k=5).estimate(*_half_discrete(4000, seed, far=10.0)).mi for seed in range(10)]
    assert np.mean(found) == pytest.approx(HALF_DISCRETE, abs=0.02)


def test_atoms_amid_a_continuous_part_make_it_too_low() -> None:
    off = {}
    for n in (1000, 4000, 16_000):
        found = [mi.MixedKSG(k=5).estimate(*_half_discrete(n, seed, far=1.0)).mi for seed in range(5)]
        off[n] = HALF_DISCRETE - np.mean(found)
    assert 0.25 > off[1000] > 1.2 * off[4000] > 1.2**2 * off[16_000] > 0.0


@pytest.mark.parametrize("dims", [1, 3, 25])
def test_threads_make_no_difference(dims: int) -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(1200, 0)
    x, y = np.sign(draws.x[:, :2]), draws.y[:, :dims]
    for estimator in (mi.MixedKSG(k=(3, 10)), mi.Ross()):
        one, two, all_cores = (type(estimator)(k=estimator.k, n_jobs=jobs).estimate(x, y) for jobs in (1, 2, -1))
        assert one == two == all_cores


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("dims", [1, 4, 11, 30])
@pytest.mark.parametrize("n", [60, 1500])  # few points go to a tree in any dimension
def test_counting_within_groups(dims: int, metric: str, n: int) -> None:
    rng = np.random.default_rng(dims)
    points = rng.normal(size=(n, dims)) * 10.0 ** rng.integers(-3, 4)
    groups = np.concatenate([[0, 0, 1, 1, 1], rng.choice([2, 3], n - 5, p=[0.1, 0.9])])
    points[20:40] = np.round(points[20:40])
    found, of_group = count_within_groups(points, groups, 4, metric, n_jobs=2)
    distances = _distances(points, metric)
    for i in rng.choice(n, 60, replace=False):
        alike = groups == groups[i]
        own = np.sort(distances[i][alike])
        radius = own[min(4, len(own) - 1) - 1]
        # np.linalg.norm sums in its own order: what is within rounding of the radius may count or not.
        least, most = (distances[i] <= radius * (1.0 + off) for off in (-1e-12, 1e-12))
        assert least.sum() <= found[i] <= most.sum()
        assert (least & alike).sum() <= of_group[i] <= (most & alike).sum()


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("k", [1, 3, 10])
def test_ross_is_that_of_scikit_learn(k: int, seed: int) -> None:
    pytest.importorskip("sklearn", reason="it is compared with where it is installed: pip install 'mibench[test]'")
    from sklearn.feature_selection import mutual_info_classif

    rng = np.random.default_rng(seed)
    n = int(rng.integers(100, 700))
    # No label of few points but one: there it multiplies distances out, and rounds a neighbour away.
    labels = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2]).astype("<U4")
    labels[0] = "once"
    x = 3.0 * np.sinh(rng.normal(size=n)) + (labels == "a")
    found = mutual_info_classif(x[:, None], labels, n_neighbors=k, random_state=seed)[0]
    # It divides by the standard deviation and adds noise of an old generator; below 0 it says 0.
    near = x / np.std(x)
    near += 1e-10 * max(1.0, float(np.abs(near).mean())) * np.random.RandomState(seed).standard_normal(n)
    codes = np.unique(labels, return_inverse=True)[1].astype(float)
    estimate = mi.Ross(k=k, discrete="y").estimate(near, codes)
    assert found == pytest.approx(max(0.0, estimate.mi), abs=1e-12)
    assert estimate.warnings == ("1 of " + str(n) + " points have a label of their own, and are left out",)
    assert estimate.info == {"labels": 3}


def test_ross_of_equal_values_is_the_information_of_labels() -> None:
    labels = np.random.default_rng(0).choice(3, 1000, p=[0.2, 0.3, 0.5])
    sizes = np.bincount(labels)
    expected = psi(1000) - np.sum(sizes * psi(sizes)) / 1000
    for k in (1, 3, 10):
        found = mi.Ross(k=k, discrete="y").estimate(labels.astype(float), labels)
        assert found.mi == pytest.approx(expected, abs=1e-12)
        assert found.mi == pytest.approx(mi.PlugIn().estimate(labels, labels).mi, abs=0.005)
        # Where values say nothing of the label, their being equal makes no information.
        coins = np.random.default_rng(1).integers(0, 2, 1000)
        assert abs(mi.Ross(k=k, discrete="y").estimate(coins, labels).mi) < 0.01


def test_ross_takes_the_side_of_fewer_distinct_rows_for_labels() -> None:
    draws = _labelled(2.0).draw(300, 0)
    found = mi.Ross(discrete="x").estimate(draws.x, draws.y)
    assert mi.Ross().estimate(draws.x, draws.y) == mi.Ross().estimate(draws.y, draws.x) == found
    assert mi.Ross().estimate(5.0 - 1e-300 * draws.x - 3.0 * draws.x, draws.y) == found
    other = mi.Ross(discrete="y")
    with pytest.raises(EstimateFailed, match=r"no label occurs twice; if both variables are continuous, use KSG\(\)"):
        other.estimate(draws.x, draws.y)
    many = np.column_stack([draws.x, draws.x + 1.0, 2.0 * draws.x])  # a label of several columns is one all the same
    assert mi.Ross().estimate(many, draws.y) == found


def test_ross_needs_to_know_which_side_has_labels() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 50))
    with pytest.raises(EstimateFailed, match=r"both have 50 distinct rows; say which is discrete with discrete='x'"):
        mi.Ross().estimate(x, y)
    with pytest.raises(
        EstimateFailed, match=r"both have 2 distinct rows; .* or use KSG\(\) .*, PlugIn\(\) if both are"
    ):
        mi.Ross().estimate(x > 0, y > 0)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"k": 0}, "k must be a whole number >= 1, got 0"),
        ({"k": (3, 5)}, "k must be a whole number"),
        ({"k": 10**6}, "k must be a whole number between 1 and"),
        ({"metric": "l7"}, "metric must be one of chebyshev, manhattan, euclidean, got 'l7'"),
        ({"discrete": "z"}, "discrete must be one of auto, x, y, got 'z'"),
        ({"n_jobs": 0}, "n_jobs must be a whole number >= 1, or -1 for all cores, got 0"),
    ],
)
def test_bad_parameters_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        mi.Ross(**fields)


def test_mixed_ksg_needs_k_others() -> None:
    with pytest.raises(DataError, match="needs at least 6 points for these dims, got 5"):
        mi.MixedKSG(k=5).estimate(range(5), [0, 0, 1, 1, 1])
    assert math.isfinite(mi.MixedKSG(k=4).estimate(range(5), [0, 0, 1, 1, 1]).mi)


def test_mixed_ksg_has_nothing_to_say_of_ties() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        draws = TABLE.draw(500, 0)
        assert mi.MixedKSG().estimate(draws.x, draws.y).warnings == ()


def test_parameters_are_spelled() -> None:
    assert mi.spell(mi.MixedKSG(k=5, metric="euclidean", n_jobs=2)) == "MixedKSG(k=5, metric='euclidean')"
    assert mi.parse("Ross(k=5, discrete='y')") == mi.Ross(k=5, discrete="y", n_jobs=2)
