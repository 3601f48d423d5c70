"""Formulas as MathML, made by docutils when the pages are built: readers' browsers need no script for them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.writers.html5 import HTML5Translator

_THIN = r'<mspace width="0.1667em"></mspace>'
_SPACING = (
    # As TeX does it: "1/2 log x" has a thin space on either side of the function's name, "log(x)" none.
    (re.compile(r"(<mo>&ApplyFunction;</mo>\s*)(?=<m(?!o))"), rf"\1{_THIN}"),
    (re.compile(r"(</m(?:i|n|frac|sub|sup|subsup)>\s*)(?=<mi[^>]*>\w+</mi>\s*<mo>&ApplyFunction;)"), rf"\1{_THIN}"),
    # A bar is as high as a letter, and close to what it stands beside.
    (re.compile(r"<mo[^>]*>([|‖])</mo>"), r'<mo stretchy="false" lspace="0" rspace="0">\1</mo>'),
)


def setup(app: Sphinx) -> dict[str, Any]:
    """Let `html_math_renderer` name this renderer."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _inline(translator: HTML5Translator, node: nodes.math) -> None:
    translator.body.append(_mathml(node.astext(), as_block=False))
    raise nodes.SkipNode


def _block(translator: HTML5Translator, node: nodes.math_block) -> None:
    translator.body.append(translator.starttag(node, "div", CLASS="formula"))  # pyright: ignore[reportUnknownMemberType]
    translator.body.append(_mathml(node.astext(), as_block=True))
    translator.body.append("</div>\n")
    raise nodes.SkipNode


def _mathml(tex: str, as_block: bool) -> str:
    found = tex2mathml(tex, as_block=as_block)
    for pattern, better in _SPACING:
        found = pattern.sub(better, found)
    return found
