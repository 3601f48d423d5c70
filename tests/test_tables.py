"""Files as tables and their columns as points: what is read is what was meant, and what cannot be is said in a line."""

from __future__ import annotations

import datetime as dt
import errno
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import mibench as mi
from mibench.errors import DataError, MiBenchError, ParameterError, SampleFolderError
from mibench.samples import write_sample
from mibench.tables import Columns, read_columns

VALUES = np.array([[1.0, 2.5, -3.0], [4.0, 5.0, 6e-3], [7.0, 8.0, 9.0]])
ROWS = "1,2.5,-3\n4,5,6e-3\n7,8.,+9\n"


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    "content",
    [
        "a,b,c\n" + ROWS,
        "a,b,c\n" + ROWS.rstrip(),
        ("a,b,c\n" + ROWS).replace("\n", "\r\n"),
        ("a,b,c\n" + ROWS).replace("\n", "\r"),
        "\ufeffa,b,c\n" + ROWS,
        '\ufeff"a","b","c"\n' + ROWS,
        'a,b,c\n"1","2.5","-3"\n"4","5","6e-3"\n"7","8","9"\n',
        "a, b ,c\n" + ROWS.replace(",", " , "),
        "a,b,c\n\n" + ROWS.replace("\n", "\n\n") + "\n\n",
        "a,b,c\n" + ROWS + ",,\n,,\n",
        "a,b,c,\n" + ROWS.replace("\n", ",\n"),
        'a,b,c,note\n1,2.5,-3,"say ""hi"",\nhö"\n4,5,.006,\n7,8,9,x\n',
    ],
    ids=[
        "plain",
        "no last line end",
        "Windows",
        "old Mac",
        "byte order mark",
        "byte order mark and quotes",
        "quotes",
        "spaces",
        "empty lines",
        "lines of commas",
        "a comma at each end",
        "line ends in quotes",
    ],
)
def test_csv_as_programs_write_it(tmp_path: Path, content: str) -> None:
    found = read_columns(write(tmp_path / "t.csv", content), "a,b", "c")
    np.testing.assert_array_equal(np.hstack([found.x, found.y]), VALUES)
    assert (found.x_names, found.y_names, found.dropped) == (("a", "b"), ("c",), 0)


def test_tsv_and_the_case_of_a_suffix(tmp_path: Path) -> None:
    found = read_columns(write(tmp_path / "t.TSV", "a,b\tb\n1\t2\n3\t4\n"), '"a,b"', "b")
    assert (found.x.tolist(), found.y.tolist()) == ([[1.0], [3.0]], [[2.0], [4.0]])


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("TRUE", "false", "True"), (1.0, 0.0, 1.0)),
        (("9007199254740993", "-9007199254740995", "1" * 30), (2.0**53, -(2.0**53) - 4, float("1" * 30))),
        (("1.7976931348623157e308", "-5e-324", "1e-400"), (1.7976931348623157e308, -5e-324, 0.0)),
        (("0.1", "1E5", ".5"), (0.1, 1e5, 0.5)),
    ],
)
def test_cells_are_read_as_doubles(tmp_path: Path, cells: tuple[str, ...], values: tuple[float, ...]) -> None:
    content = "a,b\n" + "".join(f"{cell},{row}\n" for row, cell in enumerate(cells))
    assert read_columns(write(tmp_path / "t.csv", content), "a", "b").x[:, 0].tolist() == list(values)


def test_every_double_comes_back(tmp_path: Path) -> None:
    bits = np.random.default_rng(0).integers(0, 2**64, size=(2000, 2), dtype=np.uint64).view(np.float64)
    points = bits[np.isfinite(bits).all(axis=1)]
    pl.DataFrame(points, schema=["a", "b"]).write_csv(tmp_path / "t.csv")
    found = read_columns(tmp_path / "t.csv", "a", "b")
    np.testing.assert_array_equal(np.hstack([found.x, found.y]), points)


NAMED = "a,b,c\n"
ONE_NAME = "must have the columns' names in its first row, got "
UNEVEN = "must have as many cells in each row as columns have names, 3, but row "
NUMBERS = "must have numbers in the columns of x and y, but column 'a' has "


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "t.csv is empty: it has no rows of values"),
        ("a,b,c", "t.csv is empty"),
        ("a,b,c\n\n,,\n", "t.csv is empty"),
        ("\ufeff", ONE_NAME + "an empty line; add a row of names"),
        ("\na,b,c\n1,2,3\n", ONE_NAME + "an empty line"),
        (",,\n1,2,3\n", ONE_NAME + "'', '', ''"),
        (ROWS, ONE_NAME + "'1', '2.5', '-3'"),
        ("2001,2002,2003\n" + ROWS, ONE_NAME + "'2001', '2002', '2003'"),
        ("2024-05-01,0.3,7\n" + ROWS, ONE_NAME + "'2024-05-01', '0.3', '7'"),
        ("a;b;c\n1,5;2;3\n", "must have commas between its cells, got 'a;b;c'; save it anew with commas"),
        ("a\tb\tc\n1\t2\t3\n", r"must have commas between its cells, got 'a\\tb\\tc'"),
        ("sep=;\na;b;c\n1;2;3\n", "must have commas between its cells, got 'sep=;'"),
        (NAMED + "1,2,3\n\n,,\n4,5\n", UNEVEN + "2 has 2; look there for a separator or quote"),
        (NAMED + "1,2,3\n1,2,3,4\n", UNEVEN + "2 has 4"),
        (NAMED + '1,"2,3\n4,5,6\n', UNEVEN + "1 has 2"),
        (NAMED + '1,2"3,3\n', "it is not a table; look for a quote that is not closed"),
        ('a,b,"c\n' + ROWS * 10_000, "cannot read .*field larger than field limit"),
        ("é,b,c\n1,2,3\n".encode("latin-1"), "it is not UTF-8 text; save it as CSV in UTF-8"),
        (b"a,b,c\n" + b"1,2,3\n" * 5000 + b"1,2,\xe9\n", "it is not UTF-8 text"),
        ((NAMED + ROWS).encode("utf-16"), "it is not UTF-8 text"),
        (b"\x1f\x8b\x08\x00", "it is not UTF-8 text"),
        (NAMED + "1,2,3\nred,2,3\n", NUMBERS + "'red' in row 2; choose other columns, or leave a missing value empty"),
        (NAMED + "1,2,3\n\n?,2,3\n", NUMBERS + r"'\?' in row 2"),
        (NAMED + "2024-01-01,2,3\n", NUMBERS + "'2024-01-01' in row 1"),
        (NAMED + '"1,5",2,3\n', NUMBERS + "'1,5' in row 1"),
        (NAMED + "0x10,2,3\n", NUMBERS + "'0x10'"),
        (NAMED + "1_000,2,3\n", NUMBERS + "'1_000'"),
        (NAMED + f"{'long ' * 1000},2,3\n", NUMBERS + "'long [long ]*... in row 1"),
        (NAMED + "1,2,3\n1e400,2,-inf\n", "finite numbers, but has infinite ones: 'a' in row 2; 'c' in row 2$"),
    ],
)
def test_csv_that_cannot_be_read_says_why(tmp_path: Path, content: str | bytes, message: str) -> None:
    with pytest.raises(DataError, match=message) as caught:
        read_columns(write(tmp_path / "t.csv", content), "a", "c")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400 + len(str(tmp_path))


GAPS = "a,b,c,d\n#N/A,1,1,1\n2,NA,2,2\n3,3, NaN ,\n4,None,4,4\n5,null,5,5\n<NA>,n/a,6,x\n7,7,7,7\n8,8,8,8\n"


def test_missing_values_are_named_with_column_and_row(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", GAPS)
    with pytest.raises(DataError) as caught:
        read_columns(path, "a,b", "c")
    assert str(caught.value) == (
        f"{path} has missing values in 6 of 8 rows: 'a' in rows 1, 6; 'b' in rows 2, 4, 5, ... (4 in all); "
        "'c' in row 3; drop such rows with --drop-missing"
    )


def test_rows_with_missing_values_can_be_dropped(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", GAPS)
    found = read_columns(path, "a", "c", drop_missing=True)
    assert (found.x[:, 0].tolist(), found.dropped) == ([2.0, 4.0, 5.0, 7.0, 8.0], 3)
    assert read_columns(path, "3", "2", drop_missing=True).dropped == 5  # only the chosen columns count
    with pytest.raises(DataError, match="column 'd' has 'x' in row 6"):
        read_columns(path, "a", "d", drop_missing=True)


@pytest.mark.parametrize("drop_missing", [False, True])
def test_no_whole_row_is_an_error(tmp_path: Path, drop_missing: bool) -> None:
    path = write(tmp_path / "t.csv", "a,b\n1,\n,2\n")
    with pytest.raises(DataError, match="no row without a missing value in 'a', 'b'; choose other columns"):
        read_columns(path, "a", "b", drop_missing=drop_missing)


def test_an_infinite_value_in_a_row_that_is_dropped_does_no_harm(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "a,b\ninf,\n1,2\n")
    assert read_columns(path, "a", "b", drop_missing=True).x.tolist() == [[1.0]]


def test_names_of_every_kind(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", ',1-2,"h, cm","two\nlines",3,3\n1,2,3,4,5,6\n7,8,9,0,1,2\n')
    assert read_columns(path, "1-2", '"h, cm"').x_names == ("1-2",)
    assert read_columns(path, "1", "4").x_names == ("column 1",)
    assert read_columns(path, "1", "4").y_names == ("two\nlines",)
    assert read_columns(path, None, "1-2").x_names == ("h, cm", "two\nlines", "3", "3")  # not the one without a name
    assert str(read_columns(path, "4", "2")) == r"2 points; x is 'two\nlines'; y is '1-2'"
    with pytest.raises(ParameterError, match="'3' is the name of 5 and 6; use a position"):
        read_columns(path, "3", "1-2")


def test_a_page_says_what_was_read(tmp_path: Path) -> None:
    found = read_columns(write(tmp_path / "t.csv", GAPS), "a,c", "b", drop_missing=True)
    names = {"x_columns": ["a", "c"], "y_columns": ["b"]}
    assert found.page() == {"n": 2, "dim_x": 2, "dim_y": 1, "dropped": 6, **names}


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([1, 2**62], [1.0, 2.0**62]),
        ([Decimal("0.25"), Decimal(-3)], [0.25, -3.0]),
        ([True, False], [1.0, 0.0]),
        (["1.5", " TRUE "], [1.5, 1.0]),
        (pl.Series([1.5, 2.5], dtype=pl.Float32), [1.5, 2.5]),
        (pl.Series([2**63, 1], dtype=pl.UInt64), [2.0**63, 1.0]),
    ],
)
def test_parquet_holds_numbers_of_many_kinds(tmp_path: Path, values: Any, found: list[float]) -> None:
    pl.DataFrame({" a ": values, "b": [1, 2]}).write_parquet(tmp_path / "t.parquet")
    assert read_columns(tmp_path / "t.parquet", "a", "b").x[:, 0].tolist() == found


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([1.0, None, float("nan")], "missing values in 2 of 3 rows: 'a' in rows 2, 3;"),
        ([None, None, None], "no row without a missing value"),
        (
            [dt.date(2024, 1, day) for day in (1, 2, 3)],
            "column 'a' has values of type Date; choose other columns",
        ),
        ([dt.datetime(2024, 1, day) for day in (1, 2, 3)], "values of type Datetime;"),
        ([[1], [2], [3]], "values of type List;"),
        ([{"u": 1}] * 3, "values of type Struct;"),
        ([b"1"] * 3, "values of type Binary;"),
        (pl.Series(["u", "v", "u"], dtype=pl.Categorical), "values of type Categorical;"),
        (["1", "red", "3"], "column 'a' has 'red' in row 2"),
        ([1.0, -float("inf"), 2.0], "infinite ones: 'a' in row 2"),
    ],
)
def test_parquet_that_cannot_be_read_says_why(tmp_path: Path, values: Any, message: str) -> None:
    pl.DataFrame({"a": values, "b": [1, 2, 3]}).write_parquet(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=message):
        read_columns(tmp_path / "t.parquet", "a", "b")


@pytest.mark.parametrize("kind", ["f2", "f4", ">f8", "i2", "u8", "?", "g"])
def test_npy_of_any_real_kind(tmp_path: Path, kind: str) -> None:
    points = np.asfortranarray(VALUES > 3 if kind == "?" else np.abs(np.round(VALUES)), dtype=kind)
    np.save(tmp_path / "t.npy", points)
    found = read_columns(tmp_path / "t.npy", "3,1", "*")
    np.testing.assert_array_equal(found.x, points[:, [2, 0]].astype(float))
    assert (found.x_names, found.y_names) == (("3", "1"), ("2",))


HEADER = b"\x93NUMPY\x01\x00v\x00"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (VALUES[:, 0], r"array \(n, dim\) of real numbers, x and y side by side, got float64 of shape \(3,\)"),
        (VALUES[None], r"got float64 of shape \(1, 3, 3\)"),
        (VALUES + 1j, "got complex128"),
        (VALUES.astype(str), "got <U32"),
        (np.zeros(3, dtype=[("a", "f8"), ("b", "f8")]), r"got \[\('a', '<f8'\)"),
        (VALUES.astype(object), "cannot read .* allow_pickle=False"),
        (np.array([[1.0, np.nan], [2.0, 3.0]]), "missing values in 1 of 2 rows: '2' in row 1"),
        (np.array([["1e400", "1"]], dtype=np.longdouble), "infinite ones: '1' in row 1"),
        (VALUES[:0], "is empty"),
        (VALUES[:, :0], "is empty"),
        (b"", "is empty"),
        (b"PK\x03\x04", "it is not in NumPy's format"),
        (b"\x93NUMPY", "cannot read"),
        (HEADER + b"{'descr': '<f8', 'fortran_order".ljust(117) + b"\n", "cannot read"),
        (HEADER + b"{'descr': '<f8', 'fortran_order': False, 'shape': (5, 3), }".ljust(117) + b"\n", "cannot read"),
    ],
)
def test_npy_that_cannot_be_read_says_why(tmp_path: Path, content: Any, message: str) -> None:
    if isinstance(content, bytes):
        write(tmp_path / "t.npy", content)
    else:
        np.save(tmp_path / "t.npy", content, allow_pickle=True)
    with pytest.raises(DataError, match=message) as caught:
        read_columns(tmp_path / "t.npy", "1", "2")
    assert str(caught.value).isprintable()


@pytest.mark.parametrize("kind", ["csv", "parquet", "npy"])
def test_a_samples_folder_knows_x_and_y(tmp_path: Path, kind: str) -> None:
    task = mi.task("multinormal-sparse-3-3-2-2.0")
    folder = write_sample(task, n=20, seed=1, folder=tmp_path / "s", formats=[kind])
    draws, found = task.draw(20, 1), read_columns(folder)
    np.testing.assert_array_equal(found.x, draws.x)
    np.testing.assert_array_equal(found.y, draws.y)
    assert read_columns(folder, y="y2").x_names == ("x1", "x2", "x3")
    assert read_columns(folder, "y1", "x1:x3").y.tolist() == draws.x.tolist()
    (folder / f"x.{kind}").write_bytes((folder / f"y.{kind}").read_bytes())
    with pytest.raises(SampleFolderError):
        read_columns(folder)


def test_what_is_no_file_of_a_known_kind_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    write(tmp_path / "t.xlsx", "a,b\n1,2\n")
    write(tmp_path / "cut.parquet", "PAR1")
    for name, error, message in (
        ("nix.csv", DataError, "there is no file .*nix.csv; see where you are"),
        ("*.csv", DataError, "there is no file"),
        ("t.xlsx", DataError, "must be a .csv, .tsv, .parquet, .npy file or a sample's folder; its name says which"),
        ("pipe.csv", DataError, "is empty"),
        ("loop.csv", DataError, "cannot read .*loop.csv"),
        ("t.xlsx/t.csv", DataError, "cannot read"),
        ("x" * 5000 + ".csv", DataError, "cannot read"),
        ("cut.parquet", DataError, "cannot read .*parquet"),
        ("", SampleFolderError, "has no sample.json"),
        ("two\nlines.csv", ParameterError, r"a path of printable characters, got '.*two\\nlines.csv'"),
    ):
        with pytest.raises(error, match=message):
            read_columns(tmp_path / name, "a", "b")
    with pytest.raises(ParameterError, match="a path of printable characters, got 3"):
        read_columns(3, "a", "b")


@pytest.mark.parametrize("what", ["stat", "open"])
def test_a_file_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    path = write(tmp_path / "t.csv", NAMED + ROWS)

    def refuse(*_: object, **__: object) -> None:  # as the system does, but for a root that may read everything
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(Path, what, refuse)
        with pytest.raises(DataError, match=r"cannot read .*Permission denied"):
            read_columns(path, "a", "b")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=300)
@given(st.text('ab1.-e,;" \n\r\tö\0', max_size=40), st.booleans())
def test_any_text_gives_points_or_one_line(tmp_path: Path, content: str, drop_missing: bool) -> None:
    path = write(tmp_path / "t.csv", content)
    found = columns_or_error(path, drop_missing)
    if isinstance(found, str):
        assert found.isprintable()
    else:
        assert np.isfinite(found.x).all()
        assert found.x.shape == found.y.shape == (len(found.x), 1)
        assert len(found.x)


def columns_or_error(path: Path, drop_missing: bool) -> Columns | str:
    try:
        return read_columns(path, "1", "2", drop_missing=drop_missing)
    except MiBenchError as error:
        return str(error)
