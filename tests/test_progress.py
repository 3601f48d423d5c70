"""Progress: who works tells, who waits hears, and a person at a terminal sees it."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest

import mibench as mi
from mibench import progress


def test_only_those_within_hear() -> None:
    heard: list[tuple[str, int, int]] = []
    progress.tell("before", 1, 2)
    with progress.heard_by(lambda *told: heard.append(told)):
        progress.tell("one", 1, 2)
        with progress.heard_by(lambda what, *_: heard.append((what, 0, 0))):
            progress.tell("two", 1, 2)
        progress.tell("three", 2, 2)
    progress.tell("after", 1, 2)
    assert heard == [("one", 1, 2), ("two", 0, 0), ("three", 2, 2)]


def test_a_listener_is_forgotten_when_work_fails() -> None:
    def fail() -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), progress.heard_by(lambda *_: fail()):
        progress.tell("one", 1, 2)
    progress.tell("two", 2, 2)


def test_nothing_is_shown_where_there_is_no_terminal(capfd: pytest.CaptureFixture[str]) -> None:
    with progress.shown("estimating", 2) as advance:
        for done in (1, 2):
            progress.tell("training", done, 2)
            advance()
    assert capfd.readouterr() == ("", "")


def _at_a_terminal(*arguments: str) -> str:
    """What a person sees who runs the command in a terminal of 100 columns."""
    import pty

    child, screen = pty.fork()
    if child == 0:
        settings = {**os.environ, "TERM": "xterm", "COLUMNS": "100"}
        os.execve(sys.executable, [sys.executable, "-m", "mibench", *arguments], settings)  # noqa: S606
    seen = b""
    while True:
        try:
            piece = os.read(screen, 65536)
        except OSError:  # how a terminal ends on Linux
            break
        if not piece:
            break
        seen += piece
    assert os.waitpid(child, 0)[1] == 0
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", seen.decode())


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of this kind is there on Unix only")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_training_is_seen_at_a_terminal(tmp_path: Path) -> None:
    draws = mi.task("1v1-normal-0.75").draw(1000, 0)
    points = tmp_path / "points.csv"
    rows = [f"{x!r},{y!r}" for x, y in zip(draws.x[:, 0].tolist(), draws.y[:, 0].tolist(), strict=True)]
    points.write_text("\n".join(["a,b", *rows]) + "\n")
    estimator = "InfoNCE(critic=Bilinear(), steps=3000, patience=100)"
    seen = _at_a_terminal("estimate", str(points), "--x", "a", "--y", "b", "-e", estimator)
    assert re.search(r"estimating .* 0/1", seen)
    assert re.search(r"InfoNCE.* nats .*\d+/3000", seen)
    assert re.search(r"InfoNCE\(.*\) +0\.\d{4} ", seen)
