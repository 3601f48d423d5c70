"""What comes of an estimator, also of one from elsewhere that does not do what it should."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import mibench as mi
from mibench.errors import DataError, EstimateFailed, ParameterError
from mibench.outcomes import Outcome, outcome, plain, with_jobs

DRAWS = mi.task("1v1-normal-0.75").draw(50, 0)
WAYS: dict[str, Callable[[], Any]] = {}


@dataclass(frozen=True)
class Foreign(mi.Estimator):
    """Its way, by name, gives or raises anything."""

    way: str

    def _estimate(self, x: np.ndarray, y: np.ndarray) -> mi.Estimate:  # noqa: ARG002
        return WAYS[self.way]()


@dataclass(frozen=True)
class Rude(mi.Estimator):
    """Passes the border by."""

    def estimate(self, x: Any, y: Any) -> Any:  # noqa: ARG002
        return 0.5

    def _estimate(self, x: np.ndarray, y: np.ndarray) -> mi.Estimate:
        raise NotImplementedError


def outcome_of(way: Callable[[], Any]) -> Outcome:
    WAYS["now"] = way
    return outcome(Foreign("now"), DRAWS.x, DRAWS.y)


def raising(error: Exception) -> Callable[[], Any]:
    def way() -> Any:
        raise error

    return way


def test_an_estimate_is_kept_with_its_time_and_spelling() -> None:
    found = outcome(mi.Histogram(bins=5), DRAWS.x, DRAWS.y)
    expected = mi.Histogram(bins=5).estimate(DRAWS.x, DRAWS.y)
    assert found.estimate == expected
    assert (found.estimator, found.failure, found.error) == ("Histogram(bins=5)", None, None)
    assert 0.0 < found.seconds < 10.0
    page = found.page()
    info = {"cells_x": 5, "cells_y": 5, "cells": page["info"]["cells"]}
    assert page == {
        "estimator": "Histogram(bins=5)",
        "mi": expected.mi,
        "interval": None,
        "seconds": found.seconds,
        "warnings": [],
        "info": info,
        "error": None,
    }


@pytest.mark.parametrize(
    ("way", "reason"),
    [
        (raising(EstimateFailed("too few;\n drop columns")), "too few; drop columns"),
        (raising(ValueError("no\nway")), "ValueError: no way"),
        (raising(KeyError()), "KeyError"),
        (raising(MemoryError()), "MemoryError"),
        (lambda: mi.Estimate(math.nan), "test_outcomes:Foreign.* gave nan instead of a number.*"),
        (lambda: 0.5, "AttributeError: .*"),
        (lambda: mi.Estimate(0.5, interval=(1.0,)), r"an interval must be two numbers or None, got \[1.0\]"),
        (lambda: mi.Estimate(0.5, interval=("a", "b")), "an interval must be two numbers.*"),
        (lambda: mi.Estimate(0.5, interval=3.0), "an interval must be two numbers or None, got 3.0"),
        (lambda: mi.Estimate(0.5, warnings="one text"), "TypeError: .*"),
    ],
)
def test_a_failure_is_an_outcome_with_its_reason_in_a_line(way: Callable[[], Any], reason: str) -> None:
    found = outcome_of(way)
    assert found.estimate is None
    assert found.failure is not None
    assert found.error is not None
    assert re.fullmatch(reason, found.error), found.error
    page = found.page()
    assert (page["mi"], page["interval"], page["warnings"], page["info"]) == (None, None, [], {})
    assert page["error"] == found.error


@dataclass(frozen=True)
class Unspelled(Foreign):
    """Has a field that cannot be spelled."""

    way: Any


def test_messages_call_an_estimator_by_its_spelling() -> None:
    with pytest.raises(DataError, match=r"^KSG\(k=\(3, 20\)\) needs at least 21 points for these dims, got 5$"):
        mi.KSG(k=(3, 20), n_jobs=2).estimate(range(5), range(5))
    with pytest.raises(DataError, match=r"^LNN\(\) needs at least 31 points for these dims, got 5$"):
        mi.LNN().estimate(range(5), range(5))
    with pytest.raises(DataError, match=r"^Unspelled needs at least 2 points for these dims, got 1$"):
        Unspelled(object()).estimate([1.0], [2.0])


def test_what_is_no_estimate_is_a_failure() -> None:
    assert outcome(Rude(), DRAWS.x, DRAWS.y).error == "an estimator must give an Estimate, got float"


def test_only_failures_are_caught() -> None:
    with pytest.raises(KeyboardInterrupt):
        outcome_of(raising(KeyboardInterrupt()))  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("interval", "ends"),
    [
        ((np.float32(0.25), np.float64(1.5)), [0.25, 1.5]),
        ([0, 1], [0.0, 1.0]),
        (np.array([0.5, math.inf]), [0.5, None]),
        ((-math.inf, math.nan), [None, None]),
    ],
)
def test_intervals_of_any_numbers_can_be_written(interval: Any, ends: list[float | None]) -> None:
    found = outcome_of(lambda: mi.Estimate(0.5, interval=interval))
    assert found.error is None
    assert found.page()["interval"] == ends


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.arange(3), [0, 1, 2]),
        ((1, (2.5, None)), [1, [2.5, None]]),
        ({1: np.float32(0.5), "b": {"c": math.inf}}, {"1": 0.5, "b": {"c": "inf"}}),
        (np.zeros((40, 40)), "array of shape (40, 40)"),
        (np.datetime64("2024-01-01"), "2024-01-01"),
        (1 + 2j, "(1+2j)"),
        (mi.CCA(), "CCA()"),
    ],
)
def test_info_becomes_json(value: object, found: object) -> None:
    assert plain(value) == found
    assert json.loads(json.dumps(plain(value), allow_nan=False)) == found
    assert outcome_of(lambda: mi.Estimate(0.5, info={"v": value})).page()["info"] == {"v": found}


def test_jobs_reach_every_estimator_that_has_threads() -> None:
    nested = with_jobs(mi.Preprocessed(mi.KDE(0.5), "uniformise"), 2)
    assert nested == mi.Preprocessed(mi.KDE(0.5), "uniformise")
    assert (nested.estimator.n_jobs, with_jobs(mi.KDE(), -1).n_jobs) == (2, -1)
    plain_one = Foreign("now")
    assert with_jobs(plain_one, 2) is plain_one
    for jobs in (0, -2, 1.5, True):
        with pytest.raises(ParameterError, match="jobs must be a whole number >= 1"):
            with_jobs(mi.CCA(), jobs)
