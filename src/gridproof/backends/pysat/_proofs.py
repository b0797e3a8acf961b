"""Proofs from PySAT's solvers: which of them log proofs that a checker accepts, and how one is had.

A proof is that of a solver of its own, which has loaded the clauses and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import inf
from time import monotonic

from gridproof.backends._guarded import may_be_ended
from gridproof.backends.pysat._quirks import quirks_of
from gridproof.backends.pysat._solver import NO_SETTINGS, Solver, trial
from gridproof.errors import BackendFailure, Interrupted
from gridproof.limits import Limits, Watch

_MOST_CLAUSES_HERE = 20_000
"""So many clauses, a few more than a 9x9 board has, are refuted in a moment."""

_CONTRADICTION = ((1, 2), (1, -2), (-1, 2), (-1, -2))


@lru_cache(maxsize=64)
def cannot_log(solver: str) -> str | None:
    """Why a solver logs no proofs, right or wrong, or ``None`` if it does."""
    _, problem = trial(solver, _CONTRADICTION, lambda tried: (tried.step([], 10), tried.proof()), with_proof=True)
    return "it logs no proofs" if problem else None


def refute(
    name: str,
    solver: str,
    clauses: Sequence[Sequence[int]],
    limits: Limits,
    settings: Mapping[str, int] = NO_SETTINGS,
) -> list[str] | None:
    """See ``Proofs.refute``. A solver that cannot be stopped works in a process of its own if it may have to be."""
    if not quirks_of(solver).stoppable and may_be_ended(limits, short=len(clauses) <= _MOST_CLAUSES_HERE):
        return _in_child(name, solver, clauses, limits)
    with Solver(solver, clauses, settings=settings, with_proof=True) as proving:
        return None if proving.solve((), Watch(limits)) else proving.proof()


def _in_child(name: str, solver: str, clauses: Sequence[Sequence[int]], limits: Limits) -> list[str] | None:
    from gridproof.runs.calls import ChildDied, ChildExecutor  # which is rarely needed

    until = inf if limits.seconds is None else monotonic() + limits.seconds
    try:
        with ChildExecutor(1) as child:
            proof: list[str] | None
            proof = child.call(refute, name, solver, list(clauses), Limits(conflicts=limits.conflicts), until=until)
    except TimeoutError:
        raise Interrupted("seconds", limits.seconds) from None
    except ChildDied as problem:
        raise BackendFailure(f"{name}: its process ended without an answer") from problem
    return proof
