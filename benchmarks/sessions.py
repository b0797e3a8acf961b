"""Puzzles per second of warm sessions, one thread: text in, verdict out, uniqueness proven, every grid checked.

The cross-check against the reference is off (its cost is a row of its own). Each repetition opens new sessions, because
a session remembers: no puzzle is seen twice by one. The rows take turns, so that a machine that slows down slows all.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

from benchmarks import sets
from gridproof import formats
from gridproof.errors import PuzzleFormatError
from gridproof.models import catalog
from gridproof.models.targets.cnf import compile_cnf
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry

ROWS: Sequence[tuple[str, str, str | None, str, str, int, float | None]] = (
    # label, backend, encoding, cross-check, set, puzzles at most, target in puzzles/s
    ("SAT session", "cadical153", None, "none", "17-clue", 2000, 12_000),
    ("SAT session", "cadical153", None, "none", "hardest188", 2000, 800),
    ("CP-SAT session", "cp-sat", None, "none", "17-clue", 200, 500),
    ("CP-SAT session", "cp-sat", None, "none", "hardest188", 100, 120),
    ("reference", "reference", None, "none", "17-clue", 2000, 3_000),
    ("reference", "reference", None, "none", "hardest188", 2000, 250),
    ("SAT session, cross-checked", "cadical153", None, "all", "17-clue", 2000, None),
    ("SAT session, cross-checked", "cadical153", None, "all", "hardest188", 2000, None),
    ("SAT, encoding extended", "cadical153", "extended", "none", "17-clue", 2000, None),
    ("SAT, encoding extended", "cadical153", "extended", "none", "hardest188", 2000, None),
    ("cadical195", "cadical195", None, "none", "17-clue", 2000, None),
    ("cadical195", "cadical195", None, "none", "hardest188", 2000, None),
    ("glucose4", "glucose4", None, "none", "17-clue", 2000, None),
    ("glucose4", "glucose4", None, "none", "hardest188", 2000, None),
    ("minisat22", "minisat22", None, "none", "17-clue", 2000, None),
    ("minisat22", "minisat22", None, "none", "hardest188", 2000, None),
)


YARDSTICK = "yardstick, first only"
YARDSTICK_OF_TARGETS = 14_600
"""Puzzles/s of the yardstick on the machine where the targets of SAT sessions and the figures of others come from."""


@dataclass(frozen=True)
class Figure:
    """Puzzles a second (CPU and wall time, medians of the repetitions; best of them) beside the target."""

    what: str
    set: str
    puzzles: int
    per_cpu_second: float
    per_wall_second: float
    best_per_cpu_second: float
    target: float | None

    @property
    def reached(self) -> str:
        """Said plainly, by the median of the CPU times."""
        if self.target is None:
            return ""
        return "reached" if self.per_cpu_second >= self.target else f"missed ({self.per_cpu_second / self.target:.0%})"


def measure(repetitions: int = 5) -> list[Figure]:
    """Every row, the rows taking turns."""
    lines = {"17-clue": sets.seventeen(), "hardest188": sets.hardest()}
    seconds: dict[int, list[tuple[float, float]]] = {number: [] for number in range(-1, len(ROWS))}
    for _ in range(repetitions):
        seconds[-1].append(_yardstick(lines["17-clue"][1]))
        for number, (_, backend, encoding, cross_check, which, most, _) in enumerate(ROWS):
            seconds[number].append(_timed(backend, encoding, cross_check, lines[which][1][:most]))
    return list(_figures(lines, seconds))


def _timed(backend: str, encoding: str | None, cross_check: str, lines: list[str]) -> tuple[float, float]:
    """(CPU, wall) seconds of one fresh pipeline over the lines; its rules are loaded before the clock starts."""
    with Pipeline(backend, encoding, cross_check=cross_check) as pipeline:
        for item in formats.read(lines[:1]):
            assert not isinstance(item, PuzzleFormatError)
            pipeline.session(item.board.geometry)
        wall, cpu = perf_counter(), process_time()
        for item in formats.read(lines):
            assert not isinstance(item, PuzzleFormatError)
            verdict = pipeline.verify(item.board)
            assert verdict.is_unique, f"{item.text}: {verdict}"
        return process_time() - cpu, perf_counter() - wall


def _yardstick(lines: list[str]) -> tuple[float, float]:
    """(CPU, wall) seconds of PySAT called directly: a solver with ``extended``, one solve for each line, no more.

    What it proves is less than a verdict (one solution, not that it is the only one; nothing is checked), so it tells
    the speed of a machine, apart from gridproof's.
    """
    from pysat.solvers import Solver

    rules = compile_cnf(Geometry.standard(9), catalog.load("extended")).clauses
    literal = [{str(symbol): 9 * cell + symbol for symbol in range(1, 10)} for cell in range(81)]
    with Solver(name="cadical153", bootstrap_with=rules) as solver:
        wall, cpu = perf_counter(), process_time()
        for line in lines:
            clues = [literal[cell][character] for cell, character in enumerate(line) if character in "123456789"]
            assert solver.solve(assumptions=clues)
            assert len([true for true in solver.get_model() if true > 0]) == 81
        return process_time() - cpu, perf_counter() - wall


def _figures(
    lines: dict[str, tuple[str, list[str]]], seconds: dict[int, list[tuple[float, float]]]
) -> Iterator[Figure]:
    rows = [(number, row[0], *row[4:]) for number, row in enumerate(ROWS)]
    for number, what, which, most, target in [*rows, (-1, YARDSTICK, "17-clue", len(lines["17-clue"][1]), None)]:
        name, puzzles = lines[which]
        count = len(puzzles[:most])
        cpu, wall = ([run[place] for run in seconds[number]] for place in (0, 1))
        rates = (count / statistics.median(cpu), count / statistics.median(wall), count / min(cpu))
        yield Figure(what, name, count, *rates, target if name == which else None)


def cold_start(repetitions: int = 7) -> list[float]:
    """Wall seconds of ``gridproof verify PUZZLE`` as a process of its own, but for the first, which fills caches."""
    command = [sys.executable, "-m", "gridproof", "verify", "-q", sets.seventeen()[1][0]]
    runs = []
    for _ in range(repetitions + 1):
        started = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        runs.append(perf_counter() - started)
    return runs[1:]
