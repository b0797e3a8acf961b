"""Compare two checkouts: a command runs in both by turns, and CPU seconds give the ratio.

    python -m benchmarks.turns --runs 5 ../other-checkout benchmarks.links none

A module of benchmarks/ with its arguments runs in this checkout with the package of either. Both share the machine's
load, so the ratio of the medians is worth more than either figure.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.turns", description=__doc__)
    parser.add_argument("other", type=Path, help="another checkout, with src/gridproof")
    parser.add_argument("--runs", type=int, default=5, help="of each (default: 5)")
    parser.add_argument("module", nargs=argparse.REMAINDER, help="a module of benchmarks, and its arguments")
    args = parser.parse_args()
    here = Path(__file__).resolve().parent.parent
    seconds: dict[Path, list[float]] = {args.other.resolve(): [], here: []}
    for _ in range(args.runs):
        for checkout, spent in seconds.items():
            before = _children()
            environment = {**os.environ, "PYTHONPATH": str(checkout / "src")}
            done = subprocess.run(
                [sys.executable, "-m", *args.module], cwd=here, env=environment, capture_output=True, text=True
            )
            spent.append(_children() - before)
            print(f"{checkout.name:20}{spent[-1]:8.2f} s  {(done.stdout or done.stderr).strip().splitlines()[-1]}")
    old, new = map(statistics.median, seconds.values())
    print(f"medians of {args.runs}: {old:.2f} and {new:.2f} CPU seconds, ratio {new / old:.2f}")


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


if __name__ == "__main__":
    main()
