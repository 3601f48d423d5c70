"""The widths of hidden layers: numbers, or the name of one of the paper's architectures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from mibench import checks
from mibench.errors import ParameterError

ARCHITECTURES = {"S": (10, 5), "M": (16, 8), "L": (24, 12), "D": (8, 8, 8)}

Hidden = str | tuple[int, ...]


def hidden_widths(value: object) -> Hidden:
    """Widths or the name of some, checked."""
    if isinstance(value, str):
        if value not in ARCHITECTURES:
            raise ParameterError(
                f"hidden must be one of {', '.join(ARCHITECTURES)}, or widths such as (16, 8), got {value!r}"
            )
        return value
    if not isinstance(value, Sequence) or not value:
        raise ParameterError(f"hidden must be widths such as (16, 8), or one of {', '.join(ARCHITECTURES)}")
    return tuple(checks.whole("hidden", w, least=1, most=1024) for w in cast("Sequence[object]", value))


def widths_of(hidden: Hidden) -> tuple[int, ...]:
    """The widths themselves.

    >>> widths_of("L")
    (24, 12)
    """
    return ARCHITECTURES[hidden] if isinstance(hidden, str) else hidden
