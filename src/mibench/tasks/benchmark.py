"""The forty tasks of Beyond Normal (Section 3), composed from distributions and transforms."""

from __future__ import annotations

import numpy as np

from mibench.distributions.additive_noise import AdditiveNoise
from mibench.distributions.covariance import bivariate, dense, sparse
from mibench.distributions.normal import Normal
from mibench.distributions.pushed import Pushed
from mibench.distributions.student import Student
from mibench.tasks.task import Task
from mibench.transforms.axiswise import WIGGLY_X, WIGGLY_Y, Asinh, HalfCube
from mibench.transforms.base import Transform
from mibench.transforms.compose import Chain
from mibench.transforms.spiral import Spiral
from mibench.transforms.swiss_roll import SwissRoll
from mibench.transforms.unit_interval import MixtureQuantile, NormalCDF

ONE, EMBEDDING, NORMAL, STUDENT, TRANSFORMED = "one-dimensional", "embedding", "multinormal", "student", "transformed"
GROUPS = (ONE, EMBEDDING, NORMAL, STUDENT, TRANSFORMED)

# Beyond Normal, Appendix D, "Bimodal Variables".
_BIMODAL_X = MixtureQuantile(weights=(0.3, 0.7), means=(0.0, 5.0))
_BIMODAL_Y = MixtureQuantile(weights=(0.5, 0.5), means=(-1.0, 3.0))


def _pushed(base: Task, prefix: str, label: str, f: Transform, g: Transform, group: str) -> Task:
    name = f"{label} @ {base.name}" if label else base.name
    return Task(f"{prefix}-{base.id}", Pushed(base.distribution, f, g), name, group)


def _same(base: Task, prefix: str, label: str, f: Transform, group: str) -> Task:
    return _pushed(base, prefix, label, f, f, group)


def _spiral(base: Task) -> Task:
    """Spirals in the first two axes of X and in the second and third of Y, with speeds 1/m and 1/n."""
    f, g = Spiral(1.0 / base.dim_x, plane=(0, 1)), Spiral(1.0 / base.dim_y, plane=(1, 2))
    if isinstance(base.distribution, Pushed):  # one map after another, rather than a push of a push
        inner = base.distribution
        pushed = Pushed(inner.base, Chain((inner.f, f)), Chain((inner.g, g)))
        return Task(f"spiral-{base.id}", pushed, f"Spiral @ {base.name}", TRANSFORMED)
    return _pushed(base, "spiral", "Spiral", f, g, TRANSFORMED)


def _one_dimensional() -> list[Task]:
    normal = Task("1v1-normal-0.75", Normal(bivariate(0.75), dim_x=1), "Bivariate normal 1 × 1", ONE)
    uniform = _same(normal, "normal_cdf", "Normal CDF", NormalCDF(), ONE)
    bimodal = Pushed(normal.distribution, *(Chain((NormalCDF(), q)) for q in (_BIMODAL_X, _BIMODAL_Y)))
    student = _student(1, 1, 1, ONE)
    return [
        normal,
        uniform,
        *(Task(f"1v1-additive-{e}", AdditiveNoise(e), f"Uniform 1 × 1 (additive noise={e})", ONE) for e in (0.1, 0.75)),
        Task("1v1-bimodal-0.75", bimodal, "Bimodal 1 × 1", ONE),
        _pushed(normal, "wiggly", "Wiggly", WIGGLY_X, WIGGLY_Y, ONE),
        _same(normal, "half_cube", "Half-cube", HalfCube(), ONE),
        student,
        _same(student, "asinh", "Asinh", Asinh(), ONE),
    ]


def _embedding(normal: Task) -> Task:
    rolled = Pushed(normal.distribution, Chain((NormalCDF(), SwissRoll())), NormalCDF())
    return Task(f"swissroll_x-normal_cdf-{normal.id}", rolled, "Swiss roll 2 × 1", EMBEDDING)


def _dense(dim: int) -> Task:
    name = f"Multinormal {dim} × {dim} (dense)"
    return Task(f"multinormal-dense-{dim}-{dim}-0.5", Normal(dense(dim, dim, 0.5)), name, NORMAL)


def _sparse(dim: int) -> Task:
    """Two pairs with correlation 0.8: in the id, the weight 2.0 of a pair's factor beside noise of weight 1."""
    name = f"Multinormal {dim} × {dim} (2-pair)"
    return Task(f"multinormal-sparse-{dim}-{dim}-2-2.0", Normal(sparse(dim, dim, K=2, correlation=0.8)), name, NORMAL)


def _student(dim_x: int, dim_y: int, dof: int, group: str = STUDENT) -> Task:
    distribution = Student(np.eye(dim_x + dim_y), dof=dof, dim_x=dim_x)
    name = f"Student-t {dim_x} × {dim_y} (dof={dof})"
    return Task(f"student-identity-{dim_x}-{dim_y}-{dof}", distribution, name, group)


def _forty() -> tuple[Task, ...]:
    one = _one_dimensional()
    pairs = [_sparse(d) for d in (2, 3, 5, 25)]
    students = [_student(d, d, dof) for d, dof in ((2, 1), (2, 2), (3, 2), (3, 3), (5, 2), (5, 3))]
    larger = pairs[1:]
    uniform = [_same(t, "normal_cdf", "Normal CDF", NormalCDF(), TRANSFORMED) for t in larger]
    tailed = [students[0], students[2], students[4]]
    return (
        *one,
        _embedding(one[0]),
        *(_dense(d) for d in (2, 3, 5, 25, 50)),
        *pairs,
        *students,
        *uniform,
        *(_same(t, "half_cube", "Half-cube", HalfCube(), TRANSFORMED) for t in larger),
        *(_spiral(t) for t in larger),
        *(_spiral(t) for t in uniform),
        *(_same(t, "asinh", "Asinh", Asinh(), TRANSFORMED) for t in tailed),
    )


TASKS: tuple[Task, ...] = _forty()
