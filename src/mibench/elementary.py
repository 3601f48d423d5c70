"""Elementary functions whose results have the same bits on every machine.

NumPy's own exp, log, sin and the C library's differ in their last bits between processors and versions, so a sample
drawn with them has no fingerprint that holds everywhere. These here use nothing but operations that IEEE 754 defines
to the last bit (+, -, *, /, square root, rounding, scaling by powers of two), one NumPy call each, so that no compiler
can fuse or reorder them. Series are cut where the next term is below double precision; errors are a few units in the
last place (the tests compare with 50-digit values). Arrays go through in blocks that stay in the processor's cache.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps

import numpy as np

from mibench.types import Array

_BLOCK = 8192

# ln 2 and pi/2, cut so that the products with whole numbers below 2**20 are exact.
_LN2 = (0.6931471803691238, 1.9082149292705877e-10)
_HALF_PI = (1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21)
_PER_LN2 = 1.4426950408889634
_TWO_PI = 2.0 * math.pi
_SQRT_HALF = math.sqrt(0.5)

_EXP = tuple(1.0 / math.factorial(k) for k in range(13, -1, -1))
_ATANH = tuple(2.0 / (2 * k + 1) for k in range(10, 0, -1))
_SIN = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(8, 0, -1))
_COS = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(9, -1, -1))
_SINH = tuple(1.0 / math.factorial(2 * k + 1) for k in range(9, -1, -1))


def blockwise(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Apply an elementwise function in blocks that stay in the cache, keeping shape and memory order."""

    @wraps(function)
    def whole(x: Array) -> Array:
        x = np.asarray(x, dtype=np.float64)
        if not (x.flags.c_contiguous or x.flags.f_contiguous):
            x = np.ascontiguousarray(x)
        out = np.empty_like(x)
        source, target = x.ravel(order="K"), out.ravel(order="K")
        with np.errstate(over="ignore", under="ignore", divide="ignore", invalid="ignore"):
            for start in range(0, source.size, _BLOCK):
                target[start : start + _BLOCK] = function(source[start : start + _BLOCK])
        return out

    return whole


def polynomial(x: Array, coefficients: Sequence[float]) -> Array:
    """A polynomial by Horner's rule, highest power first."""
    total = x * coefficients[0]
    for c in coefficients[1:-1]:
        total += c
        total *= x
    total += coefficients[-1]
    return total


def exp_block(x: Array) -> Array:
    """`exp` of one block."""
    r = np.clip(x, -1500.0, 1500.0)
    k = np.rint(r * _PER_LN2)
    r -= k * _LN2[0]
    r -= k * _LN2[1]
    return np.ldexp(polynomial(r, _EXP), k.astype(np.int32))


def log_block(x: Array) -> Array:
    """`log` of one block."""
    m, e = np.frexp(x)
    low = m < _SQRT_HALF
    k = e.astype(np.float64)
    k -= low
    f = np.where(low, m + m, m)
    f -= 1.0
    s = f / (f + 2.0)
    z = s * s
    half_square = 0.5 * f
    half_square *= f
    tail = polynomial(z, _ATANH)
    tail *= z
    tail += half_square
    tail *= s
    tail += k * _LN2[1]
    out = f - (half_square - tail)
    out += k * _LN2[0]
    if not (x > 0.0).all():
        out = np.where(x > 0.0, out, np.where(x == 0.0, -np.inf, np.nan))
    return np.where(x == np.inf, np.inf, out) if (x == np.inf).any() else out


exp = blockwise(exp_block)
exp.__doc__ = "The exponential function."
log = blockwise(log_block)
log.__doc__ = "The natural logarithm; -inf at 0, NaN below."


@blockwise
def log1p(x: Array) -> Array:
    """log(1 + x) for x >= 0, accurate for small x as well."""
    u = 1.0 + x
    d = u - 1.0
    small = d == 0.0
    d[small] = 1.0
    out = log_block(u)
    out *= x
    out /= d
    big = u > 1e15
    if big.any():
        out[big] = log_block(x[big])
    return np.where(small, x, out)


def sin_cos(x: Array) -> tuple[Array, Array]:
    """Sine and cosine. Beyond 2**20 the argument is first reduced by the double that is nearest to 2 pi."""
    x = np.asarray(x, dtype=np.float64)
    if not (x.flags.c_contiguous or x.flags.f_contiguous):
        x = np.ascontiguousarray(x)
    sine, cosine = np.empty_like(x), np.empty_like(x)
    flat, out_s, out_c = x.ravel(order="K"), sine.ravel(order="K"), cosine.ravel(order="K")
    for start in range(0, flat.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        out_s[block], out_c[block] = _sin_cos(flat[block])
    return sine, cosine


def _sin_cos(x: Array) -> tuple[Array, Array]:
    if (np.abs(x) > 2.0**20).any():
        x = np.where(np.abs(x) > 2.0**20, np.fmod(x, _TWO_PI), x)
    k = np.rint(x * (2.0 / math.pi))
    r = x - k * _HALF_PI[0]
    r -= k * _HALF_PI[1]
    r -= k * _HALF_PI[2]
    z = r * r
    s = polynomial(z, _SIN)
    s *= z
    s *= r
    s += r
    c = polynomial(z, _COS)
    quadrant = k.astype(np.int64) & 3
    swap = (quadrant & 1) == 1
    sine, cosine = np.where(swap, c, s), np.where(swap, s, c)
    np.negative(sine, out=sine, where=quadrant >= 2)
    np.negative(cosine, out=cosine, where=(quadrant == 1) | (quadrant == 2))
    return sine, cosine


def sin(x: Array) -> Array:
    """The sine (see `sin_cos`)."""
    return sin_cos(x)[0]


@blockwise
def asinh(x: Array) -> Array:
    """The inverse hyperbolic sine."""
    t = np.abs(x)
    square = np.minimum(t, 1e8)
    square *= square
    small = log1p(np.minimum(t, 1e8) + square / (1.0 + np.sqrt(1.0 + square)))
    out = np.where(t > 1e8, log_block(np.maximum(t, 1.0)) + (_LN2[0] + _LN2[1]), small)
    return np.copysign(out, x)


@blockwise
def sinh(x: Array) -> Array:
    """The hyperbolic sine."""
    near = polynomial(x * x, _SINH) * x
    half = exp_block(0.5 * np.abs(x))
    far = np.copysign(0.5 * half * half - 0.5 / half / half, x)
    return np.where(np.abs(x) < 1.0, near, far)


def signed_power(x: Array, k: float) -> Array:
    """sign(x) |x|^k for k > 0."""
    t = np.abs(x)
    out = exp(k * log(np.where(t > 0.0, t, 1.0)))
    return np.copysign(np.where(t > 0.0, out, 0.0), x)


def sum_of_squares(rows: Array) -> Array:
    """The sum of squares over the first axis, added up in order."""
    total = np.zeros(rows.shape[1:])
    for row in rows:
        total += row * row
    return total
