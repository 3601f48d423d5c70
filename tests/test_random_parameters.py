"""The laws at parameters that nobody chose."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from integrals import integral_1x1

import mibench as mi
from mibench.distributions.integrate import mean_and_error
from mibench.errors import NotAvailable
from mibench.tasks.check import check_task

# The same examples in every run, so that a test of means at five standard errors does not fail by chance one day.
_FEW = settings(max_examples=15, deadline=None, derandomize=True)
_MANY = settings(max_examples=60, deadline=None, derandomize=True)

dims = st.integers(1, 4)
number = st.floats(-3.0, 3.0)
seeds = st.integers(0, 2**32)


@st.composite
def covariances(draw: st.DrawFn) -> tuple[np.ndarray, int]:
    """A covariance matrix of any shape, and how much of it is X's."""
    m, n, seed = draw(dims), draw(dims), draw(seeds)
    rng = np.random.default_rng(seed)
    loadings = rng.normal(size=(m + n, m + n)) * 10.0 ** rng.uniform(-1, 1, size=(m + n, 1))
    return loadings @ loadings.T + 0.05 * np.diag(np.diag(loadings @ loadings.T)), m


@st.composite
def families(draw: st.DrawFn) -> mi.FactorCovariance:
    """Any member of the family of factor covariances."""
    m, n = draw(dims), draw(dims)
    weights = {name: draw(number) for name in ("alpha", "beta_x", "beta_y", "lambda_", "eta_x", "eta_y")}
    noise = {name: draw(st.floats(0.2, 2.0)) for name in ("epsilon_x", "epsilon_y")}
    k = draw(st.integers(0, min(m, n)))
    return mi.FactorCovariance(m, n, K=k, **weights, **noise, unit_variance=draw(st.booleans()))


def _agrees(distribution: mi.Distribution) -> None:
    found = check_task(mi.Task("any", distribution), n=200_000, seed=0)
    assert found.agrees, (mi.spell(distribution), found)


@_FEW
@given(covariances())
def test_normals(given_matrix: tuple[np.ndarray, int]) -> None:
    matrix, m = given_matrix
    normal = mi.Normal(matrix, dim_x=m)
    x, y, both = (np.linalg.slogdet(b)[1] for b in (matrix[:m, :m], matrix[m:, m:], matrix))
    assert math.isclose(normal.mi, 0.5 * (x + y - both), abs_tol=1e-9)
    _agrees(normal)


@_FEW
@given(covariances(), st.floats(0.5, 50.0))
def test_students(given_matrix: tuple[np.ndarray, int], dof: float) -> None:
    matrix, m = given_matrix
    student = mi.Student(matrix, dof=dof, dim_x=m)
    assert student.mi > mi.Normal(matrix, dim_x=m).mi
    _agrees(student)


@_MANY
@given(families())
def test_the_factor_family(family: mi.FactorCovariance) -> None:
    normal = mi.Normal(family)
    assert normal.mi >= 0.0
    matrix = family.matrix()
    np.testing.assert_array_equal(matrix, matrix.T)
    assert mi.parse(mi.spell(normal)) == normal
    swapped = np.roll(np.roll(matrix, family.dim_y, axis=0), family.dim_y, axis=1)
    assert math.isclose(mi.Normal(swapped, dim_x=family.dim_y).mi, normal.mi, rel_tol=1e-9, abs_tol=1e-9)


@_FEW
@given(st.floats(0.01, 5.0))
def test_additive_noise(epsilon: float) -> None:
    _agrees(mi.AdditiveNoise(epsilon))


@_FEW
@given(st.lists(st.tuples(st.floats(-0.9, 0.9), number, number, st.floats(0.05, 1.0)), min_size=1, max_size=3))
def test_mixtures(parts: list[tuple[float, float, float, float]]) -> None:
    total = math.fsum(p[3] for p in parts)
    normals = tuple(mi.Normal(mi.bivariate(rho), dim_x=1, mean=(a, b)) for rho, a, b, _ in parts)
    mixture = mi.Mixture(normals, weights=tuple(p[3] / total for p in parts))
    grid = np.linspace(-12.0, 12.0, 801)
    step = np.full_like(grid, grid[1] - grid[0])
    assert abs(integral_1x1(mixture, grid, grid, step, step) - mixture.mi) <= 5.0 * mixture.mi.error + 1e-9


@_FEW
@given(seeds, st.integers(1, 4), st.integers(1, 4))
def test_tables(seed: int, rows: int, columns: int) -> None:
    table = np.random.default_rng(seed).dirichlet(np.full(rows * columns, 0.5)).reshape(rows, columns)
    _agrees(mi.Discrete(table))


@_MANY
@given(
    st.lists(st.tuples(st.floats(0.01, 1.0), st.floats(0.1, 5.0), number), min_size=1, max_size=4),
    st.floats(0.05, 0.98),
    seeds,
)
def test_wiggles_increase_and_can_be_undone(
    waves: list[tuple[float, float, float]], steepness: float, seed: int
) -> None:
    scale = steepness / math.fsum(abs(a * w) for a, w, _ in waves)
    wiggly = mi.Wiggly(tuple((a * scale, w, phi) for a, w, phi in waves))
    points = np.sort(np.random.default_rng(seed).normal(scale=5.0, size=300))
    image = wiggly.forward(points)[:, 0]
    assert (np.diff(image) > 0.0).all()
    np.testing.assert_allclose(wiggly.inverse(image)[:, 0], points, rtol=1e-9, atol=1e-9)


@_MANY
@given(
    st.lists(st.tuples(st.floats(0.01, 1.0), st.floats(-20.0, 20.0), st.floats(0.01, 5.0)), min_size=1, max_size=4),
    seeds,
)
def test_mixture_quantiles_increase_and_can_be_undone(parts: list[tuple[float, float, float]], seed: int) -> None:
    total = math.fsum(p[0] for p in parts)
    transform = mi.MixtureQuantile(*zip(*((w / total, m, d) for w, m, d in parts), strict=True))
    u = np.unique(np.random.default_rng(seed).random(200))
    image = transform.forward(u)
    assert (np.diff(image[:, 0]) >= 0.0).all()
    np.testing.assert_allclose(transform.inverse(image)[:, 0], u, atol=1e-12)


@_MANY
@given(seeds)
def test_quantiles_of_extreme_mixtures(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(20):
        count = int(rng.integers(1, 5))
        weights = np.maximum(rng.dirichlet(np.full(count, 0.7)), 1e-6)
        transform = mi.MixtureQuantile(
            weights / weights.sum(), rng.normal(size=count, scale=3.0), 10.0 ** rng.uniform(-3, 3, count)
        )
        u = np.sort(rng.random(100))
        image = transform.forward(u)
        assert (np.diff(image[:, 0]) > 0.0).all()
        np.testing.assert_allclose(transform.inverse(image)[:, 0], u, atol=1e-12)


@_MANY
@given(number, st.integers(2, 6), seeds)
def test_spirals_can_be_undone(speed: float, dim: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.normal(size=(dim, dim)), 1)
    points = rng.normal(size=(50, dim))
    for spiral in (mi.Spiral(speed, plane=(dim - 1, 0)), mi.Spiral(speed, generator=upper - upper.T)):
        np.testing.assert_allclose(spiral.inverse(spiral.forward(points)), points, rtol=1e-9, atol=1e-9)


@_MANY
@given(st.floats(0.2, 6.0), seeds)
def test_powers_can_be_undone(k: float, seed: int) -> None:
    points = np.random.default_rng(seed).standard_cauchy(200)
    power = mi.SignedPower(k)
    np.testing.assert_allclose(power.inverse(power.forward(points))[:, 0], points, rtol=1e-11)


def _maps(dim: int) -> st.SearchStrategy[mi.Transform]:
    """Transforms of points of a dimension that any real numbers may have."""
    plain = [
        st.just(mi.Asinh()),
        st.just(mi.HalfCube()),
        st.just(mi.WIGGLY_X),
        st.builds(mi.SignedPower, st.floats(0.5, 2.0)),
        st.builds(mi.Scale, st.floats(0.2, 3.0), number),
        st.just(mi.Chain((mi.Asinh(), mi.Scale(0.5), mi.NormalCDF(), mi.MixtureQuantile((0.3, 0.7), (0.0, 4.0))))),
    ]
    if dim == 1:
        plain.append(st.just(mi.Chain((mi.Asinh(), mi.Scale(0.5), mi.NormalCDF(), mi.SwissRoll()))))
    else:
        plain.append(st.builds(mi.Spiral, st.floats(-1.0, 1.0), st.just((dim - 1, 0))))
        plain.append(st.builds(mi.Rotation, number, st.just((0, dim - 1))))
        plain.append(st.just(mi.Axes((mi.Asinh(),) * (dim - 1) + (mi.WIGGLY_Y,))))
    return st.one_of(plain)


degrees = st.floats(0.8, 9.0)
matrices = covariances()
tables = seeds.map(lambda seed: np.random.default_rng(seed).dirichlet(np.ones(6)).reshape(2, 3))
simple: st.SearchStrategy[mi.Distribution] = st.one_of(
    matrices.map(lambda given_matrix: mi.Normal(given_matrix[0], dim_x=given_matrix[1])),
    st.builds(lambda given_matrix, dof: mi.Student(given_matrix[0], dof, dim_x=given_matrix[1]), matrices, degrees),
    st.builds(mi.AdditiveNoise, st.floats(0.05, 2.0)),
    tables.map(mi.Discrete),
    st.builds(mi.Noise, dims, dims, dof=degrees),
)


def _mixed(part: mi.Distribution, shift: float, scale: float, make: type) -> mi.Distribution:
    """A part and its shifted image as one distribution; the part alone where it has no density."""
    try:
        return make((part, mi.Pushed(part, mi.Scale(shift=shift), mi.Scale(scale))), weights=(0.25, 0.75))
    except NotAvailable:
        return part


def _composed(inner: st.SearchStrategy[mi.Distribution]) -> st.SearchStrategy[mi.Distribution]:
    return st.one_of(
        inner.flatmap(lambda base: st.builds(mi.Pushed, st.just(base), _maps(base.dim_x), _maps(base.dim_y))),
        st.builds(mi.Product, st.lists(inner, min_size=1, max_size=2).map(tuple)),
        st.builds(_mixed, inner, number, st.floats(0.5, 2.0), st.sampled_from([mi.Mixture, mi.Labelled])),
    )


compositions = st.recursive(simple, _composed, max_leaves=4)


@settings(max_examples=12, deadline=None, derandomize=True)
@given(compositions)
def test_anything_made_of_anything(distribution: mi.Distribution) -> None:
    draws = distribution.draw(np.random.default_rng(1), 20_000)
    assert mi.parse(mi.spell(distribution)) == distribution
    np.testing.assert_allclose(distribution.pmi(draws.x, draws.y), draws.pmi, rtol=1e-6, atol=1e-6)
    mean = mean_and_error(draws.pmi)
    assert abs(mean - distribution.mi) <= 5.0 * (mean.error + distribution.mi.error) + 1e-9
