"""`mibench estimate` as an analyst uses it."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from commands import error, run

import mibench as mi
from mibench.preprocessing import standardise
from mibench.samples import write_sample

POINTS = np.random.default_rng(7).normal(size=(200, 3)) @ [[1.0, 0.5, 0.8], [0.0, 1.0, 0.3], [0.0, 0.0, 1.0]]
ESTIMATORS = ("-e", "CCA()", "-e", "Histogram(bins=5)")
OWN = """
from dataclasses import dataclass
import mibench as mi

@dataclass(frozen=True)
class Constant(mi.Estimator):
    value: float = 1.0
    def _estimate(self, x, y):
        if self.value < 0:
            raise ZeroDivisionError("nothing\\nto give")
        return mi.Estimate(self.value, (0.5 * self.value, 2.0 * self.value), ("made up",), {"shape": x.shape})

@dataclass(frozen=True)
class Unspelled(Constant):
    def __post_init__(self):
        object.__setattr__(self, "value", object())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("data")
    (place / "own.py").write_text(OWN)
    frame = pl.DataFrame(POINTS, schema=["height", "weight", "age"])
    frame.write_csv(place / "t.csv")
    frame.with_columns(twice=2 * frame["height"]).write_parquet(place / "t.parquet")
    (place / "gaps.csv").write_text("a,b,c\n,1,1\n2,NA,2\n" + "".join(f"{i},{i * i % 7},{i}\n" for i in range(30)))
    return place


def rows(stdout: str) -> dict[str, list[str]]:
    """The table's cells by estimator."""
    cells = [line.split() for line in stdout.splitlines() if line.startswith(" ")]
    return {row[0]: row[1:] for row in cells if row and row[0].endswith(")")}


def page(*arguments: object, folder: Path, code: int = 0) -> dict[str, Any]:
    return json.loads(run("estimate", *arguments, "--json", folder=folder, code=code).stdout)


def mi_of(found: dict[str, Any]) -> list[float]:
    return [estimate["mi"] for estimate in found["estimates"]]


def test_a_table_of_estimates(folder: Path) -> None:
    done = run("estimate", "t.csv", "--x", "height,weight", "--y", "age", *ESTIMATORS, folder=folder)
    x, y = standardise(POINTS[:, :2]), standardise(POINTS[:, 2])
    assert done.stdout.startswith("t.csv: 200 points; x is 'height', 'weight'; y is 'age'; preprocess standardise\n")
    found = rows(done.stdout)
    assert list(found) == ["CCA()", "Histogram(bins=5)"]
    for estimator, cells in found.items():
        assert cells[0] == f"{mi.parse(estimator).estimate(x, y).mi:.4f}"
    assert done.stderr == ""


def test_warnings_call_columns_by_their_names(tmp_path: Path) -> None:
    content = "id,blood, pressure,weight\n".replace("blood, pressure", '"blood, pressure"')
    (tmp_path / "t.csv").write_text(content + "".join(f"7,{i % 13},{i * i % 17}\n" for i in range(200)))
    for how in ("none", "standardise"):
        choice = ("t.csv", "--x", "1,2", "--y", "weight", "--preprocess", how)
        done = run("estimate", *choice, "-e", "CCA()", "-e", "Preprocessed(KSG(), 'none')", folder=tmp_path)
        for estimator in ("CCA()", "Preprocessed(estimator=KSG(), how='none')"):
            assert f"{estimator}: x has 1 constant column (column 'id'), left out\n" in done.stdout
        assert "x has equal values (column 'blood, pressure') and y has equal values (column 'weight')" in done.stdout


def test_bits_are_for_the_eye_and_json_is_in_nats(folder: Path) -> None:
    choice = ("t.csv", "--x", "1-2", "--y", "3", *ESTIMATORS, "--unit", "bits")
    found = page(*choice, folder=folder)
    assert found["unit"] == "nats"
    bits = run("estimate", *choice, folder=folder).stdout
    assert "MI (bits)" in bits
    for estimate in found["estimates"]:
        assert rows(bits)[estimate["estimator"]][0] == f"{estimate['mi'] / math.log(2):.4f}"
    assert mi_of(found)[0] == mi.CCA().estimate(standardise(POINTS[:, :2]), standardise(POINTS[:, 2])).mi


def test_json_says_what_was_done(folder: Path) -> None:
    found = page("gaps.csv", "--y", "b", "--drop-missing", "--preprocess", "none", "-e", "CCA", folder=folder)
    (estimate,) = found.pop("estimates")
    assert found == {
        "file": "gaps.csv",
        "n": 30,
        "dim_x": 2,
        "dim_y": 1,
        "dropped": 2,
        "x_columns": ["a", "c"],
        "y_columns": ["b"],
        "preprocess": "none",
        "unit": "nats",
    }
    assert set(estimate) == {"estimator", "mi", "interval", "seconds", "warnings", "info", "error"}
    assert estimate["estimator"] == "CCA()"


def test_dropped_rows_are_told(folder: Path) -> None:
    done = run("estimate", "gaps.csv", "--x", "a", "--y", "b", "--drop-missing", "-e", "CCA()", folder=folder)
    assert done.stderr == "mibench: dropped 2 of 32 rows, which have missing values\n"
    assert done.stdout.startswith("gaps.csv: 30 points;")


def test_preprocessing_comes_first(folder: Path) -> None:
    choice = ("t.csv", "--x", "height", "--y", "age", "-e", "Histogram(bins=5)", "-e")
    ranks = page(*choice, "Preprocessed(Histogram(bins=5), 'uniformise')", "--preprocess", "uniformise", folder=folder)
    plain = page(*choice, "Preprocessed(Histogram(bins=5), 'uniformise')", folder=folder)
    assert mi_of(ranks)[0] == mi_of(ranks)[1] == mi_of(plain)[1] != mi_of(plain)[0]


def test_a_folder_of_a_sample_knows_x_and_y(tmp_path: Path) -> None:
    task = mi.task("multinormal-sparse-3-3-2-2.0")
    write_sample(task, n=2000, seed=0, folder=tmp_path / "s")
    found = page("s", "-e", "CCA", folder=tmp_path)
    assert mi_of(found) == pytest.approx([task.mi], abs=0.1)
    assert (found["x_columns"], found["y_columns"]) == (["x1", "x2", "x3"], ["y1", "y2", "y3"])


def test_jobs_make_no_difference(folder: Path) -> None:
    choice = ("t.csv", "--x", "1,2", "--y", "3", "-e", "KDE()")
    one, two = (page(*choice, "-j", jobs, folder=folder) for jobs in (1, 2))
    assert mi_of(one) == mi_of(two)
    assert two["estimates"][0]["estimator"] == "KDE()"


def test_an_estimator_that_fails_leaves_the_others(folder: Path) -> None:
    choice = ("t.parquet", "--x", "height", "--y", "twice,age", "-e", "own:Constant(-1.0)", *ESTIMATORS)
    done = run("estimate", *choice, folder=folder, code=1)
    assert done.stderr == ""
    found = rows(done.stdout)
    assert found["own:Constant(value=-1.0)"][0] == found["CCA()"][0] == "-"
    assert float(found["Histogram(bins=5)"][0]) > 0.0
    assert "own:Constant(value=-1.0) failed: ZeroDivisionError: nothing to give\n" in done.stdout
    assert "CCA() failed: a combination of x's columns is one of y's" in done.stdout
    estimates = page(*choice, folder=folder, code=1)["estimates"]
    assert [e["mi"] is None for e in estimates] == [e["error"] is not None for e in estimates] == [True, True, False]
    shown = run("--debug", "estimate", *choice, folder=folder, code=1)
    assert 'raise ZeroDivisionError("nothing' in shown.stderr
    assert list(rows(shown.stdout)) == list(found)


def test_an_estimator_of_ones_own_from_this_folder(folder: Path) -> None:
    choice = ("t.csv", "--x", "1,2", "--y", "3", "-e", "own:Constant(value=0.25)", "-e", "CCA()")
    done = run("estimate", *choice, folder=folder)
    head = next(line for line in done.stdout.splitlines() if "estimator" in line)
    assert head.split() == ["estimator", "MI", "(nats)", "interval", "seconds"]
    assert rows(done.stdout)["own:Constant(value=0.25)"][:4] == ["0.2500", "0.1250", "to", "0.5000"]
    assert rows(done.stdout)["CCA()"][1] == "-"
    assert "own:Constant(value=0.25): made up\n" in done.stdout
    estimate = page(*choice, folder=folder)["estimates"][0]
    assert estimate["interval"] == [0.125, 0.5]
    assert (estimate["warnings"], estimate["info"]) == (["made up"], {"shape": [200, 2]})


SIDES = ("--x", "height", "--y", "age")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Missing argument 'FILE'. (see 'python -m mibench estimate --help')"),
        (("t.csv", "--unit", "ban"), "'ban' is not one of 'nats', 'bits'"),
        (("t.csv", "-e", "CCA()"), "say which columns are x and which are y, such as --x 1-2 --y 3; the columns are"),
        (("nix.csv", *SIDES), "there is no file nix.csv"),
        (("own.py", *SIDES), "own.py must be a .csv, .tsv, .parquet, .npy file or a sample's folder"),
        ((".", *SIDES), ". has no sample.json; write one with 'mibench sample TASK -o .'"),
        (("gaps.csv", "--x", "a", "--y", "b"), "missing values in 2 of 32 rows: 'a' in row 1; 'b' in row 2; drop such"),
        (("t.csv", "--x", "hieght", "--y", "age"), "unknown column 'hieght'; did you mean 'height'"),
        (("t.csv", *SIDES, "-e", "Hstogram()"), "unknown name 'Hstogram'; did you mean 'Histogram'"),
        (("t.csv", *SIDES, "-e", "Histogram(bins=1)"), "bins must be a whole number >= 2, got 1"),
        (
            ("t.csv", *SIDES, "-e", "Asinh()"),
            "an estimator must be spelled like CCA() or Histogram(bins=5), got 'Asinh",
        ),
        (("t.csv", *SIDES, "-e", "own:Nix()"), "own:Nix must be a frozen dataclass"),
        (("t.csv", *SIDES, "-e", "nix:Nix()"), "cannot import 'nix' for nix:Nix: ModuleNotFoundError"),
        (("nix.csv", *SIDES, "-e", "own:Unspelled()"), "a field of type object has no spelling"),  # before any work
        (("t.csv", *SIDES, "-e", "CCA()", "-j", "0"), "jobs must be a whole number >= 1, or -1 for all cores, got 0"),
    ],
)
def test_a_mistake_is_one_line(folder: Path, arguments: tuple[str, ...], message: str) -> None:
    given = arguments if "-e" in arguments else (*arguments, "-e", "CCA()")
    assert message in error("estimate", *given, folder=folder)


def test_the_estimators_that_are_taken_if_none_is_named(folder: Path) -> None:
    assert list(rows(run("estimate", "t.csv", *SIDES, folder=folder).stdout)) == ["KSG()", "CCA()"]
    assert "[default: KSG(), CCA()]" in run("estimate", "--help").stdout
