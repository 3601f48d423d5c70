"""Folders of samples: whole, readable in any way, verified, and safe to write."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

import jsonschema
import numpy as np
import pytest

import mibench as mi
from mibench.errors import ParameterError, SampleFolderError
from mibench.samples import read_sample, write_sample

TASK = mi.task("swissroll_x-normal_cdf-1v1-normal-0.75")
CONTRACT = Path(__file__).parents[1] / "contract"


def _schema(name: str) -> dict:
    return json.loads((CONTRACT / f"{name}.schema.json").read_text(encoding="utf-8"))


def _json(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("formats", [("csv",), ("parquet",), ("npy",), ("npy", "csv", "parquet")])
def test_what_is_written_is_what_was_drawn(tmp_path: Path, formats: tuple[str, ...]) -> None:
    folder = write_sample(TASK, n=500, seed=3, folder=tmp_path / "a" / "b", formats=formats)
    draws = TASK.draw(500, 3)
    found = read_sample(folder)
    np.testing.assert_array_equal(found.x, draws.x)
    np.testing.assert_array_equal(found.y, draws.y)
    assert (found.task, found.seed, found.fingerprint) == (TASK.id, 3, draws.fingerprint)
    names = {f"{side}.{kind}" for side in "xy" for kind in formats} | {"sample.json", "truth.json"}
    assert {p.name for p in folder.iterdir()} == names


def test_pages_follow_their_schemas(tmp_path: Path) -> None:
    for task in (TASK, mi.Task("mine, with an ö", mi.Mixture((mi.AdditiveNoise(0.1), mi.Noise(1, 1)), (0.5, 0.5)))):
        folder = write_sample(task, n=5, seed=0, folder=tmp_path, formats=("csv", "npy"), overwrite=True)
        page, truth = _json(folder / "sample.json"), _json(folder / "truth.json")
        for schema, document in (("sample", page), ("truth", truth)):
            jsonschema.Draft202012Validator.check_schema(_schema(schema))
            jsonschema.validate(document, _schema(schema))
        assert page["task"] == truth["task"] == task.id
        assert page["fingerprint"] == truth["fingerprint"]
        assert (truth["mi"], truth["mi_error"]) == (task.mi, task.mi.error)
        assert mi.parse(truth["distribution"]) == task.distribution
        assert "mi" not in page


def test_csv_as_another_language_reads_it(tmp_path: Path) -> None:
    heavy = mi.Task("heavy", mi.Student(np.eye(3), dof=0.3, dim_x=1))
    folder = write_sample(heavy, n=2000, seed=1, folder=tmp_path)
    rows = list(csv.reader((folder / "y.csv").read_text(encoding="ascii").splitlines()))
    assert rows[0] == ["y1", "y2"]
    found = np.array([[float(v) for v in row] for row in rows[1:]])
    np.testing.assert_array_equal(found, heavy.draw(2000, 1).y)
    assert b"\r" not in (folder / "y.csv").read_bytes()
    assert np.abs(found).max() > 1e9  # so exponents are among them


def test_columns_of_parquet_are_named(tmp_path: Path) -> None:
    import polars as pl

    folder = write_sample(TASK, n=5, seed=0, folder=tmp_path, formats=["parquet"])
    assert pl.read_parquet(folder / "x.parquet").columns == ["x1", "x2"]


def test_truth_can_be_elsewhere_or_nowhere(tmp_path: Path) -> None:
    blind = write_sample(TASK, n=5, seed=0, folder=tmp_path / "blind", truth=None)
    assert sorted(p.name for p in blind.iterdir()) == ["sample.json", "x.csv", "y.csv"]
    apart = write_sample(TASK, n=5, seed=0, folder=tmp_path / "apart", truth=tmp_path / "its-truth.json")
    assert "truth.json" not in {p.name for p in apart.iterdir()}
    assert _json(tmp_path / "its-truth.json")["mi"] == TASK.mi
    write_sample(TASK, n=5, seed=0, folder=tmp_path / "c", truth=tmp_path / "new" / "place.json")
    assert (tmp_path / "new" / "place.json").exists()
    with pytest.raises(SampleFolderError, match=r"cannot (write|use)"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path / "d", truth=tmp_path / "its-truth.json" / "place.json")


def test_a_full_folder_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(SampleFolderError, match="is not empty"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path)
    write_sample(TASK, n=np.int64(5), seed=np.uint8(0), folder=tmp_path, formats=("npy",), overwrite=True)
    folder = write_sample(TASK, n=7, seed=0, folder=tmp_path, overwrite=True)
    assert sorted(p.name for p in folder.iterdir()) == ["notes.txt", "sample.json", "truth.json", "x.csv", "y.csv"]
    assert len(read_sample(folder).x) == 7


def test_damage_is_noticed(tmp_path: Path) -> None:
    folder = write_sample(TASK, n=20, seed=0, folder=tmp_path)
    good = (folder / "x.csv").read_text()
    lines = good.splitlines()
    cases = {
        "not those of its sample.json": "\n".join([*lines[:-1], "0.25,0.5"]),
        "x must have 2 columns": "\n".join(line.split(",")[0] for line in lines),
        "must have 20 points as its sample.json says, got 19 and 20": "\n".join(lines[:-1]),
        "cannot read": "\n".join([*lines[:-1], "left,right"]),
        "NaN or infinity": "\n".join([*lines[:-1], "NaN,0.5"]),
    }
    for message, text in cases.items():
        (folder / "x.csv").write_text(text + "\n")
        with pytest.raises(SampleFolderError, match=message):
            read_sample(folder)
    (folder / "x.csv").unlink()
    with pytest.raises(SampleFolderError, match="cannot read"):
        read_sample(folder)


def test_pages_that_are_not_ours(tmp_path: Path) -> None:
    with pytest.raises(SampleFolderError, match=r"has no sample.json; write one with 'mibench sample TASK"):
        read_sample(tmp_path)
    folder = write_sample(TASK, n=5, seed=0, folder=tmp_path)
    page = _json(folder / "sample.json")
    cases: dict[str, object] = {
        "must be an object": [1, 2],
        "must have 'task', of type str; got None": {"contract": 1},
        "follows version 99": {**page, "contract": 99},
        "names no file of x in a known": {**page, "files": {"xlsx": {"x": "x.xlsx", "y": "y.xlsx"}}},
        "must have 'files', of type dict; got 3": {**page, "files": 3},
        "x in a known format": {**page, "files": {"csv": ["x.csv"], "npy": {"x": 3}}},
        "passwd": {**page, "files": {"csv": {"x": "/etc/passwd", "y": "../../y.csv"}}},
        "must have 'dim_x', of type int; got 'two'": {**page, "dim_x": "two"},
        "must have 'n', of type int; got True": {**page, "n": True},
        "x must have 7 columns": {**page, "dim_x": 7},
    }
    for message, document in cases.items():
        (folder / "sample.json").write_text(json.dumps(document))
        with pytest.raises(SampleFolderError, match=message):
            read_sample(folder)
    (folder / "sample.json").write_text("{torn")
    with pytest.raises(SampleFolderError, match="cannot read"):
        read_sample(folder)


def test_what_cannot_be_written_leaves_the_old_sample(tmp_path: Path) -> None:
    folder = write_sample(TASK, n=5, seed=0, folder=tmp_path / "s")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    (tmp_path / "directory").mkdir()
    (tmp_path / "file").write_text("")

    class Unspelled(mi.Distribution):
        """A distribution that is no dataclass, so that its truth cannot be spelled."""

        dim_x = dim_y = 1
        mi = mi.Truth(0.0)  # pyright: ignore[reportIncompatibleMethodOverride, reportAssignmentType]

        def _draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            return rng.random((n, 1)), rng.random((n, 1)), np.zeros(n)

    for truth in (tmp_path / "directory", tmp_path / "file", tmp_path / "file" / "t.json"):
        with pytest.raises(SampleFolderError):
            write_sample(TASK, n=5, seed=1, folder=folder, truth=truth, overwrite=True)
    remedies = r"no frozen dataclass .* so give it one, or write the sample without its truth \(truth=None"
    with pytest.raises(ParameterError, match=f"type Unspelled has no spelling, .* {remedies}"):
        write_sample(mi.Task("u", Unspelled()), n=5, seed=1, folder=folder, overwrite=True)
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == before


def test_a_foreign_page_is_not_ours_to_overwrite(tmp_path: Path) -> None:
    (tmp_path / "sample.json").write_text('{"mine": 1}')
    with pytest.raises(SampleFolderError, match="is no sample; move them away first"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path, overwrite=True)
    assert (tmp_path / "sample.json").read_text() == '{"mine": 1}'


@pytest.mark.parametrize("name", ["r[1]", "a*b", "ö ü", "$HOME", "-x"])
def test_any_name_of_a_folder_will_do(tmp_path: Path, name: str) -> None:
    folder = write_sample(TASK, n=5, seed=0, folder=tmp_path / name, formats=("csv", "parquet"))
    assert len(read_sample(folder).x) == 5
    (folder / "x.parquet").unlink()
    with pytest.raises(SampleFolderError, match="cannot read"):
        read_sample(folder)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"\x93NUMPY", b"\x93NUMPY\x01\x00\x10\x00{'descr': nonsense"])
def test_broken_arrays_are_refused(tmp_path: Path, content: bytes) -> None:
    folder = write_sample(TASK, n=5, seed=0, folder=tmp_path, formats=("npy",))
    (folder / "x.npy").write_bytes(content)
    with pytest.raises(SampleFolderError, match="cannot read"):
        read_sample(folder)


def test_nothing_of_the_users_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text("mine")
    with pytest.raises(SampleFolderError, match=r"has files of a sample's names but is no sample"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path, overwrite=True)
    assert (tmp_path / "x.csv").read_text() == "mine"
    results = tmp_path / "results.csv"
    results.write_text("mine too")
    with pytest.raises(SampleFolderError, match=r"results.csv exists; name a new file for the truth"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path / "new", truth=results)
    assert results.read_text() == "mine too"
    assert not (tmp_path / "new").exists()
    for name in ("x.csv", "sample.json", "../new/y.npy"):
        with pytest.raises(ParameterError, match="the truth must have a file of its own"):
            write_sample(TASK, n=5, seed=0, folder=tmp_path / "new", truth=name)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"task": "1v1-normal-0.75"}, "task must be a Task, got '1v1-normal-0.75'"),
        ({"folder": None}, "folder must be a path of printable characters, got None"),
        ({"truth": 3}, "truth must be a path of printable characters, got 3"),
        ({"folder": "a\0b"}, "printable characters"),
        ({"formats": None}, "formats must be one or more of"),
        ({"n": "5"}, "n must be a whole number"),
        ({"seed": -1}, "seed must be a whole number"),
    ],
)
def test_bad_arguments_are_refused(tmp_path: Path, arguments: dict, message: str) -> None:
    good = {"task": TASK, "n": 5, "seed": 0, "folder": tmp_path / "new"}
    with pytest.raises(ParameterError, match=message):
        write_sample(**{**good, **arguments})
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("formats", [(), ("xlsx",), ("csv", "xls"), "csv"])
def test_unknown_formats_are_refused(tmp_path: Path, formats: object) -> None:
    with pytest.raises(ParameterError, match="one or more of csv, parquet, npy"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path, formats=formats)
    assert not any(tmp_path.iterdir())


@pytest.mark.skipif(os.name != "posix", reason="needs a file system with POSIX paths")
def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SampleFolderError, match="file is not empty"):
        write_sample(TASK, n=5, seed=0, folder=tmp_path / "file")


def test_bad_numbers_leave_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ParameterError):
        write_sample(TASK, n=0, seed=0, folder=tmp_path / "never")
    assert not (tmp_path / "never").exists()
