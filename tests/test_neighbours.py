"""Neighbours and counts beside all pairs in plain NumPy: equal to the last bit, whatever the points are."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mibench.errors import DataError
from mibench.neighbours import METRICS
from mibench.neighbours.search import count_neighbours, count_within_groups, nearest
from mibench.neighbours.tree import build

PAIRS = list(product(METRICS, METRICS))
MODES = [{"inclusive": False}, {"inclusive": True}, {"inclusive": True, "boxes": True}]


def _distances(points: np.ndarray, metric: str) -> np.ndarray:
    """Of all pairs, summed coordinate by coordinate; the Euclidean ones squared."""
    found = np.zeros((len(points), len(points)))
    for column in points.T:
        gaps = np.abs(column[:, None] - column)
        if metric == "chebyshev":
            found = np.maximum(found, gaps)
        else:
            found = found + (gaps * gaps if metric == "euclidean" else gaps)
    return found


def _both(x: np.ndarray, y: np.ndarray, metrics: tuple[str, str]) -> list[np.ndarray]:
    """The distances in x and in y, in one form: beside squares stand squares."""
    found = [_distances(points, metric) for points, metric in zip((x, y), metrics, strict=True)]
    if "euclidean" in metrics:
        return [d if metric == "euclidean" else d * d for d, metric in zip(found, metrics, strict=True)]
    return found


def _plain(sides: list[np.ndarray], k: int, inclusive: bool, boxes: bool = False) -> list[np.ndarray]:
    """Counts in x, in y, and in both, whether the k-th neighbour is elsewhere and tied, from distances of all pairs."""
    joint = np.maximum(*sides)
    others = ~np.eye(len(joint), dtype=bool)
    ordered = np.sort(np.where(others, joint, np.inf), axis=1)
    radii, tied = ordered[:, k - 1 : k], ordered[:, k - 1] == ordered[:, k - 2 if k > 1 else 1]
    if not inclusive:
        return [*(((side < radii) & others).sum(axis=1) for side in sides), radii[:, 0] > 0, tied]
    inside = (joint <= radii) & others
    reaches = [np.where(inside, side, 0.0).max(axis=1, keepdims=True) if boxes else radii for side in sides]
    counts = [((side <= reach) & others).sum(axis=1) for side, reach in zip(sides, reaches, strict=True)]
    if boxes:
        tied |= (reaches[0][:, 0] == 0.0) | (reaches[1][:, 0] == 0.0)
    return [*counts, inside.sum(axis=1), radii[:, 0] > 0, tied]


def _compare(x: np.ndarray, y: np.ndarray, ks: tuple[int, ...], metrics: tuple[str, str], mode: dict) -> None:
    sides = _both(x, y, metrics)
    for n_jobs in (1, 2):
        found = count_neighbours(x, y, ks, metrics, n_jobs=n_jobs, **mode)
        names = ("x", "y", "both", "apart", "tied") if mode["inclusive"] else ("x", "y", "apart", "tied")
        for m, k in enumerate(ks):
            for name, expected in zip(names, _plain(sides, k, **mode), strict=True):
                np.testing.assert_array_equal(getattr(found, name)[:, m], expected, err_msg=f"{name}, k={k}")


# Points of n rows and d columns of each kind that could lead a search astray.
KINDS = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "rounded": lambda rng, n, d: np.round(rng.normal(size=(n, d))),
    "coins": lambda rng, n, d: rng.integers(0, 2, (n, d)).astype(float),
    "one place": lambda rng, n, d: np.repeat(rng.normal(size=(1, d)), n, axis=0),
    "repeated rows": lambda rng, n, d: rng.normal(size=(5, d))[rng.integers(0, 5, n)],
    "decimals": lambda rng, n, d: np.round(rng.normal(size=(n, d)), 1),
    "far off": lambda rng, n, d: 1e9 + 1e-3 * rng.normal(size=(n, d)),
    "far off and apart": lambda rng, n, d: rng.choice([-1e9, 1e9], size=(n, 1)) + 1e-6 * rng.normal(size=(n, d)),
    "Cauchy": lambda rng, n, d: rng.standard_cauchy(size=(n, d)),
    "columns of many scales": lambda rng, n, d: rng.normal(size=(n, d)) * 10.0 ** rng.integers(-8, 8, d),
    "a line": lambda rng, n, d: np.repeat(np.sort(rng.normal(size=(n, 1)), axis=0), d, axis=1),
}

# Dimensions of x and y for which the search goes its different ways.
WAYS = {
    "sorted": st.tuples(st.just(1), st.just(1)),
    "sorted and tree": st.tuples(st.just(1), st.integers(2, 9)),
    "trees": st.tuples(st.integers(2, 5), st.integers(2, 5)),
    "all pairs": st.tuples(st.integers(4, 14), st.integers(7, 13)),
    "all pairs, one coordinate": st.tuples(st.integers(10, 21), st.just(1)),
}


@pytest.mark.parametrize("way", WAYS)
@settings(max_examples=120, deadline=None, derandomize=True)
@given(st.data())
def test_counts_are_those_of_all_pairs(way: str, data: st.DataObject) -> None:
    dims = data.draw(WAYS[way])
    if data.draw(st.booleans()):
        dims = dims[::-1]
    ks = tuple(data.draw(st.lists(st.integers(1, 14), min_size=1, max_size=3, unique=True)))
    n = data.draw(st.one_of(st.integers(max(ks) + 1, 40), st.integers(55, 300), st.sampled_from([64, 65, 128, 129])))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    x, y = (KINDS[data.draw(st.sampled_from(sorted(KINDS)))](rng, n, d) for d in dims)
    _compare(x, y, ks, data.draw(st.sampled_from(PAIRS)), data.draw(st.sampled_from(MODES)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dims", [(1, 1), (2, 3), (6, 6)])
def test_every_pair_of_metrics_and_every_kind_of_points(kind: str, dims: tuple[int, int]) -> None:
    rng = np.random.default_rng(3)
    x, y = (KINDS[kind](rng, 130, d) for d in dims)
    for metrics, mode in product(PAIRS, MODES):
        _compare(x, y, (10, 1), metrics, mode)


@pytest.mark.parametrize("n", [1024, 1025, 2115])
@pytest.mark.parametrize("dims", [(1, 2), (6, 6)])
def test_more_points_than_a_tile_holds(dims: tuple[int, int], n: int) -> None:
    rng = np.random.default_rng(n)
    x, y = rng.normal(size=(n, dims[0])), np.round(rng.normal(size=(n, dims[1])), 1)
    _compare(x, y, (10, 3), ("chebyshev", "chebyshev"), MODES[0])
    _compare(x, y, (5,), ("euclidean", "manhattan"), MODES[2])


@pytest.mark.parametrize("dims", [(1, 1), (3, 3), (6, 6)])
def test_neighbours_may_be_all_the_others(dims: tuple[int, int]) -> None:
    rng = np.random.default_rng(5)
    x, y = (rng.normal(size=(200, d)) for d in dims)
    for mode in MODES:
        _compare(x, y, (199, 1, 70, 198), ("euclidean", "chebyshev"), mode)
        _compare(x[:2], y[:2], (1,), ("manhattan", "manhattan"), mode)


@pytest.mark.parametrize("dims", [(1, 1), (3, 3), (6, 6)])
@pytest.mark.parametrize("exponent", [-1000, -500, 500, 1000])
def test_a_scale_makes_no_difference_even_at_the_ends_of_double_precision(dims: tuple[int, int], exponent: int) -> None:
    rng = np.random.default_rng(6)
    x, y = (rng.normal(size=(150, d)) for d in dims)
    for metrics in PAIRS:
        found = count_neighbours(x, y, (5,), metrics)
        scaled = count_neighbours(np.ldexp(x, exponent), np.ldexp(y, exponent), (5,), metrics)
        np.testing.assert_array_equal(scaled.x, found.x)
        np.testing.assert_array_equal(scaled.y, found.y)


@pytest.mark.parametrize("dims", [(1, 1), (3, 3), (6, 6)])
@pytest.mark.parametrize("scale", [1e-300, 1e300])
def test_one_side_may_be_of_another_scale_altogether(dims: tuple[int, int], scale: float) -> None:
    rng = np.random.default_rng(7)
    x, y = (rng.normal(size=(150, d)) for d in dims)
    for metrics in product(("chebyshev", "manhattan"), repeat=2):  # of which the plain distances stay finite
        _compare(scale * x, scale * y, (5,), metrics, MODES[2])
        _compare(scale * x, y, (5,), metrics, MODES[0])


@pytest.mark.parametrize("dim", [1, 2, 10, 11, 24])
@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(1, 20), st.integers(0, 280), st.sampled_from(METRICS), st.sampled_from(sorted(KINDS)), st.data())
def test_nearest_are_those_of_all_pairs(
    dim: int, k: int, more: int, metric: str, kind: str, data: st.DataObject
) -> None:
    points = KINDS[kind](np.random.default_rng(data.draw(st.integers(0, 2**32))), k + 1 + more, dim)
    all_pairs = _distances(points, metric)
    all_pairs = np.sqrt(all_pairs) if metric == "euclidean" else all_pairs
    np.fill_diagonal(all_pairs, np.inf)
    expected = np.sort(all_pairs, axis=1)
    distances, indices = nearest(points, k, metric)
    np.testing.assert_array_equal(distances, expected[:, :k])
    np.testing.assert_array_equal(np.take_along_axis(all_pairs, indices, axis=1), distances)
    assert all(len(set(row)) == k for row in indices.tolist())
    clear = (np.diff(expected[:, : k + 1], axis=1) > 0).all(axis=1)
    np.testing.assert_array_equal(indices[clear], np.argsort(all_pairs, axis=1)[clear, :k])


@pytest.mark.parametrize("dims", [(1, 1), (2, 2), (6, 6)])
def test_threads_make_no_difference(dims: tuple[int, int]) -> None:
    rng = np.random.default_rng(8)
    x, y = (np.round(rng.normal(size=(1500, d)), 1) for d in dims)
    for n_jobs in (2, 5, -1):
        for mode in MODES:
            one, several = (count_neighbours(x, y, (4, 2), ("euclidean",) * 2, n_jobs=j, **mode) for j in (1, n_jobs))
            for name in ("x", "y", "apart", *(["both"] if mode["inclusive"] else [])):
                np.testing.assert_array_equal(getattr(one, name), getattr(several, name))
        points = np.hstack([x, y])
        for one, several in zip(nearest(points, 4), nearest(points, 4, n_jobs=n_jobs), strict=True):
            np.testing.assert_array_equal(one, several)  # and of those just as near the same are chosen


@pytest.mark.parametrize("dim", [1, 3, 6, 12])
@pytest.mark.parametrize("wrong", [np.inf, -np.inf, np.nan])
def test_compiled_code_never_sees_what_is_not_finite(dim: int, wrong: float) -> None:
    points = np.random.default_rng(10).normal(size=(1500, dim))
    points[7, dim - 1] = wrong
    with pytest.raises(DataError, match="must be finite"):
        nearest(points, 3)
    with pytest.raises(DataError, match="must be finite"):
        count_neighbours(np.ones((1500, 1)), points, (3,), ("chebyshev", "chebyshev"))
    with pytest.raises(DataError, match="must be finite"):
        count_within_groups(points, np.zeros(1500, np.int64), 3, "euclidean")


@pytest.mark.parametrize("dim", [1, 3, 6, 12])
@pytest.mark.parametrize("k", [0, 20, 21])
def test_each_point_has_as_many_others_as_are_sought(dim: int, k: int) -> None:
    points = np.random.default_rng(11).normal(size=(20, dim))
    with pytest.raises(DataError, match="k must be from 1 to 19"):
        nearest(points, k)
    with pytest.raises(DataError, match="k must be from 1 to 19"):
        count_neighbours(points, points, (3, k), ("chebyshev", "chebyshev"))


def test_what_is_given_is_not_changed() -> None:
    rng = np.random.default_rng(9)
    x, y = rng.normal(size=(2, 100, 2))
    kept = x.copy(), y.copy()
    count_neighbours(x, y, (3,), ("chebyshev", "chebyshev"))
    nearest(x, 3)
    np.testing.assert_array_equal((x, y), kept)


@pytest.mark.parametrize("dims", [1, 2, 5])
@pytest.mark.parametrize("n", [1, 64, 65, 2**16 - 1, 2**16, 70_001])
def test_a_tree_is_the_same_for_any_number_of_threads(n: int, dims: int) -> None:
    points = np.random.default_rng(0).random((n, dims)).round(3)
    one, two = build(points), build(points, n_jobs=2)
    for name in ("order", "leaves", "nodes"):
        assert np.array_equal(getattr(one, name), getattr(two, name)), name
    boxes = 2 * len(one.nodes) - 1
    assert np.array_equal(one.low[:boxes], two.low[:boxes])
    assert np.array_equal(one.high[:boxes], two.high[:boxes])
    assert np.array_equal(np.sort(one.order), np.arange(n))
