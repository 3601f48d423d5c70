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


def test_a_factor_at_the_ends_of_double_precision() -> None:
    factor = linear.cholesky(np.array([[1e-320, 0.0], [0.0, 1e300]]))
    assert factor is not None
    np.testing.assert_allclose(factor, np.diag([np.sqrt(1e-320), 1e150]), rtol=1e-15)
    small = linear.cholesky(np.array([[4.0, 2.0], [2.0, 1.25]]) / 4.0 * 2.0**-1070)
    assert small is not None
    np.testing.assert_array_equal(small, np.array([[1.0, 0.0], [0.5, 0.25]]) * 2.0**-535)


def test_dependence_is_the_diagonal_of_the_inverse_correlation_matrix() -> None:
    for size in (1, 2, 7, 40):
        a = _RNG.normal(size=(size, size))
        matrix = a @ a.T + 0.1 * np.eye(size)
        factor = linear.cholesky(matrix)
        assert factor is not None
        expected = np.diag(np.linalg.inv(matrix)) * np.diag(matrix)
        np.testing.assert_allclose(linear.dependence(factor), expected, rtol=1e-8)
        scale = 10.0 ** _RNG.uniform(-150, 150, size=(size, 1))
        np.testing.assert_allclose(linear.dependence(scale * factor), expected, rtol=1e-8)
