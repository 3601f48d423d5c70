"""The pair plot of Beyond Normal, Appendix E: every two coordinates as scatter and as contours, margins between."""

# pyright: reportUnknownMemberType=false
# Matplotlib's stubs leave the types of most keyword arguments open.

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mibench import checks
from mibench.errors import DataError, ParameterError
from mibench.types import Array, Draws, Indices

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

_MOST = 8  # coordinates in one picture
_SCATTERED = 3000  # points in a scatter plot, beyond which they only hide each other
_CELLS = 128  # of the grid for densities, along each axis
_FACTORS = (1.0, 0.7, 0.5, 0.35, 0.25)  # by which bandwidths may be made narrower
_MASSES = (0.1, 0.3, 0.5, 0.7, 0.9)
_DPI = 200

# X, Y and the two together: apart for colour-blind eyes as well, and none of the hues of the pointwise MI.
_COLOURS = {"x": "#16877a", "y": "#8a3a80", "xy": "#3d4756"}
_BACKGROUNDS = {"x": "#ffffff", "y": "#ffffff", "xy": "#fbf7ea"}
_INK, _LINE = "#333333", "#999999"
# Blue below 0, orange above; the grey of 0 shows on white, where the white of the stock maps would not.
_PMI_COLOURS = ("#08306b", "#2f80c2", "#bcbcbc", "#ee8722", "#7f2704")


def pair_plot(draws: Draws, title: str, *, axes: tuple[str, ...] | None = None) -> Figure:
    """Scatter plots above the diagonal, coloured by pointwise MI; densities below it; margins on it.

    At most eight coordinates are drawn: those that `axes` names, as in ("x1", "x3", "y1"), or the first ones of X and
    of Y. Save the figure with `figure.savefig("name.png")`, or as .pdf or .svg.

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
    margins = [_margin(name, (x if name[0] == "x" else y)[:, int(name[1:]) - 1]) for name in _chosen(axes, dims)]
    figure, panels, points = _page(len(margins), title, _footnote(margins, dims))
    colours = _add_colour_bar(figure, panels, pmi, points)
    for i, row in enumerate(margins):
        for j, column in enumerate(margins):
            _frame(panels[i][j], column, row, points)
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


@dataclass(frozen=True, slots=True, eq=False)
class _Margin:
    """One coordinate of the points, as the panels show it: the range from `low` to `high`, cut into cells."""

    name: str
    low: float
    high: float
    bandwidth: float
    cells: Indices  # of each point, -1 for outside
    scattered: Array
    edges: Array  # of the histogram
    heights: Array
    marks: Array  # the values of a discrete coordinate; none of a continuous one

    @property
    def limits(self) -> tuple[float, float]:
        """What a panel shows: the range and a little more."""
        pad = 0.04 * (self.high - self.low)
        return self.low - pad, self.high + pad

    def width(self, factor: float) -> float:
        """The bandwidth in cells, made narrower by a factor unless the coordinate is discrete."""
        return max(self.bandwidth / (self.high - self.low) * _CELLS * (1.0 if self.marks.size else factor), 1.2)


def _margin(name: str, values: Array) -> _Margin:
    values = np.clip(values, -1e300, 1e300)  # so that no difference overflows
    ranked, n = np.sort(values), values.size
    distinct = ranked[np.flatnonzero(np.diff(ranked, prepend=-np.inf))]
    if distinct.size == 1 or (distinct.size <= 20 and 5 * distinct.size <= n):
        return _discrete(name, values, distinct)
    low, high = _range(ranked)
    # The shortest interval with half the points: a scale that neither tails nor modes far apart stretch.
    scale = float((ranked[n // 2 :] - ranked[: n - n // 2]).min()) / 1.349
    bandwidth = max(scale * n ** (-1.0 / 6.0), 0.025 * (high - low))
    edges = np.linspace(low, high, int(np.clip(2.0 * np.cbrt(n), 5, 40)) + 1)
    heights = np.histogram(ranked, edges)[0].astype(np.float64)
    cells, scattered = _cells(values, low, high), values[:_SCATTERED]
    return _Margin(name, low, high, bandwidth, cells, scattered, edges, heights, marks=ranked[:0])


def _discrete(name: str, values: Array, marks: Array) -> _Margin:
    step, scattered = max(1.0, abs(float(marks[0]))), values[:_SCATTERED]
    if marks.size > 1:
        step = max(float(np.diff(marks).min()), 1e-9 * float(np.abs(marks).max()))
        # Points of a discrete coordinate lie on each other; spread out a little, their number shows.
        rng = np.random.default_rng([ord(name[0]), int(name[1:])])
        scattered = scattered + step * rng.uniform(-0.25, 0.25, scattered.size)
    low, high = float(marks[0] - 0.5 * step), float(marks[-1] + 0.5 * step)
    edges = (marks[:, None] + [-0.3 * step, 0.3 * step]).ravel()
    heights = np.zeros(edges.size - 1)
    heights[::2] = np.bincount(np.searchsorted(marks, values))
    return _Margin(name, low, high, 0.12 * step, _cells(values, low, high), scattered, edges, heights, marks)


def _range(ranked: Array) -> tuple[float, float]:
    """What to draw of a continuous coordinate: all of it if its tails are light, else what is near its centre."""
    q05, q10, q90, q95 = (float(q) for q in np.quantile(ranked, (0.05, 0.1, 0.9, 0.95)))
    reach = 1.1 * (q90 - q10)
    low, high = max(float(ranked[0]), min(q05, q10 - reach)), min(float(ranked[-1]), max(q95, q90 + reach))
    if low == high:  # nearly all points are equal, and quantiles say nothing
        low, high = float(ranked[0]), float(ranked[-1])
    widen = max(0.0, 1e-9 * max(abs(low), abs(high)) - (high - low))
    return low - widen, high + widen


def _cells(values: Array, low: float, high: float) -> Indices:
    place = (np.clip(values, low, high) - low) / (high - low) * _CELLS
    inside = (values >= low) & (values <= high)
    return np.where(inside, np.minimum(place.astype(np.int64), _CELLS - 1), -1)


def _density(column: _Margin, row: _Margin) -> Array:
    """A kernel density on the grid, up to a factor, its first axis vertical.

    It is the smoothest that foretells each point from the others nearly as well as any: Scott's bandwidth alone would
    smear what lies along a curve. (A Fourier transform rather than products of matrices, whose threads would wait for
    each other on a busy machine.)
    """
    inside = (column.cells >= 0) & (row.cells >= 0)
    place = row.cells[inside] * _CELLS + column.cells[inside]
    counts = np.bincount(place, minlength=_CELLS * _CELLS).reshape(_CELLS, _CELLS)
    # Reflected at the ends of the ranges, so that bounded margins keep their mass there.
    spectrum = np.fft.rfft2(np.pad(counts, (0, _CELLS), mode="symmetric"))
    vertical, horizontal = np.fft.fftfreq(2 * _CELLS), np.fft.rfftfreq(2 * _CELLS)
    found: list[tuple[float, Array]] = []
    for factor in _FACTORS:
        high, wide = row.width(factor), column.width(factor)
        damping = np.outer(
            np.exp(-2.0 * (np.pi * high * vertical) ** 2), np.exp(-2.0 * (np.pi * wide * horizontal) ** 2)
        )
        density = np.maximum(np.fft.irfft2(spectrum * damping)[:_CELLS, :_CELLS], 0.0)
        others = density - 1.0 / (2.0 * np.pi * high * wide)
        found.append((float((counts * np.log(np.maximum(others, 1e-12))).sum()), density))
    enough = max(score for score, _ in found) - 0.06 * place.size  # nats; the 0.06 for each point is a matter of taste
    return next(density for score, density in found if score >= enough)


def _levels(density: Array) -> list[float]:
    """The densities above which lie the masses, rising, and a last one above all."""
    ranked = np.sort(density, axis=None)[::-1]
    held = np.cumsum(ranked) / ranked.sum()
    # Halfway to the next lower cell: a level that is itself a cell's value would be drawn by rounding errors.
    halfway = 0.5 * (ranked + np.append(ranked[1:], 0.0))
    levels = np.unique([halfway[held >= mass][0] for mass in _MASSES])
    return [*levels[levels < ranked[0]].tolist(), 2.0 * float(ranked[0])]


def _footnote(margins: list[_Margin], dims: dict[str, int]) -> str:
    n = margins[0].cells.size
    parts = [f"{n:,} point{'s' * (n > 1)}" + (f", the first {_SCATTERED:,} scattered." if n > _SCATTERED else ".")]
    outside = int(np.logical_or.reduce([m.cells < 0 for m in margins]).sum())
    if outside:
        parts.append(f"{outside:,} point{'s lie' if outside > 1 else ' lies'} outside the frames.")
    parts.append("Contours hold 10, 30, 50, 70, 90 % of the points in a frame.")
    if any(m.marks.size > 1 for m in margins):
        parts.append("Points are spread out a little along discrete coordinates.")
    drawn = {side: sum(m.name[0] == side for m in margins) for side in dims}
    some = [f"{drawn[side]} of {dim} coordinates of {side.upper()}" for side, dim in dims.items() if drawn[side] < dim]
    return " ".join([*parts, *([f"Drawn: {' and '.join(some)}."] if some else [])])


def _page(count: int, title: str, footnote: str) -> tuple[Figure, list[list[Axes]], float]:
    """A figure with title and footnote, its empty panels row by row, and the size of letters in points."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    grid = count * max(1.6, 3.6 / count)  # inches, as all lengths here
    points = max(8.5, 4.0 + 0.95 * grid)  # letters grow with the page, which may be shrunk to the width of a column
    em = points / 72.0
    left, right = 4.6 * em, 6.2 * em
    above, below = (textwrap.wrap(t, int((grid + right) / (w * em))) for t, w in ((title, 0.7), (footnote, 0.4)))
    bottom, top = (4.0 + 0.95 * len(below)) * em, (0.5 + 1.6 * len(above)) * em
    width, height = left + grid + right, bottom + grid + top
    figure = Figure(figsize=(width, height), dpi=_DPI, facecolor="white")
    FigureCanvasAgg(figure)
    for lines, y, size in ((above, bottom + grid + 0.5 * em, 1.2), (below, 0.6 * em, 0.75)):
        text = figure.text(left / width, y / height, "\n".join(lines), va="bottom", size=size * points, color=_INK)
        text.set_parse_math(False)  # an id may well have a $
    cells = figure.add_gridspec(count, count, wspace=0.05, hspace=0.05)
    cells.update(left=left / width, right=1.0 - right / width, bottom=bottom / height, top=1.0 - top / height)
    return figure, cells.subplots(sharex="col", sharey="row", squeeze=False).tolist(), points


def _add_colour_bar(figure: Figure, panels: list[list[Axes]], pmi: Array, points: float) -> ScalarMappable:
    """Colours of the pointwise MI, as strong for a value as for minus it, and their bar beside the upper panels."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.ticker import MaxNLocator

    reach = float(np.quantile(np.abs(pmi), 0.95))
    reach = reach if reach > 1e-9 else 1.0  # rounding errors about 0 are not worth a colour
    colours = ScalarMappable(Normalize(-reach, reach), LinearSegmentedColormap.from_list("pmi", _PMI_COLOURS))
    high, low = (row[-1].get_position() for row in (panels[0], panels[min(len(panels), 4) - 1]))
    em = points / 72.0 / figure.get_figwidth()
    bar = figure.add_axes((high.x1 + 0.9 * em, low.y0, 0.8 * em, high.y1 - low.y0))
    extend = ("neither", "min", "max", "both")[int(pmi.min() < -reach) + 2 * int(pmi.max() > reach)]
    ticks = MaxNLocator(8, steps=[1, 2, 5, 10])
    figure.colorbar(colours, cax=bar, extend=extend, extendfrac=0.03, ticks=ticks, format="{x:g}")
    bar.set_ylabel("pointwise MI (nats)", size=0.95 * points, color=_INK)
    _dress(bar, points)
    return colours


def _frame(panel: Axes, column: _Margin, row: _Margin, points: float) -> None:
    """Give a panel its limits, background, ticks and, at the outer edge, labels."""
    background = _BACKGROUNDS["".join(sorted({column.name[0], row.name[0]}))]
    panel.set(xlim=column.limits, ylim=row.limits, facecolor=background)
    letter = points / 72.0 * _DPI / panel.get_window_extent().width
    for axis, margin in ((panel.xaxis, column), (panel.yaxis, row)):
        side = margin.name[0]
        axis.set_ticks(_ticks(margin, letter))
        axis.set_major_formatter("{x:g}")
        axis.set_label_text(f"${side.upper()}_{{{margin.name[1:]}}}$", size=1.1 * points, color=_COLOURS[side])
    panel.yaxis.label.set(rotation=0.0, ha="right", va="center")
    _dress(panel, points)
    panel.label_outer(remove_inner_ticks=True)


def _dress(panel: Axes, points: float) -> None:
    panel.tick_params(labelsize=0.8 * points, labelcolor=_INK, color=_LINE, width=0.6, length=0.25 * points)
    for spine in panel.spines.values():
        spine.set(color=_LINE, linewidth=0.6)


def _ticks(margin: _Margin, letter: float) -> list[float]:
    """Round values whose labels, with letters so wide as part of a panel, stay clear of those of the next panel."""
    from matplotlib.ticker import MaxNLocator

    low, high = margin.limits
    inset = 0.1 * (high - low)
    found: list[float] = []
    for bins in (4, 6, 8):
        round_values = MaxNLocator(bins, steps=[1, 2, 5, 10], min_n_ticks=1).tick_values(low + inset, high - inset)
        ticks = margin.marks if 1 <= margin.marks.size <= 5 else np.asarray(round_values)
        halves = np.array([0.26 * letter * len(f"{t:g}") for t in ticks]) * (high - low)
        found = ticks[(ticks - halves >= low) & (ticks + halves <= high)].tolist()
        if len(found) > 1:
            break
    return found


def _draw_histogram(panel: Axes, margin: _Margin) -> None:
    bottom, top = margin.limits  # the vertical axis is that of the row's other panels
    heights = bottom + margin.heights * (0.92 * (top - bottom) / float(margin.heights.max()))
    colour = _COLOURS[margin.name[0]]
    panel.stairs(heights, margin.edges, baseline=bottom, fill=True, fc=(colour, 0.35), ec=colour, lw=0.9)


def _draw_scatter(panel: Axes, column: _Margin, row: _Margin, pmi: Array, colours: ScalarMappable) -> None:
    style: dict[str, Any] = {"norm": colours.norm, "cmap": colours.cmap, "alpha": 0.75, "linewidths": 0.0}
    # Rasterized, for thousands of points would make a PDF or SVG heavy.
    panel.scatter(column.scattered, row.scattered, s=3.0, c=pmi[:_SCATTERED], rasterized=True, **style)


def _draw_contours(panel: Axes, column: _Margin, row: _Margin) -> None:
    from matplotlib.colors import LinearSegmentedColormap

    density = _density(column, row)
    levels = _levels(density)
    if len(levels) < 2:
        return
    # A rim of zeros just outside closes the contours of a density that does not vanish at the ends of its range.
    density = np.pad(np.pad(density, 1, mode="edge"), 1)
    middles = np.concatenate([[-0.05, 0.0], np.arange(_CELLS) + 0.5, [_CELLS, _CELLS + 0.05]]) / _CELLS
    x, y = (m.low + (m.high - m.low) * middles for m in (column, row))
    colour = _COLOURS["".join(sorted({column.name[0], row.name[0]}))]
    tints = LinearSegmentedColormap.from_list("tints", ["white", colour])
    fills = tints(np.linspace(0.15, 0.85, len(levels) - 1))
    panel.contourf(x, y, density, levels=levels, colors=fills)
    panel.contour(x, y, density, levels=levels[:-1], colors=colour, linewidths=0.6)
