"""What is promised of the estimators' speed: one class for each table, one object for each of its lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

KSG = "KSG(k=10)"
EUCLIDEAN = 'KSG(k=10, metric="euclidean")'
LARGE = 1_000_000


@dataclass(frozen=True)
class Promise:
    """An estimator of ours on `n` points of `dims` + `dims` columns."""

    head: ClassVar[tuple[str, ...]]
    ours: str
    dims: int
    n: int

    def __str__(self) -> str:
        """What is measured, for a person and for `--only`."""
        return f"{type(self).__name__} {self.ours} {self.dims}x{self.dims} n={self.n}"

    @property
    def what(self) -> tuple[str, str, str]:
        """The first cells of its line."""
        return f"`{self.ours}`", f"{self.dims} × {self.dims}", f"{self.n:,}".replace(",", " ")

    @property
    def wanted(self) -> str:
        """What is promised."""
        raise NotImplementedError

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        raise NotImplementedError

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        raise NotImplementedError


@dataclass(frozen=True)
class Beside(Promise):
    """Ours beside a peer's on the same points. Values: seconds of ours; seconds of the peer, difference in nats."""

    head = ("estimator", "dims", "n", "ours (s)", "peer", "peer (s)", "ratio", "difference (nats)")
    peer: str = ""
    ratio: float = 0.0  # the peer takes at least so many times as long
    seconds: float = 0.0  # ours takes no longer; 0 promises nothing
    same: bool = True  # both define the same estimate, so that they must agree

    def __str__(self) -> str:
        """What is measured, for a person and for `--only`."""
        return super().__str__() + f" {self.peer}".rstrip()

    @property
    def wanted(self) -> str:
        """What is promised."""
        return f"≥ {self.ratio:g} ×" if self.ratio else f"≤ {self.seconds:g} s" if self.seconds else ""

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        if self.ratio:
            return values[1] >= self.ratio * values[0]
        return values[0] <= self.seconds

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        if len(values) == 1:
            return number(values[0]), "", "", "", ""
        ours, theirs, difference = values
        apart = f"{difference:.0e}" if self.same else ""
        return number(ours), self.peer, number(theirs), f"{number(theirs / ours)} ×", apart


@dataclass(frozen=True)
class Training(Promise):
    """A whole training beside a peer's: 10 000 steps of 256 points and 40 tests, without stopping early.

    Values: seconds of ours, of the peer, and what the arithmetic alone would take.
    """

    head = ("training", "dims", "n", "ours (s)", "peer", "peer (s)", "ratio", "arithmetic (s)", "part of ours")
    peer: str = ""
    ratio: float = 0.0  # the peer takes at least so many times as long

    def __str__(self) -> str:
        """What is measured, for a person and for `--only`."""
        return super().__str__() + f" {self.peer}".rstrip()

    @property
    def wanted(self) -> str:
        """What is promised."""
        return f"≥ {self.ratio:g} ×"

    @property
    def operations(self) -> float:
        """Multiplications and additions for 16 and 8 units: forward and twice as many backward, and tests forward."""
        of_pair, of_point = 2.0 * (16 * 8 + 8) + 16, 2.0 * 16 * 2 * self.dims
        steps, tests, half = 10_000, 40, self.n / 2
        if "MINE" in self.ours:
            return 3 * steps * 512 * (of_pair + of_point) + tests * 2**20 * (of_pair + of_point)
        pairs = 3.0 * steps * 256**2 + tests * half**2
        return of_pair * pairs + of_point * (3 * steps * 256 + tests * half)

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        return values[1] >= self.ratio * values[0]

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        ours, theirs, least = values
        return (
            number(ours), self.peer, number(theirs), f"{number(theirs / ours)} ×", number(least), f"{least / ours:.0%}"
        )  # fmt: skip


@dataclass(frozen=True)
class Threads(Promise):
    """Two threads beside one. Values: seconds of two, seconds of one."""

    head = ("two threads", "dims", "n", "two threads (s)", "one thread (s)", "ratio")
    ratio: float = 1.7  # at least

    @property
    def wanted(self) -> str:
        """What is promised."""
        return f"≥ {self.ratio:g} ×"

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        return values[1] >= self.ratio * values[0]

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        two, one = values
        return number(two), number(one), f"{number(one / two)} ×"


@dataclass(frozen=True)
class Memory(Promise):
    """Memory beside that for half the points: O(n) doubles, O(n^2) quadruples.

    Values: bytes of the process at its peak, what the estimate added to them, and what it adds for n / 2.
    """

    head = ("memory", "dims", "n", "process (MB)", "estimate (MB)", "at n / 2 (MB)", "growth")
    growth: float = 2.5  # at most

    @property
    def wanted(self) -> str:
        """What is promised."""
        return f"≤ {self.growth:g} ×"

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        return values[1] <= self.growth * values[2]

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        return *(number(v / 1e6) for v in values), f"{number(values[1] / max(values[2], 1.0))} ×"


@dataclass(frozen=True)
class Start(Promise):
    """What a process's first estimate costs more than its second. Values: seconds when it compiles, from the cache."""

    head = ("first estimate", "dims", "n", "compiled (s)", "from the cache (s)")
    seconds: float = 0.5  # at most, from the cache

    @property
    def wanted(self) -> str:
        """What is promised."""
        return f"≤ {self.seconds:g} s"

    def holds(self, values: Sequence[float]) -> bool:
        """Whether these values keep it."""
        return values[1] <= self.seconds

    def cells(self, values: Sequence[float]) -> tuple[str, ...]:
        """The values, as they stand in its line."""
        return number(values[0]), number(values[1])


def number(value: float) -> str:
    """Three digits that count.

    >>> number(0.012345), number(3.0), number(1234.5)
    ('0.0123', '3.00', '1234')
    """
    return f"{value:#.3g}".rstrip(".") if 1e-4 <= abs(value) < 1e3 else f"{value:.0f}" if value else "0"


_N = 10_000

PROMISES: tuple[Promise, ...] = (
    Beside(KSG, 1, _N, peer="scikit-learn mutual_info_regression", ratio=3.5),
    Beside(KSG, 1, _N, peer="ennemi", ratio=3.5),
    Beside(KSG, 3, _N, peer="scikit-learn KDTree", ratio=4.0),
    Beside(KSG, 5, _N, peer="scikit-learn KDTree", ratio=4.0),
    Beside(KSG, 5, _N, peer="npeet-plus"),
    Beside(KSG, 5, _N, peer="infomeasure", ratio=15.0),
    Beside(KSG, 25, _N, peer="infomeasure", ratio=60.0),
    Beside(KSG, 1, _N, peer="benchmark-mi", ratio=300.0),
    Beside(KSG, 3, _N, peer="benchmark-mi", ratio=80.0),
    Beside(KSG, 5, _N, peer="benchmark-mi", ratio=30.0),
    Beside(KSG, 25, _N, peer="benchmark-mi", ratio=12.0),
    Beside(KSG, 50, _N, peer="benchmark-mi", ratio=12.0),
    Beside(EUCLIDEAN, 1, _N, peer="benchmark-mi Euclidean"),
    Beside(EUCLIDEAN, 5, _N, peer="benchmark-mi Euclidean"),
    Beside(EUCLIDEAN, 25, _N, peer="benchmark-mi Euclidean"),
    Beside(KSG, 1, LARGE, peer="scikit-learn mutual_info_regression", seconds=10.0),
    Beside(KSG, 5, 100_000, peer="scikit-learn KDTree", seconds=10.0),
    Beside("LNN(k=5, truncation=30)", 5, _N, seconds=0.5),
    Beside("CCA()", 50, _N, peer="benchmark-mi CCA", seconds=0.02),
    Beside("Histogram(bins=10)", 1, _N, peer="benchmark-mi Histogram", seconds=0.01),
    Beside("Histogram(bins=10)", 2, _N, peer="benchmark-mi Histogram", seconds=0.01),
    Beside("KDE()", 1, _N, peer="benchmark-mi KDE", ratio=5.0, same=False),
    Beside("KDE()", 1, _N, peer="benchmark-mi KDE Gaussian", ratio=5.0, same=False),
    Beside("KDE()", 2, _N, peer="benchmark-mi KDE", ratio=5.0, same=False),
    Beside("KDE()", 2, _N, peer="benchmark-mi KDE Gaussian", ratio=5.0, same=False),
    Threads(KSG, 1, LARGE),
    Threads(KSG, 5, _N),
    Threads(KSG, 5, 100_000),
    Threads(KSG, 25, _N),
    Memory(KSG, 1, LARGE),
    Memory(KSG, 5, 100_000),
    Start(KSG, 1, 1000),
    Start(KSG, 5, 1000),
    Start(KSG, 25, 1000),
)

TRAININGS: tuple[Promise, ...] = (
    *(
        Training(f"{ours}(patience=1000)", dims, _N, peer=f"benchmark-mi {peer}", ratio=8.0 if dims == 25 else 6.0)
        for ours, peer in (("DonskerVaradhan", "Donsker-Varadhan"), ("NWJ", "NWJ"), ("InfoNCE", "InfoNCE"))
        for dims in (1, 3, 25)
    ),
    *(Training("MINE(patience=1000)", dims, _N, peer="benchmark-mi MINE", ratio=15.0) for dims in (1, 3, 25)),
)
