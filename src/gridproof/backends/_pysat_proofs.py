"""Proofs from PySAT's solvers: which of them log proofs that a checker accepts, and how one is had.

A proof is that of a solver of its own, which has loaded the clauses and nothing else.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import inf
from multiprocessing.connection import Connection
from time import monotonic
from typing import TYPE_CHECKING

from gridproof.backends._guarded import begin_child, end_child, may_be_ended, start_child, wait_for_news
from gridproof.backends._pysat_solvers import Solver, ask_in_slices, failure
from gridproof.errors import BackendFailure, GridproofError, Interrupted
from gridproof.limits import Limits, Watch

if TYPE_CHECKING:
    from gridproof.backends.pysat import PySat

_MOST_CLAUSES_HERE = 20_000
"""So many clauses, a few more than a 9x9 board has, are refuted in a moment."""

REJECTED: Mapping[str, str] = {
    "maplesat": "the variables in its proofs are numbered one too high, so checkers reject them",
}
"""Solvers that log proofs which checkers reject, and why. tests/contract/test_proofs.py fails if one is missing here,
or does not belong here any more."""


class ProvingSolver(Solver):
    """A solver that logs a proof from its first clause on."""

    def __init__(self, name: str, clauses: Iterable[Sequence[int]]) -> None:
        super().__init__(name, clauses, with_proof=True)

    def proof(self) -> list[str]:
        """The steps up to the empty clause.

        Some solvers go on after it with deletions of what is no longer needed; some never write it, because the
        clauses fall by propagation alone.
        """
        lines: list[str] = [line.strip() for line in self._owner.get_proof()]
        end = lines.index("0") if "0" in lines else len(lines)
        return [*lines[:end], "0"]


@lru_cache(maxsize=64)
def no_proofs(solver: str) -> str | None:
    """Why a solver gives no proofs that can be checked, or ``None``; found out by asking it for a small one."""
    return REJECTED.get(solver) or cannot_log(solver)


def cannot_log(solver: str) -> str | None:
    """Why a solver logs no proofs, right or wrong, or ``None`` if it does."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None  # a solver that PySAT half built complains when freed
    try:
        with ProvingSolver(solver, [[1, 2], [1, -2], [-1, 2], [-1, -2]]) as tried:
            tried.solve([])
            return None if tried.proof() else "it logs no proofs"
    except Exception:
        return "it logs no proofs"
    finally:
        sys.unraisablehook = hook


def refute(backend: PySat, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
    """See ``Backend.refute``. A solver that cannot be stopped works in a process of its own if it may have to be."""
    if not backend.stoppable and may_be_ended(limits, short=len(clauses) <= _MOST_CLAUSES_HERE):
        return _in_child(backend, clauses, limits)
    watch = Watch(limits)
    solver = ProvingSolver(backend.solver, clauses)
    try:
        proof = None if ask_in_slices(solver, [], watch) else solver.proof()
    except Interrupted:
        raise
    except Exception as problem:
        raise failure(backend.name, problem) from problem
    finally:
        solver.delete()
    return proof


def _in_child(backend: PySat, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
    # spawn: a forked child would share the state of the solver libraries' threads
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    child = context.Process(target=_serve, args=(theirs, backend), daemon=True)
    try:
        start_child(child)
        theirs.close()
        pipe.send((list(clauses), Limits(conflicts=limits.conflicts)))
        until = inf if limits.seconds is None else monotonic() + limits.seconds
        wait_for_news(pipe, until, Interrupted("seconds", limits.seconds))
        answer: list[str] | GridproofError | None = pipe.recv()
    except (EOFError, OSError) as problem:
        raise BackendFailure(f"{backend.name}: its process ended without an answer") from problem
    finally:
        end_child(child)
        pipe.close()
    if isinstance(answer, GridproofError):
        raise answer
    return answer


def _serve(pipe: Connection, backend: PySat) -> None:
    begin_child()
    answer: list[str] | GridproofError | None
    try:
        answer = refute(backend, *pipe.recv())
    except GridproofError as problem:
        answer = problem
    pipe.send(answer)
