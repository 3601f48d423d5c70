"""What every transform shares: input checked once at the border, small private mathematics within."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from mibench import checks
from mibench.elementary import log
from mibench.errors import DataError, DimensionError, DrawFailed, NotAvailable
from mibench.types import Array, Mask

_LEAST_NORMAL = float(np.finfo(np.float64).tiny)  # below which doubles lose their digits
_MOST_MERGED = 1e-6  # of all points: as many as rounding alone may make equal where there are very many


class Transform(ABC):
    """An injective, continuous map of points (n, dim_in) to points (n, dim_out)."""

    def dim_out(self, dim_in: int) -> int:
        """The dimension of the image of points of a dimension; an error where the map does not take such points."""
        return dim_in

    def dim_in(self, dim_out: int) -> int:
        """The dimension of the points whose images have a dimension; the other way round than `dim_out`."""
        return dim_out

    def forward(self, x: npt.ArrayLike) -> Array:
        """The images of points."""
        before = checks.points("x", x)
        out = self._images(before)
        with np.errstate(all="ignore"):
            self._need_apart(before, out)
        return out

    def inverse(self, u: npt.ArrayLike) -> Array:
        """The points whose images are given; an error for points that are not images."""
        image, found = self.preimages(u)
        outside = np.flatnonzero(~image)
        if outside.size:
            first = checks.points("u", u)[outside[0]].tolist()
            raise DataError(
                f"u has {outside.size} row{'s' * (outside.size > 1)} outside the image of {type(self).__name__} "
                f"(the first is row {outside[0]}: {first}); it has no inverse there"
            )
        return found

    def in_image(self, u: npt.ArrayLike) -> Mask:
        """Whether each point is the image of any."""
        return self.preimages(u)[0]

    def preimages(self, u: npt.ArrayLike) -> tuple[Mask, Array]:
        """Whether each point is the image of any, and the points that those which are came from."""
        after = checks.points("u", u)
        self.dim_in(after.shape[1])
        with np.errstate(all="ignore"):
            image = self._in_image(after)
            found = self._inverse(after[image])
        finite = np.isfinite(found).all(axis=1)  # else it came from beyond double precision
        image[image] = finite
        return image, found[finite]

    def log_jacobian(self, x: npt.ArrayLike) -> Array:
        """Log |det J| of the map at points, where the dimension stays."""
        before = checks.points("x", x)
        self.dim_out(before.shape[1])
        with np.errstate(all="ignore"):
            return self._log_jacobian(before)

    def _images(self, x: Array) -> Array:
        """What `forward` gives, without looking for points that fell together."""
        self.dim_out(x.shape[1])
        with np.errstate(all="ignore"):
            out = self._forward(x)
        if not np.isfinite(out).all():
            raise DrawFailed(f"{type(self).__name__} sent a point out of the range of double precision; scale it down")
        return out

    @abstractmethod
    def _forward(self, x: Array) -> Array: ...

    @abstractmethod
    def _inverse(self, u: Array) -> Array: ...

    def _in_image(self, u: Array) -> Mask:
        return np.ones(len(u), dtype=np.bool_)

    def _need_apart(self, x: Array, u: Array) -> None:  # noqa: B027  (most maps keep points apart)
        """An error where points that are apart have images that are not, in double precision."""

    def _log_jacobian(self, x: Array) -> Array:  # noqa: ARG002
        raise NotAvailable(f"{type(self).__name__} has no Jacobian determinant, so its images have no density")


class AxisWise(Transform):
    """A transform that sends each coordinate through the same increasing function of one variable."""

    def _need_apart(self, x: Array, u: Array) -> None:
        self._need_no_underflow(x, u)
        self._need_unmerged(x, u)

    def _need_unmerged(self, x: Array, u: Array) -> None:
        for before, after in zip(x.T, u.T, strict=True):
            ordered = np.sort(after)
            if not (ordered[1:] == ordered[:-1]).any():
                continue
            merged = np.unique(before).size - np.unique(after).size  # equal values may have equal images
            if merged > _MOST_MERGED * before.size:
                raise DrawFailed(
                    f"{type(self).__name__} gave {merged} of {before.size} values the image of another, as double "
                    "precision has no room between; choose a milder map, or scale points first"
                )

    def _need_no_underflow(self, x: Array, u: Array) -> None:
        lost = np.abs(u) < _LEAST_NORMAL
        if not lost.any():
            return
        lost &= (np.abs(x) >= _LEAST_NORMAL) | ((u == 0.0) & (x != 0.0))
        at = x[lost][:, None]
        # What crosses 0 away from 0, as a shift makes it, has a slope; what underflows has none to speak of.
        under = np.flatnonzero(self._log_slope(at) + log(np.abs(at)) < math.log(_LEAST_NORMAL))
        if under.size:
            raise DrawFailed(
                f"{type(self).__name__} sent {float(at[under[0], 0])!r} too near to 0 for double precision to keep it "
                "apart from other points; choose a milder map, or scale points up first"
            )

    def _log_jacobian(self, x: Array) -> Array:
        slopes = self._log_slope(x)
        total = np.zeros(len(x))
        for column in slopes.T:
            total += column
        return total

    @abstractmethod
    def _log_slope(self, x: Array) -> Array:
        """The logarithm of the function's derivative at each value."""


def need_dim(transform: Transform, dim: int, wanted: int, what: str = "takes points of dimension") -> None:
    """An error unless a dimension is the one that a transform takes."""
    if dim != wanted:
        raise DimensionError(f"{type(transform).__name__} {what} {wanted}, got {dim}")
