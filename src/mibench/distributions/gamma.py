"""Gamma variates and the Student distribution's gamma-function terms, accurate for any degrees of freedom."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from mibench.elementary import exp, log
from mibench.normal_law import open_uniforms, standard_normals
from mibench.types import Array

# Stirling's series of log Gamma: B_2k / (2k (2k - 1)), and of psi: B_2k / (2k), in powers of 1 / a^2.
_BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
_LARGE = 10.0

# Student variates with fewer degrees of freedom than this are often too large for a double.
LEAST_DOF = 0.05


def digamma(a: float) -> float:
    """psi(a) = d log Gamma(a) / da for a > 0.

    >>> round(digamma(1.0), 12)
    -0.577215664902
    """
    below = 0.0
    while a < _LARGE:
        below += 1.0 / a
        a += 1.0
    return math.log(a) - 0.5 / a - _series(a, lambda k: 1.0 / (2 * k), 0) - below


def student_information(dof: float, dim_x: int, dim_y: int) -> float:
    """What the tails add to a Student distribution's MI: c(nu, m, n) of Beyond Normal, Appendix D.

    >>> round(student_information(1.0, 1, 1), 12)
    0.224171427529
    """
    if dof < 2 * _LARGE:
        return _mixed_difference(lambda a: math.lgamma(a) - a * digamma(a), dof, dim_x, dim_y)
    # Here f(a) = -log(a)/2 - a + constant + a series in 1/a, whose large parts cancel in the mixed difference.
    series = _mixed_difference(
        lambda a: _stirling(a) + a * _series(a, lambda k: 1.0 / (2 * k), 0),
        dof,
        dim_x,
        dim_y,
    )
    return -0.5 * math.log1p(-dim_x * dim_y / ((dof + dim_x) * (dof + dim_y))) + series


def student_log_gammas(dof: float, dim_x: int, dim_y: int) -> float:
    """The mixed difference of log Gamma(nu / 2): the constant of a Student distribution's pointwise MI."""
    a = 0.5 * dof
    return log_gamma_ratio(a, 0.5 * (dim_x + dim_y)) - log_gamma_ratio(a, 0.5 * dim_x) - log_gamma_ratio(a, 0.5 * dim_y)


def log_gamma_ratio(a: float, step: float) -> float:
    """Log Gamma(a + step) - log Gamma(a) for a > 0 and step >= 0, without the cancellation of large a.

    >>> round(log_gamma_ratio(3.0, 1.0), 12) == round(math.log(3.0), 12)
    True
    """
    if a < _LARGE:
        return math.lgamma(a + step) - math.lgamma(a)
    series = _stirling(a + step) - _stirling(a)
    return step * (math.log(a) - 1.0) + (a + step - 0.5) * math.log1p(step / a) + series


def _stirling(a: float) -> float:
    return _series(a, lambda k: 1.0 / (2 * k * (2 * k - 1)), 1)


def _mixed_difference(f: Callable[[float], float], dof: float, dim_x: int, dim_y: int) -> float:
    values = (f(0.5 * dof), f(0.5 * (dof + dim_x + dim_y)), -f(0.5 * (dof + dim_x)), -f(0.5 * (dof + dim_y)))
    return math.fsum(values)


def _series(a: float, weight: Callable[[int], float], odd: int) -> float:
    """The sum over k of B_2k weight(k) / a^(2k - odd)."""
    terms = (b * weight(k) * a ** (odd - 2 * k) for k, b in enumerate(_BERNOULLI, start=1))
    return math.fsum(terms)


def log_gammas(rng: np.random.Generator, shape: float, n: int) -> Array:
    """Logarithms of n gamma variates of a shape > 0 and scale 1.

    By the rejection method of G. Marsaglia and W. W. Tsang, "A simple method for generating gamma variables", ACM
    TOMS 26 (2000); a shape below 1 is reached from the next by a power of a uniform.
    """
    if shape < 1.0:
        larger = log_gammas(rng, shape + 1.0, n)
        return larger + log(open_uniforms(rng, (n,))) / shape
    d = shape - 1.0 / 3.0
    c = 1.0 / math.sqrt(9.0 * d)
    out = np.empty(n)
    waiting = np.arange(n)
    while waiting.size:
        z = standard_normals(rng, waiting.shape)
        u = open_uniforms(rng, waiting.shape)
        root = 1.0 + c * z
        possible = root > 0.0
        log_v = 3.0 * log(np.where(possible, root, 1.0))
        v = root * root * root
        accepted = possible & (log(u) < 0.5 * z * z + d * (1.0 - v + log_v))
        out[waiting[accepted]] = log_v[accepted]
        waiting = waiting[~accepted]
    return out + log(np.array(d))


def student_scales(rng: np.random.Generator, dof: float, n: int) -> Array:
    """Draws of sqrt(nu / U), U being chi-squared with nu degrees of freedom: they make normal points Student ones."""
    return exp(0.5 * (log(np.array(0.5 * dof)) - log_gammas(rng, 0.5 * dof, n)))
