"""What the command line prints for a person."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from mibench.outcomes import Outcome
from mibench.tasks.check import MonteCarlo
from mibench.tasks.task import Task

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

UNITS = {"nats": 1.0, "bits": 1.0 / math.log(2.0)}
_WIDE = 130  # columns that hold the widest table


def print_tasks(chosen: Sequence[Task], found: Sequence[MonteCarlo | None], unit: str) -> None:
    """Tasks with their truths, and what draws say of these if that is known."""
    checked = any(found)
    console = _console(_WIDE)
    # In a narrow window the group, which tasks stand together by anyway, makes room for the ids.
    grouped = console.width >= (_WIDE if checked else 92)
    table = _table("task", "dims", f"MI ({unit})", *(("from draws", "errors off") if checked else ()))
    if grouped:
        table.add_column("group", no_wrap=True)
    scale = UNITS[unit]
    for t, m in zip(chosen, found, strict=True):
        row = [t.id, _held(f"{t.dim_x} × {t.dim_y}"), f"{scale * t.mi:.4f}"]
        if m is not None:
            row += [_held(f"{scale * m.mean:.4f} ± {scale * m.error:.4f}"), f"{m.deviation:+.1f}"]
        table.add_row(*row, *([t.group] if grouped else []))
    console.print(table)
    if checked:
        far = [t.id for t, m in zip(chosen, found, strict=True) if m and not m.agrees]
        verdict = f"{len(chosen) - len(far)} of {len(chosen)} truths agree with {found[0].n if found[0] else 0} draws"
        click.echo(verdict + (f"; not {', '.join(far)}" if far else ""))


def print_outcomes(outcomes: Sequence[Outcome], unit: str) -> None:
    """Estimates, and below them, a line each, what estimators warn of and why others failed."""
    from rich.text import Text

    scale = UNITS[unit]
    bounded = any(o.estimate and o.estimate.interval for o in outcomes)
    table = _table("estimator", f"MI ({unit})", *(("interval",) if bounded else ()), "seconds")
    for o in outcomes:
        row = [o.estimator, f"{scale * o.estimate.mi:.4f}" if o.estimate else "-"]
        if bounded:
            ends = o.estimate.interval if o.estimate else None
            row.append(f"{scale * ends[0]:.4f} to {scale * ends[1]:.4f}" if ends else "-")
        table.add_row(*map(Text, row), f"{o.seconds:.2f}")
    # What another program reads is not folded: a spelling stays in one line however long it is.
    _console(100 + max(len(o.estimator) for o in outcomes)).print(table)
    for o in outcomes:
        for said in o.estimate.warnings if o.estimate else ():
            click.echo(f"{o.estimator}: {' '.join(said.split())}")
        if o.error is not None:
            click.echo(f"{o.estimator} failed: {o.error}")


def _console(width: int) -> Console:
    """Standard output: as wide as the window, or of this width where there is none."""
    from rich.console import Console

    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="replace")  # what its encoding does not have becomes a question mark
    return Console(width=None if sys.stdout.isatty() else width)


def json_text(page: object) -> str:
    """A page of JSON, with signs as they are where standard output has them, and escaped where not."""
    text = json.dumps(page, indent=2, ensure_ascii=False)
    return text if _holds(text) else json.dumps(page, indent=2)


def _held(text: str) -> str:
    """The text, or the same in ASCII if standard output has not all of its signs."""
    return text if _holds(text) else text.replace("×", "x").replace("±", "+/-")


def _holds(text: str) -> bool:
    """Whether standard output has all of these signs."""
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True


def _table(first: str, *others: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, no_wrap=True, overflow="fold")
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table
