"""Ties, grids, jitter and scales: what the estimators that look at neighbours in x and y together say of them."""

from __future__ import annotations

import numpy as np
import pytest

import mibench as mi
from mibench.errors import EstimateFailed
from mibench.preprocessing import standardise, uniformise

BOTH = pytest.mark.parametrize("kind", [mi.KSG, mi.KSG2])
EVERY = pytest.mark.parametrize("kind", [mi.KSG, mi.KSG2, mi.MixedKSG])
TASK = mi.task("1v1-normal-0.75")


def _few_values(n: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 5, n)
    return x, x + rng.integers(0, 3, n)


def test_a_rounding_that_biases_is_told() -> None:
    draws = TASK.draw(20_000, 0)
    plain, x, y = mi.KSG(k=3).estimate(draws.x, draws.y), draws.x.round(3), draws.y.round(3)
    rounded = mi.KSG(k=3).estimate(x, y)
    assert plain.warnings == ()
    assert rounded.mi > plain.mi + 0.03
    (warning,) = rounded.warnings
    assert (
        "of 20000 points have tied neighbours, at exactly one distance (k = 3), so that the estimate is too high"
        in warning
    )
    assert "x has equal values (column 1) and y has equal values (column 1); use MixedKSG(), or jitter" in warning
    assert mi.KSG(k=3, jitter=1e-6).estimate(x, y).warnings == ()
    assert mi.KSG(k=3, jitter=1e-6).estimate(x, y).mi == pytest.approx(plain.mi, abs=0.02)
    (warning,) = mi.KSG2(k=3).estimate(x, y).warnings
    assert "so that the estimate is too low by about" in warning
    assert mi.KSG2(k=3).estimate(x, y).mi < plain.mi - 0.02


@pytest.mark.parametrize("digits", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("k", [1, 3, 10])
@pytest.mark.parametrize("name", ["1v1-normal-0.75", "multinormal-sparse-3-3-2-2.0"])
def test_what_is_not_told_does_next_to_no_harm(name: str, k: int, digits: int) -> None:
    draws = mi.task(name).draw(2000, 0)
    found = mi.KSG(k=k).estimate(draws.x.round(digits), draws.y.round(digits))
    bias = found.mi - mi.KSG(k=k).estimate(draws.x, draws.y).mi
    assert found.warnings if abs(bias) > 0.03 else True
    assert not found.warnings if abs(bias) < 0.003 else True


@BOTH
def test_the_order_of_rows_makes_no_difference_to_what_is_told(kind: type) -> None:
    draws = TASK.draw(4000, 0)
    x = np.where(np.arange(4000)[:, None] < 1500, draws.x, draws.x.round(1))
    y = np.where(np.arange(4000)[:, None] < 1500, draws.y, draws.y.round(1))
    told = kind(k=3).estimate(x, y).warnings
    assert len(told) == 1
    order = np.random.default_rng(0).permutation(4000)
    assert kind(k=3).estimate(x[order], y[order]).warnings == told


def test_columns_are_called_by_their_names_and_places() -> None:
    import pandas as pd

    x, y = _few_values(500)
    fine = np.random.default_rng(1).permutation(500) / 1024
    three = np.column_stack([np.ones(500), fine, x])
    (_, warning) = mi.KSG(k=60).estimate(three, y).warnings  # more than are alike in x and y
    assert "x has equal values (column 3) and y has equal values (column 1);" in warning
    frame = pd.DataFrame(three, columns=["one", "fine", "few"])
    for estimator in (mi.KSG(k=60), mi.Preprocessed(mi.KSG(k=60), "none")):
        constant, warning = estimator.estimate(frame, y).warnings
        assert constant == "x has 1 constant column (column 'one'), left out"
        assert "x has equal values (column 'few') and y" in warning
    many = mi.KSG().estimate(np.round(np.random.default_rng(2).normal(size=(500, 14))), y).warnings
    assert "x has equal values (column 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...) and" in many[0]


def test_lnn_gives_advice_that_it_can_follow() -> None:
    rng = np.random.default_rng(0)
    x = np.where(np.arange(1500) < 1200, rng.normal(size=1500).round(2), 0.0)[rng.permutation(1500)]
    said = mi.LNN().estimate(x + 0.0, rng.normal(size=1500)).warnings
    assert said[0] == (
        "x has many equal values (column 1), and the estimator is for continuous variables; use MixedKSG()"
    )


@pytest.mark.parametrize("k", [1, 3])
@BOTH
def test_ranks_are_a_grid_that_counts_the_same_both_ways(kind: type, k: int) -> None:
    draws = TASK.draw(1000, 1)
    estimator = mi.Preprocessed(kind(k=k), "uniformise")
    found = estimator.estimate(draws.x, draws.y)
    for x, y in ((draws.x, -draws.y), (-draws.x, draws.y), (-draws.x, -draws.y)):
        assert estimator.estimate(x, y) == found
    (warning,) = found.warnings
    assert "values lie on a grid, as ranks do, or rows are repeated" in warning
    # The same grid with steps of 1, where every distance is a whole number.
    ranks = [2.0 * np.argsort(np.argsort(v[:, 0])) + 1.0 for v in (draws.x, draws.y)]
    assert kind(k=k).estimate(*ranks).mi == found.mi


def test_many_points_make_a_fine_grid() -> None:
    draws = TASK.draw(20_000, 0)
    found = mi.KSG(k=10).estimate(uniformise(draws.x), uniformise(draws.y))
    assert found.warnings == ()
    assert found.mi == pytest.approx(mi.KSG(k=10).estimate(draws.x, draws.y).mi, abs=0.01)


@EVERY
@pytest.mark.parametrize("offset", [0.0, 1e10, -1e14])
def test_jitter_is_not_lost_on_an_offset(kind: type, offset: float) -> None:
    x, y = _few_values(1000)
    estimator = kind(k=5, jitter=1e-6)
    found = estimator.estimate(x + offset, y - offset)
    assert found.warnings == ()
    assert found.mi == estimator.estimate(x, y).mi
    assert found.mi == pytest.approx(mi.PlugIn().estimate(x, y).mi, abs=0.05)


def test_a_jitter_too_small_for_its_use_is_told() -> None:
    draws = TASK.draw(2000, 0)
    spread = 1e12 * draws.x.round()  # the noise of 1e-30 is lost beside it
    (warning,) = mi.KSG(jitter=1e-30).estimate(spread, 1e12 * draws.y.round()).warnings
    assert "tied neighbours, at exactly one distance" in warning


@EVERY
@pytest.mark.parametrize("dims", [1, 2])
def test_jitter_does_not_leave_the_range_of_doubles(kind: type, dims: int) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 300, dims))
    largest = x / np.abs(x).max() * 1.79e308
    estimator = kind(k=5, jitter=0.1)
    assert estimator.estimate(largest, largest).mi > 0.1
    assert abs(estimator.estimate(largest, y / np.abs(y).max() * 1.79e308).mi) < 0.2
    tiny = 1e-310 * x
    assert estimator.estimate(tiny, tiny).mi == pytest.approx(estimator.estimate(x, x).mi, abs=0.1)


@EVERY
def test_jitter_does_not_mind_which_is_called_x(kind: type) -> None:
    x, y = _few_values(1000)
    wide = np.column_stack([y, x % 2])
    for left, right in ((x, y), (x, wide), (x, 3 - x), (wide, wide)):
        estimator = kind(k=5, jitter=1e-3)
        assert estimator.estimate(left, right).mi == pytest.approx(estimator.estimate(right, left).mi, abs=1e-12)
    # The noise of the two differs even where they are the same, so that the estimate is the entropy of the values.
    assert kind(k=5, jitter=1e-6).estimate(x, x).mi == pytest.approx(np.log(5), abs=0.05)


@EVERY
@pytest.mark.parametrize("scale", [1e3, 1e6, 1e200])
def test_a_side_that_is_not_seen_is_told(kind: type, scale: float) -> None:
    rng = np.random.default_rng(0)
    z = rng.normal(size=2000)
    w = z + 0.1 * rng.normal(size=2000)
    assert kind().estimate(z, w).warnings == ()
    for x, y, name in ((scale * z, w, "y"), (z, scale * w, "x")):
        (warning,) = kind().estimate(x, y).warnings
        assert f"hardly sees {name}; standardise the columns first" in warning
        found = kind().estimate(standardise(x[:, None]), standardise(y[:, None]))
        assert found.warnings == ()
        assert found.mi == pytest.approx(0.5 * np.log(101), abs=0.1)


def test_mixed_ksg_is_told_of_scales_but_not_of_a_value_that_most_points_have() -> None:
    rng = np.random.default_rng(0)
    label, noise = rng.random(1000) < 0.03, rng.normal(size=1000)
    assert mi.MixedKSG(k=3).estimate(label, noise + 3.0 * label).warnings == ()
    (warning,) = mi.MixedKSG(k=3).estimate(label, 1e6 * (noise + 3.0 * label)).warnings
    assert "nearer in x than their neighbours in both, so that the estimate hardly sees x; standardise" in warning


@EVERY
def test_scales_of_standard_columns_are_not_told(kind: type) -> None:
    for name in (
        "1v1-normal-0.75",
        "multinormal-sparse-3-3-2-2.0",
        "multinormal-dense-25-25-0.5",
        "student-identity-2-2-1",
    ):
        draws = mi.task(name).draw(600, 0)
        assert kind(k=(3, 10)).estimate(standardise(draws.x), standardise(draws.y)).warnings == ()
    draws = TASK.draw(12, 0)
    assert kind(k=11).estimate(draws.x, draws.y).warnings == ()


@EVERY
def test_a_side_that_would_be_lost_is_refused(kind: type) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 200))
    said = "is so small beside the others, .* that its distances are lost in double precision; standardise"
    with pytest.raises(EstimateFailed, match="^a column of y " + said):
        kind().estimate(1e300 * x, 1e-300 * y)
    with pytest.raises(EstimateFailed, match="^a column of x " + said):
        kind().estimate(1e-300 * x, 1e300 * y)
    with pytest.raises(EstimateFailed, match="^a column of x " + said):
        kind(jitter=0.1).local(1e-300 * x, 1e300 * y)
    with pytest.raises(EstimateFailed, match="^a column of x " + said):  # the squares of its distances are
        kind(metric="euclidean").estimate(1e-250 * np.column_stack([x, y]), y)
    with pytest.raises(EstimateFailed, match="^a column of x " + said):
        kind().estimate(np.column_stack([1e300 * x, 1e-300 * y]), 1e300 * y)
    assert kind().estimate(1e-250 * np.column_stack([x, y]), y).warnings
