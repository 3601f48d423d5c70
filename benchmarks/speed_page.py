"""What was measured, as the Markdown of docs/speed.md."""

from __future__ import annotations

import datetime as dt
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from promises import Promise

from mibench.threads import cores

BEGIN = "% {} writes what follows"
END = "% as far as here"
_LEFT_OUT = "What did not run is left out:"

_VERSIONS = {
    "mibench": ("mibench", "numpy", "numba", "scipy"),
    "peers": ("scikit-learn", "ennemi", "infomeasure", "npeet-plus", "numpy", "scipy"),
    "reference": ("benchmark-mi", "scikit-learn", "numpy", "scipy"),
}


@dataclass(frozen=True)
class Line:
    """What was measured for one promise."""

    promise: Promise
    values: tuple[float, ...]
    judged: bool = True  # at the size that the promise is of

    @property
    def verdict(self) -> str:
        """Whether it holds; empty where nothing was promised."""
        if not self.promise.wanted or not self.judged:
            return ""
        return "yes" if self.promise.holds(self.values) else "**no**"


def page(lines: Sequence[Line], missing: Sequence[str], versions: Mapping[str, Mapping[str, str]]) -> str:
    """The tables, and what they were measured with."""
    tables: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for line in lines:
        tables.setdefault((*line.promise.head, "wanted", "holds"), []).append(_cells(line))
    parts = [_machine(versions), *(table(head, rows) for head, rows in tables.items())]
    if missing:
        reasons = dict.fromkeys(missing)  # each once
        parts.append(f"{_LEFT_OUT}\n\n" + "\n".join(f"- {reason}" for reason in reasons))
    return "\n\n".join(parts)


def put(text: str, file: Path, program: str) -> None:
    """Write it into a page, between the two marks; the first names the program."""
    before, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN.format(program))
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(
            f"{file} needs the lines {BEGIN.format(program)!r} and {END!r}, between which the tables are written"
        )
    file.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def renew(lines: Sequence[Line], file: Path, program: str) -> None:
    """Write single lines into tables that are there, each for the one of the same promise, or behind its like."""
    before, begin, rest = file.read_text(encoding="utf-8").partition(BEGIN.format(program))
    inner, end, after = rest.partition(END)
    rows = inner.splitlines()
    for line in lines:
        row = _row(_cells(line))
        of_promise, like = _row(line.promise.what).rstrip("|"), f"| {line.promise.what[0]} |"
        peer = getattr(line.promise, "peer", "")
        head = _row((*line.promise.head, "wanted", "holds"))
        top = rows.index(head)
        table_end = next((at for at in range(top, len(rows)) if not rows[at]), len(rows))
        places = range(top, table_end)
        known = [at for at in places if rows[at].startswith(of_promise) and f"| {peer}" in rows[at]]
        if known:
            rows[known[0]] = row
        else:
            rows.insert(1 + max((at for at in places if rows[at].startswith(like)), default=table_end - 1), row)
        rows = [text for text in rows if not text.startswith(f"- {line.promise.ours}: ")]
    if not any(text.startswith("- ") for text in rows[-3:]):
        rows = [text for text in rows if not text.startswith(_LEFT_OUT)]
    text = "\n".join(rows).strip()
    file.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def _cells(line: Line) -> tuple[str, ...]:
    promise = line.promise
    return (*promise.what, *promise.cells(line.values), promise.wanted, line.verdict)


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _machine(versions: Mapping[str, Mapping[str, str]]) -> str:
    """When, on what and with what it was measured."""
    have = [
        ", ".join(f"{name} {versions[where][name]}" for name in names if name in versions[where])
        for where, names in _VERSIONS.items()
        if versions.get(where)
    ]
    today = dt.datetime.now(tz=dt.UTC).date().isoformat()
    machine = f"{_processor()}, {cores()} cores, {platform.system()}, Python {platform.python_version()}"
    return f"Measured on {today}: {machine}.\n\n" + "\n".join(f"- {text}" for text in have)


def _processor() -> str:
    """The processor's name, as far as the system says it."""
    stated = Path("/proc/cpuinfo")
    lines = stated.read_text(encoding="utf-8").splitlines() if stated.exists() else []
    named = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return named[0] if named else platform.processor() or platform.machine()


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown, numbers to the right."""
    marks = ["--:" if "(" in name or name in {"n", "ratio", "growth"} else "---" for name in head]
    return "\n".join(_row(cells) for cells in (head, marks, *rows))
