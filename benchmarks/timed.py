"""One estimator on one sample, ours or a peer's: runs once for each line it is sent, and says how long that took.

    python benchmarks/timed.py SAMPLE.npz NAME

SAMPLE has arrays x and y. NAME is a spelling such as "KSG(k=10)", with "; n_jobs=2" for two threads, or the name of a
peer below. Any interpreter that has that estimator can run this file; it needs nothing else but NumPy. It prints one
JSON object a line: first the versions, or why it cannot run, then the seconds, the estimate and the memory of each run.
"""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np

Work = Callable[[Any, Any], float]

PACKAGES = (
    "mibench",
    "numba",
    "numpy",
    "scipy",
    "scikit-learn",
    "ennemi",
    "infomeasure",
    "npeet-plus",
    "benchmark-mi",
)

_K = 10
_WARM_UP = 1000  # points: enough to compile and to load, whatever the sample


def _mutual_info_regression() -> Work:
    found = import_module("sklearn.feature_selection").mutual_info_regression
    return lambda x, y: found(x, y[:, 0], n_neighbors=_K, random_state=0)[0]


def _tree() -> Work:
    """KSG-1 as one would write it with scikit-learn's tree."""
    tree, digamma = import_module("sklearn.neighbors").KDTree, import_module("scipy.special").digamma

    def work(x: Any, y: Any) -> float:
        joint = np.hstack([x, y])
        distances, _ = tree(joint, metric="chebyshev").query(joint, k=_K + 1)
        below = np.nextafter(distances[:, _K], 0.0)
        counts = [tree(v, metric="chebyshev").query_radius(v, below, count_only=True) for v in (x, y)]
        return digamma(_K) + digamma(len(x)) - sum(digamma(c).mean() for c in counts)

    return work


def _ennemi() -> Work:
    found = import_module("ennemi").estimate_mi
    return lambda x, y: found(y[:, 0], x[:, 0], k=_K, max_threads=1)[0, 0]


def _infomeasure() -> Work:
    found = import_module("infomeasure").mutual_information
    return lambda x, y: found(x, y, approach="metric", k=_K)


def _npeet_plus() -> Work:
    found = import_module("npeet_plus").mi
    return lambda x, y: found(x, y, k=_K, base=np.e)


def _training(name: str) -> Callable[[], Work]:
    """A training of the reference implementation to its last step, with every test on the way."""

    def never(_: object) -> bool:
        return False

    def make() -> Work:
        log = import_module("bmi.estimators.neural._training_log").TrainingLog
        log.early_stop = never
        found = getattr(import_module("bmi.estimators"), name)
        return lambda x, y: float(found(verbose=False).estimate(x, y))

    return make


def _reference(name: str, **parameters: Any) -> Callable[[], Work]:
    return lambda: getattr(import_module("bmi.estimators"), name)(**parameters).estimate


_REFERENCE_KSG = "KSGEnsembleFirstEstimator"

# With their own defaults, but for the number of neighbours, the number of bins, one thread, and nats.
PEERS: dict[str, Callable[[], Work]] = {
    "scikit-learn mutual_info_regression": _mutual_info_regression,
    "scikit-learn KDTree": _tree,
    "ennemi": _ennemi,
    "infomeasure": _infomeasure,
    "npeet-plus": _npeet_plus,
    "benchmark-mi": _reference(_REFERENCE_KSG, neighborhoods=(_K,), metric_x="chebyshev"),
    "benchmark-mi Euclidean": _reference(_REFERENCE_KSG, neighborhoods=(_K,), metric_x="euclidean"),
    "benchmark-mi CCA": _reference("CCAMutualInformationEstimator"),
    "benchmark-mi Histogram": _reference("HistogramEstimator", n_bins_x=10),
    "benchmark-mi KDE": _reference("KDEMutualInformationEstimator"),
    "benchmark-mi KDE Gaussian": _reference("KDEMutualInformationEstimator", kernel_xy="gaussian"),
}


# What they compile, they compile for each training anew, and a training takes minutes: they are not warmed up.
TRAININGS = {
    "benchmark-mi Donsker-Varadhan": _training("DonskerVaradhanEstimator"),
    "benchmark-mi InfoNCE": _training("InfoNCEEstimator"),
    "benchmark-mi NWJ": _training("NWJEstimator"),
    "benchmark-mi MINE": _training("MINEEstimator"),
}
PEERS.update(TRAININGS)


def _ours(name: str, *, warm_up: bool = False) -> Work:
    mi = import_module("mibench")
    spelling, _, n_jobs = name.partition("; n_jobs=")
    estimator = mi.parse(spelling)
    if n_jobs:
        estimator = dataclasses.replace(estimator, n_jobs=int(n_jobs))
    if warm_up and isinstance(estimator, mi.NeuralEstimator):
        estimator = dataclasses.replace(estimator, steps=1, learning_rate=1e-6)
    return lambda x, y: estimator.estimate(x, y).mi


def _versions() -> dict[str, str]:
    present = {d.name.lower().replace("_", "-"): d.version for d in metadata.distributions() if d.name}
    return {name: present[name] for name in PACKAGES if name in present}


def _kilobytes(what: str) -> int:
    """A line of this process's memory, as Linux states it; elsewhere 0."""
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) for line in lines if line.startswith(what)), 0)


def _forget_peak() -> None:
    """Let the peak of this process's memory begin anew."""
    with contextlib.suppress(OSError):  # where there is no such file, the peak is of all that ran, which is no less
        Path("/proc/self/clear_refs").write_text("5")


def _measured(work: Work, x: Any, y: Any) -> dict[str, float]:
    _forget_peak()
    before = _kilobytes("VmRSS:")
    start = time.perf_counter()
    found = float(work(x, y))
    seconds = time.perf_counter() - start
    peak = _kilobytes("VmHWM:")
    return {"seconds": seconds, "mi": found, "peak_bytes": 1024 * peak, "extra_bytes": 1024 * (peak - before)}


def main() -> None:
    """Answer until there is no more line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sample")
    parser.add_argument("name")
    parser.add_argument("--cold", action="store_true", help="no warming up: the first run is the first use")
    options = parser.parse_args()
    answers, sys.stdout = sys.stdout, sys.stderr  # what a peer may print is no answer

    def answer(**what: Any) -> None:
        print(json.dumps(what), file=answers, flush=True)

    with np.load(options.sample) as sample:
        x, y = sample["x"], sample["y"]
    try:
        work = _ours(options.name) if "(" in options.name else PEERS[options.name]()
        if not options.cold and options.name not in TRAININGS:
            warm = _ours(options.name, warm_up=True) if "(" in options.name else work
            warm(x[:_WARM_UP], y[:_WARM_UP])
    except Exception as error:  # whatever it is, it is told
        answer(missing=f"{type(error).__name__}: {error}")
        return
    answer(versions=_versions())
    for _ in sys.stdin:
        answer(**_measured(work, x, y))


if __name__ == "__main__":
    main()
