"""Laws that every estimator obeys, and hard input that none may stumble over."""

from __future__ import annotations

import math
import pickle
import re

import numpy as np
import pytest
from zoo import ESTIMATORS

import mibench as mi
from mibench import identity
from mibench.errors import DataError, MiBenchError

EVERY = pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS.keys())
DRAWS = mi.Task("three", mi.Normal(mi.sparse(3, 2, K=2))).draw(600, 0)


def points_for(estimator: mi.Estimator, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points that the estimator is for: of few values in x where it takes labels, in both where both are discrete."""
    if isinstance(estimator, mi.PlugIn | mi.Ross):
        x = np.round(x)
    return x, np.round(y) if isinstance(estimator, mi.PlugIn) else y


def test_every_estimator_is_in_the_zoo() -> None:
    shown = {type(e).__name__ for e in ESTIMATORS.values()}
    assert {n for n, c in identity.registered().items() if issubclass(c, mi.Estimator)} == shown


@EVERY
def test_an_estimate_is_a_number_with_its_words(estimator: mi.Estimator) -> None:
    found = estimator.estimate(*points_for(estimator, DRAWS.x, DRAWS.y))
    assert isinstance(found, mi.Estimate)
    assert math.isfinite(found.mi)
    assert float(found) == found.mi
    assert found.interval is None or found.interval[0] <= found.interval[1]
    assert all(isinstance(w, str) for w in found.warnings)


@EVERY
def test_spelling_and_pickle_give_an_equal_estimator(estimator: mi.Estimator) -> None:
    again = mi.parse(mi.spell(estimator))
    assert again == estimator
    x, y = points_for(estimator, DRAWS.x, DRAWS.y)
    assert again.estimate(x, y) == estimator.estimate(x, y)
    assert pickle.loads(pickle.dumps(estimator)) == estimator  # noqa: S301


# A critic is trained on one half of the points, drawn by their places; with its own tests near is near enough.
EXACT = {name: e for name, e in ESTIMATORS.items() if not isinstance(e, mi.NeuralEstimator)}


@pytest.mark.parametrize("estimator", EXACT.values(), ids=EXACT.keys())
def test_symmetric_and_blind_to_the_order_of_points(estimator: mi.Estimator) -> None:
    x, y = points_for(estimator, DRAWS.x, DRAWS.y)
    found = estimator.estimate(x, y).mi
    assert estimator.estimate(y, x).mi == pytest.approx(found, abs=1e-10)
    order = np.random.default_rng(1).permutation(600)
    # The transfer operator reads the points as a series: in another order it is near, and its own tests say how near.
    near = 0.01 if isinstance(estimator, mi.TransferOperator) else 1e-10
    assert estimator.estimate(x[order], y[order]).mi == pytest.approx(found, abs=near)


@EVERY
def test_any_container_gives_the_same(estimator: mi.Estimator) -> None:
    import polars as pl

    x, y = points_for(estimator, np.round(DRAWS.x[:, :1], 3), np.round(DRAWS.y[:, :1], 3))
    found = estimator.estimate(x, y).mi
    wide = np.repeat(x, 3, axis=1)
    frozen = x.copy()
    frozen.flags.writeable = False
    for same in (x[:, 0], x.tolist(), x[:, 0].tolist(), pl.DataFrame(x), wide[:, ::3], np.asfortranarray(x), frozen):
        assert estimator.estimate(same, y).mi == found
    single = x.astype(np.float32)
    assert estimator.estimate(single, y).mi == estimator.estimate(single.astype(np.float64), y).mi
    whole = (10 * x).astype(np.int64)
    for few in (whole, x > 0):  # where LNN has no number, it says why
        assert _number_or_advice(estimator, few, y) == _number_or_advice(estimator, few.astype(float), y)


@EVERY
def test_frames_of_columns_of_any_numbers_give_the_same(estimator: mi.Estimator) -> None:
    import pandas as pd
    import polars as pl

    x, y = (np.round(v) for v in points_for(estimator, DRAWS.x[:, :2], DRAWS.y[:, :1]))
    x[:, 1] = x[:, 1] > 0
    expected = _number_or_advice(estimator, x, y)
    frame = pd.DataFrame({"number": x[:, 0], "truth": x[:, 1] > 0})
    nullable = frame.astype({"number": "Int64", "truth": "boolean"})
    floats = frame.astype("Float64")
    for same in (frame, nullable, floats, x.astype(object), pl.DataFrame({"number": x[:, 0], "truth": x[:, 1] > 0})):
        assert _number_or_advice(estimator, same, y) == expected
    floats.loc[3, "number"] = None
    nullable.loc[3, "truth"] = None
    for lacking, column in ((floats, "number"), (nullable, "truth")):
        with pytest.raises(DataError, match=rf"x .*row 3.*drop or impute|x .*column '{column}' .* in row 3; drop"):
            estimator.estimate(lacking, y)
    with pytest.raises(DataError, match=r"but column 'city' has 'Rome' .* in row 0; choose other columns"):
        estimator.estimate(frame.assign(city="Rome"), y)


@EVERY
def test_constant_columns_are_left_out_with_a_warning(estimator: mi.Estimator) -> None:
    x, y = points_for(estimator, DRAWS.x, DRAWS.y)
    found = estimator.estimate(np.column_stack([x[:, 0], np.full(600, 3.0), x[:, 1]]), y)
    assert found.mi == estimator.estimate(x[:, :2], y).mi
    assert "x has 1 constant column (column 2), left out" in found.warnings
    nothing = estimator.estimate(np.zeros(600), y)
    assert nothing.mi == 0.0
    assert nothing.warnings


@EVERY
def test_independent_points_have_next_to_no_mi(estimator: mi.Estimator) -> None:
    x, y = points_for(estimator, *np.random.default_rng(2).normal(size=(2, 5000)))
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
    x, y = points_for(estimator, DRAWS.x, DRAWS.y)
    _number_or_advice(estimator, x[:, 0] * scale, y)


@EVERY
def test_ties_and_tiny_samples_give_a_number_or_a_reason(estimator: mi.Estimator) -> None:
    rng = np.random.default_rng(4)
    for n in (2, 3, 5, 12):
        for x in (rng.normal(size=(n, 2)), rng.integers(0, 2, (n, 2)), np.repeat(rng.normal(size=(1, 2)), n, axis=0)):
            outcome = _outcome(estimator, x, rng.normal(size=n))  # in one of two ways, never NaN or a crash
            assert len(outcome) > 20 if isinstance(outcome, str) else math.isfinite(outcome)


def _number_or_advice(estimator: mi.Estimator, x: object, y: object) -> float | str:
    """A finite number, or why there is none and what to do."""
    outcome = _outcome(estimator, x, y)
    assert re.search("drop|standardise|use ", outcome) if isinstance(outcome, str) else math.isfinite(outcome)
    return outcome


def _outcome(estimator: mi.Estimator, x: object, y: object) -> float | str:
    try:
        return estimator.estimate(x, y).mi
    except MiBenchError as error:
        return str(error)
