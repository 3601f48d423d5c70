"""What a pair plot shows, without the picture: the range of each coordinate, histograms, and densities on a grid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mibench.types import Array, Indices

SCATTERED = 3000  # points in a scatter plot, beyond which they only hide each other
CELLS = 128  # of the grid for densities, along each axis
_FACTORS = (1.0, 0.7, 0.5, 0.35, 0.25)  # by which bandwidths may be made narrower
_FLAT = 1e6  # the factor of a density that does not vary along an axis
_MASSES = (0.1, 0.3, 0.5, 0.7, 0.9)


@dataclass(frozen=True, slots=True, eq=False)
class Margin:
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


def margin_of(name: str, values: Array) -> Margin:
    """What the panels show of a coordinate."""
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
    cells, scattered = _cells(values, low, high), values[:SCATTERED]
    return Margin(name, low, high, bandwidth, cells, scattered, edges, heights, marks=ranked[:0])


def _discrete(name: str, values: Array, marks: Array) -> Margin:
    step, scattered = max(1.0, abs(float(marks[0]))), values[:SCATTERED]
    if marks.size > 1:
        step = max(float(np.diff(marks).min()), 1e-9 * float(np.abs(marks).max()))
        # Points of a discrete coordinate lie on each other; spread out a little, their number shows.
        rng = np.random.default_rng([ord(name[0]), int(name[1:])])
        scattered = scattered + step * rng.uniform(-0.25, 0.25, scattered.size)
    low, high = float(marks[0] - 0.5 * step), float(marks[-1] + 0.5 * step)
    edges = (marks[:, None] + [-0.3 * step, 0.3 * step]).ravel()
    heights = np.zeros(edges.size - 1)
    heights[::2] = np.bincount(np.searchsorted(marks, values))
    return Margin(name, low, high, 0.12 * step, _cells(values, low, high), scattered, edges, heights, marks)


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
    place = (np.clip(values, low, high) - low) / (high - low) * CELLS
    inside = (values >= low) & (values <= high)
    return np.where(inside, np.minimum(place.astype(np.int64), CELLS - 1), -1)


def density(column: Margin, row: Margin) -> Array:
    """A kernel density on the grid, its first axis vertical: the smoothest of those that foretell each point well.

    Scott's bandwidth alone would smear what lies along a curve, and make hills of chance where nothing varies.
    """
    inside = (column.cells >= 0) & (row.cells >= 0)
    place = row.cells[inside] * CELLS + column.cells[inside]
    counts = np.bincount(place, minlength=CELLS * CELLS).reshape(CELLS, CELLS)
    # Reflected at the ends of the ranges, so that bounded margins keep their mass there.
    spectrum = np.fft.rfft2(np.pad(counts, (0, CELLS), mode="symmetric"))

    def smooth(vertical: float, horizontal: float) -> tuple[float, Array]:
        (damping_y, own_y), (damping_x, own_x) = _kernel(row, vertical), _kernel(column, horizontal)
        found = np.fft.irfft2(spectrum * np.outer(damping_y, damping_x[: CELLS + 1]))[:CELLS, :CELLS]
        score = (counts * np.log(np.maximum(found - np.outer(own_y, own_x), 1e-12))).sum()
        return float(score) / place.size, found

    # How much worse than the best a smoother density may be, in nats for each point, is a matter of taste.
    tried = [(factor, *smooth(factor, factor)) for factor in _FACTORS]
    best = max(score for _, score, _ in tried)
    factor, score, sharp = next(t for t in tried if t[1] >= best - 0.06)
    flat = [smooth(*factors) for factors in ((_FLAT, _FLAT), (_FLAT, factor), (factor, _FLAT))]
    return next((d for flat_score, d in flat if flat_score >= score - 0.004), sharp)


def _kernel(margin: Margin, factor: float) -> tuple[Array, Array]:
    """A Gaussian's Fourier transform, and what a point in each cell adds to the density there, reflections included."""
    narrow = 1.0 if margin.marks.size else factor
    width = max(narrow * margin.bandwidth / (margin.high - margin.low) * CELLS, 1.2)
    middle = np.arange(CELLS) + 0.5
    own = 1.0 + np.exp(-2.0 * (middle / width) ** 2) + np.exp(-2.0 * ((CELLS - middle) / width) ** 2)
    damping = np.exp(-2.0 * (np.pi * width * np.fft.fftfreq(2 * CELLS)) ** 2)
    return damping, np.maximum(own / (width * np.sqrt(2.0 * np.pi)), 1.0 / CELLS)


def levels(grid: Array) -> list[float]:
    """The densities above which lie the masses, rising, and a last one above all."""
    ranked = np.sort(grid, axis=None)[::-1]
    held = np.cumsum(ranked) / ranked.sum()
    # Halfway to the next lower cell: a level that is itself a cell's value would be drawn by rounding errors.
    halfway = 0.5 * (ranked + np.append(ranked[1:], 0.0))
    bounds = np.unique([halfway[held >= mass][0] for mass in _MASSES])
    bounds = bounds[bounds < 0.999 * ranked[0]]
    return [*(bounds.tolist() or [0.5 * float(ranked[0])]), 2.0 * float(ranked[0])]
