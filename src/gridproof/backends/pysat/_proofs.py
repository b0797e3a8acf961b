"""Proofs from PySAT's solvers: which of them log proofs that a checker accepts, and how one is had.

A proof is that of a solver of its own, which has loaded the clauses and nothing else.
"""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Iterable, Sequence
from functools import lru_cache
from multiprocessing.connection import Connection

from gridproof.backends._guarded import LONGEST_WAIT, end_child, start_child
from gridproof.backends.pysat._quirks import quirks_of
from gridproof.backends.pysat._solver import Solver
from gridproof.errors import BackendFailure, GridproofError
from gridproof.limits import Limits, Watch


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
def cannot_log(solver: str) -> str | None:
    """Why a solver logs no proofs, right or wrong, or ``None`` if it does."""
    hook, sys.unraisablehook = sys.unraisablehook, lambda _: None  # a solver that PySAT half built complains when freed
    try:
        with ProvingSolver(solver, [[1, 2], [1, -2], [-1, 2], [-1, -2]]) as tried:
            tried.step([], 10)
            return None if tried.proof() else "it logs no proofs"
    except Exception:
        return "it logs no proofs"
    finally:
        sys.unraisablehook = hook


def refute(name: str, solver: str, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
    """See ``Proofs.refute``. A solver that cannot be stopped works under a time limit in a process of its own."""
    if limits.seconds is not None and not quirks_of(solver).stoppable:
        return _in_child(name, solver, clauses, limits)
    with ProvingSolver(solver, clauses) as proving:
        return None if proving.solve((), Watch(limits)) else proving.proof()


def _in_child(name: str, solver: str, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
    # spawn: a forked child would share the state of the solver libraries' threads
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe(duplex=False)
    order = (theirs, name, solver, list(clauses), Limits(conflicts=limits.conflicts))
    child = context.Process(target=_serve, args=order, daemon=True)
    try:
        start_child(child)
        theirs.close()
        watch = Watch(limits)
        while not pipe.poll(min(watch.remaining() or 0.0, LONGEST_WAIT)):
            watch.look()
        answer: list[str] | GridproofError | None = pipe.recv()
    except EOFError as problem:
        raise BackendFailure(f"{name}: its process ended without an answer") from problem
    finally:
        end_child(child)
        pipe.close()
    if isinstance(answer, GridproofError):
        raise answer
    return answer


def _serve(pipe: Connection, name: str, solver: str, clauses: Sequence[Sequence[int]], limits: Limits) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle; it ends this process
    answer: list[str] | GridproofError | None
    try:
        answer = refute(name, solver, clauses, limits)
    except GridproofError as problem:
        answer = problem
    pipe.send(answer)
