"""The forty tasks: ids, truths, laws, and the same bits everywhere."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from make_fingerprints import GOLDEN, fingerprints

import mibench as mi
from mibench.errors import DimensionError, InvalidInput, ParameterError, SpellingError, UnknownName
from mibench.tasks.benchmark import GROUPS
from mibench.tasks.check import check_task

EVERY = pytest.mark.parametrize("task", mi.TASKS, ids=lambda t: t.id)
HERE = Path(__file__).parent

# Ids, names and truths as the benchmark's reference implementation prints them (benchmark-mi 0.1.3, MIT licence).
REFERENCE = list(csv.DictReader((HERE / "data" / "beyond_normal_40.csv").read_text(encoding="utf-8").splitlines()))


def test_tasks_are_those_of_the_reference() -> None:
    found = [(t.id, t.name, t.group, t.dim_x, t.dim_y) for t in mi.TASKS]
    assert found == [(r["id"], r["name"], r["group"], int(r["dim_x"]), int(r["dim_y"])) for r in REFERENCE]
    assert set(GROUPS) == {t.group for t in mi.TASKS}


@pytest.mark.parametrize("row", REFERENCE, ids=lambda r: r["id"])
def test_truths_are_those_of_the_reference(row: dict[str, str]) -> None:
    # In single precision there: 1.70943797, where 0.1 - log 0.2 is 1.70943791.
    tolerance = 1e-7 if row["id"] == "1v1-additive-0.1" else 1e-12
    assert mi.task(row["id"]).mi == pytest.approx(float(row["mi"]), abs=tolerance)
    assert mi.task(row["id"]).mi.error == 0.0


@EVERY
def test_mean_pmi_is_the_mi(task: mi.Task) -> None:
    found = check_task(task, n=200_000, seed=1)
    assert found.agrees, found


@EVERY
def test_pmi_at_the_drawn_points_is_the_drawn_pmi(task: mi.Task) -> None:
    draws = task.draw(2000, seed=5)
    np.testing.assert_allclose(task.distribution.pmi(draws.x, draws.y), draws.pmi, atol=1e-8)


@EVERY
def test_maps_can_be_undone_on_the_draws(task: mi.Task) -> None:
    pushed = task.distribution
    if isinstance(pushed, mi.Pushed):
        base = pushed.base.draw(task.generator(10_000, 2), 10_000)
        draws = task.draw(10_000, 2)
        np.testing.assert_allclose(pushed.f.inverse(draws.x), base.x, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(pushed.g.inverse(draws.y), base.y, rtol=1e-9, atol=1e-9)


def _by_the_paper(name: str, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The images of a base's points under the maps that a task's id names, as Section 3 and Appendix D define them."""
    from scipy.linalg import expm
    from scipy.stats import norm

    def spiral(points: np.ndarray, i: int, j: int) -> np.ndarray:
        generator = np.zeros((points.shape[1],) * 2)
        generator[i, j], generator[j, i] = 1.0, -1.0
        return np.array([expm(generator * (p @ p) / points.shape[1]) @ p for p in points])

    if "normal_cdf" in name:
        x, y = norm.cdf(x), norm.cdf(y)
    if name.startswith("half_cube"):
        x, y = (np.abs(v) ** 1.5 * np.sign(v) for v in (x, y))
    if name.startswith("asinh"):
        x, y = np.log(x + np.sqrt(1 + x**2)), np.log(y + np.sqrt(1 + y**2))
    if name.startswith("wiggly"):
        x = x + 0.4 * np.sin(x) + 0.2 * np.sin(1.7 * x + 1) + 0.03 * np.sin(3.3 * x - 2.5)
        y = y - 0.4 * np.sin(0.4 * y) + 0.17 * np.sin(1.3 * y + 3.5) + 0.02 * np.sin(4.3 * y - 2.5)
    if name.startswith("swissroll"):
        t = 1.5 * np.pi * (1 + 2 * x)
        x = np.hstack([t * np.cos(t), t * np.sin(t)]) / 21
    if name.startswith("spiral"):
        x, y = spiral(x, 0, 1), spiral(y, 1, 2)
    return x, y


@EVERY
def test_maps_are_those_of_the_paper(task: mi.Task) -> None:
    from scipy.stats import norm

    pushed = task.distribution
    if not isinstance(pushed, mi.Pushed):
        assert not task.id.startswith(("normal_cdf", "half_cube", "asinh", "wiggly", "swissroll", "spiral"))
        return
    base, draws = pushed.base.draw(task.generator(200, 9), 200), task.draw(200, 9)
    if task.id == "1v1-bimodal-0.75":  # the margins' distribution functions undo it
        x = norm.cdf(draws.x) * 0.3 + norm.cdf(draws.x - 5) * 0.7
        y = norm.cdf(draws.y + 1) * 0.5 + norm.cdf(draws.y - 3) * 0.5
        np.testing.assert_allclose(np.hstack([x, y]), norm.cdf(np.hstack([base.x, base.y])), atol=1e-12)
        return
    x, y = _by_the_paper(task.id, base.x, base.y)
    assert not np.array_equal(x, base.x)
    np.testing.assert_allclose(draws.x, x, rtol=1e-10, atol=1e-11)
    np.testing.assert_allclose(draws.y, y, rtol=1e-10, atol=1e-11)


def test_bases_are_those_of_the_paper() -> None:
    for task in mi.TASKS:
        base = task.distribution.base if isinstance(task.distribution, mi.Pushed) else task.distribution
        if isinstance(base, mi.Student):
            np.testing.assert_array_equal(base.dispersion, np.eye(task.dim_x + task.dim_y))
        if isinstance(base, mi.Normal) and "1v1" in task.id:
            np.testing.assert_array_equal(base.covariance, [[1.0, 0.75], [0.75, 1.0]])
        elif isinstance(base, mi.Normal):
            matrix = np.eye(2 * task.dim_x)
            if "dense" in task.id:
                matrix = 0.5 * matrix + 0.5
            else:
                for pair in (0, 1):
                    matrix[pair, task.dim_x + pair] = matrix[task.dim_x + pair, pair] = 0.8
            np.testing.assert_allclose(base.covariance.matrix(), matrix, atol=1e-15)


@EVERY
def test_points_of_a_draw_are_distinct(task: mi.Task) -> None:
    draws = task.draw(10_000, 1)
    for points in (draws.x, draws.y):
        assert len(np.unique(points, axis=0)) == 10_000


@EVERY
def test_spelling_gives_an_equal_distribution(task: mi.Task) -> None:
    spelling = mi.spell(task.distribution)
    assert "\n" not in spelling
    assert len(spelling) < 1500
    again = mi.task(spelling)
    assert again.distribution == task.distribution
    assert again.id == spelling


def test_draws_have_their_golden_fingerprints() -> None:
    assert fingerprints() == json.loads(GOLDEN.read_text())


def _elsewhere(**settings: str) -> str:
    """The fingerprints of all tasks, and the bits of their pointwise MI, in a process with other settings."""
    code = (
        "import hashlib, mibench as mi\n"
        "from mibench import families as f\n"
        "near = mi.Normal([[2.0, 0.3], [0.3, 1.0]], dim_x=1, mean=(0.1, 0.2))\n"
        "own = mi.Mixture((near, mi.Student([[1.0, 0.3], [0.3, 1.0]], dof=2.7, dim_x=1)), weights=(0.3, 0.7))\n"
        "turn = mi.Chain((mi.Affine([[1.0, 0.3], [0.1, 2.0]]), mi.Rotation(0.3), mi.SignedPower(1.7)))\n"
        "own = mi.Pushed(mi.Product((own, mi.AdditiveNoise(0.3))), f=turn, g=turn)\n"
        "more = [f.high_mi('half_cube', 1.3), *f.sparsity_path(3), f.tails_student(2.5), f.spiral_speed(0.3)]\n"
        "for t in [*reversed(mi.TASKS), *more, mi.Task('own', own)]:\n"
        "    d = t.draw(1000, 0)\n"
        "    print(t.id, d.fingerprint, hashlib.sha256(d.pmi.tobytes()).hexdigest())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    return done.stdout


def test_same_bits_in_other_processes_thread_counts_and_processors() -> None:
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    features = " ".join(f for f in __cpu_dispatch__ if __cpu_features__.get(f))
    here = _elsewhere()
    assert _elsewhere(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", PYTHONHASHSEED="7") == here
    # NumPy, the C library and BLAS as on a processor without wide vectors and fused multiply-add.
    older = {
        "NPY_DISABLE_CPU_FEATURES": features,
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F,-AVX2_Usable,-FMA_Usable",
        "OPENBLAS_CORETYPE": "Prescott",
    }
    assert _elsewhere(**older) == here
    golden = json.loads(GOLDEN.read_text())
    found = {line.split()[0]: line.split()[1] for line in here.splitlines()}
    assert {name: found[name] for name in golden} == {name: draws["1000/0"] for name, draws in golden.items()}
    assert len(found) > len(golden) + 10


def test_draws_differ_by_task_n_and_seed() -> None:
    normal = mi.task("1v1-normal-0.75")
    first = {normal.draw(100, 0).x[0, 0], normal.draw(101, 0).x[0, 0], normal.draw(100, 1).x[0, 0]}
    assert len(first) == 3
    same_law = mi.Task("another name", normal.distribution)
    assert same_law.draw(100, 0).fingerprint != normal.draw(100, 0).fingerprint


def test_fingerprint_is_what_the_contract_says() -> None:
    import hashlib
    import struct

    x, y = np.array([[1.0, 2.0], [3.0, -0.5]]), np.array([[0.1], [1e-300]])
    by_hand = b"mibench-sample-1 2 2 1\n" + struct.pack("<6d", 1.0, 2.0, 3.0, -0.5, 0.1, 1e-300)
    assert mi.fingerprint(x, y) == hashlib.sha256(by_hand).hexdigest()
    assert mi.fingerprint(np.asfortranarray(x), y[:, ::-1]) == mi.fingerprint(x, y)
    assert mi.fingerprint(x, np.array([[0.1], [1.1e-300]])) != mi.fingerprint(x, y)


def test_unknown_tasks_are_refused_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"unknown task '1v1-norml-0.75'; did you mean '1v1-normal-0.75'"):
        mi.task("1v1-norml-0.75")
    with pytest.raises(UnknownName, match="'mibench tasks' lists all"):
        mi.task("")
    with pytest.raises(ParameterError, match="a task's name must be a string, got list"):
        mi.task(["1v1-normal-0.75"])
    with pytest.raises(UnknownName, match="unknown name 'Norml'"):
        mi.task("Norml()")
    with pytest.raises(SpellingError, match="a task is an id or a distribution's spelling"):
        mi.task("NormalCDF()")
    with pytest.raises(SpellingError, match="AdditiveNoise needs epsilon"):
        mi.task("AdditiveNoise")
    with pytest.raises(UnknownName, match="unknown task 'AditiveNoise'; did you mean 'AdditiveNoise'"):
        mi.task("AditiveNoise")


def test_a_task_checks_what_it_is_made_of() -> None:
    normal = mi.task("1v1-normal-0.75").distribution
    for bad in ("", "two\nlines", 3):
        with pytest.raises(ParameterError, match="id must be a printable string"):
            mi.Task(bad, normal)
    with pytest.raises(ParameterError, match="distribution must be a Distribution"):
        mi.Task("a", "1v1-normal-0.75")
    with pytest.raises(DimensionError, match="dims of at least 1"):
        mi.Task("a", mi.Noise(3, 0))
    assert mi.Task("a", normal).name == "a"


@pytest.mark.parametrize(("n", "seed"), [(0, 0), (-5, 0), (10, -1), (10, 0.5), (10.0, 0), (True, 0), (10, None)])
def test_bad_draws_are_refused(n: object, seed: object) -> None:
    with pytest.raises(InvalidInput, match="must be a whole number >="):
        mi.TASKS[0].draw(n, seed)


def test_numpy_integers_are_numbers_of_points_and_seeds() -> None:
    task = mi.TASKS[0]
    assert task.draw(np.int64(50), np.uint8(3)).fingerprint == task.draw(50, 3).fingerprint
    assert len(task.draw(5, 2**200)) == 5
