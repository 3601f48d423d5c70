"""The spiral diffeomorphism: a rotation whose angle grows with the distance from the origin."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.elementary import sin_cos, sum_of_squares
from mibench.errors import DimensionError, ParameterError
from mibench.identity import register
from mibench.transforms.base import Transform, need_dim
from mibench.transforms.linear_maps import check_plane, need_plane, turn
from mibench.types import Array

_FASTEST = 1e4


@register
@dataclass(frozen=True)
class Spiral(Transform):
    """x -> exp(speed |x|^2 A) x for a skew-symmetric A (Beyond Normal, Appendices B and D).

    A has a 1 at `plane` (axes counted from 0) and a -1 opposite, so that only these two coordinates mix; or it is
    `generator`, any skew-symmetric matrix. With a plane, or a generator that is a set of planes without a common axis,
    images have the same bits on every machine; with another generator, the same up to rounding.

    Rounding of the angle moves an image by about 6e-16 speed |x|^3 (times the largest entry of A), and the inverse as
    much. With speeds up to 1e4, the highest there is, that is below 1e-9 for |x| < 5.

    >>> Spiral(speed=0.5).forward([[0.0, 1.0]]).round(3)
    array([[0.479, 0.878]])
    """

    speed: float
    plane: tuple[int, int] = (0, 1)
    generator: checks.MatrixLike = ()

    def __post_init__(self) -> None:
        """Check the parameters."""
        speed, plane = checks.number("speed", self.speed), check_plane(self.plane)
        generator: checks.Matrix = ()
        if not isinstance(self.generator, tuple) or self.generator:
            if plane != (0, 1):
                raise ParameterError("give a plane or a generator, not both")
            matrix = checks.square_matrix("generator", self.generator)
            if not (np.abs(matrix + matrix.T) <= 1e-12 * np.abs(matrix).max()).all():
                raise ParameterError("generator must be skew-symmetric: a[i][j] = -a[j][i], with zeros on the diagonal")
            generator = checks.as_tuples(0.5 * (matrix - matrix.T))
        rate = float(np.abs(generator).max()) if generator else 1.0
        if not abs(speed) * rate <= _FASTEST:
            raise ParameterError(
                f"speed, times the largest entry of the generator, must be between -{_FASTEST:g} and {_FASTEST:g}, "
                f"beyond which rounding of the angle moves points by 1e-9 and more, got {speed * rate:.6g}"
            )
        checks.settle(self, speed=speed, plane=plane, generator=generator)

    def dim_out(self, dim_in: int) -> int:
        """The same dimension, which must fit the plane or generator."""
        if len(self.generator):
            need_dim(self, dim_in, len(self.generator))
            return dim_in
        return need_plane(self, self.plane, dim_in)

    def dim_in(self, dim_out: int) -> int:
        """The same dimension, which must fit the plane or generator."""
        return self.dim_out(dim_out)

    @cached_property
    def _planes(self) -> list[tuple[tuple[int, int], float]] | None:
        """The planes that A turns and their rates, if they have no axis in common."""
        if not len(self.generator):
            return [(self.plane, 1.0)]
        matrix = np.array(self.generator)
        if (np.count_nonzero(matrix, axis=1) > 1).any():
            return None
        return [((int(i), int(j)), float(matrix[i, j])) for i, j in zip(*np.nonzero(matrix), strict=True) if i < j]

    @cached_property
    def _spectrum(self) -> tuple[Array, npt.NDArray[np.complex128]]:
        """Real rates w and unitary U with A = U diag(i w) U^*."""
        rates, vectors = np.linalg.eigh(-1j * np.array(self.generator))
        return rates, vectors

    def _forward(self, x: Array) -> Array:
        return self._turned(x, self.speed)

    def _inverse(self, u: Array) -> Array:
        return self._turned(u, -self.speed)

    def _turned(self, x: Array, speed: float) -> Array:
        time = speed * sum_of_squares(x.T)
        if self._planes is None:
            rates, vectors = self._spectrum
            phase = np.exp(1j * time[:, None] * rates)
            return ((x @ vectors.conj()) * phase @ vectors.T).real
        for plane, rate in self._planes:
            sine, cosine = sin_cos(rate * time)
            x = turn(x, plane, cosine, -sine)
        return x

    def _log_jacobian(self, x: Array) -> Array:
        return np.zeros(len(x))


def plane_generator(dim: int, plane: tuple[int, int] = (0, 1)) -> checks.Matrix:
    """The skew-symmetric matrix with a 1 at `plane` and a -1 opposite, from which other generators can be made.

    >>> plane_generator(2)
    ((0.0, 1.0), (-1.0, 0.0))
    """
    i, j = check_plane(plane)
    dim = checks.dimension("dim", dim)
    if max(i, j) >= dim:
        raise DimensionError(f"plane {(i, j)} (axes counted from 0) needs a dimension above {max(i, j)}, got {dim}")
    matrix = np.zeros((dim, dim))
    matrix[i, j], matrix[j, i] = 1.0, -1.0
    return checks.as_tuples(matrix)
