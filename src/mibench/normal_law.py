"""The standard normal law with the same bits on every machine: distribution function, quantiles, variates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mibench.elementary import blockwise, exp_block, log_block, polynomial
from mibench.types import Array

# h(s) = (1 + t) exp(t^2 / 2) Phi(-t) in powers of s = (t - 6) / (t + 6): made by benchmarks/fit_normal_tail.py.
_TAIL_CENTRE = 6.0
_TAIL = (
    -9.599992591079198e-11,
    -3.4141929289232747e-10,
    1.459211462075421e-09,
    3.858154154095681e-09,
    -1.4728247327099548e-08,
    -2.0980344395760243e-08,
    1.3083300821995656e-07,
    -1.9386236992692282e-11,
    -9.982603244210007e-07,
    1.7838489644739712e-06,
    4.411707293849312e-06,
    -2.635351872406333e-05,
    3.7795134908269736e-05,
    0.0001194897177980113,
    -0.0008689947156335819,
    0.0029356555021721998,
    -0.007059819414393352,
    0.013246864156245519,
    -0.019766479220487222,
    0.02259246706261421,
    -0.016141517332177096,
    -0.004373386779587463,
    0.03981142456242952,
    -0.08502536230577078,
    0.45345520027112796,
)

# The normal quantile's three ranges, numerator and denominator, highest power first:
# M. J. Wichura, "Algorithm AS 241: The percentage points of the normal distribution", Applied Statistics 37 (1988).
_CENTRAL = (
    (
        2509.0809287301226727,
        33430.575583588128105,
        67265.770927008700853,
        45921.953931549871457,
        13731.693765509461125,
        1971.5909503065514427,
        133.14166789178437745,
        3.387132872796366608,
    ),
    (
        5226.495278852854561,
        28729.085735721942674,
        39307.89580009271061,
        21213.794301586595867,
        5394.1960214247511077,
        687.1870074920579083,
        42.313330701600911252,
        1.0,
    ),
)
_MIDDLE = (
    (
        7.7454501427834140764e-4,
        0.0227238449892691845833,
        0.24178072517745061177,
        1.27045825245236838258,
        3.64784832476320460504,
        5.7694972214606914055,
        4.6303378461565452959,
        1.42343711074968357734,
    ),
    (
        1.05075007164441684324e-9,
        5.475938084995344946e-4,
        0.0151986665636164571966,
        0.14810397642748007459,
        0.68976733498510000455,
        1.6763848301838038494,
        2.05319162663775882187,
        1.0,
    ),
)
_FAR = (
    (
        2.01033439929228813265e-7,
        2.71155556874348757815e-5,
        0.0012426609473880784386,
        0.026532189526576123093,
        0.29656057182850489123,
        1.7848265399172913358,
        5.4637849111641143699,
        6.6579046435011037772,
    ),
    (
        2.04426310338993978564e-15,
        1.4215117583164458887e-7,
        1.8463183175100546818e-5,
        7.868691311456132591e-4,
        0.0148753612908506148525,
        0.13692988092273580531,
        0.59983220655588793769,
        1.0,
    ),
)


@blockwise
def _lower_tail(t: Array) -> Array:
    """Phi(-t) for t >= 0, to full relative precision."""
    t = np.minimum(t, 40.0)
    s = (t - _TAIL_CENTRE) / (t + _TAIL_CENTRE)
    high = t * 134217729.0  # Dekker's splitting: t^2 = square + rest exactly
    high = high - (high - t)
    low = t - high
    square = t * t
    rest = ((high * high - square) + 2.0 * high * low) + low * low
    out = exp_block(-0.5 * square)
    out -= 0.5 * rest * out
    out *= polynomial(s, _TAIL)
    out /= 1.0 + t
    return out


def normal_cdf(x: Array) -> tuple[Array, Array]:
    """Phi(x) and 1 - Phi(x), each to full relative precision."""
    tail = _lower_tail(np.abs(x))
    below = x < 0.0
    return np.where(below, tail, 1.0 - tail), np.where(below, 1.0 - tail, tail)


def normal_quantile(p: Array, complement: Array | None = None) -> Array:
    """The inverse of Phi at p in (0, 1); where p is near 1, `complement` = 1 - p may say more of it than p can."""
    upper = 1.0 - p if complement is None else complement
    side = np.minimum(p, upper)
    return np.where(p < upper, -_upper_quantile(side), _upper_quantile(side))


@blockwise
def _upper_quantile(tail: Array) -> Array:
    """The t >= 0 with Phi(-t) = tail, for 0 < tail <= 1/2."""
    q = 0.5 - tail
    out = _ratio(0.180625 - q * q, _CENTRAL) * q
    outer = np.flatnonzero(q > 0.425)
    if outer.size:
        r = np.sqrt(-log_block(tail[outer]))
        far = _ratio(r - 5.0, _FAR)
        out[outer] = np.where(r <= 5.0, _ratio(np.minimum(r, 5.0) - 1.6, _MIDDLE), far)
    return out


def standard_normals(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Standard normal variates by inversion: the same bits from the same generator on every machine."""
    return _normal_of_uniform(rng.random(shape))


@blockwise
def _normal_of_uniform(u: Array) -> Array:
    centred = u - 0.5
    centred += 2.0**-54  # exact: the uniforms are multiples of 2**-53, so this is symmetric about 0 and never 0
    tail = np.abs(centred)
    np.subtract(0.5, tail, out=tail)
    return np.copysign(_upper_quantile(tail), centred)


def open_uniforms(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    """Uniform variates on the open interval (0, 1): odd multiples of 2**-53."""
    out = rng.random(shape)
    np.floor(out * 2.0**52, out=out)
    out += 0.5
    out *= 2.0**-52
    return out


def _ratio(x: Array, parts: tuple[Sequence[float], Sequence[float]]) -> Array:
    return polynomial(x, parts[0]) / polynomial(x, parts[1])
