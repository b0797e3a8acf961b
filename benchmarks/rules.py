"""Puzzles with rules: a row for each choice of an encoding, and each solver, over the complete shared f-puzzles.

Each puzzle gets a model and a solver of its own; building is from the parsed board on. The rows take turns, puzzle by
puzzle, so that a machine that slows down slows all. ``python -m benchmarks.rules`` prints the table.
"""

from __future__ import annotations

import statistics
from dataclasses import replace
from time import perf_counter

from benchmarks import real_puzzles
from gridproof import backends
from gridproof.errors import EncodingError
from gridproof.limits import Limits
from gridproof.models import catalog, targets
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.pipeline import DEFAULT_BACKEND, Pipeline

LIMITS = Limits(seconds=5)


def rows() -> list[tuple[str, str, Encoding]]:
    """(label, backend, encoding); the first is what is taken where nothing is named."""
    default = catalog.load("triad")
    rows = [("default", DEFAULT_BACKEND, default)]
    for key, values in targets.find("cnf").schema["rule"].items():
        for value in values:
            changed = {**dict(default.choices), ("rule", key): value}
            if changed != dict(default.choices):
                rows.append((f"{key} = {value}", DEFAULT_BACKEND, replace(default, choices=tuple(changed.items()))))
    rows += [(f"houses: {name}", DEFAULT_BACKEND, catalog.load(name)) for name in ("extended", "minimal")]
    rows += [(name, name, default) for name in ("cadical195", "glucose4", "maplesat", "minisat22")]
    return [*rows, ("cp-sat", "cp-sat", catalog.load(targets.find("cp-sat").default_encoding(None)))]


def main() -> None:
    puzzles = list(real_puzzles.complete())
    building: dict[str, list[float]] = {}
    solving: dict[str, list[float]] = {}
    undecided: dict[str, int] = {}
    missing = set()
    for _, board, solution in puzzles:
        compile_cnf(board.geometry, catalog.load("triad"))  # houses are compiled once for all rows
        for label, name, encoding in rows():
            if label in missing:
                continue
            with Pipeline(backends.find(name), encoding, limits=LIMITS, cross_check="none") as pipe:
                started = perf_counter()
                try:
                    pipe.session(board.problem)
                except EncodingError:  # an extra of PySAT that is not installed
                    missing.add(label)
                    continue
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
    for label, times in ((label, times) for label, times in solving.items() if label not in missing):
        figures = (1e3 * statistics.median(building[label]), 1e3 * statistics.median(times), 1e3 * max(times))
        cells = " | ".join(f"{figure:.1f}" for figure in figures)
        ratios = f"{sum(times) / base[0]:.2f} | {sum(times + building[label]) / base[1]:.2f}"
        print(f"| {label} | {cells} | {sum(times):.2f} | {ratios} | {undecided[label]} |")


if __name__ == "__main__":
    main()
