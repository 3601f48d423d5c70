"""How much each feature tells about a target: scores as scikit-learn's feature selection takes them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import DataError, ParameterError
from mibench.estimators.base import Estimator
from mibench.estimators.ksg import KSG
from mibench.estimators.mixed import Ross
from mibench.estimators.preprocessed import Preprocessed
from mibench.types import Array


def mutual_info(X: npt.ArrayLike, y: npt.ArrayLike, estimator: Estimator | None = None) -> Array:
    """The estimated MI of each column of X with y, of shape (columns,): a `score_func` of SelectKBest.

    y is a number for each row, or a label: a text, a truth value or a whole number. By default labels are scored by
    `Ross(k=3, discrete="y")` and numbers by `KSG(k=3)`, each after standardising. For another estimator make a
    function of two arguments: `functools.partial(mutual_info, estimator=MixedKSG())`. A constant column scores 0.

    >>> import mibench as mi
    >>> draws = mi.task("multinormal-sparse-3-3-2-2.0").draw(n=2000, seed=0)
    >>> mi.mutual_info(draws.x, draws.y[:, 0]).argmax()
    np.int64(0)
    """
    features = checks.points("X", X)
    labels = _labels(y)
    if estimator is not None:
        checks.member("estimator", estimator, Estimator)
    target: Array = checks.points("y", y) if labels is None else labels
    if target.shape[1] != 1:
        raise DataError(f"y must be one column, got {target.shape[1]}; score X against each of them by itself")
    used = estimator or Preprocessed(KSG(k=3) if labels is None else Ross(k=3, discrete="y"), "standardise")
    return np.array([used.estimate(column, target).mi for column in features.T], dtype=np.float64)


def _labels(y: Any) -> Array | None:
    """The labels as numbers, in a column; None if y is of numbers."""
    values = np.asarray(y)
    if values.dtype.kind == "f":
        return None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or values.dtype.kind not in "OUSTbiu":
        raise ParameterError(f"y must be one label or number a row, got {values.dtype} of shape {values.shape}")
    try:
        codes = np.unique(values, return_inverse=True)[1]
    except TypeError:
        raise DataError("y must have labels of one kind, all texts or all numbers, with none missing") from None
    return codes.astype(np.float64)[:, None]
