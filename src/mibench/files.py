"""Tables in files: CSV, TSV, Parquet and NPY files, and folders of samples."""

from __future__ import annotations

import csv
import os
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mibench.columns import Places, shown
from mibench.errors import DataError, MiBenchError, ParameterError
from mibench.samples import read_sample
from mibench.types import Array

if TYPE_CHECKING:
    import polars as pl

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_SEPARATORS = {",": "commas", "\t": "tabs", ";": "semicolons", "|": "bars"}
_ENCODING = "utf-8-sig"  # with or without a byte order mark
_UNREADABLE = (OSError, ValueError, TypeError, EOFError, OverflowError, MemoryError, SyntaxError)


@dataclass(frozen=True, eq=False)
class Table:
    """The names of columns ("" where there is none), their values, and which are x and y if the file itself says so."""

    names: list[str]
    frame: pl.DataFrame
    own: tuple[Places, Places] | None = None


def read_table(path: str | Path) -> Table:
    """Read a file, whose name says of which kind it is, or the folder of a sample."""
    from polars.exceptions import PanicException, PolarsError

    place = _path(path)
    try:
        table = _read_sample(place) if place.is_dir() else _read_file(place)
    except MiBenchError:
        raise
    except FileNotFoundError:
        raise DataError(f"there is no file {place}; see where you are, and how it is spelled") from None
    except (*_UNREADABLE, csv.Error, tokenize.TokenError, PolarsError, PanicException) as error:
        raise DataError(f"cannot read {place}: {(str(error).splitlines() or [type(error).__name__])[0]}") from error
    if not table.frame.height:
        raise DataError(f"{place} is empty: it has no rows of values")
    return table


def _path(value: object) -> Path:
    text = os.fspath(value) if isinstance(value, str | Path) else None
    if text is None or not text.isprintable():
        raise ParameterError(f"a file must be a path of printable characters, got {value if text is None else text!r}")
    return Path(text)


def _read_file(path: Path) -> Table:
    size, kind = path.stat().st_size, path.suffix.lower()
    if kind not in _READERS:
        raise DataError(f"{path} must be a {', '.join(_READERS)} file or a sample's folder; its name says which")
    if not size:
        raise DataError(f"{path} is empty: it has no rows of values")
    return _READERS[kind](path)


def _read_sample(path: Path) -> Table:
    sample = read_sample(path)
    dim_x, dim_y = sample.x.shape[1], sample.y.shape[1]
    names = [f"x{j + 1}" for j in range(dim_x)] + [f"y{j + 1}" for j in range(dim_y)]
    own = (list(range(dim_x)), list(range(dim_x, dim_x + dim_y)))
    return Table(names, _frame(names, np.concatenate([sample.x, sample.y], axis=1)), own)


def _read_npy(path: Path) -> Table:
    with path.open("rb") as file:
        if not file.read(8).startswith(b"\x93NUMPY"):
            raise DataError(f"cannot read {path}: it is not in NumPy's format")
    points = np.load(path, allow_pickle=False)
    if points.ndim != 2 or points.dtype.kind not in "fiub":
        got = f"{points.dtype} of shape {points.shape}"
        raise DataError(f"{path} must be an array (n, dim) of real numbers, x and y side by side, got {got}")
    names = [str(j + 1) for j in range(points.shape[1])]
    with np.errstate(over="ignore"):  # long doubles may become infinite, and are refused as such
        return Table(names, _frame(names, np.asarray(points, dtype=np.float64)))


def _read_parquet(path: Path) -> Table:
    import polars as pl

    frame = pl.read_parquet(path, glob=False)
    return Table(frame.columns, frame)


def _read_csv(path: Path) -> Table:
    return _read_text(path, ",")


def _read_tsv(path: Path) -> Table:
    return _read_text(path, "\t")


_READERS = {".csv": _read_csv, ".tsv": _read_tsv, ".parquet": _read_parquet, ".npy": _read_npy}


def _frame(names: list[str], points: Array) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(dict(zip(names, points.T.copy(), strict=True)))


def _read_text(path: Path, separator: str) -> Table:
    """A table of texts; lines without any value are passed over."""
    import polars as pl

    try:
        names = [name.strip() for name in next(_rows(path, separator), ())]
        text = path.read_text(encoding=_ENCODING).encode()  # whatever its line ends were
    except UnicodeDecodeError:
        raise DataError(f"cannot read {path}: it is not UTF-8 text; save it as CSV in UTF-8") from None
    _need_names(path, names, separator)
    try:
        cells = pl.read_csv(text, has_header=False, infer_schema=False, separator=separator)
    except pl.exceptions.PolarsError as error:
        _need_even_rows(path, len(names), separator)
        raise DataError(f"cannot read {path}: it is not a table; look for a quote that is not closed") from error
    if cells.width != len(names) or cells.to_series(-1).has_nulls():  # Polars fills up a row that is short
        _need_even_rows(path, len(names), separator)
    return Table(names, cells.slice(1).filter(~pl.all_horizontal(pl.all().is_null())))


def _rows(path: Path, separator: str) -> Iterator[list[str]]:
    with path.open(encoding=_ENCODING) as file:
        yield from csv.reader(file, delimiter=separator)


def _need_names(path: Path, names: Sequence[str], separator: str) -> None:
    """An error unless the first row can be what the columns are called."""
    named = [name for name in names if name]
    numbers = [name for name in named if _NUMBER.fullmatch(name)]
    if len(numbers) == len(named) or any("." in name for name in numbers):  # which no one would call a column
        got = shown(names) or "an empty line"
        raise DataError(f"{path} must have the columns' names in its first row, got {got}; add a row of names")
    if len(names) == 1 and any(other in names[0] for other in _SEPARATORS):
        wanted = _SEPARATORS[separator]
        raise DataError(f"{path} must have {wanted} between its cells, got {shown(names)}; save it anew with {wanted}")


def _need_even_rows(path: Path, count: int, separator: str) -> None:
    """An error if a row has more or fewer cells than there are names."""
    row = 0
    for cells in _rows(path, separator):
        if cells and len(cells) != count:
            raise DataError(
                f"{path} must have as many cells in each row as columns have names, {count}, but row {row} has "
                f"{len(cells)}; look there for a separator or quote too many or too few"
            )
        row += any(cells)
