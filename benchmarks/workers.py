"""Processes that each run one estimator on one sample, in turn with one another."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import IO, Any, Self, cast

from speed import ONE_THREAD

_PROGRAM = Path(__file__).with_name("timed.py")
_SETTINGS = {
    **ONE_THREAD,
    "PYTHONWARNINGS": "ignore",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
}
_FEWEST, _MOST = 2, 25  # runs of each

Run = dict[str, float]


class Missing(Exception):
    """An estimator that does not run here, and why."""


class Worker:
    """A process that runs one estimator on one sample whenever it is told to; `timed.py` is what it runs."""

    def __init__(
        self, versions: dict[str, str], python: str, sample: Path, name: str, *options: str, **environment: str
    ) -> None:
        """Start it with an interpreter; `versions` is where it notes them."""
        self._versions, self._name = versions, name
        self._process = subprocess.Popen(
            [python, str(_PROGRAM), str(sample), name, *options],
            env={**os.environ, **_SETTINGS, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        """Wait until it has warmed up, and note the versions of what it runs with."""
        try:
            self._versions.update(self._answer()["versions"])
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Let it end."""
        self._process.communicate()

    def run(self) -> Run:
        """Run once: seconds, mi, peak_bytes, extra_bytes."""
        stdin = cast("IO[str]", self._process.stdin)
        stdin.write("\n")
        stdin.flush()
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        line = cast("IO[str]", self._process.stdout).readline()
        if not line:
            raise Missing(f"{self._name}: its process ended with code {self._process.wait()}")
        answer = json.loads(line)
        if "missing" in answer:
            raise Missing(f"{self._name}: {answer['missing']}")
        return answer


def in_turn(workers: list[Worker], budget: float, fewest: int = _FEWEST) -> list[list[Run]]:
    """The runs of each: one after the other, so that what else the machine does meets all; `budget` is in seconds."""
    runs: list[list[Run]] = [[] for _ in workers]
    start = time.perf_counter()
    while len(runs[0]) < fewest or (len(runs[0]) < _MOST and time.perf_counter() - start < budget):
        for worker, done in zip(workers, runs, strict=True):
            done.append(worker.run())
    return runs
