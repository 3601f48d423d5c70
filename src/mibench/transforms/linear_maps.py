"""Linear maps of several coordinates: any invertible matrix, and rotations in one plane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mibench import checks, linear
from mibench.elementary import sin_cos
from mibench.errors import DimensionError, ParameterError
from mibench.identity import register
from mibench.transforms.base import Transform, need_dim
from mibench.types import Array

_SINGULAR = 1e-7  # beyond which an inverse is not right to nine digits


@register
@dataclass(frozen=True)
class Affine(Transform):
    """`matrix` x + `shift`, for an invertible matrix.

    >>> Affine(matrix=((1.0, 1.0), (0.0, 1.0)), shift=(0.0, 5.0)).forward([[1.0, 2.0]])
    array([[3., 7.]])
    """

    matrix: checks.MatrixLike
    shift: checks.VectorLike = ()

    def __post_init__(self) -> None:
        """Check that the matrix is invertible."""
        array = checks.square_matrix("matrix", self.matrix)
        values = np.linalg.svd(array, compute_uv=False)
        if not values[-1] > _SINGULAR * values[0]:
            raise ParameterError(
                f"matrix must be invertible, but its singular values run from {values[0]:.3g} to {values[-1]:.3g}; "
                "a map that loses a direction loses information"
            )
        shift = checks.optional_vector("shift", self.shift, len(array))
        checks.settle(self, matrix=checks.as_tuples(array), shift=shift)

    def dim_out(self, dim_in: int) -> int:
        """The size of the matrix."""
        need_dim(self, dim_in, len(self.matrix))
        return dim_in

    def dim_in(self, dim_out: int) -> int:
        """The size of the matrix."""
        return self.dim_out(dim_out)

    @cached_property
    def _arrays(self) -> tuple[Array, Array]:
        return np.array(self.matrix), np.array(self.shift if len(self.shift) else (0.0,) * len(self.matrix))

    @cached_property
    def _log_determinant(self) -> float:
        return float(np.linalg.slogdet(self._arrays[0])[1])

    def _forward(self, x: Array) -> Array:
        matrix, shift = self._arrays
        return (linear.apply(matrix, x.T) + shift[:, None]).T

    def _inverse(self, u: Array) -> Array:
        matrix, shift = self._arrays
        return np.asarray(np.linalg.solve(matrix, (u - shift).T), dtype=np.float64).T

    def _log_jacobian(self, x: Array) -> Array:
        return np.full(len(x), self._log_determinant)


@register
@dataclass(frozen=True)
class Rotation(Transform):
    """A rotation by `angle` (radians) from axis plane[0] towards axis plane[1], counted from 0.

    >>> Rotation(angle=np.pi / 2).forward([[1.0, 0.0]]).round(12)
    array([[0., 1.]])
    """

    angle: float
    plane: tuple[int, int] = (0, 1)

    def __post_init__(self) -> None:
        """Check the parameters."""
        checks.settle(self, angle=checks.number("angle", self.angle), plane=check_plane(self.plane))

    def dim_out(self, dim_in: int) -> int:
        """The same dimension, which must hold the plane."""
        return need_plane(self, self.plane, dim_in)

    def dim_in(self, dim_out: int) -> int:
        """The same dimension, which must hold the plane."""
        return self.dim_out(dim_out)

    def _forward(self, x: Array) -> Array:
        sine, cosine = sin_cos(np.array(self.angle))
        return turn(x, self.plane, cosine, sine)

    def _inverse(self, u: Array) -> Array:
        sine, cosine = sin_cos(np.array(self.angle))
        return turn(u, self.plane, cosine, -sine)

    def _log_jacobian(self, x: Array) -> Array:
        return np.zeros(len(x))


def check_plane(value: object) -> tuple[int, int]:
    """Two different axes, counted from 0."""
    axes = checks.members("plane", value, object)
    if len(axes) != 2:
        raise ParameterError(f"plane must be two axes, such as (0, 1), got {value!r}")
    first, second = (checks.whole("an axis of plane", axis, least=0) for axis in axes)
    if first == second:
        raise ParameterError(f"plane must be two different axes, got {(first, second)}")
    return first, second


def need_plane(transform: Transform, plane: tuple[int, int], dim: int) -> int:
    """The dimension, if it has the axes of a plane."""
    if max(plane) >= dim:
        raise DimensionError(
            f"{type(transform).__name__} turns axes {plane[0]} and {plane[1]} (counted from 0), so it takes points of "
            f"dimension {max(plane) + 1} or more, got {dim}"
        )
    return dim


def turn(x: Array, plane: tuple[int, int], cosine: Array, sine: Array) -> Array:
    """Points turned in a plane, each by its own angle."""
    i, j = plane
    out = x.copy()
    out[:, i] = cosine * x[:, i] - sine * x[:, j]
    out[:, j] = sine * x[:, i] + cosine * x[:, j]
    return out
