"""Puzzles per second of warm sessions, one thread: text in, verdict out, uniqueness proven, every grid checked.

The cross-check against the reference is off (its cost is a row of its own). Each repetition opens new sessions, because
a session remembers: no puzzle is seen twice by one. The rows take turns, so that a machine that slows down slows all;
each is compared with its yardstick by the ratios of the repetitions.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from time import perf_counter, process_time

from benchmarks import sets
from gridproof import formats
from gridproof.backends.solvers.cpsat import DEFAULT_PARAMETERS
from gridproof.errors import PuzzleFormatError
from gridproof.models import catalog
from gridproof.models.targets.cnf import compile_cnf
from gridproof.pipeline import Pipeline
from gridproof.puzzle.geometry import Geometry

MINISAT, EMPTY = "MiniSat alone", "empty CP-SAT model"
"""The yardsticks: what a program of a few lines does at most with the solver, nothing checked."""

ROWS: Sequence[tuple[str, str, str | None, str, int, str, float | None]] = (
    # label, backend, encoding, cross-check, puzzles at most, yardstick, target in yardsticks
    ("SAT session", "cadical153", None, "none", 2000, MINISAT, 1.5),
    ("the same, cross-checked", "cadical153", None, "all", 2000, MINISAT, None),
    ("SAT, encoding triad", "cadical153", "triad", "none", 2000, MINISAT, None),
    ("cadical195", "cadical195", None, "none", 2000, MINISAT, None),
    ("glucose4", "glucose4", None, "none", 2000, MINISAT, None),
    ("minisat22", "minisat22", None, "none", 2000, MINISAT, None),
    ("minisat22, encoding triad", "minisat22", "triad", "none", 2000, MINISAT, None),
    ("CP-SAT session", "cp-sat", None, "none", 100, EMPTY, 1 / 1.3),
    ("reference", "reference", None, "none", 2000, MINISAT, None),
)


@dataclass(frozen=True)
class Figure:
    """Puzzles a second (CPU and wall time, medians of the repetitions), and in yardsticks, beside the target."""

    what: str
    set: str
    puzzles: int
    per_cpu_second: float
    per_wall_second: float
    yardstick: str
    ratio: float
    target: float | None

    @property
    def reached(self) -> str:
        """In plain words, by the ratio to the yardstick."""
        if self.target is None:
            return ""
        return "reached" if self.ratio >= self.target else f"missed ({self.ratio / self.target:.0%})"


def measure(repetitions: int = 5) -> list[Figure]:
    """Every row on both sets, the rows taking turns."""
    seconds: dict[tuple[str, str], list[tuple[float, float]]] = {}
    lines = dict([sets.seventeen(), sets.hardest()])
    runs: list[tuple[str, int, Callable[[list[str]], tuple[float, float]]]] = [
        (MINISAT, 2000, _minisat),
        (EMPTY, 100, _empty_model),
        *((row[0], row[4], partial(_timed, *row[1:4])) for row in ROWS),
    ]
    for _ in range(repetitions):
        for which, puzzles in lines.items():
            for label, most, run in runs:
                seconds.setdefault((label, which), []).append(run(puzzles[:most]))
    yardsticks = [(MINISAT, 2000, MINISAT, None), (EMPTY, 100, EMPTY, None)]
    measured = []
    for label, most, yardstick, target in [*yardsticks, *((row[0], *row[4:]) for row in ROWS)]:
        for which, puzzles in lines.items():
            count, per = len(puzzles[:most]), len(puzzles[: 2000 if yardstick == MINISAT else 100])
            cpu, wall = zip(*seconds[label, which], strict=True)
            ratios = [one[0] / per * count / mine for one, mine in zip(seconds[yardstick, which], cpu, strict=True)]
            rates = count / statistics.median(cpu), count / statistics.median(wall)
            measured.append(Figure(label, which, count, *rates, yardstick, statistics.median(ratios), target))
    return measured


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


def _minisat(lines: list[str]) -> tuple[float, float]:
    """(CPU, wall) seconds of PySAT's MiniSat called directly: ``extended`` loaded once, two questions a puzzle."""
    from pysat.solvers import Solver

    cnf = compile_cnf(Geometry.standard(9), catalog.load("extended"))
    literal = [{str(symbol): 9 * cell + symbol for symbol in range(1, 10)} for cell in range(81)]
    with Solver(name="minisat22", bootstrap_with=cnf.clauses) as solver:
        wall, cpu = perf_counter(), process_time()
        for active, line in enumerate(lines, cnf.variable_count + 1):
            clues = [literal[cell][character] for cell, character in enumerate(line) if character in "123456789"]
            assert solver.solve(assumptions=clues)
            solver.add_clause([*(-true for true in solver.get_model()[:729] if true > 0), -active])
            assert not solver.solve(assumptions=[*clues, active])
            solver.add_clause([-active])
        return process_time() - cpu, perf_counter() - wall


def _empty_model(lines: list[str]) -> tuple[float, float]:
    """(CPU, wall) seconds of CP-SAT on a nearly empty model: as many variables, constraints and questions as a session
    has."""
    from ortools.sat.python import cp_model

    with Pipeline("cp-sat", cross_check="none") as pipeline:
        shortcut = [pipeline.verify(line).statistics.decisions == 0 for line in lines]
    from gridproof.models.targets.cp_sat import CpSatModel

    sizes = CpSatModel(Geometry.classic(3), catalog.load("exactly-one")).sizes
    model, solver = cp_model.CpModel(), cp_model.CpSolver()
    variables = [model.new_bool_var("") for _ in range(sizes["variables"])]
    for number in range(sizes["constraints"]):
        model.add_bool_or(variables[number : number + 9])
    for name, value in DEFAULT_PARAMETERS.items():
        setattr(solver.parameters, name, value)
    wall, cpu = perf_counter(), process_time()
    for once in shortcut:
        for _ in range(1 if once else 2):
            solver.solve(model)
    return process_time() - cpu, perf_counter() - wall


def cold_start(repetitions: int = 7) -> list[float]:
    """Wall seconds of ``gridproof verify PUZZLE`` as a process of its own, but for the first, which fills caches."""
    command = [sys.executable, "-m", "gridproof", "verify", "-q", sets.seventeen()[1][0]]
    runs = []
    for _ in range(repetitions + 1):
        started = perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        runs.append(perf_counter() - started)
    return runs[1:]
