"""A sample as a folder that every language reads: CSV files and a JSON page, the truth apart (contract/CONTRACT.md)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from mibench import checks, identity
from mibench.errors import InvalidInput, ParameterError, SampleFolderError
from mibench.tasks.task import Task
from mibench.types import Array, Draws, fingerprint

CONTRACT = 1
FORMATS = ("csv", "parquet", "npy")
_PAGE = "sample.json"
_TRUTH = "truth.json"


@dataclass(frozen=True, eq=False)
class Sample:
    """A sample that was read from a folder, its fingerprint verified."""

    x: Array
    y: Array
    task: str
    seed: int
    fingerprint: str


def write_sample(
    task: Task,
    n: int,
    seed: int,
    folder: str | Path,
    *,
    formats: Collection[str] = ("csv",),
    truth: str | Path | None = _TRUTH,
    overwrite: bool = False,
) -> Path:
    """Draw a sample and write it: x and y in each format, `sample.json`, and the truth where it is wanted.

    `truth` is a path, relative to the folder; None leaves it out, for blind evaluation. `sample.json` is written
    last, so that a folder that has it is whole.

    >>> import mibench as mi, tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = write_sample(mi.task("1v1-normal-0.75"), n=100, seed=0, folder=place)
    ...     sorted(p.name for p in folder.iterdir()), read_sample(folder).x.shape
    (['sample.json', 'truth.json', 'x.csv', 'y.csv'], (100, 1))
    """
    wanted = _check_formats(formats)
    draws = task.draw(n, seed)
    place = Path(folder)
    _make_room(place, overwrite)
    for side, points in (("x", draws.x), ("y", draws.y)):
        for kind in wanted:
            _WRITERS[kind](place / f"{side}.{kind}", side, points)
    if truth is not None:
        _write_json(place / truth, truth_page(task, draws, n, seed))
    _write_json(place / _PAGE, sample_page(task, draws, seed, wanted))
    return place


def sample_page(task: Task, draws: Draws, seed: int, formats: Collection[str]) -> dict[str, Any]:
    """What `sample.json` says of a sample."""
    return {
        "contract": CONTRACT,
        "task": task.id,
        "n": len(draws),
        "seed": seed,
        "dim_x": task.dim_x,
        "dim_y": task.dim_y,
        "fingerprint": draws.fingerprint,
        "files": {kind: {"x": f"x.{kind}", "y": f"y.{kind}"} for kind in formats},
    }


def truth_page(task: Task, draws: Draws, n: int, seed: int) -> dict[str, Any]:
    """What `truth.json` says of a sample."""
    return {
        "contract": CONTRACT,
        "task": task.id,
        "n": n,
        "seed": seed,
        "fingerprint": draws.fingerprint,
        "mi": float(task.mi),
        "mi_error": task.mi.error,
        "unit": "nats",
        "distribution": identity.spell(task.distribution),
    }


def read_sample(folder: str | Path) -> Sample:
    """Read a sample's folder, and check that its points are those that `sample.json` speaks of."""
    place = Path(folder)
    page = _read_page(place)
    x, y = (_read_points(place, page, side) for side in ("x", "y"))
    found = fingerprint(x, y)
    if found != page["fingerprint"]:
        raise SampleFolderError(
            f"the points in {place} are not those of its {_PAGE}: their fingerprint is {found[:12]}..., not "
            f"{page['fingerprint'][:12]}...; write the sample anew"
        )
    return Sample(x, y, task=page["task"], seed=page["seed"], fingerprint=found)


def _check_formats(formats: Collection[str]) -> list[str]:
    unknown = [f for f in formats if f not in FORMATS]
    if unknown or isinstance(formats, str) or not formats:
        raise ParameterError(f"formats must be one or more of {', '.join(FORMATS)}, got {formats!r}")
    return [f for f in FORMATS if f in formats]


def _make_room(place: Path, overwrite: bool) -> None:
    """The folder, empty of any earlier sample; what is not ours in it is left alone."""
    try:
        if place.is_dir() and any(place.iterdir()) and not overwrite:
            raise SampleFolderError(f"{place} is not empty; name a new folder, or overwrite the sample in it (--force)")
        place.mkdir(parents=True, exist_ok=True)
        for name in (_PAGE, _TRUTH, *(f"{side}.{kind}" for side in "xy" for kind in FORMATS)):
            (place / name).unlink(missing_ok=True)
    except OSError as error:
        raise SampleFolderError(f"cannot make the folder {place}: {error}") from error


def _write_json(path: Path, page: dict[str, Any]) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(page, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as error:
        raise SampleFolderError(f"cannot write {path}: {error}") from error


def _write_csv(path: Path, side: str, points: Array) -> None:
    # Polars writes the shortest decimal that reads back as the same double.
    _frame(side, points).write_csv(path)


def _write_parquet(path: Path, side: str, points: Array) -> None:
    _frame(side, points).write_parquet(path)


def _write_npy(path: Path, side: str, points: Array) -> None:  # noqa: ARG001
    np.save(path, points)


_WRITERS: dict[str, Callable[[Path, str, Array], None]] = {
    "csv": _write_csv,
    "parquet": _write_parquet,
    "npy": _write_npy,
}


def _frame(side: str, points: Array) -> Any:
    import polars as pl

    return pl.DataFrame({f"{side}{j + 1}": column for j, column in enumerate(np.ascontiguousarray(points.T))})


def _read_page(place: Path) -> dict[str, Any]:
    path = place / _PAGE
    try:
        page = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SampleFolderError(f"{place} has no {_PAGE}; write one with 'mibench sample TASK -o {place}'") from None
    except (OSError, ValueError) as error:
        raise SampleFolderError(f"cannot read {path}: {error}") from error
    return _checked_page(path, page)


def _checked_page(path: Path, page: Any) -> dict[str, Any]:
    if not isinstance(page, dict):
        raise SampleFolderError(f"{path} must be an object, got {type(page).__name__}")
    result = cast("dict[str, Any]", page)
    if result.get("contract") != CONTRACT:
        raise SampleFolderError(
            f"{path} follows version {result.get('contract')} of the contract; this reads version {CONTRACT}"
        )
    for name, kind in _FIELDS.items():
        if not isinstance(result.get(name), kind) or isinstance(result[name], bool):
            raise SampleFolderError(f"{path} must have {name!r}, of type {kind.__name__}; got {result.get(name)!r}")
    return result


_FIELDS = {"task": str, "n": int, "seed": int, "dim_x": int, "dim_y": int, "fingerprint": str, "files": dict}


def _read_points(place: Path, page: dict[str, Any], side: str) -> Array:
    import polars as pl

    named = {k: page["files"][k] for k in reversed(FORMATS) if isinstance(page["files"].get(k), dict)}
    kind = next((k for k, files in named.items() if isinstance(files.get(side), str)), None)
    if kind is None:
        raise SampleFolderError(f"{place / _PAGE} names no file of {side} in a known format ({', '.join(FORMATS)})")
    path = place / Path(named[kind][side]).name  # in the folder, wherever the page points
    try:
        if kind == "npy":
            return checks.points(side, np.load(path, allow_pickle=False), page[f"dim_{side}"])
        frame = pl.read_parquet(path) if kind == "parquet" else pl.read_csv(path, infer_schema_length=None)
        return checks.points(side, frame.cast(pl.Float64).to_numpy(), page[f"dim_{side}"])
    except (OSError, ValueError, pl.exceptions.PolarsError) as error:
        if isinstance(error, InvalidInput):
            raise SampleFolderError(f"{path}: {error}") from None
        raise SampleFolderError(f"cannot read {path}: {error}") from error
