"""The grids of a small board that each model of a rule allows, beside those that keep the rule.

``holds`` is the truth; primitives, clauses, CP-SAT and the other targets are compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from ortools.sat.python import cp_model
from pysat.solvers import Solver

from core_samples import usable_backends
from gridproof import backends
from gridproof.backends.models import compile_model, default_encoding
from gridproof.backends.protocol import Backend
from gridproof.models import catalog
from gridproof.models.targets import Encoding
from gridproof.models.targets.cnf import compile_cnf
from gridproof.models.targets.cp_sat import CpSatModel
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.rules import Rule
from rules.random_rules import grids

CP_SAT = ("exactly-one", "alldifferent")
"""Encodings for CP-SAT: rules are about a Boolean for each candidate, and about an integer for each cell."""


DEFAULT = catalog.load("triad")
"""The encoding for clauses of a board with rules."""


def grids_of_clauses(problem: Problem, encoding: Encoding, among: Sequence[SymbolTuple]) -> set[SymbolTuple]:
    """Return those of some grids that the clauses of a problem allow."""
    cnf = compile_cnf(problem, encoding)
    with Solver("minisat22", cnf.clauses) as solver:
        return {grid for grid in among if solver.solve(cnf.variables.cells.of_symbols(grid))}


def grids_of_cp_sat(problem: Problem, encoding: Encoding) -> set[SymbolTuple]:
    """Every grid that the CP-SAT model of a problem allows."""
    model = CpSatModel(problem, encoding)
    found: set[SymbolTuple] = set()

    class Found(cp_model.CpSolverSolutionCallback):
        calls = 0

        def on_solution_callback(self) -> None:
            self.calls += 1
            found.add(model.decode(list(self.response_proto.solution)))
            if self.calls > 1000:  # options that are not chosen leave their auxiliaries open
                self.stop_search()

    solver: Any = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.cp_model_presolve = False
    solver.parameters.symmetry_level = 0
    solver.parameters.enumerate_all_solutions = True
    done = solver.solve(model.model, Found()) != cp_model.FEASIBLE
    return found if done else grids_of_backend(backends.find("cp-sat"), problem, encoding)


@cache
def backend_for_each_target() -> tuple[Backend, ...]:
    """A backend for each target beyond clauses and CP-SAT for which one can be used here."""
    found: dict[str, Backend] = {}
    for backend in usable_backends():
        if backend.accepts not in ("cnf", "cp-sat", "problem"):
            found.setdefault(backend.accepts, backend)
    return tuple(found.values())


def grids_of_backend(backend: Backend, problem: Problem, encoding: Encoding | None = None) -> set[SymbolTuple]:
    """Every grid that a backend finds."""
    encoding = encoding or default_encoding(backend, problem)
    with backend.open(compile_model(problem, backend, encoding)) as session:
        return set(session.solutions(Board.empty(problem.geometry).with_rules(problem.rules)))


def disagreements(
    rule: Rule, geometry: Geometry, *, cp_sat: Sequence[str] = CP_SAT, more: Sequence[Backend] = ()
) -> Iterator[str]:
    """Yield a sentence for each model of a rule that allows other grids than ``holds``, with one of these grids.

    cp_sat: encodings for CP-SAT that are compared. more: backends that are compared, too.
    """
    everything, problem = grids(geometry), Problem(geometry, (rule,))
    truth = {grid for grid in everything if rule.holds(geometry.digits.of(grid), geometry)}
    primitives = list(rule.expand(geometry))
    allowed_by = {"expand": {grid for grid in everything if all(primitive.allows(grid) for primitive in primitives)}}
    allowed_by[DEFAULT.name] = grids_of_clauses(problem, DEFAULT, everything)
    allowed_by |= {name: grids_of_cp_sat(problem, catalog.load(name)) for name in cp_sat}
    allowed_by |= {backend.name: grids_of_backend(backend, problem) for backend in more if not backend.refuses(problem)}
    for model, allowed in allowed_by.items():
        for grid in sorted(allowed ^ truth)[:1]:
            yield f"{model} {'allows' if grid in allowed else 'forbids'} {grid}: {rule}"
    excluded = [grid for grid in sorted(truth) if rule.impossible(geometry, [1 << (s - 1) for s in grid])]
    if excluded or (truth and rule.impossible(geometry)):
        yield f"impossible, though it holds of {min(excluded or truth)}: {rule}"
