"""A small network over many pairs at once, forward and backward, in single precision and vector registers.

Activations are kept feature by feature, (features, pairs), for as many pairs as stay in cache. Every layer's width is
a multiple of four; unused units have zero weights, and so have zero activations and zero gradients.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import loose_kernel

FOUR = 4
BLOCK = 1024  # pairs that go through the network together


@loose_kernel
def first_of_all(hx: Any, hy: Any, row: int, rows: int, column: int, columns: int, out: Any) -> None:
    """The first layer's activations of all pairs of some rows with some columns: (features, rows * columns)."""
    for k in range(hx.shape[0]):
        for r in range(rows):
            shift, start = hx[k, row + r], np.uint64(r * columns)
            for j in range(columns):
                out[k, start + np.uint64(j)] = max(shift + hy[k, np.uint64(column) + np.uint64(j)], np.float32(0.0))


@loose_kernel
def first_of_each(hx: Any, hy: Any, start: int, count: int, out: Any) -> None:
    """The first layer's activations of pairs start ... start + count, each x with its own y."""
    for k in range(hx.shape[0]):
        for p in range(count):
            at = np.uint64(start) + np.uint64(p)
            out[k, p] = max(hx[k, at] + hy[k, at], np.float32(0.0))


@loose_kernel
def dense(weights: Any, bias: Any, inputs: Any, count: int, out: Any) -> None:
    """Set out = weights @ inputs + bias, (outputs, pairs): four outputs by four inputs at a time."""
    for o in range(0, weights.shape[0], FOUR):
        for k in range(0, weights.shape[1], FOUR):
            w00, w01, w02, w03 = weights[o, k], weights[o, k + 1], weights[o, k + 2], weights[o, k + 3]
            w10, w11, w12, w13 = weights[o + 1, k], weights[o + 1, k + 1], weights[o + 1, k + 2], weights[o + 1, k + 3]
            w20, w21, w22, w23 = weights[o + 2, k], weights[o + 2, k + 1], weights[o + 2, k + 2], weights[o + 2, k + 3]
            w30, w31, w32, w33 = weights[o + 3, k], weights[o + 3, k + 1], weights[o + 3, k + 2], weights[o + 3, k + 3]
            if k == 0:
                b0, b1, b2, b3 = bias[o], bias[o + 1], bias[o + 2], bias[o + 3]
                for p in range(count):
                    a0, a1, a2, a3 = inputs[k, p], inputs[k + 1, p], inputs[k + 2, p], inputs[k + 3, p]
                    out[o, p] = b0 + w00 * a0 + w01 * a1 + w02 * a2 + w03 * a3
                    out[o + 1, p] = b1 + w10 * a0 + w11 * a1 + w12 * a2 + w13 * a3
                    out[o + 2, p] = b2 + w20 * a0 + w21 * a1 + w22 * a2 + w23 * a3
                    out[o + 3, p] = b3 + w30 * a0 + w31 * a1 + w32 * a2 + w33 * a3
            else:
                for p in range(count):
                    a0, a1, a2, a3 = inputs[k, p], inputs[k + 1, p], inputs[k + 2, p], inputs[k + 3, p]
                    out[o, p] += w00 * a0 + w01 * a1 + w02 * a2 + w03 * a3
                    out[o + 1, p] += w10 * a0 + w11 * a1 + w12 * a2 + w13 * a3
                    out[o + 2, p] += w20 * a0 + w21 * a1 + w22 * a2 + w23 * a3
                    out[o + 3, p] += w30 * a0 + w31 * a1 + w32 * a2 + w33 * a3


@loose_kernel
def rectify(values: Any, count: int) -> None:
    """Set what is negative to zero."""
    for k in range(values.shape[0]):
        for p in range(count):
            values[k, p] = max(values[k, p], np.float32(0.0))


@loose_kernel
def dense_back(weights: Any, deltas: Any, acts: Any, count: int, out: Any) -> None:
    """Set out = weights.T @ deltas, (inputs, pairs), where the unit below was on, and 0 elsewhere."""
    zero = np.float32(0.0)
    for k in range(0, weights.shape[1], FOUR):
        for o in range(0, weights.shape[0], FOUR):
            w00, w01, w02, w03 = weights[o, k], weights[o + 1, k], weights[o + 2, k], weights[o + 3, k]
            w10, w11, w12, w13 = weights[o, k + 1], weights[o + 1, k + 1], weights[o + 2, k + 1], weights[o + 3, k + 1]
            w20, w21, w22, w23 = weights[o, k + 2], weights[o + 1, k + 2], weights[o + 2, k + 2], weights[o + 3, k + 2]
            w30, w31, w32, w33 = weights[o, k + 3], weights[o + 1, k + 3], weights[o + 2, k + 3], weights[o + 3, k + 3]
            if o == 0:
                for p in range(count):
                    d0, d1, d2, d3 = deltas[o, p], deltas[o + 1, p], deltas[o + 2, p], deltas[o + 3, p]
                    out[k, p] = w00 * d0 + w01 * d1 + w02 * d2 + w03 * d3 if acts[k, p] > zero else zero
                    out[k + 1, p] = w10 * d0 + w11 * d1 + w12 * d2 + w13 * d3 if acts[k + 1, p] > zero else zero
                    out[k + 2, p] = w20 * d0 + w21 * d1 + w22 * d2 + w23 * d3 if acts[k + 2, p] > zero else zero
                    out[k + 3, p] = w30 * d0 + w31 * d1 + w32 * d2 + w33 * d3 if acts[k + 3, p] > zero else zero
            else:
                for p in range(count):
                    d0, d1, d2, d3 = deltas[o, p], deltas[o + 1, p], deltas[o + 2, p], deltas[o + 3, p]
                    out[k, p] += w00 * d0 + w01 * d1 + w02 * d2 + w03 * d3 if acts[k, p] > zero else zero
                    out[k + 1, p] += w10 * d0 + w11 * d1 + w12 * d2 + w13 * d3 if acts[k + 1, p] > zero else zero
                    out[k + 2, p] += w20 * d0 + w21 * d1 + w22 * d2 + w23 * d3 if acts[k + 2, p] > zero else zero
                    out[k + 3, p] += w30 * d0 + w31 * d1 + w32 * d2 + w33 * d3 if acts[k + 3, p] > zero else zero


@loose_kernel
def outer(deltas: Any, inputs: Any, count: int, weights: Any, bias: Any) -> None:
    """Add to the gradients: weights += deltas @ inputs.T, bias += the sum of deltas; four by four at a time."""
    for o in range(0, deltas.shape[0], FOUR):
        for k in range(0, inputs.shape[0], FOUR):
            g00 = g01 = g02 = g03 = g10 = g11 = g12 = g13 = np.float32(0.0)
            g20 = g21 = g22 = g23 = g30 = g31 = g32 = g33 = np.float32(0.0)
            for p in range(count):
                a0, a1, a2, a3 = inputs[k, p], inputs[k + 1, p], inputs[k + 2, p], inputs[k + 3, p]
                d0, d1, d2, d3 = deltas[o, p], deltas[o + 1, p], deltas[o + 2, p], deltas[o + 3, p]
                g00, g01, g02, g03 = g00 + d0 * a0, g01 + d0 * a1, g02 + d0 * a2, g03 + d0 * a3
                g10, g11, g12, g13 = g10 + d1 * a0, g11 + d1 * a1, g12 + d1 * a2, g13 + d1 * a3
                g20, g21, g22, g23 = g20 + d2 * a0, g21 + d2 * a1, g22 + d2 * a2, g23 + d2 * a3
                g30, g31, g32, g33 = g30 + d3 * a0, g31 + d3 * a1, g32 + d3 * a2, g33 + d3 * a3
            for at, g in enumerate((g00, g01, g02, g03, g10, g11, g12, g13, g20, g21, g22, g23, g30, g31, g32, g33)):
                weights[o + at // FOUR, k + at % FOUR] += g
        for at in range(FOUR):
            total = np.float32(0.0)
            for p in range(count):
                total += deltas[o + at, p]
            bias[o + at] += total


@loose_kernel
def last(weights: Any, bias: Any, inputs: Any, count: int, out: Any) -> None:
    """The scores: out = weights @ inputs + bias, (pairs,)."""
    for p in range(count):
        out[p] = bias[0]
    for k in range(0, weights.shape[0], FOUR):
        w0, w1, w2, w3 = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for p in range(count):
            out[p] += w0 * inputs[k, p] + w1 * inputs[k + 1, p] + w2 * inputs[k + 2, p] + w3 * inputs[k + 3, p]


@loose_kernel
def last_back(weights: Any, inputs: Any, slopes: Any, count: int, deltas: Any, d_weights: Any, d_bias: Any) -> None:
    """From the slopes by the scores, (pairs,): deltas of the layer before, and the gradients, added."""
    total = np.float32(0.0)
    for p in range(count):
        total += slopes[p]
    d_bias[0] += total
    for k in range(weights.shape[0]):
        w, found = weights[k], np.float32(0.0)
        for p in range(count):
            found += slopes[p] * inputs[k, p]
            deltas[k, p] = slopes[p] * w if inputs[k, p] > np.float32(0.0) else np.float32(0.0)
        d_weights[k] += found


@loose_kernel
def sum_to_sides(deltas: Any, row: int, rows: int, columns: int, d_hx: Any, d_hy: Any) -> None:
    """Add the first layer's deltas of all pairs of some rows with all columns to those of each row and column."""
    for k in range(deltas.shape[0]):
        for r in range(rows):
            start, total = np.uint64(r * columns), np.float32(0.0)
            for j in range(columns):
                delta = deltas[k, start + np.uint64(j)]
                total += delta
                d_hy[k, j] += delta
            d_hx[k, row + r] += total
