"""What a critic has learned of a task, without the picture: its pointwise MI and the true one, at the same points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mibench import checks
from mibench.distributions.normal import Normal
from mibench.distributions.student import Student
from mibench.errors import EstimateFailed, NotAvailable
from mibench.estimators.neural.base import NeuralEstimator, Trained
from mibench.identity import spell
from mibench.report.density import Margin, margin_of
from mibench.tasks.task import Task
from mibench.types import Array, Draws

FRESH = 10_000  # points at which what was learned is compared with the truth
_CELLS = 200  # of the grid along a continuous coordinate


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """The cells of a window on X and Y, of one coordinate each: their edges and middles, and the true pointwise MI.

    Rows of `pmi` are y. It is NaN where x or y cannot occur, and -inf where they cannot occur together. `sample` has
    the first points as they are drawn, which is spread out along a discrete coordinate, and `share` is the part of all
    points that is in the window.
    """

    edges: tuple[Array, Array]
    middles: tuple[Array, Array]
    pmi: Array
    sample: tuple[Array, Array]
    share: float

    @property
    def limits(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The ends of x and of y."""
        (left, right), (low, high) = ((float(edges[0]), float(edges[-1])) for edges in self.edges)
        return (left, right), (low, high)

    def points(self) -> tuple[Array, Array]:
        """The middles of all cells, row by row."""
        x, y = np.meshgrid(*self.middles)
        return x.reshape(-1, 1), y.reshape(-1, 1)


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """What is known of a task: points to train on, fresh points, and, of 1 + 1 dimensions, a grid."""

    task: Task
    sample: Draws
    fresh: Draws
    grid: Grid | None


@dataclass(frozen=True, slots=True, eq=False)
class Learned:
    """What an estimator's critic has learned, and its pointwise MI at the fresh points; or why there is none."""

    ground: Ground
    estimator: str
    trained: Trained | None
    failure: EstimateFailed | None
    pmi: Array

    def __str__(self) -> str:
        """The numbers, or why there are none, in one line."""
        said = f"{self.ground.task.id}, {self.estimator}: "
        if self.trained is None:
            return f"{said}failed: {self.failure}"
        truth = f"truth {self.ground.task.mi:.4f}"
        return f"{said}estimate {self.trained.estimate.mi:.4f}, {truth}, RMSE of the pointwise MI {self.rmse:.4f}"

    @property
    def warnings(self) -> list[str]:
        """What the estimator warns of, in a line each."""
        said = self.trained.estimate.warnings if self.trained else ()
        return [f"{self.ground.task.id}, {self.estimator}: {' '.join(one.split())}" for one in said]

    @property
    def rmse(self) -> float:
        """How far the learned pointwise MI is from the true one at fresh points: the root of the mean square."""
        return float(np.sqrt(np.mean((self.pmi - self.ground.fresh.pmi) ** 2)))

    @property
    def correlation(self) -> float:
        """The correlation of the learned pointwise MI with the true one at fresh points; NaN if either is constant."""
        centred = [v - v.mean() for v in (self.pmi, self.ground.fresh.pmi)]
        lengths = [float(np.sqrt((v * v).sum())) for v in centred]
        return float(centred[0] @ centred[1]) / (lengths[0] * lengths[1]) if min(lengths) > 1e-9 else float("nan")


def paper_tasks() -> tuple[Task, ...]:
    """The distributions of Beyond Normal, Appendix E, "Pointwise Mutual Information": five Student ones and the normal.

    >>> [t.name for t in paper_tasks()]
    ['Student, ν = 1', 'Student, ν = 2', 'Student, ν = 3', 'Student, ν = 5', 'Student, ν = 8', 'Normal']
    """
    matrix = ((1.0, 0.5), (0.5, 1.0))
    named = [(f"Student, ν = {dof}", Student(matrix, dof=dof, dim_x=1)) for dof in (1, 2, 3, 5, 8)]
    return tuple(Task(spell(d), d, name) for name, d in [*named, ("Normal", Normal(matrix, dim_x=1))])


def ground(task: Task, n: int = 5000, seed: int = 0) -> Ground:
    """Draw a task's points; fresh ones come from the next seed. An error if its pointwise MI is not known on a grid.

    >>> import mibench as mi
    >>> known = ground(mi.task("1v1-normal-0.75"), n=100)
    >>> len(known.sample), len(known.fresh), known.grid.pmi.shape
    (100, 10000, (200, 200))
    """
    checks.member("task", task, Task)
    sample, fresh = task.draw(n, seed), task.draw(FRESH, seed + 1)
    return Ground(task, sample, fresh, _grid(task, sample) if task.dim_x == task.dim_y == 1 else None)


def learn(known: Ground, estimator: NeuralEstimator) -> Learned:
    """Train an estimator's critic on a task's points."""
    checks.member("estimator", estimator, NeuralEstimator)
    try:
        trained = estimator.train(known.sample.x, known.sample.y)
    except EstimateFailed as failure:  # so that one failure does not cost the work of the others
        return Learned(known, str(estimator), None, failure, np.full(FRESH, np.nan))
    return Learned(known, str(estimator), trained, None, trained.pmi(known.fresh.x, known.fresh.y))


def _grid(task: Task, sample: Draws) -> Grid:
    x, y = margin_of("x1", sample.x[:, 0]), margin_of("y1", sample.y[:, 0])
    (edges_x, middles_x), (edges_y, middles_y) = _cells(x), _cells(y)
    share = float(np.mean((x.cells >= 0) & (y.cells >= 0)))
    shape = middles_y.size, middles_x.size
    empty = Grid((edges_x, edges_y), (middles_x, middles_y), np.full(shape, np.nan), (x.scattered, y.scattered), share)
    try:
        pmi = task.distribution.pmi(*empty.points())
    except NotAvailable as error:
        raise NotAvailable(
            f"the pointwise MI of {task.id} is not known at points of our choice, so there is no truth to show: {error}"
        ) from error
    if not np.isfinite(pmi).any():
        raise NotAvailable(f"the pointwise MI of {task.id} is nowhere finite, so there is no truth to show")
    return replace(empty, pmi=pmi.reshape(shape))


def _cells(margin: Margin) -> tuple[Array, Array]:
    """Edges and middles of cells: even ones of a continuous coordinate, one for each value of a discrete one."""
    if margin.marks.size:
        between = 0.5 * (margin.marks[1:] + margin.marks[:-1])
        return np.concatenate([[margin.low], between, [margin.high]]), margin.marks
    edges = np.linspace(*margin.limits, _CELLS + 1)
    return edges, 0.5 * (edges[1:] + edges[:-1])
