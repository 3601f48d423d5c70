"""Which results keep their bits on an older processor, and what it costs to keep them.

Runs the same computations in two processes, one of them without the wide vector instructions and fused multiply-add
of this processor (x86-64 with glibc), and says which bits differ.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from mibench.normal_law import standard_normals

HASHES = """
import hashlib, json
import numpy as np
import mibench as mi
from mibench.normal_law import standard_normals

def bits(values):
    return hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()

x = np.linspace(-20.0, 20.0, 100_001)
square = np.random.default_rng(0).random((300, 300))
print(json.dumps({
    "numpy.sin": bits(np.sin(x)),
    "numpy.exp": bits(np.exp(x)),
    "numpy.log": bits(np.log(np.abs(x) + 1.0)),
    "numpy.tanh": bits(np.tanh(x)),
    "a matrix product": bits(square @ square),
    "numpy's standard_normal": bits(np.random.default_rng(0).standard_normal(1_000_000)),
    "mibench's standard_normals": bits(standard_normals(np.random.default_rng(0), (1_000_000,))),
    "the forty tasks, x and y": [t.draw(500, 0).fingerprint for t in mi.TASKS],
    "the forty tasks, pointwise MI": bits(np.concatenate([t.draw(500, 0).pmi for t in mi.TASKS])),
}))
"""


def _hashes(**settings: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", HASHES], env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    return json.loads(done.stdout)


def older_processor() -> dict[str, str]:
    """The environment in which NumPy, BLAS and the C library use what any x86-64 processor has."""
    core = importlib.import_module("numpy._core._multiarray_umath")
    features = [f for f in core.__cpu_dispatch__ if core.__cpu_features__.get(f)]
    return {
        "NPY_DISABLE_CPU_FEATURES": " ".join(features),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable",
        "OPENBLAS_CORETYPE": "Prescott",
    }


def _seconds(work: Callable[[], object]) -> float:
    times: list[float] = []
    for _ in range(7):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def main() -> None:
    """Print both tables."""
    here, there = _hashes(), _hashes(**older_processor())
    for name, value in here.items():
        print(f"{name:<32}{'same bits' if there[name] == value else 'other bits'}")
    rng, shape = np.random.default_rng(0), (50, 10_000)
    ours, numpys = _seconds(lambda: standard_normals(rng, shape)), _seconds(lambda: rng.standard_normal(shape))
    print(f"normal variates: {1e9 * ours / 500_000:.1f} ns each, {ours / numpys:.1f} times numpy's standard_normal")


if __name__ == "__main__":
    main()
