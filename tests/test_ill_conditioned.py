"""Covariances near to singular: the stated MI is right to 1e-6, or the matrix is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import mpmath
import numpy as np
import pytest

import mibench as mi
from mibench.errors import ParameterError
from mibench.types import Array


def _log_det(matrix: Any) -> Any:
    factor = mpmath.cholesky(matrix)
    return 2 * mpmath.fsum(mpmath.log(factor[i, i]) for i in range(factor.rows))


def _exact_mi(matrix: Array, m: int) -> float:
    """The MI of exactly these doubles, from determinants in 60 digits."""
    with mpmath.workdps(60):
        exact = mpmath.matrix(matrix.tolist())
        return float((_log_det(exact[:m, :m]) + _log_det(exact[m:, m:]) - _log_det(exact)) / 2)


def _hilbert(size: int) -> Array:
    return np.array([[1.0 / (i + j + 1) for j in range(size)] for i in range(size)])


def _near_twins(variance: float) -> Array:
    """X and two coordinates of Y, the second of which is the first and noise of a variance."""
    return np.array([[1.0, 0.6, 0.6], [0.6, 1.0, 1.0], [0.6, 1.0, 1.0 + variance]])


def _rank_deficient() -> Array:
    """Four coordinates that are mixed from three."""
    rng = np.random.default_rng(1135)
    inner = rng.normal(size=(3, 3))
    mixing = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, *rng.normal(size=2)]])
    matrix = mixing @ inner @ inner.T @ mixing.T
    return (matrix + matrix.T) / 2


REFUSED: dict[str, tuple[Array, int]] = {
    "twins in Y": (_near_twins(9e-16), 1),
    "twins in X": (_near_twins(9e-16)[::-1, ::-1], 2),
    "rank 3 of 4": (_rank_deficient(), 1),
    "determinant 0": (np.array([[0.9, -0.48, -0.12], [-0.48, 0.32, 0.24], [-0.12, 0.24, 0.5]]), 1),
    "Hilbert 13": (_hilbert(13), 6),
    "a correlation of 1 but for rounding": (np.array(mi.bivariate(1.0 - 2.0**-53)), 1),
}


@pytest.mark.parametrize(("matrix", "dim_x"), REFUSED.values(), ids=REFUSED.keys())
@pytest.mark.parametrize("kind", [mi.Normal, lambda s, dim_x: mi.Student(s, dof=3.0, dim_x=dim_x)])
def test_what_is_singular_to_rounding_is_refused(matrix: Array, dim_x: int, kind: Callable[..., object]) -> None:
    for scale in (1.0, 10.0 ** np.linspace(-4.0, 4.0, len(matrix))):
        scaled = matrix * scale * np.reshape(scale, (-1, 1))
        with pytest.raises(
            ParameterError, match=r"must be positive definite.*; drop coordinates that others determine"
        ):
            kind(scaled, dim_x=dim_x)


def test_the_reason_names_a_coordinate() -> None:
    message = r"all of the variance of coordinate [12] \(counted from 0\) except 1.2e-15 of it follows from the others"
    with pytest.raises(ParameterError, match=message):
        mi.Normal(_near_twins(1e-15), dim_x=1)


def test_singular_matrices_of_two_decimals_are_refused() -> None:
    rng = np.random.default_rng(3)
    for _ in range(1000):
        loadings = rng.integers(-12, 13, size=(3, 2)) / 10.0
        whole = np.rint(100.0 * loadings @ loadings.T)  # of rank 2, exactly
        with pytest.raises(ParameterError, match="positive definite"):
            mi.Normal(whole / 100.0, dim_x=1)


def _any_matrix(rng: np.random.Generator) -> Array:
    """A matrix from harmless to singular, of one of several kinds, its coordinates in any order and on any scale."""
    size, gap = int(rng.integers(2, 9)), 10.0 ** rng.uniform(-12.0, -6.0)
    mixed = rng.normal(size=(size, size))
    match int(rng.integers(4)):
        case 0:  # eigenvalues of all sizes
            turned = np.linalg.qr(mixed)[0]
            matrix = (turned * 10.0 ** rng.uniform(math.log10(gap), 0.0, size)) @ turned.T
        case 1:  # one coordinate that is nearly another
            mixed[0] = mixed[-1] + math.sqrt(gap) * rng.normal(size=size)
            matrix = mixed @ mixed.T
        case 2:  # few factors and a little noise
            few = mixed[:, : max(1, size // 2)]
            matrix = few @ few.T + gap * np.eye(size)
        case _:  # all correlate alike
            matrix = np.full((size, size), 1.0 - gap) + gap * np.eye(size)
    scale = 10.0 ** rng.uniform(-3.0, 3.0, size)
    matrix = (matrix + matrix.T) / 2 * scale[:, None] * scale
    order = rng.permutation(size)
    return ((matrix + matrix.T) / 2)[np.ix_(order, order)]


def test_whatever_is_accepted_has_the_right_mi() -> None:
    rng = np.random.default_rng(7)
    accepted = 0
    for _ in range(600):
        matrix = _any_matrix(rng)
        m = int(rng.integers(1, len(matrix)))
        try:
            normal = mi.Normal(matrix, dim_x=m)
        except ParameterError:
            continue
        accepted += 1
        assert normal.mi == pytest.approx(_exact_mi(matrix, m), rel=0.0, abs=1e-6)
        swapped = mi.Normal(np.roll(matrix, -m, axis=(0, 1)), dim_x=len(matrix) - m)
        assert swapped.mi == pytest.approx(normal.mi, rel=0.0, abs=1e-6)
    assert 200 < accepted < 500


@pytest.mark.parametrize("correlation", [0.9999, 1.0 - 1e-7, -1.0 + 1e-8, 1.0 - 6e-10])
def test_two_that_are_nearly_one_are_accepted(correlation: float) -> None:
    normal = mi.Normal(mi.bivariate(correlation), dim_x=1)
    with mpmath.workdps(40):
        exact = -mpmath.log(1 - mpmath.mpf(correlation) ** 2) / 2
    assert normal.mi == pytest.approx(float(exact), rel=0.0, abs=1e-6)
    draws = normal.draw(np.random.default_rng(0), 20_000)
    assert abs(draws.pmi.mean() - normal.mi) < 5.0 * draws.pmi.std() / math.sqrt(20_000)


def test_tiny_variances_cost_nothing() -> None:
    scale = 2.0**-1074  # the smallest double, so that there is room for whole numbers only
    matrix = np.array([[4.0, 3.0], [3.0, 5.0]])
    assert mi.Normal(matrix * scale, dim_x=1).mi == pytest.approx(mi.Normal(matrix, dim_x=1).mi, abs=1e-12)
