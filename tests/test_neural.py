"""Variational estimators: known truths, bounds, seeds, what they say of a training, memory, critics of one's own."""

from __future__ import annotations

import itertools
import math
import tracemalloc
from dataclasses import dataclass, replace

import numpy as np
import pytest

import mibench as mi
from mibench import progress
from mibench.errors import DataError, DimensionError, EstimateFailed, ParameterError
from mibench.estimators.neural.diagnostics import diagnose
from mibench.estimators.neural.training import Adam, History

PAPER = (mi.DonskerVaradhan(), mi.MINE(), mi.InfoNCE(), mi.NWJ())
EVERY = (*PAPER, mi.SMILE(), mi.FDIME(), mi.InfoNCEAnchor())
QUICK = mi.InfoNCE(critic=mi.Bilinear(), steps=60, test_every=20, learning_rate=0.01)


def _name(thing: object) -> str:
    return type(thing).__name__


def _pairs_of(dim: int, nats: float, k: int) -> mi.Task:
    """A normal distribution of dim + dim coordinates, whose first k pairs have so much MI together."""
    correlation = math.sqrt(1.0 - math.exp(-2.0 * nats / k))
    return mi.Task("pairs", mi.Normal(mi.sparse(dim, dim, K=k, correlation=correlation)))


GAUSSIANS = {
    "1x1 0.4": mi.task("1v1-normal-0.75"),
    "1x1 1": _pairs_of(1, 1.0, 1),
    "1x1 2": _pairs_of(1, 2.0, 1),
    "3x3 0.4": mi.task("multinormal-dense-3-3-0.5"),
    "3x3 1": _pairs_of(3, 1.0, 2),
    "3x3 2": _pairs_of(3, 2.0, 1),
    "5x5 0.6": mi.task("multinormal-dense-5-5-0.5"),
    "5x5 1": _pairs_of(5, 1.0, 2),
    "5x5 2": _pairs_of(5, 2.0, 1),
}


@pytest.mark.parametrize("name", GAUSSIANS)
@pytest.mark.parametrize("estimator", PAPER, ids=_name)
def test_near_the_truth_of_normal_variables(estimator: mi.NeuralEstimator, name: str) -> None:
    task = GAUSSIANS[name]
    draws = task.draw(10_000, 0)
    seeds = range(3) if isinstance(estimator, mi.MINE) else range(1)  # it varies more, and takes a tenth of the time
    found = float(np.mean([replace(estimator, seed=s).estimate(draws.x, draws.y).mi for s in seeds]))
    assert found == pytest.approx(task.mi, abs=0.1)
    # They are lower bounds, of a sample: half of the points, whose mean pointwise MI varies.
    assert found < task.mi + 4.0 * float(draws.pmi.std()) / math.sqrt(5000)


@pytest.mark.parametrize("name", ["1x1 2", "3x3 1", "5x5 0.6"])
@pytest.mark.parametrize("estimator", EVERY[len(PAPER) :], ids=_name)
def test_the_others_are_near_as_well(estimator: mi.NeuralEstimator, name: str) -> None:
    draws = GAUSSIANS[name].draw(10_000, 0)
    assert estimator.estimate(draws.x, draws.y).mi == pytest.approx(GAUSSIANS[name].mi, abs=0.1)


@pytest.mark.parametrize("estimator", EVERY, ids=_name)
def test_independent_variables_have_none(estimator: mi.NeuralEstimator) -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 6000))
    assert abs(estimator.estimate(x, y).mi) < 0.03


@pytest.mark.parametrize("estimator", [mi.MINE(), mi.InfoNCE()], ids=_name)
def test_hardly_a_difference_which_is_x_and_in_which_order_points_come(estimator: mi.NeuralEstimator) -> None:
    draws = mi.task("1v1-bimodal-0.75").draw(6000, 0)
    order = np.random.default_rng(0).permutation(6000)
    found = estimator.estimate(draws.x, draws.y).mi
    assert estimator.estimate(draws.y, draws.x).mi == pytest.approx(found, abs=0.06)
    assert estimator.estimate(draws.x[order], draws.y[order]).mi == pytest.approx(found, abs=0.06)


@pytest.mark.parametrize("estimator", EVERY, ids=_name)
def test_scales_and_places_of_columns_make_no_difference(estimator: mi.NeuralEstimator) -> None:
    short = replace(estimator, steps=100, test_every=50)
    draws = mi.task("multinormal-dense-2-2-0.5").draw(2000, 0)
    found = short.estimate(draws.x, draws.y).mi
    assert short.estimate(2.0**600 * draws.x, 2.0**-700 * draws.y).mi == found
    assert short.estimate(draws.x + 1e3, 1e-3 * draws.y - 5.0).mi == pytest.approx(found, abs=0.02)


@pytest.mark.parametrize("estimator", EVERY, ids=_name)
def test_the_same_seed_gives_the_same_bits(estimator: mi.NeuralEstimator) -> None:
    draws = mi.task("1v1-normal-0.75").draw(3000, 0)
    short = replace(estimator, steps=150, test_every=50)
    first, again, other = (
        replace(short, seed=seed, n_jobs=jobs).estimate(draws.x, draws.y) for seed, jobs in ((3, 1), (3, 2), (4, 1))
    )
    assert first == again
    assert first.mi != other.mi


def test_infonce_is_at_most_the_logarithm_of_the_points_held_out() -> None:
    x = np.random.default_rng(0).normal(size=(200, 1))
    found = mi.InfoNCE().estimate(x, x).mi
    assert 2.0 < found <= math.log(100)


def test_the_estimate_is_the_best_test_value() -> None:
    draws = mi.task("1v1-normal-0.75").draw(4000, 0)
    for estimator in PAPER:
        found = estimator.estimate(draws.x, draws.y)
        curve = found.info["training_curve"]
        assert found.mi == max(point["test"] for point in curve)
        assert [point["step"] for point in curve] == list(range(250, found.info["steps"] + 1, 250))
        # Early stopping: the last two tests are not better than the best before.
        assert found.mi == max(point["test"] for point in curve[:-2])
        assert all(math.isfinite(point["train"]) for point in curve)
        assert not found.info["not_converged"]


def test_means_of_parameters_and_the_paper_without() -> None:
    task = _pairs_of(5, 1.0, 5)
    draws = task.draw(10_000, 0)
    for estimator in (mi.DonskerVaradhan(), mi.MINE()):
        with_mean, without = (replace(estimator, averaging=a).estimate(draws.x, draws.y).mi for a in (0.99, 0.0))
        assert without < with_mean < task.mi


# What is said of a training.


def _flags(train: list[float], test: list[float], *, stopped: bool = True, batch: int = 10, n: int = 100) -> list[str]:
    steps = len(train) // len(test)
    history = History(train, [(steps * (i + 1), value) for i, value in enumerate(test)], stopped)
    flags, words = diagnose(history, batch, n, max(test))
    assert len(words) == sum(flags.values())
    return [name for name, up in flags.items() if up]


def test_diagnostics() -> None:
    flat = [0.5] * 1000
    assert _flags(flat, [0.5, 0.5, 0.5]) == []
    assert _flags(flat, [0.5, 0.5], stopped=False) == ["not_converged"]
    assert _flags(list(np.linspace(0.0, 1.0, 1000)), [0.4, 0.6]) == ["still_increasing"]
    assert _flags([*flat, *[0.3] * 1000], [0.5, 0.4]) == ["training_fell"]
    assert _flags([*[0.4] * 500, *flat], [0.5, 0.4, 0.3]) == ["over_fitted"]
    assert _flags(flat, [0.5], n=19) == ["small_sample"]
    assert _flags(flat, [-0.06]) == ["below_zero"]
    noise = list(0.001 * np.random.default_rng(0).normal(size=1000))
    assert _flags(noise, [0.001, -0.002, -0.003]) == []


def test_a_training_that_is_cut_short_says_so() -> None:
    draws = mi.task("1v1-normal-0.75").draw(4000, 0)
    found = mi.InfoNCE(steps=100).estimate(draws.x, draws.y)
    assert found.info["not_converged"]
    assert "without early stopping; allow more steps" in found.warnings[0]


@dataclass(frozen=True)
class Dead(mi.Architecture):
    """A network whose last units are off, as no weight or bias of theirs is above 0: its score is a bias."""

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> mi.Critic:
        critic = mi.Concatenated().start(dim_x, dim_y, rng)
        critic.parameters = np.full_like(critic.parameters, -1.0)
        critic.parameters[-1] = 0.5
        return critic


def test_a_critic_that_has_died_is_spoken_of() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 2000))
    found = mi.NWJ(critic=Dead(), steps=500).estimate(x, y)
    assert found.mi == pytest.approx(0.0, abs=0.01)
    assert found.info["dead_critic"]
    assert any("the critic gives all pairs the same score" in said for said in found.warnings)


def test_over_fitting_is_spoken_of() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 300, 20))
    slow = mi.InfoNCE(critic=mi.Concatenated((64, 64)), learning_rate=0.003, batch=64, test_every=50)
    found = slow.estimate(x, y)
    assert found.info["over_fitted"]
    assert any("over-fitted" in said for said in found.warnings)


@pytest.mark.parametrize("n", [16, 40, 500, 900])
def test_samples_smaller_than_two_batches_are_spoken_of(n: int) -> None:
    draws = mi.task("1v1-normal-0.75").draw(n, 0)
    found = mi.MINE().estimate(draws.x, draws.y)
    assert math.isfinite(found.mi)
    assert any("points to train on are few for batches of 256" in said for said in found.warnings)
    with pytest.raises(DataError, match=r"InfoNCE.*needs at least 16 points"):
        mi.InfoNCE().estimate(draws.x[:15], draws.y[:15])


@dataclass(frozen=True)
class Broken(mi.Architecture):
    """Its scores are right for some steps, and then are not."""

    good: int = 5

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> mi.Critic:  # noqa: ARG002
        class Scores(mi.Critic):
            parameters = np.ones(1, np.float32)
            calls = 0

            def each_pair(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
                return self.parameters[0] * x[:, 0] * y[:, 0]

            def each_pair_gradient(self, x: np.ndarray, y: np.ndarray, slopes: np.ndarray) -> np.ndarray:
                self.calls += 1
                return np.array([np.sum(slopes * x[:, 0] * y[:, 0]) if self.calls <= good else math.nan], np.float32)

        good = self.good
        return Scores()


def test_a_training_that_diverges_is_no_number() -> None:
    x, y = np.random.default_rng(0).normal(size=(2, 1000))
    with pytest.raises(EstimateFailed, match="training diverged at step 6; lower learning_rate"):
        mi.NWJ(critic=Broken()).estimate(x, y)
    with pytest.raises(EstimateFailed, match="training diverged"):
        mi.NWJ(critic=mi.Bilinear(), learning_rate=1e38).estimate(x, y)
    for rate in (10.0, 1e6, 1e30):
        with pytest.raises(
            EstimateFailed, match=r"the best test value is -.* nats, and a constant critic would have 0"
        ):
            mi.NWJ(critic=mi.Bilinear(), learning_rate=rate).estimate(x, y)


def test_one_long_gradient_does_not_hold_all_steps_to_come() -> None:
    ways = {}
    for first in (1.0, 1e12):
        adam, parameters = Adam(0.1, size=3), np.zeros(3, np.float32)
        for step in range(200):
            parameters = adam.step(parameters, np.full(3, first if step == 20 else 1.0, np.float32))
        ways[first] = float(parameters.mean())
    assert ways[1.0] == pytest.approx(20.0, rel=1e-3)
    assert ways[1e12] > 15.0


# Memory.


@pytest.mark.parametrize("estimator", [mi.DonskerVaradhan(), mi.InfoNCE(), mi.FDIME(), mi.SMILE()], ids=_name)
def test_memory_is_bounded(estimator: mi.NeuralEstimator) -> None:
    # All pairs of 50 000 points held out are 10 GB in single precision.
    draws = mi.task("1v1-normal-0.75").draw(100_000, 0)
    short = replace(estimator, steps=1, critic=mi.Bilinear(), n_jobs=2)
    if not isinstance(estimator, mi.DonskerVaradhan):
        draws = mi.task("1v1-normal-0.75").draw(30_000, 0)
    tracemalloc.start()
    short.estimate(draws.x, draws.y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


# What a critic has learned.


def test_nwj_learns_pointwise_mi() -> None:
    for name in ("1v1-normal-0.75", "multinormal-sparse-2-2-2-2.0"):
        draws, fresh = (mi.task(name).draw(10_000, seed) for seed in (0, 1))
        trained = mi.NWJ().train(draws.x, draws.y)
        assert trained.offset == 1.0
        found = trained.pmi(fresh.x, fresh.y)
        assert found.shape == (10_000,)
        assert np.corrcoef(found, fresh.pmi)[0, 1] > 0.9
        assert found.mean() == pytest.approx(fresh.pmi.mean(), abs=0.1)


@pytest.mark.parametrize("estimator", EVERY, ids=_name)
def test_every_critic_is_a_function_of_points(estimator: mi.NeuralEstimator) -> None:
    draws, fresh = (mi.task("1v1-normal-0.75").draw(5000, seed) for seed in (0, 1))
    trained = estimator.train(100.0 * draws.x - 7.0, draws.y)
    assert trained.estimate == estimator.estimate(100.0 * draws.x - 7.0, draws.y)
    error = trained.pmi(100.0 * fresh.x - 7.0, fresh.y) - fresh.pmi
    assert np.sqrt(np.mean(error**2)) < 0.35


def test_points_must_be_of_the_same_columns() -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(500, 0)
    trained = QUICK.train(draws.x, draws.y)
    with pytest.raises(DimensionError, match="x must have 2 columns, as in training, got 1"):
        trained.pmi(draws.x[:, 0], draws.y)
    with pytest.raises(DataError, match="as many rows"):
        trained.pmi(draws.x[:5], draws.y)
    with pytest.raises(EstimateFailed, match=r"x has 1 constant column .*; drop it before training"):
        QUICK.train(np.column_stack([draws.x, np.ones(500)]), draws.y)
    with pytest.raises(EstimateFailed, match="x or y is constant"):
        QUICK.train(np.ones(500), draws.y)


# A critic of one's own.


@dataclass(frozen=True)
class Own(mi.Architecture):
    """The bilinear critic as a user would write it, from two methods."""

    def start(self, dim_x: int, dim_y: int, rng: np.random.Generator) -> mi.Critic:
        return _Own(mi.Bilinear().start(dim_x, dim_y, rng).parameters, (dim_x + 1, dim_y + 1))


class _Own(mi.Critic):
    def __init__(self, parameters: np.ndarray, shape: tuple[int, int]) -> None:
        self._matrix = parameters.reshape(shape).astype(np.float64)

    @property
    def parameters(self) -> np.ndarray:
        return self._matrix.ravel().astype(np.float32)

    @parameters.setter
    def parameters(self, value: np.ndarray) -> None:  # pyright: ignore[reportIncompatibleVariableOverride]
        self._matrix = value.reshape(self._matrix.shape).astype(np.float64)

    def each_pair(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        ones = (np.column_stack([v, np.ones(len(v))]) for v in (x, y))
        return np.einsum("ia,ib,ab->i", *ones, self._matrix)

    def each_pair_gradient(self, x: np.ndarray, y: np.ndarray, slopes: np.ndarray) -> np.ndarray:
        ones = (np.column_stack([v, np.ones(len(v))]) for v in (x, y))
        return np.einsum("i,ia,ib->ab", slopes, *ones).ravel()


@pytest.mark.parametrize("estimator", EVERY, ids=_name)
def test_a_critic_of_ones_own_takes_the_place_of_ours(estimator: mi.NeuralEstimator) -> None:
    draws = mi.task("multinormal-dense-2-2-0.5").draw(1200, 0)
    short = replace(estimator, steps=40, test_every=20, batch=64, learning_rate=0.01)
    ours, own = (replace(short, critic=c).estimate(draws.x, draws.y) for c in (mi.Bilinear(), Own()))
    assert own.mi == pytest.approx(ours.mi, abs=1e-4)
    assert own.info.keys() == ours.info.keys()


# Progress.


def test_a_training_tells_how_far_it_is() -> None:
    heard: list[tuple[str, int, int]] = []
    draws = mi.task("1v1-normal-0.75").draw(500, 0)
    with progress.heard_by(lambda *told: heard.append(told)):
        replace(QUICK, steps=200, test_every=100).estimate(draws.x, draws.y)
    assert [done for _, done, _ in heard[:-1]] == [50, 100, 150]
    assert heard[-1][1] == heard[-1][2]
    assert all(done < total for _, done, total in heard[:-1])
    assert heard[0][0] == "InfoNCE(critic=Bilinear(), steps=200, learning_rate=0.01, test_every=100)"
    assert "nats" in heard[-1][0]
    QUICK.estimate(draws.x, draws.y)  # to no one
    assert len(heard) == 4


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"critic": "M"}, "critic"),
        ({"steps": 0}, "steps must be a whole number >= 1, got 0"),
        ({"batch": 1}, "batch must be a whole number >= 2, got 1"),
        ({"learning_rate": 0.0}, "learning_rate must be a finite number > 0"),
        ({"learning_rate": math.nan}, "learning_rate must be a finite number > 0"),
        ({"test_every": 2.5}, "test_every must be a whole number"),
        ({"patience": 0}, "patience must be a whole number >= 1"),
        ({"train_share": 1.0}, "train_share must be a number between 0 and 1, got 1.0"),
        ({"train_share": 0.0}, "train_share must be a number between 0 and 1, got 0.0"),
        ({"averaging": 1.0}, "averaging must be a number from 0 to below 1, got 1.0"),
        ({"seed": -1}, "seed must be a whole number >= 0"),
        ({"n_jobs": 0}, "n_jobs must be a whole number >= 1, or -1"),
    ],
)
def test_bad_parameters_are_refused(fields: dict, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        mi.InfoNCE(**fields)


def test_parameters_of_objectives() -> None:
    for make in (
        lambda: mi.MINE(smoothing=1.0),
        lambda: mi.SMILE(clip=0.0),
        lambda: mi.FDIME(divergence="tv"),
        lambda: mi.InfoNCEAnchor(anchor=-1.0),
    ):
        with pytest.raises(ParameterError):
            make()


def test_spellings() -> None:
    assert mi.spell(mi.InfoNCE(n_jobs=2)) == "InfoNCE()"
    spelled = "NWJ(critic=Concatenated(hidden=(32, 16)), steps=500)"
    assert mi.spell(mi.parse(spelled)) == spelled
    assert mi.parse("InfoNCE(critic=Separable(hidden='L'))").critic == mi.Separable("L")
    pairs = itertools.combinations(EVERY, 2)
    assert all(a != b for a, b in pairs)
