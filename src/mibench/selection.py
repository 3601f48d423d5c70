"""How much each feature tells about a target: scores as scikit-learn's feature selection takes them."""

from __future__ import annotations

import numbers
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import DataError, EstimateWarning, ParameterError
from mibench.estimators.base import Estimator, some_columns
from mibench.estimators.mixed import MixedKSG, Ross
from mibench.estimators.preprocessed import Preprocessed
from mibench.types import Array

_ROWS_A_LABEL = 5  # on average, below which whole numbers are not taken for labels
_MOST_SAID = 3


def mutual_info(X: npt.ArrayLike, y: npt.ArrayLike, estimator: Estimator | None = None) -> Array:
    """The estimated MI of each column of X with y, of shape (columns,): a `score_func` of SelectKBest.

    y is a number for each row, or a label: a text, a truth value, or a whole number if these have at least 5 rows each
    on average; otherwise they are numbers, such as a rounded measurement. Numbers of type float are always numbers.
    By default labels are scored by `Ross(k=3, discrete="y")` and numbers by `MixedKSG(k=3)`, for both of which columns
    may be discrete, each after standardising. For another estimator make a function of two arguments:
    `functools.partial(mutual_info, estimator=KSG(k=5))`. A constant column scores 0. What there is to warn of is said
    once, as an `EstimateWarning` that names the columns.

    >>> import mibench as mi
    >>> draws = mi.task("multinormal-sparse-3-3-2-2.0").draw(n=2000, seed=0)
    >>> mi.mutual_info(draws.x, draws.y[:, 0]).argmax()
    np.int64(0)
    """
    features = checks.points("X", X, movable=True)
    target, is_label = _target(y)
    if estimator is not None:
        checks.member("estimator", estimator, Estimator)
    if target.shape[1] != 1:
        raise DataError(f"y must be one column, got {target.shape[1]}; score X against each of them by itself")
    used = estimator or Preprocessed(Ross(k=3, discrete="y") if is_label else MixedKSG(k=3), "standardise")
    found = [used.estimate(column, target) for column in features.T]
    said: dict[str, list[int]] = {}
    for j, estimate in enumerate(found):
        for warning in estimate.warnings:
            said.setdefault(warning, []).append(j)
    if said:
        warnings.warn(_told(said, checks.column_labels(X, features.shape[1])), EstimateWarning, stacklevel=2)
    return np.array([estimate.mi for estimate in found], dtype=np.float64)


def _told(said: dict[str, list[int]], labels: tuple[str, ...]) -> str:
    """Warnings in one line, each with the columns of X that it is about; in these, x is that column."""
    lines = [f"X {some_columns(labels, which)}: {warning}" for warning, which in said.items()]
    more = f"; and {len(lines) - _MOST_SAID} more" if len(lines) > _MOST_SAID else ""
    return "; ".join(lines[:_MOST_SAID]) + more


def _target(y: Any) -> tuple[Array, bool]:
    """The target as a column of numbers, and whether these are codes of labels."""
    values: npt.NDArray[Any] = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    kind = _kind(values)
    if kind == "f":
        return checks.points("y", y), False
    if values.ndim != 1 or not kind:
        raise ParameterError(f"y must be one label or number a row, got {values.dtype} of shape {values.shape}")
    try:
        labels, codes = np.unique(values, return_inverse=True)
    except TypeError:
        raise DataError("y must have labels of one kind, all texts or all numbers, with none missing") from None
    if kind == "i" and _ROWS_A_LABEL * labels.size > values.size:
        return checks.points("y", y, movable=True), False
    return codes.astype(np.float64)[:, None], True


def _kind(values: npt.NDArray[Any]) -> str:
    """What values are: numbers "f", whole numbers "i", or labels "l"; nothing if they are none of these."""
    if values.dtype.kind in "fiu":
        return values.dtype.kind.replace("u", "i")
    if values.dtype.kind != "O":
        return "l" if values.dtype.kind in "USTb" else ""
    kinds: set[type] = set(map(type, values.ravel()))
    if bool in kinds or not all(issubclass(kind, numbers.Real) for kind in kinds):
        return "l"
    return "i" if all(issubclass(kind, numbers.Integral) for kind in kinds) else "f"
