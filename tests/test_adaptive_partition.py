"""Adaptive partition: beside a recursion in plain Python, known truths, and what must make no difference."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chi2

import mibench as mi
from mibench.errors import ParameterError

Box = list[int]


def _parts(box: Box, points: np.ndarray) -> list[Box]:
    """A box, as the numbers of its points, cut at the median of each axis."""
    sides: dict[tuple[bool, ...], Box] = defaultdict(list)
    for i in box:
        above = []
        for column in points.T:
            smaller, equal = sum(column[j] < column[i] for j in box), sum(column[j] == column[i] for j in box)
            above.append(smaller + equal / 2 >= len(box) / 2)
        sides[tuple(above)].append(i)
    return list(sides.values())


def _recursion(x: np.ndarray, y: np.ndarray, significance: float, box_x: Box, box_y: Box) -> float:
    """The sum over the final cells of a pair of boxes of n_xy log(n n_xy / (n_x n_y))."""
    here = len(set(box_x) & set(box_y))
    if not here:
        return 0.0
    pairs = list(product(_parts(box_x, x), _parts(box_y, y)))
    expected = [here * len(a) * len(b) / (len(box_x) * len(box_y)) for a, b in pairs]
    statistic = sum((len(set(a) & set(b)) - e) ** 2 / e for (a, b), e in zip(pairs, expected, strict=True))
    first = len(box_x) == len(box_y) == len(x)
    uneven = len(pairs) > 1 and (first or chi2.sf(statistic, len(pairs) - 1) < significance)
    if uneven and here >= len(pairs):
        return math.fsum(_recursion(x, y, significance, a, b) for a, b in pairs)
    return here * math.log(len(x) * here / (len(box_x) * len(box_y)))


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.integers(2, 90), st.integers(1, 2), st.integers(1, 2), st.booleans(), st.floats(0.01, 0.9), st.integers(0, 2**32)
)
def test_it_is_the_recursion(n: int, m: int, k: int, ties: bool, significance: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, m))
    y = np.tile(x[:, :1], k) + 0.3 * rng.normal(size=(n, k))
    if ties:
        x, y = np.round(x), np.round(2 * y)
    x[0], x[1], y[0], y[1] = -9.0, 9.0, -9.0, 9.0  # so that no column is constant
    every = list(range(n))
    found = mi.AdaptivePartition(significance).estimate(x, y)
    assert found.mi == pytest.approx(_recursion(x, y, significance, every, every) / n, abs=1e-10)
    assert -1e-12 <= found.mi <= math.log(n)


TRUTHS = {  # the largest distance of the mean of five estimates from the truth, in nats
    "1v1-normal-0.75": 0.02,
    "1v1-bimodal-0.75": 0.02,
    "wiggly-1v1-normal-0.75": 0.02,
    "student-identity-1-1-1": 0.02,
    "swissroll_x-normal_cdf-1v1-normal-0.75": 0.02,
    "1v1-additive-0.75": 0.04,
    "1v1-additive-0.1": 0.09,
    "multinormal-dense-2-2-0.5": 0.04,
}


@pytest.mark.parametrize("name", TRUTHS)
def test_it_is_near_the_truth(name: str) -> None:
    task = mi.task(name)
    found = [mi.AdaptivePartition().estimate(d.x, d.y) for d in (task.draw(10_000, seed) for seed in range(5))]
    assert np.mean([e.mi for e in found]) == pytest.approx(task.mi, abs=TRUTHS[name])
    assert all(e.warnings == () for e in found)


def test_it_sees_dependence_that_halves_do_not() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=5000)
    assert mi.AdaptivePartition().estimate(x, x**2 + 0.1 * rng.normal(size=5000)).mi > 1.5
    independent = mi.AdaptivePartition().estimate(x, rng.normal(size=5000))
    assert 0.0 <= independent.mi < 0.005


def test_increasing_maps_and_the_order_of_columns_make_no_difference() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(2000, 0)
    found = mi.AdaptivePartition().estimate(draws.x, draws.y).mi
    x = np.column_stack([np.exp(draws.x[:, 1]), draws.x[:, 0] ** 3])
    assert mi.AdaptivePartition().estimate(x, np.arctan(draws.y)).mi == pytest.approx(found, abs=1e-10)


def test_equal_values_stay_together() -> None:
    x = np.repeat([0.0, 1.0, 2.0, 3.0], [10, 900, 60, 30])
    found = mi.AdaptivePartition().estimate(x, x)
    assert found.mi == pytest.approx(mi.PlugIn().estimate(x, x).mi, abs=1e-10)
    assert found.info == {"cells": 4}


def test_too_few_points_for_the_dimension_are_spoken_of() -> None:
    draws = mi.task("multinormal-dense-50-50-0.5").draw(1000, 0)
    found = mi.AdaptivePartition().estimate(draws.x, draws.y)
    assert found.mi == 0.0
    assert "1000 of 1000 points are in cells with too few points to split" in found.warnings[0]


@pytest.mark.parametrize("value", [0.0, 1.0, -0.1, 5, math.nan, "0.05", True])
def test_bad_parameters_are_refused(value: object) -> None:
    with pytest.raises(ParameterError, match="significance must be a number between 0 and 1"):
        mi.AdaptivePartition(significance=value)
