"""Models for backends, and witnesses that look for a missed solution if the reference does not finish.

A backend gets the model that is compiled with its encoding. The first witness is a solver of another origin than the
one that answered, on the formula that the checker of certificates writes: they share neither code nor clauses with the
answer, only the reading of the puzzle. The second is CP-SAT on a board with rules, which shares with the answer what
the rules expand into. ``docs/architecture.md`` lists what each has in common with the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from gridproof.backends import find
from gridproof.backends.protocol import Backend, Model
from gridproof.errors import BackendUnavailable
from gridproof.expect import expect
from gridproof.limits import NO_LIMITS, Limits, Watch, model_made_within
from gridproof.models import catalog, targets
from gridproof.models.targets import Encoding
from gridproof.puzzle.board import Board, Problem
from gridproof.puzzle.geometry import Geometry, SymbolTuple
from gridproof.trust.crosscheck import Witness


def compile_model(
    problem: Problem | Geometry, backend: Backend, encoding: Encoding | None, limits: Limits = NO_LIMITS
) -> Model:
    """Return the model of ``problem`` that ``backend`` takes.

    Raises ``Interrupted`` if the time limit comes first; ``limits.MODEL_SECONDS`` are allowed in any case.
    """
    problem = Problem.of(problem)
    if backend.accepts == "problem" or encoding is None:
        return problem
    with model_made_within(limits):
        return targets.find(encoding.target).compile(problem, encoding)


def default_encoding(backend: Backend, problem: Problem | Geometry | None = None) -> Encoding | None:
    """Return the default encoding, or ``None`` for a backend that takes the problem itself.

    Without a problem it is the default for boards of usual size without rules.
    """
    if backend.accepts == "problem":
        return None
    name = targets.find(backend.accepts).default_encoding(None if problem is None else Problem.of(problem))
    return catalog.packaged(name)


def encoding_for(backend: Backend, encoding: str | Encoding | None) -> Encoding | None:
    """Return the named encoding, or the default one.

    Raises ``BackendUnavailable`` if the backend does not take it, and ``EncodingError`` if there is no such encoding.
    """
    if encoding is None:
        return default_encoding(backend)
    expect(encoding, (str, Encoding), "encoding", "a name, a path ending in .toml, or an Encoding")
    if backend.accepts == "problem":
        name = encoding if isinstance(encoding, str) else encoding.name
        raise BackendUnavailable(f"{backend.name} searches the board itself and takes no encoding, so not {name!r}")
    named = catalog.load(encoding) if isinstance(encoding, str) else encoding
    if named.target != backend.accepts:
        raise BackendUnavailable(
            f"{backend.name} takes encodings of target {backend.accepts!r}; {named.name!r} has {named.target!r}"
        )
    return named


Search: TypeAlias = Callable[[Board, Sequence[SymbolTuple], Watch], Iterator[SymbolTuple]]
"""Of a witness; see ``Witness.solutions``."""

LARGEST_ORDER = 25
"""Of boards whose houses are stated whole: up to 700,000 clauses."""

ON_THE_FORMULA = ("minisat22", "cadical153")
"""Solvers for the checker's formula, the preferred one first."""


def witnesses(backend: Backend | None, board: Board) -> Iterator[Witness]:
    """Yield the witnesses for an answer, the cheapest first; none for boards beyond ``LARGEST_ORDER``.

    Parameters
    ----------
    backend
        The backend that answered; ``None`` for the lanes, and for a search.
    board
        The board of the question.
    """
    if board.geometry.order > LARGEST_ORDER:
        return
    origin = backend and (backend.origin or backend.name)
    for name in ON_THE_FORMULA:
        second = find(name)
        if second.origin != origin and not second.unavailable():
            yield Witness(f"second solver {name}/checker", _on_the_formula(second))
            break
    second = find("cp-sat")
    if board.rules and (second.origin or second.name) != origin and not second.unavailable():
        yield Witness(f"second solver {second.name}", _by_session(second))


def _on_the_formula(second: Backend) -> Search:
    def solutions(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        from gridproof.trust.statement import NotCertified, statement  # which most answers do not need

        n = board.geometry.order
        try:
            stated = statement(board, watch.limits).formula(grids)
        except NotCertified as problem:
            raise BackendUnavailable(str(problem)) from None
        yield from grids  # they have passed the check
        with second.incremental(stated.clauses) as solver:
            if solver.solve((), watch):
                model = solver.model()
                symbols = range(1, n + 1)
                yield tuple(next((s for s in symbols if model[c * n + s - 1] > 0), 0) for c in range(n * n))

    return solutions


def _by_session(second: Backend) -> Search:
    def solutions(board: Board, grids: Sequence[SymbolTuple], watch: Watch) -> Iterator[SymbolTuple]:
        # to import a solver and to load the rules is no work on the board
        with second.open(compile_model(board.problem, second, default_encoding(second), watch.limits)) as session:
            yield from session.solutions(board, watch.limits)

    return solutions
