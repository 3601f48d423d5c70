"""Estimators that count: beside plain dictionaries, NumPy's histograms, and known truths."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import DataError, ParameterError
from mibench.estimators.counts import cells


def _by_dictionaries(x: list[tuple], y: list[tuple], miller_madow: bool) -> float:
    n, joint, left, right = len(x), Counter(zip(x, y, strict=True)), Counter(x), Counter(y)
    total = math.fsum(c / n * math.log(c * n / (left[a] * right[b])) for (a, b), c in joint.items())
    return total + miller_madow * (len(left) + len(right) - len(joint) - 1) / (2 * n)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(2, 60), st.integers(1, 20), st.integers(1, 3), st.integers(2, 40), st.booleans(), st.integers(0, 2**32)
)
def test_equal_widths_are_plain_counting(n: int, m: int, k: int, bins: int, miller_madow: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, m)), rng.normal(size=(n, k))

    def codes(points: np.ndarray) -> list[tuple]:
        low, high = points.min(axis=0), points.max(axis=0)
        return [tuple(np.minimum((p - low) / (high - low) * bins, bins - 1).astype(int)) for p in points]

    found = mi.Histogram(bins=bins, miller_madow=miller_madow).estimate(x, y)
    assert found.mi == pytest.approx(_by_dictionaries(codes(x), codes(y), miller_madow), abs=1e-10)


@pytest.mark.parametrize("name", ["1v1-normal-0.75", "1v1-additive-0.1", "1v1-bimodal-0.75"])
def test_one_dimension_agrees_with_numpys_histogram(name: str) -> None:
    draws = mi.task(name).draw(5000, 0)
    table = np.histogram2d(draws.x[:, 0], draws.y[:, 0], bins=10)[0]
    p = table / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = p * np.log(p / p.sum(axis=1, keepdims=True) / p.sum(axis=0))
    found = mi.Histogram(bins=10).estimate(draws.x, draws.y)
    assert found.mi == pytest.approx(np.nansum(terms), abs=1e-9)
    assert found.info["cells"] == np.count_nonzero(table)


def _by_numpy(x: np.ndarray, y: np.ndarray, bins: int) -> float:
    table = np.histogram2d(x, y, bins=bins)[0]
    p = table / table.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.nansum(p * np.log(p / p.sum(axis=1, keepdims=True) / p.sum(axis=0))))


@pytest.mark.parametrize("bins", [2, 3, 10, 16])
@pytest.mark.parametrize("span", [3, 10, 11, 12, 30, 99])
def test_values_on_edges_are_in_numpys_bins_whatever_their_offset(span: int, bins: int) -> None:
    rng = np.random.default_rng(span)
    x = np.concatenate([[0, span], rng.integers(0, span + 1, 1000)])
    y = np.clip(x + rng.integers(-1, 2, 1002), 0, span)
    estimator, expected = mi.Histogram(bins=bins), _by_numpy(x, y, bins)
    operator = mi.TransferOperator(bins=bins).estimate(x, y).mi
    for offset in (0, 1, -7, 1000, -(2**40), 2**60):
        assert estimator.estimate(x + offset, y - offset).mi == pytest.approx(expected, abs=1e-12)
        assert mi.TransferOperator(bins=bins).estimate(x + offset, y - offset).mi == operator
    for offset in (0, 1, -7, 1000):
        assert _by_numpy(x + offset, y - offset, bins) == pytest.approx(expected, abs=1e-12)
    assert estimator.estimate(0.25 * x + 1e6, -4.0 + y / 1024).mi == pytest.approx(expected, abs=1e-12)


def test_equal_mass_bins_of_ties_are_by_their_mean_ranks() -> None:
    # Of eight ranks in four bins, 3 to 6 are of one value, whose mean, 4.5, is in the third: (4.5 - 1/2) 4 / 8 = 2.
    x = np.array([1, 2, 5, 5, 5, 5, 8, 9])
    codes = [0, 0, 2, 2, 2, 2, 3, 3]
    expected = mi.PlugIn().estimate(codes, codes).mi
    assert mi.Histogram(bins=4, widths="mass").estimate(x, x).mi == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("estimator", [mi.Histogram(), mi.TransferOperator()])
def test_a_cell_that_holds_nearly_all_is_told(estimator: mi.Estimator) -> None:
    rng = np.random.default_rng(0)
    heavy, normal, rare = rng.standard_cauchy(5000), rng.normal(size=5000), rng.random(5000) < 0.02
    (warning,) = estimator.estimate(heavy, normal).warnings
    assert warning.endswith(
        "of 5000 points are in one cell of x, so that little of it is seen; gaussianise the columns first, or use "
        "more bins"
    )
    assert "in one cell of y" in estimator.estimate(normal, heavy).warnings[0]
    assert estimator.estimate(normal, rng.normal(size=5000)).warnings == ()
    assert estimator.estimate(rare, normal).warnings == ()  # nothing is lost of values that are equal


def test_equal_mass_bins_hold_equal_mass_and_ignore_monotone_maps() -> None:
    draws = mi.task("1v1-normal-0.75").draw(3000, 0)
    estimator = mi.Histogram(bins=8, widths="mass")
    found = estimator.estimate(draws.x, draws.y)
    assert estimator.estimate(np.exp(draws.x), draws.y**3).mi == pytest.approx(found.mi, abs=1e-12)
    assert (found.info["cells_x"], found.info["cells_y"]) == (8, 8)


def test_equal_widths_ignore_shifts_and_scales() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(2000, 0)
    found = mi.Histogram().estimate(draws.x, draws.y).mi
    # Powers of two, so that rounding moves no point over the edge of a bin.
    assert mi.Histogram().estimate(1024.0 * draws.x, draws.y / 256.0).mi == found


def test_fifty_dimensions_cost_what_they_hold() -> None:
    draws = mi.task("multinormal-dense-50-50-0.5").draw(2000, 0)
    found = mi.Histogram().estimate(draws.x, draws.y)
    assert found.mi == pytest.approx(math.log(2000), abs=0.01)
    assert "alone in their cell, so the estimate says little" in found.warnings[0]


def test_cells_are_numbered_by_what_they_hold() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, size=(500, 130))
    codes[250:] = codes[:250]
    place, counts = cells(codes, kinds=2)
    np.testing.assert_array_equal(place[:250], place[250:])
    assert len(counts) == 250
    assert set(counts) == {2}


@pytest.mark.parametrize("miller_madow", [False, True])
def test_plug_in_is_near_the_truth_of_tables(miller_madow: bool) -> None:
    table = mi.Discrete(((0.2, 0.1, 0.0), (0.05, 0.15, 0.5)))
    draws = table.draw(np.random.default_rng(0), 50_000)
    found = mi.PlugIn(miller_madow=miller_madow).estimate(draws.x, draws.y)
    assert found.mi == pytest.approx(table.mi, abs=0.01)
    assert found.warnings == ()
    assert found.info["values"] == 5


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(2, 80), st.integers(1, 3), st.booleans(), st.integers(0, 2**32))
def test_plug_in_is_plain_counting(n: int, m: int, miller_madow: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-3, 3, (n, m)) / 3.0, rng.integers(0, 4, (n, 2))
    x[0], y[0], x[1], y[1] = 0.0, 0, 1.0, 1  # so that no column is constant
    found = mi.PlugIn(miller_madow=miller_madow).estimate(x, y)
    expected = _by_dictionaries([tuple(r) for r in x.tolist()], [tuple(r) for r in y.tolist()], miller_madow)
    assert found.mi == pytest.approx(expected, abs=1e-10)


def test_miller_madow_takes_most_of_the_bias_away() -> None:
    rng = np.random.default_rng(1)
    plain, corrected = [], []
    for _ in range(200):
        x, y = rng.integers(0, 5, (2, 100))
        plain.append(mi.PlugIn().estimate(x, y).mi)
        corrected.append(mi.PlugIn(miller_madow=True).estimate(x, y).mi)
    assert np.mean(plain) == pytest.approx(16 / 200, rel=0.2)
    assert abs(np.mean(corrected)) < 0.2 * np.mean(plain)


def test_whole_numbers_beyond_doubles_are_told_apart() -> None:
    k = np.random.default_rng(0).integers(0, 4, 1000)
    expected = mi.PlugIn().estimate(k, k).mi
    assert expected == pytest.approx(math.log(4), abs=0.02)
    for x in (2**60 + k, -(2**62) - k, (2**64 - 1 - k.astype(np.uint64)), [2**80 + int(v) for v in k]):
        assert mi.PlugIn().estimate(x, k).mi == expected
    ends = [2**63 - int(v) if v else -(2**63) for v in k]
    with pytest.raises(DataError, match=r"x has whole numbers that double precision merges \(column 1\); give their r"):
        mi.PlugIn().estimate(ends, k)
    far = np.array([-(2**63), 0, 2**63 - 1])[k % 3]  # apart by more than an integer holds, but told apart as doubles
    assert mi.PlugIn().estimate(far, k).mi == mi.PlugIn().estimate(k % 3, k).mi


def test_continuous_variables_are_not_discrete() -> None:
    found = mi.PlugIn().estimate(*np.random.default_rng(0).normal(size=(2, 100)))
    assert found.mi == pytest.approx(math.log(100))
    assert found.warnings == ("100 of 100 pairs of values occur once; for continuous variables use another estimator",)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bins": 1}, "bins must be a whole number >= 2, got 1"),
        ({"bins": 10.0}, "bins must be a whole number"),
        ({"bins": 10**9}, "bins must be a whole number between 2 and"),
        ({"widths": "Equal"}, "widths must be one of equal, mass, got 'Equal'"),
        ({"miller_madow": 1}, "miller_madow must be True or False"),
    ],
)
def test_bad_parameters_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        mi.Histogram(**fields)
