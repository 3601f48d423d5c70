"""What may be done to the columns of a sample before estimating: the three of Beyond Normal, Appendix E."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.errors import unknown
from mibench.normal_law import normal_quantile
from mibench.types import Array


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

    >>> uniformise([[10.0], [30.0], [20.0], [30.0]]).ravel()
    array([0.125, 0.75 , 0.375, 0.75 ])
    """
    array = _checked(points)
    return np.stack([_uniform(column) for column in array.T], axis=1) if array.shape[1] else array.copy()


def gaussianise(points: npt.ArrayLike) -> Array:
    """Each column's ranks, made standard normal: the normal quantiles of `uniformise`.

    >>> gaussianise([[10.0], [30.0], [20.0]]).ravel().round(3)
    array([-0.967,  0.967,  0.   ])
    """
    return normal_quantile(uniformise(points))


PREPROCESSING: dict[str, Callable[[npt.ArrayLike], Array]] = {
    "none": lambda points: _checked(points).copy(),
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
    return np.ascontiguousarray(checks.points("points", points))  # in one layout, so that sums have one order


def _uniform(column: Array) -> Array:
    _, place, count = np.unique(column, return_inverse=True, return_counts=True)
    mean_rank = np.cumsum(count) - 0.5 * (count - 1)
    return (mean_rank[place] - 0.5) / len(column)
