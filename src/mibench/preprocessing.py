"""What may be done to the columns of a sample before estimating: the three of Beyond Normal, Appendix E."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import unknown
from mibench.normal_law import normal_quantile
from mibench.types import Array, Indices


def standardise(points: npt.ArrayLike) -> Array:
    """Each column with mean 0 and standard deviation 1; a constant column becomes 0.

    >>> standardise([[1.0], [3.0]])
    array([[-1.],
           [ 1.]])
    """
    array = _checked(points)
    largest = np.abs(array).max(axis=0)
    scaled = array / np.where(largest > 0.0, largest, 1.0)  # so that no square over- or underflows
    scaled = scaled - scaled.mean(axis=0)
    constant = (array == array[:1]).all(axis=0)
    deviation = np.sqrt((scaled * scaled).mean(axis=0))
    return np.where(constant, 0.0, scaled / np.where(constant, 1.0, deviation))


def uniformise(points: npt.ArrayLike) -> Array:
    """Each column's ranks, made uniform on (0, 1): (rank - 1/2) / n, equal values sharing their mean rank.

    What is left is a grid. 1 / n is rounded to a multiple of 2^-52, so that each rank is a multiple of the first to the
    last bit: values that are as many ranks apart are exactly as far apart, and a column turned around has the same
    distances.

    >>> uniformise([[10.0], [30.0], [20.0], [30.0]]).ravel()
    array([0.125, 0.75 , 0.375, 0.75 ])
    """
    array = _checked(points)
    n = max(1, len(array))
    half = min(round(2**52 / n), (2**53 - 1) // (2 * n - 1)) * 2.0**-53  # so small that no product is rounded
    return _by_ranks(array, lambda ranks: ranks * half)


def gaussianise(points: npt.ArrayLike) -> Array:
    """Each column's ranks, made standard normal: the normal quantiles of (rank - 1/2) / n, as in `uniformise`.

    >>> gaussianise([[10.0], [30.0], [20.0]]).ravel().round(3)
    array([-0.967,  0.967,  0.   ])
    """
    array = _checked(points)
    return normal_quantile(_by_ranks(array, lambda ranks: ranks / (2.0 * len(ranks))))


def mean_ranks(column: Array) -> Indices:
    """Twice the ranks of a column, which count from 1, less 1: whole numbers, as equal values share their mean rank.

    >>> mean_ranks(np.array([10.0, 30.0, 20.0, 30.0])).tolist()
    [1, 6, 3, 6]
    """
    _, place, count = np.unique(column, return_inverse=True, return_counts=True)
    return (2 * np.cumsum(count) - count)[place]


PREPROCESSING: dict[str, Callable[[npt.ArrayLike], Array]] = {
    "none": lambda points: np.array(checks.points("points", points), order="C"),
    "standardise": standardise,
    "uniformise": uniformise,
    "gaussianise": gaussianise,
}


def preprocess(points: npt.ArrayLike, how: str) -> Array:
    """Points through the preprocessing of that name: none, standardise, uniformise or gaussianise.

    >>> preprocess([[1.0], [3.0]], "uniformise").ravel()
    array([0.25, 0.75])
    """
    return PREPROCESSING[named(how)](points)


def named(how: object) -> str:
    """The name of a preprocessing, checked."""
    if not isinstance(how, str) or how not in PREPROCESSING:
        raise unknown("preprocessing", str(how), PREPROCESSING, f"one of {', '.join(PREPROCESSING)}")
    return how


def _checked(points: npt.ArrayLike) -> Array:
    # In one layout, so that sums have one order; whole numbers may be moved, as what comes out does not depend on it.
    return np.ascontiguousarray(checks.points("points", points, movable=True))


def _by_ranks(array: Array, function: Callable[[Array], Array]) -> Array:
    if not array.shape[1]:
        return array.copy()
    return np.stack([function(mean_ranks(column).astype(np.float64)) for column in array.T], axis=1)
