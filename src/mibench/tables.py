"""Columns of a file as points: CSV, TSV, Parquet and NPY files, and folders of samples."""

from __future__ import annotations

import csv
import os
import re
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mibench.columns import Places, choose, shown
from mibench.errors import DataError, MiBenchError, ParameterError
from mibench.samples import read_sample
from mibench.types import Array

if TYPE_CHECKING:
    import polars as pl

_MISSING = ("", "na", "n/a", "<na>", "nan", "null", "none")
_TRUTH_VALUES = {"true": "1", "false": "0"}
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_FRACTION = re.compile(r"[+-]?[0-9]*\.[0-9]+([eE][+-]?[0-9]+)?")  # which no one would call a column
_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_UNREADABLE = (OSError, ValueError, TypeError, EOFError, OverflowError, MemoryError, SyntaxError, tokenize.TokenError)
_HEAD = 2**16


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns that were read: x (n, dim_x), y (n, dim_y), their names, and how many rows were dropped."""

    x: Array
    y: Array
    x_names: tuple[str, ...]
    y_names: tuple[str, ...]
    dropped: int

    def __str__(self) -> str:
        """What they are, in one line."""
        rows = f"{len(self.x)} point{'s' * (len(self.x) != 1)}"
        return f"{rows}; x is {shown(self.x_names)}; y is {shown(self.y_names)}"

    def page(self) -> dict[str, Any]:
        """What they are, for JSON."""
        dims = {"n": len(self.x), "dim_x": self.x.shape[1], "dim_y": self.y.shape[1], "dropped": self.dropped}
        return {**dims, "x_columns": list(self.x_names), "y_columns": list(self.y_names)}


@dataclass(frozen=True, eq=False)
class _Table:
    """A frame, the names of its columns, and which of them are x and y if the file itself says so."""

    names: list[str]
    frame: pl.DataFrame
    own: tuple[Places, Places] | None = None


def read_columns(
    path: str | Path, x: str | None = None, y: str | None = None, *, drop_missing: bool = False
) -> Columns:
    r"""Read the columns x and y of a .csv, .tsv, .parquet or .npy file, or of the folder of a sample.

    Columns are chosen by name, by position from 1, and by ranges: "a,b", "1-3,7", "3-", "a:c". None or "*" stands
    for all columns but those of the other side; in a sample's folder for all of x, or all of y. The columns of an NPY
    file are named 1 to d. Truth values count as 0 and 1. A row that lacks a value in one of the chosen columns is an
    error, or left out with `drop_missing`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     path = Path(place) / "people.csv"
    ...     _ = path.write_text("height,weight,age\n1.7,70,41\n1.8,,35\n1.6,55,29\n")
    ...     found = read_columns(path, x="height,weight", y="age", drop_missing=True)
    >>> found.x.shape, found.y.shape, found.dropped
    ((2, 2), (2, 1), 1)
    """
    place = _path(path)
    table = _read(place)
    left, right = choose(table.names, x, y, table.own)
    values = np.stack([_numbers(place, table, j) for j in (*left, *right)], axis=1)
    names = [table.names[j] or f"column {j + 1}" for j in (*left, *right)]
    whole = ~np.isnan(values).any(axis=1)
    if not drop_missing:
        _need_whole(place, names, values)
    elif not whole.any():
        raise DataError(f"{place} has no row without a missing value in {shown(names)}; choose fewer columns")
    for name, column in zip(names, values.T, strict=True):
        if (infinite := np.isinf(column) & whole).any():
            raise DataError(f"{place} must have finite numbers, but column {name!r} is infinite in {_rows(infinite)}")
    kept, dim = np.ascontiguousarray(values[whole]), len(left)
    return Columns(kept[:, :dim], kept[:, dim:], tuple(names[:dim]), tuple(names[dim:]), int((~whole).sum()))


def _path(value: object) -> Path:
    text = os.fspath(value) if isinstance(value, str | Path) else None
    if text is None or not text.isprintable():
        raise ParameterError(f"a file must be a path of printable characters, got {value!r}")
    return Path(text)


def _read(path: Path) -> _Table:
    from polars.exceptions import PanicException, PolarsError

    try:
        if path.is_dir():
            return _read_sample(path)
        size = path.stat().st_size
        kind = path.suffix.lower()
        if kind not in _READERS:
            raise DataError(f"{path} must be a {', '.join(_READERS)} file or a sample's folder; its name says which")
        table = _READERS[kind](path) if size else None
    except MiBenchError:
        raise
    except FileNotFoundError:
        raise DataError(f"there is no file {path}; see where you are, and how it is spelled") from None
    except (*_UNREADABLE, PolarsError, PanicException) as error:
        raise DataError(f"cannot read {path}: {(str(error).splitlines() or [type(error).__name__])[0]}") from error
    if table is None or not table.frame.height:
        raise DataError(f"{path} is empty: it has no rows of values")
    return table


def _read_sample(path: Path) -> _Table:
    sample = read_sample(path)
    dim_x, dim_y = sample.x.shape[1], sample.y.shape[1]
    names = [f"x{j + 1}" for j in range(dim_x)] + [f"y{j + 1}" for j in range(dim_y)]
    own = (list(range(dim_x)), list(range(dim_x, dim_x + dim_y)))
    return _Table(names, _frame(names, np.concatenate([sample.x, sample.y], axis=1)), own)


def _read_npy(path: Path) -> _Table:
    with path.open("rb") as file:
        if not file.read(8).startswith(b"\x93NUMPY"):
            raise DataError(f"cannot read {path}: it is not in NumPy's format")
    points = np.load(path, allow_pickle=False)
    if points.ndim != 2 or points.dtype.kind not in "fiub":
        raise DataError(f"{path} must be an (n, dim) array of real numbers, got {points.dtype} of shape {points.shape}")
    names = [str(j + 1) for j in range(points.shape[1])]
    return _Table(names, _frame(names, np.asarray(points, dtype=np.float64)))


def _read_parquet(path: Path) -> _Table:
    import polars as pl

    frame = pl.read_parquet(path, glob=False)
    return _Table(frame.columns, frame)


def _read_text(path: Path) -> _Table:
    import polars as pl

    separator = _SEPARATORS[path.suffix.lower()]
    with path.open("rb") as file:
        head = file.read(_HEAD)
    if b"\0" in head or (b"\r" in head and b"\n" not in head):
        raise DataError(f"cannot read {path}: it is not UTF-8 text in lines; save it as CSV in UTF-8")
    try:
        cells = pl.read_csv(path, has_header=False, infer_schema=False, separator=separator, glob=False)
    except pl.exceptions.PolarsError as error:
        if "utf-8" in str(error):
            raise DataError(f"cannot read {path}: it is not UTF-8 text; save it as CSV in UTF-8") from None
        _need_even_rows(path, separator)
        raise DataError(f"cannot read {path}: it is not a table; look for a quote that is not closed") from error
    if cells.to_series(-1).has_nulls():  # where Polars fills up a row that is short, and takes an empty line for a row
        cells = cells.filter(_need_even_rows(path, separator))
    names = [str(name or "").strip().removeprefix("\ufeff") for name in cells.row(0)]
    _need_names(path, names, separator)
    return _Table(names, cells.slice(1))


_READERS = {".csv": _read_text, ".tsv": _read_text, ".parquet": _read_parquet, ".npy": _read_npy}


def _frame(names: list[str], points: Array) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(dict(zip(names, points.T.copy(), strict=True)))


def _need_even_rows(path: Path, separator: str) -> Any:
    """An error if a row has more or fewer cells than the first; else which lines are not empty."""
    import polars as pl

    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            cells = np.array([len(row) for row in csv.reader(file, delimiter=separator)])
    except csv.Error as error:
        raise DataError(f"cannot read {path}: {error}") from None
    if not cells[0]:
        raise DataError(f"{path} must have the columns' names in its first row, got an empty line")
    uneven = np.flatnonzero((cells != cells[0]) & (cells > 0))
    if uneven.size:
        row, count = int(np.count_nonzero(cells[: uneven[0]])), int(cells[uneven[0]])
        raise DataError(
            f"{path} must have as many cells in each row as columns have names, {cells[0]}, but row {row} has {count}"
        )
    return pl.Series(cells > 0)


def _need_names(path: Path, names: Sequence[str], separator: str) -> None:
    """An error unless the first row can be what the columns are called."""
    named = [name for name in names if name]
    numbers = [name for name in named if _NUMBER.fullmatch(name)]
    if not named or len(numbers) == len(named) or any(_FRACTION.fullmatch(name) for name in named):
        raise DataError(f"{path} must have the columns' names in its first row, got {shown(names) or 'nothing'}")
    if twice := [name for at, name in enumerate(names) if name and name in names[:at]]:
        where = " and ".join(str(j + 1) for j, name in enumerate(names) if name == twice[0])
        raise DataError(f"{path} must give each column a name of its own, but columns {where} are {shown(twice[:1])}")
    other = next((c for c in (";", "\t", ",", "|") if c in names[0]), None)
    if len(names) == 1 and other:
        wanted = "tabs (a .tsv)" if separator == "\t" else "commas (a .csv)"
        raise DataError(f"{path} must have {wanted} between its cells, but its first row is {shown(names)}")


def _numbers(path: Path, table: _Table, place: int) -> Array:
    """A column as doubles, NaN where a value is missing."""
    import polars as pl

    column, given = table.frame.to_series(place), table.frame.to_series(place)
    if column.dtype == pl.String:
        column = column.str.strip_chars().str.to_lowercase().replace(dict.fromkeys(_MISSING) | _TRUTH_VALUES)
    if column.dtype.is_numeric() or any(column.dtype == kind for kind in (pl.String, pl.Boolean, pl.Null)):
        found = column.cast(pl.Float64, strict=False)
        wrong = (found.is_null() & column.is_not_null()).arg_max() if found.null_count() > column.null_count() else None
    else:
        found, wrong = column, column.is_not_null().arg_max()
    if wrong is not None:
        raise DataError(
            f"{path} must have numbers in the columns of x and y, but column {table.names[place]!r} has "
            f"{_brief(given[wrong])} in row {wrong + 1}; choose other columns"
        )
    return found.cast(pl.Float64).fill_null(float("nan")).to_numpy()


def _need_whole(path: Path, names: Sequence[str], values: Array) -> None:
    missing = np.isnan(values)
    lacking = [(name, column) for name, column in zip(names, missing.T, strict=True) if column.any()]
    if lacking:
        where = "; ".join(f"{name!r} in {_rows(column)}" for name, column in lacking[:3])
        more = f"; and {len(lacking) - 3} more columns" if len(lacking) > 3 else ""
        rows = f"{int(missing.any(axis=1).sum())} of {len(values)} rows"
        raise DataError(f"{path} has missing values in {rows}: {where}{more}; drop such rows with --drop-missing")


def _rows(which: Any) -> str:
    """Rows for a person, counted from 1 below the names of the columns."""
    first = [str(j + 1) for j in np.flatnonzero(which)[:3]]
    count = int(np.count_nonzero(which))
    return f"row{'s' * (count > 1)} {', '.join(first)}" + (f", ... ({count} in all)" if count > 3 else "")


def _brief(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 60 else text[:57] + "..."
