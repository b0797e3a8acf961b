"""Witnesses that look for a missed solution if the reference does not finish.

The first is a second solver on another encoding. It is of another origin than the one that answered, so that they share
no code; for a board with rules it has another target, if one is free, so that not even the clauses of a rule are the
same. It looks for one thing only: a solution that is none of those claimed. Clues are clauses here, not assumptions: a
solver with a single question makes its clauses smaller by them, which on a 25x25 is worth a factor of ten.

The second is a proof: a solver logs why the same clauses contradict each other, and our checker, which trusts no
solver, follows it step by step.

``docs/architecture.md`` lists what they share with the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from gridproof.backends import find
from gridproof.backends.loading import compile_model, default_encoding
from gridproof.backends.protocol import Backend
from gridproof.errors import BackendFailure
from gridproof.limits import Limits, Watch, model_made_within
from gridproof.models import catalog
from gridproof.models.clauses import Clause
from gridproof.models.encoding import Encoding
from gridproof.models.targets.cnf import Cnf, compile_cnf
from gridproof.puzzle.board import Board
from gridproof.puzzle.geometry import Grid
from gridproof.trust.crosscheck import Witness

LARGEST_ORDER = 25
"""Of boards whose rules are compiled whole: 700,000 clauses, which take a second."""

MOST_LEMMAS = 5_000
"""Conflicts of an answer up to which a proof is asked for: our checker follows some thousand steps a second."""


def witnesses(
    backend: Backend | None, encoding: Encoding | None, board: Board, conflicts: int | None = None
) -> Iterator[Witness]:
    """Yield the witnesses for an answer, the cheapest first; none for boards beyond ``LARGEST_ORDER``.

    Parameters
    ----------
    backend, encoding
        Those of the answer; ``None`` for the lanes, and for a search.
    board
        The board of the answer.
    conflicts
        The conflicts that the answer cost, if they are known.
    """
    if board.geometry.order > LARGEST_ORDER:
        return
    other = "triad" if encoding is not None and encoding.name == "extended" else "extended"
    for second in second_opinions(backend, board):
        if second.accepts == "cnf":
            yield _by_clauses(second, other)
        else:
            yield _by_session(second)
    prover = find("cadical153")
    if (conflicts is None or conflicts <= MOST_LEMMAS) and not prover.no_proofs():
        yield _by_proof(prover, other)


def second_opinions(backend: Backend | None, board: Board) -> Iterator[Backend]:
    """Yield the preferred solver of another origin than a backend; nothing if none can be used."""
    names = ("minisat22", "cadical153")
    for name in ("cp-sat", *names) if board.rules else names:
        second = find(name)
        if (backend is None or second.origin != (backend.origin or backend.name)) and not second.unavailable():
            yield second
            return


def _by_clauses(second: Backend, encoding: str) -> Witness:
    def solutions(board: Board, grids: Sequence[Grid], watch: Watch) -> Iterator[Grid]:
        cnf, clauses = _without(board, grids, encoding, watch.limits)
        yield from grids  # the grid check has passed them
        with second.incremental(clauses) as solver:
            if solver.solve((), watch):
                yield cnf.decode(solver.model())

    return Witness(f"second solver {second.name}/{encoding}", solutions)


def _by_session(second: Backend) -> Witness:
    def solutions(board: Board, grids: Sequence[Grid], watch: Watch) -> Iterator[Grid]:
        # to import a solver and to load the rules is no work on the board
        with second.open(compile_model(board.problem, second, encoding, watch.limits)) as session:
            yield from session.solutions(board, watch.limits)

    encoding = default_encoding(second)
    return Witness(f"second solver {second.name}" + (f"/{encoding.name}" if encoding else ""), solutions)


def _by_proof(prover: Backend, encoding: str) -> Witness:
    def solutions(board: Board, grids: Sequence[Grid], watch: Watch) -> Iterator[Grid | None]:
        from gridproof.checker.findings import Clock, Refusal
        from gridproof.checker.findings import Limits as Bounds
        from gridproof.checker.rup import Propagator, check_proof

        cnf, clauses = _without(board, grids, encoding, watch.limits)
        listed = [list(clause) for clause in clauses]
        steps = prover.refute(listed, Limits(watch.remaining(), watch.limits.conflicts))
        if steps is None:
            yield None  # some other grid, which a proof does not tell
            return
        held, bounds = Propagator(cnf.variables.count), Bounds()
        try:
            held.load(listed, deletable=True)
            check_proof(held, "\n".join([*steps, ""]).encode(), "proof", bounds, Clock(watch.remaining() or 0.0))
        except Refusal as problem:
            raise BackendFailure(f"{prover.name}: the checker refuses its proof: {problem}") from problem
        yield from grids

    return Witness("proof", solutions, agrees="checked")


def _without(board: Board, grids: Sequence[Grid], encoding: str, limits: Limits) -> tuple[Cnf, Iterable[Clause]]:
    """Return a model, and clauses that hold for just those solutions of a board that are none of these grids."""
    with model_made_within(limits):
        cnf = compile_cnf(board.problem, catalog.load(encoding))
    units = ((literal,) for literal in cnf.literals(board))
    return cnf, chain(units, cnf.clauses, map(cnf.blocking_clause, grids))
