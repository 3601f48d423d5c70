"""Scores of features: in a real scikit-learn pipeline, of labels and of numbers, and what is refused."""

from __future__ import annotations

import functools
import math

import numpy as np
import pytest

import mibench as mi
from mibench.errors import DataError, ParameterError

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
    of_numbers = [mi.KSG(k=3).estimate(column, TARGET / TARGET.std()).mi for column in standard.T]
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
    assert mi.mutual_info(np.column_stack([np.ones(600), FEATURES]), TARGET)[0] == 0.0


@pytest.mark.parametrize(
    ("features", "target", "error", "message"),
    [
        (FEATURES, FEATURES[:, :2], DataError, "y must be one column, got 2"),
        (FEATURES, LABELS[:, None].repeat(2, axis=1), ParameterError, "y must be one label or number a row"),
        (FEATURES, ["a", None] * 300, DataError, "labels of one kind"),
        (FEATURES, LABELS[:5], DataError, "as many rows, got 600 and 5"),
        (FEATURES, np.where(TARGET > 1.0, math.nan, TARGET), DataError, "NaN or infinity"),
        (FEATURES, "none", ParameterError, "y must be one label or number a row"),
    ],
)
def test_what_cannot_be_scored_is_refused(features: object, target: object, error: type, message: str) -> None:
    with pytest.raises(error, match=message):
        mi.mutual_info(features, target)


def test_an_estimator_is_one_of_mibench() -> None:
    with pytest.raises(ParameterError, match="estimator"):
        mi.mutual_info(FEATURES, TARGET, estimator="KSG(k=3)")
