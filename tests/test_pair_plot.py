"""Pictures are drawn of anything, without a warning, and show what they say they show."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import mibench as mi
from mibench.errors import DataError, ParameterError
from mibench.report.density import density, levels, margin_of
from mibench.report.pair_plot import pair_plot

SHOWN = [
    "1v1-additive-0.1",
    "student-identity-1-1-1",
    "swissroll_x-normal_cdf-1v1-normal-0.75",
    "multinormal-dense-50-50-0.5",
    "student-identity-2-2-1",
    "normal_cdf-multinormal-sparse-3-3-2-2.0",
]


def _texts(figure: object) -> str:
    return " ".join(t.get_text() for t in figure.texts).replace("\n", " ")


@pytest.mark.parametrize("name", SHOWN)
def test_tasks_are_drawn(name: str) -> None:
    task = mi.task(name)
    figure = pair_plot(task.draw(800, 0), task.name)
    shown = min(task.dim_x + task.dim_y, 8)
    assert len(figure.get_axes()) == shown**2 + 1
    figure.canvas.draw()
    assert task.name in _texts(figure)
    assert "800 points." in _texts(figure)


def test_the_footnote_says_what_is_left_out() -> None:
    text = _texts(pair_plot(mi.task("multinormal-dense-50-50-0.5").draw(4000, 0), "many"))
    assert "4,000 points, the first 3,000 scattered." in text
    assert "Drawn: 4 of 50 coordinates of X and 4 of 50 coordinates of Y." in text
    cauchy = mi.task("student-identity-1-1-1").draw(4000, 0)
    text = _texts(pair_plot(cauchy, "heavy"))
    assert "points lie outside the frames" in text
    axes = pair_plot(cauchy, "heavy").get_axes()[1]
    inside = [(low <= v) & (v <= high) for v, (low, high) in ((cauchy.y, axes.get_xlim()), (cauchy.x, axes.get_ylim()))]
    assert 0.7 < (inside[0] & inside[1]).mean() < 0.999


def test_scatter_shows_the_points_and_their_pmi() -> None:
    draws = mi.task("1v1-normal-0.75").draw(300, 0)
    panel = pair_plot(draws, "scatter").get_axes()[1]
    (points,) = panel.collections
    shown = np.asarray(points.get_offsets())
    np.testing.assert_array_equal(shown[:, 0], draws.y[np.isin(draws.y[:, 0], shown[:, 0]), 0])
    assert len(shown) > 290
    assert set(np.asarray(points.get_array())) <= set(draws.pmi)
    low, high = points.get_clim()
    assert np.add(low, high) == 0.0


def test_chosen_axes() -> None:
    draws = mi.task("multinormal-dense-25-25-0.5").draw(100, 0)
    figure = pair_plot(draws, "three", axes=("y25", "x3", "x1"))
    labels = [a.get_xlabel() for a in figure.get_axes()]
    assert [label for label in labels if label] == ["$Y_{25}$", "$X_{3}$", "$X_{1}$"]
    bad = {
        ("x1", "x26"): r"axes\[1\] must be a coordinate of the draws, x1 to x25 or y1 to y25, got 'x26'",
        ("x1", "x1"): "axes must name each coordinate once, got 'x1' twice",
        ("x1",): "at least 2 parts",
        tuple(f"x{i}" for i in range(1, 10)): "at most 8 coordinates, got 9",
        ("x1", "x01"): r"axes\[1\] must be a coordinate",
        ("x1", 3): r"axes\[1\] must be a str, got 3",
    }
    for axes, message in bad.items():
        with pytest.raises(ParameterError, match=message):
            pair_plot(draws, "bad", axes=axes)


ODD = {
    "one point": (np.zeros((1, 1)), np.ones((1, 1))),
    "two points": (np.array([[0.0], [1.0]]), np.array([[5.0], [5.0]])),
    "constants": (np.full((50, 2), 7.0), np.full((50, 1), -1e300)),
    "whole numbers": (np.arange(60.0)[:, None] % 3, np.arange(60.0)[:, None] % 7),
    "huge": (1.7e308 * np.linspace(-1, 1, 99)[:, None], np.linspace(0, 1e-300, 99)[:, None]),
    "far from 0": (1e6 + 1e-3 * np.linspace(-1, 1, 99)[:, None], np.linspace(0, 1, 99)[:, None]),
    "nearly all equal": (np.r_[np.zeros(999), 1.0][:, None], np.linspace(0, 1, 1000)[:, None]),
}


@pytest.mark.parametrize(("x", "y"), ODD.values(), ids=ODD.keys())
def test_odd_points_are_drawn(x: np.ndarray, y: np.ndarray) -> None:
    figure = pair_plot(mi.Draws(x, y, np.zeros(len(x))), "odd: $_{ <b>")
    figure.canvas.draw()


def test_draws_of_nothing_are_refused() -> None:
    nothing = np.zeros((0, 1))
    with pytest.raises(DataError, match="at least 1, got 0"):
        pair_plot(mi.Draws(nothing, nothing, np.zeros(0)), "empty")
    with pytest.raises(ParameterError, match="draws must be a Draws"):
        pair_plot("1v1-normal-0.75", "no draws")


def test_contours_hold_their_masses() -> None:
    draws = mi.task("1v1-normal-0.75").draw(50_000, 0)
    x, y = margin_of("x1", draws.x[:, 0]), margin_of("y1", draws.y[:, 0])
    grid = density(x, y)
    inside = (x.cells >= 0) & (y.cells >= 0)
    at = grid[y.cells[inside], x.cells[inside]]
    held = [(at > level).mean() for level in levels(grid)[:-1]]
    np.testing.assert_allclose(held, [0.9, 0.7, 0.5, 0.3, 0.1], atol=0.04)


def test_density_is_near_the_truth() -> None:
    normal = mi.task("1v1-normal-0.75")
    draws = normal.draw(50_000, 0)
    x, y = margin_of("x1", draws.x[:, 0]), margin_of("y1", draws.y[:, 0])
    cells = [np.linspace(m.low, m.high, 129)[:-1] + 0.5 * (m.high - m.low) / 128 for m in (x, y)]
    at = np.stack(np.meshgrid(*cells), axis=-1).reshape(-1, 2)
    truth = np.exp(normal.distribution.log_densities(at[:, :1], at[:, 1:]).joint).reshape(128, 128)
    grid = density(x, y)
    # Kernel densities are lower at the mode by what their bandwidth smears.
    assert np.abs(grid / grid.sum() - truth / truth.sum()).max() < 0.15 * (truth / truth.sum()).max()


def test_plotting_is_loaded_only_when_drawn() -> None:
    code = "import sys, mibench.report.pair_plot; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
