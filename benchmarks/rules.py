"""Puzzles with rules: a row for each encoding and each solver, over the complete shared f-puzzles.

Each puzzle gets a model and a solver of its own; building is from the parsed board on. The rows take turns, puzzle by
puzzle, so that a machine that slows down slows all. ``python -m benchmarks.rules`` prints the table.
"""

from __future__ import annotations

import statistics
from time import perf_counter

from benchmarks import real_puzzles
from gridproof import backends
from gridproof.limits import Limits
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

LIMITS = Limits(seconds=5)


def rows() -> list[tuple[str, str, Encoding]]:
    """(label, backend, encoding); the first is what is taken where nothing is named."""
    default = catalog.load("triad")
    rows = [("default", DEFAULT_BACKEND, default)]
    rows += [(f"houses: {name}", DEFAULT_BACKEND, catalog.load(name)) for name in ("extended", "minimal")]
    rows += [(name, name, default) for name in ("cadical195", "glucose4", "maplesat", "minisat22")]
    return [*rows, ("cp-sat", "cp-sat", catalog.load(targets.find("cp-sat").default_encoding(None)))]


def main() -> None:
    puzzles = list(real_puzzles.complete())
    building: dict[str, list[float]] = {}
    solving: dict[str, list[float]] = {}
    undecided: dict[str, int] = {}
    for _, board, solution in puzzles:
        compile_cnf(board.geometry, catalog.load("triad"))  # houses are compiled once for all rows
        for label, name, encoding in rows():
            with Pipeline(backends.find(name), encoding, limits=LIMITS, cross_check="none") as pipe:
                started = perf_counter()
                pipe.session(board.problem)
                opened = perf_counter()
                verdict = pipe.verify(board)
                building.setdefault(label, []).append(opened - started)
                solving.setdefault(label, []).append(perf_counter() - opened)
            wrong = verdict.status != "undecided" and (verdict.status != "unique" or verdict.solutions[0] != solution)
            assert not wrong, (label, verdict)
            undecided[label] = undecided.get(label, 0) + (verdict.status == "undecided")
    base = [sum(solving["default"]), sum(solving["default"] + building["default"])]
    heading = "build ms, median | solve ms, median | largest | total s | against default | with building | undecided"
    print(f"| row | {heading} |\n|{'---|' * 8}")
    for label, times in solving.items():
        figures = (1e3 * statistics.median(building[label]), 1e3 * statistics.median(times), 1e3 * max(times))
        cells = " | ".join(f"{figure:.1f}" for figure in figures)
        ratios = f"{sum(times) / base[0]:.2f} | {sum(times + building[label]) / base[1]:.2f}"
        print(f"| {label} | {cells} | {sum(times):.2f} | {ratios} | {undecided[label]} |")


if __name__ == "__main__":
    main()
