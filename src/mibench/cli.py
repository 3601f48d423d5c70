"""The command line: parsing and printing, nothing else."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click

from mibench.errors import MiBenchError, ParameterError
from mibench.tasks.benchmark import GROUPS, TASKS
from mibench.tasks.check import MonteCarlo, check_task
from mibench.tasks.lookup import task
from mibench.tasks.task import Task
from mibench.version import __version__

_USER_ERROR = 2
_WIDE = 130  # columns that hold the widest table
_UNITS = {"nats": 1.0, "bits": 1.0 / math.log(2.0)}


class _Program(click.Group):
    """The command group; an error that a user can meet is one line, and its traceback comes with --debug."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
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
    """  # noqa: D301


@main.command()
@click.option("--group", type=click.Choice(GROUPS), help="Only the tasks of one group.")
@click.option("--unit", type=click.Choice(list(_UNITS)), default="nats", show_default=True, help="Unit of MI.")
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
        _print_tasks(chosen, found, unit)
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


def _task(name: str) -> Task:
    """The task that was named; here, by the user's own hand, `module:Name` may import, also from this folder."""
    if ":" in name:
        sys.path.insert(0, "")
    return task(name, allow_imports=True)


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
    with _progress("drawing", len(chosen)) as advance:
        found: list[MonteCarlo] = []
        for t in chosen:
            found.append(check_task(t, n, seed))
            advance()
    return found


@contextmanager
def _progress(label: str, total: int) -> Generator[Callable[[], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        step = bar.add_task(label, total=total)
        yield lambda: bar.advance(step)


def _print_tasks(chosen: list[Task], found: Sequence[MonteCarlo | None], unit: str) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    checked = any(found)
    console = Console(width=None if sys.stdout.isatty() else _WIDE)
    # In a narrow window the group, which tasks stand together by anyway, makes room for the ids.
    grouped = console.width >= (_WIDE if checked else 92)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("task", no_wrap=True, overflow="fold")
    table.add_column("dims", justify="right", no_wrap=True)
    table.add_column(f"MI ({unit})", justify="right", no_wrap=True)
    if checked:
        table.add_column("from draws", justify="right", no_wrap=True)
        table.add_column("errors off", justify="right", no_wrap=True)
    if grouped:
        table.add_column("group", no_wrap=True)
    scale = _UNITS[unit]
    for t, m in zip(chosen, found, strict=True):
        row = [t.id, f"{t.dim_x} × {t.dim_y}", f"{scale * t.mi:.4f}"]
        if m is not None:
            row += [f"{scale * m.mean:.4f} ± {scale * m.error:.4f}", f"{m.deviation:+.1f}"]
        table.add_row(*row, *([t.group] if grouped else []))
    console.print(table)
    if checked:
        far = [t.id for t, m in zip(chosen, found, strict=True) if m and not m.agrees]
        verdict = f"{len(chosen) - len(far)} of {len(chosen)} truths agree with {found[0].n if found[0] else 0} draws"
        click.echo(verdict + (f"; not {', '.join(far)}" if far else ""))
