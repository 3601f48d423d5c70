"""How far a long piece of work has come: whoever works tells it, and whoever waits may listen."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

Listener = Callable[[str, int, int], None]

_LISTENER: ContextVar[Listener | None] = ContextVar("listener", default=None)


def tell(what: str, done: int, total: int) -> None:
    """Say what is being done, and how many steps of how many at most are done; `done == total` ends it."""
    listener = _LISTENER.get()
    if listener is not None:
        listener(what, done, total)


@contextmanager
def heard_by(listener: Listener) -> Generator[None]:
    """Within it, call `listener(what, done, total)` whenever there is something to tell.

    >>> with heard_by(lambda what, done, total: print(what, done, "of", total)):
    ...     tell("training", 250, 10_000)
    training 250 of 10000
    """
    token = _LISTENER.set(listener)
    try:
        yield
    finally:
        _LISTENER.reset(token)


@contextmanager
def shown(label: str = "", total: int = 0) -> Generator[Callable[[], None]]:
    """Within it, bars at a terminal: one for what is told, and, with a total, one that what it yields makes advance.

    >>> with shown():  # where there is no terminal, nothing is shown
    ...     tell("training", 250, 10_000)
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        whole = bars.add_task(label, total=total) if total else None
        with heard_by(_Part(bars)):
            yield lambda: None if whole is None else bars.advance(whole)


class _Part:
    """The bar of what is told, while it is."""

    def __init__(self, bars: Any) -> None:
        self._bars = bars
        self._bar: Any = None

    def __call__(self, what: str, done: int, total: int) -> None:
        if self._bar is None:
            self._bar = self._bars.add_task(what, total=total)
        self._bars.update(self._bar, description=what, completed=done, total=total)
        if done >= total:
            self._bars.remove_task(self._bar)
            self._bar = None
