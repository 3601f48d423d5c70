"""The Swiss roll: an interval rolled up in the plane."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from mibench.elementary import sin_cos
from mibench.errors import DataError
from mibench.identity import register
from mibench.transforms.base import Transform, need_dim
from mibench.types import Array, Mask

_TURN = 1.5 * math.pi
_SIZE = 21.0


@register
@dataclass(frozen=True)
class SwissRoll(Transform):
    """Rolls [0, 1] up in the plane: (t cos t, t sin t) / 21 with t = 3 pi (1 + 2x) / 2 (Beyond Normal, Appendix D).

    >>> SwissRoll().forward([[0.0], [0.5]]).round(3)
    array([[-0.   , -0.224],
           [-0.449,  0.   ]])
    """

    def dim_out(self, dim_in: int) -> int:
        """Two dimensions, from one."""
        need_dim(self, dim_in, 1)
        return 2

    def dim_in(self, dim_out: int) -> int:
        """One dimension, for two."""
        need_dim(self, dim_out, 2, "gives points of dimension")
        return 1

    def _forward(self, x: Array) -> Array:
        outside = np.flatnonzero((x < 0.0) | (x > 1.0))
        if outside.size:
            raise DataError(
                f"SwissRoll takes values in [0, 1], but row {outside[0]} is {float(x[outside[0], 0])!r}; "
                "send the points through NormalCDF() first"
            )
        t = _TURN * (1.0 + 2.0 * x)
        sine, cosine = sin_cos(t)
        return np.hstack([t * cosine, t * sine]) / _SIZE

    def _inverse(self, u: Array) -> Array:
        return np.clip(self._unrolled(u), 0.0, 1.0)

    def _in_image(self, u: Array) -> Mask:
        x = self._unrolled(u)
        on_roll = np.abs(self._forward(np.clip(x, 0.0, 1.0)) - u).max(axis=1, initial=0.0) < 1e-9
        return on_roll & (x[:, 0] > -1e-9) & (x[:, 0] < 1.0 + 1e-9)

    def _unrolled(self, u: Array) -> Array:
        t = _SIZE * np.sqrt(u[:, :1] * u[:, :1] + u[:, 1:] * u[:, 1:])
        return 0.5 * (t / _TURN - 1.0)
