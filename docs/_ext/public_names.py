"""A warning for each public name that no page documents."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sphinx.util import logging

import mibench

if TYPE_CHECKING:
    from sphinx.application import Sphinx
    from sphinx.environment import BuildEnvironment

_LOG = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Compare when all pages have been read."""
    app.connect("env-check-consistency", _check)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _check(app: Sphinx, env: BuildEnvironment) -> None:  # noqa: ARG001
    documented = {name for name, *_ in env.get_domain("py").get_objects()}
    errors = (
        f"errors.{name}"
        for name, thing in vars(mibench.errors).items()
        if isinstance(thing, type) and issubclass(thing, Exception)
    )
    for name in (*mibench.__all__, *errors):
        if f"mibench.{name}" not in documented:
            _LOG.warning("mibench.%s is public, but no page documents it", name)
