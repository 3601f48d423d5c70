"""The command line in a process of its own, as a person starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def run(*arguments: object, code: int = 0, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    command = [sys.executable, "-m", "mibench", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False, cwd=folder)
    assert done.returncode == code, done.stderr
    return done


def error(*arguments: object, folder: Path | None = None) -> str:
    """The one line that a mistake gives."""
    done = run(*arguments, code=2, folder=folder)
    assert done.stderr.startswith("mibench: ")
    assert (done.stdout, done.stderr.count("\n")) == ("", 1)
    return done.stderr
