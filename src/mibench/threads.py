"""Threads: how many there may be, and work on a range shared among them."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from mibench import checks
from mibench.errors import ParameterError

_PARTS_A_THREAD = 8  # so that one slow part does not leave the other threads idle


def jobs(name: str, value: object) -> int:
    """A number of threads: at least 1, or -1 for as many as there are cores."""
    if isinstance(value, int) and value == -1:
        return -1
    if value == 0:
        raise ParameterError(f"{name} must be a whole number >= 1, or -1 for all cores, got {value!r}")
    return checks.whole(name, value, least=1, most=10_000)


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def share(n_jobs: int, length: int, work: Callable[[int, int], None], least: int = 1) -> None:
    """Call `work(start, stop)` for parts that make up range(length), each of at least `least`, on `n_jobs` threads.

    The parts must not depend on each other; then the result is the same for any number of threads.

    >>> seen = [0] * 10
    >>> def mark(start, stop):
    ...     for i in range(start, stop):
    ...         seen[i] += 1
    >>> share(2, 10, mark)
    >>> seen
    [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]
    """
    threads = cores() if n_jobs == -1 else n_jobs
    parts = max(1, min(threads * _PARTS_A_THREAD, length // max(1, least)))
    if threads == 1 or parts == 1:
        work(0, length)
        return
    edges = [length * part // parts for part in range(parts + 1)]
    with ThreadPoolExecutor(min(threads, parts)) as pool:
        for done in [pool.submit(work, a, b) for a, b in itertools.pairwise(edges)]:
            done.result()
