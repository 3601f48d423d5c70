"""The tables of tasks and the gallery of their pictures, made anew by every build into `_generated`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import mibench
from mibench.report.pair_plot import pair_plot
from mibench.tasks.benchmark import GROUPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sphinx.application import Sphinx

_POINTS = 2000
_GALLERY = (
    "1v1-normal-0.75",
    "normal_cdf-1v1-normal-0.75",
    "1v1-bimodal-0.75",
    "1v1-additive-0.1",
    "half_cube-1v1-normal-0.75",
    "asinh-student-identity-1-1-1",
    "swissroll_x-normal_cdf-1v1-normal-0.75",
    "spiral-multinormal-sparse-3-3-2-2.0",
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the files before any page is read."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _write(app: Sphinx) -> None:
    place = Path(app.srcdir) / "_generated"
    place.mkdir(exist_ok=True)
    tables = [_table(group, [t for t in mibench.TASKS if t.group == group]) for group in GROUPS]
    (place / "tasks.md").write_text("\n".join(tables), encoding="utf-8")
    pictures = [_picture(place, mibench.task(name)) for name in _GALLERY]
    (place / "gallery.md").write_text("\n".join(pictures), encoding="utf-8")


def _table(group: str, tasks: Sequence[mibench.Task]) -> str:
    """One group's tasks as a Markdown table."""
    head = f"| {group} | dims | MI (nats) |\n|---|:-:|--:|\n"
    return head + "".join(f"| {t.name}<br>`{t.id}` | {t.dim_x} × {t.dim_y} | {t.mi:.4f} |\n" for t in tasks)


def _picture(place: Path, task: mibench.Task) -> str:
    """One task's picture as a figure in Markdown, a link to itself in full size."""
    file = place / f"{task.id}.png"
    figure = pair_plot(task.draw(n=_POINTS, seed=0), task.name)
    figure.savefig(file, dpi=100)  # pyright: ignore[reportUnknownMemberType]
    options = f":alt: Pair plot of {task.name}\n:target: _images/{file.name}"
    return f"```{{figure}} _generated/{file.name}\n{options}\n\n`{task.id}`, {task.mi:.4f} nats\n```\n"
