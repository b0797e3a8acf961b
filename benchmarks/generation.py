"""Measure how fast puzzles are made, beside qqwing if it is installed: ``python -m benchmarks.generation [RUNS]``.

The rows take turns. A figure is the median of puzzles per CPU second in this process, with everything loaded; that of
qqwing includes its start of some milliseconds. Every puzzle of gridproof is minimal, and one of 1,000 is verified by an
independent solver, or all where a row makes up to 1,000. Those of qqwing have one solution and need not be minimal.
"""

from __future__ import annotations

import resource
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import process_time

from gridproof.generation import in_lanes
from gridproof.generation.making import puzzles
from gridproof.generation.recipe import Recipe
from gridproof.lanes import LaneEngine
from gridproof.puzzle.geometry import Geometry

NINE = Geometry.classic(3)


def ours(count: int, shape: Geometry = NINE, kernel: str = "auto", **options: object) -> Callable[[int], float]:
    """Return what makes puzzles from a seed, and returns how many a second."""

    def run(seed: int) -> float:
        kept, engine = in_lanes.engine_of, LaneEngine(shape, kernel)  # type: ignore[arg-type]
        in_lanes.engine_of = lambda _: engine  # type: ignore[assignment]
        try:
            start = process_time()
            number = len([*puzzles(count, Recipe(shape=shape, seed=seed, **options))])  # type: ignore[arg-type]
            return number / (process_time() - start)
        finally:
            in_lanes.engine_of = kept

    return run


def qqwing(count: int, symmetry: str) -> Callable[[int], float]:
    """Return what lets qqwing generate puzzles, and returns how many a second."""
    command = ["qqwing", "--generate", str(count), "--symmetry", symmetry, "--one-line"]

    def run(seed: int) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(command, check=True, capture_output=True)
        return count / (resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)

    return run


def main() -> None:
    rows = {
        "9x9": ours(16384),
        "9x9, half-turn": ours(16384, symmetry="half-turn"),
        "9x9 in NumPy": ours(1500, kernel="numpy"),
        "16x16": ours(8, Geometry.classic(4)),
        "25x25": ours(1, Geometry.classic(5)),
        "killer 9x9": ours(6, killer=True),
    }
    if shutil.which("qqwing"):
        rows |= {"qqwing": qqwing(300, "none"), "qqwing, half-turn": qqwing(300, "rotate180")}
    figures: dict[str, list[float]] = {name: [] for name in rows}
    ours(100, kernel="numba")(0)  # which compiles and loads
    for seed in range(int(sys.argv[1]) if len(sys.argv) > 1 else 3):
        for name, run in rows.items():
            figures[name].append(run(seed))
    for name, values in figures.items():
        print(f"{name:20}{statistics.median(values):10,.2f} a second   ({min(values):,.2f} to {max(values):,.2f})")


if __name__ == "__main__":
    main()
