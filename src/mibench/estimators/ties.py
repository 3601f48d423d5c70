"""Equal values in a sample that should have none: noticing them, and telling them apart by a little noise."""

from __future__ import annotations

import numpy as np

from mibench.types import Array

_LOOKED_AT = 1000  # rows that are looked at for equal values


def ties(x: Array, y: Array, together: int) -> tuple[str, ...]:
    """What there is to warn of: columns of few values, and points with as many others in the same place."""
    said: list[str] = []
    for name, points in (("x", x), ("y", y)):
        head = points[:_LOOKED_AT]
        few = [j + 1 for j, column in enumerate(head.T) if 2 * np.unique(column).size < len(head)]
        if few:
            which = ", ".join(map(str, few[:10])) + (", ..." if len(few) > 10 else "")
            said.append(
                f"{name} has many equal values (column {which}), and the estimator is for continuous variables; "
                "use MixedKSG(), or jitter=1e-6"
            )
    if together and not said:
        said.append(f"{together} of {len(x)} points have their neighbours in the same place; look for repeated rows")
    return tuple(said)


def jittered(x: Array, y: Array, jitter: float, seed: int) -> tuple[Array, Array]:
    """Both with normal noise on each column, of `jitter` times the column's standard deviation."""
    rng = np.random.default_rng(seed)
    return _noisy(x, jitter, rng), _noisy(y, jitter, rng)


def _noisy(points: Array, jitter: float, rng: np.random.Generator) -> Array:
    largest = np.abs(points).max(axis=0)  # so that no square over- or underflows
    deviation = largest * (points / largest).std(axis=0)
    return points + jitter * deviation * rng.standard_normal(points.shape)
