"""Laws that every transform obeys."""

from __future__ import annotations

import numpy as np
import pytest
from zoo import TRANSFORMS

import mibench as mi
from mibench import identity
from mibench.errors import DataError, DimensionError, DrawFailed, NotAvailable
from mibench.transforms.base import AxisWise
from mibench.types import Array

EVERY = pytest.mark.parametrize(("transform", "points"), TRANSFORMS.values(), ids=TRANSFORMS.keys())


def test_every_transform_is_in_the_zoo() -> None:
    shown = {type(t).__name__ for t, _ in TRANSFORMS.values()}
    assert {n for n, c in identity.registered().items() if issubclass(c, mi.Transform)} == shown


@EVERY
def test_inverse_undoes_forward(transform: mi.Transform, points: Array) -> None:
    image = transform.forward(points)
    assert image.shape == (len(points), transform.dim_out(points.shape[1]))
    assert transform.dim_in(image.shape[1]) == points.shape[1]
    assert transform.in_image(image).all()
    np.testing.assert_allclose(transform.inverse(image), points, rtol=1e-9, atol=1e-9)


@EVERY
def test_distinct_points_stay_distinct(transform: mi.Transform, points: Array) -> None:
    assert len(np.unique(transform.forward(points), axis=0)) == len(np.unique(points, axis=0))


@EVERY
def test_input_is_left_alone_in_any_layout(transform: mi.Transform, points: Array) -> None:
    frozen = points.copy()
    frozen.flags.writeable = False
    image = transform.forward(frozen)
    np.testing.assert_array_equal(transform.forward(np.asfortranarray(points)), image)
    np.testing.assert_array_equal(transform.forward(points[::2]), image[::2])
    np.testing.assert_array_equal(transform.forward(np.repeat(points, 2, axis=1)[:, ::2]), image)


@EVERY
def test_spelling_gives_an_equal_object(transform: mi.Transform, points: Array) -> None:
    again = mi.parse(mi.spell(transform))
    assert again == transform
    assert hash(again) == hash(transform)
    assert again.forward(points[:5]).tobytes() == transform.forward(points[:5]).tobytes()


@EVERY
def test_jacobian_is_the_slope_of_differences(transform: mi.Transform, points: Array) -> None:
    at = points[:40]
    try:
        stated = transform.log_jacobian(at)
    except NotAvailable:
        assert transform.dim_out(at.shape[1]) != at.shape[1]
        return
    dim, step = at.shape[1], 1e-6
    jacobian = np.empty((len(at), dim, dim))
    for j in range(dim):
        shift = step * np.eye(dim)[j] * np.minimum(1.0, np.minimum(np.abs(at[:, j]), np.abs(1.0 - at[:, j])))[:, None]
        span = transform.forward(at + shift) - transform.forward(at - shift)
        jacobian[:, :, j] = span / (2.0 * shift[:, [j]])
    np.testing.assert_allclose(stated, np.linalg.slogdet(jacobian)[1], atol=2e-4)


@EVERY
def test_axis_wise_maps_increase(transform: mi.Transform, points: Array) -> None:
    if isinstance(transform, AxisWise):
        column = np.unique(points[:, 0])
        assert (np.diff(transform.forward(column)[:, 0]) > 0.0).all()


@EVERY
def test_bad_points_are_refused(transform: mi.Transform, points: Array) -> None:
    torn = points[:5].copy()
    torn[4, 0] = np.nan
    with pytest.raises(DataError, match=r"x has 1 row with a NaN or infinity \(row 4\)"):
        transform.forward(torn)
    with pytest.raises(DataError, match="dimensions"):
        transform.forward(points[None])
    with pytest.raises(DataError, match="real numbers"):
        transform.forward([["a", "b", "c"]])


@pytest.mark.parametrize("name", ["affine", "rotation", "spiral", "swiss roll", "axes", "spiral of any generator"])
def test_wrong_dimensions_are_refused(name: str) -> None:
    transform, _ = TRANSFORMS[name]
    with pytest.raises(DimensionError, match=type(transform).__name__):
        transform.forward(np.full((4, 2), 0.5) if name != "spiral" else np.full((4, 1), 0.5))
    with pytest.raises(DimensionError, match=type(transform).__name__):
        transform.inverse(np.full((4, 1), 0.5))


def test_what_is_outside_the_image_has_no_inverse() -> None:
    cases: list[tuple[mi.Transform, object]] = [
        (mi.NormalCDF(), [0.5, 1.0]),
        (mi.SwissRoll(), [[-0.449, 0.0], [0.0, 0.0]]),
        (mi.Asinh(), [0.0, 800.0]),
        (mi.NormalQuantile(), [0.0, 9.0]),
        (mi.Chain((mi.NormalCDF(), mi.Scale(2.0))), [1.0, 2.5]),
    ]
    for transform, image in cases:
        with pytest.raises(DataError, match=rf"outside the image of {type(transform).__name__}"):
            transform.inverse(image)


def test_values_outside_the_domain_are_refused() -> None:
    for transform in (mi.NormalQuantile(), mi.MixtureQuantile((0.5, 0.5), (0.0, 1.0))):
        for value in (0.0, 1.0, -0.1, 1.1):
            with pytest.raises(DataError, match=r"takes values in \(0, 1\)"):
                transform.forward([0.5, value])
    with pytest.raises(DataError, match=r"SwissRoll takes values in \[0, 1\]"):
        mi.SwissRoll().forward([1.1])
    with pytest.raises(DrawFailed, match="out of the range"):
        mi.SignedPower(3.0).forward([1e200])


def test_normal_cdf_keeps_far_tails_apart_or_refuses() -> None:
    transform = mi.NormalCDF()
    lower = np.linspace(-37.0, 5.0, 20_001)
    image = transform.forward(lower)[:, 0]
    assert (np.diff(image) > 0.0).all()
    # What a double near 1 can hold is 1.1e-16, so an inverse there is as good as that over the density.
    np.testing.assert_allclose(transform.inverse(image)[:, 0], lower, rtol=1e-12, atol=2e-10)
    sparse_upper = np.array([5.0, 6.0, 7.0, 8.0, 8.2])
    assert (np.diff(transform.forward(sparse_upper)[:, 0]) > 0.0).all()
    with pytest.raises(DataError, match="too near 1 for double precision to keep them apart; scale them down"):
        transform.forward([0.0, 7.5, 7.5001])
    assert len(transform.forward([7.5, 7.5])) == 2  # equal points may have equal images
    for value in (8.4, 1e10, -39.0):
        with pytest.raises(DataError, match="is 0 or 1 in double precision, so points would fall together"):
            transform.forward([0.0, value])


def test_normal_quantile_reaches_the_smallest_doubles() -> None:
    image = mi.NormalQuantile().forward([5e-324, 1e-300, 1.0 - 2.0**-53])[:, 0]
    np.testing.assert_allclose(image, [-38.4674056172735, -37.0470964, 8.209536151601387], rtol=1e-7)


def test_spiral_keeps_lengths_and_agrees_with_the_matrix_exponential() -> None:
    from scipy.linalg import expm

    for name in ("spiral", "spiral other plane", "spiral of any generator"):
        spiral, points = TRANSFORMS[name]
        assert isinstance(spiral, mi.Spiral)
        generator = np.array(spiral.generator if len(spiral.generator) else mi.plane_generator(3, spiral.plane))
        image = spiral.forward(points[:50])
        np.testing.assert_allclose((image**2).sum(axis=1), (points[:50] ** 2).sum(axis=1), rtol=1e-12)
        for before, after in zip(points[:50], image, strict=True):
            np.testing.assert_allclose(after, expm(spiral.speed * (before @ before) * generator) @ before, atol=1e-11)


def test_a_generator_that_is_a_plane_is_the_plane() -> None:
    points = TRANSFORMS["spiral"][1]
    by_plane = mi.Spiral(0.4, plane=(1, 2))
    by_matrix = mi.Spiral(0.4, generator=mi.plane_generator(3, (1, 2)))
    np.testing.assert_array_equal(by_plane.forward(points), by_matrix.forward(points))


def test_mixture_quantile_is_accurate_to_the_last_tail() -> None:
    import mpmath

    weights, means, deviations = (0.3, 0.7), (0.0, 5.0), (1.0, 0.5)
    u = np.concatenate(
        [10.0 ** np.arange(-300, -1, 13.0), np.linspace(0.01, 0.99, 99), 1.0 - 2.0 ** -np.arange(7, 53.0)]
    )
    t = mi.MixtureQuantile(weights, means, deviations).forward(u)[:, 0]
    with mpmath.workdps(40):
        parts = [(mpmath.mpf(w), m, d) for w, m, d in zip(("0.3", "0.7"), means, deviations, strict=True)]
        for value, at in zip(u, map(mpmath.mpf, t), strict=True):
            density = mpmath.fsum(w * mpmath.npdf(at, m, d) for w, m, d in parts)
            if value < 0.5:
                miss = mpmath.fsum(w * mpmath.ncdf((at - m) / d) for w, m, d in parts) - mpmath.mpf(value)
            else:
                miss = 1 - mpmath.mpf(value) - mpmath.fsum(w * mpmath.ncdf((m - at) / d) for w, m, d in parts)
            assert abs(miss / density) < 1e-10 * max(1.0, abs(float(at)))


def _draws(n: int) -> Array:
    return np.random.default_rng(0).normal(size=(n, 2))


@pytest.mark.parametrize(
    ("transform", "points"),
    [
        (mi.HalfCube(), np.array([1e-250])),
        (mi.HalfCube(), np.array([[1.0, 2.0], [3.0, -1e-206]])),
        (mi.SignedPower(100.0), np.array([0.5, 6e-4])),
        (mi.SignedPower(300.0), _draws(1000) / 5.0),
        (mi.Scale(factor=1e-320), _draws(3)),
        (mi.Scale(factor=0.5), np.array([5e-324])),
        (mi.Chain((mi.Asinh(), mi.SignedPower(200.0))), np.array([1e-3])),
        (mi.Axes((mi.Identity(), mi.SignedPower(200.0))), np.array([[1e-3, 1e-3]])),
    ],
)
def test_underflow_is_refused(transform: mi.Transform, points: Array) -> None:
    with pytest.raises(
        DrawFailed, match=r"too near to 0 for double precision .* choose a milder map, or scale points up"
    ):
        transform.forward(points)


@pytest.mark.parametrize(
    "transform",
    [
        mi.SignedPower(1e-17),
        mi.Scale(shift=1e17),
        mi.Scale(factor=1e-320, shift=1.0),
        mi.Chain((mi.NormalCDF(), mi.MixtureQuantile((1.0,), (1e10,), (1e-9,)))),
        mi.Wiggly(((1e17, 1e-18, 1.0),)),
    ],
)
def test_values_that_fall_together_are_refused(transform: mi.Transform) -> None:
    with pytest.raises(DrawFailed, match="values the image of another, as double precision has no room between"):
        transform.forward(_draws(1000))


def test_equal_values_may_have_equal_images() -> None:
    faces = np.random.default_rng(0).integers(-3, 4, size=(1000, 2))
    for transform in (mi.HalfCube(), mi.SignedPower(0.3), mi.Asinh(), mi.Scale(2.0, 6.0), mi.WIGGLY_X, mi.NormalCDF()):
        assert len(np.unique(transform.forward(faces), axis=0)) == 49
    assert mi.Scale(shift=-1.0).forward([1.0, 0.0, 1.0]).ravel().tolist() == [0.0, -1.0, 0.0]
    assert mi.HalfCube().forward([0.0, -0.0, 1e-200]).ravel()[2] == pytest.approx(1e-300)
    assert mi.Asinh().forward([1e-310])[0, 0] == 1e-310
    assert mi.NormalCDF().forward([-38.0, -38.1]).min() > 0.0


def test_as_many_as_rounding_makes_equal_may_be() -> None:
    points = np.linspace(1.0, 2.0, 1_000_001)
    points[1] = points[0] + 2.0**-52
    assert len(np.unique(mi.SignedPower(0.5).forward(points))) == 1_000_000
    with pytest.raises(DrawFailed, match="SignedPower gave 1 of 1000 values the image of another"):
        mi.SignedPower(0.5).forward(points[:1000])


def test_slopes_are_told_where_images_fall_together() -> None:
    chain = mi.Chain((mi.Scale(shift=1e17), mi.Asinh()))
    np.testing.assert_allclose(chain.log_jacobian([[0.0], [1.0]]), -np.log(1e17), rtol=1e-12)


@pytest.mark.parametrize("speed", [1.0, 1e4])
def test_spirals_can_be_undone_at_every_speed(speed: float) -> None:
    points = np.random.default_rng(0).normal(size=(20_000, 3))
    points *= np.minimum(1.0, 5.0 / np.linalg.norm(points, axis=1, keepdims=True))
    spiral = mi.Spiral(speed)
    np.testing.assert_allclose(spiral.inverse(spiral.forward(points)), points, rtol=0.0, atol=1e-9)
