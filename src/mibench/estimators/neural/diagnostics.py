"""What the course of a training says against its result: the heuristics behind the paper's count of suspicious runs."""

from __future__ import annotations

import numpy as np

from mibench.estimators.neural.training import History

_PART = 0.1  # of the steps make up a window over which batch values are averaged
_CHANGE = 0.05  # a part of a value by which it must change to be said to have changed
_LEAST = 0.01  # nats, below which a change is chance
_BELOW = 0.05

_WORDS = {
    "not_converged": "training went on to its last step, {steps}, without early stopping; allow more steps",
    "still_increasing": "the training value was still increasing, from {before:.3f} to {final:.3f}; be more patient",
    "training_fell": "the training value fell from {highest:.3f} to {final:.3f}; lower learning_rate",
    "over_fitted": (
        "over-fitted: test values fell from {best:.3g} to {last:.3g}, and the training value is {final:.3f}; take more "
        "points, or fewer units"
    ),
    "below_zero": "the estimate is {found:.3f}, where a constant critic has 0; lower learning_rate, or gaussianise",
    "dead_critic": "the critic gives all pairs the same score, as units of it are off everywhere; try another seed",
    "small_sample": "{trained_on} points to train on are few for batches of {batch}",
}


def diagnose(
    history: History, batch: int, trained_on: int, found: float, *, dead: bool = False
) -> tuple[dict[str, bool], tuple[str, ...]]:
    """Flags for a program, and a sentence for a person about each that is up.

    >>> rising = History(train=[0.01 * step for step in range(100)], test=[(50, 0.3), (100, 0.6)])
    >>> flags, words = diagnose(rising, batch=256, trained_on=5000, found=0.6)
    >>> [name for name, up in flags.items() if up]
    ['not_converged', 'still_increasing']
    """
    smooth = _smooth(np.array(history.train))
    window = len(history.train) - len(smooth) + 1
    final, highest, before = (float(v) for v in (smooth[-1], smooth.max(), smooth[max(0, len(smooth) - 1 - window)]))
    last, best = history.test[-1][1], max(value for _, value in history.test)
    held = highest - final <= _much(highest)
    flags = {
        "not_converged": not history.stopped_early,
        "still_increasing": final - before > _much(before) and len(smooth) > window,
        "training_fell": not held,
        "over_fitted": held and best - last > _much(best) and final - last > _much(final),
        "below_zero": found < -_BELOW,
        "dead_critic": dead,
        "small_sample": trained_on < 2 * batch,
    }
    numbers = {"steps": len(history.train), "before": before, "final": final, "highest": highest, "best": best}
    numbers |= {"last": last, "found": found, "trained_on": trained_on, "batch": batch}
    return flags, tuple(_WORDS[name].format(**numbers) for name, up in flags.items() if up)


def _much(value: float) -> float:
    return max(_LEAST, _CHANGE * abs(value))


def _smooth(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    window = max(1, int(_PART * len(values)))
    sums = np.concatenate([[0.0], np.cumsum(values)])
    return (sums[window:] - sums[:-window]) / window
