"""Canonical forms: puzzles per CPU second, one thread, by both ways; and how many of a set are different."""

from __future__ import annotations

import importlib.util
import statistics
from dataclasses import asdict, dataclass
from time import process_time

import numpy as np

from benchmarks import sets
from gridproof import formats
from gridproof.generation.canonical import LeastForms
from gridproof.lanes import UNIQUE, LaneEngine
from gridproof.puzzle.geometry import Geometry

TARGETS = {"least form": 5_000, "by solution": 20_000, "by solution, with solving": None}


@dataclass(frozen=True)
class Figure:
    """One way on one set."""

    what: str
    set: str
    puzzles: int
    different: int
    per_cpu_second: float
    target: int | None


def measure(repetitions: int = 5) -> list[Figure]:
    """The median of the repetitions, after a first run that compiles. Without numba, of every 20th puzzle."""
    forms, engine, figures = LeastForms(Geometry.classic(3)), LaneEngine(Geometry.classic(3)), list[Figure]()
    for name, lines in (sets.seventeen(), sets.hardest()):
        lines = lines if importlib.util.find_spec("numba") else lines[::20]
        clues = np.array([formats.parse(line).clues for line in lines], np.uint8)
        grids = engine.verify(clues).first
        assert (engine.verify(clues).codes == UNIQUE).all()
        seconds: dict[str, list[float]] = {what: [] for what in TARGETS}
        found: dict[str, int] = {}
        for _ in range(repetitions + 1):
            begun = process_time()
            found["least form"] = len({forms.find(puzzle)[0] for puzzle in clues})
            first = process_time()
            found["by solution"] = len({forms.find(*both)[0] for both in zip(clues, grids, strict=True)})
            second = process_time()
            engine.verify(clues)
            third = process_time()
            found["by solution, with solving"] = found["by solution"]
            times = (first - begun, second - first, third - first)
            for runs, time in zip(seconds.values(), times, strict=True):
                runs.append(time)
        for what, target in TARGETS.items():
            rate = len(lines) / statistics.median(seconds[what][1:])
            figures.append(Figure(what, name, len(lines), found[what], rate, target))
    return figures


def show(figures: list[Figure]) -> list[dict[str, object]]:
    """Print the figures; return them as plain values."""
    print(f"{'canonical forms, 9x9, one thread':44}{'puzzles':>8}{'different':>11}{'per CPU s':>11}{'target':>9}")
    for figure in figures:
        what, target = f"{figure.what}, {figure.set}", f"{figure.target:,}" if figure.target else ""
        print(f"{what:44}{figure.puzzles:8,}{figure.different:11,}{figure.per_cpu_second:11,.0f}{target:>9}")
    return [asdict(figure) for figure in figures]
