"""Transforms made of transforms: none, one after another, and one for each axis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.identity import register
from mibench.transforms.base import Transform, need_dim
from mibench.types import Array, Mask


@register
@dataclass(frozen=True)
class Identity(Transform):
    """Leaves points as they are.

    >>> Identity().forward([[1.0, 2.0]])
    array([[1., 2.]])
    """

    def _forward(self, x: Array) -> Array:
        return x.copy()

    def _inverse(self, u: Array) -> Array:
        return u.copy()

    def _log_jacobian(self, x: Array) -> Array:
        return np.zeros(len(x))


@register
@dataclass(frozen=True)
class Chain(Transform):
    """Transforms one after another, the first one first: "B @ A" of the paper is `Chain((A, B))`.

    >>> from mibench import NormalCDF, SwissRoll
    >>> Chain((NormalCDF(), SwissRoll())).forward([[0.0]]).round(3)
    array([[-0.449,  0.   ]])
    """

    parts: Sequence[Transform]

    def __post_init__(self) -> None:
        """Check the parts."""
        checks.settle(self, parts=checks.members("parts", self.parts, Transform))

    def dim_out(self, dim_in: int) -> int:
        """The dimension after the last part."""
        for part in self.parts:
            dim_in = part.dim_out(dim_in)
        return dim_in

    def dim_in(self, dim_out: int) -> int:
        """The dimension before the first part."""
        for part in reversed(self.parts):
            dim_out = part.dim_in(dim_out)
        return dim_out

    def _forward(self, x: Array) -> Array:
        for part in self.parts:
            x = part.forward(x)
        return x

    def _inverse(self, u: Array) -> Array:
        for part in reversed(self.parts):
            u = part.inverse(u)
        return u

    def _in_image(self, u: Array) -> Mask:
        inside = np.ones(len(u), dtype=np.bool_)
        for part in reversed(self.parts):
            here, u = part.preimages(u)
            inside[inside] = here
        return inside

    def _log_jacobian(self, x: Array) -> Array:
        total = np.zeros(len(x))
        for part in self.parts:
            total += part.log_jacobian(x)
            x = part._images(x)
        return total


@register
@dataclass(frozen=True)
class Axes(Transform):
    """A transform of its own for each axis, side by side; each takes one coordinate and gives one or more.

    >>> from mibench import HalfCube
    >>> Axes((Identity(), HalfCube())).forward([[4.0, 4.0]])
    array([[4., 8.]])
    """

    parts: Sequence[Transform]

    def __post_init__(self) -> None:
        """Check the parts."""
        checks.settle(self, parts=checks.members("parts", self.parts, Transform))
        for part in self.parts:
            part.dim_out(1)

    def dim_out(self, dim_in: int) -> int:
        """The dimensions that the parts give, together."""
        need_dim(self, dim_in, len(self.parts))
        return sum(p.dim_out(1) for p in self.parts)

    def dim_in(self, dim_out: int) -> int:
        """The number of parts."""
        need_dim(self, dim_out, sum(p.dim_out(1) for p in self.parts), "gives points of dimension")
        return len(self.parts)

    def _forward(self, x: Array) -> Array:
        return np.hstack([p.forward(x[:, [j]]) for j, p in enumerate(self.parts)])

    def _inverse(self, u: Array) -> Array:
        return np.hstack([p.inverse(part) for p, part in self._split(u)])

    def _in_image(self, u: Array) -> Mask:
        return np.logical_and.reduce([p.in_image(part) for p, part in self._split(u)])

    def _log_jacobian(self, x: Array) -> Array:
        total = np.zeros(len(x))
        for j, part in enumerate(self.parts):
            total += part.log_jacobian(x[:, [j]])
        return total

    def _split(self, u: Array) -> list[tuple[Transform, Array]]:
        ends = np.cumsum([p.dim_out(1) for p in self.parts])[:-1]
        return list(zip(self.parts, np.split(u, ends, axis=1), strict=True))
