"""Laws that every distribution obeys."""

from __future__ import annotations

import inspect
import math
import pickle

import numpy as np
import pytest
from zoo import DISTRIBUTIONS

import mibench as mi
from mibench import identity
from mibench.errors import DataError, DimensionError, InvalidInput, NotAvailable, ParameterError
from mibench.tasks.check import check_task

EVERY = pytest.mark.parametrize("distribution", DISTRIBUTIONS.values(), ids=DISTRIBUTIONS.keys())


def _draw(distribution: mi.Distribution, n: int, seed: int = 1) -> mi.Draws:
    return distribution.draw(np.random.default_rng(seed), n)


def test_every_distribution_is_in_the_zoo() -> None:
    shown = {type(d).__name__ for d in DISTRIBUTIONS.values()}
    known = {n for n, c in identity.registered().items() if issubclass(c, mi.Distribution)}
    assert known == shown
    assert known == {
        n
        for n in mi.__all__
        if inspect.isclass(c := getattr(mi, n))
        and c in identity.registered().values()
        and issubclass(c, mi.Distribution)
    }


@EVERY
def test_mean_pmi_is_the_mi(distribution: mi.Distribution) -> None:
    found = check_task(mi.Task("a law", distribution), n=200_000, seed=7)
    assert found.agrees, found


@EVERY
def test_mi_is_a_finite_number_that_is_not_negative(distribution: mi.Distribution) -> None:
    assert isinstance(distribution.mi, mi.Truth)
    assert 0.0 <= distribution.mi < math.inf
    assert 0.0 <= distribution.mi.error < 0.002


@EVERY
def test_draws_have_their_shapes(distribution: mi.Distribution) -> None:
    for n in (1, 2, 1001):
        draws = _draw(distribution, n)
        assert draws.x.shape == (n, distribution.dim_x)
        assert draws.y.shape == (n, distribution.dim_y)
        assert draws.pmi.shape == (n,)
        assert len(draws) == n
        for values in (draws.x, draws.y, draws.pmi):
            assert values.dtype == np.float64
            assert values.flags.c_contiguous
            assert np.isfinite(values).all()


@EVERY
def test_pmi_at_the_drawn_points_is_the_drawn_pmi(distribution: mi.Distribution) -> None:
    draws = _draw(distribution, 3000)
    np.testing.assert_allclose(distribution.pmi(draws.x, draws.y), draws.pmi, rtol=1e-8, atol=1e-8)


@EVERY
def test_log_densities_give_the_pmi_where_they_exist(distribution: mi.Distribution) -> None:
    draws = _draw(distribution, 3000)
    try:
        found = distribution.log_densities(draws.x, draws.y)
    except NotAvailable:
        return
    np.testing.assert_allclose(found.joint - found.x - found.y, draws.pmi, rtol=1e-8, atol=1e-7)


def test_those_without_a_density_say_so() -> None:
    without = {name for name, d in DISTRIBUTIONS.items() if not _has_density(d)}
    assert without == {"discrete", "labelled", "pushed embedding", "product of all sorts"}


def _has_density(distribution: mi.Distribution) -> bool:
    try:
        distribution.log_densities(np.zeros((1, distribution.dim_x)), np.zeros((1, distribution.dim_y)))
    except NotAvailable:
        return False
    return True


@EVERY
def test_same_generator_same_bits(distribution: mi.Distribution) -> None:
    one, two, other = _draw(distribution, 500, 3), _draw(distribution, 500, 3), _draw(distribution, 500, 4)
    assert one.fingerprint == two.fingerprint
    assert one.pmi.tobytes() == two.pmi.tobytes()
    assert one.fingerprint != other.fingerprint


@EVERY
def test_spelling_and_pickle_give_an_equal_object(distribution: mi.Distribution) -> None:
    again = mi.parse(mi.spell(distribution))
    assert again == distribution
    assert hash(again) == hash(distribution)
    assert mi.spell(again) == mi.spell(distribution)
    assert mi.identity_fingerprint(again) == mi.identity_fingerprint(distribution)
    thawed = pickle.loads(pickle.dumps(distribution))  # noqa: S301
    assert thawed == distribution
    assert thawed.mi == distribution.mi
    assert _draw(thawed, 10).fingerprint == _draw(distribution, 10).fingerprint


@EVERY
@pytest.mark.parametrize("n", [0, -1, 2.0, 2.5, True, "10", None])
def test_bad_numbers_of_points_are_refused(distribution: mi.Distribution, n: object) -> None:
    with pytest.raises(ParameterError, match=r"n must be a whole number >= 1, got"):
        distribution.draw(np.random.default_rng(0), n)


@EVERY
def test_a_seed_is_not_a_generator(distribution: mi.Distribution) -> None:
    with pytest.raises(ParameterError, match=r"rng must be a numpy.random.Generator"):
        distribution.draw(0, 10)


@EVERY
def test_bad_points_are_refused(distribution: mi.Distribution) -> None:
    draws = _draw(distribution, 20)
    torn = draws.x.copy()
    torn[[3, 17], 0] = np.nan, np.inf
    with pytest.raises(DataError, match=r"x has 2 rows with a NaN or infinity \(the first is row 3\); drop or impute"):
        distribution.pmi(torn, draws.y)
    with pytest.raises(DimensionError, match=r"y must have"):
        distribution.pmi(draws.x, np.hstack([draws.y, draws.y]))
    with pytest.raises(DimensionError, match=r"as many rows, got 20 and 19"):
        distribution.pmi(draws.x, draws.y[:-1])
    with pytest.raises(DataError, match="real numbers"):
        distribution.pmi([["a"]] * 20, draws.y)
    with pytest.raises(DataError, match="3 dimensions"):
        distribution.pmi(draws.x[None], draws.y)
    with pytest.raises(InvalidInput):
        distribution.pmi([[1.0], [1.0, 2.0]], draws.y)


@EVERY
def test_pmi_leaves_its_input_alone(distribution: mi.Distribution) -> None:
    draws = _draw(distribution, 50)
    x, y = np.asfortranarray(draws.x), draws.y[::2].copy()
    x.flags.writeable = y.flags.writeable = False
    distribution.pmi(x[::2], y)


@EVERY
def test_pushing_changes_neither_mi_nor_pmi(distribution: mi.Distribution) -> None:
    pushed = mi.Pushed(distribution, mi.Scale(2.0, 1.0), mi.Asinh())
    plain, moved = _draw(distribution, 200), _draw(pushed, 200)
    assert pushed.mi == distribution.mi
    assert moved.pmi.tobytes() == plain.pmi.tobytes()
    assert moved.x.tobytes() == (2.0 * plain.x + 1.0).tobytes()


@EVERY
def test_blocks_add_up(distribution: mi.Distribution) -> None:
    twice = mi.Product((distribution, mi.Noise(0, 1), distribution))
    assert twice.mi == pytest.approx(2 * distribution.mi, abs=1e-12)
    assert (twice.dim_x, twice.dim_y) == (2 * distribution.dim_x, 2 * distribution.dim_y + 1)
    draws = _draw(twice, 300)
    left = distribution.pmi(draws.x[:, : distribution.dim_x], draws.y[:, : distribution.dim_y])
    right = distribution.pmi(draws.x[:, distribution.dim_x :], draws.y[:, distribution.dim_y + 1 :])
    np.testing.assert_allclose(draws.pmi, left + right, rtol=1e-8, atol=1e-8)


@EVERY
def test_pmi_says_what_cannot_occur(distribution: mi.Distribution) -> None:
    draws = _draw(distribution, 400)
    shuffled = np.random.default_rng(8).permutation(draws.y)
    x = np.vstack([draws.x, draws.x, draws.x + 0.37, 1e6 * draws.x])
    y = np.vstack([draws.y, shuffled, shuffled, draws.y - 1e5])
    pmi, (x_can, y_can) = distribution.pmi(x, y), distribution.support(x, y)
    assert x_can[:800].all()
    assert y_can[:800].all()
    np.testing.assert_array_equal(np.isnan(pmi), ~(x_can & y_can))
    assert not np.isposinf(pmi).any()
    try:
        logs = distribution.log_densities(x, y)
    except NotAvailable:
        return
    np.testing.assert_array_equal(np.isneginf(logs.x), ~x_can)
    np.testing.assert_array_equal(np.isneginf(logs.y), ~y_can)
    both = x_can & y_can
    np.testing.assert_array_equal(np.isneginf(logs.joint[both]), np.isneginf(pmi[both]))
