"""Columns of a file as points x and y, each value a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mibench.checks import NamedColumns
from mibench.columns import choose, label, shown
from mibench.errors import DataError
from mibench.files import Table, read_table
from mibench.preprocessing import preprocess
from mibench.types import Array, Indices, Mask

_MISSING = ("", "na", "n/a", "#n/a", "<na>", "nan", "null", "none")
_TRUTH_VALUES = {"true": "1", "false": "0"}


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

    def preprocessed(self, how: str) -> tuple[NamedColumns, NamedColumns]:
        """Both sides through the preprocessing of that name, with what estimators are to call their columns."""
        left, right = (
            NamedColumns(preprocess(values, how), tuple(map(repr, names)))
            for values, names in ((self.x, self.x_names), (self.y, self.y_names))
        )
        return left, right

    def page(self) -> dict[str, Any]:
        """What they are, for JSON."""
        dims = {"n": len(self.x), "dim_x": self.x.shape[1], "dim_y": self.y.shape[1], "dropped": self.dropped}
        return {**dims, "x_columns": list(self.x_names), "y_columns": list(self.y_names)}


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
    table = read_table(path)
    left, right = choose(table.names, x, y, table.own)
    names = [label(table.names, j) for j in (*left, *right)]
    values = np.stack([_numbers(path, table, j) for j in (*left, *right)], axis=1)
    missing, infinite = np.isnan(values), np.isinf(values)
    lacking = np.flatnonzero(missing.any(axis=1))
    if lacking.size == len(values):
        raise DataError(f"{path} has no row without a missing value in {shown(names)}; choose other columns")
    if lacking.size and not drop_missing:
        rows, where = f"{lacking.size} of {len(values)} rows", _where(names, missing)
        raise DataError(f"{path} has missing values in {rows}: {where}; drop such rows with --drop-missing")
    infinite[lacking] = False
    if infinite.any():
        raise DataError(f"{path} must have finite numbers, but has infinite ones: {_where(names, infinite)}")
    kept, dim = np.delete(values, lacking, axis=0), len(left)
    return Columns(kept[:, :dim], kept[:, dim:], tuple(names[:dim]), tuple(names[dim:]), lacking.size)


def _numbers(path: str | Path, table: Table, place: int) -> Array:
    """A column as doubles, NaN where a value is missing."""
    import polars as pl

    column = given = table.frame.to_series(place)
    wanted = f"{path} must have numbers in the columns of x and y, but column {label(table.names, place)!r}"
    if column.dtype == pl.String:
        column = column.str.strip_chars().str.to_lowercase().replace(dict.fromkeys(_MISSING) | _TRUTH_VALUES)
    elif not column.dtype.is_numeric() and not isinstance(column.dtype, pl.Boolean | pl.Null):
        raise DataError(f"{wanted} has values of type {column.dtype.base_type().__name__}; choose other columns")
    found = column.cast(pl.Float64, strict=False)
    if found.null_count() > column.null_count():
        row = (found.is_null() & column.is_not_null()).arg_max() or 0
        raise DataError(
            f"{wanted} has {_brief(given[row])} in row {row + 1}; choose other columns, or leave a missing value empty"
        )
    return found.fill_null(float("nan")).to_numpy()


def _where(names: Sequence[str], which: Mask) -> str:
    """Columns and rows for a person, rows counted from 1 below the names of the columns."""
    columns = [(name, np.flatnonzero(column)) for name, column in zip(names, which.T, strict=True) if column.any()]
    more = f"; and {len(columns) - 3} more columns" if len(columns) > 3 else ""
    return "; ".join(f"{name!r} in {_rows(rows)}" for name, rows in columns[:3]) + more


def _rows(rows: Indices) -> str:
    first = ", ".join(str(row + 1) for row in rows[:3])
    return f"row{'s' * (rows.size > 1)} {first}" + (f", ... ({rows.size} in all)" if rows.size > 3 else "")


def _brief(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
