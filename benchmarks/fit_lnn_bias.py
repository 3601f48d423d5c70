"""Makes src/mibench/estimators/lnn_bias.py: the bias of local normal fits, which LNN subtracts.

python benchmarks/fit_lnn_bias.py            rewrites the table for k = 5 and 30 neighbours
python benchmarks/fit_lnn_bias.py --check    the same from fewer draws of another seed, beside the table
"""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from mibench.estimators import local_gaussian
from mibench.estimators.lnn_bias import TABLE

K, TRUNCATION = 5, 30
DRAWS = 2**20
MODULE = Path(local_gaussian.__file__).with_name("lnn_bias.py")

HEAD = '''"""The bias of local normal fits, from many draws: made by benchmarks/fit_lnn_bias.py."""

from __future__ import annotations

# The mean of a fit for k, number of neighbours and dimension; standard errors are at most {worst:.5f}.
TABLE: dict[tuple[int, int, int], float] = {{
'''


def write() -> None:
    """Draw and write the table."""
    rows: list[str] = []
    worst = 0.0
    for dim in range(1, TRUNCATION + 1):
        mean, error = local_gaussian.simulated_bias(K, TRUNCATION, dim, DRAWS, seed=1)
        worst = max(worst, error)
        rows.append(f"    ({K}, {TRUNCATION}, {dim}): {mean:.6f},\n")
        print(f"{dim:3d} {mean:10.5f} +- {error:.5f}", flush=True)
    MODULE.write_text(HEAD.format(worst=worst) + "".join(rows) + "}\n")


def check() -> int:
    """Compare the table with fewer draws of another seed."""
    far = 0
    for (k, truncation, dim), tabled in TABLE.items():
        mean, error = local_gaussian.simulated_bias(k, truncation, dim, DRAWS // 32, seed=2)
        off = (mean - tabled) / math.hypot(error, error / math.sqrt(32.0))
        far += abs(off) > 4.0
        print(f"{dim:3d} {tabled:10.5f} {mean:10.5f} {off:+.1f} errors off")
    return int(far > 0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="only compare")
    sys.exit(check() if parser.parse_args().check else write())
