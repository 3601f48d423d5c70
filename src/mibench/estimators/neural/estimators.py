"""Variational estimators of mutual information, by what their critics maximise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from mibench import checks
from mibench.estimators.neural.base import NeuralEstimator, part
from mibench.estimators.neural.objectives import (
    DonskerVaradhanBound,
    InfoNCEBound,
    MINEBound,
    NWJBound,
    Objective,
)
from mibench.estimators.neural.ratios import AnchoredInfoNCE, FDivergence, SMILEBound
from mibench.identity import register


@register
@dataclass(frozen=True)
class DonskerVaradhan(NeuralEstimator):
    """The bound of Donsker and Varadhan, mean f(x, y) - log mean exp f(x, y'), maximised over critics f.

    M. D. Donsker and S. R. S. Varadhan (1983); Beyond Normal, Appendix C, "Neural Estimators".

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(DonskerVaradhan().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    @property
    def objective(self) -> Objective:
        """The Donsker-Varadhan bound."""
        return DonskerVaradhanBound()


@register
@dataclass(frozen=True)
class MINE(NeuralEstimator):
    """The bound of Donsker and Varadhan by batches of single pairs and a corrected gradient.

    M. I. Belghazi et al., "Mutual information neural estimation" (2018), eq. 12. The gradient's denominator is a moving
    mean, of which each batch is a part 1 - `smoothing`. A step looks at 2 `batch` pairs in place of their square, and
    so does a test, of a million pairs apart: it is much faster than the others, and varies more.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(MINE().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    smoothing: float = 0.9

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.settle(self, smoothing=part("smoothing", self.smoothing))

    @property
    def objective(self) -> Objective:
        """The Donsker-Varadhan bound with MINE's gradient."""
        return MINEBound(self.smoothing)


@register
@dataclass(frozen=True)
class InfoNCE(NeuralEstimator):
    """The bound mean of f(x_i, y_i) - log mean_j exp f(x_i, y_j), maximised over critics f.

    A. van den Oord, Y. Li and O. Vinyals, "Representation learning with contrastive predictive coding" (2018). It never
    exceeds the logarithm of the number of held-out points.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(InfoNCE().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    @property
    def objective(self) -> Objective:
        """The InfoNCE bound."""
        return InfoNCEBound()


@register
@dataclass(frozen=True)
class NWJ(NeuralEstimator):
    """The bound mean f(x, y) - mean exp(f(x, y') - 1), maximised over critics f; the best f is pointwise MI + 1.

    X. Nguyen, M. J. Wainwright and M. I. Jordan, "Estimating divergence functionals and the likelihood ratio by convex
    risk minimization" (2010).

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(NWJ().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    @property
    def objective(self) -> Objective:
        """The NWJ bound."""
        return NWJBound()


@register
@dataclass(frozen=True)
class SMILE(NeuralEstimator):
    """A critic trained to tell pairs together from pairs apart, valued by a clipped Donsker-Varadhan bound.

    J. Song and S. Ermon, "Understanding the limitations of variational mutual information estimators" (2020). Scores of
    pairs apart are clipped to [-`clip`, `clip`], so the value varies less and is no longer a bound.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(SMILE().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    clip: float = 5.0

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.settle(self, clip=checks.positive("clip", self.clip))

    @property
    def objective(self) -> Objective:
        """The Jensen-Shannon objective with the clipped bound."""
        return SMILEBound(self.clip)


@register
@dataclass(frozen=True)
class FDIME(NeuralEstimator):
    """The mean score of pairs drawn together, by a critic that maximises the variational form of an f-divergence.

    N. A. Letizia, N. Novello and A. M. Tonello, "Mutual information estimation via f-divergence and data derangements"
    (2024). `divergence` is "jensen-shannon", "kl" or "hellinger". The best critic is the pointwise MI, and the estimate
    its mean, which is no bound.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(FDIME().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    divergence: Literal["jensen-shannon", "kl", "hellinger"] = "jensen-shannon"

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        FDivergence(self.divergence)

    @property
    def objective(self) -> Objective:
        """The variational form of the divergence."""
        return FDivergence(self.divergence)


@register
@dataclass(frozen=True)
class InfoNCEAnchor(NeuralEstimator):
    """InfoNCE with one more class, for "none of them", so that scores are pointwise MI; the estimate is their mean.

    J. J. Ryu, P. Yeddanapudi, X. Xu and G. W. Wornell, "Contrastive predictive coding done right for mutual information
    estimation" (2025). The class weighs `anchor` times as much as all y of a batch together.

    >>> import mibench as mi
    >>> task = mi.task("1v1-normal-0.75")
    >>> draws = task.draw(n=5000, seed=0)
    >>> abs(InfoNCEAnchor().estimate(draws.x, draws.y).mi - task.mi) < 0.1
    True
    """

    anchor: float = 1.0

    def __post_init__(self) -> None:
        """Check the parameters."""
        super().__post_init__()
        checks.settle(self, anchor=checks.positive("anchor", self.anchor))

    @property
    def objective(self) -> Objective:
        """The log score of InfoNCE with an anchor."""
        return AnchoredInfoNCE(self.anchor, self.batch)
