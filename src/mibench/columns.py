"""Which columns of a table are x and y: names, positions and ranges, separated by commas."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from mibench.errors import ParameterError, unknown

Places = list[int]

_REST = "*"
_RANGE = re.compile("[-:]")
_POSITION = re.compile("[0-9]{1,18}")
_MOST_SHOWN = 10


def choose(
    names: Sequence[str], x: str | None, y: str | None, own: tuple[Places, Places] | None = None
) -> tuple[Places, Places]:
    """The places of the columns of x and of y; None or `*` is `own` if there is such, or what the other leaves.

    A column without a name is meant by its position only.

    >>> choose(["a", "b", "c"], "*", "b")
    ([0, 2], [1])
    """
    left, right = (None if _is_rest(text, names) else select(side, text, names) for side, text in (("x", x), ("y", y)))
    if left is None and right is None and own is None:
        raise ParameterError(f"say which columns are x and which are y, such as --x 1-2 --y 3; {_listed(names)}")
    if left is None:
        left = own[0] if own else _others(names, "x", right or [])
    if right is None:
        right = own[1] if own else _others(names, "y", left)
    if both := [label(names, j) for j in left if j in set(right)]:
        raise ParameterError(f"x and y must not share columns, but both have {shown(both)}")
    return left, right


def select(side: str, text: object, names: Sequence[str]) -> Places:
    """The places of the columns that a text names, in its order; a name goes before its reading as a number or range.

    A name with a comma in it stands between double quotes, as in a CSV file.

    >>> select("x", 'c, 1-2, d:, "h,cm"', ["a", "b", "c", "h,cm", "d", "e"])
    [2, 0, 1, 4, 5, 3]
    """
    wanted = f"{side} must be names or positions of columns, separated by commas, got {text!r}"
    if not isinstance(text, str):
        raise ParameterError(wanted)
    try:
        pieces = next(csv.reader([text], skipinitialspace=True, strict=True), ())
    except csv.Error as error:
        raise ParameterError(f"{wanted} ({error})") from None
    if not pieces or not all(piece.strip() for piece in pieces):
        raise ParameterError(wanted)
    known: dict[str, Places] = {}
    for place, name in enumerate(names):
        known.setdefault(name.strip(), []).append(place)
    chosen = [place for piece in pieces for place in _places(side, piece.strip(), names, known)]
    if len(set(chosen)) < len(chosen):
        twice = next(place for at, place in enumerate(chosen) if place in chosen[:at])
        raise ParameterError(f"{side} must have each column once, but has {label(names, twice)!r} again in {text!r}")
    return chosen


def label(names: Sequence[str], place: int) -> str:
    """What a column is called, also one without a name."""
    return names[place] or f"column {place + 1}"


def shown(names: Sequence[str]) -> str:
    """Names for a person, in one line however many and whatever they are."""
    few = ", ".join(repr(name if len(name) <= 40 else name[:37] + "...") for name in names[:_MOST_SHOWN])
    return few + (f", ... ({len(names)} in all)" if len(names) > _MOST_SHOWN else "")


def _listed(names: Sequence[str]) -> str:
    return f"the columns are {shown(names)}"


def _is_rest(text: object, names: Sequence[str]) -> bool:
    return text is None or (isinstance(text, str) and text.strip() == _REST and _REST not in names)


def _others(names: Sequence[str], side: str, taken: Places) -> Places:
    left = [place for place, name in enumerate(names) if name and place not in set(taken)]
    if not left:
        raise ParameterError(f"no column is left for {side}; {_listed(names)}")
    return left


def _places(side: str, piece: str, names: Sequence[str], known: dict[str, Places]) -> Sequence[int]:
    if (one := _place(side, piece, names, known)) is not None:
        return (one,)
    for mark in _RANGE.finditer(piece):
        first, last = piece[: mark.start()].strip(), piece[mark.end() :].strip()
        start = _place(side, first, names, known) if first else 0
        stop = _place(side, last, names, known) if last else len(names) - 1
        if start is None or stop is None or not (first or (last and mark[0] == ":")):
            continue
        if stop < start:
            raise ParameterError(f"{side} has the range {piece!r}, which runs backwards; swap its ends")
        return range(start, stop + 1)
    quotes = "; double quotes go around a name with a comma" if any("," in name for name in known) else ""
    raise unknown("column", piece, known, _listed(names) + quotes)


def _place(side: str, text: str, names: Sequence[str], known: dict[str, Places]) -> int | None:
    """The place of the column of this name or position; None if the text is neither."""
    if found := known.get(text):
        if len(found) > 1:
            where = " and ".join(str(place + 1) for place in found[:3])
            raise ParameterError(f"{side} must name one column, but {text!r} is the name of {where}; use a position")
        return found[0]
    if not _POSITION.fullmatch(text):
        return None
    if not 1 <= int(text) <= len(names):
        raise ParameterError(f"{side} must have positions from 1 to {len(names)}, got {text}; {_listed(names)}")
    return int(text) - 1
