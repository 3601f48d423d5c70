"""Increasing functions applied to each coordinate: tails made longer or shorter, margins made uniform, wiggles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mibench import checks
from mibench.elementary import asinh, log, signed_power, sin_cos, sinh
from mibench.errors import ParameterError
from mibench.identity import register
from mibench.transforms.base import AxisWise
from mibench.transforms.increasing import solve_increasing
from mibench.types import Array, Mask


@register
@dataclass(frozen=True)
class HalfCube(AxisWise):
    """x sqrt(|x|), which lengthens tails (Beyond Normal, Section 3, "Half-Cube Map").

    >>> HalfCube().forward([[-4.0, 9.0]])
    array([[-8., 27.]])
    """

    def _forward(self, x: Array) -> Array:
        return x * np.sqrt(np.abs(x))

    def _inverse(self, u: Array) -> Array:
        return signed_power(u, 2.0 / 3.0)

    def _log_slope(self, x: Array) -> Array:
        return math.log(1.5) + 0.5 * log(np.abs(x))


@register
@dataclass(frozen=True)
class SignedPower(AxisWise):
    """sign(x) |x|^k for k > 0 (Beyond Normal, Section 4.2).

    >>> SignedPower(k=2.0).forward([[-3.0]]).round(12)
    array([[-9.]])
    """

    k: float

    def __post_init__(self) -> None:
        """Check the power."""
        checks.settle(self, k=checks.positive("k", self.k))

    def _forward(self, x: Array) -> Array:
        return signed_power(x, self.k)

    def _inverse(self, u: Array) -> Array:
        return signed_power(u, 1.0 / self.k)

    def _log_slope(self, x: Array) -> Array:
        if self.k == 1.0:
            return np.zeros_like(x)
        return math.log(self.k) + (self.k - 1.0) * log(np.abs(x))


@register
@dataclass(frozen=True)
class Asinh(AxisWise):
    """The inverse hyperbolic sine, which shortens tails (Beyond Normal, Section 3, "Asinh Mapping").

    >>> Asinh().forward([[0.0, 1e300]]).round(3)
    array([[  0.   , 691.469]])
    """

    def _forward(self, x: Array) -> Array:
        return asinh(x)

    def _inverse(self, u: Array) -> Array:
        return sinh(u)

    def _in_image(self, u: Array) -> Mask:
        return np.all(np.abs(u) < 710.0, axis=1)

    def _log_slope(self, x: Array) -> Array:
        t = np.abs(x)
        return np.where(t > 1e8, -log(np.maximum(t, 1.0)), -0.5 * log(1.0 + np.minimum(t, 1e8) ** 2))


@register
@dataclass(frozen=True)
class Scale(AxisWise):
    """`factor` x + `shift` for a factor > 0, the same on each axis.

    >>> Scale(factor=2.0, shift=1.0).forward([[1.0, 2.0]])
    array([[3., 5.]])
    """

    factor: float = 1.0
    shift: float = 0.0

    def __post_init__(self) -> None:
        """Check the parameters."""
        checks.settle(self, factor=checks.positive("factor", self.factor), shift=checks.number("shift", self.shift))

    def _forward(self, x: Array) -> Array:
        return x * self.factor + self.shift

    def _inverse(self, u: Array) -> Array:
        return (u - self.shift) / self.factor

    def _log_slope(self, x: Array) -> Array:
        return np.full_like(x, math.log(self.factor))


@register
@dataclass(frozen=True)
class Wiggly(AxisWise):
    """x + sum_i a_i sin(w_i x + phi_i), increasing as sum |a_i w_i| < 1 (Beyond Normal, Section 3).

    `waves` holds the (a_i, w_i, phi_i). The paper's own, for X and for Y, are `WIGGLY_X` and `WIGGLY_Y`.

    >>> Wiggly(waves=((0.5, 1.0, 0.0),)).forward([[0.0]])
    array([[0.]])
    """

    waves: Sequence[tuple[float, float, float]]

    def __post_init__(self) -> None:
        """Check that the map is increasing."""
        rows = checks.members("waves", self.waves, (tuple, list, np.ndarray))
        waves = tuple(checks.vector(f"waves[{i}]", row, 3) for i, row in enumerate(rows))
        steepness = math.fsum(abs(a * w) for a, w, _ in waves)
        if not steepness < 1.0:
            raise ParameterError(
                f"waves must have sum |a w| < 1, or the map is not injective, got {steepness:.6g}; "
                "make amplitudes or frequencies smaller"
            )
        checks.settle(self, waves=waves)

    def _forward(self, x: Array) -> Array:
        return self._value_and_slope(x)[0]

    def _inverse(self, u: Array) -> Array:
        reach = math.fsum(abs(a) for a, _, _ in self.waves)
        return solve_increasing(lambda x, _: self._value_and_slope(x)[0], u, u - reach, u + reach)

    def _log_slope(self, x: Array) -> Array:
        return log(self._value_and_slope(x)[1])

    def _value_and_slope(self, x: Array) -> tuple[Array, Array]:
        value, slope = x.copy(), np.ones_like(x)
        for a, w, phi in self.waves:
            sine, cosine = sin_cos(w * x + phi)
            value += a * sine
            slope += (a * w) * cosine
        return value, slope


# Beyond Normal, Appendix D, "Wiggly Mapping".
WIGGLY_X = Wiggly(waves=((0.4, 1.0, 0.0), (0.2, 1.7, 1.0), (0.03, 3.3, -2.5)))
WIGGLY_Y = Wiggly(waves=((-0.4, 0.4, 0.0), (0.17, 1.3, 3.5), (0.02, 4.3, -2.5)))
