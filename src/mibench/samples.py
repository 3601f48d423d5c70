"""A sample as a folder that every language reads: CSV files and a JSON page, the truth apart (contract/CONTRACT.md)."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import tokenize
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from mibench import checks, identity
from mibench.distributions.base import Distribution
from mibench.errors import InvalidInput, ParameterError, SampleFolderError, SpellingError
from mibench.tasks.task import Task
from mibench.types import Array, Draws, fingerprint
from mibench.version import __version__

CONTRACT = 1
FORMATS = ("csv", "parquet", "npy")
_PAGE = "sample.json"
_TRUTH = "truth.json"
_OURS = (_PAGE, _TRUTH, *(f"{side}.{kind}" for side in "xy" for kind in FORMATS))


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
    checks.member("task", task, Task)
    n, seed = checks.whole("n", n, least=1), checks.whole("seed", seed, least=0, most=2**256)
    wanted = _check_formats(formats)
    place = _path("folder", folder)
    truth_file = None if truth is None else place / _path("truth", truth)
    _need_room(place, truth_file, overwrite)
    draws = task.draw(n, seed)
    pages = {_PAGE: sample_page(task, draws, seed, wanted)}
    if truth_file is not None:
        pages[_TRUTH] = truth_page(task, draws, seed)
    try:
        _write_all(place, truth_file, draws, wanted, pages)
    except OSError as error:
        raise SampleFolderError(f"cannot write the sample to {place}: {error}") from error
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
        "mibench": __version__,
        "files": {kind: {"x": f"x.{kind}", "y": f"y.{kind}"} for kind in formats},
    }


def truth_page(task: Task, draws: Draws, seed: int) -> dict[str, Any]:
    """What `truth.json` says of a sample."""
    return {
        "contract": CONTRACT,
        "task": task.id,
        "n": len(draws),
        "seed": seed,
        "fingerprint": draws.fingerprint,
        "mi": float(task.mi),
        "mi_error": task.mi.error,
        "unit": "nats",
        "distribution": _spelling(task.distribution),
    }


def _spelling(distribution: Distribution) -> str:
    try:
        return identity.spell(distribution)
    except (SpellingError, ParameterError) as error:
        raise ParameterError(
            f"{error}; the truth names the distribution by its spelling, so give it one, or write the sample without "
            "its truth (truth=None, or --no-truth)"
        ) from None


def read_sample(folder: str | Path) -> Sample:
    """Read a sample's folder, and check that its points are those that `sample.json` speaks of."""
    place = _path("folder", folder)
    page = _read_page(place)
    x, y = (_read_points(place, page, side) for side in ("x", "y"))
    if not len(x) == len(y) == page["n"]:
        raise SampleFolderError(f"{place} must have {page['n']} points as its {_PAGE} says, got {len(x)} and {len(y)}")
    found = fingerprint(x, y)
    if found != page["fingerprint"]:
        raise SampleFolderError(
            f"the points in {place} are not those of its {_PAGE}: their fingerprint is {found[:12]}..., not "
            f"{page['fingerprint'][:12]}...; write the sample anew"
        )
    return Sample(x, y, task=page["task"], seed=page["seed"], fingerprint=found)


def _check_formats(formats: Collection[str]) -> list[str]:
    known = isinstance(formats, Collection) and not isinstance(formats, str) and len(formats) > 0  # pyright: ignore[reportUnnecessaryIsInstance]
    if not known or any(f not in FORMATS for f in formats):
        raise ParameterError(f"formats must be one or more of {', '.join(FORMATS)}, got {formats!r}")
    return [f for f in FORMATS if f in formats]


def _path(name: str, value: object) -> Path:
    text = os.fspath(cast("os.PathLike[str]", value)) if isinstance(value, str | os.PathLike) else None
    if not isinstance(text, str) or not text.isprintable():
        raise ParameterError(f"{name} must be a path of printable characters, got {value!r}")
    return Path(text)


def _need_room(place: Path, truth: Path | None, overwrite: bool) -> None:
    """An error if writing would destroy what is there: anything, or, to overwrite, what is not a sample's."""
    ours = [place / name for name in _OURS]
    try:
        if truth is not None and truth.resolve() in [p.resolve() for p in ours if p.name != _TRUTH]:
            raise ParameterError(f"the truth must have a file of its own, not {truth.name}")
        if not overwrite and place.exists() and (not place.is_dir() or any(place.iterdir())):
            raise SampleFolderError(f"{place} is not empty; name a new folder, or overwrite the sample in it (--force)")
        if any(p.exists() for p in ours) and "fingerprint" not in _page_if_any(place / _PAGE):
            raise SampleFolderError(f"{place} has files of a sample's names but is no sample; move them away first")
        if truth is not None and truth.exists() and not (overwrite and "mi_error" in _page_if_any(truth)):
            raise SampleFolderError(f"{truth} exists; name a new file for the truth, or overwrite a truth (--force)")
    except (OSError, RuntimeError) as error:  # a loop of links is a RuntimeError
        raise SampleFolderError(f"cannot use {place}: {error}") from error


def _page_if_any(path: Path) -> dict[str, Any]:
    try:
        page = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return cast("dict[str, Any]", page) if isinstance(page, dict) else {}


def _write_all(
    place: Path, truth: Path | None, draws: Draws, formats: list[str], pages: dict[str, dict[str, Any]]
) -> None:
    """Write every file beside its place, and then move all into place, `sample.json` last."""
    place.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".writing-", dir=place) as drafts:
        draft = Path(drafts)
        for side, points in (("x", draws.x), ("y", draws.y)):
            for kind in formats:
                _write_points(draft / f"{side}.{kind}", side, points)
        for name, page in pages.items():
            (draft / name).write_text(json.dumps(page, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
        if truth is not None:
            truth.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(draft / _TRUTH, truth)
        for name in _OURS:
            if place / name != truth:
                (place / name).unlink(missing_ok=True)
        for name in sorted((p.name for p in draft.iterdir()), key=lambda name: name == _PAGE):
            (draft / name).replace(place / name)


def _write_points(path: Path, side: str, points: Array) -> None:
    if path.suffix == ".npy":
        np.save(path, points)
    elif path.suffix == ".parquet":
        _frame(side, points).write_parquet(path)
    else:  # Polars writes the shortest decimal that reads back as the same double
        _frame(side, points).write_csv(path)


def _frame(side: str, points: Array) -> Any:
    import polars as pl

    return pl.DataFrame({f"{side}{j + 1}": column for j, column in enumerate(np.ascontiguousarray(points.T))})


def _read_page(place: Path) -> dict[str, Any]:
    path = place / _PAGE
    try:
        page = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SampleFolderError(f"{place} has no {_PAGE}; write one with 'mibench sample TASK -o {place}'") from None
    except (OSError, ValueError, RecursionError) as error:
        raise SampleFolderError(f"cannot read {path}: {_first_line(error)}") from error
    return _checked_page(path, page)


def _checked_page(path: Path, page: Any) -> dict[str, Any]:
    if not isinstance(page, dict):
        raise SampleFolderError(f"{path} must be an object, got {type(page).__name__}")
    result = cast("dict[str, Any]", page)
    if result.get("contract") != CONTRACT or isinstance(result["contract"], bool):
        raise SampleFolderError(
            f"{path} follows version {result.get('contract')} of the contract; this reads version {CONTRACT}"
        )
    for name, kind in _FIELDS.items():
        if not isinstance(result.get(name), kind) or isinstance(result[name], bool):
            raise SampleFolderError(f"{path} must have {name!r}, of type {kind.__name__}; got {result.get(name)!r}")
    return result


_FIELDS = {"task": str, "n": int, "seed": int, "dim_x": int, "dim_y": int, "fingerprint": str, "files": dict}


_UNREADABLE = (OSError, ValueError, TypeError, EOFError, OverflowError, MemoryError, SyntaxError, tokenize.TokenError)


def _read_points(place: Path, page: dict[str, Any], side: str) -> Array:
    import polars as pl

    named = {k: page["files"][k] for k in reversed(FORMATS) if isinstance(page["files"].get(k), dict)}
    kind = next((k for k, files in named.items() if isinstance(files.get(side), str)), None)
    if kind is None:
        raise SampleFolderError(f"{place / _PAGE} names no file of {side} in a known format ({', '.join(FORMATS)})")
    path = place / Path(named[kind][side]).name  # in the folder, wherever the page points
    try:
        if kind == "npy":
            if not path.read_bytes().startswith(b"\x93NUMPY"):
                raise SampleFolderError(f"cannot read {path}: it is not in NumPy's format")
            return checks.points(side, np.load(path, allow_pickle=False), page[f"dim_{side}"])
        if kind == "parquet":
            frame = pl.read_parquet(path, glob=False)
        else:
            frame = pl.read_csv(path, infer_schema_length=None, glob=False)
        return checks.points(side, frame.cast(pl.Float64).to_numpy(), page[f"dim_{side}"])
    except (*_UNREADABLE, pl.exceptions.PolarsError) as error:
        if isinstance(error, InvalidInput):
            raise SampleFolderError(f"{path}: {error}") from None
        raise SampleFolderError(f"cannot read {path}: {_first_line(error)}") from error


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
