"""The one-parameter families keep what they promise to keep, and reach what they promise to reach."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

import mibench as mi
from mibench import families
from mibench.errors import DrawFailed, ParameterError, UnknownName
from mibench.tasks.check import check_task


def _family() -> list[mi.Task]:
    return [
        *families.sparsity_path(4),
        *(families.tails_power(k) for k in (1.0, 2.0, 3.0)),
        *(families.tails_student(dof) for dof in (1, 2.5, 20)),
        *(families.spiral_speed(v) for v in (0.0, 0.3, 1.5)),
        *(families.high_mi(kind, mi=value) for kind in ("normal", "half_cube", "spiral") for value in (0.0, 0.5, 5.0)),
    ]


@pytest.mark.parametrize("task", _family(), ids=lambda t: t.id)
def test_mean_pmi_is_the_mi(task: mi.Task) -> None:
    found = check_task(task, n=50_000, seed=1)
    assert found.agrees, found
    assert mi.parse(mi.spell(task.distribution)) == task.distribution


def test_ids_are_unique() -> None:
    ids = [t.id for t in _family()] + [t.id for t in mi.TASKS]
    assert len(set(ids)) == len(ids)


def test_sparsity_keeps_one_nat_on_the_whole_path() -> None:
    path = families.sparsity_path(12)
    assert len(path) == 12 + 9
    for task in path:
        assert task.mi == pytest.approx(1.0, abs=1e-10)
        assert (task.dim_x, task.dim_y) == (10, 10)


def test_sparsity_goes_from_all_in_common_to_one_pair() -> None:
    def correlations(task: mi.Task) -> np.ndarray:
        return task.distribution.covariance.matrix()[:10, 10:]

    first, *_, last = families.sparsity_path(5)
    assert np.ptp(correlations(first)) < 1e-6
    assert np.count_nonzero(correlations(last)) == 1
    middle = correlations(families.sparsity_alpha(0.0))
    np.testing.assert_allclose(middle, np.diag(np.diag(middle)))
    np.testing.assert_allclose(np.diag(middle), math.sqrt(-math.expm1(-0.2)), rtol=1e-9)
    np.testing.assert_allclose(correlations(families.sparsity_pairs(10)), middle, atol=1e-9)
    strengths = [float(correlations(families.sparsity_pairs(k)).max()) for k in range(10, 0, -1)]
    assert strengths == sorted(strengths)


def test_high_mi_is_the_wanted_one() -> None:
    for kind in ("normal", "half_cube", "spiral"):
        for wanted in (0.0, 1e-6, 0.3, 2.0, 5.0, 12.0):
            assert families.high_mi(kind, wanted).mi == pytest.approx(wanted, rel=1e-9, abs=1e-12)
        for wanted in np.linspace(13.0, 14.0, 101):
            assert families.high_mi(kind, float(wanted)).mi == pytest.approx(wanted, rel=0.0, abs=1e-9)
    spiral = families.high_mi("spiral", 1.0).distribution
    assert spiral.f == mi.Spiral(1 / 3, plane=(0, 1))
    assert spiral.g == mi.Spiral(1 / 3, plane=(1, 2))


def test_tails_and_spirals_keep_mi() -> None:
    assert {families.tails_power(k).mi for k in (1.0, 1.7, 3.0)} == {families.high_mi("normal", -math.log(0.36)).mi}
    assert len({families.spiral_speed(v).mi for v in (0.0, 0.1, 1.5)}) == 1
    assert families.spiral_speed(0.2, correlation=0.5).mi == pytest.approx(-0.5 * math.log(0.75))


@pytest.mark.parametrize(("k", "n"), [(100.0, 100_000), (300.0, 1000), (1e-17, 10_000)])
def test_powers_that_merge_points_are_refused_when_drawn(k: float, n: int) -> None:
    with pytest.raises(DrawFailed, match=r"SignedPower .* double precision .*; choose a milder map"):
        families.tails_power(k).draw(n, 0)


def test_spiral_turns_as_in_the_paper() -> None:
    # Section 4.3: the first row of the rotation is (cos v|x|^2, -sin v|x|^2).
    spiral = families.spiral_speed(0.7).distribution.f
    angle = 0.7 * 5.0
    expected = [math.cos(angle) * 1.0 - math.sin(angle) * 2.0, math.sin(angle) * 1.0 + math.cos(angle) * 2.0]
    np.testing.assert_allclose(spiral.forward([[1.0, 2.0]])[0], expected, rtol=1e-14)


def test_bad_parameters_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"alpha must be in \[0, 1\.15"):
        families.sparsity_alpha(1.3)
    with pytest.raises(ParameterError, match=r"alpha must be in \[0, 1\.15"):
        families.sparsity_alpha(-0.1)
    with pytest.raises(ParameterError, match="K must be at most 10, got 11"):
        families.sparsity_pairs(11)
    with pytest.raises(ParameterError, match="K must be a whole number >= 1"):
        families.sparsity_pairs(0)
    with pytest.raises(ParameterError, match="steps"):
        families.sparsity_path(1)
    for wanted in (-0.1, 14.1, 20.0, math.inf):
        with pytest.raises(ParameterError, match=r"mi must be a number in \[0, 14\]"):
            families.high_mi("normal", wanted)
    with pytest.raises(UnknownName, match="did you mean 'spiral'"):
        families.high_mi("sprial", 1.0)
    with pytest.raises(ParameterError, match="k must be a finite number > 0"):
        families.tails_power(0.0)
    with pytest.raises(ParameterError, match="dof must be"):
        families.tails_student(math.nan)


@pytest.mark.parametrize("task", _family(), ids=lambda t: t.id)
def test_a_member_is_found_by_its_id(task: mi.Task) -> None:
    found = mi.task(task.id)
    assert found == task
    assert found.draw(20, 0).fingerprint == task.draw(20, 0).fingerprint


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("tails-power-1.50", "; did you mean 'tails-power-1.5'?"),
        ("tails-power-2", "; did you mean 'tails-power-2.0'?"),
        ("high-mi-normal-1", "; did you mean 'high-mi-normal-1.0'?"),
        ("sparsity-pairs-007", "; did you mean 'sparsity-pairs-7'?"),
        ("tails-power-x", "; write it like 'tails-power-1.5'"),
        ("spiral-speed-0.5", "; write it like 'spiral-speed-0.5-0.8'"),
        ("tails-student--1.0", ": dof must be a finite number > 0"),
        ("sparsity-pairs-11", ": K must be at most 10, got 11"),
        ("spiral-speed-1e9-0.8", ": speed, times the largest entry of the generator, must be between"),
        ("high-mi-sprial-5.0", ": unknown kind 'sprial'; did you mean 'spiral'?"),
    ],
)
def test_what_no_member_is_called_is_unknown_and_why(name: str, message: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(f"unknown task {name!r}{message}")):
        mi.task(name)
    assert families.by_id(name) is None
