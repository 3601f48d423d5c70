"""Every error that a user can meet, as one tree.

MiBenchError
├── InvalidInput            (also a ValueError)   data or a parameter is not what was asked for
│   ├── ParameterError                            a parameter of a distribution, transform or task
│   ├── DataError                                 points that were given, or the number of them
│   └── DimensionError                            dimensions that do not fit together
├── UnknownName             (also a LookupError)  a task, distribution, ... of that name does not exist
├── SpellingError           (also a ValueError)   a one-line spelling that cannot be read
├── NotAvailable                                  a thing has no such quantity (a density, an inverse)
├── DrawFailed                                    a draw left the range of double precision
├── EstimateFailed                                an estimator has no number to give for these points
├── SampleFolderError                             a folder of samples is missing, damaged or in the way
└── EstimateWarning         (also a UserWarning)  what to mind of an estimate: no error unless Python is told so
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class MiBenchError(Exception):
    """The root of every error that a user can meet."""


class InvalidInput(MiBenchError, ValueError):
    """Data or a parameter is not what was asked for."""


class ParameterError(InvalidInput):
    """A parameter of a distribution, transform or task is out of its range."""


class DataError(InvalidInput):
    """The points that were given cannot be used, or there are too few of them."""


class DimensionError(InvalidInput):
    """Dimensions do not fit together."""


class UnknownName(MiBenchError, LookupError):
    """Nothing is registered under that name; the message suggests the nearest ones."""


class SpellingError(MiBenchError, ValueError):
    """A one-line spelling cannot be read."""


class NotAvailable(MiBenchError):
    """A distribution or transform has no such quantity, for instance no density."""


class DrawFailed(MiBenchError):
    """A draw left the range of double precision."""


class EstimateFailed(MiBenchError):
    """An estimator has no number to give for these points."""


class SampleFolderError(MiBenchError):
    """A folder of samples is missing, damaged or in the way."""


class EstimateWarning(MiBenchError, UserWarning):
    """What an estimator warns of, where a function returns numbers only; raised if warnings are made errors."""


def unknown(kind: str, name: str, known: Iterable[str], advice: str) -> UnknownName:
    """The error for a name that is not known, with the nearest known names.

    >>> unknown("task", "1v1-norml-0.75", ["1v1-normal-0.75"], "'mibench tasks' lists all").args[0]
    "unknown task '1v1-norml-0.75'; did you mean '1v1-normal-0.75'? ('mibench tasks' lists all)"
    """
    shown = name if len(name) <= 80 else name[:77] + "..."
    near = _nearest(name, sorted(set(known)))
    guess = f"; did you mean {' or '.join(repr(n) for n in near)}?" if near else ""
    return UnknownName(f"unknown {kind} {shown!r}{guess} ({advice})")


def _nearest(name: str, known: list[str]) -> list[str]:
    lowered = {k.lower(): k for k in known}
    close = difflib.get_close_matches(name[:200].lower(), list(lowered), n=3, cutoff=0.6)
    return [lowered[c] for c in close]
