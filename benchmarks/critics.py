"""Measures how near the paper's four neural estimators come, and writes the tables of docs/neural.md.

    python benchmarks/critics.py            prints them
    python benchmarks/critics.py --write    writes them

The first table has eight of the forty tasks, beside what the paper says of them; the second, what is gained where
the critic that is tested is a moving mean. Estimates are from 10 000 points and the means of several seeds, of the
draw and of the training.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from speed_page import put, table

import mibench as mi

_PAGE = Path(__file__).parents[1] / "docs" / "neural.md"
_N = 10_000
_SEEDS = 3
_ESTIMATORS: tuple[mi.NeuralEstimator, ...] = (mi.DonskerVaradhan(), mi.MINE(), mi.InfoNCE(), mi.NWJ())

# What Beyond Normal says of neural estimators there, in short, and in which section.
_TASKS = {
    "1v1-normal-0.75": "reliably estimated (3.1)",
    "1v1-bimodal-0.75": "reliably estimated (3.1)",
    "multinormal-sparse-5-5-2-2.0": "stable, where KSG finds about 70 % (3.1)",
    "multinormal-sparse-25-25-2-2.0": "stable, where KSG finds about 10 % (3.1)",
    "multinormal-dense-25-25-0.5": "reliably estimated (3.1)",
    "student-identity-2-2-1": "long tails: far too low (3.1, 4.2)",
    "asinh-student-identity-2-2-1": "better, but still too low (3.1)",
    "spiral-multinormal-sparse-3-3-2-2.0": "the most challenging map (3.1, 4.3)",
}


def _estimates(estimator: mi.NeuralEstimator, task: mi.Task) -> tuple[list[float], int]:
    """Those of each seed, and how many critics have died, which count in neither mean nor deviation."""
    found: list[float] = []
    dead = 0
    for seed in range(_SEEDS):
        draws = task.draw(_N, seed)
        estimate = replace(estimator, seed=seed).estimate(draws.x, draws.y)
        dead += estimate.info["dead_critic"]
        if not estimate.info["dead_critic"]:
            found.append(estimate.mi)
    return found, dead


def _number(values: Sequence[float], dead: int = 0) -> str:
    stated = f"{np.mean(values):.2f} ± {np.std(values):.2f}" if values else ""
    return f"{stated} ({dead} dead)".strip() if dead else stated


def _of_tasks() -> str:
    rows: list[tuple[str, ...]] = []
    for name, said in _TASKS.items():
        task = mi.task(name)
        estimates = [_number(*_estimates(e, task)) for e in _ESTIMATORS]
        neighbours = [mi.KSG().estimate(d.x, d.y).mi for d in (task.draw(_N, seed) for seed in range(_SEEDS))]
        rows.append((f"`{name}`", f"{task.mi:.2f}", *estimates, _number(neighbours), said))
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    head = ("task", "truth", *(f"`{type(e).__name__}`" for e in _ESTIMATORS), "`KSG`", "the paper")
    return table(head, rows)


def _of_averaging() -> str:
    rows: list[tuple[str, ...]] = []
    for dim, nats, pairs in [(1, 1.0, 1), (1, 2.0, 1), (3, 1.0, 3), (3, 2.0, 3), (5, 1.0, 5), (5, 2.0, 5)]:
        correlation = math.sqrt(1.0 - math.exp(-2.0 * nats / pairs))
        task = mi.Task("pairs", mi.Normal(mi.sparse(dim, dim, K=pairs, correlation=correlation)))
        cells: list[str] = []
        for estimator in _ESTIMATORS:
            both = [np.mean(_estimates(replace(estimator, averaging=a), task)[0]) - nats for a in (0.0, 0.99)]
            cells.append(" → ".join(f"{error:+.3f}" for error in both))
        rows.append((f"normal, {pairs} pairs" if pairs > 1 else "normal", f"{dim} × {dim}", f"{nats:.0f}", *cells))
        print(" ".join(rows[-1]), file=sys.stderr, flush=True)
    return table(("task", "dims", "truth", *(f"`{type(e).__name__}`" for e in _ESTIMATORS)), rows)


def main() -> None:
    """Measure, print, and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/neural.md")
    options = parser.parse_args()
    text = (
        f"Means and standard deviations of {_SEEDS} seeds, n = 10 000; critics that have died, with their flag up, "
        f"stand apart:\n\n{_of_tasks()}\n\n"
        f"Errors of the mean of {_SEEDS} seeds without → with the moving mean:\n\n{_of_averaging()}"
    )
    print(text)
    if options.write:
        put(text, _PAGE, "benchmarks/critics.py")


if __name__ == "__main__":
    main()
