"""Scores of features: in a real scikit-learn pipeline, of labels and of numbers, and what is refused."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import mibench as mi
from mibench.errors import DataError, EstimateWarning, ParameterError

RNG = np.random.default_rng(0)
FEATURES = RNG.normal(size=(600, 6))
TARGET = np.sin(2.0 * FEATURES[:, 2]) + 0.5 * FEATURES[:, 4] ** 2 + 0.1 * RNG.normal(size=600)
LABELS = np.where(TARGET > 0.4, "high", "low")


@pytest.mark.parametrize("target", [TARGET, LABELS, LABELS == "high", (LABELS == "high").astype(int), list(LABELS)])
def test_informative_columns_score_highest(target: object) -> None:
    scores = mi.mutual_info(FEATURES, target)
    assert scores.shape == (6,)
    assert set(np.argsort(scores)[-2:]) == {2, 4}
    assert np.abs(np.delete(scores, [2, 4])).max() < 0.1


def test_scores_are_those_of_the_estimators() -> None:
    standard = (FEATURES - FEATURES.mean(axis=0)) / FEATURES.std(axis=0)
    of_numbers = [mi.MixedKSG(k=3).estimate(column, TARGET / TARGET.std()).mi for column in standard.T]
    np.testing.assert_allclose(mi.mutual_info(FEATURES, TARGET), of_numbers, atol=1e-12)
    of_labels = [mi.Ross(discrete="y").estimate(column, LABELS == "high").mi for column in standard.T]
    np.testing.assert_allclose(mi.mutual_info(FEATURES, LABELS), of_labels, atol=1e-12)


def test_a_pipeline_of_scikit_learn() -> None:
    pytest.importorskip("sklearn", reason="it is used where it is installed: pip install 'mibench[test]'")
    import pandas as pd
    from sklearn.feature_selection import SelectKBest
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import SplineTransformer

    frame = pd.DataFrame(FEATURES, columns=list("abcdef"))
    chosen = SelectKBest(mi.mutual_info, k=2).set_output(transform="pandas").fit_transform(frame, LABELS)
    assert list(chosen.columns) == ["c", "e"]
    scores = {}
    for k in (1, 2):
        best = SelectKBest(functools.partial(mi.mutual_info, estimator=mi.MixedKSG(k=5)), k=k)
        model = make_pipeline(best, SplineTransformer(), LogisticRegression())
        scores[k] = cross_val_score(model, FEATURES, LABELS == "high", cv=3).mean()
    assert scores[2] > 0.85
    assert scores[2] > scores[1]


def test_a_constant_column_scores_nothing() -> None:
    with pytest.warns(EstimateWarning, match=r"^X \(column 1\): x has 1 constant column \(column 1\), left out$"):
        scores = mi.mutual_info(np.column_stack([np.ones(600), FEATURES]), TARGET)
    assert scores[0] == 0.0
    np.testing.assert_array_equal(scores[1:], mi.mutual_info(FEATURES, TARGET))


LEVELS = np.random.default_rng(1).integers(0, 4, 2000)
DISCRETE = {
    "whole numbers": LEVELS,
    "labels stored as floats": LEVELS.astype(float),
    "one of several columns": LEVELS == 2,
    "tenths": LEVELS / 10,
}


@pytest.mark.parametrize("y", DISCRETE.values(), ids=DISCRETE.keys())
@pytest.mark.parametrize("x", DISCRETE.values(), ids=DISCRETE.keys())
def test_discrete_columns_do_not_run_away(x: np.ndarray, y: np.ndarray) -> None:
    other = np.random.default_rng(2).integers(0, 3, 2000)
    scores = mi.mutual_info(np.column_stack([x, other]), y)
    assert scores == pytest.approx([mi.PlugIn().estimate(v, y).mi for v in (x, other)], abs=0.02)


def test_a_rounded_target_is_of_numbers() -> None:
    expected = mi.mutual_info(FEATURES, TARGET)
    for target in (TARGET.round(1), 1e7 * TARGET, np.round(1e7 * TARGET).astype(np.int64)):
        scores = mi.mutual_info(FEATURES, target)
        assert scores[[2, 4]] == pytest.approx(expected[[2, 4]], abs=0.05)
    shifted = mi.mutual_info(FEATURES, 2**60 + np.round(1e7 * TARGET).astype(np.int64))
    assert shifted == pytest.approx(expected, abs=1e-3)
    # Five rows for each value make labels of whole numbers, whose order then makes no difference.
    few, names = np.arange(600) // 5, np.random.default_rng(3).permutation(120)
    np.testing.assert_array_equal(mi.mutual_info(FEATURES, few), mi.mutual_info(FEATURES, names[few]))
    many = np.arange(600) // 4
    np.testing.assert_array_equal(mi.mutual_info(FEATURES, many), mi.mutual_info(FEATURES, many.astype(float)))


def test_objects_that_are_numbers_are_numbers() -> None:
    expected = mi.mutual_info(FEATURES, TARGET)
    np.testing.assert_array_equal(mi.mutual_info(FEATURES.astype(object), TARGET.astype(object)), expected)
    np.testing.assert_array_equal(mi.mutual_info(FEATURES, TARGET.astype(object)[:, None]), expected)
    whole = np.round(TARGET).clip(-1, 1).astype(int)
    np.testing.assert_array_equal(mi.mutual_info(FEATURES, whole.astype(object)), mi.mutual_info(FEATURES, whole))


def test_warnings_are_said_once_and_name_the_column() -> None:
    import pandas as pd

    frame = pd.DataFrame(FEATURES, columns=list("abcdef")).assign(b=1.0, d=2.0)
    labels = LABELS.astype("<U9")
    labels[0] = "only once"
    with pytest.warns(EstimateWarning) as caught:
        mi.mutual_info(frame, labels)
    (warning,) = caught
    assert warning.filename == __file__
    assert str(warning.message) == (
        "X (column 'a', 'c', 'e', 'f'): 1 of 600 points have a label of their own, and are left out; "
        "X (column 'b', 'd'): x has 1 constant column (column 1), left out"
    )
    with pytest.warns(EstimateWarning, match=r"X \(column 2\): .* tied neighbours, at exactly one distance"):
        mi.mutual_info(np.column_stack([TARGET, FEATURES[:, 2].round(1)]), TARGET.round(1), estimator=mi.KSG(k=3))


@pytest.mark.parametrize(
    ("features", "target", "error", "message"),
    [
        (FEATURES, FEATURES[:, :2], DataError, "y must be one column, got 2"),
        (FEATURES, LABELS[:, None].repeat(2, axis=1), ParameterError, "y must be one label or number a row"),
        (FEATURES, ["a", None] * 300, DataError, "labels of one kind"),
        (FEATURES, LABELS[:5], DataError, "as many rows, got 600 and 5"),
        (FEATURES, np.where(TARGET > 1.0, math.nan, TARGET), DataError, "NaN or infinity"),
        (FEATURES, np.where(TARGET > 1.0, math.nan, TARGET).astype(object), DataError, "NaN or infinity"),
        (FEATURES, np.where(TARGET > 1.0, None, TARGET), DataError, "labels of one kind"),
        (np.where(FEATURES > 3.0, math.nan, FEATURES), LABELS, DataError, "X has .* with a NaN or infinity"),
        (FEATURES, "none", ParameterError, "y must be one label or number a row"),
    ],
)
def test_what_cannot_be_scored_is_refused(features: object, target: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        mi.mutual_info(features, target)


def test_an_estimator_is_one_of_mibench() -> None:
    with pytest.raises(ParameterError, match="estimator"):
        mi.mutual_info(FEATURES, TARGET, estimator="KSG(k=3)")
