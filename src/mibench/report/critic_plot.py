"""What trained critics have learned beside the true pointwise MI: maps of 1 + 1 dimensions, else scatter plots."""

# pyright: reportUnknownMemberType=false
# Matplotlib's stubs leave the types of most keyword arguments open.

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from mibench import checks
from mibench.errors import ParameterError
from mibench.report.density import SCATTERED
from mibench.report.learned import FRESH, Grid, Ground, Learned
from mibench.report.sheet import LETTERS, Panel, sheet
from mibench.report.style import INK, LINE, POINTS, pmi_scale
from mibench.types import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_SHOWN = 500  # points of a sample, as in the paper
_FAR = 1e30  # stands for infinity, which Matplotlib would leave white
_PLANE, _AGAINST = ("x", "y"), ("true PMI (nats)", "learned PMI (nats)")


def critic_plot(learned: Sequence[Learned]) -> Figure:
    """What critics have learned of tasks, as in Beyond Normal, Appendix E, "Pointwise Mutual Information".

    A task of 1 + 1 dimensions has a panel with 500 points of its sample, a map of the true pointwise MI, and a map of
    what each critic has learned. All maps share their colours, which reach as far as 98 % of the true values at fresh
    points. The ends of long tails are left out, as in pair plots. Of a task of more dimensions there is no map: what
    each critic has learned is scattered against the truth at fresh points. Save the figure with
    `figure.savefig("name.png")`, or as .pdf or .svg.

    >>> import mibench as mi
    >>> from mibench.report.learned import ground, learn
    >>> known = ground(mi.task("1v1-normal-0.75"), n=500)
    >>> figure = critic_plot([learn(known, mi.NWJ(steps=20))])
    >>> len(figure.get_axes())  # three panels and the colour bar
    4
    """
    learned = list(checks.members("learned", learned, Learned))
    found = {(one.ground, one.estimator): one for one in learned}
    if len(found) < len(learned):
        raise ParameterError("learned must have an estimator once for each task; leave out what is there twice")
    estimators = dict.fromkeys(one.estimator for one in learned)
    colours = _colours(learned)
    panels: list[list[Panel | None]] = []
    for known in dict.fromkeys(one.ground for one in learned):
        before = [None, None] if colours else []
        if colours and known.grid:
            before = [_points(known, known.grid, colours), _truth(known, known.grid, colours)]
        critics = [found.get((known, estimator)) for estimator in estimators]
        panels.append([*before, *(critic and _critic(critic, colours) for critic in critics)])
    upright = len(panels) > len(panels[0])  # a page is wide rather than high
    if upright:
        panels = [list(column) for column in zip(*panels, strict=True)]
    return sheet(panels, colours, _footnote(learned, colours), upright=upright)


def _colours(learned: list[Learned]) -> ScalarMappable | None:
    """The colours that all maps share, or None if there is no map."""
    known = [one.ground.fresh.pmi for one in learned if one.ground.grid]
    if not known:
        return None
    reach = float(f"{np.quantile(np.abs(np.concatenate(known)), 0.98):.2g}")
    return pmi_scale(reach if reach > 1e-9 else 1.0)  # rounding errors about 0 are not worth a colour


def _points(known: Ground, grid: Grid, colours: ScalarMappable) -> Panel:
    """Points of the sample, in the colours of their true pointwise MI."""
    x, y, pmi = (values[:_SHOWN] for values in (*grid.sample, known.sample.pmi))
    style: dict[str, Any] = {"norm": colours.norm, "cmap": colours.cmap, "linewidths": 0.0, "rasterized": True}
    return Panel(known.task.name, grid.limits, _PLANE, True, lambda axes: axes.scatter(x, y, s=4.0, c=pmi, **style))


def _truth(known: Ground, grid: Grid, colours: ScalarMappable) -> Panel:
    return _map(f"true MI: {_number(known.task.mi)}", grid, grid.pmi, colours)


def _critic(critic: Learned, colours: ScalarMappable | None) -> Panel:
    """What a critic has learned: a map, or a scatter plot where there is no grid; or why there is nothing."""
    known, trained = critic.ground, critic.trained
    title = critic.estimator + (f": {_number(trained.estimate.mi)}" if trained else "")
    if known.grid is None:
        title = f"{known.task.name}\n{title}\ntrue MI: {_number(known.task.mi)}"
    if trained is None:
        return _failure(title, critic)
    if known.grid is None or colours is None:
        return _scatter(title, critic)
    return _map(title, known.grid, trained.pmi(*known.grid.points()).reshape(known.grid.pmi.shape), colours)


def _map(title: str, grid: Grid, pmi: Array, colours: ScalarMappable) -> Panel:
    values = np.clip(pmi, -_FAR, _FAR)
    # Rasterized, for thousands of cells would make a PDF or SVG heavy.
    style: dict[str, Any] = {"norm": colours.norm, "cmap": colours.cmap, "rasterized": True}
    return Panel(title, grid.limits, _PLANE, True, lambda axes: axes.pcolormesh(*grid.edges, values, **style))


def _failure(title: str, critic: Learned) -> Panel:
    said = textwrap.fill(f"failed: {critic.failure}", 22, max_lines=7, placeholder=" …")
    style: dict[str, Any] = {"ha": "center", "va": "center", "size": 0.8 * LETTERS, "color": INK, "parse_math": False}
    limits = critic.ground.grid.limits if critic.ground.grid else ((0.0, 1.0), (0.0, 1.0))
    names = _PLANE if critic.ground.grid else _AGAINST

    def draw(axes: Axes) -> None:
        axes.text(0.5, 0.5, said, transform=axes.transAxes, **style)

    return Panel(title, limits, names, critic.ground.grid is not None, draw)


def _scatter(title: str, critic: Learned) -> Panel:
    """Learned against true pointwise MI at fresh points, both from the least to the most of 99 % of either."""
    truth, found = critic.ground.fresh.pmi, critic.pmi
    ends = [np.quantile(v, (0.005, 0.995)) for v in (truth, found[np.isfinite(found)]) if v.size]
    low, high = float(np.min(ends)), float(np.max(ends))
    pad = 0.05 * (high - low) + 1e-9
    limits = low - pad, high + pad
    said = f"r = {_number(critic.correlation, 2)}\nRMSE = {_number(critic.rmse, 2)}"

    def draw(axes: Axes) -> None:
        style: dict[str, Any] = {"s": 3.0, "c": POINTS, "alpha": 0.4, "linewidths": 0.0, "rasterized": True}
        axes.axline((0.0, 0.0), slope=1.0, color=LINE, linewidth=0.8)
        axes.scatter(truth[:SCATTERED], found[:SCATTERED], **style)
        axes.text(0.05, 0.95, said, transform=axes.transAxes, va="top", size=0.9 * LETTERS, color=INK)

    return Panel(title, (limits, limits), _AGAINST, False, draw)


def _footnote(learned: list[Learned], colours: ScalarMappable | None) -> str:
    grids = {one.ground: one.ground.grid for one in learned if one.ground.grid}
    parts: list[str] = []
    if colours:
        shown = max(min(_SHOWN, len(known.sample)) for known in grids)
        parts.append(
            f"For each task {shown:,} points, the true pointwise MI under the MI, and what critics have learned under "
            f"their estimates (nats). Colours are clipped to ±{colours.norm.vmax:g} nats."
        )
        inside = min(grid.share for grid in grids.values())
        if inside < 1.0:
            parts.append(
                f"The ends of long tails are left out; at least {100.0 * inside:.1f} % of a sample is in its frame."
            )
        if any(np.isnan(grid.pmi).any() for grid in grids.values()):
            parts.append("What cannot occur is white.")
    if len(grids) < len({one.ground for one in learned}):
        parts.append(
            f"Scattered are {SCATTERED:,} fresh points, without the farthest; the correlation r and the RMSE (nats) "
            f"are of {FRESH:,}. On the line, what was learned is true."
        )
    return " ".join(parts)


def _number(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}".replace("-", "−")
