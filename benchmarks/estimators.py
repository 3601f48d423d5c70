"""Measures how fast the estimators are, beside the peers, and writes the tables of docs/speed.md.

    python benchmarks/estimators.py                          what is installed here; what is left out is named
    python benchmarks/estimators.py --peers PYTHON --reference PYTHON --write
    python benchmarks/estimators.py --trainings --reference PYTHON --write          critics, each trained to the end

The peers come with `pip install 'mibench[bench]'`, here or in a virtual environment whose interpreter `--peers` names;
the reference implementation needs one of its own, with `benchmark-mi==0.1.3 jax==0.4.33 jaxlib==0.4.33`. Ours and a
peer's take turns on the same points, each in a process with one thread that has warmed up; each one's best time counts.
"""

from __future__ import annotations

import argparse
import dataclasses
import re
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

import numpy as np
from promises import PROMISES, TRAININGS, Beside, Memory, Promise, Start, Threads, Training
from speed import rate
from speed_page import Line, page, put, renew
from workers import Missing, Run, Worker, in_turn

import mibench as mi
from mibench.preprocessing import standardise
from mibench.threads import cores

_PAGE = Path(__file__).parents[1] / "docs" / "speed.md"
_QUICK = 1000  # points


class Bench:
    """Measures what is promised; `versions` are of what has run."""

    def __init__(self, folder: Path, peers: str, reference: str | None, quick: bool) -> None:
        """Measure in `folder`, with the interpreters that have the peers and the reference."""
        self._folder = folder
        self._pythons = {"mibench": sys.executable, "peers": peers, "reference": reference}
        self._budget = 0.5 if quick else 10.0  # seconds for one promise, unless the fewest runs take longer
        self.versions: dict[str, dict[str, str]] = {}

    def values(self, promise: Promise) -> tuple[float, ...]:
        """What it states of each promise, in that order."""
        match promise:
            case Beside():
                return self._beside(promise)
            case Training():
                return self._training(promise)
            case Threads():
                return self._threads(promise)
            case Memory():
                return self._memory(promise)
            case Start():
                return self._start(promise)
            case _:
                raise NotImplementedError(promise)

    def _beside(self, row: Beside) -> tuple[float, ...]:
        if not row.peer:
            return (_best(self._runs(row, row.ours)[0]),)
        try:
            ours, theirs = self._runs(row, row.ours, row.peer)
        except Missing:
            if not row.seconds:
                raise
            return self._beside(dataclasses.replace(row, peer=""))
        return _best(ours), _best(theirs), abs(ours[0]["mi"] - theirs[0]["mi"])

    def _training(self, row: Training) -> tuple[float, ...]:
        with ExitStack() as stack:
            workers = [stack.enter_context(self._worker(row, name)) for name in (row.ours, row.peer)]
            ours, theirs = in_turn(workers, 0.0, fewest=1)
        return _best(ours), _best(theirs), row.operations / rate()

    def _threads(self, row: Threads) -> tuple[float, ...]:
        if cores() < 2:
            raise Missing("there is one core")
        return tuple(_best(runs) for runs in self._runs(row, f"{row.ours}; n_jobs=2", row.ours))

    def _memory(self, row: Memory) -> tuple[float, ...]:
        whole, half = (self._first(dataclasses.replace(row, n=n)) for n in (row.n, row.n // 2))
        if not half["peak_bytes"]:
            raise Missing("this system has no /proc to state a process's memory")
        return whole["peak_bytes"], whole["extra_bytes"], half["extra_bytes"]

    def _first(self, row: Promise) -> Run:
        with self._worker(row, row.ours) as worker:
            return worker.run()

    def _start(self, row: Start) -> tuple[float, ...]:
        with tempfile.TemporaryDirectory() as cache:
            seconds = [self._first_less_second(row, cache) for _ in range(4)]
        return seconds[0], min(seconds[1:])

    def _first_less_second(self, row: Start, cache: str) -> float:
        with self._worker(row, row.ours, "--cold", NUMBA_CACHE_DIR=cache) as worker:
            return worker.run()["seconds"] - worker.run()["seconds"]

    def _runs(self, row: Promise, *names: str) -> list[list[Run]]:
        with ExitStack() as stack:
            return in_turn([stack.enter_context(self._worker(row, name)) for name in names], self._budget)

    def _worker(self, row: Promise, name: str, *options: str, **environment: str) -> Worker:
        where = "mibench" if "(" in name else "reference" if name.startswith("benchmark-mi") else "peers"
        python = self._pythons[where]
        if python is None:
            raise Missing(f"{name}: name the interpreter that has it, --reference PYTHON")
        noted = self.versions.setdefault(where, {})
        return Worker(noted, python, self._sample(row), name, *options, **environment)

    def _sample(self, row: Promise) -> Path:
        """The points, with standard columns, so that a peer's own scaling changes nothing."""
        path = self._folder / f"{row.dims}-{row.n}.npz"
        if not path.exists():
            name = "1v1-normal-0.75" if row.dims == 1 else f"multinormal-dense-{row.dims}-{row.dims}-0.5"
            draws = mi.task(name).draw(n=row.n, seed=0)
            np.savez(path, x=standardise(draws.x), y=standardise(draws.y))
        return path


def _best(runs: list[Run]) -> float:
    return min(r["seconds"] for r in runs)


def _promises(only: str, quick: bool, trainings: bool) -> list[Promise]:
    found = [promise for promise in (TRAININGS if trainings else PROMISES) if re.search(only, str(promise))]
    if not quick:
        return found
    small = [dataclasses.replace(promise, n=min(promise.n, _QUICK)) for promise in found]
    return [promise for promise in small if not isinstance(promise, Memory)]  # so few points take none


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", metavar="PYTHON", default=sys.executable, help="has the peers (default: this one)")
    parser.add_argument("--reference", metavar="PYTHON", help="has the reference implementation")
    parser.add_argument(
        "--only", metavar="PATTERN", default="", help='lines that match, such as "KSG.*5x5.*infomeasure"'
    )
    parser.add_argument("--trainings", action="store_true", help="trainings of critics instead: half an hour")
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK} points at most: a look at the machinery")
    parser.add_argument(
        "--write", action="store_true", help="write the tables, or the lines of --only, into docs/speed.md"
    )
    options = parser.parse_args()
    if options.write and options.quick:
        parser.error("--write needs the whole measurement; leave out --quick")
    return options


def main() -> None:
    """Measure, print, and write."""
    options = _options()
    lines: list[Line] = []
    missing: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.peers, options.reference, options.quick)
        for promise in _promises(options.only, options.quick, options.trainings):
            try:
                lines.append(Line(promise, bench.values(promise), judged=not options.quick))
                said = f"{promise}: {', '.join(promise.cells(lines[-1].values))}  {lines[-1].verdict}"
            except Missing as reason:
                missing.append(str(reason))
                said = f"{promise}: left out. {reason}"
            print(said, file=sys.stderr, flush=True)
    text = page(lines, missing, bench.versions)
    print(text)
    if options.write:
        program = "benchmarks/estimators.py" + (" --trainings" if options.trainings else "")
        if options.only:
            renew(lines, _PAGE, program)
        else:
            put(text, _PAGE, program)


if __name__ == "__main__":
    main()
