"""A k-d tree whose leaves are blocks of points that fill vector registers.

Everything is in double precision, so that what is found is exact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mibench.compiled import kernel
from mibench.threads import share
from mibench.types import Indices

LEAF = 64
_MANY = 2**16  # points from which on threads pay
PAD = 1e100  # where the last leaf has no point: beyond all others, and its square is still finite


@dataclass(frozen=True, eq=False)
class Tree:
    """Points in the order of the leaves that hold them.

    Nodes are numbered from the root, each before its left half and that before its right; `low` and `high` are the
    corners of a node's box. A node is its number and the range of leaves below it.
    """

    order: Indices  # (n,) which point stands at each place
    low: Any  # (nodes, dim)
    high: Any
    leaves: Any  # (leaves, dim, LEAF)
    nodes: Indices  # (leaves,) the node of each leaf


def build(points: Any, n_jobs: int = 1) -> Tree:
    """A tree of points (n, dim), whose coordinates are at most 1; the same for any number of threads."""
    n, dim = points.shape
    count = -(-n // LEAF)
    order, key = np.arange(n, dtype=np.int64), np.empty(n, points.dtype)
    low, high = np.empty((2 * count, dim), points.dtype), np.empty((2 * count, dim), points.dtype)
    nodes, leaves = np.empty(count, np.int64), np.full((count, dim, LEAF), PAD, points.dtype)
    roots = [(0, 0, count)]
    if n_jobs != 1 and n >= _MANY:  # halves of halves of the tree, beside each other
        for _ in range(2):
            roots = [half for root in roots for half in _split(points, order, key, low, high, *root)]

    def some(start: int, stop: int) -> None:
        for root in roots[start:stop]:
            _grow(points, order, key, low, high, nodes, leaves, *root)

    share(n_jobs, len(roots), some)
    return Tree(order, low, high, leaves, nodes)


def _split(points: Any, order: Any, key: Any, low: Any, high: Any, node: int, first: int, last: int) -> Any:
    """The two halves of a node, as (node, first leaf, last leaf), when its points have been parted."""
    _divide(points, order, key, low, high, node, first, last)
    left = left_leaves(first, last)
    return (node + 1, first, first + left), (node + 2 * left, first + left, last)


@kernel
def left_leaves(first: int, last: int) -> int:
    """How many of the leaves of a node go to its left half."""
    return (last - first + 1) // 2


@kernel
def _part(key: Any, order: Any, low: int, high: int, middle: int) -> None:
    """Reorder from low to high so that what is before the middle is not greater than what is behind it (Hoare)."""
    high -= 1
    while low < high:
        a, b, c = key[low], key[(low + high) >> 1], key[high]
        pivot = max(min(a, b), min(max(a, b), c))
        i, j = low, high
        while i <= j:
            while key[i] < pivot:
                i += 1
            while key[j] > pivot:
                j -= 1
            if i <= j:
                key[i], key[j] = key[j], key[i]
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            high = j
        elif middle >= i:
            low = i
        else:
            return


@kernel
def _enclose(points: Any, order: Any, start: int, stop: int, low: Any, high: Any) -> int:
    """The box of the points from start to stop, and its longest side."""
    longest, side = -1.0, 0
    for c in range(points.shape[1]):
        least = most = points[order[start], c]
        for i in range(start, stop):
            value = points[order[i], c]
            least, most = min(least, value), max(most, value)
        low[c], high[c] = least, most
        if float(most) - float(least) > longest:
            longest, side = float(most) - float(least), c
    return side


@kernel
def _divide(points: Any, order: Any, key: Any, low: Any, high: Any, node: int, first: int, last: int) -> None:
    """The box of a node, and its points parted in the middle of the longest side."""
    start, stop = first * LEAF, min(points.shape[0], last * LEAF)
    side = _enclose(points, order, start, stop, low[node], high[node])
    if last - first > 1:
        for i in range(start, stop):
            key[i] = points[order[i], side]
        _part(key, order, start, stop, (first + left_leaves(first, last)) * LEAF)


@kernel
def _grow(points: Any, order: Any, key: Any, low: Any, high: Any, nodes: Any, leaves: Any, root: int, begin: int,
          end: int) -> None:  # fmt: skip
    """All nodes below one, and its leaves begin ... end."""
    stack = np.empty((128, 3), np.int64)
    stack[0, 0], stack[0, 1], stack[0, 2] = root, begin, end
    top = 1
    while top:
        top -= 1
        node, first, last = stack[top, 0], stack[top, 1], stack[top, 2]
        _divide(points, order, key, low, high, node, first, last)
        if last - first == 1:
            nodes[first] = node
            continue
        left = left_leaves(first, last)
        stack[top, 0], stack[top, 1], stack[top, 2] = node + 2 * left, first + left, last
        stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = node + 1, first, first + left
        top += 2
    for i in range(begin * LEAF, min(points.shape[0], end * LEAF)):
        for c in range(points.shape[1]):
            leaves[i // LEAF, c, i % LEAF] = points[order[i], c]
