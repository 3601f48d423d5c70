"""Transfer operator: beside a matrix made by plain loops, and beside the histogram that it comes near."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import ParameterError


def _entropy_by_a_matrix(points: np.ndarray, bins: int) -> float:
    """The entropy of the visiting frequency after 200 steps of the operator, with one departure left out."""
    low, high = points.min(axis=0), points.max(axis=0)
    series = [tuple(np.minimum((p - low) / (high - low) * bins, bins - 1).astype(int)) for p in points]
    boxes = sorted(set(series))
    moves = list(zip(series, [*series[1:], series[0]], strict=True))
    if series.count(series[0]) > 1:
        del moves[max(t for t, box in enumerate(series) if box == series[0])]
    matrix = np.zeros((len(boxes), len(boxes)))
    for start, end in moves:
        matrix[boxes.index(start), boxes.index(end)] += 1.0
    matrix /= matrix.sum(axis=1, keepdims=True)
    p = np.array([series.count(box) / len(series) for box in boxes]) @ np.linalg.matrix_power(matrix, 200)
    return -math.fsum(v * math.log(v) for v in p if v > 1e-300)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(
    st.integers(2, 80), st.integers(1, 3), st.integers(1, 2), st.integers(2, 12), st.booleans(), st.integers(0, 2**32)
)
def test_it_is_the_matrix(n: int, m: int, k: int, bins: int, ties: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(n, m)), rng.normal(size=(n, k))
    if ties:
        x, y = np.round(x), np.round(y)
    i, j = rng.permutation(n)[:2]
    x[i], x[j], y[i], y[j] = -4.0, 4.0, -4.0, 4.0  # so that no column is constant
    expected = sum(_entropy_by_a_matrix(v, bins) * s for v, s in ((x, 1), (y, 1), (np.hstack([x, y]), -1)))
    assert mi.TransferOperator(bins).estimate(x, y).mi == pytest.approx(expected, abs=1e-8)


def test_a_closed_series_gives_the_histogram() -> None:
    # The first point has its boxes for itself, so no departure is left out, whatever the series.
    walk = np.cumsum(np.random.default_rng(0).normal(size=(3000, 2)), axis=0)
    walk[0] = 10.0 * walk.min(axis=0) - 100.0
    found = mi.TransferOperator(bins=20).estimate(walk[:, 0], walk[:, 1])
    assert found.mi == pytest.approx(mi.Histogram(bins=20).estimate(walk[:, 0], walk[:, 1]).mi, abs=1e-12)
    assert found.info["moved"] < 1e-12


@pytest.mark.parametrize(("n", "near"), [(500, 0.02), (10_000, 0.001)])
@pytest.mark.parametrize("name", ["1v1-normal-0.75", "1v1-additive-0.1", "1v1-bimodal-0.75"])
def test_independent_points_in_any_order_come_near_the_histogram(name: str, n: int, near: float) -> None:
    draws = mi.task(name).draw(n, 0)
    expected = mi.Histogram().estimate(draws.x, draws.y).mi
    rng = np.random.default_rng(0)
    found = [mi.TransferOperator().estimate(draws.x[o], draws.y[o]).mi for o in (rng.permutation(n) for _ in range(20))]
    assert max(abs(v - expected) for v in found) < near
    assert len(set(found)) > 1  # near, but the order does matter


def test_it_settles_in_the_boxes_that_are_not_left() -> None:
    # 0 leads to 1 once, and that departure is the last from the first point's box.
    x = np.array([0.0] * 50 + [1.0] * 50)
    found = mi.TransferOperator(bins=2).estimate(x, x)
    # With probability 1/50 box 1 is left for box 0, which is never left.
    assert found.mi == pytest.approx(-sum(p * math.log(p) for p in (0.5 * 0.98**200, 1 - 0.5 * 0.98**200)))
    assert "moves 49% of a measure" in found.warnings[0]


def test_fifty_dimensions_cost_what_they_hold() -> None:
    draws = mi.task("multinormal-dense-50-50-0.5").draw(2000, 0)
    found = mi.TransferOperator().estimate(draws.x, draws.y)
    assert found.mi == pytest.approx(math.log(2000), abs=0.01)
    assert "2000 of 2000 points are alone in their box" in found.warnings[0]


@pytest.mark.parametrize("bins", [1, 0, 10.0, True, "10", 10**9])
def test_bad_parameters_are_refused(bins: object) -> None:
    with pytest.raises(ParameterError, match="bins must be a whole number"):
        mi.TransferOperator(bins=bins)
