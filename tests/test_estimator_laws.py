"""Laws that every estimator obeys, and hard input that none may stumble over."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from zoo import ESTIMATORS

import mibench as mi
from mibench import identity
from mibench.errors import DataError, MiBenchError

EVERY = pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS.keys())
DRAWS = mi.Task("three", mi.Normal(mi.sparse(3, 2, K=2))).draw(600, 0)


def test_every_estimator_is_in_the_zoo() -> None:
    shown = {type(e).__name__ for e in ESTIMATORS.values()}
    assert {n for n, c in identity.registered().items() if issubclass(c, mi.Estimator)} == shown


@EVERY
def test_an_estimate_is_a_number_with_its_words(estimator: mi.Estimator) -> None:
    found = estimator.estimate(DRAWS.x, DRAWS.y)
    assert isinstance(found, mi.Estimate)
    assert math.isfinite(found.mi)
    assert float(found) == found.mi
    assert found.interval is None or found.interval[0] <= found.interval[1]
    assert all(isinstance(w, str) for w in found.warnings)


@EVERY
def test_spelling_and_pickle_give_an_equal_estimator(estimator: mi.Estimator) -> None:
    again = mi.parse(mi.spell(estimator))
    assert again == estimator
    assert again.estimate(DRAWS.x, DRAWS.y) == estimator.estimate(DRAWS.x, DRAWS.y)
    assert pickle.loads(pickle.dumps(estimator)) == estimator  # noqa: S301


@EVERY
def test_symmetric_and_blind_to_the_order_of_points(estimator: mi.Estimator) -> None:
    found = estimator.estimate(DRAWS.x, DRAWS.y).mi
    assert estimator.estimate(DRAWS.y, DRAWS.x).mi == pytest.approx(found, abs=1e-10)
    order = np.random.default_rng(1).permutation(600)
    assert estimator.estimate(DRAWS.x[order], DRAWS.y[order]).mi == pytest.approx(found, abs=1e-10)


@EVERY
def test_any_container_gives_the_same(estimator: mi.Estimator) -> None:
    import polars as pl

    x, y = np.round(DRAWS.x[:, :1], 3), np.round(DRAWS.y[:, :1], 3)
    found = estimator.estimate(x, y).mi
    wide = np.repeat(x, 3, axis=1)
    frozen = x.copy()
    frozen.flags.writeable = False
    for same in (x[:, 0], x.tolist(), x[:, 0].tolist(), pl.DataFrame(x), wide[:, ::3], np.asfortranarray(x), frozen):
        assert estimator.estimate(same, y).mi == found
    assert estimator.estimate(x.astype(np.float32), y).mi == pytest.approx(found, abs=1e-4)
    whole = (10 * x).astype(np.int64)
    assert estimator.estimate(whole, y).mi == estimator.estimate(whole.astype(float), y).mi
    assert math.isfinite(estimator.estimate(x > 0, y).mi)


@EVERY
def test_constant_columns_are_left_out_with_a_warning(estimator: mi.Estimator) -> None:
    x = np.column_stack([DRAWS.x[:, 0], np.full(600, 3.0), DRAWS.x[:, 1]])
    found = estimator.estimate(x, DRAWS.y)
    assert found.mi == estimator.estimate(DRAWS.x[:, :2], DRAWS.y).mi
    assert "x has 1 constant column (column 2), left out" in found.warnings
    nothing = estimator.estimate(np.zeros(600), DRAWS.y)
    assert nothing.mi == 0.0
    assert nothing.warnings


@EVERY
def test_independent_points_have_next_to_no_mi(estimator: mi.Estimator) -> None:
    x, y = np.random.default_rng(2).normal(size=(2, 5000))
    if isinstance(estimator, mi.PlugIn):  # which is for discrete variables
        x, y = np.round(x), np.round(y)
    assert abs(estimator.estimate(x, y).mi) < 0.05


HARD = {
    "NaN": ([1.0, math.nan, 2.0], [1.0, 2.0, 3.0], r"x has 1 row with a NaN or infinity \(row 1\)"),
    "infinity": ([1.0, 3.0, 2.0], [1.0, 2.0, -math.inf], r"y has 1 row with a NaN or infinity \(row 2\)"),
    "lengths": ([1.0, 2.0, 3.0], [1.0, 2.0], "as many rows, got 3 and 2"),
    "empty": ([], [], "needs at least"),
    "no columns": (np.zeros((5, 0)), np.zeros(5), "at least 1 column each, got 0 and 1"),
    "one point": ([1.0], [2.0], "needs at least"),
    "3-D": (np.zeros((5, 1, 1)), np.zeros(5), "got 3 dimensions"),
    "0-D": (3.0, 4.0, "got 0 dimensions"),
    "strings": (["a", "b"], ["c", "d"], "must hold real numbers"),
    "complex": ([1j, 2j], [1.0, 2.0], "must hold real numbers"),
    "objects": ([None, 1.0], [1.0, 2.0], "must hold real numbers"),
    "ragged": ([[1.0], [1.0, 2.0]], [1.0, 2.0], "rows of different lengths"),
}


@EVERY
@pytest.mark.parametrize(("x", "y", "message"), HARD.values(), ids=HARD.keys())
def test_hard_input_is_refused(estimator: mi.Estimator, x: object, y: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        estimator.estimate(x, y)


@EVERY
@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_scales_at_the_ends_of_double_precision(estimator: mi.Estimator, scale: float) -> None:
    found = estimator.estimate(DRAWS.x[:, 0] * scale, DRAWS.y)
    assert math.isfinite(found.mi)


@EVERY
def test_ties_and_tiny_samples_give_a_number_or_a_reason(estimator: mi.Estimator) -> None:
    rng = np.random.default_rng(4)
    for n in (2, 3, 5, 12):
        for x in (rng.normal(size=(n, 2)), rng.integers(0, 2, (n, 2)), np.repeat(rng.normal(size=(1, 2)), n, axis=0)):
            outcome = _outcome(estimator, x, rng.normal(size=n))
            assert len(outcome) > 20 if isinstance(outcome, str) else math.isfinite(outcome)


def _outcome(estimator: mi.Estimator, x: np.ndarray, y: np.ndarray) -> float | str:
    try:
        return estimator.estimate(x, y).mi
    except MiBenchError as error:
        return str(error)
