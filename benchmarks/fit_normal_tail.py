"""Fits the polynomial that `mibench.normal_law` uses for the tail of the normal distribution, and prints it.

With t >= 0 and s = (t - C) / (t + C), the function h(s) = (1 + t) exp(t^2 / 2) Phi(-t) is smooth on [-1, 1]; it is
interpolated at Chebyshev nodes with 40 digits and written in powers of s, whose coefficients stay below 1.
Needs mpmath (`pip install mpmath`).
"""

from __future__ import annotations

from typing import Any

import mpmath as mp

C = 6
NODES = 64
DEGREE = 24


def tail(s: mp.mpf) -> mp.mpf:
    """h(s), computed with 40 digits."""
    t = C * (1 + s) / (1 - s)
    return (1 + t) * mp.exp(t * t / 2) * mp.ncdf(-t) if t < 200 else (1 + t) / t * _far(t)


def _far(t: Any) -> mp.mpf:
    """T exp(t^2 / 2) Phi(-t) by its asymptotic series, where t is large."""
    terms = (mp.fac2(2 * k - 1) * (-1) ** k / t ** (2 * k) for k in range(12))
    return mp.fsum(terms) / mp.sqrt(2 * mp.pi)


def powers(chebyshev: list[mp.mpf]) -> list[mp.mpf]:
    """A Chebyshev series written in powers of its variable."""
    total = [mp.mpf(0)] * len(chebyshev)
    before, now = [mp.mpf(1)], [mp.mpf(0), mp.mpf(1)]
    for k, weight in enumerate(chebyshev):
        basis = before if k == 0 else now
        for power, value in enumerate(basis):
            total[power] += weight * value
        if k:
            doubled = [mp.mpf(0), *(2 * v for v in now)]
            padded = before + [mp.mpf(0)] * (len(doubled) - len(before))
            before, now = now, [a - b for a, b in zip(doubled, padded, strict=True)]
    return total


def main() -> None:
    """Print the coefficients, highest power first."""
    mp.mp.dps = 40
    angles = [mp.pi * (2 * i + 1) / (2 * NODES) for i in range(NODES)]
    values = [tail(mp.cos(a)) for a in angles]
    series = [
        (2 if k else 1) * mp.fsum(v * mp.cos(k * a) for v, a in zip(values, angles, strict=True)) / NODES
        for k in range(DEGREE + 1)
    ]
    for value in reversed(powers(series)):
        print(f"    {float(value)!r},")


if __name__ == "__main__":
    main()
