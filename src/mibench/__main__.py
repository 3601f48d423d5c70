"""`python -m mibench` is the command line."""

from __future__ import annotations

from mibench.cli import main

if __name__ == "__main__":
    main()
