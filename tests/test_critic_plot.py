"""What critics have learned is drawn as it is, beside the truth, and a command does it all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import error, run
from matplotlib.collections import PathCollection, QuadMesh

import mibench as mi
from mibench.errors import NotAvailable, ParameterError
from mibench.report.critic_plot import critic_plot
from mibench.report.learned import ground, learn, paper_tasks

SHORT = "NWJ(steps=40, learning_rate=0.01, test_every=20)"
STUDENT = "Student(((1, 0.5), (0.5, 1)), dof=2, dim_x=1)"


def _ground(name: str | mi.Task, n: int, seed: int = 0) -> Any:
    return ground(mi.task(name) if isinstance(name, str) else name, n, seed)


def _learn(known: Any, spelling: str = SHORT) -> Any:
    return learn(known, mi.parse(spelling))


@pytest.fixture(scope="module")
def student() -> Any:
    return _ground(STUDENT, 800, 3)


@pytest.fixture(scope="module")
def learned(student: Any) -> Any:
    return [_learn(student, spelling) for spelling in (SHORT, "SMILE(steps=40, test_every=20, learning_rate=0.01)")]


def _drawn(panel: Any) -> np.ndarray:
    (mesh,) = [c for c in panel.collections if isinstance(c, QuadMesh)]
    return np.ma.filled(mesh.get_array(), np.nan)


def _middles(mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    corners = mesh.get_coordinates()
    middles = 0.25 * (corners[1:, 1:] + corners[1:, :-1] + corners[:-1, 1:] + corners[:-1, :-1])
    return middles[..., 0].reshape(-1, 1), middles[..., 1].reshape(-1, 1)


def _texts(figure: object) -> str:
    return " ".join(t.get_text() for t in figure.texts).replace("\n", " ")


def test_maps_hold_the_truth_and_what_was_learned(student: Any, learned: Any) -> None:
    figure = critic_plot(learned)
    sample, *maps, bar = figure.get_axes()
    assert len(maps) == 3
    known = [student.task.distribution.pmi, *(one.trained.pmi for one in learned)]
    for panel, pmi in zip(maps, known, strict=True):
        (mesh,) = [c for c in panel.collections if isinstance(c, QuadMesh)]
        # Where the cells are drawn, and not where the grid says that they are.
        np.testing.assert_allclose(_drawn(panel).ravel(), pmi(*_middles(mesh)), rtol=1e-4, atol=1e-4)
        assert panel.get_xlim() == maps[0].get_xlim() == sample.get_xlim()
    titles = [panel.get_title() for panel in maps]
    assert titles[0] == f"true MI: {student.task.mi:.3f}"
    for one, title in zip(learned, titles[1:], strict=True):
        shown = title.replace("\n", " ").replace("−", "-")
        assert shown == f"{one.estimator}: {one.trained.estimate.mi:.3f}"
    assert bar.get_ylabel() == "pointwise MI (nats)"


def test_colours_are_shared_and_clipped_as_is_said(student: Any, learned: Any) -> None:
    figure = critic_plot(learned)
    panels = figure.get_axes()[:-1]
    ends = {c.get_clim() for panel in panels for c in panel.collections}
    assert len(ends) == 1
    (low, high) = ends.pop()
    assert low == -high
    assert high == pytest.approx(np.quantile(np.abs(student.fresh.pmi), 0.98), rel=0.05)
    assert f"Colours are clipped to ±{high:g} nats." in _texts(figure)
    grey = panels[0].collections[0].cmap(0.5)
    assert np.ptp(grey[:3]) < 0.02


def test_the_sample_is_500_points_and_long_tails_are_left_out(student: Any, learned: Any) -> None:
    figure = critic_plot(learned)
    panel = figure.get_axes()[0]
    (points,) = [c for c in panel.collections if isinstance(c, PathCollection)]
    np.testing.assert_array_equal(points.get_offsets(), np.hstack([student.sample.x, student.sample.y])[:500])
    np.testing.assert_array_equal(points.get_array(), student.sample.pmi[:500])
    (left, right), (low, high) = panel.get_xlim(), panel.get_ylim()
    x, y = student.sample.x, student.sample.y
    inside = ((left <= x) & (x <= right) & (low <= y) & (y <= high)).mean()
    assert 0.9 < inside < 1.0
    assert "The ends of long tails are left out" in _texts(figure)


def test_panels_are_of_one_size_and_do_not_overlap(learned: Any) -> None:
    other: Any = [_learn(_ground(t, 200)) for t in paper_tasks()]
    for some in (learned, other):
        figure = critic_plot(some)
        width, height = figure.get_size_inches()
        places = [axes.get_position() for axes in figure.get_axes()]
        sides = [(p.width * width, p.height * height) for p in places[:-1]]
        np.testing.assert_allclose(sides, sides[0][0])
        renderer = figure.canvas.get_renderer()
        boxes: list[Any] = [*(axes.get_tightbbox(renderer) for axes in figure.get_axes())]
        boxes.append(figure.texts[0].get_window_extent())
        for i, box in enumerate(boxes):
            assert figure.bbox.x0 <= box.x0
            assert box.x1 <= figure.bbox.x1
            assert figure.bbox.y0 <= box.y0
            assert box.y1 <= figure.bbox.y1
            assert not any(box.overlaps(after) for after in boxes[i + 1 :])


def test_the_paper_has_six_distributions_in_columns() -> None:
    tasks = paper_tasks()
    assert [t.id for t in tasks][1] == mi.task(STUDENT).id
    assert [getattr(t.distribution, "dof", None) for t in tasks] == [1, 2, 3, 5, 8, None]
    figure = critic_plot([_learn(_ground(t, 200)) for t in tasks])
    assert [panel.get_title() for panel in figure.get_axes()[:6]] == [t.name for t in tasks]
    assert len(figure.get_axes()) == 19


def test_more_dimensions_are_scattered_at_fresh_points() -> None:
    known = _ground("multinormal-sparse-3-3-2-2.0", 600)
    one = _learn(known)
    (panel,) = critic_plot([one]).get_axes()
    points: Any = panel.collections[0]
    expected = np.column_stack([known.fresh.pmi, one.trained.pmi(known.fresh.x, known.fresh.y)])
    np.testing.assert_array_equal(points.get_offsets(), expected[:3000])
    assert panel.get_xlim() == panel.get_ylim()
    (text,) = panel.texts
    correlation, rmse = np.corrcoef(expected.T)[0, 1], np.sqrt(np.mean((expected[:, 0] - expected[:, 1]) ** 2))
    assert text.get_text().replace("−", "-") == f"r = {correlation:.2f}\nRMSE = {rmse:.2f}"
    assert not np.isin(known.fresh.x, known.sample.x).any()
    assert f"true MI: {known.task.mi:.3f}" in panel.get_title()


def test_both_kinds_in_one_picture(learned: Any) -> None:
    known = _ground("multinormal-sparse-3-3-2-2.0", 200)
    figure = critic_plot([*learned, _learn(known)])
    assert len(figure.get_axes()) == 6
    figure.canvas.draw()


def test_what_cannot_occur_and_what_is_discrete() -> None:
    noise, dice = _ground("1v1-additive-0.1", 300), _ground("Discrete(((0.4,0.1),(0.1,0.4)))", 300)
    assert np.isneginf(noise.grid.pmi).any()
    assert np.isnan(noise.grid.pmi).any()
    assert dice.grid.pmi.shape == (2, 2)
    figure = critic_plot([_learn(known) for known in (noise, dice)])
    drawn = _drawn(figure.get_axes()[1])
    np.testing.assert_array_equal(np.isnan(drawn), np.isnan(noise.grid.pmi))  # minus infinity is not left white
    figure.canvas.draw()
    assert "What cannot occur is white." in _texts(figure)


def test_a_failed_training_is_a_panel_that_says_so(student: Any, learned: Any) -> None:
    failed = _learn(student, "NWJ(steps=40, learning_rate=1e30)")
    assert failed.trained is None
    assert "failed: training diverged" in str(failed)
    panel = critic_plot([*learned, failed]).get_axes()[4]
    assert "failed: training diverged" in panel.texts[0].get_text().replace("\n", " ")
    wide = _ground("student-identity-2-2-1", 100)
    assert len(critic_plot([_learn(wide, "NWJ(steps=40, learning_rate=1e30)")]).get_axes()) == 1


def test_errors(learned: Any) -> None:
    class Unknown(mi.Distribution):
        dim_x = dim_y = 1

        @property
        def mi(self) -> mi.Truth:
            return mi.Truth(0.0)

        def _draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
            return rng.random((n, 1)), rng.random((n, 1)), np.zeros(n)

    class Infinite(Unknown):
        def _pmi(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
            return np.full(len(x + y), np.inf)

    with pytest.raises(NotAvailable, match="pointwise MI of mine is not known at points of our choice"):
        ground(mi.Task("mine", Unknown()), n=50)
    with pytest.raises(NotAvailable, match="pointwise MI of mine is nowhere finite"):
        ground(mi.Task("mine", Infinite()), n=50)
    with pytest.raises(ParameterError, match="once for each task"):
        critic_plot([*learned, learned[0]])
    with pytest.raises(ParameterError, match="at least 1"):
        critic_plot([])
    with pytest.raises(ParameterError, match="estimator must be a NeuralEstimator"):
        learn(learned[0].ground, mi.KSG())


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_the_command_draws_a_picture(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "new" / f"picture.{suffix}"
    done = run("critic", STUDENT, "1v1-normal-0.75", "-n", 200, "--seed", 1, "-e", SHORT, "-o", path)
    head = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}[suffix]
    assert path.read_bytes().startswith(head)
    lines = done.stdout.splitlines()
    assert lines[-1] == str(path)
    for line, name in zip(lines, (STUDENT, "1v1-normal-0.75"), strict=False):
        assert line == str(_learn(_ground(name, 200, 1)))
        assert f"truth {mi.task(name).mi:.4f}, RMSE of the pointwise MI" in line


def test_the_command_refuses_what_it_cannot_draw(tmp_path: Path) -> None:
    path = tmp_path / "p.png"
    message = error("critic", "1v1-normal-0.75", "-e", "KSG()", "-o", path)
    assert "must be one that trains a critic, got 'KSG()'; there are DonskerVaradhan, " in message
    assert "NWJ" in message
    assert "must be a .png, .pdf or .svg" in error("critic", "1v1-normal-0.75", "-o", tmp_path / "p.gif")
    assert "name a task or more, or give --paper" in error("critic", "-o", path)
    assert "did you mean '1v1-normal-0.75'" in error("critic", "1v1-norml-0.75", "-o", path)
    assert not path.exists()
    failing = ("-e", "NWJ(learning_rate=1e30)", "-n", 50, "-o", path)
    assert "failed: training diverged" in run("critic", "1v1-normal-0.75", *failing, code=1).stdout
    assert path.exists()


def test_the_command_has_the_papers_figure(tmp_path: Path) -> None:
    lines = run("critic", "--paper", "-n", 100, "-e", SHORT, "-o", tmp_path / "p.png").stdout.splitlines()
    assert [line.split(f", {SHORT}")[0] for line in lines[:6]] == [t.id for t in paper_tasks()]
