"""Checks at the border: each returns the value in its one form, or says what was expected, what came, what to do."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from mibench.errors import DataError, DimensionError, ParameterError
from mibench.types import Array

Matrix: TypeAlias = tuple[tuple[float, ...], ...]
MatrixLike: TypeAlias = Sequence[Sequence[float]] | Array  # what a user may give; a `Matrix` is kept
VectorLike: TypeAlias = Sequence[float] | Array  # what a user may give; a tuple of floats is kept

_MOST_DIMS = 10_000
_EXACT = 2**53  # up to here, doubles hold every whole number
_REAL: tuple[type, ...] = (numbers.Real, Decimal, np.bool_)
_TIMES: tuple[type, ...] = (np.timedelta64,)
_MISSING = ("NAType", "NaTType")  # what pandas has for missing values
_NO_NUMBERS: tuple[type, ...] = (bool, np.timedelta64)  # though Python counts them among the whole numbers


def settle(thing: object, **values: object) -> None:
    """Give a frozen dataclass its checked fields and derived attributes, from within its `__post_init__`."""
    for name, value in values.items():
        object.__setattr__(thing, name, value)


def number(name: str, value: object, wanted: str = "a finite number") -> float:
    """A finite real number, as a float."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, numbers.Real):
        raise ParameterError(f"{name} must be {wanted}, got {_shown(value)}")
    try:
        result = float(value)
    except OverflowError:
        result = math.inf
    if not math.isfinite(result):
        raise ParameterError(f"{name} must be {wanted}, got {_shown(value)}")
    return result + 0.0


def positive(name: str, value: object, wanted: str = "a finite number > 0") -> float:
    """A finite number above 0."""
    result = number(name, value, wanted)
    if not result > 0.0:
        raise ParameterError(f"{name} must be {wanted}, got {_shown(value)}")
    return result


def whole(name: str, value: object, least: int, most: int = 2**62) -> int:
    """A whole number from `least` to `most` (2.0 is refused: a count is an int)."""
    if isinstance(value, _NO_NUMBERS) or not isinstance(value, numbers.Integral) or int(value) < least:
        raise ParameterError(f"{name} must be a whole number >= {least}, got {_shown(value)}")
    if int(value) > most:
        raise ParameterError(f"{name} must be a whole number between {least} and {most:.3g}, got {_shown(value)}")
    return int(value)


def vector(name: str, value: object, length: int | None = None) -> tuple[float, ...]:
    """A sequence of finite numbers as a tuple, of a given length if one is given."""
    array = _numeric(name, value, 1, "a sequence of finite numbers")
    if length is not None and array.size != length:
        raise DimensionError(f"{name} must have {length} entries, got {array.size}")
    return tuple(float(v) + 0.0 for v in array)


def optional_vector(name: str, value: object, length: int) -> tuple[float, ...]:
    """A sequence of a length, or the empty one, which stands for a default."""
    given: object = value
    is_array = isinstance(value, np.ndarray) and value.ndim > 0
    empty = (is_array or isinstance(value, Sequence)) and len(cast("Sequence[object]", value)) == 0
    return () if empty else vector(name, given, length)


def flag(name: str, value: object) -> bool:
    """True or False."""
    if not isinstance(value, bool):
        raise ParameterError(f"{name} must be True or False, got {_shown(value)}")
    return value


def dimension(name: str, value: object, least: int = 1) -> int:
    """A number of coordinates."""
    result = whole(name, value, least)
    if result > _MOST_DIMS:
        raise ParameterError(f"{name} must be at most {_MOST_DIMS}, got {result}")
    return result


def matrix(name: str, value: object) -> Array:
    """A matrix of finite numbers, of any shape."""
    return _numeric(name, value, 2, "a matrix of finite numbers")


def square_matrix(name: str, value: object) -> Array:
    """A square matrix of finite numbers."""
    array = _numeric(name, value, 2, "a square matrix of finite numbers")
    if array.shape[0] != array.shape[1] or array.size == 0:
        raise DimensionError(f"{name} must be a square matrix, got one of shape {array.shape}")
    return array


def symmetric_matrix(name: str, value: object) -> Array:
    """A symmetric matrix of finite numbers (to rounding), made exactly symmetric."""
    array = square_matrix(name, value)
    gap = np.abs(array - array.T)
    deviation = np.sqrt(np.abs(np.diag(array)))
    scale = deviation[:, None] * deviation
    if (gap > 1e-12 * np.maximum(scale, np.abs(array))).any():
        i, j = (int(v) for v in np.unravel_index(np.argmax(gap), gap.shape))
        raise ParameterError(
            f"{name} must be symmetric, but entry [{i}][{j}] is {float(array[i, j])!r} and [{j}][{i}] is "
            f"{float(array[j, i])!r}; use (m + m.T) / 2 if the difference is rounding"
        )
    return np.tril(array) + np.tril(array, -1).T


def as_tuples(matrix: Array) -> Matrix:
    """A matrix as nested tuples, the form that a frozen dataclass keeps."""
    return tuple(tuple(float(v) + 0.0 for v in row) for row in matrix)


def weights(name: str, value: object, count: int) -> tuple[float, ...]:
    """Positive weights that sum to 1."""
    result = vector(name, value, count)
    if min(result, default=0.0) <= 0.0 or abs(math.fsum(result) - 1.0) > 1e-9:
        raise ParameterError(
            f"{name} must be numbers > 0 that sum to 1, got {result} with sum {math.fsum(result):.12g}"
        )
    return result


def members(name: str, value: object, kind: type | tuple[type, ...], least: int = 1) -> tuple[Any, ...]:
    """A sequence of at least `least` objects of one kind, as a tuple."""
    label = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
    if isinstance(value, np.ndarray) and value.ndim > 0:
        value = tuple(cast("Array", value))
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ParameterError(f"{name} must be a sequence of {label}s, got {_shown(cast('object', value))}")
    parts = tuple(cast("Sequence[object]", value))
    for position, part in enumerate(parts):
        member(f"{name}[{position}]", part, kind)
    if len(parts) < least:
        raise ParameterError(f"{name} must have at least {least} part{'s' * (least > 1)}, got {len(parts)}")
    return parts


def member(name: str, value: object, kind: type | tuple[type, ...]) -> None:
    """An object of one kind."""
    if not isinstance(value, kind):
        label = kind.__name__ if isinstance(kind, type) else " or ".join(k.__name__ for k in kind)
        raise ParameterError(f"{name} must be a {label}, got {_shown(value)}")


@dataclass(frozen=True, eq=False)
class NamedColumns:
    """Points (n, dim) with what their columns are called: what `points` takes like an array."""

    values: Array
    names: tuple[str, ...]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        """The points alone."""
        return np.array(self.values, dtype=dtype) if copy else np.asarray(self.values, dtype=dtype)


def column_labels(value: object, dim: int) -> tuple[str, ...]:
    """What each column of points is called: its name in a frame, between quotes, or its position from 1.

    >>> column_labels(np.zeros((5, 2)), dim=2)
    ('1', '2')
    """
    if isinstance(value, NamedColumns):
        return value.names
    names: Any = getattr(value, "columns", None)
    names = () if names is None else tuple(names)
    named = len(names) == dim and all(isinstance(name, str) for name in names)
    return tuple(repr(str(name)) for name in names) if named else tuple(str(j + 1) for j in range(dim))


def points(name: str, value: npt.ArrayLike, dim: int | None = None, *, movable: bool = False) -> Array:
    """Points as an (n, dim) array of finite doubles; a 1-D array is n points of one coordinate.

    If they are `movable`, whole numbers beyond 2^53, which doubles merge, are counted from the least of their column.
    """
    if np.ma.is_masked(value):
        raise DataError(f"{name} has masked entries; drop or impute them first")
    try:
        array = np.asarray(value)
    except ValueError:
        raise DataError(f"{name} must be an (n, dim) array, got rows of different lengths") from None
    if array.dtype.kind not in "fiubO":
        raise DataError(f"{name} must hold real numbers, got dtype {array.dtype}")
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2:
        raise DataError(f"{name} must be an (n, dim) array, got {array.ndim} dimensions")
    labels = column_labels(value, array.shape[1])
    if array.dtype.kind == "O":
        _check_cells(name, array, labels)
    if movable and array.dtype.kind in "iuO":
        array = _counted_from_least(name, array, labels)
    array = _finite(name, array, labels)
    if dim is not None and array.shape[1] != dim:
        raise DimensionError(f"{name} must have {dim} column{'s' * (dim != 1)}, got {array.shape[1]}")
    return array


def _check_cells(name: str, array: npt.NDArray[Any], labels: Sequence[str]) -> None:
    """Objects, as a frame of columns of several kinds gives them, must all be real numbers."""
    for label, column in zip(labels, array.T, strict=True):
        wrong = {kind for kind in set(map(type, column)) if not issubclass(kind, _REAL) or issubclass(kind, _TIMES)}
        if not wrong:
            continue
        row, cell = next((i, v) for i, v in enumerate(column) if type(v) in wrong)
        lacking = cell is None or type(cell).__name__ in _MISSING
        found = "a missing value" if lacking else _shown(cell)
        advice = "drop or impute such rows first" if lacking else "choose other columns, or make numbers of it"
        raise DataError(f"{name} must hold real numbers, but column {label} has {found} in row {row}; {advice}")


def _finite(name: str, array: npt.NDArray[Any], labels: Sequence[str]) -> Array:
    """Real numbers as finite doubles."""
    try:
        with np.errstate(over="ignore"):  # long doubles may become infinite, and are refused as such
            array = np.asarray(array, dtype=np.float64)
    except OverflowError:
        raise DataError(f"{name} must hold numbers up to 1.8e308; divide, or take logarithms, first") from None
    finite = np.isfinite(array)
    bad = np.flatnonzero(~finite.all(axis=1))
    if bad.size:
        where = f"row {bad[0]}"
        if not labels[0].isdecimal():
            where += f", column {labels[int(np.flatnonzero(~finite[bad[0]])[0])]}"
        rows = f"1 row with a NaN or infinity ({where})"
        rows = rows if bad.size == 1 else f"{bad.size} rows with a NaN or infinity (the first is {where})"
        raise DataError(f"{name} has {rows}; drop or impute such values first")
    return array


def _counted_from_least(name: str, array: npt.NDArray[Any], labels: Sequence[str]) -> npt.NDArray[Any]:
    """The same, with columns of whole numbers that doubles cannot hold made less by their least."""
    found = array
    for j, column in enumerate(array.T if len(array) else ()):
        whole = array.dtype.kind != "O" or all(issubclass(kind, numbers.Integral) for kind in set(map(type, column)))
        if not whole or (column.max() <= _EXACT and column.min() >= -_EXACT):
            continue
        least = int(column.min())
        counted = [int(v) - least for v in column]  # Python's own, which do not overflow
        if max(counted) > _EXACT and len(set(counted)) > len(set(map(float, counted))):
            raise DataError(
                f"{name} has whole numbers that double precision merges (column {labels[j]}); give their ranks instead"
            )
        found = found.astype(object) if found is array else found
        found[:, j] = counted
    return found


def paired_points(x: npt.ArrayLike, y: npt.ArrayLike, dim_x: int, dim_y: int) -> tuple[Array, Array]:
    """Points of X and Y, as many of one as of the other."""
    left, right = points("x", x, dim_x), points("y", y, dim_y)
    if len(left) != len(right):
        raise DimensionError(f"x and y must have as many rows, got {len(left)} and {len(right)}")
    return left, right


def generator(rng: object) -> np.random.Generator:
    """A NumPy random generator."""
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a numpy.random.Generator, such as default_rng(seed), got {_shown(rng)}")
    return rng


def _numeric(name: str, value: object, ndim: int, wanted: str) -> Array:
    try:
        array = np.asarray(value)
    except ValueError:
        raise DimensionError(f"{name} must be {wanted}, got rows of different lengths") from None
    if array.dtype.kind not in "fiu" or array.ndim != ndim:
        raise ParameterError(f"{name} must be {wanted}, got {_shown(value)}")
    with np.errstate(over="ignore"):
        array = np.asarray(array, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ParameterError(f"{name} must be {wanted}, but it has a NaN or infinity")
    return array


def _shown(value: object) -> str:
    huge = isinstance(value, int) and abs(value) > 10**50  # Python refuses to write integers of thousands of digits
    text = "a huge integer" if huge else " ".join(repr(value).split())
    return f"{text if len(text) <= 60 else text[:57] + '...'} ({type(value).__name__})"
