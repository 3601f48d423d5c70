"""mibench: distributions with known mutual information, estimators of it, and how far they can be trusted."""

from __future__ import annotations

from mibench import errors
from mibench.distributions.additive_noise import AdditiveNoise
from mibench.distributions.base import Distribution
from mibench.distributions.covariance import FactorCovariance, bivariate, dense, sparse
from mibench.distributions.discrete import Discrete
from mibench.distributions.integrate import mi_by_draws
from mibench.distributions.mixture import Labelled, Mixture
from mibench.distributions.normal import Normal
from mibench.distributions.product import Independent, Noise, Product
from mibench.distributions.pushed import Pushed
from mibench.distributions.student import Student
from mibench.estimators.adaptive_partition import AdaptivePartition
from mibench.estimators.base import Estimate, Estimator
from mibench.estimators.cca import CCA
from mibench.estimators.histogram import Histogram
from mibench.estimators.kde import KDE
from mibench.estimators.ksg import KSG, KSG2
from mibench.estimators.lnn import LNN
from mibench.estimators.mixed import MixedKSG, Ross
from mibench.estimators.neural.base import NeuralEstimator
from mibench.estimators.neural.concatenated import Concatenated
from mibench.estimators.neural.critics import Architecture, Critic
from mibench.estimators.neural.estimators import FDIME, MINE, NWJ, SMILE, DonskerVaradhan, InfoNCE, InfoNCEAnchor
from mibench.estimators.neural.objectives import Objective
from mibench.estimators.neural.products import Bilinear, Separable
from mibench.estimators.plug_in import PlugIn
from mibench.estimators.preprocessed import Preprocessed
from mibench.estimators.transfer_operator import TransferOperator
from mibench.identity import identity_fingerprint, parse, register, spell
from mibench.selection import mutual_info
from mibench.tasks import families
from mibench.tasks.benchmark import TASKS
from mibench.tasks.lookup import task
from mibench.tasks.task import Task
from mibench.transforms.axiswise import (
    WIGGLY_X,
    WIGGLY_Y,
    Asinh,
    HalfCube,
    Scale,
    SignedPower,
    Wiggly,
)
from mibench.transforms.base import Transform
from mibench.transforms.compose import Axes, Chain, Identity
from mibench.transforms.linear_maps import Affine, Rotation
from mibench.transforms.spiral import Spiral, plane_generator
from mibench.transforms.swiss_roll import SwissRoll
from mibench.transforms.unit_interval import MixtureQuantile, NormalCDF, NormalQuantile
from mibench.types import Draws, LogDensities, Truth, fingerprint
from mibench.version import __version__

__all__ = [
    "CCA",
    "FDIME",
    "KDE",
    "KSG",
    "KSG2",
    "LNN",
    "MINE",
    "NWJ",
    "SMILE",
    "TASKS",
    "WIGGLY_X",
    "WIGGLY_Y",
    "AdaptivePartition",
    "AdditiveNoise",
    "Affine",
    "Architecture",
    "Asinh",
    "Axes",
    "Bilinear",
    "Chain",
    "Concatenated",
    "Critic",
    "Discrete",
    "Distribution",
    "DonskerVaradhan",
    "Draws",
    "Estimate",
    "Estimator",
    "FactorCovariance",
    "HalfCube",
    "Histogram",
    "Identity",
    "Independent",
    "InfoNCE",
    "InfoNCEAnchor",
    "Labelled",
    "LogDensities",
    "MixedKSG",
    "Mixture",
    "MixtureQuantile",
    "NeuralEstimator",
    "Noise",
    "Normal",
    "NormalCDF",
    "NormalQuantile",
    "Objective",
    "PlugIn",
    "Preprocessed",
    "Product",
    "Pushed",
    "Ross",
    "Rotation",
    "Scale",
    "Separable",
    "SignedPower",
    "Spiral",
    "Student",
    "SwissRoll",
    "Task",
    "TransferOperator",
    "Transform",
    "Truth",
    "Wiggly",
    "__version__",
    "bivariate",
    "dense",
    "errors",
    "families",
    "fingerprint",
    "identity_fingerprint",
    "mi_by_draws",
    "mutual_info",
    "parse",
    "plane_generator",
    "register",
    "sparse",
    "spell",
    "task",
]
