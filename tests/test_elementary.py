"""The elementary functions beside 50-digit values, at the edges, and in blocks of any layout."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from mibench import elementary as e
from mibench import normal_law as law
from mibench.types import Array

_RNG = np.random.default_rng(0)
_ULP = float(np.finfo(np.float64).eps)


def _relative_error(found: Array, exact: Callable[[mpmath.mpf], mpmath.mpf], at: Array) -> float:
    with mpmath.workdps(50):
        values = [exact(mpmath.mpf(float(v))) for v in at]
        return float(max(abs((mpmath.mpf(float(f)) - v) / v) for f, v in zip(found, values, strict=True)))


def _signed(values: Array) -> Array:
    return values * np.where(_RNG.random(values.shape) < 0.5, -1.0, 1.0)


WIDE = 10.0 ** _RNG.uniform(-12, 8, 400)

CASES: dict[str, tuple[Callable[[Array], Array], Callable[[mpmath.mpf], mpmath.mpf], Array, float]] = {
    "exp": (e.exp, mpmath.exp, _RNG.uniform(-700, 700, 400), 3),
    "log": (e.log, mpmath.log, 10.0 ** _RNG.uniform(-300, 300, 400), 3),
    "log near 1": (e.log, mpmath.log, 1.0 + _signed(10.0 ** _RNG.uniform(-15, -1, 400)), 3),
    "log1p": (e.log1p, mpmath.log1p, 10.0 ** _RNG.uniform(-300, 300, 400), 4),
    "sin": (e.sin, mpmath.sin, _signed(10.0 ** _RNG.uniform(-12, 3, 400)), 3),
    "cos": (lambda x: e.sin_cos(x)[1], mpmath.cos, _signed(10.0 ** _RNG.uniform(-12, 3, 400)), 3),
    "asinh": (e.asinh, mpmath.asinh, _signed(10.0 ** _RNG.uniform(-300, 300, 400)), 5),
    "sinh": (e.sinh, mpmath.sinh, _signed(10.0 ** _RNG.uniform(-12, 2, 400)), 6),
    "power 2.7": (lambda x: e.signed_power(x, 2.7), lambda v: v ** mpmath.mpf(2.7), WIDE, 80),
    "power 2/3": (lambda x: e.signed_power(x, 2 / 3), lambda v: v ** mpmath.mpf(2 / 3), WIDE, 20),
    "cdf": (lambda x: law.normal_cdf(x)[0], mpmath.ncdf, _RNG.uniform(-37, 8, 400), 6),
    "survival": (lambda x: law.normal_cdf(x)[1], lambda v: mpmath.ncdf(-v), _RNG.uniform(-8, 37, 400), 6),
}


@pytest.mark.parametrize(("function", "exact", "at", "units"), CASES.values(), ids=CASES.keys())
def test_accuracy(function: Callable, exact: Callable, at: Array, units: float) -> None:
    assert _relative_error(function(at), exact, at) < units * _ULP


def test_quantile_inverts_the_distribution_function() -> None:
    tail = 10.0 ** _RNG.uniform(-300, np.log10(0.5), 300)
    found = law.normal_quantile(tail)
    with mpmath.workdps(40):
        for p, t in zip(tail, found, strict=True):
            at = mpmath.mpf(float(t))
            miss = (mpmath.ncdf(at) - mpmath.mpf(float(p))) / mpmath.npdf(at)
            assert abs(miss) < 8 * _ULP * max(1.0, abs(float(t)))
    np.testing.assert_array_equal(law.normal_quantile(1.0 - tail[:50], tail[:50]), -found[:50])
    assert law.normal_quantile(np.array([0.5]))[0] == 0.0


def test_edges() -> None:
    inf, nan = np.inf, np.nan
    np.testing.assert_array_equal(e.exp(np.array([-inf, -800.0, 0.0, 800.0, inf])), [0.0, 0.0, 1.0, inf, inf])
    np.testing.assert_array_equal(e.log(np.array([0.0, -1.0, 1.0, inf])), [-inf, nan, 0.0, inf])
    np.testing.assert_allclose(e.log(np.array([5e-324, 1.7e308])), np.log([5e-324, 1.7e308]), rtol=1e-15)
    np.testing.assert_array_equal(e.log1p(np.array([0.0, 5e-324])), [0.0, 5e-324])
    np.testing.assert_array_equal(law.normal_cdf(np.array([-60.0, 60.0]))[0], [0.0, 1.0])
    np.testing.assert_array_equal(np.signbit(e.asinh(np.array([-0.0, 0.0]))), [True, False])
    np.testing.assert_array_equal(e.signed_power(np.array([-0.0, 0.0, 1.0, -1.0]), 3.3), [0.0, 0.0, 1.0, -1.0])


def test_huge_angles_stay_angles() -> None:
    sine, cosine = e.sin_cos(np.array([2.0**20, -1e9, 1e15, 1e300]))
    np.testing.assert_allclose(sine**2 + cosine**2, 1.0, rtol=1e-14)
    assert sine[0] == pytest.approx(np.sin(2.0**20), abs=1e-14)


def test_layout_and_block_make_no_difference() -> None:
    x = _RNG.normal(size=(101, 173))
    whole = e.exp(x)
    np.testing.assert_array_equal(e.exp(np.asfortranarray(x)), whole)
    np.testing.assert_array_equal(e.exp(x[::2, ::-3]), whole[::2, ::-3])
    np.testing.assert_array_equal([float(e.exp(np.array(v))) for v in x[0]], whole[0])
    np.testing.assert_array_equal(e.sin(x[::2, ::-3]), e.sin(x)[::2, ::-3])
    assert e.exp(np.zeros((0, 3))).shape == (0, 3)


def test_normals_are_symmetric_and_never_0_or_infinite() -> None:
    class Edges:
        """A generator that gives the smallest and the largest uniform, and those next to the middle."""

        def random(self, shape: tuple[int, ...]) -> Array:
            assert shape == (4,)
            return np.array([0.0, 1.0 - 2.0**-53, 0.5 - 2.0**-53, 0.5])

    found = law.standard_normals(Edges(), (4,))
    assert found[0] == -found[1]
    assert found[2] == -found[3]
    assert 8.2 < found[1] < 8.4
    assert 0.0 < found[3] < 1e-15
