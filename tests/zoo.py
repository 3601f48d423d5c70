"""One or more examples of every distribution and transform: a law is a test over all of these."""

from __future__ import annotations

import numpy as np

import mibench as mi

_RNG = np.random.default_rng(20)
_LOADINGS = _RNG.normal(size=(5, 5))
COVARIANCE = _LOADINGS @ _LOADINGS.T + 0.5 * np.eye(5)

NORMAL_1X1 = mi.Normal(mi.bivariate(0.75), dim_x=1)
CAUCHY_1X1 = mi.Student(np.eye(2), dof=1.0, dim_x=1)
TWO_NORMALS = mi.Mixture(
    (mi.Normal(mi.bivariate(0.6), dim_x=1, mean=(-1.5, -1.0)), mi.Normal(mi.bivariate(-0.5), dim_x=1, mean=(1.0, 2.0))),
    weights=(0.3, 0.7),
)
TWO_STUDENTS = mi.Mixture(
    (
        mi.Student(mi.bivariate(0.8), dof=3.0, dim_x=1, location=(0.0, 2.0)),
        mi.Student(mi.bivariate(0.0), dof=5.5, dim_x=1, location=(1.0, -2.0)),
    ),
    weights=(0.5, 0.5),
)

DISTRIBUTIONS: dict[str, mi.Distribution] = {
    "normal": NORMAL_1X1,
    "normal any covariance": mi.Normal(COVARIANCE, dim_x=2, mean=(1.0, -2.0, 3.0, 0.0, 5.0)),
    "normal dense": mi.Normal(mi.dense(3, 2, correlation=0.4)),
    "normal sparse": mi.Normal(mi.sparse(2, 4, K=2, correlation=0.8)),
    "normal factors": mi.Normal(
        mi.FactorCovariance(
            3,
            4,
            K=2,
            alpha=0.4,
            beta_x=-0.7,
            beta_y=0.3,
            lambda_=1.5,
            epsilon_x=0.8,
            epsilon_y=1.1,
            eta_x=2.0,
            eta_y=0.1,
        )
    ),
    "student 1": CAUCHY_1X1,
    "student 2.5": mi.Student(COVARIANCE, dof=2.5, dim_x=3, location=(1.0, 2.0, 3.0, 4.0, 5.0)),
    "student 0.4": mi.Student(mi.bivariate(0.3), dof=0.4, dim_x=1),
    "student 1e6": mi.Student(mi.sparse(2, 2), dof=1e6),
    "additive noise": mi.AdditiveNoise(0.1),
    "additive noise small": mi.AdditiveNoise(0.01),
    "additive noise 0.5": mi.AdditiveNoise(0.5),
    "additive noise wide": mi.AdditiveNoise(2.0),
    "noise": mi.Noise(2, 1),
    "noise heavy": mi.Noise(1, 2, dof=1.5),
    "independent": mi.Independent(x_of=CAUCHY_1X1, y_of=mi.AdditiveNoise(0.2)),
    "product": mi.Product((NORMAL_1X1, mi.Noise(dim_x=2, dim_y=0), CAUCHY_1X1)),
    "mixture of normals": TWO_NORMALS,
    "mixture of students": TWO_STUDENTS,
    "mixture of pushed": mi.Mixture(
        (
            mi.Pushed(NORMAL_1X1, mi.NormalCDF(), mi.Scale(2.0, 1.0)),
            mi.Pushed(mi.Noise(1, 1), mi.WIGGLY_X, mi.Asinh()),
        ),
        weights=(0.5, 0.5),
    ),
    "labelled": mi.Labelled((mi.Noise(1, 2), mi.Normal(np.eye(3), dim_x=1, mean=(0.0, 1.5, 0.5))), weights=(0.4, 0.6)),
    "discrete": mi.Discrete(((0.2, 0.1, 0.0), (0.05, 0.15, 0.5))),
    "pushed": mi.Pushed(
        mi.Normal(mi.sparse(3, 2)), mi.Chain((mi.HalfCube(), mi.Spiral(0.5, plane=(0, 2)))), mi.WIGGLY_Y
    ),
    "mixture far off": mi.Mixture(
        (mi.Pushed(mi.AdditiveNoise(0.1), f=mi.MixtureQuantile((1.0,), (100.0,))), mi.Noise(1, 1)), weights=(0.5, 0.5)
    ),
    "pushed embedding": mi.Pushed(NORMAL_1X1, mi.Chain((mi.NormalCDF(), mi.SwissRoll())), mi.SignedPower(3.0)),
    "product of all sorts": mi.Product((TWO_NORMALS, mi.AdditiveNoise(0.3), mi.Discrete(((0.5, 0.0), (0.1, 0.4))))),
}

ESTIMATORS: dict[str, mi.Estimator] = {
    "CCA": mi.CCA(),
    "histogram": mi.Histogram(),
    "histogram of equal mass": mi.Histogram(bins=5, widths="mass", miller_madow=True),
    "plug-in": mi.PlugIn(),
    "adaptive partition": mi.AdaptivePartition(),
    "transfer operator": mi.TransferOperator(),
    "KDE": mi.KDE(),
    "KSG": mi.KSG(),
    "KSG of several k": mi.KSG(k=(3, 7), metric="euclidean", n_jobs=2),
    "KSG-2": mi.KSG2(k=5),
    "LNN": mi.LNN(),
    "mixed KSG": mi.MixedKSG(),
    "Ross": mi.Ross(),
    "KDE of Scott's rule": mi.KDE(bandwidth="scott", n_jobs=2),
    "preprocessed": mi.Preprocessed(mi.CCA(), "gaussianise"),
    # With few steps and quick critics: laws are about all but what they have learned.
    "Donsker-Varadhan": mi.DonskerVaradhan(critic=mi.Bilinear(), steps=60, test_every=20, learning_rate=0.01),
    "MINE": mi.MINE(steps=60, test_every=20, learning_rate=0.01, n_jobs=2),
    "InfoNCE": mi.InfoNCE(critic=mi.Separable("S", features=3), steps=60, test_every=20, learning_rate=0.01),
    "NWJ": mi.NWJ(steps=60, test_every=20, batch=32, learning_rate=0.01),
    "SMILE": mi.SMILE(critic=mi.Bilinear(), steps=60, test_every=20, clip=2.0, learning_rate=0.01),
    "f-DIME": mi.FDIME(divergence="hellinger", critic=mi.Bilinear(), steps=400, test_every=100, learning_rate=0.01),
    "InfoNCE with an anchor": mi.InfoNCEAnchor(critic=mi.Concatenated((8,)), steps=60, test_every=20, batch=64),
}

_NORMALS = _RNG.standard_normal((2000, 3))
_UNIT = _RNG.random((2000, 3))
_SKEW = np.triu(_RNG.normal(size=(3, 3)), 1)

# Each transform with points that it takes.
TRANSFORMS: dict[str, tuple[mi.Transform, np.ndarray]] = {
    "identity": (mi.Identity(), _NORMALS),
    "normal CDF": (mi.NormalCDF(), _NORMALS),
    "normal quantile": (mi.NormalQuantile(), _UNIT),
    "half-cube": (mi.HalfCube(), _NORMALS),
    "signed power 3": (mi.SignedPower(3.0), _NORMALS),
    "signed power 0.3": (mi.SignedPower(0.3), _NORMALS),
    "signed power 1": (mi.SignedPower(1.0), _NORMALS),
    "asinh": (mi.Asinh(), 10.0 * _NORMALS),
    "scale": (mi.Scale(0.2, -3.0), _NORMALS),
    "wiggly x": (mi.WIGGLY_X, _NORMALS),
    "wiggly y": (mi.WIGGLY_Y, 5.0 * _NORMALS),
    "wiggly steep": (mi.Wiggly(((0.5, 1.9, 0.2), (-0.004, 10.0, 1.0))), _NORMALS),
    "bimodal": (mi.MixtureQuantile((0.3, 0.7), (0.0, 5.0)), _UNIT),
    "three modes": (mi.MixtureQuantile((0.1, 0.2, 0.7), (-4.0, 0.0, 9.0), (0.5, 1.0, 2.0)), _UNIT),
    "affine": (mi.Affine(COVARIANCE[:3, :3], shift=(1.0, 2.0, 3.0)), _NORMALS),
    "rotation": (mi.Rotation(angle=0.7, plane=(2, 0)), _NORMALS),
    "swiss roll": (mi.SwissRoll(), _UNIT[:, :1]),
    "spiral": (mi.Spiral(1 / 3), _NORMALS),
    "spiral other plane": (mi.Spiral(-2.0, plane=(2, 1)), _NORMALS),
    "spiral of planes": (mi.Spiral(0.5, generator=mi.plane_generator(3, (0, 2))), _NORMALS),
    "spiral of any generator": (mi.Spiral(0.5, generator=_SKEW - _SKEW.T), _NORMALS),
    "chain": (mi.Chain((mi.NormalCDF(), mi.Scale(3.0), mi.Spiral(0.2))), _NORMALS),
    "axes": (mi.Axes((mi.Asinh(), mi.Chain((mi.NormalCDF(), mi.SwissRoll())), mi.HalfCube())), _NORMALS),
    "axes of one to one": (mi.Axes((mi.Asinh(), mi.Scale(2.0), mi.HalfCube())), _NORMALS),
}
