"""No empty last line in code: doctest needs one before a closing fence, or takes the fence for output."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from docutils import nodes

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Take every page when it has been read."""
    app.connect("doctree-read", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process(app: Sphinx, page: nodes.document) -> None:  # noqa: ARG001
    for block in page.findall(nodes.literal_block):
        if block.rawsource == block.astext():  # code to be highlighted, as others have markup inside
            block.rawsource = block.rawsource.rstrip()
            block.children = []
            block.append(nodes.Text(block.rawsource))
