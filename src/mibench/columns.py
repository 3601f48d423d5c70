"""Which columns of a table are x and which are y: names, positions and ranges of either, separated by commas."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from mibench.errors import ParameterError, unknown

Places = list[int]

_REST = "*"
_POSITIONS = re.compile(r"([0-9]{1,18})(?:(-)([0-9]{0,18}))?")
_MOST_SHOWN = 10


def choose(
    names: Sequence[str], x: str | None, y: str | None, own: tuple[Places, Places] | None = None
) -> tuple[Places, Places]:
    """The places of the columns of x and of y; None or `*` is `own` if there is such, or what the other leaves.

    A column without a name is meant by its position only.

    >>> choose(["a", "b", "c"], "*", "b")
    ([0, 2], [1])
    """
    sides = (("x", x), ("y", y))
    given = [None if _is_rest(text, names) else select(side, str(text), names) for side, text in sides]
    left, right = given
    if left is None and right is None and own is None:
        raise ParameterError(f"say which columns are x and which are y, such as x='1-2', y='3'; {_listed(names)}")
    if left is None:
        left = own[0] if own else _others(names, "x", right or [])
    if right is None:
        right = own[1] if own else _others(names, "y", left)
    if both := [names[j] for j in left if j in set(right)]:
        raise ParameterError(f"x and y must not share columns, but both have {shown(both)}")
    return left, right


def select(side: str, text: str, names: Sequence[str]) -> Places:
    """The places of the columns that a text names, in its order; a name goes before its reading as a number or range.

    >>> select("x", "c, 1-2, d:", ["a", "b", "c", "d", "e"])
    [2, 0, 1, 3, 4]
    """
    known = {name: place for place, name in enumerate(names) if name}
    pieces = list(_pieces(text, known))
    if any(not piece.strip() and piece not in known for piece in pieces):
        raise ParameterError(f"{side} must be names of columns, separated by commas, got {text!r}")
    chosen = [place for piece in pieces for place in _places(side, piece, names, known)]
    if len(set(chosen)) < len(chosen):
        twice = next(place for at, place in enumerate(chosen) if place in chosen[:at])
        raise ParameterError(f"{side} must have each column once, but has {names[twice]!r} again in {text!r}")
    return chosen


def shown(names: Sequence[str]) -> str:
    """Names for a person, in one line however many and whatever they are."""
    few = ", ".join(repr(name if len(name) <= 40 else name[:37] + "...") for name in names[:_MOST_SHOWN])
    return few + (f", ... ({len(names)} in all)" if len(names) > _MOST_SHOWN else "")


def _listed(names: Sequence[str]) -> str:
    return f"the columns are {shown(names)}" if names else "there is no column"


def _is_rest(text: str | None, names: Sequence[str]) -> bool:
    return text is None or (text.strip() == _REST and _REST not in names)


def _others(names: Sequence[str], side: str, taken: Places) -> Places:
    left = [place for place, name in enumerate(names) if name and place not in set(taken)]
    if not left:
        raise ParameterError(f"no column is left for {side}; {_listed(names)}")
    return left


def _pieces(text: str, known: Mapping[str, int]) -> Iterator[str]:
    """The parts between commas, put together where a name has commas in it."""
    parts = text.split(",")
    widest = 1 + max((name.count(",") for name in known), default=0)
    at = 0
    while at < len(parts):
        joined = ((w, ",".join(parts[at : at + w])) for w in range(min(widest, len(parts) - at), 0, -1))
        width, piece = next(((w, p) for w, p in joined if p in known or p.strip() in known), (1, parts[at]))
        yield piece
        at += width


def _places(side: str, piece: str, names: Sequence[str], known: Mapping[str, int]) -> Sequence[int]:
    if (found := _named(piece, known)) is not None:
        return (found,)
    if match := _POSITIONS.fullmatch(piece.strip()):
        first, dash, last = match.groups()
        start = _position(side, first, names)
        stop = start if not dash else _position(side, last, names) if last else len(names) - 1
        return _range(side, piece, start, stop)
    for colon in (m.start() for m in re.finditer(":", piece)):
        start = _end(piece[:colon], known, names, default=0)
        stop = _end(piece[colon + 1 :], known, names, default=len(names) - 1)
        if start is not None and stop is not None and len(piece.strip()) > 1:
            return _range(side, piece, start, stop)
    raise unknown("column", piece.strip(), known, _listed(names))


def _named(piece: str, known: Mapping[str, int]) -> int | None:
    return known.get(piece, known.get(piece.strip()))


def _end(text: str, known: Mapping[str, int], names: Sequence[str], default: int) -> int | None:
    """The place of one end of a range `a:c`, if it is one."""
    if not text.strip():
        return default
    is_position = re.fullmatch("[0-9]{1,18}", text.strip()) and 1 <= int(text) <= len(names)
    return _named(text, known) if _named(text, known) is not None or not is_position else int(text) - 1


def _position(side: str, text: str, names: Sequence[str]) -> int:
    if not 1 <= int(text) <= len(names):
        raise ParameterError(f"{side} must have positions from 1 to {len(names)}, got {text}; {_listed(names)}")
    return int(text) - 1


def _range(side: str, piece: str, start: int, stop: int) -> range:
    if stop < start:
        raise ParameterError(f"{side} has the range {piece.strip()!r}, which runs backwards; swap its ends")
    return range(start, stop + 1)
