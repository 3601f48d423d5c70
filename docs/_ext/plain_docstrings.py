"""Docstrings as they are written, plain text with `code`, made into the reStructuredText that autodoc reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import mibench

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_CODE = re.compile(r"`([^`]+)`")
_ALIAS = re.compile(r"TypeAliasForwardRef\('([^']+)'\)")
_MARKUP = re.compile(r"[\\*|]|_(?!\w)")


def setup(app: Sphinx) -> dict[str, Any]:
    """Take every docstring before autodoc does."""
    app.connect("autodoc-process-docstring", _process)
    app.connect("autodoc-process-signature", _sign)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _process(app: Sphinx, what: str, name: str, thing: object, options: object, lines: list[str]) -> None:  # noqa: ARG001
    blocks = re.split(r"(\n\s*\n)", "\n".join(lines))
    lines[:] = "".join(b if b.lstrip().startswith(">>>") else marked_up(b) for b in blocks).split("\n")


def _sign(
    app: Sphinx,  # noqa: ARG001
    what: str,  # noqa: ARG001
    name: str,  # noqa: ARG001
    thing: object,  # noqa: ARG001
    options: object,  # noqa: ARG001
    signature: str | None,
    returns: str | None,
) -> tuple[str | None, str | None]:
    """The alias itself, where autodoc spells out that it stands for one inside another type."""
    return tuple(s and _ALIAS.sub(r"\1", s) for s in (signature, returns))  # pyright: ignore[reportReturnType]


def marked_up(text: str) -> str:
    r"""Plain text with `code` as reStructuredText; a public name in backquotes becomes a link.

    >>> marked_up("|x| of `Normal`, not of `dim_x`")
    '\\|x\\| of :py:obj:`Normal <mibench.Normal>`, not of ``dim_x``'
    """
    parts = _CODE.split(text)
    return "".join(_code(part) if i % 2 else _MARKUP.sub(r"\\\g<0>", part) for i, part in enumerate(parts))


def _code(name: str) -> str:
    return f":py:obj:`{name} <mibench.{name}>`" if name in mibench.__all__ else f"``{name}``"
