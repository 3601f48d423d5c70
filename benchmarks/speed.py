"""Measures what the README promises of speed: importing, and drawing from the forty tasks, side by side in one run.

    python benchmarks/speed.py                          this package alone
    python benchmarks/speed.py --peer PYTHON            beside the reference implementation

PYTHON is an interpreter of a virtual environment of its own, with `benchmark-mi==0.1.3 jax==0.4.33 jaxlib==0.4.33`.
Times are of one thread and the best of several runs; ratios carry over to other machines better than seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from typing import Any

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")

IMPORT = "import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"

OURS = """
import json, time
import mibench as mi
def once(seed):
    start = time.perf_counter()
    for task in mi.TASKS:
        task.draw(n=10_000, seed=seed)
    return time.perf_counter() - start
print(json.dumps([once(seed) for seed in range(6)]))
"""

PEER = """
import json, time
import bmi
def once(seed):
    start = time.perf_counter()
    for task in bmi.benchmark.BENCHMARK_TASKS.values():
        x, y = task.sample(10_000, seed=seed)
        x.block_until_ready() if hasattr(x, "block_until_ready") else None
    return time.perf_counter() - start
print(json.dumps([once(seed) for seed in range(4)]))
"""


def _run(python: str, code: str) -> Any:
    environment = {
        **os.environ,
        **ONE_THREAD,
        "JAX_PLATFORMS": "cpu",
        "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false",
    }
    done = subprocess.run([python, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.strip().splitlines()[-1])


RATE = """
import json, time
import numpy as np
a, b = np.random.default_rng(0).random((2, 1024, 1024), dtype=np.float32)
def once():
    start = time.perf_counter()
    a @ b
    return 2.0 * 1024**3 / (time.perf_counter() - start)
print(json.dumps(max(once() for _ in range(20))))
"""


def rate() -> float:
    """Operations a second of one core in single precision, as the product of two matrices has them."""
    return float(_run(sys.executable, RATE))


def _import_time(python: str, module: str) -> float:
    return min(float(_run(python, IMPORT.format(module=module))) for _ in range(5))


def _rows(python: str, module: str, code: str) -> dict[str, float]:
    start = time.perf_counter()
    runs = _run(python, code)
    whole = time.perf_counter() - start
    return {
        f"import {module}": _import_time(python, module),
        "the forty, n = 10 000, first time": runs[0],
        "the forty, n = 10 000, warm (best)": min(runs[1:]),
        f"a process that draws them {len(runs)} times": whole,
    }


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", help="the Python of the reference implementation's virtual environment")
    peer = parser.parse_args().peer
    ours = _rows(sys.executable, "mibench", OURS)
    theirs = _rows(peer, "bmi", PEER) if peer else {}
    print(f"{'seconds, one thread':<42}{'mibench':>10}" + (f"{'reference':>12}{'ratio':>8}" if peer else ""))
    for (name, mine), other in zip(ours.items(), list(theirs.values()) or [0.0] * len(ours), strict=True):
        print(f"{name:<42}{mine:>10.3f}" + (f"{other:>12.3f}{other / mine:>8.1f}" if peer else ""))


if __name__ == "__main__":
    main()
