"""The directive `run`: shell lines and what they print, by running them when the page is built."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from sphinx.application import Sphinx

_SECONDS = 60


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("run", Run)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class Run(SphinxDirective):
    """Runs each line of its content; those of one page run in one folder, one after another.

    What a line prints is shown below it. A line that starts with `! ` is one that is meant to fail.
    """

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The lines and what they printed."""
        shown = "\n".join(self._shown(line) for line in self.content if line.strip())
        return [nodes.literal_block(shown, shown, language="console")]

    def _shown(self, line: str) -> str:
        command = line.removeprefix("! ")
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        done = subprocess.run(  # noqa: S602  (the pages are ours, and pipes are wanted)
            command,
            shell=True,
            cwd=self._folder(),
            env={**os.environ, "PATH": path, "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "COLUMNS": "100"},
            capture_output=True,
            encoding="utf-8",
            timeout=_SECONDS,
            check=False,
        )
        if (done.returncode != 0) != line.startswith("! "):
            raise self.error(f"{command!r} gave exit code {done.returncode}: {done.stdout}{done.stderr}")
        printed = done.stdout + (done.stderr if done.returncode else "")
        lines = "\n".join(text.rstrip() for text in printed.splitlines()).strip("\n")
        return f"$ {command}\n{lines}".rstrip()

    def _folder(self) -> Path:
        """This page's folder, emptied before its first line runs."""
        known = self.env.temp_data
        if "run_folder" not in known:
            known["run_folder"] = Path(self.env.doctreedir) / "run" / self.env.docname
            shutil.rmtree(known["run_folder"], ignore_errors=True)
            known["run_folder"].mkdir(parents=True)
        return known["run_folder"]
