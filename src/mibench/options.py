"""What a person names at a command: a task, an estimator, a picture."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mibench import identity
from mibench.errors import ParameterError, SpellingError
from mibench.estimators.base import Estimator
from mibench.estimators.neural.base import NeuralEstimator
from mibench.outcomes import with_jobs
from mibench.tasks.lookup import task
from mibench.tasks.task import Task

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def named_task(name: str) -> Task:
    """The task of an id or a spelling."""
    _let_import(name)
    return task(name, allow_imports=True)


def named_estimator(spelling: str, jobs: int | None) -> Estimator:
    """The estimator of a spelling, with this number of threads."""
    _let_import(spelling)
    found = identity.parse(spelling, allow_imports=True)
    if not isinstance(found, Estimator):
        raise SpellingError(
            f"an estimator must be spelled like CCA() or Histogram(bins=5), got {spelling!r}, which is none; "
            f"there are {_known(Estimator)}"
        )
    identity.spell(found)  # what has no spelling is an error before the work, not after it
    return found if jobs is None else with_jobs(found, jobs)


def named_neural_estimator(spelling: str, jobs: int | None) -> NeuralEstimator:
    """The same, of those that train a critic."""
    found = named_estimator(spelling, jobs)
    if not isinstance(found, NeuralEstimator):
        raise SpellingError(
            f"the estimator must be one that trains a critic, got {spelling!r}; there are {_known(NeuralEstimator)}"
        )
    return found


def need_picture(path: Path) -> None:
    """Make sure that a file's name is that of a picture that can be written, before the work."""
    if path.suffix.lower() not in (".png", ".pdf", ".svg"):
        raise ParameterError(f"the picture must be a .png, .pdf or .svg file, got {path.name!r}")


def write_picture(figure: Figure, path: Path) -> None:
    """Write a figure to a file, in the format that the end of its name says."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150)  # pyright: ignore[reportUnknownMemberType]  (as Matplotlib has it)
    except OSError as error:
        raise ParameterError(f"cannot write {path}: {error}") from error


def _known(kind: type) -> str:
    return ", ".join(sorted(name for name, cls in identity.registered().items() if issubclass(cls, kind)))


def _let_import(spelling: str) -> None:
    """Here, by the user's own hand, `module:Name` may import, also from this folder."""
    if ":" in spelling and "" not in sys.path:
        sys.path.insert(0, "")
