"""Every parameter that is out of its range gives one error that says what was expected and what came."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mibench as mi
from mibench import errors
from mibench.errors import DimensionError, DrawFailed, InvalidInput, ParameterError

NAN, INF = math.nan, math.inf
GOOD = ((1.0, 0.5), (0.5, 1.0))

# (type, fields, what the message says)
REFUSED: list[tuple[type, dict[str, object], str]] = [
    (
        mi.Normal,
        {"covariance": ((1.0, 0.5), (0.4, 1.0)), "dim_x": 1},
        r"covariance must be symmetric, but entry \[0\]\[1\] is 0.5 and",
    ),
    (
        mi.Normal,
        {"covariance": ((1.0, 1.0), (1.0, 1.0)), "dim_x": 1},
        r"positive definite, but its smallest eigenvalue is",
    ),
    (mi.Normal, {"covariance": ((1.0, 2.0), (2.0, 1.0)), "dim_x": 1}, r"smallest eigenvalue is -1 \(singular"),
    (mi.Normal, {"covariance": ((0.0, 0.0), (0.0, 1.0)), "dim_x": 1}, "positive definite"),
    (mi.Normal, {"covariance": ((1.0, NAN), (NAN, 1.0)), "dim_x": 1}, "it has a NaN or infinity"),
    (mi.Normal, {"covariance": ((1.0, 0.5),), "dim_x": 1}, r"square matrix, got one of shape \(1, 2\)"),
    (mi.Normal, {"covariance": ((1.0, 0.5), (0.5,)), "dim_x": 1}, "rows of different lengths"),
    (mi.Normal, {"covariance": "a", "dim_x": 1}, "must be a square matrix of finite numbers, got 'a'"),
    (mi.Normal, {"covariance": GOOD}, r"say how many of the 2 coordinates of the covariance are X's: dim_x=1"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 2}, "dim_x must be below 2"),
    (mi.Normal, {"covariance": GOOD, "dim_x": -1}, "dim_x must be a whole number >= 0, got -1"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1.0}, r"dim_x must be a whole number >= 0, got 1.0 \(float\)"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1, "mean": (0.0,)}, "mean must have 2 entries, got 1"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1, "mean": (0.0, INF)}, "mean must be"),
    (mi.Normal, {"covariance": mi.dense(2, 2), "dim_x": 3}, "dim_x must be that of the covariance, 2, or left out"),
    (mi.Student, {"dispersion": GOOD, "dof": 0.0, "dim_x": 1}, "dof must be a finite number > 0"),
    (mi.Student, {"dispersion": GOOD, "dof": -2, "dim_x": 1}, "dof must be a finite number > 0"),
    (mi.Student, {"dispersion": GOOD, "dof": NAN, "dim_x": 1}, "got nan"),
    (mi.Student, {"dispersion": GOOD, "dof": INF, "dim_x": 1}, "for infinitely many, use Normal"),
    (mi.Student, {"dispersion": GOOD, "dof": "3", "dim_x": 1}, r"got '3' \(str\)"),
    (
        mi.Student,
        {"dispersion": ((1.0, 2.0), (2.0, 1.0)), "dof": 3, "dim_x": 1},
        "dispersion must be positive definite",
    ),
    (mi.Student, {"dispersion": GOOD, "dof": 1e-300, "dim_x": 1}, "dof must be at least 0.05"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1, "mean": [[1], [1, 2]]}, "mean must be .* rows of different lengths"),
    (mi.Rotation, {"angle": 1.0, "plane": (0, 10**5000)}, "an axis of plane must be a whole number between 0 and"),
    (mi.SignedPower, {"k": np.eye(2)}, r"got array\(\[\[1., 0.\], \[0., 1.\]\]\) \(ndarray\)"),
    (mi.SignedPower, {"k": np.timedelta64(3, "s")}, "k must be a finite number > 0"),
    (mi.FactorCovariance, {"dim_x": 0, "dim_y": 1}, "dim_x must be a whole number >= 1, got 0"),
    (mi.FactorCovariance, {"dim_x": 2, "dim_y": 3, "K": 3}, r"K must be at most min\(dim_x, dim_y\) = 2, got 3"),
    (mi.FactorCovariance, {"dim_x": 2, "dim_y": 3, "alpha": NAN}, "alpha must be a finite number, got nan"),
    (mi.AdditiveNoise, {"epsilon": 0.0}, r"epsilon must be a finite number > 0, got 0.0 \(float\)"),
    (mi.AdditiveNoise, {"epsilon": -1}, "epsilon must be"),
    (mi.AdditiveNoise, {"epsilon": NAN}, "epsilon must be"),
    (mi.AdditiveNoise, {"epsilon": True}, r"got True \(bool\)"),
    (mi.AdditiveNoise, {"epsilon": 10**400}, "epsilon must be"),
    (mi.AdditiveNoise, {"epsilon": 1e-7}, "epsilon must be at least 1e-06, or rounding hides the noise"),
    (mi.AdditiveNoise, {"epsilon": 10**5000}, r"got a huge integer \(int\)"),
    (mi.Normal, {"covariance": ((1e200, 5e199), (1e199, 1e200)), "dim_x": 1}, "covariance must be symmetric"),
    (mi.Normal, {"covariance": mi.FactorCovariance(2, 2, alpha=1e200)}, "entries beyond double precision"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1, "mean": 0}, "mean must be a sequence of finite numbers, got 0"),
    (mi.Normal, {"covariance": GOOD, "dim_x": 1, "mean": None}, "mean must be a sequence of finite numbers, got None"),
    (mi.Student, {"dispersion": GOOD, "dof": 2, "dim_x": 1, "location": 1.0}, "location must be a sequence"),
    (mi.FactorCovariance, {"dim_x": 2, "dim_y": 10**6}, "dim_y must be at most 10000"),
    (mi.FactorCovariance, {"dim_x": 2, "dim_y": 2, "unit_variance": "no"}, "unit_variance must be True or False"),
    (mi.Noise, {"dim_x": 3 * 10**8, "dim_y": 1}, "dim_x must be at most 10000"),
    (mi.Noise, {"dim_x": 1, "dim_y": 1, "dof": np.array([1.0, 2.0])}, "dof must be a number > 0, or inf for normal"),
    (mi.Product, {"parts": (mi.Noise(9000, 1),) * 2}, "the parts' dim_x, together must be at most 10000"),
    (mi.Discrete, {"table": 3}, "table must be a matrix of finite numbers, got 3"),
    (mi.Affine, {"matrix": ((1.0,),), "shift": 1.0}, "shift must be a sequence"),
    (mi.Affine, {"matrix": ((1.0, 1.0), (1.0, 1.0 + 1e-9))}, "matrix must be invertible"),
    (mi.Spiral, {"speed": 1.0, "generator": 1}, "generator must be a square matrix"),
    (mi.MixtureQuantile, {"weights": (1.0,), "means": (0.0,), "deviations": None}, "deviations must be a sequence"),
    (mi.Noise, {"dim_x": 0, "dim_y": 0}, "must not both be 0"),
    (mi.Noise, {"dim_x": 1, "dim_y": -1}, "dim_y must be a whole number >= 0"),
    (mi.Noise, {"dim_x": 1, "dim_y": 1, "dof": 0.01}, "dof must be at least 0.05"),
    (mi.Noise, {"dim_x": 1, "dim_y": 1, "dof": NAN}, "dof must be"),
    (mi.Product, {"parts": ()}, "parts must have at least 1 part, got 0"),
    (mi.Product, {"parts": mi.AdditiveNoise(1.0)}, "parts must be a sequence of Distributions, got AdditiveNoise"),
    (mi.Product, {"parts": (mi.NormalCDF(),)}, r"parts\[0\] must be a Distribution, got NormalCDF"),
    (mi.Independent, {"x_of": mi.AdditiveNoise(1.0), "y_of": 3}, "y_of must be a Distribution, got 3"),
    (mi.Mixture, {"parts": (mi.AdditiveNoise(1.0),) * 2, "weights": (0.5, 0.6)}, "sum to 1, got .* with sum 1.1"),
    (mi.Mixture, {"parts": (mi.AdditiveNoise(1.0),) * 2, "weights": (1.5, -0.5)}, "weights must be numbers > 0"),
    (mi.Mixture, {"parts": (mi.AdditiveNoise(1.0),) * 2, "weights": (1.0,)}, "weights must have 2 entries, got 1"),
    (
        mi.Mixture,
        {"parts": (mi.AdditiveNoise(1.0), mi.Noise(2, 1)), "weights": (0.5, 0.5)},
        "parts must have the same dims",
    ),
    (mi.Labelled, {"parts": (mi.Noise(1, 2), mi.Noise(1, 1)), "weights": (0.5, 0.5)}, "parts must have the same dim_y"),
    (mi.Discrete, {"table": ((0.5, 0.2), (0.2, 0.2))}, "probabilities >= 0 that sum to 1, got a sum of 1.1"),
    (mi.Discrete, {"table": ((1.5, -0.5),)}, r"probabilities >= 0 that sum to 1, but entry \[0\]\[1\] is -0.5"),
    (mi.Discrete, {"table": ((0.5, 0.5), (-0.5, 0.5))}, r"entry \[1\]\[0\] is -0.5"),
    (mi.Discrete, {"table": ((),)}, "got a sum of 0"),
    (
        mi.Discrete,
        {"table": ((0.5, 0.0), (0.5,))},
        "table must be a matrix .* got rows of different lengths",
    ),
    (mi.Discrete, {"table": ()}, r"table must be a matrix of finite numbers, got \(\) \(tuple\)"),
    (mi.Pushed, {"base": mi.AdditiveNoise(1.0), "f": mi.AdditiveNoise(1.0)}, "f must be a Transform"),
    (mi.Pushed, {"base": mi.AdditiveNoise(1.0), "f": mi.Spiral(1.0)}, r"takes points of dimension 2 or more, got 1"),
    (mi.Pushed, {"base": mi.Noise(2, 1), "f": mi.SwissRoll()}, "SwissRoll takes points of dimension 1, got 2"),
    (mi.SignedPower, {"k": 0.0}, "k must be a finite number > 0"),
    (mi.SignedPower, {"k": NAN}, "k must be"),
    (mi.Scale, {"factor": 0.0}, "factor must be a finite number > 0"),
    (mi.Scale, {"shift": INF}, "shift must be a finite number"),
    (mi.Wiggly, {"waves": ((0.5, 2.0, 0.0),)}, r"sum \|a w\| < 1, or the map is not injective, got 1;"),
    (mi.Wiggly, {"waves": ((0.5, 1.0),)}, r"waves\[0\] must have 3 entries"),
    (mi.Wiggly, {"waves": ()}, "at least 1 part"),
    (mi.MixtureQuantile, {"weights": (0.5, 0.5), "means": (0.0,)}, "weights must have 1 entries, got 2"),
    (mi.MixtureQuantile, {"weights": (1.0,), "means": (0.0,), "deviations": (0.0,)}, "deviations must be numbers > 0"),
    (mi.MixtureQuantile, {"weights": (), "means": ()}, "numbers > 0 that sum to 1"),
    (mi.Affine, {"matrix": ((1.0, 2.0), (2.0, 4.0))}, "matrix must be invertible, but its singular values"),
    (mi.Affine, {"matrix": ((1.0, 2.0, 3.0), (2.0, 4.0, 5.0))}, "must be a square matrix"),
    (mi.Affine, {"matrix": ((1.0,),), "shift": (1.0, 2.0)}, "shift must have 1 entries"),
    (mi.Rotation, {"angle": INF}, "angle must be a finite number"),
    (mi.Rotation, {"angle": 1.0, "plane": (0, 0)}, "plane must be two different axes"),
    (mi.Rotation, {"angle": 1.0, "plane": (0, -1)}, "an axis of plane must be a whole number >= 0"),
    (mi.Rotation, {"angle": 1.0, "plane": (0, 1, 2)}, r"plane must be two axes, such as \(0, 1\)"),
    (mi.Rotation, {"angle": 1.0, "plane": 3}, "plane must be a sequence"),
    (mi.Spiral, {"speed": NAN}, "speed must be a finite number"),
    (mi.Spiral, {"speed": -1e6}, "must be between -10000 and 10000, beyond which rounding .* got -1e\\+06"),
    (mi.Spiral, {"speed": 200.0, "generator": ((0.0, 100.0), (-100.0, 0.0))}, "largest entry .* got 20000"),
    (mi.Spiral, {"speed": 1.0, "generator": ((0.0, 1.0), (1.0, 0.0))}, "generator must be skew-symmetric"),
    (mi.Spiral, {"speed": 1.0, "generator": ((1.0, 1.0), (-1.0, 0.0))}, "generator must be skew-symmetric"),
    (
        mi.Spiral,
        {"speed": 1.0, "plane": (1, 2), "generator": ((0.0, 1.0), (-1.0, 0.0))},
        "a plane or a generator, not both",
    ),
    (mi.Chain, {"parts": ()}, "parts must have at least 1 part"),
    (mi.Chain, {"parts": (mi.Asinh(), mi.AdditiveNoise(1.0))}, r"parts\[1\] must be a Transform"),
    (mi.Axes, {"parts": (mi.Spiral(1.0),)}, "takes points of dimension 2 or more"),
]


@pytest.mark.parametrize(("kind", "fields", "message"), REFUSED)
def test_out_of_range(kind: type, fields: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidInput, match=message) as caught:
        kind(**fields)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("make", [mi.dense, mi.sparse])
@pytest.mark.parametrize("correlation", [1.0, -0.1, NAN, 2.0])
def test_correlations_of_the_corners(make: object, correlation: float) -> None:
    with pytest.raises(ParameterError, match=r"correlation must be a number in \[0, 1\)"):
        make(2, 2, correlation=correlation)


@pytest.mark.parametrize("correlation", [1.0, -1.0, NAN, "0.5"])
def test_correlation_of_two(correlation: object) -> None:
    with pytest.raises(ParameterError, match=r"correlation must be a number in \(-1, 1\)"):
        mi.bivariate(correlation)


def test_a_family_without_noise_is_singular() -> None:
    family = mi.FactorCovariance(2, 2, alpha=1.0, epsilon_x=0.0, epsilon_y=0.0)
    with pytest.raises(ParameterError, match="positive definite"):
        mi.Normal(family)
    with pytest.raises(ParameterError, match="no variance"):
        mi.Normal(mi.FactorCovariance(2, 2, epsilon_x=0.0, unit_variance=True))


def test_parts_without_a_density_cannot_be_mixed() -> None:
    rolled = mi.Pushed(mi.AdditiveNoise(0.1), f=mi.SwissRoll())
    with pytest.raises(errors.NotAvailable, match="SwissRoll has no Jacobian determinant"):
        mi.Mixture((rolled, rolled), weights=(0.5, 0.5))
    with pytest.raises(errors.NotAvailable, match="Discrete has no density"):
        mi.Mixture((mi.Discrete(((0.5, 0.5),)),) * 2, weights=(0.5, 0.5))


class Overflowing(mi.Distribution):
    """A distribution whose draws are infinite."""

    dim_x = dim_y = 1

    @property
    def mi(self) -> mi.Truth:
        """What it states."""
        return mi.Truth(0.0)

    def _draw(self, rng: np.random.Generator, n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return np.exp(1000.0 * rng.random((n, 1))), rng.random((n, 1)), np.zeros(n)


def test_draws_that_overflow_say_so() -> None:
    with pytest.raises(DrawFailed, match="left the range of double precision; choose parameters with lighter tails"):
        Overflowing().draw(np.random.default_rng(0), 1000)


def test_draws_where_a_map_would_merge_points_say_so() -> None:
    heavy = mi.Pushed(mi.Student(GOOD, dof=1.0, dim_x=1), mi.NormalCDF())
    with pytest.raises(InvalidInput, match="points would fall together; scale them down first"):
        heavy.draw(np.random.default_rng(0), 1000)


def test_arrays_lists_and_frames_are_the_same_parameter() -> None:
    import polars as pl

    frame = pl.DataFrame({"a": [1.0, 0.5], "b": [0.5, 1.0]})
    same = [GOOD, [[1, 0.5], [0.5, 1]], np.array(GOOD), np.array(GOOD, dtype=np.float32), frame]
    assert len({mi.Normal(c, dim_x=1) for c in same}) == 1


def test_given_arrays_are_not_kept() -> None:
    matrix = np.array(GOOD)
    normal = mi.Normal(matrix, dim_x=1)
    before = normal.mi
    matrix[0, 1] = matrix[1, 0] = 0.0
    assert mi.Normal(normal.covariance, dim_x=1).mi == before


def test_every_error_is_in_the_tree() -> None:
    assert errors.__doc__ is not None
    kinds = [c for c in vars(errors).values() if isinstance(c, type) and issubclass(c, Exception)]
    for kind in kinds:
        assert issubclass(kind, errors.MiBenchError)
        assert kind.__name__ in errors.__doc__
    for kind in (ParameterError, DimensionError, errors.DataError):
        assert issubclass(kind, InvalidInput)


def test_truths_are_floats_with_an_error() -> None:
    import copy
    import json
    import pickle

    truth = mi.Truth(0.25, 0.125)
    for again in (pickle.loads(pickle.dumps(truth)), copy.deepcopy(truth)):  # noqa: S301
        assert (again, again.error) == (0.25, 0.125)
    assert json.dumps(truth) == "0.25"
    assert truth + 1 == 1.25
    assert isinstance(truth, float)
    total = mi.Truth.total([truth, mi.Truth(1.0), mi.Truth(1.0, 0.3)])
    assert (total, total.error) == (2.25, 0.425)
    assert mi.Truth.total([]) == 0.0


def test_helpers_check_what_they_are_given() -> None:
    noise = mi.AdditiveNoise(0.5)
    for arguments, message in (
        ((noise, 0), "n must be a whole number >= 2, got 0"),
        ((noise, 2.5), "n must be a whole number >= 2"),
        ((noise, 10, -1), "seed must be a whole number >= 0"),
        ((noise, 10, None), "seed must be a whole number >= 0"),
        ((mi.TASKS[0], 10), "distribution must be a Distribution, got Task"),
    ):
        with pytest.raises(ParameterError, match=message):
            mi.mi_by_draws(*arguments)
    with pytest.raises(ParameterError, match="dim must be a whole number"):
        mi.plane_generator(2.5)
    for x, y in (([1.0], [2.0]), (np.zeros((2, 1)), np.zeros((3, 1))), (np.zeros(3), np.zeros(3))):
        with pytest.raises(errors.DataError, match="arrays of as many rows"):
            mi.fingerprint(x, y)
    with pytest.raises(errors.DataError, match="masked entries"):
        noise.pmi(np.ma.array([[0.5]], mask=[[True]]), [[0.5]])
    with pytest.raises(DrawFailed, match="gigabytes and more; draw fewer"):
        noise.draw(np.random.default_rng(0), 10**18)


def test_names_cannot_be_taken_over() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Asinh(mi.Transform):
        """Not ours."""

    with pytest.raises(ParameterError, match="the name Asinh is taken by mibench"):
        mi.register(Asinh)
    with pytest.raises(ParameterError, match="only a frozen dataclass can be registered, and <class 'int'> is none"):
        mi.register(int)
    assert mi.spell(mi.Asinh()) == "Asinh()"


def test_large_families_are_factored_only_when_used() -> None:
    assert mi.parse("Normal(FactorCovariance(4000, 4000))").dim_y == 4000


def test_nothing_warns_at_the_ends_of_double_precision() -> None:
    for distribution in (mi.Normal(GOOD, dim_x=1), mi.AdditiveNoise(0.5), mi.Discrete(((1.0,),)), mi.Noise(1, 1)):
        distribution.pmi([[1e308], [1e200]], [[-1e308], [1e200]])
    with pytest.raises(DrawFailed):
        mi.Spiral(1.0).forward([[1e200, 1.0]])
    with pytest.raises(DrawFailed):
        mi.SignedPower(3.0).forward([1e300])
    assert not mi.SignedPower(0.2).in_image([1e100]).any()


def test_tables_of_independent_variables_have_no_mi() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        p, q = rng.dirichlet(np.ones(3)), rng.dirichlet(np.ones(2))
        assert 0.0 <= mi.Discrete(np.outer(p, q)).mi < 1e-15
