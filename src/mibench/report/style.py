"""How our pictures look: the colours of the pointwise MI, of letters and of lines."""

# pyright: reportUnknownMemberType=false
# Matplotlib's stubs leave the types of most keyword arguments open.

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable

INK, LINE, POINTS = "#333333", "#999999", "#3d4756"
# Blue below 0, orange above; the grey of 0 shows on white, where the white of the stock maps would not.
_PMI_COLOURS = ("#08306b", "#2f80c2", "#bcbcbc", "#ee8722", "#7f2704")


def pmi_scale(reach: float) -> ScalarMappable:
    """Colours of the pointwise MI from minus `reach` to `reach`, as strong for a value as for minus it."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize

    return ScalarMappable(Normalize(-reach, reach), LinearSegmentedColormap.from_list("pmi", _PMI_COLOURS))


def dress(panel: Axes, points: float) -> None:
    """Give a panel thin grey lines and small labels, for letters of this size."""
    panel.tick_params(labelsize=0.8 * points, labelcolor=INK, color=LINE, width=0.6, length=0.25 * points)
    for spine in panel.spines.values():
        spine.set(color=LINE, linewidth=0.6)
