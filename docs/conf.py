"""How the documentation is built: from the pages here and the code, with nothing fetched."""

from __future__ import annotations

import sys
from pathlib import Path

import mibench

sys.path.insert(0, str(Path(__file__).parent / "_ext"))

project = "mibench"
author = "The mibench developers"
copyright = "the mibench developers"
version = release = mibench.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "contract_links",
    "doctest_fences",
    "mathml",
    "plain_docstrings",
    "public_names",
    "show_run",
    "task_pages",
]
exclude_patterns = ["_build", "_generated", "_ext"]
nitpicky = True
nitpick_ignore_regex = [
    ("py:class", r"mibench\.identity\.T"),  # a type variable
    # Other people's libraries; their inventories would have to be fetched.
    ("py:.*", r"(numpy|matplotlib|collections|pathlib)\..*"),
]

myst_enable_extensions = ["deflist", "dollarmath"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
# Names that a reader knows, or finds in api.md, rather than what they stand for.
autodoc_type_aliases = {
    "Array": "~mibench.types.Array",
    "Figure": "~matplotlib.figure.Figure",
    "Mask": "~mibench.types.Mask",
    "MatrixOrFactors": "~mibench.distributions.scatter.MatrixOrFactors",
    "checks.Matrix": "~mibench.checks.Matrix",
    "checks.MatrixLike": "~mibench.checks.MatrixLike",
    "checks.VectorLike": "~mibench.checks.VectorLike",
    "np.random.Generator": "~numpy.random.Generator",
    "npt.ArrayLike": "~numpy.typing.ArrayLike",
}
toc_object_entries = False
maximum_signature_line_length = 160

html_theme = "furo"
html_title = f"mibench {release}"
html_math_renderer = "mathml"
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_show_sourcelink = False
html_copy_source = False
pygments_style = "tango"
