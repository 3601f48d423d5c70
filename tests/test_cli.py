"""The command line as a person uses it: in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from commands import error, run

import mibench as mi
from mibench.samples import read_sample


def test_tasks_lists_the_forty() -> None:
    lines = run("tasks").stdout.splitlines()
    for task in mi.TASKS:
        line = next(line for line in lines if line.split()[:1] == [task.id])
        assert line.split()[1:] == [str(task.dim_x), "×", str(task.dim_y), f"{task.mi:.4f}", task.group]


def test_tasks_as_json() -> None:
    rows = json.loads(run("tasks", "--json").stdout)
    assert [r["id"] for r in rows] == [t.id for t in mi.TASKS]
    assert rows[0] == {
        "id": "1v1-normal-0.75",
        "name": "Bivariate normal 1 × 1",
        "group": "one-dimensional",
        "dim_x": 1,
        "dim_y": 1,
        "mi": float(mi.TASKS[0].mi),
        "mi_error": 0.0,
    }


def test_tasks_of_a_group_in_bits() -> None:
    lines = [line.split() for line in run("tasks", "--group", "embedding", "--unit", "bits").stdout.splitlines()]
    assert [line[4] for line in lines if line and line[0].startswith("swissroll")] == ["0.5963"]
    assert not any(line and line[0].startswith("multinormal") for line in lines)
    assert "MI (bits)" in run("tasks", "--unit", "bits").stdout


def test_tasks_checked_by_draws() -> None:
    done = run("tasks", "--check", "-n", 2000, "--seed", 1)
    assert "40 of 40 truths agree with 2000 draws" in done.stdout
    rows = json.loads(run("tasks", "--check", "-n", 1000, "--group", "student", "--json").stdout)
    assert len(rows) == 6
    for row in rows:
        assert row["check"]["n"] == 1000
        assert abs(row["check"]["mean"] - row["mi"]) < 5 * row["check"]["error"]


def test_sample_writes_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    done = run("sample", "1v1-bimodal-0.75", "-n", 250, "--seed", 4, "-o", folder)
    expected = mi.task("1v1-bimodal-0.75").draw(250, 4)
    assert done.stdout == f"{folder}: 250 points, fingerprint {expected.fingerprint[:16]}...\n"
    assert read_sample(folder).fingerprint == expected.fingerprint
    assert "is not empty; name a new folder" in error("sample", "1v1-bimodal-0.75", "-o", folder)
    page = json.loads(run("sample", "1v1-bimodal-0.75", "-n", 10, "-o", folder, "--force", "--json").stdout)
    assert page == json.loads((folder / "sample.json").read_text())
    assert page["n"] == 10


def test_sample_in_other_formats_and_blind(tmp_path: Path) -> None:
    options = ("--format", "npy", "--format", "parquet", "--no-truth")
    run("sample", "AdditiveNoise(epsilon=1/4)", "-n", 10, "-o", tmp_path / "a", *options)
    names = {p.name for p in (tmp_path / "a").iterdir()}
    assert names == {"x.npy", "y.npy", "x.parquet", "y.parquet", "sample.json"}
    assert read_sample(tmp_path / "a").task == "AdditiveNoise(epsilon=0.25)"
    run("sample", "1v1-additive-0.1", "-n", 10, "-o", tmp_path / "b", "--truth", tmp_path / "t.json")
    assert json.loads((tmp_path / "t.json").read_text())["unit"] == "nats"
    assert not (tmp_path / "b" / "truth.json").exists()
    both = ("--truth", tmp_path / "t.json", "--no-truth")
    assert "not both" in error("sample", "1v1-additive-0.1", "-o", tmp_path / "c", *both)


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_show_draws_a_picture(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "new" / f"picture.{suffix}"
    assert run("show", "spiral-multinormal-sparse-3-3-2-2.0", "-o", path, "-n", 500).stdout == f"{path}\n"
    head = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[suffix]
    assert path.read_bytes().startswith(head)
    assert path.stat().st_size < 3_000_000


def test_show_takes_axes_and_refuses_what_it_cannot_draw(tmp_path: Path) -> None:
    run("show", "multinormal-dense-25-25-0.5", "-o", tmp_path / "p.png", "-n", 100, "--axes", "x1, x25,y3")
    assert "x26" in error("show", "multinormal-dense-25-25-0.5", "-o", tmp_path / "p.png", "--axes", "x1,x26")
    assert "must be a .png, .pdf or .svg" in error("show", "1v1-normal-0.75", "-o", tmp_path / "p.jpeg")
    (tmp_path / "dir.png").mkdir()
    assert "cannot write" in error("show", "1v1-normal-0.75", "-n", 50, "-o", tmp_path / "dir.png")


def test_errors_are_one_line_and_debug_shows_the_rest(tmp_path: Path) -> None:
    message = error("sample", "1v1-norml-0.75", "-o", tmp_path / "x")
    assert message.startswith("mibench: unknown task '1v1-norml-0.75'; did you mean '1v1-normal-0.75'")
    assert "n must be a whole number >= 1, got 0" in error("sample", "1v1-normal-0.75", "-n", 0, "-o", tmp_path / "x")
    assert "seed must be a whole number >= 0" in error("show", "1v1-normal-0.75", "--seed", -1, "-o", "p.png")
    assert "os:system must be a frozen dataclass" in error("sample", "os:system('true')", "-o", tmp_path / "x")
    assert not (tmp_path / "x").exists()
    full = run("--debug", "sample", "1v1-norml-0.75", "-o", tmp_path / "x", code=1).stderr
    assert "Traceback" in full
    assert "UnknownName" in full


def test_a_distribution_of_ones_own_is_a_task(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from dataclasses import dataclass\n"
        "import mibench as mi\n"
        "@dataclass(frozen=True)\n"
        "class Twice(mi.Distribution):\n"
        "    scale: float\n"
        "    dim_x = dim_y = 1\n"
        "    mi = mi.Truth(0.0)\n"
        "    def _draw(self, rng, n):\n"
        "        return self.scale * rng.random((n, 1)), rng.random((n, 1)), 0.0 * rng.random(n)\n"
    )
    command = [sys.executable, "-m", "mibench", "sample", "mine:Twice(scale=2)", "-n", "9", "-o", "out"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    assert json.loads((tmp_path / "out" / "sample.json").read_text())["task"] == "mine:Twice(scale=2)"


def test_families_are_tasks(tmp_path: Path) -> None:
    run("sample", "high-mi-spiral-2.5", "-n", 20, "-o", tmp_path / "f")
    assert json.loads((tmp_path / "f" / "truth.json").read_text())["mi"] == pytest.approx(2.5, abs=1e-12)


def test_what_does_not_fit_is_one_line_too(tmp_path: Path) -> None:
    for spelling in (
        "Discrete(3)",
        "Affine(((1,),), shift=1)",
        "Noise(1, 1, dof=())",
        "Normal(((1,0),(0,1)),1,mean=0)",
    ):
        assert error("sample", spelling, "-o", tmp_path / "x")
    assert "gigabytes and more; draw fewer" in error("sample", "1v1-normal-0.75", "-n", 10**15, "-o", tmp_path / "x")
    assert "n must be a whole number >= 2, got 1" in error("tasks", "--check", "-n", 1)


def test_help_and_version() -> None:
    for arguments in ((), ("tasks",), ("sample",), ("show",)):
        assert "Usage" in run(*arguments, "--help").stdout
    assert run("--version").stdout == f"mibench, version {mi.__version__}\n"
    assert "No such command" in error("taks")
    assert "Missing option '-o' / '--output'. (see 'python -m mibench sample --help')" in error("sample", "x")


def test_a_reader_that_stops_early_is_no_error() -> None:
    shell = f"{sys.executable} -m mibench tasks --json | head -n 1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)  # noqa: S607
    assert done.stdout == "[\n"
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("encoding", "sign"), [("ascii", "x"), ("latin-1", "×"), ("utf-8", "×")])
def test_tables_are_printed_in_any_encoding(encoding: str, sign: str) -> None:
    command = [sys.executable, "-m", "mibench", "tasks", "--check", "-n", "100", "--group", "embedding"]
    environment = {**os.environ, "PYTHONIOENCODING": encoding}
    done = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode(encoding)
    assert f"2 {sign} 1" in text
    assert (" +/- " if encoding == "ascii" else " ± ") in text


def test_json_is_printed_in_any_encoding() -> None:
    pages = []
    for encoding in ("ascii", "utf-8"):
        environment = {**os.environ, "PYTHONIOENCODING": encoding}
        command = [sys.executable, "-m", "mibench", "tasks", "--json"]
        done = subprocess.run(command, capture_output=True, env=environment, check=True)
        pages.append(json.loads(done.stdout.decode(encoding)))
    assert pages[0] == pages[1]
    assert len(pages[0]) == 40
