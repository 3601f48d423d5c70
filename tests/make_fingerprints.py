"""Writes the golden fingerprints of the forty tasks: run it only when draws must change."""

from __future__ import annotations

import json
from pathlib import Path

import mibench as mi

GOLDEN = Path(__file__).parent / "data" / "fingerprints.json"
DRAWS = ((1000, 0), (10_000, 3))


def fingerprints() -> dict[str, dict[str, str]]:
    """By task, the fingerprint of each draw, named "n/seed"."""
    return {t.id: {f"{n}/{seed}": t.draw(n, seed).fingerprint for n, seed in DRAWS} for t in mi.TASKS}


if __name__ == "__main__":
    GOLDEN.write_text(json.dumps(fingerprints(), indent=1) + "\n")
