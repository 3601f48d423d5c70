"""The pair plot of Beyond Normal, Appendix F: every two coordinates as scatter and as contours, margins between."""

# pyright: reportUnknownMemberType=false
# Matplotlib's stubs leave the types of most keyword arguments open.

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from mibench import checks
from mibench.errors import DataError, ParameterError
from mibench.report.density import CELLS, SCATTERED, Margin, density, levels, margin_of
from mibench.report.style import INK, dress, pmi_scale
from mibench.types import Array, Draws

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_MOST = 8  # coordinates in one picture

# X, Y and the two together: apart for colour-blind eyes as well, and none of the hues of the pointwise MI.
_COLOURS = {"x": "#16877a", "y": "#8a3a80", "xy": "#3d4756"}
_BACKGROUNDS = {"x": "#ffffff", "y": "#ffffff", "xy": "#fbf7ea"}


def pair_plot(draws: Draws, title: str, *, axes: tuple[str, ...] | None = None) -> Figure:
    """Scatter plots above the diagonal, coloured by pointwise MI; densities below it; margins on it.

    At most eight coordinates are drawn: those that `axes` names, as in ("x1", "x3", "y1"), or the first ones of X and
    of Y. The ends of long tails are left out; the footnote counts the points there. A density in one tint is one that
    does not vary noticeably. Save the figure with `figure.savefig("name.png")`, or as .pdf or .svg.

    >>> import mibench as mi
    >>> figure = pair_plot(mi.task("1v1-normal-0.75").draw(n=500, seed=0), "Bivariate normal")
    >>> len(figure.get_axes())  # four panels and the colour bar
    5
    """
    checks.member("draws", draws, Draws)
    checks.member("title", title, str)
    x, y, pmi = (checks.points(f"draws.{name}", getattr(draws, name)) for name in ("x", "y", "pmi"))
    if not len(x) == len(y) == len(pmi) > 0:
        raise DataError(f"draws must have as many x, y and pmi, at least 1, got {len(x)}, {len(y)} and {len(pmi)}")
    dims = {"x": x.shape[1], "y": y.shape[1]}
    margins = [margin_of(name, (x if name[0] == "x" else y)[:, int(name[1:]) - 1]) for name in _chosen(axes, dims)]
    side = max(1.6, 3.6 / len(margins))  # of a panel, in inches
    points = max(8.5, 4.0 + 0.95 * side * len(margins))  # letters grow with the page, which a column may shrink
    ticks = {m.name: _ticks(m, points / 72.0 / side) for m in margins}
    figure, panels = _page(ticks, side, points, title, _footnote(margins, dims))
    colours = _add_colour_bar(figure, panels, pmi, points)
    for i, row in enumerate(margins):
        for j, column in enumerate(margins):
            _frame(panels[i][j], column, row, ticks, points)
            if i == j:
                _draw_histogram(panels[i][j], column)
            elif i < j:
                _draw_scatter(panels[i][j], column, row, pmi, colours)
            else:
                _draw_contours(panels[i][j], column, row)
    figure.align_ylabels([row[0] for row in panels])
    return figure


def _chosen(axes: tuple[str, ...] | None, dims: dict[str, int]) -> list[str]:
    """The names of the coordinates to draw."""
    known = {side: [f"{side}{i + 1}" for i in range(dim)] for side, dim in dims.items()}
    if axes is None:
        return known["x"][: max(_MOST // 2, _MOST - dims["y"])] + known["y"][: max(_MOST // 2, _MOST - dims["x"])]
    names: list[str] = list(checks.members("axes", axes, str, least=2))
    for i, name in enumerate(names):
        if name not in known["x"] + known["y"]:
            ranges = " or ".join(f"{some[0]} to {some[-1]}" for some in known.values() if some)
            raise ParameterError(f"axes[{i}] must be a coordinate of the draws, {ranges}, got {name!r}")
        if name in names[:i]:
            raise ParameterError(f"axes must name each coordinate once, got {name!r} twice; leave one out")
    if len(names) > _MOST:
        raise ParameterError(f"axes must name at most {_MOST} coordinates, got {len(names)}; make several plots")
    return names


def _footnote(margins: list[Margin], dims: dict[str, int]) -> str:
    n = margins[0].cells.size
    parts = [f"{n:,} point{'s' * (n > 1)}" + (f", the first {SCATTERED:,} scattered." if n > SCATTERED else ".")]
    outside = int(np.logical_or.reduce([m.cells < 0 for m in margins]).sum())
    if outside:
        parts.append(f"{outside:,} point{'s lie' if outside > 1 else ' lies'} outside the frames.")
    parts.append("Contours hold 10, 30, 50, 70, 90 % of the points in a frame.")
    if any(m.marks.size > 1 for m in margins):
        parts.append("Points are spread out a little along discrete coordinates.")
    drawn = {side: sum(m.name[0] == side for m in margins) for side in dims}
    some = [f"{drawn[side]} of {dim} coordinates of {side.upper()}" for side, dim in dims.items() if drawn[side] < dim]
    return " ".join([*parts, *([f"Drawn: {' and '.join(some)}."] if some else [])])


def _page(
    ticks: dict[str, list[float]], side: float, points: float, title: str, footnote: str
) -> tuple[Figure, list[list[Axes]]]:
    """A figure with title and footnote, and its empty panels row by row."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    count, grid, em = len(ticks), len(ticks) * side, points / 72.0
    widest = max(len(f"{t:g}") for some in ticks.values() for t in [0.0, *some])
    left, right = (3.2 + 0.52 * max(widest, 3)) * em, 6.2 * em
    above, below = (textwrap.wrap(t, int((grid + right) / (w * em))) for t, w in ((title, 0.7), (footnote, 0.4)))
    bottom, top = (4.0 + 0.95 * len(below)) * em, (0.5 + 1.6 * len(above)) * em
    width, height = left + grid + right, bottom + grid + top
    figure = Figure(figsize=(width, height), dpi=200, facecolor="white")
    FigureCanvasAgg(figure)
    for lines, y, size in ((above, bottom + grid + 0.5 * em, 1.2), (below, 0.6 * em, 0.75)):
        text = figure.text(left / width, y / height, "\n".join(lines), va="bottom", size=size * points, color=INK)
        text.set_parse_math(False)  # an id may well have a $
    cells = figure.add_gridspec(count, count, wspace=0.05, hspace=0.05)
    cells.update(left=left / width, right=1.0 - right / width, bottom=bottom / height, top=1.0 - top / height)
    return figure, cells.subplots(sharex="col", sharey="row", squeeze=False).tolist()


def _add_colour_bar(figure: Figure, panels: list[list[Axes]], pmi: Array, points: float) -> ScalarMappable:
    """Colours of the pointwise MI, as strong for a value as for minus it, and their bar beside the upper panels."""
    from matplotlib.ticker import MaxNLocator

    reach = float(np.quantile(np.abs(pmi), 0.95))
    reach = reach if reach > 1e-9 else 1.0  # rounding errors about 0 are not worth a colour
    colours = pmi_scale(reach)
    high, low = (row[-1].get_position() for row in (panels[0], panels[min(len(panels), 4) - 1]))
    em = points / 72.0 / figure.get_figwidth()
    bar = figure.add_axes((high.x1 + 0.9 * em, low.y0, 0.8 * em, high.y1 - low.y0))
    extend = ("neither", "min", "max", "both")[int(pmi.min() < -reach) + 2 * int(pmi.max() > reach)]
    ticks = MaxNLocator(8, steps=[1, 2, 5, 10])
    figure.colorbar(colours, cax=bar, extend=extend, extendfrac=0.03, ticks=ticks, format="{x:g}")
    bar.set_ylabel("pointwise MI (nats)", size=0.95 * points, color=INK)
    dress(bar, points)
    return colours


def _frame(panel: Axes, column: Margin, row: Margin, ticks: dict[str, list[float]], points: float) -> None:
    """Give a panel its limits, background, ticks and, at the outer edge, labels."""
    background = _BACKGROUNDS["".join(sorted({column.name[0], row.name[0]}))]
    panel.set(xlim=column.limits, ylim=row.limits, facecolor=background)
    for axis, margin in ((panel.xaxis, column), (panel.yaxis, row)):
        side = margin.name[0]
        axis.set_ticks(ticks[margin.name])
        axis.set_major_formatter("{x:g}")
        axis.set_label_text(f"${side.upper()}_{{{margin.name[1:]}}}$", size=1.1 * points, color=_COLOURS[side])
    panel.yaxis.label.set(rotation=0.0, ha="right", va="center")
    dress(panel, points)
    panel.label_outer(remove_inner_ticks=True)


def _ticks(margin: Margin, letter: float) -> list[float]:
    """Round values whose labels, with letters so wide as part of a panel, stay clear of those of the next panel."""
    from matplotlib.ticker import MaxNLocator

    low, high = margin.limits
    inset = 0.1 * (high - low)
    choices = [margin.marks] if 1 <= margin.marks.size <= 5 else []
    for bins in (4, 6, 8):
        locator = MaxNLocator(bins, steps=[1, 2, 5, 10], min_n_ticks=1)
        choices.append(np.asarray(locator.tick_values(low + inset, high - inset)))
    best = np.zeros(0)
    for ticks in choices:
        place, half = (ticks - low) / (high - low), np.array([0.26 * letter * len(f"{t:g}") for t in ticks])
        kept = (place - half > -0.02) & (place + half < 1.02)
        clear = (np.diff(place[kept]) > half[kept][1:] + half[kept][:-1]).all()
        best = ticks[kept] if clear and kept.sum() > best.size else best
        if best.size >= min(2, choices[0].size):
            break
    return best.tolist()


def _draw_histogram(panel: Axes, margin: Margin) -> None:
    bottom, top = margin.limits  # the vertical axis is that of the row's other panels
    heights = bottom + margin.heights * (0.92 * (top - bottom) / float(margin.heights.max()))
    colour = _COLOURS[margin.name[0]]
    panel.stairs(heights, margin.edges, baseline=bottom, fill=True, fc=(colour, 0.35), ec=colour, lw=0.9)


def _draw_scatter(panel: Axes, column: Margin, row: Margin, pmi: Array, colours: ScalarMappable) -> None:
    shown = ((column.cells >= 0) & (row.cells >= 0))[:SCATTERED]
    x, y, pmi = column.scattered[shown], row.scattered[shown], pmi[:SCATTERED][shown]
    style: dict[str, Any] = {"norm": colours.norm, "cmap": colours.cmap, "alpha": 0.75, "linewidths": 0.0}
    # Rasterized, for thousands of points would make a PDF or SVG heavy.
    panel.scatter(x, y, s=3.0, c=pmi, rasterized=True, **style)


def _draw_contours(panel: Axes, column: Margin, row: Margin) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    grid = density(column, row)
    bounds = levels(grid)
    # A rim of zeros just outside closes the contours of a density that does not vanish at the ends of its range.
    grid = np.pad(np.pad(grid, 1, mode="edge"), 1)
    middles = np.concatenate([[-0.05, 0.0], np.arange(CELLS) + 0.5, [CELLS, CELLS + 0.05]]) / CELLS
    x, y = (m.low + (m.high - m.low) * middles for m in (column, row))
    colour = _COLOURS["".join(sorted({column.name[0], row.name[0]}))]
    tints = LinearSegmentedColormap.from_list("tints", ["white", colour])
    fills = tints(np.linspace(0.15, 0.85, len(bounds) - 1))
    panel.contourf(x, y, grid, levels=bounds, colors=fills)
    panel.contour(x, y, grid, levels=bounds[:-1], colors=colour, linewidths=0.6)
