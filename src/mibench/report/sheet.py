"""A page of panels of equal size, each under its title, with a colour bar and a footnote."""

# pyright: reportUnknownMemberType=false
# Matplotlib's stubs leave the types of most keyword arguments open.

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mibench.report.style import INK, dress

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.figure import Figure

LETTERS = 8.0  # points, of which an inch has 72; the lengths below are in such letters


@dataclass(frozen=True, slots=True)
class Panel:
    """A title, the limits of both axes, their names, and what draws the rest.

    The maps of one task have the same limits, so that the labels of one do for the next.
    """

    title: str
    limits: tuple[tuple[float, float], tuple[float, float]]
    names: tuple[str, str]
    is_map: bool
    draw: Callable[[Axes], object]

    def ticks(self, axis: int) -> list[float]:
        """Round values, apart from the ends, where they would meet those of the next panel."""
        from matplotlib.ticker import MaxNLocator

        low, high = self.limits[axis]
        inset = 0.08 * (high - low)
        found: list[float] = []
        for bins in (3, 4, 6, 8):
            values = MaxNLocator(bins, steps=[1, 2, 5, 10], min_n_ticks=1).tick_values(low, high)
            found = [float(v) for v in values if low + inset <= v <= high - inset]
            if len(found) >= 2:
                break
        return found


def sheet(
    panels: Sequence[Sequence[Panel | None]], colours: ScalarMappable | None, footnote: str, *, upright: bool
) -> Figure:
    """A figure with these panels, row by row; upright if a task's are below each other."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    lay = _Layout(panels, footnote, bar=colours is not None, upright=upright)
    figure = Figure(figsize=(lay.width * LETTERS / 72.0, lay.height * LETTERS / 72.0), dpi=200, facecolor="white")
    FigureCanvasAgg(figure)
    for i, row in enumerate(panels):
        for j, panel in enumerate(row):
            if panel:
                axes = figure.add_axes(lay.place(i, j))
                title = axes.set_title("\n".join(lay.titles[i][j]), size=LETTERS, color=INK, pad=0.4 * LETTERS)
                title.set_parse_math(False)  # an id may well have a $
                panel.draw(axes)
                left, below = row[j - 1] if j else None, panels[i + 1][j] if i + 1 < len(panels) else None
                _label(axes, panel, left, below, upright=upright)
    if colours:
        _add_colour_bar(figure, lay, colours)
    place = lay.part(0.6, 0.6, 0.0, 0.0)[:2]
    figure.text(*place, "\n".join(lay.notes), va="bottom", size=0.8 * LETTERS, color=INK)
    return figure


class _Layout:
    """Where everything is, from the lower left corner."""

    def __init__(self, panels: Sequence[Sequence[Panel | None]], footnote: str, *, bar: bool, upright: bool) -> None:
        present = [panel for row in panels for panel in row if panel]
        only_maps, across = all(p.is_map for p in present), len(panels[0])
        self.side = min(max(60.0 / across, 9.5), 18.0)
        self.titles = [[_lines(panel.title, self.side) if panel else [] for panel in row] for row in panels]
        labels = 1.0 + 0.45 * max(len(f"{t:g}") for p in present for t in [0.0, *p.ticks(1)])
        self.left, self.right = labels + 1.9, 5.5 if bar else 1.0
        self.apart = labels + (0.3 if only_maps else 1.8) if upright or not only_maps else 1.2
        self.width = self.left + across * self.side + (across - 1) * self.apart + self.right
        self.notes = textwrap.wrap(footnote, int(self.width / 0.44))
        below = (0.2 if upright else 1.6) if only_maps else 3.0
        bottom, bottoms = 4.2 + 1.0 * len(self.notes), list[float]()
        for titles in reversed(self.titles):
            bottoms.append(bottom)
            bottom += self.side + 0.9 + 1.25 * max(map(len, titles)) + below
        self.bottoms = bottoms[::-1]
        self.height = bottom - below + 0.3

    def place(self, i: int, j: int) -> tuple[float, float, float, float]:
        """The place of a panel."""
        return self.part(self.left + j * (self.side + self.apart), self.bottoms[i], self.side, self.side)

    def part(self, left: float, bottom: float, width: float, height: float) -> tuple[float, float, float, float]:
        """A place as Matplotlib has it, in parts of the figure."""
        return left / self.width, bottom / self.height, width / self.width, height / self.height


def _lines(title: str, side: float) -> list[str]:
    """A title, each line of it as wide as a panel at most."""
    return [
        part
        for line in title.split("\n")
        for part in textwrap.wrap(line, int(side / 0.58), max_lines=4, placeholder=" …")
    ]


def _label(axes: Axes, panel: Panel, left: Panel | None, below: Panel | None, *, upright: bool) -> None:
    """Give a panel its limits, ticks and names, which it leaves to the panels at its left and below if it can."""
    axes.set(xlim=panel.limits[0], ylim=panel.limits[1])
    for i, axis in enumerate((axes.xaxis, axes.yaxis)):
        axis.set_ticks(panel.ticks(i))
        axis.set_major_formatter("{x:g}")
    others = (below if upright else None), (left if not upright else None)  # of the same task
    named = [not (panel.is_map and other and other.is_map) for other in others]
    axes.tick_params(labelbottom=named[0], labelleft=named[1])
    if not (below and below.names == panel.names):
        axes.set_xlabel(panel.names[0], size=LETTERS, color=INK)
    if not (left and left.names == panel.names):
        axes.set_ylabel(panel.names[1], size=LETTERS, color=INK, labelpad=0.35 * LETTERS)
    dress(axes, LETTERS)


def _add_colour_bar(figure: Figure, lay: _Layout, colours: ScalarMappable) -> None:
    from matplotlib.ticker import MaxNLocator

    low, high = lay.bottoms[-1], lay.bottoms[0] + lay.side
    bar = figure.add_axes(lay.part(lay.width - lay.right + 0.9, low, 0.9, high - low))
    ticks = MaxNLocator(8, steps=[1, 2, 5, 10])
    figure.colorbar(colours, cax=bar, extend="both", extendfrac=0.03, ticks=ticks, format="{x:g}")
    bar.set_ylabel("pointwise MI (nats)", size=LETTERS, color=INK, labelpad=0.2 * LETTERS)
    dress(bar, LETTERS)
