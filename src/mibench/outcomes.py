"""What comes of an estimator on a sample: its estimate, or why there is none, and how long it took."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from mibench import identity, threads
from mibench.errors import EstimateFailed, MiBenchError
from mibench.estimators.base import Estimate, Estimator

_SMALL = 1000  # entries of an array that is written out


@dataclass(frozen=True)
class Outcome:
    """An estimator's spelling, its estimate or the failure that left none, and the seconds that it took."""

    estimator: str
    estimate: Estimate | None
    failure: Exception | None
    seconds: float

    @property
    def error(self) -> str | None:
        """Why there is no estimate, in one line."""
        if self.failure is None:
            return None
        reason = " ".join(str(self.failure).split())
        parts = [reason] if isinstance(self.failure, MiBenchError) else [type(self.failure).__name__, reason]
        return ": ".join(part for part in parts if part)

    def page(self) -> dict[str, Any]:
        """What there is to say of it in JSON, in nats."""
        found = self.estimate
        return {
            "estimator": self.estimator,
            "mi": found and found.mi,
            "interval": [_end(v) for v in found.interval] if found and found.interval else None,
            "seconds": self.seconds,
            "warnings": list(found.warnings) if found else [],
            "info": plain(found.info) if found else {},
            "error": self.error,
        }


def outcome(estimator: Estimator, x: npt.ArrayLike, y: npt.ArrayLike) -> Outcome:
    """Let an estimator see the points; a failure of any kind, also of code from elsewhere, is an outcome.

    >>> import mibench as mi
    >>> draws = mi.task("1v1-normal-0.75").draw(n=2, seed=0)
    >>> outcome(mi.CCA(), draws.x, draws.y).error
    '2 points of 2 linearly independent columns are perfectly correlated ...'
    """
    spelling = identity.spell(estimator)
    estimate, failure = None, None
    start = time.perf_counter()
    try:
        estimate = _settled(estimator.estimate(x, y))
    except Exception as error:  # so that one estimator's mistake does not cost the work of the others
        failure = error
    return Outcome(spelling, estimate, failure, time.perf_counter() - start)


def with_jobs(estimator: Estimator, jobs: int) -> Estimator:
    """The same estimator with this number of threads, it and those within it, wherever they can use threads.

    >>> import mibench as mi
    >>> with_jobs(mi.CCA(), 2)
    CCA()
    """
    count = threads.jobs("jobs", jobs)
    kept = {f.name: getattr(estimator, f.name) for f in fields(cast("Any", estimator)) if f.init}
    changed: dict[str, Any] = {k: with_jobs(v, count) for k, v in kept.items() if isinstance(v, Estimator)}
    if "n_jobs" in kept:
        changed["n_jobs"] = count
    return replace(cast("Any", estimator), **changed) if changed else estimator


def plain(value: object) -> Any:
    """A value as JSON has it: numbers, texts, lists and objects; what is none of these as a text.

    >>> plain({"k": np.int64(3), "rho": np.array([0.5, np.nan]), "by": {1, 2}})
    {'k': 3, 'rho': [0.5, 'nan'], 'by': '{1, 2}'}
    """
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        return plain(array.tolist()) if array.size <= _SMALL else f"array of shape {array.shape}"
    if isinstance(value, np.generic):
        return plain(cast("object", value.item()))
    if isinstance(value, Mapping):
        return {str(k): plain(v) for k, v in cast("Mapping[object, object]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in cast("list[object]", value)]
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def _settled(found: object) -> Estimate:
    """An estimate whose interval can be written and printed; what comes from elsewhere may be anything."""
    if not isinstance(found, Estimate):
        raise EstimateFailed(f"an estimator must give an Estimate, got {type(found).__name__}")
    if found.interval is None:
        return found
    try:
        low, high = (float(v) for v in found.interval)
    except (TypeError, ValueError):
        raise EstimateFailed(f"an interval must be two numbers or None, got {plain(found.interval)!r}") from None
    return replace(found, interval=(low, high))


def _end(value: float) -> float | None:
    """An end of an interval, None where it has none."""
    return float(value) if math.isfinite(value) else None
