"""The ordered linear algebra beside NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from mibench import linear

_RNG = np.random.default_rng(1)


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_factor_product_and_solution(size: int) -> None:
    a = _RNG.normal(size=(size, size))
    matrix = a @ a.T + 0.1 * np.eye(size)
    factor = linear.cholesky(matrix)
    assert factor is not None
    np.testing.assert_allclose(factor, np.linalg.cholesky(matrix), rtol=1e-9, atol=1e-12)
    points = _RNG.normal(size=(size, 20_000))
    coloured = linear.apply(factor, points)
    np.testing.assert_allclose(coloured, factor @ points, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(linear.solve_lower(factor, coloured), points, rtol=1e-7, atol=1e-7)


def test_matrices_without_a_factor() -> None:
    assert linear.cholesky(np.array([[1.0, 1.0], [1.0, 1.0]])) is None
    assert linear.cholesky(np.array([[1.0, 2.0], [2.0, 1.0]])) is None
    assert linear.cholesky(np.array([[-1.0]])) is None
    assert linear.cholesky(np.zeros((2, 2))) is None
    assert linear.cholesky(np.diag([1e-300, 1e300])) is not None


def test_any_rectangular_matrix() -> None:
    matrix = _RNG.normal(size=(3, 5))
    points = _RNG.normal(size=(5, 10))
    np.testing.assert_allclose(linear.apply(matrix, points), matrix @ points, rtol=1e-12, atol=1e-14)
