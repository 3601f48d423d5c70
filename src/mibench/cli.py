"""The command line: parsing and printing, nothing else."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from mibench import identity, progress
from mibench.errors import MiBenchError, ParameterError, SpellingError
from mibench.estimators.base import Estimator
from mibench.outcomes import Outcome, outcome, with_jobs
from mibench.preprocessing import PREPROCESSING, preprocess
from mibench.printing import UNITS, print_outcomes, print_tasks
from mibench.tasks.benchmark import GROUPS, TASKS
from mibench.tasks.check import MonteCarlo, check_task
from mibench.tasks.lookup import task
from mibench.tasks.task import Task
from mibench.types import Array
from mibench.version import __version__

_USER_ERROR = 2
_DEFAULT = ("KSG()", "CCA()")


class _Program(click.Group):
    """The command group; an error that a user can meet is one line, and its traceback comes with --debug."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            path = error.ctx.command_path if error.ctx else ctx.command_path
            _fail(f"{' '.join(error.format_message().split())} (see '{path} --help')")
        except MiBenchError as error:
            if ctx.params.get("debug"):
                raise
            _fail(str(error))
        except BrokenPipeError:  # the reader of our output, such as head, has had enough
            sys.stderr.close()
            raise SystemExit(0) from None


def _fail(message: str) -> NoReturn:
    click.echo(f"mibench: {message}", err=True)
    raise SystemExit(_USER_ERROR)


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mibench")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
def main(debug: bool) -> None:
    """Distributions with known mutual information, estimators of it, and how far they can be trusted.

    \b
    mibench tasks                                   the forty tasks with their true MI
    mibench show 1v1-bimodal-0.75 -o bimodal.png    a picture of a task
    mibench sample 1v1-bimodal-0.75 -n 1000 -o DIR  a sample that any language reads
    mibench estimate data.csv --x a,b --y c         the MI of columns of yours
    """  # noqa: D301


@main.command()
@click.option("--group", type=click.Choice(GROUPS), help="Only the tasks of one group.")
@click.option("--unit", type=click.Choice(list(UNITS)), default="nats", show_default=True, help="Unit of MI.")
@click.option("--check", "check", is_flag=True, help="Compare each truth with the mean pointwise MI of draws.")
@click.option("-n", "n", default=100_000, show_default=True, help="Points to draw of each task for --check.")
@click.option("--seed", default=0, show_default=True, help="Seed of these draws.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (MI in nats).")
def tasks(group: str | None, unit: str, check: bool, n: int, seed: int, as_json: bool) -> None:
    """List the forty tasks: dims, true mutual information, group.

    With --check, each truth stands beside what a Monte Carlo of the pointwise MI gives; the exit code is 1 if any
    is more than five standard errors away.
    """
    chosen = [t for t in TASKS if group in (None, t.group)]
    found: Sequence[MonteCarlo | None] = _checked(chosen, n, seed) if check else [None] * len(chosen)
    if as_json:
        click.echo(json.dumps([_row(t, m) for t, m in zip(chosen, found, strict=True)], indent=2, ensure_ascii=False))
    else:
        print_tasks(chosen, found, unit)
    if any(m is not None and not m.agrees for m in found):
        raise SystemExit(1)


@main.command()
@click.argument("name", metavar="TASK")
@click.option("-n", "n", default=1000, show_default=True, help="Number of points.")
@click.option("--seed", default=0, show_default=True, help="Seed; the same (task, n, seed) is the same sample.")
@click.option("-o", "--output", "folder", required=True, type=click.Path(path_type=Path), help="Folder to write.")
@click.option(
    "--format",
    "formats",
    multiple=True,
    default=["csv"],
    show_default=True,
    type=click.Choice(["csv", "parquet", "npy"]),
    help="File format of the points; may be given again.",
)
@click.option(
    "--truth", type=click.Path(path_type=Path), help="File for the truth.  [default: truth.json in the folder]"
)
@click.option("--no-truth", is_flag=True, help="Do not write the truth.")
@click.option("--force", is_flag=True, help="Overwrite the sample in the folder, and its truth.")
@click.option("--json", "as_json", is_flag=True, help="Print what sample.json says.")
def sample(
    name: str,
    n: int,
    seed: int,
    folder: Path,
    formats: tuple[str, ...],
    truth: Path | None,
    no_truth: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Write a sample of TASK (an id, or a distribution's spelling) to a folder that every language reads.

    The folder holds x.csv, y.csv, sample.json (what it is, with its fingerprint) and truth.json (its true MI).
    """
    from mibench.samples import read_sample, write_sample

    if truth is not None and no_truth:
        raise ParameterError("give --truth or --no-truth, not both")
    target = None if no_truth else (truth.absolute() if truth else "truth.json")
    place = write_sample(_task(name), n, seed, folder, formats=formats, truth=target, overwrite=force)
    if as_json:
        click.echo((place / "sample.json").read_text(encoding="utf-8"), nl=False)
    else:
        click.echo(f"{place}: {n} points, fingerprint {read_sample(place).fingerprint[:16]}...")


@main.command()
@click.argument("name", metavar="TASK")
@click.option("-o", "--output", "path", required=True, type=click.Path(path_type=Path), help="PNG, PDF or SVG file.")
@click.option("-n", "n", default=10_000, show_default=True, help="Number of points.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
@click.option("--axes", help="Which coordinates, such as x1,x3,y1.  [default: the first four of X and of Y]")
def show(name: str, path: Path, n: int, seed: int, axes: str | None) -> None:
    """Draw the pair plot of TASK: scatter above, density contours below, histograms on the diagonal."""
    from mibench.report.pair_plot import pair_plot

    if path.suffix.lower() not in (".png", ".pdf", ".svg"):
        raise ParameterError(f"the picture must be a .png, .pdf or .svg file, got {path.name!r}")
    chosen = _task(name)
    names = tuple(a.strip() for a in axes.split(",")) if axes else None
    figure = pair_plot(chosen.draw(n, seed), f"{chosen.name}   MI = {chosen.mi:.4g} nats", axes=names)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150)  # pyright: ignore[reportUnknownMemberType]  (as Matplotlib has it)
    except OSError as error:
        raise ParameterError(f"cannot write {path}: {error}") from error
    click.echo(str(path))


@main.command()
@click.argument("path", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--x", "x", metavar="COLUMNS", help="Columns of X.  [default: all but those of Y]")
@click.option("--y", "y", metavar="COLUMNS", help="Columns of Y.  [default: all but those of X]")
@click.option(
    "-e",
    "--estimator",
    "spellings",
    multiple=True,
    metavar="SPELLING",
    default=_DEFAULT,
    show_default=True,
    help="An estimator, such as CCA() or 'Histogram(bins=5)'; may be given again.",
)
@click.option(
    "--preprocess",
    "how",
    type=click.Choice(list(PREPROCESSING)),
    default="standardise",
    show_default=True,
    help="What to do to each column first; the scales of columns matter to estimators that look at neighbours.",
)
@click.option("--drop-missing", is_flag=True, help="Leave out rows that lack a value in one of these columns.")
@click.option(
    "-j", "--jobs", type=int, metavar="N", help="Threads to use where it helps; -1 for all cores.  [default: 1]"
)
@click.option("--unit", type=click.Choice(list(UNITS)), default="nats", show_default=True, help="Unit of MI.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (MI in nats).")
def estimate(
    path: Path,
    x: str | None,
    y: str | None,
    spellings: tuple[str, ...],
    how: str,
    drop_missing: bool,
    jobs: int | None,
    unit: str,
    as_json: bool,
) -> None:
    """Estimate the mutual information of columns of FILE.

    FILE is a .csv, .tsv, .parquet or .npy file, or a folder that 'mibench sample' wrote. COLUMNS are names, positions
    from 1, and ranges, separated by commas. The exit code is 1 if an estimator has failed.

    \b
    mibench estimate data.csv --x height,weight --y age
    mibench estimate data.parquet --x 1-3,7 --y a:c -e "Histogram(bins=5)" -e CCA
    mibench estimate data.npy --y 3- --preprocess gaussianise --json
    mibench estimate DIR --unit bits
    """  # noqa: D301
    from mibench.tables import read_columns

    estimators = [_estimator(s, jobs) for s in spellings]
    columns = read_columns(path, x, y, drop_missing=drop_missing)
    if columns.dropped:
        rows = f"{columns.dropped} of {columns.dropped + len(columns.x)} rows"
        click.echo(f"mibench: dropped {rows}, which have missing values", err=True)
    outcomes = _outcomes(estimators, preprocess(columns.x, how), preprocess(columns.y, how))
    if as_json:
        page = {"file": str(path), **columns.page(), "preprocess": how, "unit": "nats"}
        page["estimates"] = [o.page() for o in outcomes]
        click.echo(json.dumps(page, indent=2, ensure_ascii=False))
    else:
        click.echo(f"{path}: {columns}; preprocess {how}")
        print_outcomes(outcomes, unit)
    if any(o.failure for o in outcomes):
        raise SystemExit(1)


def _estimator(spelling: str, jobs: int | None) -> Estimator:
    _let_import(spelling)
    found = identity.parse(spelling, allow_imports=True)
    if not isinstance(found, Estimator):
        known = ", ".join(sorted(name for name, cls in identity.registered().items() if issubclass(cls, Estimator)))
        raise SpellingError(
            f"an estimator must be spelled like CCA() or Histogram(bins=5), got {spelling!r}, which is none; "
            f"there are {known}"
        )
    identity.spell(found)  # what has no spelling is an error before the work, not after it
    return found if jobs is None else with_jobs(found, jobs)


def _outcomes(estimators: Sequence[Estimator], x: Array, y: Array) -> list[Outcome]:
    debug = click.get_current_context().find_root().params.get("debug")
    found: list[Outcome] = []
    with progress.shown("estimating", len(estimators)) as advance:
        for estimator in estimators:
            found.append(outcome(estimator, x, y))
            advance()
    for failure in (o.failure for o in found if o.failure and debug):
        traceback.print_exception(failure)
    return found


def _task(name: str) -> Task:
    _let_import(name)
    return task(name, allow_imports=True)


def _let_import(spelling: str) -> None:
    """Here, by the user's own hand, `module:Name` may import, also from this folder."""
    if ":" in spelling and "" not in sys.path:
        sys.path.insert(0, "")


def _row(t: Task, found: MonteCarlo | None) -> dict[str, Any]:
    row: dict[str, Any] = {
        "id": t.id,
        "name": t.name,
        "group": t.group,
        "dim_x": t.dim_x,
        "dim_y": t.dim_y,
        "mi": float(t.mi),
        "mi_error": t.mi.error,
    }
    if found:
        row["check"] = {"n": found.n, "mean": found.mean, "error": found.error, "deviation": found.deviation}
    return row


def _checked(chosen: list[Task], n: int, seed: int) -> list[MonteCarlo]:
    with progress.shown("drawing", len(chosen)) as advance:
        found: list[MonteCarlo] = []
        for t in chosen:
            found.append(check_task(t, n, seed))
            advance()
    return found
