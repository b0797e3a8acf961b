"""Puzzles that propagation solves without search, in percent: rows are kinds of propagation, columns are sets.

Options: ``encodings`` (names for ``cnf``), ``shaving`` (names that are tried with it, too), ``all_different`` (whether
the constraint is tried, too, see ``gridproof.papers.all_different``), ``sets`` as in ``speed``.

Propagation is unit propagation in the clauses of an encoding, so it is as strong as the encoding lets it be: *natural*
takes a cell with one candidate (forward checking), *extended* also a symbol with one place in a house, *triad* also the
candidates that a line and a box share. *Shaving* assumes each open candidate in turn, and excludes one that propagation
contradicts, until nothing changes (Simonis 2005; as failed literals in Lynce and Ouaknine 2006).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.papers.all_different import is_filled
from gridproof.papers.figures import Figures
from gridproof.papers.measures import Measure, Request
from gridproof.papers.options import FLAG, MAYBE_NAMES, NAMES, SETS
from gridproof.papers.puzzle_sets import puzzle_sets
from gridproof.puzzle.board import Board

PROPAGATOR = "minisat22"
"""The solver of PySAT whose unit propagation is used."""

WITH_SHAVING = " + shaving"
"""The words behind the name of an encoding in a row with shaving."""

ALL_DIFFERENT = "all-different"
"""The name of the row of that constraint."""


def measure_propagation(options: Mapping[str, Any], request: Request) -> Figures:
    """Return the share of each set that each kind of propagation solves."""
    sets, remarks = puzzle_sets(options["sets"], request)
    rows: dict[str, dict[str, float]] = {}
    for shaves in (False, True):
        for name in options.get("shaving", []) if shaves else options["encodings"]:
            row = name + WITH_SHAVING if shaves else name
            rows[row] = {}
            for puzzles in sets:
                request.note(f"{row}, {puzzles.name}")
                solved = count_solved(puzzles.boards, catalog.load(name), shaves=shaves)
                rows[row][puzzles.name] = 100 * solved / len(puzzles.boards)
    if options.get("all_different", False):
        rows[ALL_DIFFERENT] = {}
        for puzzles in sets:
            request.note(f"{ALL_DIFFERENT}, {puzzles.name}")
            filled = sum([is_filled(board) for board in puzzles.boards])
            rows[ALL_DIFFERENT][puzzles.name] = 100 * filled / len(puzzles.boards)
    return Figures.from_rows(rows, remarks)


def count_solved(boards: Sequence[Board], encoding: Encoding, *, shaves: bool) -> int:
    """Return how many boards propagation fills. shaves: whether it shaves, too.

    Examples
    --------
    >>> from gridproof import parse
    >>> count_solved([parse("1... ..2. .3.. ...4")], catalog.load("extended"), shaves=False)
    1
    """
    from pysat.solvers import Solver

    solved = 0
    for board in boards:
        cnf = compile_cnf(board.problem, encoding)
        numbers = cnf.variables.cells.numbers
        with Solver(PROPAGATOR, bootstrap_with=cnf.clauses) as solver:
            known = cnf.variables.cells.of_board(board)
            possible, true = solver.propagate(assumptions=known)
            changed = shaves
            while possible and changed and _number_of_cells(true, numbers) < board.geometry.cell_count:
                changed = _shave(solver, known, numbers, set(true))
                possible, true = solver.propagate(assumptions=known)
            solved += possible and _number_of_cells(true, numbers) == board.geometry.cell_count
    return solved


def _shave(solver: Any, known: list[int], numbers: range, settled: set[int]) -> bool:
    """Exclude every open candidate that propagation contradicts; return whether there was one.

    known: the literals that hold, to which the opposites of excluded candidates are added.
    """
    before = len(known)
    for candidate in numbers:
        if candidate not in settled and -candidate not in settled:
            possible, _ = solver.propagate(assumptions=[*known, candidate])
            if not possible:
                known.append(-candidate)
    return len(known) > before


def _number_of_cells(true: Sequence[int], numbers: range) -> int:
    """Return how many cells have a symbol: one candidate of each is true."""
    return sum([literal in numbers for literal in true])


OPTIONS = {"encodings": NAMES, "shaving": MAYBE_NAMES, "all_different": FLAG, "sets": SETS}

MEASURE = Measure("propagation", OPTIONS, "%", measure_propagation)
