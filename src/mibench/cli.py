"""The command line: parsing and printing, nothing else."""

from __future__ import annotations

import itertools
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click
from numpy.typing import ArrayLike

from mibench import progress
from mibench.errors import MiBenchError, ParameterError
from mibench.estimators.base import Estimator
from mibench.options import named_estimator, named_neural_estimator, named_task, need_picture, write_picture
from mibench.outcomes import Outcome, outcome
from mibench.preprocessing import PREPROCESSING
from mibench.printing import UNITS, json_text, print_outcomes, print_tasks
from mibench.tasks.benchmark import GROUPS, TASKS
from mibench.tasks.check import MonteCarlo, check_task
from mibench.tasks.task import Task
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
    mibench critic 1v1-bimodal-0.75 -o learned.png  what a neural estimator learns of a task
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
        click.echo(json_text([_row(t, m) for t, m in zip(chosen, found, strict=True)]))
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
    place = write_sample(named_task(name), n, seed, folder, formats=formats, truth=target, overwrite=force)
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

    need_picture(path)
    chosen = named_task(name)
    names = tuple(a.strip() for a in axes.split(",")) if axes else None
    figure = pair_plot(chosen.draw(n, seed), f"{chosen.name}   MI = {chosen.mi:.4g} nats", axes=names)
    write_picture(figure, path)
    click.echo(str(path))


@main.command()
@click.argument("names", metavar="TASK...", nargs=-1)
@click.option("--paper", is_flag=True, help="Also the six distributions of the paper's figure, Appendix E.")
@click.option(
    "-e",
    "--estimator",
    "spellings",
    multiple=True,
    metavar="SPELLING",
    default=("NWJ()",),
    show_default=True,
    help="An estimator that trains a critic, such as 'SMILE(clip=5)'; may be given again.",
)
@click.option("-o", "--output", "path", required=True, type=click.Path(path_type=Path), help="PNG, PDF or SVG file.")
@click.option("-n", "n", default=5000, show_default=True, help="Number of points to train and to test on.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw; fresh points are of the next one.")
@click.option("-j", "--jobs", type=int, metavar="N", help="Threads to test with; -1 for all cores.  [default: 1]")
def critic(
    names: tuple[str, ...], paper: bool, spellings: tuple[str, ...], path: Path, n: int, seed: int, jobs: int | None
) -> None:
    """Draw the pointwise MI that trained critics have learned of each TASK, beside the true one.

    Of tasks of 1 + 1 dimensions there are maps, of others scatter plots at fresh points. What is printed are the
    estimate, the truth, and the root of the mean square error of the learned pointwise MI at 10,000 fresh points, in
    nats. The exit code is 1 if a training has failed.

    \b
    mibench critic 1v1-bimodal-0.75 -e "NWJ()" -e "MINE()" -o bimodal.png
    mibench critic --paper -o critics.pdf
    """  # noqa: D301
    from mibench.report import critic_plot, learned

    need_picture(path)
    if not names and not paper:
        raise ParameterError("name a task or more, or give --paper for those of the paper; 'mibench tasks' lists some")
    estimators = list(dict.fromkeys(named_neural_estimator(s, jobs) for s in spellings))
    tasks = {t.id: t for t in [*map(named_task, names), *(learned.paper_tasks() if paper else ())]}
    grounds = [learned.ground(t, n, seed) for t in tasks.values()]
    found: list[learned.Learned] = []
    with progress.shown("training", len(grounds) * len(estimators)) as advance:
        for known, estimator in itertools.product(grounds, estimators):
            found.append(learned.learn(known, estimator))
            advance()
    write_picture(critic_plot.critic_plot(found), path)
    click.echo("\n".join([*map(str, found), *(line for one in found for line in one.warnings), str(path)]))
    if any(one.failure for one in found):
        raise SystemExit(1)


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

    estimators = [named_estimator(s, jobs) for s in spellings]
    columns = read_columns(path, x, y, drop_missing=drop_missing)
    if columns.dropped:
        rows = f"{columns.dropped} of {columns.dropped + len(columns.x)} rows"
        click.echo(f"mibench: dropped {rows}, which have missing values", err=True)
    outcomes = _outcomes(estimators, *columns.preprocessed(how))
    if as_json:
        page = {"file": str(path), **columns.page(), "preprocess": how, "unit": "nats"}
        page["estimates"] = [o.page() for o in outcomes]
        click.echo(json_text(page))
    else:
        click.echo(f"{path}: {columns}; preprocess {how}")
        print_outcomes(outcomes, unit)
    if any(o.failure for o in outcomes):
        raise SystemExit(1)


def _outcomes(estimators: Sequence[Estimator], x: ArrayLike, y: ArrayLike) -> list[Outcome]:
    debug = click.get_current_context().find_root().params.get("debug")
    found: list[Outcome] = []
    with progress.shown("estimating", len(estimators)) as advance:
        for estimator in estimators:
            found.append(outcome(estimator, x, y))
            advance()
    for failure in (o.failure for o in found if o.failure and debug):
        traceback.print_exception(failure)
    return found


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
