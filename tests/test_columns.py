"""Choosing columns by name, position and range."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mibench.columns import choose, label, select, shown
from mibench.errors import MiBenchError, ParameterError, UnknownName

NAMES = ["id", "height", "body mass", "h,cm", "7", "1-3", "", "t:0", "twice", "twice"]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("height", [1]),
        (" height , id ", [1, 0]),  # in the order that is given
        ("body mass", [2]),
        ('"h,cm",id', [3, 0]),
        ('id, "h,cm"', [0, 3]),
        ("2", [1]),
        ("7", [4]),  # a name goes before a position
        ("1-3", [5]),  # and before a range
        ("t:0", [7]),
        ("1-2", [0, 1]),
        ("2 - 4,1", [1, 2, 3, 0]),
        ("9-", [8, 9]),
        ("1:3", [0, 1, 2]),
        ("id:body mass", [0, 1, 2]),
        ("height-body mass", [1, 2]),
        (":height", [0, 1]),
        ("t:0:", [7, 8, 9]),
        ("8:t:0", [7]),
        ("9,10", [8, 9]),
    ],
)
def test_columns_that_a_text_names(text: str, places: list[int]) -> None:
    assert select("x", text, NAMES) == places


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hieght", "unknown column 'hieght'; did you mean 'height'"),
        ("h,cm", "unknown column 'h'.*; double quotes go around a name with a comma"),
        ("Height", "did you mean 'height'"),
        ("-1", "unknown column '-1'"),
        ("id:nix", "unknown column 'id:nix'"),
        (":", "unknown column ':'"),
        ("-", "unknown column '-'"),
        ("*", r"unknown column '\*'"),
        ("²", "unknown column '²'"),
        ("0", "x must have positions from 1 to 10, got 0; the columns are 'id', 'height'"),
        ("2-11", "positions from 1 to 10, got 11"),
        ("9" * 5000, "unknown column '999"),
        ("3-2", "x has the range '3-2', which runs backwards; swap its ends"),
        ("id,1", "x must have each column once, but has 'id' again in 'id,1'"),
        ("8-10,9", "once, but has 'twice' again"),
        ("twice", "x must name one column, but 'twice' is the name of 9 and 10; use a position"),
        ("", "x must be names or positions of columns, separated by commas, got ''"),
        ("id,", "got 'id,'"),
        ("id, ,2", "got 'id, ,2'"),
        ('"id', "got '\"id' "),
        ("id\nheight", r"got 'id\\nheight'"),
        (3, "got 3"),
        (["id"], r"got \['id'\]"),
    ],
)
def test_what_names_no_columns_is_refused(text: str, message: str) -> None:
    with pytest.raises((ParameterError, UnknownName), match=message):
        select("x", text, NAMES)


@given(st.text('abc123-:,* "\n²', max_size=12))
def test_any_text_gives_columns_or_one_line(text: str) -> None:
    found = places_or_error(text)
    if isinstance(found, str):
        assert found.isprintable()
    else:
        assert found
        assert len(set(found)) == len(found)
        assert set(found) <= set(range(5))


def places_or_error(text: str) -> list[int] | str:
    try:
        return select("y", text, ["a", "b,c", "12", "", "a-b"])
    except MiBenchError as error:
        return str(error)


OWN = ([0], [1, 2])


@pytest.mark.parametrize(
    ("x", "y", "own", "found"),
    [
        ("a", "c,b", None, ([0], [2, 1])),
        ("b", None, None, ([1], [0, 2])),
        (None, "b", None, ([0, 2], [1])),
        ("*", " b ", None, ([0, 2], [1])),
        ("4", None, None, ([3], [0, 1, 2])),
        (None, None, OWN, OWN),
        ("*", "b", OWN, ([0], [1])),
        ("b", "a", OWN, ([1], [0])),
    ],
)
def test_a_side_that_is_not_given_is_what_is_left(
    x: str | None, y: str | None, own: tuple[list[int], list[int]] | None, found: tuple[list[int], list[int]]
) -> None:
    assert choose(["a", "b", "c", ""], x, y, own) == found


@pytest.mark.parametrize(
    ("x", "y", "own", "message"),
    [
        (None, None, None, "say which columns are x and which are y, such as --x 1-2 --y 3; the columns are 'a', 'b'"),
        ("*", "*", None, "say which columns"),
        ("a,b", "2", None, "x and y must not share columns, but both have 'b'"),
        ("3", "3", None, "both have 'column 3'"),
        ("c", None, OWN, "unknown column 'c'"),
        ("1-3", None, None, "no column is left for y"),
        (None, "1-2", None, "no column is left for x"),
    ],
)
def test_sides_that_do_not_go_together_are_refused(
    x: str | None, y: str | None, own: tuple[list[int], list[int]] | None, message: str
) -> None:
    with pytest.raises((ParameterError, UnknownName), match=message):
        choose(["a", "b", ""], x, y, own)


def test_a_column_called_star_is_meant_by_a_star() -> None:
    assert choose(["a", "*"], "*", "a") == ([1], [0])


def test_names_for_a_person_stay_in_one_short_line() -> None:
    assert shown(["a", "b\nc"]) == r"'a', 'b\nc'"
    assert len(shown(["x" * 1000] * 1000)) < 500
    assert shown([str(j) for j in range(12)]).endswith("'9', ... (12 in all)")
    assert [label(["a", ""], place) for place in (0, 1)] == ["a", "column 2"]
