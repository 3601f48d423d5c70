"""Compiled kernels: each compiled once on a machine and kept on its disk, and said so when that takes its time."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
from numba.core import event

F = TypeVar("F", bound=Callable[..., Any])

# No reordering of sums and no fused multiply-add: a distance has the same bits wherever it is computed, which strict
# counting rests on. What is left lets minima and selections run in vector registers.
_EXACT = {"nnan", "ninf", "nsz"}


def kernel(function: F) -> F:
    """Decorator: a function of arrays and numbers, compiled, without Python's lock, with IEEE arithmetic in order."""
    return _compiled(function, _EXACT)


def loose_kernel(function: F) -> F:
    """Decorator: the same, where sums may be reordered and fused: for filters with margins and for smooth sums."""
    return _compiled(function, True)


def _compiled(function: F, fastmath: Any) -> F:
    options: dict[str, Any] = {"fastmath": fastmath, "error_model": "numpy", "nogil": True}
    make = cast("Callable[..., Callable[[F], F]]", numba.njit)
    try:
        return make(cache=True, **options)(function)
    except RuntimeError:  # nowhere to write: every process compiles anew
        return make(**options)(function)


class _Announcer(event.Listener):
    """Says, once in a process, that it is compiling, if that takes more than a second in all."""

    patience = 1.0

    def __init__(self) -> None:
        self.depth = 0
        self.spent = 0.0
        self.since = 0.0
        self.said = False
        self.timer: threading.Timer | None = None

    def on_start(self, event: Any) -> None:
        """A compilation begins, perhaps within another."""
        if not _is_ours(event):
            return
        self.depth += 1
        if self.depth == 1 and not self.said:
            self.since = time.monotonic()
            self.timer = threading.Timer(max(0.0, self.patience - self.spent), self.say)
            self.timer.daemon = True
            self.timer.start()

    def on_end(self, event: Any) -> None:
        """A compilation is over."""
        if not _is_ours(event):
            return
        self.depth -= 1
        if self.depth == 0 and self.timer is not None:
            self.timer.cancel()
            self.timer = None
            self.spent += time.monotonic() - self.since

    def say(self) -> None:
        """Tell the person who waits."""
        if not self.said:
            self.said = True
            print("mibench: compiling for this machine; later runs start at once", file=sys.stderr, flush=True)


def _is_ours(what: Any) -> bool:
    data = cast("dict[str, Any]", what.data or {})
    return str(getattr(getattr(data.get("dispatcher"), "py_func", None), "__module__", "")).startswith("mibench.")


cast("Any", event).register("numba:compile", _Announcer())
