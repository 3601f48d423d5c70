"""A network of any depth over pairs: all scores of some rows with some columns, and gradients from their slopes."""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import loose_kernel
from mibench.estimators.neural.layers import (
    BLOCK,
    dense,
    dense_back,
    first_of_all,
    first_of_each,
    last,
    last_back,
    outer,
    rectify,
    sum_to_sides,
)


@loose_kernel
def _upward(theta: Any, widths: Any, count: int, acts: Any, out: Any) -> None:
    """From the first layer's activations to the scores."""
    at, below = 0, 0  # where the layer's parameters are, and where the activations below it are
    for layer in range(1, widths.shape[0]):
        n_in, n_out = widths[layer - 1], widths[layer]
        weights = theta[at : at + n_out * n_in].reshape((n_out, n_in))
        at += n_out * n_in
        above = below + n_in
        dense(weights, theta[at : at + n_out], acts[below:above], count, acts[above : above + n_out])
        rectify(acts[above : above + n_out], count)
        at += n_out
        below = above
    n_in = widths[-1]
    last(theta[at : at + n_in], theta[at + n_in :], acts[below : below + n_in], count, out)


@loose_kernel
def _downward(theta: Any, widths: Any, count: int, acts: Any, slopes: Any, deltas: Any, grad: Any) -> None:
    """From the slopes by the scores to the deltas of the first layer, adding up the gradient on the way."""
    at, below = theta.shape[0] - widths[-1] - 1, acts.shape[0] - widths[-1]
    end = at + widths[-1]
    last_back(theta[at:end], acts[below:], slopes, count, deltas[below:], grad[at:end], grad[end:])
    for layer in range(widths.shape[0] - 1, 0, -1):
        n_in, n_out = widths[layer - 1], widths[layer]
        here, below = below, below - n_in
        at -= n_out * n_in + n_out
        end = at + n_out * n_in
        weights = theta[at:end].reshape((n_out, n_in))
        d_weights = grad[at:end].reshape((n_out, n_in))
        delta = deltas[here : here + n_out]
        outer(delta, acts[below:here], count, d_weights, grad[end : end + n_out])
        dense_back(weights, delta, acts[below:here], count, deltas[below:here])


@loose_kernel
def scores_of_all(theta: Any, widths: Any, hx: Any, hy: Any, out: Any) -> None:
    """The scores of all pairs of columns of hx and of hy, which are features by points: (points of x, points of y)."""
    n_x, n_y = hx.shape[1], hy.shape[1]
    wide = min(n_y, BLOCK)
    tall = max(1, BLOCK // wide)
    acts, scores = np.empty((widths.sum(), tall * wide), np.float32), np.empty(tall * wide, np.float32)
    for row in range(0, n_x, tall):
        rows = min(tall, n_x - row)
        for column in range(0, n_y, wide):
            columns = min(wide, n_y - column)
            first_of_all(hx, hy, row, rows, column, columns, acts[: widths[0]])
            _upward(theta, widths, rows * columns, acts, scores)
            for r in range(rows):
                for j in range(columns):
                    out[row + r, column + j] = scores[r * columns + j]


@loose_kernel
def scores_of_each(theta: Any, widths: Any, hx: Any, hy: Any, out: Any) -> None:
    """The scores of pairs, each x with its own y."""
    acts = np.empty((widths.sum(), BLOCK), np.float32)
    for start in range(0, hx.shape[1], BLOCK):
        count = min(BLOCK, hx.shape[1] - start)
        first_of_each(hx, hy, start, count, acts[: widths[0]])
        _upward(theta, widths, count, acts, out[start : start + count])


@loose_kernel
def slopes_of_all(theta: Any, widths: Any, hx: Any, hy: Any, slopes: Any, grad: Any, d_hx: Any, d_hy: Any) -> None:
    """Add to the gradients of the sum of slopes times scores of all pairs: by theta, by hx and by hy."""
    n_x, n_y = hx.shape[1], hy.shape[1]
    tall = max(1, BLOCK // n_y)
    total = widths.sum()
    acts, deltas = np.empty((total, tall * n_y), np.float32), np.empty((total, tall * n_y), np.float32)
    scores = np.empty(tall * n_y, np.float32)
    for row in range(0, n_x, tall):
        rows = min(tall, n_x - row)
        first_of_all(hx, hy, row, rows, 0, n_y, acts[: widths[0]])
        _upward(theta, widths, rows * n_y, acts, scores)
        _downward(theta, widths, rows * n_y, acts, slopes[row : row + rows].ravel(), deltas, grad)
        sum_to_sides(deltas[: widths[0]], row, rows, n_y, d_hx, d_hy)


@loose_kernel
def slopes_of_each(theta: Any, widths: Any, hx: Any, hy: Any, slopes: Any, grad: Any, d_hx: Any, d_hy: Any) -> None:
    """The same of pairs, each x with its own y."""
    total = widths.sum()
    acts, deltas = np.empty((total, BLOCK), np.float32), np.empty((total, BLOCK), np.float32)
    scores = np.empty(BLOCK, np.float32)
    for start in range(0, hx.shape[1], BLOCK):
        count = min(BLOCK, hx.shape[1] - start)
        first_of_each(hx, hy, start, count, acts[: widths[0]])
        _upward(theta, widths, count, acts, scores)
        _downward(theta, widths, count, acts, slopes[start : start + count], deltas, grad)
        for k in range(widths[0]):
            for p in range(count):
                d_hx[k, start + p] += deltas[k, p]
                d_hy[k, start + p] += deltas[k, p]
