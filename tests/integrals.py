"""MI of a 1 x 1 distribution by plain numerical integration of its densities."""

from __future__ import annotations

import numpy as np

import mibench as mi
from mibench.types import Array


def integral_1x1(distribution: mi.Distribution, x: Array, y: Array, slope_x: Array, slope_y: Array) -> float:
    """The double integral of p log(p / (p_x p_y)) by the trapezoidal rule over a grid with given Jacobians."""
    at = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    logs = distribution.log_densities(at[:, :1], at[:, 1:])
    weight = (slope_x[:, None] * slope_y).ravel()
    with np.errstate(invalid="ignore"):
        terms = np.exp(logs.joint) * (logs.joint - logs.x - logs.y) * weight
    return float(np.nansum(np.where(np.isneginf(logs.joint), 0.0, terms)))
