"""Searching a tree, a leaf of queries at a time: the nearest points, those within a radius, and how many they are."""

from __future__ import annotations

from typing import Any

import numpy as np

from mibench.compiled import kernel, loose_kernel
from mibench.neighbours.blocks import box_across, box_to_box, greatest_to_box, least_to_box, to_leaf
from mibench.neighbours.rows import FAR
from mibench.neighbours.tree import LEAF, left_leaves

_DEEP = 256  # more than twice the depth of any tree
_FEW = 64  # neighbours up to which all of their distances are moved at once


@kernel
def _descend(own: int, count: int, stack: Any) -> int:
    """The stack of nodes (node, first leaf, last leaf) that reach all others from a leaf, itself on top."""
    node, first, last, top = 0, 0, count, 0
    while last - first > 1:
        left = left_leaves(first, last)
        if own < first + left:
            stack[top, 0], stack[top, 1], stack[top, 2] = node + 2 * left, first + left, last
            node, last = node + 1, first + left
        else:
            stack[top, 0], stack[top, 1], stack[top, 2] = node + 1, first, first + left
            node, first = node + 2 * left, first + left
        top += 1
    stack[top, 0], stack[top, 1], stack[top, 2] = node, first, last
    return top + 1


@kernel
def _joint_gap(mx: int, my: int, low: Any, high: Any, a: int, b: int, dim_x: int) -> float:
    in_x = box_to_box(mx, low, high, a, b, 0, dim_x)
    return max(in_x, box_to_box(my, low, high, a, b, dim_x, low.shape[1]))


@kernel
def _push(mx: int, my: int, low: Any, high: Any, own: int, dim_x: int, limit: float, stack: Any, top: int) -> int:
    """Replace the node on top by its halves, the nearer one above, as far as they are nearer than the limit."""
    node, first, last = stack[top, 0], stack[top, 1], stack[top, 2]
    left = left_leaves(first, last)
    near, far = node + 1, node + 2 * left
    gap_near, gap_far = _joint_gap(mx, my, low, high, own, near, dim_x), _joint_gap(mx, my, low, high, own, far, dim_x)
    near_first, near_last, far_first, far_last = first, first + left, first + left, last
    if gap_far < gap_near:
        near, far, gap_near, gap_far = far, near, gap_far, gap_near
        near_first, near_last, far_first, far_last = far_first, far_last, near_first, near_last
    if gap_far <= limit:
        stack[top, 0], stack[top, 1], stack[top, 2] = far, far_first, far_last
        top += 1
    if gap_near <= limit:
        stack[top, 0], stack[top, 1], stack[top, 2] = near, near_first, near_last
        top += 1
    return top


@loose_kernel
def _count_below(distances: Any, radius: float) -> int:
    found = 0.0  # a float, to stand in registers beside the distances
    for j in range(LEAF):
        found += 1.0 if distances[j] < radius else 0.0
    return int(found)


@loose_kernel
def _count_up_to(distances: Any, radius: float) -> int:
    found = 0.0
    for j in range(LEAF):
        found += 1.0 if distances[j] <= radius else 0.0
    return int(found)


@kernel
def _to_leaf_jointly(mx: int, my: int, dim_x: int, leaves: Any, own: int, q: int, other: int, out: Any, in_y: Any
                     ) -> None:  # fmt: skip
    """The joint distances of a query to the points of a leaf."""
    to_leaf(mx, leaves, own, q, other, 0, dim_x, out)
    if dim_x < leaves.shape[1]:
        to_leaf(my, leaves, own, q, other, dim_x, leaves.shape[1], in_y)
        for j in range(LEAF):
            out[j] = max(out[j], in_y[j])


@kernel
def _take(distances: Any, q: int, own: int, first: int, best: Any, index: Any) -> None:
    """Take what is nearer to query q than the k-th nearest so far; `own` is its place in this leaf, or -1."""
    k = best.shape[1]
    limit = best[q, k - 1]
    for j in range(LEAF):
        distance = distances[j]
        if distance < limit and j != own:
            p = k - 1
            while p > 0 and best[q, p - 1] > distance:
                best[q, p], index[q, p] = best[q, p - 1], index[q, p - 1]
                p -= 1
            best[q, p], index[q, p] = distance, first + j
            limit = best[q, k - 1]


@kernel
def _merge(distances: Any, best: Any) -> None:
    """Take the distances that are below the greatest of the k least so far, each in its place without a branch."""
    last = best.shape[0] - 1
    for j in range(LEAF):
        distance = distances[j]
        if distance < best[last]:
            before = distance
            for p in range(last + 1):
                here = best[p]
                best[p] = min(here, max(before, distance))
                before = here


@kernel
def nearest_in_tree(mx: int, my: int, dim_x: int, n: int, low: Any, high: Any, leaves: Any, nodes: Any, k: int,
                    start: int, stop: int, order: Any, found: Any, indices: Any) -> None:  # fmt: skip
    """For the points of leaves start ... stop, their k nearest others: joint distances in order, and which they are.

    Where `indices` has no rows, distances alone are wanted, which is faster.
    """
    count, merging = leaves.shape[0], indices.shape[0] == 0 and k <= _FEW
    stack = np.empty((_DEEP, 3), np.int64)
    distances, in_y, box_x, box_y = np.empty(LEAF), np.empty(LEAF), np.empty(LEAF), np.zeros(LEAF)
    best, index = np.empty((LEAF, k)), np.zeros((LEAF, k), np.int64)  # whatever happens, one of the points
    for own in range(start, stop):
        queries = min(LEAF, n - own * LEAF)
        best[:] = FAR
        limit = FAR
        top = _descend(own, count, stack)
        while top:
            top -= 1
            node, first, last = stack[top, 0], stack[top, 1], stack[top, 2]
            if node != nodes[own] and _joint_gap(mx, my, low, high, nodes[own], node, dim_x) >= limit:
                continue
            if last - first > 1:
                top = _push(mx, my, low, high, nodes[own], dim_x, limit, stack, top)
                continue
            least_to_box(mx, low, high, node, leaves, own, 0, dim_x, box_x)
            if dim_x < leaves.shape[1]:
                least_to_box(my, low, high, node, leaves, own, dim_x, leaves.shape[1], box_y)
            for q in range(queries):
                if max(box_x[q], box_y[q]) >= best[q, k - 1]:
                    continue
                _to_leaf_jointly(mx, my, dim_x, leaves, own, q, first, distances, in_y)
                if not _count_below(distances, best[q, k - 1]):
                    continue
                if merging:
                    distances[q] = FAR if first == own else distances[q]
                    _merge(distances, best[q])
                else:
                    _take(distances, q, q if first == own else -1, first * LEAF, best, index)
            limit = 0.0
            for q in range(queries):
                limit = max(limit, best[q, k - 1])
        for q in range(queries):
            i = order[own * LEAF + q]
            for m in range(k):
                found[i, m] = best[q, m]
                if indices.shape[0]:
                    indices[i, m] = order[index[q, m]]


@kernel
def extents_in_tree(mx: int, my: int, dim_x: int, n: int, low: Any, high: Any, leaves: Any, nodes: Any, radii: Any,
                    start: int, stop: int, order: Any, reach_x: Any, reach_y: Any, inside: Any) -> None:  # fmt: skip
    """For the points of leaves start ... stop, the others within the radius: how far they reach, how many they are."""
    count = leaves.shape[0]
    stack = np.empty((_DEEP, 3), np.int64)
    in_x, in_y, radius = np.empty(LEAF), np.empty(LEAF), np.empty(LEAF)
    for own in range(start, stop):
        queries = min(LEAF, n - own * LEAF)
        limit = 0.0
        for q in range(queries):
            i = order[own * LEAF + q]
            radius[q] = radii[i]
            limit = max(limit, radius[q])
            reach_x[i] = reach_y[i] = 0.0
            inside[i] = 0
        stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, count
        top = 1
        while top:
            top -= 1
            first, last = stack[top, 1], stack[top, 2]
            if last - first > 1:
                top = _push(mx, my, low, high, nodes[own], dim_x, limit, stack, top)
                continue
            for q in range(queries):
                to_leaf(mx, leaves, own, q, first, 0, dim_x, in_x)
                to_leaf(my, leaves, own, q, first, dim_x, leaves.shape[1], in_y)
                i = order[own * LEAF + q]
                for j in range(LEAF):
                    if max(in_x[j], in_y[j]) <= radius[q] and (first != own or j != q):
                        reach_x[i], reach_y[i] = max(reach_x[i], in_x[j]), max(reach_y[i], in_y[j])
                        inside[i] += 1


@kernel
def count_in_tree(metric: int, n: int, low: Any, high: Any, leaves: Any, nodes: Any, radii: Any, inclusive: bool,
                  start: int, stop: int, order: Any, counts: Any) -> None:  # fmt: skip
    """For the points of leaves start ... stop, how many others are nearer than the radius, or as near."""
    stack = np.empty((_DEEP, 3), np.int64)
    distances, least, greatest = np.empty(LEAF), np.empty(LEAF), np.empty(LEAF)
    radius, found = np.empty(LEAF), np.empty(LEAF, np.int64)
    for own in range(start, stop):
        queries = min(LEAF, n - own * LEAF)
        smallest, largest, whole = FAR, 0.0, 0
        for q in range(queries):
            radius[q], found[q] = radii[order[own * LEAF + q]], 0
            smallest, largest = min(smallest, radius[q]), max(largest, radius[q])
        stack[0, 0], stack[0, 1], stack[0, 2] = 0, 0, leaves.shape[0]
        top = 1
        while top:
            top -= 1
            node, first, last = stack[top, 0], stack[top, 1], stack[top, 2]
            gap = box_to_box(metric, low, high, nodes[own], node, 0, low.shape[1])
            if gap > largest or (gap == largest and not inclusive):
                continue
            if box_across(metric, low, high, nodes[own], node) < smallest:
                whole += min(n, last * LEAF) - first * LEAF
                continue
            if last - first > 1:
                left = left_leaves(first, last)
                stack[top, 0], stack[top, 1], stack[top, 2] = node + 1, first, first + left
                stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = node + 2 * left, first + left, last
                top += 2
                continue
            least_to_box(metric, low, high, node, leaves, own, 0, leaves.shape[1], least)
            greatest_to_box(metric, low, high, node, leaves, own, greatest)
            for q in range(queries):
                if least[q] > radius[q]:
                    continue
                if greatest[q] < radius[q]:
                    found[q] += min(n, last * LEAF) - first * LEAF
                    continue
                to_leaf(metric, leaves, own, q, first, 0, leaves.shape[1], distances)
                found[q] += _count_up_to(distances, radius[q]) if inclusive else _count_below(distances, radius[q])
        for q in range(queries):
            itself = 1 if inclusive or radius[q] > 0.0 else 0
            counts[order[own * LEAF + q]] = found[q] + whole - itself


@kernel
def _within(gap: float, squared: bool, radius: float, inclusive: bool) -> bool:
    distance = gap * gap if squared else gap
    return distance < radius or (inclusive and distance == radius)


@kernel
def count_sorted(values: Any, squared: bool, radii: Any, inclusive: bool, start: int, stop: int, order: Any,
                 counts: Any) -> None:  # fmt: skip
    """The same for one coordinate, from its values in order: by doubling steps to either side, and back by halving.

    The first step is about as far as the point before had to go, since neighbours have about as many.
    """
    n = values.shape[0]
    first_right = first_left = 1
    for place in range(start, stop):
        i, centre = order[place], values[place]
        radius = radii[i]
        right, step = place, first_right
        while right + step < n and _within(values[right + step] - centre, squared, radius, inclusive):
            right += step
            step *= 2
        first_right = max(1, step // 2)
        while step:
            if right + step < n and _within(values[right + step] - centre, squared, radius, inclusive):
                right += step
            step //= 2
        left, step = place, first_left
        while left >= step and _within(centre - values[left - step], squared, radius, inclusive):
            left -= step
            step *= 2
        first_left = max(1, step // 2)
        while step:
            if left >= step and _within(centre - values[left - step], squared, radius, inclusive):
                left -= step
            step //= 2
        counts[i] = right - left
