"""The contract's links to the schemas beside it, made to hold where a page includes it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, Any]:
    """Take every included text before it is read."""
    app.connect("include-read", _process)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process(app: Sphinx, path: Path, parent: str, text: list[str]) -> None:  # noqa: ARG001
    if path.name == "CONTRACT.md":
        text[0] = re.sub(r"\]\(([\w.]+\.json)\)", rf"]({path.parent.as_posix()}/\1)", text[0])
